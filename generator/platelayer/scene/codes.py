"""Problem codes of the legibility rules, with what `platelayer explain CODE` prints for each."""

from __future__ import annotations

from platelayer.foundation.codes import Code
from platelayer.scene.legibility import MIN_CONTRAST, MIN_PLAY_PT, MIN_PRINTED_CONTRAST, MIN_STROKE_MM, MIN_TEXT_PT

CODES: dict[str, Code] = {
    "LG01": Code(
        "text too small",
        f"Text on tiles, tokens and boards is read from 60 cm and is at least {MIN_PLAY_PT:g} pt. Where there is fine "
        f"print (cards, maps, checklists, money), the limit is {MIN_TEXT_PT:g} pt. Text that is too long for its place "
        "is set smaller, but not below this limit. Wrong: a name of ninety letters on a "
        "token. Right: a shorter text, or a larger piece.",
    ),
    "LG02": Code(
        "stroke too thin",
        f"A line thinner than {MIN_STROKE_MM:.3f} mm (0.25 pt) breaks up in print. Wrong: a theme's stroke of 0.05 mm. "
        "Right: 0.1 mm or more.",
    ),
    "LG03": Code(
        "text outside the safe zone",
        "Cutters can be off by a millimetre or so, so text keeps a safe distance from the edge of its piece. Right: a "
        "shorter text, or a larger piece.",
    ),
    "LG04": Code(
        "text over something else",
        "Text keeps clear of track, slots, symbols, ornaments and other text. Where there is no free space, put less "
        "on the piece, or move a stop or icon with `at`.",
    ),
    "LG05": Code(
        "too little contrast",
        f"Text has a contrast of at least {MIN_CONTRAST:g}:1 with its background (WCAG 2.1, contrast ratio). With "
        f"`--color cmyk` it is the contrast of the inks on paper, at least {MIN_PRINTED_CONTRAST:g}:1, for black ink "
        "is paler than the black of a screen. Wrong: "
        'white words on a yellow company. Right: a black "text_colour", or none, so that it is chosen for you.',
    ),
    "LG06": Code(
        "something beyond the bleed",
        "A drawing ends at its bleed. Anything that extends further would be printed on the neighbouring piece.",
    ),
    "LG07": Code(
        "covered text",
        "A shape drawn later hides a text. Nothing may cover text that has to be read.",
    ),
    "LG08": Code(
        "words do not fit",
        "A card of running text or tables (player aid, phase card) is set in the largest type that fits, down to the "
        "smallest legible size. If even that is too large, shorten the text or give the card a larger size in "
        "`sizes`.",
    ),
}
