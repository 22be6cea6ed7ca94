"""Which disease the whole of a complaint is told like, by complaints that were learned from.

A complaint in pictures names no finding, and its findings one by one are guessed at: "three in the
morning, the big toe like a beetroot, not even the sheet on it" is told as gout is. What is read is
a likeness and no finding: diseases are ranked by it beside what is recorded for them, the answer
says so, and no medicine is held against it; what needs help at once is told as that. A base is
asked for the diseases by their names; one that has none of them hears nothing (decision 538).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache

from medweave.language.data import rule_in, shipped_yaml
from medweave.language.folding import blotted
from medweave.language.passage import passage_of
from medweave.model.question import SUBSTANCES, Intent, Likened, Question
from medweave.ports import SentenceVectors
from medweave.understanding.danger.table import danger_sign
from medweave.understanding.danger.table_reader import sign_of
from medweave.understanding.descriptions.stretches import bare
from medweave.understanding.intents.features import QuestionText
from medweave.understanding.rule_files import CLAUSE_RULES
from medweave.understanding.sentence_vectors import vectors_by
from medweave.understanding.text_model import TextModel, shipped_text_model
from medweave.vocabulary.knowledge import Knowledge

READ = ("en", "zh")
"""The languages in which complaints were written for it."""
NONE = ""
"""The label of what is no complaint."""
BETWEEN = "|"
"""What stands between the names of a disease in a label."""
LEAST = 0.04
"""What is less likely is left out, and"""
LIKE_NOTHING = 0.2
"""where nothing is likelier, all is; and where it is told so surely like no complaint, by words and
vectors, or by words alone:"""
NO_COMPLAINT, NO_COMPLAINT_BY_WORDS = 0.85, 0.98
UNREAD = {"en": 12, "zh": 14}
"""Words, or Chinese characters, that tell something and in which nothing was read. A text that
names what is there is told by that: "I have a headache" is like many."""
TELLS = 0.5
"""From this certainty on, whoever names neither medicine nor disease asks what it is."""
DANGER_FROM = 0.7
"""The likeness from which it raises the danger of a disease that needs help at once, and"""
BESIDE_DANGER = 0.9
"""that from which any other disease stands beside a danger that has a name already; what only is to
be seen soon (blood in the urine) is told of harmless ones, too."""
_LONGEST = 1200
"""Characters: longer texts tell more than one complaint."""


def with_likened(
    question: Question, knowledge: Knowledge, vectors: SentenceVectors | None
) -> Question:
    """A question with the diseases that it is told like; and that asks for a diagnosis where it
    tells a complaint and asks for nothing else."""
    wanted = "diagnosis" in question.labels
    if not (wanted or _leaves_room(question)) or not _is_read(question):
        return question
    shares, most_none = _shares(question.text, question.language, vectors)
    none = shares.pop(NONE, 0.0)
    likeliest = max(shares.values())
    if not wanted and question.asked.label != "diagnosis" and likeliest < TELLS:
        return question
    if not wanted:
        told = Intent("diagnosis", round(max(likeliest, TELLS), 3))
        question = replace(question, intents=(told,), aside="")
    if none > most_none:
        return question
    shares = {label: share / (1 - none) for label, share in shares.items()}
    named = any(sign.has_name and sign.grade != "soon" for sign in question.danger_present)
    beside = DANGER_FROM if _danger_of(_likeliest(shares)) else BESIDE_DANGER
    if max(shares.values()) < (beside if named else LIKE_NOTHING):
        return question
    question = replace(question, likened=tuple(_likened(shares, knowledge)))
    return question if named else _with_danger(question, shares)


def _is_read(question: Question) -> bool:
    """Whether it may tell one complaint, in words of its own."""
    known = question.language in READ and len(question.text) <= _LONGEST
    return known and _unread(question) >= UNREAD[question.language]


def _with_danger(question: Question, shares: Mapping[str, float]) -> Question:
    """A question with the danger of the disease that it is told like, where that needs help at
    once and nothing in it was seen that has a name."""
    label = _likeliest(shares)
    sign = _danger_of(label)
    if sign is None or shares[label] < DANGER_FROM or question.danger is None:
        return question
    passage = passage_of(question.text, question.language)
    words = tuple(w for one in question.danger_present for w in one.words) or (
        passage.text[slice(*bare(passage.text, *passage.clauses[0]))],
    )
    told = sign_of(danger_sign(sign), "present", words, passage)
    told = replace(told, how="learned", confidence=round(shares[label], 3))
    others = (one for one in question.danger if one.has_name and one.sign != sign)
    return replace(question, danger=(told, *others))


def _likeliest(shares: Mapping[str, float]) -> str:
    return max(shares, key=lambda name: (shares[name], name))


def _danger_of(label: str) -> str | None:
    return dangers().get(label.rsplit(BETWEEN, 1)[-1])


@cache
def dangers() -> Mapping[str, str]:
    """By the label of a disease that needs help at once, the sign of danger that says so."""
    held: dict[str, str] = shipped_yaml("understanding", "complaints", "dangers.yaml")
    return held


def _unread(question: Question) -> int:
    """How many words tell something and stand in nothing that was read."""
    language = question.language
    passage = passage_of(question.text, language)
    read = [(mention.start, mention.end) for mention in question.mentions]
    left = blotted(passage.text, read, " ")
    asks = rule_in(language, "asks", *CLAUSE_RULES)
    telling = (left[start:end] for start, end in passage.clauses)
    told = [text for text in telling if not asks.match(text)]
    if language == "zh":
        return sum(len("".join(text.split())) for text in told)
    return sum(len(text.split()) for text in told)


def _leaves_room(question: Question) -> bool:
    """Whether no medicine and no disease is named that anything else could be asked about."""
    return not any(m.concept in (*SUBSTANCES, "disease") for m in question.mentions)


def _shares(
    text: str, language: str, vectors: SentenceVectors | None
) -> tuple[dict[str, float], float]:
    """The share of every label, and up to which share of none something is told."""
    model = shipped_complaints(language)
    made = vectors_by(lambda: model.embedder, [text], language, vectors)
    most_none = NO_COMPLAINT_BY_WORDS if made is None else NO_COMPLAINT
    return model.chances(QuestionText(text), made), most_none


def _likened(shares: Mapping[str, float], knowledge: Knowledge) -> Iterator[Likened]:
    """The diseases of the base, the likeliest first."""
    for label in sorted(shares, key=lambda name: (-shares[name], name)):
        if shares[label] < LEAST:
            return
        called = (n for name in label.split(BETWEEN) for n in knowledge.dictionary.names(name))
        present = dict.fromkeys(n.entity for n in called if n.present)
        entities = tuple(e for e in present if "disease" in knowledge.entities.get(e).concepts)
        if entities:
            yield Likened(entities, round(shares[label], 3))


def shipped_complaints(language: str) -> TextModel:
    """The weights that ship for a language."""
    return shipped_text_model("complaints", "complaints", language)
