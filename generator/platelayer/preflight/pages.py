"""The pages of a PDF in order, with what they inherit, their boxes, and what is wrong with
these."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

import pikepdf
from msgspec import Struct

from platelayer.foundation.units import mm_from_pt
from platelayer.model.profile import Limits
from platelayer.preflight.findings import ANEW, Findings
from platelayer.preflight.objects import (
    Budget,
    entry,
    items_of,
    name_of,
    number_of,
    numbers_of,
    unseen,
)

_HANDED_DOWN = ("/Resources", "/MediaBox", "/CropBox")
"""What a page inherits from the nodes above it (ISO 32000-1, table 30), as far as a check needs
it."""
_MAX_DEPTH = 100
_STEPS = 5
"""Cost of inspecting one kid of a node."""


class Page(NamedTuple):
    """A page as written, and what it inherits from the nodes above it."""

    own: Any
    above: Mapping[str, Any]

    def entry(self, key: str) -> Any:
        """The value of a key of the page, its own or inherited."""
        value = entry(self.own, key)
        return self.above.get(key) if value is None else value


def pages_of(root: Any, findings: Findings, budget: Budget) -> Iterator[Page]:
    """All pages under the catalogue of a file, with PF03 for anything that is not a tree. Raises
    TooMuch."""
    return _Tree(findings, budget).below([entry(root, "/Pages")], Page(None, {}), 0)


class _Tree:
    """The state of a walk through the tree: where it reports problems, its budget, and which nodes
    it has seen."""

    def __init__(self, findings: Findings, budget: Budget) -> None:
        self._findings, self._budget, self._seen = findings, budget, set[Any]()

    def below(self, kids: Iterable[Any], node: Page, depth: int) -> Iterator[Page]:
        """The pages below a node."""
        above = {key: value for key in _HANDED_DOWN if (value := node.entry(key)) is not None}
        for kid in kids:
            self._budget.spend_steps(_STEPS)
            page = Page(kid, above)
            if not isinstance(kid, pikepdf.Dictionary):
                self._fault("an entry of its page tree is not a page")
            elif name_of(entry(kid, "/Type")) != "Pages" and entry(kid, "/Kids") is None:
                yield page
            elif not any(unseen([kid], self._seen)):
                self._fault("a node appears more than once in its page tree")
            elif depth >= _MAX_DEPTH:
                self._fault(f"its page tree is more than {_MAX_DEPTH} nodes deep")
            else:
                yield from self.below(items_of(entry(kid, "/Kids"), self._budget), page, depth + 1)

    def _fault(self, words: str) -> None:
        self._findings.add("PF03", words, hint=ANEW)


# Boxes
# ----------------------------------------------------------------------------------------------------------------

_Rectangle = tuple[float, float, float, float]
"""Left, bottom, right, top."""

_KEYS = {"media": "/MediaBox", "crop": "/CropBox", "bleed": "/BleedBox", "trim": "/TrimBox"}
_LEAST_PT, _MOST_PT = 3.0, 14400.0
"""Sides of a page (ISO 32000-1, annex C)."""
_SLACK_MM = 0.05
_SIZE_SLACK_MM = 0.3


class Boxes(Struct, frozen=True, kw_only=True):
    """The boxes of a page, in points of its default space; `unit` is how many points each of those
    is long. A box that the page does not have is None; every page has a medium."""

    media: _Rectangle
    crop: _Rectangle | None
    bleed: _Rectangle | None
    trim: _Rectangle | None
    unit: float

    @property
    def cut(self) -> _Rectangle:
        """What is left after cutting: the trim, or its substitute (ISO 32000-1, 14.11.2)."""
        return self.trim or self.crop or self.media

    def mm(self, length: float) -> float:
        """A length of the page's default space in mm."""
        return mm_from_pt(length * self.unit)

    @property
    def size_mm(self) -> tuple[float, float]:
        """Width and height after cutting."""
        left, bottom, right, top = self.cut
        return self.mm(right - left), self.mm(top - bottom)


def read_boxes(page: Page, number: int, findings: Findings) -> Boxes | None:
    """The boxes of a page, with PF06 for invalid ones; None without a usable MediaBox."""
    boxes: dict[str, _Rectangle | None] = {}
    for name, key in _KEYS.items():
        value = page.entry(key)
        boxes[name] = _rectangle(value)
        if value is not None and boxes[name] is None:
            findings.add("PF06", f"the {key[1:]} is not four numbers", page=number)
    unit = number_of(page.entry("/UserUnit"), 1.0)
    media = boxes["media"]
    if media is None:
        findings.add("PF06", "there is no readable MediaBox", page=number)
        return None
    sides = [(media[2] - media[0]) * unit, (media[3] - media[1]) * unit]
    if not all(_LEAST_PT <= side <= _MOST_PT for side in sides):
        words = " x ".join(f"{mm_from_pt(side):.4g}" for side in sides)
        most = mm_from_pt(_MOST_PT)
        findings.add(
            "PF06", f"the page is {words} mm; pages have sides of 1 to {most:.0f} mm", page=number
        )
        return None
    return Boxes(
        media=media, crop=boxes["crop"], bleed=boxes["bleed"], trim=boxes["trim"], unit=unit
    )


def _rectangle(value: Any) -> _Rectangle | None:
    numbers = numbers_of(value, 4)
    if numbers is None:
        return None
    a, b, c, d = numbers
    return min(a, c), min(b, d), max(a, c), max(b, d)


def check_boxes(boxes: Boxes, number: int, limits: Limits, findings: Findings) -> None:
    """PF06 to PF08 for one page."""
    for name in limits.boxes:
        if getattr(boxes, name) is None:
            findings.add(
                "PF06",
                f"the page has no {_KEYS[name][1:]}",
                page=number,
                hint="export with trim and bleed",
            )
    for inner, outer in (
        ("trim", "bleed"),
        ("trim", "media"),
        ("bleed", "media"),
        ("crop", "media"),
    ):
        if _beyond(getattr(boxes, inner), getattr(boxes, outer)) > _SLACK_MM / boxes.mm(1.0):
            message = f"the {_KEYS[inner][1:]} reaches beyond the {_KEYS[outer][1:]}"
            findings.add("PF06", message, page=number)
    if limits.bleed_mm:
        bleed = boxes.mm(_margin(boxes.cut, boxes.bleed or boxes.media))
        if bleed < limits.bleed_mm - _SLACK_MM:
            message = f"the bleed is {max(bleed, 0):.3g} mm wide; at least {limits.bleed_mm:g} mm are needed on every side"
            findings.add("PF07", message, page=number, hint="extend the background beyond the trim")
    if not limits.marks and boxes.trim and boxes.mm(_outer_margin(boxes)) > _SIZE_SLACK_MM:
        message = "there is room for marks beyond the bleed; the page must end with its bleed"
        findings.add("PF08", message, page=number, hint="export without marks")
    if limits.page_sizes_mm and not any(
        _alike(boxes.size_mm, size) for size in limits.page_sizes_mm
    ):
        sizes = ", ".join(f"{width:g} x {height:g}" for width, height in limits.page_sizes_mm)
        width, height = boxes.size_mm
        findings.add(
            "PF08",
            f"the page is {width:.4g} x {height:.4g} mm after cutting; allowed: {sizes}",
            page=number,
        )


def check_sizes(all_boxes: list[tuple[int, Boxes]], limits: Limits, findings: Findings) -> None:
    """PF08 for pages whose size differs from the first."""
    for number, boxes in all_boxes[1:] if limits.same_page_size else []:
        first, own = all_boxes[0][1].size_mm, boxes.size_mm
        if max(abs(first[0] - own[0]), abs(first[1] - own[1])) > _SIZE_SLACK_MM:
            words = [f"{width:.4g} x {height:.4g} mm" for width, height in (own, first)]
            findings.add(
                "PF08",
                f"the page is {words[0]} after cutting; the first page is {words[1]}",
                page=number,
            )


def _alike(one: tuple[float, float], other: tuple[float, float]) -> bool:
    pairs = zip(sorted(one), sorted(other), strict=True)
    return all(abs(a - b) <= _SIZE_SLACK_MM for a, b in pairs)


def _margin(inner: _Rectangle, outer: _Rectangle) -> float:
    """The least distance from an inner box to the one around it."""
    return min(inner[0] - outer[0], inner[1] - outer[1], outer[2] - inner[2], outer[3] - inner[3])


def _outer_margin(boxes: Boxes) -> float:
    """How far the medium extends beyond the bleed at most."""
    bleed, media = boxes.bleed or boxes.cut, boxes.media
    return max(bleed[0] - media[0], bleed[1] - media[1], media[2] - bleed[2], media[3] - bleed[3])


def _beyond(inner: _Rectangle | None, outer: _Rectangle | None) -> float:
    return 0.0 if inner is None or outer is None else -_margin(inner, outer)
