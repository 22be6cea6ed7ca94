"""Small worlds for tests of stores: documents with what they contribute, by hand or by chance.

>>> cold = document("cold", says("mw.condition:cold", "has_symptom", "mw.condition:cough"))
>>> [item.polarity for item in cold.evidence]
[1]
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from hypothesis import strategies as st

from medweave.language.folding import name_key
from medweave.language.slips import name_words
from medweave.language.stems import name_stems
from medweave.model.base_hash import add_terms, as_text, evidence_term
from medweave.model.document import Document, Extraction
from medweave.model.entity import NameMention
from medweave.model.identifiers import digest
from medweave.model.statement import (
    Activity,
    Evidence,
    EvidenceClass,
    Literal,
    Place,
    Statement,
    qualifiers_of,
)
from medweave.ports import (
    GraphStore,
    StoreView,
    SupportsActivities,
    SupportsBuildKeys,
    SupportsCounts,
    SupportsNames,
    SupportsNotes,
    SupportsNumbers,
    SupportsSources,
    SupportsTextSearch,
    SupportsWords,
)

COLD, FLU, COUGH, FEVER = (f"mw.condition:{name}" for name in ("cold", "flu", "cough", "fever"))
"""A few things to say something about."""
SYMPTOM, CAUSE = "has_symptom", "caused_by"
"""A few predicates to say it with."""


@dataclass(frozen=True, slots=True)
class Claim:
    """What one place of a document says: a statement, and what the document makes of it."""

    statement: Statement
    polarity: int = 1
    strength: float = 1.0
    quote: str = ""
    premises: tuple[str, ...] = ()
    evidence_class: EvidenceClass = "monograph"

    def evidence(self, document: str, position: int) -> Evidence:
        """The claim as evidence from the entry at `position` of a document."""
        return Evidence(
            statement=self.statement.id,
            document=document,
            place=Place("facts", position, position + 1),
            quote=self.quote,
            evidence_class=self.evidence_class,
            polarity=self.polarity,
            strength=self.strength,
            premises=self.premises,
            activity=ACTIVITY.id,
        )


ACTIVITY = Activity("test", "1", time="2026-01-01T00:00:00+00:00")
"""The run that made every world."""


def says(
    subject: str,
    predicate: str,
    object: str | Literal,
    *,
    qualifiers: Mapping[str, str | int | float | bool | None] | None = None,
    **how: Any,
) -> Claim:
    """A claim; `how` are further parts of `Claim`."""
    return Claim(Statement(subject, predicate, object, qualifiers_of(qualifiers or {})), **how)


def denies(subject: str, predicate: str, object: str | Literal, **how: Any) -> Claim:
    """A claim that a statement does not hold."""
    return says(subject, predicate, object, polarity=-1, **how)


def document(
    name: str,
    *claims: Claim,
    source: str = "/sources/one.json",
    text: str = "",
    mentions: Iterable[NameMention] = (),
    build_key: str = "1",
) -> Extraction:
    """A document of a source with all it contributes."""
    itself = Document(source, name, name.title(), (("name", name), ("text", text)))
    return Extraction(
        document=itself,
        build_key=build_key,
        statements=tuple({claim.statement.id: claim.statement for claim in claims}.values()),
        evidence=tuple(claim.evidence(itself.id, n) for n, claim in enumerate(claims)),
        mentions=tuple(mentions),
        activity=ACTIVITY,
    )


def names(entity: str, *texts: str, concept: str = "disease") -> list[NameMention]:
    """Mentions of one thing, the first name preferred."""
    return [
        NameMention(entity, text, "en", concept, preferred=number == 0)
        for number, text in enumerate(texts)
    ]


def cold_and_flu() -> list[Extraction]:
    """Two documents that share a thing, with a literal, a qualifier, and text in two languages."""
    return [
        document(
            "cold",
            says(COLD, SYMPTOM, COUGH),
            says(COLD, SYMPTOM, FEVER, qualifiers={"age_max_days": 365}),
            says(COLD, "treatment_advice", Literal("Rest in bed.", "en")),
            text="A cold brings a cough.",
            mentions=[*names(COLD, "cold", "common cold"), *names(COUGH, "cough")],
        ),
        document(
            "flu",
            says(FLU, SYMPTOM, FEVER),
            says(FLU, CAUSE, COLD),
            source="/sources/two.json",
            text="Influenza brings a fever, and so: 我得了感冒怎么办",
            mentions=[*names(FLU, "flu"), *names(COLD, "cold"), *names(FEVER, "fever")],
        ),
    ]


class Readable(
    GraphStore,
    SupportsActivities,
    SupportsBuildKeys,
    SupportsCounts,
    SupportsNames,
    SupportsNotes,
    SupportsNumbers,
    SupportsSources,
    SupportsTextSearch,
    SupportsWords,
    Protocol,
):
    """As much of a store as is compared: a view, or a store that can all of it itself."""


def contents(store: Readable) -> dict[str, Any]:
    """Everything a store tells, in a form two stores can be compared by."""
    version, tally, mentions = store.version(), store.tally(), store.mentions()
    words = {word for count in mentions for word in name_stems(count.mention.name)}
    spelled = {word for count in mentions for word in name_words(name_key(count.mention.name))}
    concepts = {count.mention.concept for count in mentions}
    return {
        "documents": [repr(found) for found in store.documents()],
        "statements": [repr(found) for found in store.match()],
        "mentions": mentions,
        "words": sorted(  # the names of one thing come in any order
            store.sharing_words(words, concepts, limit=1000),
            key=lambda name: (-name.share, name.thing, name.of, sorted(name.words)),
        ),
        "spelling": store.words_like(spelled, slips=2),
        "by word": store.count_by_word(words, concepts),
        "sources": {source: sorted(store.build_keys(source)) for source in store.sources()},
        "counts": store.counts(),
        "tally": tally,
        "topology": store.topology(lambda votes: max(sorted(votes), default="")),
        "edges": list(store.all_edges(sorted(tally.predicates))),
        "concepts": sorted(store.concept_votes(), key=lambda votes: votes[0]),
        "hash": version.hash,
    }


def recomputed_hash(store: Readable) -> str:
    """The hash a store should have, from nothing but the evidence it gives."""
    document_names = {found.id: found.name for found in store.documents()}
    terms = [
        evidence_term(item, document_names[item.document])
        for found in store.match()
        for item in found.evidence
    ]
    return as_text(add_terms(0, sum(terms)))


_THINGS = st.sampled_from([COLD, FLU, COUGH, FEVER])
_VALUES = st.sampled_from([Literal("rest", "en"), Literal(1), Literal(True), Literal(1.0)])
_QUALIFIERS: st.SearchStrategy[dict[str, str | int | float | bool | None]] = st.sampled_from(
    [{}, {"sex": "female"}, {"age_min_days": 30, "pregnancy": True}]
)

_MENTIONS = st.builds(
    NameMention,
    _THINGS,
    st.sampled_from(["it", "Its", "high fever", "Fevers", "流感"]),
    st.sampled_from(["en", "zh"]),
    st.sampled_from(["disease", "symptom"]),
    st.booleans(),
    st.sampled_from(["", "MONDO:1"]),
)


@st.composite
def claims(draw: st.DrawFn, premises: st.SearchStrategy[tuple[str, ...]] | None = None) -> Claim:
    """Claims about few things, so that documents agree, disagree and repeat each other."""
    return says(
        draw(_THINGS),
        draw(st.sampled_from([SYMPTOM, CAUSE])),
        draw(st.one_of(_THINGS, _VALUES)),
        qualifiers=draw(_QUALIFIERS),
        polarity=draw(st.sampled_from([1, -1])),
        strength=draw(st.sampled_from([1.0, 1, 0.5, 0.0, -0.0])),
        premises=draw(premises) if premises is not None else (),
    )


@st.composite
def documents(
    draw: st.DrawFn, premises: st.SearchStrategy[tuple[str, ...]] | None = None
) -> Extraction:
    """Documents of few names in few sources, so that one replaces another."""
    made = draw(st.lists(claims(premises), max_size=4))
    mentions = [name for claim in made for name in names(claim.statement.subject, "it")]
    mentions += draw(st.lists(_MENTIONS, max_size=2))
    return document(
        draw(st.sampled_from(["a", "b", "c"])),
        *made,
        source=draw(st.sampled_from(["/one.json", "/two.json"])),
        text=draw(st.sampled_from(["", "a cough", "流行性感冒"])),
        mentions=mentions,
        # What decides the mentions is part of a build key, as it is in a real build.
        build_key=f"{draw(st.sampled_from(['1', '2']))} {digest(sorted(map(repr, mentions)))}",
    )


@dataclass(frozen=True, slots=True)
class Change:
    """One step of a history: documents put together, then documents removed by id."""

    put: tuple[Extraction, ...] = ()
    remove: tuple[str, ...] = ()


def histories(
    some: st.SearchStrategy[Extraction] | None = None,
) -> st.SearchStrategy[list[Change]]:
    """Steps that add, change and remove documents, some of them in vain."""
    drawn = documents() if some is None else some
    put = st.lists(drawn, max_size=4).map(tuple)
    gone = st.lists(drawn.map(lambda made: made.document.id), max_size=2).map(tuple)
    return st.lists(st.builds(Change, put, gone), max_size=5)


def inferring_documents() -> st.SearchStrategy[Extraction]:
    """Documents whose claims may rest on each other, on other documents, and on themselves."""
    ids = [document(n, source=s).document.id for n in "abc" for s in ("/one.json", "/two.json")]
    ids += [Statement(s, SYMPTOM, o).id for s in (COLD, FLU) for o in (COUGH, FEVER)]
    return documents(st.lists(st.sampled_from(ids), max_size=2).map(tuple))


def live_through(store: StoreView, history: Iterable[Change]) -> dict[str, Extraction]:
    """Do all of a history to a store; the documents it ends with, by id."""
    final: dict[str, Extraction] = {}
    for change in history:
        store.put(change.put)
        store.remove(change.remove)
        final |= {extraction.document.id: extraction for extraction in change.put}
        final = {name: put for name, put in final.items() if name not in change.remove}
    return final
