"""What a newcomer asks first is answered from the sample base, in both languages."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from medweave import KnowledgeBase
from medweave.faces.terminal.answer import print_answer

ANSWERED = {
    "What are the symptoms of diabetes?": "increased thirst",
    "What are the symptoms of anemia?": "pale skin",
    "What are the symptoms of COVID-19?": "fever",
    "What is the dose of paracetamol for a 10 kg child?": "leaflet",
    "How do I treat a burn?": "Cool the burn",
    "What should I do for a nosebleed?": "lean forward",
    "How is scabies treated?": "permethrin (first choice)",
    "How do I treat constipation?": "fibre",
    "What is the treatment of conjunctivitis?": "without medicine",
    "What is the treatment of bronchiolitis in a baby?": "small feeds",
    "What is the treatment of croup in a baby?": "dexamethasone",
    "How is hepatitis C treated?": "sofosbuvir",
    "What is the treatment of breast cancer?": "Surgery",
    "What is the treatment of vaginal thrush?": "clotrimazole (first choice)",
    "What are the early signs of pregnancy?": "missed period",
    "Which vaccines does my baby need?": "MMR vaccine",
    "How do I take the emergency contraceptive pill?": "within three days",
    "Is lansoprazole safe in pregnancy?": "caution in pregnancy",
    "What are the side effects of rosuvastatin?": "muscle aches",
    "What is a normal blood pressure?": "120/80",
    "What does a high CRP mean?": "inflammation",
    "How long is chickenpox contagious?": "crusted",
    "How is anaphylaxis treated?": "Adrenaline",
    "How is anxiety treated?": "behavioural therapy",
    "What helps against acne?": "adapalene (first choice)",
    "How is low back pain treated?": "active",
    "What is shingles?": "one side of the body",
    "What are the symptoms of menopause?": "hot flushes",
    "How is athlete's foot treated?": "clotrimazole (first choice)",
    "What should I do after a tick bite?": "tweezers",
    "How do I get rid of hiccups?": "cold water",
    "How can I lower my blood pressure without pills?": "less salt",
    "What are the symptoms of low blood sugar?": "sweating",
    "I have diarrhea. What can I take?": "loperamide (if others fail)",
    "糖尿病有什么症状？": "口渴",
    "高血脂怎么治疗？": "饮食",
    "带状疱疹会传染吗？": "水痘",
    "更年期有什么症状？": "盗汗",
    "脚气怎么治？": "克霉唑（首选）",
    "月经痛吃什么药好？": "布洛芬（首选）",
    "低血糖有什么症状？": "出汗",
    "痔疮怎么治疗？": "膳食纤维",
    "贫血有什么症状？": "面色苍白",
    "新冠有什么症状？": "发热",
    "10公斤的孩子对乙酰氨基酚吃多少？": "说明书",
    "烫伤怎么处理？": "凉水",
    "流鼻血怎么办？": "身体前倾",
    "疥疮怎么治疗？": "氯菊酯（首选）",
    "便秘怎么办？": "膳食纤维",
    "结膜炎怎么治疗？": "自愈",
    "婴儿毛细支气管炎怎么治疗？": "少量多次喂养",
    "宝宝哮吼怎么办？": "地塞米松",
    "丙肝怎么治疗？": "索磷布韦",
    "乳腺癌怎么治疗？": "手术",
    "霉菌性阴道炎怎么治疗？": "克霉唑（首选）",
    "怀孕早期有什么症状？": "停经",
    "宝宝要打哪些疫苗？": "麻腮风疫苗",
    "紧急避孕药怎么吃？": "三天内",
    "孕妇可以吃兰索拉唑吗？": "慎用",
    "正常血压是多少？": "120/80",
    "CRP高是什么意思？": "炎症",
    "水痘传染期多久？": "结痂",
    "过敏性休克怎么治疗？": "肾上腺素",
}


def printed(base: KnowledgeBase, question: str) -> str:
    shown = io.StringIO()
    print_answer(base.ask(question), Console(width=200, file=shown))
    return shown.getvalue()


@pytest.mark.parametrize(("question", "words"), ANSWERED.items())
def test_what_newcomers_ask_is_answered(base: KnowledgeBase, question: str, words: str) -> None:
    assert base.ask(question).status in ("answered", "partial")
    assert words in printed(base, question)


@pytest.mark.parametrize("question", ["Which drugs are used for insomnia?", "失眠吃什么药？"])
def test_sleep_is_not_answered_with_diazepam_first(base: KnowledgeBase, question: str) -> None:
    listed = [drug for group in base.ask(question).drugs[0].groups for drug in group.drugs]
    diazepam = next(n for n, d in enumerate(listed) if d.entity.name("en") == "diazepam")
    assert (listed[diazepam].line, diazepam > 0) == ("reserve", True)


def test_an_infection_in_pregnancy_is_not_answered_with_ciprofloxacin(base: KnowledgeBase) -> None:
    answer = base.ask("Which antibiotic for a urinary tract infection in pregnancy?")
    groups = {g.standing: [d.entity.name("en") for d in g.drugs] for g in answer.drugs[0].groups}
    assert groups["not_stopped"][0] in ("cefalexin", "fosfomycin")  # both first choices
    assert "ciprofloxacin" not in groups["not_stopped"]


def test_what_rests_on_no_record_says_so_and_is_believed_less(base: KnowledgeBase) -> None:
    answer = base.ask("I have a stomach ulcer and dengue fever. Can I take aspirin?")
    met = {s.statement.object: s for s in answer.statements.values()
           if s.statement.predicate == "contraindicated_in"}  # fmt: skip
    cited = next(s for o, s in met.items() if str(o).endswith("dengue_fever"))
    bare = next(s for o, s in met.items() if str(o).endswith("hemophilia") or "ulcer" in str(o))
    assert answer.beliefs[bare.statement.id] < answer.beliefs[cited.statement.id]
    shown = printed(base, "I have a stomach ulcer. Can I take aspirin?")
    assert "]°" in shown
    assert "no record is cited" in shown
    assert "]°" not in printed(base, "I have dengue fever. Can I take aspirin?")
