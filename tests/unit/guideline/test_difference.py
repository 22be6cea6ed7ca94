"""What changed between two versions of a guideline, and what that makes of saved cases."""

# ruff: noqa: E501 - texts as they are printed

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from medweave.errors import GuidelineError
from medweave.faces.terminal.guideline_difference import difference_lines
from medweave.guideline.logic.evaluation import evaluate
from medweave.guideline.logic.graph import compile_guideline
from medweave.guideline.versions.difference import difference
from medweave.guideline.versions.rerun import rerun
from medweave.guideline.yaml.reading import read_guideline
from medweave.model.findings import Findings
from medweave.model.logic import AllOf, AnyOf, AtLeast, GroupReference, Guarded, Negation
from tests.guideline_strategies import guidelines, rules

OLD = """\
guideline: small
version: "1"
title: A small one
ages: 2 mo to 60 mo
observations:
  cough: {label: Cough}
  stridor: {label: Stridor}
  fits: {label: Convulsions, danger_sign: true}
  drinking:
    label: Drinking
    kind: choice
    answers: {well: Drinks well, poorly: Drinks poorly, not_done: {label: Not seen, means: unavailable}}
  spo2: {label: Oxygen, kind: number, unit: "%", range: [50, 100]}
groups:
  signs: {any: [stridor, fits, spo2 < 90]}
conditions:
  coughs:
    label: Cough
    classifications:
      bad:
        label: Bad
        severity: severe
        when: {all: [cough, group signs]}
        refer: true
        treatments:
          drops: {label: Give drops, kind: drug, drug: drops, days: 5, when: drinking is well, formulations: {
            syrup: {label: Syrup, form: syrup, strength: 50, volume: 5, dose: {unit: mg, per_kg_day: 10, cap_day: 200}}}}
      cold: {label: Cold, severity: mild, when: cough, follow_up_days: 5}
      dry: {label: Dry, severity: moderate, when: {at_least: 2, of: [cough, drinking is poorly, fits]}}
"""
NEW = """\
guideline: small
version: "2"
title: A small guideline
ages: 2 mo to 60 mo
observations:
  spo2: {label: Oxygen, kind: number, unit: "%", range: [40, 100]}
  cough: {label: Cough, aliases: [coughing]}
  stridor: {label: Stridor, danger_sign: true}
  wheeze: {label: Wheeze}
  drinking:
    label: Drinking
    kind: choice
    answers: {well: Drinks well, poorly: Drinks poorly, unable: Cannot drink, not_done: Not seen}
groups:
  serious: {any: [spo2 < 92, drinking is unable, stridor]}
conditions:
  coughs:
    label: Cough
    classifications:
      dry: {label: Dry, severity: moderate, when: {at_least: 1, of: [cough, drinking is poorly]}}
      bad:
        label: Bad
        severity: severe
        when: {all: [group serious, cough, not wheeze]}
        refer: true
        treatments:
          drops: {label: Give drops, kind: drug, drug: drops, days: 7, when: drinking is poorly, formulations: {
            syrup: {label: Syrup, form: syrup, strength: 50, volume: 5, dose: {unit: mg, per_kg_day: [10, 20], cap_day: 200}},
            tablet: {label: Tablet, form: tablet, strength: 50, dose: {unit: mg, fixed: 50}}}}
          home: {label: Go home}
      wheezes: {label: Wheezes, severity: mild, when: wheeze, ages: 12 mo to 60 mo}
"""
TOLD = """\
small@1 → small@2

Classifications
  ~ Bad (bad): rule
      must hold too: not Wheeze
      in “any of Stridor …”: does not suffice any more: Convulsions
      in “any of Stridor …”: now suffices too: Drinking: Cannot drink
      in “any of Stridor …”: Oxygen below 90 % → Oxygen below 92 %
  - Cold (cold): condition: coughs; severity: mild; rule: Cough; colour: green; follow-up: in 5 days; yields to: bad, dry
  ~ Dry (dry): rule
      does not count any more: Convulsions
      at least 2 of → at least 1 of
  + Wheezes (wheezes): condition: coughs; severity: mild; rule: Wheeze; colour: green; ages: from 1 year to below 5 years; yields to: bad, dry

Treatments
  ~ Bad: Give drops (bad/drops): condition
      Drinking: Drinks well → Drinking: Drinks poorly
  ~ Bad: Give drops (bad/drops): days: 5 → 7
  ~ Bad: Give drops (bad/drops): formulation syrup: dose: 10 mg/kg a day, at most 200 mg a day → 10 to 20 mg/kg a day, at most 200 mg a day
  ~ Bad: Give drops (bad/drops): formulation tablet: nothing → Tablet; form: tablet; dose: 50 mg; times a day: 1; strength: 50; parts of a piece: 1
  + Bad: Go home (bad/home): kind: advice

Observations
  ~ Drinking (drinking): answer not_done: means: unavailable → nothing
  ~ Drinking (drinking): answer unable: nothing → Cannot drink
  - Convulsions (fits): kind: boolean; danger sign: yes
  ~ Oxygen (spo2): possible values: 50 to 100 → 40 to 100
  ~ Stridor (stridor): danger sign: no → yes
  + Wheeze (wheeze): kind: boolean

Wording
  ~ title: A small one → A small guideline
  ~ Cough (cough): aliases: nothing → coughing
"""


RERUN = {
    "cases": 5,
    "changed": [
        {
            "changes": [
                {"new": "excluded", "old": "possible", "what": "Bad"},
                {"new": "not in it", "old": "provisional", "what": "Cold"},
                {"new": "confirmed", "old": "possible", "what": "Dry"},
                {"new": "no", "old": "in 5 days", "what": "come back"},
            ],
            "id": "line 1",
            "matters": True,
        },
        {
            "changes": [
                {"new": "possible", "old": "confirmed", "what": "Bad"},
                {"new": "provisional", "old": "excluded", "what": "Dry"},
                {
                    "new": "",
                    "old": "Give drops, Syrup, 120 mg, 12 mL, 1 time a day, for 5 days",
                    "what": "given",
                },
                {"new": "no", "old": "Bad: refer", "what": "referred"},
            ],
            "id": "child 2",
            "matters": True,
        },
        {
            "changes": [{"new": "possible", "old": "not in it", "what": "Wheezes"}],
            "id": "child 3",
            "matters": False,
        },
        {
            "changes": [
                {
                    "new": "the guideline has no observation 'fits', fits, `medweave guideline "
                    "export` lists what there is",
                    "old": "can be read",
                    "what": "the record",
                }
            ],
            "id": "child 5",
            "matters": True,
        },
    ],
    "summary": "small@2 changes 4 of 5 cases; in 3 of them what stands, is given or is referred; 1 could not be "
    "read",
    "unread": [{"id": "child 4", "why": "an age of -3 days cannot be, age_days, check the age"}],
}


def version(text):
    return read_guideline(text, file="g.yaml").guideline


def test_all_that_changed_is_told_in_words():
    found = "\n".join(difference_lines(difference(version(OLD), version(NEW))))
    assert found + "\n" == TOLD


def test_cases_are_run_again_and_what_changes_is_told():
    cases = [
        {"age_days": 900,
         "findings": {"cough": True, "stridor": False, "spo2": 95, "drinking": "well"}},
        {"id": "child 2", "age_days": 900, "weight_kg": 12,
         "findings": {"cough": True, "spo2": 91, "stridor": True, "drinking": "well"}},
        {"id": "child 3", "age_days": 900,
         "findings": {"cough": False, "stridor": False, "drinking": "well"}},
        {"id": "child 4", "age_days": -3},
        {"id": "child 5", "age_days": 900, "findings": {"fits": True}},
    ]  # fmt: skip
    old, new = (compile_guideline(version(text)) for text in (OLD, NEW))
    found = rerun(old, new, [json.dumps(case) for case in cases])
    assert found.to_json() == RERUN


def reordered(rule, draw):
    """The same rule in another order, with parts said twice."""
    match rule:
        case AllOf(parts) | AnyOf(parts):
            parts = draw(st.permutations([reordered(part, draw) for part in parts]))
            return type(rule)((*parts, *parts[:1]))
        case AtLeast(count, parts, scores):
            pairs = [*zip(parts, scores or [1.0] * len(parts), strict=True)]
            pairs = draw(st.permutations(pairs))
            return AtLeast(count, tuple(p for p, _ in pairs), tuple(s for _, s in pairs))
        case Negation(part):
            return Negation(reordered(part, draw))
        case Guarded(guard, part, material):
            return Guarded(reordered(guard, draw), reordered(part, draw), material)
        case _:
            return rule


RULED = """\
guideline: ruled
version: "1"
observations:
  a: {label: A}
  b: {label: B}
  c: {label: C}
  B10S1.DE05: {label: D}
  drinking: {label: Drinking, kind: choice, answers: {well: Drinks well, poorly: Drinks poorly, "yes": "Yes"}}
  spo2: {label: Oxygen, kind: number, unit: "%"}
conditions:
  one: {label: One, classifications: {x: {label: X, when: a}, y: {label: Y, when: b}, z: {label: Z, when: c}}}
"""
CASES = [
    Findings(age_days=age, values={"a": a, "b": b, "drinking": drinking, "spo2": spo2})
    for age in (30, 400)
    for a in (True, None)
    for b in (False, "unavailable")
    for drinking, spo2 in (("well", 89), ("poorly", 91), ("yes", 95), (None, None))
]


def truths(guideline, findings):
    state = evaluate(compile_guideline(guideline), findings)
    return [state.values[rule.strict] for rule in state.graph.rules.values()]


def of_rules(rules, groups):
    """The old one, with these rules."""
    small = version(RULED)
    classifications = [
        replace(each, rule=rule) for each, rule in zip(small.classifications, rules, strict=True)
    ]
    return replace(small, classifications=tuple(classifications), groups=groups)


three = st.lists(rules(), min_size=3, max_size=3)


@given(three, st.data())
def test_order_and_names_of_groups_are_no_difference(rules, data):
    groups = {f"group {at}": rule for at, rule in enumerate(rules)}
    one = of_rules([AllOf((GroupReference(name),)) for name in groups], groups)
    other = of_rules([AllOf((reordered(rule, data.draw),)) for rule in rules], {})
    turned = replace(
        other,
        classifications=tuple(data.draw(st.permutations(other.classifications))),
        observations=tuple(data.draw(st.permutations(other.observations))),
    )
    assert difference(one, turned).changes == ()


@given(three, three)
def test_turned_around_it_is_the_same_turned(rules, others):
    one, other = of_rules(rules, {}), replace(of_rules(others, {}), version="2")
    assert difference(other, one) == difference(one, other).turned()


@pytest.mark.thorough
@settings(max_examples=15, suppress_health_check=[HealthCheck.too_slow])
@given(guidelines(), guidelines())
def test_of_whole_guidelines_too(one, other):
    assert difference(one, one).changes == ()
    assert difference(other, one) == difference(one, other).turned()


@given(rules(), rules())
def test_rules_that_are_told_as_the_same_are_the_same(rule, other):
    """What differs in a case differs in words."""
    one, two = of_rules([rule] * 3, {}), of_rules([other] * 3, {})
    changed = {each.id for each in difference(one, two).changes if each.what == "rule"}
    assert all(each.rule for each in difference(one, two).changes if each.what == "rule")
    if not changed:
        for findings in CASES:
            assert truths(one, findings) == truths(two, findings)


def test_groups_that_go_in_circles_are_refused():
    broken = replace(version(OLD), groups={"signs": GroupReference("signs")})
    with pytest.raises(GuidelineError, match="goes in circles"):
        difference(version(OLD), broken)
