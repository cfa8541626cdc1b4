"""Modules and classes of Ruby files: their constants, methods, parents and included modules."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct, field

from platelayer.exchange.ruby.game import Source, line_of, pay, read_source, text_of, writable
from platelayer.foundation.door import is_there, real
from platelayer.foundation.problems import CannotRun
from platelayer.foundation.properties import cached_property

if TYPE_CHECKING:
    from tree_sitter import Node

_MOST_FILES = 300
_MOST_MODULES = 1000
_MOST_ENTRIES = 2000
_MOST_DEEP = 12
_MOST_NAME = 200
_MOST = f"at most {_MOST_DEEP} levels, {_MOST_MODULES} modules and names of {_MOST_NAME} characters are read"
_NOT_DATA = ("step", "round", "spec", "test")
BASE = "Engine::Game::Base"
CATALOGUE = "Engine::Config::Tile"
_CATALOGUE_FILE = "config/tile.rb"
_CHANGING = ("update", "merge!", "concat", "push", "append", "delete", "store")
"""Methods by which the body of a module changes a constant after it has been given its value."""
_ELSEWHERE = ("Game::Meta", "Game::Base")
"""Parents that are the engine's own code: what they lack is known, or is no data."""


class Definition(Struct, frozen=True, kw_only=True, dict=True, eq=False):
    """Where a constant or method is defined."""

    source: Source
    node: Node
    module: str

    @cached_property
    def assigned(self) -> dict[str, Node]:
        """The first value that each instance variable is given in the text."""
        values: dict[str, Node] = {}
        waiting = deque([self.node])
        while waiting:
            node = waiting.popleft()
            left = (
                node.child_by_field_name("left")
                if node.type in ("assignment", "operator_assignment")
                else None
            )
            right = node.child_by_field_name("right") if left is not None else None
            if left is not None and right is not None and left.type == "instance_variable":
                values.setdefault(text_of(left), right)
            waiting += node.named_children
        return values


class Module(Struct, kw_only=True, eq=False):
    """A module or class by its full name, from all files that open it. `changes` are calls in its
    body that change what a constant holds, by its name, in order."""

    name: str
    constants: dict[str, Definition] = field(default_factory=dict)
    changes: dict[str, list[Definition]] = field(default_factory=dict)
    methods: dict[str, Definition] = field(default_factory=dict)
    included: list[str] = field(default_factory=list)
    parent: str | None = None


class Library(Struct, kw_only=True, dict=True):
    """The modules of one game folder, and of its neighbours as they are asked for. `files` are
    those that were read, `missing` parents that are not there; `resolved` and `lineages` are what
    has been worked out."""

    folder: Path
    modules: dict[str, Module] = field(default_factory=dict)
    files: list[str] = field(default_factory=list)
    missing: dict[str, None] = field(default_factory=dict)
    resolved: dict[tuple[str, str, int], str | None] = field(default_factory=dict)
    lineages: dict[str, tuple[Module, ...]] = field(default_factory=dict)

    @cached_property
    def _neighbours(self) -> dict[str, Path]:
        """Folders of games beside this one by the name of their module, in lower case without
        underscores."""
        return {_plain(path.name): path for path in _entries(self._around) if path.is_dir()}

    @cached_property
    def _around(self) -> Path:
        return real(self.folder).parent

    def read_folder(self, folder: Path) -> None:
        """Read the data files of a game folder. Raises CannotRun for what is no readable file, and
        for more than any game has."""
        entries = _entries(folder)
        inside = [
            path
            for entry in entries
            if entry.is_dir() and entry.name not in _NOT_DATA
            for path in _entries(entry)
        ]
        files = sorted(
            path for path in (*entries, *inside) if path.suffix == ".rb" and not path.is_dir()
        )
        if len(files) > _MOST_FILES:
            raise CannotRun(f"{folder} has more than {_MOST_FILES} Ruby files, which no game has")
        for path in files:
            self._read(
                path, writable(f"{folder.name}/{path.relative_to(folder).as_posix()}"), folder
            )

    def _read(self, path: Path, file: str, within: Path) -> None:
        source = read_source(path, file, within=within)
        self.files.append(file)
        self._open(source, source.root, "")

    def module(self, name: str) -> Module | None:
        """The module or class of a full name; the folder or file it is in is read if it has not
        been."""
        if name not in self.modules:
            self._fetch(name)
        return self.modules.get(name)

    def _fetch(self, name: str) -> None:
        parts = name.split("::")
        if name == BASE:
            base = self._around / "base.rb"
            if "base.rb" not in self.files and is_there(base):
                self._read(base, "base.rb", self._around)
        elif name == CATALOGUE:
            tiles = self._around.parent / _CATALOGUE_FILE
            if _CATALOGUE_FILE not in self.files and is_there(tiles):
                self._read(tiles, _CATALOGUE_FILE, self._around.parent)
        elif len(parts) > 2 and parts[:2] == ["Engine", "Game"]:
            folder = self._neighbours.get(_plain(parts[2]))
            if folder is not None and not any(
                file.startswith(f"{folder.name}/") for file in self.files
            ):
                self.read_folder(folder)

    def resolve(self, name: str, within: str) -> str | None:
        """The full name of a module named in the text of another."""
        key = name, within, len(self.files)  # other files may have it
        if key not in self.resolved:
            self.resolved[key] = self._full_name(name, within)
        return self.resolved[key]

    def _full_name(self, name: str, within: str) -> str | None:
        for outer in _outer(within):
            full = f"{outer}::{name}" if outer else name
            if full in self.modules or (
                outer in ("Engine::Game", "Engine", "") and self.module(full) is not None
            ):
                return full
        return None

    def ancestors(self, name: str) -> Iterator[Module]:
        """A module and those its methods and constants come from, in the order in which Ruby looks
        them up."""
        seen: set[str] = set()
        waiting = [("", name)]
        while waiting:
            pay()
            within, named = waiting.pop()
            full = self.resolve(named, within) if within else named
            if full is None and named.startswith("G") and named not in _ELSEWHERE:
                self.missing[named] = None
            module = self.module(full) if full is not None else None
            if module is not None and module.name not in seen:
                seen.add(module.name)
                yield module
                parent = [] if module.parent is None else [module.parent]
                waiting += [(module.name, included) for included in (*parent, *module.included)]

    def lineage(self, name: str) -> tuple[Module, ...]:
        """All of `ancestors`, worked out once."""
        if name not in self.lineages:
            self.lineages[name] = tuple(self.ancestors(name))
        return self.lineages[name]

    @staticmethod
    def assignments(
        modules: Iterable[Module], variable: str, methods: Sequence[str]
    ) -> Definition | None:
        """What an instance variable is given first in methods of some modules, in the order of the
        methods."""
        known = list(modules)
        for method in methods:
            for module in known:
                definition = module.methods.get(method)
                node = definition.assigned.get(variable) if definition is not None else None
                if definition is not None and node is not None:
                    return Definition(source=definition.source, node=node, module=definition.module)
        return None

    def siblings(self, name: str) -> Iterator[Module]:
        """Modules beside a class in its namespace: data that it may include by other ways."""
        around = name.rpartition("::")[0]
        return (
            module for full, module in self.modules.items() if full.rpartition("::")[0] == around
        )

    def _open(self, source: Source, node: Node, name: str, depth: int = 0) -> None:
        for child in node.named_children:
            if child.type in ("module", "class"):
                inner = "::".join(filter(None, (name, text_of(child.child_by_field_name("name")))))
                if (
                    depth >= _MOST_DEEP
                    or len(inner) > _MOST_NAME
                    or len(self.modules) >= _MOST_MODULES
                ):
                    raise CannotRun(
                        f"{source.file}:{line_of(child)}: no game has modules like this; {_MOST}"
                    )
                module = self.modules.setdefault(inner, Module(name=inner))
                parent = child.child_by_field_name("superclass")
                if parent is not None:
                    module.parent = text_of(parent.named_children[0])
                body = child.child_by_field_name("body")
                if body is not None:
                    self._open(source, body, inner, depth + 1)
            elif child.type == "singleton_class" and name:
                self._open(source, child.child_by_field_name("body") or child, name, depth + 1)
            elif name:
                self._note(source, child, self.modules[name])

    def _note(self, source: Source, node: Node, module: Module) -> None:
        if node.type == "assignment":
            left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
            if left is not None and right is not None and left.type == "constant":
                module.constants[text_of(left)] = Definition(
                    source=source, node=right, module=module.name
                )
        elif node.type in ("method", "singleton_method"):
            name = text_of(node.child_by_field_name("name"))
            module.methods[name] = Definition(source=source, node=node, module=module.name)
        elif node.type == "call":
            receiver, called = (
                node.child_by_field_name("receiver"),
                text_of(node.child_by_field_name("method")),
            )
            arguments = node.child_by_field_name("arguments")
            if called in ("include", "include_meta"):
                module.included += [
                    text_of(argument)
                    for argument in (arguments.named_children if arguments else ())
                ]
            elif receiver is not None and receiver.type == "constant" and called in _CHANGING:
                change = Definition(source=source, node=node, module=module.name)
                module.changes.setdefault(text_of(receiver), []).append(change)


def _outer(within: str) -> Iterator[str]:
    """The names around a module, the nearest first, "" last."""
    parts = within.split("::")
    for count in range(len(parts), -1, -1):
        yield "::".join(parts[:count])


def _entries(folder: Path) -> list[Path]:
    """What lies in a folder, by name."""
    try:
        entries = list(islice(folder.iterdir(), _MOST_ENTRIES + 1))
    except OSError as error:
        raise CannotRun(f"cannot read {folder}: {error.strerror or error}") from error
    if len(entries) > _MOST_ENTRIES:
        raise CannotRun(
            f"{folder} has more than {_MOST_ENTRIES} entries, which no folder of games has"
        )
    return sorted(entries)


def _plain(name: str) -> str:
    return name.replace("_", "").lower()
