"""Rules on texts: numbers in words compared with the numbers of the definition."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator
from functools import cache, lru_cache
from typing import Any, get_args

from msgspec import Struct
from msgspec.structs import fields

from platelayer.foundation.problems import Problem, Problems, Severity, join_pointer
from platelayer.foundation.text import Text, fill
from platelayer.model.company import Company, Picture
from platelayer.model.described import ById, Derived, Flattened, FlattenedIfSingle, Pairs
from platelayer.model.title import AidTable, TileCount, Title
from platelayer.model.train import Phase
from platelayer.rules.rule import finding, once, rule

# A text of a title that people read, with the pointer to it.


Located = tuple[str, Text]
_Marks = frozenset[type]


@once
def located_texts(title: Title) -> tuple[Located, ...]:
    """Return (JSON pointer, text) of all texts of a title, in the order of the format."""
    return tuple(_texts(title, ()))


def _texts(value: Any, at: tuple[str | int, ...], marks: _Marks = frozenset()) -> Iterator[Located]:
    """Yield the texts in a value of the model, whose field has some marks."""
    if isinstance(value, Text):
        yield join_pointer(*at), value
    elif isinstance(value, Struct):
        for name, key, own in _fields(type(value)):
            yield from _texts(getattr(value, name), at if Flattened in own else (*at, key), own)
    elif isinstance(value, tuple):
        for number, entry in enumerate(value):
            if isinstance(entry, Company):
                yield from _texts_of(entry, (entry.block, entry.id))
            elif isinstance(entry, TileCount):
                yield from _texts_of(entry, (*at, entry.tile.id))
            elif ById in marks or isinstance(entry, Picture):
                first = getattr(entry, entry.__struct_fields__[0])
                yield from _texts_of(entry, (*at, getattr(entry, "id", first)))
            elif Pairs in marks:
                yield from _texts(entry[1], (*at, entry[0]))
            else:
                yield from _texts(
                    entry,
                    at[:-1] if FlattenedIfSingle in marks and len(value) == 1 else (*at, number),
                )


@lru_cache(1 << 12)
def _texts_of(entry: Struct, at: tuple[str | int, ...]) -> tuple[Located, ...]:
    """Return the texts in an entry of a block. Cached, because the variants of a title share most
    of its entries."""
    return tuple(_texts(entry, at))


@cache
def _fields(kind: type[Struct]) -> tuple[tuple[str, str, _Marks], ...]:
    """Return the fields of a struct that may hold texts: their names, here and in the definition,
    and the kinds of their marks."""
    marked = (
        (field, frozenset(map(type, getattr(field.type, "__metadata__", ()))))
        for field in fields(kind)
    )
    return tuple(
        (field.name, field.encode_name, marks)
        for field, marks in marked
        if Derived not in marks and _may_hold_texts(field.type)
    )


def _may_hold_texts(described: Any) -> bool:
    if isinstance(described, type) and issubclass(described, Struct):
        return described is Text or bool(_fields(described))
    return any(map(_may_hold_texts, get_args(described)))


def languages_of(title: Title) -> tuple[str, ...]:
    """Return the languages that a title is written in: English, and those in which at least half of
    its texts by language are given."""
    counts, total = _by_language(title)
    return (
        "en",
        *sorted(code for code, count in counts.items() if code != "en" and 2 * count >= total),
    )


def spoken(title: Title) -> tuple[str, ...]:
    """Return the languages of all texts of a title, in the order of their codes."""
    return tuple(sorted(_by_language(title)[0]))


def _by_language(title: Title) -> tuple[Counter[str], int]:
    """Return the number of the title's own texts in each language, and the number of texts given by
    language."""
    own = (text for _, text in located_texts(title) if not text.term)
    codes_of = [codes for text in own if (codes := [code for code, _ in text.forms if code])]
    return Counter(code for codes in codes_of for code in codes), len(codes_of)


# Texts that quote sources or describe other titles.
_ASIDE = ("/provenance/", "/variants/", "/waivers/", "/terms/")

# Pattern before an amount, and the path of the fact that states the same amount.
_AMOUNTS = (
    (r"\b(?:start(?:ing)? price|par(?: price| value)?)(?: is| of|:)? |初期株価(?:は|：)? ?", "par"),
    (r"\bbank(?: has| holds|:) |銀行(?:の資金)?(?:は|：) ?", "bank"),
    (
        r"(?<![\w+])([\w+∞]{1,8})-trains? costs? |(?<![\w+])([\w+∞]{1,8})-?列車(?:の価格)?は ?",
        "train.{}.price",
    ),
)
# Every text that states an amount contains one of these.
_SIGNS = ("rice", "par ", "Par ", "ank", "cost", "初期株価", "銀行", "列車")
_RUSTED = (
    r"(?<![\w+-])([\w+∞]{1,8})-[Tt]rains? (?:rusts?|(?:is|are) (?:rusted|scrapped))\b",
    r"([0-9+A-Z∞]{1,8})-?列車(?:が|は|を)?(?:廃車|スクラップ)",
)
_LIMIT = (
    r"\b[Tt]rain limits?(?: is| of|:)? (\d{1,2})\b",
    r"列車(?:の)?(?:保有)?(?:制限|上限)(?:は|：)? ?(\d{1,2})(?!\d)",
)
_NUMBER = r"(\d{1,3}(?:,\d{3})+|\d+)"

_PLAYERS = ("players", "人数", "プレイ人数", "プレイヤー", "プレイヤー数")
_CASH = ("cash", "start cash", "starting cash", "初期資金", "資金")
_CERTIFICATES = ("certificate limit", "certificates", "株券制限", "証券保有制限", "株券上限")
_TRAIN = ("train", "trains", "列車")
_PRICE = ("price", "cost", "価格")


@rule(
    "TX02",
    "text that contradicts the data",
    Severity.WARNING,
    reads=("aids", "bank", "companies", "currency", "market", "phases", "players", "trains"),
)
def contradicted(title: Title) -> Problems:
    """A number in a text differs from that of the definition: a start price, the price of a train,
    the bank, a phase's train limit or the trains that rust in it, or cash, certificate limits and
    prices in the table of an aid. Other wordings are not recognised.

    Wrong: "Start price £105" where the only start price is 100; "3-trains rust." among the events
    of phase 4, while the 3-train rusts in phase 6.

    Right: "Start price {par}", which is filled from the data; "2-trains rust.".

    Source: cards, boards and aids of a game must agree.
    """
    prices = _train_prices(title)
    par = title.market.par_prices if title.market is not None else ()
    banks = {
        amount
        for amount in (title.bank, *(count.bank for count in title.players))
        if amount is not None
    }
    data = {
        "par": ("start prices", par),
        "bank": ("money in the bank", banks),
    }
    data |= {f"train.{name}.price": (f"for train {name}", known) for name, known in prices.items()}
    for at, text in located_texts(title):
        for _, words in () if at.startswith(_ASIDE) else text.forms:
            for literal, value, path in _claims(words, title.currency):
                what, known = data.get(path, ("", ()))
                if known and value not in known:
                    shown = ", ".join(map(title.money, sorted(known)))
                    yield _problem(at, literal, f"{what}: {shown}", path if len(known) == 1 else "")
    for phase in title.phases:
        yield from _events(title, phase)
    for aid in title.aids:
        for side, sections in (("sections", aid.sections), ("back", aid.back)):
            for number, section in enumerate(sections):
                if section.table is not None:
                    at = join_pointer("aids", aid.id, side, number, "table", "rows")
                    yield from _players_table(title, section.table, at)
                    yield from _train_table(title, section.table, at, prices)


@lru_cache(1 << 13)
def _claims(words: str, currency: str) -> tuple[tuple[str, int, str], ...]:
    """Return amounts named in a text: the words, the amount, and the path of the fact. Cached,
    because the variants of a title share most of their texts."""
    if not any(sign in words for sign in _SIGNS):
        return ()
    claims = []
    amount = _amount(currency)
    for pattern, path in _AMOUNTS:
        for found in re.finditer(f"(?i:{pattern}){amount}", words):
            # The last group is the amount. An earlier group is the name; which one depends on the
            # language.
            name = next(filter(None, found.groups()[:-1]), "")
            claims.append((found.group().strip(), _value(found[found.re.groups]), fill(path, name)))
    return tuple(claims)


def _problem(at: str, literal: str, data: str, path: str = "") -> Problem:
    return finding(
        at,
        f'"{literal}" contradicts the definition, which has {data}',
        f"correct one of them; {{{path}}} is filled from the data"
        if path
        else "correct one of them",
        about=at.lstrip("/"),
    )


def _amount(currency: str) -> str:
    """Return a pattern for an amount of money in a currency that nothing after it can turn into
    another number."""
    before, after = map(re.escape, currency.split("{}", 1))
    end = rf"{after}(?![\w%])" if after else r"(?![\d%])(?! ?%)(?!\.\d)"
    return f"{before}{_NUMBER}{end}"


def _value(digits: str) -> int:
    return int(digits.replace(",", ""))


def _train_prices(title: Title) -> dict[str, set[int]]:
    """Return the prices of all trains with the same name, with and without a trade-in."""
    prices: dict[str, set[int]] = {}
    for train in title.trains:
        for face in train.faces:
            own = {face.price, *(trade.price for trade in face.trade_ins)}
            for name in {face.name, train.id if len(train.faces) == 1 else face.name}:
                prices.setdefault(name, set()).update(own)
    return prices


def _events(title: Title, phase: Phase) -> Problems:
    """Yield problems of trains that rust and of train limits among the events of a phase."""
    triggers = {phase.id}
    ends: dict[str, set[str]] = {}
    for train in title.trains:
        names = {train.id, *(face.name for face in train.faces)}
        if train.starts == phase.id or names & set(phase.begun_by):
            triggers |= names
        for face in train.faces:
            for name in (face.name, train.id):
                ends.setdefault(name, set()).update((*face.rusts_on, *face.obsolete_on))
    limits = {limit.limit for limit in phase.train_limits}
    for number, event in enumerate(phase.events):
        at = join_pointer("phases", phase.id, "events", number)
        for _, words in event.forms:
            for pattern in _RUSTED:
                for found in re.finditer(pattern, words):
                    end = ends.get(found[1])
                    if end and not end & triggers:
                        data = f'"rusts_on": {", ".join(sorted(end))} for train {found[1]}'
                        yield _problem(at, found.group(), data)
            for pattern in _LIMIT:
                for found in re.finditer(pattern, words):
                    if limits and int(found[1]) not in limits:
                        data = f"train limits of {', '.join(map(str, sorted(limits)))} in phase {phase.id}"
                        yield _problem(at, found.group(), data, f"phase.{phase.id}.limit")


def _is(text: Text, names: Collection[str]) -> bool:
    """Return True if a heading is one of some names in any language; a part after a comma is a
    unit."""
    return any(
        words.casefold().split(",")[0].split("、")[0].strip() in names for _, words in text.forms
    )


def _plain_value(title: Title, cell: Text) -> int | None:
    """Return the amount in a cell, with or without the sign of the currency; None for anything
    else."""
    for _, words in cell.forms:
        found = re.fullmatch(f"{_NUMBER}枚?|" + _amount(title.currency), words.strip())
        if found is not None:
            return _value(found[1] or found[2])
    return None


def _players_table(title: Title, table: AidTable, at: str) -> Problems:
    """Yield problems of cash and certificate limits by number of players."""
    if not _is(table.head[0], _PLAYERS):
        return
    counts = {str(count.players): count for count in title.players}
    for row, cells in enumerate(table.rows):
        for column, cell in enumerate(cells[1:], 1):
            count = (
                counts.get(table.head[column].get("en").strip())
                if column < len(table.head)
                else None
            )
            value = _plain_value(title, cell)
            if count is None or value is None:
                continue
            pointer = f"{at}/{row}/{column}"
            if _is(cells[0], _CASH) and value != count.cash:
                data = f"{title.money(count.cash)} for {count.players} players"
                yield _problem(pointer, cell.get("en"), data, f"cash.{count.players}")
            limits = {count.certificate_limit, *(limit for _, limit in count.limits)} - {None}
            if _is(cells[0], _CERTIFICATES) and limits and value not in limits:
                data = f"a limit of {', '.join(map(str, sorted(filter(None, limits))))} with {count.players} players"
                yield _problem(pointer, cell.get("en"), data, f"certificate_limit.{count.players}")


def _train_table(title: Title, table: AidTable, at: str, prices: dict[str, set[int]]) -> Problems:
    """Yield problems of train prices, one row for each train."""
    columns = [number for number, head in enumerate(table.head) if _is(head, _PRICE)]
    if not _is(table.head[0], _TRAIN) or len(columns) != 1:
        return
    for row, cells in enumerate(table.rows):
        name = cells[0].get("en").split(",")[0].strip()
        value = _plain_value(title, cells[columns[0]]) if columns[0] < len(cells) else None
        if value is not None and name in prices and value not in prices[name]:
            data = f"{', '.join(title.money(price) for price in sorted(prices[name]))} for train {name}"
            yield _problem(
                f"{at}/{row}/{columns[0]}", cells[columns[0]].get("en"), data, f"train.{name}.price"
            )
