"""Digests hold the fields of structs, not their classes (`digest_of`): where a struct of one class may
stand for one of another, the two differ in their fields or their tags."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any, Union, get_args, get_origin, get_type_hints

import pytest
from msgspec import Struct

from platelayer.drawing.kit.style import Style
from platelayer.foundation.cache import digest_of
from platelayer.foundation.values import Frozen
from platelayer.imposition.plan import DocumentPlan
from platelayer.model.kinds import Piece
from platelayer.model.manifest import Manifest
from platelayer.model.options import PrintOptions, Profile
from platelayer.model.title import Title
from platelayer.scene.shapes import Scene
from platelayer.scene.typeset import Theme

DIGESTED = (Title, Manifest, Style, Theme, Piece, PrintOptions, Profile, DocumentPlan, Scene)


def structs_in(annotation: Any) -> Iterator[frozenset[type[Struct]]]:
    """The classes that each place of a type may hold: those of a union, with their subclasses."""
    if isinstance(annotation, type) and issubclass(annotation, Struct):
        yield with_subclasses(annotation)
    arguments = get_args(annotation)
    if get_origin(annotation) is Union or type(annotation).__name__ == "UnionType":
        yield frozenset[type[Struct]]().union(
            *(each for one in arguments for each in structs_in(one))
        )
    for one in arguments:
        yield from structs_in(one)


def with_subclasses(struct: type[Struct]) -> frozenset[type[Struct]]:
    """A class and all that are made of it."""
    return frozenset({struct}).union(*map(with_subclasses, struct.__subclasses__()))


def places(root: type[Struct]) -> Iterator[frozenset[type[Struct]]]:
    """All places below a class that hold structs."""
    known, left = set[type[Struct]](), [*with_subclasses(root)]
    while left:
        struct = left.pop()
        if struct in known:
            continue
        known.add(struct)
        for annotation in get_type_hints(struct).values():
            for classes in structs_in(annotation):
                yield classes
                left += classes


def written(struct: type[Struct]) -> tuple[Any, ...]:
    """The parts of a struct that a digest sees."""
    config = struct.__struct_config__
    return config.tag, len(struct.__struct_fields__) if config.array_like else frozenset(
        struct.__struct_encode_fields__
    )


def alike(classes: frozenset[type[Struct]]) -> list[str]:
    """Pairs of classes that a digest does not tell apart."""
    pairs = combinations(sorted(classes, key=lambda each: each.__qualname__), 2)
    return [
        f"{one.__qualname__}, {other.__qualname__}"
        for one, other in pairs
        if written(one) == written(other)
    ]


@pytest.mark.parametrize("root", DIGESTED)
def test_no_two_classes_of_one_place_look_the_same(root: type[Struct]) -> None:
    assert [pair for classes in {*places(root)} for pair in alike(classes)] == []


class One(Frozen):
    """A length."""

    mm: float


class Other(Frozen):
    """Another one."""

    mm: float


class Both(Frozen):
    """A place for both."""

    length: tuple[One | Other, ...]


def test_the_guard_sees_two_that_do() -> None:
    assert digest_of(One(1.0)) == digest_of(Other(1.0))
    assert [pair for classes in places(Both) for pair in alike(classes)] == ["One, Other"]
