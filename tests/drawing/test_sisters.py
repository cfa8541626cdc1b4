"""Cards of one kind and size are set alike, however much each has to say."""

from __future__ import annotations

from collections import defaultdict
from functools import cache

import pytest
from msgspec.structs import replace

from often import crossed
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
from platelayer.foundation.resources import title_ids
from platelayer.foundation.text import Text
from platelayer.model.manifest import build_manifest
from platelayer.model.title import Title
from platelayer.pipeline.load import load
from platelayer.scene.flatten import flatten_scene

BODY = load_theme("classic").type("private.body")
BOXES = (TextBox(20.0, 70.0, 16.0), TextBox(18.0, 70.0, 20.0))
WORDS = "It may lay one tile more in its turn. "
KINDS = ("charter", "private")


@cache
def title_of(name: str) -> Title:
    return load(name)


def told(*texts: str) -> CardText:
    return CardText(texts, BODY, BOXES)


def settings(
    title: Title, kind: str, language: str
) -> dict[tuple[float, float], set[tuple[str, float]]]:
    """By size of the cards: the faces and sizes of what companies may do, as far as lines are no
    other words' too."""
    manifest, style = build_manifest(title), style_of(title, load_theme("classic"), language)
    found: dict[tuple[float, float], set[tuple[str, float]]] = defaultdict(set)
    for piece in (piece for piece in manifest.pieces if piece.kind == kind):
        company = title.private(piece.id) if kind == "private" else title.company_by_id[piece.id]
        said = " ".join(style.words(text) for text in company.abilities).replace(" ", "")
        scene = draw_piece(title, manifest, piece, style)[0]
        runs = [text.run for text in flatten_scene(scene)[1]]
        own = {
            (run.face, round(run.size_pt, 6))
            for run in runs
            if len(run.text) > 9 and run.text.replace(" ", "") in said
        }
        found[scene.width_mm, scene.height_mm] |= own
    return found


@pytest.mark.parametrize(("language", "name"), crossed(["en", "ja"], title_ids()))
def test_they_share_a_size_and_a_face(name, language):
    for kind in KINDS:
        for size, runs in settings(title_of(name), kind, language).items():
            assert len({pt for _, pt in runs}) <= 1, (kind, size)
            assert len({face for face, _ in runs if not face.startswith("NotoSansJP")}) <= 1, (
                kind,
                size,
            )


def test_one_that_says_much_sets_the_size_of_all():
    short, long = told(WORDS), told(WORDS * 4, WORDS * 4, WORDS * 2)
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
    short, endless = told(WORDS), told(WORDS * 99)
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
    cards = [told(WORDS * count, WORDS) for count in (1, 2, 3, 4)]
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


def test_a_longer_text_changes_its_sisters():
    title = title_of("1824")
    before = settings(title, "private", "en")
    long = tuple(Text.plain(WORDS * 3) for _ in range(4))
    changed = tuple(
        replace(company, abilities=long) if company.id == "B1" else company
        for company in title.companies
    )
    after = settings(replace(title, companies=changed), "private", "en")
    assert [max(pt for _, pt in runs) for runs in after.values()] < [
        max(pt for _, pt in runs) for runs in before.values()
    ]
