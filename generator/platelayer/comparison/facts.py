"""Definitions in one canonical form, whichever way they are written, and the facts in which two
differ."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, get_args, get_origin

import msgspec
from msgspec import Struct, structs

from platelayer.comparison import pairing
from platelayer.definitions.assemble import filling
from platelayer.definitions.build import PRIVATE_COLOUR, clearer, contrasting
from platelayer.definitions.decode import decode, keys_of
from platelayer.definitions.references import nouns_by_path
from platelayer.foundation.text import Text
from platelayer.foundation.values import Frozen
from platelayer.model.company import Certificate, Company, Home
from platelayer.model.described import (
    FORMS,
    AsArray,
    ById,
    ComputedDefault,
    Distinct,
    Flattened,
    FlattenedIfSingle,
    OneOf,
    Pairs,
    Parsed,
    Shorthand,
    unwrapped,
)
from platelayer.model.gamemap import Border, MapHex
from platelayer.model.tile import Icon, Label, Partition, Segment, Stop, Terrain, Tile
from platelayer.model.title import (
    MARKER_COLOUR,
    Aid,
    Marker,
    Provenance,
    TileCount,
    Tiles,
    Title,
    Variant,
    Waiver,
)
from platelayer.model.train import Reach, TradeIn

# Stands for a value that is not written.
MISSING: Any = msgspec.UNSET
# Keys that do not concern the game.
COMMENTS = ("$comment", "$schema", "format")
# Additional keys of a struct while it is read: the id of an entry, and the maximum number of
# players of its title.
ID, PLAYERS = "\0id", "\0players"


class Shape(Frozen):
    """The way to compare a described type: a struct by its `keys`, an object or a list by its
    `entry`, anything else as a whole (`kind` "leaf")."""

    kind: str
    plain: Any
    marks: tuple[Any, ...]
    keys: Mapping[str, Any] = {}
    entry: Any = None


@cache
def shape(described: Any) -> Shape:
    """Return the shape of a described type."""
    plain, marks, _ = unwrapped(described)
    forms = (*marks, FORMS.get(plain))
    if any(isinstance(form, Parsed) and "propertyNames" in form.schema for form in forms):
        return Shape("entries", plain, marks, entry=Any)
    if any(isinstance(form, (Parsed, AsArray, Shorthand)) for form in forms):
        return Shape("leaf", plain, marks)
    if any(isinstance(form, (ById, Pairs)) for form in forms):
        entry = get_args(plain)[0]
        if any(isinstance(form, Pairs) for form in forms):
            if get_origin(entry) is tuple:
                entry = get_args(entry)[1]
            elif len(structs.fields(entry)) == 2:  # a struct with more fields is written as a whole
                entry = structs.fields(entry)[1].type
        return Shape("entries", plain, marks, entry=entry)
    if get_origin(plain) is tuple:
        return Shape("list", plain, marks, entry=get_args(plain)[0])
    if isinstance(plain, type) and issubclass(plain, Struct):
        return Shape("struct", plain, marks, keys=dict(_keys(plain)))
    return Shape("leaf", plain, marks)


# Blocks described by the schema of their own file instead of by the field of the title.
_IN_FILES: Mapping[tuple[type[Struct], str], Any] = {(Title, "tiles"): Tiles}


def _keys(kind: type[Struct]) -> Any:
    for key, field_type in keys_of(kind):
        described = _IN_FILES.get((kind, key), field_type)
        inside = unwrapped(described)
        if any(isinstance(mark, Flattened) for mark in inside.marks):
            yield from _keys(inside.plain)
        else:
            yield key, described


@cache
def beside(kind: type[Struct]) -> tuple[tuple[str, Any], ...]:
    """Return the keys of a struct whose single entry may be written among the struct's own keys,
    with the type of the entry."""
    return tuple(
        (field.encode_name, get_args(unwrapped(field.type).plain)[0])
        for field in structs.fields(kind)
        if any(isinstance(mark, FlattenedIfSingle) for mark in unwrapped(field.type).marks)
    )


def opened(form: Shape, written: Any) -> Any:
    """Return a value in its full form: a count of tiles as an object, a space of the market as an
    object."""
    if written is MISSING or written is None:
        return written
    if form.plain is TileCount and not isinstance(written, Mapping):
        return {"count": written}
    if form.kind == "struct" and not isinstance(written, Mapping):
        for mark in (*form.marks, FORMS.get(form.plain)):
            if isinstance(mark, OneOf) and mark.make is not None:
                return msgspec.json.decode(msgspec.json.encode(mark.make(written)))
    if form.kind == "list" and not isinstance(written, list):
        for mark in form.marks:
            if isinstance(mark, OneOf) and mark.make is not None:
                return list(mark.make(written))
    return written


def apart(kind: type[Struct], one: Any, other: Any) -> tuple[Any, Any]:
    """Return two objects in a common form: if either has several entries under a key, both have a
    list there; otherwise both have their single entry among their own keys."""
    for key, entry in beside(kind):
        if (key in one) != (key in other):
            inner = shape(entry).keys
            one, other = (
                side
                if key in side
                else {name: value for name, value in side.items() if name not in inner}
                | {key: [{name: value for name, value in side.items() if name in inner}]}
                for side in (one, other)
            )
    return one, other


@cache
def all_keys(kind: type[Struct]) -> Mapping[str, Any]:
    """Return the keys of a struct, including those of a single entry that may be written among
    them."""
    keys = dict(_keys(kind))
    for _, entry in beside(kind):
        keys = {**shape(entry).keys, **keys}
    return keys


def keys_in_title(at: Iterable[str]) -> Iterator[tuple[str, bool]]:
    """Yield the keys that lead into a title, each with whether it is a field rather than an id or
    an index."""
    described: Any = Title
    for key in at:
        form = shape(described) if described is not None else None
        is_field = form is not None and form.kind == "struct"
        yield key, is_field
        described = (
            None if form is None else all_keys(form.plain).get(key) if is_field else form.entry
        )


# Defaults that are computed from the rest of a struct, besides those in its description.
_WORKED_OUT: Mapping[tuple[type[Struct], str], Callable[[Mapping[str, Any]], Any]] = {
    (Company, "colour"): lambda _: PRIVATE_COLOUR,
    (Company, "second"): lambda company: contrasting(company.get("colour", PRIVATE_COLOUR)),
    (Company, "text_colour"): lambda company: clearer(company.get("colour", PRIVATE_COLOUR)),
    (Company, "token_text"): lambda company: company.get(ID),
    (Aid, "count"): lambda aid: aid.get(PLAYERS),
    (Marker, "text_colour"): lambda marker: contrasting(marker.get("colour", MARKER_COLOUR)),
}


class _Lazy(dict[str, Any]):
    """Fields of a struct, decoded on first use."""

    def __init__(self, keys: Mapping[str, Any], written: Mapping[str, Any]) -> None:
        super().__init__()
        self._keys, self._written = keys, written

    def __missing__(self, key: str) -> Any:
        return decode(self._keys[key], self._written[key])


def left_out(kind: type[Struct], key: str, described: Any, around: Mapping[str, Any]) -> Any:
    """Return the decoded default of a key of a struct; MISSING if the default depends on anything
    outside the struct."""
    if (kind, key) in _WORKED_OUT:
        return _WORKED_OUT[kind, key](around)
    for mark in unwrapped(described).marks:
        if isinstance(mark, ComputedDefault):
            try:
                return MISSING if mark.make is None else mark.make(_Lazy(all_keys(kind), around))
            except KeyError:
                return MISSING
    return _defaults(kind).get(key, MISSING)


@cache
def _defaults(kind: type[Struct]) -> Mapping[str, Any]:
    defaults: dict[str, Any] = {}
    for field in structs.fields(kind):
        plain = unwrapped(field.type).plain
        if any(isinstance(mark, Flattened) for mark in unwrapped(field.type).marks):
            defaults |= _defaults(plain)
        elif field.default is not msgspec.NODEFAULT:
            defaults[field.encode_name] = field.default
        elif field.default_factory is not msgspec.NODEFAULT:
            defaults[field.encode_name] = field.default_factory()
    for _, entry in beside(kind):
        defaults = {**_defaults(entry), **defaults}
    return defaults


def _decoded(described: Any, written: Any) -> Any:
    """Return a decoded value, or the value as written if it can be decoded only in its context."""
    try:
        return decode(described, written)
    except (TypeError, KeyError, ValueError, AttributeError):
        return written


def value_of(described: Any, written: Any) -> Any:
    """Return a written value, decoded as far as possible without its context."""
    bare = written is MISSING or written is None or shape(described).kind != "leaf"
    return written if bare else _decoded(described, written)


def same(described: Any, one: Any, other: Any, *, languages_of_both: bool = False) -> bool:
    """Return whether two written values mean the same. With `languages_of_both`, texts are compared
    only in the languages that both have."""
    if one == other:
        return True
    if one is MISSING or other is MISSING or one is None or other is None:
        return False
    this, that = value_of(described, one), value_of(described, other)
    if languages_of_both and isinstance(this, Text) and isinstance(that, Text):
        shared = {code for code, _ in this.forms} & {code for code, _ in that.forms} or {"en"}
        return all(this.get(code) == that.get(code) for code in shared)
    return bool(this == that)


def digest(described: Any, written: Any) -> str:
    """Return a text that is equal for values with the same meaning, to look them up by. Lists
    without order have none."""
    form = shape(described)
    written = opened(form, written)
    if written is MISSING or written is None:
        return "null"
    if form.kind == "struct" and isinstance(written, Mapping):
        parts = []
        for key, inner in sorted(all_keys(form.plain).items()):
            if key in written and key not in COMMENTS:
                part = digest(inner, written[key])
                usual = left_out(form.plain, key, inner, written)
                if usual is MISSING or _decoded(inner, written[key]) != usual:
                    parts.append(f"{key}:{part}")
        return "{" + ",".join(parts) + "}"
    if form.kind == "entries" and isinstance(written, Mapping):
        return (
            "{"
            + ",".join(f"{key}:{digest(form.entry, written[key])}" for key in sorted(written))
            + "}"
        )
    if form.kind == "list" and isinstance(written, (list, tuple)):
        return "[" + ",".join(digest(form.entry, entry) for entry in written) + "]"
    value = value_of(described, written)
    return json.dumps(value, sort_keys=True) if isinstance(value, (dict, list)) else repr(value)


def is_usual(
    kind: type[Struct], key: str, described: Any, written: Any, around: Mapping[str, Any]
) -> bool:
    """Return whether the value of a key of a struct equals its default."""
    usual = left_out(kind, key, described, around)
    return usual is not MISSING and bool(
        written is None if usual is None else _decoded(described, written) == usual
    )


# Facts that differ between two definitions, each listed once.
# Both definitions are walked in parallel along the description of the format
# (`model/described.py`), so a new field of the model is compared without any change here. Values
# that can be written in several ways are compared by meaning: an explicit default, a short form,
# the order where it does not matter. A consequence of another fact is not listed.


CHANGED, ADDED, REMOVED, RENAMED, REORDERED = "changed", "added", "removed", "renamed", "reordered"

# Entries of lists whose order does not matter. It does not matter in lists without duplicates
# either, except under the keys of ORDERED_KEYS:
NO_ORDER = (
    Border,
    Certificate,
    Home,
    Icon,
    Label,
    Partition,
    Provenance,
    Reach,
    Segment,
    Stop,
    Terrain,
    TradeIn,
    Waiver,
)
ORDERED_KEYS = ("colours", "wording", "includes")
# Objects by id whose order matters in the game.
ORDERED_BLOCKS = ("trains", "phases")
_HEXES = "hex"

Json = Mapping[str, Any]
# Keys that lead to something in a title.
Keys = tuple[str, ...]


class Fact(Frozen, kw_only=True):
    """One difference. `at` is the path of keys in the later definition, `was_at` that in the
    earlier one; if only one of them has it, both are that one's path. `before` and `after` are
    the values as written (MISSING if absent), `described` is their type."""

    what: str
    at: Keys
    was_at: Keys
    before: Any = MISSING
    after: Any = MISSING
    described: Any = None


class Compared(Frozen, kw_only=True):
    """All facts. If only common fields were compared, also the facts about fields that one side
    lacks everywhere, by their keys (with * for ids and indices)."""

    facts: tuple[Fact, ...]
    unsaid: tuple[tuple[Keys, tuple[Fact, ...]], ...] = ()


def compare_definitions(before: Json, after: Json, *, in_common: bool = False) -> Compared:
    """Compare two assembled titles that schemas and references accept. `in_common` skips fields and
    languages that one of them lacks everywhere, because another program's format may not have
    them."""
    walk = _Walk(before, after, in_common=in_common)
    fill, fill_after = filling(before), filling(after)

    def reads_alike(fact: Fact) -> bool:
        """Return True if the two texts differ only in that one names a fact that the other spells
        out."""
        was, now = fact.before, fact.after
        return (
            fact.what == CHANGED
            and was != now
            and fill(was, fact.was_at) == fill_after(now, fact.at)
        )

    facts = tuple(fact for fact in walk.facts() if not reads_alike(fact))
    if not in_common:
        return Compared(facts=facts)
    unsaid: dict[Keys, list[Fact]] = {}
    told = []
    for fact in facts:
        pattern = _unsaid_in(fact, before, after)
        if pattern is None:
            told.append(fact)
        else:
            unsaid.setdefault(pattern, []).append(fact)
    return Compared(
        facts=tuple(told),
        unsaid=tuple((pattern, tuple(facts)) for pattern, facts in unsaid.items()),
    )


class _Walk:
    """A walk through two titles side by side. The earlier one is first rewritten with the ids,
    coordinates and numbers of the later one, so that values can then be compared directly."""

    def __init__(self, before: Json, after: Json, *, in_common: bool) -> None:
        self._in_common = in_common
        self._renamed: list[Fact] = []
        self._was: dict[Keys, str] = {}
        self._renames: list[Mapping[str, str]] = []
        self._after = after
        self._players = [
            max(map(int, side.get("players", ())), default=1) for side in (before, after)
        ]
        self._before = self._in_later_terms(dict(before), after)

    def facts(self) -> Iterator[Fact]:
        """Yield all facts, in the order of the format."""
        yield from self._renamed
        for block in ORDERED_BLOCKS:
            # The order of these matters in the game, except for trains on sale from a phase, which
            # do not queue.
            both = self._before.get(block) or {}, self._after.get(block) or {}
            before, after = (
                [
                    key
                    for key, entry in side.items()
                    if key in both[0] and key in both[1]
                    if not (isinstance(entry, Mapping) and "available_from" in entry)
                ]
                for side in both
            )
            if before != after and sorted(before) == sorted(after):
                at = (block,)
                yield Fact(what=REORDERED, at=at, was_at=at, before=before, after=after)
        # The id of an import is the name of its folder, so it is not compared.
        without = ("id",) if self._in_common else ()
        yield from self._keys(Title, self._before, self._after, (), (), without=without)

    def _in_later_terms(self, before: dict[str, Any], after: Json) -> dict[str, Any]:
        # Match ids first: hexes are compared on matched maps, and entries in matched blocks.
        names = {}
        pairing.share_privates(before, after)
        for block, word, sign in (
            ("companies", "company", None),
            ("privates", "private", None),
            ("trains", "train", None),
            ("phases", "phase", pairing.beginning_of(before, after)),
            ("tiles", "tile", pairing.shape_of_number),
            ("maps", "map", None),
        ):
            ours, theirs = before.get(block) or {}, after.get(block) or {}
            found = pairing.renamed_ids(ours, theirs, sign)
            if (
                block == "maps"
                and not found
                and len(ours) == len(theirs) == 1
                and ours.keys() != theirs.keys()
            ):
                found = {next(iter(ours)): next(iter(theirs))}
            if found:
                before[block] = {found.get(key, key): entry for key, entry in ours.items()}
                names[word] = found
                for old, new in found.items():
                    at, was_at = (block, new), (block, old)
                    self._was[at] = old
                    fact = Fact(what=RENAMED, at=at, was_at=was_at, before=old, after=new)
                    self._renamed.append(fact)
        before["maps"] = dict(before.get("maps") or {})
        for map_id, board in before["maps"].items():
            other = (after.get("maps") or {}).get(map_id)
            placed = pairing.placing(board, other) if other else None
            if other and placed:
                before["maps"][map_id] = pairing.laid_on(board, placed)
                names.setdefault(_HEXES, {}).update(placed.names)
                for old, new in placed.names.items():
                    if new in other["hexes"]:
                        self._was["maps", map_id, "hexes", new] = old
                first = next(old for old, new in placed.names.items() if new in other["hexes"])
                where = ("maps", map_id, "hexes")
                self._renamed.append(
                    Fact(
                        what=RENAMED,
                        at=where,
                        was_at=where,
                        before=first,
                        after=placed.names[first],
                    )
                )
            if other:
                before["maps"][map_id] = pairing.borders_as_in(before["maps"][map_id], other)
        # Texts may name anything. If several blocks have a name, the first block wins; if that does
        # not explain a text, try the names of each block alone.
        together = {old: new for found in reversed(names.values()) for old, new in found.items()}
        self._renames = [together, *names.values()] if len(names) > 1 else [*names.values()]
        for path, word in nouns_by_path().items():
            parts = word.split(" or ")
            # Where both a train and a phase can be named, a name of a train means the train.
            trains = _train_names(before) if {"train", "phase"} <= {*parts} else ()
            # A name that is still printed on a train's card still refers to that train.
            still = _train_names(after) if "train" in parts else ()
            known = {
                old: new
                for part in parts
                for old, new in names.get(part, {}).items()
                if old not in (still if part == "train" else trains)
            }
            if known:
                before = _rewritten(before, path.split("/"), known)
        return before

    def _was_at(self, at: Keys) -> Keys:
        return tuple(self._was.get(at[: place + 1], key) for place, key in enumerate(at))

    def _follows(self, one: Any, other: Any) -> bool:
        """Return True if two values differ only in ids that were renamed, also within texts. Such a
        difference belongs to the rename and is not reported separately."""
        return any(_is_renamed(one, other, names) for names in self._renames)

    def _walk(self, described: Any, one: Any, other: Any, at: Keys, was: Keys) -> Iterator[Fact]:
        if one is other or one == other or self._follows(one, other):
            return
        form = shape(described)
        one, other = opened(form, one), opened(form, other)
        if form.kind == "struct" and isinstance(one, Mapping) and isinstance(other, Mapping):
            yield from self._struct(form, one, other, at, was)
        elif form.kind == "entries" and isinstance(one, Mapping) and isinstance(other, Mapping):
            yield from self._entries(form, one, other, at, was)
        elif form.kind == "list" and isinstance(one, list) and isinstance(other, list):
            yield from self._list(form, one, other, at, was)
        elif not same(described, one, other, languages_of_both=self._in_common):
            gone, new = other is MISSING, one is MISSING
            what = REMOVED if gone else ADDED if new else CHANGED
            was_at = self._was_at(was)
            yield Fact(
                what=what,
                at=was_at if gone else at,
                was_at=at if new else was_at,
                before=one,
                after=other,
                described=described,
            )

    def _struct(self, form: Shape, one: Json, other: Json, at: Keys, was: Keys) -> Iterator[Fact]:
        kind = form.plain
        if kind in (MapHex, Tile):
            if one.get("stops") and other.get("stops"):
                stops_form = shape(all_keys(kind)["stops"])
                stops = one["stops"], other["stops"]
                pairs = _paired(stops_form, *stops, _digests(stops_form, *stops), ordered=False)
                one = pairing.stops_in_order_of(one, other, pairs)
            yield from self._keys(kind, one, other, at, was)
            return
        if kind is TileCount and (("tile" in one) != ("tile" in other)):
            number = at[-1] if "tile" in one else self._was_at(was)[-1]
            one, other = (
                {**side, "tile": pairing.written_tile(number, side)} for side in (one, other)
            )
        one, other = apart(kind, one, other)
        if kind is Variant:
            patches = one.get("patch", {}), other.get("patch", {})
            yield from self._keys(kind, one, other, at, was, without=("patch",))
            yield from self._walk(Title, *patches, (*at, "patch"), (*was, "patch"))
            return
        yield from self._keys(kind, one, other, at, was)

    def _keys(
        self, kind: type[Struct], one: Json, other: Json, at: Keys, was: Keys, *, without: Keys = ()
    ) -> Iterator[Fact]:
        patched = at[:1] == ("variants",)
        for key, described in all_keys(kind).items():
            if key in COMMENTS or key in without:
                continue
            mine, theirs = one.get(key, MISSING), other.get(key, MISSING)
            if mine is theirs is MISSING:
                continue
            if not patched and (mine is MISSING or theirs is MISSING):
                there, around = (theirs, other) if mine is MISSING else (mine, one)
                beside = {
                    **around,
                    ID: at[-1] if at else "",
                    PLAYERS: self._players[mine is MISSING],
                }
                if is_usual(kind, key, described, there, beside):
                    continue
                form = shape(described)
                if form.kind in ("entries", "list") and isinstance(
                    opened(form, there), (Mapping, list)
                ):
                    # Compare an absent side as empty, so that each entry is a fact.
                    empty: Any = {} if isinstance(opened(form, there), Mapping) else []
                    mine, theirs = (empty if side is MISSING else side for side in (mine, theirs))
            yield from self._walk(described, mine, theirs, (*at, key), (*was, key))

    def _entries(self, form: Shape, one: Json, other: Json, at: Keys, was: Keys) -> Iterator[Fact]:
        moved = {
            key: names[key]
            for names in self._renames
            for key in one
            if key not in other and names.get(key, key) in other and names[key] not in one
        }
        if moved:
            one = {moved.get(key, key): part for key, part in one.items()}
            self._was |= {(*was, new): old for old, new in moved.items()}
        for key in (*other, *(key for key in one if key not in other)):
            mine, theirs = one.get(key, MISSING), other.get(key, MISSING)
            yield from self._walk(form.entry, mine, theirs, (*at, key), (*was, key))

    def _list(
        self, form: Shape, one: list[Any], other: list[Any], at: Keys, was: Keys
    ) -> Iterator[Fact]:
        ordered = at[-1] in ORDERED_KEYS or not (
            shape(form.entry).plain in NO_ORDER
            or any(isinstance(mark, Distinct) for mark in form.marks)
        )
        # Treat entries that merely follow a rename as equal; otherwise each would be a removal and
        # an addition.
        if self._renames:
            one = [
                next((new for new in other if new == entry or self._follows(entry, new)), entry)
                for entry in one
            ]
        if shape(form.entry).plain is Segment:
            one, other = [list(map(pairing.undirected, side)) for side in (one, other)]
            # Duplicate track has no effect.
            one, other = (
                [*{digest(form.entry, entry): entry for entry in side}.values()]
                for side in (one, other)
            )
        digests = _digests(form, one, other)
        if digests[0] == digests[1]:
            return
        if ordered and len(one) > 1 and sorted(digests[0]) == sorted(digests[1]):
            yield Fact(
                what=REORDERED,
                at=at,
                was_at=self._was_at(was),
                before=one,
                after=other,
                described=form.entry,
            )
            return
        for i, j in _paired(form, one, other, digests, ordered=ordered):
            mine, theirs = MISSING if i is None else one[i], MISSING if j is None else other[j]
            here = str(j if j is not None else i), str(i if i is not None else j)
            yield from self._walk(form.entry, mine, theirs, (*at, here[0]), (*was, here[1]))


_Digests = tuple[list[str], list[str]]


def _digests(form: Shape, one: list[Any], other: list[Any]) -> _Digests:
    return [digest(form.entry, entry) for entry in one], [
        digest(form.entry, entry) for entry in other
    ]


def _paired(
    form: Shape, one: list[Any], other: list[Any], digests: _Digests, *, ordered: bool
) -> pairing.Pairs:
    if ordered:
        return pairing.in_order(*digests)
    return pairing.in_any_order(*digests, lambda i, j: _likeness(form.entry, one[i], other[j]))


def _train_names(title: Json) -> set[str]:
    trains = title.get("trains") or {}
    return {
        *trains,
        *(face["name"] for train in trains.values() for face in train.get("faces", [train])),
    }


def _likeness(described: Any, one: Any, other: Any) -> float:
    """Return the similarity of two entries of a list: the share of equal keys or parts, with names
    weighted most."""
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        alike = [key for key in one if key in other and one[key] == other[key]]
        # Keys that identify an entry count more than its other contents.
        naming = sum(key in _NAMING for key in alike)
        return (len(alike) + 2 * naming) / (len({*one, *other}) + 1)
    if isinstance(one, list) and isinstance(other, list):
        return sum(part in other for part in one) / max(len(one), len(other), 1)
    # Plain values are considered changed instead of removed and added.
    return 0.0 if shape(described).plain is Label else 0.01


# Keys that distinguish the entries of a list.
_NAMING = ("percent", "kind", "edge", "hex", "train", "stops", "subject", "code")


def _rewritten(value: Any, steps: Sequence[str], names: Mapping[str, str]) -> Any:
    """Return a value with the names at one place in it (a path as in `nouns_by_path`) replaced."""
    if not steps:
        return names.get(value, value) if isinstance(value, str) else value
    step, *rest = steps
    if isinstance(value, Mapping):
        if step == "~":
            return {names.get(key, key): part for key, part in value.items()}
        wanted = value if step == "*" else step.split("|")
        return {
            key: _rewritten(part, rest, names) if key in wanted else part
            for key, part in value.items()
        }
    if isinstance(value, list) and step == "*":
        return [_rewritten(part, rest, names) for part in value]
    return value


def _is_renamed(one: Any, other: Any, names: Mapping[str, str]) -> bool:
    """Return True if two values are equal except for renamed ids in keys and texts. In a text, an
    id must stand as a whole word."""
    if isinstance(one, str):
        return one == other or (
            isinstance(other, str) and _words(tuple(names)).sub(lambda w: names[w[0]], one) == other
        )
    if isinstance(one, Mapping):
        keys = {
            key: key if not isinstance(other, Mapping) or key in other else names.get(key, key)
            for key in one
        }
        return (
            isinstance(other, Mapping)
            and len(one) == len(other)
            and all(
                new in other and _is_renamed(one[key], other[new], names)
                for key, new in keys.items()
            )
        )
    if isinstance(one, list):
        return (
            isinstance(other, list)
            and len(one) == len(other)
            and all(_is_renamed(*pair, names) for pair in zip(one, other, strict=True))
        )
    return bool(one == other)


@cache
def _words(names: tuple[str, ...]) -> re.Pattern[str]:
    # Of names with the same beginning match the longest: "4D" is not "4".
    longest_first = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
    return re.compile(f"(?<![A-Za-z0-9])(?:{longest_first})(?![A-Za-z0-9])")


def _unsaid_in(fact: Fact, before: Json, after: Json) -> Keys | None:
    """Return the pattern of a fact's keys if the definition that lacks the fact has nothing else at
    that pattern either."""
    if fact.what not in (ADDED, REMOVED):
        return None
    gone = fact.what == REMOVED
    silent, at = (after, fact.was_at) if gone else (before, fact.at)
    for depth in range(1, len(at) + 1):
        pattern = tuple(key if is_field else "*" for key, is_field in keys_in_title(at[:depth]))
        if not _says(silent, pattern):
            return pattern
    return None


def _says(value: Any, pattern: Sequence[str]) -> bool:
    """Return whether a definition has anything at a pattern of keys."""
    if not pattern:
        return True
    step, *rest = pattern
    if isinstance(value, Mapping):
        parts = value.values() if step == "*" else [value[step]] if step in value else []
    else:
        parts = value if isinstance(value, list) and step == "*" else []
    return any(_says(part, rest) for part in parts)
