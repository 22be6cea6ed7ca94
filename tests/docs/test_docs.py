"""The documents are true: their examples run, their links lead somewhere, their names exist.

An example in a `console` block is a command behind `$ ` and, below it, lines of what it prints. `…`
in such a line stands for anything. An example in a `python` block prints what its comments say. A
block whose fence names a file (```yaml mapping.yaml) is that file, in the folder of the examples.
"""

from __future__ import annotations

import ast
import importlib.util
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import pytest

import medweave
from tests.commands import cache_with_sample, command

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "medweave"
DOCUMENTS = sorted(
    path
    for pattern in ("*.md", "docs/**/*.md")
    for path in ROOT.glob(pattern)
    if ".venv" not in path.parts
)
WITH_EXAMPLES = [
    "README.md",
    "docs/tutorial.md",
    "docs/how-to/abstracts.md",
    "docs/how-to/dialogues.md",
    "docs/how-to/exchange.md",
    "docs/how-to/keeping-a-base.md",
    "docs/how-to/large-bases.md",
    "docs/reference/formats.md",
    "docs/reference/settings.md",
    "CONTRIBUTING.md",
]
NOT_RUN = ("sh", "text")
"""Blocks for a person's own machine (`apt-get`), and pictures of files; see the tests of them."""

_FENCE = re.compile(r"^```(?P<info>[^\n]*)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\[[^\]]*\]\((?P<to>[^)\s]+)\)")
_GLYPHS = re.compile(r"[│├└─█]+")
_TEST = re.compile(r"`(tests/[\w/]+(?:\.py)?/?)(::([\w:]+))?`")
_ADDED = re.compile(r"# (?:new file|in) (?P<file>[^\s,]+)(?:, under (?P<key>\w+):)?\n")


def test_the_documents_are_there() -> None:
    names = {path.relative_to(ROOT).as_posix() for path in DOCUMENTS}
    assert {*WITH_EXAMPLES, "CHANGELOG.md", "docs/map.md", "docs/hazard-log.md"} <= names
    assert "Apache License" in (ROOT / "LICENSE").read_text("utf-8")[:200]


# Examples


@dataclass(frozen=True)
class Block:
    """One fenced block: its language, the file it is, its text, and where it stands."""

    language: str
    file: str
    text: str
    line: int


class Example(NamedTuple):
    """Where the examples of a document are run, and how.

    Each command of a package that was changed starts the program as it is installed; others are run
    in this process, which is the same but for the start.
    """

    folder: Path
    environment: dict[str, str]
    started: bool


def blocks(path: Path) -> list[Block]:
    text = path.read_text("utf-8")
    found = []
    for match in _FENCE.finditer(text):
        language, _, file = match["info"].strip().partition(" ")
        found.append(Block(language, file, match["text"], text.count("\n", 0, match.start()) + 1))
    return found


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return cache_with_sample(tmp_path_factory.mktemp("cache"))


@pytest.mark.thorough
@pytest.mark.parametrize("name", WITH_EXAMPLES)
def test_examples_run(name: str, tmp_path: Path, cache: Path) -> None:
    found = blocks(ROOT / name)
    changed = _changed_package(found, tmp_path / "changed")
    folder = tmp_path / "examples"
    folder.mkdir()
    environment = {key: value for key, value in os.environ.items() if "MEDWEAVE" not in key}
    environment |= {
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "XDG_CACHE_HOME": str(cache),
        "PYTHONIOENCODING": "utf-8",
        "COLUMNS": "500",
    }
    if changed:
        environment |= {"PYTHONPATH": str(changed), "PYTHONDONTWRITEBYTECODE": ""}
    example = Example(folder, environment, started=changed is not None)
    for block in found:
        where = f"{name} line {block.line}"
        if block.file:
            (folder / block.file).parent.mkdir(parents=True, exist_ok=True)
            (folder / block.file).write_text(block.text, "utf-8")
        elif _ADDED.match(block.text):
            continue
        elif block.language == "console":
            _run_console(block.text, example, where)
        elif block.language == "python":
            _run_python(block.text, example, where)
        else:
            assert block.language in NOT_RUN, (
                f"{where}: a block of '{block.language}' that nothing checks"
            )


def _changed_package(found: list[Block], folder: Path) -> Path | None:
    """A copy of the package with the entries that a document tells a newcomer to add."""
    entries = [(m, block) for block in found if (m := _ADDED.match(block.text))]
    for match, block in entries:
        if not folder.exists():
            shutil.copytree(SOURCE, folder / "medweave")
        target = folder / match["file"].removeprefix("src/")
        if not match["key"]:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(block.text, "utf-8")
            continue
        text = target.read_text("utf-8")
        head = re.search(rf"^{match['key']}:(?:.* = \{{| +#.*)?\n", text, re.MULTILINE)
        assert head, f"{match['file']} has no '{match['key']}:'"
        target.write_text(text[: head.end()] + block.text + text[head.end() :], "utf-8")
    return folder if entries else None


def test_what_a_newcomer_adds_passes_as_it_is_written() -> None:
    files = [block for block in blocks(ROOT / "CONTRIBUTING.md") if "# new file " in block.text]
    assert files
    for block in files:
        name = block.text.split("\n", 1)[0].removeprefix("# new file ")
        for words in (("check",), ("format", "--check")):
            ran = subprocess.run(
                [sys.executable, "-m", "ruff", *words, "--stdin-filename", name, "-"],
                input=block.text,
                cwd=ROOT,
                capture_output=True,
                text=True,
                check=False,
            )
            assert ran.returncode == 0, f"{name}\n{ran.stdout}{ran.stderr}"


def _run_console(text: str, example: Example, where: str) -> None:
    for line, expected in _commands(text):
        status, printed = _run(line, example)
        fails = any(line.startswith("error:") for line in expected)
        told = f"{where}: {line}\nprints with status {status}:\n{printed}"
        assert status == (1 if fails else 0), told
        _compare(expected, printed, told)


def _run(line: str, example: Example) -> tuple[int, str]:
    """The exit status of a line for a shell, and all that it prints."""
    folder, environment, started = example
    words = shlex.split(line)
    if words[0] == "medweave" and not started and not _for_a_shell(line):
        ran = command(words[1:], environment=environment, folder=folder, together=True)
        return ran.status, ran.out
    shell = subprocess.run(
        ["bash", "-c", line],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    return shell.returncode, shell.stdout.decode()


def _for_a_shell(line: str) -> bool:
    """Whether a line is more than a command and its words, or words that a shell changes."""
    parts = shlex.shlex(line, posix=True, punctuation_chars=True)
    parts.whitespace_split = True
    return bool(set(line) & set("$`*~")) or any(set(part) <= set("();<>|&") for part in parts)


def _commands(text: str) -> Iterator[tuple[str, list[str]]]:
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        lines = part.rstrip("\n").split("\n")
        size = next(n for n, line in enumerate(lines, 1) if not line.endswith("\\"))
        yield "\n".join(lines[:size]), [line for line in lines[size:] if line.strip()]


def _run_python(text: str, example: Example, where: str) -> None:
    ran = subprocess.run(
        [sys.executable, "-W", "error", "-c", text],
        cwd=example.folder,
        env=example.environment,
        capture_output=True,
        check=False,
    )
    printed = ran.stdout.decode()
    told = f"{where}: python\n{ran.stderr.decode()}\nprints:\n{printed}"
    assert ran.returncode == 0, told
    expected = [line.rsplit("  # ", 1)[1] for line in text.split("\n") if "  # " in line]
    _compare(expected, printed, told)


def _compare(expected: list[str], printed: str, told: str) -> None:
    """Every expected line is printed, in this order; only spaces and drawing may differ."""
    rest = _plain(printed)
    for line in expected:
        for piece in line.split("…"):
            wanted = _plain(piece)
            place = rest.find(wanted)
            assert place >= 0, f"not printed, or not in this place: {piece!r}\n{told}"
            rest = rest[place + len(wanted) :]


def _plain(text: str) -> str:
    return " ".join(_GLYPHS.sub(" ", text).split())


def test_shell_blocks_name_targets_that_exist() -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    named = {
        target
        for path in DOCUMENTS
        for target in re.findall(r"(?:^|`)make ([a-z]+)", path.read_text("utf-8"), re.MULTILINE)
    }
    assert {"run", "test", "check"} <= named <= targets


# Links, names, hazards


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_relative_links_resolve(path: Path) -> None:
    for match in _LINK.finditer(_without_blocks(path)):
        target, _, anchor = match["to"].partition("#")
        if "://" in target or target.startswith("mailto:"):
            continue
        found = (path.parent / target).resolve() if target else path
        assert found.exists(), f"{path.name}: {match['to']}"
        if anchor:
            assert anchor in _anchors(found), f"{path.name}: {match['to']}"


def _without_blocks(path: Path) -> str:
    return _FENCE.sub("", path.read_text("utf-8"))


def _anchors(path: Path) -> set[str]:
    heads = re.findall(r"^#+ (.+)$", _without_blocks(path), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


def test_the_map_names_files_and_functions_that_exist() -> None:
    rows = [line for line in (ROOT / "docs/map.md").read_text("utf-8").split("\n") if "|" in line]
    checked = 0
    for row in rows:
        files = [ROOT / "docs" / m["to"] for m in _LINK.finditer(row) if m["to"].endswith(".py")]
        names = re.findall(r"`([\w.]+)\(\)`", row)
        assert bool(files) or not names, f"functions without their file: {row}"
        defined = {name for file in files for name in _defined(file)}
        assert set(names) <= defined, f"{set(names) - defined} in {row}"
        checked += len(names)
    assert checked >= 20


def _defined(file: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.parse(file.read_text("utf-8")).body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            found.add(node.name)
        if isinstance(node, ast.ClassDef):
            inner = [n.name for n in node.body if isinstance(n, ast.FunctionDef)]
            found |= {f"{node.name}.{name}" for name in inner}
    return found


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_tests_that_a_document_names_exist(path: Path) -> None:
    for file, _, name in _TEST.findall(path.read_text("utf-8")):
        assert (ROOT / file).exists(), f"{path.name}: {file}"
        wanted = name.replace("::", ".")
        assert not name or wanted in _defined(ROOT / file), f"{path.name}: {file}::{name}"


def test_every_hazard_names_its_tests_or_says_that_it_is_open() -> None:
    text = (ROOT / "docs/hazard-log.md").read_text("utf-8")
    hazards = re.split(r"^### ", text, flags=re.MULTILINE)[1:]
    assert len(hazards) >= 12
    for hazard in hazards:
        title = hazard.split("\n")[0]
        for part in ("Cause", "Effect", "Control", "Proof", "Open"):
            assert f"**{part}.**" in hazard, f"{title} lacks {part}"
        proof = hazard.split("**Proof.**")[1].split("**Open.**")[0]
        assert "`tests/" in proof or "None" in proof, title


def test_decisions_have_numbers_of_their_own_and_one_shape() -> None:
    found = sorted((ROOT / "docs" / "decisions").glob("*.md"))
    numbers = [path.name[:4] for path in found]
    assert len(set(numbers)) == len(numbers)
    for path in found:
        text = path.read_text("utf-8")
        assert text.startswith(f"# {int(path.name[:4])}. "), path.name
        for part in ("Context", "Decision", "Given up", "Enforced by"):
            assert f"**{part}" in text, f"{path.name} lacks {part}"


def test_the_command_line_reference_is_fresh() -> None:
    path = ROOT / "scripts" / "generate_cli_reference.py"
    specification = importlib.util.spec_from_file_location("generate_cli_reference", path)
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    fresh = (ROOT / "docs" / "reference" / "cli.md").read_text("utf-8") == module.reference()
    assert fresh, "run .venv/bin/python scripts/generate_cli_reference.py"


# The package's own page


_DOCTESTS = """
import doctest, gc, importlib, pkgutil, medweave
gc.set_threshold(50_000, 20, 50)
runner, find = doctest.DocTestRunner(), doctest.DocTestFinder().find
modules = [m.name for m in pkgutil.walk_packages(medweave.__path__, "medweave.")]
for name in ["medweave", *modules]:
    for test in [] if name.endswith("__main__") else find(importlib.import_module(name)):
        if test.examples:
            runner.run(test)
print(runner.failures, runner.tries)
"""
"""Examples alone: each text without one would cost a debugger that `testmod` makes ready for it."""


@pytest.mark.thorough
def test_docstring_examples_run(cache: Path) -> None:
    environment = {key: value for key, value in os.environ.items() if "MEDWEAVE" not in key}
    environment["XDG_CACHE_HOME"] = str(cache)
    ran = subprocess.run(
        [sys.executable, "-c", _DOCTESTS],
        cwd=ROOT / "tests",
        env=environment,
        capture_output=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr.decode()
    failed, attempted = ran.stdout.decode().split("\n")[-2].split()
    assert failed == "0", ran.stdout.decode()
    assert int(attempted) >= 40


def test_the_public_page_is_sorted_and_importable() -> None:
    assert medweave.__all__ == sorted(medweave.__all__, key=lambda name: (name.islower(), name))
    assert len(medweave.__all__) <= 20
    for name in medweave.__all__:
        assert getattr(medweave, name) is not None


def test_importing_is_cheap() -> None:
    code = "import sys, medweave; print(*sys.modules)"
    ran = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, check=True, cwd=ROOT / "tests"
    )
    loaded = set(ran.stdout.decode().split())
    heavy = {"numpy", "scipy", "typer", "rich", "jinja2", "rjieba", "yaml", "joblib"}
    heavy |= {"sqlite3", "platformdirs", "pydantic", "onnxruntime", "tokenizers", "faiss"}
    assert not loaded & heavy
    assert {name for name in loaded if name.startswith("medweave")} == {"medweave"}


_ASKED = """
import sys
from medweave import KnowledgeBase
with KnowledgeBase.sample() as base:
    assert base.ask("What are the symptoms of a cold?").status == "answered"
    assert base.vectors.model() is None
print(*sys.modules)
"""


def test_a_question_asked_by_words_loads_nothing_for_vectors(cache: Path) -> None:
    environment = {key: value for key, value in os.environ.items() if "MEDWEAVE" not in key}
    ran = subprocess.run(
        [sys.executable, "-c", _ASKED],
        env=environment | {"XDG_CACHE_HOME": str(cache)},
        capture_output=True,
        check=True,
        cwd=ROOT / "tests",
    )
    loaded = set(ran.stdout.decode().split())
    assert "medweave.stores.sqlite.vector_index" in loaded
    heavy = {"numpy", "scipy", "onnxruntime", "tokenizers", "faiss", "urllib.request", "http"}
    assert not loaded & heavy
    assert not {name for name in loaded if name.startswith("medweave.embedding")}
