"""Everything that is painted, on the plates of a press: how far its colours are from those of a
screen (CIE 1976).

    PYTHONPATH=tools python benchmarks/colour.py [TITLE ...] [--theme ID] [--intent PRESS] [--all]
        [--fills]

All titles, the classic theme and every press are the defaults.

Every ink of every document of a title, as it is painted: fills, lines and words by themselves, as
hairlines and small words are printed with fewer inks; mixtures and pictures are inks like any
other. Each is painted once into a CMYK PDF in the way of its use. Ghostscript separates that into
plates, and the measurements in the profile that is embedded in our files (its A2B table) say how
their inks look, relative to paper and black. What is attainable is searched for among all inks of
the press, without the table that our files are mixed by. Colours that no ink of the press makes,
and black, which stays on its own plate, are listed by name, not counted; --all lists every colour
that misses by more than 8. Then all fills, those that no ink makes too, are held against the bar:
each within 1 of the best.

The last table of a press is of whole pages, left out with --fills: every sheet of the profile
`offset`, through Ghostscript in RGB and on plates, point by point, bare paper aside. Points of full
black ink are left out: it differs from the black of a screen by the same on every page. The bar is a mean of 3
and 8 for 95 of 100 points of each page on coated paper; what other presses print is listed alone.

The status is 1 if a bar is missed. Needs Ghostscript, Pillow and numpy.
"""

from __future__ import annotations

import argparse
import math
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path as File

import numpy as np
from msgspec import Struct
from PIL import Image

from platelayer.drawing.pieces import draw_back, draw_piece
from platelayer.foundation.geometry import least_scale
from platelayer.foundation.problems import Severity
from platelayer.foundation.resources import asset_path, title_ids
from platelayer.imposition.paper import Document, Page
from platelayer.model.kinds import KINDS
from platelayer.model.manifest import build_manifest
from platelayer.pipeline.build import prepare, read_options
from platelayer.pipeline.load import read_to_print
from platelayer.pipeline.produce import lay_out
from platelayer.render.pdf import render_pdf
from platelayer.render.scenes import least_scales, used_scenes
from platelayer.rules.graph import upgrade_graph
from platelayer.scene.inks import Ink, is_grey
from platelayer.scene.press import (
    COATED,
    INKS,
    PRESSES,
    inks_of_line,
    inks_of_words,
    press_at_hand,
    printing_on,
)
from platelayer.scene.shapes import (
    Anchor,
    Circle,
    Group,
    Item,
    Path,
    Scene,
    Stroke,
    TextRun,
    rectangle_path,
)
from press_profile import Array, Press, lab_from_srgb, misses, search

DPI, CELL_MM, COLUMNS, ROWS = 300, 4, 50, 70
WIDE_MM, HIGH_MM = COLUMNS * CELL_MM, ROWS * CELL_MM
PLATES = ("Cyan", "Magenta", "Yellow", "Black")
HAIRLINE_MM, SMALL_PT, FACE = 0.17, 7.9, "Barlow-Bold"
STEM_MM = 1.0
"""How far above its baseline a small I is looked at."""
MAKES = 3.0
"""What the best inks for a colour miss at most if the press can make it."""
FAR = 8.0
BAR = 1.0
"""How much farther off than the best inks a fill may be."""
PAGE_DPI, PAGE_MEAN, PAGE_95 = 14, 3.0, 8.0
"""Points of a page, and what their mean and 95 of 100 of them may miss by."""


class Paint(Struct, frozen=True):
    """A colour as it is used: what a screen shows of it, the ink, and how it is painted: in whole,
    as a fine line, or as small words."""

    colour: str
    use: str
    ink: Ink


USES = {("line", 3): "hairline", ("words", 2): "small words"}


def documents(title: str, theme: str, press: str) -> dict[str, set[Paint]]:
    """The paints in each document of a title for a press, fronts and backs."""
    options = read_options(None, {"theme": theme, "color": "cmyk", "intent": press})
    loaded, _, style = read_to_print(title, options)
    game = loaded.title
    manifest, graph = build_manifest(game), upgrade_graph(game)
    found: dict[str, set[Paint]] = {}
    for piece in manifest.pieces:
        scenes = [*draw_piece(game, manifest, piece, style, graph)]
        if (back := draw_back(game, piece, style)) is not None:
            scenes.append(back)
        stem = (*KINDS[piece.kind].documents, piece.kind)[0]
        found.setdefault(stem, set()).update(
            paint for scene in scenes for paint in paints_of(scene)
        )
    return found


def paints_of(scene: Scene) -> Iterator[Paint]:
    placed = used_scenes([scene])
    scales = least_scales([scene], placed)
    yield from _paints(scene.items, 1.0)
    for key, inner in placed.items():
        yield from _paints(inner.items, scales[key])


def _paints(items: Sequence[Item], scale: float) -> Iterator[Paint]:
    for item in items:
        if isinstance(item, Group):
            yield from _paints(item.items, scale * least_scale(item.matrix[:4]))
        elif isinstance(item, TextRun):
            yield from _paint(item.ink, "words", inks_of_words(item.size_pt * scale))
        elif isinstance(item, Path | Circle):
            yield from _paint(item.fill, "fill", INKS)
            if item.stroke is not None:
                yield from _paint(
                    item.stroke.ink, "line", inks_of_line(item.stroke.width_mm * scale)
                )


def _paint(ink: Ink | None, use: str, most: int) -> Iterator[Paint]:
    if ink is not None and ink.spot is None:
        yield Paint(ink.hex, USES.get((use, most), "fill"), ink)


def swatch(paint: Paint, x: float, y: float) -> Item:
    """A colour in its cell, painted in the way of its use."""
    middle = x + CELL_MM / 2, y + CELL_MM / 2
    if paint.use == "hairline":
        lines = [
            (("M", x, middle[1] + 0.05 * step), ("L", x + CELL_MM, middle[1] + 0.05 * step))
            for step in (-1, 0, 1)
        ]
        stroke = Stroke(ink=paint.ink, width_mm=HAIRLINE_MM)
        return Path(commands=tuple(command for line in lines for command in line), stroke=stroke)
    if paint.use == "small words":
        return TextRun(
            x=middle[0],
            y=middle[1] + STEM_MM,
            text="I",
            face=FACE,
            size_pt=SMALL_PT,
            ink=paint.ink,
            width_mm=ADVANCE_MM,
            anchor=Anchor.MIDDLE,
        )
    return Path(commands=rectangle_path(x, y, CELL_MM, CELL_MM), fill=paint.ink)


def _advance_mm() -> float:
    from platelayer.foundation.geometry import MM_PER_PT
    from platelayer.scene.fonts import face

    return face(FACE).glyphs["I"][0] * SMALL_PT * MM_PER_PT


ADVANCE_MM = _advance_mm()


def on_plates(paints: Sequence[Paint]) -> list[bytes]:
    """What Ghostscript's four plates carry in the middle of each colour's cell, in steps of 255."""
    whole = (0.0, 0.0, float(WIDE_MM), float(HIGH_MM))
    cells = [(n % COLUMNS * CELL_MM, n // COLUMNS * CELL_MM) for n in range(COLUMNS * ROWS)]
    found: list[bytes] = []
    for start in range(0, len(paints), len(cells)):
        some = paints[start : start + len(cells)]
        items = tuple(swatch(paint, *cell) for paint, cell in zip(some, cells, strict=False))
        scene = Scene(key=f"sheet{start}", width_mm=WIDE_MM, height_mm=HIGH_MM, items=items)
        page = Page(scene=scene, trim=whole, bleed=whole)
        data = render_pdf(
            Document(stem="c", title="Colours", subject="", pages=(page,)), colour="cmyk"
        )
        plates = separated(data)
        for x, y in cells[: len(some)]:
            middle = int((x + CELL_MM / 2) * DPI / 25.4), int((y + CELL_MM / 2) * DPI / 25.4)
            found.append(bytes(255 - int(plate.getpixel(middle)) for plate in plates))  # type: ignore[arg-type]
    return found


def separated(data: bytes) -> list[Image.Image]:
    """The plates of a page."""
    with tempfile.TemporaryDirectory() as folder:
        _ghostscript(data, File(folder), "tiffsep", DPI, "plate.tif")
        return [Image.open(File(folder) / f"plate({ink}).tif").convert("L") for ink in PLATES]


def _ghostscript(data: bytes, folder: File, device: str, dpi: int, file: str) -> None:
    pdf = folder / "c.pdf"
    pdf.write_bytes(data)
    # Without smoothing of edges: cells touch, and an edge has the colours of neither side.
    quiet = ["-q", "-dSAFER", "-dNOPAUSE", "-dBATCH", "-dGraphicsAlphaBits=1", "-dTextAlphaBits=1"]
    out = [f"-sDEVICE={device}", f"-r{dpi}", f"-sOutputFile={folder}/{file}"]
    subprocess.run(["gs", *quiet, *out, str(pdf)], check=True)


class PageMiss(Struct, frozen=True):
    """A printed page: how far its points are from the screen's, full black ink aside, and with it."""

    name: str
    offs: Array
    with_black: Array

    @property
    def is_beyond(self) -> bool:
        return bool(
            self.offs.size
            and (self.offs.mean() > PAGE_MEAN or np.quantile(self.offs, 0.95) > PAGE_95)
        )


def pages(title: str, theme: str, press: str) -> Iterator[PageMiss]:
    """The sheets of a title, through Ghostscript in RGB and on plates."""
    # Cut lines and colour bars are no part of what is printed.
    options = {"theme": theme, "intent": press, "cut": "none", "register": "none"}
    ready = prepare(title, read_options("offset", options))
    measured = Press(asset_path("icc", f"{PRESSES[press]}.icc"))
    found, problems = lay_out(ready.job, ready.chosen)
    # An illegible page would not be printed, and must not pass here either.
    if faults := [str(problem) for problem in problems if problem.severity is Severity.ERROR]:
        raise SystemExit("\n".join(faults))
    for document in found:
        seen = _painted(render_pdf(document), "tiff24nc")
        inked = _painted(render_pdf(document, colour="cmyk"), "tiff32nc")
        for number, (screen, plates) in enumerate(zip(seen, inked, strict=True), start=1):
            points = np.concatenate([screen, plates], axis=1)
            points = points[(screen != 255).any(axis=1) | plates.any(axis=1)]
            if not len(points):
                continue
            kinds, which = np.unique(points, axis=0, return_inverse=True)
            off = misses(measured, kinds[:, 3:] / 255, lab_from_srgb(kinds[:, :3] / 255))
            # Alone, or over the colours that it overprints.
            is_black = kinds[:, 6] == 255
            every = which.ravel()
            yield PageMiss(
                f"{title} {document.stem} {number}", off[every][~is_black[every]], off[every]
            )


def _painted(data: bytes, device: str) -> list[Array]:
    """The pages of a PDF, a row a point."""
    with tempfile.TemporaryDirectory() as folder:
        _ghostscript(data, File(folder), device, PAGE_DPI, "%04d.tif")
        files = sorted(File(folder).glob("*.tif"))
        pictures = [np.asarray(Image.open(file)) for file in files]
    return [picture.reshape(-1, picture.shape[-1]) for picture in pictures]


def report_pages(titles: Sequence[str], theme: str, press: str) -> bool:
    """The pages of some titles on a press: True if all keep to the bar."""
    columns = ("mean", "95 %", "worst mean", "worst 95 %", "with black", "95 %", "beyond")
    head = "".join(f"{name:>11}" for name in columns)
    print(f"{'title':12}{'pages':>8}{head}")
    beyond = []
    for title in titles:
        found = [*pages(title, theme, press)]
        # A page that is black ink alone has nothing to judge.
        some = [page for page in found if page.offs.size]
        offs, every = (
            np.concatenate([getattr(page, name) for page in found])
            for name in ("offs", "with_black")
        )
        figures = (
            offs.mean(),
            np.quantile(offs, 0.95),
            max(page.offs.mean() for page in some),
            max(np.quantile(page.offs, 0.95) for page in some),
            every.mean(),
            np.quantile(every, 0.95),
        )
        over = [page for page in some if page.is_beyond]
        print(
            f"{title:12}{len(found):8}" + "".join(f"{n:11.2f}" for n in figures) + f"{len(over):11}"
        )
        beyond += over
    for page in beyond:
        print(
            f"  {page.name}: mean {page.offs.mean():.1f}, 95 % {np.quantile(page.offs, 0.95):.1f}"
        )
    print()
    return not beyond or press != COATED


class Miss(Struct, frozen=True):
    """Differences of a colour and of the best inks from the screen, and the inks on the plates."""

    paint: Paint
    off: float
    best: float
    inks: bytes

    @property
    def is_black(self) -> bool:
        """Black ink alone, as dark as it gets."""
        return not any(self.inks[:3]) and self.inks[3] == 255

    @property
    def is_beyond(self) -> bool:
        return not self.is_black and self.best > MAKES

    def __str__(self) -> str:
        percents = " ".join(f"{part / 2.55:.0f}" for part in self.inks)
        return f"{self.paint.ink.name} {self.paint.colour} {self.paint.use} ({percents}) {self.off:.1f}"


def judged(paints: Sequence[Paint]) -> dict[Paint, Miss]:
    press = Press(asset_path("icc", f"{PRESSES[press_at_hand()]}.icc"))
    colours = np.array([list(bytes.fromhex(paint.colour[1:])) for paint in paints]) / 255
    aims, inks = lab_from_srgb(colours), on_plates(paints)
    off = misses(press, np.array([list(plates) for plates in inks]) / 255, aims)
    best = misses(press, search(press, aims), aims)
    rows = zip(paints, off.tolist(), best.tolist(), inks, strict=True)
    return {paint: Miss(paint, *found) for paint, *found in rows}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("titles", nargs="*", default=title_ids())
    parser.add_argument("--theme", default="classic")
    parser.add_argument("--intent", choices=PRESSES, action="append")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--fills", action="store_true")
    asked = parser.parse_args()
    holds = True
    for press in asked.intent or PRESSES:
        print(f"{press}:")
        painted = {title: documents(title, asked.theme, press) for title in asked.titles}
        with printing_on(press):
            holds &= report(painted, asked.all) <= BAR
            if not asked.fills:
                holds &= report_pages(asked.titles, asked.theme, press)
    raise SystemExit(not holds)


def report(painted: dict[str, dict[str, set[Paint]]], every_far: bool) -> float:
    """What is painted, on the press at hand: how much farther off than the best inks a fill is at
    most."""
    every = sorted(
        set[Paint]().union(*(paints for found in painted.values() for paints in found.values())),
        key=repr,
    )
    by_paint = judged(every)
    print(
        f"{'title':12}{'document':16}{'colours':>8}{'mean':>7}{'95 %':>7}{'max':>7}{'over the best':>15}   beyond the press"
    )
    for title, found in painted.items():
        for stem, paints in found.items():
            # A colour that several inks have counts once in each way that it is printed.
            different = {
                (miss.paint.colour, miss.inks): miss
                for miss in map(by_paint.__getitem__, sorted(paints, key=repr))
            }
            offs = sorted(
                miss.off for miss in different.values() if not (miss.is_beyond or miss.is_black)
            )
            over = max(map(_over, different.values()))
            beyond = sum(miss.is_beyond for miss in different.values())
            at_95 = offs[math.ceil(len(offs) * 0.95) - 1]
            mean = math.fsum(offs) / len(offs)
            print(
                f"{title:12}{stem:16}{len(offs):8}{mean:7.1f}{at_95:7.1f}{offs[-1]:7.1f}{over:15.1f}   {beyond or ''}"
            )
    _list("beyond the press", [miss for miss in by_paint.values() if miss.is_beyond])
    _list("black ink alone", [miss for miss in by_paint.values() if miss.is_black])
    if every_far:
        far = [
            miss
            for miss in by_paint.values()
            if miss.off > FAR and not (miss.is_beyond or miss.is_black)
        ]
        _list(f"by more than {FAR:g}", far)

    fills = sorted((miss for miss in by_paint.values() if miss.paint.use == "fill"), key=_over)
    overs = [_over(miss) for miss in fills]
    mean, at_95 = math.fsum(overs) / len(overs), overs[math.ceil(len(overs) * 0.95) - 1]
    print(f"\n{len(overs)} fills over the best: mean {mean:.2f}, 95 % {at_95:.2f}, bar {BAR:g}")
    print(f"max {overs[-1]:.2f}: {fills[-1]}\n")
    return overs[-1]


def _over(miss: Miss) -> float:
    """How much farther off than the best inks; nothing for fine lines and small words, which have
    fewer inks on purpose, and for greys, which have black ink alone."""
    is_free = miss.paint.use == "fill" and not is_grey(miss.paint.ink.rgb)
    return miss.off - miss.best if is_free else 0.0


def _list(name: str, found: Sequence[Miss]) -> None:
    """The misses of some colours, each colour once, the farthest first."""
    worst: dict[str, Miss] = {}
    for miss in sorted(found, key=lambda miss: -miss.off):
        worst.setdefault(miss.paint.colour, miss)
    print(f"\n{name}: {len(worst)}")
    for miss in worst.values():
        print(f"  {miss}")


if __name__ == "__main__":
    main()
