"""Checks of finished PDF and PNG files: the problems that a print shop would have with them."""

from importlib.util import find_spec

from platelayer.preflight.png import check_png

# PDF files cannot be read in a browser: pikepdf is native code.
READS_PDF = find_spec("pikepdf") is not None

if READS_PDF:
    from platelayer.preflight.inspect import check_file, inspect_pdf, inspect_structure

__all__ = ["READS_PDF", "check_file", "check_png", "inspect_pdf", "inspect_structure"]
