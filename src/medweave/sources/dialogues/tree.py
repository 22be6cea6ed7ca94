"""From a dialogue to its tree: a root, a statement for each section, and links to other dialogues.

The tree is D = RuleParse(fields) + LLMParse(turns): what the record itself gives comes first, then
what a language model has read, where there is one; the rest of the template's sections are filled
from turns by rules. Nothing said in a dialogue becomes a
statement about a disease or a drug: whatever was taken or advised stays the text of a section.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache

from medweave.language.data import LANGUAGES, shipped
from medweave.language.segmentation import language_of
from medweave.model.dialogue import Dialogue, Part, Section, dialogue_curie
from medweave.model.dialogue_tree import HAS_SECTION
from medweave.model.document import Document, Skipped
from medweave.model.entity import NameMention
from medweave.model.identifiers import digest
from medweave.model.statement import Evidence, Literal, Place, Statement
from medweave.sources.dialogues.sections import parse_sections
from medweave.vocabulary.dialogue_references import RELATION, mentioned_in, relation_called
from medweave.vocabulary.dialogue_template import DialogueTemplate, shipped_template
from medweave.vocabulary.lexicon_names import lexicon_names_version

VERSION = "2"
"""Raise it when this code reads the same dialogue differently: dialogues are then read again."""
_CONFIDENCE = 0.9
"""Of what was found by cues, and not told by a field."""
_QUOTED, _WRITTEN = 0.7, 0.5
"""Of what a language model took over word for word, and of what it said in words of its own."""


@cache
def dialogue_version() -> str:
    """Changes whenever what is read out of dialogues may change."""
    files = [shipped("language", "rules", f"cues.{language}.yaml") for language in LANGUAGES]
    files.append(shipped("vocabulary", "dialogue_references.yaml"))
    texts = [file.read_text("utf-8") for file in files]
    return digest([VERSION, shipped_template().version, lexicon_names_version(), *texts], 6)


def given_sections(dialogue: Dialogue, template: DialogueTemplate) -> tuple[Section, ...]:
    """RuleParse: the sections that the record's own fields are."""
    found: dict[str, list[Part]] = {}
    for given in dialogue.given:
        place = Place(given.field, 0, len(given.text))
        found.setdefault(template.section_called(given.section), []).append(
            Part(place, given.text, "field")
        )
    return tuple(Section(name, tuple(found[name])) for name in template.sections if name in found)


def dialogue_tree(dialogue: Dialogue, *sections: Section) -> tuple[Section, ...]:
    """The sections of a dialogue's tree, in the order of the template.

    Those given by its fields come first, then `sections` that were made elsewhere, then what its
    turns fill; a section is filled once.
    """
    template = shipped_template()
    tree = {section.name: section for section in reversed(sections)}
    tree |= {section.name: section for section in given_sections(dialogue, template)}
    parsed = parse_sections(dialogue.turns, template, without=frozenset(tree))
    tree |= {section.name: section for section in parsed}
    return tuple(tree[name] for name in template.sections if name in tree)


@dataclass
class DialogueReader:
    """Collects what one dialogue yields."""

    document: Document
    dialogue: Dialogue
    activity: str
    statements: list[Statement] = field(default_factory=list)
    evidence: list[Evidence] = field(default_factory=list)
    mentions: list[NameMention] = field(default_factory=list)
    skipped: list[Skipped] = field(default_factory=list)

    def read(self) -> None:
        """The tree and the links of the dialogue."""
        root = self._root(self.dialogue.id)
        for section in dialogue_tree(self.dialogue, *self.dialogue.sections):
            language = language_of(section.text)
            qualifiers = (("section", section.name),)
            statement = Statement(root, HAS_SECTION, Literal(section.text, language), qualifiers)
            for part in section.parts:
                how = f"{section.origin}: {part.how}"
                if section.origin == "llm":
                    self._add_read(statement, part, how)
                else:
                    self._add(statement, part.place, part.text, how, sure=part.how == "field")
        for relation, target, place, quote in self._links():
            statement = Statement(root, RELATION + relation, self._root(target))
            in_field = place.field in {reference.place.field for reference in
                                       self.dialogue.references}  # fmt: skip
            how = f"rule: {'field' if in_field else 'text'}"
            self._add(statement, place, quote, how, sure=in_field)

    def _links(self) -> Iterator[tuple[str, str, Place, str]]:
        """(relation, id, place, quote): from fields, and from what is said in turns."""
        for reference in self.dialogue.references:
            relation = relation_called(reference.type)
            if reference.target and reference.target != self.dialogue.id:
                yield relation, reference.target, reference.place, reference.quote
        for turn in self.dialogue.turns:
            for found in mentioned_in(turn.text, self.dialogue.id):
                place = Place(turn.field, found.start, found.end)
                yield found.relation, found.target, place, turn.text[found.start : found.end]

    def _root(self, identifier: str) -> str:
        root = dialogue_curie(identifier, self.dialogue.namespace)
        self.mentions.append(NameMention(root, f"dialogue {identifier}", "en", "dialogue"))
        return root

    def _add_read(self, statement: Statement, part: Part, method: str) -> None:
        """What a model found in the dialogue, or says of it."""
        self.statements.append(statement)
        self.evidence.append(
            Evidence(
                statement=statement.id,
                document=self.document.id,
                place=part.place,
                quote=part.text,
                evidence_class="model",
                confidence=_QUOTED if part.how == "quote" else _WRITTEN,
                knowledge_level="not_provided",
                agent_type="computational_model",
                method=method,
                activity=self.activity,
            )
        )

    def _add(
        self, statement: Statement, place: Place, quote: str, method: str, *, sure: bool
    ) -> None:
        self.statements.append(statement)
        self.evidence.append(
            Evidence(
                statement=statement.id,
                document=self.document.id,
                place=place,
                quote=quote,
                evidence_class="dialogue",
                confidence=1.0 if sure else _CONFIDENCE,
                knowledge_level="knowledge_assertion" if sure else "not_provided",
                agent_type="manual_agent" if sure else "text_mining_agent",
                method=method,
                activity=self.activity,
            )
        )


def content_of(dialogue: Dialogue) -> list[object]:
    """What a dialogue tells besides the text of its document, for the key of its build."""
    given: Iterable[list[str]] = ([g.section, g.field, g.text] for g in dialogue.given)
    references = ([r.type, r.target, r.quote] for r in dialogue.references)
    return [dialogue.id, dialogue.namespace, list(given), list(references)]
