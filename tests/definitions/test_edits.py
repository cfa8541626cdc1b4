"""Edits of JSON files: they change what they are about, and not one character more."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from platelayer.definitions.assemble import merge_patch, patch_between, says_all
from platelayer.definitions.build import build_tile, catalogue_tiles
from platelayer.definitions.decode import decode, encode
from platelayer.definitions.edits import LAST, renamed, with_value, without
from platelayer.definitions.schemas import quick_check
from platelayer.definitions.source import entries_at, value_begin, value_end
from platelayer.foundation.problems import join_pointer
from platelayer.model.gamemap import MapHex
from platelayer.model.tile import rotate_tile
from shipped import shipped

KEYS = st.sampled_from(["$comment", "", "name", "a/b", "~", "57", "京", 'with "quotes"', "{", ","])
WORDS = st.sampled_from(["", "x, y", "}]", "東京", "\\", '"', "é\n"])
LEAVES = st.none() | st.booleans() | st.integers(-999, 10**12) | WORDS
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=12,
)
CONTAINERS = st.dictionaries(KEYS, VALUES, max_size=4) | st.lists(VALUES, max_size=4)


@st.composite
def texts(draw: st.DrawFn) -> str:
    """JSON in some person's layout."""
    newline = draw(st.sampled_from(["\n", "\r\n"]))

    def gap() -> str:
        return draw(
            st.sampled_from(["", "", " ", f"{newline}  ", f" {newline}\t", f"{newline}{newline}"])
        )

    def quoted(value: Any) -> str:
        plain = json.dumps(value, ensure_ascii=draw(st.booleans()))
        if isinstance(value, str):
            return draw(st.sampled_from([plain, plain.replace("/", "\\/").replace("m", "\\u006d")]))
        return f"{value}.0e0" if type(value) is int and draw(st.booleans()) else plain

    def written(value: Any) -> str:
        if isinstance(value, dict):
            entries = (
                f"{quoted(key)}{gap()}:{gap()}{written(inner)}{gap()}"
                for key, inner in value.items()
            )
            return "{" + gap() + ("," + gap()).join(entries) + gap() + "}"
        if isinstance(value, list):
            return (
                "["
                + gap()
                + ("," + gap()).join(written(inner) + gap() for inner in value)
                + gap()
                + "]"
            )
        return quoted(value)

    return gap() + written(draw(CONTAINERS)) + gap()


def spans(text: str) -> dict[tuple[str, ...], tuple[int, int]]:
    """Where each value of a text begins and ends, by its path."""
    found: dict[tuple[str, ...], tuple[int, int]] = {}

    def walk(at: int, path: tuple[str, ...]) -> None:
        found[path] = at, value_end(text, at)
        for key, spot in entries_at(text, at):
            walk(spot.value, (*path, key))

    walk(value_begin(text), ())
    return found


def places(text: str) -> dict[tuple[str, ...], str]:
    """How each value of a text is written, by its path."""
    return {path: text[begin:end] for path, (begin, end) in spans(text).items()}


def containers(text: str) -> list[tuple[str, ...]]:
    return [path for path, written in places(text).items() if written[0] in "{["]


def value_at(value: Any, path: tuple[str, ...]) -> Any:
    for key in path:
        value = value[int(key)] if isinstance(value, list) else value[key]
    return value


def unchanged(before: str, after: str, path: tuple[str, ...]) -> None:
    """Every value that is neither around the changed one nor within it is written as it was."""
    now = places(after)
    for at, written in places(before).items():
        if at != path[: len(at)] and at[: len(path)] != path:
            assert now[at] == written, at


def alike(one: str, other: str) -> int:
    """How many characters two texts begin alike."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((number for number, (a, b) in pairs if a != b), min(len(one), len(other)))


def one_range(before: str, after: str, path: tuple[str, ...]) -> tuple[int, int, int]:
    """All outside one value is the same, byte by byte. Where the texts begin to differ, and where
    they end to."""
    start = alike(before, after)
    end = alike(before[start:][::-1], after[start:][::-1])
    begin, until = spans(before)[path]
    assert begin < start
    assert len(before) - end < until
    return start, len(before) - end, len(after) - end


@given(texts(), st.data(), VALUES)
def test_a_value_is_replaced_and_nothing_else(text: str, data: st.DataObject, value: Any) -> None:
    path = data.draw(st.sampled_from(list(places(text))))
    at = join_pointer(*path)
    after = with_value(text, at, value)
    assert value_at(json.loads(after), path) == value
    unchanged(text, after, path)
    begin = spans(text)[path]
    assert after.startswith(text[: begin[0]])
    assert after.endswith(text[begin[1] :])
    assert ("\r\n" in after) <= ("\r\n" in text)


@given(texts(), st.data(), VALUES)
def test_an_entry_is_added_behind_the_others(text: str, data: st.DataObject, value: Any) -> None:
    path = data.draw(st.sampled_from(containers(text)))
    holder = value_at(json.loads(text), path)
    keys = (
        [LAST]
        if isinstance(holder, list)
        else [key for key in ("new", "~", "name") if key not in holder]
    )
    key = data.draw(st.sampled_from(keys))
    after = with_value(text, join_pointer(*path, key), value)
    grown = value_at(json.loads(after), path)
    if isinstance(holder, list):
        assert grown == [*holder, value]
    else:
        assert list(grown.items()) == [*holder.items(), (key, value)]
    unchanged(text, after, (*path, key))
    start, end, _ = one_range(text, after, path)
    if holder:
        assert start == end, "something is put in, and nothing taken away"
        assert without(after, join_pointer(*path, str(len(holder)) if key == LAST else key)) == text


@given(texts(), st.data())
def test_an_entry_is_taken_away(text: str, data: st.DataObject) -> None:
    inner = [path for path in places(text) if path]
    if not inner:
        return
    path = data.draw(st.sampled_from(inner))
    after = without(text, join_pointer(*path))
    holder, left = value_at(json.loads(text), path[:-1]), value_at(json.loads(after), path[:-1])
    if isinstance(holder, list):
        assert left == [each for index, each in enumerate(holder) if index != int(path[-1])]
    else:
        assert list(left.items()) == [
            (key, each) for key, each in holder.items() if key != path[-1]
        ]
        unchanged(text, after, path)
    start, _, new_end = one_range(text, after, path[:-1])
    assert start == new_end, "one range goes, and nothing comes"


@given(texts(), st.data())
def test_a_key_is_renamed_in_its_place(text: str, data: st.DataObject) -> None:
    inner = [
        path
        for path in places(text)
        if path and isinstance(value_at(json.loads(text), path[:-1]), dict)
    ]
    if not inner:
        return
    path = data.draw(st.sampled_from(inner))
    holder = value_at(json.loads(text), path[:-1])
    after = renamed(text, join_pointer(*path), "neu")
    assert list(value_at(json.loads(after), path[:-1]).items()) == [
        ("neu" if key == path[-1] else key, each) for key, each in holder.items()
    ]
    unchanged(text, after, path)
    begin = next(
        spot.key for key, spot in entries_at(text, spans(text)[path[:-1]][0]) if key == path[-1]
    )
    assert after == text[:begin] + '"neu"' + text[value_end(text, begin) :]


@given(texts(), st.data(), VALUES)
def test_of_a_key_that_is_there_twice_nothing_is_changed(
    text: str, data: st.DataObject, value: Any
) -> None:
    inner = [
        path
        for path in places(text)
        if path and isinstance(value_at(json.loads(text), path[:-1]), dict)
    ]
    if not inner:
        return
    path = data.draw(st.sampled_from(inner))
    begin, end = spans(text)[path]
    double = f"{text[:begin]}{text[begin:end]}, {json.dumps(path[-1])}: 0{text[end:]}"
    at = join_pointer(*path)
    for edit, given_ in (
        (with_value, [value]),
        (without, []),
        (renamed, ["neu"]),
        (with_value, [value]),
    ):
        with pytest.raises(ValueError, match="twice"):
            edit(double, at, *given_)
    with pytest.raises(ValueError, match="twice"):
        with_value(double, f"{at}/x", value)


def test_new_entries_look_like_the_others() -> None:
    text = '{\r\n\t"hexes": {\r\n\t\t"A1": {},\r\n\t\t"B2": {"name": "X"}\r\n\t}\r\n}\r\n'
    after = with_value(text, "/hexes/C3", {"colour": "gray"})
    assert after == text.replace('"X"}\r\n', '"X"},\r\n\t\t"C3": {"colour": "gray"}\r\n')
    assert without(after, "/hexes/C3") == text
    assert with_value('{"a": [1, 2]}', "/a/-", 3) == '{"a": [1, 2, 3]}'
    assert with_value("{}", "/pieces/box/tile", 3) == '{"pieces": {"box": {"tile": 3}}}'
    long = with_value('{\n    "a": 1\n}', "/b", ["x" * 50] * 3)
    assert long.splitlines()[2:4] == ['    "b": [', f'        "{"x" * 50}",']


@pytest.mark.parametrize(("pointer", "edit"), [("/a/x", with_value), ("/b/7", with_value)])
def test_what_leads_nowhere_is_refused(pointer: str, edit: Any) -> None:
    with pytest.raises(KeyError):
        edit('{"a": 1, "b": []}', pointer, 2)


def test_what_is_not_there_can_neither_go_nor_be_renamed() -> None:
    with pytest.raises(KeyError):
        without('{"a": 1}', "/b")
    for text in ('{"a": 1}', '{"": 1}'):
        with pytest.raises(KeyError):
            without(text, "")
        with pytest.raises(KeyError):
            renamed(text, "", "b")
    with pytest.raises(ValueError, match="there is already"):
        renamed('{"a": 1, "b": 2}', "/a", "b")
    with pytest.raises(KeyError):
        renamed("[1]", "/0", "b")


def test_half_a_character_stays_an_escape() -> None:
    assert with_value("{}", "/a", ["\ud83d", "\U0001f682"]) == '{"a": ["\\ud83d", "\U0001f682"]}'
    assert renamed('{"a": 1}', "/a", "\udc00") == '{"\\udc00": 1}'


LONG = {"name": "x" * 90, "stops": [{"kind": "city", "revenue": 20}]}


@pytest.mark.parametrize(
    ("before", "value", "after"),
    [
        (  # each on a line, however long
            '{\n\t"A1": {"cost": 20},\n\t"A3": {}\n}',
            LONG,
            f'{{\n\t"A1": {{"cost": 20}},\n\t"A3": {{}},\n\t"new": {json.dumps(LONG)}\n}}',
        ),
        (  # each with a line for every key, however short
            '{\n    "A": {\n        "name": "a"\n    }\n}',
            {"name": "b", "h": [2]},
            '{\n    "A": {\n        "name": "a"\n    },\n    "new": {\n        "name": "b",\n        "h": [2]\n    }\n}',
        ),
        ('{"a":1,"b":[2]}', [3], '{"a":1,"b":[2],"new":[3]}'),
        ('{"a" : {"b": 1}}', {"c": 2}, '{"a" : {"b": 1}, "new" : {"c": 2}}'),
        (  # some have lines, some not: a line if it fits
            '{\n  "a": {\n    "b": 1\n  },\n  "c": {"d": 1}\n}',
            {"e": 1},
            '{\n  "a": {\n    "b": 1\n  },\n  "c": {"d": 1},\n  "new": {"e": 1}\n}',
        ),
        (  # they are not of one kind
            '{\n  "name": "a",\n  "b": [\n    1\n  ]\n}',
            [2],
            '{\n  "name": "a",\n  "b": [\n    1\n  ],\n  "new": [2]\n}',
        ),
    ],
)
def test_a_new_value_is_laid_out_as_those_beside_it(before: str, value: Any, after: str) -> None:
    assert with_value(before, "/new", value) == after
    as_list = with_value(f"[{json.dumps(LONG)}]", "/-", {"a": 1})
    assert "\n" not in as_list


# JSON merge patches


# RFC 7396, appendix A: original, patch, result.
RFC_7396 = [
    ('{"a":"b"}', '{"a":"c"}', '{"a":"c"}'),
    ('{"a":"b"}', '{"b":"c"}', '{"a":"b","b":"c"}'),
    ('{"a":"b"}', '{"a":null}', "{}"),
    ('{"a":"b","b":"c"}', '{"a":null}', '{"b":"c"}'),
    ('{"a":["b"]}', '{"a":"c"}', '{"a":"c"}'),
    ('{"a":"c"}', '{"a":["b"]}', '{"a":["b"]}'),
    ('{"a":{"b":"c"}}', '{"a":{"b":"d","c":null}}', '{"a":{"b":"d"}}'),
    ('{"a":[{"b":"c"}]}', '{"a":[1]}', '{"a":[1]}'),
    ('["a","b"]', '["c","d"]', '["c","d"]'),
    ('{"a":"b"}', '["c"]', '["c"]'),
    ('{"a":"foo"}', "null", "null"),
    ('{"a":"foo"}', '"bar"', '"bar"'),
    ('{"e":null}', '{"a":1}', '{"e":null,"a":1}'),
    ("[1,2]", '{"a":"b","c":null}', '{"a":"b"}'),
    ("{}", '{"a":{"bb":{"ccc":null}}}', '{"a":{"bb":{}}}'),
]

scalars = st.booleans() | st.integers(0, 9) | st.text(max_size=3)
objects = st.recursive(
    scalars,
    lambda inner: (
        st.dictionaries(st.sampled_from("abcd"), inner, max_size=4) | st.lists(inner, max_size=2)
    ),
)


@pytest.mark.parametrize(("original", "patch", "result"), RFC_7396)
def test_examples_of_the_rfc(original: str, patch: str, result: str) -> None:
    assert merge_patch(json.loads(original), json.loads(patch)) == json.loads(result)


@given(objects, objects)
def test_a_difference_applied_gives_the_new_value_and_leaves_the_old(old: Any, new: Any) -> None:
    kept, patch = copy.deepcopy(old), patch_between(old, new)
    assert merge_patch(old, patch) == new
    assert old == kept


with_nulls = st.recursive(
    scalars | st.none(),
    lambda inner: (
        st.dictionaries(st.sampled_from("abcd"), inner, max_size=4) | st.lists(inner, max_size=2)
    ),
)


@given(with_nulls, with_nulls)
def test_a_patch_that_says_all_gives_the_new_value_whatever_is_null(old: Any, new: Any) -> None:
    patch = patch_between(old, new)
    assert not says_all(patch) or merge_patch(old, patch) == new


@pytest.mark.parametrize(
    ("old", "new"), [({"a": 1}, {"a": None}), ({}, {"a": {"b": None}}), (1, None)]
)
def test_no_patch_makes_a_value_null(old: Any, new: Any) -> None:
    assert not says_all(patch_between(old, new))


@given(objects, objects)
def test_applying_twice_changes_nothing_more(old: Any, patch: Any) -> None:
    once = merge_patch(old, patch)
    assert merge_patch(once, patch) == once


# JSON of tiles and hexes: what is written is read again as the same


TITLES = ("18cz", "18eu", "1824", "1841")


def test_all_tiles_come_back() -> None:
    known = [entry.tile for title in TITLES for entry in shipped(title).tiles]
    for tile in (*catalogue_tiles(), *known):
        turned = rotate_tile(tile, 1)
        assert build_tile(tile.id, encode(turned)) == turned


def test_all_hexes_come_back() -> None:
    fits = quick_check("map", "/$defs/map_hex")
    for title in TITLES:
        for board in shipped(title).maps:
            for hexagon in board.hexes:
                written = encode(hexagon)
                assert fits(written), hexagon.id
                again = decode(MapHex, written, at=hexagon.at, tile=build_tile(hexagon.id, written))
                assert again == hexagon
