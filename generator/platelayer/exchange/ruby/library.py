"""Modules and classes of Ruby files: their constants, methods, parents and included modules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct, field

from platelayer.exchange.ruby.syntax import Source, read_source, text_of

if TYPE_CHECKING:
    from tree_sitter import Node

_MOST_FILES = 300
_NOT_DATA = ("step", "round", "spec", "test")
BASE = "Engine::Game::Base"
CATALOGUE = "Engine::Config::Tile"
_CATALOGUE_FILE = "config/tile.rb"
_ELSEWHERE = ("Game::Meta", "Game::Base")
"""Parents that are the engine's own code: what they lack is known, or is no data."""


class Definition(Struct, frozen=True, kw_only=True):
    """Where a constant or method is defined."""

    source: Source
    node: Node
    module: str


class Module(Struct, kw_only=True):
    """A module or class by its full name, from all files that open it."""

    name: str
    constants: dict[str, Definition] = field(default_factory=dict)
    methods: dict[str, Definition] = field(default_factory=dict)
    included: list[str] = field(default_factory=list)
    parent: str | None = None


class Library(Struct, kw_only=True, dict=True):
    """The modules of one game folder, and of its neighbours as they are asked for. `files` are those that were read."""

    folder: Path
    modules: dict[str, Module] = field(default_factory=dict)
    files: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)

    @cached_property
    def _neighbours(self) -> dict[str, Path]:
        """Folders of games beside this one by the name of their module, in lower case without underscores."""
        around = self.folder.resolve().parent
        return {_plain(path.name): path for path in sorted(around.iterdir()) if path.is_dir()}

    def read_folder(self, folder: Path) -> None:
        """Read the data files of a game folder."""
        for path in sorted([*folder.glob("*.rb"), *folder.glob("*/*.rb")])[:_MOST_FILES]:
            within = path.relative_to(folder).parts
            if not set(within[:-1]) & set(_NOT_DATA):
                self._read(path, f"{folder.name}/{'/'.join(within)}")

    def _read(self, path: Path, file: str) -> None:
        source = read_source(path, file)
        self.files.append(file)
        self._open(source, source.root, "")

    def module(self, name: str) -> Module | None:
        """The module or class of a full name; the folder or file it is in is read if it has not been."""
        if name not in self.modules:
            self._fetch(name)
        return self.modules.get(name)

    def _fetch(self, name: str) -> None:
        parts = name.split("::")
        if name == BASE:
            base = self.folder.resolve().parent / "base.rb"
            if base.is_file() and "base.rb" not in self.files:
                self._read(base, "base.rb")
        elif name == CATALOGUE:
            tiles = self.folder.resolve().parent.parent / "config" / "tile.rb"
            if tiles.is_file() and _CATALOGUE_FILE not in self.files:
                self._read(tiles, _CATALOGUE_FILE)
        elif len(parts) > 2 and parts[:2] == ["Engine", "Game"]:
            found = self._neighbours.get(_plain(parts[2]))
            if found is not None and not any(file.startswith(f"{found.name}/") for file in self.files):
                self.read_folder(found)

    def resolve(self, name: str, within: str) -> str | None:
        """The full name of a module named in the text of another."""
        for outer in _outer(within):
            full = f"{outer}::{name}" if outer else name
            if full in self.modules or (outer in ("Engine::Game", "Engine", "") and self.module(full) is not None):
                return full
        return None

    def ancestors(self, name: str) -> Iterator[Module]:
        """A module and those its methods and constants come from, in the order in which Ruby looks them up."""
        seen: set[str] = set()

        def walk(each: str) -> Iterator[Module]:
            module = self.module(each)
            if module is None or each in seen:
                return
            seen.add(each)
            yield module
            for included in reversed(module.included):
                yield from walk_named(included, each)
            if module.parent is not None:
                yield from walk_named(module.parent, each)

        def walk_named(named: str, within: str) -> Iterator[Module]:
            full = self.resolve(named, within)
            if full is None:
                if named.startswith("G") and named not in (*_ELSEWHERE, *self.missing):
                    self.missing.append(named)
                return
            yield from walk(full)

        yield from walk(name)

    @staticmethod
    def assignments(modules: Iterable[Module], variable: str, methods: Sequence[str]) -> Definition | None:
        """What an instance variable is given first in methods of some modules, in the order of the methods."""
        known = list(modules)
        for method in methods:
            for module in known:
                found = module.methods.get(method)
                node = _assigned(found.node, variable) if found is not None else None
                if found is not None and node is not None:
                    return Definition(source=found.source, node=node, module=found.module)
        return None

    def siblings(self, name: str) -> Iterator[Module]:
        """Modules beside a class in its namespace: data that it may include by other ways."""
        around = name.rpartition("::")[0]
        yield from (each for full, each in self.modules.items() if full.rpartition("::")[0] == around)

    def _open(self, source: Source, node: Node, name: str) -> None:
        for child in node.named_children:
            if child.type in ("module", "class"):
                inner = "::".join(filter(None, (name, text_of(child.child_by_field_name("name")))))
                module = self.modules.setdefault(inner, Module(name=inner))
                parent = child.child_by_field_name("superclass")
                if parent is not None:
                    module.parent = text_of(parent.named_children[0])
                body = child.child_by_field_name("body")
                if body is not None:
                    self._open(source, body, inner)
            elif child.type == "singleton_class" and name:
                self._open(source, child.child_by_field_name("body") or child, name)
            elif name:
                self._note(source, child, self.modules[name])

    def _note(self, source: Source, node: Node, module: Module) -> None:
        if node.type == "assignment":
            left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
            if left is not None and right is not None and left.type == "constant":
                module.constants[text_of(left)] = Definition(source=source, node=right, module=module.name)
        elif node.type in ("method", "singleton_method"):
            name = text_of(node.child_by_field_name("name"))
            module.methods[name] = Definition(source=source, node=node, module=module.name)
        elif node.type == "call" and text_of(node.child_by_field_name("method")) in ("include", "include_meta"):
            arguments = node.child_by_field_name("arguments")
            module.included += [text_of(each) for each in (arguments.named_children if arguments else ())]


def _assigned(node: Node, variable: str) -> Node | None:
    """The first value that a variable is given in a text."""
    waiting = [node]
    while waiting:
        each = waiting.pop(0)
        left = each.child_by_field_name("left") if each.type in ("assignment", "operator_assignment") else None
        if left is not None and left.type == "instance_variable" and text_of(left) == variable:
            return each.child_by_field_name("right")
        waiting += each.named_children
    return None


def _outer(within: str) -> Iterator[str]:
    """The names around a module, the nearest first, "" last."""
    parts = within.split("::")
    for count in range(len(parts), -1, -1):
        yield "::".join(parts[:count])


def _plain(name: str) -> str:
    return name.replace("_", "").lower()
