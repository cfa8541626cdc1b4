"""18EU in the studio, the pictures of docs/studio.md out: taken in Debian's Chromium, so they
differ a little between machines."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal, NamedTuple

from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright

from platelayer.foundation.resources import asset_path, title_path

FOLDER = Path(__file__).parent / "pictures"
_SLIP = ('"G8": {', '"G8": {"labels": ["Y"], ')
"""A label that Magdeburg does not have, and a rule that finds it."""


@contextmanager
def studio(*, slip: bool) -> Iterator[str]:
    """The address of a studio for a copy of 18EU, with a slip in it if it is wanted."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place, "18eu")
        shutil.copytree(title_path("18eu"), folder)
        if slip:
            board = folder / "map.json"
            board.write_text(board.read_text(encoding="utf-8").replace(*_SLIP, 1), encoding="utf-8")
        environment = {**os.environ, "PYTHONUNBUFFERED": "1", "XDG_STATE_HOME": place}
        command = [sys.executable, "-m", "platelayer", "studio", str(folder), "--no-open"]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
        assert process.stdout is not None
        address = re.search(r"http://\S+", process.stdout.readline())
        assert address is not None
        yield address[0]
        process.terminate()
        process.wait()


@contextmanager
def japanese() -> Iterator[dict[str, str | float | bool]]:
    """The environment of a browser that has our Japanese beside the fonts of the machine, which may
    have none. Our Latin fonts stay out: a page would take them for its own."""
    with tempfile.TemporaryDirectory() as place:
        for font in asset_path("fonts").glob("NotoSansJP-*.ttf"):
            shutil.copy(font, place)
        settings = Path(place, "fonts.conf")
        settings.write_text(
            f'<fontconfig><include ignore_missing="yes">/etc/fonts/fonts.conf</include><dir>{place}</dir></fontconfig>',
            encoding="utf-8",
        )
        yield {**os.environ, "FONTCONFIG_FILE": str(settings)}


class Shot(NamedTuple):
    """A picture: its file's name, the address in the studio, and what is done there before it is
    taken."""

    name: str
    address: str
    steps: Callable[[Page], None]
    slip: bool = False
    width: int = 1280
    scheme: Literal["light", "dark"] = "light"


def _problem(page: Page) -> None:
    page.wait_for_function("() => document.querySelector('.problem')")
    page.locator(".problem").first.click()


def _paint(page: Page) -> None:
    page.get_by_role("button", name="Edit (e)").click()
    page.wait_for_selector(".hex.empty")
    page.locator(".tool", has_text="Terrain").click()


def _form(page: Page) -> None:
    page.locator(".port").first.focus()
    page.keyboard.press("i")
    page.wait_for_selector(".inspector .fields")


def _tile(page: Page) -> None:
    page.locator('.card[data-tile="57"]').click()
    page.wait_for_selector(".panel .choice, .panel img")


def _compare(page: Page) -> None:
    page.get_by_role("button", name="Compare").first.click()


def _upgrades(page: Page) -> None:
    page.wait_for_selector(".boxed img")
    page.locator('.hex[aria-label="F9"]').dispatch_event("click")
    page.locator(".follow .lay").first.click()


def _supply(page: Page) -> None:
    page.wait_for_selector(".boxed img")
    page.locator(".panel > details:not(.supply) > summary").click()
    page.locator(".supply:not(.routes) summary").click()
    bound = page.locator(".supply:not(.routes) section", has_text="grey: city")
    bound.locator("button", has_text="Lay the board").click()
    bound.locator("button", has_text="Hexes that compete").click()
    bound.scroll_into_view_if_needed()


SHOTS = (
    Shot("map", "map", _problem, slip=True),
    Shot("paint", "map/D4", _paint),
    Shot("form", "pieces/charter:DR", _form),
    Shot("tiles", "tiles", _tile),
    Shot("upgrades", "upgrades", _upgrades),
    Shot("supply", "upgrades", _supply),
    Shot("narrow", "upgrades", _upgrades, width=430, scheme="dark"),
)


def main() -> None:
    """Take all pictures into docs/pictures/."""
    chromium = shutil.which("chromium")
    if chromium is None:
        sys.stderr.write("docs/pictures/studio-*.png stay as they are: they need Chromium\n")
        return
    with japanese() as environment, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium, args=["--no-sandbox"], env={**environment}
        )
        for slip in (True, False):
            with studio(slip=slip) as address:
                for shot in (shot for shot in SHOTS if shot.slip == slip):
                    _take(browser, address, shot)
        browser.close()


def _take(browser: Browser, address: str, shot: Shot) -> None:
    size = ViewportSize(width=shot.width, height=800)
    context = browser.new_context(viewport=size, color_scheme=shot.scheme, locale="en-GB")
    page = context.new_page()
    page.goto(f"{address}#{shot.address}")
    page.wait_for_selector(".viewer[data-version], .catalogue .card")
    shot.steps(page)
    page.wait_for_timeout(1500)
    page.screenshot(path=FOLDER / f"studio-{shot.name}.png")
    context.close()


if __name__ == "__main__":
    main()
