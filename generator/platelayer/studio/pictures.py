"""Pictures of pieces, kept as long as they look the same."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from msgspec import Struct
from msgspec.structs import astuple, replace

from platelayer.foundation.problems import CannotRun, Problem, ProblemsFound
from platelayer.studio.catalogue import PREFIX, catalogue_scene

if TYPE_CHECKING:
    from platelayer.model.pieces import Piece
    from platelayer.pipeline.faces import Sources
    from platelayer.scene.shapes import Scene
    from platelayer.studio.view import View

T = TypeVar("T")

_MOST_BYTES = 4 * 1024 * 1024
_MOST_IN_LAYERS = 4
"""Pictures in layers whose parts are kept to be compared with."""

Looks = tuple[str, str, str]
"""A key, a language and a theme."""


class Face(Struct, frozen=True, kw_only=True):
    """One face of a piece as SVG: its label, its size in mm, and the centres of its hexes if it is
    a board. A picture that is cut into layers has their names instead, from the ground up."""

    label: str
    width_mm: float
    height_mm: float
    svg: bytes = b""
    layers: tuple[str, ...] = ()
    places: tuple[tuple[str, float, float], ...] = ()

    @property
    def about(self) -> dict[str, Any]:
        """All but the picture."""
        return {
            "label": self.label,
            "width_mm": self.width_mm,
            "height_mm": self.height_mm,
            "layers": self.layers,
            "places": self.places,
        }


class _Store(Generic[T]):
    """Values by name up to some bytes, of which those asked for least recently are forgotten."""

    def __init__(self, size: Callable[[T], int]) -> None:
        self._size = size
        self._kept: OrderedDict[str, T] = OrderedDict()
        self._bytes = 0

    def get(self, name: str) -> T | None:
        if name in self._kept:
            self._kept.move_to_end(name)
        return self._kept.get(name)

    def put(self, name: str, value: T) -> None:
        if name in self._kept:
            self._bytes -= self._size(self._kept.pop(name))
        self._kept[name] = value
        self._bytes += self._size(value)
        while self._bytes > _MOST_BYTES and len(self._kept) > 1:
            _, oldest = self._kept.popitem(last=False)
            self._bytes -= self._size(oldest)


class Pictures:
    """A store of pictures by what they were drawn from."""

    def __init__(self) -> None:
        self._faces = _Store[tuple[Face, ...]](
            lambda faces: 256 + sum(len(face.svg) for face in faces)
        )
        self._layers = _Store[bytes](len)
        self._last: OrderedDict[Looks, dict[tuple[int, int], tuple[tuple[Any, ...], str]]] = (
            OrderedDict()
        )

    def faces(self, view: View, key: str, language: str, theme: str) -> tuple[Face, ...]:
        """The faces of a piece: its pages, then its back. Raises CannotRun for a piece that does
        not exist, ProblemsFound for one that cannot be drawn."""
        if key.startswith(PREFIX):
            return (painted(catalogue_scene(view, key, language, theme), "front"),)
        piece = view.piece(key)
        sources = view.sources(language, theme)
        name = sources.key(piece)
        faces = self._faces.get(name)
        if faces is None or any(
            self.layer(layer) is None for face in faces for layer in face.layers
        ):
            scenes = _scenes(view, piece, sources)
            faces = tuple(
                self._in_layers(scene, label, number, (key, language, theme))
                if scene.cuts
                else painted(scene, label)
                for number, (label, scene) in enumerate(scenes.items())
            )
            self._faces.put(name, faces)
        return faces

    def face(self, view: View, key: str, language: str, theme: str, number: int) -> Face:
        """One face by its number from 0, in one SVG. Raises as `faces` does."""
        faces = self.faces(view, key, language, theme)
        if not 0 <= number < len(faces):
            raise CannotRun(f"{key} has {len(faces)} faces")
        if not faces[number].layers:
            return faces[number]
        scenes = _scenes(view, view.piece(key), view.sources(language, theme))
        return painted(list(scenes.values())[number], faces[number].label)

    def layer(self, name: str) -> bytes | None:
        """A layer of a picture that was drawn not long ago."""
        return self._layers.get(name)

    def _in_layers(self, scene: Scene, label: str, number: int, looks: Looks) -> Face:
        """A picture in layers. Those that show what they showed last are not painted again."""
        last = self._last.setdefault(looks, {})
        self._last.move_to_end(looks)
        if len(self._last) > _MOST_IN_LAYERS:
            self._last.popitem(last=False)
        names = []
        for at, items in enumerate(scene.layers):
            layer = replace(scene, items=items, cuts=(), label="", places=())
            # The size counts too: the same items on a larger page are another picture.
            before, name = last.get((number, at), ((), ""))
            if before != astuple(layer) or self.layer(name) is None:
                svg = painted(layer, label).svg
                name = blake2b(svg, digest_size=12).hexdigest()
                self._layers.put(name, svg)
            last[number, at] = astuple(layer), name
            names.append(name)
        return Face(
            label=label,
            width_mm=scene.width_mm,
            height_mm=scene.height_mm,
            layers=tuple(names),
            places=scene.places,
        )


def pdf(view: View, key: str, language: str, theme: str, number: int) -> bytes:
    """One face of a piece, by its number from 0, as a PDF of one page. Raises as `Pictures.face`
    does."""
    from platelayer.pipeline.draw import Picture

    scenes = [*_scenes(view, view.piece(key), view.sources(language, theme)).values()]
    if not 0 <= number < len(scenes):
        raise CannotRun(f"{key} has {len(scenes)} faces")
    scene = scenes[number]
    return Picture(scene=scene, label=f"{view.title.name.get(language)}: {scene.label}").pdf()


def _scenes(view: View, piece: Piece, sources: Sources) -> dict[str, Scene]:
    """The faces of a piece as scenes by their labels. Raises ProblemsFound."""
    from platelayer.pipeline.faces import told

    problems: list[Problem] = []
    with told(piece, problems):
        fronts, back, _ = view.drawn(piece, sources)
    if problems:
        raise ProblemsFound(problems)
    scenes = {
        f"page {number}" if number > 1 else "front": scene for number, scene in enumerate(fronts, 1)
    }
    return scenes | ({"back": back} if back is not None else {})


def hex_pictures(
    view: View, map_id: str, names: Sequence[str], language: str, theme: str
) -> dict[str, str]:
    """Hexes of a map by themselves as SVG, by name. They stand for the map until all of it has been
    drawn again."""
    from platelayer.drawing.map.board import draw_hex
    from platelayer.render.svg import render_svg

    board = next((board for board in view.title.maps if board.id == map_id), None)
    if board is None:
        return {}
    across_mm, style = view.title.pieces.size("map", map_id).width_mm, view.style(language, theme)
    hexes = (board.by_id[name] for name in names if name in board.by_id)
    return {
        hexagon.id: render_svg(draw_hex(hexagon, board.layout, across_mm, style)).decode()
        for hexagon in hexes
    }


def painted(scene: Scene, label: str) -> Face:
    """A scene as a picture."""
    from platelayer.render.svg import render_svg

    return Face(
        label=label,
        width_mm=scene.width_mm,
        height_mm=scene.height_mm,
        svg=render_svg(scene),
        places=scene.places,
    )
