"""A logo that is dropped on a piece of a company."""

from __future__ import annotations

import base64
import json
from io import BytesIO

import pytest
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from platelayer.foundation.problems import CannotRun
from platelayer.studio.desk import Logo
from platelayer.studio.folder import Folder
from platelayer.studio.pictures import Pictures
from platelayer.studio.view import View
from platelayer.studio.workspace import Workspace
from studio.conftest import small_title, until
from studio.test_live import opened

SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><circle cx="5" cy="5" r="4"/></svg>'


def company_of(folder):
    return next(
        iter(json.loads((folder / "companies.json").read_text(encoding="utf-8"))["companies"])
    )


def given(workspace, key, data=SVG, name="日本 logo.svg", at=""):
    view = View(workspace.folder.root, at, None)
    view.reload(workspace.texts)
    coded = base64.b64encode(data if isinstance(data, bytes) else data.encode()).decode()
    answer = Logo(key=key, name=name, data=coded, label="Logo", at=at).answer(workspace, view)
    view.reload(workspace.texts)
    return answer["file"], view


@pytest.mark.parametrize("at", ["", "games of mine"])
def test_a_logo_becomes_a_file_and_a_step(tmp_path, at):
    title = small_title(tmp_path / "all" / at)
    company, workspace = company_of(title), Workspace(Folder(tmp_path / "all"))
    file, view = given(workspace, f"charter:{company}", at=at)
    assert (tmp_path / "all" / file).read_text(encoding="utf-8") == SVG
    assert file == f"{at}/pictures/{company}.svg".lstrip("/")
    assert not view.read_problems
    assert next(each.logo for each in view.title.companies if each.id == company) == company
    assert workspace.undo() == "Logo"
    view.reload(workspace.texts)
    assert next(each.logo for each in view.title.companies if each.id == company) is None
    assert (tmp_path / "all" / file).is_file(), "the file stays"
    assert given(workspace, f"token:{company}", at=at)[0].endswith(f"{company}-2.svg"), (
        "nothing is overwritten"
    )


@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        ("logo.gif", b"GIF89a", "is no SVG, PNG or JPEG file"),
        ("logo.png", b"\x89PNG", "neither PNG nor JPEG"),
        ("logo.svg", SVG.replace("circle", "script"), "logo.svg"),
        ("logo.svg", SVG.replace("<circle", '<image href="x.png"/><circle'), "logo.svg:1"),
        ("logo.svg", b"\xff\xfe", "logo.svg"),
        ("logo.svg", "", "logo.svg"),
    ],
)
def test_what_cannot_be_painted_is_refused_in_the_readers_words(tmp_path, name, data, words):
    title = small_title(tmp_path / "title")
    workspace = Workspace(Folder(title))
    with pytest.raises(CannotRun, match=words):
        given(workspace, f"charter:{company_of(title)}", data, name)
    assert not (title / "pictures").exists()
    assert workspace.next_undo is None


def test_a_piece_of_no_company_and_a_shipped_title_are_refused(tmp_path):
    title = small_title(tmp_path / "title")
    with pytest.raises(CannotRun, match="belongs to no company"):
        given(Workspace(Folder(title)), "tile:57")
    with pytest.raises(CannotRun, match="comes with Platelayer"):
        given(Workspace(Folder(title, writable=False)), f"charter:{company_of(title)}")
    assert not (title / "pictures").exists()


DROP = """([selector, name, text, type]) => {
  const data = new DataTransfer();
  data.items.add(new File([text], name, { type }));
  for (const kind of ["dragenter", "dragover", "drop"])
    document.querySelector(selector).dispatchEvent(
      new DragEvent(kind, { dataTransfer: data, bubbles: true, cancelable: true }));
}"""


def test_a_picture_dropped_on_a_charter_is_a_logo_and_elsewhere_a_question(studio, page):
    company = company_of(studio.folder)
    opened(page, studio)
    page.get_by_role("tab", name="Pieces").click()
    page.locator(".kind", has_text="Charters").click()
    card = f'.card[data-key="charter:{company}"]'
    before = page.locator(card).get_attribute("data-url")
    page.evaluate(DROP, [card, "own.svg", SVG, "image/svg+xml"])
    until(lambda: page.locator(card).get_attribute("data-url") != before)
    assert (studio.folder / "pictures" / f"{company}.svg").is_file()
    page.keyboard.press("Control+z")
    until(lambda: page.locator(card).get_attribute("data-url") == before)
    page.evaluate(DROP, [card, "own.png", "nothing", "image/png"])
    page.get_by_role("alert").get_by_text("neither PNG nor JPEG").wait_for()
    assert all("403" in each for each in page.watched.faults)
    page.watched.faults.clear()
    page.keyboard.press("Escape")
    page.evaluate(DROP, [".kinds", "own.svg", SVG, "image/svg+xml"])
    page.get_by_role("dialog", name="own.svg").get_by_label("What it is for").wait_for()


def test_a_logo_of_pixels_is_drawn_without_its_data_and_belongs_to_earlier_versions(tmp_path):
    file = BytesIO()
    words = PngInfo()
    words.add_text("Author", "somebody")
    Image.new("RGB", (300, 300), (200, 16, 46)).save(file, "PNG", pnginfo=words)
    title = small_title(tmp_path / "title")
    company, folder = company_of(title), Folder(title)
    workspace = Workspace(folder)
    name, view = given(workspace, f"charter:{company}", file.getvalue(), "Logo.PNG")
    assert name == f"pictures/{company}.png"
    assert not view.read_problems
    kept = (title / name).read_bytes()
    assert b"somebody" not in kept
    face = Pictures().face(view, f"token:{company}", "en", "classic", 0)
    assert base64.b64encode(kept) in face.svg
    assert name in folder.stamp()
    assert name not in folder.files(), "the editor opens texts"
    assert workspace.moments.now("")[name] == kept
