"""Problem codes of the sheets, with what `platelayer explain CODE` prints for each."""

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
        "unknown document or layout",
        "Layouts are named by document, as the sheet plan has them (assets/sheets/standard.json, or your own file with "
        "--sheets). Wrong: --layout tiles=row. Right: --layout tiles=singles.",
    ),
    "SH05": Code(
        "wrong paper for a die",
        "A die or a sheet of labels is made for one paper and takes the whole of it. Right: --layout tiles=die "
        "--paper letter.",
    ),
    "SH06": Code(
        "impossible finish",
        "Offsets of a printer are small (up to 20 mm, and no piece may leave the sheet), scales lie near 1, and the "
        "cut line's spot colour needs a name of its own. Right: --offset 0.5,-0.3 --scale-x 1.002.",
    ),
    "SH07": Code(
        "unknown size",
        "Sizes are named (poker, mini-euro ...) or given in millimetres or inches, for a kind of piece or for one "
        "piece; tiles and map hexes are measured flat to flat, tokens across. Right: --size certificate=poker, "
        "--size tile=40, --size charter=5x3.75in.",
    ),
    "SH08": Code(
        "a shop cannot hold a piece",
        "The shop of the profile makes nothing of a piece's form and size: the piece is left out of the print. Give it "
        "a size that the shop makes (--size train=poker), or print it elsewhere.",
    ),
    "SH09": Code(
        "a piece is asked for and not printed",
        "Every piece that is asked for lies on a sheet, as often as it is asked for, or nothing is printed. A kind of "
        "piece that no document of a sheet plan holds has no sheet to lie on: give it a document in the plan, or name "
        "the kinds to print with --only.",
    ),
}
