"""What the drawings of an assembled board say by themselves, in the languages of the print."""

from __future__ import annotations

from platelayer.foundation.text import Text


def _words(en: str, ja: str) -> Text:
    return Text((("en", en), ("ja", ja)))


CAPITAL_PROJECT = _words("Capital project", "首都計画")
CAPITAL_PROJECT_NOTE = _words(
    "Take this tile out of the game and lay a capital overlay on a basic city.",
    "このタイルをゲームから除き、普通の都市に首都オーバーレイを置く。",
)
MODES = {
    "long": _words("Long game", "ロングゲーム"),
    "short": _words("Short game", "ショートゲーム"),
    "micro3": _words("Micro game for 3", "マイクロゲーム(3人)"),
    "micro2": _words("Micro game for 2", "マイクロゲーム(2人)"),
}
SEED = _words("Seed", "シード")
POLICY = _words("Policy", "方針")
POLICIES = {
    "uniform": _words("uniform", "一様"),
    "compact": _words("compact", "密集"),
    "best": _words("best of many", "最良選択"),
    "hand": _words("laid by hand", "手作業"),
}
LAID_BY_HAND = _words("Laid by hand", "手で並べたマップ")
TILES = _words("{} map tiles", "マップタイル{}枚")
BLANKS = _words("{} blanks", "空白{}枚")
CAPITALS = _words("{} capitals", "首都{}か所")
ONE_BLANK = _words("1 blank", "空白1枚")
ONE_CAPITAL = _words("1 capital", "首都1か所")
ONE_TILE = _words("1 map tile", "マップタイル1枚")
STACK = _words("Stack {}", "山札{}")
TILE_EDGE = _words("Map tile of three hexes and its number", "3ヘックスのマップタイルと番号")
BORDER = _words("Border: nothing may touch its striped edges", "境界: 縞の辺には何も接してはならない")
WATER = _words("Water: bridges only", "水域: 橋のみ")
CAPITAL = _words("Capital overlay", "首都オーバーレイ")
DESTINATION = _words("Destination: pays as its card says", "目的地: 収益はカードによる")
DESTINATION_HEAD = _words("Destination", "目的地")
DESTINATION_NOTE = _words(
    "Every destination of the map pays this, by the colour of the latest tiles.",
    "マップの目的地はすべて、最新のタイルの色に応じてこの額を支払う。",
)
DESTINATION_BLANK = _words(
    "Fill in what every destination of the map is to pay.", "マップの目的地が支払う額を書き込む。"
)
GUIDE_WORDS = {
    "guide": _words("Building guide", "組み立て手引き"),
    "table": _words("Room on the table", "必要な広さ"),
    "size": _words("{} × {} mm with hexes of {} mm", "{}×{} mm(ヘックス {} mm)"),
    "cash": _words("Cash by players", "人数別の所持金"),
    "columns": _words("Columns of charters", "会社ボードの列"),
    "companies": _words("In play", "登場会社"),
    "how": _words(
        "Lay the hex with the number on the place named; turn the tile until its number points to the hour given.",
        "番号のあるヘックスを指定の場所に置き、番号が示された時刻の方向を指すように回す。",
    ),
    "hour": _words("{} o’clock", "{}時"),
    "capital": _words("capital", "首都"),
    "blanks": _words("At the end lay blanks on", "最後に空白を置く場所"),
}
