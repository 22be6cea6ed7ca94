"""A look at a file before it is built from: what is guessed, shown, and left out."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from medweave import KnowledgeBase, SourceError
from medweave.errors import MappingError
from medweave.model.mapping import FieldRule, Mapping
from medweave.pipeline import preview
from medweave.sources.mapping.guess import guess_mapping
from medweave.sources.mapping.layouts import find_mapping
from medweave.vocabulary.vocabulary import shipped_vocabulary

ENGLISH = (
    "Illness,Also known as,Signs,Cause,Medication,Blood group,Code\n"
    'scurvy,Barlow disease,"bleeding gums, fatigue",lack of vitamin C,"vitamin C, iron",,7\n'
    'rickets,,"bone pain, bowed legs",lack of vitamin D,vitamin D,,7\n'
)
CHINESE = "名称,别名,症状,并发症,病因,饮食\n胃炎,胃病,恶心、呕吐,出血,细菌,清淡饮食。\n"
DRUGS = json.dumps(
    [{"药名": "甲药", "适应症": "发热", "副作用": ["恶心"], "禁忌": "孕妇;8岁以下儿童"}]
)
TRIPLES = "head,relation,tail,page\n胃炎,症状,恶心,3\nflu,symptom,fever,4\n"
OWN = "name,concept,symptoms\nflu,disease,fever\n"
PROSE = (
    "disease,symptoms,notes\n"
    'flu,"Common symptoms are fever, cough and pain. It passes in a week.",x\n'
)
FILES = {
    "english.csv": ENGLISH, "chinese.csv": CHINESE, "drugs.json": DRUGS, "triples.csv": TRIPLES,
    "own.csv": OWN, "prose.csv": PROSE,
}  # fmt: skip


def write(tmp_path: Path, name: str, content: str) -> Path:
    path = tmp_path / name
    path.write_text(content, "utf-8")
    return path


def guessed(tmp_path: Path, name: str) -> Mapping:
    return guess_mapping(write(tmp_path, name, FILES[name]), shipped_vocabulary()).mapping


def rules(mapping: Mapping) -> dict[str, FieldRule]:
    return {rule.field: rule for rule in mapping.fields}


@pytest.mark.parametrize("name", FILES)
def test_the_mapping_shown_builds_the_statements_shown(tmp_path: Path, name: str) -> None:
    source = write(tmp_path, name, FILES[name])
    shown = preview(source)
    mapping = find_mapping(str(write(tmp_path, "saved.yaml", shown.mapping)))
    with KnowledgeBase.open("memory:") as base:
        base.build([source], mapping=mapping)
        built = {found.statement for found in base.knowledge.store.match()}
    assert built == {statement for made in shown.extractions for statement in made.statements}
    assert built


def test_roles_and_predicates_are_told_by_their_names(tmp_path: Path) -> None:
    mapping = guessed(tmp_path, "english.csv")
    assert (mapping.name_field, mapping.concept) == ("Illness", "disease")
    assert mapping.synonym_field == "Also known as"
    assert {field: rule.predicate for field, rule in rules(mapping).items()} == {
        "Signs": "has_symptom", "Cause": "caused_by", "Medication": "has_drug",
    }  # fmt: skip


def test_lists_are_told_by_their_contents(tmp_path: Path) -> None:
    english, chinese = guessed(tmp_path, "english.csv"), guessed(tmp_path, "chinese.csv")
    assert (rules(english)["Signs"].marks, rules(english)["Cause"].marks) == (",，", "")
    assert rules(chinese)["症状"].marks == "、"


def test_sentences_are_kept_and_read_by_templates(tmp_path: Path) -> None:
    assert rules(guessed(tmp_path, "prose.csv"))["symptoms"].reading == "text"
    (made,) = preview(tmp_path / "prose.csv").extractions
    assert {s.predicate for s in made.statements} == {"described_as", "has_symptom"}


def test_what_the_records_are_about_is_told_by_their_columns(tmp_path: Path) -> None:
    assert guessed(tmp_path, "drugs.json").concept == "drug"
    columns = "title,indications,side effects\nabc,fever,rash\ndef,cough,rash\n"
    path = write(tmp_path, "a.csv", columns)
    assert guess_mapping(path, shipped_vocabulary()).mapping.concept == "drug"


def test_without_a_word_for_it_the_name_is_short_and_unique(tmp_path: Path) -> None:
    path = write(tmp_path, "a.csv", "n,maladie,symptoms,x\n1,flu,fever,1\n2,cold,cough,1\n")
    found = guess_mapping(path, shipped_vocabulary())
    assert (found.mapping.name_field, found.sure) == ("maladie", 0.25)


def test_what_is_left_out_is_said_with_the_reason(tmp_path: Path) -> None:
    shown = preview(write(tmp_path, "english.csv", ENGLISH))
    assert dict(shown.left_out) == {
        "Blood group": "no predicate is called like this column",
        "Code": "its values repeat",
    }
    assert not shown.recognised
    assert 0.5 < shown.sure < 1


def test_skipped_rows_are_shown(tmp_path: Path) -> None:
    shown = preview(write(tmp_path, "a.csv", f"{OWN}cold,disease\ncough,poem,x\n")).to_json()
    assert [(item["line"], item["reason"][:15]) for item in shown["skipped"]] == [
        (3, "2 cells where t"),
        (4, "unknown concept"),
    ]


def test_a_named_mapping_is_not_guessed_again(tmp_path: Path) -> None:
    path = write(tmp_path, "a.csv", "a,b\n1,1\n1,1\n")
    shown = preview(path, mapping=find_mapping("monographs"))
    assert [item.reason for item in shown.skipped] == ["no name in the field 'name'"] * 2
    assert [column for column, _ in shown.left_out] == ["a", "b"]


@pytest.mark.parametrize(
    ("header", "row"),
    [
        ("name,concept,symptoms", "d{},disease,fever"),
        ("subject,predicate,object", "d{},has_symptom,fever"),
    ],
)
def test_three_rows_are_shown_of_many(tmp_path: Path, header: str, row: str) -> None:
    lines = [header, *(row.format(n) for n in range(500))]
    shown = preview(write(tmp_path, "a.csv", "\n".join(lines)))
    assert sum(len(made.statements) for made in shown.extractions) == 3


@pytest.mark.thorough
def test_ten_thousand_columns_are_guessed(tmp_path: Path) -> None:
    header = ",".join(["disease", "symptom", *(f"x y {n}z" for n in range(10_000))])
    path = write(tmp_path, "a.csv", f"{header}\nflu,fever{',1' * 10_000}\n")
    assert len(guess_mapping(path, shipped_vocabulary()).left_out) == 10_000


def test_a_file_of_broken_rows_is_an_error_with_the_first_reason(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="not JSON"):
        preview(write(tmp_path, "a.jsonl", "what\nis\nthis\n"))


FORMS = {
    "MindMap/train.txt": "flu\thas_symptom\tfever\ncold\thas_symptom\tcough\n",
    "drugbank_slim.tsv": (
        "drugbank_id\tname\tatc_codes\tcategories\tdescription\n"
        'DB1\tfluminol\tN01\tsalts|oils\t"One.\nTwo."\n'
    ),
    "kaggle41/symptom_Description.csv": "flu,A fever.\ncold,A cough.\n",
    "kaggle41/dataset.csv": "flu,fever, cough\nflu,rash,\n",
    "sider4/indications.tsv": (
        "drugbank_id\tdrugbank_name\tstitch_id_flat\tmethod\tmeddra_type\tumls_cui_from_meddra\tmeddra_name\n"
        "DB1\tfluminol\tCID1\tNLP_indication\tPT\tC1\tport fever\n"
    ),
    "sider4/meddra_all_se.tsv": "CID1\tCID2\tC2\tPT\tC2\trash\n",
    "fb15k237/train.tsv": "/m/1\t/film/genre\t/m/2\n",
    "wikidoc/q.jsonl": '{"question": "What causes flu?", "answer": "A virus."}\n',
}
BESIDE = {
    "fb15k237/entities.jsonl": (
        '{"mid": "/m/1", "label": "One"}\n{"mid": "/m/2", "label": "Two"}\n'
    ),
}


@pytest.mark.parametrize("name", FORMS)
def test_a_preview_shows_what_a_build_makes_whatever_the_form(tmp_path: Path, name: str) -> None:
    for file, content in {**FORMS, **BESIDE}.items():
        (tmp_path / file).parent.mkdir(exist_ok=True)
        write(tmp_path, file, content)
    source = tmp_path / name
    shown = preview(source)
    saved = find_mapping(str(write(tmp_path, "saved.yaml", shown.mapping)))
    built = []
    for mapping in (None, saved):
        with KnowledgeBase.open("memory:") as base:
            base.build([source], mapping=mapping)
            built.append({found.statement for found in base.knowledge.store.match()})
    made = {statement for each in shown.extractions for statement in each.statements}
    assert shown.recognised
    assert made
    assert built == [made, made]


@pytest.mark.parametrize(
    ("name", "unused"),
    [
        ("wikidoc/q.jsonl", []),
        ("kaggle41/dataset.csv", []),
        ("sider4/meddra_all_se.tsv", ["1", "2"]),
        ("sider4/indications.tsv", ["stitch_id_flat"]),
        ("drugbank_slim.tsv", []),
        ("fb15k237/entities.jsonl", []),
    ],
)
def test_columns_are_left_out_that_no_part_of_a_mapping_names(
    tmp_path: Path, name: str, unused: list[str]
) -> None:
    for file, content in {**FORMS, **BESIDE}.items():
        (tmp_path / file).parent.mkdir(exist_ok=True)
        write(tmp_path, file, content)
    assert [column for column, _ in preview(tmp_path / name).left_out] == unused


def test_a_named_source_is_read_by_the_part_for_this_file(tmp_path: Path) -> None:
    path = write(tmp_path, "indications.tsv", FORMS["sider4/indications.tsv"])
    (made,) = preview(path, mapping=find_mapping("sider4")).extractions
    assert [statement.predicate for statement in made.statements] == ["used_for"]


def test_a_named_source_without_a_part_for_this_file_is_an_error(tmp_path: Path) -> None:
    path = write(tmp_path, "a.csv", "a,b\n1,2\n")
    with pytest.raises(MappingError, match="no part of the mapping 'sider4'"):
        preview(path, mapping=find_mapping("sider4"))


def test_without_the_table_beside_it_the_preview_says_so(tmp_path: Path) -> None:
    path = tmp_path / "sider4" / "meddra_all_se.tsv"
    path.parent.mkdir()
    path.write_text(FORMS["sider4/meddra_all_se.tsv"], "utf-8")
    with pytest.raises(SourceError, match="'indications' is missing"):
        preview(path)


def test_words_of_an_added_vocabulary_are_known(tmp_path: Path) -> None:
    words = (
        "predicates:\n  smells_of:\n    {valence: 0, domain: [disease], range: [symptom], "
        "en: smells of, zh: 气味}\n"
    )
    path = write(tmp_path, "a.csv", "subject,predicate,object\nflu,smells_of,hay\n")
    (made,) = preview(path, vocabulary=write(tmp_path, "words.yaml", words)).extractions
    assert [statement.predicate for statement in made.statements] == ["smells_of"]
    (unknown,) = preview(path).skipped
    assert unknown.reason.startswith("1 rows are kept as 'smells_of'")
