"""Whether a base and a guideline say today what an audit file says that they said."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from medweave import __version__
from medweave.answering.compose import CANDIDATES
from medweave.audit.facts import rests_on
from medweave.audit.file import Broken, read_audit
from medweave.audit.record import output_hash
from medweave.errors import MedweaveError
from medweave.knowledge_base import KnowledgeBase
from medweave.model.json_form import json_of
from medweave.model.support_json import SupportForm
from medweave.retrieval.card import closure


@dataclass(frozen=True, slots=True)
class Replayed:
    """What came out as it was, what otherwise, and what could not be tried."""

    replayed: int
    same: int
    different: tuple[Broken, ...]
    not_replayable: tuple[int, ...]
    """Purged, made by a model, or an assessment from free text that was not kept."""

    def to_json(self) -> dict[str, Any]:
        """What `audit replay --json` prints."""
        return json_of(self, "replayed same different not_replayable")


def replay(path: Path, base: KnowledgeBase, guidelines: Sequence[str] = ("sample",)) -> Replayed:
    """Ask and classify anew what a file holds. Decisions and changes are nothing to replay.

    A question that was not kept cannot be asked anew: of its answer is seen whether all that it
    rested on, each statement and each passage, is in the base as it was.
    `guidelines` are `sample` or files; one that none of them is must be in the base.
    """
    named = {base.guideline(name).name: name for name in guidelines}
    same, different, left = 0, [], []
    for number, record in read_audit(path):
        if record is None:
            left.append(number)
        elif record["kind"] in ("answer", "assessment"):
            if not _replayable(record):
                left.append(record["n"])
            elif what := _difference(record, base, named):
                different.append(Broken(record["n"], what))
            else:
                same += 1
    return Replayed(same + len(different), same, tuple(different), tuple(left))


def _replayable(record: Mapping[str, Any]) -> bool:
    return not (record.get("purged") or record.get("without_text") or record.get("model"))


def _difference(record: Mapping[str, Any], base: KnowledgeBase, named: Mapping[str, str]) -> str:
    """What comes out otherwise; '' where nothing does."""
    if record["kind"] == "answer" and "text" not in record:
        return _gone(record, base)
    try:
        form = _again(record, base, named)
    except MedweaveError as error:
        return str(error)
    if output_hash(form) == record["output"]:
        return ""
    return "it comes out otherwise" + "".join(_changed_since(record, base))


def _gone(record: Mapping[str, Any], base: KnowledgeBase) -> str:
    """What an answer rested on and the base has no more; '' where it has all of it."""
    knowledge = base.knowledge
    held = {e.statement.id: e for e in knowledge.store.statements(record["statements"])}
    form = SupportForm(held, *closure(held.values(), knowledge), "en").to_json()
    there = set().union(*rests_on(form))
    gone = [each for each in (*record["statements"], *record["evidence"]) if each not in there]
    if not gone:
        return ""
    more = f" and {len(gone) - 1} more" if gone[1:] else ""
    return f"it rested on {gone[0]}{more}, not there now" + "".join(_changed_since(record, base))


def _changed_since(record: Mapping[str, Any], base: KnowledgeBase) -> Iterator[str]:
    then, now = (record.get("base") or {}).get("hash"), base.version.hash
    if then and then != now:
        yield ", from another base"
    if record["version"] != __version__:
        yield f", by version {__version__} in place of {record['version']}"


def _again(
    record: Mapping[str, Any], base: KnowledgeBase, named: Mapping[str, str]
) -> dict[str, Any]:
    facts = record["facts"]
    if record["kind"] == "answer":
        return base.ask(
            record["text"],
            candidates=facts.get("k", CANDIDATES),
            history=record.get("history", ()),
            guideline=facts.get("guideline", ""),
        ).to_json()
    typed = {"text": record["text"]} if record.get("text") else {}
    guideline = named.get(record["guideline"], record["guideline"])
    return base.classify({**facts, **typed}, guideline=guideline).to_json()
