"""Ten invented rows in each layout that a mapping ships for, and all that is made of them.

Nothing here stands in any data set: the names are made up, only headers, signs and files are as the
sources have them.
"""
# ruff: noqa: E501 - a statement is one line of what is expected

from __future__ import annotations

import json
from itertools import permutations
from pathlib import Path

import pytest
from inline_snapshot import snapshot

from medweave import KnowledgeBase
from medweave.errors import SourceError
from tests.golden.layouts import jsonl, outcome, tabs, told, write

# Chinese graphs


def disease(name: str, **fields: object) -> dict[str, object]:
    empty = dict.fromkeys(("alias", "symptom", "checklist", "drug", "complication"), "")
    told = {"age": "各年龄的人群，主要见于在海边居住和工作的成年人", "money": "费用因医院而异"}
    return {"name": name, **empty, **told, **fields}


def test_zh_medical_graph(tmp_path: Path) -> None:
    rows = [
        disease("港口热", alias="码头热,海港病", symptom="发热 头痛 [详细]", part="头"),
        disease("沙丘咳", symptom="咳嗽 [详细]", drug="枸橼酸甲药... 枸橼酸甲药... 乙药片 [详细]"),
        disease("灯塔疹", symptom="皮疹 皮疹 [详细]", checklist="灯塔血检 [详细]"),
        disease("潮汐痛", complication="港口热 [详细]", treatment="卧床休息、饮水 [详细]"),
        disease("风车眩", symptom="...", part="头、颈，耳"),
        disease("盐田癣", alias="盐癣；白田癣", symptom="[详细]"),
        disease("石桥疮", checklist="一种名字极长的检查因此被... 桥检 [详细]"),
        disease("石桥疮", checklist="一种名字极长的检查因此被... 桥检 [详细]"),
        disease("石桥疮", symptom="疼痛"),
        disease(""),
    ]
    path = write(tmp_path / "zh_medical_graph" / "diseases.jsonl.gz", jsonl(rows), "gb18030")
    assert outcome(path) == snapshot("""\
8 documents
乙药片 [mw.substance:乙药片] –used_for→ 沙丘咳 [mw.condition:沙丘咳] 1
卧床休息 [mw.procedure:卧床休息] –used_for→ 潮汐痛 [mw.condition:潮汐痛] 1
沙丘咳 [mw.condition:沙丘咳] –has_symptom→ cough [mw.condition:cough] 1
港口热 [mw.condition:港口热] –has_symptom→ fever [mw.condition:fever] 1
港口热 [mw.condition:港口热] –has_symptom→ headache [mw.condition:headache] 1
港口热 [mw.condition:港口热] –located_in→ 头 [mw.anatomy:头] 1
潮汐痛 [mw.condition:潮汐痛] –has_complication→ 港口热 [mw.condition:港口热] 0.5
灯塔疹 [mw.condition:灯塔疹] –has_symptom→ rash [mw.condition:rash] 1 ×2
灯塔疹 [mw.condition:灯塔疹] –has_test→ 灯塔血检 [mw.procedure:灯塔血检] 0.5
石桥疮 [mw.condition:石桥疮] –has_symptom→ pain [mw.condition:pain] 1
石桥疮 [mw.condition:石桥疮] –has_test→ 桥检 [mw.procedure:桥检] 0.5
风车眩 [mw.condition:风车眩] –located_in→ 头 [mw.anatomy:头] 1
风车眩 [mw.condition:风车眩] –located_in→ 耳 [mw.anatomy:耳] 1
风车眩 [mw.condition:风车眩] –located_in→ 颈 [mw.anatomy:颈] 1
饮水 [mw.procedure:饮水] –used_for→ 潮汐痛 [mw.condition:潮汐痛] 1
mw.condition:cough is also coughing, tussis, 咳嗽, MESH:D003371
mw.condition:fever is also high temperature, pyrexia, spiking temps, running a fever, 发热, 发烧, 发高烧, MESH:D005334
mw.condition:headache is also head pain, cephalalgia, 头痛, 头疼, MESH:D006261
mw.condition:pain is also 疼痛, MESH:D010146, UMLS:C0030193
mw.condition:rash is also skin rash, exanthem, exanthema, skin eruption, 皮疹, 出疹
mw.condition:港口热 is also 海港病, 码头热
skipped diseases.jsonl.gz 2: 2 cut names in 'drug'
skipped diseases.jsonl.gz 5: 1 cut names in 'symptom'
skipped diseases.jsonl.gz 7: 1 cut names in 'checklist'
skipped diseases.jsonl.gz 8: 1 cut names in 'checklist'
skipped diseases.jsonl.gz 8: the same record stands above
skipped diseases.jsonl.gz 10: no name in the field 'name'\
""")


def test_liuhuanyong(tmp_path: Path) -> None:
    keys = ("acompany", "cure_way", "common_drug", "recommand_drug", "check", "symptom")
    empty = {key: list[str]() for key in keys}
    rows: list[dict[str, object]] = [
        {"name": "港口热", **empty, "symptom": ["发热", "头痛"], "desc": "港口热常见于夏天。"},
        {"name": "沙丘咳", **empty, "common_drug": ["甲药"], "recommand_drug": ["甲药", "乙药片"]},
        {"name": "灯塔疹", **empty, "check": ["灯塔血检"], "cause": "由灯塔蚊传播。"},
        {"name": "潮汐痛", **empty, "acompany": ["港口热"], "prevent": "少在退潮时下水。"},
        {"name": "风车眩", **empty, "cure_way": ["休息治疗", "饮水"]},
        {"name": "盐田癣", **empty, "symptom": "['瘙痒', '脱屑']"},
        {"name": "石桥疮", **empty, "symptom": ["__import__('os').getcwd()"]},
        {"name": "石桥疮", **empty, "symptom": ["__import__('os').getcwd()"]},
        {"name": "空病", **empty},
        {"name": None, **empty, "symptom": ["发热"]},
    ]
    path = write(tmp_path / "medical.jsonl", jsonl(rows), "utf-16")
    assert outcome(path) == snapshot("""\
8 documents
乙药片 [mw.substance:乙药片] –used_for→ 沙丘咳 [mw.condition:沙丘咳] 1
休息治疗 [mw.procedure:休息治疗] –used_for→ 风车眩 [mw.condition:风车眩] 1
港口热 [mw.condition:港口热] –described_as→ “港口热常见于夏天。” 1
港口热 [mw.condition:港口热] –has_symptom→ fever [mw.condition:fever] 1
港口热 [mw.condition:港口热] –has_symptom→ headache [mw.condition:headache] 1
潮汐痛 [mw.condition:潮汐痛] –has_complication→ 港口热 [mw.condition:港口热] 0.5
潮汐痛 [mw.condition:潮汐痛] –prevention_advice→ “少在退潮时下水。” 1
灯塔疹 [mw.condition:灯塔疹] –causes_in_words→ “由灯塔蚊传播。” 1
灯塔疹 [mw.condition:灯塔疹] –has_test→ 灯塔血检 [mw.procedure:灯塔血检] 0.5
甲药 [mw.substance:甲药] –used_for→ 沙丘咳 [mw.condition:沙丘咳] 1 ×2
盐田癣 [mw.condition:盐田癣] –has_symptom→ itching [mw.condition:itching] 1
盐田癣 [mw.condition:盐田癣] –has_symptom→ scaly skin [mw.condition:scaly_skin] 1
石桥疮 [mw.condition:石桥疮] –has_symptom→ import ('os').getcwd() [mw.condition:import_('os').getcwd()] 1
饮水 [mw.procedure:饮水] –used_for→ 风车眩 [mw.condition:风车眩] 1
mw.condition:fever is also high temperature, pyrexia, spiking temps, running a fever, 发热, 发烧, 发高烧, MESH:D005334
mw.condition:headache is also head pain, cephalalgia, 头痛, 头疼, MESH:D006261
mw.condition:itching is also pruritus, itchy skin, itching all over, 瘙痒, 发痒, MESH:D011537, UMLS:C0033774
mw.condition:scaly_skin is also skin scaling, scaling of the skin, 皮肤脱屑, 脱屑, 皮肤起屑
skipped medical.jsonl 8: the same record stands above
skipped medical.jsonl 10: no name in the field 'name'\
""")


# Tables of drugs


def test_pharmacotherapydb(tmp_path: Path) -> None:
    table = """
        doid_id|drugbank_id|disease|drug|category|n_curators|n_resources
        DOID:990001|DB99001|harbour fever|Fluminol|DM|2|1
        DOID:990001|DB99002|harbour fever|Calmazine|SYM|1|1
        DOID:990001|DB99003|harbour fever|Sandopril|NOT|2|1
        DOID:990002|DB99001|dune cough|Fluminol|DM|3|4
        DOID:990002|DB99001|dune cough|Fluminol|NOT|1|1
        DOID:990002|DB99001|dune cough|Fluminol|DM|3|4
        DOID:990003|DB99004|tidal ache|Calmazine XR|SYM|2|1
        DOID:990003||tidal ache|Nameless balm|DM|1|1
        DOID:990003|DB99005|tidal ache||DM|1|1
        DOID:990003|DB99006|tidal ache|Oddamine|MAYBE|1|1
    """
    path = write(tmp_path / "indications.tsv.gz", tabs(table))
    assert outcome(path) == snapshot("""\
1 documents
Calmazine XR [DRUGBANK:DB99004] –used_for→ tidal ache [DOID:990003] 0.5
Calmazine [DRUGBANK:DB99002] –used_for→ harbour fever [DOID:990001] 0.5
Fluminol [DRUGBANK:DB99001] –used_for→ dune cough [DOID:990002] 1 ×2
Fluminol [DRUGBANK:DB99001] –used_for→ dune cough [DOID:990002] denied 1
Fluminol [DRUGBANK:DB99001] –used_for→ harbour fever [DOID:990001] 1
Nameless balm [mw.substance:nameless_balm] –used_for→ tidal ache [DOID:990003] 1
Oddamine [DRUGBANK:DB99006] –maybe→ tidal ache [DOID:990003] 1
Sandopril [DRUGBANK:DB99003] –used_for→ harbour fever [DOID:990001] denied 1
skipped indications.tsv.gz 10: nothing in the column 'drug'
skipped indications.tsv.gz 11: 1 rows are kept as 'MAYBE', which is no predicate of the vocabulary and neutral\
""")


def test_drugbank_slim(tmp_path: Path) -> None:
    head = ["drugbank_id", "type", "name", "groups", "atc_codes", "categories", "inchikey",
            "inchi", "description"]  # fmt: skip
    rows = [
        ["DB99001", "s", "Fluminol", "approved", "N99AA01", "Tidal Agents|Salts",
         "InChIKey=AAAAAAAAAAAAAA-BBBBBBBBBB-N", "x", "Fluminol is a salt."],
        ["DB99002", "s", "Calmazine", "approved", "N99AA02|R99AA02", "", "", "",
         '"It says ""calm"".\nIt has two lines."'],
        ["DB99003", "s", "Sandopril", "", "", "Tidal Agents", "", "", ""],
        ["DB99004", "b", "Dunemab", "", "L99AB01", "", "", "", '"One\tcell with a tab."'],
        ["DB99005", "s", "Pierine", "", "", "Salts|Salts", "", "", ""],
        ["DB99006", "s", "Quayol", "", "", "['Salts', 'Oils']", "", "", ""],
        ["DB99007", "s", "", "", "", "Salts", "", "", ""],
        ["", "s", "Noidine", "", "", "Salts", "", "", ""],
        ["DB99005", "s", "Pierine", "", "", "Salts|Salts", "", "", ""],
        ["DB99009", "s", "Shortol"],
    ]  # fmt: skip
    text = "".join("\t".join(row) + "\n" for row in [head, *rows])
    assert outcome(write(tmp_path / "drugbank_slim.tsv.gz", text)) == snapshot("""\
7 documents
Calmazine [DRUGBANK:DB99002] –described_as→ “It has two lines.” 1
Calmazine [DRUGBANK:DB99002] –described_as→ “It says "calm".” 1
Dunemab [DRUGBANK:DB99004] –described_as→ “One	cell with a tab.” 1
Fluminol [DRUGBANK:DB99001] –described_as→ “Fluminol is a salt.” 1
Fluminol [DRUGBANK:DB99001] –in_class→ Salts [mw.substance:salts] 1
Fluminol [DRUGBANK:DB99001] –in_class→ Tidal Agents [mw.substance:tidal_agents] 1
Noidine [mw.substance:noidine] –in_class→ Salts [mw.substance:salts] 1
Pierine [DRUGBANK:DB99005] –in_class→ Salts [mw.substance:salts] 1 ×2
Quayol [DRUGBANK:DB99006] –in_class→ Oils [mw.substance:oils] 1
Quayol [DRUGBANK:DB99006] –in_class→ Salts [mw.substance:salts] 1
Sandopril [DRUGBANK:DB99003] –in_class→ Tidal Agents [mw.substance:tidal_agents] 1
DRUGBANK:DB99001 is also ATC:N99AA01, InChIKey:AAAAAAAAAAAAAA-BBBBBBBBBB-N
DRUGBANK:DB99002 is also ATC:N99AA02, ATC:R99AA02
DRUGBANK:DB99004 is also ATC:L99AB01
skipped drugbank_slim.tsv.gz 9: no name in the field 'name'
skipped drugbank_slim.tsv.gz 11: the same record stands above
skipped drugbank_slim.tsv.gz 12: 3 cells where the header has 9\
""")


SIDER_DRUGS = """
    drugbank_id|drugbank_name|pubchem_id|stitch_id_flat|umls_cui_from_label|method|concept_name|meddra_type|umls_cui_from_meddra|meddra_name
    DB99001|Fluminol|1|CID100000001|C9900001|text_mention|harbour fever|PT|C9900001|Harbour fever
    DB99001|Fluminol|1|CID100000001|C9900001|text_mention|harbour fever|LLT|C9900002|Port fever
    DB99001|Fluminol|1|CID100000001|C9900003|NLP_indication|dune cough|PT|C9900003|Dune cough
    DB99002|Calmazine|2|CID100000002|C9900004|text_mention|tidal ache|PT|C9900004|Tidal ache
    DB99002|Calmazine|2|CID100000002|C9900004|text_mention|tidal ache|PT|C9900004|Tidal ache
"""
SIDER_EFFECTS = """
    CID100000001|CID000000001|C9910001|LLT|C9910001|Quay cramps
    CID100000001|CID000000001|C9910001|PT|C9910002|Quay pain
    CID100000002|CID000000002|C9910003|PT|C9910003|Yawning of sails
    CID100000002|CID000000002|C9910003|PT|C9910003|Yawning of sails
    CID100000009|CID000000009|C9910003|PT|C9910003|Yawning of sails
    CID100000009|CID000000009|C9910003|LLT|C9910003|Yawning of sails
"""


def sider(tmp_path: Path) -> tuple[Path, Path]:
    folder = tmp_path / "sider4"
    return (
        write(folder / "indications.tsv.gz", tabs(SIDER_DRUGS)),
        write(folder / "meddra_all_se.tsv.gz", tabs(SIDER_EFFECTS)),
    )


def test_sider4(tmp_path: Path) -> None:
    assert outcome(*sider(tmp_path)) == snapshot("""\
2 documents
Calmazine [DRUGBANK:DB99002] –has_side_effect→ Yawning of sails [UMLS:C9910003] 1 ×2
Fluminol [DRUGBANK:DB99001] –has_side_effect→ Quay pain [UMLS:C9910002] 1
Fluminol [DRUGBANK:DB99001] –used_for→ Dune cough [UMLS:C9900003] 1
skipped indications.tsv.gz 6: 3 rows with another 'method' than the mapping keeps
skipped indications.tsv.gz 6: 1 rows with another 'meddra_type' than the mapping keeps
skipped meddra_all_se.tsv.gz 5: 1 rows with a '0' that is not in the table 'drugs'
skipped meddra_all_se.tsv.gz 6: 2 rows with another '3' than the mapping keeps\
""")


def test_the_order_of_the_files_of_a_join_does_not_matter(tmp_path: Path) -> None:
    files = sider(tmp_path)
    made = []
    for order in [*permutations(files), [files[0].parent]]:
        with KnowledgeBase.open("memory:") as base:
            base.build(order)
            made.append(base.version.hash)
    assert len(set(made)) == 1


def test_without_the_table_of_a_join_the_other_sources_are_built(tmp_path: Path) -> None:
    table, effects = sider(tmp_path)
    table.unlink()
    with (
        pytest.raises(SourceError, match="'indications' is missing"),
        KnowledgeBase.open("memory:") as base,
    ):
        base.build([effects])
    other = write(tmp_path / "own.csv", "subject,predicate,object\nflu,has_symptom,fever\n")
    assert outcome(effects, other) == snapshot("""\
1 documents
influenza [mw.condition:influenza] –has_symptom→ fever [mw.condition:fever] 1
mw.condition:fever is also high temperature, pyrexia, spiking temps, running a fever, 发热, 发烧, 发高烧, MESH:D005334
mw.condition:influenza is also flu, seasonal influenza, grippe, influenza A, influenza B, flu A, flu B, influenza virus infection, seasonal flu, human flu, flu infection, flu virus infection, 流行性感冒, 流感, 季节性流感, 甲型流感, 乙型流感, 甲流, 乙流, 流行感冒, 流感病毒感染, UMLS:C0021400
skipped meddra_all_se.tsv.gz 0: the file 'indications' is missing, which says what the keys mean, sider4, put it beside the file that is read
failed meddra_all_se.tsv.gz\
""")


def test_an_empty_table_of_a_join(tmp_path: Path) -> None:
    table, effects = sider(tmp_path)
    write(table, SIDER_DRUGS.strip().splitlines()[0].replace("|", "\t") + "\n")
    assert outcome(effects) == snapshot("""\
0 documents
skipped meddra_all_se.tsv.gz 5: 4 rows with a '0' that is not in the table 'drugs'
skipped meddra_all_se.tsv.gz 6: 2 rows with another '3' than the mapping keeps\
""")


def test_a_source_with_a_header_and_no_rows(tmp_path: Path) -> None:
    table, _ = sider(tmp_path)
    write(table, SIDER_DRUGS.strip().splitlines()[0].replace("|", "\t") + "\n")
    assert outcome(table) == snapshot("0 documents")


# Networks

HETIONET_NODES = """
    id|name|kind
    Anatomy::UBERON:9900001|left quay|Anatomy
    Biological Process::GO:9900001|ebbing|Biological Process
    Compound::DB99001|Fluminol|Compound
    Compound::DB99002|Calmazine|Compound
    Disease::DOID:990001|harbour fever|Disease
    Disease::DOID:990002|dune cough|Disease
    Gene::990001|QUAY1|Gene
    Pharmacologic Class::N9900000001|Tidal Agents|Pharmacologic Class
    Side Effect::C9910002|Quay pain|Side Effect
    Symptom::D990001|Sail yawning|Symptom
"""


def hetionet(tmp_path: Path) -> Path:
    folder = tmp_path / "hetionet"
    write(folder / "nodes.tsv.gz", tabs(HETIONET_NODES))
    write(folder / "metagraph.json", json.dumps({"metanode_kinds": ["Gene"], "kinds": {"a": 1}}))
    return folder


def test_hetionet_edges(tmp_path: Path) -> None:
    table = """
        source|metaedge|target
        Compound::DB99001|CtD|Disease::DOID:990001
        Compound::DB99002|CpD|Disease::DOID:990001
        Compound::DB99001|CcSE|Side Effect::C9910002
        Disease::DOID:990001|DpS|Symptom::D990001
        Disease::DOID:990001|DlA|Anatomy::UBERON:9900001
        Gene::990001|GpBP|Biological Process::GO:9900001
        Pharmacologic Class::N9900000001|PCiC|Compound::DB99001
        Disease::DOID:990001|DrD|Disease::DOID:990002
        Gene::990001|GiG|Gene::999999
        Gene::990001|GxX|Disease::DOID:990001
    """
    folder = hetionet(tmp_path)
    write(folder / "edges-5k.sif.gz", tabs(table))
    assert outcome(folder) == snapshot("""\
1 documents
Calmazine [DRUGBANK:DB99002] –used_for→ harbour fever [DOID:990001] 0.5
Fluminol [DRUGBANK:DB99001] –has_side_effect→ Quay pain [UMLS:C9910002] 1
Fluminol [DRUGBANK:DB99001] –in_class→ Tidal Agents [NDFRT:N9900000001] 1
Fluminol [DRUGBANK:DB99001] –used_for→ harbour fever [DOID:990001] 1
QUAY1 [NCBIGene:990001] –gxx→ harbour fever [DOID:990001] 1
QUAY1 [NCBIGene:990001] –participates_in→ ebbing [GO:9900001] 1
harbour fever [DOID:990001] –has_symptom→ Sail yawning [MESH:D990001] 0.5
harbour fever [DOID:990001] –located_in→ left quay [UBERON:9900001] 1
harbour fever [DOID:990001] –resembles→ dune cough [DOID:990002] 1
skipped edges-5k.sif.gz 11: 1 rows with a 'target' that is not in the table 'nodes'
skipped edges-5k.sif.gz 11: 1 rows are kept as 'GxX', which is no predicate of the vocabulary and neutral\
""")


def test_hetionet_genes_of_diseases(tmp_path: Path) -> None:
    table = """
        doid_id|doid_name|entrez_gene_id|gene_symbol|sources|license
        DOID:990001|harbour fever|990001|QUAY1|DISEASES|
        DOID:990001|harbour fever|990002|QUAY2|DISEASES|
        DOID:990002|dune cough|990001|QUAY1|GWAS|CC0
        DOID:990002|dune cough|990001|QUAY1|GWAS|CC0
        |salt itch|990004|SALT4|GWAS|CC0
        DOID:990003||990004|SALT4|GWAS|CC0
    """
    path = write(hetionet(tmp_path) / "DaG-association.tsv", tabs(table))
    assert outcome(path) == snapshot("""\
1 documents
dune cough [DOID:990002] –associated_with_gene→ QUAY1 [NCBIGene:990001] 1 ×2
harbour fever [DOID:990001] –associated_with_gene→ QUAY1 [NCBIGene:990001] 1
harbour fever [DOID:990001] –associated_with_gene→ QUAY2 [NCBIGene:990002] 1
salt itch [mw.condition:salt_itch] –associated_with_gene→ SALT4 [NCBIGene:990004] 1
skipped DaG-association.tsv 7: nothing in the column 'doid_name'\
""")


def test_hetionet_genes_of_drugs(tmp_path: Path) -> None:
    table = """
        drugbank_id|entrez_gene_id|sources|pubmed_ids|actions|affinity_nM|license|urls
        DB99001|990001|Bank (target)|1|inhibitor||CC0|
        DB99002|990001|Bank (target)|2|agonist|0.5|CC0|
        DB99002|990001|Bank (target)|2|agonist|0.5|CC0|
        DB99003|990001|Bank (target)|3|||CC0|
        DB99001|990009|Bank (target)|4|||CC0|
    """
    path = write(hetionet(tmp_path) / "CbG-binding.tsv.gz", tabs(table))
    assert outcome(path) == snapshot("""\
1 documents
Calmazine [DRUGBANK:DB99002] –binds_gene→ QUAY1 [NCBIGene:990001] 1 ×2
Fluminol [DRUGBANK:DB99001] –binds_gene→ QUAY1 [NCBIGene:990001] 1
skipped CbG-binding.tsv.gz 6: 1 rows with a 'drugbank_id' that is not in the table 'nodes'
skipped CbG-binding.tsv.gz 6: 1 rows with a 'entrez_gene_id' that is not in the table 'nodes'\
""")


def test_hetionet_nodes_alone_say_nothing(tmp_path: Path) -> None:
    assert outcome(hetionet(tmp_path)) == snapshot("0 documents")


def test_fb15k237(tmp_path: Path) -> None:
    folder = tmp_path / "fb15k237"
    rows = [
        {"mid": f"/m/99{n}", "label": label, "aliases": [], "description": "", "wikidata": ""}
        for n, label in enumerate(["Quayville", "Duneland", "The Ebb", "Ann Pier", "comedy"])
    ]
    table = """
        /m/991|/location/country/capital|/m/990
        /m/992|/film/film/genre|/m/994
        /m/993|/people/person/place_of_birth|/m/990
        /m/993|/film/actor/film./film/performance/film|/m/992
        /m/993|/film/actor/film./film/performance/film|/m/992
    """
    unnamed = "/m/999|/film/film/genre|/m/994\n/m/992|/film/film/genre|/m/998"
    files = [
        write(folder / "train.tsv.gz", tabs(table)),
        write(folder / "valid.tsv.gz", tabs(unnamed)),
        write(folder / "test.tsv", tabs("/m/990|disease|/m/991")),
        write(folder / "entities.jsonl.gz", jsonl([*rows, {"mid": "/m/998", "label": ""}])),
    ]
    assert outcome(*files) == snapshot("""\
2 documents
Ann Pier [freebase:m.993] –rel:/film/actor/film./film/performance/film→ The Ebb [freebase:m.992] 1 ×2
Ann Pier [freebase:m.993] –rel:/people/person/place_of_birth→ Quayville [freebase:m.990] 1
Duneland [freebase:m.991] –rel:/location/country/capital→ Quayville [freebase:m.990] 1
Quayville [freebase:m.990] –rel:disease→ Duneland [freebase:m.991] 1
The Ebb [freebase:m.992] –rel:/film/film/genre→ comedy [freebase:m.994] 1
skipped valid.tsv.gz 2: nothing in the column '2.label'
skipped valid.tsv.gz 2: 1 rows with a '0' that is not in the table 'entities'\
""")


def test_mindmap(tmp_path: Path) -> None:
    table = """
        harbour_fever_(port_fever)|has_symptom|sail_yawning
        sail_yawning|possible_disease|harbour_fever
        harbour_fever|need_medication|fluminol
        fluminol|possible_cure_disease|harbour_fever
        harbour_fever|need_medical_test|quay_count
        quay_count|can_check_disease|harbour_fever
        dune_cough|has_symptom|sail_yawning
        dune_cough|has_symptom|sail_yawning
        dune_cough|has_colour|green
        dune_cough|has_symptom|_
    """
    assert outcome(write(tmp_path / "MindMap" / "train.txt", tabs(table))) == snapshot("""\
1 documents
dune cough [mw.condition:dune_cough] –has_symptom→ sail yawning [mw.condition:sail_yawning] 1 ×2
dune cough [mw.thing:dune_cough] –has_colour→ green [mw.thing:green] 1
fluminol [mw.substance:fluminol] –used_for→ harbour fever [mw.condition:harbour_fever] 1 ×2
harbour fever [mw.condition:harbour_fever] –has_symptom→ sail yawning [mw.condition:sail_yawning] 1 ×2
harbour fever [mw.condition:harbour_fever] –has_test→ quay count [mw.procedure:quay_count] 0.5 ×2
mw.condition:harbour_fever is also port fever
skipped train.txt 9: 1 rows are kept as 'has_colour', which is no predicate of the vocabulary and neutral (the nearest is 'has_cause')
skipped train.txt 10: nothing in the column '2'\
""")


# Questions and answers


def test_wikidoc(tmp_path: Path) -> None:
    asked = {
        "What are the symptoms of Harbour fever?": "Sails yawn.\nIt may ache.",
        "what causes  harbour fever ?": "The harbour fly.",
        "What are the causes of Harbour fever?": "The harbour fly, and salt.",
        "Who is at highest risk for Harbour fever?": "Sailors.",
        "When to seek urgent medical care when I have Harbour fever?": "When it aches.",
        "What to expect if I have Harbour fever (Outlook/Prognosis)?": "It goes away.",
        "What to expect if I have Dune cough?": "",
        "How to know you have Dune cough?": "Sand comes out.",
        "Where is Dune cough?": "In the dunes.",
        "What causes ?": "Nobody knows.",
    }
    rows = [{"answer": answer, "question": question} for question, answer in asked.items()]
    path = write(tmp_path / "wikidoc" / "patient_info_dev.jsonl.gz", jsonl(rows))
    assert outcome(path) == snapshot("""\
8 documents
Dune cough [mw.condition:dune_cough] –clinical_picture→ “Sand comes out.” 1
Harbour fever [mw.condition:harbour_fever] –causes_in_words→ “Sailors.” 1
Harbour fever [mw.condition:harbour_fever] –causes_in_words→ “The harbour fly, and salt.” 1
Harbour fever [mw.condition:harbour_fever] –causes_in_words→ “The harbour fly.” 1
Harbour fever [mw.condition:harbour_fever] –clinical_picture→ “It may ache.” 1
Harbour fever [mw.condition:harbour_fever] –clinical_picture→ “Sails yawn.” 1
Harbour fever [mw.condition:harbour_fever] –outlook→ “It goes away.” 1
Harbour fever [mw.condition:harbour_fever] –urgent_care_advice→ “When it aches.” 1
skipped patient_info_dev.jsonl.gz 10: no name in the field 'name'
skipped patient_info_dev.jsonl.gz 10: 1 questions that no pattern of the mapping fits\
""")


# Diseases from findings


def test_kaggle41_training(tmp_path: Path) -> None:
    text = (
        "itching,quay_pain,sail_ yawning,prognosis,\n"
        "1,0,1,Harbour fever,\n1,1,0,Harbour fever,\n1,0,1,Harbour fever,\n1,0,0, Dune cough ,\n"
        "0,0,0,Salt itch,\n0,1,0,,\n0,2,1,Tidal ache,\n1,1,1,Tidal ache,\n0,0,1,Tidal ache,\n"
        "1,1,Tidal ache,\n"
    )
    assert outcome(write(tmp_path / "kaggle41" / "Training.csv.gz", text)) == snapshot("""\
4 documents
Dune cough [mw.condition:dune_cough] –has_symptom→ itching [mw.condition:itching] 1
Harbour fever [mw.condition:harbour_fever] –has_symptom→ itching [mw.condition:itching] 1
Harbour fever [mw.condition:harbour_fever] –has_symptom→ quay pain [mw.condition:quay_pain] 1
Harbour fever [mw.condition:harbour_fever] –has_symptom→ sail yawning [mw.condition:sail_yawning] 1
Tidal ache [mw.condition:tidal_ache] –has_symptom→ itching [mw.condition:itching] 1
Tidal ache [mw.condition:tidal_ache] –has_symptom→ quay pain [mw.condition:quay_pain] 1
Tidal ache [mw.condition:tidal_ache] –has_symptom→ sail yawning [mw.condition:sail_yawning] 1
mw.condition:itching is also pruritus, itchy skin, itching all over, 瘙痒, 发痒, MESH:D011537, UMLS:C0033774
skipped Training.csv.gz 7: no name in the field 'prognosis'
skipped Training.csv.gz 11: 4 cells where the header has 5\
""")


def test_kaggle41_dataset(tmp_path: Path) -> None:
    text = (
        ",,,,\nHarbour fever,itching, quay_pain,,\nHarbour fever, quay_pain,sail _yawning,,\n"
        "Harbour fever,itching, quay_pain,,\nDune cough,cough,,,\nDune cough,cough,,,\n"
        "Salt itch,,,,\n,itching,,,\nTidal ache,itching,cough,quay_pain,sail _yawning\n"
        "Tidal ache,,,,cough\n"
    )
    assert outcome(write(tmp_path / "kaggle41" / "dataset.csv", text)) == snapshot("""\
4 documents
Dune cough [mw.condition:dune_cough] –has_symptom→ cough [mw.condition:cough] 1
Harbour fever [mw.condition:harbour_fever] –has_symptom→ itching [mw.condition:itching] 1
Harbour fever [mw.condition:harbour_fever] –has_symptom→ quay pain [mw.condition:quay_pain] 1
Harbour fever [mw.condition:harbour_fever] –has_symptom→ sail yawning [mw.condition:sail_yawning] 1
Tidal ache [mw.condition:tidal_ache] –has_symptom→ cough [mw.condition:cough] 1
Tidal ache [mw.condition:tidal_ache] –has_symptom→ itching [mw.condition:itching] 1
Tidal ache [mw.condition:tidal_ache] –has_symptom→ quay pain [mw.condition:quay_pain] 1
Tidal ache [mw.condition:tidal_ache] –has_symptom→ sail yawning [mw.condition:sail_yawning] 1
mw.condition:cough is also coughing, tussis, 咳嗽, MESH:D003371
mw.condition:itching is also pruritus, itchy skin, itching all over, 瘙痒, 发痒, MESH:D011537, UMLS:C0033774
skipped dataset.csv 8: no name in the field '0'\
""")


def test_kaggle41_words(tmp_path: Path) -> None:
    folder = tmp_path / "kaggle41"
    description = (
        'Harbour fever,"It comes from harbours, mostly. It goes."\nDune cough,It is dry.\n'
        "Dune cough,It is dry.\nDune cough,It is not dry.\nSalt itch,\n"
    )
    precaution = (
        "Harbour fever,stay inland,rest,,\nDune cough,drink water,drink water,,\nSalt itch,,,,\n"
    )
    severity = "itching,1\nquay_pain,3\n"
    files = [
        write(folder / "symptom_Description.csv.gz", description),
        write(folder / "symptom_precaution.csv.gz", precaution),
        write(folder / "Symptom_severity.csv.gz", severity),
    ]
    assert outcome(*files) == snapshot("""\
7 documents
Dune cough [mw.condition:dune_cough] –described_as→ “It is dry.” 1
Dune cough [mw.condition:dune_cough] –described_as→ “It is not dry.” 1
Dune cough [mw.condition:dune_cough] –treatment_advice→ “drink water” 1 ×2
Harbour fever [mw.condition:harbour_fever] –described_as→ “It comes from harbours, mostly.” 1
Harbour fever [mw.condition:harbour_fever] –described_as→ “It goes.” 1
Harbour fever [mw.condition:harbour_fever] –treatment_advice→ “rest” 1
Harbour fever [mw.condition:harbour_fever] –treatment_advice→ “stay inland” 1
skipped symptom_Description.csv.gz 3: the same record stands above\
""")


def ddxplus(tmp_path: Path) -> tuple[Path, Path]:
    names = ["Harbour fever", "Dune cough", "Salt itch"]
    codes: list[tuple[dict[str, object], dict[str, object]]] = [
        ({"E_991": {}, "E_992": {}}, {"E_993": {}}),
        ({"E_992": {}, "E_999": {}}, {}),
        ({}, {"E_994": {}}),
    ]
    conditions = {
        name: {
            "condition_name": name, "cond-name-eng": name, "icd10-id": code,
            "symptoms": symptoms, "antecedents": antecedents, "severity": 3,
        }
        for name, code, (symptoms, antecedents) in zip(names, ["z99.1", "Z99", ""], codes, strict=True)
    }  # fmt: skip
    questions = {
        "E_991": "Do your sails yawn?", "E_992": "Is there sand?",
        "E_993": "Do you live in a harbour?", "E_994": "",
    }  # fmt: skip
    evidences = {
        code: {"name": code, "question_en": question, "value_meaning": {}}
        for code, question in questions.items()
    }
    folder = tmp_path / "ddxplus"
    return (
        write(folder / "release_conditions.json.gz", json.dumps(conditions, indent=4)),
        write(folder / "release_evidences.json.gz", json.dumps(evidences, indent=4)),
    )


def test_ddxplus(tmp_path: Path) -> None:
    assert outcome(*ddxplus(tmp_path)) == snapshot("""\
3 documents
Dune cough [mw.condition:dune_cough] –has_symptom→ Is there sand? [DDXPLUS:E_992] 1
Harbour fever [mw.condition:harbour_fever] –has_risk_factor→ Do you live in a harbour? [DDXPLUS:E_993] 0.5
Harbour fever [mw.condition:harbour_fever] –has_symptom→ Do your sails yawn? [DDXPLUS:E_991] 1
Harbour fever [mw.condition:harbour_fever] –has_symptom→ Is there sand? [DDXPLUS:E_992] 1
mw.condition:dune_cough is also ICD10:Z99
mw.condition:harbour_fever is also ICD10:z99.1
skipped release_conditions.json.gz 15: 1 keys without a meaning in 'symptoms'
skipped release_conditions.json.gz 26: 1 keys without a meaning in 'antecedents'\
""")


def test_ddxplus_without_the_evidences(tmp_path: Path) -> None:
    conditions, evidences = ddxplus(tmp_path)
    evidences.unlink()
    with (
        KnowledgeBase.open("memory:") as base,
        pytest.raises(SourceError, match="'release_evidences' is missing"),
    ):
        base.build([conditions])


def test_medrag_kg(tmp_path: Path) -> None:
    said = [
        ("harbour_fever", "has_symptomatology", "Sails that yawn, and sand"),
        ("harbour_fever", "has_psychopathology", "Longing for the sea"),
        ("harbour_fever", "has_immunology", "No antibodies are known"),
        ("harbour_fever", "has_exposure", "Harbour flies"),
        ("harbour_fever", "has_lifestyle", "Common in sailors"),
        ("harbour_fever", "has_anamnesis", "Went to sea"),
        ("harbour_fever", "has_therapy", "Stay inland"),
        ("harbour_fever", "is_a", "fevers_of_the_coast"),
        ("harbour_fever", "is_a", "fevers_of_the_coast"),
        ("harbour_fever", "has_smell", "Salt"),
    ]
    rows = [dict(zip("hrt", row, strict=True)) for row in said]
    path = write(tmp_path / "ddxplus" / "medrag_kg.jsonl.gz", jsonl(rows))
    assert outcome(path) == snapshot("""\
1 documents
harbour fever [mw.condition:harbour_fever] –causes_in_words→ “Common in sailors” 1
harbour fever [mw.condition:harbour_fever] –causes_in_words→ “Harbour flies” 1
harbour fever [mw.condition:harbour_fever] –causes_in_words→ “No antibodies are known” 1
harbour fever [mw.condition:harbour_fever] –causes_in_words→ “Went to sea” 1
harbour fever [mw.condition:harbour_fever] –clinical_picture→ “Longing for the sea” 1
harbour fever [mw.condition:harbour_fever] –clinical_picture→ “Sails that yawn, and sand” 1
harbour fever [mw.condition:harbour_fever] –treatment_advice→ “Stay inland” 1
skipped medrag_kg.jsonl.gz 10: 3 rows with another 'r' than the mapping keeps\
""")


# What a language model read


def test_llmkgraph(tmp_path: Path) -> None:
    head = "pub_id,entity1_name,entity1_type,relation_type,entity2_name,entity2_type\n"
    text = head + (
        "990001,Harbour fever,disease,present,Sail yawning,symptom\n"
        "990001,Fluminol,drug,treat,Harbour fever,disease\n"
        "990002,Fluminol,drug,prevent,Harbour fever,disease\n"
        '990002,"Quay, the left",complication,cause,Low tide,prognosis\n'
        "990002,Salt,drug,aggravate,Harbour fever,comorbidity\n"
        "990003,QUAY1,gene,affect,Harbour fever,disease\n"
        "990003,QUAY1,gene,affect,Harbour fever,disease\n"
        "990003,Salt,poem,cause,Harbour fever,disease\n"
        ",Fluminol,drug,improve,Sail yawning,symptom\n"
        "990004,Fluminol,drug,sing,Sail yawning,symptom\n"
    )
    assert outcome(write(tmp_path / "relations.csv", text)) == snapshot("""\
5 documents
Fluminol [mw.substance:fluminol] –improves→ Sail yawning [mw.condition:sail_yawning] 1
Fluminol [mw.substance:fluminol] –sing→ Sail yawning [mw.condition:sail_yawning] 1
Fluminol [mw.substance:fluminol] –used_for→ Harbour fever [mw.condition:harbour_fever] 1
Fluminol [mw.substance:fluminol] –used_to_prevent→ Harbour fever [mw.condition:harbour_fever] 1
Harbour fever [mw.condition:harbour_fever] –shows→ Sail yawning [mw.condition:sail_yawning] 1
QUAY1 [mw.gene:quay1] –affects→ Harbour fever [mw.condition:harbour_fever] 1
Quay, the left [mw.condition:quay,_the_left] –leads_to→ Low tide [mw.condition:low_tide] 1
Salt [mw.substance:salt] –aggravates→ Harbour fever [mw.condition:harbour_fever] 1
Salt [mw.substance:salt] –leads_to→ Harbour fever [mw.condition:harbour_fever] 1
skipped relations.csv 11: 1 rows are kept as 'sing', which is no predicate of the vocabulary and neutral\
""")


def test_text_that_looks_like_a_program_is_never_run(tmp_path: Path) -> None:
    text = f"__import__('pathlib').Path({str(tmp_path / 'run')!r}).touch()"
    row = {"name": "石桥疮", "acompany": [], "cure_way": [], "common_drug": f"[{text}]",
           "check": [], "symptom": [text]}  # fmt: skip
    with KnowledgeBase.open("memory:") as base:
        report = base.build([write(tmp_path / "m.jsonl", jsonl([row]))])
        shown = told(base, report)
    assert not (tmp_path / "run").exists()
    assert shown.count("pathlib") == 4
