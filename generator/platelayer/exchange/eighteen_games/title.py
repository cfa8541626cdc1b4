"""A whole title from a game of 18xx.games."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from platelayer.exchange.eighteen_games.board import (
    Json,
    Mapping,
    board_block,
    market_block,
    tiles_block,
)
from platelayer.exchange.eighteen_games.companies import companies_block, privates_block
from platelayer.exchange.eighteen_games.trains import (
    name_phases,
    name_trains,
    phases_block,
    trains_block,
)
from platelayer.exchange.imported import Imported, Pictures, complete, wording
from platelayer.exchange.losses import Losses, mark, number, one_line, safe_id, several
from platelayer.exchange.ruby.game import Allows, Question, RubyGame, read_game
from platelayer.exchange.ruby.values import ANY_ORDER, Unread
from platelayer.foundation.door import real
from platelayer.foundation.problems import CannotRun
from platelayer.foundation.suggestions import listed, suggestion

# Data that every game has, so that their absence is reported.
_EXPECTED = (
    "tiles",
    "hexes",
    "layout",
    "trains",
    "phases",
    "market",
    "companies",
    "corporations",
    "currency",
    "bank",
)
_UNLIMITED = 99_000
"""A bank from which on the engine means one without end."""
_NO_LIMIT = 99
"""Certificates from which on the engine means any number."""
_BLOCKS = {
    "map": ("hexes", "layout", "axes", "location_names"),
    "tiles": ("tiles",),
    "companies": ("corporations", "minors"),
    "privates": ("companies",),
    "trains": ("trains",),
    "phases": ("phases", "events", "statuses"),
    "market": ("market", "market_texts"),
}


def title_from_folder(
    folder: Path, title_id: str, *, rules: Sequence[str], during: ExitStack
) -> Imported:
    """The definition of a title from the folder of a game, read with some of its optional rules. It
    may be asked about upgrades as long as `during` is open. Raises CannotRun for a folder without a
    game, and as `read_game` does."""
    if not folder.is_dir():
        raise CannotRun(f"{folder} is one file of a game; name its folder, {folder.parent}")
    game, allows = during.enter_context(read_game(folder, rules=rules))
    _check_rules(rules, game.data["rules"])
    # A game lies in lib/engine/game, its pictures in public.
    above = real(folder).parents
    public = above[min(3, len(above) - 1)] / "public"
    pictures = Pictures(folders={kind: public / kind for kind in ("logos", "icons")})
    title, mapping = _definition(game, title_id, pictures)
    losses = title.losses
    _note_unread(mapping)
    off = [sym for sym in _rules_of(game.data["rules"]) if sym not in rules]
    if off:
        losses.assume(
            f"Optional rules of the game are off (--rule turns one on): {', '.join(off)}."
        )
    title.head["provenance"] = _provenance(mapping, folder.name)
    said = wording(_texts(mapping), usual="president")
    if said:
        title.head["wording"] = said
    pictures.name_icons(
        {
            mark(entry.get("sym")): one_line(entry.get("name"))
            for key in ("companies", "minors", "corporations")
            for entry in mapping.entries(key)
        }
    )
    title.decides, title.laying = game.decides, _laying(mapping)
    title.allows = _asking(allows, losses) if allows is not None else None
    complete(title)
    _add_others(title, game)
    return title


def _definition(game: RubyGame, title_id: str, pictures: Pictures) -> tuple[Imported, Mapping]:
    """The blocks of a title, and how they were made."""
    mapping = Mapping(game=game, losses=Losses(), pictures=pictures)
    name = one_line(game.data.get("title")) or re.sub(r"^G(?=[0-9])", "", game.name)
    name_phases(mapping)
    name_trains(mapping)
    colours = {"white", "yellow", "green", "brown", "gray", "purple", "red", "blue", "sepia"}
    keys = frozenset((*colours, *mapping.phases.values()))
    # Homes are looked up on the map, and hexes leave out icons of companies that they show: the map
    # is read twice.
    board_block(Mapping(game=game, losses=Losses(), stops=mapping.stops), keys, name)
    companies = companies_block(mapping)
    privates = privates_block(mapping, companies)
    board = board_block(mapping, keys, name)
    tiles = tiles_block(mapping, keys)
    phases = phases_block(mapping)
    trains = trains_block(mapping, phases)
    market = market_block(mapping)
    for private in privates.values():
        if private.get("shows", "").removeprefix("tile:") not in tiles:
            private.pop("shows", None)
    blocks: Json = {
        "tiles": tiles,
        "companies": companies,
        "privates": privates,
        "trains": trains,
        "phases": phases,
        "market": market,
    }
    head = _head(mapping, title_id, name)
    maps = {"main": board} if board else {}
    return Imported(
        head=head, maps=maps, blocks=blocks, losses=mapping.losses, pictures=pictures
    ), mapping


def _add_others(title: Imported, game: RubyGame) -> None:
    """Other maps of a game, as variants of its title."""
    rules = dict(zip(_rules_of(game.data["rules"]), _rules(game.data["rules"]), strict=True))
    for other in game.others:
        rule = rules.get(other.rule or "", {})
        name = (
            one_line(rule.get("short_name") or other.rule)
            if other.rule
            else _players_said(other.players)
        )
        if other.game is None:
            title.losses.assume(f"The map of {name} was not read: it takes too many steps.")
            continue
        other.game.catalogue = game.catalogue
        variant, _ = _definition(other.game, str(title.head["id"]), title.pictures)
        words = title.losses.comments(f"variant {name}").fit(
            "letters of a note", one_line(rule.get("desc")), 400
        )
        note = words or f"The map of the game for {name}."
        title.add_variant(name, complete(variant), note)
        news = [unread for unread in other.game.unread if unread not in game.unread]
        title.losses.unread += [f"{_said(key, unread)} ({name})" for key, unread in news]
    if title.head.get("variants"):
        title.losses.read["other maps, as variants"] = len(title.head["variants"])


def _players_said(counts: Sequence[int]) -> str:
    """`2 players`, `2 to 4 players`."""
    return f"{counts[0]} players" if len(counts) == 1 else f"{counts[0]} to {counts[-1]} players"


def _check_rules(asked: Sequence[str], rules: Any) -> None:
    """Raises CannotRun for an optional rule that is not among those of a game."""
    known = _rules_of(rules)
    for name in asked:
        if name not in known:
            fault = f'the game has no optional rule "{name}"; known: {listed(known) or "none"}'
            raise CannotRun("; ".join(filter(None, (fault, suggestion(name, known)))))


def _rules_of(rules: Any) -> list[str]:
    """The symbols of a game's optional rules."""
    return [rule["sym"] for rule in _rules(rules)]


def _rules(rules: Any) -> list[Json]:
    """A game's optional rules, each with its symbol."""
    own = [rule for rule in rules if isinstance(rule, dict)] if isinstance(rules, list) else []
    return [rule for rule in own if isinstance(rule.get("sym"), str)]


def _asking(allows: Allows, losses: Losses) -> Callable[[Sequence[Question]], list[bool]]:
    """Asks the game's own rules of upgrading; where they cost too much, the report says so."""

    def asked(questions: Sequence[Question]) -> list[bool]:
        verdicts = allows(questions)
        if verdicts.unread is not None:
            losses.unread.append(_said("upgrades", verdicts.unread))
        return verdicts.allowed

    return asked


def _said(key: str, unread: Unread) -> str:
    place = f" ({unread.place})" if unread.file else ""
    why = f": {unread.why}" if unread.why else ""
    return f"{key.replace('_', ' ') if unread.file else key}: `{unread.what}`{place}{why}"


def _texts(mapping: Mapping) -> str:
    """All that a game says in words."""
    said = [
        entry.get("desc")
        for key in ("companies", "corporations", "minors")
        for entry in mapping.entries(key)
    ]
    said += [
        text
        for key in ("events", "statuses", "market_texts")
        for text in mapping.table(key).values()
    ]
    return " ".join(map(str, said))


def _laying(mapping: Mapping) -> dict[str, str]:
    """Tiles that abilities name, with the company whose it is."""
    tiles: dict[str, str] = {}
    for key in ("companies", "corporations", "minors"):
        for entry in mapping.entries(key):
            for ability in several(entry.get("abilities")):
                for tile in several(ability.get("tiles")) if isinstance(ability, dict) else ():
                    tiles.setdefault(safe_id(tile), one_line(entry.get("name")) or "an ability")
    return tiles


def _head(mapping: Mapping, title_id: str, name: str) -> Json:
    data = mapping.game.data
    head: Json = {"format": "platelayer.title/1", "id": title_id, "name": name}
    subtitle = one_line(data.get("subtitle"))
    if subtitle:
        head["subtitle"] = subtitle
    designer, publisher = one_line(data.get("designer")), data.get("publisher")
    publishers = ", ".join(one_line(who).replace("_", " ").title() for who in several(publisher))
    people = [f"Designed by {designer}"] if designer else []
    head["credits"] = [*people, *([f"Published by {publishers}"] if publishers else [])]
    head["currency"] = _currency(mapping)
    head["bank"] = _bank(mapping)
    players = _players(mapping)
    if players:
        head["players"] = players
    comments = mapping.losses.comments("title")
    comments.account(
        "players and bank",
        [data.get(key) for key in ("players", "cash", "certificate_limit", "bank")],
        head,
    )
    return comments.comment | {key: value for key, value in head.items() if value != []}


def _currency(mapping: Mapping) -> str:
    pattern = (
        str(mapping.game.data.get("currency") or "${}").replace("%s", "{}").replace("%d", "{}")
    )
    if not re.fullmatch(r"[^{}]{0,8}\{\}[^{}]{0,8}", pattern):
        mapping.losses.lose("pattern of the currency", pattern)
        return "{}"
    return pattern


def _bank(mapping: Mapping) -> int | None:
    bank = mapping.game.data.get("bank")
    if isinstance(bank, dict):
        amounts = [size for size in bank.values() if isinstance(size, int)]
        bank = max(amounts, default=None)
    amount = number(bank, 0, 10_000_000)
    if amount is None and bank not in (None, "unlimited") and not isinstance(bank, float):
        mapping.losses.lose("bank", one_line(bank))
    return None if amount is None or amount >= _UNLIMITED else amount


def _players(mapping: Mapping) -> Json:
    data = mapping.game.data
    given = data.get("players")
    ends = (
        [number(end, 0, 10**9) for end in given]
        if isinstance(given, (list, tuple)) and len(given) == 2
        else [None]
    )
    if None in ends and given:
        mapping.losses.lose("numbers of players", one_line(given)[:60])
    first, last = (2, 6) if None in ends else ends
    players: Json = {}
    counts = range(max(1, first or 0), min(20, last or 0) + 1)
    if (first, last) != (counts.start, counts.stop - 1):
        mapping.losses.lose("numbers of players that are not from 1 to 20", one_line(given)[:60])
    limits = _limits_by_players(data.get("certificate_limit"), counts)
    for count in counts:
        cash = number(_by_players(data.get("cash"), count), 0, 1_000_000)
        limit = _by_players(limits, count)
        if isinstance(limit, dict):
            # The engine lists the limits by the companies that are left.
            left = {
                str(key): number(most, 0, 500) for key, most in limit.items() if number(key, 1, 99)
            }
            certificates: Any = {
                key: most for key, most in left.items() if most is not None
            } or None
        else:
            certificates = number(limit, 0, _NO_LIMIT - 1)
        if cash is not None:
            bank = (
                number(_by_players(data.get("bank"), count), 0, 1_000_000)
                if isinstance(data.get("bank"), dict)
                else None
            )
            more = {"certificate_limit": certificates, "bank": bank}
            players[str(count)] = {"cash": cash} | {
                key: value for key, value in more.items() if value is not None
            }
        elif certificates is not None:
            mapping.losses.lose("cash of players", f"{count} players")
    return players


def _limits_by_players(limits: Any, counts: range) -> Any:
    """Limits of certificates by the number of players, within which they may go by the companies
    that are left: where a game has it the other way round, turned."""
    inner = list(limits.values()) if isinstance(limits, dict) else []
    turned = (
        inner
        and all(isinstance(by_players, dict) for by_players in inner)
        and not set(counts) & set(limits)
    )
    if not turned:
        return limits
    return {
        count: {
            left: by_players[count] for left, by_players in limits.items() if count in by_players
        }
        for count in counts
    }


def _by_players(value: Any, count: int) -> Any:
    return value.get(count) if isinstance(value, dict) else value


def _note_unread(mapping: Mapping) -> None:
    game, losses = mapping.game, mapping.losses
    losses.unread += [_said(key, unread) for key, unread in game.unread]
    for key in _EXPECTED:
        if (
            game.data.get(key) in (None, [], {})
            and key != "companies"
            and key not in {name for name, _ in game.unread}
        ):
            losses.unread.append(f"{key}: there are none in the files")
    for module in game.missing:
        losses.unread.append(f"{module}: the files of this parent are not beside the game")
    for key in dict.fromkeys(key_chosen for key_chosen, _ in game.chosen):
        names = ", ".join(name for key_chosen, name in game.chosen if key_chosen == key)
        losses.assume(
            f"{key.capitalize()} are all those of {names}: the game chooses among them in code."
        )
    for draw in (draw for draw in game.drawn if not draw.why):
        losses.assume(
            f"The game draws by lot; all that may be drawn are taken: `{draw.what}` ({draw.place})."
        )
    for draw in [draw for draw in game.drawn if draw.why == ANY_ORDER][:1]:
        losses.assume(
            f"The game draws by lot; one order of many was taken: `{draw.what}` ({draw.place}) and the like."
        )
    for place in game.decides:
        losses.assume(f"The game has rules of upgrading in code: {place}.")


def _provenance(mapping: Mapping, source: str) -> list[Json]:
    unread = {key for key, _ in mapping.game.unread}
    notes = []
    for block, keys in _BLOCKS.items():
        note = f"{source}, data files of 18xx.games, imported by Platelayer; not compared with the rulebook."
        if unread.intersection(keys):
            note += " Parts could not be read: see import-report.md."
        notes.append({"subject": block, "source": "reference", "note": note})
    return notes


def default_id(folder_name: str) -> str:
    """An id for the title of a game folder: `g_18_chesapeake` becomes 18chesapeake."""
    words = re.sub(r"^g_(?=.)", "", folder_name.lower())
    return (
        safe_id(words.replace("_", "")).lower().replace(".", "-").replace("+", "-")[:40]
        or "imported"
    )
