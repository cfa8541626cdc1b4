"""The report of a map for its players, the preparations for a game, and the shuffles of seats and
charters."""

from __future__ import annotations

import math
import shlex
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING
from unicodedata import east_asian_width

from platelayer.foundation.languages import FixedWords
from platelayer.foundation.seeds import Dice
from platelayer.foundation.values import Frozen
from platelayer.model.map_tiles import (
    AtlasBox,
    AtlasLog,
    Ground,
    Mode,
    board_origin,
    doubled,
    occupied,
    place_name,
)

if TYPE_CHECKING:
    from platelayer.atlas.measures import Chosen, HomeMeasures
    from platelayer.drawing.kit.style import Style
    from platelayer.model.title import Title

# Default size of the hexes of a map, flat to flat.
HEX_MM = 40.0

report_words = FixedWords("report")
atlas_words = FixedWords("atlas")
card_words = FixedWords("cards")
# Length of the longest bar in characters.
_BAR = 40


def board_size_mm(log: AtlasLog, hex_mm: float) -> tuple[int, int]:
    """Return the width and height of a map in whole mm, rounded up, with hexes of `hex_mm` flat to
    flat; (0, 0) without tiles."""
    places = [doubled(at) for at in occupied(log)]
    if not places:
        return 0, 0
    columns = 1 + max(x for x, _ in places) - min(x for x, _ in places)
    half_rows = 2 + max(y for _, y in places) - min(y for _, y in places)
    return size_mm(columns, half_rows, hex_mm)


def size_mm(columns: int, half_rows: int, hex_mm: float) -> tuple[int, int]:
    """Return the width and height in whole mm, rounded up, of columns of flat-topped hexes, every
    second of which is half a hex lower."""
    side = hex_mm / math.sqrt(3)
    return math.ceil(side * (1.5 * columns + 0.5)), math.ceil(hex_mm * half_rows / 2)


def companies_in_play(box: AtlasBox, mode: Mode, log: AtlasLog) -> tuple[str, ...]:
    """Return the ids of the companies in play, sorted: those at home on the map, and the homeless
    ones of the mode.

    In modes with stacks, a homeless company is in play if the tile it comes with is dealt as a home
    (Adaptive with map tile 21, where it need not start); in other modes, unless the mode leaves it
    out.
    """
    laid = {draw.tile for draw in log.placed}
    hexes = [hexagon for number in laid for hexagon in box.tile_by_number[number].hexes]
    at_home = {hexagon.company for hexagon in hexes if hexagon.company is not None}
    brought = not mode.stacks or bool(laid & set(mode.stack_homes))
    homeless = set(box.homeless) - set(mode.absent) if brought else set()
    return tuple(sorted(at_home | homeless))


def map_options(title: str, *, mode: str, seed: object, policy: str, blanks: int | None) -> str:
    """Return the options that determine a map of a title, given by its id or path (empty: Railways
    of the Lost Atlas)."""
    named = f"--title {shlex.quote(title)} " if title else ""
    limit = "" if blanks is None else f" --blanks {blanks}"
    return f"{named}--mode {mode} --seed {seed} --policy {policy}{limit}"


def again_command(log: AtlasLog, code: str = "", title: str = "") -> str:
    """Return the command that makes a map of a title again: from its seed or, if it has none, from
    its code."""
    if log.seed is None:
        named = f"--title {shlex.quote(title)} " if title else ""
        return f"platelayer atlas new {named}--from {code}"
    options = map_options(
        title, mode=log.mode, seed=log.seed, policy=log.policy, blanks=log.blank_limit
    )
    return f"platelayer atlas new {options}"


class MapPrint(Frozen, kw_only=True):
    """Subject of the report and the files of a map: `companies` are ids of those in play, `homes`
    the measures of the homes on it, `chosen` the best homes for companies that choose theirs, `deal`
    what was shuffled for the players, `tables` how many get a sealed guide, `judgements` sentences on
    the fairness, `again` the command that makes the map again, `link` the address that its QR code
    opens ("": the code gives the command)."""

    title: Title
    log: AtlasLog
    companies: Sequence[str]
    style: Style
    paper: str = "a4"
    homes: Mapping[str, HomeMeasures] = {}
    chosen: Mapping[str, Chosen] = {}
    fairness: float = 0.0
    deal: Deal | None = None
    tables: int = 0
    judgements: Sequence[str] = ()
    again: str = ""
    link: str = ""
    png: bool = True

    @property
    def box(self) -> AtlasBox:
        """The box of the title."""
        assert self.title.atlas is not None, "a map is of a title with map tiles"
        return self.title.atlas

    def name(self, company: str) -> str:
        """Return the name of a company."""
        return self.style.words(self.title.company_by_id[company].name)


def map_report(job: MapPrint, *, finished: Sequence[str] = (), code: str) -> str:
    """Report in plain text: origin of the map, its pieces, its size on a table, the companies in
    play, columns of charters, cash, trains, what was shuffled for the players, its fairness with the
    worth of each home, sentences on both, the command that makes it again, and its code. If it was
    `finished`, the seed of that and the line of each new piece come first."""
    box, log, deal = job.box, job.log, job.deal
    mode, tongue = box.mode_by_id[log.mode], job.style.tongue

    def say(key: str, *parts: object) -> str:
        return tongue.say(report_words(key), *parts)

    def counted(number: int, noun: str) -> str:
        return say(f"1 {noun}" if number == 1 else noun, number)

    if log.seed is None:
        lines = [say("map_by_hand", log.mode)]
    else:
        stack = "" if log.stack is None else say("stack_of", log.stack, mode.stacks)
        restarts = counted(log.restarts, "restart")
        lines = [say("map_mode_seed_policy", log.mode, stack, log.seed, log.policy, restarts)]
    if finished:
        lines += [say("finished", finished[0]), *(say("new", line) for line in finished[1:])]
    enough = len(log.blanks) <= box.blank_overlays
    pieces = (
        counted(len(log.placed), "map_tile"),
        counted(len(log.overlays), "capital"),
        counted(len(log.blanks), "blank"),
        say("in_the_box" if enough else "the_box_has_cut", box.blank_overlays),
    )
    comma, columns = say("comma"), " + ".join(map(str, mode.columns))

    def listed(companies: Sequence[str]) -> str:
        return comma.join(map(job.name, companies))

    cash = comma.join(say("with_players", *amount) for amount in mode.cash)
    if deal is not None:
        cash = say("with_players", len(deal.seats), deal.cash)
    trains = comma.join(say("x", *train) for train in mode.trains)
    lines += [
        say("pieces", *pieces),
        say("table_x_mm_with", *board_size_mm(log, HEX_MM), f"{HEX_MM:g}"),
        say("companies", listed(job.companies), counted(len(job.companies), "minor")),
        say("charters", counted(len(mode.columns), "column"), columns),
        say("cash", cash, counted(mode.cycles, "cycle")),
        say("trains", trains, "" if mode.exports else say("no_export")),
    ]
    if deal is not None:
        lines.append(say("seats", comma.join(map(str, deal.seats))))
        lines += [
            say("column_of", number, listed(column))
            for number, column in enumerate(deal.columns, start=1)
        ]
        if deal.card is not None:
            lines.append(say("card_is", deal.card))
    homes = [(job.name(company), measured.worth) for company, measured in job.homes.items()]
    for company, best in job.chosen.items():
        at = place_name(best.at, board_origin(log))
        homes.append((f"{job.name(company)} ({at})", best.home.worth))
    if homes:
        lines.append(say("map_fairness", f"{job.fairness:.1f}"))
        wide = max(_columns(name) for name, _ in homes)
        most = max(worth for _, worth in homes) or 1
        for name, worth in sorted(homes, key=lambda home: (-home[1], home[0])):
            padded = name + " " * (wide - _columns(name))
            bar = "#" * round(_BAR * worth / most)
            lines.append(say("map_home", padded, f"{worth:>4}", bar).rstrip())
        lines += job.judgements
    if log.seed is not None:
        lines.append(say("again", job.again))
    lines.append(say("code", code))
    return "\n".join(lines)


def _columns(text: str) -> int:
    """Return the width of a text in a terminal, where full-width characters take two columns."""
    return sum(2 if east_asian_width(letter) in "FW" else 1 for letter in text)


# Preparations for a game on a map.


class Task(Frozen, kw_only=True):
    """One preparation: its key and name, and sentences for the printed guide and the pages of a
    phone."""

    key: str
    head: str
    lines: tuple[str, ...]


def tasks_of(job: MapPrint, *, blind: bool = False) -> tuple[Task, ...]:
    """Return the preparations for a map, in order. With `blind`, nothing is revealed that the draws
    decide: in a mode with stacks, the tiles and the companies. Raises KeyError if the box lacks
    the mode."""
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
    # Only companies with this ability lay bridges, whatever the phase.
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


# Shuffles for a map before its game: seats, charters, and the card of off-board areas.


class Deal(Frozen, kw_only=True):
    """Set-up for a number of players: `seats` are players from 1 in the order of their turns,
    `cash` what each has, `columns` ids of companies by column of charters, the one on top first,
    `card` the id of the card of off-board areas (None: the map needs none)."""

    seats: tuple[int, ...]
    cash: int
    columns: tuple[tuple[str, ...], ...]
    card: str | None


def deal(title: Title, log: AtlasLog, *, companies: Sequence[str], players: int, seed: int) -> Deal:
    """Shuffle for a map: `companies` are ids of those in play, the seed is that of its code
    (`code.seed_of`). The card is one with printed amounts. Charters and card are the same for any
    number of players. Raises KeyError for a number of players that the mode is not for.

    Source: rulebook, section 3.
    """
    assert title.atlas is not None, "a map is of a title with map tiles"
    mode, dice = title.atlas.mode_by_id[log.mode], Dice(seed)
    cards = [card.id for card in title.pieces.destination_cards if card.revenue]
    charters, card = charters_and_card(dice, companies, cards)
    ends = [0, *accumulate(mode.columns or (len(charters),))]
    tiles = (title.atlas.tile_by_number[draw.tile] for draw in log.placed)
    entered = any(h.ground is Ground.DESTINATION for tile in tiles for h in tile.hexes)
    return Deal(
        seats=tuple(dice.shuffled(range(1, players + 1))),
        cash=dict(mode.cash)[players],
        columns=tuple(tuple(charters[start:end]) for start, end in pairwise(ends)),
        card=card if entered else None,
    )


def charters_and_card(
    dice: Dice, companies: Sequence[str], cards: Sequence[str]
) -> tuple[list[str], str | None]:
    """Shuffle what is the same for any number of players: the charters of companies, and the cards
    of off-board areas, of which one counts (None: there are none)."""
    charters = dice.shuffled(sorted(companies))
    return charters, dice.shuffled(cards)[0] if cards else None
