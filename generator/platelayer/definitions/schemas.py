"""Schema checks with located problems in plain words.

Checks compiled from the shipped schemas accept or refuse a value. Only refused values are given to
jsonschema, whose errors are then put into words: importing it takes longer than everything else
that `check` does. The compiled checks support only the keywords that the shipped schemas use; tests
verify that they agree with jsonschema.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, reduce
from itertools import chain, islice, repeat
from operator import call, ge, gt, le
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from platelayer.foundation.problems import MAX_PROBLEMS, Locator, Problem, Problems, join_pointer
from platelayer.foundation.resources import schema_path, schema_paths, shipped_json
from platelayer.foundation.text import listed, slips, suggestion
from platelayer.foundation.values import Json
from platelayer.model.described import LETTERS, PLAIN_LETTERS

if TYPE_CHECKING:
    from jsonschema.protocols import Validator


Check = Callable[[Any], bool]

ANNOTATIONS = frozenset({"$schema", "$id", "$defs", "title", "description", "default", "examples"})


@cache
def raw_schema(name: str) -> Json:
    """Return a shipped schema as written in its file, e.g. `raw_schema("title")`."""
    schema: Json = shipped_json(schema_path(name))
    return schema


@cache
def quick_check(name: str, pointer: str = "") -> Check:
    """Return a check that is True for values that the schema (or the part of it at `pointer`)
    accepts.

    Raises KeyError for a schema with an unsupported keyword.
    """
    schema = raw_schema(name)
    for token in pointer.split("/")[1:]:
        schema = schema[token]
    return _compile(schema, name)


@cache
def _homes() -> dict[int, str]:
    """Return the name of the schema of each part, by the identity of the part: no part is ever
    freed."""
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
    """Return a check that is True for values that a part of a shipped schema accepts; `part` is the
    same object that `raw_schema` holds."""
    # Cached by id(): a part is a dict, which cannot be hashed, and equal parts of two files may
    # refer to different targets by the same "#/...". The shipped schemas live as long as the
    # process.
    if id(part) not in _PARTS:
        _PARTS[id(part)] = _compile(part, _homes()[id(part)])
    return _PARTS[id(part)]


def _compile(schema: Any, name: str) -> Check:
    if isinstance(schema, bool):
        return lambda _: schema
    checks: list[Check] = []
    # Check the type first, then the size, so that no entry of a list that is far too long is
    # examined.
    for keyword in sorted(schema, key=lambda keyword: (keyword != "type", keyword not in _SIZES)):
        if keyword not in ANNOTATIONS and _LEADS.get(keyword) not in schema:
            check = _compile_keyword(keyword, schema, name)
            about = _ABOUT.get(keyword, ())
            checks.append(
                check if not about or schema.get("type") in about else _if_it_is(about[0], check)
            )
    return _all_of(checks)


def _all_of(checks: Sequence[Check]) -> Check:
    # Written as single expressions: `all` with a generator, or nested pairs, would double the time
    # of most checks.
    match checks:
        case []:
            return lambda _: True
        case [one]:
            return one
        case [one, two]:
            return lambda value: one(value) and two(value)
        case [one, two, three]:
            return lambda value: one(value) and two(value) and three(value)
    one, two, three, *more = checks
    rest = _all_of(more)
    return lambda value: one(value) and two(value) and three(value) and rest(value)


def _if_it_is(kind: str, check: Check) -> Check:
    is_kind = _TYPES[kind]
    return lambda value: not is_kind(value) or check(value)


def _either(one: Check, other: Check) -> Check:
    return lambda value: one(value) or other(value)


def _compile_keyword(keyword: str, schema: Any, name: str) -> Check:
    """Return the check of one keyword, and of those that are evaluated together with it, for values
    of the type it applies to. Raises KeyError for an unsupported keyword."""
    argument = schema[keyword]
    match keyword:
        case "$ref":
            file, _, pointer = argument.partition("#")
            # Cached by name and pointer, so that parts that many schemas refer to are compiled
            # once.
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
            # In Python True equals 1, in JSON Schema it does not.
            return lambda value: any(
                value == each and type(value) is type(each) for each in allowed
            )
        case "pattern":
            # Python takes 3 ms to compile the 50,000 LETTERS, so do it only for a text that needs
            # them.
            plain = re.compile(argument.replace(LETTERS, PLAIN_LETTERS)).fullmatch
            if LETTERS not in argument:
                return lambda value: plain(value) is not None
            return lambda value: (
                (plain(value) if value.isascii() else re.fullmatch(argument, value)) is not None
            )
        case "uniqueItems":
            # Compare as JSON text, which can be hashed and distinguishes true from 1.
            return lambda value: (
                not (argument and isinstance(value, list))
                or len(set(map(json.dumps, value))) == len(value)
            )
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
            if not first:
                return lambda value: all(map(rest, value))
            return lambda value: all(map(call, chain(first, repeat(rest)), value))
        case "anyOf":
            return reduce(_either, [_compile(part, name) for part in argument])
        case "minimum" if "maximum" in schema:
            most = schema["maximum"]
            return lambda value: argument <= value <= most
        case "maxItems" if "minItems" in schema:
            least = schema["minItems"]
            return lambda value: least <= len(value) <= argument
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


_TYPES: dict[str, Check] = {
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "string": lambda value: isinstance(value, str),
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
    "integer": lambda value: type(value) is int,
    # Compare classes, as True is an int in Python.
    "number": lambda value: type(value) is int or type(value) is float,
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
# Types to which a keyword applies; it accepts all other values. Keywords not listed apply to all
# types.
_ABOUT: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("pattern", "minLength", "maxLength"), ("string",)),
    **dict.fromkeys(("items", "prefixItems", "minItems", "maxItems"), ("array",)),
    **dict.fromkeys(("properties", "additionalProperties", "propertyNames"), ("object",)),
    **dict.fromkeys(("required", "minProperties", "maxProperties"), ("object",)),
    **dict.fromkeys(_BOUNDS, ("number", "integer")),
}
# Keywords that are evaluated as part of another one, if that one is present.
_LEADS = {
    "then": "if",
    "else": "if",
    "prefixItems": "items",
    "additionalProperties": "properties",
    "maximum": "minimum",
    "minItems": "maxItems",
}
_SIZES = ("maxItems", "maxProperties")


# Hints that show how to write a value that a schema refused.

Part = Json

_OF_THE_SAME_VALUE = frozenset({"anyOf", "then", "else"})
_EXAMPLE = re.compile(r"\b(?:Examples?:|e\.g\.) ")
_DIGITS = re.compile("-?[0-9]{1,16}")
_SHORT_RGB = re.compile("#?([0-9a-fA-F]{3})")
_STEPS = re.compile("([a-z]+)_([0-9]{1,4})")
_WITHOUT_LIMIT = frozenset({"unlimited", "infinite", "all", "any", "none", "∞", 99, 999, 9999})
# Maximum length of a proposed value as JSON: nobody reads a longer hint.
_LONGEST = 200
_DEEPEST = 4


def _parts_at(schema: str, path: Sequence[str | int]) -> tuple[Part, ...]:
    """Return the parts of a shipped schema that describe one value, by the path of the keyword that
    refuses it. The outermost comes first: a property's own part before the one it refers to."""
    parts = _with_targets((raw_schema(schema),))
    # The path of the error treats "$ref" as if the target were in its place, which is not so in a
    # schema file. So look up each step in the target of the last reference first, then in the part
    # around it.
    tokens = list(path[:-1])
    while tokens:
        step = str(tokens.pop(0))
        inner: Any = next((part[step] for part in reversed(parts) if step in part), None)
        if isinstance(inner, list) or step == "properties":
            inner = inner[tokens.pop(0)]
        if not isinstance(inner, dict):
            break
        parts = _with_targets((*parts, inner) if step in _OF_THE_SAME_VALUE else (inner,))
    return parts


def _parts_of_key(holder: Sequence[Part], key: str) -> tuple[Part, ...]:
    """Return the parts that describe the value of a key, from those that describe the object."""
    for part in holder:
        if key in part.get("properties", ()):
            return _with_targets((part["properties"][key],))
    return ()


def _with_targets(parts: tuple[Part, ...]) -> tuple[Part, ...]:
    """Return parts, followed by those that the last of them refers to."""
    while parts and "$ref" in parts[-1]:
        parts = (*parts, _target(parts[-1]))
    return parts


def _target(part: Part) -> Part:
    """Return the part that another part of a shipped schema refers to."""
    file, _, pointer = part["$ref"].partition("#")
    target: Part = raw_schema(file.removesuffix(".schema.json") or _homes()[id(part)])
    for token in pointer.split("/")[1:]:
        target = target[token]
    return target


def _example(parts: Sequence[Part]) -> str:
    """Return the first example in the descriptions of some parts, as JSON that they accept; "" if
    there is none."""
    for part in parts:
        description: str = part.get("description", "")
        match = _EXAMPLE.search(description)
        if match:
            try:
                value, end = json.JSONDecoder().raw_decode(description, match.end())
            except ValueError:
                continue
            # A description may show a whole object although this part is one key of it, so use only
            # an example that this part accepts.
            if part_check(part)(value):
                return description[match.end() : end]
    return ""


def _forms(value: Any, part: Part, depth: int = _DEEPEST) -> Iterator[Any]:
    """Yield forms of a value that a part might accept, the most likely first: in a list, in an
    object of one key, with or without quotes."""
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
        # Currencies as written for printf or in spreadsheets.
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
            # A number in place of a list is more likely a count than the only entry.
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


# A ValidationError of jsonschema, whose stubs type every field as possibly unset.
Error = Any


def schema_problems(value: Any, schema: str, place: Locator) -> tuple[Problem, ...]:
    """Return everything in `value` that a shipped schema refuses; `place` gives the place of a
    pointer. Empty if the value is sound.

    Codes: SC01 wrong type, SC02 unknown key, SC03 missing key, SC04 value not allowed, SC05 more
    than MAX_PROBLEMS.
    """
    if quick_check(schema)(value):
        return ()
    errors = _validator(schema, pruned=True).iter_errors(value)
    all_faults = (fault for error in errors for fault in _explain(error, schema))
    faults = list(islice(all_faults, MAX_PROBLEMS + 1))
    problems = [fault.located(place) for fault in _without_shadows(faults[:MAX_PROBLEMS])]
    if not faults:
        # This cannot happen as long as the two checkers agree, but a refusal must not be lost.
        message = f"this file does not follow the schema {schema}"
        problems.append(Problem("SC04", message).at(place("")))
    if len(faults) > MAX_PROBLEMS:
        message = f"only the first {MAX_PROBLEMS} problems are listed"
        problems.append(Problem("SC05", message).at(place("")))
    return tuple(problems)


def shown(value: Any) -> str:
    """Return a value as JSON, shortened for a message."""
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 50 else text[:46] + " ..."


def quoted(word: str) -> str:
    """Return a word in quotes, shortened for a message."""
    return f'"{word}"' if len(word) <= 50 else f'"{word[:46]} ..."'


@cache
def _validator(name: str, *, pruned: bool = False) -> Validator:
    """Return jsonschema's validator of a shipped schema. References between schemas are resolved
    among the shipped files, never on a network; patterns match whole strings. If `pruned`, it
    skips what the fast checker accepts."""
    from jsonschema import Draft202012Validator, validators
    from jsonschema.exceptions import ValidationError
    from referencing import Registry
    from referencing.jsonschema import DRAFT202012

    def pattern(
        _validator: Any, wanted: str, instance: Any, _schema: Any
    ) -> Iterator[ValidationError]:
        # Not `$`, which would ignore a line break at the end.
        if isinstance(instance, str) and not re.fullmatch(wanted, instance):
            yield ValidationError(f"{instance!r} does not match {wanted!r}")

    names = [path.name.removesuffix(".schema.json") for path in schema_paths()]
    resources = [DRAFT202012.create_resource(raw_schema(file)) for file in names]
    registry = resources @ Registry()
    extend: Any = validators.extend  # its stub has no types
    keywords = _pruning_keywords(Draft202012Validator.VALIDATORS) if pruned else {}
    whole = extend(Draft202012Validator, {"pattern": pattern, **keywords})
    # Use the schema itself instead of a reference to it: jsonschema would resolve that with the
    # class that "$schema" names.
    validator: Validator = whole(raw_schema(name), registry=registry)
    return validator


def _without_shadows(faults: Sequence[Problem]) -> Problems:
    """Drop a missing key if an unknown key next to it is a misspelling of it: one mistake, one
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


def _explain(error: Error, schema: str) -> Problems:
    """Yield one error of jsonschema as faults in plain words."""
    pointer = join_pointer(*error.absolute_path)
    if "propertyNames" in error.relative_schema_path and isinstance(error.instance, str):
        yield Problem(
            "SC04",
            f"the key {quoted(error.instance)} is not {_noun(error)}",
            pointer=pointer + join_pointer(error.instance),
            at_key=True,
        )
        return
    if error.validator != "anyOf":
        for fault in _explain_keyword(error, pointer):
            yield _with_form(fault, error, schema)
        return
    # Of the errors of all branches, only those of the branches with the type of the value matter.
    # If they add nothing to the title of the choice, report only that.
    branches: dict[Any, list[Error]] = {}
    for inner in error.context or ():
        branches.setdefault(inner.relative_schema_path[0], []).append(inner)
    meant = [
        errors
        for errors in branches.values()
        if not any(not inner.relative_path and inner.validator == "type" for inner in errors)
    ]
    # An error in the value of the choice itself says no more than the title of the choice.
    deep = [
        errors
        for errors in meant
        if all(
            inner.relative_path
            or "propertyNames" in inner.relative_schema_path
            or inner.validator not in ("const", "pattern", "minimum", "maximum", "minLength")
            for inner in errors
        )
    ]
    if deep:
        # Of several branches with errors deeper inside, the one with the fewest errors was probably
        # intended.
        for inner in min(deep, key=len):
            yield from _explain(inner, schema)
        return
    inners = (inner for errors in meant for inner in errors)
    words = [inner.validator_value for inner in inners if inner.validator == "const"]
    fault = Problem(
        "SC04" if meant else "SC01",
        f"{shown(error.instance)} is not {_noun(error)}",
        suggestion(error.instance, words) if isinstance(error.instance, str) else "",
        pointer=pointer,
    )
    yield _with_form(fault, error, schema)


def _noun(error: Error) -> str:
    noun: str = error.schema.get("title", "allowed here")
    return noun


def _with_form(fault: Problem, error: Error, schema: str) -> Problem:
    """Return a fault whose hint also shows a form that the schema accepts: the given value in that
    form, or an example."""
    path = list(error.absolute_schema_path)
    parts = _parts_at(schema, path)
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
    value = error.instance
    if len(json.dumps(value, ensure_ascii=False, default=str)) <= _LONGEST:
        for form in _forms(value, parts[0]):
            if part_check(parts[0])(form):
                written = json.dumps(form, ensure_ascii=False)
                quotes = " without quotes" if written == value else ""
                return replace(fault, hint=f"write {written}{quotes}")
    if isinstance(value, str) and "properties" in path:
        # "unlimited" in place of a number may be a key of the same object.
        depth = len(path) - path[::-1].index("properties")
        flag = _parts_of_key(_parts_at(schema, path[:depth]), value)
        if value and flag and part_check(flag[0])(True):
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


def _explain_keyword(error: Error, pointer: str) -> Problems:
    value, argument = error.instance, error.validator_value
    properties = error.schema.get("properties", {})
    code, hint = "SC04", ""
    match error.validator:
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
            # jsonschema yields one error for each missing key and names it only in its message.
            (key,) = (key for key in argument if error.message.startswith(repr(key)))
            code, message = "SC03", f'the key "{key}" is missing'
            description = properties.get(key, {}).get("description", "")
            if description:
                hint = f"{key}: {description.split('. ')[0].rstrip('.')}."
        case "enum":
            texts = [each for each in argument if isinstance(each, str)]
            message = f"{shown(value)} is not {_noun(error)}; allowed: {listed(texts, most=40)}"
            if isinstance(value, str):
                hint = suggestion(value, texts)
            else:
                code = "SC01"
        case "const" | "pattern":
            noun = error.schema.get("title", f"allowed here: it must match {argument}")
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


Keyword = Callable[[Any, Any, Any, Any], Iterator[Any]]


def _pruning_keywords(originals: Mapping[str, Keyword]) -> dict[str, Keyword]:
    """Return replacements for keywords that descend only where the fast checker finds an error;
    they fall back on the originals where they cannot do better.

    jsonschema needs seconds for a large file, mostly for its valid parts. These keywords also visit
    entries in the order of the file (those of jsonschema take additional keys in the order of a
    set) and report no more problems of each choice than of a file. Their running time grows
    linearly with the file.
    """
    from jsonschema.exceptions import ValidationError

    def items(validator: Any, part: Any, value: Any, schema: Any) -> Iterator[Any]:
        if not (isinstance(part, dict) and isinstance(value, list)):
            yield from originals["items"](validator, part, value, schema)
            return
        sound = part_check(part)
        for index in range(len(schema.get("prefixItems", ())), len(value)):
            if not sound(value[index]):
                yield from validator.descend(value[index], part, path=index)

    def properties(validator: Any, parts: Any, value: Any, _schema: Any) -> Iterator[Any]:
        for key, part in parts.items() if isinstance(value, dict) else ():
            if key in value and not part_check(part)(value[key]):
                yield from validator.descend(value[key], part, path=key, schema_path=key)

    def additional(validator: Any, part: Any, value: Any, schema: Any) -> Iterator[Any]:
        if not (isinstance(part, dict) and isinstance(value, dict)):
            yield from originals["additionalProperties"](validator, part, value, schema)
            return
        sound, known = part_check(part), schema.get("properties", ())
        for key, item in value.items():
            if key not in known and not sound(item):
                yield from validator.descend(item, part, path=key)

    def names(validator: Any, part: Any, value: Any, _schema: Any) -> Iterator[Any]:
        sound = part_check(part)
        for key in value if isinstance(value, dict) else ():
            if not sound(key):
                yield from validator.descend(key, part)

    def any_of(validator: Any, parts: Any, value: Any, _schema: Any) -> Iterator[Any]:
        if not any(part_check(part)(value) for part in parts):
            branches = (
                validator.descend(value, part, schema_path=index)
                for index, part in enumerate(parts)
            )
            reasons = (error for errors in branches for error in islice(errors, MAX_PROBLEMS + 1))
            yield ValidationError("none of the choices", context=tuple(reasons))

    return {
        "items": items,
        "properties": properties,
        "additionalProperties": additional,
        "propertyNames": names,
        "anyOf": any_of,
    }
