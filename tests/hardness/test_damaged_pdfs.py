"""Whatever happens to a PDF: problems or a clean pass, the same ones twice, within seconds and a
budget."""

from __future__ import annotations

import random
import time

import pytest
from damage import Limit
from pdf_damage import damaged_pdf

from packs import Pack
from platelayer.definitions.themes import load_profile
from platelayer.preflight.inspect import inspect_pdf

SHORT, WHOLE = 6, 500
SECONDS, HANGS_AFTER_SECONDS = 5.0, 600
PROFILES = [
    load_profile(name).limits for name in ("home", "offset", "drivethrucards", "thegamecrafter")
]


def run(pack: Pack, seeds: range, within: Limit) -> dict[bool, int]:
    """How many damaged copies were refused, and how many passed."""
    sources = [path.read_bytes() for path in pack.files if path.suffix == ".pdf"]
    ends = {True: 0, False: 0}
    for seed in seeds:
        dice = random.Random(seed)
        damaged, limits = damaged_pdf(dice, dice.choice(sources)), dice.choice(PROFILES)
        began = time.process_time()
        try:
            with within(HANGS_AFTER_SECONDS):
                problems = list(inspect_pdf(damaged, "damaged.pdf", limits))
        except BaseException as error:
            raise AssertionError(f"seed {seed}: {type(error).__name__}: {error}") from error
        took = time.process_time() - began
        assert took < SECONDS, f"seed {seed}: {took:.1f} s"
        assert problems == list(inspect_pdf(damaged, "damaged.pdf", limits)), f"seed {seed}"
        assert all(str(problem).isprintable() for problem in problems), f"seed {seed}"
        ends[bool(problems)] += 1
    return ends


def test_a_few_damaged_pdfs(pack: Pack, within: Limit) -> None:
    assert run(pack, range(SHORT), within)[True] > SHORT // 2


@pytest.mark.slow
def test_hundreds_of_damaged_pdfs(pack: Pack, within: Limit) -> None:
    assert run(pack, range(1000, 1000 + WHOLE), within)[True] > WHOLE // 2
