"""Names of the lexicon in documents: wordings of many choices among them."""

from __future__ import annotations

import pytest

from medweave.vocabulary.lexicon_names import lexicon_names

BELLY = "a stabbing pain low down in the lower right side of her belly since monday"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (
            BELLY,
            {"pain low down in the lower right side of her belly": "lower_right_abdominal_pain"},
        ),
        ("It hurts whenever he pees.", {"hurts whenever he pees": "painful_urination"}),
        ("昨晚起右下腹痛", {"右下腹痛": "lower_right_abdominal_pain"}),
        ("The baby won't feed.", {"baby won't feed": "poor_feeding"}),
        ("She is sick and tired of it.", {}),
        ("She is so tired.", {"tired": "fatigue"}),
    ],
)
def test_a_wording_is_its_finding_and_some_only_keep_others_from_being_heard(
    text: str, found: dict[str, str]
) -> None:
    heard = {text[n.start : n.end]: n.entity for n in lexicon_names().find(text)}
    assert heard == {words: f"mw.condition:{name}" for words, name in found.items()}
