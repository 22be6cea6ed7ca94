"""The terms of RDF, RDFS, OWL and SKOS that ontologies are read and written by."""

from __future__ import annotations

from medweave.model import rdf_layout

RDF, DCTERMS, PROV = rdf_layout.RDF, rdf_layout.DCTERMS, rdf_layout.PROV
RDFS = "http://www.w3.org/2000/01/rdf-schema#"
OWL = "http://www.w3.org/2002/07/owl#"
SKOS = "http://www.w3.org/2004/02/skos/core#"

LABELS = (SKOS + "prefLabel", RDFS + "label")
DEFINITIONS = (
    SKOS + "definition",
    RDFS + "comment",
    "http://purl.obolibrary.org/obo/IAO_0000115",
)
EXAMPLES = (SKOS + "example",)
SYNONYMS = (
    SKOS + "altLabel",
    "http://www.geneontology.org/formats/oboInOwl#hasExactSynonym",
)
PRIORITY = "priority"
"""How the IRI of the annotation ends that says which of two types goes first."""
CHARACTERISTIC_OF = {
    OWL + "SymmetricProperty": "symmetric",
    OWL + "AsymmetricProperty": "asymmetric",
    OWL + "TransitiveProperty": "transitive",
    OWL + "IrreflexiveProperty": "irreflexive",
}


def local_name(iri: str) -> str:
    """The last part of an IRI.

    >>> local_name("http://example.org/eyes#Eye_part"), local_name("urn:mine:macula")
    ('Eye_part', 'macula')
    """
    return iri.rstrip("#/").replace("#", "/").replace(":", "/").rsplit("/", 1)[-1]
