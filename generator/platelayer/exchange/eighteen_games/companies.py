"""Corporations, minors and privates of a game of 18xx.games."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

from platelayer.exchange.eighteen_games.board import Json, Mapping
from platelayer.exchange.losses import (
    Comments,
    mark,
    number,
    one_line,
    safe_id,
    safe_size,
    several,
    unused,
)
from platelayer.exchange.tiles.strings import rgb

KINDS = {"minor": "minor", "major": "major", "national": "national"}
"""Types of corporation that are kinds of company; any other is the name of a size."""
_RESERVED_SIZES = ("private", "concession", "director", "ordinary", "station", "market")
_PRIVATE = "#e9d8a6"
_PLAIN = "#808080"
_LEAST_APART = 48
"""Less than this between two colours, red, green and blue together, and words are not told from
their ground at all."""
_SHARES = [20, 10, 10, 10, 10, 10, 10, 10, 10]
_FLOAT = 60
"""What the engine takes where a game is silent."""

_READ = (
    "always_market_price", "hide_shares", "logo", "simple_logo", "reservation_color", "sym", "name", "color",
    "text_color", "tokens", "coordinates", "city", "shares", "float_percent", "type", "abilities", "desc",
    "value", "revenue", "reserved_shares", "ipo_shares", "destination_coordinates", "destination_icon",
    "discount", "min_price", "max_price", "min_players", "kind", "roundel",
)  # fmt: skip
"""Fields of companies that are read, or that say nothing of the game."""
LOST = {
    "max_ownership_percent": "largest share that one player may own",
    "interval": "prices of a private company",
    "max_players": "greatest number of players for a company",
    "capitalization": "capital of a single company",
    "meta": "other data of a company",
    "corporation": "share that a private company comes with",
}
"""Fields that are lost; others are counted by their names."""
SAID = ("shares", "tile_lay", "description", "no_buy", "base")
"""Abilities that need no more than the words of their company."""
BLOCKING = ("blocks_hexes", "blocks_hexes_consent")
AMOUNTS = (("min_price", 0, 1_000_000), ("max_price", 0, 1_000_000), ("discount", -1_000_000, 1_000_000),
           ("min_players", 2, 20))  # fmt: skip
"""Amounts of private companies that have the same names, with their limits."""

_ENDINGS = {"corporations": "", "minors": "-m", "companies": "-p"}
"""What is added to ids that are taken."""

_COUNTED = {"corporations": "companies", "minors": "companies", "companies": "privates"}
"""What the report calls them."""
_PICTURES = ("logo", "simple_logo", "destination_icon")
"""Fields that are names of pictures, in which there are no numbers of the game."""

Builder = Callable[[Mapping, str, str, Json, Comments], Json]


def companies_block(mapping: Mapping) -> Json:
    """The block `companies`: corporations and minors."""
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
    """Give companies the sizes that train limits speak of and none has: that of the private company
    of the same name, which begins it; else majors, or all where there are none, may become such a
    company in play."""
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
        such = [key for key in companies if begun.get(key) == size and "size" not in companies[key]]
        for key in such:
            companies[key]["size"] = size
        majors = [company for company in companies.values() if company["kind"] == "major"]
        for company in () if such else majors or companies.values():
            company.setdefault("later_sizes", []).append(size)


def privates_block(mapping: Mapping, companies: Json) -> Json:
    """The block `privates`, whose ids may be those of companies, but for companies whose one
    certificate is a card like that of a private."""
    taken = {
        key
        for key, company in companies.items()
        if [part["percent"] for part in company.get("certificates", ())] == [100]
    }
    privates: Json = {}
    _add(mapping, "companies", _private, privates, taken=taken)
    return privates


def _add(
    mapping: Mapping, key: str, builder: Builder, block: Json, *, taken: Collection[str] = ()
) -> None:
    for entry in mapping.entries(key):
        company_id = unused(
            safe_id(entry.get("sym") or entry.get("name")), {*block, *taken}, _ENDINGS[key]
        )
        comments = mapping.losses.comments(company_id)
        company = builder(mapping, key, company_id, entry, comments)
        roundel = entry.get("roundel")
        named = one_line(entry.get("logo")) if entry.get("logo") and not roundel else ""
        logo = mapping.pictures.find("logos", named) if named else None
        if logo is not None:
            company["logo"] = logo
        elif isinstance(roundel, str):
            company["roundel"] = {"division": roundel}
        elif named:
            comments.lose("logo", one_line(entry["logo"]))
        _note_lost(entry, comments)
        alone = (
            ("shares",) if entry.get("shares") == [100] and "certificates" not in company else ()
        )
        counted = {name: value for name, value in entry.items() if name not in (*_PICTURES, *alone)}
        comments.account(_COUNTED[key], counted, {company_id: company})
        block[company_id] = comments.comment | company
        _note_marks(mapping, entry, company)


def _note_marks(mapping: Mapping, entry: Json, company: Json) -> None:
    """Hexes of a map that show a company anyway, whose icon there would say it twice."""
    shown = [home["hex"] for home in company.get("homes", ())] + company.get("blocks", [])
    if "destination" in company:
        shown.append(company["destination"]["hex"])
    for name in shown:
        mapping.marks.setdefault(name, set()).add(mark(entry.get("sym")))


def _note_lost(entry: Json, comments: Comments) -> None:
    for name, value in entry.items():
        if name not in _READ and value not in (None, False, [], {}):
            comments.lose(LOST.get(name, f"field {name} of a company"), one_line(value)[:60])


def _names(entry: Json, company_id: str) -> Json:
    symbol = one_line(entry.get("sym"))
    company: Json = {"name": one_line(entry.get("name")) or company_id}
    return company | (
        {"token_text": symbol} if symbol != company_id and 0 < len(symbol) <= 12 else {}
    )


def _operating(
    mapping: Mapping, key: str, company_id: str, entry: Json, comments: Comments
) -> Json:
    names = _names(entry, company_id)
    kind = _kind(key, entry)
    company: Json = {
        "name": names.pop("name"),
        "kind": kind,
        "colour": _colour(entry, comments),
        **names,
    }
    _put_text_colour(company, entry, comments)
    size = safe_size(entry.get("type") or "")
    if size and size not in KINDS and size not in _RESERVED_SIZES:
        company["size"] = size
    certificates = _certificates(key, kind, _issued(mapping, kind, entry), comments)
    if certificates:
        company["certificates"] = certificates
    company["stations"] = _stations(mapping, entry, comments)
    homes = _homes(mapping, entry, comments)
    if homes:
        company["homes"] = homes
    if len(homes) > 1 and (not company["stations"] or _tokens_on_the_map(mapping, entry)):
        company["all_homes"] = True
    goal = entry.get("destination_coordinates")
    if isinstance(goal, str) and goal in mapping.stops:
        company["destination"] = {"hex": goal}
    elif goal is not None:
        comments.lose("destination off the map", one_line(goal))
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


def _colour(entry: Json, comments: Comments) -> str:
    colour = rgb(entry.get("color"))
    if colour is None:
        comments.lose("colour of a company", one_line(entry.get("color")) or "none")
    return colour or _PLAIN


def _apart(colour: str, other: str) -> int:
    """How far apart two colours are, from 0 to 765."""
    return sum(abs(int(colour[at : at + 2], 16) - int(other[at : at + 2], 16)) for at in (1, 3, 5))


def _put_text_colour(company: Json, entry: Json, comments: Comments) -> None:
    """The colour of a company's words, where they can be read on its own."""
    text = rgb(entry.get("text_color"))
    if text is not None and _apart(text, company["colour"]) < _LEAST_APART:
        comments.lose("colour of words that nobody could read", text)
    elif text is not None:
        company["text_colour"] = text


def _issued(mapping: Mapping, kind: str, entry: Json) -> Json:
    """A company with the shares that are printed: where every major has but one, they are issued in
    play, and the engine's usual ones are taken."""
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
    return entry | {"shares": _SHARES}


def _certificates(key: str, kind: str, entry: Json, comments: Comments) -> list[Json]:
    if key == "minors" and "shares" not in entry:
        return []
    reserved = [number(percent, 1, 100) for percent in several(entry.get("reserved_shares"))]
    offered = [number(percent, 1, 100) for percent in several(entry.get("ipo_shares"))]
    shares = offered + reserved if offered or reserved else several(entry.get("shares", _SHARES))
    if not shares or not all(
        isinstance(percent, int) and 1 <= percent <= 100 for percent in shares
    ):
        comments.lose("shares of a company", one_line(entry.get("shares"))[:60])
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
        certificates.append(
            {"percent": percent}
            | ({"count": count} if count > 1 else {})
            | ({"reserved": True} if held else {})
        )
    return comments.fit("kinds of certificate", certificates, 30)


def _tokens_on_the_map(mapping: Mapping, entry: Json) -> list[str]:
    """Hexes where tokens of a company lie from the start: a game may list them in place of
    prices."""
    return [
        token
        for token in several(entry.get("tokens"))
        if isinstance(token, str) and token in mapping.stops
    ]


def _stations(mapping: Mapping, entry: Json, comments: Comments) -> list[int | None]:
    """Prices of stations; null where one cannot be read."""
    there = _tokens_on_the_map(mapping, entry)
    prices = [
        0 if price in there else number(price, 0, 1_000_000)
        for price in several(entry.get("tokens"))
    ]
    if None in prices:
        comments.lose("price of a station", one_line(entry.get("tokens"))[:60])
    return comments.fit("stations", prices, 30)


def _homes(mapping: Mapping, entry: Json, comments: Comments) -> list[Json]:
    cities = several(entry.get("city"))
    homes: list[Json] = []
    for index, printed in enumerate(several(entry.get("coordinates"))):
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
            homes.append({"hex": printed} | ({"stop": stop} if stop is not None else {}))
    return comments.fit("homes", homes, 20)


def _stop(kinds: list[str], city: Any) -> int | None:
    """The stop of a hex that is its city of that number: the engine counts cities and passes
    alone."""
    cities = [index for index, kind in enumerate(kinds) if kind in ("city", "pass")]
    if city is None:
        return cities[0] if len(cities) == 1 == len(kinds) else None
    return cities[city] if isinstance(city, int) and 0 <= city < len(cities) else None


def _private(mapping: Mapping, _key: str, company_id: str, entry: Json, comments: Comments) -> Json:
    names = _names(entry, company_id)
    words = f"{company_id} {entry.get('type')}".lower()
    kind = "concession" if "concession" in words else "private"
    colour = rgb(entry.get("color"))
    company: Json = {"name": names.pop("name"), "kind": kind, "colour": colour or _PRIVATE, **names}
    if colour is not None:
        _put_text_colour(company, entry, comments)
    value, income = number(entry.get("value"), 0, 1_000_000), several(entry.get("revenue"))
    if value is not None:
        company["value"] = value
    else:
        comments.lose("value of a private company", one_line(entry.get("value")))
    first = number(income[0], 0, 1_000_000) if income else 0
    if first is not None:
        company["income"] = _income(mapping, entry, first, comments)
    if len(income) > 1 or first is None:
        what = "income that is no number" if first is None else "income that changes"
        comments.lose(what, one_line(entry.get("revenue"))[:60])
    for name, low, high in AMOUNTS:
        amount = number(entry.get(name), low, high)
        if amount:
            company[name] = amount
    tiles = {str(tile) for ability in several(entry.get("abilities")) if isinstance(ability, dict)
             for tile in several(ability.get("tiles"))}  # fmt: skip
    if len(tiles) == 1:
        company["shows"] = f"tile:{safe_id(*tiles)}"
    _abilities(mapping, company, entry, comments)
    return company


def _income(mapping: Mapping, entry: Json, first: int, comments: Comments) -> Any:
    """What a private company pays; by phases, where abilities change it."""
    income = {next(iter(mapping.phases.values()), ""): first}
    for ability in several(entry.get("abilities")):
        if isinstance(ability, dict) and ability.get("type") == "revenue_change":
            phase, amount = (
                mapping.phases.get(str(ability.get("on_phase"))),
                number(ability.get("revenue"), 0, 1_000_000),
            )
            if phase is not None and amount is not None:
                income[phase] = amount
    return (
        dict(comments.fit("incomes of a private company", [*income.items()], 9))
        if len(income) > 1
        else first
    )


def _abilities(mapping: Mapping, company: Json, entry: Json, comments: Comments) -> None:
    """Texts of what a company may do, and the hexes it blocks; how the engine does it is lost."""
    texts = [one_line(entry.get("desc"))]
    blocked: list[str] = []
    for ability in several(entry.get("abilities")):
        if not isinstance(ability, dict):
            continue
        kind = str(ability.get("type"))
        if kind in BLOCKING:
            blocked += [
                printed for printed in several(ability.get("hexes")) if isinstance(printed, str)
            ]
        elif (
            kind == "close"
            and company["kind"] in ("private", "concession")
            and str(ability.get("on_phase")) in mapping.phases
        ):
            company["closes"] = mapping.phases[str(ability["on_phase"])]
        elif kind not in SAID and not entry.get("desc"):
            comments.lose(f"ability {kind}")
        if not entry.get("desc"):
            texts.append(one_line(ability.get("description") or ability.get("desc_detail")))
        elif kind == "reservation":
            comments.lose("reserved slot of a private company", one_line(ability.get("hex")))
    known = [
        printed
        for printed in dict.fromkeys(blocked)
        if printed in mapping.stops and printed not in company.get("blocks", ())
    ]
    if known:
        company["blocks"] = comments.fit(
            "hexes that a company blocks", [*company.get("blocks", ()), *known], 30
        )
    if any(texts):
        company["abilities"] = comments.fit(
            "abilities", list(dict.fromkeys(filter(None, texts))), 20
        )
