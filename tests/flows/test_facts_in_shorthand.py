"""Facts without a subject or a verb, as wards and worried people write them, count as any other."""

from __future__ import annotations

import pytest

from medweave import KnowledgeBase
from medweave.model.answer import Answer


def stopped(answer: Answer, name: str) -> set[str]:
    """The levels of what applies to a drug."""
    return {s.level for s in answer.stops if s.entity.name() == name and s.status == "applies"}


@pytest.mark.parametrize(
    "text",
    [
        "Low back pain, on rivaroxaban, options?",
        "drugs for low back pain, on rivaroxaban",
        "low back pain, on rivaroxaban, what can I take?",
        "low back pain - taking rivaroxaban. What can I take?",
        "Man of 70 (on rivaroxaban) with low back pain. Which drugs?",
        "72M on rivaroxaban + furosemide, low back pain, which painkiller?",
        "On rivaroxaban. Low back pain. Which painkiller?",
        "low back pain; established on rivaroxaban 20 mg daily; which painkiller",
        "腰痛，利伐沙班吃着，能用什么止痛药",
    ],
)
def test_a_drug_that_is_only_mentioned_as_taken_is_held_against_others(
    base: KnowledgeBase, text: str
) -> None:
    assert "mw.substance:rivaroxaban" in {
        mention.entity for mention in base.understand(text).mentions if mention.role == "taken"
    }


def test_nsaids_are_not_offered_to_who_takes_an_anticoagulant(base: KnowledgeBase) -> None:
    answer = base.ask("drugs for low back pain, on rivaroxaban")
    assert stopped(answer, "ibuprofen") & {"avoid", "stop"}
    assert stopped(answer, "naproxen") & {"avoid", "stop"}


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("sore throat, already on simvastatin, clarithromycin ok?", "clarithromycin"),
        ("Taking ibuprofen, is it safe in pregnancy?", "ibuprofen"),
        ("Advice on ibuprofen please", "ibuprofen"),
        ("我在吃华法林，布洛芬可以吗", "布洛芬"),
    ],
)
def test_what_is_asked_about_is_not_taken_for_taken(
    base: KnowledgeBase, text: str, asked: str
) -> None:
    roles = {mention.text: mention.role for mention in base.understand(text).mentions}
    assert roles[asked] == "asked"


@pytest.mark.parametrize(
    "fact",
    [
        "I had a bleeding ulcer two years ago",
        "I had a perforated ulcer in 2019",
        "ulcer last year",
        "I have ulcers",
        "my kidneys are at 28%",
        "my kidneys are down to 20 %",
        "kidneys only at 15 percent",
    ],
)
def test_ulcers_and_kidneys_in_everyday_words_stop_nsaids(base: KnowledgeBase, fact: str) -> None:
    answer = base.ask(f"drugs for gout, {fact}")
    assert "stop" in stopped(answer, "naproxen")


@pytest.mark.parametrize(
    "fact", ["mouth ulcer", "leg ulcer", "diabetic foot ulcer", "ulcer on my toe"]
)
def test_an_ulcer_elsewhere_is_no_ulcer_of_the_stomach(base: KnowledgeBase, fact: str) -> None:
    answer = base.ask(f"drugs for gout, I have a {fact}")
    assert not stopped(answer, "naproxen")


def test_what_is_taken_is_held_against_the_person_whatever_is_asked(base: KnowledgeBase) -> None:
    answer = base.ask("I take metformin and my eGFR is 24. What is recorded for headache?")
    [stop] = [s for s in answer.stops if s.entity.name() == "metformin" and s.status == "applies"]
    assert (stop.level, stop.taken) == ("stop", True)


def test_two_drugs_that_are_both_taken_meet_once(base: KnowledgeBase) -> None:
    answer = base.ask("I'm on warfarin and take aspirin daily, can I take paracetamol?")
    pairs = [
        s for s in answer.stops if s.entity.name() in ("warfarin", "aspirin") and s.level == "avoid"
    ]
    assert len(pairs) == 1


@pytest.mark.parametrize(
    "text", ["st johns wort with the pill", "St. John's wort while on the pill"]
)
def test_a_name_is_known_without_its_apostrophe(base: KnowledgeBase, text: str) -> None:
    assert "avoid" in stopped(base.ask(f"Can I take {text}?"), "St John's wort")


def test_a_child_of_no_told_age_is_hardly_an_infant(base: KnowledgeBase) -> None:
    kid = base.ask("drugs for otitis media in a kid")
    baby = base.ask("drugs for fever in a baby")
    assert not any(s.hard and s.status == "applies" for s in kid.stops)
    shown = {s.entity.name() for s in baby.stops}
    assert "ibuprofen" in shown


@pytest.mark.parametrize(
    "history",
    [
        "I take no other medicines, only warfarin",
        "I take nothing but warfarin",
        "I don't take anything except warfarin",
        "I don't take aspirin, only warfarin",
        "I have no allergies but take warfarin",
        "我不吃别的药，只吃华法林",
        "除了华法林没吃别的药",
    ],
)
def test_what_alone_is_taken_is_not_denied(base: KnowledgeBase, history: str) -> None:
    answer = base.ask("can I take ibuprofen?", history=[history])
    assert "avoid" in stopped(answer, "ibuprofen")


def test_an_allergy_put_right_takes_the_place_of_the_other(base: KnowledgeBase) -> None:
    answer = base.ask(
        "no, not penicillin, it's sulfa im allergic to. What can I take for strep throat?",
        history=["im allergic to penicillin", "I have strep throat, what can I take"],
    )
    assert not stopped(answer, "amoxicillin")
    assert "allergic to sulfonamides" in {fact.text for fact in answer.taken}


@pytest.mark.parametrize(
    "text",
    [
        "just diarrhoea without blood for one day",
        "diarrhoea, no blood",
        "diarrhoea with no blood",
        "diarrhoea for 3 days without any blood in it",
    ],
)
def test_what_is_denied_behind_a_finding_does_not_deny_it(base: KnowledgeBase, text: str) -> None:
    found = base.classify({"text": text, "age_days": 400}).understood
    values = {item.observation: item.value for item in found or ()}
    assert (values["diarrhoea"], values["blood_in_stool"]) == (True, False)


@pytest.mark.parametrize(
    "text",
    [
        "Which antiepileptic doesn't clash with the pill?",
        "an antiepileptic that does not interact with the pill",
        "antiepileptic without interactions with the pill?",
        "哪种抗癫痫药不影响避孕药",
    ],
)
def test_what_something_is_to_go_with_counts_as_taken(base: KnowledgeBase, text: str) -> None:
    answer = base.ask(text)
    standings = {
        item.entity.name("en"): group.standing
        for listed in answer.drugs
        for group in listed.groups
        for item in group.drugs
    }
    assert standings["carbamazepine"] == "stopped"


@pytest.mark.parametrize(
    ("text", "role"),
    [
        ("I was on warfarin until last year. Can I take ibuprofen?", "past"),
        ("I was on warfarin a year ago, long since stopped. Can I take ibuprofen?", "past"),
        ("I take warfarin since 2020, and have now finished my course of penicillin", "taken"),
        ("I take warfarin, and the headache has now stopped. Can I take ibuprofen?", "taken"),
    ],
)
def test_what_is_over_is_told_from_what_goes_on(base: KnowledgeBase, text: str, role: str) -> None:
    roles = {mention.text: mention.role for mention in base.understand(text).mentions}
    assert roles["warfarin"] == role


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("which contraceptive pill can I take, I had a DVT", "combined oral contraceptives"),
        ("Which NSAID with a stomach ulcer?", "nonsteroidal anti-inflammatory drugs"),
        ("Which statin in pregnancy?", "statins"),
    ],
)
def test_a_class_that_is_forbidden_as_a_whole_says_so(
    base: KnowledgeBase, text: str, name: str
) -> None:
    assert "stop" in stopped(base.ask(text), name)


@pytest.mark.parametrize(
    ("text", "drug"),
    [
        ("我老公有胃溃疡，我偏头痛吃什么", "ibuprofen"),
        (
            "My sister is on methotrexate, I'm healthy. Which painkiller for period pain?",
            "naproxen",
        ),
    ],
)
def test_who_asks_for_themselves_has_not_what_a_relative_has(
    base: KnowledgeBase, text: str, drug: str
) -> None:
    assert not stopped(base.ask(text), drug)
