"""What an assembled title defines for others to refer to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from platelayer.definitions.quick import raw_schema
from platelayer.foundation.pointers import join_pointer
from platelayer.foundation.problems import Problem
from platelayer.foundation.properties import cached_property
from platelayer.foundation.suggestions import listed, suggestion
from platelayer.model.company import COMPANIES, PRIVATES, CompanyKind

Json = Mapping[str, Any]


class Names:
    """What an assembled title (sound where it is read) defines for others to refer to."""

    def __init__(self, title: Json) -> None:
        self.title = title

    def block(self, name: str) -> Json:
        """A block, empty when the title has none."""
        block: Json = self.title.get(name) or {}
        return block

    def all_companies(self) -> Iterator[tuple[str, Json]]:
        """Each company of either block, with its pointer."""
        for block in (COMPANIES, PRIVATES):
            for company_id, company in self.block(block).items():
                yield join_pointer(block, company_id), company

    @cached_property
    def hexes(self) -> dict[str, dict[str, Json]]:
        """By printed coordinates: the hex on each map (by id) that has it."""
        by_name: dict[str, dict[str, Json]] = {}
        for map_id, board in self.block("maps").items():
            for name, hexagon in board["hexes"].items():
                by_name.setdefault(name, {})[map_id] = hexagon
        return by_name

    @cached_property
    def trains(self) -> frozenset[str]:
        """Ids of trains, and names of their faces."""
        faces = (
            face["name"]
            for train in self.block("trains").values()
            for face in train.get("faces", [train])
        )
        return frozenset((*self.block("trains"), *faces))

    @cached_property
    def company_classes(self) -> frozenset[str]:
        """Kinds and sizes of company, by which limits are given."""
        sizes = [company["size"] for _, company in self.all_companies() if "size" in company]
        sizes += (
            size for _, company in self.all_companies() for size in company.get("later_sizes", ())
        )
        return frozenset((*(kind.value for kind in CompanyKind), *sizes))

    @cached_property
    def revenue_keys(self) -> frozenset[str]:
        """The keys that a revenue may have: tile colours, phases, and the keys that phases name."""
        phases = self.block("phases")
        keys = (phase["revenue"] for phase in phases.values() if "revenue" in phase)
        return frozenset((*raw_schema("common")["$defs"]["colour_name"]["enum"], *phases, *keys))


def unknown(
    code: str, pointer: str, kind: str, name: str, known: Iterable[str], *, key: bool = False
) -> Problem:
    """The problem of a name that is none of those known."""
    known = list(known)
    message = f'there is no {kind} "{name}" in this title; known: {listed(known) or "none"}'
    return Problem(
        code=code,
        pointer=pointer,
        message=message,
        hint=suggestion(name, known),
        about=name,
        at_key=key,
    )
