"""Best routes of companies in a position, as text, JSON, a map and a proof; and the judgement of
tile lays: whether a tile may be laid, and which tiles may be laid, the highest income first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import ValidationError, convert, json, to_builtins
from msgspec.structs import replace

from platelayer.definitions.source import read_as
from platelayer.definitions.titles import load_position, position_text
from platelayer.foundation.door import NotRead, parse_json, read_json
from platelayer.foundation.languages import FixedWords, Tongue
from platelayer.foundation.problems import CannotRun, ProblemsFound, has_errors
from platelayer.foundation.text import suggestion
from platelayer.foundation.values import Frozen
from platelayer.model.position import Position
from platelayer.model.title import RevenueBonus, Title
from platelayer.pipeline.load import (
    Reference,
    find,
    language_notes,
    problems_of,
    title_of,
)
from platelayer.play.network import Engine, Network, engines_of, network_of
from platelayer.play.proof import Case, Refused, Shown, verify
from platelayer.play.report import listing_pdf
from platelayer.play.runs import Best, Run, best_runs, bits_of

if TYPE_CHECKING:
    from platelayer.drawing.kit.style import Style
    from platelayer.drawing.map.panels import Entry
    from platelayer.drawing.map.plan import MapPlan
    from platelayer.model.gamemap import GameMap
    from platelayer.pipeline.draw import Picture
    from platelayer.scene.shapes import Commands, Item, Items
from collections import Counter

from platelayer.foundation.text import listed
from platelayer.model.position import Lay
from platelayer.model.tile import HEX_MM, EndKind, Segment, StopKind, Tile, rotate_tile
from platelayer.play.network import reached_by, value_in
from platelayer.rules.graph import Spot, next_lays
from platelayer.rules.positions import spots_of
from platelayer.rules.replacement import successors

_words = FixedWords("routes")

# Maximum size of a proof, in bytes.
_MOST_BYTES = 16 * 1024 * 1024
_FORMAT = "platelayer.proof/1"


class Proof(Frozen, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """File that proves the income of one company: the position, the company's trains, their runs,
    and the cases that show that no other runs earn more."""

    format: str
    position: dict[str, Any]
    company: str
    trains: tuple[str, ...]
    total: int
    runs: tuple[Shown | None, ...]
    case: Case


class Income(Frozen, kw_only=True):
    """Best routes of one company with its `trains`, given by the names that positions use. `best`
    has a run for each train, and a proof if the search was completed."""

    company: str
    trains: tuple[str, ...]
    engines: tuple[Engine, ...]
    network: Network
    best: Best

    @property
    def car(self) -> int | None:
        """Number of the car that runs with another train; None if there is none."""
        if self.best.carrier is None:
            return None
        return next(number for number, engine in enumerate(self.engines) if engine.car)

    @property
    def doubled(self) -> tuple[int, int]:
        """Place that pays twice because of the car, and the number of the train that the car runs
        with."""
        assert self.car is not None
        assert self.best.carrier is not None
        run, kinds = self.best.runs[self.best.carrier], self.engines[self.car].doubles
        places = [
            p for p in (run.places if run else ()) if self.network.places[p].kind.value in kinds
        ]
        return max(places, key=lambda place: self.network.places[place].value), self.best.carrier

    def shown(self, run: Run) -> Shown:
        """Return a run with its stops and sides by name."""
        stops = (self.network.places[place] for place in run.places)
        return Shown(
            stops=tuple((stop.hex, stop.stop) for stop in stops),
            sides=tuple(
                tuple(self.network.names[side] for side in bits_of(chain.sides))
                for chain in run.chains
            ),
            value=run.value,
        )


class Routes(Frozen, kw_only=True):
    """Incomes of companies in a position. `title` has the position's variant applied."""

    title: Title
    position: Position
    incomes: tuple[Income, ...]
    language: str = "en"

    @property
    def tongue(self) -> Tongue:
        """Language of the report, with the title's terms."""
        return Tongue(self.language, dict(self.title.terms))

    def _stop(self, income: Income, place: int) -> str:
        """Return the name of a stop's hex, followed by the stop's value unless it is 0."""
        stop = income.network.places[place]
        hexagon = self.title.map_of(self.position).by_id[stop.hex]
        name = hexagon.tile.name.get(self.language) if hexagon.tile.name else stop.hex
        return f"{name} {stop.value}" if stop.value else name

    def income_words(self, income: Income) -> Iterator[str]:
        """Yield a line for a company, then one for each of its trains."""
        best, money, tongue = income.best, self.title.money, self.tongue
        key = "most" if best.proof is not None else "found"
        yield tongue.say(_words(key), income.company, money(best.total), money(best.bound))
        for number, (train, run) in enumerate(zip(income.trains, best.runs, strict=True)):
            if number == income.car:
                doubled, carrier = income.doubled
                yield "  " + tongue.say(
                    _words("with"), train, self._stop(income, doubled), income.trains[carrier]
                )
                continue
            stops = [self._stop(income, place) for place in run.places] if run else []
            way = " – ".join(stops) or tongue.say(_words("stays"))
            yield "  " + tongue.say(_words("train"), train, way, money(run.value if run else 0))

    @property
    def _untold(self) -> list[RevenueBonus]:
        return [table for table in self.title.bonuses if table.pays is None]

    @property
    def not_counted(self) -> tuple[str, ...]:
        """Tables of bonuses that are not counted, in words."""
        tables = (table.name.get(self.language) for table in self._untold)
        return tuple(self.tongue.say(_words("bonus"), name) for name in tables)

    @property
    def text(self) -> str:
        """All incomes as text, the highest first, followed by the bonuses that are not counted."""
        lines = [line for income in self.incomes for line in self.income_words(income)]
        if not self.incomes:
            lines.append(self.tongue.say(_words("none")))
        return "\n".join((*lines, *self.not_counted)) + "\n"

    @property
    def json(self) -> str:
        """All incomes as JSON, the highest first, with the bonuses that are not counted."""
        incomes = [
            {
                "company": income.company,
                "total": income.best.total,
                "proven": income.best.proof is not None,
                "at_most": income.best.bound,
                "runs": [
                    {"train": train, **(to_builtins(income.shown(run)) if run else {"value": 0})}
                    for train, run in zip(income.trains, income.best.runs, strict=True)
                ],
            }
            for income in self.incomes
        ]
        data = {
            "title": self.title.id,
            "incomes": incomes,
            "not_counted": [table.id for table in self._untold],
        }
        return json.format(json.encode(data), indent=1).decode() + "\n"

    def proof(self) -> bytes:
        """Return the proof for the only company. Raises CannotRun unless there is exactly one
        company and it has a proof."""
        if len(self.incomes) != 1:
            raise CannotRun("company: a proof is of one company; name it")
        (income,) = self.incomes
        if income.best.proof is None:
            raise CannotRun(
                f"nothing is proven yet: {income.company} earns {income.best.total} to {income.best.bound}; "
                "give the search more seconds"
            )
        proof = Proof(
            format=_FORMAT,
            position=parse_json(position_text(self.position), dict, name="position.json"),
            company=income.company,
            trains=income.trains,
            total=income.best.total,
            runs=tuple(income.shown(run) if run else None for run in income.best.runs),
            case=income.best.proof,
        )
        return json.format(json.encode(proof), indent=1) + b"\n"

    def pdf(self, *, theme: str, paper: str = "a4") -> bytes:
        """Return a PDF to print of the incomes of all companies, with the map in play. Raises
        CannotRun for an unknown theme, ProblemsFound for an unknown paper."""
        from platelayer.definitions.themes import complete_theme
        from platelayer.drawing.boards.sheets import draw_map
        from platelayer.drawing.kit.style import style_of
        from platelayer.imposition.listing import Entry, Listing
        from platelayer.model.position import InPlay

        style = style_of(self.title, complete_theme(theme), self.language)
        entries = []
        for income in self.incomes:
            first, *words = self.income_words(income)
            entries.append(Entry(first, " · ".join(line.strip() for line in words)))
        shown = replace(self.title, in_play=InPlay(position=self.position))
        listing = Listing(
            stem="routes",
            heading="routes heading",
            intro=" ".join(self.not_counted) or self.tongue.say(_words("counted")),
            entries=entries,
            pictures=[draw_map(shown, self.title.map_of(self.position).id, style)],
        )
        return listing_pdf(self.title, listing, style, paper)

    def picture(self, *, theme: str) -> Picture:
        """Draw the map in play with the runs of the only company. Raises CannotRun unless there is
        exactly one."""
        if len(self.incomes) != 1:
            raise CannotRun("company: a map shows the routes of one company; name it")
        return routes_map(self, self.incomes[0], theme=theme)


def routes(
    reference: Reference,
    source: str | Path,
    *,
    company: str | None = None,
    trains: Sequence[str] = (),
    seconds: float = 2.0,
    language: str = "en",
    variant: str | None = None,
) -> Routes:
    """Return the most that companies can earn with their trains in a position, in money, with the
    runs that earn it and a proof that no others earn more.

    `source` is a position file. Without `company`, the result covers all companies that have trains
    in the position; `trains` replace those of the company in the file. The search for one company
    ends after about `seconds`, with the best runs found and an upper bound. Income from abilities
    is not counted.

    Raises ProblemsFound for files with errors and for an impossible position, CannotRun for
    anything that the title or the position does not have.
    """
    title, position = position_of(reference, source, company, language, variant)
    return routes_of(
        title, position, company=company, trains=trains, seconds=seconds, language=language
    )


def routes_of(
    title: Title,
    position: Position,
    *,
    company: str | None,
    trains: Sequence[str],
    seconds: float,
    language: str,
) -> Routes:
    """Return the most that companies can earn in a position without problems, as `routes` does for
    a file. Raises CannotRun."""
    owned = dict(position.trains)
    if trains and company is None:
        raise CannotRun("company: name the one that runs these trains")
    if company is not None:
        owned = {company: tuple(trains) or owned.get(company, ())}
        if not owned[company]:
            raise CannotRun(f"trains: {company} has none in the position; name some")
    incomes = [_income(title, position, each, run, seconds) for each, run in owned.items()]
    incomes.sort(key=lambda income: -income.best.total)
    return Routes(title=title, position=position, incomes=tuple(incomes), language=language)


def position_of(
    reference: Reference,
    source: str | Path,
    company: str | None,
    language: str,
    variant: str | None = None,
) -> tuple[Title, Position]:
    """Return a title and the position of a file. The title has the position's variant, or `variant`
    if the position names none. Raises ProblemsFound for files with errors and for an impossible
    position, CannotRun for a position of another title or variant and for a company or a
    language that the title does not have."""
    title = find(reference, variant=variant).title
    language_notes(title, language)
    loaded = load_position(Path(source))
    position = loaded.position
    if variant is None and position.variant is not None:
        title = find(reference, variant=position.variant).title
    for own, other in ((position.title, title.id), (position.variant, title.variant)):
        if own not in (None, other):
            raise CannotRun(f"position: the file is a position of {own}, not of {other}")
    position = replace(position, variant=title.variant)
    problems = problems_of(title, loaded)
    if has_errors(problems):
        raise ProblemsFound(problems)
    if company is not None and company not in title.company_by_id:
        hint = suggestion(company, title.company_by_id, most=3)
        raise CannotRun(f'company: there is no company "{company}"{hint and "; " + hint}')
    return title, position


def _income(
    title: Title, position: Position, company: str, trains: tuple[str, ...], seconds: float
) -> Income:
    network = network_of(title, position, company, seconds=seconds)
    engines = _engines(title, company, trains)
    best = best_runs(network, engines, seconds=seconds)
    return Income(company=company, trains=trains, engines=engines, network=network, best=best)


def _engines(title: Title, company: str, trains: Iterable[str]) -> tuple[Engine, ...]:
    known = title.faces_by_name
    for train in trains:
        if train not in known:
            hint = suggestion(train, known, most=3)
            raise CannotRun(f'trains: there is no train "{train}"{hint and "; " + hint}')
    return engines_of(title, company, trains)


def verify_proof(path: Path) -> str:
    """Verify the proof in a file, and return its claim as a sentence. The title is in the file's
    folder, in a folder beside it, or a shipped one. Raises CannotRun for a file that is not a
    proof, and for a proof that does not prove its claim."""
    try:
        data = read_json(path, dict, _MOST_BYTES)
        if data.get("format") != _FORMAT:
            raise CannotRun(f'{path}: this is no proof of routes: its "format" is not "{_FORMAT}"')
        proof = convert(data, Proof)
    except NotRead as error:
        raise CannotRun(str(error)) from error
    except ValidationError as error:
        raise CannotRun(f"{path}: this is no proof of routes: {error}") from error
    # Load the position as if it were a file beside the proof.
    beside = path.absolute().with_name("position.json")
    with read_as({beside: json.encode(proof.position).decode()}):
        loaded = load_position(beside, str(path))
    position = loaded.position
    title = find(title_of(path, position), variant=position.variant).title
    problems = problems_of(title, loaded)
    if has_errors(problems):
        raise ProblemsFound(problems)
    if proof.company not in title.company_by_id:
        raise CannotRun(f'{path}: {title.id} has no company "{proof.company}"')
    network = network_of(title, position, proof.company)
    engines = _engines(title, proof.company, proof.trains)
    try:
        verify(network, engines, proof.runs, proof.total, proof.case)
    except Refused as error:
        raise CannotRun(f"{path}: this proves nothing: {error}") from error
    trains = ", ".join(proof.trains)
    return f"{title.id}: {proof.company} earns {proof.total} with {trains}, and no runs earn more"


_lay_words = FixedWords("lays")
# Time to search for the income after one lay, in seconds.
_SECONDS_OF_A_LAY = 0.5


class Verdict(Frozen, kw_only=True):
    """Verdict on a lay: the rules that it breaks (none: it is legal), each with an explanation, and
    its cost in money."""

    hex: str
    lay: Lay
    rules: tuple[str, ...]
    words: tuple[str, ...]
    cost: int

    @property
    def legal(self) -> bool:
        """True if the lay breaks no rule."""
        return not self.rules


class Move(Frozen, kw_only=True):
    """A legal lay, with the highest income found for the company's trains after it (`proven` or
    not)."""

    hex: str
    lay: Lay
    cost: int
    income: int
    proven: bool


class Table(Frozen, kw_only=True):
    """Position in which tile lays are judged. Without a `company`, connections are not judged."""

    title: Title
    position: Position
    company: str | None
    language: str = "en"

    def _say(self, key: str, *parts: object) -> str:
        return Tongue(self.language, dict(self.title.terms)).say(_lay_words(key), *parts)

    def judge(self, hex_id: str, lay: Lay) -> Verdict:
        """Judge one lay. Raises CannotRun for a hex or a tile that the title does not have."""
        hexes = self.title.map_of(self.position).by_id
        for what, name, known in (
            ("hex", hex_id, hexes),
            ("tile", lay.tile, self.title.tile_by_id),
        ):
            if name not in known:
                hint = suggestion(name, known, most=3)
                raise CannotRun(f'{what}: there is no {what} "{name}"{hint and "; " + hint}')
        broken = [*self._broken(hex_id, lay, self._spots.get(hex_id))]
        return Verdict(
            hex=hex_id,
            lay=lay,
            rules=tuple(rule for rule, _ in broken),
            words=tuple(words for _, words in broken),
            cost=self._cost(hex_id, lay),
        )

    def _turned(self, lay: Lay) -> Tile:
        return rotate_tile(self.title.tile_by_id[lay.tile].tile, lay.rotation)

    @property
    def _spots(self) -> dict[str, Spot]:
        return spots_of(self.title, self.title.map_of(self.position))

    def _broken(self, hex_id: str, lay: Lay, spot: Spot | None) -> Iterator[tuple[str, str]]:
        """Yield the rules that a lay breaks, each with an explanation."""
        title, position = self.title, self.position
        entry = title.tile_by_id[lay.tile]
        phase = title.phase_by_id.get(position.phase or "")
        coloured = entry.tile.colour in title.colours
        if phase is not None and coloured and entry.tile.colour not in phase.tiles:
            words = self._say("phase", lay.tile, entry.tile.colour, phase.id, listed(phase.tiles))
            yield "phase", words
        piece = entry.back_of or lay.tile
        lying = Counter(
            title.tile_by_id[each.tile].back_of or each.tile
            for _, each in position.tiles
            if each.tile in title.tile_by_id
        )
        source = title.tile_by_id[piece]
        if not source.unlimited and lying[piece] >= source.count:
            yield "left", self._say("left", lay.tile, source.count)
        there = dict(position.tiles).get(hex_id)
        if spot is None:
            yield "hex", self._say("hex", hex_id)
            return
        alone, here = next_lays(title, spot, (there.tile, there.rotation) if there else None)
        if lay.tile not in alone:
            able = [name for name in here if here[name]]
            key = "first" if there is None else "upgrade" if able else "last"
            yield "upgrade", self._say(key, lay.tile, there, hex_id, listed(able) or "–")
        elif lay.rotation not in here[lay.tile]:
            can = listed([f"{lay.tile} {turn}" for turn in here[lay.tile]]) or "–"
            key = "edge" if lay.rotation in alone[lay.tile] else "track"
            yield key, self._say(key, lay.tile, hex_id, lay.rotation, can)
        if spot.hexagon.reserved and there is None and self.company not in spot.hexagon.reserved:
            yield "reserved", self._say("reserved", hex_id, listed(spot.hexagon.reserved))
        fits = lay.rotation in here.get(lay.tile, ())
        if fits and self.company is not None and not self._connected(hex_id, lay):
            yield "connection", self._say("connection", self.company, lay.tile, hex_id)

    def _after(self, hex_id: str, lay: Lay) -> Position:
        """Return the position after a lay, with the tokens of the hex moved to the stops that
        succeed theirs."""
        position = self.position
        after = self._turned(lay)
        follows = dict(enumerate(successors(self.title.shown_in(position)[hex_id], after)))
        tokens = dict(position.tokens)
        if hex_id in tokens:
            moved = (replace(each, stop=follows.get(each.stop, 0)) for each in tokens[hex_id])
            # Slot numbers are dropped: those of two cities that become one may coincide.
            tokens[hex_id] = tuple(replace(each, slot=None) for each in moved)
        tiles = {**dict(position.tiles), hex_id: lay}
        return replace(position, tiles=tuple(tiles.items()), tokens=tuple(tokens.items()))

    def _connected(self, hex_id: str, lay: Lay) -> bool:
        """Return True if the company can reach new track of the tile after the lay, or if the lay
        meets the title's other rule on connections."""
        reached = reached_by(self.title, self._after(hex_id, lay), self.company or "")
        found = {segment for at, segment in reached.track if at == hex_id}
        old = self.title.shown_in(self.position)[hex_id]
        before = Counter(map(_form, old.track))
        new = self._turned(lay)
        fresh = {s for s in new.track if s.is_track and before[_form(s)] == 0}
        needs = self.title.upgrades.connection
        if found & fresh or (found and (needs == "any" or not fresh)):
            return True
        stops = {stop for at, stop in reached.stops if at == hex_id}
        if needs == "city":
            return any(new.stops[stop].kind is StopKind.CITY for stop in stops)
        phase, paid = self.position.phase, dict.fromkeys(stops, 0)
        for stop, follower in zip(old.stops, successors(old, new), strict=True):
            if follower in paid:
                paid[follower] = max(paid[follower], value_in(self.title, stop, phase))
        return needs == "value" and any(
            value_in(self.title, new.stops[stop], phase) > paid[stop] for stop in stops
        )

    def _cost(self, hex_id: str, lay: Lay) -> int:
        """Return the cost of terrain and of borders that new track crosses."""
        hexagon = self.title.map_of(self.position).by_id[hex_id]
        old: Tile = self.title.shown_in(self.position)[hex_id]
        new = self._turned(lay)
        fresh = {*new.exits} - {*old.exits}
        return sum(ground.cost for ground in old.terrain) + sum(
            border.cost for border in hexagon.borders if border.edge in fresh
        )

    def moves(self) -> tuple[Move, ...]:
        """Return all legal lays of the company, the highest income first."""
        spots, moves = self._spots, []
        trains = dict(self.position.trains).get(self.company or "", ())
        engines = engines_of(self.title, self.company or "", trains)
        for hex_id, spot in spots.items():
            there = dict(self.position.tiles).get(hex_id)
            _, here = next_lays(self.title, spot, (there.tile, there.rotation) if there else None)
            for number, turns in here.items():
                # Rotations in which a tile has the same track count as one lay.
                alike = {
                    _track(rotate_tile(self.title.tile_by_id[number].tile, n)): n
                    for n in reversed(turns)
                }
                for turn in sorted(alike.values()):
                    lay = Lay(number, turn)
                    if next(self._broken(hex_id, lay, spot), None) is not None:
                        continue
                    after = self._after(hex_id, lay)
                    network = network_of(
                        self.title, after, self.company or "", seconds=_SECONDS_OF_A_LAY
                    )
                    best = best_runs(network, engines, seconds=_SECONDS_OF_A_LAY)
                    moves.append(
                        Move(
                            hex=hex_id,
                            lay=lay,
                            cost=self._cost(hex_id, lay),
                            income=best.total,
                            proven=best.proof is not None,
                        )
                    )
        return tuple(sorted(moves, key=lambda move: (-move.income, move.cost)))

    def verdict_words(self, verdict: Verdict) -> str:
        """Return a verdict in words: one line if it is legal, otherwise one for each broken
        rule."""
        if not verdict.legal:
            return "\n".join(verdict.words)
        cost = self.title.money(verdict.cost)
        key = "legal at a cost" if verdict.cost else "legal"
        return self._say(key, verdict.lay, verdict.hex, cost)

    def moves_words(self, moves: tuple[Move, ...]) -> str:
        """Return a line for each lay, with the income after it."""
        if not moves:
            return self._say("none", self.company)
        lines = []
        for move in moves:
            income = self.title.money(move.income)
            key = "move at a cost" if move.cost else "move"
            lines.append(self._say(key, move.hex, move.lay, income, self.title.money(move.cost)))
        return "\n".join(lines)


def table(
    reference: Reference,
    source: str | Path,
    *,
    company: str | None = None,
    language: str = "en",
    variant: str | None = None,
) -> Table:
    """Return the position of a file as a table for judging lays. Raises as `position_of` does."""
    title, position = position_of(reference, source, company, language, variant)
    return Table(title=title, position=position, company=company, language=language)


def moves_json(moves: tuple[Move, ...]) -> str:
    """Return moves as indented JSON."""
    rows = [
        {
            "hex": move.hex,
            "tile": str(move.lay),
            "cost": move.cost,
            "income": move.income,
            "proven": move.proven,
        }
        for move in moves
    ]
    return json.format(json.encode(rows), indent=1).decode() + "\n"


def _track(tile: Tile) -> frozenset[object]:
    """Return the track of a tile, regardless of the order of segments and of their ends."""
    return frozenset(
        frozenset((end.kind, end.index) for end in segment.ends) for segment in tile.track
    )


def _form(segment: Segment) -> frozenset[object]:
    """Return the edges of a segment, and whether it leads to a stop. Stops are not distinguished,
    as a new tile numbers them anew."""
    return frozenset(
        (end.kind, end.index if end.kind is EndKind.EDGE else 0) for end in segment.ends
    )


# Colours that people can distinguish with any colour vision (Okabe and Ito, "Color Universal
# Design", 2008), the darker ones first, as routes lie on yellow, green and brown tiles.
_COLOURS = ("#0072b2", "#d55e00", "#cc79a7", "#009e73", "#56b4e9", "#e69f00", "#000000")
# Width of a route, and of the white line below it, on a hex of 38.1 mm.
_LINE_MM, _CASING_MM = 2.2, 3.2


def routes_map(routes: Routes, income: Income, *, theme: str) -> Picture:
    """Draw the poster of a position's map with the runs of one company and their incomes in the
    legend."""
    from platelayer.definitions.themes import complete_theme
    from platelayer.drawing.kit.style import style_of
    from platelayer.drawing.map.board import NO_EXTRAS, as_played, draw_poster
    from platelayer.drawing.map.panels import Entry
    from platelayer.model.kinds import piece_size
    from platelayer.model.position import InPlay
    from platelayer.pipeline.draw import Picture
    from platelayer.scene.inks import ink_from_hex
    from platelayer.scene.shapes import Path as Line
    from platelayer.scene.shapes import Stroke, shifted

    title = routes.title
    style = style_of(title, complete_theme(theme), routes.language)
    gamemap = title.map_of(routes.position)
    across = piece_size(title, "map", gamemap.id).width_mm
    in_play = InPlay(position=routes.position)
    shown, board, extras = as_played(title, in_play, NO_EXTRAS)
    words = [*routes.income_words(income)]

    def lines(plan: MapPlan, style: Style) -> Iterator[Item]:
        for width, white in ((_CASING_MM, True), (_LINE_MM, False)):
            for train, run in enumerate(income.best.runs):
                ink = style.ink("white") if white else ink_from_hex(colour_of(train))
                stroke = Stroke(ink, width * plan.across_mm / HEX_MM, cap="round")
                for hex_id, commands in track_of(run, plan.gamemap, plan.across_mm):
                    path = Line(commands, stroke=stroke)
                    yield shifted((path,), *plan.centre(plan.gamemap.by_id[hex_id].at))

    def over(plan: MapPlan, style: Style) -> Items:
        return (*lines(plan, style), *(extras.over(plan, style) if extras.over else ()))

    def entries(_plan: MapPlan, _style: Style) -> tuple[Entry, ...]:
        signs = []
        for train, line in enumerate(words[1:]):
            stroke = Stroke(ink_from_hex(colour_of(train)), _LINE_MM, cap="round")
            sign = Line((("M", -4.0, 0.0), ("L", 4.0, 0.0)), stroke=stroke)
            signs.append(Entry((sign,), line.strip(), group=9))
        return (Entry((), words[0], group=9), *signs)

    extras_too = replace(extras, over=over, entries=entries)
    scene = draw_poster(
        shown, board, across, style, key=f"routes:{income.company}", extras=extras_too
    )
    return Picture(scene=scene, label=f"{title.name.get(routes.language)}: {words[0]}")


def track_of(run: Run | None, gamemap: GameMap, across_mm: float) -> Iterator[tuple[str, Commands]]:
    """Yield the track of a run by segment: the hex, and the curve relative to the hex's centre, on
    hexes of this width. `gamemap` is the map in play."""
    from platelayer.drawing.hex.plan import plan_hex

    for chain in run.chains if run else ():
        for hex_id, segment in chain.track:
            tile = gamemap.by_id[hex_id].tile
            curves = plan_hex(tile, gamemap.layout, across_mm).curves
            yield hex_id, tuple(curves[tile.track.index(segment)].commands())


def colour_of(train: int) -> str:
    """Return the colour of a route by the number of its train."""
    return _COLOURS[train % len(_COLOURS)]
