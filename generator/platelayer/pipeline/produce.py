"""Finished files of one print: stages 4 to 8 (drawing to preflight)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import product as crossed

from msgspec.structs import replace

from platelayer.foundation.cache import digest_of
from platelayer.foundation.door import distinct
from platelayer.foundation.geometry import MM_PER_INCH
from platelayer.foundation.pixels import read_pixels
from platelayer.foundation.pool import gc_paused
from platelayer.foundation.problems import (
    CannotRun,
    Problem,
    ProblemsFound,
    Severity,
    has_errors,
    severity_of,
)
from platelayer.imposition.arrange import form_of, with_corners
from platelayer.imposition.cut import cut_items
from platelayer.imposition.draft import (
    PieceToPrint,
    draft_words,
    flagged,
    flagged_page,
    flagged_piece,
)
from platelayer.imposition.impose import impose
from platelayer.imposition.layouts import can_nest
from platelayer.imposition.making import Making, numbered, stacks_of
from platelayer.imposition.paper import TOO_LARGE, Document, Page, Placement, part_name
from platelayer.imposition.plan import gathered
from platelayer.imposition.tiling import canvas_page, piece_page
from platelayer.model.kinds import BOARDS, HEXES, KINDS, PLAY, Form, Piece, know_kinds
from platelayer.pipeline.faces import Faces, Judge, drawing_faults, faces_of, ours_left_out
from platelayer.pipeline.job import (
    DECK,
    HOME,
    Drawn,
    Made,
    Printed,
    PrintedFile,
    PrintedPiece,
    PrintJob,
    Product,
    boards_for,
    product_for,
    products,
    still_to_print,
)
from platelayer.preflight import READS_PDF
from platelayer.preflight.findings import check_png
from platelayer.render.content import Content, Parts
from platelayer.render.pdf import render_pdf
from platelayer.render.scenes import greyed
from platelayer.scene.inks import WHITE, Ink
from platelayer.scene.paths import joined
from platelayer.scene.press import inks_of_pixels, printing_on
from platelayer.scene.shapes import (
    Commands,
    Group,
    Items,
    Path,
    Scene,
    Use,
    rectangle_path,
    translation,
)

if READS_PDF:
    from platelayer.preflight.inspect import inspect_pdf


def pdf_file(job: PrintJob, document: Document) -> PrintedFile:
    """Return a document as a PDF file in the colours of the print. Cached streams of its last print
    are not painted again."""
    parts, cache = None, job.cache
    key = digest_of("parts", job.title.id, document.stem, job.options)
    if cache is not None:
        parts = Parts(cache.get(key, dict[bytes, Content]) or {})
    data = render_pdf(
        document,
        colour=job.options.color,
        standard=job.standard,
        rich_black=job.options.black == "rich",
        parts=parts,
    )
    if cache is not None and parts is not None and parts.used != parts.known:
        cache.put(key, parts.used, dict[bytes, Content])
    return PrintedFile(
        f"{document.stem}.pdf",
        data,
        pages=len(document.pages),
        placements=document.placements,
    )


# Files for card shops: a PDF with a page, or a picture, for each face of each card.


# Prefix of the labels of a piece's later pages, which are listed with its first page.
_FURTHER = "front-"


def print_cards(job: PrintJob, drawn: Sequence[Drawn], faulty: bool) -> Made:
    """Return one PDF per card size, with a page for the back and then one for the front of each
    copy of each card. For a press that makes any size, one PDF per kind of piece, with each
    piece once."""
    decks: dict[str, list[tuple[Drawn, bool]]] = {}
    for entry in drawn:
        if fitting := product_for(job.profile, entry.fronts[0]):
            decks.setdefault(fitting[0].id, []).append((entry, fitting[1]))
    is_of_sizes = bool(products(job.profile))
    files = []
    for product_id, cards in () if faulty else decks.items():
        stem = f"{DECK}{product_id}" if is_of_sizes else product_id
        pages = []
        placements = []
        for card, turned in cards:
            faces = [
                (label, _page(job, scene, _rotation(label, turned)))
                for label, scene in (("back", card.back), *_front_labels(card.fronts))
                if scene is not None
            ]
            copies, pieces_a_page = card.piece.count, 1
            if not is_of_sizes:
                copies, pieces_a_page = 1, card.piece.count
            for _ in range(copies):
                for label, page in faces:
                    pages.append(page)
                    if not label.startswith(_FURTHER):
                        placement = _placement(card, (stem, len(pages)), label, page, turned)
                        placements += [placement] * pieces_a_page
        document = Document(
            stem=stem,
            title=f"{job.title.name.get(job.style.language)}: {stem}",
            subject=f"{len(pages)} pages",
            pages=tuple(pages),
            placements=tuple(placements),
        )
        if job.errors:
            words, _ = draft_words(job.errors, job.style.tongue, job.style.theme)
            document = flagged(document, words, job.style.theme)
        files.append(pdf_file(job, document))
    return tuple(files), []


def print_pictures(job: PrintJob, drawn: Sequence[Drawn], faulty: bool) -> Made:
    """Return a PNG for each face of each piece (for pieces with several pages: `front`, `front-2`
    ...), in the pixel size of the shop's product, in a folder for each product (or for each kind
    of piece, if the shop has no products)."""
    from platelayer.render.png import render_png

    png = job.profile.limits.png
    dpi = png.dpi if png else 300
    files = []
    # File names by the key of a piece. They are unique even where case is ignored, and do not
    # depend on which pieces are printed.
    taken: set[str] = set()
    plain = ((piece, f"{piece.kind}-{piece.id}") for piece in job.manifest.pieces)
    names = {
        piece.key: distinct(re.sub(r"[^A-Za-z0-9.+-]", "_", name), taken) for piece, name in plain
    }
    pictures = {}
    for entry in () if faulty else drawn:
        fitting = product_for(job.profile, entry.fronts[0])
        if fitting is None:
            continue
        product, turned = fitting
        for label, scene in (*_front_labels(entry.fronts), ("back", entry.back)):
            if scene is None:
                continue
            page = _page(job, scene, _rotation(label, turned), product)
            if job.errors:
                words, _ = draft_words(job.errors, job.style.tongue, job.style.theme)
                page = flagged_page(page, words, job.style.theme)
            if scene.key not in pictures:  # pieces share backs
                picture = page.scene
                if product.pixels is None:
                    # A shop cuts pictures itself; otherwise, omit everything beyond the outline.
                    # Charts and checklists do not paint their paper, so add white.
                    picture = scene
                    if form_of(scene) is Form.RECTANGLE:
                        picture = _on_white(scene, scene.die_line)
                if job.options.color == "gray":
                    (picture,) = greyed([picture])
                pictures[scene.key] = render_png(picture, dpi=dpi, pixels=product.pixels)
            name = f"{product.id}/{names[entry.piece.key]}-{label}.png"
            placement = _placement(entry, (name, 1), label, page, turned)
            is_further, copies = label.startswith(_FURTHER), entry.piece.count
            file = PrintedFile(
                name,
                pictures[scene.key],
                pages=1,
                placements=() if is_further else (placement,) * copies,
                further_copies=copies if is_further else 0,
            )
            files.append(file)
    return tuple(files), []


def _rotation(face: str, turned: bool) -> int:
    """Return the rotation of a face. A back is rotated the other way from its front, because a card
    is turned over like the page of a book."""
    return 0 if not turned else 270 if face == "back" else 90


def _front_labels(fronts: Sequence[Scene]) -> tuple[tuple[str, Scene], ...]:
    further = ((f"{_FURTHER}{number}", scene) for number, scene in enumerate(fronts[1:], 2))
    return (("front", fronts[0]), *further)


def _on_white(scene: Scene, ground: Commands) -> Scene:
    return replace(scene, items=(Path(ground, fill=WHITE), *scene.items))


def _page(job: PrintJob, scene: Scene, rotation: int, product: Product | None = None) -> Page:
    """Return the page of a face: with its bleed, or in the pixel size of the shop's product."""
    png, bleed_mm = job.profile.limits.png, job.profile.limits.bleed_mm
    extra: Items = ()
    if job.options.cut in ("lines", "spot"):
        extra = cut_items([scene.die_line], job.options, job.style.theme)
    if not scene.bleed_mm:
        # Extend a piece with white edges, such as a checklist, by white bleed.
        size = (scene.width_mm + 2 * bleed_mm, scene.height_mm + 2 * bleed_mm)
        scene = _on_white(scene, rectangle_path(-bleed_mm, -bleed_mm, *size))
        scene = replace(scene, bleed_mm=bleed_mm)
    if product is None or product.pixels is None or png is None:
        return piece_page(scene, bleed_mm=bleed_mm, rotation=rotation, extra=extra)
    canvas = (product.pixels[0] * MM_PER_INCH / png.dpi, product.pixels[1] * MM_PER_INCH / png.dpi)
    around = _ground(scene) if product.holds_smaller else WHITE
    return canvas_page(scene, canvas, rotation=rotation, extra=extra, around=around)


def _ground(scene: Scene) -> Ink:
    """Return the ink below everything on a piece, with which a board is filled around it."""
    item = scene.items[0] if scene.items else None
    while isinstance(item, Group):
        item = item.items[0] if item.items else None
    return item.fill if isinstance(item, Path) and item.fill is not None else WHITE


def _on_boards(job: PrintJob, scene: Scene) -> tuple[Scene, ...]:
    """Return a map or board spread over several boards of the shop, laid side by side, with the
    piece in the middle of them all. Empty if the shop has none."""
    found = boards_for(job.profile, scene)
    if found is None:
        return ()
    wide, high, columns, rows = found
    bleed = job.profile.limits.bleed_mm
    left, top = (columns * wide - scene.width_mm) / 2, (rows * high - scene.height_mm) / 2
    around = rectangle_path(-bleed, -bleed, wide + 2 * bleed, high + 2 * bleed)
    ground = Path(around, fill=_ground(scene))
    parts = []
    for row, column in crossed(range(rows), range(columns)):
        x, y = column * wide - left, row * high - top
        clip = rectangle_path(x - bleed, y - bleed, wide + 2 * bleed, high + 2 * bleed)
        shown = Group((Use(scene),), matrix=translation(-x, -y), clip=clip)
        key = f"{scene.key}:{part_name(row, column)}"
        parts.append(
            replace(
                scene,
                key=key,
                width_mm=wide,
                height_mm=high,
                items=(ground, shown),
                outline=None,
                bleed_mm=bleed,
            )
        )
    return tuple(parts)


def split_supported(job: PrintJob, drawn: Sequence[Drawn]) -> tuple[list[Drawn], list[Problem]]:
    """Return the pieces that the shop can make, with maps and boards split over several of its
    boards if need be, and a problem for each kind and size that it cannot make: an error for
    cards, and for hexes if the shop makes hexes."""
    fitting = []
    problems: dict[str, Problem] = {}
    makes_hexes = any(product.form is Form.HEXAGON for product in products(job.profile))
    for entry in drawn:
        scene, kind = entry.fronts[0], KINDS[entry.piece.kind]
        if product_for(job.profile, scene) is not None:
            fitting.append(entry)
            continue
        if kind.sort == BOARDS and (parts := _on_boards(job, scene)):
            fitting.append(replace(entry, fronts=parts, back=None))
            continue
        is_refused = kind.is_card or (kind.sort == HEXES and makes_hexes)
        message = f"{job.profile.name.get('en')} does not make {kind.id} pieces of "
        message += f"{scene.width_mm:.4g} x {scene.height_mm:.4g} mm"
        if not is_refused:
            message += ": left out"
        form = form_of(scene)
        names = [product.id for product in products(job.profile) if product.form is form]
        hint = f"choose a size for {kind.id}; there are {', '.join(names)}" if names else ""
        if not kind.size_mm or kind.id == "map":
            hint = "print it elsewhere"
        if is_refused and can_nest(scene):
            # Use one message for all such kinds, so that they become one problem.
            message = f"{job.profile.name.get('en')} does not make pieces of several hexes"
            alike = (other for other in KINDS.values() if other.documents == kind.documents)
            left_out = ",".join(other.id for other in alike if other.id in job.manifest.totals)
            hint = f"print them at home, and order the rest with --without {left_out}"
        severity = Severity.ERROR if is_refused else Severity.WARNING
        problem = Problem("SH08", message, hint, severity=severity)
        problems.setdefault(message, problem)
    return fitting, list(problems.values())


def _placement(
    drawn: Drawn, where: tuple[str, int], face: str, page: Page, turned: bool
) -> Placement:
    return Placement(
        file=where[0],
        page=where[1],
        kind=drawn.piece.kind,
        id=drawn.piece.id,
        face=face,
        trim=page.trim,
        rotation=_rotation(face, turned),
    )


def print_share(job: PrintJob, share: Sequence[Piece]) -> Printed:
    """Run stages 4 to 8 for some pieces. Problems are returned, not raised: another share may have
    more."""
    know_kinds(job.added)
    with gc_paused(), printing_on(job.options.intent):
        return _printed(job, share)


def _drawn(
    job: PrintJob, pieces: Sequence[Piece]
) -> tuple[list[Drawn], dict[str, Faces], list[Problem]]:
    """Run stages 4 and 5: return the pieces that can be drawn, their faces by key, and problems and
    notes from drawing. A back is drawn if it is needed in play or printed behind its front."""
    any_backs = job.options.duplex != "none" or job.options.output != "sheets"
    judge = Judge(press=job.options.intent if job.options.color == "cmyk" else "")
    drawn = []
    problems: list[Problem] = []
    faces = {}
    for piece in pieces:
        with drawing_faults(piece, problems):
            has_back = piece.back == PLAY or (any_backs and bool(piece.back))
            own = faces_of(job.sources, piece, judge, job.cache, back=has_back)
            faces[piece.key] = own
            back = None if own.back is None else own.back.scene
            fronts = tuple(face.scene for face in own.fronts)
            if job.options.corner_mm and KINDS[piece.kind].is_card:
                fronts = tuple(with_corners(scene, job.options.corner_mm) for scene in fronts)
                back = back and with_corners(back, job.options.corner_mm)
            drawn.append(Drawn(piece=piece, fronts=fronts, back=back))
            problems += own.notes
    return drawn, faces, problems


def _printed(job: PrintJob, share: Sequence[Piece]) -> Printed:
    drawn, faces, problems = _drawn(job, share)
    if job.options.output != "sheets":
        drawn, noted = split_supported(job, drawn)
        problems += noted
    # Many pieces share a back; its problems are reported for the last of them.
    last = {
        face.scene.key: (entry.piece, face)
        for entry in drawn
        for face in faces[entry.piece.key].all
    }
    for piece, face in last.values():
        problems += (replace(problem, about=piece.key) for problem in face.problems)
    # Platelayer's own aids are omitted with a warning if they have errors.
    for piece in share:
        if not KINDS[piece.kind].is_ours:
            continue
        own = [problem for problem in problems if problem.about == piece.key]
        for face in faces[piece.key].all if piece.key in faces else ():
            own += (replace(problem, about=piece.key) for problem in face.problems)
        if has_errors(own):
            drawn = [entry for entry in drawn if entry.piece is not piece]
            problems = [problem for problem in problems if problem.about != piece.key]
            problems += ours_left_out(piece, list(dict.fromkeys(own)))
    left_out = {piece.key for piece in share} - {entry.piece.key for entry in drawn}
    printed = {}
    to_print = []
    theme, tongue = job.style.theme, job.style.tongue
    for entry in drawn:
        key, shown = entry.piece.key, faces[entry.piece.key]
        front = joined(face.digest for face in shown.fronts)
        behind = joined([shown.back.digest]) if shown.back else ""
        printed[key] = PrintedPiece(entry.piece.count, front, back=behind)
        needed = entry.piece
        if job.before is not None:
            new = still_to_print(entry.piece, printed[key], job.before)
            if new is None:
                continue
            needed = new
        fronts = entry.fronts
        if key in job.flagged:
            words = draft_words(job.flagged[key], tongue, theme)
            fronts = tuple(flagged_piece(scene, words, theme) for scene in fronts)
        to_print.append(replace(entry, piece=needed, fronts=fronts))
    files: tuple[PrintedFile, ...] = ()
    try:
        faulty = has_errors(problems) and not job.options.draft
        files, noted = _OUTPUTS[job.options.output](job, to_print, faulty)
        problems += noted
        # Stage 8: checks of the finished bytes. For a home printer the checks of the scenes cover
        # the content; a shop requires more.
        limits = job.profile.limits
        for file in files:
            if file.name.endswith(".pdf") and READS_PDF:
                is_for_shop = job.profile.id != HOME
                problems += inspect_pdf(
                    file.data, file.name, limits, ours=True, painted=is_for_shop
                )
            elif file.name.endswith(".png") and limits.png is not None:
                problems += check_png(file.data, file.name, limits.png)
    except ProblemsFound as error:
        problems += error.problems
    left_out |= {problem.about for problem in problems if problem.code == "SH12"}
    if job.options.draft:
        placements = [placement for file in files for placement in file.placements]
        placed = {f"{placement.kind}:{placement.id}" for placement in placements}
        left_out |= {piece.key for piece in share if piece.key not in placed}
    return Printed(
        files=files, pieces=printed, left_out=frozenset(left_out), problems=tuple(problems)
    )


def _print_sheets(job: PrintJob, drawn: Sequence[Drawn], faulty: bool) -> Made:
    """Return sheets to cut: one PDF for each document of the plan."""
    documents, problems = _documents(job, drawn)
    files = []
    for document in () if faulty else documents:
        if job.options.making and not document.of_dies:
            files.append(_with_making(job, document))
        else:
            files.append(pdf_file(job, document))
        if document.of_dies:
            files += die_files(document, job.options.spot_layer)
        elif job.options.also:
            files += sheet_files(document, job.options.also, grey=job.options.color == "gray")
    return tuple(files), problems


def _with_making(job: PrintJob, document: Document) -> PrintedFile:
    """Return a document with numbered strokes, and how it is made."""
    layouts = {
        planned.stem: planned.layout(job.layouts)
        for plan in (job.plan, gathered(job.plan, job.layouts))
        for planned in plan
    }
    stacks = stacks_of(document, layouts[document.stem])
    shown = numbered(document, stacks, job.style.theme)
    file = pdf_file(job, shown)
    making = Making(
        file=file.name,
        pieces=frozenset((placed.kind, placed.id) for placed in document.placements),
        stacks=stacks,
        inks=_coverage(document),
    )
    return replace(file, making=making)


def _coverage(document: Document) -> tuple[float, ...] | None:
    """Return the mean share of a document's pages that each ink of the current press covers; None
    if no picture can be painted here."""
    from platelayer.render.png import render_png

    sums, count = [0, 0, 0, 0], 0
    try:
        for page in document.pages:
            ground = rectangle_path(0.0, 0.0, page.scene.width_mm, page.scene.height_mm)
            picture = render_png(_on_white(page.scene, ground), dpi=_COVERAGE_DPI)
            packed = inks_of_pixels(read_pixels(picture, document.stem))
            sums = [total + sum(packed[ink::4]) for ink, total in enumerate(sums)]
            count += len(packed) // 4
    except CannotRun:
        return None
    return tuple(total / 255 / count for total in sums)


def _documents(job: PrintJob, drawn: Sequence[Drawn]) -> tuple[tuple[Document, ...], list[Problem]]:
    """Return the pages, without aids for which the paper is too small, and problems. A draft omits
    everything that the paper is too small for, and states the number of errors. Raises
    ProblemsFound."""
    problems = []
    try:
        documents = impose_pieces(job, drawn)
    except ProblemsFound as error:
        large = {problem.about for problem in error.problems if problem.code == TOO_LARGE}
        aids = {entry.piece.key for entry in drawn if KINDS[entry.piece.kind].is_aid}
        if not large or not (job.options.draft or large <= aids):
            raise
        severity = severity_of("SH12")
        for problem in error.problems:
            message = f"{problem.message}; it is left out"
            aid_left_out = replace(problem, code="SH12", severity=severity, message=message)
            problems.append(aid_left_out if problem.about in aids else problem)
        documents = impose_pieces(job, [entry for entry in drawn if entry.piece.key not in large])
    problems += (note for document in documents for note in document.notes)
    if job.errors:
        words, _ = draft_words(job.errors, job.style.tongue, job.style.theme)
        documents = tuple(
            document if document.of_dies else flagged(document, words, job.style.theme)
            for document in documents
        )
    return documents, problems


def lay_out(job: PrintJob, pieces: Sequence[Piece]) -> tuple[tuple[Document, ...], list[Problem]]:
    """Return the pages of some pieces without printing them, and the problems that keep pieces from
    being laid out. Raises ProblemsFound."""
    with printing_on(job.options.intent):
        drawn, _, problems = _drawn(job, pieces)
        documents, noted = _documents(job, drawn)
    return documents, [*problems, *noted]


def impose_pieces(job: PrintJob, drawn: Sequence[Drawn]) -> tuple[Document, ...]:
    """Run stage 6: return the pages. Raises ProblemsFound for pieces that the paper is too small
    for."""
    return impose(
        job.title.name.get(job.style.language),
        [entry for printed in drawn for entry in entries(printed, job.options.duplex)],
        theme=job.style.theme,
        options=job.options,
        tongue=job.style.tongue,
        plan=job.plan,
    )


def entries(drawn: Drawn, duplex: str) -> Iterator[PieceToPrint]:
    """Yield the faces of a piece to lay out: its fronts with its back behind the first or, on
    single-sided sheets, its back as a separate face next to it."""
    piece, back = drawn.piece, drawn.back
    for number, scene in enumerate(drawn.fronts):
        behind = back if number == 0 and duplex != "none" else None
        yield PieceToPrint(piece=piece, scene=scene, back=behind, again=number > 0)
    if back is not None and duplex == "none":
        yield PieceToPrint(piece=piece, scene=back, face="back")


_OUTPUTS: dict[str, Callable[[PrintJob, Sequence[Drawn], bool], Made]] = {
    "sheets": _print_sheets,
    "cards": print_cards,
    "pictures": print_pictures,
}


# Resolution of pictures of sheets: Design Space and Silhouette Studio print at this one.
_DPI = 300.0
# Resolution of a picture for measuring ink coverage; finer pictures give the same percentage.
_COVERAGE_DPI = 24.0


def sheet_files(
    document: Document, also: Sequence[str], *, grey: bool = False
) -> Iterator[PrintedFile]:
    """Yield `tiles-1.svg` and `tiles-1.png` for the first page of tiles.pdf, with `tiles-1-cut.svg`
    and `tiles-1-cut.dxf` if there is something to cut. All have the size of the page and start
    at its corner, so that they register. With `edge`, the SVG file of cut lines contains the
    page's edge, as the DXF file does."""
    # Imported here, as svgwrite takes 40 ms and most prints are only PDF.
    from platelayer.render.cut_files import render_cut_svg, render_dxf
    from platelayer.render.svg import render_svg

    digits = len(str(len(document.pages)))
    for number, page in enumerate(document.pages, start=1):
        stem = f"{document.stem}-{number:0{digits}}"
        sheet = greyed([page.scene])[0] if grey else page.scene
        size = sheet.width_mm, sheet.height_mm
        if "svg" in also:
            yield _file(f"{stem}.svg", render_svg(sheet))
        if "png" in also:
            from platelayer.render.png import render_png

            data = render_png(_on_white(sheet, rectangle_path(0.0, 0.0, *size)), dpi=_DPI)
            yield _file(f"{stem}.png", data)
        if page.cut and ("svg" in also or "edge" in also):
            title = sheet.label or document.title
            data = render_cut_svg(page.cut, *size, title=title, edge="edge" in also)
            yield _file(f"{stem}-cut.svg", data)
        if page.cut and "dxf" in also:
            lines = [command for line in page.cut for command in line.commands]
            yield _file(f"{stem}-cut.dxf", render_dxf(lines, *size))


def die_files(document: Document, layer: str) -> Iterator[PrintedFile]:
    """Yield the lines of each die as SVG and DXF, on a layer."""
    from platelayer.render.cut_files import render_cut_svg, render_dxf

    for number, page in enumerate(document.pages, start=1):
        name, size = f"{document.stem}-{number}", (page.scene.width_mm, page.scene.height_mm)
        lines = [command for line in page.cut for command in line.commands]
        svg = render_cut_svg(page.cut, *size, title=page.scene.label or name, layer=layer)
        yield _file(f"{name}.svg", svg)
        yield _file(f"{name}.dxf", render_dxf(lines, *size, layer=layer))


def _file(name: str, data: bytes) -> PrintedFile:
    return PrintedFile(name, data, pages=1, placements=(), again=True)
