"""Phases: how they begin and what they allow."""

from __future__ import annotations

from msgspec import Struct

from platelayer.foundation.text import Text


class TrainLimit(Struct, frozen=True, kw_only=True):
    """How many trains a company of a kind or size (`who`: major, minor, small ...) may own."""

    who: str
    limit: int


class Phase(Struct, frozen=True, kw_only=True):
    """`on` is the train whose first sale begins the phase (None: the first phase, or one that begins as `begins` says);
    `or_on` are others that begin it if one of them is sold before. `tiles` are the tile colours that may be laid;
    `revenue` is the key of the off-board values in force; `events` say what happens as it begins, `status` what holds
    while it lasts; `tile_lays` is how many tiles a company lays in its turn, where that differs by phase."""

    id: str
    on: str | None
    train_limits: tuple[TrainLimit, ...]
    tiles: tuple[str, ...]
    operating_rounds: int
    revenue: str | None = None
    events: tuple[Text, ...] = ()
    tile_lays: Text | None = None
    begins: Text | None = None
    status: tuple[Text, ...] = ()
    or_on: tuple[str, ...] = ()

    @property
    def begun_by(self) -> tuple[str, ...]:
        """All trains that begin it, whichever is sold first."""
        return () if self.on is None else (self.on, *self.or_on)
