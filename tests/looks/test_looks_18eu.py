"""Every face of 18EU, in both languages, is drawn as it was kept. A file of its own: workers share
tests by file."""

from looks.digests import assert_unchanged


def test_every_face_is_as_it_was() -> None:
    assert_unchanged("18eu")
