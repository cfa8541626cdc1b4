"""Ruby files as syntax trees, and the modules and classes that they define."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from platelayer.exchange.ruby.game import MOST_BYTES, Unread, pay, writable
from platelayer.foundation.apart import note
from platelayer.foundation.door import is_there, read_bytes, real
from platelayer.foundation.problems import CannotRun
from platelayer.foundation.values import Frozen

if TYPE_CHECKING:
    from tree_sitter import Node, Parser

BASE = "Engine::Game::Base"
BASE_FILE = "base.rb"
CATALOGUE = "Engine::Config::Tile"
_CATALOGUE_FILE = "config/tile.rb"
_WITHOUT_DATA = ("step", "round", "spec", "test")
# Parents in the engine's own code; they need not be found: their contents are known or not data.
_ELSEWHERE = ("Game::Meta", "Game::Base")
# Methods with which the body of a module changes a constant after its definition.
_CHANGING = ("update", "merge!", "concat", "push", "append", "delete", "store")
_MOST_LEVELS = 12


class Source(Frozen, kw_only=True, dict=True):
    """A Ruby file: its path for messages, its bytes and its tree."""

    file: str
    data: bytes
    root: Node

    def unread(self, node: Node, *, what: str = "", why: str = "") -> Unread:
        """Return a node as an unread value; by default, `what` is its text, at most 60
        characters."""
        if not what:
            start = self.data[node.start_byte : min(node.end_byte, node.start_byte + 4000)]
            what = " ".join(start.decode("utf-8", "replace").split())
            what = what if len(what) <= 60 else f"{what[:57]}..."
        return Unread(what=what, file=self.file, line=node.start_point[0] + 1, why=why)

    @cached_property
    def heredocs(self) -> dict[int, Node]:
        """Bodies of heredocs by the offset of their openings; both are in the same order."""
        if b"<<" not in self.data:
            return {}
        openings = []
        bodies = []
        waiting = [self.root]
        while waiting:
            node = waiting.pop()
            if node.type == "heredoc_beginning":
                openings.append(node)
            elif node.type == "heredoc_body":
                bodies.append(node)
            waiting += node.children
        openings.sort(key=lambda node: node.start_byte)
        bodies.sort(key=lambda node: node.start_byte)
        return {opening.start_byte: body for opening, body in zip(openings, bodies, strict=False)}


@cache
def _parser() -> Parser:
    import tree_sitter
    import tree_sitter_ruby

    return tree_sitter.Parser(tree_sitter.Language(tree_sitter_ruby.language()))


def text_of(node: Node | None) -> str:
    """Return the text of a node, "" for None."""
    text = None if node is None else node.text
    return "" if text is None else text.decode("utf-8", "replace")


def field_text(node: Node, name: str) -> str:
    """Return the text of a field of a node, "" if it has no such field."""
    return text_of(node.child_by_field_name(name))


def children_of(node: Node, name: str) -> list[Node]:
    """Return the named children of a field of a node; empty if it has no such field."""
    part = node.child_by_field_name(name)
    return [] if part is None else part.named_children


class Definition(Frozen, kw_only=True, dict=True, eq=False):
    """Source of a constant or method, and the name of its module."""

    source: Source
    node: Node
    module: str

    @cached_property
    def assigned(self) -> dict[str, Node]:
        """First value that the source assigns to each instance variable."""
        values: dict[str, Node] = {}
        waiting = deque([self.node])
        while waiting:
            node = waiting.popleft()
            if node.type in ("assignment", "operator_assignment"):
                left = node.child_by_field_name("left")
                right = node.child_by_field_name("right")
                if left is not None and right is not None and left.type == "instance_variable":
                    values.setdefault(text_of(left), right)
            waiting += node.named_children
        return values


class Module(Struct, kw_only=True, eq=False):
    """A module or class, from all files that open it. `changes` has the calls in its body that
    change a constant, by the constant's name."""

    name: str
    constants: dict[str, Definition] = {}
    changes: dict[str, list[Definition]] = {}
    methods: dict[str, Definition] = {}
    included: list[str] = []
    parent: str | None = None


class Library(Struct, kw_only=True, dict=True):
    """Modules of a game's folder, and of neighbouring games as needed. `missing` are parents that
    were not found, in order."""

    folder: Path
    modules: dict[str, Module] = {}
    files: list[str] = []
    missing: dict[str, None] = {}
    _resolved: dict[tuple[str, str, int], str | None] = {}

    @cached_property
    def _games(self) -> Path:
        return real(self.folder).parent

    @cached_property
    def _neighbours(self) -> dict[str, Path]:
        """Folders of games by the name of their module, in lower case without underscores."""
        return {plain(path.name): path for path in _entries(self._games) if path.is_dir()}

    def read_folder(self, folder: Path) -> None:
        """Read the data files of a game's folder, one level deep. Raises CannotRun for files that
        cannot be read."""
        paths = list(_entries(folder))
        for entry in tuple(paths):
            if entry.is_dir() and entry.name not in _WITHOUT_DATA:
                paths += _entries(entry)
        files = sorted(path for path in paths if path.suffix == ".rb" and not path.is_dir())
        for path in files:
            inside = path.relative_to(folder).as_posix()
            self._read(path, writable(f"{folder.name}/{inside}"), folder)

    def _read(self, path: Path, file: str, within: Path) -> None:
        if file in self.files:
            return
        data = read_bytes(path, MOST_BYTES, name=file, within=within)
        note(file)
        source = Source(file=file, data=data, root=_parser().parse(data).root_node)
        self.files.append(file)
        self._open(source, source.root, "")

    def module(self, name: str) -> Module | None:
        """Return the module with this full name, reading its file if necessary; None if there is
        none."""
        if name in self.modules:
            return self.modules[name]
        parts = name.split("::")
        if name == BASE and is_there(self._games / BASE_FILE):
            self._read(self._games / BASE_FILE, BASE_FILE, self._games)
        elif name == CATALOGUE and is_there(self._games.parent / _CATALOGUE_FILE):
            engine = self._games.parent
            self._read(engine / _CATALOGUE_FILE, _CATALOGUE_FILE, engine)
        elif len(parts) > 2 and parts[:2] == ["Engine", "Game"]:
            folder = self._neighbours.get(plain(parts[2]))
            if folder and not any(file.startswith(f"{folder.name}/") for file in self.files):
                self.read_folder(folder)
        return self.modules.get(name)

    def resolve(self, name: str, within: str) -> str | None:
        """Return the full name of a module that is named within another; None if there is none."""
        key = name, within, len(self.files)  # a file read later may define it
        if key in self._resolved:
            return self._resolved[key]
        full = None
        for outer in namespaces(within):
            candidate = f"{outer}::{name}" if outer else name
            outermost = outer in ("Engine::Game", "Engine", "")
            if candidate in self.modules or (outermost and self.module(candidate) is not None):
                full = candidate
                break
        self._resolved[key] = full
        return full

    def ancestors(self, name: str) -> Iterator[Module]:
        """Yield a module and those it inherits from, in Ruby's lookup order. Files are read only as
        the iterator reaches them."""
        seen = set()
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
                # The module included last is looked up first, the parent last.
                parents = [] if module.parent is None else [module.parent]
                waiting += [(module.name, parent) for parent in (*parents, *module.included)]

    def siblings(self, name: str) -> list[Module]:
        """Return the modules of the same namespace, whose data a class may use other than by
        inheritance."""
        namespace = name.rpartition("::")[0]
        return [
            module for full, module in self.modules.items() if full.rpartition("::")[0] == namespace
        ]

    def _open(self, source: Source, node: Node, name: str, level: int = 0) -> None:
        """Add the definitions in the body of a module, and its inner modules."""
        for child in node.named_children:
            if child.type in ("module", "class"):
                own_name = field_text(child, "name")
                inner = f"{name}::{own_name}" if name else own_name
                if level >= _MOST_LEVELS:
                    place = source.unread(child).place
                    raise CannotRun(f"{place}: no game has modules in {_MOST_LEVELS} levels")
                module = self.modules.setdefault(inner, Module(name=inner))
                parent = child.child_by_field_name("superclass")
                if parent is not None:
                    module.parent = text_of(parent.named_children[0])
                body = child.child_by_field_name("body")
                if body is not None:
                    self._open(source, body, inner, level + 1)
            elif child.type == "singleton_class" and name:
                self._open(source, child.child_by_field_name("body") or child, name, level + 1)
            elif name:
                self._define(source, child, self.modules[name])

    def _define(self, source: Source, node: Node, module: Module) -> None:
        if node.type == "assignment":
            left = node.child_by_field_name("left")
            right = node.child_by_field_name("right")
            if left is not None and right is not None and left.type == "constant":
                definition = Definition(source=source, node=right, module=module.name)
                module.constants[text_of(left)] = definition
            return
        definition = Definition(source=source, node=node, module=module.name)
        if node.type in ("method", "singleton_method"):
            module.methods[field_text(node, "name")] = definition
        elif node.type == "call":
            receiver = node.child_by_field_name("receiver")
            called = field_text(node, "method")
            if called in ("include", "include_meta"):
                module.included += map(text_of, children_of(node, "arguments"))
            elif receiver is not None and receiver.type == "constant" and called in _CHANGING:
                module.changes.setdefault(text_of(receiver), []).append(definition)


def namespaces(name: str) -> Iterator[str]:
    """Yield a module's name and the names of the modules around it, "" last."""
    while name:
        yield name
        name = name.rpartition("::")[0]
    yield ""


def plain(name: str) -> str:
    """Return the form of a name in which folders and modules of games can be compared."""
    return name.replace("_", "").lower()


def _entries(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir())
    except OSError as error:
        raise CannotRun(f"cannot read {folder}: {error.strerror or error}") from error
