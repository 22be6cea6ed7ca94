"""The table of signs: each tells something that is known, and is looked for in few texts."""

from medweave import KnowledgeBase
from medweave.understanding.implied_facts import shipped_indicators


def test_what_signs_tell_is_known_and_each_needs_a_word() -> None:
    with KnowledgeBase.sample() as base:
        names = base.knowledge.dictionary.names
        for sign in shipped_indicators():
            assert not sign.names or any(names(name) for name in sign.names), sign.names
            assert sign.expression.needs, sign.expression.pattern
            assert sign.expression.compiled
