"""PDF files: each placed scene is written once as a form XObject, and fonts are embedded as
subsets."""

from __future__ import annotations

import os
import re
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache, lru_cache
from hashlib import sha256
from html import escape
from itertools import groupby
from struct import pack_into
from types import MappingProxyType
from typing import Any, Literal, cast

from reportlab.pdfbase.pdfdoc import (
    PDFArray,
    PDFDictionary,
    PDFDocument,
    PDFInfo,
    PDFName,
    PDFObjectReference,
    PDFPage,
    PDFStream,
    PDFString,
)
from reportlab.pdfbase.ttfonts import FF_NONSYMBOLIC, FF_SYMBOLIC, TTFontFace

from platelayer.foundation.geometry import PT_PER_MM, pt_from_mm
from platelayer.foundation.pixels import Pixels, colours_of, mask_of, opacity_of
from platelayer.foundation.resources import asset_bytes
from platelayer.imposition.paper import Box, Document, Page
from platelayer.render.content import (
    ColourMode,
    Content,
    ContentStream,
    Parts,
    Separations,
    deflated,
    font_name,
    plane_of,
)
from platelayer.render.scenes import enriched, greyed, least_scales, placed_scenes, used_scenes
from platelayer.scene.fonts import face
from platelayer.scene.legibility import overprinting
from platelayer.scene.paths import number, numbers
from platelayer.scene.press import PRESSES, inks_of_pixels, press_at_hand
from platelayer.scene.shapes import Scene, TextRun

# PDF/X for print shops: output intent with profile, XMP, and the declared version.
# PDF/X-4 is ISO 15930-7:2010, PDF/X-1a:2003 is ISO 15930-4. The painter never writes what both
# forbid (RGB, transparency, fonts that are not embedded). It refuses layers for PDF/X-1a, because
# only PDF/X-4 allows them.


Standard = Literal["PDF/X-4", "PDF/X-1a:2003"]
# PDF version of the files of each standard.
VERSIONS: dict[Standard, tuple[int, int]] = {"PDF/X-4": (1, 6), "PDF/X-1a:2003": (1, 4)}

# Output conditions of the presses, as in the ICC's registry. The licences of their profiles are
# next to them in assets/icc.
_CONDITIONS = {
    "coated": {
        "OutputConditionIdentifier": "FOGRA39",
        "OutputCondition": "Offset printing on coated paper, ISO 12647-2:2004/Amd 1",
        "RegistryName": "http://www.color.org",
        "Info": "ISO Coated v2 300% (basICColor)",
    },
    "uncoated": {
        "OutputConditionIdentifier": "FOGRA47",
        "OutputCondition": "Offset printing on uncoated white paper, ISO 12647-2:2004/Amd 1",
        "RegistryName": "http://www.color.org",
        "Info": "FOGRA47L uncoated, made for Platelayer from Fogra's characterization data",
    },
    "gracol": {
        "OutputConditionIdentifier": "CGATS TR 006",
        "OutputCondition": "GRACoL 2006: sheetfed offset printing on coated paper, ANSI CGATS/GRACoL TR 006-2007",
        "RegistryName": "http://www.color.org",
        "Info": "GRACoL 2006 coated (CGATS TR 006), made for Platelayer",
    },
}
_NAMESPACES = {
    "dc": "http://purl.org/dc/elements/1.1/",
    "xmp": "http://ns.adobe.com/xap/1.0/",
    "xmpMM": "http://ns.adobe.com/xap/1.0/mm/",
    "pdf": "http://ns.adobe.com/pdf/1.3/",
    "pdfxid": "http://www.npes.org/pdfx/ns/id/",
}
_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


class PdfxInfo(PDFInfo):  # type: ignore[misc]
    """The Info dictionary with the version of PDF/X, where PDF/X-1a expects it."""

    release: str | None = None

    def format(self, document: Any) -> Any:
        """Return the dictionary's bytes."""
        dictionary: bytes = super().format(document)
        if self.release is None:
            return dictionary
        return dictionary.replace(b"<<", b"<< /GTS_PDFXVersion (" + self.release.encode() + b")", 1)


def make_pdfx(pdf: Any, standard: Standard) -> None:
    """Turn a reportlab document, painted in CMYK and otherwise complete, into PDF/X. Its catalogue
    must accept OutputIntents, and its Info must be a PdfxInfo. Raises ValueError for layers in
    PDF/X-1a."""
    if standard != "PDF/X-4":
        if pdf.Catalog.OCProperties is not None:
            raise ValueError(f"{standard} has no layers")
        pdf.info.release = standard
    intent = {key: PDFString(value) for key, value in _CONDITIONS[press_at_hand()].items()}
    packed = PDFDictionary({"N": 4, "Filter": "/FlateDecode"})
    profile = PDFStream(packed, _deflated_profile(PRESSES[press_at_hand()]))
    keys = {"Type": "/OutputIntent", "S": "/GTS_PDFX", "DestOutputProfile": profile, **intent}
    pdf.Catalog.OutputIntents = PDFArray([PDFDictionary(keys)])
    # Never compress the metadata, so that programs without a PDF parser can find it.
    about = PDFDictionary({"Type": "/Metadata", "Subtype": "/XML"})
    pdf.Catalog.Metadata = PDFStream(about, _xmp(pdf, standard))


@cache
def _deflated_profile(name: str) -> bytes:
    """Return a profile, compressed once per process. Levels above the fastest save only another
    fiftieth."""
    return zlib.compress(asset_bytes("icc", f"{name}.icc"), 1)


def _xmp(pdf: Any, standard: Standard) -> bytes:
    """Return the Info dictionary as XMP, with the same words and the same second, and with what
    only XMP can say."""
    info, year_to_second = pdf.info, pdf._timeStamp.YMDhms
    date = "{:04}-{:02}-{:02}T{:02}:{:02}:{:02}+00:00".format(*year_to_second)
    digits = pdf.signature.hexdigest()
    uuid = "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))
    properties = {
        "dc:format": "application/pdf",
        "dc:title": _list("Alt", info.title),
        "dc:creator": _list("Seq", info.author),
        "dc:description": _list("Alt", info.subject),
        "xmp:CreateDate": date,
        "xmp:ModifyDate": date,
        "xmp:MetadataDate": date,
        "xmp:CreatorTool": _text(info.creator),
        "xmpMM:DocumentID": f"uuid:{uuid}",
        "xmpMM:VersionID": "1",
        "xmpMM:RenditionClass": "default",
        "pdf:Producer": _text(info.producer),
        "pdf:Keywords": _text(info.keywords),
        "pdf:Trapped": str(info.trapped),
    }
    if standard == "PDF/X-4":
        properties["pdfxid:GTS_PDFXVersion"] = standard
    spaces = " ".join(f'xmlns:{prefix}="{address}"' for prefix, address in _NAMESPACES.items())
    lines = [
        '<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>',
        '<x:xmpmeta xmlns:x="adobe:ns:meta/">',
        '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">',
        f'<rdf:Description rdf:about="" {spaces}>',
        *(f"<{name}>{value}</{name}>" for name, value in properties.items()),
        "</rdf:Description>",
        "</rdf:RDF>",
        "</x:xmpmeta>",
        '<?xpacket end="r"?>',
        "",
    ]
    return "\n".join(lines).encode()


def _text(words: str) -> str:
    return escape(_NOT_XML.sub("\ufffd", words))


def _list(kind: str, words: str) -> str:
    """Return one value where XMP requires a list: of languages (Alt) or in order (Seq)."""
    language = ' xml:lang="x-default"' if kind == "Alt" else ""
    return f"<rdf:{kind}><rdf:li{language}>{_text(words)}</rdf:li></rdf:{kind}>"


# Maximum distance beyond its bleed that a placed scene may paint, such as half of a wide stroke
# along its edge.
_BOUNDS_SLACK_MM = 5.0

# Environment variable that makes reportlab date a file, whatever its value.
_CLOCK = "SOURCE_DATE_EPOCH"
# Additional keys of the catalogue; reportlab omits keys that it does not know.
_CATALOG_KEYS = ("OCProperties", "OutputIntents")


def render_pdf(
    document: Document,
    *,
    colour: Literal["rgb", "cmyk", "gray"] = "rgb",
    standard: Standard = "PDF/X-4",
    rich_black: bool = False,
    parts: Parts | None = None,
) -> bytes:
    """A PDF file: one page per page of the document, with its own MediaBox, CropBox, TrimBox and
    BleedBox.

    Same document, same bytes: the only date in the file is reportlab's fixed one. `colour` chooses
    the recipe of every ink, "gray" the grey that is as light; in CMYK the file keeps to the
    `standard`, and `rich_black` prints black solids with all inks. Spot inks are separations that
    overprint; layers of groups are optional content, switched on. Content that is among `parts` is not
    painted again.

    Raises ClashingKeys when two different scenes share a key, ClashingSpots when two different inks
    share a separation, KeyError for a glyph that its face does not have, ValueError for an ink of
    more than 240 % in CMYK and for layers in PDF/X-1a.
    """
    version = VERSIONS[standard] if colour == "cmyk" else VERSIONS["PDF/X-4"]
    with _no_clock():
        pdf = PDFDocument(compression=1, invariant=1, pdfVersion=version)
    pdf.info = PdfxInfo()
    pdf.Catalog.__NoDefault__ = [*pdf.Catalog.__NoDefault__, *_CATALOG_KEYS]
    pdf.info.title, pdf.info.subject = document.title, document.subject
    pdf.info.author = pdf.info.creator = "Platelayer"
    # Disable the scaling to the paper that viewers do by default, as it would change all printed
    # sizes.
    pdf.Catalog.ViewerPreferences = PDFDictionary(
        {"PrintScaling": "/None", "DisplayDocTitle": "true"}
    )
    mode: ColourMode = "cmyk" if colour == "cmyk" else "rgb"
    sheets = [page.scene for page in document.pages]
    if colour == "gray":
        sheets = greyed(sheets)
    elif mode == "cmyk" and rich_black:
        sheets = enriched(sheets)
    scenes = used_scenes(sheets)
    scales = {}
    black: dict[str, set[TextRun]] = {}
    if colour == "cmyk":
        scales = least_scales(sheets, scenes)
        # Text of the sheets themselves is always on bare paper.
        pieces = [scene for page in document.pages for scene in placed_scenes(page.scene.items)]
        for key, run in overprinting({id(scene): scene for scene in pieces}.values()):
            black.setdefault(key, set()).add(run)
    file = _File(pdf, mode, scenes)
    for key, scene in scenes.items():
        edge = scene.bleed_mm + _BOUNDS_SLACK_MM
        bounds = (-edge, -edge, scene.width_mm + edge, scene.height_mm + edge)
        stream = ContentStream(
            colour=mode, scale=scales.get(key, 1.0), overprinting=black.get(key, ())
        )
        file.add_form(key, stream.painted(scene.items, parts), bounds)
    for page, sheet in zip(document.pages, sheets, strict=True):
        stream = ContentStream(colour=mode)
        scale, height = number(PT_PER_MM, 6), number(pt_from_mm(page.scene.height_mm))
        # Set SVG's mitre limit of 4; the default of PDF is 10.
        stream.write(f"{scale} 0 0 -{scale} 0 {height} cm", "4 M")
        file.add_page(page, stream.painted(sheet.items, parts))
    file.add_fonts()
    pdf.Catalog.OCProperties = file.separations.layers()
    if colour == "cmyk":
        make_pdfx(pdf, standard)
    return cast("bytes", pdf.GetPDFData(None))


def _box(scene: Scene, box: Box) -> str:
    """Return a box in mm from the upper left as lower left and upper right corner in points."""
    x, y, width, height = box
    corners = (x, scene.height_mm - y - height, x + width, scene.height_mm - y)
    return f"[{numbers(map(pt_from_mm, corners))}]"


class _File:
    """The objects of one PDF: forms, pages, and everything these name."""

    def __init__(self, pdf: Any, mode: ColourMode, scenes: Iterable[str]) -> None:
        self._pdf = pdf
        self.separations = Separations(pdf, mode)
        self._forms = {key: f"X{count}" for count, key in enumerate(scenes, 1)}
        self._mode, self._images = mode, dict[Pixels, str]()
        self._words: dict[str, set[str]] = {}

    def add_form(self, key: str, content: Content, bounds: Sequence[float]) -> None:
        """Add the content of a placed scene."""
        form = {
            "Type": "/XObject",
            "Subtype": "/Form",
            "BBox": f"[{numbers(bounds)}]",
            "Resources": self._resources(content),
        }
        self._pdf.Reference(self._stream(content, form), self._forms[key])

    def add_page(self, page: Page, content: Content) -> None:
        """Add a page."""
        added, scene = PDFPage(), page.scene
        added.MediaBox = _box(scene, (0.0, 0.0, scene.width_mm, scene.height_mm))
        added.CropBox = added.MediaBox
        added.TrimBox, added.BleedBox = _box(scene, page.trim), _box(scene, page.bleed)
        added.Contents, added.Resources = self._stream(content), self._resources(content)
        self._pdf.addPage(added)

    def _stream(
        self, content: Content, dictionary: Mapping[str, Any] = MappingProxyType({})
    ) -> Any:
        # The file's ID must also differ between files with the same title and subject.
        self._pdf.updateSignature(content.packed)
        return _packed_stream(content.packed, dictionary)

    def _resources(self, content: Content) -> Any:
        """Return the resources that a stream names, and no others. All fonts of the file are in one
        shared dictionary."""
        separations = self.separations
        resources = {}
        for face_name, characters in content.words.items():
            resources["Font"] = PDFObjectReference("BasicFonts")
            self._words.setdefault(face_name, set()).update(characters)
        named = {
            ("XObject", "X"): [self._forms[key] for key in content.forms],
            ("XObject", "I"): [self._image(pixels) for pixels in content.images],
            ("ColorSpace", "S"): [separations.spot(ink) for ink in content.spots],
            ("ExtGState", "O"): [separations.overprint(*flags) for flags in content.overprints],
            ("Properties", "L"): [separations.layer(label) for label in content.layers],
        }
        for (kind, letter), names in named.items():
            if names:
                references = {
                    f"{letter}{count}": PDFObjectReference(name)
                    for count, name in enumerate(names, 1)
                }
                resources.setdefault(kind, PDFDictionary({})).dict.update(references)
        return PDFDictionary(resources)

    def _image(self, pixels: Pixels) -> str:
        """Return the object of a picture of pixels. A JPEG in RGB is embedded as it is. In RGB,
        opacity is kept; on a press, where nothing is transparent, a pixel is either printed or
        not."""
        if pixels in self._images:
            return self._images[pixels]
        name = self._images[pixels] = f"I{len(self._images) + 1}"
        size = {"Width": pixels.width, "Height": pixels.height}
        head = {"Type": "/XObject", "Subtype": "/Image", **size, "BitsPerComponent": 8}
        if self._mode == "cmyk":
            head["ColorSpace"], data = "/DeviceCMYK", inks_of_pixels(pixels)
            if not pixels.opaque:
                mask = {"Type": "/XObject", "Subtype": "/Image", **size, "ImageMask": "true"}
                hidden = _packed_stream(deflated(mask_of(pixels)), {**mask, "BitsPerComponent": 1})
                head["Mask"] = self._pdf.Reference(hidden)
        else:
            head["ColorSpace"], data = "/DeviceRGB", b""
            if not pixels.opaque:
                grey = {"ColorSpace": "/DeviceGray", "BitsPerComponent": 8}
                soft = {"Type": "/XObject", "Subtype": "/Image", **size, **grey}
                opacity = _packed_stream(deflated(opacity_of(pixels)), soft)
                head["SMask"] = self._pdf.Reference(opacity)
        self._pdf.updateSignature(pixels.data)
        if self._mode == "rgb" and pixels.is_jpeg:
            if pixels.is_grey:
                head["ColorSpace"] = "/DeviceGray"
            stream = PDFStream(PDFDictionary({**head, "Filter": "/DCTDecode"}), pixels.data)
        else:
            stream = _packed_stream(deflated(data or colours_of(pixels)), head)
        self._pdf.Reference(stream, name)
        return name

    def add_fonts(self) -> None:
        """Embed the characters in use, once all forms and pages are known."""
        fonts = self._pdf.idToObject["BasicFonts"].dict
        for face_name, characters in sorted(self._words.items()):
            for plane, same in groupby(sorted(characters), plane_of):
                name = font_name(face_name, plane)
                fonts[name] = self._pdf.Reference(_font(self._pdf, face_name, [*map(ord, same)]))


def _packed_stream(packed: bytes, dictionary: Mapping[str, Any] = MappingProxyType({})) -> Any:
    return PDFStream(PDFDictionary({**dictionary, "Filter": "/FlateDecode"}), packed)


@cache
def _font_file(name: str) -> Any:
    return TTFontFace(str(face(name).path))


def _font(pdf: Any, face_name: str, codes: Sequence[int]) -> Any:
    """Return a font with some characters, in order, of one plane of Unicode. Each is shown by the
    two bytes of its position there (CID), whatever else the file contains. A character that the
    face lacks is shown as a box, but is still copied as itself."""
    file = _font_file(face_name)
    plain = file.name.decode()
    name = PDFName(f"{_tag(plain, codes)}+{plain}")
    length, subset, glyph_of_place, to_unicode = _subset(face_name, tuple(codes))
    descriptor = {
        "Type": "/FontDescriptor",
        "FontName": name,
        "Ascent": file.ascent,
        "CapHeight": file.capHeight,
        "Descent": file.descent,
        "Flags": file.flags & ~FF_NONSYMBOLIC | FF_SYMBOLIC,
        "FontBBox": PDFArray(file.bbox),
        "ItalicAngle": file.italicAngle,
        "StemV": file.stemV,
        "FontFile2": pdf.Reference(_packed_stream(subset, {"Length1": length})),
    }
    widths = " ".join(f"{code & 0xFFFF} [{file.getCharWidth(code)}]" for code in codes)
    descendant = {
        "Type": "/Font",
        "Subtype": "/CIDFontType2",
        "BaseFont": name,
        "CIDSystemInfo": PDFDictionary(
            {"Registry": PDFString("Adobe"), "Ordering": PDFString("Identity"), "Supplement": 0}
        ),
        "FontDescriptor": pdf.Reference(PDFDictionary(descriptor)),
        "DW": file.defaultWidth,
        "W": f"[{widths}]",
        "CIDToGIDMap": pdf.Reference(_packed_stream(glyph_of_place)),
    }
    font = {
        "Type": "/Font",
        "Subtype": "/Type0",
        "BaseFont": name,
        "Encoding": "/Identity-H",
        "DescendantFonts": PDFArray([pdf.Reference(PDFDictionary(descendant))]),
        "ToUnicode": pdf.Reference(_packed_stream(to_unicode)),
    }
    return PDFDictionary(font)


@lru_cache(256)
def _subset(face_name: str, codes: tuple[int, ...]) -> tuple[int, bytes, bytes, bytes]:
    """Return the length of a font with some characters, and, compressed, the font, the glyph of
    each position, and the character of each code. Cached, as several files of a print often show
    the same characters."""
    file = _font_file(face_name)
    # Number the glyphs in the order in which reportlab puts them into the subset.
    glyphs = {0: 0}
    glyph_of_place = bytearray(2 * (codes[-1] & 0xFFFF) + 2)
    for code in codes:
        glyph = glyphs.setdefault(file.charToGlyph.get(code, 0), len(glyphs))
        pack_into(">H", glyph_of_place, 2 * (code & 0xFFFF), glyph)
    font = file.makeSubset(codes)
    return len(font), deflated(font), deflated(glyph_of_place), deflated(_to_unicode(codes))


# Maximum number of entries in one block of a CMap (Adobe Technical Note 5411, 1.4).
_MOST_ENTRIES = 100
_TO_UNICODE = """/CIDInit /ProcSet findresource begin
12 dict begin
begincmap
/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def
/CMapName /Adobe-Identity-UCS def
/CMapType 2 def
1 begincodespacerange
<0000> <FFFF>
endcodespacerange
{}endcmap
CMapName currentdict /CMap defineresource pop
end
end
"""


def _to_unicode(codes: Sequence[int]) -> bytes:
    """Return the characters of a font's codes, in UTF-16 (ISO 32000-1, 9.10.3)."""
    tables = ""
    for start in range(0, len(codes), _MOST_ENTRIES):
        some = codes[start : start + _MOST_ENTRIES]
        tables += f"{len(some)} beginbfchar\n"
        for code in some:
            text = chr(code).encode("utf-16-be", "surrogatepass").hex()
            tables += f"<{code & 0xFFFF:04x}> <{text}>\n"
        tables += "endbfchar\n"
    return _TO_UNICODE.format(tables).encode()


def _tag(name: str, codes: Sequence[int]) -> str:
    """Return six capital letters for a subset of a font, derived from its contents (ISO 32000-1,
    9.6.4): programs that join files take fonts with the same name for the same font."""
    digest = sha256(f"{name} {codes}".encode()).digest()
    return "".join(chr(ord("A") + byte % 26) for byte in digest[:6])


@contextmanager
def _no_clock() -> Iterator[None]:
    """Keep the environment from dating documents, so that the same document has the same bytes."""
    set_to = os.environ.pop(_CLOCK, None)
    try:
        yield
    finally:
        if set_to is not None:
            os.environ[_CLOCK] = set_to
