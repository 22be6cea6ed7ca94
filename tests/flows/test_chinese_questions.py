"""Chinese questions: what is there, what is asked for, and of which kind the answer is."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from medweave import Answer, KnowledgeBase, Question

P, A, U, H = "present", "absent", "unknown", "hypothetical"
RECORDS = [
    {
        "name": "感冒",
        "concept": "disease",
        "symptoms": ["咳嗽", "流鼻涕"],
        "treatment": ["多喝水，注意休息。"],
        "drugs": ["对乙酰氨基酚"],
    },
    {"name": "肺炎", "concept": "disease", "symptoms": ["发热", "咳嗽", "胸痛"]},
    {"name": "头痛", "concept": "symptom", "treatment": ["在安静的房间休息。"]},
    {
        "name": "阿司匹林",
        "concept": "drug",
        "indications": ["头痛"],
        "contraindications": ["妊娠"],
    },
    {"name": "头孢", "concept": "drug", "contraindications": ["对头孢过敏"]},
]
"""Written for this test: little enough to know every answer."""


@pytest.fixture(scope="module")
def sample() -> Iterator[KnowledgeBase]:
    with KnowledgeBase.sample() as base:
        yield base


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KnowledgeBase]:
    folder = tmp_path_factory.mktemp("chinese")
    records = [{**record, "language": "zh"} for record in RECORDS]
    (folder / "all.json").write_text(json.dumps(records, ensure_ascii=False), "utf-8")
    with KnowledgeBase.open(str(folder / "all.db")) as base:
        base.build([folder / "all.json"])
        yield base


def told(question: Question) -> dict[str, str]:
    return {mention.text: mention.status for mention in question.mentions}


def things(question: Question) -> dict[str, str]:
    """What the words of a question stand for."""
    return {mention.text: mention.name for mention in question.mentions}


def asked(question: Question) -> str:
    return " ".join(sorted(intent.label for intent in question.intents))


def said(answer: Answer) -> set[str]:
    """Which intents the sentences of an answer answer."""
    return {sentence.intent for sentence in answer.sentences}


class TestSixQuestions:
    """Questions that other programs for Chinese medical graphs are known to miss."""

    @pytest.fixture(params=["sample", "small"])
    def base(self, request: pytest.FixtureRequest) -> KnowledgeBase:
        found: KnowledgeBase = request.getfixturevalue(request.param)
        return found

    def test_what_to_do_about_a_headache_by_another_name(self, base: KnowledgeBase) -> None:
        answer = base.ask("头疼怎么办")
        assert things(answer.question) == {"头疼": "头痛"}
        assert asked(answer.question) == "treatment"
        assert said(answer) == {"treatment"}
        assert any("阿司匹林" in sentence.text for sentence in answer.sentences)

    def test_a_denied_fever_is_absent_and_speaks_for_nothing(self, base: KnowledgeBase) -> None:
        answer = base.ask("我没有发烧但是咳嗽")
        assert told(answer.question) == {"发烧": A, "咳嗽": P}
        assert asked(answer.question) == "diagnosis"
        assert {candidate.entity.concept for candidate in answer.candidates} == {"disease"}
        fever = answer.question.mentions[0].entity
        assert fever not in answer.question.patient.conditions

    def test_a_drug_in_pregnancy_is_held_against_its_contraindications(
        self, base: KnowledgeBase
    ) -> None:
        answer = base.ask("孕妇能吃阿司匹林吗")
        assert things(answer.question) == {"孕妇": "妊娠", "阿司匹林": "阿司匹林"}
        assert answer.question.patient.pregnant is True
        assert asked(answer.question) == "contraindication"
        assert "stop" in said(answer)
        assert any("妊娠" in stop.reason for stop in answer.stops)

    def test_an_antibiotic_in_a_cold_is_a_question_about_a_drug_and_no_diet(
        self, base: KnowledgeBase
    ) -> None:
        answer = base.ask("感冒可以吃头孢吗")
        assert told(answer.question) == {"感冒": U, "头孢": U}
        kind = asked(answer.question)  # where the base has members, which of them
        assert kind in ("contraindication", "drug")
        assert said(answer) == {kind}
        assert any("头孢" in stop.entity.name("zh") for stop in answer.stops)

    def test_two_things_asked_of_one_disease_are_both_answered(self, base: KnowledgeBase) -> None:
        answer = base.ask("感冒的症状和治疗方法是什么")
        assert asked(answer.question) == "symptom treatment"
        assert said(answer) == {"symptom", "treatment"}
        (symptoms,) = [s.text for s in answer.sentences if s.intent == "symptom"]
        assert "咳嗽" in symptoms
        assert "流鼻涕" in symptoms

    def test_three_findings_ask_for_a_disease_and_not_for_what_one_is(
        self, base: KnowledgeBase
    ) -> None:
        answer = base.ask("发烧咳嗽胸痛是什么病")
        assert told(answer.question) == {"发烧": P, "咳嗽": P, "胸痛": P}
        assert asked(answer.question) == "diagnosis"
        names = [candidate.entity.name("zh") for candidate in answer.candidates]
        assert "肺炎" in names[:2]
        assert {candidate.entity.concept for candidate in answer.candidates} == {"disease"}


@pytest.mark.parametrize(
    ("text", "statuses", "intents"),
    [
        # negation, doubt, the past, lists, questions with 吗, two intents
        ("我不发烧，就是嗓子疼", {"发烧": A, "嗓子疼": P}, "diagnosis"),
        ("孩子咳嗽但无发热，没有呕吐", {"咳嗽": P, "发热": A, "呕吐": A}, "diagnosis"),
        ("患者否认胸痛、呼吸困难和发热", {"胸痛": A, "呼吸困难": A, "发热": A}, ""),
        ("疑似肺炎，需要做什么检查？", {"肺炎": U}, "test"),
        ("既往有哮喘，现在咳嗽两天", {"哮喘": U, "咳嗽": P}, "diagnosis"),
        ("我没有高血压也没有糖尿病，能吃布洛芬吗", {"高血压": A, "糖尿病": A}, "contraindication"),
        ("哺乳期可以吃布洛芬吗", {}, "contraindication"),
        ("高血压患者能不能吃布洛芬", {}, "contraindication"),
        ("肺炎的原因和预防方法是什么", {"肺炎": U}, "cause prevention"),
        ("糖尿病的并发症有哪些", {"糖尿病": U}, "complication"),
        ("哮喘的病因是什么", {"哮喘": U}, "cause"),
        ("头痛、发热、呕吐是什么病", {"头痛": P, "发热": P, "呕吐": P}, "diagnosis"),
        (
            "咳嗽两周，没有发烧，体重下降，可能是什么病",
            {"咳嗽": P, "发烧": A, "体重下降": P},
            "diagnosis",
        ),
        ("肚子疼拉肚子怎么办", {}, "treatment"),
        ("感冒和流感有什么区别", {"感冒": U, "流感": U}, ""),
        ("流感会发烧吗", {"流感": U, "发烧": U}, "symptom"),
        ("布洛芬有什么副作用", {}, "side_effect"),
        ("阿司匹林和布洛芬可以一起吃吗", {}, "interaction"),
        ("我对青霉素过敏，能吃阿莫西林吗", {}, "contraindication"),
        ("怎么预防流感", {"流感": U}, "prevention"),
        ("糖尿病人不能吃什么", {}, "diet"),
        ("感冒吃什么药好得快", {"感冒": U}, "drug"),
        ("孩子5岁，发烧39度，没有咳嗽，怎么办", {"发烧": P, "咳嗽": A}, "treatment"),
        (
            "小时候得过肺结核，现在咳嗽发烧，是什么病",
            {"肺结核": U, "咳嗽": P, "发烧": P},
            "diagnosis",
        ),
        ("是不是得了肺炎？发烧咳嗽三天了", {"肺炎": U, "发烧": P, "咳嗽": P}, "diagnosis"),
        ("偏头痛的病因和治疗方法是什么", {"偏头痛": U}, "cause treatment"),
        ("如果发烧了可以吃布洛芬吗", {"发烧": H}, "contraindication"),
        ("发烧已经好了，还有点咳嗽", {"发烧": A, "咳嗽": P}, "diagnosis"),
        ("不是流感，是普通感冒吗", {"流感": A, "普通感冒": U}, ""),
        (
            "我没咳嗽没流鼻涕，只是头痛发热，是得了什么病？",
            {"咳嗽": A, "流鼻涕": A, "头痛": P, "发热": P},
            "diagnosis",
        ),
        # the same, harder
        ("最近总是头晕，血压不高，没有恶心", {"头晕": P, "恶心": A}, "diagnosis"),
        ("咳嗽半个月了，不发烧也不胸痛", {"咳嗽": P, "发烧": A, "胸痛": A}, "diagnosis"),
        (
            "无发热、无咳嗽、无腹泻，仅有头痛",
            {"发热": A, "咳嗽": A, "腹泻": A, "头痛": P},
            "diagnosis",
        ),
        ("老人发烧不咳嗽怎么回事", {"发烧": P, "咳嗽": A}, "diagnosis"),
        ("宝宝没有发烧，但是一直拉肚子，吃什么药", {"发烧": A, "拉肚子": P}, "drug"),
        ("家族中有人得过糖尿病，我需要做什么检查", {"糖尿病": U}, "test"),
        ("医生怀疑是肺炎，肺炎要做哪些检查", {"肺炎": U}, "test"),
        ("我得过哮喘，现在感冒了，可以吃布洛芬吗", {"哮喘": U, "感冒": P}, "contraindication"),
        ("怀孕五个月感冒了能吃什么药", {"感冒": P}, "drug"),
        ("吃了阿莫西林以后出皮疹，是过敏吗", {"皮疹": P}, ""),
        ("高血压和糖尿病能治好吗", {"高血压": U, "糖尿病": U}, ""),
        ("什么是偏头痛", {"偏头痛": U}, "description"),
        ("偏头痛有哪些症状，怎么治疗", {"偏头痛": U}, "symptom treatment"),
        ("肺炎会引起胸痛吗", {"肺炎": U, "胸痛": U}, "complication"),
        ("头痛是高血压的症状吗", {"头痛": U, "高血压": U}, "symptom"),
        ("头痛可能是什么原因引起的", {}, "cause"),
        ("胃溃疡患者可以吃阿司匹林吗", {}, "contraindication"),
        ("肾不好的人能吃布洛芬吗", {}, "contraindication"),
        ("儿童能用阿司匹林退烧吗", {}, "contraindication indication"),
        ("感冒发烧能喝酒吗", {}, ""),
        ("糖尿病的症状、病因和并发症", {"糖尿病": U}, "cause complication symptom"),
        ("我没病，只想知道怎么预防感冒", {"感冒": U}, "prevention"),
        ("不排除肺炎，需要住院吗", {"肺炎": U}, ""),
        ("无明显诱因出现咳嗽三天，否认发热", {"咳嗽": P, "发热": A}, "diagnosis"),
        ("有高血压病史，最近头痛", {"高血压病": U, "头痛": P}, "diagnosis"),
        (
            "请问流鼻涕打喷嚏，但不发烧，是感冒吗？",
            {"流鼻涕": P, "打喷嚏": P, "发烧": A, "感冒": U},
            "diagnosis",
        ),
        ("我奶奶有高血压，能吃布洛芬吗", {}, "contraindication"),
        ("没有吃药，咳嗽自己好了，现在又发烧", {"咳嗽": A, "发烧": P}, ""),
    ],
)
def test_what_is_there_and_what_is_asked(
    sample: KnowledgeBase, text: str, statuses: dict[str, str], intents: str
) -> None:
    question = sample.understand(text)
    found = told(question)
    assert {word: found.get(word) for word in statuses} == statuses
    assert asked(question) == intents or not intents


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("既往有哮喘，现在咳嗽两天", "哮喘"),
        ("小时候得过肺结核，现在咳嗽", "肺结核"),
        ("发烧已经好了，还有点咳嗽", "发烧"),
        ("没有吃药，咳嗽自己好了", "咳嗽"),
    ],
)
def test_what_was_is_told_from_what_is(sample: KnowledgeBase, text: str, word: str) -> None:
    times = {mention.text: mention.temporality for mention in sample.understand(text).mentions}
    assert {word for word, time in times.items() if time == "historical"} == {word}


def test_what_is_not_ruled_out_is_not_left_out_of_the_answer(sample: KnowledgeBase) -> None:
    assert sample.understand("不排除肺炎，需要住院吗").form.left_out == ()
    assert sample.understand("排除肺炎后还可能是什么病").form.left_out != ()
