"""The problem codes of this stage, with what `platelayer explain CODE` prints of each: what, wrong, right."""

from __future__ import annotations

from platelayer.definitions.source import MAX_BYTES, MAX_DEPTH, MAX_KEY
from platelayer.foundation.codes import Code

# A code is never given another meaning, nor to another problem when it has gone out of use.
CODES: dict[str, Code] = {
    "FI01": Code(
        "file cannot be read",
        "A file that was named is not there, is not a file, or may not be read. A title is named by the id of a "
        "shipped title (18eu), by a folder that holds a title.json, or by a .json file.",
    ),
    "JS01": Code(
        "not JSON",
        "The file is not JSON (RFC 8259). Wrong: a comma before a closing bracket, a comment, single quotes, NaN. "
        'Right: {"bank": 12000, "currency": "{}"}.',
    ),
    "JS02": Code(
        "duplicate key",
        "A key stands twice in one object, so that one of the two values would be lost without a word. "
        'Wrong: {"57": 8, "57": 4}. Right: {"57": 12}.',
    ),
    "JS03": Code(
        "too large",
        f"A file may have {MAX_BYTES // 1024 // 1024} MB, {MAX_DEPTH} levels of nesting, keys of {MAX_KEY} characters, "
        "and numbers of a few thousand digits: far more than any title needs. More is a slip or an attack.",
    ),
    "JS04": Code(
        "not text",
        "Files are UTF-8 (a byte order mark is allowed), and \\u escapes of characters beyond U+FFFF come in pairs. "
        'Wrong: a file saved as Latin-1; "\\ud83d" alone. Right: UTF-8.',
    ),
    "SC01": Code(
        "wrong type",
        'A value is of another type than its place asks for. Wrong: {"bank": "12000"}. Right: {"bank": 12000}.',
    ),
    "SC02": Code(
        "unknown key",
        "A key is not known in its place; unknown keys are refused because a misspelt key would be ignored. "
        'Wrong: {"color": "green"}. Right: {"colour": "green"}.',
    ),
    "SC03": Code(
        "missing key",
        'A key that its place needs is not there. Wrong: {"layout": "flat", "hexes": {}}. '
        'Right: a map with "name", "layout", "coordinates" and "hexes".',
    ),
    "SC04": Code(
        "value not allowed",
        "A value has the right type but is none of those allowed, is not written as it should be, or is out of range. "
        'Wrong: "grey", an edge 6, a tile of 3 mm. Right: "gray", an edge 0 to 5, a tile of 38.1 mm.',
    ),
    "SC05": Code(
        "too many problems",
        "One file has more problems than are told one by one. Fix the first ones and check again; the file may be "
        "one of another kind altogether.",
    ),
    "RF01": Code(
        "unknown tile",
        "A tile number is neither in the catalogue (assets/tiles) nor defined in the title; or an upgrade chain "
        'names a tile that the box does not hold. Wrong: {"5777": 8}. Right: {"57": 8}, or '
        '{"X1": {"count": 1, "tile": {"colour": "yellow", "track": [[0, 3]]}}}.',
    ),
    "RF02": Code(
        "unknown hex",
        "A home, a blocked hex or the hex of an overlay is on no map of the title, or a map names a zone in which no "
        "hex lies. Hexes are named by their printed coordinates. "
        'Wrong: {"homes": [{"hex": "Z99"}]}. Right: {"homes": [{"hex": "A10"}]}.',
    ),
    "RF03": Code(
        "unknown company",
        'A hex is reserved for a company that the title does not have. Wrong: "reserved": ["SNFC"]. '
        'Right: "reserved": ["SNCF"].',
    ),
    "RF04": Code(
        "unknown train or phase",
        "A train, a phase or a revenue names a train, phase or tile colour that is not there: in rusts_on, "
        "obsolete_on, trade_ins, starts, available_from, the `on` of a phase, since and until of a border, keys of a "
        'revenue. Wrong: "rusts_on": ["7"] in a title without a 7 train. Right: "rusts_on": ["4"].',
    ),
    "RF05": Code(
        "unknown market zone",
        'A letter after a price of the market has no zone. Wrong: "100p" without a zone p. '
        'Right: "zones": {"p": {"name": "Start price", "colour": "tile.yellow", "par": true}}.',
    ),
    "RF06": Code(
        "coordinates off the grid",
        "In doubled coordinates x + y has the same parity in every hex of a map: a hex of the other parity lies "
        "between the others. Coordinates are written as the map prints them, so that no two names mean one hex. "
        'Wrong: A8 beside B8 in a flat map; "A08". Right: A8 beside B7 and B9; "A8".',
    ),
    "RF07": Code(
        "stop that is not there",
        "Track or a home names a stop by an index that the tile or hex does not have; the first stop is 0. "
        'Wrong: "stop:1" on a tile with one city. Right: "stop:0".',
    ),
    "RF08": Code(
        "file outside the title",
        "A block is to be read from a file that is not in the folder of the title, or leads out of it (by .., an "
        'absolute path or a link). Wrong: "map": "../other/map.json". Right: "map": "map.json".',
    ),
    "RF09": Code(
        "unknown title or variant",
        "The id of a title or a variant is not known. `platelayer titles` lists the titles that come with Platelayer; "
        "a title of one's own is named by its folder or file. Variants stand in the title's `variants`.",
    ),
    "RF10": Code(
        "unknown kind of company",
        "A train limit or a market zone names a kind of company (private, concession, minor, major, national) or a "
        'size that no company of the title has. Wrong: "train_limits": {"corporation": 4}. Right: {"major": 4}.',
    ),
    "RF11": Code(
        "unknown piece",
        "A key of `sizes` or `box` names a kind of piece, or a piece, that there is not; `platelayer manifest` lists "
        'them. Wrong: {"cards": [63, 88]}. Right: {"train": [67, 44], "token:SNCF": 12.7}.',
    ),
    "RF12": Code(
        "unknown term",
        "`terms` gives fixed words of Platelayer the title's own wording, by their names in assets/languages/en.json: "
        'subject and key with a slash between. Wrong: {"train limit": "Limit"}. '
        'Right: {"cards/train_limit": {"ja": "列車制限"}}. A language that the title leaves out keeps the usual words.',
    ),
    "RF13": Code(
        "unknown round",
        "A round of the track that is played once says by `into` and `after` which rounds come after and before it: "
        'those are rounds of the title that are played again and again. Wrong: {"id": "isr", "into": "or9"}. '
        'Right: {"id": "isr", "into": "or1"}, with a round "or1".',
    ),
    "DF01": Code(
        "train that neither rusts nor stays",
        "Every train says what becomes of it: rusts_on, obsolete_on, or permanent. Then a forgotten rusts_on is never "
        'taken for a permanent train. Wrong: {"name": "4", "price": 300}. Right: {..., "rusts_on": ["8"]}.',
    ),
    "DF02": Code(
        "impossible topology",
        "A town or off-board with station places, a size on a stop that is no pass, a segment from an end to itself, "
        'or a lane beyond the width of the edge. Wrong: {"kind": "town", "slots": 1}. Right: {"kind": "town"}.',
    ),
    "DF03": Code(
        "market of the wrong shape",
        "A market of shape line or zigzag has exactly one row of spaces; zigzag is folded when drawn. "
        'Wrong: two rows with "shape": "line". Right: one row, or "shape": "grid".',
    ),
    "DF04": Code(
        "impossible piece",
        "A hex or a disc is given two different measures, or a revenue chart has thousands of spaces. "
        'Wrong: "tile": [38, 40]. Right: "tile": 38.1.',
    ),
    "DF05": Code(
        "ragged table",
        "A row of a player aid's table has more or fewer cells than the table has headings. "
        'Wrong: head of 3, row of 2. Right: an empty cell is " ".',
    ),
    "DF06": Code(
        "two pieces with one name",
        "Every piece has a name of its own (`platelayer manifest` lists them), by which it is drawn, placed, counted "
        "and printed anew. The market token of company NVR is token:NVR-market, so no other company can have the id "
        "NVR-market; and certificates of a company differ in percentage, unless one is the director's or held back. "
        'Wrong: [{"percent": 10, "count": 4}, {"percent": 10, "count": 5}]. Right: [{"percent": 10, "count": 9}].',
    ),
    "BX01": Code(
        "count differs from the box",
        "`pieces.box` says what the rulebook declares; what the definition yields differs. One of the two is wrong: "
        "count the pieces of the group that is named (`platelayer manifest`).",
    ),
    "GL01": Code(
        "missing glyph",
        "A text has a character that the fonts of the theme do not have, so that it could not be printed. Use another "
        "character, or a theme with a face that has it.",
    ),
    "TH01": Code(
        "unknown theme",
        "A theme is named by the id of one that comes with Platelayer (classic, low-ink, "
        "colour-blind) or by the path of its .json file.",
    ),
    "TH02": Code(
        "unknown ink",
        "A stroke names an ink that its theme does not define; inks are defined by name under `inks`.",
    ),
    "TH03": Code(
        "unknown face",
        "A type style names a face that does not come with Platelayer. Faces are fonts in assets/fonts, by file name.",
    ),
    "TH04": Code(
        "too much ink",
        "The four inks of a CMYK recipe add up to more than 240 %, which does not dry and is refused by printers. "
        "Wrong: [80, 70, 70, 40]. Right: [0, 0, 0, 100] for black.",
    ),
    "TH05": Code(
        "impossible spot colour",
        "A spot colour has a plate of its own, found by its name: a name that means the plates of all printing (All, "
        'None, Cyan, Magenta, Yellow, Black) cannot be used, and one plate has one look on screen. Wrong: "Black". '
        'Right: "CutContour".',
    ),
    "TH06": Code(
        "themes extend each other",
        "A theme that extends another takes all of it but what it states itself. The other may extend a third, and so "
        "on, but none of them one that comes before it: no theme would be the first.",
    ),
    "TH07": Code(
        "incomplete theme",
        "Drawings ask for inks, strokes and type styles by name; a theme needs all that the classic theme has. "
        'Right: "extends": "classic", and only what differs.',
    ),
    "PR01": Code(
        "unknown profile",
        "A profile says what a print for one place keeps to. It is named by the id of one that comes with Platelayer "
        "(home, drivethrucards, thegamecrafter, offset) or by the path of its .json file.",
    ),
}
