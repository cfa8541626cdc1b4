"""SVG pictures by chance: plain ones, ones with odd numbers, and ones that were damaged."""

from __future__ import annotations

from pathlib import Path
from random import Random

SOUND = sorted((Path(__file__).parent / "field" / "pictures").glob("*.svg"))

_ODD = (
    *(
        "0",
        "-0",
        "1",
        "-1",
        "1e-9",
        "1e-300",
        "1e9",
        "-1e9",
        "1e6",
        "999",
        "1e-4",
        ".5",
        "5.",
        "1e999",
        "1e5",
        "4e4",
    ),
    *(
        "0.0005",
        "33.333",
        "1" * 400,
        "007",
        "NaN",
        "Infinity",
        "٣",
        "1e",
        "--1",
        "",
        "1px",
        "2mm",
        "9em",
        "50%",
    ),
)
_FRAMES = (
    "0 0 100 100",
    "0 0 100 50",
    "-50 -50 100 100",
    "0 0 1 1",
    "0 0 1e6 1e6",
    "0 0 100 2",
    "0 0 .01 .01",
)
_COLOURS = (
    *(
        "red",
        "none",
        "#123",
        "currentColor",
        "#000001",
        "#ffffff",
        "rgb(10%,20%,300%)",
        "rgb(-5,0,999)",
        "transparent",
    ),
    *("hsl(20,100%,50%)", "#010000", "hsl(1e999,50%,50%)"),
)
_ODD_COLOURS = (
    "((((",
    "{{{{",
    "url(#a)",
    "rgba(1,2,3,.5)",
    "#ff000080",
    "rgb(" + "1" * 400 + ",0,0)",
    "inherit",
    "",
)
_TAKES = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "S": 4, "Q": 4, "T": 2, "A": 7, "Z": 0}
_TURNS = {"scale": 1, "translate": 2, "rotate": 3, "skewX": 1, "skewY": 1, "matrix": 6}
_SPLICES = (
    *(
        "<",
        ">",
        '"',
        "&",
        "&a;",
        "<!--",
        "-->",
        "<![CDATA[",
        "]]>",
        "<?x?>",
        "</g>",
        "<g>",
        "\x00",
        "\ufffe",
        "\u202e",
    ),
    *(
        "<style>{{{{</style>",
        "<style>.a{fill:red}</style>",
        '<use href="#a"/>',
        '<g id="a">',
        "<text>a</text>",
    ),
    *(
        ' transform="skewX(1e999)"',
        ' style="fill:(((("',
        " " * 20_000,
        "1" * 20_000,
        "<g>" * 50,
        'xmlns:a="b" ',
    ),
    *(
        '<!DOCTYPE svg [<!ENTITY a "b">]>',
        "(" * 5000,
        ' stroke-dasharray="1e-9"',
        ' clip-path="url(#a)"',
        "<a:b/>",
    ),
)
_ENCODINGS = ("utf-8-sig", "utf-16", "utf-16-le", "latin-1", "utf-32", "cp037")


class Pen:
    """Writes pictures; `odd` is the share of numbers that are extreme or none."""

    def __init__(self, rng: Random, odd: float) -> None:
        self.rng, self.odd = rng, odd

    def number(self, least: float = -20.0, most: float = 120.0) -> str:
        """A number, seldom an odd one."""
        if self.rng.random() < self.odd:
            return self.rng.choice(_ODD)
        return f"{self.rng.uniform(least, most):.3f}"

    def numbers(self, count: int, least: float = -20.0) -> str:
        """Numbers with blanks between them."""
        return " ".join(self.number(least) for _ in range(count))

    def colour(self) -> str:
        """A colour, seldom one that is none."""
        return self.rng.choice(_ODD_COLOURS if self.rng.random() < self.odd else _COLOURS)

    def path(self) -> str:
        """Path data."""
        data = "M" + self.numbers(2)
        for _ in range(self.rng.randint(1, 8)):
            letter = self.rng.choice("MmLlHhVvCcSsQqTtAaZz")
            taken = [self.number() for _ in range(_TAKES[letter.upper()])]
            if letter in "Aa":
                taken[3:5] = self.rng.choice("01"), self.rng.choice("01")
            data += letter + " ".join(taken)
        return data

    def style(self) -> str:
        """Attributes of the look of a shape."""
        rng = self.rng
        words = (
            f' fill="{self.colour()}" stroke="{self.colour()}" stroke-width="{self.number(0, 12)}"'
        )
        if rng.random() < 0.25:
            words += f' stroke-dasharray="{self.numbers(rng.randint(1, 4), 0)}"'
        if rng.random() < 0.25:
            words += f' stroke-linecap="{rng.choice(("round", "square"))}" stroke-linejoin="round" fill-rule="evenodd"'
        if rng.random() < 0.25:
            turn = rng.choice([*_TURNS])
            taken = self.numbers(_TURNS[turn]) if turn != "scale" else self.number(0.1, 3)
            words += f' transform="{turn}({taken if turn != "matrix" else f"1 .2 -.3 1 {self.numbers(2)}"})"'
        return words

    def shape(self, depth: int = 0) -> str:
        """A shape or a group of some."""
        rng, style = self.rng, self.style()
        kind = rng.choice(
            ("g", "use", "rect", "circle", "ellipse", "line", "polygon", "polyline", "path", "path")
        )
        if kind == "g" and depth < 3:
            inside = "".join(self.shape(depth + 1) for _ in range(rng.randint(0, 3)))
            return f'<g id="g{rng.randint(0, 3)}"{style}>{inside}</g>'
        place = {
            "use": f'href="#g{rng.randint(0, 3)}" x="{self.number()}"' if depth else 'href="#g0"',
            "rect": f'x="{self.number()}" y="{self.number()}" width="{self.number(0)}" height="{self.number(0)}"'
            f' rx="{self.number(0, 9)}"',
            "circle": f'cx="{self.number()}" cy="{self.number()}" r="{self.number(0, 60)}"',
            "ellipse": f'cx="{self.number()}" rx="{self.number(0, 60)}" ry="{self.number(0, 60)}"',
            "line": f'x1="{self.number()}" y1="{self.number()}" x2="{self.number()}" y2="{self.number()}"',
            "polygon": f'points="{self.numbers(rng.randint(0, 9))}"',
            "polyline": f'points="{self.numbers(rng.randint(0, 9))}"',
        }
        return f"<{kind} {place.get(kind, f'{chr(100)}={chr(34)}{self.path()}{chr(34)}')}{style}/>"

    def picture(self) -> str:
        """A whole picture."""
        frame = (
            self.rng.choice(_FRAMES[:3])
            if self.rng.random() > self.odd
            else self.rng.choice(_FRAMES)
        )
        shapes = "".join(self.shape() for _ in range(self.rng.randint(1, 5)))
        return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{frame}">{shapes}</svg>'


def damaged(rng: Random, text: str) -> str:
    """A picture with a few things put in, cut out or doubled."""
    for _ in range(rng.randint(1, 4)):
        at = rng.randrange(len(text) + 1)
        to = min(len(text), at + rng.choice((0, 0, 1, 3, 40)))
        what = rng.choice((rng.choice(_SPLICES), rng.choice(_ODD), text[at:to] * 2, ""))
        text = text[:at] + what + text[to:]
    return text


def hostile_svg(seed: int) -> bytes:
    """The file of a seed: a third is plain or nearly so, a third has odd numbers, a third is
    damaged."""
    rng = Random(seed)
    kind = seed % 3
    text = Pen(rng, (0.0, 0.08, 0.02)[kind]).picture()
    if kind == 2:
        text = damaged(
            rng, rng.choice([text, *(path.read_text(encoding="utf-8") for path in SOUND)])
        )
    return text.encode(
        rng.choice(_ENCODINGS) if rng.random() < 0.05 else "utf-8", "xmlcharrefreplace"
    )
