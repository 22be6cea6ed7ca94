"""What `medweave.toml` may say, and what is said of an entry that is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from medweave.errors import ConfigurationError
from medweave.model.configuration import DEFAULTS, NEVER_RANKED, Configuration
from medweave.model.embedder import AUTOMATIC, EmbedderName
from medweave.model.ranking import Ranking
from medweave.model.vectors import VectorSearch
from medweave.retrieval.lookup import PROPERTIES
from medweave.settings import SettingsError, read_settings


def written(folder: Path, text: str) -> Path:
    (folder / "medweave.toml").write_text(text, "utf-8")
    return folder


def test_without_a_file_everything_is_as_shipped(tmp_path: Path) -> None:
    settings = read_settings(folder=tmp_path, environment={})
    assert (settings.kb, settings.configuration) == ("", Configuration())


def test_the_file_sets_the_ranking_and_the_methods(tmp_path: Path) -> None:
    text = 'ranking = "textrank"\ndamping = 0.85\ncorrection = 0.25\n[methods]\ndrug = "lookup"\n'
    found = read_settings(folder=written(tmp_path, text), environment={}).configuration
    assert found.ranking == Ranking("textrank", 0.85, 0.25)
    assert found.method("drug", from_symptoms=True) == "lookup"


def test_what_is_said_last_counts_and_leaves_the_rest(tmp_path: Path) -> None:
    folder = written(tmp_path, 'ranking = "textrank"\ndamping = 0.85\n')
    environment = {"MEDWEAVE_RANKING": "verbatim"}
    by_variable = read_settings(folder=folder, environment=environment)
    assert by_variable.configuration.ranking == Ranking("verbatim", 0.85)
    by_argument = read_settings(folder=folder, environment=environment, ranking="personalized")
    assert by_argument.configuration.ranking == Ranking("personalized", 0.85)


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ('ranking = "pagerank"', "ranking"),
        ("ranking = 1", "ranking"),
        ("kb = 1", "kb"),
        ("damping = 1.5", "damping"),
        ('damping = "much"', "damping"),
        ("correction = -1", "correction"),
        ("dampnig = 0.3", "dampnig"),
        ('methods = "lookup"', "methods"),
        ('[methods]\nsymptoms = "lookup"', "methods.symptoms"),
        ('[methods]\ndiagnosis = "guess"', "methods.diagnosis"),
        ("[methods]\ndiagnosis = 1", "methods.diagnosis"),
        ('[methods]\ncontraindication = "ranking"', "methods.contraindication"),
        ('embedder = "word2vec"', "embedder"),
        ('embedder = "openai-compatible:m@nowhere"', "embedder"),
        ("embedder = 1", "embedder"),
        ('vector_index = "ivf"', "vector_index"),
        ('vector_index_above = "many"', "vector_index_above"),
        ("vector_index_above = -1", "vector_index_above"),
        ("vector_index_above = true", "vector_index_above"),
    ],
)
def test_a_wrong_entry_is_named_with_its_file_and_what_to_do(
    tmp_path: Path, text: str, key: str
) -> None:
    with pytest.raises(SettingsError) as raised:
        read_settings(folder=written(tmp_path, text), environment={})
    assert raised.value.where == f"{tmp_path / 'medweave.toml'}, {key}"
    assert raised.value.remedy


def test_the_embedder_is_set_by_argument_before_variable_before_file(tmp_path: Path) -> None:
    assert read_settings(folder=tmp_path, environment={}).embedder == AUTOMATIC
    folder = written(tmp_path, 'embedder = "none"\nvector_index = "hnsw"\nvector_index_above = 5')
    by_file = read_settings(folder=folder, environment={})
    assert (by_file.embedder.kind, by_file.search) == ("none", VectorSearch("hnsw", 5))
    environment = {"MEDWEAVE_EMBEDDER": "minilm"}
    by_variable = read_settings(folder=folder, environment=environment)
    assert by_variable.embedder.kind == "minilm"
    named = "openai-compatible:m@http://localhost/v1"
    by_argument = read_settings(folder=folder, environment=environment, embedder=named)
    assert by_argument.embedder == EmbedderName("endpoint", "m", "http://localhost/v1")
    with pytest.raises(ConfigurationError, match="no embedder 'x'"):
        read_settings(folder=folder, environment={"MEDWEAVE_EMBEDDER": "x"})


def test_a_file_that_is_no_toml_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="cannot be read"):
        read_settings(folder=written(tmp_path, "ranking: textrank"), environment={})


def test_a_ranking_that_is_not_there_is_an_error_wherever_it_comes_from(tmp_path: Path) -> None:
    for arguments in ({"ranking": "x"}, {"environment": {"MEDWEAVE_RANKING": "x"}}):
        with pytest.raises(ConfigurationError, match="personalized, textrank, verbatim"):
            read_settings(folder=tmp_path, **arguments)


def test_every_intent_that_is_looked_up_has_a_method() -> None:
    assert {*DEFAULTS, *NEVER_RANKED} == {"diagnosis", *PROPERTIES}
    assert {intent for intent, method in DEFAULTS.items() if method == "ranking"} == {"diagnosis"}
