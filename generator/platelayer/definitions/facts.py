"""Facts in texts: {cash.4}, {train.5.price} and the like, filled from the definition that holds
them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from platelayer.definitions.decode import Json, decode
from platelayer.foundation.pointers import join_pointer
from platelayer.foundation.problems import Problem, Problems
from platelayer.foundation.suggestions import listed, suggestion
from platelayer.model.market import Market
from platelayer.model.title import printed_amount

# A brace that is printed, or the path of a fact. Other braces, such as {0} and { } around words,
# stay as they are.
_BRACES = re.compile(r"\{\{|\}\}|\{([^\W\d][^{}\s]*)\}")
# Keys below which braces mean something else, or no text says anything of the title.
_NO_FACTS = frozenset(("$comment", "$schema", "currency", "terms", "hexes", "map_tiles", "tiles"))
# Keys whose texts are not filled here; a patch is filled when it is applied.
_NO_TEXTS = _NO_FACTS | {"patch"}
UNKNOWN_FACT = "RF24"
# After the path of an amount: without the sign of the currency.
_PLAIN = ".number"


def with_facts(title: Json) -> Json:
    """An assembled title with the facts in its texts filled; paths that lead nowhere stay as they
    are. What holds no fact is the same object."""
    filled: Json = filling(title)(title, ())
    return filled


def filling(title: Json) -> Callable[[Any, Iterable[str]], Any]:
    """Return a function that fills the facts of a title in any part of it, given the keys that lead
    there."""
    known = _Known(title)

    def fill(_at: tuple[str | int, ...], words: str) -> str:
        return _BRACES.sub(lambda found: known.shown(found) or found[0], words)

    return lambda part, keys: (
        _mapped({"": part}, (), fill)[""] if _NO_TEXTS.isdisjoint(keys) else part
    )


def fact_faults(title: Json) -> Problems:
    """RF24 for each path in a text of an assembled title that leads to no fact."""
    known = _Known(title)
    faults = []

    def look(at: tuple[str | int, ...], words: str) -> str:
        for found in _BRACES.finditer(words):
            if found[1] is not None and known.shown(found) is None:
                faults.append(known.fault(found[1], join_pointer(*at)))
        return words

    _mapped(title, (), look)
    yield from faults


def with_id_in_facts(words: str, fault: Problem, old: str, new: str) -> str:
    """A text with another id in the path that a fault is about."""
    found = _BRACES.search(fault.message)
    path = found[1] if found is not None else ""
    return words.replace(
        f"{{{path}}}", f"{{{re.sub(rf'(?<=[.]){re.escape(old)}(?=[.]|$)', lambda _: new, path)}}}"
    )


def escaped(definition: Any) -> Any:
    """A definition from elsewhere, whose texts print as they are: their braces name no facts."""
    return _mapped(
        definition, (), lambda _at, words: words.replace("{", "{{").replace("}", "}}"), _NO_FACTS
    )


def _mapped(
    value: Any,
    at: tuple[str | int, ...],
    change: Callable[[tuple[str | int, ...], str], str],
    skipped: frozenset[str] = _NO_TEXTS,
) -> Any:
    """A list or an object with its strings changed that hold braces; the same one if none is."""
    changed = {}
    for key, item in value.items() if isinstance(value, dict) else enumerate(value):
        if key in skipped:
            continue
        other = item
        if isinstance(item, str):
            if "{" in item or "}" in item:
                other = change((*at, key), item)
        elif isinstance(item, (dict, list)):
            other = _mapped(item, (*at, key), change, skipped)
        if other is not item:
            changed[key] = other
    if not changed:
        return value
    if isinstance(value, list):
        return [changed.get(number, item) for number, item in enumerate(value)]
    return {**value, **changed}


class _Known:
    """The facts of a title by their paths, worked out for the first text that names one."""

    def __init__(self, title: Json) -> None:
        self._title = title
        self._facts: dict[str, str] | None = None

    @property
    def facts(self) -> Mapping[str, str]:
        if self._facts is None:
            self._facts = dict(_facts(self._title))
        return self._facts

    def shown(self, found: re.Match[str]) -> str | None:
        """Printed form of braces that were found; None if the path leads nowhere."""
        return found[0][0] if found[1] is None else self.facts.get(found[1])

    def fault(self, path: str, pointer: str) -> Problem:
        first = path.partition(".")[0]
        plain = [fact for fact in self.facts if not fact.endswith(_PLAIN)]
        beside = [fact for fact in plain if fact.startswith(f"{path}.")]
        beside = beside or [fact for fact in plain if fact.partition(".")[0] == first]
        kinds = dict.fromkeys(fact.partition(".")[0] for fact in plain)
        known = (
            listed(beside, most=8)
            if beside
            else f"they begin with {listed(kinds, most=12)}"
            if kinds
            else "none"
        )
        hint = suggestion(path, plain) or "a brace that is printed is written {{ or }}"
        message = f"there is no fact {{{path}}} in this title; known: {known}"
        return Problem(UNKNOWN_FACT, message, hint, pointer=pointer)


def _facts(title: Json) -> Iterator[tuple[str, str]]:
    """Paths and what they print. What several companies or cards have is a fact if it is the same
    for all."""
    currency = title.get("currency", "{}")
    values_of: dict[tuple[str, bool], set[int]] = {}
    for path, value, is_money in _found(title):
        if isinstance(value, int) and not isinstance(value, bool):
            values_of.setdefault((path, is_money), set()).add(value)
    for (path, is_money), (value, *others) in values_of.items():
        if not others:
            yield path, printed_amount(value, currency) if is_money else str(value)
            if is_money:
                yield path + _PLAIN, printed_amount(value, "{}")


def _found(title: Json) -> Iterator[tuple[str, Any, bool]]:
    """Path, value and whether it is money; values may be missing."""
    yield "bank", title.get("bank"), True
    for players, given in title.get("players", {}).items():
        yield f"cash.{players}", given.get("cash"), True
        yield f"bank.{players}", given.get("bank"), True
        limit = given.get("certificate_limit")
        yield f"certificate_limit.{players}", limit, False
        for left, own in limit.items() if isinstance(limit, dict) else ():
            yield f"certificate_limit.{players}.{left}", own, False
    for company_id, company in {**title.get("privates", {}), **title.get("companies", {})}.items():
        for name in filter(
            None, dict.fromkeys((company_id, company.get("kind"), company.get("size")))
        ):
            for path, value, is_money in _company(company):
                yield f"company.{name}.{path}", value, is_money
    for phase_id, phase in title.get("phases", {}).items():
        yield f"phase.{phase_id}.rounds", phase.get("operating_rounds"), False
        for who, limit in phase.get("train_limits", {}).items():
            yield f"phase.{phase_id}.limit", limit, False
            yield f"phase.{phase_id}.limit.{who}", limit, False
    yield from _trains(title)
    yield from _prices(title.get("market"))
    yield from _courses(title)


def _trains(title: Json) -> Iterator[tuple[str, Any, bool]]:
    """Trains by the names on the cards, and cards of one train by their ids, too."""
    for train_id, card in title.get("trains", {}).items():
        yield f"train.{train_id}.count", card.get("count"), False
        faces = card.get("faces", [card])
        for face in faces:
            for name in filter(
                None, dict.fromkeys((face.get("name"), train_id if len(faces) == 1 else None))
            ):
                yield f"train.{name}.price", face.get("price"), True
                for trade in face.get("trade_ins", ()):
                    yield f"train.{name}.price.{trade['train']}", trade["price"], True


def _courses(title: Json) -> Iterator[tuple[str, Any, bool]]:
    """The course of the game: cycles, what rounds are worth, and the modes of a game with map
    tiles."""
    pieces = title.get("pieces", {})
    yield "cycles", pieces.get("cycles"), False
    for entry in pieces.get("rounds", ()):
        yield f"round.{entry['id']}", entry.get("amount"), True
    for mode_id, mode in (title.get("atlas") or {}).get("modes", {}).items():
        yield f"mode.{mode_id}.cycles", mode.get("cycles"), False
        for players, cash in mode.get("cash", {}).items():
            yield f"mode.{mode_id}.cash.{players}", cash, True
        for train, count in mode.get("trains", {}).items():
            yield f"mode.{mode_id}.train.{train}", count, False


def _company(company: Json) -> Iterator[tuple[str, Any, bool]]:
    """Costs, income and requirements of a company."""
    income = company.get("income")
    yield "value", company.get("value"), True
    yield "income", income, True
    yield "float", company.get("float_percent"), False
    for number, price in enumerate(company.get("stations", ()), 1):
        yield f"station.{number}", price, True


def _prices(market: Json | None) -> Iterator[tuple[str, int, bool]]:
    """Prices of the market, and start prices: the only one, the least, the most, and each by its
    number from 1; of all zones and of each."""
    if not isinstance(market, dict):
        return
    board = decode(Market, market)
    cells = [cell for row in board.rows for cell in row if cell is not None]
    for end, price in _ends(sorted({cell.price for cell in cells})):
        yield f"market.{end}", price, True
    zones = [("par", {zone.id for zone in board.zones if zone.par})]
    zones += [(f"par.{zone.id}", {zone.id}) for zone in board.zones if zone.par]
    for path, letters in zones:
        prices = sorted({cell.price for cell in cells if letters & set(cell.zones)})
        if len(prices) == 1:
            yield path, prices[0], True
        for end, price in _ends(prices):
            yield f"{path}.{end}", price, True
        for number, price in enumerate(prices, 1):
            yield f"{path}.{number}", price, True


def _ends(prices: list[int]) -> tuple[tuple[str, int], ...]:
    return (("least", prices[0]), ("most", prices[-1])) if prices else ()
