"""Running gear that engines share: buffers, bogies, motion and tenders."""

from __future__ import annotations

from platelayer.drawing.train.engine_parts import (
    BRASS,
    FIRE,
    MID,
    PALE,
    Line,
    Part,
    Plate,
    Rod,
    Wheel,
    box,
    crank_pins,
    heap,
    path,
)
from platelayer.scene.shapes import Point


def bands(y0: float, y1: float, *xs: float) -> tuple[Part, ...]:
    """Boiler bands."""
    return tuple(Line(commands=path((x, y0), (x, y1)), width=0.35, tone=BRASS) for x in xs)


def buffers(y: float, front: float, back: float) -> tuple[Part, ...]:
    """A red buffer beam and a buffer in front, and a buffer behind, at a height of y."""
    return (
        Plate(commands=box(front + 2.6, y - 1.9, front + 3.9, y + 1.9), tone=FIRE),
        Plate(commands=box(front + 0.5, y - 0.55, front + 2.6, y + 0.55)),
        Plate(commands=box(front, y - 1.5, front + 0.75, y + 1.5, 0.35)),
        Plate(commands=box(back - 2.2, y - 0.55, back - 0.5, y + 0.55)),
        Plate(commands=box(back - 0.75, y - 1.5, back, y + 1.5, 0.35)),
    )


def motion(drivers: tuple[Wheel, ...], cylinder: Point, main: int) -> tuple[Part, ...]:
    """Coupling rods, the connecting rod to driver `main`, piston rod and crosshead; `cylinder` is its back end."""
    pins = crank_pins(drivers)
    x, y = cylinder
    cross = (x + 5.6, y)
    rods: list[Part] = []
    if len(pins) > 1:
        rods.append(Rod(points=pins, width=1.0, boss=1.15))
    rods += [
        Line(commands=path((x, y + 1.15), (x + 7.6, y + 1.15)), width=0.5, tone=MID),
        Line(commands=path((x, y - 1.15), (x + 7.6, y - 1.15)), width=0.5, tone=MID),
        Line(commands=path((x, y), cross), width=0.6, tone=PALE),
        Rod(points=(cross, pins[main]), width=0.9, boss=1.2),
        Plate(commands=box(cross[0] - 1.0, y - 1.2, cross[0] + 1.0, y + 1.2, 0.3), edge=True),
    ]
    return tuple(rods)


def bogie(y: float, *wheels: Wheel) -> tuple[Part, ...]:
    """Carrying wheels and the frame between them."""
    first, last = wheels[0].x, wheels[-1].x
    frame = Plate(commands=box(first - 1.8, y - 0.5, last + 1.8, y + 0.7, 0.4), tone=MID)
    return (*wheels, frame)


def tender(x0: float, x1: float, floor: float, top: float, coal: float) -> tuple[Part, ...]:
    """A tender's frame, tank and coal."""
    return (
        Plate(commands=heap(x0 + 0.8, x1 - 4.6, top - 0.4, coal)),
        Plate(commands=box(x0 + 1.4, floor - 4.2, x1 - 1.4, floor - 1.6), tone=MID),
        Plate(commands=box(x0, floor - 1.9, x1 + 0.4, floor)),
        Plate(commands=box(x0, floor, x1, top, 0.5), edge=True),
        Line(commands=path((x0 + 1.2, top - 1.2), (x1 - 1.2, top - 1.2)), width=0.3, tone=BRASS),
        Line(commands=path((x0 + 1.2, floor + 1.2), (x1 - 1.2, floor + 1.2)), width=0.3, tone=BRASS),
    )
