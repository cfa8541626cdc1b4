"""The browser edition in Chromium: nothing but its host, and after the first load not even that."""

from __future__ import annotations

import base64
import io
import json
import re
import zipfile
from pathlib import Path

import pytest
from PIL import Image, ImageChops, ImageStat

from platelayer.atlas.lines import code_of
from platelayer.atlas.make import AtlasOptions, assemble_map, make_map
from platelayer.definitions.build import shipped_box
from platelayer.exchange.importers import import_title
from platelayer.foundation.languages import studio_words
from platelayer.foundation.resources import title_ids, title_path
from platelayer.pipeline.build import RECORD, build
from platelayer.pipeline.scaffold import new_title
from platelayer.studio.pictures import Pictures, options_of
from platelayer.studio.view import View

pytestmark = pytest.mark.slow

_MOST_BYTES = 15_000_000


_FETCHED = """async (path) => {
    const bytes = new Uint8Array(await (await fetch(path)).arrayBuffer());
    let text = "";
    for (let at = 0; at < bytes.length; at += 0x8000) text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
    return btoa(text);
}"""


def start_from(page, name: str) -> None:
    page.get_by_role("button", name="Files").first.click()
    page.locator("dialog").get_by_role("button", name=name, exact=True).click()
    page.wait_for_selector(".viewer img, .card img")


def shown(page) -> str:
    return page.locator(".viewer").first.get_attribute("data-version") or ""


def send(page, path: str, body: object) -> dict[str, object]:
    script = "async ([path, body]) => (await fetch(path, { method: 'POST', body: JSON.stringify(body) })).json()"
    return page.evaluate(script, [path, body])


def test_the_first_load_in_english_is_small(edition: Path):
    listed = json.loads((edition / "files.json").read_text(encoding="utf-8"))["packs"]
    later = {f"{pack['path']}.gz" for pack in listed if pack.get("later")}
    first = [
        path
        for path in edition.rglob("*")
        if path.is_file() and path.relative_to(edition).as_posix() not in later
    ]
    assert sum(path.stat().st_size for path in first) < _MOST_BYTES
    assert later


def test_the_folder_is_the_same_each_time(edition: Path, tmp_path):
    import web

    web.make(tmp_path / "again")
    for path in edition.rglob("*"):
        if path.is_file():
            assert (
                path.read_bytes() == (tmp_path / "again" / path.relative_to(edition)).read_bytes()
            ), path.name


_KEPT = """async () => {
    let saved = false;
    (await import(new URL("boot.js", document.baseURI))).python().addEventListener("message", ({ data }) => {
        if (data.news?.event === "edits") saved = data.news.data.undo === "Name" && !data.news.data.unsaved.length;
        if (data.kept && saved) window.kept = true;
    });
}"""
"""Notes when an edit has been saved, and the browser has kept what was saved."""


def test_a_title_is_edited_without_a_network_and_is_still_there(page, address):
    page.goto(address)
    page.wait_for_selector(".welcome")
    whole(page)
    page.context.set_offline(True)
    start_from(page, "18EU")
    page.wait_for_selector(".viewer img")
    before = shown(page)
    ops = [
        {
            "op": "put",
            "file": "18eu/map.json",
            "pointer": "/map/hexes/D5/name",
            "value": "Elsewhere",
        }
    ]
    page.evaluate(_KEPT)
    assert "edits" in send(page, "do", {"do": "edit", "at": "18eu", "label": "Name", "ops": ops})
    page.wait_for_function(
        "before => (document.querySelector('.viewer').dataset.version || '') !== before", arg=before
    )
    page.wait_for_function("() => window.kept")
    page.wait_for_function("() => caches.match('last/0').then(Boolean)")
    page.reload(wait_until="commit")
    # The last picture, unless Python is there before it.
    page.wait_for_selector("#boot .last img[src*='last/'], .viewer img", state="attached")
    page.wait_for_selector(".viewer img")
    text = send(page, "do", {"do": "open", "name": "18eu/map.json"})["text"]
    assert "Elsewhere" in str(text)


def test_a_link_opens_a_title_and_a_map(page, address):
    page.goto(f"{address}#atlas=micro2,compact,4711")
    page.wait_for_selector(".view.upgrades .viewer img")
    assert page.locator(".seed").input_value() == "4711"
    page.get_by_text("Link to this map").click()
    link = page.locator("dialog input[readonly]").input_value()
    _, log = assemble_map(AtlasOptions(mode="micro2", seed=4711))
    assert link == f"{address}#atlas={code_of(shipped_box(), log)}"
    page.goto("about:blank")
    page.goto(link)
    page.wait_for_selector(".view.upgrades .viewer img")
    assert page.locator(".seed").input_value() == "4711"
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Files").click()
    page.locator(".titles li").get_by_role("button", name="Link").click()
    link = page.locator("dialog input[readonly]").input_value()
    assert re.fullmatch(re.escape(address) + r"#title=[\w-]+", link)
    page.goto("about:blank")
    page.goto(link)
    page.wait_for_selector(".card img, .viewer img")
    assert page.evaluate("fetch('about.json').then((answer) => answer.ok)")


def whole(page) -> None:
    """Wait until the page has fetched what it may need later."""
    page.wait_for_selector("html[data-whole]")


def test_a_title_is_shown_in_japanese(page, address):
    page.goto(address)
    page.wait_for_selector(".welcome")
    start_from(page, "18EU")
    page.wait_for_selector(".viewer img")
    before = shown(page)
    page.get_by_label("Language of the print").select_option("ja")
    page.wait_for_function(
        "before => (document.querySelector('.viewer').dataset.version || '') !== before", arg=before
    )
    whole(page)
    native = render(title_path("18eu"), "map:main", "ja")
    assert (
        base64.b64decode(
            page.evaluate(_FETCHED, "picture/0/map:main?at=18eu&lang=ja&theme=classic")
        )
        == native
    )


def test_all_titles_print_the_same_bytes_as_without_a_browser(page, address):
    page.goto(address)
    page.wait_for_selector(".welcome")
    whole(page)
    page.context.set_offline(True)
    for title in title_ids():
        start_from(page, _name(title))
        page.wait_for_function("name => document.title.startsWith(name)", arg=_name(title))
        page.get_by_role("button", name="Print (Ctrl+P)").click()
        page.locator("dialog").get_by_role("button", name="Print", exact=True).click()
        page.wait_for_selector("dialog .files li")
        made = build(title).files
        names = page.locator("dialog .files li a").all_inner_texts()
        assert set(names) == made.keys()
        for name in names:
            data = base64.b64decode(page.evaluate(_FETCHED, f"print/{name}"))
            if name == RECORD:
                record = json.loads(data)
                assert record.pop("preflight") is False
                assert record == json.loads(made[name])
            else:
                assert data == made[name], f"{title}/{name}"
        page.keyboard.press("Escape")


@pytest.mark.parametrize("profile", ["pictures", "thegamecrafter"])
def test_pictures_are_as_without_a_browser_but_for_their_bytes(page, address, profile):
    page.goto(address)
    page.wait_for_selector(".welcome")
    whole(page)
    page.context.set_offline(True)
    start_from(page, "18EU")
    page.wait_for_function("() => document.title.startsWith('18EU')")
    kinds = ("tile", "train", "private", "charter")
    page.get_by_role("button", name="Print (Ctrl+P)").click()
    page.get_by_label("Where you print").select_option(profile)
    for tick in page.locator("dialog .ticks input").all():
        tick.set_checked(tick.get_attribute("value") in kinds)
    page.locator("dialog").get_by_role("button", name="Print", exact=True).click()
    page.wait_for_selector("dialog .files li")
    made = build("18eu", options_of({"profile": profile, "only": list(kinds)})).files
    names = page.locator("dialog .files li a").all_inner_texts()
    assert set(names) == made.keys()
    assert sum(name.endswith(".png") for name in names) > 20
    for name in names:
        data = base64.b64decode(page.evaluate(_FETCHED, f"print/{name}"))
        if name == RECORD:
            record = json.loads(data)
            assert record["pictures"] == "canvas"
            assert "pictures" not in json.loads(made[name])
        elif not name.endswith(".png"):
            assert data == made[name], name
        else:
            ours, native = (Image.open(io.BytesIO(each)) for each in (data, made[name]))
            assert (ours.size, ours.mode, ours.info["dpi"]) == (
                native.size,
                native.mode,
                native.info["dpi"],
            ), name
            # Lines of a hair's breadth have other edges: what is seen from a step back is the same.
            apart = ImageChops.difference(from_a_step_back(ours), from_a_step_back(native))
            assert max(ImageStat.Stat(apart).mean) < 1.5, name
            assert max(most for _, most in apart.getextrema()) < 48, name


def from_a_step_back(picture: Image.Image) -> Image.Image:
    """A picture in cells of five pixels a side, on white, with how opaque it is; pixels left over
    at its right and foot make no cell."""
    seen = picture.convert("RGBA").crop((0, 0, picture.width // 5 * 5, picture.height // 5 * 5))
    paper = Image.new("RGBA", seen.size, "white")
    paper.alpha_composite(seen)
    # Each band by itself: colours that are weighed by how opaque they are say nothing where nothing
    # is seen.
    bands = (*paper.convert("RGB").split(), seen.getchannel("A"))
    return Image.merge("RGBA", [band.reduce(5) for band in bands])


def test_a_map_is_found_and_its_guide_printed(page, address):
    page.goto(f"{address}#atlas=micro2,compact,4711")
    page.wait_for_selector(".view.upgrades .viewer img")
    whole(page)
    page.context.set_offline(True)
    page.get_by_text("Guide and poster").click()
    page.get_by_role("button", name="Make the files").click()
    page.wait_for_selector(".panel .files li")
    native = make_map(AtlasOptions(mode="micro2", seed=4711, png=False)).files
    assert set(page.locator(".panel .files li a").all_inner_texts()) == native.keys()
    for link in page.locator(".panel .files li a").all():
        data = base64.b64decode(page.evaluate(_FETCHED, link.get_attribute("href")))
        assert data == native[link.inner_text()], link.inner_text()
    page.get_by_role("button", name="Find", exact=True).click()
    page.get_by_label("Conditions").fill("income_min >= 30")
    page.get_by_label("Seconds").fill("600")
    page.locator(".seek").get_by_role("button", name="Find").click()
    page.wait_for_function(
        "() => /^[1-9]/.test(document.querySelector('.seek [role=status]').textContent)"
    )
    page.get_by_role("button", name="Stop").click()
    page.wait_for_selector(".maps .card")
    page.locator(".maps .card").first.click()
    page.wait_for_selector(".maps", state="hidden")
    page.wait_for_function("() => document.querySelector('.seed').value !== '4711'")


_FOLDER = """async (files) => {
    const top = await navigator.storage.getDirectory();
    const folder = await top.getDirectoryHandle("small", { create: true });
    for (const [path, text] of Object.entries(files)) {
        const parts = path.split("/");
        let at = folder;
        for (const part of parts.slice(0, -1)) at = await at.getDirectoryHandle(part, { create: true });
        const writing = await (await at.getFileHandle(parts.at(-1), { create: true })).createWritable();
        await writing.write(text);
        await writing.close();
    }
    window.showDirectoryPicker = async () => folder;
}"""
"""A folder of the browser's own in place of one on disk, which nobody can choose here."""

_WRITTEN = """async (path) => {
    let at = await (await navigator.storage.getDirectory()).getDirectoryHandle("small");
    return (await (await at.getFileHandle(path)).getFile()).text();
}"""


def test_a_folder_is_opened_and_what_is_saved_is_written_into_it(page, address, tmp_path):
    new_title(tmp_path / "small", "bare")
    files = {path.relative_to(tmp_path / "small").as_posix(): path.read_text(encoding="utf-8")
             for path in (tmp_path / "small").rglob("*") if path.is_file()}  # fmt: skip
    page.goto(address)
    page.wait_for_selector(".welcome")
    page.evaluate(_FOLDER, files)
    page.get_by_role("button", name="Files").first.click()
    page.get_by_role("button", name="Open a folder").click()
    page.wait_for_selector(".viewer img, .card img")
    assert page.evaluate(_WRITTEN, "title.json") == files["title.json"]
    ops = [{"op": "put", "file": "small/title.json", "pointer": "/name", "value": "Written back"}]
    send(page, "do", {"do": "edit", "at": "small", "label": "Name", "ops": ops})
    while "Written back" not in page.evaluate(_WRITTEN, "title.json"):
        page.wait_for_timeout(100)
    assert json.loads(page.evaluate(_WRITTEN, "title.json"))["name"] == "Written back"
    page.get_by_role("button", name="Files").first.click()
    page.get_by_role("button", name="Save in the folder small").click()


def test_a_game_of_18xx_maker_is_imported(page, address, tmp_path):
    game = Path(__file__).resolve().parents[1] / "exchange" / "games" / "18Ford.json"
    import_title(game, tmp_path / "18ford")
    page.goto(address)
    page.wait_for_selector(".welcome")
    whole(page)
    page.context.set_offline(True)
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Import").first.click()
    chooser.value.set_files(game)
    page.locator("dialog").get_by_role("button", name="Import").click()
    page.locator("dialog").get_by_role("button", name="Open", exact=True).click()
    page.wait_for_selector(".viewer img, .card img")
    for path in (tmp_path / "18ford").rglob("*"):
        if path.is_file() and not path.relative_to(tmp_path / "18ford").parts[0].startswith("."):
            name = path.relative_to(tmp_path / "18ford").as_posix()
            own = base64.b64decode(page.evaluate(_FETCHED, f"file?at=18ford&path={name}"))
            assert own == path.read_bytes(), name


def test_the_start_is_told_in_japanese(in_japanese, address):
    first, second = in_japanese.new_page(), in_japanese.new_page()
    first.goto(address)
    first.wait_for_selector(".welcome")
    second.goto(address)
    second.wait_for_selector("#boot [role=alert]")
    assert second.locator("#boot [role=alert]").inner_text() == studio_words("ja")["boot_tab"]
    assert second.locator("html").get_attribute("lang") == "ja"


def test_what_is_downloaded_comes_as_a_file(page, address):
    page.goto(address)
    page.wait_for_selector(".welcome")
    start_from(page, "18EU")
    page.get_by_role("button", name="Files").click()
    with page.expect_download() as download:
        page.get_by_text("Download as zip").click()
    assert download.value.suggested_filename == "18eu.zip"
    with zipfile.ZipFile(download.value.path()) as opened:
        assert "18eu/title.json" in opened.namelist()


def render(folder: Path, key: str, language: str) -> bytes:
    view = View(folder, "", None)
    view.reload({})
    return Pictures().face(view, key, language, "classic", 0).svg


def _name(title: str) -> str:
    from platelayer.studio.worker import _name

    return _name(title, "en")


def test_routes_of_a_position_are_shown_along_the_track(page, address, tmp_path):
    board = {
        "format": "platelayer.position/1",
        "title": "18eu",
        "phase": "3",
        "tiles": {"G2": "58 2", "F3": "3 0", "H3": "577 4", "I2": "9 1"},
        "tokens": {"H3": ["BNR"], "J1": ["3 1"]},
        "trains": {"BNR": ["2", "3"]},
    }
    (tmp_path / "paused.json").write_text(json.dumps(board), encoding="utf-8")
    page.goto(address)
    page.wait_for_selector(".welcome")
    start_from(page, "18EU")
    page.locator('.tab[title^="Upgrades"]').click()
    page.wait_for_selector(".hex")
    with page.expect_file_chooser() as waiting:
        page.locator('button[title="Open a position"]').click()
    waiting.value.set_files(tmp_path / "paused.json")
    page.wait_for_selector("[data-laid]")
    page.locator(".routes summary").click()
    page.wait_for_selector(".routes :text('BNR: £180 is the most')")
    hexes = "() => [...document.querySelectorAll('[data-run]')].map((each) => each.dataset.run)"
    assert {*page.evaluate(hexes)} == {"F1", "G2", "F3", "H3", "I2", "J1"}
    page.screenshot(path="/tmp/h6s/web_routes.png")
