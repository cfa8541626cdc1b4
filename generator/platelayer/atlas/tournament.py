"""The same map for several tables: a cover for each, which seals the guide and holds a slip for the
result."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from platelayer.atlas.poster import map_name
from platelayer.drawing.kit.layout import Box, text_block
from platelayer.drawing.kit.rich_text import wrap_rich
from platelayer.drawing.kit.style import Style
from platelayer.foundation.languages import FixedWords
from platelayer.model.map_tiles import AtlasLog
from platelayer.model.title import Title
from platelayer.scene.shapes import Anchor, Item, Scene

atlas_words = FixedWords("atlas")

# Shares of the columns of a slip: seat, player, cash, shares, total, place.
_COLUMNS = (14.0, 0, 24.0, 24.0, 24.0, 16.0)
_HEADS = ("seat", "player", "cash", "shares", "total", "rank")
_ROW_MM, _HEAD_MM, _SIGN_MM = 11.0, 7.0, 16.0


def tables_pages(
    title: Title,
    log: AtlasLog,
    style: Style,
    guide: Sequence[Scene],
    *,
    count: int,
    seats: int | None,
) -> Iterator[Scene]:
    """Pages to print on both sides, an even number for each of `count` tables: a cover, key
    `atlas-table:1` and on, with lines for `seats` players (None: the most of the mode), and the
    pages of the guide. Covers do not name the map."""
    assert title.atlas is not None, "a map is of a title with map tiles"
    seats = seats or max(title.atlas.mode_by_id[log.mode].players)
    width, height = guide[0].width_mm, guide[0].height_mm
    game = f"{style.words(title.name)} – {map_name(log, style)}"
    for number in range(1, count + 1):
        page = Box(0, 0, width, height).inset(1.0)
        items = tuple(_cover(page, game, number, seats, style))
        label = style.words(atlas_words.table("tables_words")["table"], number)
        yield Scene(f"atlas-table:{number}", width, height, items, label=label)
        yield from guide
        if len(guide) % 2 == 0:
            yield Scene("atlas-table:blank", width, height, ())


def _cover(page: Box, game: str, number: int, seats: int, style: Style) -> Iterator[Item]:
    """The slip above the fold, to cut off, and the name of the table below it."""
    words = {
        key: style.words(text, number) for key, text in atlas_words.table("tables_words").items()
    }
    ink, red, hair = style.ink("text"), style.ink("map.title"), style.stroke("atlas.guide.hex")
    strong, body = style.type("atlas.guide.strong"), style.type("atlas.guide.setup")
    above, below = page.rows(0, 0, gap=16.0)
    head, _, names, rows, signs = above.rows(9.0, 4.0, _HEAD_MM, seats * _ROW_MM, 0)
    yield head.words(words["result"], style.type("atlas.guide.title"), red, Anchor.START)
    yield head.words(game, style.type("atlas.guide.game"), ink, Anchor.END)
    for box, key in zip(names.columns(*_COLUMNS), _HEADS, strict=True):
        yield box.words(words[key], strong, ink, Anchor.START, pad=1)
    grid = rows.grid(_COLUMNS, [_ROW_MM] * seats)
    for row in range(seats):
        for column in range(len(_COLUMNS)):
            yield grid[column, row].plate(stroke=hair)
        yield grid[0, row].words(str(row + 1), strong, ink)
    for box, key in zip(
        signs.rows(_SIGN_MM, 0)[0].columns(0, 0, gap=10.0), ("time", "signed"), strict=True
    ):
        yield box.rule(hair)
        yield box.words(words[key], strong, ink, Anchor.START)
    yield Box(page.x, page.middle[1], page.width, 0).rule(style.stroke("map.held"))
    _, name, plain, _, note, _ = below.rows(0, 34.0, 12.0, 8.0, 24.0, 0)
    yield name.words(words["table"], style.type("atlas.title"), red)
    yield plain.words(words["sealed"], style.type("atlas.project"), ink)
    lines = wrap_rich(words["fold"], body, 0.7 * page.width)
    yield note.centred(text_block(lines, body, ink, leading=1.25))
