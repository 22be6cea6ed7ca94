"""What a question says of the person, and what it does not, in words."""

from __future__ import annotations

from collections.abc import Iterator

from medweave.faces.texts import Words
from medweave.model.question import Patient


def known(patient: Patient, words: Words) -> Iterator[str]:
    """What the question says about the person, in words."""
    forms = words.texts["patient"]
    if patient.age_days is not None:
        yield forms["age"].format(age=_age(patient, words))
    if patient.sex:
        yield forms["sex"].format(value=words.plain("sex", patient.sex))
    yield from _known_pregnancy(patient, forms)
    if patient.weight_kg is not None:
        yield forms["weight"].format(n=f"{patient.weight_kg:g}")
    if patient.no_allergies:
        yield forms["no_allergies"]
    for key in ("allergies", "drugs", "conditions", "absent"):
        things = getattr(patient, key)
        if things:
            yield forms[key].format(list=words.names(things))


def _known_pregnancy(patient: Patient, forms: dict[str, str]) -> Iterator[str]:
    if patient.pregnant is not None:
        yield forms["pregnant" if patient.pregnant else "not_pregnant"]
    if patient.pregnancy_weeks is not None:
        weeks = dict.fromkeys((patient.pregnancy_weeks, patient.pregnancy_weeks_max))
        yield forms["weeks"].format(n="–".join(str(week) for week in weeks if week is not None))
    if patient.breastfeeding is not None:
        yield forms["breastfeeding" if patient.breastfeeding else "not_breastfeeding"]


def _age(patient: Patient, words: Words) -> str:
    low, high = patient.age_days or 0, patient.age_max_days
    if high is None:
        return str(words.texts["age_least"].format(low=words.age(low)))
    if low == high:
        return words.age(low)
    form = words.texts["age_range" if low else "age_most"]
    return str(form.format(low=words.age(low), high=words.age(high)))


def unknown(patient: Patient, topics: dict[str, str]) -> Iterator[str]:
    """What the question does not say; unknown is never "no"."""
    stated = {
        "age": patient.age_days is not None,
        "sex": patient.sex is not None,
        "pregnancy": patient.pregnant is not None or patient.sex == "male",
        "breastfeeding": patient.breastfeeding is not None or patient.sex == "male",
        "weight": patient.weight_kg is not None,
        "allergies": bool(patient.allergies) or patient.no_allergies,
        "drugs": bool(patient.drugs),
    }
    return (topics[topic] for topic, known in stated.items() if not known)
