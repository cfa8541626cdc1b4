"""Every problem that a print shop would have with a finished file, by the limits of a profile."""

from __future__ import annotations

import io
import math
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pikepdf
from msgspec import Struct

from platelayer.foundation.door import NotRead, read_start
from platelayer.foundation.geometry import PT_PER_INCH, Linear, least_scale, mm_from_pt
from platelayer.foundation.problems import Problem
from platelayer.model.profile import Limits
from platelayer.preflight.content import (
    INHERITED,
    MOST_IN_LINES,
    MOST_IN_WORDS,
    Library,
    Paint,
    Placed,
    Quad,
    Summary,
    Walker,
)
from platelayer.preflight.document import (
    BROKEN,
    Budget,
    TooMuch,
    Unmeasured,
    Unreadable,
    check_annotations,
    check_document,
    check_packed,
    entry,
    items_of,
    matrix_of,
    name_of,
    number_of,
    numbers_of,
    plain_words,
    read_stream,
    unseen,
)
from platelayer.preflight.findings import ANEW, Findings
from platelayer.preflight.png import SIGNATURE, check_png
from platelayer.preflight.resources import ALL, Image

# The pages of a PDF in order, with what they inherit, their boxes, and what is wrong with
# these.


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


# What a page paints, compared with the limits: fonts, colours, inks, pictures, sizes, the safe
# zone.


_INK_SLACK, _TEXT_SLACK_PT, _STROKE_SLACK_PT, _DPI_SLACK = 0.5, 0.02, 0.005, 1.0
_SAFE_SLACK_MM = 0.1
FINE_TEXT_PT, FINE_STROKE_PT = 8.0, 0.5
_OF_TWO, _OF_THREE = "use black alone, or two inks", "use black alone, or up to three inks"


def check_page(
    summary: Summary, boxes: Boxes, number: int, limits: Limits, findings: Findings
) -> None:
    """PF04 and PF09 to PF19 for what one page paints."""
    for code, message, hint in _all(summary, boxes, limits):
        findings.add(code, message, page=number, hint=hint)


_Found = Iterator[tuple[str, str, str]]


def _all(summary: Summary, boxes: Boxes, limits: Limits) -> _Found:
    for fault in sorted(summary.faults):
        yield "PF04", fault, "export the file again from the program that made it"
    yield from _fonts(summary, limits)
    yield from _colours(summary.paints, limits)
    yield from _inks(summary, limits)
    yield from _spots(summary.paints, limits)
    yield from _cut_lines(summary.paints, limits)
    yield from _images(summary.images, boxes.unit, limits)
    if summary.extras and "transparency" not in limits.allows:
        yield (
            "PF16",
            f"it has {', '.join(sorted(summary.extras))}; everything must be opaque",
            "flatten the transparency",
        )
    yield from _sizes(summary, boxes.unit, limits)
    if limits.fine_inks:
        yield from _fine(summary, boxes.unit)
    for use in sorted(summary.hidden):
        yield (
            "PF28",
            f"a white {use} overprints, so that nothing is seen of it",
            "let white knock out what is below",
        )
    if limits.page_is_piece and limits.safe_mm:
        yield from _safe_zone(summary.quads, boxes, limits)


def _fonts(summary: Summary, limits: Limits) -> _Found:
    for font in summary.fonts:
        if not font.embedded:
            yield "PF09", f"the font {font.name} ({font.kind}) is not embedded", "embed all fonts"
        elif limits.subset_fonts and not font.subset:
            yield (
                "PF10",
                f"the font {font.name} is embedded whole, not as a subset",
                "embed fonts as subsets",
            )


def _colours(paints: Iterable[Paint], limits: Limits) -> _Found:
    uses: dict[str, set[str]] = {}
    for paint in paints:
        colour = paint.colour
        if (
            colour is not INHERITED
            and colour.family not in limits.colours
            and colour.spots != (ALL,)
        ):
            uses.setdefault(colour.space, set()).add(paint.use)
    for space, ways in uses.items():
        message = (
            f"{space} is used ({', '.join(sorted(ways))}); allowed: {', '.join(limits.colours)}"
        )
        yield (
            "PF11",
            message,
            f"convert to {limits.colours[-1] if 'cmyk' not in limits.colours else 'cmyk'}",
        )


def _inks(summary: Summary, limits: Limits) -> _Found:
    if limits.total_ink_percent is None:
        return
    inks = [
        (paint.colour.ink, paint.colour.space)
        for paint in summary.paints
        if paint.colour.ink is not None and paint.colour.spots != (ALL,)
    ]
    ink, space = max(inks, default=(0.0, ""))
    if ink > limits.total_ink_percent + _INK_SLACK:
        message = f"a colour takes {ink:.0f} % of ink ({space}); at most {limits.total_ink_percent:g} % is allowed"
        yield "PF12", message, "use less cyan, magenta and yellow where there is black"
    if any(not image.ink_known for image, _ in summary.images):
        yield (
            "PF22",
            "the ink of a picture is not measured: it is packed as JPEG or similar, or is too large",
            "",
        )


def _spots(paints: Iterable[Paint], limits: Limits) -> _Found:
    used = {spot for paint in paints for spot in paint.colour.spots}
    if ALL in used:
        used.remove(ALL)
        if not limits.marks:
            yield (
                "PF13",
                'the separation "All" prints on every plate; only marks may',
                "leave out the marks",
            )
    for spot in sorted(used):
        if limits.spots is not None and spot not in limits.spots and "spot" in limits.colours:
            allowed = ", ".join(f'"{name}"' for name in limits.spots) or "none"
            yield (
                "PF13",
                f'the spot colour "{spot}" is used; allowed: {allowed}',
                "rename it, or mix it from CMYK",
            )


def _cut_lines(paints: Iterable[Paint], limits: Limits) -> _Found:
    lines = [
        (paint, spot) for paint in paints for spot in paint.colour.spots if spot in limits.cut_lines
    ]
    others = {
        paint.layer for paint in paints if not set(paint.colour.spots) & set(limits.cut_lines)
    }
    for paint, spot in lines:
        head = f'the cut line "{spot}"'
        if paint.use != "stroke":
            yield (
                "PF14",
                f"{head} is painted as a {paint.use}; cut lines are stroked",
                "stroke the outline",
            )
        elif not paint.overprint:
            yield (
                "PF14",
                f"{head} does not overprint, so it leaves a gap in the inks below",
                "set it to overprint",
            )
        if limits.cut_on_layer and not paint.layer:
            yield "PF14", f"{head} is not on a layer", "put it on a layer of its own"
        elif limits.cut_on_layer and paint.layer in others:
            yield "PF14", f'{head} shares the layer "{paint.layer}"', "put it on a layer of its own"


def _images(images: Iterable[tuple[Image, Linear]], unit: float, limits: Limits) -> _Found:
    for image, linear in images:
        dpi = _resolution(image, linear, unit)
        if dpi < limits.image_dpi - _DPI_SLACK:
            message = (
                f"a picture of {image.width} x {image.height} pixels has {dpi:.0f} dpi as placed"
            )
            yield (
                "PF15",
                f"{message}; at least {limits.image_dpi:g} dpi is needed",
                "use a picture with more pixels",
            )


def _resolution(image: Image, linear: Linear, unit: float) -> float:
    """Dots per inch in the worse direction. One row or column of pixels is a colour or a gradient,
    not a picture."""
    a, b, c, d = linear
    sides = ((image.width, math.hypot(a, b)), (image.height, math.hypot(c, d)))
    return min(
        (
            pixels * PT_PER_INCH / (length * unit)
            for pixels, length in sides
            if pixels > 1 and length > 0
        ),
        default=math.inf,
    )


def _sizes(summary: Summary, unit: float, limits: Limits) -> _Found:
    text = _least(math.hypot(x, y) * unit for x, y, _ in summary.texts if x or y)
    if text < limits.text_pt - _TEXT_SLACK_PT:
        yield (
            "PF17",
            f"a text is {text:.3g} pt high; at least {limits.text_pt:g} pt is needed",
            "set it larger",
        )
    stroke = _least(
        width * least_scale(linear) * unit
        for width, linear, _ in summary.strokes
        if width is not None
    )
    if stroke < limits.stroke_pt - _STROKE_SLACK_PT:
        yield (
            "PF18",
            f"a line is {stroke:.3g} pt wide; at least {limits.stroke_pt:g} pt is needed",
            "draw it wider",
        )


def _fine(summary: Summary, unit: float) -> _Found:
    text = _least(math.hypot(x, y) * unit for x, y, mixed in summary.texts if mixed and (x or y))
    if text < FINE_TEXT_PT - _TEXT_SLACK_PT:
        yield "PF27", f"a text of {text:.3g} pt is mixed of more than {MOST_IN_WORDS} inks", _OF_TWO
    widths = (
        width * least_scale(linear) * unit
        for width, linear, mixed in summary.strokes
        if mixed and width
    )
    stroke = _least(widths)
    if stroke < FINE_STROKE_PT - _STROKE_SLACK_PT:
        yield (
            "PF27",
            f"a line of {stroke:.3g} pt is mixed of all {MOST_IN_LINES + 1} inks",
            _OF_THREE,
        )


def _least(values: Iterable[float]) -> float:
    """The least of some values; NaN, from matrices with huge numbers, does not count."""
    return min((value for value in values if value >= 0), default=math.inf)


def _safe_zone(quads: Iterable[Quad], boxes: Boxes, limits: Limits) -> _Found:
    left, bottom, right, top = boxes.cut
    nearest = math.inf
    for quad in quads:
        xs, ys = [x for x, _ in quad], [y for _, y in quad]
        if max(xs) <= left or min(xs) >= right or max(ys) <= bottom or min(ys) >= top:
            continue  # beyond the trim, where text is meant to be cut off
        nearest = min(nearest, min(xs) - left, min(ys) - bottom, right - max(xs), top - max(ys))
    distance = boxes.mm(nearest)
    if distance < limits.safe_mm - _SAFE_SLACK_MM:
        where = (
            f"{distance:.3g} mm from the trim"
            if distance >= 0
            else f"{-distance:.3g} mm beyond the trim"
        )
        yield (
            "PF19",
            f"text ends {where}; the safe zone is {limits.safe_mm:g} mm",
            "move or shorten the text",
        )


_MAX_FILE_BYTES = 512 * 2**20
_MAX_PAGES = 2000
_MAX_WARNINGS = 3


def check_file(path: Path, limits: Limits) -> tuple[Problem, ...]:
    """Every problem of a file by the limits of a profile: a PNG is checked as a picture if the
    profile takes pictures, anything else as a PDF. FI01 for a file that cannot be read at all, PF05
    for one that is too large."""
    name = str(path)
    try:
        data = read_start(path, _MAX_FILE_BYTES + 1)
    except NotRead as error:
        return error.found(name).problems
    if limits.png is not None and data.startswith(SIGNATURE):
        return check_png(data, name, limits.png)
    return inspect_pdf(data, name, limits)


def inspect_pdf(data: bytes, name: str, limits: Limits) -> tuple[Problem, ...]:
    """Every problem of a PDF by the limits of a profile; `name` is what problems call the file.

    Codes PF01 to PF22 (`platelayer explain PF01`). Never raises, whatever the bytes contain: an
    unreadable file is a problem too. Reads no more than 32 MB of content, 2000 pages and some
    millions of steps; more is PF05.
    """
    findings, budget = Findings(name), Budget()
    try:
        pdf = _open(data, findings, budget)
        if pdf is not None:
            with pdf:
                _inspect(pdf, limits, findings, budget)
    except TooMuch as error:
        findings.add(
            "PF05",
            f"the check ended early: {error}",
            hint="split the file, or simplify its drawings",
        )
    return findings.problems()


def _open(data: bytes, findings: Findings, budget: Budget) -> pikepdf.Pdf | None:
    if b"%PDF-" not in data[:1024]:
        words = (
            "the file is empty" if not data else "this is not a PDF: it does not begin with %PDF-"
        )
        findings.add("PF01", words, hint="name a PDF file")
        return None
    if len(data) > _MAX_FILE_BYTES:
        raise TooMuch(f"it has more than {_MAX_FILE_BYTES // 2**20} MB")
    try:
        check_packed(data, budget)
        return pikepdf.open(io.BytesIO(data), suppress_warnings=True, inherit_page_attributes=False)
    except Unmeasured:
        if b"/Encrypt" in data:
            message = (
                "the file is encrypted and its objects are packed, so nothing in it can be checked"
            )
            findings.add(
                "PF02", message, hint="save it without a password and without restrictions"
            )
        else:
            findings.add(
                "PF03", "its object streams are damaged, so nothing in it can be checked", hint=ANEW
            )
    except pikepdf.PasswordError:
        findings.add(
            "PF02",
            "the file is encrypted and opens only with a password",
            hint="save it without one",
        )
    except BROKEN as error:
        findings.add("PF01", f"the file is damaged beyond reading: {plain_words(error)}", hint=ANEW)
    return None


def _inspect(pdf: pikepdf.Pdf, limits: Limits, findings: Findings, budget: Budget) -> None:
    library = Library(budget, wants_quads=limits.page_is_piece and limits.safe_mm > 0)
    try:
        check_document(pdf, limits, findings, budget)
        _inspect_pages(pdf, library, limits, findings)
    except BROKEN as error:
        findings.add("PF03", f"its structure is damaged: {plain_words(error)}", hint=ANEW)
    finally:
        warnings = pdf.get_warnings()
        for warning in warnings[:_MAX_WARNINGS]:
            findings.add("PF03", f"it is damaged: {plain_words(warning)}", hint=ANEW)
        if len(warnings) > _MAX_WARNINGS:
            findings.add(
                "PF03", f"it is damaged in {len(warnings) - _MAX_WARNINGS} more places", hint=ANEW
            )


def _inspect_pages(pdf: pikepdf.Pdf, library: Library, limits: Limits, findings: Findings) -> None:
    pages, count = list[Page](), 0
    for count, page in enumerate(pages_of(pdf.Root, findings, library.budget), start=1):
        if count <= _MAX_PAGES:
            pages.append(page)
    if not pages:
        findings.add("PF01", "the file has no pages", hint=ANEW)
    if count > _MAX_PAGES:
        findings.add("PF05", f"it has {count} pages; only the first {_MAX_PAGES} are checked")
    if limits.pages_in_pairs and count % 2:
        findings.add(
            "PF08",
            f"it has {count} pages; fronts and backs come in pairs",
            hint="add the missing side",
        )
    sized: list[tuple[int, Boxes]] = []
    for number, page in enumerate(pages, start=1):
        try:
            boxes = _inspect_page(page, number, library, limits, findings)
        except BROKEN as error:
            findings.add(
                "PF04", f"the page cannot be read: {plain_words(error)}", page=number, hint=ANEW
            )
            continue
        if boxes is not None:
            sized.append((number, boxes))
    check_sizes(sized, limits, findings)


def _inspect_page(
    page: Page, number: int, library: Library, limits: Limits, findings: Findings
) -> Boxes | None:
    boxes = read_boxes(page, number, findings)
    if boxes is None:
        return None
    check_boxes(boxes, number, limits, findings)
    summary = _walk(page, library)
    for form in check_annotations(page.own, number, limits, findings, library.budget):
        summary.place(
            library.form(form, None), Placed(matrix_of(entry(form, "/Matrix"))), library.budget
        )
    check_page(summary, boxes, number, limits, findings)
    return boxes


def _walk(page: Page, library: Library) -> Summary:
    """What a page paints: its streams, read as one."""
    walker = Walker(page.own, page.entry("/Resources"), library, of_form=False)
    contents = entry(page.own, "/Contents")
    parts = [] if contents is None else [contents]
    streams = []
    for part in (
        items_of(contents, library.budget) if isinstance(contents, pikepdf.Array) else parts
    ):
        if not isinstance(part, pikepdf.Stream):
            walker.fault("a part of its contents is not a stream")
            continue
        try:
            streams.append(read_stream(part, library.budget))
        except Unreadable as error:
            walker.fault(str(error))
    return walker.walk(b"\n".join(streams))
