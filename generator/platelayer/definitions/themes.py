"""A theme's name or path in, its inks, strokes and type styles out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from platelayer.definitions.schemas import listed, suggestion
from platelayer.definitions.source import Document, join_pointer, located_problem, read_checked
from platelayer.foundation.problems import Problem, ProblemsFound
from platelayer.foundation.resources import asset_path
from platelayer.scene.fonts import face_names
from platelayer.scene.inks import MAX_TOTAL_INK, Ink, cmyk_from_rgb, ink_from_hex, spot_name_fault
from platelayer.scene.shapes import Stroke
from platelayer.scene.theme import Theme
from platelayer.scene.typeset import TypeStyle

Json = Mapping[str, Any]


def theme_ids() -> tuple[str, ...]:
    """Ids of the themes that come with Platelayer, sorted."""
    return tuple(sorted(path.stem for path in asset_path("themes").glob("*.json")))


def load_theme(name_or_path: str | Path) -> Theme:
    """A shipped theme by its name ("classic"), or any theme by the path of its file.

    Raises ProblemsFound: TH01 for an unknown name, TH02 - TH04 for what the file says, FI, JS and SC codes.
    """
    words = str(name_or_path)
    if words in theme_ids():
        path = asset_path("themes", f"{words}.json")
    elif words.endswith(".json") or "/" in words:
        path = Path(name_or_path)
    else:
        message = f'there is no theme "{words}"; known themes: {listed(theme_ids())}'
        hint = suggestion(words, theme_ids()) or "name a theme, or the path of a .json file"
        raise ProblemsFound([Problem(code="TH01", message=message, hint=hint)])
    document = read_checked(path, "theme", None if words in theme_ids() else words)
    problems = tuple(_theme_problems(document))
    if problems:
        raise ProblemsFound(problems)
    return _build(document.value)


def _theme_problems(document: Document) -> Iterator[Problem]:
    theme: Json = document.value
    for name, ink in theme["inks"].items():
        if sum(ink.get("cmyk", ())) > MAX_TOTAL_INK * 100:
            place = document.place(join_pointer("inks", name, "cmyk"))
            message = f"{sum(ink['cmyk'])} % of ink is too much; at most {MAX_TOTAL_INK:.0%} dries"
            yield located_problem("TH04", message, place)
    yield from _spot_problems(document)
    for name, stroke in theme["strokes"].items():
        if stroke["ink"] not in theme["inks"]:
            place = document.place(join_pointer("strokes", name, "ink"))
            message = f'there is no ink "{stroke["ink"]}" in this theme'
            yield located_problem("TH02", message, place, hint=suggestion(stroke["ink"], theme["inks"]))
    for name, style in theme["types"].items():
        for index, each in enumerate(style["faces"]):
            if each not in face_names():
                place = document.place(join_pointer("types", name, "faces", index))
                message = f'there is no face "{each}"; known faces: {listed(face_names(), most=40)}'
                yield located_problem("TH03", message, place, hint=suggestion(each, face_names()))


def _spot_problems(document: Document) -> Iterator[Problem]:
    """Names that no separation can have, and two looks for one."""
    spots: dict[str, tuple[str, Ink]] = {}
    for name, raw in document.value["inks"].items():
        if (spot := raw.get("spot")) is None:
            continue
        place = document.place(join_pointer("inks", name, "spot"))
        if fault := spot_name_fault(spot):
            yield located_problem("TH05", f'"{spot}" cannot be a spot colour: {fault}', place)
            continue
        ink = _ink(name, raw)
        first, known = spots.setdefault(spot, (name, ink))
        if (known.rgb, known.cmyk) != (ink.rgb, ink.cmyk):
            message = f'the spot colour "{spot}" has another look here than in ink "{first}"'
            yield located_problem("TH05", message, place, hint="give both the same rgb and cmyk, or two names")


def _build(raw: Json) -> Theme:
    inks = {name: _ink(name, each) for name, each in raw["inks"].items()}
    return Theme(
        id=raw["id"],
        inks=inks,
        strokes={
            name: Stroke(
                ink=inks[each["ink"]],
                width_mm=each["width_mm"],
                dash=tuple(each.get("dash", ())),
                cap=each.get("cap", "butt"),
                join=each.get("join", "miter"),
            )
            for name, each in raw["strokes"].items()
        },
        types={
            name: TypeStyle(
                faces=tuple(each["faces"]),
                size_pt=each["size_pt"],
                tracking=each.get("tracking", 0.0),
                capitals=each.get("capitals", False),
                min_pt=each.get("min_pt", 5.0),
            )
            for name, each in raw["types"].items()
        },
    )


def _ink(name: str, raw: Json) -> Ink:
    rgb = ink_from_hex(raw["rgb"]).rgb
    cmyk = raw.get("cmyk")
    recipe = cmyk_from_rgb(rgb) if cmyk is None else (cmyk[0] / 100, cmyk[1] / 100, cmyk[2] / 100, cmyk[3] / 100)
    return Ink(name, rgb, recipe, raw.get("spot"))
