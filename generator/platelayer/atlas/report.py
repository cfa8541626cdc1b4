"""A map's log in, a few lines out: what players need to know of it before the first round."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from platelayer.atlas.extent import board_size_mm
from platelayer.foundation.text import Text, bilingual
from platelayer.model.atlas import AtlasBox, AtlasLog, Mode

_LINES = (
    bilingual("Map:       mode {}{}, seed {}, policy {}, {}", "マップ    : モード{}{}、シード{}、方針{}、{}"),
    bilingual("Pieces:    {}, {}, {} ({})", "構成      : {}、{}、{}({})"),
    bilingual("Table:     {} x {} mm with hexes of {:g} mm", "必要な広さ: {}×{} mm(ヘックス{:g} mm)"),
    bilingual("Companies: {} ({})", "登場会社  : {}({})"),
    bilingual("Charters:  {} ({})", "会社シート: {}({})"),
    bilingual("Cash:      {}; {}", "所持金    : {}、{}"),
    bilingual("Trains:    {}{}", "列車      : {}{}"),
    bilingual("Again:     {}", "再現      : {}"),
)
_COMMA = bilingual(", ", "、")
_STACK = bilingual(", stack {} of {}", "、山{}(全{}山)")
_CASH = bilingual("{1} with {0} players", "{0}人は{1}")
_TRAIN = bilingual("{1} x {0}", "{0}列車{1}両")
_NO_EXPORT = bilingual("; no export", "、輸出なし")
_SPARE = bilingual("{} in the box", "箱には{}枚")
_TOO_FEW = bilingual(
    "the box has {0}: cut more, or use --blanks {0}", "箱には{0}枚:追加で作るか、--blanks {0} を指定する"
)
_NOUNS = {
    "restart": bilingual("restart", "やり直し{}回"),
    "map tile": bilingual("map tile", "マップタイル{}枚"),
    "capital": bilingual("capital", "首都{}か所"),
    "blank": bilingual("blank", "空白{}枚"),
    "minor": bilingual("minor", "小会社{}社"),
    "column": bilingual("column", "{}列"),
    "cycle": bilingual("cycle", "{}サイクル"),
}


class _Tongue(Struct, frozen=True, kw_only=True):
    """Words in one language."""

    language: str

    def say(self, text: Text, *parts: object) -> str:
        """A text with its blanks filled."""
        return text.get(self.language).format(*parts)

    def counted(self, number: int, noun: str) -> str:
        """So many of a thing."""
        word = _NOUNS[noun].get(self.language)
        return word.format(number) if "{}" in word else f"{number} {word}{'s' * (number != 1)}"

    def listed(self, parts: Sequence[str]) -> str:
        """Things one after the other."""
        return _COMMA.get(self.language).join(parts)


def map_report(
    box: AtlasBox, mode: Mode, log: AtlasLog, *, companies: Sequence[str], hex_mm: float, language: str = "en"
) -> str:
    """Lines of plain text: how the map came about, its pieces, its room on a table with hexes of `hex_mm` flat to
    flat, the names of the companies in play, the columns of charters, cash, trains, and the words to make it again."""
    tongue = _Tongue(language=language)
    say, counted = tongue.say, tongue.counted
    limit = "" if log.blank_limit is None else f" --blanks {log.blank_limit}"
    spare = _SPARE if len(log.blanks) <= box.blank_overlays else _TOO_FEW
    stack = "" if log.stack is None else say(_STACK, log.stack, mode.stacks)
    lines: tuple[tuple[object, ...], ...] = (
        (log.mode, stack, log.seed, log.policy, counted(log.restarts, "restart")),
        (
            counted(len(log.placed), "map tile"),
            counted(len(log.overlays), "capital"),
            counted(len(log.blanks), "blank"),
            say(spare, box.blank_overlays),
        ),
        (*board_size_mm(log, hex_mm), hex_mm),
        (tongue.listed(companies), counted(len(companies), "minor")),
        (counted(len(mode.columns), "column"), " + ".join(map(str, mode.columns))),
        (tongue.listed([say(_CASH, *each) for each in mode.cash]), counted(mode.cycles, "cycle")),
        (tongue.listed([say(_TRAIN, *each) for each in mode.trains]), "" if mode.exports else say(_NO_EXPORT)),
        (f"platelayer atlas new --mode {log.mode} --seed {log.seed} --policy {log.policy}{limit}",),
    )
    return "\n".join(say(line, *parts) for line, parts in zip(_LINES, lines, strict=True))
