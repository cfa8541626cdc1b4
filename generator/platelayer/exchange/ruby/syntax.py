"""Syntax trees of Ruby files."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from platelayer.exchange.ruby.game import MAX_BYTES
from platelayer.foundation.apart import note
from platelayer.foundation.door import read_bytes
from platelayer.foundation.properties import cached_property

if TYPE_CHECKING:
    from tree_sitter import Node, Parser

_MOST_SHOWN = 4000


class Source(Struct, frozen=True, kw_only=True, dict=True):
    """One Ruby file: its path as the user would type it, its bytes and its tree."""

    file: str
    data: bytes
    root: Node

    def shown(self, node: Node) -> str:
        """How a node begins, on one line of at most 60 characters."""
        begins = self.data[node.start_byte : min(node.end_byte, node.start_byte + _MOST_SHOWN)]
        what = " ".join(begins.decode("utf-8", "replace").split())
        return what if len(what) <= 60 else f"{what[:57]}..."

    @cached_property
    def heredocs(self) -> dict[int, Node]:
        """The bodies of heredocs by the offset of what begins them: in a file they stand in the
        same order."""
        if b"<<" not in self.data:
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


def read_source(path: Path, file: str, *, within: Path) -> Source:
    """A Ruby file of a folder as a tree. Raises CannotRun for one that cannot be read."""
    data = read_bytes(path, MAX_BYTES, name=file, within=within)
    note(file)
    return Source(file=file, data=data, root=_parser().parse(data).root_node)


@cache
def _parser() -> Parser:
    import tree_sitter
    import tree_sitter_ruby

    return tree_sitter.Parser(tree_sitter.Language(tree_sitter_ruby.language()))


def text_of(node: Node | None) -> str:
    """What stands in the file."""
    text = None if node is None else node.text  # which is cut out anew whenever it is asked for
    return "" if text is None else text.decode("utf-8", "replace")


def is_self(node: Node) -> bool:
    """Whether a node is the game itself, or its class."""
    return node.end_byte - node.start_byte <= len("self.class") and text_of(node) in (
        "self",
        "self.class",
    )


def line_of(node: Node) -> int:
    """Its line, from 1."""
    return node.start_point[0] + 1
