"""What the drawings of an assembled board say by themselves, in the languages of the print."""

from __future__ import annotations

from platelayer.foundation.text import bilingual

CAPITAL_PROJECT = bilingual("Capital project", "首都計画")
CAPITAL_PROJECT_NOTE = bilingual(
    "Take this tile out of the game and lay a capital overlay on a basic city.",
    "このタイルは除き、首都オーバーレイを普通の都市に置く。",
)
MODES = {
    "long": bilingual("Long game", "ロングゲーム"),
    "short": bilingual("Short game", "ショートゲーム"),
    "micro3": bilingual("Micro game for 3", "マイクロゲーム(3人)"),
    "micro2": bilingual("Micro game for 2", "マイクロゲーム(2人)"),
}
SEED = bilingual("Seed", "シード")
POLICY = bilingual("Policy", "方針")
POLICIES = {
    "uniform": bilingual("uniform", "一様"),
    "compact": bilingual("compact", "密集"),
    "best": bilingual("best of many", "最良"),
    "hand": bilingual("laid by hand", "手置き"),
}
LAID_BY_HAND = bilingual("Laid by hand", "手で並べたマップ")
TILES = bilingual("{} map tiles", "マップタイル{}枚")
BLANKS = bilingual("{} blanks", "空白{}枚")
CAPITALS = bilingual("{} capitals", "首都{}か所")
ONE_BLANK = bilingual("1 blank", "空白1枚")
ONE_CAPITAL = bilingual("1 capital", "首都1か所")
ONE_TILE = bilingual("1 map tile", "マップタイル1枚")
STACK = bilingual("Stack {}", "山札{}")
TILE_EDGE = bilingual("Map tile of three hexes and its number", "3ヘックスのマップタイルと番号")
BORDER = bilingual("Border: nothing may touch its striped edges", "境界: 縞の辺には何も接してはならない")
WATER = bilingual("Water: bridges only", "水域: 橋のみ")
CAPITAL = bilingual("Capital overlay", "首都オーバーレイ")
DESTINATION = bilingual("Destination: pays as its card says", "目的地: 収益はカードによる")
DESTINATION_HEAD = bilingual("Destination", "目的地")
DESTINATION_NOTE = bilingual(
    "Every destination of the map pays this, by the colour of the latest tiles.",
    "すべての目的地が、最新のタイルの色に応じてこの額を支払う。",
)
DESTINATION_BLANK = bilingual(
    "Fill in what every destination of the map is to pay.", "マップの目的地が支払う額を書き込む。"
)
GUIDE_WORDS = {
    "guide": bilingual("Building guide", "組み立て手引き"),
    "table": bilingual("Room on the table", "必要な広さ"),
    "size": bilingual("{} × {} mm with hexes of {} mm", "{}×{} mm(ヘックス {} mm)"),
    "cash": bilingual("Cash by players", "人数別の所持金"),
    "columns": bilingual("Columns of charters", "会社シートの列"),
    "companies": bilingual("In play", "登場会社"),
    "how": bilingual(
        "Lay the hex with the number on the place named; turn the tile until its number points to the hour given.",
        "番号のあるヘックスを指定の場所に置き、番号が示された時刻の方向を指すように回す。",
    ),
    "hour": bilingual("{} o’clock", "{}時"),
    "capital": bilingual("capital", "首都"),
    "blanks": bilingual("At the end lay blanks on", "最後に空白を置く場所"),
}
