"""The problem codes of preflight, with what `platelayer explain CODE` prints for each."""

from __future__ import annotations

from collections.abc import Iterable

from platelayer.foundation.codes import Code
from platelayer.foundation.problems import MAX_PROBLEMS, Problem, Severity

CODES: dict[str, Code] = {
    "PF01": Code(
        "not a PDF that can be read",
        "The file is empty, is not a PDF, has no pages, or is so badly damaged that its pages cannot be found. "
        "Wrong: a picture or a web page saved as .pdf; an incomplete download. Right: a PDF exported again from the "
        "program that made it.",
    ),
    "PF02": Code(
        "encrypted",
        "A print shop cannot work with a file that needs a password or forbids changes, and PDF/X forbids "
        "encryption. Right: a file saved without a password or restrictions.",
    ),
    "PF03": Code(
        "damaged file",
        "The file can only be read after repairs: an object, or the table of objects, is broken. Another program may "
        "repair it differently and print something else. Right: a file exported again.",
    ),
    "PF04": Code(
        "damaged page",
        "The drawing instructions of a page are broken: a stream does not unpack, an operator does not exist or has "
        "the wrong operands, a q has no Q, or a font, form or colour space is named but missing. Viewers differ in "
        "what they then leave out. Right: a file exported again.",
    ),
    "PF05": Code(
        "too much to check",
        "The file takes more memory or time than any print needs: streams that unpack to hundreds of megabytes, "
        "thousands of pages, forms that place each other endlessly, hundreds of problems. The check stopped early.",
    ),
    "PF06": Code(
        "page boxes",
        "A page says how large it is (MediaBox), where it is cut (TrimBox) and how far colour extends beyond the cut "
        "(BleedBox). The TrimBox lies inside the BleedBox and the BleedBox inside the MediaBox, and sides measure "
        "from 1 mm to 5 m. Wrong: no TrimBox where a shop requires one; a trim larger than the paper. Right: a file "
        "exported with trim and bleed.",
    ),
    "PF07": Code(
        "too little bleed",
        "Colour must extend beyond the cut, because blades can be off by a millimetre or two. On every side, the "
        "BleedBox reaches beyond the TrimBox by the amount the profile requires. Wrong: 0 mm. Right: 3 mm (1/8 in).",
    ),
    "PF08": Code(
        "wrong pages",
        "Pages are not the size the shop takes, or differ in size; there is room for marks where none are allowed; "
        "or the number of pages is odd although each piece has a front and a back.",
    ),
    "PF09": Code(
        "font not embedded",
        "The shop would print with a different font. Wrong: Helvetica left to the viewer. Right: every font embedded.",
    ),
    "PF10": Code(
        "font not a subset",
        "A font is embedded whole although only some of its glyphs are used. The file is larger than it needs to be, "
        "and some licences forbid it. Right: a subset, whose name begins with six capitals and a plus sign.",
        Severity.WARNING,
    ),
    "PF11": Code(
        "colour space not allowed",
        "Something is painted in a colour space that the profile does not allow. Wrong: RGB for a press, where "
        "conversion turns black text into four inks. Right: gray and CMYK for a press, RGB for a home printer. "
        "Spaces with an ICC profile (ICCBased) are judged by their number of components.",
    ),
    "PF12": Code(
        "too much ink",
        "The inks of one colour add up to more than will dry; gray counts as black ink. The check covers every "
        "colour that is set, the ends of gradients, and the pixels of pictures that are not JPEG. Inks that "
        "overprint each other are not added up. Wrong: 80 70 70 100. Right: 0 0 0 100, at most 240 % in total.",
    ),
    "PF13": Code(
        "spot colour not allowed",
        "Each spot colour is a separate printing plate, or an instruction to a machine; the profile lists those it "
        'accepts. Wrong: "PANTONE 185 C" where there are four plates; "All" where no marks are allowed.',
    ),
    "PF14": Code(
        "cut line set up wrongly",
        "A cut line is the outline of a piece in a spot colour that the cutter recognises (CutContour). It is "
        "stroked, not filled. It overprints, so that it leaves no gap in the print below. Where the profile requires "
        "it, it is on a layer that holds nothing else, so that it can be switched off.",
    ),
    "PF15": Code(
        "picture too coarse",
        "At the size it is placed, a picture has fewer dots per inch than the profile requires. Single rows of pixels "
        "count as gradients, not pictures. Wrong: 600 pixels over 4 in (150 dpi). Right: 1200 pixels (300 dpi).",
    ),
    "PF16": Code(
        "transparency",
        "The profile requires opaque paint: no opacity below 1, blend mode, soft mask or transparency group, which "
        "older presses flatten as they see fit. Right: a file flattened beforehand.",
    ),
    "PF17": Code(
        "text too small",
        "Letters are too small to read at the size they are placed, after all scaling. Right: at least 4 pt for tile "
        "numbers, 5 pt for everything else.",
    ),
    "PF18": Code(
        "hairline",
        "A line, as placed, is thinner than can be printed. A width of 0 is the thinnest line the device can draw, "
        "which is invisible on a press. Right: at least 0.25 pt.",
    ),
    "PF19": Code(
        "text outside the safe zone",
        "On a page that is one piece, text is closer to the cut than the profile allows and may be cut off. Letters "
        "are measured from the baseline to the cap height; text entirely outside the trim is ignored.",
    ),
    "PF20": Code(
        "PDF/X keys missing",
        "PDF/X (ISO 15930) is a PDF that carries what a press must know: its version, title and dates, whether it is "
        "trapped, an ID, and an output intent with the ICC profile of the press. The file claims to be another kind, "
        "or lacks some of these.",
    ),
    "PF21": Code(
        "more than can be printed",
        "The file contains things that no press can print: scripts and actions, forms, annotations, embedded files, "
        "or layers where they are not allowed. Right: a plain, flat PDF.",
    ),
    "PF22": Code(
        "ink not measured",
        "A CMYK picture is packed as JPEG or a similar format, or has more than four million pixels, so its total "
        "ink was not measured. Check it in the program that made it.",
        Severity.NOTE,
    ),
    "PF23": Code(
        "picture of the wrong size",
        "A shop that takes one PNG per piece requires exactly the pixel size of its product, bleed included. Wrong: "
        "750 x 1050 (a poker card without bleed). Right: 825 x 1125.",
    ),
    "PF24": Code(
        "picture of the wrong resolution",
        "The pHYs chunk of a PNG says how many dots there are to the inch. Wrong: nothing, or 72. Right: 300.",
    ),
    "PF25": Code(
        "picture in the wrong colours",
        "A PNG has 8 bits per channel in the colour mode that the profile requires. Wrong: 16 bits; gray instead of "
        "RGB.",
    ),
    "PF26": Code(
        "picture that may be transparent",
        "A PNG has an alpha channel. One shop prints transparent areas on white, another on black; outside the bleed "
        "this does no harm. Right: a picture with a background and no alpha channel.",
        Severity.WARNING,
    ),
    "PF27": Code(
        "fine detail in many inks",
        "The plates of a press never quite meet. Text under 8 pt mixed of three or four inks gets coloured edges, and "
        "letters fill up; so do lines under 0.5 pt of four. Wrong: 6 pt type in 40 50 60 70. Right: black alone, or "
        "two inks; for lines, up to three.",
        Severity.WARNING,
    ),
    "PF28": Code(
        "white that overprints",
        "White has no ink. Set to overprint (with overprint mode 1), it changes none of the plates: what is below "
        "stays, and the white does not show in print, though it often does on screen. Wrong: white words on a band of "
        'colour with "overprint" switched on. Right: white knocks out; only black words and cut lines overprint.',
    ),
}


# Findings, page by page, gathered into problems that name all their pages.


ANEW = "export the file again from the program that made it"
"""The hint for files that are damaged."""

_LONGEST = 400
"""The most characters of one message: names in a file can have any length."""
_MAX_RUNS = 8


class Findings:
    """Collects what is wrong with one file. The same words about several pages become one
    problem."""

    def __init__(self, file: str) -> None:
        self._file = file
        self._pages: dict[tuple[str, str, str], list[int]] = {}

    def add(self, code: str, message: str, *, page: int = 0, hint: str = "") -> None:
        """A problem on a page (from 1) or in the file (0)."""
        if len(message) > _LONGEST:
            message = f"{message[: _LONGEST - 3]}..."
        pages = self._pages.setdefault((code, message, hint), [])
        if page not in pages[-1:]:
            pages.append(page)

    def problems(self) -> tuple[Problem, ...]:
        """All problems, by code, page and words."""
        rows = sorted(self._pages.items(), key=lambda row: (row[0][0], min(row[1]), row[0][1]))
        problems = [
            Problem(
                code=code,
                severity=CODES[code].severity,
                file=self._file,
                message=f"{page_words(filter(None, pages))}{message}",
                hint=hint,
                pages=tuple(filter(None, pages)),
            )
            for (code, message, hint), pages in rows[:MAX_PROBLEMS]
        ]
        if len(rows) > MAX_PROBLEMS:
            message = f"{len(rows) - MAX_PROBLEMS} more problems in this file are not listed"
            problems.append(Problem(code="PF05", file=self._file, message=message))
        return tuple(problems)


def page_words(pages: Iterable[int]) -> str:
    """ "pages 1-3, 7: " for a problem on these pages; "" for none."""
    runs: list[list[int]] = []
    for page in sorted(set(pages)):
        if runs and runs[-1][1] == page - 1:
            runs[-1][1] = page
        else:
            runs.append([page, page])
    if not runs:
        return ""
    words = ", ".join(
        f"{first}" if first == last else f"{first}-{last}" for first, last in runs[:_MAX_RUNS]
    )
    if len(runs) > _MAX_RUNS:
        words += f" and {sum(last - first + 1 for first, last in runs[_MAX_RUNS:])} more"
    return f"page{'s' * (words != str(runs[0][0]))} {words}: "
