"""Styles of SVG elements: attributes, declarations and simple style sheets."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from platelayer.definitions.svg.lengths import share
from platelayer.definitions.svg.tree import Element, refuse
from platelayer.definitions.svg.work import STYLE_CHARACTER, Work
from platelayer.model.picture import CURRENT

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
    "font": "",
    "font-family": "",
    "font-size": "16",
    "font-weight": "400",
    "text-anchor": "start",
    "dominant-baseline": "auto",
}
_OWN = {"opacity": "1", "display": "inline", "clip-path": "none", "mask": "none", "filter": "none"}
_KNOWN = INITIAL | _OWN
_SELECTOR = re.compile(r"(?P<tag>[a-zA-Z]+|\*)?(?P<mark>[.#])?(?P<name>[\w-]+)?")
_DIGITS = re.compile("[0-9]+")
_DEEPEST, _LONGEST = 8, 100
"""Nesting of brackets; characters of a number and of a colour."""

_Declared = dict[str, str]
_Rules = dict[tuple[str, str], _Declared]
"""Declarations by what they apply to: ("", tag), (".", class) or ("#", id)."""


class Styles:
    """The style sheets of a file. Raises SvgError for selectors that say more than a tag, a class
    or an id."""

    def __init__(self, root: Element, work: Work) -> None:
        self._work = work
        self._read: dict[str, _Declared] = {}
        self._rules = self._of_sheets(root)

    def of(self, element: Element, around: Mapping[str, str]) -> dict[str, str]:
        """The style of an element in the style of what is round it."""
        inherited = {**around, **_OWN}
        own = element.attributes
        marks = [
            ("", "*"),
            ("", element.tag),
            *((".", name) for name in own.get("class", "").split()),
        ]
        declared: _Declared = {key: own[key].strip() for key in inherited if key in own}
        for mark in (*marks, ("#", own.get("id", ""))):
            declared |= self._rules.get(mark, {})
        declared |= self._declarations(element.line, own.get("style", ""))
        return inherited | {key: value for key, value in declared.items() if value != "inherit"}

    def _of_sheets(self, root: Element) -> _Rules:
        import tinycss2

        rules: _Rules = {}
        for element in root.each():
            if element.tag != "style":
                continue
            tokens = self._tokens(element.line, "".join(element.text))
            for rule in tinycss2.parse_stylesheet(tokens, skip_whitespace=True):
                if rule.type != "qualified-rule":
                    what = (
                        f"@{rule.lower_at_keyword[:40]}"
                        if rule.type == "at-rule"
                        else "its style sheet"
                    )
                    refuse(
                        element.line,
                        f"{what} cannot be read",
                        "write fill and stroke on the shapes themselves",
                    )
                declared = _known(element.line, rule.content)
                for selector in tinycss2.serialize(rule.prelude).split(","):
                    match = _SELECTOR.fullmatch(selector.strip())
                    if match is None or (match["mark"] is None) != (match["name"] is None):
                        message = f'the selector "{selector.strip()[:40]}" cannot be read'
                        refuse(element.line, message, "a tag, .class or #id is")
                    mark = (match["mark"] or "", match["name"] or match["tag"])
                    rules.setdefault(mark, {}).update(declared)
        return rules

    def _declarations(self, line: int, words: str) -> _Declared:
        """What an attribute `style` declares; the same words are read once."""
        if words not in self._read:
            self._read[words] = _known(line, self._tokens(line, words))
        return self._read[words]

    def _tokens(self, line: int, words: str) -> list[Any]:
        """The tokens of a style. Refuses what tinycss2 fails at: brackets in brackets, and numbers
        of many digits."""
        from tinycss2 import parse_component_value_list

        self._work.take(line, STYLE_CHARACTER * len(words))
        if any(len(digits) > _LONGEST for digits in _DIGITS.findall(words)):
            refuse(line, f"a number of a style has more than {_LONGEST} digits")
        tokens = parse_component_value_list(words, skip_comments=True)
        within = tokens
        for _ in range(_DEEPEST + 1):
            within = [rule for block in within for rule in _inside(block)]
        if within:
            refuse(line, f"brackets of a style are nested more than {_DEEPEST} deep", "close them")
        return list(tokens)


def _inside(token: Any) -> Sequence[Any]:
    return getattr(token, "content", None) or getattr(token, "arguments", None) or ()


def _known(line: int, tokens: Sequence[Any]) -> _Declared:
    """What tokens declare of the properties that we know."""
    import tinycss2

    parsed = tinycss2.parse_declaration_list(tokens, skip_whitespace=True)
    if any(token.type != "declaration" for token in parsed):
        refuse(line, f'the style "{tinycss2.serialize(tokens).strip()[:40]}" cannot be read')
    return {
        token.lower_name: tinycss2.serialize(token.value).strip()
        for token in parsed
        if token.lower_name in _KNOWN
    }


def opacity(element: Element, style: Mapping[str, str], key: str) -> float:
    """How opaque something is, from 0 to 1. Raises SvgError."""
    try:
        return share(style[key])
    except ValueError:
        refuse(element.line, f'{key} "{style[key][:40]}" of <{element.tag}> is not a number')


def paint(element: Element, style: Mapping[str, str], key: str) -> str | None:
    """#rrggbb, CURRENT, or None for what is not painted."""
    words = style[key]
    opaque = opacity(element, style, f"{key}-opacity")
    if words in ("none", "transparent") or opaque == 0:
        return None
    if words.startswith("url("):
        message = f"{key} {words[:40]} of <{element.tag}>: gradients and patterns cannot be printed in flat inks"
        refuse(element.line, message, "use a flat colour")
    colour, alpha = _colour(words) if len(words) <= _LONGEST else (None, 1.0)
    if colour is None:
        refuse(
            element.line,
            f'{key} "{words[:40]}" of <{element.tag}> is not a colour',
            'for example "#c8102e"',
        )
    if alpha == 0:
        return None
    if colour != CURRENT and (opaque < 1 or alpha < 1):
        refuse(
            element.line,
            f"the {key} of <{element.tag}> is half transparent",
            "give it the colour it has on paper",
        )
    return colour


@lru_cache(maxsize=256)
def _colour(words: str) -> tuple[str | None, float]:
    """A colour of CSS as #rrggbb or CURRENT, None for what is none; how opaque it is."""
    import tinycss2.color3

    # The one name that CSS has gained since its third level.
    colour = tinycss2.color3.parse_color("#663399" if words.lower() == "rebeccapurple" else words)
    if colour == "currentColor":
        return CURRENT, 1.0
    if colour is None:
        return None, 1.0
    return "#" + "".join(
        f"{round(min(1.0, max(0.0, part)) * 255):02x}" for part in colour[:3]
    ), colour.alpha
