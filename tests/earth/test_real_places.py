"""Places as people write them, and the earth that is packed for them."""

import pytest

from platelayer.earth import read
from platelayer.earth.read import find_place
from platelayer.foundation.problems import CannotRun

SEATTLE = [
    "47.6N 122.3W", "47.6, -122.3", "47.6 -122.3", "47.6,-122.3", "N47.6 W122.3", "122.3W, 47.6N", "47,6N 122,3W",
    "47°36'N 122°18'W", "47°36′00″N, 122°18′00″W", "47 36 N 122 18 W", "47.6° N 122.3° W", "４７．６N １２２．３W",
]  # fmt: skip


@pytest.mark.parametrize("text", SEATTLE)
def test_coordinates_are_read_however_they_are_written(text):
    place = find_place(text)
    assert (place.lat, place.lon) == pytest.approx((47.6, -122.3))


def test_south_and_east_have_the_other_signs():
    place = find_place("41°30'S 173°15'E")
    assert (place.lat, place.lon) == pytest.approx((-41.5, 173.25))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("91N 20E", "latitudes go to 90 degrees"),
        ("47.6N 12N", "cannot be read as a place"),
        ("47 75 N 12 E", "cannot be read as a place"),
        ("", "there is no place; write"),
        ("Seatle", 'did you mean "Seattle"? Or write coordinates'),
        ("Paris, Germany", '"Paris, Texas, US"'),
        ("Springfield", '"Springfield, Illinois, US"'),
        ("Springfield, US", '"Springfield, Massachusetts, US"'),
    ],
)
def test_a_text_that_names_no_one_place_is_refused_with_a_way_out(text, words):
    with pytest.raises(CannotRun, match=r".") as caught:
        find_place(text)
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Seattle", "Seattle, Washington, US"),
        ("springfield, illinois", "Springfield, Illinois, US"),
        ("Springfield, IL", "Springfield, Illinois, US"),
        ("New York", "New York City, New York, US"),
        ("London", "London, England, GB"),
        ("Zurich", "Zürich, Zurich, CH"),
        ("Matsuyama, 日本", "Matsuyama, Ehime, JP"),
    ],
)
def test_cities_are_found_by_name_and_state_or_country(text, name):
    assert find_place(text).name == name


def test_land_is_known_everywhere():
    land = {
        "Seattle": (-122.3, 47.6), "the south pole": (0, -90), "east of the date line": (-179.0, 66.5),
        "west of it": (179.0, 68.5), "Manitoulin": (-82.2, 45.75),
    }  # fmt: skip
    water = {
        "the sound": (-122.45, 47.62), "the north pole": (0, 90), "Lake Michigan": (-87, 44),
        "the Pacific": (-180, 0), "the Gulf of Guinea": (0, 0),
    }  # fmt: skip
    assert [name for name, place in land.items() if not read.is_land(*place)] == []
    assert [name for name, place in water.items() if read.is_land(*place)] == []


def test_a_circle_meets_boxes_beyond_the_date_line_and_over_a_pole():
    assert read.Circle(179.5, -17, 3).meets(-180, -18, -179, -16)
    assert read.Circle(0, 89, 5).meets(179, 85, 180, 88)
    assert not read.Circle(0, 0, 5).meets(10, -1, 12, 1)
