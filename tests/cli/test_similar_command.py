"""`medweave vectors make`, `vectors link` and `similar` as another program meets them."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from medweave.testing.bag_of_words import BagOfWords
from tests.commands import medweave

CALLS = {
    "1": ("My knee hurts when I climb stairs.", "You should rest it, as in ticket 22."),
    "22": ("My knee is swollen and hurts at night.", "Ice on the knee may help."),
    "3": ("I have a headache and a fever since Monday.", "You should drink enough."),
    "4": ("I have a headache and a fever since Monday.", "You should drink enough tea."),
}
TEXT = "My swollen knee hurts at night."


class _Embedding(BaseHTTPRequestHandler):
    """Answers as an OpenAI-compatible endpoint does."""

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        vectors = BagOfWords(64).embed(body["input"])
        data = [{"index": n, "embedding": list(row)} for n, row in enumerate(vectors)]
        text = json.dumps({"data": data}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def embedder() -> Iterator[str]:
    pytest.importorskip("numpy")
    with ThreadingHTTPServer(("127.0.0.1", 0), _Embedding) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"openai-compatible:words@http://127.0.0.1:{server.server_address[1]}/v1"
        server.shutdown()
        thread.join()


@pytest.fixture
def base(tmp_path: Path) -> str:
    speakers = ("patient", "doctor")
    records = (
        {"id": name, "turns": [{"speaker": speaker, "text": text}
                               for speaker, text in zip(speakers, said, strict=True)]}
        for name, said in CALLS.items()
    )  # fmt: skip
    file = tmp_path / "calls.jsonl"
    file.write_text("".join(json.dumps(record) + "\n" for record in records), "utf-8")
    path = str(tmp_path / "calls.db")
    assert medweave("add", "--kb", path, "dialogues", str(file))[0] == 0
    return path


def test_from_dialogues_to_those_that_are_alike(base: str, embedder: str) -> None:
    by = {"MEDWEAVE_EMBEDDER": embedder}
    hash_before = medweave("stats", "--hash", "--kb", base)
    code, out, _ = medweave("vectors", "make", "--kb", base, "--json", **by)
    made = json.loads(out)
    assert (code, made["dialogues"]) == (0, 4)
    assert made["sections"] > 8
    code, out, _ = medweave("vectors", "link", "--kb", base, "--threshold", "0.7", "--json", **by)
    assert (code, json.loads(out)) == (0, {"compared": 4, "made": 1, "links": 1})
    assert medweave("stats", "--hash", "--kb", base) == hash_before

    options = ("--ranking", "equation9", "--k", "4", "--weighting", "convex", "--lambda", "0.3")
    code, out, _ = medweave("similar", "--kb", base, TEXT, *options, "--json", **by)
    found = json.loads(out)
    assert (code, found["ranking"], found["missing"]) == (0, "equation9", [])
    assert found["dialogues"][0]["id"] == "22"
    for one in found["dialogues"]:
        assert {"section", "query", "text", "similarity", "weight"} <= set(one["why"][0])
        assert one["score"] == pytest.approx(
            sum(why["similarity"] * why["weight"] for why in one["why"]), abs=1e-9
        )

    code, out, _ = medweave("similar", "--kb", base, TEXT, "--ranking", "equation9", "--k", "4",
                            "--direction", "out", "--json", **by)  # fmt: skip
    why = {one["id"]: one["why"][0] for one in json.loads(out)["dialogues"]}
    assert (why["3"]["link"], why["3"]["linked"]) == ("dialogue_similar", "4")
    assert (why["1"]["link"], why["1"]["linked"]) == ("dialogue_related_to", "22")

    assert medweave("remove", "--kb", base, "4")[0] == 0
    code, out, _ = medweave("similar", "--kb", base, TEXT, *options, "--json", **by)
    assert "4" not in [one["id"] for one in json.loads(out)["dialogues"]]
    code, out, _ = medweave("vectors", "link", "--kb", base, "--threshold", "0.7", "--json", **by)
    assert json.loads(out) == {"compared": 0, "made": 0, "links": 0}


def test_a_person_sees_why(base: str, embedder: str) -> None:
    medweave("vectors", "make", "--kb", base, MEDWEAVE_EMBEDDER=embedder)
    code, out, _ = medweave("similar", "--kb", base, "--k", "1", TEXT, MEDWEAVE_EMBEDDER=embedder)
    assert code == 0
    assert out.startswith("1. #22")
    assert "similarity" in out
    assert "swollen" in out


def test_without_an_embedder_words_remain(base: str) -> None:
    code, out, _ = medweave("similar", "--kb", base, TEXT, "--json", MEDWEAVE_EMBEDDER="none")
    found = json.loads(out)
    assert (code, found["ranking"], found["dialogues"][0]["id"]) == (0, "text", "22")
    assert "by words alone" in found["missing"][0]
    code, _, err = medweave("vectors", "make", "--kb", base, MEDWEAVE_EMBEDDER="none")
    assert code == 1
    assert err.startswith("error: no vectors can be made")


@pytest.mark.parametrize(
    ("option", "value"),
    [("--ranking", "x"), ("--score-norm", "x"), ("--direction", "x"), ("--weighting", "x"),
     ("--lambda", "2")],
)  # fmt: skip
def test_what_there_is_not_is_an_error(base: str, option: str, value: str) -> None:
    code, out, err = medweave("similar", "--kb", base, TEXT, option, value, "--json")
    assert code == 1
    assert json.loads(out)["error"]["type"] == "ConfigurationError"
    assert err.startswith("error: ")


def test_a_message_without_text_is_an_error(base: str) -> None:
    code, _, err = medweave("similar", "--kb", base, "   ")
    assert (code, err.startswith("error: ")) == (1, True)
