"""Files as bad as they come end in rows, skipped rows, a cut or a typed error, nothing else."""

from __future__ import annotations

import gzip
import json
import random
import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from medweave.errors import SourceError
from medweave.model.document import Skipped
from medweave.sources.dialogues.pages import page_rows
from medweave.sources.files.row import MAX_DEPTH, MAX_RECORD
from medweave.sources.files.rows import Cut, Row, is_data, line_count, read_rows

pytestmark = pytest.mark.thorough

BY_CHANCE = settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
MUTATIONS = 60
RECORDS = [
    {"name": f"flu {n}", "concept": "disease", "symptoms": ["fever", "发热"], "size": n}
    for n in range(30)
]
LINES = [json.dumps(record, ensure_ascii=False) for record in RECORDS]
TABLE = [f"flu {n},disease,fever; 发热,{n}" for n in range(30)]
PAGE = (
    "---\nname: flu\nconcept: disease\n---\n"
    "# Flu\n\nAn illness.\n\n## Symptoms\n\n- fever\n- 发热\n"
)
WHOLE: dict[str, str] = {
    "a.jsonl": "\n".join(LINES) + "\n",
    "a.json": "[" + ",\n".join(LINES) + "]",
    "b.json": json.dumps({"records": RECORDS}, ensure_ascii=False, indent=1),
    "a.csv": "name,concept,symptoms,size\n" + "\n".join(TABLE) + "\n",
    "a.tsv": "name\tconcept\tsymptoms\tsize\n" + "\n".join(TABLE).replace(",", "\t") + "\n",
    "a.txt": "".join(f"flu {n}\thas_symptom\tfever\n" for n in range(30)),
    "a.yaml": "".join(f"- name: flu {n}\n  concept: disease\n  n: {n}\n" for n in range(30)),
    "a.md": PAGE,
    "talk.txt": "".join(f"Patient: Day {n}, I cough.\nDoctor: 休息。\n" for n in range(30)),
}
FORMATS = [*WHOLE, *(f"{name}.gz" for name in WHOLE)]
Rows = list[Row | Skipped | Cut]


def content(name: str) -> bytes:
    raw = WHOLE[name.removesuffix(".gz")].encode()
    return gzip.compress(raw, mtime=0) if name.endswith(".gz") else raw


def read(path: Path) -> Rows | None:
    """What there is of a file, None for a typed error; anything else fails the test."""
    rows_of = page_rows if path.name.startswith("talk.") else read_rows
    try:
        return list(rows_of(path))
    except SourceError as error:
        assert error.what
        assert error.remedy
        return None


def harmless(path: Path) -> Rows | None:
    found = read(path)
    for row in found or ():
        assert isinstance(row, Row | Skipped | Cut)
        if isinstance(row, Row):
            json.dumps(row.values, ensure_ascii=False).encode()
    assert not any(isinstance(row, Cut) for row in (found or [])[:-1])
    assert isinstance(is_data(path), bool)
    line_count(path)
    return found


def mutated(raw: bytes, chance: random.Random) -> bytes:
    """A file with a few bytes changed, added, taken out, doubled, or cut off."""
    data = bytearray(raw)
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(len(data) + 1)
        some = bytes(chance.choice(b'"\\[]{},:\n\r\t\0\xff\xe5&*!-#') for _ in range(3))
        how = chance.randrange(5)
        if how == 0:
            data[at : at + 1] = some[:1]
        elif how == 1:
            data[at:at] = some
        elif how == 2:
            del data[at : at + chance.randint(1, 40)]
        elif how == 3:
            data[at:at] = data[at : at + 50]
        else:
            del data[at:]
    return bytes(data)


def fuzz(name: str, folder: Path, count: int) -> dict[str, int]:
    """How often a mutated file ended in what. Run it with a large count by hand."""
    chance = random.Random(name)
    counts = {"rows": 0, "error": 0, "cut": 0}
    path = folder / name
    for _ in range(count):
        path.write_bytes(mutated(content(name), chance))
        found = harmless(path)
        counts["error"] += found is None
        counts["rows"] += any(isinstance(row, Row) for row in found or ())
        counts["cut"] += any(isinstance(row, Cut) for row in found or ())
    return counts


@pytest.mark.parametrize("name", FORMATS)
def test_mutated_files_end_well(tmp_path: Path, name: str) -> None:
    assert fuzz(name, tmp_path, MUTATIONS)["rows"]


@pytest.mark.parametrize("name", FORMATS)
@BY_CHANCE
@given(raw=st.binary(max_size=300))
def test_any_bytes_end_well(tmp_path: Path, name: str, raw: bytes) -> None:
    (tmp_path / name).write_bytes(raw)
    harmless(tmp_path / name)


@pytest.mark.parametrize("name", FORMATS)
@BY_CHANCE
@given(text=st.text(st.sampled_from('"\\[]{},:\n\r\t -#&*!|>a1发\0'), max_size=80))
def test_any_text_of_the_signs_of_a_format_ends_well(tmp_path: Path, name: str, text: str) -> None:
    raw = text.encode()
    (tmp_path / name).write_bytes(gzip.compress(raw) if name.endswith(".gz") else raw)
    harmless(tmp_path / name)


@pytest.mark.parametrize("name", ["a.jsonl", "a.json", "a.csv", "a.tsv", "a.txt", "a.yaml"])
@BY_CHANCE
@given(share=st.floats(0.3, 0.99), packed=st.booleans())
def test_a_cut_keeps_the_rows_before_it(
    tmp_path: Path, name: str, share: float, packed: bool
) -> None:
    whole = tmp_path / name
    whole.write_bytes(content(name))
    expected = [row for row in read_rows(whole) if isinstance(row, Row)]
    raw = content(name)[: int(len(content(name)) * share)]
    complete = raw.decode(errors="ignore").count("flu") - 1
    path = tmp_path / f"cut.{name}{'.gz' if packed else ''}"
    path.write_bytes(gzip.compress(raw) if packed else raw)
    found = [row for row in read_rows(path) if isinstance(row, Row)]
    assert len(found) >= complete
    assert found[:complete] == expected[:complete]


@pytest.mark.parametrize("name", ["a.jsonl", "a.json", "a.csv", "a.tsv", "a.txt"])
@pytest.mark.parametrize("damage", ["cut", "noise"])
def test_a_damaged_gzip_file_keeps_the_rows_before_it(
    tmp_path: Path, name: str, damage: str
) -> None:
    chance = random.Random(1)
    head, *rest = WHOLE[name].splitlines(keepends=True)
    many = head + "".join(
        line.replace("flu", f"flu {chance.random()}") for _ in range(300) for line in rest[:-1]
    )
    raw = bytearray(gzip.compress(many.encode(), mtime=0))
    middle = len(raw) // 2
    if damage == "cut":
        del raw[middle:]
    else:
        raw[middle : middle + 50] = b"\xff" * 50
    path = tmp_path / f"{name}.gz"
    path.write_bytes(raw)
    found = list(read_rows(path))
    assert sum(isinstance(row, Row) for row in found) > 1000
    assert isinstance(found[-1], Cut)
    assert "damaged" in found[-1].skipped.reason


LONG = "y" * 40_000_000


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.jsonl", '{"name": "a"}\n{"name": "%s"}\n{"name": "b"}\n'),
        ("a.json", '[{"name": "a"},\n{"name": "%s"},\n{"name": "b"}]'),
        ("a.csv", "name,concept\na,x\n%s,x\nb,x\n"),
        ("a.tsv", "name\tconcept\na\tx\n%s\tx\nb\tx\n"),
    ],
)
def test_a_line_of_forty_megabytes_is_skipped_and_reading_goes_on(
    tmp_path: Path, name: str, text: str
) -> None:
    (tmp_path / name).write_text(text % LONG)
    first, skipped, last = read_rows(tmp_path / name)
    assert isinstance(first, Row)
    assert isinstance(skipped, Skipped)
    assert "16 million characters" in skipped.reason
    assert isinstance(last, Row)
    assert (first.values["name"], last.values["name"]) == ("a", "b")
    assert last.line == skipped.line + 1


def test_a_quote_that_never_closes_costs_one_row(tmp_path: Path) -> None:
    after = MAX_RECORD // 800 + 1000
    text = 'name,text\na,b\nc,"d\n' + f"{'y' * 800},z\n" * after
    (tmp_path / "a.csv").write_text(text)
    found = list(read_rows(tmp_path / "a.csv"))
    assert [row.line for row in found if isinstance(row, Skipped)] == [3]
    assert sum(isinstance(row, Row) for row in found) == after + 1


def test_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    with path.open("w") as stream:
        for _ in range(60):
            stream.write((json.dumps({"name": "flu", "text": "x" * 900}) + "\n") * 1000)
    code = (
        "import resource, sys; from pathlib import Path\n"
        "from medweave.sources.files.rows import read_rows\n"
        "used = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "before = used(); count = sum(1 for _ in read_rows(Path(sys.argv[1])))\n"
        "print(count, used() - before)"
    )
    done = subprocess.run([sys.executable, "-c", code, path], capture_output=True, check=True)
    count, kilobytes = map(int, done.stdout.split())
    assert count == 60_000
    assert kilobytes < 30_000 * (1 if sys.platform != "darwin" else resource.getpagesize())


@pytest.mark.parametrize("fill", [b" ", b"y"])
def test_a_gzip_bomb_is_a_cut(tmp_path: Path, fill: bytes) -> None:
    path = tmp_path / "a.jsonl.gz"
    with gzip.open(path, "wb") as stream:
        stream.write(b'{"name": "a"}\n')
        for _ in range(150):
            stream.write(fill * 1_000_000)
    first, *_, last = read_rows(path)
    assert isinstance(first, Row)
    assert isinstance(last, Cut)
    assert "unpacks to far more" in last.skipped.reason


@pytest.mark.parametrize(
    "raw", [b"PK\x03\x04\0\0\xff\xfe" * 50, b"\0" * 1000, "name,x\n".encode("utf-16-le") * 9]
)
@pytest.mark.parametrize("name", ["a.csv", "a.jsonl", "a.yaml", "a.md"])
def test_a_binary_file_is_told_as_such(tmp_path: Path, name: str, raw: bytes) -> None:
    (tmp_path / name).write_bytes(raw)
    with pytest.raises(SourceError, match="binary"):
        list(read_rows(tmp_path / name))


def test_ten_thousand_columns(tmp_path: Path) -> None:
    row = ",".join(map(str, range(10_000)))
    (tmp_path / "a.csv").write_text("\n".join([row] * 50 + [row[:-9]]) + "\n")
    found = list(read_rows(tmp_path / "a.csv"))
    assert [len(row.values) for row in found if isinstance(row, Row)] == [10_000] * 49
    assert isinstance(found[-1], Skipped)


def test_yaml_aliases_are_refused_and_the_next_record_is_read(tmp_path: Path) -> None:
    bomb = "- a0: &a0 [x, x, x, x, x, x, x, x, x]\n" + "".join(
        f"  a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 30)
    )
    (tmp_path / "a.yaml").write_text(f"{bomb}- name: flu\n")
    bad, good = read_rows(tmp_path / "a.yaml")
    assert isinstance(bad, Skipped)
    assert "anchors" in bad.reason
    assert good == Row(31, {"name": "flu"})


def test_yaml_tags_make_no_objects(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("- x: !!python/object/apply:os.system [ls]\n- name: flu\n")
    bad, good = read_rows(tmp_path / "a.yaml")
    assert isinstance(bad, Skipped)
    assert isinstance(good, Row)


NESTED: list[tuple[str, Callable[[str], str]]] = [
    ("a.jsonl", lambda deep: f'{{"a": {deep}}}\n{{"name": "flu"}}\n'),
    ("a.json", lambda deep: f'[{{"a": {deep}}},\n{{"name": "flu"}}]'),
    ("a.yaml", lambda deep: f"- a: {deep}\n- name: flu\n"),
]


@pytest.mark.parametrize("depth", [MAX_DEPTH, 500, 5_000])
@pytest.mark.parametrize(("name", "text"), NESTED)
def test_what_is_nested_too_deeply_is_no_row(
    tmp_path: Path, name: str, text: Callable[[str], str], depth: int
) -> None:
    (tmp_path / name).write_text(text("[" * depth + "]" * depth))
    found = read(tmp_path / name)
    assert found is not None
    bad, good = found
    assert isinstance(bad, Skipped)
    assert "nested too deeply" in bad.reason
    assert isinstance(good, Row)


@pytest.mark.parametrize("name", ["nul\0.csv", "nul\0.md", "nul\0.yaml"])
def test_a_nul_in_the_path(tmp_path: Path, name: str) -> None:
    assert read(tmp_path / name) is None
    if not name.endswith("csv"):
        assert not is_data(tmp_path / name)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.jsonl", '{"name": "\\ud800"}\n{"name": "flu"}\n'),
        ("a.json", '[{"name": "\\ud800"},\n{"name": "flu"}]'),
        ("a.yaml", '- name: flu\n- name: "\\ud800"\n'),
    ],
)
def test_half_a_character_is_no_row(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text)
    found = harmless(tmp_path / name)
    assert [row.values for row in found or () if isinstance(row, Row)] == [{"name": "flu"}]
