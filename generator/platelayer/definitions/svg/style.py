"""Styles of SVG elements: attributes, declarations and simple style sheets."""

from __future__ import annotations

import re
from collections.abc import Mapping

from platelayer.definitions.svg.tree import Element, refuse
from platelayer.model.picture import CURRENT

NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
INITIAL = {
    "fill": "#000000",
    "stroke": "none",
    "stroke-width": "1",
    "stroke-linecap": "butt",
    "stroke-linejoin": "miter",
    "stroke-dasharray": "none",
    "fill-rule": "nonzero",
    "fill-opacity": "1",
    "stroke-opacity": "1",
    "visibility": "visible",
}
_OWN = {"opacity": "1", "display": "inline", "clip-path": "none", "mask": "none", "filter": "none"}
_SELECTOR = re.compile(r"(?P<tag>[a-zA-Z]+|\*)?(?P<mark>[.#])?(?P<name>[\w-]+)?")


_Rules = dict[tuple[str, str], dict[str, str]]
"""Declarations by what they apply to: ("", tag), (".", class) or ("#", id)."""


class Styles:
    """The style sheets of a file. Raises SvgError for selectors that say more than a tag, a class or an id."""

    def __init__(self, root: Element) -> None:
        self._rules = _rules(root)

    def of(self, element: Element, around: Mapping[str, str]) -> dict[str, str]:
        """The style of an element in the style of what is round it."""
        found = {**around, **_OWN}
        own = element.attributes
        marks = [("", "*"), ("", element.tag), *((".", name) for name in own.get("class", "").split())]
        declared: dict[str, str] = {key: own[key].strip() for key in found if key in own}
        for mark in (*marks, ("#", own.get("id", ""))):
            declared |= self._rules.get(mark, {})
        declared |= _declarations(element.line, own.get("style", ""))
        return found | {key: value for key, value in declared.items() if key in found and value != "inherit"}


def _rules(root: Element) -> _Rules:
    """The rules of all style sheets. Raises SvgError for selectors that say more than a tag, a class or an id."""
    import tinycss2

    found: _Rules = {}
    for element in root.each():
        if element.tag != "style":
            continue
        for rule in tinycss2.parse_stylesheet(element.text, skip_comments=True, skip_whitespace=True):
            if rule.type != "qualified-rule":
                what = f"@{rule.lower_at_keyword}" if rule.type == "at-rule" else "its style sheet"
                refuse(element.line, f"{what} cannot be read", "write fill and stroke on the shapes themselves")
            for selector in tinycss2.serialize(rule.prelude).split(","):
                match = _SELECTOR.fullmatch(selector.strip())
                if match is None or (match["mark"] is None) != (match["name"] is None):
                    message = f'the selector "{selector.strip()[:40]}" cannot be read'
                    refuse(element.line, message, "a tag, .class or #id is")
                mark = (match["mark"] or "", match["name"] or match["tag"])
                found.setdefault(mark, {}).update(_declarations(element.line, tinycss2.serialize(rule.content)))
    return found


def _declarations(line: int, words: str) -> dict[str, str]:
    import tinycss2

    if not words:
        return {}
    parsed = tinycss2.parse_declaration_list(words, skip_comments=True, skip_whitespace=True)
    for each in parsed:
        if each.type != "declaration":
            refuse(line, f'the style "{words[:40]}" cannot be read')
    return {each.lower_name: tinycss2.serialize(each.value).strip() for each in parsed}


def share(element: Element, key: str, words: str) -> float:
    """A number or percentage, from 0 to 1. Raises SvgError."""
    number = words.removesuffix("%")
    if not NUMBER.fullmatch(number):
        refuse(element.line, f'{key} "{words[:40]}" is not a number')
    return min(1.0, max(0.0, float(number) / (100 if number != words else 1)))


def paint(element: Element, style: Mapping[str, str], key: str) -> str | None:
    """#rrggbb, CURRENT, or None for what is not painted."""
    import tinycss2.color3

    words = style[key]
    opacity = share(element, f"{key}-opacity", style[f"{key}-opacity"])
    if words in ("none", "transparent") or opacity == 0:
        return None
    if words.startswith("url("):
        message = f"{key} {words[:40]} of <{element.tag}>: gradients and patterns cannot be printed in flat inks"
        refuse(element.line, message, "use a flat colour")
    colour = tinycss2.color3.parse_color(words)
    if colour == "currentColor":
        return CURRENT
    if colour is None:
        refuse(element.line, f'{key} "{words[:40]}" of <{element.tag}> is not a colour', 'for example "#c8102e"')
    if colour.alpha == 0:
        return None
    if opacity < 1 or colour.alpha < 1:
        refuse(element.line, f"the {key} of <{element.tag}> is half transparent", "give it the colour it has on paper")
    return "#" + "".join(f"{round(min(1.0, max(0.0, part)) * 255):02x}" for part in colour[:3])
