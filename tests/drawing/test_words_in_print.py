"""Words that are read in print on every press, in every theme."""

import pytest

from platelayer.definitions.themes import load_theme
from platelayer.drawing.company.roundel import company_inks
from platelayer.drawing.kit.style import is_read, style_of
from platelayer.drawing.pieces import draw_back, draw_piece
from platelayer.model.manifest import build_manifest
from platelayer.scene.inks import BLACK, WHITE, contrast, ink_from_hex
from platelayer.scene.legibility import check_legibility
from platelayer.scene.press import PRESSES, printing_on
from shipped import shipped

THEMES = ("classic", "low-ink", "colour-blind")


@pytest.mark.parametrize("press", PRESSES)
@pytest.mark.parametrize("title", ["18cz", "1841", "18eu", "1824", "lost-atlas"])
def test_words_of_companies_are_read_on_every_press(title, press):
    for theme in THEMES:
        style = style_of(shipped(title), load_theme(theme), "en", press)
        for company in shipped(title).companies:
            inks = company_inks(company, style)
            for words, ground in (
                (inks.on_band, inks.band),
                (inks.line, inks.tint),
                (inks.on_line, inks.line),
            ):
                assert is_read(words, ground, press), (theme, company.ref, words, ground)


@pytest.mark.parametrize("theme", THEMES)
def test_a_crowded_title_is_printed_on_uncoated_paper(theme):
    title = shipped("1841")
    style, manifest = style_of(title, load_theme(theme), "en", "uncoated"), build_manifest(title)
    kinds = {"charter", "certificate", "token", "market", "score-sheet", "tile", "private"}
    pieces = [piece for piece in manifest.pieces if piece.kind in kinds]
    with printing_on("uncoated"):
        faces = [face for piece in pieces for face in draw_piece(title, manifest, piece, style)]
        faces += filter(None, (draw_back(title, piece, style) for piece in pieces))
        found = [problem for face in faces for problem in check_legibility(face, press=True)]
    assert not found


def test_a_press_changes_only_what_fades_on_it():
    """Coated paper fades nothing that a screen shows well: its prints look like the screen."""
    title = shipped("1841")
    styles = {
        press: style_of(title, load_theme("classic"), "en", press) for press in ("", *PRESSES)
    }
    plain, *coated, faded = (
        [company_inks(company, styles[press]) for company in title.companies]
        for press in ("", "coated", "gracol", "uncoated")
    )
    assert coated == [plain, plain]
    assert [one.field for one in faded] == [one.field for one in plain]
    assert any(one.band != other.band for one, other in zip(faded, plain, strict=True))


def test_black_or_white_by_what_is_printed():
    orange = ink_from_hex("#b75700")
    styles = [
        style_of(shipped("1841"), load_theme("classic"), "en", press) for press in ("", "uncoated")
    ]
    assert [style.ink_on(orange) for style in styles] == [WHITE, BLACK]
    assert contrast(WHITE, orange) > contrast(BLACK, orange)
