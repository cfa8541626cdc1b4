"""The trains and phases of a game of 18xx.games."""

from __future__ import annotations

from typing import Any

from platelayer.exchange.eighteen_games.board import Json, Mapping
from platelayer.exchange.eighteen_games.companies import KINDS
from platelayer.exchange.losses import (
    Comments,
    number,
    one_line,
    safe_id,
    safe_size,
    several,
    spoken,
    unused,
)
from platelayer.exchange.tiles.strings import tile_colour
from platelayer.foundation.languages import FixedWords

UNLIMITED = 6
"""How many cards are printed of a train whose number has no end."""
ANY = 90
"""A distance from which on a train stops everywhere."""
STOPS = {"city": "city", "town": "town", "halt": "town", "pass": "pass", "offboard": "offboard"}
COLOURS = ("yellow", "green", "brown", "purple", "gray")
LOST = {
    "track_type": "gauge of a train",
    "salvage": "value of a train that rusts",
    "no_local": "train that may not run locally",
    "requires_token": "train that needs no token",
    "reserved": "reserved train",
    "cargo_holds": "cargo holds of a train",
}
"""Fields of trains that have no place in the format; others are counted by their names."""
_READ = ("name", "distance", "multiplier", "price", "num", "rusts_on", "obsolete_on", "available_on", "variants",
         "discount", "events", "id", "cards", "printed")  # fmt: skip


def name_trains(mapping: Mapping) -> None:
    """Give each train its id, by which phases name it."""
    taken: set[str] = set()
    for entry in mapping.entries("trains"):
        name = str(entry.get("name"))
        train_id = unused(_id(entry), taken)
        taken.add(train_id)
        mapping.trains.setdefault(name, train_id)
        for variant in filter(_is_hash, several(entry.get("variants"))):
            # A face is called by its name where that can be an id, else by its card.
            face = str(variant.get("name"))
            mapping.trains.setdefault(
                face, face if face == safe_id(face) and len(face) <= 12 else train_id
            )


def _id(entry: Json) -> str:
    """The id of a train: the one that our export has written beside its name, else its name."""
    return safe_id(entry.get("id") or entry.get("name"))


def trains_block(mapping: Mapping, phases: Json) -> Json:
    """The block `trains`. A phase begins with the first sale of the train that it names."""
    trains: Json = {}
    for entry in mapping.entries("trains"):
        train_id = unused(_id(entry), trains)
        comments = mapping.losses.comments(f"train {train_id}")
        begun = _begins(train_id, entry, phases)
        trains[train_id] = _train(mapping, entry, begun, comments)
    return trains


def _begins(train_id: str, entry: Json, phases: Json) -> Json:
    """The phase that the first sale of a train begins, and the last colour of tiles in it."""
    starts: dict[str, str] = {}
    for phase_id, phase in phases.items():
        for train in several(phase["on"]):
            starts.setdefault(train, phase_id)
    variants = (
        str(variant.get("name"))
        for variant in several(entry.get("variants"))
        if isinstance(variant, dict)
    )
    begun = next(
        (starts[name] for name in (train_id, str(entry.get("name")), *variants) if name in starts),
        None,
    )
    if begun is None:
        return {}
    colours = [colour for colour in COLOURS if colour in phases[begun]["tiles"]]
    return ({"colour": colours[-1]} if colours else {}) | {"starts": begun}


def _train(mapping: Mapping, entry: Json, begun: Json, comments: Comments) -> Json:
    train: Json = {"count": _count(mapping, entry, comments)}
    if (mapping.game.counts.get(str(entry.get("name"))) or entry.get("num")) == "unlimited":
        train["unlimited"] = True
    variants = [variant for variant in several(entry.get("variants")) if isinstance(variant, dict)]
    train |= begun
    faces = [_face(mapping, face, entry, comments) for face in (entry, *variants)]
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
    """An entry with what is accounted for of it: a reach without a limit has no number, and a
    discount for another train is in the price of the trade-in."""
    own = {**entry, "num": mapping.game.counts.get(str(entry.get("name")), entry.get("num"))}
    if isinstance(own.get("discount"), dict):
        own["discount"] = {
            train: off for train, off in own["discount"].items() if str(train) not in mapping.trains
        }
    own["distance"] = _without_any(own.get("distance"))
    own["variants"] = [
        _counted(mapping, {**variant, "num": None})
        for variant in filter(_is_hash, several(own.get("variants")))
    ]
    return own


def _without_any(distance: Any) -> Any:
    if isinstance(distance, list):
        return [_without_any(row) for row in distance]
    if isinstance(distance, dict):
        return {key: _without_any(value) for key, value in distance.items()}
    return None if number(distance, ANY, 10_000_000) is not None else distance


def _count(mapping: Mapping, entry: Json, comments: Comments) -> int:
    given = mapping.game.counts.get(str(entry.get("name")), entry.get("num"))
    if given == "unlimited":
        return number(entry.get("cards"), 1, 500) or UNLIMITED
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
        comments.lose("price of a train", one_line(entry.get("price"))[:60])
    face: Json = {
        "name": comments.fit("letters of the name of a train", name, 12),
        "price": price or 0,
        "reach": _reach(entry, comments),
    }
    ends = {
        "rusts_on": _ends(mapping, entry.get("rusts_on", whole.get("rusts_on")), comments),
        "obsolete_on": _ends(mapping, entry.get("obsolete_on", whole.get("obsolete_on")), comments),
    }
    face |= {key: value for key, value in ends.items() if value}
    if not any(ends.values()):
        face["permanent"] = True
    trades: list[Json] = []
    for train, off in entry["discount"].items() if isinstance(entry.get("discount"), dict) else ():
        if (
            str(train) in mapping.trains
            and isinstance(off, int)
            and off <= (price or 0)
            and len(trades) < _MOST_TRADES
        ):
            trade = {"train": mapping.trains[str(train)], "price": (price or 0) - off}
            trades += [trade] if trade not in trades else []
        else:
            comments.lose("discount of a train", one_line(f"{train} {off}"))
    if trades:
        face["trade_ins"] = trades
    available = entry.get("available_on")
    if available is not None and str(available) in mapping.phases:
        face["available_from"] = mapping.phases[str(available)]
    elif available is not None:
        comments.lose("phase from which a train is sold", str(available))
    for field, value in entry.items():
        if field not in _READ and value not in (None, False, [], {}, 1):
            comments.lose(LOST.get(field, f"field {field} of a train"), one_line(value)[:60])
    return face


def _ends(mapping: Mapping, value: Any, comments: Comments) -> list[str]:
    ends: list[str] = []
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
    unknown = list(dict.fromkeys(str(node) for row in filter(_is_hash, distance) for node in several(row.get("nodes"))
                                 if str(node) not in STOPS))  # fmt: skip
    if unknown:
        comments.lose("kind of stop that a train runs to", ", ".join(unknown))
    for row in filter(_is_hash, distance):
        kinds = list(
            dict.fromkeys(
                STOPS[node] for node in map(str, several(row.get("nodes"))) if node in STOPS
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


def _is_hash(value: Any) -> bool:
    return isinstance(value, dict)


def _limit(value: Any) -> int | None:
    return number(value, 0, ANY - 1)


card_words = FixedWords("cards")

_MOST_ROUNDS, _UNTIL_THE_END = 10, 99
_MOST_TRADES = 20
_NO_LIMIT, _ANY_NUMBER = 21, 10_000
"""Trains from which on the engine means any number."""
_READ_OF_PHASES = (
    "name",
    "on",
    "train_limit",
    "tiles",
    "operating_rounds",
    "status",
    "corporation_sizes",
)


def name_phases(mapping: Mapping) -> None:
    """Give each phase its id, by which trains name it."""
    for entry in mapping.entries("phases"):
        mapping.phases.setdefault(
            str(entry.get("name")), unused(safe_id(entry.get("name")), mapping.phases.values())
        )


def phases_block(mapping: Mapping) -> Json:
    """The block `phases`. What the first sale of a train brings about are events of its phase."""
    phases: Json = {}
    events = _train_events(mapping)
    for entry in mapping.entries("phases"):
        phase_id = unused(safe_id(entry.get("name")), phases)
        comments = mapping.losses.comments(f"phase {phase_id}")
        on = _begun_by(mapping, entry, comments, first=not phases)
        texts = [text for name in several(entry.get("on")) for text in events.pop(str(name), [])]
        given = entry.get("operating_rounds")
        rounds, most = number(given, 0, _MOST_ROUNDS), number(given, _MOST_ROUNDS + 1, _ANY_NUMBER)
        if rounds is None and given is not None:
            comments.lose(
                f"operating rounds that are no number to {_MOST_ROUNDS}", one_line(given)[:60]
            )
        phase: Json = {"on": on}
        if on is None and phases and entry.get("on") is not None:
            phase["begins"] = " / ".join(_sale(mapping, str(name)) for name in several(entry["on"]))
        phase |= {
            "train_limits": _limits(mapping, entry.get("train_limit"), comments),
            "tiles": _colours(entry, comments),
            "operating_rounds": rounds or 0,
        }
        statuses = [*_statuses(mapping, entry), *_without_limit(entry.get("train_limit"))]
        if most is not None:
            without = f"Operating rounds go on without a limit ({most})."
            statuses.append(without if most >= _UNTIL_THE_END else f"Operating rounds: {most}.")
        if statuses:  # an export of ours says it itself
            phase["status"] = comments.fit(
                "lines of what holds in a phase", list(dict.fromkeys(statuses)), 12
            )
        if texts:
            phase["events"] = comments.fit("events of a phase", list(dict.fromkeys(texts)), 20)
        for field, value in entry.items():
            if field not in _READ_OF_PHASES:
                comments.lose(f"field {field} of a phase", one_line(value)[:60])
        counted = {name: value for name, value in entry.items() if name != "status"}
        if number(entry.get("train_limit"), _NO_LIMIT, _ANY_NUMBER) is not None:
            del counted["train_limit"]
        comments.account("phases", counted, {phase_id: phase})
        phases[phase_id] = comments.comment | phase
    for name, texts in events.items():
        for text in texts:
            mapping.losses.lose("event of a train that begins no phase", f"{name}: {text[:60]}")
    return phases


def _begun_by(
    mapping: Mapping, entry: Json, comments: Comments, *, first: bool
) -> str | list[str] | None:
    names = [str(name) for name in several(entry.get("on"))]
    known = [mapping.trains[name] for name in names if name in mapping.trains]
    known = comments.fit("trains that begin a phase", list(dict.fromkeys(known)), 8)
    return None if first or not known else known if len(known) > 1 else known[0]


def _sale(mapping: Mapping, name: str) -> str:
    """What begins a phase that names no kind of train: "3-2" is the second of the trains 3."""
    train, _, place = name.rpartition("-")
    return (
        f"Train {train}, number {place}"
        if train in mapping.trains and place.isdecimal()
        else f"Train {name}"
    )


def _statuses(mapping: Mapping, entry: Json) -> list[str]:
    """What holds while a phase lasts: by the names for which there are words in every language,
    else in the words of the game."""
    names = [str(name) for name in several(entry.get("status"))]
    lines = [
        name if name in card_words.table("status") else _said(mapping.table("statuses"), name)
        for name in names
    ]
    sizes = [str(size) for size in several(entry.get("corporation_sizes")) if isinstance(size, int)]
    if sizes:
        lines.append(f"Companies of {' or '.join(sizes)} shares may be started.")
    return lines


def _limits(mapping: Mapping, value: Any, comments: Comments) -> Json:
    """Limits by kind or size of company; one number holds for every kind that operates."""
    operating = [
        *(operator for operator in mapping.classes if operator not in ("private", "concession")),
        *KINDS,
    ]
    kinds = [operator for operator in mapping.classes if operator in KINDS] or ["major"]
    if not isinstance(value, dict):
        limit = number(value, 0, _NO_LIMIT - 1)
        if limit is None and number(value, _NO_LIMIT, _ANY_NUMBER) is None:
            comments.lose("train limit", one_line(value))
        return (
            {}
            if limit is None
            else dict.fromkeys(
                comments.fit("kinds of company with a train limit", kinds, 10), limit
            )
        )
    limits: Json = {}
    for who, given in value.items():
        limit = number(given, 0, _NO_LIMIT - 1)
        if number(given, _NO_LIMIT, _ANY_NUMBER) is not None:
            continue
        if safe_size(who) in operating and limit is not None:
            limits[safe_size(who)] = limit
        else:
            comments.lose("train limit", f"{who}: {one_line(given)}")
    return dict(comments.fit("kinds of company with a train limit", [*limits.items()], 10))


def _without_limit(value: Any) -> list[str]:
    """Who may own any number of trains, in words."""
    limits = value if isinstance(value, dict) else {"companies": value}
    free = [
        f"{who} ({given})"
        for who, given in limits.items()
        if number(given, _NO_LIMIT, _ANY_NUMBER) is not None
    ]
    return [f"No limit of trains: {', '.join(free)}."] if free else []


def _colours(entry: Json, comments: Comments) -> list[str]:
    colours: list[str] = []
    for tile in several(entry.get("tiles")):
        colour = tile_colour(tile)
        if colour is None:
            comments.lose("colour of tiles in a phase", str(tile))
        elif colour not in colours:
            colours.append(colour)
    return colours


def _train_events(mapping: Mapping) -> dict[str, list[str]]:
    """What the first sale of each train brings about, in words."""
    texts: dict[str, list[str]] = {}
    for entry in mapping.entries("trains"):
        for event in several(entry.get("events")):
            if isinstance(event, dict) and not event.get("hidden"):
                said = _said(mapping.table("events"), event.get("type"))
                count = event.get("when")
                said = said if count in (None, 1) else f"{said} (train {count})"
                texts.setdefault(str(entry.get("name")), []).append(said)
    return texts


def _said(texts: Json, name: Any) -> str:
    """What a game says of an event or status: its explanation, or its name."""
    said = [one_line(text) for text in several(texts.get(str(name)))]
    return said[-1] if said and said[-1] else spoken(name)
