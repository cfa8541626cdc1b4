"""A title as Ruby data files of 18xx.games: literals, names, constants, methods, and the files with
their README.

Literals are formatted as people write them: on one line if they fit, otherwise one entry per line.
All text of a title reaches a Ruby file through `written`, so none of it can become code there.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from platelayer.exchange.eighteen_games.board import PAR
from platelayer.exchange.losses import Losses, loss_table, safe_id, single, spoken
from platelayer.exchange.ruby.game import PRICE_TYPES
from platelayer.exchange.tile_strings import hex_string, tile_string
from platelayer.exchange.writers.pictures import file_name
from platelayer.foundation.door import distinct
from platelayer.foundation.languages import FixedWords
from platelayer.foundation.text import Text
from platelayer.model.company import Company, CompanyKind
from platelayer.model.gamemap import GameMap
from platelayer.model.map_tiles import BORDER, printed_hexes
from platelayer.model.market import Market, MarketShape, Zone
from platelayer.model.tile import WITH_SLOTS
from platelayer.model.title import PlayerCount, Title
from platelayer.model.train import Phase, Reach, Train

Literal = str | int | float | bool | None | Sequence["Literal"] | Mapping[Any, "Literal"]

WIDTH = 120
_SYMBOL = re.compile(r"[a-z_][a-z0-9_]*")
_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_WORD = re.compile(r"[A-Za-z0-9_.+/-]+")
# Control and format characters: line breaks, reversed text, invisible characters.
_UNSEEN = "\x00-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f"
_MARKS = re.compile(r"[\\`*\[\]<>|~&]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])|^(?=[#+-])")
_ESCAPED = re.compile(rf'[\\"#{_UNSEEN}]')


class Symbol(str):
    """A Ruby symbol: `:flat`."""

    __slots__ = ()


class Keywords(dict[str, "Literal"]):
    """A hash whose keys are symbols: `{ name: '2', price: 80, 'two words': 1 }`."""


class Words(list[str]):
    """Array of words: `%w[0c 10 20]`, or an array of quoted strings if any of them is not a plain
    word."""

    @property
    def are_plain(self) -> bool:
        """True if no word needs quotes between the brackets of `%w[...]`."""
        return all(map(_WORD.fullmatch, self))


def markdown(words: str) -> str:
    """Return words for one line of Markdown, escaped so that none is markup, a link or HTML."""
    return _MARKS.sub(lambda mark: f"\\{mark[0]}", " ".join(words.split()))


def written(value: Literal, indent: int = 0, *, room: int = 0) -> str:
    """Return a literal as Ruby. Lines after the first are indented by `indent`. `room` is the
    number of characters around the literal on its first line."""
    flat = _flat(value)
    if len(flat) + indent + room <= WIDTH:
        return flat
    if isinstance(value, Words) and value.are_plain:
        return _filled(value, indent)
    if isinstance(value, Mapping):
        return _block("{", [_pair(value, key, indent + 2) for key in value], "}", indent)
    if isinstance(value, Sequence) and not isinstance(value, str):
        return _block("[", [written(entry, indent + 2, room=1) for entry in value], "]", indent)
    return (
        _long_string(str(value), indent, room)
        if isinstance(value, str) and not isinstance(value, Symbol)
        else flat
    )


def quoted(words: str) -> str:
    """Return a string in single quotes, with quotes and backslashes escaped. A string with
    invisible characters is in double quotes, with these characters as code points."""

    def escape(match: re.Match[str]) -> str:
        return f"\\{match[0]}" if match[0] in '\\"#' else f"\\u{{{ord(match[0]):x}}}"

    if re.search(f"[{_UNSEEN}]", words):
        return '"' + _ESCAPED.sub(escape, words) + '"'
    return "'" + words.replace("\\", "\\\\").replace("'", "\\'") + "'"


def _flat(value: Literal) -> str:
    """Return a literal on one line."""
    if isinstance(value, Symbol):
        return f":{value}" if _SYMBOL.fullmatch(value) else f":{quoted(value)}"
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, Mapping):
        return f"{{ {', '.join(_pair(value, key, None) for key in value)} }}" if value else "{}"
    if isinstance(value, Words) and value.are_plain:
        return f"%w[{' '.join(value)}]"
    if isinstance(value, Sequence):
        if len(value) > 1 and all(
            isinstance(entry, Symbol) and _SYMBOL.fullmatch(entry) for entry in value
        ):
            return f"%i[{' '.join(map(str, value))}]"
        return f"[{', '.join(map(_flat, value))}]"
    return "nil" if value is None else str(value).lower()


def _pair(whole: Mapping[Any, Literal], key: Any, indent: int | None) -> str:
    """Return an entry of a hash, on one line if `indent` is None. A tuple as key becomes an
    array."""
    name = Words(key) if isinstance(key, tuple) else key
    if isinstance(whole, Keywords):
        head = f"{key if _KEY.fullmatch(key) else quoted(key)}: "
    else:
        head = f"{_flat(name) if indent is None else written(name, indent)} => "
    value = whole[key]
    behind = len(head.rpartition("\n")[2]) + 1
    return head + (_flat(value) if indent is None else written(value, indent, room=behind))


def _block(start: str, entries: Sequence[str], end: str, indent: int) -> str:
    margin = " " * indent
    return "\n".join([start, *(f"{margin}  {entry}," for entry in entries), margin + end])


def _filled(words: Sequence[str], indent: int) -> str:
    """Return an array of words, with as many words on each line as fit."""
    lines = [""]
    for word in words:
        if len(lines[-1]) + len(word) + indent + 6 > WIDTH:
            lines.append("")
        lines[-1] += f" {word}" if lines[-1] else word
    return f"%w[{(chr(10) + ' ' * (indent + 3)).join(lines)}]"


def _long_string(words: str, indent: int, room: int) -> str:
    """Return a string over several lines, joined by backslashes."""
    most = WIDTH - indent - room - 4
    parts = [""]
    for part in re.findall(r"[^ ;]*[ ;]?", words):
        if parts[-1] and len(parts[-1]) + len(part) > most:
            parts.append("")
        parts[-1] += part
    return ("\\\n" + " " * indent).join(map(quoted, parts))


# Names of a title's companies, trains, phases and colours in its Ruby files.


_card_words = FixedWords("cards")

# Tile colours in the order in which phases introduce them.
_BY_AGE = ("yellow", "green", "brown", "purple", "gray")


class Names(Struct, frozen=True, kw_only=True):
    """Names of a title's parts in the engine. `companies` are by ref; `trains` by id and face
    index; `trains_and_phases` gives, for ids of trains and phases and names of faces, the name
    of the train whose first sale they stand for; `revenue` gives, for keys of revenues that the
    engine does not know, the colour whose phase they come with."""

    title: Title
    language: str
    losses: Losses
    companies: dict[str, str]
    trains: dict[tuple[str, int], str]
    trains_and_phases: dict[str, str]
    revenue: dict[str, str]
    logos: dict[str, str]

    @property
    def known_statuses(self) -> Mapping[str, Text]:
        """Statuses that have a name in the engine, by this name."""
        return _card_words.table("status")

    def words(self, text: Text | None) -> str:
        """Return a text in the language of the export, on one line; empty for None."""
        return " ".join(text.get(self.language).split()) if text is not None else ""


def names_of(title: Title, language: str) -> Names:
    """Return the names of a title's parts in the engine."""
    losses = Losses()
    trains = _trains(title.trains)
    known = {train.id: trains[train.id, 0] for train in title.trains}
    faces: dict[str, str] = {}
    for train in title.trains:
        for index, face in enumerate(train.faces):
            faces.setdefault(face.name, trains[train.id, index])
    begun = {phase.id: known[phase.on] for phase in title.phases if phase.on in known}
    # The token's text is the symbol if it is unique and an import derives the company's id from it.
    texts = Counter(company.token_text for company in title.companies)
    companies = {
        company.ref: company.token_text
        if texts[company.token_text] == 1 and safe_id(company.token_text) == company.id
        else company.id
        for company in title.companies
    }
    return Names(
        title=title,
        language=language,
        losses=losses,
        companies=companies,
        trains=trains,
        trains_and_phases=begun | faces | known,
        revenue=_revenue(title.phases, losses),
        logos=logo_names(title),
    )


def module_name(title_id: str) -> str:
    """Return the Ruby module of a title: 18cz becomes G18Cz."""
    plain = unicodedata.normalize("NFKD", title_id).encode("ascii", "ignore").decode()
    return "G" + "".join(word[:1].upper() + word[1:] for word in _split(plain))


def folder_name(title_id: str) -> str:
    """Return the folder of a title: 18cz becomes g_18_cz."""
    return "_".join(["g", *(word.lower() for word in _split(title_id))])


def _split(title_id: str) -> list[str]:
    return re.findall(r"[0-9]+|[A-Za-z]+", title_id) or ["0"]


def _trains(trains: Sequence[Train]) -> dict[tuple[str, int], str]:
    """Return unique names of faces by train id and face index: a name that is already taken gets
    the id of the card as a suffix."""
    names = {}
    taken = set()
    for train in trains:
        for index, face in enumerate(train.faces):
            name = face.name if face.name not in taken else f"{face.name}-{train.id}"
            while name in taken:
                name += "'"
            taken.add(name)
            names[train.id, index] = name
    return names


def _revenue(phases: Sequence[Phase], losses: Losses) -> dict[str, str]:
    """Return, for each key of revenues, the newest tile colour of the first phase in which it
    applies. A colour is used for one key only."""
    first_of: dict[str, str] = {}
    before: tuple[str, ...] = ()
    for phase in phases:
        newest = [colour for colour in _BY_AGE if colour in phase.tiles][-1:]
        if (
            phase.revenue is not None
            and phase.revenue not in first_of
            and newest
            and newest[0] not in first_of.values()
        ):
            first_of[phase.revenue] = newest[0]
            if newest[0] in before:
                losses.lose(
                    "revenue that changes in a phase without new tiles", f"phase {phase.id}"
                )
        before = phase.tiles
    return first_of


# A title as constants of Ruby: map and tiles, companies, trains, phases, market and money.


Constants = dict[str, Literal]


def boards(names: Names) -> Constants:
    """Return LAYOUT, AXES, LOCATION_NAMES and HEXES of each map, with a suffix for all maps but the
    first, and TILES. For a title whose board is assembled, MAP_TILES has the hexes of its map
    tiles."""
    constants: Constants = {}
    for number, gamemap in enumerate(names.title.maps):
        ending = f"_{re.sub('[^A-Z0-9]', '_', gamemap.id.upper())}" if number else ""
        while f"HEXES{ending}" in constants:  # ids that differ only in punctuation
            ending += "_"
        constants |= {f"{name}{ending}": value for name, value in _board(names, gamemap).items()}
        if ending:
            names.losses.assume(
                f"The map {gamemap.id} is in HEXES{ending}: a game has one map, and chooses in code."
            )
    constants["TILES"] = {entry.tile.id: _tile(names, entry.tile.id) for entry in names.title.tiles}
    if names.title.atlas is not None:
        constants["MAP_TILES"] = {
            tile.id: {
                "color": tile.colour,
                "code": tile_string(tile, names.losses.comments(tile.id), names.revenue),
            }
            for tile in printed_hexes(names.title.atlas)
        }
        names.losses.assume(
            "MAP_TILES are hexes of map tiles: 18xx.games has no maps that are drawn at random."
        )
    return constants


def _board(names: Names, gamemap: GameMap) -> Constants:
    letters, numbers = Symbol("letter"), Symbol("number")
    on_x = gamemap.scheme.letters_on == "x"
    hexes: dict[str, dict[str, list[str]]] = {}
    for hexagon in gamemap.hexes:
        code = hex_string(hexagon, names.losses.comments(hexagon.id), names.revenue)
        # The engine has no colour for the borders of assembled maps, which nobody builds on.
        colour = "gray" if hexagon.tile.colour == BORDER else hexagon.tile.colour
        hexes.setdefault(colour, {}).setdefault(code, []).append(hexagon.id)
    by_places = {
        colour: {tuple(places): code for code, places in codes.items()}
        for colour, codes in hexes.items()
    }
    return {
        "LAYOUT": Symbol(gamemap.layout.value),
        "AXES": Keywords(x=letters if on_x else numbers, y=numbers if on_x else letters),
        "LOCATION_NAMES": {
            hexagon.id: names.words(hexagon.name)
            for hexagon in gamemap.hexes
            if hexagon.name is not None
        },
        "HEXES": Keywords(by_places),
    }


def _tile(names: Names, tile_id: str) -> Literal:
    entry = names.title.tile_by_id[tile_id]
    comments = names.losses.comments(f"tile {tile_id}")
    if entry.via is not None:
        comments.lose("who lays a tile", names.words(entry.via))
    if entry.tile.name is not None:
        comments.lose("name of a tile", names.words(entry.tile.name))
    code = tile_string(entry.tile, comments, names.revenue)
    return {
        "count": "unlimited" if entry.unlimited else entry.count,
        "color": entry.tile.colour,
        "code": code,
    }


# Kinds of company that the engine auctions, and that do not operate.
PRIVATE = (CompanyKind.PRIVATE, CompanyKind.CONCESSION)


def entities(names: Names) -> Constants:
    """Return COMPANIES (privates), CORPORATIONS and MINORS (minors without shares)."""
    companies = names.title.companies
    privates = [company for company in companies if company.kind in PRIVATE]
    minors = [company for company in companies if is_minor(company)]
    others = [company for company in operating(names.title) if company not in minors]
    return {
        "COMPANIES": [_private(names, private) for private in privates],
        "CORPORATIONS": [_operating(names, other) for other in others],
        "MINORS": [_operating(names, minor) for minor in minors],
    }


def logo_names(title: Title) -> dict[str, str]:
    """Return the file names of companies' logos by ref, without a suffix."""
    taken: set[str] = set()
    named = ((company.ref, file_name("{id}", {"id": company.id})) for company in operating(title))
    return {ref: f"{title.id}/{distinct(name, taken)}" for ref, name in named}


def operating(title: Title) -> list[Company]:
    """Return the companies with a logo: all but privates and concessions."""
    return [company for company in title.companies if company.kind not in PRIVATE]


def is_minor(company: Company) -> bool:
    """Return True if the engine treats a company as a minor: a minor without shares."""
    return company.kind is CompanyKind.MINOR and _is_whole(company)


def _is_whole(company: Company) -> bool:
    return not company.certificates or company.owned_whole


def _private(names: Names, company: Company) -> Literal:
    comments = names.losses.comments(company.ref)
    private = Keywords(
        sym=names.companies[company.ref], name=names.words(company.name), value=company.value or 0
    )
    if company.value is None:
        comments.lose("price of a private company, which has none")
    private["revenue"] = company.income or 0
    for field in ("min_price", "max_price", "min_players"):
        amount = getattr(company, field)
        if amount is not None:
            private[field] = amount
    if company.discount:
        private["discount"] = company.discount
    if company.kind is CompanyKind.CONCESSION:
        private["type"] = Symbol("concession")
    elif company.size is not None:
        private["type"] = Symbol(company.size)
    private |= _said(names, company)
    changes = _changes(names, company)
    if changes:
        blocking = private.get("abilities")
        private["abilities"] = [*(blocking if isinstance(blocking, list) else ()), *changes]
    private["color"] = company.colour
    private["text_color"] = company.text_colour
    if company.share_of is not None:
        private["corporation"] = names.companies.get(company.share_of, company.share_of)
    if company.used is not None:
        comments.lose("words on the back of a card")
    if company.certificates and not company.owned_whole:
        comments.lose("shares of a private company")
    return private


def _changes(names: Names, private: Company) -> list[Literal]:
    """Return an ability for each income after the first, with the phase from which it applies, and
    one that closes the company if it closes in a phase."""
    comments = names.losses.comments(private.ref)
    changes: list[Literal] = []
    for step in private.incomes[1:]:
        phases = (
            phase.id for phase in names.title.phases if step.since in (phase.id, *phase.tiles)
        )
        phase = next(phases, None)
        if phase is None:
            comments.lose("income that changes in no phase", str(step.since))
        else:
            changes.append(Keywords(type="revenue_change", revenue=step.value, on_phase=phase))
    if private.closes in names.title.phase_by_id:
        changes.append(Keywords(type="close", on_phase=private.closes))
    elif private.closes is not None:
        comments.lose("when a private company closes, which is words alone", private.closes)
    return changes


def _operating(names: Names, company: Company) -> Literal:
    comments = names.losses.comments(company.ref)
    symbol = names.companies[company.ref]
    corporation = Keywords(
        sym=symbol, name=names.words(company.name), logo=names.logos[company.ref]
    )
    logo = next((picture for picture in names.title.pictures if picture.id == company.logo), None)
    if logo is not None and logo.pixels is not None:
        comments.lose("logo as shapes (it is pixels within an SVG file)", logo.pixels.file)
    if company.logo is None:
        corporation["roundel"] = company.roundel.division if company.roundel is not None else True
    corporation["type"] = _type(company)
    if company.size is not None and company.kind is CompanyKind.NATIONAL:
        comments.lose("size of a national company", company.size)
    elif (
        company.size is not None
        and company.kind is not CompanyKind.MAJOR
        and not _is_whole(company)
    ):
        corporation["kind"] = company.kind.value
    if not is_minor(company):
        corporation |= _issue(names, company) if not _is_whole(company) else Keywords(shares=[100])
        # If it is nil, the engine uses 60 and an import leaves it empty.
        corporation["float_percent"] = company.float_percent
    corporation["tokens"] = [price or 0 for price in company.stations]
    corporation |= _homes(names, company)
    corporation |= _said(names, company)
    if company.ownership_limit is not None:
        corporation["max_ownership_percent"] = company.ownership_limit
    if company.capital is not None:
        corporation["capitalization"] = Symbol(company.capital)
    corporation["color"] = company.colour
    corporation["text_color"] = company.text_colour
    comments.lose_present(
        {
            "price of a company that is bought whole": company.value is not None,
            "price of a station that the map shows": None in company.stations,
            "prices at places of a charter": bool(company.token_places),
            "cost of a formation": bool(company.formation_cost),
            "order of a minor": company.order is not None,
            "train limit of one company": company.train_limit is not None,
            "type of a company in words": company.class_name is not None,
            "second name of a company": company.second_name is not None,
            "phase in which a company is formed": company.opens is not None,
        }
    )
    return corporation


def _type(company: Company) -> str:
    """Return the type by which the engine looks up a company's train limit: its size, otherwise
    (and for nationals) its kind."""
    has_size = company.size is not None and company.kind is not CompanyKind.NATIONAL
    return str(company.size) if has_size else company.kind.value


def _issue(names: Names, company: Company) -> Keywords:
    """Return the percentages of all certificates, the director's first. If some are reserved,
    reserved and other certificates are also listed separately, as games of 18xx.games do for
    their own code."""
    ordered = sorted(
        company.certificates,
        key=lambda certificate: (not certificate.director, certificate.reserved),
    )
    shares = Keywords(
        shares=[certificate.percent for certificate in ordered for _ in range(certificate.count)]
    )
    if not any(certificate.reserved for certificate in ordered):
        return shares
    if ordered[0].reserved and not all(certificate.reserved for certificate in ordered):
        names.losses.comments(company.ref).lose("reserved director's certificate")
    # The first share is the director's, so it is one of the offered shares if there are any.
    first = all(certificate.reserved for certificate in ordered)
    for key, held in (("ipo_shares", False), ("reserved_shares", True)):
        shares[key] = [
            certificate.percent
            for certificate in ordered
            if (certificate.reserved if first or not certificate.director else False) is held
            for _ in range(certificate.count)
        ]
    return shares


def _homes(names: Names, company: Company) -> Keywords:
    comments = names.losses.comments(company.ref)
    home = Keywords()
    places = [home.hex for home in company.homes]
    cities = [_city(names, home.hex, home.stop) for home in company.homes]
    if places:
        home["coordinates"] = single(places)
    if any(city is not None for city in cities):
        home["city"] = single(cities)
    if len(places) > 1:
        comments.lose(
            "all homes at once" if company.all_homes else "choice among homes", ", ".join(places)
        )
    goals = [goal.hex for goal in company.destinations]
    if goals:
        home["destination_coordinates"] = single(goals)
    return home


def _city(names: Names, printed: str, stop: int | None) -> int | None:
    """Return the index of a stop among the cities and passes of its hex; None for any other
    stop."""
    hexagon = next(
        (gamemap.by_id[printed] for gamemap in names.title.maps if printed in gamemap.by_id), None
    )
    cities = hexagon.tile.stops_of(*WITH_SLOTS) if hexagon is not None else ()
    return cities.index(stop) if stop in cities else None


def _said(names: Names, company: Company) -> Keywords:
    """Return a company's abilities in words, and the hexes it blocks."""
    keywords = Keywords()
    texts = [names.words(ability) for ability in company.abilities]
    if texts:
        keywords["desc"] = " ".join(texts)
        names.losses.comments(company.ref).lose("ability, which is words alone")
    reserved = [
        hexagon.id
        for gamemap in names.title.maps
        for hexagon in gamemap.hexes
        if company.ref in hexagon.reserved
    ]
    blocked = list(dict.fromkeys([*company.blocks, *reserved]))
    if blocked:
        owner = {"owner_type": "player"} if company.kind in PRIVATE else {}
        keywords["abilities"] = [Keywords(type="blocks_hexes", **owner, hexes=blocked)]
    return keywords


# Name of the constant that holds `kinds_of_types`.
KINDS = "KINDS_OF_TYPES"
# The engine's value for a bank that never breaks.
_ENDLESS = 99_999
# Stands for "unlimited": longer than any route, more than all trains or certificates.
_ANY = 99
_EVERY_STOP = {"city", "town", "offboard"}
# Letters of spaces where start prices are set.
_PAR = "pxzwPs"
# Letters of spaces that have a colour, but no meaning unless the game gives them one.
_OTHERS = "BWXYZutmnCl"
# Letters of spaces with a meaning in the engine, and the words that express it.
_MEANINGS = {
    "y": "not count towards? (the )?cert",
    "o": "(more than|above) 60 ?%",
    "b": "any number of shares|more than one share",
    "e": "^(end game|the game ends|end of the game)",
    "c": "^(the )?(corporation|company) closes",
}


def meta(names: Names) -> Constants:
    """Return the constants of meta.rb, which describe the game: title, designer, number of
    players."""
    title = names.title
    constants: Constants = {"DEV_STAGE": Symbol("prealpha"), "GAME_TITLE": names.words(title.name)}
    if title.subtitle is not None:
        constants["GAME_SUBTITLE"] = names.words(title.subtitle)
    if title.credits:
        constants["GAME_DESIGNER"] = re.sub("^Designed by ", "", names.words(title.credits[0]))
    counts = [player.players for player in _players(title)]
    constants["PLAYER_RANGE"] = [min(counts), max(counts)]
    if not title.players:
        note = "PLAYER_RANGE, STARTING_CASH and CERT_LIMIT are made up, as the title has none: write them in by hand."
        names.losses.assume(note)
    return constants


def _players(title: Title) -> tuple[PlayerCount, ...]:
    """Return the numbers of players with their settings; if the title has none, 2 to 6 players with
    minimal settings, so that the engine starts."""
    return title.players or tuple(PlayerCount(players=count, cash=1) for count in range(2, 7))


def game(names: Names) -> Constants:
    """Return CURRENCY_FORMAT_STR, BANK_CASH, CERT_LIMIT, STARTING_CASH, MARKET, PHASES, TRAINS, and
    related constants."""
    return {
        **_money(names),
        **_market(names),
        **_phases(names),
        "TRAINS": [_train(names, train) for train in names.title.trains],
    }


def _money(names: Names) -> Constants:
    title, players = names.title, _players(names.title)
    constants: Constants = {
        "CURRENCY_FORMAT_STR": title.currency.replace("%", "%%").replace("{}", "%s")
    }
    banks = {player.players: player.bank or title.bank or _ENDLESS for player in players}
    constants["BANK_CASH"] = banks if len(set(banks.values())) > 1 else title.bank or _ENDLESS
    constants["CERT_LIMIT"] = {
        player.players: dict(player.limits)
        or (_ANY if player.certificate_limit is None else player.certificate_limit)
        for player in players
    }
    endless = [str(player.players) for player in players if player.certificate_limit is None]
    if endless:
        note = f"CERT_LIMIT is {_ANY} for {', '.join(endless)} players: the title has no limit, and the engine needs one."
        names.losses.assume(note)
    constants["STARTING_CASH"] = {player.players: player.cash or 1 for player in players}
    if not all(player.cash for player in players):
        names.losses.assume("STARTING_CASH is 1 where players have nothing: the engine pays no 0.")
    loans = {
        names.companies[company.ref]: company.loans for company in title.companies if company.loans
    }
    if loans:
        constants |= {"MAXIMUM_LOANS": loans, "LOAN_VALUE": title.loan or 0}
    return constants


def _market(names: Names) -> Constants:
    market = names.title.market
    if market is None:
        return {"MARKET": []}
    letters = _letters(names, market)
    comments = names.losses.comments("market")
    if market.shape in (MarketShape.ZIGZAG, MarketShape.HEX):
        comments.lose(f"shape of the market: {market.shape.value}")
    comments.lose_present(
        {
            "rules of movement on the market": bool(market.movement),
            "ends of rows of the market": bool(market.ends),
            "ledge on the market": any(cell.ledge for row in market.rows for cell in row if cell),
            "arrow on the market": any(cell.arrows for row in market.rows for cell in row if cell),
            "words on the market": any(cell.text for row in market.rows for cell in row if cell),
        }
    )
    rows = []
    for row in market.rows:
        cells = []
        for cell in row:
            zones = [letters[zone] for zone in cell.zones if zone in letters] if cell else []
            cells.append(f"{cell.price}{''.join(dict.fromkeys(zones))}" if cell else "")
        rows.append(Words(cells) if all(cells) else cells)
    constants: Constants = {"MARKET": rows}
    texts = {
        PRICE_TYPES[letters[zone.id]]: names.words(zone.name)
        for zone in market.zones
        if zone.id in letters
    }
    if texts:
        constants["MARKET_TEXT"] = Keywords(texts)
        constants["STOCKMARKET_COLORS"] = Keywords(
            {
                PRICE_TYPES[letters[zone.id]]: (
                    zone.colour
                    if zone.colour.startswith("#")
                    else Symbol(zone.colour.rpartition(".")[2])
                )
                for zone in market.zones
                if zone.id in letters
            }
        )
    return constants


def _letters(names: Names, market: Market) -> dict[str, str]:
    """Return the engine's letter for each zone: the letter whose meaning the zone's name states;
    otherwise the zone's id, if it is a letter that agrees with the zone on start prices;
    otherwise a free letter. Imported zones thus keep their meaning. Zones for which no letter is
    left are lost."""
    letters: dict[str, str] = {}
    by_words = {zone.id: _meaning(zone) for zone in market.zones}
    own = {
        zone.id: zone.id
        for zone in market.zones
        if zone.id in PRICE_TYPES and zone.par == (PRICE_TYPES[zone.id] in PAR)
    }
    for wanted in (by_words, own):
        for zone in market.zones:
            letter = wanted.get(zone.id)
            if letter is not None and zone.id not in letters and letter not in letters.values():
                letters[zone.id] = letter
    taken = letters.values()
    free = {
        par: [letter for letter in kind if letter not in taken]
        for par, kind in ((True, _PAR), (False, _OTHERS))
    }
    for zone in market.zones:
        if zone.who is not None:
            names.losses.comments("market").lose(
                "who a zone of the market is for", f"{zone.id}: {zone.who}"
            )
        if zone.id in letters:
            continue
        if free[zone.par]:
            letters[zone.id] = free[zone.par].pop(0)
        else:
            names.losses.comments("market").lose("zone of the market", zone.id)
    return letters


def _meaning(zone: Zone) -> str | None:
    """Return the letter of the meaning that a zone's name states explicitly; None if there is no
    such meaning or more than one."""
    words = zone.name.get("en")
    found = [
        letter
        for letter, pattern in _MEANINGS.items()
        if not zone.par and re.search(pattern, words, re.IGNORECASE)
    ]
    return found[0] if len(found) == 1 else None


def _phases(names: Names) -> Constants:
    """Return PHASES and STATUS_TEXT. A rule of a phase that the engine knows has the engine's name;
    other effects of a phase are texts under generated names."""
    texts = {}
    phases = []
    for phase in names.title.phases:
        keys: list[str] = []
        for text in (*phase.events, *phase.status):
            words = names.words(text)
            own = names.known_statuses.get(words)
            keys.append(words if own is not None else f"phase_{phase.id}_{len(keys) + 1}")
            head, said = (
                (f"Phase {phase.id}", words)
                if own is None
                else (spoken(words), own.get(names.language))
            )
            texts[keys[-1]] = [head, said]
        phases.append(_phase(names, phase, keys))
    kinds = Keywords({known: Symbol(kind) for known, kind in kinds_of_types(names.title).items()})
    return (
        {"PHASES": phases}
        | ({KINDS: kinds} if kinds else {})
        | ({"STATUS_TEXT": texts} if texts else {})
    )


def _phase(names: Names, phase: Phase, keys: Sequence[str]) -> Literal:
    comments = names.losses.comments(f"phase {phase.id}")
    keywords = Keywords(name=phase.id)
    on = [
        names.trains_and_phases[name] for name in phase.begun_by if name in names.trains_and_phases
    ]
    if on:
        keywords["on"] = single(on)
    limits = Keywords({limit.who: limit.limit for limit in phase.train_limits})
    keywords["train_limit"] = limits or _ANY
    keywords["tiles"] = [Symbol(colour) for colour in phase.tiles]
    keywords["operating_rounds"] = phase.operating_rounds
    if keys:
        keywords["status"] = list(keys)
    if any(key.startswith("phase_") for key in keys):
        comments.lose("event of a phase, which is words alone")
    if phase.begins is not None:
        comments.lose("how a phase begins", names.words(phase.begins))
    if phase.tile_lays is not None:
        comments.lose("tiles laid in a turn", names.words(phase.tile_lays))
    return keywords


def kinds_of_types(title: Title) -> dict[str, str]:
    """Return the kinds of company by the engine's types, for types whose train limits are given by
    kind only."""
    limited = {limit.who for phase in title.phases for limit in phase.train_limits}
    types = {_type(company): company.kind.value for company in operating(title)}
    return {
        known: kind for known, kind in types.items() if known not in limited and kind in limited
    }


def _train(names: Names, train: Train) -> Literal:
    comments = names.losses.comments(f"train {train.id}")
    first, *others = (_face(names, train, index) for index in range(len(train.faces)))
    keywords = first
    if safe_id(first["name"]) != train.id:
        keywords["id"] = train.id
    keywords["num"] = "unlimited" if train.unlimited else train.count
    if train.unlimited:
        keywords["cards"] = train.count
    if others:
        keywords["variants"] = others
    if train.optional:
        comments.lose("optional cards of a train", str(train.optional))
    return keywords


def _face(names: Names, train: Train, index: int) -> Keywords:
    face = train.faces[index]
    comments = names.losses.comments(f"train {train.id}")
    name = names.trains[train.id, index]
    if name != face.name:
        names.losses.assume(
            f"The train {face.name} on the card {train.id} is called {name}: names are used once."
        )
    keywords = Keywords(name=name, distance=_distance(face.reach), price=face.price)
    if name != face.name:
        keywords["printed"] = face.name
    for field, ends in (("rusts_on", face.rusts_on), ("obsolete_on", face.obsolete_on)):
        on = list(
            dict.fromkeys(
                names.trains_and_phases[end] for end in ends if end in names.trains_and_phases
            )
        )
        if on:
            keywords[field] = single(on)
        for end in ends:
            if end not in names.trains_and_phases:
                comments.lose("end of a train with a phase that no train begins", end)
    if face.available_from is not None:
        keywords["available_on"] = face.available_from
    discounts = {
        names.trains_and_phases[trade_in.train]: face.price - trade_in.price
        for trade_in in face.trade_ins
        if trade_in.train in names.trains_and_phases
    }
    if discounts:
        keywords["discount"] = discounts
    if face.salvage:
        keywords["salvage"] = face.salvage
    if face.gauges:
        narrow = "standard" not in face.gauges
        keywords["track_type"] = Symbol("narrow" if narrow else "broad")
    comments.lose_present(
        {
            "note on a train": face.note is not None,
            "who may run a train": face.who is not None,
            "run counted in hexes": face.hexes is not None and not face.name.endswith("H"),
        }
    )
    return keywords


def _distance(reach: Sequence[Reach]) -> Literal:
    """Return a number if all kinds of stop count alike for a train, otherwise the numbers of stops
    of each kind that it visits and is paid for."""
    if len(reach) == 1 and set(reach[0].stops) == _EVERY_STOP and reach[0].multiplier == 1:
        row = reach[0]
        if row.visit == row.pay:
            return _ANY if row.visit is None else row.visit
    rows: list[Literal] = []
    for row in reach:
        keywords: dict[str, Literal] = {"nodes": Words(row.stops)}
        keywords["pay"] = _ANY if row.pay is None else row.pay
        keywords["visit"] = _ANY if row.visit is None else row.visit
        if row.multiplier != 1:
            keywords["multiplier"] = row.multiplier
        rows.append(keywords)
    return rows


# Methods that the engine of 18xx.games needs to play a game from the start.
#
# They are the same for every title: data of a title are constants.


_NO_AUCTION = """\
# There is no private company to auction.
def init_round
  stock_round
end"""

_HOMES = """\
# A company with several homes chooses one of them, a company without a home any city with a free place.
def home_token_locations(corporation)
  homes = Array(corporation.coordinates).map { |id| hex_by_id(id) }.compact
  homes = hexes if homes.empty?
  open = homes.select { |hex| hex.tile.cities.any? { |city| city.tokenable?(corporation, free: true) } }
  open unless open.empty?
end"""

_OPERATING = """\
# The engine's own, with the step that places a home where there is a choice.
def operating_round(round_num)
  Engine::Round::Operating.new(self, [
    Engine::Step::Bankrupt,
    Engine::Step::Exchange,
    Engine::Step::HomeToken,
    Engine::Step::SpecialTrack,
    Engine::Step::BuyCompany,
    Engine::Step::Track,
    Engine::Step::Token,
    Engine::Step::Route,
    Engine::Step::Dividend,
    Engine::Step::DiscardTrain,
    Engine::Step::BuyTrain,
    [Engine::Step::BuyCompany, { blocks: true }],
  ], round_num: round_num)
end"""

_LIMIT = """\
# A type of company without a limit has that of its kind; in a phase without one, that of the next phase that has one.
def train_limit(entity)
  return super unless @phase.current[:train_limit].is_a?(Hash)

  phases = [@phase.current, *@phase.future, *@phase.previous.reverse]
  limits = phases.map { |phase| phase[:train_limit] }.select { |limit| limit.is_a?(Hash) }
  limits.filter_map { |limit| limit[entity.type] || limit[KIND] }.first || 99
end"""

_FREE = """\
# A train that costs nothing is paid for with nothing, which the engine would refuse.
def buy_train(operator, train, price = nil)
  super(operator, train, (price || train.price).zero? ? :free : price)
end"""


_LOANS = """\
# Nothing takes or repays a loan yet: that is a step of the operating round.
def init_loans
  Array.new(MAXIMUM_LOANS.values.sum) { |id| Loan.new(id, LOAN_VALUE) }
end

def maximum_loans(entity)
  MAXIMUM_LOANS[entity.id] || 0
end

def loan_value(_entity = nil)
  LOAN_VALUE
end"""


def methods(title: Title) -> Iterator[str]:
    """Yield the Ruby methods that a title needs."""
    if not any(company.kind in PRIVATE for company in title.companies):
        yield _NO_AUCTION
    kinds = kinds_of_types(title)
    if kinds or _limits_have_gaps(title):
        yield (
            _LIMIT.replace("KIND", f"{KINDS}[entity.type]")
            if kinds
            else _LIMIT.replace(" || limit[KIND]", "")
        )
    if any(face.price == 0 for train in title.trains for face in train.faces):
        yield _FREE
    if any(company.loans for company in title.companies):
        yield _LOANS
    yield _HOMES
    yield _OPERATING


def _limits_have_gaps(title: Title) -> bool:
    """Return True if there are train limits and some kind of company has one only in some phases,
    or in none."""
    limited = [{limit.who for limit in phase.train_limits} for phase in title.phases]
    if not any(limited):
        return False
    known = set.union(*limited)
    return any(those != known for those in limited) or any(
        company.kind.value not in known and company.size not in known
        for company in operating(title)
    )


# The files, and their README: what the engine plays, and what is left to write.

_KEYS = """\
`id`, `printed` and `cards` of a train, `kind` and `roundel` of a company are read by `platelayer import` alone. The
engine passes over them; delete them when the game no longer comes from here."""


def readme(names: Names) -> str:
    """Return the README as Markdown. Headings are English, words of the title in the language of
    the export."""
    title, losses = names.title, names.losses
    lines = [
        f"# {markdown(title.name.get(names.language))} for 18xx.games",
        "",
        "The files lie as in a checkout of 18xx.games: copy `lib` and `public` over it. They hold the data of the game",
        f"(`lib/engine/game/{folder_name(title.id)}`) and a logo of each company. The engine plays them as they are,",
        "by the rules that most games share. What is this game's alone is code, which no definition holds.",
        "",
        "## What the engine plays",
        "",
        *(f"- {line}" for line in _played(names)),
        "",
        "## What is left to write",
        "",
        *_left(names),
        "",
        "## Keys that the engine does not know",
        "",
        *_KEYS.split("\n"),
    ]
    if losses.assumed:
        lines += ["", "## Decided", "", *(f"- {markdown(entry)}" for entry in losses.assumed)]
    if losses.lost:
        lines += ["", "## Not exported", "", *loss_table(losses, markdown)]
    return "\n".join(lines) + "\n"


def _played(names: Names) -> Iterator[str]:
    title = names.title
    privates = [company for company in title.companies if company.kind in PRIVATE]
    shared = [
        company
        for company in title.companies
        if company.kind not in PRIVATE and not is_minor(company)
    ]
    if privates:
        yield (
            f"An auction of {len(privates)} private companies, the cheapest first. They pay in each operating round"
            + (
                ", change their income and close by phase."
                if any(p.closes or p.incomes[1:] for p in privates)
                else "."
            )
        )
    else:
        yield "No auction: the game begins with a stock round."
    if shared:
        yield (
            f"Stock rounds with {len(shared)} companies: start prices in the zones of the market, shares, presidents, "
            "certificate limits; a company that floats gets its price for all of its shares."
        )
    if title.maps:
        yield (
            f"The map {markdown(names.words(title.maps[0].name))} with "
            f"{len(title.maps[0].hexes)} hexes: one tile in a turn, of the colours of the phase, upgraded by colour, "
            "track and label; terrain is paid for; homes (chosen where there are several), further stations."
        )
    if title.trains:
        limited = any(phase.train_limits for phase in title.phases)
        discounts = any(face.trade_ins for train in title.trains for face in train.faces)
        yield (
            f"{len(title.trains)} kinds of train in order, with what they end"
            + (", discounts for older ones" if discounts else "")
            + (", train limits by kind of company and phase" if limited else "")
            + ", forced purchases and bankruptcy."
        )
    yield "Routes, full dividends or none: the price moves right or left, down with each share sold, up when sold out."
    yield f"Money: starting cash{', the bank' if title.bank else ''}, and the end of the game when the bank is empty."


def _left(names: Names) -> Iterator[str]:
    """Yield the lines of a paragraph or list for each subject on which the title says something
    that cannot be exported as data."""
    sections = [(heading, entries) for heading, entries in _sections(names) if entries]
    if not sections:
        yield "The definition says nothing that these files leave out."
    for number, (heading, entries) in enumerate(sections):
        yield from [""] if number else []
        yield f"**{heading}**"
        for index, (place, words) in enumerate(entries):
            text = markdown(words if isinstance(words, str) else names.words(words))
            yield from ([] if index or not text else [""])
            yield from [f"- {markdown(place)}: {text}" if place else f"- {text}"] if text else []


def _sections(names: Names) -> Iterator[tuple[str, Sequence[tuple[str, Text | str]]]]:
    """Yield headings, each with entries: what an entry is about, and its text."""
    title, companies, phases = names.title, names.title.companies, names.title.phases
    nationals, concessions = CompanyKind.NATIONAL, CompanyKind.CONCESSION
    for what, chosen in (
        ("Minors have no owner: nobody sells them", is_minor),
        (
            "Concessions are auctioned like private companies, and what they entitle to is up to the players",
            lambda company: company.kind is concessions,
        ),
        (
            "Nationals are founded like any company, not formed",
            lambda company: company.kind is nationals,
        ),
        (
            "Reserved shares are for sale like all others",
            lambda company: any(share.reserved for share in company.certificates),
        ),
        (
            "A company that starts in all of its homes at once places one of them",
            lambda company: company.all_homes,
        ),
        (
            "A company without a home starts in any city with a free place",
            lambda company: company.stations and not company.homes and not is_minor(company),
        ),
        ("Loans, which nothing takes or repays", lambda company: company.loans),
        (
            "A station whose price the map shows is free",
            lambda company: None in company.stations,
        ),
    ):
        ids = ", ".join(company.id for company in filter(chosen, companies))
        yield what, [("", ids)] if ids else []
    owners_of: dict[str, list[str]] = {}
    for company in companies:
        for ability in company.abilities:
            owners_of.setdefault(names.words(ability), []).append(company.id)
    yield "Abilities", [(", ".join(owners), words) for words, owners in owners_of.items()]
    closing = [
        (company.id, company.closes)
        for company in companies
        if company.closes is not None and company.closes not in title.phase_by_id
    ]
    yield "When private companies close", closing
    has_other_rounds = any(phase.operating_rounds == 0 for phase in phases)
    track = " → ".join(names.words(step.name) for step in title.pieces.rounds)
    heading = "Rounds: the engine plays one operating round after each stock round"
    yield heading, [("", track)] if title.pieces.rounds and has_other_rounds else []
    yield (
        "What phases bring about",
        [
            (f"Phase {phase.id}", text)
            for phase in phases
            for text in (*phase.events, *phase.status)
            if names.words(text) not in names.known_statuses
        ],
    )
    lays = [(f"Phase {phase.id}", phase.tile_lays) for phase in phases if phase.tile_lays]
    yield "Tiles in a turn (TILE_LAYS)", lays
    begins = [(f"Phase {phase.id}", phase.begins) for phase in phases if phase.begins]
    yield "Phases that no train begins", begins
    faces = [face for train in title.trains for face in train.faces]
    notes = dict.fromkeys((face.name, names.words(face.note)) for face in faces if face.note)
    yield "Trains", [*notes]
    users = dict.fromkeys((face.name, f"for {face.who} alone") for face in faces if face.who)
    yield "Who may run a train", [*users]
    if (market := title.market) is not None:
        yield "Movement on the market", [("", rule) for rule in market.movement]
        is_other = market.shape in (MarketShape.ZIGZAG, MarketShape.HEX)
        shape = f"it is a {market.shape.value}"
        yield "The market is a grid to the engine", [("", shape)] if is_other else []
        zones = [(zone.id, f"for {zone.who} alone") for zone in market.zones if zone.who]
        yield "Whom zones of the market are for", zones
    laid = [(entry.tile.id, entry.via) for entry in title.tiles if entry.via]
    yield "Tiles that abilities lay", laid
    options = title.upgrades
    own = {
        "labels whose cities merge": options.merging_labels,
        "colours in which towns merge": options.merging_towns,
        "stops that appear or disappear": [added.colour for added in options.added],
        "icons that are kept": options.kept_icons,
        "tiles that are laid as drawn": options.fixed_rotation,
        "what is never upgraded": options.never_upgraded,
    }
    rules = [(what, ", ".join(dict.fromkeys(values))) for what, values in own.items() if values]
    yield "Upgrades (upgrades_to?)", rules
    heading = (
        "The board is drawn at random: there are map tiles (MAP_TILES) and no hexes to play on"
    )
    yield heading, [("", "")] if title.atlas is not None else []
    maps = [("", gamemap.id) for gamemap in title.maps]
    yield "Which map is used when", maps if len(maps) > 1 else []
    yield "Variants", [(variant.id, variant.name) for variant in title.variants]
    yield "Bonuses", [("", bonus.name) for bonus in title.bonus_tables]


README = "README.md"
# The folders of games and logos in a checkout of 18xx.games.
GAMES, LOGOS = "lib/engine/game", "public/logos"


def game_files(title: Title, language: str) -> dict[str, bytes]:
    """Return files by path: meta.rb, map.rb, entities.rb and game.rb in the folder of the game, and
    the README."""
    names = names_of(title, language)
    module, folder = module_name(title.id), folder_name(title.id)
    played = game(names)
    lends = ["../../loan"] if "LOAN_VALUE" in played else []
    parts = {
        "meta": _file(
            module, "module Meta", meta(names), before=["include Game::Meta"], needs=["../meta"]
        ),
        "map": _file(module, "module Map", boards(names)),
        "entities": _file(module, "module Entities", entities(names)),
        "game": _file(
            module,
            "class Game < Game::Base",
            played,
            before=[f"include_meta({module}::Meta)", "include Entities", "include Map"],
            needs=["entities", "map", "meta", "../base", *lends],
            after=methods(title),
        ),
    }
    files = {f"{GAMES}/{folder}/{name}.rb": text.encode() for name, text in parts.items()}
    return files | {README: readme(names).encode()}


def _file(
    module: str,
    holder: str,
    constants: Constants,
    *,
    before: Sequence[str] = (),
    needs: Sequence[str] = (),
    after: Iterable[str] = (),
) -> str:
    """Return one Ruby file: constants, and methods `after` them, in a module or class of the game's
    module."""
    lines = ["# frozen_string_literal: true", ""]
    if needs:
        lines += [*(f"require_relative '{need}'" for need in needs), ""]
    depth = ["module Engine", "module Game", f"module {module}", holder]
    lines += [f"{'  ' * level}{opening}" for level, opening in enumerate(depth)]
    body = ["\n".join(before)] if before else []
    for name, value in constants.items():
        fixed = ".freeze" if isinstance(value, (dict, list, tuple)) else ""
        body.append(f"        {name} = {written(value, 8, room=len(name) + 10)}{fixed}")
    for number, constant in enumerate(body):
        lines += [""] if number else []
        lines += [
            f"        {line}" if number == 0 and before else line for line in constant.split("\n")
        ]
    for method in after:
        lines += ["", *(f"        {line}".rstrip() for line in method.split("\n"))]
    lines += [f"{'  ' * level}end" for level in reversed(range(len(depth)))]
    return "\n".join(lines) + "\n"
