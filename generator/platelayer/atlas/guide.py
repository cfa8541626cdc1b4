"""Building guide of an assembled map: preparations, then the steps to lay it with the tiles of the
box."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from msgspec.structs import asdict

from platelayer.atlas.poster import map_name, page_head
from platelayer.atlas.report import MapPrint, board_size_mm
from platelayer.atlas.schematic import (
    Grid,
    Stage,
    Step,
    grid_of,
    hex_sign,
    picture,
    stages_of,
    steps_of,
    tile_sign,
)
from platelayer.drawing.company.roundel import roundel_items, with_roundels
from platelayer.drawing.kit.icons import icon_block
from platelayer.drawing.kit.layout import (
    Block,
    Box,
    Part,
    below,
    box_block,
    in_row,
    leaded,
    line_block,
    placing,
    rule_block,
    shape_block,
    stacked,
    strut,
    text_block,
)
from platelayer.drawing.kit.rich_text import wrap_rich
from platelayer.drawing.kit.style import Style
from platelayer.foundation.languages import FixedWords
from platelayer.foundation.text import Text
from platelayer.foundation.values import Frozen
from platelayer.model.kinds import piece_size
from platelayer.model.map_tiles import (
    Ground,
    board_origin,
    occupied,
    place_name,
)
from platelayer.scene.shapes import (
    Anchor,
    Item,
    Scene,
    Stroke,
)

atlas_words = FixedWords("atlas")
card_words = FixedWords("cards")


class Task(Frozen, kw_only=True):
    """One preparation: its key and name, and sentences for the printed guide and the pages of a
    phone."""

    key: str
    head: str
    lines: tuple[str, ...]


def tasks_of(job: MapPrint, *, blind: bool = False) -> tuple[Task, ...]:
    """Preparations for a map, in order. With `blind`, nothing is revealed that the draws decide: in a
    mode with stacks, the tiles and the companies. Raises KeyError when the box has not the mode."""
    title, box, log, style = job.title, job.box, job.log, job.style
    companies, deal = job.companies, job.deal
    mode = box.mode_by_id[log.mode]
    hidden = blind and bool(mode.stacks)
    tasks = []

    def say(key: str, *parts: object) -> str:
        return style.words(atlas_words.table("setup_words")[key], *parts)

    def listed(parts: Iterable[object]) -> str:
        return say("comma").join(map(str, parts))

    def counts(tiles: Counter[int]) -> str:
        return listed(
            number if count == 1 else f"{number} ({count}×)"
            for number, count in sorted(tiles.items())
        )

    def names(ids: Iterable[str]) -> str:
        return listed(style.words(title.company_by_id[company].name) for company in ids)

    def add(task: str, lines: Sequence[str]) -> None:
        if lines:
            tasks.append(Task(key=task, head=say(f"{task}_head"), lines=tuple(lines)))

    copies = Counter({tile.number: tile.copies for tile in box.map_tiles})
    if blind:
        removed = Counter(dict(mode.removed))
        lines = [say("at_hand", counts(copies - removed))]
        if removed:
            lines.append(say("put_back", counts(removed)))
    else:
        fetched = Counter(draw.tile for draw in log.placed)
        lines = [say("fetch", fetched.total(), counts(fetched))]
        if left := copies - fetched:
            lines.append(say("put_back", counts(left)))
    if mode.stacks:
        lines.append(say("drawn" if blind else "dealt"))
    add("tiles", lines)

    if blind:
        lines = [say("hidden_overlays")]
    else:
        lines = [say("overlays", len(log.overlays), len(log.blanks))]
        missing = len(log.blanks) - box.blank_overlays
        if missing > 0:
            lines.append(say("too_few", box.blank_overlays, missing))
        lines.append(say("projects"))
    add("overlays", lines)

    trains = [(number, count) for number, count in mode.trains if count]
    in_play = {number for number, _ in trains}
    if trains:
        phases = title.phase_by_id
        # A card that begins with a train outside the stack is never reached.
        cards = [
            card.id
            for card in title.pieces.phase_cards
            if any(in_play & set(phases[id_].begun_by) for id_ in card.front if id_ in phases)
        ]
        lines = [listed(say("train_count", *train) for train in trains), say("stack", trains[0][0])]
        if cards:
            lines.append(say("phase_cards", listed(cards)))
        if mode.note is not None:
            lines.append(style.words(mode.note))
        add("trains", lines)

    reached = [
        phase for phase in title.phases if not phase.begun_by or in_play & set(phase.begun_by)
    ]
    colours = dict.fromkeys(colour for phase in reached for colour in phase.tiles)
    # Bridges are laid by companies with that ability only, whatever the phase.
    bridges = {entry.tile.colour for entry in title.tiles if entry.via is not None}
    if hidden or set(box.bridging) & set(companies):
        colours |= dict.fromkeys(sorted(bridges))
    everything = {colour for phase in title.phases for colour in phase.tiles} | bridges
    if colours:
        words = card_words.table("colour")
        some = say("track_some", listed(style.words(words[colour]) for colour in colours))
        add("track", [say("track_all") if set(colours) == everything else some])

    add("cycles", [say("cycles", mode.cycles), say("export" if mode.exports else "no_export")])

    if destinations := title.pieces.destination_cards:
        hexes = [hexagon for draw in log.placed for hexagon in box.tile_by_number[draw.tile].hexes]
        amounts_of = {
            card.id: " / ".join(step.printed for step in card.revenue) for card in destinations
        }
        if deal is not None and deal.card is not None:
            lines = [say("card_is", deal.card, amounts_of[deal.card])]
        elif hidden or any(hexagon.ground is Ground.DESTINATION for hexagon in hexes):
            lines = [say("choose_card", len(destinations))]
            amounts = amounts_of[destinations[0].id]
            if amounts and destinations[0].note is not None:
                lines.append(f"{amounts}: {style.words(destinations[0].note)}")
        else:
            lines = [say("no_destination")]
        add("destinations", lines)

    if hidden:
        lines = [say("in_play_later")]
        if box.homeless and mode.stack_homes:
            lines.append(say("brings", listed(mode.stack_homes), names(box.homeless)))
    else:
        lines = [say("in_play", names(companies))]
    if deal is not None and not hidden:
        lines += [
            say("column_of", number, names(column))
            for number, column in enumerate(deal.columns, start=1)
        ]
        lines.append(say("only_top"))
    elif mode.columns:
        lines.append(say("columns", " + ".join(map(str, mode.columns))))
    add("charters", lines)

    amounts_each = [say("cash_each", players, title.money(cash)) for players, cash in mode.cash]
    priority = style.words(card_words("priority"))
    if deal is None:
        lines, order = [listed(amounts_each)], [say("order", priority)]
    else:
        count = len(deal.seats)
        lines = [say("each_has", count, title.money(deal.cash))]
        order = [say("seats", count, listed(deal.seats), priority)]
    add("cash", lines)
    if title.pieces.priority_cards:
        add("order", order)
    return tuple(tasks)


def ground_word(ground: Ground, style: Style) -> str:
    """Word for a kind of hex."""
    return style.words(atlas_words.table("grounds").get(ground.value, Text.plain(ground.value)))


_GAP_MM = 4.0
_EDGE_MM = 0.2
# Column of the names of the preparations, left of their sentences.
_HEAD_MM = 36.0
# A column of steps, the least and greatest height of a step, and the hexes of its tile.
_LIST_MM = 74.0
_ROW_MM, _TALLEST_ROW_MM = 9.6, 12.0
_SIGN_MM = 4.4
_ROUNDEL_MM = 7.0
_LEADING = 1.22
# Least height of the picture of the finished map.
_LEAST_MAP_MM = 40.0
# Below this size of hexes in the pictures of the stages, fewer stages go on a page.
_LEAST_HEX_MM = 4.6
_MOST_STAGES = 3


class _Page(MapPrint, kw_only=True):
    """Subject and size in mm of the pages."""

    width: float
    height: float

    def words(self, key: str, *parts: object) -> str:
        """Phrase of the guide."""
        return self.style.words(atlas_words.table("guide_words")[key], *parts)

    def head(self, text: str) -> Block:
        """Head of a page."""
        return page_head(self.title, self.log, text, self.style, self.width)


def draw_guide(job: MapPrint, width_mm: float, height_mm: float) -> tuple[Scene, ...]:
    """Draw the building guide on pages of this size, keys `atlas-guide:1` and on: first the
    preparations, then the steps. Raises KeyError when the box lacks tiles of the log."""
    page = _Page(**asdict(job), width=width_mm, height=height_mm)
    pages = [_preparations(page), *_laying(page)]
    return tuple(
        Scene(
            f"atlas-guide:{number}",
            width_mm,
            height_mm,
            tuple(items),
            label=page.words("guide"),
        )
        for number, items in enumerate(pages, start=1)
    )


def _laying(page: _Page) -> list[list[Item]]:
    """Pages of the steps."""
    stages = stages_of(page.box, page.log)
    top, blanks = page.head(page.words("steps", 1, 1)).height, _blanks(page)
    longest = max(len(stage.new) for stage in stages)
    for per_page in range(_MOST_STAGES, 0, -1):
        spare = page.height - top - blanks.height - (per_page - 1) * _GAP_MM
        cells = _cells(page, longest, spare / per_page)
        if cells.grid.across >= _LEAST_HEX_MM:
            break
    shares = [stages[start : start + per_page] for start in range(0, len(stages), per_page)]
    pages = []
    for number, share in enumerate(shares, start=1):
        body = stacked(*(_stage(page, stage, cells) for stage in share), gap=_GAP_MM)
        head = page.head(page.words("steps", number, len(shares)))
        items = [*stacked(head, body, align=Anchor.START).paint(0, 0)]
        if number == len(shares):
            items += blanks.paint(0, page.height - blanks.height)
        pages.append(items)
    return pages


def _preparations(page: _Page) -> list[Item]:
    """Page of the preparations: the tasks, the companies in play, an explanation of the steps, and
    the finished map if enough room is left."""
    style, width, ink = page.style, page.width, page.style.ink("text")
    parts: list[Part] = [page.head(page.words("guide")), -1]
    tasks = [(task.head, task.lines) for task in tasks_of(page)]
    across = piece_size(page.title, "map-tile").width_mm
    tasks.append(
        (
            page.words("table"),
            (page.words("size", *board_size_mm(page.log, across), f"{across:g}"),),
        )
    )
    body, strong = style.type("atlas.guide.setup"), style.type("atlas.guide.task")
    step = body.size_mm * _LEADING
    hair = Stroke(style.ink("card.hair"), 0.15)
    for head, sentences in tasks:
        room, rise = width - _HEAD_MM, below(0.8 * step)
        lines = [line for sentence in sentences for line in wrap_rich(sentence, body, room)]
        name = line_block(head, strong, ink, _HEAD_MM - 3.0, rise=rise)
        text = text_block(lines, body, ink, room, leading=_LEADING, align=Anchor.START, rise=rise)
        row = in_row(name.sized(_HEAD_MM, name.height, Anchor.START), text, level=0)
        rule = rule_block(width - 2 * _EDGE_MM, hair).sized(width, 0)
        parts += (row, 1.6 + 0.2 * step, rule, 1.6)

    # The roundels of the companies in play tell their homes apart.
    known = with_roundels(page.title)
    playing = [known[company_id] for company_id in page.companies if company_id in known]
    if playing:
        label, per_row = style.type("atlas.guide.strong"), min(len(playing), 4)
        pitch, row_mm = width / per_row, _ROUNDEL_MM + 1.4
        cells = []
        for company in playing:
            roundel = shape_block(roundel_items(company, _ROUNDEL_MM, style), _ROUNDEL_MM)
            room = pitch - _ROUNDEL_MM - 3.0
            name = line_block(style.words(company.name), label, ink, room)
            cells.append(in_row(roundel, 1.4, name).sized(pitch, row_mm, Anchor.START))
        rows = (in_row(*cells[start : start + per_row]) for start in range(0, len(cells), per_row))
        parts += (-0.3, *rows, 3.3)
    parts += (_explanation(page), _GAP_MM)
    prepared = stacked(*parts, align=Anchor.START)
    items = [*prepared.paint(0, 0)]

    head_mm = strong.size_mm * 1.3
    high = page.height - prepared.height - head_mm
    if high >= _LEAST_MAP_MM:
        grid = grid_of(occupied(page.log), board_origin(page.log), width - 1, high - 1)
        if grid.across >= _LEAST_HEX_MM:
            name = text_block(page.words("finished"), strong, ink)
            items += name.paint(0, prepared.height)
            whole = Stage(new=steps_of(page.box, page.log), blanks=page.log.blanks)
            drawn = picture(page.box, whole, grid, style)
            items += placing(drawn)(0.5, prepared.height + head_mm)
    return items


def _explanation(page: _Page) -> Block:
    """A panel that explains the steps by the first one, and the signs of hexes in the pictures."""
    style, ink, first = page.style, page.style.ink("text"), steps_of(page.box, page.log)[0]
    body, strong = style.type("atlas.guide.setup"), style.type("atlas.guide.task")
    step, sign_mm, pad = body.size_mm * _LEADING, 8.0, 4.0
    assert first.tile is not None, "a map begins with a tile"
    sign = tile_sign(page.box.tile_by_number[first.tile], first.rotation, sign_mm, style)
    lead = 2.02 * sign_mm + 2 * pad
    lines = wrap_rich(page.words("how"), body, page.width - lead - pad)
    words = stacked(
        text_block(page.words("read"), strong, ink),
        text_block(
            lines,
            body,
            ink,
            leading=_LEADING,
            align=Anchor.START,
            rise=below(1.4 * strong.size_mm),
        ),
        text_block(_places(page, first), strong, ink, rise=below(step + 0.6)),
        align=Anchor.START,
    )
    printed = {hexagon.ground for tile in page.box.map_tiles for hexagon in tile.hexes}
    grounds = [ground for ground in Ground if ground in printed]
    height = pad + words.height + 12.0 + pad

    def draw(panel: Box) -> Iterator[Item]:
        upper, _, signs, _ = panel.inset(pad).rows(words.height, 4.0, 8.0, 0)
        yield panel.plate(style.ink("card.tint"), radius=1.5)
        yield from placing(sign)(panel.x + lead / 2, upper.y + sign_mm)
        yield from words.paint(panel.x + lead, upper.y)
        label = style.type("atlas.guide.step")
        for ground, box in zip(grounds, signs.columns(*[0] * len(grounds)), strict=True):
            shown, _, name, _ = box.columns(6.0, 0.6, 0, 0.4)
            yield shown.centred(shape_block(hex_sign(ground, 5.0, style), 5.0))
            yield name.words(ground_word(ground, style), label, ink, Anchor.START)

    return box_block(page.width, height, draw)


def _places(page: _Page, step: Step) -> str:
    """Grounds and coordinates of the hexes of a step."""
    return "  ·  ".join(
        f"{ground_word(ground, page.style)} {place}" for ground, place in step.hexes
    )


def _blanks(page: _Page) -> Block:
    """The coordinates of blanks, for the foot of a page."""
    style, log = page.style, page.log
    if not log.blanks:
        return strut(_EDGE_MM)
    strong, ink = style.type("atlas.guide.task"), style.ink("text")
    names = ",  ".join(place_name(at, board_origin(log)) for at in sorted(log.blanks))
    label = text_block(page.words("blanks"), style.type("atlas.guide.setup"), ink)
    lead = label.width + 2.0
    first, *rest = wrap_rich(names, strong, page.width, lead_mm=lead)
    start = Anchor.START
    words = stacked(
        in_row(label, 2.0, text_block(first, strong, ink), level=1),
        text_block(rest, strong, ink, leading=1.25, align=start, rise=leaded(1.25)),
        align=start,
    )
    above = strong.size_mm + 1.6 - strong.cap_height_mm
    return stacked(above, words, 0.8)


class _Cells(Frozen, kw_only=True):
    """Layout of a stage: the size of its picture in mm, the position of the map in it, and the
    steps beside it or, in `lists` columns, below."""

    beside: bool
    lists: int
    height: float
    picture_mm: tuple[float, float]
    grid: Grid


def _cells(page: _Page, longest: int, tall: float) -> _Cells:
    """Layout with the larger map: the steps beside the picture, or below it."""
    lists = max(1, int(page.width // _LIST_MM))
    below = tall - math.ceil(longest / lists) * _ROW_MM
    rooms = ((True, 1, (page.width - _LIST_MM, tall)), (False, lists, (page.width, below)))
    cells = [
        _Cells(
            beside=beside,
            lists=count,
            height=tall,
            picture_mm=room,
            grid=grid_of(occupied(page.log), board_origin(page.log), room[0] - 3.0, room[1] - 3.0),
        )
        for beside, count, room in rooms
    ]
    return max(cells, key=lambda layout: layout.grid.across)


def _stage(page: _Page, stage: Stage, cells: _Cells) -> Block:
    """The picture of a stage, with its steps."""
    style, (wide, high) = page.style, cells.picture_mm
    frame = Stroke(style.ink("card.hair"), 0.15)

    def draw(box: Box) -> Iterator[Item]:
        yield box.inset(_EDGE_MM, 0).plate(stroke=frame, radius=1.5)
        yield from placing(picture(page.box, stage, cells.grid, style))(box.x + 1.5, box.y + 1.5)
        lists = box.columns(wide, 0)[1] if cells.beside else box.rows(high, 0)[1]
        count = math.ceil(len(stage.new) / cells.lists)
        row = min(_TALLEST_ROW_MM, lists.height / count)
        rows = lists.within(lists.width, count * row, level=0.5 if cells.beside else 0)
        grid = rows.grid([0] * cells.lists, [row] * count)
        for number, step in enumerate(stage.new):
            yield from _step(page, step, grid[divmod(number, count)])

    return box_block(page.width, cells.height, draw)


def _step(page: _Page, step: Step, box: Box) -> Iterator[Item]:
    """A step: its order, the piece as it lies, its neighbours, and the coordinates of its hexes."""
    style = page.style
    body, strong = style.type("atlas.guide.step"), style.type("atlas.guide.task")
    ink, soft = style.ink("text"), style.ink("text.soft")
    order, _, sign, _, words, _ = box.columns(4.4, 0.8, 10.8, 1, 0, 1)
    numbers = ", ".join(map(str, step.beside))
    yield order.words(str(step.order), body, soft, Anchor.END)
    if step.tile is None:
        yield from icon_block("capital", "", 5.4, style, strong).at(*sign.middle)
        name, near = page.words("capital"), page.words("on", numbers) if numbers else ""
    else:
        tile = tile_sign(page.box.tile_by_number[step.tile], step.rotation, _SIGN_MM, style)
        yield from placing(tile)(*sign.middle)
        name = page.words("tile", step.tile)
        near = page.words("beside", numbers) if numbers else page.words("first")
    upper = text_block(name, strong, ink)
    beside = line_block(near, body, soft, words.width - upper.width - 2.0)
    rise = below(1.7 + strong.cap_height_mm)
    lower = line_block(_places(page, step), body, ink, words.width, rise=rise)
    lines = stacked(in_row(upper, 2.0, beside, level=1), lower, align=Anchor.START)
    # The lines meet near the middle of the row.
    yield from lines.paint(words.x, words.middle[1] - upper.height - 0.9)


# The same map for several tables: a cover for each, which seals the guide and holds a slip for the
# result.


# Shares of the columns of a slip: seat, player, cash, shares, total, place.
_SLIP_COLUMNS = (14.0, 0, 24.0, 24.0, 24.0, 16.0)
_SLIP_HEADS = ("seat", "player", "cash", "shares", "total", "rank")
_SLIP_ROW_MM, _SLIP_HEAD_MM, _SLIP_SIGN_MM = 11.0, 7.0, 16.0


def tables_pages(job: MapPrint, guide: Sequence[Scene]) -> Iterator[Scene]:
    """Pages to print on both sides, an even number for each table: a cover, key `atlas-table:1` and
    on, with lines for all players (at most those of the mode), and the pages of the guide. Covers do
    not name the map."""
    style, mode = job.style, job.box.mode_by_id[job.log.mode]
    seats = len(job.deal.seats) if job.deal else max(mode.players)
    width, height = guide[0].width_mm, guide[0].height_mm
    game = f"{style.words(job.title.name)} – {map_name(job.log, style)}"
    for number in range(1, job.tables + 1):
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
    head, _, names, rows, signs = above.rows(9.0, 4.0, _SLIP_HEAD_MM, seats * _SLIP_ROW_MM, 0)
    yield head.words(words["result"], style.type("atlas.guide.title"), red, Anchor.START)
    yield head.words(game, style.type("atlas.guide.game"), ink, Anchor.END)
    for box, key in zip(names.columns(*_SLIP_COLUMNS), _SLIP_HEADS, strict=True):
        yield box.words(words[key], strong, ink, Anchor.START, pad=1)
    grid = rows.grid(_SLIP_COLUMNS, [_SLIP_ROW_MM] * seats)
    for row in range(seats):
        for column in range(len(_SLIP_COLUMNS)):
            yield grid[column, row].plate(stroke=hair)
        yield grid[0, row].words(str(row + 1), strong, ink)
    for box, key in zip(
        signs.rows(_SLIP_SIGN_MM, 0)[0].columns(0, 0, gap=10.0), ("time", "signed"), strict=True
    ):
        yield box.rule(hair)
        yield box.words(words[key], strong, ink, Anchor.START)
    yield Box(page.x, page.middle[1], page.width, 0).rule(style.stroke("map.held"))
    _, name, plain, _, note, _ = below.rows(0, 34.0, 12.0, 8.0, 24.0, 0)
    yield name.words(words["table"], style.type("atlas.title"), red)
    yield plain.words(words["sealed"], style.type("atlas.project"), ink)
    lines = wrap_rich(words["fold"], body, 0.7 * page.width)
    yield note.centred(text_block(lines, body, ink, leading=1.25))
