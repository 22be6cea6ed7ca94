"""The tests of stores on real servers, two servers at a time: `make test-services`.

    python -m scripts.services.run [NAME…]

A server that cannot be had on this machine is skipped, with the reason. The exit status is 1 where
a test failed.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from subprocess import PIPE, STDOUT
from time import monotonic
from xml.etree import ElementTree

from scripts.services.fetching import UnavailableError
from scripts.services.servers import SERVERS, Server

TESTS = Path(__file__).parents[2] / "tests" / "services"
_AT_ONCE = 2
_RUNNING: set[subprocess.Popen[bytes]] = set()
"""The tests that run."""
_EXAMPLES = "2"
"""Of each property: every one is a base of its own, and hundreds of turns on the wire."""


@dataclass
class Outcome:
    """What became of the tests on one server."""

    passed: int = 0
    failed: int = 0
    skipped: Counter[str] = field(default_factory=Counter)
    """By reason."""

    def __str__(self) -> str:
        parts = [f"{self.passed} passed"]
        parts += [f"{self.failed} FAILED"] if self.failed else []
        if self.skipped:
            reasons = "; ".join(f"{count}: {why}" for why, count in sorted(self.skipped.items()))
            parts.append(f"{self.skipped.total()} skipped ({reasons})")
        return ", ".join(parts)


def main(names: list[str]) -> int:
    """Run the tests of each server; one line for each comes last.

    A test waits for its server, and the server for the test: two pairs keep two cores busy.
    """
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # what was started is stopped
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        try:
            outcomes = list(pool.map(_line_of, names or SERVERS))
        except KeyboardInterrupt:
            pool.shutdown(wait=False, cancel_futures=True)
            for process in _RUNNING:
                process.terminate()
            raise
    print("\n".join(line for line, _ in outcomes))
    return int(any(failed for _, failed in outcomes))


def _line_of(name: str) -> tuple[str, int]:
    """What became of the tests on one server, in a line, and how many failed."""
    started = monotonic()
    try:
        version, outcome = _tested(SERVERS[name]())
    except UnavailableError as error:
        return f"{name}: skipped, as {error}", 0
    return f"{name} {version}: {outcome}, {monotonic() - started:.0f} s", outcome.failed


def _tested(server: Server) -> tuple[str, Outcome]:
    """The version of a server, and what became of its tests; one that a variable names is taken."""
    variable = f"MEDWEAVE_TEST_{server.name.upper()}"
    if os.environ.get(variable):
        return f"of {variable}", _run(server.name, {})
    with server.running():
        given = {
            variable: server.url,
            "MEDWEAVE_STORE_USER": server.user,
            "MEDWEAVE_STORE_PASSWORD": server.password,
            **server.environment_of_tests(),
        }
        return server.version(), _run(server.name, given)


def _run(name: str, given: Mapping[str, str]) -> Outcome:
    tests = sorted(map(str, TESTS.glob(f"test_{name}*.py")))
    if not tests:
        return Outcome(skipped=Counter(["no store speaks to it yet"]))
    environment = {**os.environ, **given, "MEDWEAVE_TEST_EXAMPLES": _EXAMPLES}
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        command = [*(sys.executable, "-m", "pytest", "-n", "0"), f"--junitxml={report}", *tests]
        print(f"{name}: its tests begin", flush=True)
        with subprocess.Popen(command, env=environment, stdout=PIPE, stderr=STDOUT) as process:
            _RUNNING.add(process)
            told, _ = process.communicate()
        _RUNNING.discard(process)
        print(f"{name}:\n{told.decode()}", flush=True)  # whole, as another's tests run beside it
        return _read(report, process.returncode)


def _read(report: Path, ended: int) -> Outcome:
    """What a report of pytest tells; a run that broke off has failed."""
    outcome = Outcome(failed=int(ended not in (0, 1)))
    if not report.exists():
        return outcome
    for case in ElementTree.parse(report).iter("testcase"):
        skipped = case.find("skipped")
        if skipped is not None:
            outcome.skipped[skipped.get("message", "")] += 1
        elif case.find("failure") is not None or case.find("error") is not None:
            outcome.failed += 1
        else:
            outcome.passed += 1
    return outcome


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
