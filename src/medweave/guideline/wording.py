"""What a guideline says, in a language."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cached_property

from medweave.guideline.logic.graph import Graph
from medweave.guideline.translation import Translation
from medweave.language.data import shipped_yaml
from medweave.language.segmentation import is_chinese
from medweave.model.answer import Danger
from medweave.model.assessment import (
    Assessment,
    NextQuestion,
    TreatmentRow,
    UnderstoodFinding,
    value_in_words,
)
from medweave.understanding.danger.table import what_to_do


class Words:
    """Says what a guideline says in a language; what has no words there stays as it is."""

    def __init__(self, graph: Graph, language: str) -> None:
        """`graph` is that of the guideline."""
        self.graph, self.language = graph, language

    @cached_property
    def _translation(self) -> Translation:
        guideline = self.graph.guideline
        names = [(each.label, each.aliases) for each in guideline.observations]
        for each in guideline.classifications:
            names.append((each.label, each.aliases))
            names += [(step.label, step.aliases) for step in each.treatments]
        return Translation(names)

    @property
    def _phrases(self) -> Mapping[str, str]:
        held = shipped_yaml("guideline", "phrases.yaml")
        found: Mapping[str, str] = held.get(self.language, held["en"])
        return found

    def __call__(self, text: str) -> str:
        """A label, an instruction or an explanation of the guideline, in the language."""
        return self._translation(text) if self.language == "zh" else text

    def whole(self, text: str) -> str:
        """A text of which nothing is told unless all of it is: what a guideline says of itself."""
        return (self._translation.whole(text) or text) if self.language == "zh" else text

    def say(self, phrase: str, **slots: str) -> str:
        """A phrase with its slots filled."""
        return str(self._phrases[phrase]).format(**slots)

    def classification(self, name: str) -> str:
        """What a classification is called."""
        return self(self.graph.classifications[name].label)

    def steps(self, steps: Iterable[str]) -> str:
        """Several treatments."""
        return self._phrases["steps"].join(steps)

    def observations(self, names: Iterable[str], limit: int = 3) -> str:
        """Observations by what they are called; of many, the first ones and how many more."""
        held, names = self.graph.observations, list(names)
        labels = [_within(self(held[each].label if each in held else each)) for each in names]
        more = len(labels) - limit
        text = self._phrases["separator"].join(labels[:limit])
        text += self.say("more", count=str(more)) if more > 0 else ""
        return text or self._phrases["nothing"]

    def question(self, question: NextQuestion) -> NextQuestion:
        """A question of the guideline, and why it is asked."""
        if self.language == "en":
            return question
        text = self(question.text)
        if not is_chinese(text):  # a guideline of which nobody has put the questions into words
            text = self.say("ask", name=self.observations([question.observation]))
        return replace(question, text=text, why=self(question.why))

    def told(self, assessment: Assessment) -> Assessment:
        """An assessment in the language: all that it says in words."""
        if self.language == "en":
            return assessment
        question = assessment.next_question
        return replace(
            assessment,
            classifications=tuple(
                replace(each, label=self(each.label), why=self(each.why))
                for each in assessment.classifications
            ),
            treatments=tuple(self._row(row) for row in assessment.treatments),
            next_question=question and self.question(question),
            refer=assessment.refer and self(assessment.refer),
            warnings=tuple(map(self, assessment.warnings)),
            contradictions=tuple(map(self, assessment.contradictions)),
            follow_ups=tuple(
                replace(row, when=self(row.when)) if row.when else row
                for row in assessment.follow_ups
            ),
            danger=assessment.danger and tuple(map(self.sign, assessment.danger)),
            understood=assessment.understood and tuple(map(self.finding, assessment.understood)),
        )

    def sign(self, each: Danger) -> Danger:
        """A danger sign, and what to do."""
        advice = each.advice and what_to_do(each.sign, self.language)
        return replace(each, text=self(each.text), advice=advice or each.advice)

    def finding(self, each: UnderstoodFinding) -> UnderstoodFinding:
        """What a text was understood to say, in the language."""
        shown = self(answer_in_words(each, self.graph))
        return replace(each, label=self(each.label), shown=shown)

    def _row(self, row: TreatmentRow) -> TreatmentRow:
        return replace(
            row,
            label=self(row.label),
            text=self(row.text),
            formulation=self(row.formulation),
            route=self(row.route),
            duration=self(row.duration),
            note=self(row.note),
        )


def answer_in_words(each: UnderstoodFinding, graph: Graph) -> str:
    """What a text was understood to say, as the guideline labels that answer."""
    options = graph.observations[each.observation].answers
    label = next((answer.label for answer in options if answer.id == each.value), None)
    return label or value_in_words(each.value)


def _within(label: str) -> str:
    """A label within a sentence.

    >>> _within("Cough duration"), _within("HIV test"), _within("Mother's HIV test")
    ('cough duration', 'HIV test', "mother's HIV test")
    """
    return label[:1].lower() + label[1:] if label[1:2].islower() else label
