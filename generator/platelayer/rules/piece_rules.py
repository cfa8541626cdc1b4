"""Rules on pieces and boards."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache

from msgspec.structs import fields

from platelayer.foundation.languages import glossary
from platelayer.foundation.problems import Problems, Severity, join_pointer
from platelayer.foundation.text import Text, listed, named, suggestion
from platelayer.foundation.values import grouped
from platelayer.model.described import KEYS
from platelayer.model.gamemap import COS_30, GameMap, Layout, centre_mm, corner_points
from platelayer.model.kinds import BOARDS, KINDS, Form, piece_size
from platelayer.model.manifest import (
    MARKER_PLAY_MM,
    ring_mm,
    track_marker_mm,
    train_bay,
    train_card,
)
from platelayer.model.map_tiles import printed_hexes
from platelayer.model.tile import HEX_MM, TOKEN_PLAY_MM, EndKind, Tile, holds, slot_share
from platelayer.model.title import Title, kind_of_size
from platelayer.rules.rule import ITSELF, MEASURES, finding, rule
from platelayer.rules.text_rules import located_texts

# Space for one piece on A4 within margins of 6 mm, crop marks and the foot of the sheet.
_SHEET_MM = (186.0, 262.0)
# A0, the largest paper size with a common name.
_LARGEST_MM = (841.0, 1189.0)


@rule("PC01", "piece larger than the paper", Severity.WARNING, reads=("maps/.", "pieces/sizes"))
def piece_too_large(title: Title) -> Problems:
    """A card, tile or token does not fit on an A4 sheet inside margins and cut marks (186 x 262
    mm), so it can only be printed on larger paper. For a board larger than A0, which has to be
    printed in parts, this is a note.

    Wrong: "sizes": {"charter": [297, 210]}.

    Right: "sizes": {"charter": [148, 105]}.

    Source: home printers take A4 (ISO 216) and leave 5 to 6 mm blank on each side.
    """
    for size in title.pieces.sizes:
        kind = kind_of_size(size.kind)
        if kind == "map":
            continue
        width, height = size.width_mm, size.height_mm
        if KINDS[kind_of_size(size.kind)].form is Form.HEXAGON:
            height = width / COS_30  # the size of a hex is its width from flat to flat
        # Boards, including the map, are printed as posters or in parts that are joined.
        is_board = KINDS[kind].sort == BOARDS
        room, paper = (_LARGEST_MM, "A0") if is_board else (_SHEET_MM, "A4")
        if not _fits(width, height, room):
            yield finding(
                ("pieces", "sizes", size.kind),
                f'"{size.kind}" of {width:.0f} x {height:.0f} mm does not fit {paper} '
                f"({room[0]:.0f} x {room[1]:.0f} mm)",
                "choose a smaller size, or print on larger paper",
                about=size.kind,
                severity=Severity.NOTE if is_board else Severity.WARNING,
            )
    for gamemap in title.maps:
        width, height = _map_outline(gamemap, piece_size(title, "map", gamemap.id).width_mm)
        if not _fits(width, height, _LARGEST_MM):
            yield finding(
                ("maps", gamemap.id),
                f'the hexes of map "{gamemap.id}" take {width:.0f} x {height:.0f} mm, more than A0 '
                f"({_LARGEST_MM[0]:.0f} x {_LARGEST_MM[1]:.0f} mm)",
                "it will be printed in parts; or give the map smaller hexes",
                severity=Severity.NOTE,
            )


def _fits(width: float, height: float, room: tuple[float, float]) -> bool:
    return min(width, height) <= room[0] and max(width, height) <= room[1]


def _map_outline(gamemap: GameMap, across_mm: float) -> tuple[float, float]:
    """Return width and height in mm of the hexes of a map."""
    centres = [centre_mm(hexagon.at, gamemap.layout, across_mm) for hexagon in gamemap.hexes]
    corners = corner_points(gamemap.layout, across_mm)
    if not centres:
        return 0.0, 0.0
    width, height = (
        max(at[axis] for at in centres)
        - min(at[axis] for at in centres)
        + 2 * max(corner[axis] for corner in corners)
        for axis in (0, 1)
    )
    return width, height


@rule("PC02", "text missing in a language", Severity.WARNING, reads=ITSELF)
def missing_language(title: Title) -> Problems:
    """A text by language lacks a language that at least half of the title's other such texts have,
    so it would be printed in another language. A plain string is valid for every language.

    Wrong: {"en": "Stock round"} in a title whose other texts have "en" and "ja".

    Right: {"en": "Stock round", "ja": "株式ラウンド"}.

    Source: `platelayer build --lang` prints a title in one language.
    """
    # Terms replace fixed words that all titles share. In languages without the term, the usual
    # words remain.
    texts = [
        (at, {code for code, _ in text.forms if code}, text)
        for at, text in located_texts(title)
        if not at.startswith("/terms/") and not text.term
    ]
    translated = [(at, codes, text) for at, codes, text in texts if codes]
    counts = Counter(code for _, codes, _ in translated for code in codes)
    wanted = sorted(code for code, count in counts.items() if 2 * count >= len(translated))
    for at, codes, text in translated:
        if codes.issuperset(wanted):
            continue
        lacking = [code for code in wanted if not text.has(code)]
        if lacking:
            language = sorted(codes)[0]
            words = text.get(language)
            yield finding(
                at,
                f'"{words[:40]}{"..." if len(words) > 40 else ""}" is given in {", ".join(sorted(codes))}, '
                f"but not in {', '.join(lacking)}, unlike {counts[lacking[0]]} of the title's other texts",
                f'add "{lacking[0]}": "..."',
                about=at,
            )


@rule("PC03", "two words for one thing", Severity.WARNING, reads=ITSELF)
def two_words(title: Title) -> Problems:
    """The texts of a title use two words of the glossary for one thing, so readers may take them
    for different things. The more frequent word is taken as the title's.

    Wrong: "運行ラウンド" in three texts and "運営ラウンド" in a fourth.

    Right: one of them in all four; or a waiver, if the game does distinguish two things.

    Source: the glossary of each language (assets/languages), from the rulebooks of published games.
    """
    # Sources are quoted in the original wording.
    texts = [
        (at, text)
        for at, text in located_texts(title)
        if not at.startswith(("/provenance/", "/waivers/"))
    ]
    for language in glossary():
        for thing, uses in words_used(texts, language).items():
            own, *others = sorted(uses, key=lambda word: -len(uses[word]))
            for word in others:
                for at in uses[word]:
                    yield finding(
                        at,
                        f'"{word}" stands here for {thing}, and "{own}" elsewhere',
                        f'write "{own}", or waive this if they are two things',
                        about=f"{language}/{thing}",
                    )


_FIELDS = frozenset({*(field.encode_name for field in fields(Title)), *KEYS[Title]})
_ALL = "all"


@rule("PC06", "provenance of an unknown subject", Severity.WARNING, reads=("provenance",))
def source_of_nothing(title: Title) -> Problems:
    """An entry of `provenance` is about something that is neither a block or field of the title,
    nor a kind of piece, nor "all"; what follows a slash or a colon may be any words.

    Wrong: "subject": "tilse".

    Right: "subject": "tiles"; "subject": "map/names"; "subject": "marker/mountain".

    Source: the checklist lists provenance by its subjects.
    """
    known = {*_FIELDS, *KINDS, _ALL}
    for number, entry in enumerate(title.provenance):
        subject = re.split("[/:]", entry.subject.removeprefix("/"))[0]
        if subject not in known:
            yield finding(
                ("provenance", number, "subject"),
                f'the title has no block and no kind of piece "{subject}"',
                suggestion(subject, known) or 'name a block, a kind of piece, or "all"',
                about=entry.subject,
            )


# Pointers of the texts that use a word, by thing and word.
Uses = Mapping[str, Mapping[str, tuple[str, ...]]]


def words_used(texts: Iterable[tuple[str, Text]], language: str) -> Uses:
    """Return uses of words of the glossary; each text is a pointer and words. The longest matching
    word counts: 留保 is not found in 内部留保."""
    uses_of: dict[str, dict[str, list[str]]] = {}
    _, things = _patterns()[language]
    for at, text in texts:
        for word in _words_in(text.get(language), language):
            uses_of.setdefault(things[word], {}).setdefault(word, []).append(at)
    return {
        thing: {word: tuple(at) for word, at in uses.items()} for thing, uses in uses_of.items()
    }


@lru_cache(1 << 13)
def _words_in(text: str, language: str) -> tuple[str, ...]:
    """Return the words of the glossary in a text, without repetition. Cached, because the variants
    of a title share most of their texts."""
    pattern, _ = _patterns()[language]
    text = text.replace("'", "’").lower()
    found: dict[str, None] = {}
    for match in pattern.finditer(text):
        start, end = match.span()
        beside = text[start - 1 : start], text[end : end + 1]
        # A single kanji counts only if neither neighbour is a kanji. Checked here, as a pattern
        # with their ranges takes 8 ms to compile.
        if not match.lastgroup or not any(
            char == "々" or "\u3400" <= char <= "\u9fff" or "\uf900" <= char <= "\ufaff"
            for char in beside
        ):
            found[match[0]] = None
    return tuple(found)


@cache
def _patterns() -> Mapping[str, tuple[re.Pattern[str], Mapping[str, str]]]:
    """Return, by language, a pattern that finds the words of the glossary, and the meaning of each
    word."""
    patterns = {}
    for language, words_of in glossary().items():
        things = {word.lower(): thing for thing, words in words_of.items() for word in words}
        # In an alternation the first match wins, so longer words come first.
        words = sorted(things, key=len, reverse=True)
        # Latin words form one group, so that their first letters rule it out quickly. If a word
        # with a sign (director’s certificate) matches as well, it is the longer one.
        latin = "|".join(re.escape(word) for word in words if word.isascii())
        joined = [re.escape(word) for word in words if not word.isascii() and not _is_sign(word)]
        signs = "".join(filter(_is_sign, words))
        single = [f"(?P<sign>[{signs}])"] if signs else []
        both = [rf"\b(?:{latin})\b"] if latin else []
        patterns[language] = re.compile("|".join((*joined, *both, *single))), things
    return patterns


def _is_sign(word: str) -> bool:
    """Return True for one kanji, which counts only between other characters."""
    return len(word) == 1 and not word.isascii()


# Rules for the sizes of pieces that are placed on each other.


CHAIN, BAYS, HEXES = "PC04", "PC05", "PC07"
# Rules that changed sizes of pieces may break. Those before BAYS also apply to orders from a shop;
# BAYS does not, because charters and boards with spaces for cards are often printed elsewhere.
SIZE_RULES = (CHAIN, HEXES, BAYS)
_ROUNDING_MM = 0.05
# Maximum width of a hex on a map, in widths of a tile.
_LOOSE = 1.25
# Maximum number of tiles or hexes that a message names.
_TOLD = 8


@rule(
    CHAIN,
    "token wider than its slot",
    Severity.WARNING,
    reads=(
        "atlas",
        "companies/+",
        "maps/+/hexes/+",
        "maps/+/layout",
        "pieces/sizes",
        "privates/+",
        "tiles/+",
    ),
)
def token_too_wide(title: Title) -> Problems:
    """Station tokens are too wide for the slots of tiles or map hexes: a slot must be at least 0.4
    mm wider than its token, so that neighbouring tokens do not overlap. Slots grow with the hex:
    they are 12.4 mm wide on a hex of 38.1 mm, and 12.8 mm in a city of one slot. A tile with less
    room states the width of its slots (`slot_mm`); this is a note. If stops are so crowded that
    slots are drawn narrower without `slot_mm`, this is a note if the slots still hold their tokens,
    and a warning if not.

    Wrong: "sizes": {"tile": 38.1, "token": 14}.

    Right: "sizes": {"tile": 38.1, "token": 12}, or {"tile": 47, "map": 47.5, "token": 15}.

    Source: two tokens that lie beside each other cannot be closer than their diameter.
    """
    token, key = _widest_token(title)
    if not token:
        return
    at = join_pointer("pieces", "sizes", key) if key else join_pointer("pieces")
    narrow = []
    for kind, tile, layout, across in _hexes(title):
        width = slot_share(tile) * across
        drawn = width if tile.slot_mm or not width else _drawn(tile, layout, across)
        if drawn < width - _ROUNDING_MM:
            tight = not holds(drawn, token)
            yield finding(
                join_pointer("tiles", tile.id) if kind == "tile" else at,
                f"the slots of {kind} {tile.id} are drawn {drawn:.1f} mm wide instead of {width:.1f}: stops "
                f"and track leave no more room{f', and tokens of {token:g} mm overlap' if tight else ''}",
                f'give the {kind} "slot_mm": {math.floor(drawn / across * HEX_MM * 10) / 10:g}, or fewer slots',
                about=tile.id,
                severity=Severity.WARNING if tight else Severity.NOTE,
            )
        elif not width or holds(width, token):
            continue
        elif tile.slot_mm:
            yield finding(
                join_pointer("tiles", tile.id) if kind == "tile" else at,
                f"{kind} {tile.id} has room for slots of {width:.1f} mm only, and tokens of {token:g} mm "
                "overlap",
                about=tile.id,
                severity=Severity.NOTE,
            )
        else:
            narrow.append((width, f"{kind} {tile.id}"))
    if narrow:
        least, _ = min(narrow)
        names = [name for _, name in narrow]
        yield finding(
            at,
            f"tokens of {token:g} mm do not fit slots of {least:.1f} mm: {named(names, _TOLD)}",
            f"make tokens {least - TOKEN_PLAY_MM:.1f} mm wide, or hexes "
            f"{math.ceil(100 * ((token + TOKEN_PLAY_MM) / least - 1)):d} % larger",
            about=key or "token",
        )


@rule(HEXES, "tile wider than its hex", reads=("atlas", "maps/+", "pieces/sizes", "tiles/+"))
def wider_than_its_hex(title: Title) -> Problems:
    """Tiles are wider than the hexes of a map, or of map tiles, on which they are laid: neighbouring
    tiles push each other away. Tiles that are much narrower (by more than a fifth) are a warning.

    Wrong: "sizes": {"tile": 44, "map": 38.6}.

    Right: "sizes": {"tile": 44, "map": 44.5}.

    Source: hexes that touch each other are as far apart as they are wide.
    """
    if not title.tiles:
        return
    tile = max(
        (piece_size(title, "tile", entry.tile.id) for entry in title.tiles),
        key=lambda size: size.width_mm,
    )
    boards = [("map", gamemap.id, f"map {gamemap.id}") for gamemap in title.maps]
    if title.atlas is not None:
        boards.append(("map-tile", "", "map tiles"))
    for kind, piece_id, what in boards:
        across = piece_size(title, kind, piece_id).width_mm
        wider = tile.width_mm > across + _ROUNDING_MM
        if wider or across > _LOOSE * tile.width_mm:
            yield finding(
                _pointer(title, kind if title.pieces.given_size(kind, piece_id) else "tile"),
                f"tiles of {tile.width_mm:g} mm do not fit the hexes of {what}, which are {across:g} mm wide",
                f"make these hexes {tile.width_mm + 0.5:g} mm wide, for example with "
                f"--size {kind}={tile.width_mm + 0.5:g}",
                about=piece_id or kind,
                severity=Severity.ERROR if wider else Severity.WARNING,
            )


@rule(BAYS, "piece larger than its place", Severity.WARNING, reads=("pieces", "trains"))
def larger_than_its_place(title: Title) -> Problems:
    """Pieces are too large for their places. A space for a train on a charter must be at least 1 mm
    wider and higher than the card; a space on a round track at least 0.4 mm wider than its marker.
    The bank board, sheets of offers, the market and revenue charts adapt to the sizes of their cards
    and tokens.

    Wrong: "sizes": {"charter": [148, 105], "train": [88, 63]}.

    Right: "sizes": {"charter": [150, 150], "train": [88, 63]}.

    Source: a card laid by hand into a printed frame must not cover the frame or its surroundings.
    """
    yield from _trains(title)
    ring, marker = ring_mm(title), track_marker_mm(title)
    if ring and marker and marker + MARKER_PLAY_MM > ring + 0.01:
        yield finding(
            _pointer(title, "marker"),
            f"markers of {marker:g} mm do not fit the spaces of the round track, which are {ring:g} mm wide",
            f"make markers at most {ring - MARKER_PLAY_MM:g} mm wide",
            about="marker",
        )


def _trains(title: Title) -> Problems:
    """Yield charters whose space for trains is too small for the title's train cards."""
    if not title.trains:
        return
    wide, tall = train_card(title)
    bays = grouped(
        (train_bay(title, company), company.id)
        for company in title.companies
        if company.has_charter
    )
    for bay, charters in bays.items():
        if bay.holds(wide, tall):
            continue
        yield finding(
            _pointer(title, "train"),
            f"trains of {wide:g} x {tall:g} mm do not fit their places of {bay.width_mm:.1f} x "
            f"{bay.height_mm:.1f} mm on charters: {named(charters, _TOLD)}",
            "make trains smaller, or charters larger",
            about="charter",
        )


def _pointer(title: Title, kind: str) -> str:
    """Return the pointer to the size of a kind, or to the block of pieces."""
    given = [size.kind for size in title.pieces.sizes if kind_of_size(size.kind) == kind]
    return join_pointer("pieces", "sizes", given[0]) if given else join_pointer("pieces")


def _widest_token(title: Title) -> tuple[float, str]:
    """Return the diameter of the widest station token, and the key of the size that sets it ("" for
    the default)."""
    stations = [
        company.id for company in title.companies if company.has_charter and company.stations
    ]
    sizes = [piece_size(title, "token", company) for company in stations]
    if not sizes:
        return 0.0, ""
    widest = max(sizes, key=lambda size: size.width_mm)
    given = any(size is widest for size in title.pieces.sizes)
    return widest.width_mm, widest.kind if given and kind_of_size(widest.kind) == "token" else ""


def _drawn(tile: Tile, layout: Layout, across_mm: float) -> float:
    """Return the width of slots as drawn; the full width in a hex whose only stop has all its
    room."""
    measure = MEASURES.get("slot_mm")
    roomy = (
        len(tile.stops) == 1
        and tile.stops[0].at is None
        and all(any(end.kind is EndKind.STOP for end in segment.ends) for segment in tile.track)
    )
    return math.inf if roomy or measure is None else measure(tile, layout, across_mm)


def _hexes(title: Title) -> Iterator[tuple[str, Tile, Layout, float]]:
    """Yield every tile and printed hex: its description, its tile, its layout, and its width."""
    layout = title.layout
    for entry in title.tiles:
        yield "tile", entry.tile, layout, piece_size(title, "tile", entry.tile.id).width_mm
    for gamemap in title.maps:
        across = piece_size(title, "map", gamemap.id).width_mm
        for hexagon in gamemap.hexes:
            yield "hex", hexagon.tile, gamemap.layout, across
    if title.atlas is not None:
        across = piece_size(title, "map-tile").width_mm
        for printed in printed_hexes(title.atlas):
            yield "hex", printed, Layout.FLAT, across


# A numbered operating round, by its id or its English name.
_OPERATING = re.compile(r"(?:or|operating round)[ ._-]*([1-9])\b.*", re.IGNORECASE)


@rule(
    "BD01",
    "round track against operating rounds",
    Severity.WARNING,
    reads=("phases", "pieces/rounds", "pieces/rounds_once"),
)
def rounds_on_track(title: Title) -> Problems:
    """The round track has numbered spaces for operating rounds, and a phase has more rounds than
    spaces, or no phase has that many. Not checked: tracks of rounds that are played once, and
    phases that leave the number of rounds to the track.

    Wrong: "operating_rounds": 3, and a track of "or1" and "or2".

    Right: spaces "or1", "or2" and "or3".

    Source: the round marker needs a space for each round.
    """
    numbered = [
        _OPERATING.fullmatch(space.id) or _OPERATING.fullmatch(space.name.get("en"))
        for space in title.pieces.rounds
    ]
    spaces = {
        int(match[1]): index for index, match in enumerate(numbered) if match and int(match[1])
    }
    most = max((phase.operating_rounds for phase in title.phases), default=0)
    if not spaces or not most or title.pieces.rounds_once:
        return
    beyond = [phase for phase in title.phases if phase.operating_rounds > max(spaces)]
    # A mistake in a single phase is more likely than one in the track, and that is more likely than
    # mistakes in several phases.
    if beyond:
        alone = len(beyond) == 1
        yield finding(
            join_pointer("phases", beyond[0].id, "operating_rounds") if alone else "/pieces/rounds",
            f"phase {beyond[0].id} has {beyond[0].operating_rounds} operating rounds, but the round track has "
            f"spaces for {max(spaces)}",
            "add a space to the track, or correct the phase",
            about=beyond[0].id if alone else "rounds",
        )
    elif max(spaces) > most:
        yield finding(
            ("pieces", "rounds", spaces[max(spaces)]),
            f"the round track has spaces for {max(spaces)} operating rounds, but no phase has more than {most}",
            "remove the space, or correct the phases",
            about="rounds",
        )


@rule(
    "BD02", "fewer markers than hexes for them", Severity.WARNING, reads=("maps", "pieces/markers")
)
def markers_for_hexes(title: Title) -> Problems:
    """A map prints a symbol on more hexes than there are markers with this symbol.

    Wrong: seven markers with "head": "M", and eight hexes with the icon {"name": "m", "text": "M"}.

    Right: "count": 8.

    Source: when the game starts, a marker lies on each hex with its symbol.
    """
    for marker in title.pieces.markers:
        signs = {marker.text, marker.head, marker.picture} - {"", None}
        most = max(
            (
                sum(
                    any({icon.name, icon.text} & signs for icon in hexagon.tile.icons)
                    for hexagon in gamemap.hexes
                )
                for gamemap in title.maps
            ),
            default=0,
        )
        if most > marker.count:
            yield finding(
                ("pieces", "markers", marker.id, "count"),
                f'{most} hexes have the sign of the marker "{marker.name.get("en")}", of which there '
                f"{'is only 1' if marker.count == 1 else f'are only {marker.count}'}",
                f'"count": {most}',
                about=marker.id,
            )


@rule(
    "BD03",
    "number cards against players",
    Severity.WARNING,
    reads=("players", "pieces/number_cards"),
)
def number_card_each(title: Title) -> Problems:
    """The number cards lack a number from 1 to the maximum number of players, or have a higher one.

    Wrong: "number_cards": [1, 2, 3, 4, 5], and an entry for 6 players.

    Right: [1, 2, 3, 4, 5, 6].

    Source: each player has a card with their place in the order of play.
    """
    cards, most = title.pieces.number_cards, title.most_players
    if not cards or not most:
        return
    lacking = [str(number) for number in range(1, most + 1) if number not in cards]
    beyond = [str(number) for number in cards if number > most]
    if lacking or beyond:
        faults = [f"lack {', '.join(lacking)}"] if lacking else []
        faults += [f"have {', '.join(beyond)}"] if beyond else []
        yield finding(
            "/pieces/number_cards",
            f"for {most} players, the number cards {' and '.join(faults)}",
            f"number them from 1 to {most}",
            about="number_cards",
        )


@rule(
    "BD04",
    "left out of a board or of cards",
    Severity.WARNING,
    reads=("phases", "pieces/bank_board", "pieces/phase_cards", "trains"),
)
def left_out(title: Title) -> Problems:
    """The areas of the bank board list some trains but not all; or cards of single phases leave out
    the last phase, or a phase between others that have cards.

    Wrong: "trains": ["2", "3", "5"] in a title with a 4-train.

    Right: "trains": ["2", "3", "4", "5"]; or "trains": "all".

    Source: each train on sale has a space on the board; each phase that begins in play has a card.
    """
    board = title.pieces.bank_board
    areas = [
        (("pieces", "bank_board", "rows", y, x, "trains"), area.trains)
        for y, row in enumerate(board.rows if board is not None else ())
        for x, area in enumerate(row)
        if area.trains
    ]
    cards = [
        (("pieces", "phase_cards", card.id, side), phases)
        for card in title.pieces.phase_cards
        for side, phases in (("front", card.front), ("back", card.back))
        if phases
    ]
    trains, phases = [train.id for train in title.trains], [phase.id for phase in title.phases]
    for what, where, shown, known in (
        ("train", "bank board", areas, trains),
        ("phase", "phase cards", cards, phases),
    ):
        named = {name for _, names in shown for name in names}
        # Things before the first one shown are dealt, or in force from the start.
        first = min((known.index(name) for name in named), default=len(known))
        lacking = [name for name in known[first:] if name not in named]
        if lacking:
            place = {name: keys for keys, names in shown for name in names}
            # The nearest earlier one that is shown.
            before = known[known.index(lacking[0]) - 1]
            while before not in place:
                before = known[known.index(before) - 1]
            yield finding(
                (*place[before],),
                f"the {where} leave{'s' if where.endswith('d') else ''} out {what} {listed(lacking)}",
                f"add it after {before}",
                about=", ".join(lacking),
            )


@rule("BD05", "revenue chart without its top", Severity.WARNING, reads=("pieces/revenue_chart",))
def chart_to_its_top(title: Title) -> Problems:
    """The highest value of the revenue chart is not a multiple of its step, so it has no space.

    Wrong: {"step": 10, "top": 405, "columns": 20}.

    Right: {"step": 10, "top": 400, "columns": 20}.

    Source: the spaces of the chart are the multiples of its step.
    """
    chart = title.pieces.revenue_chart
    if chart is not None and chart.top % chart.step:
        yield finding(
            "/pieces/revenue_chart/top",
            f"the revenue chart goes to {chart.top - chart.top % chart.step} in steps of {chart.step}, "
            f"not to {chart.top}",
            f'"top": {chart.top - chart.top % chart.step}',
            about="revenue_chart",
        )
