"""Keywords for jsonschema that descend only where the fast checker finds an error.

jsonschema needs seconds for a large file, mostly for the parts that are valid. These keywords also visit entries in the
order of the file (those of jsonschema take additional keys in the order of a set) and report no more problems of each
choice than of a file. Their running time grows linearly with the file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import Any

from platelayer.definitions.quick import part_check, unique_items
from platelayer.foundation.problems import MAX_PROBLEMS

Keyword = Callable[[Any, Any, Any, Any], Iterator[Any]]


def pruning_keywords(originals: Mapping[str, Keyword]) -> dict[str, Keyword]:
    """Replacements for the keywords of the same names; they fall back on the originals where they cannot do better."""
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
            branches = (validator.descend(value, part, schema_path=index) for index, part in enumerate(parts))
            told = (error for errors in branches for error in islice(errors, MAX_PROBLEMS + 1))
            yield ValidationError("none of the choices", context=tuple(told))

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
