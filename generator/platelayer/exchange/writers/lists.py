"""Lists of pieces, and pictures for web tables with a list that says how they are entered there."""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Iterable, Sequence

from platelayer.exchange.writers.pictures import Choice, File, on_paper
from platelayer.exchange.writers.table import MOST_PX, Faces, Gallery, back_of, piles, sheets
from platelayer.imposition.tiling import pixels_of
from platelayer.model.described import LETTERS
from platelayer.model.kinds import KINDS, Form, Piece, piece_size
from platelayer.model.title import Title

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
