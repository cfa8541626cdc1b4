"""Titles, read with all problems reported at once; and files of positions."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from msgspec import Struct

from platelayer.definitions.assemble import (
    BLOCK_SCHEMAS,
    Assembled,
    apply_variant,
    assemble_title,
    find_title,
)
from platelayer.definitions.build import build_title
from platelayer.definitions.decode import decode
from platelayer.definitions.edits import with_value
from platelayer.definitions.pictures import crowded_maps, read_pictures
from platelayer.definitions.references import reference_faults
from platelayer.definitions.schemas import quick_check
from platelayer.definitions.source import MAX_BYTES, Document, first_problems, read_checked
from platelayer.foundation.door import NotRead, read_start, real
from platelayer.foundation.problems import (
    Place,
    Problem,
    Problems,
    ProblemsFound,
    has_errors,
    join_pointer,
    sort_problems,
    standing_for,
    step,
    touches,
)
from platelayer.foundation.resources import asset_path, schema_paths, shipped_bytes, title_path
from platelayer.foundation.text import named
from platelayer.model.kinds import KINDS
from platelayer.model.manifest import Manifest, build_manifest
from platelayer.model.position import POSITION, Position
from platelayer.model.title import Title, kind_of_size

BOX = "BX01"


class Loaded(Struct, frozen=True, kw_only=True):
    """A title as read. `problems` are its warnings and notes (for a salvaged title, also its
    errors); `assembled` is its JSON, which knows the place of each part. `lost` are pointers of
    the parts lost to errors, `left_out` is DR01 for each of them that nothing replaces."""

    title: Title
    problems: tuple[Problem, ...]
    assembled: Assembled
    lost: tuple[str, ...] = ()
    left_out: tuple[Problem, ...] = ()

    def place(self, pointer: str, *, key: bool = False) -> Place:
        """Return the place of the value (or its key) at a pointer of the assembled title, e.g.
        "/companies/SNCF/homes/0"."""
        return self.assembled.place(pointer, key=key)

    def problem(self, code: str, pointer: str, message: str, *, hint: str = "") -> Problem:
        """Return a problem located at a pointer of the assembled title."""
        return Problem(code, message, hint).at(self.place(pointer))

    @property
    def files(self) -> tuple[str, ...]:
        """The files that the title was read from, as the user would type them; the title's own
        first."""
        return tuple(
            dict.fromkeys(document.file for document, _ in self.assembled.origins.values())
        )


def load_title(reference: str | Path, *, variant: str | None = None) -> Loaded:
    """Read a title: a shipped id ("18eu"), a folder with a title.json, or a .json file; with a
    variant applied.

    Raises ProblemsFound with every problem that can be found, if one of them is an error.
    """
    loaded = read_title(reference, variant=variant)
    if has_errors(loaded.problems):
        raise ProblemsFound(loaded.problems)
    return loaded


def read_title(reference: str | Path, *, variant: str | None = None) -> Loaded:
    """Return a title with its problems, which may include errors of its counts and pieces. Raises
    ProblemsFound for all others."""
    return read_assembled(assemble_title(reference, variant))


def read_variant(title: Loaded, variant: str) -> Loaded:
    """Return a variant of a title without errors, from its files as they were when the title was
    read. Raises ProblemsFound like `read_title`."""
    whole = title.assembled.copy()
    apply_variant(whole, variant)
    return read_assembled(whole)


def read_assembled(whole: Assembled) -> Loaded:
    """Return a title from its assembled JSON. Raises ProblemsFound like `read_title`."""
    problems = list(whole.problems)
    faults = reference_faults(
        whole.value, {join_pointer(block): None for block in whole.unsound if block}
    )
    problems += first_problems((fault.located(whole.place) for fault in faults), whole.place(""))
    pictures, faults_of_pictures = read_pictures(whole)
    problems += faults_of_pictures
    if has_errors(problems):
        raise ProblemsFound(problems)
    title = build_title(whole.value, whole.variant, companies=whole.companies, pictures=pictures)
    manifest = build_manifest(title)
    problems += [
        *twins(whole, manifest),
        *box_problems(whole, manifest),
        *crowded_maps(whole, title),
    ]
    return Loaded(title=title, problems=sort_problems(problems), assembled=whole)


def twins(whole: Assembled, manifest: Manifest) -> Problems:
    """Yield DF06 at each of the places that define pieces with the same name."""
    for pieces in manifest.twins:
        places = [whole.place(join_pointer(*piece.origin), key=True) for piece in pieces]
        # Each problem names the next piece, and the last one the first, so that a reader of one
        # finds all.
        for place, other in zip(places, (*places[1:], places[0]), strict=True):
            where = f"{other.pointer} in {other.file}:{other.line}"
            message = f'two pieces are called "{pieces[0].key}", so only one could be printed: the other is {where}'
            yield Problem(
                "DF06", message, "change an id, or merge the certificates into one entry"
            ).at(place)


# Blocks that determine the number of pieces, besides those drawn on the pieces.
_COUNTED = ("atlas", "market", "pieces", "players")


def box_problems(whole: Assembled, manifest: Manifest, lost: Collection[str] = ()) -> Problems:
    """Yield BX01 where the rulebook's count differs from that of the definition, and RF11 for sizes
    of pieces that do not exist; except where that may be a consequence of what is `lost`."""
    pieces = whole.value.get("pieces", {})
    lost = [
        pointer for pointer in lost if not pointer.startswith(("/pieces/box/", "/pieces/sizes/"))
    ]
    none = []
    for key, declared in pieces.get("box", {}).items():
        count = manifest.totals.get(key, 0)
        if count != declared and not touches((*_paths(key), *_COUNTED), lost):
            message = (
                f'the box should hold {declared} of "{key}", but the definition yields {count}'
            )
            groups = [total for total in manifest.totals if total.startswith(key.partition("/")[0])]
            hint = (
                "" if key in manifest.totals or not groups else f"similar keys: {', '.join(groups)}"
            )
            place = whole.place(join_pointer("pieces", "box", key))
            problem = Problem(BOX, message, hint, about=f'{declared} of "{key}"').at(place)
            if groups:
                yield problem
            else:
                none.append(problem)
    if len(none) > 1:
        wanted = named(problem.about for problem in none)
        yield standing_for(
            none, f"the definition has none yet of what the box should hold: {wanted}"
        )
    else:
        yield from none
    for key in pieces.get("sizes", {}):
        if ":" in key and key not in manifest.by_key and not touches(_paths(key), lost):
            place = whole.place(join_pointer("pieces", "sizes", key), key=True)
            yield Problem("RF11", f'there is no piece "{key}" in this title').at(place)


def _paths(key: str) -> tuple[str, ...]:
    """Return the paths that decide which pieces a key of `box` or `sizes` has."""
    kind = KINDS.get(kind_of_size(key))
    return kind.paths if kind else ()


_ADDRESS = re.compile(rb'^  "\$id": .*\n', re.MULTILINE)
# The format, which every title names, as does the example in its schema. Searched as bytes, as the
# file may be damaged.
_MARK = re.compile(rb'"format"\s*:\s*"platelayer\.title/')
_SCHEMA_MARK = re.compile(rb'"\$schema"\s*:\s*"https://json-schema\.org/')


def titles_of(references: Iterable[str], *, only_related: bool = False) -> tuple[str, ...]:
    """Return the titles to check for some ids, folders and files, in order and without repetition.

    A file that is not itself a title stands for the title whose folder contains it, at any depth.
    References that belong to no title are kept (reading them will report what is wrong), or skipped
    with `only_related`.
    """
    by_identity: dict[Path | str, str] = {}
    for reference in references:
        for title in _title_of(reference, only_related=only_related):
            by_identity.setdefault(_identity(title), title)
    return tuple(by_identity.values())


def is_title(path: Path) -> bool:
    """Return True if a path is a title of ours, sound or not: its folder, or a file that declares
    itself one. Raises NotRead."""
    if path.is_dir():
        return (path / "title.json").is_file()
    return path.is_file() and _is_marked(path)


def _is_marked(path: Path) -> bool:
    data = read_start(path, MAX_BYTES)
    return bool(_MARK.search(data)) and not is_schema(data)


def is_schema(data: bytes) -> bool:
    """Return True for the beginning of a JSON Schema, whose example may look like a file of
    ours."""
    return bool(_SCHEMA_MARK.search(data))


def _title_of(reference: str, *, only_related: bool) -> Iterator[str]:
    path = Path(reference)
    try:
        is_part = path.is_file() and path.name != "title.json" and not _is_marked(path)
    except (NotRead, OSError, ValueError):
        is_part = False
    around = _folder_around(path) if is_part else reference
    if around is not None:
        yield around
    elif only_related:
        step(f"skipped {reference}: it belongs to no title")
    else:
        yield reference


def _folder_around(path: Path) -> str | None:
    """Return the nearest folder around a file that contains a title.json, relative or absolute like
    the file's own path."""
    for folder in Path(os.path.normpath(path.absolute())).parents:
        if (folder / "title.json").is_file():
            return str(folder) if path.is_absolute() else os.path.relpath(folder)
    return None


def _identity(reference: str) -> Path | str:
    """Return the path of a title's file, whichever way it is named; the reference itself if there
    is none."""
    try:
        return real(find_title(reference)[0])
    except (ProblemsFound, OSError, ValueError, RuntimeError):
        return reference


# The files of a new title (assets/starters).


# A title has a copy of the schemas next to its files, so that editors find them offline, wherever
# Platelayer is installed.
SCHEMA_FOLDER = ".platelayer/schemas"

_SHIPPED_SCHEMAS = '"../../../schemas/'
_MOST_LETTERS = 40


def starter_files(folder_name: str, start: str) -> dict[str, bytes]:
    """Return paths ("map.json", ".vscode/settings.json") and contents of a new title, with the
    schemas for editors; `start` is one of `STARTS`.

    The title's id is made from the letters and digits of the folder's name.
    """
    readme = {"README.md": shipped_bytes(asset_path("starters", "README.md"))}
    return _with_id(readme | _files_of(asset_path("starters", start)), folder_name)


def copied_files(shipped: str, folder_name: str) -> dict[str, bytes]:
    """Return paths and contents of a copy of a shipped title, with an id made from the folder's
    name."""
    return _with_id(_files_of(title_path(shipped)), folder_name)


def _files_of(folder: Path) -> dict[str, bytes]:
    """Return the files of a shipped title, which refer to a copy of the schemas beside them."""
    files = {}
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        data = shipped_bytes(path)
        if path.suffix == ".json":
            data = data.decode().replace(_SHIPPED_SCHEMAS, f'"./{SCHEMA_FOLDER}/').encode()
        files[path.relative_to(folder).as_posix()] = data
    return files


def _with_id(files: dict[str, bytes], folder_name: str) -> dict[str, bytes]:
    """Return files as a title with its own id, with the schemas and settings for editors."""
    title = with_value(files["title.json"].decode(), "/id", title_id(folder_name))
    files["title.json"] = title.encode()
    return files | {".vscode/settings.json": _settings()} | schema_files()


def schema_files() -> dict[str, bytes]:
    """Return the schemas in the form stored beside a title: without their addresses, at which some
    editors would look for referenced schemas."""
    return {
        f"{SCHEMA_FOLDER}/{path.name}": _ADDRESS.sub(b"", shipped_bytes(path))
        for path in schema_paths()
    }


def title_id(folder_name: str) -> str:
    """Return an id for a title: at most 40 lower-case letters, digits and "-"; "starter" if nothing
    is left, or for a name that Windows reserves for a device."""
    words = re.findall(r"[a-z0-9]+", folder_name.lower())
    made = "-".join(words)[:_MOST_LETTERS].rstrip("-")
    return made if quick_check("title", "/$defs/title/properties/id")(made) else "starter"


def _settings() -> bytes:
    """Return VS Code settings for the folder: the schema for each file, for files that do not name
    theirs yet."""
    by_file = {"title": "title", "map": "map", **BLOCK_SCHEMAS}
    schemas = [
        {"fileMatch": [f"/{name}.json"], "url": f"./{SCHEMA_FOLDER}/{schema}.schema.json"}
        for name, schema in by_file.items()
    ]
    return (json.dumps({"json.schemas": schemas}, indent=2) + "\n").encode()


class LoadedPosition(NamedTuple):
    """A position, and the file it was read from, which knows the place of each part:
    `document.place("/tiles/F5")`."""

    position: Position
    document: Document


def load_position(path: Path, file: str | None = None) -> LoadedPosition:
    """Return a position from a file that follows the schema "position". `file` is its name in
    problems, by default `path`.

    Whether the position is possible is not checked here. Raises ProblemsFound with every problem:
    FI, JS and SC codes.
    """
    document = read_checked(path, "position", file)
    position = decode(Position, document.value)
    return LoadedPosition(position, document)


def position_text(position: Position) -> str:
    """Return a position as the text of its file, with a line for each hex; the same position always
    gives the same text."""
    value: dict[str, Any] = {
        "format": POSITION,
        "title": position.title,
        "variant": position.variant,
        "map": position.board,
        "phase": position.phase,
        "removed": position.removed,
        "tiles": {hex_id: str(lay) for hex_id, lay in position.tiles},
        "tokens": {hex_id: [*map(str, stations)] for hex_id, stations in position.tokens},
        "trains": dict(position.trains),
        "markers": {company: dict(amounts) for company, amounts in position.markers},
        "market": dict(position.market),
    }
    return _lines({key: part for key, part in value.items() if part}, 2) + "\n"


def _lines(value: Any, depth: int) -> str:
    """Return a value as JSON, with each entry of its outermost objects on one line."""
    if depth == 0 or not isinstance(value, dict):
        return json.dumps(value, ensure_ascii=False)
    inner = "\n" + " " * (3 - depth)
    rows = [
        f"{json.dumps(key, ensure_ascii=False)}: {_lines(part, depth - 1)}"
        for key, part in value.items()
    ]
    return "{" + inner + ("," + inner).join(rows) + inner[:-1] + "}"
