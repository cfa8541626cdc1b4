"""The report of a map: what players need to know before the first round."""

from __future__ import annotations

import math
import shlex
from collections.abc import Iterator, Sequence
from unicodedata import east_asian_width

from msgspec import Struct

from platelayer.foundation.languages import FixedWords, Tongue
from platelayer.foundation.text import Text
from platelayer.model.map_tiles import AtlasBox, AtlasLog, Axial, Mode, doubled, tile_hexes

# What a map needs: room on the table, and the companies in play.


HEX_MM = 40.0
"""Default size of the map's hexes, flat to flat."""


def places_of(log: AtlasLog) -> Iterator[Axial]:
    """Every hex of a map: of its tiles in the order they were laid, then of its blanks."""
    for draw in log.placed:
        yield from tile_hexes(draw.at, draw.rotation)
    yield from log.blanks


def board_size_mm(log: AtlasLog, hex_mm: float) -> tuple[int, int]:
    """Width and height of a map in whole mm, rounded up, with hexes of `hex_mm` flat to flat; (0,
    0) without tiles."""
    places = [doubled(at) for at in places_of(log)]
    if not places:
        return 0, 0
    columns = 1 + max(x for x, _ in places) - min(x for x, _ in places)
    half_rows = 2 + max(y for _, y in places) - min(y for _, y in places)
    return size_mm(columns, half_rows, hex_mm)


def size_mm(columns: int, half_rows: int, hex_mm: float) -> tuple[int, int]:
    """Width and height in whole mm, rounded up, of columns of hexes that stand half a hex higher or
    lower in turn."""
    side = hex_mm / math.sqrt(3)
    return math.ceil(side * (1.5 * columns + 0.5)), math.ceil(hex_mm * half_rows / 2)


def companies_in_play(box: AtlasBox, mode: Mode, log: AtlasLog) -> tuple[str, ...]:
    """Ids of the companies in play, sorted: those at home on the map, and the homeless ones that
    the mode has.

    In modes with stacks these come with a tile that is dealt as a home (Adaptive with map tile 21,
    which need not be where it starts); in others they are in play unless the mode leaves them out.
    """
    laid = {draw.tile for draw in log.placed}
    at_home = {
        hexagon.company
        for number in laid
        for hexagon in box.tile_by_number[number].hexes
        if hexagon.company is not None
    }
    brought = not mode.stacks or bool(laid & set(mode.stack_homes))
    homeless = set(box.homeless) - set(mode.absent) if brought else set()
    return tuple(sorted(at_home | homeless))


report_words = FixedWords("report")
_ENGLISH = Tongue()

_LINES = (
    report_words("map_mode_seed_policy"),
    report_words("pieces"),
    report_words("table_x_mm_with"),
    report_words("companies"),
    report_words("charters"),
    report_words("cash"),
    report_words("trains"),
)
_AGAIN = report_words("again")
_BY_HAND = report_words("map_by_hand")
_FAIRNESS = report_words("map_fairness")
_HOME = report_words("map_home")
_BAR = 40
"""Characters of the longest bar."""
_COMMA = report_words("comma")
_STACK = report_words("stack_of")
_CASH = report_words("with_players")
_TRAIN = report_words("x")
_NO_EXPORT = report_words("no_export")
_SPARE = report_words("in_the_box")
_TOO_FEW = report_words("the_box_has_cut")


class _Translator(Struct, frozen=True, kw_only=True):
    """Words in one language, as the title says them."""

    tongue: Tongue

    def say(self, text: Text, *parts: object) -> str:
        """A text with its places filled."""
        return self.tongue.say(text, *parts)

    def counted(self, number: int, noun: str) -> str:
        """A number of things."""
        return self.say(report_words(f"1 {noun}" if number == 1 else noun), number)

    def listed(self, parts: Sequence[str]) -> str:
        """A list of things."""
        return self.tongue.say(_COMMA).join(parts)


def map_options(title: str, *, mode: str, seed: object, policy: str, blanks: int | None) -> str:
    """The options that decide a map, of a title by its id or path (empty: Railways of the Lost
    Atlas)."""
    named = f"--title {shlex.quote(title)} " if title else ""
    limit = "" if blanks is None else f" --blanks {blanks}"
    return f"{named}--mode {mode} --seed {seed} --policy {policy}{limit}"


def again_command(log: AtlasLog, title: str = "") -> str:
    """The command that makes a map of a title again."""
    options = map_options(
        title, mode=log.mode, seed=log.seed, policy=log.policy, blanks=log.blank_limit
    )
    return f"platelayer atlas new {options}"


def map_report(
    box: AtlasBox,
    mode: Mode,
    log: AtlasLog,
    *,
    companies: Sequence[str],
    homes: Sequence[tuple[str, int]],
    fairness: float,
    hex_mm: float,
    title: str = "",
    tongue: Tongue = _ENGLISH,
) -> str:
    """Lines of plain text: how the map came about, its pieces, its room on a table with hexes of
    `hex_mm` flat to flat, the names of the companies in play, the columns of charters, cash,
    trains, how fair it is (names of the companies at home on it with what their homes are worth),
    and, where a seed does, the command that makes it again."""
    translator = _Translator(tongue=tongue)
    say, counted, listed = translator.say, translator.counted, translator.listed
    spare = _SPARE if len(log.blanks) <= box.blank_overlays else _TOO_FEW
    stack = "" if log.stack is None else say(_STACK, log.stack, mode.stacks)
    lines: tuple[tuple[object, ...], ...] = (
        (log.mode, stack, log.seed, log.policy, counted(log.restarts, "restart")),
        (
            counted(len(log.placed), "map_tile"),
            counted(len(log.overlays), "capital"),
            counted(len(log.blanks), "blank"),
            say(spare, box.blank_overlays),
        ),
        (*board_size_mm(log, hex_mm), f"{hex_mm:g}"),
        (listed(companies), counted(len(companies), "minor")),
        (counted(len(mode.columns), "column"), " + ".join(map(str, mode.columns))),
        (listed([say(_CASH, *amount) for amount in mode.cash]), counted(mode.cycles, "cycle")),
        (
            listed([say(_TRAIN, *train) for train in mode.trains]),
            "" if mode.exports else say(_NO_EXPORT),
        ),
    )
    facts = [say(line, *parts) for line, parts in zip(_LINES, lines, strict=True)]
    again = []
    if log.seed is None:
        facts[0] = say(_BY_HAND, log.mode)
    else:
        again = [say(_AGAIN, again_command(log, title))]
    return "\n".join([*facts, *_homes(translator, homes, fairness), *again])


def _homes(translator: _Translator, homes: Sequence[tuple[str, int]], fairness: float) -> list[str]:
    """Fairness of the map, and a bar for each home, the longest first; nothing for a map without
    homes."""
    if not homes:
        return []
    wide = max(_columns(name) for name, _ in homes)
    most = max(worth for _, worth in homes) or 1
    return [
        translator.say(_FAIRNESS, f"{fairness:.1f}"),
        *(
            translator.say(
                _HOME,
                name + " " * (wide - _columns(name)),
                f"{worth:>4}",
                "#" * round(_BAR * worth / most),
            ).rstrip()
            for name, worth in sorted(homes, key=lambda home: (-home[1], home[0]))
        ),
    ]


def _columns(text: str) -> int:
    """Columns of a terminal that a text takes: full-width characters take two."""
    return sum(2 if east_asian_width(letter) in "FW" else 1 for letter in text)
