"""PNG and JPEG files: checking them, removing what is not printed, and reading their pixels."""

from __future__ import annotations

import re
import struct
from base64 import b64encode
from collections.abc import Iterator, Sequence
from io import BytesIO
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from platelayer.foundation.problems import CannotRun

if TYPE_CHECKING:
    from PIL.Image import Image

# Limits of pictures that are read: size of the file, number of pixels, minimum width.
MAX_BYTES = 4 * 1024 * 1024
_MOST_PIXELS, _NARROWEST = 25_000_000, 100
SUFFIX = re.compile(r"\.(png|jpe?g)", re.IGNORECASE)
_PNG, _JPEG = b"\x89PNG\r\n\x1a\n", b"\xff\xd8"
# Chunks that determine the pixels of a PNG. Other chunks contain text, dates and colour profiles.
_CHUNKS = (b"IHDR", b"PLTE", b"tRNS", b"IDAT", b"IEND")
# Segments of a JPEG that do not determine its pixels: comments, and application data other than
# JFIF's and Adobe's.
_ASIDE = {*range(0xE1, 0xF0), 0xFE} - {0xEE}
_START_OF_SCAN = 0xDA
_STARTS_OF_FRAME = {*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC}
# PNG colour types from this one on have an alpha channel.
_WITH_OPACITY = 4
_UPRIGHT = 1
_ORIENTATION = 0x0112
# Minimum opacity (0-255) of pixels that print where transparency is not available.
_HALF = 128


class NotPixels(ValueError):
    """Raised for a file that is not a bitmap picture, or one that cannot be printed, with a
    hint."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message, self.hint = message, hint


class Pixels(Struct, frozen=True, array_like=True, cache_hash=True):
    """A PNG or JPEG file in sRGB, reduced to its pixels. `is_grey` is true if all are grey, `mean`
    is their mean colour as #rrggbb, `file` the path by which people know it."""

    data: bytes
    width: int
    height: int
    opaque: bool
    is_grey: bool
    mean: str
    file: str

    @property
    def address(self) -> str:
        """The file as a data URL."""
        kind = "jpeg" if self.is_jpeg else "png"
        return f"data:image/{kind};base64,{b64encode(self.data).decode()}"

    @property
    def is_jpeg(self) -> bool:
        """True if a PDF can contain the file as it is."""
        return self.data.startswith(_JPEG)


def read_pixels(data: bytes, file: str) -> Pixels:
    """Return the picture in a file. Raises NotPixels."""
    if len(data) > MAX_BYTES:
        raise NotPixels(f"the file has more than {MAX_BYTES // 1024**2} MB", "save it smaller")
    is_png = data.startswith(_PNG)
    if not is_png and not data.startswith(_JPEG):
        raise NotPixels("the file is neither PNG nor JPEG", "export it as PNG, JPEG or SVG")
    try:
        parts = [_PNG, *_chunks(data)] if is_png else [_JPEG, *_segments(data)]
        kept = b"".join(parts)
        with _opened(data) as image:
            _refuse_unprintable(image)
            orientation = image.getexif().get(_ORIENTATION, _UPRIGHT)
            image.load()
            shown, is_grey = _as_rgb(image), image.mode == "L"
    except NotPixels:
        raise
    except CannotRun:
        return _by_its_head(parts, file)
    except Exception as error:  # Pillow raises many exceptions for damaged files
        raise NotPixels("the file is damaged or incomplete", "export it again") from error
    if orientation != _UPRIGHT and not is_png:
        from PIL import ImageOps

        shown.getexif()[_ORIENTATION] = orientation
        shown = ImageOps.exif_transpose(shown)
        kept = _png(shown)
    opaque = shown.mode == "RGB" or shown.getchannel("A").getextrema()[0] == 255
    return _pixels_of(shown, kept, opaque, is_grey, file)


def _pixels_of(image: Image, data: bytes, opaque: bool, is_grey: bool, file: str) -> Pixels:
    from PIL.ImageStat import Stat

    alpha = image.getchannel("A") if image.mode == "RGBA" else None
    mask = alpha if alpha is not None and alpha.getbbox() else None
    red, green, blue = map(round, Stat(image.convert("RGB"), mask).mean)
    mean = f"#{red:02x}{green:02x}{blue:02x}"
    return Pixels(data, image.width, image.height, opaque, is_grey, mean, file)


def _by_its_head(parts: Sequence[bytes], file: str) -> Pixels:
    """Return a picture known only by its header, without Pillow. A browser has no Pillow; it can
    show the file but not read its pixels."""
    head = parts[1]
    if parts[0] == _PNG:
        width, height, _, colour = struct.unpack_from(">IIBB", head, 8)
        opaque = colour < _WITH_OPACITY and not any(part[4:8] == b"tRNS" for part in parts)
        is_grey = colour == 0
    else:
        head = next(part for part in parts[1:] if part[1] in _STARTS_OF_FRAME)
        height, width, channels = struct.unpack_from(">HHB", head, 5)
        opaque, is_grey = True, channels == 1
    return Pixels(
        b"".join(parts),
        width,
        height,
        opaque=opaque,
        is_grey=is_grey,
        mean="#808080",
        file=file,
    )


def _refuse_unprintable(image: Image) -> None:
    """Raise NotPixels for a picture that is too large, or not 8-bit RGB or grey."""
    width, height = image.size
    if width * height > _MOST_PIXELS:
        raise NotPixels(
            f"the picture has {width} x {height} pixels; at most {_MOST_PIXELS:,} are read",
            "save it with fewer",
        )
    if max(width, height) > _NARROWEST * min(width, height):
        raise NotPixels(
            f"the picture has {width} x {height} pixels: a side is at most {_NARROWEST} times the other"
        )
    if image.mode not in ("1", "L", "LA", "P", "PA", "RGB", "RGBA"):
        raise NotPixels(
            f"the picture's colours are {image.mode}", "save it in RGB or grey, 8 bits a channel"
        )


def _opened(data: bytes) -> Image:
    try:
        from PIL.Image import open as open_image
    except ImportError as error:
        raise CannotRun(
            "a browser shows PNG and JPEG pictures, but cannot print them: use SVG, or the program on a computer"
        ) from error
    return open_image(BytesIO(data), formats=("PNG", "JPEG"))


def _as_rgb(image: Image) -> Image:
    """Return the image as RGBA if it may have transparent parts, else as RGB."""
    clear = image.mode in ("LA", "PA", "RGBA") or "transparency" in image.info
    return image.convert("RGBA" if clear else "RGB")


def _chunks(data: bytes) -> Iterator[bytes]:
    """Yield the chunks of a PNG that affect its pixels."""
    at = len(_PNG)
    while at < len(data):
        size, name = struct.unpack_from(">I4s", data, at)
        if name in _CHUNKS:
            yield data[at : at + size + 12]
        if name == b"IEND":
            return
        at += size + 12


def _segments(data: bytes) -> Iterator[bytes]:
    """Yield the segments of a JPEG that affect its pixels."""
    at = len(_JPEG)
    while True:
        mark, kind, size = struct.unpack_from(">BBH", data, at)
        if mark != 0xFF:
            raise ValueError("a segment is missing")
        if kind == _START_OF_SCAN:
            yield data[at:]
            return
        if kind not in _ASIDE:
            yield data[at : at + 2 + size]
        at += 2 + size


def image_of(pixels: Pixels) -> Image:
    """Return the picture in RGB or RGBA."""
    with _opened(pixels.data) as image:
        return _as_rgb(image)


def as_grey(pixels: Pixels) -> Pixels:
    """Return the picture in grey."""
    image = image_of(pixels)
    return _replaced(pixels, image.convert("L" if image.mode == "RGB" else "LA"))


def in_colours(pixels: Pixels, table: Sequence[float], steps: int) -> Pixels:
    """Return the picture with other colours. `table` gives red, green and blue, 0 to 1, at each
    node of a colour cube whose outermost axis is blue."""
    image = image_of(pixels)
    changed = _through(image.convert("RGB"), table, steps, "RGB")
    if image.mode == "RGBA":
        changed.putalpha(image.getchannel("A"))
    return _replaced(pixels, changed)


def inks_of(pixels: Pixels, table: Sequence[float], steps: int, black: bytes, grey: int) -> bytes:
    """Return cyan, magenta, yellow and black of each pixel, 0 to 255, row by row. `table` gives
    them at each node of a colour cube whose outermost axis is blue. Where red, green and blue
    differ by at most `grey`, only black is used, by the table `black` for each level of grey."""
    from PIL import ImageChops
    from PIL.Image import merge, new

    image = image_of(pixels).convert("RGB")
    mixed = _through(image, table, steps, "CMYK")
    red, green, blue = image.split()
    high = ImageChops.lighter(ImageChops.lighter(red, green), blue)
    low = ImageChops.darker(ImageChops.darker(red, green), blue)
    is_grey = ImageChops.subtract(high, low).point([255] * (grey + 1) + [0] * (255 - grey))
    none = new("L", image.size)
    mixed.paste(merge("CMYK", (none, none, none, green.point([*black]))), mask=is_grey)
    packed: bytes = mixed.tobytes()
    return packed


def colours_of(pixels: Pixels) -> bytes:
    """Return red, green and blue of each pixel, row by row."""
    return image_of(pixels).convert("RGB").tobytes()


def opacity_of(pixels: Pixels) -> bytes:
    """Return the opacity of each pixel, 0 to 255, row by row."""
    return image_of(pixels).getchannel("A").tobytes()


def mask_of(pixels: Pixels) -> bytes:
    """Return one bit per pixel, 1 where it is mostly transparent, in rows of whole bytes."""
    from PIL.Image import Dither

    alpha = image_of(pixels).getchannel("A")
    return (
        alpha.point([255] * _HALF + [0] * (256 - _HALF)).convert("1", dither=Dither.NONE).tobytes()
    )


def _through(image: Image, table: Sequence[float], steps: int, mode: str) -> Any:
    from PIL.Image import merge
    from PIL.ImageFilter import Color3DLUT

    # In Pillow's tables red varies fastest.
    turned = merge("RGB", image.split()[::-1])
    return turned.filter(Color3DLUT(steps, table, channels=len(mode), target_mode=mode))


def _replaced(pixels: Pixels, image: Image) -> Pixels:
    shown = image.convert("RGBA" if image.mode in ("LA", "RGBA") else "RGB")
    return _pixels_of(shown, _png(image), pixels.opaque, image.mode == "L", pixels.file)


def _png(image: Image) -> bytes:
    file = BytesIO()
    image.save(file, "PNG")
    return file.getvalue()
