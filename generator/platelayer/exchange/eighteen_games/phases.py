"""The phases of a game of 18xx.games."""

from __future__ import annotations

from typing import Any

from platelayer.exchange.eighteen_games.source import Json, Mapping, number
from platelayer.exchange.losses import Comments
from platelayer.exchange.names import one_line, safe_id, safe_size, several, spoken, unused
from platelayer.exchange.tiles.colours import tile_colour
from platelayer.foundation.languages import FixedWords

words = FixedWords("cards")

_READ = ("name", "on", "train_limit", "tiles", "operating_rounds", "status", "corporation_sizes")


def name_phases(mapping: Mapping) -> None:
    """Give each phase its id, by which trains name it."""
    for entry in mapping.entries("phases"):
        mapping.phases.setdefault(str(entry.get("name")), unused(safe_id(entry.get("name")), mapping.phases.values()))


def phases_block(mapping: Mapping) -> Json:
    """The block `phases`. What the first sale of a train brings about are events of its phase."""
    found: Json = {}
    events = _train_events(mapping)
    for entry in mapping.entries("phases"):
        phase_id = unused(safe_id(entry.get("name")), found)
        comments = mapping.comments(f"phase {phase_id}")
        on = _begun_by(mapping, entry, first=not found)
        texts = [each for name in several(entry.get("on")) for each in events.pop(str(name), [])]
        rounds = number(entry.get("operating_rounds"), 0, 10)
        phase: Json = {"on": on}
        if on is None and found and entry.get("on") is not None:
            phase["begins"] = " / ".join(_sale(mapping, str(name)) for name in several(entry["on"]))
        phase |= {
            "train_limits": _limits(mapping, entry.get("train_limit"), comments),
            "tiles": _colours(entry, comments),
            "operating_rounds": 0 if rounds is None else rounds,
        }
        statuses = _statuses(mapping, entry)
        if statuses:
            phase["status"] = statuses
        if texts:
            phase["events"] = list(dict.fromkeys(texts))[:20]
        for field, value in entry.items():
            if field not in _READ:
                comments.lose(f"field {field} of a phase", one_line(value)[:60])
        found[phase_id] = comments.comment | phase
    for name, texts in events.items():
        for each in texts:
            mapping.losses.lose("event of a train that begins no phase", f"{name}: {each[:60]}")
    return found


def _begun_by(mapping: Mapping, entry: Json, *, first: bool) -> str | list[str] | None:
    names = [str(each) for each in several(entry.get("on"))]
    known = [mapping.trains[each] for each in names if each in mapping.trains]
    known = list(dict.fromkeys(known))[:8]
    return None if first or not known else known if len(known) > 1 else known[0]


def _sale(mapping: Mapping, name: str) -> str:
    """What begins a phase that names no kind of train: "3-2" is the second of the trains 3."""
    train, _, place = name.rpartition("-")
    return f"Train {train}, number {place}" if train in mapping.trains and place.isdecimal() else f"Train {name}"


def _statuses(mapping: Mapping, entry: Json) -> list[str]:
    """What holds while a phase lasts: by the names for which there are words in every language, else in the words of
    the game."""
    names = [str(each) for each in several(entry.get("status"))]
    found = [name if name in words.table("status") else _said(mapping.table("statuses"), name) for name in names]
    sizes = [str(each) for each in several(entry.get("corporation_sizes")) if isinstance(each, int)]
    if sizes:
        found.append(f"Companies of {' or '.join(sizes)} shares may be started.")
    return list(dict.fromkeys(found))[:12]


def _limits(mapping: Mapping, value: Any, comments: Comments) -> Json:
    """Limits by kind or size of company; one number holds for every kind that operates."""
    operating = [each for each in mapping.classes if each not in ("private", "concession")]
    kinds = [each for each in operating if each in ("minor", "major", "national")]
    if not isinstance(value, dict):
        limit = number(value, 0, 20)
        if limit is None:
            comments.lose("train limit", one_line(value))
        return {} if limit is None else dict.fromkeys(kinds[:10], limit)
    found: Json = {}
    for who, given in value.items():
        limit = number(given, 0, 20)
        if safe_size(who) in operating and limit is not None:
            found[safe_size(who)] = limit
        else:
            comments.lose("train limit", f"{who}: {one_line(given)}")
    return found


def _colours(entry: Json, comments: Comments) -> list[str]:
    found: list[str] = []
    for each in several(entry.get("tiles")):
        colour = tile_colour(each)
        if colour is None:
            comments.lose("colour of tiles in a phase", str(each))
        elif colour not in found:
            found.append(colour)
    return found


def _train_events(mapping: Mapping) -> dict[str, list[str]]:
    """What the first sale of each train brings about, in words."""
    found: dict[str, list[str]] = {}
    for entry in mapping.entries("trains"):
        for event in several(entry.get("events")):
            if isinstance(event, dict) and not event.get("hidden"):
                said = _said(mapping.table("events"), event.get("type"))
                count = event.get("when")
                said = said if count in (None, 1) else f"{said} (train {count})"
                found.setdefault(str(entry.get("name")), []).append(said)
    return found


def _said(texts: Json, name: Any) -> str:
    """What a game says of an event or status: its explanation, or its name."""
    said = [one_line(each) for each in several(texts.get(str(name)))]
    return said[-1] if said and said[-1] else spoken(name)
