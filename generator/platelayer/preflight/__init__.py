"""Checks of finished PDF and PNG files: the problems that a print shop would have with them."""

from importlib.util import find_spec

# PDF files cannot be read in a browser: pikepdf is native code.
READS_PDF = find_spec("pikepdf") is not None
