"""Abilities that do not fit the piece of their company, which then says on which aid they stand."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from platelayer.drawing.kit.style import Style
from platelayer.foundation.languages import FixedWords
from platelayer.model.company import Company
from platelayer.model.pieces import Piece
from platelayer.model.title import Aid, AidSection, Title
from platelayer.scene.legibility import MIN_TEXT_PT
from platelayer.scene.typeset import text_width

card_words = FixedWords("cards")

_AID = "in-full"
_PIECES = ("charter", "private")
_SURELY = 0.02
"""Words that fill less than this share of a piece always have room on it."""


def company_told_on(title: Title, piece: Piece) -> Company | None:
    """The company whose abilities stand on a piece; None for a piece that has none."""
    if piece.kind not in _PIECES:
        return None
    told = (
        company for company in title.companies if (company.block, company.id) == piece.origin[:2]
    )
    return next((company for company in told if company.abilities), None)


def is_short(title: Title, piece: Piece, company: Company, style: Style) -> bool:
    """Whether abilities are so short that they have room on any piece of this size."""
    size = title.pieces.size(piece.kind, piece.id, piece.size)
    least = style.type(f"{piece.kind}.body").at(MIN_TEXT_PT)
    words = "".join(map(style.words, company.abilities))
    return (
        text_width(words, least.beside(words)) * least.size_mm
        < _SURELY * size.width_mm * size.height_mm
    )


def pointing(title: Title, company: Company) -> Title:
    """The title in which a company says no more of its abilities than where they stand."""
    brief = replace(company, abilities=(card_words("see_in_full"),))
    return replace(
        title,
        companies=tuple(brief if other.ref == company.ref else other for other in title.companies),
    )


def with_aid(title: Title, companies: Sequence[Company]) -> Title:
    """The title with an aid, one for each player, on which the abilities of these companies stand
    in full."""
    if not companies:
        return title
    for company in companies:
        title = pointing(title, company)
    most = max((setting.players for setting in title.players), default=1)
    sections = tuple(
        AidSection(heading=company.name, lines=company.abilities) for company in companies
    )
    taken = {aid.id for aid in title.aids}
    own = next(
        name
        for name in (_AID, *(f"{_AID}-{number}" for number in range(2, 99)))
        if name not in taken
    )
    aid = Aid(id=own, name=card_words("in_full"), count=most, sections=sections)
    return replace(title, aids=(*title.aids, aid))
