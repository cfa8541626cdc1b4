"""What is typed and not saved outlives its page and its studio."""

from __future__ import annotations

import signal

import pytest

from studio.conftest import say, small_title, until
from studio.test_live import opened
from studio.test_safe import edited, text_of, type_at_end


def typed(page, studio):
    opened(page, studio)
    edited(page, "map.json")
    type_at_end(page, 3)
    until(lambda: say(studio, do="open", name="map.json")["text"].endswith("\n\n\n"))


ASKED = [pytest.param(how, marks=pytest.mark.slow) for how in (signal.SIGTERM, signal.SIGINT)]


@pytest.mark.parametrize("how", [signal.SIGKILL, *ASKED])
def test_another_studio_goes_on_with_it(begin, page, tmp_path, how):
    first = begin(small_title(tmp_path / "title"))
    before = (first.folder / "map.json").read_bytes()
    typed(page, first)
    if how is signal.SIGKILL:
        until((first.folder / ".platelayer" / "unsaved.json").is_file)
    first.process.send_signal(how)
    first.process.wait(60)
    first.process.stdout.close()
    assert (first.folder / "map.json").read_bytes() == before
    again = begin(first.folder, first.port)
    opened(page, again)
    edited(page, "map.json")
    page.wait_for_function("() => document.querySelector('.saved').textContent === 'Not saved'")
    page.keyboard.press("Control+s")
    until(lambda: (first.folder / "map.json").read_bytes() == before + b"\n\n\n")
    until(lambda: not (first.folder / ".platelayer" / "unsaved.json").exists())


def test_what_was_typed_over_a_file_that_has_changed_is_a_choice(begin, page, tmp_path):
    first = begin(small_title(tmp_path / "title"))
    typed(page, first)
    first.stop()
    path = first.folder / "map.json"
    path.write_text(path.read_text(encoding="utf-8") + " ", encoding="utf-8")
    again = begin(first.folder, first.port)
    opened(page, again)
    page.wait_for_selector(".conflict:not([hidden])")
    assert say(again, do="open", name="map.json")["text"].endswith("\n\n\n")
    page.locator(".conflict button").last.click()
    page.wait_for_function("() => document.querySelector('.saved').textContent === ''")
    assert "map" in text_of(page)
    assert say(again, do="open", name="map.json")["text"] == path.read_text(encoding="utf-8")


@pytest.mark.slow
def test_files_are_saved_by_themselves_if_one_wants(begin, page, tmp_path):
    studio = begin(small_title(tmp_path / "title"))
    typed(page, studio)
    say(studio, do="autosave", on=True)
    before = (studio.folder / "map.json").read_bytes()
    type_at_end(page, 1)
    until(lambda: (studio.folder / "map.json").read_bytes() == before + b"\n\n\n\n")
    page.keyboard.press("Control+z")
    until(lambda: (studio.folder / "map.json").read_bytes() != before + b"\n\n\n\n")
