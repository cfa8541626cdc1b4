"""References to tiles, hexes, companies, trains, phases and zones that do not exist."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from platelayer.definitions.board_references import BOARD_CHECKS
from platelayer.definitions.build_board import cell_zones
from platelayer.definitions.build_title import trains_of_phase
from platelayer.definitions.names import Checks, Json, Names, unknown
from platelayer.foundation.languages import FixedWords, terms, wordings
from platelayer.foundation.phrases import fault
from platelayer.foundation.pointers import join_pointer
from platelayer.foundation.problems import Problem
from platelayer.foundation.suggestions import listed, suggestion
from platelayer.model.company import PRIVATES, CompanyKind
from platelayer.model.kinds import KINDS, Form
from platelayer.model.title import kind_of_size

MAX_CHART_SPACES = 1000

board_words = FixedWords("map")
cards = FixedWords("cards")

_FIELD_NAME = re.compile(r"[a-z0-9]+(_[a-z0-9]+)+")


def reference_faults(title: Json, unsound: Iterable[str] = ()) -> Iterator[Problem]:
    """Every fault found by the checks whose blocks are all sound."""
    names, barred = Names(title), set(unsound)
    for blocks, check in (*BOARD_CHECKS, *_CHECKS):
        if not barred.intersection(blocks):
            yield from check(names)


def _privates(names: Names) -> Iterator[Problem]:
    """DF07 for companies in the block of privates that operate."""
    for company_id, company in names.block(PRIVATES).items():
        if company["kind"] not in _NOT_OPERATING:
            message = f'"{company_id}" is a company of kind {company["kind"]}; here are privates and concessions only'
            hint = "move it to the block companies"
            pointer = join_pointer(PRIVATES, company_id, "kind")
            yield Problem(code="DF07", pointer=pointer, message=message, hint=hint)


_NOT_OPERATING = (CompanyKind.PRIVATE.value, CompanyKind.CONCESSION.value)


def _train_names(names: Names) -> Iterator[Problem]:
    """RF04: trains and phases that trains name."""
    phases = names.block("phases")
    for train_id, train in names.block("trains").items():
        pointer = join_pointer("trains", train_id)
        if "starts" in train and train["starts"] not in phases:
            yield unknown("RF04", f"{pointer}/starts", "phase", train["starts"], phases)
        for at, face in _faces(pointer, train):
            for key in ("rusts_on", "obsolete_on"):
                for index, name in enumerate(face.get(key, ())):
                    if name not in names.trains and name not in phases:
                        known = (*names.block("trains"), *phases)
                        yield unknown("RF04", f"{at}/{key}/{index}", "train or phase", name, dict.fromkeys(known))
            for index, trade in enumerate(face.get("trade_ins", ())):
                if trade["train"] not in names.trains:
                    at_trade = f"{at}/trade_ins/{index}/train"
                    yield unknown("RF04", at_trade, "train", trade["train"], names.block("trains"))
            if "available_from" in face and face["available_from"] not in phases:
                yield unknown("RF04", f"{at}/available_from", "phase", face["available_from"], phases)


def _train_companies(names: Names) -> Iterator[Problem]:
    """RF10: companies that alone may run a train, and that there are not."""
    for train_id, train in names.block("trains").items():
        for at, face in _faces(join_pointer("trains", train_id), train):
            if "who" in face and face["who"] not in names.company_classes:
                known = sorted(names.company_classes)
                yield unknown("RF10", f"{at}/who", "kind or size of company", face["who"], known)


def _faces(pointer: str, train: Json) -> Iterator[tuple[str, Json]]:
    if "faces" not in train:
        yield pointer, train
    for index, face in enumerate(train.get("faces", ())):
        yield f"{pointer}/faces/{index}", face


def _permanence(names: Names) -> Iterator[Problem]:
    """DF01: a train rusts, becomes obsolete or is permanent, and says which."""
    for train_id, train in names.block("trains").items():
        for pointer, face in _faces(join_pointer("trains", train_id), train):
            ends = bool(face.get("rusts_on") or face.get("obsolete_on"))
            if ends == bool(face.get("permanent")):
                message = (
                    f'train "{face["name"]}" is permanent but also rusts'
                    if ends
                    else f'train "{face["name"]}" neither rusts nor is marked as permanent'
                )
                hint = "remove one of the two" if ends else 'add "rusts_on": [...] or "permanent": true'
                yield Problem(code="DF01", pointer=pointer, message=message, hint=hint, at_key=True)


def _phase_trains(names: Names) -> Iterator[Problem]:
    for phase_id, phase in names.block("phases").items():
        pointer = join_pointer("phases", phase_id, "on")
        for index, name in enumerate(trains_of_phase(phase)):
            if name not in names.trains:
                at = f"{pointer}/{index}" if isinstance(phase["on"], list) else pointer
                yield unknown("RF04", at, "train", name, names.block("trains"))


def _status(names: Names) -> Iterator[Problem]:
    """RF15 for what looks like a name of the field, but is none that Platelayer has words for."""
    known = cards.table("status")
    for phase_id, phase in names.block("phases").items():
        for index, status in enumerate(phase.get("status", ())):
            if isinstance(status, str) and _FIELD_NAME.fullmatch(status) and status not in known:
                hint = suggestion(status, known) or "say it in words of your own"
                yield Problem(
                    code="RF15",
                    pointer=join_pointer("phases", phase_id, "status", index),
                    message=f'there are no words for the status "{status}"',
                    hint=hint,
                )


def _limits(names: Names) -> Iterator[Problem]:
    for phase_id, phase in names.block("phases").items():
        for who in phase["train_limits"]:
            if who not in names.company_classes:
                pointer = join_pointer("phases", phase_id, "train_limits", who)
                yield unknown("RF10", pointer, "kind or size of company", who, sorted(names.company_classes), key=True)


def _zones(names: Names) -> Iterator[Problem]:
    """RF05 for letters without a zone, DF03 for a line of several rows."""
    market = names.block("market")
    zones = market.get("zones", {})
    spaces: dict[str, list[str]] = {}
    for row, cells in enumerate(market.get("rows", ())):
        for column, cell in enumerate(cells):
            for letter in cell_zones(cell):
                spaces.setdefault(letter, []).append(f"/market/rows/{row}/{column}")
    for letter in (each for each in spaces if each not in zones):
        first, *others = spaces[letter]
        more = f" ({len(others) + 1} spaces)" if others else ""
        message = f'there is no market zone "{letter}" in this title{more}; known: {listed(zones) or "none"}'
        entry = '{"name": "Start price", "colour": "tile.yellow", "par": true}'
        hint = suggestion(letter, zones) or f'add "{letter}" to the zones of the market, for example {entry}'
        yield Problem(code="RF05", pointer=first, message=message, hint=hint)
    if market and market["shape"] not in ("grid", "hex") and len(market["rows"]) > 1:
        message = f"a market of shape {market['shape']} has one row, not {len(market['rows'])}"
        yield Problem(code="DF03", pointer="/market/rows", message=message, hint='give it one row, or the shape "grid"')


def _par_chart(names: Names) -> Iterator[Problem]:
    """DF03 for a par chart without prices."""
    chart, market = names.block("pieces").get("par_chart"), names.block("market")
    par = {letter for letter, zone in market.get("zones", {}).items() if zone.get("par")}
    cells = (cell for row in market.get("rows", ()) for cell in row)
    if chart and not chart.get("prices") and not any(par.intersection(cell_zones(cell)) for cell in cells):
        message = "the par chart has no prices, and no space of the market is a start price"
        hint = 'give it "prices": [60, 70, 80], or a zone of the market "par": true'
        yield Problem(code="DF03", pointer="/pieces/par_chart", message=message, hint=hint)


def _zone_companies(names: Names) -> Iterator[Problem]:
    for letter, zone in names.block("market").get("zones", {}).items():
        if "who" in zone and zone["who"] not in names.company_classes:
            pointer = join_pointer("market", "zones", letter, "who")
            yield unknown("RF10", pointer, "kind or size of company", zone["who"], sorted(names.company_classes))


def _pieces(names: Names) -> Iterator[Problem]:
    """RF11 for kinds of piece that do not exist, DF04 for sizes a piece cannot have."""
    pieces = names.block("pieces")
    for block in ("sizes", "box"):
        for key in pieces.get(block, {}):
            kind = kind_of_size(key)
            if kind not in KINDS:
                message = f'there is no kind of piece "{kind}"; kinds: {listed(KINDS, most=40)}'
                yield Problem(
                    code="RF11",
                    pointer=join_pointer("pieces", block, key),
                    message=message,
                    hint=suggestion(kind, KINDS),
                    at_key=True,
                )
    for key, size in pieces.get("sizes", {}).items():
        known = KINDS.get(kind_of_size(key))
        if known and known.form is not Form.RECTANGLE and isinstance(size, list) and size[0] != size[1]:
            message = f"the size of a {known.id} is one number: flat to flat, or the diameter"
            yield Problem(code="DF04", pointer=join_pointer("pieces", "sizes", key), message=message)
    yield from _sizes_of_classes(names, pieces.get("sizes", {}))
    chart = pieces.get("revenue_chart")
    if chart and chart["top"] / chart["step"] > MAX_CHART_SPACES:
        message = f"{chart['top'] // chart['step']} spaces are too many; at most {MAX_CHART_SPACES} can be drawn"
        yield Problem(
            code="DF04", pointer="/pieces/revenue_chart", message=message, hint="take a larger step or a smaller top"
        )


def _phase_card_phases(names: Names) -> Iterator[Problem]:
    """RF04: phases on phase cards."""
    phases, cards = names.block("phases"), names.block("pieces").get("phase_cards", {})
    for card_id, card in cards.items() if isinstance(cards, Mapping) else ():
        for side in ("front", "back"):
            for index, phase in enumerate(card.get(side, ())):
                if phase not in phases:
                    pointer = join_pointer("pieces", "phase_cards", card_id, side, index)
                    yield unknown("RF04", pointer, "phase", phase, phases)


def _destination_revenue(names: Names) -> Iterator[Problem]:
    """RF04: tile colours and phases from which destination cards pay."""
    for card_id, card in names.block("pieces").get("destination_cards", {}).items():
        revenue = card.get("revenue")
        for key in revenue if isinstance(revenue, Mapping) else ():
            if key not in names.revenue_keys:
                pointer = join_pointer("pieces", "destination_cards", card_id, "revenue", key)
                yield unknown("RF04", pointer, "tile colour or phase", key, sorted(names.revenue_keys), key=True)


def _sizes_of_classes(names: Names, sizes: Json) -> Iterator[Problem]:
    """RF10: a size for the pieces of companies of a size that there is not."""
    classes = sorted({company["size"] for _, company in names.all_companies() if "size" in company})
    for key in sizes:
        _, _, name = key.partition("/")
        if name and name not in classes:
            yield unknown("RF10", join_pointer("pieces", "sizes", key), "size of company", name, classes, key=True)


def _rounds(names: Names) -> Iterator[Problem]:
    """RF13: rounds beside others that there are not, or that are played once themselves; exports that are not shown."""
    pieces = names.block("pieces")
    rounds = pieces.get("rounds", ())
    known = [each["id"] for each in rounds if "into" not in each and "after" not in each]
    begun: dict[str, str] = {}
    for index, each in enumerate(rounds):
        if "export" in each and not pieces.get("rounds_once", False):
            message = f'round "{each["id"]}" has an export, but its track comes round again'
            hint = 'add "rounds_once": true, or make the export a round of its own'
            yield Problem(code="RF13", pointer=f"/pieces/rounds/{index}/export", message=message, hint=hint)
        if "into" in each and "after" not in each:
            other = begun.setdefault(each["into"], each["id"])
            if other != each["id"]:
                message = f'rounds "{other}" and "{each["id"]}" both begin the game before "{each["into"]}"'
                hint = "say by `after` which one comes first"
                yield Problem(code="RF13", pointer=f"/pieces/rounds/{index}/into", message=message, hint=hint)
        if "after" in each and "into" not in each:
            message = f'round "{each["id"]}" does not say which round comes after it'
            pointer = f"/pieces/rounds/{index}/after"
            yield Problem(code="RF13", pointer=pointer, message=message, hint='add "into"')
        for key in ("into", "after"):
            if key in each and each[key] not in known:
                yield unknown("RF13", f"/pieces/rounds/{index}/{key}", "round", each[key], known)


def _bank_areas(names: Names) -> Iterator[Problem]:
    """RF04 for trains, RF10 for kinds of company that the bank board names and that there are not exist."""
    for row, areas in enumerate(names.block("pieces").get("bank_board", {}).get("rows", ())):
        for column, area in enumerate(areas):
            pointer = f"/pieces/bank_board/rows/{row}/{column}"
            trains = area.get("trains", ())
            for index, train in enumerate(trains if isinstance(trains, list) else ()):  # or the word for all
                if train not in names.block("trains"):
                    yield unknown("RF04", f"{pointer}/trains/{index}", "train", train, names.block("trains"))
            who = area.get("companies")
            if who is not None and who not in names.company_classes:
                known = sorted(names.company_classes)
                yield unknown("RF10", f"{pointer}/companies", "kind or size of company", who, known)


def _tables(names: Names) -> Iterator[Problem]:
    """DF05: rows of a table as wide as its head."""
    for aid_id, aid in names.block("aids").items():
        sides = (("sections", aid["sections"]), ("back", aid.get("back", ())))
        for side, number, section in ((side, *each) for side, sections in sides for each in enumerate(sections)):
            table = section.get("table", {"head": (), "rows": ()})
            if table == "players":
                if not names.block("players"):
                    message = "the title says nothing about numbers of players, so there is no table of them"
                    hint = 'add "players": {"3": {"cash": 450, "certificate_limit": 20}} to the title'
                    pointer = join_pointer("aids", aid_id, side, number, "table")
                    yield Problem(code="DF05", pointer=pointer, message=message, hint=hint)
                continue
            for row, cells in enumerate(table["rows"]):
                if len(cells) != len(table["head"]):
                    pointer = join_pointer("aids", aid_id, side, number, "table", "rows", row)
                    message = f"this row has {len(cells)} cells, but the head of the table has {len(table['head'])}"
                    yield Problem(code="DF05", pointer=pointer, message=message)


def _wordings(names: Names) -> Iterator[Problem]:
    """RF12 for sets of words that there are not."""
    for index, name in enumerate(names.block("wording")):
        if name not in wordings():
            message = f'there is no wording "{name}"; known: {listed(wordings())}'
            yield Problem(
                code="RF12", pointer=join_pointer("wording", index), message=message, hint=suggestion(name, wordings())
            )


def _pictures(names: Names) -> Iterator[Problem]:
    """RF14 for pictures of companies that the title does not have, RF01 and RF02 for tiles and hexes of their cards,
    RF04 for what their income changes with."""
    pictures = names.block("pictures")
    shown: Mapping[str, tuple[str, Iterable[str]]] = {
        "hex": ("RF02", names.hexes),
        "tile": ("RF01", names.block("tiles")),
        "picture": ("RF14", pictures),
    }
    for pointer, company in names.all_companies():
        if "shows" in company:
            kind, _, name = company["shows"].partition(":")
            code, known = shown[kind]
            if name not in known:
                yield unknown(code, f"{pointer}/shows", kind, name, known)
        income = company.get("income")
        for key in income if isinstance(income, Mapping) else ():
            if key not in names.revenue_keys:
                at = f"{pointer}{join_pointer('income', key)}"
                yield unknown("RF04", at, "tile colour or phase", key, sorted(names.revenue_keys), key=True)
        if "logo" in company and company["logo"] not in pictures:
            yield unknown("RF14", f"{pointer}/logo", "picture", company["logo"], pictures)


def _marker_pictures(names: Names) -> Iterator[Problem]:
    known = (*board_words.table("icons"), *names.block("pictures"))
    for marker_id, marker in names.block("pieces").get("markers", {}).items():
        if "picture" in marker and marker["picture"] not in known:
            pointer = join_pointer("pieces", "markers", marker_id, "picture")
            yield unknown("RF14", pointer, "icon or picture", marker["picture"], known)


def _terms(names: Names) -> Iterator[Problem]:
    """RF12 for terms that replace fixed words that do not exist, TX01 for those with other places."""
    for name, given in names.block("terms").items():
        english = terms().get(name)
        if english is not None:
            forms = given.items() if isinstance(given, dict) else [("", given)]
            for language, words in forms:
                wrong = fault(words, english)
                if wrong:
                    pointer = join_pointer("terms", name, *([language] if language else []))
                    hint = f'in English it is "{english}"; a brace to print is written {{{{ or }}}}'
                    yield Problem(code="TX01", pointer=pointer, message=f'"{name}": {wrong}', hint=hint)
        else:
            message = f'there are no fixed words called "{name}"; assets/languages/en.json lists them'
            yield Problem(
                code="RF12",
                pointer=join_pointer("terms", name),
                message=message,
                hint=suggestion(name, terms()),
                at_key=True,
            )


_CHECKS: Checks = (
    (("privates",), _privates),
    (("trains",), _permanence),
    (("trains", "phases"), _train_names),
    (("trains", "phases"), _phase_trains),
    (("trains", "companies", "privates"), _train_companies),
    (("phases",), _status),
    (("phases", "companies", "privates"), _limits),
    (("market",), _zones),
    (("market", "pieces"), _par_chart),
    (("market", "companies", "privates"), _zone_companies),
    (("pieces", "companies", "privates"), _pieces),
    (("pieces", "companies", "privates", "trains"), _bank_areas),
    (("pieces",), _rounds),
    (("pieces", "phases"), _phase_card_phases),
    (("pieces", "phases"), _destination_revenue),
    (("aids", "players"), _tables),
    (("terms",), _terms),
    (("wording",), _wordings),
    (("companies", "privates", "pictures", "maps", "tiles", "phases"), _pictures),
    (("pieces", "pictures"), _marker_pictures),
)
