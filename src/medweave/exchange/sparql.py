"""Questions in SPARQL over a base as RDF: read-only, and stopped when they take too long.

The RDF of a revision is kept on disk, so that the next question need not make it again. A query
runs in a process of its own, as nothing else can stop one.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from medweave.errors import QuestionError
from medweave.exchange.rdf import PREFIXES, quads_of
from medweave.graph.contents import Contents, contents_of
from medweave.ontology.terms import OWL, RDFS
from medweave.vocabulary.knowledge import Knowledge

if TYPE_CHECKING:
    import pyoxigraph

TIMEOUT = 30.0
"""Seconds that a query may take."""
_KNOWN_PREFIXES = {**PREFIXES, "owl": OWL, "rdfs": RDFS}
"""Prefixes that a query need not declare."""
_REFUSED = ("SERVICE", "FROM")
_SKIPPED = re.compile(
    r"""<[^<>"{}|^`\\\s]*>"""  # an IRI
    r"""|'''(?:[^'\\]|\\.|'(?!''))*'''|\"\"\"(?:[^"\\]|\\.|"(?!""))*\"\"\""""
    r"""|'(?:[^'\\\n\r]|\\.)*'|"(?:[^"\\\n\r]|\\.)*"|\#[^\n\r]*""",
    re.VERBOSE | re.DOTALL,
)
_WORD = re.compile(r"(?<![\w?$:@.-])[A-Za-z]+(?![\w:.-])")


@dataclass(frozen=True, slots=True)
class SparqlResult:
    """What came of a query: results of SELECT and ASK, or a graph of CONSTRUCT and DESCRIBE."""

    kind: Literal["solutions", "boolean", "graph"]
    text: str
    """SPARQL 1.1 JSON results, or Turtle."""


def check_query(query: str) -> None:
    """Refuse a query that would look beyond the base. Raises `QuestionError`.

    >>> check_query("SELECT ?from WHERE { ?from ?p 'FROM' }")
    >>> check_query("SELECT * FROM <http://x> WHERE { ?s ?p ?o }")
    Traceback (most recent call last):
    ...
    medweave.errors.QuestionError: FROM is not answered, leave it out: a base is one graph
    """
    words = {word.upper() for word in _WORD.findall(_SKIPPED.sub(" ", query))}
    for word in _REFUSED:
        if word in words:
            remedy = "leave it out: a base is one graph"
            raise QuestionError(f"{word} is not answered", remedy=remedy)


def answer_query(folder: Path, query: str, *, timeout: float = TIMEOUT) -> SparqlResult:
    """Answer a query over the RDF in `folder`; see `keep_rdf`. Raises `QuestionError`."""
    check_query(query)
    found = _found_by_a_process(folder, query, timeout)
    if "wrong" in found:
        wrong = f"this is no query that can be answered: {found['wrong']}"
        raise QuestionError(wrong, remedy="mend it")
    return SparqlResult(found["kind"], found["text"])


def _found_by_a_process(folder: Path, query: str, timeout: float) -> dict[str, Any]:
    """What the process of a query wrote."""
    asked = {"folder": str(folder), "query": query, "prefixes": _KNOWN_PREFIXES}
    try:
        ran = subprocess.run(
            [sys.executable, "-P", "-m", "medweave.exchange.query_process"],
            input=json.dumps(asked).encode(),
            capture_output=True,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(at or "." for at in sys.path)},
            timeout=timeout,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise QuestionError(
            f"this query took longer than {timeout:g} seconds",
            remedy="ask for less, or give it more with --timeout",
        ) from error
    if ran.returncode:
        raise QuestionError("this query could not be run", remedy="ask for less")
    found: dict[str, Any] = json.loads(ran.stdout)
    return found


More = Callable[[Contents, Knowledge], Iterable["pyoxigraph.Quad"]]
"""What stands beside the RDF of a base."""


def keep_rdf(knowledge: Knowledge, folder: Path, more: More | None = None) -> Path:
    """The RDF of a base on disk (with `more`), made where it is not there yet; it takes the place
    of all that stands beside it. What is half made is never taken for whole."""
    import pyoxigraph

    if folder.is_dir():
        return folder
    contents = contents_of(knowledge.store)
    entities = knowledge.entities.all(contents.things)
    folder.parent.mkdir(parents=True, exist_ok=True)
    making = Path(tempfile.mkdtemp(prefix="making-", dir=folder.parent))
    store = pyoxigraph.Store(str(making))
    store.bulk_extend(quads_of(contents, entities, knowledge.vocabulary))
    store.bulk_extend(more(contents, knowledge) if more else ())
    store.flush()
    del store
    with suppress(OSError):  # another process was faster
        making.rename(folder)
    for other in folder.parent.iterdir():
        if other != folder:
            shutil.rmtree(other, ignore_errors=True)
    return folder
