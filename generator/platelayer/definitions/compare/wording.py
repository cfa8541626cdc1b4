"""Facts in the words of the game."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

from msgspec import Struct

from platelayer.definitions.compare.facts import ADDED, CHANGED, REMOVED, RENAMED, REORDERED, Fact
from platelayer.definitions.compare.reading import COMMENTS, MISSING, all_keys, shape
from platelayer.foundation.text import Text
from platelayer.model.described import text
from platelayer.model.title import Title

GAME, WORDS, PRINT, SOURCES = "game", "words", "print", "sources"
ASPECTS = {
    GAME: "how it is played",
    WORDS: "names and texts",
    PRINT: "how it looks and what is in the box",
    SOURCES: "sources, waivers and how the definition is written",
}
"""What a change is about."""

_GROUPS = {
    "maps": "Map", "tiles": "Tiles", "upgrades": "Upgrades", "companies": "Companies", "privates": "Companies",
    "trains": "Trains", "phases": "Phases", "market": "Market", "players": "Money and players",
    "bank": "Money and players", "currency": "Money and players", "bonuses": "Bonuses", "atlas": "Map tiles",
    "pieces": "Box", "aids": "Texts", "terms": "Texts", "wording": "Texts", "pictures": "Box", "variants": "Variants",
    "provenance": "Sources", "waivers": "Sources",
}  # fmt: skip
GROUPS = (*dict.fromkeys(_GROUPS.values()), "Title")
"""Headings, in order."""

_BLOCKS = {"aids": WORDS, "terms": WORDS, "wording": WORDS, "credits": WORDS, "provenance": SOURCES, "waivers": SOURCES,
           "pictures": PRINT, "pieces": PRINT, "id": SOURCES}  # fmt: skip
_KEYS = {
    "at": PRINT, "icons": PRINT, "kinds": PRINT, "partitions": PRINT, "ground": PRINT, "frame": PRINT, "picture": PRINT,
    "second_frame": PRINT, "slot_mm": PRINT, "rivers": PRINT, "regions": PRINT, "seas": PRINT, "boards": PRINT,
    "places": PRINT, "coordinates": PRINT, "layout": PRINT, "half": PRINT, "hidden": PRINT, "roundel": PRINT,
    "logo": PRINT, "second": PRINT, "text_colour": PRINT, "token_text": PRINT, "shows": PRINT, "figures": PRINT,
    "option": PRINT, "side": PRINT, "column_letters": PRINT, "printed": PRINT, "legend": WORDS, "movement": WORDS,
    "token_places": PRINT, "zone_names": WORDS, "note": WORDS, "name": WORDS, "symbol": WORDS,
}  # fmt: skip
"""What a block, or a key anywhere, is about, where that is not how the game is played."""
_COLOURED = ("companies", "privates", "trains", "market")
"""Blocks whose `colour` is one to print."""

_FIELDS = {
    "on": "begun by", "certificates": "certificate", "stops": "stop", "labels": "label", "icons": "icon",
    "borders": "border", "terrain": "terrain", "homes": "home", "blocks": "reserved hex", "abilities": "ability",
    "reach": "reach", "trade_ins": "trade-in", "events": "event", "hexes": "hex", "rows": "row", "zones": "zone",
    "stations": "station", "kinds": "ground", "at": "place in the hex", "tiles": "tile colours",
    "float_percent": "floats at", "pay": "stops that pay", "visit": "stops visited", "starts": "begins phase",
}  # fmt: skip
"""What keys are called whose own words would say too little."""
_MOST = 70
"""The most characters of a value that has no words of its own."""


def aspect_of(fact: Fact) -> str:
    """What a fact is about: one of ASPECTS."""
    at = _in_patch(fact.at)
    if not at:
        return SOURCES
    if at[0] in _BLOCKS:
        return _BLOCKS[at[0]]
    if fact.described is not None and shape(fact.described).plain is Text:
        return WORDS
    ground = _value(fact)
    is_drawn = (
        (fact.what == RENAMED and at[-1] == "hexes")
        or (at[-1] == "colour" and at[0] in _COLOURED)
        or ("terrain" in at and isinstance(ground, Mapping) and not ground.get("cost"))
    )
    return PRINT if is_drawn else next((_KEYS[key] for key in _plain_keys(at) if key in _KEYS), GAME)


def _value(fact: Fact) -> Any:
    return fact.before if fact.after is MISSING else fact.after


def _in_patch(at: Sequence[str]) -> tuple[str, ...]:
    """Keys in the title that a variant changes, without those that lead to the variant."""
    return tuple(at[3:]) if at[:1] == ("variants",) and at[2:3] == ("patch",) else tuple(at)


def _plain_keys(at: Sequence[str]) -> list[str]:
    """Keys that are fields: no ids, no indices."""
    keys, described = [], Title
    for key in at:
        form = shape(described) if described is not None else None
        if form is not None and form.kind == "struct":
            keys.append(key)
            described = all_keys(form.plain).get(key)  # type: ignore[assignment]
        else:
            described = form.entry if form is not None else None  # type: ignore[assignment]
    return keys


def group_of(fact: Fact) -> str:
    """The heading that a fact stands under."""
    return _GROUPS.get(fact.at[0], "Title") if fact.at else "Title"


class Said(Struct, frozen=True):
    """A fact in words: what it is about, and what happened to that."""

    subject: str
    happened: str

    def __str__(self) -> str:
        return f"{self.subject}{self.happened}"


def said(fact: Fact, before: Mapping[str, Any], after: Mapping[str, Any]) -> Said:
    """A fact in words; the titles are those that it differs in."""
    there = before if fact.what == REMOVED else after
    subject, rest = _subject(fact.at, there)
    if fact.what == RENAMED:
        return _renamed(fact, subject)
    if fact.what == REORDERED:
        order = ", ".join(_shown(entry, ()) for entry in fact.after)
        return Said(subject, f": order of {_words(rest) or 'entries'} is now {_short(order)}".replace("  ", " "))
    around = _around(fact, there)
    one, other = (_shown(value, fact.at, around) for value in (fact.before, fact.after))
    if not rest:
        value = other if fact.what == ADDED else one
        if fact.what == CHANGED:
            return Said(subject, f": {one} -> {other}")
        return Said(subject, f" {'is new' if fact.what == ADDED else 'is gone'}{': ' + value if value else ''}")
    if fact.what != CHANGED and rest[-1].isdigit():
        verb = "gained" if fact.what == ADDED else "lost"
        return Said(subject, f" {verb} {_words(rest)}: {other if fact.what == ADDED else one}")
    return Said(subject, f": {_words(rest)} {one} -> {other}".replace(":  ", ": "))


def stated(fact: Fact, before: Mapping[str, Any], after: Mapping[str, Any]) -> str:
    """What the one of two titles says that says anything there."""
    there = before if fact.what == REMOVED else after
    subject, rest = _subject(fact.at, there)
    words, value = _words(rest), _shown(_value(fact), fact.at, _around(fact, there))
    return f"{subject}{': ' if words or value else ''}{words}{' ' if words and value else ''}{value}"


def _renamed(fact: Fact, subject: str) -> Said:
    if fact.at[-1] == "hexes":
        return Said("coordinates", f": hexes go by other names, {fact.before} -> {fact.after}")
    return Said(subject, f" was called {fact.before}")


@cache
def _titled(key: str) -> str:
    return _FIELDS.get(key, key.replace("_", " "))


def _words(rest: Sequence[str]) -> str:
    """Keys below a subject in words: "reach 1 stops visited"; a count needs none."""
    parts: list[str] = []
    for place, key in enumerate(rest):
        if key.isdigit() and place:
            last = place == len(rest) - 1
            if not last and rest[place - 1] in ("faces", "rows", "sections", "lines", "reach", "stops", "stations"):
                parts.append(str(int(key) + 1))
        elif key not in ("tile", "count", "faces", "patch"):
            parts.append(_titled(key))
    return " ".join(parts)


def _entry(title: Mapping[str, Any], *keys: str) -> Mapping[str, Any]:
    value: Any = title
    for key in keys:
        value = value.get(key) if isinstance(value, Mapping) else None
    return value if isinstance(value, Mapping) else {}


def _subject(at: Sequence[str], title: Mapping[str, Any]) -> tuple[str, tuple[str, ...]]:
    """What a fact is about, and the keys below that."""
    if not at:
        return "the title", ()
    block, *rest = at
    if block == "variants" and len(rest) > 2 and rest[1] == "patch":
        inner, below = _subject(rest[2:], title)
        return f"variant {rest[0]}: {inner}", below
    if block in _SUBJECTS and rest:
        return _SUBJECTS[block](rest, title)
    if block in ("bank", "currency", "name", "subtitle", "id", "colours"):
        return {"colours": "tile colours"}.get(block, block), tuple(rest)
    return _titled(block) if block in ("pieces", "market") else block, tuple(rest)


_Subject = tuple[str, tuple[str, ...]]


def _map(rest: Sequence[str], title: Mapping[str, Any]) -> _Subject:
    map_id, *below = rest
    prefix = "" if len(title.get("maps") or {}) < 2 else f"map {map_id}, "
    if len(below) > 1 and below[0] == "hexes":
        name = _entry(title, "maps", map_id, "hexes", below[1]).get("name")
        named = f" ({_english(name)})" if name else ""
        return f"{prefix}{below[1]}{named}", tuple(below[2:])
    if len(below) > 1 and below[0] in ("rivers", "regions", "seas"):
        return f"{prefix}{below[0][:-1]} {below[1]}", tuple(below[2:])
    return f"map {map_id}" if prefix else "map", tuple(below)


def _market(rest: Sequence[str], _title: Mapping[str, Any]) -> _Subject:
    if rest[0] == "rows" and len(rest) > 2:
        return f"market row {int(rest[1]) + 1} column {int(rest[2]) + 1}", tuple(rest[3:])
    if rest[0] == "zones" and len(rest) > 1:
        return f"market zone {rest[1]}", tuple(rest[2:])
    return "market", tuple(rest)


def _pieces(rest: Sequence[str], _title: Mapping[str, Any]) -> _Subject:
    words = {"sizes": "size of", "box": "declared in the box:", "money": "notes of", "markers": "marker",
             "phase_cards": "phase card", "overlays": "overlay", "destination_cards": "destination card"}  # fmt: skip
    if rest[0] in words and len(rest) > 1:
        return f"{words[rest[0]]} {rest[1]}", tuple(rest[2:])
    return _titled(rest[0]), tuple(rest[1:])


def _called(word: str) -> Callable[[Sequence[str], Mapping[str, Any]], _Subject]:
    return lambda rest, _title: (word.format(rest[0]), tuple(rest[1:]))


_SUBJECTS: Mapping[str, Callable[[Sequence[str], Mapping[str, Any]], _Subject]] = {
    "maps": _map,
    "market": _market,
    "pieces": _pieces,
    "tiles": _called("tile {}"),
    "companies": _called("{}"),
    "privates": _called("private {}"),
    "trains": _called("{}-train"),
    "phases": _called("phase {}"),
    "players": _called("{} players"),
    "bonuses": _called("bonus {}"),
    "aids": _called("aid {}"),
    "terms": _called("word {}"),
    "pictures": _called("picture {}"),
    "variants": _called("variant {}"),
}


def _around(fact: Fact, title: Mapping[str, Any]) -> Mapping[str, Any]:
    """The hex or tile that a piece of track belongs to."""
    at = _in_patch(fact.at)
    return _entry(title, *at[:-2]) if len(at) > 2 and at[-2] == "track" else {}


def _english(written: Any) -> str:
    words: Text = text(written)
    return words.get("en")


def _short(words: str) -> str:
    return words if len(words) <= _MOST else words[: _MOST - 4].rstrip() + " ..."


def _shown(written: Any, at: Sequence[str], around: Mapping[str, Any] | None = None) -> str:
    """A value in words."""
    if written is MISSING:
        return "none"
    key = next((key for key in reversed(at) if not key.isdigit()), "")
    if written is None:
        return "left out" if at[:1] == ("variants",) else _NULLS.get(key, "none")
    words = _SHOWN[key](written, around or {}) if key in _SHOWN and isinstance(written, (Mapping, list)) else ""
    return words or _short(_in_general(written))


def _in_general(written: Any) -> str:
    """A value that no words are known for."""
    words = json.dumps(written, ensure_ascii=False)
    if isinstance(written, bool):
        words = "yes" if written else "no"
    elif isinstance(written, str):
        words = f'"{written}"' if " " in written else written
    elif isinstance(written, list) and all(isinstance(part, (int, str)) for part in written):
        words = ", ".join(map(str, written)) or "none"
    elif isinstance(written, Mapping) and all(
        isinstance(part, str) and len(code) == 2 for code, part in written.items()
    ):
        words = f'"{_english(written)}"' if written else "nothing"
    elif isinstance(written, Mapping) and all(isinstance(part, (int, str)) for part in written.values()):
        words = ", ".join(f"{_titled(key)} {part}" for key, part in written.items() if key not in COMMENTS)
    elif isinstance(written, Mapping) and isinstance(written.get("name"), (str, Mapping)):
        words = f'"{_english(written["name"])}"'
    return words


def _stop(stop: Any, _around: Any) -> str:
    if not isinstance(stop, Mapping):
        return ""
    parts = [stop["kind"]]
    if stop.get("slots", 1) != 1:
        parts.append(f"{stop['slots']} slots")
    if "revenue" in stop:
        parts.append(_revenue(stop["revenue"], {}))
    return ", ".join(parts)


def _revenue(revenue: Any, _around: Any) -> str:
    return "/".join(map(str, revenue.values())) if isinstance(revenue, Mapping) else str(revenue)


def _segment(segment: Any, around: Mapping[str, Any]) -> str:
    if not isinstance(segment, list) or len(segment) < 2:
        return ""
    stops = around.get("stops", ())

    def end(written: Any) -> str:
        if isinstance(written, str) and written.startswith("stop:"):
            index = int(written.removeprefix("stop:"))
            kind = stops[index]["kind"] if index < len(stops) else "stop"
            return kind if len(stops) < 2 else f"{kind} {index + 1}"
        return str(written)

    more = "".join(f" {_shown(part, ())}" for part in segment[2:])
    return f"{end(segment[0])}–{end(segment[1])}{more}"


def _certificate(certificate: Any, _around: Any) -> str:
    if not isinstance(certificate, Mapping):
        return ""
    count = certificate.get("count", 1)
    kind = " director" if certificate.get("director") else " reserved" if certificate.get("reserved") else ""
    return f"{count} x {certificate['percent']} %{kind}"


def _reach(reach: Any, _around: Any) -> str:
    if not isinstance(reach, Mapping):
        return ""
    return f"{'any' if reach['visit'] is None else reach['visit']} {'/'.join(reach['stops'])}"


def _hex(hexagon: Any, _around: Any) -> str:
    if not isinstance(hexagon, Mapping):
        return ""
    parts = [f'"{_english(hexagon["name"])}"'] if "name" in hexagon else []
    parts += [hexagon["colour"]] if "colour" in hexagon else []
    parts += [_stop(stop, {}) for stop in hexagon.get("stops", ())]
    return "; ".join(parts) or "plain"


_NULLS = {
    "bank": "unlimited",
    "visit": "any number",
    "pay": "all",
    "stations": "as the map says",
    "token_places": "as the map says",
}
"""What null means at a key."""
_SHOWN: Mapping[str, Callable[[Any, Mapping[str, Any]], str]] = {
    "stops": _stop,
    "revenue": _revenue,
    "income": _revenue,
    "track": _segment,
    "certificates": _certificate,
    "reach": _reach,
}
