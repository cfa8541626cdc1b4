"""Words for the subjects of provenance notes, in the languages of the prints."""

from __future__ import annotations

import re

from platelayer.drawing.kit.style import Style
from platelayer.foundation.languages import FixedWords
from platelayer.foundation.text import Text
from platelayer.model.kinds import KINDS
from platelayer.model.title import Title

_PARTED = re.compile("[/:]")
_BETWEEN = Text.plain(" – ")
_WORDS = FixedWords("subjects")


def subject_words(title: Title, subject: str, style: Style) -> str:
    """The words for a JSON pointer ("companies/names") or for a piece ("summary:merger"): its name where it has one,
    else its id."""
    known = {**{kind.id: kind.name for kind in KINDS.values()}, **_WORDS.all()}
    known |= {company.ref: company.name for company in title.companies}
    known |= {gamemap.id: gamemap.name for gamemap in title.maps}
    known |= {aid.id: aid.name for aid in title.aids}
    known |= {marker.id: marker.name for marker in title.pieces.markers}
    known |= {variant.id: variant.name for variant in title.variants}
    parts = [part for part in _PARTED.split(subject) if part]
    return style.words(_BETWEEN).join(style.words(known[part]) if part in known else part for part in parts)
