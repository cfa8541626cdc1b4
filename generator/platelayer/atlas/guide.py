"""The building guide: what a group prepares, and how it lays an assembled map with the tiles of the
box.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence

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
    Mode,
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

# What a group prepares before an assembled map is laid: each thing with its sentences, for the
# printed guide and the pages of a phone.


atlas_words = FixedWords("atlas")
card_words = FixedWords("cards")


class Task(Struct, frozen=True, kw_only=True):
    """One thing to prepare: its name and what to do."""

    head: str
    lines: tuple[str, ...]


def tasks_of(
    title: Title, log: AtlasLog, style: Style, *, companies: Sequence[str], blind: bool = False
) -> tuple[Task, ...]:
    """Everything that is prepared for a map, in order; `companies` are ids of those in play. With
    `blind` nothing is told that the draws decide: in a mode with stacks, which tiles and companies
    there are.

    Raises KeyError when the title has no map tiles, or not the mode.
    """
    if title.atlas is None:
        raise KeyError("atlas")
    hidden = blind and bool(title.atlas.mode_by_id[log.mode].stacks)
    setting = _Setting(title, log, style, companies=companies, hidden=hidden)
    lines = setting.hidden_tiles() if blind else setting.tiles()
    parts = (
        ("tiles", lines),
        ("overlays", setting.overlays(blind=blind)),
        ("trains", setting.trains()),
        ("track", setting.track()),
        ("cycles", setting.cycles()),
        ("destinations", setting.destinations()),
        ("charters", setting.charters()),
        ("cash", setting.cash()),
        ("order", setting.order()),
    )
    tasks = (Task(head=setting.say(f"{name}_head"), lines=tuple(lines)) for name, lines in parts)
    return tuple(task for task in tasks if task.lines)


class _Setting:
    """A map and its mode, and the sentences about each part of them."""

    def __init__(
        self, title: Title, log: AtlasLog, style: Style, *, companies: Sequence[str], hidden: bool
    ) -> None:
        assert title.atlas is not None, "tasks are of a title with map tiles"
        self.title, self.log, self.style = title, log, style
        self.box: AtlasBox = title.atlas
        self.mode: Mode = self.box.mode_by_id[log.mode]
        self.companies, self.hidden = companies, hidden

    def say(self, key: str, *parts: object) -> str:
        """One of the sentences by its key."""
        return self.style.words(atlas_words.table("setup_words")[key], *parts)

    def listed(self, parts: Sequence[str]) -> str:
        """A list of things."""
        return self.say("comma").join(parts)

    def counts(self, tiles: Counter[int]) -> str:
        """Numbers of map tiles in order, with how many of those that there are several of."""
        return self.listed(
            [
                f"{number}" if count == 1 else f"{number} ({count}×)"
                for number, count in sorted(tiles.items())
            ]
        )

    def tiles(self) -> Iterator[str]:
        """Map tiles to fetch, and those to put back."""
        wanted = Counter(draw.tile for draw in self.log.placed)
        left = Counter({tile.number: tile.copies for tile in self.box.map_tiles}) - wanted
        yield self.say("fetch", wanted.total(), self.counts(wanted))
        if left:
            yield self.say("put_back", self.counts(left))
        if self.mode.stacks:
            yield self.say("dealt")

    def hidden_tiles(self) -> Iterator[str]:
        """Map tiles that may come up."""
        removed = Counter(dict(self.mode.removed))
        left = Counter({tile.number: tile.copies for tile in self.box.map_tiles}) - removed
        yield self.say("at_hand", self.counts(left))
        if removed:
            yield self.say("put_back", self.counts(removed))
        if self.mode.stacks:
            yield self.say("drawn")

    def overlays(self, *, blind: bool) -> Iterator[str]:
        """Capitals, blanks and what stands for them in the pile."""
        laid, blanks = len(self.log.overlays), len(self.log.blanks)
        if blind:
            yield self.say("hidden_overlays")
            return
        yield self.say("overlays", laid, blanks)
        if blanks > self.box.blank_overlays:
            yield self.say("too_few", self.box.blank_overlays, blanks - self.box.blank_overlays)
        yield self.say("projects")

    def trains(self) -> Iterator[str]:
        """The stack of trains with the cards of phases in it."""
        trains = [(number, count) for number, count in self.mode.trains if count]
        if not trains:
            return
        yield self.listed([self.say("train_count", number, count) for number, count in trains])
        phases = self.title.phase_by_id
        known = {number for number, _ in trains}
        cards = [
            card.id
            for card in self.title.pieces.phase_cards
            if any(
                train in known
                for phase in card.front
                if phase in phases
                for train in phases[phase].begun_by
            )
        ]
        yield self.say("stack", trains[0][0])
        if cards:
            yield self.say("phase_cards", self.listed(cards))

    def track(self) -> Iterator[str]:
        """The colours of track tiles that the trains in play can bring."""
        known = {number for number, count in self.mode.trains if count}
        reached = [
            phase
            for phase in self.title.phases
            if not phase.begun_by or known & set(phase.begun_by)
        ]
        colours = dict.fromkeys(colour for phase in reached for colour in phase.tiles)
        bridges = {entry.tile.colour for entry in self.title.tiles if entry.via is not None}
        if self.hidden or set(self.box.bridging) & set(self.companies):
            colours |= dict.fromkeys(sorted(bridges))
        if not colours:
            return
        if (
            set(colours)
            == {colour for phase in self.title.phases for colour in phase.tiles} | bridges
        ):
            yield self.say("track_all")
        else:
            names = card_words.table("colour")
            yield self.say(
                "track_some", self.listed([self.style.words(names[colour]) for colour in colours])
            )

    def cycles(self) -> Iterator[str]:
        """Length of the game, and whether trains are exported."""
        yield self.say("cycles", self.mode.cycles)
        yield self.say("export" if self.mode.exports else "no_export")

    def destinations(self) -> Iterator[str]:
        """The card with what destinations pay."""
        cards = self.title.pieces.destination_cards
        grounds = {
            hexagon.ground
            for draw in self.log.placed
            for hexagon in self.box.tile_by_number[draw.tile].hexes
        }
        if not cards:
            return
        if Ground.DESTINATION not in grounds and not self.hidden:
            yield self.say("no_destination")
            return
        yield self.say("choose_card", len(cards))
        amounts = " / ".join(step.printed for step in cards[0].revenue)
        if amounts and cards[0].note is not None:
            yield f"{amounts}: {self.style.words(cards[0].note)}"

    def charters(self) -> Iterator[str]:
        """Companies in play and how their charters lie."""
        known = self.title.company_by_id
        if not self.hidden:
            yield self.say(
                "in_play",
                self.listed([self.style.words(known[company].name) for company in self.companies]),
            )
        else:
            homeless = self.listed(
                [self.style.words(known[company].name) for company in self.box.homeless]
            )
            yield self.say("in_play_later")
            if homeless and self.mode.stack_homes:
                yield self.say(
                    "brings",
                    self.listed([str(number) for number in self.mode.stack_homes]),
                    homeless,
                )
        if self.mode.columns:
            yield self.say("columns", " + ".join(map(str, self.mode.columns)))

    def cash(self) -> Iterator[str]:
        """Starting cash by number of players."""
        yield self.listed(
            [
                self.say("cash_each", players, self.title.money(amount))
                for players, amount in self.mode.cash
            ]
        )

    def order(self) -> Iterator[str]:
        """Who begins."""
        if self.title.pieces.priority_cards:
            yield self.say("order", self.style.words(card_words("priority")))


def ground_word(ground: Ground, style: Style) -> str:
    """Word for the ground of a hex."""
    return style.words(atlas_words.table("grounds").get(ground.value, Text.plain(ground.value)))


_GAP_MM = 4.0
_EDGE_MM = 0.2
_HEAD_MM = 36.0
"""Width of the names of what is prepared, left of their sentences."""
_LIST_MM = 74.0
"""Width of a column of steps."""
_ROW_MM, _TALLEST_ROW_MM = 9.6, 12.0
"""Least and greatest height of a step."""
_SIGN_MM = 4.4
"""Hexes of the tiles shown with the steps."""
_ROUNDEL_MM = 7.0
_LEADING = 1.22
_LEAST_MAP_MM = 40.0
"""Least height of the picture of the finished map."""
_LEAST_HEX_MM = 4.6
"""Where hexes would be smaller in the pictures of the stages, there are fewer stages on a page."""
_STAGES = 3
"""Most stages on a page."""


class _Page(Struct, frozen=True, kw_only=True):
    """Subject of the pages, and their size in mm."""

    title: Title
    box: AtlasBox
    log: AtlasLog
    companies: tuple[str, ...]
    style: Style
    width: float
    height: float

    def words(self, text: str, *parts: object) -> str:
        """One of the guide's phrases by its key."""
        return self.style.words(atlas_words.table("guide_words")[text], *parts)


def draw_guide(
    title: Title,
    log: AtlasLog,
    style: Style,
    width_mm: float,
    height_mm: float,
    *,
    companies: Sequence[str],
) -> tuple[Scene, ...]:
    """The building guide on pages of this size (mm), keys `atlas-guide:1` and on: first what is
    prepared, then the steps.

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
    pages = [_preparing(page, table_mm), *_laying(page)]
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
    """The pages of the steps."""
    stages = stages_of(page.box, page.log)
    foot = _blanks(page, [])
    _, top = page_head(page.title, page.log, page.words("steps", 1, 1), page.style, page.width)
    longest = max(len(stage.new) for stage in stages)
    for per_page in range(_STAGES, 0, -1):
        cells = _cells(page, longest, (foot - top - (per_page - 1) * _GAP_MM) / per_page)
        if cells.grid.across >= _LEAST_HEX_MM:
            break
    shares = [stages[start : start + per_page] for start in range(0, len(stages), per_page)]
    pages = []
    for number, share in enumerate(shares, start=1):
        items, y = page_head(
            page.title, page.log, page.words("steps", number, len(shares)), page.style, page.width
        )
        for place, stage in enumerate(share):
            items += _stage(page, stage, cells, y + place * (cells.height + _GAP_MM))
        if number == len(shares):
            _blanks(page, items)
        pages.append(items)
    return pages


def _preparing(page: _Page, table_mm: tuple[int, int]) -> list[Item]:
    """The page of what is prepared: each thing with its sentences, companies in play, how the steps
    are told."""
    style = page.style
    body, strong, ink = (
        style.type("atlas.guide.setup"),
        style.type("atlas.guide.task"),
        style.ink("text"),
    )
    items, y = page_head(page.title, page.log, page.words("guide"), style, page.width)
    across = piece_size(page.title, "map-tile").width_mm
    tasks = [
        (task.head, task.lines)
        for task in tasks_of(page.title, page.log, style, companies=page.companies)
    ]
    tasks.append((page.words("table"), (page.words("size", *table_mm, f"{across:g}"),)))
    rule = Stroke(ink=style.ink("card.hair"), width_mm=0.15)
    step = body.size_mm * _LEADING
    room = page.width - _HEAD_MM
    y -= 1.0
    for head, sentences in tasks:
        lines = [line for sentence in sentences for line in wrap_rich(sentence, body, room)]
        fitted, shown = one_line(head, strong, _HEAD_MM - 3.0)
        items += set_line(shown, fitted, ink, 0, y + step * 0.8)
        items += set_lines(lines, body, ink, _HEAD_MM, y + step * 0.8, leading=_LEADING)
        y += len(lines) * step + 1.6
        items.append(
            Path(commands=(("M", _EDGE_MM, y), ("L", page.width - _EDGE_MM, y)), stroke=rule)
        )
        y += 1.6
    _finished(page, _how(page, _roundels(page, y, items), items), items)
    return items


def _finished(page: _Page, top: float, items: list[Item]) -> None:
    """The finished map in the room that is left, if there is enough."""
    style, strong = page.style, page.style.type("atlas.guide.task")
    head = strong.size_mm * 1.3
    high = page.height - top - head
    if high < _LEAST_MAP_MM:
        return
    grid = grid_of(occupied(page.log), board_origin(page.log), page.width - 1.0, high - 1.0)
    if grid.across < _LEAST_HEX_MM:
        return
    items += set_line(
        page.words("finished"), strong, style.ink("text"), 0, top + strong.cap_height_mm
    )
    whole = Stage(new=steps_of(page.box, page.log), blanks=page.log.blanks)
    items.append(
        Group(items=picture(page.box, whole, grid, style), matrix=translation(0.5, top + head))
    )


def _roundels(page: _Page, y: float, items: list[Item]) -> float:
    """The signs of the companies in play, by which their homes are told apart; returns where the
    page goes on."""
    style = page.style
    strong, ink = style.type("atlas.guide.strong"), style.ink("text")
    known = with_roundels(page.title)
    playing = [known[company_id] for company_id in page.companies if company_id in known]
    if not playing:
        return y
    per_row = min(len(playing), 4)
    pitch = page.width / per_row
    for number, company in enumerate(playing):
        row, column = divmod(number, per_row)
        left, middle = column * pitch, y + _ROUNDEL_MM / 2 + 0.4 + row * (_ROUNDEL_MM + 1.4)
        roundel = roundel_items(company, _ROUNDEL_MM, style)
        items.append(Group(items=roundel, matrix=translation(left + _ROUNDEL_MM / 2, middle)))
        fitted, shown = one_line(style.words(company.name), strong, pitch - _ROUNDEL_MM - 3.0)
        items += set_line(
            shown, fitted, ink, left + _ROUNDEL_MM + 1.4, middle + fitted.cap_height_mm / 2
        )
    return y + math.ceil(len(playing) / per_row) * (_ROUNDEL_MM + 1.4) + 3.0


def _how(page: _Page, y: float, items: list[Item]) -> float:
    """Words of a step, by the first of them, and the signs of hexes in the pictures; returns
    where the page goes on."""
    style, width = page.style, page.width
    body, strong, ink = (
        style.type("atlas.guide.setup"),
        style.type("atlas.guide.task"),
        style.ink("text"),
    )
    first = steps_of(page.box, page.log)[0]
    sign_mm, pad = 8.0, 4.0
    lead = 2.02 * sign_mm + 2 * pad
    lines = wrap_rich(page.words("how"), body, width - lead - pad)
    step = body.size_mm * _LEADING
    grounds = [
        ground
        for ground in Ground
        if any(ground is h.ground for t in page.box.map_tiles for h in t.hexes)
    ]
    tall = pad + strong.size_mm * 1.4 + len(lines) * step + 1.0 + step + 12.0 + pad / 2
    items.append(Path(commands=rectangle_path(0, y, width, tall, 1.5), fill=style.ink("card.tint")))
    assert first.tile is not None, "a map begins with a tile"
    sign = tile_sign(page.box.tile_by_number[first.tile], first.rotation, sign_mm, style)
    items.append(Group(items=sign, matrix=translation(lead / 2, y + pad + sign_mm)))
    base = y + pad + strong.cap_height_mm
    items += set_line(page.words("read"), strong, ink, lead, base)
    base += strong.size_mm * 1.4
    items += set_lines(lines, body, ink, lead, base, leading=_LEADING)
    base += len(lines) * step + 0.6
    items += set_line(_places(page, first), strong, ink, lead, base)
    pitch, line = (width - 2 * pad) / len(grounds), base + 8.0
    label = style.type("atlas.guide.step")
    for number, ground in enumerate(grounds):
        x = pad + number * pitch
        items.append(Group(items=hex_sign(ground, 5.0, style), matrix=translation(x + 3.0, line)))
        fitted, shown = one_line(ground_word(ground, style), label, pitch - 7.0)
        items += set_line(shown, fitted, ink, x + 6.6, line + fitted.cap_height_mm / 2)
    return y + tall + _GAP_MM


def _places(page: _Page, step: Step) -> str:
    """Grounds of the hexes of a step, and their places."""
    return "  ·  ".join(
        f"{ground_word(ground, page.style)} {place}" for ground, place in step.hexes
    )


def _blanks(page: _Page, items: list[Item]) -> float:
    """Places of blanks, at the foot of the page; returns the room left above."""
    bottom = page.height
    if not page.log.blanks:
        return bottom - _EDGE_MM
    style = page.style
    type_style, strong, ink = (
        style.type("atlas.guide.setup"),
        style.type("atlas.guide.task"),
        style.ink("text"),
    )
    origin = board_origin(page.log)
    places = sorted(page.log.blanks, key=lambda at: (at.q, at.r))
    words = ",  ".join(place_name(at, origin) for at in places)
    label = page.words("blanks")
    lead = text_width(label, type_style) + 2.0
    lines = wrap_rich(words, strong, page.width, lead_mm=lead)
    step = strong.size_mm * 1.25
    top = bottom - 0.8 - (len(lines) - 1) * step
    items += set_line(label, type_style, ink, 0, top)
    for number, line in enumerate(lines):
        items += set_line(line, strong, ink, 0.0 if number else lead, top + number * step)
    return top - strong.size_mm - 1.6


class _Cells(Struct, frozen=True, kw_only=True):
    """Division of a stage of a height: its picture `picture_mm` wide and high, its steps beside
    it or, in `lists` columns, below; `grid` is how the map lies in each picture."""

    beside: bool
    lists: int
    height: float
    picture_mm: tuple[float, float]
    grid: Grid


def _cells(page: _Page, longest: int, tall: float) -> _Cells:
    """The division that draws the map larger: the steps beside the picture, or below it."""
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
    return max(cells, key=lambda division: division.grid.across)


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
    """Its order, the piece as it lies, what it touches, and where each of its hexes goes."""
    style = page.style
    body, strong = style.type("atlas.guide.step"), style.type("atlas.guide.task")
    ink, soft = style.ink("text"), style.ink("text.soft")
    x, middle = at
    upper, lower = middle - 0.9, middle + strong.cap_height_mm + 0.8
    items: list[Item] = [
        *set_line(
            str(step.order), body, soft, x + 4.4, middle + body.cap_height_mm / 2, anchor=Anchor.END
        )
    ]
    numbers = ", ".join(map(str, step.beside))
    if step.tile is None:
        items += icon_block("capital", "", 5.4, style, strong).at(x + 10.6, middle)
        name, near = page.words("capital"), page.words("on", numbers) if numbers else ""
    else:
        sign = tile_sign(page.box.tile_by_number[step.tile], step.rotation, _SIGN_MM, style)
        items.append(Group(items=sign, matrix=translation(x + 10.6, middle)))
        name, near = (
            page.words("tile", step.tile),
            page.words("beside", numbers) if numbers else page.words("first"),
        )
    left = x + 17.0
    items += set_line(name, strong, ink, left, upper)
    after = left + text_width(name, strong) + 2.0
    fitted, shown = one_line(near, body, x + room - after - 1.0)
    items += set_line(shown, fitted, soft, after, upper)
    fitted, shown = one_line(_places(page, step), body, room - 18.0)
    items += set_line(shown, fitted, ink, left, lower)
    return items
