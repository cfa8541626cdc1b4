"""Path data of SVG as commands of shapes."""

from __future__ import annotations

from platelayer.scene.shapes import Command

_THIRD = 2 / 3


def path_data_commands(data: str) -> tuple[Command, ...]:
    """What the attribute `d` of an SVG path draws, with arcs and quadratic curves as cubic ones. Raises ValueError for
    data that is no path."""
    from fontTools.pens.recordingPen import DecomposingRecordingPen
    from fontTools.svgLib.path import parse_path

    pen = DecomposingRecordingPen({})
    try:
        parse_path(data, pen)
    except (ValueError, IndexError, TypeError, AssertionError, ZeroDivisionError, OverflowError) as fault:
        raise ValueError(str(fault) or "it is no path data") from fault
    if not pen.value and data.strip() not in ("", "none"):
        raise ValueError("it is no path data")
    return tuple(_commands(pen.value))


def _commands(recorded: list[tuple[str, tuple[tuple[float, float], ...]]]) -> list[Command]:
    commands: list[Command] = []
    at = (0.0, 0.0)
    for name, points in recorded:
        match name:
            case "moveTo" | "lineTo":
                commands.append(("M" if name == "moveTo" else "L", *points[0]))
            case "curveTo":
                commands.append(("C", *(number for point in points for number in point)))
            case "qCurveTo":
                (qx, qy), (x, y) = points
                a = (at[0] + (qx - at[0]) * _THIRD, at[1] + (qy - at[1]) * _THIRD)
                b = (x + (qx - x) * _THIRD, y + (qy - y) * _THIRD)
                commands.append(("C", *a, *b, x, y))
            case "closePath":
                commands.append(("Z",))
        at = points[-1] if points else at
    return commands
