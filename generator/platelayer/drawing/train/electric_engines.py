"""The electric engine and the coach, as parts to draw."""

from __future__ import annotations

from platelayer.drawing.train.engine_gear import bogie, buffers
from platelayer.drawing.train.engine_parts import (
    BRASS,
    FIRE,
    MID,
    PALE,
    Engine,
    Line,
    Part,
    Plate,
    Wheel,
    arch,
    box,
    path,
    shape,
)


def electric() -> Engine:
    """1-Do-1 electric express engine of about 1938: rounded body, big single drivers, pantographs under the wire."""
    roof: tuple[tuple[str | float, ...], ...] = (
        ("M", 5.0, 9.4),
        ("C", 4.0, 13.0, 4.4, 17.4, 5.2, 19.6),
        ("L", 10.6, 21.2),
        ("L", 14.2, 28.2),
        ("C", 14.8, 29.4, 16.0, 30.0, 18.0, 30.0),
        ("L", 94.0, 30.0),
        ("C", 96.0, 30.0, 97.2, 29.4, 97.8, 28.2),
        ("L", 101.4, 21.2),
        ("L", 106.8, 19.6),
        ("C", 107.6, 17.4, 108.0, 13.0, 107.0, 9.4),
        ("Z",),
    )
    louvres = tuple(
        Line(commands=path((x, 21.4), (x, 26.4)), width=0.45, tone=MID) for x in (30.4, 31.8, 33.2, 78.8, 80.2, 81.6)
    )
    panes = tuple(Plate(commands=box(x, 21.2, x + 6.4, 26.6, 0.7), tone=PALE) for x in (37.6, 47.6, 58.0, 68.0))
    arms: list[Part] = []
    for x, way in ((27.0, 1), (85.0, -1)):
        arms += [
            Plate(commands=box(x - 5.6, 30.0, x + 5.6, 31.0, 0.3)),
            Line(commands=path((x - 4.4 * way, 31.0), (x + 3.6 * way, 35.4), (x - 2.6 * way, 39.6)), width=0.55),
            Line(commands=path((x - 5.4, 39.6), (x + 5.4, 39.6)), width=0.7),
        ]
    return Engine(
        name="1-Do-1",
        length=112.0,
        height=40.8,
        parts=(
            Line(commands=path((0, 40.3), (112, 40.3)), width=0.4),
            *arms,
            Wheel(x=15.6, radius=3.8, spokes=9),
            *(Wheel(x=x, radius=6.2, spokes=14) for x in (32.0, 48.0, 64.0, 80.0)),
            Wheel(x=96.4, radius=3.8, spokes=9),
            Plate(commands=box(18, 6.2, 94, 8.2), tone=MID),
            Plate(commands=roof, edge=True),
            *(Plate(commands=arch(x, 9.4, 6.6, 3.4), tone=MID) for x in (32.0, 48.0, 64.0, 80.0)),
            Line(commands=path((4.8, 15.6), (107.2, 15.6)), width=0.9, tone=PALE),
            Line(commands=path((4.9, 17.2), (107.1, 17.2)), width=0.35, tone=BRASS),
            Plate(commands=shape((12.4, 21.8), (18.0, 21.8), (18.0, 27.0), (15.2, 27.0)), tone=PALE),
            Plate(commands=shape((99.6, 21.8), (94.0, 21.8), (94.0, 27.0), (96.8, 27.0)), tone=PALE),
            Plate(commands=box(20.0, 10.6, 25.6, 27.4, 0.5), edge=True),
            Plate(commands=box(86.4, 10.6, 92.0, 27.4, 0.5), edge=True),
            Plate(commands=box(21.4, 21.2, 24.2, 26.2, 0.4), tone=PALE),
            Plate(commands=box(87.8, 21.2, 90.6, 26.2, 0.4), tone=PALE),
            *louvres,
            *panes,
            *buffers(9.8, front=0.4, back=111.8),
            Plate(commands=box(108.1, 7.9, 109.4, 11.7), tone=FIRE),
        ),
    )


def coach() -> Engine:
    """A Pullman car: clerestory roof, wide windows, two six-wheeled bogies."""
    panes = tuple(
        Plate(commands=box(x, 14.6, x + 5.0, 20.4, 0.5), tone=PALE)
        for x in (16.2, 23.6, 31.0, 38.4, 45.8, 53.2, 60.6, 68.0)
    )
    roof: tuple[tuple[str | float, ...], ...] = (
        ("M", 3.2, 22.6),
        ("C", 3.4, 24.2, 5.0, 25.2, 8.0, 25.4),
        ("L", 9.0, 25.4),
        ("C", 9.6, 27.2, 10.6, 28.2, 13.0, 28.2),
        ("L", 77.0, 28.2),
        ("C", 79.4, 28.2, 80.4, 27.2, 81.0, 25.4),
        ("L", 82.0, 25.4),
        ("C", 85.0, 25.2, 86.6, 24.2, 86.8, 22.6),
        ("Z",),
    )
    return Engine(
        name="coach",
        length=90.0,
        height=28.2,
        parts=(
            *bogie(3.6, *(Wheel(x=x, radius=2.9) for x in (11.6, 17.6, 23.6))),
            *bogie(3.6, *(Wheel(x=x, radius=2.9) for x in (66.4, 72.4, 78.4))),
            Plate(commands=box(32, 4.4, 58, 7.4), tone=MID),
            Line(commands=path((28, 7.0), (35, 4.0), (55, 4.0), (62, 7.0)), width=0.6),
            Plate(commands=box(2.6, 7.0, 87.4, 8.4)),
            Plate(commands=roof),
            *(Plate(commands=box(x, 25.9, x + 3.4, 27.2, 0.2), tone=PALE) for x in (15, 23, 31, 39, 47, 55, 63, 71)),
            Plate(commands=box(4.4, 8.4, 85.6, 22.8, 0.6), edge=True),
            Line(commands=path((4.4, 12.8), (85.6, 12.8)), width=0.4, tone=BRASS),
            Line(commands=path((4.4, 21.6), (85.6, 21.6)), width=0.4, tone=BRASS),
            *panes,
            Plate(commands=box(6.6, 9.2, 11.6, 20.6, 0.4), edge=True),
            Plate(commands=box(78.4, 9.2, 83.4, 20.6, 0.4), edge=True),
            Plate(commands=box(7.8, 14.6, 10.4, 19.6, 0.4), tone=PALE),
            Plate(commands=box(79.6, 14.6, 82.2, 19.6, 0.4), tone=PALE),
            *(Line(commands=path((x, 9.4), (x, 11.8)), width=0.3, tone=BRASS) for x in (30.0, 60.0)),
            Plate(commands=box(0.4, 7.0, 2.8, 8.0)),
            Plate(commands=box(87.2, 7.0, 89.6, 8.0)),
            Plate(commands=box(0.0, 6.2, 0.7, 8.9, 0.3)),
            Plate(commands=box(89.3, 6.2, 90.0, 8.9, 0.3)),
        ),
    )
