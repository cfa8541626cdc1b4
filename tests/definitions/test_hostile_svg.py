"""SVG files made to cost time or memory, or to break what reads them: each is read or refused,
quickly."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from often import often
from platelayer.definitions.pictures import MAX_BYTES, read_svg
from platelayer.definitions.svg_tree import MAX_WORK, SvgError
from platelayer.definitions.titles import load_title, read_title
from refusals import refused

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
