"""British and American spellings."""

from __future__ import annotations

import pytest

from medweave.language.spelling import other_spellings


@pytest.mark.parametrize(
    ("british", "american"),
    [
        ("diarrhoea", "diarrhea"),
        ("anaemia", "anemia"),
        ("oedema", "edema"),
        ("lymphoedema", "lymphedema"),
        ("haemorrhage", "hemorrhage"),
        ("haematuria", "hematuria"),
        ("dyspnoea", "dyspnea"),
        ("leukaemia", "leukemia"),
        ("hyperglycaemia", "hyperglycemia"),
        ("oesophagitis", "esophagitis"),
        ("brain tumour", "brain tumor"),
        ("paraesthesia", "paresthesia"),
        ("goitre", "goiter"),
        ("coeliac disease", "celiac disease"),
    ],
)
def test_a_word_leads_to_its_other_spelling_both_ways(british: str, american: str) -> None:
    assert other_spellings(british) == (american,)
    assert other_spellings(american) == (british,)


@pytest.mark.parametrize("word", ["cough", "fever", "腹泻", "system", "pain in the back"])
def test_other_words_have_one_spelling(word: str) -> None:
    assert other_spellings(word) == ()
