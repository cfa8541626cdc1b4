"""A title's JSON, assembled from its files and patched, with the place of every part."""

from __future__ import annotations

from collections.abc import Iterator
from errno import ENAMETOOLONG
from itertools import islice
from pathlib import Path
from stat import S_ISDIR
from typing import Any

from msgspec import Struct, field

from platelayer.definitions.decode import keys_of, unwrapped
from platelayer.definitions.schemas import schema_problems
from platelayer.definitions.source import Document, document_problems, is_there, read_document
from platelayer.foundation.door import NotRead, joined
from platelayer.foundation.pointers import join_pointer, split_pointer
from platelayer.foundation.problems import Place, Problem, ProblemsFound, Severity
from platelayer.foundation.resources import title_ids, title_path
from platelayer.foundation.suggestions import listed, suggestion
from platelayer.model.described import Block
from platelayer.model.title import Title

# JSON merge patches (RFC 7396).


# What no patch can say: a null where there was another value, or within an object that is new.
NEVER = object()


def merge_patch(target: Any, patch: Any) -> Any:
    """The target after an RFC 7396 merge patch. Neither argument is modified; unchanged parts are
    shared."""
    if not isinstance(patch, dict):
        return patch
    merged = dict(target) if isinstance(target, dict) else {}
    for key, change in patch.items():
        if change is None:
            merged.pop(key, None)
        else:
            merged[key] = merge_patch(merged.get(key), change)
    return merged


def patch_between(before: Any, after: Any) -> Any:
    """The merge patch that makes one value of another; where none can, it holds NEVER. Neither
    argument is modified."""
    if not isinstance(before, dict) or not isinstance(after, dict):
        return NEVER if _has_null(after) else after
    changes = {
        key: patch_between(before.get(key), value)
        for key, value in after.items()
        if key not in before or before[key] != value
    }
    return {**{key: None for key in before if key not in after}, **changes}


def says_all(patch: Any) -> bool:
    """False for a patch that holds NEVER."""
    return patch is not NEVER and not (
        isinstance(patch, dict) and not all(map(says_all, patch.values()))
    )


def _has_null(value: Any) -> bool:
    """True if a null stands in an object that a patch would create; nulls in lists stay."""
    return value is None or (isinstance(value, dict) and any(map(_has_null, value.values())))


# Blocks that may be in a file of their own, with the schema of such a file.
BLOCK_SCHEMAS = {
    key: mark.schema
    for key, described in keys_of(Title)
    for mark in unwrapped(described).marks
    if isinstance(mark, Block)
}
# The most files that a title may name. The schema refuses more than 12 maps, so nothing after them
# needs to be read.
_MOST_FILES = len(BLOCK_SCHEMAS) + 12


class Assembled(Struct, kw_only=True):
    """A title in one piece. `origins` maps pointers of `value` to the document and pointer they
    come from (a value without an entry comes from the same place as its container); `unsound` names
    the blocks that must not be read because they break a schema; `problems` are those found so far;
    `companies` are those of the title without its variant."""

    root: Document
    value: dict[str, Any]
    origins: dict[str, tuple[Document, str]]
    problems: list[Problem] = field(default_factory=list)
    unsound: set[str] = field(default_factory=set)
    companies: dict[str, Any] = field(default_factory=dict)

    def place(self, pointer: str, *, key: bool = False) -> Place:
        """The place of the value (or its key) at a pointer of the assembled title."""
        document, inside = self.source(pointer)
        return document.place(inside, key=key)

    def source(self, pointer: str) -> tuple[Document, str]:
        """The document that the value at a pointer of the assembled title comes from, and its
        pointer there."""
        around = pointer
        while around not in self.origins:
            around = around.rpartition("/")[0]
        document, base = self.origins[around]
        return document, base + pointer[len(around) :]

    def doubted(self) -> Iterator[str]:
        """Pointers of the assembled title at which a file says two things, or nothing that is
        JSON."""
        for pointer, (document, base) in self.origins.items():
            for doubt in document.doubts:
                if doubt.pointer.startswith(base):
                    yield pointer + doubt.pointer.removeprefix(base)

    def refuse(self, block: str, *problems: Problem) -> None:
        """Keeps problems and bars the block from being read."""
        self.problems += problems
        self.unsound.add(block)


def find_title(reference: str | Path) -> tuple[Path, str]:
    """The title file meant by a shipped id, a folder or a path, and its name as the user would type
    it.

    Raises ProblemsFound (RF09 for an id or path that is unknown, FI01 for a folder without
    title.json).
    """
    words = str(reference)
    path = Path(reference)
    if isinstance(reference, str) and reference in title_ids():
        return title_path(reference) / "title.json", _shortest(title_path(reference) / "title.json")
    looks_like_path = (
        "/" in words or "\\" in words or words.endswith(".json") or words in (".", "..")
    )
    try:
        mode = path.stat().st_mode
        is_folder, exists = S_ISDIR(mode), True
    except (OSError, ValueError) as error:
        if isinstance(error, OSError) and error.errno == ENAMETOOLONG:
            message = f"a name that begins with {words[:40]!a} is too long for a file"
            raise ProblemsFound([Problem(code="RF09", message=message)]) from error
        is_folder = exists = False
    if is_folder:
        try:
            inside = joined(path, "title.json")
        except NotRead as error:
            raise error.found(words) from error
        if not is_there(inside):
            message = "there is no title.json in this folder"
            raise ProblemsFound([Problem(code="FI01", message=message, file=words)])
        return inside, str(inside)
    if exists or looks_like_path:
        return path, words
    known = title_ids()
    message = f'there is no title "{words}"; known titles: {listed(known) or "none"}'
    hint = (
        suggestion(words, known)
        or "name a title, a folder with a title.json in it, or a .json file"
    )
    raise ProblemsFound([Problem(code="RF09", message=message, hint=hint)])


def assemble_title(reference: str | Path, variant: str | None = None) -> Assembled:
    """Read a title with the files it names, check each by its schema, and apply a variant.

    Raises ProblemsFound only if the work cannot continue (the title file cannot be read or is not
    an object, or the variant is unknown); everything else is collected in `problems`.
    """
    path, file = find_title(reference)
    root = read_document(path, file)
    problems = document_problems(root, "title")
    if not isinstance(root.value, dict):
        raise ProblemsFound(problems)
    whole = Assembled(root=root, value=dict(root.value), origins={"": (root, "")})
    _keep(whole, problems)
    _include_blocks(whole)
    if variant is not None:
        apply_variant(whole, variant)
    return whole


def _shortest(path: Path) -> str:
    """A path relative to the working folder if it is inside it, else absolute."""
    here = Path.cwd()
    return str(path.relative_to(here)) if path.is_relative_to(here) else str(path)


def _keep(whole: Assembled, problems: tuple[Problem, ...]) -> None:
    """Keeps problems whose pointers are those of the title, barring the blocks they are in."""
    for problem in problems:
        whole.refuse((split_pointer(problem.pointer) or ("",))[0], problem)


def _named_blocks(value: dict[str, Any]) -> Iterator[tuple[tuple[str, ...], str, str]]:
    """(keys that lead to the block, its name in its file, schema of that file) of each block given
    as a path."""
    for block, schema in BLOCK_SCHEMAS.items():
        if _is_path(value.get(block)):
            yield (block,), block, schema
    maps = value.get("maps")
    for name, entry in maps.items() if isinstance(maps, dict) else ():
        if _is_path(entry):
            yield ("maps", name), "map", "map"


def _is_path(block: Any) -> bool:
    return isinstance(block, str) and block.endswith(".json")


def _include_blocks(whole: Assembled) -> None:
    for keys, name, schema in tuple(islice(_named_blocks(whole.value), _MOST_FILES)):
        pointer = join_pointer(*keys)
        try:
            document = _read_part(whole, pointer)
        except ProblemsFound as error:
            whole.refuse(keys[0], *error.problems)
            continue
        problems = document_problems(document, schema)
        if problems:
            whole.refuse(keys[0], *problems)
        part = document.value.get(name) if isinstance(document.value, dict) else None
        if part is None:
            continue
        whole.origins = {
            old: origin
            for old, origin in whole.origins.items()
            if not old.startswith(pointer + "/")
        }
        whole.origins[pointer] = (document, "/" + name)
        if len(keys) == 1:
            whole.value[keys[0]] = part
        else:
            whole.value[keys[0]] = whole.value[keys[0]] | {keys[1]: part}


def _read_part(whole: Assembled, pointer: str) -> Document:
    """The file that the title names at `pointer`. Raises ProblemsFound: RF08 if it is outside the
    title's folder or does not exist, FI and JS codes when it cannot be read."""
    keys = split_pointer(pointer)
    name = whole.value[keys[0]] if len(keys) == 1 else whole.value[keys[0]][keys[1]]
    return read_document(*file_in_folder(whole, name, pointer, pattern="*.json"))


def file_in_folder(whole: Assembled, name: str, pointer: str, *, pattern: str) -> tuple[Path, str]:
    """A file in the title's folder, which the title names at `pointer`: its path, and as the user
    would type it; files of the `pattern` are suggested. Raises ProblemsFound: RF08 if it is outside
    the folder or does not exist."""
    folder = whole.root.path.parent
    try:
        path = joined(folder, name)
    except NotRead as error:
        message = f'"{name}" leads out of the title folder'
        hint = "put the file in the title folder and give a path without .."
        raise ProblemsFound(
            [Problem(code="RF08", message=message, hint=hint).at(whole.place(pointer))]
        ) from error
    try:
        there = is_there(path)
    except (OSError, ValueError, RuntimeError):
        there = False
    if not there:
        near = suggestion(
            name, (file.relative_to(folder).as_posix() for file in sorted(folder.rglob(pattern)))
        )
        message = f'there is no file "{name}" in the title folder'
        raise ProblemsFound(
            [Problem(code="RF08", message=message, hint=near).at(whole.place(pointer))]
        )
    return path, str(Path(whole.root.file).parent / name)


def apply_variant(whole: Assembled, variant: str) -> None:
    """Patches a title with a variant and what that includes. Raises ProblemsFound (RF09) for one
    that is unknown."""
    variants = whole.value.get("variants") or {}
    if "variants" in whole.unsound:
        raise ProblemsFound(whole.problems)
    if variant not in variants:
        message = f'there is no variant "{variant}"; known variants: {listed(variants) or "none"}'
        unknown = Problem(code="RF09", message=message, hint=suggestion(variant, variants)).at(
            whole.place("/variants")
        )
        raise ProblemsFound([*whole.problems, unknown])
    if whole.unsound:
        return  # patching an unsound block would only add noise
    whole.companies = whole.value.get("companies", {})
    unpatched = whole.value
    for variant_id in _in_order(whole, variants, variant):
        patch = variants[variant_id]["patch"]
        document, base = whole.root, join_pointer("variants", variant_id, "patch")
        gone = {*_idle(unpatched, patch)}  # what a variant before it has removed is no mistake
        for pointer in gone.intersection(_idle(whole.value, patch)) if gone else ():
            message = f"variant {variant_id} removes {pointer}, which the title does not have"
            idle = Problem(
                code="RF23", message=message, hint="check its name", severity=Severity.WARNING
            )
            whole.problems.append(idle.at(document.place(base + pointer, key=True)))
        whole.origins |= {
            pointer: (document, base + pointer) for pointer in _changes(whole.value, patch)
        }
        whole.value = merge_patch(whole.value, patch)
        _include_blocks(whole)
    _keep_patched(whole, schema_problems(whole.value, "title", whole.place))


def _in_order(whole: Assembled, variants: dict[str, Any], variant: str) -> tuple[str, ...]:
    """A variant, preceded by all that it includes, each once. Raises ProblemsFound (RF09) for one
    that is unknown, or that includes itself."""
    order: dict[str, None] = {}

    def visit(name: str, above: tuple[str, ...]) -> None:
        for index, included in enumerate(variants[name].get("includes", ())):
            place = whole.place(join_pointer("variants", name, "includes", index))
            if included not in variants:
                message = f'there is no variant "{included}"; known variants: {listed(variants)}'
                hint = suggestion(included, variants)
                raise ProblemsFound(
                    [*whole.problems, Problem(code="RF09", message=message, hint=hint).at(place)]
                )
            if included in (*above, name):
                message = f'variant "{name}" includes "{included}", which includes it'
                raise ProblemsFound(
                    [*whole.problems, Problem(code="RF09", message=message).at(place)]
                )
            if included not in order:
                visit(included, (*above, name))
        order[name] = None

    visit(variant, ())
    return tuple(order)


def _keep_patched(whole: Assembled, problems: tuple[Problem, ...]) -> None:
    """Keeps problems of a patched title. Their pointers are those of the files, so every block is
    barred. Those of a file that a patch names have been found in that file already."""
    whole.problems += tuple(problem for problem in problems if problem not in whole.problems)
    if problems:
        whole.unsound |= {"", *whole.value}


def _idle(target: Any, patch: Any, pointer: str = "") -> Iterator[str]:
    """Pointers of what a merge patch removes though it is not there."""
    for key, change in (
        patch.items() if isinstance(patch, dict) and isinstance(target, dict) else ()
    ):
        if change is None and key not in target:
            yield pointer + join_pointer(key)
        else:
            yield from _idle(target.get(key), change, pointer + join_pointer(key))


def _changes(target: Any, patch: Any, pointer: str = "") -> Iterator[str]:
    """Pointers of what a merge patch adds or replaces."""
    if not (isinstance(target, dict) and isinstance(patch, dict)):
        if pointer:
            yield pointer
        target = {}
    if isinstance(patch, dict):
        for key, change in patch.items():
            if change is not None:
                yield from _changes(target.get(key), change, pointer + join_pointer(key))
