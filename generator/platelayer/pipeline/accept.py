"""Declared contents of a box, brought up to date in the user's own file."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from platelayer.foundation.files import read_at_most
from platelayer.foundation.pointers import join_pointer
from platelayer.foundation.problems import CannotRun, ProblemsFound, Severity
from platelayer.foundation.resources import title_ids
from platelayer.pipeline.write import write_all

if TYPE_CHECKING:
    from platelayer.definitions.source import Document
    from platelayer.definitions.titles import Loaded

_BOX = ("pieces", "box")
_MARK = b"\xef\xbb\xbf"
_STEP = "  "


class Count(Struct, frozen=True, kw_only=True):
    """A count that has been accepted: the file, as the user would type it, the key, and what it was (None where there
    was none) and is now. `variant` is the one that declares it, None for the title itself."""

    file: str
    key: str
    before: int | None
    now: int
    variant: str | None = None


def accept_box(reference: str) -> tuple[Count, ...]:
    """Write what a title and its variants yield as the contents of their boxes: the counts that they declare, or one of
    each kind if the title declares none. A count that differs in a variant alone is written into the variant. Nothing
    else in the files changes.

    Raises ProblemsFound if the title has other errors than these counts, CannotRun for a title that comes with
    Platelayer and for one without a block `pieces`.
    """
    if reference in title_ids():
        raise CannotRun(f"{reference} comes with Platelayer; name the folder of a title of your own")
    loaded = _read(reference)
    counts = _accept_own(loaded)
    for variant in loaded.title.variants:
        counts += _accept_in(_read(reference, variant.id), variant.id)
    return tuple(counts)


def _read(reference: str, variant: str | None = None) -> Loaded:
    from platelayer.definitions.titles import read_title

    loaded = read_title(reference, variant=variant)
    others = [each for each in loaded.problems if each.severity is Severity.ERROR and each.code != "BX01"]
    if others:
        raise ProblemsFound(others)
    return loaded


def _totals(loaded: Loaded) -> dict[str, int]:
    from platelayer.model.manifest import build_manifest

    return build_manifest(loaded.title).totals


def _differing(loaded: Loaded) -> Iterator[tuple[str, int, int]]:
    """Each declared count that is wrong: its key, itself, and what it should be."""
    totals = _totals(loaded)
    for key, declared in loaded.assembled.value.get("pieces", {}).get("box", {}).items():
        if declared != totals.get(key, 0):
            yield key, declared, totals.get(key, 0)


def _accept_own(loaded: Loaded) -> list[Count]:
    """Bring the counts of the title itself up to date, or add them."""
    document, pointer = loaded.assembled.source(join_pointer(*_BOX))
    if loaded.assembled.value.get("pieces", {}).get("box") is not None:
        counts = [Count(file=document.file, key=key, before=before, now=now) for key, before, now in _differing(loaded)]
        _write(document, _replaced(document, [(pointer + join_pointer(each.key), each.now) for each in counts]))
        return counts
    around = document.span(pointer.rpartition("/")[0])
    if "pieces" not in loaded.assembled.value or around is None:
        raise CannotRun(f'{document.file}: there is no block "pieces" for the box; add "pieces": {{}} first')
    found = {key: count for key, count in _totals(loaded).items() if "/" not in key}
    _write(document, _inserted(document.text, around[0], {"box": found}))
    return [Count(file=document.file, key=key, before=None, now=now) for key, now in found.items()]


def _accept_in(loaded: Loaded, variant: str) -> list[Count]:
    """Bring the counts of a variant up to date: in its own patch, which gets those that the title has otherwise."""
    patch = join_pointer("variants", variant, "patch")
    document = loaded.assembled.root
    counts = [
        Count(file=document.file, key=key, before=before, now=now, variant=variant)
        for key, before, now in _differing(loaded)
    ]
    places = {each.key: patch + join_pointer(*_BOX, each.key) for each in counts}
    own = [(places[each.key], each.now) for each in counts if document.span(places[each.key]) is not None]
    more = {each.key: each.now for each in counts if document.span(places[each.key]) is None}
    # What is inserted stands before the counts that are there, so these are replaced first.
    text = _replaced(document, own)
    if more:
        inside = [patch, patch + join_pointer("pieces"), patch + join_pointer(*_BOX)]
        depth = max(index for index, at in enumerate(inside) if document.span(at) is not None)
        entry: dict[str, Any] = {**more} if depth == len(inside) - 1 else {"box": more}
        at, _ = document.span(inside[depth]) or (0, 0)
        text = _inserted(text, at, entry if depth else {"pieces": entry})
    _write(document, text)
    return counts


def _replaced(document: Document, numbers: list[tuple[str, int]]) -> str:
    """The text of a document with other numbers at some pointers."""
    text = document.text
    for (begin, end), number in sorted(((document.span(at) or (0, 0)), number) for at, number in numbers)[::-1]:
        text = text[:begin] + str(number) + text[end:]
    return text


def _write(document: Document, text: str) -> None:
    from platelayer.definitions.source import MAX_BYTES

    if text != document.text:
        mark = _MARK if read_at_most(document.path, MAX_BYTES).startswith(_MARK) else b""
        write_all(document.path.parent, {document.path.name: mark + text.encode()})


def _inserted(text: str, at: int, entries: dict[str, Any]) -> str:
    """The text with entries at the head of the object that begins at an offset."""
    rest = text[at + 1 :].lstrip(" \t\r\n")
    gap = text[at + 1 : len(text) - len(rest)]
    end = "\r\n" if "\r\n" in text else "\n"
    line = text[text.rfind("\n", 0, at) + 1 : at]
    outer = line[: len(line) - len(line.lstrip())]
    inner = gap.rpartition("\n")[2] if "\n" in gap and not rest.startswith("}") else outer + _STEP
    step = inner[len(outer) :] or _STEP
    lines = json.dumps(entries, indent=step).splitlines()[1:-1]
    said = f"{end}{inner}".join(each.removeprefix(step) for each in lines)
    after = f"{end}{outer}" if rest.startswith("}") else f",{end}{inner}"
    return f"{text[: at + 1]}{end}{inner}{said}{after}{rest}"
