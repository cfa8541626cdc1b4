"""Pictures for shops that take one a piece: size, resolution, colours, damage."""

from __future__ import annotations

import io
import struct
import time
import zlib
from typing import Any

import pytest
from PIL import Image

from platelayer.definitions.themes import load_profile
from platelayer.foundation.problems import has_errors
from platelayer.preflight.findings import SIGNATURE, check_png

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
