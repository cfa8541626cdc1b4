"""Our reader of TrueType files against fontTools, glyph by glyph."""

from __future__ import annotations

from typing import Any

import pytest
from fontTools.pens.basePen import BasePen
from fontTools.ttLib import TTFont

from often import often
from platelayer.scene.fonts import GlyphFile, face, face_names, glyph_outline


class Commands(BasePen):
    """fontTools' own outlines, quadratic curves made cubic by fontTools."""

    def __init__(self, glyphs: Any) -> None:
        super().__init__(glyphs)
        self.seen: list[tuple[Any, ...]] = []

    def _moveTo(self, pt):  # noqa: N802
        self.seen.append(("M", *pt))

    def _lineTo(self, pt):  # noqa: N802
        self.seen.append(("L", *pt))

    def _curveToOne(self, *points):  # noqa: N802
        self.seen.append(("C", *(part for point in points for part in point)))

    def _closePath(self):  # noqa: N802
        self.seen.append(("Z",))


@pytest.mark.parametrize("name", often(face_names(), "BarlowCondensed-Medium", "EBGaramond-Medium"))
def test_every_glyph_of_every_font_is_what_fonttools_reads(name: str) -> None:
    font, ours = TTFont(face(name).path), GlyphFile(name)
    assert ours.em == font["head"].unitsPerEm
    glyphs, names = font.getGlyphSet(), font.getBestCmap()
    names.pop(0xAD, None)  # a soft hyphen has a glyph in some fonts, but is not printed
    assert set(face(name).glyphs) == set(map(chr, names))
    for code, glyph_name in names.items():
        pen = Commands(glyphs)
        glyphs[glyph_name].draw(pen)
        outline = ours.outline(chr(code))
        assert [command[0] for command in outline] == [command[0] for command in pen.seen], chr(
            code
        )
        found = [part for command in outline for part in command[1:]]
        wanted = [part for command in pen.seen for part in command[1:]]
        for number, (one, other) in enumerate(zip(found, wanted, strict=True)):
            assert abs(one * ours.em - other * (-1 if number % 2 else 1)) < 1e-6, chr(code)


def test_an_outline_is_in_ems_and_upside_down() -> None:
    outline = glyph_outline("Barlow-Bold", "I")
    heights = [part for _, *parts in outline for part in parts[1::2]]
    assert max(heights) == pytest.approx(0)
    assert min(heights) == pytest.approx(-face("Barlow-Bold").cap_height)
    assert glyph_outline("Barlow-Bold", " ") == ()
    assert glyph_outline("Barlow-Bold", "\u05d0") == glyph_outline("Barlow-Bold", "\u05d1") != ()
