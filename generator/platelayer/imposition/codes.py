"""Problem codes of the sheets, with what `platelayer explain CODE` prints for each."""

from __future__ import annotations

from platelayer.foundation.codes import Code
from platelayer.foundation.problems import Severity

CODES: dict[str, Code] = {
    "SH01": Code(
        "paper too small",
        "A piece does not fit on the paper inside the margins and above the foot of the sheet, and its kind is not "
        "printed in parts. Use larger paper or smaller margins, or give the piece another size in `sizes`.",
    ),
    "SH02": Code(
        "unknown paper",
        "Give the paper by name (a4, letter, a3 ...) or by width and height in millimetres. Wrong: --paper a44. "
        "Right: --paper a4, --paper 210x297mm.",
    ),
    "SH03": Code(
        "impossible margin",
        "The margin that a printer leaves white is a length from 0 to a quarter of the paper's shorter side. Right: "
        "--margin 6.",
    ),
    "SH04": Code(
        "unknown document or layout",
        "Layouts are named by document, as in the sheet plan (assets/sheets/standard.json, or your own file with "
        "--sheets); your own documents hold kinds of piece. Wrong: --layout tiles=row. Right: --layout "
        "tiles=singles.",
    ),
    "SH05": Code(
        "wrong paper for a die",
        "A die or a sheet of labels is made for one paper size and takes up the whole sheet. Right: --layout "
        "tiles=die --paper letter.",
    ),
    "SH06": Code(
        "impossible finish",
        "Printer offsets are small (up to 20 mm, and no piece may leave the sheet), scales are close to 1, and the "
        "spot colour of the cut line needs a unique name. Right: --offset 0.5,-0.3 --scale-x 1.002.",
    ),
    "SH07": Code(
        "unknown size",
        "Sizes are named (poker, mini-euro ...) or given in millimetres or inches, for a kind of piece or for one "
        "piece. Tiles and map hexes are measured flat to flat, tokens by diameter. Right: --size certificate=poker, "
        "--size tile=40, --size charter=5x3.75in.",
    ),
    "SH08": Code(
        "piece that the shop does not make",
        "The shop of the profile has no product with this piece's form and size, so the piece is left out of the "
        "print. Give it a size that the shop makes (--size train=poker), or print it elsewhere.",
    ),
    "SH09": Code(
        "requested piece not printed",
        "Every requested piece is placed on a sheet as often as requested, or nothing is printed. A kind of piece "
        "that no document in the sheet plan holds has no sheet to go on: give it a document in the plan, or name the "
        "kinds to print with --only.",
    ),
    "SH10": Code(
        "piece that a draft lacks",
        "`build --draft` could not print this piece: it cannot be drawn, the shop does not make it, or the paper is "
        "too small for it. The reason is reported separately.",
        Severity.WARNING,
    ),
    "SH11": Code(
        "piece that is not folded",
        "With --duplex fold a piece and its back lie beside each other, so each has half of the paper. A piece that is "
        "too large for that is printed on one side of an unfolded sheet: without its back, or with the back as a piece "
        "of its own if it is read in play. Use larger paper to fold it.",
        Severity.NOTE,
    ),
    "SH12": Code(
        "aid left out",
        "A player aid, a chart or the checklist does not fit on the paper. The game can be played without it, so the "
        "rest is printed. Print it on larger paper with --only, or give it another size with --size.",
        Severity.WARNING,
    ),
}
