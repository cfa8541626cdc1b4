"""Whatever happens to a log or to the folder of a survey: clear lines, no false map taken for a
good one, none lost."""

from __future__ import annotations

import shutil
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from atlas_damage import LOG, damage_survey, damaged_log, repair_survey, sound_log
from damage import Limit

from platelayer.__main__ import main
from platelayer.atlas import survey as survey_store
from platelayer.atlas.compiled import Wanted
from platelayer.atlas.lines import load_log
from platelayer.atlas.survey import RESULTS, TABLE, SurveyOptions, survey
from platelayer.definitions.build import shipped_box
from platelayer.model.map_tiles import AtlasHex, AtlasLog, Axial, Ground, TileDraw, tile_hexes
from replay import blanks_of, may_lie, wrong_with

BOX = shipped_box()
HANGS_AFTER_SECONDS = 300
SHORT, LONG, PARTS = 9, 500, 5
COUNT = 27

Command = Callable[..., tuple[int, str, str]]


@pytest.fixture
def command(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], within: Limit
) -> Command:
    """The command in this process: exit status, output, errors. Raises what escapes from it."""

    def run(*words: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["platelayer", *map(str, words)])
        with within(HANGS_AFTER_SECONDS), pytest.raises(SystemExit) as raised:
            main()
        return (int(raised.value.code or 0), *capsys.readouterr())

    return run


# Logs
# ----------------------------------------------------------------------------------------------------------------


def faces(log: AtlasLog) -> dict[Axial, AtlasHex]:
    """What lies where."""
    return {
        place: face
        for draw in log.placed
        for place, face in zip(
            tile_hexes(draw.at, draw.rotation), BOX.tile_by_number[draw.tile].hexes, strict=True
        )
    }


def same_map(one: AtlasLog, other: AtlasLog) -> bool:
    return (one.mode, faces(one), set(one.overlays), set(one.blanks)) == (
        other.mode,
        faces(other),
        set(other.overlays),
        set(other.blanks),
    )


def could_be_laid(log: AtlasLog) -> bool:
    """Is there an order in which the tiles can be laid, are blanks and capitals where they may
    be?"""
    held = faces(log)
    if len(held) != 3 * len(log.placed) or not set(log.blanks) <= blanks_of(held):
        return False
    if not all(held[place].ground is Ground.CITY for place in log.overlays):
        return False
    return len(set(log.overlays)) == len(log.overlays) and any(
        _laid_from(first, log) for first in log.placed
    )


def _laid_from(first: TileDraw, log: AtlasLog) -> bool:
    held: dict[Axial, AtlasHex] = {}
    left = [first, *(draw for draw in log.placed if draw is not first)]
    while left:
        for draw in left:
            tile = BOX.tile_by_number[draw.tile]
            if not held or may_lie(held, tile, draw.at, draw.rotation):
                held |= dict(zip(tile_hexes(draw.at, draw.rotation), tile.hexes, strict=True))
                left.remove(draw)
                break
        else:
            return False
    return True


def check_logs(first: int, count: int, folder: Path, command: Command) -> Counter[str]:
    """Checks damaged logs; returns how many were refused, were still the same map, or had become
    another legal one."""
    found: Counter[str] = Counter()
    for seed in range(first, first + count):
        damage = damaged_log(seed)
        damage.write(folder / str(seed))
        path = folder / str(seed) / LOG
        try:
            status, out, err = command("atlas", "check", path)
            assert err == ""
            *problems, last = out.splitlines()
            assert all(line.isprintable() and len(line) < 1000 for line in problems)
            assert (status, last.endswith(": no problems")) in {(0, True), (1, False)}
            assert bool(problems) == bool(status)
            end = "refused"
            if not status:
                log = load_log(path).log
                end = (
                    "same"
                    if any(same_map(log, sound_log(number)[0]) for number in range(24))
                    else "another"
                )
            if end == "another":
                assert could_be_laid(log)
                assert log.algorithm == "hand" or not list(wrong_with(BOX, log))
        except BaseException as error:
            raise AssertionError(f"{damage}: {type(error).__name__}: {error}") from error
        found[end] += 1
        shutil.rmtree(folder / str(seed))
    return found


def test_a_few_damaged_logs(tmp_path: Path, command: Command) -> None:
    found = check_logs(0, 10 * SHORT, tmp_path, command)
    # Were all beyond reading, or none damaged, the test would say little.
    assert found["refused"] >= 2 * SHORT
    assert found["same"] >= 3


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_hundreds_of_damaged_logs(part: int, tmp_path: Path, command: Command) -> None:
    count = LONG // PARTS
    found = check_logs(10_000 + part * count, count, tmp_path, command)
    assert found["refused"] >= count // 2
    assert found["same"] >= 3


# Surveys
# -------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder with a survey, another one, and a folder outside of both."""
    home = tmp_path_factory.mktemp("surveys")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(survey_store, "CHUNK", 10)
        for name, policy in (("survey", "compact"), ("other", "uniform")):
            wanted = Wanted(mode="micro2", policy=policy, seed=1)
            survey(BOX, wanted, COUNT, home / name, SurveyOptions(workers=0))
        (home / "outside").mkdir()
        (home / "outside" / "mine.csv").write_text("mine", "ascii")
        yield home


def words(folder: Path) -> list[object]:
    return ["atlas", "survey", "--mode", "micro2", "--count", COUNT, "--workers", 0, "-o", folder]


def files(folder: Path, *names: str) -> dict[str, bytes]:
    return {name: (folder / name).read_bytes() for name in names}


def resume(first: int, count: int, sound: Path, folder: Path, command: Command) -> Counter[str]:
    """Goes on with damaged surveys; returns how often chunks were made anew, nothing was, or the
    command refused."""
    found: Counter[str] = Counter()
    names = (TABLE, *RESULTS)
    for seed in range(first, first + count):
        home = folder / str(seed)
        shutil.copytree(sound, home)
        done, may_refuse = damage_survey(seed, home / "survey")
        asked = words(home / "survey")
        try:
            status, out, err = command(*asked)
            end = "as it was" if f"{COUNT} of {COUNT} maps already existed" in out else "anew"
            if status:
                end = "refused"
                assert (status, out) == (2, "")
                assert may_refuse
                assert len(err.splitlines()) == 1
                assert err.startswith("platelayer: ")
                assert len(err) < 600
                repair_survey(home / "survey", sound / "survey")
                assert command(*asked)[0] == 0
            assert files(home / "survey", *names) == files(sound / "survey", *names)
            again = command(*asked)
            assert again[0] == 0
            assert f"{COUNT} of {COUNT} maps already existed" in again[1]
            assert "made again" not in again[1]
            assert not list(home.rglob(".*"))
            assert files(home / "outside", "mine.csv") == files(sound / "outside", "mine.csv")
            assert len(list((home / "outside").iterdir())) == 1
            assert files(home / "other", *names) == files(sound / "other", *names)
        except BaseException as error:
            raise AssertionError(
                f"seed {seed}: {'; '.join(done)}: {type(error).__name__}: {error}"
            ) from error
        found[end] += 1
        shutil.rmtree(home)
    return found


def test_a_few_damaged_surveys(sound: Path, tmp_path: Path, command: Command) -> None:
    found = resume(0, SHORT, sound, tmp_path, command)
    assert found["anew"] >= SHORT // 3
    assert found["refused"] >= SHORT // 3


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_hundreds_of_damaged_surveys(
    part: int, sound: Path, tmp_path: Path, command: Command
) -> None:
    count = LONG // PARTS
    found = resume(10_000 + part * count, count, sound, tmp_path, command)
    assert found["anew"] >= count // 3
    assert found["refused"] >= 5
