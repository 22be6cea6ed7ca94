"""Answers from texts of a base: verbatim, cited, and silent where the texts hold nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from medweave.asking import contributors_of
from medweave.knowledge_base import KnowledgeBase
from medweave.model.configuration import Configuration
from medweave.model.embedder import EmbedderName
from medweave.model.vectors import VectorModel, Vectors
from medweave.ports import SentenceVectors
from medweave.retrieval.passages.ranking import PassageSearch
from medweave.retrieval.passages.sentences import ranked_extracts

HANDBOOK = """Ward handbook

Sickle cell crisis
A sickle cell crisis is painful and begins when sickled cells block small vessels.
Warm fluids and rest are given during a painful sickle cell crisis.

Lumbar puncture
A lumbar puncture is done to look for infection of the cerebrospinal fluid.
It takes about half an hour.

Storage of insulin
Insulin vials are stored in the refrigerator between 2 and 8 degrees.
"""


BY_WORDS = Configuration(embedder=EmbedderName("none"))


@pytest.fixture
def base(tmp_path: Path) -> Iterator[KnowledgeBase]:
    path = tmp_path / "handbook.txt"
    path.write_text(HANDBOOK, "utf-8")
    with KnowledgeBase.open(str(tmp_path / "kb.db"), configuration=BY_WORDS) as opened:
        opened.build([path])
        yield opened


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Why is a lumbar puncture done?", "infection of the cerebrospinal fluid"),
        ("Where are insulin vials stored?", "refrigerator"),
    ],
)
def test_sentence_of_a_text_answers_and_is_cited(
    base: KnowledgeBase, question: str, said: str
) -> None:
    answer = base.ask(question)
    assert said in answer.text
    assert answer.status == "answered"
    form = answer.to_json()
    for evidence in form["evidence"].values():
        place = evidence["place"]
        [document] = base.documents_called(evidence["document"])
        assert document.text(place["field"])[place["start"] : place["end"]] == evidence["quote"]
        assert evidence["quote"] in HANDBOOK


@pytest.mark.parametrize(
    "question",
    [
        "What are the symptoms of malaria?",
        "How high is Mount Everest?",
        "Can I take insulin with warfarin?",
        "I want to kill myself, what does the handbook say about insulin?",
    ],
)
def test_nothing_of_a_text_is_said(base: KnowledgeBase, question: str) -> None:
    assert all(sentence.intent != "passages" for sentence in base.ask(question).sentences)


def test_first_passages_together_hold_what_is_asked(base: KnowledgeBase) -> None:
    found = base.passages("insulin storage and lumbar puncture", k=2)
    assert {term for one in found.passages for term in one.adds} >= {"insulin", "lumbar"}


def test_passages_are_found_by_another_name(base: KnowledgeBase) -> None:
    search = PassageSearch(base._opened.store, None, None)
    [first] = search.find("spinal tap", k=1, also={"spinal tap": ["lumbar puncture"]}).passages
    assert "lumbar puncture" in first.passage.text


def test_base_without_texts_is_not_searched(tmp_path: Path) -> None:
    with KnowledgeBase.open(str(tmp_path / "empty.db")) as empty:
        kinds = [type(each).__name__ for each in contributors_of(empty._opened, "")]
    assert "Passages" not in kinds


LISTS = """# Gout

## Symptoms

Gout is painful. Symptoms of gout include:

- sudden severe pain in a joint
- swelling and warmth
- red skin over the joint

An attack of gout often begins at night. In most people, it settles within ten days.

## Treatment

These medicines are used for an attack of gout:

1. Ibuprofen
2. Colchicine is taken early. It may upset the bowels.

## 痛风

痛风患者应避免以下食物：

- 动物内脏
- 啤酒
"""


@pytest.fixture(scope="module")
def lists(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KnowledgeBase]:
    path = tmp_path_factory.mktemp("lists") / "gout.md"
    path.write_text(LISTS, "utf-8")
    with KnowledgeBase.open("memory:", configuration=BY_WORDS) as opened:
        opened.build([path])
        yield opened


@pytest.mark.parametrize(
    ("question", "items"),
    [
        ("What are the symptoms of gout?", ["severe pain", "swelling", "red skin"]),
        ("Which medicines are used for an attack of gout?", ["Ibuprofen", "Colchicine"]),
        ("痛风患者应避免哪些食物？", ["动物内脏", "啤酒"]),
    ],
)
def test_list_is_said_with_what_announces_it_and_with_nothing_beside(
    lists: KnowledgeBase, question: str, items: list[str]
) -> None:
    [sentence] = lists.ask(question).sentences
    assert all(item in sentence.text for item in items)
    assert sentence.text in " ".join(LISTS.split())


def test_pronoun_behind_an_opening_stands_behind_what_it_means(lists: KnowledgeBase) -> None:
    said = [each.text for each in lists.ask("In how many days does gout settle?").sentences]
    assert said == [
        "An attack of gout often begins at night.",
        "In most people, it settles within ten days.",
    ]


def test_several_things_and_what_is_to_be_said_of_them_take_more_than_one_sentence(
    tmp_path: Path,
) -> None:
    path = tmp_path / "malaria.txt"
    path.write_text(
        "Malaria is treated with artemether and lumefantrine. "
        "Artemether and lumefantrine are given twice a day for three days against malaria. "
        "Side effects of artemether and lumefantrine are dizziness and headache. "
        "Mosquito nets prevent malaria.",
        "utf-8",
    )
    with KnowledgeBase.open("memory:", configuration=BY_WORDS) as base:
        base.build([path])
        said = base.ask("What are the drugs against malaria and their side effects?").text
    assert "artemether" in said
    assert "dizziness" in said
    assert "nets" not in said


def test_removed_text_is_said_no_more(base: KnowledgeBase, tmp_path: Path) -> None:
    base.remove(str(tmp_path / "handbook.txt"))
    assert base.passages("Where are insulin vials stored?").passages == ()
    assert not base.ask("Where are insulin vials stored?").sentences


def test_abbreviation_of_the_texts_is_known(tmp_path: Path) -> None:
    path = tmp_path / "leaflet.txt"
    path.write_text(
        "Tumours\n\nBrindle cell carcinoma (BLC) is a growth of the skin.\n"
        "Older age raises the risk of brindle cell carcinoma.\n",
        "utf-8",
    )
    with KnowledgeBase.open(str(tmp_path / "kb.db"), configuration=BY_WORDS) as opened:
        opened.build([path])
        assert "Older age raises" in opened.ask("Does older age raise the risk of BLC?").text


CLINIC = """Clinic book

Frostnip
Frostnip is the mildest form of cold injury. The most common site of frostnip is the ear.
The second most common site of frostnip is the nose. Stage 1 frostnip is rewarmed at home.
Stage 2 frostnip is rewarmed in the clinic. It should not be rubbed with snow.
Frostnip makes the skin pale because the small vessels close in the cold.

Keeping of serum
Opened frostnip serum keeps for 28 days in the clinic.
"""
SHEET = "Opened frostnip serum keeps for 42 days in the clinic.\n"


@pytest.fixture(scope="module")
def clinic(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KnowledgeBase]:
    folder = tmp_path_factory.mktemp("clinic")
    (folder / "book.txt").write_text(CLINIC, "utf-8")
    (folder / "sheet.txt").write_text(SHEET, "utf-8")
    with KnowledgeBase.open(str(folder / "kb.db"), configuration=BY_WORDS) as opened:
        opened.build([folder])
        yield opened


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("What is the most common site of frostnip?", "The most common site"),
        ("What is the second most common site of frostnip?", "The second most common"),
        ("How is stage 2 frostnip rewarmed?", "Stage 2 frostnip"),
        ("How is stage I frostnip rewarmed?", "Stage 1 frostnip"),
        ("Why does frostnip make the skin pale?", "Frostnip makes the skin pale"),
    ],
)
def test_the_very_one_that_is_asked_about_answers_first(
    clinic: KnowledgeBase, question: str, said: str
) -> None:
    assert clinic.ask(question).sentences[0].text.startswith(said)


def test_pronoun_stands_behind_what_it_means(clinic: KnowledgeBase) -> None:
    first, second = clinic.ask("Should frostnip be rubbed with snow?").sentences[:2]
    assert first.text.startswith("Stage 2 frostnip")
    assert second.text.startswith("It should not")


def test_texts_that_differ_in_a_number_stand_side_by_side(clinic: KnowledgeBase) -> None:
    answer = clinic.ask("How many days does opened frostnip serum keep?")
    assert {text for text in ("28 days", "42 days") if text in answer.text} == {
        "28 days",
        "42 days",
    }
    assert len(answer.conflicts) == 1


def test_how_a_quoted_passage_was_found_is_told(clinic: KnowledgeBase) -> None:
    answer = clinic.ask("What is the most common site of frostnip?")
    [rank] = answer.passages
    assert (rank.by_words, rank.by_meaning, rank.taken) == (1, None, 1)
    assert answer.to_json()["passages"][0]["document"] == rank.document


def test_text_explains_what_a_statement_only_names(tmp_path: Path) -> None:
    text = tmp_path / "book.txt"
    text.write_text("Gout\n\nGout makes a joint swell because white cells attack crystals.\n")
    monograph = tmp_path / "diseases.jsonl"
    monograph.write_text('{"disease": "gout", "Symptom": ["joint swelling"]}\n', "utf-8")
    with KnowledgeBase.open(str(tmp_path / "kb.db"), configuration=BY_WORDS) as opened:
        opened.build([text, monograph])
        said = [s.intent for s in opened.ask("Why does gout make a joint swell?").sentences]
        plain = [s.intent for s in opened.ask("What are the symptoms of gout?").sentences]
    assert "passages" in said
    assert "passages" not in plain


WARD = """病房手册

胰岛素保存
已开封的胰岛素在室温下可以保存28天。

压疮护理
一期压疮表现为皮肤发红。二期压疮表现为水疱。卧床病人每两小时翻身一次，因为长期受压会损伤皮肤。
"""


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("已开封的胰岛素能放多久？", "28天"),
        ("二期压疮有什么表现？", "水疱"),
        ("卧床病人多久翻身一次？", "每两小时"),
    ],
)
def test_chinese_texts_answer(tmp_path: Path, question: str, said: str) -> None:
    path = tmp_path / "ward.txt"
    path.write_text(WARD, "utf-8")
    with KnowledgeBase.open(str(tmp_path / "kb.db"), configuration=BY_WORDS) as opened:
        opened.build([path])
        assert said in opened.ask(question).sentences[0].text


LEAFLETS = """# 痛风

## 饮食

少吃动物内脏和海鲜，多喝水。

# 高血压

## 饮食

每天食盐少于五克。

# 骨质疏松

## 预防跌倒

浴室铺防滑垫，夜间留灯。

# 麻疹

## 隔离

出疹后隔离五天。
"""


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("痛风患者饮食要注意什么？", "海鲜"),
        ("高血压病人每天吃多少盐？", "五克"),
        ("骨质疏松老人怎么防跌倒？", "防滑垫"),
        ("麻疹患者要隔离几天？", "五天"),
        ("痛风要隔离几天？", ""),
    ],
)
def test_subject_that_stands_only_in_a_heading_counts(
    tmp_path: Path, question: str, said: str
) -> None:
    path = tmp_path / "leaflets.md"
    path.write_text(LEAFLETS, "utf-8")
    with KnowledgeBase.open(str(tmp_path / "kb.db"), configuration=BY_WORDS) as opened:
        opened.build([path])
        texts = [sentence.text for sentence in opened.ask(question).sentences]
    assert said in texts[0] if said else not texts


UNDER_HEADINGS = """# Diabetic ketoacidosis

## Recognising it

In diabetic ketoacidosis the body has too little insulin. The breath smells of acetone.

## Treatment

Treatment of diabetic ketoacidosis begins with a litre of saline. Potassium is checked twice.

# 糖尿病酮症酸中毒

## 识别

糖尿病酮症酸中毒是由于体内胰岛素严重不足。病人的呼气有烂苹果味。

## 治疗

糖尿病酮症酸中毒的治疗首先是补液。

# 腰椎穿刺

腰椎穿刺是为了检查脑脊液有无感染。
"""


@pytest.fixture(scope="module")
def headed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KnowledgeBase]:
    folder = tmp_path_factory.mktemp("headed")
    english, chinese = UNDER_HEADINGS.split("# 糖尿病酮症酸中毒", 1)
    (folder / "en.md").write_text(english, "utf-8")
    (folder / "zh.md").write_text("# 糖尿病酮症酸中毒" + chinese, "utf-8")
    with KnowledgeBase.open("memory:", configuration=BY_WORDS) as opened:
        opened.build([folder / "en.md", folder / "zh.md"])
        yield opened


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("How does the breath smell in diabetic ketoacidosis?", "acetone"),
        ("How often is potassium checked in diabetic ketoacidosis?", "twice"),
        ("糖尿病酮症酸中毒的病人呼气有什么气味？", "烂苹果味"),
    ],
)
def test_sentence_need_not_repeat_the_heading_above_it(
    headed: KnowledgeBase, question: str, said: str
) -> None:
    [sentence] = headed.ask(question).sentences
    assert said in sentence.text


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("糖尿病酮症酸中毒怎么治疗？", "补液"),
        ("为什么要做腰椎穿刺？", "脑脊液"),
        ("为什么需要进行腰椎穿刺？", "脑脊液"),
        ("How is diabetic ketoacidosis treated?", "saline"),
    ],
)
def test_texts_in_the_language_of_the_question_answer_first(
    headed: KnowledgeBase, question: str, said: str
) -> None:
    assert said in headed.ask(question).sentences[0].text


def test_texts_in_another_language_answer_where_those_of_its_own_do_not(
    headed: KnowledgeBase,
) -> None:
    assert "脑脊液" in headed.ask("Why is a lumbar puncture done?").text


def _vectors_by(parts: dict[str, tuple[float, float]]) -> SentenceVectors:
    """A reader that knows texts by a word of theirs, as directions; all others are neither."""

    def vectors(texts: Sequence[str], language: str) -> Vectors:
        assert language == "en"
        rows = [next((v for word, v in parts.items() if word in t), (0.0, 1.0)) for t in texts]
        return Vectors.of(VectorModel("test", 2), rows)

    return vectors


def test_of_few_sentences_the_nearest_in_meaning_comes_first(base: KnowledgeBase) -> None:
    found = base.passages("What helps in a painful sickle cell crisis?")
    by_words = ranked_extracts(found)
    [other] = [each for each in by_words[:2] if "begins" in each.text]
    near = {"begins": (1.0, 0.0), "helps": (1.0, 0.0), "Warm": (-1.0, 0.0)}
    first = ranked_extracts(replace(found, compared=_vectors_by(near)))[0]
    assert first.text == other.text
    assert first.near == pytest.approx(1.0)
    assert first.near_rest is None


def test_second_question_has_a_sentence_of_its_own(base: KnowledgeBase) -> None:
    found = base.passages("Why is a lumbar puncture done, and how much time is needed?", k=5)
    near = {"Why is": (1.0, 0.0), "infection": (1.0, 0.0), "half an hour": (0.0, 1.0)}
    near |= {"": (-1.0, 0.0), "how much": (0.0, 1.0)}
    ordered = {key: near[key] for key in ("Why is", "infection", "half an hour", "how much", "")}
    ranked = ranked_extracts(replace(found, compared=_vectors_by(ordered)))
    assert "infection" in ranked[0].text
    assert ranked[0].near_rest is not None
