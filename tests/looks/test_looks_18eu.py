"""Every face of 18eu. A file of its own: workers share tests by file."""

from looks.every_face import EveryFace


class Test18EU(EveryFace):
    title = "18eu"
