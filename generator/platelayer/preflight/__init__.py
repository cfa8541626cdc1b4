"""Checks of finished PDF and PNG files: the problems that a print shop would have with them."""

from platelayer.preflight.inspect import check_file, inspect_pdf
from platelayer.preflight.png import check_png

__all__ = ["check_file", "check_png", "inspect_pdf"]
