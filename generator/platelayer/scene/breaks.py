"""Line breaks: at spaces, and in Japanese after nearly every character, preferably between phrases.

Phrases are found by BudouX with the model in assets/phrases, so that every version finds the same
ones. Characters that may not begin or end a Japanese line follow the strict rules of JIS X 4051
(kinsoku shori). The standard leaves small kana and the long vowel sign to the printer; here they
may not begin a line either.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, NamedTuple

from platelayer.foundation.resources import asset_json

if TYPE_CHECKING:
    from budoux.parser import Parser


NEVER_FIRST = frozenset(
    "、。，．・：；？！?!,.:;)]}）］｝〕〉》」』】’”%％‰℃…‥‐–—〜～゠ー々ゝゞヽヾ゛゜"
    "ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶ"
)
NEVER_LAST = frozenset("([{（［｛〔〈《「『【‘“¥￥$＄£№")
_NO_BREAK_AT_SPACE_BEFORE = ("%", "–")
# Figures for several numbers of players or trains: "300 / 275 / 220"; money: "50 K". A match may
# only start at the beginning of a figure, as a long one would otherwise be scanned again from each
# of its digits.
_FIGURES = re.compile(r"(?<![\d.,])[.,]*+\d[\d.,]*+(?: ?/ ?\d[\d.,]*+)+|\d [A-Z](?![A-Za-z])")
# Boundary before the generic part of a name in kanji: 東部鉱業|鉄道. Like everything that only Japanese
# texts need, it is compiled for the first of them: together these patterns take 3 ms.
_NOUN = "(?<=[\u4e00-\u9fff]{3})(?=鉄道|会社)"
_PERCENTAGE = re.compile(r"\d+ %$")
# Minimum number of characters in the last line of a Japanese text, so that none stands there alone.
_LEAST_LAST_LINE = 4
# Up to this many parts of a name, every way to break it into three lines is tried: fewer than a
# thousand ways.
_MOST_PARTS = 40
# Marks between the words of a foreign name.
NAME_JOINTS = "・＝"
# Marks between words that must not begin a line.
_DASHES = ("–", "—", "-", "=", "＝", "·")
_FOREIGN = frozenset(NAME_JOINTS + "ー")
_ENDS_WELL = "、。，．・；;)）」』 "
# A text that follows one of these belongs to the text before it.
_LEADS_ON = ":："
# Penalties for ending a line after a phrase or a Latin word; between two scripts within a phrase;
# between pairs of kanji; within a word; and within a foreign word or name in running text.
AT_PHRASE, AT_JOINT, IN_COMPOUND, IN_WORD, IN_NAME = 0.0, 1.0, 1.5, 4.0, 9.0
_WIDE = re.compile("[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]")
_KANJI = "[\u3005\u3400-\u9fff\uf900-\ufaff]+"
# Number of characters that are searched for the end of a compound of kanji.
_LONG = 8
_SCRIPTS = (
    ("hiragana", "[\u3041-\u309f]"),
    ("katakana", "[\u30a1-\u30ff]"),
    ("kanji", _KANJI),
)


def is_wide(char: str) -> bool:
    """Return True for characters of Japanese writing, each one em wide."""
    return _WIDE.match(char) is not None


def holds_wide(text: str) -> bool:
    """Return True for a text that contains Japanese."""
    return not text.isascii() and _WIDE.search(text) is not None


@lru_cache(4096)
def line_parts(text: str) -> tuple[str, ...]:
    """Return the parts of a running text, each with the space after it: words, and single Japanese
    characters with everything that may not be separated from them."""
    spaced = _words(text)
    if not holds_wide(text):
        return tuple(_with_percentage(spaced))
    parts = _with_percentage(_joined([part for word in spaced for part in _cut(word)]))
    while len(parts) > 1 and is_wide(parts[-1][0]) and len(parts[-1]) < _LEAST_LAST_LINE:
        parts[-2:] = [parts[-2] + parts[-1]]
    return tuple(parts)


@lru_cache(1024)
def name_parts(text: str) -> tuple[str, ...]:
    """Return the parts of a name, without the space after them: words, and in Japanese what readers
    see as words. A line may end where katakana or kanji start again, but not within a run of
    them (except before a long generic noun), nor before a single character. No line ends at a
    no-break space."""
    words: list[str] = []
    for word in filter(None, text.split(" ")):
        if words and word in _DASHES:
            words[-1] += f" {word}"
        else:
            words.append(word)
    if not holds_wide(text):
        return tuple(words)
    runs = [_joined(_cut(word, names=True)) for word in words]
    return tuple(
        part
        for run in runs
        for piece in _with_last_character(run)
        for part in re.split(_NOUN, piece)
    )


@lru_cache(4096)
def body_costs(text: str) -> tuple[float, ...]:
    """Return the cost, in running text, of ending a line after each of the text's `line_parts`: the
    usual one, and IN_NAME within a foreign word or name. Japanese readers accept all other
    breaks if the lines are full."""
    costs = end_costs(text)
    if not holds_wide(text):
        return costs
    ends = accumulate(map(len, line_parts(text)))
    return tuple(
        IN_NAME
        if end < len(text)
        and all(
            script_of(char) == "katakana" or char in _FOREIGN for char in text[end - 1 : end + 1]
        )
        else cost
        for end, cost in zip(ends, costs, strict=True)
    )


@lru_cache(4096)
def end_costs(text: str) -> tuple[float, ...]:
    """Return the cost of ending a line after each of the text's `line_parts`, from AT_PHRASE to
    IN_WORD."""
    parts = line_parts(text)
    if not holds_wide(text):
        return (AT_PHRASE,) * len(parts)
    phrases = frozenset(accumulate(map(len, _phrases().parse(text))))
    ends = accumulate(map(len, parts))
    return tuple(AT_PHRASE if end in phrases else _end_cost(text, end) for end in ends)


def whole_words(text: str) -> tuple[str, ...]:
    """Return the `line_parts` of a text, joined where a break would split a word."""
    words = [""]
    for part, cost in zip(line_parts(text), end_costs(text), strict=True):
        words[-1] += part
        if cost < IN_WORD:
            words.append("")
    return tuple(word.rstrip() for word in words if word)


def ends_cost(text: str, lines: Sequence[str]) -> float:
    """Return the total cost of the line ends of a text set in these lines."""
    places = accumulate(len(part.replace(" ", "")) for part in line_parts(text))
    costs = dict(zip(places, end_costs(text), strict=True))
    return math.fsum(
        costs[end] for end in accumulate(len(line.replace(" ", "")) for line in lines[:-1])
    )


@cache
def _phrases() -> Parser:
    from budoux.parser import Parser  # only needed for Japanese

    return Parser(asset_json("phrases", "ja.json"))


def _end_cost(text: str, end: int) -> float:
    """Return the cost of ending a line before the character at `end`, which is within a phrase."""
    before, after = text[end - 1], text[end]
    if before in _ENDS_WELL or after in "（(「『" or not (is_wide(before) or is_wide(after)):
        return AT_PHRASE
    if before in _LEADS_ON:
        return IN_COMPOUND
    left, right = script_of(before), script_of(after)
    if left == right == "kanji":
        into, rest = (
            re.match(_KANJI, part)
            for part in (text[max(0, end - _LONG) : end][::-1], text[end : end + _LONG])
        )
        lengths = [len(run[0]) for run in (into, rest) if run]
        return (
            IN_COMPOUND
            if min(lengths) > 1 and any(length % 2 == 0 for length in lengths)
            else IN_WORD
        )
    if left == "hiragana" or right == "hiragana":
        # 売り出し|ラウンド; but おトク, 売り出し
        return AT_JOINT if right == "katakana" and text[max(0, end - 2) : end] != "お" else IN_WORD
    return AT_JOINT if left != right else IN_WORD


def _with_percentage(parts: list[str]) -> list[str]:
    """Join a percentage at the end to the word before it, so that it does not get a line to
    itself."""
    if len(parts) > 1 and _PERCENTAGE.match(parts[-1]):
        return [*parts[:-2], parts[-2] + parts[-1]]
    return parts


def join_parts(parts: tuple[str, ...] | list[str]) -> str:
    """Return the parts of a name joined in one line, with spaces except between two Japanese
    parts."""
    line = ""
    for part in parts:
        gap = "" if not line or (is_wide(line[-1]) or is_wide(part[0])) else " "
        line += gap + part
    return line


def few_parts(parts: tuple[str, ...]) -> tuple[str, ...]:
    """Join neighbouring parts until there are few enough to try every way to break them. Most names
    are that short already."""
    step = -(-len(parts) // _MOST_PARTS)
    if step <= 1:
        return parts
    return tuple(join_parts(parts[first : first + step]) for first in range(0, len(parts), step))


def _words(text: str) -> list[str]:
    """Return words with the space after them; figures joined by slashes are one word."""
    within = {place for row in _FIGURES.finditer(text) for place in range(*row.span())}
    parts = []
    word = ""
    for place, char in enumerate(text):
        word += char
        if (
            char == " "
            and place not in within
            and text[place + 1 : place + 2] not in _NO_BREAK_AT_SPACE_BEFORE
        ):
            parts.append(word)
            word = ""
    return [*parts, word] if word else parts


def _cut(word: str, *, names: bool = False) -> list[str]:
    """Return a word cut wherever one side is Japanese; in names only before a new run of katakana
    or kanji."""
    parts = [word[:1]]
    for before, char in pairwise(word):
        if (
            _begins_run(before, char) if names else is_wide(before) or is_wide(char)
        ) and char != " ":
            parts.append(char)
        else:
            parts[-1] += char
    return parts


def _with_last_character(parts: list[str]) -> list[str]:
    """Join a single last character to the rest of its word, so that it does not stand alone:
    Bridging社."""
    if len(parts) > 1 and len(parts[-1]) == 1:
        return [*parts[:-2], parts[-2] + parts[-1]]
    return parts


def _begins_run(before: str, char: str) -> bool:
    script = script_of(char)
    return script in ("katakana", "kanji") and (
        script != script_of(before) or before in NAME_JOINTS
    )


def script_of(char: str) -> str:
    """ "hiragana", "katakana", "kanji", or "" for anything that is not Japanese."""
    return next((name for name, pattern in _SCRIPTS if re.match(pattern, char)), "")


def _joined(parts: list[str]) -> list[str]:
    """Join parts where a line may not begin or end, and figures with the counter after them."""
    joined: list[str] = []
    for part in parts:
        if joined and stay_together(joined[-1], part):
            joined[-1] += part
        else:
            joined.append(part)
    return joined


def stay_together(left: str, right: str) -> bool:
    """Return True if no line may end between two parts of a text."""
    return (
        right[0] in NEVER_FIRST
        or left.rstrip()[-1:] in NEVER_LAST
        or (left[-1].isdigit() and is_wide(right[0]))
    )


# Filling of lines with the measured parts of a text: as few lines as possible, in Japanese
# preferably ending with a phrase.


class Part(NamedTuple):
    """Words with the space after them: their width within a line and at its end, the cost of ending
    a line there, how much they can shrink within a line, and after how many of their characters
    space can be added."""

    text: str
    within: float
    closing: float
    cost: float
    gives: float = 0.0
    gaps: int = 0


_CLOSE = 1e-9
_CUT_SLACK = 0.01
# Costs are whole numbers, so that the last bits of floats decide no tie. The cost of an empty line;
# of each step to a worse line end; of a single word in a last line of which more than this share is
# empty, and of several words in one that is emptier than the last figure. Japanese lines should be
# full, and only a single last character is penalised.
_WHOLE, _WORSE_END, _ALONE, _MOST_EMPTY, _SHORT = 1_000_000, 1_000, 200_000, 0.6, 0.8
# The cost of closing up all punctuation of a line, lower than that of opening the line a little;
# and the cost of opening a line too far, higher than that of all line ends together.
_CLOSED, _LOOSE = 4_000, 1_000_000_000
# A single character and a full stop.
_LONE = 2
# Share of a line that may stay empty for the sake of a better line end; larger in the last line but
# one.
_LOOK_BACK, _LOOK_BACK_LAST = 0.5, 0.65
# Penalty of an empty line: an eighth of a line is as bad as one step to a worse line end.
_SLACK, _SLACK_LAST = 8.0, 4.0


def fill_lines(parts: Sequence[Part], room: float) -> tuple[str, ...]:
    """Return lines of whole parts no wider than `room`, without trailing spaces. A wider part gets
    a line to itself. There are no more lines than if each were filled completely, except where
    that would split a word."""
    counts = {len(parts): 0}

    def needed(start: int) -> int:
        """Return the number of full lines for the parts from `start` on."""
        begun = []
        while start not in counts:
            begun.append(start)
            start = _full(parts, start, room)
        for above, line in enumerate(reversed(begun), start=1):
            counts[line] = counts[start] + above
        return counts[begun[0] if begun else start]

    lines = []
    start = left = 0
    wide = _begin_wide(parts)
    while start < len(parts):
        full = _full(parts, start, room)
        left = max(left - 1, 1 + needed(full))
        end = _phrase_end(parts, (start, full), room, left - 1, needed) if wide else full
        lines.append("".join(text for text, *_ in parts[start:end]).rstrip())
        start = end
    return tuple(line for line in lines if line)


def _full(parts: Sequence[Part], start: int, room: float) -> int:
    """Return the end of a line that begins with the part `start` and is filled completely."""
    used, end = parts[start].within - parts[start].gives, start + 1
    while end < len(parts) and used + parts[end].closing <= room + _CLOSE:
        used += parts[end].within - parts[end].gives
        end += 1
    return end


def _phrase_end(
    parts: Sequence[Part],
    line: tuple[int, int],
    room: float,
    left: int,
    needed: Callable[[int], int],
) -> int:
    """Return the best end of a line for which `left` more lines hold the rest; `needed` gives the
    number of lines for the rest. `line` is the start of the line and its end if filled
    completely."""
    start, full = line
    if full == len(parts):
        return full
    used = math.fsum(width for _, width, *_ in parts[start:full])
    look_back, slack = (_LOOK_BACK, _SLACK) if left > 1 else (_LOOK_BACK_LAST, _SLACK_LAST)
    empty, options = room - used, []
    for end in range(full, start, -1):
        if end < full:
            empty += parts[end][1]
        if empty > look_back * room:
            break
        options.append((parts[end - 1][3] + slack * max(0.0, empty) / room, -end))
    options.sort()
    best = next((-end for _, end in options if needed(-end) <= left), full)
    if parts[best - 1][3] < IN_WORD:
        return best
    return -options[0][1] if options else best


def fill_body(
    parts: Sequence[Part], room: float, first: float | None = None, *, most_open: float = math.inf
) -> tuple[str, ...]:
    """Return running text in lines no wider than `room` (`first` for the first line).

    There are as few lines as possible without splitting a word, all about equally full; the last is
    not short and has more than one word. A word wider than a line is split, and so is a foreign
    name if a line would otherwise have to be opened by more than `most_open` at each gap.
    """
    japanese, room_of_first = _begin_wide(parts), room if first is None else first
    words = _whole_words(parts, room) if japanese else parts
    loose, lines = _body(words, room, room_of_first, most_open, japanese)
    if loose and len(words) < len(parts):
        still_loose, parted = _body(parts, room, room_of_first, most_open, japanese)
        return parted if still_loose < loose else lines
    return lines


def _body(
    words: Sequence[Part], room: float, room_of_first: float, most_open: float, japanese: bool
) -> tuple[int, tuple[str, ...]]:
    """Return the number of lines that would be opened too far, and the lines of a running text."""
    count = len(words)
    # A line ends no later than in a greedy filling, and no earlier than the remaining lines can
    # take the rest. Breaks outside of this range are not tried.
    latest = [0]
    while latest[-1] < count:
        start = latest[-1]
        latest.append(_full(words, start, room if start else room_of_first))
    earliest = [count]
    while len(earliest) < len(latest):
        earliest.append(_begun(words, earliest[-1], room))
    earliest.reverse()
    # For each possible end of a line: the cost of all lines so far, and where that line begins.
    ways = [{0: (0, 0)}]
    for line in range(1, len(latest)):
        low, high = max(earliest[line], latest[line - 1] + 1), latest[line]
        ending: dict[int, tuple[int, int]] = {}
        for start, (before, _) in ways[-1].items():
            width, used, gives, gaps = room if start else room_of_first, 0.0, 0.0, -1
            for end in range(start + 1, high + 1):
                word = words[end - 1]
                wide = used + word.closing
                if wide - gives > width + _CLOSE and end > start + 1:
                    break
                over = wide - width
                closed = over / gives if over > _CLOSE and gives else 0.0
                used += word.within
                gives += word.gives
                gaps += word.gaps
                if end < low:
                    continue
                cost = round(closed * closed * _CLOSED)
                empty = max(0.0, -over / width) if width > 0 else 1.0
                if end < count:
                    cost += round(empty * empty * _WHOLE + word.cost * _WORSE_END)
                    if -over > most_open * max(1, gaps) + _CLOSE:
                        cost += _LOOSE
                else:
                    alone = start == end - 1 and (not japanese or len(word.text) <= _LONE)
                    most = _MOST_EMPTY if alone else 1.0 if japanese else _SHORT
                    cost += _ALONE if start > 0 and empty > most else 0
                way = before + cost, start
                if end not in ending or way < ending[end]:
                    ending[end] = way
        ways.append(ending)
    lines = []
    end = count
    for ending in ways[:0:-1]:
        start = ending[end][1]
        lines.append("".join([word.text for word in words[start:end]]).rstrip())
        end = start
    return ways[-1][count][0] // _LOOSE, tuple(line for line in reversed(lines) if line)


def _begun(words: Sequence[Part], end: int, room: float) -> int:
    """Return the start of a line that ends before the word `end` and is filled completely, or
    slightly more."""
    if end == 0:
        return 0
    start = end - 1
    used = words[start].closing
    while (
        start > 0 and used + words[start - 1].within - words[start - 1].gives <= room + 2 * _CLOSE
    ):
        start -= 1
        used += words[start].within - words[start].gives
    return start


def _begin_wide(parts: Sequence[Part]) -> bool:
    """Return True if any part begins with a character of Japanese writing."""
    return holds_wide("".join([text[0] for text, *_ in parts]))


def _whole_words(parts: Sequence[Part], room: float) -> list[Part]:
    """Return parts joined where no line may end between them, if the result fits in one line."""
    words: list[Part] = []
    joined = False
    for part in parts:
        last = words[-1] if joined else part
        if joined and (wide := last.within + part.closing) <= room + _CLOSE:
            words[-1] = Part(
                last.text + part.text,
                last.within + part.within,
                wide,
                part.cost,
                last.gives + part.gives,
                last.gaps + part.gaps,
            )
        else:
            words.append(part)
        joined = part.cost >= IN_NAME
    return words


def cut_within(
    lines: Sequence[str], room: float, width_of: Callable[[str], float]
) -> tuple[str, ...]:
    """Return lines no wider than `room`; a wider one is cut between two characters, wherever that
    is."""
    broken = []
    for line in lines:
        part, full = "", False
        for char in line if width_of(line) > room + _CUT_SLACK else ():
            # A part stays full however many characters must stay together with it, so it is not
            # measured again.
            full = full or (part != "" and width_of(part + char) > room + _CUT_SLACK)
            if full and not stay_together(part, char):
                broken.append(part.rstrip())
                part, full = "", False
            part = (part + char).lstrip()
        broken.append(part or line)
    return tuple(broken)


# Spaces between the characters of Japanese lines, in ems, set by rules instead of typed blanks.
# Source: Requirements for Japanese Text Layout (W3C, JLREQ). In fonts brackets and stops are a full
# em wide; they become half as wide at the beginning or end of a line and where two of them meet
# (3.1.3 - 3.1.5: tenzuki, solid setting). A quarter of an em separates Japanese letters from Latin
# ones and figures (3.2.6: shibuaki).


_OPENING = frozenset("（［｛〔〈《「『【")
_CLOSING = frozenset("）］｝〕〉》」』】、。，．")
_MIDDLE = frozenset("・：；！？　～〜ー")
_HALF, _QUARTER = 0.5, 0.25
_SPACING_WIDE = "[\u3041-\u30ff\u3400-\u9fff々〆]"
_LATIN = "[A-Za-z0-9%\u00c0-\u024f]"
# A typed blank where the rules set the space. Compiled with the first Japanese text, as it takes 2
# ms.
_BLANK = (
    f"(?<={_SPACING_WIDE})[ \u00a0](?={_LATIN})|(?<={_LATIN})[ \u00a0](?={_SPACING_WIDE})"
    "|(?<=[）」』】、。]) (?=\\S)|(?<=\\S) (?=[（「『【])"
)
_PERCENT = "(?<=[0-9])[ \u00a0](?=[%％])"


def without_blanks(text: str) -> str:
    """Return a Japanese text without the blanks for which these rules set space, including those
    before percent signs."""
    return re.sub(_PERCENT, "", re.sub(_BLANK, "", text))


@lru_cache(4096)
def space_between(left: str, right: str) -> float:
    """Return the space added between two neighbours, in ems; negative if they are set closer."""
    if left in _CLOSING:
        return -_HALF if right in _CLOSING or right in _OPENING else 0.0
    if left in _OPENING:
        return -_HALF if right in _OPENING else 0.0
    if is_wide(left) == is_wide(right) or right in _CLOSING or right in _OPENING:
        return 0.0
    wide, narrow = (left, right) if is_wide(left) else (right, left)
    return _QUARTER if wide not in _MIDDLE and (narrow.isalnum() or narrow == "%") else 0.0


def can_close(left: str, right: str) -> bool:
    """Return True if there is the blank half of a bracket or a stop between two neighbours. Part of
    it may be removed, before anything else, where a line has to be narrower (JLREQ 3.8.3)."""
    return (left in _CLOSING) != (right in _OPENING) and space_between(left, right) >= 0.0


def begin_space(char: str) -> float:
    """Return the space removed before the first character of a line, in ems."""
    return _HALF if char in _OPENING else 0.0


def end_space(char: str) -> float:
    """Return the space removed after the last character of a line, in ems."""
    return _HALF if char in _CLOSING else 0.0


def spread(text: str, closed: float = 0.0) -> tuple[tuple[str, float], ...]:
    """Return a line as runs without added space inside, each with the space before it in ems;
    `closed` ems are removed wherever `can_close`."""
    if not text:
        return ()
    pieces, piece, before = list[tuple[str, float]](), text[0], -begin_space(text[0])
    for left, right in pairwise(text):
        space = space_between(left, right)
        if closed and can_close(left, right):
            space -= closed
        if space:
            pieces.append((piece, before))
            piece, before = "", space
        piece += right
    return (*pieces, (piece, before))
