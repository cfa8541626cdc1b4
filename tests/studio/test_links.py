"""Links hold titles: nothing is lost, old links open, and what a starter shares costs nothing."""

from __future__ import annotations

import base64
import hashlib
import json
import zlib
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from platelayer.definitions.edits import laid_out, moved, with_value, without
from platelayer.definitions.titles import copied_files, starter_files
from platelayer.foundation.problems import CannotRun
from platelayer.foundation.resources import STARTS, asset_bytes, title_ids
from platelayer.studio import worker as links
from platelayer.studio.worker import link_of, title_of

# Made by the edition before links held differences.
FIRST = "eNqLVkorKk3NSC1S0lGoVirJLMlJ1csqzs9TslJQqo5RykvMTY0BsmOU3IoO7wEqi1GqjclTqo0FABoPE0k"
# Made by this edition; the start "small" may change, so only its own parts are compared.
SECOND = "AYsG7fkEz3XmgotKE1MjS0NLU0MTkEaURiok8KKVggsOLwFPogKjFtiHyC_Wr9ArLgPVITZASt8OWEYCAA"


def texts(base: str, name: str = "mine") -> dict[str, str]:
    files = starter_files(name, base) if base in STARTS else copied_files(base, name)
    return {path: data.decode() for path, data in files.items() if not path.startswith(".")}


@pytest.mark.parametrize("base", [*title_ids(), *STARTS])
def test_a_copy_of_a_starter_is_a_short_link(base):
    files = texts(base)
    link = link_of("mine", files)
    assert title_of(link) == ("mine", files, "")
    assert len(link) < 60


def test_a_change_of_a_starter_costs_little_and_leaves_its_layout():
    files = texts("18eu")
    files["map.json"] = with_value(files["map.json"], "/map/hexes/D5/name", "Elsewhere")
    files["map.json"] = moved(
        with_value(files["map.json"], "/map/hexes/Z9", {}), "/map/hexes/Z9", 3
    )
    files["companies.json"] = without(files["companies.json"], "/companies/BNR")
    link = link_of("mine", files)
    assert title_of(link).files == files
    assert len(link) < 150


NAMES = st.text(max_size=12)
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | NAMES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=6,
)


@st.composite
def changed(draw: st.DrawFn, value: Any) -> Any:
    """A value with entries removed, added, set, moved and changed at any depth."""
    if not isinstance(value, dict) or draw(st.integers(0, 9)) == 0:
        return draw(VALUES)
    entries = list(value.items())
    for _ in range(draw(st.integers(0, 3))):
        number = draw(st.integers(0, len(entries)))
        match draw(st.integers(0, 3)):
            case 0:
                entries.insert(number, (draw(NAMES), draw(VALUES)))
            case 1 if number < len(entries):
                del entries[number]
            case 2 if number < len(entries):
                key, old = entries[number]
                entries[number] = (key, draw(changed(old)))
            case 3 if number < len(entries):
                entries.insert(draw(st.integers(0, len(entries) - 1)), entries.pop(number))
    return dict(entries)


@settings(max_examples=15)
@given(st.data())
def test_nothing_is_lost_on_the_way(data):
    files = texts(data.draw(st.sampled_from(STARTS)))
    for path in data.draw(st.sets(st.sampled_from(sorted(files)))):
        if path.endswith(".json") and data.draw(st.booleans()):
            files[path] = laid_out(data.draw(changed(json.loads(files[path]))), step="  ")
        else:
            begin, end = sorted(data.draw(st.tuples(*2 * [st.integers(0, len(files[path]))])))
            files[path] = files[path][:begin] + data.draw(st.text(max_size=20)) + files[path][end:]
    for path in data.draw(st.sets(st.sampled_from(sorted(files)))):
        del files[path]
    files |= data.draw(st.dictionaries(NAMES, NAMES, max_size=2))
    assert title_of(link_of("mine", files)) == ("mine", files, "")


def test_links_of_earlier_editions_open():
    assert title_of(FIRST).files["title.json"] == '{"name": "Früher"}\n'
    second = title_of(SECOND)
    assert json.loads(second.files["title.json"])["name"] == "Später"
    assert second.files["logos/x.svg"] == "<svg/>"


def test_the_dictionary_of_links_never_changes():
    """Every link that is out there was made with it: a new dictionary is a new file and version."""
    assert (
        hashlib.sha256(asset_bytes("links", "1.txt")).hexdigest()
        == "77cb2bcb23c6e933a7e749b759a7d93822a050eafb0b880fcd8678d2d9856c30"
    )


def test_changes_stand_on_a_starter_that_has_changed(monkeypatch):
    files = texts("18eu")
    own = with_value(files["map.json"], "/map/hexes/D5", {"name": "Mine"})
    link = link_of("mine", files | {"map.json": own})
    newer = files | {"README.md": "newer"}
    monkeypatch.setattr(links, "_base", lambda base, name: newer)  # noqa: ARG005
    linked = title_of(link)
    assert linked.base == "18eu"
    assert linked.files["README.md"] == "newer"
    assert json.loads(linked.files["map.json"])["map"]["hexes"]["D5"] == {"name": "Mine"}


def packed(data: object) -> str:
    deflater = zlib.compressobj(9, wbits=-15, zdict=asset_bytes("links", "1.txt"))
    text = b"\1" + deflater.compress(json.dumps(data).encode()) + deflater.flush()
    return base64.urlsafe_b64encode(text).decode().rstrip("=")


@pytest.mark.parametrize(
    ("link", "words"),
    [
        ("", "incomplete"),
        ("?", "no title"),
        (FIRST[:40], "incomplete"),
        (SECOND[:-8], "incomplete"),
        (packed(["x", "gone", 0, {}]), "builds on 'gone'"),
        (packed(["x", "", 0, {"title.json": 4}]), "no title"),
        (packed(["x", "", 0, {"title.json": []}]), "no title"),
        (packed(["x", "small", 0, {"README.md": {"a": 1}}]), "no title"),
        (packed(["x", "small", 0, {"title.json": {"name": [1, "x"]}}]), "no title"),
        (packed(["x", "", 0, {"title.json": "x" * 5_000_000}]), "too large"),
    ],
)  # fmt: skip
def test_what_is_no_link_is_refused(link, words):
    with pytest.raises(CannotRun, match=words):
        title_of(link)
