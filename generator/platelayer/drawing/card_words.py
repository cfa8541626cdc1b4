"""The fixed words of trains, cards and boards, in the languages of the prints."""

from __future__ import annotations

from platelayer.drawing.style import Style
from platelayer.foundation.text import Text


def _words(en: str, ja: str) -> Text:
    return Text((("en", en), ("ja", ja)))


RUSTED_BY = _words("Rusted by", "廃車")
OBSOLETE_BY = _words("Last run after", "旧式化")
RUSTS = _words("Rusts", "廃車にする")
PERMANENT = _words("Permanent", "永久")
FROM_PHASE = _words("From phase {}", "フェイズ{}から")
STARTS_PHASE = _words("Begins phase {}", "フェイズ{}開始")
TRADE_IN = _words("Trade in", "下取り")

PHASES = _words("Phases", "フェイズ")
PHASE = _words("Phase", "フェイズ")
BEGINS_WITH = _words("Begins with", "開始")
FIRST_TRAIN = _words("first {}", "最初の{}")
AT_START = _words("the game", "ゲーム開始")
TILES = _words("Tiles", "タイル")
TRAIN_LIMIT = _words("Train limit", "列車上限")
OPERATING_ROUNDS = _words("Op. rounds", "運営")
OFF_BOARD = _words("Off-board", "盤外収益")
TRAINS = _words("Trains", "列車")
TRAIN = _words("Train", "列車")
PRICE = _words("Price", "価格")
COUNT = _words("Count", "枚数")
RUSTED = _words("Rusted by", "廃車")
AVAILABLE = _words("On sale", "販売")
UNLIMITED = _words("unlimited", "無制限")
WHO = {
    "major": _words("Major", "大会社"),
    "minor": _words("Minor", "小会社"),
    "national": _words("National", "国有鉄道"),
    "small": _words("Small", "小"),
    "medium": _words("Medium", "中"),
    "large": _words("Large", "大"),
    "coal": _words("Coal", "石炭"),
    "private": _words("Private", "私企業"),
    "concession": _words("Concession", "認可"),
}
COLOUR = {
    "white": _words("white", "白"),
    "yellow": _words("yellow", "黄"),
    "green": _words("green", "緑"),
    "brown": _words("brown", "茶"),
    "gray": _words("gray", "灰"),
    "purple": _words("purple", "紫"),
    "red": _words("red", "赤"),
    "blue": _words("blue", "青"),
    "sepia": _words("sepia", "セピア"),
    "black": _words("black", "黒"),
}

PRIORITY = _words("Priority deal", "優先権")
PRIORITY_NOTE = _words("Acts first in the next stock round", "次の株式ラウンドの最初の手番")
SEAT = _words("Player", "プレイヤー")
MARKET = _words("Stock market", "株式市場")
REVENUE = _words("Revenue", "収益表")
REVENUE_NOTE = _words("Above {}: count {} and the rest", "{}を超えたら{}と残りに分けて数える")
EARNINGS = _words("Earnings per share", "1株あたり収益")
EARNINGS_NOTE = _words(
    "Beside each value: what {} shares earn together. Above {}: count {} and the rest",
    "各マスの右は{}株の配当の合計。{}を超えたら{}と残りに分けて数える",
)
ROUNDS = _words("Rounds", "ラウンド")
CYCLES = _words("Cycle", "サイクル")
ROUNDS_BY_PHASE = _words("Operating rounds by phase", "フェイズごとの運営ラウンド数")

CHECKLIST = _words("Checklist", "内容物一覧")
PAGE = _words("page {} of {}", "{} / {} ページ")
TOTAL = _words("Total", "合計")
IN_BOX = _words("in the box {}", "箱の表示 {}")
AS_IN_BOX = _words("as in the box", "箱の表示どおり")
NOTES = _words("Where this comes from", "出典と復元")
SOURCE = {
    "rulebook": _words("Rulebook", "ルールブック"),
    "catalogue": _words("Catalogue", "カタログ"),
    "reference": _words("Reference", "参照資料"),
    "reconstruction": _words("Reconstruction", "復元"),
}
KIND = {
    "map": _words("Map", "マップ"),
    "tile": _words("Tiles", "タイル"),
    "map-tile": _words("Map tiles", "マップタイル"),
    "overlay": _words("Overlays", "オーバーレイ"),
    "charter": _words("Charters", "会社シート"),
    "certificate": _words("Certificates", "株券"),
    "private": _words("Privates", "私企業"),
    "train": _words("Trains", "列車"),
    "token": _words("Tokens", "トークン"),
    "market": _words("Stock market", "株式市場"),
    "revenue-chart": _words("Revenue chart", "収益表"),
    "round-track": _words("Round track", "ラウンドトラック"),
    "phase-card": _words("Phase cards", "フェイズカード"),
    "summary": _words("Player aids", "早見表"),
    "number-card": _words("Number cards", "番号カード"),
    "priority-card": _words("Priority card", "優先権カード"),
    "money": _words("Money", "お金"),
    "marker": _words("Markers", "マーカー"),
    "upgrade-chart": _words("Upgrade chart", "アップグレード表"),
    "checklist": _words("Checklist", "内容物一覧"),
    "capital-project": _words("Capital projects", "首都計画"),
    "destination-card": _words("Destination cards", "目的地カード"),
}
NAMED = {
    "train": _words("{}-train", "{}列車"),
    "number-card": _words("Number {}", "番号{}"),
}
GROUP = {
    "director": _words("director’s", "社長株券"),
    "ordinary": _words("ordinary", "一般株券"),
    "station": _words("station", "駅"),
    "market": _words("market", "株価"),
    **{kind: WHO[kind] for kind in ("major", "minor", "national", "private", "concession")},
    **COLOUR,
}

UPGRADES = _words("Upgrade chart", "アップグレード表")
UPGRADE_NOTE = _words("An arrow leads to a tile that may replace the other.", "矢印の先のタイルに置き換えられる。")
NUMBERS_NOTE = _words(
    "Numbers below a tile are those of tiles that may replace it.", "タイルの下の番号は置き換えられるタイル。"
)
TRACK_KEPT = _words("All old track is kept.", "元の線路はすべて残す。")
ONLY_BY = _words("* only by: {}", "* {}のみ")
WITHOUT_UPGRADES = _words("Without upgrades", "アップグレードなし")
CITIES = _words("Cities", "都市")
TOWNS = _words("Towns", "町")
PASSES = _words("Passes", "峠")
PLAIN_TRACK = _words("Plain track", "線路のみ")


def named(table: dict[str, Text], key: str, style: Style) -> str:
    """The word for a key, or the key itself where no word is known."""
    return style.words(table[key]) if key in table else key
