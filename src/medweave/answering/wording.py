"""Words for statements: names, lists, conditions. The sentences themselves are data files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from medweave.language.data import language_with_rules, shipped_yaml
from medweave.model.statement import Literal, Statement
from medweave.vocabulary.knowledge import Knowledge

MAX_LISTED = 12
"""Longer lists say how many more there are."""
_CONDITIONS = {
    "allergy": "allergy",
    "pregnancy_weeks_min": "week_from",
    "pregnancy_weeks_max": "week_before",
    "severity": "severity",
    "age_max_days": "under",
    "age_min_days": "over",
    "sex": "",
}
"""Which phrase says a qualifier; the first that is there says the condition."""
_UNITS = (("years", 365.25, 730), ("months", 30.4375, 60), ("weeks", 7.0, 28), ("days", 1.0, 0))


@cache
def phrases(language: str) -> dict[str, Any]:
    """The phrases of a language; English where there are none for it."""
    name = language_with_rules(language)
    return shipped_yaml("answering", "phrases", f"{name}.yaml")


def age_in_words(days: int, language: str) -> str:
    """An age in the unit people would use.

    Two years and more are told in years, sixty days and more in months.

    >>> age_in_words(800, "en"), age_in_words(90, "en")
    ('2 years', '3 months')
    """
    unit, size = next((unit, size) for unit, size, least in _UNITS if days >= least)
    return str(phrases(language)["units"][unit]).format(n=round(days / size))


@dataclass(frozen=True, slots=True)
class Wording:
    """Says things of one base in one language."""

    language: str
    knowledge: Knowledge

    @property
    def phrases(self) -> dict[str, Any]:
        """All phrases of the language."""
        return phrases(self.language)

    def say(self, key: str, **slots: object) -> str:
        """A phrase by its key ('missing.settle'), with its slots filled."""
        found: Any = self.phrases
        for part in key.split("."):
            found = found[part]
        return str(found).format(**{"besides": "", **slots})

    def property_words(self, predicate: str, *, from_object: bool = False) -> str:
        """What a property is called ("symptoms"); by its predicate's own words where we have none.

        Nobody is left without an answer because a base has a predicate that has no phrase.
        """
        key = predicate + ("_object" if from_object else "")
        own = self.knowledge.vocabulary.predicate(predicate).words(self.language)
        return str(self.phrases["properties"].get(key, own))

    def recorded_list(
        self,
        predicate: str,
        names: Sequence[str],
        *,
        subject: str,
        from_object: bool = False,
        besides: str = "",
    ) -> str:
        """A sentence with all that is recorded of one property."""
        key = predicate + ("_object" if from_object else "")
        other = "other_object" if from_object else "other"
        form = self.phrases["asks"].get(key) or self.phrases["asks"][other]
        called = self.property_words(predicate, from_object=from_object)
        n, listed = len(set(names)), self.join(names)
        return str(form).format(subject=subject, property=called, besides=besides, list=listed, n=n)

    def tells_how_many(self, predicate: str, *, from_object: bool) -> bool:
        """Whether the sentence of such a list says how many there are, also of those unnamed."""
        form = self.phrases["asks"].get(predicate + ("_object" if from_object else ""), "")
        return "{n}" in str(form)

    def recorded_clause(self, predicate: str, *, subject: str, other: str) -> str:
        """A statement as a clause: "cough is a symptom of pneumonia"."""
        forms = self.phrases["claims"]["recorded"]
        form, called = forms.get(predicate, forms["other"]), self.property_words(predicate)
        return str(form).format(subject=subject, object=other, property=called)

    def name(self, entity: str) -> str:
        """What a thing is called; names without a translation stay as they are."""
        return self.knowledge.entities.get(entity).name(self.language)

    def join(self, names: Sequence[str], *, limit: int = MAX_LISTED) -> str:
        """A list in words, honest about its length.

        Names that repeat are said once.
        """
        rules = self.phrases["list"]
        unique = list(dict.fromkeys(names))
        if len(unique) > limit:
            more = rules["more"].format(n=len(unique) - limit)
            return str(rules["separator"].join(unique[:limit]) + more)
        if len(unique) < 2:  # noqa: PLR2004 - one or none needs no "and"
            return "".join(unique)
        return str(rules["separator"].join(unique[:-1]) + rules["last"] + unique[-1])

    def either(self, names: Sequence[str]) -> str:
        """A short list of which any may be meant: "a rash, a cough or a fever"."""
        rules = self.phrases["list"]
        first, last = rules["separator"].join(names[:-1]), names[-1]
        return str(first + rules["or"] + last) if first else last

    def object_name(self, statement: Statement) -> str:
        """The object in words: a thing's name, or the text itself."""
        if isinstance(statement.object, Literal):
            return str(statement.object.value)
        return self.name(statement.object)

    def condition(self, statement: Statement, *, other: str | None = None) -> str:
        """The condition a statement names, with all its qualifiers.

        `other` is the end that is the condition, where it is not the object.
        """
        qualifiers = dict(statement.qualifiers)
        if statement.predicate == "interacts_with":
            qualifiers.pop("severity", None)  # it grades the statement, not the condition
        text = self._core(qualifiers, self.name(other) if other else self.object_name(statement))
        for key in ("dose_context", "purpose", "except_purpose"):
            if key in qualifiers:
                value = self._qualifier(key, str(qualifiers[key]))
                text = self.say(f"conditions.{key}", condition=text, value=value)
        return text

    def _core(self, qualifiers: dict[str, Any], name: str) -> str:
        """The condition without the way of use: by the first qualifier that has words."""
        for qualifier, key in _CONDITIONS.items():
            if qualifier in qualifiers:
                value = qualifiers[qualifier]
                shown = self.age(int(value)) if key in ("under", "over") else value
                slots = {"name": name, "n": value, "age": shown}
                severe = "severe_" if key == "allergy" and "severity" in qualifiers else ""
                return self.say(
                    f"conditions.{value if qualifier == 'sex' else severe + key}",
                    severity=self._qualifier("severity", str(value)),
                    **slots,
                )
        return name

    def used(self, statement: Statement, name: str) -> str:
        """A use with its qualifiers: 'pre-eclampsia in pregnancy (at low doses)'."""
        qualifiers = dict(statement.qualifiers)
        text = self.say("conditions.in_pregnancy", name=name) if "pregnancy" in qualifiers else name
        if "dose_context" in qualifiers:
            value = self._qualifier("dose_context", str(qualifiers["dose_context"]))
            text = self.say("conditions.dose_context", condition=text, value=value)
        return text

    def _qualifier(self, name: str, value: str) -> str:
        """A stored qualifier in words: purposes are things, the rest are codes."""
        if name in ("purpose", "except_purpose"):
            return self.name(value)
        codes: dict[str, str] = self.phrases["codes"]
        return codes.get(value, value)

    def age(self, days: int) -> str:
        """See `age_in_words`."""
        return age_in_words(days, self.language)
