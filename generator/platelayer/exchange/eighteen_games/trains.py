"""The trains of a game of 18xx.games."""

from __future__ import annotations

from typing import Any

from platelayer.exchange.eighteen_games.source import Json, Mapping, number
from platelayer.exchange.losses import Comments
from platelayer.exchange.names import one_line, safe_id, several, unused

UNLIMITED = 6
"""How many cards are printed of a train whose number has no end."""
ANY = 90
"""A distance from which on a train stops everywhere."""
STOPS = {"city": "city", "town": "town", "halt": "town", "pass": "pass", "offboard": "offboard"}
COLOURS = ("yellow", "green", "brown", "gray")
LOST = {
    "track_type": "gauge of a train",
    "salvage": "value of a train that rusts",
    "no_local": "train that may not run locally",
    "requires_token": "train that needs no token",
    "reserved": "reserved train",
    "cargo_holds": "cargo holds of a train",
}
"""Fields of trains that have no place in the format; others are counted by their names."""
_READ = (
    "name",
    "distance",
    "multiplier",
    "price",
    "num",
    "rusts_on",
    "obsolete_on",
    "available_on",
    "variants",
    "discount",
    "events",
)


def name_trains(mapping: Mapping) -> None:
    """Give each train its id, by which phases name it."""
    taken: set[str] = set()
    for entry in mapping.entries("trains"):
        name = str(entry.get("name"))
        train_id = unused(safe_id(name), taken)
        taken.add(train_id)
        mapping.trains.setdefault(name, train_id)
        for variant in filter(_is_hash, several(entry.get("variants"))):
            # A face is called by its name where that can be an id, else by its card.
            face = str(variant.get("name"))
            mapping.trains.setdefault(face, face if face == safe_id(face) and len(face) <= 12 else train_id)


def trains_block(mapping: Mapping, phases: Json) -> Json:
    """The block `trains`. A phase begins with the first sale of the train that it names."""
    found: Json = {}
    for entry in mapping.entries("trains"):
        train_id = unused(safe_id(entry.get("name")), found)
        comments = mapping.comments(f"train {train_id}")
        begun = _begins(train_id, entry, phases)
        found[train_id] = _train(mapping, entry, begun, comments)
    return found


def _begins(train_id: str, entry: Json, phases: Json) -> Json:
    """The phase that the first sale of a train begins, and the last colour of tiles in it."""
    starts: dict[str, str] = {}
    for phase_id, phase in phases.items():
        for train in several(phase["on"]):
            starts.setdefault(train, phase_id)
    variants = (str(each.get("name")) for each in several(entry.get("variants")) if isinstance(each, dict))
    begun = next((starts[name] for name in (train_id, str(entry.get("name")), *variants) if name in starts), None)
    if begun is None:
        return {}
    colours = [colour for colour in COLOURS if colour in phases[begun]["tiles"]]
    return ({"colour": colours[-1]} if colours else {}) | {"starts": begun}


def _train(mapping: Mapping, entry: Json, begun: Json, comments: Comments) -> Json:
    train: Json = {"count": _count(mapping, entry, comments)}
    if (mapping.game.counts.get(str(entry.get("name"))) or entry.get("num")) == "unlimited":
        train["unlimited"] = True
    variants = [each for each in several(entry.get("variants")) if isinstance(each, dict)]
    train |= begun
    faces = [_face(mapping, each, entry, comments) for each in (entry, *variants)]
    if len(faces) > 4:
        comments.lose("train with more than four faces", ", ".join(face["name"] for face in faces[4:]))
    if len(faces) == 1:
        train |= faces[0]
    else:
        train["faces"] = [face | ({"side": "back"} if index % 2 else {}) for index, face in enumerate(faces[:4])]
    return comments.comment | train


def _count(mapping: Mapping, entry: Json, comments: Comments) -> int:
    given = mapping.game.counts.get(str(entry.get("name")), entry.get("num"))
    if given == "unlimited":
        return UNLIMITED
    count = number(given, 0, 500)
    if count is None:
        comments.lose("count of trains", one_line(given) or "worked out by the game")
    elif str(entry.get("name")) in mapping.game.counts:
        mapping.losses.assume(f"Trains {entry.get('name')}: {count}, the number for the most players.")
    return 1 if count is None else count


def _face(mapping: Mapping, entry: Json, whole: Json, comments: Comments) -> Json:
    name = one_line(entry.get("name")) or "?"
    if len(name) > 12:
        comments.lose("long name of a train", name)
    price = number(entry.get("price"), 0, 1_000_000)
    if price is None:
        comments.lose("price of a train", one_line(entry.get("price"))[:60])
    face: Json = {"name": name[:12], "price": price or 0, "reach": _reach(entry, comments)}
    ends = {
        "rusts_on": _ends(mapping, entry.get("rusts_on", whole.get("rusts_on")), comments),
        "obsolete_on": _ends(mapping, entry.get("obsolete_on", whole.get("obsolete_on")), comments),
    }
    face |= {key: value for key, value in ends.items() if value}
    if not any(ends.values()):
        face["permanent"] = True
    trades = [
        {"train": mapping.trains[str(train)], "price": max((price or 0) - off, 0)}
        for train, off in (entry.get("discount") or {}).items()
        if str(train) in mapping.trains and isinstance(off, int)
    ] if isinstance(entry.get("discount"), dict) else []  # fmt: skip
    if trades:
        face["trade_ins"] = trades[:20]
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
    found: list[str] = []
    for each in several(value):
        name = mapping.trains.get(str(each)) or mapping.phases.get(str(each))
        if name is None:
            comments.lose("train that ends another", str(each))
        elif name not in found:
            found.append(name)
    return found[:8]


def _reach(entry: Json, comments: Comments) -> list[Json]:
    distance, times = entry.get("distance"), number(entry.get("multiplier"), 2, 99)
    whole = {"multiplier": times} if times else {}
    if not isinstance(distance, list):
        stops = _limit(distance)
        if distance is None:
            comments.lose("distance of a train")
        return [{"stops": ["city", "town", "offboard"], "visit": stops, "pay": stops} | whole]
    found: list[Json] = []
    for row in filter(_is_hash, distance):
        kinds = list(dict.fromkeys(STOPS[each] for each in map(str, several(row.get("nodes"))) if each in STOPS))
        own = number(row.get("multiplier"), 2, 99)
        if own is None and row.get("multiplier") not in (None, 1):
            comments.lose("multiplier of a train", f"{', '.join(kinds)} x {row['multiplier']}")
        visit, pay = _limit(row.get("visit", row.get("pay"))), _limit(row.get("pay"))
        if visit is not None and (pay is None or pay > visit):
            pay = visit
        if kinds:
            found.append({"stops": kinds[:4], "visit": visit, "pay": pay} | ({"multiplier": own} if own else whole))
    return found[:8] or [{"stops": ["city", "town", "offboard"], "visit": None, "pay": None}]


def _is_hash(value: Any) -> bool:
    return isinstance(value, dict)


def _limit(value: Any) -> int | None:
    return number(value, 0, ANY - 1)
