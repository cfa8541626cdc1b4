"""Imposition of pieces into documents of pages with placements."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence

from msgspec import Struct
from msgspec.structs import replace

from platelayer.foundation.languages import Tongue
from platelayer.foundation.problems import Problem, Problems, ProblemsFound, severity_of
from platelayer.imposition.arrange import Sides
from platelayer.imposition.cut import (
    colour_bar,
    colour_bar_box,
    cut_items,
    cut_lines,
    cutter_marks,
    fronts_of,
    line_items,
    register_marks,
)
from platelayer.imposition.draft import (
    Draft,
    PieceToPrint,
    SheetSettings,
    back_of,
    back_to_back,
    turns_sideways,
    with_backs_beside,
)
from platelayer.imposition.ganging import check_die_paper
from platelayer.imposition.layouts import fits, lay_out
from platelayer.imposition.paper import (
    MAX_PAPER_MM,
    TOO_LARGE,
    Box,
    CutLine,
    Document,
    Foot,
    FootPainter,
    Frame,
    Page,
    Paper,
    PlacedPart,
    Placement,
    amount,
    box_round,
    check_margin,
    cutter_of,
    find_paper,
    fixed,
    frames,
    printable,
    standard_papers,
)
from platelayer.imposition.plan import (
    TWO_SIDED,
    DocumentPlan,
    Layout,
    SheetPlan,
    check_finish,
    check_layouts,
    correction,
    gathered,
    standard_plan,
)
from platelayer.model.kinds import KINDS, PLAY
from platelayer.model.options import PrintOptions
from platelayer.scene.inks import REGISTRATION
from platelayer.scene.shapes import (
    IDENTITY,
    Group,
    Items,
    Matrix,
    Path,
    Role,
    Scene,
    Use,
    rectangle_path,
)
from platelayer.scene.typeset import Theme, missing_glyphs

__all__ = ["PieceToPrint", "impose"]


_PLAIN = PrintOptions()
_ENGLISH = Tongue()
# Extent of white paper around a piece without bleed, whose edges are white.
WHITE_BLEED_MM = 3.2
_MOST_NAMED = 3
_EPS = 1e-6


def impose(
    title_name: str,
    pieces: Sequence[PieceToPrint],
    *,
    theme: Theme,
    options: PrintOptions = _PLAIN,
    tongue: Tongue = _ENGLISH,
    plan: SheetPlan | None = None,
) -> tuple[Document, ...]:
    """Lay pieces out on pages: one document for each entry of the plan that has pieces, in the
    plan's order.

    Every copy of every piece is placed once in each document that holds its kind (a map as a poster
    and in parts), by reference, never copied. Raises ProblemsFound: SH01 for each piece that the
    paper is too small for, SH02 for an unknown paper, SH03 for an impossible margin, SH04 for an
    unknown layout, SH05 for paper that a die is not made for, SH06 for an impossible finish.
    """
    plan = standard_plan() if plan is None else plan
    chosen, paper = dict(options.layouts), find_paper(options.paper)
    check_margin(paper, options.margin_mm)
    check_layouts(chosen, plan)
    check_finish(options, theme)
    settings = SheetSettings(
        paper=paper,
        frames=_frames(paper, options),
        theme=theme,
        tongue=tongue,
        options=options,
        poster=find_paper(options.poster) if options.poster else None,
    )
    jobs = []
    for planned in gathered(plan, chosen):
        document = planned
        # If only one of several documents in a common file has pieces, use that document alone.
        filled = [part for part in planned.parts if _entries(part, pieces)]
        if len(filled) == 1:
            (part,) = filled
            own = replace(part.layout(chosen), file="")
            document = replace(part, layouts={chosen.get(part.stem, ""): own})
        entries = _entries(document, pieces)
        if entries:
            jobs.append(_job(document, document.layout(chosen), entries, settings))
    problems = [
        problem for job in jobs for half in (job, job.flat) if half for problem in _too_large(half)
    ]
    if problems:
        raise ProblemsFound(problems)
    feet = FootPainter(theme, tongue)
    documents = []
    for job in jobs:
        drafts = list(lay_out(job.entries, job.layout, job.settings))
        if job.flat:
            drafts += lay_out(job.flat.entries, job.layout, job.flat.settings)
        documents.append(_document(title_name, job, drafts, feet))
        if any(draft.die for draft in drafts):
            documents.append(_dies(title_name, job, drafts, feet))
    return tuple(documents)


def _frames(paper: Paper, options: PrintOptions) -> tuple[Frame, ...]:
    return frames(
        paper,
        options.margin_mm,
        options.duplex,
        register=options.register,
        cutter=cutter_of(options),
    )


class _Job(Struct, frozen=True, kw_only=True):
    """One document to lay out. If none of its pieces has a back, its settings are single-sided.
    `flat` are pieces too large for half of the paper, on sheets that are not folded."""

    document: DocumentPlan
    layout: Layout
    entries: list[PieceToPrint]
    settings: SheetSettings
    flat: _Job | None = None


def _job(
    document: DocumentPlan, layout: Layout, entries: list[PieceToPrint], settings: SheetSettings
) -> _Job:
    if settings.options.duplex != "none":
        posters = layout.arrange == "poster" and settings.options.duplex in TWO_SIDED
        entries = back_to_back(entries, posters=posters)
    if not any(entry.back for entry in entries):
        settings = _of_one_side(settings)
    options = settings.options
    if layout.is_page:
        register = "press" if options.press else "none"
        options = replace(options, cut="none", register=register, also=())
        settings = replace(settings, options=options)
    of = {kind: _finished(own, options) for kind, own in layout.of.items()}
    layout = replace(_finished(layout, options), of=of)
    check_die_paper(document.stem, layout, settings)
    job = _Job(document=document, layout=layout, entries=entries, settings=settings)
    if options.duplex != "fold":
        return job
    large = [entry for entry in job.entries if not fits(entry, _layout_of(job, entry), settings)]
    if not large:
        return job
    sides = []
    for entry in large:
        sides.append(replace(entry, back=None, behind=None))
        if entry.behind is not None:
            sides.append(entry.behind)
        elif entry.back is not None and entry.piece.back == PLAY:
            # Print only those backs that are read during play, as separate pieces.
            sides.append(replace(entry, scene=entry.back, back=None, face="back"))
    flat = replace(job, entries=sides, settings=_of_one_side(settings))
    return replace(job, entries=[entry for entry in job.entries if entry not in large], flat=flat)


def _of_one_side(settings: SheetSettings) -> SheetSettings:
    options = replace(settings.options, duplex="none")
    return replace(settings, options=options, frames=_frames(settings.paper, options))


def _layout_of(job: _Job, entry: PieceToPrint) -> Layout:
    """Return the layout of a piece: that of its own document, if several are gathered."""
    own = job.layout.of.get(entry.piece.kind)
    return job.layout if own is None else replace(own, arrange=job.layout.arrange)


def _finished(layout: Layout, options: PrintOptions) -> Layout:
    """Return a layout with the marks and the bleed of a finish: gaps between pieces leave room for
    the bleed of both."""
    if options.cut != "marks":
        layout = replace(layout, marks="none")
    if options.bleed_mm and layout.bleed_mm and layout.die is None:
        bleed = max(layout.bleed_mm, options.bleed_mm)
        gaps = tuple(dict.fromkeys(max(gap, 2 * bleed) for gap in layout.gaps_mm))
        layout = replace(layout, bleed_mm=bleed, gaps_mm=gaps)
    return layout


def _entries(document: DocumentPlan, pieces: Sequence[PieceToPrint]) -> list[PieceToPrint]:
    """Return the pieces of a document's kinds, in the order of the kinds; pieces of a group
    together if the plan requires it."""
    if document.parts:
        return [entry for part in document.parts for entry in _entries(part, pieces)]
    rank = {kind: number for number, kind in enumerate(document.kinds)}
    entries = [entry for entry in pieces if entry.piece.kind in rank and entry.piece.count > 0]
    entries.sort(key=lambda entry: rank[entry.piece.kind])
    if document.sort_by_group:
        groups = dict.fromkeys((entry.piece.kind, entry.piece.group) for entry in entries)
        order = {group: number for number, group in enumerate(groups)}
        entries.sort(key=lambda entry: order[entry.piece.kind, entry.piece.group])
    return entries


def _too_large(job: _Job) -> Problems:
    """Yield SH01 for each piece that the layout cannot print on this paper; only one piece of each
    size is tried."""
    settings = job.settings
    paper, margin = settings.paper.name, settings.options.margin_mm
    tried: dict[tuple[float, float, int, float], str | None] = {}
    for entry in job.entries:
        scene = entry.scene
        layout = _layout_of(job, entry)
        size = (scene.width_mm, scene.height_mm, len(scene.outline or ()), layout.bleed_mm)
        if size not in tried:
            if fits(entry, layout, settings):
                tried[size] = None
            elif layout.die:
                tried[size] = "give the pieces a size that fits the places"
            elif layout.arrange == "poster":
                tried[size] = "name no paper for posters to get one of the right size"
            else:
                tried[size] = _better_paper(entry, layout, settings)
        hint = tried[size]
        if hint is None:
            continue
        what = f"{entry.piece.key}, {scene.width_mm:.4g} x {scene.height_mm:.4g} mm"
        if layout.die:
            width, height = layout.die.size_mm
            message = f"the places in the layout of {job.document.stem} are too small for {what}"
            message += f": {width:.4g} x {height:.4g} mm"
        elif layout.arrange == "poster" and settings.poster:
            message = f"{settings.poster.name} is too small for {what}, as a poster"
        elif settings.frames:
            width, height = settings.frames[0].room[2:]
            message = f"{paper} is too small for {what}: margins of {margin:g} mm leave "
            message += f"{width:.4g} x {height:.4g} mm for pieces and marks"
        else:
            message = f"{paper} is too small for {what}: margins of {margin:g} mm "
            message += "do not even leave room for the foot of a sheet"
        yield Problem(TOO_LARGE, message, hint, about=entry.piece.key)


def _better_paper(entry: PieceToPrint, layout: Layout, settings: SheetSettings) -> str:
    """Return a hint with the smallest standard paper that the piece fits."""
    options = settings.options
    papers = standard_papers().values()
    for paper in sorted(papers, key=lambda paper: paper.width_mm * paper.height_mm):
        around = _frames(paper, options)
        if fits(entry, layout, replace(settings, paper=paper, frames=around)):
            return f"the smallest paper that fits is {paper.name}"
    return f"no standard paper is large enough; sides may be up to {MAX_PAPER_MM:g} mm"


def _dies(title_name: str, job: _Job, drafts: Sequence[Draft], feet: FootPainter) -> Document:
    """Return a page for each die, with the numbers of the sheets that it cuts."""
    settings, stem = job.settings, f"{job.document.stem}-die"
    tongue, faces = settings.tongue, settings.theme.type("sheet").faces
    name = f"{printable(job.document.name, tongue, faces)}: {fixed('die', tongue, faces)}"
    cut_by: dict[tuple[CutLine, ...], list[int]] = {}
    for number, draft in enumerate(drafts, start=1):
        cut_by.setdefault(draft.die, []).append(number)
    pages = []
    for number, sheets in enumerate(cut_by.values(), start=1):
        draft, _ = _sides(drafts[sheets[0] - 1], settings.options)[0]
        content = (fixed("cuts sheets", tongue, faces, ", ".join(map(str, sheets))),)
        foot = Foot(title_name, name, number=number, of=len(cut_by), content=content)
        bare = replace(draft, placed=(), lines=True, bar=None)
        pages.append(_page(bare, foot, feet, f"sheet:{stem}:{number}", settings)[0])
    return Document(
        stem=stem,
        title=f"{title_name}: {name}",
        subject=f"{amount('sheet', len(pages), tongue)}, {settings.paper.name}",
        pages=tuple(pages),
        of_dies=True,
    )


def _document(title_name: str, job: _Job, drafts: Sequence[Draft], feet: FootPainter) -> Document:
    document, settings = job.document, job.settings
    tongue, faces = settings.tongue, settings.theme.type("sheet").faces
    name = printable(document.name, tongue, faces)
    plans = document.parts or (document,)
    grouped = {kind for plan in plans if plan.sort_by_group for kind in plan.kinds}
    several = len({placed.entry.piece.kind for draft in drafts for placed in draft.placed}) > 1
    sides = [side for draft in drafts for side in _sides(draft, settings.options)]
    pages = []
    placements: list[Placement] = []
    further: list[Placement] = []
    # The list with the latest placement, to which the parts of a piece on several sheets are added.
    kept = placements
    for number, (draft, face) in enumerate(sides, start=1):
        view = draft.view
        foot = Foot(
            title_name,
            name,
            number=(number + 1) // 2 if settings.options.duplex in TWO_SIDED else number,
            of=len(drafts),
            content=view.content if view else _content(draft, grouped, several, tongue, faces),
            part=view.part if view else None,
            back=face == "back",
        )
        page, matrix = _page(draft, foot, feet, f"sheet:{document.stem}:{number}", settings)
        pages.append(page)
        for placed in draft.placed:
            kept = further if placed.entry.again else placements
            piece = placed.entry.piece
            placement = Placement(
                file=document.stem,
                page=number,
                kind=piece.kind,
                id=piece.id,
                face=placed.face,
                trim=_moved(placed.box, matrix),
                rotation=placed.rotation,
            )
            kept.append(placement)
        if view and view.part.of > 1:
            part = PlacedPart(page=number, trim=_moved(view.trim, matrix), shows=view.shows)
            kept[-1] = replace(kept[-1], parts=(*kept[-1].parts, part))
    fronts = sum(placement.face == "front" for placement in placements)
    subject = f"{amount('piece', fronts, tongue)}, {amount('sheet', len(drafts), tongue)}"
    return Document(
        stem=document.stem,
        title=f"{title_name}: {name}",
        subject=f"{subject}, {settings.paper.name}",
        pages=tuple(pages),
        placements=tuple(placements),
        further=tuple(further),
        notes=tuple(_not_folded(job)),
    )


def _not_folded(job: _Job) -> Problems:
    """Yield SH11 for the pieces that are printed flat, by kind."""
    by_kind: dict[str, dict[str, None]] = {}
    for entry in job.flat.entries if job.flat else ():
        by_kind.setdefault(entry.piece.kind, {})[entry.piece.key] = None
    for keys in by_kind.values():
        some = ", ".join([*keys][:_MOST_NAMED])
        if len(keys) > _MOST_NAMED:
            some += f" and {len(keys) - _MOST_NAMED} more"
        message = f"half of {job.settings.paper.name} is too small for {some}: printed on one side"
        hint = "backs that are read in play are printed as pieces of their own, to be glued on"
        yield Problem("SH11", message, hint, severity=severity_of("SH11"))


def _sides(draft: Draft, options: PrintOptions) -> list[tuple[Draft, str]]:
    """Return the pages of a sheet: its front (with the backs beside it if it is to be folded) and
    its back."""
    two_sided = options.duplex in TWO_SIDED
    if options.press:
        draft = replace(draft, bar=colour_bar_box(draft.frame))
    if (options.press or two_sided) and draft.frame.foot[3]:
        marks = (*draft.marks, *register_marks(draft.frame, press=options.press))
        draft = replace(draft, marks=marks)
    if options.duplex == "fold":
        return [(with_backs_beside(draft), "front")]
    if two_sided:
        back = back_of(draft, options.duplex, press=options.press)
        return [(draft, "front"), (back, "back")]
    return [(draft, "front")]


def _page(
    draft: Draft, foot: Foot, feet: FootPainter, key: str, settings: SheetSettings
) -> tuple[Page, Matrix]:
    """Return a page, and the correction of the printer's errors that moved its content."""
    frame, view, options, theme = draft.frame, draft.view, settings.options, settings.theme
    items = list(view.items) if view else []
    for placed in () if view else draft.placed:
        if placed.clip is None:
            items.append(Use(placed.scene, matrix=placed.matrix))
        else:
            inner = Use(placed.scene, matrix=IDENTITY)
            items.append(Group((inner,), matrix=placed.matrix, clip=placed.clip))
    if draft.marks:
        stroke = theme.stroke("sheet.mark")
        if options.press:
            stroke = replace(stroke, ink=REGISTRATION)
        items.append(Path(draft.marks, stroke=stroke, role=Role.MARK))
    if draft.bar:
        items += colour_bar(draft.bar)
    if not foot.back:
        if options.cut in ("lines", "spot") or draft.lines:
            items += _cut(draft, options, theme)
        if cutter := cutter_of(options):
            items += cutter_marks(frame, cutter)
    if frame.foot[3]:
        items += feet.draw(foot, frame.foot)
    trim, bleed = _trim_and_bleed(draft)
    bleed = _on_page(bleed, frame)
    sideways = turns_sideways(frame, options.duplex)
    matrix = correction(options, frame.width_mm, frame.height_mm, back=foot.back, sideways=sideways)
    if matrix != IDENTITY:
        items = [Group(tuple(items), matrix=matrix)]
        trim, bleed = _moved(trim, matrix), _on_page(_moved(bleed, matrix), frame)
        x, y, width, height = trim
        free = min(x, y, frame.width_mm - x - width, frame.height_mm - y - height)
        if free < -_EPS:
            message = (
                f"the offset moves pieces off the sheet ({foot.document}, sheet {foot.number})"
            )
            raise ProblemsFound([Problem("SH06", message, "use a wider margin")])
    scene = Scene(
        key,
        frame.width_mm,
        frame.height_mm,
        tuple(items),
        label=f"{foot.title}: {foot.document}, {foot.number} / {foot.of}",
    )
    lines = draft.die
    if not lines and options.also and not foot.back:
        lines = cut_lines(draft.placed)
    return Page(scene, trim, bleed, cut=lines, is_back=foot.back, fold_mm=frame.fold_mm), matrix


def _trim_and_bleed(draft: Draft) -> tuple[Box, Box]:
    if draft.view:
        return draft.view.trim, draft.view.bleed
    white = (WHITE_BLEED_MM,) * 4
    if draft.board or not draft.placed:
        trim = draft.board or draft.frame.room
        return trim, _grown(trim, white)
    boxes = [placed.box for placed in draft.placed]
    bleeds = [
        _grown(placed.box, placed.bleed if placed.scene.bleed_mm else white)
        for placed in draft.placed
    ]
    return box_round(boxes), box_round(bleeds)


def _cut(draft: Draft, options: PrintOptions, theme: Theme) -> Items:
    """Return the outlines of the fronts on a page."""
    if draft.die:
        lines = tuple(command for line in draft.die for command in line.commands)
        return line_items(lines, options, theme)
    if draft.view is None:
        return cut_items([outline for _, outline in fronts_of(draft.placed)], options, theme)
    # Of a piece in parts, draw only the lines within the window; a layer must stay a layer.
    window = rectangle_path(*draft.view.bleed)
    items = cut_items([draft.view.outline], options, theme)
    return tuple(
        replace(item, clip=window) if isinstance(item, Group) else Group((item,), clip=window)
        for item in items
    )


def _moved(box: Box, matrix: Matrix) -> Box:
    across, _, _, down, dx, dy = matrix
    x, y, width, height = box
    return (across * x + dx, down * y + dy, across * width, down * height)


def _on_page(box: Box, frame: Frame) -> Box:
    """Return the part of a box that is on the page, beyond which a page's boxes may not extend."""
    x, y, width, height = box
    left, top = max(x, 0.0), max(y, 0.0)
    return left, top, min(x + width, frame.width_mm) - left, min(y + height, frame.height_mm) - top


def _grown(box: Box, sides: Sides) -> Box:
    (x, y, width, height), (left, top, right, bottom) = box, sides
    return x - left, y - top, width + left + right, height + top + bottom


def _content(
    draft: Draft, grouped: Collection[str], several: bool, tongue: Tongue, faces: Sequence[str]
) -> tuple[str, ...]:
    """Return a list of the pieces on a page, in order: "yellow: 57 ×8" for kinds that are sorted by
    group (named where it changes), otherwise "57 ×8"; in a document of several kinds, after the
    name of each.

    A piece with a sheet to itself is listed by its name, as are kinds whose ids are words. A back
    that is printed like a front is listed as a back.
    """

    def side(words: str, entry: PieceToPrint) -> str:
        return words if entry.face == "front" else fixed("the back", tongue, faces, words)

    def name_of(entry: PieceToPrint) -> str:
        # The sides of a card that is read on both sides have names, if the font can draw them.
        own = entry.scene.label if entry.piece.back == PLAY else ""
        if own and not missing_glyphs(own, faces):
            return own
        return printable(entry.piece.name, tongue, faces)

    if len(draft.placed) == 1 and draft.placed[0].entry.piece.count == 1:
        entry = draft.placed[0].entry
        return (side(name_of(entry), entry),)
    entries = [placed.entry for placed in draft.placed]
    counts = Counter((entry.piece.key, entry.face) for entry in entries)
    # One entry for all copies of a piece, in the order of their first copies.
    distinct = {(entry.piece.key, entry.face): entry for entry in entries}
    parts = []
    last = ("", "")
    for key, entry in distinct.items():
        piece, kind = entry.piece, KINDS[entry.piece.kind]
        head = ""
        if several and piece.kind != last[0]:
            head = f"{printable(kind.name, tongue, faces)}: "
        is_grouped = piece.kind in grouped
        by_group = is_grouped and piece.group and not kind.goes_by_name
        if by_group and (piece.kind, piece.group) != last:
            head += f"{fixed(piece.group, tongue, faces)}: "
        last = (piece.kind, piece.group)
        if kind.goes_by_name:
            label = name_of(entry)
        else:
            label = piece.id.removesuffix(f"-{piece.group}") if is_grouped else piece.id
            # Translate the last part of an id if there is a word for it: "BNR-director".
            stem, dash, word = label.rpartition("-")
            label = f"{stem}-{fixed(word, tongue, faces)}" if dash else label
        times = f" ×{counts[key]}" if counts[key] > 1 else ""
        parts.append(f"{head}{side(label, entry)}{times}")
    return tuple(parts)
