"""The fixed words of trains, cards and boards, in the languages of the prints."""

from __future__ import annotations

from platelayer.drawing.style import Style
from platelayer.foundation.text import Text, bilingual

RUSTED_BY = bilingual("Rusted by", "廃車条件")
OBSOLETE_BY = bilingual("Last run after", "旧式化")
RUSTS = bilingual("Rusts", "廃車にする")
PERMANENT = bilingual("Permanent", "永久列車")
FROM_PHASE = bilingual("From phase {}", "フェイズ{}から")
STARTS_PHASE = bilingual("Begins phase {}", "フェイズ{}開始")
TRADE_IN = bilingual("Trade in", "下取り")

PHASES = bilingual("Phases", "フェイズ")
PHASE = bilingual("Phase", "フェイズ")
BEGINS_WITH = bilingual("Begins with", "開始")
FIRST_TRAIN = bilingual("first {}", "最初の{}")
AT_START = bilingual("the game", "ゲーム開始")
TILES = bilingual("Tiles", "タイル")
TILE_LAYS = bilingual("Laid per turn", "配置枚数")
TRAIN_LIMIT = bilingual("Train limit", "列車上限")
OPERATING_ROUNDS = bilingual("Op. rounds", "運営")
OFF_BOARD = bilingual("Off-board", "盤外収益")
TRAINS = bilingual("Trains", "列車")
TRAIN = bilingual("Train", "列車")
PRICE = bilingual("Price", "価格")
COUNT = bilingual("Count", "枚数")
RUSTED = bilingual("Rusted by", "廃車")
AVAILABLE = bilingual("On sale", "販売")
UNLIMITED = bilingual("unlimited", "無制限")
WHO = {
    "major": bilingual("Major", "大会社"),
    "minor": bilingual("Minor", "小会社"),
    "national": bilingual("National", "国有鉄道"),
    "small": bilingual("Small", "小"),
    "medium": bilingual("Medium", "中"),
    "large": bilingual("Large", "大"),
    "coal": bilingual("Coal", "石炭"),
    "private": bilingual("Private", "個人会社"),
    "concession": bilingual("Concession", "認可状"),
}
COLOUR = {
    "white": bilingual("white", "白"),
    "yellow": bilingual("yellow", "黄"),
    "green": bilingual("green", "緑"),
    "brown": bilingual("brown", "茶"),
    "gray": bilingual("gray", "灰"),
    "purple": bilingual("purple", "紫"),
    "red": bilingual("red", "赤"),
    "blue": bilingual("blue", "青"),
    "sepia": bilingual("sepia", "セピア"),
    "black": bilingual("black", "黒"),
}

PRIORITY = bilingual("Priority deal", "優先権")
PRIORITY_NOTE = bilingual("Acts first in the next stock round", "次の株式ラウンドの最初の手番")
SEAT = bilingual("Player", "プレイヤー")
MARKET = bilingual("Stock market", "株式市場")
REVENUE = bilingual("Revenue", "収益表")
REVENUE_NOTE = bilingual("Above {}: count {} and the rest", "{}を超えたら{}と残りに分けて数える")
EARNINGS = bilingual("Earnings per share", "1株あたり収益")
EARNINGS_NOTE = bilingual(
    "Beside each value: what {} shares earn together. Above {}: count {} and the rest",
    "各マスの右は{}株の配当の合計。{}を超えたら{}と残りに分けて数える",
)
ACCOUNTS = bilingual("Final accounts", "最終決算表")
ACCOUNTS_NOTE = bilingual(
    "For each player: on the left the shares held, on the right what they are worth.",
    "各プレイヤーの欄:左に持ち株数、右にその価値。",
)
COMPANY = bilingual("Company", "会社")
SHARE_PRICE = bilingual("Price", "株価")
ROUNDS = bilingual("Rounds", "ラウンド")
GAME_TRACK = bilingual("Game track", "ゲーム進行表")
OFFER = bilingual("Initial round", "初期ラウンド")
OFFER_BACK = bilingual("Phases and upgrades", "フェイズとアップグレード")
STARRED = bilingual("* by an ability", "*は能力のみ")
INCOME = bilingual("Income", "収入")
CYCLES = bilingual("Cycle", "サイクル")
ROUNDS_BY_PHASE = bilingual("Operating rounds by phase", "フェイズごとの運営ラウンド数")

CHECKLIST = bilingual("Checklist", "内容物一覧")
PAGE = bilingual("page {} of {}", "{} / {} ページ")
TOTAL = bilingual("Total", "合計")
IN_BOX = bilingual("in the box {}", "箱の表示 {}")
OF_THESE = bilingual("of these:", "うち")
AS_IN_BOX = bilingual("as in the box", "箱の表示どおり")
NOTES = bilingual("Where this comes from", "出典と復元")
SOURCE = {
    "rulebook": bilingual("Rulebook", "ルールブック"),
    "catalogue": bilingual("Catalogue", "カタログ"),
    "reference": bilingual("Reference", "参照資料"),
    "reconstruction": bilingual("Reconstruction", "復元"),
}
CONFLICT = bilingual("sources differ", "出典に相違")
KIND = {
    "map": bilingual("Map", "マップ"),
    "tile": bilingual("Tiles", "タイル"),
    "map-tile": bilingual("Map tiles", "マップタイル"),
    "overlay": bilingual("Overlays", "オーバーレイ"),
    "charter": bilingual("Charters", "会社シート"),
    "certificate": bilingual("Certificates", "株券"),
    "private": bilingual("Privates", "個人会社"),
    "train": bilingual("Trains", "列車"),
    "token": bilingual("Tokens", "トークン"),
    "market": bilingual("Stock market", "株式市場"),
    "revenue-chart": bilingual("Revenue chart", "収益表"),
    "round-track": bilingual("Round track", "ラウンドトラック"),
    "phase-card": bilingual("Phase cards", "フェイズカード"),
    "summary": bilingual("Player aids", "早見表"),
    "number-card": bilingual("Number cards", "番号カード"),
    "priority-card": bilingual("Priority card", "優先権カード"),
    "money": bilingual("Money", "紙幣"),
    "marker": bilingual("Markers", "マーカー"),
    "upgrade-chart": bilingual("Upgrade chart", "アップグレード表"),
    "checklist": bilingual("Checklist", "内容物一覧"),
    "capital-project": bilingual("Capital projects", "首都計画"),
    "destination-card": bilingual("Destination cards", "目的地カード"),
    "score-sheet": bilingual("Score sheets", "決算表"),
    "offer-sheet": bilingual("Initial round", "初期ラウンド"),
}
CONCESSIONS = bilingual("Concessions", "認可状")
NAMED = {
    "train": bilingual("{}-train", "{}列車"),
    "number-card": bilingual("Number {}", "番号{}"),
}
WHICH = bilingual("{}, {}", "{}、{}")
CARD = bilingual("{}: {}", "{}:{}")
SHARE = bilingual("{} %", "{} %")
HELD_BACK = bilingual("{} % reserved", "{} % 留保")
GROUP = {
    "director": bilingual("director’s", "社長株券"),
    "ordinary": bilingual("ordinary", "一般株券"),
    "station": bilingual("station", "駅"),
    "market": bilingual("market", "株価"),
    **WHO,
    **COLOUR,
}

UPGRADES = bilingual("Upgrade chart", "アップグレード表")
UPGRADE_NOTE = bilingual("An arrow leads to a tile that may replace the other.", "矢印の先のタイルに置き換えられる。")
NUMBERS_NOTE = bilingual(
    "Numbers below a tile are those of tiles that may replace it.", "タイルの下の番号は置き換えられるタイル。"
)
TRACK_KEPT = bilingual("All old track is kept.", "元の線路はすべて残す。")
ONLY_BY = bilingual("* only by: {}", "* {}のみ")
WITHOUT_UPGRADES = bilingual("Without upgrades", "アップグレードなし")
CITIES = bilingual("Cities", "都市")
TOWNS = bilingual("Towns", "町")
DOUBLE_TOWNS = bilingual("Double towns", "2つの町")
PASSES = bilingual("Passes", "峠")
PLAIN_TRACK = bilingual("Plain track", "線路のみ")


def named(table: dict[str, Text], key: str, style: Style) -> str:
    """The word for a key, or the key itself where no word is known."""
    return style.words(table[key]) if key in table else key
