"""A small algorithm of ours in the layout of medAL's JSON, with the corners of the format."""

from __future__ import annotations

import copy
from typing import Any

WEIGHT, SEX, GENERAL, YOUNG = 1, 2, 3, 4
COUGH, JAUNDICE, DAYS, MONTHS, FEVER_CATEGORY = 5, 6, 7, 8, 9
TEMPERATURE, HOT, BREATHS, DRINKING, CHEST, STRIDOR = 10, 11, 12, 13, 14, 15
HEIGHT, FEASIBLE, Z_SCORE, BMI, ODD, NAME, HIV = 16, 17, 18, 19, 20, 21, 22
DANGER, DRY, TEST = 30, 31, 32
PNEUMONIA, SEVERE, COLD, RASH, YELLOW = 100, 101, 102, 103, 104
AMOXICILLIN, CEFTRIAXONE, REFER, HOME, DROPS = 200, 201, 202, 203, 204

TABLES = {
    f"wfh_{sex}": {
        "45": {"-3": 1.9, "-2": 2.1, "-1": 2.3, "0": 2.5, "1": 2.8},
        "45.5": {"-3": 1.9, "-2": 2.1, "-1": 2.3, "0": 2.6, "1": 2.9},
        "80": {"-3": 8.0, "-2": 8.6, "-1": 9.2, "0": 10.0, "1": 11.0},
    }
    for sex in ("male", "female")
}


def _answer(identifier: int, reference: int, label: str, **more: Any) -> dict[str, Any]:
    return {"id": identifier, "reference": reference, "label": {"en": label}} | {
        "value": more.get("value"),
        "operator": more.get("operator"),
    }


def _node(identifier: int, label: str, form: str = "Boolean", **more: Any) -> dict[str, Any]:
    answers = more.pop("answers", None)
    if answers is None and form == "Boolean":
        answers = [("Yes", {}), ("No", {})]
    made = [
        _answer(identifier * 10 + number, number, *((text,)), **extra)
        for number, (text, extra) in enumerate(answers or (), 1)
    ]
    return {
        "id": identifier,
        "type": "Question",
        "label": {"en": label, "sw": "…"},
        "category": "symptom",
        "value_format": form,
        "answers": {str(answer["id"]): answer for answer in made},
        "conditioned_by_cc": [],
        "is_neonat": False,
        "cut_off_start": None,
        "cut_off_end": None,
    } | more


def _sequence(identifier: int, label: str, **more: Any) -> dict[str, Any]:
    made = _node(identifier, label, category="predefined_syndrome", instances={}, conditions=[])
    for answer in made["answers"].values():
        answer["label"] = answer["label"]["en"]
    return made | {"type": "QuestionsSequence"} | more


def edge(node: int, answer: int, **more: Any) -> dict[str, Any]:
    """An edge from the answer of a node (1: its first)."""
    return {"node_id": node, "answer_id": node * 10 + answer} | more


def _diagram(*instances: tuple[int, list[dict[str, Any]]], under: int | None = None) -> Any:
    children: dict[int, list[int]] = {}
    for node, conditions in instances:
        for condition in conditions:
            children.setdefault(condition["node_id"], []).append(node)
    return {
        str(node): {
            "id": node,
            "conditions": conditions,
            "children": children.get(node, []),
            "final_diagnosis_id": under,
        }
        for node, conditions in instances
    }


def _less(value: str) -> dict[str, str]:
    return {"operator": "less", "value": value}


def _from(value: str) -> dict[str, str]:
    return {"operator": "more_or_equal", "value": value}


def _between(value: str) -> dict[str, str]:
    return {"operator": "between", "value": value}


def _nodes() -> list[dict[str, Any]]:
    measure = {"category": "basic_measurement"}
    category = {"category": "complaint_category"}
    calculated = {"category": "background_calculation", "display_format": "Formula"}
    away = {"value": "not_available"}
    return [
        _node(WEIGHT, "Weight (kg)", "Float", **measure, min_value_error=1.0, max_value_error=50.0),
        _node(SEX, "Sex", "Array", answers=[("Male", {"value": "male"}),
                                            ("Female", {"value": "female"})]),
        _node(GENERAL, "General", **category),
        _node(YOUNG, "General, young infant", **category, is_neonat=True),
        _node(COUGH, "Cough", **category),
        _node(FEVER_CATEGORY, "Fever", **category),
        _node(JAUNDICE, "Jaundice", **category, is_neonat=True),
        _node(DAYS, "Age in days", "Float", formula="ToDay", **calculated),
        _node(MONTHS, "Age: 2 / 12", "Float", formula="ToMonth", **calculated,
              answers=[(">= 12", _from("12")), ("2 to 12", _between("2, 12")),
                       ("< 2", _less("2"))]),
        _node(TEMPERATURE, "Temperature (in °C)", "Float", **measure, unavailable=True,
              answers=[("Feels hot", {"value": "38"}), ("Does not feel hot", {"value": "36"})],
              min_value_error=30.0, max_value_error=45.0, max_value_warning=42.0),
        _node(HOT, "Hot", "Float", formula=f"[{TEMPERATURE}]", **calculated,
              answers=[("< 38", _less("38")), (">= 38", _from("38"))]),
        _node(BREATHS, "Breaths in a minute", "Integer", category="physical_exam",
              answers=[("few", _less("<6")), ("fast", _from("50")), ("not fast", _less("50")),
                       ("Not feasible", away)]),
        _node(DRINKING, "Drinking", "Array", is_danger_sign=True,
              answers=[("Well", {"value": ""}), ("Poorly", {"value": ""}),
                       ("Unknown", away)]),
        _node(CHEST, "Chest indrawing", conditioned_by_cc=[COUGH, COUGH], system="breathing"),
        _node(STRIDOR, "Stridor", "Present", emergency_status="emergency",
              answers=[("Present", {}), ("Absent", {})]),
        _node(HEIGHT, "Height (cm)", "Float", **measure, unavailable=True,
              answers=[("Not feasible", {"value": "-1"})], round=0.5),
        _node(FEASIBLE, "Height feasible", "Float", formula=f"[{HEIGHT}]", **calculated,
              answers=[("no", _less("0")), ("yes", _from("0"))]),
        _node(Z_SCORE, "Weight for height", "Integer", display_format="Reference",
              category="background_calculation", reference_table_x_id=HEIGHT,
              reference_table_y_id=WEIGHT, reference_table_z_id=None,
              reference_table_male="wfh_male", reference_table_female="wfh_female",
              answers=[("less", _less("-2")), ("-2", _between("-2,-1")), ("more", _from("-1"))]),
        _node(BMI, "Body mass index", "Float", **calculated,
              formula=f"[{WEIGHT}] / (([{HEIGHT}] / 100) * ([{HEIGHT}] / 100))",
              answers=[("low", _less("14")), ("not low", _from("14"))]),
        _node(ODD, "Odd", "Float", formula="Sqrt([10])", **calculated,
              answers=[("low", _less("2"))]),
        _node(NAME, "First name", "String", category="basic_demographic"),
        _node(HIV, "HIV test", "Positive", category="assessment_test",
              answers=[("Positive", {}), ("Negative", {}), ("Test unavailable", away)]),
        # Either sign of danger; stridor counts only in children of two months and more.
        _sequence(
            DANGER, "Danger", cut_off_start=700, cut_off_end=800,
            instances=_diagram((DRINKING, []), (STRIDOR, [edge(DRINKING, 1)])),
            conditions=[edge(DRINKING, 2), edge(STRIDOR, 1, cut_off_start=60, cut_off_end=None)],
        ),
        _sequence(
            DRY, "Dry", category="scored", min_score=3,
            instances=_diagram((DRINKING, []), (STRIDOR, []), (CHEST, [])),
            conditions=[edge(DRINKING, 2, score=2), edge(STRIDOR, 1, score=1),
                        edge(CHEST, 1, score=1)],
        ),
        _sequence(
            TEST, "Of a test", instances=_diagram((HIV, []), (NAME, [edge(NAME, 1)])),
            conditions=[edge(HIV, 1)],
        ),
    ]  # fmt: skip


def _formulation(identifier: int, form: str, **more: Any) -> dict[str, Any]:
    return {
        "id": identifier,
        "medication_form": form,
        "administration_route_name": "Orally",
        "by_age": False,
        "unique_dose": None,
        "liquid_concentration": None,
        "dose_form": None,
        "breakable": None,
        "minimal_dose_per_kg": None,
        "maximal_dose_per_kg": None,
        "maximal_dose": None,
        "doses_per_day": 2,
        "description": {"en": f"{form} {identifier}"},
    } | more


def _health_cares() -> list[dict[str, Any]]:
    by_weight = {
        "minimal_dose_per_kg": 80.0, "maximal_dose_per_kg": 90.0, "maximal_dose": 3000.0,
    }  # fmt: skip
    return [
        {
            "id": AMOXICILLIN, "category": "drug", "label": {"en": "Amoxicillin"},
            "excluding_nodes_ids": [CEFTRIAXONE],
            "formulations": [
                _formulation(1, "tablet", dose_form="250.0", breakable="2", **by_weight),
                _formulation(2, "syrup", dose_form="5.0", liquid_concentration=250, **by_weight),
                _formulation(3, "tablet", dose_form="250.0", **{**by_weight, "maximal_dose": None}),
            ],
        },
        {
            "id": CEFTRIAXONE, "category": "drug", "label": {"en": "Ceftriaxone"},
            "excluding_nodes_ids": [],
            "formulations": [_formulation(4, "powder_for_injection", dose_form="2.0",
                                          liquid_concentration=500, **by_weight)],
        },
        {
            "id": DROPS, "category": "drug", "label": {"en": "Drops"}, "excluding_nodes_ids": [],
            "formulations": [_formulation(5, "drops", by_age=True, unique_dose="3.0"),
                             _formulation(6, "cream")],
        },
        {"id": REFER, "category": "management", "label": {"en": "Refer urgently"},
         "excluding_nodes_ids": [], "level_of_urgency": 10},
        {"id": HOME, "category": "management", "level_of_urgency": 2,
         "label": {"en": "Advise to follow-up in 3 days"}, "excluding_nodes_ids": [REFER]},
    ]  # fmt: skip


def _care(identifier: int, *conditions: dict[str, Any], duration: str | None = None) -> Any:
    return {
        "id": identifier,
        "conditions": list(conditions),
        "duration": None if duration is None else {"en": duration},
        "description": {"en": ""},
    }


def _diagnosis(identifier: int, tree: int, label: str, urgency: int, **more: Any) -> Any:
    return {
        "id": identifier,
        "diagnosis_id": tree,
        "label": {"en": label},
        "level_of_urgency": urgency,
        "type": "FinalDiagnosis",
        "conditions": [],
        "excluding_final_diagnoses": [],
        "drugs": {},
        "managements": {},
    } | more


def _final_diagnoses() -> list[dict[str, Any]]:
    return [
        _diagnosis(
            COLD, 50, "Cold", 3, conditions=[edge(CHEST, 2)],
            excluding_final_diagnoses=[PNEUMONIA, 999],
            managements={str(HOME): _care(HOME)},
        ),
        _diagnosis(
            PNEUMONIA, 50, "Pneumonia", 6,
            conditions=[edge(CHEST, 1), edge(BREATHS, 2)], excluding_final_diagnoses=[SEVERE],
            drugs={str(AMOXICILLIN): _care(AMOXICILLIN, duration="5"),
                   str(DROPS): _care(DROPS, edge(HOT, 2), duration="until it is dry")},
            managements={str(HOME): _care(HOME)},
        ),
        _diagnosis(
            SEVERE, 51, "Severe pneumonia", 9, conditions=[edge(DANGER, 1)],
            drugs={str(CEFTRIAXONE): _care(CEFTRIAXONE, edge(STRIDOR, 1), duration="1")},
            managements={str(REFER): _care(REFER)},
        ),
        _diagnosis(RASH, 51, "Rash", 4, conditions=[edge(Z_SCORE, 1)]),
        _diagnosis(YELLOW, 52, "Jaundice", 8, conditions=[edge(DRINKING, 2)]),
    ]  # fmt: skip


def _trees() -> list[dict[str, Any]]:
    def tree(identifier: int, label: str, category: int, instances: Any, **more: Any) -> Any:
        return {
            "id": identifier,
            "label": {"en": label},
            "complaint_category": category,
            "cut_off_start": None,
            "cut_off_end": None,
            "instances": instances,
            "final_diagnoses": {},
        } | more

    under = {
        "id": PNEUMONIA,
        "instances": _diagram((TEMPERATURE, []), (HOT, []), under=PNEUMONIA),
    }
    severe = {
        "id": SEVERE,
        "instances": _diagram((DRINKING, []), (STRIDOR, [edge(DRINKING, 1)]), under=SEVERE),
    }
    return [
        tree(
            50, "Cough", COUGH, _diagram((CHEST, []), (BREATHS, [edge(CHEST, 2)]))
            | _diagram((HOT, []), under=PNEUMONIA),
            final_diagnoses={str(PNEUMONIA): under, str(COLD): {"id": COLD, "instances": {}}},
        ),
        tree(
            51, "Severe", GENERAL, _diagram((DANGER, []), (FEASIBLE, []),
                                            (Z_SCORE, [edge(FEASIBLE, 2)])),
            cut_off_start=60, cut_off_end=1826, final_diagnoses={str(SEVERE): severe},
        ),
        tree(52, "Yellow", JAUNDICE, _diagram((DRINKING, []))),
    ]  # fmt: skip


def algorithm() -> dict[str, Any]:
    """The algorithm; a new one each time, to be changed at will."""

    def by_id(parts: list[dict[str, Any]]) -> dict[str, Any]:
        return {str(part["id"]): part for part in parts}

    return copy.deepcopy(
        {
            "algorithm_name": "A small one",
            "version_name": "V1",
            "version_id": 7,
            "json_version": 3,
            "version_languages": ["en", "sw"],
            "author": "us",
            "updated_at": "2026-01-02T03:04:05",
            "config": {
                "age_limit": 5,
                "basic_questions": {
                    "weight_question_id": WEIGHT,
                    "gender_question_id": SEX,
                    "general_cc_id": GENERAL,
                    "yi_general_cc_id": YOUNG,
                },
                "full_order": {
                    "complaint_categories_step": {"older": [COUGH], "neonat": [JAUNDICE]},
                    "physical_exam_step": [{"title": "breathing", "data": [CHEST, BREATHS]}],
                },
            },
            "nodes": by_id(_nodes()),
            "diagnoses": by_id(_trees()),
            "final_diagnoses": by_id(_final_diagnoses()),
            "health_cares": by_id(_health_cares()),
        }
    )
