"""Questions in SPARQL over a base as RDF: read-only, and stopped when they take too long.

The RDF of a revision is kept on disk, so that the next question need not make it again. A query
runs in a process of its own, as nothing else can stop one.
"""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TYPE_CHECKING, Literal

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
    context = get_context("spawn")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_run, args=(str(folder), query, theirs), daemon=True)
    process.start()
    theirs.close()
    try:
        if not ours.poll(timeout):
            raise QuestionError(
                f"this query took longer than {timeout:g} seconds",
                remedy="ask for less, or give it more with --timeout",
            )
        found = ours.recv()
    except EOFError as error:
        raise QuestionError("this query could not be run", remedy="ask for less") from error
    finally:
        process.kill()
        process.join()
        ours.close()
    if isinstance(found, SparqlResult):
        return found
    raise QuestionError(f"this is no query that can be answered: {found}", remedy="mend it")


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


def _run(folder: str, query: str, to: Connection) -> None:
    """In the process of the query: its result, or in words what is wrong with it."""
    import pyoxigraph

    store = pyoxigraph.Store.read_only(folder)
    try:
        found = store.query(query, prefixes=_KNOWN_PREFIXES, use_default_graph_as_union=True)
        to.send(_result(found))
    except (SyntaxError, ValueError, OSError, RuntimeError) as error:
        to.send(str(error))


def _result(
    found: pyoxigraph.QuerySolutions | pyoxigraph.QueryBoolean | pyoxigraph.QueryTriples,
) -> SparqlResult:
    import pyoxigraph

    if isinstance(found, pyoxigraph.QueryTriples):
        form = pyoxigraph.RdfFormat.TURTLE
        written = pyoxigraph.serialize(found, format=form, prefixes=PREFIXES) or b""
        return SparqlResult("graph", written.decode())
    results = (found.serialize(format=pyoxigraph.QueryResultsFormat.JSON) or b"").decode()
    if isinstance(found, pyoxigraph.QueryBoolean):
        return SparqlResult("boolean", results)
    return SparqlResult("solutions", results)
