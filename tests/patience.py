"""Pages that are waited for."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest


@contextmanager
def patient(pages: Any) -> Iterator[None]:
    """Playwright's class of pages, in which `wait_for_function` goes on where the function throws:
    what it looks at may not be there yet."""
    wait = pages.wait_for_function

    def wait_for_function(page: Any, function: str, **more: Any) -> Any:
        return wait(
            page,
            f"given => {{ try {{ return ({function})(given) }} catch {{ return false }} }}",
            **more,
        )

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pages, "wait_for_function", wait_for_function)
        yield
