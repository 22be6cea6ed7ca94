"""The kind of monographs: one record about one disease, drug or other thing."""

from __future__ import annotations

from medweave.model.mapping import Mapping
from medweave.sources.kinds import Kind, register
from medweave.sources.monographs.extraction import extract, key
from medweave.sources.monographs.guess import guess
from medweave.sources.monographs.reading import NAME, monographs


def _columns(mapping: Mapping) -> set[str]:
    used = {rule.field for rule in mapping.fields} | {field for field, _ in mapping.xrefs}
    used |= {mapping.name_field, mapping.key_field, mapping.concept_field, mapping.synonym_field}
    return used | {mapping.language_field, mapping.url_field, mapping.identifier_field}


register(
    Kind(
        name=NAME,
        read=monographs,
        extract=extract,
        key=key,
        columns=_columns,
        guess=guess,
        last=True,
        ontology="",
    )
)
