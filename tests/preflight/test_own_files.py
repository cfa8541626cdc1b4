"""Our own files, and the command: what a build prints passes the profile it was printed for."""

from __future__ import annotations

import io
import json
import struct
import time
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pikepdf
import pytest
from msgspec.structs import replace
from pikepdf import Dictionary, Name, Pdf, String
from PIL import Image

from handmade import ANY, codes, finished, font, found, made, saved, words
from often import often
from packs import Pack
from platelayer.definitions.themes import load_profile
from platelayer.foundation.problems import has_errors
from platelayer.imposition.paper import Document, Page
from platelayer.model.options import Limits
from platelayer.preflight.findings import SIGNATURE, check_png
from platelayer.preflight.inspect import check_file, inspect_pdf
from platelayer.render.pdf import render_pdf
from platelayer.scene.inks import Ink
from platelayer.scene.shapes import Path as ShapePath
from platelayer.scene.shapes import Scene

LAUNCH = pikepdf.Dictionary(S=pikepdf.Name.Launch)


def printed(pack: Pack) -> list[Path]:
    return [path for path in pack.files if path.suffix == ".pdf"]


def test_the_pack_of_18eu_passes_at_home(pack: Pack) -> None:
    limits = load_profile("home").limits
    for path in printed(pack):
        assert words(check_file(path, limits)) == ""


def test_the_pack_for_home_is_not_for_a_press(pack: Pack) -> None:
    """RGB, no bleed, no PDF/X: preflight sees what is in real files."""
    told = words(
        check_file(
            next(path for path in printed(pack) if path.stem == "tiles"),
            load_profile("offset").limits,
        )
    )
    for code in ("PF07", "PF11", "PF20"):
        assert code in told


def test_it_looks_at_every_size_of_text(pack: Pack) -> None:
    """The smallest text of the tiles is their number: 4 pt (LG01); with 4.5 pt asked, it is
    told."""
    path = next(path for path in printed(pack) if path.stem == "tiles")
    limits = replace(load_profile("home").limits, text_pt=30)
    assert "PF17" in words(inspect_pdf(path.read_bytes(), "tiles.pdf", limits))


@pytest.mark.parametrize("profile", often(["offset", "drivethrucards"], "offset"))
def test_our_own_prints_are_read_faster_with_the_same_result(profile: str, pack: Pack) -> None:
    limits = load_profile(profile).limits
    for path in printed(pack):
        data = path.read_bytes()
        assert inspect_pdf(data, path.name, limits, ours=True) == inspect_pdf(
            data, path.name, limits
        )


def test_the_structure_of_a_print_at_home_is_checked(pack: Pack) -> None:
    limits = load_profile("home").limits
    for path in printed(pack):
        assert inspect_pdf(path.read_bytes(), path.name, limits, painted=False) == ()
    pdf = pikepdf.new()
    whole = replace(limits, boxes=("trim",), subset_fonts=True)
    for font_name, embedded in (("ABCDEF+Lost", False), ("Whole", True)):
        page = pikepdf.Dictionary(
            Font=pikepdf.Dictionary(F1=font(pdf, font_name, embedded=embedded))
        )
        finished(pdf, b"BT /F1 9 Tf (a) Tj ET", page, page={"/TrimBox": None})
    data = finished(pdf, page={"/Annots": pikepdf.Array([pikepdf.Dictionary(A=LAUNCH)])})
    found = words(inspect_pdf(data, "it.pdf", whole, painted=False))
    for message in (
        "PF06 pages 1-2: the page has no TrimBox",
        "PF09 the font ABCDEF+Lost (TrueType) is not embedded",
        "PF10 the font Whole is embedded whole",
        "PF21 page 3: it holds an action (Launch)",
    ):
        assert message in found


def test_the_command(platelayer, tmp_path: Path) -> None:
    (tmp_path / "good.pdf").write_bytes(made(b"0 g"))
    (tmp_path / "bad.pdf").write_bytes(made(b"1 0 0 rg 0 0 m 9 9 l f"))
    good = platelayer("preflight", "good.pdf")
    assert (good.returncode, good.stdout) == (0, "1 file checked: no problems\n")
    bad = platelayer("preflight", "good.pdf", "bad.pdf", "--profile", "offset", "--format", "json")
    assert bad.returncode == 1
    value = json.loads(bad.stdout)
    assert value["checked"] == 2
    assert value["totals"]["error"] == len(value["problems"])
    found = {(each["code"], each["file"]) for each in value["problems"]}
    assert ("PF11", "bad.pdf") in found
    assert ("PF11", "good.pdf") not in found
    first = next(each for each in value["problems"] if each["code"] == "PF11")
    assert first["pages"] == [1]
    assert first["message"] == "page 1: DeviceRGB is used (fill); allowed: gray, cmyk, spot"


def test_the_command_with_what_is_no_file(platelayer, tmp_path: Path) -> None:
    done = platelayer("preflight", "nowhere.pdf", str(tmp_path))
    assert done.returncode == 1
    assert done.stdout.count("FI01") == 2
    assert platelayer("preflight", "nowhere.pdf", "--profile", "offsett").returncode == 1
    assert platelayer("preflight").returncode == 2
    assert platelayer("preflight", "x.pdf", "--format", "xml").returncode == 2


def test_pictures_where_the_shop_takes_them(tmp_path: Path) -> None:
    path = tmp_path / "card.png"
    Image.new("RGB", (825, 1125)).save(path, dpi=(300, 300))
    assert check_file(path, load_profile("thegamecrafter").limits) == ()
    (problem,) = check_file(path, load_profile("home").limits)
    assert problem.code == "PF01"


@pytest.mark.parametrize("profile", ["home", "drivethrucards", "thegamecrafter", "offset"])
def test_same_bytes_same_problems(profile: str, pack: Pack) -> None:
    path = next(path for path in printed(pack) if path.stem == "boards")
    limits = load_profile(profile).limits
    assert check_file(path, limits) == check_file(path, limits)


def test_a_file_of_one_byte_too_many(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "it.pdf"
    path.write_bytes(made())
    limits = load_profile("home").limits
    monkeypatch.setattr("platelayer.preflight.inspect._MAX_FILE_BYTES", path.stat().st_size)
    assert check_file(path, limits) == ()
    path.write_bytes(made() + b"\n")
    assert "PF05" in words(check_file(path, limits))


# Keys of PDF/X: our own CMYK files have them; each that is taken away is missed


X4 = Limits(colours=ANY.colours, allows=ANY.allows, pdfx=("PDF/X-4",))
X1A = Limits(colours=ANY.colours, allows=ANY.allows, pdfx=("PDF/X-1a:2003",))


def ours(colour: Any = "cmyk") -> bytes:
    ink = Ink("black", (0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 1.0), None)
    square = ShapePath(commands=(("M", 9, 9), ("L", 20, 9), ("L", 20, 20), ("Z",)), fill=ink)
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


# Pictures for shops that take one a piece: size, resolution, colours, damage


LIMITS = load_profile("thegamecrafter").limits.png
assert LIMITS is not None
POKER = (825, 1125)


def picture(
    size: tuple[int, int] = POKER, mode: str = "RGB", dpi: int | None = 300, **save: Any
) -> bytes:
    out = io.BytesIO()
    if dpi is not None:
        save["dpi"] = (dpi, dpi)
    Image.new(mode, size).save(out, "PNG", **save)
    return out.getvalue()


def told(data: bytes) -> list[str]:
    assert LIMITS is not None
    return [f"{each.code} {each.message}" for each in check_png(data, "it.png", LIMITS)]


def test_a_picture_for_screens_has_any_size_and_may_be_transparent() -> None:
    limits = load_profile("pictures").limits.png
    assert limits is not None
    assert check_png(picture((123, 45), mode="RGBA"), "it.png", limits) == ()
    wrong = check_png(picture((123, 45), mode="L", dpi=72), "it.png", limits)
    assert [problem.code for problem in wrong] == ["PF24", "PF25"]


@pytest.mark.parametrize("size", [POKER, POKER[::-1], (600, 825), (675, 600), (450, 450)])
def test_a_picture_as_the_shop_wants_it(size: tuple[int, int]) -> None:
    assert told(picture(size)) == []


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "PF23 the file is empty"),
        (b"%PDF-1.6", "PF23 this is not a PNG picture"),
        (picture()[:20], "PF23 this is not a PNG picture"),
        (picture()[:-20], "PF23 the picture ends too early"),
        (picture((750, 1050)), "PF23 the picture is 750 x 1050 pixels; it must be 825 x 1125"),
        (picture(dpi=72), "PF24 the picture says 72.01 x 72.01 dpi; 300 dpi is required"),
        (picture(dpi=None), "PF24 the picture does not say its resolution"),
        (picture(mode="L"), "PF25 the colours are gray, 8 bits; rgb with 8 bits is required"),
        (picture(mode="I;16"), "PF25 the colours are gray, 16 bits"),
        (picture(mode="RGBA"), "PF26 the picture has an alpha channel"),
        (picture(mode="RGB", transparency=(0, 0, 0)), "PF26 the picture has an alpha channel"),
    ],
)
def test_one_thing_wrong(data: bytes, says: str) -> None:
    (message,) = told(data)
    assert message.startswith(says)


def test_an_alpha_channel_does_not_stop_a_print() -> None:
    assert LIMITS is not None
    assert not has_errors(check_png(picture(mode="RGBA"), "it.png", LIMITS))


@pytest.mark.parametrize(
    ("dots", "right"), [(11795, True), (11811, True), (11827, True), (11780, False), (11850, False)]
)
def test_a_resolution_may_differ_by_half_a_dot(dots: int, right: bool) -> None:
    # 300 dpi are 11811.02 dots per metre; programs that round 299.6 or 300.4 dpi say 11795 or
    # 11827.
    data = picture(dpi=None)
    head = len(SIGNATURE) + 25
    body = b"pHYs" + struct.pack(">IIB", dots, dots, 1)
    chunk = struct.pack(">I", 9) + body + struct.pack(">I", zlib.crc32(body))
    assert (told(data[:head] + chunk + data[head:]) == []) is right


@pytest.mark.parametrize("at", range(0, 120, 3))
def test_any_byte_may_be_wrong(at: int) -> None:
    data = picture((450, 450))
    changed = data[:at] + bytes([data[at] ^ 0x55]) + data[at + 1 :]
    assert all(message[:4] in ("PF23", "PF24", "PF25", "PF26") for message in told(changed))
    assert told(changed)


def with_chunks(*chunks: tuple[bytes, bytes]) -> bytes:
    """A picture with more chunks after its head."""
    data = picture()
    more = b"".join(
        struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
        for kind, body in chunks
    )
    return data[:33] + more + data[33:]


def test_pictures_that_pillow_refuses_or_takes_for_others_are_read() -> None:
    profile = zlib.compress(bytes(range(256)) * 8192)
    assert told(with_chunks((b"iCCP", b"of 2 MB\0\0" + profile))) == []
    deep = with_chunks()
    head = struct.pack(">IIBBBBB", *POKER, 16, 2, 0, 0, 0)
    deep = deep[:16] + head + struct.pack(">I", zlib.crc32(b"IHDR" + head)) + deep[33:]
    assert told(deep) == ["PF25 the colours are rgb, 16 bits; rgb with 8 bits is required"]


def test_a_bomb_costs_no_time() -> None:
    storm = with_chunks(*[(b"prVt", b"")] * 1_000_000)
    bomb = with_chunks((b"zTXt", b"k\0\0" + zlib.compress(bytes(50 * 2**20))))
    start = time.process_time()
    assert told(storm)[0] == "PF23 the picture ends too early, or is damaged"
    assert told(bomb) == []
    assert time.process_time() - start < 2
