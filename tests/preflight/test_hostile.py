"""Damaged and hostile files: each ends in problems or passes, in bounded time, never in a
traceback."""

from __future__ import annotations

import io
import json
import os
import random
import re
import subprocess
import sys
import time
import zlib
from functools import cache
from pathlib import Path

import pikepdf
import pytest
from bombs import BOMBS, LARGEST, with_filters
from hypothesis import given, settings
from hypothesis import strategies as st

from handmade import codes, everything, found, made, packed, raw, words
from often import often
from platelayer.definitions.themes import load_profile, profile_ids
from platelayer.foundation.problems import codes as known_codes
from platelayer.preflight.inspect import inspect_pdf

STRICT = [load_profile(profile_id).limits for profile_id in profile_ids()]
LONGEST_S = 10.0


@cache
def sample(packed_objects: bool) -> bytes:
    """A small file with fonts, forms, patterns, images, spots, layers and notes."""
    return everything(packed_objects)


def survive(data: bytes) -> None:
    """By every profile: only problems with known codes, each one line, and the same ones again."""
    start = time.process_time()
    for limits in STRICT:
        problems = found(data, limits)
        assert codes(problems) <= known_codes().keys()
        assert inspect_pdf(data, "it.pdf", limits) == problems
    assert time.process_time() - start < LONGEST_S


@pytest.mark.parametrize("packed_objects", [False, True])
def test_the_sample_itself_is_sound(packed_objects: bool) -> None:
    assert found(sample(packed_objects)) == ()
    assert {"PF11", "PF12", "PF16"} <= codes(
        found(sample(packed_objects), load_profile("drivethrucards").limits)
    )


@pytest.mark.parametrize("packed_objects", [False, True])
@pytest.mark.parametrize("part", often(range(40), *range(0, 40, 2)))
def test_cut_short(packed_objects: bool, part: int) -> None:
    data = sample(packed_objects)
    short = data[: len(data) * part // 40]
    survive(short)
    assert codes(found(short)) & {"PF01", "PF03", "PF04", "PF06"}


@pytest.mark.parametrize("seed", often(range(120), *range(50)))
def test_bytes_changed(seed: int) -> None:
    dice = random.Random(seed)
    data = bytearray(sample(seed % 2 == 0))
    for _ in range(dice.choice([1, 3, 20, 200])):
        data[dice.randrange(9, len(data))] = dice.randrange(256)
    survive(bytes(data))


_VALUES = [
    *b"null true -1 0 99999999999999999999 1e9 .5 (x) <ff> /Name [] [[]] <<>> <</S/JavaScript>> /DeviceN".split(),
    *b"[/Pattern[/Pattern]] [/Separation/X]".split(),
    *(
        b"[1 2 3 4]",
        b"[0 0 0 0]",
        b"1 0 R",
        b"3 0 R",
        b"[/Indexed/DeviceRGB 300(x)]",
        b"[/ICCBased 4 0 R]",
    ),
]


@pytest.mark.parametrize("seed", often(range(150), *range(25)))
def test_values_exchanged(seed: int) -> None:
    """Keys keep their names and get values of other kinds: what a reader least expects."""
    dice = random.Random(seed)
    data = sample(False)
    places = list(
        re.finditer(rb"(/[A-Z][A-Za-z0-9]*) (\[[^\]\[]*\]|/[A-Za-z0-9]+|\d+ 0 R|-?[\d.]+)", data)
    )
    pieces, at = [], 0
    for place in sorted(dice.sample(places, dice.choice([1, 2, 5])), key=lambda each: each.start()):
        pieces += [data[at : place.start(2)], dice.choice(_VALUES)]
        at = place.end(2)
    survive(b"".join([*pieces, data[at:]]))


@pytest.mark.parametrize("seed", often(range(60), *range(25)))
def test_streams_of_nonsense(seed: int) -> None:
    """Operators and operands in any order, some of them resources that are there."""
    dice = random.Random(seed)
    parts = (
        b"q Q cm 1 0 -5 .5 /F1 Tf 12 BT ET Tj (text) <41> Td Tm T* ' \" TJ [ ] [(a)-3] rg RG k K g G cs CS sc SCN scn "
        b"/S1 /P1 /Pattern /DeviceRGB gs /G1 Do /X1 /I1 sh /Sh1 w d J j M i f F f* B b* S s n W BI /W /H ID EI "
        b"BDC EMC BMC /OC /L1 BX EX d0 d1 Tr Tz TL Ts Tc Tw << >> true null % } 99999999999999999999 -.-5 /a#zz #"
    ).split()
    stream = b" ".join(dice.choice(parts) for _ in range(dice.choice([5, 50, 2000])))
    data = sample(False)
    whole = data.replace(b"stream\n% the page", b"stream\n" + stream + b"\n% the page", 1)
    assert whole != data
    survive(whole)


@settings(max_examples=60, deadline=None)
@given(st.binary(max_size=400))
def test_anything_behind_a_header(noise: bytes) -> None:
    survive(b"%PDF-1.7\n" + noise)


@settings(max_examples=60, deadline=None)
@given(st.binary(max_size=200))
def test_anything_as_contents(noise: bytes) -> None:
    survive(made(noise))


CATALOG, PAGES = "<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Count 1/Kids[3 0 R]>>"
PAGE = "<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 300]/Contents 4 0 R/Resources 5 0 R>>"


_SPACE = "[/Indexed" * 50 + "/DeviceRGB" + " 1 (xxxxxx)]" * 50
_CID = "<</Type/Font/Subtype/Type0/BaseFont/A/DescendantFonts[<</Subtype/CIDFontType2/W[0 2000000000 500]>>]>>"
_PICTURE = packed(
    b"",
    "/Type/XObject/Subtype/Image/Width 100000/Height 100000/ColorSpace/DeviceCMYK/BitsPerComponent 8",
)
_FOLLOWING = "<</S/JavaScript/Next[6 0 R 6 0 R]>>"
_INNER = packed(b" " * 200 * 2**20).partition(b"stream\n")[2].rpartition(b"\nendstream")[0]
_TWICE = packed(_INNER).replace(b"/Filter/FlateDecode", b"/Filter[/FlateDecode/FlateDecode]")


def page(content: bytes, resources: str = "<<>>", *more: str | bytes, root: str = "") -> bytes:
    """A file of a page with this content and these resources, and entries in its catalogue."""
    catalog = CATALOG.replace(">>", f"{root}>>")
    return raw(catalog, PAGES, PAGE, packed(content), resources, *more)


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (raw(CATALOG, "<</Type/Pages/Count 1/Kids[2 0 R]>>"), {"PF01", "PF03"}),
        (raw(CATALOG, PAGES, "<</Type/Page/Parent 3 0 R/Contents 4 0 R>>", packed(b"q")), None),
        (page(b"/S1 cs 1 scn", f"<</ColorSpace<</S1 {'[' * 3000}{']' * 3000}>>>>"), None),
        (page(b"/S1 cs 1 scn", f"<</ColorSpace<</S1 {_SPACE}>>>>"), {"PF04"}),
        (page(b"/S1 cs 1 scn", "<</ColorSpace<</S1 6 0 R>>>>", "[/Pattern 6 0 R]"), None),
        (
            page(
                b"q Q",
                "<<>>",
                "<</Kids[6 0 R 6 0 R]>>",
                root="/Names<</JavaScript 6 0 R/EmbeddedFiles 6 0 R>>",
            ),
            None,
        ),
        (page(b"q Q", "<<>>", _FOLLOWING, root="/OpenAction 6 0 R"), {"PF21"}),
        (page(b"BT /F1 9 Tf <0001> Tj ET", f"<</Font<</F1 {_CID}>>>>"), None),
        (page(b"/I Do", "<</XObject<</I 6 0 R>>>>", _PICTURE), None),
        (BOMBS["object stream of spaces"](), {"PF01", "PF03", "PF05"}),
        (raw(CATALOG, PAGES, PAGE, _TWICE, "<<>>"), {"PF05"}),
    ],
    ids=[
        "a tree of pages that bites its tail",
        "a page that is its own parent",
        "arrays in arrays",
        "colour spaces in colour spaces",
        "a colour space that is itself",
        "a name tree that bites its tail",
        "an action that follows itself",
        "a font of a billion glyphs",
        "a picture of a billion pixels",
        "a bomb in an object stream",
        "a bomb packed twice",
    ],
)
def test_what_has_no_end(data: bytes, expected: set[str] | None) -> None:
    survive(data)
    if expected:
        assert codes(found(data, load_profile("home").limits)) & expected


def test_old_packing_is_read_up_to_a_limit() -> None:
    # Spaces and `Q` as codes of nine bits, between the codes that clear and end (ISO 32000-1, 7.4.4).
    codes_of_nine = [256, 32, 32, ord("Q"), 257]
    bits = "".join(f"{code:09b}" for code in codes_of_nine).ljust(48, "0")
    packing = int(bits, 2).to_bytes(6, "big")
    short = with_filters(packing, "/Filter/LZWDecode")
    assert "without having been saved" in words(found(raw(CATALOG, PAGES, PAGE, short, "<<>>")))
    twice = with_filters(zlib.compress(packing), "/Filter[/FlateDecode/LZWDecode]")
    assert codes(found(raw(CATALOG, PAGES, PAGE, twice, "<<>>"))) == {"PF05"}
    long = with_filters(packing.ljust(2**18 + 1, b"\0"), "/Filter/LZWDecode")
    assert codes(found(raw(CATALOG, PAGES, PAGE, long, "<<>>"))) == {"PF05"}


def test_many_pages_are_not_all_looked_at() -> None:
    kids = " ".join(f"{number} 0 R" for number in range(3, 2503))
    pages = ["<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 300]/Resources<<>>>>"] * 2500
    data = raw(CATALOG, f"<</Type/Pages/Count 2500/Kids[{kids}]>>", *pages)
    assert codes(found(data)) == {"PF05"}
    assert "2500 pages; only the first 2000" in words(found(data))


def test_words_of_a_hostile_file_do_not_break_a_terminal() -> None:
    pdf = pikepdf.new()
    space = pikepdf.Array(
        [pikepdf.Name.Separation, pikepdf.Name("/\x1b[31mGold\u202e"), pikepdf.Name.DeviceCMYK, 0]
    )
    resources = pikepdf.Dictionary(ColorSpace=pikepdf.Dictionary(S1=space))
    page = pdf.add_blank_page()
    page.obj.Resources, page.obj.Contents = (
        resources,
        pdf.make_stream(b"/S1 cs 1 scn 0 0 m 9 9 l f"),
    )
    out = io.BytesIO()
    pdf.save(out)
    problems = found(out.getvalue(), load_profile("drivethrucards").limits)
    assert "PF11" in codes(problems)
    assert "\x1b" not in words(problems)


# Hostile PDFs end in problems or in none: in little memory, in little time, never in a traceback


resource = pytest.importorskip("resource", reason="only POSIX limits the memory of a process")

MEMORY = 300 * 2**20
"""Bytes of address space, of which Python with pikepdf takes nearly a half before it looks at
anything."""
SECONDS = 10
ROOT = Path(__file__).parents[2]


def _limited() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))


def checked(data: bytes, folder: Path) -> subprocess.CompletedProcess[str]:
    """The command's check of a file, in a process of its own within the limits."""
    path = folder / "it.pdf"
    path.write_bytes(data)
    words = (
        "-m",
        "platelayer",
        "preflight",
        str(path),
        "--profile",
        "drivethrucards",
        "--format",
        "json",
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "generator"), "MALLOC_ARENA_MAX": "1"}
    return subprocess.run(
        [sys.executable, *words],
        env=environment,
        preexec_fn=_limited,
        capture_output=True,
        encoding="utf-8",
        timeout=60
        * SECONDS,  # other work may keep the processor from it; what counts is its own time
        check=False,
    )


@pytest.mark.slow
@pytest.mark.parametrize("name", BOMBS)
def test_a_bomb_is_a_file_like_others(name: str, tmp_path: Path) -> None:
    data = BOMBS[name]()
    assert len(data) <= LARGEST
    done = checked(data, tmp_path)
    assert (done.returncode in (0, 1), done.stderr) == (True, ""), done.returncode
    assert {
        problem["code"] for problem in json.loads(done.stdout)["problems"]
    } <= known_codes().keys()


def test_one_bomb_is_always_tried(tmp_path: Path) -> None:
    done = checked(BOMBS["content of paths"](), tmp_path)
    assert (done.returncode, done.stderr) == (1, "")
