"""Sections of a dialogue's tree, filled from its turns where the record does not give them.

Everything is taken over as it stands, sentence by sentence: nothing is written anew. What a section
is filled with depends on the dialogue, the template and the lexicon, and on nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from medweave.language.cues import Reading, read_mention
from medweave.language.folding import lower
from medweave.language.passage import passage_of
from medweave.language.segmentation import language_of
from medweave.language.sentences import typed_sentences
from medweave.model.dialogue import Part, Section, Speaker, Turn
from medweave.model.question import FINDINGS, SUBSTANCES
from medweave.model.statement import Place
from medweave.vocabulary.dialogue_template import DialogueTemplate, SectionRule
from medweave.vocabulary.lexicon_names import LexiconName, lexicon_names

_ASKS = ("?", "？")
_LONGEST_SUMMARY = 300
"""Characters of a sentence that is taken as a summary."""
_SHORTEST_SUMMARY = 15


@dataclass(frozen=True, slots=True)
class _Named:
    """A name in a sentence, and how it is meant there."""

    name: LexiconName
    reading: Reading

    @property
    def reported(self) -> bool:
        """Whether it is there, now, with the patient: said so, or only named, but not doubted."""
        how = self.reading
        there = how.status == "present" or (how.status == "unknown" and not how.doubted)
        return there and how.experiencer == "patient" and how.temporality == "recent"


@dataclass(frozen=True, slots=True)
class _Sentence:
    """A sentence of a turn: where it stands, what it says, what it names."""

    turn: Turn
    start: int
    end: int
    text: str
    lowered: str
    language: str
    named: tuple[_Named, ...]

    @property
    def asks(self) -> bool:
        """Whether it is a question."""
        return self.text.endswith(_ASKS)

    @property
    def reports(self) -> bool:
        """Whether it reports any finding."""
        return bool(self.reported)

    @property
    def reported(self) -> frozenset[str]:
        """The findings that it reports; where it asks, only what is said to be there counts."""
        return frozenset(
            named.name.entity
            for named in self.named
            if named.name.concept in FINDINGS
            and named.reported
            and (named.reading.status == "present" or not self.asks)
        )

    def part(self, how: str) -> Part:
        return Part(Place(self.turn.field, self.start, self.end), self.text, how)


def parse_sections(
    turns: Sequence[Turn], template: DialogueTemplate, *, without: frozenset[str] = frozenset()
) -> tuple[Section, ...]:
    """The sections that turns fill, in the order of the template; `without` those named.

    A section that nothing fills is left out.
    """
    read = [sentence for turn in turns for sentence in _read(turn)]
    answered = _answered(read)
    found = []
    for name, rule in template.sections.items():
        if name in without:
            continue
        parts = list(_within(_FILLS[rule.fill](rule, read, answered), template.longest))
        if parts:
            found.append(Section(name, tuple(parts)))
    return tuple(found)


def _read(turn: Turn) -> Iterator[_Sentence]:
    """The sentences of a turn, with the names in them read as they are meant in the turn."""
    language = language_of(turn.text[:2000])
    for start, end, text in typed_sentences(turn.text):
        passage = passage_of(text, language)
        named = tuple(
            _Named(name, read_mention(passage, name.start, name.end))
            for name in lexicon_names().find(text)
            if name.concept in (*FINDINGS, *SUBSTANCES)
        )
        yield _Sentence(turn, start, end, text, lower(text), language, named)


_Answered = dict[int, int]
"""By the place of a doctor's question among all sentences, that of the answer that says yes."""


def _answered(read: Sequence[_Sentence]) -> _Answered:
    """Doctor's questions for findings that the next turn, a patient's, says yes to."""
    first = {sentence.turn.number: place for place, sentence in reversed([*enumerate(read)])}
    found: _Answered = {}
    for place, question in enumerate(read):
        answer = first.get(question.turn.number + 1)
        if (
            question.turn.speaker != "doctor"
            or not question.asks
            or not question.named
            or answer is None
        ):
            continue
        if read[answer].turn.speaker == "patient" and _says_yes(question, read[answer]):
            found[place] = answer
    return found


def _says_yes(question: _Sentence, answer: _Sentence) -> bool:
    both = passage_of(f"{question.text} {answer.text}", question.language)
    findings = (named.name for named in question.named if named.name.concept in FINDINGS)
    return any(read_mention(both, name.start, name.end).status == "present" for name in findings)


def _spoken(rule: SectionRule, read: Sequence[_Sentence]) -> Iterator[tuple[int, _Sentence]]:
    """The sentences of those whose turns are read; of nobody known where they say nothing."""
    present: set[Speaker] = {sentence.turn.speaker for sentence in read}
    speakers = set(rule.speakers) & present or {"other"}
    for place, sentence in enumerate(read):
        if sentence.turn.speaker in speakers and (rule.questions or not sentence.asks):
            yield place, sentence


def _by_cues(rule: SectionRule, read: Sequence[_Sentence], _: _Answered) -> Iterator[Part]:
    for _place, sentence in _spoken(rule, read):
        if rule.has_cue(sentence.lowered, sentence.language):
            yield sentence.part("cues")


def _findings(rule: SectionRule, read: Sequence[_Sentence], answered: _Answered) -> Iterator[Part]:
    """What a patient reports, and what a doctor asks for and the patient says yes to."""
    reporting = {place for place, sentence in _spoken(rule, read) if sentence.reports}
    answers = set(answered.values())
    for place, sentence in enumerate(read):
        if place in answered:
            yield sentence.part("asked")
            yield read[answered[place]].part("answer")
        elif place in reporting and place not in answers:
            yield sentence.part("findings")


def _past(rule: SectionRule, read: Sequence[_Sentence], _: _Answered) -> Iterator[Part]:
    """What was, runs in a family, or is told with a cue of it."""
    for _place, sentence in _spoken(rule, read):
        over = any(
            named.name.concept in FINDINGS
            and (named.reading.temporality == "historical" or named.reading.experiencer == "other")
            for named in sentence.named
        )
        if over or rule.has_cue(sentence.lowered, sentence.language):
            yield sentence.part("past" if over else "cues")


def _drugs(rule: SectionRule, read: Sequence[_Sentence], _: _Answered) -> Iterator[Part]:
    """Who takes or is given what, doses and all: data of this dialogue, nobody's prescription."""
    for _place, sentence in _spoken(rule, read):
        drug = any(named.name.concept in SUBSTANCES for named in sentence.named)
        if drug or rule.has_cue(sentence.lowered, sentence.language):
            yield sentence.part("drugs" if drug else "cues")


def _first_turn(_: SectionRule, read: Sequence[_Sentence], __: _Answered) -> Iterator[Part]:
    """The first turn of a patient as a whole; of anybody but a doctor where there is none.

    Where it answers a doctor's question, that comes before it.
    """
    for speaker in ("patient", "other"):
        place = next((p for p, s in enumerate(read) if s.turn.speaker == speaker), None)
        if place is not None:
            before, turn = read[max(0, place - 1)], read[place].turn
            if before.turn.speaker == "doctor" and before.asks:
                yield before.part("asked")
            yield Part(Place(turn.field, 0, len(turn.text)), turn.text, "turn")
            return


def _extract(_: SectionRule, read: Sequence[_Sentence], __: _Answered) -> Iterator[Part]:
    """The one sentence that names most of what the patient reports, the first and shortest of such.

    Where nothing is named, the first that asks; else the first.
    """
    for speaker in ("patient", "other", "doctor"):
        sentences = [
            s for s in read if s.turn.speaker == speaker and len(s.text) <= _LONGEST_SUMMARY
        ]
        sentences = [s for s in sentences if len(s.text) >= _SHORTEST_SUMMARY]
        if sentences:
            yield max(sentences, key=_tells).part("extract")
            return


def _tells(sentence: _Sentence) -> tuple[int, bool, int, int, int]:
    asks = sentence.asks and not sentence.reported
    return (
        len(sentence.reported),
        asks,
        -sentence.turn.number,
        -len(sentence.text),
        -sentence.start,
    )


def _within(parts: Iterator[Part], longest: int) -> Iterator[Part]:
    """Parts until a section is long enough, each place once."""
    seen: set[Place] = set()
    length = 0
    for part in parts:
        if part.place in seen:
            continue
        if seen and length + len(part.text) > longest and part.how != "turn":
            return
        seen.add(part.place)
        length += len(part.text) + 1
        yield part


_FILLS = {
    "first_turn": _first_turn,
    "findings": _findings,
    "past": _past,
    "drugs": _drugs,
    "cues": _by_cues,
    "extract": _extract,
}
