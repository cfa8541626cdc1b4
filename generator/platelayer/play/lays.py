"""Lays judged: whether a tile may be laid, and which may, the best income first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from msgspec import json
from msgspec.structs import replace

from platelayer.foundation.languages import FixedWords, Tongue
from platelayer.foundation.problems import CannotRun
from platelayer.foundation.text import listed, suggestion
from platelayer.foundation.values import Frozen
from platelayer.model.position import Lay, Position
from platelayer.model.tile import EndKind, Segment, StopKind, Tile, rotate_tile
from platelayer.model.title import Title
from platelayer.pipeline.load import Reference
from platelayer.play.network import engines_of, network_of, reached_by, value_in
from platelayer.play.routes import position_of
from platelayer.play.runs import best_runs
from platelayer.rules.graph import Spot, next_lays
from platelayer.rules.positions import spots_of
from platelayer.rules.replacement import successors

_words = FixedWords("lays")
# Time for the income after one lay, in seconds.
_SECONDS = 0.5


class Verdict(Frozen, kw_only=True):
    """A lay, the rules that it breaks (none: it is legal) with their words, and its cost in money."""

    hex: str
    lay: Lay
    rules: tuple[str, ...]
    words: tuple[str, ...]
    cost: int

    @property
    def legal(self) -> bool:
        """True if it breaks no rule."""
        return not self.rules


class Move(Frozen, kw_only=True):
    """A legal lay, and what the company's trains then earn at most (proven or not)."""

    hex: str
    lay: Lay
    cost: int
    income: int
    proven: bool


class Table(Frozen, kw_only=True):
    """A position as somebody may lay a tile in it. `company` None: connections are not judged."""

    title: Title
    position: Position
    company: str | None
    language: str = "en"

    def _say(self, key: str, *parts: object) -> str:
        return Tongue(self.language, dict(self.title.terms)).say(_words(key), *parts)

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
        """The rules that a lay breaks, each with its words."""
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
        """The position with a tile laid, and the tokens of its hex in the stops that follow theirs."""
        position = self.position
        after = self._turned(lay)
        follows = dict(enumerate(successors(self.title.shown_in(position)[hex_id], after)))
        tokens = dict(position.tokens)
        if hex_id in tokens:
            moved = (replace(each, stop=follows.get(each.stop, 0)) for each in tokens[hex_id])
            # Two cities that become one have slots of their own.
            tokens[hex_id] = tuple(replace(each, slot=None) for each in moved)
        tiles = {**dict(position.tiles), hex_id: lay}
        return replace(position, tiles=tuple(tiles.items()), tokens=tuple(tokens.items()))

    def _connected(self, hex_id: str, lay: Lay) -> bool:
        """True if the company then reaches new track of the tile, or what else its title asks for."""
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
        """The cost of the ground, and of borders that new track crosses."""
        hexagon = self.title.map_of(self.position).by_id[hex_id]
        old: Tile = self.title.shown_in(self.position)[hex_id]
        new = self._turned(lay)
        fresh = {*new.exits} - {*old.exits}
        return sum(ground.cost for ground in old.terrain) + sum(
            border.cost for border in hexagon.borders if border.edge in fresh
        )

    def moves(self) -> tuple[Move, ...]:
        """All legal lays of the company, the highest income first."""
        spots, moves = self._spots, []
        trains = dict(self.position.trains).get(self.company or "", ())
        engines = engines_of(self.title, self.company or "", trains)
        for hex_id, spot in spots.items():
            there = dict(self.position.tiles).get(hex_id)
            _, here = next_lays(self.title, spot, (there.tile, there.rotation) if there else None)
            for number, turns in here.items():
                for turn in turns:
                    lay = Lay(number, turn)
                    if next(self._broken(hex_id, lay, spot), None) is not None:
                        continue
                    after = self._after(hex_id, lay)
                    network = network_of(self.title, after, self.company or "")
                    best = best_runs(network, engines, seconds=_SECONDS)
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
        """A verdict in words: one line, or one for each rule that it breaks."""
        if not verdict.legal:
            return "\n".join(verdict.words)
        cost = self.title.money(verdict.cost)
        key = "legal at a cost" if verdict.cost else "legal"
        return self._say(key, verdict.lay, verdict.hex, cost)

    def moves_words(self, moves: tuple[Move, ...]) -> str:
        """A line for each lay with the income after it."""
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
    """The position of a file, to judge lays in. Raises as `position_of` does."""
    title, position = position_of(reference, source, company, language, variant)
    return Table(title=title, position=position, company=company, language=language)


def moves_json(moves: tuple[Move, ...]) -> str:
    """Moves as JSON."""
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


def _form(segment: Segment) -> frozenset[object]:
    """A segment by its edges, and whether it leads to a stop: stops are numbered anew by a tile."""
    return frozenset(
        (end.kind, end.index if end.kind is EndKind.EDGE else 0) for end in segment.ends
    )
