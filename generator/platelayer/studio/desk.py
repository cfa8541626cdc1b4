"""The desk: everything that is open in the studio, and the pages that look at it."""

from __future__ import annotations

import asyncio
import gc
import json
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

from msgspec import Struct

from platelayer.foundation.pool import gc_paused
from platelayer.foundation.problems import CannotRun, ProblemsFound
from platelayer.studio.folder import Folder
from platelayer.studio.pictures import Face, Pictures
from platelayer.studio.printing import Printer
from platelayer.studio.sheets import Sheets
from platelayer.studio.view import View

Result = TypeVar("Result")

_STEP_MS = 8
"""A change is acted on when the files have been quiet for so long."""
_PICTURES_FIRST_S = 0.2
"""Problems are looked for after a change when pages have had the time to ask for their pictures."""
_PATIENCE_S = 0.08
"""A file that cannot be read may be one that an editor is still writing: so long it gets before a page is told."""


class Page(Struct, kw_only=True, eq=False):
    """One open page: what it shows, and the news that it has not fetched yet."""

    at: str = ""
    variant: str | None = None
    language: str = "en"
    theme: str = "classic"
    news: asyncio.Queue[str]

    @property
    def looks(self) -> tuple[str, str | None, str, str]:
        """What it shows, to compare."""
        return self.at, self.variant, self.language, self.theme


class Desk:
    """Views by title and variant. All work on them is done in one thread, in order; problems are looked for piece by
    piece, so that a picture never waits long."""

    def __init__(self, folder: Folder, run: str) -> None:
        self.folder, self.run = folder, run
        self.pages: set[Page] = set()
        self.pictures, self.sheets = Pictures(), Sheets()
        self.printer = Printer(self._from_printer)
        self._views: dict[tuple[str, str | None], View] = {}
        self._hand = ThreadPoolExecutor(1, thread_name_prefix="desk")
        self._loop: asyncio.AbstractEventLoop | None = None
        self._proofs: asyncio.Task[None] | None = None
        self._stamp: object = None
        self._looked_at: dict[tuple[str, str | None, str, str], str] = {}

    async def do(self, work: Callable[..., Result], *given: Any) -> Result:
        """Do something in the thread of the desk."""
        return await asyncio.get_running_loop().run_in_executor(self._hand, work, *given)

    def view(self, at: str, variant: str | None) -> View:
        """A view, read if it has not been yet. Only from the thread of the desk. Raises CannotRun."""
        if (at, variant) not in self._views:
            if not (self.folder.inside(at) / "title.json").is_file():
                raise CannotRun("there is no title in this folder yet")
            made = View(self.folder.root, at, variant)
            made.reload()
            self._views[at, variant] = made
        return self._views[at, variant]

    async def watch(self) -> None:
        """Follow the files until the studio ends."""
        from watchfiles import awatch

        self._loop = asyncio.get_running_loop()
        self._stamp = self.folder.stamp()
        # Looking for cycles takes up to 50 ms: that is done when nothing else is to do, and no page waits for it.
        with gc_paused():
            async for _ in awatch(self.folder.root, step=_STEP_MS, debounce=100, rust_timeout=0, recursive=True):
                await self.changed()

    async def changed(self) -> None:
        """Read again whatever has changed, tell the pages, then look for problems."""
        stamp = await self.do(self.folder.stamp)
        if stamp == self._stamp:
            return
        self._stamp = stamp
        was_sound = {key for key, view in self._views.items() if not view.broken}
        await self.do(self._reload)
        if any(view.broken and key in was_sound for key, view in self._views.items()):
            await asyncio.sleep(_PATIENCE_S)
            later = await self.do(self.folder.stamp)
            if later != stamp:
                self._stamp = later
                await self.do(self._reload)
        await self.tell_all()

    def _reload(self) -> None:
        watched = {(page.at, page.variant) for page in self.pages}
        for key in [key for key in self._views if key not in watched]:
            del self._views[key]
        for view in self._views.values():
            view.reload()

    async def tell_all(self) -> None:
        """Send every page the state of its title, then what is wrong with it as it is found."""
        looked_at, self._looked_at = self._looked_at, {}
        for page in list(self.pages):
            await self.tell(page)
            if key := looked_at.get(page.looks):
                await self.do(self._draw_early, page, key)
        self.look_for_problems()

    def faces(self, view: View, key: str, language: str, theme: str) -> tuple[Face, ...]:
        """The faces of a piece that a page looks at. Raises as `Pictures.faces` does."""
        self._looked_at[view.at, view.variant, language, theme] = key
        return self.pictures.faces(view, key, language, theme)

    def _draw_early(self, page: Page, key: str) -> None:
        """Draw what a page has looked at before it asks for it again."""
        with suppress(CannotRun, ProblemsFound):
            self.pictures.faces(self.view(page.at, page.variant), key, page.language, page.theme)

    async def tell(self, page: Page) -> None:
        """Send a page the state of its title."""
        send(page, "state", await self.do(self._state, page))

    def _state(self, page: Page) -> dict[str, Any]:
        about = {"titles": self.folder.titles(), "files": self.folder.files(), "writable": self.folder.writable,
                 "at": page.at, "run": self.run, "folder": str(self.folder.root)}  # fmt: skip
        try:
            view = self.view(page.at, page.variant)
        except CannotRun as stop:
            return {**about, "empty": str(stop)}
        state = {**about, **view.state(page.language, page.theme)}
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
        for page in list(self.pages):
            try:
                view = await self.do(self.view, page.at, page.variant)
                await self._all(view.judge(page.theme))
            except (CannotRun, ProblemsFound):
                continue
            await self._send_problems(page, view, done=view.broken)
            if view.broken:
                continue
            await self._all(view.proofs(page.language, page.theme))
            await self._send_problems(page, view, done=True)
        await self.do(gc.collect)

    async def _all(self, steps: Iterator[None]) -> None:
        """Take all steps of some work; whatever else is asked for comes in between."""
        while await self.do(next, steps, _END) is not _END:
            await asyncio.sleep(0)

    async def _send_problems(self, page: Page, view: View, *, done: bool) -> None:
        problems = await self.do(view.found, page.language, page.theme)
        send(
            page,
            "problems",
            {
                "revision": view.revision,
                "done": done,
                "broken": view.broken,
                "problems": [view.as_json(problem) for problem in problems],
            },
        )

    def _from_printer(self, news: dict[str, Any]) -> None:
        def tell() -> None:
            for page in self.pages:
                send(page, "print", news)

        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(tell)

    def output(self, at: str) -> Path:
        """The folder that prints are written into: `output` in that of the title. Raises Refused if it leads out."""
        return self.folder.inside(str(Path(at, "output")))

    def close(self) -> None:
        """End all work."""
        self.printer.close()
        self._hand.shutdown(wait=False, cancel_futures=True)


_END = object()


def send(page: Page, event: str, data: dict[str, Any]) -> None:
    """Put news into a page's queue, as a server-sent event."""
    page.news.put_nowait(f"event: {event}\ndata: {json.dumps(data, ensure_ascii=False)}\n\n")
