"""Three-valued evaluation: Kleene's tables, what is settled stays settled, and increments."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from medweave.errors import FindingsError, GuidelineError
from medweave.guideline.logic.evaluation import evaluate
from medweave.guideline.logic.graph import FALSE, TRUE, UNKNOWN, compile_guideline
from medweave.model.findings import UNAVAILABLE, Findings, Measured
from medweave.model.guideline import (
    NO,
    YES,
    AgeBand,
    AgeValue,
    AnswerOption,
    ChosenValue,
    Classification,
    Condition,
    Guideline,
    Observation,
    PersonValue,
    RuleValue,
    SameValue,
    TableValue,
)
from medweave.model.logic import (
    Aged,
    AllOf,
    Answered,
    AnyOf,
    AtLeast,
    Classified,
    Compared,
    Constant,
    GroupReference,
    Guarded,
    Negation,
)
from tests.guideline_strategies import CHOICE, NUMBER, OPTIONS, SIGNS, guidelines

STATES = (False, None, True)
TRUTH = {False: FALSE, None: UNKNOWN, True: TRUE}


def sign(name):
    return Answered(name, "yes")


def guideline_of(rule, *more, groups=None, observations=(), tables=None):
    signs = tuple(Observation(name, name.upper(), answers=(YES, NO)) for name in "abc")
    return Guideline(
        "g", "1", "G", (*signs, *observations), (Condition("one", "One"),),
        (Classification("x", "X", "one", "none", rule), *more), groups or {}, tables=tables or {},
    )  # fmt: skip


def truth(rule, findings=None, **more):
    person = {k: more.pop(k) for k in ("age_days", "sex", "weight_kg") if k in more}
    graph = compile_guideline(guideline_of(rule, **more))
    return evaluate(graph, Findings(values=findings or {}, **person)).own("x")


@pytest.mark.parametrize(("a", "b"), list(product(STATES, STATES)))
def test_kleenes_tables(a, b):
    values = {"a": a, "b": b}
    x, y = TRUTH[a], TRUTH[b]
    assert truth(AllOf((sign("a"), sign("b"))), values) == min(x, y)
    assert truth(AnyOf((sign("a"), sign("b"))), values) == max(x, y)
    assert truth(Negation(sign("a")), values) == 2 - x
    assert truth(Negation(AllOf((sign("a"), sign("b")))), values) == 2 - min(x, y)
    material = Guarded(sign("a"), sign("b"), material=True)
    assert truth(material, values) == max(2 - x, y)


@pytest.mark.parametrize(("a", "b"), list(product(STATES, STATES)))
def test_if_guards_what_it_stands_before(a, b):
    values = {"a": a, "b": b}
    guarded = Guarded(sign("a"), sign("b"))
    applies = UNKNOWN if a is None else None if a else "not"
    for rule, otherwise in (
        (guarded, FALSE),
        (AllOf((guarded, Constant(True))), TRUE),
        (AnyOf((guarded, Constant(False))), FALSE),
        (AtLeast(1, (guarded,)), FALSE),
    ):
        expected = applies if applies == UNKNOWN else otherwise if applies else TRUTH[b]
        assert truth(rule, values) == expected
        assert truth(Negation(rule), values) == 2 - expected


@pytest.mark.parametrize("values", list(product(STATES, repeat=3)))
def test_at_least_counts_what_is_true_and_what_may_be(values):
    findings = dict(zip("abc", values, strict=True))
    scores = (2.0, 1.0, 1.0)
    rule = AtLeast(3, (sign("a"), sign("b"), sign("c")), scores)
    least = sum(s for v, s in zip(values, scores, strict=True) if v)
    most = sum(s for v, s in zip(values, scores, strict=True) if v is not False)
    assert truth(rule, findings) == (TRUE if least >= 3 else FALSE if most < 3 else UNKNOWN)


def test_what_cannot_be_had_is_unknown_unless_the_guideline_says_otherwise():
    assert truth(sign("a"), {"a": UNAVAILABLE}) == UNKNOWN
    assert truth(Answered("a", "yes", fallback=True), {"a": UNAVAILABLE}) == TRUE
    assert truth(Answered("a", "yes", fallback=True)) == UNKNOWN
    spo2 = Observation("spo2", "SpO2", "number", unit="%")
    rule = Compared("spo2", "<", 90, fallback=False)
    assert truth(rule, {"spo2": UNAVAILABLE}, observations=(spo2,)) == FALSE
    own = Observation(
        "test", "Test", "choice",
        answers=(
            AnswerOption("pos", "Positive"), AnswerOption("none", "No test", means="unavailable"),
        ),
    )  # fmt: skip
    assert truth(Answered("test", "none"), {"test": UNAVAILABLE}, observations=(own,)) == TRUE


def test_ages_are_compared_in_days():
    rule = Aged(60, 365)
    assert [truth(rule, age_days=age) for age in (59, 60, 364, 365)] == [FALSE, TRUE, TRUE, FALSE]
    assert truth(rule) == UNKNOWN


def test_numbers_compare_convert_and_fall_into_bands():
    heat = Observation(
        "t", "Temperature", "number", unit="Cel", range=(25, 45), warn=(34, 42),
        answers=(AnswerOption("hot", "Hot", low=38.0), AnswerOption("not", "Not hot", high=38.0)),
    )  # fmt: skip
    for value, hot in ((38.0, TRUE), (37.9, FALSE), (Measured(101.3, "[degF]"), TRUE)):
        assert truth(Answered("t", "hot"), {"t": value}, observations=(heat,)) == hot
        assert truth(Compared("t", ">=", 38), {"t": value}, observations=(heat,)) == hot
    graph = compile_guideline(guideline_of(sign("a"), observations=(heat,)))
    assert evaluate(graph, Findings(values={"t": 43})).warnings


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ({"t": 52}, "cannot be 52 Cel"),
        ({"t": "warm"}, "no answer 'warm'"),
        ({"t": Measured(5, "mmol/L")}, "not in mmol/L"),
        ({"aaa": True}, "no observation 'aaa'"),
        ({"a": "perhaps"}, "no answer 'perhaps'"),
        ({"t": True}, "no question of yes or no|not a question of yes or no"),
        ({"t": 38, "Temperature": 39}, "have two values"),
        ({"t": float("nan")}, "cannot be nan"),
    ],
)
def test_what_cannot_be_is_a_clear_error(values, told):
    heat = Observation("t", "Temperature", "number", unit="Cel", range=(25, 45))
    graph = compile_guideline(guideline_of(sign("a"), observations=(heat,)))
    with pytest.raises(FindingsError, match=told) as error:
        evaluate(graph, Findings(values=values))
    assert error.value.remedy


@pytest.mark.parametrize(
    "person", [{"age_days": -3}, {"weight_kg": 400}, {"weight_kg": 0}, {"sex": "x"}]
)
def test_nobody_is_so(person):
    with pytest.raises(FindingsError):
        evaluate(compile_guideline(guideline_of(sign("a"))), Findings(**person))


def test_names_are_found_by_label_and_answers_in_any_usual_words():
    for said in (True, "yes", "Present", "POSITIVE", "true"):
        assert truth(sign("a"), {"A": said}) == TRUE
    for said in (False, "no", "absent", "negative"):
        assert truth(sign("a"), {"a ": said}) == FALSE


def test_computed_values_come_from_others_and_yield_to_what_was_given():
    observations = (
        Observation("months", "Age", "number", derived=AgeValue("mo")),
        Observation("weight", "Weight", "number", unit="kg", derived=PersonValue("weight")),
        Observation("grams", "Grams", "number", derived=SameValue("weight", 1000)),
        Observation(
            "z", "Z", "number", derived=TableValue("boys", "girls", "age", "weight")
        ),
        Observation("bad", "Bad", answers=(YES, NO), derived=RuleValue(sign("a"))),
        Observation(
            "kind", "Kind", "choice", answers=(AnswerOption("p", "P"), AnswerOption("q", "Q")),
            derived=ChosenValue((("p", sign("a")), ("q", sign("b")))),
        ),
    )  # fmt: skip
    tables = {"boys": {"61": {"-3": 3.0, "-2": 3.5}}, "girls": {"61": {"-3": 2.0, "-2": 2.5}}}

    def found(rule, values=None, **person):
        return truth(rule, values, observations=observations, tables=tables, **person)

    assert found(Compared("months", "=", 2), age_days=61) == TRUE
    assert found(Compared("grams", ">", 8000), weight_kg=8.2) == TRUE
    assert found(Compared("grams", ">", 8000), {"grams": 5}, weight_kg=8.2) == FALSE
    person = {"age_days": 61, "weight_kg": 3.2}
    assert found(Compared("z", "=", -3), sex="male", **person) == TRUE
    assert found(Compared("z", "=", -2), sex="female", **person) == TRUE
    assert found(Compared("z", "=", -3), **person) == UNKNOWN
    assert found(sign("bad"), {"a": True}) == TRUE
    assert found(sign("bad"), {"a": True, "bad": False}) == FALSE
    assert found(Answered("bad", "no"), {"a": False}) == TRUE
    assert found(Answered("kind", "q"), {"a": True, "b": True}) == FALSE
    assert found(Answered("kind", "q"), {"a": False, "b": True}) == TRUE
    assert found(Answered("kind", "q"), {"b": True}) == UNKNOWN


def test_another_classification_holds_unless_a_severer_one_does():
    severe = Classification("s", "S", "two", "severe", sign("a"))
    mild = Classification("m", "M", "two", "mild", sign("b"))
    graph = compile_guideline(guideline_of(Classified("m"), severe, mild))

    def found(**values):
        return evaluate(graph, Findings(values=values)).own("x")

    assert found(b=True) == UNKNOWN
    assert found(a=True, b=True) == FALSE
    assert found(a=False, b=True) == TRUE


@pytest.mark.parametrize(
    ("rule", "more", "groups", "told"),
    [
        (GroupReference("p"), (), {"p": GroupReference("q"), "q": GroupReference("p")},
         "group p → group q → group p"),
        (Classified("y"), (Classification("y", "Y", "two", "none", Classified("x")),), {},
         "x → y → x"),
        (Answered("nothing", "yes"), (), {}, "no observation 'nothing'"),
        (Answered("a", "maybe"), (), {}, "no answer of 'a' 'maybe'"),
        (Classified("nothing"), (), {}, "no classification 'nothing'"),
        (GroupReference("nothing"), (), {}, "no group 'nothing'"),
    ],
)  # fmt: skip
def test_rules_in_circles_or_over_nothing_are_clear_errors(rule, more, groups, told):
    with pytest.raises(GuidelineError, match=told):
        compile_guideline(guideline_of(rule, *more, groups=groups))


def test_a_computed_number_in_a_circle_is_a_clear_error():
    observations = (
        Observation("p", "P", "number", derived=SameValue("q")),
        Observation("q", "Q", "number", derived=SameValue("p")),
    )
    with pytest.raises(GuidelineError, match="p → q → p"):
        compile_guideline(guideline_of(sign("a"), observations=observations))


def test_a_rule_nested_too_deeply_is_a_clear_error():
    rule = sign("a")
    for _ in range(50_000):
        rule = Negation(rule)
    with pytest.raises(GuidelineError, match="nested too deeply"):
        compile_guideline(guideline_of(rule))


answers = st.fixed_dictionaries(
    {},
    optional={
        **{name: st.sampled_from([True, False]) for name in SIGNS},
        CHOICE: st.sampled_from([option.id for option in OPTIONS]),
        NUMBER: st.sampled_from([80.0, 90.0, 95.0]),
    },
)


@pytest.mark.thorough
@given(guidelines(), answers, st.sampled_from([None, 30, 100, 2000]), st.data())
@settings(max_examples=30, deadline=None)
def test_what_is_settled_stays_settled_and_increments_equal_the_whole(guideline, values, age, data):
    graph = compile_guideline(guideline)
    order = data.draw(st.permutations(sorted(values)))
    state = evaluate(graph, Findings(age_days=age))
    known = {}
    for name in order:
        known[name] = values[name]
        after = state.after(name, values[name])
        whole = evaluate(graph, Findings(age_days=age, values=known))
        assert after.values == whole.values
        for each in guideline.classifications:
            if state.own(each.id) != UNKNOWN:
                assert after.own(each.id) == state.own(each.id)
        state = after


@pytest.mark.thorough
@given(guidelines(), answers, st.sampled_from(SIGNS), st.sampled_from([True, False, None]))
@settings(max_examples=30, deadline=None)
def test_a_changed_or_withdrawn_answer_equals_the_whole(guideline, values, name, value):
    graph = compile_guideline(guideline)
    changed = evaluate(graph, Findings(values=values)).after(name, value)
    assert changed.values == evaluate(graph, Findings(values={**values, name: value})).values


def test_one_answer_works_out_only_what_it_touches():
    others = tuple(
        Classification(f"y{at}", "Y", f"c{at}", "none", AllOf((sign("b"), Aged(at))))
        for at in range(200)
    )
    graph = compile_guideline(guideline_of(sign("a"), *others))
    state = evaluate(graph, Findings(age_days=100))
    assert state.after("a", True).evaluated < 10 < len(graph.kinds)


def test_ages_of_classifications_are_part_of_their_rules():
    young = Classification("young", "Young", "two", "none", sign("a"), ages=AgeBand(None, 60))
    graph = compile_guideline(guideline_of(sign("a"), young))
    for age, expected in ((59, TRUE), (60, FALSE), (None, UNKNOWN)):
        assert evaluate(graph, Findings(age_days=age, values={"a": True})).own("young") == expected
