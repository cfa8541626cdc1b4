"""Checks of titles and of finished files."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from msgspec.structs import replace

from platelayer.foundation.problems import Problem, ProblemsFound, sort_problems
from platelayer.pipeline.load import judge
from platelayer.pipeline.options import BuildOptions


def check(reference: str) -> tuple[Problem, ...]:
    """All problems of a title (a shipped id, a folder or a file) and of each of its variants, sorted: of the definition
    and of the rules."""
    from platelayer.definitions.glyphs import missing_glyph_problems
    from platelayer.definitions.themes import load_theme
    from platelayer.definitions.titles import load_title

    found: list[list[Problem]] = []
    waiting: list[str | None] = [None]
    while waiting:
        variant = waiting.pop(0)
        try:
            loaded = load_title(reference, variant=variant)
        except ProblemsFound as stop:
            found.append(list(stop.problems))
            continue
        judged = judge(loaded)
        if variant is not None:
            judged = tuple(_in_variant(each, variant) if each not in found[0] else each for each in judged)
        found.append([*loaded.problems, *judged])
        if variant is None:
            found[0] += missing_glyph_problems(loaded, load_theme(BuildOptions().theme), language=None)
            waiting += [each.id for each in loaded.title.variants]
    return sort_problems(_each_once(found))


def _in_variant(problem: Problem, variant: str) -> Problem:
    return replace(problem, message=f"{problem.message} (in the variant {variant})")


def _each_once(found: Sequence[Sequence[Problem]]) -> Iterable[Problem]:
    """The problems of a title and of its variants; a waiver counts as unused only when none of them needs it."""
    from platelayer.rules.run import UNUSED

    unused = [{problem.place for problem in problems if problem.code == UNUSED} for problems in found]
    nowhere = set.intersection(*unused)
    return (problem for problems in found for problem in problems if problem.code != UNUSED or problem.place in nowhere)


def preflight(files: Sequence[Path], profile: str) -> tuple[Problem, ...]:
    """All problems of finished PDF files by the limits of a profile (a shipped id or a file), file by file; also of PNG
    pictures, if the profile's shop takes them. Raises ProblemsFound for the profile."""
    from platelayer.definitions.profiles import load_profile
    from platelayer.preflight import check_file

    limits = load_profile(profile).limits
    return tuple(problem for path in files for problem in check_file(path, limits))


def titles_of(references: Iterable[str], *, only_related: bool = False) -> tuple[str, ...]:
    """What to check for ids, folders and files: any file in the folder of a title stands for that title. Files that
    belong to no title are kept, or skipped with `only_related`."""
    from platelayer.definitions.title_lookup import titles_of as find_titles

    return find_titles(references, only_related=only_related)
