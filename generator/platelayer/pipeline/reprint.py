"""Changes since an earlier print: what to print again and what to throw away."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from platelayer.definitions.profiles import read_print
from platelayer.foundation.problems import CannotRun
from platelayer.foundation.text import printable
from platelayer.model.kinds import Piece


class PrintedPiece(Struct, frozen=True, kw_only=True):
    """A piece as it was printed: how many, and the digests of its faces ("" for a back that was not
    drawn)."""

    count: int
    front: str
    back: str = ""


class Change(Struct, frozen=True, kw_only=True):
    """A change of a piece since: "new", "changed", "more" (of them), "fewer" or "gone"; the numbers
    to print and to throw away."""

    key: str
    what: str
    to_print: int
    to_throw_away: int


def read_printed_pieces(path: Path, title: str) -> dict[str, PrintedPiece]:
    """Pieces by `kind:id`, from a manifest.json. Raises ProblemsFound for a file that is not ours,
    and CannotRun for one of another title."""
    value = read_print(path)
    if value["title"] != title:
        raise CannotRun(f"since: {path} belongs to {value['title']}, not to {title}")
    return {
        f"{piece['kind']}:{piece['id']}": PrintedPiece(
            count=piece["count"], front=piece["front"], back=piece.get("back", "")
        )
        for piece in value["pieces"]
    }


def still_to_print(
    piece: Piece, now: PrintedPiece, before: Mapping[str, PrintedPiece]
) -> Piece | None:
    """The piece with the count to print; None if all of them exist already."""
    was = before.get(piece.key)
    if was is None or not _alike(was, now):
        return piece
    return replace(piece, count=now.count - was.count) if now.count > was.count else None


def current_pieces(
    before: Mapping[str, PrintedPiece], now: Mapping[str, PrintedPiece], keys: Iterable[str]
) -> dict[str, PrintedPiece]:
    """Every piece that exists, by its key in the order of `keys`: as it is now or, if it was not
    requested this time, as it was."""
    return {
        key: now[key] if key in now else before[key] for key in keys if key in now or key in before
    }


def changes(
    before: Mapping[str, PrintedPiece], now: Mapping[str, PrintedPiece], chosen_kinds: Sequence[str]
) -> tuple[Change, ...]:
    """All changes among pieces of the kinds that are printed: today's pieces in their order, then
    those that are gone."""
    differences: list[tuple[str, str, int, int]] = []
    for key, seen in now.items():
        was = before.get(key)
        if was is None:
            differences.append((key, "new", seen.count, 0))
        elif not _alike(was, seen):
            differences.append((key, "changed", seen.count, was.count))
        elif seen.count > was.count:
            differences.append((key, "more", seen.count - was.count, 0))
        elif seen.count < was.count:
            differences.append((key, "fewer", 0, was.count - seen.count))
    gone = (key for key in before if key not in now and key.partition(":")[0] in chosen_kinds)
    differences += ((key, "gone", 0, before[key].count) for key in gone)
    return tuple(
        Change(key=key, what=what, to_print=to_print, to_throw_away=to_throw_away)
        for key, what, to_print, to_throw_away in differences
    )


def _alike(one: PrintedPiece, other: PrintedPiece) -> bool:
    """Backs are compared where both were drawn."""
    return one.front == other.front and (not one.back or not other.back or one.back == other.back)


def describe(differences: Sequence[Change]) -> str:
    """The changes as lines for people: what to print, what to throw away."""
    if not differences:
        return "Nothing has changed.\n"
    lines = []
    for change in differences:
        parts = [f"print {change.to_print}"] if change.to_print else []
        parts += [f"throw away {change.to_throw_away}"] if change.to_throw_away else []
        lines.append(f"{printable(change.key):<32} {change.what:<8} {', '.join(parts)}\n")
    return "".join(lines)
