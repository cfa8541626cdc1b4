"""Fields that are described once: the schemas and the readers that follow from them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import pytest
from msgspec import Meta, Struct

from platelayer.definitions.decode import decode
from platelayer.foundation.resources import schema_path, schema_paths
from platelayer.foundation.text import Text
from platelayer.model.described import ById, Distinct, FlattenedIfSingle, Id, Key, Money, Several
from schemas import FILES, File, handmade_text, schema_text


@pytest.mark.parametrize("name", FILES)
def test_schemas_are_those_of_the_model(name: str) -> None:
    assert schema_path(name).read_text("utf-8") == schema_text(name), "run `make schemas`"


@pytest.mark.parametrize(
    "path", [path for path in schema_paths() if path.name.split(".")[0] not in FILES], ids=str
)
def test_other_schemas_have_their_address_example_and_options(path: Path) -> None:
    assert path.read_text("utf-8") == handmade_text(path.name.split(".")[0]), "run `make schemas`"


class Signal(Struct, frozen=True, kw_only=True):
    """A signal."""

    colour: Annotated[str, Meta(pattern="^[a-z]+$", title="a colour"), "Its colour."]
    arms: Annotated[tuple[Id, ...], Distinct(3), "Its arms."] = ()
    note: Annotated[Text | None, "A note."] = None


class Box(Struct, frozen=True, kw_only=True):
    """A signal box: a block that Platelayer does not have."""

    id: Key
    cost: Annotated[Money | None, "What it costs; null: nobody knows."]
    lit: Annotated[bool, "It is lit."] = False
    signals: Annotated[
        tuple[Signal, ...],
        Several(9, least=1),
        FlattenedIfSingle("a box"),
        "Its signals.",
    ]


Boxes = Annotated[tuple[Box, ...], ById(5), "Boxes by id."]


def test_a_field_is_written_in_one_place(monkeypatch: pytest.MonkeyPatch) -> None:
    raw = {
        "A": {"cost": None, "colour": "red", "note": {"en": "Main"}},
        "B": {
            "cost": 4,
            "lit": True,
            "signals": [{"colour": "red", "arms": ["x", "y"]}, {"colour": "green"}],
        },
    }
    one = Signal(colour="red", note=Text((("en", "Main"),)))
    two = (Signal(colour="red", arms=("x", "y")), Signal(colour="green"))
    boxes = (Box(id="A", cost=None, signals=(one,)), Box(id="B", cost=4, lit=True, signals=two))
    assert decode(Boxes, raw) == boxes
    monkeypatch.setitem(FILES, "boxes", File("Signal boxes.", Boxes, "boxes"))
    parts = json.loads(schema_text("boxes"))["$defs"]
    assert parts["block"]["maxProperties"] == 5
    assert parts["box"]["then"] == {"$ref": "#/$defs/box_of_several"}
    of_one = parts["box_of_one"]["properties"]
    assert list(of_one) == ["$comment", "cost", "lit", "colour", "arms", "note"]
    assert parts["box_of_one"]["required"] == ["cost", "colour"]
    assert of_one["cost"]["anyOf"][1] == {"type": "null"}
    assert of_one["lit"] == {"description": "It is lit.", "type": "boolean", "default": False}
    assert of_one["colour"] | {"description": ""} == {
        "title": "a colour",
        "description": "",
        "type": "string",
        "pattern": "^[a-z]+$",
    }
    assert of_one["arms"]["uniqueItems"] is True
    assert parts["box_of_several"]["properties"]["signals"]["minItems"] == 1
