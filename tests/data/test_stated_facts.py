"""Facts of the titles as their rulebooks state them, a line each in stated/<title>.json.

A fact `find`s values of a title by a path: fields, with `?field=value` (or `?field`) for some
entries of a tuple, `@id,id` for those of an id, `#0` for one by its place. It may `tell` fields of
what it finds, and says what that `is`, in the order of the title; or `by` a field, in an object; or
`every` one of them; or their `count`; or words that each `has`; or words in English and Japanese
("en", "ja") that all texts together have. Other facts are counts of the box (`totals`, also of one
piece), words of an `aid` ("*": of all) in both languages, what may replace a tile or hex
(`upgrades`: all that may, perhaps with all of their rotations) or only the `rotations` of pairs (a
number: one of them), and blocks whose source the `provenance` names. `in` names
the variants in which a fact holds, if it is not about the title by itself ("*": all, with that
one). `source` is the section of the rulebook, or says why.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from enum import Enum
from functools import reduce
from pathlib import Path
from typing import Any

import pytest
from facts import words_of
from msgspec import Struct

from looks.digests import TITLES
from looks.every_face import amounts
from platelayer.foundation.text import Text
from platelayer.model.gamemap import neighbour, opposite
from platelayer.model.manifest import build_manifest
from platelayer.model.title import Title
from platelayer.rules.graph import upgrade_graph
from platelayer.rules.text_rules import located_texts
from platelayer.scene.inks import contrast, ink_from_hex
from shipped import loaded, shipped

FOLDER = Path(__file__).parent / "stated"


def facts() -> Iterator[Any]:
    for path in sorted(FOLDER.glob("*.json")):
        for number, fact in enumerate(json.loads(path.read_text(encoding="utf-8")), 2):
            about = fact.get("find") or fact.get("aid") or next(iter(fact))
            yield pytest.param(path.stem, fact, id=f"{path.stem}.json:{number} {about}")


def plain(value: Any) -> Any:
    """A value of the model as JSON has it; a text in English."""
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Text):
        return value.get("en")
    if isinstance(value, Struct):
        return [plain(getattr(value, name)) for name in value.__struct_fields__]
    return [plain(each) for each in value] if isinstance(value, tuple) else value


def inner(value: Any, name: str) -> Any:
    if type(value) is tuple:
        return tuple(inner(each, name) for each in value)
    if value is None:
        return None
    return value.get(name) if isinstance(value, Text) else getattr(value, name)


def told(value: Any, field: str) -> Any:
    """A field of a value, or of each of several: "faces.price", "name.ja"."""
    return plain(reduce(inner, field.split("."), value))


def found(title: Title, path: str) -> list[Any]:
    values: list[Any] = [title]
    for step in path.split("/"):
        if step.startswith("@"):
            ids = step[1:].split(",")
            values = [each for each in values if each.id in ids]
        elif step.startswith("#"):
            values = [values[int(step[1:])]]
        else:
            name, _, condition = step.partition("?")
            values = [getattr(each, name) for each in values]
            values = [e for each in values for e in (each if type(each) is tuple else (each,))]
            field, _, wanted = condition.partition("=")
            values = [each for each in values if not condition or fits(told(each, field), wanted)]
    return values


def fits(value: Any, wanted: str) -> bool:
    if not wanted:
        return bool(value)
    return wanted in value if isinstance(value, list) else str(value) == wanted


def check_found(title: Title, fact: dict[str, Any]) -> None:
    values, fields = found(title, fact["find"]), fact.get("tell", "").split()
    rows = [[told(each, field) for field in fields] or [plain(each)] for each in values]
    stated = [row if len(row) > 1 else row[0] for row in rows]
    assert values
    if "by" in fact:
        keys = [str(told(each, fact["by"])) for each in values]
        assert dict(zip(keys, stated, strict=True)) == fact["is"]
    elif "is" in fact:
        assert stated == fact["is"]
    elif "every" in fact:
        assert [row for row in stated if row != fact["every"]] == []
    elif "has" in fact:
        assert [row for row in stated if fact["has"] not in row] == []
    else:
        assert len(values) == fact["count"]


def check_upgrades(title: Title, fact: dict[str, Any]) -> None:
    following = upgrade_graph(title).by_source
    turns = {
        source: {pair.to: [*pair.rotations] for pair in pairs}
        for source, pairs in following.items()
    }
    for source, wanted in fact.get("upgrades", {}).items():
        now = turns.get(source, {})
        assert (now if isinstance(wanted, dict) else set(now)) == (
            wanted if isinstance(wanted, dict) else set(wanted)
        ), source
    for pair, wanted in fact.get("rotations", {}).items():
        source, to = pair.split()
        assert wanted == turns[source][to] or wanted in turns[source][to], pair


@pytest.mark.parametrize(("title_id", "fact"), list(facts()))
def test_fact(title_id: str, fact: dict[str, Any]) -> None:
    variants = fact.get("in", [None])
    if variants == "*":
        variants = [None, *(each.id for each in shipped(title_id).variants)]
    for title in (shipped(title_id, variant) for variant in variants):
        if "totals" in fact:
            manifest = build_manifest(title)
            counts = {piece.key: piece.count for piece in manifest.pieces} | manifest.totals
            assert {key: counts.get(key) for key in fact["totals"]} == fact["totals"]
        elif fact.keys() & {"upgrades", "rotations"}:
            check_upgrades(title, fact)
        elif "provenance" in fact:
            subjects = {each.subject.partition("/")[0] for each in title.provenance}
            assert subjects >= {*fact["provenance"]}
        elif fact.keys() & {"en", "ja"}:
            for language in fact.keys() & {"en", "ja"}:
                words = fact[language]
                if "aid" in fact:
                    shown = words_of(title, fact["aid"], language)
                else:
                    texts = found(title, fact["find"])
                    shown = " ".join(each.get(language) or "" for each in texts)
                several = words if isinstance(words, list) else [words]
                assert [each for each in several if each not in shown] == []
        else:
            check_found(title, fact)


# Every shipped title with each of its variants: facts that hold of all


of_every_title = pytest.mark.parametrize("title_id", TITLES)


def variants(title_id: str) -> Iterator[tuple[str | None, Title]]:
    """The title as it is, and with each of its variants."""
    for variant in (None, *(each.id for each in shipped(title_id).variants)):
        yield variant, shipped(title_id, variant)


@of_every_title
def test_no_problem_is_found(title_id: str) -> None:
    for variant, _ in variants(title_id):
        assert loaded(title_id, variant).problems == (), variant


@of_every_title
def test_printed_track_meets_the_board(title_id: str) -> None:
    for variant, title in variants(title_id):
        for board in title.maps:
            for each in board.hexes:
                for edge in each.tile.exits:
                    beside = board.by_coord[neighbour(each.at, edge, board.layout)].tile
                    assert (
                        beside.colour == "white"
                        or not beside.exits
                        or opposite(edge) in beside.exits
                    ), (variant, board.id, each.id)


@of_every_title
def test_the_box_declares_what_the_definition_yields(title_id: str) -> None:
    for variant, title in variants(title_id):
        assert dict(title.pieces.box).items() <= build_manifest(title).totals.items(), variant


@pytest.mark.parametrize(("title_id", "least"), [("18eu", 3), ("1824", 3), ("lost-atlas", 2)])
def test_second_colours_stand_out(title_id: str, least: float) -> None:
    for company in shipped(title_id).companies:
        if company.has_charter and company.second:
            found = contrast(ink_from_hex(company.colour), ink_from_hex(company.second))
            assert found >= least, company.id


@of_every_title
def test_texts_write_money_as_the_currency_does_and_leave_no_brace(title_id: str) -> None:
    """1841 Lite once had L.10,900 and L2520 in one sentence. Braces stand for facts, which are
    filled in, but in templates."""
    for variant, title in variants(title_id):
        for at, text in located_texts(title):
            for _, words in text.forms:
                assert "{" not in words or "/terms/" in at, (variant, at)
                for written, right in amounts(title, words):
                    assert written == right, (variant, at)


@of_every_title
def test_english_has_no_signs_of_japanese_width(title_id: str) -> None:
    for variant, title in variants(title_id):
        english = [text.get("en") for _, text in located_texts(title) if text.has("en")]
        wide = [words for words in english if re.search("[\u3000-\u303f\uff00-\uffef]", words)]
        assert wide == [], variant
