"""The commands as another program meets them: stdout, stderr, exit status."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.commands import medweave

MONOGRAPH = {
    "name": "flu",
    "concept": "disease",
    "symptoms": ["fever", "cough"],
    "drugs": ["oseltamivir"],
}


def as_json(*arguments: str, status: int = 0, given: str = "") -> Any:
    code, out, err = medweave(*arguments, "--json", given=given)
    assert code == status, err
    assert len(out.splitlines()) == 1, "one JSON object and nothing else"
    return json.loads(out)


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "flu.jsonl"
    path.write_text(json.dumps(MONOGRAPH) + "\n", "utf-8")
    return path


@pytest.fixture
def kb(tmp_path: Path, source: Path) -> str:
    name = str(tmp_path / "kb.db")
    as_json("build", "--kb", name, str(source))
    return name


def test_build_reports_what_it_read_and_the_totals(tmp_path: Path, source: Path) -> None:
    report = as_json("build", "--kb", str(tmp_path / "new.db"), str(source))
    assert report["documents"] == 1
    assert report["statements"] == 3
    assert report["entities"] == 4
    assert report["skipped"] == []
    assert report["base"] == {"documents": 1, "statements": 3, "entities": 4}


def test_what_a_preview_prints_is_a_mapping_that_can_be_named(tmp_path: Path) -> None:
    rows = 'Illness,Signs,"A remark, which nobody reads"\n"ferry\nkind: fever",fever,%s\n'
    (tmp_path / "a.csv").write_text(rows % ("long " * 40), "utf-8")
    _, said, _ = medweave("build", "--preview", str(tmp_path / "a.csv"))
    (tmp_path / "a.yaml").write_text(said, "utf-8")
    again = as_json(
        "build", "--preview", str(tmp_path / "a.csv"), "--mapping", str(tmp_path / "a.yaml")
    )
    assert again["recognised"] and again["records"][0]["statements"]
    assert "ferry kind: fever" in said


def test_a_preview_knows_the_words_of_an_added_vocabulary(tmp_path: Path) -> None:
    words, source = tmp_path / "words.yaml", tmp_path / "a.csv"
    words.write_text(
        "predicates:\n  smells_of:\n    {valence: 0, domain: [disease], range: [symptom], "
        "en: smells of, zh: 气味}\n",
        "utf-8",
    )
    source.write_text("subject,predicate,object\nflu,smells_of,hay\n", "utf-8")
    shown = as_json("build", "--preview", str(source), "--vocabulary", str(words))
    assert [said["predicate"] for said in shown["records"][0]["statements"]] == ["smells_of"]


def test_add_makes_a_base_that_is_not_there_and_takes_a_kind(tmp_path: Path, source: Path) -> None:
    name = str(tmp_path / "made.db")
    assert as_json("add", "--kb", name, "monographs", str(source))["documents"] == 1
    triples = tmp_path / "t.csv"
    triples.write_text("subject,predicate,object\nflu,has_symptom,headache\n", "utf-8")
    assert as_json("add", "--kb", name, "triples", str(triples))["base"]["documents"] == 2


def test_a_broken_row_is_reported_with_file_line_and_reason_and_skipped(
    tmp_path: Path, kb: str
) -> None:
    bad = tmp_path / "bad.jsonl"
    bad.write_text(
        '{"name": "cold", "concept": "disease", "symptoms": ["cough"]}\n{"name":\n', "utf-8"
    )
    report = as_json("build", "--kb", kb, str(bad))
    assert report["documents"] == 1
    (skipped,) = report["skipped"]
    assert skipped["file"].endswith("bad.jsonl")
    assert skipped["line"] == 2
    assert "JSON" in skipped["reason"]


def test_ask_prints_one_answer(kb: str) -> None:
    answer = as_json("ask", "--kb", kb, "What are the symptoms of flu?")
    assert answer["status"] == "answered"
    assert answer["danger"] == []
    (sentence,) = answer["sentences"]
    assert {answer["evidence"][key]["quote"] for key in sentence["evidence"]} == {"fever", "cough"}


def test_removing_the_only_source_leaves_an_empty_hash(kb: str, source: Path) -> None:
    before = medweave("stats", "--kb", kb, "--hash")[1].strip()
    assert as_json("remove", "--kb", kb, str(source))["removed"] == 1
    after = medweave("stats", "--kb", kb, "--hash")[1].strip()
    assert before != after == "0" * 64


def test_lines_come_out_in_order_with_errors_in_their_place(tmp_path: Path, kb: str) -> None:
    lines = tmp_path / "questions.jsonl"
    lines.write_text(
        '{"text": "symptoms of flu"}\n{"text": ""}\nnonsense\n{"text": "flu?"}\n', "utf-8"
    )
    code, out, _ = medweave("ask", "--kb", kb, "--lines", str(lines))
    found = [json.loads(line) for line in out.splitlines()]
    assert code == 0
    assert ["error" in item for item in found] == [False, True, True, False]
    code, out, _ = medweave(
        "understand", "--kb", kb, "--lines", "-", given="fever\u2028cough\nflu\n"
    )
    assert len(out.splitlines()) == 2 or len(out.strip().split("\n")) == 2


def test_understand_gives_offsets_in_characters(kb: str) -> None:
    question = as_json("understand", "--kb", kb, "😷 I have no fever")
    (mention,) = question["mentions"]
    assert question["text"][mention["start"] : mention["end"]] == "fever"
    assert mention["status"] == "absent"


def test_show_opens_a_past_case_by_its_id(tmp_path: Path) -> None:
    name, talk = str(tmp_path / "talks.db"), tmp_path / "talks.jsonl"
    turns = [
        {"speaker": "patient", "text": "I have had a fever for two days."},
        {"speaker": "doctor", "text": "You should drink enough."},
    ]
    talk.write_text(json.dumps({"id": "145", "turns": turns}) + "\n", "utf-8")
    as_json("add", "--kb", name, "dialogues", str(talk))
    code, out, _ = medweave("show", "--kb", name, "145")
    assert code == 0
    assert out.splitlines()[1:3] == [f"{t['speaker'].title()}: {t['text']}" for t in turns]
    (document,) = as_json("show", "--kb", name, "145")["documents"]
    assert document["fields"]["turn 2 doctor"] == turns[1]["text"]


def test_show_knows_names_and_reports_unknown_ones(kb: str) -> None:
    assert as_json("show", "--kb", kb, "influenza")["concept"] == "disease"
    assert as_json("show", "--kb", kb, "xyzzy", status=1)["error"]["type"] == "NotFoundError"


@pytest.mark.parametrize(
    ("arguments", "kind"),
    [
        (["ask", "--kb", "missing.db", "flu?"], "NotFoundError"),
        (["ask", "--kb", "oracle://host", "flu?"], "StoreError"),
        (["build", "--kb", "new.db", "no-such-file.jsonl"], "SourceError"),
        (["add", "--kb", "new.db", "guideline", "no-such-file"], "SourceError"),
        (["remove", "--kb", "missing.db", "x"], "NotFoundError"),
        (["build", "no-such-file.jsonl"], "NotFoundError"),
    ],
)
def test_errors_are_one_line_with_what_where_and_remedy(
    arguments: list[str], kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    code, out, err = medweave(*arguments, "--json")
    assert code == 1
    error = json.loads(out)["error"]
    assert error["type"] == kind
    assert error["remedy"]
    assert err.splitlines()[-1].startswith("error: ")
    assert "Traceback" not in err


def test_wrong_usage_is_status_two() -> None:
    assert medweave("ask", "--no-such-option")[0] == 2


def test_a_binary_file_is_an_error_and_the_base_stays(tmp_path: Path, kb: str) -> None:
    before = medweave("stats", "--kb", kb, "--hash")[1]
    binary = tmp_path / "noise.jsonl"
    binary.write_bytes(bytes(range(256)) * 40)
    assert medweave("build", "--kb", kb, str(binary))[0] == 1
    assert medweave("stats", "--kb", kb, "--hash")[1] == before


def test_the_page_is_written(tmp_path: Path, kb: str) -> None:
    page = tmp_path / "answer.html"
    assert medweave("ask", "--kb", kb, "symptoms of flu", "--html", str(page))[0] == 0
    assert "<mark>" in page.read_text("utf-8")
    assert medweave("ask", "--kb", kb, "flu", "--html", str(tmp_path / "no" / "where.html"))[0] == 1


def test_a_plain_question_is_answered_as_one_with_options(kb: str) -> None:
    question = "What are the symptoms of flu?"
    plain, full = (
        as_json("ask", question, "--kb", kb),
        as_json("ask", question, "--kb", kb, "--k=5"),
    )
    assert {**plain, "timing": {}} == {**full, "timing": {}}
    shown = medweave("ask", "--kb", kb, question)
    assert shown == medweave("ask", "--k", "5", "--kb", kb, question)
    assert "fever" in shown[1]


@pytest.mark.parametrize(
    "arguments",
    [("ask", "flu", "--kb"), ("ask", "flu", "more"), ("ask", "flu", "--nothing"), ("asks", "flu")],
)
def test_wrong_usage_ends_with_two(arguments: tuple[str, ...]) -> None:
    code, out, err = medweave(*arguments)
    assert (code, out) == (2, "")
    assert "Error" in err


def test_the_base_may_come_from_the_environment_or_a_file(
    tmp_path: Path, kb: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert json.loads(medweave("stats", "--json", MEDWEAVE_KB=kb)[1])["documents"] == 1
    (tmp_path / "medweave.toml").write_text('kb = "kb.db"\n', "utf-8")
    assert json.loads(medweave("stats", "--json")[1])["documents"] == 1


def test_the_demonstration_answers_five_questions(tmp_path: Path) -> None:
    code, out, _ = medweave("demo", XDG_CACHE_HOME=str(tmp_path))
    assert code == 0
    assert out.count("›") == 5
    assert "STOP  tetracycline: contraindicated in pregnancy [1][2]" in out
    assert "感冒" in out


# upkeep


def test_a_whole_base_is_said_to_be_whole(kb: str) -> None:
    code, out, _ = medweave("check", "--kb", kb)
    assert (code, "nothing is wrong" in out) == (0, True)
    found = as_json("check", "--kb", kb)
    assert (found["problems"], found["base"]["revision"]) == ([], 1)


def test_what_is_wrong_is_said_with_what_to_do_then_mended(kb: str) -> None:
    with closing(sqlite3.connect(kb)) as connection:
        connection.execute("UPDATE statement SET strength = 0.7")
        connection.commit()
    code, out, _ = medweave("check", "--kb", kb)
    assert code == 1
    assert "3 statements with a wrong strength" in out
    assert "medweave compact" in out
    [problem] = as_json("check", "--kb", kb, status=1)["problems"]
    assert (problem["part"], problem["count"]) == ("strengths", 3)
    code, out, _ = medweave("compact", "--kb", kb)
    assert (code, "mended: 3 statements" in out, " before, " in out) == (0, True, True)
    assert as_json("check", "--kb", kb)["problems"] == []


def test_what_cannot_be_mended_is_an_exit_status_of_1(kb: str) -> None:
    with closing(sqlite3.connect(kb)) as connection:
        connection.execute("DELETE FROM evidence WHERE n = 1")
        connection.commit()
    assert {p["part"] for p in as_json("check", "--kb", kb, status=1)["problems"]} >= {"facts"}
    done = as_json("compact", "--kb", kb, status=1)
    assert {problem["part"] for problem in done["problems"]} == {"facts"}
    assert "backup" in done["problems"][0]["remedy"]


def test_a_copy_answers_like_the_base(kb: str, tmp_path: Path) -> None:
    copy = str(tmp_path / "copy.db")
    told = as_json("backup", "--kb", kb, copy)
    assert told["bytes"] == Path(copy).stat().st_size
    assert medweave("stats", "--hash", "--kb", copy) == medweave("stats", "--hash", "--kb", kb)
    error = as_json("backup", "--kb", kb, copy, status=1)["error"]
    assert (error["type"], "--force" in error["remedy"]) == ("StoreError", True)
    code, out, _ = medweave("backup", "--kb", kb, copy, "--force")
    assert (code, "copied to" in out) == (0, True)


def test_upkeep_makes_no_base_where_there_is_none(tmp_path: Path) -> None:
    for command in (["check"], ["compact"], ["backup", str(tmp_path / "copy.db")]):
        error = as_json(*command, "--kb", str(tmp_path / "none.db"), status=1)["error"]
        assert error["type"] == "NotFoundError"
    assert list(tmp_path.iterdir()) == []
    assert as_json("compact", "--kb", "memory:", status=1)["error"]["remedy"]


@pytest.mark.parametrize("command", ["build", "add", "remove", "compact", "backup"])
def test_a_full_disk_is_one_line_and_the_base_stays_whole(
    kb: str, source: Path, tmp_path: Path, command: str
) -> None:
    before = medweave("stats", "--json", "--kb", kb)[1]
    more = tmp_path / "more.jsonl"
    lines = [{**MONOGRAPH, "name": f"flu {n}", "description": "cough " * 200} for n in range(300)]
    more.write_text("\n".join(map(json.dumps, lines)), "utf-8")
    argument = {"build": more, "add": more, "remove": source, "backup": tmp_path / "copy.db"}
    words = [command, "--kb", kb, *(str(argument[command]) for _ in [0] if command in argument)]
    ran = subprocess.run(
        ["bash", "-c", 'ulimit -f 8; exec "$@"', "-", sys.executable, "-m", "medweave", *words],
        capture_output=True,
        check=False,
    )
    assert ran.returncode == 1
    assert b"the disk is full" in ran.stderr
    assert ran.stderr.count(b"\n") == 1
    assert medweave("stats", "--json", "--kb", kb)[1] == before
    assert as_json("check", "--kb", kb)["problems"] == []
    assert not list(tmp_path.glob("copy*"))


def test_what_a_document_says_cannot_write_to_the_terminal(tmp_path: Path) -> None:
    kb, source = str(tmp_path / "kb.db"), tmp_path / "we\nird ..\\..\x1b[31m.jsonl"
    name = "flu \x1b]0;owned\x07 \u202eabc"
    named = {**MONOGRAPH, "name": name, "description": "A\x1b[2Jb."}
    source.write_text(json.dumps(named), "utf-8")
    shown = [
        medweave("build", "--kb", kb, str(source)),
        medweave("stats", "--kb", kb),
        medweave("show", "--kb", kb, name),
        medweave("ask", "--kb", kb, f"What is {name}?"),
        medweave("ask", "--explain", "--kb", kb, f"What is {name}?"),
        medweave("show", "--kb", kb, "nothing \x1b[2J"),
    ]
    assert [code for code, _, _ in shown] == [0, 0, 0, 0, 0, 1]
    for _, out, err in shown:
        assert not set(out + err) & {"\x1b", "\x07", "\u202e"}
    assert "␛" in "".join(out + err for _, out, err in shown)
    assert as_json("show", "--kb", kb, name)["named_by"]


def test_links_that_go_round_and_pipes_are_passed_over(tmp_path: Path) -> None:
    folder, kb = tmp_path / "round", str(tmp_path / "kb.db")
    (folder / "a" / "b").mkdir(parents=True)
    (folder / "x.jsonl").write_text(json.dumps(MONOGRAPH), "utf-8")
    (folder / "self.jsonl").symlink_to("self.jsonl")
    (folder / "dangling.csv").symlink_to("nowhere.csv")
    (folder / "a" / "b" / "up").symlink_to(folder)
    (folder / "a" / "again.jsonl").symlink_to(folder / "x.jsonl")
    os.mkfifo(folder / "pipe.csv")
    assert as_json("build", "--kb", kb, str(folder))["documents"] == 1
    for name, kind in (("self.jsonl", "SourceError"), ("pipe.csv", "SourceError")):
        error = as_json("build", "--kb", kb, str(folder / name), status=1)["error"]
        assert error["type"] == kind


# ranking and topology


def test_the_ranking_is_an_option_and_a_wrong_one_is_said(kb: str) -> None:
    question = "I have a fever and a cough. What disease do I have?"
    scores = {
        mode: as_json("ask", "--kb", kb, question, "--ranking", mode)["candidates"][0]["score"]
        for mode in ("personalized", "textrank", "verbatim")
    }
    assert len(set(scores.values())) == 3
    assert scores["verbatim"] == 0
    error = as_json("ask", "--kb", kb, question, "--ranking", "pagerank", status=1)["error"]
    assert (error["type"], error["where"]) == ("ConfigurationError", "ranking")


def test_methods_come_from_the_file(
    tmp_path: Path, kb: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "medweave.toml"
    file.write_text('[methods]\ndiagnosis = "lookup"\n', "utf-8")
    question = "I have a fever and a cough. What disease do I have?"
    assert as_json("ask", "--kb", kb, question)["candidates"][0]["score"] == 1.0
    file.write_text('[methods]\ndiagnosis = "guess"\n', "utf-8")
    code, _, err = medweave("ask", "--kb", kb, question)
    assert code == 1
    assert "medweave.toml, methods.diagnosis" in err


def test_stats_tell_the_topology(kb: str) -> None:
    found = as_json("stats", "--kb", kb)
    shape = found["topology"]
    assert (shape["nodes"], shape["edges"], shape["isolated"]) == (4, 3, 0)
    assert shape["average_neighbours"] == 1.5
    assert shape["density"] == 0.5
    assert shape["concepts"]["symptom"] == {
        "nodes": 2, "isolated": 0, "edges": 2, "average_degree": 1.0,
    }  # fmt: skip
    assert {of["from"]: of["nodes"] for of in shape["degrees"]} == {0: 0, 1: 3, 2: 1}
    code, out, _ = medweave("stats", "--kb", kb)
    assert code == 0
    assert "1.50 neighbours on average (2E/N), density 5.00e-01 (2E/(N(N-1)))" in out


def test_the_degrees_are_drawn(tmp_path: Path, kb: str) -> None:
    picture = tmp_path / "degrees.svg"
    assert medweave("stats", "--kb", kb, "--picture", str(picture))[0] == 0
    assert picture.read_text("utf-8").startswith("<svg")
    missing = str(tmp_path / "no" / "degrees.svg")
    code, _, err = medweave("stats", "--kb", kb, "--picture", missing)
    assert code == 1
    assert missing in err


def test_dialogues_are_masked_and_counted_and_kept_only_with_a_warning(tmp_path: Path) -> None:
    talk, kb = tmp_path / "talk.txt", str(tmp_path / "kb.db")
    talk.write_text("Patient: My name is Anna Kowalski. I cough.\nDoctor: Rest, Anna.\n", "utf-8")
    report = as_json("add", "--kb", kb, "dialogues", str(talk))
    assert (report["documents"], report["masked"]) == (1, {"name": 2})
    code, out, _ = medweave("show", "--kb", kb, "dialogue talk")
    assert (code, "Kowalski" in out, "[name]" in out) == (0, False, True)
    code, _, err = medweave("build", "--kb", kb, str(talk), "--keep-personal-data")
    assert (code, err) == (0, "warning: personal data in dialogues is kept as it is\n")
    assert "Kowalski" in medweave("show", "--kb", kb, "dialogue talk")[1]
    code, out, err = medweave(
        "build", "--kb", kb, str(talk), "--json", MEDWEAVE_KEEP_PERSONAL_DATA="1"
    )
    assert (json.loads(out)["unchanged"], err[:8]) == (1, "warning:")
