"""What the map says by itself, in the languages of the print."""

from __future__ import annotations

from platelayer.foundation.text import bilingual

PROTOTYPE = bilingual("Personal prototype – not for sale", "個人用試作品・非売品")
LEGEND = bilingual("Legend", "凡例")
ACROSS = bilingual("Hex {} mm flat to flat", "ヘックス 対辺 {} mm")
CITY = bilingual("City", "都市")
TOWN = bilingual("Town", "町")
LABEL = bilingual("Takes tiles with the same letter", "同じ文字のタイルのみ")
OFFBOARD = bilingual("Off-board: {}", "盤外(フェイズ):{}")
FROM_PHASE = bilingual("{} from phase {}", "{}は{}から")
OFFBOARD_PLAIN = bilingual("Off-board area and its value", "盤外地域と収益")
HOME = bilingual("Home station", "本拠地")
RESERVED = bilingual("Held for the company shown", "表示の会社のために確保")
STUB = bilingual("The first tile must use this edge", "最初のタイルはこの辺を使う")
PASS_SIZE = bilingual("{} of size {}", "{}(大きさ{})")
PREPRINTED = bilingual("Printed {} hex", "印刷済み{}ヘックス")
IN_PHASES = bilingual("{}, phase {}", "{}(フェイズ{})")

TERRAIN = {
    "mountain": bilingual("Mountain", "山岳"),
    "hill": bilingual("Hill", "丘陵"),
    "rough": bilingual("Rough ground", "荒地"),
    "water": bilingual("Water", "水域"),
    "river": bilingual("River", "河川"),
    "lake": bilingual("Lake", "湖"),
    "marsh": bilingual("Marsh", "湿地"),
    "swamp": bilingual("Swamp", "湿地"),
    "forest": bilingual("Forest", "森林"),
    "desert": bilingual("Desert", "砂漠"),
    "coast": bilingual("Coast", "海岸"),
    "pass": bilingual("Pass", "峠"),
    "sea": bilingual("Sea", "海"),
    "field": bilingual("Farmland", "農地"),
}
BORDERS = {
    "impassable": bilingual("Impassable border", "通行不可"),
    "province": bilingual("State or province border", "国境・州境"),
    "offboard": bilingual("Border of an off-board area", "盤外地域の境界"),
    "river": bilingual("River border", "河川境界"),
}
COLOURS = {
    "yellow": bilingual("yellow", "黄"),
    "green": bilingual("green", "緑"),
    "brown": bilingual("brown", "茶"),
    "gray": bilingual("grey", "灰"),
    "white": bilingual("white", "白"),
    "black": bilingual("black", "黒"),
    "purple": bilingual("purple", "紫"),
}
ICONS = {
    "port": bilingual("Port", "港"),
    "anchor": bilingual("Port", "港"),
    "mine": bilingual("Mine", "鉱山"),
    "capital": bilingual("Capital", "首都"),
    "tree": bilingual("Forest", "森林"),
    "coal": bilingual("Coal", "石炭"),
    "tunnel": bilingual("Tunnel", "トンネル"),
    "bridge": bilingual("Bridge", "橋"),
    "factory": bilingual("Factory", "工場"),
}
