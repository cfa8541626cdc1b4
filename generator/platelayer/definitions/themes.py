"""Themes (inks, strokes and type styles), and profiles, which are the limits of printing in one
place."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache, reduce
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from platelayer.definitions.decode import Json, decode
from platelayer.definitions.references import names_at
from platelayer.definitions.schemas import quick_check
from platelayer.definitions.source import Document, read_checked, read_document
from platelayer.definitions.titles import Loaded
from platelayer.foundation.door import NotRead, joined, real
from platelayer.foundation.geometry import MM_PER_INCH
from platelayer.foundation.languages import languages, terms, unsaid
from platelayer.foundation.problems import (
    Problem,
    Problems,
    ProblemsFound,
    join_pointer,
    severity_of,
    sort_problems,
)
from platelayer.foundation.resources import asset_path
from platelayer.foundation.text import (
    Text,
    character,
    is_hidden,
    is_leftward,
    is_mark,
    listed,
    named,
    suggestion,
)
from platelayer.model.market import MOVES
from platelayer.model.options import OPTIONS, Limits, PngLimits, PngSize, Profile
from platelayer.scene.fonts import face, face_names
from platelayer.scene.inks import MAX_TOTAL_INK, Ink, ink_from_hex, spot_name_fault
from platelayer.scene.legibility import MIN_PLAY_PT, MIN_TEXT_PT
from platelayer.scene.shapes import Stroke
from platelayer.scene.typeset import Pattern, Theme, TypeStyle, prepared

_WHOLE = "classic"
_PATTERN = {"rim_mm": 1.9, "spacing_mm": 1.6, "stroke_mm": 0.35}
_BLOCKS = ("inks", "strokes", "types", "patterns", "upright", "fallback")
# Paths at which a theme names inks and faces.
_INKS = ("strokes|patterns/*/ink", "livery/*/~")
_FACES = ("types/*/faces|japanese/*", "fallback|upright/~", "fallback/*/*", "upright/*")


def theme_ids() -> tuple[str, ...]:
    """Return the ids of the shipped themes, sorted."""
    return tuple(sorted(path.stem for path in asset_path("themes").glob("*.json")))


def load_theme(name_or_path: str | Path) -> Theme:
    """Return a shipped theme by its name ("classic"), or any theme by the path of its file, on top
    of those that it extends.

    Raises ProblemsFound: TH01 for an unknown name, TH02 - TH06 for their contents, FI, JS and SC
    codes.
    """
    documents = _read_chain(name_or_path)
    raw = _merged(documents)
    problems = [
        problem.located(document.place)
        for document in documents
        for problem in _theme_problems(document.value, raw)
    ]
    if problems:
        raise ProblemsFound(problems)
    inks = {name: _ink(name, ink) for name, ink in raw["inks"].items()}
    fallback, upright = raw.get("fallback", {}), raw.get("upright", {})
    types: dict[str, TypeStyle] = {}
    for name, style in raw["types"].items():
        first, japanese = style["faces"][0], style.get("japanese", ())
        least = MIN_TEXT_PT if style.get("fine") else MIN_PLAY_PT
        types[name] = decode(
            TypeStyle,
            {"min_pt": least, **style},
            faces=(*style["faces"], *fallback.get(first, ())),
            japanese=(*japanese, *fallback.get(japanese[0], ())) if japanese else (),
            upright=upright.get(first),
        )
    livery: dict[str, dict[str, float]] = {}
    for name, (role, share) in raw["livery"].items():
        livery.setdefault(role, {})[name] = share
    return Theme(
        id=raw["id"],
        inks=inks,
        strokes={
            name: decode(Stroke, stroke, ink=inks[stroke["ink"]])
            for name, stroke in raw["strokes"].items()
        },
        types=types,
        patterns={
            name: decode(Pattern, {**_PATTERN, **pattern}, ink=inks[pattern["ink"]])
            for name, pattern in raw.get("patterns", {}).items()
        },
        edge=raw.get("edge", "line"),
        company_tint=raw.get("company_tint", 0.0),
        hatch_mm=raw.get("hatch_mm", 0.0),
        relief=raw.get("relief", 1.0),
        outland=raw.get("outland", 0.0),
        livery=livery,
    )


def complete_theme(name_or_path: str | Path) -> Theme:
    """Return a theme with every ink, stroke and type style that drawings use, as the classic theme
    has them.

    Raises ProblemsFound: TH07 for whatever is missing, and what `load_theme` finds.
    """
    theme = load_theme(name_or_path)
    if str(name_or_path) == _WHOLE:
        return theme
    whole = load_theme(_WHOLE)
    lacks = [
        Problem(
            "TH07",
            f"theme {theme.id} lacks {len(names)} {block}: {listed(names, most=6)}",
            f'add "extends": "{_WHOLE}", and state only what differs',
            file=str(name_or_path),
        )
        for block in _BLOCKS[:3]
        if (names := sorted(getattr(whole, block).keys() - getattr(theme, block).keys()))
    ]
    if lacks:
        raise ProblemsFound(lacks)
    return theme


def _read_chain(name_or_path: str | Path) -> list[Document]:
    """Return the file of a theme and those that it extends, the last of which extends none."""
    documents: list[Document] = []
    seen: list[Path] = []
    words = str(name_or_path)
    path = Path(words) if _is_file(words) else _shipped(words)
    if path is None:
        raise ProblemsFound([_unknown(words)])
    while True:
        shown = None if path.parent == asset_path("themes") else str(path)
        document = read_checked(path, "theme", shown)
        documents.append(document)
        seen.append(real(path))
        base = document.value.get("extends")
        if base is None:
            missing = [block for block in _BLOCKS[:3] if block not in document.value]
            if missing:
                message = f'a theme without "extends" needs "{missing[0]}"'
                raise ProblemsFound([Problem("SC03", message).at(document.place(""))])
            return documents
        place = document.place("/extends")
        try:
            path = joined(path.parent, base) if _is_file(base) else _shipped(base)
        except NotRead as error:
            message = f'"{base}" leads out of the folder of this theme'
            hint = "extend a shipped theme, or a file in this folder"
            problem = Problem("TH01", message, hint)
            raise ProblemsFound([problem.at(place)]) from error
        if path is None:
            raise ProblemsFound([_unknown(base).at(place)])
        if real(path) in seen:
            message = f'"{base}" extends this theme in turn'
            raise ProblemsFound([Problem("TH06", message).at(place)])


def _is_file(words: str) -> bool:
    """Return True if a theme is named by its path."""
    return words.endswith(".json") or "/" in words


def _shipped(name: str) -> Path | None:
    return asset_path("themes", f"{name}.json") if name in theme_ids() else None


def _unknown(words: str) -> Problem:
    message = f'there is no theme "{words}"; known themes: {listed(theme_ids())}'
    hint = suggestion(words, theme_ids()) or "name a theme, or the path of a .json file"
    return Problem("TH01", message, hint)


def _merged(documents: list[Document]) -> Json:
    """Return the entries of several themes merged block by block, earlier themes taking
    precedence."""
    merged: dict[str, Any] = {}
    worn: dict[str, tuple[str, float]] = {}
    # Begin with the theme at the bottom: each overrides those that it extends.
    for document in reversed(documents):
        for key, value in document.value.items():
            merged[key] = {**merged.get(key, {}), **value} if key in _BLOCKS else value
        # An ink that a theme defines itself no longer follows a livery role of the theme below.
        worn = {
            name: colour
            for name, colour in worn.items()
            if name not in document.value.get("inks", {})
        }
        for role, shares in document.value.get("livery", {}).items():
            worn |= {name: (role, share) for name, share in shares.items()}
    merged["livery"] = worn
    return merged


def _theme_problems(theme: Json, whole: Json) -> Problems:
    """Yield problems of one file, whose names may refer to anything in the `whole` theme."""
    for name, ink in theme.get("inks", {}).items():
        total = sum(ink.get("cmyk", ()))
        if total > MAX_TOTAL_INK * 100:
            message = f"{total} % of ink is too much; at most {MAX_TOTAL_INK:.0%} will dry"
            yield Problem("TH04", message, pointer=join_pointer("inks", name, "cmyk"))
    yield from _spot_problems(theme)
    faces = f"; known faces: {listed(face_names(), most=40)}"
    for code, noun, known, where, paths in (
        ("TH02", "ink", whole["inks"], " in this theme", _INKS),
        ("TH03", "face", face_names(), faces, _FACES),
    ):
        for path in paths:
            for keys, name, at_key in names_at(theme, path):
                if name not in known:
                    message = f'there is no {noun} "{name}"{where}'
                    hint, pointer = suggestion(name, known), join_pointer(*keys)
                    yield Problem(code, message, hint, pointer=pointer, at_key=at_key)


def _spot_problems(theme: Json) -> Problems:
    """Yield names that no separation can have, and separations with two looks."""
    spots: dict[str, tuple[str, Ink]] = {}
    for name, raw in theme.get("inks", {}).items():
        spot = raw.get("spot")
        if spot is None:
            continue
        pointer = join_pointer("inks", name, "spot")
        if fault := spot_name_fault(spot):
            message = f'"{spot}" cannot be a spot colour: {fault}'
            yield Problem("TH05", message, pointer=pointer)
            continue
        ink = _ink(name, raw)
        first, known = spots.setdefault(spot, (name, ink))
        if (known.rgb, known.cmyk) != (ink.rgb, ink.cmyk):
            message = f'the spot colour "{spot}" looks different here than in ink "{first}"'
            hint = "give both the same rgb and cmyk, or different names"
            yield Problem("TH05", message, hint, pointer=pointer)


def _ink(name: str, raw: Json) -> Ink:
    ink = replace(ink_from_hex(raw["rgb"], name), spot=raw.get("spot"))
    if "cmyk" not in raw:
        return ink
    cyan, magenta, yellow, black = (percent / 100 for percent in raw["cmyk"])
    return replace(ink, cmyk=(cyan, magenta, yellow, black), by_profile=False)


# Texts and colours of a title that a theme cannot print.


_LANGUAGE = re.compile(r"[a-z]{2}(-[A-Za-z0-9]{2,8})?")

_MOVEMENT = ("market", "movement")
# Maximum number of characters that a message names.
_MOST_NAMED = 8


def drawable(theme: Theme) -> frozenset[str]:
    """Return the characters that every type style of the theme can draw, as any text may be set in
    any of them."""
    styles = theme.types.values()
    # A style may have a different first face for Japanese.
    return _drawn_by(
        frozenset(each.faces for style in styles for each in (style, style.beside("日")))
    )


@lru_cache(8)
def _drawn_by(faces: frozenset[tuple[str, ...]]) -> frozenset[str]:
    covered = [frozenset().union(*(face(name).glyphs for name in names)) for names in faces]
    return reduce(frozenset.intersection, covered) if covered else frozenset()


def unprintable(
    loaded: Loaded,
    theme: Theme,
    language: str | None = "en",
    *,
    sound: Mapping[str, Any] | None = None,
) -> tuple[Problem, ...]:
    """Return GL01 for each text (and each key, since ids are printed) of the definition with a
    character that some type style of the theme cannot draw, and RF22 for each colour that is not
    an ink of the theme.

    Of texts in several languages, only the one that `language` prints is checked (None: all). A
    variant shares most of its definition with its title: given one without findings as `sound`,
    identical objects are not checked again.
    """
    title = loaded.assembled.value
    problems = [problem.located(loaded.place) for problem in unknown_inks(title, theme, sound)]
    for pointer, is_key, missing in missing_glyphs(title, theme, language, sound):
        problems.append(lacking(theme, missing).at(loaded.place(pointer, key=is_key)))
    return sort_problems(problems)


# Hints for characters that fonts lack, by class of character.
_HINTS: tuple[tuple[Callable[[str], bool], str], ...] = (
    (
        is_mark,
        "an accent is printed only where Unicode has one character for the letter with it, as é: use another letter",
    ),
    (is_leftward, "scripts written from right to left cannot be printed: use another one"),
    (is_hidden, "delete what nobody sees"),
)


def lacking(theme: Theme, missing: Sequence[str]) -> Problem:
    """Return GL01 for characters of one text that the fonts of a theme lack."""
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
    return Problem("GL01", "; ".join(messages), "; ".join(hints), severity=severity_of("GL01"))


def in_english(language: str) -> Problem:
    """Return the note GL02 that some or all fixed words are in English in a print in another
    language."""
    if language in languages():
        lacks = unsaid(language)
        message = f'{len(lacks)} of {len(terms())} fixed words are English, for "{language}" lacks {listed(lacks, most=3)}'
    else:
        message = f'Platelayer has no words of its own in "{language}": they are English, the title\'s own texts are not'
    hint = 'give the title words for them in "terms"'
    return Problem("GL02", message, hint, severity=severity_of("GL02"))


def missing_glyphs(
    definition: Mapping[str, Any],
    theme: Theme,
    language: str | None,
    sound: Mapping[str, Any] | None = None,
) -> Iterator[tuple[str, bool, list[str]]]:
    """Yield (pointer, whether the key at it is meant, characters) for each text with characters
    that some type style cannot draw, except for what `sound` also holds."""
    # Try without the fallback faces first: they are large, and most prints need none of them.
    known = _drawn_by(frozenset(style.faces[:1] for style in theme.types.values()))
    complete = False
    title = {key: entry for key, entry in _unlike(definition, sound) if key != "$schema"}
    # A patch is checked as part of the title that results from it.
    if "variants" in title:
        title["variants"] = {
            key: {part: words for part, words in block.items() if part != "patch"}
            for key, block in title["variants"].items()
        }
    # Terms only in other languages are not printed, and reading the faces for them takes 20 ms.
    if language is not None and "terms" in title:
        spoken = {language, "en"}
        title["terms"] = {
            name: words
            for name, words in title["terms"].items()
            if not (_is_text(words) and spoken.isdisjoint(words))
        }
    plain = known.issuperset(map(chr, range(0x20, 0x7F)))
    for keys, words, is_key in _strings(title, language, sound):
        if plain and words.isascii() and words.isprintable():
            continue
        needed = _printed_for(words)
        if keys[:2] == _MOVEMENT:
            needed = needed - MOVES
        if not complete and not known.issuperset(needed):
            known, complete = drawable(theme), True
        if not known.issuperset(needed):
            yield join_pointer(*keys), is_key, sorted(needed - known)


@lru_cache(1 << 13)
def _printed_for(words: str) -> frozenset[str]:
    """Return the characters with which a text may be printed, and its invisible ones. Cached,
    because the variants of a title share most of their texts."""
    hidden = () if words.isprintable() else filter(is_hidden, words)
    return frozenset((*prepared(words), *prepared(words, capitals=True), *hidden))


def unknown_inks(
    definition: Mapping[str, Any], theme: Theme, sound: Mapping[str, Any] | None = None
) -> Problems:
    """Yield RF22 for each colour of the definition that is neither #rrggbb nor an ink of the theme,
    except for what `sound` also holds."""
    title = {key: definition.get(key) for key in ("maps", "market", "tiles", "trains")}
    parts: list[tuple[str, Any, Any]] = [("", title, sound)]
    # On a map tile, `ground` is not a colour, but its hexes that have a tile have colours.
    for key, tile in (definition.get("atlas") or {}).get("map_tiles", {}).items():
        for index, entry in enumerate(tile["hexes"]):
            if isinstance(entry, Mapping):
                at = join_pointer("atlas", "map_tiles", key, "hexes", index, "tile")
                parts.append((at, entry["tile"], None))
    for at, part, alike in parts:
        for pointer, name in _colours(part, at, alike):
            if name.startswith("#") or name in theme.inks or f"tile.{name}" in theme.inks:
                continue
            known = [ink for ink in theme.inks if ink.startswith(_OFFERED)]
            message = (
                f'there is no ink "{name}" in theme {theme.id}; known: {listed(known, most=40)}'
            )
            hint = suggestion(name, [*(ink.removeprefix("tile.") for ink in known), *known])
            hint = hint or 'give it as #rrggbb, for example "#800080"'
            yield Problem("RF22", message, hint, pointer=pointer)


# Keys whose values are colours; a test compares them with the schemas.
INK_KEYS = frozenset(("colour", "figures", "frame", "ground", "second_frame", "tint"))
_OFFERED = ("tile.", "ground.", "map.zone.")


def _colours(value: Any, pointer: str, sound: Any = None) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        for key, item in _unlike(value, sound):
            at = pointer + join_pointer(key)
            if not isinstance(item, str):
                yield from _colours(item, at, _within(sound, key))
            elif key in INK_KEYS:
                yield at, item
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _colours(item, f"{pointer}/{index}")


def _strings(
    value: Any, language: str | None, sound: Any = None, at: tuple[str | int, ...] = ()
) -> Iterator[tuple[tuple[str | int, ...], str, bool]]:
    """Yield (keys that lead to it, words, whether the last of these keys is meant) for every string
    that a print in `language` (None: in any) may show, without objects that `sound` also holds."""
    if isinstance(value, str):
        yield at, value, False
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _strings(item, language, at=(*at, index))
    elif isinstance(value, dict):
        if language is not None and _is_text(value):
            words = Text(tuple(value.items())).get(language)
            spoken = next(key for key in value if value[key] == words)
            yield (*at, spoken), words, False
            return
        for key, item in _unlike(value, sound):
            if key != "$comment":
                here = (*at, key)
                yield here, key, True
                yield from _strings(item, language, _within(sound, key), here)


def _unlike(value: Mapping[str, Any], other: Any) -> Iterator[tuple[str, Any]]:
    """Yield the entries of an object that another does not hold as the same object."""
    for key, item in value.items():
        if not (isinstance(other, dict) and key in other and other[key] is item):
            yield key, item


def _within(value: Any, key: str) -> Any:
    return value.get(key) if isinstance(value, dict) else None


def _is_text(value: Any) -> bool:
    """Return True for a text by language: {"en": "phase", "ja": "フェイズ"}."""
    if not value or not isinstance(value, dict):
        return False
    return all(_LANGUAGE.fullmatch(key) and isinstance(words, str) for key, words in value.items())


def profile_ids() -> tuple[str, ...]:
    """Return the ids of the shipped profiles, sorted."""
    return tuple(sorted(path.stem for path in asset_path("profiles").glob("*.json")))


def load_profile(name_or_path: str | Path) -> Profile:
    """Return a shipped profile by its name ("home"), or any profile by the path of its file.

    Raises ProblemsFound: PR01 for an unknown name, FI, JS and SC codes for its contents.
    """
    words = str(name_or_path)
    shipped = profile_ids()
    if words in shipped:
        path = asset_path("profiles", f"{words}.json")
    elif words.endswith(".json") or "/" in words:
        path = Path(name_or_path)
    else:
        message = f'there is no profile "{words}"; known profiles: {listed(shipped)}'
        hint = suggestion(words, shipped) or "name a profile, or the path of a .json file"
        raise ProblemsFound([Problem("PR01", message, hint)])
    raw = read_checked(path, "profile", None if words in shipped else words).value
    limits = _limits(raw["limits"])
    options = {
        name: decode(OPTIONS[name].described, value)
        for name, value in raw.get("options", {}).items()
        if name != "$comment"
    }
    return decode(Profile, raw, limits=limits, options=options)


def _limits(raw: Json) -> Limits:
    sizes = tuple((float(width), float(height)) for width, height in raw.get("page_sizes_mm", ()))
    png = None
    if "png" in raw:
        given = raw["png"]
        pictures = tuple(
            _png_size(size_id, size, given["dpi"], given["bleed_mm"])
            for size_id, size in given["sizes"].items()
        )
        png = decode(PngLimits, given, sizes=pictures)
    return decode(Limits, raw, page_sizes_mm=sizes, png=png)


def _png_size(size_id: str, raw: Json, dpi: int, bleed_mm: float) -> PngSize:
    width_px, height_px = raw["pixels"]
    width_mm, height_mm = raw.get("trim_mm") or (
        round(pixels * MM_PER_INCH / dpi - 2 * bleed_mm, 3) for pixels in (width_px, height_px)
    )
    trim = (float(width_mm), float(height_mm))
    return decode(PngSize, raw, id=size_id, width_px=width_px, height_px=height_px, trim_mm=trim)


# Records of the files in a folder: the manifest.json of a print, and plain lists of files.


PRINT_FORMAT, FILES_FORMAT = "platelayer.build/1", "platelayer.files/1"
# Maximum size of a record that is read: ten times that of a whole box as pictures.
MAX_BYTES = 4 * 1024 * 1024


def read_print(path: Path) -> dict[str, Any]:
    """Read the manifest.json of a print. Raises ProblemsFound with every problem: FI, JS and SC
    codes."""
    value: dict[str, Any] = read_checked(path, "manifest", max_bytes=MAX_BYTES).value
    return value


def files_record(digests: Mapping[str, str]) -> bytes:
    """Return a plain list of files with their SHA-256, which is omitted if it is ""."""
    files = [
        {"file": name, **({"sha256": digest} if digest else {})} for name, digest in digests.items()
    ]
    return (
        json.dumps({"format": FILES_FORMAT, "files": files}, ensure_ascii=False, indent=1) + "\n"
    ).encode()


def recorded_files(path: Path) -> dict[str, str]:
    """Return the files that a record lists, with their SHA-256 ("" if there is none). Empty if
    there is no record, or one that Platelayer did not write."""
    if path.is_symlink():
        return {}
    try:
        document = read_document(path, max_bytes=MAX_BYTES)
    except ProblemsFound:
        return {}
    value = document.value
    if (
        document.doubts
        or not isinstance(value, dict)
        or value.get("format") not in (PRINT_FORMAT, FILES_FORMAT)
    ):
        return {}
    listed = [value.get("files"), value.get("reports", [])]
    if not all(map(quick_check("manifest", "/$defs/files"), listed)):
        return {}
    return {file["file"]: file.get("sha256", "") for files in listed for file in files}
