"""Assertions of tests that all titles share tell what they compare."""

import pytest

pytest.register_assert_rewrite("looks.every_face")
