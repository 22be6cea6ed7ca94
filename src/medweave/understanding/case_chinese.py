"""Cases in Chinese: the Chinese names of a guideline and of the lexicon, with the house's cues."""

from __future__ import annotations

from medweave.language.cues import Reading, read_mention
from medweave.language.folding import blotted
from medweave.language.values import read_values
from medweave.model.findings import FindingValue
from medweave.model.guideline import Observation
from medweave.understanding.case_implied import with_implied
from medweave.understanding.case_told import ToldCase, ToldFinding, of_number, overlaps, settled
from medweave.understanding.case_values import measured_values
from medweave.understanding.observation_names import ObservationNames, Says
from medweave.understanding.patient import read_patient


def read_chinese(text: str, names: ObservationNames) -> ToldCase:
    """What a Chinese text tells: the names as they stand, with the cues of the house."""
    taken: list[tuple[int, int]] = []
    found: list[tuple[int, int, str, Says, str]] = []
    for name, observation, says, answer in names.han:
        at = text.find(name)
        while at >= 0:
            span = (at, at + len(name))
            if not overlaps(*span, taken) or any((start, end) == span for start, end, *_ in found):
                taken.append(span)
                found.append((*span, observation, says, answer))
            at = text.find(name, at + 1)
    blank = blotted(text, taken, "x")
    told: list[ToldFinding] = []
    for start, end, observation, says, answer in sorted(found):
        reading = read_mention(f"{blank[:start]}{text[start:end]}{blank[end:]}", start, end, "zh")
        value = _chinese_value(names.observations[observation], says, answer, reading)
        if value == "":
            continue
        told.append(
            ToldFinding(observation, value, start, end, text[start:end], "named in the text")
        )
    values = read_values(text, "zh", ())
    numbers = measured_values(text, values, names, ())
    told += [of_number(text, number) for number in numbers]
    patient = read_patient(text, "zh", ())
    weight = next((v.value for v in values if v.quantity == "body weight"), None)
    exact = patient.age_days if patient.age_days == patient.age_max_days else None
    findings, contradictions = settled(told)
    findings, against = with_implied(findings, names.observations)
    return ToldCase(findings, exact, weight, patient.sex, (*contradictions, *against))


def _chinese_value(
    observation: Observation, says: str, answer: str, reading: Reading
) -> FindingValue:
    """The value of a Chinese name; '' where it says nothing of the child."""
    if reading.status == "hypothetical" or reading.experiencer == "other":
        return ""
    absent = reading.status == "absent"
    if reading.doubted or (reading.temporality == "historical" and not absent):
        return None
    if says == "answer":
        return "" if absent else answer
    if observation.kind == "boolean":
        return not absent
    return ""
