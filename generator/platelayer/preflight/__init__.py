"""Checks of finished PDF and PNG files: the problems that a print shop would have with them."""

from importlib.util import find_spec

from platelayer.preflight.png import check_png

READS_PDF = find_spec("pikepdf") is not None
"""Whether PDF files can be read here. pikepdf is native code, which a browser has not."""

if READS_PDF:
    from platelayer.preflight.inspect import check_file, inspect_pdf

__all__ = ["READS_PDF", "check_file", "check_png", "inspect_pdf"]
