"""A random map of three-hex map tiles: the box it is drawn from, the modes of play, and the log of its assembly.

Axial coordinates (q, r), flat layout: hex 1 of a map tile lies at `at`, hex 2 to its south-east, hex 3 to its south;
rotation k turns the tile k x 60 degrees clockwise about hex 1 by (q, r) -> (-r, q + r). Source: the issue "Railways of
the Lost Atlas" and its reference facts.
"""

from __future__ import annotations

from enum import Enum
from functools import cached_property
from typing import NamedTuple

from msgspec import Struct

from platelayer.model.hexes import Coord
from platelayer.model.tile import Tile


class Axial(NamedTuple):
    """Axial coordinates of one hex."""

    q: int
    r: int

    def __add__(self, other: tuple[object, ...]) -> Axial:
        q, r = other
        return Axial(self.q + q, self.r + r)  # type: ignore[operator]


NEIGHBOURS = (Axial(0, 1), Axial(-1, 1), Axial(-1, 0), Axial(0, -1), Axial(1, -1), Axial(1, 0))
"""The hex beyond each edge, edges 0-5 clockwise from the bottom as everywhere."""

CORNERS_OF_TILE = (Axial(0, 0), Axial(1, 0), Axial(0, 1))
"""Where hexes 1, 2 and 3 of a map tile lie at rotation 0."""


def turned(offset: Axial, rotation: int) -> Axial:
    """An offset turned clockwise by `rotation` x 60 degrees about (0, 0)."""
    q, r = offset
    for _ in range(rotation % 6):
        q, r = -r, q + r
    return Axial(q, r)


def tile_hexes(at: Axial, rotation: int) -> tuple[Axial, Axial, Axial]:
    """Where hexes 1, 2 and 3 lie when hex 1 is at `at`."""
    one, two, three = (at + turned(offset, rotation) for offset in CORNERS_OF_TILE)
    return one, two, three


def doubled(at: Axial) -> Coord:
    """Doubled coordinates (as maps use them) of axial ones, in a flat layout."""
    return Coord(at.q, 2 * at.r + at.q)


class Ground(Enum):
    """What a hex of a map tile is."""

    HOME = "home"
    PLAIN = "plain"
    MOUNTAIN = "mountain"
    WATER = "water"
    CITY = "city"
    BORDER = "border"
    DESTINATION = "destination"


class AtlasHex(Struct, frozen=True, kw_only=True):
    """One hex of a map tile; `company` is the id of the company at home there (only for HOME). `tile` is what it has
    printed on it at rotation 0 where that does not follow from its ground (see model.atlas_board)."""

    ground: Ground
    company: str | None = None
    tile: Tile | None = None


class MapTile(Struct, frozen=True, kw_only=True):
    """A map tile: its printed number, how many copies are in the box, its hexes 1, 2 and 3."""

    number: int
    copies: int
    hexes: tuple[AtlasHex, AtlasHex, AtlasHex]


class Mode(Struct, frozen=True, kw_only=True):
    """How a mode of play draws from the box.

    `removed` pairs tile numbers with the copies that stay in the box. With `stacks` > 0 the tiles with homes (and those
    of `stack_homes`) are dealt out, `homes_per_stack` to each stack, the rest evenly, and one stack is used.
    `capital_projects` are shuffled in (into each stack). `cash` pairs players with cash each. `columns` are the columns
    of charters on offer. `absent` are ids of companies out of play.
    """

    id: str
    players: tuple[int, ...]
    cash: tuple[tuple[int, int], ...]
    removed: tuple[tuple[int, int], ...]
    capital_projects: int
    cycles: int
    columns: tuple[int, ...]
    trains: tuple[tuple[str, int], ...]
    absent: tuple[str, ...] = ()
    stacks: int = 0
    homes_per_stack: int = 0
    stack_homes: tuple[int, ...] = ()
    tiles_used: int = 0
    exports: bool = True


class AtlasBox(Struct, frozen=True, kw_only=True, dict=True):
    """The map pieces of the box and its modes. `capital_overlays` and `blank_overlays` are single hexes. `homeless` are
    ids of companies without a home on any map tile: with stacks they come into play with a tile of `stack_homes`.
    `bridging` are ids of the companies that lay track across water, which no other may."""

    map_tiles: tuple[MapTile, ...]
    modes: tuple[Mode, ...]
    capital_projects: int
    capital_overlays: int
    blank_overlays: int
    homeless: tuple[str, ...] = ()
    bridging: tuple[str, ...] = ()

    @cached_property
    def tile_by_number(self) -> dict[int, MapTile]:
        """Map tiles by printed number."""
        return {tile.number: tile for tile in self.map_tiles}

    @cached_property
    def mode_by_id(self) -> dict[str, Mode]:
        """Modes by id."""
        return {mode.id: mode for mode in self.modes}


class TileDraw(Struct, frozen=True, kw_only=True):
    """A map tile was drawn and laid; `alternatives` counts the distinct legal placements it had."""

    draw: int
    tile: int
    copy: int
    at: Axial
    rotation: int
    alternatives: int


class ProjectDraw(Struct, frozen=True, kw_only=True):
    """A capital project was drawn: its overlay went to `overlay_at`, or (None) it went to the bottom of the pile."""

    draw: int
    capital_project: int
    overlay_at: Axial | None


Draw = TileDraw | ProjectDraw


class AtlasLog(Struct, frozen=True, kw_only=True):
    """Everything needed to replay an assembly. `algorithm` names the version of the assembler that a seed is good for
    ("hand" for a map typed in from a table); `stack` tells which stack was used, from 1 (None: no stacks);
    `blank_limit` how many blanks there were to lay at most (None: as many as the rules ask for)."""

    mode: str
    seed: int | None
    policy: str
    algorithm: str
    draws: tuple[Draw, ...]
    blanks: tuple[Axial, ...]
    restarts: int = 0
    stack: int | None = None
    blank_limit: int | None = None
    metrics: tuple[tuple[str, float], ...] = ()

    @property
    def placed(self) -> tuple[TileDraw, ...]:
        """The tiles laid, in order."""
        return tuple(draw for draw in self.draws if isinstance(draw, TileDraw))

    @property
    def overlays(self) -> tuple[Axial, ...]:
        """Where capital overlays lie, in order."""
        return tuple(d.overlay_at for d in self.draws if isinstance(d, ProjectDraw) and d.overlay_at is not None)
