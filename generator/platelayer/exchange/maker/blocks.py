"""Companies, trains, phases and market of 18xx-maker."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any

from msgspec import Struct, field

from platelayer.exchange.imported import Pictures
from platelayer.exchange.losses import Comments, Losses, number, one_line, safe_id, spoken, unused
from platelayer.exchange.tiles.strings import rgb, tile_colour

Json = dict[str, Any]

_PRIVATE = "#e9d8a6"
_PLAIN = "#808080"
_UNLIMITED = 6
_MOST_TRAINS = 20
"""The largest train limit that the format has."""
_MOST_TRADES = 20
_MOST_ROUNDS = 10
ARROWS = {way: way for way in ("up", "down", "left", "right")} | {
    "upLeft": "up-left", "upRight": "up-right", "downLeft": "down-left", "downRight": "down-right"
}  # fmt: skip
_COLOURS = ("yellow", "green", "brown", "gray")
_LOST_PRIVATE = {
    "maxPlayers": "greatest number of players for a company", "token": "token of a private company",
    "company": "share that a private company comes with", "debt": "debt of a private company",
    "variant": "variant of a card",
}  # fmt: skip


_DRAWN = (
    "image",
    "icon",
    "tile",
    "hex",
    "token",
    "idBackgroundColor",
    "backgroundColor",
    "iconColor",
)
"""Fields of a private company that say how its card is drawn."""
_OF_A_ROUNDEL = ("logo", "token", "subtext", "color", "marketTokens")


class Mapping(Struct, kw_only=True):
    """A game file on its way to a definition. `named` are companies and `held` private companies by
    what the map calls them: ids of `companies` and `privates`."""

    raw: Json
    losses: Losses = field(default_factory=Losses)
    pictures: Pictures = field(default_factory=Pictures)
    companies: Json = field(default_factory=dict)
    privates: Json = field(default_factory=dict)
    named: dict[str, str] = field(default_factory=dict)
    held: dict[str, str] = field(default_factory=dict)
    places: dict[str, str] = field(default_factory=dict)


def colours_of(raw: Json) -> dict[str, str]:
    """The colours that a game names, also those in groups."""
    named: dict[str, str] = {}
    waiting = [raw.get("colors") or {}]
    while waiting:
        for name, colour in waiting.pop(0).items():
            if isinstance(colour, dict):
                waiting.append(colour)
            elif isinstance(colour, str):
                named.setdefault(name, colour)
    return named


def _rgb(name: Any, raw: Json) -> str | None:
    return rgb(colours_of(raw).get(str(name), name)) or rgb(name)


def _places(raw: Json) -> dict[str, str]:
    """The hexes of all maps by their coordinates and names."""
    boards = raw.get("map")
    places: dict[str, str] = {}
    for board in boards if isinstance(boards, list) else [boards] if boards else ():
        for entry in board.get("hexes") or ():
            printed = list(entry.get("hexes") or ())
            stops = [
                stop for key in ("cities", "towns", "centerTowns") for stop in entry.get(key) or ()
            ]
            names = [*(entry.get("names") or ()), *(stop.get("name") for stop in stops)]
            said = [
                one_line(name.get("name") if isinstance(name, dict) else name) for name in names
            ]
            places |= {place: place for place in printed}
            places |= {name: printed[0] for name in said if name and len(printed) == 1}
    return places


def read_companies(mapping: Mapping) -> None:
    """Companies and private companies."""
    mapping.places = _places(mapping.raw)
    for entry in mapping.raw.get("companies") or ():
        company_id = unused(safe_id(entry.get("abbrev") or entry.get("name")), mapping.companies)
        mapping.named.setdefault(one_line(entry.get("abbrev")), company_id)
        mapping.companies[company_id] = _company(mapping, entry, company_id)
    for index, entry in enumerate(mapping.raw.get("privates") or (), 1):
        label = one_line(entry.get("sym") or entry.get("id")) or f"P{index}"
        company_id = unused(safe_id(label), mapping.privates, "-p")
        mapping.held.setdefault(label, company_id)
        mapping.privates[company_id] = _private(mapping, entry, company_id, label)


def _listed(raw: Json, kinds: str, given: Any) -> list[Any]:
    """A list, or one that the game has by name; the game's own default."""
    named = raw.get(kinds) or {}
    if isinstance(given, list):
        return given
    return list(named.get(str(given or "default")) or ())


def _company(mapping: Mapping, entry: Json, company_id: str) -> Json:
    raw, comments = mapping.raw, mapping.losses.comments(company_id)
    colour = _rgb(entry.get("color"), raw)
    if colour is None:
        comments.lose("colour of a company", one_line(entry.get("color")))
    minor = bool(entry.get("minor"))
    kind = "minor" if minor else "major"
    company: Json = {
        "name": one_line(entry.get("name")) or company_id,
        "kind": kind,
        "colour": colour or _PLAIN,
    }
    label = one_line(entry.get("abbrev"))
    if label != company_id and 0 < len(label) <= 12:
        company["token_text"] = label
    kinds = {"minor": "minor"}.get(kind, "default")
    shares = _listed(raw, "shareTypes", entry.get("shares", entry.get("shareType", kinds)))
    certificates = _certificates(shares, comments)
    if certificates:
        company["certificates"] = certificates
    tokens = _listed(raw, "tokenTypes", entry.get("tokens", entry.get("tokenType", kinds)))
    homes = [mapping.places.get(_words_of(token)) for token in tokens]
    prices = [
        0 if home else _price(token, comments) for token, home in zip(tokens, homes, strict=True)
    ]
    company["stations"] = comments.fit("stations", prices, 30)
    placed = [{"hex": home} for home in dict.fromkeys(filter(None, homes))]
    if placed:
        company |= {"homes": placed} | ({"all_homes": True} if len(placed) > 1 else {})
    percent = raw.get("floatPercent")
    if certificates and isinstance(percent, int) and 1 <= percent <= 100:
        company["float_percent"] = percent
    logo = one_line(entry.get("logo"))
    picture = mapping.pictures.find("logos", logo) if logo else None
    if picture is not None:
        company["logo"] = picture
    elif logo:
        comments.lose("logo", logo)
    if one_line(entry.get("subtext")):
        company["second_name"] = one_line(entry["subtext"])
    for key, feature in (("token", "drawing of a token"), ("variant", "variant of a company")):
        if entry.get(key):
            comments.lose(feature)
    counted = {name: value for name, value in entry.items() if name not in _OF_A_ROUNDEL}
    counted["shares"] = [share.get("percent") for share in shares]
    comments.account("companies", counted, {company_id: company})
    return comments.comment | company


def _certificates(shares: list[Any], comments: Comments) -> list[Json]:
    counts: dict[int, int] = {}
    director = None
    for share in shares:
        match = re.match(r"[0-9]{1,9}", str(share.get("percent") or ""))
        percent, count = int(match[0]) if match else 0, int(share.get("quantity") or 0)
        if not 1 <= percent <= 100 or share.get("variant"):
            comments.lose(
                "certificate without a percentage",
                one_line(share.get("label") or share.get("subtext")),
            )
            continue
        if not isinstance(share.get("percent"), int):
            comments.lose("percentage that changes", str(share["percent"]))
        if (
            director is None
            and count
            and (not counts or re.search("(?i)president|director", str(share.get("label"))))
        ):
            director, count = percent, count - 1
        if count:
            counts[percent] = counts.get(percent, 0) + count
    if director is None:
        return []
    rest = [
        {"percent": percent} | ({"count": count} if count > 1 else {})
        for percent, count in counts.items()
    ]
    return comments.fit(
        "kinds of certificate", [{"percent": director, "director": True}, *rest], 30
    )


def _words_of(token: Any) -> str:
    return str(token.get("label", "") if isinstance(token, dict) else token)


def _price(token: Any, comments: Comments) -> int | None:
    """The price of a station; null where its words have none."""
    words = _words_of(token)
    match = re.fullmatch(r"\D?([0-9]{1,9})", words)
    if match:
        return int(match[1])
    if words not in ("Free", "Home", "free", "home"):
        comments.lose("words on a place for a station", words or "empty")
        number = re.search("[0-9]{1,9}", words)
        return int(number[0]) if number else None
    return 0


def _private(mapping: Mapping, entry: Json, company_id: str, label: str) -> Json:
    raw, comments = mapping.raw, mapping.losses.comments(company_id)
    colour = _rgb(entry.get("idBackgroundColor"), raw)
    company: Json = {
        "name": one_line(entry.get("name")) or company_id,
        "kind": "private",
        "colour": colour or _PRIVATE,
    }
    if label != company_id and 0 < len(label) <= 12:
        company["token_text"] = label
    for key, name in (("price", "value"), ("revenue", "income")):
        given = entry.get(key)
        amounts = [
            re.search("[0-9]{1,9}", str(amount))
            for amount in (given if isinstance(given, list) else [given])
        ]
        known = [int(amount[0]) for amount in amounts if amount]
        if name == "income" and 1 < len(known) <= len(_COLOURS) and len(known) == len(amounts):
            company[name] = dict(zip(_COLOURS, known, strict=False))
            comments.losses.assume(
                "Several revenues of a private company were taken to begin with yellow, green ..."
            )
            continue
        if known:
            company[name] = known[0]
        if given is not None and not isinstance(given, int):
            comments.lose(f"{key} that is no single number", one_line(given))
    bid, least = entry.get("bid"), entry.get("minPlayers")
    if isinstance(bid, int) and bid != company.get("value"):
        company["discount"] = company.get("value", 0) - bid
    if isinstance(least, int) and 2 <= least <= 20:
        company["min_players"] = least
    shows = _shows(mapping, entry, comments)
    if shows:
        company["shows"] = shows
    texts = [one_line(entry.get("description")), one_line(entry.get("note"))]
    if any(texts):
        company["abilities"] = [text for text in texts if text]
    for key, feature in _LOST_PRIVATE.items():
        if entry.get(key):
            comments.lose(feature, one_line(entry[key])[:40])
    counted = {
        name: value
        for name, value in entry.items()
        if name not in _DRAWN and not name.endswith("FontSize")
    }
    comments.account(
        "privates", counted, [company_id, label, company, bid if "discount" in company else None]
    )
    return comments.comment | company


def _shows(mapping: Mapping, entry: Json, comments: Comments) -> str | None:
    """What a private's card shows: its hex, its tile or its picture, the first of them that there
    is."""
    boards = mapping.raw.get("map")
    hexes = {printed for board in (boards if isinstance(boards, list) else [boards]) if board
             for group in board.get("hexes") or () for printed in group.get("hexes") or ()}  # fmt: skip
    places = []
    for key in ("tile", "hex", "icon", "image"):
        name = one_line(entry.get(key))
        picture = (
            mapping.pictures.find("icons", name) if name and key in ("icon", "image") else None
        )
        if key == "tile" and name in (mapping.raw.get("tiles") or {}):
            places.append(f"tile:{safe_id(name)}")
        elif key == "hex" and name in hexes:
            places.append(f"hex:{name}")
        elif picture is not None:
            places.append(f"picture:{picture}")
        elif name:
            comments.lose(
                {"hex": "hex on a card", "tile": "tile on a card"}.get(key, "picture on a card"),
                name,
            )
    return places[0] if places else None


def trains_block(raw: Json, losses: Losses) -> Json:
    """The block `trains`, without the phases that they begin."""
    trains: Json = {}
    names = {one_line(entry.get("name")) for entry in raw.get("trains") or ()}
    for entry in raw.get("trains") or ():
        name = one_line(entry.get("name"))
        comments = losses.comments(f"train {name}")
        train = _train(entry, name, names, comments)
        counted = {
            key: value for key, value in entry.items() if key not in ("discount", "image", "color")
        }
        counted["discount"] = {
            old: off for old, off in (entry.get("discount") or {}).items() if old not in names
        }
        comments.account("trains", counted, train)
        trains[unused(safe_id(name), trains)] = comments.comment | train
    return trains


def _train(entry: Json, name: str, names: set[str], comments: Comments) -> Json:
    count = entry.get("print", entry.get("quantity"))
    train: Json = {"count": count if isinstance(count, int) else _UNLIMITED}
    if not isinstance(entry.get("quantity"), int):
        train["unlimited"] = True
    colour = tile_colour(entry.get("color"))
    if colour is not None:
        train["colour"] = colour
    else:
        comments.lose("colour of a train", one_line(entry.get("color")))
    price = re.search("[0-9]{1,9}", str(entry.get("price", "")))
    if price is None or not isinstance(entry.get("price"), int):
        comments.lose("price of a train", one_line(entry.get("price")) or "none")
    train |= {
        "name": comments.fit("letters of the name of a train", name, 12) or "?",
        "price": int(price[0]) if price else 0,
        "reach": _reach(name),
    }
    for key, ended in (
        ("rust", "rusts_on"),
        ("obsolete", "obsolete_on"),
        ("phased", "obsolete_on"),
    ):
        ends = [safe_id(end) for end in _ends(entry.get(key), comments) if end in names]
        if ends:
            train[ended] = comments.fit(
                "trains that end another", list(dict.fromkeys([*train.get(ended, ()), *ends])), 8
            )
        elif entry.get(key):
            comments.lose("train that ends another", one_line(entry[key]))
    if "rusts_on" not in train and "obsolete_on" not in train:
        train["permanent"] = True
    more = {
        "trade_ins": _trades(entry, names, train["price"], comments),
        "note": one_line(entry.get("description")),
    }
    train |= {key: value for key, value in more.items() if value}
    for key in ("available", "variant", "players", "image"):
        if entry.get(key):
            comments.lose(f"{key} of a train", one_line(entry[key]))
    return train


def _trades(entry: Json, names: set[str], price: int, comments: Comments) -> list[Json]:
    """Prices for trading in older trains."""
    trades: list[Json] = []
    for old, off in (entry.get("discount") or {}).items():
        if old in names and isinstance(off, int) and off <= price and len(trades) < _MOST_TRADES:
            trades.append({"train": safe_id(old), "price": price - off})
        else:
            comments.lose("discount of a train", one_line(f"{old} {off}"))
    return trades


def _ends(given: Any, comments: Comments) -> list[str]:
    ends: list[str] = []
    for end in given if isinstance(given, list) else [given] if given else ():
        if isinstance(end, dict):
            ends.append(one_line(end.get("on")))
            if end.get("index"):
                comments.lose(
                    "train that ends another only later", f"{end.get('on')}, card {end['index']}"
                )
        else:
            ends += (
                [one_line(part) for part in str(end).split("/")]
                if "/" in str(end)
                else [one_line(end)]
            )
    return ends


def _reach(name: str) -> list[Json]:
    """How far a train runs, by its name: 3, 3+1, 5E, D."""
    match = re.match(r"([0-9]{1,2})(?:\+([0-9]{1,2}))?", name)
    if match is None:
        return [{"stops": ["city", "town", "offboard"], "visit": None, "pay": None}]
    far = int(match[1])
    if match[2] is None:
        return [{"stops": ["city", "town", "offboard"], "visit": far, "pay": far}]
    near = int(match[2])
    return [
        {"stops": ["city", "offboard"], "visit": far, "pay": far},
        {"stops": ["town"], "visit": near, "pay": near},
    ]


def _merged(entries: Iterable[Json]) -> list[tuple[Json, Json | None]]:
    """Phases, each with that of minor companies: a game may list theirs by themselves, under the
    same names."""
    listed = list(entries)
    small = {str(company.get("name")): company for company in listed if company.get("minor")}
    large = {str(company.get("name")): company for company in listed if not company.get("minor")}
    if not small or not large or len(small) + len(large) < len(listed):
        return [(entry, entry if entry.get("minor") else None) for entry in listed]
    order, names = list(large), list(small)
    for at, name in enumerate(names):
        if name not in order:
            following = next((later for later in names[at + 1 :] if later in order), None)
            order.insert(len(order) if following is None else order.index(following), name)
    return [(large.get(name) or small[name], small.get(name)) for name in order]


def phases_block(raw: Json, losses: Losses, trains: Json) -> Json:
    """The block `phases`. Tiles of a colour may be laid from the phase of that colour on."""
    phases: Json = {}
    kinds = (
        {"minor": "minor"}
        if any(company.get("minor") for company in raw.get("companies") or ())
        else {}
    )
    majors = any(not company.get("minor") for company in raw.get("companies") or ())
    reached = 0
    for entry, small in _merged(raw.get("phases") or ()):
        label = one_line(entry.get("name")) or one_line(entry.get("train"))
        phase_id = unused(safe_id(label), phases)
        comments = losses.comments(f"phase {label}")
        # A game may name its own colours after those of tiles: train_green.
        colour = tile_colour(re.split("[^a-z]", str(entry.get("tiles")).lower())[-1])
        if colour in _COLOURS:
            reached = max(reached, _COLOURS.index(str(colour)))
        else:
            comments.lose("colour of tiles in a phase", one_line(entry.get("tiles")))
        begins = [
            safe_id(end) for end in _ends(entry.get("on") or entry.get("train") or label, comments)
        ]
        known = [begin for begin in begins if begin in trains]
        known = comments.fit("trains that begin a phase", list(dict.fromkeys(known)), 8)
        limit = re.findall("[0-9]{1,9}", str(entry.get("limit")))
        limits = {"major": int(limit[0])} if limit and majors else {}
        least = re.findall("[0-9]{1,9}", str((small or entry).get("limit")))
        if entry is small:
            limits = {}
        if least and (kinds or small):
            limits["minor"] = int(least[-1])
        events = [spoken(name) for name, on in (entry.get("events") or {}).items() if on]
        notes = entry.get("notes")
        events += [
            one_line(note)
            for note in (notes if isinstance(notes, list) else [notes] if notes else ())
        ]
        rounds = number(entry.get("rounds"), 0, _MOST_ROUNDS)
        if rounds is None and entry.get("rounds") is not None:
            comments.lose(
                f"operating rounds that are no number to {_MOST_ROUNDS}", one_line(entry["rounds"])
            )
        texts = [event for event in events if event]
        phase = (
            {
                "on": None if not phases or not known else known if len(known) > 1 else known[0],
                "train_limits": {
                    who: count for who, count in limits.items() if count <= _MOST_TRAINS
                },
                "tiles": list(_COLOURS[: reached + 1]),
                "operating_rounds": rounds or 0,
            }
            | (
                {"begins": f"Train {', '.join(begins)}"}
                if phases and not known and any(begins)
                else {}
            )
            | ({"status": ["can_buy_companies"]} if entry.get("buy_companies") else {})
            | ({"events": comments.fit("events of a phase", texts, 20)} if texts else {})
        )
        comments.account("phases", [entry, small], {phase_id: phase})
        phases[phase_id] = comments.comment | phase
    return phases


def worth_of(value: Any) -> list[Any]:
    """The numbers of the game in what is drawn: what is said as a value, a cost or by itself in a
    list."""
    if isinstance(value, dict):
        own = [
            entry
            for key, entry in value.items()
            if key in ("value", "cost") and not isinstance(entry, (dict, list))
        ]
        return own + [number for entry in value.values() for number in worth_of(entry)]
    if isinstance(value, list):
        plain = [entry for entry in value if not isinstance(entry, (dict, list))]
        return plain + [number for entry in value for number in worth_of(entry)]
    return []


def market_block(raw: Json, losses: Losses) -> Json | None:
    """The block `market`."""
    stock = raw.get("stock")
    if not stock or not stock.get("market"):
        return None
    comments = losses.comments("market")
    given = stock["market"]
    zones: Json = {}
    values = (
        (stock.get("par") or {}).get("values") or () if '"par"' not in json.dumps(given) else ()
    )
    starts = {value for value in values if isinstance(value, int)}
    lists = [row for row in given if isinstance(row, list)] or [given]
    rows = [[_space(cell, zones, raw, comments, starts=starts) for cell in row] for row in lists]
    for row in rows:
        while row and row[-1] is None:
            row.pop()
    rows = [
        comments.fit("spaces in a row of the market", row, 120) or [None]
        for row in comments.fit("rows of the market", rows, 40)
    ]
    if not any(cell is not None for row in rows for cell in row):
        return None
    for key in ("display", "limits"):
        if stock.get(key):
            comments.lose(f"{key} of the market")
    comments.account("market", worth_of(given), rows)
    market: Json = {"shape": "line" if len(rows) == 1 else "grid", "rows": rows}
    if zones:
        market["zones"] = zones
    moves = [
        f"{way.capitalize()}: {one_line(why)}"
        for way, whys in (stock.get("movement") or {}).items()
        for why in whys or ()
    ]
    if moves:
        market["movement"] = comments.fit("lines about moves on the market", moves, 12)
    return comments.comment | market


def _space(cell: Any, zones: Json, raw: Json, comments: Comments, *, starts: set[int]) -> Any:
    if cell is None:
        return None
    legend = raw["stock"].get("legend") or []
    whole = cell if isinstance(cell, dict) else {"value": cell}
    words = one_line(whole.get("value", whole.get("label")))
    price = re.match(r"[0-9]{1,5}", words)
    arrow = ARROWS.get(str(whole.get("arrow")))
    if price is None and not words:
        return None
    if price is None:
        return {"price": 0, "text": comments.fit("letters on a space of the market", words, 20)} | (
            {"arrow": arrow} if arrow else {}
        )
    letters = ""
    if whole.get("par") or int(price[0]) in starts:
        zones.setdefault("p", {"name": "Start price", "colour": "#e8a9a0", "par": True})
        letters += "p"
    number = whole.get("legend")
    if isinstance(number, int) and 0 <= number < len(legend) and number < 15:
        letter = chr(ord("a") + number)
        entry = legend[number]
        colour = _rgb(entry.get("color"), raw) or "#e4e4e4"
        zones.setdefault(
            letter,
            {"name": one_line(entry.get("description")) or f"Zone {number + 1}", "colour": colour},
        )
        letters += letter
    elif whole.get("color"):
        comments.lose("colour of a space of the market", str(whole["color"]))
    if arrow:
        return {
            "price": int(price[0]),
            **({"zones": list(letters)} if letters else {}),
            "arrow": arrow,
        }
    return price[0] + letters
