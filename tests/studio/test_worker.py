"""The studio as a worker of a browser answers: the same, and what a page without a server asks
for."""

from __future__ import annotations

import asyncio
import base64
import io
import json
import zipfile
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from platelayer.atlas.find import FindOptions, found_text
from platelayer.atlas.make import AtlasOptions, atlas_new, find_maps
from platelayer.definitions.titles import schema_files
from platelayer.foundation.problems import CannotRun
from platelayer.pipeline.build import build
from platelayer.pipeline.scaffold import new_title
from platelayer.studio.worker import Worker


class Page:
    """A page and its worker."""

    def __init__(self, root: Path) -> None:
        self.news: list[dict[str, Any]] = []
        self.written = 0
        self.worker = Worker(
            str(root), "run", lambda news: self.news.append(json.loads(news)), self._count
        )

    def _count(self) -> None:
        self.written += 1

    async def bytes(self, path: str, body: bytes | None = None, /, **query: str) -> bytes:
        answer = await self.worker.answer(
            "GET" if body is None else "POST", path, query, body or b""
        )
        assert answer.status == 200, answer.data
        return answer.data

    async def get(self, path: str, **query: str) -> Any:
        return json.loads(await self.bytes(path, **query))

    async def send(self, path: str, body: object, **query: str) -> Any:
        return json.loads(await self.bytes(path, json.dumps(body).encode(), **query))

    async def rename(self, at: str, name: str) -> None:
        ops = [{"op": "put", "file": f"{at}/title.json", "pointer": "/name", "value": name}]
        await self.send("do", {"do": "edit", "at": at, "label": "Name", "ops": ops})

    async def refused(self, path: str, body: bytes, **query: str) -> str:
        answer = await self.worker.answer("POST", path, query, body)
        assert answer.status in (400, 422), answer.status
        return str(json.loads(answer.data)["message"])

    async def look(self, at: str) -> None:
        said = {"number": 1, "at": at, "variant": None, "lang": "en", "theme": "classic"}
        await self.worker.hear(json.dumps(said))

    async def told(self, holds: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        while True:
            if found := next((each for each in self.news if holds(each)), None):
                return found
            await asyncio.sleep(0.01)


@pytest.fixture
def run(
    tmp_path: Path, monkeypatch
) -> Callable[[Callable[[Page], Coroutine[Any, Any, None]]], Page]:
    monkeypatch.setenv("PLATELAYER_PROCESSES", "1")

    def through(work: Callable[[Page], Coroutine[Any, Any, None]]) -> Page:
        async def all_of_it() -> Page:
            page = Page(tmp_path / "titles")
            await page.worker.begin()
            await asyncio.wait_for(work(page), 300)
            return page

        # A thread of its own: a browser of another test leaves its event loop running in this one.
        with ThreadPoolExecutor(1) as own:
            return own.submit(asyncio.run, all_of_it()).result()

    return through


def small(folder: Path) -> dict[str, bytes]:
    new_title(folder, "bare")
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.relative_to(folder).parts[0].startswith(".")
    }


def zipped(files: dict[str, bytes]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return stream.getvalue()


def test_a_new_title_gets_a_folder_of_its_own_and_is_shown(run):
    async def work(page: Page) -> None:
        assert (await page.send("new", {"name": "mine"}))["at"] == "mine"
        await page.look("mine")
        state = await page.told(lambda news: news["event"] == "state")
        assert state["data"]["titles"] == ["mine"]
        picture = await page.bytes("picture/0/map:main", at="mine")
        assert b"<svg" in picture

    assert run(work).written > 0


def test_a_shipped_title_is_copied_once_and_again_when_it_has_changed(run, tmp_path):
    async def work(page: Page) -> None:
        names = {each["id"]: each["name"] for each in await page.get("shipped.json", ui="ja")}
        assert names["18eu"] == "18EU"
        for _ in range(2):
            assert (await page.send("shipped", {"id": "lost-atlas"}))["at"] == "lost-atlas"
        text = await page.send("do", {"do": "open", "name": "lost-atlas/title.json"})
        assert "../../../schemas" not in text["text"]
        (tmp_path / "titles" / "lost-atlas" / "README.md").write_text("mine")
        assert (await page.send("shipped", {"id": "lost-atlas"}))["at"] == "lost-atlas-2"
        assert "no title" in await page.refused("shipped", b'{"id": "../18eu"}')

    run(work)


def test_a_title_goes_into_a_zip_and_comes_back(run, tmp_path):
    files = small(tmp_path / "small")

    async def work(page: Page) -> None:
        archive = zipped(
            {f"outer/small/{name}": data for name, data in files.items()}
            | {"outer/notes.txt": b"no"}
        )
        assert json.loads(await page.bytes("unpack", archive, name="any.zip")) == {"at": "small"}
        packed = await page.bytes("pack.zip", at="small")
        with zipfile.ZipFile(io.BytesIO(packed)) as opened:
            held = {name: opened.read(name) for name in opened.namelist()}
        assert held.keys() == {f"small/{name}" for name in files | schema_files()}
        assert json.loads(await page.bytes("unpack", packed, name="small.zip")) == {"at": "small"}

    run(work)


@pytest.mark.parametrize(
    ("archive", "said"),
    [
        (b"PK", "not a zip"),
        (zipped({"a.txt": b""}), "no title.json"),
        (zipped({"title.json": b"{}", "../../x.json": b""}), "leads out"),
        (zipped({f"{number}.json": b"" for number in range(500)}), "too large"),
    ],
)
def test_what_is_no_title_is_refused(run, tmp_path, archive, said):
    async def work(page: Page) -> None:
        assert said in await page.refused("unpack", archive, name="x.zip")

    run(work)
    assert not (tmp_path / "x.json").exists()


def test_a_link_holds_a_title_with_what_is_not_saved_yet(run, tmp_path):
    files = small(tmp_path / "small")

    async def work(page: Page) -> None:
        given = [
            {"path": name, "data": base64.b64encode(data).decode()} for name, data in files.items()
        ]
        at = (await page.send("put", {"name": "Small Game", "files": given}))["at"]
        assert at == "small-game"
        await page.send("do", {"do": "autosave", "on": False})
        await page.rename(at, "Linked")
        text = (await page.get("link", at=at))["title"]
        await page.send("remove", {"at": at})
        assert not (tmp_path / "titles" / at).exists()
        assert await page.send("linked", {"title": text}) == {"at": at, "base": ""}
        assert '"Linked"' in (tmp_path / "titles" / at / "title.json").read_text(encoding="utf-8")
        assert "no title" in await page.refused(
            "linked", json.dumps({"title": text[:-4] + "?"}).encode()
        )
        assert "incomplete" in await page.refused(
            "linked", json.dumps({"title": text[:-8]}).encode()
        )

    run(work)


def test_a_print_tells_how_it_gets_on_and_has_the_same_bytes(run):
    async def work(page: Page) -> None:
        at = (await page.send("new", {"name": "mine"}))["at"]
        await page.look(at)
        number = (await page.send("print", {}, at=at))["print"]
        done = await page.told(lambda news: news["event"] == "print" and "files" in news["data"])
        stages = [
            news["data"]
            for news in page.news
            if news["event"] == "print" and "stage" in news["data"]
        ]
        assert stages
        assert {each["print"] for each in stages} == {number}
        native = build(str(page.worker._folder.inside(at))).files
        assert {each["name"] for each in done["data"]["files"]} == native.keys()
        for name, data in native.items():
            assert await page.bytes(f"print/{name}", at=at) == data

    run(work)


def test_what_is_edited_is_kept_without_a_server(run, tmp_path):
    async def work(page: Page) -> None:
        at = (await page.send("new", {"name": "mine"}))["at"]
        before = page.written
        await page.rename(at, "Kept")
        path = tmp_path / "titles" / at / "title.json"
        while '"Kept"' not in path.read_text(encoding="utf-8"):
            await asyncio.sleep(0.05)
        assert page.written > before
        digests = await page.get("digests", at=at)
        assert "title.json" in digests
        assert b'"Kept"' in await page.bytes("file", at=at, path="title.json")

    run(work)


@pytest.mark.parametrize("stopped", [False, True])
def test_a_search_for_maps_answers_in_between_and_finds_what_the_command_finds(run, stopped):
    async def work(page: Page) -> None:
        await page.look((await page.send("shipped", {"id": "lost-atlas"}))["at"])
        asked = {
            "mode": "micro2",
            "where": "income_min >= 40",
            "best": "fairness, least diameter",
            "count": 3,
        }
        number = (await page.send("atlas/find", {**asked, "seconds": 600 if stopped else 1}))[
            "find"
        ]
        progress = await page.told(lambda news: news["event"] == "find" and news["data"].get("met"))
        assert b"<svg" in await page.bytes("picture/0/map-tile:1", at="lost-atlas")
        if stopped:
            await page.send("atlas/stop", {})
        told = (await page.told(lambda news: news["event"] == "find" and "found" in news["data"]))[
            "data"
        ]
        assert told["find"] == progress["data"]["find"] == number
        assert told["maps"] >= progress["data"]["maps"]
        options = FindOptions(maps=told["maps"])
        found = find_maps(None, options, players=None, progress=lambda *_: None, policy="compact", seed=1, blanks=None,
                          **asked)  # fmt: skip
        assert [each["seed"] for each in told["found"]] == [entry.log.seed for entry in found.maps]
        assert [each["values"] for each in told["found"]] == [entry.values for entry in found.maps]
        assert told["text"] == found_text(found)

    run(work)


def test_another_search_ends_the_one_before(run):
    async def work(page: Page) -> None:
        await page.look((await page.send("shipped", {"id": "lost-atlas"}))["at"])
        first = (await page.send("atlas/find", {"mode": "micro2", "seconds": 600}))["find"]
        second = (
            await page.send(
                "atlas/find", {"mode": "micro2", "where": "diameter > 900", "seconds": 600}
            )
        )["find"]
        done = [await page.told(lambda news, number=number: news["event"] == "find" and news["data"]["find"] == number
                                and "found" in news["data"]) for number in (first, second)]  # fmt: skip
        assert not done[1]["data"]["found"]
        assert "impossible" in done[1]["data"]["text"]

    run(work)


@pytest.mark.parametrize(
    "asked",
    [
        {"where": "incom_min >= 3"},
        {"where": "fairness >"},
        {"best": "nothing"},
        {"mode": "none"},
        {"players": 9},
    ],
)
def test_what_is_wrong_with_a_search_is_said_as_the_command_says_it(run, asked):
    wanted = {"mode": "micro2", "policy": "compact", "seed": 1, "where": "", "best": "fairness", "count": 1,
              "players": None, "blanks": None} | asked  # fmt: skip
    with pytest.raises(CannotRun) as stop:
        find_maps(None, FindOptions(maps=1), progress=lambda *_: None, **wanted)

    async def work(page: Page) -> None:
        assert await page.refused(
            "atlas/find", json.dumps({"mode": "micro2"} | asked).encode()
        ) == str(stop.value)

    run(work)


def test_the_files_of_a_map_are_those_that_the_command_writes(run, tmp_path):
    options = AtlasOptions(mode="micro2", seed=4711, paper="letter", language="ja", png=False)
    native = {path.name: path.read_bytes() for path in atlas_new(tmp_path / "map", options).files}

    async def work(page: Page) -> None:
        shown = await page.send("atlas", {"mode": "micro2", "seed": 4711})
        asked = {"source": shown["code"], "paper": "letter"}
        listed = await page.send("atlas/files", asked, lang="ja")
        assert {each["name"]: each["bytes"] for each in listed} == {
            name: len(data) for name, data in native.items()
        }
        query = {name: str(value) for name, value in asked.items()} | {"lang": "ja"}
        for name, data in native.items():
            assert await page.bytes(f"atlas/files/{name}", **query) == data
        with zipfile.ZipFile(
            io.BytesIO(await page.bytes("atlas/files/all.zip", **query))
        ) as opened:
            assert {name: opened.read(f"map/{name}") for name in native} == native
        assert "page: " in await page.refused(
            "atlas/files", json.dumps({**asked, "page": "here"}).encode()
        )

    run(work)
