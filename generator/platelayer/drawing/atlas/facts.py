"""Facts about an assembled map for its reader: mode, seed, policy and counts in words; the heads of
pages about it."""

from __future__ import annotations

from platelayer.drawing.kit.lettering import one_line
from platelayer.drawing.kit.style import Style
from platelayer.foundation.languages import FixedWords
from platelayer.foundation.text import Text
from platelayer.model.atlas import AtlasLog
from platelayer.model.title import Title
from platelayer.scene.shapes import Anchor, Item, Path, rectangle_path
from platelayer.scene.typeset import rise_mm, set_line, text_width

atlas_words = FixedWords("atlas")

_HAND = "hand"


def map_name(log: AtlasLog, style: Style) -> str:
    """The mode of play in words, or its id when the mode has no words of its own."""
    return style.words(atlas_words.table("modes").get(log.mode, Text.plain(log.mode)))


def facts_of(log: AtlasLog, style: Style) -> tuple[tuple[str, str], ...]:
    """Pairs of a label and a value (a label may be empty): what you need to make the same map
    again, and what it is made of."""
    facts: list[tuple[str, str]] = []
    if log.seed is not None:
        facts.append((style.words(atlas_words("seed")), str(log.seed)))
    if log.algorithm == _HAND:
        facts.append((style.words(atlas_words("laid_by_hand")), ""))
    else:
        policy = atlas_words.table("policies").get(log.policy, Text.plain(log.policy))
        facts.append((style.words(atlas_words("policy")), style.words(policy)))
    if log.stack is not None:
        facts.append((style.words(atlas_words("stack"), log.stack), ""))
    counts = (
        (atlas_words("one_tile"), atlas_words("tiles"), len(log.placed)),
        (atlas_words("one_capital"), atlas_words("capitals"), len(log.overlays)),
        (atlas_words("one_blank"), atlas_words("blanks"), len(log.blanks)),
    )
    for one, several, count in counts:
        if count:
            facts.append((style.words(one if count == 1 else several, count), ""))
    return tuple(facts)


def page_head(
    title: Title, log: AtlasLog, words: str, style: Style, width_mm: float
) -> tuple[list[Item], float]:
    """The name of a page about a map, at the right the name of the map and facts about it; and
    where the page goes on below, in mm."""
    heading, red, ink = style.type("atlas.guide.title"), style.ink("map.title"), style.ink("text")
    base = rise_mm(words, heading) + 1.6
    items: list[Item] = [*set_line(words, heading, red, 0, base)]
    room = width_mm - text_width(words, heading) - 8.0
    game = f"{style.words(title.name)} – {map_name(log, style)}"
    facts = "  ·  ".join(f"{label} {value}".strip() for label, value in facts_of(log, style))
    for text, kind, y in (
        (game, "atlas.guide.game", base - 3.6),
        (facts, "atlas.guide.strong", base + 0.6),
    ):
        fitted, line = one_line(text, style.type(kind), room)
        items += set_line(line, fitted, ink, width_mm, y, anchor=Anchor.END)
    items.append(Path(commands=rectangle_path(0, base + 2.6, width_mm, 0.5), fill=red))
    return items, base + 7.2
