"""SVG files of titles: what they draw, and what is refused by name and line."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from platelayer.definitions.pictures import MAX_BYTES, read_svg, write_svg
from platelayer.definitions.svg_tree import SvgError
from platelayer.definitions.titles import load_title
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
