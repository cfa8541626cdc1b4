"""What there is in a title to go to by its id or its names, and what of it may have another id."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from platelayer.foundation.pointers import join_pointer

if TYPE_CHECKING:
    from platelayer.studio.view import View

_KINDS = {
    "companies": "company",
    "privates": "private",
    "trains": "train",
    "phases": "phase",
    "tiles": "tile",
}
"""What the entries of a block are called."""


def things(view: View | None) -> list[dict[str, Any]]:
    """Hexes, tiles, companies, trains and phases: kind, id, names in all languages, the pointer in
    the assembled title, the target that shows it (none: ""), its place in a file, and whether its
    id is the title's own to change."""
    if view is None or view.loaded is None or view.manifest is None:
        return []
    shown: dict[str, str] = {}
    for piece in view.manifest.pieces:
        if len(piece.origin) > 1:
            shown.setdefault(join_pointer(*piece.origin[:2]), piece.key)
    listed = []
    for kind, path, value in _entries(view.loaded.assembled.value):
        pointer, entry = join_pointer(*path), value if isinstance(value, dict) else {}
        listed.append({
            "kind": kind,
            "id": path[-1],
            "names": _words(entry.get("name")),
            "pointer": pointer,
            "target": f"hex:{path[1]}/{path[-1]}" if kind == "hex" else shown.get(pointer, ""),
            "place": view.place(pointer),
            "own": kind != "tile" or "tile" in entry,
        })  # fmt: skip
    return listed


def _entries(title: dict[str, Any]) -> Iterator[tuple[str, tuple[str, ...], Any]]:
    """What has an id: what it is called, its path, its value."""
    for map_id, board in title.get("maps", {}).items():
        for name, value in board.get("hexes", {}).items():
            yield "hex", ("maps", map_id, "hexes", name), value
    for block, kind in _KINDS.items():
        for name, value in title.get(block, {}).items():
            private = isinstance(value, dict) and value.get("kind") == "private"
            yield "private" if private else kind, (block, name), value


def _words(text: Any) -> list[str]:
    """A text in all its languages."""
    forms = text.values() if isinstance(text, dict) else [text]
    return list(dict.fromkeys(form for form in forms if isinstance(form, str)))
