"""The problem codes of this stage, with what `platelayer explain CODE` prints for each: what,
wrong, right."""

from __future__ import annotations

from platelayer.definitions.source import MAX_BYTES, MAX_DEPTH, MAX_KEY
from platelayer.foundation.codes import Code
from platelayer.foundation.problems import Severity

# A code never changes its meaning, and is not reused for another problem once it is retired.
CODES: dict[str, Code] = {
    "FI01": Code(
        "file cannot be read",
        "A file you named does not exist, is not a file, or cannot be read. Name a title by the id of a shipped "
        "title (18eu), by a folder that contains a title.json, or by a .json file.",
    ),
    "JS01": Code(
        "not JSON",
        "The file is not JSON (RFC 8259). Wrong: a comma before a closing bracket, a comment, single quotes, NaN. "
        'Right: {"bank": 12000, "currency": "{}"}.',
    ),
    "JS02": Code(
        "duplicate key",
        'The same key appears twice in one object, so one of the values would be silently lost. Wrong: {"57": 8, '
        '"57": 4}. Right: {"57": 12}.',
    ),
    "JS03": Code(
        "too large",
        f"A file may have at most {MAX_BYTES // 1024 // 1024} MB, {MAX_DEPTH} levels of nesting, keys of {MAX_KEY} "
        "characters, and numbers of a few thousand digits. That is far more than any title needs; anything beyond it "
        "is a mistake or an attack.",
    ),
    "JS04": Code(
        "not text",
        "Files are UTF-8 (a byte order mark is allowed), and \\u escapes for characters beyond U+FFFF come in pairs. "
        'Wrong: a file saved as Latin-1; "\\ud83d" alone. Right: UTF-8.',
    ),
    "SC01": Code(
        "wrong type",
        'A value has the wrong type for its key. Wrong: {"bank": "12000"}. Right: {"bank": 12000}.',
    ),
    "SC02": Code(
        "unknown key",
        "This key is not allowed here. Unknown keys are refused because a misspelt key would otherwise be silently "
        'ignored. Wrong: {"color": "green"}. Right: {"colour": "green"}.',
    ),
    "SC03": Code(
        "missing key",
        'A required key is missing. Wrong: {"layout": "flat", "hexes": {}}. Right: a map with "name", "layout", '
        '"coordinates" and "hexes".',
    ),
    "SC04": Code(
        "value not allowed",
        "A value has the right type but is not one of those allowed, is not in the right format, or is out of range. "
        'Wrong: "grey", an edge of 6, a tile of 3 mm. Right: "gray", an edge from 0 to 5, a tile of 38.1 mm.',
    ),
    "SC05": Code(
        "too many problems",
        "One file has more problems than are listed individually. Fix the first ones and check again; it may be a "
        "different kind of file altogether.",
    ),
    "RF01": Code(
        "unknown tile",
        "A tile number is neither in the catalogue (assets/tiles) nor defined in the title, or an upgrade chain "
        'names a tile that is not in the box. Wrong: {"5777": 8}. Right: {"57": 8}, or {"X1": {"count": 1, "tile": '
        '{"colour": "yellow", "track": [[0, 3]]}}}.',
    ),
    "RF02": Code(
        "unknown hex",
        "A home, a blocked hex or the hex of an overlay is not on any map of the title; a river, region or sea names a "
        "hex that is not on its map; or a map names a zone that contains no hexes. Hexes are named by their printed "
        'coordinates. Wrong: {"homes": [{"hex": "Z99"}]}. Right: {"homes": [{"hex": "A10"}]}.',
    ),
    "RF03": Code(
        "unknown company",
        'A hex is reserved for a company that the title does not have. Wrong: "reserved": ["SNFC"]. '
        'Right: "reserved": ["SNCF"].',
    ),
    "RF04": Code(
        "unknown train or phase",
        "A reference names a train, phase or tile colour that does not exist. References are in rusts_on, "
        "obsolete_on, trade_ins, starts, available_from, the `on` of a phase, since and until of a border, and the "
        'keys of a revenue. Wrong: "rusts_on": ["7"] in a title without a 7 train. Right: "rusts_on": ["4"].',
    ),
    "RF05": Code(
        "unknown market zone",
        'A price on the market has a letter for which no zone is defined. Wrong: "100p" without a zone p. Right: '
        '"zones": {"p": {"name": "Start price", "colour": "tile.yellow", "par": true}}.',
    ),
    "RF06": Code(
        "coordinates off the grid",
        "In doubled coordinates, x + y has the same parity for every hex of a map; a hex with the other parity would "
        "fall between the others. Write coordinates exactly as the map prints them, so that each hex has only one "
        'name. Wrong: A8 beside B8 in a flat map; "A08". Right: A8 beside B7 and B9; "A8".',
    ),
    "RF07": Code(
        "stop that does not exist",
        "Track or a home refers to a stop by an index that the tile or hex does not have. The first stop is 0. "
        'Wrong: "stop:1" on a tile with one city. Right: "stop:0".',
    ),
    "RF08": Code(
        "file outside the title",
        "A block refers to a file that does not exist in the title's folder, or to a path that leads out of it "
        '(through .., an absolute path or a link). Wrong: "map": "../other/map.json". Right: "map": "map.json".',
    ),
    "RF09": Code(
        "unknown title or variant",
        "No title or variant has this id. `platelayer titles` lists the titles that come with Platelayer; name your "
        "own title by its folder or file. Variants are defined under the title's `variants`.",
    ),
    "RF10": Code(
        "unknown kind of company",
        "A train limit or a market zone names a kind of company (private, concession, minor, major, national) or a "
        'size that no company in the title has. Wrong: "train_limits": {"corporation": 4}. Right: {"major": 4}.',
    ),
    "RF11": Code(
        "unknown piece",
        "A key of `sizes` or `box` names a piece, or a kind of piece, that does not exist; `platelayer manifest` "
        'lists them. Wrong: {"cards": [63, 88]}. Right: {"train": [67, 44], "token:SNCF": 12.7}.',
    ),
    "RF12": Code(
        "unknown term",
        "`terms` replaces Platelayer's fixed words with the title's own wording. Each is named as in "
        'assets/languages/en.json: subject, slash, key. Wrong: {"train limit": "Limit"}. Right: '
        '{"cards/train_limit": {"ja": "列車制限"}}. Languages that you leave out keep the usual words.',
    ),
    "RF13": Code(
        "round that does not fit its track",
        "A round of the track that is played once says by `into` and `after` which rounds come after and before it: "
        'those are repeated rounds of the title. Wrong: {"id": "isr", "into": "or9"}. '
        'Right: {"id": "isr", "into": "or1"}, with a round "or1". An `export` is a sign below its round, and only on a '
        "track with `rounds_once`; elsewhere it is a separate round.",
    ),
    "RF14": Code(
        "unknown icon or picture",
        "An icon of a hex or tile, the logo of a company or the picture of a marker or card is neither one of "
        "Platelayer's icons nor among the title's `pictures`. An icon without a picture is drawn as its name in a "
        'lozenge, so this is only a warning; an icon with a `text` needs none. Wrong: "icons": ["harbour"]. Right: '
        '"icons": ["port"], or "pictures": {"harbour": "harbour.svg"}.',
    ),
    "RF15": Code(
        "unknown status",
        "The `status` of a phase is a name that Platelayer has words for (assets/languages, cards/status) "
        'or the title\'s own words. Wrong: "status": ["can_buy_company"]. Right: "status": ["can_buy_companies"], or '
        '"status": ["Tokens cost twice as much."].',
    ),
    "RF16": Code(
        "course with a gap",
        "The course of a river is a list of places. Each place and the next touch the same hex, or are the centres "
        'of two neighbouring hexes. Wrong: "course": ["A1", "A7"]. Right: "course": ["A1", "A3", "A5", "A7"].',
    ),
    "RF17": Code(
        "region without clear hexes",
        "A region names its hexes or its zone, not both, and a hex belongs to at most one region. "
        'Wrong: {"tyrol": {"hexes": ["H1"]}, "styria": {"hexes": ["H1"]}}. Right: "H1" in one of them.',
    ),
    "RF18": Code(
        "inland coast",
        "The coast of a sea begins and ends at corners on the outline of the board. Corner 2 lies between edges 2 and "
        '3. Wrong: {"from": {"hex": "D4", "corner": 1}} where three hexes meet. Right: a corner on the outline.',
    ),
    "RF19": Code(
        "unknown livery or motif",
        'A title\'s livery, or its motif, is one of those in assets/liveries.json. Wrong: {"livery": "hapsburg"}. '
        'Right: {"livery": "habsburg"}, {"livery": {"like": "habsburg", "motif": "star"}}.',
    ),
    "RF21": Code(
        "board that the title does not have",
        'A map has a board beside its hexes for which the title has nothing to print. Wrong: {"boards": '
        '["round-track"]} without "rounds" in "pieces". Right: the same with "rounds".',
    ),
    "RF22": Code(
        "unknown colour",
        "A colour of a hex, tile, border, region, market zone or train is #rrggbb or the name of an ink of the theme. "
        'Wrong: {"frame": "violet"}. Right: {"frame": "tile.purple"}, {"frame": "#800080"}.',
    ),
    "RF23": Code(
        "variant that removes what is not there",
        "The patch of a variant sets something to null, which removes it, but the title does not have it. "
        'Wrong: "patch": {"companies": {"ETX": null}} in a title with a company ET. Right: "ET": null.',
        Severity.WARNING,
    ),
    "RF24": Code(
        "fact that the title does not have",
        "A text names a fact in braces that the title does not have. Wrong: {cash.7} where nobody says what seven "
        "players have, {train.4.prize}. Right: {cash.6}, {train.4.price}; docs/definitions.md lists all facts. A brace "
        "that is printed is written {{ or }}.",
    ),
    "PI01": Code(
        "picture that cannot be drawn",
        "A picture is an SVG file of paths and basic shapes in flat colours, of at most 256 KB and about 1000 shapes "
        "of 20 points; dashes of lines count too, and an element counts each time it is used. A map shows at most 14 "
        "times as much. Numbers lie between -1e9 and 1e9, shapes within 20 times the longer side of the picture. "
        "Scripts, references to other files, a DOCTYPE with declarations, text, embedded images, gradients, filters, "
        "masks, clips and translucent colours are refused by name. Wrong: <text>PRR</text>; "
        'fill="url(#shine)". Right: text turned into paths; fill="#c8102e".',
    ),
    "DF01": Code(
        "train that neither rusts nor stays",
        "Every train states how it ends: rusts_on, obsolete_on, or permanent. This way, a forgotten rusts_on is never "
        'mistaken for a permanent train. Wrong: {"name": "4", "price": 300}. Right: {..., "rusts_on": ["8"]}.',
    ),
    "DF02": Code(
        "impossible topology",
        "A town or off-board has station slots, a stop that is not a pass has a size, a segment runs from an end to "
        "itself, a lane lies beyond the width of the edge, or a tile is the other side of a tile that has no count or "
        'already has another side. Wrong: {"kind": "town", "slots": 1}. Right: {"kind": "town"}.',
    ),
    "DF03": Code(
        "market of the wrong shape",
        "A market with the shape line or zigzag has exactly one row of spaces; a zigzag is folded when it is drawn. "
        'Wrong: two rows with "shape": "line". Right: one row, or "shape": "grid".',
    ),
    "DF04": Code(
        "impossible piece",
        'A hex or disc has two different dimensions, or a revenue chart has thousands of spaces. Wrong: "tile": [38, '
        '40]. Right: "tile": 38.1.',
    ),
    "DF05": Code(
        "ragged table",
        "A row in the table of a player aid has more or fewer cells than the table has headings. Wrong: a head of 3 "
        'and a row of 2. Right: " " for an empty cell.',
    ),
    "DF06": Code(
        "two pieces with one name",
        "Every piece has a unique name (`platelayer manifest` lists them), which is used to draw, place, count and "
        "reprint it. The market token of company NVR is token:NVR-market, so no other company can have the id "
        "NVR-market. Certificates of one company must differ in percentage, unless one is the director's or reserved. "
        'Wrong: [{"percent": 10, "count": 4}, {"percent": 10, "count": 5}]. Right: [{"percent": 10, "count": 9}].',
    ),
    "DF07": Code(
        "company among the privates",
        "The block `privates` holds private companies and concessions; their ids may equal those of companies. "
        'Companies that operate belong in the block `companies`. Wrong: "privates": {"BO": {"kind": "major", ...}}.',
    ),
    "BX01": Code(
        "count differs from the box",
        "`pieces.box` states what the rulebook lists, and the definition yields something else. One of the two is "
        "wrong: count the pieces of the group named in the message (`platelayer manifest`).",
    ),
    "TX01": Code(
        "words with other placeholders",
        "Words in `terms` have the same placeholders as the English words that they replace "
        "(assets/languages/en.json): {} in order, or {0}, {1} ... in any order. A placeholder holds only its number; "
        'a literal brace is written {{ or }}. Wrong: {"cards/page": "Seite {}"}, {"cards/page": "{:>9} / {total}"}. '
        'Right: {"cards/page": "Seite {} von {}"}, {"cards/page": "{1}, {0}"}.',
    ),
    "GL01": Code(
        "missing glyph",
        "A text contains a character that the theme's fonts lack: a box is printed in its place. Use another "
        "character, or a theme with a face that has it. Characters that nobody sees are left out of the print.",
        Severity.WARNING,
    ),
    "GL02": Code(
        "words in another language",
        "`--lang` names a language in which the title has texts, but for which Platelayer has no fixed words (player "
        "aids, boards, sheets). These are printed in English. `terms` replaces fixed words with the title's own: "
        '{"terms": {"cards/phase": {"de": "Phase"}}}.',
        Severity.NOTE,
    ),
    "TH01": Code(
        "unknown theme",
        "Name a theme by the id of one that comes with Platelayer (classic, low-ink, colour-blind) or by the path of "
        "its .json file.",
    ),
    "TH02": Code(
        "unknown ink",
        "A stroke uses an ink that its theme does not define. Inks are defined by name under `inks`.",
    ),
    "TH03": Code(
        "unknown face",
        "A type style uses a face that does not come with Platelayer. Faces are the fonts in assets/fonts, by file "
        "name.",
    ),
    "TH04": Code(
        "too much ink",
        "The four inks of a CMYK recipe add up to more than 240 %, which does not dry and is refused by printers. "
        "Wrong: [80, 70, 70, 40]. Right: [0, 0, 0, 100] for black.",
    ),
    "TH05": Code(
        "impossible spot colour",
        "A spot colour has its own plate, identified by name. It cannot have a name reserved for the process plates "
        "or for all plates (All, None, Cyan, Magenta, Yellow, Black), and one plate has only one look on screen. "
        'Wrong: "Black". Right: "CutContour".',
    ),
    "TH06": Code(
        "themes extend each other",
        "A theme that extends another inherits everything it does not define itself. The other may extend a third, "
        "and so on, but the chain may not come back to an earlier theme.",
    ),
    "TH07": Code(
        "incomplete theme",
        "Drawings refer to inks, strokes and type styles by name, so a theme needs everything that the classic theme "
        'has. Right: "extends": "classic", and only the differences.',
    ),
    "PR01": Code(
        "unknown profile",
        "A profile holds the requirements of one place to print. Name it by the id of one that comes with Platelayer "
        "(home, offset, drivethrucards, makeplayingcards, thegamecrafter, pictures) or by the path of its .json file.",
    ),
    "DR01": Code(
        "left out of a draft",
        "`build --draft` prints what it can of a definition with errors. This part has an error, or refers to "
        "something that does not exist, and is left out; the error itself is reported separately. If a file cannot be "
        "read, all its contents are left out.",
        Severity.WARNING,
    ),
}
