"""The first lines of an answer: what they hold, in which order, and how few they are."""

from __future__ import annotations

import io
from typing import Any

import pytest
from rich.console import Console

from medweave.faces.terminal.answer import print_answer
from medweave.faces.texts.layout import MARKS, NAMES, Layout
from medweave.model.answer import Answer, Danger, Sentence, Stop, Taken, ToFindOut
from medweave.model.document import Document
from medweave.model.drug_list import DrugGroup, DrugList, ListedDrug
from medweave.model.entity import Entity
from medweave.model.question import DangerSign, Mention, Question, Unread
from medweave.model.statement import Evidence, Place, Statement, SupportedStatement
from medweave.model.weighing import Point, WeighedDisease, Weighing
from tests.unit.faces.small_answers import answer_of, document, evidence


def thing(name: str, concept: str = "drug", zh: str = "") -> Entity:
    return Entity(f"x:{name}", concept, {"en": (name,), "zh": (zh or name,)})


def supported(subject: str, predicate: str, target: str, *sources: Document) -> SupportedStatement:
    said = Statement(f"x:{subject}", predicate, f"x:{target}")
    return SupportedStatement(said, tuple(evidence(said, source, "cough") for source in sources))


def source(name: str) -> Document:
    return Document("a/b.json", name, name, (("signs", "cough and fever"),), sample=True)


BOOK, LEAFLET = source("book"), source("leaflet")
LIMITS = ("Sample data, not for care.", "Not a medical device.", "Not for emergencies.")


def printed(answer: Answer, **how: Any) -> list[str]:
    out = io.StringIO()
    print_answer(answer, Console(file=out, width=100, highlight=False), more="more", **how)
    return [line.rstrip() for line in out.getvalue().splitlines()]


def test_a_stop_comes_before_all_else() -> None:
    interacts = supported("ibuprofen", "interacts_with", "warfarin", BOOK, LEAFLET)
    reason = "recorded as interacting with warfarin (bleeding)"
    stop = Stop(thing("ibuprofen"), "applies", reason, (interacts.statement.id,))
    made = answer_of(
        interacts,
        documents=(BOOK, LEAFLET),
        question=Question("Can I give ibuprofen to a patient on warfarin?", "en"),
        sentences=(Sentence("Ibuprofen interacts with warfarin.", (interacts.statement.id,)),),
        stops=(stop,),
        taken=(Taken("the patient takes warfarin"),),
        find_out=(ToFindOut("ulcer", "stomach ulcer"), ToFindOut("kidneys", "kidneys")),
        limits=LIMITS,
    )
    assert printed(made) == [
        f"STOP  ibuprofen: {reason} [1][2]",
        "Taken as said: the patient takes warfarin.",
        "Also find out: stomach ulcer · kidneys   (more)",
        "Sample data, not for care. Not a medical device. Not for emergencies.",
    ]


@pytest.fixture
def for_migraine() -> Answer:
    recorded = [
        supported(name, "treats", "migraine", BOOK)
        for name in ("paracetamol", "sumatriptan", "aspirin", "ibuprofen", "codeine")
    ]
    ulcer = supported("aspirin", "contraindicated_in", "ulcer", LEAFLET)
    drugs = [ListedDrug(thing(s.statement.subject[2:]), (s.statement.id,)) for s in recorded]
    stopped = [
        ListedDrug(d.entity, d.statements, "peptic ulcer", (ulcer.statement.id,))
        for d in drugs[2:4]
    ]
    care = ListedDrug(drugs[4].entity, drugs[4].statements, "asthma", (ulcer.statement.id,))
    groups = (
        DrugGroup("not_stopped", (drugs[0],)),
        DrugGroup("with_care", (care,)),
        DrugGroup("stopped", tuple(stopped)),
        DrugGroup("no_data", (drugs[1],)),
    )
    everything = tuple(d.statement.id for d in recorded)
    return answer_of(
        *recorded,
        ulcer,
        documents=(BOOK, LEAFLET),
        sentences=(Sentence("Drugs recorded for migraine: all of them.", everything),),
        stops=tuple(Stop(d.entity, "applies", "peptic ulcer", d.grounds) for d in stopped),
        drugs=(DrugList(thing("migraine", "disease"), groups),),
        find_out=(ToFindOut("allergy", "allergy", details=("aspirin: allergy to aspirin",)),),
        not_understood=(Unread(0, 3, "xyz"),),
        limits=LIMITS,
    )


def test_drugs_stand_in_groups_and_are_told_once(for_migraine: Answer) -> None:
    assert printed(for_migraine) == [
        "Recorded for migraine:",
        "  not stopped     paracetamol [1]",
        "  with care       codeine: asthma [2]",
        "  stopped         aspirin, ibuprofen: peptic ulcer [2]",
        "  no safety data  sumatriptan [1]",
        "Not understood: “xyz”.",
        "Find out before any of them: allergy   (more)",
        "Sample data, not for care. Not a medical device. Not for emergencies.",
    ]


def test_a_stop_of_a_drug_that_was_asked_about_is_told_first_and_in_the_list(
    for_migraine: Answer,
) -> None:
    asked = Question("aspirin?", "en", (Mention(0, 7, "aspirin", "x:aspirin", "aspirin", "drug"),))
    layout = Layout(_with(for_migraine, question=asked))
    assert [stop.name for stop in layout.stops] == ["aspirin"]


def test_what_is_folded_stands_behind_more(for_migraine: Answer) -> None:
    lines = printed(for_migraine, unfolded=True)
    assert "  allergy  aspirin: allergy to aspirin" in lines
    assert "(more)" not in "\n".join(lines)


def test_long_rows_are_cut_and_counted_but_nothing_stopped_is_lost() -> None:
    names = [f"drug{n}" for n in range(20)]
    recorded = [supported(name, "treats", "migraine", BOOK) for name in names]
    drugs = tuple(ListedDrug(thing(s.statement.subject[2:]), (s.statement.id,)) for s in recorded)
    groups = (
        DrugGroup("not_stopped", drugs),
        DrugGroup("stopped", tuple(_because(d, f"reason {n}") for n, d in enumerate(drugs))),
    )
    migraine = thing("migraine", "disease")
    made = answer_of(
        *recorded, documents=(BOOK,), sentences=(), drugs=(DrugList(migraine, groups),)
    )
    free, stopped = Layout(made).tables[0].rows
    assert (len(free.lines), free.left_out) == (NAMES, 20 - NAMES)
    assert (len(stopped.lines), stopped.left_out) == (20, 0)
    assert len(Layout(made, unfolded=True).tables[0].rows[0].lines) == 20


def test_diseases_are_told_apart_by_what_separates_them() -> None:
    both = supported("pneumonia", "has_symptom", "cough", BOOK)
    other = supported("tuberculosis", "has_symptom", "cough", LEAFLET)
    fits = [Point(thing("cough", "symptom", "咳嗽"), s.statement.id) for s in (both, other)]
    chills = Point(thing("chills", "symptom", "寒战"), both.statement.id)
    sweats = Point(thing("night sweats", "symptom", "盗汗"), other.statement.id)
    weighing = Weighing(
        (
            WeighedDisease(thing("pneumonia", "disease", "肺炎"), (fits[0],), also=(chills,)),
            WeighedDisease(thing("tuberculosis", "disease", "肺结核"), (fits[1],), also=(sweats,)),
        )
    )
    made = answer_of(
        both,
        other,
        documents=(BOOK, LEAFLET),
        sentences=(Sentence("Both fit.", (both.statement.id,)),),
        weighing=weighing,
        limits=LIMITS,
    )
    assert printed(made)[1:3] == [
        "  pneumonia     also chills [1]",
        "  tuberculosis  also night sweats [2]",
    ]
    chinese = _with(made, question=Question("是什么病", "zh"))
    assert printed(chinese)[1:3] == ["  肺炎    另有：寒战 [1]", "  肺结核  另有：盗汗 [2]"]


def test_at_most_three_marks_follow_a_sentence_and_they_count_from_one() -> None:
    sources = [source(f"book {n}") for n in range(9)]
    many = supported("flu", "has_symptom", "cough", *sources)
    few = supported("flu", "has_symptom", "fever", sources[8])
    made = answer_of(
        many,
        few,
        documents=tuple(sources),
        sentences=(
            Sentence("Cough is recorded.", (many.statement.id,)),
            Sentence("Fever is recorded.", (few.statement.id,)),
        ),
    )
    lines = printed(made)
    assert lines[0] == "Cough is recorded. [1][2][3]"
    assert lines[1] == f"Fever is recorded. [{MARKS + 1}]"


def test_a_record_quoted_often_is_one_source() -> None:
    found = document(fields=(("signs", "cough and fever"),))
    said = Statement("x:flu", "has_symptom", "x:cough")
    place = Place("signs", 10, 15)
    twice = (evidence(said, found), Evidence(said.id, found.id, place, "fever", "monograph"))
    made = answer_of(SupportedStatement(said, twice), documents=(found,))
    assert printed(made)[0] == "Cough is recorded. [1]"


@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        ((Taken("takes warfarin"),), "Taken as said: takes warfarin."),
        ((Taken("has an ulcer", how="supposed"),), "Taken as supposed: has an ulcer."),
        (
            (Taken("takes warfarin", how="earlier"),),
            "Taken as said, from before: takes warfarin.",
        ),
        (
            (Taken("is pregnant"), Taken("takes warfarin", how="earlier")),
            "Taken as said: is pregnant; from before: takes warfarin.",
        ),
        ((), ""),
    ],
)
def test_what_was_taken_for_granted_is_one_line(facts: tuple[Taken, ...], expected: str) -> None:
    assert Layout(answer_of(taken=facts)).taken == expected


def test_danger_signs_to_ask_for_come_first_and_only_once() -> None:
    sign = DangerSign("breathing", "ask", "severe trouble breathing")
    question = Question("a cough", "en", danger=(sign,))
    asked = Danger("breathing", "ask", "Ask whether there is: severe trouble breathing.")
    of_guideline = Danger("signs", "ask", "Ask for every danger sign of the guideline.")
    made = answer_of(
        question=question,
        danger=(asked, of_guideline),
        missing=(of_guideline.text, "Nothing else is known."),
    )
    lines = printed(made)
    assert lines[0].startswith("First make sure: severe trouble breathing?")
    assert lines[1] == of_guideline.text
    assert "\n".join(lines).count(of_guideline.text) == 1


def test_present_danger_stands_above_everything_and_nothing_is_asked_first() -> None:
    sign = DangerSign("fit", "present", "a fit", ("fitting",))
    made = answer_of(
        question=Question("he is fitting", "en", danger=(sign,)),
        danger=(Danger("fit", "present", "Possible danger sign: a fit."),),
        emergency="Call now.",
    )
    assert printed(made)[:2] == ["DANGER  Possible danger sign: a fit.", "Call now."]
    assert "First make sure" not in "\n".join(printed(made))


def test_what_to_find_out_stands_on_one_line_however_long_its_names_are() -> None:
    topics = tuple(ToFindOut(f"t{n}", f"a rather long name of a condition {n}") for n in range(9))
    (asked,) = [line for line in printed(answer_of(find_out=topics)) if "Find out" in line]
    assert len(asked) <= 100
    assert asked.endswith("and 8 more   (more)")


def test_nothing_is_asked_or_ranked_below_an_emergency() -> None:
    sign = DangerSign("fit", "present", "a fit", ("fitting",))
    lung = WeighedDisease(thing("pneumonia", "disease"))
    made = answer_of(
        question=Question("he is fitting", "en", danger=(sign,)),
        danger=(Danger("fit", "present", "Possible danger sign: a fit."),),
        emergency="Call now.",
        find_out=(ToFindOut("allergy", "allergy"),),
        weighing=Weighing((lung,)),
        missing=("Nothing was recognised.",),
    )
    said = "\n".join(printed(made))
    assert not [word for word in ("allergy", "pneumonia", "recognised") if word in said]


def test_the_limits_are_told_whatever_the_answer_is() -> None:
    assert printed(answer_of())[-1] == "Not a medical device. Not for emergencies."


def _because(drug: ListedDrug, reason: str) -> ListedDrug:
    return ListedDrug(drug.entity, drug.statements, reason, drug.statements)


def _with(answer: Answer, **parts: Any) -> Answer:
    from dataclasses import replace

    return replace(answer, **parts)
