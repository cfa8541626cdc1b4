"""Papers of xxpaper: companies, private companies and trains. Parts of a paper are named after what
they draw."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from platelayer.exchange.imported import Imported
from platelayer.exchange.losses import Comments, Entry, line_of, one_line
from platelayer.exchange.others.common import Notes, amount, currency, read_object, title_from_data
from platelayer.exchange.tile_strings import rgb
from platelayer.foundation.resources import asset_json
from platelayer.foundation.values import Json

# Parts that determine how a paper is drawn.
_LOOKS: list[str] = asset_json("imports.json")["looks"]["xxpaper"]
_COUNTED = re.compile(r"(?:range|index_of) *\((?:\D*)(\d+)\)")
_PAPERS = (
    "charter",
    "wide_charter",
    "narrow_charter",
    "large_charter",
    "minor_charter",
    "short_charter",
    "concession",
)


def title_from_file(source: Path, title_id: str) -> Imported:
    """Return the definition of a title. Raises CannotRun for a file that cannot be read."""
    notes = Notes()
    whole = read_object(source, Json, notes.losses)
    meta = _object(whole.get("meta"))
    name = line_of(meta, "title") or re.sub(r"[-_]?Papers?$", "", source.stem)
    signs = re.findall(
        r"(?m)_text_text(?:_p)?: *[^\d\n]*?([^\s\d:\"']{1,3})\d", str(_words_of(whole))
    )
    data: Json = {
        "title": name,
        "corporations": [
            _company(symbol, entry, _object(whole.get("company")), notes)
            for symbol, entry in _index(whole.get("company"))
        ],
        "companies": [
            _private(symbol, entry, notes) for symbol, entry in _index(whole.get("private"))
        ],
        "trains": [_train(symbol, entry, notes) for symbol, entry in _index(whole.get("train"))],
        "currency": currency(signs),
    }
    names = {train["name"] for train in data["trains"]}
    for train in data["trains"]:
        if train.get("rusts_on") not in names:
            train.pop("rusts_on", None)
    for symbol, _ in _index(whole.get("marker")):
        notes.losses.lose("marker", symbol)
    notes.name_unread("title", "title", whole, (*_LOOKS, "marker"))
    notes.losses.assume(
        "Colours are those of the nearest name: the tables of xxpaper are not read."
    )
    return title_from_data(source, title_id, data, notes, program="xxpaper")


def _object(value: Any) -> Entry:
    return value if isinstance(value, Entry) else Entry({})


def _index(block: Any) -> list[tuple[str, Entry]]:
    entries = _object(_object(block).get("index"))
    return [(symbol, _object(entries[symbol])) for symbol in entries]


def _words_of(value: Any) -> str:
    """Return all lines "key: words" of a block."""
    if not isinstance(value, dict):
        return ""
    return "\n".join(
        _words_of(part) if isinstance(part, dict) else f"{key}: {one_line(part)}"
        for key, part in dict.items(value)
    )


def _text(part: Entry, name: str, base: Entry | None = None) -> str:
    """Return the words of an element of a paper: its own, otherwise those that all papers of the
    block share; "" if there are none."""
    for key in (f"{name}_text_text", f"{name}_text_text_p"):
        for where in (part, base or Entry({})):
            if where.get(key):
                return one_line(where[key])
    return ""


def _count(block: Any) -> int | None:
    """Return the number of copies of a piece: its index is a list by name, or an expression over a
    range. None if there is no such index."""
    given = _object(block).get("index")
    if isinstance(given, Entry):
        given.read.update(given)
        return len(given)
    match = _COUNTED.search(str(given or ""))
    return int(match[1]) if match else None


def _company(symbol: str, entry: Entry, block: Entry, notes: Notes) -> Json:
    own, common = _object(entry.get("_")), _object(block.get("_"))
    comments = notes.at("companies", symbol)
    prices = []
    for place in range(1, 12):
        words = _text(own, f"token_{place}", common)
        if not words:
            break
        price = 0 if words.lower() == "free" else amount(words)
        prices.append(price or 0)
        if price is None:
            comments.lose("price of a station", words)
    markers = _count(entry.get("token"))
    if markers is not None and markers != len(prices):
        comments.lose("number of markers", str(markers))
    papers = [paper for paper in _PAPERS if paper in entry]
    for paper in papers:
        _count(entry.get(paper))
    company = {
        "sym": _text(own, "short_name") or symbol,
        "name": _text(own, "long_name") or symbol,
        "color": _colour(own.get("_major_fill")),
        "tokens": prices,
        "shares": _shares(entry.get("share"), comments),
        "type": "minor" if "minor_charter" in entry else None,
        "abilities": _described(_text(own, "comment")),
        "float_percent": None,
    }
    notes.name_unread("companies", symbol, entry, _LOOKS)
    return company


def _shares(given: Any, comments: Comments) -> list[int] | None:
    """Return the percentages of certificates; None if the file leaves them at xxpaper's default of
    20 % and 8 x 10 %, or if they cannot be read."""
    share = _object(given)
    if "index" not in share:
        return None
    usual = amount(_text(_object(share.get("_")), "share_pct"))
    shares = []
    for _, paper in _index(share):
        own = _object(paper.get("share_pct_text")).get("text")
        shares.append(amount(own) if own else usual)
    if not shares or None in shares:
        comments.lose("shares of a company", one_line(shares))
        return None
    return sorted((part for part in shares if part is not None), reverse=True)


def _price(part: Entry, name: str, comments: Comments) -> int | None:
    """Return the amount in words such as "Cost: $40"; None if there is none."""
    words = _text(part, name)
    value = amount(words.rpartition(":")[2])
    if value is None and words:
        comments.lose(f"words instead of a {name}", words)
    return value


def _described(*texts: str) -> list[Json]:
    return [{"type": "description", "description": words} for words in texts if words]


def _private(symbol: str, entry: Entry, notes: Notes) -> Json:
    own = _object(entry.get("_"))
    private = {
        "sym": symbol,
        "name": _text(own, "long_name") or symbol,
        "value": _price(own, "cost", notes.at("privates", symbol)),
        "revenue": _price(own, "revenue", notes.at("privates", symbol)),
        "color": _colour(own.get("asset_interior_box_fill")),
        "abilities": _described(_text(own, "power"), _text(own, "closes")),
    }
    notes.name_unread("privates", symbol, entry, _LOOKS)
    return private


def _train(symbol: str, entry: Entry, notes: Notes) -> Json:
    own = _object(entry.get("_"))
    name = _text(own, "long_name") or symbol
    comments = notes.at("trains", name)
    reach = re.fullmatch(r"(\d+)(?:\+(\d+))?.*", name)
    rusts = re.search(r"(?i)rust\w* (?:by|on) +(?:first )?(\w+)", _text(own, "rusted"))
    train: Json = {
        "name": name,
        "price": _price(own, "cost", comments),
        "num": _count(entry.get("model")),
    }
    if reach and reach[2]:
        train["distance"] = [
            {"nodes": ["city", "offboard"], "pay": int(reach[1]), "visit": int(reach[1])},
            {"nodes": ["town"], "pay": int(reach[2]), "visit": int(reach[2])},
        ]
    else:
        train["distance"] = int(reach[1]) if reach else 999
        notes.losses.assume("How far trains run is read from their names.")
    if rusts:
        train["rusts_on"] = rusts[1]
    note = _text(own, "note")
    if note:
        comments.lose("note on a train", note)
    notes.name_unread("trains", name, entry, _LOOKS)
    return train


def _colour(given: Any) -> str | None:
    """Return a colour from its name in the tables of xxpaper (`${colour/x11/khaki1}`): the CSS
    colour with this name, or with its last word that is one. An unknown name is returned
    unchanged."""
    name = re.sub(r"[\d_]+$", "", str(given or "").strip("${}").rpartition("/")[2])
    words = re.findall(r"[A-Z]?[a-z]+|[A-Z]+", name)
    for tried in (name.replace("_", ""), *words[::-1]):
        colour = rgb(tried)
        if colour is not None:
            return colour
    return None if given is None else str(given)
