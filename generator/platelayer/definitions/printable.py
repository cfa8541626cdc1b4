"""Texts and colours of a title that a theme cannot print."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache, reduce
from typing import Any

from platelayer.definitions.codes import CODES
from platelayer.definitions.titles import Loaded
from platelayer.foundation.languages import languages, terms, unsaid
from platelayer.foundation.pointers import join_pointer
from platelayer.foundation.problems import Problem, sort_problems
from platelayer.foundation.suggestions import listed, named, suggestion
from platelayer.foundation.text import Text, character, is_hidden, is_leftward, is_mark
from platelayer.model.market import MOVES
from platelayer.scene.fonts import face
from platelayer.scene.theme import Theme
from platelayer.scene.typeset import prepared

_LANGUAGE = re.compile(r"[a-z]{2}(-[A-Za-z0-9]{2,8})?")

_MOVEMENT = "/market/movement/"
_MOST_NAMED = 8
"""The most characters that a message names."""


def drawable(theme: Theme) -> frozenset[str]:
    """Characters that every type style of the theme can draw, as any text may be set in any of
    them."""
    styles = theme.types.values()
    return _drawn_by(
        {style.faces for style in styles} | {style.beside("日").faces for style in styles}
    )


def _drawn_by(faces: set[tuple[str, ...]]) -> frozenset[str]:
    covered = [frozenset().union(*(face(name).glyphs for name in names)) for names in faces]
    return reduce(frozenset.intersection, covered) if covered else frozenset()


def unprintable(loaded: Loaded, theme: Theme, language: str | None = "en") -> tuple[Problem, ...]:
    """GL01 for each text (and each key, since ids are printed) of the definition with a character
    that some type style of the theme cannot draw, RF22 for each colour that is no ink of the theme.
    Of texts in several languages, only the one that `language` prints is checked (None: all)."""
    problems = []
    for pointer, is_key, missing in missing_glyphs(loaded.assembled.value, theme, language):
        problems.append(lacking(theme, missing).at(loaded.place(pointer, key=is_key)))
    problems += [
        problem.at(loaded.place(problem.pointer))
        for problem in unknown_inks(loaded.assembled.value, theme)
    ]
    return sort_problems(problems)


_HINTS: tuple[tuple[Callable[[str], bool], str], ...] = (
    (
        is_mark,
        "an accent is printed only where Unicode has one character for the letter with it, as é: use another letter",
    ),
    (is_leftward, "scripts written from right to left cannot be printed: use another one"),
    (is_hidden, "delete what nobody sees"),
)
"""What to do about characters that fonts lack, by what they are."""


def lacking(theme: Theme, missing: Sequence[str]) -> Problem:
    """GL01 for characters of one text that the fonts of a theme lack."""
    hidden = [char for char in missing if is_hidden(char)]
    boxed = [char for char in missing if char not in hidden]
    messages = []
    if boxed:
        messages.append(
            f"no font of theme {theme.id} has {named(map(character, boxed), _MOST_NAMED)}: a box is printed"
        )
    if hidden:
        messages.append(f"nothing is printed for {named(map(character, hidden), _MOST_NAMED)}")
    hints = [hint for is_so, hint in _HINTS if any(map(is_so, missing))] or [
        "use other characters, or another theme"
    ]
    return Problem(
        code="GL01",
        severity=CODES["GL01"].severity,
        message="; ".join(messages),
        hint="; ".join(hints),
    )


def in_english(language: str) -> Problem:
    """The note GL02 that fixed words, or some of them, are English in a print in another
    language."""
    if language in languages():
        lacks = unsaid(language)
        message = f'{len(lacks)} of {len(terms())} fixed words are English, for "{language}" lacks {listed(lacks, most=3)}'
    else:
        message = f'Platelayer has no words of its own in "{language}": they are English, the title\'s own texts are not'
    hint = 'give the title words for them in "terms"'
    return Problem(code="GL02", severity=CODES["GL02"].severity, message=message, hint=hint)


def missing_glyphs(
    definition: Mapping[str, Any], theme: Theme, language: str | None
) -> Iterator[tuple[str, bool, list[str]]]:
    """(pointer, whether its key is meant, characters) of each text with characters that some type
    style cannot draw."""
    # Fallback faces are large, and most prints need none of them.
    known = _drawn_by({style.faces[:1] for style in theme.types.values()})
    complete = False
    title = {key: entry for key, entry in definition.items() if key != "$schema"}
    if "variants" in title:  # what the patch of one changes is checked in the title that it makes
        title["variants"] = {
            key: {part: words for part, words in block.items() if part != "patch"}
            for key, block in title["variants"].items()
        }
    if (
        language is not None and "terms" in title
    ):  # words in other languages alone leave ours; faces take 20 ms to read
        said = {language, "en"}
        title["terms"] = {
            name: words
            for name, words in title["terms"].items()
            if not (_is_text(words) and said.isdisjoint(words))
        }
    plain = known.issuperset(map(chr, range(0x20, 0x7F)))
    for pointer, words, is_key in _strings(title, language):
        if plain and words.isascii() and words.isprintable():
            continue
        needed = _printed_for(words)
        if pointer.startswith(_MOVEMENT):
            needed = needed - MOVES
        if not complete and not known.issuperset(needed):
            known, complete = drawable(theme), True
        if missing := sorted(needed - known):
            yield pointer, is_key, missing


@lru_cache(maxsize=1 << 13)
def _printed_for(words: str) -> frozenset[str]:
    """The characters that a text may be printed with, and those in it that nobody sees. The
    variants of a title share most of their texts."""
    return frozenset((*prepared(words), *prepared(words, capitals=True), *filter(is_hidden, words)))


def unknown_inks(definition: Mapping[str, Any], theme: Theme) -> Iterator[Problem]:
    """RF22 for each colour of the definition that is neither #rrggbb nor an ink of the theme."""
    title = {key: definition.get(key) for key in ("maps", "market", "tiles", "trains")}
    # What `ground` means on a map tile is its own: its hexes with a tile have colours.
    boxes = (definition.get("atlas") or {}).get("map_tiles", {})
    spots = [
        (join_pointer("atlas", "map_tiles", key, "hexes"), tile["hexes"])
        for key, tile in boxes.items()
    ]
    inside = [
        (f"{at}/{index}/tile", entry["tile"])
        for at, hexes in spots
        for index, entry in enumerate(hexes)
        if isinstance(entry, Mapping)
    ]
    for at, part in (("", title), *inside):
        for pointer, name in _colours(part, at):
            if (
                not name.startswith("#")
                and name not in theme.inks
                and f"tile.{name}" not in theme.inks
            ):
                known = [ink for ink in theme.inks if ink.startswith(_OFFERED)]
                message = (
                    f'there is no ink "{name}" in theme {theme.id}; known: {listed(known, most=40)}'
                )
                hint = suggestion(name, [*(ink.removeprefix("tile.") for ink in known), *known])
                hint = hint or 'give it as #rrggbb, for example "#800080"'
                yield Problem(code="RF22", pointer=pointer, message=message, hint=hint)


INK_KEYS = frozenset(("colour", "figures", "frame", "ground", "second_frame", "tint"))
"""Keys whose values are colours; a test compares them with the schemas."""
_OFFERED = ("tile.", "ground.", "map.zone.")


def _colours(value: Any, pointer: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, Mapping):
        for key, item in value.items():
            at = pointer + join_pointer(key)
            if key in INK_KEYS and isinstance(item, str):
                yield at, item
            elif not isinstance(item, str):
                yield from _colours(item, at)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _colours(item, f"{pointer}/{index}")


def _strings(
    value: Any, language: str | None, pointer: str = ""
) -> Iterator[tuple[str, str, bool]]:
    """(pointer, words, whether they are a key) of every string that a print in `language` (None: in
    any) may show."""
    if isinstance(value, str):
        yield pointer, value, False
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _strings(item, language, f"{pointer}/{index}")
    elif isinstance(value, dict):
        if _is_text(value) and language is not None:
            words = Text(tuple(value.items())).get(language)
            yield (
                pointer + join_pointer(next(key for key in value if value[key] == words)),
                words,
                False,
            )
            return
        for key, item in value.items():
            if key != "$comment":
                at = pointer + join_pointer(key)
                yield at, key, True
                yield from _strings(item, language, at)


def _is_text(value: Any) -> bool:
    """Whether a value is a text by language: {"en": "phase", "ja": "フェイズ"}."""
    if not value or not isinstance(value, dict):
        return False
    return all(_LANGUAGE.fullmatch(key) and isinstance(words, str) for key, words in value.items())
