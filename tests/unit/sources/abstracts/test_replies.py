"""Replies of models in every form: each good relation is found, whatever stands beside it."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from medweave.sources.abstracts.replies import FIELDS, replied_relations

ONE = dict(zip(FIELDS, ("cause", "risk_factor", "Smoking", "disease", "AMD"), strict=True))
TWO = ONE | {"entity1_name": 'Alzheimer\'s 𝛼 "wet" form', "quote": 'a, "b", c {x} [y]: d'}
BOTH = [ONE, TWO]
TEXT = json.dumps({"relations": BOTH})
FORMS = {
    "object": TEXT,
    "list": json.dumps(BOTH, ensure_ascii=False),
    "lines": "\n".join(map(json.dumps, BOTH)),
    "lines with commas": ",\n".join(map(json.dumps, BOTH)),
    "fence": f"Here it is:\n```json\n{json.dumps(BOTH, indent=2)}\n```\nDone.",
    "fence without an end": f"```\n{TEXT}",
    "thoughts": f"<think>[{json.dumps(ONE)}] or {{not}}?</think>\n{TEXT}",
    "thoughts without a beginning": f"{json.dumps(ONE)} no …</think>{TEXT}",
    "single quotes": str(BOTH),
    "trailing commas": json.dumps(BOTH).replace("}", ",}").replace("]", ",]"),
    "one text": json.dumps(TEXT),
    "prose": f"First {json.dumps(ONE)} and then {json.dumps(TWO)}, that is all.",
    "not the first key": json.dumps([{"id": 1} | each for each in BOTH]),
    "nested beside": json.dumps([each | {"also": {"a": [1, {"b": 2}]}} for each in BOTH]),
    "in another wrapper": json.dumps({"result": {"triples": BOTH}}),
    "capital keys": json.dumps([{k.replace("_", " ").title(): v for k, v in each.items()}
                                for each in BOTH]),
    "cut behind the last": TEXT[:-1],
    "cut in the quote": TEXT[:-9],
}  # fmt: skip


def fields(found: Mapping[str, object]) -> dict[str, object]:
    return {field: found.get(field) for field in FIELDS}


@pytest.mark.parametrize("form", FORMS)
def test_both_relations_are_found_in_any_form(form: str) -> None:
    read = replied_relations(FORMS[form])
    assert [fields(each) for each in read.found] == [fields(each) for each in BOTH]
    assert read.broken == ()


@pytest.mark.parametrize(
    "broken",
    [
        '{"relation_type": "cause", oops}',
        '{"relation_type": "cause", "entity1_name": "Smo',
        '{"relation_type": ["cause"',
        '{"relation_type" "cause"}',
        "{'entity1_name': 'it's, so'",
        '{"relation_type": "cause" / "entity1_name": "x"}',
    ],
)
def test_what_is_broken_takes_nothing_else_with_it(broken: str) -> None:
    text = f'{{"relations": [{json.dumps(ONE)}, {broken}, {json.dumps(TWO)}]}}'
    found = [fields(each) for each in replied_relations(text).found]
    assert fields(ONE) in found
    assert fields(TWO) in found


def test_names_with_marks_that_nobody_escaped_are_whole() -> None:
    text = '[{"relation_type": "cause", "entity1_name": "the "wet" form", "quote": "so, "it" is"}]'
    [found] = replied_relations(text).found
    assert (found["entity1_name"], found["quote"]) == ('the "wet" form', 'so, "it" is')


def test_bare_keys_and_words_of_python_are_read() -> None:
    text = "[{relation_type: cause, entity1_name: 'Best\\'s disease', polarity: -1, quote: None}]"
    [found] = replied_relations(text).found
    assert (found["relation_type"], found["polarity"], found["quote"]) == ("cause", -1, None)
    assert found["entity1_name"] == "Best's disease"


def test_one_that_is_cut_in_a_name_is_broken_and_not_shortened() -> None:
    text = TEXT[: TEXT.rindex("AMD") + 2]
    read = replied_relations(text)
    assert [fields(each) for each in read.found] == [fields(ONE)]
    assert len(read.broken) == 1


def test_a_relation_that_a_quote_contains_is_no_relation() -> None:
    told = "{'relation_type': 'treat', 'entity1_name': 'bleach'}"
    read = replied_relations(json.dumps([ONE | {"quote": f"It says {told}"}]))
    assert [fields(each) for each in read.found] == [fields(ONE)]


@pytest.mark.parametrize("empty", ['{"relations": []}', "[]", "```json\n[]\n```", "None: [ ]"])
def test_an_empty_list_says_nothing_in_so_many_words(empty: str) -> None:
    assert replied_relations(empty).says_nothing


@pytest.mark.parametrize("nothing", ["", "I cannot do that.", "{}", "null", "<think>[]", "[1]"])
def test_other_words_say_not_even_that(nothing: str) -> None:
    read = replied_relations(nothing)
    assert (read.found, read.says_nothing) == ((), False)


@pytest.mark.parametrize(
    "long",
    ["[" * 99_999, '{"a":' * 9_999, '{"a":"' * 9_999, '{"relation_type":"' * 5_555,
     "{" * 99_999, "{{[" * 30_000, '"' * 99_999, "<think>" * 14_000,
     '{"relation_type":{' * 2_000, "'a':{" * 9_999],
)  # fmt: skip
def test_nothing_takes_long(long: str) -> None:
    started = time.perf_counter()
    replied_relations(long)
    assert time.perf_counter() - started < 6  # a tenth of it on an idle machine


PIECES = (*"{}[]:,\"'\\ \n", "<think>", "</think>", "relation_type", '"entity1_name": ', "AMD")
noise = st.lists(st.sampled_from(PIECES))


@given(noise)
def test_whatever_comes_is_read_without_an_error(pieces: list[str]) -> None:
    read = replied_relations("".join(pieces))
    assert all(isinstance(each, dict) for each in read.found)


names = st.text(min_size=1).filter(lambda text: text.strip())


@given(st.lists(st.tuples(names, names), max_size=4))
def test_every_text_comes_back_as_it_was_told(told: list[tuple[str, str]]) -> None:
    said = [ONE | {"entity1_name": one, "entity2_name": other} for one, other in told]
    read = replied_relations(json.dumps({"relations": said}))
    assert list(read.found) == said
