"""What really lies on the pages of a PDF file: placed forms with their matrices, stroked lines by
colour space."""

import io

import pikepdf

from platelayer.scene.shapes import IDENTITY, multiply

MM = 72 / 25.4


def placed_forms(data):
    """For each page the forms placed there: (name, matrix from the form's millimetres, y down, to
    the page's)."""
    with pikepdf.open(io.BytesIO(data)) as pdf:
        return [
            [(name, matrix) for name, matrix in _walk(page) if name.startswith("X")]
            for page in pdf.pages
        ]


def _walk(page):
    height = float(page.mediabox[3])
    stack, matrix = [], IDENTITY
    for operands, operator in pikepdf.parse_content_stream(page):
        word = str(operator)
        if word == "q":
            stack.append(matrix)
        elif word == "Q":
            matrix = stack.pop()
        elif word == "cm":
            matrix = multiply(matrix, tuple(float(number) for number in operands))
        elif word == "Do":
            points = multiply((1 / MM, 0, 0, -1 / MM, 0, height / MM), matrix)
            yield str(operands[0]).lstrip("/"), points


def stroked_lines(data):
    """For each page the lines stroked on it, not in its forms: (spot or "", layer or "", corners as
    in the stream)."""
    with pikepdf.open(io.BytesIO(data)) as pdf:
        return [_stroked(page) for page in pdf.pages]


def _stroked(page):
    spot, layer, points, stack, found = "", [], [], [], []
    spaces, layers = page.resources.get("/ColorSpace", {}), page.resources.get("/Properties", {})
    for operands, operator in pikepdf.parse_content_stream(page):
        word = str(operator)
        if word in ("m", "l"):
            points.append(tuple(float(number) for number in operands))
        elif word == "re":
            x, y, w, h = (float(number) for number in operands)
            points += [(x, y), (x + w, y), (x + w, y + h), (x, y + h)]
        elif word == "q":
            stack.append(spot)
        elif word == "Q":
            spot = stack.pop()
        elif word == "CS":
            spot = str(spaces[operands[0]][1]).lstrip("/")
        elif word in ("K", "G", "RG"):
            spot = ""
        elif word == "BDC" and str(operands[0]) == "/OC":
            layer.append(str(layers[operands[1]].Name))
        elif word == "BMC":
            layer.append("")
        elif word == "EMC":
            layer.pop()
        elif word == "S":
            found.append((spot, layer[-1] if layer else "", tuple(points)))
        if word in ("S", "f", "f*", "B", "n"):
            points = []
    return found


def all_objects(data):
    """All objects of a file but their streams, as text."""
    with pikepdf.open(io.BytesIO(data)) as pdf:
        return "".join(repr(each) for each in pdf.objects)
