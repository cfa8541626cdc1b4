"""The back of the sheet of the initial round: phases, trains and the upgrade table."""

from __future__ import annotations

from contextlib import suppress

from platelayer.drawing.kit.parts import tile_ink
from platelayer.drawing.kit.style import Style
from platelayer.drawing.kit.table_stack import Head, Stack, stacked_card
from platelayer.drawing.kit.tables import Cell, Column, DoesNotFit, Swatches, Table, Words
from platelayer.drawing.kit.text_blocks import ASIDE, listed
from platelayer.drawing.train.phase_tables import CardTypes, Side, bonus_line, briefer_sides, phase_table, train_tables
from platelayer.foundation.languages import FixedWords
from platelayer.model.title import Title
from platelayer.scene.shapes import Scene

say = FixedWords("cards")


def draw_offer_back(title: Title, piece_id: str, style: Style) -> Scene:
    """Everything that the phases change, and the official table of upgrades by tile numbers; a star marks tiles that
    only an ability lays; less where that is too much for the sheet. Raises DoesNotFit."""
    *larger, least = briefer_sides(title)
    for side in larger:
        with suppress(DoesNotFit):
            return _drawn(title, piece_id, side, style)
    return _drawn(title, piece_id, least, style)


def _drawn(title: Title, piece_id: str, side: Side, style: Style) -> Scene:
    def stack(scale: float, pad: float, width: float) -> Stack:
        types = CardTypes.of(style, scale)
        tables = [phase_table(title, side, style, types, pad), *train_tables(title, side, style, types, pad)]
        chains = [_chain_table(title, style, types, pad)] if title.chains else []
        return Stack.of([*tables, *chains], width, [bonus_line(bonus, style, types, width) for bonus in side.bonuses])

    size = title.pieces.size("offer-sheet", piece_id)
    head = Head(key=f"offer-sheet:{piece_id}:back", name=style.words(say("offer_back")), size=size)
    return stacked_card(title, head, stack, style)


def _chain_table(title: Title, style: Style, types: CardTypes, pad: float) -> Table:
    """A row for each chain of upgrades, a column for each colour."""
    text, soft = style.ink("card.text"), style.ink("card.soft")
    used = {title.tile_by_id[number].tile.colour for chain in title.chains for step in chain.steps for number in step}
    colours = [colour for colour in title.colours if colour in used]
    by_ability = any(title.tile_by_id[number].via for chain in title.chains for step in chain.steps for number in step)

    def swatch(colour: str) -> Cell:
        return Swatches(inks=(tile_ink(colour, style),), edge=text, size_mm=3.5 * types.scale)

    heading = style.words(say("upgrades"))
    if by_ability:
        heading = style.words(ASIDE, heading, style.words(say("starred")))
    rows: list[tuple[Cell, ...]] = [
        (Words(text=heading, kind=types.head, ink=soft), *(swatch(colour) for colour in colours))
    ]
    for chain in title.chains:
        by_colour: dict[str, list[str]] = {}
        for number in (number for step in chain.steps for number in step):
            entry = title.tile_by_id[number]
            by_colour.setdefault(entry.tile.colour, []).append(number + ("*" if entry.via else ""))
        rows.append(
            (
                Words(text=style.words(chain.name), kind=types.strong, ink=text),
                *(Words(text=listed(by_colour.get(c, []), style), kind=types.body, ink=text) for c in colours),
            )
        )
    return Table(
        columns=(Column(), *(Column(flexible=True) for _ in colours)),
        rows=tuple(rows),
        rule=style.ink("card.hair"),
        strong=style.ink("card.accent"),
        pad=0.62 + pad,
        gap=2.6,
    )
