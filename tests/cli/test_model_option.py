"""`add --model` and `similar --model` as another program meets them, with a server of our own."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from medweave.testing.chat_server import ChatServer, serving
from tests.commands import medweave

pytest.importorskip("pydantic_ai")
CALL = {
    "id": "145",
    "turns": [
        {"speaker": "patient", "text": "My name is Anna Kowalski. My knee hurts at night."},
        {"speaker": "doctor", "text": "Rest it. Take ibuprofen 400 mg."},
    ],
}


def answer(body: dict[str, Any]) -> tuple[int, str]:
    form = body["response_format"]["json_schema"]["schema"]["properties"]
    quotes = {"advice": ["Rest it.", "Take 800 mg"], "symptom": ["knee hurts"]}
    reply: dict[str, Any] = {}
    for name in form:
        reply[name] = {"quotes": quotes.get(name, [])}
        if "text" in form[name].get("properties", {}):
            reply[name]["text"] = ""
    if "intents" in form:
        reply["intents"] = ["treatment"]
    return 200, json.dumps(reply)


@pytest.fixture
def server() -> Iterator[ChatServer]:
    with serving(answer) as server:
        yield server


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    (tmp_path / "calls.jsonl").write_text(json.dumps(CALL), "utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))

    def run(*arguments: str, **environment: str) -> tuple[int, Any, str]:
        status, out, err = medweave(*arguments, "--json", **environment)
        return status, json.loads(out), err

    return run


ADD = ("add", "--kb", "a.db", "dialogues", "calls.jsonl")


def test_dialogues_are_read_by_a_model_and_messages_too(server: ChatServer, run: Any) -> None:
    code, report, said = run(*ADD, "--model", server.name, MEDWEAVE_MODEL_KEY="s3cret")
    assert code == 0
    told = report["model"]
    assert (told["id"], told["read"]) == ("openai-compatible:toy", 1)
    assert "read, masked, by openai-compatible:toy" in said
    assert "s3cret" not in said + json.dumps(report)
    assert "Kowalski" not in json.dumps(server.asked)
    _, found, _ = run("similar", "--kb", "a.db", "A knee hurts here.", "--model", server.name)
    assert found["sections"] == {"symptom": "knee hurts"}
    assert found["intents"] == ["treatment"]


def test_a_reply_is_kept_for_the_next_base(server: ChatServer, run: Any) -> None:
    run(*ADD, MEDWEAVE_MODEL=server.name)
    _, report, _ = run("add", "--kb", "b.db", "dialogues", "calls.jsonl", "--model", server.name)
    assert len(server.asked) == 1
    assert (report["model"]["read"], report["model"]["requests"]) == (1, 0)


def test_where_no_model_answers_rules_read(run: Any) -> None:
    with serving(answer) as server:
        gone = server.name
    code, report, _ = run(*ADD, "--model", gone)
    assert (code, report["model"]["by_rules"], report["documents"]) == (0, 1, 1)
    assert "cannot be reached" in report["skipped"][0]["reason"]


def test_what_is_no_model_is_an_error(run: Any) -> None:
    code, said, _ = run(*ADD, "--model", "gpt")
    assert (code, said["error"]["type"]) == (1, "ConfigurationError")
