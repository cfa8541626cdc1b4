"""PDF/X for print shops: output intent with profile, XMP, and the version the file claims.

PDF/X-4 is ISO 15930-7:2010, PDF/X-1a:2003 ISO 15930-4. The painter never writes what both forbid
(RGB, transparency, fonts left out). It refuses layers for PDF/X-1a, because only PDF/X-4 allows
them.
"""

from __future__ import annotations

import re
import zlib
from functools import cache
from html import escape
from typing import Any, Literal

from reportlab.pdfbase.pdfdoc import PDFArray, PDFDictionary, PDFInfo, PDFStream, PDFString

from platelayer.foundation.resources import asset_bytes
from platelayer.scene.press import PRESSES, press_at_hand

Standard = Literal["PDF/X-4", "PDF/X-1a:2003"]
VERSIONS: dict[Standard, tuple[int, int]] = {"PDF/X-4": (1, 6), "PDF/X-1a:2003": (1, 4)}
"""The version of PDF that each is written in."""

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
"""Output conditions of the presses, as the ICC's registry has them. The licences of their profiles
are stored beside these in assets/icc."""
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
    profile = PDFStream(
        PDFDictionary({"N": 4, "Filter": "/FlateDecode"}),
        _deflated_profile(PRESSES[press_at_hand()]),
    )
    keys = {"Type": "/OutputIntent", "S": "/GTS_PDFX", "DestOutputProfile": profile, **intent}
    pdf.Catalog.OutputIntents = PDFArray([PDFDictionary(keys)])
    # Never compressed, so that programs that cannot read PDF can read it.
    pdf.Catalog.Metadata = PDFStream(
        PDFDictionary({"Type": "/Metadata", "Subtype": "/XML"}), _xmp(pdf, standard)
    )


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
    properties = {
        "dc:format": "application/pdf",
        "dc:title": _list("Alt", info.title),
        "dc:creator": _list("Seq", info.author),
        "dc:description": _list("Alt", info.subject),
        "xmp:CreateDate": date,
        "xmp:ModifyDate": date,
        "xmp:MetadataDate": date,
        "xmp:CreatorTool": _text(info.creator),
        "xmpMM:DocumentID": _uuid(pdf.signature.hexdigest()),
        "xmpMM:VersionID": "1",
        "xmpMM:RenditionClass": "default",
        "pdf:Producer": _text(info.producer),
        "pdf:Keywords": _text(info.keywords),
        "pdf:Trapped": str(info.trapped),
        **({"pdfxid:GTS_PDFXVersion": standard} if standard == "PDF/X-4" else {}),
    }
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


def _uuid(digest: str) -> str:
    """32 hexadecimal digits as a UUID."""
    return "uuid:" + "-".join((digest[:8], digest[8:12], digest[12:16], digest[16:20], digest[20:]))
