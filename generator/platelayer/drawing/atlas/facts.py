"""Facts about an assembled map for its reader: mode, seed, policy and counts in words."""

from __future__ import annotations

from platelayer.drawing.kit.style import Style
from platelayer.foundation.languages import FixedWords
from platelayer.foundation.text import Text
from platelayer.model.atlas import AtlasLog

say = FixedWords("atlas")

_HAND = "hand"


def map_name(log: AtlasLog, style: Style) -> str:
    """The mode of play in words, or its id when the mode has no words of its own."""
    return style.words(say.table("modes").get(log.mode, Text.plain(log.mode)))


def facts_of(log: AtlasLog, style: Style) -> tuple[tuple[str, str], ...]:
    """Pairs of a label and a value (a label may be empty): what you need to make the same map again, and what it is
    made of."""
    found: list[tuple[str, str]] = []
    if log.seed is not None:
        found.append((style.words(say("seed")), str(log.seed)))
    if log.algorithm == _HAND:
        found.append((style.words(say("laid_by_hand")), ""))
    else:
        policy = say.table("policies").get(log.policy, Text.plain(log.policy))
        found.append((style.words(say("policy")), style.words(policy)))
    if log.stack is not None:
        found.append((style.words(say("stack")).replace("{}", str(log.stack)), ""))
    counts = (
        (say("one_tile"), say("tiles"), len(log.placed)),
        (say("one_capital"), say("capitals"), len(log.overlays)),
        (say("one_blank"), say("blanks"), len(log.blanks)),
    )
    for one, several, count in counts:
        if count:
            found.append((style.words(one if count == 1 else several).replace("{}", str(count)), ""))
    return tuple(found)
