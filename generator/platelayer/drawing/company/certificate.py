"""Share certificates."""

from __future__ import annotations

from platelayer.drawing.company.roundel import CompanyCard, company_inks, company_of
from platelayer.drawing.kit.layout import Box, disc, line_path
from platelayer.drawing.kit.lettering import (
    balanced,
    fit_percent,
    line_step,
    set_on_arc,
    set_percent,
    stepped,
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
from platelayer.drawing.kit.style import Style
from platelayer.drawing.kit.surfaces import LINE_MM, design_card
from platelayer.model.company import Certificate
from platelayer.model.kinds import piece_size
from platelayer.model.title import Title
from platelayer.scene.breaks import holds_wide
from platelayer.scene.inks import Ink, contrast, mix
from platelayer.scene.shapes import (
    Anchor,
    Group,
    Item,
    Items,
    Path,
    Role,
    Scene,
    Use,
)
from platelayer.scene.typeset import fit, set_centred, set_line, text_width

SAFE_MM = 3.2
# From the trim to the braids along the four sides, and their width.
_RIM, _BAND = 3, 4.4
# Radius of the counters in the corners.
_CORNER = 5.4
# Radius of the arcs on which names stand, and of a ribbon that looks straight.
_ARC, _STRAIGHT = 190, 100_000


class _Share(CompanyCard, frozen=True, kw_only=True):
    """A certificate on its card; those of one company and size share their curves."""

    certificate: Certificate

    @property
    def braids(self) -> Box:
        """The outer edge of the braids."""
        return self.card.box.inset(_RIM)

    @property
    def panel(self) -> Box:
        """The paper inside the braids."""
        return self.braids.inset(_BAND + 0.5)


def draw_certificate(title: Title, piece_id: str, style: Style) -> Scene:
    """The certificate `<company>-director` or `<company>-<percent>` of a title. Raises KeyError
    when it has none."""
    company_id, _, grade = piece_id.rpartition("-")
    company = company_of(title, company_id)
    certificate = {each.grade: each for each in reversed(company.certificates)}[grade]
    size = piece_size(title, "certificate", piece_id, company.size)
    card = design_card(size, style, design=(88, 63), safe_mm=SAFE_MM)
    share = _Share(
        card=card,
        title=title,
        company=company,
        certificate=certificate,
        inks=company_inks(company, style),
        pattern=pattern_of(company.id, style.motif),
        stem=f"certificate:{company.id}:{card.width:.12g}x{card.height:.12g}@{card.unit_mm:.12g}",
    )
    words = share.words("director" if certificate.director else "share")
    items = _director(share) if certificate.director else _ordinary(share)
    return card.scene(
        f"certificate:{piece_id}",
        f"{share.name}: {words}, {certificate.percent} %",
        (*_border(share), share.panel.boxed(items)),
    )


def _border(share: _Share) -> Items:
    """The field in the company's colour with braids along the four sides, and the panel of tinted
    paper within."""
    card, inks, paper, box = share.card, share.inks, share.ink("paper"), share.braids
    # Braids are in paper where that stands out from the field, else in the dark of the colour.
    line = paper if contrast(paper, inks.frame) >= 2.3 else inks.line
    head, _, foot = box.inset(_BAND / 2, 0).rows(_BAND, 0, _BAND)
    left, _, right = box.inset(0, _BAND / 2).columns(_BAND, 0, _BAND)
    items: Items = (
        *(share.braid("braid:across", strip, line) for strip in (head, foot)),
        *(share.braid("braid:down", strip, line) for strip in (left, right)),
        box.inset(-0.4).plate(stroke=card.stroke(line, 0.15), role=Role.ORNAMENT),
    )
    key = share.key("braids")
    braids = Scene(key, card.width, card.height, items)
    return (
        card.ground(inks.frame),
        Use(braids),
        share.panel.plate(paper, share.line(0.35)),
        share.panel.inset(0.55).plate(inks.tint, share.line(LINE_MM)),
    )


def _corners(share: _Share) -> Items:
    """A counter with the percentage in every corner, so that a fanned hand can be read."""
    percent = share.certificate.percent
    lace = share.rosette("corner", (share.pattern.small,), _CORNER - 0.35, share.inks.line)
    solid = _CORNER * 0.66
    figures = fit_percent(percent, share.type("certificate.corner"), solid * 1.62)
    middles = share.card.box.inset(_RIM + _CORNER - 0.3)
    items: list[Item] = []
    for x in (middles.x, middles.right):
        for y in (middles.y, middles.foot):
            words = set_percent(percent, figures, share.inks.on_line, x, y)
            box = Box(x, y, 0, 0).inset(-solid)
            items += share.counter(box, lace, _CORNER, words)
    return tuple(items)


def _veil(share: _Share, x: float, y: float, clip: Box) -> Group:
    """The underprint: a large rosette, pale enough for words to lie on it."""
    veil = share.underprint("veil", (share.pattern.petals,), 25.5, share.inks.veil)
    return clip.clipped((centred(veil, x, y),))


def _arched_name(
    share: _Share, kind: str, x: float, y: float, width: float, *, leading: float, ink: Ink
) -> tuple[Items, float]:
    """The company's name on one or two lines that stand on arcs round one point, or straight in
    Japanese, their middle at (x, y); and the distance of its first and last baselines."""
    own = share.type(kind)
    type_style, lines = balanced(share.name, own, width, 2, several=0.82, clip=True)
    type_style = stepped(type_style, own)
    step = line_step(lines, type_style, leading)
    deep = step * (len(lines) - 1)
    base = y + (type_style.cap_height_mm - deep) / 2
    items: list[Item] = []
    for number, line in enumerate(lines):
        down = number * step
        if holds_wide(share.name):
            items += set_line(line, type_style, ink, x, base + down, anchor=Anchor.MIDDLE)
        else:
            items += set_on_arc(line, type_style, ink, x, base + down, radius_mm=_ARC - down)
    return tuple(items), deep


def _grade(share: _Share, text: str, x: float, y: float, reach: float) -> Items:
    """The grade in spaced capitals between two tapering rules, where there is room for these."""
    style = share.type("certificate.grade")
    half = text_width(text.upper(), style) / 2 + 1.2
    words = set_centred(text, style, share.ink("text"), x, y)
    if reach - half <= 3:
        return words
    return (*words, *share.rules(x, y, reach - half, share.inks.line, gap=half))


def _fine(share: _Share, text: str, y: float) -> Items:
    """A line of small print so far above the foot, left out on a card too small for it."""
    card = share.card
    style = fit(text, card.type("certificate.fine"), card.width - 31)
    if style.size_pt <= style.min_pt:
        return ()
    return set_centred(text, style, share.ink("text"), card.width / 2, card.height - y)


def _ordinary(share: _Share) -> Items:
    inks, certificate, pattern = share.inks, share.certificate, share.pattern
    w, h = share.card.width, share.card.height
    left, middle, right = w * 0.295, h * 0.557, w * 0.665
    percent = fit_percent(certificate.percent, share.type("certificate.percent"), w * 0.4)
    grade = share.words("reserved" if certificate.reserved else "share")
    bearer, second = share.words("bearer", certificate.percent), share.second_name
    fine, heart, radius = _fine(share, bearer, 10.9), middle, 13.3
    if second:
        # The rosette makes room for a second line, which may be as wide as the card.
        fine, heart, radius = (*_fine(share, second, 13.6), *fine), middle - 0.5, 12.7
    rosette = share.rosette("rosette", (pattern.rim, pattern.petals), radius, inks.line)
    name, _ = _arched_name(
        share, "certificate.name", w / 2, 15.2, w - 30.5, leading=1.02, ink=share.ink("text")
    )
    return (
        _veil(share, right, middle, share.panel.inset(0.6)),
        *_corners(share),
        centred(rosette, left, heart),
        *name,
        *share.emblem(16.4, left, heart),
        *set_percent(certificate.percent, percent, inks.line, right, middle - 1.6),
        *_grade(share, grade, right, middle + 10.3, 17),
        *fine,
    )


def _director(share: _Share) -> Items:
    inks, percent = share.inks, share.certificate.percent
    gold, pale = share.ink("certificate.gold"), share.ink("certificate.gold.light")
    bronze = share.ink("certificate.gold.line")
    w = share.card.width
    x, low = w / 2, share.card.height * 0.59
    figures = fit_percent(percent, share.type("certificate.percent.director"), w * 0.34)
    gilt = share.panel.inset(1.6)
    rule, thin = share.card.stroke(bronze, LINE_MM), share.card.stroke(bronze, 0.15)
    motif, unit_mm = share.style.motif, share.card.unit_mm
    # A border in gold: that of the motif, or beads without one.
    border = beads(*gilt, bead_mm=0.62, ink=gold)
    if motif is not None and motif.run is not None:
        border = run_items(motif, gilt, half=0.5, ink=gold, corner=1.2, unit_mm=unit_mm)
    return (
        _veil(share, x, low + 1, gilt.inset(0.8)),
        *border,
        gilt.inset(0.75).plate(stroke=rule, role=Role.ORNAMENT),
        *_corners(share),
        *_crest(share, x, 13.2),
        *_ribbon(share, x, 24.4),
        *set_percent(percent, figures, inks.line, x, low + 0.4),
        *_signature(share, x - w * 0.285, low + 3.2),
        *seal(x + w * 0.307, low - 0.4, 5.4, wax=gold, light=pale, ribbon=inks.band, line=thin),
        *_grade(share, share.words("director"), x, low + 9.5, 26),
        *_fine(share, share.second_name or share.words("presides", percent), 12.7),
    )


def _crest(share: _Share, x: float, y: float) -> Items:
    """The roundel in a rosette that breaks through the border."""
    gold, paper, bronze = map(share.ink, ("certificate.gold", "paper", "certificate.gold.line"))
    rings = (share.pattern.rim, share.pattern.petals)
    rosette = share.rosette("crest", rings, 9.8, share.inks.line)
    rim, edge = share.card.stroke(bronze, 0.35), share.card.stroke(bronze, 0.15)
    return (
        disc((x, y), 10.4, paper, rim, Role.ORNAMENT),
        centred(rosette, x, y),
        disc((x, y), 6.9, gold, edge, Role.ORNAMENT),
        share.roundel(12.6, x, y),
    )


def _ribbon(share: _Share, x: float, y: float) -> Items:
    """The company's name on a ribbon."""
    inks, width = share.inks, share.card.width
    name, deep = _arched_name(
        share, "certificate.banner", x, y, width - 36, leading=0.98, ink=inks.on_band
    )
    shade, rim, tall = mix(inks.band, inks.line, 0.55), share.line(0.2), 7 + deep * 0.6
    radius_mm = _STRAIGHT if holds_wide(share.name) else _ARC
    ribbon = banner(
        (x, y), width - 33, tall, radius_mm=radius_mm, fill=inks.band, shade=shade, rim=rim
    )
    return (*ribbon, *name)


def _signature(share: _Share, x: float, y: float) -> Items:
    """A flourish over a line: who signed for the board."""
    ink, caption = share.ink("text"), share.type("certificate.caption")
    flourish = signature_path(share.company.id, x, y - 1.5, 12)
    items: list[Item] = [
        Path(flourish, stroke=share.line(0.2), role=Role.ORNAMENT),
        line_path((x - 7.5, y), (x + 7.5, y), share.card.stroke(ink, 0.1)),
    ]
    if caption.size_pt >= caption.min_pt:
        items += set_centred(share.words("signed"), caption, ink, x, y + 2)
    return tuple(items)
