"""The fixed words of backs, in the languages of the prints."""

from __future__ import annotations

from platelayer.drawing import card_words, company_words
from platelayer.foundation.text import bilingual

BACK = {
    "certificate": bilingual("Share certificate", "株券"),
    "private": company_words.PRIVATE,
    "concession": company_words.CONCESSION,
    "train": card_words.TRAIN,
    "phase-card": card_words.PHASES,
    "summary": bilingual("Player aid", "早見表"),
    "number-card": bilingual("Order of play", "手番順"),
    "priority-card": card_words.PRIORITY,
    "money": card_words.KIND["money"],
    "destination-card": bilingual("Destination", "目的地"),
    "map-tile": bilingual("Map tile", "マップタイル"),
    "overlay": bilingual("Capital overlay", "首都オーバーレイ"),
}
"""What a face-down piece of a kind is; concessions are told from other privates."""
