"""Formulas of a workbook worked out, of those functions alone that our books use (ECMA-376 part 1,
18.17)."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from typing import Any

from openpyxl import Workbook
from openpyxl.utils import range_boundaries

Rows = list[list[Any]]

_TOKEN = re.compile(
    r"""\s*(?:
    (?P<text>"(?:[^"]|"")*") | (?P<number>\d+(?:\.\d+)?) |
    (?P<cells>(?:'(?:[^']|'')+'!)?\$?[A-Z]{1,3}\$?\d+(?::\$?[A-Z]{1,3}\$?\d+)?(?![\w(])) |
    (?P<call>[A-Z]+)\( | (?P<name>[A-Za-z_]\w*) | (?P<sign><>|<=|>=|[-+*/&=<>(),])
    )""",
    re.VERBOSE,
)
_ORDER: list[tuple[str, ...]] = [("=", "<>", "<", ">", "<=", ">="), ("&",), ("+", "-"), ("*", "/")]


class Wrong(Exception):
    """An error of a formula, such as #N/A."""


class Sheets:
    """A workbook whose cells have values."""

    def __init__(self, workbook: Workbook) -> None:
        self.workbook = workbook
        self._known: dict[tuple[str, int, int], Any] = {}
        self._ranges: dict[tuple[str, str], Rows] = {}

    def value(self, sheet: str, at: str) -> Any:
        """What a cell shows."""
        column, row, _, _ = range_boundaries(at)
        return self._cell(sheet, row, column)

    def cells(self, reference: str, sheet: str) -> Rows:
        """Values of a range."""
        name, _, cells = reference.rpartition("!")
        sheet = name[1:-1].replace("''", "'") if name else sheet
        if (sheet, cells) not in self._ranges:
            self._ranges[sheet, cells] = self._read(cells, sheet)
        return self._ranges[sheet, cells]

    def _read(self, cells: str, sheet: str) -> Rows:
        left, top, right, bottom = range_boundaries(cells.replace("$", ""))
        return [
            [self._cell(sheet, row, column) for column in range(left, right + 1)]
            for row in range(top, bottom + 1)
        ]

    def _cell(self, sheet: str, row: int, column: int) -> Any:
        key = (sheet, row, column)
        if key not in self._known:
            cell = self.workbook[sheet].cell(row, column)
            self._known[key] = (
                _Formula(self, sheet, cell.value[1:]).result()
                if cell.data_type == "f"
                else cell.value
            )
        return self._known[key]


class _Formula:
    def __init__(self, sheets: Sheets, sheet: str, text: str) -> None:
        self.sheets, self.sheet, self.text, self.at = sheets, sheet, text, 0

    def result(self) -> Any:
        value = _one(self.read())
        assert self.at == len(self.text), self.text[self.at :]
        return 0 if value is None else value

    def read(self, level: int = 0) -> Any:
        if level == len(_ORDER):
            return self.operand()
        left = self.read(level + 1)
        while (sign := self.peek()) in _ORDER[level]:
            self.next()
            left = _each(_SIGNS[sign], left, self.read(level + 1))
        return left

    def peek(self) -> str:
        match = _TOKEN.match(self.text, self.at)
        return match["sign"] or "" if match else ""

    def next(self) -> re.Match[str]:
        match = _TOKEN.match(self.text, self.at)
        assert match is not None, self.text[self.at :]
        self.at = match.end()
        return match

    def operand(self) -> Any:
        match = self.next()
        kind = match.lastgroup
        if kind == "text":
            return match["text"][1:-1].replace('""', '"')
        if kind == "number":
            return float(match["number"]) if "." in match["number"] else int(match["number"])
        if kind in ("cells", "name"):
            named = (
                self.sheets.workbook.defined_names[match["name"]].attr_text
                if kind == "name"
                else match["cells"]
            )
            return self.sheets.cells(named, self.sheet)
        if kind == "call":
            return self.call(match["call"])
        value = self.operand() if match["sign"] == "-" else self.read()
        if match["sign"] == "-":
            return _each(lambda one: -_number(one), value)
        assert match["sign"] == "(", match[0]
        assert self.next()["sign"] == ")"
        return value

    def call(self, name: str) -> Any:
        values: list[Any] = []
        wrong: list[Wrong] = []
        while True:
            start = self.at
            try:
                values.append(self.read())
                wrong.append(None)  # type: ignore[arg-type]
            except Wrong as error:
                self.at = self._end_of_argument(start)
                values.append(error)
                wrong.append(error)
            if self.next()["sign"] == ")":
                break
        if name == "IFERROR":
            return values[1] if isinstance(values[0], Wrong) else values[0]
        if name == "IF":
            chosen = (
                values[0]
                if isinstance(values[0], Wrong)
                else values[1 if _truth(_one(values[0])) else 2]
            )
            if isinstance(chosen, Wrong):
                raise chosen
            return chosen
        for value in values:
            if isinstance(value, Wrong):
                raise value
        return _FUNCTIONS[name](*values)

    def _end_of_argument(self, start: int) -> int:
        depth, quoted = 0, False
        for at in range(start, len(self.text)):
            char = self.text[at]
            quoted ^= char == '"'
            if not quoted:
                if depth == 0 and char in ",)":
                    return at
                depth += (char == "(") - (char == ")")
        raise AssertionError(self.text)


def _each(function: Callable[..., Any], *values: Any) -> Any:
    """A function of cells, place by place; a single cell goes with each."""
    shape = max(
        (value for value in values if isinstance(value, list)),
        key=lambda rows: len(rows) * len(rows[0]),
        default=None,
    )
    if shape is None:
        return function(*values)

    def at(value: Any, row: int, column: int) -> Any:
        whole = isinstance(value, list) and (len(value), len(value[0])) == (
            len(shape),
            len(shape[0]),
        )
        return value[row][column] if whole else _one(value)

    places = ([(row, column) for column in range(len(shape[0]))] for row in range(len(shape)))
    return [
        [function(*(at(value, *place) for value in values)) for place in line] for line in places
    ]


def _one(value: Any) -> Any:
    if not isinstance(value, list):
        return value
    assert len(value) == 1, "a range where one value is wanted"
    assert len(value[0]) == 1, "a range where one value is wanted"
    return value[0][0]


def _number(value: Any) -> float:
    if value is None:
        return 0
    if isinstance(value, str):
        raise Wrong("#VALUE!")
    return value + 0


def _truth(value: Any) -> bool:
    return bool(_number(value))


def _same(one: Any, other: Any) -> bool:
    one, other = ("" if value is None else value for value in (one, other))
    if isinstance(one, str) and isinstance(other, str):
        return one.casefold() == other.casefold()
    return type(one) is not str and type(other) is not str and one == other


_SIGNS: dict[str, Callable[[Any, Any], Any]] = {
    "=": _same, "<>": lambda one, other: not _same(one, other),
    "<": lambda one, other: _number(one) < _number(other), ">": lambda one, other: _number(one) > _number(other),
    "<=": lambda one, other: _number(one) <= _number(other), ">=": lambda one, other: _number(one) >= _number(other),
    "&": lambda one, other: f"{'' if one is None else one}{'' if other is None else other}",
    "+": lambda one, other: _number(one) + _number(other), "-": lambda one, other: _number(one) - _number(other),
    "*": lambda one, other: _number(one) * _number(other), "/": lambda one, other: _number(one) / _number(other),
}  # fmt: skip


def _flat(values: Sequence[Any]) -> list[Any]:
    return [
        cell
        for value in values
        for row in (value if isinstance(value, list) else [[value]])
        for cell in row
    ]


def _sum(*values: Any) -> float:
    return math.fsum(cell for cell in _flat(values) if isinstance(cell, (int, float)))


def _sumifs(amounts: Rows, *conditions: Any) -> float:
    tests = [
        (_flat([cells]), _one(said))
        for cells, said in zip(conditions[::2], conditions[1::2], strict=True)
    ]
    total = 0.0
    for index, amount in enumerate(_flat([amounts])):
        if isinstance(amount, (int, float)) and all(
            _meets(cells[index], said) for cells, said in tests
        ):
            total += amount
    return total


def _meets(value: Any, said: Any) -> bool:
    """What a cell must be: a number or a text that is one are the same, as is a comparison with
    one."""
    match = re.fullmatch(r"(<=)(-?\d+(?:\.\d+)?)", str(said))
    if match is not None:
        return isinstance(value, (int, float)) and value <= float(match[2])
    return (
        value is not None
        and said not in (None, "")
        and str(value).casefold() == str(said).casefold()
    )


def _match(wanted: Any, cells: Rows, kind: Any) -> int:
    assert kind == 0
    for index, cell in enumerate(_flat([cells]), 1):
        if cell is not None and _same(cell, _one(wanted)):
            return index
    raise Wrong("#N/A")


def _index(cells: Rows, row: Any, column: Any = None) -> Any:
    row, column = int(_one(row)), None if column is None else int(_one(column))
    return _flat([cells])[row - 1] if column is None else cells[row - 1][column - 1]


def _sumproduct(*values: Any) -> float:
    products = values[0]
    for value in values[1:]:
        products = _each(lambda one, other: _number(one) * _number(other), products, value)
    return _sum(products)


_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "SUM": _sum, "SUMIFS": _sumifs, "MATCH": _match, "INDEX": _index, "SUMPRODUCT": _sumproduct,
    "ROUNDUP": lambda value, places: math.ceil(_number(_one(value)) - 1e-9) if places == 0 else None,
}  # fmt: skip
