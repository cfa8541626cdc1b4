"""The columns of tables: the field of each, its names, and how its values are written in cells."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable
from contextlib import suppress
from difflib import get_close_matches
from functools import cache, partial
from typing import Any

from platelayer.exchange.losses import safe_id
from platelayer.foundation.door import NotRead, parse_value
from platelayer.foundation.languages import column_words, languages, studio_words
from platelayer.foundation.text import suggestion
from platelayer.foundation.values import Frozen
from platelayer.model.company import whole

Json = Any


class Wrong(ValueError):
    """Raised for a cell with a value that its column does not allow. `allowed` describes allowed
    values."""

    def __init__(self, allowed: str, hint: str = "") -> None:
        super().__init__(allowed)
        self.allowed, self.hint = allowed, hint


class Codec(Frozen, eq=False):
    """Conversion between cells and values of one type: `read` makes a value from text (raises
    Wrong), `write` makes text from a value. A value that `read` would not restore is JSON in its
    cell."""

    read: Callable[[str], Json]
    write: Callable[[Json], str | int] = str
    choices: tuple[str, ...] = ()


class Column(Frozen, eq=False):
    """Column of a table. `key` is the field, `of` the table whose ids it holds. `spoken` columns
    may also exist once for each language."""

    key: str
    codec: Codec
    of: str = ""
    spoken: bool = False


# Cells that mean "none".
DASHES = ("-", "–", "—")
_NONE = (*DASHES, "never", "none", "なし")


def is_none(words: str) -> bool:
    """Return True if a cell states that there is no value, as "-" does."""
    return words.casefold() in _NONE


# Words.


def narrow(words: object) -> str:
    """Return words with characters in their usual width, without spaces around them."""
    return unicodedata.normalize("NFKC", str(words)).strip()


def folded(words: str) -> str:
    """Return the letters, digits and signs +#%$ of words, ignoring case and width, to compare
    headings."""
    wide = unicodedata.normalize("NFKC", words).casefold()
    return "".join(char for char in wide if char.isalnum() or char in "+#%$")


@cache
def names_of(key: str) -> tuple[str, ...]:
    """Return the names of a field, a sheet or a value in all languages, the field's own name
    first."""
    found = [key, key.replace("_", " "), *column_words(key)]
    for code in languages():
        words = studio_words(code)
        found += [words[name] for name in (f"label_{key}", f"value_{key}") if name in words]
        compared = languages()[code].get("compare", {})
        found += [
            compared[table][key] for table in ("fields", "values") if key in compared.get(table, {})
        ]
    return tuple(dict.fromkeys(found))


def find_name(words: str, keys: tuple[str, ...]) -> str | None:
    """Return the key that has this name, or None. A key's own name takes precedence over other
    keys' translated names."""
    wanted = folded(words)
    for depth in range(max((len(names_of(key)) for key in keys), default=0)):
        for key in keys:
            names = names_of(key)
            if depth < len(names) and folded(names[depth]) == wanted:
                return key
    return None


def meant(words: str, keys: tuple[str, ...]) -> str:
    """Return a hint with the known name that unknown words may be meant for; "" if there is
    none."""
    known = {name: key for key in keys for name in names_of(key)}
    return suggestion(narrow(words), [*known, *keys])


def slip(words: str, keys: tuple[str, ...]) -> str:
    """Return the same hint as `meant`, but only if the words are so close to a known name that they
    are most likely a misspelling; otherwise ""."""
    known = {folded(name) for key in keys for name in names_of(key)}
    near = get_close_matches(folded(words), known, n=1, cutoff=0.78)
    return meant(words, keys) if near else ""


# Codecs.


def number(words: str) -> int:
    """Return a whole number, written with or without a currency sign and thousands separators.
    Raises Wrong."""
    plain = narrow(words).replace("−", "-")
    match = re.fullmatch(r"[^\d\s.,+-]{0,4}\s*([+-]?\d[\d.,'’ \u202f]*?)\s*[^\d\s.,]{0,4}", plain)
    if match is not None:
        digits = re.sub(r"(?<=\d)[.,'’ \u202f](?=\d{3}(\D|$))", "", match[1])
        if re.fullmatch(r"[+-]?\d{1,9}([.,]0*)?", digits):
            return int(re.split("[.,]", digits)[0])
    raise Wrong("a whole number")


_YES = ("yes", "y", "x", "true", "1", "✓", "✔", "はい", "○", "〇", "◯", "有", "ja", "oui")
_NO = ("no", "n", "false", "0", "いいえ", "×", "✗", "無", "なし", "nein", "non")


def _yes(words: str) -> bool:
    plain = narrow(words).casefold()
    if plain in _YES or plain in _NO:
        return plain in _YES
    raise Wrong('"yes" or "no"')


def choice(*keys: str) -> Codec:
    """Return a codec for one of some words of the format, read in any language."""

    def read(words: str) -> str:
        found = find_name(words, keys)
        if found is None:
            raise Wrong(f"one of {', '.join(keys)}", meant(words, keys))
        return found

    return Codec(read=read, choices=keys)


def parts(words: str, marks: str = r"[,、;；\n]") -> list[str]:
    """Return the parts of a list that is separated by commas, semicolons or line breaks."""
    return [part.strip() for part in re.split(marks, words) if part.strip()]


def several(
    read: Callable[[str], Json] = str,
    write: Callable[[Json], Any] = str,
    marks: str = r"[,、;；\n]",
) -> Codec:
    """Return a codec for a list of values."""
    return Codec(
        read=lambda words: [read(part) for part in parts(words, marks)],
        write=lambda values: ", ".join(str(write(value)) for value in values),
    )


COLOURS = ("white", "yellow", "green", "brown", "gray", "purple", "red", "blue", "sepia")
STOPS = ("city", "town", "halt", "pass", "offboard")
GROUNDS = (
    "hill",
    "mountain",
    "rough",
    "forest",
    "river",
    "marsh",
    "lake",
    "sea",
    "desert",
    "water",
)
_SHARE = re.compile(r"(\d{1,3}(?:\.\d{1,2})?)\s*%?\s*([dr]?)\s*(?:[x×*✕]\s*(\d{1,3}))?")


def _percent(words: str) -> float:
    plain = narrow(words).rstrip("% ")
    return whole(float(plain)) if re.fullmatch(r"\d{1,3}\.\d{1,2}", plain) else number(plain)


def _shares(words: str) -> Json:
    """Read "20,10x8": percentages and the number of each; "d" marks the director's certificate, "r"
    a reserved one. If there are several and none has a "d", the first is the director's, unless
    it has a number."""
    found = []
    for part in parts(unicodedata.normalize("NFKC", words).casefold()):
        match = _SHARE.fullmatch(part)
        if match is None:
            raise Wrong('shares such as "20, 10x8": a per cent and a number of certificates')
        entry = {"percent": whole(float(match[1]))}
        if match[3]:
            entry["count"] = int(match[3])
        if match[2]:
            entry["director" if match[2] == "d" else "reserved"] = True
        found.append(entry)
    has_director = any("director" in entry for entry in found)
    if len(found) > 1 and not has_director and "count" not in found[0]:
        found[0]["director"] = True
    return found


def _said_shares(entries: Json) -> str:
    return ", ".join(
        f"{entry['percent']}"
        + ("d" if entry.get("director") and at else "")
        + ("r" if entry.get("reserved") else "")
        + (f"x{entry['count']}" if "count" in entry else "")
        for at, entry in enumerate(entries)
    )


def _home(words: str) -> Json:
    match = re.fullmatch(r"((?:[a-z]|[A-Z]{1,2})-?\d{1,3})(?:\s*/\s*(\d{1,2}))?", words.strip())
    if match is None:
        raise Wrong('hexes such as "D4", or "D4/1" for one of its stops')
    return {"hex": match[1], **({"stop": int(match[2])} if match[2] else {})}


def _said_home(home: Json) -> str:
    return f"{home['hex']}/{home['stop']}" if "stop" in home else str(home["hex"])


def _pairs(words: str, read_key: Callable[[str], str] = str) -> list[tuple[str, int]]:
    """Read "yellow 20, brown 50", "Y20 B50" or "4: 800": names with numbers."""
    plain = narrow(words)
    found = re.findall(
        r"([^\W\d_]+(?=\s*\d)|[^\s:=,;、]+(?=\s*[:=])|[^\s:=,;、]+(?=\s))\s*[:=]?\s*(-?\d+)", plain
    )
    rest = re.sub(r"[^\W\d_]+\s*[:=]?\s*-?\d+|[^\s:=,;、]+\s*[:=\s]\s*-?\d+|[\s,;/、]", "", plain)
    if not found or rest:
        raise Wrong('names with numbers such as "yellow 20, brown 50"')
    return [(read_key(key), int(value)) for key, value in found]


_SPANS = {
    2: ("yellow", "brown"),
    3: ("yellow", "green", "brown"),
    4: ("yellow", "green", "brown", "gray"),
}
_INITIALS = {"y": "yellow", "g": "green", "b": "brown", "n": "brown", "r": "gray", "gr": "gray"}


def _phase_name(words: str) -> str:
    return find_name(words, COLOURS) or _INITIALS.get(words.casefold()) or words


def phased(words: str) -> Json:
    """Read an amount, or amounts by the colour or phase from which they apply: "30", "20/30/50",
    "yellow 20, brown 50"."""
    steps = words.split("/")
    if len(steps) in _SPANS and all(step.strip().isdecimal() for step in steps):
        return dict(zip(_SPANS[len(steps)], map(int, steps), strict=True))
    try:
        return number(words)
    except Wrong:
        return dict(_pairs(words, _phase_name))


def said_phased(value: Json) -> str | int:
    """Return the text or number that `phased` reads as this value."""
    if not isinstance(value, dict):
        return int(value)
    return ", ".join(
        f"{key} {amount}" if key.isalpha() else f"{key}: {amount}" for key, amount in value.items()
    )


_KINDS_OF_STOP = ["city", "town", "offboard"]
_REACH = re.compile(r"(\d{1,2}|d(?:iesel)?|∞)(?:\s*\+\s*(\d{1,2}|∞))?\s*([a-z]?)", re.IGNORECASE)


def _far(digits: str) -> int | None:
    return int(digits) if digits.isdecimal() else None


def reach(words: str) -> Json:
    """Read the reach of a train from its name: "3" stops, "2+2" cities and towns, "4D" pays double,
    "5E" counts the best five of any number, "4H" any number within `hexes`, a field of the
    train, "D" any number."""
    match = _REACH.fullmatch(narrow(words))
    if match is None:
        raise Wrong('a reach such as "3", "2+2", "4D", "5E", "4H" or "D"')
    far, kind = _far(match[1]), match[3].casefold()
    if match[2]:
        near = _far(match[2])
        found = [
            {"stops": ["city", "offboard"], "visit": far, "pay": far},
            {"stops": ["town"], "visit": near, "pay": near},
        ]
    elif kind in ("e", "h"):
        pay = far if kind == "e" else None
        found = [{"stops": [*_KINDS_OF_STOP], "visit": None, "pay": pay}]
        if kind == "h":
            found[0]["hexes"] = far
    else:
        found = [{"stops": [*_KINDS_OF_STOP], "visit": far, "pay": far}]
    if kind == "d":
        found = [{**entry, "multiplier": 2} for entry in found]
    return found


def _said_reach(value: Json) -> str:
    for words in _REACHES:
        if reach(words) == value:
            return words
    return ""


_REACHES = [
    *(f"{far}{kind}" for kind in ("", "D", "E") for far in range(1, 21)),
    *(f"{far}+{near}" for far in range(1, 13) for near in range(1, 13)),
    "D",
]


def _limits(words: str) -> Json:
    """Read train limits: "4" (of majors), or "major 4, minor 2"."""
    try:
        return {"major": number(words)}
    except Wrong:
        kinds = ("minor", "major", "national")
        return dict(_pairs(words, lambda name: find_name(name, kinds) or name))


def _ends(words: str) -> Json:
    if words in ("-", "–"):
        return []
    track = []
    for part in parts(words.casefold(), r"[,、;；\s]"):
        match = re.fullmatch(r"([0-5]|s\d{1,2}|j)(?:\s*-\s*([0-5]|s\d{1,2}|j))?", part)
        if match is None:
            raise Wrong(
                'track such as "0-3" (between edges), "4" (from edge 4 to the stop), "1-s1" (to its second stop) '
                'or "1-j" (to a junction)'
            )
        track.append([_end(match[1]), _end(match[2] or "s0")])
    return track


def _end(words: str) -> int | str:
    if words == "j":
        return "junction"
    return f"stop:{words[1:]}" if words[0] == "s" else int(words)


def _said_track(track: Json) -> str:
    def said(end: Json) -> str:
        return "j" if end == "junction" else str(end).replace("stop:", "s")

    return (
        ", ".join(
            str(a) if b == "stop:0" and isinstance(a, int) else f"{said(a)}-{said(b)}"
            for a, b in track
        )
        or "-"
    )


def _stop_kinds(words: str) -> Json:
    """Read kinds of stop and of ground from one cell: "city", "city 2" with two slots, "2 towns",
    "CC", "mountain"."""
    stops = []
    grounds = []
    for part in parts(words, r"[,、;；\n&]|(?<=\D) and | \+ "):
        match = re.fullmatch(r"(\d{0,2})\s*(\D+?)\s*(\d{0,2})", part)
        name = match[2] if match else part
        if folded(name) in map(folded, names_of("plain")) or part in ("-", "–", "."):
            continue
        kinds = _codes(name) or [
            kind
            for kind in [find_name(name, STOPS) or find_name(name.removesuffix("s"), STOPS)]
            if kind
        ]
        ground = find_name(name, GROUNDS)
        if not kinds and ground and match and not match[1] and not match[3]:
            grounds.append(ground)
            continue
        if not kinds or match is None:
            allowed = (
                f"kinds of stop ({', '.join(STOPS)}), of ground ({', '.join(GROUNDS)}), or plain"
            )
            raise Wrong(allowed, meant(name, (*STOPS, *GROUNDS, "plain")))
        slots = {"slots": int(match[3])} if match[3] else {}
        stops += [{"kind": kind, **slots} for kind in kinds for _ in range(int(match[1] or 1))]
    return {"stops": stops, "grounds": grounds}


CODES = {"C": "city", "T": "town", "O": "offboard", "P": "pass"}


def _codes(name: str) -> list[str]:
    """Return kinds of stop from their letters: "C", "TT"; empty for any other text."""
    return [CODES[char] for char in name] if re.fullmatch("[CTOP]{1,6}", name) else []


def _said_kinds(value: Json) -> str:
    return "; ".join(
        stop["kind"] + (f" {stop['slots']}" if "slots" in stop else "") for stop in value["stops"]
    )


_NAMED_COLOURS = {
    "white": "#ffffff", "black": "#1c1c1c", "red": "#d0202a", "yellow": "#f2c230", "green": "#2f7d4f",
    "blue": "#1f4e8c", "brown": "#7a5230", "gray": "#808080", "grey": "#808080", "orange": "#f08a24",
    "purple": "#7d3c98", "violet": "#7d3c98", "pink": "#f19cbb", "sepia": "#8a6d4b", "navy": "#1b2a5c",
    "turquoise": "#30b5b0", "lightblue": "#8fc1e8", "darkgreen": "#1d4d2f", "lime": "#a4c639",
    "gold": "#d4a72c", "silver": "#b8bcc0",
}  # fmt: skip


def _rgb(words: str) -> str:
    plain = narrow(words)
    if re.fullmatch(r"#?[0-9a-fA-F]{6}", plain):
        return f"#{plain.removeprefix('#')}"
    if re.fullmatch(r"#[0-9a-fA-F]{3}", plain):
        return "#" + "".join(char * 2 for char in plain[1:])
    known = tuple(_NAMED_COLOURS)
    named = _NAMED_COLOURS.get(folded(plain)) or _NAMED_COLOURS.get(find_name(plain, known) or "")
    if named is None:
        raise Wrong(f'a colour such as "#1f4e8c", or {", ".join(known)}', suggestion(plain, known))
    return named


def _stations(words: str) -> list[int | None]:
    prices = [
        None if part in ("?", "map") else number(part) for part in parts(words, r"[,、;；/\n]")
    ]
    if len(prices) == 1 and prices[0] is not None and 1 < prices[0] < 10:
        raise Wrong(
            'prices of tokens such as "0, 40, 100"', f"give each of {prices[0]} tokens its price"
        )
    return prices


def _currency(words: str) -> str:
    if "{}" in words:
        return words
    return f"{words}{{}}" if len(words) == 1 and words not in "円元" else f"{{}}{words}"


_UNLIMITED = ("unlimited", "∞", "無制限", "no limit", "inf")


WORD = Codec(read=str)
LINES = Codec(read=lambda words: words.split("\n"), write="\n".join)
INT = Codec(read=number, write=int)
YES = Codec(read=_yes, write=lambda value: "yes" if value else "no", choices=("yes", "no"))
RGB, ONE_COLOUR = Codec(read=_rgb), choice(*COLOURS)
IDS = several(str)
SEVERAL_COLOURS = several(
    lambda words: ONE_COLOUR.read(_INITIALS.get(words.casefold(), words)),
    marks=r"(?i)[,、;；・\n+/&\s]|\band\b",
)
BANK = Codec(
    read=lambda words: None if words.casefold() in _UNLIMITED else number(words),
    write=lambda value: "unlimited" if value is None else value,
)
COUNT = Codec(
    read=lambda words: "unlimited" if words.casefold() in _UNLIMITED else number(words),
    write=lambda value: value,
)
REVENUE = Codec(read=phased, write=said_phased)
KIND = Codec(read=_stop_kinds, write=_said_kinds)
VALUES = Codec(
    read=lambda words: [phased(part) for part in parts(words, r"[;；\n]")],
    write=lambda values: (
        values[0]
        if len(values) == 1 and isinstance(values[0], int)
        else "; ".join(str(said_phased(value)) for value in values)
    ),
)
GROUND = several(choice(*GROUNDS).read)
TRACK = Codec(read=_ends, write=_said_track)
ON = Codec(
    read=lambda words: found[0] if len(found := parts(words)) == 1 else found,
    write=lambda value: value if isinstance(value, str) else ", ".join(value),
)
_TEXT, _WORD, _INT = (partial(Column, codec=codec) for codec in (WORD, WORD, INT))


def _text(key: str) -> Column:
    return Column(key, WORD, spoken=True)


def _lines(key: str) -> Column:
    return Column(key, LINES, spoken=True)


TRAINS = (
    _WORD("train"), _WORD("name"), Column("count", COUNT), _INT("price"),
    Column("reach", Codec(read=reach, write=_said_reach)), _INT("hexes"), Column("rusts_on", IDS, of="trains"),
    Column("obsolete_on", IDS, of="trains"), Column("permanent", YES), Column("starts", WORD, of="phases"),
    Column("colour", ONE_COLOUR), Column("available_from", WORD, of="phases"),
    Column("trade_ins", Codec(
        read=lambda words: [{"train": key, "price": price} for key, price in _pairs(words)],
        write=lambda entries: ", ".join(f"{entry['train']}: {entry['price']}" for entry in entries))),
    _INT("optional"), _text("option"), Column("unlimited", YES), _WORD("who"), _WORD("figures"), _text("note"),
)  # fmt: skip
PHASES = (
    _WORD("phase"), Column("on", ON, of="trains"),
    Column("train_limits", Codec(read=_limits,
           write=lambda limits: limits["major"] if [*limits] == ["major"] else said_phased(limits))),
    Column("tiles", SEVERAL_COLOURS), _INT("operating_rounds"), _WORD("revenue"), _lines("events"),
    _text("tile_lays"), _text("begins"), _lines("status"),
)  # fmt: skip
COMPANIES = (
    _WORD("company"), _text("name"), Column("kind", choice("private", "concession", "minor", "major", "national")),
    Column("colour", RGB), Column("second", RGB), Column("text_colour", RGB),
    Column("certificates", Codec(read=_shares, write=_said_shares)),
    Column("stations", Codec(
        read=_stations, write=lambda prices: ", ".join("?" if price is None else str(price) for price in prices))),
    Column("homes", several(_home, _said_home)), Column("float_percent", INT), _INT("value"),
    Column("income", REVENUE), Column("closes", WORD), _lines("abilities"), Column("blocks", IDS),
    _WORD("size"), Column("later_sizes", IDS), _WORD("logo"), _WORD("token_text"), Column("all_homes", YES),
    _INT("formation_cost"), _INT("order"), _INT("train_limit"), Column("opens", WORD, of="phases"), _text("class"),
    _text("second_name"), _text("used"), _INT("min_price"), _INT("max_price"), _INT("discount"), _INT("min_players"),
    _WORD("shows"), Column("destination", Codec(read=_home, write=_said_home)),
)  # fmt: skip
LAND = (
    Column("kind", KIND), Column("value", VALUES), Column("terrain", GROUND), _INT("cost"),
    Column("labels", several()), Column("icons", IDS), Column("track", TRACK),
)  # fmt: skip
HEXES = (
    _WORD("hex"), _text("name"), Column("colour", ONE_COLOUR), *LAND, Column("reserved", IDS, of="companies"),
    Column("stubs", several(number)), _WORD("zone"),
)  # fmt: skip
TILES = (
    _WORD("tile"), Column("count", COUNT), Column("colour", ONE_COLOUR), *LAND, _WORD("back_of"), _text("via"),
    _WORD("number"),
)  # fmt: skip
SHARES = (
    _WORD("company"),
    Column("percent", Codec(read=_percent)),
    _INT("count"),
    Column("director", YES),
    Column("reserved", YES),
)
TEXTS = (_WORD("aid"), _text("name"), _text("heading"), _text("text"))
ZONES = (_WORD("zone"), _text("name"), _WORD("colour"), Column("par", YES), _WORD("who"))
REST = (_WORD("where"), _WORD("json"))

TITLE = (
    _WORD("id"), _text("name"), _text("subtitle"), _lines("credits"), Column("currency", Codec(read=_currency)),
    Column("bank", BANK), Column("colours", SEVERAL_COLOURS), Column("wording", IDS), _WORD("livery"), _INT("last_year"),
    Column("layout", choice("flat", "pointy")),
)  # fmt: skip
PLAYERS = (_INT("cash"), _INT("certificate_limit"), _INT("bank"))
MAP = (
    _text("name"), Column("layout", choice("flat", "pointy")), Column("letters_on", choice("x", "y")),
    _WORD("first_letter"), _INT("first_number"), Column("inside", YES),
)  # fmt: skip
MARKET = (
    Column("shape", choice("grid", "line", "zigzag", "hex")), _lines("movement"), Column("column_letters", YES),
)  # fmt: skip

# Tables with one row for each entry of a block, by sheet.
ROWS = {
    "trains": TRAINS, "phases": PHASES, "companies": COMPANIES, "privates": COMPANIES, "tiles": TILES,
}  # fmt: skip
SHEETS = (
    "title",
    "map",
    "tiles",
    "companies",
    "shares",
    "trains",
    "phases",
    "market",
    "privates",
    "texts",
    "json",
)
# A column with everything that no other holds, as JSON; and one for remarks.
MORE, COMMENT = "more", "comment"


def cell_of(column: Column, value: Json) -> str | int:
    """Return the content of a cell for a value: in the column's own form if that can be read back,
    otherwise as JSON."""
    codec = column.codec
    try:
        words = codec.write(value)
        if words != "" and (column.key == "track" or not is_none(str(words))):
            shown = str(words)
            if shown == shown.strip() and value_of(column, shown) == value:
                return words
    except (Wrong, TypeError, KeyError, ValueError, AttributeError, IndexError):
        pass
    return json.dumps(value, ensure_ascii=False)


def value_of(column: Column, words: str) -> Json:
    """Return the value of a cell's text. Raises Wrong."""
    if words.startswith(("{", "[", '"')):
        with suppress(NotRead):
            return parse_value(words, name=column.key)
    return column.codec.read(words)


def plain_id(words: str, usual: str) -> str:
    """Return an id made from a designer's name for something; `usual` if none of its letters is
    allowed in an id."""
    made = safe_id(unicodedata.normalize("NFKC", words))
    return made if made != "x" or words.casefold() == "x" else usual
