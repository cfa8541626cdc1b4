"""PDF for print shops: colour by colour, plate by plate, and the keys of PDF/X-4, on pieces of a
real game."""

from __future__ import annotations

import io
import math
import re
from collections.abc import Callable, Iterator
from functools import cache
from itertools import product
from pathlib import Path as File
from xml.etree import ElementTree

import numpy as np
import pikepdf
import pytest
from msgspec.structs import replace
from pdf_bytes import (
    document,
    forms_in,
    numbers,
    opened,
    operators,
    page_of,
    plates,
    plates_of_pages,
    run,
)
from PIL import ImageCms
from sample_scenes import card, everything
from test_true_colours import lab

from platelayer.definitions.themes import load_theme
from platelayer.drawing.kit.style import Style
from platelayer.drawing.pieces import draw_piece
from platelayer.foundation.resources import asset_path
from platelayer.imposition.paper import Document, Page
from platelayer.model.manifest import build_manifest
from platelayer.render.content import Content, Parts
from platelayer.render.pdf import render_pdf
from platelayer.scene.inks import BLACK, WHITE, Ink, as_spot, ink_from_hex
from platelayer.scene.press import PRESSES, printing_on, recipe_of
from platelayer.scene.shapes import (
    Group,
    Item,
    Path,
    Role,
    Scene,
    Stroke,
    TextRun,
    Use,
    rectangle_path,
    translation,
)
from platelayer.scene.typeset import TypeStyle, set_line
from shipped import shipped

CUT_LINE = Stroke(ink=as_spot(ink_from_hex("#ec008c"), "CutContour"), width_mm=0.25)
PROCESS = ("Cyan", "Magenta", "Yellow", "Black")
STEP = 0.5 / 255
"""Half of what one level of a plate's 256 means."""
KINDS = ("tile", "certificate", "charter")
Streams = list[tuple[pikepdf.Object, list[tuple[list, str]]]]
"""Resources of pages and forms, and their operators."""


@cache
def pieces() -> dict[str, Scene]:
    """The first piece of every kind of 18EU."""
    title = shipped("18eu")
    manifest = build_manifest(title)
    style = Style(theme=load_theme("classic"))
    first = {piece.kind: piece for piece in reversed(manifest.pieces)}
    return {
        kind: draw_piece(title, manifest, piece, style)[0] for kind, piece in sorted(first.items())
    }


def page_with(scene: Scene, *, cut: bool = True) -> Page:
    """One piece with 10 mm of paper around it, and perhaps its cut line."""
    place = translation(10, 10)
    line = Path(commands=scene.die_line, stroke=CUT_LINE, role=Role.MARK)
    items: tuple[Item, ...] = (Use(scene=scene, matrix=place),)
    if cut:
        items += (Group(items=(line,), matrix=place, layer="Cut"),)
    return page_of(*items, width_mm=scene.width_mm + 20, height_mm=scene.height_mm + 20)


@cache
def game() -> Document:
    return document(
        *(page_with(scene) for scene in pieces().values()),
        page_with(everything()),
        title="18EU — 例 <&>",
    )


@cache
def printed() -> bytes:
    return render_pdf(game(), colour="cmyk")


@pytest.fixture(scope="module")
def pdf() -> Iterator[pikepdf.Pdf]:
    with pikepdf.open(io.BytesIO(printed())) as found:
        yield found


@pytest.fixture(scope="module")
def printed_streams(pdf: pikepdf.Pdf) -> Streams:
    return [*streams(pdf)]


def streams(pdf: pikepdf.Pdf) -> Iterator[tuple[pikepdf.Object, list[tuple[list, str]]]]:
    for holder in (*pdf.pages, *forms_in(pdf)):
        yield (
            (holder.obj if isinstance(holder, pikepdf.Page) else holder)["/Resources"],
            operators(holder),
        )


def test_every_kind_of_piece_is_looked_at() -> None:
    assert set(KINDS) | {"map", "token", "train", "market", "phase-card"} <= set(pieces())


def test_no_operator_sets_rgb_or_grey_and_only_spots_have_a_space_of_their_own(
    printed_streams: Streams,
) -> None:
    found: set[str] = set()
    for resources, listed in printed_streams:
        found |= {operator for _, operator in listed}
        for operands, operator in listed:
            if operator in ("cs", "CS"):
                space = resources["/ColorSpace"][str(operands[0])]
                assert [str(part) for part in space][:3] == [
                    "/Separation",
                    "/CutContour",
                    "/DeviceCMYK",
                ]
    assert {"k", "K", "CS", "SCN"} <= found
    # Nor pictures, shadings or colours by other ways.
    assert not found & {"rg", "RG", "g", "G", "sc", "SC", "sh", "BI", "ri", "d1"}


def names_in(thing: pikepdf.Object) -> Iterator[str]:
    """Every key and name of an object, not of those it refers to."""
    if isinstance(thing, pikepdf.Name):
        yield str(thing)
    elif isinstance(thing, pikepdf.Array):
        for part in thing:
            if not getattr(part, "is_indirect", False):
                yield from names_in(part)
    elif isinstance(thing, pikepdf.Dictionary | pikepdf.Stream):
        for key, part in thing.items():
            yield str(key)
            if not getattr(part, "is_indirect", False):
                yield from names_in(part)


def test_no_object_speaks_of_rgb_transparency_or_pictures(pdf: pikepdf.Pdf) -> None:
    found = {name for thing in pdf.objects for name in names_in(thing)}
    assert {"/DeviceCMYK", "/Separation", "/OPM"} <= found
    colours = {
        "/DeviceRGB",
        "/DeviceGray",
        "/CalRGB",
        "/CalGray",
        "/Lab",
        "/ICCBased",
        "/Indexed",
        "/Pattern",
        "/DeviceN",
    }
    others = {
        "/SMask",
        "/CA",
        "/ca",
        "/BM",
        "/Group",
        "/Image",
        "/Shading",
        "/TR",
        "/TR2",
        "/HTP",
        "/OPI",
        "/JavaScript",
    }
    assert not found & (colours | others)


def test_every_recipe_is_at_most_240_percent(printed_streams: Streams) -> None:
    totals = [
        sum(numbers(operands))
        for _, listed in printed_streams
        for operands, operator in listed
        if operator in ("k", "K")
    ]
    assert len(totals) > 500
    assert max(totals) <= 2.4 + 1e-6


def test_letters_that_are_black_are_black_ink_alone(printed_streams: Streams) -> None:
    """No word is set in a dark mixture of four inks: where C, M and Y all print, black is not the
    most of it."""
    recipes: set[tuple[float, ...]] = set()
    for _, listed in printed_streams:
        fill: tuple[float, ...] = ()
        kept = []
        for operands, operator in listed:
            if operator == "q":
                kept.append(fill)
            elif operator == "Q":
                fill = kept.pop()
            elif operator == "k":
                fill = tuple(numbers(operands))
            elif operator == "Tj":
                recipes.add(fill)
    assert (0, 0, 0, 1) in recipes
    assert [recipe for recipe in recipes if min(recipe[:3]) > 0 and recipe[3] > 0.6] == []


def only(scene: Scene, kept: Callable[[Item], bool]) -> Scene:
    """A scene with some of its shapes and words alone, wherever they are nested."""

    def sifted(items: tuple[Item, ...]) -> tuple[Item, ...]:
        found: list[Item] = []
        for item in items:
            if isinstance(item, Group):
                found.append(replace(item, items=sifted(item.items)))
            elif isinstance(item, Use):
                found.append(replace(item, scene=only(item.scene, kept)))
            elif kept(item):
                found.append(item)
        return tuple(found)

    return replace(scene, items=sifted(scene.items))


def is_black_word(item: Item) -> bool:
    return isinstance(item, TextRun) and item.ink.hex == "#000000"


def is_track(item: Item) -> bool:
    return isinstance(item, Path) and item.role is Role.TRACK and item.stroke is not None


@pytest.mark.parametrize("kind", KINDS)
def test_black_words_and_track_are_on_the_black_plate_alone(kind: str, tmp_path: File) -> None:
    whole = pieces()[kind]
    black = only(whole, lambda item: is_black_word(item) or is_track(item))
    alone = plates(render_pdf(document(page_with(black, cut=False)), colour="cmyk"), tmp_path)
    assert alone["Black"].max() == 1
    for ink in ("Cyan", "Magenta", "Yellow"):
        assert not alone[ink].any()


@pytest.mark.parametrize("kind", KINDS)
def test_black_words_leave_no_gap_in_a_light_ground(kind: str, tmp_path: File) -> None:
    """The other plates are as if there were no words; only under words on 140 % and more they are
    bare."""
    whole = pieces()[kind]
    words = plates(
        render_pdf(document(page_with(only(whole, is_black_word), cut=False)), colour="cmyk"),
        tmp_path,
    )
    bare = only(whole, lambda item: not is_black_word(item))
    ground = plates(render_pdf(document(page_with(bare, cut=False)), colour="cmyk"), tmp_path)
    found = plates(render_pdf(document(page_with(whole, cut=False)), colour="cmyk"), tmp_path)
    full = words["Black"] == 1
    assert full.sum() > 50
    assert (found["Black"][full] == 1).all()
    colours = ("Cyan", "Magenta", "Yellow")
    light = full & (sum(ground[ink] for ink in colours) < 1.4)
    assert light.sum() > 50
    assert sum(ground[ink][light].sum() for ink in colours) > 0
    for ink in colours:
        assert np.array_equal(found[ink][light], ground[ink][light])
        assert not found[ink][full & ~light].any()


def test_the_plates_of_every_piece_carry_at_most_240_percent(tmp_path: File) -> None:
    pages = plates_of_pages(printed(), tmp_path, dpi=40)
    assert len(pages) == len(pieces()) + 1
    totals = [sum(found[ink] for ink in PROCESS).max() for found in pages]
    assert max(totals) <= 2.4 + 4 * STEP, totals
    assert max(totals) > 2


@pytest.mark.parametrize("kind", KINDS)
def test_the_cut_line_of_a_piece_is_on_its_own_plate_alone(kind: str, tmp_path: File) -> None:
    cut = plates(render_pdf(document(page_with(pieces()[kind])), colour="cmyk"), tmp_path)
    uncut = plates(
        render_pdf(document(page_with(pieces()[kind], cut=False)), colour="cmyk"), tmp_path
    )
    assert set(cut) - set(uncut) == {"CutContour"}
    assert cut["CutContour"].max() == 1
    for ink in PROCESS:
        assert np.array_equal(cut[ink], uncut[ink])


def test_outside_tools_accept_the_file(tmp_path: File) -> None:
    assert "No syntax or stream encoding errors" in run(["qpdf", "--check"], printed(), tmp_path)
    command = [
        "gs",
        "-q",
        "-dPDFSTOPONWARNING",
        "-dPDFSTOPONERROR",
        "-dNOPAUSE",
        "-dBATCH",
        "-sDEVICE=nullpage",
    ]
    assert run(command, printed(), tmp_path) == ""


def test_the_output_intent_is_a_cmyk_profile(pdf: pikepdf.Pdf) -> None:
    (intent,) = pdf.Root["/OutputIntents"]
    assert (str(intent["/Type"]), str(intent["/S"])) == ("/OutputIntent", "/GTS_PDFX")
    assert (str(intent["/OutputConditionIdentifier"]), str(intent["/RegistryName"])) == (
        "FOGRA39",
        "http://www.color.org",
    )
    assert str(intent["/Info"])
    profile = intent["/DestOutputProfile"]
    data = profile.read_bytes()
    assert int(profile["/N"]) == 4
    assert len(profile.read_raw_bytes()) < 0.8 * len(data)
    read = ImageCms.ImageCmsProfile(io.BytesIO(data)).profile
    assert (read.xcolor_space.strip(), read.device_class, read.profile_description) == (
        "CMYK",
        "prtr",
        "ISO Coated v2 300% (basICColor)",
    )


def test_every_profile_has_its_licence_beside_it() -> None:
    profiles = [*asset_path("icc").glob("*.icc")]
    assert profiles
    assert {path.stem for path in profiles} == {*PRESSES.values()}
    for path in profiles:
        (licence,) = path.parent.glob(f"{path.stem}-*.txt")
        words = " ".join(licence.read_text(encoding="ascii").split())
        if licence.stem.endswith("zlib"):
            assert "Copyright (c) 2007-2010, basICColor GmbH" in words
            assert "Permission is granted to anyone to use this software for any purpose" in words
        else:
            assert "CC0 1.0 Universal" in words
            assert "characterization data" in words


@pytest.mark.parametrize(
    ("press", "condition"), [("uncoated", "FOGRA47"), ("gracol", "CGATS TR 006")]
)
def test_an_intent_has_its_own_profile(press: str, condition: str) -> None:
    pages = document(page_of(Use(scene=card("card:x"))))
    coated = render_pdf(pages, colour="cmyk")
    with printing_on(press):
        data = render_pdf(pages, colour="cmyk")
    assert render_pdf(pages, colour="cmyk") == coated
    with pikepdf.open(io.BytesIO(data)) as pdf:
        (intent,) = pdf.Root["/OutputIntents"]
        profile = intent["/DestOutputProfile"].read_bytes()
        assert str(intent["/OutputConditionIdentifier"]) == condition
    assert profile == asset_path("icc", f"{PRESSES[press]}.icc").read_bytes()
    read = ImageCms.ImageCmsProfile(io.BytesIO(profile)).profile
    assert (read.xcolor_space.strip(), read.device_class) == ("CMYK", "prtr")


SPACES = {
    "dc": "http://purl.org/dc/elements/1.1/",
    "xmp": "http://ns.adobe.com/xap/1.0/",
    "xmpMM": "http://ns.adobe.com/xap/1.0/mm/",
    "pdf": "http://ns.adobe.com/pdf/1.3/",
    "pdfxid": "http://www.npes.org/pdfx/ns/id/",
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
}


def metadata(pdf: pikepdf.Pdf) -> dict[str, str]:
    """The values of the XMP packet by name."""
    found = {}
    root = ElementTree.fromstring(pdf.Root["/Metadata"].read_raw_bytes())
    for prefix, address in SPACES.items():
        for element in root.findall(f".//{{{address}}}*"):
            if prefix != "rdf":
                name = element.tag.removeprefix(f"{{{address}}}")
                found[f"{prefix}:{name}"] = "".join(element.itertext())
    return found


def test_xmp_says_what_the_info_dictionary_says(pdf: pikepdf.Pdf) -> None:
    packet, found, info = pdf.Root["/Metadata"], metadata(pdf), pdf.docinfo
    assert "/Filter" not in packet
    assert (str(packet["/Type"]), str(packet["/Subtype"])) == ("/Metadata", "/XML")
    assert found["dc:title"] == str(info["/Title"]) == "18EU — 例 <&>"
    assert found["dc:creator"] == str(info["/Author"])
    assert found["dc:description"] == str(info["/Subject"])
    assert found["xmp:CreatorTool"] == str(info["/Creator"])
    assert found["pdf:Keywords"] == str(info["/Keywords"])
    assert found["pdf:Producer"] == str(info["/Producer"])
    assert "/" + found["pdf:Trapped"] == str(info["/Trapped"]) == "/False"
    for key, name in (("/CreationDate", "xmp:CreateDate"), ("/ModDate", "xmp:ModifyDate")):
        digits = re.sub(r"\D", "", str(info[key]))
        assert digits == re.sub(r"\D", "", found[name]) == "200001010000000000"
    assert found["xmp:MetadataDate"] == found["xmp:ModifyDate"]


def test_what_pdf_x_4_asks_for(pdf: pikepdf.Pdf) -> None:
    """ISO 15930-7: version, release, names of the document, trapping, identifier, boxes, no
    encryption."""
    found = metadata(pdf)
    assert printed().startswith(b"%PDF-1.6\n")
    assert found["pdfxid:GTS_PDFXVersion"] == "PDF/X-4"
    assert re.fullmatch(
        r"uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", found["xmpMM:DocumentID"]
    )
    assert (found["xmpMM:VersionID"], found["xmpMM:RenditionClass"]) == ("1", "default")
    assert "/GTS_PDFXVersion" not in pdf.docinfo
    assert len(pdf.trailer["/ID"]) == 2
    assert "/Encrypt" not in pdf.trailer
    for page in pdf.pages:
        media, bleed, trim = (
            numbers(page.obj[key]) for key in ("/MediaBox", "/BleedBox", "/TrimBox")
        )
        assert "/ArtBox" not in page.obj
        assert "/Annots" not in page.obj
        assert media[0] <= bleed[0] <= trim[0] < trim[2] <= bleed[2] <= media[2]
        assert media[1] <= bleed[1] <= trim[1] < trim[3] <= bleed[3] <= media[3]


def test_rgb_files_claim_nothing_and_use_no_process_ink() -> None:
    with opened(game()) as pdf:
        assert not {"/OutputIntents", "/Metadata"} & set(pdf.Root.keys())
        found = {operator for _, listed in streams(pdf) for _, operator in listed}
        assert not found & {"k", "K"}
        names = {name for thing in pdf.objects for name in names_in(thing)}
        assert not names & {"/DeviceCMYK", "/SMask", "/CA", "/ca", "/BM", "/Group"}


def test_a_title_no_xml_can_hold_does_no_harm(tmp_path: File) -> None:
    made = document(
        page_of(),
        title="a\x00b\x0b]]>\ud83d\ude82".encode("utf-16", "surrogatepass").decode("utf-16"),
    )
    with opened(made, colour="cmyk") as pdf:
        assert metadata(pdf)["dc:title"] == "a\ufffdb\ufffd]]>\U0001f682"
    assert "No syntax" in run(["qpdf", "--check"], render_pdf(made, colour="cmyk"), tmp_path)


# What is too small for the plates of a press to meet on: black words overprint, fine things are
# of few inks


BROWN = Ink("brown", (0.5, 0.35, 0.2), (0.3, 0.5, 0.8, 0.4))
TINT = Ink("tint", (0.9, 0.8, 0.7), (0.1, 0.2, 0.3, 0.0))
STRONG = Ink("strong", (0.9, 0.2, 0.4), (0.2, 0.8, 0.5, 0.0))


def style(size_pt: float) -> TypeStyle:
    return TypeStyle(faces=("BarlowCondensed-Bold",), size_pt=size_pt)


def piece(key: str, ground: Ink, words: Ink = BLACK, size_pt: float = 24.0) -> Scene:
    """A card of 60 x 20 mm with HHH on its ground."""
    items: tuple[Item, ...] = (
        Path(commands=rectangle_path(0, 0, 60, 20), fill=ground),
        *set_line("HHHHHH", style(size_pt), words, 5, 14),
    )
    return Scene(key=key, width_mm=60, height_mm=20, items=items)


def sheet(*items: Item, folder: File) -> dict[str, np.ndarray]:
    return plates(render_pdf(document(page_of(*items)), colour="cmyk"), folder)


def placed(scene: Scene, y: float = 20.0, scale: float = 1.0) -> Use:
    return Use(scene=scene, matrix=(scale, 0.0, 0.0, scale, 20.0, y))


def test_black_words_on_a_tint_leave_its_plates_alone(tmp_path: File) -> None:
    found = sheet(placed(piece("card", TINT)), folder=tmp_path)
    black = found["Black"] == 1
    assert black.sum() > 1000
    for ink, share in zip(PROCESS[:3], TINT.cmyk, strict=False):
        assert found[ink][black] == pytest.approx(share, abs=0.01)


def test_large_black_figures_knock_out(tmp_path: File) -> None:
    ground = Path(commands=rectangle_path(0, 0, 60, 20), fill=TINT)
    figures = set_line("HHH", style(30), BLACK, 5, 14)
    large = Scene(key="large", width_mm=60, height_mm=20, items=(ground, *figures))
    found = sheet(placed(large), folder=tmp_path)
    black = found["Black"] == 1
    assert black.sum() > 1000
    assert not any(found[ink][black].any() for ink in PROCESS[:3])


def test_black_words_on_140_percent_and_more_knock_out(tmp_path: File) -> None:
    found = sheet(placed(piece("card", STRONG)), folder=tmp_path)
    black = found["Black"] == 1
    assert black.sum() > 1000
    assert not any(found[ink][black].any() for ink in PROCESS[:3])


def test_a_form_that_lies_on_a_dark_ground_somewhere_knocks_out_everywhere(tmp_path: File) -> None:
    label = Scene(
        key="label", width_mm=60, height_mm=20, items=set_line("HHHHHH", style(24), BLACK, 5, 14)
    )
    grounds = (TINT, STRONG)
    cards = [
        Scene(
            key=ground.name,
            width_mm=60,
            height_mm=20,
            items=(Path(commands=rectangle_path(0, 0, 60, 20), fill=ground), Use(scene=label)),
        )
        for ground in grounds
    ]
    found = sheet(*(placed(card, 20 + 30 * row) for row, card in enumerate(cards)), folder=tmp_path)
    black = found["Black"] == 1
    assert not any(found[ink][black].any() for ink in PROCESS[:3])
    alone = sheet(placed(cards[0]), folder=tmp_path)
    assert alone["Magenta"][alone["Black"] == 1] == pytest.approx(0.2, abs=0.01)


def test_black_words_over_a_dark_line_knock_out(tmp_path: File) -> None:
    card = piece("card", TINT)
    line = Path(commands=(("M", 0, 11), ("L", 60, 11)), stroke=Stroke(ink=STRONG, width_mm=1))
    crossed = Scene(
        key="crossed", width_mm=60, height_mm=20, items=(card.items[0], line, *card.items[1:])
    )
    found = sheet(placed(crossed), folder=tmp_path)
    black = found["Black"] == 1
    assert not any(found[ink][black].any() for ink in PROCESS[:3])


def test_what_follows_black_words_knocks_out_again(tmp_path: File) -> None:
    card = piece("card", TINT)
    patch = Path(commands=rectangle_path(0, 0, 5, 20), fill=WHITE)
    found = sheet(
        placed(Scene(key="c", width_mm=60, height_mm=20, items=(*card.items, patch))),
        folder=tmp_path,
    )
    middle, per_mm = int(30 * 150 / 25.4), 150 / 25.4
    assert found["Yellow"][middle, int(22 * per_mm)] == 0
    assert found["Yellow"][middle, int(78 * per_mm)] == pytest.approx(0.3, abs=0.01)


def inks_on(found: dict[str, np.ndarray]) -> set[str]:
    return {ink for ink in PROCESS if found[ink].max() > 0.02}


@pytest.mark.parametrize(
    ("size_pt", "scale", "most"), [(7.9, 1.0, 2), (8.0, 1.0, 3), (12.0, 0.5, 2), (5.0, 2.0, 3)]
)
def test_small_words_are_of_two_inks(
    size_pt: float, scale: float, most: int, tmp_path: File
) -> None:
    """Their size counts as they are placed."""
    found = sheet(placed(piece("card", WHITE, BROWN, size_pt), scale=scale), folder=tmp_path)
    assert len(inks_on(found)) == most


@pytest.mark.parametrize(("width_mm", "most"), [(0.1, 3), (0.17, 3), (0.25, 4)])
def test_hairlines_are_of_three_inks(width_mm: float, most: int, tmp_path: File) -> None:
    line = Path(
        commands=(("M", 20, 20), ("L", 90, 25)), stroke=Stroke(ink=BROWN, width_mm=width_mm)
    )
    assert len(inks_on(sheet(line, folder=tmp_path))) == most


def look(recipe: tuple[float, ...]) -> tuple[float, float, float]:
    """CIE Lab of a recipe by the profile."""
    light, one, other = lab("CMYK", recipe)
    return light, one, other


@pytest.mark.parametrize(
    "colour",
    [
        "#a24e00",
        "#237644",
        "#93391b",
        "#14245c",
        "#8fce8a",
        "#7d3922",
        "#b3122a",
        "#ac5300",
        "#5c4a09",
        "#4f4435",
    ],
)
def test_three_inks_look_like_four(colour: str) -> None:
    """Most of these were olive, crimson or teal with two inks that were as dark."""
    three, four = (recipe_of(ink_from_hex(colour), most) for most in (3, 4))
    assert sum(map(bool, three)) <= 3
    assert math.dist(look(three), look(four)) < 2


@pytest.mark.parametrize(
    "colour", ["#a24e00", "#c03d29", "#cf3237", "#5b2d82", "#ac5300", "#772282", "#ca291e"]
)
def test_small_words_keep_their_hue_where_two_inks_can_be_as_dark(colour: str) -> None:
    two, whole = (recipe_of(ink_from_hex(colour), most) for most in (2, 4))
    assert sum(map(bool, two)) <= 2
    turns = [math.degrees(math.atan2(b, a)) for _, a, b in (look(two), look(whole))]
    assert abs((turns[0] - turns[1] + 180) % 360 - 180) < 22


@pytest.mark.parametrize("level", range(0, 256, 51))
def test_no_fine_colour_is_of_more_inks_than_it_may_be(level: int) -> None:
    for red, blue in product(range(0, 256, 51), repeat=2):
        ink = ink_from_hex(f"#{red:02x}{level:02x}{blue:02x}")
        for most in (2, 3):
            recipe = recipe_of(ink, most)
            assert sum(map(bool, recipe)) <= most, ink.name
            assert math.fsum(recipe) <= 2.4 + 1e-9


def test_parts_of_other_files_serve_only_where_they_print_alike() -> None:
    """The same words, at two sizes, on grounds on which black overprints and on which it does not,
    for the screen and for two presses."""
    words = (*set_line("HH", style(30), BLACK, 5, 14), *set_line("HH", style(30), BROWN, 30, 14))
    inner = Scene(key="words", width_mm=60, height_mm=20, items=tuple(words))
    known: dict[bytes, Content] = {}
    files = set()
    for press, ground, scale, colour in product(
        ("coated", "uncoated"), (TINT, STRONG), (1.0, 0.2), ("rgb", "cmyk", "gray")
    ):
        items = (Path(commands=rectangle_path(0, 0, 60, 20), fill=ground), Use(scene=inner))
        card = Scene(key="card", width_mm=60, height_mm=20, items=items)
        made = document(page_of(placed(card, scale=scale)))
        parts = Parts(dict(known))
        with printing_on(press):
            file = render_pdf(made, colour=colour)
            assert render_pdf(made, colour=colour, parts=parts) == file
        known |= parts.used
        files.add(file)
    # Screens do not know the press.
    assert len(files) == 2 * 2 * 2 + 2 * 2 * 2
