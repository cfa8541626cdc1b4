"""A whole title from a game of 18xx.games.

Functions whose names end in `_block` each make one block of the definition. Whatever the format
cannot express is counted as lost where it is found (`comments.lose`), and every number of an entry
is accounted for (`comments.account`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from platelayer.exchange.eighteen_games.board import (
    Mapping,
    board_block,
    market_block,
    tiles_block,
)
from platelayer.exchange.imported import (
    Imported,
    Pictures,
    complete,
    reference,
    token_text,
    trade_ins,
    wording,
)
from platelayer.exchange.losses import (
    Comments,
    Entry,
    Losses,
    as_printed,
    counts_hexes,
    filled,
    hashes,
    in_json,
    line_of,
    list_of,
    mark,
    number,
    numbers_in,
    one_line,
    safe_id,
    safe_size,
    several,
    shown_by,
    single,
    spoken,
    unused,
)
from platelayer.exchange.ruby.game import ANY_ORDER, Question, RubyGame, Unread, read_game
from platelayer.exchange.tile_strings import OTHERS, TILE_COLOURS, rgb, tile_colour
from platelayer.foundation.door import real
from platelayer.foundation.languages import FixedWords
from platelayer.foundation.problems import CannotRun
from platelayer.foundation.text import listed, suggestion
from platelayer.foundation.values import Json
from platelayer.model.company import MOST_LOANS

# Data that every game has: if they are missing, this is reported.
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
# Minimum bank by which the engine means an unlimited one.
_UNLIMITED = 99_000
# Minimum certificate limit by which the engine means any number.
_NO_LIMIT = 99
# An ability that names at most this many tiles lays them regardless of labels and stops.
_FEW_TILES = 3
_BLOCKS = {
    "map": ("hexes", "layout", "axes", "location_names"),
    "tiles": ("tiles",),
    "companies": ("corporations", "minors"),
    "privates": ("companies",),
    "trains": ("trains",),
    "phases": ("phases", "events", "statuses"),
    "market": ("market", "market_texts"),
}


def game_folder(folder: Path) -> Path:
    """Return the folder of a game: the given one, or that of the only game in a folder of games or
    in a clone of 18xx.games. Raises CannotRun if there are several games, or no Ruby files at
    all."""
    if (folder / "game.rb").exists():
        return folder
    games = [
        path.parent
        for around in ("", "game/", "engine/game/", "lib/engine/game/")
        for path in sorted(folder.glob(f"{around}*/game.rb"))
    ]
    if len(games) > 1:
        names = listed([game.name for game in games])
        raise CannotRun(f"{folder} holds {len(games)} games; name the folder of one: {names}")
    if not games and folder.is_dir() and not any(folder.glob("*.rb")):
        raise CannotRun(f"{folder} holds no game; {OTHERS}")
    return games[0] if games else folder


def title_from_folder(
    folder: Path, title_id: str, *, rules: Sequence[str], during: ExitStack
) -> Imported:
    """Return the definition of a title from the folder of a game, read with some of its optional
    rules. Questions about upgrades can be asked while `during` is open. Raises CannotRun for a
    folder without a game and for an unknown rule, and the errors of `read_game`."""
    if not folder.is_dir():
        raise CannotRun(f"{folder} is one file of a game; name its folder, {folder.parent}")
    game, allows = during.enter_context(read_game(folder, rules=rules))
    known = _rules_of(game.data["rules"])
    for name in rules:
        if name not in known:
            fault = f'the game has no optional rule "{name}"; known: {listed(known) or "none"}'
            raise CannotRun("; ".join(filter(None, (fault, suggestion(name, known)))))
    # Games are in lib/engine/game, their pictures in public.
    above = real(folder).parents
    public = above[min(3, len(above) - 1)] / "public"
    pictures = Pictures(folders={kind: public / kind for kind in ("logos", "icons")})
    title, mapping = definition(game, title_id, pictures, Losses())
    losses = title.losses
    _note_unread(mapping)
    off = [symbol for symbol in known if symbol not in rules]
    if off:
        losses.assume(
            f"Optional rules of the game are off (--rule turns one on): {', '.join(off)}."
        )
    if game.removed:
        losses.assume(
            f"Tiles {listed(game.removed)} are not in the box: the game removes them for these rules."
        )
    note = f"{folder.name}, data files of 18xx.games, imported by Platelayer; not compared with the rulebook."
    unread = {key for key, _ in game.unread}
    title.head["provenance"] = [
        reference(
            block,
            note
            if unread.isdisjoint(keys)
            else f"{note} Parts could not be read: see import-report.md.",
        )
        for block, keys in _BLOCKS.items()
    ]
    words = wording(_texts(mapping), usual="president")
    if words:
        title.head["wording"] = words
    pictures.name_icons(
        {
            mark(entry.get("sym")): line_of(entry, "name")
            for key in ("companies", "minors", "corporations")
            for entry in mapping.entries(key)
        }
    )
    title.decides = game.decides
    title.laying, title.places, title.lays = _laying(mapping, title.blocks["tiles"])

    def ask(questions: Sequence[Question], owner: Json | None) -> list[bool]:
        assert allows is not None
        verdicts = allows(questions, owner)
        if verdicts.unread is not None:  # the game's rules take too many steps
            losses.unread.append(_said("upgrades", verdicts.unread))
        return verdicts.allowed

    title.allows = ask if allows is not None else None
    complete(title)
    _add_others(title, game)
    return title


def definition(
    game: RubyGame, title_id: str, pictures: Pictures, losses: Losses
) -> tuple[Imported, Mapping]:
    """Return a title with its blocks, and the mapping that made them."""
    mapping = Mapping(game=game, losses=losses, pictures=pictures)
    name = one_line(game.data.get("title")) or re.sub(r"^G(?=[0-9])", "", game.name)
    name_phases(mapping)
    name_trains(mapping)
    keys = frozenset((*TILE_COLOURS, *mapping.phases.values()))
    # The map is read twice: companies look up their homes on the map, and hexes then leave out the
    # icons of companies that they show anyway.
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
    blocks = {
        "tiles": tiles,
        "companies": companies,
        "privates": privates,
        "trains": trains,
        "phases": phases,
        "market": market,
        "bonuses": _bonuses_block(mapping, board),
    }
    connection = _CONNECTIONS.get(str(game.data.get("connection")))
    if connection is not None:
        blocks["upgrades"] = {"connection": connection}
    head = _head(mapping, title_id, name)
    maps = {"main": board} if board else {}
    return Imported(
        head=head, maps=maps, blocks=blocks, losses=mapping.losses, pictures=pictures
    ), mapping


# Unusual rules about what a company must reach on the tile that it lays, by the engine's names.
_CONNECTIONS = {"permissive": "any", "city_permissive": "city", "restrictive": "track"}
# Methods of routes whose decisions the format can express.
_TOLD_OF_ROUTES = {"east_west_bonus", "pullman?"}


def _bonuses_block(mapping: Mapping, board: Json | None) -> Json:
    """Return the block `bonuses`: from east to west, as labels, groups and amounts on hexes say;
    and a bonus that lists everything else that the game's code decides about routes, so that it
    is known not to be counted."""
    bonuses = {}
    methods = mapping.game.of_routes
    hexes = (board or {}).get("hexes", {})
    if "east_west_bonus" in methods:
        sides: list[Json] = [{}, {}]
        for hex_id, entry in hexes.items():
            texts = [icon["text"] for icon in entry.get("icons", ()) if isinstance(icon, dict)]
            amount = sum(int(text) for text in texts if text.isdecimal())
            groups = [group for stop in entry.get("stops", ()) for group in stop.get("groups", ())]
            if "E" in groups:
                sides[0][hex_id] = amount
            elif "W" in entry.get("labels", ()):
                sides[1][hex_id] = amount
        if all(sides):
            bonuses["east-west"] = {"name": "East to west", "pays": {"visits": sides}}
    code = [name for name in methods if name not in _TOLD_OF_ROUTES]
    if code:
        names = ", ".join(code)
        bonuses["code"] = {"name": f"routes by the game's code: {names}"[:200]}
        mapping.losses.assume(
            f"`platelayer routes` does not count what the game's code decides: {names}."
        )
    return bonuses


def _add_others(title: Imported, game: RubyGame) -> None:
    """Add the other maps of a game as variants of its title."""
    rules = dict(zip(_rules_of(game.data["rules"]), _rules(game.data["rules"]), strict=True))
    for other in game.others:
        rule = rules.get(other.rule or "", {})
        if other.rule:
            name = one_line(rule.get("short_name") or other.rule)
        elif len(other.players) == 1:
            name = f"{other.players[0]} players"
        else:
            name = f"{other.players[0]} to {other.players[-1]} players"
        if other.game is None:
            title.losses.assume(f"The map of {name} was not read: it takes too many steps.")
            continue
        other.game.catalogue = game.catalogue
        variant, _ = definition(other.game, str(title.head["id"]), title.pictures, Losses())
        words = title.losses.comments(f"variant {name}").fit(
            "letters of a note", line_of(rule, "desc"), 400
        )
        note = words or f"The map of the game for {name}."
        title.add_variant(name, complete(variant), note)
        news = [unread for unread in other.game.unread if unread not in game.unread]
        title.losses.unread += [f"{_said(key, unread)} ({name})" for key, unread in news]
    if title.head.get("variants"):
        title.losses.read["other maps, as variants"] = len(title.head["variants"])


def _rules_of(rules: Any) -> list[str]:
    """Return the symbols of a game's optional rules."""
    return [rule["sym"] for rule in _rules(rules)]


def _rules(rules: Any) -> list[Json]:
    """Return those of a game's optional rules that have a symbol."""
    return [rule for rule in hashes(rules) if isinstance(rule.get("sym"), str)]


def _said(key: str, unread: Unread) -> str:
    place = f" ({unread.place})" if unread.file else ""
    why = f": {unread.why}" if unread.why else ""
    return f"{key.replace('_', ' ') if unread.file else key}: `{unread.what}`{place}{why}"


def _texts(mapping: Mapping) -> str:
    """Return all texts of a game, joined by spaces."""
    texts = [
        entry.get("desc")
        for key in ("companies", "corporations", "minors")
        for entry in mapping.entries(key)
    ]
    texts += [
        text
        for key in ("events", "statuses", "market_texts")
        for text in mapping.table(key).values()
    ]
    return " ".join(map(str, texts))


def _laying(
    mapping: Mapping, numbers: Json
) -> tuple[dict[str, str], dict[str, set[str]], list[tuple[Json, list[str]]]]:
    """Return tiles that abilities name, each with the company of the first such ability; tiles with
    the hexes on which they are laid by abilities that name few tiles, or by the game's own code
    and tables; and companies that lay tiles on any hex regardless of labels and stops, each with
    these tiles."""
    owners: dict[str, str] = {}
    places: dict[str, set[str]] = {}
    lays = []
    for name, hexes in mapping.game.places.items():
        tile = safe_id(name) if safe_id(name) in numbers else shown_by(safe_id(name), numbers)
        places.setdefault(tile or "", set()).update(hexes)
    for key in ("companies", "corporations", "minors"):
        for entry in mapping.entries(key):
            for ability in hashes(entry.get("abilities")):
                tiles = list(map(safe_id, list_of(ability, "tiles")))
                for tile in tiles:
                    owners.setdefault(tile, line_of(entry, "name") or "an ability")
                    if len(tiles) <= _FEW_TILES:
                        named = map(str, list_of(ability, "hexes"))
                        places.setdefault(tile, set()).update(named)
                if tiles and ability.get("hexes") == [] and ability.get("special") is not False:
                    owner = {key: entry.get("sym") for key in ("id", "sym")}
                    lays.append((owner | {"name": entry.get("name")}, tiles))
    return owners, places, lays


# Publishers whose names are not just their symbols in title case.
_PUBLISHERS = {"all_aboard_games": "All-Aboard Games", "gmt_games": "GMT Games"}


def _head(mapping: Mapping, title_id: str, name: str) -> Json:
    data = mapping.game.data
    head: Json = {"format": "platelayer.title/1", "id": title_id, "name": name}
    head |= filled({"subtitle": line_of(data, "subtitle")})
    designer = line_of(data, "designer")
    publishers = [
        _PUBLISHERS.get(who, who.replace("_", " ").title() if who.islower() else who)
        for who in map(one_line, list_of(data, "publisher"))
        if who not in ("", "self_published")
    ]
    head["credits"] = [
        *([f"Designed by {designer}"] if designer else []),
        *([f"Published by {', '.join(publishers)}"] if publishers else []),
    ]
    head["currency"] = _currency(mapping)
    head["bank"] = _bank(mapping)
    loan = number(mapping.game.loan, 1, 1_000_000)
    head |= filled({"players": _players(mapping), "loan": loan if mapping.game.loans else None})
    comments = mapping.losses.comments("title")
    comments.account(
        "players and bank",
        [data.get(key) for key in ("players", "cash", "certificate_limit", "bank")],
        head,
    )
    if mapping.game.rules:
        comments.lose("rules of play in constants", in_json(mapping.game.rules, 3000))
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
    players = {}
    counts = range(max(1, first or 0), min(20, last or 0) + 1)
    if (first, last) != (counts.start, counts.stop - 1):
        mapping.losses.lose("numbers of players that are not from 1 to 20", one_line(given)[:60])
    limits = _limits_by_players(data.get("certificate_limit"), counts)
    for count in counts:
        cash = number(_by_players(data.get("cash"), count), 0, 1_000_000)
        limit = _by_players(limits, count)
        if isinstance(limit, dict):
            # The engine lists the limits by the number of remaining companies.
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
            players[str(count)] = filled(
                {"cash": cash, "certificate_limit": certificates, "bank": bank}
            )
        elif certificates is not None:
            mapping.losses.lose("cash of players", f"{count} players")
    return players


def _limits_by_players(limits: Any, counts: range) -> Any:
    """Return certificate limits by the number of players, which may in turn be limits by the number
    of remaining companies. Limits that a game nests the other way round are inverted."""
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
    losses.rules = [f"{name}: {in_json(value, 300)}" for name, value in game.rules.items()]
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


def default_id(folder_name: str) -> str:
    """Return an id for the title of a game folder: 18chesapeake for `g_18_chesapeake`."""
    words = re.sub(r"^g_(?=.)", "", folder_name.lower())
    return (
        safe_id(words.replace("_", "")).lower().replace(".", "-").replace("+", "-")[:40]
        or "imported"
    )


# Companies

# Types of corporation that are kinds of company; any other type names a size.
KINDS = {"minor": "minor", "major": "major", "national": "national"}
_RESERVED_SIZES = ("private", "concession", "director", "ordinary", "station", "market")
_PRIVATE = "#e9d8a6"
_PLAIN = "#808080"
# Minimum total difference in red, green and blue for text to be legible on its ground.
_LEAST_APART = 48
_SHARES = [20, 10, 10, 10, 10, 10, 10, 10, 10]
# The engine's default.
_FLOAT = 60

# Fields that only affect how 18xx.games shows a company on screen.
_ON_SCREEN = ("hide_shares", "simple_logo", "reservation_color", "destination_icon")
# Words for fields that no definition has a place for; other fields are reported by name.
_NAMES = {
    "always_market_price": "shares at their market price",
    "interval": "prices of a private company",
    "max_players": "greatest number of players for a company",
    "meta": "other data of a company",
    "reserved": "reserved train",
}
# Abilities for which the company's text is enough.
_IN_WORDS = ("shares", "tile_lay", "description", "no_buy", "base")
# When private companies close: at an action of a company, or never.
_CLOSING = {"bought_train": "when {} buys a train", "par": "when {} is started"}
_NEVER = {"player": "never while a player owns it", "corporation": "never while a company owns it"}
_BLOCKING = ("blocks_hexes", "blocks_hexes_consent")
# Sentences for abilities without text, with the keys they need in braces.
_SENTENCES = {
    "exchange": "May be exchanged for a share of {corporations}.",
    "token": "May place a station in {hexes} for {price}.",
    "train_limit": "Its train limit is {increase} higher.",
    "reservation": "A slot in {hex} is reserved for it.",
    "assign_hexes": "May be assigned to {hexes}.",
    "teleport": "May lay tile {tiles} and place a station in {hexes}.",
}
_TOKEN_OR_TELEPORT = (
    "May place a station in {hexes} for {price}, or for {teleport_price} without a connection."
)
# Platelayer's words for events, by the engine's.
_OURS: Json = {
    "All companies unless otherwise noted are discarded from the game": {
        "en": "All private companies close.",
        "ja": "すべての個人会社を閉鎖する。",
    }
}
# Keys of abilities that are always read, or mean nothing on their own.
_KEYS_OF_ALL = ("type", "hidden", "description", "desc_detail", "icon")
# A kind in front of the name of a company that is auctioned with private companies.
_KIND_BEFORE_NAME = re.compile(r"(concession|minor): *(?=\S)", re.IGNORECASE)
_MINOR = {"en": "Minor company", "ja": "小会社"}
# Amounts of private companies that have the same names in both formats, with their limits.
_AMOUNTS = (("min_price", 0, 1_000_000), ("max_price", 0, 1_000_000), ("discount", -1_000_000, 1_000_000),
           ("min_players", 2, 20))  # fmt: skip

# Suffixes that make ids unique if they are already taken.
_ENDINGS = {"corporations": "", "minors": "-m", "companies": "-p"}

# Names of these lists in the report.
_COUNTED = {"corporations": "companies", "minors": "companies", "companies": "privates"}
# Values that mean only that a company has no shares.
_ALL = (
    ("shares", [100]),
    ("reserved_shares", [100]),
    ("max_ownership_percent", 100),
    ("float_percent", 100),
)

Builder = Callable[[Mapping, str, str, Json, Comments], Json]


def companies_block(mapping: Mapping) -> Json:
    """Return the block `companies`: corporations and minors."""
    companies: Json = {}
    for key in ("corporations", "minors"):
        _add(mapping, key, _operating, companies)
    _size_by_limits(mapping, companies)
    mapping.classes = list(
        dict.fromkeys(
            word for company in companies.values() for word in _classes_of(company) if word
        )
    )
    return companies


def _classes_of(company: Json) -> tuple[Any, ...]:
    return company["kind"], company.get("size"), *company.get("later_sizes", ())


def _size_by_limits(mapping: Mapping, companies: Json) -> None:
    """Give companies the sizes that train limits mention but no company has. A company takes the
    size of the private company of the same id, which begins it. If none does, majors (or all
    companies, if there are no majors) may take the size in play."""
    limits = (entry.get("train_limit") for entry in mapping.entries("phases"))
    named = dict.fromkeys(
        safe_size(who) for limit in limits if isinstance(limit, dict) for who in limit
    )
    known = {
        *(word for company in companies.values() for word in _classes_of(company)),
        *KINDS,
        *_RESERVED_SIZES,
    }
    begun = {
        safe_id(private.get("sym")): safe_size(private["meta"].get("type") or "")
        for private in mapping.entries("companies")
        if isinstance(private.get("meta"), dict)
    }
    for size in named:
        if not size or size in known:
            continue
        started = [
            key for key in companies if begun.get(key) == size and "size" not in companies[key]
        ]
        for key in started:
            companies[key]["size"] = size
        majors = [company for company in companies.values() if company["kind"] == "major"]
        for company in () if started else majors or companies.values():
            company.setdefault("later_sizes", []).append(size)


def privates_block(mapping: Mapping, companies: Json) -> Json:
    """Return the block `privates`. Its ids may be the same as those of companies, except companies
    whose only certificate is a card like that of a private."""
    taken = {
        key
        for key, company in companies.items()
        if [part["percent"] for part in company.get("certificates", ())] == [100]
    }
    privates: Json = {}
    _add(mapping, "companies", _private, privates, taken=taken)
    for company_id, private in privates.items():
        share = private.pop("share_of", None)
        if share is not None and safe_id(share) in companies:
            private["share_of"] = safe_id(share)
        elif share is not None:
            mapping.losses.lose("share that a private company comes with", company_id)
    return privates


def _add(
    mapping: Mapping, key: str, builder: Builder, block: Json, *, taken: Collection[str] = ()
) -> None:
    for entry in map(Entry, mapping.entries(key)):
        company_id = unused(
            safe_id(entry.get("sym") or entry.get("name")), {*block, *taken}, _ENDINGS[key]
        )
        comments = mapping.losses.comments(company_id)
        company = builder(mapping, key, company_id, entry, comments)
        roundel = entry.get("roundel")
        named = line_of(entry, "logo") if entry.get("logo") and not roundel else ""
        logo = mapping.pictures.find("logos", named) if named else None
        if logo is not None:
            company["logo"] = logo
        elif isinstance(roundel, str):
            company["roundel"] = {"division": roundel}
        elif named:
            comments.lose("logo", one_line(entry["logo"]))
        for name in (name for name in _ON_SCREEN if entry.get(name) is not None):
            mapping.losses.assume(f"Only the program's screen has a use for {name} of companies.")
        comments.name_unread(entry, (), _NAMES)
        alone = [
            field
            for field, whole in _ALL
            if entry.get(field) == whole and "certificates" not in company
        ]
        # Numbers in the names of pictures are not the game's.
        aside = ("logo", *_ON_SCREEN, *alone)
        counted = {name: value for name, value in entry.items() if name not in aside}
        comments.account(_COUNTED[key], counted, {company_id: company})
        block[company_id] = comments.comment | company
        # An icon of the company on these hexes would only repeat what they show.
        shown = [home["hex"] for home in company.get("homes", ())] + company.get("blocks", [])
        if "destination" in company:
            shown.append(company["destination"]["hex"])
        for printed in shown:
            mapping.marks.setdefault(printed, set()).add(mark(entry.get("sym")))


def _operating(
    mapping: Mapping, key: str, company_id: str, entry: Json, comments: Comments
) -> Json:
    kind = _kind(key, entry)
    colour = rgb(entry.get("color"))
    if colour is None:
        comments.lose("colour of a company", line_of(entry, "color") or "none")
    company = {
        "name": line_of(entry, "name") or company_id,
        "kind": kind,
        "colour": colour or _PLAIN,
        **token_text(line_of(entry, "sym"), company_id),
    }
    _put_text_colour(company, entry, comments)
    size = safe_size(entry.get("type") or "")
    certificates = _certificates(key, kind, _issued(mapping, kind, entry), comments)
    company |= filled(
        {
            "size": None if size in (*KINDS, *_RESERVED_SIZES) else size,
            "certificates": certificates,
        }
    )
    company["stations"] = _stations(mapping, entry, comments)
    homes = _homes(mapping, entry, comments)
    company |= filled({"homes": homes})
    if len(homes) > 1 and (not company["stations"] or _tokens_on_the_map(mapping, entry)):
        company["all_homes"] = True
    for goal in list_of(entry, "destination_coordinates"):
        if not isinstance(goal, str) or goal not in mapping.stops:
            comments.lose("destination off the map", one_line(goal))
        elif "destination" in company:
            company.setdefault("further_destinations", []).append({"hex": goal})
        else:
            company["destination"] = {"hex": goal}
    limit, capital = number(entry.get("max_ownership_percent"), 1, 100), entry.get("capitalization")
    if limit is not None and not (limit == 100 and not certificates):
        company["ownership_limit"] = limit
    elif limit is None and entry.get("max_ownership_percent") is not None:
        comments.lose(
            "largest share that one player may own", one_line(entry["max_ownership_percent"])
        )
    if capital in ("full", "incremental"):
        company["capital"] = capital
    elif capital is not None:
        comments.lose("capital of a single company", one_line(capital))
    loans = number(mapping.game.loans.get(str(entry.get("sym"))), 1, MOST_LOANS)
    company |= filled({"loans": loans})
    _abilities(mapping, company, entry, comments)
    percent = number(entry.get("float_percent", _FLOAT), 1, 100)
    if (
        certificates
        and percent is not None
        and len(certificates) + certificates[0].get("count", 1) > 2
    ):
        company["float_percent"] = percent
    return company


def _kind(key: str, entry: Json) -> str:
    kind = str(entry.get("type") or "")
    return "minor" if key == "minors" else KINDS.get(str(entry.get("kind") or kind), "major")


def _put_text_colour(company: Json, entry: Json, comments: Comments) -> None:
    """Set the colour of a company's text if it is legible on the company's own colour."""
    text = rgb(entry.get("text_color"))
    if text is None:
        return
    ground = company["colour"]
    differences = [int(text[at : at + 2], 16) - int(ground[at : at + 2], 16) for at in (1, 3, 5)]
    if sum(map(abs, differences)) < _LEAST_APART:
        comments.lose("colour of words that nobody could read", text)
    else:
        company["text_colour"] = text


def _issued(mapping: Mapping, kind: str, entry: Json) -> Json:
    """Return a company with the shares that are printed. If every major has only one share, shares
    are issued in play, and the engine's usual ones are used instead."""
    majors = [
        corporation.get("shares")
        for corporation in mapping.entries("corporations")
        if _kind("", corporation) == "major"
    ]
    if kind != "major" or any(shares != [100] for shares in majors):
        return entry
    mapping.losses.assume(
        "Each major has one share of 100 % until others are issued: taken were 20 % and 8 x 10 %."
    )
    entry["shares"] = _SHARES
    return entry


def _certificates(key: str, kind: str, entry: Json, comments: Comments) -> list[Json]:
    if key == "minors" and "shares" not in entry:
        return []
    reserved = [number(percent, 1, 100) for percent in list_of(entry, "reserved_shares")]
    offered = [number(percent, 1, 100) for percent in list_of(entry, "ipo_shares")]
    shares = offered + reserved if offered or reserved else several(entry.get("shares", _SHARES))
    if shares == []:  # the source does not mention shares
        return []
    if not all(isinstance(percent, int) and 1 <= percent <= 100 for percent in shares):
        comments.lose("shares of a company", line_of(entry, "shares")[:60])
        return []
    if shares == [100] and kind in ("minor", "national"):
        return []
    counts: dict[tuple[int, bool], int] = {}
    first_reserved = len(shares) - len(reserved)
    for index, percent in enumerate(shares[1:], 1):
        share = (percent, bool(reserved) and index >= first_reserved)
        counts[share] = counts.get(share, 0) + 1
    certificates: list[Json] = [{"percent": shares[0], "director": True}]
    for (percent, held), count in counts.items():
        more = {"count": count if count > 1 else None, "reserved": held or None}
        certificates.append({"percent": percent} | filled(more))
    return comments.fit("kinds of certificate", certificates, 30)


def _tokens_on_the_map(mapping: Mapping, entry: Json) -> list[str]:
    """Return the hexes on which a company has tokens from the start; a game may list them instead
    of prices."""
    return [
        token
        for token in list_of(entry, "tokens")
        if isinstance(token, str) and token in mapping.stops
    ]


def _stations(mapping: Mapping, entry: Json, comments: Comments) -> list[int | None]:
    """Return the prices of stations, None for one that cannot be read."""
    there = _tokens_on_the_map(mapping, entry)
    prices = [
        0 if price in there else number(price, 0, 1_000_000) for price in list_of(entry, "tokens")
    ]
    if None in prices:
        comments.lose("price of a station", line_of(entry, "tokens")[:60])
    return comments.fit("stations", prices, 30)


def _homes(mapping: Mapping, entry: Json, comments: Comments) -> list[Json]:
    cities = list_of(entry, "city")
    homes = []
    for index, printed in enumerate(list_of(entry, "coordinates")):
        if not isinstance(printed, str) or printed not in mapping.stops:
            comments.lose("home off the map", one_line(printed)[:60])
            continue
        home: Json = {"hex": printed}
        city = cities[min(index, len(cities) - 1)] if cities else None
        stop = _stop(mapping.stops[printed], city)
        if stop is not None:
            home["stop"] = stop
        elif city is not None:
            comments.lose("home in a city that is not printed", f"{printed}, city {city}")
        if home not in homes:
            homes.append(home)
    begun = {home["hex"] for home in homes}
    for printed in _tokens_on_the_map(mapping, entry):
        stop = _stop(mapping.stops[printed], None)
        if printed not in begun:
            homes.append(filled({"hex": printed, "stop": stop}))
    return comments.fit("homes", homes, 20)


def _stop(kinds: list[str], city: Any) -> int | None:
    """Return the index of the stop that the engine calls the city of this number; the engine counts
    only cities and passes."""
    cities = [index for index, kind in enumerate(kinds) if kind in ("city", "pass")]
    if city is None:
        return cities[0] if len(cities) == 1 == len(kinds) else None
    return cities[city] if isinstance(city, int) and 0 <= city < len(cities) else None


def _private(mapping: Mapping, _key: str, company_id: str, entry: Json, comments: Comments) -> Json:
    name = line_of(entry, "name") or company_id
    before = _KIND_BEFORE_NAME.match(name)
    prefix = before[1].lower() if before else ""
    words = f"{company_id} {entry.get('type')} {prefix}".lower()
    kind = "concession" if "concession" in words else "private"
    colour = rgb(entry.get("color"))
    company = {
        "name": name[before.end() :] if before else name.removeprefix(f"{company_id}-"),
        "kind": kind,
        **({"class": _MINOR} if prefix == "minor" else {}),
        "colour": colour or _PRIVATE,
        **token_text(line_of(entry, "sym"), company_id),
    }
    if colour is not None:
        _put_text_colour(company, entry, comments)
    value, income = number(entry.get("value"), 0, 1_000_000), list_of(entry, "revenue")
    if value is not None:
        company["value"] = value
    else:
        comments.lose("value of a private company", line_of(entry, "value"))
    first = number(income[0], 0, 1_000_000) if income else 0
    if first is not None:
        company["income"] = _income(mapping, entry, first, comments)
    if len(income) > 1 or first is None:
        what = "income that is no number" if first is None else "income that changes"
        comments.lose(what, line_of(entry, "revenue")[:60])
    for name, low, high in _AMOUNTS:
        amount = number(entry.get(name), low, high)
        if amount:
            company[name] = amount
    abilities = hashes(entry.get("abilities"))
    tiles = {str(tile) for ability in abilities for tile in list_of(ability, "tiles")}
    if entry.get("corporation"):
        company["share_of"] = one_line(entry["corporation"])
    if len(tiles) == 1:
        company["shows"] = f"tile:{safe_id(*tiles)}"
    _abilities(mapping, company, entry, comments)
    return company


def _income(mapping: Mapping, entry: Json, first: int, comments: Comments) -> Any:
    """Return the income of a private company, by phase if abilities change it."""
    income = {next(iter(mapping.phases.values()), ""): first}
    for ability in hashes(entry.get("abilities")):
        phase = mapping.phases.get(str(ability.get("on_phase")))
        amount = number(ability.get("revenue"), 0, 1_000_000)
        if ability.get("type") == "revenue_change" and phase is not None and amount is not None:
            income[phase] = amount
    return (
        dict(comments.fit("incomes of a private company", [*income.items()], 9))
        if len(income) > 1
        else first
    )


def _closing(ability: Json) -> str:
    """Return in words when a private company closes, if not with a phase; "" if the ability does
    not say."""
    if ability.get("on_phase") == "never":
        return _NEVER.get(str(ability.get("owner_type")), "never")
    return _CLOSING.get(str(ability.get("when")), "").format(one_line(ability.get("corporation")))


def _abilities(mapping: Mapping, company: Json, entry: Json, comments: Comments) -> None:
    """Add the texts of a company's abilities, the hexes that it blocks, its closing and its share;
    the rest of the engine's rules counts as lost."""
    texts = [line_of(entry, "desc")]
    blocked = []
    for ability in hashes(entry.get("abilities")):
        kind, read = str(ability.get("type")), [*_KEYS_OF_ALL]
        is_private = company["kind"] in ("private", "concession")
        phase = mapping.phases.get(str(ability.get("on_phase")))
        share = re.fullmatch("(.+)_[0-9]+", str(ability.get("shares")))
        if kind in _BLOCKING:
            hexes = [
                place
                for place in list_of(ability, "hexes")
                if isinstance(place, str) and place in mapping.stops
            ]
            blocked += hexes
            read += ["hexes"] if hexes == list_of(ability, "hexes") else []
        elif kind == "close" and is_private and phase is not None:
            company["closes"] = phase
            read.append("on_phase")
        elif kind == "close" and is_private and "closes" not in company:
            closing = _closing(ability)
            if closing:
                company["closes"] = closing
                read += ["on_phase", "owner_type", "when", "corporation"]
        elif kind == "revenue_change" and is_private and phase is not None:
            read += ["on_phase", "revenue"]
        elif kind == "shares" and is_private and share is not None:
            company["share_of"] = share[1]
            read.append("shares")
        words = one_line(ability.get("description") or ability.get("desc_detail"))
        sentence = _SENTENCES.get(kind, "")
        if (
            kind == "token"
            and ability.get("teleport_price") is not None
            and numbers_in(words) <= numbers_in({**ability, "description": ""})
        ):
            # The engine's own text is like "Reserved $40 token/$60 teleport on E11".
            sentence, words = _TOKEN_OR_TELEPORT, ""
        named = re.findall("{([a-z_]+)}", sentence)
        is_silent = not entry.get("desc") and not words and sentence
        if is_silent and all(ability.get(key) not in (None, []) for key in named):
            words, read = sentence, [*read, *named]
            for key in named:
                value = ", ".join(map(one_line, several(ability[key])))
                price = (
                    str(mapping.game.data.get("currency") or "${}")
                    .replace("%s", value)
                    .replace("%d", value)
                    .replace("{}", value)
                )
                words = words.replace(f"{{{key}}}", price if key.endswith("price") else value)
        if not entry.get("desc"):
            texts.append(words)
            if not words and kind not in (*_IN_WORDS, *_BLOCKING, "close", "revenue_change"):
                comments.lose(f"ability {kind}")
        rest = {key: value for key, value in ability.items() if key not in read}
        if rest:
            comments.lose("rule of an ability", f"{kind}: {in_json(rest, 3000)}")
    if blocked:
        company["blocks"] = comments.fit(
            "hexes that a company blocks", list(dict.fromkeys(blocked)), 30
        )
    if any(texts):
        company["abilities"] = comments.fit(
            "abilities", list(dict.fromkeys(map(as_printed, filter(None, texts)))), 20
        )


# Trains and phases

# Number of cards of a train with unlimited copies.
_CARDS_WITHOUT_LIMIT = 6
# Minimum distance that means no limit.
_ANY_DISTANCE = 90
_STOPS = {"city": "city", "town": "town", "halt": "town", "pass": "pass", "offboard": "offboard"}
_COLOURS = ("yellow", "green", "brown", "purple", "gray")
# Notes on train cards, by field and value; None stands for any number.
_NOTES = {
    ("no_local", True): "May not run a local route.", ("requires_token", False): "Needs no station.",
    ("cargo_holds", None): "{} cargo holds.",
}  # fmt: skip
_GAUGES = {"broad": ("standard", "dual"), "narrow": ("narrow", "dual"), "dual": ("dual",)}
# Fields that belong to a whole train, not to one of its faces.
_OF_WHOLE_TRAINS = ("num", "cards", "variants", "events", "id")


def name_trains(mapping: Mapping) -> None:
    """Assign each train the id by which phases refer to it."""
    taken: set[str] = set()
    for entry in mapping.entries("trains"):
        name = str(entry.get("name"))
        train_id = unused(_id(entry), taken)
        taken.add(train_id)
        mapping.trains.setdefault(name, train_id)
        for variant in hashes(entry.get("variants")):
            # A face is referred to by its name if that is a valid id, otherwise by its card.
            face = str(variant.get("name"))
            mapping.trains.setdefault(
                face, face if face == safe_id(face) and len(face) <= 12 else train_id
            )


def _id(entry: Json) -> str:
    """Return the id of a train: the one that Platelayer's own export writes beside the name,
    otherwise the name."""
    return safe_id(entry.get("id") or entry.get("name"))


def trains_block(mapping: Mapping, phases: Json) -> Json:
    """Return the block `trains`. A phase begins with the first sale of the train that it names."""
    trains: Json = {}
    for entry in mapping.entries("trains"):
        train_id = unused(_id(entry), trains)
        comments = mapping.losses.comments(f"train {train_id}")
        begun = _begins(train_id, entry, phases)
        trains[train_id] = _train(mapping, entry, begun, comments)
    return trains


def _begins(train_id: str, entry: Json, phases: Json) -> Json:
    """Return the phase that begins with the first sale of a train, and the last colour of tiles in
    that phase; empty if the train begins none."""
    starts: dict[str, str] = {}
    for phase_id, phase in phases.items():
        for train in several(phase["on"]):
            # 1822: the first 3 begins phase 3, and also phase 2 if there was no 2.
            starts[train] = phase_id
    variants = (str(variant.get("name")) for variant in hashes(entry.get("variants")))
    begun = next(
        (starts[name] for name in (train_id, str(entry.get("name")), *variants) if name in starts),
        None,
    )
    if begun is None:
        return {}
    colours = [colour for colour in _COLOURS if colour in phases[begun]["tiles"]]
    return ({"colour": colours[-1]} if colours else {}) | {"starts": begun}


def _train(mapping: Mapping, entry: Json, begun: Json, comments: Comments) -> Json:
    train: Json = {"count": _count(mapping, entry, comments)}
    if (mapping.game.counts.get(str(entry.get("name"))) or entry.get("num")) == "unlimited":
        train["unlimited"] = True
    train |= begun
    own = (entry, *hashes(entry.get("variants")))
    faces = [_face(mapping, Entry(face), entry, comments) for face in own]
    faces = comments.fit("faces of a train", faces, 4)
    if len(faces) == 1:
        train |= faces[0]
    else:
        train["faces"] = [
            face | ({"side": "back"} if index % 2 else {}) for index, face in enumerate(faces)
        ]
    comments.account(
        "trains", _counted(mapping, entry), [train, mapping.trains.get(str(entry.get("name")))]
    )
    return comments.comment | train


def _counted(mapping: Mapping, entry: Json) -> Json:
    """Return an entry with only the numbers to account for: without an unlimited reach, which
    prints no number, and without discounts for other trains, which are part of trade-in prices."""
    own = {**entry, "num": mapping.game.counts.get(str(entry.get("name")), entry.get("num"))}
    if isinstance(own.get("discount"), dict):
        own["discount"] = {
            train: off for train, off in own["discount"].items() if str(train) not in mapping.trains
        }
    own["distance"] = _without_any(own.get("distance"))
    own["variants"] = [
        _counted(mapping, {**variant, "num": None}) for variant in hashes(own.get("variants"))
    ]
    return own


def _without_any(distance: Any) -> Any:
    if isinstance(distance, list):
        return [_without_any(row) for row in distance]
    if isinstance(distance, dict):
        return {key: _without_any(value) for key, value in distance.items()}
    return None if number(distance, _ANY_DISTANCE, 10_000_000) is not None else distance


def _count(mapping: Mapping, entry: Json, comments: Comments) -> int:
    given = mapping.game.counts.get(str(entry.get("name")), entry.get("num"))
    if given == "unlimited":
        return number(entry.get("cards"), 1, 500) or _CARDS_WITHOUT_LIMIT
    count = number(given, 0, 500)
    if count is None:
        comments.lose("count of trains", one_line(given) or "worked out by the game")
    elif str(entry.get("name")) in mapping.game.counts:
        mapping.losses.assume(
            f"Trains {entry.get('name')}: {count}, the number for the most players."
        )
    return 1 if count is None else count


def _face(mapping: Mapping, entry: Json, whole: Json, comments: Comments) -> Json:
    name = one_line(entry.get("printed") or entry.get("name")) or "?"
    price = number(entry.get("price"), 0, 1_000_000)
    if price is None:
        comments.lose("price of a train", line_of(entry, "price")[:60])
    face: Json = {
        "name": comments.fit("letters of the name of a train", name, 12),
        "price": price or 0,
        "reach": _reach(entry, comments),
    }
    if in_hexes := counts_hexes(name):
        face |= {
            "hexes": in_hexes,
            "reach": [{"stops": ["city", "town", "offboard"], "visit": None, "pay": None}],
        }
    ends = {
        "rusts_on": _ends(mapping, entry.get("rusts_on", whole.get("rusts_on")), comments),
        "obsolete_on": _ends(mapping, entry.get("obsolete_on", whole.get("obsolete_on")), comments),
    }
    face |= filled(ends)
    if not any(ends.values()):
        face["permanent"] = True
    more = {
        "trade_ins": trade_ins(entry.get("discount"), mapping.trains, price or 0, comments),
        "salvage": number(entry.get("salvage"), 1, 1_000_000),
    }
    face |= filled(more)
    stops = {stop for each in face["reach"] if each["visit"] == 1 for stop in each["stops"]}
    if "pullman?" in mapping.game.of_routes and {"city", "offboard"} <= stops:
        face["doubles"] = ["city", "offboard"]
    track = entry.get("track_type", whole.get("track_type"))
    if track in _GAUGES:
        face["gauges"] = [*_GAUGES[track]]
    elif track not in (None, "all"):
        comments.lose("gauge of a train", one_line(track))
    notes = [
        words.format(entry[name])
        for (name, value), words in _NOTES.items()
        if name in entry
        and (entry[name] is value or (value is None and number(entry[name], 1, 99)))
    ]
    notes += [as_printed(text) for text in mapping.events.get(str(entry.get("name")), ())]
    if notes:
        face["note"] = " ".join(dict.fromkeys(notes))
    available = entry.get("available_on")
    if available is not None and str(available) in mapping.phases:
        face["available_from"] = mapping.phases[str(available)]
    elif available is not None:
        comments.lose("phase from which a train is sold", str(available))
    comments.name_unread(entry, _OF_WHOLE_TRAINS, _NAMES)
    return face


def _ends(mapping: Mapping, value: Any, comments: Comments) -> list[str]:
    ends = []
    for end in several(value):
        name = mapping.trains.get(str(end)) or mapping.phases.get(str(end))
        if name is None:
            comments.lose("train that ends another", str(end))
        elif name not in ends:
            ends.append(name)
    return comments.fit("trains that end another", ends, 8)


def _reach(entry: Json, comments: Comments) -> list[Json]:
    distance, times = entry.get("distance"), number(entry.get("multiplier"), 2, 99)
    whole = {"multiplier": times} if times else {}
    if not isinstance(distance, list):
        stops = _limit(distance)
        if distance is None:
            comments.lose("distance of a train")
        return [{"stops": ["city", "town", "offboard"], "visit": stops, "pay": stops} | whole]
    reach: list[Json] = []
    unknown = list(dict.fromkeys(str(node) for row in hashes(distance) for node in list_of(row, "nodes")
                                 if str(node) not in _STOPS))  # fmt: skip
    if unknown:
        comments.lose("kind of stop that a train runs to", ", ".join(unknown))
    for row in hashes(distance):
        kinds = list(
            dict.fromkeys(
                _STOPS[node] for node in map(str, list_of(row, "nodes")) if node in _STOPS
            )
        )
        own = number(row.get("multiplier"), 2, 99)
        if own is None and row.get("multiplier") not in (None, 1):
            comments.lose("multiplier of a train", f"{', '.join(kinds)} x {row['multiplier']}")
        visit, pay = _limit(row.get("visit", row.get("pay"))), _limit(row.get("pay"))
        if visit is not None and (pay is None or pay > visit):
            pay = visit
        if not kinds and len(distance) == 1:
            kinds = ["city", "town", "offboard"]
        if kinds:
            reach.append(
                {"stops": kinds, "visit": visit, "pay": pay}
                | ({"multiplier": own} if own else whole)
            )
    reach = comments.fit("kinds of stop that a train runs to", reach, 8)
    return reach or [{"stops": ["city", "town", "offboard"], "visit": None, "pay": None}]


def _limit(value: Any) -> int | None:
    return number(value, 0, _ANY_DISTANCE - 1)


_card_words = FixedWords("cards")

_MOST_ROUNDS, _UNTIL_THE_END = 10, 99
# Minimum train limit by which the engine means any number, and the maximum that is read.
_NO_TRAIN_LIMIT, _ANY_NUMBER = 21, 10_000


def name_phases(mapping: Mapping) -> None:
    """Assign each phase the id by which trains refer to it."""
    for entry in mapping.entries("phases"):
        mapping.phases.setdefault(
            str(entry.get("name")), unused(safe_id(entry.get("name")), mapping.phases.values())
        )


def phases_block(mapping: Mapping) -> Json:
    """Return the block `phases`. Events of the first sale of a train become events of its phase."""
    phases: Json = {}
    events = _train_events(mapping)
    for entry in map(Entry, mapping.entries("phases")):
        phase_id = unused(safe_id(entry.get("name")), phases)
        comments = mapping.losses.comments(f"phase {phase_id}")
        begins = [mapping.trains.get(str(name)) for name in list_of(entry, "on")]
        known = comments.fit(
            "trains that begin a phase", list(dict.fromkeys(filter(None, begins))), 8
        )
        on: str | list[str] | None = None
        if phases and known:
            on = single(known)
        texts = [text for name in list_of(entry, "on") for text in events.pop(str(name), [])]
        given = entry.get("operating_rounds")
        rounds, most = number(given, 0, _MOST_ROUNDS), number(given, _MOST_ROUNDS + 1, _ANY_NUMBER)
        if rounds is None and given is not None:
            comments.lose(
                f"operating rounds that are no number to {_MOST_ROUNDS}", one_line(given)[:60]
            )
        phase: Json = {"on": on}
        if on is None and phases and entry.get("on") is not None:
            sales = []
            for name in several(entry["on"]):
                train, _, place = str(name).rpartition("-")  # "3-2" is the third of the trains 3
                is_number = train in mapping.trains and place.isdecimal()
                sales.append(
                    f"Train {train}, number {int(place) + 1}" if is_number else f"Train {name}"
                )
            phase["begins"] = " / ".join(sales)
        paid = (mapping.game.data.get("phase_revenue") or {}).get(str(entry.get("name")))
        if isinstance(paid, str):
            phase["revenue"] = safe_id(paid)
        phase |= {
            "train_limits": _limits(mapping, entry.get("train_limit"), comments),
            "tiles": _colours(entry, comments),
            "operating_rounds": rounds or 0,
        }
        statuses = [*_statuses(mapping, entry), *_without_limit(entry.get("train_limit"))]
        if most is not None:
            without = f"Operating rounds go on without a limit ({most})."
            statuses.append(without if most >= _UNTIL_THE_END else f"Operating rounds: {most}.")
        if statuses:  # Platelayer's own exports repeat these lines
            phase["status"] = comments.fit(
                "lines of what holds in a phase", list(dict.fromkeys(statuses)), 12
            )
        if texts:
            events_of = [
                _OURS.get(text) or as_printed(text, ends=False) for text in dict.fromkeys(texts)
            ]
            phase["events"] = comments.fit("events of a phase", events_of, 20)
        comments.name_unread(entry)
        counted = {name: value for name, value in entry.items() if name != "status"}
        if number(entry.get("train_limit"), _NO_TRAIN_LIMIT, _ANY_NUMBER) is not None:
            del counted["train_limit"]
        comments.account("phases", counted, {phase_id: phase})
        phases[phase_id] = comments.comment | phase
    mapping.events = events  # events of trains that begin no phase are printed on their cards
    return phases


def _statuses(mapping: Mapping, entry: Json) -> list[str]:
    """Return the statuses of a phase: names for which there are words in every language, otherwise
    the game's own words."""
    names = [str(name) for name in list_of(entry, "status")]
    lines = [
        name
        if name in _card_words.table("status")
        else as_printed(_explained(mapping.table("statuses"), name), ends=False)
        for name in names
    ]
    sizes = [str(size) for size in list_of(entry, "corporation_sizes") if isinstance(size, int)]
    if sizes:
        lines.append(f"Companies of {' or '.join(sizes)} shares may be started.")
    return lines


def _limits(mapping: Mapping, value: Any, comments: Comments) -> Json:
    """Return train limits by kind or size of company; a single number applies to every kind that
    operates."""
    operating = [
        *(operator for operator in mapping.classes if operator not in ("private", "concession")),
        *KINDS,
    ]
    kinds = [operator for operator in mapping.classes if operator in KINDS] or ["major"]
    if not isinstance(value, dict):
        limit = number(value, 0, _NO_TRAIN_LIMIT - 1)
        if limit is None and number(value, _NO_TRAIN_LIMIT, _ANY_NUMBER) is None:
            comments.lose("train limit", one_line(value))
        return (
            {}
            if limit is None
            else dict.fromkeys(
                comments.fit("kinds of company with a train limit", kinds, 10), limit
            )
        )
    limits = {}
    for who, given in value.items():
        limit = number(given, 0, _NO_TRAIN_LIMIT - 1)
        if number(given, _NO_TRAIN_LIMIT, _ANY_NUMBER) is not None:
            continue
        if safe_size(who) in operating and limit is not None:
            limits[safe_size(who)] = limit
        else:
            comments.lose("train limit", f"{who}: {one_line(given)}")
    return dict(comments.fit("kinds of company with a train limit", [*limits.items()], 10))


def _without_limit(value: Any) -> list[str]:
    """Return a sentence that lists who may own any number of trains; empty if nobody may."""
    limits = value if isinstance(value, dict) else {"companies": value}
    free = [
        f"{who} ({given})"
        for who, given in limits.items()
        if number(given, _NO_TRAIN_LIMIT, _ANY_NUMBER) is not None
    ]
    return [f"No limit of trains: {', '.join(free)}."] if free else []


def _colours(entry: Json, comments: Comments) -> list[str]:
    colours = []
    for tile in list_of(entry, "tiles"):
        colour = tile_colour(tile)
        if colour is None:
            comments.lose("colour of tiles in a phase", str(tile))
        elif colour not in colours:
            colours.append(colour)
    return colours


def _train_events(mapping: Mapping) -> dict[str, list[str]]:
    """Return the events of the first sale of each train, in words."""
    texts: dict[str, list[str]] = {}
    for entry in mapping.entries("trains"):
        for event in hashes(entry.get("events")):
            if not event.get("hidden"):
                words = _explained(mapping.table("events"), event.get("type"))
                count = event.get("when")
                words = words if count in (None, 1) else f"{words} (train {count})"
                texts.setdefault(str(entry.get("name")), []).append(words)
    return texts


def _explained(texts: Json, name: Any) -> str:
    """Return the game's explanation of an event or status, otherwise its name."""
    explanations = [one_line(text) for text in several(texts.get(str(name)))]
    return explanations[-1] if explanations and explanations[-1] else spoken(name)
