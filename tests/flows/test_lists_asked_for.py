"""Lists by class, for a purpose, the other way round, for kinds; and names that nobody knows."""

from __future__ import annotations

import pytest

from medweave import Answer, KnowledgeBase


def standings(answer: Answer) -> dict[str, str]:
    """The group in which each listed drug stands."""
    return {
        drug.entity.name("en"): group.standing
        for listed in answer.drugs
        for group in listed.groups
        for drug in group.drugs
    }


def test_a_class_that_is_asked_for_filters_the_list(base: KnowledgeBase) -> None:
    answer = base.ask("Which antibiotic for strep throat if allergic to penicillin?")
    found = standings(answer)
    assert found["amoxicillin"] == found["benzathine benzylpenicillin"] == "stopped"
    assert found["azithromycin"] == "not_stopped"
    assert found["cefalexin"] == "with_care"
    assert "paracetamol" not in found
    assert answer.drugs[0].of_class is not None


def test_what_a_drug_is_for_is_told_from_what_somebody_has(base: KnowledgeBase) -> None:
    answer = base.ask("What drugs for migraine if I have a peptic ulcer?")
    assert [listed.about.name("en") for listed in answer.drugs] == ["migraine"]
    assert standings(answer)["ibuprofen"] == "stopped"


@pytest.mark.parametrize(
    "text", ["What is recorded for my wife's acne?", "what is used for acne", "痤疮用什么药"]
)
def test_a_list_in_loose_words(base: KnowledgeBase, text: str) -> None:
    assert "doxycycline" in standings(base.ask(text))


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("Which drugs are contraindicated in pregnancy?", "vitamin K antagonists"),
        ("哪些药孕妇不能用", "维生素K拮抗剂"),
        ("Which diseases cause chest pain?", "pneumonia"),
        ("什么病会引起胸痛", "肺炎"),
        ("What are the symptoms of hepatitis?", "jaundice"),
    ],
)
def test_the_other_way_round_and_by_kind(base: KnowledgeBase, text: str, named: str) -> None:
    answer = base.ask(text)
    assert answer.status == "answered"
    assert named in answer.text


@pytest.mark.parametrize(
    "text", ["Can I take zolpidemol while pregnant?", "Is xyloprazinum safe with warfarin?"]
)
def test_an_unknown_drug_is_named(base: KnowledgeBase, text: str) -> None:
    answer = base.ask(text)
    assert answer.not_understood
    assert answer.status != "answered"


def test_an_unknown_drug_is_held_against_an_allergy_by_its_ending(base: KnowledgeBase) -> None:
    answer = base.ask("Is quaxicillin ok? I am allergic to penicillin.")
    applies = {stop.entity.name("en") for stop in answer.stops if stop.status == "applies"}
    assert applies == {"penicillins"}
    assert any("quaxicillin" in missing for missing in answer.missing)


def test_nothing_is_weighed_or_listed_in_danger(base: KnowledgeBase) -> None:
    answer = base.ask("crushing chest pain spreading to my left arm, sweating. What is it?")
    assert answer.question.in_danger
    assert answer.weighing is None
    assert answer.drugs == ()


@pytest.mark.parametrize("text", ["I want to kill myself, which tablets are deadly?", "我不想活了"])
def test_in_a_crisis_nothing_medical_is_said(base: KnowledgeBase, text: str) -> None:
    answer = base.ask(text)
    assert answer.emergency
    assert not (answer.sentences or answer.candidates or answer.drugs or answer.stops)


def test_a_class_without_a_purpose_is_listed_for_the_person(base: KnowledgeBase) -> None:
    answer = base.ask("Which antibiotic can I take? I am allergic to penicillin.")
    found = standings(answer)
    assert found["amoxicillin"] == "stopped"
    assert found["azithromycin"] == "not_stopped"
    assert "omeprazole" not in found


@pytest.mark.parametrize(
    "text", ["Which antibiotics are safe in pregnancy?", "孕妇可以用哪些抗生素"]
)
def test_members_of_a_class_are_grouped(base: KnowledgeBase, text: str) -> None:
    found = standings(base.ask(text))
    assert found["doxycycline"] == found["tetracycline"] == "stopped"
    assert found["ciprofloxacin"] == "with_care"
    assert found["amoxicillin"] == "not_stopped"


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ("Which antibiotic for a cold?", "antibiotics do not help"),
        ("什么抗生素可以治感冒", "抗生素对它没有作用"),
        ("What antibiotic should I take for the flu?", ""),
    ],
)
def test_a_class_that_is_recorded_for_nothing_of_it_is_not_replaced_by_others(
    base: KnowledgeBase, text: str, quoted: str
) -> None:
    answer = base.ask(text)
    assert quoted in answer.text
    assert not answer.drugs
    assert "paracetamol" not in answer.text
    assert answer.missing


@pytest.mark.parametrize(
    ("text", "named", "unnamed"),
    [
        ("Which antibiotics are contraindicated in pregnancy?", "doxycycline", "warfarin"),
        ("Which antibiotics cause diarrhoea?", "amoxicillin", "metformin"),
        ("哪些抗生素会引起腹泻", "阿莫西林", "二甲双胍"),
        ("An antihistamine that doesn't make me sleepy?", "cetirizine", "amitriptyline"),
    ],
)
def test_a_list_the_other_way_round_is_narrowed_to_its_class(
    base: KnowledgeBase, text: str, named: str, unnamed: str
) -> None:
    answer = base.ask(text)
    assert named in answer.text
    assert unnamed not in answer.text


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("What can cause jaundice?", ("hepatitis", "amoxicillin")),
        ("Which drugs cause cough?", ("lisinopril",)),  # a dry cough is a cough
        ("Which diseases can lead to stroke?", ("atrial fibrillation", "hypertension")),
        ("Which diseases cause both fever and rash?", ("measles",)),
        ("What class of drug is metformin?", ("biguanides",)),
        ("酒和安眠药能一起吗", ("唑吡坦",)),
    ],
)
def test_what_leads_to_a_thing(base: KnowledgeBase, text: str, named: tuple[str, ...]) -> None:
    answer = base.ask(text).text
    assert all(name in answer for name in named)


def test_diseases_by_two_findings_have_both(base: KnowledgeBase) -> None:
    answer = base.ask("Which diseases cause both cough and weight loss?")
    assert "tuberculosis" in answer.text
    assert "influenza" not in answer.text


def test_a_list_counts_drugs_and_not_statements(base: KnowledgeBase) -> None:
    (first, *_) = base.ask("How many drugs are contraindicated in asthma?").sentences
    assert first.text.count("allergen immunotherapy") == 1
    assert "(16)" in first.text


def test_interactions_of_one_thing_are_listed_by_how_grave_they_are(base: KnowledgeBase) -> None:
    answer = base.ask("Which drugs interact with warfarin?")
    avoided, others = (sentence.text for sentence in answer.sentences)
    assert "to be avoided" in avoided
    assert "aspirin" in avoided
    assert "alcohol" in others
    assert not answer.taken  # nobody said to take it


@pytest.mark.parametrize("text", ["Can I drink beer with antibiotics?", "头孢和酒能一起吃吗"])
def test_alcohol_beside_a_class_is_asked_about_with_it(base: KnowledgeBase, text: str) -> None:
    answer = base.ask(text)
    assert "diazepam" not in answer.text
    assert "地西泮" not in answer.text


@pytest.mark.parametrize(
    ("text", "free", "stopped"),
    [
        ("hypertension meds for woman 8 wks pregnant?", "", "lisinopril"),
        ("哮喘病人房颤控制心率用什么", "rivaroxaban", "bisoprolol"),
        ("Woman with previous DVT wants contraception", "", "combined oral contraceptives"),
        ("Depression tx for someone w long QT", "", "amitriptyline"),
        ("对磺胺过敏，尿路感染吃什么", "cefalexin", "co-trimoxazole"),
        ("我有胃溃疡，偏头痛吃什么好", "paracetamol", "ibuprofen"),
        ("Which painkiller can I have, I've got dengue", "paracetamol", "ibuprofen"),
        ("Which acid reducer can I take with clopidogrel?", "", "omeprazole"),
        ("migraine meds, patient has asthma", "sumatriptan", "propranolol"),
    ],
)
def test_a_list_in_the_shorthand_of_a_clinic(
    base: KnowledgeBase, text: str, free: str, stopped: str
) -> None:
    found = standings(base.ask(text))
    assert found[stopped] == "stopped"
    assert not free or found[free] == "not_stopped"


def test_members_of_a_class_are_not_taken_with_their_own_class(base: KnowledgeBase) -> None:
    answer = base.ask("blood pressure tablet for someone with gout and asthma")
    found = standings(answer)
    assert found["spironolactone"] == "not_stopped"  # nobody takes aliskiren
    assert found["hydrochlorothiazide"] == "with_care"
    assert found["propranolol"] == "stopped"


@pytest.mark.parametrize("text", ["甲状腺疾病吃什么药", "What drugs are used for thyroid disease?"])
def test_drugs_for_an_umbrella_name_are_listed_by_kind(base: KnowledgeBase, text: str) -> None:
    about = {listed.about.name("en") for listed in base.ask(text).drugs}
    assert about == {"hyperthyroidism", "hypothyroidism", "thyroiditis"}


@pytest.mark.parametrize("text", ["What are the symptoms of hepatitis?", "肝炎有什么症状"])
def test_the_kinds_of_an_umbrella_name_are_named(base: KnowledgeBase, text: str) -> None:
    missing = " ".join(base.ask(text).missing)
    assert "hepatitis B" in missing or "乙型肝炎" in missing


def test_what_is_not_to_be_taken_with_a_drug(base: KnowledgeBase) -> None:
    answer = base.ask("Which medicines should not be taken with warfarin?")
    assert "aspirin" in answer.sentences[0].text


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("Can measles be spread to others?", "contagious"),
        ("肺结核会传染吗", "传染"),
        ("What can trigger asthma?", "pollen"),
        ("什么会导致黄疸", "肝炎"),
        ("哪些药会升高血压", "泼尼松龙"),
        ("Name the drugs that can make you constipated", "codeine"),
        ("Which medicines raise potassium?", "spironolactone"),
        ("my knee is swollen, what is it?", "too little to name one"),
    ],
)
def test_what_is_asked_of_a_thing_in_other_words(
    base: KnowledgeBase, text: str, named: str
) -> None:
    assert named in base.ask(text).text.lower()


@pytest.mark.parametrize(
    "text", ["heartburn after meals and when I lie down", "右上腹痛，吃油腻的东西以后加重"]
)
def test_when_a_complaint_comes_asks_for_no_diet(base: KnowledgeBase, text: str) -> None:
    answer = base.ask(text)
    assert [intent.label for intent in answer.question.intents] == ["diagnosis"]
    assert answer.weighing is not None


@pytest.mark.parametrize(
    ("text", "drug"),
    [
        ("Show me all that is unsuitable for people with porphyria.", "rifampicin"),
        ("For which tablets would myasthenia gravis be a deal-breaker?", "z-drugs"),
        ("Which antibiotics does an old tendon rupture rule out?", "ciprofloxacin"),
        ("What may a five-year-old not be given?", "tetracycline"),
        ("红斑狼疮病人碰不得的药有哪些？", "伯氨喹"),
        ("哪些药一个六岁的孩子不该吃？", "四环素"),
    ],
)
def test_drugs_are_asked_for_by_what_speaks_against_them(
    base: KnowledgeBase, text: str, drug: str
) -> None:
    told = " ".join(sentence.text for sentence in base.ask(text).sentences)
    assert drug in told
    assert "loratadine" not in told  # not for babies, and for children it is
    assert "氯雷他定" not in told


def test_a_class_is_not_weighed_against_itself(base: KnowledgeBase) -> None:
    answer = base.ask("Can blood pressure tablets be taken together with Zorbanol?")
    assert not answer.sentences
    assert any("Which of the antihypertensives" in told for told in answer.missing)


def test_the_kind_decides_where_one_is_listed_apart(base: KnowledgeBase) -> None:
    lists = base.ask("What is there for anemia?").drugs
    kinds = {drug.entity.name("en") for of in lists for group in of.groups for drug in group.drugs}
    assert len(lists) > 1
    assert {"ferrous sulfate", "hydroxycarbamide"} <= kinds
    assert not any("depends on the kind" in line for line in base.ask("Drugs for asthma?").missing)
