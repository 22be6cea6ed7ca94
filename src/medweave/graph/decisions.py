"""Decisions of people about statements, kept in the base as documents of their own.

A statement that was accepted, or put in the place of another, has its reviewer's word as evidence.
One that was rejected or corrected is not in the base: the evidence of its sources is set aside in
the document of the decision, also when these are read anew, and comes back when it is accepted.
So nothing that answers a question need know of decisions, and they go wherever documents go.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from typing import Any

from medweave.errors import SourceError
from medweave.graph.contents import contents_of, extractions_of
from medweave.graph.payload import from_plain, to_plain
from medweave.model.decision import Decision
from medweave.model.document import Document, Extraction
from medweave.model.entity import NameMention
from medweave.model.statement import Activity, Evidence, Place, Statement
from medweave.ports import StoreView

SOURCE = "medweave:review"
"""The source of the documents in which decisions are kept."""
_METHOD = "review"
_WORDS, _RECORD = "decision", "record"
"""The fields of such a document: in words, and whole."""


def decisions(store: StoreView) -> tuple[Decision, ...]:
    """All decisions of a base, by statement. Raises `SourceError` for one that cannot be read."""
    found = (_read(document) for document in store.documents(source=SOURCE))
    return tuple(sorted(found, key=lambda decision: decision.statement.id))


def put_decided(store: StoreView, extractions: Sequence[Extraction]) -> None:
    """Put what sources say, without what was decided against: that is set aside."""
    arriving = [_read(each.document) for each in extractions if _is_decision(each.document)]
    known = {each.statement.id: each for each in (*decisions(store), *arriving)}
    barred = {name: decision for name, decision in known.items() if decision.bars}
    if not barred:
        store.put(extractions)
        return
    with store.transaction():
        store.put(_without_barred(store, extractions, barred))
        _set_aside(store, [barred[each.statement.id] for each in arriving if each.bars])


def _without_barred(
    store: StoreView, extractions: Sequence[Extraction], barred: dict[str, Decision]
) -> list[Extraction]:
    """The extractions as they may be put, and the decisions with what was set aside anew."""
    left: dict[str, Extraction] = {}
    aside = defaultdict[str, list[Evidence]](list)
    runs = {extraction.activity for extraction in extractions}
    for extraction in extractions:
        bars = () if _is_decision(extraction.document) else barred
        left[extraction.document.id], goes = without(extraction, bars)
        for item in goes:
            aside[item.statement].append(item)
    for name, items in aside.items():
        anew = {item.document for item in items}
        others = (item for item in barred[name].aside if item.document not in anew)
        barred[name] = _keeping(barred[name], (*others, *items), runs)
        document = _document_id(barred[name])
        mentions = left[document].mentions if document in left else _mentions(store, barred[name])
        left[document] = _extraction(barred[name], mentions)
    return list(left.values())


def without(
    extraction: Extraction, barred: Collection[str]
) -> tuple[Extraction, tuple[Evidence, ...]]:
    """An extraction without these statements, and the evidence it had of them."""
    aside = tuple(item for item in extraction.evidence if item.statement in barred)
    if not aside:
        return extraction, ()
    statements = tuple(each for each in extraction.statements if each.id not in barred)
    evidence = tuple(item for item in extraction.evidence if item.statement not in barred)
    return replace(extraction, statements=statements, evidence=evidence), aside


def decide(store: StoreView, decision: Decision, mentions: Sequence[NameMention] = ()) -> Decision:
    """Keep a decision in the place of an earlier one about its statement, and carry it out.

    `mentions` name the ends of the statement that holds. What an earlier decision set aside comes
    back first, of the documents that still say it. Returns the decision as it is kept.
    """
    fresh = replace(decision, aside=(), runs=())
    with store.transaction():
        earlier = next(
            (d for d in decisions(store) if d.statement.id == decision.statement.id), None
        )
        if earlier and earlier.bars:
            _give_back(store, earlier)
        store.put([_extraction(fresh, mentions)])
        _set_aside(store, [fresh] if decision.bars else [])
    return next(d for d in decisions(store) if d.statement.id == decision.statement.id)


def _set_aside(store: StoreView, barring: Iterable[Decision]) -> None:
    """Take the evidence of statements that do not hold out of the base, and keep it."""
    for decision in barring:
        name = decision.statement.id
        found = [item for each in store.statements([name]) for item in each.evidence]
        if not found:
            continue
        documents = {item.document for item in found}
        put = [without(each, {name})[0] for each in _of_documents(store, documents)]
        read = tuple(item for item in found if not item.inferred)  # what follows goes and comes
        kept = _keeping(decision, (*decision.aside, *read), store.activities())
        store.put([*put, _extraction(kept, _mentions(store, kept))])


def _keeping(decision: Decision, aside: Iterable[Evidence], runs: Iterable[Activity]) -> Decision:
    """A decision with the evidence that is set aside, and those of the runs that read it."""
    kept = _once(aside)
    known = {run.id: run for run in (*decision.runs, *runs)}
    used = sorted({item.activity for item in kept} & known.keys())
    return replace(decision, aside=kept, runs=tuple(known[each] for each in used))


def _give_back(store: StoreView, decision: Decision) -> None:
    """Put the evidence that was set aside back into the documents that still say it."""
    of_documents = defaultdict[str, list[Evidence]](list)
    for item in decision.aside:
        of_documents[item.document].append(item)
    store.remove([_document_id(decision)])
    runs = {run.id: run for run in decision.runs}
    put = []
    for extraction in _of_documents(store, set(of_documents)):
        back = [
            item
            for item in of_documents[extraction.document.id]
            if item.quote in extraction.document.text(item.place.field)
            and item not in extraction.evidence
        ]
        if back:
            named = {each.id: each for each in (*extraction.statements, decision.statement)}
            statements = tuple(named.values())
            evidence = (*extraction.evidence, *back)
            run = runs.get(back[0].activity, extraction.activity)
            put.append(replace(extraction, statements=statements, evidence=evidence, activity=run))
    store.put(put)


def _of_documents(store: StoreView, documents: Collection[str]) -> list[Extraction]:
    """What these documents contribute to the base. The whole base is looked through."""
    contents = contents_of(store)
    chosen = tuple(each for each in contents.documents if each.id in documents)
    return list(extractions_of(replace(contents, documents=chosen)))


def _mentions(store: StoreView, decision: Decision) -> tuple[NameMention, ...]:
    """The names that the document of a decision gives."""
    document = _document_id(decision)
    named = store.names(decision.upheld.entities)
    return tuple(mention for mention, of in named if of == document)


def _once(evidence: Iterable[Evidence]) -> tuple[Evidence, ...]:
    return tuple(dict.fromkeys(evidence))


# -- a decision as a document -----------------------------------------------------------------


def _is_decision(document: Document) -> bool:
    return document.source == SOURCE


def _document(decision: Decision, record: str) -> Document:
    words = f"{decision.verdict} by {decision.by or 'an unnamed reviewer'} on {decision.time[:10]}"
    fields = ((_WORDS, words), (_RECORD, record))
    title = f"a decision about {decision.statement.id}"
    return Document(SOURCE, decision.statement.id, title, fields, evidence_class="database")


def _document_id(decision: Decision) -> str:
    return _document(decision, "").id


def _extraction(decision: Decision, mentions: Sequence[NameMention]) -> Extraction:
    record = {
        "statement": to_plain(decision.statement),
        "verdict": decision.verdict,
        "by": decision.by,
        "time": decision.time,
        "replacement": to_plain(decision.replacement) if decision.replacement else None,
        "aside": [to_plain(item) for item in decision.aside],
        "runs": [to_plain(run) for run in decision.runs],
    }
    document = _document(decision, json.dumps(record, ensure_ascii=False, sort_keys=True))
    run = Activity(_METHOD, "1")
    if decision.verdict == "rejected":
        return Extraction(document, "", (), (), (), run)
    words = document.text(_WORDS)
    evidence = Evidence(
        decision.upheld.id,
        document.id,
        Place(_WORDS, 0, len(words)),
        words,
        document.evidence_class,
        method=_METHOD,
        activity=run.id,
    )
    return Extraction(document, "", (decision.upheld,), (evidence,), tuple(mentions), run)


def _read(document: Document) -> Decision:
    try:
        record: dict[str, Any] = json.loads(document.text(_RECORD))
        replaced = record["replacement"]
        return Decision(
            from_plain(Statement, record["statement"], document.name),
            record["verdict"],
            record["by"],
            record["time"],
            from_plain(Statement, replaced, document.name) if replaced else None,
            tuple(from_plain(Evidence, item, document.name) for item in record["aside"]),
            tuple(from_plain(Activity, run, document.name) for run in record["runs"]),
        )
    except (ValueError, KeyError, TypeError) as error:
        raise SourceError(
            "this decision of a reviewer cannot be read",
            where=document.name,
            remedy=f"remove it with `medweave remove {document.name}` and decide again",
        ) from error
