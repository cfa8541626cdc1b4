"""Small titles made of companies, for the tests of what belongs to a company."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import asdict

from platelayer.definitions.themes import load_theme
from platelayer.drawing.kit.style import Style
from platelayer.foundation.text import Text
from platelayer.model.company import Certificate, Company, CompanyKind
from platelayer.model.title import Pieces, Size, Title
from shipped import shipped

STYLE = Style(theme=load_theme("classic"))
EU = shipped("18eu")

LONG_NAMES = (
    "Magyar Királyi Államvasutak",
    "k.k. privilegierte Österreichische Staatseisenbahn-Gesellschaft",
    "Strade Ferrate della Lombardia & dell'Italia Centrale",
    "Eisenbahn Karlsbad Johanngeorgenstadt",
    "ČSD",
)
COLOURS = (
    "#fff200",
    "#fffcd5",
    "#231f20",
    "#ffffff",
    "#000000",
    "#ffc0cb",
    "#808080",
    "#00ff00",
    "#0000ff",
    "#ed1c24",
)


def company(company_id: str, **changes: object) -> Company:
    """A major with a director's certificate and eight shares, or whatever `changes` make of it."""
    given: dict[str, object] = {
        "id": company_id,
        "name": Text.plain("Some Railway"),
        "kind": CompanyKind.MAJOR,
        "token_text": company_id,
        "colour": "#ed1c24",
        "second": "#ffffff",
        "text_colour": "#ffffff",
        "certificates": (Certificate(percent=20, director=True), Certificate(percent=10, count=8)),
        "stations": (0, 40, 100),
        "float_percent": 60,
    }
    return Company(**(given | changes))  # type: ignore[arg-type]


def title_of(companies: Iterable[Company], sizes: tuple[Size, ...] = ()) -> Title:
    """18EU with other companies and sizes."""
    parts = asdict(EU)
    return Title(
        **(parts | {"currency": "{}", "companies": tuple(companies), "pieces": Pieces(sizes=sizes)})
    )
