"""The files in schemas/: those of the blocks that the model describes, and the address and the
example of each; run it after changing a description."""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Mapping, Sequence
from enum import Enum
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple, get_args, get_origin

from msgspec import Meta, Struct, structs
from msgspec.structs import FieldInfo as Field

from platelayer.definitions.decode import pair_types
from platelayer.definitions.edits import laid_out
from platelayer.foundation.resources import schema_path, schema_paths
from platelayer.model.company import Companies, Liveries, Privates
from platelayer.model.described import (
    CONDITIONS,
    DERIVED,
    FORMS,
    KEYS,
    AsArray,
    Block,
    ById,
    ComputedDefault,
    Distinct,
    Flattened,
    FlattenedIfSingle,
    OneOf,
    Pairs,
    Parsed,
    Several,
    Shared,
    Shorthand,
    common,
    unwrapped,
)
from platelayer.model.gamemap import GameMap
from platelayer.model.map_tiles import AtlasBox
from platelayer.model.market import Market
from platelayer.model.options import OPTIONS, PrintOptions
from platelayer.model.position import Position
from platelayer.model.tile import Catalogue, Tile, UpgradeOptions
from platelayer.model.title import Aids, Bonuses, Pieces, Tiles, Title
from platelayer.model.train import Phases, Trains

Part = dict[str, Any]

# Where the schemas lie once the project is published; each says so, and refers to others beside it.
ADDRESS = "https://raw.githubusercontent.com/platelayer/platelayer/main/schemas/"
EXAMPLES = Path(__file__).with_name("schema_examples.json")


class File(NamedTuple):
    """A file in schemas/: what it is, what is described, and the block of a title that is its only
    key, if any."""

    about: str
    described: Any
    block: str = ""


FILES: Mapping[str, File] = {
    "aids": File("Cards that help players remember the rules.", Aids, "aids"),
    "bonuses": File("Tables of bonuses that the map and the aids print.", Bonuses, "bonuses"),
    "companies": File(
        "Companies of every kind, in the order in which they are listed.", Companies, "companies"
    ),
    "liveries": File(
        "The liveries and ornaments that come with Platelayer (assets/liveries.json).", Liveries
    ),
    "map": File("One board: hexes by printed coordinates.", GameMap, "map"),
    "map-tiles": File(
        "The map tiles of a title whose board is assembled from tiles of three hexes, and the modes of play that use "
        "them.",
        AtlasBox,
        "atlas",
    ),
    "market": File("The board of share prices.", Market, "market"),
    "phases": File("Phases, in order.", Phases, "phases"),
    "pieces": File(
        "What the box contains besides what tiles, companies and trains imply; the sizes of the pieces; and the counts "
        "that the rulebook declares.",
        Pieces,
        "pieces",
    ),
    "position": File(
        "A position of a game that is played: tiles and tokens on the map, and what else tells it.",
        Position,
    ),
    "privates": File(
        "Private companies and concessions whose ids may be those of companies.",
        Privates,
        "privates",
    ),
    "tile": File(
        "The topology of one tile: stops, track and labels. Its drawing is worked out. Edges are numbered 0-5 "
        "clockwise from the bottom (flat) or lower left (pointy).",
        Tile,
    ),
    "trains": File("Trains, in the order they are sold.", Trains, "trains"),
    "tiles": File(
        "A file of the tile catalogue (assets/tiles): tiles by their printed number.",
        Catalogue,
        "tiles",
    ),
    "title": File(
        "One 18xx game. The blocks are in this file, or in files of the same folder that it names.",
        Title,
    ),
    "title-tiles": File("Which tiles are in the box, and how many of each.", Tiles, "tiles"),
    "upgrades": File("Which tiles may replace which.", UpgradeOptions, "upgrades"),
}
"""Schemas that are made here, by name."""

_HOMES = {"platelayer.model.tile": "tile", "platelayer.model.company": "companies"}
"""Modules with structs that several files hold, and the file that has the schemas of these."""

_COMMENT = {"$comment": common("comment")}
_SCHEMA = {"$schema": common("schema")}
_TYPES: Mapping[Any, str] = {str: "string", int: "integer", float: "number", bool: "boolean"}
_BOUNDS = {
    "number": {"ge": "minimum", "gt": "exclusiveMinimum", "le": "maximum"},
    "string": {"min_length": "minLength", "max_length": "maxLength", "pattern": "pattern"},
    "array": {"least": "minItems", "most": "maxItems"},
    "object": {"least": "minProperties", "most": "maxProperties"},
}


def schema_text(name: str) -> str:
    """The file in schemas/ of what is described, e.g. `schema_text("trains")`."""
    file = FILES[name]
    parts = _Defs(name)
    part = _part(file.described, parts)
    defs: dict[str, Part] = (
        {"block": part, **parts} if file.block else parts
    )  # a struct is the block by its own part
    if file.block:
        inside = {"$ref": "#/$defs/block", "description": f"The block `{file.block}` of a title."}
        form: Part = {
            "type": "object",
            "properties": {**_COMMENT, **_SCHEMA, file.block: inside},
            "required": [file.block],
            "additionalProperties": False,
        }
    else:
        form = part
    said = {"title": f"Platelayer: {name}", "description": file.about}
    return _text(name, {**said, **form, "$defs": defs})


def handmade_text(name: str) -> str:
    """The file in schemas/ of one that is written by hand, but for its head and, of profiles, the
    options of a print that a profile may set."""
    schema = json.loads(schema_path(name).read_text(encoding="utf-8"))
    if name == "profile":
        settable = {
            field.name: _field(field, _Defs("profile"))
            for field in structs.fields(PrintOptions)
            if OPTIONS[field.name].mark.profile
        }
        schema["$defs"]["options"]["properties"] = {**_COMMENT, **settable}
    return _text(name, schema)


def _text(name: str, schema: Part) -> str:
    """A schema as text, with its address and its example."""
    examples = json.loads(EXAMPLES.read_text(encoding="utf-8"))
    head = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"{ADDRESS}{name}.schema.json",
        "title": schema["title"],
        "description": schema["description"],
    }
    if name in examples:
        head["examples"] = [examples[name]]
    return laid_out({**head, **schema, **head}, open_first=True) + "\n"


class _Defs(dict[str, Part]):
    """The parts of a file, by name."""

    def __init__(self, file: str) -> None:
        super().__init__()
        self.file = file


def _part(described: Any, defs: _Defs, *, may_be_null: bool = True) -> Part:
    """The schema of a described type; the structs in it become parts of `defs`."""
    plain, marks, nullable = unwrapped(described)
    block = next((mark for mark in marks if isinstance(mark, Block)), None)
    if block:
        return _block(block, marks)
    form = _form(plain, marks, defs)
    said = {
        key: words
        for key, words in (("title", _title(marks)), ("description", _words(marks)))
        if words
    }
    part = {**said, **form, **said, **_bounds(marks, form)}
    other = next((mark for mark in marks if isinstance(mark, OneOf)), None)
    if other:
        inner = {key: value for key, value in part.items() if key not in said}
        return {"title": other.title, **said, "anyOf": [other.other, inner]}
    if nullable and may_be_null:
        if "type" not in part:
            return {key: part.pop(key) for key in ("title", "description") if key in part} | {
                "anyOf": [part, {"type": "null"}]
            }
        part["type"] = [part["type"], "null"]
    return part


def _block(block: Block, marks: tuple[Any, ...]) -> Part:
    """The path of a file, or the block that it holds."""
    name = FILES[block.schema].block
    return {
        "title": f"the block `{name}`, or the path of a .json file that holds it",
        "description": f"{_words(marks)} ({block.schema}.schema.json).",
        "anyOf": [common("path"), {"$ref": f"{block.schema}.schema.json#/$defs/block"}],
    }


def _bounds(marks: tuple[Any, ...], form: Part) -> Part:
    kind = "number" if form.get("type") == "integer" else form.get("type", "string")
    bounds: Part = {}
    for mark in marks:
        if isinstance(mark, Several if kind in ("array", "object") else Meta):
            bounds |= {word: getattr(mark, name) for name, word in _BOUNDS[kind].items()}
        if isinstance(mark, Distinct):
            bounds["uniqueItems"] = True
    return {word: bound for word, bound in bounds.items() if bound is not None}


def _form(plain: Any, marks: tuple[Any, ...], defs: _Defs) -> Part:
    """What values of a type are in JSON, without their bounds."""
    for mark in (*marks, FORMS.get(plain)):
        if isinstance(mark, Shared):
            return common(mark.part)
        if isinstance(mark, Parsed):
            return dict(mark.schema)
    if get_origin(plain) is tuple:
        return _several(get_args(plain), marks, defs)
    if get_origin(plain) is Literal:
        return {"enum": [*get_args(plain)]}
    if issubclass(plain, Enum):
        return {"enum": [each.value for each in plain]}
    return {"$ref": _struct(plain, defs)} if issubclass(plain, Struct) else {"type": _TYPES[plain]}


def _several(entries: tuple[Any, ...], marks: tuple[Any, ...], defs: _Defs) -> Part:
    """A list, or an object from the key of each entry to the rest of it."""
    entry, *more = entries
    form = next((mark for mark in marks if isinstance(mark, Several)), Several())
    if isinstance(form, (ById, Pairs)):
        keys, value = (
            pair_types(entry)
            if isinstance(form, Pairs)
            else (structs.fields(unwrapped(entry).plain)[0].type, entry)
        )
        return {
            "type": "object",
            "propertyNames": _part(keys, defs),
            "additionalProperties": _part(_said(value, form), defs),
        }
    length = {} if more == [...] else {"minItems": len(entries), "maxItems": len(entries)}
    return {"type": "array", **length, "items": _part(_said(entry, form), defs)}


def _said(entry: Any, form: Several) -> Any:
    """An entry with the description that the mark of its list gives it."""
    return Annotated[entry, form.each] if form.each else entry


@cache
def _parts_of(name: str) -> frozenset[str]:
    """The names of the parts of a file that is made here."""
    return frozenset(json.loads(schema_text(name))["$defs"])


def _struct(kind: type[Struct], defs: _Defs) -> str:
    """Where the schema of a struct is; it becomes a part of `defs` unless another file has it."""
    name = re.sub("(?<=[a-z])(?=[A-Z])", "_", kind.__name__).lower()
    if kind is FILES[defs.file].described and FILES[defs.file].block:
        name = "block"
    home = _HOMES.get(kind.__module__, defs.file)
    if home != defs.file and name in _parts_of(home):
        return f"{home}.schema.json#/$defs/{name}"
    if name not in defs:
        defs[name] = {}  # its place, before those of the structs in it
        fields = _keys(kind)
        several, form = next((each for each in fields if _beside(each)), None), FORMS.get(kind)
        if several:
            defs[name] = _choice(kind, fields, several, defs, name=name)
        elif isinstance(form, (Shorthand, OneOf)):
            defs[name] = _alone(kind, form, fields, defs, name=name)
        elif isinstance(form, AsArray):
            defs[name] = _in_place(kind, form, fields, defs, name=name)
        else:
            defs[name] = _object(_about(kind), fields, defs) | CONDITIONS.get(kind, {})
    return f"#/$defs/{name}"


def _keys(kind: type[Struct]) -> list[Field]:
    """The keys that a struct is written with: its fields, and others."""
    others = (
        Field(name=key, encode_name=key, type=described)
        for key, described in KEYS.get(kind, {}).items()
    )
    return [
        *(each for each in structs.fields(kind) if DERIVED not in unwrapped(each.type).marks),
        *others,
    ]


def _alone(
    kind: type[Struct], form: Shorthand | OneOf, fields: Sequence[Field], defs: _Defs, *, name: str
) -> Part:
    """A struct, or the value of its first field, or what else may stand for it."""
    defs[f"{name}_in_full"] = _object(_about(kind), fields, defs) | CONDITIONS.get(kind, {})
    if isinstance(form, OneOf):
        other = form.other
    else:
        first = _field(fields[0], defs)
        other = {key: value for key, value in first.items() if key not in ("title", "description")}
    full = {"$ref": f"#/$defs/{name}_in_full"}
    return {
        "title": form.title,
        "description": _about(kind),
        "anyOf": [*other.get("anyOf", [other]), full],
    }


def _in_place(
    kind: type[Struct], form: AsArray, fields: Sequence[Field], defs: _Defs, *, name: str
) -> Part:
    """A struct as a list of its required fields, and an object of the others."""
    places = [_field(each, defs) for each in fields if each.required]
    least, others = len(places), [each for each in fields if not each.required]
    if others:
        defs[f"{name}_attributes"] = _object(form.about, others, defs)
        places.append({"$ref": f"#/$defs/{name}_attributes"})
    bounds = {"minItems": least, "maxItems": len(places), "prefixItems": places, "items": False}
    return {"title": form.title, "description": _about(kind), "type": "array", **bounds}


def _beside(field: Field) -> FlattenedIfSingle | None:
    return next(
        (mark for mark in unwrapped(field.type).marks if isinstance(mark, FlattenedIfSingle)), None
    )


def _choice(
    kind: type[Struct], fields: Sequence[Field], several: Field, defs: _Defs, *, name: str
) -> Part:
    """A struct with a tuple of others, or with the keys of the only one of them."""
    entry, beside = get_args(unwrapped(several.type).plain)[0], _beside(several)
    assert beside is not None
    inner = [each for each in structs.fields(entry) if each.name not in beside.without]
    about = _about(kind)
    defs[f"{name}_of_several"] = _object(about, fields, defs)
    defs[f"{name}_of_one"] = _object(
        about, [*(each for each in fields if each is not several), *inner], defs
    )
    return {
        "title": beside.title,
        "description": _about(kind),
        "type": "object",
        "if": {"required": [several.encode_name]},
        "then": {"$ref": f"#/$defs/{name}_of_several"},
        "else": {"$ref": f"#/$defs/{name}_of_one"},
    }


def _object(about: str, fields: Sequence[Field], defs: _Defs) -> Part:
    part: Part = {
        "description": about,
        "type": "object",
        "properties": dict(_COMMENT),
        "required": [],
        "additionalProperties": False,
    }
    for field in fields:
        plain, marks, _ = unwrapped(field.type)
        inside = next((mark for mark in marks if isinstance(mark, Flattened)), None)
        if inside is None:
            part["properties"][field.encode_name] = _field(field, defs)
            part["required"] += (
                [field.encode_name] if field.required and not _worked_out(marks) else []
            )
        else:
            inner = _object("", _keys(plain), defs)
            for key, words in inside.optional.items():
                inner["properties"][key] |= {"description": words}
            part["properties"] |= inner["properties"]
            part["required"] += [key for key in inner["required"] if key not in inside.optional]
    return {key: value for key, value in part.items() if value != []}


def _field(field: Field, defs: _Defs) -> Part:
    """The schema of a field. None as its default means that it is left out, and is no value in
    JSON."""
    part, marks = (
        _part(field.type, defs, may_be_null=field.default is not None),
        unwrapped(field.type).marks,
    )
    default = field.default.value if isinstance(field.default, Enum) else field.default
    if (
        isinstance(default, (bool, int, float, str))
        and not _worked_out(marks)
        and _allowed(default, part)
    ):
        part["default"] = default
    return part


def _worked_out(marks: tuple[Any, ...]) -> bool:
    return any(isinstance(mark, ComputedDefault) for mark in marks)


def _allowed(default: Any, part: Part) -> bool:
    """A default that may also be written: "" and 0 can stand for a value that there is not."""
    return bool(default != "" and default >= part.get("minimum", default))


def _title(marks: tuple[Any, ...]) -> str:
    titles = [mark.title for mark in marks if isinstance(mark, Meta) and mark.title]
    return titles[-1] if titles else ""


def _words(marks: tuple[Any, ...]) -> str:
    return next((mark for mark in reversed(marks) if isinstance(mark, str)), "")


def _about(kind: type[Struct]) -> str:
    return " ".join(inspect.cleandoc(kind.__doc__ or "").partition("\n\n")[0].split())


if __name__ == "__main__":
    for path in schema_paths():
        name = path.name.removesuffix(".schema.json")
        text = schema_text(name) if name in FILES else handmade_text(name)
        path.write_text(text, encoding="utf-8", newline="\n")
