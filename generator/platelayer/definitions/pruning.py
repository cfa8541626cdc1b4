"""Keywords for jsonschema that go down only where the fast checker says that something is wrong.

jsonschema needs seconds for a large file, most of them for what is sound in it. These go over entries in the order of
the file, too, where jsonschema's own take additional keys in the order of a set.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from platelayer.definitions.quick import part_check

Keyword = Callable[[Any, Any, Any, Any], Iterator[Any]]


def pruning_keywords(originals: Mapping[str, Keyword]) -> dict[str, Keyword]:
    """Keywords in place of the originals of the same names; what they cannot do better they leave to those."""

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

    return {"items": items, "properties": properties, "additionalProperties": additional, "propertyNames": names}
