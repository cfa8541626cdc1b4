"""Plain pieces to impose, and plane geometry to judge where they end up."""

import math
from itertools import pairwise

from platelayer.foundation.text import Text
from platelayer.imposition.impose import PieceToPrint
from platelayer.model.kinds import Piece
from platelayer.scene.flatten import flatten_commands
from platelayer.scene.inks import ink_from_hex
from platelayer.scene.shapes import (
    Group,
    Path,
    Scene,
    Use,
    circle_path,
    polygon_path,
    rectangle_path,
)

INK = ink_from_hex("#f6d44b")


def hexagon(key, flat_to_flat=38.1, *, pointy=False, bleed=3.0):
    """A hex tile: flat side up, or point up."""
    radius = flat_to_flat / math.sqrt(3)
    width, height = (flat_to_flat, 2 * radius) if pointy else (2 * radius, flat_to_flat)
    first = 30 if pointy else 0
    points = [
        (
            width / 2 + radius * math.cos(math.radians(a)),
            height / 2 + radius * math.sin(math.radians(a)),
        )
        for a in range(first, 360 + first, 60)
    ]
    ground = Path(
        commands=rectangle_path(-bleed, -bleed, width + 2 * bleed, height + 2 * bleed), fill=INK
    )
    return Scene(
        key=key,
        width_mm=width,
        height_mm=height,
        items=(ground,),
        bleed_mm=bleed,
        outline=polygon_path(points),
    )


def card(key, width, height, bleed=3.0):
    """A rectangular card."""
    ground = Path(
        commands=rectangle_path(-bleed, -bleed, width + 2 * bleed, height + 2 * bleed), fill=INK
    )
    return Scene(key=key, width_mm=width, height_mm=height, items=(ground,), bleed_mm=bleed)


def disc(key, diameter=14.0, bleed=1.5):
    """A round token."""
    r = diameter / 2
    ground = Path(commands=circle_path(r, r, r + bleed), fill=INK)
    return Scene(
        key=key,
        width_mm=diameter,
        height_mm=diameter,
        items=(ground,),
        bleed_mm=bleed,
        outline=circle_path(r, r, r),
    )


def three_hexes(key, flat_to_flat=39.5, bleed=3.0):
    """Three hexes in a triangle, as a map tile of Lost Atlas: an outline of twelve corners with
    three hollows."""
    r, half = flat_to_flat / math.sqrt(3), flat_to_flat / 2
    across = (0, 0.5, 1.5, 2, 3, 3.5, 3, 2, 1.5, 0.5, 0, 0.5)
    down = (1, 0, 0, 1, 1, 2, 3, 3, 4, 4, 3, 2)
    points = [(x * r, y * half) for x, y in zip(across, down, strict=True)]
    width, height = 3.5 * r, 4 * half
    ground = Path(
        commands=rectangle_path(-bleed, -bleed, width + 2 * bleed, height + 2 * bleed), fill=INK
    )
    return Scene(
        key=key,
        width_mm=width,
        height_mm=height,
        items=(ground,),
        bleed_mm=bleed,
        outline=polygon_path(points),
    )


def piece(kind, piece_id, scene, count=1, group=""):
    """A piece to print."""
    made = Piece(kind=kind, id=piece_id, name=Text.plain(piece_id), count=count, group=group)
    return PieceToPrint(piece=made, scene=scene)


def small_game():
    """Something of every kind of layout."""
    tiles = [
        piece("tile", number, hexagon(f"tile:{number}"), count, colour)
        for number, count, colour in (
            ("57", 8, "yellow"),
            ("9", 15, "yellow"),
            ("14", 4, "green"),
            ("513", 5, "gray"),
        )
    ]
    return [
        piece("map", "main", card("map:main", 560, 430)),
        *tiles,
        piece("charter", "BNR", card("charter:BNR", 148, 105)),
        piece("certificate", "BNR-director", card("certificate:BNR-director", 88, 63)),
        piece("certificate", "BNR-10", card("certificate:BNR-10", 88, 63), 8),
        piece("train", "2", card("train:2", 67, 44), 15),
        piece("token", "BNR", disc("token:BNR"), 5, "station"),
        piece("token", "BNR-market", disc("token:BNR-market"), 1, "market"),
        piece("marker", "M", disc("marker:M"), 8, "mountain"),
        piece("market", "market", card("market:market", 300, 180)),
        piece("round-track", "rounds", card("round-track:rounds", 150, 60)),
        piece("number-card", "1", card("number-card:1", 44, 67)),
        piece("priority-card", "priority", card("priority-card:priority", 67, 44)),
        piece("checklist", "checklist", card("checklist:checklist", 186, 254, bleed=0)),
    ]


def placed_polygons(page):
    """(scene, outline, painted) of each piece on a page, as polygons in mm on the page; `painted`
    is its clip, or its trim grown by its bleed."""
    found = []
    for item in page.scene.items:
        use, matrix, clip = item, getattr(item, "matrix", None), None
        if isinstance(item, Group):
            (use,), clip = item.items, item.clip
        if not isinstance(use, Use) or use.scene.key.startswith("sheet:"):
            continue
        scene = use.scene
        grown = rectangle_path(
            -scene.bleed_mm,
            -scene.bleed_mm,
            scene.width_mm + 2 * scene.bleed_mm,
            scene.height_mm + 2 * scene.bleed_mm,
        )
        outline = flatten_commands(scene.die_line, matrix)[0][0]
        painted = flatten_commands(clip or grown, matrix)[0][0]
        found.append((scene, outline, painted))
    return found


def depth(one, other):
    """How deep two convex polygons overlap in mm; 0 or less: they do not."""
    for axis in (0, 1):
        p, q = [point[axis] for point in one], [point[axis] for point in other]
        if min(p) >= max(q) or min(q) >= max(p):
            return 0.0
    least = math.inf
    for polygon in (one, other):
        for (ax, ay), (bx, by) in pairwise((*polygon, polygon[0])):
            length = math.hypot(bx - ax, by - ay)
            if length < 1e-9:
                continue
            ux, uy = (by - ay) / length, (ax - bx) / length
            p, q = [x * ux + y * uy for x, y in one], [x * ux + y * uy for x, y in other]
            least = min(least, min(max(p), max(q)) - max(min(p), min(q)))
    return least


def marks_of(page):
    """Cut marks and joining marks of a page as (start, end), those of the foot aside."""
    foot_top = page.scene.height_mm - 6 - 8
    return [
        (points[0], points[1])
        for item in page.scene.items
        if isinstance(item, Path) and item.fill is None
        for points, _ in flatten_commands(item.commands)
        if len(points) == 2 and points[0][1] < foot_top + 1e-6
    ]


def thick(a, b, width=0.1):
    """A line as the rectangle that its stroke inks."""
    length = math.dist(a, b)
    x, y = (a[1] - b[1]) / length * width / 2, (b[0] - a[0]) / length * width / 2
    return ((a[0] + x, a[1] + y), (b[0] + x, b[1] + y), (b[0] - x, b[1] - y), (a[0] - x, a[1] - y))


def sides(polygon):
    """The sides of a closed polygon."""
    return list(pairwise((*polygon, polygon[0])))
