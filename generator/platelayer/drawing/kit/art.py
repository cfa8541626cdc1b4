"""Artwork that is data (assets/art)."""

from __future__ import annotations

from functools import cache
from typing import TypeVar

import msgspec

from platelayer.foundation.problems import CannotRun
from platelayer.foundation.resources import asset_path, shipped_bytes
from platelayer.scene.shapes import Command

Form = TypeVar("Form", bound=msgspec.Struct)


def read_art(name: str, form: type[Form]) -> Form:
    """assets/art/<name>.json as a struct; keys and types are checked. Raises CannotRun for a file
    that was damaged."""
    art: Form = _read(name, form)
    return art


@cache
def _read(name: str, form: type[Form]) -> Form:
    path = asset_path("art", f"{name}.json")
    try:
        return msgspec.json.decode(shipped_bytes(path), type=form)
    except (OSError, msgspec.MsgspecError) as error:
        raise CannotRun(
            f"the artwork {path} cannot be read: {error}; reinstall Platelayer"
        ) from error


def path_commands(words: str) -> tuple[Command, ...]:
    """A path written as in SVG, with M, L, C and Z alone, absolute, one blank between all: "M 0 0 L
    4 2.5 Z"."""
    commands: list[list[str | float]] = []
    for word in words.split(" "):
        if word.isalpha():
            commands.append([word])
        else:
            commands[-1].append(float(word))
    return tuple(map(tuple, commands))
