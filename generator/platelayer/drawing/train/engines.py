"""The steam engines that grow from train to train, as parts to draw."""

from __future__ import annotations

from platelayer.drawing.train.electric_engines import coach, electric
from platelayer.drawing.train.engine_gear import bands, bogie, buffers, motion, tender
from platelayer.drawing.train.engine_parts import (
    BRASS,
    MID,
    PALE,
    Engine,
    Line,
    Plate,
    Wheel,
    arch,
    balloon,
    box,
    chimney,
    dome,
    heap,
    path,
    shape,
)


def _single() -> Engine:
    """2-2-2 of about 1840: outside frame, tall chimney, haycock firebox, no cab, a four-wheeled tender."""
    driver = Wheel(x=20.5, radius=7.7, spokes=16, crank=150)
    return Engine(
        name="2-2-2",
        length=61.0,
        height=35.2,
        parts=(
            Plate(commands=box(9.2, 5.2, 30, 8.6), tone=MID),
            Wheel(x=9.2, radius=4.3, spokes=10),
            driver,
            Wheel(x=31.8, radius=4.3, spokes=10),
            Plate(commands=box(9, 10.0, 29, 18.8)),
            Line(commands=path((10, 16.4), (28, 16.4)), width=0.25, tone=PALE),
            *bands(10.0, 18.8, 13.2, 17.6, 22.0, 26.4),
            Plate(commands=arch(20.5, 8.6, 9.0, 8.2), edge=True),
            Plate(commands=box(5.4, 9.0, 10.0, 19.2, 0.6), edge=True),
            Plate(commands=chimney(7.7, 19.0, 2.9, 15.6, 0.5)),
            Plate(commands=box(5.6, 33.9, 9.8, 35.2, 0.4), tone=BRASS),
            Plate(commands=box(16.6, 18.8, 18.4, 21.4), tone=BRASS),
            Plate(commands=arch(17.5, 21.2, 1.3), tone=BRASS),
            Plate(commands=box(28.2, 8.2, 36.4, 19.4), edge=True),
            Plate(commands=arch(32.3, 19.2, 4.1, 5.6), edge=True),
            Plate(commands=box(27.8, 18.9, 36.8, 19.8), tone=BRASS),
            Line(commands=path((32.3, 24.8), (32.3, 27.2)), width=0.7),
            Plate(commands=box(3.2, 7.2, 41.4, 9.1), edge=True),
            *(
                Plate(commands=shape((x - 1.7, 7.2), (x + 1.7, 7.2), (x + 1.0, 3.4), (x - 1.0, 3.4)))
                for x in (9.2, 31.8)
            ),
            Plate(commands=shape((18.6, 7.2), (22.4, 7.2), (21.7, 6.2), (19.3, 6.2))),
            Line(commands=path((40.8, 9.0), (40.8, 15.6), (36.6, 15.6)), width=0.5),
            *buffers(8.1, back=60.8),
            Plate(commands=box(41, 7.6, 44, 8.5), tone=MID),
            Wheel(x=46.6, radius=4.0, spokes=10),
            Wheel(x=55.6, radius=4.0, spokes=10),
            Plate(commands=heap(44.4, 56.2, 14.6, 2.8)),
            Plate(commands=box(43.4, 7.2, 58.8, 9.1), edge=True),
            Plate(commands=box(43.9, 9.1, 58.2, 15.0, 0.5), edge=True),
            Line(commands=path((45, 13.8), (57.2, 13.8)), width=0.3, tone=BRASS),
            *(
                Plate(commands=shape((x - 1.7, 7.2), (x + 1.7, 7.2), (x + 1.0, 3.4), (x - 1.0, 3.4)))
                for x in (46.6, 55.6)
            ),
        ),
    )


def _american() -> Engine:
    """4-4-0 of about 1860: balloon stack, two domes, open-sided cab, three-axled tender."""
    drivers = (Wheel(x=31, radius=6.9, spokes=14, crank=200), Wheel(x=46, radius=6.9, spokes=14, crank=200))
    return Engine(
        name="4-4-0",
        length=80.0,
        height=34.4,
        parts=(
            Plate(commands=box(24, 6.2, 44, 11.4), tone=MID),
            *bogie(3.4, Wheel(x=9.4, radius=3.2, spokes=8), Wheel(x=17.0, radius=3.2, spokes=8)),
            *drivers,
            Plate(commands=box(9, 11.2, 46, 20.6)),
            Line(commands=path((14, 18.2), (45, 18.2)), width=0.25, tone=PALE),
            *bands(11.4, 20.6, 19.0, 27.2, 35.4),
            Plate(commands=box(5.8, 10.4, 14.2, 21.0, 0.8), edge=True),
            Plate(commands=balloon(10, 21, 8.8, 13.0)),
            Plate(commands=box(7.1, 33.6, 12.9, 34.4, 0.3), tone=BRASS),
            Plate(commands=dome(22.8, 20.4, 4.4, 4.8)),
            Line(commands=path((20.6, 22.4), (25.0, 22.4)), width=0.4, tone=BRASS),
            Plate(commands=dome(34.2, 20.4, 5.4, 6.8), tone=BRASS),
            Plate(commands=box(39.8, 20.4, 41.0, 24.0)),
            Plate(commands=box(38.9, 23.6, 41.9, 24.5, 0.3)),
            Plate(commands=arch(31, 9.8, 7.6), edge=True),
            Plate(commands=arch(46, 9.8, 7.6), edge=True),
            Plate(commands=box(4.0, 9.2, 58, 10.4), edge=True),
            Plate(commands=shape((45, 10.2), (57.6, 10.2), (57.6, 26.0), (45, 26.0)), edge=True),
            Plate(commands=box(47.0, 18.4, 50.6, 23.8, 0.5), tone=PALE),
            Plate(commands=box(52.0, 18.4, 55.6, 23.8, 0.5), tone=PALE),
            Plate(commands=shape((43.4, 25.6), (59.6, 25.6), (58.6, 27.0), (44.4, 27.0))),
            Plate(commands=box(2.4, 12.0, 5.4, 16.2, 0.4), edge=True),
            Plate(commands=box(9.0, 5.0, 17.2, 9.0, 0.9), edge=True),
            *motion(drivers, (17.2, 7.0), 0),
            *buffers(8.6, back=80.0),
            Plate(commands=box(57, 7.6, 61.4, 8.8), tone=MID),
            *(Wheel(x=x, radius=2.9, spokes=8) for x in (63.4, 69.4, 75.4)),
            *tender(60.8, 77.8, 8.9, 17.4, 4.4),
        ),
    )


def _mogul() -> Engine:
    """2-6-0 of about 1885: coupled wheels of middling size, two domes, closed cab."""
    drivers = tuple(Wheel(x=x, radius=5.8, spokes=12, crank=335) for x in (21.5, 34, 46.5))
    return Engine(
        name="2-6-0",
        length=88.0,
        height=34.0,
        parts=(
            Plate(commands=box(16, 5.4, 56, 12.0), tone=MID),
            Wheel(x=9.4, radius=3.4, spokes=8),
            *drivers,
            Plate(commands=box(8, 13.2, 50, 24.0)),
            Line(commands=path((15, 21.4), (49, 21.4)), width=0.25, tone=PALE),
            *bands(13.2, 24.0, 21.6, 28.0, 34.4),
            Plate(commands=box(41.5, 12.4, 51, 24.8, 0.8), edge=True),
            Plate(commands=box(6.0, 12.6, 15.8, 24.5, 0.9), edge=True),
            Plate(commands=chimney(10.6, 24.2, 3.6, 9.8, 0.7)),
            Plate(commands=dome(21.8, 23.8, 4.6, 4.6)),
            Plate(commands=dome(31.4, 23.8, 6.0, 7.0)),
            Line(commands=path((28.4, 27.0), (34.4, 27.0)), width=0.4, tone=BRASS),
            Plate(commands=box(44.6, 24.6, 48.4, 26.4, 0.3), tone=BRASS),
            Line(commands=path((45.6, 26.2), (45.6, 28.8)), width=0.8, tone=BRASS),
            Line(commands=path((47.4, 26.2), (47.4, 28.8)), width=0.8, tone=BRASS),
            Plate(commands=box(4.0, 11.4, 62.4, 12.6), edge=True),
            Plate(commands=shape((50.4, 9.6), (62, 9.6), (62, 28.2), (50.4, 28.2)), edge=True),
            Plate(commands=box(52.4, 19.6, 58.0, 25.8, 0.6), tone=PALE),
            Plate(commands=shape((48.4, 27.6), (64.8, 27.6), (63.2, 29.4), (49.6, 29.4))),
            Line(
                commands=path((52.0, 11.4), (60.4, 11.4), (60.4, 17.8), (52.0, 17.8), (52.0, 11.4)),
                width=0.3,
                tone=BRASS,
            ),
            Plate(commands=box(8.4, 5.4, 16.4, 10.0, 0.9), edge=True),
            *motion(drivers, (16.4, 7.4), 1),
            *buffers(9.4, back=88.0),
            Plate(commands=box(61, 8.2, 66, 9.4), tone=MID),
            *(Wheel(x=x, radius=3.1, spokes=8) for x in (68.8, 75.6, 82.4)),
            *tender(65.4, 85.8, 9.8, 19.6, 4.8),
        ),
    )


def _ten_wheeler() -> Engine:
    """4-6-0 of about 1905: tall drivers under splashers, long boiler, bogie tender."""
    drivers = tuple(Wheel(x=x, radius=6.9, spokes=14, crank=25) for x in (29, 43.4, 57.8))
    return Engine(
        name="4-6-0",
        length=96.0,
        height=34.4,
        parts=(
            Plate(commands=box(22, 6.0, 64, 13), tone=MID),
            *bogie(3.6, Wheel(x=9.6, radius=3.4, spokes=8), Wheel(x=18.0, radius=3.4, spokes=8)),
            *drivers,
            Plate(commands=box(8, 13.8, 58, 25.6)),
            Line(commands=path((16, 22.8), (57, 22.8)), width=0.25, tone=PALE),
            *bands(13.8, 25.6, 23.0, 30.0, 37.0),
            Plate(commands=shape((44.5, 13.4), (59, 13.4), (59, 26.6), (45.6, 26.2)), edge=True),
            Plate(commands=box(6.0, 13.0, 16.6, 26.1, 0.9), edge=True),
            Plate(commands=chimney(11.2, 25.9, 4.0, 8.2, 0.8)),
            Plate(commands=dome(23.4, 25.4, 5.0, 4.2)),
            Plate(commands=dome(34.6, 25.4, 6.4, 6.0), tone=BRASS),
            Plate(commands=box(49.4, 26.2, 53.6, 28.0, 0.3), tone=BRASS),
            *(Plate(commands=arch(x, 11.8, 7.7), edge=True) for x in (29, 43.4, 57.8)),
            Plate(commands=box(4.0, 11.4, 70.0, 12.7), edge=True),
            Plate(commands=shape((58.6, 10.0), (69.6, 10.0), (69.6, 29.6), (58.6, 29.6)), edge=True),
            Plate(commands=box(60.4, 21.0, 66.8, 27.0, 0.6), tone=PALE),
            Plate(commands=shape((56.8, 29.0), (72.6, 29.0), (71.2, 30.8), (58.0, 30.8))),
            Line(commands=path((60, 12.8), (68.2, 12.8), (68.2, 19.2), (60, 19.2), (60, 12.8)), width=0.3, tone=BRASS),
            Plate(commands=box(9.8, 5.6, 18.0, 10.4, 0.9), edge=True),
            *motion(drivers, (18.0, 7.8), 1),
            *buffers(9.6, back=96.0),
            Plate(commands=box(69, 8.4, 74, 9.6), tone=MID),
            *bogie(2.9, Wheel(x=76.4, radius=2.5), Wheel(x=81.8, radius=2.5)),
            *bogie(2.9, Wheel(x=86.4, radius=2.5), Wheel(x=91.8, radius=2.5)),
            *tender(73.2, 93.8, 9.8, 21.4, 5.0),
        ),
    )


def _pacific() -> Engine:
    """4-6-2 of about 1925: wide firebox over a trailing wheel, short chimney, smoke deflectors."""
    drivers = tuple(Wheel(x=x, radius=6.8, spokes=14, crank=215) for x in (29.4, 43.6, 57.8))
    return Engine(
        name="4-6-2",
        length=101.0,
        height=33.4,
        parts=(
            Plate(commands=box(22, 5.8, 72, 13), tone=MID),
            *bogie(3.6, Wheel(x=9.6, radius=3.4, spokes=8), Wheel(x=18.2, radius=3.4, spokes=8)),
            *drivers,
            Wheel(x=68.2, radius=4.2, spokes=9),
            Plate(commands=shape((14, 14.2), (62, 13.6), (62, 28.6), (44, 27.8), (14, 26.8))),
            Line(commands=path((16, 23.8), (58, 25.2)), width=0.25, tone=PALE),
            *bands(14.2, 27.3, 26.6, 34.0, 41.4),
            Plate(commands=shape((52, 11.6), (67, 11.6), (67, 28.8), (53.4, 28.3)), edge=True),
            Plate(commands=box(6.2, 13.4, 18.4, 27.4, 1.0), edge=True),
            Plate(commands=chimney(12.2, 27.2, 4.4, 5.4, 0.6)),
            Plate(commands=dome(24.6, 26.8, 5.4, 3.6)),
            Plate(commands=dome(36.4, 27.2, 7.0, 4.6)),
            Plate(commands=dome(46.6, 27.6, 4.6, 3.2)),
            Line(commands=path((57.2, 28.4), (57.2, 31.0)), width=0.9, tone=BRASS),
            Line(commands=path((59.6, 28.4), (59.6, 31.0)), width=0.9, tone=BRASS),
            Plate(commands=box(18, 13.2, 67, 14.2), edge=True),
            Plate(
                commands=shape((4.0, 11.2), (18, 11.2), (21, 14.2), (18, 14.2), (16.6, 12.4), (4.0, 12.4)), edge=True
            ),
            Plate(commands=shape((6.6, 14.0), (16.6, 14.0), (16.6, 25.4), (7.4, 25.4)), edge=True),
            Plate(commands=shape((65, 9.8), (75.4, 9.8), (75.4, 30.4), (64, 30.4), (64, 18)), edge=True),
            Plate(commands=box(66.4, 21.4, 72.8, 27.8, 0.6), tone=PALE),
            Plate(commands=shape((62.4, 30.0), (78.0, 30.0), (76.8, 31.8), (63.6, 31.8))),
            Plate(commands=box(10, 5.8, 18.2, 10.8, 0.9), edge=True),
            *motion(drivers, (18.2, 8.0), 1),
            *buffers(9.6, back=101.0),
            Plate(commands=box(75, 8.4, 79, 9.6), tone=MID),
            *bogie(2.9, Wheel(x=81.4, radius=2.6), Wheel(x=87.0, radius=2.6)),
            *bogie(2.9, Wheel(x=91.4, radius=2.6), Wheel(x=97.0, radius=2.6)),
            *tender(78.0, 98.8, 9.8, 23.0, 5.2),
        ),
    )


def _northern() -> Engine:
    """4-8-4 of about 1940: four coupled axles, a boiler that fills the loading gauge, a long tender."""
    drivers = tuple(Wheel(x=x, radius=6.3, spokes=14, crank=320) for x in (27.2, 40.2, 53.2, 66.2))
    return Engine(
        name="4-8-4",
        length=112.0,
        height=34.0,
        parts=(
            Plate(commands=box(20, 5.6, 82, 13), tone=MID),
            *bogie(3.6, Wheel(x=8.8, radius=3.4, spokes=8), Wheel(x=17.2, radius=3.4, spokes=8)),
            *drivers,
            *bogie(4.0, Wheel(x=75.0, radius=3.6, spokes=8), Wheel(x=82.8, radius=4.0, spokes=8)),
            Plate(commands=shape((12, 13.6), (70, 13.4), (70, 30.4), (50, 29.8), (12, 28.6))),
            Line(commands=path((18, 25.6), (66, 27.2)), width=0.25, tone=PALE),
            *bands(13.8, 29.2, 27.0, 35.0, 43.0, 51.0),
            Plate(commands=shape((58, 12.2), (77, 11.2), (77, 30.6), (59.4, 30.2)), edge=True),
            Plate(commands=box(5.6, 13.0, 19.6, 29.2, 1.2), edge=True),
            Plate(commands=chimney(12.4, 29.0, 5.6, 4.0, 0.4)),
            Plate(commands=box(24, 28.8, 49, 31.6, 1.4), edge=True),
            Plate(commands=dome(54.2, 29.6, 5.4, 3.6)),
            Line(commands=path((64.6, 30.2), (64.6, 32.6)), width=0.9, tone=BRASS),
            Line(commands=path((67.2, 30.2), (67.2, 32.6)), width=0.9, tone=BRASS),
            Plate(commands=box(19, 12.6, 77, 13.8), edge=True),
            Plate(
                commands=shape((4.0, 10.8), (17.6, 10.8), (20, 13.8), (17.4, 13.8), (16.4, 12.0), (4.0, 12.0)),
                edge=True,
            ),
            Plate(commands=shape((6.4, 14.2), (18.0, 14.2), (18.0, 26.8), (7.2, 26.8)), edge=True),
            Plate(commands=shape((74.4, 9.8), (86, 9.8), (86, 31.8), (73.4, 31.8), (73.4, 18)), edge=True),
            Plate(commands=box(75.6, 22.2, 79.0, 28.6, 0.5), tone=PALE),
            Plate(commands=box(80.2, 22.2, 83.6, 28.6, 0.5), tone=PALE),
            Plate(commands=shape((71.8, 31.4), (88.4, 31.4), (87.0, 33.2), (73.2, 33.2))),
            Plate(commands=box(9, 5.6, 17.6, 11.0, 0.9), edge=True),
            *motion(drivers, (17.6, 7.8), 1),
            *buffers(9.4, back=112.0),
            Plate(commands=box(85, 8.2, 89, 9.4), tone=MID),
            *bogie(2.6, *(Wheel(x=x, radius=2.3) for x in (90.0, 94.9, 99.8))),
            *bogie(2.6, *(Wheel(x=x, radius=2.3) for x in (104.0, 108.9))),
            *tender(87.8, 110.0, 9.6, 25.4, 5.2),
        ),
    )


GROWING = (_single, _american, _mogul, _ten_wheeler, _pacific, _northern, electric)
"""Engines from the smallest to the largest."""
COACH = coach
