"""Entries of blocks, each of a row of a table."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from msgspec.structs import replace

from platelayer.exchange.tables.columns import (
    COMMENT,
    HEXES,
    MORE,
    ROWS,
    Column,
    Wrong,
    plain_id,
    reach,
)
from platelayer.exchange.tables.table import (
    Row,
    Table,
    Tables,
)
from platelayer.foundation.values import Json
from platelayer.model import described

OWN_KEYS = ("count", "back_of", "via", "number", "number_corner", "printed")
ID = re.compile(described.ID)
_HEX = re.compile(r"([a-z]|[A-Z]{1,2})-?[0-9]{1,3}")
# The end of "4-train", "4 trains", "4列車".
_TRAIN = re.compile(r"(?i)(?<=.)[- ]?trains?$|(?<=.)列車$")
# Fields that a column decides, where they are called otherwise.
PLACES = {
    "kind": ("kind", "stops"), "value": ("value", "stops"), "cost": ("terrain/0/cost",), "company": ("id",),
    "train": ("name",), "percent": ("certificates",),
}  # fmt: skip


def entry_of(
    row: Row, kind: str, table: Table, taken: Json, into: Tables
) -> tuple[str, Json] | None:
    """An entry of a block with its id, of the values of a row."""
    columns = ROWS.get(kind, HEXES)
    key, sheet = columns[0].key, table.sheet
    values = dict(row.values)
    more, comment = values.pop(MORE, None), values.pop(COMMENT, None)
    called = values.pop(key, None) or values.get("name")
    if isinstance(called, dict):
        called = next(iter(called.values()))
    if called is None:
        at = min(row.columns.values())
        into.wrong(
            sheet, row.row, at, f"this row has no {key}", f'give it one in the column "{key}"'
        )
        return None
    plain = unicodedata.normalize("NFKC", str(called)).strip()
    if kind == "trains":
        plain = _TRAIN.sub("", plain) or plain
    called = plain if plain.isascii() else str(called)
    if kind == "hexes":
        entry_id = called.strip()
        if not _HEX.fullmatch(entry_id):
            at = row.columns[key] if key in row.columns else min(row.columns.values())
            into.wrong(
                sheet, row.row, at, f'"{called[:40]}" is no hex: a letter and a number such as "D4"'
            )
            return None
    else:
        entry_id = called if ID.fullmatch(called) else _made_id(called, kind, taken)
        into.other_ids[block_of(kind), called] = entry_id
        if isinstance(values.get("name"), str):
            into.other_ids.setdefault((block_of(kind), values["name"]), entry_id)
    if isinstance(more, dict):
        values |= more
    elif more is not None:
        into.wrong(
            sheet, row.row, row.columns[MORE], "this is no JSON object", 'such as {"note": "..."}'
        )
    entry = _JOINED[kind](replace(row, values=values, called=called)) if kind in _JOINED else values
    if comment is not None and isinstance(entry, dict):
        entry["$comment"] = comment
    return entry_id, entry


def block_of(kind: str) -> str:
    """Block that the rows of a sheet belong to: private companies are companies."""
    return "companies" if kind == "privates" else kind


def _made_id(called: str, kind: str, taken: Json) -> str:
    """An id of a name that can be none: initials of several words, or what letters it has."""
    words = re.findall(r"[A-Za-z0-9]+", unicodedata.normalize("NFKD", called))
    initials = "".join(word[0] for word in words if word[0].isupper() or word[0].isdecimal())
    if kind in ("companies", "privates") and 1 < len(initials) <= 6 and initials not in taken:
        return initials
    usual = f"{kind[0].upper()}{len(taken) + 1}"
    made = plain_id(called, usual)
    return made if made not in taken else usual


def _train(row: Row) -> Json:
    values = row.values
    if "faces" in values:
        return values
    if isinstance(values.get("count"), str) and values["count"] == "unlimited":
        values |= {"count": 10, "unlimited": True}
    values.setdefault("name", row.called)
    if "reach" not in values and "reach" not in row.none:
        with suppress(Wrong):
            values["reach"] = reach(str(values["name"]))
    if isinstance(values.get("reach"), list) and "hexes" in (values["reach"] or ({},))[0]:
        values.setdefault("hexes", values["reach"][0].pop("hexes"))
    ends = any(values.get(key) for key in ("rusts_on", "obsolete_on"))
    if not ends and "permanent" not in row.none:
        values.setdefault("permanent", True)
    return values


def _phase(row: Row) -> Json:
    values = row.values
    if "on" in row.has or "begins" in values:
        values.setdefault("on", None)
    return values


def _company(row: Row, usual: str = "major") -> Json:
    values = row.values
    if "kind" not in row.none:
        values.setdefault("kind", usual)
    if "name" not in values and "name" not in row.none:
        values["name"] = row.called
    if "colour" not in values and "colour" not in row.none:
        filled = row.colours.get("colour") or row.colours.get("company") or row.colours.get("name")
        if filled and (values["kind"] != "private" or "colour" in row.colours):
            values["colour"] = filled
    if len(row.called) <= 4 and not row.called.isascii():
        values.setdefault("token_text", row.called)
    return values


def _private(row: Row) -> Json:
    return _company(row, "private")


def _land(values: Json) -> Json:
    """Put the columns of kinds, values, ground and cost together."""
    kind = values.pop("kind", None)
    amounts = values.pop("value", None)
    cost = values.pop("cost", None)
    is_bare = values.get("terrain") == []
    grounds = values.pop("terrain", None) or []
    if isinstance(kind, list):
        values["stops"] = kind
    elif isinstance(kind, dict) and "stops" in kind and "grounds" in kind:
        if kind["stops"]:
            values["stops"] = [dict(stop) for stop in kind["stops"]]
        grounds = (
            [*kind["grounds"], *grounds]
            if all(isinstance(each, str) for each in grounds)
            else grounds
        )
    elif kind is not None:
        values["stops"] = kind
    stops = values.get("stops")
    if isinstance(amounts, list) and isinstance(stops, list):
        for stop, amount in zip(stops, amounts, strict=False):
            if isinstance(stop, dict):
                stop["revenue"] = amount
    elif (
        isinstance(amounts, list)
        and amounts
        and cost is None
        and grounds
        and isinstance(amounts[0], int)
    ):
        cost = amounts[0]
    if grounds and all(isinstance(each, dict) for each in grounds):
        values["terrain"] = grounds
    elif grounds or cost is not None:
        entry = {"kinds": grounds} if grounds or is_bare else {}
        values["terrain"] = [{**entry, **({"cost": cost} if cost is not None else {})}]
    return values


def _hex(row: Row) -> Json:
    values = _land(row.values)
    if values.get("track") == []:
        del values["track"]
    stops = values.get("stops")
    is_edge = isinstance(stops, list) and any(is_offboard(stop) for stop in stops)
    if is_edge and "colour" not in {*values} | row.none:
        values = {"colour": "red", **values}
    if values.get("colour") == "white" and "colour" in row.none:
        del values["colour"]
    return values


def is_offboard(stop: Any) -> bool:
    """True for a stop of the kind off-board."""
    return isinstance(stop, dict) and stop.get("kind") == "offboard"


def _tile(row: Row) -> Any:
    values = row.values
    own = {key: values.pop(key) for key in [*values] if key in OWN_KEYS}
    inner = values.pop("tile", None)
    values = _land(values)
    if values.get("track") == []:
        del values["track"]
    if values or inner:
        own["tile"] = {**values, **(inner or {})}
    if "count" not in own and "back_of" not in own and "count" not in row.none:
        own["count"] = 1
    return own["count"] if [*own] == ["count"] else own


_JOINED: dict[str, Callable[[Row], Any]] = {
    "trains": _train, "phases": _phase, "companies": _company, "privates": _private, "tiles": _tile, "hexes": _hex,
}  # fmt: skip


def refer(entry: Any, columns: tuple[Column, ...], into: Tables) -> None:
    """Replace names of trains, phases and companies in an entry by their ids."""

    def id_of(called: str, block: str) -> str:
        plain = unicodedata.normalize("NFKC", called)
        if block == "trains":
            plain = _TRAIN.sub("", plain) or plain
        return into.other_ids.get((block, called)) or (
            plain if plain.isascii() else into.other_ids.get((block, plain), called)
        )

    for column in columns:
        held = entry.get(column.key) if isinstance(entry, dict) and column.of else None
        if isinstance(held, list):
            entry[column.key] = [id_of(str(each), column.of) for each in held]
        elif isinstance(held, str):
            entry[column.key] = id_of(held, column.of)
