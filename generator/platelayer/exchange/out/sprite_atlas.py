"""Where each sprite lies in a picture, as JSON.

The form is the hash that TexturePacker writes and most game engines read: `frames` by name, `meta` about the picture.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

Rectangle = tuple[int, int, int, int]


def atlas_json(
    image: str, size_px: tuple[int, int], frames: Mapping[str, Rectangle], counts: Mapping[str, int]
) -> bytes:
    """The atlas of one picture. `frames` are left, top, width and height in pixels by name, `counts` how many copies of
    each the box holds."""
    value = {
        "frames": {name: _frame(frame) | {"count": counts[name]} for name, frame in frames.items()},
        "meta": {
            "app": "Platelayer",
            "version": "1",
            "image": image,
            "format": "RGBA8888",
            "size": {"w": size_px[0], "h": size_px[1]},
            "scale": "1",
        },
    }
    return (json.dumps(value, ensure_ascii=False, indent=1) + "\n").encode()


def _frame(frame: Rectangle) -> dict[str, object]:
    x, y, width, height = frame
    return {
        "frame": {"x": x, "y": y, "w": width, "h": height},
        "rotated": False,
        "trimmed": False,
        "spriteSourceSize": {"x": 0, "y": 0, "w": width, "h": height},
        "sourceSize": {"w": width, "h": height},
    }
