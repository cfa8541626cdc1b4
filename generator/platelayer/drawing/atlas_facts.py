"""The log of an assembly in, what a reader should know of it out: mode, seed, policy, counts; in words."""

from __future__ import annotations

from platelayer.drawing import atlas_words as say
from platelayer.drawing.style import Style
from platelayer.foundation.text import Text
from platelayer.model.atlas import AtlasLog

_HAND = "hand"


def map_name(log: AtlasLog, style: Style) -> str:
    """The mode of play in words; a mode without words of its own by its id."""
    return style.words(say.MODES.get(log.mode, Text.plain(log.mode)))


def facts_of(log: AtlasLog, style: Style) -> tuple[tuple[str, str], ...]:
    """Pairs of a label and a value (a label may be empty): what leads to the same map again, and what it is made of."""
    found: list[tuple[str, str]] = []
    if log.seed is not None:
        found.append((style.words(say.SEED), str(log.seed)))
    if log.algorithm == _HAND:
        found.append((style.words(say.LAID_BY_HAND), ""))
    else:
        policy = say.POLICIES.get(log.policy, Text.plain(log.policy))
        found.append((style.words(say.POLICY), style.words(policy)))
    if log.stack is not None:
        found.append((style.words(say.STACK).replace("{}", str(log.stack)), ""))
    counts = (
        (say.ONE_TILE, say.TILES, len(log.placed)),
        (say.ONE_CAPITAL, say.CAPITALS, len(log.overlays)),
        (say.ONE_BLANK, say.BLANKS, len(log.blanks)),
    )
    for one, several, count in counts:
        if count:
            found.append((style.words(one if count == 1 else several).replace("{}", str(count)), ""))
    return tuple(found)
