"""A dialogue read by a language model: its sections, as far as they rest on what is said."""

from __future__ import annotations

from dataclasses import replace

from medweave.model.dialogue import Dialogue
from medweave.model.record import Record
from medweave.ports import LanguageModel
from medweave.sources.dialogues.prompts import (
    believed,
    dialogue_prompt,
    reader_of,
    reads_by_model,
)
from medweave.sources.dialogues.tree import given_sections
from medweave.sources.kinds import Filled
from medweave.sources.names import Naming
from medweave.vocabulary.dialogue_template import shipped_template

REQUESTS = 2
"""For one dialogue, at most: a reply that does not keep to the schema is asked for once more."""


def reader(model: str) -> str:
    """A model and everything that it is asked of a dialogue."""
    return reader_of(model, shipped_template())


def filled(record: Record, model: LanguageModel, _naming: Naming) -> Filled:
    """A record with the sections that the model finds. Raises `LanguageModelError`."""
    template = shipped_template()
    dialogue: Dialogue = record.content
    if not reads_by_model(dialogue, template):
        why = f"it has no turns, or more than {template.prompts.most:,} characters"
        return Filled(replace(record, reader=""), 0, why)
    given = [section.name for section in given_sections(dialogue, template)]
    reply = model.fill(dialogue_prompt(dialogue.turns, template, without=given))
    found = believed(reply.content, dialogue.turns, template)
    read = replace(record, content=replace(dialogue, sections=found.sections))
    return Filled(read, found.dropped)
