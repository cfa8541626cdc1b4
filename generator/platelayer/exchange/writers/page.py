"""A page that shows a title: its maps, and every piece in the box, by kind."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from itertools import groupby
from urllib.parse import quote

from platelayer.exchange.writers.pictures import (
    BACK,
    FRONT,
    Choice,
    Face,
    check_names,
    faces,
    file_name,
    on_paper,
)
from platelayer.foundation.languages import FixedWords
from platelayer.foundation.text import Text
from platelayer.model.kinds import BOARDS, KINDS, PLAY, SHEETS, Piece
from platelayer.render.painters import PAINTERS

page_words = FixedWords("page")
_join = FixedWords("lists")

_PX_PER_MM = {False: 2.6, True: 5.0}
"""So large are pieces on the page, and boards, if there is room."""
_STYLE = """\
:root { color-scheme: light dark;
  --ground: #f6f4ee; --text: #1c1b19; --soft: #5c5850; --line: #cfc9bb; --link: #7a2e1d; }
@media (prefers-color-scheme: dark) {
  :root { --ground: #1b1c1e; --text: #eceae4; --soft: #aeaaa0; --line: #45464a; --link: #f0a58f; }
}
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1.5rem clamp(0.75rem, 3vw, 2.5rem) 4rem; max-width: 100rem;
  font: 1rem/1.5 system-ui, sans-serif; color: var(--text); background: var(--ground); }
header { border-bottom: 1px solid var(--line); padding-bottom: 1rem; }
h1 { font-size: clamp(1.8rem, 5vw, 3rem); line-height: 1.15; margin: 0; overflow-wrap: anywhere; }
h2 { font-size: 1.4rem; margin: 2.5rem 0 1rem; }
h2 small { font-weight: normal; font-size: 1rem; color: var(--soft); }
header p, figcaption, footer { color: var(--soft); margin: 0.3rem 0; }
nav ul { list-style: none; display: flex; flex-wrap: wrap; gap: 0.3rem 1.1rem; padding: 0; margin: 1rem 0 0; }
a { color: var(--link); }
.pieces { display: flex; flex-wrap: wrap; align-items: flex-end; gap: 1.4rem; }
figure { margin: 0; max-width: 100%; min-width: 6.5rem; }
.faces { display: flex; flex-wrap: wrap; align-items: flex-end; justify-content: center; gap: 0.5rem; }
figure.board .faces { justify-content: start; gap: 1rem; }
img { display: block; max-width: 100%; height: auto; filter: drop-shadow(0 0 1px var(--soft)); }
figure.board img { width: auto; max-height: 92vh; }
figcaption { font-size: 0.85rem; overflow-wrap: anywhere; text-align: center; width: 0; min-width: 100%; }
figure.board figcaption { text-align: left; }
footer { border-top: 1px solid var(--line); margin-top: 3rem; padding-top: 0.5rem; }
@media (max-width: 30rem) { .pieces { gap: 1rem 0.7rem; } }
@media print { a { color: inherit; text-decoration: none; } figure { break-inside: avoid; } }
"""


def page_files(choice: Choice) -> dict[str, bytes]:
    """`index.html`, its style and its pictures. It needs no script and nothing from elsewhere; all
    text is escaped."""
    page = _Page(choice)
    shown = [
        tuple(face for face in every if face.label != BACK or face.piece.back == PLAY)
        for every in faces(choice)
    ]
    check_names(
        [
            (page.address(face), f"{face.piece.key} {face.label}")
            for every in shown
            for face in every
        ]
    )
    pictures = {page.address(face): page.picture(face) for every in shown for face in every}
    return {"index.html": page.document(shown).encode(), "page.css": _STYLE.encode(), **pictures}


def _is_board(piece: Piece) -> bool:
    return KINDS[piece.kind].sort in (BOARDS, SHEETS)


class _Page:
    """The parts of the page."""

    def __init__(self, choice: Choice) -> None:
        self.choice = choice

    def said(self, text: Text, *parts: object) -> str:
        """A text in the page's language, on one line."""
        return " ".join(self.choice.style.words(text, *parts).split())

    def address(self, face: Face) -> str:
        """Where the picture of a face lies."""
        parts = {"kind": face.piece.kind, "id": face.piece.id, "face": face.label}
        return f"pictures/{file_name('{kind}-{id}-{face}', parts)}.svg"

    def label(self, face: Face) -> str:
        """What a picture shows, in words."""
        name = self.choice.name(face.piece)
        kind = self.said(KINDS[face.piece.kind].name)
        whole = name if name == kind else self.said(_join("lead"), kind, name)
        if face.label == BACK:
            return self.said(page_words("back"), whole)
        number = face.label.removeprefix(f"{FRONT}-")
        return whole if number == FRONT else self.said(page_words("sheet"), whole, number)

    def picture(self, face: Face) -> bytes:
        """A face as it is cut."""
        return PAINTERS[".svg"](on_paper(face.scene), label=self.label(face), dpi=0, bleed=False)

    def document(self, shown: list[tuple[Face, ...]]) -> str:
        """The whole page."""
        title = self.choice.title
        name = escape(self.said(title.name))
        kinds = [
            (kind, list(every))
            for kind, every in groupby(shown, key=lambda every: every[0].piece.kind)
        ]
        links = "".join(
            f'<li><a href="#{kind}">{escape(self.said(KINDS[kind].name))}</a></li>\n'
            for kind, _ in kinds
        )
        facts = "".join(f"<p>{escape(fact)}</p>\n" for fact in self.facts())
        return (
            f'<!DOCTYPE html>\n<html lang="{escape(self.choice.language)}">\n<head>\n<meta charset="utf-8">\n'
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
            f'<title>{name}</title>\n<link rel="stylesheet" href="page.css">\n</head>\n<body>\n'
            f"<header>\n<h1>{name}</h1>\n{facts}"
            f'<nav aria-label="{escape(self.said(page_words("contents")))}">\n<ul>\n{links}</ul>\n</nav>\n</header>\n'
            f"<main>\n{''.join(self.section(kind, every) for kind, every in kinds)}</main>\n"
            f"<footer>{escape(self.said(page_words('made')))}</footer>\n</body>\n</html>\n"
        )

    def facts(self) -> Iterator[str]:
        """What stands below the name."""
        title = self.choice.title
        if title.subtitle:
            yield self.said(title.subtitle)
        yield from (
            self.said(variant.name) for variant in title.variants if variant.id == title.variant
        )
        numbers = [entry.players for entry in title.players]
        facts = []
        if numbers:
            facts.append(
                self.said(
                    page_words("players"),
                    "–".join(map(str, dict.fromkeys((min(numbers), max(numbers))))),
                )
            )
        if title.bank:
            facts.append(self.said(page_words("bank"), title.money(title.bank)))
        if facts:
            yield " · ".join(facts)
        yield from map(self.said, title.credits)

    def section(self, kind: str, shown: list[tuple[Face, ...]]) -> str:
        """All pieces of a kind."""
        pieces = [every[0].piece for every in shown]
        count = (
            "" if any(piece.unlimited for piece in pieces) else sum(piece.count for piece in pieces)
        )
        told = f" <small>× {count}</small>" if count not in ("", 1) else ""
        figures = "".join(map(self.figure, shown))
        return (
            f'<section id="{kind}">\n<h2>{escape(self.said(KINDS[kind].name))}{told}</h2>\n'
            f'<div class="pieces">\n{figures}</div>\n</section>\n'
        )

    def figure(self, shown: tuple[Face, ...]) -> str:
        """A piece: its faces, its name, and how many of it there are."""
        piece = shown[0].piece
        board = ' class="board"' if _is_board(piece) else ""
        count = f" × {piece.count}" if piece.count != 1 and not piece.unlimited else ""
        pictures = "".join(map(self.image, shown))
        return (
            f'<figure id="{escape(piece.key)}"{board}>\n<div class="faces">\n{pictures}</div>\n'
            f"<figcaption>{escape(self.choice.name(piece))}{count}</figcaption>\n</figure>\n"
        )

    def image(self, face: Face) -> str:
        """A picture, which leads to itself at its full size."""
        address = quote(self.address(face))
        width, height = (
            round(length * _PX_PER_MM[_is_board(face.piece)]) for length in face.size_mm
        )
        return (
            f'<a href="{address}"><img src="{address}" width="{width}" height="{height}" loading="lazy" '
            f'alt="{escape(self.label(face))}"></a>\n'
        )
