"""Drawn faces of the pieces of a title, ready for other programs' files; the pieces as they lie on
a table, in piles, and piles in areas; and the pieces as lists for web tables."""

from __future__ import annotations

import csv
import io
import json
import math
import re
import unicodedata
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from html import escape
from itertools import groupby
from operator import call
from string import Formatter
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from msgspec import Struct, field
from msgspec.structs import replace

from platelayer.foundation.door import distinct, is_safe_path
from platelayer.foundation.geometry import MM_PER_INCH
from platelayer.foundation.languages import FixedWords
from platelayer.foundation.pool import share_out
from platelayer.foundation.problems import CannotRun, Problem
from platelayer.foundation.text import Text, suggestion
from platelayer.foundation.values import Frozen
from platelayer.imposition.tiling import Grid, grids, pixels_of, sheet_of
from platelayer.model.described import LETTERS
from platelayer.model.kinds import (
    BOARDS,
    CARDS,
    HEXES,
    KINDS,
    PLAY,
    SHEETS,
    Form,
    Piece,
    piece_size,
)
from platelayer.model.manifest import Manifest, build_manifest
from platelayer.model.title import Title
from platelayer.pipeline.job import BuildOptions, choose
from platelayer.pipeline.load import Reference, read_to_print
from platelayer.render.scenes import PAINTERS
from platelayer.scene.paths import Digester
from platelayer.scene.shapes import Scene

if TYPE_CHECKING:
    from platelayer.definitions.titles import Loaded
    from platelayer.drawing.kit.style import Style
    from platelayer.pipeline.job import Progress

FRONT, BACK = "front", "back"
# Content of a file, or a function that paints it.
File = bytes | Callable[[], bytes]


class Choice(Frozen, kw_only=True):
    """Content of an export: a title, its manifest, and the chosen pieces with the number of copies
    to export. `loaded` is the title as it was read."""

    loaded: Loaded
    title: Title
    manifest: Manifest
    pieces: tuple[Piece, ...]
    style: Style
    problems: tuple[Problem, ...] = ()

    @property
    def language(self) -> str:
        """Language of the export."""
        return self.style.language

    def name(self, piece: Piece) -> str:
        """Return the name of a piece, on one line."""
        return " ".join(self.style.words(piece.name).split())


class Face(Frozen, kw_only=True):
    """One face of one piece. `label` is "front", "front-2" ... (for charts of several pages) or
    "back"."""

    piece: Piece
    label: str
    scene: Scene

    @property
    def size_mm(self) -> tuple[float, float]:
        """Width and height of the face."""
        return self.scene.width_mm, self.scene.height_mm


def chosen(reference: Reference, options: BuildOptions) -> Choice:
    """Return the title and the requested pieces. Raises ProblemsFound for a definition with errors,
    CannotRun for pieces that do not exist."""
    from platelayer.imposition.paper import with_sizes

    loaded, problems, style = read_to_print(reference, options)
    title = with_sizes(loaded.title, build_manifest(loaded.title), options.sizes)
    manifest = build_manifest(title)
    try:
        pieces = choose(title, manifest, options)
    except CannotRun as error:
        raise CannotRun(str(error).replace("pieces:", "only:", 1)) from error
    return Choice(
        loaded=loaded,
        title=title,
        manifest=manifest,
        pieces=pieces,
        style=style,
        problems=tuple(problems),
    )


def faces(choice: Choice) -> Iterator[tuple[Face, ...]]:
    """Yield the faces of each piece: fronts first, then the back if there is one."""
    from platelayer.pipeline.faces import Sources, drawn_faces
    from platelayer.rules.graph import upgrade_graph

    graph = upgrade_graph(choice.title)
    sources = Sources(title=choice.title, manifest=choice.manifest, style=choice.style, graph=graph)
    for piece in choice.pieces:
        (fronts, back), _ = drawn_faces(sources, piece, choice.style)
        labels = [FRONT, *(f"{FRONT}-{number}" for number in range(2, len(fronts) + 1))]
        shown = [
            Face(piece=piece, label=label, scene=scene)
            for label, scene in zip(labels, fronts, strict=True)
        ]
        yield (*shown, *([Face(piece=piece, label=BACK, scene=back)] if back is not None else ()))


def picture(scene: Scene, pixels: tuple[int, int]) -> bytes:
    """Return a scene as a PNG of exactly this size, stretched if necessary. Raises CannotRun if PNG
    cannot be painted."""
    from platelayer.render.png import render_png
    from platelayer.scene.shapes import Group

    # The unit of the scaled scene is the pixel; painters would keep the original proportions.
    width, height = map(float, pixels)
    scaled = Group(
        scene.items,
        matrix=(width / scene.width_mm, 0.0, 0.0, height / scene.height_mm, 0.0, 0.0),
    )
    whole = replace(
        scene, width_mm=width, height_mm=height, items=(scaled,), bleed_mm=0.0, outline=None
    )
    return render_png(whole, dpi=width / scene.width_mm * MM_PER_INCH, pixels=pixels)


def painted(
    files: Mapping[str, File],
    processes: int,
    progress: Progress = lambda _stage, _done, _of: None,
) -> dict[str, bytes]:
    """Return the files with their content, painted in several processes. Raises whatever painting
    raises."""
    tasks = {name: file for name, file in files.items() if callable(file)}
    done = 0

    def report(_task: object) -> None:
        nonlocal done
        done += 1
        progress("painting", done, len(tasks))

    paintings = share_out(call, list(tasks.values()), processes=processes, done=report)
    return {**files, **dict(zip(tasks, paintings, strict=True))}  # type: ignore[dict-item]


def cut_picture(scene: Scene, pixels: tuple[int, int]) -> bytes:
    """Return one face as a PNG, cut along its outline, or on white paper if it is a rectangle."""
    return picture(on_paper(scene), pixels)


def on_paper(scene: Scene) -> Scene:
    """Return a face without its bleed. Rectangles lie on white paper, because charts paint no
    ground."""
    from platelayer.imposition.tiling import cut_out
    from platelayer.scene.inks import WHITE
    from platelayer.scene.shapes import Path, rectangle_path

    if scene.outline is not None:
        return replace(scene, items=(cut_out(scene),), bleed_mm=0.0)
    # Paper extends beyond the picture: if it ended at the edge, the last pixels would be half
    # transparent.
    paper = rectangle_path(-1, -1, scene.width_mm + 2, scene.height_mm + 2)
    return replace(scene, items=(Path(paper, fill=WHITE), *scene.items), bleed_mm=0.0)


# A file for each face of each piece, and sheets of sprites.


# Fields of a pattern, in braces.
FIELDS = ("title", "kind", "id", "face", "name", "group", "count", "language")
PATTERN = "{kind}-{id}-{face}"

# Maximum length of each part of a path, leaving room for a suffix: file systems allow 255.
_MOST_BYTES = 240
_FORBIDDEN = re.compile(r'[<>:"/\\|?*\x00-\x1f\x7f]')


def check_pattern(pattern: str) -> None:
    """Raise CannotRun for a pattern that is malformed or has an unknown field."""
    try:
        parts = list(Formatter().parse(pattern))
    except ValueError as error:
        raise CannotRun(
            f"name: {pattern!r} is not a pattern ({error}); write e.g. {PATTERN}"
        ) from error
    fields = [(name, form, conversion) for _, name, form, conversion in parts if name is not None]
    for name, form, conversion in fields:
        if name not in FIELDS:
            hint = suggestion(name, FIELDS) or f"fields are {', '.join(FIELDS)}"
            raise CannotRun(f"name: there is no field {{{name}}}; {hint}")
        if form or conversion:
            raise CannotRun(f"name: a field is only its name in braces, {{{name}}}")
    if not fields:
        raise CannotRun(
            f"name: {pattern!r} has no field, so all files would have the same name; write e.g. {PATTERN}"
        )
    if pattern.startswith("/") or any(part in ("", ".", "..") for part in pattern.split("/")):
        raise CannotRun(f"name: {pattern!r} leads out of the folder, or to no file")


def file_name(pattern: str, fields: Mapping[str, str]) -> str:
    """Return the file name of a pattern, without a suffix. A slash in the pattern makes a folder.
    In fields, slashes and other characters that some systems forbid become "_"."""
    filled = pattern.format_map({key: _FORBIDDEN.sub("_", value) for key, value in fields.items()})
    parts = []
    for part in unicodedata.normalize("NFC", filled).split("/"):
        plain = part.rstrip(" .") or "_"
        parts.append(plain if is_safe_path(plain) else f"_{plain}")
    return "/".join(parts)


def check_names(names: Sequence[tuple[str, str]]) -> None:
    """Raise CannotRun if two faces have the same name, ignoring case, or if a name is too long.
    `names` pairs each name with a description of the face."""
    taken: dict[str, str] = {}
    for name, whose in names:
        if any(len(part.encode()) > _MOST_BYTES for part in name.split("/")):
            raise CannotRun(
                f"name: the name of {whose} would have more than {_MOST_BYTES} bytes: {name[:60]}..."
            )
        folded = unicodedata.normalize("NFC", name).casefold()
        if folded in taken:
            raise CannotRun(
                f"name: {taken[folded]} and {whose} would have the same name, {name}; use e.g. {PATTERN}"
            )
        taken[folded] = whose


Rectangle = tuple[int, int, int, int]


def atlas_json(
    image: str, size_px: tuple[int, int], frames: Mapping[str, Rectangle], counts: Mapping[str, int]
) -> bytes:
    """Return the atlas of one picture. `frames` has left, top, width and height in pixels by name,
    `counts` the number of copies in the box by name."""
    value = {
        "frames": {name: _frame(frame) | {"count": counts[name]} for name, frame in frames.items()},
        "meta": {
            "app": "Platelayer",
            "version": "1",
            "image": image,
            "format": "RGBA8888",
            "size": {"w": size_px[0], "h": size_px[1]},
            "scale": "1",
        },
    }
    return (json.dumps(value, ensure_ascii=False, indent=1) + "\n").encode()


def _frame(frame: Rectangle) -> dict[str, object]:
    x, y, width, height = frame
    return {
        "frame": {"x": x, "y": y, "w": width, "h": height},
        "rotated": False,
        "trimmed": False,
        "spriteSourceSize": {"x": 0, "y": 0, "w": width, "h": height},
        "sourceSize": {"w": width, "h": height},
    }


# Maximum side of an image: every graphics card supports it, and Tabletop Simulator advises it
# ("Asset Creation": keep images under 4096 x 4096).
MOST_PX = 4096


class PictureOptions(Frozen, kw_only=True):
    """Options of pictures: file name pattern, file types, and pixels per inch."""

    name: str = PATTERN
    kinds: tuple[str, ...] = ("png",)
    dpi: int = 300


def _named(choice: Choice, pattern: str) -> list[tuple[str, Face]]:
    """Return every face with its file name. Raises CannotRun for names that clash or are too
    long."""
    check_pattern(pattern)
    named = []
    taken: set[str] = set()
    for every in faces(choice):
        for face in every:
            piece = face.piece
            fields = {
                "title": choice.title.id,
                "kind": piece.kind,
                "id": piece.id,
                "face": face.label,
                "name": choice.name(piece),
                "group": piece.group or piece.kind,
                "count": str(piece.count),
                "language": choice.language,
            }
            name = file_name(pattern, fields)
            # Ids may differ only in case, so the default pattern numbers names that clash; with any
            # other pattern, a clash is an error.
            named.append((distinct(name, taken) if pattern == PATTERN else name, face))
    check_names([(name, f"{face.piece.key} {face.label}") for name, face in named])
    return named


def piece_files(choice: Choice, options: PictureOptions) -> dict[str, File]:
    """Return a file for each face and each file type."""
    from platelayer.render.scenes import PAINTERS

    for kind in options.kinds:
        if f".{kind}" not in PAINTERS:
            known = ", ".join(suffix.removeprefix(".") for suffix in PAINTERS)
            raise CannotRun(f"kinds: there is no kind of picture {kind!r}; use {known}")
    files: dict[str, File] = {}
    for name, face in _named(choice, options.name):
        label = f"{choice.style.words(choice.title.name)}: {choice.name(face.piece)}, {face.label}"
        for kind in options.kinds:
            scene = face.scene if kind == "pdf" else on_paper(face.scene)
            files[f"{name}.{kind}"] = partial(
                PAINTERS[f".{kind}"], scene, label=label, dpi=options.dpi, bleed=False
            )
    return files


def sprite_files(choice: Choice, options: PictureOptions) -> dict[str, File]:
    """Return sheets of sprites, each with its atlas: one sheet for each kind and size of piece, or
    several."""
    named = _named(choice, options.name)
    counts = {name: face.piece.count for name, face in named}
    files: dict[str, File] = {}
    for stem, group in _groups(named):
        size_mm = group[0][1].size_mm
        cell = pixels_of(size_mm, options.dpi, MOST_PX)
        square = math.ceil(math.sqrt(len(group) * cell[1] / cell[0])), len(group)
        start = 0
        for number, grid in enumerate(grids(len(group), cell, square, MOST_PX), 1):
            here = group[start : start + grid.columns * grid.rows]
            start += len(here)
            name = stem if len(group) == len(here) else f"{stem}-{number}"
            scene = sheet_of(name, [face.scene for _, face in here], grid, size_mm)
            files[f"{name}.png"] = partial(picture, scene, grid.size_px)
            frames = {
                entry: (*grid.corner_px(index), *cell) for index, (entry, _) in enumerate(here)
            }
            files[f"{name}.json"] = atlas_json(f"{name}.png", grid.size_px, frames, counts)
    return files


def _groups(named: list[tuple[str, Face]]) -> Iterator[tuple[str, list[tuple[str, Face]]]]:
    """Yield faces of the same kind and size with a file name. If a kind has several sizes, the size
    is part of the name of all but the first."""
    by_size: dict[tuple[str, tuple[float, float]], list[tuple[str, Face]]] = {}
    for name, face in named:
        size = (round(face.size_mm[0], 3), round(face.size_mm[1], 3))
        by_size.setdefault((face.piece.kind, size), []).append((name, face))
    seen = set()
    for (kind, size), group in by_size.items():
        stem = re.sub(r"[^A-Za-z0-9.-]", "_", kind)
        yield f"{stem}-{size[0]:g}x{size[1]:g}" if kind in seen else stem, group
        seen.add(kind)


# A web page that shows a title: its maps, and every piece in the box, by kind.

page_words = FixedWords("page")
_join = FixedWords("lists")

# Scale of pieces (False) and boards (True) on the page, if there is room.
_PX_PER_MM = {False: 2.6, True: 5.0}
_STYLE = """\
:root { color-scheme: light dark;
  --ground: #f6f4ee; --text: #1c1b19; --soft: #5c5850; --line: #cfc9bb; --link: #7a2e1d; }
@media (prefers-color-scheme: dark) {
  :root { --ground: #1b1c1e; --text: #eceae4; --soft: #aeaaa0; --line: #45464a; --link: #f0a58f; }
}
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1.5rem clamp(0.75rem, 3vw, 2.5rem) 4rem; max-width: 100rem;
  font: 1rem/1.5 system-ui, sans-serif; color: var(--text); background: var(--ground); }
header { border-bottom: 1px solid var(--line); padding-bottom: 1rem; }
h1 { font-size: clamp(1.8rem, 5vw, 3rem); line-height: 1.15; margin: 0; overflow-wrap: anywhere; }
h2 { font-size: 1.4rem; margin: 2.5rem 0 1rem; }
h2 small { font-weight: normal; font-size: 1rem; color: var(--soft); }
header p, figcaption, footer { color: var(--soft); margin: 0.3rem 0; }
nav ul { list-style: none; display: flex; flex-wrap: wrap; gap: 0.3rem 1.1rem; padding: 0; margin: 1rem 0 0; }
a { color: var(--link); }
.pieces { display: flex; flex-wrap: wrap; align-items: flex-end; gap: 1.4rem; }
figure { margin: 0; max-width: 100%; min-width: 6.5rem; }
.faces { display: flex; flex-wrap: wrap; align-items: flex-end; justify-content: center; gap: 0.5rem; }
figure.board .faces { justify-content: start; gap: 1rem; }
img { display: block; max-width: 100%; height: auto; filter: drop-shadow(0 0 1px var(--soft)); }
figure.board img { width: auto; max-height: 92vh; }
figcaption { font-size: 0.85rem; overflow-wrap: anywhere; text-align: center; width: 0; min-width: 100%; }
figure.board figcaption { text-align: left; }
footer { border-top: 1px solid var(--line); margin-top: 3rem; padding-top: 0.5rem; }
@media (max-width: 30rem) { .pieces { gap: 1rem 0.7rem; } }
@media print { a { color: inherit; text-decoration: none; } figure { break-inside: avoid; } }
"""


def page_files(choice: Choice) -> dict[str, bytes]:
    """Return `index.html`, its style sheet and its pictures. The page needs no scripts and loads
    nothing from other sites; all text is escaped."""
    page = _Page(choice)
    shown = [
        tuple(face for face in every if face.label != BACK or face.piece.back == PLAY)
        for every in faces(choice)
    ]
    pictures = {page.address(face): page.picture(face) for every in shown for face in every}
    return {"index.html": page.document(shown).encode(), "page.css": _STYLE.encode(), **pictures}


def _is_board(piece: Piece) -> bool:
    return KINDS[piece.kind].sort in (BOARDS, SHEETS)


class _Page:
    """Parts of a title's web page."""

    def __init__(self, choice: Choice) -> None:
        self.choice = choice
        self._addresses: dict[tuple[str, str], str] = {}
        self._taken: set[str] = set()

    def words(self, text: Text, *parts: object) -> str:
        """Return a text in the page's language, on one line."""
        return " ".join(self.choice.style.words(text, *parts).split())

    def address(self, face: Face) -> str:
        """Return the path of a face's picture."""
        key = face.piece.key, face.label
        if key not in self._addresses:
            parts = {"kind": face.piece.kind, "id": face.piece.id, "face": face.label}
            name = distinct(file_name(PATTERN, parts), self._taken)
            self._addresses[key] = f"pictures/{name}.svg"
        return self._addresses[key]

    def label(self, face: Face) -> str:
        """Return a description of a face for readers who do not see the picture."""
        name = self.choice.name(face.piece)
        kind = self.words(KINDS[face.piece.kind].name)
        whole = name if name == kind else self.words(_join("lead"), kind, name)
        if face.label == BACK:
            return self.words(page_words("back"), whole)
        number = face.label.removeprefix(f"{FRONT}-")
        return whole if number == FRONT else self.words(page_words("sheet"), whole, number)

    def picture(self, face: Face) -> bytes:
        """Return a face as SVG, cut to its outline."""
        return PAINTERS[".svg"](on_paper(face.scene), label=self.label(face), dpi=0, bleed=False)

    def document(self, shown: list[tuple[Face, ...]]) -> str:
        """Return the whole page as HTML."""
        title = self.choice.title
        name = escape(self.words(title.name))
        kinds = [
            (kind, list(every))
            for kind, every in groupby(shown, key=lambda every: every[0].piece.kind)
        ]
        links = "".join(
            f'<li><a href="#{kind}">{escape(self.words(KINDS[kind].name))}</a></li>\n'
            for kind, _ in kinds
        )
        facts = "".join(f"<p>{escape(fact)}</p>\n" for fact in self.facts())
        return (
            f'<!DOCTYPE html>\n<html lang="{escape(self.choice.language)}">\n<head>\n<meta charset="utf-8">\n'
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
            f'<title>{name}</title>\n<link rel="stylesheet" href="page.css">\n</head>\n<body>\n'
            f"<header>\n<h1>{name}</h1>\n{facts}"
            f'<nav aria-label="{escape(self.words(page_words("contents")))}">\n<ul>\n{links}</ul>\n</nav>\n</header>\n'
            f"<main>\n{''.join(self.section(kind, every) for kind, every in kinds)}</main>\n"
            f"<footer>{escape(self.words(page_words('made')))}</footer>\n</body>\n</html>\n"
        )

    def facts(self) -> Iterator[str]:
        """Yield the lines below the name."""
        title = self.choice.title
        if title.subtitle:
            yield self.words(title.subtitle)
        yield from (
            self.words(variant.name) for variant in title.variants if variant.id == title.variant
        )
        numbers = [entry.players for entry in title.players]
        facts = []
        if numbers:
            facts.append(
                self.words(
                    page_words("players"),
                    "–".join(map(str, dict.fromkeys((min(numbers), max(numbers))))),
                )
            )
        if title.bank:
            facts.append(self.words(page_words("bank"), title.money(title.bank)))
        if facts:
            yield " · ".join(facts)
        yield from map(self.words, title.credits)

    def section(self, kind: str, shown: list[tuple[Face, ...]]) -> str:
        """Return the section with all pieces of a kind."""
        pieces = [every[0].piece for every in shown]
        count = (
            "" if any(piece.unlimited for piece in pieces) else sum(piece.count for piece in pieces)
        )
        copies = f" <small>× {count}</small>" if count not in ("", 1) else ""
        figures = "".join(map(self.figure, shown))
        return (
            f'<section id="{kind}">\n<h2>{escape(self.words(KINDS[kind].name))}{copies}</h2>\n'
            f'<div class="pieces">\n{figures}</div>\n</section>\n'
        )

    def figure(self, shown: tuple[Face, ...]) -> str:
        """Return a piece as a figure: its faces, its name, and the number of copies."""
        piece = shown[0].piece
        board = ' class="board"' if _is_board(piece) else ""
        count = f" × {piece.count}" if piece.count != 1 and not piece.unlimited else ""
        pictures = "".join(map(self.image, shown))
        return (
            f'<figure id="{escape(piece.key)}"{board}>\n<div class="faces">\n{pictures}</div>\n'
            f"<figcaption>{escape(self.choice.name(piece))}{count}</figcaption>\n</figure>\n"
        )

    def image(self, face: Face) -> str:
        """Return a picture that links to its full size."""
        address = quote(self.address(face))
        width, height = (
            round(length * _PX_PER_MM[_is_board(face.piece)]) for length in face.size_mm
        )
        return (
            f'<a href="{address}"><img src="{address}" width="{width}" height="{height}" loading="lazy" '
            f'alt="{escape(self.label(face))}"></a>\n'
        )


# Areas of the table, one for companies' own pieces and one for each other sort of piece, with the
# maximum width of a row.
COMPANIES = "companies"
_WIDEST_MM = {BOARDS: 1524.0, COMPANIES: 1524.0, CARDS: 711.2, HEXES: 2133.6}
# Maximum length of a column of companies.
_LONGEST_MM = 1219.2
_GAP_MM, _BETWEEN_MM = 20.32, 76.2

Faces = tuple[Face, ...]


class Pile(Frozen, kw_only=True):
    """Stacked pieces, the first on top, each with its faces: a board, a charter, a tile, the tokens
    of a company, or a deck. `area` and `row` say where the pile lies on the table."""

    name: str
    pieces: tuple[Faces, ...]
    area: str
    row: str = ""

    @property
    def first(self) -> Face:
        """Front of the top piece."""
        return self.pieces[0][0]

    @property
    def is_deck(self) -> bool:
        """True for cards, which have rectangular backs."""
        return KINDS[self.first.piece.kind].is_card


def back_of(sides: Faces) -> Face | None:
    """Return the back of a piece; None if it has none."""
    return sides[-1] if sides[-1].label == BACK else None


def piles(choice: Choice) -> list[Pile]:
    """Return boards, the largest first, then charters, discs, hexes and decks. The discs of a
    company form one pile, and so do its certificates of one kind and size; other cards are piled
    by kind and size."""
    found: dict[str, dict[object, list[Faces]]] = {
        name: {} for name in ("flat", "disc", "hex", "card")
    }
    boards = []
    for sides in faces(choice):
        piece, kind = sides[0].piece, KINDS[sides[0].piece.kind]
        if kind.is_card:
            size = tuple(round(side, 3) for side in sides[0].size_mm)
            # Certificates of a company form one pile, and so do all other cards.
            own = len(piece.origin) > 2 and piece.origin[1] in choice.title.company_by_id
            key = (piece.kind, size, piece.origin[1] if own else "")
            found["card"].setdefault(key, []).append(sides)
        elif not kind.has_back:
            name = choice.name(piece)
            boards += [
                Pile(name=name, pieces=((face,),), area=BOARDS)
                for face in sides
                if face.label != BACK
            ]
        elif kind.form is Form.HEXAGON:
            found["hex"][piece.key] = [sides]
        elif kind.form is Form.DISC:
            found["disc"].setdefault(piece.origin[:2], []).append(sides)
        else:
            found["flat"][piece.key] = [sides]
    boards.sort(key=lambda pile: -pile.first.size_mm[0] * pile.first.size_mm[1])
    groups = [tuple(pieces) for form in found.values() for pieces in form.values()]
    return [*boards, *(_pile(choice, pieces) for pieces in groups)]


def _pile(choice: Choice, pieces: tuple[Faces, ...]) -> Pile:
    """Return a pile of pieces other than boards, in the area and row of the company or kind to
    which they belong."""
    piece = pieces[0][0].piece
    kind, companies = KINDS[piece.kind], choice.title.company_by_id
    company = companies.get(piece.origin[1]) if len(piece.origin) > 1 else None
    name = choice.name(piece)
    if kind.is_card:
        company = company if len(piece.origin) > 2 else None
        name = choice.style.words(kind.name if company is None else company.name)
    area, row = CARDS, piece.kind
    if kind.form is Form.HEXAGON and not kind.is_card:
        area, row = HEXES, f"{piece.kind}/{piece.group}"
    elif company is not None and company.has_charter:
        area, row = COMPANIES, company.id
    return Pile(name=name, pieces=pieces, area=area, row=row)


class Item(Frozen, kw_only=True):
    """Object of another program without its position: its data, its width and height, its area, and
    its row within the area."""

    data: Any
    size_mm: tuple[float, float]
    area: str = CARDS
    row: str = ""


class Area(Frozen, kw_only=True):
    """Items with the positions of their centres, measured right and down from the upper left corner
    of the area, in mm."""

    places: tuple[tuple[Item, float, float], ...]
    width: float
    height: float


def areas(items: Sequence[Item]) -> dict[str, Area]:
    """Return all areas by name. Rows lie below each other and wrap if they get too wide; companies
    continue in a new column."""
    return {area: _area(area, [item for item in items if item.area == area]) for area in _WIDEST_MM}


def _area(area: str, items: Sequence[Item]) -> Area:
    rows: dict[str, list[Item]] = {}
    for item in items:
        rows.setdefault(item.row, []).append(item)
    places = []
    left, y, width, height = 0.0, 0.0, 0.0, 0.0
    for row in rows.values():
        deepest = max(item.size_mm[1] for item in row)
        if area == COMPANIES and y and y + deepest > _LONGEST_MM:
            left, y = width + _BETWEEN_MM, 0.0
        x, deepest = left, 0.0
        for item in row:
            across, along = item.size_mm
            if x > left and x + across - left > _WIDEST_MM[area]:
                x, y, deepest = left, y + deepest + _GAP_MM, 0.0
            places.append((item, x + across / 2, y + along / 2))
            width, deepest = max(width, x + across), max(deepest, along)
            x += across + _GAP_MM
        height = max(height, y + deepest)
        y += deepest + _GAP_MM
    return Area(places=tuple(places), width=width, height=height)


class Sheet(Frozen, kw_only=True):
    """Pieces of one size in the cells of a picture. `back` is the back that they share, or `backs`
    a picture with the back of each piece in the same cell."""

    pieces: tuple[Faces, ...]
    grid: Grid
    fronts: Scene
    back: Face | None = None
    backs: Scene | None = None


def sheets(
    pieces: Sequence[Faces], dpi: float, most: tuple[int, int], first: int = 1
) -> Iterator[Sheet]:
    """Yield sheets of pieces of one size, with at most `most` columns and rows, numbered from
    `first`."""
    size, start = pieces[0][0].size_mm, 0
    cell = pixels_of((round(size[0], 3), round(size[1], 3)), dpi, MOST_PX)
    for number, grid in enumerate(grids(len(pieces), cell, most, MOST_PX), first):
        here = tuple(pieces[start : start + grid.columns * grid.rows])
        start += len(here)
        fronts = sheet_of(f"sheet:{number}", [sides[0].scene for sides in here], grid, size)
        backs = None
        if any(map(back_of, here)) and len({sides[-1].scene.key for sides in here}) > 1:
            backs = sheet_of(f"backs:{number}", [sides[-1].scene for sides in here], grid, size)
        back = None if backs else back_of(here[0])
        yield Sheet(pieces=here, grid=grid, fronts=fronts, back=back, backs=backs)


class Gallery(Struct, kw_only=True):
    """Pictures to paint, by file name; identical pictures are stored once. `letters` are the
    letters allowed in file names, as in a regular expression; `address` turns a file name into
    the reference that pieces use."""

    dpi: int
    prefix: str = ""
    letters: str = "A-Za-z0-9"
    address: Callable[[str], str] = str
    files: dict[str, Callable[[], bytes]] = {}
    _known: dict[tuple[object, tuple[int, int]], str] = {}
    _digester: Digester = field(default_factory=Digester)
    _taken: set[str] = set()

    def keep(self, stem: str, scene: Scene, pixels: tuple[int, int]) -> str:
        """Add the picture of a scene in this size, unless it is there already, and return its
        address."""
        shown = self._digester.scene(scene), pixels
        if shown not in self._known:
            plain = re.sub(f"[^{self.letters}.+-]", "_", f"{self.prefix}{stem}")
            name = f"{distinct(plain, self._taken)}.png"
            self._known[shown] = self.address(name)
            self.files[name] = partial(picture, scene, pixels)
        return self._known[shown]

    def face(self, face: Face) -> str:
        """Add the picture of one face, unless it is there already, and return its address."""
        piece = face.piece
        pixels = pixels_of(face.size_mm, self.dpi, MOST_PX)
        return self.keep(f"{piece.kind}-{piece.id}-{face.label}", on_paper(face.scene), pixels)


def zipped(files: Mapping[str, bytes]) -> bytes:
    """Return an archive of files. It has no dates, so that the same files give the same bytes."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, data in files.items():
            info = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            info.external_attr, info.create_system = 0o644 << 16, 3
            is_picture = name.endswith(".png")
            info.compress_type = zipfile.ZIP_STORED if is_picture else zipfile.ZIP_DEFLATED
            archive.writestr(info, data)
    return out.getvalue()


# Lists of pieces, and pictures for web tables with the list that their upload needs.


# Marks a table as UTF-8 for spreadsheets.
BYTE_ORDER_MARK = "\ufeff"
_COLUMNS = ("kind", "id", "name", "group", "count", "shape", "width_mm", "height_mm", "back")
_UPLOADED = ("kind", "id", "name", "count", "width_mm", "height_mm", "front", "back")
_CELLS = ("columns", "rows", "cell")
_FORMULA = re.compile(r"['\s]*[=+\-@\t\r\n＝＋－＠]")


def pieces_csv(title: Title, named: Iterable[tuple[Piece, str]]) -> str:
    """Return a table with a row for each distinct piece; pieces come with their names (RFC 4180).
    The width and height of a hex are both the distance between opposite edges, those of a disc
    its diameter; boards that are as large as their contents have neither. `back` is play, plain
    or empty."""
    out = io.StringIO(newline="")
    table = csv.writer(out)
    table.writerow(_COLUMNS)
    for piece, name in named:
        kind = KINDS[piece.kind]
        shape = width = height = ""
        try:
            size = piece_size(title, piece.kind, piece.id, piece.size or None)
        except KeyError:
            size = None
        is_map = kind.form is Form.HEXAGON and not kind.has_back  # whose size is that of its hexes
        if size is not None and not is_map:
            shape, width, height = kind.form.value, f"{size.width_mm:g}", f"{size.height_mm:g}"
        words = map(cell, (piece.kind, piece.id, name, piece.group))
        table.writerow((*words, piece.count, shape, width, height, piece.back))
    return out.getvalue()


def cell(words: str) -> str:
    """Return words for a cell of a table, with a ' in front of words that a spreadsheet would take
    for a formula (OWASP, "CSV Injection"). Words that already begin with ' get another only in
    that case, so that a reader can remove it again."""
    return f"'{words}" if _FORMULA.match(words) else words


def upload_files(choice: Choice, dpi: int, *, sheeted: bool) -> dict[str, File]:
    """Return pictures of all pieces, and `pieces.csv` with the number of copies, the size and the
    pictures of each.

    If sheeted, as for Screentop: one sheet without gaps of the fronts of each kind and size, and
    one of their backs in the same order. Otherwise, as for Tabletopia: one picture for each face,
    with the same number of pixels for all of a kind and size.
    """
    gallery = Gallery(dpi=dpi, letters=LETTERS)
    by_size: dict[tuple[str, tuple[float, ...]], list[Faces]] = {}
    for sides in (sides for pile in piles(choice) for sides in pile.pieces):
        size = tuple(round(side, 3) for side in sides[0].size_mm)
        by_size.setdefault((sides[0].piece.kind, size), []).append(sides)
    rows = []
    numbers: dict[str, int] = {}
    for (kind, size), group in by_size.items():
        if not sheeted:
            for sides in group:
                back = back_of(sides)
                faces = gallery.face(sides[0]), gallery.face(back) if back is not None else ""
                rows.append((*_upload(choice, sides, size), *faces))
            continue
        cell_px = pixels_of((size[0], size[1]), dpi, MOST_PX)
        square = math.ceil(math.sqrt(len(group) * cell_px[1] / cell_px[0]))
        for sheet in sheets(group, dpi, (square, len(group))):
            numbers[kind] = numbers.get(kind, 0) + 1
            stem = kind if numbers[kind] == 1 else f"{kind}-{numbers[kind]}"
            front, behind = gallery.keep(stem, sheet.fronts, sheet.grid.size_px), ""
            if sheet.backs is not None:
                behind = gallery.keep(f"{stem}-backs", sheet.backs, sheet.grid.size_px)
            elif sheet.back is not None:
                behind = gallery.keep(f"{stem}-back", on_paper(sheet.back.scene), cell_px)
            grid = sheet.grid.columns, sheet.grid.rows
            rows += [
                (*_upload(choice, sides, size), front, behind, *grid, place)
                for place, sides in enumerate(sheet.pieces, 1)
            ]
    out = io.StringIO(newline="")
    table = csv.writer(out)
    table.writerow((*_UPLOADED, *(_CELLS if sheeted else ())))
    table.writerows(rows)
    return {**gallery.files, "pieces.csv": (BYTE_ORDER_MARK + out.getvalue()).encode()}


def _upload(choice: Choice, sides: Faces, size: Sequence[float]) -> tuple[object, ...]:
    """Return the columns of a piece except its pictures."""
    piece = sides[0].piece
    words = map(cell, (piece.kind, piece.id, choice.name(piece)))
    return (*words, piece.count, f"{size[0]:g}", f"{size[1]:g}")
