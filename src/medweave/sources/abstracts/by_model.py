"""An abstract read by a language model: one request, and where nothing of its reply can be used, at
most two more that show the model what was wrong."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from medweave.model.prompt import ChatMessage, Prompt
from medweave.model.record import Record
from medweave.ports import LanguageModel
from medweave.sources.abstracts.extracted import Dropped, ReadAbstract
from medweave.sources.abstracts.model_relations import ReplyReader
from medweave.sources.abstracts.prompt import NO_EXAMPLES, Examples, abstract_prompt
from medweave.sources.abstracts.readers import abstract_ontology, rule_reader
from medweave.sources.abstracts.reading import TEXT
from medweave.sources.abstracts.replies import RepliedRelations, replied_relations
from medweave.sources.kinds import Filled
from medweave.sources.names import Naming

VERSION = "1"
"""Raise it when prompts are made, or replies read, differently: abstracts are then read again."""
REQUESTS = 3
"""For one abstract, at most."""
_LONGEST = 40_000
"""Characters of a text; rules read what is longer."""
_REPEATED = 4_000
"""Characters of a bad reply that the model is shown."""
_EXAMPLES_OF_WRONG = 10
_AGAIN = """\
Nothing in that reply can be used:
{wrong}
Reply again for the same abstract, with the one object that was asked for and nothing else. Where \
the abstract says nothing of the kind, reply {{"relations": []}}."""
_NO_RELATIONS = "- it has no list of relations"
_WRONG = {
    "broken": "a field is missing or cannot be read",
    "label": "this is no label of a relation or of a type",
    "domain": "entity1 of this relation cannot be of this type",
    "range": "entity2 of this relation cannot be of this type",
    "not_in_text": "a name or the quote does not stand in the abstract, word for word",
    "self": "it relates a thing to itself",
}


def reader(model: str) -> str:
    """A model and what it is asked of an abstract, besides the ontology."""
    return f"{model} abstracts {VERSION}"


@dataclass(frozen=True)
class AbstractsByModel:
    """How abstracts are read by a model, with labelled documents as its examples."""

    examples: Examples = NO_EXAMPLES

    def filled(self, record: Record, model: LanguageModel, naming: Naming) -> Filled:
        """A record with what a model reads in it; with why, where rules must read it.

        Raises `LanguageModelError`.
        """
        ontology = abstract_ontology(naming)
        text = record.document.text(TEXT)
        if len(text) > _LONGEST:
            return Filled(_by_rules(record), 0, f"it has more than {_LONGEST:,} characters")
        replies = ReplyReader(record.document, ontology, naming, rule_reader(ontology))
        prompt = abstract_prompt(ontology, text, self.examples)
        dropped: tuple[Dropped, ...] = ()
        for _ in range(REQUESTS):
            written = model.write(prompt).text
            replied = replied_relations(written)
            read = replies.read(replied)
            if read.relations or replied.says_nothing:
                return Filled(replace(record, content=read), len(read.dropped))
            dropped = read.dropped
            prompt = _retry(prompt, written, replied, read)
        why = f"{REQUESTS} replies had nothing that can be used ({_reasons(dropped)})"
        return Filled(_by_rules(record, dropped), len(dropped), why)


def _by_rules(record: Record, dropped: Sequence[Dropped] = ()) -> Record:
    return replace(record, reader="", content=tuple(dropped) or None)


def _retry(asked: Prompt, reply: str, replied: RepliedRelations, read: ReadAbstract) -> Prompt:
    """The same once more, behind all that was replied and what is wrong with it."""
    wrong = [f"- {each.what}: {_WRONG[each.reason]}" for each in read.dropped]
    said = "\n".join(wrong[:_EXAMPLES_OF_WRONG]) if replied.found or wrong else _NO_RELATIONS
    before = (
        *asked.history,
        ChatMessage("user", asked.material),
        ChatMessage("assistant", reply[:_REPEATED].strip() or "(nothing)"),
    )
    return replace(asked, material=_AGAIN.format(wrong=said), history=before)


def _reasons(dropped: Sequence[Dropped]) -> str:
    reasons = dict.fromkeys(each.reason for each in dropped)
    return ", ".join(reasons) if reasons else "no relations"
