"""Themes: inks, strokes and type styles."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from platelayer.definitions.decode import decode
from platelayer.definitions.source import Document, read_checked
from platelayer.foundation.door import NotRead, joined, real
from platelayer.foundation.pointers import join_pointer
from platelayer.foundation.problems import Problem, ProblemsFound
from platelayer.foundation.resources import asset_path
from platelayer.foundation.suggestions import listed, suggestion
from platelayer.scene.fonts import face_names
from platelayer.scene.inks import MAX_TOTAL_INK, Ink, ink_from_hex, spot_name_fault
from platelayer.scene.legibility import MIN_PLAY_PT, MIN_TEXT_PT
from platelayer.scene.shapes import Stroke
from platelayer.scene.theme import Pattern, Theme
from platelayer.scene.typeset import TypeStyle

Json = Mapping[str, Any]

_WHOLE = "classic"
_PATTERN = {"rim_mm": 1.9, "spacing_mm": 1.6, "stroke_mm": 0.35}
_BLOCKS = ("inks", "strokes", "types", "patterns", "upright", "fallback")


def theme_ids() -> tuple[str, ...]:
    """Ids of the themes that come with Platelayer, sorted."""
    return tuple(sorted(path.stem for path in asset_path("themes").glob("*.json")))


def load_theme(name_or_path: str | Path) -> Theme:
    """A shipped theme by its name ("classic"), or any theme by the path of its file, on top of
    those that it extends.

    Raises ProblemsFound: TH01 for an unknown name, TH02 - TH06 for their contents, FI, JS and SC
    codes.
    """
    documents = _read_chain(name_or_path)
    raw = _merged(documents)
    problems = [problem for document in documents for problem in _theme_problems(document, raw)]
    if problems:
        raise ProblemsFound(problems)
    return _build(raw)


def complete_theme(name_or_path: str | Path) -> Theme:
    """A theme with every ink, stroke and type style that drawings use, as in the classic theme.

    Raises ProblemsFound: TH07 for whatever is missing, and what `load_theme` finds.
    """
    theme = load_theme(name_or_path)
    if str(name_or_path) == _WHOLE:
        return theme
    whole = load_theme(_WHOLE)
    lacks = [
        Problem(
            code="TH07",
            message=f"theme {theme.id} lacks {len(names)} {block}: {listed(names, most=6)}",
            file=str(name_or_path),
            hint=f'add "extends": "{_WHOLE}", and state only what differs',
        )
        for block in _BLOCKS[:3]
        if (names := sorted(getattr(whole, block).keys() - getattr(theme, block).keys()))
    ]
    if lacks:
        raise ProblemsFound(lacks)
    return theme


def _read_chain(name_or_path: str | Path) -> list[Document]:
    """The file of a theme and those that it extends, the last of which extends none."""
    documents: list[Document] = []
    seen: list[Path] = []
    words = str(name_or_path)
    path = Path(words) if _is_file(words) else _shipped(words)
    if path is None:
        raise ProblemsFound([_unknown(words)])
    while True:
        document = read_checked(
            path, "theme", None if path.parent == asset_path("themes") else str(path)
        )
        documents.append(document)
        seen.append(real(path))
        base = document.value.get("extends")
        if base is None:
            missing = [block for block in _BLOCKS[:3] if block not in document.value]
            if missing:
                message = f'a theme without "extends" needs "{missing[0]}"'
                raise ProblemsFound([Problem(code="SC03", message=message).at(document.place(""))])
            return documents
        place = document.place(join_pointer("extends"))
        try:
            path = joined(path.parent, base) if _is_file(base) else _shipped(base)
        except NotRead as error:
            message = f'"{base}" leads out of the folder of this theme'
            hint = "extend a shipped theme, or a file in this folder"
            raise ProblemsFound(
                [Problem(code="TH01", message=message, hint=hint).at(place)]
            ) from error
        if path is None:
            problem = _unknown(base)
            raise ProblemsFound(
                [Problem(code="TH01", message=problem.message, hint=problem.hint).at(place)]
            )
        if real(path) in seen:
            raise ProblemsFound(
                [Problem(code="TH06", message=f'"{base}" extends this theme in turn').at(place)]
            )


def _is_file(words: str) -> bool:
    """True if a theme is named by its path."""
    return words.endswith(".json") or "/" in words


def _shipped(name: str) -> Path | None:
    return asset_path("themes", f"{name}.json") if name in theme_ids() else None


def _unknown(words: str) -> Problem:
    message = f'there is no theme "{words}"; known themes: {listed(theme_ids())}'
    hint = suggestion(words, theme_ids()) or "name a theme, or the path of a .json file"
    return Problem(code="TH01", message=message, hint=hint)


def _merged(documents: list[Document]) -> Json:
    """The entries of the first of several themes and, where it has none, of the next: entry by
    entry in each block."""
    merged: dict[str, Any] = {}
    worn: dict[str, tuple[str, float]] = {}
    for document in reversed(documents):
        for key, value in document.value.items():
            merged[key] = {**merged.get(key, {}), **value} if key in _BLOCKS else value
        # An ink that a theme states itself is its own, and takes on nothing that the theme below
        # says.
        worn = {
            name: colour
            for name, colour in worn.items()
            if name not in document.value.get("inks", {})
        }
        for role, shares in document.value.get("livery", {}).items():
            worn |= {name: (role, share) for name, share in shares.items()}
    merged["livery"] = worn
    return merged


def _theme_problems(document: Document, whole: Json) -> Iterator[Problem]:
    """Problems of one file, whose names may refer to anything in the `whole` theme."""
    theme: Json = document.value
    for name, ink in theme.get("inks", {}).items():
        if sum(ink.get("cmyk", ())) > MAX_TOTAL_INK * 100:
            place = document.place(join_pointer("inks", name, "cmyk"))
            message = (
                f"{sum(ink['cmyk'])} % of ink is too much; at most {MAX_TOTAL_INK:.0%} will dry"
            )
            yield Problem(code="TH04", message=message).at(place)
    yield from _spot_problems(document)
    for block in ("strokes", "patterns"):
        for name, inked in theme.get(block, {}).items():
            if inked["ink"] not in whole["inks"]:
                place = document.place(join_pointer(block, name, "ink"))
                message = f'there is no ink "{inked["ink"]}" in this theme'
                yield Problem(
                    code="TH02", message=message, hint=suggestion(inked["ink"], whole["inks"])
                ).at(place)
    for role, shares in theme.get("livery", {}).items():
        for name in shares.keys() - whole["inks"].keys():
            place = document.place(join_pointer("livery", role, name), key=True)
            message = f'there is no ink "{name}" in this theme'
            yield Problem(code="TH02", message=message, hint=suggestion(name, whole["inks"])).at(
                place
            )
    for name, style in theme.get("types", {}).items():
        for index, face in enumerate(style["faces"]):
            yield from _face_problems(face, document, join_pointer("types", name, "faces", index))
    for name, faces in theme.get("fallback", {}).items():
        yield from _face_problems(name, document, join_pointer("fallback", name), key=True)
        for index, face in enumerate(faces):
            yield from _face_problems(face, document, join_pointer("fallback", name, index))
    for name, face in theme.get("upright", {}).items():
        yield from _face_problems(name, document, join_pointer("upright", name), key=True)
        yield from _face_problems(face, document, join_pointer("upright", name))


def _face_problems(
    name: str, document: Document, pointer: str, *, key: bool = False
) -> Iterator[Problem]:
    if name not in face_names():
        message = f'there is no face "{name}"; known faces: {listed(face_names(), most=40)}'
        yield Problem(code="TH03", message=message, hint=suggestion(name, face_names())).at(
            document.place(pointer, key=key)
        )


def _spot_problems(document: Document) -> Iterator[Problem]:
    """Names that no separation can have, and two looks for one."""
    spots: dict[str, tuple[str, Ink]] = {}
    for name, raw in document.value.get("inks", {}).items():
        if (spot := raw.get("spot")) is None:
            continue
        place = document.place(join_pointer("inks", name, "spot"))
        if fault := spot_name_fault(spot):
            yield Problem(code="TH05", message=f'"{spot}" cannot be a spot colour: {fault}').at(
                place
            )
            continue
        ink = _ink(name, raw)
        first, known = spots.setdefault(spot, (name, ink))
        if (known.rgb, known.cmyk) != (ink.rgb, ink.cmyk):
            message = f'the spot colour "{spot}" looks different here than in ink "{first}"'
            yield Problem(
                code="TH05",
                message=message,
                hint="give both the same rgb and cmyk, or different names",
            ).at(place)


def _build(raw: Json) -> Theme:
    inks = {name: _ink(name, ink) for name, ink in raw["inks"].items()}
    return Theme(
        id=raw["id"],
        inks=inks,
        strokes={
            name: decode(Stroke, stroke, ink=inks[stroke["ink"]])
            for name, stroke in raw["strokes"].items()
        },
        types={
            name: decode(
                TypeStyle,
                {"min_pt": MIN_TEXT_PT if style.get("fine") else MIN_PLAY_PT, **style},
                faces=(*style["faces"], *raw.get("fallback", {}).get(style["faces"][0], ())),
                upright=raw.get("upright", {}).get(style["faces"][0]),
            )
            for name, style in raw["types"].items()
        },
        patterns={
            name: decode(Pattern, {**_PATTERN, **pattern}, ink=inks[pattern["ink"]])
            for name, pattern in raw.get("patterns", {}).items()
        },
        edge=raw.get("edge", "soft"),
        company_tint=raw.get("company_tint", 0.0),
        relief=raw.get("relief", 1.0),
        livery=_by_role(raw["livery"]),
    )


def _by_role(worn: Mapping[str, tuple[str, float]]) -> dict[str, dict[str, float]]:
    shares: dict[str, dict[str, float]] = {}
    for name, (role, share) in worn.items():
        shares.setdefault(role, {})[name] = share
    return shares


def _ink(name: str, raw: Json) -> Ink:
    ink = replace(ink_from_hex(raw["rgb"], name), spot=raw.get("spot"))
    cmyk = raw.get("cmyk")
    if cmyk is None:
        return ink
    return replace(
        ink, cmyk=(cmyk[0] / 100, cmyk[1] / 100, cmyk[2] / 100, cmyk[3] / 100), by_profile=False
    )
