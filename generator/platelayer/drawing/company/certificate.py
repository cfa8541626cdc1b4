"""Share certificates."""

from __future__ import annotations

from platelayer.drawing.company.roundel import CompanyInks, company_inks, company_of, placed_roundel
from platelayer.drawing.kit.card import LINE_MM, Engraved, design_card
from platelayer.drawing.kit.lettering import (
    balanced,
    fit_percent,
    line_step,
    set_on_arc,
    set_percent,
)
from platelayer.drawing.kit.ornament import (
    banner,
    beads,
    centred,
    pattern_of,
    run_items,
    seal,
    signature_path,
)
from platelayer.drawing.kit.rich_text import stepped
from platelayer.drawing.kit.style import Style
from platelayer.foundation.languages import FixedWords
from platelayer.model.company import Certificate, Company
from platelayer.model.kinds import piece_size
from platelayer.model.title import Title
from platelayer.scene.inks import Ink, contrast, mix
from platelayer.scene.shapes import (
    Circle,
    Group,
    Item,
    Path,
    Role,
    Scene,
    TextRun,
    Use,
    boxed,
    multiply,
    polygon_path,
    rotation,
    translation,
)
from platelayer.scene.typeset import TypeStyle, fit, set_centred, text_width

company_words = FixedWords("companies")

SAFE_MM = 3.2
_DESIGN = (88.0, 63.0)
_RIM = 3.0
_BAND = 4.4
_CORNER = 5.4
# Half the height of the border in gold, and where its repeats begin.
_GILT, _GILT_CORNER = 0.5, 1.2
# Size of a name on two lines, as a part of that on one.
_TWO_LINES = 0.82
# Radius of the arcs on which names stand.
_ARC = 190.0


class _Share(Engraved, frozen=True, kw_only=True):
    """A certificate on its card; those of one company and size share their curves."""

    company: Company
    certificate: Certificate
    inks: CompanyInks
    style: Style

    @property
    def name(self) -> str:
        return self.style.words(self.company.name)

    @property
    def second_name(self) -> str:
        """The name in another language, "" where it has none or where it is the same."""
        second = self.company.second_name
        words = self.style.words(second) if second is not None else ""
        return "" if words == self.name else words


def draw_certificate(title: Title, piece_id: str, style: Style) -> Scene:
    """The certificate `<company>-director` or `<company>-<percent>` of a title. Raises KeyError
    when it has none."""
    company_id, _, grade = piece_id.rpartition("-")
    company = company_of(title, company_id)
    certificate = {each.grade: each for each in reversed(company.certificates)}[grade]
    size = piece_size(title, "certificate", piece_id, company.size)
    card = design_card(size, style, design=_DESIGN, safe_mm=SAFE_MM)
    share = _Share(
        card=card,
        company=company,
        certificate=certificate,
        inks=company_inks(company, style),
        pattern=pattern_of(company.id, style.motif),
        stem=f"certificate:{company.id}:{card.width:.12g}x{card.height:.12g}@{card.unit_mm:.12g}",
        style=style,
    )
    words = style.words(company_words("director" if certificate.director else "share"))
    label = f"{share.name}: {words}, {certificate.percent} %"
    inner = _RIM + _BAND + 0.5
    items = _director(share) if certificate.director else _ordinary(share)
    inside = boxed(items, inner, inner, card.width - 2 * inner, card.height - 2 * inner)
    return card.scene(f"certificate:{piece_id}", label, (*_border(share, inner), inside))


def _border(share: _Share, inner: float) -> tuple[Item, ...]:
    """The field in the company's colour with braids along the four sides, and the panel of tinted
    paper within."""
    card, inks, paper = share.card, share.inks, share.style.ink("paper")
    # Braids are in paper where that stands out from the field, else in the dark of the colour.
    line = paper if contrast(paper, inks.frame) >= 2.3 else inks.line
    half = _BAND / 2
    middle = _RIM + half
    across = share.braid("braid:across", card.width - 2 * middle, half, line)
    down = share.braid("braid:down", card.height - 2 * middle, half, line)
    far_x, far_y = card.width - _RIM - _BAND, card.height - _RIM - _BAND
    upright = rotation(90)
    edge = card.stroke(line, 0.15)
    items = (
        Use(scene=across, matrix=translation(middle, _RIM)),
        Use(scene=across, matrix=translation(middle, far_y)),
        Use(scene=down, matrix=multiply(translation(_RIM + _BAND, middle), upright)),
        Use(scene=down, matrix=multiply(translation(far_x + _BAND, middle), upright)),
        Path(commands=card.inset(_RIM - 0.4), stroke=edge, role=Role.ORNAMENT),
    )
    key = share.key("braids")
    braids = Scene(key=key, width_mm=card.width, height_mm=card.height, items=items)
    rim, rule = card.stroke(inks.line, 0.35), card.stroke(inks.line, LINE_MM)
    return (
        card.ground(inks.frame),
        Use(scene=braids),
        Path(commands=card.inset(inner), fill=paper, stroke=rim),
        Path(commands=card.inset(inner + 0.55), fill=inks.tint, stroke=rule),
    )


def _corners(share: _Share) -> tuple[Item, ...]:
    """A counter with the percentage in every corner, so that a fanned hand can be read."""
    card, inks, percent = share.card, share.inks, share.certificate.percent
    paper, edge = share.style.ink("paper"), card.stroke(inks.line, 0.2)
    lace = share.rosette("corner", (share.pattern.small,), _CORNER - 0.35, inks.line)
    solid = _CORNER * 0.66
    figures = fit_percent(percent, card.type("certificate.corner"), solid * 1.62)
    at = _RIM + _CORNER - 0.5
    items: list[Item] = []
    for x in (at, card.width - at):
        for y in (at, card.height - at):
            words = set_percent(percent, figures, inks.on_line, x, y)
            items += [
                Circle(cx=x, cy=y, r=_CORNER, fill=paper, stroke=edge),
                centred(lace, x, y),
                Circle(cx=x, cy=y, r=solid, fill=inks.line),
                boxed(words, x - solid, y - solid, 2 * solid, 2 * solid),
            ]
    return tuple(items)


def _veil(share: _Share, x: float, y: float, inset: float) -> Group:
    """The underprint: a large rosette, pale enough for words to lie on it."""
    veil = share.underprint("veil", (share.pattern.petals,), 25.5, share.inks.veil)
    return Group(items=(centred(veil, x, y),), clip=share.card.inset(inset))


def _name(share: _Share, kind: str, width: float) -> tuple[TypeStyle, tuple[str, ...]]:
    """The type of the company's name, and its one or two lines."""
    own = share.card.type(kind)
    type_style, lines = balanced(share.name, own, width, 2, several=_TWO_LINES, clip=True)
    return stepped(type_style, own), lines


def _grade(share: _Share, text: str, x: float, y: float, reach: float) -> tuple[Item, ...]:
    """The grade in spaced capitals between two tapering rules, where there is room for these."""
    card, style = share.card, share.card.type("certificate.grade")
    half = text_width(text.upper(), style) / 2 + 1.2
    items: list[Item] = [*set_centred(text, style, share.style.ink("text"), x, y)]
    if reach - half > 3:
        for side in (-1, 1):
            start = (x + side * half, y)
            items += card.rule(start, reach - half, share.inks.line, 0.16, towards=side)
    return tuple(items)


def _fine(share: _Share, text: str, y: float) -> tuple[TextRun, ...]:
    """A line of small print, left out on a card too small for it."""
    card = share.card
    style = fit(text, card.type("certificate.fine"), card.width - 31)
    if style.size_pt <= style.min_pt:
        return ()
    return set_centred(text, style, share.style.ink("text"), card.width / 2, y)


def _ordinary(share: _Share) -> tuple[Item, ...]:
    card, inks, style, certificate = share.card, share.inks, share.style, share.certificate
    w, h = card.width, card.height
    left, middle, right = w * 0.295, h * 0.557, w * 0.665
    rosette = share.rosette("rosette", (share.pattern.rim, share.pattern.petals), 13.3, inks.line)
    percent = fit_percent(certificate.percent, card.type("certificate.percent"), w * 0.4)
    grade = style.words(company_words("reserved" if certificate.reserved else "share"))
    bearer = style.words(company_words("bearer"), certificate.percent)
    if share.second_name:
        fine = (*_fine(share, share.second_name, h - 12.6), *_fine(share, bearer, h - 9.9))
    else:
        fine = _fine(share, bearer, h - 10.9)
    type_style, lines = _name(share, "certificate.name", w - 30.5)
    leading = line_step(lines, type_style, 1.02)
    base = 15.2 + type_style.cap_height_mm / 2 - leading * (len(lines) - 1) / 2
    name: list[Item] = []
    for number, line in enumerate(lines):
        down = number * leading
        # Lines stand on arcs round one point.
        name += set_on_arc(
            line, type_style, style.ink("text"), w / 2, base + down, radius_mm=_ARC - down
        )
    return (
        _veil(share, right, middle, _RIM + _BAND + 1.1),
        *_corners(share),
        centred(rosette, left, middle),
        *name,
        Circle(cx=left, cy=middle, r=8.6, fill=style.ink("paper"), role=Role.ORNAMENT),
        placed_roundel(share.company, 16.4, share.card, left, middle),
        *set_percent(certificate.percent, percent, inks.line, right, middle - 1.6),
        *_grade(share, grade, right, middle + 10.3, 17.0),
        *fine,
    )


def _director(share: _Share) -> tuple[Item, ...]:
    card, inks, style = share.card, share.inks, share.style
    w, h = card.width, card.height
    gold, pale = style.ink("certificate.gold"), style.ink("certificate.gold.light")
    bronze = style.ink("certificate.gold.line")
    x, low = w / 2, h * 0.59
    figures = card.type("certificate.percent.director")
    percent = fit_percent(share.certificate.percent, figures, w * 0.34)
    at = _RIM + _BAND + 2.1
    rule = Path(
        commands=card.inset(at + 0.75), stroke=card.stroke(bronze, LINE_MM), role=Role.ORNAMENT
    )
    presides = style.words(company_words("presides"), share.certificate.percent)
    thin = card.stroke(bronze, 0.15)
    return (
        _veil(share, x, low + 1, at + 0.8),
        *_gilt(share, at, gold),
        rule,
        *_corners(share),
        *_crest(share, x, 13.1),
        *_ribbon(share, x, 24.4),
        *set_percent(share.certificate.percent, percent, inks.line, x, low + 0.4),
        *_signature(share, x - w * 0.285, low + 3.2),
        *seal(x + w * 0.307, low - 0.4, 5.4, wax=gold, light=pale, ribbon=inks.band, line=thin),
        *_grade(share, style.words(company_words("director")), x, low + 9.5, 26.0),
        *_fine(share, share.second_name or presides, h - 12.7),
    )


def _gilt(share: _Share, at: float, gold: Ink) -> tuple[Item, ...]:
    """A border in gold `at` a distance inside the trim, that of the motif, or beads without one."""
    card, motif = share.card, share.style.motif
    w, h = card.width - 2 * at, card.height - 2 * at
    if motif is None or motif.run is None:
        return beads(at, at, w, h, bead_mm=0.62, ink=gold)
    box = (at, at, w, h)
    return run_items(motif, box, half=_GILT, ink=gold, corner=_GILT_CORNER, unit_mm=card.unit_mm)


def _crest(share: _Share, x: float, y: float) -> tuple[Item, ...]:
    """The roundel in a rosette that breaks through the border."""
    card, style = share.card, share.style
    gold, bronze, paper = (
        style.ink(name) for name in ("certificate.gold", "certificate.gold.line", "paper")
    )
    rings = (share.pattern.rim, share.pattern.petals)
    rosette = share.rosette("crest", rings, 10.2, share.inks.line)
    rim, edge = card.stroke(bronze, 0.35), card.stroke(bronze, 0.15)
    return (
        Circle(cx=x, cy=y, r=10.8, fill=paper, stroke=rim, role=Role.ORNAMENT),
        centred(rosette, x, y),
        Circle(cx=x, cy=y, r=6.9, fill=gold, stroke=edge, role=Role.ORNAMENT),
        placed_roundel(share.company, 12.6, card, x, y),
    )


def _ribbon(share: _Share, x: float, y: float) -> tuple[Item, ...]:
    """The company's name on a ribbon."""
    card, inks = share.card, share.inks
    type_style, lines = _name(share, "certificate.banner", card.width - 36)
    leading = line_step(lines, type_style, 0.98)
    base = y + type_style.cap_height_mm / 2 - leading * (len(lines) - 1) / 2
    tall = 7.0 + leading * (len(lines) - 1) * 0.6
    width, rim, shade = (
        card.width - 33,
        card.stroke(inks.line, 0.2),
        mix(inks.band, inks.line, 0.55),
    )
    ribbon = banner((x, y), width, tall, radius_mm=_ARC, fill=inks.band, shade=shade, rim=rim)
    items = [*ribbon]
    for number, line in enumerate(lines):
        level = base + number * leading
        items += set_on_arc(line, type_style, inks.on_band, x, level, radius_mm=_ARC + y - base)
    return tuple(items)


def _signature(share: _Share, x: float, y: float) -> tuple[Item, ...]:
    """A flourish over a line: who signed for the board."""
    card, ink = share.card, share.style.ink("text")
    flourish, pen = (
        signature_path(share.company.id, x, y - 1.5, 12.0),
        card.stroke(share.inks.line, 0.2),
    )
    line = polygon_path(((x - 7.5, y), (x + 7.5, y)), closed=False)
    items: list[Item] = [
        Path(commands=flourish, stroke=pen, role=Role.ORNAMENT),
        Path(commands=line, stroke=card.stroke(ink, 0.1)),
    ]
    caption = card.type("certificate.caption")
    if caption.size_pt >= caption.min_pt:
        words = share.style.words(company_words("signed"))
        items += set_centred(words, caption, ink, x, y + 2.0)
    return tuple(items)
