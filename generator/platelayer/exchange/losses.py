"""Losses of an import, counted by feature."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from typing import Any, TypeVar

from msgspec import Struct

from platelayer.foundation.text import named
from platelayer.foundation.values import Json
from platelayer.model.described import LETTERS

_MOST_PLACES = 12
_UNCOUNTED = re.compile(
    r"#[0-9A-Fa-f]{3,8}\b"  # colours, which are converted to one form
    r"|(?:image|loc):[^,;|]*"  # names of pictures, and their positions
    r"|:_[0-9]+"  # stops of a tile, referred to by their positions
    r"|(?:slots|lanes|visit_cost|count):1\b"  # explicit defaults
    r"|(?:terminal|size|rows):[0-9]+|hide:1\b"  # details of drawing
)
_EDGE_6 = re.compile(r"\b(a|b|edge):6\b")
_NUMBER = re.compile(r"[0-9]+")
_MOST_LETTERS_OF_A_COMMENT = 3900

ListOrText = TypeVar("ListOrText", list[Any], str)


class Tally(Struct):
    """Count of the numbers in the entries of a source, each distinct number once per entry. `kept`
    is how many of them are in the entries of the definition; the others are in comments."""

    given: int = 0
    kept: int = 0


def numbers_in(value: Any) -> set[str]:
    """Return the numbers in a value and everything within it: in its values, keys and texts. Zero
    does not count, and neither do numbers in colours or file names."""
    found = set()
    waiting = [value]
    while waiting:
        node = waiting.pop()
        if isinstance(node, dict):
            waiting += node
            waiting += node.values()
        elif isinstance(node, (list, tuple)):
            waiting += node
        elif isinstance(node, str):
            found |= {
                digits.lstrip("0")
                for digits in _NUMBER.findall(_UNCOUNTED.sub("", _EDGE_6.sub(r"\1:0", node)))
            }
        elif isinstance(node, (int, float)) and not isinstance(node, bool):
            found |= {
                digits.lstrip("0")
                for digits in _NUMBER.findall(f"{node:g}" if node < 10**6 else str(node))
            }
    return found - {""}


_NO_NAMES: Mapping[str, str] = {}


class Entry(dict[str, Any]):
    """Object of a source that remembers which of its keys have been read."""

    __slots__ = ("read",)

    def __init__(self, given: Mapping[str, Any]) -> None:
        super().__init__(given)
        self.read: set[str] = set()

    @classmethod
    def of(cls, value: Any) -> Any:
        """Return a value with all objects in it, at any depth, as Entries."""
        if isinstance(value, dict):
            return cls({key: cls.of(part) for key, part in value.items()})
        return [cls.of(part) for part in value] if isinstance(value, list) else value

    def __getitem__(self, key: str) -> Any:
        self.read.add(key)
        return super().__getitem__(key)

    def get(self, key: str, default: Any = None) -> Any:
        """Return the value of a key, and mark the key as read."""
        self.read.add(key)
        return super().get(key, default)


def unread(
    value: Any, aside: Container[str] = (), names: Mapping[str, str] = _NO_NAMES
) -> Iterator[tuple[str, str]]:
    """Yield the keys of a source that have not been read, or their `names` if they have one, each
    once with its value. Keys in `aside` are skipped, and so are all keys of an object of which
    none was read, because it was used as a whole."""
    if isinstance(value, list):
        for part in value:
            yield from unread(part, aside, names)
    elif isinstance(value, Entry) and value.read:
        for key, part in value.items():
            if key in value.read:
                yield from unread(part, aside, names)
            elif isinstance(part, dict) and all(name in aside for name in part):
                continue  # only positions in the drawing
            elif key not in aside and part not in (None, "", [], {}):
                yield names.get(key, f"field {key}"), in_json(part)
        value.read.update(value)


def in_json(value: Any, most: int = 1500) -> str:
    """Return a value as JSON, cut to `most` characters."""
    words = json.dumps(value, ensure_ascii=False)
    return words if len(words) <= most else f"{words[:most]} ..."


LEFT = "number without a place of its own"


def _by_field(source: Any, missing: set[str]) -> Iterator[str]:
    """Yield the missing numbers of an entry by the fields that contain them."""
    for name, value in source.items() if isinstance(source, dict) else [("", source)]:
        numbers = sorted(numbers_in(value) & missing, key=int)
        if numbers:
            yield f"{name} {', '.join(numbers)}".strip()
    keys = sorted(numbers_in(list(source)) & missing, key=int) if isinstance(source, dict) else []
    if keys:
        yield ", ".join(keys)


class Losses(Struct, kw_only=True):
    """Losses by feature and place, in the order found. `read` counts the parts of the definition,
    `assumed` are decisions, `unread` parts of the source that could not be read, `rules` rules
    of play that have no place in a definition, `numbers` the counts of its numbers."""

    lost: dict[str, dict[str, int]] = {}
    read: dict[str, int] = {}
    assumed: list[str] = []
    unread: list[str] = []
    rules: list[str] = []
    numbers: dict[str, Tally] = {}

    def lose(self, feature: str, place: str) -> str:
        """Count a loss. Return the feature, for a comment next to the part that remains."""
        places = self.lost.setdefault(feature, {})
        places[place] = places.get(place, 0) + 1
        return feature

    def left_out(self, place: str, value: Any) -> None:
        """Count a part of a source whose form differs from that of its program."""
        self.lose("part of another form", f"{place}: {in_json(value, 80)}")

    def comments(self, place: str) -> Comments:
        """Return a collector of the losses at one place."""
        return Comments(self, place)

    def assume(self, words: str) -> None:
        """Record a decision, once."""
        if words not in self.assumed:
            self.assumed.append(words)

    @property
    def count(self) -> int:
        """Number of losses."""
        return sum(number for places in self.lost.values() for number in places.values())


class Comments:
    """Losses at one place, and the comment that lists them there."""

    def __init__(self, losses: Losses, place: str) -> None:
        self.losses, self.place = losses, place
        self._details: list[str] = []

    def lose(self, feature: str, detail: str = "", place: str = "") -> None:
        """Count a loss, at this place or at `place`, and remember its feature and detail."""
        self.losses.lose(feature, place or self.place)
        loss = f"{feature} ({detail})" if detail else feature
        if loss not in self._details:
            self._details.append(loss)

    def remember(self, other: Comments) -> None:
        """List the losses of a place that is not in the definition in this comment."""
        self._details += [f"{other.place}: {detail}" for detail in other]

    def fit(self, what: str, whole: ListOrText, most: int) -> ListOrText:
        """Return the part of a list or text that the format accepts. The rest is recorded as lost:
        entries of a list by name, a text as a whole."""
        if len(whole) > most:
            rest = [
                entry if isinstance(entry, str) else json.dumps(entry, ensure_ascii=False)
                for entry in whole[most:]
            ]
            self.lose(
                f"more than {most} {what}", whole if isinstance(whole, str) else ", ".join(rest)
            )
        return whole[:most]

    def name_unread(self, *source: Any) -> None:
        """Record the keys of an entry that have not been read as lost; takes the arguments of
        `unread`."""
        for feature, words in unread(*source):
            self.lose(feature, words)

    def account(self, block: str, source: Any, kept: Any) -> None:
        """Count the numbers of an entry of the source. Numbers that are neither in `kept`, its part
        of the definition, nor in a recorded loss are recorded as lost now."""
        given, here = numbers_in(source), numbers_in(kept)
        missing = given - here - numbers_in(self._details)
        if missing:
            self.lose(LEFT, "; ".join(_by_field(source, missing)))
        tally = self.losses.numbers.setdefault(block, Tally())
        tally.given += len(given)
        tally.kept += len(given & here)

    def lose_present(self, features: Mapping[str, object]) -> None:
        """Record the features whose value is true as lost."""
        for feature, there in features.items():
            if there:
                self.lose(feature)

    def __iter__(self) -> Iterator[str]:
        return iter(self._details)

    @property
    def comment(self) -> dict[str, str]:
        """`$comment` for the part of the definition at this place; empty if nothing was lost."""
        words = f"Not imported: {'; '.join(self._details)}."
        if len(words) > _MOST_LETTERS_OF_A_COMMENT:
            words = f"{words[:_MOST_LETTERS_OF_A_COMMENT]} ... (the rest is in the source)"
        return {"$comment": words} if self._details else {}


def add_comment(entry: Any, comments: Comments) -> Any:
    """Return an entry of a definition, or the count that stands for one, with a comment on what was
    lost at its place."""
    words = comments.comment.get("$comment")
    if words is None:
        return entry
    whole = entry if isinstance(entry, dict) else {"count": entry}
    return {"$comment": " ".join(filter(None, (whole.get("$comment"), words)))} | {
        key: value for key, value in whole.items() if key != "$comment"
    }


def loss_table(losses: Losses, escaped: Callable[[str], str]) -> Iterator[str]:
    """Yield a table of losses by feature in Markdown; `escaped` makes words safe for a cell."""
    yield from ("| What | How often | Where |", "| --- | ---: | --- |")
    for feature, places in sorted(losses.lost.items()):
        yield f"| {escaped(feature)} | {sum(places.values())} | {escaped(named(places, _MOST_PLACES))} |"


_ACCOUNTED = (
    "Each number of each entry (a company, a train, a hex ...) is in the same entry of the definition, "
    "or in its `$comment`."
)


def report_lines(losses: Losses, *, name: str, source: str, accepted: list[str]) -> str:
    """Return the report of an import as Markdown."""
    lines = [f"# Import of {name}", "", f"From {source}.", "", "## Imported", ""]
    lines += [f"- {what}: {number}" for what, number in losses.read.items()]
    if losses.lost:
        lines += [
            "",
            "## Not imported",
            "",
            "Each stays in the definition as a `$comment` where it belongs.",
            "",
        ]
        lines += loss_table(losses, lambda words: words.replace("|", "\\|"))
    if losses.numbers:
        lines += [
            "",
            "## Numbers",
            "",
            _ACCOUNTED,
            "",
            "| Of | In the source | In the definition | In comments |",
        ]
        lines += ["| --- | ---: | ---: | ---: |"]
        lines += [
            f"| {block} | {tally.given} | {tally.kept} | {tally.given - tally.kept} |"
            for block, tally in losses.numbers.items()
        ]
    for heading, intro, entries in (
        ("Could not be read", "Only running the program would tell these; write them in by hand.", losses.unread),
        ("Decided", "What the source leaves open, and what was taken.", losses.assumed),
        ("Rules of play", "What constants of the program say; a definition has no place for it.", losses.rules),
        ("Accepted findings", "Rules that the source breaks. Each is waived in title.json; remove "
         "a waiver when you have settled it.", accepted),
    ):  # fmt: skip
        if entries:
            lines += [
                "",
                f"## {heading}",
                "",
                intro,
                "",
                *(entry if entry.startswith("  ") else f"- {entry}" for entry in entries),
            ]
    return "\n".join(lines) + "\n"


# Maximum length of ids and short texts that the format accepts.


_MOST = 40
_SPOKEN = {
    "&": "-",
    "∞": "inf",
    "½": ".5",
    "*": "x",
    "ß": "ss",
    "ø": "o",
    "Ø": "O",
    "æ": "ae",
    "Æ": "AE",
    "ł": "l",
}


def safe_id(name: object) -> str:
    """Return an id made from a name: letters of any script and digits are kept, Latin letters lose
    their accents, and all other characters become "-"."""
    words = "".join(_SPOKEN.get(char, char) for char in str(name))
    plain = "".join(_plain(char) for char in unicodedata.normalize("NFKC", words))
    made = re.sub(f"[^{LETTERS}._+]+", "-", plain).strip("-._")[:_MOST].rstrip("-")
    return made if re.match(f"[{LETTERS}]", made) else "x"


def _plain(char: str) -> str:
    """Return a Latin letter without accents; any other letter, mark, digit or sign allowed in an id
    unchanged; otherwise a space."""
    bare = "".join(
        each for each in unicodedata.normalize("NFKD", char) if not unicodedata.combining(each)
    )
    if bare.isascii():
        return bare
    return char if unicodedata.category(char)[0] in "LMN" else " "


def safe_size(name: object) -> str:
    """Return the name of a size made from any name, "" if nothing is left of it: characters that
    the format does not accept become "-"."""
    return re.sub(f"[^{LETTERS} ._+&/-]+", "-", str(name)).strip(" ._+&/-")[:_MOST].strip(" ._+&/-")


def unused(name: str, taken: Container[str], ending: str = "") -> str:
    """Return a name that is not taken: unchanged, with the ending, or with a number."""
    if name not in taken:
        return name
    if ending and f"{name[: _MOST - len(ending)]}{ending}" not in taken:
        return f"{name[: _MOST - len(ending)]}{ending}"
    number = 2
    while f"{name[:36]}-{number}" in taken:
        number += 1
    return f"{name[:36]}-{number}"


def one_line(words: object) -> str:
    """Return words without line breaks and markup, with single spaces."""
    return " ".join(re.sub(r"<[^>]{0,40}>", " ", str(words or "")).split())


# Signs and words of programmers, with their printed forms.
_PRINTED = (
    (re.compile('"([^"]*)"'), r"“\1”"),
    (re.compile(r"(?<=\w)'(?=\w)|(?<=s)'(?= )"), "’"),
    (re.compile(r"\b([0-9]+) ?[xX](?= )"), r"\1 ×"),
    (re.compile(r"(?<=\b[0-9])-(?=[0-9]\b)"), "–"),
    (re.compile(",(?=[A-Za-z])"), ", "),
    (re.compile(r"\bipoed\b"), "started"),
    (re.compile(r"\b([Cc])ert(?=s?\b)"), r"\1ertificate"),
    (re.compile(r"\b([Gg])ray\b(?= [a-z])|\bgray\b"), lambda found: f"{found[0][0]}rey"),
)


def as_printed(words: str, *, ends: bool = True) -> str:
    """Return words in the form for print: with typographic signs and without abbreviations, and
    with a full stop if `ends` and there is more than one word."""
    for written, printed in _PRINTED:
        words = written.sub(printed, words)
    return f"{words}." if ends and " " in words and words[-1] not in ".!?:;" else words


def mark(symbol: object) -> str:
    """Return the letters and digits of a symbol, by which icons refer to companies."""
    return "".join(char for char in str(symbol or "").casefold() if char.isalnum())


def spoken(symbol: object) -> str:
    """Return a symbol such as `can_buy_companies` as words."""
    return str(symbol).replace("_", " ").strip().capitalize()


def in_words(file_name: str) -> str:
    """Return the name of a picture file as words: "Oil derrick" for "oil-derrick", "Yellow hex" for
    "Yellow_hex2"; "" if it has no words."""
    parted = re.sub(
        r"[_\-. ]+|(?<=[a-z])(?=[A-Z])", " ", file_name.rsplit("/", 1)[-1].removesuffix(".svg")
    )
    words = re.sub(r"(?<=[^ 0-9])[ ]?[0-9]+$", "", parted).split()
    if not any(re.fullmatch("[A-Za-z]?[a-z]{2,}", word) for word in words):
        return ""
    return " ".join(word if word.isupper() else word.lower() for word in words).capitalize()


def single(values: list[Any]) -> Any:
    """Return the only value of a list; a list with more values, or none, is returned unchanged."""
    return values[0] if len(values) == 1 else values


def filled(entry: Json) -> Json:
    """Return an entry without empty values; zero and False are kept."""
    return {key: value for key, value in entry.items() if value not in (None, "", [], {})}


def several(value: Any) -> list[Any]:
    """Return a list unchanged, any other value as a list of one; empty for None."""
    return [] if value is None else list(value) if isinstance(value, (list, tuple)) else [value]


def line_of(entry: Json, key: str) -> str:
    """Return the text of a key on one line."""
    return one_line(entry.get(key))


def list_of(entry: Json, key: str) -> list[Any]:
    """Return the list of a key, or its single value as a list; empty if it has none."""
    return several(entry.get(key))


def hashes(value: Any) -> list[Json]:
    """Return the objects in a list, or a single object as a list."""
    return [entry for entry in several(value) if isinstance(entry, dict)]


def shown_by(tile: str, numbers: Iterable[str]) -> str | None:
    """Return the tile of which `tile` is a variant used for display, with a town or a resource on
    it: the longest other number with which its own number begins; None if there is none."""
    others = (number for number in numbers if number != tile and tile.startswith(number))
    return max(others, key=len, default=None)


def counts_hexes(name: str) -> int | None:
    """Return the number of hexes that a train runs from its name, such as 4H, or R6H of another
    kind of train; None for a train that counts stops."""
    match = re.fullmatch("[A-Z]?([1-9][0-9]?)H", name)
    return int(match[1]) if match else None


def number(value: Any, low: int, high: int) -> int | None:
    """Return a whole number within bounds; None for any other value."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, str) and re.fullmatch(r"\s*[0-9]{1,9}\s*", value):
        value = int(value)
    return (
        value
        if isinstance(value, int) and not isinstance(value, bool) and low <= value <= high
        else None
    )
