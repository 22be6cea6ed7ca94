"""`extract --model` and `add --model` for abstracts, with an endpoint that replies as models do."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from medweave.testing.chat_server import ChatServer, serving
from tests.commands import command

pytest.importorskip("pydantic_ai")
NUMBERS = range(1, 9)
FIELDS = ("relation_type", "entity1_type", "entity1_name", "entity2_type", "entity2_name")


def relation(number: int, **other: Any) -> dict[str, Any]:
    told = zip(
        FIELDS, ("aggravate", "risk_factor", f"Smoke{number}", "disease", "AMD"), strict=True
    )
    return dict(told) | other


def number_of(body: dict[str, Any]) -> int:
    asked = next(m["content"] for m in body["messages"] if "Smoke" in m["content"])
    said = next(m for m in body["messages"] if m["role"] == "user")["content"]
    return int((said if "Smoke" in said else asked).split("Smoke")[1].split()[0])


def reply(number: int) -> str:
    """Each abstract has a reply of another form; one never has any."""
    good = relation(number, quote=f"Smoke{number} aggravates AMD.", certainty=0.9)
    evil = {"relation_type": "cure", "entity1_name": "'; DROP TABLE x; --", "entity2_name": "AMD"}
    listed = json.dumps([evil, good, {"relation_type": "cause"}])
    return {
        1: json.dumps({"relations": [good]}),
        2: f"```json\n{listed}\n```",
        3: f"<think>[{listed}]</think>\n{json.dumps(good)}\n{json.dumps(evil)}",
        4: str([good, evil]),
        5: json.dumps({"relations": [good, good | {"quote": "cut"}]})[:-30],
        6: listed.replace("}", ",}"),
        7: "I cannot help with that.",
        8: json.dumps([good])[:-1],
    }[number]


def answer(body: dict[str, Any]) -> tuple[int, str]:
    return 200, reply(number_of(body))


class Runs:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        rows = [
            {"pmid": str(n), "title": f"Trial {n}.", "abstract": f"Smoke{n} aggravates AMD."}
            for n in NUMBERS
        ]
        (folder / "trials.jsonl").write_text("".join(json.dumps(r) + "\n" for r in rows), "utf-8")

    def start(self, *arguments: str) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [sys.executable, "-m", "medweave", *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=self.folder,
            env=self.environment,
        )

    @property
    def environment(self) -> dict[str, str]:
        return {**os.environ, "XDG_CACHE_HOME": str(self.folder / "cache")}

    def __call__(self, *arguments: str) -> dict[str, Any]:
        ran = command([*arguments, "--json"], environment=self.environment, folder=self.folder)
        assert ran.status == 0, ran.err
        found: dict[str, Any] = json.loads(ran.out)
        return found


@pytest.fixture
def run(tmp_path: Path) -> Runs:
    return Runs(tmp_path)


ADD = ("add", "--kb", "a.db", "abstracts", "trials.jsonl", "--model")


def times_asked(server: ChatServer) -> Counter[int]:
    return Counter(map(number_of, server.asked))


def test_each_good_relation_is_kept_whatever_form_the_reply_has(run: Runs) -> None:
    with serving(answer) as server:
        found = run("extract", "trials.jsonl", "--model", server.name)
        again = run("extract", "trials.jsonl", "--model", server.name)
        asked = times_asked(server)
    assert asked == {n: 3 if n == 7 else 1 for n in NUMBERS}
    for number, document in zip(NUMBERS, found["documents"], strict=True):
        if number == 7:  # of names that rules do not know
            assert document["relations"] == []
            continue
        [said] = document["relations"]
        subject = document["entities"][said["subject"]]
        assert (subject["text"], said["predicate"]) == (f"Smoke{number}", "aggravate")
        assert said["method"] == "llm: quote"
        assert document["text"][said["start"] : said["end"]] == f"Smoke{number} aggravates AMD."
    assert [d["reason"] for d in found["documents"][1]["dropped"]] == ["broken", "broken"]
    [line] = found["skipped"]
    assert "read by rules" in line["reason"]
    assert (found["usage"]["calls"], found["usage"]["cached"], found["left"]) == (10, 0, [])
    assert (again["usage"]["calls"], again["usage"]["cached"]) == (0, 10)
    assert again["documents"] == found["documents"]


@pytest.mark.thorough
def test_what_was_killed_goes_on_and_asks_nothing_twice(run: Runs) -> None:
    reached, wait = threading.Event(), threading.Event()

    def stopping(body: dict[str, Any]) -> tuple[int, str]:
        if number_of(body) == 5 and not wait.is_set():
            reached.set()
            wait.wait(60)
        return answer(body)

    with serving(stopping) as server:
        running = run.start(*ADD, server.name)
        assert reached.wait(60)
        running.send_signal(signal.SIGKILL)
        running.communicate()
        wait.set()
        report = run(*ADD, server.name)
        # What was never answered is asked again, and nothing else.
        assert times_asked(server) == {n: {5: 2, 7: 3}.get(n, 1) for n in NUMBERS}
        whole = run("add", "--kb", "b.db", "abstracts", "trials.jsonl", "--model", server.name)
        assert whole["usage"]["calls"] == 0
    assert report["usage"]["calls"] == 6
    hashes = [run("stats", "--kb", base)["base"]["hash"] for base in ("a.db", "b.db")]
    assert hashes[0] == hashes[1]


def test_limits_hold_and_what_is_left_is_read_by_the_next_run(run: Runs) -> None:
    with serving(answer) as server:
        first = run(*ADD, server.name, "--max-calls", "3")
        assert (first["usage"]["calls"], len(server.asked)) == (3, 3)
        assert first["left"] == [f"PMID:{n}" for n in range(4, 9)]
        second = run("extract", "trials.jsonl", "--model", server.name, "--max-calls", "4")
        assert (second["usage"]["calls"], second["usage"]["cached"]) == (4, 3)
        assert second["left"] == ["PMID:7", "PMID:8"]  # 7 takes three
        third = run(*ADD, server.name, "--log", "log.jsonl")
        assert third["left"] == []
        assert times_asked(server) == {n: 3 if n == 7 else 1 for n in NUMBERS}
    told = third["refinement"]
    assert told["read"] == told["evidence"] + told["repeated"] + sum(told["dropped"].values())
    log = (run.folder / "log.jsonl").read_text("utf-8").splitlines()
    assert sum(json.loads(line)["step"] == "dropped" for line in log) == sum(
        told["dropped"].values()
    )


def test_so_many_tokens_and_no_more(run: Runs) -> None:
    with serving(answer) as server:
        asked = run("extract", "trials.jsonl", "--model", server.name, "--dry-run")
        assert (asked["calls"], asked["cached"], server.asked) == (24, 0, [])
        of_one = asked["input_tokens"] // 8
        none = run("extract", "trials.jsonl", "--model", server.name, "--max-tokens", "100")
        assert (none["usage"]["calls"], len(none["left"])) == (0, 8)
        some = run(
            "extract", "trials.jsonl", "--model", server.name, "--max-tokens", f"{of_one + 9}"
        )
        assert some["usage"]["calls"] >= 1
        assert some["usage"]["input_tokens"] + some["usage"]["output_tokens"] <= of_one + 9


def test_a_dry_run_needs_no_model_and_knows_what_is_kept(run: Runs) -> None:
    with serving(answer) as server:
        name = server.name
        run("extract", "trials.jsonl", "--model", name, "--max-calls", "2")
    for words in (("extract", "trials.jsonl"), ("build", "--kb", "a.db", "trials.jsonl")):
        found = run(*words, "--model", name, "--dry-run")
        assert (found["calls"], found["cached"], found["cost"]) == (18, 2, None)
        prompts = {p["document"]: p["messages"] for p in found["prompts"]}
        assert [m["role"] for m in prompts["PMID:3"]] == ["system", "user"]
        assert "Smoke3" in prompts["PMID:3"][1]["content"]
    assert not (run.folder / "a.db").exists()


def test_where_an_endpoint_fails_rules_read_and_that_is_said(run: Runs) -> None:
    with serving(lambda _: (401, b"{}")) as server:
        report = run(*ADD, server.name)
        assert len(server.asked) == 1
    assert report["documents"] == report["model"]["by_rules"] == 8
    assert "it refuses the key" in report["skipped"][0]["reason"]
