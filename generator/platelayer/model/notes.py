"""Bank notes for titles whose boxes have none."""

from __future__ import annotations

_SMALL = (
    (1, 40, 0.02),
    (5, 40, 0.05),
    (10, 50, 0.08),
    (20, 40, 0.1),
    (50, 30, 0.15),
    (100, 40, 0.3),
)
"""Values of small notes with their greatest count, and the greatest share of the bank in them."""
_LARGE, _LARGEST = 500, 1000
_MOST_OF_LARGE = 20


def notes_of(bank: int) -> tuple[tuple[int, int], ...]:
    """Values with counts that add up to the bank exactly: enough small notes to give change with,
    the rest in large ones."""
    counts = {value: min(most, int(bank * share) // value) for value, most, share in _SMALL}
    rest = bank - sum(value * count for value, count in counts.items())
    if rest // _LARGE > _MOST_OF_LARGE:
        # Half of the large notes, by value, are thousands.
        counts[_LARGEST] = rest // _LARGEST // 2
        rest -= counts[_LARGEST] * _LARGEST
    for value in (_LARGE, *(value for value, _, _ in reversed(_SMALL))):
        counts[value] = counts.get(value, 0) + rest // value
        rest %= value
    return tuple((value, counts[value]) for value in sorted(counts) if counts[value])
