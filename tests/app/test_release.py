"""What a release is made of: one version, one address, and workflows and actions whose commands do
what they say."""

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from importlib.metadata import distribution
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

import platelayer
from font_metrics import measure_font
from often import often
from platelayer.pipeline.scaffold import new_title
from platelayer.scene.fonts import face_names

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))
BASH = pytest.mark.skipif(not shutil.which("bash"), reason="the steps are for bash")


def read(name):
    return (ROOT / name).read_text(encoding="utf-8")


def released():
    """The latest release in the changelog: its version and date."""
    return re.search(
        r"^## \[([\d.]+)\] - (\d{4}-\d\d-\d\d)$", read("CHANGELOG.md"), re.MULTILINE
    ).groups()


def test_one_version():
    version, date = released()
    since = re.search(
        r"## \[Unreleased\]\n(.*?)^## \[", read("CHANGELOG.md"), re.DOTALL | re.MULTILINE
    )
    if since[1].strip():  # what is not released yet has a version of its own
        assert Version(platelayer.__version__).is_devrelease
        assert Version(platelayer.__version__) > Version(version)
    else:
        assert platelayer.__version__ == version
    cited = yaml.safe_load(read("CITATION.cff"))
    assert (cited["version"], str(cited["date-released"])) == (version, date)
    assert set(re.findall(r"(?:rev: |platelayer@)v([\d.]+)", read("docs/checking.md"))) == {version}


def test_the_changelog_keeps_its_form():
    text = read("CHANGELOG.md")
    headings = re.findall(r"^## \[([^\]]+)\]", text, re.MULTILINE)
    assert headings[0] == "Unreleased"
    assert [
        each for each in headings if f"\n[{each}]: {PROJECT['urls']['Source']}/" not in text
    ] == []
    kinds = {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}
    assert set(re.findall(r"^### (.+)$", text, re.MULTILINE)) <= kinds
    for line in re.findall(r"^- .*", text, re.MULTILINE):
        assert not re.search(r"\b\w+\.py\b|make ", line), f"for users, not for developers: {line}"


def test_one_address():
    """A fork or a move changes pyproject.toml and all that CONTRIBUTING.md's command finds."""
    source = PROJECT["urls"]["Source"]
    assert all(each.startswith(source) for each in PROJECT["urls"].values())
    owner = source.split("/")[-2]
    names = ("*.md", "*.toml", "*.cff", "*.yml", "Containerfile", "docs/*.md", ".github/**/*.yml")
    places = {path for name in names for path in ROOT.glob(name)}
    address = re.compile(
        r"(?:github\.com/|githubusercontent\.com/|ghcr\.io/|uses: )([\w-]+)/platelayer\b"
    )
    found = {
        (path.name, each)
        for path in places
        for each in address.findall(path.read_text(encoding="utf-8"))
    }
    assert {each for _, each in found} == {owner}, found
    assert {"pyproject.toml", "CITATION.cff", "SECURITY.md", "checking.md", "Containerfile"} <= {
        name for name, _ in found
    }


def test_the_container_has_the_licences_of_the_package():
    assert f'licenses="{PROJECT["license"]}"' in read("Containerfile")


def steps_of(path):
    value = yaml.safe_load(path.read_text(encoding="utf-8"))
    if "runs" in value:
        return value["runs"]["steps"]
    return [step for job in value["jobs"].values() for step in job["steps"]]


@BASH
@pytest.mark.parametrize("path", [ROOT / "action.yml", *WORKFLOWS], ids=lambda path: path.name)
def test_steps_are_commands_of_files_that_are_there(path):
    for step in steps_of(path):
        script = step.get("run", "")
        done = subprocess.run(
            ["bash", "-n"], input=script, check=False, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        for name in re.findall(
            r"(?:tools/\w+\.py|\.ci/[\w.]+|Containerfile|CHANGELOG\.md)", script
        ):
            assert (ROOT / name).is_file(), name


def test_what_others_make_is_named_by_its_commit_or_version():
    for path in (ROOT / "action.yml", *WORKFLOWS):
        uses = re.findall(r"uses: (.*)", read(path.relative_to(ROOT)))
        assert uses
        assert all(re.fullmatch(r"[\w/-]+@[0-9a-f]{40} # v[\d.]+", each) for each in uses), uses
        for installed in re.findall(r"pip install (.*)", read(path.relative_to(ROOT))):
            words = [word for word in installed.split() if not word.startswith("-")]
            ours = r'==|ACTION_PATH|^dist/|^"?\.(\[\w+\])?"?$'
            assert all(re.search(ours, word) for word in words), installed


def test_the_action_installs_what_the_package_needs_by_digest():
    locked = {}
    for entry in (
        re.sub(r"(?m)^#.*\n", "", read(".ci/action.txt")).replace("\\\n", " ").splitlines()
    ):
        pinned, *digests = entry.split()
        assert digests, entry
        assert all(re.fullmatch(r"--hash=sha256:[0-9a-f]{64}", digest) for digest in digests), entry
        name, version = pinned.split("==")
        locked[canonicalize_name(name)] = version
    built = tomllib.loads(read("pyproject.toml"))["build-system"]["requires"]
    for requirement in map(Requirement, (*built, *PROJECT["dependencies"])):
        assert locked[canonicalize_name(requirement.name)] in requirement.specifier, requirement
    (install,) = (
        step["run"]
        for step in steps_of(ROOT / "action.yml")
        if "pip install" in step.get("run", "")
    )
    assert '--require-hashes -r "$GITHUB_ACTION_PATH/.ci/action.txt"' in install


@pytest.mark.parametrize(
    ("name", "floor"), [("pillow", "10.3"), ("starlette", "0.47.2"), ("h11", "0.16")]
)
def test_no_version_with_a_published_flaw_will_do(name, floor):
    given = (*PROJECT["dependencies"], *PROJECT["optional-dependencies"]["studio"])
    (requirement,) = (each for each in map(Requirement, given) if each.name == name)
    assert str(requirement.specifier) == f">={floor}"


@BASH
@pytest.mark.parametrize(("npm", "gate", "status"), [(1, "", 0), (1, "1", 1), (0, "1", 0)])
def test_only_the_gate_insists_on_npm(npm, gate, status, tmp_path):
    """`npm ci` fails without a network."""
    for folder in ("bin", ".ci", "generator/studio_bundle"):
        (tmp_path / folder).mkdir(parents=True)
    shutil.copy(ROOT / ".ci/javascript", tmp_path / ".ci")
    (tmp_path / "generator/studio_bundle/package-lock.json").touch()
    (tmp_path / "bin/npm").write_text(
        f'#!/bin/sh\ncase "$*" in *" ci "*) exit {npm} ;; esac\necho "$*"\n', "utf-8"
    )
    (tmp_path / "bin/npm").chmod(0o755)
    environment = {"PATH": f"{tmp_path}/bin:/usr/bin:/bin", "PLATELAYER_GATE": gate}
    done = subprocess.run(
        [".ci/javascript"],
        cwd=tmp_path,
        env=environment,
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == status
    assert ("check" in done.stdout) == (not npm)
    assert ("SKIPPED: the checks of the studio's JavaScript" in done.stderr) == bool(
        npm and not gate
    )


@BASH
def test_the_notes_of_a_release_are_its_section(tmp_path):
    (script,) = (
        step["run"]
        for step in steps_of(ROOT / ".github/workflows/release.yml")
        if "awk" in step.get("run", "")
    )
    shutil.copy(ROOT / "CHANGELOG.md", tmp_path)
    environment = {**os.environ, "GITHUB_REF_NAME": f"v{released()[0]}"}
    subprocess.run(
        ["bash", "-eu"],
        input=script.splitlines()[0],
        cwd=tmp_path,
        env=environment,
        text=True,
        check=True,
    )
    notes = (tmp_path / "notes.md").read_text(encoding="utf-8")
    assert "### Added" in notes
    assert "## [" not in notes
    assert "Unreleased" not in notes.split("[Unreleased]:")[0]


@pytest.fixture
def action(tmp_path):
    """Runs the action's check as GitHub does, in a folder with a title that has an error."""
    (tmp_path / "bin").mkdir()
    command = tmp_path / "bin/platelayer"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m platelayer "$@"\n', encoding="utf-8")
    command.chmod(0o755)
    work = tmp_path / "work"
    environment = {
        "PATH": f"{command.parent}:/usr/bin:/bin",
        "PYTHONPATH": str(ROOT / "generator"),
        "PLATELAYER_CACHE": "",
        "RUNNER_TEMP": str(tmp_path),
        "GITHUB_OUTPUT": str(tmp_path / "outputs"),
    }
    for name in ("good", "bad"):
        new_title(work / "titles" / name)
    with (work / "titles/bad/title.json").open("a", encoding="utf-8") as file:
        file.write("}")
    described = yaml.safe_load(read("action.yml"))
    (step,) = (each for each in described["runs"]["steps"] if each.get("id") == "check")

    def run(**inputs):
        assert set(inputs) <= set(described["inputs"])
        values = {name: each["default"] for name, each in described["inputs"].items()} | inputs
        words = {
            name: re.sub(r"\$\{\{ inputs\.([\w-]+) \}\}", lambda found: values[found[1]], text)
            for name, text in step["env"].items()
        }
        (tmp_path / "outputs").touch()
        command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
        return subprocess.run(
            command,
            cwd=work,
            env={**environment, **words},
            check=False,
            capture_output=True,
            text=True,
        )

    return tmp_path, run


@BASH
def test_the_action_checks_titles(action):
    folder, run = action
    assert run(titles="titles/good", options="--quick").returncode == 0
    done = run(titles="titles/*/", options="--quick")
    assert done.returncode == 1
    assert re.search(r"^::error file=titles/bad/title\.json,line=\d+", done.stdout, re.MULTILINE), (
        done.stdout
    )
    assert run(titles="titles/nowhere").returncode == 1
    assert run(format="xml").returncode == 2
    assert (folder / "outputs").read_text("utf-8") == ""


@BASH
def test_the_action_writes_a_report_for_code_scanning(action):
    folder, run = action
    done = run(titles="titles/bad", format="sarif", options="--quick")
    assert done.returncode == 0, done.stderr
    report = folder / "platelayer.sarif"
    assert (folder / "outputs").read_text("utf-8") == f"sarif={report}\n"
    assert json.loads(report.read_text("utf-8"))["runs"][0]["results"]
    assert run(titles="titles/bad", format="sarif", options="--no-such-option").returncode != 0


def test_recipes_of_other_managers_need_what_the_package_needs():
    recipe = yaml.safe_load(read("packaging/conda/recipe.yaml"))
    needed = {
        canonicalize_name(each.name): each for each in map(Requirement, PROJECT["dependencies"])
    }
    listed = dict(map(str.split, recipe["requirements"]["run"]))
    assert listed.pop("python") == PROJECT["requires-python"]
    assert listed == {name: str(requirement.specifier) for name, requirement in needed.items()}
    built = tomllib.loads(read("pyproject.toml"))["build-system"]["requires"]
    assert {each.replace(" ", "") for each in recipe["requirements"]["host"]} >= {*built}
    assert recipe["about"]["license"] == PROJECT["license"]
    formula = read("packaging/homebrew/platelayer.rb")
    assert {*re.findall(r"[\w-]+", formula)} >= {*needed}
    assert re.findall(r'"([^"]+)"', formula.split("all_of:")[1].split("]")[0]) == PROJECT[
        "license"
    ].split(" AND ")
    next_version = Version(platelayer.__version__).base_version
    assert recipe["context"]["version"] == next_version
    assert f"platelayer-{next_version}.tar.gz" in formula
    # The marks go when somebody has built them.
    assert "Untested" in formula
    assert "Untested" in read("packaging/conda/recipe.yaml")


# The house in order: sizes, licences, and documents that name what there is


def required(extra="", name="platelayer"):
    """Names of the distributions that an installation with an extra needs, without ourselves."""
    found, wanted = set(), [(name, extra)]
    while wanted:
        name, extra = wanted.pop()
        for line in distribution(name).requires or ():
            need = Requirement(line)
            if (
                need.marker is None or need.marker.evaluate({"extra": extra})
            ) and need.name not in found:
                found.add(canonicalize_name(need.name))
                wanted += [(need.name, each) for each in ("", *need.extras)]
    return found


def megabytes(names):
    """The size of distributions, compiled as pip does or not."""
    files = (file.locate() for name in names for file in distribution(name).files or ())
    return sum(file.stat().st_size for file in files if file.exists()) / 1e6


def test_a_plain_installation_is_small():
    """With what is ours, which an editable installation does not list."""
    ours = [
        path
        for part in ("assets", "schemas", "generator/platelayer")
        for path in (ROOT / part).rglob("*")
    ]
    own = (
        sum(path.stat().st_size for path in ours if path.is_file() and path.suffix != ".pyc") / 1e6
    )
    assert "reportlab" in required()
    assert megabytes(required()) + own < 100
    assert not required() & {"numpy", "dask", "distributed", "ezdxf", "fonttools"}
    assert megabytes(required("studio") - required()) < 8
    assert megabytes(required("import") - required()) < 8


def test_every_font_has_its_licence_beside_it():
    fonts = ROOT / "assets" / "fonts"
    for path in fonts.glob("*.ttf"):
        family = path.stem.split("-")[0]
        assert (
            "SIL OPEN FONT LICENSE"
            in (fonts / f"{family}-OFL.txt").read_text(encoding="utf-8").upper()
        ), path.name


@pytest.mark.parametrize("name", often(face_names(), *face_names()[::4]))
def test_metrics_are_those_of_the_fonts(name):
    fonts = ROOT / "assets" / "fonts"
    written = json.loads((fonts / "metrics" / f"{name}.json").read_text(encoding="utf-8"))
    assert measure_font(fonts / f"{name}.ttf") == written


def test_no_metrics_without_a_font():
    assert {path.stem for path in (ROOT / "assets" / "fonts" / "metrics").iterdir()} == set(
        face_names()
    )


def test_architecture_numbers_the_stages_of_the_pipeline():
    import platelayer.pipeline

    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    stages = [
        line.split()[1]
        for line in (platelayer.pipeline.__doc__ or "").splitlines()
        if line[:1].isdigit()
    ]
    assert len(stages) >= 7
    places = [text.index(f"{number}. **{stage}**") for number, stage in enumerate(stages, start=1)]
    assert places == sorted(places)
