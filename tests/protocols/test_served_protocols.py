"""What stock clients meet at a real server on a free port: chat, MCP, CDS Hooks, keys, audit."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import anyio
import httpx
import httpx2
import openai
import pytest
from mcp.client.session import ClientSession
from mcp.client.streamable_http import streamable_http_client

from medweave.access import Keys
from medweave.audit.file import verify
from medweave.client import Client, ServerError
from medweave.knowledge_base import KnowledgeBase
from medweave.model.assessment import Assessment
from medweave.model.question import Question
from medweave.model.similar import Similar

pytestmark = pytest.mark.thorough

QUESTION = "Can I take ibuprofen with warfarin?"
TITLE = """### Task: Generate a concise title. JSON format: { "title": "your title" }
<chat_history>
USER: Which painkiller can a pregnant woman take?
ASSISTANT: paracetamol
</chat_history>"""


class Server(NamedTuple):
    url: str
    read: str
    write: str
    audit: Path
    keys: Path


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    KnowledgeBase.sample().close()
    folder = tmp_path_factory.mktemp("served")
    keys, audit = folder / "keys.json", folder / "audit.jsonl"
    read, write = (Keys(keys).add(scope, scope)[1] for scope in ("read", "write"))
    told = ["--port", "0", "--json", "--keys", str(keys), "--audit", str(audit)]
    process = subprocess.Popen(
        [sys.executable, "-m", "medweave", "serve", *told], stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL, env=dict(os.environ), text=True,
    )  # fmt: skip
    try:
        assert process.stdout
        url = json.loads(process.stdout.readline())["url"].rstrip("/")
        yield Server(url, read, write, audit, keys)
    finally:
        process.send_signal(signal.SIGTERM)
        with process:
            assert process.wait(15) == 0


@pytest.fixture(scope="module")
def chat(server: Server) -> openai.OpenAI:
    return openai.OpenAI(base_url=f"{server.url}/v1", api_key=server.read, max_retries=0)


def test_the_stock_chat_client_whole_and_streamed(chat: openai.OpenAI) -> None:
    assert [model.id for model in chat.models.list()] == ["medweave", "medweave/sample"]
    messages: Any = [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "I am on warfarin."},
        {"role": "assistant", "content": "Noted."},
        {"role": "user", "content": [{"type": "text", "text": "Can I take ibuprofen?"}]},
    ]
    whole = chat.chat.completions.create(model="medweave", messages=messages, temperature=0.2)
    text = whole.choices[0].message.content or ""
    assert text.startswith("**AVOID** ibuprofen") and "[1]" in text
    listed = re.findall(r"(?m)^(\d+)\. ", text)
    assert listed == sorted(set(re.findall(r"\[(\d+)\]", text)), key=int)
    answer = whole.model_extra["medweave"]  # type: ignore[index]
    assert answer["stops"][0]["status"] == "applies"
    pieces, last = [], None
    for chunk in chat.chat.completions.create(
        model="medweave/sample", messages=messages, stream=True,
        stream_options={"include_usage": True},
    ):  # fmt: skip
        pieces += [choice.delta.content or "" for choice in chunk.choices]
        last = chunk
    assert "".join(pieces) == text and len(pieces) > 3
    assert last is not None and last.model_extra and last.model_extra["medweave"]["stops"]


def test_what_a_chat_program_asks_of_the_conversation_is_no_question(chat: openai.OpenAI) -> None:
    messages: Any = [{"role": "user", "content": TITLE}]
    found = chat.chat.completions.create(model="medweave", messages=messages)
    title = json.loads(found.choices[0].message.content or "")["title"]
    assert title.startswith("Which painkiller")
    assert "medweave" not in (found.model_extra or {})


def test_errors_are_those_that_the_client_knows(chat: openai.OpenAI) -> None:
    with pytest.raises(openai.NotFoundError):
        chat.chat.completions.create(model="gpt-9", messages=[{"role": "user", "content": "x"}])
    with pytest.raises(openai.BadRequestError):
        chat.chat.completions.create(
            model="medweave", messages=[{"role": "user", "content": "a" * 30_000}]
        )


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("/v1/chat/completions", b"{{", 400),
        ("/v1/chat/completions", b'{"messages": []}', 400),
        ("/v1/chat/completions", b'{"messages": [{"role": "user", "content": ""}]}', 400),
        ("/v1/nothing", b"{}", 404),
        ("/v1/models", b"{}", 405),
    ],
)
def test_every_error_of_a_chat_has_its_form(
    server: Server, path: str, body: bytes, status: int
) -> None:
    headers = {"authorization": f"Bearer {server.read}", "content-type": "application/json"}
    told = httpx2.post(f"{server.url}{path}", content=body, headers=headers)
    assert told.status_code == status
    assert told.headers["content-type"] == "application/json"
    assert told.json()["error"]["message"]
    unknown = httpx2.post(f"{server.url}{path}", content=body)
    assert unknown.status_code == 401
    assert unknown.json()["error"]["type"] == "invalid_request_error"


def test_tools_over_http(server: Server) -> None:
    async def talk() -> Any:
        headers = {"authorization": f"Bearer {server.read}"}
        async with (
            httpx2.AsyncClient(headers=headers, timeout=30) as http,
            streamable_http_client(f"{server.url}/mcp", http_client=http) as (read, write),
            ClientSession(read, write) as session,
        ):
            await session.initialize()
            found = await session.call_tool("ask", {"question": QUESTION})
            return found, await session.call_tool("classify", {"guideline": "/etc/passwd"})

    before = verify(server.audit).records
    found, refused = anyio.run(talk)
    assert verify(server.audit).records == before + 1  # what is refused is no answer
    assert found.structured_content["stops"][0]["name"] == "ibuprofen"
    assert "/" not in next(iter(found.structured_content["evidence"].values()))["source"]
    assert refused.is_error and "sample" in refused.structured_content["error"]["remedy"]


def test_cards_for_a_patient_and_412_without_one(server: Server) -> None:
    with httpx.Client(
        base_url=server.url, headers={"authorization": f"Bearer {server.read}"}, timeout=30
    ) as http:
        [service] = http.get("/cds-services").json()["services"]
        path = f"/cds-services/{service['id']}"
        called = {"hook": "patient-view", "hookInstance": "1", "context": {"patientId": "1"}}
        assert http.post(path, json=called).status_code == 412
        answers = [{"linkId": "convulsions", "answer": [{"valueBoolean": True}]}]
        called["prefetch"] = {
            "patient": {"resourceType": "Patient", "birthDate": "2026-01-27"},
            "responses": {"resourceType": "QuestionnaireResponse", "item": answers},
        }
        cards = http.post(path, json=called).json()["cards"]
        assert cards[0]["indicator"] == "critical"
        told = {"feedback": [{"card": cards[0]["uuid"], "outcome": "accepted"}]}
        assert http.post(f"{path}/feedback", json=told).status_code == 200
        assert http.post("/cds-services/none", json=called).status_code == 404


def test_keys_open_what_their_scope_is(server: Server) -> None:
    def status(method: str, path: str, key: str = "", **how: Any) -> httpx.Response:
        headers = {"authorization": f"Bearer {key}"} if key else {}
        return httpx.request(method, server.url + path, headers=headers, timeout=30, **how)

    assert status("GET", "/healthz").status_code == 200
    refused = status("GET", "/api/v1/bases")
    assert refused.status_code == 401 and refused.headers["www-authenticate"].startswith("Bearer")
    assert status("GET", "/api/v1/bases", "mw_wrong").status_code == 401
    assert status("GET", "/api/v1/bases", server.read).status_code == 200
    assert status("POST", "/api/v1/bases", server.write, json={"name": "x"}).status_code == 403
    _, gone = Keys(server.keys).add("gone", "read")
    assert status("GET", "/api/v1/bases", gone).status_code == 200
    Keys(server.keys).remove("gone")
    assert status("GET", "/api/v1/bases", gone).status_code == 401
    page = httpx.get(server.url, headers={"accept": "text/html"})
    assert page.status_code == 401 and 'data-testid="key"' in page.text
    with httpx.Client(base_url=server.url) as browser:
        assert browser.post("/key", data={"key": "mw_wrong"}).status_code == 401
        assert browser.post("/key", data={"key": server.read}).status_code == 303
        assert browser.get("/api/v1/bases").status_code == 200


def test_the_client_gives_what_the_interface_gives_and_the_audit_has_it(server: Server) -> None:
    before = verify(server.audit).records
    with Client(server.url, server.read) as client:
        answer = client.ask(QUESTION)
        events = list(client.stream(QUESTION))
        with pytest.raises(ServerError) as told:
            client.ask("")
        assert told.value.status == 422
        form = {"answer": answer.to_json()["id"], "decision": "agree"}
        headers = {"authorization": f"Bearer {server.read}"}
        sent = httpx.post(f"{server.url}/api/v1/decisions", json=form, headers=headers)
        assert sent.status_code == 201
    assert events[0][0] == "danger" and events[-1][0] == "answer"
    assert answer.to_json()["stops"] == events[-1][1].to_json()["stops"]
    found = verify(server.audit)
    assert found.ok and found.records == before + 3
    assert QUESTION not in server.audit.read_text()
    with pytest.raises(ServerError) as away:
        Client("http://127.0.0.1:9").ask("x")
    assert away.value.status == 0


CHILDREN: list[dict[str, Any]] = [
    {"age_days": 300, "weight_kg": 8.2, "findings": {"cough": True, "respiratory_rate": 55}},
    {"age_days": 900, "weight_kg": 12, "findings": {"convulsions": True}},
    {"age_days": 400, "text": "He has had a cough for two days and drinks well."},
    {"age_days": 60},
]


def test_the_client_gives_the_types_of_the_library(server: Server, tmp_path: Path) -> None:
    with KnowledgeBase.sample() as base, Client(server.url, server.read) as client:
        for record in CHILDREN:
            found, own = client.classify(record), base.classify(record)
            assert isinstance(found, Assessment) and found.to_json() == own.to_json()
            for name in ("classifications", "treatments", "next_question", "follow_ups", "refer"):
                assert getattr(found, name) == getattr(own, name), name
            shown = [each.to_json() for each in own.understood or ()]
            assert [each.to_json() for each in found.understood or ()] == shown
        understood = client.understand("My mother of 70 takes warfarin and has a headache.")
        same = base.understand(understood.text)
        assert isinstance(understood, Question) and understood.to_json() == same.to_json()
        shown = [each.to_json() for each in same.mentions]
        assert [each.to_json() for each in understood.mentions] == shown
        assert understood.patient.drugs == same.patient.drugs
        alike, ours = client.similar("My knee hurts."), base.similar("My knee hurts.")
        assert isinstance(alike, Similar) and alike.missing == ours.missing
        told, here = ([each.why for each in one.dialogues] for one in (alike, ours))
        assert told == here
    (tmp_path / "flu.jsonl").write_text('{"name": "flu", "concept": "disease"}', "utf-8")
    with Client(server.url, server.write) as client, pytest.raises(ServerError) as refused:
        client.upload([tmp_path / "flu.jsonl"])
    assert refused.value.status == 403
