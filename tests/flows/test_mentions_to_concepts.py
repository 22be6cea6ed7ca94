"""What a person says, linked to what a base calls it, by name or by other ways."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

import pytest

from medweave import KnowledgeBase, Question

DISEASES = {
    "alpha fever": [
        "abdominal pain", "vomiting", "insomnia", "frequent urination", "dizziness", "chest pain",
        "swelling of legs", "knee swelling", "headache", "sore throat", "diarrhea", "anaemia",
        "itching", "elbow pain", "fainting", "constipation",
    ],
    "甲病": ["腹泻", "失眠", "膝关节肿胀", "尿频", "头痛"],
}  # fmt: skip


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KnowledgeBase]:
    folder = tmp_path_factory.mktemp("mentions")
    records = [
        {"name": name, "concept": "disease", "symptoms": symptoms}
        for name, symptoms in DISEASES.items()
    ]
    records.append({"name": "sulphamarin", "concept": "drug", "indications": ["vomiting"]})
    (folder / "all.json").write_text(json.dumps(records, ensure_ascii=False), "utf-8")
    with KnowledgeBase.open(str(folder / "all.db")) as base:
        base.build([folder / "all.json"])
        yield base


def linked(question: Question) -> list[tuple[str, str, str]]:
    return [(m.text, m.name, m.link.how) for m in question.mentions]


@pytest.mark.parametrize(
    ("text", "said", "name"),
    [
        ("I have a tummy ache.", "tummy ache", "abdominal pain"),
        ("I threw up twice.", "threw up", "vomiting"),
        ("I can't sleep.", "can't sleep", "insomnia"),
        ("I cannot sleep at all.", "cannot sleep", "insomnia"),
        ("I feel dizzy.", "dizzy", "dizziness"),
        ("I am constipated.", "constipated", "constipation"),
        ("He fainted.", "fainted", "fainting"),
        ("I feel itchy.", "itchy", "itching"),
        ("She is peeing a lot.", "peeing a lot", "frequent urination"),
        ("我拉肚子了", "拉肚子", "腹泻"),
        ("我晚上睡不着觉", "睡不着觉", "失眠"),
    ],
)
def test_lay_wordings(base: KnowledgeBase, text: str, said: str, name: str) -> None:
    mention = base.understand(text).mentions[0]
    names = {name, base.knowledge.entities.get(mention.entity).name("zh")}
    assert (mention.text, mention.name in names) == (said, True)
    assert mention.link.how in ("lay", "synonym")  # the lexicon has some of them as synonyms
    assert mention.status == "present"


def test_a_lay_wording_is_less_sure_than_a_name(base: KnowledgeBase) -> None:
    lay = base.understand("I threw up").mentions[0].link
    name = base.understand("I have vomiting").mentions[0].link
    assert (lay.how, name.how) == ("lay", "exact")
    assert 0 < lay.score < name.score == 1.0


@pytest.mark.parametrize(
    ("text", "said", "name"),
    [
        ("I have a pain in my left chest.", "pain in my left chest", "chest pain"),
        ("There is swelling of both legs.", "swelling of both legs", "swelling of legs"),
        ("My right knee is really swollen.", "right knee is really swollen", "knee swelling"),
        ("My head hurts.", "head hurts", "headache"),
        ("I have a pain in the back of my head.", "pain in the back of my head", "headache"),
        ("I am sore in the throat.", "sore in the throat", "sore throat"),
        ("我左边膝盖有点肿", "左边膝盖有点肿", "膝关节肿胀"),
        ("我脑袋一阵阵疼", "脑袋一阵阵疼", "头痛"),
    ],
)
def test_said_apart(base: KnowledgeBase, text: str, said: str, name: str) -> None:
    assert linked(base.understand(text)) == [(said, name, "composed")]


def test_a_complaint_of_several_parts(base: KnowledgeBase) -> None:
    found = linked(base.understand("I have pain in my chest, elbows and my stomach."))
    assert [name for _, name, _ in found] == ["chest pain", "elbow pain", "abdominal pain"]


def test_a_part_with_a_complaint_of_its_own_takes_no_other(base: KnowledgeBase) -> None:
    found = linked(base.understand("I have pain in my chest and my elbow is red."))
    assert [name for _, name, _ in found] == ["chest pain"]


def test_nothing_is_put_together_that_the_base_does_not_have(base: KnowledgeBase) -> None:
    hows = [mention.link.how for mention in base.understand("My left ankle is swollen.").mentions]
    assert "composed" not in hows


@pytest.mark.parametrize(
    ("text", "name"),
    [("I have diarrhoea.", "diarrhea"), ("I have anemia.", "anaemia"),
     ("What is sulfamarin for?", "sulphamarin")],
)  # fmt: skip
def test_spelled_elsewhere(base: KnowledgeBase, text: str, name: str) -> None:
    mention = base.understand(text).mentions[0]
    assert mention.name == name or name in base.knowledge.entities.get(mention.entity).all_names()


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("I have diarrhoea and a sore throat since it was 39 °C", {"diarrhea", "sore throat"}),
        ("Diarrhoea… and insomnia", {"diarrhea", "insomnia"}),
        ("bad vomiting,diarrhoea and headache", {"vomiting", "diarrhea", "headache"}),
        ("腹泻 (diarrhoea) 和头痛", {"腹泻", "diarrhea", "头痛"}),
    ],
)
def test_what_stands_beside_another_spelling_is_heard(
    base: KnowledgeBase, text: str, names: set[str]
) -> None:
    heard = {m.entity for m in base.understand(text).mentions}
    assert {base.understand(name).mentions[0].entity for name in names} <= heard


def test_another_spelling_says_so(base: KnowledgeBase) -> None:
    link = base.understand("What is sulfamarin for?").mentions[0].link
    assert (link.how, link.score < 1) == ("spelling", True)


@pytest.mark.parametrize(
    ("text", "name"),
    [("I did not throw up.", "vomiting"), ("I have no pain in my chest or elbows.", "chest pain"),
     ("我没有拉肚子", "腹泻")],
)  # fmt: skip
def test_what_is_denied_is_absent(base: KnowledgeBase, text: str, name: str) -> None:
    mentions = base.understand(text).mentions
    assert mentions
    assert {mention.status for mention in mentions} == {"absent"}


@pytest.mark.parametrize(
    "text",
    ["I am sick and tired of this.", "The faint line on the test", "the nervous system",
     "My car is running down the hill"],
)  # fmt: skip
def test_what_only_sounds_like_it(base: KnowledgeBase, text: str) -> None:
    assert base.understand(text).mentions == ()


def test_a_name_comes_before_a_lay_wording(base: KnowledgeBase) -> None:
    assert linked(base.understand("I have a headache")) == [("headache", "headache", "exact")]


def test_what_is_only_heard_in_other_words_ranks_and_names_nothing(base: KnowledgeBase) -> None:
    heard = base.ask("I feel dizzy and my left knee is swollen. What do I have?")
    named = base.ask("I have dizziness and knee swelling. What do I have?")
    assert [c.entity.name() for c in heard.candidates] == ["alpha fever"]
    assert {m.link.how for m in heard.question.mentions} <= {"lay", "composed"}
    assert (heard.status, named.status) == ("partial", "answered")
    mixed = base.ask("I have dizziness, I feel dizzy, and my knee is swollen. What do I have?")
    assert mixed.status == "partial", "one finding by its name, and one in other words"


@pytest.fixture(scope="module")
def abbreviations(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KnowledgeBase]:
    folder = tmp_path_factory.mktemp("capitals")
    names = {
        "myalgic encephalomyelitis": "ME",
        "acute leukaemia": "ALL",
        "a disease of genes": "REST",
        "obstructive lung disease": "COPD",
    }
    records = [
        {"name": name, "synonyms": [short], "concept": "disease", "symptoms": ["fatigue"]}
        for name, short in names.items()
    ]
    (folder / "all.json").write_text(json.dumps(records), "utf-8")
    with KnowledgeBase.open(str(folder / "all.db")) as base:
        base.build([folder / "all.json"])
        yield base


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Tell me about ME.", ["ME"]),
        ("tell me about all of it", []),
        ("I have had ME for years, is it ALL?", ["ME", "ALL"]),
        ("PMH: ALL, COPD", ["ALL", "COPD"]),
        ("ALL", ["ALL"]),
        # all in capitals: words are words
        ("PLEASE TELL ME IF MY SON HAS FATIGUE", ["FATIGUE"]),
        ("I REST ALL DAY AND HAVE FATIGUE", ["FATIGUE"]),
        ("MY SON HAS COPD. IT BOTHERS ME", ["COPD"]),
        ("DOES COPD GIVE FATIGUE?", ["COPD", "FATIGUE"]),
        # one sentence in capitals says nothing of the next
        ("HELP ME. Could it be ME?", ["ME"]),
    ],
)
def test_an_abbreviation_is_one_in_capitals_unless_all_is(
    abbreviations: KnowledgeBase, text: str, found: list[str]
) -> None:
    assert [mention.text for mention in abbreviations.understand(text).mentions] == found


@pytest.fixture(scope="module")
def sample() -> Iterator[KnowledgeBase]:
    with KnowledgeBase.sample() as base:
        yield base


@pytest.mark.parametrize(
    "text",
    [
        "my son has a fever and no cough, he is five",
        "我没有发烧但是咳嗽",
        "I had asthma as a child. Can I take ibuprofen? I'm 20 weeks pregnant.",
        "Doctor: any fever or chills? Patient: no, but my head hurts. BP 150/90",
    ],
)
@pytest.mark.parametrize("change", [str.upper, str.lower, str.title])
def test_capitals_change_nothing_of_what_is_understood(
    sample: KnowledgeBase, text: str, change: Callable[[str], str]
) -> None:
    plain, changed = sample.understand(text), sample.understand(change(text))
    told = [
        [(m.start, m.end, m.entity, m.status, m.experiencer, m.temporality) for m in q.mentions]
        for q in (plain, changed)
    ]
    assert told[0] == told[1] != []
    assert plain.patient == changed.patient
    assert [intent.label for intent in plain.intents] == [i.label for i in changed.intents]
    signs = [[(sign.sign, sign.status) for sign in q.danger or ()] for q in (plain, changed)]
    assert signs[0] == signs[1]


def test_traditional_characters_name_the_same(base: KnowledgeBase) -> None:
    found = linked(base.understand("我頭痛、腹瀉，膝關節腫脹"))
    assert [(text, name) for text, name, _ in found] == [
        ("頭痛", "头痛"),
        ("腹瀉", "腹泻"),
        ("膝關節腫脹", "膝关节肿胀"),
    ]


def test_common_abbreviations_of_notes_are_heard_in_capitals_alone(base: KnowledgeBase) -> None:
    found = base.understand("45 yo with HTN and SOB, his ibs is his own")
    assert [(m.text, m.name) for m in found.mentions] == [
        ("HTN", "hypertension"),
        ("SOB", "shortness of breath"),
    ]
