"""Operations of content streams: what stands between operators, and streams that are made to take long."""

from __future__ import annotations

import time

import pikepdf
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from platelayer.preflight.lexer import operations, unescaped


def told(stream: bytes) -> list[tuple[bytes, bytes]]:
    """Operations with what is between them squeezed, without the empty ones."""
    found = [(b" ".join(operands.split()), operator) for operands, operator in operations(stream)]
    return [each for each in found if any(each)]


@pytest.mark.parametrize(
    ("stream", "wanted"),
    [
        (b"q 1 0 0 rg\n0 0 m 9 9 l h S Q", [(b"", b"q"), (b"1 0 0", b"rg"), (b"", b"S"), (b"", b"Q")]),
        (b"/F1 12 Tf(a)Tj", [(b"/F1 12", b"Tf"), (b"<61>", b"Tj")]),
        (b"(a(b)c\\)\\() Tj", [(b"<61286229632928>", b"Tj")]),
        (b"(\\101\\n\\\r\nx\\53) '", [(b"<410a782b>", b"'")]),
        (b'1 2 (x) "', [(b"1 2 <78>", b'"')]),
        (b"[(a) -3.5 <4142>] TJ", [(b"[<61> -3.5 <4142>]", b"TJ")]),
        (b"% a comment ( with things\nq", [(b"", b"q")]),
        (b"/P <</MCID 0 /On true>> BDC", [(b"/P <</MCID 0 /On true>>", b"BDC")]),
        (b"BI /W 1 /H 1 ID \0EI(\0 EI Q", [(b"/W 1 /H 1", b"BI"), (b"", b"Q")]),
        (b"/BI gs /ID gs", [(b"/BI", b"gs"), (b"/ID", b"gs")]),
        (b"[3 1] 0 d 1 J 0 j 4 M", []),
        (b"1 0 0 RG 1 w 0 0 9 9 re f*", [(b"1 0 0", b"RG"), (b"1", b"w"), (b"", b"f*")]),
        (b"W* n W n f", [(b"", b"W*"), (b"", b"f")]),
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
    st.sampled_from(["/Name", "/A#20b", "<41 42>", "(a(b)\\)c)", "[1 (x) /N]", "<</K [1 <41>]/T true>>", "null"]),
)
_WORD = st.sampled_from([*_SKIPPED, "q", "Q", "rg", "Tj", "TJ", "gs", "BDC", "f*", "B*", "'", '"', "T*", "d0"])
_STEP = st.tuples(st.lists(_OPERAND, max_size=4), _WORD, st.sampled_from([" ", "\n", "\r\n", " % (note\n"]))


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(_STEP, max_size=30))
def test_the_operators_are_those_that_qpdf_finds(steps: list[tuple[list[str], str, str]]) -> None:
    stream = "".join(" ".join([*operands, operator]) + gap for operands, operator, gap in steps).encode()
    pdf = pikepdf.new()
    theirs = [str(each.operator) for each in pikepdf.parse_content_stream(pikepdf.Stream(pdf, stream))]
    ours = [operator.decode() for _, operator in told(stream)]
    assert [word for word in ours if word not in _SKIPPED] == [word for word in theirs if word not in _SKIPPED]


@pytest.mark.parametrize(
    "stream",
    [
        *(b"1 ", b"(", b"<", b"[ ", b"/", b"1 2 l ", b"BI ", b" EI\x80", b"\\", b"(\\", b"<<", b"true", b"x"),
        *(b"1 2 lx", b"%", b"BI /W 1 ID x ", b"ID ", b")", b"((()"),
    ],
    ids=repr,
)
def test_repeated_half_a_million_times_it_takes_no_longer_than_its_length(stream: bytes) -> None:
    """Were the work quadratic, it would take hours."""
    whole = b"BI ID " * (stream == b" EI\x80") + stream * (500_000 // len(stream))
    start = time.process_time()
    operations(whole)
    assert time.process_time() - start < 5


def test_escapes_of_strings() -> None:
    assert unescaped(rb"\n\r\t\b\f\(\)\\\0053\q") == b"\n\r\t\b\f()\\\x053q"
