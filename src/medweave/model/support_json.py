"""The JSON form of statements with their evidence, as answers and queries share it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from medweave.model.document import Document
from medweave.model.entity import Entity
from medweave.model.json_form import json_of
from medweave.model.statement import Evidence, Literal, Statement, SupportedStatement
from medweave.model.stores import store_of


class SupportForm:
    """Numbers statements (`s1`, `s2`, …) and evidence (`e1`, `e2`, …), and writes them."""

    def __init__(
        self,
        statements: Mapping[str, SupportedStatement],
        entities: Mapping[str, Entity],
        documents: Mapping[str, Document],
        beliefs: Mapping[str, float],
        language: str,
    ) -> None:
        self._statements = statements
        self._entities = entities
        self._documents = documents
        self._beliefs = beliefs
        self._language = language
        self._statement_keys = {
            identifier: f"s{number}" for number, identifier in enumerate(statements, 1)
        }
        every = [item for found in statements.values() for item in found.evidence]
        self._evidence_keys = {item.id: f"e{number}" for number, item in enumerate(every, 1)}

    def to_json(self) -> dict[str, Any]:
        """All statements and all evidence by their numbers."""
        return {
            "statements": {
                self._statement_keys[identifier]: self._statement(found)
                for identifier, found in self._statements.items()
            },
            "evidence": {
                self._evidence_keys[item.id]: self._evidence(item)
                for found in self._statements.values()
                for item in found.evidence
            },
        }

    def whole(self, found: SupportedStatement) -> dict[str, Any]:
        """A statement with its evidence in place of the numbers of it: what its reader can read
        comes first."""

        def foreign(item: Evidence) -> bool:
            return self._documents[item.document].language != self._language

        evidence = [self._evidence(item) for item in sorted(found.evidence, key=foreign)]
        return self._statement(found) | {"evidence": evidence}

    def key(self, statement: str) -> str:
        """The number of a statement."""
        return self._statement_keys[statement]

    def keys(self, statements: Iterable[str]) -> list[str]:
        """The numbers of statements."""
        return [self._statement_keys[identifier] for identifier in statements]

    def evidence_keys(self, evidence: Iterable[Evidence]) -> list[str]:
        """The numbers of pieces of evidence."""
        return [self._evidence_keys[item.id] for item in evidence]

    def _statement(self, found: SupportedStatement) -> dict[str, Any]:
        statement = found.statement
        return {
            "id": statement.id,
            "subject": named_form(self._entities[statement.subject], self._language),
            "predicate": statement.predicate,
            "object": self._object(statement),
            "qualifiers": dict(statement.qualifiers),
            "belief": round(self._beliefs.get(statement.id, 0.0), 4),
            "evidence": [self._evidence_keys[item.id] for item in found.evidence],
        }

    def _object(self, statement: Statement) -> dict[str, Any]:
        if isinstance(statement.object, Literal):
            return literal_form(statement.object)
        return named_form(self._entities[statement.object], self._language)

    def _evidence(self, evidence: Evidence) -> dict[str, Any]:
        document = self._documents[evidence.document]
        return {
            **json_of(document, "document=name title"),
            "place": json_of(evidence.place, "start end field"),
            "quote": evidence.quote,
            "url": document.url or None,
            **json_of(
                evidence,
                "class=evidence_class inferred knowledge_level agent_type polarity strength "
                "confidence method cites",
            ),
            **json_of(document, "sample source"),
            **({"store": store} if (store := store_of(evidence.document)[1]) else {}),
        }


def named_form(entity: Entity, language: str) -> dict[str, Any]:
    """A thing as it is named in a language."""
    return {"id": entity.id, "name": entity.name(language), "concept": entity.concept}


def literal_form(value: Literal) -> dict[str, Any]:
    """A value."""
    return json_of(value, "value unit? language?")
