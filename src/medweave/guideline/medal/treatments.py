"""The drugs and managements of a final diagnosis as treatment steps, with their formulations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from medweave.guideline.medal.diagrams import Diagram, Diagrams
from medweave.guideline.medal.file import Json, MedalFile, listed, number, whole, words
from medweave.guideline.return_days import follow_ups_in
from medweave.model.guideline import (
    FixedDose,
    Formulation,
    StepKind,
    TreatmentStep,
    WeightDose,
)
from medweave.model.logic import Constant

_DRUG = "drug"
_ALWAYS = Constant(True)


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
