"""What a title can be compared with: how it was on disk, when it was saved, printed, or
committed."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from platelayer.comparison import compare as commits
from platelayer.foundation.problems import CannotRun
from platelayer.studio.desk import AllMoments, Compare, Save
from platelayer.studio.folder import Folder, Moments
from platelayer.studio.view import View
from platelayer.studio.workspace import Workspace
from studio.conftest import say, small_title
from studio.test_live import opened

_WHO = (
    "-c",
    "user.name=Nobody",
    "-c",
    "user.email=nobody@example.invalid",
    "-c",
    "commit.gpgSign=false",
)


def git(folder: Path, *words: str) -> str:
    environment = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
    done = subprocess.run(
        ("git", *_WHO, *words),
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip()


def commit(folder: Path, subject: str) -> str:
    git(folder, "add", "-A", ".")
    git(folder, "commit", "-q", "-m", subject)
    return git(folder, "rev-parse", "HEAD")


def write(folder: Path, name: str, change: tuple[str, str]) -> None:
    path = folder / name
    text = path.read_text(encoding="utf-8")
    assert change[0] in text
    path.write_text(text.replace(*change), encoding="utf-8")


def view_of(workspace: Workspace) -> View:
    workspace.moments.begin("")
    view = View(workspace.folder.root, "", None)
    view.reload(workspace.texts)
    return view


def differences(folder: Path, moment: str, workspace: Workspace | None = None) -> dict[str, str]:
    workspace = workspace or Workspace(Folder(folder))
    answer = Compare(then=moment).answer(workspace, view_of(workspace))
    return {each["key"]: each["how"] for each in answer["pieces"]} | {
        each["target"]: each["how"] for each in answer["hexes"]
    }


@pytest.fixture
def title(tmp_path: Path) -> Path:
    return small_title(tmp_path / "title")


@pytest.fixture
def committed(title: Path) -> Path:
    git(title, "init", "-q")
    commit(title, "The first")
    return title


def test_what_is_on_disk_is_no_different(title):
    assert differences(title, "disk") == {}


def test_a_hex_that_is_edited_differs_from_the_disk(title):
    workspace = Workspace(Folder(title))
    text = workspace.open("map.json").text
    assert '"C1": {' in text
    view_of(workspace)
    workspace.replace("Rename", {"map.json": text.replace('"C1": {', '"G3": {}, "C1": {', 1)})
    found = differences(title, "disk", workspace)
    assert found["hex:main/G3"] == "new"
    assert found["map:main"] == "changed"
    assert not any(key.startswith("train:") for key in found)


def test_a_title_is_kept_as_it_was_opened_and_as_it_was_saved(title):
    workspace = Workspace(Folder(title))
    view = view_of(workspace)
    text = workspace.open("tiles.json").text
    workspace.replace("Add", {"tiles.json": text.replace('"58": 2', '"58": 3')})
    Save().answer(workspace, view)
    moments = workspace.moments.all("")
    assert [each.kind for each in moments] == ["disk", "save", "opened"]
    assert (
        differences(title, "disk", workspace) == differences(title, moments[1].id, workspace) == {}
    )
    assert differences(title, "opened", workspace)["tile:58"] == "count"
    Save().answer(workspace, view)
    assert len(workspace.moments.all("")) == 3, "nothing has changed since"


def test_the_last_print_is_kept_for_the_next_studio(title):
    moments = Moments(Folder(title))
    moments.printed("", moments.now(""))
    write(title, "trains.json", ('"count": ', '"count": 1'))
    later = Workspace(Folder(title))
    assert [each.kind for each in later.moments.all("")] == ["disk", "print"]
    assert "changed" in differences(title, "print", later).values()


def test_what_is_kept_of_a_print_may_be_anything(title):
    (title / ".platelayer" / "printed.json").write_text('{"": 3}')
    assert [each.kind for each in Moments(Folder(title)).all("")] == ["disk"]


def test_commits_are_listed_by_their_subjects_the_newest_first(committed):
    write(committed, "map.json", ('"C1": {', '"G3": {}, "C1": {'))
    second = commit(committed, "日本語の件名 with 'quotes' and a\ttab")
    (committed.parent / "elsewhere").mkdir()
    found = Moments(Folder(committed)).all("")
    assert [each.subject for each in found[1:]] == [
        "日本語の件名 with 'quotes' and a\ttab",
        "The first",
    ]
    assert found[1].id == f"commit-{second}"
    assert differences(committed, found[1].id) == {}
    assert differences(committed, found[2].id)["hex:main/G3"] == "new"


def test_a_file_with_another_name_then_is_read_by_that_name(title):
    before = "地図 of the north.json"
    (title / "map.json").rename(title / before)
    write(title, "title.json", ('"map.json"', json.dumps(before, ensure_ascii=False)))
    git(title, "init", "-q")
    first = commit(title, "A long name")
    (title / before).rename(title / "map.json")
    write(title, "title.json", (json.dumps(before, ensure_ascii=False), '"map.json"'))
    write(title, "map.json", ('"C1": {', '"G3": {}, "C1": {'))
    commit(title, "A short name")
    assert differences(title, f"commit-{first}")["hex:main/G3"] == "new"


def test_a_folder_with_spaces_within_a_repository(tmp_path):
    title = small_title(tmp_path / "my games" / "鉄道 :(top) title")
    other = small_title(tmp_path / "my games" / "other")
    git(tmp_path, "init", "-q")
    first = commit(tmp_path, "Both")
    write(other, "map.json", ('"C1": {', '"G3": {}, "C1": {'))
    commit(tmp_path, "The other only")
    workspace = Workspace(Folder(tmp_path / "my games"))
    assert [each.subject for each in workspace.moments.all(title.name)[1:]] == ["Both"]
    assert set(workspace.moments.files(title.name, f"commit-{first}")) == set(
        workspace.moments.now(title.name)
    )


def test_files_of_another_title_within_the_folder_are_left_out(committed):
    small_title(committed / "inner")
    both = commit(committed, "One within")
    moments = Moments(Folder(committed))
    assert set(moments.files("", f"commit-{both}")) == set(moments.now(""))


def test_a_detached_head_and_a_commit_before_the_title(title):
    git(title, "init", "-q")
    git(title, "commit", "-q", "--allow-empty", "-m", "Nothing")
    empty = git(title, "rev-parse", "HEAD")
    first = commit(title, "The title")
    write(title, "map.json", ('"C1": {', '"G3": {}, "C1": {'))
    commit(title, "More")
    git(title, "checkout", "-q", "--detach", first)
    assert [each.subject for each in Moments(Folder(title)).all("")[1:]] == ["The title"]
    with pytest.raises(CannotRun, match="no title in this folder then"):
        differences(title, f"commit-{empty}")


@pytest.mark.parametrize("state", ["none", "empty", "broken", "elsewhere"])
def test_without_a_repository_there_are_no_commits(title, state, monkeypatch):
    if state == "empty":
        git(title, "init", "-q")
    if state in ("broken", "elsewhere"):
        (title / ".git").write_text("gitdir: /nowhere\n" if state == "elsewhere" else "nonsense")
    monkeypatch.setenv("GIT_DIR", str(Path(__file__).parents[2] / ".git"))
    assert [each.kind for each in Moments(Folder(title)).all("")] == ["disk"]


def test_without_git_there_are_no_commits(committed, monkeypatch):
    known = Moments(Folder(committed)).all("")[-1].id
    monkeypatch.setenv("PATH", "/nowhere")
    assert [each.kind for each in Moments(Folder(committed)).all("")] == ["disk"]
    with pytest.raises(CannotRun, match="git cannot be run"):
        Moments(Folder(committed)).files("", known)


def test_a_slow_git_is_not_waited_for(committed, tmp_path, monkeypatch):
    slow = tmp_path / "bin" / "git"
    slow.parent.mkdir()
    slow.write_text(
        "#!/bin/sh\nprintf '%s\\000%s\\000%s\\000\\n' " + "a" * 40 + " 12 Old\nexec sleep 60\n"
    )
    slow.chmod(0o755)
    monkeypatch.setenv("PATH", str(slow.parent), prepend=os.pathsep)
    monkeypatch.setattr(commits, "_PATIENCE_S", 0.3)
    assert commits.commits(committed) == (commits.Commit("a" * 40, 12, "Old"),)
    with pytest.raises(CannotRun, match="too long"):
        Moments(Folder(committed)).files("", "commit-" + "a" * 40)


def test_of_a_long_history_the_last_thirty_commits_are_listed(committed):
    tree = git(committed, "rev-parse", "HEAD^{tree}")
    stream = "".join(
        f"commit refs/heads/long\ncommitter N <n@example.invalid> {1000 + number} +0000\ndata 2\n{number % 10}\n"
        + ("" if number else f"from {git(committed, 'rev-parse', 'HEAD')}\n")
        + f"M 100644 inline more.json\ndata 6\n{number:06}\n"
        for number in range(3000)
    )
    subprocess.run(
        ("git", "fast-import", "--quiet"), cwd=committed, input=stream.encode(), check=True
    )
    git(committed, "symbolic-ref", "HEAD", "refs/heads/long")
    assert tree
    found = commits.commits(committed)
    assert len(found) == commits.MOST_COMMITS
    assert found[0].time == 3999


@pytest.mark.parametrize(
    "moment", ["commit-HEAD", "commit---output=x", "commit-" + "0" * 40, "save-7", "", "../x"]
)
def test_what_is_no_moment_is_refused(committed, moment):
    with pytest.raises(CannotRun):
        Moments(Folder(committed)).files("", moment)


def test_a_repository_runs_nothing(committed, tmp_path):
    (tmp_path / "ran").write_text("")
    script = tmp_path / "script"
    script.write_text(f"#!/bin/sh\necho ran >> '{tmp_path / 'ran'}'\ncat\n")
    script.chmod(0o755)
    for name in (
        "core.fsmonitor",
        "gpg.program",
        "core.pager",
        "diff.external",
        "filter.own.smudge",
        "diff.own.textconv",
    ):
        git(committed, "config", name, str(script))
    git(committed, "config", "log.showSignature", "true")
    (committed / ".git" / "info" / "attributes").write_text("*.json filter=own diff=own\n")
    (committed / ".git" / "hooks" / "post-index-change").write_text(script.read_text())
    moments = Moments(Folder(committed))
    assert moments.files("", moments.all("")[-1].id) == moments.now("")
    assert (tmp_path / "ran").read_text() == ""


def test_too_much_is_not_compared(committed, monkeypatch):
    monkeypatch.setattr("platelayer.studio.folder._MOST_BYTES", 1000)
    moments = Moments(Folder(committed))
    for moment in ("disk", moments.all("")[-1].id):
        with pytest.raises(CannotRun, match="too large"):
            moments.files("", moment)


def test_a_title_that_was_broken_is_told(committed):
    write(committed, "title.json", ('"id"', '"id" nonsense'))
    broken = commit(committed, "Broken")
    git(committed, "checkout", "-q", "HEAD^", "--", "title.json")
    with pytest.raises(CannotRun, match="cannot be shown as it was: this is not JSON"):
        differences(committed, f"commit-{broken}")


def test_a_picture_that_was_another(title):
    svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><circle cx="5" cy="5" r="{}"/></svg>'
    (title / "pictures").mkdir()
    (title / "pictures" / "own.svg").write_text(svg.format(4))
    company = next(iter(json.loads((title / "companies.json").read_text())["companies"]))
    write(title, "title.json", ('"id"', '"pictures": {"own": "pictures/own.svg"}, "id"'))
    write(title, "companies.json", (f'"{company}": {{', f'"{company}": {{"logo": "own", '))
    workspace = Workspace(Folder(title))
    view_of(workspace)
    (title / "pictures" / "own.svg").write_text(svg.format(2))
    assert differences(title, "opened", workspace)[f"charter:{company}"] == "changed"


def test_moments_are_told_as_a_page_reads_them(committed):
    workspace = Workspace(Folder(committed))
    told = AllMoments().answer(workspace, view_of(workspace))["moments"]
    assert [each["kind"] for each in told] == ["disk", "opened", "commit"]
    assert json.dumps(told)


@pytest.mark.parametrize(
    ("language", "told"), [("en", "G3 is new: plain"), ("ja", "G3：新規（平地）")]
)
def test_what_changed_is_told_in_the_language_of_the_pieces(committed, language, told):
    write(committed, "map.json", ('"C1": {', '"G3": {}, "C1": {'))
    workspace = Workspace(Folder(committed))
    commits = [each.id for each in workspace.moments.all("") if each.kind == "commit"]
    answer = Compare(then=commits[0], language=language).answer(workspace, view_of(workspace))
    assert told in [sentence for sentences in answer["facts"].values() for sentence in sentences]


@pytest.mark.slow
def test_a_person_compares_the_map_with_what_is_saved(studio, page):
    opened(page, studio)
    page.get_by_role("button", name="Compare").click()
    page.locator(".comparing summary", has_text="No piece").wait_for()
    text = (studio.folder / "map.json").read_text(encoding="utf-8")
    edited = text.replace('"C1": {', '"G3": {}, "C1": {')
    say(
        studio, do="edit", label="Add G3", ops=[{"op": "write", "file": "map.json", "text": edited}]
    )
    page.wait_for_selector(".hex.differs")
    assert page.locator(".hex.differs").get_attribute("aria-label") == "G3"
    line = page.get_by_role("slider", name="Line between then and now")
    line.focus()
    page.keyboard.press("ArrowRight")
    assert line.get_attribute("aria-valuenow") == "52"
    box = page.locator(".port").bounding_box()
    page.mouse.move(box["x"] + box["width"] * 0.52, box["y"] + 40)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * 0.25, box["y"] + 60, steps=4)
    page.mouse.up()
    assert line.get_attribute("aria-valuenow") == "25"
    page.locator(".comparing summary").click()
    page.locator(".facts li", has_text="G3 is new").wait_for()
    page.locator(".change", has_text="G3").click()
    assert page.locator('.hex[aria-selected="true"]').get_attribute("aria-label") == "G3"
    page.keyboard.press("Control+s")
    page.locator(".comparing summary", has_text="No piece").wait_for()
    page.locator(".comparing option", has_text="the save of").first.wait_for(state="attached")
    choice = page.locator(".comparing option", has_text="when the studio was opened").get_attribute(
        "value"
    )
    page.get_by_label("Compare with").select_option(choice)
    page.wait_for_selector(".hex.differs")
    page.get_by_role("button", name="Compare").click()
    page.wait_for_selector(".divide", state="hidden")


@pytest.mark.slow
def test_a_piece_is_compared_with_a_commit(begin, page, committed):
    write(committed, "trains.json", ('"count": ', '"count": 1'))
    studio = begin(committed)
    opened(page, studio)
    page.get_by_role("tab", name="Pieces").click()
    page.locator(".kind", has_text="Trains").click()
    page.locator('.card[data-key="train:2"]').click()
    page.get_by_role("button", name="Compare").click()
    first = page.locator(".comparing option", has_text="The first").get_attribute("value")
    page.get_by_label("Compare with").select_option(first)
    page.wait_for_selector(".before[src*='commit-']")
    page.wait_for_selector(".divide")
