"""Trains, phases, market, money and the game's own data as Ruby constants."""

from __future__ import annotations

from collections.abc import Sequence

from platelayer.exchange.eighteen_games.market import ZONES
from platelayer.exchange.out.ruby_files.literals import Keywords, Literal, Symbol, Words
from platelayer.exchange.out.ruby_files.names import Names
from platelayer.model.market import Cell, Market, MarketShape
from platelayer.model.phase import Phase
from platelayer.model.train import Reach, Train, TrainFace

Constants = dict[str, Literal]

_ENDLESS = 99_999
"""A bank that never breaks, as the engine has it."""
_ANY = 99
"""A distance that no route reaches."""
_EVERY_STOP = {"city", "town", "offboard"}
_PAR = "pxzwPs"
"""Letters of spaces where start prices are set."""
_OTHERS = "BWXYZutmnCl"
"""Letters of spaces that have a colour, and a meaning only where the game gives them one."""


def meta(names: Names) -> Constants:
    """What the game's page says."""
    title = names.title
    found: Constants = {"DEV_STAGE": Symbol("prealpha"), "GAME_TITLE": names.words(title.name)}
    if title.subtitle is not None:
        found["GAME_SUBTITLE"] = names.words(title.subtitle)
    if title.credits:
        found["GAME_DESIGNER"] = names.words(title.credits[0])
    counts = [each.players for each in title.players]
    if counts:
        found["PLAYER_RANGE"] = [min(counts), max(counts)]
    return found


def game(names: Names) -> Constants:
    """CURRENCY_FORMAT_STR, BANK_CASH, CERT_LIMIT, STARTING_CASH, MARKET, PHASES, TRAINS, with what belongs to them."""
    return {
        **_money(names),
        **_market(names),
        **_phases(names),
        "TRAINS": [_train(names, each) for each in names.title.trains],
    }


def _money(names: Names) -> Constants:
    title = names.title
    found: Constants = {"CURRENCY_FORMAT_STR": title.currency.replace("%", "%%").replace("{}", "%s")}
    banks = {each.players: each.bank or title.bank or _ENDLESS for each in title.players}
    found["BANK_CASH"] = banks if len(set(banks.values())) > 1 else title.bank or _ENDLESS
    limits = {each.players: each.certificate_limit for each in title.players if each.certificate_limit is not None}
    if limits:
        found["CERT_LIMIT"] = limits
    for each in title.players:
        if each.limits:
            names.losses.lose("certificate limit by companies left", f"{each.players} players")
    found["STARTING_CASH"] = {each.players: each.cash for each in title.players}
    return found


def _market(names: Names) -> Constants:
    market = names.title.market
    if market is None:
        return {"MARKET": []}
    letters = _letters(names, market)
    comments = names.comments("market")
    if market.shape in (MarketShape.ZIGZAG, MarketShape.HEX):
        comments.lose(f"shape of the market: {market.shape.value}")
    for what, there in (
        ("rules of movement on the market", bool(market.movement)),
        ("ends of rows of the market", bool(market.ends)),
        ("ledge on the market", any(cell.ledge for row in market.rows for cell in row if cell)),
        ("arrow on the market", any(cell.arrows for row in market.rows for cell in row if cell)),
        ("words on the market", any(cell.text for row in market.rows for cell in row if cell)),
    ):
        if there:
            comments.lose(what)
    found: Constants = {"MARKET": [_row(row, letters) for row in market.rows]}
    texts = {ZONES[letters[zone.id]]: names.words(zone.name) for zone in market.zones if zone.id in letters}
    if texts:
        found["MARKET_TEXT"] = Keywords(texts)
        found["STOCKMARKET_COLORS"] = Keywords(
            {ZONES[letters[zone.id]]: _colour(zone.colour) for zone in market.zones if zone.id in letters}
        )
    return found


def _colour(colour: str) -> Literal:
    return colour if colour.startswith("#") else Symbol(colour.rpartition(".")[2])


def _letters(names: Names, market: Market) -> dict[str, str]:
    """A letter of the engine for each zone, so that zones with start prices stay such."""
    found: dict[str, str] = {}
    free = {True: list(_PAR), False: list(_OTHERS)}
    for zone in market.zones:
        if zone.who is not None:
            names.comments("market").lose("who a zone of the market is for", f"{zone.id}: {zone.who}")
        if free[zone.par]:
            found[zone.id] = free[zone.par].pop(0)
        else:
            names.comments("market").lose("zone of the market", zone.id)
    return found


def _row(row: Sequence[Cell | None], letters: dict[str, str]) -> Literal:
    cells = ["" if cell is None else _cell(cell, letters) for cell in row]
    return Words(cells) if all(cells) else cells


def _cell(cell: Cell, letters: dict[str, str]) -> str:
    return f"{cell.price}{''.join(dict.fromkeys(letters[zone] for zone in cell.zones if zone in letters))}"


def _phases(names: Names) -> Constants:
    """PHASES and STATUS_TEXT: what a phase brings about is words under a name of its own."""
    texts: dict[str, Literal] = {}
    phases: list[Literal] = []
    for phase in names.title.phases:
        said = [names.words(each) for each in (*phase.events, *phase.status)]
        keys = [f"phase_{phase.id}_{number}" for number in range(1, len(said) + 1)]
        for key, words in zip(keys, said, strict=True):
            texts[key] = [f"Phase {phase.id}", words]
        phases.append(_phase(names, phase, keys))
    return {"PHASES": phases} | ({"STATUS_TEXT": texts} if texts else {})


def _phase(names: Names, phase: Phase, keys: Sequence[str]) -> Literal:
    comments = names.comments(f"phase {phase.id}")
    found = Keywords(name=phase.id)
    on = [names.trains_and_phases[each] for each in phase.begun_by if each in names.trains_and_phases]
    if on:
        found["on"] = on[0] if len(on) == 1 else on
    found["train_limit"] = Keywords({each.who: each.limit for each in phase.train_limits})
    found["tiles"] = [Symbol(colour) for colour in phase.tiles]
    found["operating_rounds"] = phase.operating_rounds
    if keys:
        found["status"] = list(keys)
        comments.lose("event of a phase, which is words alone")
    if phase.begins is not None:
        comments.lose("how a phase begins", names.words(phase.begins))
    if phase.tile_lays is not None:
        comments.lose("tiles laid in a turn", names.words(phase.tile_lays))
    return found


def _train(names: Names, train: Train) -> Literal:
    comments = names.comments(f"train {train.id}")
    first, *others = (_face(names, train, index) for index in range(len(train.faces)))
    found = first
    found["num"] = "unlimited" if train.unlimited else train.count
    if others:
        found["variants"] = others
    if train.optional:
        comments.lose("optional cards of a train", str(train.optional))
    return found


def _face(names: Names, train: Train, index: int) -> Keywords:
    face = train.faces[index]
    comments = names.comments(f"train {train.id}")
    name = names.trains[train.id, index]
    if name != face.name:
        names.losses.assume(f"The train {face.name} on the card {train.id} is called {name}: names are used once.")
    found = Keywords(name=name, distance=_distance(face.reach), price=face.price)
    for field, ends in (("rusts_on", face.rusts_on), ("obsolete_on", face.obsolete_on)):
        on = list(dict.fromkeys(names.trains_and_phases[each] for each in ends if each in names.trains_and_phases))
        if on:
            found[field] = on[0] if len(on) == 1 else on
    if face.available_from is not None:
        found["available_on"] = face.available_from
    discounts = _discounts(names, face)
    if discounts:
        found["discount"] = discounts
    for what, there in (("note on a train", face.note is not None), ("who may run a train", face.who is not None)):
        if there:
            comments.lose(what)
    return found


def _discounts(names: Names, face: TrainFace) -> dict[str, Literal]:
    """What is taken off the price for a train that is traded in."""
    known = names.trains_and_phases
    return {known[each.train]: face.price - each.price for each in face.trade_ins if each.train in known}


def _distance(reach: Sequence[Reach]) -> Literal:
    """A number where a train stops everywhere alike, else how many stops of which kinds it visits and is paid for."""
    if len(reach) == 1 and set(reach[0].stops) == _EVERY_STOP and reach[0].multiplier == 1:
        row = reach[0]
        if row.visit == row.pay:
            return _ANY if row.visit is None else row.visit
    return [_row_of_reach(row) for row in reach]


def _row_of_reach(row: Reach) -> Literal:
    found: dict[str, Literal] = {"nodes": Words(row.stops)}
    found["pay"] = _ANY if row.pay is None else row.pay
    found["visit"] = _ANY if row.visit is None else row.visit
    if row.multiplier != 1:
        found["multiplier"] = row.multiplier
    return found
