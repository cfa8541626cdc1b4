"""Declared contents of a box, brought up to date in the user's own file."""

from __future__ import annotations

import json
from collections.abc import Iterator

from msgspec import Struct

from platelayer.foundation.files import read_at_most
from platelayer.foundation.pointers import join_pointer
from platelayer.foundation.problems import CannotRun, ProblemsFound, Severity
from platelayer.foundation.resources import title_ids
from platelayer.pipeline.write import write_all

_BOX = ("pieces", "box")
_MARK = b"\xef\xbb\xbf"
_STEP = "  "


class Accepted(Struct, frozen=True, kw_only=True):
    """What has been accepted: the file, as the user would type it, and each count that has changed, as (key, before,
    now); before is None where there was none."""

    file: str
    counts: tuple[tuple[str, int | None, int], ...]


def accept_box(reference: str) -> Accepted:
    """Write what a title yields as the contents of its box: the counts that it declares, or one of each kind if it
    declares none. Nothing else in the file changes.

    Raises ProblemsFound if the title has other errors than these counts, CannotRun for a title that comes with
    Platelayer and for one without a block `pieces`.
    """
    from platelayer.definitions.source import MAX_BYTES
    from platelayer.definitions.titles import read_title
    from platelayer.model.manifest import build_manifest

    if reference in title_ids():
        raise CannotRun(f"{reference} comes with Platelayer; name the folder of a title of your own")
    loaded = read_title(reference)
    others = [each for each in loaded.problems if each.severity is Severity.ERROR and each.code != "BX01"]
    if others:
        raise ProblemsFound(others)
    totals = build_manifest(loaded.title).totals
    document, pointer = loaded.assembled.source(join_pointer(*_BOX))
    declared = loaded.assembled.value.get("pieces", {}).get("box")
    if declared is None:
        around = document.span(pointer.rpartition("/")[0])
        if "pieces" not in loaded.assembled.value or around is None:
            raise CannotRun(f'{document.file}: there is no block "pieces" for the box; add "pieces": {{}} first')
        counts = [(key, None, count) for key, count in totals.items() if "/" not in key]
        text = _inserted(document.text, around[0], [(key, count) for key, _, count in counts])
    else:
        found = [(key, count, totals.get(key, 0)) for key, count in declared.items()]
        counts = [each for each in found if each[1] != each[2]]
        text = document.text
        for key, _, now in reversed(counts):
            begin, end = document.span(pointer + join_pointer(key)) or (0, 0)
            text = text[:begin] + str(now) + text[end:]
    if text != document.text:
        mark = _MARK if read_at_most(document.path, MAX_BYTES).startswith(_MARK) else b""
        write_all(document.path.parent, {document.path.name: mark + text.encode()})
    return Accepted(file=document.file, counts=tuple(counts))


def _inserted(text: str, at: int, counts: list[tuple[str, int]]) -> str:
    """The text with a box as the first entry of the object that begins at an offset."""
    rest = text[at + 1 :].lstrip(" \t\r\n")
    gap = text[at + 1 : len(text) - len(rest)]
    end = "\r\n" if "\r\n" in text else "\n"
    line = text[text.rfind("\n", 0, at) + 1 : at]
    outer = line[: len(line) - len(line.lstrip())]
    inner = gap.rpartition("\n")[2] if "\n" in gap and not rest.startswith("}") else outer + _STEP
    step = inner[len(outer) :] or _STEP
    box = "".join(_box(counts, inner, step, end))
    after = f"{end}{outer}" if rest.startswith("}") else f",{end}{inner}"
    return f"{text[: at + 1]}{end}{inner}{box}{after}{rest}"


def _box(counts: list[tuple[str, int]], indent: str, step: str, end: str) -> Iterator[str]:
    lines = [f"{indent}{step}{json.dumps(key)}: {count}" for key, count in counts]
    yield f'"box": {{{end}'
    yield f",{end}".join(lines)
    yield f"{end}{indent}}}"
