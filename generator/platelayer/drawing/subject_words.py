"""What a provenance speaks of in, the words for it out, in the languages of the prints."""

from __future__ import annotations

import re

from platelayer.drawing import card_words
from platelayer.drawing.style import Style
from platelayer.foundation.text import Text, bilingual
from platelayer.model.title import Title

_PARTED = re.compile("[/:]")
_BETWEEN = Text.plain(" – ")
_WORDS: dict[str, Text] = {
    "abilities": bilingual("abilities", "能力"),
    "aids": bilingual("Player aids", "早見表"),
    "bank": bilingual("Bank", "銀行"),
    "boards": bilingual("boards", "ボード"),
    "bonuses": bilingual("Bonuses", "ボーナス"),
    "borders": bilingual("borders", "国境"),
    "chains": bilingual("chains", "変化の系列"),
    "colours": bilingual("colours", "色"),
    "companies": bilingual("Companies", "会社"),
    "concessions": bilingual("concessions", "認可状"),
    "credits": bilingual("Credits", "クレジット"),
    "currency": bilingual("Currency", "通貨"),
    "holding": bilingual("holding", "持株会社"),
    "icons": bilingual("icons", "印"),
    "Japanese": bilingual("Japanese names", "日本語名"),
    "maps": bilingual("Maps", "マップ"),
    "mountain": bilingual("mountain railways", "山岳鉄道"),
    "name": bilingual("Name", "ゲーム名"),
    "names": bilingual("names", "名称"),
    "order": bilingual("operating order", "運営順"),
    "passes": bilingual("passes", "峠"),
    "phases": bilingual("Phases", "フェイズ"),
    "pieces": bilingual("Pieces", "内容物"),
    "places": bilingual("places", "場所"),
    "players": bilingual("Players", "プレイヤー"),
    "red": bilingual("red", "赤"),
    "sizes": bilingual("sizes", "寸法"),
    "stations": bilingual("stations", "駅"),
    "subtitle": bilingual("Subtitle", "副題"),
    "terrain": bilingual("terrain", "地形"),
    "tiles": bilingual("Tiles", "タイル"),
    "trains": bilingual("Trains", "列車"),
    "upgrades": bilingual("Upgrades", "アップグレード"),
    "values": bilingual("values", "収益額"),
    "variants": bilingual("Variants", "バリアント"),
    "zones": bilingual("zones", "地域"),
}


def subject_words(title: Title, subject: str, style: Style) -> str:
    """The words for a JSON pointer ("companies/names") or for a piece ("summary:merger"); what has a name goes by that,
    ids without one stand for themselves."""
    known = {**card_words.KIND, **_WORDS}
    known |= {company.id: company.name for company in title.companies}
    known |= {gamemap.id: gamemap.name for gamemap in title.maps}
    known |= {aid.id: aid.name for aid in title.aids}
    known |= {marker.id: marker.name for marker in title.pieces.markers}
    known |= {variant.id: variant.name for variant in title.variants}
    parts = [part for part in _PARTED.split(subject) if part]
    return style.words(_BETWEEN).join(style.words(known[part]) if part in known else part for part in parts)
