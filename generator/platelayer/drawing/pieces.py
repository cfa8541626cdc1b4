"""Drawings of the pieces of a manifest, front and back."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import TypeVar

from msgspec.structs import replace

from platelayer.drawing import drawer
from platelayer.drawing.kit.style import Style
from platelayer.drawing.kit.tables import DoesNotFit
from platelayer.foundation.languages import FixedWords
from platelayer.foundation.problems import Problem, severity_of
from platelayer.model.company import Company
from platelayer.model.kinds import KINDS, PLAY, Piece, piece_size
from platelayer.model.manifest import Manifest, build_manifest
from platelayer.model.tile import UpgradeGraph
from platelayer.model.title import Aid, AidSection, Size, Title
from platelayer.scene.legibility import MIN_PLAY_PT, MIN_TEXT_PT
from platelayer.scene.shapes import Scene
from platelayer.scene.typeset import text_width

card_words = FixedWords("cards")

# Aid for abilities that do not fit their company's piece.
_AID = "in-full"
_PIECES = ("charter", "private")
# Words that fill less than this share of a piece always have room on it.
_SURELY = 0.02


def company_described_on(title: Title, piece: Piece) -> Company | None:
    """Return the company whose abilities are on a piece; None if the piece has no abilities."""
    if piece.kind not in _PIECES:
        return None
    owners = (
        company for company in title.companies if (company.block, company.id) == piece.origin[:2]
    )
    return next((company for company in owners if company.abilities), None)


def is_short(title: Title, piece: Piece, company: Company, style: Style) -> bool:
    """Return True if abilities are short enough to fit any piece of this size."""
    size = piece_size(title, piece.kind, piece.id, piece.size)
    least = style.type(f"{piece.kind}.body").at(MIN_TEXT_PT)
    words = "".join(map(style.words, company.abilities))
    area = text_width(words, least.beside(words)) * least.size_mm
    return area < _SURELY * size.width_mm * size.height_mm


def referring_to_aid(title: Title, company: Company) -> Title:
    """Return the title with a reference to the aid in place of a company's abilities."""
    brief = replace(company, abilities=(card_words("see_in_full"),))
    companies = (brief if other.ref == company.ref else other for other in title.companies)
    return replace(title, companies=tuple(companies))


def with_aid(title: Title, companies: Sequence[Company], cards: int = 1) -> Title:
    """Return the title with an aid on `cards` cards, one of each per player, which has the full
    abilities of these companies."""
    if not companies:
        return title
    for company in companies:
        title = referring_to_aid(title, company)
    taken = {aid.id for aid in title.aids}
    names = (_AID, *(f"{_AID}-{number}" for number in range(2, 99)))
    own = [name for name in names if name not in taken]
    aids = tuple(
        Aid(
            id=own[card],
            name=card_words("in_full"),
            count=title.most_players or 1,
            sections=tuple(
                AidSection(heading=company.name, lines=company.abilities)
                for company in companies[
                    len(companies) * card // cards : len(companies) * (card + 1) // cards
                ]
            ),
        )
        for card in range(cards)
    )
    return replace(title, aids=(*title.aids, *aids))


def draw_piece(
    title: Title, manifest: Manifest, piece: Piece, style: Style, graph: UpgradeGraph | None = None
) -> tuple[Scene, ...]:
    """Draw one piece, front first: a single scene, except for a checklist or upgrade chart of
    several pages.

    Only the upgrade chart needs `graph`; without one it has no arrows.
    """
    kind = KINDS[piece.kind]
    if kind.pages:
        known = graph or UpgradeGraph(title=title.id, variant=title.variant, pairs=())
        pages: tuple[Scene, ...] = drawer(kind.pages)(title, manifest, known, style)
        return pages
    return (drawer(kind.front)(title, piece.id, style),)


Drawing = TypeVar("Drawing")


def draw_with_room(
    draw: Callable[[Title, Style], Drawing], title: Title, piece: Piece, style: Style
) -> tuple[Drawing, tuple[Problem, ...]]:
    """Return the result of `draw` for a title in which the piece is as large as its words need,
    with a note LG11 if that is larger than usual. A size given in the title is kept: words then
    become fine print, with a warning LG12. If abilities still do not fit, the piece refers to an
    aid, with a warning LG18. Raises DoesNotFit if that does not help either."""
    try:
        return _with_room(draw, title, piece, style)
    except DoesNotFit as error:
        company = company_described_on(title, piece)
        if company is None:
            raise
        with suppress(DoesNotFit):
            drawn, notes = _with_room(draw, referring_to_aid(title, company), piece, style)
            return drawn, (*notes, _moved(piece))
        raise error from None


def with_words_aside(title: Title, style: Style) -> tuple[Title, tuple[Problem, ...]]:
    """Return the title with an aid for abilities that do not fit their pieces, which refer to the
    aid, and a warning LG18 for each of these pieces; the unchanged title if all fit."""
    manifest = build_manifest(title)
    moved = {}
    notes = []
    for piece in manifest.pieces:
        company = company_described_on(title, piece)
        if company is None or company.ref in moved or is_short(title, piece, company, style):
            continue
        try:
            _with_room(
                lambda roomy, ink: draw_piece(roomy, manifest, piece, ink),  # noqa: B023
                title,
                piece,
                style,
            )
        except DoesNotFit:
            moved[company.ref] = company
            notes.append(_moved(piece))
    aided = title
    for cards in range(1, len(moved) + 1):
        aided = with_aid(title, tuple(moved.values()), cards)
        if _fit(aided, aided.aids[len(title.aids) :], style):
            break
    return aided, tuple(notes)


def _fit(title: Title, aids: Iterable[Aid], style: Style) -> bool:
    """Return True if the words of these aids fit their cards."""
    try:
        for aid in aids:
            drawer(KINDS["summary"].front)(title, aid.id, style)
    except DoesNotFit:
        return False
    return True


def _with_room(
    draw: Callable[[Title, Style], Drawing], title: Title, piece: Piece, style: Style
) -> tuple[Drawing, tuple[Problem, ...]]:
    """Return the result of `draw_with_room`, but without moving words to an aid. Raises
    DoesNotFit."""
    kind, given = KINDS[piece.kind], title.pieces.given_size(piece.kind, piece.id, piece.size)
    try:
        return draw(title, style), ()
    except DoesNotFit as error:
        for width, height in kind.larger_mm if given is None else ():
            size = Size(piece.key, width, height)
            roomy = replace(title, pieces=replace(title.pieces, sizes=(*title.pieces.sizes, size)))
            with suppress(DoesNotFit):
                usual = piece_size(title, piece.kind)
                message = (
                    f"{piece.key} is {size.width_mm:g} x {size.height_mm:g} mm, for its words do not fit "
                    f"{usual.width_mm:g} x {usual.height_mm:g} mm"
                )
                hint = "shorten them, or give the piece a size of your own (pieces, sizes)"
                return draw(roomy, style), (_note("LG11", piece, message, hint),)
        if kind.larger_mm:
            with suppress(DoesNotFit):
                own = piece_size(title, piece.kind, piece.id, piece.size)
                message = (
                    f"{piece.key} has words smaller than {MIN_PLAY_PT:g} pt, for they do not fit "
                    f"{own.width_mm:g} x {own.height_mm:g} mm otherwise"
                )
                hint = "shorten them, or choose a larger size"
                return draw(title, style.finer()), (_note("LG12", piece, message, hint),)
        raise error from None


def _note(code: str, piece: Piece, message: str, hint: str) -> Problem:
    severity = severity_of(code)
    return Problem(code, message, hint, severity=severity, about=piece.key)


def _moved(piece: Piece) -> Problem:
    message = f"{piece.key} has no room for what its company may do, which stands on an aid instead"
    return _note("LG18", piece, message, "shorten it, or choose a larger size")


def draw_back(title: Title, piece: Piece, style: Style) -> Scene | None:
    """Draw the back of a piece of the manifest. Width, height, bleed and safe zone are those of its
    front; the outline is the front's, mirrored left to right. None for a piece without a back
    (`piece.back` is "").

    The key is `kind:id:back`, or one that all pieces with the same back share: pieces that must
    look the same face down share one scene ("back:certificate:88x63").
    """
    if not piece.back:
        return None
    kind = KINDS[piece.kind]
    if piece.back == PLAY:
        back: Scene = drawer(kind.front)(title, piece.id, style, back=True)
    else:
        back = drawer(kind.back)(title, piece, style)
    return back
