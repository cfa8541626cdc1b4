"""What the mapping of one game file shares: its data, its losses and pictures, and its companies."""

from __future__ import annotations

from typing import Any

from msgspec import Struct, field

from platelayer.exchange.imported.pictures import Pictures
from platelayer.exchange.losses import Comments, Losses

Json = dict[str, Any]


class Mapping(Struct, kw_only=True):
    """A game file on its way to a definition. `named` are companies and `held` private companies by what the map calls
    them: ids of `companies` and `privates`."""

    raw: Json
    losses: Losses = field(default_factory=Losses)
    pictures: Pictures = field(default_factory=Pictures)
    companies: Json = field(default_factory=dict)
    privates: Json = field(default_factory=dict)
    named: dict[str, str] = field(default_factory=dict)
    held: dict[str, str] = field(default_factory=dict)

    def comments(self, place: str) -> Comments:
        """Losses at one place."""
        return Comments(self.losses, place)
