"""Guidelines and rules at random, for property tests."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import strategies as st

from medweave.model.guideline import (
    NO,
    YES,
    AgeBand,
    AgeValue,
    AnswerOption,
    Band,
    BandDose,
    ChosenValue,
    Classification,
    Condition,
    FixedDose,
    Formulation,
    Guideline,
    Observation,
    RuleValue,
    SameValue,
    TreatmentStep,
    WeightDose,
)
from medweave.model.logic import (
    Aged,
    AllOf,
    Answered,
    AnyOf,
    AtLeast,
    Compared,
    Constant,
    Guarded,
    Negation,
)

SIGNS = ("a", "b", "c", "B10S1.DE05")
CHOICE = "drinking"
NUMBER = "spo2"
OPTIONS = (
    AnswerOption("well", "Drinks well"),
    AnswerOption("poorly", "Drinks poorly", ("drinks little", "no: hardly")),
    AnswerOption("yes", "Yes"),
)
words = st.text(
    st.characters(codec="utf-8", exclude_categories=("Cs", "Cc", "Zl", "Zp")), max_size=20
)
numbers = st.integers(-3, 200).map(float) | st.sampled_from([0.1, 37.5, 2.25])
fallbacks = st.sampled_from([None, None, True, False])
bands = st.builds(
    AgeBand, st.sampled_from([None, 0, 7, 60, 61]), st.sampled_from([None, 365, 1826, 1827])
)


def leaves():
    return st.one_of(
        st.builds(Answered, st.sampled_from(SIGNS), st.sampled_from(["yes", "no"]), fallbacks),
        st.builds(
            Answered, st.just(CHOICE), st.sampled_from([each.id for each in OPTIONS]), fallbacks
        ),
        st.builds(
            Compared,
            st.just(NUMBER),
            st.sampled_from(["<", "<=", ">", ">=", "=", "!="]),
            st.sampled_from([90.0, 92.5]),
            fallbacks,
        ),
        st.builds(Aged, st.sampled_from([None, 0, 60]), st.sampled_from([None, 365, 1827])),
        st.builds(Constant, st.booleans()),
    )


def rules(leaf=None):
    def larger(inner):
        several = st.lists(inner, max_size=3).map(tuple)
        return st.one_of(
            st.builds(AllOf, several),
            st.builds(AnyOf, several),
            st.builds(Negation, inner),
            st.builds(Guarded, inner, inner, st.booleans()),
            st.builds(AtLeast, st.sampled_from([1.0, 2.0]), several),
            st.lists(inner, min_size=1, max_size=3).flatmap(
                lambda parts: st.builds(
                    AtLeast,
                    st.sampled_from([2.0, 3.0]),
                    st.just(tuple(parts)),
                    st.lists(
                        st.sampled_from([1.0, 2.0]), min_size=len(parts), max_size=len(parts)
                    ).map(tuple),
                )
            ),
        )

    return st.recursive(leaf if leaf is not None else leaves(), larger, max_leaves=8)


def doses():
    return st.one_of(
        st.builds(FixedDose, st.sampled_from(["drops", "mg"]), numbers),
        st.builds(WeightDose, st.just("mg"), st.just(40.0), st.sampled_from([40.0, 90.0]), numbers),
        st.builds(
            BandDose,
            st.just("mg"),
            st.lists(
                st.builds(
                    Band,
                    numbers,
                    st.sampled_from([(None, None), (4.0, 10.0), (None, 4.5), (10.0, None)]),
                    bands,
                    st.sampled_from(["unsourced", "page 3"]),
                ),
                min_size=1,
                max_size=3,
            ).map(tuple),
        ),
    )


@st.composite
def steps(draw, number):
    formulations = [
        Formulation(
            f"form{at}",
            draw(words.filter(bool)),
            draw(words),
            draw(doses()),
            route=draw(words),
            times_per_day=draw(st.sampled_from([1, 2, 0.5])),
            strength=draw(st.sampled_from([None, 250.0])),
            breakable=draw(st.sampled_from([1, 4])),
        )
        for at in range(draw(st.integers(0, 2)))
    ]
    return TreatmentStep(
        f"step {number}",
        draw(words.filter(bool)),
        draw(st.sampled_from(["drug", "advice", "referral", "test", "management"])),
        text=draw(words),
        when=draw(st.none() | rules()),
        ages=draw(bands),
        formulations=tuple(formulations),
        days=draw(st.sampled_from([None, 5.0, 0.0])),
        resources=tuple(draw(st.lists(words.filter(bool), max_size=2))),
    )


@st.composite
def guidelines(draw, rule=None):
    rule = rule if rule is not None else rules()
    yes_no = tuple(
        Observation(
            name,
            draw(words.filter(bool)),
            answers=(replace(YES, implies=draw(st.sampled_from([(), ("extra",)]))), NO),
            danger_sign=name == "a",
        )
        for name in SIGNS
    )
    derived = draw(
        st.none()
        | st.builds(RuleValue, leaves())
        | st.just(ChosenValue((("no", Answered("a", "yes")), ("yes", Compared(NUMBER, "<", 9.0)))))
    )
    observations = (
        *yes_no,
        Observation(CHOICE, "Drinking", "choice", answers=OPTIONS, ages=draw(bands)),
        Observation(NUMBER, "Oxygen", "number", unit="%", range=(0, 100), warn=(50, None)),
        Observation("months", "Age", "number", unit="mo", derived=AgeValue("mo")),
        Observation("same", "Same", "number", derived=SameValue(NUMBER, 2.5)),
        Observation("extra", "Extra", answers=(YES, NO), derived=derived),
    )
    severities = draw(
        st.lists(st.sampled_from(["severe", "moderate", "mild", "none"]), min_size=1, max_size=4)
    )
    classifications = tuple(
        Classification(
            f"class{at}",
            draw(words.filter(bool)),
            "one",
            severity,
            draw(rule),
            colour=draw(st.sampled_from([None, "pink", "green"])),
            ages=draw(bands),
            yields_to=draw(st.sampled_from([None, None, ()])),
            treatments=tuple(draw(steps(number)) for number in range(draw(st.integers(0, 1)))),
            follow_up_days=draw(st.sampled_from([None, 0, 2])),
            urgency=draw(st.sampled_from([0, 3])),
        )
        for at, severity in enumerate(severities)
    )
    return Guideline(
        "random",
        "1.0",
        draw(words),
        observations,
        (Condition("one", draw(words.filter(bool))),),
        classifications,
        groups={"some group": draw(rules())},
        tables={"weights": {"45.5": {"-3": 1.9, "0": 2.4}}},
    )
