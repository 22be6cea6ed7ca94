"""How long an import takes in a new interpreter."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterator

from benchmarks.bench import Bench, parts
from benchmarks.results import Row, Target
from benchmarks.systems import GRAPHS, LIGHTRAG, LLAMAINDEX, MEDWEAVE, ROOT, System, WorkerError

TARGET = Target("< 0.1 s", 0.1)
_IMPORTS = {
    MEDWEAVE.name: "import medweave",
    LIGHTRAG.name: "from lightrag import LightRAG",
    LLAMAINDEX.name: "from llama_index.core.graph_stores import SimplePropertyGraphStore",
}
_CODE = "from time import perf_counter as now; start = now(); {}; print(now() - start)"


def measure(bench: Bench) -> Iterator[Row]:
    """One row."""

    def once(system: System) -> Callable[[], float] | str:
        if system.name in bench.missing:
            return bench.missing[system.name]
        return lambda: _seconds(system)

    systems = (MEDWEAVE, *GRAPHS)
    for system in systems:
        if system.name not in bench.missing:
            _seconds(system)  # the first import compiles
    found = bench.turns({s.name: once(s) for s in systems}, bench.sizes.repeats)
    yield Row("import", "import", 0, "s", **parts(found), target=TARGET,
              note="; ".join(_IMPORTS.values()))  # fmt: skip


def _seconds(system: System) -> float:
    ran = subprocess.run(
        [str(system.python), "-c", _CODE.format(_IMPORTS[system.name])],
        capture_output=True,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
        check=False,
    )
    if ran.returncode:
        raise WorkerError(ran.stderr.decode().strip().rsplit("\n", 1)[-1])
    return float(ran.stdout.decode().split()[-1])
