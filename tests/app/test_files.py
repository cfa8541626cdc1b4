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

import pytest

from platelayer.foundation.problems import CannotRun
from platelayer.pipeline.write import UNFINISHED, write_all, write_new

ROOT = Path(__file__).resolve().parents[2]
RECORD = "list.json"
OLD = {
    "a.txt": b"old a",
    "same.txt": b"same",
    "b.txt": b"old b",
    "gone/c.txt": b"old c",
    "kept/d.txt": b"old d",
}
NEW = {
    "a.txt": b"new a",
    "same.txt": b"same",
    "b.txt": b"new b",
    "kept/d.txt": b"new d",
    "more/e.txt": b"new e",
}
USERS = {"mine.txt": b"mine", "gone/mine.txt": b"mine", "kept/mine.txt": b"mine"}


def tree(folder: Path) -> dict[str, str]:
    """Contents by path; "/" for an empty folder."""
    found = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_file():
            found[name] = path.read_text("utf-8")
        elif not any(path.iterdir()):
            found[name] = "/"
    return found


def texts(files: dict[str, bytes]) -> dict[str, str]:
    return {name: data.decode() for name, data in files.items()}


def begin(folder: Path) -> None:
    """A folder with the user's own files and a set of ours."""
    shutil.rmtree(folder, ignore_errors=True)
    for name, data in USERS.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    write_all(folder, OLD, record=RECORD)


def check_new(folder: Path) -> None:
    """The new set is there, and nothing else of ours."""
    found = tree(folder)
    record = json.loads(found.pop(RECORD))
    assert found == texts(NEW | USERS)
    assert {each["file"]: each["sha256"] for each in record["files"]} == {
        name: digest(data) for name, data in NEW.items()
    }


# --- whole or not at all
# ---------------------------------------------------------------------------------------------


def test_a_set_takes_the_place_of_an_earlier_one(tmp_path: Path) -> None:
    begin(tmp_path / "out")
    write_all(tmp_path / "out", NEW, record=RECORD)
    check_new(tmp_path / "out")


KILLED = """
import os, sys
from pathlib import Path
from test_files import NEW, RECORD, begin
from platelayer.pipeline.write import write_all

def kill_at(number, act):
    left = [number]
    def act_or_die(*given):
        left[0] -= 1
        if left[0] < 0:
            os._exit(9)
        return act(*given)
    return act_or_die

folder = Path(sys.argv[1])
for step in ("fsync", "replace"):
    for number in range(len(NEW) + 1):
        begin(folder / f"{step}{number}")
        child = os.fork()
        if child == 0:
            owner = os if step == "fsync" else Path
            setattr(owner, step, kill_at(number, getattr(owner, step)))
            write_all(folder / f"{step}{number}", NEW, record=RECORD)
            os._exit(0)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9
"""


def run_script(script: str, *words: object) -> subprocess.Popen[bytes]:
    paths = [str(ROOT / "generator"), str(ROOT / "tests"), str(Path(__file__).parent)]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(paths)}
    return subprocess.Popen([sys.executable, "-c", script, *map(str, words)], env=environment)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there are no forks on this system")
def test_killed_at_any_step_each_file_is_whole_and_the_next_write_completes(
    tmp_path: Path,
) -> None:
    assert run_script(KILLED, tmp_path).wait(timeout=300) == 0
    begin(tmp_path / "old")
    old = tree(tmp_path / "old")
    shutil.rmtree(tmp_path / "old")
    folders = sorted(tmp_path.iterdir())
    assert len(folders) == 2 * (len(NEW) + 1)
    for folder in folders:
        left = {name: text for name, text in tree(folder).items() if UNFINISHED not in name}
        if folder.name.startswith("fsync") or folder.name == "replace0":
            assert {name: text for name, text in left.items() if text != "/"} == old
        for name, text in left.items():
            assert text in (old.get(name), texts(NEW).get(name), "/"), name
        assert left[RECORD] == old[RECORD]
        write_all(folder, NEW, record=RECORD)
        check_new(folder)


@pytest.mark.parametrize("error", [OSError(28, os.strerror(28)), KeyboardInterrupt()], ids=repr)
@pytest.mark.parametrize("after", range(len(NEW) + 1))
def test_a_full_disk_or_ctrl_c_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, after: int, error: BaseException
) -> None:
    """All files and the record are written before any is moved."""
    begin(tmp_path / "old")
    before = tree(tmp_path)
    count = [after]

    def full(_handle: int) -> None:
        count[0] -= 1
        if count[0] < 0:
            raise error

    monkeypatch.setattr(os, "fsync", full)
    for folder in (tmp_path / "old", tmp_path / "new" / "deep"):
        count[0] = after
        with pytest.raises((CannotRun, KeyboardInterrupt)) as raised:
            write_all(folder, NEW, record=RECORD)
        if isinstance(error, OSError):
            assert str(raised.value) == f"cannot write {folder}: No space left on device"
        assert tree(tmp_path) == before


def test_a_file_that_the_system_will_not_replace_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As Windows will not while another program shows it."""
    begin(tmp_path / "out")
    before = tree(tmp_path / "out")
    replace = Path.replace

    def refuse(path: Path, target: Path) -> Path:
        if target.name == "b.txt":
            raise PermissionError(13, os.strerror(13), str(path), None, str(target))
        return replace(path, target)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", refuse)
        with pytest.raises(CannotRun, match=r"cannot write .*out/b\.txt: Permission denied"):
            write_all(tmp_path / "out", NEW, record=RECORD)
    assert tree(tmp_path / "out") == before | {"a.txt": "new a"}
    write_all(tmp_path / "out", NEW, record=RECORD)
    check_new(tmp_path / "out")


@pytest.mark.skipif(sys.platform != "linux", reason="/proc takes no files, even from root")
def test_a_folder_that_takes_no_files_is_told(platelayer) -> None:
    done = platelayer("build", "18eu", "--only", "token", "-o", "/proc")
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
    assert done.stderr.startswith("platelayer: cannot write /proc/18eu: ")


TURNS = """
import sys
from pathlib import Path
from test_files import RECORD
from platelayer.pipeline.write import write_all

for number in range(25):
    names = ("a.txt", "b.txt", f"of-{sys.argv[2]}/c.txt")
    files = dict.fromkeys(names, f"{sys.argv[2]} {number}".encode())
    write_all(Path(sys.argv[1]), files, record=RECORD)
"""


def test_several_processes_take_turns(tmp_path: Path) -> None:
    writers = [run_script(TURNS, tmp_path, number) for number in range(3)]
    assert [writer.wait(timeout=300) for writer in writers] == [0] * 3
    left = tree(tmp_path)
    record = json.loads(left.pop(RECORD))
    assert {each["file"] for each in record["files"]} == set(left)
    assert len(set(left.values())) == 1, "a mixture"


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


@pytest.mark.parametrize("target", [".", "..", "sub", "../outside"])
def test_a_link_in_place_of_what_lies_aside_deletes_nothing(
    tmp_path: Path, outside: Path, target: str
) -> None:
    """A folder from git may hold one."""
    for name in ("0.new", "c.txt", "sub/0.new"):
        (tmp_path / "out" / name).write_text("mine", "utf-8")
        (outside / Path(name).name).write_text("mine", "utf-8")
    (tmp_path / "out" / UNFINISHED).symlink_to(target)
    before = {folder: sorted(os.walk(folder)) for folder in (tmp_path / "out", outside)}
    with pytest.raises(CannotRun, match="is a link"):
        write_all(tmp_path / "out", NEW, record=RECORD)
    assert {folder: sorted(os.walk(folder)) for folder in (tmp_path / "out", outside)} == before


def test_a_link_among_what_lies_aside_is_not_followed(tmp_path: Path, outside: Path) -> None:
    (tmp_path / "out" / UNFINISHED).mkdir()
    (tmp_path / "out" / UNFINISHED / "0.new").symlink_to(outside / "a.txt")
    write_all(tmp_path / "out", {"b.txt": b"new b"})
    assert tree(outside) == {"a.txt": "precious"}
    assert (tmp_path / "out/b.txt").read_bytes() == b"new b"


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
