"""Cards of one kind and size are set alike, however much each has to say."""

from __future__ import annotations

from msgspec.structs import replace

from looks.abilities import settings
from platelayer.definitions.themes import load_theme
from platelayer.drawing.kit.rich_text import (
    CardText,
    Paragraphs,
    TextBox,
    common_setting,
    scale,
    set_paragraphs,
)
from platelayer.drawing.kit.style import style_of
from platelayer.drawing.pieces import draw_piece
from platelayer.foundation.text import Text
from platelayer.model.manifest import build_manifest
from platelayer.model.title import Title
from shipped import shipped

BODY = load_theme("classic").type("private.body")
BOXES = (TextBox(20.0, 70.0, 16.0), TextBox(18.0, 70.0, 20.0))
WORDS = "It may lay one tile more in its turn. "


def stated(*texts: str) -> CardText:
    return CardText(texts, BODY, BOXES)


def test_one_that_says_much_sets_the_size_of_all():
    short, long = stated(WORDS), stated(WORDS * 4, WORDS * 4, WORDS * 2)
    alone, together = (
        common_setting([short], is_wide=False),
        common_setting([short, long], is_wide=False),
    )
    assert alone is not None
    assert together is not None
    assert (alone.size, alone.box) == (0, 0)
    assert together.size > 0
    for card in (short, long):
        paragraphs = set_paragraphs(card, together)
        assert paragraphs is not None
        assert paragraphs.type_style == scale(BODY)[together.size]


def test_one_that_fits_nowhere_leaves_the_others_as_they_are():
    short, endless = stated(WORDS), stated(WORDS * 99)
    assert common_setting([short, endless], is_wide=False) == common_setting([short], is_wide=False)
    assert common_setting([endless], is_wide=False) is None


def lines(paragraphs: Paragraphs) -> list[float]:
    """Baselines below the upper edge of the box, in half lines."""
    half = paragraphs.spacing.leading * paragraphs.type_style.size_mm / 2
    at, found = paragraphs.first - paragraphs.box.top, list[float]()
    for block in paragraphs.blocks:
        found += (at + 2 * half * number for number in range(len(block)))
        at = found[-1] + (2 + paragraphs.spacing.apart) * half
    return [base / half for base in found]


def test_their_lines_stand_on_one_grid():
    cards = [stated(WORDS * count, WORDS) for count in (1, 2, 3, 4)]
    way = common_setting(cards, is_wide=False)
    assert way is not None
    bases = [
        base
        for card in cards
        if (paragraphs := set_paragraphs(card, way))
        for base in lines(paragraphs)
    ]
    assert len(bases) > 2 * len(cards)
    assert {round(base - bases[0], 6) % 1 for base in bases} == {0.0}


def private_settings(title: Title) -> list[float]:
    """The largest size of the abilities on each size of private cards."""
    manifest, style = build_manifest(title), style_of(title, load_theme("classic"), "en")
    fronts = {
        piece.key: draw_piece(title, manifest, piece, style)
        for piece in manifest.pieces
        if piece.kind == "private"
    }
    found = settings(title, style, fronts, "private")
    return [max(size_pt for _, size_pt in runs) for runs in found.values()]


def test_a_longer_text_changes_its_sisters():
    title = shipped("1824")
    long = tuple(Text.plain(WORDS * 3) for _ in range(4))
    changed = tuple(
        replace(company, abilities=long) if company.id == "B1" else company
        for company in title.companies
    )
    assert private_settings(replace(title, companies=changed)) < private_settings(title)
