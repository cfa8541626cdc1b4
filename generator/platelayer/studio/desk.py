"""The desk: everything that is open in the studio, and the pages that look at it."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from platelayer.foundation.pool import gc_paused
from platelayer.foundation.problems import CannotRun, ProblemsFound
from platelayer.pipeline import registry
from platelayer.pipeline.options import BuildOptions
from platelayer.studio.folder import Folder, Refused
from platelayer.studio.host import OUTSIDE, AnyAsk, Save, news
from platelayer.studio.moments import Files
from platelayer.studio.pictures import Face, Pictures, Printer, Sheets
from platelayer.studio.view import View
from platelayer.studio.workspace import Unsaved, Workspace

Result = TypeVar("Result")

# A change is acted on when the files have been quiet for so long.
_STEP_MS = 8
# Problems are looked for after a change when pages have had the time to ask for their pictures.
_PICTURES_FIRST_S = 0.2
# Without edits, before cycles are looked for: that takes a tenth of a second, for which the next
# edit would wait.
_IDLE_S = 2.0
# How often files are looked at without news of them: a folder that is made anew gives none.
_LOOK_AGAIN_MS = 1000
# Files are saved by themselves so long after the last edit.
_AUTOSAVE_S = 1.0
# A file that cannot be read may be one that an editor is still writing: so long it gets before a
# page is told.
_PATIENCE_S = 0.08


class Looks(NamedTuple):
    """View of a page: the folder of a title, a variant, a language and a theme."""

    at: str
    variant: str | None
    language: str
    theme: str


class Page:
    """One open page: what it shows, and the news that it has not fetched yet, of each sort the
    latest."""

    def __init__(self) -> None:
        self.looks, self.number = Looks("", None, "en", "classic"), 0
        self._news: dict[str, dict[str, Any]] = {}
        self._fresh = asyncio.Event()

    def look(self, looks: Looks, number: int) -> None:
        """Show something else; news of it have the number, by which the page knows them."""
        self.looks, self.number = looks, number
        self._news.clear()

    def tell(self, event: str, data: dict[str, Any], number: int | None = None) -> None:
        """Add news, of what the page showed at a number, if they are of that."""
        if number in (None, self.number):
            self._news.pop(event, None)
            self._news[event] = {"event": event, "number": number, "data": data}
            self._fresh.set()

    async def news(self) -> list[dict[str, Any]]:
        """Wait for news, and take them."""
        await self._fresh.wait()
        self._fresh.clear()
        news = list(self._news.values())
        self._news.clear()
        return news


# A page, and the number of what it showed.
_Place = tuple[Page, int]


class Desk:
    """Views by title and variant. All work on them is done by one worker, in order, usually a thread;
    problems are looked for piece by piece, so that a picture never waits long."""

    def __init__(self, folder: Folder, run: str, *, worker: Executor | None = None) -> None:
        self.folder, self.run = folder, run
        self.workspace, self.unsaved = Workspace(folder), Unsaved(folder)
        self._shown_revision = 0
        self._showing: asyncio.Task[None] | None = None
        self._saving: asyncio.TimerHandle | None = None
        self.pages: set[Page] = set()
        self.pictures, self.sheets = Pictures(), Sheets()
        self.printer = Printer(self._from_printer)
        self.finder = registry.view("maps").Finder(self.do, self._from_finder)
        self._views: dict[tuple[str, str | None], View] = {}
        self._worker = worker or ThreadPoolExecutor(1, thread_name_prefix="desk")
        self._loop: asyncio.AbstractEventLoop | None = None
        self._proofs: asyncio.Task[None] | None = None
        self._stamp: dict[str, tuple[int, int, int]] = {}
        self._looked_at: dict[Looks, str] = {}
        self._printing: tuple[str, Files] | None = None

    async def do(self, work: Callable[..., Result], *given: Any) -> Result:
        """Do something in the thread of the desk."""
        return await asyncio.get_running_loop().run_in_executor(self._worker, work, *given)

    def view(self, at: str, variant: str | None) -> View:
        """A view, read if it has not been yet. Only from the thread of the desk. Raises
        CannotRun."""
        if (at, variant) not in self._views:
            if not self.is_title(at):
                raise CannotRun("there is no title in this folder yet")
            self.workspace.moments.begin(at)
            made = View(self.folder.root, at, variant)
            made.reload(self.workspace.texts)
            self._views[at, variant] = made
        return self._views[at, variant]

    def view_then(self, at: str, variant: str | None, moment: str) -> View:
        """A title as it was. Only from the thread of the desk. Raises CannotRun."""
        return self.workspace.moments.view(at, variant, moment)[0]

    def is_title(self, at: str) -> bool:
        """True if a folder of the studio holds a title. Raises Refused."""
        return (self.folder.inside(at) / "title.json").is_file()

    async def begin(self) -> None:
        """Take up the files."""
        self._loop = asyncio.get_running_loop()
        self._stamp = self.folder.stamp()
        await self.do(self._restore)

    async def watch(self) -> None:
        """Follow the files until the studio ends."""
        from watchfiles import awatch

        await self.begin()
        # Looking for cycles takes up to 50 ms: that is done when nothing else is to do, and no page
        # waits for it.
        with gc_paused():
            while True:
                followed = _identity(self.folder.root)
                with suppress(OSError, CannotRun):  # a folder or a file went just now: look again
                    async for _ in awatch(self.folder.root, step=_STEP_MS, debounce=100, rust_timeout=_LOOK_AGAIN_MS,
                                          yield_on_timeout=True):  # fmt: skip
                        await self.changed()
                        if _identity(self.folder.root) != followed:
                            break
                await asyncio.sleep(_LOOK_AGAIN_MS / 1000)
                await self.changed()

    def _restore(self) -> None:
        """Go on with what the last studio could not save."""
        if kept := self.unsaved.kept():
            with suppress(CannotRun):
                self.workspace.restore(kept, OUTSIDE)

    async def changed(self) -> None:
        """Read again whatever has changed, tell the pages, then look for problems."""
        if not await self.do(self.follow):
            return
        self._tell_edits()
        was_sound = {key for key, view in self._views.items() if not view.broken}
        await self.do(self._reload)
        if any(view.broken and key in was_sound for key, view in self._views.items()):
            await asyncio.sleep(_PATIENCE_S)
            if await self.do(self.follow):
                self._tell_edits()
                await self.do(self._reload)
        await self.tell_all()

    def follow(self) -> bool:
        """Take in what others have done to the files; whether there was anything. Only from the
        thread of the desk."""
        stamp = self.folder.stamp()
        if stamp == self._stamp:
            return False
        self.workspace.refresh(OUTSIDE)
        self._stamp = stamp
        return True

    def _reload(self) -> None:
        watched = {(page.looks.at, page.looks.variant) for page in self.pages}
        self._shown_revision, texts = self.workspace.revision, self.workspace.texts
        for key, view in list(self._views.items()):
            with suppress(CannotRun):  # the folder, or the variant, is no longer there
                if key in watched and self.is_title(view.at):
                    view.reload(texts)
                    continue
            del self._views[key]

    async def ask(self, ask: AnyAsk) -> dict[str, Any]:
        """Do what a page asks for with the files, and begin to show what has become of them. Raises
        CannotRun."""
        try:
            return await self.do(self.answer, ask)
        finally:
            if not ask.only_looks:
                self._tell_edits()
                self._save_later()
            if self.workspace.revision != self._shown_revision and (
                self._showing is None or self._showing.done()
            ):
                self._showing = asyncio.create_task(self._show())

    def answer(self, ask: AnyAsk) -> dict[str, Any]:
        """Do what a page asks for with the files. Only from the thread of the desk. Raises
        CannotRun."""
        view, unsaved = None, self.workspace.unsaved if isinstance(ask, Save) else ()
        with suppress(CannotRun):  # there is no title yet, but there are files
            view = self.view(ask.at, ask.variant)
        try:
            return ask.answer(self.workspace, view)
        finally:
            if written := set(unsaved).difference(
                self.workspace.unsaved
            ):  # what we write ourselves is no news
                self._stamp |= {
                    name: at for name, at in self.folder.stamp().items() if name in written
                }

    async def _show(self) -> None:
        """Read again what is edited, until that is what is shown."""
        while self._shown_revision != self.workspace.revision:
            await self.do(self._reload)
            await self.tell_all()

    def _save_later(self) -> None:
        """Save a while after the last edit: to the files, or aside for the next studio."""
        if self._saving is not None:
            self._saving.cancel()
        self._saving = asyncio.get_running_loop().call_later(
            _AUTOSAVE_S, lambda: asyncio.ensure_future(self._save())
        )

    async def _save(self) -> None:
        await self.do(self.save)
        self._tell_edits()

    def save(self) -> None:
        """Save by itself what may be saved, and the rest aside. Only from the thread of the
        desk."""
        if self.workspace.autosave:
            with suppress(CannotRun, OSError):  # a page shows that it is not saved
                self.answer(Save(names=[*self.workspace.savable]))
        self.unsaved.keep(self.workspace.unsaved_json())

    def _tell_edits(self) -> None:
        for page in self.pages:
            page.tell("edits", news(self.workspace))

    async def tell_all(self) -> None:
        """Send every page the state of its title, then what is wrong with it as it is found."""
        looked_at, self._looked_at = self._looked_at, {}
        for looks, pages in self._by_looks():
            _tell(pages, "state", await self.do(self._state, looks))
            if key := looked_at.get(looks):
                await self.do(self._draw_early, looks, key)
        self.look_for_problems()

    def _by_looks(self) -> list[tuple[Looks, list[_Place]]]:
        """Pages that show the same, with their numbers as of now."""
        pages: dict[Looks, list[_Place]] = {}
        for page in self.pages:
            pages.setdefault(page.looks, []).append((page, page.number))
        return list(pages.items())

    def faces(self, view: View, key: str, language: str, theme: str) -> tuple[Face, ...]:
        """The faces of a piece that a page looks at. Raises as `Pictures.faces` does."""
        self._looked_at[Looks(view.at, view.variant, language, theme)] = key
        return self.pictures.faces(view, key, language, theme)

    def _draw_early(self, looks: Looks, key: str) -> None:
        """Draw what a page has looked at before it asks for it again."""
        with suppress(CannotRun, ProblemsFound):
            self.pictures.faces(
                self.view(looks.at, looks.variant), key, looks.language, looks.theme
            )

    async def tell(self, page: Page) -> None:
        """Send a page the state of its title."""
        number = page.number
        page.tell("edits", news(self.workspace))
        page.tell("state", await self.do(self._state, page.looks), number)

    def _state(self, looks: Looks) -> dict[str, Any]:
        about = {"titles": self.folder.titles(), "files": self.folder.files(), "writable": self.folder.writable,
                 "at": looks.at, "run": self.run, "edited": self._shown_revision,
                 "folder": str(self.folder.root)}  # fmt: skip
        try:
            view = self.view(looks.at, looks.variant)
        except CannotRun as error:
            return {**about, "empty": str(error)}
        state = {**about, **view.state(looks.language, looks.theme)}
        if view.broken:
            state["problems"] = [view.as_json(problem) for problem in view.read_problems]
        return state

    def look_for_problems(self) -> None:
        """Look for problems beside everything else, anew if a search is still going on."""
        if self._proofs is not None:
            self._proofs.cancel()
        self._proofs = asyncio.create_task(self._search())

    async def _search(self) -> None:
        await asyncio.sleep(_PICTURES_FIRST_S)
        for looks, pages in self._by_looks():
            try:
                view = await self.do(self.view, looks.at, looks.variant)
                revision = view.revision
                await self._all(view.judge(looks.theme))
                if view.revision != revision:
                    _tell(pages, "state", await self.do(self._state, looks))
            except (CannotRun, ProblemsFound):
                continue
            _tell(pages, "problems", await self.do(_problems, view, looks, view.broken))
            if view.broken:
                continue
            await self._all(view.proofs(looks.language, looks.theme))
            _tell(pages, "problems", await self.do(_problems, view, looks, True))
        await asyncio.sleep(_IDLE_S)
        await self.do(gc.collect)

    async def _all(self, steps: Iterator[None]) -> None:
        """Take all steps of some work; whatever else is asked for comes in between."""
        while await self.do(next, steps, _END) is not _END:
            await asyncio.sleep(0)

    def _from_printer(self, news: dict[str, Any]) -> None:
        def tell() -> None:
            for page in self.pages:
                page.tell("print", news)
            if "files" in news and self._printing is not None:
                self._worker.submit(self.workspace.moments.printed, *self._printing)

        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(tell)

    def _from_finder(self, news: dict[str, Any]) -> None:
        for page in self.pages:
            page.tell("find", news)

    def print(self, view: View, options: BuildOptions) -> int:
        """Begin a print of a title, from its files as they are on disk; its number. Only from the
        thread of the desk. Raises CannotRun while another is being made."""
        files: Files | None = None
        with suppress(CannotRun, OSError):  # too large to keep
            files = self.workspace.moments.now(view.at)
        number = self.printer.start(view.folder, options)
        self._printing = None if files is None else (view.at, files)
        return number

    def output(self, at: str) -> Path:
        """The folder that prints are written into: `output` in that of the title. Raises Refused if
        it leads out, or if there is no such title any more."""
        if not self.is_title(at):
            raise Refused("the folder of this title is no longer on disk")
        return self.folder.inside(f"{at}/output" if at else "output")

    def close(self) -> None:
        """End all work; nothing that was typed is lost, as far as there is any place to keep it
        (see `unsaved`)."""
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
    """Device and number of a folder, which tell it from another that is made in its place; None if
    it does not exist."""
    try:
        status = folder.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


def _problems(view: View, looks: Looks, done: bool) -> dict[str, Any]:
    problems = [view.as_json(problem) for problem in view.found(looks.language, looks.theme)]
    return {"revision": view.revision, "done": done, "broken": view.broken, "problems": problems}


def _tell(places: list[_Place], event: str, data: dict[str, Any]) -> None:
    for page, number in places:
        page.tell(event, data, number)
