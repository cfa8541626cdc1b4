"""Train, phase, number and priority cards, player aids, markers: what they say, and that it can be
read."""

from random import Random

import pytest
from msgspec.structs import replace

from platelayer.definitions.themes import load_theme
from platelayer.drawing.cards.offer_sheet import draw_phase_card
from platelayer.drawing.cards.small_cards import draw_marker
from platelayer.drawing.cards.summary import DoesNotFit, draw_summary
from platelayer.drawing.kit.style import Style
from platelayer.drawing.pieces import draw_back
from platelayer.drawing.train.card import band_colour, draw_train, ended_by, rusted_by, size_class
from platelayer.drawing.train.locomotive import COACH_CLASS
from platelayer.drawing.train.phase_tables import events_of
from platelayer.foundation.text import Text
from platelayer.model.kinds import PLAY
from platelayer.model.manifest import build_manifest
from platelayer.model.title import Marker, PhaseCard, Size
from platelayer.model.train import Reach, TradeIn, Train, TrainFace
from platelayer.scene.flatten import flatten_scene
from platelayer.scene.legibility import check_legibility
from platelayer.scene.paths import Digester
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
        ((CITIES, towns(None, 2)), ("the best 2 of its towns",)),
        ((CITIES, towns(5, 2)), ("the best 2 of its towns",)),
        (
            (replace(CITIES, visit=None), towns(3, 1)),
            ("the best 4 of its cities", "the best 1 of its towns"),
        ),
        (
            (Reach(stops=("city", "town", "offboard"), visit=None, pay=5),),
            ("the best 5 of its stops",),
        ),
        ((Reach(stops=("town", "pass"), visit=9, pay=5),), ("the best 5 of its towns and passes",)),
        ((Reach(stops=("offboard",), visit=2, pay=1),), ("the best 1 of its off-boards",)),
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
    assert rows == [each.upper().partition(" OF ")[2].split()[1:] for each in stated]
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


def test_only_the_first_of_several_triggers_is_named_as_rusting_a_train(title):
    trains = (
        Train(id="2a", faces=(face("2a", rusts_on=("4e", "4f")),), count=1),
        Train(id="4e", faces=(face("4e", visit=4),), count=1),
        Train(id="4f", faces=(face("4f", visit=4),), count=1),
    )
    small = with_trains(title, *trains)
    assert rusted_by(small, trains[1], trains[1].faces[0]) == ("2a",)
    assert rusted_by(small, trains[2], trains[2].faces[0]) == ()


def test_a_last_run_reads_the_same_on_both_cards_and_a_train_without_price_has_none(title, style):
    trains = (
        Train(id="2", faces=(face("2", rusts_on=("6",), obsolete_on=("5",)),), count=1),
        Train(id="4", faces=(face("4", obsolete_on=("6",)),), count=1),
        Train(id="5", faces=(face("5", visit=5),), count=1),
        Train(id="6", faces=(replace(face("6", visit=6), price=0),), count=1),
    )
    small = with_trains(title, *trains)
    said = {train.id: texts(draw_train(small, train.id, style)) for train in trains}
    assert "LAST RUN AFTER" in said["2"]
    assert "RUSTED BY" in said["2"]
    assert "LAST RUN OF" in said["5"]
    assert "RUSTS" not in said["5"]
    assert ended_by(small, trains[3], trains[3].faces[0]) == (
        ("obsoletes", ("4",)),
        ("rusts", ("2",)),
    )
    assert {"LAST RUN OF", "RUSTS"} <= set(said["6"])
    assert not [text for text in said["6"] if "£" in text]


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


def test_a_player_aid_too_long_for_its_card_says_so(title, style):
    aid = title.aids[0]
    section = replace(
        aid.sections[0], lines=(Text.plain("a very long explanation of nothing at all " * 90),)
    )
    long = replace(title, aids=(replace(aid, sections=(section,)),))
    with pytest.raises(DoesNotFit, match=r"LG08 summary:setup does not fit its card even at 7 pt"):
        draw_summary(long, aid.id, style)


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
        flatten_scene(scene)[0][1].fill for scene in (draw_marker(title, "mountain", style), back)
    ]
    assert grounds[0] != grounds[1]


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


def test_sentences_end_and_rules_of_several_phases_are_stated_once(title, style):
    def phase(number, *events, status=()):
        texts = tuple(map(Text.plain, events)), tuple(map(Text.plain, status))
        return replace(title.phases[number], events=texts[0], status=texts[1])

    phases = (
        phase(0, "2-trains rust", "Minors close.", "The market opens", status=("No loans",)),
        phase(1, status=("Tokens cost twice", "Trains may be sold")),
        phase(2, status=("Tokens cost twice", "Trains may be sold", "Minors may merge.")),
        phase(3, status=("Trains may be sold", "Minors may merge.")),
    )
    assert [events_of(phases, each, style) for each in phases] == [
        "2-trains rust. Minors close. The market opens. No loans.",
        "Phases 3–4: Tokens cost twice. From phase 3: Trains may be sold.",
        "From phase 4: Minors may merge.",
        "",
    ]
    assert events_of(phases[3:], phases[3], style) == "Trains may be sold. Minors may merge."


def test_a_card_of_several_trains_shows_which_begins_a_phase_and_what_each_runs(title, style):
    local = tuple(Reach(stops=(kind,), visit=1, pay=1) for kind in ("city", "town"))
    endless = tuple(Reach(stops=(kind,), visit=None, pay=None) for kind in ("city", "town"))
    back = face("2", rusts_on=("7",), side="back", available_from="1")
    trains = (
        Train(id="L", faces=(replace(face("L"), reach=local), back), starts="2", count=1),
        Train(id="7", faces=(face("7", visit=7), face("E", visit=8, side="back")), count=1),
        Train(id="P+", faces=(replace(face("P+", price=0), reach=endless),), count=1),
    )
    phases = (replace(title.phases[0], id="2", begun_by=("2", "3")),)
    small = replace(with_trains(title, *trains), phases=phases)
    for key, behind, said, unsaid in (
        ("L", False, set(), {"BEGINS PHASE 2"}),
        ("L", True, {"BEGINS PHASE 2"}, set()),
        ("7", True, {"RUSTS"}, set()),
    ):
        shown = set(texts(draw_train(small, key, style, back=behind)))
        assert said <= shown
        assert not unsaid & shown
    classes = [size_class(small, each) for train in trains for each in train.faces]
    assert classes == [0, 2, 4, 6, COACH_CLASS]


@pytest.mark.parametrize("name", ["18eu", "18cz", "1824"])
def test_a_card_depends_on_prices_of_others_only_as_far_as_they_are_long(name, style):
    title, dice = shipped(name), Random(name)
    seen, again = {}, 0
    for _ in range(12):
        trains = list(title.trains)
        at = dice.randrange(len(trains))
        faces = [replace(face, price=dice.choice((0, 7, 90, 1000))) for face in trains[at].faces]
        trains[at] = replace(trains[at], faces=tuple(faces))
        title = replace(title, trains=tuple(trains))
        for train in title.trains:
            key = (train.id, title.trains_beside(train.id))
            scenes = (
                draw_train(title, train.id, style),
                draw_train(title, train.id, style, back=True),
            )
            digests = [*map(Digester().scene, scenes)]
            again += key in seen
            assert seen.setdefault(key, digests) == digests
    assert again > len(title.trains)
