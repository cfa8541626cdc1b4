"""SVG files of titles: what they draw, and what is refused by name and line."""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from often import often
from platelayer.definitions.pictures import MAX_BYTES, read_svg, write_svg
from platelayer.definitions.svg_tree import MAX_WORK, SvgError
from platelayer.definitions.titles import load_title, read_title
from platelayer.model.company import CURRENT, Layer
from refusals import refused

HEAD = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 100 50">\n'


def layers(inside: str) -> tuple[Layer, ...]:
    return read_svg(f"{HEAD}{inside}</svg>".encode(), "x").layers


def points(layer: Layer) -> list[float]:
    return [float(number) for command in layer.commands for number in command[1:]]


def test_a_picture_is_centred_and_its_longer_side_is_one() -> None:
    picture = read_svg(f'{HEAD}<rect width="100" height="50" fill="red"/></svg>'.encode(), "x")
    assert (picture.width, picture.height) == (1.0, 0.5)
    assert points(picture.layers[0]) == pytest.approx(
        [-0.5, -0.25, 0.5, -0.25, 0.5, 0.25, -0.5, 0.25]
    )
    assert picture.layers[0].fill == "#ff0000"


def test_a_picture_may_be_as_large_as_its_width_and_height_say() -> None:
    svg = b'<svg xmlns="http://www.w3.org/2000/svg" width="20mm" height="10mm"><path d="M0 0h9v9z"/></svg>'
    picture = read_svg(svg, "x")
    assert (picture.width, picture.height) == (1.0, 0.5)


@pytest.mark.parametrize(
    ("transform", "expected"),
    [
        ("translate(10)", (11, 0)),
        ("translate(10 5)", (11, 5)),
        ("scale(3)", (3, 0)),
        ("scale(-1, 2)", (-1, 0)),
        ("rotate(90)", (0, 1)),
        ("rotate(90, 1, 1)", (2, 1)),
        ("skewY(45)", (1, 1)),
        ("matrix(0 1 -1 0 5 5) translate(1,0)", (5, 7)),
    ],
)
def test_transforms_are_those_of_svg(transform: str, expected: tuple[float, float]) -> None:
    (layer,) = layers(f'<g transform="{transform}"><path d="M1 0L0 0"/></g>')
    x, y = points(layer)[:2]
    assert (x * 100 + 50, y * 100 + 25) == pytest.approx(expected)


def test_arcs_and_quadratic_curves_are_drawn_as_curves() -> None:
    (layer,) = layers('<path d="M0 25A25 25 0 0 1 50 25Q 75 0 100 25"/>')
    assert [command[0] for command in layer.commands] == ["M", "C", "C", "C"]
    top = layer.commands[1]
    assert (float(top[5]), float(top[6])) == pytest.approx((-0.25, -0.25))


def test_styles_come_from_attributes_sheets_and_declarations_in_that_order() -> None:
    drawn = layers(
        "<style>circle, .a { fill: #010203 } .b { fill: lime; stroke: rgb(0, 0, 255); stroke-width: 2px }"
        " #c { fill: none }</style>"
        '<circle r="5" fill="red"/><rect class="a b" width="9" height="9"/>'
        '<rect class="b" style="fill: #abc" width="9" height="9"/><g id="c" stroke="currentColor">'
        '<line x1="0" y1="0" x2="9" y2="9" stroke-linecap="round" stroke-dasharray="2 1"/></g>'
    )
    assert [layer.fill for layer in drawn] == ["#010203", "#00ff00", "#aabbcc", None]
    assert [layer.stroke for layer in drawn] == [None, "#0000ff", "#0000ff", CURRENT]
    assert drawn[1].width == pytest.approx(0.02)
    assert drawn[3].cap == "round"
    assert drawn[3].dash == pytest.approx((0.02, 0.01))


def test_strokes_grow_with_their_shapes() -> None:
    (layer,) = layers(
        '<g transform="scale(4)"><path d="M0 0h9" stroke="black" stroke-width="2" fill="none"/></g>'
    )
    assert layer.width == pytest.approx(0.08)


def test_what_is_hidden_is_left_out_and_notes_of_programs_are_read_over() -> None:
    drawn = layers(
        '<defs><linearGradient id="unused"/><circle id="dot" r="1"/></defs><metadata>by hand</metadata>'
        '<g display="none"><text>hidden</text></g><rect width="9" height="9" visibility="hidden"/>'
        '<rect width="9" height="9" opacity="0"/><path d="M0 0h9" fill="none"/>'
        '<x:guide xmlns:x="urn:x"/><use xlink:href="#dot" x="5"/>'
    )
    assert len(drawn) == 1
    assert math.isclose(max(points(drawn[0])[::2]), (6 - 50) / 100)


@pytest.mark.parametrize(
    ("inside", "line", "words"),
    [
        ("<script>alert(1)</script>", 2, "<script> may run or load something"),
        (
            '<rect width="9" height="9" onclick="x()"/>',
            2,
            'the attribute "onclick" of <rect> runs a script',
        ),
        ('<use xlink:href="other.svg#a"/>', 2, "refers to something outside the file"),
        ('<image href="data:image/png;base64,AA"/>', 2, "refers to something outside the file"),
        ("<foreignObject/>", 2, "<foreignObject> may run or load something"),
        ("\n<text>PRR</text>", 3, "<text> cannot be drawn"),
        (
            '<rect width="9" height="9" fill="url(#g)"/>',
            2,
            "gradients and patterns cannot be printed in flat inks",
        ),
        (
            '<rect width="9" height="9" opacity=".5"/>',
            2,
            "<rect> is half transparent (opacity 0.5)",
        ),
        (
            '<rect width="9" height="9" fill="#ff000080"/>',
            2,
            "the fill of <rect> is half transparent",
        ),
        (
            '<rect width="9" height="9" fill="blurple"/>',
            2,
            'fill "blurple" of <rect> is not a colour',
        ),
        (
            '<rect width="9" height="9" clip-path="url(#c)"/>',
            2,
            "clip-path of <rect> cannot be printed",
        ),
        ('<rect width="9em" height="9"/>', 2, 'width="9em" of <rect>: "em" is not a length'),
        (
            '<path d="M0"/>',
            2,
            'the data of a <path> cannot be read: "M0" is wrong: M takes 2 numbers',
        ),
        ('<g transform="twist(5)"/>', 2, 'transform "twist(5)" of <g> cannot be read'),
        ('<use href="#gone"/>', 2, '<use> refers to "#gone", which is not in the file'),
        (
            '<g id="a"><use href="#a"/></g>',
            2,
            '<use> refers to "#a", which is not in the file or is round itself',
        ),
        ('<path d="M0 0L1e999 5"/>', 2, "a number after L is beyond 1e+09"),
        ('<path d="M0 0L1e6 5"/>', 2, "<path> reaches far beyond the picture"),
        (
            '<g transform="scale(1e200)"><rect width="9" height="9"/></g>',
            2,
            "1e200 is beyond 1e+09",
        ),
        (
            '<g transform="scale(1e9)"><g transform="scale(1e9)"/></g>',
            2,
            "<g> is moved or enlarged by more than 1e+09",
        ),
        ('<g transform="skewX(90)"/>', 2, "<g> is moved or enlarged by more than 1e+09"),
        ("<style>@import 'x.css';</style>", 2, "@import cannot be read"),
        ("<style>g > rect { fill: red }</style>", 2, 'the selector "g > rect" cannot be read'),
        ("<g>" * 60 + "</g>" * 60, 2, "elements are nested more than 40 deep"),
        ('<rect width="1" height="1"/>' * 2300, 2, "the drawing is too detailed"),
        ('<path d="M0 0' + "h.001" * 35_001 + '"/>', 2, "the drawing is too detailed"),
        ("", 1, "nothing in it is drawn"),
        ("<g>", 2, "the file is not XML: mismatched tag"),
    ],
)
def test_what_cannot_be_drawn_is_refused_by_name(inside: str, line: int, words: str) -> None:
    with pytest.raises(SvgError) as raised:
        layers(inside)
    assert raised.value.line == line
    assert words in raised.value.message


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "the file is not XML"),
        (b"\xff\xfe\x00", "the file is not XML"),
        (b"<html/>", "<html> is not an SVG picture"),
        (
            b'<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0h1"/></svg>',
            "the picture has no size",
        ),
        (b'<svg viewBox="0 0 0 5"/>', 'viewBox "0 0 0 5" is not'),
        (b" " * (MAX_BYTES + 1), "the file has more than 1 MB"),
        (
            b'<!DOCTYPE svg [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><svg viewBox="0 0 1 1">&b;</svg>',
            "entities",
        ),
        (
            b'<!DOCTYPE svg [<!ENTITY a SYSTEM "file:///etc/passwd">]><svg viewBox="0 0 1 1">&a;</svg>',
            "entities",
        ),
        (b'<?xml version="1.0" encoding="klingon"?><svg/>', "the file is not XML"),
    ],
)
def test_what_is_no_picture_is_refused(data: bytes, words: str) -> None:
    with pytest.raises(SvgError) as raised:
        read_svg(data, "x")
    assert words in raised.value.message


def title_with(folder: Path, pictures: str) -> Path:
    (folder / "title.json").write_text(
        '{"format": "platelayer.title/1", "id": "x", "name": "X",\n "pictures": ' + pictures + "}",
        encoding="utf-8",
    )
    return folder


def test_a_faulty_picture_is_reported_with_its_own_file_and_line(tmp_path: Path) -> None:
    (tmp_path / "bad.svg").write_text(f"{HEAD}\n<text>A</text></svg>", encoding="utf-8")
    (problem,) = refused(load_title, title_with(tmp_path, '{"bad": "bad.svg"}'))
    assert (problem.code, problem.file, problem.line) == ("PI01", str(tmp_path / "bad.svg"), 3)
    assert problem.message == 'picture "bad": <text> cannot be drawn'
    assert problem.hint == "turn text into paths"


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("../wheat.svg", "leads out of the title folder"),
        ("/etc/wheat.svg", "leads out of the title folder"),
        ("weat.svg", 'there is no file "weat.svg" in the title folder'),
    ],
)
def test_a_picture_is_a_file_in_the_folder(tmp_path: Path, path: str, words: str) -> None:
    (tmp_path / "art").mkdir()
    (tmp_path / "art" / "wheat.svg").write_text(f"{HEAD}</svg>", encoding="utf-8")
    (problem,) = refused(load_title, title_with(tmp_path, '{"wheat": "' + path + '"}'))
    assert (problem.code, problem.line) == ("RF08", 2)
    assert words in problem.message
    assert problem.hint


def test_a_link_to_a_file_outside_the_folder_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "title"
    folder.mkdir()
    (tmp_path / "secret.svg").write_text(
        f'{HEAD}<rect width="9" height="9"/></svg>', encoding="utf-8"
    )
    (folder / "a.svg").symlink_to(tmp_path / "secret.svg")
    assert [
        problem.code for problem in refused(load_title, title_with(folder, '{"a": "a.svg"}'))
    ] == ["RF08"]


def words(inside: str) -> list[tuple[float, float, float, float, str | None]]:
    """Left, top, right and bottom of each letter in units of the file, and its ink."""
    picture = read_svg(f"{HEAD}{inside}</svg>".encode(), "x", set_text=True)
    found = []
    for layer in picture.layers:
        numbers = points(layer)
        xs, ys = numbers[::2], numbers[1::2]
        box = (min(xs), min(ys), max(xs), max(ys))
        found.append((*(100 * at + (50, 25)[side % 2] for side, at in enumerate(box)), layer.fill))
    return found


def test_words_are_set_where_they_stand_if_that_is_wanted() -> None:
    first, second = words(
        '<text x="10" y="40" font-size="20" fill="red">H<tspan fill="blue" dy="-10">H</tspan></text>'
    )
    assert 10 < first[0] < 12
    assert first[3] == pytest.approx(40)
    assert second[3] == pytest.approx(30)
    assert second[0] > first[2]
    assert (first[4], second[4]) == ("#ff0000", "#0000ff")
    with pytest.raises(SvgError, match="cannot be drawn"):
        layers('<text x="10" y="40">H</text>')


@pytest.mark.parametrize(("anchor", "middle"), [("start", 60), ("middle", 50), ("end", 40)])
def test_words_are_set_by_their_anchor(anchor: str, middle: float) -> None:
    letters = words(
        f'<text x="50" y="50%" font-size="20" text-anchor="{anchor}" dominant-baseline="middle">HH</text>'
    )
    assert (letters[0][0] + letters[-1][2]) / 2 == pytest.approx(middle, abs=4)
    assert (letters[0][1] + letters[0][3]) / 2 == pytest.approx(25, abs=0.1)


def test_blanks_behind_words_move_nothing() -> None:
    bare, blank = (
        words(f'<text x="50" y="40" text-anchor="middle">{text}</text>')
        for text in ("HH", "\n HH\n  ")
    )
    assert bare == blank


@pytest.mark.parametrize(
    ("inside", "stated"),
    [
        ('<text x="1 5 9" y="9">HHH</text>', "one by one"),
        ('<text y="9" textLength="30">H</text>', "one by one"),
        ('<text y="9" style="font: bold 12px sans-serif">H</text>', "is not read"),
        ('<text y="9" font-size="50%">H</text>', "font-size"),
        ('<text y="9">H<tspan opacity="0.5">H</tspan></text>', "half transparent"),
    ],
)
def test_words_that_would_be_set_otherwise_are_refused(inside: str, stated: str) -> None:
    with pytest.raises(SvgError, match=stated):
        words(inside)


def test_words_that_are_not_shown_are_not_set() -> None:
    assert len(words('<text y="9">H<tspan display="none">H</tspan></text>')) == 1


def test_percentages_are_shares_of_the_picture() -> None:
    (circle,) = layers('<circle cx="50%" cy="50%" r="50%"/>')
    assert max(points(circle)) == pytest.approx(math.hypot(100, 50) / math.sqrt(2) / 2 / 100)


def test_a_written_picture_is_read_as_it_was() -> None:
    picture = read_svg(
        f'{HEAD}<path d="M0 0h50v25z" fill="none" stroke="red" stroke-width="3" stroke-dasharray="4 2"/>'
        '<rect width="9" height="9" fill="currentColor" fill-rule="evenodd"/></svg>'.encode(), "x")  # fmt: skip
    again = read_svg(write_svg(picture), "x")
    assert (again.width, again.height) == (picture.width, picture.height)
    for one, other in zip(picture.layers, again.layers, strict=True):
        assert min(points(one)) == pytest.approx(min(points(other)), abs=1e-5)
        assert max(points(one)) == pytest.approx(max(points(other)), abs=1e-5)
        assert (one.fill, one.stroke, one.cap, one.even_odd) == (
            other.fill,
            other.stroke,
            other.cap,
            other.even_odd,
        )


# SVG files made to cost time or memory, or to break what reads them: each is read or refused,
# quickly


SECONDS = 6.0
"""Of processor time: ten times what the slowest takes on a machine that does nothing else."""

SPACES = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
RECT = '<rect width="9" height="9"/>'
MANY = 250_000


def svg(inside: str, more: str = "") -> str:
    return f'<svg {SPACES} viewBox="0 0 100 50"{more}>{inside}{RECT}</svg>'


def filled(before: str, unit: str, after: str) -> str:
    """A picture as large as is read, of a unit again and again between two ends."""
    room = MAX_BYTES - len(svg(before + after)) - 10
    return svg(before + unit * (room // len(unit)) + after)


def numbered(unit: str, count: int) -> str:
    return "".join(unit % number for number in range(count))


def doubling(levels: int, inner: str = "") -> str:
    """Groups that use the next one twice, and the last nothing that is seen."""
    groups = "".join(
        f'<g id="a{k}"><use href="#a{k + 1}"/><use href="#a{k + 1}"/></g>' for k in range(levels)
    )
    return svg(f'<defs>{groups}<g id="a{levels}">{inner}</g></defs><use href="#a0"/>')


HOSTILE: dict[str, str | bytes] = {
    "blanks before a transform": filled('<g transform="', " ", 'x"/>'),
    "blanks after a transform": filled('<g transform="scale(1)', " ", 'x"/>'),
    "blanks in a transform": filled('<g transform="scale(1', " ", 'x)"/>'),
    "commas in a transform": filled('<g transform="', ",", 'x"/>'),
    "many transforms": filled('<g transform="', "scale(1)", '"/>'),
    "transforms not closed": filled('<g transform="', "scale(", '"/>'),
    "a transform used often": svg(
        f'<g id="a" transform="{"scale(1)" * 14_000}"/>' + '<use href="#a"/>' * 7000
    ),
    "digits of a length": filled('<rect height="9" width="', "1", 'x"/>'),
    "digits of a length, nothing else": filled('<rect height="9" width="', "1", '"/>'),
    "zeros of a length": filled('<rect height="9" width="', "0", 'x"/>'),
    "a fraction": filled('<rect height="9" width=".', "1", 'x"/>'),
    "an exponent": filled('<rect height="9" width="1e', "1", 'x"/>'),
    "blanks round a length": filled('<rect height="9" width="', " ", 'x"/>'),
    "digits of an opacity": filled('<g opacity="', "1", 'x"/>'),
    "digits of a viewBox": svg("").replace("0 0 100 50", "1" * MANY),
    "digits of points": filled('<polygon points="', "1", 'x"/>'),
    "signs of points": filled('<polygon points="', "-", '"/>'),
    "points": filled('<polygon points="', "0 ", '"/>'),
    "selectors times declarations": svg(
        f"<style>{'ab,' * 40_000}ab{{{'fill:red;' * 12_000}}}</style>"
    ),
    "classes of an element that is used often": svg(
        f'<g id="a" class="{"a " * 60_000}"/>' + '<use href="#a"/>' * 7000
    ),
    "a style that is used often": svg(
        f'<g id="a" style="{"fill:red;" * 13_000}"/>' + '<use href="#a"/>' * 7000
    ),
    "braces": filled("<style>", "a{", "</style>"),
    "braces without names": filled("<style>", "{", "</style>"),
    "parentheses in a sheet": filled("<style>a{fill:", "(", "</style>"),
    "brackets that close otherwise": filled("<style>a{fill:", "(}]", "</style>"),
    "brackets beside comments": filled("<style>a{fill:", "(/*)*/", "</style>"),
    "brackets beside quotes": filled("<style>a{fill:", "(')'", "</style>"),
    "comments not closed": filled("<style>", "/*", "</style>"),
    "quotes": filled("<style>", "\"'", "</style>"),
    "quotes and lines": filled("<style>", '"\n', "</style>"),
    "backslashes": filled("<style>", "\\", "</style>"),
    "half characters": filled("<style>.", "\\d800 ", "{}</style>"),
    "addresses": filled("<style>", "url( ", "</style>"),
    "declarations without values": filled("<style>a{", "a:;", "}</style>"),
    "declarations without colons": filled("<style>a{", "a;", "}</style>"),
    "rules": filled("<style>", "a{}", "</style>"),
    "a sheet in pieces": filled("<style>", "a<!---->", "{}</style>"),
    "a style with parentheses": svg('<g style="fill:((((" />'),
    "a style with many parentheses": filled('<g style="fill:', "(", '"/>'),
    "a style with braces": svg('<g style="{{{{"/>'),
    "a number of a style": filled('<g style="fill:', "1", '"/>'),
    "a fill of parentheses": filled('<rect width="9" height="9" fill="', "(", '"/>'),
    "a fill of digits": svg(f'<rect width="9" height="9" fill="rgb({"1" * 400},0,0)"/>'),
    "a fill of more digits": svg(f'<rect width="9" height="9" fill="rgb({"1" * 5000},0,0)"/>'),
    "a hue of digits": svg(f'<rect width="9" height="9" fill="hsl({"1" * 400},50%,50%)"/>'),
    "a hue without end": svg('<rect width="9" height="9" fill="hsl(1e999,50%,1e999%)"/>'),
    "arcs of zeros": filled('<path d="M0 0A', "0", '"/>'),
    "arcs of flags": filled('<path d="M0 0A1 1 0 ', "1", '"/>'),
    "arcs of signs": filled('<path d="M0 0A', "-", '"/>'),
    "arcs": filled('<path d="M0 0', "a1 1 0 011 1", '"/>'),
    "arcs without width": filled('<path d="M0 0', "a1e-300 1 9 011 1", '"/>'),
    "an arc turned without end": svg('<path d="M0 0a1 1 1e999 01 1 1"/>'),
    "digits of a path": filled('<path d="M0 0L', "1", ' 5"/>'),
    "blanks of a path": filled('<path d="M0 0L', " ", 'x"/>'),
    "short commands": filled('<path d="M0 0', "h1", '"/>'),
    "a path without beginning": filled('<path d="', "L1 1", '"/>'),
    "ends of paths": filled('<path d="M0 0', "z", '"/>'),
    "dashes without number": svg('<path d="M0 0h100" stroke="red" stroke-dasharray="1e-9"/>'),
    "dashes of nothing": svg('<path d="M0 0h100" stroke="red" stroke-dasharray="1e-300"/>'),
    "many kinds of dashes": filled(
        '<path d="M0 0h100" stroke="red" stroke-dasharray="', "1 ", '"/>'
    ),
    "dashes below zero": svg('<path d="M0 0h100" stroke="red" stroke-dasharray="2 -1"/>'),
    "dashes without end": svg('<path d="M0 0h100" stroke="red" stroke-dasharray="1e9"/>'),
    "a wide line": svg('<path d="M0 0h100" stroke="red" stroke-width="1e9"/>'),
    "uses that double": doubling(18),
    "uses that double what is hidden": doubling(18, '<rect display="none"/>'),
    "uses of uses": svg(numbered('<use id="a%d" href="#a0"/>', 6000)),
    "a use of itself": svg('<use id="a" href="#a"/>'),
    "uses round in circles": svg('<g id="a"><use href="#b"/></g><g id="b"><use href="#a"/></g>'),
    "a use of the whole": svg("", ' id="a"').replace(RECT, '<use href="#a"/>'),
    "uses of a symbol": svg(
        '<symbol id="a">' + RECT * 1000 + "</symbol>" + '<use href="#a"/>' * 1000
    ),
    "skewed beyond measure": svg('<g transform="skewX(1e999)"/>'),
    "skewed at a right angle": svg(f'<g transform="skewX(90)">{RECT}</g>'),
    "turned without end": svg('<g transform="rotate(1e999)"/>'),
    "huge matrices": svg('<g transform="scale(1e8)">' * 30 + "</g>" * 30),
    "tiny matrices": svg('<g transform="scale(1e-8)">' * 35 + RECT + "</g>" * 35),
    "a flat matrix": svg(f'<g transform="matrix(1 1 1 1 0 0)" stroke="red">{RECT}</g>'),
    "a picture of no size": svg("").replace("0 0 100 50", "0 0 1e-320 1e-320"),
    "a picture of every size": svg("").replace("0 0 100 50", "0 0 1e308 1e308"),
    "a picture far away": svg("").replace("0 0 100 50", "1e300 0 1 1"),
    "a picture like a thread": svg("").replace("0 0 100 50", "0 0 100 .0001"),
    "flat groups": filled("", "<g/>", ""),
    "deep groups": filled("", "<g>" * 38 + "</g>" * 38, ""),
    "groups without end": "<svg>" * 50_000,
    "attributes": svg("<g " + numbered('a%x="" ', 22_000) + "/>"),
    "a long name": svg(f"<{'a' * MANY}/>"),
    "a long attribute": svg(f'<g {"a" * MANY}=""/>'),
    "a long attribute that would run": svg(f'<g on{"a" * MANY}=""/>'),
    "namespaces": svg("<g " + numbered('xmlns:a%x="b" ', 12_000) + ">" + "<g/>" * 1000 + "</g>"),
    "elements of a long namespace": svg(numbered("<a:b%x/>", 9000), f' xmlns:a="{"u" * 120_000}"'),
    "attributes of a long namespace": svg(
        "<g " + numbered('a:b%x="" ', 9000) + "/>", f' xmlns:a="{"u" * 120_000}"'
    ),
    "a prefix of nothing": svg("<a:b/>"),
    "attributes by default": f'<!DOCTYPE svg [<!ATTLIST g a CDATA "{"u" * 120_000}">]>'
    + svg("<g/>" * 25_000),
    "entities": f'<!DOCTYPE svg [<!ENTITY a "{"u" * 120_000}">]>'
    + svg("<style>" + "&a;" * 25_000 + "</style>"),
    "models of elements": f"<!DOCTYPE svg [<!ELEMENT a {'(' * 100_000}a{')' * 100_000}>]>"
    + svg(""),
    "an entity of elsewhere": '<!DOCTYPE svg SYSTEM "x.dtd">' + svg("&a;"),
    "comments": filled("", "<!---->", ""),
    "instructions": filled("", "<?a?>", ""),
    "blanks in UTF-16": svg(f'<g transform="{" " * 100_000}x"/>').encode("utf-16"),
    "UTF-16 without a mark": svg("").encode("utf-16-le"),
    "an encoding of several bytes": b"<?xml version='1.0' encoding='shift_jis'?>"
    + svg("").encode(),
    "an encoding that is none": b"<?xml version='1.0' encoding='rot13'?>" + svg("").encode(),
    "an encoding that fails": b"<?xml version='1.0' encoding='undefined'?>" + svg("").encode(),
    "an old encoding": b"<?xml version='1.0' encoding='latin-1'?>"
    + svg("<title>\xe9</title>").encode("latin-1"),
    "zeros": b"\0" * MAX_BYTES,
    "angles": b"<" * MAX_BYTES,
}


@pytest.mark.parametrize("data", often(HOSTILE, *list(HOSTILE)[::4]))
def test_it_is_read_or_refused_in_a_moment(data: str | bytes) -> None:
    file = data.encode() if isinstance(data, str) else data
    assert len(file) <= MAX_BYTES
    began = time.process_time()
    stated, picture = "", None
    try:
        picture = read_svg(file, "x")
    except SvgError as error:
        stated = error.message
    assert time.process_time() - began < SECONDS
    assert 0 < len(stated) < 300 or picture is not None
    layers = picture.layers if picture is not None else ()
    assert all(
        abs(number) <= 20 for layer in layers for number in (layer.width, *_points(layer.commands))
    )
    assert all(0 <= number <= 1000 for layer in layers for number in layer.dash)


def _points(commands: tuple[tuple[str | float, ...], ...]) -> Iterator[float]:
    return (float(number) for command in commands for number in command[1:])


LIMITED = """
import resource, sys
from platelayer.definitions.pictures import read_svg
from platelayer.definitions.svg_tree import SvgError
room = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize() + 300 * 2**20
resource.setrlimit(resource.RLIMIT_AS, (room, room))
try:
    read_svg(sys.stdin.buffer.read(), "x")
except SvgError:
    pass
"""


@pytest.mark.skipif(sys.platform != "linux", reason="memory is limited through Linux's /proc")
@pytest.mark.parametrize(
    "name",
    [
        "elements of a long namespace",
        "attributes of a long namespace",
        "attributes by default",
        "entities",
        "braces",
    ],
)
def test_it_takes_a_thousand_times_its_size_at_most(name: str) -> None:
    data = HOSTILE[name]
    file = data.encode() if isinstance(data, str) else data
    command, environment = (
        [sys.executable, "-c", LIMITED],
        {"PYTHONPATH": os.pathsep.join(sys.path)},
    )
    done = subprocess.run(command, input=file, env=environment, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr[-500:]


def folder_of(folder: Path, count: int, data: str) -> Path:
    """A title with pictures of that content, each in a file of its own."""
    for number in range(count):
        (folder / f"{number}.svg").write_text(data, encoding="utf-8")
    pictures = {f"p{number}": f"{number}.svg" for number in range(count)}
    title = {"format": "platelayer.title/1", "id": "x", "name": "X", "pictures": pictures}
    (folder / "title.json").write_text(json.dumps(title), encoding="utf-8")
    return folder


def test_all_pictures_of_a_title_share_a_budget(tmp_path: Path) -> None:
    heavy = svg(f'<path d="M0 0{"h.001" * 30_000}"/>')
    found = [
        problem
        for problem in refused(load_title, folder_of(tmp_path, 30, heavy))
        if problem.code == "PI01"
    ]
    assert 10 < len(found) < 20
    assert all("together they take more than" in problem.message for problem in found)


def test_a_file_that_several_pictures_share_is_read_once(tmp_path: Path) -> None:
    folder = folder_of(tmp_path, 1, svg(f'<path d="M0 0{"h.001" * 30_000}"/>'))
    title = json.loads((folder / "title.json").read_text())
    title["pictures"] = {f"p{number}": "0.svg" for number in range(40)}
    (folder / "title.json").write_text(json.dumps(title), encoding="utf-8")
    pictures = load_title(folder).title.pictures
    assert [picture.id for picture in pictures] == list(title["pictures"])
    assert len({id(picture.layers) for picture in pictures}) == 1


@pytest.mark.parametrize(
    ("inside", "allowed"),
    [
        (RECT * 1000, True),
        (f'<path d="M0 0{"h.001" * 20_000}"/>', True),
        ("".join(f'<path d="M0 0{"h.001" * 20}"/>' for _ in range(1000)), True),
        (RECT * 4000, False),
        (f'<path d="M0 0{"h.001" * 40_000}"/>', False),
        ('<path id="a" d="M0 0' + "h.001" * 3000 + '"/>' + '<use href="#a"/>' * 20, False),
        ('<path d="M0 0h100" stroke="red" stroke-dasharray=".01 .01"/>', True),
        ('<path d="M0 0h100" stroke="red" stroke-dasharray=".001 .001"/>', False),
        ('<g display="none">' + '<path d="M0 0h1"/>' * 5000 + "</g>", True),
    ],
)
def test_what_is_counted_is_work(inside: str, allowed: bool) -> None:
    if allowed:
        assert read_svg(svg(inside).encode(), "x").layers
        return
    with pytest.raises(SvgError, match=f"too detailed: it takes more than {MAX_WORK} steps"):
        read_svg(svg(inside).encode(), "x")


@pytest.mark.parametrize(("points", "problems"), [(100, 0), (20_000, 1)])
def test_a_map_shows_no_more_than_can_be_painted(
    points: int, problems: int, tmp_path: Path
) -> None:
    folder = folder_of(tmp_path, 1, svg(f'<path d="M0 0{"h.001" * points}"/>'))
    title = json.loads((folder / "title.json").read_text())
    hexes = {
        f"{'ABCDEF'[number % 6]}{2 * (number // 6) + 1 + number % 2}": {"icons": ["p0"]}
        for number in range(40)
    }
    layout = {"name": "Map", "layout": "flat", "coordinates": {"letters_on": "x"}, "hexes": hexes}
    (folder / "title.json").write_text(
        json.dumps({**title, "maps": {"main": layout}}), encoding="utf-8"
    )
    found = [problem for problem in read_title(folder).problems if problem.code == "PI01"]
    assert len(found) == problems
    for problem in found:
        assert problem.pointer == "/maps/main"
        assert 'map "main" shows pictures 40 times' in problem.message
        assert problem.hint == 'simplify "p0"'
