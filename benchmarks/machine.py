"""What a run was measured on."""

from __future__ import annotations

import os
import platform
import re
import subprocess
from collections.abc import Mapping
from importlib.metadata import distributions
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]


def describe(peers: Mapping[str, str]) -> dict[str, Any]:
    """The machine, the versions of everything that was run, and medweave's commit."""
    return {
        "cpu": _cpu(),
        "cores": os.cpu_count(),
        "memory_gb": round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9, 1),
        "system": f"{platform.system()} {platform.release()}",
        "python": platform.python_version(),
        "commit": _commit(),
        "packages": {d.name: d.version for d in sorted(distributions(), key=lambda d: d.name)},
        "peers": dict(peers),
    }


def slug(machine: Mapping[str, Any]) -> str:
    """A short name for files: the processor and its cores.

    >>> slug({"cpu": "Intel(R) Xeon(R) CPU @ 2.80GHz", "cores": 2})
    'intel-xeon-2-cores'
    """
    name = re.sub(r"\([^)]*\)|@.*|\b(CPU|Processor)\b", " ", str(machine["cpu"]))
    words = re.findall(r"[a-z0-9]+", name.lower())
    return "-".join([*words, str(machine["cores"]), "cores"])


def _cpu() -> str:
    for line in Path("/proc/cpuinfo").read_text("utf-8").split("\n"):
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.machine()


def _commit() -> str:
    def git(*words: str) -> str:
        ran = subprocess.run(
            ["git", "-C", ROOT, *words],  # noqa: S607 - wherever git is
            capture_output=True,
            check=False,
        )
        return ran.stdout.decode().strip()

    changed = git("status", "--porcelain", "--", "src")
    return (git("rev-parse", "--short=10", "HEAD") or "unknown") + (" + changes" if changed else "")
