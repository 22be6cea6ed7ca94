"""What programs call: the JSON of the commands, refused where it must be."""

from __future__ import annotations

import gzip
import json
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.parse import quote
from urllib.request import urlopen

import pytest
from starlette.testclient import TestClient

from medweave.faces.cli.page_beside import page_beside
from medweave.faces.web.application import application
from medweave.faces.web.jobs import Cancelled
from medweave.faces.web.serving import Serving
from tests.commands import medweave

CHILD = {"age_days": 400, "weight_kg": 9, "findings": {"cough": True, "convulsions": False}}
QUESTION = "Can I give ibuprofen to a patient on warfarin?"
FLU = {"name": "flu", "concept": "disease", "symptoms": ["fever", "cough"]}
GOUT = {"name": "gout", "concept": "disease", "symptoms": ["joint pain"]}


def served(serving: Serving) -> Iterator[TestClient]:
    with TestClient(application(serving), base_url="http://127.0.0.1:8080") as client:
        yield client


@pytest.fixture(scope="module")
def sample() -> Iterator[TestClient]:
    yield from served(Serving())


@pytest.fixture
def own(tmp_path: Path) -> Iterator[TestClient]:
    """A base of one's own, empty at first."""
    (tmp_path / "empty.jsonl").write_text(json.dumps(GOUT), "utf-8")
    medweave("build", "--kb", tmp_path / "kb.db", tmp_path / "empty.jsonl")
    yield from served(Serving(bases=(("own", str(tmp_path / "kb.db")),), max_upload=3_000_000))


def printed(*arguments: object, given: str = "") -> Any:
    return json.loads(medweave(*arguments, "--json", given=given).out)


def without(value: Any, *names: str) -> Any:
    """What may differ from time to time left out, and of paths the last part."""
    if isinstance(value, dict):
        return {
            key: Path(each).name
            if key == "source" and each.startswith("/")
            else without(each, *names)
            for key, each in value.items()
            if key not in names
        }
    return [without(each, *names) for each in value] if isinstance(value, list) else value


@pytest.mark.parametrize(
    "text", [QUESTION, "感冒有什么症状？", "My child of 10 months has a cough."]
)
def test_answers_are_those_of_the_command(sample: TestClient, text: str) -> None:
    given = sample.post("/api/v1/ask", json={"question": text}).json()
    assert given["id"]
    assert without(given, "id", "timing") == without(printed("ask", text), "id", "timing")


def test_texts_and_children_are_read_as_by_the_commands(sample: TestClient) -> None:
    for command in ("understand", "similar"):
        given = sample.post(f"/api/v1/{command}", json={"text": "My knee hurts."}).json()
        assert without(given) == without(printed(command, "My knee hurts."))
    line = json.dumps(CHILD)
    given = sample.post("/api/v1/classify", content=line).json()
    assert given == printed("classify", "--findings", "-", given=line)
    assert sample.get("/api/v1/stats").json()["topology"] == printed("stats")["topology"]
    assert sample.get("/api/v1/guidelines/sample").json() == printed(
        "guideline", "export", "sample"
    )


def test_a_stream_tells_danger_first_and_the_whole_last(sample: TestClient) -> None:
    asked = {"question": "My chest hurts badly and I cannot breathe. What helps?"}
    said = sample.post("/api/v1/ask", json=asked, headers={"accept": "text/event-stream"}).text
    events = [part.split("\n") for part in said.strip().split("\n\n")]
    names = [lines[0].removeprefix("event: ") for lines in events]
    bodies = [json.loads(lines[1].removeprefix("data: ")) for lines in events]
    assert (names[0], names[-1]) == ("danger", "answer")
    assert set(names[1:-1]) <= {"sentence"}
    assert bodies[0]
    assert bodies[0] == bodies[-1]["danger"]
    assert bodies[1:-1] == bodies[-1]["sentences"]


def test_lists_are_walked_through_once(sample: TestClient) -> None:
    for address in (
        "/api/v1/entities?q=pain",
        "/api/v1/documents?",
        "/api/v1/entities?concept=drug",
    ):
        seen: list[str] = []
        cursor: str | None = ""
        while cursor is not None:
            found = sample.get(f"{address}&limit=100&cursor={cursor}").json()
            seen += [item["id"] for item in found["items"]]
            cursor = found["next"]
        assert len(seen) == len(set(seen)) == found["total"] > 5
    assert sample.get("/api/v1/entities?cursor=nonsense").status_code == 422


def test_what_an_answer_about_a_child_cites_of_a_guideline_is_a_document(
    sample: TestClient,
) -> None:
    question = "My 10 month old has a cough, fast breathing, and drinks well. What is it?"
    found = sample.post("/api/v1/ask", json={"question": question}).json()["evidence"]
    cited = [each for each in found.values() if each["class"] == "guideline"]
    assert cited
    for each in cited:
        held = sample.get(f"/api/v1/documents/{quote(each['document'])}").json()
        place = each["place"]
        text = held["fields"][place["field"]]
        assert text[place["start"] : place["end"]] == each["quote"]


def test_quotes_stand_at_their_place_in_their_document(sample: TestClient) -> None:
    thing = sample.get("/api/v1/entities?q=migraine").json()["items"][0]["id"]
    address = f"/api/v1/entities/{thing}/statements?predicate=has_symptom"
    for statement in sample.get(address).json()["items"]:
        for evidence in statement["evidence"]:
            held = sample.get(f"/api/v1/documents/{quote(evidence['document'])}").json()
            place = evidence["place"]
            text = held["fields"][place["field"]]
            assert text[place["start"] : place["end"]] == evidence["quote"]
    assert sample.get(f"/api/v1/entities/{thing}").json() == printed("show", thing)


def test_two_things_hang_together_by_statements(sample: TestClient) -> None:
    found = sample.get("/api/v1/paths?from=ibuprofen&to=warfarin").json()
    assert {len(path) for path in found["paths"]} == {1}
    chain = sample.get("/api/v1/paths?from=sumatriptan&to=asthma").json()["paths"][0]
    ends = [{one["subject"]["id"], one["object"]["id"]} for one in chain]
    assert all(first & second for first, second in pairwise(ends))
    assert sample.get("/api/v1/paths?from=ibuprofen&to=qqq").status_code == 404


def test_nothing_tells_where_files_lie(own: TestClient, sample: TestClient, tmp_path: Path) -> None:
    for client, told in ((own, str(tmp_path)), (sample, str(Path(__file__).parents[2]))):
        for address in ("stats", "documents", "bases", "jobs", "openapi.json", "entities/gout"):
            assert told not in client.get(f"/api/v1/{address}").text
        said = client.post("/api/v1/ask", json={"question": "Symptoms of gout?"})
        assert said.json()["evidence"]
        assert told not in said.text
    assert str(tmp_path) not in own.delete("/api/v1/documents?source=none").text


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"host": "evil.test"}, 403),
        ({"host": "127.0.0.1.evil.test:8080"}, 403),
        ({"host": "localhost:1"}, 200),
        ({"host": "[::1]:1"}, 200),
        ({"origin": "http://evil.test"}, 403),
        ({"origin": "http://127.0.0.1:9999"}, 403),
        ({"origin": "null"}, 403),
        ({"origin": "http://127.0.0.1:8080"}, 200),
    ],
)
def test_pages_of_others_are_refused(
    sample: TestClient, headers: dict[str, str], status: int
) -> None:
    for address in ("/healthz", "/api/v1/stats"):
        assert sample.get(address, headers=headers).status_code == status


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"[]",
        b"{",
        b'{"question": 1}',
        b'{"question": ""}',
        b'{"question": "a", "k": 0}',
        b'{"question": "a", "guideline": "/etc/passwd"}',
        b'{"question": "a", "guideline": "../a@b"}',
        b'{"question": "\\ud800", "history": ["\\udfff"]}',
        b'{"question": "a", "unknown": 1}',
        b"[" * 100_000,
    ],
)
def test_a_wrong_form_is_a_problem_of_the_one_who_sent_it(sample: TestClient, body: bytes) -> None:
    for call in ("ask", "understand", "classify"):
        said = sample.post(
            f"/api/v1/{call}", content=body, headers={"content-type": "application/json"}
        )
        if said.status_code == 200:
            assert call == "classify" or b"guideline" not in body
            continue
        assert 400 <= said.status_code < 500, said.text
        assert said.headers["content-type"] == "application/problem+json"
        assert said.json().keys() == {"type", "title", "status", "detail", "where", "remedy"}


def send(client: TestClient, files: dict[str, str], key: str = "", **data: str) -> Any:
    sent = [("files", (name, text.encode())) for name, text in files.items()]
    headers = {"idempotency-key": key} if key else {}
    return client.post("/api/v1/documents", files=sent, data=data, headers=headers)


def ended(client: TestClient, sent: Any) -> Any:
    assert sent.status_code == 202, sent.text
    for _ in range(600):
        job = client.get(sent.headers["location"]).json()
        if job["status"] not in ("queued", "running"):
            return job
        time.sleep(0.02)
    raise AssertionError("the job does not end")


@pytest.mark.parametrize(
    ("path", "methods"),
    [("/api/v1/documents", "DELETE, GET, POST"), ("/api/v1/stats", "GET"), ("/healthz", "GET")],
)
def test_who_asks_in_a_wrong_way_hears_all_right_ones(
    sample: TestClient, path: str, methods: str
) -> None:
    refused = sample.request("OPTIONS", path)
    assert refused.status_code == 405
    assert refused.headers["allow"] == methods


def test_what_is_sent_is_read_and_replaced_and_taken_out(own: TestClient, tmp_path: Path) -> None:
    bad = json.dumps(FLU) + "\nno json\n"
    job = ended(own, send(own, {"flu.jsonl": bad}))
    assert (job["status"], job["files"][0]["status"]) == ("done", "partial")
    assert job["files"][0]["errors"][0]["line"] == 2
    job = ended(own, send(own, {"flu.jsonl": json.dumps({**FLU, "symptoms": ["chills"]})}))
    assert job["files"][0] == {"name": "flu.jsonl", "status": "ready", "errors": []}
    said = own.post("/api/v1/ask", json={"question": "What are the symptoms of flu?"}).text
    assert "chills" in said
    assert "cough" not in said
    listed = own.get("/api/v1/documents").json()["items"]
    assert {each["source"] for each in listed} == {"flu.jsonl", "empty.jsonl"}
    going = own.delete("/api/v1/documents?source=flu.jsonl&dry_run=true").json()
    assert going["documents"] == [each for each in listed if each["source"] == "flu.jsonl"]
    assert own.delete("/api/v1/documents?source=flu.jsonl").json()["removed"] == 1
    assert own.get("/api/v1/documents").json()["total"] == 1
    assert not list(tmp_path.glob("kb.db.jobs/*/files"))  # nothing that was sent stays behind


def test_the_same_sent_twice_is_one_job(own: TestClient) -> None:
    first = send(own, {"flu.jsonl": json.dumps(FLU)}, "one")
    again = send(own, {"flu.jsonl": json.dumps(FLU)}, "one")
    assert first.json() == again.json()
    assert send(own, {"flu.jsonl": json.dumps(GOUT)}, "one").status_code == 409
    ended(own, first)
    assert len(own.get("/api/v1/jobs").json()["items"]) == 1


def test_a_base_made_by_jobs_is_that_of_the_command(own: TestClient, tmp_path: Path) -> None:
    ended(own, send(own, {"flu.jsonl": json.dumps(FLU)}))
    (tmp_path / "flu.jsonl").write_text(json.dumps(FLU), "utf-8")
    for name in ("flu.jsonl", "empty.jsonl"):
        medweave("add", "--kb", tmp_path / "other.db", tmp_path / name)
    other = medweave("stats", "--kb", tmp_path / "other.db", "--hash").out.strip()
    assert own.get("/api/v1/stats").json()["hash"] == other


def test_a_preview_keeps_nothing(own: TestClient, tmp_path: Path) -> None:
    (tmp_path / "flu.jsonl").write_text(json.dumps(FLU), "utf-8")
    sent = [("files", ("flu.jsonl", json.dumps(FLU).encode()))]
    shown = own.post("/api/v1/documents?preview=true", files=sent).json()
    assert shown == printed("build", "--preview", tmp_path / "flu.jsonl") | {"file": "flu.jsonl"}
    assert own.get("/api/v1/jobs").json()["total"] == 0


@pytest.mark.parametrize("name", ["../up.jsonl", "a/b.jsonl", ".hidden", "a\\b", "x" * 300])
def test_a_name_leads_nowhere_else(own: TestClient, name: str, tmp_path: Path) -> None:
    before = sorted(tmp_path.rglob("*"))
    assert send(own, {name: "{}"}).status_code in (400, 422)
    assert [path for path in tmp_path.rglob("*") if path not in before] == []


def test_a_mapping_is_never_a_file_of_the_server(own: TestClient, tmp_path: Path) -> None:
    (tmp_path / "mapping.yaml").write_text("name: a\nkind: triples\n", "utf-8")
    said = send(own, {"a.csv": "a,b,c\n"}, mapping=str(tmp_path / "mapping.yaml"))
    assert said.status_code == 422
    assert send(own, {"a.csv": "a,b,c\n"}, kind="nonsense").status_code == 422


def test_too_much_is_refused_before_it_is_read(own: TestClient, sample: TestClient) -> None:
    assert send(own, {"a.jsonl": "x" * 3_000_001}).status_code == 413

    def chunks() -> Iterator[bytes]:
        yield b'--b\r\ncontent-disposition: form-data; name="files"; filename="a"\r\n\r\n'
        for _ in range(50):
            yield b"x" * 100_000

    headers = {"content-type": "multipart/form-data; boundary=b"}
    assert own.post("/api/v1/documents", content=chunks(), headers=headers).status_code == 413
    assert sample.post("/api/v1/classify", content=b"x" * 2_000_001).status_code == 413
    refused = send(sample, {"flu.jsonl": "{}"})  # the sample takes nothing
    assert (refused.status_code, refused.headers["connection"]) == (403, "close")


@pytest.mark.parametrize("row", [b"0" * 40, b"flu,has_symptom,cough\n"], ids=["zeros", "one row"])
def test_what_unpacks_without_end_is_refused_before_it_is_a_job(
    own: TestClient, row: bytes
) -> None:
    packed = gzip.compress(b"subject,predicate,object\n" + row * 4_000_000)
    said = own.post("/api/v1/documents", files=[("files", ("a.csv.gz", packed))])
    assert said.status_code == 422
    assert "unpacks to far more" in said.json()["detail"]
    assert own.get("/api/v1/jobs").json()["total"] == 0


def test_a_job_outlives_its_server(tmp_path: Path) -> None:
    serving = Serving(bases=(("own", str(tmp_path / "kb.db")),))
    (tmp_path / "gout.jsonl").write_text(json.dumps(GOUT), "utf-8")
    medweave("build", "--kb", tmp_path / "kb.db", tmp_path / "gout.jsonl")
    many = "\n".join(json.dumps({**FLU, "name": f"flu {n}"}) for n in range(400))
    left = tmp_path / "kb.db.jobs/coming-1/files"  # of a server that was killed meanwhile
    left.mkdir(parents=True)
    first = application(serving)
    with TestClient(first, base_url="http://localhost") as client:
        sent = send(client, {"many.jsonl": many})
        assert not left.exists()
    with TestClient(application(serving), base_url="http://localhost") as client:
        job = client.get(sent.headers["location"]).json()
        assert job["status"] == "interrupted"
        client.post(f"/api/v1/jobs/{job['id']}/retry")
        assert ended(client, sent)["status"] == "done"
        assert client.get("/api/v1/documents").json()["total"] == 401
    assert medweave("check", "--kb", tmp_path / "kb.db").status == 0


def test_a_build_that_breaks_off_is_recorded_where_it_changed_the_base(tmp_path: Path) -> None:
    audit = tmp_path / "audit.jsonl"
    (tmp_path / "gout.jsonl").write_text(json.dumps(GOUT), "utf-8")
    medweave("build", "--kb", tmp_path / "kb.db", tmp_path / "gout.jsonl")
    made = application(Serving(bases=(("own", str(tmp_path / "kb.db")),), audit=audit))
    base = made.state.house.named().base
    build, reads = base.build, iter((False, True))

    def broken_off(*arguments: Any, **how: Any) -> None:
        if next(reads):
            build(*arguments, **how)
        raise Cancelled

    base.build = broken_off
    with TestClient(made, base_url="http://localhost") as client:
        for _ in range(2):
            sent = send(client, {"flu.jsonl": json.dumps(FLU)})
            assert ended(client, sent)["status"] == "interrupted"
    [told] = [json.loads(line) for line in audit.read_text("utf-8").splitlines()]
    assert (told["kind"], told["id"]) == ("change", "build")
    assert told["facts"]["job"] == sent.headers["location"].rpartition("/")[2]


def test_the_server_tells_its_address_and_ends_well() -> None:
    command = [sys.executable, "-m", "medweave", "serve", "--port", "0", "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as started:
        assert started.stdout
        told = json.loads(started.stdout.readline())
        assert (told["pid"], told["bases"]) == (started.pid, ["sample"])
        with urlopen(f"{told['url']}healthz") as said:
            assert said.status == 200
        started.send_signal(signal.SIGTERM)
        assert started.wait(10) == 0
        assert started.stdout.read() == b""


@pytest.mark.thorough
def test_a_page_is_open_as_long_as_what_it_is_beside(tmp_path: Path) -> None:
    with page_beside("--bases", str(tmp_path)) as url, urlopen(f"{url}healthz") as said:
        assert said.status == 200
    with pytest.raises(URLError):
        urlopen(f"{url}healthz")


def test_an_address_that_cannot_be_served_is_a_typed_error(tmp_path: Path) -> None:
    for arguments in (["--host", "0.0.0.0"], ["--kb", tmp_path / "none.db"], ["--max-upload", "x"]):
        ran = medweave("serve", *arguments, "--json")
        assert (ran.status, "error" in json.loads(ran.out)) == (1, True)


def test_a_new_base_is_made_by_its_name(tmp_path: Path) -> None:
    for client in served(Serving(folder=tmp_path / "bases")):
        assert client.post("/api/v1/bases", json={"name": "../up"}).status_code == 422
        made = client.post("/api/v1/bases", json={"name": "mine"})
        assert (made.status_code, made.json()["writable"]) == (201, True)
        assert client.post("/api/v1/bases", json={"name": "mine"}).status_code == 422
        sent = [("files", ("flu.jsonl", json.dumps(FLU).encode()))]
        assert (
            ended(client, client.post("/api/v1/documents?kb=mine", files=sent))["status"] == "done"
        )
        asked = {"question": "What are the symptoms of flu?"}
        assert client.post("/api/v1/ask?kb=mine", json=asked).json()["status"] == "answered"


def test_a_base_made_here_is_there_after_a_restart(tmp_path: Path) -> None:
    folder = tmp_path / "bases"
    for client in served(Serving(folder=folder)):
        client.post("/api/v1/bases", json={"name": "mine"})
        sent = client.post(
            "/api/v1/documents?kb=mine", files={"files": ("flu.jsonl", json.dumps(FLU))}
        )
        ended(client, sent)
    (folder / "broken.db").write_bytes(b"no base" * 1000)
    for client in served(Serving(folder=folder)):
        items = client.get("/api/v1/bases").json()["items"]
        assert [(each["name"], each["writable"]) for each in items] == [
            ("sample", False), ("mine", True)
        ]  # fmt: skip
        asked = {"question": "What are the symptoms of flu?"}
        assert client.post("/api/v1/ask?kb=mine", json=asked).json()["status"] == "answered"
        assert client.get("/api/v1/jobs?kb=mine").json()["items"][0]["status"] == "done"


def test_what_was_read_is_decided_about(own: TestClient, tmp_path: Path) -> None:
    ended(own, send(own, {"flu.jsonl": json.dumps(FLU)}))
    waiting = own.get("/api/v1/review?limit=1").json()
    assert (waiting["total"], len(waiting["items"])) == (3, 1)
    found = own.get("/api/v1/review").json()["items"]
    cough = next(each for each in found if each["object"]["name"] == "cough")
    fever = next(each for each in found if each["object"]["name"] == "fever")
    assert cough["evidence"][0]["source"] == "flu.jsonl"
    address = f"/api/v1/review/{cough['id']}"
    assert own.post(address, json={"decision": "corrected"}).status_code == 422
    said = own.post(
        address, json={"decision": "corrected", "by": "Ana", "correction": {"object": "headache"}}
    )
    assert (said.json()["decision"], said.json()["by"]) == ("corrected", "Ana")
    own.post(f"/api/v1/review/{fever['id']}", json={"decision": "rejected"})
    answer = own.post("/api/v1/ask", json={"question": "What are the symptoms of flu?"}).json()
    assert "headache" in answer["sentences"][0]["text"]
    assert not {"cough", "fever"} & set(answer["sentences"][0]["text"].split())
    listed = own.get("/api/v1/review/decisions").json()["items"]
    assert listed == printed("review", "--list", "--kb", tmp_path / "kb.db")["decisions"]
    assert own.get("/api/v1/review").json()["total"] == 1
    assert own.post("/api/v1/review/st:none", json={"decision": "accepted"}).status_code == 404


def test_nothing_is_decided_about_the_sample(sample: TestClient) -> None:
    first = sample.get("/api/v1/review?limit=1").json()["items"][0]["id"]
    said = sample.post(f"/api/v1/review/{first}", json={"decision": "rejected"})
    assert said.status_code == 403
