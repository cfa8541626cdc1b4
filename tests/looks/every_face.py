"""Checks of every face of a title in both languages, apart from its digest: readable, each
word in its box, one word for one thing, one way to write money, full lines of Japanese."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from math import fsum

import pytest

from harfbuzz import shaped
from japanese_lines import full_lines, lone, mean, parted_names
from looks.abilities import beyond_panels, settings
from looks.digests import LANGUAGES, assert_unchanged
from looks.faces import faces, in_lines
from platelayer.foundation.text import Text
from platelayer.model.title import Title
from platelayer.rules.piece_rules import words_used
from platelayer.scene.flatten import FlatShape, flatten_scene
from platelayer.scene.fonts import advances
from platelayer.scene.legibility import check_legibility
from platelayer.scene.shapes import Group, Item, Path, Role, Scene, Use

BOXED = ("certificate", "charter", "private", "train", "token", "number-card", "priority-card")
"""Kinds all of whose words belong to a box."""

HEXES = ("map", "tile", "map-tile", "overlay", "upgrade-chart", "checklist")


FRAMED = ("certificate", "money", "number-card", "priority-card", "train", "charter", "private")
"""Kinds of whose frames, on either side, ornaments stay within."""


def visible(shape: FlatShape) -> tuple[float, float, float, float]:
    """Left, upper, right and lower side of what its clips show of a shape."""
    boxes = [shape.bounds, *(clip.bounds for clip in shape.clips)]
    return (
        max(box[0] for box in boxes) + 0.01,
        max(box[1] for box in boxes) + 0.01,
        min(box[2] for box in boxes) - 0.01,
        min(box[3] for box in boxes) - 0.01,
    )


def frame_of(scene: Scene) -> tuple[float, float, float, float] | None:
    """The outermost line round a face, within its trim."""
    sides = [visible(shape) for shape in flatten_scene(scene)[0] if shape.line and not shape.dash]
    wide, high = scene.width_mm, scene.height_mm
    around = [
        (left, top, right, foot)
        for left, top, right, foot in sides
        if min(left, top, wide - right, high - foot) > 0.3
        and right - left > 0.75 * wide
        and foot - top > 0.75 * high
    ]
    return min(around, default=None)


def within(items: Iterable[Item]) -> Iterator[Item]:
    """Items and those in their groups."""
    for item in items:
        yield item
        if isinstance(item, Group):
            yield from within(item.items)


def amounts(title: Title, text: str) -> Iterator[tuple[str, str]]:
    """Amounts that bear the sign of the title's currency, as they are written and as the currency
    writes them. What is the name of a hex is no amount."""
    before, after = (sign.strip(" .,") for sign in title.currency.split("{}"))
    number = r"(\d{1,3}(?:,\d{3})+|\d+)"
    pattern = rf"{number}[., \u00a0]*{after}(?![A-Za-z])"
    if before:
        pattern = rf"(?<![A-Za-z]){re.escape(before)}[., \u00a0]*{number}"
    hexes = {hexagon.id for board in title.maps for hexagon in board.hexes}
    for found in re.finditer(pattern, text):
        if found.group() not in hexes:
            yield (
                found.group().replace("\u00a0", " "),
                title.money(int(found.group(1).replace(",", ""))),
            )


in_each_language = pytest.mark.parametrize("language", LANGUAGES)


class EveryFace:
    """The tests of one title, whose class names it."""

    title: str

    def test_it_is_as_it_was(self):
        assert_unchanged(self.title)

    @in_each_language
    def test_words_are_as_wide_as_harfbuzz_sets_them(self, language):
        runs = {
            (each.run.face, each.run.text)
            for _, found in faces(self.title, language).texts()
            for each in found
        }
        assert len(runs) > 500
        for name, text in runs:
            assert fsum(advances(name, text)) == pytest.approx(shaped(name, text), abs=0.001), text

    @in_each_language
    def test_pieces_have_one_word_for_each_thing_and_write_money_one_way(self, language):
        drawn = faces(self.title, language)
        texts = [*drawn.texts("checklist")]  # which quotes its sources
        waived = {waiver.at for waiver in drawn.title.waivers if waiver.code == "PC03"}
        words = [(key, " ".join(each.run.text for each in found)) for key, found in texts]
        used = words_used([(key, Text.plain(text)) for key, text in words], language)
        assert {
            thing: uses
            for thing, uses in used.items()
            if len(uses) > 1 and f"{language}/{thing}" not in waived
        } == {}
        money = [
            (key, *pair) for key, found in texts for pair in amounts(drawn.title, in_lines(found))
        ]
        assert len(money) > 20
        assert [each for each in money if each[1] != each[2]] == []

    @in_each_language
    def test_words_of_cards_belong_to_a_box(self, language):
        drawn = faces(self.title, language)
        loose = [
            f"{key}: {text.run.text}"
            for key, pages in drawn.fronts.items()
            if key.partition(":")[0] in BOXED
            for text in flatten_scene(pages[0])[1]
            if text.box is None
        ]
        assert loose == []

    @in_each_language
    def test_backs_can_be_read(self, language):
        drawn = faces(self.title, language)
        backs = {back.key: back for back in drawn.backs.values()}
        assert [each.message for back in backs.values() for each in check_legibility(back)] == []
        assert backs

    @in_each_language
    def test_cards_of_one_kind_and_size_share_a_size_and_a_face(self, language):
        drawn = faces(self.title, language)
        for kind in ("charter", "private"):
            for size, runs in settings(drawn.title, drawn.style, drawn.fronts, kind).items():
                names = {face for face, _ in runs if not face.startswith("NotoSansJP")}
                assert len({size_pt for _, size_pt in runs}) <= 1, (kind, size)
                assert len(names) <= 1, (kind, size)

    @in_each_language
    def test_abilities_stay_in_their_panels(self, language):
        drawn = faces(self.title, language)
        found = [
            each
            for company in drawn.title.companies
            if company.abilities and f"charter:{company.id}" in drawn.fronts
            for each in beyond_panels(company, drawn.fronts[f"charter:{company.id}"][0], language)
        ]
        assert found == []

    def test_no_ornament_leaves_its_frame(self):
        drawn, framed = faces(self.title, "en"), set()
        scenes = [(key, scene) for key, pages in drawn.fronts.items() for scene in pages]
        scenes += ((f"{key}:back", scene) for key, scene in drawn.backs.items())
        for key, scene in scenes:
            if key.partition(":")[0] not in FRAMED or (frame := frame_of(scene)) is None:
                continue
            framed.add(key.partition(":")[0] + ":back" * key.endswith(":back"))
            for shape in flatten_scene(scene)[0]:
                if shape.role is Role.ORNAMENT or (shape.line is not None and shape.fill is None):
                    left, top, right, foot = visible(shape)
                    inside = frame[0] <= left and frame[1] <= top
                    inside &= right <= frame[2] and foot <= frame[3]
                    assert inside or left >= right or top >= foot, key
        assert framed >= {"certificate", "certificate:back", "train:back"}
        assert ("money" in framed) == bool(drawn.title.pieces.money)

    @in_each_language
    def test_trains_show_engines_and_no_dashes(self, language):
        """Dashes would look like cuts."""
        for key, pages in faces(self.title, language).fronts.items():
            if key.startswith("train:"):
                drawn = [item for page in pages for item in within(page.items)]
                assert any(
                    isinstance(item, Use) and "engine" in item.scene.key for item in drawn
                ), key
                strokes = [item.stroke for item in drawn if isinstance(item, Path)]
                assert not any(stroke and stroke.dash for stroke in strokes), key

    def test_japanese_faces_can_be_read(self):
        """They need the most room. Of faces full of hexes, which take long, every third."""
        fronts = faces(self.title, "ja").fronts
        skipped = [key for key in fronts if key.partition(":")[0] in HEXES]
        del skipped[::3]
        found = [
            str(problem)
            for key, pages in fronts.items()
            if key not in skipped
            for scene in pages
            for problem in check_legibility(scene)
        ]
        assert found == []

    @in_each_language
    def test_sums_are_exact(self, language):
        assert faces(self.title, language).float_sums == set()

    def test_japanese_lines_are_full_and_whole(self):
        drawn = faces(self.title, "ja")
        fills = full_lines(drawn.paragraphs)
        assert len(fills) > 50
        assert mean(fills) >= 0.9
        assert lone(drawn.paragraphs) == []
        # Only where a line would be torn apart otherwise.
        assert len(parted_names(drawn.paragraphs)) <= len(fills) / 12
