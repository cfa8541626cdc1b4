"""Pictures of pieces, kept as long as they look the same."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from platelayer.foundation.problems import CannotRun, Problem, ProblemsFound
from platelayer.studio.catalogue import PREFIX, catalogue_scene

if TYPE_CHECKING:
    from platelayer.model.pieces import Piece
    from platelayer.pipeline.faces import Sources
    from platelayer.scene.shapes import Scene
    from platelayer.studio.view import View

_MOST_BYTES = 12 * 1024 * 1024


class Face(Struct, frozen=True, kw_only=True):
    """One face of a piece as SVG: its label, its size in mm, and the centres of its hexes if it is a board."""

    label: str
    width_mm: float
    height_mm: float
    svg: bytes
    places: tuple[tuple[str, float, float], ...] = ()

    @property
    def about(self) -> dict[str, Any]:
        """All but the picture."""
        return {"label": self.label, "width_mm": self.width_mm, "height_mm": self.height_mm, "places": self.places}


class Pictures:
    """A store of pictures by what they were drawn from, which forgets those asked for least recently."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, tuple[Face, ...]] = OrderedDict()
        self._bytes = 0

    def faces(self, view: View, key: str, language: str, theme: str) -> tuple[Face, ...]:
        """The faces of a piece: its pages, then its back. Raises CannotRun for a piece that does not exist,
        ProblemsFound for one that cannot be drawn."""
        if key.startswith(PREFIX):
            scene = catalogue_scene(view, key, language, theme)
            return (painted(scene, "front"),)
        piece = view.piece(key)
        sources = view.sources(language, theme)
        name = sources.key(piece)
        faces = self._kept.pop(name, None)
        if faces is None:
            faces = _painted(view, piece, sources)
            self._bytes += _size(faces)
        self._kept[name] = faces
        while self._bytes > _MOST_BYTES and len(self._kept) > 1:
            _, oldest = self._kept.popitem(last=False)
            self._bytes -= _size(oldest)
        return faces

    def face(self, view: View, key: str, language: str, theme: str, number: int) -> Face:
        """One face by its number from 0. Raises as `faces` does."""
        found = self.faces(view, key, language, theme)
        if not 0 <= number < len(found):
            raise CannotRun(f"{key} has {len(found)} faces")
        return found[number]


def pdf(view: View, key: str, language: str, theme: str, number: int) -> bytes:
    """One face of a piece, by its number from 0, as a PDF of one page. Raises as `Pictures.face` does."""
    from platelayer.pipeline.draw import Picture
    from platelayer.pipeline.faces import told

    piece, sources, problems = view.piece(key), view.sources(language, theme), list[Problem]()
    with told(piece, problems):
        scenes = view.drawn(piece, sources).scenes
    if problems:
        raise ProblemsFound(problems)
    if not 0 <= number < len(scenes):
        raise CannotRun(f"{key} has {len(scenes)} faces")
    scene = scenes[number]
    return Picture(scene=scene, label=f"{view.title.name.get(language)}: {scene.label}").pdf()


def _size(faces: tuple[Face, ...]) -> int:
    return sum(len(face.svg) for face in faces)


def _painted(view: View, piece: Piece, sources: Sources) -> tuple[Face, ...]:
    from platelayer.pipeline.faces import told

    problems: list[Problem] = []
    with told(piece, problems):
        fronts, back, _ = view.drawn(piece, sources)
    if problems:
        raise ProblemsFound(problems)
    labels = ["front", *(f"page {number}" for number in range(2, len(fronts) + 1))]
    faces = tuple(painted(scene, label) for scene, label in zip(fronts, labels, strict=True))
    return (*faces, painted(back, "back")) if back is not None else faces


def hex_pictures(view: View, map_id: str, names: Sequence[str], language: str, theme: str) -> dict[str, str]:
    """Hexes of a map by themselves as SVG, by name. They stand for the map until all of it has been drawn again."""
    from platelayer.drawing.map.board import draw_hex
    from platelayer.render.svg import render_svg

    board = next((board for board in view.title.maps if board.id == map_id), None)
    if board is None:
        return {}
    across_mm, style = view.title.pieces.size("map", map_id).width_mm, view.style(language, theme)
    hexes = (board.by_id[name] for name in names if name in board.by_id)
    return {hexagon.id: render_svg(draw_hex(hexagon, board.layout, across_mm, style)).decode() for hexagon in hexes}


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
