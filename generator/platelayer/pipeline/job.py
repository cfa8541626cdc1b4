"""The state of a print, from the drawn pieces to the finished files."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from platelayer.foundation.problems import Problem
from platelayer.foundation.properties import cached_property
from platelayer.imposition.page import Placement
from platelayer.imposition.paper import find_paper
from platelayer.model.kinds import Piece
from platelayer.model.manifest import Manifest
from platelayer.pipeline.reprint import PrintedPiece

if TYPE_CHECKING:
    from platelayer.drawing.kit.style import Style
    from platelayer.foundation.cache import Cache
    from platelayer.imposition.paper import Paper
    from platelayer.imposition.plan import SheetPlan
    from platelayer.model.kinds import Kind
    from platelayer.model.options import PrintOptions
    from platelayer.model.profile import Profile
    from platelayer.model.title import Title
    from platelayer.pipeline.faces import Sources
    from platelayer.scene.shapes import Scene

# Called with (stage, done, of) during a build.
Progress = Callable[[str, int, int], None]


class PrintJob(Struct, frozen=True, kw_only=True, dict=True):
    """Everything that the pieces of one print have in common; of its `options`, those that decide
    the files once the pieces are drawn. `before` are the pieces of an earlier print, by key: pieces
    that have not changed since are left out (None: everything is printed). `added` are the user's
    own kinds of piece. If a draft has `errors`, each sheet shows their number, and so does each
    piece that has some of its own (`flagged`, by key). `cache` keeps results for later prints."""

    title: Title
    manifest: Manifest
    style: Style
    profile: Profile
    plan: SheetPlan
    options: PrintOptions
    before: Mapping[str, PrintedPiece] | None = None
    added: tuple[Kind, ...] = ()
    errors: int = 0
    flagged: Mapping[str, int] = {}
    cache: Cache | None = None

    @cached_property
    def sources(self) -> Sources:
        """The sources of its pieces, whose digests are worked out once, before work is shared."""
        from platelayer.pipeline.faces import Sources

        return Sources(title=self.title, manifest=self.manifest, style=self.style)

    @property
    def paper(self) -> Paper:
        """The paper of sheets."""
        return find_paper(self.options.paper)

    @property
    def layouts(self) -> Mapping[str, str]:
        """Names of layouts by document."""
        return dict(self.options.layouts)

    @property
    def standard(self) -> Literal["PDF/X-4", "PDF/X-1a:2003"]:
        """The release of PDF/X to write: the one that the profile requires, or PDF/X-4 if it leaves
        the choice."""
        allowed = self.profile.limits.pdfx
        if "PDF/X-1a:2003" in allowed and "PDF/X-4" not in allowed:
            return "PDF/X-1a:2003"
        return "PDF/X-4"


class PrintedFile(Struct, frozen=True, kw_only=True):
    """One file: its name, its bytes, how many pages it has and what is on them; `again` if another
    file shows the same."""

    name: str
    data: bytes
    pages: int
    placements: tuple[Placement, ...]
    again: bool = False


class Drawn(Struct, frozen=True, kw_only=True):
    """A piece to print, the pages of its front (one, except for charts and checklists of several),
    and its back."""

    piece: Piece
    fronts: tuple[Scene, ...]
    back: Scene | None = None


class Printed(Struct, frozen=True, kw_only=True):
    """The result of a print: files in order, every piece as it is now (including those that need no
    reprint), the keys of pieces that the shop cannot make or that a draft lacks, problems."""

    files: tuple[PrintedFile, ...] = ()
    pieces: Mapping[str, PrintedPiece]
    left_out: frozenset[str] = frozenset()
    problems: tuple[Problem, ...] = ()


# Files, and problems found on the way.
Made = tuple[tuple[PrintedFile, ...], list[Problem]]
