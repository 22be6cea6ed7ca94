"""Identifiers as IRIs, and IRIs as identifiers.

A CURIE of a known registry gets the registry's IRI, an IRI stays what it is, and everything else
(also every statement, piece of evidence and document) stands below `urn:medweave:`.
"""

from __future__ import annotations

from urllib.parse import quote, unquote

LOCAL = "urn:medweave:"
TERMS = "urn:medweave:term#"
"""Our own classes and properties of RDF."""
RELATION = "urn:medweave:relation:"
"""Predicates of the vocabulary."""

_OBO = "http://purl.obolibrary.org/obo/"
_REGISTRIES = {
    "MONDO": _OBO + "MONDO_",
    "DOID": _OBO + "DOID_",
    "HP": _OBO + "HP_",
    "UBERON": _OBO + "UBERON_",
    "CHEBI": _OBO + "CHEBI_",
    "NCBIGene": "http://identifiers.org/ncbigene/",
    "HGNC": "http://identifiers.org/hgnc/",
    "MESH": "http://id.nlm.nih.gov/mesh/",
    "RXCUI": "http://purl.bioontology.org/ontology/RXNORM/",
    "ATC": "http://purl.bioontology.org/ontology/ATC/",
    "LOINC": "http://loinc.org/rdf/",
    "DRUGBANK": "http://identifiers.org/drugbank/",
    "PMID": "https://pubmed.ncbi.nlm.nih.gov/",
    "DOI": "https://doi.org/",
}
_SAFE = "!$&'()*+,;=:@/?#-._~"
"""What may stand in an IRI beside letters and digits."""
_SCHEMES = ("http://", "https://", "urn:")


def iri_of(identifier: str) -> str:
    """The IRI of a thing, a document or whatever else has an identifier.

    >>> iri_of("MONDO:0005249"), iri_of("mw.condition:chest_pain")
    ('http://purl.obolibrary.org/obo/MONDO_0005249', 'urn:medweave:mw.condition:chest_pain')
    >>> iri_of("http://example.org/eyes#macula")
    'http://example.org/eyes#macula'
    """
    prefix, _, local = identifier.partition(":")
    if prefix in _REGISTRIES and local == quote(local, safe=""):
        return _REGISTRIES[prefix] + local
    foreign = identifier.startswith(_SCHEMES) and not identifier.startswith(LOCAL)
    whole = identifier == quote(identifier, safe=_SAFE + "%")
    if foreign and whole and not _of_registry(identifier):
        return identifier
    return LOCAL + quote(identifier, safe=":._-~@/")


def identifier_of(iri: str) -> str:
    """What `iri_of` made an IRI of.

    >>> identifier_of("urn:medweave:mw.condition:chest_pain")
    'mw.condition:chest_pain'
    """
    if iri.startswith(LOCAL):
        return unquote(iri.removeprefix(LOCAL))
    return _of_registry(iri) or iri


def _of_registry(iri: str) -> str:
    for prefix, begins in _REGISTRIES.items():
        if iri.startswith(begins):
            return f"{prefix}:{iri.removeprefix(begins)}"
    return ""
