"""Every code of preflight: a file that has the problem, and one as like it as can be that has
not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pikepdf
import pytest
from msgspec.structs import replace
from pikepdf import Array, Dictionary, Name, Stream, String

from handmade import (
    ANY,
    TRIM,
    codes,
    finished,
    font,
    form,
    found,
    icc,
    image,
    made,
    raw,
    saved,
    spot,
    words,
)
from platelayer.foundation.geometry import pt_from_mm
from platelayer.foundation.problems import codes as known_codes
from platelayer.model.options import Limits

Make = Callable[[], bytes]


@dataclass(frozen=True)
class Case:
    """What must have the problem, and the same with one thing put right; both are held to
    `limits`."""

    name: str
    code: str
    wrong: Make
    right: Make
    limits: Limits = ANY
    says: str = ""


CASES: list[Case] = []


def case(
    code: str, name: str, limits: Limits = ANY, says: str = ""
) -> Callable[[Callable[[bool], bytes]], Any]:
    """Registers a function that makes the file: wrong for False, right for True."""

    def register(make: Callable[[bool], bytes]) -> Callable[[bool], bytes]:
        CASES.append(Case(name, code, lambda: make(False), lambda: make(True), limits, says))
        return make

    return register


def limits(**fields: Any) -> Limits:
    return replace(ANY, **fields)


def text(size: float = 10, at: tuple[float, float] = (60, 100), show: str = "(Text) Tj") -> bytes:
    return f"BT /F1 {size} Tf {at[0]} {at[1]} Td {show} ET".encode()


# The file
# ------------------------------------------------------------------------------------------------------------


case("PF01", "nothing at all", says="the file is empty")(lambda right: made() if right else b"")
case("PF01", "another kind of file", says="not a PDF")(
    lambda right: made() if right else b"\x89PNG\r\n\x1a\n" + bytes(200)
)
case("PF01", "no pages", says="no pages")(lambda right: made(pages=int(right)))
case("PF01", "a header and then noise")(
    lambda right: made() if right else b"%PDF-1.7\n" + bytes(range(256)) * 20
)
case("PF02", "a password", says="only with a password")(
    lambda right: (
        made() if right else made(encryption=pikepdf.Encryption(user="secret", owner="more"))
    )
)
case("PF02", "restrictions", limits(allows=()), says="encrypted")(
    lambda right: made() if right else made(encryption=pikepdf.Encryption(user="", owner="more"))
)


@case("PF03", "a broken table of objects")
def _(right: bool) -> bytes:
    whole = made(b"0 g 10 10 m 20 20 l f", object_stream_mode=pikepdf.ObjectStreamMode.disable)
    return whole if right else whole.replace(b"startxref\n", b"startxref\n9")


@case("PF03", "half of it is missing")
def _(right: bool) -> bytes:
    whole = made(b"0 g 10 10 m 20 20 l f", object_stream_mode=pikepdf.ObjectStreamMode.disable)
    return whole if right else whole[: whole.rindex(b"xref")]


# What is drawn
# -------------------------------------------------------------------------------------------------------


def _content(wrong: bytes, right: bytes) -> Callable[[bool], bytes]:
    return lambda sound: made(right if sound else wrong)


for _name, _wrong, _right, _says in (
    (
        "an operator that is none",
        b"1 2 frobnicate",
        b"BX 1 2 frobnicate EX",
        "'frobnicate' is not an operator",
    ),
    ("a byte out of place", b"q ^ Q", b"q Q", "'^' is not an operator"),
    ("too few operands", b"1 0 rg", b"1 0 0 rg", "rg has the wrong operands"),
    (
        "operands that are no numbers",
        b"1 0 0 1 --5 0 cm",
        b"1 0 0 1 -5 0 cm",
        "cm has the wrong operands",
    ),
    ("more q than Q", b"q q Q", b"q q Q Q", "never restored"),
    ("more Q than q", b"q Q Q", b"q Q", "without having been saved"),
    ("marked content without beginning", b"EMC", b"/Span BMC EMC", "without having begun"),
    ("a font that is not there", b"BT /F9 9 Tf ET", b"BT ET", "no font 'F9'"),
    ("a form that is not there", b"/X9 Do", b"", "no form or image 'X9'"),
    ("a state that is not there", b"/G9 gs", b"", "no graphics state 'G9'"),
    (
        "a colour space that is not there",
        b"/C9 cs 1 scn",
        b"/DeviceGray cs 1 sc",
        "no readable colour space 'C9'",
    ),
    ("a pattern that is not there", b"/Pattern cs /P9 scn", b"", "no pattern 'P9'"),
    ("a shading that is not there", b"/S9 sh", b"", "no shading 'S9'"),
    ("text without a font", b"BT (x) Tj ET", b"BT ET", "before a font is set"),
    ("operands at the end", b"1 2 3", b"", "no operator follows"),
    (
        "an inline image without measures",
        b"BI /CS /G ID x EI",
        b"BI /W 1 /H 1 /CS /G /BPC 8 ID x EI",
        "no width",
    ),
    (
        "an inline image of no space",
        b"BI /W 1 /H 1 /CS /Q ID x EI",
        b"BI /W 1 /H 1 /IM true ID x EI",
        "no readable colour space",
    ),
):
    case("PF04", _name, says=_says)(_content(_wrong, _right))


@case("PF04", "a stream that does not unpack", says="cannot be decoded")
def _(right: bool) -> bytes:
    pdf = pikepdf.new()
    stream = pdf.make_indirect(Stream(pdf, b"q Q"))
    if not right:
        stream.write(b"this is not deflated", filter=Name.FlateDecode)
    return finished(pdf, page={"/Contents": stream}, compress_streams=False)


@case("PF04", "a packing for pictures", says="cannot be used for drawings")
def _(right: bool) -> bytes:
    pdf = pikepdf.new()
    stream = pdf.make_indirect(Stream(pdf, b"q Q"))
    if not right:
        stream.write(b"q Q", filter=Name.DCTDecode)
    return finished(pdf, page={"/Contents": stream}, compress_streams=False)


case("PF04", "contents that are no stream", says="is not a stream")(
    lambda right: made() if right else made(page={"/Contents": Dictionary(Oh=1)})
)


@case("PF04", "a form that places itself", says="places itself")
def _(right: bool) -> bytes:
    pdf = pikepdf.new()
    loop = form(pdf, b"/X Do" if not right else b"")
    loop.Resources.XObject = Dictionary(X=loop)
    return finished(pdf, b"/X Do", {"/XObject": Dictionary(X=loop)})


@case("PF04", "a thing that cannot be placed", says="neither a form nor an image")
def _(right: bool) -> bytes:
    pdf = pikepdf.new()
    thing = form(pdf, b"")
    if not right:
        thing.Subtype = Name.PS
    return finished(pdf, b"/X Do", {"/XObject": Dictionary(X=thing)})


@case("PF04", "an image without measures", says="no width or height")
def _(right: bool) -> bytes:
    pdf = pikepdf.new()
    picture = image(pdf, b"\0", int(right), 1, Name.DeviceGray)
    return finished(pdf, b"/I Do", {"/XObject": Dictionary(I=picture)})


@case("PF04", "an image without colour space", says="an image has no readable colour space")
def _(right: bool) -> bytes:
    pdf = pikepdf.new()
    picture = image(pdf, b"\0", 1, 1, Name.DeviceGray if right else None)
    return finished(pdf, b"/I Do", {"/XObject": Dictionary(I=picture)})


@case("PF04", "a shading without colour space", says="a shading has no readable colour space")
def _(right: bool) -> bytes:
    shading = Dictionary(ShadingType=2, Coords=Array([0, 0, 1, 1]))
    if right:
        shading.ColorSpace = Name.DeviceGray
    return made(b"/S sh", {"/Shading": Dictionary(S=shading)})


@case("PF05", "forms in forms without end", says="steps")
def _(right: bool) -> bytes:
    """Each form places the next at two sizes: 2 to the 40th ways of drawing the last."""
    pdf = pikepdf.new()
    inner = form(pdf, b"1 w 0 0 m 1 1 l S")
    for _ in range(4 if right else 30):
        inner = form(
            pdf,
            b"q 1 .3 0 1 0 0 cm /X Do Q q 1 0 .3 1 0 0 cm /X Do Q",
            {"/XObject": Dictionary(X=inner)},
        )
    return finished(pdf, b"/X Do", {"/XObject": Dictionary(X=inner)})


case("PF05", "a bomb in a page", says="32 MB")(
    lambda right: made(b" " * (40 * 2**20 if not right else 2**20))
)


# Boxes and pages
# -----------------------------------------------------------------------------------------------------


case("PF06", "no TrimBox", limits(boxes=("trim", "bleed")), says="no TrimBox")(
    lambda right: made() if right else made(page={"/TrimBox": None})
)
case("PF06", "trim beyond the bleed", says="TrimBox reaches beyond the BleedBox")(
    lambda right: made() if right else made(page={"/TrimBox": Array([10, 30, 170, 270])})
)


@case(
    "PF06",
    "trim beyond the bleed by more than roundings",
    says="TrimBox reaches beyond the BleedBox",
)
def _(right: bool) -> bytes:
    return made(
        page={"/TrimBox": Array([19.9 if right else 19.8, 30, 170, 270])}
    )  # 0.035 and 0.07 mm


case("PF06", "bleed beyond the paper", says="BleedBox reaches beyond the MediaBox")(
    lambda right: made() if right else made(page={"/BleedBox": Array([-5, 20, 180, 280])})
)
case("PF06", "a box of words", says="no readable MediaBox")(
    lambda right: made() if right else made(page={"/MediaBox": Array([Name.A, 0, 200, 300])})
)
case("PF06", "no MediaBox", says="no readable MediaBox")(
    lambda right: made() if right else made(page={"/MediaBox": None})
)
case("PF06", "a page of 3 km", says="sides of 1 to")(
    lambda right: made() if right else made(page={"/MediaBox": Array([0, 0, 9_000_000, 300])})
)
case("PF06", "a page of no width", says="sides of 1 to")(
    lambda right: made() if right else made(page={"/MediaBox": Array([5, 0, 5, 300])})
)
case("PF06", "large units", says="sides of 1 to")(
    lambda right: made(page={"/UserUnit": 2 if right else 2000})
)
case("PF07", "little bleed", limits(bleed_mm=3.0), says="the bleed is 1.76 mm wide; at least 3 mm")(
    lambda right: made() if right else made(page={"/BleedBox": Array([25, 20, 180, 280])})
)
case("PF07", "units of the page count", limits(bleed_mm=6.0))(
    lambda right: made(page={"/UserUnit": 2 if right else 1})
)
case("PF08", "room for marks", limits(marks=False), says="marks")(
    lambda right: made(page={"/MediaBox": Array([20, 20, 180, 280])}) if right else made()
)
case(
    "PF08", "another size", limits(page_sizes_mm=((84.67, 49.39),)), says="allowed: 84.67 x 49.39"
)(lambda right: made() if right else made(page={"/TrimBox": Array([32, 30, 170, 270])}))


@case("PF08", "two sizes", limits(same_page_size=True), says="page 2: the page is 47.98 x 84.67 mm")
def _(right: bool) -> bytes:
    pdf = pikepdf.new()
    finished(pdf)
    return finished(pdf, page={} if right else {"/TrimBox": Array([34, 30, 170, 270])})


case("PF08", "a back is missing", limits(pages_in_pairs=True), says="3 pages")(
    lambda right: made(pages=4 if right else 3)
)


# Fonts
# ---------------------------------------------------------------------------------------------------------------


@case("PF09", "a font left to the viewer", says="Sample (TrueType) is not embedded")
def _(right: bool) -> bytes:
    pdf = pikepdf.new()
    return finished(pdf, text(), {"/Font": Dictionary(F1=font(pdf, embedded=right))})


@case("PF09", "one of the fourteen", says="Helvetica")
def _(right: bool) -> bytes:
    helvetica = Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Helvetica)
    return made(text() if not right else b"", {"/Font": Dictionary(F1=helvetica)})


@case("PF09", "a composite font", says="(Type0) is not embedded")
def _(right: bool) -> bytes:
    pdf = pikepdf.new()
    descriptor = font(pdf, embedded=right).FontDescriptor
    cid = Dictionary(
        Type=Name.Font,
        Subtype=Name.CIDFontType2,
        FontDescriptor=descriptor,
        W=Array([1, Array([500])]),
    )
    whole = Dictionary(
        Type=Name.Font,
        Subtype=Name.Type0,
        BaseFont=Name("/ABCDEF+Wide"),
        DescendantFonts=Array([cid]),
    )
    return finished(pdf, text(show="<00010002> Tj"), {"/Font": Dictionary(F1=whole)})


@case("PF10", "a whole font", limits(subset_fonts=True), says="not as a subset")
def _(right: bool) -> bytes:
    pdf = pikepdf.new()
    return finished(
        pdf, text(), {"/Font": Dictionary(F1=font(pdf, "ABCDEF+Sans" if right else "Sans"))}
    )


# Colours
# -------------------------------------------------------------------------------------------------------------

PRESS = limits(colours=("gray", "cmyk"))
SQUARE = b" 10 10 m 20 10 l 20 20 l f"

for _name, _wrong, _says in (
    ("RGB fill", b"1 0 0 rg" + SQUARE, "DeviceRGB is used (fill); allowed: gray, cmyk"),
    ("RGB stroke", b"1 0 0 RG 1 w 0 0 m 9 9 l S", "DeviceRGB is used (stroke)"),
    ("RGB by its space", b"/DeviceRGB cs 1 0 0 sc" + SQUARE, "DeviceRGB"),
    ("RGB inline image", b"BI /W 1 /H 1 /BPC 8 /CS /RGB ID \1\2\3 EI", "DeviceRGB (inline image)"),
):
    case("PF11", _name, PRESS, _says)(
        _content(_wrong, b"0 0 0 1 k 0 0 0 1 K 1 0 0 rg" + SQUARE.replace(b" f", b" n"))
    )


def _space_case(
    name: str, says: str, make: Callable[[Any], Any], values: bytes, allowed: Limits = PRESS
) -> None:
    def build(right: bool) -> bytes:
        pdf = pikepdf.new()
        use = b"/CS0 cs %s scn" % values + SQUARE if not right else b"0 g" + SQUARE
        return finished(pdf, use, {"/ColorSpace": Dictionary(CS0=make(pdf))})

    case("PF11", name, allowed, says)(build)


_space_case("ICC RGB", "ICCBased RGB", lambda pdf: icc(pdf, 3), b"1 0 0")
_space_case("CalRGB", "CalRGB", lambda _: Array([Name.CalRGB, Dictionary()]), b"1 0 0")
_space_case("Lab", "Lab", lambda _: Array([Name.Lab, Dictionary()]), b"50 10 10")
_space_case(
    "table of RGB",
    "Indexed DeviceRGB",
    lambda _: Array([Name.Indexed, Name.DeviceRGB, 1, String(b"\0\0\0\xff\0\0")]),
    b"1",
)
_space_case("spot", 'Separation "Gold"', lambda _: spot("Gold"), b"1")
_space_case(
    "spots of several plates", 'DeviceN "Black", "Gold"', lambda _: spot("Black+Gold"), b"1 1"
)
_space_case(
    "ICC CMYK at home",
    "ICCBased CMYK",
    lambda pdf: icc(pdf, 4),
    b"0 0 0 1",
    limits(colours=("gray", "rgb")),
)


@case("PF11", "an image in a form in a form", PRESS, says="DeviceRGB (image)")
def _(right: bool) -> bytes:
    pdf = pikepdf.new()
    picture = image(
        pdf, b"\0" * (1 if right else 3), 1, 1, Name.DeviceGray if right else Name.DeviceRGB
    )
    inner = form(pdf, b"/I Do", {"/XObject": Dictionary(I=picture)})
    outer = form(pdf, b"/X Do", {"/XObject": Dictionary(X=inner)})
    return finished(pdf, b"/X Do", {"/XObject": Dictionary(X=outer)})


@case("PF11", "a colour that a form inherits", PRESS, says="DeviceRGB is used (fill)")
def _(right: bool) -> bytes:
    pdf = pikepdf.new()
    inner = form(pdf, SQUARE)
    outer = form(pdf, b"/X Do", {"/XObject": Dictionary(X=inner)})
    colour = b"0 0 0 1 k" if right else b"1 0 0 rg"
    return finished(pdf, colour + b" /X Do", {"/XObject": Dictionary(X=outer)})


@case("PF11", "a tiling pattern", PRESS, says="DeviceRGB")
def _(right: bool) -> bytes:
    pdf = pikepdf.new()
    pattern = form(
        pdf, (b"0 g" if right else b"1 0 0 rg") + SQUARE, PatternType=1, PaintType=1, TilingType=1
    )
    return finished(pdf, b"/Pattern cs /P scn" + SQUARE, {"/Pattern": Dictionary(P=pattern)})


@case("PF11", "a stencil pattern takes its colour where it is used", PRESS, says="DeviceRGB")
def _(right: bool) -> bytes:
    pdf = pikepdf.new()
    pattern = form(pdf, SQUARE, PatternType=1, PaintType=2, TilingType=1)
    below = Array([Name.Pattern, Name.DeviceGray if right else Name.DeviceRGB])
    values = b"0" if right else b"1 0 0"
    resources = {"/Pattern": Dictionary(P=pattern), "/ColorSpace": Dictionary(CS0=below)}
    return finished(pdf, b"/CS0 cs %s /P scn" % values + SQUARE, resources)


@case("PF11", "a gradient", PRESS, says="DeviceRGB (shading)")
def _(right: bool) -> bytes:
    shading = Dictionary(ShadingType=2, ColorSpace=Name.DeviceCMYK if right else Name.DeviceRGB)
    pattern = Dictionary(PatternType=2, Shading=shading)
    return made(b"/Pattern cs /P scn" + SQUARE, {"/Pattern": Dictionary(P=pattern)})


@case("PF11", "a glyph drawn in RGB", PRESS, says="DeviceRGB")
def _(right: bool) -> bytes:
    pdf = pikepdf.new()
    glyph = pdf.make_indirect(
        Stream(pdf, b"500 0 d0 " + (b"0 g" if right else b"1 0 0 rg") + SQUARE)
    )
    drawn = Dictionary(
        Type=Name.Font, Subtype=Name.Type3, FontMatrix=Array([0.001, 0, 0, 0.001, 0, 0])
    )
    drawn.CharProcs, drawn.Name = Dictionary(a=glyph), Name.Drawn
    return finished(pdf, text(show="(a) Tj"), {"/Font": Dictionary(F1=drawn)})


@case("PF11", "a printed note", PRESS, says="DeviceRGB")
def _(right: bool) -> bytes:
    pdf = pikepdf.new()
    look = form(pdf, b"1 0 0 rg" + SQUARE)
    note = Dictionary(
        Subtype=Name.Stamp, F=0 if right else 4, AP=Dictionary(N=look), Rect=Array([0, 0, 9, 9])
    )
    return finished(pdf, page={"/Annots": Array([note])})


# Ink
# -----------------------------------------------------------------------------------------------------------------

INK = limits(total_ink_percent=240)

for _name, _wrong, _right, _says in (
    ("a fill", b"1 .8 .5 .2 k", b"1 .8 .5 .1 k", "250 % of ink (DeviceCMYK); at most 240 %"),
    ("rich black", b"1 1 1 1 k", b"0 0 0 1 k", "400 %"),
):
    case("PF12", _name, INK, _says)(_content(_wrong + SQUARE, _right + SQUARE))


@case("PF12", "pixels", INK, says="400 % of ink (DeviceCMYK (image))")
def _(right: bool) -> bytes:
    pdf = pikepdf.new()
    pixels = b"\0\0\0\xff" * 5 + (b"\xff\xff\0\0" if right else b"\xff\xff\xff\xff")
    return finished(
        pdf, b"/I Do", {"/XObject": Dictionary(I=image(pdf, pixels, 3, 2, Name.DeviceCMYK))}
    )


@case("PF12", "an inverted picture", INK, says="400 %")
def _(right: bool) -> bytes:
    pdf = pikepdf.new()
    decode = Array([0, 1] * 4) if right else Array([1, 0] * 4)
    picture = image(pdf, bytes(4), 1, 1, Name.DeviceCMYK, Decode=decode)
    return finished(pdf, b"/I Do", {"/XObject": Dictionary(I=picture)})


@case("PF12", "a table of colours", INK, says="300 % of ink (Indexed DeviceCMYK (image))")
def _(right: bool) -> bytes:
    pdf = pikepdf.new()
    table = String(b"\0\0\0\xff" + (b"\xff\0\0\0" if right else b"\xff\xff\xff\0"))
    picture = image(pdf, b"\0\1", 2, 1, Array([Name.Indexed, Name.DeviceCMYK, 1, table]))
    return finished(pdf, b"/I Do", {"/XObject": Dictionary(I=picture)})


@case("PF12", "the end of a gradient", INK, says="(shading)")
def _(right: bool) -> bytes:
    end = Array([0, 0, 0, 1] if right else [1, 1, 1, 0])
    function = Dictionary(FunctionType=2, Domain=Array([0, 1]), C0=Array([0, 0, 0, 0]), C1=end, N=1)
    shading = Dictionary(ShadingType=2, ColorSpace=Name.DeviceCMYK, Function=function)
    return made(b"/S sh", {"/Shading": Dictionary(S=shading)})


# Spots and cut lines
# -------------------------------------------------------------------------------------------------


def _spot_page(
    name: str, draw: bytes, *, overprint: bool = True, layer: bool = True, more: bytes = b""
) -> bytes:
    pdf = pikepdf.new()
    group = pdf.make_indirect(Dictionary(Type=Name.OCG, Name=String("Cut lines")))
    resources = {
        "/ColorSpace": Dictionary(S1=spot(name)),
        "/ExtGState": Dictionary(O1=Dictionary(OP=overprint, op=overprint)),
        "/Properties": Dictionary(L1=group),
    }
    begin, end = (b"/OC /L1 BDC ", b" EMC") if layer else (b"", b"")
    return finished(pdf, begin + b"/O1 gs 1 w " + draw + more + end, resources)


STROKE = b"/S1 CS 1 SCN 0 0 m 9 9 l S "
CUT = limits(cut_lines=("CutContour",), cut_on_layer=True)


case(
    "PF13",
    "a spot colour of another name",
    limits(spots=("CutContour",)),
    says='"Gold" is used; allowed: "CutContour"',
)(lambda right: _spot_page("CutContour" if right else "Gold", STROKE))


@case("PF13", "every plate", limits(marks=False), says='"All"')
def _(right: bool) -> bytes:
    pdf = pikepdf.new()
    resources = {"/ColorSpace": Dictionary(S1=spot("Black" if right else "All"))}
    return finished(pdf, b"1 w " + STROKE, resources, page={"/MediaBox": Array([20, 20, 180, 280])})


def _fine_case(name: str, wrong: bytes, right: bytes, says: str) -> None:
    def build(good: bool) -> bytes:
        pdf = pikepdf.new()
        return finished(pdf, right if good else wrong, {"/Font": Dictionary(F1=font(pdf))})

    case("PF27", name, limits(fine_inks=True), says)(build)


def text_in(inks: bytes, size: float) -> bytes:
    return inks + b" k " + text(size)


_fine_case(
    "small words",
    text_in(b".1 .3 0 .8", 7),
    text_in(b"0 .3 0 .8", 7),
    "a text of 7 pt is mixed of more than 2",
)
_fine_case("larger words", text_in(b".1 .3 0 .8", 7.9), text_in(b".1 .3 0 .8", 8), "7.9 pt")
_fine_case(
    "scaled",
    b".5 0 0 .5 0 0 cm " + text_in(b".1 .3 0 .8", 10),
    text_in(b".1 .3 0 .8", 10),
    "a text of 5 pt",
)
_fine_case(
    "a hairline",
    *(b".1 .3 .2 .8 K %a w 9 9 m 99 99 l S" % w for w in (0.4, 0.6)),
    "a line of 0.4 pt",
)
_fine_case(
    "a hairline of four",
    *(b"%a .3 .2 .8 K .4 w 9 9 m 99 99 l S" % c for c in (0.1, 0)),
    "mixed of all 4 inks",
)


@case("PF28", "white that overprints", says="a white fill overprints")
def _(right: bool) -> bytes:
    pdf = pikepdf.new()
    resources = {"/ExtGState": Dictionary(O1=Dictionary(OP=True, op=True, OPM=0 if right else 1))}
    return finished(pdf, b"/O1 gs 0 0 0 0 k" + SQUARE, resources)


@case("PF28", "white where only lines are said to overprint", says="a white fill overprints")
def _(right: bool) -> bytes:
    # PDF 32000-1, table 58: where `op` is missing, `OP` holds for everything that is not a stroke,
    # too.
    pdf = pikepdf.new()
    state = Dictionary(OP=True, op=False, OPM=1) if right else Dictionary(OP=True, OPM=1)
    return finished(pdf, b"/O1 gs 0 0 0 0 k" + SQUARE, {"/ExtGState": Dictionary(O1=state)})


@case("PF28", "white words in a form", says="a white text overprints")
def _(right: bool) -> bytes:
    pdf = pikepdf.new()
    resources = {
        "/ExtGState": Dictionary(O1=Dictionary(op=not right, OPM=1)),
        "/Font": Dictionary(F1=font(pdf)),
    }
    inner = form(pdf, b"/O1 gs 0 0 0 0 k " + text(), resources)
    return finished(pdf, b"/X Do", {"/XObject": Dictionary(X=inner)})


case("PF14", "a filled cut line", CUT, says="painted as a fill")(
    lambda right: _spot_page("CutContour", STROKE if right else b"/S1 cs 1 scn" + SQUARE)
)
case("PF14", "a cut line that knocks out", CUT, says="does not overprint")(
    lambda right: _spot_page("CutContour", STROKE, overprint=right)
)
case("PF14", "a cut line on no layer", CUT, says="is not on a layer")(
    lambda right: _spot_page("CutContour", STROKE, layer=right)
)
case("PF14", "a cut line among other things", CUT, says='shares the layer "Cut lines"')(
    lambda right: _spot_page("CutContour", STROKE, more=b"" if right else b"0 g" + SQUARE)
)


@case(
    "PF14",
    "a cut line in a form takes overprint and layer from where it lies",
    CUT,
    says="does not overprint",
)
def _(right: bool) -> bytes:
    pdf = pikepdf.new()
    line = form(pdf, b"1 w " + STROKE, {"/ColorSpace": Dictionary(S1=spot("CutContour"))})
    group = pdf.make_indirect(Dictionary(Type=Name.OCG, Name=String("Cut lines")))
    resources = {
        "/XObject": Dictionary(X=line),
        "/ExtGState": Dictionary(O1=Dictionary(OP=right)),
        "/Properties": Dictionary(L1=group),
    }
    return finished(pdf, b"/OC /L1 BDC /O1 gs /X Do EMC", resources)


# Pictures and transparency
# -------------------------------------------------------------------------------------------


@case(
    "PF15",
    "a coarse picture",
    limits(image_dpi=300),
    says="a picture of 100 x 50 pixels has 200 dpi",
)
def _(right: bool) -> bytes:
    pdf = pikepdf.new()
    across = 24 if right else 36  # 100 pixels over half an inch are 200 dpi
    picture = image(pdf, bytes(5000), 100, 50, Name.DeviceGray)
    return finished(
        pdf, b"q %d 0 0 12 50 50 cm /I Do Q" % across, {"/XObject": Dictionary(I=picture)}
    )


@case("PF15", "a picture turned and scaled in a form", limits(image_dpi=300), says="has 100 dpi")
def _(right: bool) -> bytes:
    pdf = pikepdf.new()
    picture = image(pdf, bytes(10_000), 100, 100, Name.DeviceGray)
    inner = form(pdf, b"q 0 36 -36 0 0 0 cm /I Do Q", {"/XObject": Dictionary(I=picture)})
    scale = b".5" if right else b"2"
    return finished(
        pdf, b"%s 0 0 %s 0 0 cm /X Do" % (scale, scale), {"/XObject": Dictionary(X=inner)}
    )


OPAQUE = limits(allows=())


def _state_case(name: str, says: str, wrong: dict[str, Any], right: dict[str, Any]) -> None:
    def build(sound: bool) -> bytes:
        state = Dictionary({f"/{key}": value for key, value in (right if sound else wrong).items()})
        return made(b"/G gs 0 g" + SQUARE, {"/ExtGState": Dictionary(G=state)})

    case("PF16", name, OPAQUE, says)(build)


_state_case("a thin fill", "a fill opacity of 0.5", {"ca": 0.5}, {"ca": 1})
_state_case("a thin stroke", "a stroke opacity of 0.25", {"CA": 0.25}, {"CA": 1})
_state_case("a blend mode", "the blend mode Multiply", {"BM": Name.Multiply}, {"BM": Name.Normal})
_state_case(
    "a soft mask", "a soft mask", {"SMask": Dictionary(S=Name.Alpha)}, {"SMask": Name("/None")}
)


@case("PF16", "an image with a mask", OPAQUE, says="an image with a soft mask")
def _(right: bool) -> bytes:
    pdf = pikepdf.new()
    picture = image(pdf, b"\0", 1, 1, Name.DeviceGray)
    if not right:
        picture.SMask = image(pdf, b"\x80", 1, 1, Name.DeviceGray)
    return finished(pdf, b"/I Do", {"/XObject": Dictionary(I=picture)})


@case("PF16", "a group", OPAQUE, says="a transparency group")
def _(right: bool) -> bytes:
    pdf = pikepdf.new()
    group = {} if right else {"Group": Dictionary(S=Name.Transparency)}
    return finished(pdf, b"/X Do", {"/XObject": Dictionary(X=form(pdf, b"", **group))})


# Sizes
# ---------------------------------------------------------------------------------------------------------------

READABLE = limits(text_pt=5)
VISIBLE = limits(stroke_pt=0.25)


def _text_case(
    name: str, wrong: bytes, right: bytes, says: str, allowed: Limits = READABLE, **entries: Any
) -> None:
    def build(sound: bool) -> bytes:
        pdf = pikepdf.new()
        return finished(
            pdf, right if sound else wrong, {"/Font": Dictionary(F1=font(pdf))}, **entries
        )

    case("PF17", name, allowed, says)(build)


_text_case("by its font", text(4), text(5), "a text is 4 pt high; at least 5 pt")
_text_case(
    "by the matrix of the text",
    *(b"BT /F1 1 Tf %d 0 0 %d 0 0 Tm (a) Tj ET" % (n, n) for n in (4, 6)),
    "4 pt",
)
_text_case(
    "by the page",
    b"q .5 0 0 .5 0 0 cm " + text(8) + b" Q",
    b"q .7 0 0 .7 0 0 cm " + text(8) + b" Q",
    "4 pt",
)
_text_case(
    "turned", *(b"BT /F1 %d Tf 0 .9 -.9 0 0 0 Tm [(a) -9 (b)] TJ ET" % n for n in (5, 6)), "4.5 pt"
)
_text_case("by units", text(2), text(2.5), "4 pt high", page={"/UserUnit": 2})
_text_case("invisible text is none", text(4), b"BT 3 Tr ET " + text(4), "4 pt")


@case("PF17", "in a form", READABLE, says="a text is 4.5 pt high")
def _(right: bool) -> bytes:
    pdf = pikepdf.new()
    label = form(
        pdf,
        text(9),
        {"/Font": Dictionary(F1=font(pdf))},
        Matrix=Array([0.5 + 0.5 * right, 0, 0, 1, 0, 0]),
    )
    # Scaled down along the page, then by the form: what counts is the height of the letters.
    label.Matrix = Array([1, 0, 0, 1 if right else 0.5, 0, 0])
    return finished(pdf, b"/X Do", {"/XObject": Dictionary(X=label)})


for _name, _wrong, _right, _says in (
    (
        "a thin line",
        b".2 w 0 0 m 9 9 l S",
        b".25 w 0 0 m 9 9 l S",
        "a line is 0.2 pt wide; at least 0.25 pt",
    ),
    ("the thinnest line of the device", b"0 w 0 0 m 9 9 l S", b"0 0 m 9 9 l S", "0 pt"),
    (
        "a line scaled down",
        b".1 0 0 .1 0 0 cm 2 w 0 0 m 9 9 l s",
        b".1 0 0 .1 0 0 cm 3 w 0 0 m 9 9 l s",
        "0.2 pt",
    ),
    (
        "a line squeezed",
        b".1 0 0 9 0 0 cm 2 w 0 0 m 9 9 l B",
        b"1 0 0 9 0 0 cm 2 w 0 0 m 9 9 l B",
        "0.2 pt",
    ),
):
    case("PF18", _name, VISIBLE, _says)(_content(_wrong, _right))


@case("PF18", "a line by units", VISIBLE, says="0.2 pt")
def _(right: bool) -> bytes:
    width = b".125" if right else b".1"
    return made(width + b" w 0 0 m 9 9 l S", page={"/UserUnit": 2})


@case("PF18", "a width that a form inherits", VISIBLE, says="0.2 pt")
def _(right: bool) -> bytes:
    pdf = pikepdf.new()
    line = form(pdf, b"0 0 m 9 9 l S")
    return finished(
        pdf, (b"1 w" if right else b".2 w") + b" /X Do", {"/XObject": Dictionary(X=line)}
    )


PIECE = limits(page_is_piece=True, safe_mm=3)
LEFT, RIGHT = TRIM[0], TRIM[2]


def _safe_case(name: str, wrong: bytes, right: bytes, says: str) -> None:
    def build(sound: bool) -> bytes:
        pdf = pikepdf.new()
        label = form(pdf, text(10, (0, 0), "(wide) Tj"), {"/Font": Dictionary(F1=font(pdf))})
        resources = {"/Font": Dictionary(F1=font(pdf)), "/XObject": Dictionary(X=label)}
        return finished(pdf, right if sound else wrong, resources)

    case("PF19", name, PIECE, says)(build)


_safe_case(
    "near the left",
    text(10, (LEFT + pt_from_mm(2), 100)),
    text(10, (LEFT + pt_from_mm(3), 100)),
    "2 mm from",
)
# Four letters of 5 pt each end 20 pt further right.
_safe_case(
    "reaching to the right",
    text(10, (RIGHT - 20 - pt_from_mm(1), 100)),
    text(10, (RIGHT - 20 - pt_from_mm(3), 100)),
    "1 mm from",
)
_safe_case(
    "beyond the trim", text(10, (LEFT - 8, 100)), text(10, (LEFT - 30, 100)), "2.82 mm beyond"
)
_safe_case(
    "the second of two texts",
    text(10, (RIGHT - 40, 100), "(abcd) Tj (efgh) Tj"),
    text(10, (RIGHT - 60, 100), "(abcd) Tj (efgh) Tj"),
    "0 mm from",
)
_safe_case(
    "letters moved apart",
    text(10, (RIGHT - 40, 100), "[(abcd) -1000 (e)] TJ"),
    text(10, (RIGHT - 40, 100), "[(abcd) (e)] TJ"),
    "1.76 mm from",
)
_safe_case("in a form", b"1 0 0 1 32 100 cm /X Do", b"1 0 0 1 50 100 cm /X Do", "0.706 mm from")


# Keys and extras
# -----------------------------------------------------------------------------------------------------

PRINT = limits(allows=())


def _root_case(name: str, says: str, wrong: Callable[[Any], dict[str, Any]]) -> None:
    def build(right: bool) -> bytes:
        pdf = pikepdf.new()
        return finished(pdf, root={} if right else wrong(pdf))

    case("PF21", name, PRINT, says)(build)


SCRIPT = Dictionary(S=Name.JavaScript, JS=String("app.alert(1)"))
_root_case("a script on opening", "JavaScript", lambda _: {"/OpenAction": SCRIPT})
_root_case(
    "a script in a chain",
    "JavaScript",
    lambda _: {"/OpenAction": Dictionary(S=Name.GoTo, Next=Array([SCRIPT]))},
)
_root_case(
    "scripts by name",
    "JavaScript",
    lambda _: {"/Names": Dictionary(JavaScript=Dictionary(Names=Array(["a", SCRIPT])))},
)
_root_case(
    "a program to start",
    "action (Launch)",
    lambda _: {"/AA": Dictionary(WP=Dictionary(S=Name.Launch))},
)
_root_case("an XFA form", "XFA", lambda _: {"/AcroForm": Dictionary(XFA=String("x"))})
_root_case(
    "files",
    "embedded files",
    lambda _: {"/Names": Dictionary(EmbeddedFiles=Dictionary(Names=Array(["a", 1])))},
)
_root_case(
    "layers",
    "layers",
    lambda pdf: {
        "/OCProperties": Dictionary(OCGs=Array([pdf.make_indirect(Dictionary(Type=Name.OCG))]))
    },
)


case("PF21", "a note", PRINT, says="1 annotation (Text)")(
    lambda right: (
        made() if right else made(page={"/Annots": Array([Dictionary(Subtype=Name.Text)])})
    )
)
case("PF21", "a button with a script", PRINT, says="page 1: it holds JavaScript")(
    lambda right: (
        made()
        if right
        else made(page={"/Annots": Array([Dictionary(Subtype=Name.Link, A=SCRIPT)])})
    )
)
case("PF21", "a script of the page", PRINT, says="page 1: it holds JavaScript")(
    lambda right: made() if right else made(page={"/AA": Dictionary(O=SCRIPT)})
)


@case("PF22", "a JPEG in CMYK", INK, says="not measured")
def _(right: bool) -> bytes:
    pdf = pikepdf.new()
    picture = image(pdf, b"\0\0\0\0", 1, 1, Name.DeviceCMYK)
    if not right:
        picture.write(b"\xff\xd8\xff", filter=Name.DCTDecode)
    return finished(pdf, b"/I Do", {"/XObject": Dictionary(I=picture)}, compress_streams=False)


@pytest.mark.parametrize("each", CASES, ids=lambda each: f"{each.code} {each.name}")
def test_wrong_and_right(each: Case) -> None:
    problems = found(each.wrong(), each.limits)
    told = [problem for problem in problems if problem.code == each.code]
    assert told, f"{each.code} expected:\n{words(problems)}"
    assert each.says in words(told)
    assert (
        codes(problems) <= {each.code, "PF04"}
        if each.code == "PF03"
        else codes(problems) == {each.code}
    )
    right = found(each.right(), each.limits)
    assert each.code not in codes(right), words(right)
    assert right == ()


def test_every_code_has_a_case() -> None:
    """PF20 is told with files of our own (test_own_files.py), PF23 to PF26 with pictures
    (test_own_files.py)."""
    assert {each.code for each in CASES} == {code for code in known_codes() if code[:2] == "PF"} - {
        "PF20",
        "PF23",
        "PF24",
        "PF25",
        "PF26",
    }


def test_pages_with_the_same_problem_are_told_together() -> None:
    pdf = pikepdf.new()
    for wrong in (True, True, False, True):
        data = finished(pdf, (b"1 0 0 rg" if wrong else b"0 g") + SQUARE)
    (problem,) = found(data, PRESS)
    assert problem.message.startswith("pages 1-2, 4: DeviceRGB")


def test_what_is_inherited_from_the_tree_of_pages_counts() -> None:
    pages = "<</Type/Pages/Count 1/Kids[3 0 R]/MediaBox[0 0 200 300]/Resources<</ExtGState<</G<</ca .5>>>>>>>>"
    content = "<</Length 5>>stream\n/G gs\nendstream"
    data = raw(
        "<</Type/Catalog/Pages 2 0 R>>",
        pages,
        "<</Type/Page/Parent 2 0 R/Contents 4 0 R>>",
        content,
    )
    assert codes(found(data)) == set()
    assert codes(found(data, OPAQUE)) == {"PF16"}


def test_only_so_many_problems_are_told() -> None:
    pdf = pikepdf.new()
    contents = [
        pdf.make_stream(b"%.4f w 0 0 m 9 9 l S" % (0.01 + width / 5000)) for width in range(300)
    ]
    for content in contents:
        pdf.add_blank_page().obj.Contents = content
    problems = found(saved(pdf), VISIBLE)
    assert len(problems) == 201
    assert "100 more problems" in problems[-1].message
