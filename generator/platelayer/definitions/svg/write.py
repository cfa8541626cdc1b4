"""Pictures as SVG files of flat shapes."""

from __future__ import annotations

from platelayer.model.picture import CURRENT, Layer, Picture

_SIDE = 100.0
"""Length of the longer side of a written picture."""


def write_svg(picture: Picture) -> bytes:
    """The file that `read_svg` reads as a picture like this."""
    width, height = picture.width * _SIDE, picture.height * _SIDE
    box = f"{_number(-width / 2)} {_number(-height / 2)} {_number(width)} {_number(height)}"
    shapes = "\n".join(map(_shape, picture.layers))
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}">\n{shapes}\n</svg>\n'.encode()


def _shape(layer: Layer) -> str:
    path = "".join(
        f"{name}{' '.join(_number(float(at) * _SIDE) for at in numbers)}"
        for name, *numbers in layer.commands
    )
    given = {"d": path, "fill": _colour(layer.fill)}
    if layer.even_odd:
        given["fill-rule"] = "evenodd"
    if layer.stroke is not None:
        given |= {"stroke": _colour(layer.stroke), "stroke-width": _number(layer.width * _SIDE)}
        given |= {"stroke-linecap": layer.cap, "stroke-linejoin": layer.join}
        if layer.dash:
            given["stroke-dasharray"] = " ".join(_number(part * _SIDE) for part in layer.dash)
    attributes = " ".join(f'{key}="{value}"' for key, value in given.items())
    return f"<path {attributes}/>"


def _colour(colour: str | None) -> str:
    return "none" if colour is None else "currentColor" if colour == CURRENT else colour


def _number(value: float) -> str:
    return f"{value:.3f}".rstrip("0").rstrip(".") or "0"
