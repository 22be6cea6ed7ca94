"""RDF that medweave did not make, asked where it is: see `service_stores`."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from medweave.stores.address import StoreAddress
from medweave.stores.sparql.client import HttpSparql
from tests.services.connected import connected, named

_PREFIXES = """PREFIX ex: <http://clinic.example/>
PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>
"""
_THINGS = """
ex:d1 a ex:Disease ; rdfs:label "river fever"@en ; ex:hasSymptom ex:s1 , ex:s2 .
ex:d2 a ex:Disease ; rdfs:label "hill pox" ; ex:hasSymptom ex:s3 .
ex:s1 a ex:Symptom ; rdfs:label "fever" . ex:s2 a ex:Symptom ; rdfs:label "it's \\"blue\\" toes}" .
ex:s3 a ex:Symptom ; rdfs:label "spots" . ex:w1 a ex:Ward ; rdfs:label "A" .
"""


class RdfInPlace:
    address: StoreAddress

    @pytest.fixture
    def service(self) -> Iterator[HttpSparql]:
        with closing(HttpSparql(self.address)) as service:
            service.update(f"{_PREFIXES} INSERT DATA {{ {_THINGS} }}")
            yield service
            service.update("DELETE { ?s ?p ?o } WHERE { ?s ?p ?o "
                           "FILTER(STRSTARTS(STR(?s), 'http://clinic.example/')) }")  # fmt: skip

    def test_classes_are_asked_with_no_mapping_written(
        self, service: HttpSparql, tmp_path: Path
    ) -> None:
        clinic = connected(self.address, tmp_path)
        question = "What are the symptoms of river fever?"
        assert "http://clinic.example/Ward" in clinic.left()
        assert named(clinic.ask(question)) == {"fever", 'it\'s "blue" toes}'}
        service.update(
            f"{_PREFIXES} INSERT DATA {{ GRAPH ex:more {{ ex:d1 ex:hasSymptom ex:s3 }} }}"
        )
        assert named(clinic.ask(question)) == {"fever", 'it\'s "blue" toes}', "spots"}
        service.update("DROP GRAPH <http://clinic.example/more>")
