"""Explanations of problem codes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from platelayer.foundation.problems import CannotRun
from platelayer.foundation.suggestions import listed

if TYPE_CHECKING:
    from platelayer.foundation.codes import Code


def known_codes() -> dict[str, Code]:
    """Every problem code, sorted: for definitions, rules, assembled maps, legibility, sheets,
    finished files, imports and positions."""
    from platelayer.atlas.codes import CODES as ATLAS
    from platelayer.definitions.codes import CODES as DEFINITIONS
    from platelayer.exchange.codes import CODES as EXCHANGE
    from platelayer.foundation.codes import Code
    from platelayer.imposition.codes import CODES as SHEETS
    from platelayer.play.codes import CODES as PLAY
    from platelayer.preflight.codes import CODES as PREFLIGHT
    from platelayer.rules.run import all_rules
    from platelayer.scene.codes import CODES as LEGIBILITY

    rules = {code: Code(rule.name, rule.explanation) for code, rule in all_rules().items()}
    return dict(
        sorted(
            (
                DEFINITIONS | rules | ATLAS | LEGIBILITY | SHEETS | PREFLIGHT | EXCHANGE | PLAY
            ).items()
        )
    )


def explain(code: str) -> str:
    """What a problem's code means, as text. Raises CannotRun for a code that does not exist."""
    codes = known_codes()
    entry = codes.get(code.upper())
    if entry is None:
        alike = [known for known in codes if len(code) > 1 and known.startswith(code[:2].upper())]
        hint = (
            f"codes of this kind: {listed(alike, most=20)}"
            if alike
            else "docs/rules.md lists all codes"
        )
        raise CannotRun(f'no problem has the code "{code}"; {hint}')
    return f"{code.upper()} {entry}"
