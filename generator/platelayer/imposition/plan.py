"""Sheet plans: which kinds of piece go into which file, how they are arranged there, and how the
sheets are finished."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from msgspec import convert
from msgspec.structs import replace

from platelayer.definitions.assemble import merge_patch
from platelayer.definitions.source import read_checked
from platelayer.foundation.languages import FixedWords
from platelayer.foundation.problems import Problem, ProblemsFound
from platelayer.foundation.resources import asset_json
from platelayer.foundation.text import ANY_LANGUAGE, Text, suggestion
from platelayer.foundation.values import Frozen
from platelayer.imposition.paper import Die, Medium, find_medium
from platelayer.model.kinds import KINDS
from platelayer.model.options import PrintOptions
from platelayer.scene.inks import spot_name_fault
from platelayer.scene.shapes import IDENTITY, Matrix
from platelayer.scene.typeset import Theme

# Names of the documents of the standard plan, by their stems.
_NAMES = FixedWords("documents").all()


class Board(Frozen, kw_only=True):
    """A board that pieces are punched out of: the rim around them, how wide nicks in the die line
    are, how far apart, and how many a piece has at least."""

    rim_mm: float = 10.0
    nick_mm: float = 0.4
    nick_every_mm: float = 40.0
    least_nicks: int = 3


class Layout(Frozen, kw_only=True):
    """An arrangement of pieces on pages; schemas/sheet.schema.json describes each field. `of` are
    the layouts of kinds in a document that gathers several (see `gathered`)."""

    arrange: str
    bleed_mm: float = 0.0
    gaps_mm: tuple[float, ...] = (0.0,)
    marks: str = "none"
    overlap_mm: float = 0.0
    blank_between_groups: int = 0
    square_cells: bool = False
    lines: bool = False
    file: str = ""
    die: Die | None = None
    board: Board | None = None
    plate: str = ""
    of: Mapping[str, Layout] = {}

    @property
    def outlined(self) -> bool:
        """True if outlines are shown even if the print shows no cut lines."""
        return self.lines or self.marks == "outlines"

    @property
    def is_page(self) -> bool:
        """True for pages that are used as printed, such as the checklist: nothing is cut out of
        them."""
        return self.arrange == "single" and self.marks == "none"


class DocumentPlan(Frozen, kw_only=True):
    """One file to print: its stem, its name for people, the kinds it holds, and its layouts by
    name, default first; and the documents that it gathers."""

    stem: str
    name: Text
    kinds: tuple[str, ...]
    layouts: dict[str, Layout]
    sort_by_group: bool = False
    parts: tuple[DocumentPlan, ...] = ()

    def layout(self, chosen: Mapping[str, str]) -> Layout:
        """Return the layout that `chosen` names for this document (by its stem), or the default."""
        default = next(iter(self.layouts))
        return self.layouts[chosen.get(self.stem, default)]


SheetPlan = tuple[DocumentPlan, ...]


def standard_plan() -> SheetPlan:
    """Return the shipped plan (checked against its schema by the tests, not at every start)."""
    return build_plan(_standard())


def read_plan(path: Path) -> SheetPlan:
    """Return the standard plan with the documents and layouts of a user's file merged into it (RFC
    7396: `null` removes). Raises ProblemsFound with everything that is wrong in the file."""
    patch = read_checked(path, "sheet").value
    merged = merge_patch(_standard(), patch)
    lacking = []
    unknown = []
    for stem, entry in merged["documents"].items():
        for field in ("name", "kinds", "layouts"):
            if not entry.get(field) and not (field == "name" and stem in _NAMES):
                message = f'{path}: the document "{stem}" has no {field}'
                hint = "a document that is not in the standard plan needs a name, kinds and layouts"
                lacking.append(Problem("SH04", message, hint))
        for kind in entry.get("kinds") or ():
            if kind not in KINDS:
                message = f'{path}: there is no kind of piece "{kind}" for the document "{stem}"'
                hint = suggestion(kind, KINDS) or f"kinds are {', '.join(KINDS)}"
                unknown.append(Problem("SH04", message, hint))
    if lacking or unknown:
        raise ProblemsFound([*lacking, *unknown])
    return build_plan(merged)


def _standard() -> Any:
    """Return the shipped plan, with each document holding the kinds of piece whose records name
    it."""
    plan = asset_json("sheets", "standard.json")
    for stem, entry in plan["documents"].items():
        entry["kinds"] = [kind.id for kind in KINDS.values() if stem in kind.documents]
    return plan


def build_plan(value: Mapping[str, Any]) -> SheetPlan:
    """Return typed documents from valid JSON."""
    documents = []
    for stem, entry in value["documents"].items():
        own = entry.get("name")
        texts = {ANY_LANGUAGE: own} if isinstance(own, str) else own
        document = DocumentPlan(
            stem=stem,
            name=Text(tuple(texts.items())) if texts else _NAMES[stem],
            kinds=tuple(entry["kinds"]),
            layouts={name: _layout(layout) for name, layout in entry["layouts"].items()},
            sort_by_group=entry.get("sort_by_group", False),
        )
        documents.append(document)
    return tuple(documents)


def gathered(plan: SheetPlan, chosen: Mapping[str, str]) -> SheetPlan:
    """Return the plan with documents whose layouts name the same file as one document, in the place
    of the first of them."""
    files: dict[str, list[DocumentPlan]] = {}
    for document in plan:
        files.setdefault(document.layout(chosen).file or f"{document.stem}.", []).append(document)
    documents = []
    for file, parts in files.items():
        document = parts[0]
        if not file.endswith("."):
            of = {kind: part.layout(chosen) for part in parts for kind in part.kinds}
            document = DocumentPlan(
                stem=file,
                name=_NAMES.get(file) or document.name,
                kinds=tuple(of),
                layouts={"gathered": replace(document.layout(chosen), file="", of=of)},
                parts=tuple(parts),
            )
        documents.append(document)
    return tuple(documents)


# Numeric fields of a layout that may be adjusted individually, with their maximum.
_ADJUSTABLE = {"bleed_mm": 10, "gaps_mm": 50, "overlap_mm": 50, "blank_between_groups": 20}


def adjusted(plan: SheetPlan, numbers: Mapping[str, str]) -> SheetPlan:
    """Return the plan with other numbers ("tiled.overlap_mm": "10"), in all layouts of a name or
    all of a document. Raises ProblemsFound with SH04 for each that is not possible."""
    problems = []
    for path, words in numbers.items():
        name, _, field = path.partition(".")
        known = dict.fromkeys(
            word for document in plan for word in (document.stem, *document.layouts)
        )
        hint = ""
        try:
            number = float(words)
        except ValueError:
            number = math.nan
        if name not in known:
            fault, hint = f'there is no document or layout "{name}"', suggestion(name, known)
        elif field not in _ADJUSTABLE:
            fault = f'"{field}" cannot be set; {", ".join(_ADJUSTABLE)} can'
            hint = suggestion(field, _ADJUSTABLE)
        elif not 0 <= number <= _ADJUSTABLE[field] or (
            field == "blank_between_groups" and number % 1
        ):
            kind = "a whole number" if field == "blank_between_groups" else "a number"
            fault = f'"{words}" is not {kind} from 0 to {_ADJUSTABLE[field]}'
        else:
            # Keep the type that the plan has: a tuple or an int.
            own = {"gaps_mm": (number,), "blank_between_groups": int(number)}.get(field, number)
            plan = tuple(
                replace(
                    document,
                    layouts={
                        key: replace(layout, **{field: own})
                        if name in (document.stem, key)
                        else layout
                        for key, layout in document.layouts.items()
                    },
                )
                for document in plan
            )
            continue
        problems.append(Problem("SH04", f"set {path}={words}: {fault}", hint))
    if problems:
        raise ProblemsFound(problems)
    return plan


def check_layouts(chosen: Mapping[str, str], plan: SheetPlan) -> None:
    """Raise ProblemsFound with SH04 for every document that is not in the plan, and every layout
    that is not in its document."""
    known = {document.stem: document.layouts for document in plan}
    problems = []
    for stem, name in chosen.items():
        if stem not in known:
            message = f'there is no document "{stem}" to lay out; known: {", ".join(known)}'
            problems.append(Problem("SH04", message, suggestion(stem, known)))
        elif name not in known[stem]:
            message = f'there is no layout "{name}" for {stem}; known: {", ".join(known[stem])}'
            problems.append(Problem("SH04", message, suggestion(name, known[stem])))
    if problems:
        raise ProblemsFound(problems)


def _layout(entry: Mapping[str, Any]) -> Layout:
    board = entry.get("board")
    if board is None and entry["arrange"] == "punchboard":
        entry = {**entry, "board": {}}
    if isinstance(entry.get("die"), str):
        places = find_medium(entry["die"]).places
        if places is None:
            raise ProblemsFound([Problem("SH04", f'the medium "{entry["die"]}" has no places')])
        return replace(convert({**entry, "die": None}, Layout), die=places)
    return convert(entry, Layout)


def on_places(plan: SheetPlan, medium: Medium) -> SheetPlan:
    """Return the plan with all pieces in the places of a die or of sheets of labels, in one
    file."""
    places = medium.places
    if places is None:
        return plan
    beside, above = (
        pitch - size for pitch, size in zip(places.pitch_mm, places.size_mm, strict=True)
    )
    # Colour may extend over half of the gap. If positions in a column touch, the die itself
    # separates them.
    bleed = max(min(beside, above or beside) / 2, 0.0)
    layout = Layout(arrange="die", bleed_mm=bleed, die=places, file=medium.kind)
    return tuple(replace(document, layouts={medium.id: layout}) for document in plan)


# Finishing of sheets: cut lines, backs, and corrections for a printer.


# Duplex modes that print both sides of a sheet.
TWO_SIDED = ("long", "short")
MOST_OFFSET_MM = 20.0
LEAST_SCALE, MOST_SCALE = 0.95, 1.05


def correction(
    options: PrintOptions,
    width_mm: float,
    height_mm: float,
    *,
    back: bool,
    sideways: bool = True,
) -> Matrix:
    """Return the transform of a whole page of that size that corrects a printer's errors: scaled
    about its middle, then moved. Backs follow their fronts, as seen through the sheet
    (`sideways`: flipped like the page of a book), and are moved by their own offset as well."""
    dx, dy = options.offset_mm
    if back:
        dx, dy = (-dx, dy) if sideways else (dx, -dy)
        dx, dy = dx + options.back_offset_mm[0], dy + options.back_offset_mm[1]
    across, down = options.scale
    if (dx, dy, across, down) == (0.0, 0.0, 1.0, 1.0):
        return IDENTITY
    shift = dx + (1 - across) * width_mm / 2, dy + (1 - down) * height_mm / 2
    return (across, 0.0, 0.0, down, *shift)


def check_finish(options: PrintOptions, theme: Theme | None = None) -> None:
    """Raise ProblemsFound with SH06 for each invalid offset, scale or spot name, and for the name
    of a spot colour that the theme already uses with a different look."""
    faults = [*_faults(options)]
    if theme is not None and options.cut == "spot":
        cut, name = theme.ink("cut"), options.spot_name
        alike = [ink for ink in theme.inks.values() if ink.spot == name]
        if any((ink.rgb, ink.cmyk) != (cut.rgb, cut.cmyk) for ink in alike):
            message = (
                f'the theme {theme.id} already has a spot colour "{name}" that looks different'
            )
            faults.append((message, "give the cut line another spot name"))
    if faults:
        raise ProblemsFound(Problem("SH06", message, hint) for message, hint in faults)


def _faults(options: PrintOptions) -> Iterator[tuple[str, str]]:
    for name, offset in (("offset", options.offset_mm), ("back offset", options.back_offset_mm)):
        if not all(math.isfinite(length) and abs(length) <= MOST_OFFSET_MM for length in offset):
            words = ",".join(f"{length:g}" for length in offset)
            hint = f"use -{MOST_OFFSET_MM:g} to {MOST_OFFSET_MM:g} mm; platelayer calibrate finds the right value"
            yield f"the {name} {words} mm is out of range", hint
    for axis, scale in zip("xy", options.scale, strict=True):
        if not (math.isfinite(scale) and LEAST_SCALE <= scale <= MOST_SCALE):
            hint = f"use {LEAST_SCALE:g} to {MOST_SCALE:g}; to change the size of pieces, give them a size"
            yield f"a scale of {scale:g} in {axis} is out of range", hint
    fault = spot_name_fault(options.spot_name)
    if fault:
        message = f'"{options.spot_name}" cannot name a spot colour: {fault}'
        yield message, "shops ask for CutContour, Thru-cut or die-cut"
