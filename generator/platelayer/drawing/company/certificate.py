"""Share certificates."""

from __future__ import annotations

from collections.abc import Callable

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
from platelayer.foundation.text import Text
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
from platelayer.scene.typeset import fit, set_centred, text_width

company_words = FixedWords("companies")

SAFE_MM = 3.2
_DESIGN = (88.0, 63.0)
_RIM = 3.0
_BAND = 4.4
_CORNER = 5.4
_GILT, _GILT_CORNER = 0.5, 1.2
"""Half the height of the border in gold, and where its repeats begin."""
_TWO_LINES = 0.82
"""Size of a name on two lines, as a part of that on one."""


class _Share(Engraved, frozen=True, kw_only=True):
    """What the parts of a certificate draw from; those of one company and size share their
    curves."""

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
    certificate = _certificate(company, grade)
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
    draw: Callable[[_Share], tuple[Item, ...]] = _director if certificate.director else _ordinary
    grade_words = style.words(
        company_words("director") if certificate.director else company_words("share")
    )
    label = f"{share.name}: {grade_words}, {certificate.percent} %"
    inner = _RIM + _BAND + 0.5
    inside = boxed(draw(share), inner, inner, card.width - 2 * inner, card.height - 2 * inner)
    return card.scene(f"certificate:{piece_id}", label, (*_border(share), inside))


def _certificate(company: Company, grade: str) -> Certificate:
    for certificate in company.certificates:
        if grade == certificate.grade:
            return certificate
    raise KeyError(f"{company.id}-{grade}")


def _border(share: _Share) -> tuple[Item, ...]:
    """The field in the company's colour with a braid, and the panel of tinted paper within."""
    card, inks = share.card, share.inks
    inner = _RIM + _BAND + 0.5
    return (
        card.ground(inks.frame),
        Use(scene=_braids(share)),
        Path(
            commands=card.inset(inner),
            fill=share.style.ink("paper"),
            stroke=card.stroke(inks.line, 0.35),
        ),
        Path(
            commands=card.inset(inner + 0.55),
            fill=inks.tint,
            stroke=card.stroke(inks.line, LINE_MM),
        ),
    )


def _braids(share: _Share) -> Scene:
    """Braids along the four sides, in paper where that stands out from the field, else in the dark
    of the colour."""
    card, inks = share.card, share.inks
    paper = share.style.ink("paper")
    line = paper if contrast(paper, inks.frame) >= 2.3 else inks.line
    half = _BAND / 2
    middle = _RIM + half
    across = share.braid("braid:across", card.width - 2 * middle, half, line)
    down = share.braid("braid:down", card.height - 2 * middle, half, line)
    far_x, far_y = card.width - _RIM - _BAND, card.height - _RIM - _BAND
    upright = rotation(90)
    items = (
        Use(scene=across, matrix=translation(middle, _RIM)),
        Use(scene=across, matrix=translation(middle, far_y)),
        Use(scene=down, matrix=multiply(translation(_RIM + _BAND, middle), upright)),
        Use(scene=down, matrix=multiply(translation(far_x + _BAND, middle), upright)),
        Path(commands=card.inset(_RIM - 0.4), stroke=card.stroke(line, 0.15), role=Role.ORNAMENT),
    )
    return Scene(key=share.key("braids"), width_mm=card.width, height_mm=card.height, items=items)


def _corners(share: _Share) -> tuple[Item, ...]:
    """A counter with the percentage in every corner, so that a fanned hand can be read."""
    card, inks = share.card, share.inks
    lace = share.rosette("corner", (share.pattern.small,), _CORNER - 0.35, inks.line)
    solid = _CORNER * 0.66
    figures = fit_percent(share.certificate.percent, card.type("certificate.corner"), solid * 1.62)
    at = _RIM + _CORNER - 0.5
    items: list[Item] = []
    for x in (at, card.width - at):
        for y in (at, card.height - at):
            items += [
                Circle(
                    cx=x,
                    cy=y,
                    r=_CORNER,
                    fill=share.style.ink("paper"),
                    stroke=card.stroke(inks.line, 0.2),
                ),
                centred(lace, x, y),
                Circle(cx=x, cy=y, r=solid, fill=inks.line),
                boxed(
                    set_percent(share.certificate.percent, figures, inks.on_line, x, y),
                    x - solid,
                    y - solid,
                    2 * solid,
                    2 * solid,
                ),
            ]
    return tuple(items)


def _veil(share: _Share, x: float, y: float, inset: float) -> tuple[Item, ...]:
    """The underprint: a large rosette, pale enough for words to lie on it."""
    veil = share.underprint("veil", (share.pattern.petals,), 25.5, share.inks.veil)
    return (Group(items=(centred(veil, x, y),), clip=share.card.inset(inset)),)


def _name(share: _Share, x: float, y: float, width: float, lines: int) -> tuple[TextRun, ...]:
    """The company's name on one arc or two, its block centred on (x, y)."""
    type_style, broken = balanced(
        share.name, share.card.type("certificate.name"), width, lines, several=_TWO_LINES, clip=True
    )
    type_style = stepped(type_style, share.card.type("certificate.name"))
    leading = line_step(broken, type_style, 1.02)
    first = y + type_style.cap_height_mm / 2 - leading * (len(broken) - 1) / 2
    ink = share.style.ink("text")
    return tuple(
        run
        for number, line in enumerate(broken)
        for run in set_on_arc(
            line, type_style, ink, x, first + number * leading, radius_mm=190 - number * leading
        )
    )


def _grade(share: _Share, text: str, x: float, y: float, reach: float) -> tuple[Item, ...]:
    """The grade in spaced capitals between two tapering rules."""
    card, inks = share.card, share.inks
    style = card.type("certificate.grade")
    half = text_width(text.upper(), style) / 2 + 1.2
    rules: tuple[Item, ...] = ()
    if reach - half > 3:
        rules = tuple(
            item
            for way in (-1, 1)
            for item in card.rule((x + way * half, y), reach - half, inks.line, 0.16, towards=way)
        )
    return (*set_centred(text, style, share.style.ink("text"), x, y), *rules)


def _fine(share: _Share, words: Text, x: float, *levels: float) -> tuple[TextRun, ...]:
    """Lines of small print, left out on a card too small for them: the name in another language,
    where there is one, and what the bearer holds, if there is a level for both. The last level is
    that of a single line."""
    card = share.card
    texts = (share.second_name, share.style.words(words, share.certificate.percent))
    *several, alone = levels
    lines = zip(
        [text for text in texts if text],
        several if share.second_name and several else [alone],
        strict=False,
    )
    runs: tuple[TextRun, ...] = ()
    for text, level in lines:
        style = fit(text, card.type("certificate.fine"), card.width - 31)
        if style.size_pt > style.min_pt:
            runs += set_centred(text, style, share.style.ink("text"), x, level)
    return runs


def _ordinary(share: _Share) -> tuple[Item, ...]:
    card, inks, style = share.card, share.inks, share.style
    w, h = card.width, card.height
    left, middle, right = w * 0.295, h * 0.557, w * 0.665
    rosette = share.rosette("rosette", (share.pattern.rim, share.pattern.petals), 13.3, inks.line)
    percent = fit_percent(share.certificate.percent, card.type("certificate.percent"), w * 0.4)
    grade = style.words(
        company_words("reserved") if share.certificate.reserved else company_words("share")
    )
    return (
        *_veil(share, right, middle, _RIM + _BAND + 1.1),
        *_corners(share),
        centred(rosette, left, middle),
        *_name(share, w / 2, 15.2, w - 30.5, 2),
        Circle(cx=left, cy=middle, r=8.6, fill=style.ink("paper"), role=Role.ORNAMENT),
        placed_roundel(share.company, 16.4, share.card, left, middle),
        *set_percent(share.certificate.percent, percent, inks.line, right, middle - 1.6),
        *_grade(share, grade, right, middle + 10.3, 17.0),
        *_fine(share, company_words("bearer"), w / 2, h - 12.6, h - 9.9, h - 10.9),
    )


def _director(share: _Share) -> tuple[Item, ...]:
    card, inks, style = share.card, share.inks, share.style
    w, h = card.width, card.height
    gold, pale, bronze = (
        style.ink(f"certificate.{name}") for name in ("gold", "gold.light", "gold.line")
    )
    x, low = w / 2, h * 0.59
    percent = fit_percent(
        share.certificate.percent, card.type("certificate.percent.director"), w * 0.34
    )
    at = _RIM + _BAND + 2.1
    return (
        *_veil(share, x, low + 1, at + 0.8),
        *_gilt(share, at, gold),
        Path(
            commands=card.inset(at + 0.75), stroke=card.stroke(bronze, LINE_MM), role=Role.ORNAMENT
        ),
        *_corners(share),
        *_crest(share, x, 13.1),
        *_ribbon(share, x, 24.4),
        *set_percent(share.certificate.percent, percent, inks.line, x, low + 0.4),
        *_signature(share, x - w * 0.285, low + 3.2),
        *seal(
            x + w * 0.307,
            low - 0.4,
            5.4,
            wax=gold,
            light=pale,
            ribbon=inks.band,
            line=card.stroke(bronze, 0.15),
        ),
        *_grade(share, style.words(company_words("director")), x, low + 9.5, 26.0),
        *_fine(share, company_words("presides"), x, h - 12.7),
    )


def _gilt(share: _Share, at: float, gold: Ink) -> tuple[Item, ...]:
    """A border in gold `at` a distance inside the trim, that of the motif, or beads without one."""
    w, h = share.card.width - 2 * at, share.card.height - 2 * at
    motif = share.style.motif
    if motif is None or motif.run is None:
        return beads(at, at, w, h, bead_mm=0.62, ink=gold)
    return run_items(
        motif, (at, at, w, h), half=_GILT, ink=gold, corner=_GILT_CORNER, unit_mm=share.card.unit_mm
    )


def _crest(share: _Share, x: float, y: float) -> tuple[Item, ...]:
    """The roundel in a rosette that breaks through the border."""
    card, inks, style = share.card, share.inks, share.style
    gold, bronze = style.ink("certificate.gold"), style.ink("certificate.gold.line")
    rosette = share.rosette("crest", (share.pattern.rim, share.pattern.petals), 10.2, inks.line)
    return (
        Circle(
            cx=x,
            cy=y,
            r=10.8,
            fill=style.ink("paper"),
            stroke=card.stroke(bronze, 0.35),
            role=Role.ORNAMENT,
        ),
        centred(rosette, x, y),
        Circle(cx=x, cy=y, r=6.9, fill=gold, stroke=card.stroke(bronze, 0.15), role=Role.ORNAMENT),
        placed_roundel(share.company, 12.6, share.card, x, y),
    )


def _ribbon(share: _Share, x: float, y: float) -> tuple[Item, ...]:
    """The company's name on a ribbon."""
    card, inks = share.card, share.inks
    type_style, lines = balanced(
        share.name,
        card.type("certificate.banner"),
        card.width - 36,
        2,
        several=_TWO_LINES,
        clip=True,
    )
    type_style = stepped(type_style, card.type("certificate.banner"))
    leading, radius = line_step(lines, type_style, 0.98), 190.0
    first = y + type_style.cap_height_mm / 2 - leading * (len(lines) - 1) / 2
    tall = 7.0 + leading * (len(lines) - 1) * 0.6
    names = tuple(
        run
        for number, line in enumerate(lines)
        for run in set_on_arc(
            line,
            type_style,
            inks.on_band,
            x,
            first + number * leading,
            radius_mm=radius + y - first,
        )
    )
    shade = mix(inks.band, inks.line, 0.55)
    rim = card.stroke(inks.line, 0.2)
    ribbon = banner(
        (x, y), card.width - 33, tall, radius_mm=radius, fill=inks.band, shade=shade, rim=rim
    )
    return (*ribbon, *names)


def _signature(share: _Share, x: float, y: float) -> tuple[Item, ...]:
    """A flourish over a line: who signed for the board."""
    card, style = share.card, share.style
    pen = Path(
        commands=signature_path(share.company.id, x, y - 1.5, 12.0),
        stroke=card.stroke(share.inks.line, 0.2),
        role=Role.ORNAMENT,
    )
    line = Path(
        commands=polygon_path(((x - 7.5, y), (x + 7.5, y)), closed=False),
        stroke=card.stroke(style.ink("text"), 0.1),
    )
    caption = card.type("certificate.caption")
    if caption.size_pt < caption.min_pt:
        return (pen, line)
    return (
        pen,
        line,
        *set_centred(style.words(company_words("signed")), caption, style.ink("text"), x, y + 2.0),
    )
