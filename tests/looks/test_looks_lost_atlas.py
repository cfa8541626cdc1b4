"""Every face of lost-atlas. A file of its own: workers share tests by file."""

from looks.every_face import EveryFace


class TestLostAtlas(EveryFace):
    title = "lost-atlas"
