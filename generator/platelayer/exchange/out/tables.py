"""A list of pieces as CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable

from platelayer.exchange.out.escapes import cell
from platelayer.model.kinds import KINDS, Form
from platelayer.model.pieces import Piece
from platelayer.model.title import Title

COLUMNS = ("kind", "id", "name", "group", "count", "shape", "width_mm", "height_mm", "back")


def pieces_csv(title: Title, named: Iterable[tuple[Piece, str]]) -> str:
    """A row for each distinct piece, which come with their names (RFC 4180). Boards that are as large as what they hold
    have no width and height. `back` says what the back is for: play, plain, or nothing where there is none."""
    out = io.StringIO(newline="")
    table = csv.writer(out)
    table.writerow(COLUMNS)
    for piece, name in named:
        width, height = _size(title, piece)
        shape = KINDS[piece.kind].form.value if width else ""
        words = [cell(each) for each in (piece.kind, piece.id, name, piece.group)]
        table.writerow((*words, piece.count, shape, width, height, piece.back))
    return out.getvalue()


def _size(title: Title, piece: Piece) -> tuple[str, str]:
    """Width and height; of hexes the distance from flat to flat, of discs the diameter, as both. The hexes of a map
    have a size, the map has none of its own."""
    try:
        size = title.pieces.size(piece.kind, piece.id, piece.size or None)
    except KeyError:
        return "", ""
    kind = KINDS[piece.kind]
    of_its_hexes = kind.form is Form.HEXAGON and not kind.has_back
    return ("", "") if of_its_hexes else (f"{size.width_mm:g}", f"{size.height_mm:g}")
