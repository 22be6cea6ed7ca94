"""The things, documents and statements of a base as objects of Weaviate that refer to each other.

They are for who looks at a base there; nothing of an answer is read from them. They follow the base
after each change of it, and where it is not known what changed, all are held against it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any

from weaviate.classes.config import Configure, DataType, Property, ReferenceProperty
from weaviate.classes.data import DataObject
from weaviate.classes.query import Filter
from weaviate.util import generate_uuid5

from medweave.errors import StoreError
from medweave.model.batches import batches
from medweave.model.document import Document, Extraction
from medweave.model.edge import statement_number
from medweave.model.statement import SupportedStatement
from medweave.ports import MentionCount, StoreView
from medweave.stores.order import object_text
from medweave.stores.weaviate.client import Weaviate, plain_text

_KINDS = ("Entity", "Publication", "Relation")
_AT_ONCE = 200
_THE_BASE = generate_uuid5("the base")


class Touched:
    """What a change of a base may have changed."""

    def __init__(self) -> None:
        self.things: set[str] = set()
        self.documents: set[str] = set()
        self.statements: set[int] = set()

    def add(self, extraction: Extraction) -> None:
        """All that a document contributes, or did."""
        self.documents.add(extraction.document.id)
        self.things.update(mention.entity for mention in extraction.mentions)
        for supported in extraction.statements:
            self.things.update(supported.entities)
            self.statements.add(statement_number(supported.id))

    def __bool__(self) -> bool:
        return bool(self.documents)


class WeaviateObjects:
    """The three collections of a base, and the one object that says whose they are."""

    def __init__(self, server: Weaviate, view: StoreView) -> None:
        self._server = server
        self._view = view
        self._shown: int | None = None
        """What was shown last, as far as this process knows."""
        self.check_owner()

    # whose they are

    def check_owner(self) -> None:
        """Raises `StoreError` where the collections belong to another base, or to others."""
        self._server.refuse_foreign("Base")
        held = self._base()
        if held is not None and held["identifier"] != self._view.version().id:
            raise StoreError(
                "these collections hold the vectors of another base",
                where=self._server.where,
                remedy="name others with ?base=NAME, or take them out",
            )

    def shown(self) -> int | None:
        """The revision of the base at which the objects stand; None where there are none."""
        held = self._base()
        self._shown = None if held is None else int(held["revision"])
        return self._shown

    def _base(self) -> dict[str, Any] | None:
        collection = self._server.collection("Base")
        if collection is None:
            return None
        found = self._server.call(collection.query.fetch_object_by_id, _THE_BASE)
        return None if found is None else dict(found.properties)

    def make(self) -> None:
        """Make the collections. Raises `StoreError` where one of their names is taken."""
        if self._shown is not None or self.shown() is not None:
            return
        self._server.refuse_foreign("Base", *_KINDS)  # before any of them is made
        number = Property(name="revision", data_type=DataType.INT)
        self._make("Base", [plain_text("identifier"), number])
        identifier = plain_text("identifier")
        name = Property(name="name", data_type=DataType.TEXT)
        self._make("Entity", [identifier, name, plain_text("type")])
        self._make("Publication", [identifier, name, plain_text("state")])
        ends = {"subject": "Entity", "object": "Entity", "publication": "Publication"}
        self._make(
            "Relation",
            [identifier, plain_text("predicate"), plain_text("value")],
            references=[
                ReferenceProperty(name=end, target_collection=self._server.name(kind))
                for end, kind in ends.items()
            ],
        )
        self._set_shown(-1)

    def _make(self, kind: str, properties: list[Property], **how: Any) -> None:
        """A collection that is looked at, and searched by no vector."""
        vectors = Configure.Vectors.self_provided(vector_index_config=Configure.VectorIndex.flat())
        self._server.make(kind, properties=properties, vector_config=vectors, **how)

    def _set_shown(self, revision: int) -> None:
        properties = {"identifier": self._view.version().id, "revision": revision}
        self._server.insert("Base", [DataObject(uuid=_THE_BASE, properties=properties)])
        self._shown = revision

    # following

    def follow(self, touched: Touched, before: int, after: int) -> None:
        """Bring the objects from one revision to another, by what was touched between them."""
        known = self._shown == before or self.shown() == before
        changed = self._view.changes(before) if known else None
        if changed is None:
            self._follow_all()
        else:
            touched.statements |= changed
            self._follow(touched)
        self._set_shown(after)

    def _follow_all(self) -> None:
        right: dict[str, set[str]] = {kind: set() for kind in _KINDS}
        documents = [one for path in self._view.sources() for one in self._view.build_keys(path)]
        for part in batches(documents, _AT_ONCE):
            some = Touched()
            for extraction in self._view.contributions(part):
                some.add(extraction)
            self._follow(some)
            right["Publication"].update(map(_of_document, some.documents))
            right["Relation"].update(map(_of_statement, some.statements))
            right["Entity"].update(map(_of_thing, some.things))
        for kind, known in right.items():
            held = (str(one.uuid) for one in self._server.objects(kind, return_properties=[]))
            self._delete(kind, [uuid for uuid in held if uuid not in known])

    def states(self) -> dict[str, str]:
        """The documents that stand there, with the state of each."""
        held = (each.properties for each in self._server.objects("Publication"))
        return {each["identifier"]: each["state"] for each in held}

    def _follow(self, touched: Touched) -> None:
        for part in batches(sorted(touched.documents), _AT_ONCE):
            documents = {one.id: one for one in self._view.documents(part)}
            self._show("Publication", part, _of_document, documents, _publication)
        for some in batches(sorted(touched.things), _AT_ONCE):
            self._show("Entity", some, _of_thing, self._named(some), _entity)
        for numbers in batches(sorted(touched.statements), _AT_ONCE):
            supported = self._view.statements(numbers)
            held = {statement_number(one.statement.id): one for one in supported}
            self._show("Relation", numbers, _of_statement, held, _relation)

    def _named(self, things: Sequence[str]) -> dict[str, list[MentionCount]]:
        """How each of these things is named; a thing that nothing is said of is left out."""
        found: dict[str, list[MentionCount]] = defaultdict(list)
        for count in self._view.mentions(things):
            found[count.mention.entity].append(count)
        for thing in things:
            if thing not in found and (
                self._view.match(thing, limit=1) or self._view.match(object=thing, limit=1)
            ):
                found[thing] = []
        return found

    def _show(
        self,
        kind: str,
        touched: Iterable[Any],
        uuid: Callable[[Any], str],
        held: dict[Any, Any],
        made: Callable[[Any, Any], dict[str, Any]],
    ) -> None:
        """What is in the base is there, and what is not any more goes."""
        self._server.insert(
            kind, [DataObject(uuid=uuid(key), **made(key, one)) for key, one in held.items()]
        )
        self._delete(kind, [uuid(key) for key in touched if key not in held])

    def _delete(self, kind: str, uuids: Sequence[str]) -> None:
        for part in batches(uuids, _AT_ONCE):
            self._server.delete(kind, Filter.by_id().contains_any(part))


def _publication(identifier: str, document: Document) -> dict[str, Any]:
    state = document.content_key()
    return {"properties": {"identifier": identifier, "name": document.name, "state": state}}


def _entity(thing: str, counts: Collection[MentionCount]) -> dict[str, Any]:
    concepts: Counter[str] = Counter()
    for count in counts:
        concepts[count.mention.concept] += count.documents
    best = max(
        counts,
        key=lambda c: (c.mention.preferred, c.mention.language == "en", c.documents),
        default=None,
    )
    name = best.mention.name if best else thing
    concept = min(concepts, key=lambda each: (-concepts[each], each), default="")
    return {"properties": {"identifier": thing, "name": name, "type": concept}}


def _relation(_: int, supported: SupportedStatement) -> dict[str, Any]:
    one = supported.statement
    documents = dict.fromkeys(item.document for item in supported.evidence)
    references: dict[str, Any] = {
        "subject": _of_thing(one.subject),
        "publication": [_of_document(document) for document in documents],
    }
    value = ""
    if one.object_entity is None:
        value = object_text(one.object)
    else:
        references["object"] = _of_thing(one.object_entity)
    properties = {"identifier": one.id, "predicate": one.predicate, "value": value}
    return {"properties": properties, "references": references}


def _of_thing(identifier: str) -> str:
    return generate_uuid5(identifier, "thing")


def _of_document(identifier: str) -> str:
    return generate_uuid5(identifier, "document")


def _of_statement(number: int) -> str:
    return generate_uuid5(f"{number:x}", "statement")
