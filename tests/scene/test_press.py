"""Presses: each thread prints for its own."""

from __future__ import annotations

from threading import Thread

from platelayer.scene import press
from platelayer.scene.inks import CMYK, ink_from_hex


def test_threads_print_on_presses_of_their_own() -> None:
    """What one thread prints for another press changes nothing of what others see."""
    ink = ink_from_hex("#b5651d")
    coated = press.recipe_of(ink)
    seen: list[CMYK] = []
    with press.printing_on("gracol"):
        thread = Thread(target=lambda: seen.append(press.recipe_of(ink)))
        thread.start()
        thread.join()
        assert press.recipe_of(ink) != coated
    assert seen == [coated]
