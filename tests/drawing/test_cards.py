"""Train, phase, number and priority cards, player aids, markers: what they say, and that it can be
read."""

import math

import pytest
from msgspec.structs import replace

from platelayer.definitions.themes import load_theme
from platelayer.drawing.cards import summary
from platelayer.drawing.cards.offer_sheet import draw_phase_card
from platelayer.drawing.cards.small_cards import draw_marker, draw_number_card, draw_priority_card
from platelayer.drawing.cards.summary import DoesNotFit, draw_summary
from platelayer.drawing.kit.style import Style
from platelayer.drawing.pieces import draw_back
from platelayer.drawing.train.card import band_colour, draw_train, rusted_by, size_class
from platelayer.drawing.train.locomotive import CLASSES, COACH_CLASS, locomotive_size
from platelayer.drawing.train.phase_tables import events_of
from platelayer.foundation.text import Text
from platelayer.model.kinds import PLAIN, PLAY
from platelayer.model.manifest import build_manifest
from platelayer.model.title import AidSection, AidTable, Marker, PhaseCard, Size
from platelayer.model.train import Reach, TradeIn, Train, TrainFace
from platelayer.scene.breaks import name_parts
from platelayer.scene.flatten import flatten_scene
from platelayer.scene.inks import contrast
from platelayer.scene.legibility import check_legibility
from shipped import shipped


@pytest.fixture(scope="module")
def style():
    return Style(theme=load_theme("classic"))


@pytest.fixture(scope="module")
def title():
    return shipped("18eu")


def reach(visit):
    return (Reach(stops=("city", "offboard", "town"), visit=visit, pay=visit),)


def face(name, price=100, visit=2, **more):
    return TrainFace(name=name, price=price, reach=reach(visit), **more)


def with_trains(title, *trains):
    return replace(title, trains=trains, phases=())


def texts(scene):
    return [text.run.text for text in flatten_scene(scene)[1]]


def words(scene):
    return " ".join(texts(scene))


def angle_of(scene, wanted):
    """Degrees clockwise at which a text is read."""
    found = next(text for text in flatten_scene(scene)[1] if text.run.text == wanted)
    (ax, ay), (bx, by) = found.corners[:2]
    return round(math.degrees(math.atan2(by - ay, bx - ax))) % 360


# 18EU: trains, prices and rusting as in the issue "18EU, complete".
@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("2", ("£100", "yellow", ())),
        ("3", ("£200", "green", ())),
        ("4", ("£300", "green", ("2",))),
        ("5", ("£500", "brown", ())),
        ("6", ("£600", "brown", ("3",))),
        ("8", ("£800", "gray", ("4",))),
        ("P", ("£100", "green", ())),
    ],
)
def test_a_train_card_says_what_the_rules_say(title, style, name, says):
    price, colour, rusts = says
    train = title.train_by_id[name]
    scene = draw_train(title, name, style)
    assert scene.key == f"train:{name}"
    assert (scene.bleed_mm, scene.safe_mm) == (3.2, 3.2)
    assert {name, price} <= set(texts(scene))
    assert band_colour(title, train) == colour
    assert rusted_by(title, train, train.faces[0]) == rusts
    assert check_legibility(scene) == ()


def test_the_number_is_by_far_the_largest_word(title, style):
    sizes = {
        text.run.text: text.size_pt for text in flatten_scene(draw_train(title, "5", style))[1]
    }
    assert sizes.pop("5") > 3 * max(sizes.values())


def test_a_train_that_never_rusts_says_so(title, style):
    assert "PERMANENT" in texts(draw_train(title, "8", style))
    assert "PERMANENT" not in texts(draw_train(title, "2", style))


def test_engines_grow_and_share_the_classes_out(title, style):
    lengths = [locomotive_size(size, 30.0, style)[0] for size in range(CLASSES)]
    assert lengths == sorted(lengths)
    assert lengths[-1] == pytest.approx(30.0)
    order = [size_class(title, title.train_by_id[name].faces[0]) for name in "234568"]
    assert order == sorted(set(order))
    assert (order[0], order[-1]) == (0, CLASSES - 1)
    assert size_class(title, title.train_by_id["P"].faces[0]) == COACH_CLASS


@pytest.mark.parametrize("language", ["en", "ja"])
def test_cards_with_several_trains_show_the_letter_that_sorts_them(language):
    title, style = shipped("18cz"), Style(theme=load_theme("classic"), language=language)
    for train in title.trains:
        largest = max(
            (
                text
                for text in flatten_scene(draw_train(title, train.id, style))[1]
                if text.run.text == train.id
            ),
            key=lambda text: text.size_pt,
        )
        assert largest.size_pt >= 12, train.id


def test_small_letters_of_phases_stay_small(style):
    words = texts(draw_train(shipped("18cz"), "c", style))
    assert "Begins phase c" in words


def test_each_of_three_faces_is_read_with_the_card_turned(title, style):
    faces = (face("3d", 120, 3), face("3+3d", 180, 3), face("3Ed", 250, 3))
    card = with_trains(title, Train(id="d", faces=faces, count=4))
    scene = draw_train(card, "d", style)
    assert [angle_of(scene, name) for name in ("3d", "3+3d", "3Ed")] == [0, 180, 90]
    assert [angle_of(scene, price) for price in ("£120", "£180", "£250")] == [0, 180, 90]
    assert check_legibility(scene) == ()


@pytest.mark.parametrize("count", [1, 2, 3, 4])
@pytest.mark.parametrize("size", [(67.0, 44.0), (63.0, 88.0), (88.0, 63.0)])
def test_faces_of_any_number_stay_legible_in_any_common_size(title, style, count, size):
    names = ("2", "2+2", "10H", "5gj")
    faces = tuple(
        face(name, 1000, 2 + index, rusts_on=("9",)) for index, name in enumerate(names[:count])
    )
    card = with_trains(title, Train(id="x", faces=faces, count=1))
    card = replace(
        card,
        pieces=replace(
            card.pieces, sizes=(Size(kind="train", width_mm=size[0], height_mm=size[1]),)
        ),
    )
    scene = draw_train(card, "x", style)
    assert (scene.width_mm, scene.height_mm) == size
    assert check_legibility(scene) == ()
    assert set(names[:count]) <= set(texts(scene))


CITIES = Reach(stops=("city", "offboard"), visit=4, pay=4)


def towns(visit, pay):
    return Reach(stops=("town",), visit=visit, pay=pay)


@pytest.mark.parametrize(
    ("reach", "stated"),
    [
        ((CITIES, towns(None, None)), ()),
        ((CITIES, towns(3, 3)), ()),
        ((CITIES, towns(3, None)), ()),
        ((CITIES, towns(0, 0)), ()),
        ((CITIES, towns(None, 0)), ("none of the towns",)),
        ((CITIES, towns(None, 2)), ("up to 2 of the towns",)),
        ((CITIES, towns(5, 2)), ("up to 2 of the towns",)),
        (
            (replace(CITIES, visit=None), towns(3, 1)),
            ("up to 4 of the cities", "up to 1 of the towns"),
        ),
        (
            (Reach(stops=("city", "town", "offboard"), visit=None, pay=5),),
            ("up to 5 of the stops",),
        ),
        ((Reach(stops=("town", "pass"), visit=9, pay=5),), ("up to 5 of the towns and passes",)),
        ((Reach(stops=("offboard",), visit=2, pay=1),), ("up to 1 of the off-boards",)),
    ],
)
def test_cards_and_lists_show_how_many_stops_pay_where_not_all_do(reach, stated, title, style):
    train = Train(id="X", faces=(replace(face("X"), reach=reach),), count=1)
    small = with_trains(title, train)
    scene = draw_train(small, "X", style)
    texts_found = " ".join(texts(scene))
    assert [texts_found.count(f"Pays {each}") for each in stated] == [1] * len(stated)
    assert texts_found.count("Pays ") == len(stated)
    assert check_legibility(scene) == ()
    card = draw_phase_card(replace(small, phases=title.phases), "phases", style)
    rows = [each.split()[1:] for each in texts(card) if each.startswith("PAYING ")]
    assert rows == [each.upper().partition(" OF THE ")[2].split() for each in stated]
    assert check_legibility(card) == ()


def test_a_list_of_trade_ins_stays_on_its_card_or_says_that_it_does_not_fit(title, style):
    older = [Train(id=f"t{number}", faces=(face("W" * 12),), count=1) for number in range(12)]

    def card(count):
        trade_ins = tuple(TradeIn(train=each.id, price=17347) for each in older[:count])
        newest = Train(id="new", faces=(face("new", trade_ins=trade_ins),), count=1)
        return draw_train(with_trains(title, *older, newest), "new", style)

    for count in (4, 5):
        assert check_legibility(card(count)) == ()
    with pytest.raises(DoesNotFit, match="LG08"):
        card(12)


def test_a_train_goes_as_far_as_stops_of_its_run_pay(title):
    longest = face("8", visit=8)
    express = replace(
        face("4E"), reach=(Reach(stops=("city", "town", "offboard"), visit=None, pay=4),)
    )
    faces = {
        each.name: each
        for each in (face("2"), face("3", visit=3), face("4", visit=4), express, longest)
    }
    small = with_trains(
        title, *(Train(id=name, faces=(each,), count=1) for name, each in faces.items())
    )
    assert size_class(small, express) == size_class(small, faces["4"]) < size_class(small, longest)


def test_only_the_first_of_several_triggers_is_named_as_rusting_a_train(title):
    trains = (
        Train(id="2a", faces=(face("2a", rusts_on=("4e", "4f")),), count=1),
        Train(id="4e", faces=(face("4e", visit=4),), count=1),
        Train(id="4f", faces=(face("4f", visit=4),), count=1),
    )
    small = with_trains(title, *trains)
    assert rusted_by(small, trains[1], trains[1].faces[0]) == ("2a",)
    assert rusted_by(small, trains[2], trains[2].faces[0]) == ()


def test_a_name_of_a_train_and_of_a_phase_is_the_trains(title):
    first, second, third = (
        Train(
            id=name,
            faces=(TrainFace(name=name, price=100, reach=(), rusts_on=rusts),),
            count=1,
            starts=starts,
        )
        for name, rusts, starts in (("2", ("4",), "2"), ("3", (), "4"), ("4", (), "5"))
    )
    assert [
        rusted_by(replace(title, trains=(first, second, third)), each, each.faces[0])
        for each in (second, third)
    ] == [
        (),
        ("2",),
    ]


def test_the_phase_card_shows_limits_prices_and_bonuses(title, style):
    scene = draw_phase_card(title, "phases", style)
    assert (scene.width_mm, scene.height_mm) == (188.0, 83.0)
    found = texts(scene)
    for price in ("£100", "£200", "£300", "£500", "£600", "£800"):
        assert price in found
    assert {"15", "5 + 2", "4 + 1", "8"} <= set(found)
    assert {"10", "20  40  60  80", "30  60  90  120  150"} <= set(found)
    assert check_legibility(scene) == ()


def test_the_phase_card_shows_tiles_to_be_laid_where_phases_say_it(title, style):
    assert "LAID PER TURN" not in texts(draw_phase_card(title, "phases", style))
    phases = tuple(
        replace(phase, tile_lays=Text.plain(f"{number} here"))
        for number, phase in enumerate(title.phases)
    )
    scene = draw_phase_card(replace(title, phases=phases), "phases", style)
    assert {"LAID PER TURN", "0 here", "5 here"} <= set(texts(scene))
    assert check_legibility(scene) == ()


def test_a_phase_card_too_full_for_its_size_says_so(title, style):
    tiny = replace(
        title,
        pieces=replace(
            title.pieces, sizes=(Size(kind="phase-card", width_mm=60.0, height_mm=40.0),)
        ),
    )
    with pytest.raises(
        DoesNotFit, match="LG08 phase-card: the phases do not fit a card of 60 x 40 mm"
    ):
        draw_phase_card(tiny, "phases", style)


def test_a_player_aid_prints_every_word_of_its_sections(title, style):
    scene = draw_summary(title, "setup", style)
    printed = words(scene).replace(" ", "")
    for section in title.aids[0].sections:
        assert style.words(section.heading) in texts(scene)
        for line in section.lines:
            assert all(word.rstrip(".") in printed for word in style.words(line).split())
    assert min(text.size_pt for text in flatten_scene(scene)[1]) >= 5.5
    assert check_legibility(scene) == ()


def section_of(title, *lines):
    """The title with one aid of one section."""
    aid = title.aids[0]
    return replace(
        title,
        aids=(
            replace(
                aid,
                phases=False,
                sections=(AidSection(heading=Text((("", "Head"),)), lines=lines),),
            ),
        ),
    )


@pytest.mark.parametrize(
    ("language", "step", "sign"),
    [
        ("en", "1. Track: one tile.", "tile"),
        ("en", "2. Share price: up.", ""),
        ("ja", "3. 駅。1個。", "token"),
    ],
)
def test_a_step_has_the_sign_of_what_it_is_about(title, monkeypatch, language, step, sign):
    shown = []
    monkeypatch.setattr(summary, "sign_items", lambda name, *_: shown.append(name) or ())
    style = Style(theme=load_theme("classic"), language=language)
    scene = draw_summary(section_of(title, Text((("", step),))), title.aids[0].id, style)
    assert shown == [sign] * bool(sign)
    assert step[0] in texts(scene)


def test_what_a_line_is_about_is_bold_if_that_is_short(title, style):
    long = "A word much too long to be set in bold at the head:"
    lines = (Text((("", "Home: any city."),)), Text((("", f"{long} as here."),)))
    scene = draw_summary(section_of(title, *lines), title.aids[0].id, style)
    bold = {
        text.run.text
        for text in flatten_scene(scene)[1]
        if text.run.face == style.type("aid.strong").faces[0]
    }
    assert "Home:" in bold
    assert not any(words in long for words in bold)
    assert check_legibility(scene) == ()


@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_company_stands_as_a_badge_beside_its_ability(monkeypatch, language):
    atlas, shown = shipped("lost-atlas"), []
    monkeypatch.setattr(
        summary, "roundel_items", lambda company, *_: shown.append(company.id) or ()
    )
    draw_summary(atlas, "abilities", Style(theme=load_theme("classic"), language=language))
    assert len(shown) == len({*shown}) == 12


def test_a_player_aid_too_long_for_its_card_says_so(title, style):
    aid = title.aids[0]
    section = replace(
        aid.sections[0], lines=(Text.plain("a very long explanation of nothing at all " * 90),)
    )
    long = replace(title, aids=(replace(aid, sections=(section,)),))
    with pytest.raises(DoesNotFit, match=r"LG08 summary:setup does not fit its card even at 7 pt"):
        draw_summary(long, aid.id, style)


def test_groups_of_columns_are_parted_where_the_head_of_a_table_repeats(title, style):
    def uprights(*head: str) -> int:
        cells = tuple(Text.plain(word) for word in head)
        section = replace(aid.sections[0], lines=(), table=AidTable(head=cells, rows=(cells,)))
        scene = draw_summary(
            replace(title, aids=(replace(aid, sections=(section,)),)), aid.id, style
        )
        lines = (
            shape.bounds
            for shape in flatten_scene(scene)[0]
            if shape.stroke_mm and shape.fill is None
        )
        return sum(right - left < 0.3 < bottom - top for left, top, right, bottom in lines)

    aid = title.aids[0]
    alone = uprights("3", "4", "5", "6")
    assert uprights("all", "25 %", "all", "25 %") == alone + 1
    assert uprights("a", "b", "c", "a", "b", "c", "a", "b", "c") == alone + 2
    assert uprights("a", "a", "b", "b") == uprights("a", "b", "a") == alone


def test_arrows_in_words_are_drawn_as_shapes(title, style):
    aid = title.aids[0]
    section = replace(aid.sections[0], lines=(Text.plain("→ paid ← withheld ↓ sold ↑ sold out"),))
    scene = draw_summary(replace(title, aids=(replace(aid, sections=(section,)),)), aid.id, style)
    assert not set("→←↓↑") & set(words(scene))
    assert {"paid", "withheld", "sold"} <= set(words(scene).split())


@pytest.mark.parametrize("size", [(44.0, 67.0), (67.0, 44.0), (63.0, 88.0)])
@pytest.mark.parametrize("number", ["1", "6"])
def test_number_cards(title, style, number, size):
    sized = Size(kind="number-card", width_mm=size[0], height_mm=size[1])
    sized_title = replace(title, pieces=replace(title.pieces, sizes=(sized,)))
    scene = draw_number_card(sized_title, number, style)
    assert number in texts(scene)
    assert check_legibility(scene) == ()


def test_the_priority_card(title, style):
    scene = draw_priority_card(title, "priority", style)
    assert "Priority deal" in texts(scene)
    assert check_legibility(scene) == ()


def test_markers_are_discs_with_their_letter(title, style):
    scene = draw_marker(title, "mountain", style)
    assert texts(scene) == ["120", "M"]
    assert (scene.width_mm, scene.height_mm, scene.bleed_mm) == (12.0, 12.0, 3.2)
    assert scene.outline is not None
    assert check_legibility(scene) == ()


def test_a_marker_without_a_letter_shows_a_locomotive(title, style):
    plain = Marker(id="round", name=Text.plain("Round"), text="", count=1)
    scene = draw_marker(
        replace(title, pieces=replace(title.pieces, markers=(plain,))), "round", style
    )
    assert texts(scene) == []
    assert len(flatten_scene(scene)[0]) > 20
    assert check_legibility(scene) == ()


def test_a_marker_in_pale_letters_on_a_pale_field_is_printed_dark(title, style):
    pale = Marker(
        id="p", name=Text.plain("P"), text="P", count=1, colour="#ffee99", text_colour="#ffffff"
    )
    scene = draw_marker(replace(title, pieces=replace(title.pieces, markers=(pale,))), "p", style)
    assert check_legibility(scene) == ()


def test_a_marker_with_two_faces_has_reversed_colours_and_its_own_text_on_the_back(title, style):
    # Rulebook of 18EU 1.2: M markers, 120 up at first, then 60.
    piece = build_manifest(title).by_key["marker:mountain"]
    assert piece.back == PLAY
    back = draw_back(title, piece, style)
    assert texts(draw_marker(title, "mountain", style)) == ["120", "M"]
    assert texts(back) == ["60", "M"]
    assert check_legibility(back) == ()
    grounds = [
        flatten_scene(scene)[0][0].fill for scene in (draw_marker(title, "mountain", style), back)
    ]
    assert grounds[0] != grounds[1]


def test_a_marker_without_a_text_of_its_own_is_alike_on_both_sides(title, style):
    piece = build_manifest(title).by_key["marker:round"]
    assert piece.back == PLAIN
    assert texts(draw_back(title, piece, style)) == texts(draw_marker(title, "round", style))


def test_cards_of_an_option_are_marked_and_counted_apart(title, style):
    # Rulebook of 18EU 1.2, 4.4.7: two 3-trains and one 4-train with "Option" on them.
    manifest = build_manifest(title)
    counts = {
        key: manifest.by_key[key].count
        for key in ("train:3", "train:3-option", "train:4", "train:4-option")
    }
    assert counts == {"train:3": 5, "train:3-option": 2, "train:4": 4, "train:4-option": 1}
    marked, plain = (
        texts(draw_train(title, "3-option", style)),
        texts(draw_train(title, "3", style)),
    )
    assert [word for word in marked if word not in plain] == ["Option: if all players agree"]
    assert draw_train(title, "3-option", style).key == "train:3-option"
    assert check_legibility(draw_train(title, "4-option", style)) == ()


@pytest.mark.parametrize("theme", ["classic", "colour-blind", "low-ink"])
def test_trains_of_one_size_of_company_have_its_colour_and_sign(theme):
    # Rulebook of 18CZ 4-2: small trains with red figures, medium ones with blue, large ones with
    # green.
    style, cz = Style(theme=load_theme(theme)), shipped("18cz")
    scene = draw_train(cz, "f", style)
    assert check_legibility(scene) == ()
    inks = {text.run.text: text.run.ink for text in flatten_scene(scene)[1]}
    assert len({inks[name] for name in ("4", "4+4", "4E")}) == 3
    assert all(contrast(inks[name], style.ink("card.ground")) >= 4.5 for name in ("4", "4+4", "4E"))


@pytest.mark.parametrize(("language", "words"), [("en", "May skip towns"), ("ja", "町は省略可")])
def test_a_train_that_may_leave_out_towns_says_so(language, words):
    # Rulebook of 18CZ 8-7: an E train counts its number of places and may leave out towns.
    style = Style(theme=load_theme("classic"), language=language)
    texts_found = texts(draw_train(shipped("18cz"), "d", style))
    assert words in texts_found
    assert not any("PAYS" in word for word in texts_found)


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("private", ["S5", "M1", "L4"])
def test_a_used_local_railway_is_turned_over(private, language):
    # Rulebook of 18CZ 4-1: turned over after use, and goes on paying.
    cz, style = shipped("18cz"), Style(theme=load_theme("classic"), language=language)
    piece = build_manifest(cz).by_key[f"private:{private}"]
    assert piece.back == PLAY
    back = draw_back(cz, piece, style)
    company = cz.company_by_id[private]
    assert cz.money(company.income) in texts(back)
    assert cz.money(company.value) not in texts(back)
    assert back.key == f"private:{private}:back"
    assert check_legibility(back) == ()


@pytest.mark.parametrize("language", ["en", "ja"])
def test_long_names_of_titles_stand_on_train_cards_without_parted_words(title, language):
    name = Text(
        (
            ("en", "Railways of the Uttermost Transcontinental Lands"),
            ("ja", "レイルウェイズ・オブ・ザ・ロスト・アトラス"),
        )
    )
    style = Style(theme=load_theme("classic"), language=language)
    dollars = replace(title, name=name, currency="${}")
    parts = name_parts(name.get(language))
    for train in dollars.trains:
        scene = draw_train(dollars, train.id, style)
        assert not check_legibility(scene)
        lines = [run for run in texts(scene) if run in name.get(language)]
        assert {part for line in lines for part in name_parts(line)} >= set(parts), lines


def test_a_phase_too_wordy_for_its_card_says_so(title, style):
    phases = tuple(
        replace(phase, events=(Text.plain("something else that happens " * 30),))
        for phase in title.phases
    )
    card = PhaseCard(id="x", front=(phases[1].id,))
    sizes = (Size(kind="phase-card", width_mm=67.0, height_mm=44.0),)
    wordy = replace(
        title, phases=phases, pieces=replace(title.pieces, phase_cards=(card,), sizes=sizes)
    )
    with pytest.raises(
        DoesNotFit, match=f"LG08 phase-card: phase {phases[1].id} does not fit a card of 67 x 44 mm"
    ):
        draw_phase_card(wordy, "x", style)


def test_sentences_without_full_stops_do_not_run_together(title, style):
    events = tuple(map(Text.plain, ("2-trains rust", "Minors close.", "The market opens")))
    stated = events_of(replace(title.phases[1], events=events, status=()), style)
    assert stated == "2-trains rust · Minors close. The market opens"
