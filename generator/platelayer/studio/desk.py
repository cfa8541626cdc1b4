"""The desk: everything that is open in the studio, the pages that show it, and their actions.

An action is a struct that a page sends as JSON (its tag is `do`); its answer is JSON. The local
server and the worker in a browser share this interface.
"""

from __future__ import annotations

import asyncio
import base64
import binascii
import gc
import re
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from pathlib import Path, PurePath
from typing import Annotated, Any, TypeAlias, TypeVar

import msgspec
from msgspec import Meta, Struct

from platelayer.definitions.edits import laid_out, text_at
from platelayer.definitions.pictures import SUFFIX, read_picture
from platelayer.definitions.svg_tree import SvgError
from platelayer.definitions.themes import theme_ids
from platelayer.foundation.door import NotRead, parse_value
from platelayer.foundation.pool import gc_paused
from platelayer.foundation.problems import CannotRun, ProblemsFound, join_pointer
from platelayer.foundation.values import Json
from platelayer.model.company import Company
from platelayer.pipeline import registry
from platelayer.pipeline.job import BuildOptions
from platelayer.studio.clips import clip_of
from platelayer.studio.editing import AnyOp, Editor, Put
from platelayer.studio.folder import Files, Folder, Refused, compared
from platelayer.studio.pictures import Face, Pictures, Printer, Sheets, hex_pictures
from platelayer.studio.view import View
from platelayer.studio.workspace import READ_ONLY, Unsaved, Workspace

# Label of a step that comes from a change on disk; the page shows its own words for it.
OUTSIDE = ""


class Action(Struct, tag_field="do", forbid_unknown_fields=True, kw_only=True):
    """Action of a page. `at` and `variant` identify the title that it shows."""

    at: str = ""
    variant: str | None = None

    def answer(self, workspace: Workspace, view: View | None) -> Json:
        """Perform the action. Raises CannotRun, Refused."""
        raise NotImplementedError


class Query(Action):
    """Action that changes nothing."""


class Open(Query, tag="open"):
    """Open a file for editing."""

    name: str

    def answer(self, workspace: Workspace, view: View | None) -> Json:  # noqa: ARG002
        """Return the current text of the file, with its version, digest and path."""
        file = workspace.open(self.name)
        path = str(workspace.folder.file(self.name))
        return {"text": file.text, "version": file.version, "digest": file.digest, "path": path}


class Values(Query, tag="values"):
    """Read the values at pointers of a file as it is edited."""

    name: str
    pointers: list[str]

    def answer(self, workspace: Workspace, view: View | None) -> Json:  # noqa: ARG002
        """Return the text of each value, None where there is none. Raises Refused if the file is
        not JSON."""
        text = workspace.open(self.name).text
        try:
            parse_value(text, name=self.name)
        except NotRead as error:
            raise Refused(
                f"{self.name} cannot be read as it is now: correct it first, or undo"
            ) from error
        texts: list[str | None] = []
        for pointer in self.pointers:
            try:
                texts.append(text_at(text, pointer))
            except KeyError:
                texts.append(None)
        return {"texts": texts}


class Since(Query, tag="since"):
    """Get the changes made to a file since a version."""

    name: str
    version: int

    def answer(self, workspace: Workspace, view: View | None) -> Json:
        """Return the changes, each with the page that made it, or the whole file if the version is
        too old."""
        changes = workspace.since(self.name, self.version)
        if changes is None:
            return Open(name=self.name).answer(workspace, view)
        return {"changes": changes}


class Type(Action, tag="type"):
    """Apply typed changes, in CodeMirror's format, to a version of a file."""

    name: str
    version: int
    changes: list[list[int | list[int | str]]]
    by: str
    label: str
    group: str = ""

    def answer(self, workspace: Workspace, view: View | None) -> Json:  # noqa: ARG002
        """Return the new version of the file."""
        workspace.type(
            self.name, self.version, self.changes, label=self.label, group=self.group, by=self.by
        )
        return {"version": workspace.open(self.name).version}


class Change(Action, tag="edit"):
    """Apply operations as one undoable step."""

    label: str
    ops: list[AnyOp]
    group: str = ""
    language: str = ""
    theme: str = ""

    def answer(self, workspace: Workspace, view: View | None) -> Json:
        """Return the number of edits, whether the stroke erased, the revision of the files, texts
        to correct by hand, pictures of the painted hexes (if a theme is given), and the names of
        the hexes that were set down."""
        editor = Editor(workspace, view)
        editor.do(self.ops)
        workspace.edit(self.label, editor.edits, group=self.group)
        pictures: dict[str, str] = {}
        if editor.touched and view is not None and self.theme in theme_ids():
            view.reload(workspace.texts)
            with suppress(CannotRun, ProblemsFound):
                for board, names in editor.touched:
                    pictures |= hex_pictures(view, board, names, self.language, self.theme)
        return {
            "edits": len(editor.edits),
            "took": editor.took,
            "revision": workspace.revision,
            "prose": editor.prose,
            "hexes": pictures,
            "placed": editor.placed,
        }


class Undo(Action, tag="undo"):
    """Undo the last step."""

    def answer(self, workspace: Workspace, view: View | None) -> Json:  # noqa: ARG002
        """Return the label of the step that was undone."""
        return {"label": workspace.undo()}


class Redo(Action, tag="redo"):
    """Redo the last step that was undone."""

    def answer(self, workspace: Workspace, view: View | None) -> Json:  # noqa: ARG002
        """Return the label of the step that was redone."""
        return {"label": workspace.redo()}


class Save(Action, tag="save"):
    """Save files to disk. Without names, save all files of the current title except those that
    somebody else has changed."""

    names: list[str] | None = None

    def answer(self, workspace: Workspace, view: View | None) -> Json:  # noqa: ARG002
        """Return the names of the saved files."""
        own = [name for name in workspace.savable if workspace.folder.title_of(name) == self.at]
        saved = workspace.save(own if self.names is None else self.names)
        if self.names is None:
            workspace.moments.save(self.at)
        return {"saved": saved}


class Revert(Action, tag="revert"):
    """Revert all files to what was last saved."""

    label: str

    def answer(self, workspace: Workspace, view: View | None) -> Json:  # noqa: ARG002
        """Return an empty object."""
        workspace.revert(self.label)
        return {}


class Settle(Action, tag="settle"):
    """Resolve a conflict over a file that somebody else has also changed on disk: keep the text
    edited here (`mine`) or the one on disk."""

    name: str
    mine: bool

    def answer(self, workspace: Workspace, view: View | None) -> Json:  # noqa: ARG002
        """Return an empty object."""
        workspace.settle(self.name, mine=self.mine, label=OUTSIDE)
        return {}


class Differences(Query, tag="differences"):
    """Compare the edited text of a file with the version that somebody else has written to disk."""

    name: str
    language: str = "en"

    def answer(self, workspace: Workspace, view: View | None) -> Json:
        """Return the differences in the title in words, by heading."""
        if view is None or view.loaded is None:
            raise CannotRun("there is nothing to compare")
        theirs = View(view.root, self.at, self.variant)
        text = workspace.folder.read(self.name).text
        theirs.reload({**workspace.texts, workspace.folder.root / self.name: text})
        if theirs.loaded is None or theirs.broken:
            raise CannotRun(f"on disk: {theirs.read_problems[0].message}")
        compare = registry.function("compare_loaded")
        return {"facts": compare(theirs.loaded, view.loaded, language=self.language).in_words}


class Autosave(Action, tag="autosave"):
    """Turn automatic saving on or off."""

    on: bool

    def answer(self, workspace: Workspace, view: View | None) -> Json:  # noqa: ARG002
        """Return an empty object."""
        workspace.autosave = self.on
        return {}


class Copy(Query, tag="copy"):
    """Copy hexes of a map; the first becomes the centre."""

    map: str
    hexes: list[str]

    def answer(self, workspace: Workspace, view: View | None) -> Json:
        """Return the text for the clipboard."""
        maps = Editor(workspace, view).assembled()[0].get("maps", {})
        if self.map not in maps or not self.hexes:
            raise CannotRun(f"there is no map {self.map!r}")
        clip = msgspec.to_builtins(clip_of(maps[self.map], self.hexes))
        return {"text": laid_out(clip) + "\n"}


class AllMoments(Query, tag="moments"):
    """List the moments that the title can be compared with."""

    def answer(self, workspace: Workspace, view: View | None) -> Json:  # noqa: ARG002
        """Return the moments, each with its kind and time."""
        return {"moments": [moment._asdict() for moment in workspace.moments.all(self.at)]}


class Compare(Query, tag="compare"):
    """Compare the title with its state at an earlier moment, drawn in a language and a theme."""

    then: str
    language: str = "en"
    theme: str = "classic"

    def answer(self, workspace: Workspace, view: View | None) -> Json:
        """Return the pieces and hexes that look different, and a digest of the earlier state."""
        if view is None or view.loaded is None:
            raise CannotRun("there is nothing to compare")
        before, digest = workspace.moments.view(self.at, self.variant, self.then)
        return {"digest": digest, **compared(view, before, self.language, self.theme)}


class Logo(Action, tag="logo", kw_only=True):
    """Add a picture, given by file name and bytes in base64. With the key of a piece, it becomes
    the logo of that piece's company; without one, a picture for hexes and cards."""

    key: str = ""
    name: str
    data: str
    label: str

    def answer(self, workspace: Workspace, view: View | None) -> Json:
        """Return the name of the new file and the id of the picture."""
        if view is None or not workspace.folder.writable:
            raise CannotRun(READ_ONLY if view else "there is no title to edit here yet")
        editor, data = Editor(workspace, view), picture_data(self.name, self.data)
        company = company_of(view, self.key) if self.key else None
        name = company.id + PurePath(self.name).suffix if company else self.name
        picture_id, file = add_picture(editor, workspace.folder, view, name, data)
        if company:
            logo = join_pointer(company.block, company.id, "logo")
            editor.do([Put(*editor.place(logo), picture_id)])
        workspace.edit(self.label, editor.edits)
        return {"file": file, "id": picture_id}


AnyAction: TypeAlias = (
    Open
    | Values
    | Since
    | Type
    | Change
    | Undo
    | Redo
    | Save
    | Revert
    | Settle
    | Differences
    | Autosave
    | Copy
    | AllMoments
    | Compare
    | Logo
)


def read_action(data: bytes) -> AnyAction:
    """Decode an action. Raises CannotRun for an invalid one."""
    try:
        action: AnyAction = msgspec.json.decode(data, type=AnyAction)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise CannotRun(f"invalid request: {error}") from error
    return action


def news(workspace: Workspace) -> Json:
    """Return the state of the files, which pages receive after each step."""
    return {
        "revision": workspace.revision,
        "versions": workspace.versions,
        "unsaved": workspace.unsaved,
        "conflicts": workspace.conflicts,
        "trouble": workspace.trouble if workspace.unsaved else "",
        "undo": workspace.next_undo,
        "redo": workspace.next_redo,
    }


# Pictures that users drop or choose, mostly logos.


_FOLDER = "pictures"
_MOST_PICTURES = 100


def add_picture(
    editor: Editor, folder: Folder, view: View, name: str, data: bytes
) -> tuple[str, str]:
    """Add a picture to the title, and return its id and the name of its new file. Undo does not
    delete the file. Raises Refused."""
    stem, suffix = PurePath(name).stem, PurePath(name).suffix.lower()
    wanted = re.sub(r"[^A-Za-z0-9._+-]+", "-", stem).strip("-._+")
    picture_id, file = _free(folder, view, wanted[:30] or "picture", suffix)
    short = file.removeprefix(f"{view.at}/") if view.at else file
    editor.do([Put(*editor.place(join_pointer("pictures", picture_id)), short)])
    folder.add(file, data)
    return picture_id, file


def company_of(view: View, key: str) -> Company:
    """Return the company that a piece belongs to. Raises Refused."""
    origin = view.piece(key).origin[:2]
    for company in view.title.companies:
        if (company.block, company.id) == origin:
            return company
    raise Refused(f"{key} belongs to no company")


def picture_data(name: str, data: str) -> bytes:
    """Decode the file of a picture from base64 and check that it can be drawn. Raises Refused."""
    if not SUFFIX.fullmatch(PurePath(name).suffix):
        raise Refused(f"{name} is no SVG, PNG or JPEG file: logos and pictures are")
    try:
        found = base64.b64decode(data, validate=True)
        pixels = read_picture(name.lower(), found, "logo").pixels
        return pixels.data if pixels else found.decode("utf-8-sig").encode()
    except SvgError as error:
        where = f"{name}:{error.line}" if error.line else name
        raise Refused(
            f"{where}: {error.message}" + (f" ({error.hint})" if error.hint else "")
        ) from error
    except (binascii.Error, UnicodeDecodeError) as error:
        raise Refused(f"{name} is not UTF-8 text; save it as UTF-8") from error


def _free(folder: Folder, view: View, wanted: str, suffix: str) -> tuple[str, str]:
    """Return an unused picture id and the name of a file that does not exist yet."""
    taken = {picture.id for picture in view.title.pictures}
    for number in range(1, _MOST_PICTURES):
        picture_id = wanted if number == 1 else f"{wanted}-{number}"
        file = "/".join(filter(None, (view.at, _FOLDER, f"{picture_id}{suffix}")))
        if picture_id not in taken and not folder.file(file).exists():
            return picture_id, file
    raise Refused(f"there are {_MOST_PICTURES} pictures called {wanted} already")


# The desk.


Result = TypeVar("Result")

# Quiet period after which changed files are read.
_STEP_MS = 4
# Delay of the search for problems, so that pages can request their pictures first.
_PICTURES_FIRST_S = 0.2
# Idle time before garbage collection, which takes a tenth of a second and would delay an edit.
_IDLE_S = 2.0
# Interval at which files are checked without a notification: a folder that is replaced sends none.
_LOOK_AGAIN_MS = 1000
# Delay between the last edit and an automatic save.
_AUTOSAVE_S = 1.0
# Interval between attempts to save, for example on a full disk.
_TRY_AGAIN_S = 5.0
# A file that cannot be read may still be being written by an editor: time before pages are
# notified.
_PATIENCE_S = 0.08


class Looks(Struct, frozen=True, rename={"language": "lang"}):
    """View of a page, as the page states it: the folder of a title, a variant, a language and a
    theme."""

    at: str = ""
    variant: str | None = None
    language: Annotated[str, Meta(pattern="^[a-z]{2}(-[A-Za-z0-9]{2,8})?$")] = "en"
    theme: str = "classic"

    def __post_init__(self) -> None:
        """Check that the theme exists."""
        if self.theme not in theme_ids():
            raise ValueError(f"there is no theme {self.theme!r}")


class Page:
    """Open page: its view, and its queue of news. The queue holds only the latest news of each
    event."""

    def __init__(self) -> None:
        self.looks, self.number = Looks(), 0
        self._news: dict[str, Json] = {}
        self._fresh = asyncio.Event()

    def look(self, looks: Looks, number: int) -> None:
        """Change the view; its news carry `number`, by which the page recognises them."""
        self.looks, self.number = looks, number
        self._news.clear()

    def tell(self, event: str, data: Json) -> None:
        """Queue news."""
        self._news.pop(event, None)
        self._news[event] = {"event": event, "number": self.number, "data": data}
        self._fresh.set()

    async def news(self) -> list[Json]:
        """Wait for news, then empty the queue and return its contents."""
        await self._fresh.wait()
        self._fresh.clear()
        news = list(self._news.values())
        self._news.clear()
        return news


class Desk:
    """Open views by title and variant. A single worker, usually a thread, does all work on them in
    order; the search for problems yields after each piece, so that no picture waits long."""

    def __init__(self, folder: Folder, run: str, *, worker: Executor | None = None) -> None:
        self.folder, self.run = folder, run
        self.workspace, self.unsaved = Workspace(folder), Unsaved(folder)
        self._shown_revision = 0
        self._showing: asyncio.Task[None] | None = None
        self._saving: asyncio.TimerHandle | None = None
        self.pages: set[Page] = set()
        self.pictures, self.sheets = Pictures(), Sheets()
        self.printer = Printer(self._from_printer)
        self.finder = registry.view("maps").Finder(self.do, partial(self._tell, "find"))
        self._views: dict[tuple[str, str | None], View] = {}
        self._worker = worker or ThreadPoolExecutor(1, thread_name_prefix="desk")
        self._loop: asyncio.AbstractEventLoop | None = None
        self._proofs: asyncio.Task[None] | None = None
        self._looked_at: dict[Looks, str] = {}
        self._printing: tuple[str, Files] | None = None

    async def do(self, work: Callable[..., Result], *given: Any) -> Result:
        """Run a function in the desk's thread and return its result."""
        return await asyncio.get_running_loop().run_in_executor(self._worker, work, *given)

    def view(self, at: str, variant: str | None) -> View:
        """Return a view; it is read on first use. Call only from the desk's thread. Raises
        CannotRun."""
        if (at, variant) not in self._views:
            if not self.is_title(at):
                raise CannotRun("there is no title in this folder yet")
            self.workspace.moments.begin(at)
            made = View(self.folder.root, at, variant)
            made.reload(self.workspace.texts)
            self._views[at, variant] = made
        return self._views[at, variant]

    def is_title(self, at: str) -> bool:
        """True if a folder of the studio holds a title. Raises Refused."""
        return (self.folder.inside(at) / "title.json").is_file()

    async def begin(self) -> None:
        """Start work on the files."""
        self._loop = asyncio.get_running_loop()
        self.folder.seen = self.folder.stamp()
        await self.do(self._restore)

    async def watch(self) -> None:
        """Watch the files until the studio ends."""
        from watchfiles import awatch

        await self.begin()
        # Garbage collection takes up to 50 ms, so it only runs while the desk is idle.
        with gc_paused():
            while True:
                followed = _identity(self.folder.root)
                with suppress(OSError, CannotRun):  # a folder or file was just removed: try again
                    async for _ in awatch(self.folder.root, step=_STEP_MS, debounce=100, rust_timeout=_LOOK_AGAIN_MS,
                                          yield_on_timeout=True):  # fmt: skip
                        await self.changed()
                        if _identity(self.folder.root) != followed:
                            break
                await asyncio.sleep(_LOOK_AGAIN_MS / 1000)
                await self.changed()

    def _restore(self) -> None:
        """Restore the texts that the last studio could not save."""
        if kept := self.unsaved.kept():
            with suppress(CannotRun):
                self.workspace.restore(kept, OUTSIDE)

    async def changed(self) -> None:
        """Reload changed files, notify the pages, then look for problems."""
        was_sound = {key for key, view in self._views.items() if not view.broken}
        if not await self._take_in():
            return
        if any(view.broken and key in was_sound for key, view in self._views.items()):
            await asyncio.sleep(_PATIENCE_S)
            await self._take_in()
        await self.tell_all()

    async def _take_in(self) -> bool:
        if news_of_files := await self.do(self.follow):
            self._tell("edits", news(self.workspace))
            await self.do(self._reload)
        return news_of_files

    def follow(self) -> bool:
        """Load changes that others have made to the files. Return True if there were any. Call only
        from the desk's thread."""
        stamp = self.folder.stamp()
        if stamp == self.folder.seen:
            return False
        self.workspace.refresh(OUTSIDE)
        self.folder.seen = stamp
        return True

    def _reload(self) -> None:
        watched = {(page.looks.at, page.looks.variant) for page in tuple(self.pages)}
        self._shown_revision, texts = self.workspace.revision, self.workspace.texts
        for key, view in list(self._views.items()):
            with suppress(CannotRun):  # the folder, or the variant, is no longer there
                if key in watched and self.is_title(view.at):
                    view.reload(texts)
                    continue
            del self._views[key]

    async def act(self, action: AnyAction) -> Json:
        """Perform an action of a page, return its answer, and start to update the pages. Raises
        CannotRun."""
        try:
            return await self.do(self.answer, action)
        finally:
            if not isinstance(action, Query):
                self._tell("edits", news(self.workspace))
                self._save_later()
            if self.workspace.revision != self._shown_revision and (
                self._showing is None or self._showing.done()
            ):
                self._showing = asyncio.create_task(self._show())

    def answer(self, action: AnyAction) -> Json:
        """Perform an action of a page and return its answer. Call only from the desk's thread.
        Raises CannotRun."""
        view = None
        with suppress(CannotRun):  # there is no title yet, but there are files
            view = self.view(action.at, action.variant)
        return action.answer(self.workspace, view)

    async def _show(self) -> None:
        """Reload the edited files and update the pages until they show the latest revision."""
        while self._shown_revision != self.workspace.revision:
            await self.do(self._reload)
            await self.tell_all()

    def _save_later(self, seconds: float = _AUTOSAVE_S) -> None:
        """Schedule a save, to the files or to the store for the next studio; an earlier schedule is
        cancelled."""
        if self._saving is not None:
            self._saving.cancel()
        self._saving = asyncio.get_running_loop().call_later(
            seconds, lambda: asyncio.ensure_future(self._save())
        )

    async def _save(self) -> None:
        await self.do(self.save)
        self._tell("edits", news(self.workspace))
        if self.workspace.trouble:
            self._save_later(_TRY_AGAIN_S)

    def save(self) -> None:
        """Save automatically what may be saved, and store the rest for the next studio. Call only
        from the desk's thread."""
        if self.workspace.autosave:
            with suppress(CannotRun, OSError):  # pages show the reason
                self.answer(Save(names=[*self.workspace.savable]))
        self.unsaved.keep(self.workspace.unsaved_json())

    def _tell(self, event: str, data: Json, looks: Looks | None = None) -> None:
        """Send news to all pages, or only to those with the given view."""
        for page in self.pages:
            if looks in (None, page.looks):
                page.tell(event, data)

    async def tell_all(self) -> None:
        """Send every page the picture that it shows, then the state of its title, then its problems
        as they are found."""
        looked_at, self._looked_at = self._looked_at, {}
        for looks in self._looks():
            if key := looked_at.get(looks):
                with suppress(CannotRun, ProblemsFound):  # the state reports it
                    self._tell("drawn", await self.do(self._drawn, looks, key), looks)
            self._tell("state", await self.do(self._state, looks), looks)
        self.look_for_problems()

    def _looks(self) -> tuple[Looks, ...]:
        return tuple(dict.fromkeys(page.looks for page in self.pages))

    def faces(self, view: View, key: str, language: str, theme: str) -> tuple[Face, ...]:
        """Return the faces of a piece, and remember that pages with this view show it. Raises as
        `Pictures.faces` does."""
        self._looked_at[Looks(view.at, view.variant, language, theme)] = key
        return self.pictures.faces(view, key, language, theme)

    def _drawn(self, looks: Looks, key: str) -> Json:
        """Return the faces of a piece that a page shows, with the layers that have been painted
        anew. Raises as `Pictures.faces` does."""
        view, known = self.view(looks.at, looks.variant), self.pictures.kept
        faces = self.pictures.faces(view, key, looks.language, looks.theme)
        layers = {name: self.pictures.layer(name) for face in faces for name in face.layers}
        return {
            "key": key,
            "version": view.version(view.piece(key), looks.language, looks.theme),
            "edited": self._shown_revision,
            "faces": [face.about for face in faces],
            "layers": {
                name: svg.decode() for name, svg in layers.items() if svg and name not in known
            },
        }

    async def tell(self, page: Page) -> None:
        """Send a page the state of its title."""
        looks = page.looks
        page.tell("edits", news(self.workspace))
        state = await self.do(self._state, looks)
        if page.looks == looks:
            page.tell("state", state)

    def _state(self, looks: Looks) -> Json:
        about = {"titles": self.folder.titles(), "files": self.folder.files(), "writable": self.folder.writable,
                 "at": looks.at, "run": self.run, "edited": self._shown_revision,
                 "folder": str(self.folder.root)}  # fmt: skip
        try:
            view = self.view(looks.at, looks.variant)
        except CannotRun as error:
            return {**about, "empty": str(error), "bare": self.folder.is_bare}
        state = {**about, **view.state(looks.language, looks.theme)}
        if view.broken:
            state["problems"] = [view.as_json(problem) for problem in view.read_problems]
        return state

    def look_for_problems(self) -> None:
        """Search for problems in the background; a search that is still running is restarted."""
        if self._proofs is not None:
            self._proofs.cancel()
        self._proofs = asyncio.create_task(self._search())

    async def _search(self) -> None:
        await asyncio.sleep(_PICTURES_FIRST_S)
        for looks in self._looks():
            try:
                view = await self.do(self.view, looks.at, looks.variant)
                revision = view.revision
                await self._all(view.judge(looks.theme))
                if view.revision != revision:
                    self._tell("state", await self.do(self._state, looks), looks)
            except (CannotRun, ProblemsFound):
                continue
            self._tell("problems", await self.do(_problems, view, looks, view.broken), looks)
            if view.broken:
                continue
            await self._all(view.proofs(looks.language, looks.theme))
            self._tell("problems", await self.do(_problems, view, looks, True), looks)
        await asyncio.sleep(_IDLE_S)
        await self.do(gc.collect)

    async def _all(self, steps: Iterator[None]) -> None:
        """Run all steps of some work, letting other requests run in between."""
        while await self.do(next, steps, _END) is not _END:
            await asyncio.sleep(0)

    def _from_printer(self, news: Json) -> None:
        def tell() -> None:
            self._tell("print", news)
            if "files" in news and self._printing is not None:
                self._worker.submit(self.workspace.moments.printed, *self._printing)

        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(tell)

    def print(self, view: View, options: BuildOptions) -> int:
        """Start a print of a title from its files on disk, and return its number. Call only from
        the desk's thread. Raises CannotRun while another print is running."""
        files: Files | None = None
        with suppress(CannotRun, OSError):  # too large to keep
            files = self.workspace.moments.now(view.at)
        number = self.printer.start(view.folder, options)
        self._printing = None if files is None else (view.at, files)
        return number

    def output(self, at: str) -> Path:
        """Return the folder that prints are written to: `output` in the folder of the title. Raises
        Refused if it leads outside, or if the title no longer exists."""
        if not self.is_title(at):
            raise Refused("the folder of this title is no longer on disk")
        return self.folder.inside(f"{at}/output" if at else "output")

    def close(self) -> None:
        """Stop all work. Typed text is saved, or stored wherever possible (see `unsaved`)."""
        if self._saving is not None:
            self._saving.cancel()
        if self._proofs is not None and not self._proofs.get_loop().is_closed():
            self._proofs.cancel()
        self._worker.submit(self.save).result()
        self.printer.close()
        self.finder.close()
        self._worker.shutdown(wait=False, cancel_futures=True)


_END = object()


def _identity(folder: Path) -> tuple[int, int] | None:
    """Return the device and inode of a folder, which distinguish it from a folder created later in
    its place; None if it does not exist."""
    try:
        status = folder.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


def _problems(view: View, looks: Looks, done: bool) -> Json:
    problems = [view.as_json(problem) for problem in view.found(looks.language, looks.theme)]
    return {"revision": view.revision, "done": done, "broken": view.broken, "problems": problems}
