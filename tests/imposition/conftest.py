"""What tests of sheets share."""

import pytest

from platelayer.definitions.themes import load_theme


@pytest.fixture(scope="session")
def theme():
    return load_theme("classic")
