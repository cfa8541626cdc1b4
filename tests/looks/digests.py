"""Digests of all faces of a title's pieces: as drawn now, and as kept beside this file."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from looks.faces import faces
from platelayer.scene.paths import Digester

FOLDER = Path(__file__).parent
TITLES = ("18cz", "1841", "18eu", "1824", "lost-atlas")
LANGUAGES = ("en", "ja")
_LENGTH = 16
"""Kept hexadecimal digits of a digest; collisions are negligible."""

Looks = dict[str, dict[str, str]]
"""Digests by language, by `kind:id` or `kind:id:back`."""


def drawn(title: str) -> Looks:
    """Return the digests of a title as the code draws it now."""
    looks: Looks = {}
    for language in LANGUAGES:
        for key, digest in _digests(title, language):
            looks.setdefault(key, {})[language] = digest
    return looks


def _digests(title: str, language: str) -> Iterator[tuple[str, str]]:
    found, digester = faces(title, language), Digester()
    for key, pages in found.fronts.items():
        yield key, digester.digest(pages)[:_LENGTH]
        if key in found.backs:
            yield f"{key}:back", digester.digest((found.backs[key],))[:_LENGTH]


def kept(title: str) -> Looks:
    """Return the kept digests. In the file a single digest stands for all languages."""
    path = _path(title)
    value = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    return {
        key: digest if isinstance(digest, dict) else dict.fromkeys(LANGUAGES, digest)
        for key, digest in value.items()
    }


def keep(title: str, looks: Looks) -> None:
    """Write the digests of a title, one face a line."""
    lines = []
    for key, digests in looks.items():
        alike = len(set(digests.values())) == 1 and len(digests) == len(LANGUAGES)
        lines.append(
            f"{json.dumps(key)}: {json.dumps(next(iter(digests.values())) if alike else digests)}"
        )
    _path(title).write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def changes(before: Looks, after: Looks) -> list[tuple[str, str]]:
    """Return (key, language) of each face that is new, gone or drawn differently, in printing
    order, those that are gone last."""
    keys = dict.fromkeys((*after, *before))
    return [
        (key, language)
        for key in keys
        for language in LANGUAGES
        if before.get(key, {}).get(language) != after.get(key, {}).get(language)
    ]


def assert_unchanged(title: str) -> None:
    """Fail with the names of faces that are drawn differently."""
    changed = changes(kept(title), drawn(title))
    shown = ", ".join(f"{key} ({language})" for key, language in changed[:12])
    assert not changed, (
        f"{len(changed)} faces have changed: {shown} ...; `make look TITLE={title}` shows them"
    )


def _path(title: str) -> Path:
    return FOLDER / f"{title}.json"
