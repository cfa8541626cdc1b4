"""The files of a new title (assets/starters)."""

from __future__ import annotations

import json
import re

from platelayer.definitions.assemble import BLOCK_SCHEMAS
from platelayer.definitions.edits import with_value
from platelayer.definitions.quick import quick_check
from platelayer.foundation.resources import asset_path, schema_paths, shipped_bytes, title_path

SCHEMA_FOLDER = ".platelayer/schemas"
"""Where a title keeps its copy of the schemas: next to its files, so that editors find them
offline, wherever Platelayer is installed."""

_SHIPPED_SCHEMAS = '"../../../schemas/'
_SHIPPED_ID = '"id": "starter"'
_MOST_LETTERS = 40


def starter_files(folder_name: str, start: str) -> dict[str, bytes]:
    """Paths ("map.json", ".vscode/settings.json") and contents of a new title, with the schemas for
    editors; `start` is one of `STARTS`.

    The title's id is made from the letters and digits of the folder's name.
    """
    paths = (asset_path("starters", "README.md"), *sorted(asset_path("starters", start).iterdir()))
    files = {path.name: shipped_bytes(path) for path in paths}
    for name, data in files.items():
        text = data.decode().replace(_SHIPPED_SCHEMAS, f'"./{SCHEMA_FOLDER}/')
        files[name] = text.replace(_SHIPPED_ID, f'"id": "{title_id(folder_name)}"').encode()
    return files | {".vscode/settings.json": _settings()} | schema_files()


def copied_files(shipped: str, folder_name: str) -> dict[str, bytes]:
    """The same for a copy of a shipped title, which gets an id of its own."""
    folder = title_path(shipped)
    files: dict[str, bytes] = {}
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        data = shipped_bytes(path)
        if path.suffix == ".json":
            data = data.decode().replace(_SHIPPED_SCHEMAS, f'"./{SCHEMA_FOLDER}/').encode()
        files[path.relative_to(folder).as_posix()] = data
    files["title.json"] = with_value(
        files["title.json"].decode(), "/id", title_id(folder_name)
    ).encode()
    return files | {".vscode/settings.json": _settings()} | schema_files()


def schema_files() -> dict[str, bytes]:
    """The schemas in the form in which a title keeps them."""
    return {f"{SCHEMA_FOLDER}/{path.name}": shipped_bytes(path) for path in schema_paths()}


def title_id(folder_name: str) -> str:
    """An id for a title: at most 40 lower-case letters, digits and "-"; "starter" if nothing is
    left, or a name that Windows keeps for a device."""
    words = re.findall(r"[a-z0-9]+", folder_name.lower())
    made = "-".join(words)[:_MOST_LETTERS].rstrip("-")
    return made if quick_check("title", "/$defs/title/properties/id")(made) else "starter"


def _settings() -> bytes:
    """VS Code settings for the folder: which schema is for which file, for files that do not name
    theirs yet."""
    by_file = {"title": "title", "map": "map", **BLOCK_SCHEMAS}
    schemas = [
        {"fileMatch": [f"/{name}.json"], "url": f"./{SCHEMA_FOLDER}/{schema}.schema.json"}
        for name, schema in by_file.items()
    ]
    return (json.dumps({"json.schemas": schemas}, indent=2) + "\n").encode()
