"""The words of a model are cut into sentences as they come, and nothing but words is left."""

from __future__ import annotations

import pytest

from medweave.generation.words import SentenceStream, plain_words

TEXT = (
    "Joint pain is a symptom of gout [s1]. E.g. in the knee. [s2, s3] See Dr. Hill.\n\n"
    "- It returns\n## 痛风很痛。[s4] 会复发！ The end"
)
SENTENCES = ["Joint pain is a symptom of gout.", "E.g. in the knee.", "See Dr. Hill.",
             "It returns", "痛风很痛。", "会复发！", "The end"]  # fmt: skip


@pytest.mark.parametrize("size", [1, 2, 3, 7, 20, 1000])
def test_sentences_are_the_same_however_they_are_cut_up(size: int) -> None:
    stream = SentenceStream()
    pieces = [TEXT[at : at + size] for at in range(0, len(TEXT), size)]
    said = [sentence for piece in pieces for sentence in stream.take(piece)]
    assert [*said, *stream.rest()] == SENTENCES


@pytest.mark.parametrize(
    "text",
    [
        "Gout ![x](http://evil.example/p.png?d=1) hurts.",
        "Gout ![x][1] hurts.\n[1]: http://evil.example/p.png",
        "[Gout](http://evil.example) hurts.",
        "[Gout](javascript:alert(1)) hurts.",
        "<a href='http://evil.example'>Gout</a> hurts.",
        "<img src=//evil.example/p.png>Gout hurts.",
        "Gout https://evil.example/a?b=c hurts.",
        "Gout evil.example/login hurts.",
        "Gout <http://evil.example> hurts.",
        "Gout hurts (www.evil.example).",
        "Gout data:text/html;base64,AAAA hurts.",
        "Gout\x1b]8;;http://evil.example\x07 hurts\x1b]8;;\x07.",
        "Go\u200but\u202e **hurts** [s1][s2].",
        "Gout a@evil.example hurts.",
    ],
)
def test_links_images_and_what_is_not_seen_are_gone(text: str) -> None:
    said = plain_words(text)
    assert "evil" not in said
    assert not set("\x1b\u200b\u202e<>*`[") & set(said)
    assert not any(
        word in said.lower() for word in ("http", "javascript", "data:", "alert(", "src")
    )
    assert said.startswith("Gout")
    assert "hurts" in said


@pytest.mark.parametrize(
    "text",
    ["HbA1c is 48 mmol/mol.", "Take it and/or rest.", "It is 3.5/10 high.", "pH < 7 and > 3.",
     "The ratio is 1:2.", "Vitamin B12 (cobalamin)."],
)  # fmt: skip
def test_what_is_no_address_stays(text: str) -> None:
    assert plain_words(text) == text


def test_a_flood_of_words_ends() -> None:
    stream = SentenceStream()
    said = [sentence for _ in range(3000) for sentence in stream.take("word " * 20)]
    assert sum(map(len, [*said, *stream.rest()])) <= 20_000
