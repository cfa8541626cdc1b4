"""Names of our fonts: reportlab, PDF and operating systems take two fonts of one name for the
same."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from fontTools.ttLib import TTFont

from font_japanese import cut
from platelayer.foundation.problems import has_errors
from platelayer.foundation.resources import asset_path
from platelayer.imposition.paper import Document, Page
from platelayer.model.options import Limits
from platelayer.preflight.inspect import inspect_pdf
from platelayer.render.pdf import render_pdf
from platelayer.scene.fonts import face, face_names
from platelayer.scene.inks import BLACK
from platelayer.scene.shapes import Scene
from platelayer.scene.typeset import TypeStyle, set_line

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
