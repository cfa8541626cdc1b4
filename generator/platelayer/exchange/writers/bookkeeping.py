"""The books of a game as a spreadsheet: bank, players, companies, shares, private companies, trains
and revenue.

Every event is a line in one of two sheets: the ledger (money and shares change hands) and the
revenue of each operating round. Everything else is formulas over these, so any line can be
corrected later. Formulas refer to ranges by name, so that they are the same in every language.
openpyxl writes the file (ECMA-376, Office Open XML).
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from typing import Any
from xml.etree.ElementTree import canonicalize

from msgspec import Struct
from openpyxl import Workbook
from openpyxl.cell.cell import Cell
from openpyxl.formatting.rule import CellIsRule, FormulaRule
from openpyxl.styles import Alignment, Border, Font, PatternFill, Side
from openpyxl.utils import get_column_letter
from openpyxl.workbook.defined_name import DefinedName
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.properties import PageSetupProperties
from openpyxl.worksheet.worksheet import Worksheet

from platelayer.exchange.writers.pictures import zipped
from platelayer.foundation.languages import FixedWords
from platelayer.foundation.text import Text
from platelayer.model.company import Company, CompanyKind
from platelayer.model.title import Title

_words = FixedWords("bookkeeping")

# Numbers of lines and rounds; users can copy more below.
LEDGER_LINES, OPERATING_ROUNDS = 500, 12
# Number of player columns if the title does not say how many play.
_MOST_PLAYERS = 6
_UNSEEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f]")
_HEAD, _INPUT, _RULE = "FF3D4A57", "FFFFF6D6", "FFB8C0C8"
# Numbers; zero prints as a dash.
_PLAIN = "0;-0;–"
_PRIVATE = (CompanyKind.PRIVATE, CompanyKind.CONCESSION)


def books(title: Title, language: str) -> bytes:
    """Return the workbook of a title (.xlsx). The same title gives the same bytes."""
    workbook = Workbook()
    workbook.remove(workbook.worksheets[0])
    writer = _Books(title=title, language=language, workbook=workbook)
    written = {key: write for key, write in _SHEETS.items() if key != "privates" or writer.private}
    for key in written:
        writer.sheets[key] = workbook.create_sheet(writer.words(f"sheet_{key}"))
    for write in written.values():
        write(writer)
    workbook.properties.title = writer.words("books_of", title.name.get(language))
    workbook.properties.creator = "Platelayer"
    return packed(workbook)


class _Books(Struct, kw_only=True):
    """A workbook in the making. `sheets` are by key."""

    title: Title
    language: str
    workbook: Workbook
    sheets: dict[str, Worksheet] = {}

    def words(self, key: str, *values: Any) -> str:
        """Return fixed words in the language of the books."""
        return _words(key).get(self.language).format(*values)

    def text(self, text: Text | None) -> str:
        """Return a text of the title on one line; empty for None."""
        return " ".join(text.get(self.language).split()) if text is not None else ""

    @property
    def players(self) -> int:
        """Number of columns for players."""
        return self.title.most_players or _MOST_PLAYERS

    @property
    def operating(self) -> list[Company]:
        """Companies that operate."""
        return [company for company in self.title.companies if company.kind not in _PRIVATE]

    @property
    def private(self) -> list[Company]:
        """Companies that do not operate: privates and concessions."""
        return [company for company in self.title.companies if company.kind in _PRIVATE]

    @property
    def money(self) -> str:
        """Number format for amounts in the title's currency; zero prints as a dash."""
        before, _, behind = self.title.currency.partition("{}")
        quoted = ['"' + part.replace('"', "'") + '"' if part else "" for part in (before, behind)]
        pattern = "#,##0".join(quoted)
        return f"{pattern};-{pattern};–"

    def name(self, name: str, sheet: str, first: str, last: str | None = None) -> None:
        """Name a range of cells of a sheet, or the single cell `first`."""
        quoted = self.sheets[sheet].title.replace("'", "''")
        cells = ":".join(
            re.sub(r"([A-Z]+)([0-9]+)", r"$\1$\2", cell) for cell in (first, last) if cell
        )
        self.workbook.defined_names[name] = DefinedName(name, attr_text=f"'{quoted}'!{cells}")

    def name_columns(
        self, sheet: str, letters: Mapping[str, str], last: int, *, first: int = 2
    ) -> None:
        """Name the cells of columns from row `first` to row `last`."""
        for name, letter in letters.items():
            self.name(name, sheet, f"{letter}{first}", f"{letter}{last}")


def _put(
    sheet: Worksheet, at: str, value: Any, *, form: str | None = None, bold: bool = False
) -> Cell:
    """Write a cell. Text is never taken for a formula unless it is a `_Formula`."""
    cell: Cell = sheet[at]
    cell.value = _UNSEEN.sub("", value) if isinstance(value, str) else value
    if isinstance(value, str) and not isinstance(value, _Formula):
        cell.data_type = "s"
    if form is not None:
        cell.number_format = form
    if bold:
        cell.font = Font(bold=True)
    return cell


class _Formula(str):
    """Formula, as opposed to text that looks like one."""

    __slots__ = ()


def _input(cell: Cell) -> Cell:
    """Mark a cell as one to type in, and return it."""
    cell.fill = PatternFill("solid", fgColor=_INPUT)
    return cell


def _head(sheet: Worksheet, at: str, words: str) -> None:
    cell = _put(sheet, at, words)
    cell.font = Font(bold=True, color="FFFFFFFF")
    cell.fill = PatternFill("solid", fgColor=_HEAD)
    cell.alignment = Alignment(wrap_text=True, vertical="center", horizontal="center")


def _heads(
    books: _Books,
    key: str,
    *parts: Sequence[tuple[str, float]],
    players: bool = False,
    more: Sequence[tuple[str, float]] = (),
) -> Worksheet:
    """Write a row of headings and set the widths of their columns: words by their keys, the players
    after the first part, and `more` unchanged. Return the sheet."""
    sheet, row = books.sheets[key], 1
    named = [[(books.words(word), width) for word, width in part] for part in parts]
    game = books.sheets["game"].title
    rows = range(_FIRST_PLAYER, _FIRST_PLAYER + books.players) if players else ()
    heads = [(_Formula(f"=IF('{game}'!B{at}=\"\",\"\",'{game}'!B{at})"), 12.0) for at in rows]
    for column, (words, width) in enumerate([*named[0], *heads, *chain(*named[1:]), *more], 1):
        _head(sheet, f"{_letter(column)}{row}", words)
        sheet.column_dimensions[_letter(column)].width = width
    sheet.row_dimensions[row].height = 30
    sheet.freeze_panes = f"A{row + 1}"
    sheet.page_setup.orientation = "landscape"
    sheet.page_setup.fitToHeight = 0
    sheet.sheet_properties.pageSetUpPr = PageSetupProperties(fitToPage=True)
    sheet.print_title_rows = f"{row}:{row}"
    return sheet


def _letter(column: int) -> str:
    return str(get_column_letter(column))


def _choices(sheet: Worksheet, cells: str, source: str) -> None:
    """Add a list of suggestions to cells; other values may be typed as well."""
    validation = DataValidation(
        type="list", formula1=source, allow_blank=True, showErrorMessage=False
    )
    validation.add(cells)
    sheet.add_data_validation(validation)


def _as_typed(name: str) -> str | int:
    """Return a name as a spreadsheet stores it when somebody types it or chooses it from a list:
    "2" becomes a number."""
    return int(name) if name.isdecimal() and name.isascii() and str(int(name)) == name else name


def _badge(cell: Cell, company: Company) -> None:
    """Give the cell of a company's id the company's colours."""
    cell.fill = PatternFill("solid", fgColor=f"FF{company.colour[1:].upper()}")
    cell.font = Font(bold=True, color=f"FF{company.text_colour[1:].upper()}")


# Sheets

# Row of the first player on the sheet "game".
_FIRST_PLAYER = 5


def _game(books: _Books) -> None:
    """Write the players, the values that depend on their number, the phases, and the names for the
    ledger."""
    sheet, title, count = books.sheets["game"], books.title, books.players
    _put(sheet, "A1", books.words("books_of", title.name.get(books.language)), bold=True)
    _put(sheet, "A2", books.words("how")).alignment = Alignment(wrap_text=True, vertical="top")
    sheet.merge_cells("A2:J2")
    sheet.row_dimensions[2].height = 32
    last = _FIRST_PLAYER + count - 1
    _head(sheet, "A4", books.words("players"))
    for number in range(count):
        row = _FIRST_PLAYER + number
        _put(sheet, f"A{row}", number + 1)
        _input(_put(sheet, f"B{row}", books.words("player", number + 1)))
    books.name("Players", "game", f"B{_FIRST_PLAYER}", f"B{last}")
    _settings(books)
    _by_players(books)
    _phases(books, max(last, 13) + 2)
    names = [books.words(key) for key in ("bank", "pool", "unsold")]
    players = (_Formula(f'=IF(B{row}="","",B{row})') for row in range(_FIRST_PLAYER, last + 1))
    cells = [*names, *players, *(company.id for company in books.operating)]
    _head(sheet, "T4", books.words("names"))
    for row, name in enumerate(cells, _FIRST_PLAYER):
        _put(sheet, f"T{row}", name)
    books.name("Names", "game", f"T{_FIRST_PLAYER}", f"T{_FIRST_PLAYER + len(cells) - 1}")
    for name, row in (("Bank", 0), ("Pool", 1), ("Unsold", 2)):
        books.name(name, "game", f"T{_FIRST_PLAYER + row}")
    shares = [company.id for company in (*books.operating, *books.private)]
    _head(sheet, "U4", books.words("shares"))
    for row, share in enumerate(shares, _FIRST_PLAYER):
        _put(sheet, f"U{row}", share)
    books.name("Shares", "game", f"U{_FIRST_PLAYER}", f"U{_FIRST_PLAYER + max(len(shares), 1) - 1}")
    for column, width in {
        "A": 11,
        "B": 20,
        "C": 3,
        "D": 54,
        "E": 26,
        "F": 3,
        "T": 16,
        "U": 12,
    }.items():
        sheet.column_dimensions[column].width = width


def _settings(books: _Books) -> None:
    sheet, phases = books.sheets["game"], books.title.phases
    _head(sheet, "D4", books.words("settings"))

    def looked_up(name: str) -> _Formula:
        return _Formula(f"=IFERROR(INDEX({name},MATCH(Player_Count,Player_Counts,0)),0)")

    settings = [
        ("player_count", "Player_Count", _Formula('=SUMPRODUCT(--(Players<>""))'), None, False),
        ("start_cash", "Start_Cash", looked_up("Start_Cashes"), books.money, False),
        ("bank_at_start", "Bank_Start", looked_up("Banks"), books.money, False),
        ("certificate_limit", "Certificate_Limit", looked_up("Certificate_Limits"), None, False),
        ("phase", "Phase", _as_typed(phases[0].id) if phases else "", None, True),
        ("pool_pays", "Pool_Pays", 1, None, True),
        ("unsold_pays", "Unsold_Pays", 0, None, True),
    ]
    for row, (key, name, value, form, typed) in enumerate(settings, 5):
        _put(sheet, f"D{row}", books.words(key))
        cell = _put(sheet, f"E{row}", value, form=form)
        if typed:
            _input(cell)
        books.name(name, "game", f"E{row}")


def _by_players(books: _Books) -> None:
    """Write the values for each number of players, next to the settings that look them up."""
    sheet, title = books.sheets["game"], books.title
    keys = ("player_count", "start_cash", "bank_at_start", "certificate_limit")
    for letter, key in zip("GHIJ", keys, strict=True):
        _head(sheet, f"{letter}4", books.words(key))
        sheet.column_dimensions[letter].width = 20
    for row, count in enumerate(title.players, 5):
        limit = count.limits[0][1] if count.limits else count.certificate_limit
        _put(sheet, f"G{row}", count.players)
        _put(sheet, f"H{row}", count.cash, form=books.money)
        _put(sheet, f"I{row}", count.bank or title.bank or 0, form=books.money)
        _put(sheet, f"J{row}", limit if limit is not None else 0)
    names = {"Player_Counts": "G", "Start_Cashes": "H", "Banks": "I", "Certificate_Limits": "J"}
    books.name_columns("game", names, 4 + max(len(title.players), 1), first=5)


def _phases(books: _Books, row: int) -> None:
    """Write the phases with what they allow, and train limits by kind or size of company in columns
    that `_limit` looks up."""
    sheet, title = books.sheets["game"], books.title
    kinds = _limited(title)
    heads = ["phase", "operating_rounds", "begins", "tiles"]
    for letter, key in zip("ABDE", heads, strict=True):
        _head(sheet, f"{letter}{row}", books.words(key))
    for column, kind in enumerate(kinds, 7):
        _head(sheet, f"{_letter(column)}{row}", books.words("limit_of", _kind_words(books, kind)))
    trains = {train.id: " / ".join(face.name for face in train.faces) for train in title.trains}
    for number, phase in enumerate(title.phases, row + 1):
        _put(sheet, f"A{number}", _as_typed(phase.id))
        _put(sheet, f"B{number}", phase.operating_rounds)
        begun = " / ".join(trains.get(name, name) for name in phase.begun_by)
        _put(sheet, f"D{number}", begun or books.text(phase.begins))
        colours = FixedWords("cards").table("colour")
        _put(
            sheet,
            f"E{number}",
            ", ".join(colours[colour].get(books.language) for colour in phase.tiles),
        )
        limits = {limit.who: limit.limit for limit in phase.train_limits}
        for column, kind in enumerate(kinds, 7):
            _put(sheet, f"{_letter(column)}{number}", limits.get(kind))
    last = row + max(len(title.phases), 1)
    books.name("Phases", "game", f"A{row + 1}", f"A{last}")
    for column, _ in enumerate(kinds, 7):
        books.name(
            f"Limits_{column - 6}",
            "game",
            f"{_letter(column)}{row + 1}",
            f"{_letter(column)}{last}",
        )
    if title.phases:
        _choices(sheet, "E9", "Phases")


def _limited(title: Title) -> list[str]:
    """Return the kinds and sizes of company that have train limits."""
    return list(dict.fromkeys(limit.who for phase in title.phases for limit in phase.train_limits))


def _kind_words(books: _Books, kind: str) -> str:
    known = FixedWords("cards").table("who")
    return known[kind].get(books.language) if kind in known else kind


def _ledger(books: _Books) -> None:
    last = LEDGER_LINES + 1
    columns = {
        "Ledger_Round": ("round", 9), "Ledger_Payer": ("payer", 14), "Ledger_Payee": ("payee", 14),
        "Ledger_Amount": ("amount", 12), "Ledger_What": ("what", 34), "Ledger_Share": ("share_of", 12),
        "Ledger_Percent": ("percent", 8), "Ledger_From": ("share_from", 14), "Ledger_To": ("share_to", 14),
    }  # fmt: skip
    sheet = _heads(books, "ledger", list(columns.values()))
    books.name_columns("ledger", dict(zip(columns, "ABCDEFGHI", strict=True)), last)
    for letter in "ABCDEFGHI":
        for row in range(2, last + 1):
            cell = _input(sheet[f"{letter}{row}"])
            if letter == "D":
                cell.number_format = books.money
    for letter in "BCHI":
        _choices(sheet, f"{letter}2:{letter}{last}", "Names")
    _choices(sheet, f"F2:F{last}", "Shares")


def _held(company: str, holder: str, until: str | None = None) -> str:
    """Return the formula of a holding in per cent at the end of a round: purchases minus sales.
    Without a round, all purchases and sales count."""
    of = f"Ledger_Percent,Ledger_Share,{company}"
    when = f',Ledger_Round,"<="&{until}' if until else ""
    return f"SUMIFS({of},Ledger_To,{holder}{when})-SUMIFS({of},Ledger_From,{holder}{when})"


def _revenue(books: _Books) -> None:
    """Write a block for each operating round: the revenue and payout of each company, and the
    income from private companies."""
    count = books.players
    heads = [("round", 9), ("company", 12), ("earned", 12), ("paid_out", 12)]
    behind = [("to_company", 14), ("receiver", 14), ("price_after", 12)]
    sheet = _heads(books, "revenue", heads, behind, players=True)
    players = [_letter(column) for column in range(5, 5 + count)]
    kept, receiver, price = (_letter(column) for column in range(5 + count, 8 + count))
    companies = [*books.operating, *books.private]
    row = 2
    # A stock round precedes each set of operating rounds; all sets are as long as the first.
    phases = books.title.phases
    in_set = max(1, phases[0].operating_rounds if phases else 1)
    for number_of_round in range(OPERATING_ROUNDS):
        round_number = 2 + number_of_round + number_of_round // in_set
        for index, company in enumerate(companies):
            own = company.kind not in _PRIVATE
            number = _put(sheet, f"A{row}", _Formula(f"=A{row - index}") if index else round_number)
            _badge(_put(sheet, f"B{row}", company.id), company)
            earned = _put(sheet, f"C{row}", None if own else company.income or 0, form=books.money)
            paid = _put(sheet, f"D{row}", _Formula(f"=C{row}"), form=books.money)
            for cell in (earned, paid, *(() if index else (number,))):
                _input(cell)
            for letter in players:
                held = _held(f"$B{row}", f"{letter}$1", f"$A{row}")
                formula = f'=IF({letter}$1="",0,ROUNDUP($D{row}*({held})/100,0))'
                _put(sheet, f"{letter}{row}", _Formula(formula), form=books.money)
            if own:
                pool, unsold = (_held(f"$B{row}", name, f"$A{row}") for name in ("Pool", "Unsold"))
                shares = f"Pool_Pays*({pool})+Unsold_Pays*(100+{unsold})"
                left = f"=C{row}-D{row}+ROUNDUP(D{row}*({shares})/100,0)"
                _put(sheet, f"{receiver}{row}", _Formula(f"=B{row}"))
                _input(_put(sheet, f"{price}{row}", None, form=books.money))
            else:
                paid_out = f"SUM({players[0]}{row}:{players[-1]}{row})"
                left = f'=IF({receiver}{row}="",0,D{row}-{paid_out})'
                _input(sheet[f"{receiver}{row}"])
            _put(sheet, f"{kept}{row}", _Formula(left), form=books.money)
            for letter in () if index else ("A", "B", "C", "D", *players, kept, receiver, price):
                sheet[f"{letter}{row}"].border = Border(top=Side("medium", color=_RULE))
            row += 1
    last = max(row - 1, 2)
    names = {f"Paid_{number}": letter for number, letter in enumerate(players, 1)}
    books.name_columns("revenue", names | {"Kept": kept, "Receivers": receiver}, last)
    books.name("All_Paid", "revenue", f"{players[0]}2", f"{players[-1]}{last}")
    _choices(sheet, f"{receiver}2:{receiver}{last}", "Names")


def _companies(books: _Books) -> None:
    """Write the shareholders, treasury and trains of each company."""
    heads = [("company", 12), ("name", 34), ("kind", 12), ("president", 14), ("start_price", 11), ("price", 11),
             ("unit", 9), ("director", 9)]  # fmt: skip
    behind = [("pool", 9), ("unsold", 9), ("others", 9), ("treasury", 13), ("trains", 9), ("limit", 9)]  # fmt: skip
    sheet = _heads(books, "companies", heads, behind, players=True)
    first = len(heads) + 1
    pool, unsold, others, treasury, trains, limit = (
        _letter(first + books.players + index) for index in range(len(behind))
    )
    kinds = _limited(books.title)
    last = max(len(books.operating), 1) + 1
    for row, company in enumerate(books.operating, 2):
        _badge(_put(sheet, f"A{row}", company.id), company)
        _put(sheet, f"B{row}", books.text(company.name))
        _put(sheet, f"C{row}", _kind_words(books, company.size or company.kind.value))
        for letter in "DEF":
            _input(_put(sheet, f"{letter}{row}", None, form=books.money))
        for letter, percent in zip("GH", _unit(company), strict=True):
            _put(sheet, f"{letter}{row}", percent)
        players = _put_held(books, sheet, row, first)
        formulas = {
            pool: f"={_held(f'$A{row}', 'Pool')}",
            unsold: f"=100+{_held(f'$A{row}', 'Unsold')}",
            others: f"=100-SUM({players})-{pool}{row}-{unsold}{row}",
            treasury: f"=SUMIFS(Ledger_Amount,Ledger_Payee,$A{row})-SUMIFS(Ledger_Amount,Ledger_Payer,$A{row})"
            f"+SUMIFS(Kept,Receivers,$A{row})",
            trains: f"=IFERROR(INDEX(Trains_Held,1,MATCH($A{row},Train_Owners,0)),0)",
            limit: _limit(company, kinds),
        }
        for letter, formula in formulas.items():
            form = books.money if letter == treasury else _PLAIN
            _put(sheet, f"{letter}{row}", _Formula(formula), form=form)
    _choices(sheet, f"D2:D{last}", "Players")
    names = {"Companies": "A", "Presidents": "D", "Prices": "F", "Units": "G", "Directors": "H"}
    names |= {f"Held_{at + 1}": _letter(first + at) for at in range(books.players)}
    books.name_columns("companies", names, last)
    ends = (f"{treasury}2", f"{treasury}{last}") if books.operating else ("A2", "A2")
    books.name("Treasuries", "companies", *ends)


def _put_held(books: _Books, sheet: Worksheet, row: int, first: int) -> str:
    """Write each player's holding in a company, from column `first` on. Return the range of
    cells."""
    letters = [_letter(column) for column in range(first, first + books.players)]
    for letter in letters:
        held = _held(f"$A{row}", f"{letter}$1")
        formula = _Formula(f'=IF({letter}$1="",0,{held})')
        _put(sheet, f"{letter}{row}", formula, form=_PLAIN)
    return f"{letters[0]}{row}:{letters[-1]}{row}"


def _unit(company: Company) -> tuple[float, float]:
    """Return the percentages of an ordinary share and of the director's certificate."""
    if not company.certificates:
        return 100, 100
    director = next((part.percent for part in company.certificates if part.director), 0)
    ordinary = [part.percent for part in company.certificates if not part.director]
    unit = min(ordinary, default=director or 100)
    return unit, director or unit


def _limit(company: Company, kinds: Sequence[str]) -> str:
    """Return the formula of a company's train limit in the current phase."""
    who = company.size if company.size in kinds else company.kind.value
    own = company.train_limit if company.train_limit is not None else '""'
    if who not in kinds:
        return f"={own}"
    limit = f"INDEX(Limits_{kinds.index(who) + 1},MATCH(Phase,Phases,0))"
    return f'=IFERROR(IF({limit}="",{own},{limit}),{own})'


def _privates(books: _Books) -> None:
    heads = [("company", 12), ("name", 40), ("value", 11), ("income", 22), ("closes", 16)]
    sheet = _heads(books, "privates", heads, [("owner", 14)], players=True)
    first, last = len(heads) + 1, max(len(books.private), 1) + 1
    phases = {phase.id for phase in books.title.phases}
    for row, private in enumerate(books.private, 2):
        _badge(_put(sheet, f"A{row}", private.id), private)
        _put(sheet, f"B{row}", books.text(private.name))
        _put(sheet, f"C{row}", private.value, form=books.money)
        incomes = [step.value for step in private.incomes] or [private.income or 0]
        _put(sheet, f"D{row}", " / ".join(map(books.title.money, incomes)))
        closes = private.closes or ""
        _put(sheet, f"E{row}", books.words("in_phase", closes) if closes in phases else closes)
        held = _put_held(books, sheet, row, first)
        names = f"{_letter(first)}$1:{_letter(first + books.players - 1)}$1"
        owner = f'=IFERROR(INDEX({names},1,MATCH(100,{held},0)),"")'
        _put(sheet, f"{_letter(first + books.players)}{row}", _Formula(owner))
    columns = {f"Privates_{at + 1}": _letter(first + at) for at in range(books.players)}
    books.name_columns("privates", {"Private_Values": "C"} | columns, last)


def _trains(books: _Books) -> None:
    """Write the trains of each company, and the number of trains left."""
    title, companies = books.title, books.operating
    heads = [("train", 16), ("value", 16), ("in_the_box", 11), ("rusts", 14), ("out_of_play", 10), ("left", 9)]  # fmt: skip
    sheet = _heads(books, "trains", heads, more=[(company.id, 9) for company in companies])
    first, last = len(heads) + 1, max(len(title.trains), 1) + 1
    columns = [_letter(first + index) for index in range(len(companies))]
    for row, train in enumerate(title.trains, 2):
        prices = dict.fromkeys(title.money(face.price) for face in train.faces)
        ends = dict.fromkeys(
            end for face in train.faces for end in (*face.rusts_on, *face.obsolete_on)
        )
        held = f"SUM({columns[0]}{row}:{columns[-1]}{row})" if columns else "0"
        endless = books.words("endless")
        _put(sheet, f"A{row}", " / ".join(face.name for face in train.faces), bold=True)
        _put(sheet, f"B{row}", " / ".join(prices))
        _put(sheet, f"C{row}", endless if train.unlimited else train.count)
        _put(sheet, f"D{row}", ", ".join(ends))
        left = endless if train.unlimited else _Formula(f"=C{row}-E{row}-{held}")
        _put(sheet, f"F{row}", left)
        for letter in ("E", *columns):
            _input(sheet[f"{letter}{row}"])
    _put(sheet, f"A{last + 1}", books.words("total"), bold=True)
    for letter, company in zip(columns, companies, strict=True):
        _badge(sheet[f"{letter}1"], company)
        total = _Formula(f"=SUM({letter}2:{letter}{last})")
        _put(sheet, f"{letter}{last + 1}", total, form=_PLAIN, bold=True)
    ends_at = columns[-1] if columns else _letter(first)
    for name, row in (("Train_Owners", 1), ("Trains_Held", last + 1)):
        books.name(name, "trains", f"{_letter(first)}{row}", f"{ends_at}{row}")


def _balance(books: _Books) -> None:
    """Write the worth of each player, the bank, and a check that all money is accounted for."""
    count = books.players
    heads = [("player", 18), ("cash", 13), ("shares", 13), ("privates", 18), ("worth", 14), ("certificates", 15),
             ("certificate_limit", 18)]  # fmt: skip
    sheet = _heads(books, "balance", [(f"head_{key}", width) for key, width in heads])
    for number in range(1, count + 1):
        row = number + 1
        _put(
            sheet,
            f"A{row}",
            _Formula(f'=IF(INDEX(Players,{number})="","",INDEX(Players,{number}))'),
            bold=True,
        )
        name = f"$A{row}"
        formulas = {
            "B": f"Start_Cash+SUMIFS(Ledger_Amount,Ledger_Payee,{name})-SUMIFS(Ledger_Amount,Ledger_Payer,{name})"
            f"+SUM(Paid_{number})",
            "C": f"SUMPRODUCT(Held_{number},Prices/Units)",
            "D": f"SUMPRODUCT(Privates_{number},Private_Values)/100" if books.private else "0",
            "E": f"B{row}+C{row}+D{row}",
            "F": f"SUMPRODUCT(Held_{number}/Units)-SUMPRODUCT((Presidents={name})*(Directors/Units-1))"
            + (f"+SUM(Privates_{number})/100" if books.private else ""),
            "G": "Certificate_Limit",
        }
        for letter, formula in formulas.items():
            form = books.money if letter in "BCDE" else _PLAIN
            _put(sheet, f"{letter}{row}", _Formula(f'=IF({name}="",0,{formula})'), form=form)
    last = count + 1
    row = last + 2
    flows = "SUMIFS(Ledger_Amount,Ledger_Payee,Bank)-SUMIFS(Ledger_Amount,Ledger_Payer,Bank)"
    lines = [
        ("head_bank", f"=Bank_Start-Player_Count*Start_Cash+{flows}-SUM(All_Paid)-SUM(Kept)"),
        ("head_treasuries", "=SUM(Treasuries)" if books.operating else "=0"),
        ("head_players", f"=SUM(B2:B{last})"),
        ("head_check", f"=B{row}+B{row + 1}+B{row + 2}-Bank_Start"),
    ]
    for number, (key, formula) in enumerate(lines, row):
        _put(sheet, f"A{number}", books.words(key), bold=True)
        _put(sheet, f"B{number}", _Formula(formula), form=books.money.rpartition(";")[0])
    _put(sheet, f"A{row + len(lines)}", books.words("check_says"))
    red = {"font": Font(color="FFC00000", bold=True), "fill": PatternFill(bgColor="FFFFD9D9")}
    sheet.conditional_formatting.add(
        f"B{row + 3}", CellIsRule(operator="notEqual", formula=["0"], **red)
    )
    over = FormulaRule(formula=["AND($G2>0,$F2>$G2)"], **red)
    sheet.conditional_formatting.add(f"F2:F{last}", over)


_SHEETS: dict[str, Callable[[_Books], None]] = {
    "game": _game,
    "ledger": _ledger,
    "revenue": _revenue,
    "companies": _companies,
    "privates": _privates,
    "trains": _trains,
    "balance": _balance,
}

# File


def packed(workbook: Workbook) -> bytes:
    """Return the file without the time it was written. Its XML is in canonical form, because
    openpyxl writes it differently if lxml is installed."""
    out, files = io.BytesIO(), {}
    workbook.save(out)
    with zipfile.ZipFile(out) as written:
        for name in written.namelist():
            xml = written.read(name).decode()
            if name == "docProps/core.xml":
                xml = re.sub(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", "1980-01-01T00:00:00Z", xml)
            files[name] = f'<?xml version="1.0" encoding="UTF-8"?>\n{canonicalize(xml)}'.encode()
    return zipped(files)
