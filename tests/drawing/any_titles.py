"""Titles that nobody has thought of: shipped ones with other names, prices, shares, trains, phases
and currencies."""

from __future__ import annotations

import unicodedata
from itertools import cycle

from hypothesis import strategies as st
from msgspec.structs import replace

from platelayer.definitions.themes import drawable, load_theme
from platelayer.foundation.languages import FixedWords
from platelayer.foundation.text import Text
from platelayer.model.company import Certificate, Company, CompanyKind, Destination
from platelayer.model.market import Cell, Market
from platelayer.model.tile import RevenueStep, Tile
from platelayer.model.title import Aid, AidSection, AidTable, ParChart, Pieces, RevenueChart, Title
from platelayer.model.train import Phase, Reach, TradeIn, Train, TrainFace, TrainLimit
from platelayer.scene.breaks import is_wide
from platelayer.scene.typeset import prepared
from shipped import shipped

SHIPPED = ("18eu", "1824", "1841", "18cz", "lost-atlas")
LATIN = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
ALPHABETS = (  # what people write
    LATIN,
    "ÅåÄäÖöØøÆæÉéÈèÊêËëÑñÇçŁłŽžŠšČčŘřĚěŮůŇňŤťĎďŐőŰűȘșȚțĞğİıßŵŷ",
    "АБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯабвгдежзийклмнопрстуфхцчшщъыьэюяЁёЇїҐґ",
    "ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩαβγδεζηθικλμνξοπρστυφχψωάέήίόύώ",
    "鉄道株式会社東西南北中央地方急行列車本線東京大阪レイルウェイズアトラス・ー",
)


def scripts() -> dict[str, str]:
    """Every character that our fonts cover, capitals and all, by script; signs together."""
    known = drawable(load_theme("classic"))
    found: dict[str, str] = {}
    for char in sorted(known):
        if char.isspace() or not known.issuperset(prepared(char) + prepared(char, capitals=True)):
            continue
        script = (
            "Japanese"
            if is_wide(char)
            else unicodedata.name(char).split()[0]
            if char.isalpha()
            else "signs"
        )
        found[script] = found.get(script, "") + char
    rare = "".join(chars for chars in found.values() if len(chars) < _FEWEST)
    return {script: chars for script, chars in found.items() if len(chars) >= _FEWEST} | {
        "rare": rare
    }


_FEWEST = 10
"""Characters of what is called a script here: Unicode names some single letters in their own
way."""
SCRIPTS = scripts()
KNOWN = (
    "Uncle Lachlan's 18 Christmas Eve",
    "k.k. privilegierte Österreichische Staatseisenbahn-Gesellschaft",
    "C & O",
)
CURRENCIES = (
    "${}",
    "£{}",
    "{} Mk",
    "R${}",
    "₹{}",
    "{}K",
    "{} ₽",
    "₧{}",
    "ƒ{}",
    "₡{}",
    "ℳ{}",
    "L.{}",
    "{}",
    "¥{}",
    "€ {}",
)
TRAINS = (
    "2",
    "8",
    "4D",
    "2+2",
    "10H",
    "3/5",
    "1850Jr",
    "Ångström",
    "Diesel",
    "∞",
    "P",
    "8E",
    "Triebwagen 4",
    "特急",
)
COLOURS = ("yellow", "green", "brown", "gray")
SENTENCES = (
    "2-trains rust",
    "Private companies close.",
    "All minors close; their owners take shares of the corporation that runs where their home was",
    "社長は株を売れる。",
)
_SHADES = ((), ("yellow", "green"), ("yellow", "green", "brown", "gray"))
EVENTS = (*SENTENCES, "2-trains rust", "Private companies close")
COMPANY_COLOURS = ("#000000", "#ffffff", "#ed1c24", "#00a651", "#fff200", "#808080")


def words(most: int = 60) -> st.SearchStrategy[str]:
    """Names of 1 to `most` letters, of one word or several."""

    def of(alphabet: str) -> st.SearchStrategy[str]:
        word = st.text(alphabet=alphabet, min_size=1, max_size=16)
        some = st.lists(word, min_size=1, max_size=8).map(
            lambda parts: " ".join(parts)[:most].strip()
        )
        return st.one_of(some, st.text(alphabet=alphabet, min_size=1, max_size=most))

    known = st.sampled_from(KNOWN).map(lambda name: name[:most].strip())
    return st.one_of(known, *map(of, ALPHABETS), *map(of, SCRIPTS.values()))


texts = words().map(Text.plain)
prices = st.integers(0, 99_999)
sentences = st.sampled_from(SENTENCES).map(Text.plain)
events = st.sampled_from(EVENTS).map(Text.plain)
statuses = st.sampled_from(tuple(FixedWords("cards").table("status").values()))


@st.composite
def _companies(draw: st.DrawFn, company: Company, number: int) -> Company:
    changes: dict[str, object] = {
        "id": f"X{number}",
        "name": draw(texts),
        "second_name": draw(st.none() | texts),
        "token_text": draw(words(12)),
        "colour": draw(st.sampled_from(COMPANY_COLOURS)),
        "roundel": None,
        "abilities": tuple(draw(st.lists(sentences, max_size=3))),
        "class_name": draw(st.none() | words(30).map(Text.plain)),
    }
    changes["text_colour"] = "#ffffff" if changes["colour"] in ("#000000", "#ed1c24") else "#000000"
    changes["second"] = "#ffffff" if changes["colour"] != "#ffffff" else "#000000"
    if company.value is not None:
        changes |= {
            "value": draw(prices),
            "income": draw(prices),
            "closes": draw(st.none() | words(40)) if company.closes else None,
            **draw(_private_terms()),
        }
    if company.kind in (CompanyKind.MAJOR, CompanyKind.NATIONAL):
        changes["certificates"] = (
            Certificate(percent=draw(st.integers(1, 100)), director=True),
            Certificate(percent=draw(st.integers(1, 100)), count=draw(st.integers(1, 100))),
            *draw(
                st.sampled_from(
                    (
                        (),
                        (Certificate(percent=5, count=2),),
                        (Certificate(percent=7, reserved=True),),
                    )
                )
            ),
        )
        changes["float_percent"] = draw(st.none() | st.integers(1, 100))
    if company.has_charter:
        changes["train_limit"] = draw(st.none() | st.integers(0, 20))
        if company.homes:
            (at, *_) = company.homes
            goals = st.builds(Destination, hex=st.just(at.hex), stop=st.just(at.stop))
            changes["destination"] = draw(st.none() | goals)
            changes["homes"] = tuple(
                replace(home, name=draw(st.none() | texts)) for home in company.homes
            )
    if company.stations:
        changes["stations"] = tuple(draw(st.lists(prices, min_size=1, max_size=10)))
    return replace(company, **changes)


@st.composite
def _private_terms(draw: st.DrawFn) -> dict[str, object]:
    """What the card of a private tells besides its abilities."""
    least, most = sorted((draw(prices), draw(prices)))
    incomes = tuple(
        RevenueStep(since=colour, value=draw(prices)) for colour in draw(st.sampled_from(_SHADES))
    )
    return {
        "used": draw(st.none() | sentences | texts),
        "incomes": incomes,
        "min_price": draw(st.none() | st.just(least)),
        "max_price": draw(st.none() | st.just(most)),
        "discount": draw(st.just(0) | prices),
        "min_players": draw(st.none() | st.integers(2, 20)),
    }


@st.composite
def _trains(draw: st.DrawFn) -> tuple[Train, ...]:
    names = draw(st.lists(st.sampled_from(TRAINS) | words(12), min_size=2, max_size=9, unique=True))
    ids = [f"t{number}" for number in range(len(names))]
    found = []
    for number, name in enumerate(names):
        older = ids[:number]
        traded = draw(st.lists(st.sampled_from(older), max_size=7, unique=True)) if older else []
        later = ids[number + 1 :]
        face = TrainFace(
            name=name,
            price=draw(prices),
            reach=draw(_reach(number + 2)),
            rusts_on=tuple(draw(st.lists(st.sampled_from(later), max_size=2, unique=True)))
            if later
            else (),
            trade_ins=tuple(TradeIn(train=each, price=draw(prices)) for each in traded),
            note=draw(st.none() | sentences),
        )
        count, optional = draw(st.integers(1, 99)), draw(st.sampled_from((0, 0, 1)))
        option = draw(texts) if optional else None
        found.append(
            Train(id=ids[number], faces=(face,), count=count, optional=optional, option=option)
        )
    return tuple(found)


@st.composite
def _reach(draw: st.DrawFn, most: int) -> tuple[Reach, ...]:
    """How far a train goes: one number of all stops, or numbers of two sorts."""
    times = draw(st.integers(1, 5))
    visit, pay = draw(st.none() | st.just(most)), draw(st.none() | st.integers(1, most))
    if draw(st.booleans()):
        return (Reach(stops=("city", "town", "offboard"), visit=visit, pay=pay, multiplier=times),)
    towns = Reach(
        stops=("town", "pass"), visit=draw(st.integers(1, 99)), pay=draw(st.integers(0, 1))
    )
    return (Reach(stops=("city", "offboard"), visit=visit, pay=pay, multiplier=times), towns)


@st.composite
def _phases(draw: st.DrawFn, trains: tuple[Train, ...]) -> tuple[Phase, ...]:
    count = draw(st.integers(1, 12))
    return tuple(
        Phase(
            id=draw(st.sampled_from((str(number + 1), f"phase-{number}", "abcdefghijkl"[number]))),
            begun_by=(trains[number % len(trains)].id,) if number else (),
            train_limits=tuple(
                TrainLimit(who=who, limit=draw(st.integers(0, 20))) for who in ("major", "minor")
            ),
            tiles=COLOURS[: 1 + number * 4 // 12],
            operating_rounds=draw(st.integers(0, 10)),
            events=tuple(draw(st.lists(events, max_size=3))),
            status=tuple(draw(st.lists(sentences | statuses, max_size=3, unique=True))),
            tile_lays=draw(st.none() | words(20).map(Text.plain)),
        )
        for number in range(count)
    )


@st.composite
def tables(draw: st.DrawFn) -> AidTable:
    """Tables of an aid: of 2 to 5 columns."""
    count = draw(st.integers(2, 5))
    cells = st.lists(words(12).map(Text.plain), min_size=count, max_size=count).map(tuple)
    return AidTable(head=draw(cells), rows=tuple(draw(st.lists(cells, min_size=1, max_size=6))))


sections = st.builds(
    AidSection,
    heading=words(30).map(Text.plain),
    lines=st.lists(sentences | texts, max_size=4).map(tuple),
    table=st.none() | tables(),
)


@st.composite
def _aids(draw: st.DrawFn) -> tuple[Aid, ...]:
    back = draw(st.lists(sections, max_size=3).map(tuple))
    front = draw(st.lists(sections, min_size=1, max_size=6).map(tuple))
    return tuple(
        Aid(
            id=f"a{number}",
            name=draw(texts),
            count=1,
            sections=() if phases else front,
            back=back,
            phases=phases,
        )
        for number, phases in enumerate(draw(st.lists(st.booleans(), min_size=1, max_size=2)))
    )


@st.composite
def _markets(draw: st.DrawFn, market: Market) -> Market:
    """A market of the same shape with other prices and words."""

    def cell(old: Cell) -> Cell:
        return replace(
            old, price=draw(prices), text=draw(st.just("") | words(8)) if old.text else ""
        )

    rows = tuple(tuple(None if each is None else cell(each) for each in row) for row in market.rows)
    zones = tuple(replace(zone, name=draw(texts)) for zone in market.zones)
    return replace(
        market,
        rows=rows,
        zones=zones,
        movement=tuple(draw(st.lists(sentences | texts, max_size=5))),
    )


@st.composite
def _boards(draw: st.DrawFn, pieces: Pieces, trains: tuple[Train, ...]) -> Pieces:
    """What boards say: the tracks of rounds, the revenue chart, the par chart, the bank board,
    score sheets, offers."""
    step = draw(st.sampled_from((1, 5, 10, 100)))
    columns = draw(st.sampled_from((5, 10, 20)))
    shares = draw(st.sampled_from(((), (2, 5, 10))))
    chart = RevenueChart(
        step=step, top=step * columns * draw(st.integers(1, 10)), columns=columns, shares=shares
    )
    money = tuple(
        (value, 1)
        for value in sorted(draw(st.sets(st.integers(1, 99_999), min_size=1, max_size=7)))
    )
    rounds = tuple(
        replace(each, name=draw(texts), amount=None if each.amount is None else draw(prices))
        for each in pieces.rounds
    )
    markers = tuple(
        replace(
            each,
            name=draw(texts),
            text=draw(words(6)) if each.text else "",
            head=draw(words(6)) if each.head else "",
            note=draw(st.none() | sentences),
        )
        for each in pieces.markers
    )
    goals = tuple(
        replace(
            each,
            revenue=tuple(step._replace(value=draw(prices)) for step in each.revenue),
            note=draw(st.none() | sentences | texts),
        )
        for each in pieces.destination_cards
    )
    par = ParChart(
        places=draw(st.integers(1, 10)),
        prices=tuple(draw(st.lists(prices, min_size=1, max_size=12))),
    )
    score, offer, bank = pieces.score_sheet, pieces.offer, pieces.bank_board
    some = tuple(each.id for each in trains)
    return replace(
        pieces,
        money=money,
        markers=markers,
        destination_cards=goals,
        rounds=rounds,
        rounds_note=draw(st.none() | sentences | texts),
        revenue_chart=chart,
        par_chart=par,
        score_sheet=score
        and replace(score, rows=tuple(draw(st.lists(texts, min_size=1, max_size=6)))),
        offer=offer and replace(offer, note=draw(st.none() | sentences | texts)),
        bank_board=bank
        and replace(
            bank,
            name=draw(texts),
            note=draw(st.none() | sentences | texts),
            rows=tuple(
                tuple(
                    replace(
                        area,
                        name=draw(texts),
                        note=draw(st.none() | sentences | texts),
                        places=tuple(draw(texts) for _ in area.places),
                        trains=some if area.trains else (),
                    )
                    for area in row
                )
                for row in bank.rows
            ),
        ),
    )


@st.composite
def titles(draw: st.DrawFn) -> Title:
    """A title like a shipped one, with everything that people read made anew."""
    base = shipped(draw(st.sampled_from(SHIPPED)))
    kinds = {
        (company.kind, company.size, company.value is None): company for company in base.companies
    }
    companies = tuple(
        draw(_companies(company, number)) for number, company in enumerate(kinds.values())
    )
    trains = draw(_trains())
    phases = draw(_phases(trains))
    # A card of a single phase stays one.
    cards = base.pieces.phase_cards[:1]
    single = tuple(
        replace(card, front=(phases[-1].id,) if card.front else (), back=()) for card in cards
    )
    # Sizes of single pieces are for their words.
    sizes = tuple(
        each
        for each in base.pieces.sizes
        if ":" not in each.kind and each.kind not in ("summary", "phase-card")
    )
    pieces = replace(draw(_boards(base.pieces, trains)), phase_cards=single, sizes=sizes, box=())
    shown = [("tile", each) for each in list(base.tile_by_id)[:3]]
    shown += [("hex", each) for gamemap in base.maps for each in list(gamemap.by_id)[:3]]
    if shown:
        companies = tuple(
            replace(each, shows=draw(st.none() | st.sampled_from(shown)))
            if each.value is not None
            else each
            for each in companies
        )
    return replace(
        base,
        name=draw(texts),
        currency=draw(st.sampled_from(CURRENCIES)),
        companies=companies,
        trains=trains,
        phases=phases,
        line_up=(),
        aids=draw(_aids()),
        market=draw(_markets(base.market)) if base.market is not None else None,
        pieces=pieces,
    )


@st.composite
def boards(draw: st.DrawFn) -> Title:
    """A title like a shipped one with other names, values and costs on its maps and some of its
    tiles; what is drawn once returns in turn on all of them."""
    base = shipped(draw(st.sampled_from(SHIPPED)))
    names = cycle(draw(st.lists(texts, min_size=1, max_size=12)))
    values = cycle(draw(st.lists(st.integers(0, 999), min_size=1, max_size=8)))
    costs = cycle(draw(st.lists(prices, min_size=1, max_size=6)))

    def other(tile: Tile) -> Tile:
        stops = tuple(
            replace(
                stop,
                name=None if stop.name is None else next(names),
                revenue=tuple(step._replace(value=next(values)) for step in stop.revenue),
            )
            for stop in tile.stops
        )
        terrain = tuple(
            replace(each, cost=next(costs)) if each.cost else each for each in tile.terrain
        )
        return replace(
            tile, name=None if tile.name is None else next(names), stops=stops, terrain=terrain
        )

    maps = tuple(
        replace(
            board,
            name=next(names),
            hexes=tuple(replace(each, tile=other(each.tile)) for each in board.hexes),
        )
        for board in base.maps
    )
    first = draw(st.integers(0, 15))
    tiles = tuple(replace(each, tile=other(each.tile)) for each in base.tiles[first::16])
    return replace(
        base,
        name=draw(texts),
        currency=draw(st.sampled_from(CURRENCIES)),
        maps=maps,
        tiles=tiles,
        companies=tuple(replace(each, name=next(names), shows=None) for each in base.companies),
        pieces=replace(base.pieces, box=()),
    )
