"""The pages of a PDF in order, with what they inherit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

import pikepdf

from platelayer.preflight.budget import Budget
from platelayer.preflight.findings import ANEW, Findings
from platelayer.preflight.objects import entry, items_of, name_of, unseen

_HANDED_DOWN = ("/Resources", "/MediaBox", "/CropBox")
"""What a page inherits from the nodes above it (ISO 32000-1, table 30), as far as a check needs it."""
_MAX_DEPTH = 100
_STEPS = 5
"""Cost of inspecting one kid of a node."""


class Page(NamedTuple):
    """A page as written, and what it inherits from the nodes above it."""

    own: Any
    above: Mapping[str, Any]

    def entry(self, key: str) -> Any:
        """The value of a key of the page, its own or inherited."""
        found = entry(self.own, key)
        return self.above.get(key) if found is None else found


def pages_of(root: Any, findings: Findings, budget: Budget) -> Iterator[Page]:
    """All pages under the catalogue of a file, with PF03 for anything that is not a tree. Raises TooMuch."""
    return _Tree(findings, budget).below([entry(root, "/Pages")], Page(None, {}), 0)


class _Tree:
    """The state of a walk through the tree: where it reports problems, its budget, and which nodes it has seen."""

    def __init__(self, findings: Findings, budget: Budget) -> None:
        self._findings, self._budget, self._seen = findings, budget, set[Any]()

    def below(self, kids: Iterable[Any], node: Page, depth: int) -> Iterator[Page]:
        """The pages below a node."""
        above = {key: found for key in _HANDED_DOWN if (found := node.entry(key)) is not None}
        for kid in kids:
            self._budget.spend_steps(_STEPS)
            page = Page(kid, above)
            if not isinstance(kid, pikepdf.Dictionary):
                self._fault("an entry of its page tree is not a page")
            elif name_of(entry(kid, "/Type")) != "Pages" and entry(kid, "/Kids") is None:
                yield page
            elif not any(unseen([kid], self._seen)):
                self._fault("a node appears more than once in its page tree")
            elif depth >= _MAX_DEPTH:
                self._fault(f"its page tree is more than {_MAX_DEPTH} nodes deep")
            else:
                yield from self.below(items_of(entry(kid, "/Kids"), self._budget), page, depth + 1)

    def _fault(self, words: str) -> None:
        self._findings.add("PF03", words, hint=ANEW)
