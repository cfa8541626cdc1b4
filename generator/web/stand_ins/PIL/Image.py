"""The type that reportlab compares pictures with: there are none in a browser."""


class Image:
    """A picture of Pillow's."""
