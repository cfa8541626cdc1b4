"""The page docs/options.md, made from the descriptions of the options."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

from platelayer.model.options import OPTIONS, PrintOption

PAGE = Path(__file__).parent / "options.md"

INTRODUCTION = """\
# Options of a print

`make reference` generates this page from [model/options.py](../generator/platelayer/model/options.py), which defines
all options. The first column is the name in Python ([`BuildOptions`](python.md)), in `manifest.json` and in
[profiles](preflight.md), which may set the options with a •; lengths are in mm. The second is the switch of `platelayer
build`. [Print a game](printing.md) shows how to use them.
"""
_TYPES = {bool: "yes or no", int: "whole number", float: "number", str: "text"}


def page() -> str:
    """Return the text of docs/options.md."""
    heads = ("option", "switch", "value", "default", "")
    rows = (heads, ("---",) * len(heads), *map(_row, OPTIONS.values()))
    return INTRODUCTION + "\n" + "".join(f"| {' | '.join(row)} |\n" for row in rows)


def _row(option: PrintOption) -> tuple[str, ...]:
    name = f"`{option.name}`" + (" •" if option.mark.profile else "")
    switches = ", ".join(f"`--{switch}`" for switch in option.switches)
    words = (
        " ".join(option.switches.values())
        if option.mark.help or option.mark.forms
        else option.words
    )
    return name, switches, _value(option), option.default_words, words.replace("|", "\\|")


def _value(option: PrintOption) -> str:
    if option.choices:
        several = ", any of them" if isinstance(option.default, tuple) else ""
        return " ".join(f"`{word}`" for word in option.choices) + several
    if option.pairs:
        return "values by name"
    if get_args(option.plain) == (float, float):
        return "two numbers"
    if isinstance(option.default, tuple):
        return "list"
    bounds = option.bounds
    if bounds and bounds.ge is not None:
        return f"{_TYPES[option.plain]} from {bounds.ge} to {bounds.le}"
    return _TYPES.get(option.plain, "id or file")


def main() -> None:
    """Write docs/options.md."""
    PAGE.write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
