"""The studio in a worker of a browser: the routes of the local server, and further ones for a page
without a server."""

from __future__ import annotations

import asyncio
import base64
import binascii
import gc
import hashlib
import io
import json
import os
import re
import shutil
import traceback
import zipfile
import zlib
from collections.abc import Callable, Mapping
from concurrent.futures import Executor, Future
from contextlib import suppress
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple, TypeAlias, TypeVar

import msgspec
from msgspec import MsgspecError, Struct

from platelayer.definitions.edits import laid_out, moved, with_value, without
from platelayer.definitions.titles import copied_files, schema_files, starter_files
from platelayer.foundation.door import NotRead, parse_value, read_bytes
from platelayer.foundation.pool import PROCESSES
from platelayer.foundation.problems import CannotRun, join_pointer
from platelayer.foundation.resources import STARTS, asset_bytes, shipped_json, title_ids, title_path
from platelayer.foundation.values import Json
from platelayer.model.described import text
from platelayer.pipeline.write import write_new
from platelayer.studio.answers import Answer, Answers, Brought, Request, from_json, from_query
from platelayer.studio.desk import Desk, Page
from platelayer.studio.folder import Folder
from platelayer.studio.pictures import Printer, archive

# Sends news to the page, as JSON.
Post = Callable[[str], None]
Result = TypeVar("Result")

_MOST_FILES = 400
# Maximum unpacked size of an archive.
_MOST_BYTES = 64 * 1024 * 1024
# Maximum length of a link; longer ones are cut off by some programs.
_MOST_LINK = 64 * 1024
_NOT_NAMED = re.compile(r"[^a-z0-9]+")


class InlineExecutor(Executor):
    """Executor without threads: work runs in a later iteration of the event loop."""

    def submit(self, work: Callable[..., Result], /, *given: Any, **named: Any) -> Future[Result]:
        """Schedule a call."""
        future: Future[Result] = Future()

        def run() -> None:
            try:
                future.set_result(work(*given, **named))
            except Exception as error:
                future.set_exception(error)
                traceback.print_exception(error)

        asyncio.get_running_loop().call_soon(run)
        return future


class LivePage(Page):
    """Page that receives all news immediately, because the event loop is blocked during a print."""

    def __init__(self, post: Post) -> None:
        super().__init__()
        self._post = post

    def tell(self, event: str, data: Json) -> None:
        """Send news to the page."""
        said = {"event": event, "number": self.number, "data": data}
        self._post(json.dumps(said, ensure_ascii=False))


class KeptDesk(Desk):
    """Desk for files in browser storage. `changed` is called when they have changed."""

    def __init__(self, folder: Folder, run: str, changed: Callable[[], None]) -> None:
        super().__init__(folder, run, worker=InlineExecutor())
        self._changed = changed

    def save(self) -> None:
        """Save automatically, then report the change."""
        super().save()
        self._changed()


class Shipped(Struct):
    """Request for a title that comes with Platelayer."""

    id: str


class Link(Struct):
    """Request with the title part of a link."""

    title: str


class At(Struct):
    """Request that concerns the folder of a title."""

    at: str


class OneFile(At):
    """Request for a file of a title."""

    path: str


class Worker:
    """Studio for the titles in the folders of `root`. `post` sends news to the page; `changed` is
    called when files have been written."""

    def __init__(self, root: str, run: str, post: Post, changed: Callable[[], None]) -> None:
        os.environ[PROCESSES] = "1"
        path = Path(root)
        # Keep the root from being bare, so that each new title gets its own folder.
        (path / ".platelayer").mkdir(parents=True, exist_ok=True)
        self._folder = Folder(path)
        self._changed = changed
        self._desk = KeptDesk(self._folder, run, changed)
        self._page = LivePage(post)
        self._desk.printer = Printer(lambda news: self._page.tell("print", news), InlineExecutor())
        self._answers = Answers(
            self._desk,
            (
                ("GET", "shipped.json", self._shipped),
                ("POST", "shipped", self._copy),
                ("GET", "pack.zip", self._pack),
                ("POST", "unpack", self._unpack),
                ("POST", "put", self._take),
                ("GET", "digests", self._digests),
                ("GET", "file", self._file),
                ("GET", "link", self._link),
                ("POST", "linked", self._unlink),
                ("POST", "remove", self._remove),
            ),
        )

    async def begin(self) -> None:
        """Start work on the files."""
        await self._desk.begin()
        gc.disable()  # the desk collects garbage when it is idle

    async def answer(self, method: str, path: str, query: dict[str, str], body: bytes) -> Answer:
        """Answer any request of the page."""
        answer = await self._answers.answer(
            Request(method=method, path=path, query=query, body=body)
        )
        if method == "POST":
            self._changed()
        return answer

    async def hear(self, text: str) -> None:
        """Set the view of the page."""
        await self._answers.hear(self._page, text)

    async def _shipped(self, request: Request) -> list[Json]:
        language = request.query.get("ui", "en")
        return [{"id": title, "name": _name(title, language)} for title in title_ids()]

    async def _copy(self, request: Request) -> Json:
        """Copy a title that comes with Platelayer, to be edited."""
        title = from_json(request.body, Shipped).id
        if title not in title_ids():
            raise CannotRun(f"there is no title {title!r}; use {', '.join(title_ids())}")
        return await self._put(title, copied_files(title, title))

    async def _pack(self, request: Request) -> Answer:
        """Return a title as a zip archive, with the schemas for editors."""
        at = from_query(request, At).at
        folder = self._folder.inside(at)
        data = archive(at, {**schema_files(), **_own_files(folder)}, zipfile.ZIP_DEFLATED)
        return Answer(data, "application/zip", name=f"{at}.zip")

    async def _unpack(self, request: Request) -> Json:
        """Unpack a title from a zip archive."""
        name = request.query.get("name", "")
        try:
            with zipfile.ZipFile(io.BytesIO(request.body)) as opened:
                entries = [
                    entry
                    for entry in opened.infolist()
                    if not entry.is_dir() and "__MACOSX" not in entry.filename
                ]
                if (
                    len(entries) > _MOST_FILES
                    or sum(entry.file_size for entry in entries) > _MOST_BYTES
                ):
                    raise CannotRun(f"{name} is too large for a title")
                files = {entry.filename: opened.read(entry) for entry in entries}
        except (
            zipfile.BadZipFile,
            zlib.error,
            EOFError,
            NotImplementedError,
            RuntimeError,
        ) as error:
            raise CannotRun(f"{name} is not a zip archive that can be read: {error}") from error
        return await self._put(name.removesuffix(".zip"), files)

    async def _take(self, request: Request) -> Json:
        """Copy the files of a folder on disk as a title."""
        given = from_json(request.body, Brought)
        try:
            files = {file.path: base64.b64decode(file.data, validate=True) for file in given.files}
        except binascii.Error as error:
            raise CannotRun(f"{given.name} cannot be read: {error}") from error
        return await self._put(given.name, files)

    async def _digests(self, request: Request) -> Json:
        """Return the digests of the files of a title, so that only changed files need be written to
        a folder on disk."""
        folder = self._folder.inside(from_query(request, At).at)
        return {name: hashlib.sha256(data).hexdigest() for name, data in _own_files(folder).items()}

    async def _file(self, request: Request) -> Answer:
        """Return one file of a title."""
        file = from_query(request, OneFile)
        path = self._folder.inside(file.at) / self._folder.inside(file.path).relative_to(
            self._folder.root
        )
        data = read_bytes(path, _MOST_BYTES)
        return Answer(data, "application/octet-stream")

    async def _link(self, request: Request) -> Json:
        """Return a small title, encoded as the end of a link. Raises CannotRun if it is too
        large."""
        at = from_query(request, At).at
        if not self._desk.is_title(at):
            raise CannotRun("there is no title in this folder yet")
        unsaved, folder = self._desk.workspace.texts, self._folder.inside(at)
        files: dict[str, str] = {}
        for name, data in _own_files(folder).items():
            try:
                files[name] = unsaved.get(folder / name) or data.decode()
            except UnicodeDecodeError as error:
                raise CannotRun(
                    f"a link holds texts, not {name}: pass the title on as a zip file"
                ) from error
        link = link_of(at, files)
        if len(link) > _MOST_LINK:
            raise CannotRun(
                f"this title is too large for a link: {len(link)} characters of {_MOST_LINK}"
            )
        return {"title": link}

    async def _unlink(self, request: Request) -> Json:
        """Create a title from a link."""
        linked = title_of(from_json(request.body, Link).title)
        files = {name: each.encode() for name, each in linked.files.items()}
        return {**await self._put(linked.name, files), "base": linked.base}

    async def _remove(self, request: Request) -> Json:
        at = from_json(request.body, At).at
        if not at or not self._desk.is_title(at):
            raise CannotRun("there is no such title")
        shutil.rmtree(self._folder.inside(at))
        await self._desk.changed()
        return {}

    async def _put(self, name: str, files: dict[str, bytes]) -> Json:
        """Write files as a new title and return its folder; if the same title exists already,
        return that. Of the contents of an archive, only files beside and below the topmost
        title.json are used."""
        paths = {PurePosixPath(path): data for path, data in files.items()}
        if any(path.is_absolute() or ".." in path.parts or "\\" in str(path) for path in paths):
            raise CannotRun("a file in it leads out of the folder")
        titles = sorted(
            (path.parent for path in paths if path.name == "title.json"),
            key=lambda path: len(path.parts),
        )
        if not titles:
            raise CannotRun("there is no title.json in it")
        top = titles[0]
        inside = {
            path.relative_to(top).as_posix(): data
            for path, data in paths.items()
            if path.is_relative_to(top)
        }
        own = {path: data for path, data in inside.items() if not path.startswith(".")}
        plain = _NOT_NAMED.sub("-", (top.name or name).lower()).strip("-")[:40] or "title"
        numbered = (f"{plain}-{number}" for number in range(2, _MOST_FILES))
        for at in (plain, *numbered):
            folder = self._folder.inside(at)
            if not folder.exists():
                write_new(folder, inside)
                await self._desk.changed()
            elif _own_files(folder) != own:  # otherwise it is the same title
                continue
            return {"at": at}
        raise CannotRun(f"there are too many titles like {plain}")


def _own_files(folder: Path) -> dict[str, bytes]:
    """Return the files of a title, except prints and hidden files."""
    paths = (
        (path.relative_to(folder), path) for path in sorted(folder.rglob("*")) if path.is_file()
    )
    return {
        name.as_posix(): read_bytes(path, _MOST_BYTES)
        for name, path in paths
        if name.parts[0] != "output" and not any(part.startswith(".") for part in name.parts)
    }


def _name(title: str, language: str) -> str:
    """Return the name of a shipped title."""
    return text(shipped_json(title_path(title) / "title.json").get("name", title)).get(language)


# Links that contain a title, as the difference from the shipped title or start that it resembles
# most.
#
# A link is JSON, deflated with a dictionary (assets/links) and written in base64url: a version, a
# name, the base with its checksum, and a change for each file that differs from the base. A change
# is null to remove a value, [value] or [value, index] to set one, and {key: change} for an object
# that keeps most of its keys. If its changes would not reproduce the text of a file exactly, the
# text itself is stored. Dictionaries are never edited: links of earlier editions need them.


# First byte of a link, and name of its dictionary. Older links begin with a zlib header (0x78)
# instead.
_VERSION = b"\1"
_MOST_INFLATED = 4 * 1024 * 1024

Change: TypeAlias = Any


class Linked(NamedTuple):
    """Title from a link: its name and files. `base` names a shipped title that has changed since
    the link was made, so parts that the link does not contain may differ; "" if there is none."""

    name: str
    files: dict[str, str]
    base: str = ""


def link_of(name: str, files: Mapping[str, str]) -> str:
    """Return the shortest link to a title, given the texts of its files."""
    bases = {base: _base(base, name) for base in (*title_ids(), *STARTS)}
    nearest = max(bases, key=lambda base: _shared(bases[base], files))
    links: list[bytes] = []
    for base, known in (("", dict[str, str]()), (nearest, bases[nearest])):
        changes: dict[str, Change] = {path: None for path in known if path not in files}
        for path, written in files.items():
            if written != known.get(path):
                changes[path] = _file_change(known.get(path, ""), written)
        data = [name, base, _checksum(known), changes]
        deflater = zlib.compressobj(9, wbits=-zlib.MAX_WBITS, memLevel=9, zdict=_dictionary())
        links.append(_VERSION + deflater.compress(_plain(data).encode()) + deflater.flush())
    return base64.urlsafe_b64encode(min(links, key=len)).decode().rstrip("=")


def title_of(link: str) -> Linked:
    """Decode a link of any edition. Raises CannotRun."""
    try:
        packed = base64.b64decode(link + "=" * (-len(link) % 4), altchars=b"-_", validate=True)
        if packed[:1] != _VERSION:
            name, files = msgspec.json.decode(
                _inflated(zlib.decompressobj(), packed), type=tuple[str, dict[str, str]]
            )
            return Linked(name, files)
        inflater = zlib.decompressobj(-zlib.MAX_WBITS, zdict=_dictionary())
        name, base, checksum, changes = msgspec.json.decode(
            _inflated(inflater, packed[1:]), type=tuple[str, str, int, dict[str, Any]]
        )
        if base not in ("", *title_ids(), *STARTS):
            raise CannotRun(f"this link builds on {base!r}, which this edition does not have")
        known = _base(base, name)
        files = {path: text for path, text in known.items() if changes.get(path, "") is not None}
        for path, change in changes.items():
            if change is not None:
                files[path] = _changed(known.get(path, ""), change)
    except (ValueError, TypeError, LookupError, AttributeError, zlib.error, MsgspecError) as error:
        raise CannotRun(f"this link holds no title: {error}") from error
    return Linked(name, files, base if checksum != _checksum(known) else "")


def _base(base: str, name: str) -> dict[str, str]:
    """Return the files of a shipped title or a start as a title of the given name would get them,
    without hidden files (those for editors)."""
    if not base:
        return {}
    files = starter_files(name, base) if base in STARTS else copied_files(base, name)
    return {path: data.decode() for path, data in files.items() if not path.startswith(".")}


def _shared(one: Mapping[str, str], other: Mapping[str, str]) -> int:
    """Return the number of characters in lines that both have in files of the same name."""
    both = (
        set(one[path].split("\n")) & set(other[path].split("\n")) for path in one if path in other
    )
    return sum(len(line) for lines in both for line in lines)


def _checksum(files: Mapping[str, str]) -> int:
    return zlib.crc32(repr(sorted(files.items())).encode()) if files else 0


@cache
def _dictionary() -> bytes:
    return asset_bytes("links", f"{_VERSION[0]}.txt")


def _inflated(inflater: Any, packed: bytes) -> bytes:
    data: bytes = inflater.decompress(packed, _MOST_INFLATED)
    if not inflater.eof:
        raise CannotRun("this link is incomplete, or too large for a title")
    return data


def _plain(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _file_change(old: str, new: str) -> Change:
    """Return the change of a file from one text ("" for a new file) to another, or the new text
    itself if no change gives exactly that."""
    with suppress(NotRead, KeyError, ValueError):
        value = parse_value(new, name="")
        change = _change(parse_value(old, name=""), value) if old else [value]
        for each in (change, [value]):
            if _changed(old, each) == new:
                return each
    return new


def _change(old: Any, new: Any) -> Change:
    """Return the change of a value, or the whole new value if that is shorter."""
    if not isinstance(old, dict) or not isinstance(new, dict):
        return [new]
    common = [key for key in old if key in new]
    if 2 * len(common) < len(old) or common != [key for key in new if key in old]:
        return [new]
    changes: dict[str, Change] = {key: None for key in old if key not in new}
    last = max((number for number, key in enumerate(new) if key in old), default=-1)
    for number, (key, value) in enumerate(new.items()):
        if key not in old:
            changes[key] = [value] if number > last else [value, number]
        elif _plain(old[key]) != _plain(value):
            changes[key] = _change(old[key], value)
    return min(changes, [new], key=lambda change: len(_plain(change)))


def _changed(text: str, change: Change, at: str = "") -> str:
    """Apply a change to the text of a file at a pointer. Parts that do not fit, because the base
    differs from that of the link, are skipped."""
    if isinstance(change, str):
        return change
    if isinstance(change, list):
        return laid_out(change[0], open_first=True) + "\n"
    for key, each in change.items():
        pointer = at + join_pointer(key)
        with suppress(KeyError):
            if each is None:
                text = without(text, pointer)
            elif isinstance(each, dict):
                text = _changed(text, each, pointer)
            else:
                text = with_value(text, pointer, each[0])
                if each[1:]:
                    text = moved(text, pointer, each[1])
    return text
