"""Units of length: millimetres, points and inches."""

MM_PER_INCH = 25.4
PT_PER_INCH = 72.0
MM_PER_PT = MM_PER_INCH / PT_PER_INCH
PT_PER_MM = PT_PER_INCH / MM_PER_INCH


def pt_from_mm(length_mm: float) -> float:
    """Millimetres to PostScript points (1/72 inch)."""
    return length_mm * PT_PER_MM


def mm_from_pt(length_pt: float) -> float:
    """PostScript points (1/72 inch) to millimetres."""
    return length_pt * MM_PER_PT
