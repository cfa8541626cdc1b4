"""Building guide of an assembled map: preparations, then the steps to lay it with the tiles of the
box."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence

from msgspec import Struct

from platelayer.atlas.poster import board_with_names, page_head
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
from platelayer.drawing.kit.lettering import one_line
from platelayer.drawing.kit.rich_text import set_lines, wrap_rich
from platelayer.drawing.kit.style import Style
from platelayer.drawing.map.plan import MapPlan
from platelayer.foundation.languages import FixedWords
from platelayer.foundation.text import Text
from platelayer.model.kinds import piece_size
from platelayer.model.map_tiles import (
    AtlasBox,
    AtlasLog,
    Ground,
    board_origin,
    occupied,
    place_name,
)
from platelayer.model.title import Title
from platelayer.scene.shapes import (
    Anchor,
    Group,
    Item,
    Path,
    Scene,
    Stroke,
    rectangle_path,
    translation,
)
from platelayer.scene.typeset import set_line, text_width

atlas_words = FixedWords("atlas")
card_words = FixedWords("cards")


class Task(Struct, frozen=True, kw_only=True):
    """One preparation: its name, and sentences for the printed guide and the pages of a phone."""

    head: str
    lines: tuple[str, ...]


def tasks_of(
    title: Title, log: AtlasLog, style: Style, *, companies: Sequence[str], blind: bool = False
) -> tuple[Task, ...]:
    """Preparations for a map, in order; `companies` are ids of those in play. With `blind`, nothing
    is revealed that the draws decide: in a mode with stacks, the tiles and the companies.

    Raises KeyError when the title has no map tiles, or not the mode.
    """
    box = title.atlas
    if box is None:
        raise KeyError("atlas")
    mode = box.mode_by_id[log.mode]
    hidden = blind and bool(mode.stacks)
    tasks: list[Task] = []

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
            tasks.append(Task(head=say(f"{task}_head"), lines=tuple(lines)))

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
        if hidden or any(hexagon.ground is Ground.DESTINATION for hexagon in hexes):
            lines = [say("choose_card", len(destinations))]
            amounts = " / ".join(step.printed for step in destinations[0].revenue)
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
    if mode.columns:
        lines.append(say("columns", " + ".join(map(str, mode.columns))))
    add("charters", lines)

    amounts_each = [say("cash_each", players, title.money(cash)) for players, cash in mode.cash]
    add("cash", [listed(amounts_each)])
    if title.pieces.priority_cards:
        add("order", [say("order", style.words(card_words("priority")))])
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


class _Page(Struct, frozen=True, kw_only=True):
    """Subject and size in mm of the pages."""

    title: Title
    box: AtlasBox
    log: AtlasLog
    companies: tuple[str, ...]
    style: Style
    width: float
    height: float

    def words(self, key: str, *parts: object) -> str:
        """Phrase of the guide."""
        return self.style.words(atlas_words.table("guide_words")[key], *parts)

    def head(self, text: str) -> tuple[list[Item], float]:
        """Head of a page, and the y of the room below it."""
        return page_head(self.title, self.log, text, self.style, self.width)


def draw_guide(
    title: Title,
    log: AtlasLog,
    style: Style,
    width_mm: float,
    height_mm: float,
    *,
    companies: Sequence[str],
) -> tuple[Scene, ...]:
    """Draw the building guide on pages of this size, keys `atlas-guide:1` and on: first the
    preparations, then the steps.

    `companies` are ids of the companies in play. Raises KeyError when the title has no map tiles,
    or lacks those of the log; ValueError for a log without tiles.
    """
    box, board = board_with_names(title, log)
    page = _Page(
        title=title,
        box=box,
        log=log,
        companies=tuple(companies),
        style=style,
        width=width_mm,
        height=height_mm,
    )
    left, top, right, bottom = MapPlan(
        gamemap=board, across_mm=piece_size(title, "map-tile").width_mm
    ).bounds
    table_mm = math.ceil(right - left), math.ceil(bottom - top)
    pages = [_preparations(page, table_mm), *_laying(page)]
    return tuple(
        Scene(
            key=f"atlas-guide:{number}",
            width_mm=width_mm,
            height_mm=height_mm,
            items=tuple(items),
            label=page.words("guide"),
        )
        for number, items in enumerate(pages, start=1)
    )


def _laying(page: _Page) -> list[list[Item]]:
    """Pages of the steps."""
    stages = stages_of(page.box, page.log)
    foot = _blanks(page, [])
    _, top = page.head(page.words("steps", 1, 1))
    longest = max(len(stage.new) for stage in stages)
    for per_page in range(_MOST_STAGES, 0, -1):
        cells = _cells(page, longest, (foot - top - (per_page - 1) * _GAP_MM) / per_page)
        if cells.grid.across >= _LEAST_HEX_MM:
            break
    shares = [stages[start : start + per_page] for start in range(0, len(stages), per_page)]
    pages = []
    for number, share in enumerate(shares, start=1):
        items, y = page.head(page.words("steps", number, len(shares)))
        for index, stage in enumerate(share):
            items += _stage(page, stage, cells, y + index * (cells.height + _GAP_MM))
        if number == len(shares):
            _blanks(page, items)
        pages.append(items)
    return pages


def _preparations(page: _Page, table_mm: tuple[int, int]) -> list[Item]:
    """Page of the preparations: the tasks, the companies in play, an explanation of the steps, and
    the finished map if enough room is left."""
    style, width = page.style, page.width
    body, strong = style.type("atlas.guide.setup"), style.type("atlas.guide.task")
    ink, step = style.ink("text"), body.size_mm * _LEADING
    items, y = page.head(page.words("guide"))
    across = piece_size(page.title, "map-tile").width_mm
    tasks = [
        (task.head, task.lines)
        for task in tasks_of(page.title, page.log, style, companies=page.companies)
    ]
    tasks.append((page.words("table"), (page.words("size", *table_mm, f"{across:g}"),)))
    rule = Stroke(ink=style.ink("card.hair"), width_mm=0.15)
    y -= 1.0
    for head, sentences in tasks:
        room = width - _HEAD_MM
        lines = [line for sentence in sentences for line in wrap_rich(sentence, body, room)]
        fitted, shown = one_line(head, strong, _HEAD_MM - 3.0)
        items += set_line(shown, fitted, ink, 0, y + step * 0.8)
        items += set_lines(lines, body, ink, _HEAD_MM, y + step * 0.8, leading=_LEADING)
        y += len(lines) * step + 1.6
        items.append(Path(commands=(("M", _EDGE_MM, y), ("L", width - _EDGE_MM, y)), stroke=rule))
        y += 1.6

    # The roundels of the companies in play tell their homes apart.
    known = with_roundels(page.title)
    playing = [known[company_id] for company_id in page.companies if company_id in known]
    if playing:
        label = style.type("atlas.guide.strong")
        per_row, row_mm = min(len(playing), 4), _ROUNDEL_MM + 1.4
        pitch = width / per_row
        for number, company in enumerate(playing):
            row, column = divmod(number, per_row)
            left, middle = column * pitch, y + _ROUNDEL_MM / 2 + 0.4 + row * row_mm
            roundel = roundel_items(company, _ROUNDEL_MM, style)
            items.append(Group(items=roundel, matrix=translation(left + _ROUNDEL_MM / 2, middle)))
            fitted, shown = one_line(style.words(company.name), label, pitch - _ROUNDEL_MM - 3.0)
            base = middle + fitted.cap_height_mm / 2
            items += set_line(shown, fitted, ink, left + row_mm, base)
        y += math.ceil(len(playing) / per_row) * row_mm + 3.0

    # A panel explains the steps by the first one, and the signs of hexes in the pictures.
    first = steps_of(page.box, page.log)[0]
    sign_mm, pad = 8.0, 4.0
    lead = 2.02 * sign_mm + 2 * pad
    explanation = wrap_rich(page.words("how"), body, width - lead - pad)
    printed = {hexagon.ground for tile in page.box.map_tiles for hexagon in tile.hexes}
    grounds = [ground for ground in Ground if ground in printed]
    tall = pad + strong.size_mm * 1.4 + len(explanation) * step + 1.0 + step + 12.0 + pad / 2
    items.append(Path(commands=rectangle_path(0, y, width, tall, 1.5), fill=style.ink("card.tint")))
    assert first.tile is not None, "a map begins with a tile"
    sign = tile_sign(page.box.tile_by_number[first.tile], first.rotation, sign_mm, style)
    items.append(Group(items=sign, matrix=translation(lead / 2, y + pad + sign_mm)))
    base = y + pad + strong.cap_height_mm
    items += set_line(page.words("read"), strong, ink, lead, base)
    base += strong.size_mm * 1.4
    items += set_lines(explanation, body, ink, lead, base, leading=_LEADING)
    base += len(explanation) * step + 0.6
    items += set_line(_places(page, first), strong, ink, lead, base)
    pitch, line_y = (width - 2 * pad) / len(grounds), base + 8.0
    for number, ground in enumerate(grounds):
        x = pad + number * pitch
        items.append(Group(items=hex_sign(ground, 5.0, style), matrix=translation(x + 3.0, line_y)))
        label = style.type("atlas.guide.step")
        fitted, shown = one_line(ground_word(ground, style), label, pitch - 7.0)
        items += set_line(shown, fitted, ink, x + 6.6, line_y + fitted.cap_height_mm / 2)
    y += tall + _GAP_MM

    head_mm = strong.size_mm * 1.3
    high = page.height - y - head_mm
    if high >= _LEAST_MAP_MM:
        grid = grid_of(occupied(page.log), board_origin(page.log), width - 1.0, high - 1.0)
        if grid.across >= _LEAST_HEX_MM:
            items += set_line(page.words("finished"), strong, ink, 0, y + strong.cap_height_mm)
            whole = Stage(new=steps_of(page.box, page.log), blanks=page.log.blanks)
            drawn = picture(page.box, whole, grid, style)
            items.append(Group(items=drawn, matrix=translation(0.5, y + head_mm)))
    return items


def _places(page: _Page, step: Step) -> str:
    """Grounds and coordinates of the hexes of a step."""
    return "  ·  ".join(
        f"{ground_word(ground, page.style)} {place}" for ground, place in step.hexes
    )


def _blanks(page: _Page, items: list[Item]) -> float:
    """Add the coordinates of blanks at the foot of a page, and return the y of their upper edge."""
    style, log = page.style, page.log
    if not log.blanks:
        return page.height - _EDGE_MM
    body, strong, ink = (
        style.type("atlas.guide.setup"),
        style.type("atlas.guide.task"),
        style.ink("text"),
    )
    names = ",  ".join(place_name(at, board_origin(log)) for at in sorted(log.blanks))
    label = page.words("blanks")
    lead = text_width(label, body) + 2.0
    lines = wrap_rich(names, strong, page.width, lead_mm=lead)
    step = strong.size_mm * 1.25
    top = page.height - 0.8 - (len(lines) - 1) * step
    items += set_line(label, body, ink, 0, top)
    for number, line in enumerate(lines):
        items += set_line(line, strong, ink, 0.0 if number else lead, top + number * step)
    return top - strong.size_mm - 1.6


class _Cells(Struct, frozen=True, kw_only=True):
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


def _stage(page: _Page, stage: Stage, cells: _Cells, y: float) -> list[Item]:
    """The picture of a stage, with its steps."""
    style, tall = page.style, cells.height
    wide, high = cells.picture_mm
    frame = Stroke(ink=style.ink("card.hair"), width_mm=0.15)
    items: list[Item] = [
        Path(
            commands=rectangle_path(_EDGE_MM, y, page.width - 2 * _EDGE_MM, tall, 1.5), stroke=frame
        ),
        Group(items=picture(page.box, stage, cells.grid, style), matrix=translation(1.5, y + 1.5)),
    ]
    per_column = math.ceil(len(stage.new) / cells.lists)
    room = _LIST_MM if cells.beside else page.width / cells.lists
    row = min(_TALLEST_ROW_MM, (tall if cells.beside else tall - high) / per_column)
    left, top = (wide, y + (tall - per_column * row) / 2) if cells.beside else (0.0, y + high)
    for index, step in enumerate(stage.new):
        column, line = divmod(index, per_column)
        items += _step(page, step, (left + column * room, top + (line + 0.5) * row), room)
    return items


def _step(page: _Page, step: Step, at: tuple[float, float], room: float) -> list[Item]:
    """A step: its order, the piece as it lies, its neighbours, and the coordinates of its hexes."""
    style = page.style
    body, strong = style.type("atlas.guide.step"), style.type("atlas.guide.task")
    ink, soft = style.ink("text"), style.ink("text.soft")
    x, middle = at
    upper, lower = middle - 0.9, middle + strong.cap_height_mm + 0.8
    base = middle + body.cap_height_mm / 2
    items: list[Item] = [*set_line(str(step.order), body, soft, x + 4.4, base, anchor=Anchor.END)]
    numbers = ", ".join(map(str, step.beside))
    if step.tile is None:
        items += icon_block("capital", "", 5.4, style, strong).at(x + 10.6, middle)
        name, near = page.words("capital"), page.words("on", numbers) if numbers else ""
    else:
        sign = tile_sign(page.box.tile_by_number[step.tile], step.rotation, _SIGN_MM, style)
        items.append(Group(items=sign, matrix=translation(x + 10.6, middle)))
        name = page.words("tile", step.tile)
        near = page.words("beside", numbers) if numbers else page.words("first")
    left = x + 17.0
    items += set_line(name, strong, ink, left, upper)
    after = left + text_width(name, strong) + 2.0
    fitted, shown = one_line(near, body, x + room - after - 1.0)
    items += set_line(shown, fitted, soft, after, upper)
    fitted, shown = one_line(_places(page, step), body, room - 18.0)
    items += set_line(shown, fitted, ink, left, lower)
    return items
