"""Renumbering: every reference to a hex is found and rewritten, and nothing else changes."""

from __future__ import annotations

import copy
import json
import random
import re
import shutil
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from often import often
from platelayer.comparison.facts import RENAMED, compare_definitions
from platelayer.comparison.pairing import written_tile
from platelayer.definitions.references import HEX_PATHS, nouns_by_path
from platelayer.definitions.schemas import raw_schema
from platelayer.definitions.titles import read_title
from platelayer.foundation.problems import CannotRun
from platelayer.foundation.resources import title_path
from platelayer.pipeline.draw import draw
from platelayer.pipeline.scaffold import NewTitle, new_title, renumber_title
from platelayer.scene.shapes import Group, TextRun, Use
from shipped import loaded

TITLES = ["18cz", "1841", "18eu", "1824", "classic"]


def copied(title: str, folder: Path) -> Path:
    if title in ("small", "classic"):
        new_title(folder, title)
    else:
        shutil.copytree(title_path(title), folder)
    return folder


def contents(folder: Path) -> dict[str, Any]:
    return {path.name: json.loads(path.read_bytes()) for path in folder.glob("*.json")}


def without_origins(files: dict[str, Any]) -> dict[str, Any]:
    """Origins of maps may be written out where they were left to the default."""
    for value in files.values():
        for board in [value.get("map"), *value.get("maps", {}).values()]:
            if isinstance(board, dict):
                for key, usual in (("first_letter", "A"), ("first_number", 1)):
                    if board["coordinates"].get(key) == usual:
                        del board["coordinates"][key]
    return files


@pytest.mark.parametrize("title", often(TITLES, "18eu"))
def test_there_and_back_is_the_identity(title, tmp_path) -> None:
    folder = copied(title, tmp_path / "it")
    before = contents(folder)
    problems = [each.code for each in read_title(str(folder)).problems]
    names = sorted(name for _, name in hexes_of(folder))
    lowest = renumber_title(str(folder), "A1").names or dict(zip(names, names, strict=True))
    steps = random.Random(title)
    for _ in range(2):
        first = f"{steps.choice('aCKZ')}{steps.randrange(-9, 40)}"
        assert renumber_title(str(folder), first).count >= len(set(names))
    assert len({name for _, name in hexes_of(folder)}) == len(set(names))
    assert [each.code for each in read_title(str(folder)).problems] == problems
    back = next(iter(read_back(lowest)))
    renumber_title(str(folder), back)
    assert without_origins(contents(folder)) == without_origins(before)


def hexes_of(folder: Path) -> list[tuple[str, str]]:
    title = read_title(str(folder)).title
    return [(board.id, hexagon.id) for board in title.maps for hexagon in board.hexes]


def read_back(names: dict[str, str]) -> list[str]:
    """The first letter and number among coordinates."""
    letters = [name.rstrip("-0123456789") for name in names]
    numbers = [int(name[len(word) :]) for name, word in zip(names, letters, strict=True)]
    first = min(letters, key=lambda word: (word.isupper(), len(word), word))
    return [f"{first}{min(numbers)}"]


def test_every_place_at_which_the_schemas_name_a_hex_is_known() -> None:
    """The table of references against the schemas, so that a new field is not forgotten."""
    found = set()

    def walk(name: str, part: Any, path: tuple[str, ...]) -> None:
        if isinstance(part, list):
            for each in part:
                walk(name, each, path)
        if not isinstance(part, dict):
            return
        if "$ref" in part:
            file, _, pointer = part["$ref"].partition("#")
            other = file.removesuffix(".schema.json") or name
            if pointer == "/$defs/hex":
                found.add("/".join(path))
                return
            target: Any = raw_schema(other)
            for token in pointer.split("/")[1:]:
                target = target[token]
            if path.count("*") < 6 and len(path) < 12:
                walk(other, target, path)
        for key in ("anyOf", "oneOf", "allOf"):
            walk(name, part.get(key), path)
        for key, inner in part.get("properties", {}).items():
            walk(name, inner, (*path, key))
        for key in ("items", "additionalProperties"):
            walk(name, part.get(key), (*path, "*"))
        walk(name, part.get("prefixItems"), (*path, "*"))
        walk(name, part.get("propertyNames"), (*path, "~"))

    walk("title", raw_schema("title")["$defs"]["title"], ())
    known = set()
    for path in HEX_PATHS:
        expanded = [()]
        for step in path.split("/"):
            expanded = [(*before, each) for before in expanded for each in step.split("|")]
        known |= {"/".join(each) for each in expanded}
    assert found == known


def test_references_in_words_follow_and_prose_is_reported(tmp_path) -> None:
    folder = copied("small", tmp_path / "small")
    title = json.loads((folder / "title.json").read_bytes())
    title["waivers"] = [{"code": "MP05", "at": "B2", "reason": "A test."}]
    title["provenance"].append(
        {"subject": "/maps/main/hexes/B2", "source": "rulebook", "note": 'About "B2" alone.'}
    )
    title["variants"]["short"]["patch"] |= {"maps": {"main": {"hexes": {"C5": None}}}}
    title["upgrades"] = {"never_upgraded": ["hex:B2", "57"]}
    (folder / "title.json").write_text(json.dumps(title), "utf-8")
    made = renumber_title(str(folder), "B11")
    title = json.loads((folder / "title.json").read_bytes())
    assert title["waivers"][0]["at"] == "C12"
    assert title["provenance"][-1]["subject"] == "/maps/main/hexes/C12"
    assert title["upgrades"]["never_upgraded"] == ["hex:C12", "57"]
    assert list(title["variants"]["short"]["patch"]["maps"]["main"]["hexes"]) == ["D15"]
    companies = json.loads((folder / "companies.json").read_bytes())["companies"]
    assert companies["NVR"]["homes"] == [{"hex": "C12"}]
    assert {words for _, words in made.prose} == {
        "A river on the edge to C5: track across it costs 20.",
        'About "B2" alone.',
    }


@pytest.mark.parametrize("layout", ["flat", "pointy"])
def test_the_map_looks_as_before_but_for_its_coordinates(tmp_path, layout) -> None:
    folder = tmp_path / "map"
    new_title(folder, new=NewTitle(rows=3, columns=4, layout=layout, companies=2, tiles="1830"))

    def shapes() -> list[Any]:
        return flat(draw(str(folder), "map:main").scene)

    def flat(whole: Any, at: Any = ()) -> list[Any]:
        """Where everything but letters lies."""
        found: list[Any] = []
        for item in whole.items:
            if isinstance(item, (Group, Use)):
                inner = item.scene if isinstance(item, Use) else item
                found += flat(inner, (*at, item.matrix))
            elif not isinstance(item, TextRun):
                found.append((at, item))
        return found

    before = shapes()
    renumber_title(str(folder), "K20")
    assert len(before) > 12
    assert shapes() == before


@pytest.mark.parametrize(
    ("first", "words"),
    [
        ("x1y", "is not a coordinate"),
        ("", "is not a coordinate"),
        ("ZZ1", "beyond the possible letters"),
        ("A999", "beyond the possible numbers"),
    ],
)
def test_what_cannot_be_is_refused_and_nothing_written(tmp_path, first, words) -> None:
    folder = copied("small", tmp_path / "small")
    before = contents(folder)
    with pytest.raises(CannotRun, match=words):
        renumber_title(str(folder), first)
    assert contents(folder) == before


# A rename is one change, wherever what goes by the name is named: references, variants, waivers,
# provenance, texts


TITLES_TO_RENAME = ("18eu", "18cz", "1824", "1841", "lost-atlas")
KINDS = {"companies": "company", "privates": "private", "trains": "train", "phases": "phase", "maps": "map",
         "tiles": "tile"}  # fmt: skip


@cache
def _title(name: str) -> dict[str, Any]:
    value: dict[str, Any] = json.loads(json.dumps(loaded(name).assembled.value))
    return value


def _at(value: Any, steps: list[str], old: str, new: str) -> None:
    """Replace a name where a path of `nouns_by_path` leads."""
    step, *rest = steps
    if isinstance(value, dict):
        if step == "~":
            _key(value, old, new)
            return
        keys = [*value] if step == "*" else [key for key in step.split("|") if key in value]
    else:
        keys = [*range(len(value))] if isinstance(value, list) and step == "*" else []
    for key in keys:
        if rest:
            _at(value[key], rest, old, new)
        elif value[key] == old:
            value[key] = new


def _key(value: dict[str, Any], old: str, new: str) -> None:
    entries = [(new if key == old else key, part) for key, part in value.items()]
    value.clear()
    value.update(entries)


def _renamed(title: dict[str, Any], block: str, old: str, new: str) -> dict[str, Any]:
    """The title as an editor leaves it that renames everywhere: in texts only where nothing else
    can be meant."""
    after = copy.deepcopy(title)
    patches = [variant.get("patch", {}) for variant in after.get("variants", {}).values()]
    is_on_card = block == "trains" and old in [
        f["name"] for f in title[block][old].get("faces", [title[block][old]])
    ]
    for part in (after, *patches):
        if isinstance(part.get(block), dict):
            _key(part[block], old, new)
        for path, words in nouns_by_path().items():
            named = words.split(" or ")
            is_train = (
                "train" in named
                and old in part.get("trains", title.get("trains", {}))
                and block == "phases"
            )
            if KINDS[block] in named and not is_train and not is_on_card:
                _at(part, path.split("/"), old, new)
    if block == "tiles":  # the number was that of a tile of the catalogue
        own = after["tiles"][new]
        count = own if not isinstance(own, dict) else own["count"]
        after["tiles"][new] = {
            "count": count,
            "tile": written_tile(old, own),
            **(own if isinstance(own, dict) else {}),
        }
    word = re.compile(rf"(?<![A-Za-z0-9]){re.escape(old)}(?![A-Za-z0-9])")
    for entry in after.get("provenance", ()):
        if entry["subject"].split("/")[0] in ("", block):
            entry["subject"] = word.sub(new, entry["subject"])
    if re.fullmatch("[A-Za-z]{2,}", old):
        for entry in after.get("waivers", ()):
            entry["at"] = word.sub(new, entry["at"]) if "at" in entry else "*"
        after["aids"] = json.loads(word.sub(new, json.dumps(after.get("aids", {}))))
    return after


def _ids() -> Iterator[tuple[str, str, str]]:
    for name in TITLES_TO_RENAME:
        for block in KINDS:
            yield from ((name, block, key) for key in _title(name).get(block) or {})


CASES = [*_ids()]


@pytest.mark.parametrize(("name", "block", "old"), often(CASES, *CASES[::12]))
def test_a_rename_is_one_change(name: str, block: str, old: str) -> None:
    before, new = _title(name), f"{old}X"
    after = _renamed(before, block, old, new)
    facts = compare_definitions(before, after).facts
    assert [(fact.what, fact.at) for fact in facts] == [(RENAMED, (block, new))]


def test_what_changes_beside_a_rename_is_reported() -> None:
    before = _title("1841")
    after = _renamed(before, "companies", "SB", "SBX")
    after["companies"]["SBX"]["stations"] = [0, 40]
    variant = next(
        key
        for key, entry in after["variants"].items()
        if "SBX" in (entry["patch"].get("companies") or {})
    )
    after["variants"][variant]["patch"]["companies"]["SBX"] = {"float_percent": 30}
    stated = [(fact.what, fact.at[:3]) for fact in compare_definitions(before, after).facts]
    assert stated[0] == (RENAMED, ("companies", "SBX"))
    assert {at[0] for _, at in stated[1:]} == {"companies", "variants"}
    assert {at for what, at in stated[1:] if at[0] == "variants"} == {
        ("variants", variant, "patch")
    }
    assert len(stated) < 8
