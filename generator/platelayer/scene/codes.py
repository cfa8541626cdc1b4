"""Problem codes of the legibility rules, with what `platelayer explain CODE` prints for each."""

from __future__ import annotations

from platelayer.foundation.codes import Code
from platelayer.scene.legibility import MIN_CONTRAST, MIN_NUMBER_PT, MIN_STROKE_MM, MIN_TEXT_PT

CODES: dict[str, Code] = {
    "LG01": Code(
        "text too small",
        f"Text that is read has at least {MIN_TEXT_PT:g} pt, a tile number {MIN_NUMBER_PT:g} pt. Where a text is too "
        "long for its place it is set smaller, down to this. Wrong: a name of ninety letters on a token. Right: a "
        "shorter text, or a larger piece.",
    ),
    "LG02": Code(
        "stroke too thin",
        f"A line thinner than {MIN_STROKE_MM:.3f} mm (0.25 pt) breaks up in print. Wrong: a theme's stroke of 0.05 mm. "
        "Right: 0.1 mm or more.",
    ),
    "LG03": Code(
        "text outside the safe zone",
        "Cutters miss by a millimetre or so: text keeps this distance from the edge of its piece. Right: a shorter "
        "text, or a larger piece.",
    ),
    "LG04": Code(
        "text over something else",
        "Text keeps clear of track, slots, symbols, ornaments and other text. Where nothing is free, say less on the "
        "piece, or give a stop or icon another place with `at`.",
    ),
    "LG05": Code(
        "too little contrast",
        f"Text stands out from its ground by at least {MIN_CONTRAST:g}:1 (WCAG 2.1, contrast ratio). Wrong: white "
        'words on a yellow company. Right: "text_colour" in black, or left out, so that it is chosen.',
    ),
    "LG06": Code(
        "something beyond the bleed",
        "A drawing ends where its bleed ends: what reaches further would be printed on the neighbouring piece.",
    ),
    "LG07": Code(
        "covered text",
        "A shape that is drawn later hides a text. Nothing that is to be read lies under anything.",
    ),
    "LG08": Code(
        "words do not fit",
        "A card of running text or tables (player aid, phase card) is set in the largest type that fits, down to the "
        "least that is read. Where even that is too large, shorten the text or give the card a larger size in `sizes`.",
    ),
}
