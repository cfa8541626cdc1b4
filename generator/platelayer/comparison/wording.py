"""Sentences about facts, in the words of the game and in any language."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from platelayer.comparison.facts import (
    ADDED,
    CHANGED,
    COMMENTS,
    MISSING,
    REMOVED,
    RENAMED,
    REORDERED,
    Fact,
    keys_in_title,
    shape,
)
from platelayer.foundation.languages import FixedWords, Tongue
from platelayer.foundation.text import Text
from platelayer.model.described import text

words_of = FixedWords("compare")
_COLOURS = FixedWords("cards").table("colour")

ASPECTS = ("game", "words", "print", "sources")
# Aspects of changes.
GAME, WORDS, PRINT, SOURCES = ASPECTS


def _by_word(table: Mapping[str, str]) -> dict[str, str]:
    """Return the key of the table that lists each word."""
    return {word: entry for entry, words in table.items() for word in words.split()}


# Groups of facts in order, with their blocks.
_GROUPS = _by_word(
    {
        "Map": "maps",
        "Tiles": "tiles",
        "Upgrades": "upgrades",
        "Companies": "companies privates",
        "Trains": "trains",
        "Phases": "phases",
        "Market": "market",
        "Money and players": "players bank currency",
        "Bonuses": "bonuses",
        "Map tiles": "atlas",
        "Box": "pieces pictures",
        "Texts": "aids terms wording",
        "Variants": "variants",
        "Sources": "provenance waivers",
    }
)
GROUPS = (*dict.fromkeys(_GROUPS.values()), "Title")

# Aspects of blocks, and of keys in any block, that do not affect how the game is played.
_BLOCKS = _by_word(
    {
        WORDS: "aids terms wording credits",
        SOURCES: "provenance waivers id",
        PRINT: "pictures pieces",
    }
)
_KEYS = _by_word(
    {
        PRINT: """at icons kinds partitions ground frame picture second_frame slot_mm rivers regions seas sea boards
            places coordinates layout half hidden roundel logo second text_colour token_text shows figures option
            side column_letters printed beyond token_places""",
        WORDS: "legend movement zone_names note name symbol",
    }
)
# Blocks whose `colour` is a printed colour.
_COLOURED = ("companies", "privates", "trains", "market")

# Keys whose values are keywords of the format or colours of tiles.
_WORDED = ("arrow", "boards", "colour", "colours", "count", "ends", "frame", "ground", "grounds", "half", "kind",
           "gauge", "kinds", "layout", "ledge", "letters_on", "revenue", "second_frame", "shape", "side", "since",
           "source", "stops", "stripes", "terrain", "tiles", "until", "who")  # fmt: skip
# Keys that add nothing to their context.
_UNSAID = ("tile", "count", "faces", "patch")
# Lists whose entries are identified by their numbers.
_COUNTED = ("faces", "rows", "sections", "lines", "reach", "stops", "stations")
# Maximum length of a value shown as JSON, and number of characters shown before the first
# difference.
_MOST, _LEAD = 70, 20
_ENGLISH = Tongue()


def aspect_of(fact: Fact) -> str:
    """Return the aspect of a fact: one of ASPECTS."""
    at = _in_patch(fact.at)
    if not at:
        return SOURCES
    if at[0] in _BLOCKS:
        return _BLOCKS[at[0]]
    if _is_text(fact):
        return WORDS
    ground = _value(fact)
    is_drawn = (
        (fact.what == RENAMED and at[-1] == "hexes")
        or (at[-1] == "colour" and at[0] in _COLOURED)
        or ("terrain" in at and isinstance(ground, Mapping) and not ground.get("cost"))
    )
    return (
        PRINT
        if is_drawn
        else next(
            (_KEYS[key] for key, is_field in keys_in_title(at) if is_field and key in _KEYS), GAME
        )
    )


def _is_text(fact: Fact) -> bool:
    return fact.described is not None and shape(fact.described).plain is Text


def _value(fact: Fact) -> Any:
    return fact.before if fact.after is MISSING else fact.after


def _in_patch(at: Sequence[str]) -> tuple[str, ...]:
    """Return the keys within the title that a variant changes, without those that lead to the
    variant."""
    return tuple(at[3:]) if at[:1] == ("variants",) and at[2:3] == ("patch",) else tuple(at)


def group_of(fact: Fact) -> str:
    """Return the group of a fact: one of GROUPS."""
    return _GROUPS.get(fact.at[0], "Title") if fact.at else "Title"


def phrase(tongue: Tongue, key: str, *parts: object, count: int | None = None) -> str:
    """Return a phrase about a difference, in the singular if `count` is 1 and there is such a
    form."""
    return tongue.say(words_of(f"1 {key}" if count == 1 else key), *parts)


def named(tongue: Tongue, table: str, key: str) -> str:
    """Return a name from one of the tables of words for comparisons."""
    return tongue.say(words_of.table(table)[key])


def said(
    fact: Fact, before: Mapping[str, Any], after: Mapping[str, Any], tongue: Tongue = _ENGLISH
) -> tuple[str, str]:
    """Return the subject of a fact and what happened to it, in words. `before` and `after` are the
    two titles."""
    teller = _Teller(tongue, before if fact.what == REMOVED else after)
    subject, rest = teller.subject(fact.at)
    return subject, teller.happened(fact, rest)


def stated(
    fact: Fact, before: Mapping[str, Any], after: Mapping[str, Any], tongue: Tongue = _ENGLISH
) -> str:
    """Return a fact that only one of two titles has, in words."""
    teller = _Teller(tongue, before if fact.what == REMOVED else after)
    subject, rest = teller.subject(fact.at)
    field = teller.fields(rest, fact.at[0] if fact.at else "")
    value = _short(teller.shown(_value(fact), fact.at))
    words = teller.say("value", field, value) if field and value else field or value
    return teller.say("stated", subject, words) if words else subject


def _entry(title: Mapping[str, Any], *keys: str) -> Mapping[str, Any]:
    value: Any = title
    for key in keys:
        value = value.get(key) if isinstance(value, Mapping) else None
    return value if isinstance(value, Mapping) else {}


def _short(words: str) -> str:
    return words if len(words) <= _MOST else words[: _MOST - 4].rstrip() + " ..."


# Subject of a fact, and the remaining keys.
_Subject = tuple[str, tuple[str, ...]]


class _Teller:
    """Writer of sentences about one title in one language."""

    def __init__(self, tongue: Tongue, title: Mapping[str, Any]) -> None:
        self._tongue, self._title = tongue, title

    def say(self, key: str, *parts: object) -> str:
        """Return a phrase."""
        return phrase(self._tongue, key, *parts)

    def _named(self, table: str, key: str, *parts: object) -> str:
        return self._tongue.say(words_of.table(table)[key], *parts)

    def _list(self, parts: Iterable[str]) -> str:
        return self.say("list").join(parts)

    def happened(self, fact: Fact, rest: Sequence[str]) -> str:
        """Return the words for a change that follow the subject."""
        if fact.what == RENAMED:
            if fact.at[-1] == "hexes":
                return self.say("other_names", fact.before, fact.after)
            return self.say("called", fact.before)
        if fact.what == REORDERED:
            order = self._list(self.shown(entry, ()) for entry in fact.after)
            return self.say(
                "order", self.fields(rest, fact.at[0]) or self.say("entries"), _short(order)
            )
        language = self._language_of(fact)
        one = self.shown(fact.before, fact.at, language)
        other = self.shown(fact.after, fact.at, language)
        # Show long values from shortly before the first character that differs.
        pairs = enumerate(zip(one, other, strict=False))
        alike = next((place for place, (a, b) in pairs if a != b), 0)
        if alike > _MOST - 2 * _LEAD and max(len(one), len(other)) > _MOST:
            one, other = (f"... {words[alike - _LEAD :].lstrip()}" for words in (one, other))
        one, other = _short(one.lstrip()), _short(other.lstrip())
        value = other if fact.what == ADDED else one
        words = self.fields(rest, fact.at[0]) if rest else ""
        if words and language != self._tongue.language:
            words = self.say("in_language", words, language)
        if fact.what != CHANGED and not rest:
            key = "new" if fact.what == ADDED else "gone"
            return self.say(f"{key}_as", value) if value else self.say(key)
        if fact.what != CHANGED and rest[-1].isdigit():
            return self.say("gained" if fact.what == ADDED else "lost", words, value)
        return (
            self.say("field_changed", words, one, other)
            if words
            else self.say("changed", one, other)
        )

    def _language_of(self, fact: Fact) -> str:
        """Return the language in which to quote a text: the reader's own if the text differs in it,
        otherwise the first in which it does."""
        own = self._tongue.language
        if fact.what != CHANGED or not _is_text(fact) or fact.before is None or fact.after is None:
            return own
        one, other = text(fact.before), text(fact.after)
        if one.get(own) != other.get(own):
            return own
        codes = [code for code, _ in (*one.forms, *other.forms) if code]
        return next((code for code in codes if one.get(code) != other.get(code)), own)

    def fields(self, rest: Sequence[str], above: str = "") -> str:
        """Return the keys below a subject (within a block) in words: "reach 1 stops visited". A
        count has none."""
        told, names = "", words_of.table("fields")
        for place, key in enumerate(rest):
            if key.isdigit() and place:
                if place < len(rest) - 1 and rest[place - 1] in _COUNTED:
                    number = str(int(key) + 1)
                    told = self.say("number", told, number) if told else number
            elif key in names and key not in _UNSAID:
                word = self._tongue.say(names.get(f"{above}/{key}", names[key]))
                told, above = self.say("part", told, word) if told else word, key
            elif key not in _UNSAID:
                word = self._word(key)
                told = self.say("entry", told, word) if told else word
        return told

    def subject(self, at: Sequence[str]) -> _Subject:
        """Return the subject of a fact, and the keys below it."""
        if not at:
            return self._named("subjects", "title"), ()
        block, *rest = at
        if block == "variants" and len(rest) > 2 and rest[1] == "patch":
            inner, below = self.subject(rest[2:])
            return self._named("subjects", "in_variant", rest[0], inner), below
        if rest and block in _SUBJECTS:
            return _SUBJECTS[block](self, rest)
        if rest and block in words_of.table("subjects") and block != "market":
            return self._named("subjects", block, rest[0]), tuple(rest[1:])
        return self._named("blocks", block), tuple(rest)

    def of_map(self, rest: Sequence[str]) -> _Subject:
        """Return a map, or a hex or landscape feature of it, as a subject."""
        map_id, *below = rest
        several = len(self._title.get("maps") or {}) > 1

        def within(subject: str) -> str:
            return self._named("subjects", "in_map", map_id, subject) if several else subject

        if below == ["hexes"]:
            return within(self._named("subjects", "coordinates")), ()
        if len(below) > 1 and below[0] == "hexes":
            name = _entry(self._title, "maps", map_id, "hexes", below[1]).get("name")
            called = (
                self._named("subjects", "named_hex", below[1], self._text(name))
                if name
                else below[1]
            )
            return within(called), tuple(below[2:])
        if len(below) > 1 and below[0] in ("rivers", "regions", "seas", "beyond"):
            return within(self._named("subjects", below[0], below[1])), tuple(below[2:])
        whole = (
            self._named("subjects", "one_map", map_id)
            if several
            else self._named("subjects", "map")
        )
        return whole, tuple(below)

    def of_market(self, rest: Sequence[str]) -> _Subject:
        """Return the market, or a space or zone of it, as a subject."""
        if rest[0] == "rows" and len(rest) > 2:
            return self._named("subjects", "space", int(rest[1]) + 1, int(rest[2]) + 1), tuple(
                rest[3:]
            )
        if rest[0] == "zones" and len(rest) > 1:
            return self._named("subjects", "zone", rest[1]), tuple(rest[2:])
        return self._named("subjects", "market"), tuple(rest)

    def of_pieces(self, rest: Sequence[str]) -> _Subject:
        """Return a part of the contents of the box as a subject."""
        if len(rest) > 1 and rest[0] in words_of.table("subjects"):
            return self._named("subjects", rest[0], rest[1]), tuple(rest[2:])
        fields = words_of.table("fields")
        return (self._tongue.say(fields[rest[0]]) if rest[0] in fields else rest[0]), tuple(
            rest[1:]
        )

    def _text(self, written: Any, language: str = "") -> str:
        words = text(written)
        return words.get(language or self._tongue.language)

    def _word(self, written: str) -> str:
        """Return a word of the format or the name of a colour in the reader's language; any other
        word unchanged."""
        values = words_of.table("values")
        words = values.get(written) or _COLOURS.get(written)
        return self._tongue.say(words) if words else written

    def shown(self, written: Any, at: Sequence[str], language: str = "") -> str:
        """Return a value in words."""
        if written is MISSING:
            return self.say("absent")
        key = next((key for key in reversed(at) if not key.isdigit()), "")
        if written is None:
            nulls = words_of.table("nulls")
            if at[:1] == ("variants",) or key not in nulls:
                return self.say("left_out" if at[:1] == ("variants",) else "absent")
            return self._tongue.say(nulls[key])
        told = _SHOWN.get("hexes" if at[-2:-1] == ("hexes",) else key)
        words = told[1](self, written, at) if told and isinstance(written, told[0]) else ""
        return words or self._in_general(written, key, language)

    def _in_general(self, written: Any, key: str, language: str) -> str:
        """Return a value for which there are no special words."""
        words = json.dumps(written, ensure_ascii=False)
        if isinstance(written, bool):
            words = self.say("yes" if written else "no")
        elif isinstance(written, str):
            words = self._word(written) if key in _WORDED else self._quoted(written)
        elif isinstance(written, list):
            entries = []
            for part in written:
                if isinstance(part, (int, str)):
                    entries.append(self._word(str(part)) if key in _WORDED else str(part))
                else:
                    entries.append(self._in_general(part, key, ""))
            words = self._list(entries) or self.say("absent")
        elif isinstance(written, Mapping) and all(
            isinstance(part, str) and len(code) == 2 for code, part in written.items()
        ):
            words = (
                self._quoted(self._text(written, language), always=True)
                if written
                else self.say("nothing_written")
            )
        elif isinstance(written, Mapping) and isinstance(written.get("name"), (str, Mapping)):
            words = self._quoted(self._text(written["name"]), always=True)
        elif isinstance(written, Mapping):
            words = self._list(
                self.say("value", self.fields((name,)) or name, self.shown(part, (name,)))
                for name, part in written.items()
                if name not in COMMENTS
            )
        return words

    def _quoted(self, words: str, *, always: bool = False) -> str:
        return self.say("quoted", words) if always or " " in words else words

    def of_stop(self, stop: Any, _at: Sequence[str] = ()) -> str:
        """Return a stop in words: "city, 2 slots, 30"."""
        parts = [self._word(stop["kind"])]
        if stop.get("slots", 1) != 1:
            parts.append(self.say("slots", stop["slots"]))
        if "revenue" in stop:
            parts.append(self.of_revenue(stop["revenue"]))
        return self._list(parts)

    def of_revenue(self, revenue: Any, _at: Sequence[str] = ()) -> str:
        """Return the revenue of a stop in all phases."""
        return (
            "/".join(map(str, revenue.values())) if isinstance(revenue, Mapping) else str(revenue)
        )

    def of_segment(self, segment: Any, at: Sequence[str]) -> str:
        """Return a segment of track ("city–3", with a number if there are several stops), or all
        track of a hex."""
        if segment and isinstance(segment[0], list):
            return self._list(self.of_segment(part, (*at, "0")) for part in segment)
        if len(segment) < 2:
            return ""
        at = _in_patch(at)
        stops = (_entry(self._title, *at[:-2]) if len(at) > 2 and at[-2] == "track" else {}).get(
            "stops", ()
        )

        def end(written: Any) -> str:
            if isinstance(written, str) and written.startswith("stop:"):
                index = int(written.removeprefix("stop:"))
                kind = self._word(stops[index]["kind"]) if index < len(stops) else self.say("stop")
                return kind if len(stops) < 2 else self.say("number", kind, index + 1)
            return str(written)

        more = "".join(f" {self.shown(part, ())}" for part in segment[2:])
        return f"{end(segment[0])}–{end(segment[1])}{more}"

    def of_certificate(self, certificate: Any, _at: Sequence[str]) -> str:
        """Return equal certificates in words: "4 x 10 %"."""
        kind = (
            "director_shares"
            if certificate.get("director")
            else "reserved_shares"
            if certificate.get("reserved")
            else "shares"
        )
        return self.say(kind, certificate.get("count", 1), certificate["percent"])

    def of_reach(self, reach: Any, _at: Sequence[str]) -> str:
        """Return the reach of a train in words: "3 city/town"."""
        visits = self.say("any") if reach["visit"] is None else reach["visit"]
        return self.say("reach", visits, "/".join(map(self._word, reach["stops"])))

    def of_terrain(self, terrain: Any, _at: Sequence[str]) -> str:
        """Return terrain and its cost in words: "hill, 20"."""
        return self._list(
            [
                *map(self._word, terrain["kinds"]),
                *([str(terrain["cost"])] if terrain.get("cost") else []),
            ]
        )

    def of_hex(self, hexagon: Any, _at: Sequence[str]) -> str:
        """Return name, colour and stops of a hex."""
        parts = (
            [self._quoted(self._text(hexagon["name"]), always=True)] if "name" in hexagon else []
        )
        parts += [self._word(hexagon["colour"])] if "colour" in hexagon else []
        parts += [self.of_terrain(terrain, ()) for terrain in hexagon.get("terrain", ())]
        parts += [self.of_stop(stop) for stop in hexagon.get("stops", ())]
        return self.say("parts").join(parts) or self.say("plain_hex")


# Subjects of facts in blocks whose facts do not belong to an entry.
_SUBJECTS: Mapping[str, Callable[[_Teller, Sequence[str]], _Subject]] = {
    "maps": _Teller.of_map,
    "market": _Teller.of_market,
    "pieces": _Teller.of_pieces,
}
# Functions that describe the values of a key.
_SHOWN: Mapping[str, tuple[type, Callable[[_Teller, Any, Sequence[str]], str]]] = {
    "stops": (Mapping, _Teller.of_stop),
    "revenue": (Mapping, _Teller.of_revenue),
    "income": (Mapping, _Teller.of_revenue),
    "track": (list, _Teller.of_segment),
    "certificates": (Mapping, _Teller.of_certificate),
    "hexes": (Mapping, _Teller.of_hex),
    "reach": (Mapping, _Teller.of_reach),
    "terrain": (Mapping, _Teller.of_terrain),
}
