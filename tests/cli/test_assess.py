"""`medweave assess` as somebody meets it who types, or another program through a pipe."""

import json
import os
import re
from pathlib import Path

import pytest

from tests.commands import Ran, medweave

TRANSCRIPT = Path(__file__).parent / "assess_transcript.txt"
TYPED = [
    "10 mo", "girl", "8", "n", "?", "1 6", "b", "1", "52", "38.5", "u", "b", "x", "?", "c cough",
    "n", "c difficult_breathing", "y", "w",
]  # fmt: skip


def assess(*arguments: str, typed: list[str] | None = None) -> Ran:
    lines = "".join(f"{line}\n" for line in typed or ())
    return medweave("assess", *arguments, given=lines, NO_COLOR="1")


def to_the_end(*arguments: str, first: list[str]) -> Ran:
    """What was typed, then "cannot be had" as long as anything is asked, and finished."""
    return assess(*arguments, typed=[*first, *["x"] * 30, "f"])


def test_the_whole_talk_is_as_it_was() -> None:
    """Read the difference before the file is written anew with MEDWEAVE_WRITE=1."""
    status, out, err = assess(typed=TYPED)
    assert status == 0, err
    if os.environ.get("MEDWEAVE_WRITE"):
        TRANSCRIPT.write_text(out, "utf-8")
    assert out == TRANSCRIPT.read_text("utf-8")


def test_what_is_left_is_gone_on_with(tmp_path: Path) -> None:
    file = str(tmp_path / "a.jsonl")
    status, out, _ = assess(
        "--session", file, "--age", "10mo", "--weight", "8kg", typed=["y", "n", "y"]
    )
    assert status == 0
    assert "Saved: go on with" in out
    assert "URGENT (pink): General danger sign" in out
    status, out, _ = assess("--session", file, typed=["q"])
    assert "How old is the child" not in out
    assert "Is the child convulsing now?" not in out
    assert assess("--session", file, "--replay")[:2] == (0, out_of_replay(5))


def out_of_replay(events: int) -> str:
    return f"{events} events: the same comes out\n"


def test_it_ends_with_what_to_do_a_date_and_a_note(tmp_path: Path) -> None:
    note = tmp_path / "note.html"
    first = ["c ear_problem", "y", "c ear_pain", "y", "c swelling_behind_ear", "n"]
    status, out, err = to_the_end(
        "--age", "10mo", "--weight", "8.2kg", "--sex", "girl", "--note", str(note), first=first
    )
    assert status == 0, err
    assert "What the guideline says" in out
    assert re.search(r"come back: \w+day \d+ \w+ \d{4} \(in \d+ days?\)", out)
    assert "Finished." in out
    page = note.read_text("utf-8")
    assert "<script" not in page
    assert "8.2 kg" in page
    assert "not a medical device" in page


def test_a_reason_is_escaped_in_the_note(tmp_path: Path) -> None:
    for name, wanted in (("n.html", "&lt;b&gt;no"), ("n.md", r"\<b\>no")):
        note = tmp_path / name
        first = ["1", *["x"] * 30, "o 1 <b>no", "f"]
        status, _, err = assess("--age", "10mo", "--note", str(note), typed=first)
        assert status == 0, err
        assert wanted in note.read_text("utf-8")


def test_json_is_the_assessment_alone_on_stdout() -> None:
    status, out, _ = assess("--age", "10mo", "--json", typed=["1", "q"])
    assert status == 0
    told = json.loads(out)
    by_id = {each["id"]: each["status"] for each in told["classifications"]}
    assert by_id["very_severe_disease"] == "confirmed"
    assert told["next_question"]["observation"] == "convulsing_now"


def test_what_was_told_in_free_text_is_not_asked_nor_stored(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    text = "Amina, 10 month old girl with a cough for 3 days, temperature 38.5"
    status, out, err = assess("--text", text, "--session", str(file), typed=["q"])
    assert status == 0, err
    assert "understood: Cough: yes" in out
    assert "How old is the child" not in out
    assert "Amina" not in file.read_text("utf-8")


def test_what_is_not_at_hand_is_not_asked_for() -> None:
    first = ["n", "6", "n", "high"]
    _, out, _ = to_the_end("--age", "10mo", "--without", "malaria test", first=first)
    assert "What does the malaria test show?" not in out


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--age", "-3d"], "cannot be"),
        (["--weight", "400kg"], "cannot be"),
        (["--guideline", "nowhere.yaml"], "no such guideline"),
        (["--replay"], "no record is named"),
    ],
)
def test_what_cannot_be_is_one_line(arguments: list[str], told: str) -> None:
    status, _, err = assess(*arguments)
    assert status == 1
    assert told in err
    assert len(err.splitlines()) == 1


def test_an_allergy_is_taken_at_any_time_kept_and_replayed(tmp_path: Path) -> None:
    file = str(tmp_path / "a.jsonl")
    first = ["c ear_problem", "y", "c ear_pain", "y", "c swelling_behind_ear", "n"]
    status, out, err = to_the_end(
        "--age", "10mo", "--weight", "8kg", "--session", file, first=[*first, "allergy penicillin"]
    )
    assert status == 0, err
    last = out[out.rindex("What the guideline says") :]
    assert "in place of: Give amoxicillin by mouth for 10 days (allergy to penicillin)" in last
    assert assess("--session", file, "--replay")[0] == 0
    _, told, _ = assess("--text", "cough, allergic to penicillin", "--age", "10mo", typed=["q"])
    assert "understood: allergy to penicillins" in told


def test_what_is_not_at_hand_is_known_by_the_words_people_use(tmp_path: Path) -> None:
    typed = ["no PCR", "no spaceship", "no SpO2", "no HIV", *["n"] * 2, "c palmar_pallor", "n", "q"]
    status, out, _ = assess("--age", "10mo", "--without", "malaria rapid test", typed=typed)
    assert status == 0
    assert "not taken: nothing in the guideline needs 'spaceship'" in out
    assert "not taken: 'HIV' may be any of HIV PCR, HIV rapid test" in out
    assert out.count("not taken") == 2
    assert assess("--without", "spaceship", typed=["q"])[0] == 1


@pytest.mark.parametrize(
    ("text", "words", "unread"),
    [
        ("2 year old boy with a cough and glorped spots", "Not understood", "glorped spots"),
        ("2岁男孩咳嗽三天，手臂上有怪东西", "未理解", "手臂上有怪东西"),
    ],
)
def test_words_that_nothing_took_are_named(text: str, words: str, unread: str) -> None:
    status, out, err = assess("--text", text, typed=["q"])
    assert status == 0, err
    line = next(each for each in out.splitlines() if each.startswith(words))
    assert unread in line
    assert "Not understood" not in assess("--text", "2 year old boy with a cough", typed=["q"])[1]


def test_words_that_nothing_took_hold_green_back_until_they_are_answered() -> None:
    text = ("--age", "10 mo", "--json", "--text", "cough, wears a glorped zork")
    _, unknown, asked = assess(*text, typed=["u", "q"])
    _, denied, _ = assess(*text, typed=["n", "q"])
    _, told, _ = assess(*text, typed=["y", "q"])
    assert "Is this there, and does it worry you?" in asked
    assert [sign["status"] for sign in json.loads(unknown)["danger"]] == ["ask"]
    assert json.loads(denied)["danger"] == []
    assert "refer urgently" in json.loads(told)["refer"]


@pytest.mark.parametrize("words", ["his skin looks marbled", "drank drain cleaner"])
def test_a_danger_that_no_question_asks_for_can_be_told(words: str) -> None:
    _, out, _ = assess("--age", "10 mo", "--json", typed=[f"danger {words}", "q"])
    found = json.loads(out)
    assert [sign["status"] for sign in found["danger"]] == ["present"]
    assert "refer urgently" in found["refer"]
    assert words not in out  # what was typed is not recorded as it is


def test_what_stops_a_drug_of_a_treatment_is_told() -> None:
    told = "cough, respiratory rate 60, no chest indrawing, allergic to amoxicillin"
    _, out, _ = to_the_end("--age", "20 mo", "--text", told, first=["n"] * 3)
    assert "STOP  amoxicillin" in out
