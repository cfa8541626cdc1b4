"""Every problem that a print shop would have with a finished file, by the limits of a profile."""

from __future__ import annotations

import io
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import pikepdf
from msgspec import Struct

from platelayer.foundation.door import NotRead, read_start
from platelayer.foundation.geometry import PT_PER_INCH, mm_from_pt
from platelayer.foundation.problems import Problem
from platelayer.model.options import Limits
from platelayer.preflight.content import (
    MOST_IN_LINES,
    MOST_IN_WORDS,
    Box,
    Fault,
    Hidden,
    Paint,
    Painted,
    Picture,
    Reader,
    Size,
    State,
    Transparency,
    Walker,
)
from platelayer.preflight.document import (
    BROKEN,
    TooMuch,
    Unreadable,
    check_annotations,
    check_document,
    entry,
    items_of,
    matrix_of,
    name_of,
    number_of,
    numbers_of,
    plain_words,
    read_stream,
    spend,
    unseen,
    within_budget,
)
from platelayer.preflight.findings import ANEW, SIGNATURE, Findings, check_png
from platelayer.preflight.resources import ALL, Font, read_font

# The pages of a PDF in order, with inherited entries and boxes, and the faults of these.


# Entries that a page inherits from its parent nodes (ISO 32000-1, table 30), as far as checks need
# them.
_INHERITABLE = ("/Resources", "/MediaBox", "/CropBox")
_MAX_DEPTH = 100
# Cost in steps of inspecting one child of a node.
_STEPS = 5


class Page(NamedTuple):
    """A page as written, and the entries inherited from the nodes above it."""

    own: Any
    above: Mapping[str, Any]

    def entry(self, key: str) -> Any:
        """Return the value of a key of the page, its own or inherited."""
        value = entry(self.own, key)
        return self.above.get(key) if value is None else value


def pages_of(root: Any, findings: Findings) -> Iterator[Page]:
    """Yield all pages under the catalogue of a file, with PF03 for anything that is not a tree. The
    library's list would repair faults that a shop has to know. Raises TooMuch."""
    seen: set[Any] = set()

    def below(kids: Iterable[Any], node: Page, depth: int) -> Iterator[Page]:
        above = {key: value for key in _INHERITABLE if (value := node.entry(key)) is not None}
        for kid in kids:
            spend(_STEPS)
            if not isinstance(kid, pikepdf.Dictionary):
                findings.add("PF03", "an entry of its page tree is not a page", ANEW)
            elif name_of(entry(kid, "/Type")) != "Pages" and entry(kid, "/Kids") is None:
                yield Page(kid, above)
            elif not any(unseen([kid], seen)):
                findings.add("PF03", "a node appears more than once in its page tree", ANEW)
            elif depth >= _MAX_DEPTH:
                message = f"its page tree is more than {_MAX_DEPTH} nodes deep"
                findings.add("PF03", message, ANEW)
            else:
                yield from below(items_of(entry(kid, "/Kids")), Page(kid, above), depth + 1)

    return below([entry(root, "/Pages")], Page(None, {}), 0)


_KEYS = {"media": "/MediaBox", "crop": "/CropBox", "bleed": "/BleedBox", "trim": "/TrimBox"}
# Minimum and maximum side of a page (ISO 32000-1, annex C).
_LEAST_PT, _MOST_PT = 3.0, 14400.0
_SLACK_MM = 0.05
_SIZE_SLACK_MM = 0.3


class Boxes(Struct, frozen=True, kw_only=True):
    """The boxes of a page, in units of its default space; `unit` is the length of such a unit in
    points. A box that the page does not have is None; every page has a medium."""

    media: Box
    crop: Box | None
    bleed: Box | None
    trim: Box | None
    unit: float

    @property
    def cut(self) -> Box:
        """The box that remains after cutting: the trim, or its substitute (ISO 32000-1,
        14.11.2)."""
        return self.trim or self.crop or self.media

    def mm(self, length: float) -> float:
        """Return a length of the page's default space in mm."""
        return mm_from_pt(length * self.unit)

    @property
    def size_mm(self) -> tuple[float, float]:
        """Width and height after cutting."""
        left, bottom, right, top = self.cut
        return self.mm(right - left), self.mm(top - bottom)


def read_boxes(page: Page, findings: Findings) -> Boxes | None:
    """Return the boxes of a page, with PF06 for invalid ones; None without a usable MediaBox."""
    boxes: dict[str, Box | None] = {}
    for name, key in _KEYS.items():
        value = page.entry(key)
        corners = numbers_of(value, 4)
        boxes[name] = None
        if corners is not None:
            a, b, c, d = corners
            boxes[name] = min(a, c), min(b, d), max(a, c), max(b, d)
        elif value is not None:
            findings.add("PF06", f"the {key[1:]} is not four numbers")
    unit = number_of(page.entry("/UserUnit"), 1.0)
    media = boxes["media"]
    if media is None:
        findings.add("PF06", "there is no readable MediaBox")
        return None
    sides = [(media[2] - media[0]) * unit, (media[3] - media[1]) * unit]
    if not all(_LEAST_PT <= side <= _MOST_PT for side in sides):
        words = " x ".join(f"{mm_from_pt(side):.4g}" for side in sides)
        message = f"the page is {words} mm; pages have sides of 1 to {mm_from_pt(_MOST_PT):.0f} mm"
        findings.add("PF06", message)
        return None
    return Boxes(
        media=media, crop=boxes["crop"], bleed=boxes["bleed"], trim=boxes["trim"], unit=unit
    )


def check_boxes(boxes: Boxes, limits: Limits, findings: Findings) -> None:
    """Report PF06 to PF08 for one page."""
    for name in limits.boxes:
        if getattr(boxes, name) is None:
            message = f"the page has no {_KEYS[name][1:]}"
            findings.add("PF06", message, "export with trim and bleed")
    pairs = (("trim", "bleed"), ("trim", "media"), ("bleed", "media"), ("crop", "media"))
    for names in pairs:
        inner, outer = (getattr(boxes, name) for name in names)
        if inner is None or outer is None:
            continue
        if min(_margins(inner, outer)) < -_SLACK_MM / boxes.mm(1.0):
            one, other = (_KEYS[name][1:] for name in names)
            findings.add("PF06", f"the {one} reaches beyond the {other}")
    if limits.bleed_mm:
        bleed = boxes.mm(min(_margins(boxes.cut, boxes.bleed or boxes.media)))
        if bleed < limits.bleed_mm - _SLACK_MM:
            message = f"the bleed is {max(bleed, 0):.3g} mm wide"
            message += f"; at least {limits.bleed_mm:g} mm are needed on every side"
            findings.add("PF07", message, "extend the background beyond the trim")
    beyond_bleed = boxes.mm(max(_margins(boxes.bleed or boxes.cut, boxes.media)))
    if not limits.marks and boxes.trim and beyond_bleed > _SIZE_SLACK_MM:
        message = "there is room for marks beyond the bleed; the page must end with its bleed"
        findings.add("PF08", message, "export without marks")
    sizes = limits.page_sizes_mm
    if sizes and not any(_are_equal(sorted(boxes.size_mm), sorted(size)) for size in sizes):
        allowed = ", ".join(f"{width:g} x {height:g}" for width, height in sizes)
        message = f"the page is {_in_words(boxes.size_mm)} after cutting; allowed: {allowed}"
        findings.add("PF08", message)


def check_sizes(all_boxes: list[tuple[int, Boxes]], limits: Limits, findings: Findings) -> None:
    """Report PF08 for pages whose size differs from the first."""
    for findings.page, boxes in all_boxes[1:] if limits.same_page_size else []:
        first, own = all_boxes[0][1].size_mm, boxes.size_mm
        if not _are_equal(first, own):
            message = f"the page is {_in_words(own)} after cutting"
            message += f"; the first page is {_in_words(first)}"
            findings.add("PF08", message)


def _are_equal(one: Sequence[float], other: Sequence[float]) -> bool:
    return all(abs(a - b) <= _SIZE_SLACK_MM for a, b in zip(one, other, strict=True))


def _in_words(size: tuple[float, float]) -> str:
    return f"{size[0]:.4g} x {size[1]:.4g} mm"


def _margins(inner: Box, outer: Box) -> tuple[float, float, float, float]:
    """Return the distances from the sides of an inner box to those of the one around it."""
    return inner[0] - outer[0], inner[1] - outer[1], outer[2] - inner[2], outer[3] - inner[3]


# Comparison of the painted content of a page with the limits: fonts, colours, inks, pictures,
# sizes, the safe zone.


_INK_SLACK, _TEXT_SLACK_PT, _STROKE_SLACK_PT, _DPI_SLACK = 0.5, 0.02, 0.005, 1.0
_SAFE_SLACK_MM = 0.1
FINE_TEXT_PT, FINE_STROKE_PT = 8.0, 0.5


def check_page(painted: Painted, boxes: Boxes, limits: Limits, findings: Findings) -> None:
    """Report PF04, PF09 to PF19, PF22, PF27 and PF28 for what one page paints."""
    add = findings.add
    for fault in painted.of(Fault):
        add("PF04", fault.words, ANEW)
    for font in painted.of(Font):
        check_font(font, limits, findings)
    for code, message, hint in (
        *_colours(painted, limits),
        *_cut_lines(painted.of(Paint), limits),
        *_sizes(painted, boxes.unit, limits),
    ):
        add(code, message, hint)
    extras = sorted(each.words for each in painted.of(Transparency))
    if extras and "transparency" not in limits.allows:
        message = f"it has {', '.join(extras)}; everything must be opaque"
        add("PF16", message, "flatten the transparency")
    for hidden in painted.of(Hidden):
        message = f"a white {hidden.use} overprints, so that nothing is seen of it"
        add("PF28", message, "let white knock out what is below")
    if limits.page_is_piece and limits.safe_mm:
        # Minimum distance of text from the trim, negative beyond it. Text wholly beyond the trim is
        # meant to be cut off.
        partly_inside = (
            text
            for text in painted.boxes
            if text[2] > boxes.cut[0]
            and text[0] < boxes.cut[2]
            and text[3] > boxes.cut[1]
            and text[1] < boxes.cut[3]
        )
        distance = boxes.mm(
            min((min(_margins(text, boxes.cut)) for text in partly_inside), default=math.inf)
        )
        if distance < limits.safe_mm - _SAFE_SLACK_MM:
            side = "from" if distance >= 0 else "beyond"
            message = f"text ends {abs(distance):.3g} mm {side} the trim"
            message += f"; the safe zone is {limits.safe_mm:g} mm"
            add("PF19", message, "move or shorten the text")


def check_font(font: Font, limits: Limits, findings: Findings) -> None:
    """Report PF09 and PF10 for a font on a page, or anywhere in the file."""
    if not font.embedded:
        message = f"the font {font.name} ({font.kind}) is not embedded"
        findings.add("PF09", message, "embed all fonts")
    elif limits.subset_fonts and not font.subset:
        message = f"the font {font.name} is embedded whole, not as a subset"
        findings.add("PF10", message, "embed fonts as subsets")


# Codes, messages and hints.
_Found = Iterator[tuple[str, str, str]]


def _colours(painted: Painted, limits: Limits) -> _Found:
    """Yield problems of colour spaces, inks and spot colours."""
    allowed = limits.colours
    uses: dict[str, set[str]] = {}
    # Registration marks, which are on every plate, may have any ink.
    paints = [paint for paint in painted.of(Paint) if paint.colour.spots != (ALL,)]
    for paint in paints:
        if paint.colour.family not in allowed:
            uses.setdefault(paint.colour.space, set()).add(paint.use)
    for space, ways in uses.items():
        message = f"{space} is used ({', '.join(sorted(ways))}); allowed: {', '.join(allowed)}"
        yield "PF11", message, f"convert to {'cmyk' if 'cmyk' in allowed else allowed[-1]}"
    if limits.total_ink_percent is not None:
        inks = [
            (paint.colour.ink, paint.colour.space)
            for paint in paints
            if paint.colour.ink is not None
        ]
        ink, space = max(inks, default=(0.0, ""))
        if ink > limits.total_ink_percent + _INK_SLACK:
            message = f"a colour takes {ink:.0f} % of ink ({space})"
            message += f"; at most {limits.total_ink_percent:g} % is allowed"
            yield "PF12", message, "use less cyan, magenta and yellow where there is black"
        if any(not picture.image.ink_known for picture in painted.of(Picture)):
            message = "the ink of a picture is not measured"
            yield "PF22", f"{message}: it is packed as JPEG or similar, or is too large", ""
    spots = {spot for paint in painted.of(Paint) for spot in paint.colour.spots}
    if ALL in spots and not limits.marks:
        message = 'the separation "All" prints on every plate; only marks may'
        yield "PF13", message, "leave out the marks"
    if limits.spots is not None and "spot" in allowed:
        names = ", ".join(f'"{name}"' for name in limits.spots) or "none"
        for spot in sorted(spots - {ALL, *limits.spots}):
            message = f'the spot colour "{spot}" is used; allowed: {names}'
            yield "PF13", message, "rename it, or mix it from CMYK"


def _cut_lines(paints: Iterable[Paint], limits: Limits) -> _Found:
    """Yield cut lines that are not lines, leave gaps, or share a layer."""
    names = set(limits.cut_lines)
    others = {paint.layer for paint in paints if not names.intersection(paint.colour.spots)}
    for paint in paints:
        for spot in paint.colour.spots:
            if spot not in names:
                continue
            head = f'the cut line "{spot}"'
            if paint.use != "stroke":
                message = f"{head} is painted as a {paint.use}; cut lines are stroked"
                yield "PF14", message, "stroke the outline"
            elif not paint.overprint:
                message = f"{head} does not overprint, so it leaves a gap in the inks below"
                yield "PF14", message, "set it to overprint"
            if limits.cut_on_layer and not paint.layer:
                yield "PF14", f"{head} is not on a layer", "put it on a layer of its own"
            elif limits.cut_on_layer and paint.layer in others:
                message = f'{head} shares the layer "{paint.layer}"'
                yield "PF14", message, "put it on a layer of its own"


def _sizes(painted: Painted, unit: float, limits: Limits) -> _Found:
    """Yield problems of the resolution of pictures, the heights of texts and the widths of lines,
    the last two also where they are mixed from inks that can hardly register."""
    for picture in painted.of(Picture):
        image = picture.image
        # A single row or column of pixels is a colour or a gradient, not a picture.
        dpis = [
            pixels * PT_PER_INCH / (length * unit)
            for pixels, length in ((image.width, picture.across), (image.height, picture.down))
            if pixels > 1 and length > 0
        ]
        dpi = min(dpis, default=math.inf)
        if dpi < limits.image_dpi - _DPI_SLACK:
            message = f"a picture of {image.width} x {image.height} pixels has {dpi:.0f} dpi"
            message += f" as placed; at least {limits.image_dpi:g} dpi is needed"
            yield "PF15", message, "use a picture with more pixels"
    sizes = painted.of(Size)
    text, line = _least(sizes, "text") * unit, _least(sizes, "line") * unit
    if text < limits.text_pt - _TEXT_SLACK_PT:
        message = f"a text is {text:.3g} pt high; at least {limits.text_pt:g} pt is needed"
        yield "PF17", message, "set it larger"
    if line < limits.stroke_pt - _STROKE_SLACK_PT:
        message = f"a line is {line:.3g} pt wide; at least {limits.stroke_pt:g} pt is needed"
        yield "PF18", message, "draw it wider"
    if not limits.fine_inks:
        return
    # A line of width 0 is the thinnest line of a device: one dot.
    mixed = [size for size in sizes if size.mixed and size.points]
    text, line = _least(mixed, "text") * unit, _least(mixed, "line") * unit
    if text < FINE_TEXT_PT - _TEXT_SLACK_PT:
        message = f"a text of {text:.3g} pt is mixed of more than {MOST_IN_WORDS} inks"
        yield "PF27", message, "use black alone, or two inks"
    if line < FINE_STROKE_PT - _STROKE_SLACK_PT:
        message = f"a line of {line:.3g} pt is mixed of all {MOST_IN_LINES + 1} inks"
        yield "PF27", message, "use black alone, or up to three inks"


def _least(sizes: Iterable[Size], of: str) -> float:
    """Return the minimum of all texts or lines in points; NaN, from matrices with huge numbers,
    does not count."""
    points = (size.points for size in sizes if size.of == of and size.points >= 0)
    return min(points, default=math.inf)


_MAX_FILE_BYTES = 512 * 2**20
_MAX_PAGES = 2000
_MAX_WARNINGS = 3
_OF_STREAMS = "error decoding stream data"


def check_file(path: Path, limits: Limits) -> tuple[Problem, ...]:
    """Return every problem of a file by the limits of a profile: a PNG is checked as a picture if
    the profile accepts pictures, anything else as a PDF. FI01 for a file that cannot be read at
    all, PF05 for one that is too large."""
    name = str(path)
    try:
        data = read_start(path, _MAX_FILE_BYTES + 1)
    except NotRead as error:
        return error.found(name).problems
    if limits.png is not None and data.startswith(SIGNATURE):
        return check_png(data, name, limits.png)
    return inspect_pdf(data, name, limits)


def inspect_pdf(
    data: bytes, name: str, limits: Limits, *, ours: bool = False, painted: bool = True
) -> tuple[Problem, ...]:
    """Return every problem of a PDF by the limits of a profile; `name` is the file's name in
    problems. `ours`: we printed it, so that its content needs no limit. Without `painted`, only
    boxes, fonts and annotations are checked, because its drawings were judged as scenes.

    Codes PF01 to PF22 (`platelayer explain PF01`). Never raises, whatever the bytes contain: an
    unreadable file is a problem too. Reads at most 32 MB of content, 2000 pages and some millions
    of steps; more is PF05.
    """
    wants_boxes = limits.page_is_piece and limits.safe_mm > 0
    reader = Reader(ours=ours, wants_boxes=wants_boxes) if painted else None
    with within_budget():
        return _inspected(data, name, limits, reader)


def _inspected(
    data: bytes, name: str, limits: Limits, reader: Reader | None
) -> tuple[Problem, ...]:
    findings = Findings(name)
    try:
        pdf = _open(data, findings)
        if pdf is not None:
            with pdf:
                try:
                    # Reading the contents of an object stream takes a hundred times its size.
                    places = pdf.get_xref_table().values()
                    streams = {each.obj_stream_number or 0 for each in places if each.type == 2}
                    for number in sorted(streams):
                        with suppress(Unreadable):
                            read_stream(pdf.get_object(number, 0))
                    check_document(pdf, limits, findings)
                    _inspect_pages(pdf, reader, limits, findings)
                except BROKEN as error:
                    findings.add("PF03", f"its structure is damaged: {plain_words(error)}", ANEW)
                finally:
                    findings.page = 0
                    # A stream that cannot be decoded is reported as a problem of its page.
                    warnings = [
                        str(each) for each in pdf.get_warnings() if _OF_STREAMS not in str(each)
                    ]
                    for warning in warnings[:_MAX_WARNINGS]:
                        findings.add("PF03", f"it is damaged: {plain_words(warning)}", ANEW)
                    more = len(warnings) - _MAX_WARNINGS
                    if more > 0:
                        findings.add("PF03", f"it is damaged in {more} more places", ANEW)
    except (TooMuch, MemoryError) as error:
        message = f"the check ended early: {str(error) or 'it needs too much memory'}"
        findings.add("PF05", message, "split the file, or simplify its drawings")
    return findings.problems()


def _open(data: bytes, findings: Findings) -> pikepdf.Pdf | None:
    if b"%PDF-" not in data[:1024]:
        message = "this is not a PDF: it does not begin with %PDF-"
        findings.add("PF01", message if data else "the file is empty", "name a PDF file")
        return None
    if len(data) > _MAX_FILE_BYTES:
        raise TooMuch(f"it has more than {_MAX_FILE_BYTES // 2**20} MB")
    try:
        return pikepdf.open(io.BytesIO(data), suppress_warnings=True, inherit_page_attributes=False)
    except pikepdf.PasswordError:
        message = "the file is encrypted and opens only with a password"
        findings.add("PF02", message, "save it without one")
    except BROKEN as error:
        findings.add("PF01", f"the file is damaged beyond reading: {plain_words(error)}", ANEW)
    return None


def _inspect_pages(
    pdf: pikepdf.Pdf, reader: Reader | None, limits: Limits, findings: Findings
) -> None:
    pages, count = list[Page](), 0
    for count, page in enumerate(pages_of(pdf.Root, findings), start=1):
        if count <= _MAX_PAGES:
            pages.append(page)
    if not pages:
        findings.add("PF01", "the file has no pages", ANEW)
    if count > _MAX_PAGES:
        findings.add("PF05", f"it has {count} pages; only the first {_MAX_PAGES} are checked")
    if limits.pages_in_pairs and count % 2:
        message = f"it has {count} pages; fronts and backs come in pairs"
        findings.add("PF08", message, "add the missing side")
    sized = []
    for findings.page, page in enumerate(pages, start=1):
        try:
            boxes = read_boxes(page, findings)
            if boxes is None:
                continue
            check_boxes(boxes, limits, findings)
            appearances = check_annotations(page.own, limits, findings)
            if reader is not None:
                # Everything that a page paints, including the appearances of its annotations.
                walker = Walker(reader, page.entry("/Resources"), State())
                contents = entry(page.own, "/Contents")
                parts = (
                    contents if isinstance(contents, pikepdf.Array) else pikepdf.Array([contents])
                )
                readable = []
                for part in items_of(parts) if contents is not None else ():
                    if not isinstance(part, pikepdf.Stream):
                        walker.fault("a part of its contents is not a stream")
                        continue
                    try:
                        read_stream(part)
                        readable.append(part)
                    except Unreadable as error:
                        walker.fault(str(error))
                # Read all parts as one, as an operation may begin in one part and end in another.
                walker.read(page.own, pikepdf.Array(readable))
                for form in appearances:
                    start = State().of_form(matrix_of(entry(form, "/Matrix")))
                    walker.take(reader.form(form, None, start), 0.0, 0.0)
                check_page(walker.painted, boxes, limits, findings)
            sized.append((findings.page, boxes))
        except BROKEN as error:
            message = f"the page cannot be read: {plain_words(error)}"
            findings.add("PF04", message, ANEW)
    check_sizes(sized, limits, findings)
    findings.page = 0
    if reader is None:
        listed = (value for value in pdf.objects if name_of(entry(value, "/Type")) == "Font")
        fonts = (read_font(value, False) for value in listed)
        for font in filter(None, fonts):
            check_font(font, limits, findings)
