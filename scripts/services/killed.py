"""A server killed while a base is built on it, copied to it, and asked: is anything lost?

    python -m scripts.services.killed [NAME…]

Each server is started, ended by SIGKILL in the midst of the work, started again on its data, and
the same command is run again. Other people's data stand in the same database all the while. Prints
a line for each server; ends with 1 where something is not as it should be.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path

from medweave.errors import MedweaveError, NotFoundError, StoreError
from medweave.knowledge_base import KnowledgeBase
from medweave.stores.registry import address_of
from scripts.services.fetching import UnavailableError
from scripts.services.load import monographs
from scripts.services.servers import PASSWORD, SERVERS, Server
from scripts.services.strangers import stranger_beside

NAMES = ("mysql", "rdf4j", "fuseki", "neo4j", "mongodb")
_STATEMENTS = 3000
_PATIENCE = 60
"""Seconds that a try may take."""
_MIDST = (0.6, 0.3, 0.1)
"""The parts of its time after which a command finds its server dead: where one was done by then, it
is tried with the next."""
_QUESTION = "What are the symptoms of disease 3?"


def main(names: Sequence[str]) -> int:
    """Kill each server three times."""
    wrong = 0
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        few, many = folder / "few.jsonl", folder / "many.jsonl"
        lines = list(monographs(_STATEMENTS, of_each=6))
        few.write_text("".join(lines[:10]), "utf-8")
        many.write_text("".join(lines[10:]), "utf-8")
        with KnowledgeBase.open(str(folder / "right.db")) as base:
            base.build([few])
            first = base.version.hash
            base.build([few, many])
            trial = Trial(folder, (first, base.version.hash), base.ask(_QUESTION).text)
        for name in names or NAMES:
            try:
                with SERVERS[name]().running() as server:
                    version, told = server.version(), trial.of(server)
            except UnavailableError as error:
                print(f"{name}: skipped, as {error}", flush=True)
                continue
            except MedweaveError as error:
                wrong += 1
                print(f"{name}: WRONG: {error}", flush=True)
                continue
            wrong += sum(not right for right in told.values())
            parts = (f"{what}: {'right' if right else 'WRONG'}" for what, right in told.items())
            shown = "; ".join(parts)
            print(f"{name} {version}: {shown}", flush=True)
    return int(wrong > 0)


class Trial:
    """The same work on any server, against a file that holds what is right."""

    def __init__(self, folder: Path, hashes: tuple[str, str], answer: str) -> None:
        self._folder = folder
        self._before, self._after = hashes
        self._answer = answer
        self._url = ""
        """The base that was built last."""

    def of(self, server: Server) -> dict[str, bool]:
        """What was as it should be."""
        stranger = stranger_beside(address_of(server.base("built")))
        stranger.put()
        before = stranger.seen()
        seconds = self._measured(server)
        told = self._build(server, seconds) | self._copy(server, seconds) | self._ask(server)
        with server.started():
            after = stranger.seen()
        return told | {"data of others untouched": after == before != []}

    def _measured(self, server: Server) -> float:
        """Seconds that the whole build takes, where nothing is killed."""
        started = time.monotonic()
        status, _ = self._run("build", "--kb", server.base("measured"), *self._files())
        if status:
            raise UnavailableError("it could not be built on at all")
        return time.monotonic() - started

    def _files(self) -> list[str]:
        return [str(self._folder / "few.jsonl"), str(self._folder / "many.jsonl")]

    def _build(self, server: Server, seconds: float) -> dict[str, bool]:
        for number, part in enumerate(_MIDST):
            self._url = url = server.base(f"built{number}")
            with server.started() if number else nullcontext():
                self._run("build", "--kb", url, self._files()[0])
                process = self._started("build", "--kb", url, "--json", *self._files())
                status, said, in_time = self._ended(server, process, seconds * part)
            if in_time:
                break
        with server.started():
            with KnowledgeBase.open(url, create=False, timeout=_PATIENCE) as base:
                whole = base.version.hash in (self._before, self._after) and base.check() == []
            again, _ = self._again("build", "--kb", url, *self._files())
            return {
                "told when killed in a build": _is_told(status, said),
                "before seen": whole,
                "built again": again == 0 and self._is_right(url),
            }

    def _copy(self, server: Server, seconds: float) -> dict[str, bool]:
        url, source = server.base("copied"), str(self._folder / "right.db")
        with server.started():
            process = self._started("copy", source, url, "--json")
            while process.poll() is None and not _is_begun(url):
                time.sleep(0.1)
            status, said, in_time = self._ended(server, process, seconds / 10)
        with server.started():
            try:
                with KnowledgeBase.open(url, create=False, timeout=_PATIENCE) as base:
                    refused = base.version.hash == self._after
            except MedweaveError:  # unfinished, or not begun
                refused = True
            again, copied = self._again("copy", source, url, "--json")
            kept = json.loads(copied)["already_there"] if again == 0 else -1
            return {
                "told in a copy": _is_told(status, said) or not in_time,
                f"refused, went on from {kept} documents": (
                    refused and again == 0 and self._is_right(url)
                ),
            }

    def _ask(self, server: Server) -> dict[str, bool]:
        with server.started():
            base = KnowledgeBase.open(self._url, create=False, timeout=_PATIENCE)
            right = base.ask(_QUESTION).text == self._answer
            server.kill()
            started = time.monotonic()
            try:
                base.ask("What are the symptoms of disease 5?")
                lost = False
            except StoreError as error:
                lost = PASSWORD not in str(error) and time.monotonic() - started < 2 * _PATIENCE
        with base, server.started():
            right = right and base.ask("What are the symptoms of disease 5?").status == "answered"
        return {"told in a question, answered when it was there again": lost and right}

    def _ended(
        self, server: Server, process: subprocess.Popen[str], seconds: float
    ) -> tuple[int, str, bool]:
        """How a command ended whose server is killed after so many seconds, what it said, and
        whether it was still at work."""
        time.sleep(seconds)
        in_time = process.poll() is None
        server.kill()
        said = process.communicate(timeout=300)[0]
        return process.returncode, said, in_time

    def _run(self, *words: str) -> tuple[int, str]:
        process = self._started(*words)
        said = process.communicate(timeout=900)[0]
        return process.returncode, said

    def _again(self, *words: str) -> tuple[int, str]:
        """Run a command once more; why it fails is told."""
        status, said = self._run(*words)
        if status:
            print(f"{words[0]} again ended with {status}: {said[-300:]}", file=sys.stderr)
        return status, said

    def _started(self, *words: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-m", "medweave", *words],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env={**os.environ, "MEDWEAVE_STORE_TIMEOUT": str(_PATIENCE)},
        )

    def _is_right(self, url: str) -> bool:
        with KnowledgeBase.open(url, create=False, timeout=_PATIENCE) as base:
            return base.version.hash == self._after and base.check() == []


def _is_begun(url: str) -> bool:
    """Whether there is some of a copy."""
    try:
        with KnowledgeBase.open(url, create=False, timeout=_PATIENCE):
            return True
    except NotFoundError:
        return False
    except StoreError:
        return True


def _is_told(status: int, said: str) -> bool:
    right = status == 1 and "Error" in said and PASSWORD not in said and "Traceback" not in said
    if not right:
        print(f"ended with {status}: {said[-300:]}", file=sys.stderr, flush=True)
    return right


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
