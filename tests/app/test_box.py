"""Boxes: as large as the stacks of what they hold, and shut when folded."""

from __future__ import annotations

import re
from pathlib import Path

import pikepdf
import pypdfium2 as pdfium
import pytest

from beside import needs
from exchange.corpus import FOLDER
from platelayer.exchange.importers import import_title
from platelayer.foundation.problems import CannotRun
from platelayer.imposition.boxes import open_box, tuckbox
from platelayer.imposition.paper import find_paper
from platelayer.model.kinds import CARDS, KINDS
from platelayer.pipeline.box import THICKNESS_MM, stacks, write_box
from platelayer.pipeline.job import BuildOptions
from platelayer.pipeline.load import read_manifest


def test_a_stack_is_as_high_as_its_pieces_together() -> None:
    pieces = [
        piece for piece in read_manifest("18eu").pieces if piece.kind in ("train", "certificate")
    ]
    (stack,) = stacks(
        (piece, 67.0, 44.0) if piece.kind == "train" else (piece, 88.0, 63.0) for piece in pieces
    )
    count = sum(piece.count for piece in pieces)
    assert (stack.sort, stack.count, stack.width_mm, stack.height_mm) == (CARDS, count, 63.0, 88.0)
    assert stack.high_mm == pytest.approx(count * THICKNESS_MM[CARDS])


def test_the_walls_of_a_tuckbox_are_as_wide_as_its_lids_are_deep() -> None:
    net = tuckbox(63, 88, 40)
    top, bottom, side, other, front, back = (panel.box for panel in net.panels)
    assert side[2] == other[2] == top[3] == bottom[3] == pytest.approx(41.5)
    assert front[2:] == back[2:] == (pytest.approx(64.5), pytest.approx(89.5))
    assert top[2] == bottom[2] == back[2]
    for x, y, width, height in (panel.box for panel in net.panels):
        assert x >= 0
        assert x + width <= net.width_mm + 1e-9
        assert y >= 0
        assert y + height <= net.height_mm + 1e-9


def test_a_lid_goes_over_its_tray() -> None:
    lid, tray = (open_box(150, 220, 60, lid=lid) for lid in (True, False))
    assert lid.panels[-1].box[2] > tray.panels[-1].box[2] >= 150
    assert lid.panels[-1].box[3] > tray.panels[-1].box[3] >= 220
    assert lid.panels[0].box[3] < tray.panels[0].box[3] == 60
    assert lid.cut[-1] == tray.cut[-1] == ("Z",)


def test_the_outline_is_in_the_spot_colour_on_a_layer_beside_the_folds(tmp_path: Path) -> None:
    said = write_box("18eu", tmp_path / "box.pdf", BuildOptions(only=("train",)), form="tuckbox")
    assert "44 × 67 × 14 mm inside" in said
    with pikepdf.open(tmp_path / "box.pdf") as pdf:
        layers = {str(layer.Name) for layer in pdf.Root.OCProperties.OCGs}
        assert layers == {"Cut line", "Fold line"}
        assert len(pdf.pages) == 1


def test_a_box_for_everything_has_a_lid_and_a_tray(tmp_path: Path) -> None:
    write_box("lost-atlas", tmp_path / "box.pdf", BuildOptions(language="ja"), form="two-piece")
    with pikepdf.open(tmp_path / "box.pdf") as pdf:
        assert len(pdf.pages) == 2


@pytest.mark.parametrize(
    ("only", "path", "told"),
    [
        (("tile",), "box.pdf", "tuckbox is for cards"),
        ((), "box.svg", ".pdf"),
        (("cards", "aids"), "box.pdf", ""),
    ],
)
def test_what_makes_no_tuckbox_is_refused(
    tmp_path: Path, only: tuple[str, ...], path: str, told: str
) -> None:
    if not told:
        assert "inside" in write_box(
            "18eu", tmp_path / path, BuildOptions(only=only), form="tuckbox"
        )
        return
    with pytest.raises(CannotRun, match=told):
        write_box("18eu", tmp_path / path, BuildOptions(only=only), form="tuckbox")


def test_cards_for_several_hands_have_several_boxes(tmp_path: Path) -> None:
    said = write_box("18eu", tmp_path / "box.pdf", BuildOptions(), form="tuckbox")
    held = [int(count) for count in re.findall(r"\((\d+) cards", said)]
    cards = [piece for piece in read_manifest("18eu").pieces if KINDS[piece.kind].sort == CARDS]
    assert sum(held) == sum(piece.count for piece in cards)
    assert max(held) <= 60
    # No company's certificates are parted.
    assert "Certificates 1 / 2, BNR to RBSR: " in said
    assert "Certificates 2 / 2, RPR to GSR: " in said
    with pikepdf.open(tmp_path / "box.pdf") as pdf:
        assert len(pdf.pages) == len(held) > 1
    # On both fronts and on the lid, not only beside the box.
    printed = pdfium.PdfDocument(tmp_path / "box.pdf")[0].get_textpage().get_text_bounded()
    words = " ".join(printed.casefold().split())
    assert words.count("certificates 1 / 2 bnr to rbsr") == 3
    # The title on both fronts and on the three other sides, which are too low for a plate.
    assert words.count("18eu") >= 5


@needs("corpus")
def test_cards_of_a_company_stay_together_where_they_fit(tmp_path: Path) -> None:
    pytest.importorskip("tree_sitter_ruby")
    import_title(FOLDER / "18xx-games" / "game" / "g_1889", tmp_path / "title")
    options = BuildOptions(language="ja")
    said = write_box(str(tmp_path / "title"), tmp_path / "box.pdf", options, form="tuckbox")
    assert re.findall(r"株券 ([^:]*): .*?\((\d+) cards", said) == [
        ("1 / 2, AR〜SR", "27"),
        ("2 / 2, KO〜UR", "36"),
    ]


def test_a_title_without_maps_has_its_notice_on_the_lid(tmp_path: Path) -> None:
    said = write_box("lost-atlas", tmp_path / "box.pdf", BuildOptions(), form="two-piece")
    assert said.endswith(", 1 sheet = 0 mm)")
    lid = pdfium.PdfDocument(tmp_path / "box.pdf")[0].get_textpage().get_text_bounded()
    assert "personal prototype" in " ".join(lid.casefold().split())


@pytest.mark.parametrize(
    ("paper", "form", "sheets"), [("a4", "tuckbox", 1), ("letter", "two-piece", 4)]
)
def test_boxes_on_a_paper_come_in_parts_where_they_are_larger(
    tmp_path: Path, paper: str, form: str, sheets: int
) -> None:
    only = ("train",) if form == "tuckbox" else ()
    path = tmp_path / "box.pdf"
    write_box("18eu", path, BuildOptions(only=only), form=form, paper=paper)
    with pikepdf.open(path) as pdf:
        assert len(pdf.pages) == sheets
        size = find_paper(paper)
        for page in pdf.pages:
            sides = sorted(float(side) * 25.4 / 72 for side in page.mediabox[2:])
            assert sides == pytest.approx(sorted((size.width_mm, size.height_mm)), abs=0.1)
        assert {str(layer.Name) for layer in pdf.Root.OCProperties.OCGs} == {
            "Cut line",
            "Fold line",
        }
