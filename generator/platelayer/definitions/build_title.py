"""Models of whole titles from checked JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from platelayer.definitions.atlas_box import build_box
from platelayer.definitions.build_board import (
    Json,
    build_map,
    build_market,
    build_revenue,
    build_text,
    build_text_or_none,
    build_texts,
    build_tile,
)
from platelayer.definitions.build_upgrades import build_chains, build_upgrade_options, build_waivers
from platelayer.definitions.catalogue import catalogue_definitions, catalogue_tile
from platelayer.definitions.decode import decode
from platelayer.definitions.player_table import players_table
from platelayer.foundation.languages import FixedWords, wordings
from platelayer.foundation.text import Text
from platelayer.model.company import COMPANIES, PRIVATES, Certificate, Company, CompanyKind, Home, Roundel
from platelayer.model.phase import Phase, TrainLimit
from platelayer.model.picture import Picture
from platelayer.model.title import (
    Aid,
    AidSection,
    AidTable,
    BankArea,
    BankBoard,
    DestinationCard,
    HexOverlay,
    Marker,
    OfferSheet,
    ParChart,
    PhaseCard,
    Pieces,
    PlayerCount,
    Provenance,
    RevenueBonus,
    RevenueChart,
    Round,
    ScoreSheet,
    Size,
    TileCount,
    Title,
    Variant,
)
from platelayer.model.train import Trains
from platelayer.scene.inks import ink_from_hex, readable_on

cards = FixedWords("cards")

DEFAULT_COLOURS = ("yellow", "green", "brown", "gray")
UNLIMITED = "unlimited"
PRINTED = 20
"""How many are printed of an unlimited tile that does not say."""
_ALL = "all"
_PRIVATE_COLOUR = "#e9d8a6"
_MARKER_COLOUR = "#8a5a2b"


def build_title(
    raw: Json, variant: str | None = None, *, companies: Json | None = None, pictures: tuple[Picture, ...] = ()
) -> Title:
    """The title as assembled, with the id of the variant that was applied and the `companies` it was applied to;
    `pictures` are those in its folder."""
    line_up = {**companies, **raw.get("companies", {})} if companies else {}
    market = raw.get("market")
    most = max(map(int, raw.get("players", ())), default=1)
    return Title(
        id=raw["id"],
        name=build_text(raw["name"]),
        subtitle=build_text_or_none(raw.get("subtitle")),
        terms=tuple(_terms(raw).items()),
        credits=build_texts(raw.get("credits")),
        currency=raw.get("currency", "{}"),
        bank=raw.get("bank"),
        players=_players(raw),
        maps=tuple(build_map(map_id, each) for map_id, each in raw.get("maps", {}).items()),
        tiles=tuple(_tile_count(number, each, raw["tiles"]) for number, each in raw.get("tiles", {}).items()),
        companies=tuple(
            _company(company_id, each, block)
            for block in (COMPANIES, PRIVATES)
            for company_id, each in raw.get(block, {}).items()
        ),
        line_up=tuple(_company(company_id, each) for company_id, each in line_up.items()),
        trains=decode(Trains, raw.get("trains", {})),
        phases=tuple(_phase(phase_id, each) for phase_id, each in raw.get("phases", {}).items()),
        market=None if market is None else build_market(market),
        pieces=_pieces(
            raw.get("pieces", {}), phase_cards=1 if raw.get("phases") else 0, trains=tuple(raw.get("trains", ()))
        ),
        colours=tuple(raw.get("colours", DEFAULT_COLOURS)),
        chains=build_chains(raw.get("upgrades", {})),
        upgrades=build_upgrade_options(raw.get("upgrades", {})),
        waivers=build_waivers(raw.get("waivers")),
        bonuses=tuple(_bonus(bonus_id, each) for bonus_id, each in raw.get("bonuses", {}).items()),
        aids=tuple(_aid(aid_id, each, raw, players=most) for aid_id, each in raw.get("aids", {}).items()),
        provenance=tuple(
            Provenance(
                subject=each["subject"],
                source=each["source"],
                conflict=each.get("conflict", False),
                note=build_text(each["note"]),
            )
            for each in raw.get("provenance", ())
        ),
        variants=tuple(
            Variant(
                id=each_id,
                name=build_text(each["name"]),
                note=build_text_or_none(each.get("note")),
                includes=tuple(each.get("includes", ())),
            )
            for each_id, each in raw.get("variants", {}).items()
        ),
        variant=variant,
        pictures=pictures,
        atlas=build_box(raw["atlas"]) if "atlas" in raw else None,
    )


def _terms(raw: Json) -> dict[str, Text]:
    """The title's own words: those of its wordings, and before them its terms. A term in one language leaves those of
    the wording in the others."""
    found = {name: words for each in raw.get("wording", ()) for name, words in wordings()[each].items()}
    for name, given in raw.get("terms", {}).items():
        own = build_text(given)
        before = tuple(form for form in found[name].forms if not own.has(form[0])) if name in found else ()
        found[name] = Text((*own.forms, *before))
    return found


def _players(raw: Json) -> tuple[PlayerCount, ...]:
    given = raw.get("players", {})
    return tuple(_player_count(int(players), given[players]) for players in sorted(given, key=int))


def _player_count(players: int, raw: Json) -> PlayerCount:
    given = raw.get("certificate_limit")
    limits: tuple[tuple[int, int], ...] = ()
    if isinstance(given, Mapping):
        limits = tuple(sorted(((int(left), limit) for left, limit in given.items()), reverse=True))
        given = limits[0][1]
    return PlayerCount(players=players, cash=raw["cash"], certificate_limit=given, limits=limits, bank=raw.get("bank"))


def _tile_count(number: str, raw: Any, tiles: Json) -> TileCount:
    entry: Json = raw if isinstance(raw, dict) else {"count": raw}
    front = entry.get("back_of")
    if front is not None:
        counted = _tile_count(front, tiles[front], {})
        count, unlimited = counted.count, counted.unlimited
    else:
        unlimited = entry["count"] == UNLIMITED
        count = entry.get("printed", PRINTED) if unlimited else entry["count"]
    standard = catalogue_tile(number) if number in catalogue_definitions() else None
    own = entry.get("tile")
    tile = catalogue_tile(number) if own is None else build_tile(number, own)
    return TileCount(
        tile=tile,
        count=count,
        via=build_text_or_none(entry.get("via")),
        standard=standard,
        unlimited=unlimited,
        back_of=front,
    )


def _contrasting(colour: str) -> str:
    return readable_on(ink_from_hex(colour)).hex


def _company(company_id: str, raw: Json, block: str = COMPANIES) -> Company:
    colour = raw.get("colour", _PRIVATE_COLOUR)
    roundel, incomes = raw.get("roundel"), build_revenue(raw.get("income"))
    goal = raw.get("destination")
    shown = raw.get("shows", "").partition(":")
    return Company(
        id=company_id,
        name=build_text(raw["name"]),
        kind=CompanyKind(raw["kind"]),
        token_text=raw.get("token_text", company_id),
        colour=colour,
        second=raw.get("second") or _contrasting(colour),
        text_colour=raw.get("text_colour") or _contrasting(colour),
        logo=raw.get("logo"),
        roundel=None if roundel is None else Roundel(division=roundel["division"]),
        certificates=tuple(
            Certificate(
                percent=each["percent"],
                count=each.get("count", 1),
                director=each.get("director", False),
                reserved=each.get("reserved", False),
            )
            for each in raw.get("certificates", ())
        ),
        stations=tuple(raw.get("stations", ())),
        token_places=tuple(raw.get("token_places", ())),
        formation_cost=raw.get("formation_cost", 0),
        homes=tuple(
            Home(home["hex"], home.get("stop"), build_text_or_none(home.get("name"))) for home in raw.get("homes", ())
        ),
        destination=None if goal is None else Home(goal["hex"], goal.get("stop"), build_text_or_none(goal.get("name"))),
        destination_token=goal is not None and goal.get("token", True),
        all_homes=raw.get("all_homes", False),
        blocks=tuple(raw.get("blocks", ())),
        order=raw.get("order"),
        value=raw.get("value"),
        income=incomes[0].value if incomes else None,
        incomes=incomes if len(incomes) > 1 else (),
        min_price=raw.get("min_price"),
        max_price=raw.get("max_price"),
        discount=raw.get("discount", 0),
        min_players=raw.get("min_players"),
        shows=(shown[0], shown[2]) if shown[0] else None,
        size=raw.get("size"),
        float_percent=raw.get("float_percent"),
        train_limit=raw.get("train_limit"),
        closes=raw.get("closes"),
        abilities=build_texts(raw.get("abilities")),
        class_name=build_text_or_none(raw.get("class")),
        second_name=build_text_or_none(raw.get("second_name")),
        used=build_text_or_none(raw.get("used")),
        block=block,
    )


def _status(raw: Any) -> Text:
    """What holds in a phase: words that Platelayer has for it, or the title's own."""
    return cards.table("status").get(raw) or build_text(raw) if isinstance(raw, str) else build_text(raw)


def trains_of_phase(raw: Json) -> tuple[str, ...]:
    """Names of the trains of which the first that is sold begins a phase."""
    on = raw["on"]
    return () if on is None else (on,) if isinstance(on, str) else tuple(on)


def _phase(phase_id: str, raw: Json) -> Phase:
    begun = trains_of_phase(raw)
    return Phase(
        id=phase_id,
        on=begun[0] if begun else None,
        or_on=begun[1:],
        train_limits=tuple(TrainLimit(who=who, limit=limit) for who, limit in raw["train_limits"].items()),
        tiles=tuple(raw["tiles"]),
        operating_rounds=raw["operating_rounds"],
        revenue=raw.get("revenue"),
        events=build_texts(raw.get("events")),
        tile_lays=build_text_or_none(raw.get("tile_lays")),
        begins=build_text_or_none(raw.get("begins")),
        status=tuple(map(_status, raw.get("status", ()))),
    )


def _size(kind: str, raw: Any) -> Size:
    width, height = raw if isinstance(raw, list) else (raw, raw)
    return Size(kind=kind, width_mm=width, height_mm=height)


def _phase_cards(raw: int | Json) -> Iterator[PhaseCard]:
    if not isinstance(raw, int):
        for card_id, each in raw.items():
            back = tuple(each.get("back", ()))
            yield PhaseCard(id=card_id, front=tuple(each["front"]), back=back, count=each.get("count", 1))
    elif raw:
        yield PhaseCard(id="phases", count=raw)


def _pieces(raw: Json, *, phase_cards: int, trains: tuple[str, ...]) -> Pieces:
    chart, par, offer = raw.get("revenue_chart"), raw.get("par_chart"), raw.get("offer")
    return Pieces(
        sizes=tuple(_size(kind, each) for kind, each in raw.get("sizes", {}).items()),
        box=tuple(raw.get("box", {}).items()),
        number_cards=tuple(raw.get("number_cards", ())),
        priority_cards=raw.get("priority_cards", 0),
        phase_cards=tuple(_phase_cards(raw.get("phase_cards", phase_cards))),
        markers=tuple(_marker(marker_id, each) for marker_id, each in raw.get("markers", {}).items()),
        market_tokens=int(raw.get("market_tokens", True)),
        rounds=tuple(
            Round(
                id=each["id"],
                name=build_text(each["name"]),
                amount=each.get("amount"),
                into=each.get("into"),
                after=each.get("after"),
                export=each.get("export", False),
            )
            for each in raw.get("rounds", ())
        ),
        cycles=raw.get("cycles", 0),
        rounds_once=raw.get("rounds_once", False),
        rounds_note=build_text_or_none(raw.get("rounds_note")),
        bank_board=_bank_board(raw.get("bank_board"), trains),
        offer=None if offer is None else OfferSheet(count=offer["count"], note=build_text_or_none(offer.get("note"))),
        revenue_chart=None
        if chart is None
        else RevenueChart(
            step=chart["step"], top=chart["top"], columns=chart["columns"], shares=tuple(chart.get("shares", ()))
        ),
        par_chart=None if par is None else ParChart(places=par["places"], prices=tuple(par.get("prices", ()))),
        money=tuple((int(value), count) for value, count in raw.get("money", {}).items()),
        destination_cards=tuple(
            DestinationCard(
                id=card_id,
                revenue=build_revenue(each.get("revenue")),
                count=each.get("count", 1),
                note=build_text_or_none(each.get("note")),
            )
            for card_id, each in raw.get("destination_cards", {}).items()
        ),
        overlays=tuple(
            HexOverlay(id=each_id, name=build_text(each["name"]), hex=each["hex"], count=each.get("count", 1))
            for each_id, each in raw.get("overlays", {}).items()
        ),
        score_sheet=_score_sheet(raw.get("score_sheets")),
    )


def _bank_board(raw: Json | None, trains: tuple[str, ...]) -> BankBoard | None:
    if raw is None:
        return None
    return BankBoard(
        name=build_text(raw["name"]),
        rows=tuple(tuple(_bank_area(area, trains) for area in row) for row in raw["rows"]),
        note=build_text_or_none(raw.get("note")),
        phases=raw.get("phases", False),
    )


def _bank_area(raw: Json, trains: tuple[str, ...]) -> BankArea:
    return BankArea(
        name=build_text(raw["name"]),
        columns=raw["columns"],
        companies=raw.get("companies"),
        trains=trains if raw.get("trains") == _ALL else tuple(raw.get("trains", ())),
        places=build_texts(raw.get("places")),
        card=raw.get("card", "train"),
        note=build_text_or_none(raw.get("note")),
    )


def _score_sheet(raw: Json | None) -> ScoreSheet | None:
    return None if raw is None else ScoreSheet(count=raw["count"], rows=build_texts(raw["rows"]))


def _marker(marker_id: str, raw: Json) -> Marker:
    colour = raw.get("colour", _MARKER_COLOUR)
    return Marker(
        id=marker_id,
        name=build_text(raw["name"]),
        text=raw.get("text", ""),
        head=raw.get("head", ""),
        back=raw.get("back", ""),
        count=raw["count"],
        colour=colour,
        text_colour=raw.get("text_colour") or _contrasting(colour),
        note=build_text_or_none(raw.get("note")),
        picture=raw.get("picture"),
    )


def _bonus(bonus_id: str, raw: Json) -> RevenueBonus:
    return RevenueBonus(
        id=bonus_id,
        name=build_text(raw["name"]),
        rows=tuple((row["head"], tuple(row["amounts"])) for row in raw["rows"]),
        note=build_text_or_none(raw.get("note")),
    )


def _aid(aid_id: str, raw: Json, title: Json, *, players: int) -> Aid:
    """An aid; without a count there is one for each of so many players."""
    phases = raw.get("phases", False)
    sections = tuple(_section(each, title) for each in raw["sections"])
    back = tuple(_section(each, title) for each in raw.get("back", ()))
    return Aid(
        id=aid_id,
        name=build_text(raw["name"]),
        count=raw.get("count", players),
        sections=() if phases else sections,
        back=(*sections, *back) if phases else back,
        phases=phases,
    )


def _section(raw: Json, title: Json) -> AidSection:
    return AidSection(
        heading=build_text(raw["heading"]), lines=build_texts(raw.get("lines")), table=_table(raw.get("table"), title)
    )


def _table(raw: Any, title: Json) -> AidTable | None:
    if raw is None:
        return None
    if raw == "players":
        return players_table(_players(title), title.get("currency", "{}"))
    return AidTable(head=build_texts(raw["head"]), rows=tuple(map(build_texts, raw["rows"])))
