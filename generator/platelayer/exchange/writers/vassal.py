"""Modules of VASSAL.

Source: VASSAL's own code (github.com/vassalengine/vassal, vassal-app/src/main/java/VASSAL): a
module is an archive with `moduledata`, `images` and `buildFile.xml`, whose elements are named after
the classes that read them. Pieces are written in the form that `tools/SequenceEncoder.java` and the
`mySetType` of `counters/*.java` read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain, count
from xml.etree import ElementTree as Xml

from msgspec import Struct, field

from platelayer.exchange.writers.pictures import (
    COMPANIES,
    MOST_PX,
    Choice,
    Face,
    Faces,
    File,
    Gallery,
    Item,
    Pile,
    areas,
    back_of,
    on_paper,
    piles,
    zipped,
)
from platelayer.foundation.geometry import MM_PER_INCH
from platelayer.foundation.languages import FixedWords
from platelayer.imposition.tiling import pixels_of
from platelayer.model.gamemap import COS_30, GameMap, Layout, corner_points
from platelayer.model.kinds import BOARDS, KINDS, PLAY, Form, piece_size
from platelayer.scene.inks import BLACK, WHITE
from platelayer.scene.shapes import Path, Scene, Stroke, rectangle_path

_VERSION = "3.7.0"
_LAYER = "PieceLayer"
_MARGIN_MM = 20.0
_COUNTER_MM = (60.0, 18.0)
_FELT = "58,82,70"
# Parts of every map window besides its boards and pieces.
_PARTS = {
    "map.StackMetrics": {}, "map.ForwardToKeyBuffer": {}, "map.Scroller": {}, "map.ForwardToChatter": {},
    "map.MenuDisplayer": {}, "map.MapCenterer": {}, "map.StackExpander": {}, "map.PieceMover": {},
    "map.KeyBufferer": {}, "map.ImageSaver": {}, "properties.GlobalProperties": {},
    "map.CounterDetailViewer": {"showgraph": "true", "showDeck": "true", "zoomlevel": "1.0"},
    "map.SelectionHighlighters": {}, "map.HighlightLastMoved": {},
    "map.Zoomer": {"zoomLevels": "0.2,0.33,0.5,0.75,1.0,1.5", "zoomStart": "3"},
    "map.LayeredPieceCollection": {"property": _LAYER, "layerOrder": "boards,tiles,cards,tokens"},
}  # fmt: skip

# Attributes of every map window, including the formats of its log lines.
_MAP = {
    "color": "0,0,0", "thickness": "3", "edgeWidth": "0", "edgeHeight": "0", "markMoved": "Never",
    "backgroundcolor": "255,255,255", "allowMultiple": "false", "changeFormat": "$message$",
    "createFormat": "$pieceName$: $location$", "moveWithinFormat": "$pieceName$: $previousLocation$ > $location$",
    "moveToFormat": "$pieceName$: $previousMap$ > $location$",
}  # fmt: skip

_words = FixedWords("vassal")
_documents = FixedWords("documents")
_subjects = FixedWords("subjects")
_books = FixedWords("bookkeeping")
_lists = FixedWords("lists")

Traits = Sequence[tuple[str, str]]


def sequence(separator: str, *tokens: str) -> str:
    """Join tokens as VASSAL's SequenceEncoder does: a separator within a token is escaped with a
    backslash; a token that ends with a backslash, or is itself in quotes, is quoted."""
    written = []
    for token in tokens:
        escaped = token.replace(separator, f"\\{separator}")
        quoted = token.endswith("\\") or (token.startswith("'") and token.endswith("'"))
        written.append(f"'{escaped}'" if quoted else escaped)
    return separator.join(written)


def definition(traits: Traits, image: str, name: str, gpid: int) -> str:
    """Return the text of a piece: its traits as pairs of type and state, the outermost first,
    around the picture."""
    kind, state = sequence(";", "piece", "", "", image, name), f"null;0;0;{gpid};0"
    for own, own_state in reversed(traits):
        kind, state = sequence("\t", own, kind), sequence("\t", own_state, state)
    return "+/" + sequence("/", "null", kind, state)


def packed(choice: Choice, files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return a module's files as one archive, by file name."""
    return {f"{choice.title.id}.vmod": zipped(dict(sorted(files.items())))}


def vassal_files(choice: Choice, dpi: int) -> dict[str, File]:
    """Return the files within a module."""
    module = _Module(choice=choice, gallery=Gallery(dpi=dpi))
    build = module.build()
    name, data = module.words(choice.title.name), Xml.Element("data", version="1")
    texts = {
        "version": "1.0",
        "VassalVersion": _VERSION,
        "description": module.credits,
        "name": name,
    }
    for tag, text in texts.items():
        Xml.SubElement(data, tag).text = text
    images = {f"images/{file}": picture for file, picture in module.gallery.files.items()}
    return {**images, "buildFile.xml": _xml(build), "moduledata": _xml(data)}


def _once(name: str, taken: set[str]) -> str:
    """Return a name by which VASSAL can find a window, deck or space, and add it to `taken`; the
    name is numbered if it is already taken."""
    names = chain((name,), (f"{name} ({number})" for number in count(2)))
    chosen = next(each for each in names if each not in taken)
    taken.add(chosen)
    return chosen


def _xml(root: Xml.Element) -> bytes:
    Xml.indent(root)
    text: bytes = Xml.tostring(root, encoding="UTF-8", xml_declaration=True)
    return text + b"\n"


def _element(name: str, attributes: Mapping[str, object] = {}, *inside: Xml.Element) -> Xml.Element:
    """Return an element named after a class below VASSAL.build."""
    written = {key: str(value) for key, value in attributes.items()}
    element = Xml.Element(f"VASSAL.build.{name}", written)
    element.extend(inside)
    return element


class _Module(Struct, frozen=True, kw_only=True):
    """Module in the making: its pictures, a counter of ids, and the names already taken."""

    choice: Choice
    gallery: Gallery
    numbers: Iterator[int] = field(default_factory=lambda: count(1))
    taken: set[str] = set()

    @property
    def words(self) -> Callable[..., str]:
        """Function that returns a text in the language of the export."""
        return self.choice.style.words

    @property
    def credits(self) -> str:
        """Credits of the title, on one line."""
        return "; ".join(self.words(credit) for credit in self.choice.title.credits)

    def px(self, mm: float) -> int:
        """Return a length in pixels."""
        return round(mm * self.gallery.dpi / MM_PER_INCH)

    def build(self) -> Xml.Element:
        """Return the build file: windows for maps, market, areas of the table and players, and a
        palette of all pieces."""
        choice, table = self.choice, piles(self.choice)
        maps = {f"map:{gamemap.id}": gamemap for gamemap in choice.title.maps}
        windows: list[Xml.Element] = []
        items = []
        for pile in table:
            front = pile.first
            if front.piece.key in maps or front.piece.kind == "market":
                board = self.board(pile.name, front, maps.get(front.piece.key))
                windows.append(self.window(pile.name, board, [], main=not windows))
            else:
                items.append(Item(data=pile, size_mm=front.size_mm, area=pile.area, row=pile.row))
        for company in choice.title.companies:
            if any(item.row == company.id for item in items):
                name = self.words(company.name)
                items.append(self.counter(name, "0", COMPANIES, company.id))
        names = {BOARDS: _documents("boards"), COMPANIES: _subjects("companies")}
        names |= {"cards": _documents("cards"), "hexes": _documents("tiles")}
        for area, laid in areas(items).items():
            if laid.places:
                windows.append(self.area(self.words(names[area]), laid.places, not windows))
        players = max((entry.players for entry in choice.title.players), default=0)
        sides = [self.words(_books("player"), number) for number in range(1, players + 1)]
        if sides:
            bank = self.counter(self.words(_subjects("bank")), str(choice.title.bank or 0), BOARDS)
            purses = [self.counter(side, "0", BOARDS, side) for side in sides]
            places = areas([bank, *purses])[BOARDS].places
            windows.append(self.area(self.words(_subjects("players")), places, not windows))
        roster = _element("module.PlayerRoster")
        for side in sides:
            Xml.SubElement(roster, "entry").text = side
        palette = self.palette(table)
        attributes = {
            "name": self.words(choice.title.name), "version": "1.0", "VassalVersion": _VERSION,
            "description": self.credits, "nextPieceSlotId": next(self.numbers),
        }  # fmt: skip
        return _element(
            "GameModule",
            attributes,
            _element("module.BasicCommandEncoder"),
            _element("module.Documentation"),
            roster,
            _element("module.GlobalOptions"),
            *windows,
            palette,
            _element("module.NotesWindow"),
            _element("module.Chatter"),
            _element("module.KeyNamer"),
        )

    def window(
        self, name: str, board: Xml.Element, contents: Sequence[Xml.Element], *, main: bool
    ) -> Xml.Element:
        """Return a window with a board. The main window is always open, others have a button."""
        title = _once(name, self.taken)
        attributes = {
            **_MAP, "mapName": title, "buttonName": title, "launch": str(not main).lower()
        }  # fmt: skip
        picker = _element("module.map.BoardPicker", {}, board)
        parts = [_element(f"module.{part}", own) for part, own in _PARTS.items()]
        return _element("module.Map", attributes, picker, *parts, *contents)

    def board(self, name: str, face: Face, gamemap: GameMap | None) -> Xml.Element:
        """Return a board with its picture. On a map, tiles snap to hexes, which are named as
        printed; on a market, markers snap to its spaces."""
        from platelayer.drawing.boards.market import placed_spaces

        scene, title = face.scene, self.choice.title
        # A board may have more pixels than a texture; VASSAL cuts it into tiles.
        pixels = pixels_of(face.size_mm, self.gallery.dpi, 4 * MOST_PX)
        wide, tall = pixels[0] / scene.width_mm, pixels[1] / scene.height_mm
        image = self.gallery.keep(f"{face.piece.kind}-{face.piece.id}", on_paper(scene), pixels)
        board = _element("module.map.boardPicker.Board", {"name": name, "image": image})
        grids = "module.map.boardPicker.board"
        if gamemap is None:
            regions = _element(f"{grids}.RegionGrid", {"snapto": "true", "visible": "false"})
            taken: set[str] = set()
            for cell, box in placed_spaces(title, self.choice.style):
                at = {"originx": round((box.x + box.width / 2) * wide)}
                at |= {"originy": round((box.y + box.height / 2) * tall)}
                words = " ".join(self.words(cell.text).split()) if cell.text else str(cell.price)
                regions.append(_element(f"{grids}.Region", {"name": _once(words, taken), **at}))
            board.append(regions)
            return board
        middles = {hex_id: (x * wide, y * tall) for hex_id, x, y in scene.places}
        across = piece_size(title, "map", gamemap.id).width_mm
        zoned, sideways = _element(f"{grids}.ZonedGrid"), gamemap.layout is Layout.POINTY
        x, y = middles[gamemap.hexes[0].id]
        # A sideways grid counts in exchanged coordinates.
        (x, y), (dx, dy) = ((y, x), (tall, wide)) if sideways else ((x, y), (wide, tall))
        grid = {
            "x0": round(x), "y0": round(y), "dx": f"{across * COS_30 * dx:.4f}", "dy": f"{across * dy:.4f}",
            "sideways": str(sideways).lower(), "snapTo": "true", "edgesLegal": "false",
            "cornersLegal": "false", "visible": "false",
        }  # fmt: skip
        zoned.append(_element(f"{grids}.HexGrid", grid))
        corners = corner_points(gamemap.layout, across)
        for hex_id, (x, y) in middles.items():
            path = ";".join(f"{round(x + a * wide)},{round(y + b * tall)}" for a, b in corners)
            zone = {
                "name": hex_id,
                "locationFormat": "$name$",
                "path": path,
                "useParentGrid": "true",
            }
            zoned.append(_element(f"{grids}.mapgrid.Zone", zone))
        board.append(zoned)
        return board

    def area(
        self, name: str, places: Sequence[tuple[Item, float, float]], main: bool
    ) -> Xml.Element:
        """Return a window for an area of the table. Boards are fixed in place; other piles are
        decks."""
        right = max(x + item.size_mm[0] / 2 for item, x, _ in places)
        foot = max(y + item.size_mm[1] / 2 for item, _, y in places)
        size = {"width": self.px(right + 2 * _MARGIN_MM), "height": self.px(foot + 2 * _MARGIN_MM)}
        attributes = {"name": name, **size, "color": _FELT}
        contents = []
        for item, x, y in places:
            at = {"owningBoard": name, "x": self.px(x + _MARGIN_MM), "y": self.px(y + _MARGIN_MM)}
            if not isinstance(item.data, Pile):
                called = {"name": item.data.attrib["entryName"]}
                contents.append(_element("module.map.SetupStack", called | at, item.data))
                continue
            pile = item.data
            kind = KINDS[pile.first.piece.kind]
            title = pile.name
            if pile.area == COMPANIES:
                title = self.words(_lists("aside"), title, self.words(kind.name))
            title = _once(title, self.taken)
            if not kind.has_back:
                slot = self.slot(pile.pieces[0], "widget.PieceSlot")
                contents.append(_element("module.map.SetupStack", {"name": title, **at}, slot))
                continue
            is_plain = any(sides[0].piece.back not in ("", PLAY) for sides in pile.pieces)
            deck = {
                "name": title, **at, "width": self.px(item.size_mm[0]), "height": self.px(item.size_mm[1]),
                "faceDown": "MenuDefaultUp" if is_plain else "Never", "drawFaceUp": "true",
                "shuffle": "Via right-click Menu" if pile.is_deck else "Never", "allowMultiple": "false",
                "allowSelect": "true", "reversible": "false", "draw": "true", "color": "0,0,0",
                "maxStack": "1",
            }  # fmt: skip
            # The last card is on top.
            slots = [
                self.slot(sides, "widget.CardSlot", title)
                for sides in reversed(pile.pieces)
                for _ in range(sides[0].piece.count)
            ]
            contents.append(_element("module.map.DrawPile", deck, *slots))
        board = _element("module.map.boardPicker.Board", attributes)
        return self.window(name, board, contents, main=main)

    def palette(self, table: Sequence[Pile]) -> Xml.Element:
        """Return a window with every piece once, by kind, from which any number of copies can be
        taken."""
        tabs: dict[str, Xml.Element] = {}
        for sides in (sides for pile in table for sides in pile.pieces):
            kind = KINDS[sides[0].piece.kind]
            if kind.has_back:
                name = self.words(kind.name)
                tab = tabs.setdefault(name, _element("widget.ListWidget", {"entryName": name}))
                tab.append(self.slot(sides, "widget.PieceSlot"))
        name = self.words(_words("palette"))
        inside = _element("widget.TabWidget", {"entryName": name}, *tabs.values())
        attributes = {"name": name, "text": name, "scale": "0.5"}
        return _element("module.PieceWindow", attributes, inside)

    def slot(self, sides: Faces, kind: str, deck: str | None = None) -> Xml.Element:
        """Return a piece as taken from the palette, or from a deck to which it can return."""
        front, piece = sides[0], sides[0].piece
        name, number = self.choice.name(piece), next(self.numbers)
        image = self.gallery.face(front)
        text = definition(list(self.traits(sides, deck)), image, name, number)
        return self.written(kind, name, number, front.size_mm, text)

    def written(
        self, kind: str, name: str, number: int, size_mm: tuple[float, float], text: str
    ) -> Xml.Element:
        """Return a slot with the text of its piece."""
        width, height = map(self.px, size_mm)
        attributes = {"entryName": name, "gpid": number, "width": width, "height": height}
        slot = _element(kind, attributes)
        slot.text = text
        return slot

    def traits(self, sides: Faces, deck: str | None) -> Iterator[tuple[str, str]]:
        """Yield the traits of a piece, the outermost first."""
        piece, kind = sides[0].piece, KINDS[sides[0].piece.kind]
        is_hex = kind.form is Form.HEXAGON
        layer = "tiles" if is_hex else "tokens" if kind.form is Form.DISC else "cards"
        yield f"mark;{_LAYER}", layer if kind.is_card or is_hex or layer == "tokens" else "boards"
        if not kind.has_back:
            # Cannot be selected or moved.
            yield "immob;n;V", ""
            return
        if deck is not None:
            yield sequence(";", "return", self.words(_words("return")), "66,130", deck, ""), ""
        yield sequence(";", "delete", self.words(_words("delete")), "68,130"), ""
        other = back_of(sides)
        if other is not None and (piece.back == PLAY or not is_hex):
            back, turn = self.gallery.face(other), self.words(_words("flip"))
            if piece.back == PLAY or not kind.is_card:
                # A layer that is always active, with nothing and the back as its levels.
                layers = sequence(",", "", back)
                yield sequence(
                    ";", "emb2", "", "128", "A", turn, "128", "", "", "128", "", "", "", "1", "false", "0", "0",
                    layers, ",", "true", "Back", "", "", "false", "", "1", "1", "true", "", "70,130", "", "", "1.0",
                ), "1"  # fmt: skip
            else:
                name = self.words(kind.name)
                yield sequence(";", "obs", "70,130", back, turn, "B", name, "player:", ""), "null;"
        if is_hex:
            right, left = self.words(_words("right")), self.words(_words("left"))
            yield sequence(";", "rotate", "6", "82,130", "82,195", right, left, "", "", "", ""), "0"
        if kind.form is Form.DISC and piece.group != "market":
            # Stations lie in slots of cities, not in the middle of hexes.
            yield "immob;g;N", ""

    def counter(self, name: str, amount: str, area: str, row: str = "") -> Item:
        """Return a plate for the money of a player or company; players type the amount."""
        width, height = _COUNTER_MM
        plate = Path(
            rectangle_path(0.5, 0.5, width - 1, height - 1),
            fill=WHITE,
            stroke=Stroke(BLACK, 0.5),
        )
        scene = Scene("counter", width, height, (plate,))
        image = self.gallery.keep("counter", scene, (self.px(width), self.px(height)))

        def label(key: str, menu: str, size: float, rise: float, text: str) -> tuple[str, str]:
            style = ["", "0,0,0", "c", str(self.px(rise)), "c", "0", "c", "c", "$pieceName$"]
            return sequence(
                ";", "label", key, menu, str(self.px(size)), *style, "Dialog", "0", "0", "Amount" if key else "Name", ""
            ), text  # fmt: skip

        traits = [
            (f"mark;{_LAYER}", "boards"),
            label("77,130", self.words(_words("amount")), 6.0, 3.5, amount),
            label("", "", 4.0, -4.0, name),
        ]
        number = next(self.numbers)
        text = definition(traits, image, name, number)
        slot = self.written("widget.PieceSlot", name, number, _COUNTER_MM, text)
        return Item(data=slot, size_mm=_COUNTER_MM, area=area, row=row)
