"""Marks that describe the fields of a definition where the model names them.

A field is written once, in the struct that holds it: name, type, bounds, default and words.
`definitions/decode.py` reads JSON by these descriptions, `definitions/describe.py` writes the files
in schemas/ from them.

    class Reach(Struct):
        \"\"\"How many stops of some kinds the train visits, and how many of them pay.\"\"\"

        stops: Annotated[tuple[KindOfStop, ...], Meta(min_length=1), DISTINCT, "Kinds of stop it applies to."]
        multiplier: Annotated[int, Meta(ge=1), "How many times its value each of these stops pays."] = 1

In `Annotated`, `Meta` bounds a value (its `title` is what messages call it), a plain string
describes it, and the marks below say the rest. A field with a default may be left out. Fields
marked DERIVED are no keys of the definition.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Any, TypeVar

from msgspec import Struct

from platelayer.foundation.text import Text

T = TypeVar("T")
Part = dict[str, Any]
"""A part of a JSON Schema."""


class Shared(Struct, frozen=True):
    """The schema of a type is a part of common.schema.json."""

    part: str


class ById(Struct, frozen=True):
    """A tuple of structs is written as an object from the first field of each to the rest of it."""


class Pairs(Struct, frozen=True):
    """A tuple of pairs, or of structs with two fields, is written as an object from the first to
    the second."""


class Alone(Struct, frozen=True):
    """A struct may be written as the value of its first field. `title` is what messages call either
    form."""

    title: str


class Or(Struct, frozen=True, eq=False):
    """A list or an object may be written in another form, too: its schema, and what makes the value
    of what is written so (None: whoever decodes the struct that holds it). `title` is what messages
    call either form."""

    title: str
    other: Part
    make: Callable[[Any], Any] | None = None


class Block(Struct, frozen=True):
    """A block of a title, or the path of a file that holds it: the name of the file's schema."""

    schema: str


class InPlace(Struct, frozen=True):
    """A struct is written as a list of its required fields, and an object with what it has of the
    others. `title` is what messages call it."""

    title: str
    about: str = ""


class Inside(Struct, frozen=True, eq=False):
    """The keys of a struct stand among those of the struct that holds it. `optional` are those that
    may be left out here alone, with what is said of them."""

    optional: Mapping[str, str]


class Beside(Struct, frozen=True):
    """A tuple of structs: if there is only one, its keys may stand beside those of the struct that
    holds the tuple, but those of `without`, which tell several from each other. `title` is what
    messages call either form."""

    title: str
    without: tuple[str, ...] = ()


class Derived(Struct, frozen=True):
    """A field that is no key of the definition."""


class Distinct(Struct, frozen=True):
    """No entry of a list comes twice."""


class LeftOut(Struct, frozen=True, eq=False):
    """What a field is that is left out, by the fields before it (None: whoever decodes the struct
    says so)."""

    make: Callable[[Mapping[str, Any]], Any] | None = None


class Read(Struct, frozen=True, eq=False):
    """A value is written in a form of its own: its schema, and what makes the value of what is
    written (None: whoever decodes the struct that holds it)."""

    schema: Part
    make: Callable[[Any], Any] | None = None


BY_ID, DERIVED, DISTINCT, PAIRS = ById(), Derived(), Distinct(), Pairs()

FORMS: dict[type, Alone | InPlace | Or | Read] = {}
"""Types that are written in a form of their own wherever they stand."""


def written(form: Alone | InPlace | Or | Read) -> Callable[[type[T]], type[T]]:
    """Marks a class whose values are written in a form of their own."""
    return _noting(FORMS, form)


def _noting(table: dict[type, Any], what: Any) -> Callable[[type[T]], type[T]]:
    def note(kind: type[T]) -> type[T]:
        table[kind] = what
        return kind

    return note


CONDITIONS: dict[type, Part] = {}
"""Keywords that the schema of a struct has besides those that follow from its fields."""
KEYS: dict[type, Mapping[str, Any]] = {}
"""Keys of a struct that are not fields, with their described types; the fields are worked out from
them."""


def written_if(condition: Part) -> Callable[[type[T]], type[T]]:
    """Marks a class whose fields depend on each other."""
    return _noting(CONDITIONS, condition)


def written_with(**keys: Any) -> Callable[[type[T]], type[T]]:
    """Marks a class that is written with keys that are not its fields."""
    return _noting(KEYS, keys)


def one_of(*words: str) -> Read:
    """A value is one of some words."""
    return Read({"enum": [*words]})


def common(part: str) -> Part:
    """The schema of a part of common.schema.json."""
    return {"$ref": f"common.schema.json#/$defs/{part}"}


def text(written: Any) -> Text:
    """A string, or an object from language to words."""
    return Text.plain(written) if isinstance(written, str) else Text(tuple(written.items()))


def text_or_none(written: Any) -> Text | None:
    """A text, or None where there is none."""
    return None if written is None else text(written)


written(Read(common("text"), text))(Text)

Key = Annotated[str, DERIVED, Shared("id")]
"""The id of a struct in a tuple that is written BY_ID: its first field."""
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
