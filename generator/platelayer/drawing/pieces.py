"""Drawings of the pieces of a manifest, front and back."""

from __future__ import annotations

from platelayer.drawing.kinds import LOOKS
from platelayer.drawing.kit.style import Style
from platelayer.model.kinds import Piece
from platelayer.model.manifest import Manifest
from platelayer.model.title import Title
from platelayer.model.upgrade import UpgradeGraph
from platelayer.scene.shapes import Scene


def draw_piece(
    title: Title, manifest: Manifest, piece: Piece, style: Style, graph: UpgradeGraph | None = None
) -> tuple[Scene, ...]:
    """The scenes of one piece, front first: one, except for a checklist or an upgrade chart of several pages.

    Only the upgrade chart asks for `graph`; without one it has no arrows.
    """
    look = LOOKS[piece.kind]
    if look.pages:
        known = graph or UpgradeGraph(title=title.id, variant=title.variant, pairs=())
        pages: tuple[Scene, ...] = look.draw("pages")(title, manifest, known, style)
        return pages
    return (look.draw("front")(title, piece.id, style),)


def draw_back(title: Title, piece: Piece, style: Style) -> Scene | None:
    """The back of a piece of the manifest: width, height, bleed and safe zone are those of its front, its outline the
    front's mirrored left to right. None for a piece without a back (`piece.back` is "").

    The key is `kind:id:back`, or one that all pieces with the same back share: pieces that must look the same face down
    share one scene ("back:certificate:88x63").
    """
    if not piece.back:
        return None
    back: Scene = LOOKS[piece.kind].draw("back")(title, piece, style)
    return back
