"""The fixed words of certificates, charters and privates, in the languages of the prints."""

from __future__ import annotations

from platelayer.foundation.text import bilingual

SHARE = bilingual("Share", "株券")
DIRECTOR = bilingual("Director’s certificate", "社長株券")
RESERVED = bilingual("Reserved share", "留保株券")
BEARER = bilingual(
    "The bearer of this certificate owns {} per cent of the capital of the company.",
    "本券の所持人は当会社の資本の{} %を保有する。",
)
PRESIDES = bilingual(
    "The bearer owns {} per cent of the company and directs its affairs.",
    "本券の所持人は当会社の{} %を保有し経営を司る。",
)
SIGNED = bilingual("for the Board", "取締役会")

STATIONS = bilingual("Stations", "駅トークン")
STATION = bilingual("Station", "駅トークン")
HOME = bilingual("home", "本拠")
FORMATION = bilingual("{} together, at formation", "設立時に合計 {}")
FREE = bilingual("free", "無料")
AS_PLACED = bilingual("see map", "マップ参照")
TRAINS = bilingual("Trains", "列車")
TRAIN_LIMIT = bilingual("Train limit by phase", "フェイズ別列車上限")
TREASURY = bilingual("Treasury", "会社資金")
PAID_OUT = bilingual("Paid out: {} % for every share.", "配当: 1株につき{} %。")
WITHHELD = bilingual("Withheld: all of it into the treasury.", "無配: 全額を会社資金へ。")
FLOATS = bilingual("floats at {} %", "{} %で成立")
DIRECTOR_HOLDS = bilingual("Director {} %", "社長 {} %")
SHARES = bilingual("{} × {} %", "{} × {} %")
SHARES_HELD = bilingual("{} × {} % reserved", "留保{} × {} %")
HOME_BASE = bilingual("Home", "本拠地")
MAP_TILE = bilingual("Map tile", "マップタイル")
ANY_CITY = bilingual("Any city", "任意の都市")
HELD_BACK = bilingual("Reserved: {}", "予約: {}")
OR = bilingual(" or ", "または")
AND = bilingual(" and ", "・")
BETWEEN_ALL = bilingual(", ", "・")
OPERATES = bilingual("operating order", "運営順")
MINOR = bilingual("Minor company", "小会社")

PRIVATE = bilingual("Private company", "個人会社")
CONCESSION = bilingual("Concession", "認可状")
PRICE = bilingual("Price", "価格")
INCOME = bilingual("Income", "収入")
CLOSES = bilingual("Closes: {}", "閉鎖: {}")
CLOSES_IN_PHASE = bilingual("Closes in phase {}", "フェイズ{}で閉鎖")
