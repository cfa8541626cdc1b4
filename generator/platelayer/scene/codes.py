"""Problem codes of the legibility rules, with what `platelayer explain CODE` prints for each."""

from __future__ import annotations

from platelayer.foundation.codes import Code
from platelayer.foundation.problems import Severity
from platelayer.scene.legibility import (
    MIN_CONTRAST,
    MIN_PLAY_PT,
    MIN_PRINTED_CONTRAST,
    MIN_STROKE_MM,
    MIN_TEXT_PT,
)

CODES: dict[str, Code] = {
    "LG01": Code(
        "text too small",
        f"Text that is read in play is read from 60 cm, so it is at least {MIN_PLAY_PT:g} pt on every kind of piece. "
        f"Fine print, which nobody reads in play, is at least {MIN_TEXT_PT:g} pt: checklists, credits and notices, "
        'ornaments of money and shares (the type styles that a theme marks as "fine"). Text that is too long for its '
        "place is set smaller, but not below this limit. Wrong: a name of ninety letters on a token. Right: a shorter "
        "text, or a larger piece.",
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
        "on the piece, give it a larger size in `sizes`, or move a stop or icon with `at`.",
    ),
    "LG05": Code(
        "too little contrast",
        f"Text has a contrast of at least {MIN_CONTRAST:g}:1 with its background (WCAG 2.1, contrast ratio). With "
        f"`--color cmyk` it is the contrast of the inks on paper, at least {MIN_PRINTED_CONTRAST:g}:1, because black "
        "ink is paler than black on a screen. Wrong: "
        'white words on a yellow company. Right: a black "text_colour", or none, so that one is chosen for you.',
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
        "`sizes`. A card without a given size grows automatically (LG11), up to a sheet of paper.",
    ),
    "LG09": Code(
        "piece that cannot be drawn",
        "A bug in Platelayer stopped the drawing of a piece. Please report it with the definition. `build --draft` "
        "prints the other pieces.",
    ),
    "LG10": Code(
        "words cut or left out",
        "Secondary text on a piece (a second name, the game's name, a class of companies, a home), and the name of a "
        "place in a hex, is set smaller if it is long. If it is still too long, it is cut with an ellipsis or left "
        "out. The piece is printed; the warning says which words are missing. Wrong: a second name of "
        "ninety letters on a charter. Right: a shorter text, or a larger size in `sizes`.",
        Severity.WARNING,
    ),
    "LG11": Code(
        "card larger than usual",
        "A card whose words do not fit the usual size of its kind even in the smallest type (phase cards, player aids, "
        "privates, trains) takes the next larger size; the note says which. A size given in `sizes` or with "
        "--size is kept (LG12).",
        Severity.NOTE,
    ),
    "LG12": Code(
        "words smaller than they should be",
        "A phase card, player aid, private or train whose size is given in `sizes`, with --size or by the profile of a "
        "shop has words of less than 7 pt, down to 5 pt, because they do not fit otherwise. If they still do not fit, "
        "that is an error (LG08).",
        Severity.WARNING,
    ),
    "LG13": Code(
        "aid left out",
        "Platelayer makes the upgrade chart, the checklist and the number cards from the title. If one still cannot be "
        "drawn legibly, it is left out and everything else is printed. The warning says which one, and why.",
        Severity.WARNING,
    ),
    "LG14": Code(
        "text outside its box",
        "Words belong to a box: a panel, a cell of a table, the head of a card, the plate of a sign. Ink that leaves "
        "its box runs over a frame or into a neighbour. A box grows into free room, then its words go to the next "
        "smaller size of their kind, then to an aid (LG18). Wrong: an ability of sixty lines on a charter. Right: a "
        "shorter text, or a larger piece.",
    ),
    "LG15": Code(
        "words over dark lines",
        "A map has a relief and shores, and words may stand on them; but words that are read in play must not be "
        "crossed by a line of theirs that is nearly as dark: the contrast between the two is at least 3:1. Wrong: a "
        "black name over dark brown hachures. Right: hachures in a pale brown, a lower `relief` in the theme, or a "
        "name beside them.",
    ),
    "LG16": Code(
        "words at another stop",
        "In a hex with several stops, the name and the values of each stand beside it: the next stop, or the next end "
        "of an off-board's track, is at least 1.3 times as far from them. Where no such place is free, a line leads to "
        "the stop; the error names both stops where not even that helps. Wrong: a value of 70 half-way between two "
        'off-boards. Right: fewer words in the hex, shorter names, or other places for the stops ("at").',
    ),
    "LG17": Code(
        "words in a river",
        "A river does not run through words: they stand beside it, or on a halo, their ground drawn round their "
        "letters. Wrong: the name of a land across a river, whose line meets the strokes of its letters. Right: "
        "letters on both sides of the river, or a halo.",
        Severity.WARNING,
    ),
    "LG18": Code(
        "abilities on an aid",
        "What a company may do does not fit its charter or card even in the smallest type. The piece then says that "
        'it stands on the aid "Abilities in full", which is printed for each player. Wrong: an ability of sixty lines '
        "on a charter. Right: a shorter text, or a larger size in `sizes`.",
        Severity.WARNING,
    ),
}
