"""A title's pieces as the pictures of the documents show them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from msgspec.structs import replace

from platelayer.atlas.assemble import assemble
from platelayer.atlas.poster import draw_atlas_poster
from platelayer.definitions.build import shipped_box
from platelayer.definitions.themes import load_theme
from platelayer.definitions.titles import load_title
from platelayer.drawing.kit.style import Style, style_of
from platelayer.drawing.pieces import draw_back, draw_piece
from platelayer.imposition.paper import with_sizes
from platelayer.model.kinds import Piece
from platelayer.model.manifest import Manifest, build_manifest
from platelayer.model.title import Title
from platelayer.scene.shapes import Scene


@dataclass(frozen=True)
class Box:
    """What is in the box of a title (its id or its folder), in a language and a theme, some kinds
    in other sizes, with another currency."""

    reference: str | Path
    language: str = "en"
    theme: str = "classic"
    sizes: tuple[tuple[str, str], ...] = ()
    currency: str = ""

    @cached_property
    def title(self) -> Title:
        """Its definition."""
        title = load_title(self.reference).title
        title = replace(title, currency=self.currency) if self.currency else title
        return with_sizes(title, build_manifest(title), self.sizes) if self.sizes else title

    @cached_property
    def manifest(self) -> Manifest:
        """Every piece."""
        return build_manifest(self.title)

    @cached_property
    def style(self) -> Style:
        """How it is drawn."""
        return style_of(self.title, load_theme(self.theme), self.language)

    def front(self, piece: Piece) -> Scene:
        """The front of a piece, or its first page."""
        return draw_piece(self.title, self.manifest, piece, self.style)[0]

    def back(self, piece: Piece) -> Scene | None:
        """The back of a piece, if it has one."""
        return draw_back(self.title, piece, self.style)

    def scene(self, key: str) -> Scene:
        """A face by its key: "charter:FS:back" is the back of charter:FS, "atlas:7" the long map of
        seed 7."""
        if key.startswith("atlas:"):
            log = assemble(
                shipped_box(),
                "long",
                seed=int(key.partition(":")[2]),
                policy="compact",
                blanks=None,
            )
            return draw_atlas_poster(self.title, log, self.style)
        if key.endswith(":back"):
            back = self.back(self.manifest.by_key[key.removesuffix(":back")])
            assert back is not None, key
            return back
        return self.front(self.manifest.by_key[key])
