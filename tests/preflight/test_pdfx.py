"""Keys of PDF/X: our own CMYK files have them; each that is taken away is missed."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

import pikepdf
import pytest
from pikepdf import Dictionary, Name, Pdf, String

from handmade import ANY, codes, found, saved, words
from platelayer.imposition.paper import Document, Page
from platelayer.model.options import Limits
from platelayer.render.pdf import render_pdf
from platelayer.scene.inks import Ink
from platelayer.scene.shapes import Path, Scene

X4 = Limits(colours=ANY.colours, allows=ANY.allows, pdfx=("PDF/X-4",))
X1A = Limits(colours=ANY.colours, allows=ANY.allows, pdfx=("PDF/X-1a:2003",))


def ours(colour: Any = "cmyk") -> bytes:
    ink = Ink("black", (0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 1.0), None)
    square = Path(commands=(("M", 9, 9), ("L", 20, 9), ("L", 20, 20), ("Z",)), fill=ink)
    scene = Scene(key="sheet", width_mm=100, height_mm=100, items=(square,))
    page = Page(scene=scene, trim=(5, 5, 90, 90), bleed=(2, 2, 96, 96))
    return render_pdf(
        Document(stem="s", title="Sheet", subject="One", pages=(page,)), colour=colour
    )


def test_our_own_cmyk_is_pdf_x_4() -> None:
    assert found(ours(), X4) == ()
    assert codes(found(ours("rgb"), X4)) == {"PF20"}


def _xmp(find: bytes, put: bytes) -> Callable[[Pdf], None]:
    def change(pdf: Pdf) -> None:
        packet = pdf.Root.Metadata.read_bytes()
        assert find in packet
        pdf.Root.Metadata.write(packet.replace(find, put))

    return change


def _drop(holder: Callable[[Pdf], Any], key: str) -> Callable[[Pdf], None]:
    def change(pdf: Pdf) -> None:
        del holder(pdf)[key]

    return change


def _not_a_press(pdf: Pdf) -> None:
    profile = pdf.Root.OutputIntents[0].DestOutputProfile
    data = bytearray(profile.read_bytes())
    data[12:16] = b"mntr"
    profile.write(bytes(data))


@pytest.mark.parametrize(
    ("change", "missed"),
    [
        (_xmp(b"PDF/X-4", b"PDF/X-9"), "it must be PDF/X-4; it says PDF/X-9"),
        (_xmp(b"CreateDate", b"CreateDote"), "CreateDate in its XMP"),
        (_xmp(b"ModifyDate", b"ModifyDote"), "ModifyDate in its XMP"),
        (_xmp(b"DocumentID", b"DocumentIE"), "DocumentID in its XMP"),
        (_xmp(b"dc:title", b"dc:tittle"), "title in its XMP"),
        (_drop(lambda pdf: pdf.Root, "/Metadata"), "it says nothing"),
        (_drop(lambda pdf: pdf.Root, "/OutputIntents"), "an output intent (GTS_PDFX)"),
        (
            _drop(lambda pdf: pdf.Root.OutputIntents[0], "/OutputConditionIdentifier"),
            "an OutputConditionIdentifier",
        ),
        (_drop(lambda pdf: pdf.Root.OutputIntents[0], "/DestOutputProfile"), "an ICC profile"),
        (_not_a_press, "with the profile of a press"),
    ],
)
def test_a_key_that_is_taken_away_is_missed(change: Callable[[Pdf], None], missed: str) -> None:
    pdf = pikepdf.open(io.BytesIO(ours()))
    change(pdf)
    problems = found(saved(pdf), X4)
    assert codes(problems) == {"PF20"}
    assert missed in words(problems)


def test_trapping_may_be_declared_in_either_place() -> None:
    pdf = pikepdf.open(io.BytesIO(ours()))
    del pdf.docinfo["/Trapped"]
    packet = pdf.Root.Metadata.read_bytes()
    assert b"Trapped" in packet
    assert found(saved(pdf), X4) == ()
    pdf.Root.Metadata.write(packet.replace(b"Trapped", b"Tripped"))
    assert "the key Trapped" in words(found(saved(pdf), X4))


def x1a(**without: bool) -> bytes:
    """The keys of PDF/X-1a:2003 (ISO 15930-4), as the print condition of a registry needs no
    profile in the file."""
    pdf = pikepdf.new()
    pdf.add_blank_page(page_size=(200, 300))
    info = {
        "/Title": String("A"),
        "/CreationDate": String("D:20200101000000Z"),
        "/ModDate": String("D:20200101000000Z"),
        "/Trapped": Name("/False"),
        "/GTS_PDFXVersion": String("PDF/X-1a:2003"),
    }
    for key, value in info.items():
        if key[1:] not in without:
            pdf.docinfo[key] = value
    intent = Dictionary(
        Type=Name.OutputIntent, S=Name.GTS_PDFX, OutputConditionIdentifier=String("FOGRA39")
    )
    intent.RegistryName = String("http://www.color.org")
    pdf.Root.OutputIntents = pikepdf.Array([intent])
    out = io.BytesIO()
    pdf.save(
        out,
        force_version="1.4",
        object_stream_mode=pikepdf.ObjectStreamMode.disable,
        static_id=True,
    )
    return out.getvalue()


def test_pdf_x_1a_has_its_keys_in_the_information() -> None:
    assert found(x1a(), X1A) == ()
    assert "needs Title in its information" in words(found(x1a(Title=True), X1A))
    assert "needs CreationDate" in words(found(x1a(CreationDate=True), X1A))
    assert "the key Trapped" in words(found(x1a(Trapped=True), X1A))
    assert "a PDF version up to 1.4; this is 1.6" in words(found(ours(), X1A))
