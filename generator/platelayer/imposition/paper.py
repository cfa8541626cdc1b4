"""Papers: their sizes, and the room they leave for pieces and for the foot."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from functools import cache

from msgspec import Struct
from msgspec.structs import replace

from platelayer.foundation.geometry import MM_PER_INCH
from platelayer.foundation.problems import Problem, ProblemsFound
from platelayer.foundation.resources import asset_json
from platelayer.foundation.suggestions import suggestion
from platelayer.imposition.foot import MIN_WIDTH_MM, foot_height_mm
from platelayer.imposition.page import Box
from platelayer.model.kinds import KINDS, kinds_named, piece_size
from platelayer.model.manifest import Manifest
from platelayer.model.title import Size, Title

# Limits for the sides of a paper. Viewers refuse pages of more than 14,400 points (PDF 1.6, annex
# C).
MIN_PAPER_MM, MAX_PAPER_MM = 10.0, 5080.0

# Room reserved inside the margins for registration marks: at both ends of the foot, and above the
# room of a press.
REGISTER_RIM_MM = 6.0
# The foot of a sheet for a Silhouette cutter begins here, beyond the arm of the angle in the lower
# left.
CUTTER_FOOT_MM = 33.0
# Room reserved beside a fold, so that no trim is on it.
FOLD_CLEAR_MM = 1.0

_CUSTOM = re.compile(
    r"([0-9]{1,9}(?:\.[0-9]{1,6})?) ?[x×] ?([0-9]{1,9}(?:\.[0-9]{1,6})?) ?mm", re.IGNORECASE
)


class Paper(Struct, frozen=True, kw_only=True):
    """A paper by its printed name; sheets use it in portrait or landscape, whichever suits."""

    name: str
    width_mm: float
    height_mm: float

    @property
    def turned(self) -> Paper:
        """The same paper in the other orientation."""
        return replace(self, width_mm=self.height_mm, height_mm=self.width_mm)


class Frame(Struct, frozen=True, kw_only=True):
    """One orientation of a paper: its size in mm, the box that pieces and their marks may take, and
    the box of the foot (ruler, title, sheet number). Both boxes are inside the margins. A sheet to
    be folded has room for fronts left of its middle, `fold_mm`."""

    width_mm: float
    height_mm: float
    room: Box
    foot: Box
    fold_mm: float | None = None


@cache
def standard_papers() -> dict[str, Paper]:
    """Papers by the name you type, as assets/sheets/papers.json lists them."""
    value = asset_json("sheets", "papers.json")
    return {
        key: Paper(
            name=entry["name"],
            width_mm=float(entry["size_mm"][0]),
            height_mm=float(entry["size_mm"][1]),
        )
        for key, entry in value["papers"].items()
    }


def find_paper(words: str) -> Paper:
    """A paper by name ("a4", any case) or by size ("210x297mm"). Raises ProblemsFound with SH02."""
    wanted = words.strip()
    known = standard_papers()
    paper = known.get(wanted.lower())
    if paper is not None:
        return paper
    custom = _CUSTOM.fullmatch(wanted)
    if custom is None:
        message = f'there is no paper "{words}"'
        papers = f"papers are {', '.join(known)}, or a size such as 210x297mm"
        hint = " ".join(filter(None, (suggestion(wanted, known, most=3), papers)))
        raise ProblemsFound([Problem(code="SH02", message=message, hint=hint)])
    width, height = float(custom[1]), float(custom[2])
    if min(width, height) < MIN_PAPER_MM or max(width, height) > MAX_PAPER_MM:
        message = f'the paper "{words}" is not possible: its sides must be from {MIN_PAPER_MM:g} to {MAX_PAPER_MM:g} mm'
        raise ProblemsFound([Problem(code="SH02", message=message)])
    return Paper(name=f"{width:g} x {height:g} mm", width_mm=width, height_mm=height)


def check_margin(paper: Paper, margin_mm: float) -> None:
    """Raises ProblemsFound with SH03 for a margin that is not a length or takes more than half of
    the paper's width."""
    most = min(paper.width_mm, paper.height_mm) / 4
    if not (math.isfinite(margin_mm) and 0 <= margin_mm <= most):
        message = (
            f"a margin of {margin_mm:g} mm is not possible on {paper.name}: use 0 to {most:g} mm"
        )
        hint = "most printers need 5 to 6 mm"
        raise ProblemsFound([Problem(code="SH03", message=message, hint=hint)])


def frames(
    paper: Paper, margin_mm: float, duplex: str = "none", *, register: str = "none"
) -> tuple[Frame, ...]:
    """The orientations of a paper, as given first; none if not even the foot fits. Sheets printed
    on both sides (`duplex` long or short) or with the marks of a press (`register`) have them at
    both ends of their foot, those of a press a rim above the room, too; where a cutter looks for an
    angle, there is no foot; folded sheets leave half of the paper to their backs."""
    press = register == "press"
    ends = REGISTER_RIM_MM if press or duplex in ("long", "short") else 0.0
    if register == "silhouette":
        ends = max(ends, CUTTER_FOOT_MM - margin_mm)
    rim = REGISTER_RIM_MM if press else 0.0
    found = []
    ways = (paper,) if paper.width_mm == paper.height_mm else (paper, paper.turned)
    for way in ways:
        width, height = way.width_mm - 2 * margin_mm, way.height_mm - 2 * margin_mm
        foot = foot_height_mm(width - 2 * ends)
        if foot is None or height <= foot + rim:
            continue
        fold = way.width_mm / 2 if duplex == "fold" else None
        room_width = width if fold is None else fold - FOLD_CLEAR_MM - margin_mm
        frame = Frame(
            width_mm=way.width_mm,
            height_mm=way.height_mm,
            room=(margin_mm, margin_mm + rim, room_width, height - foot - rim),
            foot=(margin_mm + ends, margin_mm + height - foot, width - 2 * ends, foot),
            fold_mm=fold,
        )
        found.append(frame)
    return tuple(found)


def frame_round(width_mm: float, height_mm: float, margin_mm: float) -> Frame:
    """A frame made to measure for a poster: room of the requested size (at least as wide as a
    foot), foot, margins."""
    width_mm = max(width_mm, MIN_WIDTH_MM)
    foot = foot_height_mm(width_mm) or 0.0
    return Frame(
        width_mm=width_mm + 2 * margin_mm,
        height_mm=height_mm + foot + 2 * margin_mm,
        room=(margin_mm, margin_mm, width_mm, height_mm),
        foot=(margin_mm, margin_mm + height_mm, width_mm, foot),
    )


# Sizes of pieces that a user gives in words.


LEAST_MM, MOST_MM = 5.0, 600.0
_MEASURES = re.compile(
    r"(\d{1,4}(?:\.\d{1,4})?)(?: ?[x×] ?(\d{1,4}(?:\.\d{1,4})?))? ?(mm|in)?", re.IGNORECASE
)


@cache
def standard_sizes() -> dict[str, tuple[float, float]]:
    """Widths and heights in mm, in portrait, by the name you type (assets/sheets/sizes.json)."""
    value = asset_json("sheets", "sizes.json")
    return {
        key: (float(entry["size_mm"][0]), float(entry["size_mm"][1]))
        for key, entry in value["sizes"].items()
    }


def with_sizes(title: Title, manifest: Manifest, requested: Sequence[tuple[str, str]]) -> Title:
    """The title with pieces of other sizes: pairs of a kind or sort of piece (or `kind:id`) and a
    size in words.

    A size for a kind is for all pieces of the kind, whatever sizes the title gives to some of them.
    A named size takes the orientation of the title's piece; dimensions are width and height. Raises
    ProblemsFound with SH07 for every pair with an unknown piece or size.
    """
    problems: list[Problem] = []
    sizes: list[Size] = []
    for word, words in requested:
        for key in kinds_named(word) or (word,):
            size = _size(title, manifest, key, words)
            if isinstance(size, Problem):
                problems.append(size)
            else:
                sizes.append(size)
    if problems:
        raise ProblemsFound(problems)
    if not sizes:
        return title
    kinds = {size.kind for size in sizes}
    others = (size for size in title.pieces.sizes if re.split("[:/]", size.kind)[0] not in kinds)
    return replace(title, pieces=replace(title.pieces, sizes=(*others, *sizes)))


def _size(title: Title, manifest: Manifest, key: str, words: str) -> Size | Problem:
    kind, _, piece_id = key.partition(":")
    sized = {size.kind.partition(":")[0] for size in title.pieces.sizes}
    sized |= {kind.id for kind in KINDS.values() if kind.size_mm}
    if kind not in sized:
        message = f'pieces of the kind "{kind}" have no size that can be set'
        hint = suggestion(kind, sized) or f"sizes can be set for {', '.join(sorted(sized))}"
        return Problem(code="SH07", message=message, hint=hint)
    if piece_id and key not in manifest.by_key:
        message = f"{manifest.title} has no piece {key}"
        return Problem(code="SH07", message=message, hint="see platelayer manifest")
    now, known = piece_size(title, kind, piece_id), standard_sizes()
    named = known.get(words.strip().lower())
    if named is not None:
        short, long = sorted(named)
        width, height = (long, short) if now.width_mm > now.height_mm else (short, long)
        return Size(kind=key, width_mm=width, height_mm=height)
    measures = _MEASURES.fullmatch(words.strip())
    if measures is None:
        message = f'there is no size "{words}" for {key}'
        hint = suggestion(words, known, most=2) or f"sizes are {', '.join(known)}, or 63x88mm"
        return Problem(code="SH07", message=message, hint=hint)
    unit = MM_PER_INCH if (measures[3] or "mm").lower() == "in" else 1.0
    width = float(measures[1]) * unit
    height = float(measures[2]) * unit if measures[2] else width
    if not measures[2] and now.width_mm != now.height_mm:
        message = f'"{words}" is one length; {key} needs a width and a height'
        return Problem(code="SH07", message=message, hint="write 63x88mm")
    if min(width, height) < LEAST_MM or max(width, height) > MOST_MM:
        message = f"{key} cannot be {width:.4g} x {height:.4g} mm: sides are from {LEAST_MM:g} to {MOST_MM:g} mm"
        return Problem(code="SH07", message=message)
    return Size(kind=key, width_mm=width, height_mm=height)
