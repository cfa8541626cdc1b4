"""Titles with all their problems: stages 1 (definitions) and 2 (rules)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from platelayer.foundation.problems import CannotRun, Problem, ProblemsFound, Severity, has_errors
from platelayer.foundation.suggestions import listed
from platelayer.pipeline.options import BuildOptions

if TYPE_CHECKING:
    from platelayer.definitions.titles import Loaded
    from platelayer.drawing.kit.style import Style
    from platelayer.model.hexes import Layout
    from platelayer.model.tile import Tile
    from platelayer.model.title import Title


def judge(loaded: Loaded) -> tuple[Problem, ...]:
    """Stage 2: what the rules find in a title, located, after its waivers."""
    from platelayer.rules.rule import MEASURES
    from platelayer.rules.run import run_rules

    MEASURES["slot_mm"] = _slot_mm
    return tuple(each.located(loaded.place) for each in run_rules(loaded.title))


def _slot_mm(tile: Tile, layout: Layout, across_mm: float) -> float:
    """How wide the slots of a hex are drawn. The import waits until a rule asks."""
    from platelayer.drawing.hex.plan import drawn_slot_mm

    return drawn_slot_mm(tile, layout, across_mm)


def read_to_print(
    reference: str, options: BuildOptions, *, by_rules: bool = False
) -> tuple[Loaded, list[Problem], Style]:
    """Stages 1 and, if asked, 2: the title, problems that do not stop a print (of a draft: any), and the style to draw
    it in."""
    from platelayer.definitions.printable import unprintable
    from platelayer.definitions.themes import complete_theme
    from platelayer.definitions.titles import load_title
    from platelayer.drawing.kit.style import style_of

    if options.draft:
        from platelayer.definitions.salvage import load_draft

        theme = complete_theme(options.theme)
        loaded = load_draft(reference, theme, variant=options.variant)
        problems = [*loaded.problems]
    else:
        loaded = load_title(reference, variant=options.variant)
        theme = complete_theme(options.theme)
        problems = [*loaded.problems, *unprintable(loaded, theme, options.language)]
    if by_rules:
        problems += [problem for problem in judge(loaded) if problem.severity is not Severity.NOTE]
    if has_errors(problems) and not options.draft:
        raise ProblemsFound(problems)
    problems += spoken_in(loaded.title, options.language)
    if options.money:
        loaded = replace(loaded, title=with_money(loaded.title))
    return loaded, problems, style_of(loaded.title, theme, options.language)


def spoken_in(title: Title, language: str) -> tuple[Problem, ...]:
    """A note GL02 for a language of the title that fixed words do not have. Raises CannotRun for one that neither
    has."""
    from platelayer.definitions.printable import in_english
    from platelayer.foundation.languages import languages
    from platelayer.rules.texts import spoken

    if language in languages():
        return ()
    own = spoken(title)
    known = listed(sorted({*languages(), *own}))
    if language not in own:
        raise CannotRun(f'--lang: {title.id} has no texts in "{language}"; known: {known}')
    return (in_english(language),)


def with_money(title: Title) -> Title:
    """The title with notes for its bank, if its box has none. Raises CannotRun for a title without a bank."""
    from platelayer.model.notes import with_notes

    try:
        return with_notes(title)
    except ValueError as stop:
        hint = 'give it "bank", or "money" in its pieces'
        raise CannotRun(f"money: {title.id} has neither notes nor a bank to work them out from; {hint}") from stop
