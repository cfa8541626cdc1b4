"""Files of a random map: poster and pages to join (PDF), building guide (PDF, HTML), SVG, PNG."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from html import escape
from typing import TYPE_CHECKING

from platelayer.atlas.guide import draw_guide, ground_word, tables_pages, tasks_of
from platelayer.atlas.poster import draw_atlas_poster, draw_balance, facts_of, map_name
from platelayer.atlas.report import MapPrint, board_size_mm
from platelayer.atlas.schematic import GROUND_INKS, Step, ground_sign, steps_of
from platelayer.foundation.languages import FixedWords
from platelayer.foundation.pool import gc_paused, share_out
from platelayer.foundation.problems import (
    CannotRun,
    Problem,
    ProblemsFound,
    has_errors,
    severity_of,
)
from platelayer.foundation.text import Text
from platelayer.imposition.impose import PieceToPrint, impose
from platelayer.imposition.paper import find_paper, frames
from platelayer.imposition.plan import DocumentPlan, Layout, standard_plan
from platelayer.model.hexes import Layout as HexLayout
from platelayer.model.hexes import centre_mm, corner_points
from platelayer.model.kinds import Piece, piece_size
from platelayer.model.map_tiles import (
    Axial,
    ProjectDraw,
    board_origin,
    doubled,
    occupied,
    place_name,
    tile_hexes,
)
from platelayer.model.options import PrintOptions
from platelayer.render.codes import qr_modules
from platelayer.render.pdf import render_pdf
from platelayer.render.svg import render_svg
from platelayer.scene.legibility import check_legibility
from platelayer.scene.shapes import Circle, Path

if TYPE_CHECKING:
    from platelayer.drawing.kit.style import Style
    from platelayer.imposition.paper import Document, Frame
    from platelayer.imposition.plan import SheetPlan
    from platelayer.scene.shapes import Scene


atlas_words = FixedWords("atlas")

# For a screen: a poster of 700 mm has 2800 points to a side.
PNG_DPI = 100
# Empty edges of pages.
MAP_MARGIN_MM, GUIDE_MARGIN_MM = 6.0, 12.0
LEAST_GUIDE_MM = (160.0, 220.0)
_MAP, _GUIDE, _TABLES = "map", "guide", "tables"
_Printed = tuple[dict[str, bytes], tuple[Problem, ...]]
_BY_PAGE = {
    _GUIDE: atlas_words.table("guide_words")["guide"],
    _TABLES: atlas_words.table("tables_words")["tables"],
}


def map_files(job: MapPrint, processes: int) -> _Printed:
    """Files by name: map.svg, map.pdf, map-tiled.pdf, guide.pdf, guide.html, blind.html and, unless
    disabled or nothing here paints it, map.png; and their problems.

    With several processes, pictures are made in one and pages in another at the same time. Raises
    ProblemsFound with what would be illegible or does not fit the paper.
    """
    sheets = _guide_frames(job)
    code = qr_modules(job.link or job.again)
    poster = draw_atlas_poster(job.title, job.log, job.style, code=code, opens=bool(job.link))
    shares = partial(_pages, job, poster, sheets[0]), partial(_pictures, job, poster)
    (pages, on_pages), (pictures, on_poster) = share_out(_print_share, shares, processes=processes)
    if has_errors(problems := (*on_poster, *on_pages)):
        raise ProblemsFound(problems)
    return pictures | pages | guide_pages(job), problems


def _print_share(share: Callable[[], _Printed]) -> _Printed:
    with gc_paused():
        return share()


def _pictures(job: MapPrint, poster: Scene) -> _Printed:
    """Poster as SVG and PNG, and its illegible parts."""
    label = f"{job.style.words(job.title.name)}: {poster.label}"
    files = {"map.svg": render_svg(poster, title=label)}
    if job.png:
        from platelayer.render.png import render_png

        # A missing library does not stop the rest of the map.
        try:
            files["map.png"] = render_png(poster, dpi=PNG_DPI)
        except CannotRun as error:
            left_out = Problem(
                "FI02",
                f"map.png is left out: {error}",
                "or use --no-png",
                severity=severity_of("FI02"),
            )
            return files, (*check_legibility(poster), left_out)
    return files, check_legibility(poster)


def _guide_frames(job: MapPrint) -> tuple[Frame, ...]:
    """Pages of the guide. Raises ProblemsFound if the paper is too small."""
    paper = find_paper(job.paper)
    sheets = frames(paper, GUIDE_MARGIN_MM)
    _, _, width, height = sheets[0].room if sheets else (0.0, 0.0, 0.0, 0.0)
    if width < LEAST_GUIDE_MM[0] or height < LEAST_GUIDE_MM[1]:
        message = f"{paper.name} is too small for the building guide"
        raise ProblemsFound([Problem("SH01", message, "use A4, Letter or a larger paper")])
    return sheets


def _pages(job: MapPrint, poster: Scene, sheet: Frame) -> _Printed:
    """Poster, pages to join and guide as PDF, and the problems of the guide and of the paper."""
    _, _, width, height = sheet.room
    guide = draw_guide(job, width, height)
    if job.homes:
        guide += (draw_balance(job, width, height),)
    tables = (*tables_pages(job, guide),)
    problems = tuple(
        problem for scene in (*guide, *tables[:1]) for problem in check_legibility(scene)
    )
    if has_errors(problems):
        return {}, problems
    guides, sealed = (
        DocumentPlan(stem=kind, name=name, kinds=(kind,), layouts={"grid": Layout(arrange="grid")})
        for kind, name in _BY_PAGE.items()
    )
    try:
        documents = (
            *_documents(job, (poster,), _MAP, standard_plan(), MAP_MARGIN_MM),
            *_documents(job, guide, _GUIDE, (guides,), GUIDE_MARGIN_MM),
            *_documents(job, tables, _TABLES, (sealed,), GUIDE_MARGIN_MM),
        )
    except ProblemsFound as error:
        return {}, error.problems
    return {f"{document.stem}.pdf": render_pdf(document) for document in documents}, problems


def _documents(
    job: MapPrint, scenes: Sequence[Scene], kind: str, plan: SheetPlan, margin_mm: float
) -> tuple[Document, ...]:
    # Sheets that are sealed must not tell which map is inside.
    seed = f", {job.log.seed}" if job.log.seed is not None and kind != _TABLES else ""
    mode = job.style.words(atlas_words.table("modes").get(job.log.mode, Text.plain(job.log.mode)))
    name = Text.plain(f"{mode}{seed}")
    piece = Piece(kind=kind, id="atlas", name=name, count=1)
    return impose(
        job.style.words(job.title.name),
        [
            PieceToPrint(piece=piece, scene=scene, again=number > 0)
            for number, scene in enumerate(scenes)
        ],
        theme=job.style.theme,
        options=PrintOptions(paper=job.paper, margin_mm=margin_mm),
        tongue=job.style.tongue,
        plan=plan,
    )


# A hex in the units of the pictures.
_ACROSS = 40.0
_FRESH = 4.0
_STYLE = """
body{margin:0 auto;padding:1rem;max-width:40rem;font:1.1rem/1.45 system-ui,sans-serif;color:#111;background:#fff}
h1{font-size:1.6rem;margin:.2rem 0}h2{font-size:1.2rem;margin:1.2rem 0 .3rem}
.facts,.again{color:#444;overflow-wrap:anywhere}ol{list-style:none;padding:0;margin:0}
ol>li{border-top:2px solid #999;padding:.6rem 0;break-inside:avoid}
.step{display:flex;align-items:center;gap:1rem;flex-wrap:wrap}.order{color:#444;min-width:5.5rem}
.number{font-size:3.4rem;font-weight:700;line-height:1;min-width:4.5rem}
.place{font-size:1.5rem}.near{color:#444}dt{font-weight:700;margin-top:.5rem}dd{margin:0 0 0 1rem}
svg{display:block;stroke:#555;stroke-width:1}.sign{width:5.5rem;height:5.5rem}.board{width:100%;height:auto;max-height:70vh;margin-top:.4rem}
.whole{overflow-x:auto}.whole .board{width:auto;max-height:none}
.old{fill:#ddd}.name{font:12px sans-serif;text-anchor:middle;fill:#333;stroke:none}
table{width:100%}td:nth-child(2){width:60%}meter{width:100%}caption{text-align:right}
.word{font-size:1.3rem;font-weight:700}
summary{cursor:pointer;padding:.5rem 0;font-size:1.2rem}code{overflow-wrap:anywhere}
@media print{body{max-width:none;font-size:10pt}.board{max-height:90mm}.whole .board{width:100%}}
""".strip()


def guide_pages(job: MapPrint) -> dict[str, bytes]:
    """guide.html and blind.html of a map, without scripts or external files."""
    page = _Page(job)
    whole = "".join(f"<li>{page.step(step)}</li>" for step in page.steps)
    blind = "".join(f"<li>{note}</li>" for note in page.hidden())
    return {
        "guide.html": page.document(
            "guide_page", f"<p>{page.words('how')}</p>\n<ol>{whole}</ol>{page.end()}", blind=False
        ),
        "blind.html": page.document(
            "blind_page",
            f"<p>{page.words('turns')} {page.words('borders')}</p>\n<ol>{blind}</ol>\n<p>{page.words('blank_rule')}</p>"
            f"<details><summary>{page.words('done')}</summary>{page.playing()}{page.end()}</details>",
            blind=True,
        ),
    }


def ground_symbols(style: Style) -> dict[str, str]:
    """A hex of each ground with its sign as an SVG group, 40 units from flat to flat, by its id."""
    return {
        ground.value: f'<g id="{ground.value}"><polygon points="{_hexagon()}" '
        f'fill="{style.ink(ink).hex}"/>{_sign(ground_sign(ground, _ACROSS, style))}</g>'
        for ground, ink in GROUND_INKS.items()
    }


def _hexagon() -> str:
    corners = corner_points(HexLayout.FLAT, _ACROSS)
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in corners)


class _Page:
    """The parts of both pages; all text is escaped."""

    def __init__(self, job: MapPrint) -> None:
        self.job, self.box, self.log = job, job.box, job.log
        self.steps = steps_of(job.box, job.log)
        self.origin, self.hexagon = board_origin(job.log), _hexagon()

    def words(self, key: str, *parts: object) -> str:
        """A phrase of the pages, or of the printed guide."""
        text = atlas_words.table("page_words").get(key) or atlas_words.table("guide_words")[key]
        return self.text(text, *parts)

    def text(self, text: Text, *parts: object) -> str:
        """A text, filled and escaped."""
        return escape(self.job.style.words(text, *parts))

    def centre(self, at: Axial) -> tuple[float, float]:
        """The centre of a hex in the pictures."""
        return centre_mm(doubled(at), HexLayout.FLAT, _ACROSS)

    def document(self, name: str, body: str, *, blind: bool) -> bytes:
        """A whole page."""
        style = self.job.style
        game = escape(f"{style.words(self.job.title.name)} – {map_name(self.log, style)}")
        facts = " · ".join(
            escape(f"{label} {value}".strip()) for label, value in facts_of(self.log, style)
        )
        tasks = tasks_of(self.job, blind=blind)
        lines = "".join(
            f"<dt>{escape(task.head)}</dt><dd>{'<br>'.join(map(escape, task.lines))}</dd>"
            for task in tasks
        )
        if not blind:
            across = piece_size(self.job.title, "map-tile").width_mm
            size = self.words("size", *board_size_mm(self.log, across), f"{across:g}")
            lines = f"<dt>{self.words('table')}</dt><dd>{size}</dd>{lines}"
        again = f'<p class="again"><code>{escape(self.job.again)}</code></p>'
        return (
            f'<!doctype html>\n<html lang="{escape(style.language)}">\n<head>\n<meta charset="utf-8">\n'
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
            f"<title>{self.words(name)}: {game}</title>\n<style>\n{_STYLE}\n</style>\n</head>\n<body>\n"
            f'{self.symbols()}\n<h1>{self.words(name)}</h1>\n<p class="facts">{game}<br>{facts}</p>\n'
            f"<h2>{self.words('prepare')}</h2>\n<dl>{lines}</dl>\n{body}\n{again}\n</body>\n</html>\n"
        ).encode()

    def symbols(self) -> str:
        """A hex of each ground, and one of a tile laid before, for use in many pictures."""
        hexes = ground_symbols(self.job.style).values()
        old = f'<polygon id="old" class="old" points="{self.hexagon}"/>'
        return (
            f'<svg width="0" height="0" aria-hidden="true"><defs>{"".join(hexes)}{old}</defs></svg>'
        )

    def tile(self, tile: int, at: Axial, rotation: int, *, old: bool = False) -> str:
        """The hexes of a tile as it lies."""
        hexes = zip(tile_hexes(at, rotation), self.box.tile_by_number[tile].hexes, strict=True)
        return "".join(
            f'<use href="#{"old" if old else hexagon.ground.value}" {self.at(place)}/>'
            for place, hexagon in hexes
        )

    def middle(self, at: Axial, rotation: int) -> tuple[float, float]:
        """The middle of a tile."""
        x, y = (
            math.fsum(axis) / 3
            for axis in zip(*map(self.centre, tile_hexes(at, rotation)), strict=True)
        )
        return x, y

    def playing(self) -> str:
        """The companies in play."""
        return f"<p>{self.words('companies_at_end', ', '.join(map(self.job.name, self.job.companies)))}</p>"

    def step(self, step: Step) -> str:
        """A piece, where each of its hexes goes, what it touches, and the map so far."""
        return self.lead(step, self.words("draw", step.order)) + self.board(step)

    def lead(self, step: Step, order: str) -> str:
        """The line of a step."""
        style, numbers = self.job.style, ", ".join(map(str, step.beside))
        if step.tile is None:
            what, near = f'<span class="word">{self.words("capital")}</span>', "on"
        else:
            what = f'<span class="number">{step.tile}</span>{self.sign(step.tile, step.rotation)}'
            near = "beside" if step.beside else "first"
        head = f'<span class="order">{order}</span>' if order else ""
        places = "<br>".join(
            f'{escape(ground_word(ground, style))} <b class="place">{escape(place)}</b>'
            for ground, place in step.hexes
        )
        return (
            f'<div class="step">{head}{what}<span>{places}</span>'
            f'<span class="near">{self.words(near, numbers)}</span></div>'
        )

    def hidden(self) -> Iterable[str]:
        """Every draw, hidden: first the piece, then, hidden again, its place on this map."""
        steps = iter(self.steps)
        for draw in self.log.draws:
            if isinstance(draw, ProjectDraw):
                laid = draw.overlay_at is not None
                shown = f'<p class="word">{self.words("project" if laid else "defer")}</p>'
            else:
                laid = True
                shown = f'<div class="step"><span class="number">{draw.tile}</span>{self.sign(draw.tile, 0)}</div>'
            if laid:
                step = next(steps)
                where = f"{self.lead(step, '')}{self.board(step)}"
                shown += f"<details><summary>{self.words('place')}</summary>{where}</details>"
            words = f"{self.words('draw', draw.draw)} – {self.words('hidden')}"
            yield f"<details><summary>{words}</summary>{shown}</details>"

    def end(self) -> str:
        """The places of blanks, the whole map, and its fairness."""
        places = ", ".join(place_name(at, self.origin) for at in sorted(self.log.blanks))
        blanks = (
            f'<p>{self.words("blanks")} <span class="word">{places}</span></p>' if places else ""
        )
        return f'{blanks}<div class="whole">{self.board(None)}</div>{self.fairness()}'

    def fairness(self) -> str:
        """The worth of each home as a bar."""
        worths = {
            self.job.name(company): home.worth for company, home in sorted(self.job.homes.items())
        }
        if not worths:
            return ""
        words, most = atlas_words.table("balance_words"), max(worths.values())
        rows = (
            f'<tr><td>{escape(name)}</td><td><meter max="{most}" value="{worth}"></meter></td>'
            f"<td>{escape(self.job.title.money(worth))}</td></tr>"
            for name, worth in worths.items()
        )
        head = self.text(words["fairness"], f"{self.job.fairness:.1f}")
        said = "".join(f"<p>{escape(sentence)}</p>" for sentence in self.job.judgements)
        return (
            f"<h2>{head}</h2><table><caption>{self.text(words['worth'])}</caption>{''.join(rows)}</table>"
            f"{said}"
        )

    def sign(self, tile: int, rotation: int) -> str:
        """A single tile as it lies, with its number in the middle."""
        x, y = self.middle(Axial(0, 0), rotation)
        half = 1.15 * _ACROSS
        view = f"{x - half:.1f} {y - half:.1f} {2 * half:.1f} {2 * half:.1f}"
        drawn = f"{self.tile(tile, Axial(0, 0), rotation)}{_number(tile, x, y)}"
        return f'<svg class="sign" viewBox="{view}" aria-hidden="true">{drawn}</svg>'

    def board(self, last: Step | None) -> str:
        """The map up to a step, which is highlighted; without a step, the whole map with its
        blanks."""
        items, numbers = [], []
        if last is None:
            items = [
                f'<polygon points="{self.hexagon}" fill="#fff" stroke="#555" {self.at(at)}/>'
                for at in self.log.blanks
            ]
        for step in self.steps:
            fresh = step is last
            if last is not None and step.order > last.order:
                break
            if step.tile is None:
                continue
            shown = self.tile(step.tile, step.at, step.rotation, old=not fresh and last is not None)
            items.append(f'<g stroke-width="{_FRESH:g}">{shown}</g>' if fresh else shown)
            numbers.append(_number(step.tile, *self.middle(step.at, step.rotation)))
        for step in self.steps:
            if step.tile is None and (last is None or step.order <= last.order):
                width = 5 if step is last or last is None else 2
                ring = f'stroke="#c00" stroke-width="{width}" {self.at(step.at)}'
                items.append(f'<polygon points="{self.hexagon}" fill="none" {ring}/>')
        items += [*numbers, *self.names(last)]
        words = self.words("finished") if last is None else escape(last.hexes[0][1])
        whole, view = "".join(items), self.view(last)
        size = "" if last else f' width="{view.split()[2]}"'
        return f'<svg class="board" viewBox="{view}"{size} role="img" aria-label="{words}">{whole}</svg>'

    def names(self, last: Step | None) -> Iterable[str]:
        """The names of the places of tiles, at the foot of their hexes, or at the head where the
        number is below."""
        for step in self.steps if last is None else self.steps[: last.order]:
            if step.tile is None:
                continue
            _, middle = self.middle(step.at, step.rotation)
            for at in tile_hexes(step.at, step.rotation):
                x, y = self.centre(at)
                base = y - 0.27 * _ACROSS if middle > y + 1 else y + 0.43 * _ACROSS
                yield f'<text class="name" x="{x:.1f}" y="{base:.1f}">{place_name(at, self.origin)}</text>'

    def view(self, last: Step | None) -> str:
        """The table within three hexes of a step, so that letters can be read on a phone; without a
        step, the whole map."""
        places = [*map(self.centre, occupied(self.log))]
        if last is not None:
            laid = (last.at,) if last.tile is None else tile_hexes(last.at, last.rotation)
            places = [*map(self.centre, laid)]
        room = (1.6 if last is None else 3.5) * _ACROSS
        left, top = (min(axis) - room for axis in zip(*places, strict=True))
        right, bottom = (max(axis) + room for axis in zip(*places, strict=True))
        return f"{left:.1f} {top:.1f} {right - left:.1f} {bottom - top:.1f}"

    def at(self, place: Axial) -> str:
        """The attribute that moves something to a hex."""
        x, y = self.centre(place)
        return f'transform="translate({x:.1f} {y:.1f})"'


def _number(number: int, x: float, y: float) -> str:
    """The number of a tile, in its middle."""
    return (
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="9" fill="#fff" stroke="none"/><text x="{x:.1f}" '
        f'y="{y + 4.6:.1f}" font-size="13" font-weight="700" text-anchor="middle" '
        f'font-family="sans-serif" stroke="none" fill="#111">{number}</text>'
    )


def _sign(shapes: Iterable[Circle | Path]) -> str:
    """A sign of a hex as SVG."""
    drawn = []
    for shape in shapes:
        if isinstance(shape, Circle):
            tag = f'<circle r="{shape.r:.2f}"'
        else:
            path = " ".join(
                f"{name}{' '.join(f'{number:.2f}' for number in at)}"
                for name, *at in shape.commands
            )
            tag = f'<path d="{path}"'
        fill = "none" if shape.fill is None else shape.fill.hex
        stroke = "none" if shape.stroke is None else shape.stroke.ink.hex
        drawn.append(f'{tag} fill="{fill}" stroke="{stroke}" stroke-width="1"/>')
    return "".join(drawn)
