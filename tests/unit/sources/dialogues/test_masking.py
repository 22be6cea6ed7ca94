"""Personal data is masked before anything is kept, and clinical words are left alone."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path
from time import process_time

import pytest
import yaml

from medweave.sources.dialogues.masking import KINDS, Masking, personal_data

_MARKED = re.compile(r"\[(\w+): ([^\]]+)\]")
LISTS = ("personal_data.yaml", "personal_data_2.yaml", "personal_data_3.yaml")


def sentences(part: str) -> list[str]:
    folder = Path(__file__).parent
    return [s for name in LISTS for s in yaml.safe_load((folder / name).read_text("utf-8"))[part]]


def unmarked(sentence: str) -> str:
    return _MARKED.sub(lambda marked: marked[2], sentence)


@pytest.mark.parametrize("sentence", sentences("private"))
def test_personal_data_is_masked_and_nothing_else(sentence: str) -> None:
    text = unmarked(sentence)
    expected = _MARKED.sub(lambda marked: f"[{marked[1]}]", sentence)
    assert Masking([text]).masked(text) == expected


@pytest.mark.parametrize("sentence", sentences("near_misses"))
def test_what_only_looks_like_personal_data_stays(sentence: str) -> None:
    assert personal_data(sentence) == []


def test_every_kind_is_in_the_lists() -> None:
    found = {kind for s in sentences("private") for kind, _ in _MARKED.findall(s)}
    assert found == set(KINDS)


def test_a_name_that_is_told_once_is_masked_in_every_turn() -> None:
    turns = ["My name is Anna Kowalski.", "Take one a day, Anna.", "Mrs Kowalski slept well."]
    masking = Masking(turns)
    assert [masking.masked(turn) for turn in turns] == [
        "My name is [name].", "Take one a day, [name].", "Mrs [name] slept well.",
    ]  # fmt: skip
    assert masking.counts == {"name": 3}


def test_thousands_of_names_in_one_dialogue_are_masked_in_bounded_time() -> None:
    names = ["".join(letters).title() + "owska" for letters in product("bdkmnprt", "aeiou", "bdkmnprt", "aeiou")]  # fmt: skip  # noqa: E501
    turns = [f"My name is Anna {name}." for name in names] * 5
    started = process_time()
    masking = Masking(turns)
    assert {masking.masked(turn) for turn in turns} == {"My name is [name]."}
    assert masking.counts["name"] == len(turns) == 8000
    assert process_time() - started < 10


def test_a_name_is_not_masked_within_a_disease_of_that_name() -> None:
    turns = ["Hello Dr. Graves.", "My Graves disease is back, says Dr. Graves. Graves is bad."]
    masking = Masking(turns)
    assert masking.masked(turns[1]) == "My Graves disease is back, says Dr. [name]. Graves is bad."


def test_chinese_names_are_masked_behind_titles_again() -> None:
    turns = ["李医生您好，我是赵敏。", "赵敏您好，李医生出差了。", "李子可以吃吗？"]
    masking = Masking(turns)
    assert [masking.masked(turn) for turn in turns] == [
        "[name]医生您好，我是[name]。", "[name]您好，[name]医生出差了。", "李子可以吃吗？",
    ]  # fmt: skip


def test_a_common_word_is_a_name_where_somebody_is_called_so() -> None:
    assert Masking(["我叫安静。"]).masked("我叫安静。") == "我叫[name]。"


@pytest.mark.parametrize(
    "text",
    [
        "Take 0.5 mg at 08:00, 12:00 and 20:00; on day 3 take 1.5 mg.",
        "Call the hotline on 0800 029 999, or the quitline at 1-800-784-8669.",
        "Read https://www.cdc.gov/2020/03/flu-12345.html before you travel.",
        "WBC 11300, platelets 245000, glucose 180-200-220, BP 140/90.",
        "It is called Koebnerization. Brand name: Votrient.",
        "Charcot-Marie-Tooth disease, Guillain-Barre syndrome and Edward Syndrome",
        "Isolated Pierre Robin sequence: in Pierre Robin the jaw is small. Robin sequence is rare.",
        "When To See the Doctor Be sure to ask. What Your Doctor Needs to know: Patient Safety.",
        "There is no cure for MS. Many live well. MR Angiography and an Eye Exam were normal.",
        "Fred Hutchinson Cancer Research Center and Beth Israel Deaconess Medical Center",
        "Scott Bryant Graham syndrome, Marcus Gunn pupil, Marie Unna congenital hypotrichosis",
        "白细胞计数12000，血小板245000，体温38.5。",
        "让孩子舒服些，孩子安静不下来，女儿何时能好？妈妈严重贫血。",
    ],
)
def test_clinical_text_is_left_whole(text: str) -> None:
    assert Masking([text]).masked(text) == text
