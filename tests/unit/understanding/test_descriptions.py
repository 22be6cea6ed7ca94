"""The reader of descriptions: its files fit its lists, and it tells nothing of everyday life."""

import pytest

from medweave.errors import SourceError
from medweave.language.passage import passage_of
from medweave.model.vectors import VectorModel, Vectors
from medweave.ports import SentenceVectors
from medweave.understanding.descriptions.find import find_descriptions
from medweave.understanding.descriptions.model import (
    NOTHING,
    DescriptionModel,
    shipped_descriptions,
)
from medweave.understanding.descriptions.sentence_model import SentenceModel, shipped_sentence_model
from medweave.understanding.descriptions.training import (
    drawn_apart,
    fragments,
    heads,
    near_misses,
    ordinary,
    phrases,
    train_descriptions,
)
from medweave.vocabulary.lexicon import shipped_lexicon

LANGUAGES = ("en", "zh")


def vectors_along(label: str, model: str = "") -> SentenceVectors:
    """Every text as what the weights of one state are of."""
    meaning = shipped_sentence_model("en")
    row = meaning.weights[list(meaning.labels).index(label)][:-1]
    made = VectorModel(model or meaning.model, len(row))
    return lambda texts, _: Vectors.of(made, [(row / (row**2).sum() ** 0.5).tolist()] * len(texts))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_weights_that_ship_are_of_the_lists_that_lie_beside(language: str) -> None:
    model, said = shipped_descriptions(language), phrases(language)
    assert model.trained_on["phrases"] == len(said)
    assert {one.label for one in said} <= set(model.labels)
    assert model.heads == heads()
    known = shipped_lexicon().terms
    assert all(
        label.partition(" ")[2] in known for label in {*heads().values(), *(s.label for s in said)}
    )
    texts = [one.text.casefold() for one in (*said, *near_misses(language))]
    assert len(texts) == len(set(texts))


def test_of_phrases_kept_aside_more_are_found_than_clauses_that_tell_none_are_raised() -> None:
    """A small training of its own: what it finds, it has not seen."""
    said = [one for one in phrases("en") if one.label.endswith((":asthma", ":peptic_ulcer"))]
    learned, apart = drawn_apart(said)
    nothing = near_misses("en")
    model = train_descriptions([*learned, *nothing[::2]], "en")
    family = heads()
    read = [(one.label, model.read(one.text, "en")) for one in apart]
    found = [r for label, r in read if r and family.get(label, label) == r.label]
    raised = [r for one in nothing[1::2] if (r := model.read(one.text, "en"))]
    assert len(found) / len(apart) > 0.5
    assert len(raised) / len(nothing[1::2]) < 0.1


@pytest.mark.parametrize(
    "text",
    [
        "My goldfish swims on its side.",
        "We painted the nursery and my arms ache.",
        "I bought new tyres and a tube of toothpaste.",
        "孩子今天春游，回来晒黑了。",
    ],
)
def test_everyday_life_describes_nothing(text: str) -> None:
    assert find_descriptions(passage_of(text), ()) == ()


def test_a_part_of_a_clause_describes_by_itself() -> None:
    text = "My uncle has a bad cough and I carry a blue puffer."
    assert "mw.condition:asthma" in {one.entity for one in find_descriptions(passage_of(text), ())}
    aside = find_descriptions(passage_of("I take the mini pill, by the way."), ())
    assert "mw.population:pregnancy" not in {one.entity for one in aside}


def test_a_file_of_something_else_is_refused() -> None:
    with pytest.raises(SourceError):
        DescriptionModel.from_text('{"format": "medweave danger 1"}', where="danger.json")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_weights_over_sentence_vectors_are_of_the_lists_too(language: str) -> None:
    model, said = shipped_sentence_model(language), phrases(language)
    nothing = [*near_misses(language), *ordinary(language), *fragments(language)]
    assert list(model.trained_on.values()) == [len(said), len(nothing)]
    assert set(model.labels) == {*(one.label for one in said), *heads().values(), NOTHING}
    again = SentenceModel.from_text(model.to_text(), where="again")
    assert (again.weights == model.weights).all()


def test_a_clause_is_read_by_its_meaning_where_the_vectors_are_of_the_weights() -> None:
    passage = passage_of("I carry a blue puffer.")
    [found] = find_descriptions(passage, (), (), vectors_along("has mw.condition:glaucoma"))
    assert found.entity == "mw.condition:glaucoma"
    assert find_descriptions(passage, (), (), vectors_along(NOTHING)) == find_descriptions(
        passage, ()
    )
    denied = passage_of("I don't carry a blue puffer.")
    assert find_descriptions(denied, (), (), vectors_along("has mw.condition:glaucoma")) == ()


@pytest.mark.parametrize(
    "vectors", [vectors_along("has mw.condition:glaucoma", "another model"), lambda *_: None]
)
def test_with_another_embedder_or_none_it_is_read_by_its_words(vectors: SentenceVectors) -> None:
    passage = passage_of("I carry a blue puffer.")
    assert find_descriptions(passage, (), (), vectors) == find_descriptions(passage, ())


def test_weights_of_something_else_are_refused() -> None:
    with pytest.raises(SourceError):
        SentenceModel.from_text('{"format": "medweave danger 1"}', where="danger.json")


@pytest.mark.parametrize("person", ["Mr Okafor", "Mrs O'Brien", "Dr Lindqvist"])
def test_who_is_named_describes_nothing(person: str) -> None:
    assert find_descriptions(passage_of(f"And back to {person}: may he go?"), ()) == ()
