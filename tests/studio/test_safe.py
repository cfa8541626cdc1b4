"""Nothing that a person wrote is lost: what is edited is what is looked at, and files stay as they
were written."""

from __future__ import annotations

import asyncio
import json
import shutil
from concurrent.futures import ThreadPoolExecutor

import pytest

from often import often
from platelayer.definitions.source import MAX_BYTES
from platelayer.foundation.problems import CannotRun
from platelayer.pipeline.write import write_all
from platelayer.studio import desk as desk_module
from platelayer.studio import folder as folder_module
from platelayer.studio.desk import Desk, Page, read_action
from platelayer.studio.folder import Changed, Folder, Missing, Refused
from studio.conftest import small_title, until
from studio.test_live import opened, rename

CODE = "() => document.querySelector('.codehost').shadowRoot.querySelector('.cm-content')"


def text_of(page):
    return page.evaluate(f"({CODE})().innerText")


def two_titles(folder):
    for each in ("alpha", "beta"):
        small_title(folder / each)
        rename(folder / each, f"The map of {each}")
    return folder


def type_at_end(page, lines=1):
    page.locator(".cm-content").click()
    page.keyboard.press("Control+End")
    for _ in range(lines):
        page.keyboard.press("Enter")
    page.wait_for_selector('.editor[aria-busy="false"]')


def expect_refusals(page, *statuses):
    """What the browser logs for answers that are meant to be refusals is no fault of the page."""
    found = [
        next(status for status in statuses if str(status) in fault) for fault in page.watched.faults
    ]
    assert set(found) == set(statuses), page.watched.faults
    page.watched.faults.clear()


def edited(page, name):
    page.wait_for_function(
        "name => document.querySelector('.editor select').value === name", arg=name
    )
    page.wait_for_function(f"name => ({CODE})().getAttribute('aria-label') === name", arg=name)


def test_a_save_goes_to_the_title_that_is_looked_at(begin, page, tmp_path):
    both = begin(two_titles(tmp_path / "both"))
    opened(page, both)
    edited(page, "alpha/map.json")
    type_at_end(page)
    before = (both.folder / "alpha" / "map.json").read_bytes()
    page.select_option('select[title="Title"]', "beta")
    edited(page, "beta/map.json")
    assert "The map of beta" in text_of(page)
    type_at_end(page, 2)
    page.keyboard.press("Control+s")
    until(lambda: (both.folder / "beta" / "map.json").read_text(encoding="utf-8").endswith("\n\n"))
    assert (both.folder / "alpha" / "map.json").read_bytes() == before
    # What was typed in the other is still there.
    page.select_option('select[title="Title"]', "alpha")
    edited(page, "alpha/map.json")
    assert page.locator(".saved").inner_text() == "Not saved"
    page.keyboard.press("Control+s")
    until(lambda: (both.folder / "alpha" / "map.json").read_bytes() == before + b"\n")


def test_quick_saves_follow_each_other(studio, page):
    opened(page, studio)
    edited(page, "map.json")
    page.locator(".cm-content").click()
    page.keyboard.press("Control+End")
    before = (studio.folder / "map.json").read_bytes()
    page.evaluate("""() => {
      const plain = window.fetch;
      window.fetch = async (...given) => {
        const answer = await plain(...given);
        if (given[1]?.method === 'PUT') await new Promise((done) => setTimeout(done, 300));
        return answer;
      };
    }""")
    for _ in range(6):
        page.keyboard.press("Enter")
        page.keyboard.press("Control+s")
    until(lambda: (studio.folder / "map.json").read_bytes() == before + 6 * b"\n")
    page.wait_for_function("() => document.querySelector('.saved').textContent === ''")
    assert page.locator(".conflict").is_hidden()
    assert text_of(page).endswith(6 * "\n")


def test_line_ends_and_the_mark_of_the_encoding_are_kept(studio, page):
    path = studio.folder / "map.json"
    lines = path.read_bytes().split(b"\n")
    path.write_bytes(b"\xef\xbb\xbf" + b"\r\n".join(lines))
    opened(page, studio)
    edited(page, "map.json")
    type_at_end(page)
    page.keyboard.press("Control+s")
    until(lambda: path.read_bytes() == b"\xef\xbb\xbf" + b"\r\n".join(lines) + b"\r\n")


@pytest.mark.parametrize(
    ("before", "text", "after"),
    [
        (b"a\r\nb\nc\r\n", "a\nB\nc\n", b"a\r\nB\nc\r\n"),
        (b"a\r\nb\nc\r\n", "a\nb\nc\n", b"a\r\nb\nc\r\n"),
        (b"a\nb\r\nc\nd\n", "a\nb\nx\ny\nd\n", b"a\nb\r\nx\ny\nd\n"),
        (b"a\r\nb\nc\n", "", b""),
        (b"a\rb\r", "a\nb\nc\n", b"a\rb\rc\r"),
        (b"a\nb", "a\nb\nc", b"a\nb\nc"),
    ],
)
def test_lines_that_differ_in_their_ends_keep_them(tmp_path, before, text, after):
    (tmp_path / "a.md").write_bytes(before)
    folder = Folder(tmp_path)
    folder.save("a.md", text, folder.read("a.md").digest)
    assert (tmp_path / "a.md").read_bytes() == after


def test_what_cannot_be_kept_is_refused(tmp_path):
    folder = Folder(tmp_path)
    (tmp_path / "latin.md").write_bytes(b"Z\xfcrich")
    with pytest.raises(Refused, match="not UTF-8"):
        folder.read("latin.md")
    (tmp_path / "a.md").write_text("a", encoding="utf-8")
    digest = folder.read("a.md").digest
    with pytest.raises(Refused, match="over 1 MB"):
        folder.save("a.md", "é" * (MAX_BYTES // 2 + 1), digest)
    with pytest.raises(Refused, match="half a character"):
        folder.save("a.md", "\ud800", digest)
    assert (tmp_path / "a.md").read_text(encoding="utf-8") == "a"
    full = folder.save("a.md", "x" * MAX_BYTES, digest)
    assert folder.read("a.md").digest == full


def test_a_file_that_cannot_be_opened_is_left_alone(studio, page):
    (studio.folder / "notes.md").write_bytes(b"Z\xfcrich")
    opened(page, studio)
    page.select_option(".editor select", "notes.md")
    page.wait_for_function(
        "() => document.querySelector('.saved').textContent.includes('not UTF-8')"
    )
    page.keyboard.press("Control+s")
    assert (studio.folder / "notes.md").read_bytes() == b"Z\xfcrich"
    expect_refusals(page, 403)


def test_a_folder_that_is_gone_is_not_made_by_a_save(tmp_path):
    folder = Folder(small_title(tmp_path / "both" / "alpha").parent)
    digest = folder.read("alpha/map.json").digest
    (tmp_path / "both" / "alpha").rename(tmp_path / "away")
    with pytest.raises(Changed):
        folder.save("alpha/map.json", "{}", digest)
    with pytest.raises(Refused):
        folder.save("alpha/map.json", "{}", "")
    with pytest.raises(Missing):
        folder.read("alpha/map.json")
    assert not (tmp_path / "both" / "alpha").exists()


def test_a_link_leads_neither_out_nor_into_another_title(tmp_path):
    from platelayer.studio.desk import Desk

    folder = Folder(two_titles(tmp_path / "both"))
    (folder.root / "alpha" / "output").symlink_to(folder.root / "beta")
    desk = Desk(folder, "run")
    with pytest.raises(Refused, match="leads out"):
        desk.output("alpha")
    assert desk.output("beta") == folder.root / "beta" / "output"
    (folder.root / "beta").rename(tmp_path / "away")
    with pytest.raises(Refused, match="no longer"):
        desk.output("beta")
    desk.close()


def test_typed_text_outlives_a_file_that_is_gone(studio, page):
    opened(page, studio)
    edited(page, "map.json")
    type_at_end(page, 3)
    path = studio.folder / "map.json"
    before = path.read_bytes()
    path.unlink()
    page.wait_for_selector(".conflict:not([hidden])")
    assert "no longer on disk" in page.locator(".conflict").inner_text()
    page.keyboard.press("Control+s")
    assert not path.exists()
    page.locator(".conflict button").first.click()
    until(lambda: path.is_file() and path.read_bytes() == before + b"\n\n\n")
    page.wait_for_selector(".conflict", state="hidden")


@pytest.mark.parametrize("nested", often([False, True], True))
def test_a_folder_that_is_made_anew_is_followed(begin, page, tmp_path, nested):
    place = tmp_path / "both" if nested else tmp_path
    title = small_title(place / "title")
    small_title(tmp_path / "kept")
    one = begin(place if nested else title)
    before = opened(page, one)
    shutil.rmtree(title)
    page.wait_for_selector(".welcome")
    rename(tmp_path / "kept", "Made anew")
    (tmp_path / "kept").rename(title)
    page.wait_for_selector(".viewer[data-version]")
    assert page.locator(".viewer").first.get_attribute("data-version") != before
    edited(page, "title/map.json" if nested else "map.json")
    assert "Made anew" in text_of(page)
    rename(title, "And once more")
    page.wait_for_function(f"() => ({CODE})().innerText.includes('And once more')")
    # Files that went while the page asked for them are no fault of it.
    page.watched.faults[:] = [
        fault for fault in page.watched.faults if not {"404", "422"} & {*fault.split()}
    ]


def test_a_studio_on_the_same_port_forgets_what_another_looked_at(begin, page, tmp_path):
    both = begin(two_titles(tmp_path / "both"))
    opened(page, both)
    page.select_option('select[title="Title"]', "beta")
    edited(page, "beta/map.json")
    both.stop()
    one = begin(small_title(tmp_path / "one"), both.port)
    opened(page, one)
    edited(page, "map.json")
    one.stop()
    again = begin(both.folder, both.port)
    opened(page, again)
    edited(page, "beta/map.json")
    # A page that looks for its studio may be answered by the other.
    page.watched.faults[:] = [fault for fault in page.watched.faults if "403" not in fault]


NO_SETTINGS = '{"split": "x", "scheme": 3, "pxPerMm": -1, "editor": 0, "ui": []}'


@pytest.mark.parametrize("kept", often(["{", "null", "[]", NO_SETTINGS], NO_SETTINGS))
def test_what_the_browser_keeps_is_checked(studio, page, kept):
    opened(page, studio)
    page.evaluate(
        "kept => { for (const key of Object.keys(localStorage)) localStorage.setItem(key, kept);"
        " localStorage.setItem('studio', kept); }",
        kept,
    )
    page.reload()
    page.wait_for_selector(".viewer[data-version]")
    looks = {"at": "elsewhere", "variant": "none", "lang": "../x", "theme": "nope"}
    page.evaluate(
        "looks => Object.keys(localStorage).filter((each) => each !== 'studio')"
        ".forEach((each) => localStorage.setItem(each, looks))",
        json.dumps(looks),
    )
    page.reload()
    page.wait_for_selector(".viewer[data-version]")
    assert page.locator(".editor select").input_value() == "map.json"


def test_a_full_disk_is_told_and_tried_again(tmp_path, monkeypatch):
    monkeypatch.setattr(desk_module, "_AUTOSAVE_S", 0.01)
    monkeypatch.setattr(desk_module, "_TRY_AGAIN_S", 0.05)
    full = [True]

    def write(folder, files):
        if full:
            raise CannotRun(f"cannot write {folder}: No space left on device")
        return write_all(folder, files)

    monkeypatch.setattr(folder_module, "write_all", write)
    path = small_title(tmp_path / "title") / "map.json"
    before = path.read_bytes()

    async def run():
        desk = Desk(Folder(path.parent, writable=True), "run")
        page = Page()
        desk.pages.add(page)
        await desk.begin()
        op = {"op": "put", "file": "map.json", "pointer": "/map/hexes/C5/name", "value": "Ulm"}
        await desk.act(read_action(json.dumps({"do": "edit", "label": "", "ops": [op]}).encode()))
        told = []
        while "No space left" not in (told or [""])[-1]:
            told += [
                each["data"]["trouble"] for each in await page.news() if each["event"] == "edits"
            ]
        assert path.read_bytes() == before
        full.clear()
        while told[-1]:
            told += [
                each["data"]["trouble"] for each in await page.news() if each["event"] == "edits"
            ]
        assert b"Ulm" in path.read_bytes()
        desk.close()

    # In a thread of its own: the browser of other tests runs a loop in this one.
    with ThreadPoolExecutor(1) as own:
        own.submit(lambda: asyncio.run(asyncio.wait_for(run(), 60))).result()
