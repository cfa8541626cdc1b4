"""Operations of content streams: what stands between operators, and streams that are made to take
long."""

from __future__ import annotations

import collections
import re
import time
import tracemalloc
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

import pikepdf
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from plain_lexer import PATHS, plain_operations

from often import often
from packs import Pack, build
from platelayer.pipeline.options import BuildOptions
from platelayer.preflight.content import MAX_OPERANDS, operations, unescaped
from platelayer.preflight.document import MAX_STEPS, Budget, TooMuch

ROOT = Path(__file__).resolve().parents[2]


def told(stream: bytes) -> list[tuple[bytes, bytes]]:
    """Operations with what is between them squeezed, without the empty ones and what builds
    paths."""
    found = [
        (b" ".join(operands.split()), operator)
        for operands, operator in operations(stream, Budget())
    ]
    return [each for each in found if any(each) and each[1] not in PATHS]


@pytest.mark.parametrize(
    ("stream", "wanted"),
    [
        (
            b"q 1 0 0 rg\n0 0 m 9 9 l h S Q",
            [(b"", b"q"), (b"1 0 0", b"rg"), (b"", b"S"), (b"", b"Q")],
        ),
        (b"/F1 12 Tf(a)Tj", [(b"/F1 12", b"Tf"), (b"<61>", b"Tj")]),
        (b"(a(b)c\\)\\() Tj", [(b"<61286229632928>", b"Tj")]),
        (b"(\\101\\n\\\r\nx\\53) '", [(b"<410a782b>", b"'")]),
        (b'1 2 (x) "', [(b"1 2 <78>", b'"')]),
        (b"[(a) -3.5 <4142>] TJ", [(b"[<61> -3.5 <4142>]", b"TJ")]),
        (b"% a comment ( with things\nq", [(b"", b"q")]),
        (b"/P <</MCID 0 /On true>> BDC", [(b"/P <</MCID 0 /On true>>", b"BDC")]),
        (b"BI /W 1 /H 1 ID \0EI(\0 EI Q", [(b"", b"BI"), (b"/W 1 /H 1", b"ID"), (b"", b"Q")]),
        (
            b"BI/W 1/N(a)/IM true ID EI Q",
            [(b"", b"BI"), (b"/W 1/N<61>/IM true", b"ID"), (b"", b"Q")],
        ),
        (b"/BI gs /ID gs", [(b"/BI", b"gs"), (b"/ID", b"gs")]),
        (b"[3 1] 0 d 1 J 0 j 4 M", []),
        (b"1 0 0 RG 1 w 0 0 9 9 re f*", [(b"1 0 0", b"RG"), (b"1", b"w"), (b"", b"f*")]),
        (b"W* n W n f", [(b"", b"f")]),
        (b"1\0.5\0 0\0rg\0(\0)Tj", [(b"1 .5 0", b"rg"), (b"<00>", b"Tj")]),
        (b"1 2 % three\n4 5 6 cm % and so on", [(b"1 2 4 5 6", b"cm")]),
        (b"0 0 % a point\nm 1 w", [(b"1", b"w")]),
        (
            b"1 > 2 < 3 <xy> g",
            [(b"1", b">"), (b"2", b"<"), (b"3", b"<"), (b"", b"xy"), (b"", b">"), (b"", b"g")],
        ),
        (b"[true/false null]true x", [(b"[true/false null]true", b"x")]),
        (b"1 2 3", [(b"1 2 3", b"")]),
        (b"}q", [(b"", b"}"), (b"", b"q")]),
        (b"truest", [(b"", b"truest")]),
        (b"(never closed Tj", [(b"<6e6576657220636c6f73656420546a>", b"")]),
        (b"", []),
    ],
)
def test_operations(stream: bytes, wanted: list[tuple[bytes, bytes]]) -> None:
    assert told(stream) == wanted


_SKIPPED = {*"clmhvyJjdMinW", "W*", "re", "ri"}
_NUMBER = st.sampled_from(["0", "-1", "+2.5", ".5", "-.25", "300."])
_OPERAND = st.one_of(
    _NUMBER,
    st.sampled_from(
        ["/Name", "/A#20b", "<41 42>", "(a(b)\\)c)", "[1 (x) /N]", "<</K [1 <41>]/T true>>", "null"]
    ),
)
_WORD = st.sampled_from(
    [*_SKIPPED, "q", "Q", "rg", "Tj", "TJ", "gs", "BDC", "f*", "B*", "'", '"', "T*", "d0"]
)
_STEP = st.tuples(
    st.lists(_OPERAND, max_size=4), _WORD, st.sampled_from([" ", "\n", "\r\n", " % (note\n"])
)


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(_STEP, max_size=30))
def test_the_operators_are_those_that_qpdf_finds(steps: list[tuple[list[str], str, str]]) -> None:
    stream = "".join(
        " ".join([*operands, operator]) + gap for operands, operator, gap in steps
    ).encode()
    pdf = pikepdf.new()
    theirs = [
        str(each.operator) for each in pikepdf.parse_content_stream(pikepdf.Stream(pdf, stream))
    ]
    ours = [operator.decode() for _, operator in told(stream)]
    assert [word for word in ours if word not in _SKIPPED] == [
        word for word in theirs if word not in _SKIPPED
    ]


# Whatever may stand in a stream, with and without space between, and more of it than the engine
# takes at a time.
_SOUP = st.sampled_from(
    b"1 -2.5 .5 + [ ] [1 2] /N / /a#20 << >> <41> <4 1> <> < > <x (a) (b(c)d) (e\\)) (\\ ( ) { } % %c\n \r \0 \v \x80 "
    b"q Q rg scn Tj ' \" f* W* W re m l c h n ri d0 T* BT BDC Do gs true false null truest BI ID EI ID\x80 EI\x80 "
    b"#".split(b" ")
)
_TIMES = st.sampled_from([1] * 30 + [2, 3, 999, 1000, 1001, 2500])
_GAP = st.sampled_from([b" "] * 5 + [b"", b"\n", b"\0", b"\r\n", b" EI "])
_PIECE = st.tuples(_SOUP, _GAP, _TIMES)


@settings(deadline=None, max_examples=400, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(_PIECE, max_size=40))
@example(
    [
        (b"q", b" ", 1),
        (b"1", b" ", 3),
        (b"rg", b"\n", 1),
        (b"0 0 m 9 9 l", b" ", 1000),
        (b"1", b" ", 3),
        (b"rg", b"", 1),
    ]
)
def test_what_it_finds_is_what_is_there(pieces: list[tuple[bytes, bytes, int]]) -> None:
    stream = b"".join((piece + gap) * times for piece, gap, times in pieces)
    assert told(stream) == plain_operations(stream)


@settings(deadline=None, max_examples=400)
@given(st.binary(max_size=200))
def test_nonsense_is_read_as_it_stands(stream: bytes) -> None:
    assert told(stream) == plain_operations(stream)


def content_streams(paths: Iterable[Path]) -> Iterator[bytes]:
    """All forms and contents of pages."""
    for path in paths:
        with pikepdf.open(path) as pdf:
            contents = {page.obj.Contents.objgen for page in pdf.pages}
            for each in pdf.objects:
                if isinstance(each, pikepdf.Stream) and (
                    each.objgen in contents or each.get("/Subtype") == "/Form"
                ):
                    yield each.read_bytes()


def test_our_own_streams_are_read_as_they_stand(pack: Pack) -> None:
    streams = sorted(content_streams(path for path in pack.files if path.suffix == ".pdf"), key=len)
    assert len(streams) > 300
    for stream in streams[:: len(streams) // 100]:
        assert told(stream) == plain_operations(stream)


@pytest.mark.slow
@pytest.mark.parametrize("title", ["1824", "1841", "18cz", "18eu", "lost-atlas"])
def test_all_streams_of_all_titles_are_read_as_they_stand(title: str, tmp_path: Path) -> None:
    files = build(title, tmp_path, BuildOptions()).files
    streams = list(content_streams(path for path in files if path.suffix == ".pdf"))
    assert len(streams) > 300
    for stream in streams:
        assert told(stream) == plain_operations(stream)


@pytest.mark.parametrize(
    "unit",
    [
        *(
            b"1 ",
            b"(",
            b"<",
            b"[ ",
            b"/",
            b"1 2 l ",
            b"BI ",
            b" EI\x80",
            b"\\",
            b"(\\",
            b"<<",
            b"true",
            b"x",
            b"true ",
        ),
        *(b"1 2 lx", b"%", b"%\n", b"BI /W 1 ID x ", b"ID ", b")", b"((()", b"0 0 m S "),
    ],
    ids=repr,
)
def test_repeated_half_a_million_times_it_takes_no_longer_than_its_length(unit: bytes) -> None:
    """Were the work quadratic, it would take hours."""
    whole = b"BI ID " * (unit == b" EI\x80") + unit * (500_000 // len(unit))
    start = time.process_time()
    read(whole)
    assert time.process_time() - start < 5


@pytest.mark.parametrize(
    "unit",
    often(
        [b"0 0 m ", b"/a ", b"<>", b"<<", b"()", b"}", b"S ", b"0 0 m S ", b"true x "],
        *[b"0 0 m ", b"<<", b"()", b"S ", b"true x "],
    ),
)
def test_repeated_many_times_it_takes_little_memory(unit: bytes) -> None:
    """The engine keeps a hundred bytes and more for each turn of a group, a list as much for each
    operation."""
    whole = unit * (300_000 // len(unit))
    tracemalloc.start()
    read(whole)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 3_000_000


def read(stream: bytes) -> None:
    with suppress(TooMuch):
        collections.deque(operations(stream, Budget()), maxlen=0)


def test_an_operator_has_its_limit() -> None:
    for operands in (b"1 ", b"/a ", b"(a)", b"true "):
        with pytest.raises(TooMuch, match="more than 1 MB of operands"):
            list(operations(operands * (MAX_OPERANDS // len(operands) + 2) + b"w", Budget()))
    with pytest.raises(TooMuch, match="more than 1 MB of operands"):
        list(operations(b"(" * MAX_OPERANDS * 2, Budget()))


def test_what_takes_long_to_read_is_counted() -> None:
    for unit in (b"%\n", b"()", b"(()())", b"(\\n)"):
        budget = Budget()
        with suppress(TooMuch):
            list(operations(unit * 10_000 + b" Tj", budget))
        assert MAX_STEPS - budget.steps >= 10_000


def test_no_quantifier_is_possessive_over_a_group() -> None:
    """Python 3.11.0 to 3.11.4 match those wrongly (gh-106052), which made every print fail its
    preflight."""
    for path in sorted((ROOT / "generator").rglob("*.py")):
        found = re.search(r"(?<!\\)\)(?:[*+?]|\{\d*,?\d*\})\+(?![ +=\w])", path.read_text("utf-8"))
        assert found is None, f"{path.name}: {found[0] if found else ''}"


def test_escapes_of_strings() -> None:
    assert unescaped(rb"\n\r\t\b\f\(\)\\\0053\q") == b"\n\r\t\b\f()\\\x053q"
