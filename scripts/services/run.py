"""The tests of stores on real servers, one server after the other: `make test-services`.

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
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from xml.etree import ElementTree

from scripts.services.fetching import UnavailableError
from scripts.services.servers import SERVERS, Server

TESTS = Path(__file__).parents[2] / "tests" / "services"
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
    """Run the tests of each server; one line for each comes last."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # what was started is stopped
    lines, failed = [], 0
    for name in names or SERVERS:
        started = monotonic()
        try:
            version, outcome = _tested(SERVERS[name]())
        except UnavailableError as error:
            lines.append(f"{name}: skipped, as {error}")
            continue
        failed += outcome.failed
        lines.append(f"{name} {version}: {outcome}, {monotonic() - started:.0f} s")
    print("\n".join(lines))
    return int(failed > 0)


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
        ended = subprocess.run(command, env=environment, check=False).returncode
        return _read(report, ended)


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
