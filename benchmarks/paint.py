"""Paints made-up sheets of tiles and cards and prints a table: time, bytes and peak memory of each
painter.

Run: PYTHONPATH=generator python benchmarks/paint.py. Each row is its own process, so that imports
and memory count.
"""

from __future__ import annotations

import math
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence

from platelayer.imposition.paper import Document, Page
from platelayer.scene.inks import BLACK, WHITE, Ink, as_spot, ink_from_hex
from platelayer.scene.shapes import (
    Anchor,
    Circle,
    Group,
    Item,
    Path,
    Scene,
    Stroke,
    Use,
    polygon_path,
    rectangle_path,
    transform_commands,
    translation,
)
from platelayer.scene.typeset import TypeStyle, set_block, set_centred, set_line

TILES, CARDS = 400, 200
DESIGNS = 60
"""Distinct tiles among the 400, as in a game; every card is another."""
PAPER = (210.0, 297.0)
HEX_MM = 38.1
GROUNDS = tuple(ink_from_hex(colour) for colour in ("#f6d44b", "#7db665", "#bd8150", "#b9b9b7"))
CUT_LINE = Stroke(ink=as_spot(ink_from_hex("#ec008c"), "CutContour"), width_mm=0.1)
CONDENSED = TypeStyle(faces=("BarlowCondensed-SemiBold",), size_pt=9)
SANS = TypeStyle(faces=("Barlow-Regular",), size_pt=7)
SERIF = TypeStyle(faces=("EBGaramond-Medium",), size_pt=16)


def tile(number: int) -> Scene:
    """A tile with three curves of track, a city and two towns."""
    ground, width = GROUNDS[number % 4], HEX_MM * 2 / math.sqrt(3)
    middle = (width / 2, HEX_MM / 2)
    outline = polygon_path(
        (
            middle[0] + width / 2 * math.cos(math.radians(60 * k)),
            middle[1] + width / 2 * math.sin(math.radians(60 * k)),
        )
        for k in range(6)
    )
    edges = [
        (middle[0] + 19 * math.sin(k * math.pi / 3), middle[1] + 19 * math.cos(k * math.pi / 3))
        for k in range(6)
    ]
    items: list[Item] = [Path(commands=outline, fill=ground, stroke=Stroke(ink=ground, width_mm=3))]
    for turn in range(3):
        start, end = edges[(number + turn) % 6], edges[(number + 3 * turn + 2) % 6]
        curve = (("M", *start), ("C", *middle, *middle, *end))
        items.append(Path(commands=curve, stroke=Stroke(ink=WHITE, width_mm=4.4)))
        items.append(Path(commands=curve, stroke=Stroke(ink=BLACK, width_mm=3.6)))
    for x in (-7, 0, 7):
        items.append(
            Circle(
                cx=middle[0] + x,
                cy=middle[1],
                r=4,
                fill=WHITE,
                stroke=Stroke(ink=BLACK, width_mm=0.4),
            )
        )
        items += set_centred(str(10 * (number % 9)), CONDENSED, BLACK, middle[0] + x, middle[1])
    items += set_line(str(number), CONDENSED.at(6), BLACK, 12, 36)
    return Scene(
        key=f"tile:{number}",
        width_mm=width,
        height_mm=HEX_MM,
        items=tuple(items),
        bleed_mm=1.5,
        outline=outline,
    )


def guilloche(number: int, ink: Ink) -> Iterator[Path]:
    """A border of four interlaced curves."""
    for phase in range(4):
        points = [
            (
                31.5 + (27 + 2 * math.cos(12 * a + phase)) * math.cos(a),
                44 + (39 + 2 * math.sin(9 * a + phase)) * math.sin(a),
            )
            for a in (k * math.pi / 60 + number / 50 for k in range(120))
        ]
        yield Path(commands=polygon_path(points), stroke=Stroke(ink=ink, width_mm=0.15))


def card(number: int) -> Scene:
    """A share certificate with a guilloche border and a dozen words."""
    ink = GROUNDS[number % 4]
    lines = (
        f"Certificate {number} of {CARDS}",
        "entitles the bearer to a tenth",
        "of every dividend declared",
    )
    items: tuple[Item, ...] = (
        Path(commands=rectangle_path(-3, -3, 69, 94), fill=WHITE),
        Path(commands=rectangle_path(3, 3, 57, 82, 3), stroke=Stroke(ink=BLACK, width_mm=0.4)),
        *guilloche(number % 8, ink),
        *set_line("Great Northern Railway", SERIF, BLACK, 31.5, 24, anchor=Anchor.MIDDLE),
        *set_centred("10 %", SERIF.at(36), BLACK, 31.5, 44),
        *set_block(lines, SANS, BLACK, 12, 60),
    )
    return Scene(key=f"card:{number}", width_mm=63, height_mm=88, items=items, bleed_mm=3)


def sheets(pieces: Sequence[Scene], step: tuple[float, float], cut: bool) -> Iterator[Page]:
    """Pieces in rows and columns on A4 with crop marks at each, and with its cut line in a spot ink
    if `cut`."""
    columns, rows = (int((side - 20) // pitch) for side, pitch in zip(PAPER, step, strict=True))
    for first in range(0, len(pieces), columns * rows):
        items: list[Item] = []
        lines: list[Item] = []
        for place, piece in enumerate(pieces[first : first + columns * rows]):
            x, y = 10 + place % columns * step[0], 10 + place // columns * step[1]
            mark = polygon_path(((x - 3, y), (x - 1, y)), closed=False)
            items.append(Path(commands=mark, stroke=Stroke(ink=BLACK, width_mm=0.1)))
            items.append(Use(scene=piece, matrix=translation(x, y)))
            lines.append(
                Path(
                    commands=transform_commands(piece.die_line, translation(x, y)), stroke=CUT_LINE
                )
            )
        if cut:
            items.append(Group(items=tuple(lines), layer="Cut"))
        whole = (0.0, 0.0, *PAPER)
        scene = Scene(
            key=f"sheet:{first}", width_mm=PAPER[0], height_mm=PAPER[1], items=tuple(items)
        )
        yield Page(scene=scene, trim=whole, bleed=whole)


def pack(*, cut: bool) -> Document:
    """400 tiles in 60 designs and 200 different cards."""
    designs = [tile(number) for number in range(DESIGNS)]
    pages = (
        *sheets([designs[number % DESIGNS] for number in range(TILES)], (46, 40), cut),
        *sheets([card(number) for number in range(CARDS)], (65, 90), cut),
    )
    return Document(stem="pack", title="Pack", subject="Benchmark", pages=pages)


def pdf(document: Document) -> int:
    """Bytes of the whole pack as PDF."""
    from platelayer.render.pdf import render_pdf

    return len(render_pdf(document))


def cmyk(document: Document) -> int:
    """Bytes of the whole pack as PDF/X-4."""
    from platelayer.render.pdf import render_pdf

    return len(render_pdf(document, colour="cmyk"))


def svg(document: Document) -> int:
    """Bytes of every page as SVG."""
    from platelayer.render.svg import render_svg

    return sum(len(render_svg(page.scene)) for page in document.pages)


def png(document: Document) -> int:
    """Bytes of the first page of tiles as PNG at 110 dpi."""
    from platelayer.render.png import render_png

    return len(render_png(document.pages[0].scene))


PAINTERS: dict[str, Callable[[Document], int]] = {"pdf": pdf, "cmyk": cmyk, "svg": svg, "png": png}


def measure(name: str) -> None:
    """Paints twice in this process and prints one row: the first time includes imports and
    fonts."""
    document = pack(cut=name == "cmyk")
    times = []
    for _ in range(2):
        start = time.perf_counter()
        size = PAINTERS[name](document)
        times.append(time.perf_counter() - start)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"{name:<8} {len(document.pages):>5} {times[0]:>8.2f} {times[1]:>8.2f} {size / 1024:>10,.0f} {peak:>8.0f}"
    )


def main() -> None:
    """Prints the table, one process for each row."""
    print(
        f"{TILES} tiles in {DESIGNS} designs, {CARDS} cards; A4 (png: the first page; cmyk: with cut lines)"
    )
    print(
        f"{'painter':<8} {'pages':>5} {'first s':>8} {'again s':>8} {'KiB':>10} {'peak MiB':>8}",
        flush=True,
    )
    for name in PAINTERS:
        subprocess.run([sys.executable, __file__, name], check=True)


if __name__ == "__main__":
    if sys.argv[1:]:
        measure(sys.argv[1])
    else:
        main()
