"""What a page paints, compared with the limits: fonts, colours, inks, pictures, sizes, the safe
zone."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

from platelayer.foundation.matrices import Linear, least_scale
from platelayer.foundation.units import PT_PER_INCH
from platelayer.model.profile import Limits
from platelayer.preflight.colours import ALL
from platelayer.preflight.findings import Findings
from platelayer.preflight.images import Image
from platelayer.preflight.pages import Boxes
from platelayer.preflight.summary import (
    INHERITED,
    MOST_IN_LINES,
    MOST_IN_WORDS,
    Paint,
    Quad,
    Summary,
)

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
