"""A set of files is written whole or not at all, and takes the place of an earlier one, whatever
happens."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from stopped import NEW, NEXT, OLD, RECORD, USERS, begin, tree, whole

from platelayer.foundation.problems import CannotRun
from platelayer.pipeline import write as module
from platelayer.pipeline.write import UNFINISHED, write_all, write_new

ROOT = Path(__file__).resolve().parents[2]
NEXT_TREE = {name: data.decode() for name, data in NEXT.items()}


def run_stopped(folder: Path, *words: object) -> dict[str, Any]:
    """What tests/app/stopped.py tells."""
    command = [sys.executable, str(ROOT / "tests/app/stopped.py"), str(folder), *map(str, words)]
    environment = {"PYTHONPATH": str(ROOT / "generator"), "PATH": "/usr/bin:/bin"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    found: dict[str, Any] = json.loads(done.stdout)
    return found


# --- whole or not at all
# ---------------------------------------------------------------------------------------------


def test_a_set_takes_the_place_of_an_earlier_one(tmp_path: Path) -> None:
    new = whole(tmp_path / "out", NEW)
    record = new.pop(RECORD)
    assert new == {name: data.decode() for name, data in (NEW | USERS).items()}
    assert {each["file"] for each in json.loads(record)["files"]} == set(NEW)


def test_killed_at_any_step_the_next_write_makes_the_folder_whole(tmp_path: Path) -> None:
    found = run_stopped(tmp_path, "kill")
    ends = []
    for row in found["rows"]:
        assert row["again"] == 0
        assert row["then"] in (found["old"] | NEXT_TREE, found["new"] | NEXT_TREE), row
        ends.append(row["then"] == found["new"] | NEXT_TREE)
        # Where the last file of a set is, the others are.
        left = {
            name: words
            for name, words in row["left"].items()
            if not name.startswith(UNFINISHED) and words != "/"
        }
        if RECORD in left:
            assert left in (found["old"], found["new"]), row
    # A kill takes all back until everything is in place, and nothing from then on.
    assert ends == sorted(ends)
    assert {False, True} == set(ends)
    assert any(RECORD not in row["left"] for row in found["rows"])


def check_twice(folder: Path, every: int) -> int:
    found = run_stopped(folder, "twice", every)
    for row in found["rows"]:
        assert row["again"] == 0
        assert row["then"] in (found["old"] | NEXT_TREE, found["new"] | NEXT_TREE), row
    return len(found["rows"])


@pytest.mark.slow
def test_killed_again_while_it_is_put_right(tmp_path: Path) -> None:
    assert check_twice(tmp_path, 9) > 50


@pytest.mark.slow
def test_killed_again_at_each_step_of_each(tmp_path: Path) -> None:
    assert check_twice(tmp_path, 1) > 500


def test_one_file_takes_the_place_of_another_in_one_step(tmp_path: Path) -> None:
    found = run_stopped(tmp_path, "one")
    for row in found["rows"]:
        rest = {
            name: words for name, words in row["left"].items() if not name.startswith(UNFINISHED)
        }
        assert rest.pop("a.txt") in ("old a", "new a")
        assert rest == {name: words for name, words in found["old"].items() if name != "a.txt"}
        assert not any(name.startswith(UNFINISHED) for name in row["then"])
    assert {row["left"]["a.txt"] for row in found["rows"]} == {"old a", "new a"}


def test_what_the_system_refuses_once_leaves_the_old_set_at_once(tmp_path: Path) -> None:
    found = run_stopped(tmp_path, "fail")
    assert sum(row["status"] == 2 for row in found["rows"]) >= len(OLD) + len(NEW)
    for row in found["rows"]:
        assert (row["status"], row["left"]) in ((2, found["old"]), (0, found["new"])), row


def test_what_cannot_even_be_taken_back_is_taken_back_by_the_next_write(tmp_path: Path) -> None:
    found = run_stopped(tmp_path, "fail-on")
    assert any(row["left"] != found["old"] for row in found["rows"])
    for row in found["rows"]:
        assert (row["status"], row["again"], row["then"]) == (2, 0, found["old"] | NEXT_TREE), row


def test_several_processes_take_turns(tmp_path: Path) -> None:
    found = run_stopped(tmp_path, "race")
    *hands, end = found["rows"]
    assert [row["status"] for row in hands] == [0] * 4
    record = json.loads(end["left"].pop(RECORD))
    assert {each["file"] for each in record["files"]} == set(end["left"])
    assert len(set(end["left"].values())) == 1, "a mixture"


def test_who_waits_too_long_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_PATIENCE_S", 0.1)
    with (
        module._held(tmp_path),
        pytest.raises(CannotRun, match="another run of platelayer is writing into"),
    ):
        write_all(tmp_path, NEW)
    write_all(tmp_path, NEW)
    assert tree(tmp_path) == {name: data.decode() for name, data in NEW.items()}


@pytest.mark.parametrize("after", range(len(NEW) + 2))
def test_a_full_disk_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, after: int
) -> None:
    """The disk is full when some files are written: all files, the record and the journal come
    before any is moved."""
    begin(tmp_path / "old", OLD)
    before = tree(tmp_path)
    count = [after]

    def full(_handle: int) -> None:
        count[0] -= 1
        if count[0] < 0:
            raise OSError(28, os.strerror(28))

    monkeypatch.setattr(os, "fsync", full)
    for folder in (tmp_path / "old", tmp_path / "new" / "deep"):
        count[0] = after
        with pytest.raises(CannotRun, match=f"cannot write {folder}: No space left"):
            write_all(folder, NEW, record=RECORD)
        assert tree(tmp_path) == before


def test_a_limit_of_the_system_in_the_middle_of_a_file(platelayer, tmp_path: Path) -> None:
    """A real one: no file may grow beyond 40 kB."""
    assert platelayer("build", "18eu", "--only", "train", "-o", "out").returncode == 0
    before = {path.name: path.read_bytes() for path in (tmp_path / "out/18eu").iterdir()}
    words = f"ulimit -f 40; exec {sys.executable} -m platelayer build 18eu --only tile,train -o out"
    environment = {
        "PYTHONPATH": str(ROOT / "generator"),
        "PATH": "/usr/bin:/bin",
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    done = subprocess.run(
        ["sh", "-c", words],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (
        2,
        "platelayer: cannot write out/18eu: File too large\n",
    )
    assert {path.name: path.read_bytes() for path in (tmp_path / "out/18eu").iterdir()} == before


def leave(folder: Path, digests: dict[str, str], *, user: bool = True, **aside: bytes) -> None:
    """What a write that was killed leaves, with a journal of this user's or a stranger's."""
    journal = json.dumps(digests).encode()
    seal = (
        module._seal(journal)
        if user
        else hashlib.blake2b(journal, key=b"a guess", digest_size=16).hexdigest()
    )
    (folder / UNFINISHED).mkdir()
    (folder / UNFINISHED / f"{seal}.json").write_bytes(journal)
    for name, data in aside.items():
        (folder / UNFINISHED / name.removeprefix("_").replace("_", ".")).write_bytes(data)


def test_a_journal_that_was_cut_off_moved_nothing(tmp_path: Path) -> None:
    begin(tmp_path, OLD)
    before = tree(tmp_path)
    (tmp_path / UNFINISHED).mkdir()
    for name, words in {"0.new": "new a", f"{'0' * 32}.json": '{"a.txt": "'}.items():
        (tmp_path / UNFINISHED / name).write_text(words, "utf-8")
    write_all(tmp_path, NEXT)
    assert tree(tmp_path) == before | NEXT_TREE


def test_a_set_that_was_in_place_when_the_write_was_killed_stays(tmp_path: Path) -> None:
    leave(tmp_path, {"a.txt": digest(b"new a")}, _0_old=b"old a")
    (tmp_path / "a.txt").write_bytes(b"new a")
    write_all(tmp_path, NEXT)
    assert tree(tmp_path) == {"a.txt": "new a"} | NEXT_TREE


def test_what_you_have_put_in_the_place_of_a_missing_file_stays(tmp_path: Path) -> None:
    """Killed when the old file was moved aside and the new one not yet in place."""
    digests = {"a.txt": digest(b"new a"), "b.txt": digest(b"new b")}
    leave(tmp_path, digests, _0_old=b"old a", _0_new=b"new a", _1_old=b"old b")
    (tmp_path / "a.txt").write_bytes(b"mine")
    write_all(tmp_path, NEXT)
    assert tree(tmp_path) == {"a.txt": "mine", "b.txt": "old b"} | NEXT_TREE


@pytest.mark.parametrize("name", ["a.txt", "more", "more/e.txt", UNFINISHED])
def test_what_is_in_the_way_is_told_and_stays(tmp_path: Path, name: str) -> None:
    """A folder where a file should lie, or a file where a folder should."""
    if name in ("more", UNFINISHED):
        (tmp_path / name).write_text("mine", "utf-8")
    else:
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "b.txt").write_text("mine", "utf-8")
    before = tree(tmp_path)
    with pytest.raises(CannotRun, match=f"cannot write {tmp_path / name}: "):
        write_all(tmp_path, NEW, record=RECORD)
    assert tree(tmp_path) == before


def test_a_pipe_in_the_way(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.txt")
    for files in (NEW, {"a.txt": b"new"}):
        with pytest.raises(CannotRun, match="it exists but is not a file"):
            write_all(tmp_path, files)


def test_an_output_folder_may_be_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    for files in (OLD, NEW):
        write_all(tmp_path / "link", files, record=RECORD)
    assert set(tree(tmp_path / "real")) == {*NEW, RECORD}
    assert (tmp_path / "link").is_symlink()


@pytest.mark.parametrize("target", ["nowhere", "link"])
def test_a_link_that_leads_nowhere_is_told(tmp_path: Path, target: str) -> None:
    (tmp_path / "link").symlink_to(target)
    for folder in (tmp_path / "link", tmp_path / "link" / "deep"):
        with pytest.raises(CannotRun, match="cannot write"):
            write_all(folder, NEW)
    assert [path.name for path in tmp_path.iterdir()] == ["link"]


def test_a_link_to_a_file_is_replaced_and_its_target_stays(tmp_path: Path) -> None:
    (tmp_path / "theirs.txt").write_text("theirs", "utf-8")
    for number, files in enumerate(({"a.txt": b"new a"}, NEW)):
        folder = tmp_path / str(number)
        folder.mkdir()
        (folder / "a.txt").symlink_to(tmp_path / "theirs.txt")
        write_all(folder, files)
        assert not (folder / "a.txt").is_symlink()
        assert (folder / "a.txt").read_bytes() == b"new a"
    assert (tmp_path / "theirs.txt").read_text("utf-8") == "theirs"


def test_no_file_is_written_through_a_link_that_leads_out(tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "more").symlink_to(tmp_path / "outside")
    with pytest.raises(CannotRun, match=r"more/e.txt: a link leads out of .*out"):
        write_all(tmp_path / "out", NEW)
    assert tree(tmp_path / "outside") == {}


def test_a_folder_within_the_one_that_was_named_is_no_way_out(tmp_path: Path) -> None:
    for name in ("outside", "out/real"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "out/away").symlink_to(tmp_path / "outside")
    (tmp_path / "out/here").symlink_to("real")
    (tmp_path / "way").symlink_to("out")  # what was named may be a link itself
    for named in ("out", "way"):
        with pytest.raises(
            CannotRun, match=f"cannot write .*{named}/away: a link leads out of .*{named}$"
        ):
            write_all(tmp_path / named / "away", NEW, named=tmp_path / named)
        write_all(tmp_path / named / "here", NEW, named=tmp_path / named)
    assert not [*(tmp_path / "outside").iterdir()]
    assert set(tree(tmp_path / "out/real")) == {*NEW}


def test_no_command_writes_through_a_link_out_of_its_folder(platelayer, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "out").mkdir()
    for name in ("18eu", "sub"):
        (tmp_path / "out" / name).symlink_to(tmp_path / "outside")
    platelayer("new", "mine")
    shutil.rmtree(tmp_path / "mine/.platelayer")
    (tmp_path / "mine/.platelayer").symlink_to(tmp_path / "outside")
    for words in (
        ("build", "18eu", "--only", "token", "-o", "out"),
        (
            "export",
            "18eu",
            "--to",
            "files",
            "--only",
            "token",
            "--name",
            "sub/{id}-{face}",
            "-o",
            "out",
        ),
        ("new", "--schemas", "mine"),
    ):
        done = platelayer(*words)
        assert (done.returncode, len(done.stderr.splitlines())) == (2, 1), words
        assert "a link leads out of" in done.stderr
        assert not [*(tmp_path / "outside").iterdir()]
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["18eu", "sub"]


def test_a_new_folder_is_new(tmp_path: Path) -> None:
    write_new(tmp_path / "a/b", NEW)
    before = tree(tmp_path)
    with pytest.raises(CannotRun, match="already exists and is not an empty folder"):
        write_new(tmp_path / "a", NEW)
    assert tree(tmp_path) == before


# --- what an earlier set left
# ----------------------------------------------------------------------------------------


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def record_of(files: dict[str, bytes], **more: object) -> bytes:
    """A record as the manifest.json of a print is one."""
    listed = [
        {"file": name, "pages": 1, "bytes": len(data), "sha256": digest(data)}
        for name, data in files.items()
    ]
    return json.dumps({"format": "platelayer.build/1", "files": listed} | more).encode()


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    """A folder with a file that is nobody's but the user's; `out`, beside it, is written into."""
    folder = tmp_path / "outside"
    folder.mkdir()
    (folder / "a.txt").write_bytes(b"precious")
    (tmp_path / "out" / "sub").mkdir(parents=True)
    return folder


def write_over(folder: Path, record: bytes) -> None:
    """A set is written into a folder in which that record lies."""
    (folder / RECORD).write_bytes(record)
    write_all(folder, {"b.txt": b"new b", RECORD: record_of({"b.txt": b"new b"})}, record=RECORD)
    assert (folder / "b.txt").read_bytes() == b"new b"
    assert not (folder / UNFINISHED).exists()


@pytest.mark.parametrize(
    "name",
    [
        "../outside/a.txt",
        "sub/../../outside/a.txt",
        "{outside}/a.txt",
        "link/a.txt",
        "link.txt",
        "./link/a.txt",
    ],
)
def test_no_record_leads_to_a_file_outside(tmp_path: Path, outside: Path, name: str) -> None:
    (tmp_path / "out/link").symlink_to(outside)
    (tmp_path / "out/link.txt").symlink_to(outside / "a.txt")
    write_over(tmp_path / "out", record_of({name.format(outside=outside): b"precious"}))
    assert tree(outside) == {"a.txt": "precious"}
    assert (tmp_path / "out/link.txt").is_symlink()


@pytest.mark.parametrize("name", ["link/outside/a.txt", "link/outside/b.txt", "../outside/a.txt"])
@pytest.mark.parametrize("empty", [False, True])
def test_no_journal_leads_to_a_file_outside(
    tmp_path: Path, outside: Path, name: str, empty: bool
) -> None:
    """Neither is one moved away, nor is one put there, nor is an empty folder removed."""
    if empty:
        (outside / "a.txt").unlink()
    (tmp_path / "out/link").symlink_to(tmp_path)
    planted = {"_0_old": b"planted"} if name.endswith("b.txt") else {}
    leave(
        tmp_path / "out", {name: digest(b"precious"), "c.txt": digest(b"c")}, _1_new=b"c", **planted
    )
    before = tree(outside)
    write_over(tmp_path / "out", b"{}")
    assert outside.is_dir()
    assert tree(outside) == before


def test_a_link_in_place_of_what_lies_aside_is_not_followed(tmp_path: Path, outside: Path) -> None:
    leave(outside, {"a.txt": digest(b"mine"), "b.txt": ""}, _1_new=b"")
    (tmp_path / "out/a.txt").write_bytes(b"mine")
    (tmp_path / "out" / UNFINISHED).symlink_to(outside / UNFINISHED)
    before = tree(outside)
    with pytest.raises(CannotRun, match=f"{UNFINISHED}: this is a link, or lies behind one"):
        write_all(tmp_path / "out", NEW)
    assert tree(outside) == before
    assert (tmp_path / "out/a.txt").read_bytes() == b"mine"


@pytest.mark.parametrize("target", [".", "..", "sub", "../outside"])
@pytest.mark.parametrize("files", [NEW, {"a.txt": b"new a"}], ids=len)
def test_such_a_link_deletes_nothing(
    tmp_path: Path, outside: Path, target: str, files: dict[str, bytes]
) -> None:
    """A folder from git may hold one."""
    for name in ("0.new", "1.old", "c.txt", "sub/0.old", f"{'0' * 32}.json"):
        (tmp_path / "out" / name).write_text("mine", "utf-8")
        (outside / Path(name).name).write_text("mine", "utf-8")
    (tmp_path / "out" / UNFINISHED).symlink_to(target)
    before = {folder: sorted(os.walk(folder)) for folder in (tmp_path / "out", outside)}
    for write in (
        lambda: write_all(tmp_path / "out", files, record=RECORD),
        lambda: module.restore(tmp_path / "out"),
    ):
        with pytest.raises(CannotRun, match="is a link"):
            write()
    assert {folder: sorted(os.walk(folder)) for folder in (tmp_path / "out", outside)} == before


def test_the_journal_of_a_stranger_moves_nothing(tmp_path: Path) -> None:
    """It lists files that are there, by their digests, as if they were to be taken back."""
    (tmp_path / "mine.txt").write_bytes(b"mine")
    leave(tmp_path, {"mine.txt": digest(b"mine"), "c.txt": digest(b"c")}, user=False, _1_new=b"c")
    write_all(tmp_path, NEXT)
    assert tree(tmp_path) == {"mine.txt": "mine"} | NEXT_TREE


def test_files_that_a_stranger_moved_aside_stay(tmp_path: Path) -> None:
    leave(tmp_path, {"a.txt": digest(b"new a")}, user=False, _0_old=b"old a")
    before = tree(tmp_path)
    with pytest.raises(CannotRun, match="that another user or machine did not finish"):
        write_all(tmp_path, NEXT)
    assert tree(tmp_path) == before


def test_what_is_not_ours_stays_aside(tmp_path: Path) -> None:
    (tmp_path / UNFINISHED / "sub").mkdir(parents=True)
    (tmp_path / UNFINISHED / "mine.txt").write_text("mine", "utf-8")
    with pytest.raises(CannotRun, match=f"{UNFINISHED}: File exists"):
        write_all(tmp_path, NEW)
    assert tree(tmp_path) == {f"{UNFINISHED}/mine.txt": "mine", f"{UNFINISHED}/sub": "/"}


def test_only_files_as_they_were_written_are_removed(tmp_path: Path) -> None:
    names = (
        "as-it-was.txt",
        "changed.txt",
        "gone.txt",
        "a-folder.txt",
        "a-link.txt",
        "a-pipe.txt",
        "without.txt",
    )
    files = {name: name.encode() for name in names}
    record = json.loads(record_of(files))
    del record["files"][-1]["sha256"]
    for name in ("as-it-was.txt", "without.txt"):
        (tmp_path / name).write_bytes(files[name])
    (tmp_path / "changed.txt").write_bytes(b"signed by hand")
    (tmp_path / "a-folder.txt").mkdir()
    (tmp_path / "theirs.txt").write_bytes(files["a-link.txt"])
    (tmp_path / "a-link.txt").symlink_to("theirs.txt")
    os.mkfifo(tmp_path / "a-pipe.txt")
    write_over(tmp_path, json.dumps(record).encode())
    left = {path.name for path in tmp_path.iterdir()} - {"b.txt", RECORD}
    assert left == {
        "changed.txt",
        "a-folder.txt",
        "a-link.txt",
        "theirs.txt",
        "a-pipe.txt",
        "without.txt",
    }


def test_a_file_too_large_to_be_ours_is_not_read(tmp_path: Path) -> None:
    """A terabyte of nothing, which takes no room on the disk."""
    with (tmp_path / "large.bin").open("wb") as stream:
        stream.truncate(1 << 40)
    write_over(tmp_path, record_of({"large.bin": b""}))
    assert (tmp_path / "large.bin").stat().st_size == 1 << 40


def test_folders_go_when_nothing_is_left_in_them(tmp_path: Path) -> None:
    files = {"sub/deep/c.txt": b"c", "kept/d.txt": b"d"}
    for name, data in files.items():
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).write_bytes(data)
    (tmp_path / "kept/mine.txt").write_bytes(b"mine")
    write_over(tmp_path, record_of(files))
    assert set(tree(tmp_path)) == {"b.txt", RECORD, "kept/mine.txt"}


SOUND = record_of({"a.txt": b"precious"})


@pytest.mark.parametrize(
    "record",
    [
        SOUND.replace(b"build/1", b"build/2"),
        SOUND.replace(b'"pages"', b'"pagse"'),
        SOUND.replace(b"a.txt", b"a.txt\\u0000"),
        SOUND.replace(b"a.txt", b"\\ud800"),
        SOUND.replace(b"{", b'{"files": [], ', 1),
        SOUND + b"x",
        SOUND + b" " * 5_000_000,
        SOUND[:-1] + b', "more": ' + b"[" * 60 + b"]" * 60 + b"}",
        SOUND[:-1] + b', "more": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
        SOUND[:-1] + b', "more": ' + b"9" * 1_000_000 + b"}",
        b"[" * 1_000_000,
        b"{}",
        b"[]",
        b"null",
        b"",
        b"\xff",
        b'{"format": [], "files": {}}',
        b'{"format": "platelayer.build/1", "files": [{"file": "a.txt", "sha256": 7}]}',
    ],
    ids=lambda record: str(record[:40]),
)
def test_a_record_that_is_none_of_ours_removes_nothing(tmp_path: Path, record: bytes) -> None:
    (tmp_path / "a.txt").write_bytes(b"precious")
    write_over(tmp_path, record)
    assert (tmp_path / "a.txt").read_bytes() == b"precious"


def test_a_sound_one_does(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"precious")
    write_over(tmp_path, SOUND)
    assert not (tmp_path / "a.txt").exists()


@pytest.mark.parametrize(
    "target", ["/dev/zero", "/dev/stdin", "/", "manifest.json", "/nowhere", "pipe", "{elsewhere}"]
)
def test_a_record_that_is_no_file_of_the_folder_is_not_read(
    tmp_path: Path, outside: Path, target: str
) -> None:
    folder = tmp_path / "out"
    (folder / "a.txt").write_bytes(b"precious")
    (outside / "record").write_bytes(record_of({"a.txt": b"precious"}))
    os.mkfifo(folder / "pipe")
    (folder / RECORD).symlink_to(target.format(elsewhere=outside / "record"))
    write_all(folder, {"b.txt": b"new b", RECORD: b"{}"}, record=RECORD)
    assert (folder / "a.txt").read_bytes() == b"precious"
    assert not (folder / RECORD).is_symlink()
    assert (outside / "record").exists()


def test_a_record_that_is_a_pipe_or_a_folder_is_in_the_way(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / RECORD)
    with pytest.raises(CannotRun, match=f"{RECORD}: it exists but is not a file"):
        write_all(tmp_path, NEW, record=RECORD)
    assert [path.name for path in tmp_path.iterdir()] == [RECORD]
