"""What the page is made of: every part in both languages, nothing from anywhere else."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from medweave.access import Keys
from medweave.audit.replay import replay
from medweave.faces.web.application import application
from medweave.faces.web.serving import Serving
from medweave.faces.web.views.rendering import VIEWS, texts_of
from medweave.knowledge_base import KnowledgeBase
from medweave.language.segmentation import is_chinese
from tests.commands import medweave

HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(1)>"
PARTS = {
    "ask": (
        "question",
        "ask",
        "stop",
        "example",
        "answer",
        "agree",
        "disagree",
        "copy",
        "print",
        "empty",
    ),
    "assess": ("age", "weight", "sex", "text", "start"),
    "documents": ("empty",),
    "graph": ("search", "graph", "graph-table", "edge-evidence", "empty"),
    "evaluation": ("empty",),
}


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    with TestClient(application(Serving()), base_url="http://127.0.0.1:8080") as opened:
        yield opened


def step(client: TestClient, act: dict[str, Any], state: dict[str, Any], lang: str = "en") -> Any:
    said = client.post(f"/page/assess?lang={lang}", json={**state, "act": act})
    assert said.status_code == 200, said.text
    return said.json()


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_view_has_its_parts_and_loads_little_from_here(
    client: TestClient, view: str, language: str
) -> None:
    said = client.get(VIEWS[view], params={"lang": language})
    html = said.text
    assert said.status_code == 200
    assert f'<html lang="{language}">' in html
    for part in ("nav", "limits", "evidence", *PARTS.get(view, ())):
        assert f'data-testid="{part}"' in html, part
    assert "built-in method" not in html  # a text whose name a dictionary has, too
    assert not re.search(r"<script(?! src=)|<style| on\w+=|style=|https?://", html)
    loaded = re.findall(r'(?:src|href)="(/static/[^"]+)"', html)
    assert sum(len(client.get(each).content) for each in loaded) + len(html) < 100_000
    assert "unsafe" not in said.headers["content-security-policy"]


def test_both_languages_say_the_same_things() -> None:
    def keys(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: keys(each) for key, each in value.items()}
        return len(value) if isinstance(value, list) else None

    assert keys(texts_of("en")) == keys(texts_of("zh"))


def test_an_answer_has_its_parts_in_the_order_of_reading(client: TestClient) -> None:
    questions = (
        "I take warfarin and have a migraine. My chest hurts and I cannot breathe. Ibuprofen?",
        "Can I give ibuprofen to a patient on warfarin?",
        "What drugs for migraine if I have a stomach ulcer?",
        "I am pregnant, may I take ibuprofen? And my mother takes warfarin, may she have aspirin?",
    )
    for question in questions:
        said = client.post("/page/ask", json={"question": question}).text
        whole = json.loads(said.strip().split("\n\n")[-1].split("data: ", 1)[1])
        answer = client.post("/api/v1/ask", json={"question": question}).json()
        order = ("danger", "stop-applies", "sentence", "stop-ask", "conflict", "missing")
        found = re.findall(r'data-testid="([\w-]+)"', whole["html"])
        places = [found.index(part) for part in order if part in found]
        assert places == sorted(places)
        assert found.count("sentence") == len(answer["sentences"])
        assert ("danger" in found) == bool(answer["danger"])
        applies = [each for each in answer["stops"] if each["status"] == "applies"]
        assert ("stop-applies" in found) == bool(applies)
        assert whole["json"]["sentences"] == answer["sentences"]


def test_hostile_words_stay_words(client: TestClient) -> None:
    said = client.post("/page/ask", json={"question": f"What helps against {HOSTILE} flu?"})
    for part in said.text.strip().split("\n\n"):
        value = json.loads(part.split("data: ", 1)[1])
        assert "<img" not in (value if isinstance(value, str) else value.get("html", ""))
    found = step(client, {"kind": "begin", "person": {"age": HOSTILE}}, {"text": HOSTILE})
    assert "<img" not in found["html"]
    assert 'class="problem"' in found["html"]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_child_is_led_and_nothing_is_kept(client: TestClient, language: str) -> None:
    state: dict[str, Any] = {"text": "cough for two days"}

    def act(**what: Any) -> str:
        found = step(client, what, state, language)
        state.update(events=found["events"], passed=found["passed"])
        html: str = found["html"]
        return html

    html = act(kind="begin", person={"age": "10mo", "weight": "8.2"})
    asked = re.search(r'data-observation="(\w+)"', html)
    assert asked
    assert 'class="sign"' in html  # danger signs first
    before = dict(state)
    html = act(kind="answer", about=asked[1], value="true")
    assert 'data-testid="danger"' in html
    assert re.search(r'data-status="(confirmed|provisional)" data-severity="severe"', html)
    act(kind="back")
    assert act(kind="") == step(client, {}, before, language)["html"]
    html = act(kind="answer", about="weight", value="400")
    assert 'class="problem"' in html
    note = client.post(f"/page/assess/note?lang={language}", data={"state": json.dumps(state)})
    assert note.status_code == 200
    assert "script" not in note.text
    wrong = client.post("/page/assess/note", data={"state": '{"events": 3}'})
    assert wrong.status_code == 422


def test_what_was_told_in_other_words_is_asked_in_the_language_of_the_page(
    client: TestClient,
) -> None:
    begun = {"kind": "begin", "person": {"age": "10mo"}}
    unread = step(client, begun, {"text": "cough and greenish glimmer"})["html"]
    assert "“greenish glimmer”. Do they tell of a danger sign?" in unread
    asked = step(client, begun, {"text": "宝宝可能被开水烫伤了"}, "zh")["html"]
    assert "可能的危险信号：严重烧烫伤。 有这种情况吗" in asked
    there = step(client, begun, {"text": "宝宝被开水烫伤了半个身子"}, "zh")["html"]
    first = there[: there.index("assess-question")]
    assert "严重烧烫伤" in first and "清水" in first and "danger sign" not in there


def test_who_may_read_may_ask_on_the_page(tmp_path: Path) -> None:
    _, secret = Keys(tmp_path / "keys").add("nurse", "read")
    serving = Serving(keys=tmp_path / "keys", local=False)
    with TestClient(application(serving), base_url="http://localhost") as client:
        assert client.post("/page/ask", json={"question": "What is gout?"}).status_code == 401
        client.post("/key", data={"key": secret})
        assert 'data-testid="question"' in client.get("/").text
        assert "event: answer" in client.post("/page/ask", json={"question": "What is gout?"}).text
        assert step(client, {"kind": "begin", "person": {"age": "2y"}}, {})["events"]


def test_a_guideline_is_drawn_and_compared_in_the_language_of_the_page(tmp_path: Path) -> None:
    newer = tmp_path / "newer.yaml"
    text = medweave("guideline", "export", "sample")[1]
    newer.write_text(
        text.replace("'1.0'", "'1.1'", 1).replace(
            "respiratory_rate >= 50", "respiratory_rate >= 55"
        ),
        "utf-8",
    )
    with TestClient(
        application(Serving(guidelines=(str(newer),))), base_url="http://localhost"
    ) as client:
        asked = {"lang": "zh", "classification": "severe_persistent_diarrhoea"}
        both = {"guideline": "sample-child-health@1.0", "with": "sample-child-health@1.1"}
        said = client.get("/guideline", params=asked | both).text
        assert "呼吸频率不低于50 次/分 → 呼吸频率不低于55 次/分" in said
        for shown in (said, client.get("/page/guideline.svg", params=asked).text):
            words = re.sub(r"<[^<>]*>|sample-child-health|WHO EmCare|EmCare CQL", " ", shown)
            assert not re.search(
                r"[A-Za-z]{3,} [A-Za-z]{2,}", words.partition("</style>")[2] or words
            )


@pytest.mark.parametrize("language", ["en", "zh"])
def test_what_went_wrong_is_told_in_the_language_that_is_asked_for(
    client: TestClient, language: str
) -> None:
    spoken = {"accept-language": language}
    wrong = [
        client.get("/api/v1/jobs/none", headers=spoken),
        client.get("/api/v1/documents/none", headers=spoken),
        client.get("/api/v1/entities/none", headers=spoken),
        client.post("/api/v1/bases", json={"name": "a b"}, headers=spoken),
        client.post("/api/v1/bases", headers={"origin": "http://else.test", **spoken}),
        client.post("/api/v1/ask", content=b"x" * 3_000_000, headers=spoken),
    ]
    for said in wrong:
        told = said.json()
        assert is_chinese(told["detail"]) is (language == "zh"), told
    shown = step(client, {"kind": "begin", "person": {"age": "ten"}}, {}, language)["html"]
    assert ("不是年龄" in shown) is (language == "zh")


def test_ages_and_weights_are_typed_as_they_are_said(client: TestClient) -> None:
    person = {"age": "一岁半", "weight": "16斤"}
    state = step(client, {"kind": "begin", "person": person}, {}, "zh")
    held = {each["about"]: each["value"] for each in state["events"] if "value" in each}
    assert (held["age"], held["weight"]) == (547, 8.0)


def test_words_of_despair_are_met_with_help_alone(client: TestClient) -> None:
    html = step(client, {"kind": "begin", "person": {}}, {"text": "I want to kill myself"})["html"]
    assert 'data-testid="danger"' in html
    assert "assess-question" not in html


def test_only_reports_are_shown_and_no_html_of_theirs(tmp_path: Path) -> None:
    (tmp_path / "r/one").mkdir(parents=True)
    (tmp_path / "r/one/report.md").write_text(f"# One\n\n| a |\n| -: |\n| {HOSTILE} |\n", "utf-8")
    (tmp_path / "secret.svg").write_text("<svg/>", "utf-8")
    serving = Serving(evaluations=tmp_path / "r")
    with TestClient(application(serving), base_url="http://localhost") as client:
        said = client.get("/evaluation?report=one").text
        assert "<table>" in said and "style=" not in said
        assert "<img src=x" not in said
        for report in ("..", "one/../..", "none"):
            assert client.get("/evaluation", params={"report": report}).status_code == 404
        assert client.get("/page/evaluation/one/..%2F..%2Fsecret.svg").status_code == 404
        (tmp_path / "r/one/report.md").write_text(
            "## Systems\n\n| accuracy (%) |\n| - |\n", "utf-8"
        )
        said = client.get("/evaluation?report=one&lang=zh").text
        assert "<h2>各系统</h2>" in said and "正确率（%）" in said


def test_single_cases_of_a_report_are_opened_what_went_worst_first(tmp_path: Path) -> None:
    rows = [
        {"system": system, "id": f"q{n}", "question": f"Question {n}? {HOSTILE}", "answer": f"a{n}",
         "gold": {"answer": ["right"]}, "measures": {"f1": n / 30}, "error": None if n else "died"}
        for system in ("ours", "theirs") for n in reversed(range(30))
    ]  # fmt: skip
    for name, files in {
        "answers": {"cases.jsonl": "\n".join(map(json.dumps, rows)) + "\nno JSON\n"},
        "danger": {"evaluation.json": json.dumps({"errors": [{"id": "d1", "expected": "x"}]})},
    }.items():
        (tmp_path / name).mkdir()
        for file, text in {"report.md": "# R", **files}.items():
            (tmp_path / name / file).write_text(text, "utf-8")
    with TestClient(
        application(Serving(evaluations=tmp_path)), base_url="http://localhost"
    ) as client:
        read = lambda **asked: client.get("/evaluation", params=asked).text  # noqa: E731
        said = read(report="answers")
        assert re.findall(r'data-id="(q\d+)"', said) == [f"q{n}" for n in range(20)]
        assert "died" in said and "<img" not in said
        behind = read(report="answers", system="theirs", first="20")
        assert re.findall(r'data-id="(q\d+)"', behind) == [f"q{n}" for n in range(20, 30)]
        assert 'data-id="d1"' in read(report="danger")
        assert client.get("/evaluation?report=danger&first=-1").status_code == 422


def test_what_was_answered_and_assessed_comes_out_the_same_again(tmp_path: Path) -> None:
    audit = tmp_path / "audit.jsonl"
    serving = Serving(audit=audit, keep_text=True)
    with TestClient(application(serving), base_url="http://127.0.0.1:8080") as client:
        asked = {"question": "My mother has gout. I have asthma. What may each take for pain?"}
        client.post("/api/v1/ask", json=asked)
        client.post("/page/ask", json={**asked, "history": ["I take warfarin."]})
        state = step(client, {"kind": "begin", "person": {"age": "10mo", "weight": "8.2"}}, {})
        while found := re.search(r'data-observation="(\w+)"( data-sign)?', state["html"]):
            act = {"kind": "sign", "value": "absent"} if found[2] else {"kind": "unknown"}
            state = then(client, state, {**act, "about": found[1]})
    with KnowledgeBase.sample() as base:
        replayed = replay(audit, base).to_json()
    assert replayed == {"replayed": 3, "same": 3, "different": [], "not_replayable": []}


def test_who_leads_has_the_last_word_with_a_reason(client: TestClient) -> None:
    person = {"age": "10mo", "weight": "8.2", "sex": "male"}
    state = step(client, {"kind": "begin", "person": person}, {})
    for about, value in (("cough", "true"), ("respiratory_rate", "55")):
        state = then(client, state, {"kind": "answer", "about": about, "value": value})
    assert "Cel" not in state["html"]
    standing = r'data-id="pneumonia" data-status="(confirmed|provisional)"'
    assert re.search(standing, state["html"])
    unsaid = then(client, state, {"kind": "refused", "about": "pneumonia", "value": " "})
    assert "problem" in unsaid["html"] and re.search(standing, unsaid["html"])
    why = "counted while he cried <b>"
    state = then(client, state, {"kind": "refused", "about": "pneumonia", "value": why})
    assert not re.search(standing, state["html"])
    assert "counted while he cried &lt;b&gt;" in state["html"]
    note = client.post("/page/assess/note", data={"state": json.dumps(kept(state))}).text
    assert "counted while he cried" in note
    state = then(client, state, {"kind": "agreed", "about": "pneumonia"})
    assert re.search(standing, state["html"])


def test_what_is_not_at_hand_is_said_and_taken_back(client: TestClient) -> None:
    state = step(client, {"kind": "begin", "person": {"age": "10mo"}}, {})
    name = re.findall(r'data-kind="away" data-about="([^"]+)"', state["html"])[0]
    state = then(client, state, {"kind": "away", "about": name})
    assert f'data-kind="there" data-about="{name}"' in state["html"]
    state = then(client, state, {"kind": "allergic", "about": "penicillin"})
    assert {"event": "allergic", "about": "penicillin"} in state["events"]
    state = then(client, then(client, state, {"kind": "back"}), {"kind": "back"})
    assert f'data-kind="away" data-about="{name}"' in state["html"]


def kept(state: dict[str, Any]) -> dict[str, Any]:
    return {name: state[name] for name in ("events", "passed")}


def then(client: TestClient, state: dict[str, Any], act: dict[str, Any]) -> Any:
    return step(client, act, kept(state))
