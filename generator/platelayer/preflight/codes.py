"""The problem codes of preflight, with what `platelayer explain CODE` prints of each."""

from __future__ import annotations

from platelayer.foundation.codes import Code

CODES: dict[str, Code] = {
    "PF01": Code(
        "not a PDF that can be read",
        "The file is empty, is no PDF, has no pages, or is damaged so much that its pages cannot be found. Wrong: a "
        "picture or a web page saved as .pdf; half a download. Right: a PDF written anew by the program that made it.",
    ),
    "PF02": Code(
        "encrypted",
        "A print shop cannot work with a file that wants a password or forbids changes, and PDF/X forbids encryption. "
        "Right: saved without password and restrictions.",
    ),
    "PF03": Code(
        "damaged file",
        "The file can be read only after repairs: its table of objects, or an object, is broken. Another program may "
        "repair it otherwise and print something else. Right: a file written anew.",
    ),
    "PF04": Code(
        "damaged page",
        "What a page draws cannot be followed: a stream that does not unpack, an operator that does not exist or has "
        "the wrong operands, q without Q, a font, form or colour space that is named but not there. Viewers differ in "
        "what they then leave out. Right: a file written anew.",
    ),
    "PF05": Code(
        "too much to look at",
        "The file asks for more memory or time than any print needs: streams that unpack into hundreds of megabytes, "
        "thousands of pages, forms that place each other without end, hundreds of problems. The check ended early.",
    ),
    "PF06": Code(
        "page boxes",
        "A page says how large it is (MediaBox), where it is cut (TrimBox) and how far colour runs beyond (BleedBox); "
        "each lies inside the next, and sides are from 1 mm to 5 m. Wrong: no TrimBox where a shop wants one; a trim "
        "that is larger than the paper. Right: exported with trim and bleed.",
    ),
    "PF07": Code(
        "too little bleed",
        "Colour must run on beyond the cut, for knives miss by a millimetre or two. The BleedBox reaches beyond the "
        "TrimBox by what the profile asks, on every side. Wrong: 0 mm. Right: 3 mm (1/8 in).",
    ),
    "PF08": Code(
        "wrong pages",
        "Pages of another size than the shop takes, or than each other; room for marks where none may be; an odd "
        "number of pages where each piece has a back and a front.",
    ),
    "PF09": Code(
        "font not embedded",
        "The shop would print with another font. Wrong: Helvetica left to the viewer. Right: every font embedded.",
    ),
    "PF10": Code(
        "font not a subset",
        "A font is embedded whole, where the glyphs in use would do: the file is larger than it need be, and some "
        "licences do not allow it. Right: a subset, whose name begins with six capitals and a plus sign.",
    ),
    "PF11": Code(
        "colour space not allowed",
        "Something is painted in a kind of colour that the profile does not allow. Wrong: RGB for a press, whose "
        "conversion makes black text of four inks. Right: gray and CMYK for a press, RGB for a home printer. Spaces "
        "with a profile (ICCBased) count as what their number of components says.",
    ),
    "PF12": Code(
        "too much ink",
        "The inks of one colour add up to more than dries; gray counts as black ink. Looked at are all colours that "
        "are set, ends of gradients, and pixels of pictures that are not packed as JPEG. Inks that overprint each "
        "other are not added up. Wrong: 80 70 70 100. Right: 0 0 0 100, at most 240 % together.",
    ),
    "PF13": Code(
        "spot colour not allowed",
        "Each spot colour is a printing plate of its own, or an order to a machine; the profile names those it takes. "
        'Wrong: "PANTONE 185 C" where there are four plates; "All" where no marks may be.',
    ),
    "PF14": Code(
        "cut line not as it should be",
        "A cut line is the outline of a piece in a spot colour that the cutter knows (CutContour). It is stroked, not "
        "filled; it overprints, so that no gap is left below it; and, where the profile asks, it lies on a layer that "
        "holds nothing else, so that it can be switched off.",
    ),
    "PF15": Code(
        "picture too coarse",
        "At the size it is placed, a picture has fewer dots per inch than the profile asks. Single rows of pixels are "
        "gradients, not pictures. Wrong: 600 pixels over 4 in (150 dpi). Right: 1200 pixels (300 dpi).",
    ),
    "PF16": Code(
        "transparency",
        "The profile wants opaque paint: no opacity below 1, blend mode, soft mask or transparency group, which older "
        "presses flatten as they see fit. Right: flattened before.",
    ),
    "PF17": Code(
        "text too small",
        "The size of letters as they are placed, after all scaling, is less than can be read. Right: at least 4 pt for "
        "tile numbers, 5 pt for everything else.",
    ),
    "PF18": Code(
        "hairline",
        "A line is thinner, as placed, than print can hold; a width of 0 is the thinnest line of the device, which "
        "on a press is invisible. Right: at least 0.25 pt.",
    ),
    "PF19": Code(
        "text outside the safe zone",
        "On a page that is one piece, text stands nearer to the cut than the profile allows, and may be cut off. "
        "Measured is from the foot of the letters to the height of capitals; text wholly beyond the trim is not "
        "meant.",
    ),
    "PF20": Code(
        "keys of PDF/X missing",
        "PDF/X (ISO 15930) is PDF with what a press must know: its version, title and dates, whether it is trapped, an "
        "ID, and an output intent with the ICC profile of the press. The file says it is another kind, or lacks some.",
    ),
    "PF21": Code(
        "more than a print",
        "The file holds what no press can print: scripts and actions, forms, annotations, embedded files, or layers "
        "where they are not allowed. Right: saved as a plain, flat PDF.",
    ),
    "PF22": Code(
        "ink not measured",
        "A picture in CMYK is packed as JPEG or alike, or has more than four million pixels, so that its total ink was "
        "not measured. Look at it in the program that made it.",
    ),
    "PF23": Code(
        "picture of the wrong size",
        "A shop that takes one PNG a piece wants exactly the pixels of its product, bleed included. Wrong: 750 x 1050 "
        "(a poker card without bleed). Right: 825 x 1125.",
    ),
    "PF24": Code(
        "picture of the wrong resolution",
        "A PNG says in its chunk pHYs how many dots an inch has. Wrong: nothing, or 72. Right: 300.",
    ),
    "PF25": Code(
        "picture in the wrong colours",
        "A PNG has 8 bits a channel in the colour mode that the profile asks. Wrong: 16 bits; gray for RGB.",
    ),
    "PF26": Code(
        "picture that may be transparent",
        "A PNG has an alpha channel. What is transparent is printed on white by one shop and on black by the next; "
        "beyond the bleed that does no harm. Right: a picture on a ground, without alpha channel.",
    ),
}
