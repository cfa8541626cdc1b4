"""The Ruby files of a title: what is in which, and the README beside them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import compress

from platelayer.exchange.losses import loss_table
from platelayer.exchange.writers.ruby import (
    PRIVATE,
    Literal,
    Names,
    boards,
    entities,
    folder_name,
    game,
    is_minor,
    meta,
    methods,
    module_name,
    names_of,
    written,
)
from platelayer.exchange.writers.tables import markdown
from platelayer.foundation.text import Text
from platelayer.model.company import CompanyKind
from platelayer.model.market import MarketShape
from platelayer.model.title import Title

# What comes with the Ruby files of a title: what the engine plays with them, and what is left to
# write.


_KEYS = """\
`id`, `printed` and `cards` of a train, `kind` and `roundel` of a company are read by `platelayer import` alone. The
engine passes over them; delete them when the game no longer comes from here."""


def readme(names: Names) -> str:
    """The file as Markdown. Headings are English, words of the title in the language of the
    export."""
    title, losses = names.title, names.losses
    lines = [
        f"# {markdown(title.name.get(names.language))} for 18xx.games",
        "",
        "The files lie as in a checkout of 18xx.games: copy `lib` and `public` over it. They hold the data of the game",
        f"(`lib/engine/game/{folder_name(title.id)}`) and a logo of each company. The engine plays them as they are,",
        "by the rules that most games share. What is this game's alone is code, which no definition holds.",
        "",
        "## What the engine plays",
        "",
        *(f"- {line}" for line in _played(names)),
        "",
        "## What is left to write",
        "",
        *_left(names),
        "",
        "## Keys that the engine does not know",
        "",
        *_KEYS.split("\n"),
    ]
    if losses.assumed:
        lines += ["", "## Decided", "", *(f"- {markdown(entry)}" for entry in losses.assumed)]
    if losses.lost:
        lines += ["", "## Not exported", "", *loss_table(losses, markdown)]
    return "\n".join(lines) + "\n"


def _played(names: Names) -> Iterator[str]:
    title = names.title
    privates = [company for company in title.companies if company.kind in PRIVATE]
    shared = [
        company
        for company in title.companies
        if company.kind not in PRIVATE and not is_minor(company)
    ]
    if privates:
        yield (
            f"An auction of {len(privates)} private companies, the cheapest first. They pay in each operating round"
            + (
                ", change their income and close by phase."
                if any(p.closes or p.incomes[1:] for p in privates)
                else "."
            )
        )
    else:
        yield "No auction: the game begins with a stock round."
    if shared:
        yield (
            f"Stock rounds with {len(shared)} companies: start prices in the zones of the market, shares, presidents, "
            "certificate limits; a company that floats gets its price for all of its shares."
        )
    if title.maps:
        yield (
            f"The map {markdown(names.words(title.maps[0].name))} with "
            f"{len(title.maps[0].hexes)} hexes: one tile in a turn, of the colours of the phase, upgraded by colour, "
            "track and label; terrain is paid for; homes (chosen where there are several), further stations."
        )
    if title.trains:
        limited = any(phase.train_limits for phase in title.phases)
        discounts = any(face.trade_ins for train in title.trains for face in train.faces)
        yield (
            f"{len(title.trains)} kinds of train in order, with what they end"
            + (", discounts for older ones" if discounts else "")
            + (", train limits by kind of company and phase" if limited else "")
            + ", forced purchases and bankruptcy."
        )
    yield "Routes, full dividends or none: the price moves right or left, down with each share sold, up when sold out."
    yield f"Money: starting cash{', the bank' if title.bank else ''}, and the end of the game when the bank is empty."


_Entries = Iterable[tuple[str, Text | str]]


def _left(names: Names) -> Iterator[str]:
    """A paragraph or list for each subject about which the title says something that is no data."""
    said = [section for subject in _SUBJECTS for section in subject(names)]
    if not said:
        yield "The definition says nothing that these files leave out."
    for number, (heading, entries) in enumerate(said):
        yield from [""] if number else []
        yield f"**{heading}**"
        for index, (place, words) in enumerate(entries):
            told = markdown(words if isinstance(words, str) else names.words(words))
            yield from ([] if index else [""])
            yield f"- {markdown(place)}: {told}" if place else f"- {told}"


_Section = Iterator[tuple[str, _Entries]]


def _ownership(names: Names) -> _Section:
    companies = names.title.companies
    for what, chosen in (
        ("Minors have no owner: nobody sells them", map(is_minor, companies)),
        (
            "Concessions are auctioned like private companies, and what they entitle to is up to the players",
            (company.kind is CompanyKind.CONCESSION for company in companies),
        ),
        (
            "Nationals are founded like any company, not formed",
            (company.kind is CompanyKind.NATIONAL for company in companies),
        ),
        (
            "Reserved shares are for sale like all others",
            (
                any(certificate.reserved for certificate in company.certificates)
                for company in companies
            ),
        ),
        (
            "A company that starts in all of its homes at once places one of them",
            (company.all_homes for company in companies),
        ),
        (
            "A company without a home starts in any city with a free place",
            (
                bool(company.stations) and not company.homes and not is_minor(company)
                for company in companies
            ),
        ),
        (
            "A station whose price the map shows is free",
            (None in company.stations for company in companies),
        ),
    ):
        ids = [company.id for company in compress(companies, chosen)]
        if ids:
            yield what, [("", ", ".join(ids))]


def _abilities(names: Names) -> _Section:
    told: dict[str, list[str]] = {}
    for company in names.title.companies:
        for ability in company.abilities:
            told.setdefault(names.words(ability), []).append(company.id)
    if told:
        yield "Abilities", [(", ".join(owners), words) for words, owners in told.items()]
    closing = [
        company
        for company in names.title.companies
        if company.closes is not None and company.closes not in names.title.phase_by_id
    ]
    if closing:
        yield (
            "When private companies close",
            [(company.id, company.closes or "") for company in closing],
        )


def _rounds(names: Names) -> _Section:
    title = names.title
    if title.pieces.rounds and any(phase.operating_rounds == 0 for phase in title.phases):
        track = " → ".join(names.words(step.name) for step in title.pieces.rounds)
        yield "Rounds: the engine plays one operating round after each stock round", [("", track)]
    events = [(phase.id, text) for phase in title.phases for text in (*phase.events, *phase.status)]
    shown = [
        (f"Phase {phase}", text)
        for phase, text in events
        if names.words(text) not in names.known_statuses
    ]
    if shown:
        yield "What phases bring about", shown
    lays = [
        (f"Phase {phase.id}", phase.tile_lays)
        for phase in title.phases
        if phase.tile_lays is not None
    ]
    if lays:
        yield "Tiles in a turn (TILE_LAYS)", lays
    begins = [
        (f"Phase {phase.id}", phase.begins) for phase in title.phases if phase.begins is not None
    ]
    if begins:
        yield "Phases that no train begins", begins


def _trains(names: Names) -> _Section:
    faces = [(face.name, face) for train in names.title.trains for face in train.faces]
    notes = dict.fromkeys(
        (name, names.words(face.note)) for name, face in faces if face.note is not None
    )
    if notes:
        yield "Trains", notes
    users = dict.fromkeys(
        (name, f"for {face.who} alone") for name, face in faces if face.who is not None
    )
    if users:
        yield "Who may run a train", users


def _market(names: Names) -> _Section:
    market = names.title.market
    if market is None:
        return
    if market.movement:
        yield "Movement on the market", [("", rule) for rule in market.movement]
    if market.shape in (MarketShape.ZIGZAG, MarketShape.HEX):
        yield "The market is a grid to the engine", [("", f"it is a {market.shape.value}")]
    own = [(zone.id, f"for {zone.who} alone") for zone in market.zones if zone.who is not None]
    if own:
        yield "Whom zones of the market are for", own


def _tiles(names: Names) -> _Section:
    title = names.title
    laid = [(entry.tile.id, entry.via) for entry in title.tiles if entry.via is not None]
    if laid:
        yield "Tiles that abilities lay", laid
    options = title.upgrades
    own = {
        "labels whose cities merge": options.merging_labels,
        "colours in which towns merge": options.merging_towns,
        "stops that appear or disappear": [added.colour for added in options.added],
        "icons that are kept": options.kept_icons,
        "tiles that are laid as drawn": options.fixed_rotation,
        "what is never upgraded": options.never_upgraded,
    }
    rules = [(what, ", ".join(dict.fromkeys(values))) for what, values in own.items() if values]
    if rules:
        yield "Upgrades (upgrades_to?)", rules


def _others(names: Names) -> _Section:
    title = names.title
    if title.atlas is not None:
        yield (
            "The board is drawn at random: there are map tiles (MAP_TILES) and no hexes to play on",
            [],
        )
    if len(title.maps) > 1:
        yield "Which map is used when", [("", gamemap.id) for gamemap in title.maps]
    if title.variants:
        yield "Variants", [(variant.id, variant.name) for variant in title.variants]
    if title.bonuses:
        yield "Bonuses", [("", bonus.name) for bonus in title.bonuses]


_SUBJECTS: tuple[Callable[[Names], _Section], ...] = (
    _ownership, _abilities, _rounds, _trains, _market, _tiles, _others,
)  # fmt: skip


README = "README.md"
GAMES, LOGOS = "lib/engine/game", "public/logos"
"""Where the folder of a game and its logos lie in a checkout of 18xx.games."""
Constants = dict[str, Literal]


def game_files(title: Title, language: str) -> dict[str, bytes]:
    """Files by name, in the folder of the game: meta.rb, map.rb, entities.rb and game.rb, and the
    README."""
    names = names_of(title, language)
    module, folder = module_name(title.id), folder_name(title.id)
    parts = {
        "meta": _file(
            module, "module Meta", meta(names), before=["include Game::Meta"], needs=["../meta"]
        ),
        "map": _file(module, "module Map", boards(names)),
        "entities": _file(module, "module Entities", entities(names)),
        "game": _file(
            module,
            "class Game < Game::Base",
            game(names),
            before=[f"include_meta({module}::Meta)", "include Entities", "include Map"],
            needs=["entities", "map", "meta", "../base"],
            after=methods(title),
        ),
    }
    files = {f"{GAMES}/{folder}/{name}.rb": text.encode() for name, text in parts.items()}
    return files | {README: readme(names).encode()}


def _file(
    module: str,
    holder: str,
    constants: Constants,
    *,
    before: Sequence[str] = (),
    needs: Sequence[str] = (),
    after: Iterable[str] = (),
) -> str:
    """One Ruby file: its constants, and methods `after` them, in a module or class of the game's
    module."""
    lines = ["# frozen_string_literal: true", ""]
    if needs:
        lines += [*(f"require_relative '{need}'" for need in needs), ""]
    depth = ["module Engine", "module Game", f"module {module}", holder]
    lines += [f"{'  ' * level}{opening}" for level, opening in enumerate(depth)]
    body = ["\n".join(before)] if before else []
    body += [_constant(name, value) for name, value in constants.items()]
    for number, constant in enumerate(body):
        lines += [""] if number else []
        lines += [
            f"        {line}" if number == 0 and before else line for line in constant.split("\n")
        ]
    for method in after:
        lines += ["", *(f"        {line}".rstrip() for line in method.split("\n"))]
    lines += [f"{'  ' * level}end" for level in reversed(range(len(depth)))]
    return "\n".join(lines) + "\n"


def _constant(name: str, value: Literal) -> str:
    head = f"        {name} = "
    whole = written(value, 8, room=len(name) + 10)
    fixed = ".freeze" if isinstance(value, (dict, list, tuple)) else ""
    return f"{head}{whole}{fixed}"
