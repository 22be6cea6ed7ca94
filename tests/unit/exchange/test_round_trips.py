"""What is exported and imported again is the same base, whatever is in it."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import ANY

import pytest
import rdflib
from hypothesis import given, settings
from hypothesis import strategies as st

from medweave.errors import ConfigurationError, SourceError
from medweave.exchange.formats import LOSSLESS, format_of
from medweave.graph.contents import contents_of, extractions_of
from medweave.knowledge_base import KnowledgeBase
from medweave.model.document import Extraction
from medweave.model.statement import Literal
from medweave.stores.derived import view_of
from medweave.stores.memory import MemoryStore
from medweave.testing.worlds import (
    COLD,
    COUGH,
    FEVER,
    SYMPTOM,
    contents,
    denies,
    document,
    documents,
    inferring_documents,
    says,
)

_TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
"""Any text at all: quotes, tabs, line ends, marks of every format."""


@st.composite
def _odd_documents(draw: st.DrawFn) -> Extraction:
    """Documents with whatever texts may come from anywhere."""
    value = Literal(draw(_TEXTS), draw(st.sampled_from(["", "en", "zh-Hans"])), draw(_TEXTS))
    claim = says(COLD, SYMPTOM, value, quote=draw(_TEXTS), qualifiers={"action": draw(_TEXTS)})
    return document("d" + draw(_TEXTS), claim, source="/odd " + draw(_TEXTS), text=draw(_TEXTS))


_WORLDS = st.lists(st.one_of(documents(), inferring_documents(), _odd_documents()), max_size=4)


def _place(name: str, folder: str) -> Path:
    ending = LOSSLESS[name].endings[0]
    return Path(folder) / (f"base{ending}" if ending.startswith(".") else "base")


def _there_and_back(name: str, base: KnowledgeBase, folder: str) -> KnowledgeBase:
    base.export(_place(name, folder), name)
    other = KnowledgeBase.open("memory:")
    other.import_([_place(name, folder)])
    return other


@pytest.mark.thorough
@pytest.mark.parametrize("name", LOSSLESS)
@settings(max_examples=settings().max_examples // 4)  # of each format
@given(made=_WORLDS)
def test_any_base_comes_back_as_it_was(name: str, made: list[Extraction]) -> None:
    with KnowledgeBase.open("memory:") as base, tempfile.TemporaryDirectory() as folder:
        store = base.knowledge.store
        store.put([*made, document("always")])
        with _there_and_back(name, base, folder) as other:
            assert contents(other.knowledge.store) == contents(store)
            assert other.version.hash == base.version.hash


@given(made=_WORLDS)
def test_contents_are_all_that_a_store_was_given(made: list[Extraction]) -> None:
    store, other = view_of(MemoryStore()), view_of(MemoryStore())
    store.put(made)
    other.put(extractions_of(contents_of(store)))
    assert contents(other) == contents(store)


@pytest.fixture(scope="module")
def part_of_the_sample() -> Iterator[KnowledgeBase]:
    """Every eighth document of the sample base: all kinds of sources, in both languages."""
    with KnowledgeBase.sample() as whole, KnowledgeBase.open("memory:") as part:
        documents = extractions_of(contents_of(whole.knowledge.store))
        part.knowledge.store.put(list(documents)[::8])
        yield part


@pytest.mark.thorough
@pytest.mark.parametrize("name", LOSSLESS)
def test_real_documents_come_back_with_their_hash(
    name: str, part_of_the_sample: KnowledgeBase, tmp_path: Path
) -> None:
    with _there_and_back(name, part_of_the_sample, str(tmp_path)) as other:
        assert other.version.hash == part_of_the_sample.version.hash


@pytest.mark.thorough
def test_the_sample_base_comes_back_and_answers_as_before(tmp_path: Path) -> None:
    with KnowledgeBase.sample() as base, _there_and_back("kgx-jsonl", base, str(tmp_path)) as other:
        assert other.version.hash == base.version.hash
        question = "Can I give ibuprofen to a patient on warfarin?"
        assert other.ask(question).sentences == base.ask(question).sentences


def _small() -> KnowledgeBase:
    base = KnowledgeBase.open("memory:")
    claims = [says(COLD, SYMPTOM, COUGH, quote="a cough"), denies(COLD, SYMPTOM, FEVER)]
    base.knowledge.store.put([document("cold", *claims)])
    return base


@pytest.mark.filterwarnings("ignore::DeprecationWarning:rdflib")  # of its own making
@pytest.mark.parametrize("name", ["turtle", "trig"])
def test_another_reader_of_rdf_reads_the_same_graph(name: str, tmp_path: Path) -> None:
    with _small() as base:
        base.export(_place(name, str(tmp_path)), name)
    graph = rdflib.Dataset(default_union=True)
    graph.parse(data=_place(name, str(tmp_path)).read_text("utf-8"), format=name)
    cold, symptom = (
        rdflib.URIRef(f"urn:medweave:{part}") for part in (COLD, f"relation:{SYMPTOM}")
    )
    assert set(graph.objects(cold, symptom)) == {rdflib.URIRef(f"urn:medweave:{COUGH}")}
    statements = set(graph.subjects(rdflib.RDF.type, rdflib.RDF.Statement))
    objects = {str(graph.value(each, rdflib.RDF.object)) for each in statements}
    assert objects == {f"urn:medweave:{COUGH}", f"urn:medweave:{FEVER}"}


@pytest.mark.thorough
@pytest.mark.parametrize("name", LOSSLESS)
def test_a_file_that_is_cut_leaves_the_base_as_it_was(
    name: str, part_of_the_sample: KnowledgeBase, tmp_path: Path
) -> None:
    place = _place(name, str(tmp_path))
    part_of_the_sample.export(place, name)
    largest = max(place.iterdir(), key=lambda f: f.stat().st_size) if place.is_dir() else place
    content = largest.read_bytes()
    largest.write_bytes(content[: len(content) * 2 // 3])
    with _small() as base:
        before = base.version
        with pytest.raises(SourceError) as raised:
            base.import_([place])
        assert raised.value.remedy
        assert base.version == before


@pytest.mark.parametrize("name", ["turtle", "trig"])
def test_a_file_that_is_cut_between_two_nodes_is_refused(name: str, tmp_path: Path) -> None:
    place = _place(name, str(tmp_path))
    with _small() as base:
        base.export(place, name)
        text = place.read_text("utf-8")
        last = text.rindex("a prov:Entity ;\n\t", 0, text.rindex("prov:specializationOf"))
        cut = text[: text.rindex(".\n", 0, last) + 2]
        place.write_text(cut + ("}\n" if name == "trig" else ""), "utf-8")
        before = base.version
        with pytest.raises(SourceError):
            base.import_([place])
        assert base.version == before


def test_a_statement_that_was_changed_by_hand_is_refused(tmp_path: Path) -> None:
    with _small() as base:
        base.export(tmp_path / "base.ttl", "turtle")
        text = (tmp_path / "base.ttl").read_text("utf-8")
        (tmp_path / "base.ttl").write_text(text.replace(COUGH, FEVER), "utf-8")
        with pytest.raises(SourceError, match="is not what it says"):
            base.import_([tmp_path / "base.ttl"])


def test_what_is_of_no_base_is_told_so(tmp_path: Path) -> None:
    (tmp_path / "eyes.ttl").write_text("<urn:a> <urn:b> <urn:c> .", "utf-8")
    (tmp_path / "notes.txt").write_text("a cough", "utf-8")
    with KnowledgeBase.open("memory:") as base:
        with pytest.raises(SourceError, match="no documents of a base"):
            base.import_([tmp_path / "eyes.ttl"])
        with pytest.raises(SourceError, match="cannot be told from its name"):
            base.import_([tmp_path / "notes.txt"])
        with pytest.raises(SourceError, match="no such file"):
            base.import_([tmp_path / "nowhere.ttl"])
        with pytest.raises(ConfigurationError, match="no format 'xml'"):
            base.import_([tmp_path / "eyes.ttl"], "xml")


def test_formats_are_known_by_their_names(tmp_path: Path) -> None:
    with _small() as base:
        for name in LOSSLESS:
            base.export(_place(name, str(tmp_path / name)), name)
            assert format_of(_place(name, str(tmp_path / name))).name == name


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["relations", "mindmap"])
def test_what_holds_less_gives_the_same_lines_again(name: str, tmp_path: Path) -> None:
    first, second = tmp_path / "one" / f"{name}.txt", tmp_path / "two.txt"
    first = first.with_suffix(".jsonl" if name == "relations" else ".txt")
    with KnowledgeBase.sample() as base:
        base.export(first, name)
    with KnowledgeBase.open("memory:") as other:
        other.import_([first], name)
        other.export(second, name)
    assert len(first.read_text("utf-8").splitlines()) > 100
    assert _untyped(second) == _untyped(first)


def _untyped(path: Path) -> list[str]:
    """The lines without the types of things: on reading, these give way to the lexicon's."""
    return [re.sub(r'"entity\d_type": "\w+"', "", line) for line in _lines_of(path)]


def _lines_of(path: Path) -> list[str]:
    return sorted(path.read_text("utf-8").splitlines())


def _conforms(shapes: Path, data: str) -> tuple[bool, str]:
    from pyshacl import validate

    conforms, _, text = validate(data, shacl_graph=str(shapes), data_graph_format="turtle")
    return bool(conforms), str(text)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of pyshacl's own making
def test_what_is_exported_has_the_shapes_and_what_is_broken_has_not(tmp_path: Path) -> None:
    with _small() as base:
        base.export(tmp_path / "base.ttl", "turtle")
        base.export(tmp_path / "shapes.ttl", "shacl")
    whole = (tmp_path / "base.ttl").read_text("utf-8")
    assert _conforms(tmp_path / "shapes.ttl", whole) == (True, ANY)
    for broken in (
        whole.replace("mw:polarity 1", "mw:polarity 3"),
        whole.replace("prov:specializationOf", "prov:alternateOf"),
        whole.replace("dcterms:identifier", "dcterms:alternative"),
    ):
        assert broken != whole
        assert not _conforms(tmp_path / "shapes.ttl", broken)[0]
        (tmp_path / "broken.ttl").write_text(broken, "utf-8")
        with KnowledgeBase.open("memory:") as other, pytest.raises(SourceError):
            other.import_([tmp_path / "broken.ttl"])


@pytest.mark.parametrize("lost", ["nodes", "edges"])
@pytest.mark.parametrize("at", [0, -1])
def test_a_file_that_lost_whole_rows_is_refused(lost: str, at: int, tmp_path: Path) -> None:
    with _small() as base:
        base.export(tmp_path / "kgx", "kgx-jsonl")
    file = tmp_path / "kgx" / f"{lost}.jsonl"
    rows = file.read_text("utf-8").splitlines(keepends=True)
    del rows[at]
    file.write_text("".join(rows), "utf-8")
    with KnowledgeBase.open("memory:") as other:
        with pytest.raises(SourceError):
            other.import_([tmp_path / "kgx"])
        assert not other.version.revision
