"""What a measured value is held against: what the base says of the test, in the words of sources.

Who asks whether a value is high is told from where on it is, and not what it is: one reading is no
diagnosis, and whose it is decides.
"""

from __future__ import annotations

from collections.abc import Iterator
from operator import attrgetter

from medweave.answering.draft import Draft
from medweave.model.question import SUBSTANCES, UNNAMED, Question
from medweave.model.statement import SupportedStatement

_TESTS = {
    "blood glucose": "blood glucose test",
    "fasting blood glucose": "blood glucose test",
    "HbA1c": "HbA1c test",
    "systolic blood pressure": "blood pressure measurement",
    "diastolic blood pressure": "blood pressure measurement",
    "C-reactive protein": "C-reactive protein test",
}
"""By what is measured, the test of which the base may say what is normal."""
_ASKED = ("description", "test", "outlook")
"""What is asked by "what does it mean?", as it is understood."""


def say_measured(draft: Draft, question: Question) -> bool:
    """What is said of the tests whose values a question asks about, naming nothing beside; whether
    anything is."""
    if not _is_of_values(question):
        return False
    told = False
    for supported in _descriptions(draft, question):
        with draft.topic("description", supported.statement.subject):
            draft.add_sentence(draft.wording.object_name(supported.statement), [supported])
        told = True
    return told


def _is_of_values(question: Question) -> bool:
    named = [m for m in question.mentions if m.link.how not in UNNAMED and m.concept != "test"]
    asked = question.sure_labels
    wanted = question.aside == "result" or (not question.aside and asked.issubset(_ASKED))
    drugs = [*question.of_concept(*SUBSTANCES), *question.patient.drugs]
    return bool(question.values) and question.asks and wanted and not (named or drugs)


def _descriptions(draft: Draft, question: Question) -> Iterator[SupportedStatement]:
    """The sentences on the tests, in the language of the question, each test once."""
    knowledge = draft.wording.knowledge
    tests = (_TESTS[value.quantity] for value in question.values if value.quantity in _TESTS)
    for test in dict.fromkeys(tests):
        for named in knowledge.dictionary.names(test)[:1]:
            for entity in knowledge.same(named.entity):
                said = knowledge.store.match(entity, "described_as")
                spoken = (s for s in said if s.statement.language == draft.wording.language)
                yield from sorted(
                    (s for s in spoken if s.affirmed), key=attrgetter("first_affirmed")
                )
