"""Files with positions."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from platelayer.definitions.decode import decode
from platelayer.definitions.source import Document, read_checked
from platelayer.model.position import POSITION, Position


class LoadedPosition(NamedTuple):
    """A position, and the file it was read from, which knows the place of each part:
    `document.place("/tiles/F5")`."""

    position: Position
    document: Document


def load_position(path: Path, file: str | None = None) -> LoadedPosition:
    """A position from a file that follows the schema "position". `file` is its name in problems, by
    default `path`.

    It is not checked here whether the position is possible. Raises ProblemsFound with every
    problem: FI, JS and SC codes.
    """
    document = read_checked(path, "position", file)
    position: Position = decode(Position, document.value)
    return LoadedPosition(position, document)


def position_text(position: Position) -> str:
    """A position as the text of its file: a line for each hex; the same position always gives the
    same text."""
    head: dict[str, Any] = {
        "format": POSITION,
        "title": position.title,
        "variant": position.variant,
        "map": position.board,
        "phase": position.phase,
    }
    lines = [f"{_json(key)}: {_json(value)}" for key, value in head.items() if value is not None]
    if position.removed:
        lines.append(f'"removed": {_json(position.removed)}')
    blocks: dict[str, list[tuple[str, Any]]] = {
        "tiles": [(hex_id, str(lay)) for hex_id, lay in position.tiles],
        "tokens": [
            (hex_id, [str(station) for station in stations]) for hex_id, stations in position.tokens
        ],
        "market": [(company, list(space)) for company, space in position.market],
    }
    lines += [f"{_json(key)}: {_block(entries)}" for key, entries in blocks.items() if entries]
    return "{\n " + ",\n ".join(lines) + "\n}\n"


def _block(entries: Iterable[tuple[str, Any]]) -> str:
    return (
        "{\n  " + ",\n  ".join(f"{_json(key)}: {_json(value)}" for key, value in entries) + "\n }"
    )


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
