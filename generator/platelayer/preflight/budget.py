"""Limits for the check of one file, in bytes and steps: the same file always gives the same problems."""

from __future__ import annotations

MAX_STREAM_BYTES = 32 * 2**20
"""Decoded content of all streams of one file that a check reads; the same again for its pictures."""
MAX_STEPS = 3_000_000
"""Operations in one file, and transfers from forms to their placements. None takes more than a microsecond or so; what
takes longer counts as several."""


class TooMuch(Exception):
    """A file needs more memory or time than any print. The message says of what there is too much."""


class Budget:
    """What is left of the bytes and steps that the check of one file may take."""

    def __init__(self) -> None:
        self.bytes, self.picture_bytes, self.steps = MAX_STREAM_BYTES, MAX_STREAM_BYTES, MAX_STEPS

    def spend_bytes(self, count: int) -> None:
        """Raises TooMuch when the file's streams are longer than all prints we know of."""
        self.bytes -= count
        if self.bytes < 0:
            self.bytes = 0
            raise TooMuch(f"its streams hold more than {MAX_STREAM_BYTES // 2**20} MB")

    def spend_steps(self, count: int) -> None:
        """Raises TooMuch if drawing never ends, as with forms that place forms many times over."""
        self.steps -= count
        if self.steps < 0:
            raise TooMuch(f"checking it takes more than {MAX_STEPS / 1e6:g} million steps")
