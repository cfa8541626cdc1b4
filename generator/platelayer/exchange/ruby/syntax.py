"""Syntax trees of Ruby files."""

from __future__ import annotations

from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from platelayer.foundation.files import read_at_most
from platelayer.foundation.problems import CannotRun

if TYPE_CHECKING:
    from tree_sitter import Node, Parser

MAX_BYTES = 4 * 1024 * 1024
"""Largest Ruby file that is read: twenty times the largest data file of any known game."""


class Source(Struct, frozen=True, kw_only=True, dict=True):
    """One Ruby file: its path as the user would type it, and its tree."""

    file: str
    root: Node

    @cached_property
    def heredocs(self) -> dict[int, Node]:
        """The bodies of heredocs by the offset of what begins them: in a file they stand in the same order."""
        if b"<<" not in (self.root.text or b""):
            return {}
        beginnings, bodies = [], []
        waiting = [self.root]
        while waiting:
            node = waiting.pop()
            if node.type == "heredoc_beginning":
                beginnings.append(node)
            elif node.type == "heredoc_body":
                bodies.append(node)
            waiting += node.children
        starts = sorted(node.start_byte for node in beginnings)
        return dict(zip(starts, sorted(bodies, key=lambda node: node.start_byte), strict=False))


def read_source(path: Path, file: str) -> Source:
    """A Ruby file as a tree. Raises CannotRun for one that cannot be read, and where tree-sitter is not installed."""
    try:
        data = read_at_most(path, MAX_BYTES + 1)
    except (OSError, ValueError) as stop:
        raise CannotRun(f"cannot read {file}: {getattr(stop, 'strerror', None) or stop}") from stop
    if len(data) > MAX_BYTES:
        raise CannotRun(f"{file} is larger than {MAX_BYTES // 1024 // 1024} MB, which no data file of a game is")
    return Source(file=file, root=_parser().parse(data).root_node)


@cache
def _parser() -> Parser:
    try:
        import tree_sitter
        import tree_sitter_ruby
    except ImportError as stop:
        raise CannotRun(
            "Ruby files are read with tree-sitter, which is not installed; type: pip install 'platelayer[import]'"
        ) from stop
    return tree_sitter.Parser(tree_sitter.Language(tree_sitter_ruby.language()))


def text_of(node: Node | None) -> str:
    """What stands in the file."""
    return "" if node is None or node.text is None else node.text.decode("utf-8", "replace")


def line_of(node: Node) -> int:
    """Its line, from 1."""
    return node.start_point[0] + 1
