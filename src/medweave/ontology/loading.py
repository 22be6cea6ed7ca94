"""An ontology by what it is called: the one that ships, or a file."""

from __future__ import annotations

import gzip
from functools import cache
from pathlib import Path

from medweave.errors import NotFoundError, OntologyError
from medweave.language.data import shipped
from medweave.model.ontology import Ontology
from medweave.ontology.checks import checked
from medweave.ontology.form import read_form
from medweave.ontology.owl import read_owl

SHIPPED = "causalamd"
_MOST = 64_000_000
"""Bytes of a file, unpacked: what is larger is no ontology that abstracts are read by."""
_OURS = (".yaml", ".yml", ".json")


def ontology_in(name: str = SHIPPED) -> Ontology:
    """The ontology that a name stands for: `causalamd`, or a file (OWL, or our form).

    Raises `NotFoundError` where there is none, `OntologyError` where it cannot be read or used.

    >>> [entry.term for entry in ontology_in("causalamd").predicates][:3]
    ['affect', 'cause', 'treat']
    """
    return checked(written_ontology(name), name)


def written_ontology(name: str) -> Ontology:
    """The same as it stands there, whether or not it can be used."""
    if name == SHIPPED:
        return _shipped()
    path = Path(name)
    if not path.is_file():
        raise NotFoundError(
            "there is no such ontology", where=name, remedy=f"give {SHIPPED}, or a file"
        )
    return _read(path)


@cache
def _shipped() -> Ontology:
    place = shipped("ontology", f"{SHIPPED}.ttl")
    return read_owl(place.read_bytes(), suffix=".ttl", where=place.name)


def _read(path: Path) -> Ontology:
    opened = gzip.open if path.suffix == ".gz" else open
    try:
        with opened(path, "rb") as file:
            content = file.read(_MOST + 1)
    except (OSError, EOFError) as error:
        raise OntologyError(f"this cannot be read: {error}", where=str(path)) from error
    if len(content) > _MOST:
        raise OntologyError(
            f"this is larger than {_MOST // 1_000_000} MB",
            where=str(path),
            remedy="give the classes and properties without what they are used for",
        )
    suffix = path.with_suffix("").suffix if path.suffix == ".gz" else path.suffix
    if suffix.lower() in _OURS and not content.lstrip().startswith((b'{"@', b'[{"@')):
        return read_form(content.decode("utf-8", "replace"), where=str(path))
    return read_owl(content, suffix=suffix.lower(), where=str(path))
