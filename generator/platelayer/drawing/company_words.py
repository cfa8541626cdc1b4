"""The fixed words of certificates, charters and privates, in the languages of the prints."""

from __future__ import annotations

from platelayer.foundation.text import Text


def _words(en: str, ja: str) -> Text:
    return Text((("en", en), ("ja", ja)))


SHARE = _words("Share", "株券")
DIRECTOR = _words("Director’s certificate", "社長株券")
RESERVED = _words("Reserved share", "留保株券")
BEARER = _words(
    "The bearer of this certificate owns {} per cent of the capital of the company.",
    "本券の所持人は当会社の資本の{} %を保有する。",
)
PRESIDES = _words(
    "The bearer owns {} per cent of the company and directs its affairs.",
    "本券の所持人は当会社の{} %を保有し経営を司る。",
)
SIGNED = _words("for the Board", "取締役会")

STATIONS = _words("Stations", "駅トークン")
STATION = _words("Station", "駅トークン")
HOME = _words("home", "本拠")
FORMATION = _words("{} together, at formation", "設立時に合計 {}")
FREE = _words("free", "無料")
AS_PLACED = _words("see map", "マップ参照")
TRAINS = _words("Trains", "列車")
TRAIN_LIMIT = _words("Train limit by phase", "フェイズ別列車上限")
TREASURY = _words("Treasury", "会社資金")
PAID_OUT = _words("Paid out: {} % for every share.", "配当: 1株につき{} %。")
WITHHELD = _words("Withheld: all of it into the treasury.", "無配: 全額を会社資金へ。")
FLOATS = _words("floats at {} %", "{} %で設立")
DIRECTOR_HOLDS = _words("Director {} %", "社長 {} %")
SHARES = _words("{} × {} %", "{} × {} %")
HOME_BASE = _words("Home", "本拠地")
MAP_TILE = _words("Map tile", "マップタイル")
ANY_CITY = _words("Any city", "任意の都市")
HELD_BACK = _words("Reserved: {}", "予約: {}")
OR = _words(" or ", "または")
AND = _words(" and ", "・")
OPERATES = _words("operating order", "運営順")
MINOR = _words("Minor company", "小会社")

PRIVATE = _words("Private company", "私企業")
CONCESSION = _words("Concession", "認可")
PRICE = _words("Price", "価格")
INCOME = _words("Income", "収入")
CLOSES = _words("Closes: {}", "閉鎖: {}")
