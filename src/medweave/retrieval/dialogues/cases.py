"""Past dialogues that bear on a question: those it names, else those that are really like it.

How near is near was measured (decision 30): by meaning, (1 + cos) / 2 of the message and the whole
dialogue; by words alone, which tell far less, what the message names and how many of its words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations

from medweave.language.segmentation import words
from medweave.language.stems import name_stems, stem_texts
from medweave.model.cases import Case, CaseConflict, Cases, Nearness, SectionOfCase
from medweave.model.dialogue_tree import HAS_SECTION
from medweave.model.document import Document
from medweave.model.question import FINDINGS, SUBSTANCES, Question
from medweave.model.similar import MatchedWhole, Message, SimilarDialogue
from medweave.model.statement import Evidence, Place
from medweave.ports import StoreView
from medweave.retrieval.dialogues.case_findings import meets
from medweave.retrieval.dialogues.case_gate import CasesWanted
from medweave.retrieval.dialogues.similar import PastDialogues, error_text, say_notice
from medweave.retrieval.drugs.advice import Opposed, advised, opposed
from medweave.vocabulary.dialogue_anchors import Anchor
from medweave.vocabulary.dialogue_references import RELATION
from medweave.vocabulary.dialogue_template import shipped_template
from medweave.vocabulary.dialogue_trees import roots_called

K_CASES = 3
"""K of the source: how many dialogues a message is compared with in the end."""
NEAR, SOMEWHAT = 0.8, 0.75
"""(1 + cos) / 2 of a message and a dialogue that is near, and of one that is worth quoting."""
_NAMED, _UNNAMED = (2, 0.4), (3, 0.6)
"""By words: how many of the message's a dialogue must have, and which share of them; where what the
message names is among them, and where it is not. At least half of what it names must be."""
_SHARED_FINDINGS = 2
"""So many findings of a message a case must share by words, where monographs answer too."""
_COMPLAINTS = ("symptom", "issue_description", "description", "summary")
"""Sections that say what a case was about, the most telling first."""
_ALWAYS = ("advice", "follow_up")
"""What was advised, and never without what to come back for."""
_NEVER = (*_COMPLAINTS, *_ALWAYS, "medication")
"""Sections that are not quoted of cases that are only alike for being asked for: what the patient
told and what was advised are quoted anyway, and what others took is nothing to go by."""
_MOST_SECTIONS = 6
_ALIKE, _ALIKE_WORDS = 0.2, 2
"""Two cases that no record links are of one issue where what patients told in them shares this
part of the words of the shorter one, and so many words at least."""
_SAME = RELATION + "same_issue"


def message_of(question: Question, sections: Mapping[str, str]) -> Message:
    """A question as past dialogues are compared with it."""
    sure = tuple(intent.label for intent in question.intents if intent.sure)
    return Message(question.text, sections, sure, question.language)


def past_cases(
    question: Question,
    past: PastDialogues,
    store: StoreView,
    wanted: CasesWanted,
    read: Callable[[Question], Message],
) -> Cases:
    """The cases a question names, with what is quoted of them; else those that are like it.

    `read` finds the sections of the message; it is not asked where words alone are compared. A
    question in danger gets no case that it does not name: none of them is to reassure.
    """
    reader = _Reader(store, question)
    roots, unknown = _of_anchors(wanted.named, store)
    if roots or unknown:
        found = replace(_named(reader, past, roots), unknown=unknown)
    elif any(sign.has_name for sign in question.in_danger):
        found = Cases(withheld=True)
    else:
        found = _alike(reader, past, read, alone=wanted.alone)
    return replace(found, alone=wanted.alone, conflicts=_conflicts(reader, found.cases))


def _of_anchors(named: Sequence[Anchor], store: StoreView) -> tuple[list[str], tuple[str, ...]]:
    """The roots that ids stand for, in their order, and the ids of none: what is only referred to
    has no sections."""
    roots: list[str] = []
    unknown = []
    for anchor in named:
        readings = (roots_called(store, [reading]) for reading in anchor.readings)
        found = [root for some in readings for root in some if store.match(root, HAS_SECTION)]
        roots += found
        if not found and anchor.sure:
            unknown.append(anchor.id)
    return list(dict.fromkeys(roots)), tuple(unknown)


def _named(reader: _Reader, past: PastDialogues, roots: Sequence[str]) -> Cases:
    """The trees of the named dialogues are all of the context: what is asked for comes first."""
    trees = reader.trees(roots)
    weights, missing = past.section_weights(sorted(trees), reader.question.language)
    cases = []
    for document, sections in trees.items():
        weighed = _weighed(sections, weights.get(document, {}))
        asked = _sections_for(reader.question, by_name=True) or ("advice",)
        order = [*_first(weighed, asked), *_first(weighed, (n for n in weighed if n not in asked))]
        case = reader.case(document, "named", _once(order, asked)[:_MOST_SECTIONS])
        cases.append(replace(case, lacking=tuple(n for n in asked if n not in sections)))
    first = {root: place for place, root in enumerate(roots)}
    cases.sort(key=lambda case: (first[case.root], case.document))
    return Cases(tuple(cases), named=True, missing=missing)


def _alike(
    reader: _Reader, past: PastDialogues, read: Callable[[Question], Message], *, alone: bool
) -> Cases:
    question = reader.question
    message = read(question) if past.comparable else message_of(question, {})
    try:
        similar = past.like(message, K_CASES)
    except Exception as error:  # what else was found is said all the same (T11)
        notice = say_notice("no_search", question.language, detail=error_text(error))
        return Cases(missing=(notice,))
    trees = reader.trees(roots_called(reader.store, [one.id for one in similar.dialogues]))
    near = {
        one.document: nearness
        for one in similar.dialogues
        if (nearness := _nearness(one, trees.get(one.document, {}), question, alone=alone))
    }
    weights, _ = past.section_weights(sorted(near), question.language)
    cases = []
    for one in similar.dialogues:
        sections = trees.get(one.document, {})
        if one.document not in near or not sections:
            continue
        about = next((sections[name] for name in _COMPLAINTS if name in sections), None)
        weighed = _weighed(sections, weights.get(one.document, {}))
        asked = tuple(name for name in _sections_for(question) if name not in _NEVER)
        order = [*_first(weighed, asked), *(s for n in _ALWAYS if (s := weighed.get(n)))]
        case = reader.case(one.document, near[one.document], order, about)
        cases.append(replace(case, score=one.score, why=one.why))
    nearest = similar.dialogues[0].id if similar.dialogues and not cases else ""
    missing = similar.missing if past.comparable else ()  # no vectors: of no use to who asks
    return Cases(tuple(cases), ranking=similar.ranking, nearest=nearest, missing=missing)


def _nearness(
    one: SimilarDialogue, sections: _Sections, question: Question, *, alone: bool
) -> Nearness | None:
    """How near a dialogue is, None where it is not near enough to be quoted.

    One in which a finding is denied that is present here is not like it, however near its words.
    """
    if not meets(_told(sections), question):
        return None
    whole = next((why for why in one.why if isinstance(why, MatchedWhole)), None)
    if whole is None:
        return "somewhat" if _near_by_words(sections, question, alone=alone) else None
    if whole.similarity >= NEAR:
        return "near"
    return "somewhat" if whole.similarity >= SOMEWHAT else None


def _sections_for(question: Question, *, by_name: bool = False) -> tuple[str, ...]:
    """The sections that answer what a question asks for, in the order of the template.

    `by_name`: also those that it calls by a name of the template ("the cause").
    """
    template = shipped_template()
    labels = question.sure_labels
    named_sections = (
        {template.section_called(word) for word in words(question.text)} if by_name else set()
    )
    return tuple(
        name
        for name, rule in template.sections.items()
        if labels & {*rule.intents} or name in named_sections
    )


_Sections = Mapping[str, SectionOfCase]


def _weighed(sections: _Sections, weights: Mapping[str, float]) -> _Sections:
    return {
        name: replace(section, weight=weights.get(name, 0.0)) for name, section in sections.items()
    }


def _first(sections: _Sections, names: Iterable[str]) -> list[SectionOfCase]:
    """Some sections in the order of their weight (T10); where weights are equal, the template's."""
    order = {name: place for place, name in enumerate(shipped_template().sections)}
    found = [sections[name] for name in names if name in sections]
    return sorted(found, key=lambda one: (-one.weight, order.get(one.section, len(order))))


class _Reader:
    """Reads trees with their statements, and documents, for one question."""

    def __init__(self, store: StoreView, question: Question) -> None:
        self.store = store
        self.question = question
        self._documents: dict[str, Document] = {}

    def document(self, identifier: str) -> Document:
        """A document, read once."""
        if identifier not in self._documents:
            self._documents |= {d.id: d for d in self.store.documents([identifier])}
        return self._documents[identifier]

    def trees(self, roots: Sequence[str]) -> dict[str, dict[str, SectionOfCase]]:
        """By document, the sections it gives of its dialogue."""
        found: dict[str, dict[str, SectionOfCase]] = {}
        for supported in self.store.neighbours(roots, [HAS_SECTION]) if roots else ():
            name = str(supported.statement.qualifier("section"))
            for document in dict.fromkeys(item.document for item in supported.affirmed):
                parts = sorted(
                    (item for item in supported.affirmed if item.document == document),
                    key=_in_order,
                )
                section = SectionOfCase(name, supported, tuple(parts))
                found.setdefault(document, {})[name] = section
        return found

    def case(
        self,
        document: str,
        nearness: Nearness,
        sections: Sequence[SectionOfCase],
        about: SectionOfCase | None = None,
    ) -> Case:
        """A case with sections, in which no place is quoted twice."""
        seen = [part.place for part in about.parts] if about else []
        retained = []
        for section in sections:
            parts = tuple(part for part in section.parts if not _within(part.place, seen))
            seen += [part.place for part in parts]
            if parts:
                retained.append(replace(section, parts=parts))
        every = [*([about] if about else []), *sections]
        read = self.document(document)
        date = next((text for name, text in read.fields if name == "date"), "")
        root = every[0].supported.statement.subject if every else ""
        return Case(read.name, root, document, nearness, date[:40], about=about,
                    sections=tuple(retained))  # fmt: skip


def _near_by_words(sections: _Sections, question: Question, *, alone: bool) -> bool:
    """Whether what a patient told has enough of a message's words; fewer do with what it names.

    What only the doctor says, of what it is not or might become, is no likeness. Beside monographs
    (not `alone`) it takes several findings, as others than the one that is shared may matter more.
    """
    held, own_stems = _stems_told(sections), stem_texts(question.text)
    shared = own_stems & held
    about = (*FINDINGS, *SUBSTANCES) if alone else FINDINGS
    named = [
        name_stems(mention.text)
        for mention in question.mentions
        if mention.concept in about and mention.status != "absent"
    ]
    known = sum(1 for name in named if name and name <= held)
    if known * 2 < len(named) or (known < _SHARED_FINDINGS and not alone):
        return False
    fewest, share = _NAMED if known else _UNNAMED
    return len(shared) >= max(fewest, share * len(own_stems))


def _once(sections: Sequence[SectionOfCase], asked: Sequence[str]) -> list[SectionOfCase]:
    """Sections without what is quoted as advice; those that are asked for keep all."""
    advised = [part.place for one in sections if one.section in _ALWAYS for part in one.parts]
    return [
        section if section.section in (*asked, *_ALWAYS) else replace(
            section, parts=tuple(p for p in section.parts if not _within(p.place, advised))
        )
        for section in sections
    ]  # fmt: skip


def _within(place: Place, others: Iterable[Place]) -> bool:
    """Whether a place lies within one of some others."""
    return any(
        place.field == other.field and other.start <= place.start and place.end <= other.end
        for other in others
    )


def _in_order(part: Evidence) -> tuple[int, str, int]:
    """Turns by their numbers, behind what the record's own fields say."""
    words = part.place.field.split()
    turn = words[1] if words[:1] == ["turn"] and len(words) > 1 else "0"
    return (int(turn) if turn.isdigit() else 0, part.place.field, part.place.start)


def _conflicts(reader: _Reader, cases: Sequence[Case]) -> tuple[CaseConflict, ...]:
    """Opposite advice in cases of one issue (T13): those that a record calls the same issue as one
    that is quoted, and two that are quoted where patients told much the same."""
    linked = _same_issue(reader, cases)
    quoted = {case.root for case in cases}
    trees = reader.trees(sorted(quoted.union(*linked)))
    advice = {
        document: advised(part.quote for part in sections["advice"].parts)
        for document, sections in trees.items()
        if "advice" in sections
    }
    found = []
    for one, other in combinations(sorted(advice), 2):
        sides = (trees[one]["advice"], trees[other]["advice"])
        pair = frozenset(side.supported.statement.subject for side in sides)
        if pair in linked or (pair <= quoted and _reported_alike(trees[one], trees[other])):
            seen = opposed(advice[one], advice[other])
            if seen:
                found.append(_conflict(reader, (one, other), sides, seen))
    return tuple(found)


def _reported_alike(one: _Sections, other: _Sections) -> bool:
    """Whether patients told much the same in two cases, by words."""
    reports = [_stems_told(sections) for sections in (one, other)]
    shared = len(reports[0] & reports[1])
    return shared >= max(_ALIKE_WORDS, _ALIKE * min(map(len, reports)))


def _told(sections: _Sections) -> list[str]:
    """What the patient of a case told, as it is quoted."""
    return [p.quote for name in _COMPLAINTS if name in sections for p in sections[name].parts]


def _stems_told(sections: _Sections) -> frozenset[str]:
    return frozenset().union(*map(stem_texts, _told(sections)))


def _conflict(
    reader: _Reader,
    documents: tuple[str, str],
    sides: tuple[SectionOfCase, SectionOfCase],
    seen: Opposed,
) -> CaseConflict:
    """Two sides in the order of their ids."""
    ids = (reader.document(documents[0]).name, reader.document(documents[1]).name)
    quotes = (seen.first, seen.second)
    if ids[0] > ids[1]:
        ids, sides, quotes = ids[::-1], sides[::-1], quotes[::-1]
    return CaseConflict(ids, sides, seen.words, quotes)


def _same_issue(reader: _Reader, cases: Sequence[Case]) -> set[frozenset[str]]:
    """Pairs of roots that a record says to be of the same issue, of the cases at hand."""
    roots = [case.root for case in cases]
    found = reader.store.neighbours(roots, [_SAME]) if roots else ()
    return {
        frozenset((item.statement.subject, other))
        for item in found
        if item.affirmed and (other := item.statement.object_entity)
    }
