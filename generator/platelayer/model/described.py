"""Marks that say how the fields of the model are written in JSON.

A field of the format is described once, in the struct that holds it: name, type, bounds, default
and words. `definitions/decode.py` reads JSON by these descriptions, and `tools/schemas.py` writes
the files in schemas/ from them.

    class Reach(Struct):
        \"\"\"How many stops of some kinds the train visits, and how many of them pay.\"\"\"

        stops: Annotated[tuple[KindOfStop, ...], Distinct(4, least=1), "Kinds of stop it applies to."]
        multiplier: Annotated[int, Meta(ge=1), "How many times its value each of these stops pays."] = 1

In `Annotated`, `Meta` bounds a value (its `title` is what messages call it), a plain string
describes it, and the marks below say the rest. A field with a default may be left out. Fields
marked DERIVED are no keys of the definition.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import NoneType
from typing import Annotated, Any, NamedTuple, TypeVar

from platelayer.foundation.text import Text
from platelayer.foundation.values import Frozen

# Letters and digits of names and ids, and the pattern of an id, as in common.schema.json.
PLAIN_LETTERS = "A-Za-z0-9"
LETTERS = PLAIN_LETTERS + r"\u00c0-\u1fff\u2c00-\u2dff\u3005-\ud7ff\uf900-\ufaff"
ID = f"[{LETTERS}][{LETTERS}._+-]{{0,39}}"

T = TypeVar("T")
Part = dict[str, Any]  # a part of a JSON Schema


class Shared(Frozen):
    """Type whose schema is a part of common.schema.json."""

    part: str


class Several(Frozen):
    """Tuple, written as a list: the most and the least entries, and what one is, if its type does
    not say."""

    most: int | None = None
    each: str = ""
    least: int | None = None


class Distinct(Several, frozen=True):
    """List without repeated entries."""


class ById(Several, frozen=True):
    """Tuple of structs, written as an object that maps the first field of each to the others."""


class Pairs(Several, frozen=True):
    """Tuple of pairs, or of structs with two fields, written as an object that maps the first to
    the second, which `each` describes."""


class Shorthand(Frozen):
    """Struct that may be written as the value of its first field alone. Messages call both forms
    `title`."""

    title: str


class OneOf(Frozen, eq=False):
    """List or object that may be written in another form: the schema of that form, and a function
    from it to the value (None: the value is decoded with the struct that holds it). Messages call
    both forms `title`."""

    title: str
    other: Part
    make: Callable[[Any], Any] | None = None


class Block(Frozen):
    """Block of a title, written in place or as the path of a file; `schema` names the file's."""

    schema: str


class AsArray(Frozen):
    """Struct written as a list: its required fields, then an object with the optional ones, if any.
    Messages call it `title`."""

    title: str
    about: str = ""


class Flattened(Frozen, eq=False):
    """Struct whose keys stand among those of the struct that holds it. `optional` maps the keys that
    may be omitted only here to their descriptions."""

    optional: Mapping[str, str]


class FlattenedIfSingle(Frozen):
    """Tuple of structs: a single one may be written with its keys among those of the struct that
    holds the tuple, except for the keys in `without`, which distinguish several. Messages call both
    forms `title`."""

    title: str
    without: tuple[str, ...] = ()


class Derived(Frozen):
    """Field that is not a key of the definition."""


class ComputedDefault(Frozen, eq=False):
    """Default of an omitted field, computed from the fields before it (None: by the code that
    decodes the struct)."""

    make: Callable[[Mapping[str, Any]], Any] | None = None


class Parsed(Frozen, eq=False):
    """Value with a written form of its own: the schema of that form, a function from it to the value
    (None: the value is decoded with the struct that holds it), and for what is encoded its
    inverse."""

    schema: Part
    make: Callable[[Any], Any] | None = None
    write: Callable[[Any], Any] | None = None


DERIVED = Derived()

# Types with the same written form wherever they are used.
FORMS: dict[type, Shorthand | AsArray | OneOf | Parsed] = {}


# Keywords of a struct's schema that do not follow from its fields.
CONDITIONS: dict[type, Part] = {}
# Keys of a struct in JSON from which fields are computed, with their described types.
KEYS: dict[type, Mapping[str, Any]] = {}


def written(
    form: Shorthand | AsArray | OneOf | Parsed | None = None,
    condition: Part | None = None,
    /,
    **keys: Any,
) -> Callable[[type[T]], type[T]]:
    """Class decorator for a class whose values have a written form of their own, whose fields
    depend on each other by a condition, or whose keys are not its fields."""

    def register(kind: type[T]) -> type[T]:
        if form is not None:
            FORMS[kind] = form
        if condition is not None:
            CONDITIONS[kind] = condition
        if keys:
            KEYS[kind] = keys
        return kind

    return register


def one_of(*words: str) -> Parsed:
    """Return the mark of a value that is one of these words."""
    return Parsed({"enum": [*words]})


def common(part: str) -> Part:
    """Return the schema of a part of common.schema.json."""
    return {"$ref": f"common.schema.json#/$defs/{part}"}


def text(written: Any) -> Text:
    """Return a text written as a string, or as an object from language to words."""
    return Text.plain(written) if isinstance(written, str) else Text(tuple(written.items()))


def text_or_none(written: Any) -> Text | None:
    """Return a text, or None."""
    return None if written is None else text(written)


written(Parsed(common("text"), text, lambda own: dict(own.forms).get("") or dict(own.forms)))(Text)

# The first field of a struct, which is its id in a tuple that is written ById.
Key = Annotated[str, DERIVED, Shared("id")]
Id = Annotated[str, Shared("id")]
Words = Annotated[str, Shared("words")]
CompanySize = Annotated[str, Shared("size")]
ColourName = Annotated[str, Shared("colour_name")]
Ink = Annotated[str, Shared("ink")]
Rgb = Annotated[str, Shared("rgb")]
HexName = Annotated[str, Shared("hex")]
Edge = Annotated[int, Shared("edge")]
Money = Annotated[int, Shared("money")]
Count = Annotated[int, Shared("count")]


class Described(NamedTuple):
    """Type without its marks and without "or None"; its marks, outermost last; `nullable` if None is
    among its values."""

    plain: Any
    marks: tuple[Any, ...]
    nullable: bool


def unwrapped(described: Any, marks: tuple[Any, ...] = (), *, nullable: bool = False) -> Described:
    """Take a described type apart."""
    own = getattr(described, "__metadata__", None)
    if own is not None:
        return unwrapped(described.__origin__, (*own, *marks), nullable=nullable)
    choices = getattr(described, "__args__", ())
    # Marks may stand outside as well as inside of "or None": Annotated[Annotated[X, ...] | None,
    # ...].
    if NoneType in choices:
        return unwrapped(
            next(choice for choice in choices if choice is not NoneType), marks, nullable=True
        )
    return Described(described, marks, nullable)
