"""The calibration sheet."""

from __future__ import annotations

from pathlib import Path

from platelayer.definitions.themes import load_theme
from platelayer.foundation.languages import languages
from platelayer.foundation.problems import CannotRun
from platelayer.foundation.suggestions import listed
from platelayer.imposition.calibration import calibration_sheet
from platelayer.imposition.paper import check_margin, find_paper
from platelayer.pipeline.options import THEME
from platelayer.pipeline.write import write_all
from platelayer.render.pdf import render_pdf


def write_calibration(
    path: Path, *, paper: str, margin_mm: float, duplex: str, language: str
) -> None:
    """The sheet from which to measure a printer's errors, as a PDF of two pages. Raises
    ProblemsFound and CannotRun."""
    if path.suffix.lower() != ".pdf":
        raise CannotRun(f"{path}: the calibration sheet is a PDF; name a file ending in .pdf")
    if language not in languages():
        raise CannotRun(
            f"language: there are no words in {language!r}; known: {listed(tuple(languages()))}"
        )
    sheet = find_paper(paper)
    check_margin(sheet, margin_mm)
    try:
        document = calibration_sheet(sheet, margin_mm, duplex, load_theme(THEME), language)
    except ValueError as error:
        raise CannotRun(str(error)) from error
    write_all(path.parent, {path.name: render_pdf(document)})
