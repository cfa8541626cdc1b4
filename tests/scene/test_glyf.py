"""Our reader of TrueType files against fontTools, glyph by glyph."""

from __future__ import annotations

import math
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from fontTools.pens.basePen import BasePen
from fontTools.ttLib import TTFont
from hypothesis import given
from hypothesis import strategies as st

from font_japanese import cut
from font_kerning import UPSTREAM
from harfbuzz import shaped
from often import often
from platelayer.foundation.problems import has_errors
from platelayer.foundation.resources import asset_path
from platelayer.imposition.paper import Document, Page
from platelayer.model.options import Limits
from platelayer.preflight.inspect import inspect_pdf
from platelayer.render.pdf import render_pdf
from platelayer.scene.fonts import GlyphFile, advances, face, face_names, glyph_outline
from platelayer.scene.inks import BLACK
from platelayer.scene.shapes import Scene, TextRun
from platelayer.scene.typeset import TypeStyle, part_widths, set_line, text_width


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


# Names of our fonts: reportlab, PDF and operating systems take two fonts of one name for the same


FONTS = {name: TTFont(face(name).path)["name"] for name in face_names()}
KEYS = {"unique id": (3,), "full name": (4,), "PostScript name": (6,), "family and style": (1, 2)}
"""What programs tell fonts apart by, as numbers of the table `name` (OpenType specification)."""


@pytest.mark.parametrize("ids", KEYS.values(), ids=KEYS)
def test_no_two_fonts_have_the_same_name(ids: tuple[int, ...]) -> None:
    # PDF viewers and file systems may ignore case, and reportlab writes spaces as hyphens.
    names = Counter(
        tuple(str(FONTS[name].getDebugName(each)).casefold().replace(" ", "-") for each in ids)
        for name in FONTS
    )
    assert [name for name, count in names.items() if count > 1] == []


@pytest.mark.parametrize("name", face_names())
def test_a_font_is_named_like_its_file(name: str) -> None:
    assert FONTS[name].getDebugName(6) == name


def test_all_fonts_go_into_one_file() -> None:
    lines = [
        run
        for row, name in enumerate(face_names())
        for run in set_line(
            max(face(name).glyphs), TypeStyle(faces=(name,), size_pt=9), BLACK, 5, 10 * (row + 1)
        )
    ]
    whole = (0.0, 0.0, 100.0, 300.0)
    scene = Scene(key="all", width_mm=whole[2], height_mm=whole[3], items=tuple(lines))
    pdf = render_pdf(
        Document(
            stem="all", title="all", subject="", pages=(Page(scene=scene, trim=whole, bleed=whole),)
        )
    )
    assert not has_errors(inspect_pdf(pdf, "all.pdf", Limits(colours=("gray", "rgb"), allows=())))
    assert all(f"+{name}".encode() in pdf for name in face_names())


def test_a_subset_takes_the_name_of_its_file(tmp_path: Path) -> None:
    source = asset_path("fonts", "Barlow-SemiBold.ttf")
    cut(source, tmp_path / "BarlowOther-SemiBold.ttf", "AB")
    names = TTFont(tmp_path / "BarlowOther-SemiBold.ttf")["name"]
    assert [names.getDebugName(each) for each in (1, 2, 4, 6, 16, 17)] == [
        "Barlow Other SemiBold",
        "Regular",
        "Barlow Other SemiBold",
        "BarlowOther-SemiBold",
        "Barlow Other",
        "SemiBold",
    ]
    assert names.getDebugName(3).endswith(";BarlowOther-SemiBold")
    assert names.getDebugName(0) == FONTS["Barlow-SemiBold"].getDebugName(0)
    with pytest.raises(ValueError, match="Garamond-SemiBold is made of Barlow"):
        cut(source, tmp_path / "Garamond-SemiBold.ttf", "AB")


# Kerning: words are as wide as HarfBuzz sets them with the fonts' own tables


@given(st.data())
def test_any_words_are(data: st.DataObject) -> None:
    name = data.draw(st.sampled_from([*UPSTREAM]))
    letters = sorted(char for char in face(name).glyphs if char.isalpha() or char.isascii())
    text = data.draw(st.text(st.sampled_from(letters), min_size=1, max_size=12))
    assert math.fsum(advances(name, text)) == pytest.approx(shaped(name, text), abs=0.001)


STYLE = TypeStyle(faces=("EBGaramond-Regular",), size_pt=100.0)


def test_letters_that_overhang_come_closer() -> None:
    assert advances("EBGaramond-Regular", "To")[0] == pytest.approx(
        face("EBGaramond-Regular").glyphs["T"][0] - 0.105
    )


def test_figures_by_themselves_stay_at_even_distances() -> None:
    plain = face("Barlow-Bold").glyphs
    assert advances("Barlow-Bold", "1841")[2] == plain["4"][0]
    assert advances("Barlow-Bold", "L.41")[2] == plain["4"][0]
    assert advances("Barlow-Bold", "41A")[0] < plain["4"][0]


@pytest.mark.parametrize("words", ["Austria-Hungary To Venice", "To-To/To", "AV–AV"])
def test_parts_of_a_line_add_up_to_it(words: str) -> None:
    parts = [part for part in re.split(r"(?<=[ \-/–])", words) if part]
    widths = part_widths(parts, STYLE)
    whole = sum(within for within, _ in widths[:-1]) + widths[-1][1]
    assert whole == pytest.approx(text_width(words, STYLE))


def test_a_run_is_as_wide_as_its_words() -> None:
    (run,) = set_line("Torino", STYLE, BLACK, 0, 0)
    assert isinstance(run, TextRun)
    assert run.width_mm == pytest.approx(text_width("Torino", STYLE))
