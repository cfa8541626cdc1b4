"""A title in, the list of every piece to print out: kinds, ids, names, counts, totals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cached_property

from msgspec import Struct
from msgspec.structs import replace

from platelayer.foundation.text import Text, bilingual
from platelayer.model.title import Title

KINDS = (
    "map",
    "tile",
    "map-tile",
    "overlay",
    "charter",
    "certificate",
    "private",
    "train",
    "token",
    "market",
    "revenue-chart",
    "round-track",
    "phase-card",
    "summary",
    "number-card",
    "priority-card",
    "money",
    "marker",
    "upgrade-chart",
    "checklist",
    "capital-project",
    "destination-card",
    "score-sheet",
    "offer-sheet",
)

PLAIN, PLAY = "plain", "play"
_ONE_SIDED = {"map", "market", "revenue-chart", "round-track", "upgrade-chart", "checklist", "score-sheet"}
_WITH_BACKS = frozenset(KINDS) - _ONE_SIDED


class Piece(Struct, frozen=True, kw_only=True):
    """One distinct piece and how many of it the box holds. `kind:id` names it on the command line; `group` is a
    finer class within the kind (a tile's colour, station or market token ...) that totals are kept of, and so is
    `size`, the class of the company it belongs to (small, medium, large). `back` is what its back is for: PLAIN (what
    tells a face-down piece's kind, or its number), PLAY (read in play), or "" (none).
    """

    kind: str
    id: str
    name: Text
    count: int
    group: str = ""
    back: str = ""
    size: str = ""

    @property
    def key(self) -> str:
        """`kind:id`."""
        return f"{self.kind}:{self.id}"


class Manifest(Struct, frozen=True, kw_only=True, dict=True):
    """Everything a title prints, in printing order, and totals by kind and by kind/group."""

    title: str
    variant: str | None
    pieces: tuple[Piece, ...]

    @cached_property
    def totals(self) -> dict[str, int]:
        """Counts by `kind` and, where a kind has groups or sizes, by `kind/group` and `kind/size`; kinds in the order
        of KINDS."""
        counts: Counter[str] = Counter()
        for piece in self.pieces:
            counts[piece.kind] += piece.count
            for part in dict.fromkeys((piece.group, piece.size)):
                if part:
                    counts[f"{piece.kind}/{part}"] += piece.count
        return dict(counts)

    @cached_property
    def by_key(self) -> dict[str, Piece]:
        """Pieces by `kind:id`."""
        return {piece.key: piece for piece in self.pieces}


def build_manifest(title: Title) -> Manifest:
    """Every piece the title's definition implies. Raises nothing: counts are checked against the box elsewhere."""
    pieces = sorted(_pieces(title), key=lambda piece: KINDS.index(piece.kind))
    kept = tuple(replace(piece, back=_back(title, piece)) for piece in pieces if piece.count > 0)
    return Manifest(title=title.id, variant=title.variant, pieces=kept)


def _back(title: Title, piece: Piece) -> str:
    """What the back of a piece is for."""
    if piece.kind == "train" and title.train_by_id[piece.id].sides[1]:
        return PLAY
    if piece.kind == "phase-card" and title.phase_sides[1]:
        return PLAY
    if piece.kind == "offer-sheet":
        return PLAY
    return PLAIN if piece.kind in _WITH_BACKS else ""


def _pieces(title: Title) -> Iterator[Piece]:
    yield from _boards(title)
    for entry in title.tiles:
        tile = entry.tile
        yield Piece(
            kind="tile", id=tile.id, name=tile.name or Text.plain(tile.id), count=entry.count, group=tile.colour
        )
    yield from _company_pieces(title)
    for train in title.trains:
        name = Text.plain(" / ".join(face.name for face in train.faces))
        yield Piece(kind="train", id=train.id, name=name, count=train.printed)
    yield from _cards(title)


def _boards(title: Title) -> Iterator[Piece]:
    pieces = title.pieces
    for gamemap in title.maps:
        yield Piece(kind="map", id=gamemap.id, name=gamemap.name, count=1)
    yield from _map_pieces(title)
    if title.market is not None:
        yield Piece(kind="market", id="market", name=bilingual("Stock market", "株式市場"), count=1)
    if pieces.revenue_chart is not None:
        per_share = bilingual("Earnings per share", "1株あたり収益表")
        name = per_share if pieces.revenue_chart.shares else bilingual("Revenue chart", "収益表")
        yield Piece(kind="revenue-chart", id="revenue", name=name, count=1)
    for overlay in pieces.overlays:
        yield Piece(kind="overlay", id=overlay.id, name=overlay.name, count=overlay.count, group="map")
    if pieces.rounds:
        yield Piece(kind="round-track", id="rounds", name=bilingual("Round track", "ラウンドトラック"), count=1)


def _map_pieces(title: Title) -> Iterator[Piece]:
    """What the board of a title is assembled from."""
    box = title.atlas
    if box is None:
        return
    for tile in box.map_tiles:
        name = bilingual(f"Map tile {tile.number}", f"マップタイル{tile.number}")
        yield Piece(kind="map-tile", id=str(tile.number), name=name, count=tile.copies)
    project = bilingual("Capital project", "首都計画")
    yield Piece(kind="capital-project", id="capital", name=project, count=box.capital_projects)
    capital, blank = bilingual("Capital overlay", "首都オーバーレイ"), bilingual("Blank overlay", "空白オーバーレイ")
    yield Piece(kind="overlay", id="capital", name=capital, count=box.capital_overlays, group="capital")
    yield Piece(kind="overlay", id="blank", name=blank, count=box.blank_overlays, group="blank")


def _company_pieces(title: Title) -> Iterator[Piece]:
    for company in title.companies:
        size = company.size or ""
        if company.has_charter:
            yield Piece(kind="charter", id=company.id, name=company.name, count=1, group=company.kind.value, size=size)
            yield Piece(kind="token", id=company.id, name=company.name, count=len(company.stations), group="station")
            if company.certificates and not company.owned_whole and title.market is not None:
                markers = title.pieces.market_tokens
                yield Piece(kind="token", id=f"{company.id}-market", name=company.name, count=markers, group="market")
        if company.owned_whole or not company.has_charter:
            group = size or company.kind.value
            yield Piece(kind="private", id=company.id, name=company.name, count=1, group=group, size=size)
        for certificate in () if company.owned_whole else company.certificates:
            yield Piece(
                kind="certificate",
                id=f"{company.id}-{certificate.grade}",
                name=company.name,
                count=certificate.count,
                group="director" if certificate.director else "ordinary",
                size=size,
            )


def _cards(title: Title) -> Iterator[Piece]:
    pieces = title.pieces
    yield Piece(kind="phase-card", id="phases", name=bilingual("Phases", "フェイズ"), count=pieces.phase_cards)
    for aid in title.aids:
        yield Piece(kind="summary", id=aid.id, name=aid.name, count=aid.count)
    for number in pieces.number_cards:
        yield Piece(kind="number-card", id=str(number), name=Text.plain(str(number)), count=1)
    yield Piece(
        kind="priority-card", id="priority", name=bilingual("Priority deal", "優先権"), count=pieces.priority_cards
    )
    for value, count in pieces.money:
        yield Piece(kind="money", id=str(value), name=Text.plain(title.money(value)), count=count)
    for card in pieces.destination_cards:
        known = bilingual(f"Destination {card.id}", f"目的地{card.id}")
        name = known if card.revenue else bilingual("Destination, to fill in", "目的地(記入用)")
        yield Piece(kind="destination-card", id=card.id, name=name, count=card.count)
    if pieces.score_sheet is not None:
        name = bilingual("Final accounts", "最終決算表")
        yield Piece(kind="score-sheet", id="accounts", name=name, count=pieces.score_sheet.count)
    if pieces.offer is not None:
        name = bilingual("Initial round", "初期ラウンド")
        yield Piece(kind="offer-sheet", id="offer", name=name, count=pieces.offer.count)
    for marker in pieces.markers:
        yield Piece(kind="marker", id=marker.id, name=marker.name, count=marker.count, group=marker.id)
    if len({entry.tile.colour for entry in title.tiles}) > 1:
        yield Piece(kind="upgrade-chart", id="upgrades", name=bilingual("Upgrade chart", "アップグレード表"), count=1)
    yield Piece(kind="checklist", id="checklist", name=bilingual("Checklist", "内容物一覧"), count=1)
