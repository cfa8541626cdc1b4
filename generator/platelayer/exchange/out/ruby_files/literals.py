"""Ruby literals, laid out as people write them: on one line where they fit, else one entry a line.

Whatever a title says reaches a Ruby file through `written` alone, so none of it can be code there.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

Literal = str | int | float | bool | None | Sequence["Literal"] | Mapping[Any, "Literal"]

WIDTH = 120
_SYMBOL = re.compile(r"[a-z_][a-z0-9_]*")
_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_WORD = re.compile(r"[A-Za-z0-9_.+/-]+")
_UNSEEN = "\x00-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f"
"""Control and format characters: line breaks, what turns text round, what nobody sees."""
_ESCAPED = re.compile(rf'[\\"#{_UNSEEN}]')


class Symbol(str):
    """A Ruby symbol: `:flat`."""

    __slots__ = ()


class Keywords(dict[str, "Literal"]):
    """A hash whose keys are symbols: `{ name: '2', price: 80, 'two words': 1 }`."""


class Words(list[str]):
    """An array of words: `%w[0c 10 20]`, or of strings where one of them is no plain word."""

    @property
    def are_plain(self) -> bool:
        """Whether they may stand between brackets without quotes."""
        return all(map(_WORD.fullmatch, self))


def written(value: Literal, indent: int = 0, *, room: int = 0) -> str:
    """A literal; its further lines are `indent` deep. `room` is what its first line has before and
    behind it."""
    flat = _flat(value)
    if len(flat) + indent + room <= WIDTH:
        return flat
    if isinstance(value, Words) and value.are_plain:
        return _filled(value, indent)
    if isinstance(value, Mapping):
        return _block("{", [_pair(value, key, indent + 2) for key in value], "}", indent)
    if isinstance(value, Sequence) and not isinstance(value, str):
        return _block("[", [written(entry, indent + 2, room=1) for entry in value], "]", indent)
    return (
        _long_string(str(value), indent, room)
        if isinstance(value, str) and not isinstance(value, Symbol)
        else flat
    )


def quoted(words: str) -> str:
    """A string in single quotes, in which only a quote and a backslash need one before them; one
    with characters that cannot be seen in double quotes, with these by number."""
    if re.search(f"[{_UNSEEN}]", words):
        return '"' + _ESCAPED.sub(_escaped, words) + '"'
    return "'" + words.replace("\\", "\\\\").replace("'", "\\'") + "'"


def _escaped(match: re.Match[str]) -> str:
    return f"\\{match[0]}" if match[0] in '\\"#' else f"\\u{{{ord(match[0]):x}}}"


def _flat(value: Literal) -> str:
    """A literal on one line."""
    if isinstance(value, Symbol):
        return f":{value}" if _SYMBOL.fullmatch(value) else f":{quoted(value)}"
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, Mapping):
        return f"{{ {', '.join(_pair(value, key, None) for key in value)} }}" if value else "{}"
    if isinstance(value, Sequence):
        return _flat_array(value)
    return "nil" if value is None else str(value).lower()


def _flat_array(value: Sequence[Literal]) -> str:
    if isinstance(value, Words) and value.are_plain:
        return f"%w[{' '.join(value)}]"
    symbols = [entry for entry in value if isinstance(entry, Symbol) and _SYMBOL.fullmatch(entry)]
    if len(value) > 1 and len(symbols) == len(value):
        return f"%i[{' '.join(symbols)}]"
    return f"[{', '.join(map(_flat, value))}]"


def _pair(whole: Mapping[Any, Literal], key: Any, indent: int | None) -> str:
    """An entry of a hash, flat without an indent; a key of several words is an array."""
    name = Words(key) if isinstance(key, tuple) else key
    if isinstance(whole, Keywords):
        head = f"{key if _KEY.fullmatch(key) else quoted(key)}: "
    else:
        head = f"{_flat(name) if indent is None else written(name, indent)} => "
    value = whole[key]
    behind = len(head.rpartition("\n")[2]) + 1
    return head + (_flat(value) if indent is None else written(value, indent, room=behind))


def _block(start: str, entries: Sequence[str], end: str, indent: int) -> str:
    margin = " " * indent
    return "\n".join([start, *(f"{margin}  {entry}," for entry in entries), margin + end])


def _filled(words: Sequence[str], indent: int) -> str:
    """Words in lines as full as they get."""
    lines = [""]
    for word in words:
        if len(lines[-1]) + len(word) + indent + 6 > WIDTH:
            lines.append("")
        lines[-1] += f" {word}" if lines[-1] else word
    return f"%w[{(chr(10) + ' ' * (indent + 3)).join(lines)}]"


def _long_string(words: str, indent: int, room: int) -> str:
    """A string over several lines, joined by backslashes."""
    most = WIDTH - indent - room - 4
    parts = [""]
    for part in re.findall(r"[^ ;]*[ ;]?", words):
        if parts[-1] and len(parts[-1]) + len(part) > most:
            parts.append("")
        parts[-1] += part
    return ("\\\n" + " " * indent).join(map(quoted, parts))
