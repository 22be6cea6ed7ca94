"""Every medicine that somebody names and takes, or asks about, stands in the answer."""

from __future__ import annotations

from io import StringIO

import pytest
from rich.console import Console

from medweave import KnowledgeBase
from medweave.faces.terminal.answer import print_answer

_TOLD_OF_THE_PERSON = ("Taken as", "按所述理解", "按假设理解")


def said(base: KnowledgeBase, text: str) -> str:
    """What a terminal shows, but for what was taken of the person."""
    file = StringIO()
    print_answer(base.ask(text), Console(file=file, width=1000, color_system=None))
    lines = file.getvalue().splitlines()
    return "\n".join(line for line in lines if not line.startswith(_TOLD_OF_THE_PERSON))


_ENGLISH = ("loratadine", "colchicine", "levofloxacin", "torasemide", "domperidone", "bisoprolol")
_CHINESE = ("氯雷他定", "秋水仙碱", "左氧氟沙星", "托拉塞米", "多潘立酮", "比索洛尔")
_OTHERS = ("warfarin", "amiodarone", "paracetamol", "naproxen", "metformin",
           "华法林", "胺碘酮", "对乙酰氨基酚", "萘普生")  # fmt: skip
_FORMS = (
    "Is it ok to take {} together with warfarin and paracetamol?",
    "I take amiodarone and {}. Can I have naproxen?",
    "72 with kidney failure (eGFR 22). Yes or no to each: {}, metformin, paracetamol?",
    "华法林、{}和对乙酰氨基酚能一起吃吗",
    "我在吃胺碘酮和{}，能吃萘普生吗",
)


@pytest.mark.parametrize("form", _FORMS)
@pytest.mark.parametrize("place", range(len(_ENGLISH)))
def test_each_of_several_stands_in_the_answer(base: KnowledgeBase, form: str, place: int) -> None:
    chinese = not form.isascii()
    name = (_CHINESE if chinese else _ENGLISH)[place]
    answer = said(base, form.format(name))
    for medicine in (name, *(other for other in _OTHERS if other in form)):
        assert medicine in answer.lower()


@pytest.mark.parametrize(
    ("text", "pair"),
    [
        ("tadalafil and isosorbide mononitrate any problem?", "isosorbide mononitrate (one of"),
        ("amiodarone and levofloxacin together?", "levofloxacin (one of the fluoroquinolones)"),
        ("lorazepam with oxycodone, ok?", "oxycodone (one of the opioids)"),
        ("氯硝西泮和羟考酮一起吃行吗", "羟考酮（属于阿片类）"),
    ],
)
def test_the_other_of_a_pair_is_called_by_its_name(
    base: KnowledgeBase, text: str, pair: str
) -> None:
    assert pair in said(base, text)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("There are some unlabelled capsules from his brother. Ok with sertraline?",
         "unlabelled capsules"),
        ("Green slimming capsules from my cousin with my metformin? No label on them.",
         "slimming capsules"),
        ("她吃着邻居给的没标签的药丸和阿哌沙班，能一起吗", "没标签的药丸"),
    ],
)  # fmt: skip
def test_what_has_no_label_is_not_known(base: KnowledgeBase, text: str, words: str) -> None:
    unknown = base.understand(text).not_understood
    assert any(words in one.text for one in unknown)


@pytest.mark.parametrize(
    "text",
    ["Can I take ibuprofen with no box of wine in the house?", "My pills work. Is naproxen ok?"],
)
def test_other_boxes_are_no_unknown_medicine(base: KnowledgeBase, text: str) -> None:
    assert not any(
        "pill" in u.text or "box" in u.text for u in base.understand(text).not_understood
    )


def test_one_medicine_alone_is_what_is_spoken_of(base: KnowledgeBase) -> None:
    answer = said(base, "forgot my levothyroxine this morning, take it now?")
    assert "safe" not in answer.replace("Sample data", "")


def test_nothing_is_stopped_for_what_must_go_itself(base: KnowledgeBase) -> None:
    question = "我妈有哮喘。单子上是普萘洛尔、沙丁胺醇、对乙酰氨基酚，有没有不能吃的？"
    stops = {
        stop.entity.name("en") for stop in base.ask(question).stops
        if stop.hard and stop.status == "applies"
    }  # fmt: skip
    assert stops == {"propranolol"}
