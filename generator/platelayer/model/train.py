"""Trains: what a card shows and what happens to it."""

from __future__ import annotations

from msgspec import Struct

from platelayer.foundation.text import Text


class Reach(Struct, frozen=True, kw_only=True):
    """How many stops of some kinds a train visits and how many of them pay (None: any number), each `multiplier` times
    its value."""

    stops: tuple[str, ...]
    visit: int | None
    pay: int | None
    multiplier: int = 1

    @property
    def in_part(self) -> bool:
        """True if fewer of these stops pay than the train may visit."""
        return self.pay is not None and (self.visit is None or self.pay < self.visit)


class TradeIn(Struct, frozen=True, kw_only=True):
    """The price of a train if the train named `train` is traded in."""

    train: str
    price: int


class TrainFace(Struct, frozen=True, kw_only=True):
    """One train that a card can be: most cards have one face, 18CZ's have up to three.

    `name` is printed very large. `rusts_on` names trains (or phases) whose first sale rusts it; `obsolete_on` likewise
    for one last run. `permanent` must be stated, so that a missing `rusts_on` is never an oversight. `phase` is the
    phase (id) whose colour the card shows and from which the train is on sale. `back`: it is on the back of the card.
    `who` is the size or kind of company that alone may run it: its name is printed in the colour of their zone of the
    market. `figures` is the ink of its name where it has a colour of its own."""

    name: str
    price: int
    reach: tuple[Reach, ...]
    rusts_on: tuple[str, ...] = ()
    obsolete_on: tuple[str, ...] = ()
    trade_ins: tuple[TradeIn, ...] = ()
    available_from: str | None = None
    note: Text | None = None
    back: bool = False
    who: str | None = None
    figures: str | None = None


OPTION = "-option"
"""What follows the id of a train in that of the cards of it that are marked for an option."""


class Train(Struct, frozen=True, kw_only=True):
    """A kind of train card: `count` in the normal game, `optional` more in the box, `unlimited` if the supply never
    runs out (then `count` is what is printed). `starts` is the id of the phase its first sale begins. `option` is what
    the optional cards print; they are a piece of their own then."""

    id: str
    faces: tuple[TrainFace, ...]
    count: int
    optional: int = 0
    unlimited: bool = False
    colour: str | None = None
    starts: str | None = None
    option: Text | None = None

    @property
    def printed(self) -> int:
        """Cards to print."""
        return self.count + self.optional

    @property
    def sides(self) -> tuple[tuple[TrainFace, ...], tuple[TrainFace, ...]]:
        """What is on the front of the card, and on its back."""
        return tuple(f for f in self.faces if not f.back), tuple(f for f in self.faces if f.back)
