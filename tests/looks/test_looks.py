"""No piece changes its looks unseen: every face of the five titles, in both languages, is drawn as
it was kept."""

from __future__ import annotations

import pytest

from looks.digests import TITLES, changes, drawn, kept


@pytest.mark.parametrize("title", TITLES)
def test_every_piece_looks_as_it_did(title: str) -> None:
    changed = changes(kept(title), drawn(title))
    shown = ", ".join(f"{key} ({language})" for key, language in changed[:12])
    assert not changed, (
        f"{len(changed)} faces look otherwise: {shown} ...; see them side by side with `make looks`"
    )
