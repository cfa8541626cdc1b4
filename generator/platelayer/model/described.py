"""Marks that describe the fields of a definition where the model names them.

A field is written once, in the struct that holds it: name, type, bounds, default and words. `definitions/decode.py`
reads JSON by these descriptions, `definitions/describe.py` writes the files in schemas/ from them.

    class Reach(Struct):
        \"\"\"How many stops of some kinds the train visits, and how many of them pay.\"\"\"

        stops: Annotated[tuple[KindOfStop, ...], Meta(min_length=1), DISTINCT, "Kinds of stop it applies to."]
        multiplier: Annotated[int, Meta(ge=1), "How many times its value each of these stops pays."] = 1

In `Annotated`, `Meta` bounds a value (its `title` is what messages call it), a plain string describes it, and the marks
below say the rest. A field with a default may be left out. Fields marked DERIVED are no keys of the definition.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Any

from msgspec import Struct

from platelayer.foundation.text import Text


class Shared(Struct, frozen=True):
    """The schema of a type is a part of common.schema.json."""

    part: str


class ById(Struct, frozen=True):
    """A tuple of structs is written as an object from the `id` of each to the rest of it."""


class Beside(Struct, frozen=True):
    """A tuple of structs: if there is only one, its keys may stand beside those of the struct that holds the tuple, but
    those of `without`, which tell several from each other. `title` is what messages call either form."""

    title: str
    without: tuple[str, ...] = ()


class Derived(Struct, frozen=True):
    """A field that is no key of the definition."""


class Distinct(Struct, frozen=True):
    """No entry of a list comes twice."""


class Read(Struct, frozen=True):
    """A value is written in a form of its own: its schema, and what makes the value of what is written."""

    schema: Mapping[str, Any]
    make: Callable[[Any], Any]


BY_ID, DERIVED, DISTINCT = ById(), Derived(), Distinct()


def text(written: Any) -> Text:
    """A string, or an object from language to words."""
    return Text.plain(written) if isinstance(written, str) else Text(tuple(written.items()))


OWN_FORMS: dict[type, Read] = {Text: Read({"$ref": "common.schema.json#/$defs/text"}, text)}
"""Types that are written in a form of their own wherever they stand."""

Key = Annotated[str, DERIVED]
"""The id of a struct in a tuple that is written BY_ID."""
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
