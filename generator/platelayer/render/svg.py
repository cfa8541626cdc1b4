"""SVG drawings: text as outlines, each glyph and each placed scene defined once."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from xml.etree import ElementTree
from zlib import crc32

import svgwrite

from platelayer.foundation.geometry import MM_PER_PT
from platelayer.render.scenes import used_scenes
from platelayer.scene.fonts import advances, face_names, glyph_outline
from platelayer.scene.inks import BLACK, Ink
from platelayer.scene.paths import matrix_numbers, number, numbers, svg_path
from platelayer.scene.shapes import (
    IDENTITY,
    SHARE,
    Circle,
    Command,
    Group,
    Image,
    Item,
    Matrix,
    Path,
    Scene,
    Stroke,
    TextRun,
    Use,
)

# Units per em of the glyphs we define, so that most fonts have whole numbers.
_EM = 1000
_Attributes = dict[str, str | None]
_INKSCAPE = "http://www.inkscape.org/namespaces/inkscape"
# Characters that must be escaped in attributes.
_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"}
_SPECIAL = re.compile('[&<>"\r\n\t]')
_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def render_svg(scene: Scene, *, title: str = "", bleed: bool = False) -> bytes:
    """Return an SVG 1.1 document, UTF-8, one element per line, sized in mm with a viewBox in mm.

    Without `bleed` the drawing ends at the trim, or at the outline if the scene has one; with it,
    `bleed_mm` beyond the trim on every side. Text is drawn as outlines, so the drawing needs no
    fonts and looks the same everywhere; its words are in `aria-label`. Groups with a layer name it
    in `data-layer`, and are layers in Inkscape. `title` is shown by browsers; if it is "", the
    scene's label is.
    """
    edge = scene.bleed_mm if bleed else 0.0
    width, height = scene.width_mm + 2 * edge, scene.height_mm + 2 * edge
    drawing = svgwrite.Drawing(
        size=(f"{number(width)}mm", f"{number(height)}mm"),
        viewBox=numbers((-edge, -edge, width, height)),
        debug=False,
    )
    painter = _Painter()
    placed = []
    for key, used in used_scenes([scene]).items():
        placed.append(_element("g", {"id": scene_id(key)}, painter.paint(used.items)))
    content = painter.paint(scene.items)
    if scene.outline is not None and not bleed:
        content = [_element("g", {"clip-path": painter.clip(scene.outline)}, content)]
    if words := title or scene.label:
        drawing.set_desc(title=_NOT_XML.sub("\ufffd", words))
    root = drawing.get_xml()
    del root.attrib["xmlns:ev"]
    if painter.has_layers:
        root.set("xmlns:inkscape", _INKSCAPE)
    ElementTree.indent(root, space="")
    # Write elements as text: building trees would take twice as long.
    definitions = _element("defs", {}, (*painter.definitions.values(), *placed))
    text = ElementTree.tostring(root, "unicode").replace("<defs />", definitions, 1)
    inside = "".join(f"{element}\n" for element in content)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{text.removesuffix("</svg>")}{inside}</svg>\n'.encode()


@lru_cache(4096)
def scene_id(key: str) -> str:
    """Return the XML id of a placed scene: `tile:57` is `s.tile.57`. Different keys never share
    one."""

    def escaped(char: re.Match[str]) -> str:
        return "." if char[0] == ":" else f"_{ord(char[0]):x}_"

    return "s." + re.sub("[^A-Za-z0-9-]", escaped, key)


class _Painter:
    """Writes items as elements, and collects what they refer to in `definitions`, by id.

    An id is derived from what it names (a glyph, a clip), never counted: drawings on the same web
    page may then define the same id, and each still looks right.
    """

    def __init__(self) -> None:
        self.definitions: dict[str, str] = {}
        self.has_layers = False

    def paint(self, items: Sequence[Item]) -> list[str]:
        """Return the elements of items, in painting order."""
        return [*map(self._element, items)]

    def clip(self, commands: Sequence[Command]) -> str:
        """Define a clip, and return a reference to it."""
        outline = svg_path(commands)
        name = f"c{crc32(outline.encode()):08x}"
        if name not in self.definitions:
            path = _element("path", {"d": outline})
            self.definitions[name] = _element("clipPath", {"id": name}, [path])
        return f"url(#{name})"

    def _element(self, item: Item) -> str:
        match item:
            case Path():
                rule = "evenodd" if item.even_odd and item.fill else None
                path = {"d": svg_path(item.commands), "fill-rule": rule}
                return _element("path", path | _filled(item.fill) | _stroked(item.stroke))
            case Circle():
                circle = {"cx": number(item.cx), "cy": number(item.cy), "r": number(item.r)}
                return _element("circle", circle | _filled(item.fill) | _stroked(item.stroke))
            case TextRun():
                # A group of glyphs in thousandths of an em.
                scale, angle = item.size_pt * MM_PER_PT / _EM, math.radians(item.angle)
                cos, sin = math.cos(angle) * scale, math.sin(angle) * scale
                turn = numbers((cos, sin, -sin, cos), 7)
                transform = f"matrix({turn} {numbers((item.x, item.y))})"
                words = {"transform": transform, "aria-label": item.text or None}
                start = -SHARE[item.anchor] * item.width_mm / scale
                letters, glyphs = _set(item.text, item.face, start, item.tracking_mm / scale)
                self.definitions |= glyphs
                return _element("g", words | _filled(item.ink), letters)
            case Image():
                size = {"width": number(item.width_mm), "height": number(item.height_mm)}
                shown = {"xlink:href": item.pixels.address, "preserveAspectRatio": "none"}
                return _element("image", shown | size)
            case Group():
                clip = self.clip(item.clip) if item.clip is not None else None
                group = {"transform": _transform(item.matrix), "clip-path": clip}
                if item.layer is not None:
                    self.has_layers = True
                    group |= {
                        "data-layer": item.layer,
                        "inkscape:groupmode": "layer",
                        "inkscape:label": item.layer,
                    }
                return _element("g", group, self.paint(item.items))
            case Use():
                reference = f"#{scene_id(item.scene.key)}"
                use = {"xlink:href": reference, "transform": _transform(item.matrix)}
                return _element("use", use)


def _element(tag: str, attributes: Mapping[str, str | None], children: Sequence[str] = ()) -> str:
    """Return an element with attributes by name; those that are None are omitted."""
    given = "".join(
        f' {name}="{_SPECIAL.sub(_escaped, value)}"'
        for name in sorted(attributes)
        if (value := attributes[name]) is not None
    )
    if not children:
        return f"<{tag}{given} />"
    return "\n".join((f"<{tag}{given}>", *children, f"</{tag}>"))


def _escaped(char: re.Match[str]) -> str:
    return f"&#{ord(char[0]):02};" if char[0] < " " else _ENTITIES[char[0]]


@lru_cache(4096)
def _set(
    text: str, face_name: str, start: float, tracking: float
) -> tuple[tuple[str, ...], dict[str, str]]:
    """Return the letters of a text in one face from a start on, in thousandths of an em, and their
    glyphs by id. A glyph without ink is omitted."""
    letters, glyphs, x = [], {}, start
    for char, ems in zip(text, advances(face_name, text), strict=True):
        name, glyph = _glyph(face_name, char)
        if glyph is not None:
            letters.append(_element("use", {"xlink:href": f"#{name}", "x": number(x, 1)}))
            glyphs[name] = glyph
        x += ems * _EM + tracking
    return tuple(letters), glyphs


@lru_cache(4096)
def _glyph(face_name: str, char: str) -> tuple[str, str | None]:
    """Return the id of a glyph and its definition; None for one without ink."""
    name, outline = f"{_face_codes()[face_name]}{ord(char):x}", glyph_outline(face_name, char)
    definition = {"id": name, "d": svg_path(outline, scale=_EM, places=1)}
    return name, _element("path", definition) if outline else None


@cache
def _face_codes() -> dict[str, str]:
    """Return a short prefix for each face: its capitals (BarlowCondensed-Bold: BCB), or its name if
    other faces share them."""
    initials = {name: "".join(char for char in name if char.isupper()) for name in face_names()}
    shared = list(initials.values())
    return {
        name: code if shared.count(code) == 1 else f"{name}-" for name, code in initials.items()
    }


def _transform(matrix: Matrix) -> str | None:
    if matrix == IDENTITY:
        return None
    if matrix[:4] == IDENTITY[:4]:
        return f"translate({numbers(matrix[4:], 4)})"
    return f"matrix({matrix_numbers(matrix)})"


def _colour(ink: Ink) -> str:
    """Return #rrggbb, or #rgb if that means the same."""
    full = ink.hex
    return f"#{full[1::2]}" if full[1::2] == full[2::2] else full


def _filled(ink: Ink | None) -> _Attributes:
    """Return the attributes of a fill; SVG fills in black by default."""
    if ink is None:
        return {"fill": "none"}
    return {} if ink.rgb == BLACK.rgb else {"fill": _colour(ink)}


def _stroked(stroke: Stroke | None) -> _Attributes:
    """Return the attributes of a stroke that differ from SVG's defaults (no stroke, butt caps,
    mitred joins)."""
    if stroke is None:
        return {}
    return {
        "stroke": _colour(stroke.ink),
        "stroke-width": number(stroke.width_mm),
        "stroke-dasharray": numbers(stroke.dash) if stroke.dash else None,
        "stroke-linecap": stroke.cap if stroke.cap != "butt" else None,
        "stroke-linejoin": stroke.join if stroke.join != "miter" else None,
    }
