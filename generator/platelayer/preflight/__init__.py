"""Checks of finished PDF and PNG files: the problems that a print shop would have with them."""

from importlib.util import find_spec

# False in a browser: pikepdf is native code and cannot be loaded there.
READS_PDF = find_spec("pikepdf") is not None
