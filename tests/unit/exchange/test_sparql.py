"""Queries over a base as RDF: what they find, and what is refused."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from medweave.errors import QuestionError
from medweave.knowledge_base import KnowledgeBase
from medweave.testing.worlds import COLD, COUGH, FEVER, SYMPTOM, denies, document, says

_PREFIXES = "PREFIX mwr: <urn:medweave:relation:> PREFIX prov: <http://www.w3.org/ns/prov#>"


@pytest.fixture
def base(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[KnowledgeBase]:
    """A cold with a cough, and without a fever; what is made of it is kept in its own place."""
    monkeypatch.setattr("medweave.app.cache_folder", lambda: tmp_path)
    with KnowledgeBase.open("memory:") as made:
        claims = [says(COLD, SYMPTOM, COUGH, quote="a cough"), denies(COLD, SYMPTOM, FEVER)]
        made.knowledge.store.put([document("cold", *claims)])
        yield made


def _rows(text: str) -> list[dict[str, str]]:
    bindings = json.loads(text)["results"]["bindings"]
    return [{name: held["value"] for name, held in row.items()} for row in bindings]


def test_what_is_affirmed_is_a_triple_and_what_is_denied_is_none(base: KnowledgeBase) -> None:
    found = base.sparql(f"{_PREFIXES} SELECT ?o WHERE {{ <urn:medweave:{COLD}> mwr:{SYMPTOM} ?o }}")
    assert _rows(found.text) == [{"o": f"urn:medweave:{COUGH}"}]


def test_a_quote_is_found_behind_its_statement(base: KnowledgeBase) -> None:
    found = base.sparql(
        f"{_PREFIXES} SELECT ?quote WHERE {{ ?e prov:specializationOf ?s ; prov:value ?quote ."
        f" ?s <http://www.w3.org/1999/02/22-rdf-syntax-ns#object> <urn:medweave:{COUGH}> }}"
    )
    assert _rows(found.text) == [{"quote": "a cough"}]


def test_yes_or_no_and_a_graph(base: KnowledgeBase) -> None:
    asked = base.sparql(f"ASK {{ ?s <urn:medweave:relation:{SYMPTOM}> ?o }}")
    assert (asked.kind, json.loads(asked.text)["boolean"]) == ("boolean", True)
    graph = base.sparql("CONSTRUCT { ?s <urn:x:has> ?o } WHERE { ?s mwr:has_symptom ?o }".replace(
        "mwr:has_symptom", f"<urn:medweave:relation:{SYMPTOM}>"))  # fmt: skip
    assert graph.kind == "graph"
    assert f"<urn:medweave:{COLD}> <urn:x:has> <urn:medweave:{COUGH}>" in graph.text


def test_a_changed_base_is_asked_as_it_is_now(base: KnowledgeBase, tmp_path: Path) -> None:
    query = f"SELECT ?o WHERE {{ <urn:medweave:{COLD}> <urn:medweave:relation:{SYMPTOM}> ?o }}"
    assert len(_rows(base.sparql(query).text)) == 1
    base.knowledge.store.put([document("other", says(COLD, SYMPTOM, FEVER))])
    assert len(_rows(base.sparql(query).text)) == 2
    assert len(list((tmp_path / "rdf").glob("*/*"))) == 1


@pytest.mark.parametrize(
    "query",
    [
        "INSERT DATA { <urn:a> <urn:b> <urn:c> }",
        "DELETE WHERE { ?s ?p ?o }",
        "CLEAR ALL",
        "LOAD <http://127.0.0.1/x>",
        "SELECT * FROM <urn:x> WHERE { ?s ?p ?o }",
        "select * from named <urn:x> where { graph ?g { ?s ?p ?o } }",
        "SELECT * WHERE { SERVICE <http://127.0.0.1:1/> { ?s ?p ?o } }",
        "SELECT * WHERE { # nothing\n service silent ?x { ?s ?p ?o } }",
        "SELECT nothing",
        "",
    ],
)
def test_what_changes_or_leaves_the_base_is_refused(base: KnowledgeBase, query: str) -> None:
    with pytest.raises(QuestionError) as raised:
        base.sparql(query)
    assert raised.value.remedy


@pytest.mark.parametrize(
    "query",
    [
        "SELECT ?from WHERE { ?from ?service ?o }",
        "PREFIX from: <urn:from:> SELECT * WHERE { ?s from:service ?o }",
        "SELECT * WHERE { ?s ?p 'FROM a SERVICE' }",
        'SELECT * WHERE { ?s ?p """FROM\n"SERVICE" """ } # FROM',
        "SELECT * WHERE { ?s <urn:FROM/SERVICE> _:from }",
    ],
)
def test_words_that_only_look_like_it_are_no_matter(base: KnowledgeBase, query: str) -> None:
    assert base.sparql(query).kind == "solutions"


def test_a_query_without_end_is_stopped(base: KnowledgeBase) -> None:
    with pytest.raises(QuestionError, match="longer than 1 seconds"):
        everything = " ".join(f"?a{n} ?b{n} ?c{n} ." for n in range(9))
        base.sparql(f"SELECT (COUNT(*) AS ?n) WHERE {{ {everything} }}", timeout=1)


def test_a_plain_script_may_ask(tmp_path: Path) -> None:
    """The process of a query does not run the script that asks it once more."""
    script = tmp_path / "script.py"
    script.write_text(
        "from pathlib import Path\n"
        "import pyoxigraph\n"
        "from medweave.exchange.sparql import answer_query\n"
        "print('asking')\n"
        f"folder = Path({str(tmp_path)!r}) / 'rdf'\n"
        "pyoxigraph.Store(str(folder)).flush()\n"
        "print(answer_query(folder, 'ASK { }').text)\n"
    )
    ran = subprocess.run([sys.executable, script], capture_output=True, text=True, check=False)
    assert ran.stdout.count("asking") == 1, ran.stderr
    assert '"boolean":true' in ran.stdout, ran.stderr
