"""Hostile PDFs of less than a megabyte, by name: each asks for more memory or time than a print
needs."""

from __future__ import annotations

import io
import random
import struct
import zlib
from collections.abc import Callable
from functools import cache

import pikepdf

from handmade import packed, raw

Bomb = Callable[[], bytes]
BOMBS: dict[str, Bomb] = {}
LARGEST = 2**20

MB = 2**20
CATALOG, PAGES = "<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Count 1/Kids[3 0 R]>>"
PAGE = "<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 300]/TrimBox[9 9 190 290]/Contents 4 0 R/Resources 5 0 R>>"

# What the operators of a content stream may name; objects from 6 on.
RESOURCES = (
    "<</Font<</F1 6 0 R/F3 12 0 R>>/XObject<</X1 7 0 R/I1 8 0 R>>/ExtGState<</G1<</LW 2/CA .5/BM/Multiply>>>>"
    "/Pattern<</P1 9 0 R/P2<</PatternType 2/Shading 10 0 R>>>>/Shading<</Sh1 10 0 R>>"
    "/ColorSpace<</S1[/Separation/Gold/DeviceCMYK 11 0 R]/N8[/DeviceN[/A/B/C/D/E/F/G/H]/DeviceCMYK 11 0 R]>>"
    "/Properties<</L1<</Type/OCG/Name(Layer)>>>>>>"
)
THINGS: tuple[str | bytes, ...] = (
    "<</Type/Font/Subtype/TrueType/BaseFont/A/FirstChar 0/Widths[500 500]/FontDescriptor<</FontFile2 4 0 R>>>>",
    packed(b"1 w 0 0 m 9 9 l S", "/Type/XObject/Subtype/Form/BBox[0 0 9 9]"),
    packed(
        b"\0" * 12,
        "/Type/XObject/Subtype/Image/Width 2/Height 2/ColorSpace/DeviceRGB/BitsPerComponent 8",
    ),
    packed(
        b"0 0 9 9 re f",
        "/PatternType 1/PaintType 1/TilingType 1/BBox[0 0 9 9]/XStep 9/YStep 9/Resources<<>>",
    ),
    "<</ShadingType 2/ColorSpace/DeviceCMYK/Coords[0 0 9 9]/Function 11 0 R>>",
    "<</FunctionType 2/Domain[0 1]/C0[0 0 0 0]/C1[1 1 1 1]/N 1>>",
    "<</Type/Font/Subtype/Type3/FontMatrix[.001 0 0 .001 0 0]/CharProcs<</a 9 0 R>>>>",
)


def drawing(content: bytes, *more: str | bytes, resources: str = RESOURCES) -> bytes:
    """A page with this content, packed; further objects from 13 on."""
    return raw(CATALOG, PAGES, PAGE, packed(content), resources, *THINGS, *more)


def on_every_page(page: str, *objects: str | bytes, pages: str = "") -> bytes:
    """Two thousand pages with these entries beside their parent; `pages` are entries that they
    inherit, `objects` are 3 to 5."""
    kids = " ".join(f"{number} 0 R" for number in range(6, 2006))
    tree = f"<</Type/Pages/Count 2000{pages}/Kids[{kids}]>>"
    return raw(CATALOG, tree, *objects, *[f"<</Type/Page/Parent 2 0 R{page}>>"] * 2000)


def named(kind: str, pattern: str, numbers: range) -> str:
    """Resources of a kind, one for each number."""
    entries = "".join(pattern.replace("#", str(number)) for number in numbers)
    return f"<</{kind}<<{entries}>>>>"


def filled(unit: bytes, size: int) -> bytes:
    return unit * (size // len(unit))


def counted(pattern: str, size: int) -> bytes:
    """Numbered units, each another one, up to a size."""
    number = size // (len(pattern) + 6)
    return "".join(pattern.replace("#", str(1000 + each)) for each in range(number)).encode()


# Content streams
# ------------------------------------------------------------------------------------------------------

_REPEATED = {
    "paths": b"0 0 m ",
    "path and stroke": b"0 0 m S ",
    "names": b"/ ",
    "strings": b"()",
    "shown strings": b"()Tj ",
    "hexadecimal strings": b"<>",
    "open brackets": b"(",
    "open arrays": b"[ ",
    "open dictionaries": b"<<",
    "escapes": b"(\\(",
    "comments": b"%\n",
    "numbers": b"1 ",
    "digits": b"7",
    "letters": b"a",
    "nothing": b" ",
    "null bytes": b"\0",
    "braces": b"}",
    "strokes": b"S ",
    "fills": b"f\n",
    "saves": b"q ",
    "restores": b"Q ",
    "saves and restores": b"q Q ",
    "begun images": b"BI ",
    "images without end": b"BI ID ",
    "images": b"BI /W 1/H 1/CS/RGB ID x EI ",
    "text objects": b"BT ET ",
    "fonts": b"/F1 9 Tf ",
    "drawn fonts": b"/F3 9 Tf ",
    "forms": b"/X1 Do ",
    "pictures": b"/I1 Do ",
    "graphics states": b"/G1 gs ",
    "patterns": b"/Pattern cs /P1 scn ",
    "pattern after pattern": b"/P1 scn ",
    "shaded patterns": b"/P2 scn ",
    "shadings": b"/Sh1 sh ",
    "colour spaces": b"/S1 cs 1 scn ",
    "device colours": b"1 0 0 rg ",
    "plates": b"0 0 0 0 0 0 0 0 scn ",
    "matrices": b"1 0 0 1 1 1 cm ",
    "layers": b"/OC/L1 BDC EMC ",
    "opened layers": b"/OC/L1 BDC ",
    "wrong operands": b"x y rg ",
    "unknown operators": b"xyz ",
    "names that are nowhere": b"/Nowhere Do ",
    "text": b"1 0 0 1 9 9 Tm(ab)Tj ",
    "text in arrays": b"[(ab)-3(c)]TJ ",
    "lines of text": b"(ab)'",
    "spaced lines of text": b'1 2(ab)"',
    "exponents": b"1e9 w ",
    "dictionaries": b"/P<</A<</B[1(x)]>>>>BDC ",
    "true": b"true ",
}  # fmt: skip

_HEADS = {
    "pattern after pattern": b"/Pattern cs ",
    "shaded patterns": b"/Pattern cs ",
    "plates": b"/N8 cs ",
}
_SHOWN = b"BT /F1 9 Tf "


def _repeated(head: bytes, unit: bytes) -> Bomb:
    return lambda: drawing(head + filled(unit, 31 * MB))


for _name, _unit in _REPEATED.items():
    BOMBS[f"content of {_name}"] = _repeated(_HEADS.get(_name, _SHOWN), _unit)

_DIFFERENT = {
    "line widths": "# w S ",
    "matrices": "# 0 0 # 0 0 cm S ",
    "colours": ".# 0 .# rg f ",
    "tints": "/S1 cs .# scn f ",
    "text sizes": "/F1 # Tf(a)Tj ",
    "text places": "1 0 0 1 # # Tm(a)Tj ",
    "missing names": "/N# Do ",
    "unknown operators": "x# ",
    "placed forms": "1 0 0 1 # # cm /X1 Do ",
    "turned forms": "q 1 # # 1 0 0 cm /X1 Do Q ",
    "layers": "/OC/L# BDC EMC ",
    "inline pictures": "BI/W #/H 1/CS/RGB ID x EI ",
}


def _different(pattern: str) -> Bomb:
    return lambda: drawing(_SHOWN + counted(pattern, 3 * MB))


for _name, _pattern in _DIFFERENT.items():
    BOMBS[f"different {_name}"] = _different(_pattern)

BOMBS |= {
    "one number of 30 MB": lambda: drawing(filled(b"1", 30 * MB) + b" w S"),
    "one name of 30 MB": lambda: drawing(b"/" + filled(b"N", 30 * MB) + b" Do"),
    "one text of 30 MB": lambda: drawing(_SHOWN + b"<" + filled(b"41", 30 * MB) + b">Tj"),
    "one literal text of 30 MB": lambda: drawing(_SHOWN + b"(" + filled(b"a", 30 * MB) + b")Tj"),
    "one nested text of 30 MB": lambda: drawing(
        _SHOWN + filled(b"(", 15 * MB) + filled(b")", 15 * MB) + b"Tj"
    ),
    "one array of 30 MB": lambda: drawing(_SHOWN + b"[" + filled(b"<41>-5", 30 * MB) + b"]TJ"),
    "one array of literal texts": lambda: drawing(
        _SHOWN + b"[" + filled(b"(a)-5", 30 * MB) + b"]TJ"
    ),
    "one dictionary of 30 MB": lambda: drawing(b"/P<<" + filled(b"/A[1(x)]", 30 * MB) + b">>BDC"),
    "one comment of 30 MB": lambda: drawing(b"%" + filled(b"x", 30 * MB)),
    "one image of 30 MB": lambda: drawing(
        b"BI/W 1/H 1/CS/RGB ID " + filled(b" EI\x80", 30 * MB) + b" EI"
    ),
    "one image of many entries": lambda: drawing(b"BI" + filled(b"/W 1", 30 * MB) + b" ID x EI"),
    "numbers of 64 KB": lambda: drawing(filled(b"9" * 2**16 + b" w S ", 30 * MB)),
    "names of 64 KB": lambda: drawing(filled(b"/" + b"N" * 2**16 + b" Do ", 30 * MB)),
    "colours of 64 KB": lambda: drawing(filled(b"1 1 1" + b" " * 2**16 + b"rg ", 30 * MB)),
}


# Filters
# --------------------------------------------------------------------------------------------------------------


def with_filters(data: bytes, entries: str) -> bytes:
    return f"<</Length {len(data)}{entries}>>stream\n".encode() + data + b"\nendstream"


@cache
def _megabyte() -> bytes:
    """A megabyte of spaces, packed so that it may stand in a row of such."""
    pack = zlib.compressobj(9, wbits=-15)
    return pack.compress(b" " * MB) + pack.flush(zlib.Z_FULL_FLUSH)


def spaces(megabytes: int) -> bytes:
    """That many megabytes of spaces, packed, without taking as much memory for it."""
    check = 1
    for _ in range(megabytes):
        check = zlib.adler32(b" " * MB, check)
    return b"\x78\xda" + _megabyte() * megabytes + b"\x03\0" + check.to_bytes(4, "big")


def _content(stream: bytes, page: str = PAGE) -> bytes:
    return raw(CATALOG, PAGES, page, stream, RESOURCES, *THINGS)


def _lzw(size: int) -> bytes:
    """So many spaces and some more: each code stands for one more than the code before, until the
    table is cleared."""
    known = range(258, 4095)
    codes = ["000100000", *(f"{code:0{(code + 1).bit_length()}b}" for code in known), f"{256:012b}"]
    times = size // sum(code - 256 for code in known) + 1
    bits = f"{256:09b}" + "".join(codes) * times
    bits += "0" * (-len(bits) % 8)
    return int(bits, 2).to_bytes(len(bits) // 8, "big")


BOMBS |= {
    "content of 400 MB": lambda: _content(with_filters(spaces(400), "/Filter/FlateDecode")),
    "content packed twice": lambda: _content(
        with_filters(zlib.compress(spaces(400), 9), "/Filter[/FlateDecode/FlateDecode]")
    ),
    "content packed as LZW": lambda: _content(with_filters(_lzw(400 * MB), "/Filter/LZWDecode")),
    "content packed as run lengths": lambda: _content(
        with_filters(filled(b"\x81 ", 900_000) + b"\x80", "/Filter/RunLengthDecode")
    ),
    "content packed as run lengths twice": lambda: _content(
        with_filters(
            filled(b"\x81\x81\x81 ", 500_000) + b"\x80",
            "/Filter[/RunLengthDecode/RunLengthDecode/RunLengthDecode]",
        )
    ),
    "content packed in letters": lambda: _content(
        with_filters(b"z" * 900_000 + b"~>", "/Filter/ASCII85Decode")
    ),
    "content packed in packed letters": lambda: _content(
        with_filters(
            zlib.compress(b"z" * 30 * MB + b"~>", 9), "/Filter[/FlateDecode/ASCII85Decode]"
        )
    ),
    "content packed with a predictor": lambda: _content(
        with_filters(spaces(400), "/Filter/FlateDecode/DecodeParms<</Predictor 15/Columns 7>>")
    ),
    "content packed with a wide predictor": lambda: _content(
        with_filters(
            spaces(4),
            "/Filter/FlateDecode/DecodeParms<</Predictor 15/Colors 4/BitsPerComponent 16/Columns 260000000>>",
        )
    ),
    "content packed with a wide difference": lambda: _content(
        with_filters(
            spaces(4),
            "/Filter/FlateDecode/DecodeParms<</Predictor 2/Colors 4/BitsPerComponent 16/Columns 260000000>>",
        )
    ),
    "content with a hundred thousand filters": lambda: _content(
        with_filters(b"41>", f"/Filter[{'/ASCIIHexDecode' * 50_000}]")
    ),
    "content packed with what stands elsewhere": lambda: raw(
        CATALOG,
        PAGES,
        PAGE,
        with_filters(zlib.compress(spaces(400), 9), "/Filter 5 0 R"),
        "[/FlateDecode/Fl]",
    ),
    "content of many parts": lambda: raw(
        CATALOG,
        PAGES,
        PAGE.replace("/Contents 4 0 R", "/Contents[" + "4 0 R " * 150_000 + "]"),
        packed(b"q Q"),
        "<<>>",
    ),
    "many pages of many parts": lambda: on_every_page(
        "/MediaBox[0 0 200 300]/Contents 3 0 R",
        "[" + "4 0 R " * 120_000 + "]",
        packed(b"q Q"),
        "<<>>",
    ),
    "many pages of one content that does not unpack": lambda: on_every_page(
        "/MediaBox[0 0 200 300]/Contents 3 0 R",
        "[" + "4 0 R " * 10_000 + "]",
        with_filters(b"x" * 700_000, "/Filter/FlateDecode"),
        "<<>>",
    ),
    "two thousand pages of one content": lambda: on_every_page(
        "/MediaBox[0 0 200 300]/Contents 4 0 R",
        "<<>>",
        packed(filled(b"0 0 m 9 9 l S ", 15_000)),
        "<<>>",
        pages="/Resources 5 0 R",
    ),
}


# Files that pack their objects
# ----------------------------------------------------------------------------------------


def tight(
    objects: dict[int, bytes],
    plain: dict[int, bytes] | None = None,
    *,
    entries: str = "",
    filters: str = "",
) -> bytes:
    """A file whose objects lie in an object stream (object 300), except `plain` ones; `filters`:
    how it is packed (as is, when they say nothing). Objects 1 to 3 are the catalogue, the pages and
    one page."""
    numbers = sorted(objects)
    places, body = [], io.BytesIO()
    for number in numbers:
        places.append(f"{number} {body.tell()}")
        body.write(objects[number] + b"\n")
    head = " ".join(places).encode() + b"\n"
    data = head + body.getvalue()
    data = data if filters else zlib.compress(data, 9)
    box = f"<<{entries or '/Type/ObjStm'}/N {len(numbers)}/First {len(head)}{filters or '/Filter/FlateDecode'}"
    stream = f"{box}/Length {len(data)}>>stream\n".encode() + data + b"\nendstream"
    return woven(
        {number: (300, index) for index, number in enumerate(numbers)},
        {**(plain or {}), 300: stream},
    )


def woven(inside: dict[int, tuple[int, int]], plain: dict[int, bytes], entries: str = "") -> bytes:
    """A file with a cross-reference stream: some objects inside object streams, some plain."""
    out = io.BytesIO()
    out.write(b"%PDF-1.6\n")
    rows: dict[int, bytes] = {0: struct.pack(">BIH", 0, 0, 65535)}
    for number, text in plain.items():
        rows[number] = struct.pack(">BIH", 1, out.tell(), 0)
        out.write(b"%d 0 obj\n%s\nendobj\n" % (number, text))
    for number, (stream, index) in inside.items():
        rows[number] = struct.pack(">BIH", 2, stream, index)
    start = out.tell()
    rows[301] = struct.pack(">BIH", 1, start, 0)
    index = "".join(f"{number} 1 " for number in sorted(rows))
    data = b"".join(rows[number] for number in sorted(rows))
    head = f"<</Type/XRef/Size 302/W[1 4 2]/Index[{index}]/Root 1 0 R{entries}/Length {len(data)}>>"
    out.write(
        b"301 0 obj\n%sstream\n%s\nendstream\nendobj\nstartxref\n%d\n%%%%EOF\n"
        % (head.encode(), data, start)
    )
    return out.getvalue()


def catalogue(**more: bytes) -> dict[int, bytes]:
    extra = b"".join(b"/%s %s" % (key.encode(), value) for key, value in more.items())
    page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 300]/Contents 8 0 R/Resources 9 0 R>>"
    return {
        1: b"<</Type/Catalog/Pages 2 0 R" + extra + b">>",
        2: b"<</Type/Pages/Count 1/Kids[3 0 R]>>",
        3: page,
        9: b"<<>>",
    }


CONTENT = {8: packed(b"q Q")}


def _long_table(entries: str) -> bytes:
    """A cross-reference stream that unpacks into 200 MB."""
    data = spaces(200)
    head = f"<<{entries}/Size 30000000/W[1 4 2]/Root 1 0 R/Length {len(data)}>>stream\n".encode()
    out = raw(CATALOG, PAGES, PAGE, packed(b"q Q"), "<<>>").partition(b"xref\n")[0]
    return (
        out
        + b"6 0 obj\n"
        + head
        + data
        + b"\nendstream\nendobj\nstartxref\n%d\n%%%%EOF\n" % len(out)
    )


def _objects(unit: bytes, size: int = 30 * MB) -> Bomb:
    return lambda: tight(catalogue(X=b"7 0 R") | {7: b"[" + filled(unit, size) + b"]"}, CONTENT)


def padded(data: bytes) -> bytes:
    """The same file with much that nobody asks for behind it: it may pack more."""
    noise = random.Random(1).randbytes(LARGEST - len(data) - 100)
    return data.replace(b"%%EOF", b"%" + noise.replace(b"\n", b"").replace(b"\r", b"") + b"\n%%EOF")


BOMBS |= {
    "object stream of numbers": _objects(b"0 "),
    "object stream of arrays": _objects(b"[]"),
    "object stream of names": _objects(b"/ "),
    "object stream of dictionaries": _objects(b"<<>>"),
    "object stream of references": _objects(b"3 0 R "),
    "object stream of strings": _objects(b"()"),
    "as many packed numbers as may be": lambda: padded(_objects(b"0 ", 2_700_000)()),
    "as many packed arrays as may be": lambda: padded(_objects(b"[]", 2_700_000)()),
    "as many packed references as may be": lambda: padded(_objects(b"9 0 R ", 2_700_000)()),
    "as many packed pages as may be": lambda: padded(
        tight(
            catalogue() | {2: b"<</Type/Pages/Count 9/Kids[" + b"3 0 R " * 450_000 + b"]>>"},
            CONTENT,
        )
    ),
    "as many packed kids as may be": lambda: padded(
        tight(
            catalogue() | {2: b"<</Type/Pages/Count 9/Kids[" + b"0 " * 1_300_000 + b"]>>"}, CONTENT
        )
    ),
    "as many packed notes as may be": lambda: padded(
        tight(
            catalogue()
            | {3: PAGE.replace("/Contents", "/Annots[" + "<<>>" * 600_000 + "]/Contents").encode()},
            CONTENT,
        )
    ),
    "object stream of spaces": lambda: tight(catalogue() | {7: b" " * 60 * MB + b"1"}, CONTENT),
    "object stream without its type": lambda: tight(
        catalogue() | {7: b" " * 60 * MB + b"1"}, CONTENT, entries="/X 1"
    ),
    "object stream in other words": lambda: tight(
        catalogue() | {7: b" " * 60 * MB + b"1"}, CONTENT, entries="/#54ype/Obj#53tm"
    ),
    "object stream behind a long comment": lambda: tight(
        catalogue() | {7: b" " * 60 * MB + b"1"},
        CONTENT,
        entries="/Type/ObjStm%" + "x" * 9000 + "\n",
    ),
    "object stream packed with what stands elsewhere": lambda: tight(
        catalogue() | {7: zlib.compress(spaces(60), 9)},
        CONTENT | {5: b"[/FlateDecode/FlateDecode]"},
        filters="/Filter 5 0 R",
    ),
    "cross references of 200 MB": lambda: _long_table("/Type/XRef/Filter/FlateDecode"),
    "cross references in other words": lambda: _long_table("/Type/XR#65f/#46ilter/FlateDecode"),
    "cross references without a type": lambda: _long_table("/Filter/FlateDecode"),
    "cross references with a predictor": lambda: _long_table(
        "/Type/XRef/Filter/FlateDecode/DecodeParms<</Predictor 12/Columns 7>>"
    ),
    "many object streams": lambda: woven(
        {1: (10, 0), **{number: (number + 100, 0) for number in range(20, 100)}},
        {
            10: with_filters(
                zlib.compress(b"1 0 <</Type/Catalog/Pages 2 0 R>>"),
                "/Type/ObjStm/N 1/First 4/Filter/FlateDecode",
            ),
            2: b"<</Type/Pages/Count 1/Kids[3 0 R]>>",
            3: b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Annots["
            + b" ".join(b"%d 0 R" % number for number in range(20, 100))
            + b"]>>",
            **{
                number + 100: with_filters(
                    zlib.compress(b"%d 0 [%s]" % (number, b"0 " * MB), 9),
                    f"/Type/ObjStm/N 1/First {len(str(number)) + 3}/Filter/FlateDecode",
                )
                for number in range(20, 100)
            },
        },
    ),
}


def _encrypted() -> bytes:
    pdf = pikepdf.new()
    pdf.add_blank_page()
    pdf.Root.X = pdf.make_indirect(pikepdf.Array([0] * MB))
    out = io.BytesIO()
    pdf.save(
        out,
        encryption=pikepdf.Encryption(owner="x", user=""),
        object_stream_mode=pikepdf.ObjectStreamMode.generate,
    )
    return out.getvalue()


BOMBS["encrypted object stream"] = _encrypted


# Pages
# ----------------------------------------------------------------------------------------------------------------


def _kids(kids: str, *more: str | bytes) -> bytes:
    return raw(
        CATALOG, f"<</Type/Pages/Count 1/Kids[{kids}]>>", PAGE, packed(b"q Q"), "<<>>", *more
    )


def _parents(count: int) -> bytes:
    chain = [f"<</Type/Pages/Parent {number + 1} 0 R>>" for number in range(6, 6 + count)]
    page = "<</Type/Page/Parent 6 0 R/Contents 4 0 R>>"
    return raw(CATALOG, PAGES, page, packed(b"q Q"), "<<>>", *chain)


BOMBS |= {
    "pages that bite their tail": lambda: _kids("2 0 R"),
    "a hundred and fifty thousand times the same page": lambda: _kids("3 0 R " * 150_000),
    "half a million packed pages": lambda: tight(
        catalogue() | {2: b"<</Type/Pages/Count 500000/Kids[" + b"3 0 R " * 500_000 + b"]>>"},
        CONTENT,
    ),
    "half a million pages written in place": lambda: tight(
        catalogue() | {2: b"<</Type/Pages/Count 500000/Kids[" + b"<<>>" * 500_000 + b"]>>"}, CONTENT
    ),
    "a million kids that are no pages": lambda: tight(
        catalogue() | {2: b"<</Type/Pages/Count 9/Kids[" + b"0 " * 1_400_000 + b"]>>"}, CONTENT
    ),
    "pages of pages of pages": lambda: raw(
        CATALOG,
        *(f"<</Type/Pages/Count 1/Kids[{number + 3} 0 R]>>" for number in range(12_000)),
        PAGE,
    ),
    "pages by powers of two": lambda: raw(
        CATALOG,
        *(f"<</Type/Pages/Count 1/Kids[{n + 3} 0 R {n + 3} 0 R]>>" for n in range(60)),
        PAGE,
    ),
    "parents without end": lambda: _parents(12_000),
    "arrays in arrays": lambda: drawing(
        b"/S9 cs", resources=f"<</ColorSpace<</S9 {'[' * 200_000}{']' * 200_000}>>>>"
    ),
    "dictionaries in dictionaries": lambda: drawing(
        b"q", resources="<</A" * 100_000 + " 1" + ">>" * 100_000
    ),
    "packed arrays in arrays": lambda: tight(
        catalogue(X=b"7 0 R") | {7: b"[" * 2 * MB + b"]" * 2 * MB}, CONTENT
    ),
}

# Fonts, colours, functions
# --------------------------------------------------------------------------------------------

_CID = "<</Type/Font/Subtype/Type0/BaseFont/A/DescendantFonts[<</Subtype/CIDFontType2/W {}>>]>>"
_TEXT = b"BT /F1 9 Tf<0001>Tj"


def _font(font: str, *more: str | bytes, text: bytes = _TEXT) -> bytes:
    return drawing(text, font, *more, resources="<</Font<</F1 13 0 R>>>>")


BOMBS |= {
    "widths of the same seventy thousand glyphs": lambda: _font(
        _CID.format("[" + "0 69000 500 " * 70_000 + "]")
    ),
    "widths far below nothing": lambda: _font(
        _CID.format("[" + "-2000000000 2000000000 500 " * 30_000 + "]")
    ),
    "widths of one glyph, often": lambda: _font(_CID.format("[" + "0 [1]" * 150_000 + "]")),
    "widths of a glyph, listed elsewhere": lambda: _font(
        _CID.format("[" + "0 14 0 R " * 40_000 + "]"), "[" + "1 " * 200_000 + "]"
    ),
    "a font of a hundred thousand drawings": lambda: _font(
        "<</Type/Font/Subtype/Type3/FontMatrix[1 0 0 1 0 0]/CharProcs<<"
        + "".join(f"/g{number} 9 0 R" for number in range(60_000))
        + ">>>>"
    ),
    "fonts named a hundred thousand ways": lambda: drawing(
        "".join(f"/F{number} 1 Tf()Tj " for number in range(100_000)).encode(),
        resources=named("Font", "/F# 6 0 R", range(60_000)),
    ),
    "fonts of many widths, on every page": lambda: on_every_page(
        "/MediaBox[0 0 200 300]/TrimBox[9 9 99 99]/Contents 4 0 R",
        "[" + "0 1 " * 60_000 + "]",
        packed(_TEXT),
        "<</Font<</F1 " + _CID.format("3 0 R") + ">>>>",
        pages="/Resources 5 0 R",
    ),
    "a function of itself": lambda: drawing(
        b"/Sh9 sh ",
        "<</ShadingType 2/ColorSpace/DeviceGray/Function 14 0 R>>",
        "<</FunctionType 3/C0[0]/Functions[" + "14 0 R " * 20 + "]>>",
        resources="<</Shading<</Sh9 13 0 R>>>>",
    ),
    "many functions, shaded often": lambda: drawing(
        filled(b"/Sh9 sh ", MB),
        "<</ShadingType 2/ColorSpace/DeviceGray/Function[" + "11 0 R " * 100_000 + "]>>",
        resources="<</Shading<</Sh9 13 0 R>>>>",
    ),
    "inks of long names": lambda: drawing(
        filled(b"/S9 cs /Sh9 sh ", MB),
        "<</ShadingType 2/ColorSpace 14 0 R/Function 11 0 R>>",
        f"[/DeviceN[/{'N' * 400_000}/{'M' * 400_000}]/DeviceCMYK 11 0 R]",
        resources="<</Shading<</Sh9 13 0 R>>/ColorSpace<</S9 14 0 R>>>>",
    ),
    "spaces of an ink of a long name": lambda: drawing(
        "".join(f"/S{number} cs " for number in range(20_000)).encode(),
        "/" + "N" * 300_000,
        resources=named("ColorSpace", "/S#[/Separation 13 0 R/DeviceCMYK 11 0 R]", range(12_000)),
    ),
    "spaces with one large table": lambda: drawing(
        "".join(f"/S{number} cs " for number in range(20_000)).encode(),
        "(" + "x" * 300_000 + ")",
        resources=named("ColorSpace", "/S#[/Indexed/DeviceCMYK 255 13 0 R]", range(14_000)),
    ),
    "a space of a million parts": lambda: tight(
        {
            **catalogue(),
            9: b"<</ColorSpace<</S1 7 0 R>>>>",
            7: b"[/Indexed/DeviceRGB 1 (x)" + b"0 " * 1_400_000 + b"]",
        },
        {8: packed(filled(b"/S1 cs ", MB))},
    ),
    "many pictures that are bombs": lambda: drawing(
        "".join(f"/I{number} Do " for number in range(13, 33)).encode(),
        *[
            with_filters(
                spaces(30),
                "/Filter/FlateDecode/Subtype/Image/Width 2000/Height 2000/ColorSpace/DeviceCMYK/BitsPerComponent 8",
            )
        ]
        * 20,
        resources=named("XObject", "/I# # 0 R", range(13, 33)),
    ),
    "two pictures, one byte too large": lambda: drawing(
        b"/I13 Do /I14 Do /I15 Do",
        *[
            with_filters(
                spaces(size),
                "/Filter/FlateDecode/Subtype/Image/Width 2000/Height 2000/ColorSpace/DeviceCMYK/BitsPerComponent 8",
            )
            for size in (64, 300, 300)
        ],
        resources="<</XObject<</I13 13 0 R/I14 14 0 R/I15 15 0 R>>>>",
    ),
    "pictures of four million dots": lambda: drawing(
        b"/I13 Do /I14 Do",
        *[
            with_filters(
                spaces(15),
                "/Filter/FlateDecode/Subtype/Image/Width 2000/Height 1900/ColorSpace/DeviceCMYK/BitsPerComponent 8"
                "/Decode[1 0 1 0 1 0 1 0]",
            )
        ]
        * 2,
        resources="<</XObject<</I13 13 0 R/I14 14 0 R>>>>",
    ),
    "a picture packed with a predictor": lambda: drawing(
        b"/I13 Do",
        with_filters(
            spaces(400),
            "/Filter/FlateDecode/DecodeParms<</Predictor 15/Columns 2000/Colors 4>>"
            "/Subtype/Image/Width 2000/Height 1900/ColorSpace/DeviceCMYK/BitsPerComponent 8",
        ),
        resources="<</XObject<</I13 13 0 R>>>>",
    ),
}

# Forms
# ----------------------------------------------------------------------------------------------------------------


def _nested(inner: bytes, outer: bytes, depth: int) -> bytes:
    """Forms within forms; each places the next as `outer` says."""
    entries = "/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</X {} 0 R>>/Font<</F1 6 0 R>>>>"
    forms = [packed(outer, entries.format(14 + level)) for level in range(depth)]
    forms.append(packed(inner, entries.format(7)))
    return drawing(outer, *forms, resources="<</XObject<</X 13 0 R>>>>")


_TWICE = b"q 1 .1 0 1 0 0 cm /X Do Q q 1 0 .1 1 0 0 cm /X Do Q "

BOMBS |= {
    "forms by powers of two": lambda: _nested(b"S", _TWICE, 38),
    "texts by powers of two": lambda: _nested(b"BT /F1 9 Tf(a)Tj", _TWICE, 38),
    "faults by powers of two": lambda: _nested(counted("x# ", MB), _TWICE, 38),
    "faults in many places": lambda: _nested(
        counted("x# ", MB), counted("1 0 0 1 # 0 cm /X Do ", MB), 2
    ),
    "forms too deep": lambda: _nested(b"S", _TWICE, 2000),
    "a form of itself": lambda: drawing(
        b"/X Do",
        packed(filled(b"/X Do ", MB), "/Subtype/Form/Resources<</XObject<</X 13 0 R>>>>"),
        resources="<</XObject<</X 13 0 R>>>>",
    ),
    "forms of forms of the whole budget": lambda: _nested(b"S", _TWICE + b" " * 31 * MB, 8),
    "twenty thousand forms": lambda: drawing(
        "".join(f"/X{number} Do " for number in range(13, 8013)).encode(),
        *[packed(b"f", "/Subtype/Form")] * 8000,
        resources=named("XObject", "/X# # 0 R", range(13, 8013)),
    ),
}

# What is beside the pages
# ---------------------------------------------------------------------------------------------

_NINES = "9" * 300_000 + ".5"
_LONG_NAME = "/" + "N" * 300_000


def _notes(notes: str, *more: str | bytes) -> bytes:
    page = PAGE.replace("/Contents", f"/Annots[{notes}]/Contents")
    return raw(CATALOG, PAGES, page, packed(b"q Q"), RESOURCES, *THINGS, *more)


def _rooted(entries: str, *more: str | bytes) -> bytes:
    """Objects from 13 on under keys of the catalogue."""
    return raw(
        f"<</Type/Catalog/Pages 2 0 R{entries}>>",
        PAGES,
        PAGE,
        packed(b"q Q"),
        RESOURCES,
        *THINGS,
        *more,
    )


def _packet(text: str) -> bytes:
    return _rooted(
        "/Metadata 13 0 R/OutputIntents[<</S/GTS_PDFX/OutputConditionIdentifier(x)>>]",
        packed(text.encode(), "/Type/Metadata/Subtype/XML"),
    )


BOMBS |= {
    "many notes": lambda: _notes("<<>>" * 200_000),
    "the same note many times": lambda: _notes(
        "13 0 R " * 140_000, "<</Subtype/Stamp/F 4/AP<</N 7 0 R>>>>"
    ),
    "the same notes on every page": lambda: on_every_page(
        "/MediaBox[0 0 200 300]/Annots 3 0 R",
        "[" + "4 0 R " * 120_000 + "]",
        "<</Subtype/Stamp/A<</S/JavaScript>>>>",
        "<<>>",
    ),
    "notes of a long number": lambda: _notes("<</F 13 0 R>>" * 40_000, _NINES),
    "notes of a long name": lambda: _notes("<</Subtype 13 0 R>>" * 35_000, _LONG_NAME),
    "notes of an action of a long number": lambda: _notes("<</A<</S 13 0 R>>>>" * 35_000, _NINES),
    "notes of long numbers": lambda: _notes("13 0 R " * 90_000, _NINES),
    "notes of chains of actions": lambda: _notes(
        "<</A 13 0 R>>" * 50_000, "<</S/JavaScript/Next[" + "13 0 R " * 60 + "]>>"
    ),
    "a note of many actions": lambda: _notes(
        "<</AA<<" + "".join(f"/A{number} 13 0 R" for number in range(60_000)) + ">>>>",
        "<</S/JavaScript/Next 13 0 R>>",
    ),
    "actions of all names": lambda: _notes(counted("<</A<</S/A#>>>>", MB - 200_000).decode()),
    "notes of all kinds": lambda: _notes(counted("<</Subtype/A#>>", MB - 200_000).decode()),
    "boxes of long numbers": lambda: on_every_page(
        "/TrimBox 3 0 R/BleedBox 3 0 R/CropBox 3 0 R",
        "[4 0 R 4 0 R 4 0 R 4 0 R]",
        _NINES,
        "<<>>",
        pages="/MediaBox 3 0 R",
    ),
    "operators and long numbers": lambda: drawing(
        filled(b"/G9 gs ", MB), _NINES, resources="<</ExtGState<</G9<</LW 13 0 R>>>>>>"
    ),
    "layers of layers": lambda: drawing(
        "".join(f"/OC/L{number} BDC EMC " for number in range(10_000)).encode(),
        "[" + "14 0 R " * 50_000 + "]",
        "<</Name(" + "x" * 200_000 + ")>>",
        resources=named("Properties", "/L#<</Type/OCMD/OCGs 13 0 R>>", range(7000)),
    ),
    "blending in a million ways": lambda: drawing(
        "".join(f"/G{number} gs " for number in range(10_000)).encode(),
        "[" + "/A" * 200_000 + "]",
        resources=named("ExtGState", "/G#<</BM 13 0 R>>", range(10_000)),
    ),
    "graphics states of all names": lambda: drawing(
        "".join(f"/G{number} gs f " for number in range(20_000)).encode(),
        resources=named("ExtGState", "/G#<</BM/B#>>", range(20_000)),
    ),
    "a tree of names without end": lambda: _rooted(
        "/Names<</JavaScript 13 0 R/EmbeddedFiles 13 0 R>>",
        "<</Kids[" + "13 0 R " * 140_000 + "]>>",
    ),
    "many layers": lambda: _rooted("/OCProperties<</OCGs[" + "13 0 R " * 140_000 + "]>>", "<<>>"),
    "many intents": lambda: _rooted(
        "/OutputIntents[" + "13 0 R " * 140_000 + "]", "<</S/GTS_PDFX>>"
    ),
    "a profile of 400 MB": lambda: _rooted(
        "/OutputIntents[<</S/GTS_PDFX/OutputConditionIdentifier(x)/DestOutputProfile 13 0 R>>]",
        with_filters(spaces(400), "/N 4/Filter/FlateDecode"),
    ),
    "a packet of 400 MB": lambda: _rooted(
        "/Metadata 13 0 R", with_filters(spaces(400), "/Filter/FlateDecode")
    ),
    "a packet of spaces": lambda: _packet("<x:CreateDate>" + " " * 4 * MB),
    "a packet of properties of spaces": lambda: _packet(("<x:CreateDate>" + " " * 2000) * 2000),
    "a packet of letters": lambda: _packet("a" * 4 * MB),
    "a packet of open marks": lambda: _packet("<x:CreateDate " * 300_000),
    "a packet of closed marks": lambda: _packet("<x:CreateDate>" * 300_000),
    "a packet of lists": lambda: _packet("<x:CreateDate>" + "<rdf:Seq>" * 400_000),
    "a packet of lists of lists": lambda: _packet("<x:CreateDate><rdf:Seq> <rdf:li " * 120_000),
    "a packet of equals signs": lambda: _packet("x:CreateDate= " * 300_000),
    "a packet of quotes": lambda: _packet("x:CreateDate='" * 300_000),
    "a packet of equals and spaces": lambda: _packet("x:CreateDate" + " " * 4 * MB),
    "a long title": lambda: raw(CATALOG, PAGES, PAGE, packed(b"q"), "<<>>").replace(
        b"/Root 1 0 R",
        b"/Root 1 0 R/Info<</Title(" + b"x" * 900_000 + b")/Trapped/" + b"T" * 9000 + b">>",
    ),
}

# Files that are damaged
# -----------------------------------------------------------------------------------------------


def _torn(unit: bytes, size: int = 900_000) -> Bomb:
    return lambda: (
        b"%PDF-1.6\n" + filled(unit, size) + b"trailer<</Root 1 0 R>>\nstartxref\n9\n%%EOF"
    )


_TORN = {
    "objects": b"1 0 obj\n",
    "objects and ends": b"1 0 obj<<>>endobj\n",
    "different objects": counted("# 0 obj<</Type/Page>>endobj\n", 900_000),
    "ends": b"endobj\n",
    "trailers": b"trailer<<>>\n",
    "trailers of a root": b"trailer<</Root 1 0 R>>\n",
    "tables": b"xref\n",
    "tables of many": b"xref\n0 99999999\n",
    "starts": b"startxref\n0\n",
    "streams": b"stream\n",
    "object streams": b"1 0 obj<</Type/ObjStm/N 1/First 1>>stream\n",
    "object streams of nothing": b"/ObjStm ",
    "streams of a length": b"1 0 obj<</Length 800000>>stream\n",
    "lines": b"\n",
    "returns": b"\r",
    "numbers": b"1 ",
    "digits": b"1",
    "arrays": b"[",
    "dictionaries": b"<<",
    "strings": b"(",
    "hexadecimal strings": b"<",
    "catalogues": b"1 0 obj<</Type/Catalog/Pages 1 0 R>>endobj\n",
    "heads": b"%PDF-1.6\n",
    "ends of files": b"%%EOF\n",
}
for _name, _unit in _TORN.items():
    BOMBS[f"torn file of {_name}"] = _torn(_unit)


def _tables(count: int) -> bytes:
    """Tables of cross references, each naming the one before."""
    out = io.BytesIO(raw(CATALOG, PAGES, PAGE, packed(b"q"), "<<>>").partition(b"xref\n")[0])
    out.seek(0, 2)
    before = 0
    for _ in range(count):
        at = out.tell()
        prev = f"/Prev {before}" if before else ""
        out.write(f"xref\n0 1\n0000000000 65535 f \ntrailer<</Size 9/Root 1 0 R{prev}>>\n".encode())
        before = at
    out.write(b"startxref\n%d\n%%%%EOF\n" % before)
    return out.getvalue()


BOMBS |= {
    "objects of many faults": lambda: _notes(
        "".join(f"{number} 0 R " for number in range(13, 12_000)), *["<<1 2 3 4 5>>"] * 12_000
    ),
    "one array of many faults": lambda: _notes("} { ) " * 140_000),
    "tables before tables": lambda: _tables(10_000),
    "a table before itself": lambda: (
        data := raw(CATALOG, PAGES, PAGE, packed(b"q"), "<<>>")
    ).replace(b"/Root 1 0 R", b"/Root 1 0 R/Prev %d" % data.rindex(b"xref\n0")),
    "a table of two billion": lambda: raw(CATALOG, PAGES, PAGE, packed(b"q"), "<<>>").replace(
        b"xref\n0 6", b"xref\n0 2000000000"
    ),
    "a size of two billion": lambda: raw(CATALOG, PAGES, PAGE, packed(b"q"), "<<>>").replace(
        b"/Size 6", b"/Size 2000000000"
    ),
    "an index of two billion": lambda: woven({}, {1: CATALOG.encode()}).replace(
        b"/Index[", b"/Index[0 2000000000 "
    ),
    "fields without width": lambda: woven({}, {1: CATALOG.encode()}).replace(
        b"/W[1 4 2]", b"/W[0 0 0]/Index[0 2000000000]"
    ),
}
