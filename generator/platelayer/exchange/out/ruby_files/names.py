"""Names of a title's companies, trains, phases and colours in its Ruby files."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence

from msgspec import Struct

from platelayer.exchange.losses import Losses
from platelayer.exchange.names import safe_id
from platelayer.foundation.languages import FixedWords
from platelayer.foundation.text import Text
from platelayer.model.company import Company
from platelayer.model.phase import Phase
from platelayer.model.title import Title
from platelayer.model.train import Train

_card_words = FixedWords("cards")

_BY_AGE = ("yellow", "green", "brown", "purple", "gray")
"""Colours of tiles as phases bring them."""


class Names(Struct, frozen=True, kw_only=True):
    """What is called what. `companies` by ref; `trains` by id and face index; `trains_and_phases`
    are what may end or begin a train: ids of trains and phases, and names of faces, with the name
    of the train that the first sale is of; `revenue` are keys of revenues that the engine does not
    know, with the colour whose phase they come with."""

    title: Title
    language: str
    losses: Losses
    companies: dict[str, str]
    trains: dict[tuple[str, int], str]
    trains_and_phases: dict[str, str]
    revenue: dict[str, str]

    @property
    def known_statuses(self) -> Mapping[str, Text]:
        """What may hold in a phase by the engine's own names, in words."""
        return _card_words.table("status")

    def words(self, text: Text | None) -> str:
        """A text in the language of the export, on one line."""
        return " ".join(text.get(self.language).split()) if text is not None else ""


def names_of(title: Title, language: str) -> Names:
    """The names of a title."""
    losses = Losses()
    trains = _trains(title.trains)
    known = {train.id: trains[train.id, 0] for train in title.trains}
    faces: dict[str, str] = {}
    for train in title.trains:
        for index, face in enumerate(train.faces):
            faces.setdefault(face.name, trains[train.id, index])
    begun = {phase.id: known[phase.on] for phase in title.phases if phase.on in known}
    return Names(
        title=title,
        language=language,
        losses=losses,
        companies=_companies(title.companies),
        trains=trains,
        trains_and_phases=begun | faces | known,
        revenue=_revenue(title.phases, losses),
    )


def module_name(title_id: str) -> str:
    """The Ruby module of a title: 18cz becomes G18Cz."""
    plain = unicodedata.normalize("NFKD", title_id).encode("ascii", "ignore").decode()
    return "G" + "".join(word[:1].upper() + word[1:] for word in _split(plain))


def folder_name(title_id: str) -> str:
    """The folder of a title: 18cz becomes g_18_cz."""
    return "_".join(["g", *(word.lower() for word in _split(title_id))])


def _split(title_id: str) -> list[str]:
    return re.findall(r"[0-9]+|[A-Za-z]+", title_id) or ["0"]


def _companies(companies: Sequence[Company]) -> dict[str, str]:
    """The token's text where it tells a company apart and leads back to its id, else the id."""
    texts = [company.token_text for company in companies]
    return {
        company.ref: company.token_text if _tells(company, texts) else company.id
        for company in companies
    }


def _tells(company: Company, texts: Sequence[str]) -> bool:
    return texts.count(company.token_text) == 1 and safe_id(company.token_text) == company.id


def _trains(trains: Sequence[Train]) -> dict[tuple[str, int], str]:
    """Names of faces, each once: where it is taken, with the id of its card."""
    names: dict[tuple[str, int], str] = {}
    taken: set[str] = set()
    for train in trains:
        for index, face in enumerate(train.faces):
            name = face.name if face.name not in taken else f"{face.name}-{train.id}"
            while name in taken:
                name += "'"
            taken.add(name)
            names[train.id, index] = name
    return names


def _revenue(phases: Sequence[Phase], losses: Losses) -> dict[str, str]:
    """The newest colour of the first phase in which a key of revenues holds."""
    first_of: dict[str, str] = {}
    before: tuple[str, ...] = ()
    for phase in phases:
        newest = [colour for colour in _BY_AGE if colour in phase.tiles][-1:]
        if (
            phase.revenue is not None
            and phase.revenue not in first_of
            and newest
            and newest[0] not in first_of.values()
        ):
            first_of[phase.revenue] = newest[0]
            if newest[0] in before:
                losses.lose(
                    "revenue that changes in a phase without new tiles", f"phase {phase.id}"
                )
        before = phase.tiles
    return first_of
