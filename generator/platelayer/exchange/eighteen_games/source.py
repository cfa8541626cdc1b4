"""What the mapping of one game shares: its data, its losses, and the ids it has given."""

from __future__ import annotations

from typing import Any

from msgspec import Struct, field

from platelayer.exchange.imported.pictures import Pictures
from platelayer.exchange.losses import Losses
from platelayer.exchange.ruby.game import RubyGame

Json = dict[str, Any]


class Mapping(Struct, kw_only=True):
    """A game on its way to a definition. `marks` are companies that a hex shows anyway, `stops` the
    kinds of stop of each hex, `phases` and `trains` ids by name."""

    game: RubyGame
    losses: Losses
    pictures: Pictures = field(default_factory=Pictures)
    marks: dict[str, set[str]] = field(default_factory=dict)
    stops: dict[str, list[str]] = field(default_factory=dict)
    phases: dict[str, str] = field(default_factory=dict)
    trains: dict[str, str] = field(default_factory=dict)
    classes: list[str] = field(default_factory=list)

    def entries(self, key: str) -> list[Json]:
        """The hashes of a list of the game."""
        value = self.game.data.get(key)
        return (
            [value for value in value if isinstance(value, dict)] if isinstance(value, list) else []
        )

    def table(self, key: str) -> Json:
        """A hash of the game."""
        value = self.game.data.get(key)
        return value if isinstance(value, dict) else {}
