"""How a base is written in RDF, wherever it is: exported into files, or kept in a store of RDF."""

from __future__ import annotations

from medweave.model.iris import LOCAL, RELATION, TERMS, identifier_of, iri_of

RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
DCTERMS = "http://purl.org/dc/terms/"
PROV = "http://www.w3.org/ns/prov#"
XSD = "http://www.w3.org/2001/XMLSchema#"
INFERRED = LOCAL + "inferred"
"""The graph of what was inferred."""
EVIDENCE_TERMS = {
    "evidence_class": "evidenceClass",
    "polarity": "polarity",
    "strength": "strength",
    "confidence": "confidence",
    "knowledge_level": "knowledgeLevel",
    "agent_type": "agentType",
    "method": "method",
}
"""What a piece of evidence says of itself, and the property that says it."""
PLACE_TERMS = {"field": "field", "start": "start", "end": "end"}
DOCUMENT_TERMS = {
    "title": DCTERMS + "title",
    "language": DCTERMS + "language",
    "source": DCTERMS + "source",
    "url": TERMS + "url",
    "evidence_class": TERMS + "evidenceClass",
    "sample": TERMS + "sample",
    "line": TERMS + "line",
}
ACTIVITY_TERMS = ("method", "version", "vocabulary", "model", "time")
NAME_TERMS = {"concept": "concept", "preferred": "preferred", "xref": "xref"}


def relation_iri(predicate: str) -> str:
    """The IRI of a predicate; one that came with its IRI keeps it."""
    return predicate if "://" in predicate else RELATION + iri_of(predicate).removeprefix(LOCAL)


def relation_of(iri: str) -> str:
    """The predicate that `relation_iri` made an IRI of.

    >>> relation_of(relation_iri("has symptom")), relation_of("http://example.org/has")
    ('has symptom', 'http://example.org/has')
    """
    known = iri.removeprefix(RELATION)
    return iri if known == iri else identifier_of(LOCAL + known)


def graph_of(source: str) -> str:
    """The graph in which stands what a source says."""
    return iri_of(f"source:{source}")
