"""Pieces with their scenes and counts in, documents of pages with placements out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from platelayer.foundation.problems import Problem, ProblemsFound
from platelayer.scene.shapes import IDENTITY, Group, Item, Matrix, Path, Role, Scene, Use
from platelayer.scene.theme import Theme
from platelayer.sheets.draft import Draft, PieceToPrint, Placed, Press
from platelayer.sheets.foot import Foot, FootPainter
from platelayer.sheets.layouts import fits, lay_out
from platelayer.sheets.page import Box, Document, Page, Placement
from platelayer.sheets.paper import MAX_PAPER_MM, Paper, check_margin, frames, standard_papers
from platelayer.sheets.plan import DocumentPlan, Layout, SheetPlan, check_layout_name, standard_plan
from platelayer.sheets.words import amount, fixed, printable

__all__ = ["PieceToPrint", "impose"]


def impose(
    title_name: str,
    pieces: Sequence[PieceToPrint],
    *,
    paper: Paper,
    theme: Theme,
    margin_mm: float = 6.0,
    tile_layout: str = "rows",
    language: str = "en",
    plan: SheetPlan | None = None,
) -> tuple[Document, ...]:
    """Lay pieces out on pages: one document for each entry of the plan that has pieces, in the plan's order.

    Every copy of every piece is placed once in each document that holds its kind (a map as a poster and in parts),
    by reference, never copied. `margin_mm` stays empty on every side. Raises ProblemsFound: SH01 for each piece that
    the paper is too small for, SH03 for a margin that makes no sense, SH04 for an unknown tile layout.
    """
    plan = standard_plan() if plan is None else plan
    check_margin(paper, margin_mm)
    check_layout_name(tile_layout, plan)
    press = Press(paper=paper, margin_mm=margin_mm, frames=frames(paper, margin_mm), theme=theme, language=language)
    jobs = [(document, document.layout(tile_layout), _entries(document, pieces)) for document in plan]
    problems = [problem for _, layout, entries in jobs for problem in _too_large(entries, layout, press)]
    if problems:
        raise ProblemsFound(problems)
    feet = FootPainter(theme, language)
    return tuple(
        _document(title_name, document, list(lay_out(entries, layout, press)), press, feet)
        for document, layout, entries in jobs
        if entries
    )


def _entries(document: DocumentPlan, pieces: Sequence[PieceToPrint]) -> list[PieceToPrint]:
    """The pieces of a document's kinds, in the order of its kinds; pieces of a group together where it says so."""
    rank = {kind: number for number, kind in enumerate(document.kinds)}
    entries = [entry for entry in pieces if entry.piece.kind in rank and entry.piece.count > 0]
    entries.sort(key=lambda entry: rank[entry.piece.kind])
    if document.sort_by_group:
        groups = dict.fromkeys((entry.piece.kind, entry.piece.group) for entry in entries)
        order = {group: number for number, group in enumerate(groups)}
        entries.sort(key=lambda entry: order[entry.piece.kind, entry.piece.group])
    return entries


def _too_large(entries: Iterable[PieceToPrint], layout: Layout, press: Press) -> Iterator[Problem]:
    """SH01 for each piece that the layout cannot print on this paper; pieces of one size are tried once."""
    tried: dict[tuple[float, float, int], str | None] = {}
    for entry in entries:
        scene = entry.scene
        size = (scene.width_mm, scene.height_mm, len(scene.outline or ()))
        if size not in tried:
            tried[size] = None if fits(scene, layout, press) else _better_paper(scene, layout, press)
        hint = tried[size]
        if hint is not None:
            message = f"{press.paper.name} is too small for {entry.piece.key}, {_size(scene)}"
            room = _room(press)
            yield Problem(code="SH01", message=f"{message}: {room}", hint=hint)


def _room(press: Press) -> str:
    if not press.frames:
        return f"inside margins of {press.margin_mm:g} mm not even the foot of a sheet finds room"
    width, height = press.frames[0].room[2:]
    return f"inside margins of {press.margin_mm:g} mm there are {width:.4g} x {height:.4g} mm for pieces and marks"


def _size(scene: Scene) -> str:
    return f"{scene.width_mm:.4g} x {scene.height_mm:.4g} mm"


def _better_paper(scene: Scene, layout: Layout, press: Press) -> str:
    """The smallest standard paper that the piece fits, as a hint."""
    for paper in sorted(standard_papers().values(), key=lambda paper: paper.width_mm * paper.height_mm):
        other = replace(press, paper=paper, frames=frames(paper, press.margin_mm))
        if fits(scene, layout, other):
            return f"the smallest paper that takes it is {paper.name}"
    return f"no standard paper is large enough; sides may have up to {MAX_PAPER_MM:g} mm"


def _document(
    title_name: str, document: DocumentPlan, drafts: Sequence[Draft], press: Press, feet: FootPainter
) -> Document:
    faces = press.theme.type("sheet").faces
    name = printable(document.name, press.language, faces)
    pages: list[Page] = []
    placements: list[Placement] = []
    for number, draft in enumerate(drafts, start=1):
        view = draft.view
        foot = Foot(
            title=title_name,
            document=name,
            number=number,
            of=len(drafts),
            content=view.content if view else _content(draft, document.sort_by_group, press.language, faces),
            part=view.part if view else None,
        )
        pages.append(_page(draft, foot, feet, f"sheet:{document.stem}:{number}", press.theme))
        placements += (
            Placement(
                file=document.stem,
                page=number,
                kind=placed.entry.piece.kind,
                id=placed.entry.piece.id,
                face="front",
                trim=placed.box,
                rotation=90 if placed.turned else 0,
            )
            for placed in draft.placed
            if not placed.entry.again
        )
    amounts = (amount("piece", len(placements), press.language), amount("sheet", len(pages), press.language))
    return Document(
        stem=document.stem,
        title=f"{title_name}: {name}",
        subject=", ".join((*amounts, press.paper.name)),
        pages=tuple(pages),
        placements=tuple(placements),
    )


def _page(draft: Draft, foot: Foot, feet: FootPainter, key: str, theme: Theme) -> Page:
    frame, view = draft.frame, draft.view
    items: list[Item] = [*view.items] if view else [_placed(placed) for placed in draft.placed]
    if draft.marks:
        items.append(Path(commands=draft.marks, stroke=theme.stroke("sheet.mark"), role=Role.MARK))
    items += feet.draw(foot, frame.foot)
    trim = view.trim if view else _around(placed.box for placed in draft.placed)
    bleed = view.bleed if view else _around(_bleed_box(placed) for placed in draft.placed)
    scene = Scene(
        key=key,
        width_mm=frame.width_mm,
        height_mm=frame.height_mm,
        items=tuple(items),
        label=f"{foot.title}: {foot.document}, {foot.number} / {foot.of}",
    )
    return Page(scene=scene, trim=trim, bleed=bleed)


def _placed(placed: Placed) -> Item:
    """A piece where it lies: its scene by reference, inside its clip."""
    x, y, width, _ = placed.box
    matrix: Matrix = (0.0, 1.0, -1.0, 0.0, x + width, y) if placed.turned else (1.0, 0.0, 0.0, 1.0, x, y)
    if placed.clip is None:
        return Use(scene=placed.entry.scene, matrix=matrix)
    return Group(items=(Use(scene=placed.entry.scene, matrix=IDENTITY),), matrix=matrix, clip=placed.clip)


def _bleed_box(placed: Placed) -> Box:
    (x, y, width, height), (left, top, right, bottom) = placed.box, placed.bleed
    return x - left, y - top, width + left + right, height + top + bottom


def _around(boxes: Iterable[Box]) -> Box:
    """The least box around some boxes."""
    lefts, tops, rights, bottoms = zip(*((x, y, x + w, y + h) for x, y, w, h in boxes), strict=True)
    left, top = min(lefts), min(tops)
    return left, top, max(rights) - left, max(bottoms) - top


def _content(draft: Draft, grouped: bool, language: str, faces: Sequence[str]) -> tuple[str, ...]:
    """What lies on a page, in order: "yellow: 57 ×8" where pieces are sorted by group (named where it changes), else
    "57 ×8". A piece that has its sheet to itself goes by its name."""
    if len(draft.placed) == 1 and draft.placed[0].entry.piece.count == 1:
        return (printable(draft.placed[0].entry.piece.name, language, faces),)
    counts: dict[tuple[str, str, str], int] = {}
    for placed in draft.placed:
        piece = placed.entry.piece
        what = (piece.kind, piece.group, piece.id)
        counts[what] = counts.get(what, 0) + 1
    parts: list[str] = []
    last = ("", "")
    for (kind, group, piece_id), count in counts.items():
        new = grouped and group and (kind, group) != last
        last = (kind, group)
        head = f"{fixed(group, language, faces)}: " if new else ""
        times = f" ×{count}" if count > 1 else ""
        parts.append(f"{head}{piece_id.removesuffix(f'-{group}') if grouped else piece_id}{times}")
    return tuple(parts)
