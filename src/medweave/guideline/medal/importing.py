"""medAL algorithms (ePOCT+) as guidelines. How they are read: decision record 0034."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from medweave.guideline.import_report import Imported
from medweave.guideline.medal.conditions import conditions_of, severity_of
from medweave.guideline.medal.diagrams import Diagram, Diagrams, age_band, all_of
from medweave.guideline.medal.file import Json, MedalFile, listed, number, read_medal, whole, words
from medweave.guideline.medal.observations import observations
from medweave.guideline.return_days import follow_ups_in
from medweave.guideline.yaml.reading import COLOURS
from medweave.model.guideline import (
    AgeBand,
    Classification,
    Condition,
    FixedDose,
    Formulation,
    Guideline,
    StepKind,
    TableValue,
    TreatmentStep,
    WeightDose,
    days_of_months,
)
from medweave.model.logic import Constant

_DRUG = "drug"
_ALWAYS = Constant(True)
_MONTHS_OF_A_YEAR = 12
_LIMITS = "Imported from a medAL algorithm; see the report of the import for what is not in it."


def import_medal(path: Path, tables: Path | None = None) -> Imported:
    """The guideline of an algorithm's JSON file, and what of the file is not in it.

    `tables` are the reference tables of its z-scores (found beside the file by themselves).
    Raises `SourceError` where the file is no such algorithm.
    """
    return guideline_of(read_medal(path, tables))


def guideline_of(medal: MedalFile) -> Imported:
    """The guideline of an algorithm that was read."""
    diagrams = Diagrams(medal)
    observed = tuple(observations(diagrams))
    tables = list(_classifications(diagrams))
    _note_configuration(medal)
    guideline = Guideline(
        id=_slug(str(medal.document.get("algorithm_name") or "medal")),
        version=_version(medal),
        title=_title(medal),
        observations=observed,
        conditions=tuple(condition for condition, _ in tables),
        classifications=tuple(each for _, classes in tables for each in classes),
        groups=diagrams.groups,
        ages=_ages(medal),
        language=medal.languages[0],
        citation=_title(medal),
        developer=str(medal.document.get("author") or ""),
        released=str(medal.document.get("updated_at") or "")[:10],
        limits=_LIMITS,
        tables={
            name: medal.tables[name]
            for each in observed
            if isinstance(each.derived, TableValue)
            for name in (each.derived.male, each.derived.female)
        },
    )
    return Imported(guideline, tuple(medal.notes.found))


def _slug(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-") or "medal"


def _version(medal: MedalFile) -> str:
    """The version's number, and how often its JSON was made anew: both change its rules."""
    parts = (medal.document.get("version_id"), medal.document.get("json_version"))
    return ".".join(str(part) for part in parts if part is not None) or "1"


def _title(medal: MedalFile) -> str:
    names = (medal.document.get("algorithm_name"), medal.document.get("version_name"))
    return " ".join(dict.fromkeys(str(name) for name in names if name))


def _ages(medal: MedalFile) -> AgeBand:
    """Below the age limit, which is in years."""
    limit = number(medal.config.get("age_limit"))
    return AgeBand(None, None if limit is None else days_of_months(limit * _MONTHS_OF_A_YEAR))


def _grouped(medal: MedalFile) -> Iterator[tuple[Condition, Json, list[str]]]:
    """Conditions, each with its tree and the final diagnoses that are read together."""
    for tree_id, tree in medal.diagnoses.items():
        label = medal.label(tree) or tree_id
        for index, group in enumerate(conditions_of(medal, tree)):
            first = medal.label(medal.final_diagnoses[group[0]])
            if index:
                yield Condition(f"{tree_id}.{index + 1}", f"{label}: {first}"), tree, group
            else:
                yield Condition(tree_id, label), tree, group


def _classifications(diagrams: Diagrams) -> Iterator[tuple[Condition, list[Classification]]]:
    medal = diagrams.medal
    for identifier, diagnosis in medal.final_diagnoses.items():
        if str(diagnosis.get("diagnosis_id")) not in medal.diagnoses:
            medal.notes.add(
                f"'{medal.label(diagnosis)}'", f"final diagnosis {identifier}", "it has no diagram"
            )
    for condition, tree, group in _grouped(medal):
        yield (
            condition,
            [
                _classification(diagrams, medal.final_diagnoses[each], tree, condition.id)
                for each in group
            ],
        )


def _classification(
    diagrams: Diagrams, diagnosis: Json, tree: Json, condition: str
) -> Classification:
    medal, identifier = diagrams.medal, str(diagnosis["id"])
    steps = tuple(treatments(diagrams, diagnosis))
    back = [days for days in map(days_until_back, steps) if days is not None]
    urgency = whole(diagnosis.get("level_of_urgency")) or 0
    category = diagrams.category(tree.get("complaint_category", diagnosis.get("cc")))
    return Classification(
        id=identifier,
        label=medal.label(diagnosis) or identifier,
        condition=condition,
        severity=severity_of(urgency),
        colour=COLOURS[severity_of(urgency)],
        rule=all_of((category, diagrams.tree(tree).leads_to(diagnosis.get("conditions") or ()))),
        ages=age_band(tree),
        yields_to=tuple(_excluding(medal, diagnosis)),
        treatments=steps,
        refer=any(map(is_referral, steps)),
        follow_up_days=min(back, default=None),
        urgency=urgency,
        source=f"final diagnosis {identifier}",
    )


def _excluding(medal: MedalFile, diagnosis: Json) -> Iterator[str]:
    """The final diagnoses that this one does not hold beside."""
    for other in dict.fromkeys(map(str, diagnosis.get("excluding_final_diagnoses") or ())):
        if other in medal.final_diagnoses:
            yield other
        else:
            medal.notes.add(
                f"the exclusion by {other}",
                f"final diagnosis {diagnosis['id']}",
                "the algorithm has no such final diagnosis",
            )


def _note_configuration(medal: MedalFile) -> None:
    drawn = listed((medal.document.get("diagram") or {}).get("instances"))
    if any(each.get("conditions") for each in drawn):
        medal.notes.add(
            "which complaint categories are shown",
            "diagram",
            "every one of the age band may be named",
        )
    if medal.config.get("minimum_age"):
        medal.notes.add(
            "the minimum age",
            "config.minimum_age",
            "which unit it is in and what it gates, the format does not say: the bands of "
            "complaint categories and diagnoses hold",
        )


def treatments(diagrams: Diagrams, diagnosis: Json) -> Iterator[TreatmentStep]:
    """What is done about a final diagnosis: its drugs, then its managements."""
    diagram = diagrams.treatment(diagnosis)
    for group in ("drugs", "managements"):
        for instance in listed(diagnosis.get(group)):
            step = _step(diagrams, diagram, instance)
            if step:
                yield step


def _step(diagrams: Diagrams, diagram: Diagram, instance: Json) -> TreatmentStep | None:
    medal, identifier = diagrams.medal, str(instance["id"])
    care = medal.health_cares.get(identifier)
    if care is None:
        medal.notes.add(
            f"drug or management {identifier}", diagram.name, "the algorithm has none of that id"
        )
        return None
    if instance.get("is_pre_referral"):
        medal.notes.add(
            f"'before referral' of '{medal.label(care)}'",
            diagram.name,
            "it is offered like the others",
        )
    conditions = instance.get("conditions") or ()
    when = diagram.leads_to(conditions) if conditions else _ALWAYS
    is_drug = care.get("category") == _DRUG
    duration = medal.text(instance.get("duration"))
    return TreatmentStep(
        id=identifier,
        label=medal.label(care) or identifier,
        kind=_kind(medal, care),
        drug=identifier if is_drug else "",
        text=medal.text(instance.get("description")) or medal.text(care.get("description")),
        when=None if when == _ALWAYS else when,
        formulations=tuple(formulations(medal, care)) if is_drug else (),
        days=number(duration),
        duration=duration,
        excludes=_excluded_by(medal).get(identifier, ()),
        follow_ups=() if is_drug else follow_ups_in(medal.label(care)),
        source=f"{care.get('category')} {identifier}",
    )


def _kind(medal: MedalFile, care: Json) -> StepKind:
    if care.get("category") == _DRUG:
        return "drug"
    label = medal.label(care).lower()
    return "referral" if label.startswith(tuple(words()["referral"])) else "management"


def _excluded_by(medal: MedalFile) -> Mapping[str, tuple[str, ...]]:
    """By drug or management, those that are not offered beside it."""
    found: dict[str, list[str]] = {}
    for identifier, care in medal.health_cares.items():
        for other in care.get("excluding_nodes_ids") or ():
            found.setdefault(str(other), []).append(identifier)
    return {identifier: tuple(others) for identifier, others in found.items()}


def is_referral(step: TreatmentStep) -> bool:
    """Whether a step refers the child, whatever else is found."""
    return step.kind == "referral" and step.when is None


def days_until_back(step: TreatmentStep) -> int | None:
    """In how many days the child is to come back, where a step says so and always applies."""
    if step.when is not None:
        return None
    return min((each.days for each in step.follow_ups), default=None)


def formulations(medal: MedalFile, drug: Json) -> Iterator[Formulation]:
    """The forms a drug comes in, each with its dose."""
    for given in drug.get("formulations") or ():
        identifier = str(given["id"])
        where = f"formulation {identifier} of '{medal.label(drug)}'"
        dose = _dose(medal, given, where)
        if dose is None:
            continue
        form = str(given.get("medication_form") or "")
        solid = form in words()["solids"]
        yield Formulation(
            id=identifier,
            label=medal.text(given.get("description")) or form.replace("_", " "),
            form=form.replace("_", " "),
            dose=dose,
            route=str(given.get("administration_route_name") or ""),
            times_per_day=number(given.get("doses_per_day")) or 1,
            strength=number(given.get("dose_form" if solid else "liquid_concentration")),
            volume=None if solid else number(given.get("dose_form")),
            breakable=(whole(given.get("breakable")) or 1) if solid else 1,
            instructions=_instructions(medal, given),
            source=f"formulation {identifier}",
        )


def _dose(medal: MedalFile, given: Json, where: str) -> WeightDose | FixedDose | None:
    """By weight where it is not given by age; else the same for everybody whom it is given to."""
    least = number(given.get("minimal_dose_per_kg"))
    most, cap = number(given.get("maximal_dose_per_kg")), number(given.get("maximal_dose"))
    form = str(given.get("medication_form") or "")
    if least is not None and not given.get("by_age"):
        if cap is None:
            medal.notes.add("a dose by weight", where, "it has no maximum: no dose is given")
        elif form in words()["solids"] and not number(given.get("dose_form")):
            medal.notes.add("a dose by weight", where, "how strong a piece is, it does not say")
        elif form not in words()["solids"] and form not in words()["liquids"]:
            medal.notes.add("a dose by weight", where, f"how a {form} is measured, is not known")
        else:
            return WeightDose("mg", least, least if most is None else most, cap)
        return None
    unique = number(given.get("unique_dose"))
    if unique is None:
        medal.notes.add("a formulation", where, "it has a dose neither by weight nor for everybody")
        return None
    return FixedDose(words()["pieces"].get(form, form.replace("_", " ")), unique)


def _instructions(medal: MedalFile, given: Json) -> str:
    parts = (
        medal.text(given.get(name)) for name in ("dispensing_description", "injection_instructions")
    )
    return "\n".join(dict.fromkeys(part for part in parts if part))
