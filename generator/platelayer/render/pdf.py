"""PDF files: each placed scene once as a form XObject, fonts embedded as subsets."""

from __future__ import annotations

import os
import re
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from hashlib import sha256
from html import escape
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
    PDFStreamFilterZCompress,
    PDFString,
)
from reportlab.pdfbase.ttfonts import TTFont

from platelayer.foundation.geometry import PT_PER_MM, pt_from_mm
from platelayer.foundation.resources import asset_bytes
from platelayer.imposition.page import Box, Document
from platelayer.render.content import ColourMode, ContentStream, Separations
from platelayer.render.scenes import enriched, greyed, least_scales, placed_scenes, used_scenes
from platelayer.scene.fonts import face
from platelayer.scene.legibility import Word, overprinting
from platelayer.scene.paths import number
from platelayer.scene.press import PRESSES, press_at_hand
from platelayer.scene.shapes import Scene

# PDF/X for print shops: output intent with profile, XMP, and the version the file claims.
#
# PDF/X-4 is ISO 15930-7:2010, PDF/X-1a:2003 ISO 15930-4. The painter never writes what both forbid
# (RGB, transparency, fonts left out). It refuses layers for PDF/X-1a, because only PDF/X-4 allows
# them.


Standard = Literal["PDF/X-4", "PDF/X-1a:2003"]
# The version of PDF that each is written in.
VERSIONS: dict[Standard, tuple[int, int]] = {"PDF/X-4": (1, 6), "PDF/X-1a:2003": (1, 4)}

# Output conditions of the presses, as the ICC's registry has them. The licences of their profiles
# are stored beside these in assets/icc.
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
    """The Info dictionary with the release of PDF/X, which PDF/X-1a has there."""

    release: str | None = None

    def format(self, document: Any) -> Any:
        """The dictionary's bytes."""
        dictionary: bytes = super().format(document)
        if self.release is None:
            return dictionary
        return dictionary.replace(b"<<", b"<< /GTS_PDFXVersion (" + self.release.encode() + b")", 1)


def make_pdfx(pdf: Any, standard: Standard) -> None:
    """Turns a reportlab document, painted in CMYK and otherwise complete, into PDF/X. Its catalogue
    must be able to hold OutputIntents, and its Info must be a PdfxInfo. Raises ValueError for
    layers in PDF/X-1a."""
    if standard != "PDF/X-4":
        if pdf.Catalog.OCProperties is not None:
            raise ValueError(f"{standard} has no layers")
        pdf.info.release = standard
    intent = {key: PDFString(value) for key, value in _CONDITIONS[press_at_hand()].items()}
    packed = PDFDictionary({"N": 4, "Filter": "/FlateDecode"})
    profile = PDFStream(packed, _deflated_profile(PRESSES[press_at_hand()]))
    keys = {"Type": "/OutputIntent", "S": "/GTS_PDFX", "DestOutputProfile": profile, **intent}
    pdf.Catalog.OutputIntents = PDFArray([PDFDictionary(keys)])
    # Never compressed, so that programs that cannot read PDF can read it.
    about = PDFDictionary({"Type": "/Metadata", "Subtype": "/XML"})
    pdf.Catalog.Metadata = PDFStream(about, _xmp(pdf, standard))


@cache
def _deflated_profile(name: str) -> bytes:
    """A profile, compressed once per process. Levels above the quickest save only a fiftieth
    more."""
    return zlib.compress(asset_bytes("icc", f"{name}.icc"), 1)


def _xmp(pdf: Any, standard: Standard) -> bytes:
    """The Info dictionary again as XMP, with the same words and the same second, and with what only
    XMP can say."""
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
    """One value where XMP requires a list: of languages (Alt) or in order (Seq)."""
    language = ' xml:lang="x-default"' if kind == "Alt" else ""
    return f"<rdf:{kind}><rdf:li{language}>{_text(words)}</rdf:li></rdf:{kind}>"


# A placed scene may still paint this far beyond its bleed, as a wide stroke along its edge does.
_BOUNDS_SLACK_MM = 5.0

# zlib's level of compression: at its usual 6, all files of 18EU take 184 ms instead of 71 and are 4
# % smaller.
_PACKED = 4
# The environment variable that, whatever its value, makes reportlab date a file.
_CLOCK = "SOURCE_DATE_EPOCH"
# Extra keys for the catalogue; reportlab leaves out keys that it does not know.
_CATALOG_KEYS = ("OCProperties", "OutputIntents")


def render_pdf(
    document: Document,
    *,
    colour: Literal["rgb", "cmyk", "gray"] = "rgb",
    standard: Standard = "PDF/X-4",
    rich_black: bool = False,
) -> bytes:
    """A PDF file: one page per page of the document, with its own MediaBox, CropBox, TrimBox and
    BleedBox.

    Same document, same bytes: the only date in the file is reportlab's fixed one. `colour` chooses
    the recipe of every ink, "gray" the grey that is as light; in CMYK the file keeps to the
    `standard`, and `rich_black` prints black solids with all inks. Spot inks are separations that
    overprint; layers of groups are optional content, switched on.

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
    # Viewers that scale to the paper by default would spoil every size we print.
    pdf.Catalog.ViewerPreferences = PDFDictionary(
        {"PrintScaling": "/None", "DisplayDocTitle": "true"}
    )
    mode: ColourMode = "cmyk" if colour == "cmyk" else "rgb"
    fonts, separations = _Fonts(pdf), Separations(pdf, mode)
    sheets = [page.scene for page in document.pages]
    if colour == "gray":
        sheets = greyed(sheets)
    elif mode == "cmyk" and rich_black:
        sheets = enriched(sheets)
    scenes = used_scenes(sheets)
    scales = least_scales(sheets, scenes)
    black: frozenset[Word] = frozenset()
    if colour == "cmyk":
        # Words of the sheets themselves stand on bare paper.
        pieces = [scene for page in document.pages for scene in placed_scenes(page.scene.items)]
        black = overprinting({id(scene): scene for scene in pieces}.values())
    forms = {key: f"X{count}" for count, key in enumerate(scenes, 1)}
    for key, scene in scenes.items():
        content = ContentStream(
            encode=fonts.encode,
            forms=forms,
            separations=separations,
            colour=mode,
            scene=key,
            scale=scales[key],
            overprinting=black,
        )
        content.paint(scene.items)
        edge = scene.bleed_mm + _BOUNDS_SLACK_MM
        bounds = (-edge, -edge, scene.width_mm + edge, scene.height_mm + edge)
        form = {
            "Type": "/XObject",
            "Subtype": "/Form",
            "BBox": PDFArray([number(side) for side in bounds]),
            "Resources": _resources(content),
        }
        pdf.Reference(_stream(pdf, content, form), forms[key])
    for page, sheet in zip(document.pages, sheets, strict=True):
        content = ContentStream(
            encode=fonts.encode, forms=forms, separations=separations, colour=mode
        )
        scale, height = number(PT_PER_MM, 6), number(pt_from_mm(page.scene.height_mm))
        # SVG's mitre limit is 4, PDF's would be 10.
        content.write(f"{scale} 0 0 -{scale} 0 {height} cm", "4 M")
        content.paint(sheet.items)
        added, scene = PDFPage(), page.scene
        added.MediaBox = _box(scene, (0.0, 0.0, scene.width_mm, scene.height_mm))
        added.CropBox = added.MediaBox
        added.TrimBox, added.BleedBox = _box(scene, page.trim), _box(scene, page.bleed)
        added.Contents, added.Resources = _stream(pdf, content), _resources(content)
        pdf.addPage(added)
    pdf.Catalog.OCProperties = separations.layers()
    if colour == "cmyk":
        make_pdfx(pdf, standard)
    return cast("bytes", pdf.GetPDFData(None))


def _box(scene: Scene, box: Box) -> Any:
    """A box in mm from the upper left as lower left and upper right corner in points."""
    x, y, width, height = box
    corners = (x, scene.height_mm - y - height, x + width, scene.height_mm - y)
    return PDFArray([number(pt_from_mm(side)) for side in corners])


def _resources(content: ContentStream) -> Any:
    """The resources that a stream names, and nothing else. All fonts of the file are in one shared
    dictionary."""
    resources: dict[str, Any] = {}
    if content.has_text:
        resources["Font"] = PDFObjectReference("BasicFonts")
    for kind, names in content.used.items():
        if names:
            references = {name: PDFObjectReference(name) for name in sorted(names)}
            resources[kind] = PDFDictionary(references)
    return PDFDictionary(resources)


def _stream(pdf: Any, content: ContentStream, dictionary: dict[str, Any] | None = None) -> Any:
    operators = content.getvalue()
    pdf.updateSignature(operators)  # The file's ID must differ where title and subject do not.
    return PDFStream(
        dictionary=PDFDictionary(dictionary or {}), content=operators, filters=[_Packing()]
    )


class _Packing(PDFStreamFilterZCompress):  # type: ignore[misc]
    """reportlab's own packing, but quicker."""

    def encode(self, text: bytes) -> bytes:
        """A stream, packed."""
        return zlib.compress(text, _PACKED)


@cache
def _font(name: str) -> Any:
    """reportlab's own reading of a face; it keeps apart the subsets of several documents."""
    return _NamedSubsets(name, str(face(name).path), asciiReadable=False, shapable=False)


class _NamedSubsets(TTFont):  # type: ignore[misc]
    """A font whose subsets are named by what they hold (ISO 32000-1, 9.6.4): reportlab calls the
    first subset of every font AAAAAA, and programs that join files would take two of them for
    one."""

    def addObjects(self, doc: Any) -> None:  # noqa: N802 - reportlab's name
        """Adds the subsets to a document."""
        subsets = self.state[doc].subsets
        names = [self.getSubsetInternalName(number, doc)[1:] for number in range(len(subsets))]
        super().addObjects(doc)
        for name, subset in zip(names, subsets, strict=True):
            font = doc.idToObject["BasicFonts"].dict[name]
            plain = font.BaseFont.partition("+")[2]
            font.BaseFont = f"{_tag(plain, subset)}+{plain}"
            characters = doc.idToObject[font.ToUnicode.name]
            characters.content = _BEYOND.sub(_pair, characters.content)
            doc.idToObject[font.FontDescriptor.name].dict["FontName"] = PDFName(font.BaseFont)


# A code point beyond U+FFFF in reportlab's tables of characters, which are to be UTF-16 (ISO
# 32000-1, 9.10.3).
_BEYOND = re.compile(r"<([0-9A-F]{5,6})>$", re.MULTILINE)


def _pair(match: re.Match[str]) -> str:
    return f"<{chr(int(match[1], 16)).encode('utf-16-be').hex().upper()}>"


def _tag(name: str, subset: Sequence[int]) -> str:
    """Six capital letters for a subset of a font."""
    digest = sha256(f"{name} {list(subset)}".encode()).digest()
    return "".join(chr(ord("A") + byte % 26) for byte in digest[:6])


@contextmanager
def _no_clock() -> Iterator[None]:
    """Same document, same bytes: the environment does not date them."""
    set_to = os.environ.pop(_CLOCK, None)
    try:
        yield
    finally:
        if set_to is not None:
            os.environ[_CLOCK] = set_to


class _Fonts:
    """The faces one PDF uses, each embedded as the glyphs that were asked for."""

    def __init__(self, pdf: Any) -> None:
        self._pdf = pdf

    def encode(self, name: str, words: str) -> list[tuple[str, bytes]]:
        """Words as bytes in the subsets of a face. What it lacks prints as a box and is still
        copied as itself."""
        self._pdf.updateSignature(words)
        font = _font(name)
        for char in words:
            font.face.charToGlyph.setdefault(ord(char), 0)
        return [
            (font.getSubsetInternalName(subset, self._pdf).lstrip("/"), encoded)
            for subset, encoded in font.splitString(words, self._pdf)
        ]
