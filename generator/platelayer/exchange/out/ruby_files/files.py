"""The Ruby files of a title: what is in which, and the README beside them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from platelayer.exchange.out.ruby_files.constants import boards, entities, game, meta
from platelayer.exchange.out.ruby_files.literals import Literal, written
from platelayer.exchange.out.ruby_files.methods import methods
from platelayer.exchange.out.ruby_files.names import folder_name, module_name, names_of
from platelayer.exchange.out.ruby_files.readme import readme
from platelayer.model.title import Title

README = "README.md"
GAMES, LOGOS = "lib/engine/game", "public/logos"
"""Where the folder of a game and its logos lie in a checkout of 18xx.games."""
Constants = dict[str, Literal]


def game_files(title: Title, language: str) -> dict[str, bytes]:
    """Files by name, in the folder of the game: meta.rb, map.rb, entities.rb and game.rb, and the
    README."""
    names = names_of(title, language)
    module, folder = module_name(title.id), folder_name(title.id)
    parts = {
        "meta": _file(
            module, "module Meta", meta(names), before=["include Game::Meta"], needs=["../meta"]
        ),
        "map": _file(module, "module Map", boards(names)),
        "entities": _file(module, "module Entities", entities(names)),
        "game": _file(
            module,
            "class Game < Game::Base",
            game(names),
            before=[f"include_meta({module}::Meta)", "include Entities", "include Map"],
            needs=["entities", "map", "meta", "../base"],
            after=methods(title),
        ),
    }
    files = {f"{GAMES}/{folder}/{name}.rb": text.encode() for name, text in parts.items()}
    return files | {README: readme(names).encode()}


def _file(
    module: str,
    holder: str,
    constants: Constants,
    *,
    before: Sequence[str] = (),
    needs: Sequence[str] = (),
    after: Iterable[str] = (),
) -> str:
    """One Ruby file: its constants, and methods `after` them, in a module or class of the game's
    module."""
    lines = ["# frozen_string_literal: true", ""]
    if needs:
        lines += [*(f"require_relative '{need}'" for need in needs), ""]
    depth = ["module Engine", "module Game", f"module {module}", holder]
    lines += [f"{'  ' * level}{opening}" for level, opening in enumerate(depth)]
    body = ["\n".join(before)] if before else []
    body += [_constant(name, value) for name, value in constants.items()]
    for number, constant in enumerate(body):
        lines += [""] if number else []
        lines += [
            f"        {line}" if number == 0 and before else line for line in constant.split("\n")
        ]
    for method in after:
        lines += ["", *(f"        {line}".rstrip() for line in method.split("\n"))]
    lines += [f"{'  ' * level}end" for level in reversed(range(len(depth)))]
    return "\n".join(lines) + "\n"


def _constant(name: str, value: Literal) -> str:
    head = f"        {name} = "
    whole = written(value, 8, room=len(name) + 10)
    fixed = ".freeze" if isinstance(value, (dict, list, tuple)) else ""
    return f"{head}{whole}{fixed}"
