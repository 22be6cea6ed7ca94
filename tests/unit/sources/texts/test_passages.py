"""Passages of a whole text: each character in one of them, cut at headings and sentences."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from medweave.language.sentences import sentences
from medweave.model.passage import Passage, passage_of
from medweave.sources.texts.passages import PASSAGE_WORDS, passages_of
from medweave.sources.texts.plain import plain_text
from medweave.sources.texts.whole import Heading, WholeText

SENTENCE = "Patients with a cough should drink enough water every day. "
HAN = "咳嗽的病人每天应当多喝水，注意休息。"


def parted(whole: WholeText, words: int = PASSAGE_WORDS) -> list[Passage]:
    return list(passages_of(whole, "a.txt", words))


def squeezed(text: str) -> str:
    return "".join(text.split())


@given(
    st.lists(
        st.sampled_from(
            [SENTENCE, HAN, "\n", "\n\n", "e.g. Dr. Ng", "1.5 mg ", "x" * 700, "- a\n", " "]
        )
        | st.text(max_size=30),
        max_size=60,
    ),
    st.integers(3, 60),
    st.lists(st.tuples(st.integers(0, 900), st.integers(1, 6)), max_size=6),
)
def test_every_character_stands_in_exactly_one_passage(
    pieces: list[str], words: int, marks: list[tuple[int, int]]
) -> None:
    text = "".join(pieces)
    starts = {place % (len(text) + 1): level for place, level in marks}
    headings = tuple(
        Heading(place, level, text[place : place + 9]) for place, level in sorted(starts.items())
    )
    found = parted(WholeText(text, headings), words)
    assert squeezed("".join(p.text for p in found)) == squeezed(text)
    assert [p.number for p in found] == list(range(1, len(found) + 1))
    assert all(text[p.start : p.end] == p.text and p.text.strip() == p.text for p in found)
    assert all(a.end <= b.start for a, b in pairwise(found))


def test_no_sentence_is_parted_and_lengths_are_even() -> None:
    for sentence in (SENTENCE, HAN):
        text = sentence * 200
        found = parted(WholeText(text))
        whole = [said for _, _, said in sentences(text)]
        assert [said for p in found for _, _, said in sentences(p.text)] == whole
        lengths = [len(p.text) for p in found]
        assert max(lengths) <= 1.4 * min(lengths)
        assert 6 < len(found) < 20 or sentence == HAN


def test_a_monstrous_sentence_is_parted_at_its_commas_and_else_at_blanks() -> None:
    found = parted(WholeText("fever and cough, " * 400))
    assert len(found) > 3
    assert all(p.text.endswith(",") for p in found)
    assert len(parted(WholeText("fever " * 2000))) > 5
    assert len(parted(WholeText("热" * 3000))) > 5


def test_a_passage_ends_at_a_paragraph_where_one_is_near() -> None:
    paragraph = SENTENCE * 15
    found = parted(WholeText(f"{paragraph}\n\n{paragraph}\n\n{paragraph}"))
    assert [squeezed(p.text) for p in found] == [squeezed(paragraph)] * 3


def test_headings_part_passages_and_make_their_path() -> None:
    text = "Book\nOne\nFirst.\nOne A\nSecond.\nTwo\nThird."
    levels = {"Book": 1, "One": 2, "One A": 3, "Two": 2}
    places = {"Book": 0, "One": 5, "One A": 16, "Two": 30}
    whole = WholeText(text, tuple(Heading(places[t], levels[t], t) for t in levels))
    assert [(p.headings, p.text) for p in parted(whole)] == [
        (("Book", "One"), "Book\nOne\nFirst."),
        (("Book", "One", "One A"), "One A\nSecond."),
        (("Book", "Two"), "Two\nThird."),
    ]


def test_a_heading_at_the_end_is_not_lost() -> None:
    whole = WholeText("Text.\nAnnex", (Heading(6, 1, "Annex"),))
    assert [p.text for p in parted(whole)] == ["Text.", "Annex"]


def test_pages_are_counted_from_one() -> None:
    whole = plain_text("First page.\n\fSecond page.\n\fThird page.\n")
    assert [whole.page_at(whole.text.index(word)) for word in ("First", "Second", "Third")] == [
        1,
        2,
        3,
    ]


def test_what_stands_before_a_change_stays_as_it_was() -> None:
    before = parted(WholeText(SENTENCE * 100))
    after = parted(WholeText(SENTENCE * 90 + "Something new is said here. " + SENTENCE * 10))
    assert after[:4] == before[:4]


def test_a_passage_is_read_back_from_its_document() -> None:
    from medweave.model.document import Document

    passage = Passage("a.pdf", 3, 10, 15, "Rest.", page=2, headings=("Flu", "Care"))
    assert passage_of(Document("/a.pdf", passage.name, "a.pdf", passage.fields())) == passage
