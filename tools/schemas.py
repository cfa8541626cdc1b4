"""The files in schemas/ of the blocks that the model describes; run it after changing a description."""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Any, Literal, get_args, get_origin

from msgspec import Meta, Struct, structs
from msgspec.structs import FieldInfo as Field

from platelayer.definitions.decode import unwrapped
from platelayer.foundation.resources import schema_path
from platelayer.model.described import BY_ID, DERIVED, DISTINCT, OWN_FORMS, Beside, Read, Shared
from platelayer.model.train import Trains

Part = dict[str, Any]

FILES: Mapping[str, tuple[str, Any, str]] = {"trains": ("trains", Trains, "Trains, in the order they are sold.")}
"""Schemas that are made here, by name: the block of a title that a file of its own holds, its description, and what the
file is."""

_COMMON = "common.schema.json#/$defs/"
_COMMENT = {"$comment": {"$ref": f"{_COMMON}comment"}}
_SCHEMA = {"$schema": {"$ref": f"{_COMMON}schema"}}
_COLUMNS = 120
_TYPES: Mapping[Any, str] = {str: "string", int: "integer", float: "number", bool: "boolean"}
_BOUNDS = {
    "number": {"ge": "minimum", "gt": "exclusiveMinimum", "le": "maximum"},
    "string": {"min_length": "minLength", "max_length": "maxLength", "pattern": "pattern"},
    "array": {"min_length": "minItems", "max_length": "maxItems"},
    "object": {"min_length": "minProperties", "max_length": "maxProperties"},
}


def schema_text(name: str) -> str:
    """The file in schemas/ of a described block, e.g. `schema_text("trains")`."""
    block, described, about = FILES[name]
    defs: dict[str, Part] = {"block": {}}
    defs["block"] = _part(described, defs)
    inside = {"$ref": "#/$defs/block", "description": f"The block `{block}` of a title."}
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"Platelayer: {name}",
        "description": about,
        "type": "object",
        "properties": {**_COMMENT, **_SCHEMA, block: inside},
        "required": [block],
        "additionalProperties": False,
        "$defs": defs,
    }
    return _laid_out(schema) + "\n"


def _part(described: Any, defs: dict[str, Part], *, may_be_null: bool = True) -> Part:
    """The schema of a described type; the structs in it become parts of `defs`."""
    plain, marks, nullable = unwrapped(described)
    part: Part = {}
    for key, said in (("title", _title(marks)), ("description", _words(marks))):
        if said:
            part[key] = said
    part |= _form(plain, marks, defs)
    kind = "number" if part.get("type") == "integer" else part.get("type", "string")
    for mark in marks:
        if isinstance(mark, Meta):
            bounds = {word: getattr(mark, name) for name, word in _BOUNDS[kind].items()}
            part |= {word: bound for word, bound in bounds.items() if bound is not None}
        elif mark is DISTINCT:
            part["uniqueItems"] = True
    if nullable and may_be_null:
        if "type" not in part:
            return {key: part.pop(key) for key in ("title", "description") if key in part} | {
                "anyOf": [part, {"type": "null"}]
            }
        part["type"] = [part["type"], "null"]
    return part


def _form(plain: Any, marks: tuple[Any, ...], defs: dict[str, Part]) -> Part:
    """What values of a type are in JSON, without their bounds."""
    form: Part = {}
    for mark in (*marks, OWN_FORMS.get(plain)):
        if isinstance(mark, Shared):
            form = {"$ref": _COMMON + mark.part}
        elif isinstance(mark, Read):
            form = dict(mark.schema)
    if form:
        return form
    if get_origin(plain) is tuple:
        entry = _part(get_args(plain)[0], defs)
        if BY_ID in marks:
            return {"type": "object", "propertyNames": {"$ref": f"{_COMMON}id"}, "additionalProperties": entry}
        return {"type": "array", "items": entry}
    if get_origin(plain) is Literal:
        return {"enum": [*get_args(plain)]}
    if issubclass(plain, Enum):
        return {"enum": [each.value for each in plain]}
    return {"$ref": f"#/$defs/{_struct(plain, defs)}"} if issubclass(plain, Struct) else {"type": _TYPES[plain]}


def _struct(kind: type[Struct], defs: dict[str, Part]) -> str:
    """Adds the schema of a struct to `defs`, under the name that it returns."""
    name = re.sub("(?<=[a-z])(?=[A-Z])", "_", kind.__name__).lower()
    if name not in defs:
        defs[name] = {}  # its place, before those of the structs in it
        fields = [each for each in structs.fields(kind) if DERIVED not in unwrapped(each.type).marks]
        several = next((each for each in fields if _beside(each)), None)
        defs[name] = _choice(kind, fields, several, defs, name=name) if several else _object(kind, fields, defs)
    return name


def _beside(field: Field) -> Beside | None:
    return next((mark for mark in unwrapped(field.type).marks if isinstance(mark, Beside)), None)


def _choice(kind: type[Struct], fields: Sequence[Field], several: Field, defs: dict[str, Part], *, name: str) -> Part:
    """A struct with a tuple of others, or with the keys of the only one of them."""
    entry, beside = get_args(unwrapped(several.type).plain)[0], _beside(several)
    assert beside is not None
    inner = [each for each in structs.fields(entry) if each.name not in beside.without]
    defs[f"{name}_of_several"] = _object(kind, fields, defs)
    defs[f"{name}_of_one"] = _object(kind, [*(each for each in fields if each is not several), *inner], defs)
    return {
        "title": beside.title,
        "description": _about(kind),
        "type": "object",
        "if": {"required": [several.encode_name]},
        "then": {"$ref": f"#/$defs/{name}_of_several"},
        "else": {"$ref": f"#/$defs/{name}_of_one"},
    }


def _object(kind: type[Struct], fields: Sequence[Field], defs: dict[str, Part]) -> Part:
    return {
        "description": _about(kind),
        "type": "object",
        "properties": _COMMENT | {each.encode_name: _field(each, defs) for each in fields},
        "required": [each.encode_name for each in fields if each.required],
        "additionalProperties": False,
    }


def _field(field: Field, defs: dict[str, Part]) -> Part:
    """The schema of a field. None as its default means that it is left out, and is no value in JSON."""
    part = _part(field.type, defs, may_be_null=field.default is not None)
    if isinstance(field.default, (bool, int, float, str)):
        part["default"] = field.default
    return part


def _title(marks: tuple[Any, ...]) -> str:
    titles = [mark.title for mark in marks if isinstance(mark, Meta) and mark.title]
    return titles[-1] if titles else ""


def _words(marks: tuple[Any, ...]) -> str:
    return next((mark for mark in reversed(marks) if isinstance(mark, str)), "")


def _about(kind: type[Struct]) -> str:
    return " ".join(inspect.cleandoc(kind.__doc__ or "").partition("\n\n")[0].split())


def _laid_out(value: Any, indent: int = 0, before: int = 0) -> str:
    """A value as JSON, on one line where it fits after `before` columns."""
    plain = json.dumps(value, ensure_ascii=False)
    if not isinstance(value, (dict, list)) or (indent + before + len(plain) < _COLUMNS and indent):
        return plain
    inner = " " * (indent + 2)
    if isinstance(value, list):
        rows, ends = [_laid_out(each, indent + 2) for each in value], "[]"
    else:
        keys = {json.dumps(key, ensure_ascii=False) + ": ": each for key, each in value.items()}
        rows, ends = [key + _laid_out(each, indent + 2, len(key)) for key, each in keys.items()], "{}"
    return ends[0] + "\n" + ",\n".join(inner + row for row in rows) + "\n" + " " * indent + ends[1]


if __name__ == "__main__":
    for name in FILES:
        schema_path(name).write_text(schema_text(name), encoding="utf-8", newline="\n")
