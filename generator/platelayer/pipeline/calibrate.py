"""The calibration sheet."""

from __future__ import annotations

from pathlib import Path

from platelayer.foundation.problems import CannotRun
from platelayer.pipeline.options import BuildOptions
from platelayer.pipeline.write import write_all


def write_calibration(path: Path, *, paper: str, margin_mm: float, duplex: str, language: str) -> None:
    """The sheet from which to measure a printer's errors, as a PDF of two pages. Raises ProblemsFound and CannotRun."""
    from platelayer.definitions.themes import load_theme
    from platelayer.imposition.calibration import calibration_sheet
    from platelayer.imposition.paper import check_margin, find_paper
    from platelayer.render.pdf import render_pdf

    if path.suffix.lower() != ".pdf":
        raise CannotRun(f"{path}: the calibration sheet is a PDF; name a file ending in .pdf")
    found = find_paper(paper)
    check_margin(found, margin_mm)
    try:
        document = calibration_sheet(found, margin_mm, duplex, load_theme(BuildOptions().theme), language)
    except ValueError as stop:
        raise CannotRun(str(stop)) from stop
    write_all(path.parent, {path.name: render_pdf(document)})
