"""The list of every piece that a title prints, and the spaces on pieces where players put things:
cards, notes, tokens, markers. Drawers leave these spaces empty except for a ghost, and the rule
PC05 compares their sizes with what is meant to lie there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from itertools import dropwhile

from msgspec.structs import replace

from platelayer.foundation.values import Frozen, grouped
from platelayer.model.company import Company
from platelayer.model.kinds import KINDS, Piece, piece_size
from platelayer.model.title import Title
from platelayer.model.train import Phase


class Manifest(Frozen, kw_only=True, dict=True):
    """Everything a title prints, in printing order, and totals by kind and by kind/group."""

    title: str
    variant: str | None
    pieces: tuple[Piece, ...]

    @cached_property
    def totals(self) -> dict[str, int]:
        """Return counts by `kind` and, where a kind has groups or sizes, by `kind/group` and
        `kind/size`; kinds in the order of KINDS."""
        counts: Counter[str] = Counter()
        for piece in self.pieces:
            counts[piece.kind] += piece.count
            for part in dict.fromkeys((piece.group, piece.size)):
                if part:
                    counts[f"{piece.kind}/{part}"] += piece.count
        return dict(counts)

    @cached_property
    def by_key(self) -> dict[str, Piece]:
        """Pieces by `kind:id`."""
        return {piece.key: piece for piece in self.pieces}

    @cached_property
    def twins(self) -> list[list[Piece]]:
        """Pieces that share a `kind:id`, so that only one of them could be printed. A title that
        was read has none."""
        alike = grouped((piece.key, piece) for piece in self.pieces)
        return [pieces for pieces in alike.values() if len(pieces) > 1]


def build_manifest(title: Title) -> Manifest:
    """Return every piece that the title's definition implies. Raises nothing: names and counts are
    checked when a title is read."""
    pieces = tuple(
        replace(piece, back=kind.back_of(title, piece))
        for kind in KINDS.values()
        for piece in kind.pieces(title)
        if piece.count > 0
    )
    return Manifest(title=title.id, variant=title.variant, pieces=pieces)


# Bank notes for titles whose boxes have none.


# Values of small notes, with their maximum number and their maximum share of the bank.
_SMALL = (
    (1, 40, 0.02),
    (5, 40, 0.05),
    (10, 50, 0.08),
    (20, 40, 0.1),
    (50, 30, 0.15),
    (100, 40, 0.3),
)
_LARGE, _LARGEST = 500, 1000
_MOST_OF_LARGE = 20


def notes_of(bank: int) -> tuple[tuple[int, int], ...]:
    """Return values and counts of notes that add up to the bank exactly, with enough small notes to
    give change."""
    counts = {value: min(most, int(bank * share) // value) for value, most, share in _SMALL}
    rest = bank - sum(value * count for value, count in counts.items())
    if rest // _LARGE > _MOST_OF_LARGE:
        # Thousands make up half of the rest, by value.
        counts[_LARGEST] = rest // _LARGEST // 2
        rest -= counts[_LARGEST] * _LARGEST
    # Begin with the largest note, so that the remainder needs as few notes as possible.
    for value in (_LARGE, *(value for value, _, _ in reversed(_SMALL))):
        counts[value] = counts.get(value, 0) + rest // value
        rest %= value
    return tuple((value, counts[value]) for value in sorted(counts) if counts[value])


# Minimum difference between a space for cards and the card, in width and in height.
CARD_PLAY_MM = 1.0
# Minimum difference between a space for markers and the marker.
MARKER_PLAY_MM = 0.4
# Sizes of the rings of a round track, of the spaces in its row of cycles, and of the rings of a
# game track.
ROUND_RING_MM, CYCLE_MM, GAME_RING_MM = 17.0, 16.0, 14.4
# Margin beside the spaces of an offer sheet.
OFFER_SIDE_MM = 4.0


class Bay(Frozen, kw_only=True):
    """Width and height in mm of a space for cards or notes."""

    width_mm: float
    height_mm: float

    def holds(self, width_mm: float, height_mm: float) -> bool:
        """Return True if a card fits with the clearance that it needs."""
        return (
            width_mm + CARD_PLAY_MM <= self.width_mm + 0.01
            and height_mm + CARD_PLAY_MM <= self.height_mm + 0.01
        )


class _Form(Frozen, kw_only=True):
    """A form of charter: its design size; the width for trains, as a share of the card's less a
    constant; the largest share of its height for trains; the smallest card with room for notes
    of any size, and the room for notes on smaller ones."""

    design: tuple[float, float]
    across: float
    less: float
    most: float
    roomy: tuple[float, float]
    small: tuple[float, float]


# A stack of notes, whose lower half may project over the edge.
_NOTES = (65.0, 22.0)


_ACROSS = _Form(
    design=(148.0, 105.0),
    across=0.705,
    less=0.705 * 11.0 + 4.5,
    most=0.43,
    roomy=(170.0, 0.0),
    small=(40.0, 12.0),
)
_TALL = _Form(
    design=(92.0, 140.0), across=1.0, less=12.0, most=0.32, roomy=(0.0, 150.0), small=(35.0, 10.0)
)
_WIDE = _Form(
    design=(237.0, 105.0), across=0.5, less=0.0, most=0.64, roomy=(0.0, 0.0), small=_NOTES
)


def train_card(title: Title) -> tuple[float, float]:
    """Return the width and height in mm of a space in which every train card fits, laid across as
    on charters."""
    sizes = [piece_size(title, "train", train.id) for train in title.trains] or [
        piece_size(title, "train")
    ]
    return (
        max(max(size.width_mm, size.height_mm) for size in sizes),
        max(min(size.width_mm, size.height_mm) for size in sizes),
    )


def is_wide(width_mm: float, height_mm: float) -> bool:
    """Return True for a charter that has its trains beside everything else."""
    return width_mm >= 2 * height_mm


def _form_of(title: Title, company: Company) -> tuple[_Form, float, float]:
    """Return the form of a company's charter, and its width and height in mm."""
    size = piece_size(title, "charter", company.id, company.size)
    width, height = size.width_mm, size.height_mm
    if height > width:
        return _TALL, width, height
    if is_wide(width, height):
        return _WIDE, width, height
    return _ACROSS, width, height


def train_bay(title: Title, company: Company) -> Bay:
    """Return the space for trains on a company's charter, as high as a card if the charter is large
    enough."""
    form, width, height = _form_of(title, company)
    # A charter with another aspect ratio is scaled by its tighter side.
    unit = min(width / form.design[0], height / form.design[1])
    return Bay(
        width_mm=form.across * width - form.less * unit,
        height_mm=min(train_card(title)[1] + CARD_PLAY_MM, form.most * height),
    )


def notes_bay(title: Title, company: Company) -> Bay:
    """Return the minimum space for notes on a company's charter."""
    form, width, height = _form_of(title, company)
    roomy = width >= form.roomy[0] and height >= form.roomy[1]
    wide, tall = _NOTES if roomy else form.small
    return Bay(width_mm=wide, height_mm=tall)


def train_limits(title: Title, company: Company) -> tuple[tuple[Phase, int], ...]:
    """Return the company's train limit in every phase that sets one, from its formation to its
    closing.

    Phases may limit trains by size (the company's, or the next that it may grow to) or else by
    kind. The company's own limit, if any, applies where phases have none.
    """
    sizes = {limit.who for phase in title.phases for limit in phase.train_limits}
    own = [size for size in (company.size, *company.later_sizes) if size in sizes]
    own = own or [company.kind.value]
    phases = []
    # A company that opens late has no train limit before it opens, and none after it closes; the
    # charter must not get more space for trains because of these phases.
    for phase in dropwhile(lambda phase: phase.id != (company.opens or phase.id), title.phases):
        limits = {limit.who: limit.limit for limit in phase.train_limits}
        limit = next((limits[who] for who in own if who in limits), company.train_limit)
        if limit is not None:
            phases.append((phase, limit))
        if phase.id == company.closes:
            break
    return tuple(phases)


def most_trains(title: Title, company: Company) -> int:
    """Return the largest number of trains that the company may ever own, at least 1."""
    return max(1, *(limit for _, limit in train_limits(title, company)), 1)


def shown_mm(title: Title) -> tuple[float, float]:
    """Return how much of a train card must at least show, and usually shows, when another overlaps
    it on a charter: enough for a name of one letter, or of two."""
    short = all(len(side.name) == 1 for train in title.trains for side in train.faces)
    return 5.6 if short else 7.5, 7.5


def offered_card(title: Title, companies: Sequence[Company]) -> tuple[float, float]:
    """Return the width and height in mm of the space for a card on the offer sheet of these
    companies."""
    sizes = [piece_size(title, "private", company.id, company.size) for company in companies]
    return (
        max(size.width_mm for size in sizes) + CARD_PLAY_MM,
        max(size.height_mm for size in sizes) + CARD_PLAY_MM,
    )


def ring_mm(title: Title) -> float:
    """Return the width of the narrowest marker space on the title's round track; 0 without a
    track."""
    if not title.pieces.rounds:
        return 0.0
    if title.pieces.rounds_once:
        return GAME_RING_MM
    return min(ROUND_RING_MM, CYCLE_MM) if title.pieces.cycles else ROUND_RING_MM


def track_marker_mm(title: Title) -> float:
    """Return the diameter of the narrowest marker used on the round track; 0 without one."""
    return min(
        (piece_size(title, "marker", marker.id).width_mm for marker in title.pieces.markers),
        default=0.0,
    )
