"""The schemas themselves; all shipped JSON against them; the fast checker against jsonschema."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Annotated, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from msgspec import Meta, Struct

from platelayer.definitions.decode import decode
from platelayer.definitions.schemas import _validator, quick_check, raw_schema, schema_problems
from platelayer.definitions.source import document_problems, read_document
from platelayer.definitions.titles import schema_files
from platelayer.foundation.problems import MAX_PROBLEMS, Place
from platelayer.foundation.resources import asset_path, schema_path, schema_paths
from platelayer.foundation.text import Text
from platelayer.model.described import ById, Distinct, FlattenedIfSingle, Id, Key, Money, Several
from schemas import ADDRESS, FILES, File, handmade_text, schema_text

ROOT = Path(__file__).resolve().parents[2]
NAMES = [path.name.removesuffix(".schema.json") for path in schema_paths()]
# Files in the forms of others (metrics of fonts, models of phrases, blank saves of a simulator, words
# of other programs), and tables of random maps, which only their reader knows.
FOREIGN = ("metrics", "phrases", "simulator", "atlas", "imports")
SHIPPED = sorted(
    path
    for path in asset_path().rglob("*.json")
    if {path.parent.name, path.stem}.isdisjoint(FOREIGN)
)
TITLE_PARTS = (
    *("title", "tile", "tiles", "title-tiles", "map", "companies", "trains", "phases", "market"),
    *("pieces", "upgrades", "bonuses", "aids"),
)


def nowhere(pointer: str, *, key: bool = False) -> Place:
    return Place("file", pointer, 1, 2 if key else 1)


def parts(schema: Any, path: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Every object of a schema with its path, but for conditions (`if`), which describe and refuse
    nothing."""
    if isinstance(schema, dict):
        yield path, schema
        for key, item in schema.items():
            if key not in {"if", "examples"}:
                yield from parts(item, f"{path}/{key}")
    elif isinstance(schema, list):
        for index, item in enumerate(schema):
            yield from parts(item, f"{path}/{index}")


def target(reference: str, name: str) -> Any:
    """What a reference in the schema `name` leads to."""
    file, _, pointer = reference.partition("#")
    found: Any = raw_schema(file.removesuffix(".schema.json") or name)
    for token in pointer.split("/")[1:]:
        found = found[token]
    return found


@pytest.mark.parametrize("name", NAMES)
def test_schemas_have_an_address_and_an_example_that_they_accept(name: str) -> None:
    schema = raw_schema(name)
    assert schema["$id"] == f"{ADDRESS}{name}.schema.json"
    if name != "common":
        (example,) = schema["examples"]
        assert schema_problems(example, name, nowhere) == ()
        assert quick_check(name)(example)
        assert not quick_check(name)(example | {"no such key": 1})


def test_the_catalogue_of_schemastore_names_schemas_that_are_there() -> None:
    catalogue = json.loads((ROOT / "docs/schemastore/catalog.json").read_text("utf-8"))
    ids = {raw_schema(name)["$id"] for name in NAMES}
    assert {entry["url"] for entry in catalogue} <= ids
    assert len({pattern for entry in catalogue for pattern in entry["fileMatch"]}) == len(catalogue)


def test_the_copies_in_a_title_refer_to_each_other_alone() -> None:
    copies = schema_files()
    assert len(copies) == len(NAMES)
    for name, data in copies.items():
        copy = json.loads(data)
        original = raw_schema(Path(name).name.removesuffix(".schema.json"))
        assert copy == {key: value for key, value in original.items() if key != "$id"}


def test_there_is_a_schema_for_every_kind_of_file() -> None:
    assert {*TITLE_PARTS, "theme", "common"} <= set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_schema_is_valid_2020_12(name: str) -> None:
    schema = json.loads(schema_path(name).read_text(encoding="utf-8"))
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert schema["title"]
    assert schema["description"]
    Draft202012Validator.check_schema(schema)


@pytest.mark.parametrize("name", NAMES)
def test_parts_of_a_schema(name: str) -> None:
    """Properties are described, objects refuse unknown keys and take a remark, patterns are
    anchored and named, words that print have a visible character, and references stay among the
    shipped files."""
    for path, part in parts(raw_schema(name)):
        properties = part.get("properties")
        if isinstance(properties, dict):
            for key, field in properties.items():
                description = field.get("description") or target(field["$ref"], name)["description"]
                assert len(description) >= 4, f"{path}/{key}"
                assert description.endswith("."), f"{path}/{key}"
            closing = (part.get("additionalProperties"), part.get("unevaluatedProperties"))
            assert False in closing, path
            if name in TITLE_PARTS:
                assert "$comment" in properties, path
        if isinstance(part.get("pattern"), str):
            assert part["pattern"].startswith("^"), path
            assert part["pattern"].endswith("$"), path
            if "anyOf" not in path:
                assert part.get("title"), f"{path}: messages name what a pattern means by its title"
        if part.get("type") == "string" and not path.endswith(("/$schema", "/schema", "/comment")):
            assert part.keys() & {"enum", "const", "pattern"}, (
                f"{path}: take common.schema.json#/$defs/words"
            )
        if isinstance(part.get("$ref"), str):
            assert target(part["$ref"], name), path


# Unicode 15, chapters 6 and 23: spaces, controls, characters without width, fillers, marks that
# turn the direction.
UNSEEN = (
    "", " ", "   ", "\t", "\n", "\r\n", "\x00", "\x07", "\x7f", "\x85", "\xa0", "\xad", "\u034f", "\u061c", "\u115f",
    "\u1680", "\u180e", "\u2003", "\u200b", "\u200b\u200d", "\u200e", "\u2028", "\u202e", "\u2060", "\u2064", "\u2800",
    "\u3000", "\u3164", "\ufe0f", "\ufeff", "\uffa0", "\ufff9", "\ufffe", " \xa0\u200b\n",
)  # fmt: skip


@pytest.mark.parametrize(
    "form",
    [lambda words: words, lambda words: {"en": words}, lambda words: {"en": "x", "ja": words}],
    ids=["plain", "by language", "in one language"],
)
def test_words_that_cannot_be_seen_are_refused(form: Callable[[str], Any]) -> None:
    for words in UNSEEN:
        title = {"format": "platelayer.title/1", "id": "x", "name": form(words)}
        (problem,) = schema_problems(title, "title", nowhere)
        assert problem.code == "SC04", ascii(words)
        assert "visible character" in problem.message, ascii(words)


def test_words_that_can_be_seen_are_accepted() -> None:
    for words in ("x", " x ", "·", "-", "\xa0A", "駅", "\nA\n", "\u200bA", "0", "é", "e\u0301"):
        title = {"format": "platelayer.title/1", "id": "x", "name": words}
        assert schema_problems(title, "title", nowhere) == (), ascii(words)


@pytest.mark.parametrize(
    ("cell", "accepted"), [(" ", True), ("x", True), ("", False), ("\xa0", False), ("  ", False)]
)
def test_an_empty_cell_is_one_blank(cell: str, accepted: bool) -> None:
    table = {"head": ["x", " "], "rows": [["x", cell]]}
    aids = {
        "aids": {"turn": {"name": "x", "count": 1, "sections": [{"heading": "x", "table": table}]}}
    }
    assert (schema_problems(aids, "aids", nowhere) == ()) is accepted


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: str(path.relative_to(asset_path())))
def test_shipped_json_follows_the_schema_it_names(path: Path) -> None:
    document = read_document(path)
    assert document.doubts == ()
    named = (path.parent / document.value["$schema"]).resolve()
    assert named.is_file(), f"{document.value['$schema']} is not there"
    name = named.name.removesuffix(".schema.json")
    assert named == schema_path(name)
    assert document_problems(document, name) == ()
    assert list(_validator(name).iter_errors(document.value)) == []


def test_shipped_json_is_found() -> None:
    assert asset_path("themes", "classic.json") in SHIPPED


# --- the fast checker says no exactly when jsonschema does


@cache
def samples() -> list[tuple[str, Any]]:
    """Shipped files with their schemas; jsonschema needs a tenth of a second for larger ones."""
    found = []
    for path in SHIPPED:
        if path.stat().st_size < 12_000:
            value = json.loads(path.read_text(encoding="utf-8"))
            schema = Path(value["$schema"]).name.removesuffix(".schema.json")
            if schema in NAMES:
                found.append((schema, value))
    return found


ODD_JSON = """null true 0 -1 3 7 2.5 1000000000 "" "x" "A1" "grey" "57\\n" "stop:3" "#ffffff" "a.json" "100p" "centre"
    [] [0] [[0,0]] ["2",3] {} {"en":"x"} {"english":"x"} {"edge":2} {"count":1} {"kind":"city"}"""
ODD = st.sampled_from(ODD_JSON.split()).map(json.loads)


def spots(value: Any) -> list[tuple[Any, Any]]:
    """Every (container, key) of a JSON value."""
    found: list[tuple[Any, Any]] = []
    stack = [value]
    while stack:
        each = stack.pop()
        keys = list(each) if isinstance(each, dict) else range(len(each))
        for key in keys:
            found.append((each, key))
            if isinstance(each[key], (dict, list)):
                stack.append(each[key])
    return found


@settings(max_examples=50)
@given(st.data())
def test_fast_checker_agrees_with_jsonschema(data: st.DataObject) -> None:
    schema, sound = data.draw(st.sampled_from(samples()))
    value = copy.deepcopy(sound)
    for _ in range(data.draw(st.integers(1, 3))):
        places = spots(value)
        if not places:
            break
        container, key = places[data.draw(st.integers(0, len(places) - 1))]
        match data.draw(st.sampled_from(["replace", "remove", "add"])):
            case "remove":
                del container[key]
            case "add" if isinstance(container, dict):
                container[
                    data.draw(st.sampled_from(["x", "count", "faces", "57", "Z9", "two words"]))
                ] = data.draw(ODD)
            case _:
                container[key] = data.draw(ODD)
    accepted = _validator(schema).is_valid(value)
    assert quick_check(schema)(value) is accepted
    assert (schema_problems(value, schema, nowhere) == ()) is accepted


def test_a_keyword_the_fast_checker_does_not_know_is_an_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from platelayer.definitions import schemas as quick

    monkeypatch.setattr(quick, "raw_schema", lambda _: {"type": "object", "dependentRequired": {}})
    with pytest.raises(KeyError, match="dependentRequired"):
        quick.quick_check.__wrapped__("anything")


def test_no_more_problems_than_can_be_read() -> None:
    title = {"format": "platelayer.title/1", "id": "x", "name": "X", "credits": [7] * 30}
    title["players"] = {
        str(number): {"cash": "1", "certificate_limit": "1"} for number in range(1, 21)
    }
    title["tiles"] = {str(number): "many" for number in range(500)}
    problems = schema_problems(title, "title", nowhere)
    assert len(problems) == MAX_PROBLEMS + 1
    assert problems[-1].code == "SC05"


# Fields that are described once: the schemas and the readers that follow from them


@pytest.mark.parametrize("name", FILES)
def test_schemas_are_those_of_the_model(name: str) -> None:
    assert schema_path(name).read_text("utf-8") == schema_text(name), "run `make schemas`"


@pytest.mark.parametrize(
    "path", [path for path in schema_paths() if path.name.split(".")[0] not in FILES], ids=str
)
def test_other_schemas_have_their_address_example_and_options(path: Path) -> None:
    assert path.read_text("utf-8") == handmade_text(path.name.split(".")[0]), "run `make schemas`"


class Signal(Struct, frozen=True, kw_only=True):
    """A signal."""

    colour: Annotated[str, Meta(pattern="^[a-z]+$", title="a colour"), "Its colour."]
    arms: Annotated[tuple[Id, ...], Distinct(3), "Its arms."] = ()
    note: Annotated[Text | None, "A note."] = None


class Box(Struct, frozen=True, kw_only=True):
    """A signal box: a block that Platelayer does not have."""

    id: Key
    cost: Annotated[Money | None, "What it costs; null: nobody knows."]
    lit: Annotated[bool, "It is lit."] = False
    signals: Annotated[
        tuple[Signal, ...],
        Several(9, least=1),
        FlattenedIfSingle("a box"),
        "Its signals.",
    ]


Boxes = Annotated[tuple[Box, ...], ById(5), "Boxes by id."]


def test_a_field_is_written_in_one_place(monkeypatch: pytest.MonkeyPatch) -> None:
    raw = {
        "A": {"cost": None, "colour": "red", "note": {"en": "Main"}},
        "B": {
            "cost": 4,
            "lit": True,
            "signals": [{"colour": "red", "arms": ["x", "y"]}, {"colour": "green"}],
        },
    }
    one = Signal(colour="red", note=Text((("en", "Main"),)))
    two = (Signal(colour="red", arms=("x", "y")), Signal(colour="green"))
    boxes = (Box(id="A", cost=None, signals=(one,)), Box(id="B", cost=4, lit=True, signals=two))
    assert decode(Boxes, raw) == boxes
    monkeypatch.setitem(FILES, "boxes", File("Signal boxes.", Boxes, "boxes"))
    parts = json.loads(schema_text("boxes"))["$defs"]
    assert parts["block"]["maxProperties"] == 5
    assert parts["box"]["then"] == {"$ref": "#/$defs/box_of_several"}
    of_one = parts["box_of_one"]["properties"]
    assert list(of_one) == ["$comment", "cost", "lit", "colour", "arms", "note"]
    assert parts["box_of_one"]["required"] == ["cost", "colour"]
    assert of_one["cost"]["anyOf"][1] == {"type": "null"}
    assert of_one["lit"] == {"description": "It is lit.", "type": "boolean", "default": False}
    assert of_one["colour"] | {"description": ""} == {
        "title": "a colour",
        "description": "",
        "type": "string",
        "pattern": "^[a-z]+$",
    }
    assert of_one["arms"]["uniqueItems"] is True
    assert parts["box_of_several"]["properties"]["signals"]["minItems"] == 1
