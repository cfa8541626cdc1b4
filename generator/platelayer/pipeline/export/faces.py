"""Drawn faces of the pieces of a title, ready to be put into other programs' files."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from platelayer.foundation.problems import CannotRun, Problem
from platelayer.foundation.units import MM_PER_INCH
from platelayer.model.manifest import Manifest, build_manifest
from platelayer.model.pieces import Piece
from platelayer.pipeline.load import Reference, read_to_print
from platelayer.pipeline.options import BuildOptions
from platelayer.pipeline.select import choose

if TYPE_CHECKING:
    from platelayer.drawing.kit.style import Style
    from platelayer.model.title import Title
    from platelayer.scene.shapes import Scene

FRONT, BACK = "front", "back"


class Choice(Struct, frozen=True, kw_only=True):
    """What an export is of: a title, its manifest, and the pieces chosen, with the counts to
    export."""

    title: Title
    manifest: Manifest
    pieces: tuple[Piece, ...]
    style: Style
    problems: tuple[Problem, ...] = ()

    @property
    def language(self) -> str:
        """The language of the export."""
        return self.style.language

    def name(self, piece: Piece) -> str:
        """What a piece is called, on one line."""
        return " ".join(self.style.words(piece.name).split())


class Face(Struct, frozen=True, kw_only=True):
    """One face of one piece: `label` is front, front-2 ... (of charts of several pages) or back."""

    piece: Piece
    label: str
    scene: Scene

    @property
    def size_mm(self) -> tuple[float, float]:
        """Its width and height."""
        return self.scene.width_mm, self.scene.height_mm


def chosen(reference: Reference, options: BuildOptions) -> Choice:
    """The title and the pieces asked for. Raises ProblemsFound for a definition with errors,
    CannotRun for pieces that do not exist."""
    from platelayer.imposition.sizes import with_sizes

    loaded, problems, style = read_to_print(reference, options)
    title = with_sizes(loaded.title, build_manifest(loaded.title), options.sizes)
    manifest = build_manifest(title)
    try:
        pieces = choose(title, manifest, options)
    except CannotRun as error:
        raise CannotRun(str(error).replace("pieces:", "only:", 1)) from error
    return Choice(
        title=title, manifest=manifest, pieces=pieces, style=style, problems=tuple(problems)
    )


def faces(choice: Choice) -> Iterator[tuple[Face, ...]]:
    """The faces of each piece, fronts first, then the back if there is one."""
    from platelayer.pipeline.faces import Sources, drawn_faces
    from platelayer.rules.graph import upgrade_graph

    graph = upgrade_graph(choice.title)
    sources = Sources(title=choice.title, manifest=choice.manifest, style=choice.style, graph=graph)
    for piece in choice.pieces:
        (fronts, back), _ = drawn_faces(sources, piece, choice.style)
        labels = [FRONT, *(f"{FRONT}-{number}" for number in range(2, len(fronts) + 1))]
        shown = [
            Face(piece=piece, label=label, scene=scene)
            for label, scene in zip(labels, fronts, strict=True)
        ]
        yield (*shown, *([Face(piece=piece, label=BACK, scene=back)] if back is not None else ()))


def picture(scene: Scene, pixels: tuple[int, int]) -> bytes:
    """A scene as a PNG of exactly this size, stretched if necessary. Raises CannotRun if the system
    has no cairo."""
    from platelayer.render.png import PngUnavailable, render_png
    from platelayer.scene.shapes import Group

    # A scene whose unit is the pixel: a painter keeps the proportions of what it is given.
    width, height = map(float, pixels)
    scaled = Group(
        items=scene.items,
        matrix=(width / scene.width_mm, 0.0, 0.0, height / scene.height_mm, 0.0, 0.0),
    )
    whole = replace(
        scene, width_mm=width, height_mm=height, items=(scaled,), bleed_mm=0.0, outline=None
    )
    try:
        return render_png(whole, dpi=width / scene.width_mm * MM_PER_INCH, pixels=pixels)
    except PngUnavailable as error:
        raise CannotRun(str(error)) from error


def cut_picture(scene: Scene, pixels: tuple[int, int]) -> bytes:
    """One face as PNG, cut along its outline, on paper where it paints none of its own."""
    return picture(on_paper(scene), pixels)


def on_paper(scene: Scene) -> Scene:
    """A face without its bleed, on white paper if it is a rectangle: charts paint no ground of
    their own."""
    from platelayer.imposition.sprites import cut_out
    from platelayer.scene.inks import WHITE
    from platelayer.scene.shapes import Path, rectangle_path

    if scene.outline is not None:
        return replace(scene, items=(cut_out(scene),), bleed_mm=0.0)
    # The edge of a picture cuts it: paper that ended there would leave the last pixels half clear.
    paper = rectangle_path(-1, -1, scene.width_mm + 2, scene.height_mm + 2)
    return replace(scene, items=(Path(commands=paper, fill=WHITE), *scene.items), bleed_mm=0.0)
