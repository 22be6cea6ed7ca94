"""What follows, kept in a base: a document of its own, which goes whenever it is wished."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import accumulate

from medweave.graph.decisions import put_decided
from medweave.model.document import Document, Extraction
from medweave.model.ontology import Ontology
from medweave.model.rdf_layout import INFERRED
from medweave.model.statement import EVIDENCE_CLASSES, Activity, Evidence, Place, SupportedStatement
from medweave.ports import StoreView
from medweave.reasoning.reason import Inferred, Reasoned

METHOD = "reasoning"
VERSION = "1"
_FIELD = "axioms"


def keep_inferred(store: StoreView, reasoned: Reasoned, ontology: Ontology) -> None:
    """Put what follows in the place of all that was inferred before."""
    with store.transaction():
        forget_inferred(store)
        if reasoned.inferred:
            put_decided(store, [_extraction(store, reasoned, ontology)])


def forget_inferred(store: StoreView) -> int:
    """Take out what was inferred; how many statements that were."""
    documents = [document.id for document in store.documents(source=INFERRED)]
    before = store.counts().evidence
    store.remove(documents)
    return before - store.counts().evidence


def _extraction(store: StoreView, reasoned: Reasoned, ontology: Ontology) -> Extraction:
    lines = sorted({each.axiom for each in reasoned.inferred})
    starts = dict(
        zip(lines, accumulate((len(line) + 1 for line in lines), initial=0), strict=False)
    )
    name = f"what follows by {ontology.id}"
    document = Document(INFERRED, name, name, ((_FIELD, "\n".join(lines)),), evidence_class="model")
    run = Activity(f"{METHOD}-{reasoned.engine}", VERSION, ontology.digest())
    premises = _premises(store, reasoned.inferred)
    evidence = tuple(
        _evidence(each, document, run, starts[each.axiom], premises) for each in reasoned.inferred
    )
    statements = tuple(each.statement for each in reasoned.inferred)
    return Extraction(document, "", statements, evidence, (), run)


def _premises(store: StoreView, inferred: Iterable[Inferred]) -> dict[str, SupportedStatement]:
    identifiers = dict.fromkeys(premise for each in inferred for premise in each.why)
    return {each.statement.id: each for each in store.statements(identifiers)}


def _evidence(
    inferred: Inferred,
    document: Document,
    run: Activity,
    start: int,
    premises: dict[str, SupportedStatement],
) -> Evidence:
    """As sure as the weakest of its premises, and of no higher class."""
    best = [
        max(premises[each].affirmed, key=lambda item: item.strength * item.confidence)
        for each in inferred.why
    ]
    weakest = max((item.evidence_class for item in best), key=EVIDENCE_CLASSES.index)
    return Evidence(
        inferred.statement.id,
        document.id,
        Place(_FIELD, start, start + len(inferred.axiom)),
        inferred.axiom,
        weakest,
        strength=min(item.strength for item in best),
        confidence=min(item.confidence for item in best),
        knowledge_level="logical_entailment",
        agent_type="automated_agent",
        method=METHOD,
        premises=inferred.why,
        activity=run.id,
    )
