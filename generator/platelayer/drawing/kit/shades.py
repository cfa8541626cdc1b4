"""Inks made darker or lighter until they are read on a ground."""

from __future__ import annotations

import colorsys

from platelayer.scene.inks import BLACK, RGB, WHITE, Ink, contrast, ink_from_rgb

_YELLOWS = (0.09, 0.19)
_PASTEL = (0.8, 0.62)
"""A pastel stays soft as it darkens: above this lightness, at most this saturation."""


def darkened(ink: Ink, ground: Ink, ratio: float) -> Ink:
    """The ink, darkened until it has at least this contrast to a lighter ground. Yellows turn
    towards ochre on the way, as engravers mix them, because a dark yellow is a dull olive."""
    return _until(ink, ground, ratio, -0.02)


def lightened(ink: Ink, ground: Ink, ratio: float) -> Ink:
    """The ink, lightened until it has at least this contrast to a darker ground."""
    return _until(ink, ground, ratio, 0.02)


def _until(ink: Ink, ground: Ink, ratio: float, step: float) -> Ink:
    if contrast(ink, ground) >= ratio:
        return ink
    hue, lightness, saturation = colorsys.rgb_to_hls(*ink.rgb)
    if step < 0 and _YELLOWS[0] < hue < _YELLOWS[1] and saturation > 0.2:
        hue, saturation = _YELLOWS[0] + (hue - _YELLOWS[0]) * 0.45, min(saturation, 0.85)
    if step < 0 and lightness > _PASTEL[0]:
        saturation = min(saturation, _PASTEL[1])
    while 0 < lightness < 1:
        lightness = min(1.0, max(0.0, lightness + step))
        mixed = _ink(colorsys.hls_to_rgb(hue, lightness, saturation))
        if contrast(mixed, ground) >= ratio:
            return mixed
    return BLACK if step < 0 else WHITE


def _ink(rgb: RGB) -> Ink:
    rounded = (round(rgb[0] * 255) / 255, round(rgb[1] * 255) / 255, round(rgb[2] * 255) / 255)
    name = "#" + "".join(f"{round(part * 255):02x}" for part in rounded)
    return ink_from_rgb(rounded, name)
