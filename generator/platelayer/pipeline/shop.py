"""Files for card shops: a PDF page for each face of each card, or a picture of each face."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from itertools import chain, count
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from platelayer.foundation.problems import CannotRun, Problem, Severity
from platelayer.foundation.units import MM_PER_INCH
from platelayer.imposition.cut import cut_items
from platelayer.imposition.outline import form_of
from platelayer.imposition.page import Document, Page, Placement
from platelayer.imposition.single import canvas_page, piece_page
from platelayer.imposition.strips import draft_words, flagged, flagged_page
from platelayer.model.kinds import BOARDS, CHARTERS, KINDS, Form
from platelayer.pipeline.job import Drawn, Made, PrintedFile, PrintJob, pdf_file
from platelayer.render.proof import greyed
from platelayer.scene.inks import WHITE, Ink
from platelayer.scene.shapes import Group, Item, Path, rectangle_path

if TYPE_CHECKING:
    from platelayer.model.manifest import Manifest
    from platelayer.model.profile import Profile
    from platelayer.scene.shapes import Scene

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
