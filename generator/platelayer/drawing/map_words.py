"""What the map says by itself, in the languages of the print."""

from __future__ import annotations

from platelayer.foundation.text import Text


def _words(en: str, ja: str) -> Text:
    return Text((("en", en), ("ja", ja)))


PROTOTYPE = _words("Personal prototype – not for sale", "個人用試作品・非売品")
LEGEND = _words("Legend", "凡例")
ACROSS = _words("Hex {} mm flat to flat", "ヘックス 対辺 {} mm")
CITY = _words("City", "都市")
TOWN = _words("Town", "町")
LABEL = _words("Takes tiles with the same letter", "同じ文字のタイルのみ")
OFFBOARD = _words("Off-board: {}", "盤外: {}")
FROM_PHASE = _words("{} from phase {}", "{} フェイズ{}以降")
OFFBOARD_PLAIN = _words("Off-board area and its value", "盤外地域と収益")
HOME = _words("Home station", "本拠地")
RESERVED = _words("Held for the company shown", "表示の会社のために確保")
STUB = _words("The first tile must use this edge", "最初のタイルはこの辺を使う")
PREPRINTED = _words("Printed {} hex", "印刷済み{}ヘックス")
LATER = _words("{}, from the phase shown", "{}(表示フェイズから)")

TERRAIN = {
    "mountain": _words("Mountain", "山岳"),
    "hill": _words("Hill", "丘陵"),
    "rough": _words("Rough ground", "荒地"),
    "water": _words("Water", "水域"),
    "river": _words("River", "河川"),
    "lake": _words("Lake", "湖"),
    "marsh": _words("Marsh", "湿地"),
    "swamp": _words("Swamp", "湿地"),
    "forest": _words("Forest", "森林"),
    "desert": _words("Desert", "砂漠"),
    "coast": _words("Coast", "海岸"),
    "pass": _words("Pass", "峠"),
    "sea": _words("Sea", "海"),
    "field": _words("Farmland", "農地"),
}
BORDERS = {
    "impassable": _words("Impassable border", "通行不可"),
    "province": _words("Province border", "州境"),
    "offboard": _words("Border of an off-board area", "盤外地域の境界"),
    "river": _words("River border", "河川境界"),
}
COLOURS = {
    "yellow": _words("yellow", "黄"),
    "green": _words("green", "緑"),
    "brown": _words("brown", "茶"),
    "gray": _words("grey", "灰"),
    "white": _words("white", "白"),
    "black": _words("black", "黒"),
    "purple": _words("purple", "紫"),
}
ICONS = {
    "port": _words("Port", "港"),
    "anchor": _words("Port", "港"),
    "mine": _words("Mine", "鉱山"),
    "capital": _words("Capital", "首都"),
    "tree": _words("Forest", "森林"),
    "coal": _words("Coal", "石炭"),
    "tunnel": _words("Tunnel", "トンネル"),
    "bridge": _words("Bridge", "橋"),
    "factory": _words("Factory", "工場"),
}
