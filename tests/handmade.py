"""A content stream and a few wishes in, the bytes of a PDF out: sound but for what a test asks to
be wrong."""

from __future__ import annotations

import io
import zlib
from collections.abc import Iterable
from typing import Any

import pikepdf
from pikepdf import Array, Dictionary, Name, Pdf, Stream

from platelayer.foundation.problems import Problem, Severity
from platelayer.model.options import Limits
from platelayer.preflight.inspect import inspect_pdf

PAGE = (0, 0, 200, 300)
BLEED = (20, 20, 180, 280)
TRIM = (30, 30, 170, 270)  # 10 pt = 3.5 mm of bleed

ANY = Limits(
    colours=("gray", "rgb", "cmyk", "lab", "spot"),
    allows=("annotations", "encryption", "files", "layers", "scripts", "transparency"),
)
"""Allows everything: what is found then is damage."""


def made(
    content: bytes = b"",
    resources: dict[str, Any] | None = None,
    *,
    page: dict[str, Any] | None = None,
    pages: int = 1,
    root: dict[str, Any] | None = None,
    **save: Any,
) -> bytes:
    """A PDF whose pages have this content; `page` and `root` add to, or with None take from, their
    dictionaries."""
    pdf = pikepdf.new()
    return finished(pdf, content, resources, page=page, pages=pages, root=root, **save)


def finished(
    pdf: Pdf,
    content: bytes = b"",
    resources: dict[str, Any] | None = None,
    *,
    page: dict[str, Any] | None = None,
    pages: int = 1,
    root: dict[str, Any] | None = None,
    **save: Any,
) -> bytes:
    """The same with a file that already holds objects."""
    for _ in range(pages):
        entries: dict[str, Any] = {
            "/Type": Name.Page,
            "/MediaBox": Array(PAGE),
            "/TrimBox": Array(TRIM),
            "/BleedBox": Array(BLEED),
            "/Resources": Dictionary(resources or {}),
            "/Contents": pdf.make_indirect(Stream(pdf, content)),
            **(page or {}),
        }
        kept = {key: value for key, value in entries.items() if value is not None}
        pdf.pages.append(pikepdf.Page(pdf.make_indirect(Dictionary(kept))))
    for key, value in (root or {}).items():
        pdf.Root[key] = value
    return saved(pdf, **save)


def saved(pdf: Pdf, **save: Any) -> bytes:
    """The bytes of a file, the same every time where it is not encrypted."""
    out = io.BytesIO()
    pdf.save(out, deterministic_id="encryption" not in save, **save)
    return out.getvalue()


def form(pdf: Pdf, content: bytes, resources: dict[str, Any] | None = None, **entries: Any) -> Any:
    """A form XObject."""
    stream = Stream(pdf, content)
    stream.Type, stream.Subtype, stream.BBox = (
        Name.XObject,
        Name.Form,
        Array([-1000, -1000, 1000, 1000]),
    )
    stream.Resources = Dictionary(resources or {})
    for key, value in entries.items():
        stream[f"/{key}"] = value
    return pdf.make_indirect(stream)


def image(pdf: Pdf, data: bytes, width: int, height: int, space: Any, **entries: Any) -> Any:
    """An image XObject of 8 bits."""
    stream = Stream(pdf, data)
    stream.Type, stream.Subtype, stream.Width, stream.Height = (
        Name.XObject,
        Name.Image,
        width,
        height,
    )
    stream.BitsPerComponent = 8
    if space is not None:
        stream.ColorSpace = space
    for key, value in entries.items():
        stream[f"/{key}"] = value
    return pdf.make_indirect(stream)


def font(pdf: Pdf, name: str = "ABCDEF+Sample", *, embedded: bool = True, width: int = 500) -> Any:
    """A TrueType font whose every glyph is `width` thousandths wide; its file is no font, which no
    check reads."""
    descriptor = Dictionary(Type=Name.FontDescriptor, FontName=Name(f"/{name}"), CapHeight=700)
    if embedded:
        descriptor.FontFile2 = pdf.make_indirect(Stream(pdf, b"glyphs"))
    return pdf.make_indirect(
        Dictionary(
            Type=Name.Font,
            Subtype=Name.TrueType,
            BaseFont=Name(f"/{name}"),
            FirstChar=0,
            LastChar=255,
            Widths=Array([width] * 256),
            FontDescriptor=pdf.make_indirect(descriptor),
        )
    )


def spot(name: str) -> Any:
    """A separation, or with more than one name (parted by "+") a space of several plates."""
    names = [Name(f"/{each}") for each in name.split("+")]
    tint = Dictionary(
        FunctionType=2, Domain=Array([0, 1]), C0=Array([0] * 4), C1=Array([0, 1, 0, 0]), N=1
    )
    if len(names) == 1:
        return Array([Name.Separation, names[0], Name.DeviceCMYK, tint])
    return Array([Name.DeviceN, Array(names), Name.DeviceCMYK, tint])


def icc(pdf: Pdf, components: int) -> Any:
    """A space with an ICC profile of so many components."""
    stream = Stream(pdf, b"profile")
    stream.N = components
    return Array([Name.ICCBased, pdf.make_indirect(stream)])


def codes(problems: Iterable[Problem]) -> set[str]:
    return {problem.code for problem in problems}


def words(problems: Iterable[Problem]) -> str:
    return "\n".join(map(str, problems))


def found(data: bytes, limits: Limits = ANY) -> tuple[Problem, ...]:
    """The problems of a PDF, each of which is one line with the name of the file."""
    problems = inspect_pdf(data, "it.pdf", limits)
    for problem in problems:
        assert problem.file == "it.pdf"
        assert str(problem).isprintable()
        assert len(problem.message) < 500
        assert problem.severity in Severity
    return problems


def raw(*objects: str | bytes, root: int = 1) -> bytes:
    """A PDF written by hand: objects from 1 on, with a cross-reference table that fits."""
    out = io.BytesIO()
    out.write(b"%PDF-1.6\n")
    places = []
    for number, each in enumerate(objects, start=1):
        places.append(out.tell())
        out.write(
            b"%d 0 obj\n%s\nendobj\n" % (number, each.encode() if isinstance(each, str) else each)
        )
    start = out.tell()
    out.write(b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1))
    out.write(b"".join(b"%010d 00000 n \n" % place for place in places))
    out.write(
        b"trailer\n<</Size %d/Root %d 0 R>>\nstartxref\n%d\n%%%%EOF\n"
        % (len(objects) + 1, root, start)
    )
    return out.getvalue()


def packed(data: bytes, entries: str = "", length: int | None = None) -> bytes:
    """A Flate stream as an object written by hand."""
    body = zlib.compress(data, 9)
    head = f"<</Filter/FlateDecode/Length {len(body) if length is None else length}{entries}>>"
    return head.encode() + b"stream\n" + body + b"\nendstream"


def everything(packed_objects: bool) -> bytes:
    """A small, sound file with a font, forms, patterns, images, spots, a layer and a note."""
    pdf = pikepdf.new()
    layer = pdf.make_indirect(Dictionary(Type=Name.OCG, Name=pikepdf.String("Layer")))
    fonts = Dictionary(F1=font(pdf))
    tint = Dictionary(
        FunctionType=2, Domain=Array([0, 1]), C0=Array([0] * 4), C1=Array([1, 1, 1, 1]), N=1
    )
    shading = Dictionary(
        ShadingType=2, ColorSpace=Name.DeviceCMYK, Coords=Array([0, 0, 9, 9]), Function=tint
    )
    inner = form(
        pdf,
        b"BT /F1 9 Tf 1 0 0 1 5 5 Tm (inner) Tj ET 1 0 0 RG 2 w 0 0 m 5 5 l S",
        {"/Font": fonts},
    )
    outer = form(pdf, b"q 2 0 0 2 9 9 cm /X2 Do Q", {"/XObject": Dictionary(X2=inner)}, OC=layer)
    pattern = form(
        pdf, b".5 g 0 0 4 4 re f", PatternType=1, PaintType=1, TilingType=1, XStep=4, YStep=4
    )
    picture = image(pdf, bytes(range(48)), 4, 4, Name.DeviceRGB)
    picture.SMask = image(pdf, bytes(16), 4, 4, Name.DeviceGray)
    glyph = pdf.make_indirect(Stream(pdf, b"500 0 d0 0 0 400 400 re f"))
    drawn = Dictionary(
        Type=Name.Font, Subtype=Name.Type3, FontMatrix=Array([0.001, 0, 0, 0.001, 0, 0])
    )
    drawn.CharProcs = Dictionary(a=glyph)
    resources = {
        "/Font": Dictionary(F1=fonts.F1, F2=drawn),
        "/XObject": Dictionary(X1=outer, I1=picture),
        "/Pattern": Dictionary(P1=pattern, P2=Dictionary(PatternType=2, Shading=shading)),
        "/Shading": Dictionary(Sh1=shading),
        "/ColorSpace": Dictionary(S1=spot("Gold"), S2=spot("Black+Gold"), S3=icc(pdf, 3)),
        "/ExtGState": Dictionary(G1=Dictionary(CA=0.5, ca=1, OP=True, LW=2, BM=Name.Multiply)),
        "/Properties": Dictionary(L1=layer),
    }
    content = b"""% the page
q 1 0 0 1 9 9 cm /X1 Do Q q /OC /L1 BDC /S1 CS 1 SCN /G1 gs 0 0 m 9 9 l S EMC Q
/S2 cs .5 .5 scn 0 0 9 9 re f /S3 cs 1 0 0 sc 0 0 9 9 re f* /Pattern cs /P1 scn 0 0 9 9 re f /P2 scn 0 0 9 9 re f
q 40 0 0 40 20 20 cm /I1 Do Q /Sh1 sh 1 .5 .5 .5 k BT /F1 10 Tf 1 0 0 1 60 60 Tm [(wo) -20 (rds)] TJ /F2 9 Tf (a) Tj ET
BI /W 2 /H 2 /CS /RGB /BPC 8 ID 0123456789ab EI
"""
    note = Dictionary(Subtype=Name.Stamp, F=4, Rect=Array([0, 0, 9, 9]), AP=Dictionary(N=inner))
    mode = pikepdf.ObjectStreamMode.generate if packed_objects else pikepdf.ObjectStreamMode.disable
    page = {"/Annots": Array([note])}
    root = {"/OCProperties": Dictionary(OCGs=Array([layer]), D=Dictionary())}
    return finished(
        pdf,
        content,
        resources,
        page=page,
        root=root,
        object_stream_mode=mode,
        compress_streams=packed_objects,
    )
