"""Killed at any moment of building, adding and removing, a base is whole, and reading goes on.

More moments by hand: `MEDWEAVE_KILLS=100 pytest tests/properties/test_killed.py`.
"""

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from medweave import KnowledgeBase

KILLS = int(os.environ.get("MEDWEAVE_KILLS", "6"))
FILES, RECORDS = 8, 12

WRITER = """
import random, sys
from pathlib import Path
from medweave import KnowledgeBase
from tests_of_killing import write

folder, rng = Path(sys.argv[2]), random.Random(sys.argv[3])
with KnowledgeBase.open(sys.argv[1]) as base:
    base.ask("What are the symptoms of river fever?")
    print("writing", flush=True)
    while True:
        some = rng.sample(range(FILES), rng.randint(1, 3))
        paths = [write(folder, n, rng.randint(0, 9)) for n in some]
        base.build(paths)
        if rng.random() < 0.5:
            base.remove(str(paths[0]))
        if rng.random() < 0.1:
            base.compact()
"""

READER = """
import sys, time
from pathlib import Path
from medweave import KnowledgeBase

stop, rounds = Path(sys.argv[2]), 0
with KnowledgeBase.open(sys.argv[1], create=False, read_only=True) as base:
    while not stop.exists():
        answer = base.ask("What are the symptoms of river fever?")
        assert answer.status == "answered", answer
        base.ask("I have a fever and a headache. What could it be?")
        stats = base.stats()
        assert stats["statements"] == sum(stats["predicates"].values()), stats
        assert stats["evidence"] == sum(stats["evidence_classes"].values()), stats
        rounds += 1
        time.sleep(0.25)  # leaves the writer some of the machine
        if rounds == 1:
            print("reading", flush=True)
print(rounds)
"""


def write(folder: Path, number: int, variant: int) -> Path:
    """One source in one of its variants, in its place at once."""
    rng = random.Random(f"{number} {variant}")
    findings = ["fever", "cough", "headache", "rash", "nausea", "chills"]
    records = [
        {
            "name": f"ferry fever {number}{letter}",
            "concept": "disease",
            "symptoms": rng.sample(findings, 3),
            "description": "Symptoms include fever and headache but not rash. " * rng.randint(1, 4),
        }
        for letter in "abcdefghijkl"[:RECORDS]
    ]
    path = folder / f"{number}.json"
    unfinished = folder / f"{os.getpid()}.part"
    unfinished.write_text(json.dumps(records), "utf-8")
    unfinished.replace(path)
    return path


def start(code: str, *arguments: object) -> subprocess.Popen[str]:
    head = f"FILES = {FILES}\n"
    source = code.replace("tests_of_killing", Path(__file__).stem)
    process = subprocess.Popen(
        [sys.executable, "-c", head + source, *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(Path(__file__).parent), *sys.path])},
    )
    assert process.stdout is not None
    told = process.stdout.readline()
    assert told in ("writing\n", "reading\n"), process.communicate()
    return process


@contextmanager
def readers(kb: Path, stop: Path) -> Iterator[None]:
    """Two processes that ask all the while, and never meet an error or half a base."""
    asking = [start(READER, kb, stop) for _ in range(2)]
    try:
        yield
    finally:
        stop.touch()
        ends = [(process.communicate(timeout=60), process.returncode) for process in asking]
    assert [code for _, code in ends] == [0, 0], ends
    assert all(int(out) >= 2 for (out, _), _ in ends)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "sources"
    folder.mkdir()
    return folder


@pytest.mark.thorough
def test_killed_at_any_moment_a_base_is_whole(tmp_path: Path, folder: Path) -> None:
    seed = 19
    rng, kb, last = random.Random(seed), tmp_path / "kb.db", -1
    always = {"name": "river fever", "concept": "disease", "symptoms": ["fever", "red eyes"]}
    (tmp_path / "always.json").write_text(json.dumps([always]), "utf-8")
    with KnowledgeBase.open(str(kb)) as base:
        base.build([tmp_path / "always.json"])
    with readers(kb, tmp_path / "stop"):
        for number in range(KILLS):
            writer = start(WRITER, kb, folder, f"{seed} {number}")
            time.sleep(rng.uniform(0, 0.6))
            writer.send_signal(signal.SIGKILL)
            writer.communicate()
            with KnowledgeBase.open(str(kb), create=False, read_only=True) as base:
                assert base.check() == [], (seed, number)
                assert base.version.revision >= last
                last = base.version.revision
    final = [write(folder, number, 0) for number in range(FILES)]
    with (
        KnowledgeBase.open(str(kb)) as base,
        KnowledgeBase.open(str(tmp_path / "undisturbed.db")) as fresh,
    ):
        base.build(final)
        fresh.build([*final, tmp_path / "always.json"])
        assert base.version.hash == fresh.version.hash, seed
        its_own = {"base": "", "store": {}}
        assert base.stats() | its_own == fresh.stats() | its_own
        assert base.check() == []
