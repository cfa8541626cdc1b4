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
HOME = _words("home", "本拠")
FORMATION = _words("{} together, at formation", "設立時に合計 {}")
FREE = _words("free", "無料")
TRAINS = _words("Trains", "列車")
TRAIN_LIMIT = _words("Train limit", "列車保有上限")
PHASE = _words("phase", "フェイズ")
TREASURY = _words("Treasury", "会社資金")
REVENUE = _words("Revenue", "収益")
CAPITAL = _words("Capital", "資本")
FLOATS = _words("floats at {} %", "{} %で設立")
DIRECTOR_HOLDS = _words("director {} %", "社長株 {} %")
ORDINARY = _words("{} × {} %", "{} × {} %")
HOLDS_BACK = _words("Held back: {}", "確保ヘクス: {}")
HOME_BASE = _words("Home", "本拠地")
OF_CHOICE = _words("home of choice", "本拠選択")
OPERATES = _words("Operates", "運営順")
ORDINAL = _words("No. {}", "第{}番")
MINOR = _words("Minor company", "小会社")
NATIONAL = _words("National railway", "国有鉄道")
PRIVATE = _words("Private company", "私企業")
CONCESSION = _words("Concession", "認可")
VALUE = _words("Price", "価格")
INCOME = _words("Income", "収入")
CLOSES = _words("Closes: {}", "閉鎖: {}")
CLOSED_BY = _words("Closes", "閉鎖")
