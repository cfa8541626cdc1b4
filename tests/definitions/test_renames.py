"""A rename is one change, wherever what goes by the name is named: references, variants, waivers,
provenance, texts."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from often import often
from platelayer.comparison.facts import RENAMED, compare_definitions
from platelayer.comparison.pairing import written_tile
from platelayer.definitions.references import nouns_by_path
from shipped import loaded

TITLES = ("18eu", "18cz", "1824", "1841", "lost-atlas")
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
    for name in TITLES:
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
