"""Collections in MongoDB that medweave did not make, asked where they are."""

import uuid
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pymongo import MongoClient

from medweave.inplace.documents import MongoDocuments
from tests.services.connected import connected, named
from tests.services.in_place import HOSTILE, FewOfMany, Foreign
from tests.services.service_stores import service

ADDRESS = service("mongodb")
MAPPING = """
name: clinic
language: en
parts:
  - {kind: monographs, collection: diseases, key_field: code, name_field: name,
     synonym_field: aliases, concept: disease,
     fields: {found.signs: {predicate: has_symptom, concept: symptom}}}
"""


@pytest.fixture
def foreign() -> Iterator[Foreign]:
    name = f"t{uuid.uuid4().hex[:16]}"
    yield Foreign(replace(ADDRESS, path=name), MAPPING)
    with _client() as client:
        client.drop_database(name)


def _client() -> MongoClient[dict[str, Any]]:
    return MongoClient(f"mongodb://{ADDRESS.hosts}/")


class TestMongoInPlace(FewOfMany):
    quote = ("diseases#c1", "found.signs")
    kind = MongoDocuments

    @pytest.fixture(autouse=True)
    def _diseases(self, foreign: Foreign) -> Iterator[None]:
        with _client() as client:
            self._of = client[foreign.address.path]["diseases"]
            signs = {"signs": ["fever", "headache"]}
            self._of.insert_one(
                {"code": "c1", "name": "river fever", "aliases": ["stream fever"], "found": signs}
            )
            for name in HOSTILE:
                self.change(foreign, name, "purple ears")
            yield

    def change(self, foreign: Foreign, disease: str, symptom: str) -> None:
        which, new = {"name": disease}, {"$push": {"found.signs": symptom}}
        if not self._of.find_one(which):
            self._of.insert_one({"name": disease, "code": disease, "found": {"signs": []}})
        self._of.update_one(which, new)

    def fill(self, foreign: Foreign, rows: list[tuple[str, str]]) -> None:
        self._of.insert_many(
            {"code": f"m{number}", "name": disease, "aliases": [], "found": {"signs": [symptom]}}
            for number, (disease, symptom) in enumerate(rows)
        )

    def rename(self, foreign: Foreign, before: str, after: str) -> None:
        # A server that counts no writes notices by the size alone.
        self._of.update_one(
            {"found.signs": before}, {"$set": {"found": {"signs": [after, "sores"]}}}
        )


def test_documents_with_lists_are_asked_with_no_mapping_written(
    foreign: Foreign, tmp_path: Path
) -> None:
    with _client() as client:
        database = client[foreign.address.path]
        database["visits"].insert_one({"day": 3})
        database["diseases"].insert_many(
            [
                {"name": "river fever", "aliases": ["stream fever"], "symptoms": ["fever", "ache"]},
                {"name": "hill pox", "aliases": [], "symptoms": ["spots"], "ward": "A"},
            ]
        )
    clinic = connected(foreign.address, tmp_path)
    assert clinic.left() == {"visits", "diseases.ward"}
    assert named(clinic.ask("What are the symptoms of stream fever?")) == {"fever", "ache"}
