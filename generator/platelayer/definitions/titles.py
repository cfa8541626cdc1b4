"""Titles, with every problem reported at once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from platelayer.definitions.assemble import Assembled, assemble_title
from platelayer.definitions.build_title import build_title
from platelayer.definitions.pictures import crowded_maps, read_pictures
from platelayer.definitions.references import reference_faults
from platelayer.definitions.source import first_problems
from platelayer.foundation.pointers import join_pointer
from platelayer.foundation.problems import Place, Problem, ProblemsFound, Severity, has_errors, sort_problems
from platelayer.model.manifest import Manifest, build_manifest
from platelayer.model.title import Title

# With these the model cannot be built or would not be as intended; the others leave its counts unchanged.
_BARS_BUILDING = ("FI", "JS", "SC", "RF01", "RF06", "RF08", "RF09", "RF12", "TX01")


class Loaded(Struct, frozen=True, kw_only=True):
    """A title that was read. `problems` are its warnings and notes (of a draft, its errors as well); `assembled` is its
    JSON, which knows the place of each part."""

    title: Title
    problems: tuple[Problem, ...]
    assembled: Assembled

    def place(self, pointer: str, *, key: bool = False) -> Place:
        """The place of the value (or its key) at a pointer of the assembled title, e.g. "/companies/SNCF/homes/0"."""
        return self.assembled.place(pointer, key=key)

    def problem(
        self, code: str, pointer: str, message: str, *, hint: str = "", severity: Severity = Severity.ERROR
    ) -> Problem:
        """A problem located at a pointer of the assembled title."""
        return Problem(code=code, message=message, hint=hint, severity=severity).at(self.place(pointer))

    @property
    def files(self) -> tuple[str, ...]:
        """The files it was read from, as the user would type them; the title's own first."""
        return tuple(dict.fromkeys(document.file for document, _ in self.assembled.origins.values()))


def load_title(reference: str | Path, *, variant: str | None = None) -> Loaded:
    """Read a title: a shipped id ("18eu"), a folder with a title.json, or a .json file; with a variant applied.

    Raises ProblemsFound with every problem that can be found, if one of them is an error.
    """
    loaded = read_title(reference, variant=variant)
    if has_errors(loaded.problems):
        raise ProblemsFound(loaded.problems)
    return loaded


def read_title(reference: str | Path, *, variant: str | None = None) -> Loaded:
    """A title with its problems, which may be errors that leave the counts of its pieces unchanged. Raises
    ProblemsFound for all others."""
    whole = assemble_title(reference, variant)
    problems = list(whole.problems)
    faults = reference_faults(whole.value, whole.unsound)
    problems += first_problems((fault.located(whole.place) for fault in faults), whole.place(""))
    pictures, faults_of_pictures = read_pictures(whole)
    problems += faults_of_pictures
    if any(problem.code.startswith(_BARS_BUILDING) for problem in problems):
        raise ProblemsFound(problems)
    title = build_title(whole.value, variant, companies=whole.companies, pictures=pictures)
    manifest = build_manifest(title)
    problems += [*twins(whole, manifest), *box_problems(whole, manifest), *crowded_maps(whole, title)]
    return Loaded(title=title, problems=sort_problems(problems), assembled=whole)


def twins(whole: Assembled, manifest: Manifest) -> Iterator[Problem]:
    """DF06 at each of the places that pieces with one name come from."""
    for pieces in manifest.twins:
        places = [whole.place(join_pointer(*piece.origin), key=True) for piece in pieces]
        for place, other in zip(places, (*places[1:], places[0]), strict=True):
            where = f"{other.pointer} in {other.file}:{other.line}"
            message = f'two pieces are called "{pieces[0].key}", so only one could be printed: the other is {where}'
            yield Problem(
                code="DF06", message=message, hint="change an id, or merge the certificates into one entry"
            ).at(place)


def box_problems(whole: Assembled, manifest: Manifest) -> Iterator[Problem]:
    """BX01 where the rulebook's count differs from that of the definition, RF11 for sizes of pieces that do not
    exist."""
    pieces = whole.value.get("pieces", {})
    for key, declared in pieces.get("box", {}).items():
        found = manifest.totals.get(key, 0)
        if found != declared:
            message = f'the box should hold {declared} of "{key}", but the definition yields {found}'
            groups = [each for each in manifest.totals if each.startswith(key.partition("/")[0])]
            known = "if the definition is right: platelayer check --accept box"
            hint = known if key in manifest.totals else f"similar keys: {', '.join(groups) or 'none'}"
            yield Problem(code="BX01", message=message, hint=hint).at(whole.place(join_pointer("pieces", "box", key)))
    for key in pieces.get("sizes", {}):
        if ":" in key and key not in manifest.by_key:
            place = whole.place(join_pointer("pieces", "sizes", key), key=True)
            yield Problem(code="RF11", message=f'there is no piece "{key}" in this title').at(place)
