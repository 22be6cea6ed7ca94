"""medAL algorithms as guidelines: a small one of ours with its corners, and the published one."""

from __future__ import annotations

import gzip
import json
import os
import random
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from medweave.errors import FindingsError, SourceError
from medweave.guideline.import_report import Imported
from medweave.guideline.logic.evaluation import Evaluated, evaluate
from medweave.guideline.logic.graph import Graph, compile_guideline
from medweave.guideline.logic.status import assess, statuses
from medweave.guideline.medal.file import MedalFile, is_medal
from medweave.guideline.medal.importing import guideline_of, import_medal
from medweave.guideline.yaml.reading import read_guideline
from medweave.guideline.yaml.writing import write_guideline
from medweave.model.findings import Findings
from medweave.model.guideline import FormulaValue, Guideline, WeightDose
from tests import medal_small as small
from tests.medal_oracle import Oracle, child

DATA = Path(os.environ.get("MEDWEAVE_DATA", Path(__file__).parents[4].parent / "shared" / "data"))
PUBLISHED = DATA / "guidelines" / "epoct_timci_tz_v34.json.gz"
EXAMPLE = DATA / "guidelines" / "setDiagnosesTimci.test.js.gz"
TRUTH = {False: 0, None: 1, True: 2}


def imported(document: dict[str, Any] | None = None) -> Imported:
    return guideline_of(MedalFile(document or small.algorithm(), small.TABLES))


@cache
def graph() -> Graph:
    return compile_guideline(imported().guideline)


def seen(age: int | None = 300, *, refused: tuple[str, ...] = (), **answers: Any) -> Evaluated:
    """A child by the names of the small algorithm's nodes; None and numbers as they are."""
    values = {str(getattr(small, name.upper())): answer for name, answer in answers.items()}
    weight = values.pop(str(small.WEIGHT), None)
    sex = values.pop(str(small.SEX), None)
    findings = Findings(age_days=age, weight_kg=weight, sex=sex, values=values, refused=refused)
    return evaluate(graph(), findings)


def status(state: Evaluated, diagnosis: int) -> str:
    return statuses(state)[str(diagnosis)].status


def answer(state: Evaluated, node: int, number: int) -> int:
    """The truth of an answer, as a question of its own would see it."""
    return answer_of(state, str(node), f"{node}{number}")


def answer_of(state: Evaluated, node: str, of: str) -> int:
    leaves = state.graph.leaves[node]
    leaf = next(each for each in leaves if getattr(state.graph.data[each], "answer", "") == of)
    return state.values[leaf]


def test_a_general_category_is_yes_by_age() -> None:
    for age, holds in ((59, "not_applicable"), (60, "confirmed"), (1825, "confirmed")):
        assert status(seen(age, drinking="Poorly"), small.SEVERE) == holds


def test_categories_are_no_until_somebody_names_them() -> None:
    assert status(seen(chest=False), small.COLD) == "excluded"
    assert status(seen(chest=False, cough=True, breaths=30), small.COLD) == "confirmed"


def test_categories_of_the_other_age_band_are_no() -> None:
    assert status(seen(59, jaundice=True, drinking="Poorly"), small.YELLOW) == "confirmed"
    assert status(seen(60, jaundice=True, drinking="Poorly"), small.YELLOW) == "excluded"
    assert status(seen(30, cough=True, chest=True), small.PNEUMONIA) == "excluded"


def test_a_node_of_a_category_that_is_no_is_out_of_every_diagram() -> None:
    told: dict[str, Any] = {"drinking": "Poorly", "stridor": False, "chest": True}
    # 2 points for drinking; chest indrawing counts one more only where the child coughs.
    small_one = small.algorithm()
    small_one["final_diagnoses"][str(small.RASH)]["conditions"] = [small.edge(small.DRY, 1)]
    small_one["diagnoses"]["51"]["instances"][str(small.DRY)] = {
        "id": small.DRY, "conditions": [], "children": [], "final_diagnosis_id": None,
    }  # fmt: skip
    compiled = compile_guideline(imported(small_one).guideline)
    for cough, holds in ((False, "excluded"), (True, "confirmed")):
        values = {str(getattr(small, k.upper())): v for k, v in told.items()}
        values[str(small.COUGH)] = cough
        state = evaluate(compiled, Findings(age_days=300, values=values))
        assert status(state, small.RASH) == holds


def test_cut_offs_gate_a_diagnosis_and_an_edge_but_not_a_sequence() -> None:
    # The sequence's own cut-offs are 700 to 800 days.
    assert status(seen(300, drinking="Poorly"), small.SEVERE) == "confirmed"
    assert status(seen(1826, drinking="Poorly"), small.SEVERE) == "not_applicable"
    small_one = small.algorithm()
    small_one["diagnoses"]["51"] |= {"cut_off_start": None, "complaint_category": small.YOUNG}
    compiled = compile_guideline(imported(small_one).guideline)
    values: dict[str, Any] = {str(small.DRINKING): "Well", str(small.STRIDOR): True}
    # The edge from stridor is cut off below 60 days.
    state = evaluate(compiled, Findings(age_days=59, values=values))
    assert status(state, small.SEVERE) == "excluded"


def test_excluding_diagnoses_count_by_their_own_tree() -> None:
    everything: dict[str, Any] = {"cough": True, "chest": True, "drinking": "Poorly"}
    state = seen(**everything, breaths=60)
    assert status(state, small.SEVERE) == "confirmed"
    assert status(state, small.PNEUMONIA) == "excluded"
    refused = seen(refused=(str(small.SEVERE),), **everything)
    assert status(refused, small.PNEUMONIA) == "confirmed"
    open_ = seen(cough=True, chest=True, drinking="Well")
    assert status(open_, small.PNEUMONIA) == "provisional"
    # The cold is excluded by a pneumonia that is itself excluded.
    document = small.algorithm()
    document["final_diagnoses"][str(small.COLD)]["conditions"] = [small.edge(small.CHEST, 1)]
    compiled = compile_guideline(imported(document).guideline)
    values = {str(getattr(small, k.upper())): v for k, v in everything.items()}
    state = evaluate(compiled, Findings(age_days=300, values=values))
    assert status(state, small.COLD) == "excluded"


def test_a_limit_that_is_no_number_matches_nothing_and_is_reported() -> None:
    state = seen(breaths=3)
    assert [answer(state, small.BREATHS, 2)] == [0]
    assert state.known[str(small.BREATHS)].answers == {"123"}
    assert any("<6" in each.what for each in imported().not_mapped)


def test_answers_that_stand_for_a_number_are_calculated_with() -> None:
    hot, cool = seen(temperature="Feels hot"), seen(temperature="Does not feel hot")
    assert (answer(hot, small.HOT, 2), answer(cool, small.HOT, 2)) == (2, 0)
    assert answer(seen(temperature=37.9), small.HOT, 2) == 0
    assert answer(seen(height="unavailable"), small.FEASIBLE, 2) == 0


def test_unavailable_takes_the_question_s_own_answer() -> None:
    state = seen(drinking="unavailable", stridor=True)
    assert state.known[str(small.DRINKING)].answers == {"133"}
    # No edge starts from it: that it cannot be had excludes nothing.
    assert status(state, small.SEVERE) == "possible"


def test_answers_are_named_by_id_and_label() -> None:
    for given in ("Poorly", "132", 132):
        assert status(seen(drinking=given), small.SEVERE) == "confirmed"
    for given in ("Feels hot", "101"):
        assert answer(seen(temperature=given), small.HOT, 2) == 2


def test_ids_of_answers_may_be_given_as_numbers() -> None:
    document = json.loads(
        json.dumps(small.algorithm())
        .replace('"101"', '"4101"')
        .replace('"id": 101,', '"id": 4101,')
    )
    document["final_diagnoses"] = small.algorithm()["final_diagnoses"]
    compiled = compile_guideline(imported(document).guideline)
    for given in (4101, "4101", 38):
        state = evaluate(compiled, Findings(300, values={str(small.TEMPERATURE): given}))
        assert answer(state, small.HOT, 2) == 2


def test_numbers_that_cannot_be_are_refused() -> None:
    with pytest.raises(FindingsError, match="Temperature"):
        seen(temperature=52)
    assert seen(temperature=43).warnings


def test_months_begin_at_whole_days() -> None:
    reading = graph().guideline.observations
    months = next(each for each in reading if each.id == str(small.MONTHS))
    for age, label in ((59, "< 2"), (60, "2 to 12"), (364, "2 to 12"), (365, ">= 12")):
        held = seen(age).known[str(small.MONTHS)].answers
        assert [option.label for option in months.answers if option.id in held] == [label]


@pytest.mark.parametrize(
    ("weight", "z"),
    [(7.9, -3), (8.0, -3), (8.1, -2), (8.6, -2), (8.7, -1), (9.6, 0), (10.5, 0), (11.5, 1)],
)
def test_z_scores_go_towards_zero(weight: float, z: int) -> None:
    state = seen(height=80, weight=weight, sex="male")
    assert state.known[str(small.Z_SCORE)].number == z


def test_the_sex_of_a_table_may_be_answered_as_a_question() -> None:
    asked = evaluate(
        graph(),
        Findings(300, 8.1, values={str(small.SEX): "Female", str(small.HEIGHT): 80}),
    )
    assert asked.known[str(small.Z_SCORE)].number == -2
    later = evaluate(graph(), Findings(300, 8.1, values={str(small.HEIGHT): 80}))
    assert str(small.Z_SCORE) not in later.known
    assert later.after(str(small.SEX), "21").known[str(small.Z_SCORE)].number == -2


def test_no_height_no_z_score() -> None:
    state = seen(height="unavailable", weight=8.1, sex="male")
    assert str(small.Z_SCORE) not in state.known
    assert status(state, small.RASH) == "excluded"


def test_a_height_off_the_table_is_read_at_its_nearest_row() -> None:
    assert seen(height=30, weight=2.2, sex="male").known[str(small.Z_SCORE)].number == -1
    assert seen(height=81, weight=8.6, sex="male").known[str(small.Z_SCORE)].number == -2


def test_formulas_are_calculated() -> None:
    derived = {each.id: each.derived for each in imported().guideline.observations}
    assert isinstance(derived[str(small.BMI)], FormulaValue)
    state = seen(height=80, weight=9.6)
    assert state.known[str(small.BMI)].number == pytest.approx(15.0)


def test_what_cannot_be_mapped_is_reported() -> None:
    document = small.algorithm()
    document["nodes"][str(small.NAME)]["value_format"] = "Picture"
    document["health_cares"][str(small.AMOXICILLIN)]["formulations"][1]["medication_form"] = "wax"
    document["final_diagnoses"][str(small.YELLOW)]["conditions"].append(small.edge(98, 1))
    found = guideline_of(MedalFile(document)).not_mapped
    told = " | ".join(f"{each.what} {each.why}" for each in found)
    for expected in (
        *("Sqrt([10])", "no reference table", "exclusion by 999", "no maximum", "a wax"),
        *("neither by weight", "'Picture'", "no such node", "limit is no number"),
    ):
        assert expected in told, expected


def test_an_unknown_part_of_the_file_is_reported(tmp_path: Path) -> None:
    file = tmp_path / "algorithm.json"
    file.write_text(json.dumps({"medal_r_json": small.algorithm() | {"zebra": 1}}))
    assert is_medal(file)
    found = import_medal(file)
    assert any("zebra" in each.what for each in found.not_mapped)
    assert found.guideline.name == "a-small-one@7.3"


def test_tables_are_found_beside_the_file(tmp_path: Path) -> None:
    file = tmp_path / "algorithm.json"
    file.write_text(json.dumps(small.algorithm()))
    assert not import_medal(file).guideline.tables
    (tmp_path / "our_reference_tables.json").write_text(json.dumps(small.TABLES))
    assert set(import_medal(file).guideline.tables) == {"wfh_male", "wfh_female"}


def test_an_edge_that_leads_round_is_left_out() -> None:
    document = small.algorithm()
    instances = document["diagnoses"]["50"]["instances"]
    instances[str(small.CHEST)]["conditions"] = [small.edge(small.BREATHS, 2)]
    found = imported(document)
    assert any("circle" in each.why for each in found.not_mapped)
    compile_guideline(found.guideline)


@pytest.mark.parametrize("content", ["", "{", "[]", '{"nodes": {}}', "\x1f\x8b nothing"])
def test_what_is_no_algorithm_is_refused(tmp_path: Path, content: str) -> None:
    file = tmp_path / "algorithm.json"
    file.write_text(content)
    assert not is_medal(file)
    with pytest.raises(SourceError):
        import_medal(file)


def test_treatments_and_their_conditions() -> None:
    state = seen(cough=True, chest=True, drinking="Well", stridor=False, temperature=38.2, weight=8)
    rows = assess(state).treatments
    mine = [row for row in rows if row.classification == str(small.PNEUMONIA)]
    assert {row.drug_id for row in mine if row.drug_id} == {
        str(small.AMOXICILLIN), str(small.DROPS),
    }  # fmt: skip
    cool = assess(seen(cough=True, chest=True, drinking="Well", stridor=False, temperature=37.0))
    assert str(small.DROPS) not in {row.drug_id for row in cool.treatments}
    assert cool.follow_up_days == 3
    assert assess(seen(drinking="Poorly")).refer


def test_a_drug_that_was_chosen_excludes_another() -> None:
    told: dict[str, Any] = {str(small.COUGH): True, str(small.CHEST): True}
    told |= {str(small.DRINKING): "Well", str(small.STRIDOR): False}
    for given, offered in (((), True), ((str(small.CEFTRIAXONE),), False)):
        rows = assess(evaluate(graph(), Findings(300, 8, values=told, given=given))).treatments
        assert (str(small.AMOXICILLIN) in {row.drug_id for row in rows}) is offered


def test_a_management_that_applies_excludes_another() -> None:
    document = small.algorithm()
    document["final_diagnoses"][str(small.PNEUMONIA)]["excluding_final_diagnoses"] = []
    compiled = compile_guideline(imported(document).guideline)
    told: dict[str, Any] = {str(small.COUGH): True, str(small.CHEST): True}
    for drinking, offered in (("Well", True), ("Poorly", False)):
        values = {**told, str(small.DRINKING): drinking, str(small.STRIDOR): False}
        rows = assess(evaluate(compiled, Findings(300, 8, values=values))).treatments
        assert (str(small.HOME) in {row.step for row in rows}) is offered


def test_doses_come_with_a_maximum() -> None:
    doses = [
        formulation.dose
        for each in imported().guideline.classifications
        for step in each.treatments
        for formulation in step.formulations
    ]
    assert doses
    assert all(dose.cap > 0 for dose in doses if isinstance(dose, WeightDose))


def test_diagnoses_side_by_side_are_conditions_of_their_own() -> None:
    conditions = {each.id: each.condition for each in imported().guideline.classifications}
    # A rash neither excludes nor is excluded by a severe pneumonia.
    assert conditions[str(small.RASH)] != conditions[str(small.SEVERE)]
    assert conditions[str(small.COLD)] == conditions[str(small.PNEUMONIA)]


def test_the_yaml_reads_back_as_the_same() -> None:
    guideline = imported().guideline
    assert read_guideline(write_guideline(guideline)).guideline == guideline


def against_the_oracle(
    document: dict[str, Any], tables: dict[str, Any], guideline: Guideline, *, children: range
) -> int:
    """Compare statuses, sequences and treatments of children at random; how many hold."""
    compiled, held = compile_guideline(guideline), 0
    for seed in children:
        rng = random.Random(seed)
        made = child(document, rng)
        names = sorted(document["final_diagnoses"])
        refused = tuple(rng.sample(names, 2)) if rng.random() < 0.3 else ()
        oracle = Oracle(document, tables=tables, **made)
        findings = Findings(
            made["age"], made["weight"], made["sex"], made["answers"], refused=refused
        )
        state = evaluate(compiled, findings)
        found = statuses(state)
        for name in names:
            assert found[name].status == oracle.status(name, refused), (seed, name)
            held += found[name].status == "confirmed"
        for node, leaves in compiled.leaves.items():
            made_of = document["nodes"].get(node)
            for leaf in leaves if made_of and made_of["category"] != "complaint_category" else ():
                asked = getattr(compiled.data[leaf], "answer", None)
                if asked is not None:
                    expected = TRUTH[oracle.is_answer(node, asked)]
                    assert state.values[leaf] == expected, (seed, node, asked)
        for each in guideline.classifications:
            for step in each.treatments:
                expected = TRUTH[oracle.treated(each.id, step.id)]
                assert state.values[compiled.steps[each.id, step.id]] == expected, (seed, step.id)
    return held


def oracle_s_own(document: dict[str, Any]) -> dict[str, Any]:
    """The small algorithm without what recursion over it does not know."""
    for node in (small.ODD, small.BMI):
        document["nodes"][str(node)] |= {"formula": None, "category": "symptom"}
    document["final_diagnoses"][str(small.COLD)]["excluding_final_diagnoses"] = [small.PNEUMONIA]
    return document


def test_the_small_algorithm_is_as_recursion_over_its_json() -> None:
    document = oracle_s_own(small.algorithm())
    document["nodes"][str(small.BREATHS)]["answers"].pop("121")
    guideline = imported(document).guideline
    assert against_the_oracle(document, small.TABLES, guideline, children=range(400)) > 50


needs_data = pytest.mark.skipif(
    not PUBLISHED.exists(), reason=f"no data folder at {DATA}; name one with MEDWEAVE_DATA"
)


@cache
def published() -> tuple[Imported, Graph]:
    found = import_medal(PUBLISHED)
    return found, compile_guideline(found.guideline)


@needs_data
def test_the_published_algorithm_is_whole() -> None:
    found, _ = published()
    document = json.loads(gzip.decompress(PUBLISHED.read_bytes()))
    assert len(found.guideline.classifications) == len(document["final_diagnoses"])
    assert len(found.guideline.observations) == len(document["nodes"])
    assert found.to_json()["treatments"] == len(document["health_cares"])
    assert [each.what for each in found.not_mapped] == ["the minimum age"]


@needs_data
def test_the_published_example() -> None:
    """The answers and the expectation are read from the authors' own test."""
    script = gzip.decompress(EXAMPLE.read_bytes()).decode()
    age = re.search(r"setBirthDate\(store, (\d+)\)", script)
    answers = re.findall(r"setAnswer\((\d+), (\d+)\)", script)
    expected = re.findall(r"nodes\[(\d+)\]\.answer\)\.toEqual\((\d+)\)", script)
    assert age
    assert answers
    assert expected
    state = evaluate(published()[1], Findings(int(age[1]), values=dict(answers)))
    for node, chosen in expected:
        assert answer_of(state, node, chosen) == 2


@pytest.mark.thorough
@needs_data
def test_the_published_algorithm_is_as_recursion_over_its_json() -> None:
    document = json.loads(gzip.decompress(PUBLISHED.read_bytes()))
    tables = json.loads(
        gzip.decompress((PUBLISHED.parent / "epoct_reference_tables.json.gz").read_bytes())
    )
    found, _ = published()
    assert against_the_oracle(document, tables, found.guideline, children=range(40)) > 50


@needs_data
def test_no_milder_diagnosis_is_confirmed_beside_an_open_severer_one() -> None:
    document = json.loads(gzip.decompress(PUBLISHED.read_bytes()))
    found, compiled = published()
    rank = {"severe": 3, "moderate": 2, "mild": 1, "none": 0}
    tables: dict[str, list[Any]] = {}
    for each in found.guideline.classifications:
        tables.setdefault(each.condition, []).append(each)
    for seed in range(150):
        made = child(document, random.Random(seed))
        state = evaluate(
            compiled, Findings(made["age"], made["weight"], made["sex"], made["answers"])
        )
        status_by = statuses(state)
        for group in tables.values():
            open_ = [rank[c.severity] for c in group if status_by[c.id].status == "possible"]
            sure = [rank[c.severity] for c in group if status_by[c.id].status == "confirmed"]
            assert not open_ or not sure or max(open_) <= min(sure), seed


@needs_data
def test_the_published_yaml_reads_back_as_the_same() -> None:
    guideline = published()[0].guideline
    assert read_guideline(write_guideline(guideline)).guideline == guideline
