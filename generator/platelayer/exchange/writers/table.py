"""Pieces of a game as they lie on a table: in piles, piles in areas, and their pictures; and as lists
for web tables."""

from __future__ import annotations

import csv
import io
import math
import re
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from msgspec import Struct, field

from platelayer.exchange.writers.pictures import BACK, Choice, Face, File, faces, on_paper, picture
from platelayer.foundation.door import distinct
from platelayer.foundation.values import Frozen
from platelayer.imposition.tiling import Grid, grids, pixels_of, sheet_of
from platelayer.model.described import LETTERS
from platelayer.model.kinds import KINDS, Form, Piece, piece_size
from platelayer.model.title import Title
from platelayer.scene.paths import Digester
from platelayer.scene.shapes import Scene

# A side of an image: what every graphics card takes, and Tabletop Simulator advises ("Asset
# Creation": keep images under 4096 x 4096).
MOST_PX = 4096

BOARDS, COMPANIES, CARDS, HEXES = "boards", "companies", "cards", "hexes"
# The greatest width of a row of an area.
_WIDEST_MM = {BOARDS: 1524.0, COMPANIES: 1524.0, CARDS: 711.2, HEXES: 2133.6}
# The greatest length of a column of companies.
_LONGEST_MM = 1219.2
_GAP_MM, _BETWEEN_MM = 20.32, 76.2

Faces = tuple[Face, ...]


class Pile(Frozen, kw_only=True):
    """Pieces that lie on each other, the first on top, each with its faces: a board, a charter, a
    tile, the tokens of a company, or a deck. `area` and `row` are its place on the table."""

    name: str
    pieces: tuple[Faces, ...]
    area: str
    row: str = ""

    @property
    def first(self) -> Face:
        """The front of the piece on top."""
        return self.pieces[0][0]

    @property
    def is_deck(self) -> bool:
        """True for cards, which have rectangular backs."""
        return KINDS[self.first.piece.kind].is_card


def back_of(sides: Faces) -> Face | None:
    """The back of a piece, if it has one."""
    return sides[-1] if sides[-1].label == BACK else None


def piles(choice: Choice) -> list[Pile]:
    """Boards, the largest first, then charters, discs, hexes and decks. The discs of a company are
    one pile, and so are its certificates; other cards are piled by kind and size."""
    found: dict[str, dict[object, list[Faces]]] = {
        name: {} for name in ("flat", "disc", "hex", "card")
    }
    boards = []
    for sides in faces(choice):
        piece, kind = sides[0].piece, KINDS[sides[0].piece.kind]
        if kind.is_card:
            size = tuple(round(side, 3) for side in sides[0].size_mm)
            # Certificates of a company lie together, and so do all other cards.
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
    """Pieces that are no boards, in the area and the row of what they belong to."""
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
    """An object of another program without its place: its data, its width and height, its area and
    within that its row."""

    data: Any
    size_mm: tuple[float, float]
    area: str = CARDS
    row: str = ""


class Area(Frozen, kw_only=True):
    """Items with the places of their middles, right and down from the upper left corner of the
    area, in mm."""

    places: tuple[tuple[Item, float, float], ...]
    width: float
    height: float


def areas(items: Sequence[Item]) -> dict[str, Area]:
    """All areas. Rows lie below each other, each broken where it gets too wide; companies go on in
    a new column."""
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
    """Pieces of one size in the cells of a picture. `back` is their common back, `backs` a picture
    with the back of each in the same cell."""

    pieces: tuple[Faces, ...]
    grid: Grid
    fronts: Scene
    back: Face | None = None
    backs: Scene | None = None


def sheets(
    pieces: Sequence[Faces], dpi: float, most: tuple[int, int], first: int = 1
) -> Iterator[Sheet]:
    """Sheets for pieces of one size, of at most `most` columns and rows, numbered from `first`."""
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
    """Pictures to paint, by file name; those that show the same are one. `letters` are those of
    file names, as in a regular expression; `address` makes of a file name what the pieces refer
    to."""

    dpi: int
    prefix: str = ""
    letters: str = "A-Za-z0-9"
    address: Callable[[str], str] = str
    files: dict[str, Callable[[], bytes]] = {}
    _known: dict[tuple[object, tuple[int, int]], str] = {}
    _digester: Digester = field(default_factory=Digester)
    _taken: set[str] = set()

    def keep(self, stem: str, scene: Scene, pixels: tuple[int, int]) -> str:
        """Return the address of the picture of a scene in this size."""
        shown = self._digester.scene(scene), pixels
        if shown not in self._known:
            plain = re.sub(f"[^{self.letters}.+-]", "_", f"{self.prefix}{stem}")
            name = f"{distinct(plain, self._taken)}.png"
            self._known[shown] = self.address(name)
            self.files[name] = partial(picture, scene, pixels)
        return self._known[shown]

    def face(self, face: Face) -> str:
        """Return the address of the picture of one face."""
        piece = face.piece
        pixels = pixels_of(face.size_mm, self.dpi, MOST_PX)
        return self.keep(f"{piece.kind}-{piece.id}-{face.label}", on_paper(face.scene), pixels)


def zipped(files: Mapping[str, bytes]) -> bytes:
    """An archive of files. It has no dates, so that it is always the same."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, data in files.items():
            info = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            info.external_attr, info.create_system = 0o644 << 16, 3
            is_picture = name.endswith(".png")
            info.compress_type = zipfile.ZIP_STORED if is_picture else zipfile.ZIP_DEFLATED
            archive.writestr(info, data)
    return out.getvalue()


# Lists of pieces, and pictures for web tables with a list that says how they are entered there.


# Tells spreadsheets that a table is UTF-8.
BYTE_ORDER_MARK = "\ufeff"
_COLUMNS = ("kind", "id", "name", "group", "count", "shape", "width_mm", "height_mm", "back")
_UPLOADED = ("kind", "id", "name", "count", "width_mm", "height_mm", "front", "back")
_CELLS = ("columns", "rows", "cell")
_FORMULA = re.compile(r"['\s]*[=+\-@\t\r\n＝＋－＠]")


def pieces_csv(title: Title, named: Iterable[tuple[Piece, str]]) -> str:
    """Return a row for each distinct piece, which come with their names (RFC 4180). Hexes have the distance between opposite
    edges as both width and height, discs the diameter, and boards that are as large as their
    contents neither. `back` is play, plain or nothing."""
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
    """Return words for a cell of a table, with a ' before what a spreadsheet would take for a
    formula (OWASP, "CSV Injection"). Of words that begin with ', only those get another, so that a
    reader can remove it again."""
    return f"'{words}" if _FORMULA.match(words) else words


def upload_files(choice: Choice, dpi: int, *, sheeted: bool) -> dict[str, File]:
    """Pictures of all pieces, and `pieces.csv`, which says how many there are of each, its size and
    its pictures.

    Sheeted, as for Screentop: a sheet of the fronts of each kind and size without gaps, and one of
    their backs in the same order. Else, as for Tabletopia: a picture for each face, all of a kind
    and size with the same number of pixels.
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
    """The columns of a piece without its pictures."""
    piece = sides[0].piece
    words = map(cell, (piece.kind, piece.id, choice.name(piece)))
    return (*words, piece.count, f"{size[0]:g}", f"{size[1]:g}")
