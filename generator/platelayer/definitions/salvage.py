"""Salvage the parts of a definition with errors that can still be printed."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from platelayer.definitions.assemble import (
    BLOCK_SCHEMAS,
    Assembled,
    apply_variant,
    assemble_title,
)
from platelayer.definitions.build import build_title
from platelayer.definitions.pictures import crowded_maps, read_pictures
from platelayer.definitions.references import reference_faults
from platelayer.definitions.schemas import part_check, quick_check, raw_schema, schema_problems
from platelayer.definitions.themes import lacking, missing_glyphs, unknown_inks
from platelayer.definitions.titles import Loaded, box_problems, twins
from platelayer.foundation.problems import (
    Problem,
    ProblemsFound,
    Severity,
    join_pointer,
    nowhere,
    severity_of,
    sort_problems,
    split_pointer,
)
from platelayer.foundation.text import suggested
from platelayer.model.company import Picture
from platelayer.model.manifest import build_manifest
from platelayer.scene.typeset import Theme

LEFT_OUT = "DR01"
# Faults that do not prevent drawing: a train that does not state when it rusts, an unknown fact.
_HARMLESS = ("DF01", "RF24")
_STAND_INS: dict[str, Any] = {"format": "platelayer.title/1", "id": "draft", "name": "Draft"}
# Substitute for a colour that the theme does not have.
_UNKNOWN_INK = "gray"
_MOST_ROUNDS, _MOST_AT_ONCE = 200, 300

# Entries that are omitted as a whole if something in them violates a schema; * is any key.
_ENTRIES = tuple(
    tuple(path.split("/"))
    for path in (
        "tiles/*",
        "companies/*",
        "privates/*",
        "trains/*",
        "phases/*",
        "aids/*",
        "bonuses/*",
        "players/*",
        "terms/*",
        "variants/*",
        "maps/*/hexes/*",
        "maps/*/*",
        "maps/*",
        "market/zones/*",
        "upgrades/*",
        "pieces/sizes/*",
        "pieces/box/*",
        "pieces/markers/*",
        "pieces/overlays/*",
        "pieces/money/*",
        "pieces/destination_cards/*",
        "pieces/phase_cards/*",
        "pieces/*",
        "*",
    )
)


def salvage(
    reference: str | Path,
    theme: Theme | None = None,
    *,
    variant: str | None = None,
    before: Mapping[str, Any] | None = None,
) -> Loaded:
    """Return a title, as `read_title` does, without its faulty parts, whose errors are among its
    problems; with a theme, also without anything that the theme cannot print. Values that the
    title held `before` replace faulty ones if they are sound; then nothing is left out.

    Raises ProblemsFound if nothing is left: the title file cannot be read, or the variant does not
    exist.
    """
    return Draft(reference, before).loaded(theme, variant)


class Draft:
    """A title from which faulty parts are removed, in the same way for all its variants.

    `lost` are the removed values, by pointer, including those under a misspelt key; `left_out`
    names what is now missing.
    """

    def __init__(self, reference: str | Path, before: Mapping[str, Any] | None = None) -> None:
        self._whole, self._before = _unshared(assemble_title(reference)), before or {}
        self._restored: set[str] = set()
        self._noted: set[str] = set()
        self.lost: dict[str, Any] = {}
        self.left_out: list[Problem] = []
        self.mend()

    def loaded(self, theme: Theme | None = None, variant: str | None = None) -> Loaded:
        """Return the title, or a variant of it, as `salvage` does."""
        # A variant loses more than the title, but this must not affect the next variant.
        draft = copy.copy(self)
        draft._whole = whole = self._whole.copy()
        draft._restored, draft._noted = {*self._restored}, {*self._noted}
        draft.lost, draft.left_out = {**self.lost}, [*self.left_out]
        if variant is not None:
            apply_variant(whole, variant)
        _unshared(whole)
        if variant is not None:
            draft.mend()
        if theme is not None:
            draft.mend_printed(theme)
        pictures = draft.pictures()
        while True:
            title = build_title(
                whole.value, whole.variant, companies=whole.companies, pictures=pictures
            )
            manifest = build_manifest(title)
            if not manifest.twins:
                break
            whole.problems += twins(whole, manifest)
            draft.drop_all(
                join_pointer(*piece.origin) for pieces in manifest.twins for piece in pieces[1:]
            )
            draft.mend()
        lost = tuple(draft.lost)
        found = (*whole.problems, *box_problems(whole, manifest, lost), *crowded_maps(whole, title))
        return Loaded(
            title=title,
            problems=sort_problems(found),
            assembled=whole,
            lost=lost,
            left_out=sort_problems(draft.left_out),
        )

    def mend(self) -> None:
        """Remove everything that breaks a schema or refers to something missing, until nothing
        does."""
        whole = self._whole
        whole.unsound.clear()
        self.lost |= {pointer: {} for pointer in whole.doubted()}
        # Blocks whose file cannot be read; the reason has already been reported.
        unread: list[tuple[str, ...]] = [
            (block,) for block in BLOCK_SCHEMAS if isinstance(whole.value.get(block), str)
        ]
        maps = whole.value.get("maps")
        if isinstance(maps, dict):
            unread += [("maps", name) for name, board in maps.items() if isinstance(board, str)]
        for keys in unread:
            pointer = join_pointer(*keys)
            self._drop(pointer)
            self.lost[pointer] = None
        # Each round may reveal errors that earlier ones hid: omitting a company removes the name
        # that a private refers to.
        for _ in range(_MOST_ROUNDS):
            if not (self._mend_form() or self._mend_references()):
                return
        raise ProblemsFound(whole.problems)

    def _mend_form(self) -> bool:
        """Remove entries that break the schema. Return False if there are none."""
        whole = self._whole
        faults = [
            fault
            for fault in schema_problems(whole.value, "title", nowhere)
            if fault.code != "SC05"
        ]
        if not faults:
            return False
        self._report(faults)
        unknown = [fault.pointer for fault in faults if fault.code == "SC02"]
        for fault in faults:
            if fault.code == "SC02":
                # A key without a similar known key may have been meant for any key of its object.
                # At the top level that would be too vague.
                around = fault.pointer.rpartition("/")[0]
                meant = [around + join_pointer(name) for name in suggested(fault.hint)]
                found = _container(whole.value, fault.pointer)
                value = found[0][found[1]] if found else {}
                self.lost |= dict.fromkeys(meant or [around or fault.pointer], value)
        entries = [_entry(fault.pointer) for fault in faults if fault.code != "SC02"]
        dropped = self.drop_all([*unknown, *entries])
        lacking = {key: value for key, value in _STAND_INS.items() if key not in whole.value}
        whole.value = {**whole.value, **lacking}
        if not (dropped or lacking):
            raise ProblemsFound(whole.problems)
        return True

    def _mend_references(self) -> bool:
        """Remove dangling references, each alone or with the smallest enclosing part that is
        optional. Return False if there are none."""
        value = self._whole.value
        found = list(islice(reference_faults(value), _MOST_AT_ONCE))
        if not found:
            return False
        # The report excludes consequences of losses. Mending includes them, because a name that is
        # no longer defined must go as well.
        self._report(islice(reference_faults(value, self.lost), _MOST_AT_ONCE))
        faults = [
            fault
            for group in found
            for fault in (group, *group.others)
            if fault.severity is Severity.ERROR and fault.code not in _HARMLESS
        ]
        for fault in sorted(faults, key=lambda fault: _late_first(fault.pointer)):
            # An undefined name is removed alone; contradictions, and undefined tiles, are removed
            # with their entry.
            whole = not fault.code.startswith("RF") or fault.pointer.startswith("/tiles/")
            self._drop_soundly(_entry(fault.pointer) if whole else fault.pointer)
        return bool(faults)

    def _drop_soundly(self, pointer: str) -> None:
        """Remove the value at a pointer, make it null, or remove the smallest enclosing part that
        the schema allows to be missing."""
        spot = _container(self._whole.value, pointer)
        if spot is not None and self._restore(pointer, *spot):
            return
        while spot := _container(self._whole.value, pointer):
            container, key = spot
            self.lost[pointer] = container.pop(key)
            # Many keys may be null but not missing: null loses less than removing the enclosing
            # object.
            if not self._is_sound(pointer) and isinstance(container, dict):
                container[key] = None
            if self._is_sound(pointer):
                self._note(pointer)
                return
            pointer = pointer.rpartition("/")[0]

    def _is_sound(self, pointer: str) -> bool:
        """Return True if the schema accepts the title after a change at a pointer. Only the changed
        block is checked, as there may be hundreds of changes."""
        block, *within = split_pointer(pointer)
        parts = raw_schema("title")["$defs"]["title"]["properties"]
        if within and block in parts:
            return part_check(parts[block])(self._whole.value[block])
        return quick_check("title")(self._whole.value)

    def mend_printed(self, theme: Theme) -> None:
        """Report characters that no font of the theme has, and replace colours that are not inks of
        the theme by gray."""
        for pointer, is_key, missing in missing_glyphs(self._whole.value, theme, None):
            self._report([replace(lacking(theme, missing), pointer=pointer, at_key=is_key)])
        unknown = list(unknown_inks(self._whole.value, theme))
        self._report(unknown)
        for name in unknown:
            if (spot := _container(self._whole.value, name.pointer)) is not None:
                container, key = spot
                container[key] = _UNKNOWN_INK
        self.mend()

    def pictures(self) -> tuple[Picture, ...]:
        """Return the pictures that can be read; remove references to others."""
        pictures, faults = read_pictures(self._whole)
        self._whole.problems += faults
        readable = {picture.id for picture in pictures}
        lost = [name for name in self._whole.value.get("pictures", {}) if name not in readable]
        if self.drop_all(join_pointer("pictures", name) for name in lost):
            self.mend()
        return pictures

    def drop_all(self, pointers: Iterable[str]) -> bool:
        """Remove values, later entries of lists first. Return False if none of them exists."""
        dropped = [self._drop(pointer) for pointer in sorted({*pointers}, key=_late_first)]
        return any(dropped)

    def _drop(self, pointer: str) -> bool:
        """Remove the value at a pointer. Return False if it does not exist."""
        spot = _container(self._whole.value, pointer)
        if spot is None:
            return False
        container, key = spot
        if not self._restore(pointer, container, key):
            self.lost[pointer] = container.pop(key)
            self._note(pointer)
        return True

    def _restore(self, pointer: str, container: Any, key: Any) -> bool:
        """Restore the earlier value at a pointer, once. Return False if there is no other earlier
        value."""
        earlier = _container(self._before, pointer)
        # Restore only once: if the earlier value is no better, the next round omits it.
        if earlier is None or pointer in self._restored or earlier[0][earlier[1]] == container[key]:
            return False
        self._restored.add(pointer)
        self.lost[pointer] = container[key]
        container[key] = copy.deepcopy(earlier[0][earlier[1]])
        return True

    def _note(self, pointer: str) -> None:
        """Record the name of a removed part."""
        if pointer not in self._noted:
            self._noted.add(pointer)
            message = f"left out of the draft: {_in_words(pointer)}"
            problem = Problem(LEFT_OUT, message, severity=severity_of(LEFT_OUT), about=pointer)
            self.left_out.append(problem.at(self._whole.place(pointer, key=True)))

    def _report(self, faults: Iterable[Problem]) -> None:
        """Add problems that are not known yet."""
        problems = self._whole.problems
        known = {(problem.code, problem.place, problem.message) for problem in problems}
        unread = {doubt.place for doubt in self._whole.root.doubts if doubt.sheet}
        for fault in faults:
            located = fault.located(self._whole.place)
            if (located.code, located.place, located.message) not in known and (
                located.place not in unread
            ):
                self._whole.problems.append(located)


def _unshared(whole: Assembled) -> Assembled:
    """Return a title whose values are shared with no file or other variant, so that they may be
    changed."""
    whole.value = copy.deepcopy(whole.value)
    return whole


def _entry(pointer: str) -> str:
    """Return the entry around a pointer that can be removed as a whole; "" for the title itself."""
    keys = split_pointer(pointer)
    for pattern in _ENTRIES:
        head = keys[: len(pattern)]
        if len(head) == len(pattern) and all(
            step in ("*", key) for step, key in zip(pattern, head, strict=True)
        ):
            return join_pointer(*head)
    return ""


def _late_first(pointer: str) -> tuple[tuple[bool, int, str], ...]:
    """Return a sort key that puts the last entries of lists first, so that earlier ones keep their
    indices."""
    # Longer keys are ids: no list is that long, and int() refuses thousands of digits.
    return tuple(
        (key.isdecimal(), -int(key) if key.isdecimal() and len(key) < 9 else 0, key)
        for key in pointer.split("/")
    )


def _container(value: Any, pointer: str) -> tuple[Any, Any] | None:
    """Return the container of the value at a pointer, and its key there; None if the value does not
    exist, or is the whole."""
    container: Any = None
    key: Any = None
    for token in split_pointer(pointer):
        container, key = value, token
        if isinstance(container, list) and token.isdecimal() and int(token) < len(container):
            key = int(token)
        elif not (isinstance(container, dict) and token in container):
            return None
        value = container[key]
    return None if container is None else (container, key)


_NOUNS = {
    "tiles": "tile",
    "companies": "company",
    "privates": "private company",
    "trains": "train",
    "phases": "phase",
    "variants": "variant",
    "aids": "player aid",
    "maps": "map",
}


def _in_words(pointer: str) -> str:
    """Return a part of a title in words: "company NR", "homes/0 of company NR", "hex B3 of map
    main", "market"."""
    block, *keys = split_pointer(pointer)
    if block == "maps" and len(keys) > 2 and keys[1] == "hexes":
        whole, rest = f"hex {keys[2]} of map {keys[0]}", keys[3:]
    elif block in _NOUNS and keys:
        whole, rest = f"{_NOUNS[block]} {keys[0]}", keys[1:]
    else:
        return "/".join((block, *keys))
    return f"{'/'.join(rest)} of {whole}" if rest else whole
