"""The sample monographs: complete, marked, without doses, and every citation resolves."""

from __future__ import annotations

import csv
import gzip
import json
import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from medweave import KnowledgeBase
from medweave.app import sample_files
from medweave.model.statement import TREATMENT_LINES
from medweave.vocabulary.lexicon import shipped_lexicon

MONOGRAPHS = [path for path in sample_files() if path.suffix == ".json"]
DIALOGUES = [path for path in sample_files() if path.suffix == ".jsonl"]
DATA = Path(os.environ.get("MEDWEAVE_DATA", Path(__file__).parents[2].parent / "shared" / "data"))
EPOCT = "guidelines/epoct_timci_tz_v34.json.gz"
"""Its final diagnoses, each with the drugs that it names for it."""
CO_PRESCRIBED = "disease_db/format_dataset.jsonl.gz"
"""Lists what is prescribed with a disease, whatever it is for."""
DRUGBANK = "kg/drugbank_slim.tsv.gz#"
SIDER_USES = "kg/sider4/indications.tsv.gz"
DOSE = re.compile(r"\d\s*(mg(?!/d?L)|mcg|µg|ml|g/kg|mg/kg|毫克|毫升|片)\b", re.IGNORECASE)


def records(name: str) -> list[dict[str, Any]]:
    path = next(path for path in sample_files() if path.name == name)
    found: list[dict[str, Any]] = json.loads(path.read_text("utf-8"))
    return found


def entries(record: dict[str, Any]) -> list[tuple[str, list[str]]]:
    """(text, citations) of everything a record states."""
    found = []
    for value in record.values():
        for entry in value if isinstance(value, list) else []:
            if isinstance(entry, dict):
                found.append((entry.get("text") or entry["with"], entry.get("cites", [])))
            else:
                found.append((entry, []))
    return found


@pytest.mark.parametrize("kind", ["diseases", "drugs"])
def test_sixty_of_each_and_a_third_in_chinese(kind: str) -> None:
    english, chinese = records(f"{kind}.en.json"), records(f"{kind}.zh.json")
    english = [record for record in english if record["concept"] != "drug_class"]
    assert len(english) >= 60
    assert len(chinese) >= len(english) / 3
    assert {record["language"] for record in chinese} == {"zh"}


@pytest.mark.parametrize("path", MONOGRAPHS, ids=lambda path: path.name)
def test_every_record_is_marked_as_a_sample_and_gives_no_dose(path: Path) -> None:
    for record in json.loads(path.read_text("utf-8")):
        assert record["sample"] is True
        said = " ".join([record.get("description", ""), *(text for text, _ in entries(record))])
        assert not DOSE.search(said), record["name"]


def test_a_hundred_and_twenty_dialogues_are_marked_and_name_only_each_other() -> None:
    found = [json.loads(line) for path in DIALOGUES for line in path.read_text("utf-8").split("\n")
             if line]  # fmt: skip
    ids = {record["id"] for record in found}
    assert (len(ids), sum(name.startswith("zh-") for name in ids)) == (120, 30)
    assert all(record["sample"] is True for record in found)
    named = {other["id"] for record in found for other in record.get("references", [])}
    assert named
    assert named <= ids


_OF_PAIRS = {
    "name", "concept", "language", "sample", "interactions", "contraindications", "cautions",
    "side_effects", "how_to_take", "practical_advice",
}  # fmt: skip
"""All that is told of a drug of which the sample does not say what it is for: what it does not go
with, and what it brings on."""


def test_the_readme_counts_what_ships() -> None:
    shipped = [r for path in MONOGRAPHS for r in records(path.name)]
    pairs = [r for r in shipped if r["concept"] == "drug" and r.keys() <= _OF_PAIRS]
    count = Counter((r["concept"], r["language"]) for r in shipped if r not in pairs)
    english = [r for r in pairs if r["language"] == "en"]
    said = (
        f"({count['disease', 'en']} diseases, {count['drug', 'en']} drugs and "
        f"{count['drug_class', 'en']} classes of drugs, and what {len(english)} more drugs do not "
        "go with or bring on, in English; "
        f"{count['disease', 'zh']} diseases and {count['drug', 'zh']} drugs in Chinese;"
    )
    assert said in (Path(__file__).parents[2] / "README.md").read_text("utf-8")


def test_a_disease_and_a_drug_say_alike_how_early_a_use_is_chosen() -> None:
    """Else one use is two statements, and a list names the drug by the one it meets first."""
    lines: dict[tuple[str, str], set[str]] = {}
    for path in MONOGRAPHS:
        for record in records(path.name):
            of_drug = record["concept"] == "drug"
            for entry in record.get("indications" if of_drug else "drugs", []):
                named = entry if isinstance(entry, str) else entry["text"]
                pair = (named, record["name"]) if of_drug else (record["name"], named)
                line = "" if isinstance(entry, str) else entry.get("line", "")
                assert line in TREATMENT_LINES
                use = (known(pair[0], "condition"), known(pair[1], "substance"))
                lines.setdefault(use, set()).add(line)
    assert {pair: said for pair, said in lines.items() if len(said) > 1} == {}


def known(name: str, family: str) -> str:
    term = shipped_lexicon().find(name, [family])
    return term.id if term else name


@pytest.mark.parametrize("path", MONOGRAPHS, ids=lambda path: path.name)
def test_every_citation_resolves(path: Path) -> None:
    if not DATA.is_dir():
        pytest.skip(f"no data folder at {DATA}; name one with MEDWEAVE_DATA")
    cited = [
        cite
        for record in json.loads(path.read_text("utf-8"))
        for _, cites in entries(record)
        for cite in cites
    ]
    assert cited
    assert [cite for cite in cited if not resolves(cite)] == []


def test_a_use_cites_the_record_of_its_own_drug() -> None:
    """In DrugBank a record is a drug: that of efavirenz does not say what tenofovir is for."""
    if not DATA.is_dir():
        pytest.skip(f"no data folder at {DATA}; name one with MEDWEAVE_DATA")
    wrong = [
        (record["name"], use["text"], cite)
        for path in MONOGRAPHS
        for record in records(path.name)
        for use in record.get("indications", []) + record.get("drugs", [])
        if isinstance(use, dict)
        for cite in use.get("cites", [])
        if cite.startswith(DRUGBANK)
        and not names(cite, record["name"] if "indications" in record else use["text"])
    ]
    assert wrong == []


def test_what_speaks_against_a_drug_cites_a_record_that_names_it() -> None:
    """Or its ingredient, a class of it, a medicine that holds it, or, of a class, a member."""
    if not DATA.is_dir():
        pytest.skip(f"no data folder at {DATA}; name one with MEDWEAVE_DATA")
    wrong = [
        (record["name"], cite)
        for path in MONOGRAPHS
        if path.name.startswith("drugs")
        for record in records(path.name)
        for kind in ("contraindications", "cautions", "interactions")
        for entry in record.get(kind, [])
        if isinstance(entry, dict)
        for cite in entry.get("cites", [])
        if not called(record["name"]).search(text_of(cite))
    ]
    assert wrong == []


@cache
def called(name: str) -> re.Pattern[str]:
    terms = shipped_lexicon().terms
    reached = [known(name, "substance")]
    for one in reached:  # it grows
        reached += [each for each in (*terms[one].classes, *terms[one].ingredients)
                    if each in terms and each not in reached]  # fmt: skip
    reached += [t.id for t in terms.values() if reached[0] in (*t.ingredients, *t.classes)]
    names = {name for one in reached for name in terms[one].names.get("en", ()) if len(name) > 2}
    return re.compile(
        "|".join(rf"\b{re.escape(name.rstrip('s'))}" for name in names), re.IGNORECASE
    )


def text_of(cite: str) -> str:
    file, _, identifier = cite.partition("#")
    return texts(file)[identifier]


@cache
def texts(file: str) -> dict[str, str]:
    """What each record of a file says that may be cited of what speaks against a drug."""
    found: dict[str, str] = {}
    with gzip.open(DATA / file, "rt", encoding="utf-8") as stream:
        for number, line in enumerate(stream, 1):
            text = line
            if "PubTator" in file:
                key = line.partition("|")[0]
            elif ".tsv" in file:
                key = line.partition("\t")[0]
            else:
                text = line.replace("\\n", " ")
                key = json.loads(text)["id"] if file.startswith("medquad") else f"line:{number}"
            found[key] = found.get(key, "") + text
    return found


def names(cite: str, drug: str) -> bool:
    """Whether the cited record of DrugBank names the drug, or a part of it if it is of several."""
    key = cite.removeprefix(DRUGBANK)
    row = next(row for row in drugbank() if row.startswith(f"{key}\t")).casefold()
    terms = shipped_lexicon().terms
    own = terms[known(drug, "substance")]
    parts = [own, *(terms[part] for part in own.ingredients if part in terms)]
    called = [name for part in parts for names in part.names.values() for name in names]
    return any(name.casefold() in row for name in called)


@cache
def drugbank() -> list[str]:
    return gzip.decompress((DATA / DRUGBANK.rstrip("#")).read_bytes()).decode().splitlines()


def test_what_is_only_prescribed_with_a_disease_is_half_as_strong_a_use() -> None:
    """So is what a text-mining program took for a condition of the use, not for the use."""
    if not DATA.is_dir():
        pytest.skip(f"no data folder at {DATA}; name one with MEDWEAVE_DATA")
    wrong = []
    for path in MONOGRAPHS:
        for record in json.loads(path.read_text("utf-8")):
            for use in record.get("indications", []) + record.get("drugs", []):
                cites = use.get("cites", []) if isinstance(use, dict) else []
                expected = 0.5 if cites and all(map(weak, cites)) else 1.0
                if isinstance(use, dict) and use.get("strength", 1.0) != expected:
                    wrong.append((record["name"], use["text"]))
    assert wrong == []


def weak(cite: str) -> bool:
    file, _, identifier = cite.partition("#")
    preconditions = file == SIDER_USES and mined_ways()[identifier] == {"NLP_precondition"}
    return file == CO_PRESCRIBED or preconditions


@cache
def mined_ways() -> dict[str, set[str]]:
    """How the uses in SIDER were found in the labels, by drug and use."""
    ways: dict[str, set[str]] = {}
    with gzip.open(DATA / SIDER_USES, "rt", encoding="utf-8") as stream:
        for row in csv.reader(stream, delimiter="\t"):
            ways.setdefault(f"{row[0]}/{row[6]}", set()).add(row[5])
    return ways


def resolves(cite: str) -> bool:
    file, _, identifier = cite.partition("#")
    return identifier in identifiers(file)


@cache
def identifiers(file: str) -> frozenset[str]:
    """All that can be cited of one file of the data folder."""
    readers: dict[str, Callable[[Iterable[dict[str, Any]]], Iterator[str]]] = {
        "medquad/answered.jsonl.gz": lambda rows: (row["id"] for row in rows),
        "disease_db/format_dataset.jsonl.gz": lambda rows: (row["idx"] for row in rows),
        "kg/zh_medical_graph/diseases.jsonl.gz": lambda rows: (row["name"] for row in rows),
        "emckg/triples.jsonl.gz": lambda rows: (f"{r['h']}/{r['r']}/{r['t']}" for r in rows),
    }
    with gzip.open(DATA / file, "rt", encoding="utf-8") as stream:
        if file == EPOCT:
            return frozenset(json.load(stream)["final_diagnoses"])
        if "PubTator" in file:
            return frozenset(line.partition("|")[0] for line in stream)
        if file in readers:
            return frozenset(readers[file](map(json.loads, stream)))
        if file.endswith((".tsv.gz", ".csv.gz")):
            return frozenset(table_identifiers(file, stream))
        return frozenset(f"line:{number}" for number, _ in enumerate(stream, 1))


def table_identifiers(file: str, stream: Any) -> list[str]:
    rows = list(csv.reader(stream, delimiter="," if ".csv" in file else "\t"))
    if "pharmacotherapydb" in file:
        return [f"{row[0]}/{row[1]}" for row in rows]
    if file.endswith("meddra_all_se.tsv.gz"):
        return [f"{row[0]}/{row[-1]}" for row in rows]
    if "sider4" in file:
        return [f"{row[0]}/{row[6]}" for row in rows]
    return [row[0] for row in rows if row]


@pytest.mark.thorough
def test_no_english_answer_holds_a_chinese_name() -> None:
    names = [record["name"] for record in records("diseases.en.json")]
    with KnowledgeBase.sample() as base:
        answers = {name: base.ask(f"What are the symptoms of {name}?").text for name in names}
    chinese = {name: text for name, text in answers.items() if re.search("[\u4e00-\u9fff]", text)}
    assert chinese == {}
