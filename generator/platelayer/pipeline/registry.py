"""Registry of the wings: commands, views of the studio and a few functions, by name.

Through it, the core and the wings use what another wing offers. Each entry names a module of a
wing, and usually something in it, which is imported on first use. Nothing else connects the wings,
so that each can be read, and left out, separately.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from platelayer.definitions.source import MADE_VARIANTS, OTHER_FILES, Document

if TYPE_CHECKING:
    from platelayer.drawing.kit.style import Style
    from platelayer.model.tile import UpgradeGraph
    from platelayer.model.title import Title

# Subcommands of `platelayer` by name; a name of two words is a command in a group.
COMMANDS = {
    "atlas": "atlas.command:atlas",
    "compare": "comparison.command:compare",
    "export": "exchange.command:export",
    "import": "exchange.command:import_game",
    "position": "exchange.command:position",
    "position lay": "play.command:lay",
    "position moves": "play.command:moves",
    "routes": "play.command:routes",
    "studio": "studio.command:studio",
    "supply": "play.command:supply",
}

# Modules that each answer one page of the studio.
VIEWS = {"maps": "atlas.view", "play": "play.view"}

_FUNCTIONS = {
    "atlas_policies": "atlas.assemble:POLICIES",
    "coasts_of": "earth.board:coasts_of",
    "commits": "comparison.compare:commits",
    "commit_files": "comparison.compare:files_of",
    "compare_loaded": "comparison.compare:compare_loaded",
    "export_formats": "exchange.export:FORMATS",
    "follow_tables": "exchange.tables.read:follow_tables",
    "import_title": "exchange.importers:import_title",
    "is_tile_string": "exchange.tile_strings:is_tile_string",
    "position_in_text": "exchange.eighteen_games.positions:position_in_text",
    "real_board": "earth.board:real_board",
    "read_tables": "exchange.tables.read:read_tables",
    "map_variant": "atlas.make:map_variant",
    "title_from_string": "exchange.tile_strings:title_from_string",
    "workbook_files": "exchange.tables.read:workbook_files",
}


class TitleView(Protocol):
    """A title as the studio shows it, for views."""

    @property
    def title(self) -> Title:
        """The title, with a variant applied."""

    @property
    def graph(self) -> UpgradeGraph:
        """The title's upgrades."""

    def style(self, language: str, theme: str) -> Style:
        """Return the style in which the title is drawn."""


def load_entry(entry: str) -> Any:
    """Return a module of a wing ("atlas.view"), or something in it ("atlas.command:atlas")."""
    module, _, name = entry.partition(":")
    found = import_module(f"platelayer.{module}")
    return getattr(found, name) if name else found


def function(name: str) -> Any:
    """Return a function of a wing by its name in this registry."""
    return load_entry(_FUNCTIONS[name])


def view(name: str) -> Any:
    """Return a view of the studio by its name in VIEWS."""
    return load_entry(VIEWS[name])


class _Tables:
    """Titles in tables, by the names of their files: workbooks, and delimited files."""

    _ENDINGS = (".xlsx", ".xlsm", ".ods", ".csv", ".tsv", ".tab")

    def holds(self, path: Path) -> bool:
        """Return True for a file with such an ending, and for a folder of delimited files."""
        if path.suffix.lower() in self._ENDINGS:
            return True
        try:
            names = path.iterdir() if path.is_dir() else ()
            return any(file.suffix.lower() in self._ENDINGS[3:] for file in names)
        except (OSError, ValueError):
            return False

    def read(self, path: Path, file: str) -> Document:
        """Return the title as a document."""
        document: Document = function("read_tables")(path, file)
        return document


OTHER_FILES.append(_Tables())


MADE_VARIANTS["atlas"] = lambda value, source: function("map_variant")(value, source)  # noqa: PLW0108 - imported on demand
