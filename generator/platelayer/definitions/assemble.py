"""A title's JSON, assembled from its files and patched, with the place of every part; and facts in
its texts ({cash.4}, {train.5.price} and the like), filled from the definition itself."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from errno import ENAMETOOLONG
from itertools import islice
from pathlib import Path
from stat import S_ISDIR
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from platelayer.definitions.decode import decode, keys_of
from platelayer.definitions.schemas import schema_problems
from platelayer.definitions.source import (
    MADE_VARIANTS,
    Document,
    document_problems,
    is_there,
    other_file,
    read_document,
)
from platelayer.foundation.door import NotRead, joined
from platelayer.foundation.problems import (
    Place,
    Problem,
    Problems,
    ProblemsFound,
    Severity,
    join_pointer,
    split_pointer,
)
from platelayer.foundation.resources import title_ids, title_path
from platelayer.foundation.text import listed, suggestion
from platelayer.foundation.values import Json
from platelayer.model.described import Block, unwrapped
from platelayer.model.market import Market
from platelayer.model.title import Title, printed_amount

# A printed brace, or the path of a fact. Other braces, such as {0} and { } around words, stay
# unchanged.
_BRACES = re.compile(r"\{\{|\}\}|\{([^\W\d][^{}\s]*)\}")
# Keys below which braces mean something else, or no text mentions facts of the title. Coasts are
# points: they are most of a large map, and read at every edit.
_NO_FACTS = frozenset(
    ("$comment", "$schema", "coasts", "currency", "terms", "hexes", "map_tiles", "tiles")
)
# Keys whose texts are not filled in here; a patch is filled in when it is applied.
_NO_TEXTS = _NO_FACTS | {"patch"}
UNKNOWN_FACT = "RF24"
# Suffix of the path of an amount: omit the currency sign.
_PLAIN = ".number"


def with_facts(title: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return an assembled title with the facts in its texts filled; paths that lead nowhere stay as
    they are. Parts without facts are the same objects."""
    filled: Mapping[str, Any] = filling(title)(title, ())
    return filled


def filling(title: Mapping[str, Any]) -> Callable[[Any, Iterable[str]], Any]:
    """Return a function that fills the facts in any part of a title, given the keys that lead
    there."""
    known = _Known(title)

    def fill(_at: tuple[str | int, ...], words: str) -> str:
        return _BRACES.sub(lambda found: known.shown(found) or found[0], words)

    return lambda part, keys: (
        _mapped({"": part}, (), fill)[""] if _NO_TEXTS.isdisjoint(keys) else part
    )


def fact_faults(title: Mapping[str, Any]) -> Problems:
    """Yield RF24 for each path in a text of an assembled title that leads to no fact."""
    known = _Known(title)
    faults = []

    def look(at: tuple[str | int, ...], words: str) -> str:
        for found in _BRACES.finditer(words):
            if found[1] is not None and known.shown(found) is None:
                faults.append(known.fault(found[1], join_pointer(*at)))
        return words

    _mapped(title, (), look)
    yield from faults


def with_id_in_facts(words: str, fault: Problem, old: str, new: str) -> str:
    """Return a text with another id in the path that a fault is about."""
    found = _BRACES.search(fault.message)
    path = found[1] if found is not None else ""
    return words.replace(
        f"{{{path}}}", f"{{{re.sub(rf'(?<=[.]){re.escape(old)}(?=[.]|$)', lambda _: new, path)}}}"
    )


def escaped(definition: Any) -> Any:
    """Return a definition from another source with its braces escaped, so that they print as they
    are and name no facts."""
    return _mapped(
        definition, (), lambda _at, words: words.replace("{", "{{").replace("}", "}}"), _NO_FACTS
    )


def _mapped(
    value: Any,
    at: tuple[str | int, ...],
    change: Callable[[tuple[str | int, ...], str], str],
    skipped: frozenset[str] = _NO_TEXTS,
) -> Any:
    """Return a list or an object with those of its strings changed that contain braces; the same
    object if there are none."""
    changed = {}
    for key, item in value.items() if isinstance(value, dict) else enumerate(value):
        if key in skipped:
            continue
        other = item
        if isinstance(item, str):
            if "{" in item or "}" in item:
                other = change((*at, key), item)
        elif isinstance(item, (dict, list)):
            other = _mapped(item, (*at, key), change, skipped)
        if other is not item:
            changed[key] = other
    if not changed:
        return value
    if isinstance(value, list):
        return [changed.get(number, item) for number, item in enumerate(value)]
    return {**value, **changed}


class _Known:
    """The facts of a title by path, computed when a text first names one."""

    def __init__(self, title: Mapping[str, Any]) -> None:
        self._title = title
        self._facts: dict[str, str] | None = None

    @property
    def facts(self) -> Mapping[str, str]:
        if self._facts is None:
            self._facts = dict(_facts(self._title))
        return self._facts

    def shown(self, found: re.Match[str]) -> str | None:
        """Return the printed form of a path in braces; None if it leads nowhere."""
        return found[0][0] if found[1] is None else self.facts.get(found[1])

    def fault(self, path: str, pointer: str) -> Problem:
        first = path.partition(".")[0]
        plain = [fact for fact in self.facts if not fact.endswith(_PLAIN)]
        beside = [fact for fact in plain if fact.startswith(f"{path}.")]
        beside = beside or [fact for fact in plain if fact.partition(".")[0] == first]
        kinds = dict.fromkeys(fact.partition(".")[0] for fact in plain)
        known = (
            listed(beside, most=8)
            if beside
            else f"they begin with {listed(kinds, most=12)}"
            if kinds
            else "none"
        )
        hint = suggestion(path, plain) or "a brace that is printed is written {{ or }}"
        message = f"there is no fact {{{path}}} in this title; known: {known}"
        return Problem(UNKNOWN_FACT, message, hint, pointer=pointer)


def _facts(title: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield paths and what they print. A property of several companies or cards is a fact if it is
    the same for all."""
    currency = title.get("currency", "{}")
    values_of: dict[tuple[str, bool], set[int]] = {}
    for path, value, is_money in _found(title):
        if isinstance(value, int) and not isinstance(value, bool):
            values_of.setdefault((path, is_money), set()).add(value)
    for (path, is_money), (value, *others) in values_of.items():
        if not others:
            yield path, printed_amount(value, currency) if is_money else str(value)
            if is_money:
                yield path + _PLAIN, printed_amount(value, "{}")


def _found(title: Mapping[str, Any]) -> Iterator[tuple[str, Any, bool]]:
    """Yield path, value and whether it is money; values may be missing."""
    yield "bank", title.get("bank"), True
    for players, given in title.get("players", {}).items():
        yield f"cash.{players}", given.get("cash"), True
        yield f"bank.{players}", given.get("bank"), True
        limit = given.get("certificate_limit")
        yield f"certificate_limit.{players}", limit, False
        for left, own in limit.items() if isinstance(limit, dict) else ():
            yield f"certificate_limit.{players}.{left}", own, False
    for company_id, company in {**title.get("privates", {}), **title.get("companies", {})}.items():
        for name in filter(
            None, dict.fromkeys((company_id, company.get("kind"), company.get("size")))
        ):
            lead = f"company.{name}"
            yield f"{lead}.value", company.get("value"), True
            yield f"{lead}.income", company.get("income"), True
            yield f"{lead}.float", company.get("float_percent"), False
            for number, price in enumerate(company.get("stations", ()), 1):
                yield f"{lead}.station.{number}", price, True
    for phase_id, phase in title.get("phases", {}).items():
        yield f"phase.{phase_id}.rounds", phase.get("operating_rounds"), False
        for who, limit in phase.get("train_limits", {}).items():
            yield f"phase.{phase_id}.limit", limit, False
            yield f"phase.{phase_id}.limit.{who}", limit, False
    yield from _trains(title)
    yield from _prices(title.get("market"))
    yield from _courses(title)


def _trains(title: Mapping[str, Any]) -> Iterator[tuple[str, Any, bool]]:
    """Yield trains by the names on their cards, and cards with one train also by their ids."""
    for train_id, card in title.get("trains", {}).items():
        yield f"train.{train_id}.count", card.get("count"), False
        faces = card.get("faces", [card])
        for face in faces:
            for name in filter(
                None, dict.fromkeys((face.get("name"), train_id if len(faces) == 1 else None))
            ):
                yield f"train.{name}.price", face.get("price"), True
                for trade in face.get("trade_ins", ()):
                    yield f"train.{name}.price.{trade['train']}", trade["price"], True


def _courses(title: Mapping[str, Any]) -> Iterator[tuple[str, Any, bool]]:
    """Yield the course of the game: cycles, the values of rounds, and the modes of a game with map
    tiles."""
    pieces = title.get("pieces", {})
    yield "cycles", pieces.get("cycles"), False
    for entry in pieces.get("rounds", ()):
        yield f"round.{entry['id']}", entry.get("amount"), True
    for mode_id, mode in (title.get("atlas") or {}).get("modes", {}).items():
        yield f"mode.{mode_id}.cycles", mode.get("cycles"), False
        for players, cash in mode.get("cash", {}).items():
            yield f"mode.{mode_id}.cash.{players}", cash, True
        for train, count in mode.get("trains", {}).items():
            yield f"mode.{mode_id}.train.{train}", count, False


def _prices(market: Mapping[str, Any] | None) -> Iterator[tuple[str, int, bool]]:
    """Yield prices of the market, and start prices (the only one, the minimum, the maximum, and
    each by its number from 1), of all zones together and of each zone."""
    if not isinstance(market, dict):
        return
    board = decode(Market, market)
    cells = [cell for row in board.rows for cell in row if cell is not None]
    for end, price in _ends(sorted({cell.price for cell in cells})):
        yield f"market.{end}", price, True
    zones = [("par", {zone.id for zone in board.zones if zone.par})]
    zones += [(f"par.{zone.id}", {zone.id}) for zone in board.zones if zone.par]
    for path, letters in zones:
        prices = sorted({cell.price for cell in cells if letters & set(cell.zones)})
        if len(prices) == 1:
            yield path, prices[0], True
        for end, price in _ends(prices):
            yield f"{path}.{end}", price, True
        for number, price in enumerate(prices, 1):
            yield f"{path}.{number}", price, True


def _ends(prices: list[int]) -> tuple[tuple[str, int], ...]:
    return (("least", prices[0]), ("most", prices[-1])) if prices else ()


# JSON merge patches (RFC 7396).


# Result if no patch can express the change: a null that replaces another value, or that is inside a
# new object.
NEVER = object()


def merge_patch(target: Any, patch: Any) -> Any:
    """Return the target after an RFC 7396 merge patch. Neither argument is modified; unchanged
    parts are shared."""
    if not isinstance(patch, dict):
        return patch
    merged = dict(target) if isinstance(target, dict) else {}
    for key, change in patch.items():
        if change is None:
            merged.pop(key, None)
        else:
            merged[key] = merge_patch(merged.get(key), change)
    return merged


def patch_between(before: Any, after: Any) -> Any:
    """Return the merge patch that turns one value into another; where none can, it contains NEVER.
    Neither argument is modified."""
    if not isinstance(before, dict) or not isinstance(after, dict):
        return NEVER if _has_null(after) else after
    changes = {
        key: patch_between(before.get(key), value)
        for key, value in after.items()
        if key not in before or before[key] != value
    }
    return {**{key: None for key in before if key not in after}, **changes}


def says_all(patch: Any) -> bool:
    """Return False for a patch that contains NEVER."""
    return patch is not NEVER and not (
        isinstance(patch, dict) and not all(map(says_all, patch.values()))
    )


def _has_null(value: Any) -> bool:
    """Return True if an object that a patch would create contains a null; nulls in lists are kept
    by patches."""
    return value is None or (isinstance(value, dict) and any(map(_has_null, value.values())))


# Blocks that may be in a file of their own, with the schema of such a file.
BLOCK_SCHEMAS = {
    key: mark.schema
    for key, described in keys_of(Title)
    for mark in unwrapped(described).marks
    if isinstance(mark, Block)
}
# Maximum number of files that a title may name. The schema refuses more than 12 maps, so nothing
# after them needs to be read.
_MOST_FILES = len(BLOCK_SCHEMAS) + 12


class Assembled(Struct, kw_only=True):
    """A title in one piece.

    `origins` maps pointers of `value` to the document and pointer they come from (a value without
    an entry comes from the same place as its container). `unsound` names the blocks that must not
    be read because they break a schema. `problems` are those found so far. `variant` is the one
    applied, `companies` are those of the title without it.
    """

    root: Document
    value: Json
    origins: dict[str, tuple[Document, str]]
    problems: list[Problem] = []
    unsound: set[str] = set()
    variant: str | None = None
    companies: Json = {}

    def copy(self) -> Assembled:
        """Return a copy to which a variant can be applied."""
        return replace(
            self, problems=[*self.problems], origins={**self.origins}, unsound={*self.unsound}
        )

    def place(self, pointer: str, *, key: bool = False) -> Place:
        """Return the place of the value (or its key) at a pointer of the assembled title."""
        document, inside = self.source(pointer)
        return document.place(inside, key=key)

    def source(self, pointer: str) -> tuple[Document, str]:
        """Return the document that the value at a pointer of the assembled title comes from, and
        its pointer there."""
        around = pointer
        while around not in self.origins:
            around = around.rpartition("/")[0]
        document, base = self.origins[around]
        return document, base + pointer[len(around) :]

    def doubted(self) -> Iterator[str]:
        """Yield pointers of the assembled title at which a file is ambiguous or not JSON."""
        for pointer, (document, base) in self.origins.items():
            for doubt in document.doubts:
                if doubt.severity is Severity.ERROR and doubt.pointer.startswith(base):
                    yield pointer + doubt.pointer.removeprefix(base)

    def refuse(self, block: str, *problems: Problem) -> None:
        """Add problems, and mark the block as unsound."""
        self.problems += problems
        self.unsound.add(block)


def find_title(reference: str | Path) -> tuple[Path, str]:
    """Return the title file of a shipped id, a folder or a path, and its name as the user would
    type it.

    Raises ProblemsFound (RF09 for an unknown id or path, FI01 for a folder without title.json).
    """
    words = str(reference)
    path = Path(reference)
    known = title_ids()
    if isinstance(reference, str) and reference in known:
        shipped, here = title_path(reference) / "title.json", Path.cwd()
        within = shipped.is_relative_to(here)
        return shipped, str(shipped.relative_to(here) if within else shipped)
    looks_like_path = (
        "/" in words or "\\" in words or words.endswith(".json") or words in (".", "..")
    )
    try:
        mode = path.stat().st_mode
        is_folder, exists = S_ISDIR(mode), True
    except (OSError, ValueError) as error:
        if isinstance(error, OSError) and error.errno == ENAMETOOLONG:
            message = f"a name that begins with {words[:40]!a} is too long for a file"
            raise ProblemsFound([Problem("RF09", message)]) from error
        is_folder = exists = False
    if is_folder:
        try:
            inside = joined(path, "title.json")
        except NotRead as error:
            raise error.found(words) from error
        if not is_there(inside) and other_file(path):
            return path, words
        if not is_there(inside):
            message = "there is no title.json in this folder"
            raise ProblemsFound([Problem("FI01", message, file=words)])
        return inside, str(inside)
    if exists or looks_like_path or other_file(path):
        return path, words
    message = f'there is no title "{words}"; known titles: {listed(known) or "none"}'
    hint = suggestion(words, known)
    hint = hint or "name a title, a folder with a title.json in it, or a .json file"
    raise ProblemsFound([Problem("RF09", message, hint)])


def assemble_title(reference: str | Path, variant: str | None = None) -> Assembled:
    """Read a title with the files it names, check each by its schema, and apply a variant.

    Raises ProblemsFound only if the work cannot continue (the title file cannot be read or is not
    an object, or the variant is unknown); everything else is collected in `problems`.
    """
    path, file = find_title(reference)
    root = read_document(path, file)
    problems = document_problems(root, "title")
    if not isinstance(root.value, dict):
        raise ProblemsFound(problems)
    whole = Assembled(root=root, value=dict(root.value), origins={"": (root, "")})
    for problem in problems:
        if problem.severity is Severity.ERROR:
            whole.refuse((split_pointer(problem.pointer) or ("",))[0], problem)
        else:
            whole.problems.append(problem)
    _include_blocks(whole)
    if variant is not None:
        apply_variant(whole, variant)
    return whole


def _named_blocks(value: Json) -> Iterator[tuple[tuple[str, ...], str, str, str]]:
    """Yield, for each block given as a path: the keys that lead to it, its name in its file, the
    schema of that file, and the file's path."""
    blocks: list[tuple[tuple[str, ...], str, str, Any]] = [
        ((block,), block, schema, value.get(block)) for block, schema in BLOCK_SCHEMAS.items()
    ]
    maps = value.get("maps")
    if isinstance(maps, dict):
        blocks += ((("maps", name), "map", "map", entry) for name, entry in maps.items())
    for keys, name, schema, file in blocks:
        if isinstance(file, str) and file.endswith(".json"):
            yield keys, name, schema, file


def _include_blocks(whole: Assembled) -> None:
    """Replace paths by the blocks in those files. Problems: RF08 for a file outside the title's
    folder or that does not exist, FI and JS codes for one that cannot be read."""
    for keys, name, schema, file in tuple(islice(_named_blocks(whole.value), _MOST_FILES)):
        block, pointer = keys[0], join_pointer(*keys)
        try:
            path = file_in_folder(whole, file, pointer, pattern="*.json")
            document = read_document(*path)
        except ProblemsFound as error:
            whole.refuse(block, *error.problems)
            continue
        problems = document_problems(document, schema)
        if problems:
            whole.refuse(block, *problems)
        part = document.value.get(name) if isinstance(document.value, dict) else None
        if part is None:
            continue
        # The file replaces the whole block, including earlier changes by patches.
        within = f"{pointer}/"
        whole.origins = {
            old: origin for old, origin in whole.origins.items() if not old.startswith(within)
        }
        whole.origins[pointer] = (document, "/" + name)
        if len(keys) == 1:
            whole.value[block] = part
        else:
            whole.value[block] = whole.value[block] | {keys[1]: part}


def file_in_folder(whole: Assembled, name: str, pointer: str, *, pattern: str) -> tuple[Path, str]:
    """Return the path of a file in the title's folder that the title names at `pointer`, and the
    same as the user would type it. Raises ProblemsFound with RF08 if it is outside the folder or
    does not exist; the hint suggests files that match `pattern`."""
    folder = whole.root.path.parent
    try:
        path = joined(folder, name)
    except NotRead as error:
        message = f'"{name}" leads out of the title folder'
        hint = "put the file in the title folder and give a path without .."
        problem = Problem("RF08", message, hint)
        raise ProblemsFound([problem.at(whole.place(pointer))]) from error
    try:
        exists = is_there(path)
    except (OSError, ValueError, RuntimeError):
        exists = False
    if not exists:
        files = (file.relative_to(folder).as_posix() for file in sorted(folder.rglob(pattern)))
        message = f'there is no file "{name}" in the title folder'
        problem = Problem("RF08", message, suggestion(name, files))
        raise ProblemsFound([problem.at(whole.place(pointer))])
    return path, str(Path(whole.root.file).parent / name)


def apply_variant(whole: Assembled, variant: str) -> None:
    """Patch a title with a variant and those that it includes. Raises ProblemsFound (RF09) for an
    unknown variant, and what a function of MADE_VARIANTS raises."""
    variants = whole.value.get("variants") or {}
    if "variants" in whole.unsound:
        raise ProblemsFound(whole.problems)
    whole.variant = variant
    kind, equals, source = variant.partition("=")
    make = MADE_VARIANTS.get(kind) if equals else None
    if make is None and variant not in variants:
        message = f'there is no variant "{variant}"; known variants: {listed(variants) or "none"}'
        problem = Problem("RF09", message, suggestion(variant, variants))
        raise ProblemsFound([*whole.problems, problem.at(whole.place("/variants"))])
    if whole.unsound:
        return  # patching an unsound block would only add noise
    if make is not None:
        name, base, change = make(whole.value, source)
        if base is not None:
            apply_variant(whole, base)
        whole.companies = whole.companies or whole.value.get("companies", {})
        # Fill in facts first, because the change may remove facts that texts name.
        whole.variant, whole.value = name, change(escaped(with_facts(whole.value)))
        return
    whole.companies = whole.value.get("companies", {})
    unpatched = whole.value
    for variant_id in _in_order(whole, variants, variant):
        patch = variants[variant_id]["patch"]
        document, base = whole.root, join_pointer("variants", variant_id, "patch")
        gone = {*_idle(unpatched, patch)}  # values that an earlier variant removed are no mistake
        for pointer in gone.intersection(_idle(whole.value, patch)) if gone else ():
            idle = Problem(
                "RF23",
                f"variant {variant_id} removes {pointer}, which the title does not have",
                "check its name",
                severity=Severity.WARNING,
            )
            whole.problems.append(idle.at(document.place(base + pointer, key=True)))
        changed = _changes(whole.value, patch)
        whole.origins |= {pointer: (document, base + pointer) for pointer in changed}
        whole.value = merge_patch(whole.value, patch)
        _include_blocks(whole)
    # Pointers to problems of the patched title refer to its files, so every block counts as
    # unsound. Problems of a file that a patch names have already been found in that file.
    problems = schema_problems(whole.value, "title", whole.place)
    whole.problems += [problem for problem in problems if problem not in whole.problems]
    if problems:
        whole.unsound |= {"", *whole.value}


def _in_order(whole: Assembled, variants: Json, variant: str) -> tuple[str, ...]:
    """Return a variant preceded by all that it includes, without repetition. Raises ProblemsFound
    (RF09) for a variant that is unknown or includes itself."""
    order: dict[str, None] = {}

    def visit(name: str, above: tuple[str, ...]) -> None:
        for index, included in enumerate(variants[name].get("includes", ())):
            message = hint = ""
            if included not in variants:
                message = f'there is no variant "{included}"; known variants: {listed(variants)}'
                hint = suggestion(included, variants)
            elif included in (*above, name):
                message = f'variant "{name}" includes "{included}", which includes it'
            if message:
                place = whole.place(join_pointer("variants", name, "includes", index))
                problem = Problem("RF09", message, hint)
                raise ProblemsFound([*whole.problems, problem.at(place)])
            if included not in order:
                visit(included, (*above, name))
        order[name] = None

    visit(variant, ())
    return tuple(order)


def _idle(target: Any, patch: Any, pointer: str = "") -> Iterator[str]:
    """Yield pointers of values that a merge patch removes although they do not exist."""
    if not (isinstance(patch, dict) and isinstance(target, dict)):
        return
    for key, change in patch.items():
        at = pointer + join_pointer(key)
        if change is None and key not in target:
            yield at
        else:
            yield from _idle(target.get(key), change, at)


def _changes(target: Any, patch: Any, pointer: str = "") -> Iterator[str]:
    """Yield pointers of values that a merge patch adds or replaces."""
    if not (isinstance(target, dict) and isinstance(patch, dict)):
        if pointer:
            yield pointer
        target = {}
    if isinstance(patch, dict):
        for key, change in patch.items():
            if change is not None:
                yield from _changes(target.get(key), change, pointer + join_pointer(key))
