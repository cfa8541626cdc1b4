"""The fonts, images, colour spaces and forms of one file: each read once, when it is first named."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

from platelayer.preflight.budget import Budget
from platelayer.preflight.colours import Colour, Space, read_space
from platelayer.preflight.fonts import Font, read_font
from platelayer.preflight.images import Image, read_image
from platelayer.preflight.objects import BROKEN, entry, identity
from platelayer.preflight.summary import Summary

Read = TypeVar("Read")

MAX_FORM_DEPTH = 40
"""Forms within forms; more is a loop or a trap."""


_STEPS = 20
"""Cost of reading one thing."""


class Library:
    """What the content streams of one file share. `wants_quads`: whether the position of text matters."""

    def __init__(self, budget: Budget, *, wants_quads: bool) -> None:
        self.budget, self.wants_quads = budget, wants_quads
        self.colours: dict[tuple[bytes, bytes], Colour] = {}
        self.open_forms: list[Any] = []
        self._known: dict[tuple[str, tuple[int, int]], Any] = {}

    def font(self, value: Any) -> Font | None:
        """A font by its dictionary."""
        return self._once("font", value, lambda: read_font(value, self.budget, measured=self.wants_quads))

    def space(self, value: Any, named: Any) -> Space | None:
        """A colour space by its object."""
        return self._once("space", value, lambda: read_space(value, named, self.budget))

    def image(self, value: Any, named: Any) -> Image | str:
        """An image by its stream, or what is wrong with it."""
        return self._once("image", value, lambda: read_image(value, named, self.budget))

    def summary(self, value: Any, walk: Callable[[], Summary]) -> Summary:
        """What a form, pattern or appearance paints. One that places itself has a fault and paints nothing."""
        key = identity(value)
        if (key is not None and key in self.open_forms) or len(self.open_forms) >= MAX_FORM_DEPTH:
            return Summary(faults={f"a form places itself, or forms are nested more than {MAX_FORM_DEPTH} deep"})

        def read() -> Summary:
            self.open_forms.append(key)
            try:
                return walk()
            finally:
                self.open_forms.pop()

        return self._once("form", value, read)

    def _once(self, kind: str, value: Any, read: Callable[[], Read]) -> Read:
        key = identity(value)
        if key is None or (kind, key) not in self._known:
            self.budget.spend_steps(_STEPS)
        if key is None:
            return read()
        if (kind, key) not in self._known:
            self._known[kind, key] = read()
        return cast("Read", self._known[kind, key])


def resource(resources: Any, kind: str, name: str) -> Any:
    """What a name refers to among the resources of a stream; None if there is nothing with that name."""
    try:
        return entry(resources, f"/{kind}", f"/{name}")
    except BROKEN:
        return None
