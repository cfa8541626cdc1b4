"""Every face of 1824. A file of its own: workers share tests by file."""

from looks.every_face import EveryFace


class Test1824(EveryFace):
    title = "1824"
