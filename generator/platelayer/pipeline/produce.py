"""Finished files of one print: stages 4 to 8 (drawing to preflight)."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
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
from platelayer.pipeline.faces import Faces, Judge, Sources, faces_of, ours_left_out, told
from platelayer.pipeline.job import Drawn, Made, Printed, PrintedFile, PrintJob, Progress, pdf_file
from platelayer.pipeline.reprint import Seen, changed
from platelayer.render.painters import greyed
from platelayer.scene.digest import joined
from platelayer.scene.inks import WHITE, Ink
from platelayer.scene.press import printing_on
from platelayer.scene.shapes import Group, Item, Path, Scene, rectangle_path

if TYPE_CHECKING:
    from platelayer.imposition.finish import Finish
    from platelayer.model.manifest import Manifest
    from platelayer.model.profile import Profile


# Files for card shops: a PDF page for each face of each card, or a picture of each face.


_SLACK_MM = 0.5
"""How much a piece may differ from a shop's size and still be cut cleanly."""
_DECK = "cards-"
"""What the names of files with decks begin with."""
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
        """Whether a piece may lie in its middle."""
        wide, high = self.trim_mm
        return self.holds_smaller and width_mm <= wide + _SLACK_MM and height_mm <= high + _SLACK_MM


def products(profile: Profile) -> tuple[Product, ...]:
    """The products of a profile's shop, best known first; empty if it takes any size."""
    if profile.limits.png is not None and profile.limits.png.sizes:
        return tuple(
            Product(
                id=size.id,
                form=next(
                    (form for word, form in _FORMS.items() if word in size.id), Form.RECTANGLE
                ),
                trim_mm=size.trim_mm,
                pixels=(size.width_px, size.height_px),
                holds_smaller=size.holds_smaller,
            )
            for size in profile.limits.png.sizes
        )
    return tuple(
        Product(id=f"{size[0]:g}x{size[1]:g}", form=Form.RECTANGLE, trim_mm=size)
        for size in profile.limits.page_sizes_mm
    )


def product_for(profile: Profile, scene: Scene) -> tuple[Product, bool] | None:
    """The product with a piece's form and size, and whether the piece has to be turned to match it;
    None if the shop has none."""
    known = products(profile)
    size = (scene.width_mm, scene.height_mm)
    if not known:
        return Product(id=scene.key.partition(":")[0], form=form_of(scene), trim_mm=size), False
    best: tuple[float, Product, bool] | None = None
    for product in known:
        if product.form is not form_of(scene):
            continue
        for turned in (False, True):
            lying = size[::-1] if turned else size
            off = max(abs(one - other) for one, other in zip(lying, product.trim_mm, strict=True))
            if off <= _SLACK_MM and (best is None or off < best[0]):
                best = (off, product, turned)
    return best[1:] if best else _board_for(known, scene)


def _board_for(known: Sequence[Product], scene: Scene) -> tuple[Product, bool] | None:
    """The smallest board or mat with room for a board or a charter."""
    kind = KINDS.get(scene.key.partition(":")[0])
    if kind is None or kind.sort not in (BOARDS, CHARTERS):
        return None
    width, height = scene.width_mm, scene.height_mm
    ways = [(product, False) for product in known if product.holds(width, height)]
    ways += [(product, True) for product in known if product.holds(height, width)]
    return min(ways, key=lambda way: (way[0].trim_mm[0] * way[0].trim_mm[1], way[1]), default=None)


def _ground(scene: Scene) -> Ink:
    """The ink of what lies under everything on a piece, white where nothing does."""
    item: Item | None = scene.items[0] if scene.items else None
    while isinstance(item, Group):
        item = item.items[0] if item.items else None
    return item.fill if isinstance(item, Path) and item.fill is not None else WHITE


def print_cards(job: PrintJob, drawn: Sequence[Drawn], faulty: bool) -> Made:
    """One PDF per card size: for each copy of each card a page for its back, then one for its
    front. For a press that makes any size, one PDF per kind of piece, with each piece once."""
    decks: dict[str, list[tuple[Drawn, bool]]] = {}
    for entry in drawn:
        if fitting := product_for(job.profile, entry.fronts[0]):
            decks.setdefault(fitting[0].id, []).append((entry, fitting[1]))
    files = []
    for product_id, cards in () if faulty else decks.items():
        document = _deck(
            job, f"{_DECK}{product_id}" if products(job.profile) else product_id, cards
        )
        if job.errors:
            words, _ = draft_words(job.errors, job.style.tongue, job.style.theme)
            document = flagged(document, words, job.style.theme)
        files.append(pdf_file(job, document))
    return tuple(files), []


def _deck(job: PrintJob, stem: str, cards: Sequence[tuple[Drawn, bool]]) -> Document:
    pages: list[Page] = []
    placements: list[Placement] = []
    every_copy = bool(products(job.profile))
    for card, turned in cards:
        faces = [("back", card.back), *_front_labels(card.fronts)]
        pages_of_card = [
            (face, _page(job, scene, _rotation(face, turned)))
            for face, scene in faces
            if scene is not None
        ]
        pages_to_print, each_is = (card.piece.count, 1) if every_copy else (1, card.piece.count)
        for _ in range(pages_to_print):
            for face, page in pages_of_card:
                pages.append(page)
                if not face.startswith(_FURTHER):
                    placements += [
                        _placement(card, (stem, len(pages)), face, page, turned)
                    ] * each_is
    name = job.title.name.get(job.style.language)
    subject = f"{len(pages)} pages"
    return Document(
        stem=stem,
        title=f"{name}: {stem}",
        subject=subject,
        pages=tuple(pages),
        placements=tuple(placements),
    )


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
                if scene is not None:
                    page = _page(job, scene, _rotation(label, turned), product)
                    if job.errors:
                        words, _ = draft_words(job.errors, job.style.tongue, job.style.theme)
                        page = flagged_page(page, words, job.style.theme)
                    name = f"{product.id}/{names[entry.piece.key]}-{label}.png"
                    if scene.key not in pictures:  # pieces share backs
                        # A shop cuts pictures out itself; without one, what is beyond the outline
                        # is left out.
                        cut_out = _on_paper(scene) if png is None else page.scene
                        if job.colour == "gray":
                            (cut_out,) = greyed([cut_out])
                        pictures[scene.key] = render_png(cut_out, dpi=dpi, pixels=product.pixels)
                    data = pictures[scene.key]
                    placement = _placement(entry, (name, 1), label, page, turned)
                    copies = 0 if label.startswith(_FURTHER) else entry.piece.count
                    files.append(
                        PrintedFile(name=name, data=data, pages=1, placements=(placement,) * copies)
                    )
    except PngUnavailable as error:
        raise CannotRun(str(error)) from error
    return tuple(files), []


ORDER = "order.csv"
"""The order list of a shop."""
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
    """What to order for one game, a product of the shop a line, as CSV: how many different pieces
    and how many in all. Quantity and prices are left for whoever orders."""
    names = (
        {size.id: size.name.get(language) for size in profile.limits.png.sizes}
        if profile.limits.png
        else {}
    )
    made: dict[str, list[str]] = {}
    for file in files:
        fronts = [
            f"{placed.kind}:{placed.id}" for placed in file.placements if placed.face == "front"
        ]
        made.setdefault(
            file.name.partition("/")[0].removeprefix(_DECK).removesuffix(".pdf"), []
        ).extend(fronts)
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(_ORDER_COLUMNS)
    for product in products(profile):
        if pieces := made.get(product.id):
            width, height = (f"{side:.4g}" for side in product.trim_mm)
            row = (
                product.id,
                names.get(product.id, ""),
                width,
                height,
                len({*pieces}),
                len(pieces),
                "",
                "",
                "",
            )
            rows.writerow(row)
    return text.getvalue().encode()


def _rotation(face: str, turned: bool) -> int:
    """Rotation of a face: a back is rotated the other way from its front, because a card is turned
    over like the page of a book."""
    return 0 if not turned else 270 if face == "back" else 90


_FURTHER = "front-"
"""Prefix of the labels of a piece's later pages: a piece is placed with its first page."""


def _front_labels(fronts: Sequence[Scene]) -> tuple[tuple[str, Scene], ...]:
    return tuple(
        ("front" if number == 1 else f"front-{number}", scene)
        for number, scene in enumerate(fronts, 1)
    )


def _on_paper(scene: Scene) -> Scene:
    """A rectangular piece with a paper background: charts and checklists paint none of their
    own."""
    if form_of(scene) is not Form.RECTANGLE:
        return scene
    return replace(scene, items=(Path(commands=scene.die_line, fill=WHITE), *scene.items))


def _with_white_bleed(scene: Scene, bleed_mm: float) -> Scene:
    """A piece that is white at its edges, as a checklist is, with as much white beyond them."""
    size = (scene.width_mm + 2 * bleed_mm, scene.height_mm + 2 * bleed_mm)
    white = Path(commands=rectangle_path(-bleed_mm, -bleed_mm, *size), fill=WHITE)
    return replace(scene, items=(white, *scene.items), bleed_mm=bleed_mm)


def _page(job: PrintJob, scene: Scene, rotation: int, product: Product | None = None) -> Page:
    """The page of a face: with its bleed, or in the pixel size of the shop's product."""
    extra = (
        cut_items([scene.die_line], job.finish, job.style.theme)
        if job.finish.cut in ("lines", "spot")
        else ()
    )
    png = job.profile.limits.png
    if not scene.bleed_mm:
        scene = _with_white_bleed(scene, job.profile.limits.bleed_mm)
    if product is not None and product.pixels is not None and png is not None:
        width, height = (pixels * MM_PER_INCH / png.dpi for pixels in product.pixels)
        around = _ground(scene) if product.holds_smaller else WHITE
        return canvas_page(scene, (width, height), rotation=rotation, extra=extra, around=around)
    return piece_page(scene, bleed_mm=job.profile.limits.bleed_mm, rotation=rotation, extra=extra)


def split_supported(job: PrintJob, drawn: Sequence[Drawn]) -> tuple[list[Drawn], list[Problem]]:
    """The pieces that the shop can make, and a problem for each kind and size that it cannot: an
    error if they are cards."""
    fitting: list[Drawn] = []
    problems: dict[tuple[str, str], Problem] = {}
    for entry in drawn:
        scene = entry.fronts[0]
        if product_for(job.profile, scene) is not None:
            fitting.append(entry)
            continue
        size = f"{scene.width_mm:.4g} x {scene.height_mm:.4g} mm"
        what = (entry.piece.kind, size)
        if what not in problems:
            problems[what] = _left_out(job.profile, *what, form_of(scene))
    return fitting, list(problems.values())


def _left_out(profile: Profile, kind: str, size: str, form: Form) -> Problem:
    names = [product.id for product in products(profile) if product.form is form]
    hint = f"choose a size for {kind}; there are {', '.join(names)}" if names else ""
    return Problem(
        code="SH08",
        severity=Severity.ERROR if KINDS[kind].is_card else Severity.WARNING,
        message=f"{profile.name.get('en')} does not make {kind} pieces of {size}"
        + ("" if KINDS[kind].is_card else ": left out"),
        hint=hint if KINDS[kind].size_mm and kind != "map" else "print it elsewhere",
    )


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
        names[piece.key] = next(
            name
            for name in chain((plain,), (f"{plain}~{number}" for number in count(2)))
            if name.lower() not in taken
        )
        taken.add(names[piece.key].lower())
    return names


def print_pieces(
    job: PrintJob, pieces: Sequence[Piece], progress: Progress, processes: int
) -> Printed:
    """The files, in the order of the sheet plan. Raises ProblemsFound with everything that would be
    illegible, does not fit its card or the paper, or breaks a limit of the profile."""
    shares = _print_shares(job, _shares(job, pieces), _counted(progress, len(pieces)), processes)
    problems = sort_problems(
        dict.fromkeys(problem for printed in shares for problem in printed.problems)
    )
    if has_errors(_fatal(problems) if job.draft else problems):
        raise ProblemsFound(problems)
    order = {
        f"{plan.stem}.pdf": number for number, plan in enumerate(gathered(job.plan, job.layouts))
    }
    files = (file for printed in shares for file in printed.files)
    left_out = frozenset[str]().union(*(printed.left_out for printed in shares))
    seen = {key: face for printed in shares for key, face in printed.seen.items()}
    return Printed(
        files=tuple(sorted(files, key=lambda file: (order.get(file.name, len(order)), file.name))),
        seen={piece.key: seen[piece.key] for piece in pieces if piece.key in seen},
        left_out=left_out,
        problems=problems,
    )


def _fatal(problems: Iterable[Problem]) -> Iterator[Problem]:
    """What stops even a draft: paper, layouts and the like that the user has asked for."""
    return (
        problem
        for problem in problems
        if problem.code.startswith("SH") and problem.code != TOO_LARGE
    )


_Share = tuple[Piece, ...]
"""Pieces that share a file, or several files."""


def _print_shares(
    job: PrintJob, shares: Sequence[_Share], done: Callable[[_Share], None], processes: int
) -> list[Printed]:
    """The files of each share, from the cache or made."""
    cache = job.cache
    if cache is None or job.added:  # who knows what decides how these look
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


def _painter() -> str:
    from platelayer.render.png import png_version

    return png_version()


def _share_keys(job: PrintJob, shares: Sequence[_Share]) -> list[str]:
    """The digest of everything that decides the files of each share: how its pieces look, and the
    rest of the job."""
    sources = Sources(title=job.title, manifest=job.manifest, style=job.style, graph=job.graph)
    names = () if job.output == "sheets" else tuple(piece.key for piece in job.manifest.pieces)
    whole = digest_of(
        {field: getattr(job, field) for field in job.__struct_fields__ if field not in _BY_PIECE},
        (job.title.id, job.title.name, names),
        _painter() if job.output == "pictures" or "png" in job.also else "",
    )
    return [digest_of(whole, share, [sources.key(piece) for piece in share]) for share in shares]


_BY_PIECE = ("title", "manifest", "graph", "style", "cache")
"""Parts of a job that decide the looks of pieces; theirs are digested with each piece."""


def _counted(progress: Progress, of: int) -> Callable[[_Share], None]:
    """Reports the progress of a print, in pieces, as its shares are finished."""
    count = 0

    def done(share: _Share) -> None:
        nonlocal count
        count += len(share)
        progress("printing", count, of)

    progress("printing", 0, of)
    return done


def _shares(job: PrintJob, pieces: Sequence[Piece]) -> list[_Share]:
    """Pieces by file, the costliest files first."""
    stem_of = _STEMS[job.output](job)
    stems: dict[str, list[Piece]] = {}
    for piece in pieces:
        stems.setdefault(stem_of(piece), []).append(piece)
    shares = [tuple(together) for together in stems.values()]
    return sorted(shares, key=lambda share: -sum(KINDS[piece.kind].cost_ms for piece in share))


def _sheet_stems(job: PrintJob) -> Callable[[Piece], str]:
    """Documents with pieces of the same kind are made together."""
    stems: dict[str, str] = {}
    for document in gathered(job.plan, job.layouts):
        joined = {stems[kind] for kind in document.kinds if kind in stems}
        stems |= dict.fromkeys(document.kinds, document.stem)
        stems |= {kind: document.stem for kind, stem in stems.items() if stem in joined}
    return lambda piece: stems.get(piece.kind, "")


_STEMS: dict[str, Callable[[PrintJob], Callable[[Piece], str]]] = {
    "sheets": _sheet_stems,
    "cards": lambda _job: lambda _piece: "cards",
    # Pieces of most kinds share their backs.
    "pictures": lambda _job: lambda piece: piece.key if KINDS[piece.kind].apart else piece.kind,
}


def _print_share(job: PrintJob, share: _Share) -> Printed:
    """Stages 4 to 8 for some pieces. Problems are returned, not raised: another share may have
    more."""
    know_kinds(job.added)
    with gc_paused(), printing_on(job.intent):
        return _printed(job, share)


def _drawn(
    job: PrintJob, pieces: Sequence[Piece]
) -> tuple[list[Drawn], dict[str, Faces], list[Problem]]:
    """Stages 4 and 5: the pieces that can be drawn, their faces by key, and what prevents or is
    noted of others."""
    sources = Sources(title=job.title, manifest=job.manifest, style=job.style, graph=job.graph)
    judge = Judge(press=job.intent if job.colour == "cmyk" else "")
    drawn: list[Drawn] = []
    problems: list[Problem] = []
    faces: dict[str, Faces] = {}
    for piece in pieces:
        with told(piece, problems):
            own = faces[piece.key] = faces_of(
                sources, piece, judge, job.cache, back=_has_back(job, piece)
            )
            back = None if own.back is None else own.back.scene
            fronts = tuple(face.scene for face in own.fronts)
            if job.corner_mm and KINDS[piece.kind].is_card:
                fronts = tuple(with_corners(scene, job.corner_mm) for scene in fronts)
                back = back and with_corners(back, job.corner_mm)
            drawn.append(Drawn(piece=piece, fronts=fronts, back=back))
            problems += own.notes
    return drawn, faces, problems


def _printed(job: PrintJob, share: _Share) -> Printed:
    drawn, faces, problems = _drawn(job, share)
    if job.output != "sheets":
        drawn, noted = split_supported(job, drawn)
        problems += noted
    left_out = faces.keys() - {entry.piece.key for entry in drawn}
    # Many pieces share a back: what is illegible on it is said of the last of them.
    last = {
        face.scene.key: (entry.piece, face)
        for entry in drawn
        for face in faces[entry.piece.key].all
    }
    problems += (
        replace(problem, about=piece.key)
        for piece, face in last.values()
        for problem in face.problems
    )
    drawn, problems = _without_ours(share, drawn, faces, problems)
    left_out = left_out | ({piece.key for piece in share} - {entry.piece.key for entry in drawn})
    seen = {entry.piece.key: _seen(entry.piece, faces[entry.piece.key]) for entry in drawn}
    if job.before is not None:
        news = ((entry, changed(entry.piece, seen[entry.piece.key], job.before)) for entry in drawn)
        drawn = [replace(entry, piece=piece) for entry, piece in news if piece]
    drawn = [_flagged(job, entry) for entry in drawn]
    files: tuple[PrintedFile, ...] = ()
    try:
        files, noted = _OUTPUTS[job.output](job, drawn, has_errors(problems) and not job.draft)
        problems += [*noted, *_preflight(job, files)]
    except ProblemsFound as error:
        problems += error.problems
    left_out |= {problem.about for problem in problems if problem.code == "SH12"}
    if job.draft:
        placed = {
            f"{placement.kind}:{placement.id}" for file in files for placement in file.placements
        }
        left_out |= {piece.key for piece in share if piece.key not in placed}
    return Printed(files=files, seen=seen, left_out=frozenset(left_out), problems=tuple(problems))


def _flagged(job: PrintJob, entry: Drawn) -> Drawn:
    """A piece of a draft, with a strip if it has problems of its own."""
    count = job.flagged.get(entry.piece.key)
    if count is None:
        return entry
    words = draft_words(count, job.style.tongue, job.style.theme)
    return replace(
        entry, fronts=tuple(flagged_piece(scene, words, job.style.theme) for scene in entry.fronts)
    )


def _without_ours(
    share: _Share, drawn: Sequence[Drawn], faces: Mapping[str, Faces], problems: Sequence[Problem]
) -> tuple[list[Drawn], list[Problem]]:
    """What is printed without those aids of our own that cannot be, and the problems, with a
    warning for each."""
    rest, left = list(drawn), list(problems)
    for piece in share:
        if not KINDS[piece.kind].is_ours:
            continue
        own = [problem for problem in left if problem.about == piece.key]
        behind = faces[piece.key].all if piece.key in faces else ()
        problems_of_piece = [
            *own,
            *(replace(problem, about=piece.key) for face in behind for problem in face.problems),
        ]
        if has_errors(problems_of_piece):
            rest = [entry for entry in rest if entry.piece is not piece]
            left = [problem for problem in left if problem.about != piece.key]
            left += ours_left_out(piece, list(dict.fromkeys(problems_of_piece)))
    return rest, left


def _preflight(job: PrintJob, files: Sequence[PrintedFile]) -> Iterator[Problem]:
    """Stage 8: the finished bytes, checked against the limits of the profile like any other
    file."""
    limits = job.profile.limits
    for file in files:
        if file.name.endswith(".pdf") and preflight.READS_PDF:
            yield from preflight.inspect_pdf(file.data, file.name, limits)
        elif file.name.endswith(".png") and limits.png is not None:
            yield from preflight.check_png(file.data, file.name, limits.png)


def _seen(piece: Piece, faces: Faces) -> Seen:
    front = joined(face.digest for face in faces.fronts)
    return Seen(
        count=piece.count, front=front, back=joined([faces.back.digest]) if faces.back else ""
    )


def _has_back(job: PrintJob, piece: Piece) -> bool:
    """Whether the back of a piece is to be printed: always if it is needed in play, otherwise only
    behind its front."""
    return piece.back == PLAY or bool(
        piece.back and (job.finish.duplex != "none" or job.output != "sheets")
    )


def _print_sheets(job: PrintJob, drawn: Sequence[Drawn], faulty: bool) -> Made:
    """Sheets to cut: one PDF for each document of the plan."""
    documents, problems = _documents(job, drawn)
    files: list[PrintedFile] = []
    for document in () if faulty else documents:
        files.append(pdf_file(job, document))
        if document.of_dies:
            files += die_files(document, job.finish)
        elif job.also:
            files += sheet_files(document, job.also, grey=job.colour == "gray")
    return tuple(files), problems


def _documents(job: PrintJob, drawn: Sequence[Drawn]) -> tuple[tuple[Document, ...], list[Problem]]:
    """The pages, without aids that the paper is too small for; those of a draft lack whatever it is
    too small for, and say how many errors there are; with what is said of it. Raises
    ProblemsFound."""
    problems: list[Problem] = []
    try:
        documents = impose_pieces(job, drawn)
    except ProblemsFound as error:
        large = {problem.about for problem in error.problems if problem.code == TOO_LARGE}
        aids = {entry.piece.key for entry in drawn if KINDS[entry.piece.kind].is_aid}
        if not large or not (job.draft or large <= aids):
            raise
        problems += (
            _aid_left_out(problem) if problem.about in aids else problem
            for problem in error.problems
        )
        documents = impose_pieces(job, [entry for entry in drawn if entry.piece.key not in large])
    problems += (note for document in documents for note in document.notes)
    if job.errors:
        words, _ = draft_words(job.errors, job.style.tongue, job.style.theme)
        documents = tuple(
            document if document.of_dies else flagged(document, words, job.style.theme)
            for document in documents
        )
    return documents, problems


def _aid_left_out(problem: Problem) -> Problem:
    """SH12 in place of the error that the paper is too small."""
    message = f"{problem.message}; it is left out"
    return replace(problem, code="SH12", severity=severity_of("SH12"), message=message)


def lay_out(job: PrintJob, pieces: Sequence[Piece]) -> tuple[tuple[Document, ...], list[Problem]]:
    """The pages of some pieces, unprinted, and what keeps pieces from them. Raises
    ProblemsFound."""
    with printing_on(job.intent):
        drawn, _, problems = _drawn(job, pieces)
        documents, noted = _documents(job, drawn)
    return documents, [*problems, *noted]


def impose_pieces(job: PrintJob, drawn: Sequence[Drawn]) -> tuple[Document, ...]:
    """Stage 6: the pages. Raises ProblemsFound for pieces that the paper is too small for."""
    return impose(
        job.title.name.get(job.style.language),
        [entry for printed in drawn for entry in entries(printed, job.finish.duplex)],
        paper=job.paper,
        theme=job.style.theme,
        margin_mm=job.margin_mm,
        layouts=job.layouts,
        finish=job.finish,
        poster=job.poster,
        tongue=job.style.tongue,
        plan=job.plan,
    )


def entries(drawn: Drawn, duplex: str) -> Iterator[PieceToPrint]:
    """What is laid out for a piece: its fronts with its back behind the first or, on one-sided
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


_DPI = 300.0
"""Of pictures of sheets: what Design Space and Silhouette Studio print at."""


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
        stem, sheet = (
            f"{document.stem}-{number:0{digits}}",
            greyed([page.scene])[0] if grey else page.scene,
        )
        if "svg" in also:
            yield _file(f"{stem}.svg", render_svg(sheet))
        if "png" in also:
            yield _file(f"{stem}.png", _picture(sheet))
        if page.cut and ("svg" in also or "edge" in also):
            size = sheet.width_mm, sheet.height_mm
            data = render_cut_svg(
                page.cut, *size, title=sheet.label or document.title, edge="edge" in also
            )
            yield _file(f"{stem}-cut.svg", data)
        if page.cut and "dxf" in also:
            lines = [command for line in page.cut for command in line.commands]
            yield _file(f"{stem}-cut.dxf", render_dxf(lines, sheet.width_mm, sheet.height_mm))


def die_files(document: Document, finish: Finish) -> Iterator[PrintedFile]:
    """The lines of each die as SVG and DXF, on the layer of the cut line."""
    from platelayer.render.cut_files import render_cut_svg, render_dxf

    for number, page in enumerate(document.pages, start=1):
        name, size = f"{document.stem}-{number}", (page.scene.width_mm, page.scene.height_mm)
        lines = [command for line in page.cut for command in line.commands]
        svg = render_cut_svg(
            page.cut, *size, title=page.scene.label or name, layer=finish.spot_layer
        )
        yield _file(f"{name}.svg", svg)
        yield _file(f"{name}.dxf", render_dxf(lines, *size, layer=finish.spot_layer))


def _picture(sheet: Scene) -> bytes:
    """A picture of a sheet, on white paper."""
    from platelayer.render.png import render_png

    paper = Path(commands=rectangle_path(0.0, 0.0, sheet.width_mm, sheet.height_mm), fill=WHITE)
    return render_png(replace(sheet, items=(paper, *sheet.items)), dpi=_DPI)


def _file(name: str, data: bytes) -> PrintedFile:
    return PrintedFile(name=name, data=data, pages=1, placements=(), again=True)
