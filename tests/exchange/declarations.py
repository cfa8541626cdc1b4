"""A reader of TypeScript declarations, as far as the format of saves needs one, and a check of JSON
against them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

_ALIASES = {
    "int": "number",
    "float": "number",
    "GUID": "string",
    "URI": "string",
    "PlayerColor": "string",
}


class Declarations:
    """Interfaces by name, each with its members and the one it extends, and enums with their
    values."""

    def __init__(self, *paths: Path) -> None:
        text = "\n".join(path.read_text(encoding="utf-8") for path in paths)
        text = re.sub(r"/\*.*?\*/|//[^\n]*", "", text, flags=re.DOTALL)
        self.bases: dict[str, str] = {}
        self.members: dict[str, dict[str, tuple[str, bool]]] = {}
        self.enums: dict[str, set[Any]] = {}
        for match in re.finditer(r"interface (\w+)(?: extends (\w+))? \{", text):
            self.bases[match[1]] = match[2] or ""
            self.members[match[1]] = dict(_members(_braced(text, match.end() - 1)))
        for match in re.finditer(r"enum (\w+) \{(.*?)\}", text, re.DOTALL):
            values = re.findall(r"\w+ = (?:\"([^\"]*)\"|(\d+))", match[2])
            self.enums[match[1]] = {word or int(number) for word, number in values}

    def all_members(self, name: str) -> dict[str, tuple[str, bool]]:
        """Members of an interface and of those that it extends: (type, whether it may be
        absent)."""
        base = self.bases[name]
        return (self.all_members(base) if base else {}) | self.members[name]

    def faults(self, value: Any, kind: str, where: str) -> Iterator[str]:
        """What of a JSON value is not of a type."""
        kind = _ALIASES.get(kind.strip(), kind.strip())
        if kind in ("string", "number", "boolean"):
            wanted = {"string": str, "number": (int, float), "boolean": bool}[kind]
            if not isinstance(value, wanted) or (kind == "number" and isinstance(value, bool)):
                yield f"{where}: {value!r} is no {kind}"
        elif kind in self.enums:
            if value not in self.enums[kind]:
                yield f"{where}: {value!r} is not in {kind}"
        elif kind in self.members:
            yield from self.object_faults(value, self.all_members(kind), where)
        elif kind.startswith("{"):
            yield from self._inline(value, kind, where)
        elif kind.startswith(("[", "Array<")) or kind.endswith("[]"):
            yield from self._list(value, kind, where)
        elif kind.startswith("Record<"):
            for key, each in value.items():
                yield from self.faults(each, kind.split(",", 1)[1][:-1], f"{where}/{key}")
        else:
            raise AssertionError(f"{where}: the reader of declarations does not know {kind}")

    def object_faults(
        self, value: Any, members: dict[str, tuple[str, bool]], where: str
    ) -> Iterator[str]:
        """What of a JSON object is not as its members are declared."""
        for name, (kind, optional) in members.items():
            if name in value:
                yield from self.faults(value[name], kind, f"{where}/{name}")
            elif not optional:
                yield f"{where}: lacks {name}"

    def _list(self, value: Any, kind: str, where: str) -> Iterator[str]:
        if kind.startswith("["):
            kinds = kind[1:-1].split(",")
        else:
            kinds = [kind[:-2] if kind.endswith("[]") else kind[6:-1]] * len(value)
        if len(value) != len(kinds):
            yield f"{where}: {len(value)} values, not {len(kinds)}"
        for index, (each, of) in enumerate(zip(value, kinds, strict=False)):
            yield from self.faults(each, of, f"{where}/{index}")

    def _inline(self, value: Any, kind: str, where: str) -> Iterator[str]:
        index = re.match(r"\{\s*\[\w+: \w+\]: (.*);\s*\}$", kind, re.DOTALL)
        if index:
            for key, each in value.items():
                yield from self.faults(each, index[1], f"{where}/{key}")
        else:
            yield from self.object_faults(value, dict(_members(kind[1:-1])), where)


def _braced(text: str, start: int) -> str:
    """What is between a brace and the one that closes it."""
    depth = 0
    for place in range(start, len(text)):
        depth += {"{": 1, "}": -1}.get(text[place], 0)
        if depth == 0:
            return text[start + 1 : place]
    raise AssertionError("a brace is not closed")


def _members(body: str) -> Iterator[tuple[str, tuple[str, bool]]]:
    depth, start = 0, 0
    for place, char in enumerate(body):
        depth += {"{": 1, "}": -1}.get(char, 0)
        if char == ";" and depth == 0:
            match = re.match(r"\s*(\w+)(\??):\s*(.*)", body[start:place], re.DOTALL)
            if match:
                yield match[1], (match[3].strip(), bool(match[2]))
            start = place + 1
