"""The problem codes of the sheets, with what `platelayer explain CODE` prints of each."""

from __future__ import annotations

from platelayer.foundation.codes import Code

CODES: dict[str, Code] = {
    "SH01": Code(
        "paper too small",
        "A piece does not fit the paper inside its margins and the foot of the sheet, and is not of a kind that is "
        "printed in parts. Take a larger paper or smaller margins, or give the piece another size in `sizes`.",
    ),
    "SH02": Code(
        "unknown paper",
        "A paper is named (a4, letter, a3 ...) or given by width and height in millimetres. Wrong: --paper a44. "
        "Right: --paper a4, --paper 210x297mm.",
    ),
    "SH03": Code(
        "impossible margin",
        "The rim that a printer leaves white is a length from 0 to a quarter of the paper's shorter side. "
        "Right: --margin 6.",
    ),
    "SH04": Code(
        "unknown tile layout",
        "The layouts of the tile sheet are those of the sheet plan: rows for straight cuts, singles with gaps.",
    ),
}
