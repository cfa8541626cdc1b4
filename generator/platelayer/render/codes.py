"""QR codes as matrices of dark and light modules."""

from __future__ import annotations

import segno

# Rows of modules from the top, True where dark; without the quiet zone around them.
Modules = tuple[tuple[bool, ...], ...]


def qr_modules(text: str) -> Modules:
    """The smallest QR code for a text in ASCII that can be read with 15 % of it damaged (level
    M)."""
    return tuple(
        tuple(map(bool, row)) for row in segno.make_qr(text, error="m", boost_error=False).matrix
    )
