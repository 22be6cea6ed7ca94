"""The record of an assessment: only added to, private, whole after a power cut, and replayed."""

import json
import os
import signal
import stat
import subprocess
import sys
import time
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from medweave.assessment.events import Event
from medweave.assessment.record import RecordFile, differences, read_record_file
from medweave.assessment.session import Session
from medweave.errors import SourceError
from medweave.guideline.loading import graph_in
from medweave.guideline.logic.graph import Graph, compile_guideline
from medweave.model.guideline import Observation

SAID = (
    Event("started", at="2026-11-22T08:00:00+00:00"),
    Event("answered", "age", 400),
    Event("answered", "convulsions", True),
    Event("changed", "convulsions", False),
    Event("unavailable", "oxygen_saturation"),
    Event("undone"),
    Event("away", "amoxicillin"),
)


@cache
def graph() -> Graph:
    return graph_in("sample")


def recorded(path: Path, events=SAID) -> Session:
    record, session = RecordFile(path, graph()), Session.of(graph())
    for event in events:
        session = session.after(event)
        record.add(session)
    return session


def test_a_record_is_gone_on_with_where_it_was_left(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    before = recorded(path)
    record, session = RecordFile.going_on(path, graph())
    assert session.assessment() == before.assessment()
    assert session.events == before.events
    record.add(session.after(Event("answered", "cough", True)))
    assert read_record_file(path).events[-1].about == "cough"


def test_a_record_is_the_owners_alone(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    recorded(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    with pytest.raises(SourceError):
        RecordFile(path, graph())


def test_a_line_cut_short_is_left_out_and_the_rest_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    recorded(path)
    whole = path.read_bytes()
    for cut in (1, 40, 200):
        path.write_bytes(whole[:-cut])
        assert read_record_file(path).torn
        record, session = RecordFile.going_on(path, graph())
        assert session.events == SAID[:-1]
        record.add(session.after(SAID[-1]))
        assert path.read_bytes() == whole


def test_it_replays_to_the_same_or_says_what_differs(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    recorded(path)
    record = read_record_file(path)
    assert differences(record, graph()) == []
    old = graph().guideline
    milder = tuple(
        replace(each, ages=replace(each.ages, from_days=500))
        if each.id == "very_severe_disease"
        else each
        for each in old.classifications
    )
    now = compile_guideline(replace(old, classifications=milder))
    told = differences(record, now)
    assert "the guideline is not as it was" in told[0]
    assert any("very_severe_disease was possible and is not_applicable" in each for each in told)
    with pytest.raises(SourceError, match="was begun with sample-child-health"):
        RecordFile.going_on(path, now)


def test_a_line_that_was_altered_or_taken_away_is_seen(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    recorded(path)
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([*lines[:3], *lines[4:]]))
    with pytest.raises(SourceError, match="altered or is missing"):
        read_record_file(path)
    path.write_bytes(b"".join(lines).replace(b'"value": 400', b'"value": 401'))
    with pytest.raises(SourceError, match="altered or is missing"):
        read_record_file(path)
    path.write_text("{}\n", "utf-8")
    with pytest.raises(SourceError):
        read_record_file(path)


def test_free_text_is_stored_only_if_asked(tmp_path: Path) -> None:
    remark = Observation("remark", "Remark", "text")
    held = graph().guideline
    with_text = compile_guideline(replace(held, observations=(*held.observations, remark)))
    for keep in (False, True):
        path = tmp_path / f"{keep}.jsonl"
        record = RecordFile(path, with_text, keep_text=keep)
        record.add(Session.of(with_text).answer("remark", "Amina of the third house"))
        assert ("Amina" in path.read_text("utf-8")) is keep
        assert differences(read_record_file(path), with_text) == []


WRITER = """
import sys
from pathlib import Path
from medweave.assessment.events import Event
from medweave.assessment.record import RecordFile
from medweave.assessment.session import Session
from medweave.guideline.loading import graph_in
graph = graph_in("sample")
record, session = RecordFile(Path(sys.argv[1]), graph), Session.of(graph)
print("writing", flush=True)
while True:
    for value in (True, False):
        session = session.answer("cough", value)
        record.add(session)
"""


def test_killed_while_it_writes_it_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    ran = subprocess.Popen(
        [sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE, env=dict(os.environ)
    )
    assert ran.stdout is not None
    with ran:
        assert ran.stdout.readline() == b"writing\n"
        while ran.poll() is None and (not path.exists() or path.stat().st_size < 10_000):
            time.sleep(0.01)
        ran.send_signal(signal.SIGKILL)
    _, session = RecordFile.going_on(path, graph())
    written = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    assert len(session.events) == len(written) - 1 > 0
