"""A print: its options from the user and the profile, its job, the products of a shop, and the
changes since an earlier print."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from msgspec import ValidationError, convert
from msgspec.structs import force_setattr, replace

from platelayer.definitions.themes import load_profile, profile_ids, read_print
from platelayer.foundation.problems import CannotRun, Problem
from platelayer.foundation.text import Text, printable, suggestion
from platelayer.foundation.values import Frozen
from platelayer.imposition.arrange import form_of
from platelayer.imposition.making import Making
from platelayer.imposition.paper import (
    Medium,
    Placement,
    catalogue,
    check_margin,
    find_medium,
    find_paper,
)
from platelayer.imposition.plan import check_finish
from platelayer.model.kinds import BOARDS, CHARTERS, KINDS, SORTS, STOCKS, Form, Piece, kinds_named
from platelayer.model.manifest import Manifest
from platelayer.model.options import OPTIONS, PrintOption, PrintOptions, Profile
from platelayer.model.title import Title

if TYPE_CHECKING:
    from platelayer.drawing.kit.style import Style
    from platelayer.foundation.cache import Cache
    from platelayer.imposition.paper import Paper
    from platelayer.imposition.plan import SheetPlan
    from platelayer.model.kinds import Kind
    from platelayer.pipeline.faces import Sources
    from platelayer.scene.shapes import Scene


# Callback with (stage, done, total) during a build.
Progress = Callable[[str, int, int], None]


class PrintJob(Frozen, kw_only=True, dict=True):
    """Everything that the pieces of one print have in common.

    `options` are those that affect the files once the pieces are drawn. `before` are the pieces of
    an earlier print, by key: pieces that have not changed since are left out (None: everything is
    printed). `added` are the user's own kinds of piece. If a draft has `errors`, each sheet shows
    their number, and so does each piece with errors of its own (`flagged`, by key). `cache` stores
    results for later prints.
    """

    title: Title
    manifest: Manifest
    style: Style
    profile: Profile
    plan: SheetPlan
    options: PrintOptions
    before: Mapping[str, PrintedPiece] | None = None
    added: tuple[Kind, ...] = ()
    errors: int = 0
    flagged: Mapping[str, int] = {}
    cache: Cache | None = None

    @cached_property
    def sources(self) -> Sources:
        """Sources of the pieces. Their digests are computed once, before the work is shared."""
        from platelayer.pipeline.faces import Sources

        return Sources(title=self.title, manifest=self.manifest, style=self.style)

    @property
    def paper(self) -> Paper:
        """The paper of sheets."""
        return find_paper(self.options.paper)

    @property
    def layouts(self) -> Mapping[str, str]:
        """Names of layouts by document."""
        return dict(self.options.layouts)

    @property
    def standard(self) -> Literal["PDF/X-4", "PDF/X-1a:2003"]:
        """The version of PDF/X to write: the one that the profile requires, or PDF/X-4 if it leaves
        the choice."""
        allowed = self.profile.limits.pdfx
        if "PDF/X-1a:2003" in allowed and "PDF/X-4" not in allowed:
            return "PDF/X-1a:2003"
        return "PDF/X-4"


class PrintedFile(Frozen):
    """One file: its name, its content, its number of pages and what is on them. `again` is set if
    another file shows the same; for further pages of a piece, the number of copies to order;
    and, if requested, how it is made."""

    name: str
    data: bytes
    pages: int
    placements: tuple[Placement, ...]
    again: bool = False
    further_copies: int = 0
    making: Making | None = None


class Drawn(Frozen, kw_only=True):
    """A piece to print with the pages of its front (one, except for charts and checklists of
    several), and its back."""

    piece: Piece
    fronts: tuple[Scene, ...]
    back: Scene | None = None


class Printed(Frozen, kw_only=True):
    """The result of a print: files in order, every piece as it is now (including those that need no
    reprint), the keys of pieces that the shop cannot make or that a draft lacks, and problems."""

    files: tuple[PrintedFile, ...] = ()
    pieces: Mapping[str, PrintedPiece]
    left_out: frozenset[str] = frozenset()
    problems: tuple[Problem, ...] = ()


# Files, and the problems found while making them.
Made = tuple[tuple[PrintedFile, ...], list[Problem]]


class PrintedPiece(Frozen):
    """A piece as printed: its count, and the digests of its faces ("" for a back that was not
    drawn)."""

    count: int
    front: str
    back: str = ""


class Change(Frozen):
    """A change of a piece since an earlier print: "new", "changed", "more", "fewer" or "gone", with
    the numbers to print and to discard."""

    key: str
    what: str
    to_print: int
    to_throw_away: int


def read_printed_pieces(path: Path, title: str) -> dict[str, PrintedPiece]:
    """Return pieces by `kind:id` from a manifest.json. Raises ProblemsFound for a file that
    Platelayer has not written, and CannotRun for one of another title."""
    value = read_print(path)
    if value["title"] != title:
        raise CannotRun(f"since: {path} belongs to {value['title']}, not to {title}")
    return {
        f"{piece['kind']}:{piece['id']}": PrintedPiece(
            piece["count"], piece["front"], back=piece.get("back", "")
        )
        for piece in value["pieces"]
    }


def still_to_print(
    piece: Piece, now: PrintedPiece, before: Mapping[str, PrintedPiece]
) -> Piece | None:
    """Return the piece with the count to print; None if enough copies exist."""
    was = before.get(piece.key)
    if was is None or not _alike(was, now):
        return piece
    return replace(piece, count=now.count - was.count) if now.count > was.count else None


def current_pieces(
    before: Mapping[str, PrintedPiece], now: Mapping[str, PrintedPiece], keys: Iterable[str]
) -> dict[str, PrintedPiece]:
    """Return every existing piece by its key, in the order of `keys`: as it is now or, if it was
    not requested this time, as it was."""
    return {
        key: now[key] if key in now else before[key] for key in keys if key in now or key in before
    }


def changes(
    before: Mapping[str, PrintedPiece], now: Mapping[str, PrintedPiece], chosen_kinds: Sequence[str]
) -> tuple[Change, ...]:
    """Return all changes among pieces of the printed kinds: current pieces in their order, then
    those that are gone."""
    differences: list[Change] = []
    for key, seen in now.items():
        was = before.get(key)
        if was is None:
            differences.append(Change(key, "new", seen.count, 0))
        elif not _alike(was, seen):
            differences.append(Change(key, "changed", seen.count, was.count))
        elif seen.count > was.count:
            differences.append(Change(key, "more", seen.count - was.count, 0))
        elif seen.count < was.count:
            differences.append(Change(key, "fewer", 0, was.count - seen.count))
    gone = (key for key in before if key not in now and key.partition(":")[0] in chosen_kinds)
    differences += (Change(key, "gone", 0, before[key].count) for key in gone)
    return tuple(differences)


def _alike(one: PrintedPiece, other: PrintedPiece) -> bool:
    """Return True if two pieces look the same. Backs are compared only if both were drawn."""
    return one.front == other.front and (not one.back or not other.back or one.back == other.back)


def describe(differences: Sequence[Change]) -> str:
    """Return the changes as lines for people: what to print, what to discard."""
    if not differences:
        return "Nothing has changed.\n"
    lines = []
    for change in differences:
        parts = [f"print {change.to_print}"] if change.to_print else []
        parts += [f"throw away {change.to_throw_away}"] if change.to_throw_away else []
        lines.append(f"{printable(change.key):<32} {change.what:<8} {', '.join(parts)}\n")
    return "".join(lines)


# Maximum difference from a shop's size with which a piece can still be cut cleanly.
_SLACK_MM = 0.5
# Prefix of the file names of decks.
DECK = "cards-"
_FORMS = {"Hex": Form.HEXAGON, "Circle": Form.DISC}


class Product(Frozen):
    """A shop's product for a piece: its name there (also used in the file name), the cut size in mm
    in the shop's orientation, and the size of its pictures in pixels (None: whatever the size
    requires)."""

    id: str
    form: Form
    trim_mm: tuple[float, float]
    pixels: tuple[int, int] | None = None
    holds_smaller: bool = False

    def holds(self, width_mm: float, height_mm: float) -> bool:
        """Return True if a piece may be placed in the middle of the product."""
        wide, high = self.trim_mm
        return self.holds_smaller and width_mm <= wide + _SLACK_MM and height_mm <= high + _SLACK_MM


def products(profile: Profile) -> tuple[Product, ...]:
    """Return the products of a profile's shop, best known first; none if it accepts any size."""
    if profile.limits.png is None or not profile.limits.png.sizes:
        return tuple(
            Product(f"{size[0]:g}x{size[1]:g}", form=Form.RECTANGLE, trim_mm=size)
            for size in profile.limits.page_sizes_mm
        )
    known = []
    for size in profile.limits.png.sizes:
        form = next((form for word, form in _FORMS.items() if word in size.id), Form.RECTANGLE)
        product = Product(
            size.id,
            form=form,
            trim_mm=size.trim_mm,
            pixels=(size.width_px, size.height_px),
            holds_smaller=size.holds_smaller,
        )
        known.append(product)
    return tuple(known)


def list_media(words: Sequence[str]) -> tuple[Medium, ...]:
    """Return media of the catalogue and products of shops with all of some words in their ids,
    kinds or names."""
    found = [*catalogue().values()]
    for profile in map(load_profile, profile_ids()):
        png = profile.limits.png
        names = {size.id: size.name for size in png.sizes} if png else {}
        shop = profile.name.get("en")
        for product in products(profile) if profile.options.get("output") != "sheets" else ():
            name = names[product.id].get("en") if names else "cards"
            medium = Medium(
                id=f"{profile.id}:{product.id}",
                kind="product",
                name=Text.plain(f"{shop}: {name}"),
                size_mm=product.trim_mm,
            )
            found.append(medium)

    def has(medium: Medium, word: str) -> bool:
        texts = (medium.id, medium.kind, *medium.equal, *(form for _, form in medium.name.forms))
        return any(word.lower() in text.lower() for text in texts)

    return tuple(medium for medium in found if all(has(medium, word) for word in words))


def product_for(profile: Profile, scene: Scene) -> tuple[Product, bool] | None:
    """Return the product with a piece's form and size, and whether the piece has to be rotated to
    match it. For boards and charters without such a product, it is the smallest board or mat
    that holds them; None if the shop has none."""
    known = products(profile)
    width, height = scene.width_mm, scene.height_mm
    kind_id = scene.key.partition(":")[0]
    if not known:
        return Product(kind_id, form=form_of(scene), trim_mm=(width, height)), False
    matching = []
    roomy = []
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


def boards_for(profile: Profile, scene: Scene) -> tuple[float, float, int, int] | None:
    """Return width and height of the boards that together hold a piece, in their orientation, and
    the numbers of columns and rows: the fewest boards and, among those, the smallest. None if
    the shop has no boards."""
    found = []
    for product in products(profile):
        for wide, high in (product.trim_mm, product.trim_mm[::-1]) if product.holds_smaller else ():
            columns = math.ceil((scene.width_mm - _SLACK_MM) / wide)
            rows = math.ceil((scene.height_mm - _SLACK_MM) / high)
            count = columns * rows
            found.append((count, count * wide * high, wide, high, columns, rows))
    return min(found)[2:] if found else None


# File name of the order list for a shop.
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
    """Return the order for one game as CSV, one line for each product of the shop, with the numbers
    of different pieces and of all. Quantity and prices are left blank."""
    png = profile.limits.png
    names = {size.id: size.name.get(language) for size in png.sizes} if png else {}
    made: dict[str, list[str]] = {}
    for file in files:
        product_id = file.name.partition("/")[0].removeprefix(DECK).removesuffix(".pdf")
        fronts = [placed for placed in file.placements if placed.face == "front"]
        pieces = made.setdefault(product_id, [])
        pieces += (f"{placed.kind}:{placed.id}" for placed in fronts)
        pieces += [file.name] * file.further_copies
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(_ORDER_COLUMNS)
    for product in products(profile):
        if pieces := made.get(product.id, []):
            size = (f"{side:.4g}" for side in product.trim_mm)
            counts = (len({*pieces}), len(pieces))
            rows.writerow((product.id, names.get(product.id, ""), *size, *counts, "", "", ""))
    return text.getvalue().encode()


# Name of the default profile.
HOME = "home"


class BuildOptions(PrintOptions, frozen=True, kw_only=True):
    """Options of a print, validated; docs/options.md describes each.

    Raises CannotRun for a value of the wrong type or out of bounds and for an unknown word,
    ProblemsFound for an impossible paper, margin, printer correction or name of the spot colour.
    Values that depend on a title (variants, languages, pieces) are validated with the title."""

    def __post_init__(self) -> None:
        for option in OPTIONS.values():
            force_setattr(self, option.name, _checked(option, getattr(self, option.name)))
        for name, words in (("only", self.only), ("without", self.without)):
            for kind in words:
                if not kinds_named(kind):
                    known = (*KINDS, *SORTS, *STOCKS)
                    hint = suggestion(kind, known) or f"kinds are {', '.join(known)}"
                    raise CannotRun(f"{name}: there is no kind of piece {kind!r}; {hint}")
        if self.media:
            self._take(find_medium(self.media))
        if self.start_at > 1 and not (self.media and find_medium(self.media).places):
            raise CannotRun("start_at: name the sheet of labels with media")
        check_margin(find_paper(self.paper), self.margin_mm)
        if self.poster:
            find_paper(self.poster)
        check_finish(self)

    def _take(self, medium: Medium) -> None:
        """Set the options that a medium determines."""
        force_setattr(self, "media", medium.id)
        if medium.cutter:
            force_setattr(self, "register", "silhouette")
        elif medium.places:
            force_setattr(self, "paper", medium.places.paper)
            force_setattr(self, "layouts", ())
        elif medium.kind in ("paper", "cutter"):
            force_setattr(self, "paper", medium.id)
        else:
            raise CannotRun(f"media: {medium.id} cannot be printed on")
        if medium.places and self.start_at > medium.places.count:
            raise CannotRun(
                f"start_at {self.start_at}: {medium.id} has {medium.places.count} places"
            )

    @property
    def of_print(self) -> dict[str, Any]:
        """Return the options as recorded in manifest.json, without the paths of the user's
        files."""
        values = {
            name: getattr(self, name) for name, option in OPTIONS.items() if not option.mark.file
        }
        return {**values, "profile": self.profile.id if self.profile else HOME}


def _checked(option: PrintOption, value: Any) -> Any:
    """Return the value of an option, with numbers and sequences converted to the option's type.
    Raises CannotRun."""
    name = option.name
    try:
        return convert(value, option.described)
    except ValidationError as error:
        known = option.choices
        values = value if isinstance(value, tuple) else (value,)
        unknown = [word for word in values if word not in known]
        if known and unknown:
            raise CannotRun(f"{name}: there is no {unknown[0]!r}; use {', '.join(known)}") from None
        # msgspec uses the names of JSON types: replace them with those of Python.
        words = str(error)
        for json, python in (("Expected", "expected"), ("`array`", "`tuple`"), ("null", "None")):
            words = words.replace(json, python)
        raise CannotRun(f"{name}: {value!r} does not fit: {words}") from None


def options_for(profile: Profile, given: Mapping[str, Any]) -> BuildOptions:
    """Return the profile's options, overridden by those that the user gave (all that are not None).
    Sizes and layouts are merged, the user's taking precedence."""
    values = dict(profile.options)
    for key, value in given.items():
        if value is not None:
            pairs = key in OPTIONS and OPTIONS[key].pairs
            values[key] = (*values.get(key, ()), *value) if pairs else value
    return BuildOptions(profile=profile, **values)


# Selection of the pieces to print and their numbers of copies.


def choose(title: Title, manifest: Manifest, options: BuildOptions) -> tuple[Piece, ...]:
    """Return the pieces requested by kind, by name and for a number of players, in printing order,
    with the counts to print.

    Raises CannotRun for pieces that do not exist, and if nothing is left.
    """
    only = {kind for word in options.only for kind in kinds_named(word)}
    without = {kind for word in options.without for kind in kinds_named(word)}
    wanted = tuple(piece for piece in manifest.pieces if not options.only or piece.kind in only)
    chosen = tuple(piece for piece in wanted if piece.kind not in without)
    if wanted and not chosen:
        raise CannotRun(
            f"without: nothing is left of {manifest.title} without {', '.join(options.without)}"
        )
    if not chosen:
        hint = "; money makes notes for its bank" if "money" in options.only else ""
        raise CannotRun(f"only: {manifest.title} has no {' or '.join(options.only)}{hint}")
    if options.pieces:
        chosen = tuple(_matching(manifest, chosen, options.pieces))
    if options.players is not None:
        chosen = for_players(title, chosen, options.players)
        if not chosen:
            raise CannotRun(f"players {options.players}: none of the requested pieces is needed")
    if options.copies is not None:
        chosen = tuple(replace(piece, count=options.copies) for piece in chosen)
    return chosen


def _matching(
    manifest: Manifest, chosen: Sequence[Piece], patterns: Sequence[str]
) -> Iterator[Piece]:
    """Yield pieces whose `kind:id` (or kind) matches one of the patterns. A pattern without a match
    is an error."""
    for pattern in patterns:
        if not any(_fits(piece, pattern) for piece in chosen):
            hint = suggestion(pattern, manifest.by_key, most=3) or "see platelayer manifest"
            raise CannotRun(
                f"pieces: {manifest.title} has no piece {pattern!r} among those requested; {hint}"
            )
    return (piece for piece in chosen if any(_fits(piece, pattern) for pattern in patterns))


def _fits(piece: Piece, pattern: str) -> bool:
    return fnmatchcase(piece.key, pattern) or piece.kind == pattern


def for_players(title: Title, pieces: Sequence[Piece], players: int) -> tuple[Piece, ...]:
    """Return the pieces for a number of players. Of pieces that come one per player (as many as the
    title's most players), only that many are returned; number cards that run up to the most
    players stop at the given number. Raises CannotRun for an unsupported number of players."""
    counts = sorted(count.players for count in title.players)
    if players not in counts:
        allowed = f"is for {' or '.join(map(str, counts))} players"
        if not counts:
            allowed = "does not say for how many players it is"
        elif len(counts) > 1 and counts == list(range(counts[0], counts[-1] + 1)):
            allowed = f"is for {counts[0]} to {counts[-1]} players"
        raise CannotRun(f"players {players}: {title.id} {allowed}")
    most = counts[-1]
    numbered = title.pieces.number_cards == tuple(range(1, most + 1))
    chosen = []
    for piece in pieces:
        if piece.kind == "number-card" and numbered:
            if int(piece.id) <= players:
                chosen.append(piece)
        elif KINDS[piece.kind].one_a_player and piece.count == most:
            chosen.append(replace(piece, count=players))
        else:
            chosen.append(piece)
    return tuple(chosen)
