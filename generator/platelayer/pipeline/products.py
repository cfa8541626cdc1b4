"""Products of card shops: which one a piece is made as, and what to order."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from platelayer.imposition.arrange import form_of
from platelayer.model.kinds import BOARDS, CHARTERS, KINDS, Form

if TYPE_CHECKING:
    from platelayer.model.profile import Profile
    from platelayer.pipeline.job import PrintedFile
    from platelayer.scene.shapes import Scene

# A piece may differ this much from a shop's size and still be cut cleanly.
_SLACK_MM = 0.5
# Beginning of the names of files with decks.
DECK = "cards-"
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
        product_id = file.name.partition("/")[0].removeprefix(DECK).removesuffix(".pdf")
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
