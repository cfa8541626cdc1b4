"""Whatever characters a definition has: what `check` accepts is drawn and printed, and all else is
named by it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from platelayer.definitions.themes import drawable, load_theme
from platelayer.foundation.problems import Problem, ProblemsFound, has_errors
from platelayer.foundation.text import is_hidden
from platelayer.pipeline.build import build
from platelayer.pipeline.draw import draw
from platelayer.pipeline.job import BuildOptions
from platelayer.pipeline.load import check
from platelayer.pipeline.scaffold import new_title
from platelayer.scene.typeset import prepared

PLACES = (
    ("title.json", "/name"),
    ("title.json", "/subtitle"),
    ("title.json", "/credits/0"),
    ("title.json", "/phases/4/events/0"),
    ("title.json", "/market/zones/p/name"),
    ("title.json", "/market/movement/0"),
    ("title.json", "/pieces/rounds/0/name"),
    ("title.json", "/aids/turn/name"),
    ("title.json", "/aids/turn/sections/0/table/head/0"),
    ("title.json", "/aids/turn/sections/1/lines/0"),
    ("title.json", "/provenance/0/note"),
    ("title.json", "/variants/short/name"),
    ("title.json", "/variants/short/patch/name"),
    ("title.json", "/terms/cards~1phase"),
    ("companies.json", "/companies/NVR/name"),
    ("companies.json", "/companies/SVR/token_text"),
    ("map.json", "/map/name"),
    ("map.json", "/map/hexes/A3/name"),
    ("map.json", "/map/hexes/B2/name"),
    ("trains.json", "/trains/2/name"),
)
"""Texts of every part of a title that is printed: the file, and the pointer of the text."""
PRINTED = drawable(load_theme("classic"))
SPACES = "".join(filter(str.isspace, map(chr, range(0x20, 0x3001))))


def reworded(folder: Path, file: str, pointer: str, words: str) -> None:
    """Writes a starter with other words in one place."""
    if not folder.exists():
        new_title(folder)
        for path in folder.glob("*.json"):
            path.with_suffix(".start").write_bytes(path.read_bytes())
    for path in folder.glob("*.start"):
        path.with_suffix(".json").write_bytes(path.read_bytes())
    path = folder / file
    whole: Any = json.loads(path.read_text(encoding="utf-8"))
    whole.setdefault("terms", {}) if pointer.startswith("/terms") else None
    at: Any = whole
    *keys, last = (key.replace("~1", "/") for key in pointer.split("/")[1:])
    for key in keys:
        at = at[int(key)] if isinstance(at, list) else at[key]
    at[int(last) if isinstance(at, list) else last] = words
    path.write_text(json.dumps(whole), encoding="utf-8")


def printed(folder: Path, variant: str | None) -> tuple[Problem, ...]:
    """The errors of a print, of a picture of each kind and of an export."""
    found: list[Problem] = []
    options = BuildOptions(variant=variant)
    try:
        made = build(str(folder), options)
        found += made.problems
        assert made.pages
        for piece in ("charter:NVR", "certificate:SVR-director"):
            picture = draw(str(folder), piece, options)
            found += picture.problems
            ElementTree.fromstring(picture.svg())
            assert picture.png(dpi=20)
            assert picture.pdf()
    except ProblemsFound as error:
        found += error.problems
    return tuple(found)


def holds(folder: Path, file: str, pointer: str, words: str) -> None:
    """`check` and `build` agree about the words, and name all that cannot be printed of them."""
    reworded(folder, file, pointer, words)
    checked = check(str(folder))
    built = printed(folder, "short" if pointer.startswith("/variants") else None)
    assert has_errors(checked) == has_errors(built), (checked, built)
    assert "LG09" not in {each.code for each in (*checked, *built)}
    if any(
        each.code.startswith("SC") for each in checked
    ):  # a text that shows nothing, a placeholder that is none
        return
    missing = {
        *prepared(words),
        *prepared(words, capitals=True),
        *filter(is_hidden, words),
    } - PRINTED
    refused = [each for each in checked if each.code == "GL01"]
    assert bool(missing) == bool(refused)
    for each in refused:
        assert each.file.endswith(file)
        assert each.line
        assert each.hint
        assert all(f"U+{ord(char):04X}" in each.message for char in missing) or len(missing) > 8


anything = st.text(st.characters(codec="utf-8"), min_size=1, max_size=12)
known = st.text(st.sampled_from(sorted(PRINTED)), min_size=1, max_size=12)
marked = st.text(
    st.sampled_from("aeioAEIOαιυыЙがハ" + "".join(map(chr, range(0x300, 0x330)))),
    min_size=1,
    max_size=6,
)
words = st.one_of(known, anything, marked)


@pytest.mark.slow
@settings(max_examples=1500, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(place=st.sampled_from(PLACES), words=words)
def test_whatever_check_accepts_is_printed(
    tmp_path_factory: pytest.TempPathFactory, place: tuple[str, str], words: str
) -> None:
    holds(tmp_path_factory.getbasetemp() / "many-words", *place, words)
