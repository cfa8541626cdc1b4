"""The invented titles (tests/field, tests/land), and what is drawn of them."""

from __future__ import annotations

from pathlib import Path as File

from msgspec import Struct

from platelayer.definitions.themes import load_theme
from platelayer.definitions.titles import load_title
from platelayer.drawing.kit.style import Style, style_of
from platelayer.drawing.pieces import draw_back, draw_piece
from platelayer.model.manifest import Manifest, build_manifest
from platelayer.model.tile import UpgradeGraph
from platelayer.model.title import Title
from platelayer.rules.graph import upgrade_graph
from platelayer.scene.flatten import flatten_scene
from platelayer.scene.legibility import check_legibility
from platelayer.scene.shapes import Scene


class Invented(Struct, frozen=True):
    """A title with its manifest and its upgrades."""

    title: Title
    manifest: Manifest
    graph: UpgradeGraph

    def style(self, language: str = "en") -> Style:
        """How it is drawn."""
        return style_of(self.title, load_theme("classic"), language)

    def scenes(self, key: str, language: str = "en") -> tuple[Scene, ...]:
        """All faces of a piece: fronts, then the back if there is one."""
        piece, style = self.manifest.by_key[key], self.style(language)
        back = draw_back(self.title, piece, style)
        return (
            *draw_piece(self.title, self.manifest, piece, style, self.graph),
            *([back] if back is not None else []),
        )

    def illegible(self, kind: str, language: str) -> list[str]:
        """Everything that is illegible on any face of any piece of a kind."""
        return [
            str(problem)
            for piece in self.manifest.pieces
            if piece.kind == kind
            for scene in self.scenes(piece.key, language)
            for problem in check_legibility(scene)
        ]


def invented(folder: str) -> Invented:
    """The title in a folder of tests/."""
    title = load_title(File(__file__).parents[1] / folder).title
    return Invented(title=title, manifest=build_manifest(title), graph=upgrade_graph(title))


def words_of(scene: Scene) -> list[str]:
    """The texts of a scene, in the order in which they are drawn."""
    return [text.run.text for text in flatten_scene(scene)[1]]
