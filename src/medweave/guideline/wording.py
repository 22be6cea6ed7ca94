"""What a guideline says, in a language."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from medweave.guideline.logic.graph import Graph
from medweave.language.data import shipped_yaml
from medweave.language.segmentation import is_chinese
from medweave.model.assessment import STANDS, Assessment, NextQuestion, TreatmentRow


@dataclass(frozen=True, slots=True)
class Words:
    """Says what a guideline says in a language; a part without a name there keeps its label."""

    graph: Graph
    language: str

    def say(self, phrase: str, **slots: str) -> str:
        """A phrase with its slots filled."""
        return str(self._phrases[phrase]).format(**slots)

    @property
    def _phrases(self) -> Mapping[str, str]:
        held = shipped_yaml("guideline", "phrases.yaml")
        found: Mapping[str, str] = held.get(self.language, held["en"])
        return found

    def classification(self, name: str) -> str:
        """What a classification is called."""
        each = self.graph.classifications[name]
        return self._called(each.label, each.aliases)

    def step(self, row: TreatmentRow) -> str:
        """What a treatment is called."""
        return self._called(row.label, row.aliases)

    def steps(self, steps: Iterable[str]) -> str:
        """Several treatments."""
        return self._phrases["steps"].join(steps)

    def observations(self, names: Iterable[str], limit: int = 3) -> str:
        """Observations by what they are called; of many, the first ones and how many more."""
        held, names = self.graph.observations, list(names)
        labels = [
            _within(self._called(held[each].label, held[each].aliases)) if each in held else each
            for each in names
        ]
        more = len(labels) - limit
        told = self._phrases["separator"].join(labels[:limit])
        told += self.say("more", count=str(more)) if more > 0 else ""
        return told or self._phrases["nothing"]

    def told(self, assessment: Assessment) -> Assessment:
        """An assessment with the names and the next question in the language."""
        if self.language == "en":
            return assessment
        question = assessment.next_question
        refer = [
            self.classification(each.id)
            for each in assessment.classifications
            if each.status in STANDS and each.severity == "severe"
        ]
        return replace(
            assessment,
            classifications=tuple(
                replace(each, label=self.classification(each.id))
                for each in assessment.classifications
            ),
            treatments=tuple(
                replace(each, label=self.step(each)) for each in assessment.treatments
            ),
            next_question=question and self.question(question),
            refer=assessment.refer
            and self.say("refer", for_=self._phrases["separator"].join(refer)),
        )

    def question(self, asked: NextQuestion) -> NextQuestion:
        """A question of the guideline."""
        if self.language == "en":
            return asked
        return replace(asked, text=self.say("ask", name=self.observations([asked.observation])))

    def _called(self, label: str, aliases: Iterable[str]) -> str:
        if self.language != "zh":
            return label
        return next((each for each in aliases if is_chinese(each)), label)


def _within(label: str) -> str:
    """A label within a sentence.

    >>> _within("Cough duration"), _within("HIV test"), _within("Mother's HIV test")
    ('cough duration', 'HIV test', "mother's HIV test")
    """
    return label[:1].lower() + label[1:] if label[1:2].islower() else label
