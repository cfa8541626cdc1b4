"""Schema checks with located problems in plain words."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from platelayer.foundation.pointers import join_pointer
from platelayer.foundation.problems import MAX_PROBLEMS, Locator, Problem
from platelayer.foundation.resources import schema_path, schema_paths, shipped_json
from platelayer.foundation.suggestions import listed, slips, suggestion

if TYPE_CHECKING:
    from jsonschema.protocols import Validator


# Fast yes-or-no checks against the shipped JSON Schemas.
#
# Importing jsonschema takes longer than everything else that a check does, and it is needed only to
# say WHAT is wrong. So functions compiled from the same schema files first check whether anything
# is
# wrong at all. They support only the keywords that the shipped schemas use; tests verify that they
# agree with jsonschema.


Check = Callable[[Any], bool]

ANNOTATIONS = frozenset({"$schema", "$defs", "title", "description", "default", "examples"})


@cache
def raw_schema(name: str) -> dict[str, Any]:
    """A shipped schema as written in its file, e.g. `raw_schema("title")`."""
    schema: dict[str, Any] = shipped_json(schema_path(name))
    return schema


@cache
def quick_check(name: str, pointer: str = "") -> Check:
    """True for values that the schema (or the part of it at `pointer`) accepts.

    Raises KeyError for a schema with an unsupported keyword.
    """
    schema: Any = raw_schema(name)
    for token in pointer.split("/")[1:]:
        schema = schema[token]
    return _compile(schema, name)


@cache
def _homes() -> dict[int, str]:
    """The name of the schema that each of its parts belongs to, by the part's identity: no part is
    ever freed."""
    homes: dict[int, str] = {}
    for path in schema_paths():
        name = path.name.removesuffix(".schema.json")
        stack: list[Any] = [raw_schema(name)]
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


def referred(part: Any) -> Any:
    """Target of the reference of a part of a shipped schema; `part` is the same object that
    `raw_schema` holds."""
    file, _, pointer = part["$ref"].partition("#")
    target: Any = raw_schema(file.removesuffix(".schema.json") or _homes()[id(part)])
    for token in pointer.split("/")[1:]:
        target = target[token]
    return target


def whole_match(pattern: str, text: str) -> bool:
    """True when an anchored pattern matches all of a text: unlike `$`, not even a last line break
    is left over."""
    return re.fullmatch(pattern, text) is not None


def _compile(schema: Any, name: str) -> Check:
    if isinstance(schema, bool):
        return lambda _: schema
    checks: list[Check] = []
    # Size first: of a list that is far too long, no entry is looked at.
    for keyword, argument in sorted(schema.items(), key=lambda item: item[0] not in _SIZES):
        if keyword not in ANNOTATIONS and _LEADS.get(keyword) not in schema:
            checks.append(_KEYWORDS[keyword](argument, schema, name))
    if len(checks) == 1:
        return checks[0]
    parts = tuple(checks)

    return lambda value: all(part(value) for part in parts)


def _reference(target: str, _schema: Any, name: str) -> Check:
    file, _, pointer = target.partition("#")
    return quick_check(file.removesuffix(".schema.json") or name, pointer)


_TYPES: dict[str, Check] = {
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "string": lambda value: isinstance(value, str),
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "number": lambda value: isinstance(value, (int, float)) and not isinstance(value, bool),
}


def _type(names: str | list[str], _schema: Any, _name: str) -> Check:
    if isinstance(names, str):
        return _TYPES[names]
    kinds = [_TYPES[name] for name in names]
    return lambda value: any(kind(value) for kind in kinds)


def _of(
    kind: type | tuple[type, ...], test: Callable[[Any, Any], bool]
) -> Callable[[Any, Any, str], Check]:
    """A keyword that checks one type of value and accepts all others."""

    def build(argument: Any, _schema: Any, _name: str) -> Check:
        return lambda value: (
            not isinstance(value, kind) or isinstance(value, bool) or test(value, argument)
        )

    return build


def _enum(allowed: list[Any], _schema: Any, _name: str) -> Check:
    return lambda value: any(value == wanted and type(value) is type(wanted) for wanted in allowed)


def _pattern(pattern: str, _schema: Any, _name: str) -> Check:
    matches = re.compile(pattern).fullmatch
    return lambda value: not isinstance(value, str) or matches(value) is not None


def unique_items(value: Any) -> bool:
    """True for a list without duplicates, and for anything that is not a list."""
    return not isinstance(value, list) or len(set(map(json.dumps, value))) == len(value)


def _unique(wanted: bool, _schema: Any, _name: str) -> Check:
    return unique_items if wanted else lambda _: True


def _object(_argument: Any, schema: Any, name: str) -> Check:
    """`properties` and `additionalProperties` together."""
    known = {key: _compile(part, name) for key, part in schema.get("properties", {}).items()}
    other = _compile(schema.get("additionalProperties", True), name)

    def check(value: Any) -> bool:
        return not isinstance(value, dict) or all(
            known.get(key, other)(item) for key, item in value.items()
        )

    return check


def _names(argument: Any, _schema: Any, name: str) -> Check:
    check = _compile(argument, name)
    return lambda value: not isinstance(value, dict) or all(map(check, value))


def _items(_argument: Any, schema: Any, name: str) -> Check:
    """`prefixItems` and `items` together."""
    first = [_compile(part, name) for part in schema.get("prefixItems", ())]
    rest = _compile(schema.get("items", True), name)

    def check(value: Any) -> bool:
        if not isinstance(value, list):
            return True
        return all(
            (first[index] if index < len(first) else rest)(item) for index, item in enumerate(value)
        )

    return check


def _any_of(parts: list[Any], _schema: Any, name: str) -> Check:
    branches = tuple(_compile(part, name) for part in parts)
    return lambda value: any(branch(value) for branch in branches)


def _if(argument: Any, schema: Any, name: str) -> Check:
    condition = _compile(argument, name)
    then, otherwise = (
        _compile(schema.get("then", True), name),
        _compile(schema.get("else", True), name),
    )
    return lambda value: then(value) if condition(value) else otherwise(value)


_NUMBER = (int, float)
_KEYWORDS: dict[str, Callable[[Any, Any, str], Check]] = {
    "$ref": _reference,
    "type": _type,
    "enum": _enum,
    "const": lambda only, schema, name: _enum([only], schema, name),
    "pattern": _pattern,
    "minimum": _of(_NUMBER, lambda value, least: value >= least),
    "maximum": _of(_NUMBER, lambda value, most: value <= most),
    "exclusiveMinimum": _of(_NUMBER, lambda value, least: value > least),
    "minLength": _of(str, lambda value, least: len(value) >= least),
    "maxLength": _of(str, lambda value, most: len(value) <= most),
    "minItems": _of(list, lambda value, least: len(value) >= least),
    "maxItems": _of(list, lambda value, most: len(value) <= most),
    "uniqueItems": _unique,
    "minProperties": _of(dict, lambda value, least: len(value) >= least),
    "maxProperties": _of(dict, lambda value, most: len(value) <= most),
    "required": _of(dict, lambda value, keys: all(key in value for key in keys)),
    "properties": _object,
    "additionalProperties": _object,
    "propertyNames": _names,
    "items": _items,
    "prefixItems": _items,
    "anyOf": _any_of,
    "if": _if,
}
# Keywords that are read together with another, if that one is present.
_LEADS = {"then": "if", "else": "if", "prefixItems": "items", "additionalProperties": "properties"}
_SIZES = ("type", "maxItems", "maxProperties")


# Hints that say how a value refused by a schema could be written.


Part = dict[str, Any]


_OF_THE_SAME_VALUE = frozenset({"anyOf", "then", "else"})
_EXAMPLE = re.compile(r"\b(?:Examples?:|e\.g\.) ")
_DIGITS = re.compile("-?[0-9]{1,16}")
_SHORT_RGB = re.compile("#?([0-9a-fA-F]{3})")
_STEPS = re.compile("([a-z]+)_([0-9]{1,4})")
_WITHOUT_LIMIT = frozenset({"unlimited", "infinite", "all", "any", "none", "∞", 99, 999, 9999})
# Letters of a value as JSON beyond which none is proposed: nobody reads a longer hint.
_LONGEST = 200
_DEEPEST = 4


def parts_at(schema: str, path: Sequence[str | int]) -> tuple[Part, ...]:
    """The parts of a shipped schema that describe one value, by the path of the keyword that
    refuses it. The outermost comes first: what a property says of itself before what it refers
    to."""
    parts = _with_targets((raw_schema(schema),))
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


def parts_of_key(holder: Sequence[Part], key: str) -> tuple[Part, ...]:
    """The parts that describe the value of a key, by those that describe the object."""
    inner = (part["properties"][key] for part in holder if key in part.get("properties", ()))
    return _with_targets(tuple(islice(inner, 1)))


def _with_targets(parts: tuple[Part, ...]) -> tuple[Part, ...]:
    """Some parts, and after the last of them what it refers to."""
    while parts and "$ref" in parts[-1]:
        parts = (*parts, referred(parts[-1]))
    return parts


def example(parts: Sequence[Part]) -> str:
    """The first example in the descriptions of some parts, as JSON that they accept; "" if there is
    none."""
    for part in parts:
        description = part.get("description", "")
        match = _EXAMPLE.search(description)
        if match:
            try:
                value, end = json.JSONDecoder().raw_decode(description, match.end())
            except ValueError:
                continue
            if part_check(part)(value):
                return str(description[match.end() : end])
    return ""


def repaired(value: Any, parts: Sequence[Part]) -> str:
    """The value as JSON in the form that a part asks for: in a list, in an object of one key, with
    or without quotes; "" if no such form fits."""
    if len(json.dumps(value, ensure_ascii=False, default=str)) > _LONGEST:
        return ""
    for form in _forms(value, parts[0], _DEEPEST):
        if part_check(parts[0])(form):
            return json.dumps(form, ensure_ascii=False)
    return ""


def _forms(value: Any, part: Part, depth: int) -> Iterator[Any]:
    """Forms of a value that a part might accept, the likeliest first."""
    if depth == 0:
        return
    if "$ref" in part:
        yield from _forms(value, referred(part), depth)
    for choice in part.get("anyOf", ()):
        yield from _forms(value, choice, depth)
    yield value
    wanted = part.get("type", ())
    wanted = {wanted} if isinstance(wanted, str) else set(wanted)
    if "string" in wanted:
        yield from _texts(value)
    if "integer" in wanted and isinstance(value, str) and _DIGITS.fullmatch(value):
        yield int(value)
    if "null" in wanted and not isinstance(value, (list, dict)) and value in _WITHOUT_LIMIT:
        yield None
    if "array" in wanted and isinstance(part.get("items"), dict):
        # A number in place of a list is more often a number of things than the only one of them.
        yield from (
            [form] for form in _forms(value, part["items"], depth - 1) if not isinstance(form, int)
        )
    if "object" in wanted and not isinstance(value, (dict, list)):
        first = (key for key in part.get("properties", ()) if not key.startswith("$"))
        steps = {key: int(number) for key, number in _STEPS.findall(str(value))}
        yield from (steps,) if steps else ()
        keys = part.get("required") or tuple(islice(first, 1))
        for form in _forms(value, part["properties"][keys[0]], depth - 1) if len(keys) == 1 else ():
            yield {keys[0]: form}


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, int) and not isinstance(value, bool):
        yield str(value)
    if isinstance(value, str):
        yield f"#{value}"
        short = _SHORT_RGB.fullmatch(value)
        if short:
            yield "#" + "".join(digit * 2 for digit in short[1])
        yield value.replace("%s", "{}").replace("%d", "{}").replace("#", "{}")
        # As the tile strings of 18xx.games have it.
        yield value.removeprefix("image:")
        yield value.replace("_", "stop:")


# A ValidationError of jsonschema, whose stubs type every field as possibly unset.
Error = Any


def schema_problems(value: Any, schema: str, place: Locator) -> tuple[Problem, ...]:
    """Everything in `value` that a shipped schema refuses; `place` gives the place of a pointer.
    Empty if the value is sound.

    Codes: SC01 wrong type, SC02 unknown key, SC03 missing key, SC04 value not allowed, SC05 more
    than MAX_PROBLEMS.
    """
    if quick_check(schema)(value):
        return ()
    faults = list(islice(_faults(value, schema), MAX_PROBLEMS + 1))
    problems = [fault.located(place) for fault in _without_shadows(faults[:MAX_PROBLEMS])]
    if (
        not faults
    ):  # never happens as long as the two checkers agree, but a refusal must not be lost
        problems.append(
            Problem(code="SC04", message=f"this file does not follow the schema {schema}").at(
                place("")
            )
        )
    if len(faults) > MAX_PROBLEMS:
        problems.append(
            Problem(code="SC05", message=f"only the first {MAX_PROBLEMS} problems are listed").at(
                place("")
            )
        )
    return tuple(problems)


def shown(value: Any) -> str:
    """A value as JSON, shortened to fit a message."""
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 50 else text[:46] + " ..."


def quoted(word: str) -> str:
    """A word in quotes, shortened to fit a message."""
    return f'"{word}"' if len(word) <= 50 else f'"{word[:46]} ..."'


@cache
def _validator(name: str, *, pruned: bool = False) -> Validator:
    """jsonschema's validator of a shipped schema. References between schemas are found among the
    shipped files, never on a network; patterns match whole strings. `pruned`: it skips what the
    fast checker accepts."""
    from jsonschema import Draft202012Validator, validators
    from jsonschema.exceptions import ValidationError
    from referencing import Registry
    from referencing.jsonschema import DRAFT202012

    def pattern(
        _validator: Any, wanted: str, instance: Any, _schema: Any
    ) -> Iterator[ValidationError]:
        if isinstance(instance, str) and not whole_match(wanted, instance):
            yield ValidationError(f"{instance!r} does not match {wanted!r}")

    names = [path.name.removesuffix(".schema.json") for path in schema_paths()]
    resources = (
        (f"{file}.schema.json", DRAFT202012.create_resource(raw_schema(file))) for file in names
    )
    registry: Registry[Any] = Registry().with_resources(resources)
    extend: Any = validators.extend  # its stub has no types
    keywords = pruning_keywords(Draft202012Validator.VALIDATORS) if pruned else {}
    whole = extend(Draft202012Validator, {"pattern": pattern, **keywords})
    # The schema itself, not a reference to it: jsonschema would follow that with the class that
    # "$schema" names.
    validator: Validator = whole(raw_schema(name), registry=registry)
    return validator


def _faults(value: Any, schema: str) -> Iterator[Problem]:
    for error in _validator(schema, pruned=True).iter_errors(value):
        yield from _explain(error, schema)


def _without_shadows(faults: Sequence[Problem]) -> Iterator[Problem]:
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


def _explain(error: Error, schema: str) -> Iterator[Problem]:
    """One error of jsonschema as faults in plain words."""
    pointer = join_pointer(*error.absolute_path)
    if "propertyNames" in error.relative_schema_path and isinstance(error.instance, str):
        yield from _explain_key(error, pointer)
    elif error.validator == "anyOf":
        yield from _explain_choice(error, pointer, schema)
    else:
        for fault in _EXPLAIN.get(str(error.validator), _not_allowed)(error, pointer):
            yield _with_form(fault, error, schema)


def _explain_key(error: Error, pointer: str) -> Iterator[Problem]:
    key = str(error.instance)
    noun = error.schema.get("title", "allowed here")
    yield Problem(
        code="SC04",
        pointer=pointer + join_pointer(key),
        message=f"the key {quoted(key)} is not {noun}",
        at_key=True,
    )


def _explain_choice(error: Error, pointer: str, schema: str) -> Iterator[Problem]:
    """Reduces the errors of all branches of an anyOf to those of the intended branch: the one with
    the value's type. If that adds nothing, the choice as a whole is named by its title."""
    branches: dict[Any, list[Error]] = {}
    for inner in error.context or ():
        branches.setdefault(inner.relative_schema_path[0], []).append(inner)
    meant = [
        errors
        for errors in branches.values()
        if not any(not inner.relative_path and inner.validator == "type" for inner in errors)
    ]
    deep = [errors for errors in meant if not any(_is_of_whole(inner) for inner in errors)]
    if deep:
        for inner in min(deep, key=len):
            yield from _explain(inner, schema)
        return
    noun = error.schema.get("title", "allowed here")
    words = [
        inner.validator_value for errors in meant for inner in errors if inner.validator == "const"
    ]
    hint = suggestion(error.instance, words) if isinstance(error.instance, str) else ""
    fault = Problem(
        code="SC04" if meant else "SC01",
        pointer=pointer,
        message=f"{shown(error.instance)} is not {noun}",
        hint=hint,
    )
    yield _with_form(fault, error, schema)


def _with_form(fault: Problem, error: Error, schema: str) -> Problem:
    """A fault whose hint also shows the form that a value should have: the given one in that form,
    or an example."""
    parts = parts_at(schema, list(error.absolute_schema_path))
    if fault.code in ("SC02", "SC03"):
        return replace(fault, hint=_with_example(fault, parts))
    if fault.hint:
        return fault
    form = repaired(error.instance, parts)
    if form:
        return replace(fault, hint=f"write {form}{' without quotes' * (form == error.instance)}")
    beside = _word_beside(error, schema)
    if beside:
        return replace(fault, hint=f'write a number, and "{beside}": true beside it')
    given = example(parts)
    return replace(fault, hint=f"example: {given}" if given and given not in fault.message else "")


def _word_beside(error: Error, schema: str) -> str:
    """The value in place of a number, if it is the name of a key that is true or false beside it:
    "unlimited"."""
    path = list(error.absolute_schema_path)
    if not isinstance(error.instance, str) or "properties" not in path:
        return ""
    holder = parts_at(schema, path[: len(path) - path[::-1].index("properties")])
    said = parts_of_key(holder, error.instance)
    return error.instance if said and part_check(said[0])(True) else ""


def _with_example(fault: Problem, parts: Sequence[Part]) -> str:
    """The hint of a key that is missing, or was meant by another word, with an example of its
    value."""
    named = fault.message.split('"')[1]
    meant = named if fault.code == "SC03" else fault.hint.partition('"')[2].partition('"')[0]
    if fault.code == "SC02" and named.casefold() not in slips():
        return fault.hint
    given = example(parts_of_key(parts, meant))
    return " ".join(filter(None, (fault.hint, f"Example: {given}" if given else "")))


def _is_of_whole(error: Error) -> bool:
    """True if an error is about the value of the choice itself and the title of the choice already
    says as much."""
    if error.relative_path or "propertyNames" in error.relative_schema_path:
        return False
    return error.validator in ("const", "pattern", "minimum", "maximum", "minLength")


_TYPE_WORDS = {
    "object": "an object {...}",
    "array": "a list [...]",
    "string": "text in quotes",
    "boolean": "true or false",
    "null": "null",
    "integer": "a whole number",
    "number": "a number",
}


def _wrong_type(error: Error, pointer: str) -> Iterator[Problem]:
    wanted = error.validator_value
    words = " or ".join(
        _TYPE_WORDS[type_name] for type_name in ([wanted] if isinstance(wanted, str) else wanted)
    )
    yield Problem(code="SC01", pointer=pointer, message=f"{shown(error.instance)} is not {words}")


def _unknown_keys(error: Error, pointer: str) -> Iterator[Problem]:
    known = [key for key in error.schema.get("properties", {}) if not key.startswith("$")]
    free = [key for key in known if key not in error.instance]
    for key in error.instance:
        if key not in error.schema.get("properties", {}):
            allowed = (
                f"allowed here: {listed(known, most=40)}" if known else "no keys are allowed here"
            )
            yield Problem(
                code="SC02",
                pointer=pointer + join_pointer(key),
                message=f"unknown key {quoted(key)}; {allowed}",
                hint=suggestion(key, free),
                at_key=True,
            )


def _missing_keys(error: Error, pointer: str) -> Iterator[Problem]:
    # jsonschema yields one error for each missing key and names the key only in its message.
    for key in error.validator_value:
        if error.message.startswith(repr(key)):
            yield Problem(
                code="SC03",
                pointer=pointer,
                message=f'the key "{key}" is missing',
                hint=_first_sentence(error.schema, key),
            )


def _first_sentence(schema: Any, key: str) -> str:
    description = schema.get("properties", {}).get(key, {}).get("description", "")
    return f"{key}: {description.split('. ')[0].rstrip('.')}." if description else ""


def _not_in_enum(error: Error, pointer: str) -> Iterator[Problem]:
    allowed = [value for value in error.validator_value if isinstance(value, str)]
    noun = error.schema.get("title", "allowed here")
    hint = suggestion(error.instance, allowed) if isinstance(error.instance, str) else ""
    code = "SC04" if isinstance(error.instance, str) else "SC01"
    yield Problem(
        code=code,
        pointer=pointer,
        message=f"{shown(error.instance)} is not {noun}; allowed: {listed(allowed, most=40)}",
        hint=hint,
    )


def _not_titled(error: Error, pointer: str) -> Iterator[Problem]:
    noun = error.schema.get("title", f"allowed here: it must match {error.validator_value}")
    yield Problem(code="SC04", pointer=pointer, message=f"{shown(error.instance)} is not {noun}")


def _bounded(words: str) -> Callable[[Error, str], Iterator[Problem]]:
    def explain(error: Error, pointer: str) -> Iterator[Problem]:
        yield Problem(
            code="SC04",
            pointer=pointer,
            message=words.format(value=shown(error.instance), bound=error.validator_value),
        )

    return explain


def _not_allowed(error: Error, pointer: str) -> Iterator[Problem]:
    yield Problem(
        code="SC04", pointer=pointer, message=f"{shown(error.instance)} is not allowed here"
    )


_EXPLAIN: dict[str, Callable[[Error, str], Iterator[Problem]]] = {
    "type": _wrong_type,
    "additionalProperties": _unknown_keys,
    "required": _missing_keys,
    "enum": _not_in_enum,
    "const": _not_titled,
    "pattern": _not_titled,
    "minimum": _bounded("{value} is too small; at least {bound} is needed"),
    "exclusiveMinimum": _bounded("{value} is too small; more than {bound} is needed"),
    "maximum": _bounded("{value} is too large; at most {bound} is allowed"),
    "minLength": _bounded("the text {value} has too few characters; the minimum is {bound}"),
    "maxLength": _bounded("the text {value} has too many characters; the maximum is {bound}"),
    "minItems": _bounded("the list {value} has too few entries; the minimum is {bound}"),
    "maxItems": _bounded("the list {value} has too many entries; the maximum is {bound}"),
    "minProperties": _bounded("the object {value} has too few keys; the minimum is {bound}"),
    "maxProperties": _bounded("the object {value} has too many keys; the maximum is {bound}"),
    "uniqueItems": _bounded("the list {value} contains the same entry twice"),
}


Keyword = Callable[[Any, Any, Any, Any], Iterator[Any]]


def pruning_keywords(originals: Mapping[str, Keyword]) -> dict[str, Keyword]:
    """Replacements for the keywords of the same names that descend only where the fast checker
    finds an error; they fall back on the originals where they cannot do better.

    jsonschema needs seconds for a large file, mostly for the parts that are valid. These keywords
    also visit entries in the order of the file (those of jsonschema take additional keys in the
    order of a set) and report no more problems of each choice than of a file. Their running time
    grows linearly with the file.
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

    def unique(_validator: Any, _wanted: Any, value: Any, _schema: Any) -> Iterator[Any]:
        if not unique_items(value):
            yield ValidationError("an entry twice")

    return {
        "items": items,
        "properties": properties,
        "additionalProperties": additional,
        "propertyNames": names,
        "anyOf": any_of,
        "uniqueItems": unique,
    }
