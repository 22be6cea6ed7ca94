"""What a question asks, as it was learned: from words, and from what they mean."""

from __future__ import annotations

import pytest

from medweave.errors import SourceError
from medweave.knowledge_base import KnowledgeBase
from medweave.language.passage import passage_of
from medweave.language.segmentation import language_of
from medweave.model.question import ALCOHOL, Asked, Intent, Mention, Question
from medweave.model.vectors import VectorModel, Vectors
from medweave.ports import SentenceVectors
from medweave.understanding.asked.asking import ASKS, asking_sentence
from medweave.understanding.asked.deciding import (
    DECIDES,
    PAIR,
    SUPPOSED,
    as_learned,
    ask_different_things,
    aspect_of,
)
from medweave.understanding.asked.reading import (
    answered,
    shipped_asked,
    standing_in,
    unnamed,
    what_is_asked,
)
from medweave.understanding.asked.training import (
    APART,
    all_questions,
    asked_questions,
    labelled,
    messages,
    notes,
    train_asked,
    train_asking,
)
from medweave.understanding.intents.features import Name, QuestionText
from medweave.understanding.text_model import TextModel

LANGUAGES = ("en", "zh")


@pytest.fixture(scope="module")
def sample() -> KnowledgeBase:
    return KnowledgeBase.sample()


def _drug(at: int, name: str) -> Mention:
    return Mention(at, at + len(name), name, f"x:{name}", name, "drug")


@pytest.mark.parametrize("language", LANGUAGES)
def test_three_in_five_of_another_hands_questions_are_read_by_words_alone(language: str) -> None:
    questions = asked_questions(language, APART)
    right = 0
    for question in questions:
        names = [Mention(n.start, n.end, "", "x", "x", n.concept) for n in question.marked.names]
        asked = what_is_asked(question.marked.text, language, names, None)
        right += asked.label in question.labels
    assert right > 0.6 * len(questions)


def test_nothing_is_learned_from_what_is_measured_by() -> None:
    learned = {question.marked.text for question in all_questions()}
    apart = {q.marked.text for language in LANGUAGES for q in asked_questions(language, APART)}
    assert learned.isdisjoint(apart)


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_ships_is_learned_of_the_questions_that_ship(language: str) -> None:
    texts = labelled(asked_questions(language), messages(language, QuestionText))
    model = shipped_asked(language)
    assert set(model.labels) == {label for _, label in texts}
    assert model.trained_on == len(texts)


def test_a_model_reads_what_it_learned_and_is_the_same_from_its_file() -> None:
    pytest.importorskip("sklearn")
    learned = ("food", "storage", "pair")
    questions = [q for q in asked_questions("en") if q.labels[0] in learned]
    model = VectorModel("none", 2)
    made = train_asked(
        labelled(questions, ()), "en", lambda texts: Vectors.of(model, [[0.6, 0.8]] * len(texts))
    )
    again = TextModel.from_text(made.to_text(), where="here")
    texts = [QuestionText(q.marked.text, q.marked.names) for q in questions]
    read = [
        max(chances := again.by_words(again.scores(text)), key=chances.__getitem__)
        for text in texts
    ]
    right = sum(one in q.labels for one, q in zip(read, questions, strict=True))
    assert right > 0.95 * len(questions)
    assert again.to_text() == made.to_text()


def test_which_sentences_ask_is_learned_of_what_is_marked() -> None:
    pytest.importorskip("sklearn")
    some = messages("en", QuestionText)[:200]
    made = train_asking(some, notes("en"))
    again = TextModel.from_text(made.to_text(), where="here")
    for ask, likely in (("can I drive on it", True), ("I am 62 and retired.", False)):
        assert (again.by_words(again.scores(QuestionText(ask)))[ASKS] > 0.5) is likely


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_asks_stands_in_its_message(language: str) -> None:
    for message in messages(language, QuestionText):
        places = [place for _, place in message.asks]
        assert places and all(message.text.text[start:end].strip() for start, end in places)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("He is 70. Takes digoxin. Just want to know about grapefruit. Cheers.", 2),
        ("Thanks for last time. Wondering what it will cost me. He has gout.", 1),
        ("我妈70岁。血压药吃了十年。想了解一下能不能开车。谢谢。", 2),
    ],
)
def test_the_sentence_that_asks_is_found(text: str, sentence: int) -> None:
    language = language_of(text)
    sentences = passage_of(text, language).sentences
    assert asking_sentence(text, language, sentences) == sentences[sentence]


def test_what_is_no_model_is_refused() -> None:
    with pytest.raises(SourceError, match=r"train_asked"):
        TextModel.from_text("{}", where="here")


def test_what_answers_a_label_is_of_a_label_that_is_learned() -> None:
    table = answered()
    named = {*table.intents, *table.aspects, *table.effects, *table.chosen}
    for language in LANGUAGES:
        assert named <= set(shipped_asked(language).labels)


def test_meaning_decides_where_there_are_vectors() -> None:
    numpy = pytest.importorskip("numpy")
    weights = shipped_asked("en")
    matrix = numpy.frombuffer(weights.vectors, "<f2").reshape(len(weights.labels), -1)
    size = matrix.shape[1] // 2
    row = matrix[weights.labels.index("lasting")].astype("f4")
    both = [
        (part / float((part * part).sum()) ** 0.5).tolist() for part in (row[:size], row[size:])
    ]

    def vectors_of(embedder: str) -> SentenceVectors:
        return lambda *_: Vectors.of(VectorModel(embedder, size), both)

    text = "Will one metformin see me through the night?"
    drug = [_drug(9, "metformin")]
    assert what_is_asked(text, "en", drug, vectors_of(weights.embedder)).label == "lasting"
    asked = what_is_asked(text, "en", drug, vectors_of("another"))
    assert asked == what_is_asked(text, "en", drug, None)


def test_a_language_or_a_length_that_was_not_learned_is_not_read() -> None:
    assert what_is_asked("¿Puedo tomar aspirina?", "es", (), None) == Asked()
    assert what_is_asked("word " * 300, "en", (), None) == Asked()


def test_names_are_what_they_are() -> None:
    names = [Name(8, 15, "drug"), Name(0, 4, "disease")]
    assert unnamed("gout on aspirin", "en", names) == "this illness on this medicine"
    assert unnamed("痛风", "zh", [Name(0, 2, "disease")]) == "这个病"


SURE = Asked("which_drug", 0.9)


def test_what_is_learned_decides_against_what_is_answered_otherwise() -> None:
    assert as_learned((Intent("description", 0.9),), SURE, ()) == (Intent("drug", 0.9),)


def test_what_is_answered_alike_stays() -> None:
    treatment = (Intent("treatment", 0.9),)
    assert as_learned(treatment, SURE, ()) == treatment


def test_where_rules_are_sure_a_guess_decides_nothing() -> None:
    ruled = (Intent("description", 0.9),)
    assert as_learned(ruled, Asked("which_drug", DECIDES - 0.01), ()) == ruled
    assert as_learned((), Asked("which_drug", DECIDES - 0.01), ()) != ()


def test_a_pair_of_which_one_was_told_before_is_read_by_rules() -> None:
    one, other = _drug(0, "naproxen"), _drug(20, "warfarin")
    asked = Asked(PAIR, 0.9)
    assert as_learned((), asked, (one,)) == ()
    assert as_learned((), asked, (one, other)) == (Intent("interaction", 0.9),)


def test_an_aspect_is_of_a_medicine_that_is_named() -> None:
    food = Asked("food", 0.9)
    assert aspect_of(food, (_drug(0, "ibuprofen"),)) == "food"
    assert aspect_of(food, ()) == ""
    assert aspect_of(Asked("missed_dose", 0.9), ()) == "missed_dose"


@pytest.mark.parametrize(
    ("asked", "effect"),
    [
        ("is this itching from the amoxicillin or what", "itching"),
        ("Could amlodipine give people swollen ankles?", "swollen ankles"),
        ("阿司匹林会不会让人耳鸣", "耳鸣"),
    ],
)
def test_an_effect_is_held_against_the_medicine_and_had_by_nobody(
    sample: KnowledgeBase, asked: str, effect: str
) -> None:
    question = sample.ask(asked).question
    [found] = [m for m in question.mentions if m.text == effect]
    assert found.entity in question.effects
    assert found.status == "hypothetical"


@pytest.mark.parametrize(
    "text",
    ["Gabapentin for the nerves, his stag do is on the 4th. Can he drink at all?",
     "吃着普瑞巴林整点小酒没大碍吧"],
)  # fmt: skip
def test_alcohol_that_is_asked_about_in_other_words_is_held_against_the_medicine(
    sample: KnowledgeBase, text: str
) -> None:
    answer = sample.ask(text)
    assert ALCOHOL in {mention.entity for mention in answer.question.mentions}
    assert [intent.label for intent in answer.question.intents] == ["interaction"]


@pytest.mark.parametrize(
    "text",
    [
        "达格列净 恩格列净 区别在哪",
        "One doctor says flu and the other a cold. Where does one end and the other begin",
    ],
)
def test_what_is_compared_in_other_words_is_compared(sample: KnowledgeBase, text: str) -> None:
    assert sample.ask(text).question.form.kind == "comparison"


def test_whether_an_illness_is_catching_is_asked_in_other_words(sample: KnowledgeBase) -> None:
    question = sample.ask("My flatmate has TB. We share kitchen, spoons all. I catch it?").question
    assert (question.form.kind, question.form.relation) == ("yes_no", "contagion")


def test_a_long_text_may_ask_for_more_than_is_learned(sample: KnowledgeBase) -> None:
    text = (
        "day 5 of Zoloft, i'm 19. side effects of the first fortnight pls, the real ones not the "
        "tiktok ones. also when does it actually DO anything"
    )
    assert sample.ask(text).question.aside == "onset"


def test_what_a_question_of_a_message_asks_is_read_with_what_it_stands_in() -> None:
    text = "Mum is 80. She has gout. How did she come by that, and may she have plums?"
    start, end = text.index("How"), text.index(", and")
    inside = standing_in(QuestionText(text), "en", start, end)
    assert inside is not None
    assert inside.behind.text.strip() == "She has gout. How did she come by that"
    assert what_is_asked(text[start:end], "en", (), None, around=inside).label == "causes"


def test_what_stands_in_too_long_a_message_is_read_alone() -> None:
    assert standing_in(QuestionText("word " * 300), "en", 0, 4) is None


def _asking(text: str, label: str, certainty: float = 0.9) -> Question:
    return Question(text, "en", asked=Asked(label, certainty))


@pytest.mark.parametrize(
    ("labels", "apart"),
    [
        (("causes", "prevention"), True),
        (("treatment", "which_drug"), False),
        (("causes", "causes"), False),
        (("storage", "travel"), True),
    ],
)
def test_what_is_answered_alike_is_not_asked_apart(labels: tuple[str, ...], apart: bool) -> None:
    assert ask_different_things([_asking("?", label) for label in labels]) is apart


def test_what_is_unsure_is_not_asked_apart() -> None:
    questions = [_asking("?", "causes"), _asking("?", "prevention", SUPPOSED - 0.01)]
    assert not ask_different_things(questions)


def test_what_rules_found_is_as_sure_as_it_was_learned() -> None:
    assert as_learned((Intent("drug", 0.7),), SURE, ()) == (Intent("drug", 0.9),)
