"""Faces drawn and judged before Platelayer was packed, in one file (`tools/predraw.py`)."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from functools import lru_cache
from hashlib import blake2b
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from typing import Any, TypeVar

from msgspec import Raw
from msgspec.msgpack import decode
from msgspec.structs import astuple, force_setattr

from platelayer.drawing.kit.ornament import (
    Box,
    Ring,
    Wave,
    ring_path,
    run_path,
    swell_path,
)
from platelayer.foundation.cache import Cache
from platelayer.foundation.resources import drawing_files, predrawn_path, shipped_bytes
from platelayer.foundation.values import Frozen
from platelayer.scene import shapes
from platelayer.scene.shapes import Commands, Group, Item, Scene, Use

T = TypeVar("T")

# Bytes of the signature that the file begins with, and of the size of its index behind that.
SIGNATURE, SIZE = 16, 4
# First word of the only command of a path that stands in for another; the second is its number.
ELSEWHERE = "="
# Packages that decide what is drawn and how it is kept.
_LIBRARIES = ("budoux", "msgspec")
# The entry of a cache that the file is of its installation.
_OURS = "predrawn faces are ours"


# Paths as what they are worked out from: that takes no longer than reading them would, and they are
# three quarters of all numbers.


class RingPath(Frozen, array_like=True, tag=True):
    """A ring of a rosette."""

    ring: Ring
    radius_mm: float


class SwellPath(Frozen, array_like=True, tag=True):
    """A swell of a braid."""

    wave: Wave
    swell_mm: float
    half_mm: float


class RunPath(Frozen, array_like=True, tag=True):
    """A border."""

    figure: Commands
    length: float
    box: Box
    gap: float


# What works out each, with its fields as arguments.
WORKED_OUT: dict[Any, Callable[..., Commands]] = {
    RingPath: ring_path,
    SwellPath: swell_path,
    RunPath: run_path,
}


class PlainPath(Frozen, array_like=True, tag=True):
    """A path as it is."""

    commands: Commands


class Entry(Frozen, array_like=True):
    """A value, and those of its scenes and paths that no entry before it has. Scenes in it, and
    some paths, are stand-ins with a number: a scene by its key, a path by its only command."""

    value: Raw
    scenes: tuple[Scene, ...]
    paths: tuple[PlainPath | RingPath | SwellPath | RunPath, ...]


class Index(Frozen, array_like=True):
    """The digests of the styles that entries are in; the numbers of entries by their keys; where
    each entry begins in all of them together, and the numbers of its first scene and path; where
    each block of entries begins in all of them, and, compressed, in the file. Beginnings end with
    the end of the last."""

    styles: tuple[bytes, ...]
    numbers: dict[bytes, int]
    starts: tuple[int, ...]
    scenes: tuple[int, ...]
    paths: tuple[int, ...]
    blocks: tuple[int, ...]
    compressed: tuple[int, ...]


class Predrawn:
    """Values by the digests of what they were made from, each read when it is asked for."""

    def __init__(self, data: bytes) -> None:
        size = int.from_bytes(data[:SIZE], "big")
        self._index = decode(data[SIZE : SIZE + size], type=Index)
        self._data = memoryview(data)[SIZE + size :]
        # A studio builds in threads, and what is half restored is not read by another.
        self._restoring = Lock()
        self._blocks: dict[int, bytes] = {}
        self._entries: dict[int, Entry] = {}
        self._scenes: dict[int, Scene] = {}
        self._paths: dict[int, Commands] = {}

    def get(self, key: str, kind: type[T]) -> tuple[T, Callable[[Scene], Scene]] | None:
        """The value under a key, and a function from its stand-ins to their scenes."""
        number = self._index.numbers.get(bytes.fromhex(key))
        if number is None:
            return None
        return decode(self._entry(number).value, type=kind), self._scene_for

    def _entry(self, number: int) -> Entry:
        if number not in self._entries:
            start, end = self._index.starts[number : number + 2]
            block = bisect_right(self._index.blocks, start) - 1
            first = self._index.blocks[block]
            data = self._block(block)[start - first : end - first]
            self._entries[number] = decode(data, type=Entry)
        return self._entries[number]

    def _block(self, number: int) -> bytes:
        from lzma import decompress

        if number not in self._blocks:
            start, end = self._index.compressed[number : number + 2]
            self._blocks[number] = decompress(self._data[start:end])
        return self._blocks[number]

    def _scene_for(self, stand_in: Scene) -> Scene:
        with self._restoring:
            return self._scene(stand_in)

    def _scene(self, stand_in: Scene) -> Scene:
        number = int(stand_in.key)
        if number not in self._scenes:
            entry = bisect_right(self._index.scenes, number) - 1
            scene = self._entry(entry).scenes[number - self._index.scenes[entry]]
            self._restore(scene.items)
            self._scenes[number] = scene
        return self._scenes[number]

    def _restore(self, items: Sequence[Item]) -> None:
        """Put scenes and paths in the place of their stand-ins."""
        for item in items:
            if isinstance(item, shapes.Path):
                if item.commands and item.commands[0][0] == ELSEWHERE:
                    force_setattr(item, "commands", self._path(int(item.commands[0][1])))
            elif isinstance(item, Group):
                self._restore(item.items)
            elif isinstance(item, Use):
                force_setattr(item, "scene", self._scene(item.scene))

    def _path(self, number: int) -> Commands:
        if number not in self._paths:
            entry = bisect_right(self._index.paths, number) - 1
            path = self._entry(entry).paths[number - self._index.paths[entry]]
            self._paths[number] = (
                path.commands
                if isinstance(path, PlainPath)
                else WORKED_OUT[type(path)](*astuple(path))
            )
        return self._paths[number]


@lru_cache(8)
def predrawn(style: str, cache: Cache | None = None) -> Predrawn | None:
    """The file of this installation; None if there is none, if it has nothing in a style of that
    digest, if it is damaged, or if it was not made by exactly this code with these assets and
    libraries."""
    try:
        data = shipped_bytes(predrawn_path())
    except OSError:
        return None
    # Most titles have a livery of their own, and nothing else to do with the file.
    if bytes.fromhex(style) not in data or find_spec("_lzma") is None:
        return None
    # What a cache keeps is of the same files, so it may keep that they belong together.
    if not (cache and cache.get(_OURS, bool)):
        if data[:SIGNATURE] != signature(data[SIGNATURE:]):
            return None
        if cache:
            cache.put(_OURS, True, bool)
    return Predrawn(data[SIGNATURE:])


def signature(data: bytes) -> bytes:
    """A digest of data and of everything that decides what is drawn: contents, because a wheel
    keeps no times. Takes 10 ms. Empty if the version of a library is not known."""
    digest = blake2b(data, digest_size=SIGNATURE)
    for name, path in drawing_files():
        content = shipped_bytes(Path(path))
        digest.update(f"{name} {len(content)} ".encode())
        digest.update(content)
    for library in _LIBRARIES:
        spec = find_spec(library)
        if spec is None or spec.origin is None:
            return b""
        # The name of this folder has the version; importlib.metadata takes 30 ms.
        known = [path.name for path in Path(spec.origin).parents[1].glob(f"{library}-*.dist-info")]
        if len(known) != 1:
            return b""
        digest.update(known[0].encode())
    return digest.digest()
