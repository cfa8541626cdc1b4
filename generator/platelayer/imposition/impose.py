"""Imposition of pieces into documents of pages with placements."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from platelayer.foundation.codes import severity_of
from platelayer.foundation.languages import Tongue
from platelayer.foundation.problems import Problem, ProblemsFound
from platelayer.imposition.cut import cut_items, cut_lines, line_items, outlines_of
from platelayer.imposition.draft import Draft, PieceToPrint, Placed, SheetSettings
from platelayer.imposition.finish import TWO_SIDED, Finish, check_finish
from platelayer.imposition.flip import back_of, back_to_back, turns_sideways, with_backs_beside
from platelayer.imposition.foot import Foot, FootPainter, amount, fixed, printable
from platelayer.imposition.ganging import check_die_paper
from platelayer.imposition.layouts import fits, lay_out
from platelayer.imposition.marks import colour_bar, colour_bar_box, cutter_marks, register_marks
from platelayer.imposition.page import Box, CutLine, Document, Page, PlacedPart, Placement
from platelayer.imposition.paper import (
    MAX_PAPER_MM,
    Frame,
    Paper,
    check_margin,
    frames,
    standard_papers,
)
from platelayer.imposition.plan import (
    Die,
    DocumentPlan,
    Layout,
    SheetPlan,
    check_layouts,
    gathered,
    standard_plan,
)
from platelayer.model.kinds import KINDS, PLAY
from platelayer.scene.inks import REGISTRATION
from platelayer.scene.shapes import IDENTITY, Group, Item, Matrix, Path, Role, Scene, Use
from platelayer.scene.theme import Theme

__all__ = ["PieceToPrint", "impose"]


_PLAIN = Finish()
_ENGLISH = Tongue()
WHITE_BLEED_MM = 3.2
TOO_LARGE = "SH01"
_MOST_NAMED = 3
_EPS = 1e-6


def impose(
    title_name: str,
    pieces: Sequence[PieceToPrint],
    *,
    paper: Paper,
    theme: Theme,
    margin_mm: float = 6.0,
    layouts: Mapping[str, str] | None = None,
    finish: Finish = _PLAIN,
    poster: Paper | None = None,
    tongue: Tongue = _ENGLISH,
    plan: SheetPlan | None = None,
) -> tuple[Document, ...]:
    """Lay pieces out on pages: one document for each entry of the plan that has pieces, in the
    plan's order.

    Every copy of every piece is placed once in each document that holds its kind (a map as a poster
    and in parts), by reference, never copied. `margin_mm` stays empty on every side; `layouts`
    names layouts by document; `poster` is a paper for what is printed as a poster. Raises
    ProblemsFound: SH01 for each piece that the paper is too small for, SH03 for an impossible
    margin, SH04 for an unknown layout, SH05 for paper that a die is not made for, SH06 for an
    impossible finish.
    """
    plan = standard_plan() if plan is None else plan
    chosen = layouts or {}
    check_margin(paper, margin_mm)
    check_layouts(chosen, plan)
    check_finish(finish, theme)
    settings = SheetSettings(
        paper=paper,
        margin_mm=margin_mm,
        frames=frames(paper, margin_mm, finish.duplex, register=finish.register),
        theme=theme,
        tongue=tongue,
        finish=finish,
        poster=poster,
    )
    documents = [_alone(document, chosen, pieces) for document in gathered(plan, chosen)]
    jobs = [
        job for document in documents if (job := _job(document, chosen, pieces, settings)).entries
    ]
    jobs = [_unfolded(job) if finish.duplex == "fold" else job for job in jobs]
    problems = [
        problem for job in jobs for half in (job, job.flat) if half for problem in _too_large(half)
    ]
    if problems:
        raise ProblemsFound(problems)
    feet = FootPainter(theme, tongue)
    return tuple(document for job in jobs for document in _documents(title_name, job, feet))


class _Job(Struct, frozen=True, kw_only=True):
    """One document to lay out. If none of its pieces has a back, its settings are for one side.
    `flat` are pieces that half of the paper is too small for, on sheets that are not folded."""

    document: DocumentPlan
    layout: Layout
    entries: list[PieceToPrint]
    settings: SheetSettings
    flat: _Job | None = None


def _alone(
    document: DocumentPlan, chosen: Mapping[str, str], pieces: Sequence[PieceToPrint]
) -> DocumentPlan:
    """The only document of those gathered in a file that has pieces; the file where there are
    several, or none."""
    filled = [part for part in document.parts if _entries(part, pieces)]
    if len(filled) != 1:
        return document
    (part,) = filled
    return replace(part, layouts={chosen.get(part.stem, ""): replace(part.layout(chosen), file="")})


def _job(
    document: DocumentPlan,
    chosen: Mapping[str, str],
    pieces: Sequence[PieceToPrint],
    settings: SheetSettings,
) -> _Job:
    entries, layout = _entries(document, pieces), document.layout(chosen)
    if settings.finish.duplex != "none" and not any(entry.back for entry in entries):
        finish = replace(settings.finish, duplex="none")
        around = frames(settings.paper, settings.margin_mm, register=finish.register)
        settings = replace(settings, finish=finish, frames=around)
    if layout.is_page:
        register = "press" if settings.finish.press else "none"
        settings = replace(
            settings, finish=replace(settings.finish, cut="none", register=register, outlines=False)
        )
    layout = replace(
        _finished(layout, settings.finish),
        of={kind: _finished(own, settings.finish) for kind, own in layout.of.items()},
    )
    if entries:
        check_die_paper(document.stem, layout, settings)
    if settings.finish.duplex != "none":
        entries = back_to_back(entries)
    return _Job(document=document, layout=layout, entries=entries, settings=settings)


def _unfolded(job: _Job) -> _Job:
    """The job with pieces that do not fit half of the paper on sheets of one side: only backs that
    are read in play are printed there, as pieces of their own."""
    settings = job.settings
    if settings.finish.duplex != "fold":
        return job
    large = [
        entry for entry in job.entries if not fits(entry.scene, _layout_of(job, entry), settings)
    ]
    if not large:
        return job
    finish = replace(settings.finish, duplex="none")
    around = frames(settings.paper, settings.margin_mm, register=finish.register)
    flat = replace(
        job,
        entries=[side for entry in large for side in _one_sided(entry)],
        settings=replace(settings, finish=finish, frames=around),
    )
    return replace(job, entries=[entry for entry in job.entries if entry not in large], flat=flat)


def _one_sided(entry: PieceToPrint) -> Iterator[PieceToPrint]:
    yield replace(entry, back=None, behind=None)
    if entry.behind is not None:
        yield entry.behind
        return
    if entry.back is not None and entry.piece.back == PLAY:
        yield replace(entry, scene=entry.back, back=None, face="back")


def _layout_of(job: _Job, entry: PieceToPrint) -> Layout:
    """The layout of a piece: of its own document, if several are gathered."""
    own = job.layout.of.get(entry.piece.kind)
    return job.layout if own is None else replace(own, arrange=job.layout.arrange)


def _finished(layout: Layout, finish: Finish) -> Layout:
    """A layout with the marks and the bleed of a finish: between pieces there is room for the bleed
    of both."""
    if finish.cut != "marks":
        layout = replace(layout, marks="none")
    if finish.bleed_mm and layout.bleed_mm and layout.die is None:
        bleed = max(layout.bleed_mm, finish.bleed_mm)
        gaps = tuple(dict.fromkeys(max(gap, 2 * bleed) for gap in layout.gaps_mm))
        layout = replace(layout, bleed_mm=bleed, gaps_mm=gaps)
    return layout


def _entries(document: DocumentPlan, pieces: Sequence[PieceToPrint]) -> list[PieceToPrint]:
    """The pieces of a document's kinds, in the order of its kinds; pieces of a group together if
    the plan says so."""
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


def _too_large(job: _Job) -> Iterator[Problem]:
    """SH01 for each piece that the layout cannot print on this paper; pieces of one size are tried
    once."""
    settings = job.settings
    tried: dict[tuple[float, float, int, float], str | None] = {}
    for entry in job.entries:
        scene = entry.scene
        own = _layout_of(job, entry)
        size = (scene.width_mm, scene.height_mm, len(scene.outline or ()), own.bleed_mm)
        if size not in tried:
            tried[size] = None if fits(scene, own, settings) else _hint(scene, own, settings)
        hint = tried[size]
        if hint is not None:
            what = f"{entry.piece.key}, {_size(scene)}"
            if own.die:
                message = f"the places in the layout of {job.document.stem} are too small for {what}: {_places(own.die)}"
            elif own.arrange == "poster" and settings.poster:
                message = f"{settings.poster.name} is too small for {what}, as a poster"
            else:
                message = f"{settings.paper.name} is too small for {what}: {_room(settings)}"
            yield Problem(code=TOO_LARGE, message=message, hint=hint, about=entry.piece.key)


def _places(die: Die) -> str:
    return "{:.4g} x {:.4g} mm".format(*die.size_mm)


def _hint(scene: Scene, layout: Layout, settings: SheetSettings) -> str:
    if layout.die:
        return "give the pieces a size that fits the places"
    if layout.arrange == "poster":
        return "name no paper for posters to get one of the right size"
    return _better_paper(scene, layout, settings)


def _room(settings: SheetSettings) -> str:
    if not settings.frames:
        return (
            f"margins of {settings.margin_mm:g} mm do not even leave room for the foot of a sheet"
        )
    width, height = settings.frames[0].room[2:]
    return f"margins of {settings.margin_mm:g} mm leave {width:.4g} x {height:.4g} mm for pieces and marks"


def _size(scene: Scene) -> str:
    return f"{scene.width_mm:.4g} x {scene.height_mm:.4g} mm"


def _better_paper(scene: Scene, layout: Layout, settings: SheetSettings) -> str:
    """The smallest standard paper that the piece fits, as a hint."""
    for paper in sorted(
        standard_papers().values(), key=lambda paper: paper.width_mm * paper.height_mm
    ):
        finish = settings.finish
        around = frames(paper, settings.margin_mm, finish.duplex, register=finish.register)
        other = replace(settings, paper=paper, frames=around)
        if fits(scene, layout, other):
            return f"the smallest paper that fits is {paper.name}"
    return f"no standard paper is large enough; sides may be up to {MAX_PAPER_MM:g} mm"


def _documents(title_name: str, job: _Job, feet: FootPainter) -> Iterator[Document]:
    """The sheets of a job, and the dies of its boards if it has any."""
    drafts = list(lay_out(job.entries, job.layout, job.settings))
    if job.flat:
        drafts += lay_out(job.flat.entries, job.layout, job.flat.settings)
    yield _document(title_name, job, drafts, feet)
    if any(draft.die for draft in drafts):
        yield _dies(title_name, job, drafts, feet)


def _dies(title_name: str, job: _Job, drafts: Sequence[Draft], feet: FootPainter) -> Document:
    """A page for each die, with the numbers of the sheets that it cuts."""
    settings, stem = job.settings, f"{job.document.stem}-die"
    faces = settings.theme.type("sheet").faces
    name = f"{printable(job.document.name, settings.tongue, faces)}: {fixed('die', settings.tongue, faces)}"
    cut_by: dict[tuple[CutLine, ...], list[int]] = {}
    for number, draft in enumerate(drafts, start=1):
        cut_by.setdefault(draft.die, []).append(number)
    pages: list[Page] = []
    for number, sheets in enumerate(cut_by.values(), start=1):
        draft, _ = next(_sides(drafts[sheets[0] - 1], settings.finish))
        content = (fixed("cuts sheets", settings.tongue, faces, ", ".join(map(str, sheets))),)
        foot = Foot(title=title_name, document=name, number=number, of=len(cut_by), content=content)
        bare = replace(draft, placed=(), lines=True, bar=None)
        pages.append(_page(bare, foot, feet, f"sheet:{stem}:{number}", settings)[0])
    subject = f"{amount('sheet', len(pages), settings.tongue)}, {settings.paper.name}"
    return Document(
        stem=stem, title=f"{title_name}: {name}", subject=subject, pages=tuple(pages), of_dies=True
    )


def _document(title_name: str, job: _Job, drafts: Sequence[Draft], feet: FootPainter) -> Document:
    document, settings = job.document, job.settings
    faces = settings.theme.type("sheet").faces
    name = printable(document.name, settings.tongue, faces)
    sides = [side for draft in drafts for side in _sides(draft, settings.finish)]
    pages: list[Page] = []
    placements: list[Placement] = []
    whole: int | None = None
    for number, (draft, face) in enumerate(sides, start=1):
        view = draft.view
        foot = Foot(
            title=title_name,
            document=name,
            number=(number + 1) // 2 if settings.finish.duplex in TWO_SIDED else number,
            of=len(drafts),
            content=view.content
            if view
            else _content(draft, _grouped(document), settings.tongue, faces),
            part=view.part if view else None,
            back=face == "back",
        )
        key = f"sheet:{document.stem}:{number}"
        page, matrix = _page(draft, foot, feet, key, settings)
        pages.append(page)
        if view and draft.placed:  # the first part of a piece
            whole = None if draft.placed[0].entry.again else len(placements)
        placements += (
            Placement(
                file=document.stem,
                page=number,
                kind=placed.entry.piece.kind,
                id=placed.entry.piece.id,
                face=placed.face,
                trim=_moved(placed.box, matrix),
                rotation=placed.rotation,
            )
            for placed in draft.placed
            if not placed.entry.again
        )
        if view and whole is not None and view.part.of > 1:
            part = PlacedPart(page=number, trim=_moved(view.trim, matrix), shows=view.shows)
            placements[whole] = replace(placements[whole], parts=(*placements[whole].parts, part))
    amounts = (
        amount(
            "piece", sum(placement.face == "front" for placement in placements), settings.tongue
        ),
        amount("sheet", len(drafts), settings.tongue),
    )
    return Document(
        stem=document.stem,
        title=f"{title_name}: {name}",
        subject=", ".join((*amounts, settings.paper.name)),
        pages=tuple(pages),
        placements=tuple(placements),
        notes=tuple(_not_folded(job)),
    )


def _not_folded(job: _Job) -> Iterator[Problem]:
    """SH11 for the pieces that are printed flat, by kind."""
    if job.flat is None:
        return
    kinds = dict.fromkeys(entry.piece.kind for entry in job.flat.entries)
    for kind in kinds:
        keys = dict.fromkeys(
            entry.piece.key for entry in job.flat.entries if entry.piece.kind == kind
        )
        message = f"half of {job.settings.paper.name} is too small for {_some(tuple(keys))}: printed on one side"
        hint = "backs that are read in play are printed as pieces of their own, to be glued on"
        yield Problem(code="SH11", severity=severity_of("SH11"), message=message, hint=hint)


def _some(keys: Sequence[str]) -> str:
    """The first few of some pieces, and how many more there are."""
    shown = ", ".join(keys[:_MOST_NAMED])
    return shown if len(keys) <= _MOST_NAMED else f"{shown} and {len(keys) - _MOST_NAMED} more"


def _sides(draft: Draft, finish: Finish) -> Iterator[tuple[Draft, str]]:
    """The pages of a sheet: its front, with the backs beside it where it is to be folded, and its
    back."""
    if finish.press:
        draft = replace(draft, bar=colour_bar_box(draft.frame))
    if finish.press or finish.duplex in TWO_SIDED:
        draft = replace(
            draft, marks=(*draft.marks, *register_marks(draft.frame, press=finish.press))
        )
    yield (with_backs_beside(draft) if finish.duplex == "fold" else draft), "front"
    if finish.duplex in TWO_SIDED:
        yield back_of(draft, finish.duplex, press=finish.press), "back"


def _page(
    draft: Draft, foot: Foot, feet: FootPainter, key: str, settings: SheetSettings
) -> tuple[Page, Matrix]:
    """A page, and how its content was moved on it to correct the printer's errors."""
    frame, view, finish, theme = draft.frame, draft.view, settings.finish, settings.theme
    items: list[Item] = [*view.items] if view else [_placed(placed) for placed in draft.placed]
    if draft.marks:
        stroke = theme.stroke("sheet.mark")
        stroke = replace(stroke, ink=REGISTRATION) if finish.press else stroke
        items.append(Path(commands=draft.marks, stroke=stroke, role=Role.MARK))
    if draft.bar:
        items += colour_bar(draft.bar)
    if not foot.back:
        items += _cut(draft, finish, theme)
        items += cutter_marks(frame) if finish.register == "silhouette" else ()
    items += feet.draw(foot, frame.foot)
    trim, bleed = _trim_and_bleed(draft)
    bleed = _on_page(bleed, frame)
    sideways = turns_sideways(frame, finish.duplex)
    matrix = finish.correction(frame.width_mm, frame.height_mm, back=foot.back, sideways=sideways)
    if matrix != IDENTITY:
        items = [Group(items=tuple(items), matrix=matrix)]
        trim, bleed = _moved(trim, matrix), _on_page(_moved(bleed, matrix), frame)
        if not _is_on_page(trim, frame):
            message = (
                f"the offset moves pieces off the sheet ({foot.document}, sheet {foot.number})"
            )
            raise ProblemsFound([Problem(code="SH06", message=message, hint="use a wider margin")])
    scene = Scene(
        key=key,
        width_mm=frame.width_mm,
        height_mm=frame.height_mm,
        items=tuple(items),
        label=f"{foot.title}: {foot.document}, {foot.number} / {foot.of}",
    )
    lines = draft.die or (cut_lines(draft.placed) if finish.outlines and not foot.back else ())
    return Page(scene=scene, trim=trim, bleed=bleed, cut=lines, is_back=foot.back), matrix


def _trim_and_bleed(draft: Draft) -> tuple[Box, Box]:
    if draft.view:
        return draft.view.trim, draft.view.bleed
    if draft.board or not draft.placed:
        trim = draft.board or draft.frame.room
        return trim, _grown(trim)
    return _around(placed.box for placed in draft.placed), _around(
        _bleed_box(placed) for placed in draft.placed
    )


def _cut(draft: Draft, finish: Finish, theme: Theme) -> tuple[Item, ...]:
    """The outlines of the fronts on a page, if they are shown."""
    if finish.cut not in ("lines", "spot") and not draft.lines:
        return ()
    if draft.die:
        return line_items(
            tuple(command for line in draft.die for command in line.commands), finish, theme
        )
    if draft.view is None:
        return cut_items(outlines_of(draft.placed), finish, theme)
    return draft.view.cut(cut_items([draft.view.outline], finish, theme))


def _moved(box: Box, matrix: Matrix) -> Box:
    if matrix == IDENTITY:
        return box
    across, _, _, down, dx, dy = matrix
    x, y, width, height = box
    return (across * x + dx, down * y + dy, across * width, down * height)


def _on_page(box: Box, frame: Frame) -> Box:
    """The part of a box that is on the page: a page's boxes may not extend beyond it."""
    x, y, width, height = box
    left, top = max(x, 0.0), max(y, 0.0)
    return left, top, min(x + width, frame.width_mm) - left, min(y + height, frame.height_mm) - top


def _is_on_page(box: Box, frame: Frame) -> bool:
    x, y, width, height = box
    return min(x, y, frame.width_mm - x - width, frame.height_mm - y - height) >= -_EPS


def _placed(placed: Placed) -> Item:
    """A face of a piece in its place: its scene by reference, inside its clip."""
    if placed.clip is None:
        return Use(scene=placed.scene, matrix=placed.matrix)
    return Group(
        items=(Use(scene=placed.scene, matrix=IDENTITY),), matrix=placed.matrix, clip=placed.clip
    )


def _bleed_box(placed: Placed) -> Box:
    """A piece without bleed is white at its edges: the paper itself continues there."""
    (x, y, width, height), (left, top, right, bottom) = placed.box, placed.bleed
    if not placed.scene.bleed_mm:
        left = top = right = bottom = WHITE_BLEED_MM
    return x - left, y - top, width + left + right, height + top + bottom


def _grown(box: Box) -> Box:
    """A blank back with the white that continues around it."""
    x, y, width, height = box
    return (
        x - WHITE_BLEED_MM,
        y - WHITE_BLEED_MM,
        width + 2 * WHITE_BLEED_MM,
        height + 2 * WHITE_BLEED_MM,
    )


def _around(boxes: Iterable[Box]) -> Box:
    """The least box around some boxes."""
    lefts, tops, rights, bottoms = zip(*((x, y, x + w, y + h) for x, y, w, h in boxes), strict=True)
    left, top = min(lefts), min(tops)
    return left, top, max(rights) - left, max(bottoms) - top


def _grouped(document: DocumentPlan) -> frozenset[str]:
    """The kinds of a document whose pieces are sorted by group."""
    parts = document.parts or (document,)
    return frozenset(kind for part in parts if part.sort_by_group for kind in part.kinds)


def _content(
    draft: Draft, grouped: Collection[str], tongue: Tongue, faces: Sequence[str]
) -> tuple[str, ...]:
    """What is on a page, in order: "yellow: 57 ×8" for kinds that are sorted by group (named where
    it changes), else "57 ×8"; where there are several kinds, below the name of each. A piece with a
    sheet to itself is listed by its name, and so are kinds whose ids are words. A back that is
    printed like a front is named as one."""

    def side(words: str, entry: PieceToPrint) -> str:
        return words if entry.face == "front" else fixed("the back", tongue, faces, words)

    if len(draft.placed) == 1 and draft.placed[0].entry.piece.count == 1:
        entry = draft.placed[0].entry
        return (side(printable(entry.piece.name, tongue, faces), entry),)
    counts: dict[tuple[str, str], tuple[PieceToPrint, int]] = {}
    for placed in draft.placed:
        entry = placed.entry
        key = entry.piece.key, entry.face
        counts[key] = entry, counts.get(key, (entry, 0))[1] + 1
    parts: list[str] = []
    last = ("", "")
    several = len({placed.entry.piece.kind for placed in draft.placed}) > 1
    for entry, count in counts.values():
        piece = entry.piece
        by_group = piece.kind in grouped and piece.group and not KINDS[piece.kind].goes_by_name
        head = (
            f"{printable(KINDS[piece.kind].name, tongue, faces)}: "
            if several and piece.kind != last[0]
            else ""
        )
        if by_group and (piece.kind, piece.group) != last:
            head += f"{fixed(piece.group, tongue, faces)}: "
        last = (piece.kind, piece.group)
        times = f" ×{count}" if count > 1 else ""
        if KINDS[piece.kind].goes_by_name:
            label = printable(piece.name, tongue, faces)
        else:
            label = _code(
                piece.id.removesuffix(f"-{piece.group}") if piece.kind in grouped else piece.id,
                tongue,
                faces,
            )
        parts.append(f"{head}{side(label, entry)}{times}")
    return tuple(parts)


def _code(piece_id: str, tongue: Tongue, faces: Sequence[str]) -> str:
    """An id, its last part in words if there are any: "BNR-director"."""
    stem, dash, last = piece_id.rpartition("-")
    return f"{stem}-{fixed(last, tongue, faces)}" if dash else piece_id
