"""A list of pieces as CSV, and words of a title in Markdown and in tables."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable

from platelayer.model.kinds import KINDS, Form, Piece, piece_size
from platelayer.model.title import Title

_MARKS = re.compile(r"[\\`*\[\]<>|~&]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])|^(?=[#+-])")
_FORMULA = re.compile(r"['\s]*[=+\-@\t\r\n＝＋－＠]")


def markdown(words: str) -> str:
    """Words as Markdown shows them, on one line: none of them is a mark, a link or HTML."""
    return _MARKS.sub(lambda mark: f"\\{mark[0]}", " ".join(words.split()))


def cell(words: str) -> str:
    """Words as a cell of a table: before what a spreadsheet would take for a formula stands a '
    (OWASP, "CSV Injection"). Nothing else begins with ' and would be a formula without it, so a
    reader can take it away again."""
    return f"'{words}" if _FORMULA.match(words) else words


COLUMNS = ("kind", "id", "name", "group", "count", "shape", "width_mm", "height_mm", "back")


def pieces_csv(title: Title, named: Iterable[tuple[Piece, str]]) -> str:
    """A row for each distinct piece, which come with their names (RFC 4180). Boards that are as
    large as what they hold have no width and height. `back` says what the back is for: play, plain,
    or nothing where there is none."""
    out = io.StringIO(newline="")
    table = csv.writer(out)
    table.writerow(COLUMNS)
    for piece, name in named:
        width, height = _size(title, piece)
        shape = KINDS[piece.kind].form.value if width else ""
        words = [cell(text) for text in (piece.kind, piece.id, name, piece.group)]
        table.writerow((*words, piece.count, shape, width, height, piece.back))
    return out.getvalue()


def _size(title: Title, piece: Piece) -> tuple[str, str]:
    """Width and height; of hexes the distance from flat to flat, of discs the diameter, as both.
    The hexes of a map have a size, the map has none of its own."""
    try:
        size = piece_size(title, piece.kind, piece.id, piece.size or None)
    except KeyError:
        return "", ""
    kind = KINDS[piece.kind]
    of_its_hexes = kind.form is Form.HEXAGON and not kind.has_back
    return ("", "") if of_its_hexes else (f"{size.width_mm:g}", f"{size.height_mm:g}")
