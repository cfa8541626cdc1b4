"""Options of a print, and profiles of printing services."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, NamedTuple, get_args, get_origin

from msgspec import Meta, field
from msgspec.structs import fields

from platelayer.foundation.text import Text
from platelayer.foundation.values import Frozen
from platelayer.model.described import Distinct, Pairs, Parsed, common, unwrapped

# Families of colour spaces, grouped by how a press handles them.
COLOURS = ("gray", "rgb", "cmyk", "lab", "spot")


class PngSize(Frozen, kw_only=True):
    """One product of a shop that takes one picture per piece: its size in pixels with bleed, and
    the size of the finished piece in mm. A product that `holds_smaller` is a board or a mat:
    smaller boards and charters are placed in its middle."""

    id: str
    name: Text
    width_px: int
    height_px: int
    trim_mm: tuple[float, float]
    holds_smaller: bool = False


class PngLimits(Frozen, kw_only=True):
    """Requirements for the picture of a piece: dots per inch, colour mode ("rgb" or "gray"), bleed
    on each side, and the available sizes."""

    dpi: int
    colours: str
    bleed_mm: float
    sizes: tuple[PngSize, ...]

    def size(self, size_id: str) -> PngSize:
        """Return the size with that id. Raises KeyError."""
        return {size.id: size for size in self.sizes}[size_id]


class Limits(Frozen, kw_only=True):
    """Limits for a PDF; schemas/profile.schema.json says what each field means. `None`, 0 and empty
    mean no limit, except for `colours` and `allows`, which list everything that is allowed."""

    colours: tuple[str, ...]
    allows: tuple[str, ...]
    boxes: tuple[str, ...] = ()
    bleed_mm: float = 0.0
    safe_mm: float = 0.0
    page_is_piece: bool = False
    marks: bool = True
    papers: tuple[str, ...] = ()
    page_sizes_mm: tuple[tuple[float, float], ...] = ()
    same_page_size: bool = False
    pages_in_pairs: bool = False
    total_ink_percent: float | None = None
    fine_inks: bool = False
    spots: tuple[str, ...] | None = None
    cut_lines: tuple[str, ...] = ()
    cut_on_layer: bool = False
    image_dpi: float = 0.0
    text_pt: float = 0.0
    stroke_pt: float = 0.0
    subset_fonts: bool = False
    pdfx: tuple[str, ...] = ()
    png: PngLimits | None = None


class Profile(Frozen, kw_only=True):
    """A place to print: its id, its name, notes about it, the source of its numbers and the date
    they were read (an ISO date, or ""), its limits, and the default options for a print there
    (names and values of BuildOptions)."""

    id: str
    name: Text
    about: Text
    source: Text
    limits: Limits
    read: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)


THEME = "classic"


class Option(Frozen, kw_only=True, eq=False):
    """Mark of an option: everything but its type, default and description.

    On the command line its name is `switch` (None: it has none; "": the field's name with dashes
    and without its unit), or one of `switches` for each part of a pair, with their descriptions.
    `metavar` and `example` stand for its value, `default` for a default that depends on the print,
    and `help` replaces the description where values are written differently on the command line.
    `forms` are further switches, each with its metavar and description: `--atlas 7` gives the value
    "atlas=7".

    A `resolved` option takes effect in another form: in the title, its style, the plan of sheets,
    or the pieces to print. A `file` is one of the user's: it affects the print, but its path is
    private. Some options may be set by a `profile`, in the studio's print `dialog`, and in its
    `view` of sheets.
    """

    switch: str | None = ""
    switches: Mapping[str, str] = {}
    metavar: str | None = None
    example: str = ""
    default: str = ""
    help: str = ""
    forms: Mapping[str, tuple[str, str]] = {}
    resolved: bool = False
    file: bool = False
    profile: bool = False
    dialog: bool = False
    view: bool = False


def _words(most: int) -> Parsed:
    """Return the schema of a word in a profile; the program itself checks which words it knows."""
    return Parsed({**common("words"), "maxLength": most})


_KINDS = Parsed(
    {
        "type": "array",
        "minItems": 1,
        "maxItems": 60,
        "uniqueItems": True,
        "items": {
            "title": "a kind of piece",
            "description": 'Id of a kind of piece. Example: "tile".',
            "type": "string",
            "pattern": "^[a-z][a-z0-9-]{0,39}$",
        },
    },
    tuple,
)


def _key(title: str, pattern: str) -> Parsed:
    return Parsed({"title": title, "pattern": pattern})


class PrintOptions(Frozen, kw_only=True):
    """Options of a print; lengths in mm. Without a `profile`, the print is for home."""

    variant: Annotated[
        str | None,
        Option(
            metavar="ID",
            forms={
                "atlas": (
                    "FILE|LINK|SEED",
                    "Lay the map of this file, link or seed in place of the title's map tiles.",
                )
            },
            resolved=True,
        ),
        "Apply a variant of the title; `platelayer titles` lists those that ship.",
    ] = None
    language: Annotated[
        str,
        Option(switch="lang", metavar="CODE", resolved=True),
        "Print language: en, ja, any language the title has, or one of your own.",
    ] = "en"
    theme: Annotated[
        str,
        _words(60),
        Option(metavar="NAME|FILE", resolved=True, profile=True),
        'A shipped theme, or a theme file. Example: "classic".',
    ] = THEME
    only: Annotated[
        tuple[str, ...],
        _KINDS,
        Option(metavar="KIND,...", resolved=True, profile=True),
        'Print only these kinds of piece. Example: ["tile", "token"].',
    ] = ()
    without: Annotated[
        tuple[str, ...],
        _KINDS,
        Option(
            metavar="KIND,...",
            help="Leave out these kinds of piece, e.g. money,bank-board.",
            resolved=True,
            profile=True,
        ),
        'Leave out these kinds of piece. Example: ["money"].',
    ] = ()
    pieces: Annotated[
        tuple[str, ...],
        Option(metavar="KIND:ID,...", resolved=True),
        "Print only these pieces, e.g. tile:57,train:*",
    ] = ()
    copies: Annotated[
        Annotated[int, Meta(ge=1, le=999)] | None,
        Option(resolved=True),
        "Copies of each piece, whatever the box contents.",
    ] = None
    players: Annotated[
        Annotated[int, Meta(ge=1, le=20)] | None,
        Option(metavar="N", resolved=True),
        "Print only the pieces for this many players.",
    ] = None
    money: Annotated[bool, Option(resolved=True), "Add banknotes if the title defines none."] = (
        False
    )
    since: Annotated[
        str | None,
        Option(metavar="MANIFEST", resolved=True, file=True),
        "Print only what has changed since this manifest.json.",
    ] = None
    profile: Annotated[
        Profile | None,
        Option(metavar="NAME|FILE"),
        "Printing service or process: home, offset, drivethrucards ...",
    ] = None
    output: Annotated[
        Literal["sheets", "cards", "pictures"],
        Meta(title="a kind of output"),
        Option(switch=None, profile=True),
        '"sheets": PDF files of sheets to cut. "cards": a PDF for each card size in `page_sizes_mm`, with a page for '
        'the back and a page for the front of each card. "pictures": a PNG for each face of each piece, in the sizes '
        "of `png`.",
    ] = "sheets"
    paper: Annotated[
        str,
        _words(40),
        Option(metavar="PAPER", profile=True, dialog=True, view=True),
        'a4, letter, a3 ... or WIDTHxHEIGHTmm. Example: "sra3".',
    ] = "a4"
    media: Annotated[
        str,
        _words(40),
        Option(metavar="NAME", profile=True),
        'Sheet of labels, die, cutter or paper, as `platelayer media` lists them. Example: "avery-L7160".',
    ] = ""
    start_at: Annotated[
        int,
        Meta(ge=1, le=500),
        Option(metavar="N"),
        "First place to use on the first sheet of labels.",
    ] = 1
    margin_mm: Annotated[
        float,
        Parsed({"type": "number", "minimum": 0, "maximum": 100}),
        Option(profile=True),
        "Unprintable margin, in mm. Example: 10.",
    ] = 6.0
    poster: Annotated[
        str | None,
        Option(metavar="PAPER", default="the size of the map"),
        "Paper for the map in one piece.",
    ] = None
    sheets: Annotated[
        str | None,
        Option(metavar="FILE", resolved=True, file=True),
        "Your own documents and layouts.",
    ] = None
    position: Annotated[
        str | None,
        Option(metavar="FILE", resolved=True, file=True),
        "Show this position on the map.",
    ] = None
    numbers: Annotated[
        bool, Option(resolved=True), "Print the numbers of the tiles in the position."
    ] = False
    coordinates: Annotated[
        Literal["frame", "hexes", "both", "none"] | None,
        Meta(title="places of coordinates"),
        Option(default="as the title says", resolved=True, profile=True),
        "Where maps have their coordinates: on their frame, in every hex, both, or nowhere.",
    ] = None
    layouts: Annotated[
        tuple[
            tuple[
                Annotated[str, _key("a document", "^[a-z][a-z0-9-]{0,39}$")],
                Annotated[str, _words(40), "Name of a layout."],
            ],
            ...,
        ],
        Pairs(40),
        Option(
            switch="layout",
            metavar="DOCUMENT=NAME",
            example="tiles=singles",
            help="Change the layout of a document, e.g. tiles=singles, tiles=die, tokens=squares.",
            profile=True,
        ),
        'Layouts by document of the sheet plan. Example: {"tiles": "singles"}.',
    ] = ()
    adjust: Annotated[
        tuple[
            tuple[
                Annotated[
                    str,
                    _key("a number of a layout", r"^[a-z][a-z0-9-]{0,39}\.[a-z_]{1,39}$"),
                ],
                Annotated[str, _words(20), "A number."],
            ],
            ...,
        ],
        Pairs(40),
        Option(
            switch="set",
            metavar="LAYOUT.FIELD=NUMBER",
            example="tiled.overlap_mm=10",
            help="Change a number of a layout, or of all layouts of a document, e.g. tiled.overlap_mm=10, "
            "cards.gaps_mm=6.",
            resolved=True,
            profile=True,
        ),
        'Numbers of layouts. Example: {"tiled.overlap_mm": "10"}.',
    ] = ()
    optimise: Annotated[
        Literal["sheets", "cuts", "stock"] | None,
        Meta(title="what to save"),
        Option(default="few strokes for at most 5 % more sheets", profile=True),
        "What cards of several sizes save: sheets, which they share; cuts, with one size on a sheet; or "
        "stock, with one kind of piece on a sheet.",
    ] = None
    sizes: Annotated[
        tuple[
            tuple[
                Annotated[str, _key("a kind of piece", "^[a-z][a-z0-9-]{0,39}(:.{1,60})?$")],
                Annotated[str, _words(40), 'A size. Example: "63x88mm".'],
            ],
            ...,
        ],
        Pairs(60),
        Option(
            switch="size",
            metavar="KIND=SIZE",
            example="train=poker",
            help="Change the size of a kind of piece, e.g. train=poker, tile=40, map=42.",
            resolved=True,
            profile=True,
        ),
        'Sizes by kind of piece (or `kind:id`), by name or in mm. Example: {"train": "poker"}.',
    ] = ()
    color: Annotated[
        Literal["rgb", "cmyk", "gray"],
        Meta(title="a colour mode"),
        Option(profile=True, dialog=True),
        "rgb for home printers, cmyk for print shops, gray for printers with only black ink.",
    ] = "rgb"
    black: Annotated[
        Literal["plain", "rich"],
        Meta(title="a black of solids"),
        Option(profile=True),
        "Black solids with --color cmyk: only black ink, or all four inks.",
    ] = "plain"
    intent: Annotated[
        Literal["coated", "uncoated", "gracol"],
        Meta(title="a press"),
        Option(profile=True),
        "Paper and press for --color cmyk: FOGRA39, FOGRA47 or GRACoL.",
    ] = "coated"
    cut: Annotated[
        Literal["none", "marks", "lines", "spot"],
        Meta(title="a way to show cuts"),
        Option(profile=True, dialog=True, view=True),
        "Look of the cut outlines.",
    ] = "marks"
    spot_name: Annotated[
        str,
        _words(60),
        Option(metavar="NAME", profile=True),
        'Name of the spot colour for cut lines. Example: "CutContour".',
    ] = "CutContour"
    spot_layer: Annotated[
        str,
        Meta(min_length=1, max_length=60),
        _words(60),
        Option(metavar="NAME", profile=True),
        'Name of the layer for cut lines. Example: "Dieline".',
    ] = "Cut line"
    duplex: Annotated[
        Literal["none", "long", "short", "fold"],
        Meta(title="a way to print backs"),
        Option(profile=True, dialog=True, view=True),
        "Print backs: flipped on the long or short edge, or beside the fronts to fold over.",
    ] = "none"
    register: Annotated[
        Literal["none", "press", "silhouette"],
        Meta(title="marks to align sheets by"),
        Option(profile=True),
        "Registration marks: for a press, with a colour bar, or for a Silhouette cutter.",
    ] = "none"
    corner_mm: Annotated[
        float,
        Meta(ge=0, le=15),
        Option(metavar="MM", profile=True),
        "Round the corners of cards. Example: 3.",
    ] = 0.0
    also: Annotated[
        tuple[
            Annotated[
                Literal["svg", "dxf", "png", "edge"],
                Meta(title="a kind of file"),
                'A kind of file. Example: "dxf".',
            ],
            ...,
        ],
        Distinct(),
        Option(profile=True),
        "Also write each sheet and its cut lines as SVG, or the lines as DXF, or the sheet as PNG; edge: the "
        'lines with the edge of the page. Example: ["svg", "dxf"].',
    ] = ()
    offset_mm: Annotated[tuple[float, float], "Move everything by x,y mm (right, down)."] = (
        0.0,
        0.0,
    )
    back_offset_mm: Annotated[tuple[float, float], "Move backs by a further x,y mm."] = (0.0, 0.0)
    scale: Annotated[
        tuple[float, float],
        Option(
            switches={
                "scale-x": "Stretch horizontally, e.g. 1.002 (see platelayer calibrate).",
                "scale-y": "Stretch vertically.",
            }
        ),
        "Stretch horizontally and vertically, e.g. 1.002 (see platelayer calibrate).",
    ] = (1.0, 1.0)
    making: Annotated[
        bool,
        Option(profile=True, dialog=True),
        "Also write making.pdf: paper to buy, sheets to stack, strokes in order, minutes and ink; strokes are "
        "numbered at their marks.",
    ] = False
    draft: Annotated[
        bool,
        Option(dialog=True),
        "Print what can be printed despite errors, and list the problems on a separate sheet.",
    ] = False

    @property
    def press(self) -> bool:
        """True if marks are on all plates, with a colour bar."""
        return self.register == "press"

    @property
    def bleed_mm(self) -> float:
        """The minimum bleed that the shop requires."""
        return self.profile.limits.bleed_mm if self.profile else 0.0

    @property
    def of_files(self) -> "PrintOptions":
        """Return only the options that affect the files of drawn pieces; all others have their
        defaults."""
        # These options are part of the key of cached files, which must not depend on which pieces
        # are selected. They are also sent to worker processes, which do not know the user's own
        # kinds of pieces.
        names = (name for name, option in OPTIONS.items() if not option.mark.resolved)
        return PrintOptions(**{name: getattr(self, name) for name in names})


class PrintOption(NamedTuple):
    """An option as described by its field: its name, its type with and without marks, its default,
    its description, and the `Option` mark."""

    name: str
    described: Any
    plain: Any
    default: Any
    words: str
    mark: Option

    @property
    def switches(self) -> Mapping[str, str]:
        """Switches on the command line, without leading dashes, with their descriptions."""
        if self.mark.switch is None:
            return {}
        switch = self.mark.switch or self.name.removesuffix("_mm").replace("_", "-")
        forms = {name: words for name, (_, words) in self.mark.forms.items()}
        return self.mark.switches or {switch: self.mark.help or self.words} | forms

    @property
    def default_words(self) -> str:
        """The default as a user would write it, or "" if there is none to show."""
        if isinstance(self.default, float):
            return f"{self.default:g}"
        return self.default if isinstance(self.default, str) else self.mark.default

    @property
    def choices(self) -> tuple[str, ...]:
        """The words that the option accepts, if it accepts only certain ones."""
        several = get_origin(self.plain) is tuple
        plain = unwrapped(get_args(self.plain)[0]).plain if several else self.plain
        return get_args(plain) if get_origin(plain) is Literal else ()

    @property
    def pairs(self) -> bool:
        """True if the option maps names to values, as those of layouts and sizes do."""
        return any(isinstance(mark, Pairs) for mark in unwrapped(self.described).marks)

    @property
    def bounds(self) -> Meta | None:
        """The bounds of the value, if any."""
        marks = unwrapped(self.described).marks
        return next((mark for mark in marks if isinstance(mark, Meta)), None)


def _described() -> Mapping[str, PrintOption]:
    found = {}
    for option in fields(PrintOptions):
        plain, marks, _ = unwrapped(option.type)
        mark = next((mark for mark in marks if isinstance(mark, Option)), Option())
        text = next(mark for mark in reversed(marks) if isinstance(mark, str))
        words, _, _ = text.partition(" Example: ")  # JSON has examples in a field of their own
        found[option.name] = PrintOption(
            option.name, option.type, plain, option.default, words, mark
        )
    return found


OPTIONS = _described()
