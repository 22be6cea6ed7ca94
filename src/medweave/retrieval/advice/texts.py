"""The texts of practical advice that may answer a question: of what it names, of the classes and
kinds of that, and of what was told before."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from medweave.model.question import BY_HABIT, FINDINGS, SUBSTANCES, Mention
from medweave.model.statement import SupportedStatement
from medweave.retrieval.lookup import kinds_above, only_member, stated_classes
from medweave.vocabulary.knowledge import Knowledge

ADVICE = ("practical_advice", "urgent_care_advice", "use_advice")
"""What texts of advice are stated by."""
NO_ASPECT = "use"
"""What texts are of that say how a medicine is taken."""
ADVISED = (*SUBSTANCES, *FINDINGS, "test", "treatment")
"""What there is advice on, by concept."""
_MOST_KINDS = 12
"""A thing with more kinds than that is asked about as a whole."""
Of = Literal["itself", "class", "kind"]


@dataclass(frozen=True, slots=True)
class AdviceText:
    """A text of advice, what the question calls the thing that it is of, and how that is named."""

    supported: SupportedStatement
    called: str
    of: Of = "itself"
    """Whether it is of what is named itself, of a class of it, or of a kind of it."""
    told_before: bool = False
    """Whether what it is of was told, and is not named where it is asked."""

    @property
    def words(self) -> str:
        """The text itself."""
        return self.supported.statement.text

    @property
    def aspect(self) -> str:
        """What it is about."""
        return aspect_of(self.supported) or NO_ASPECT


def aspect_of(supported: SupportedStatement) -> str:
    """What a text of advice is about: "missed_dose"; "" where its source does not say."""
    return str(dict(supported.statement.qualifiers).get("aspect", ""))


def advised_about(mentions: Iterable[Mention], but: Iterable[str] = ()) -> dict[str, str]:
    """What is named that advice may be on, and how it was called; nothing of `but`."""
    no_subject = {*BY_HABIT, *but}
    return {
        entity: mention.text
        for mention in mentions
        if mention.concept in ADVISED and mention.entity not in no_subject
        for entity in mention.entities
    }


def texts_on(
    subjects: Mapping[str, str], language: str, knowledge: Knowledge, *, told_before: bool = False
) -> list[AdviceText]:
    """The advice on things, on the only one of a class, on the classes of a medicine, and, of what
    was not told before, on the kinds of an illness; each text once."""
    found: dict[str, tuple[str, Of]] = {}
    for subject, called in subjects.items():
        for entity, of in _around(subject, knowledge, kinds=not told_before):
            found.setdefault(entity, (called, of))
    match = knowledge.store.match
    knowledge.store.expect([(entity, text, None) for entity in found for text in ADVICE])
    texts = (
        AdviceText(supported, called, of, told_before)
        for entity, (called, of) in found.items()
        for text in ADVICE
        for supported in match(entity, text)
        if supported.statement.language == language
    )
    return list({text.words: text for text in texts}.values())


def _around(subject: str, knowledge: Knowledge, *, kinds: bool) -> Iterator[tuple[str, Of]]:
    own = (*knowledge.same(subject), *only_member((subject,), knowledge))
    yield from ((entity, "itself") for entity in own)
    classes = stated_classes(own, knowledge)
    above = kinds_above(tuple(dict.fromkeys((*own, *classes))), knowledge)
    yield from ((entity, "class") for entity in dict.fromkeys((*classes, *above)))
    below = sorted(knowledge.lexicon.narrower(own)) if kinds else []
    if len(below) <= _MOST_KINDS:
        yield from ((same, "kind") for entity in below for same in knowledge.same(entity))
