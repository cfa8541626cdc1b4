"""Colours that other programs call by name, as #rrggbb: theirs first, then those of CSS."""

from __future__ import annotations

import re

_NAMES = {
    "aqua": "#00ffff", "azure": "#f0ffff", "beige": "#f5f5dc", "black": "#1a1a1a", "blue": "#0a70b3",
    "brightgreen": "#6ec037", "brown": "#8b4513", "crimson": "#dc143c", "cyan": "#00b7eb", "darkblue": "#00008b",
    "darkgreen": "#006400", "darkgrey": "#808080", "darkorange": "#ff8c00", "darkred": "#8b0000",
    "deepskyblue": "#00bfff",
    "fuchsia": "#ff00ff", "gold": "#ffd700", "goldenrod": "#daa520", "gray": "#808080", "green": "#237333",
    "grey": "#808080", "indigo": "#4b0082", "ivory": "#fffff0", "khaki": "#f0e68c", "lavender": "#b57edc",
    "lightblue": "#a2dced", "lightbrown": "#c7a076", "lightgreen": "#90ee90", "lightgrey": "#d3d3d3",
    "lightgray": "#d3d3d3", "lime": "#bdbd00", "magenta": "#ff00ff", "maroon": "#800000", "mintgreen": "#b1cea3",
    "navy": "#000080", "navyblue": "#004d95", "natural": "#fbf4de", "olive": "#808000", "orange": "#f48221",
    "orchid": "#da70d6", "peru": "#cd853f", "pink": "#ff99b3", "plum": "#dda0dd", "purple": "#800080",
    "rebeccapurple": "#663399",
    "red": "#d81e3e", "rose": "#ff007f", "salmon": "#fa8072", "seagreen": "#2e8b57", "sienna": "#a0522d",
    "silver": "#c0c0c0", "skyblue": "#87ceeb", "steelblue": "#4682b4", "tan": "#d2b48c", "teal": "#008080",
    "tomato": "#ff6347", "turquoise": "#00a993", "violet": "#4d2674", "wheat": "#f5deb3", "white": "#ffffff",
    "yellow": "#ffe600", "yellowgreen": "#9acd32", "dimgray": "#696969", "lightcoral": "#f08080",
    "gray40": "#666666", "gray50": "#808080", "gray60": "#999999", "gray70": "#b3b3b3",
    "mediumpurple": "#9370db", "mediumseagreen": "#3cb371", "royalblue": "#4169e1", "forestgreen": "#228b22",
}  # fmt: skip

TILE_COLOURS = ("white", "yellow", "green", "brown", "gray", "purple", "red", "blue", "sepia")
_TILE_NAMES = {
    "grey": "gray",
    "lightblue": "blue",
    "water": "blue",
    "offboard": "red",
    "plain": "white",
    "none": "white",
}


def rgb(name: object) -> str | None:
    """A colour as #rrggbb, or None for what is no colour."""
    words = str(name or "").strip().lower().replace("_", "").replace("-", "").replace(" ", "")
    if re.fullmatch(r"#[0-9a-f]{6}([0-9a-f]{2})?", words):
        return words[:7]
    if re.fullmatch(r"#[0-9a-f]{3}", words):
        return "#" + "".join(2 * digit for digit in words[1:])
    return _NAMES.get(words) or _of_css(words)


def _of_css(words: str) -> str | None:
    import tinycss2.color3  # noqa: PLC0415 - only for names that our table does not have

    readable = words.isalpha() or words.startswith("rgb(")
    colour = tinycss2.color3.parse_color(words) if readable else None
    if colour is None or isinstance(colour, str) or not colour.alpha:
        return None
    return "#" + "".join(f"{round(part * 255):02x}" for part in colour[:3])


def tile_colour(name: object) -> str | None:
    """A colour of tiles, or None for one that Platelayer does not have."""
    words = str(name or "").strip().lower()
    words = _TILE_NAMES.get(words, words)
    return words if words in TILE_COLOURS else None
