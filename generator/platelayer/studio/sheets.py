"""Sheets as they will be printed, page by page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import convert

from platelayer.foundation.problems import CannotRun
from platelayer.pipeline.build import Prepared, prepare, read_options
from platelayer.pipeline.options import BuildOptions
from platelayer.pipeline.produce import lay_out
from platelayer.studio.pictures import Face, painted

if TYPE_CHECKING:
    from platelayer.imposition.page import Document
    from platelayer.studio.view import View

_GIVEN = (
    "variant", "language", "theme", "only", "without", "pieces", "copies", "players", "money", "paper", "margin_mm",
    "poster", "color", "cut", "spot_name", "duplex", "register", "layouts", "sizes", "draft",
)  # fmt: skip
"""Options of a print that a page may set: none of them names a file."""
_PAIRS = ("layouts", "sizes")


def options_of(asked: dict[str, Any]) -> BuildOptions:
    """The options that a page asks for, on top of those of a shipped profile. Raises CannotRun,
    ProblemsFound, and ValidationError for layouts and sizes that are not texts by name."""
    from platelayer.definitions.profiles import profile_ids

    profile = asked.get("profile") or "home"
    if profile not in profile_ids():
        raise CannotRun(f"there is no profile {profile!r}; use {', '.join(profile_ids())}")
    if unknown := asked.keys() - {*_GIVEN, "profile"}:
        raise CannotRun(f"there is no option {min(unknown)!r}; use {', '.join(_GIVEN)}")
    given = {name: asked[name] for name in _GIVEN if asked.get(name) not in (None, "", [], {})}
    for name in _PAIRS:
        if name in given:
            given[name] = tuple(convert(given[name], dict[str, str]).items())
    return read_options(profile, given)


class Sheets:
    """The sheets of one title as it is now, made document by document when they are looked at."""

    def __init__(self) -> None:
        self._of: tuple[object, ...] = ()
        self._ready: Prepared | None = None
        self._documents: dict[str, Document] = {}
        self._faces: dict[tuple[str, int], Face] = {}

    def documents(self, view: View, asked: dict[str, Any]) -> list[dict[str, Any]]:
        """The documents that a print would have: file, name, kinds. Raises as `prepare` does."""
        ready = self._prepared(view, asked)
        kinds = {piece.kind for piece in ready.chosen}
        language = ready.job.style.language
        return [
            {
                "stem": plan.stem,
                "name": plan.name.get(language),
                "kinds": [kind for kind in plan.kinds if kind in kinds],
            }
            for plan in ready.job.plan
            if kinds.intersection(plan.kinds)
        ]

    def pages(self, view: View, asked: dict[str, Any], stem: str) -> list[dict[str, float]]:
        """The pages of a document, in mm."""
        return [
            {"width_mm": page.scene.width_mm, "height_mm": page.scene.height_mm}
            for page in self._document(view, asked, stem).pages
        ]

    def page(self, view: View, asked: dict[str, Any], stem: str, number: int) -> Face:
        """One page of a document, counted from 1, as a picture. Raises CannotRun."""
        pages = self._document(view, asked, stem).pages
        if not 1 <= number <= len(pages):
            raise CannotRun(f"{stem} has {len(pages)} pages")
        if (stem, number) not in self._faces:
            self._faces[stem, number] = painted(pages[number - 1].scene, f"{stem} {number}")
        return self._faces[stem, number]

    def _prepared(self, view: View, asked: dict[str, Any]) -> Prepared:
        now = (str(view.folder), view.revision, repr(sorted(asked.items())))
        if self._ready is None or self._of != now:
            ready = prepare(str(view.folder), options_of(asked))
            if ready.job.output != "sheets":
                raise CannotRun(
                    f"{ready.job.profile.name.get('en')} takes single cards, which are on no sheets"
                )
            self._of, self._ready, self._documents, self._faces = now, ready, {}, {}
        return self._ready

    def _document(self, view: View, asked: dict[str, Any], stem: str) -> Document:
        ready = self._prepared(view, asked)
        if stem not in self._documents:
            kinds = [kind for plan in ready.job.plan if plan.stem == stem for kind in plan.kinds]
            documents, _ = lay_out(
                ready.job, [piece for piece in ready.chosen if piece.kind in kinds]
            )
            self._documents |= {document.stem: document for document in documents}
        if stem not in self._documents:
            raise CannotRun(f"there is no document {stem!r}")
        return self._documents[stem]
