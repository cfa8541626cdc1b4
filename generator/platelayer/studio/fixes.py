"""Fixes of problems: what a page offers beside each, as operations of one step."""

from __future__ import annotations

import re
from pathlib import PurePath
from typing import Any

from platelayer.foundation.problems import Problem, Severity

_MEANT = re.compile(r'did you mean (".+")\?')
_WORD = re.compile(r'"([^"]+)"')


def fixes(problem: Problem, file: str) -> list[dict[str, Any]]:
    """What may be done about a problem in a file of the studio's folder: a kind that the page has words for, the word
    that they are about, and the operations. A waiver lacks its reason, which a person has to give."""
    if not file or PurePath(file).is_absolute():
        return []
    meant = _MEANT.search(problem.hint)
    words = _WORD.findall(problem.message.partition("; ")[0])  # behind it stand those that are allowed
    found = [
        _fix("meant", word, op="respell", file=file, pointer=problem.pointer, words=words, instead=word)
        for word in (_WORD.findall(meant[1]) if meant and words else ())
    ]
    if problem.code == "BX01":
        found.append(_fix("box", "", op="accept_box"))
    if problem.waivable and problem.severity is not Severity.NOTE:
        found.append(_fix("waive", problem.about, op="waive", code=problem.code, at=problem.about, reason=""))
    return found


def _fix(kind: str, word: str, **op: Any) -> dict[str, Any]:
    return {"kind": kind, "word": word, "ops": [op]}
