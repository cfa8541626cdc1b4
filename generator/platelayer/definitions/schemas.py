"""Schema checks with located problems in plain words.

Checks compiled from the shipped schemas accept or refuse a value; a second pass over what they
refuse finds the keywords that refuse it, and puts them into words. Both support only the keywords
that the shipped schemas use; tests verify that they agree with jsonschema.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache, reduce
from itertools import chain, islice, repeat
from operator import call, ge, gt, le
from typing import Any, NamedTuple

from msgspec.structs import replace

from platelayer.foundation.pointers import join_pointer
from platelayer.foundation.problems import MAX_PROBLEMS, Locator, Problem, Problems
from platelayer.foundation.resources import schema_path, schema_paths, shipped_json
from platelayer.foundation.suggestions import listed, slips, suggestion
from platelayer.foundation.values import Json
from platelayer.model.described import LETTERS, PLAIN_LETTERS

Check = Callable[[Any], bool]

ANNOTATIONS = frozenset({"$schema", "$id", "$defs", "title", "description", "default", "examples"})


@cache
def raw_schema(name: str) -> Json:
    """A shipped schema as written in its file, e.g. `raw_schema("title")`."""
    schema: Json = shipped_json(schema_path(name))
    return schema


@cache
def quick_check(name: str, pointer: str = "") -> Check:
    """True for values that the schema (or the part of it at `pointer`) accepts.

    Raises KeyError for a schema with an unsupported keyword.
    """
    schema = raw_schema(name)
    for token in pointer.split("/")[1:]:
        schema = schema[token]
    return _compile(schema, name)


@cache
def _homes() -> dict[int, str]:
    """Name of the schema of each part, by the identity of the part: no part is ever freed."""
    homes = {}
    for path in schema_paths():
        name = path.name.removesuffix(".schema.json")
        stack = [raw_schema(name)]
        while stack:
            part = stack.pop()
            if isinstance(part, dict):
                homes[id(part)] = name
                stack.extend(part.values())
            elif isinstance(part, list):
                stack.extend(part)
    return homes


_PARTS: dict[int, Check] = {}


def part_check(part: Any) -> Check:
    """True for values that a part of a shipped schema accepts; `part` is the same object that
    `raw_schema` holds."""
    if id(part) not in _PARTS:
        _PARTS[id(part)] = _compile(part, _homes()[id(part)])
    return _PARTS[id(part)]


def _compile(schema: Any, name: str) -> Check:
    if isinstance(schema, bool):
        return lambda _: schema
    checks: list[Check] = []
    # Type first, then size: of a list that is far too long, no entry is looked at.
    for keyword in sorted(schema, key=lambda keyword: (keyword != "type", keyword not in _SIZES)):
        if keyword not in ANNOTATIONS and _LEADS.get(keyword) not in schema:
            check = _compile_keyword(keyword, schema, name)
            about = _ABOUT.get(keyword, ())
            checks.append(
                check if not about or schema.get("type") in about else _if_it_is(about[0], check)
            )
    return (
        reduce(lambda one, other: lambda value: one(value) and other(value), checks)
        if checks
        else lambda _: True
    )


def _if_it_is(kind: str, check: Check) -> Check:
    is_kind = _TYPES[kind]
    return lambda value: not is_kind(value) or check(value)


# Pairs of pairs: `all` or `any` of a generator would double the time of most checks.


def _either(one: Check, other: Check) -> Check:
    return lambda value: one(value) or other(value)


def _compile_keyword(keyword: str, schema: Any, name: str) -> Check:
    """Check of one keyword, and of those that are read together with it, for values of the type
    that it is about. Raises KeyError for an unsupported keyword."""
    argument = schema[keyword]
    match keyword:
        case "$ref":
            file, _, pointer = argument.partition("#")
            # Cached by name and pointer: parts that many schemas refer to are compiled once.
            return quick_check(file.removesuffix(".schema.json") or name, pointer)
        case "type":
            if isinstance(argument, str):
                return _TYPES[argument]
            return reduce(_either, [_TYPES[each] for each in argument])
        case "enum" | "const":
            allowed = argument if keyword == "enum" else [argument]
            if all(isinstance(each, str) for each in allowed):
                words = frozenset(allowed)
                return lambda value: isinstance(value, str) and value in words
            # To Python, True is 1; to JSON Schema it is not.
            return lambda value: any(
                value == each and type(value) is type(each) for each in allowed
            )
        case "pattern":
            # Python compiles each of the 50,000 LETTERS, for 3 ms: only for a word that needs them.
            plain = re.compile(argument.replace(LETTERS, PLAIN_LETTERS)).fullmatch
            if LETTERS not in argument:
                return lambda value: plain(value) is not None
            return lambda value: (
                (plain(value) if value.isascii() else re.fullmatch(argument, value)) is not None
            )
        case "uniqueItems":
            return _unique_items if argument else lambda _: True
        case "required":
            required = frozenset(argument)
            return lambda value: required <= value.keys()
        case "properties" | "additionalProperties":
            known = {
                key: _compile(part, name) for key, part in schema.get("properties", {}).items()
            }
            other = _compile(schema.get("additionalProperties", True), name)
            return lambda value: all(known.get(key, other)(item) for key, item in value.items())
        case "propertyNames":
            check = _compile(argument, name)
            return lambda value: all(map(check, value))
        case "items" | "prefixItems":
            first = [_compile(part, name) for part in schema.get("prefixItems", ())]
            rest = _compile(schema.get("items", True), name)
            return lambda value: all(map(call, chain(first, repeat(rest)), value))
        case "anyOf":
            return reduce(_either, [_compile(part, name) for part in argument])
        case "if":
            condition = _compile(argument, name)
            then = _compile(schema.get("then", True), name)
            otherwise = _compile(schema.get("else", True), name)
            return lambda value: then(value) if condition(value) else otherwise(value)
    if keyword in _LENGTHS:
        is_within = _LENGTHS[keyword]
        return lambda value: is_within(len(value), argument)
    is_within = _BOUNDS[keyword]
    return lambda value: is_within(value, argument)


def _unique_items(value: Any) -> bool:
    """True for a list without duplicates, and for anything that is not a list."""
    # As JSON, entries can be hashed, and true differs from 1.
    return not isinstance(value, list) or len(set(map(json.dumps, value))) == len(value)


_TYPES: dict[str, Check] = {
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "string": lambda value: isinstance(value, str),
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "number": lambda value: isinstance(value, (int, float)) and not isinstance(value, bool),
}
_BOUNDS: dict[str, Callable[[Any, Any], bool]] = {
    "minimum": ge,
    "maximum": le,
    "exclusiveMinimum": gt,
}
_LENGTHS: dict[str, Callable[[Any, Any], bool]] = {
    "minLength": ge,
    "maxLength": le,
    "minItems": ge,
    "maxItems": le,
    "minProperties": ge,
    "maxProperties": le,
}
# Types of the values that a keyword is about: it accepts all others. The rest are about any value.
_ABOUT: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("pattern", "minLength", "maxLength"), ("string",)),
    **dict.fromkeys(("items", "prefixItems", "minItems", "maxItems"), ("array",)),
    **dict.fromkeys(("properties", "additionalProperties", "propertyNames"), ("object",)),
    **dict.fromkeys(("required", "minProperties", "maxProperties"), ("object",)),
    **dict.fromkeys(_BOUNDS, ("number", "integer")),
}
# Keywords that are read together with another, if that one is present.
_LEADS = {"then": "if", "else": "if", "prefixItems": "items", "additionalProperties": "properties"}
_SIZES = ("maxItems", "maxProperties")


# Hints that show how a value refused by a schema could be written.

Part = Json

_EXAMPLE = re.compile(r"\b(?:Examples?:|e\.g\.) ")
_DIGITS = re.compile("-?[0-9]{1,16}")
_SHORT_RGB = re.compile("#?([0-9a-fA-F]{3})")
_STEPS = re.compile("([a-z]+)_([0-9]{1,4})")
_WITHOUT_LIMIT = frozenset({"unlimited", "infinite", "all", "any", "none", "∞", 99, 999, 9999})
# Letters of a value as JSON beyond which none is proposed: nobody reads a longer hint.
_LONGEST = 200
_DEEPEST = 4


def _parts_of_key(holder: Sequence[Part], key: str) -> tuple[Part, ...]:
    """Parts that describe the value of a key, by those that describe the object."""
    for part in holder:
        if key in part.get("properties", ()):
            return _with_targets((part["properties"][key],))
    return ()


def _with_targets(parts: tuple[Part, ...]) -> tuple[Part, ...]:
    """Some parts, followed by those that the last of them refers to."""
    while parts and "$ref" in parts[-1]:
        parts = (*parts, _target(parts[-1]))
    return parts


def _target(part: Part) -> Part:
    """Part that another part of a shipped schema refers to."""
    file, _, pointer = part["$ref"].partition("#")
    target: Part = raw_schema(file.removesuffix(".schema.json") or _homes()[id(part)])
    for token in pointer.split("/")[1:]:
        target = target[token]
    return target


def _example(parts: Sequence[Part]) -> str:
    """The first example in the descriptions of some parts, as JSON that they accept; "" if there is
    none."""
    for part in parts:
        description: str = part.get("description", "")
        match = _EXAMPLE.search(description)
        if match:
            try:
                value, end = json.JSONDecoder().raw_decode(description, match.end())
            except ValueError:
                continue
            if part_check(part)(value):
                return description[match.end() : end]
    return ""


def _forms(value: Any, part: Part, depth: int = _DEEPEST) -> Iterator[Any]:
    """Forms of a value that a part might accept, the likeliest first: in a list, in an object of
    one key, with or without quotes."""
    if depth == 0:
        return
    if "$ref" in part:
        yield from _forms(value, _target(part), depth)
    for choice in part.get("anyOf", ()):
        yield from _forms(value, choice, depth)
    yield value
    types = part.get("type", ())
    if isinstance(types, str):
        types = (types,)
    is_whole = isinstance(value, int) and not isinstance(value, bool)
    if "string" in types and is_whole:
        yield str(value)
    if "string" in types and isinstance(value, str):
        yield f"#{value}"
        if short := _SHORT_RGB.fullmatch(value):
            yield "#" + "".join(digit * 2 for digit in short[1])
        yield value.replace("%s", "{}").replace("%d", "{}").replace("#", "{}")
        # Tile strings of 18xx.games.
        yield value.removeprefix("image:")
        yield value.replace("_", "stop:")
    if "integer" in types and isinstance(value, str) and _DIGITS.fullmatch(value):
        yield int(value)
    if "null" in types and not isinstance(value, (list, dict)) and value in _WITHOUT_LIMIT:
        yield None
    if "array" in types and isinstance(part.get("items"), dict):
        for form in _forms(value, part["items"], depth - 1):
            # A number in place of a list is more often a count than the only entry.
            if not isinstance(form, int):
                yield [form]
    if "object" in types and not isinstance(value, (dict, list)):
        steps = _STEPS.findall(str(value))
        if steps:
            yield {key: int(number) for key, number in steps}
        properties = part.get("properties", {})
        named = [key for key in properties if not key.startswith("$")]
        keys = part.get("required") or named[:1]
        if len(keys) == 1:
            for form in _forms(value, properties[keys[0]], depth - 1):
                yield {keys[0]: form}


class _At(NamedTuple):
    """A place in a value: its path, the parts that describe the value there (the outermost first:
    what a property says of itself before what it refers to), those of the object around it that has
    it as a property, and whether it is the name of a property."""

    path: tuple[str | int, ...]
    parts: tuple[Part, ...]
    holder: tuple[Part, ...] = ()
    is_name: bool = False

    def chosen(self, part: Part) -> _At:
        """The same place, where a choice or condition adds a part."""
        return self._replace(parts=_with_targets((*self.parts, part)))


class _Error(NamedTuple):
    """A keyword of a part that refuses a value: the `key` that it requires, or the errors of each
    choice of `anyOf`."""

    keyword: str
    part: Part
    value: Any
    at: _At
    key: str = ""
    choices: tuple[tuple[_Error, ...], ...] = ()

    @property
    def noun(self) -> str:
        """What the value should be, for a message."""
        noun: str = self.part.get("title", "allowed here")
        return noun


# Keywords whose arguments describe entries of a value.
_INNER = ("properties", "additionalProperties", "propertyNames", "prefixItems", "items")


def _errors(value: Any, part: Part, at: _At) -> Iterator[_Error]:
    """Every keyword of a part, and of those within it, that refuses something in a value, in the
    order of the schema and the file. Only what is refused is entered."""
    for keyword, argument in part.items():
        if keyword in (*ANNOTATIONS, "then", "else"):
            continue
        if keyword == "$ref":
            yield from _errors(value, _target(part), at)
        elif keyword == "if":
            branch = part.get("then" if part_check(argument)(value) else "else")
            if branch:
                yield from _errors(value, branch, at.chosen(branch))
        elif keyword == "anyOf":
            if not any(part_check(choice)(value) for choice in argument):
                choices = (_errors(value, choice, at.chosen(choice)) for choice in argument)
                found = tuple(tuple(islice(errors, MAX_PROBLEMS + 1)) for errors in choices)
                yield _Error(keyword, part, value, at, choices=found)
        elif keyword in _INNER:
            for step, item, inner in _entries(value, keyword, part):
                if argument is False:
                    yield _Error(keyword, part, value, at)
                    break
                if not part_check(inner)(item):
                    is_name = keyword == "propertyNames"
                    own = _At(
                        path=at.path if is_name else (*at.path, step),
                        parts=_with_targets((inner,)),
                        holder=at.parts if keyword == "properties" else at.holder,
                        is_name=is_name,
                    )
                    yield from _errors(item, inner, own)
        elif keyword == "required":
            for key in argument if isinstance(value, dict) else ():
                if key not in value:
                    yield _Error(keyword, part, value, at, key=key)
        else:
            is_about = all(_TYPES[kind](value) for kind in _ABOUT.get(keyword, ())[:1])
            if is_about and not _compile_keyword(keyword, part, _homes()[id(part)])(value):
                yield _Error(keyword, part, value, at)


def _entries(value: Any, keyword: str, part: Part) -> Iterator[tuple[str | int, Any, Any]]:
    """The entries of a value that a keyword describes: key or index, the entry, its part."""
    argument = part[keyword]
    if isinstance(value, dict):
        if keyword == "properties":
            yield from ((key, value[key], argument[key]) for key in argument if key in value)
        elif keyword == "propertyNames":
            yield from ((key, key, argument) for key in value)
        elif keyword == "additionalProperties":
            known = part.get("properties", ())
            yield from ((key, item, argument) for key, item in value.items() if key not in known)
    elif isinstance(value, list):
        first = part.get("prefixItems", ())
        if keyword == "prefixItems":
            yield from (
                (index, *pair) for index, pair in enumerate(zip(value, first, strict=False))
            )
        elif keyword == "items":
            yield from ((index, value[index], argument) for index in range(len(first), len(value)))


def schema_problems(value: Any, schema: str, place: Locator) -> tuple[Problem, ...]:
    """Everything in `value` that a shipped schema refuses; `place` gives the place of a pointer.
    Empty if the value is sound.

    Codes: SC01 wrong type, SC02 unknown key, SC03 missing key, SC04 value not allowed, SC05 more
    than MAX_PROBLEMS.
    """
    if quick_check(schema)(value):
        return ()
    whole = raw_schema(schema)
    errors = _errors(value, whole, _At((), _with_targets((whole,))))
    faults = list(
        islice((fault for error in errors for fault in _explain(error)), MAX_PROBLEMS + 1)
    )
    problems = [fault.located(place) for fault in _without_shadows(faults[:MAX_PROBLEMS])]
    if len(faults) > MAX_PROBLEMS:
        message = f"only the first {MAX_PROBLEMS} problems are listed"
        problems.append(Problem("SC05", message).at(place("")))
    return tuple(problems)


def shown(value: Any) -> str:
    """A value as JSON, shortened to fit a message."""
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 50 else text[:46] + " ..."


def quoted(word: str) -> str:
    """A word in quotes, shortened to fit a message."""
    return f'"{word}"' if len(word) <= 50 else f'"{word[:46]} ..."'


def _without_shadows(faults: Sequence[Problem]) -> Problems:
    """Drops a missing key if an unknown key next to it is a misspelling of it: one mistake, one
    problem."""
    meant = {
        (fault.pointer.rpartition("/")[0], fault.hint.split('"')[1])
        for fault in faults
        if fault.code == "SC02" and fault.hint
    }
    for fault in faults:
        name = fault.message.split('"')[1] if fault.code == "SC03" else ""
        if not name or (fault.pointer, name) not in meant:
            yield fault


def _explain(error: _Error) -> Problems:
    """An error as faults in plain words."""
    at, value = error.at, error.value
    pointer = join_pointer(*at.path)
    if at.is_name:
        message = f"the key {quoted(value)} is not {error.noun}"
        yield Problem("SC04", message, pointer=pointer + join_pointer(value), at_key=True)
        return
    if error.keyword != "anyOf":
        for fault in _explain_keyword(error, pointer):
            yield _with_form(fault, error)
        return
    # Of the errors of all choices, only those of the intended one count, which has the type of the
    # value. If they add nothing to the title of the choice, that is all there is to report.
    meant = [
        errors
        for errors in error.choices
        if not any(inner.at.path == at.path and inner.keyword == "type" for inner in errors)
    ]
    deep = [errors for errors in meant if not any(_is_of_whole(inner, at) for inner in errors)]
    if deep:
        for inner in min(deep, key=len):
            yield from _explain(inner)
        return
    inners = (inner for errors in meant for inner in errors)
    words = [inner.part["const"] for inner in inners if inner.keyword == "const"]
    fault = Problem(
        "SC04" if meant else "SC01",
        f"{shown(value)} is not {error.noun}",
        suggestion(value, words) if isinstance(value, str) else "",
        pointer=pointer,
    )
    yield _with_form(fault, error)


def _is_of_whole(error: _Error, at: _At) -> bool:
    """True if an error is about the value of the choice itself and the title of the choice already
    says as much."""
    if error.at.path != at.path or error.at.is_name:
        return False
    return error.keyword in ("const", "pattern", "minimum", "maximum", "minLength")


def _with_form(fault: Problem, error: _Error) -> Problem:
    """A fault whose hint also shows a form that the schema accepts: the given value in that form,
    or an example."""
    parts, value = error.at.parts, error.value
    if fault.code in ("SC02", "SC03"):
        named = fault.message.split('"')[1]
        meant = named
        if fault.code == "SC02":
            if named.casefold() not in slips():
                return fault
            meant = fault.hint.partition('"')[2].partition('"')[0]
        given = _example(_parts_of_key(parts, meant))
        return replace(fault, hint=f"{fault.hint} Example: {given}".lstrip()) if given else fault
    if fault.hint:
        return fault
    if len(json.dumps(value, ensure_ascii=False, default=str)) <= _LONGEST:
        for form in _forms(value, parts[0]):
            if part_check(parts[0])(form):
                written = json.dumps(form, ensure_ascii=False)
                quotes = " without quotes" if written == value else ""
                return replace(fault, hint=f"write {written}{quotes}")
    if value and isinstance(value, str):
        # "unlimited" in place of a number may be a key of the same object.
        flag = _parts_of_key(error.at.holder, value)
        if flag and part_check(flag[0])(True):
            return replace(fault, hint=f'write a number, and "{value}": true beside it')
    given = _example(parts)
    return replace(fault, hint=f"example: {given}" if given and given not in fault.message else "")


_TYPE_WORDS = {
    "object": "an object {...}",
    "array": "a list [...]",
    "string": "text in quotes",
    "boolean": "true or false",
    "null": "null",
    "integer": "a whole number",
    "number": "a number",
}


def _explain_keyword(error: _Error, pointer: str) -> Problems:
    value, argument = error.value, error.part[error.keyword]
    properties = error.part.get("properties", {})
    code, hint = "SC04", ""
    match error.keyword:
        case "type":
            types = [argument] if isinstance(argument, str) else argument
            words = " or ".join(_TYPE_WORDS[name] for name in types)
            code, message = "SC01", f"{shown(value)} is not {words}"
        case "additionalProperties":
            known = [key for key in properties if not key.startswith("$")]
            free = [key for key in known if key not in value]
            allowed = "no keys are allowed here"
            if known:
                allowed = f"allowed here: {listed(free or known, most=8)}"
            for key in value:
                if key not in properties:
                    yield Problem(
                        "SC02",
                        f"unknown key {quoted(key)}; {allowed}",
                        suggestion(key, free),
                        pointer=pointer + join_pointer(key),
                        at_key=True,
                    )
            return
        case "required":
            key = error.key
            code, message = "SC03", f'the key "{key}" is missing'
            description = properties.get(key, {}).get("description", "")
            if description:
                hint = f"{key}: {description.split('. ')[0].rstrip('.')}."
        case "enum":
            texts = [each for each in argument if isinstance(each, str)]
            message = f"{shown(value)} is not {error.noun}; allowed: {listed(texts, most=40)}"
            if isinstance(value, str):
                hint = suggestion(value, texts)
            else:
                code = "SC01"
        case "const" | "pattern":
            noun = error.part.get("title", f"allowed here: it must match {argument}")
            message = f"{shown(value)} is not {noun}"
        case keyword:
            words = _LIMITS_IN_WORDS.get(keyword, "{value} is not allowed here")
            message = words.format(value=shown(value), bound=argument)
    yield Problem(code, message, hint, pointer=pointer)


_LIMITS_IN_WORDS = {
    "minimum": "{value} is too small; at least {bound} is needed",
    "exclusiveMinimum": "{value} is too small; more than {bound} is needed",
    "maximum": "{value} is too large; at most {bound} is allowed",
    "minLength": "the text {value} has too few characters; the minimum is {bound}",
    "maxLength": "the text {value} has too many characters; the maximum is {bound}",
    "minItems": "the list {value} has too few entries; the minimum is {bound}",
    "maxItems": "the list {value} has too many entries; the maximum is {bound}",
    "minProperties": "the object {value} has too few keys; the minimum is {bound}",
    "maxProperties": "the object {value} has too many keys; the maximum is {bound}",
    "uniqueItems": "the list {value} contains the same entry twice",
}
