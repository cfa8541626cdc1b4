"""Titles with all their problems: stages 1 (definitions) and 2 (rules)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from platelayer.foundation.problems import Problem, ProblemsFound, Severity, has_errors
from platelayer.pipeline.options import BuildOptions

if TYPE_CHECKING:
    from platelayer.definitions.titles import Loaded
    from platelayer.drawing.kit.style import Style
    from platelayer.model.title import Title


def judge(loaded: Loaded) -> tuple[Problem, ...]:
    """Stage 2: what the rules find in a title, located, after its waivers."""
    from platelayer.rules.run import run_rules

    return tuple(each.located(loaded.place) for each in run_rules(loaded.title))


def read_to_print(
    reference: str, options: BuildOptions, *, by_rules: bool = False
) -> tuple[Title, list[Problem], Style]:
    """Stages 1 and, if asked, 2: the title, problems that do not stop a print, and the style to draw it in."""
    from platelayer.definitions.glyphs import missing_glyph_problems
    from platelayer.definitions.themes import complete_theme
    from platelayer.definitions.titles import load_title
    from platelayer.drawing.kit.style import Style

    loaded = load_title(reference, variant=options.variant)
    theme = complete_theme(options.theme)
    problems = [*loaded.problems, *missing_glyph_problems(loaded, theme, options.language)]
    if by_rules:
        problems += [problem for problem in judge(loaded) if problem.severity is not Severity.NOTE]
    if has_errors(problems):
        raise ProblemsFound(problems)
    return loaded.title, problems, Style(theme=theme, language=options.language, terms=dict(loaded.title.terms))
