"""Titles for Tabletop Simulator: a save, and its pictures beside it."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Sequence
from urllib.parse import quote

from msgspec import Struct, field

from platelayer.exchange.out.simulator import (
    MOST_CARDS,
    MOST_PX,
    Card,
    CardSheet,
    Image,
    Item,
    bag,
    board,
    cut_out,
    deck,
    disc,
    save,
)
from platelayer.foundation.problems import CannotRun
from platelayer.imposition.sprites import grids, pixels_of, sheet_of
from platelayer.model.kinds import KINDS, Form
from platelayer.pipeline.export.faces import BACK, Choice, Face, cut_picture, faces, picture

SAVES, IMAGES = "Saves", "Mods/Images"
"""Folders of Tabletop Simulator, where it looks for saves, and for pictures that are named without an address."""

Faces = tuple[Face, ...]


class _Pictures(Struct, kw_only=True):
    """Pictures made so far, by file name; one that shows the same is made once. Names begin with the id of the title,
    as all games share one folder."""

    title: str
    dpi: int
    files: dict[str, bytes] = field(default_factory=dict)
    known: dict[str, str] = field(default_factory=dict)

    def name(self, stem: str) -> str:
        """A file name that is not taken."""
        plain = re.sub(r"[^A-Za-z0-9.+-]", "_", f"{self.title}-{stem}")
        taken = {name.lower() for name in self.files}
        name, number = f"{plain}.png", 2
        while name.lower() in taken:
            name, number = f"{plain}~{number}.png", number + 1
        return name

    def keep(self, stem: str, data: bytes) -> str:
        """The name of the file with these bytes."""
        digest = hashlib.sha256(data).hexdigest()
        if digest not in self.known:
            self.known[digest] = self.name(stem)
            self.files[self.known[digest]] = data
        return self.known[digest]

    def face(self, face: Face) -> Image:
        """The picture of one face."""
        pixels = pixels_of(face.size_mm, self.dpi, MOST_PX)
        stem = f"{face.piece.kind}-{face.piece.id}-{face.label}"
        return Image(file=self.keep(stem, cut_picture(face.scene, pixels)), size_mm=face.size_mm)


def address(base: str | None) -> Callable[[str], str]:
    """Addresses of pictures below a base, or their names alone. Raises CannotRun for a base that is none."""
    if base is None:
        return str
    if not re.match(r"(https?|file)://", base):
        raise CannotRun(f"--base-url: {base!r} is no address; write e.g. https://example.org/18eu")
    return lambda name: f"{base.rstrip('/')}/{quote(name)}"


def simulator_files(choice: Choice, base_url: str | None, dpi: int) -> dict[str, bytes]:
    """The save and its pictures, in folders as Tabletop Simulator has them."""
    url = address(base_url)
    pictures = _Pictures(title=choice.title.id, dpi=dpi)
    by_piece = list(faces(choice))
    cards = [each for each in by_piece if KINDS[each[0].piece.kind].is_card]
    others = [each for each in by_piece if not KINDS[each[0].piece.kind].is_card]
    items = [*_laid(choice, others, pictures, url), *_decks(choice, cards, pictures, url)]
    counts = [each.players for each in choice.title.players] or [0]
    name = choice.style.words(choice.title.name)
    note = "\n".join(choice.style.words(each) for each in choice.title.credits)
    data = save(name, note, (min(counts), max(counts)), items)
    images = {f"{IMAGES}/{file}": image for file, image in pictures.files.items()}
    return images | {f"{SAVES}/{choice.title.id}.json": data}


def _laid(choice: Choice, pieces: Iterable[Faces], pictures: _Pictures, url: Callable[[str], str]) -> list[Item]:
    """Boards first, then charters, hexes, and the tokens of each company or other thing in a bag."""
    boards: list[Item] = []
    flat: list[Item] = []
    hexes: list[Item] = []
    discs: dict[str, list[tuple[str, Item]]] = {}
    for each in pieces:
        piece, name = each[0].piece, choice.name(each[0].piece)
        kind = KINDS[piece.kind]
        back = next((face for face in each if face.label == BACK), None)
        fronts = [face for face in each if face.label != BACK]
        if not kind.has_back:
            boards += [board(name, pictures.face(face), None, piece.count, url, locked=True) for face in fronts]
        elif kind.form is Form.HEXAGON:
            hexes.append(cut_out(name, pictures.face(fronts[0]), piece.count, url))
        elif kind.form is Form.DISC:
            item = disc(name, pictures.face(fronts[0]), _file(pictures, back), piece.count, url)
            discs.setdefault("/".join(piece.origin[:2]), []).append((name, item))
        else:
            front = pictures.face(fronts[0])
            flat.append(board(name, front, _file(pictures, back), piece.count, url, locked=False))
    bags = [
        group[0][1] if len(group) == 1 else bag(group[0][0], [item for _, item in group]) for group in discs.values()
    ]
    boards.sort(key=lambda item: -item.size_mm[0] * item.size_mm[1])
    return [*boards, *flat, *hexes, *bags]


def _file(pictures: _Pictures, face: Face | None) -> str | None:
    return pictures.face(face).file if face is not None else None


def _decks(choice: Choice, cards: Sequence[Faces], pictures: _Pictures, url: Callable[[str], str]) -> list[Item]:
    """Decks by kind and size; cards that belong to companies, as certificates do, in a deck for each."""
    sheets: dict[int, CardSheet] = {}
    found: list[Item] = []
    by_size: dict[tuple[str, tuple[float, float]], list[Faces]] = {}
    for each in cards:
        size = (round(each[0].size_mm[0], 3), round(each[0].size_mm[1], 3))
        by_size.setdefault((each[0].piece.kind, size), []).append(each)
    for (kind, size), group in by_size.items():
        start = 0
        decks: dict[str, list[Card]] = {}
        for grid in grids(len(group), pixels_of(size, pictures.dpi, MOST_PX), MOST_CARDS, MOST_PX):
            here = group[start : start + grid.columns * grid.rows]
            start += len(here)
            number = len(sheets) + 1
            front = sheet_of(f"sheet:{number}", [each[0].scene for each in here], grid, size)
            file = pictures.keep(f"{kind}-cards-{number}", picture(front, grid.size_px))
            backs = [each[-1] for each in here]
            own = len({face.scene.key for face in backs}) > 1
            if own:
                behind = sheet_of(f"backs:{number}", [face.scene for face in backs], grid, size)
                back = pictures.keep(f"{kind}-cards-{number}-backs", picture(behind, grid.size_px))
            else:
                back = pictures.face(backs[0]).file
            sheets[number] = CardSheet(front=file, back=back, columns=grid.columns, rows=grid.rows, own_backs=own)
            for place, each in enumerate(here):
                piece = each[0].piece
                card = Card(name=choice.name(piece), sheet=number, place=place, count=piece.count)
                decks.setdefault(_pile(choice, piece.origin), []).append(card)
        for pile, deck_cards in decks.items():
            name = pile or choice.style.words(KINDS[kind].name)
            found.append(deck(name, deck_cards, sheets, size, url))
    return found


def _pile(choice: Choice, origin: tuple[str, ...]) -> str:
    """The company whose certificates lie together; "" for all other cards."""
    company = choice.title.company_by_id.get(origin[1]) if len(origin) > 2 else None
    return choice.style.words(company.name) if company is not None else ""
