"""Finished files of one print: stages 4 to 8 (drawing to preflight)."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import chain, count
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from platelayer import preflight
from platelayer.foundation.cache import digest_of
from platelayer.foundation.codes import severity_of
from platelayer.foundation.geometry import MM_PER_INCH
from platelayer.foundation.pool import gc_paused, share_out
from platelayer.foundation.problems import (
    CannotRun,
    Problem,
    ProblemsFound,
    Severity,
    has_errors,
    sort_problems,
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
from platelayer.imposition.impose import TOO_LARGE, impose
from platelayer.imposition.page import Document, Page, Placement
from platelayer.imposition.plan import gathered
from platelayer.imposition.tiling import canvas_page, piece_page
from platelayer.model.kinds import BOARDS, CHARTERS, KINDS, PLAY, Form, Piece, know_kinds
from platelayer.pipeline.faces import Faces, Judge, Sources, drawing_faults, faces_of, ours_left_out
from platelayer.pipeline.job import Drawn, Made, Printed, PrintedFile, PrintJob, Progress, pdf_file
from platelayer.pipeline.options import HOME
from platelayer.pipeline.reprint import PrintedPiece, still_to_print
from platelayer.render.scenes import greyed
from platelayer.scene.digest import joined
from platelayer.scene.inks import WHITE
from platelayer.scene.press import printing_on
from platelayer.scene.shapes import Command, Group, Item, Path, Scene, rectangle_path

if TYPE_CHECKING:
    from platelayer.model.manifest import Manifest
    from platelayer.model.profile import Profile


# Files for card shops: a PDF page for each face of each card, or a picture of each face.


# A piece may differ this much from a shop's size and still be cut cleanly.
_SLACK_MM = 0.5
# Beginning of the names of files with decks.
_DECK = "cards-"
# Beginning of the labels of a piece's later pages: a piece is placed with its first page.
_FURTHER = "front-"
_FORMS = {"Hex": Form.HEXAGON, "Circle": Form.DISC}


class Product(Struct, frozen=True, kw_only=True):
    """A shop's product for a piece: its name there (and in the file name), the cut size in mm in
    the shop's orientation, and the pixels of its pictures (None: as many as the size needs)."""

    id: str
    form: Form
    trim_mm: tuple[float, float]
    pixels: tuple[int, int] | None = None
    holds_smaller: bool = False

    def holds(self, width_mm: float, height_mm: float) -> bool:
        """True if a piece may lie in its middle."""
        wide, high = self.trim_mm
        return self.holds_smaller and width_mm <= wide + _SLACK_MM and height_mm <= high + _SLACK_MM


def products(profile: Profile) -> tuple[Product, ...]:
    """The products of a profile's shop, best known first; empty if it takes any size."""
    if profile.limits.png is None or not profile.limits.png.sizes:
        return tuple(
            Product(id=f"{size[0]:g}x{size[1]:g}", form=Form.RECTANGLE, trim_mm=size)
            for size in profile.limits.page_sizes_mm
        )
    known = []
    for size in profile.limits.png.sizes:
        form = next((form for word, form in _FORMS.items() if word in size.id), Form.RECTANGLE)
        product = Product(
            id=size.id,
            form=form,
            trim_mm=size.trim_mm,
            pixels=(size.width_px, size.height_px),
            holds_smaller=size.holds_smaller,
        )
        known.append(product)
    return tuple(known)


def product_for(profile: Profile, scene: Scene) -> tuple[Product, bool] | None:
    """The product with a piece's form and size, and whether the piece has to be turned to match it;
    for boards and charters else the smallest board or mat with room for it; None if the shop has
    none."""
    known = products(profile)
    width, height = scene.width_mm, scene.height_mm
    kind_id = scene.key.partition(":")[0]
    if not known:
        return Product(id=kind_id, form=form_of(scene), trim_mm=(width, height)), False
    matching: list[tuple[float, Product, bool]] = []
    roomy: list[tuple[float, Product, bool]] = []
    for turned, (across, down) in ((False, (width, height)), (True, (height, width))):
        for product in known:
            wide, high = product.trim_mm
            off = max(abs(across - wide), abs(down - high))
            if product.form is form_of(scene) and off <= _SLACK_MM:
                matching.append((off, product, turned))
            if product.holds(across, down):
                roomy.append((wide * high, product, turned))
    best = min(matching, key=lambda way: (way[0], known.index(way[1]), way[2]), default=None)
    kind = KINDS.get(kind_id)
    if best is None and kind is not None and kind.sort in (BOARDS, CHARTERS):
        best = min(roomy, key=lambda way: (way[0], way[2]), default=None)
    return best and best[1:]


def print_cards(job: PrintJob, drawn: Sequence[Drawn], faulty: bool) -> Made:
    """One PDF per card size: for each copy of each card a page for its back, then one for its
    front. For a press that makes any size, one PDF per kind of piece, with each piece once."""
    decks: dict[str, list[tuple[Drawn, bool]]] = {}
    for entry in drawn:
        if fitting := product_for(job.profile, entry.fronts[0]):
            decks.setdefault(fitting[0].id, []).append((entry, fitting[1]))
    is_of_sizes = bool(products(job.profile))
    files = []
    for product_id, cards in () if faulty else decks.items():
        stem = f"{_DECK}{product_id}" if is_of_sizes else product_id
        pages: list[Page] = []
        placements: list[Placement] = []
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
    """A PNG for each face of each piece (for each page of pieces with several: `front`, `front-2`
    ...), in the pixels of the shop's product, in a folder for each product (or for each kind of
    piece, if the shop has no products)."""
    from platelayer.render.png import PngUnavailable, render_png

    png = job.profile.limits.png
    dpi = png.dpi if png else 300
    files: list[PrintedFile] = []
    names = _file_names(job.manifest)
    pictures: dict[str, bytes] = {}
    try:
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
                    if png is None:
                        # A shop cuts pictures out itself; without one, everything beyond the
                        # outline is left out. Charts and checklists paint no paper of their own.
                        picture = scene
                        if form_of(scene) is Form.RECTANGLE:
                            picture = _on_white(scene, scene.die_line)
                    if job.options.color == "gray":
                        (picture,) = greyed([picture])
                    pictures[scene.key] = render_png(picture, dpi=dpi, pixels=product.pixels)
                name = f"{product.id}/{names[entry.piece.key]}-{label}.png"
                placement = _placement(entry, (name, 1), label, page, turned)
                copies = 0 if label.startswith(_FURTHER) else entry.piece.count
                file = PrintedFile(
                    name=name, data=pictures[scene.key], pages=1, placements=(placement,) * copies
                )
                files.append(file)
    except PngUnavailable as error:
        raise CannotRun(str(error)) from error
    return tuple(files), []


# The order list of a shop.
ORDER = "order.csv"
_ORDER_COLUMNS = (
    "product",
    "name",
    "width_mm",
    "height_mm",
    "designs",
    "pieces",
    "quantity",
    "price",
    "total",
)


def order_list(profile: Profile, files: Sequence[PrintedFile], language: str) -> bytes:
    """The order for one game as CSV, a product of the shop a line: the numbers of different pieces
    and of all. Quantity and prices are left for whoever orders."""
    png = profile.limits.png
    names = {size.id: size.name.get(language) for size in png.sizes} if png else {}
    made: dict[str, list[str]] = {}
    for file in files:
        product_id = file.name.partition("/")[0].removeprefix(_DECK).removesuffix(".pdf")
        fronts = [placed for placed in file.placements if placed.face == "front"]
        pieces = made.setdefault(product_id, [])
        pieces += (f"{placed.kind}:{placed.id}" for placed in fronts)
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(_ORDER_COLUMNS)
    for product in products(profile):
        if pieces := made.get(product.id, []):
            size = (f"{side:.4g}" for side in product.trim_mm)
            counts = (len({*pieces}), len(pieces))
            rows.writerow((product.id, names.get(product.id, ""), *size, *counts, "", "", ""))
    return text.getvalue().encode()


def _rotation(face: str, turned: bool) -> int:
    """Rotation of a face: a back is rotated the other way from its front, because a card is turned
    over like the page of a book."""
    return 0 if not turned else 270 if face == "back" else 90


def _front_labels(fronts: Sequence[Scene]) -> tuple[tuple[str, Scene], ...]:
    further = ((f"{_FURTHER}{number}", scene) for number, scene in enumerate(fronts[1:], 2))
    return (("front", fronts[0]), *further)


def _on_white(scene: Scene, ground: tuple[Command, ...]) -> Scene:
    return replace(scene, items=(Path(commands=ground, fill=WHITE), *scene.items))


def _page(job: PrintJob, scene: Scene, rotation: int, product: Product | None = None) -> Page:
    """The page of a face: with its bleed, or in the pixel size of the shop's product."""
    png, bleed_mm = job.profile.limits.png, job.profile.limits.bleed_mm
    extra: tuple[Item, ...] = ()
    if job.options.cut in ("lines", "spot"):
        extra = cut_items([scene.die_line], job.options, job.style.theme)
    if not scene.bleed_mm:
        # A piece that is white at its edges, as a checklist is, has as much white beyond them.
        size = (scene.width_mm + 2 * bleed_mm, scene.height_mm + 2 * bleed_mm)
        scene = _on_white(scene, rectangle_path(-bleed_mm, -bleed_mm, *size))
        scene = replace(scene, bleed_mm=bleed_mm)
    if product is None or product.pixels is None or png is None:
        return piece_page(scene, bleed_mm=bleed_mm, rotation=rotation, extra=extra)
    canvas = (product.pixels[0] * MM_PER_INCH / png.dpi, product.pixels[1] * MM_PER_INCH / png.dpi)
    around = WHITE
    if product.holds_smaller:
        # The ink that lies under everything on the piece continues around it.
        item: Item | None = scene.items[0] if scene.items else None
        while isinstance(item, Group):
            item = item.items[0] if item.items else None
        if isinstance(item, Path) and item.fill is not None:
            around = item.fill
    return canvas_page(scene, canvas, rotation=rotation, extra=extra, around=around)


def split_supported(job: PrintJob, drawn: Sequence[Drawn]) -> tuple[list[Drawn], list[Problem]]:
    """The pieces that the shop can make, and a problem for each kind and size that it cannot: an
    error if they are cards."""
    fitting: list[Drawn] = []
    problems: dict[str, Problem] = {}
    for entry in drawn:
        scene, kind = entry.fronts[0], KINDS[entry.piece.kind]
        if product_for(job.profile, scene) is not None:
            fitting.append(entry)
            continue
        message = f"{job.profile.name.get('en')} does not make {kind.id} pieces of "
        message += f"{scene.width_mm:.4g} x {scene.height_mm:.4g} mm"
        if not kind.is_card:
            message += ": left out"
        form = form_of(scene)
        names = [product.id for product in products(job.profile) if product.form is form]
        hint = f"choose a size for {kind.id}; there are {', '.join(names)}" if names else ""
        if not kind.size_mm or kind.id == "map":
            hint = "print it elsewhere"
        severity = Severity.ERROR if kind.is_card else Severity.WARNING
        problem = Problem(code="SH08", severity=severity, message=message, hint=hint)
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


def _file_names(manifest: Manifest) -> dict[str, str]:
    """A file name for each piece of a title by its key. They differ even on systems that ignore
    case, and do not depend on which pieces are printed."""
    names: dict[str, str] = {}
    taken: set[str] = set()
    for piece in manifest.pieces:
        plain = re.sub(r"[^A-Za-z0-9.+-]", "_", f"{piece.kind}-{piece.id}")
        tried = chain((plain,), (f"{plain}~{number}" for number in count(2)))
        name = next(name for name in tried if name.lower() not in taken)
        names[piece.key] = name
        taken.add(name.lower())
    return names


def print_pieces(
    job: PrintJob, pieces: Sequence[Piece], progress: Progress, processes: int
) -> Printed:
    """The files, in the order of the sheet plan. Raises ProblemsFound with everything that would be
    illegible, does not fit its card or the paper, or breaks a limit of the profile."""
    finished = 0

    def done(share: _Share) -> None:
        nonlocal finished
        finished += len(share)
        progress("printing", finished, len(pieces))

    progress("printing", 0, len(pieces))
    shares = _print_shares(job, _shares(job, pieces), done, processes)
    problems = sort_problems(
        dict.fromkeys(problem for printed in shares for problem in printed.problems)
    )
    # Paper, layouts and the like, which the user has requested, stop even a draft.
    fatal = [
        problem
        for problem in problems
        if not job.options.draft or (problem.code.startswith("SH") and problem.code != TOO_LARGE)
    ]
    if has_errors(fatal):
        raise ProblemsFound(problems)
    documents = [f"{plan.stem}.pdf" for plan in gathered(job.plan, job.layouts)]
    order = {name: number for number, name in enumerate(documents)}
    files = [file for printed in shares for file in printed.files]
    files.sort(key=lambda file: (order.get(file.name, len(order)), file.name))
    left_out = frozenset[str]().union(*(printed.left_out for printed in shares))
    printed_pieces = {key: face for printed in shares for key, face in printed.pieces.items()}
    return Printed(
        files=tuple(files),
        pieces={
            piece.key: printed_pieces[piece.key] for piece in pieces if piece.key in printed_pieces
        },
        left_out=left_out,
        problems=problems,
    )


# Pieces that share a file, or several files.
_Share = tuple[Piece, ...]


def _print_shares(
    job: PrintJob, shares: Sequence[_Share], done: Callable[[_Share], None], processes: int
) -> list[Printed]:
    """The files of each share, from the cache or made."""
    cache = job.cache
    # The looks of the user's own kinds may depend on anything.
    if cache is None or job.added:
        return share_out(partial(_print_share, job), shares, processes=processes, done=done)
    keys = _share_keys(job, shares)
    by_key: dict[str, Printed] = {}
    for share, key in zip(shares, keys, strict=True):
        if cached := cache.get(key, Printed):
            by_key[key] = cached
            done(share)
    missing = {key: share for key, share in zip(keys, shares, strict=True) if key not in by_key}
    fresh = share_out(
        partial(_print_share, job), list(missing.values()), processes=processes, done=done
    )
    for key, printed in zip(missing, fresh, strict=True):
        cache.put(key, printed, Printed)
    if missing:
        cache.trim(*missing)
    by_key |= zip(missing, fresh, strict=True)
    return [by_key[key] for key in keys]


def _share_keys(job: PrintJob, shares: Sequence[_Share]) -> list[str]:
    """The digest of everything that decides the files of each share: how its pieces look, and the
    rest of the job."""
    sources = Sources(title=job.title, manifest=job.manifest, style=job.style)
    names = (
        () if job.options.output == "sheets" else tuple(piece.key for piece in job.manifest.pieces)
    )
    painter = ""
    if job.options.output == "pictures" or "png" in job.options.also:
        from platelayer.render.png import png_version

        painter = png_version()
    fields = [field for field in job.__struct_fields__ if field not in _BY_PIECE]
    common = {field: getattr(job, field) for field in fields}
    whole = digest_of(common, (job.title.id, job.title.name, names), painter)
    return [digest_of(whole, share, [sources.key(piece) for piece in share]) for share in shares]


# Parts of a job that decide the looks of pieces; theirs are digested with each piece.
_BY_PIECE = ("title", "manifest", "style", "cache")


def _shares(job: PrintJob, pieces: Sequence[Piece]) -> list[_Share]:
    """Pieces by file, the costliest files first."""
    file_of_kind: dict[str, str] = {}
    if job.options.output == "sheets":
        # Documents with pieces of the same kind are made together.
        for document in gathered(job.plan, job.layouts):
            joined = {file_of_kind[kind] for kind in document.kinds if kind in file_of_kind}
            joined_kinds = [kind for kind, stem in file_of_kind.items() if stem in joined]
            file_of_kind |= dict.fromkeys((*document.kinds, *joined_kinds), document.stem)
    files: dict[str, list[Piece]] = {}
    for piece in pieces:
        if job.options.output == "sheets":
            file = file_of_kind.get(piece.kind, "")
        elif job.options.output == "cards":
            file = "cards"
        else:
            # Pieces of most kinds share their backs.
            file = piece.key if KINDS[piece.kind].apart else piece.kind
        files.setdefault(file, []).append(piece)
    shares = [tuple(together) for together in files.values()]
    return sorted(shares, key=lambda share: -sum(KINDS[piece.kind].cost_ms for piece in share))


def _print_share(job: PrintJob, share: _Share) -> Printed:
    """Stages 4 to 8 for some pieces. Problems are returned, not raised: another share may have
    more."""
    know_kinds(job.added)
    with gc_paused(), printing_on(job.options.intent):
        return _printed(job, share)


def _drawn(
    job: PrintJob, pieces: Sequence[Piece]
) -> tuple[list[Drawn], dict[str, Faces], list[Problem]]:
    """Stages 4 and 5: the pieces that can be drawn, their faces by key, and problems and notes of
    drawing. A back is drawn if it is needed in play, and otherwise if it is printed behind its
    front."""
    any_backs = job.options.duplex != "none" or job.options.output != "sheets"
    sources = Sources(title=job.title, manifest=job.manifest, style=job.style)
    judge = Judge(press=job.options.intent if job.options.color == "cmyk" else "")
    drawn: list[Drawn] = []
    problems: list[Problem] = []
    faces: dict[str, Faces] = {}
    for piece in pieces:
        with drawing_faults(piece, problems):
            has_back = piece.back == PLAY or (any_backs and bool(piece.back))
            own = faces_of(sources, piece, judge, job.cache, back=has_back)
            faces[piece.key] = own
            back = None if own.back is None else own.back.scene
            fronts = tuple(face.scene for face in own.fronts)
            if job.options.corner_mm and KINDS[piece.kind].is_card:
                fronts = tuple(with_corners(scene, job.options.corner_mm) for scene in fronts)
                back = back and with_corners(back, job.options.corner_mm)
            drawn.append(Drawn(piece=piece, fronts=fronts, back=back))
            problems += own.notes
    return drawn, faces, problems


def _printed(job: PrintJob, share: _Share) -> Printed:
    drawn, faces, problems = _drawn(job, share)
    if job.options.output != "sheets":
        drawn, noted = split_supported(job, drawn)
        problems += noted
    left_out = faces.keys() - {entry.piece.key for entry in drawn}
    # Many pieces share a back: problems of it are about the last of them.
    last = {
        face.scene.key: (entry.piece, face)
        for entry in drawn
        for face in faces[entry.piece.key].all
    }
    for piece, face in last.values():
        problems += (replace(problem, about=piece.key) for problem in face.problems)
    # Aids of our own that have errors are left out with a warning.
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
    left_out = left_out | ({piece.key for piece in share} - {entry.piece.key for entry in drawn})
    printed: dict[str, PrintedPiece] = {}
    to_print: list[Drawn] = []
    theme, tongue = job.style.theme, job.style.tongue
    for entry in drawn:
        key, shown = entry.piece.key, faces[entry.piece.key]
        front = joined(face.digest for face in shown.fronts)
        behind = joined([shown.back.digest]) if shown.back else ""
        printed[key] = PrintedPiece(count=entry.piece.count, front=front, back=behind)
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
        # Stage 8: the finished bytes. A printer at home needs no more of the content than the
        # scenes were judged by; a shop does.
        limits = job.profile.limits
        for file in files:
            if file.name.endswith(".pdf") and preflight.READS_PDF:
                if job.profile.id == HOME:
                    problems += preflight.inspect_structure(file.data, file.name, limits)
                else:
                    problems += preflight.inspect_pdf(file.data, file.name, limits, ours=True)
            elif file.name.endswith(".png") and limits.png is not None:
                problems += preflight.check_png(file.data, file.name, limits.png)
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
    """Sheets to cut: one PDF for each document of the plan."""
    documents, problems = _documents(job, drawn)
    files: list[PrintedFile] = []
    for document in () if faulty else documents:
        files.append(pdf_file(job, document))
        if document.of_dies:
            files += die_files(document, job.options.spot_layer)
        elif job.options.also:
            files += sheet_files(document, job.options.also, grey=job.options.color == "gray")
    return tuple(files), problems


def _documents(job: PrintJob, drawn: Sequence[Drawn]) -> tuple[tuple[Document, ...], list[Problem]]:
    """The pages, without aids that the paper is too small for, and problems. Those of a draft lack
    everything that it is too small for, and name the number of errors. Raises ProblemsFound."""
    problems: list[Problem] = []
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
    """The pages of some pieces, unprinted, and the problems that keep pieces from them. Raises
    ProblemsFound."""
    with printing_on(job.options.intent):
        drawn, _, problems = _drawn(job, pieces)
        documents, noted = _documents(job, drawn)
    return documents, [*problems, *noted]


def impose_pieces(job: PrintJob, drawn: Sequence[Drawn]) -> tuple[Document, ...]:
    """Stage 6: the pages. Raises ProblemsFound for pieces that the paper is too small for."""
    return impose(
        job.title.name.get(job.style.language),
        [entry for printed in drawn for entry in entries(printed, job.options.duplex)],
        theme=job.style.theme,
        options=job.options,
        tongue=job.style.tongue,
        plan=job.plan,
    )


def entries(drawn: Drawn, duplex: str) -> Iterator[PieceToPrint]:
    """The faces of a piece to lay out: its fronts with its back behind the first or, on one-sided
    sheets, its back as a separate face next to it."""
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


# Resolution of pictures of sheets: Design Space and Silhouette Studio print at it.
_DPI = 300.0


def sheet_files(
    document: Document, also: Sequence[str], *, grey: bool = False
) -> Iterator[PrintedFile]:
    """`tiles-1.svg` and `tiles-1.png` for the first page of tiles.pdf, with `tiles-1-cut.svg` and
    `tiles-1-cut.dxf` where there is something to cut. All are as large as the page and start at its
    corner, so that they lie on each other; with `edge`, the page's edge is in the SVG file of cut
    lines, as it is in the DXF file."""
    # Most prints are PDF alone, and svgwrite takes 40 ms to import.
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
    """The lines of each die as SVG and DXF, on a layer."""
    from platelayer.render.cut_files import render_cut_svg, render_dxf

    for number, page in enumerate(document.pages, start=1):
        name, size = f"{document.stem}-{number}", (page.scene.width_mm, page.scene.height_mm)
        lines = [command for line in page.cut for command in line.commands]
        svg = render_cut_svg(page.cut, *size, title=page.scene.label or name, layer=layer)
        yield _file(f"{name}.svg", svg)
        yield _file(f"{name}.dxf", render_dxf(lines, *size, layer=layer))


def _file(name: str, data: bytes) -> PrintedFile:
    return PrintedFile(name=name, data=data, pages=1, placements=(), again=True)
