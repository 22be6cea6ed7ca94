"""What the nouns and question words of a graph question are: sought, a relation, or nothing.

"the gene TP53" names a gene, "X is a target of Y" tells how two things are related, and "what binds
to X" seeks something that no noun names.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from medweave.understanding.graph_question_items import Item
from medweave.vocabulary.vocabulary import Vocabulary

_AFTER_WHAT = (("auxiliary", "relation", "generic", "soft"), ("auxiliary",))
"""What stands behind "what" where no noun says what is sought; and behind "how"."""


def with_what(items: list[Item], *, asks_yes_no: bool) -> list[Item]:
    """The items with what is sought where no noun says it: "What binds to X?", "Where is X?"."""
    made: list[Item] = []
    for at, item in enumerate(items):
        if kind := _kind_sought(at, items):
            made.append(replace(item, kind="sought", concepts=(kind,)))
            continue
        behind = next((i for i in items[at + 1 :] if i.kind != "filler"), None)
        if item.kind == "following" and not (behind and behind.kind == "noun"):
            made.append(replace(item, kind="sought", turned=True))
        elif item.text in ("where", "which") and _follows_a_noun(at, items):
            made.append(replace(item, kind="that"))  # "tissues where X is expressed"
        elif item.kind == "where":
            made.append(replace(item, kind="sought", concepts=("body_part",), turned=True))
        elif (
            (item.text in ("what", "who", "how") or (at == 0 and item.text == "which"))
            and not asks_yes_no
            and behind
            and behind.kind in _AFTER_WHAT[item.text == "how"]
        ):
            made.append(replace(item, kind="sought", turned=True))
        else:
            made.append(replace(item, kind="ask") if item.kind == "following" else item)
    return made


def _follows_a_noun(at: int, items: Sequence[Item]) -> bool:
    return at > 0 and items[at - 1].kind in ("noun", "name")


_MEMBERS = {"drug_class": "drug", "disease": "disease", "symptom": "symptom"}
"""What is sought by the name of a kind, by the concept of that name."""


def _kind_sought(at: int, items: Sequence[Item]) -> str:
    """What is sought where a kind of it is named behind a word that asks: "which antibiotics",
    "list all cancers"; '' where nothing is. A disease is a kind in the plural alone."""
    mention = items[at].mention
    asks = next((i for i in reversed(items[:at]) if i.kind not in ("filler", "both")), None)
    if mention is None or asks is None or asks.kind != "ask":
        return ""
    noun_follows = at + 1 < len(items) and items[at + 1].kind in ("noun", "name")
    plural = mention.text.endswith("s") and not mention.name.endswith("s")
    if noun_follows or not (plural or mention.concept == "drug_class"):
        return ""
    return _MEMBERS.get(mention.concept, "")


def with_nouns(items: Sequence[Item], vocabulary: Vocabulary) -> Iterator[Item]:
    """The items with each noun as what it is: what is sought, a relation, or nothing beside a name.

    "the gene TP53" and "TP53 gene" name a gene; "X is a target of Y" tells how they are related.
    """
    families = {
        at: {vocabulary.family(concept) for concept in item.concepts}
        for at, item in enumerate(items)
    }
    out = list(items)
    for at, item in enumerate(items):
        if item.kind != "noun":
            continue
        alike = [n for n in (at - 1, at + 1) if 0 <= n < len(items)]
        beside = [n for n in alike if items[n].kind == "name" and families[n] & families[at]]
        asked = at > 0 and items[at - 1].kind == "ask"
        subject = _subject_of(at, out)
        is_said = subject is not None and (
            (out[subject].kind == "sought" and not out[subject].concepts)
            or bool(families[subject] & families[at])
            or (out[subject].kind == "name" and bool(item.predicates))  # "is X a symptom of Y"
        )
        if subject is not None and is_said:
            if out[subject].kind == "sought" and not out[subject].concepts:
                out[subject] = replace(
                    out[subject], concepts=item.concepts, predicates=item.predicates
                )
            is_object = _may_be_had(item, vocabulary)  # "what is a symptom of X"
            out[at] = replace(_implied_relation(item), turned=is_object, directed=True)
        elif _is_repeated(at, out):
            out[at] = replace(_implied_relation(item), turned=True)
        elif at - 1 in beside and not asked and not _is_had(at, items, vocabulary):
            out[at] = replace(item, kind="filler")
        elif (
            unnamed := _says_what(at, out)
        ) is not None:  # "what do X and Y share as regards genes"
            out[unnamed] = replace(out[unnamed], concepts=item.concepts, predicates=item.predicates)
            out[at] = replace(item, kind="filler")
        elif _is_complement(at, items):
            out[at] = _implied_relation(item)  # "has X as a symptom"
        elif (beside and not asked and at - 1 not in beside) or _includes(at, items, families):
            out[at] = _implied_relation(item)
        else:
            out[at] = replace(item, kind="sought")
    return iter(out)


def _may_be_had(noun: Item, vocabulary: Vocabulary) -> bool:
    """Whether a noun is what stands at the end of its relation: a symptom, but no treatment."""
    ranges = (vocabulary.predicate(each).range for each in noun.predicates)
    return any(set(noun.concepts) & set(allowed) for allowed in ranges)


def _is_had(at: int, items: Sequence[Item], vocabulary: Vocabulary) -> bool:
    """Whether a noun is what the thing before it has: "measles complications", not "the disease
    measles"."""
    had = map(vocabulary.predicate, items[at].predicates)
    return any(items[at - 1].concepts[0] in predicate.domain for predicate in had)


def _implied_relation(noun: Item) -> Item:
    """A noun that stands for a relation, where it implies one."""
    return replace(noun, kind="relation" if noun.predicates else "filler", concepts=())


def _subject_of(at: int, items: Sequence[Item]) -> int | None:
    """The name or what is sought of which a noun is told: "is X a symptom", "what is a symptom"."""
    copula = False
    for before in range(at - 1, -1, -1):
        item = items[before]
        if item.kind in ("name", "sought"):
            copula = copula or _is_behind_auxiliary(before, items)
            article = items[at - 1].text in ("a", "an", "the", "one", "known", "possible", "common")
            article = article or items[at - 1].text in ("are", "were")  # "X and Y are genes"
            is_sought = item.kind == "sought" and not item.concepts
            return before if copula and (article or is_sought) else None
        if item.kind == "auxiliary":
            copula = copula or item.text in ("is", "are", "was", "were", "be")
        elif item.kind not in ("filler", "denied", "ask"):
            return None
    return None


def _says_what(at: int, items: Sequence[Item]) -> int | None:
    """What is sought without a noun, of which one at the end says the kind."""
    before = [item for item in items[:at] if item.kind not in ("filler", "generic")]
    sought = [n for n in range(at) if items[n].kind == "sought" and not items[n].concepts]
    told = before and before[-1].kind == "as" and not items[at].predicates
    return sought[0] if sought and told else None


def _is_repeated(at: int, items: Sequence[Item]) -> bool:
    """Whether a noun tells of what the same one seeks: "symptoms of X that are symptoms of Y"."""
    told = False
    for item in reversed(items[:at]):
        told = told or item.text in ("is", "are")
        if item.kind == "sought":
            alike = bool(set(item.concepts) & set(items[at].concepts))
            own = bool(items[at].predicates) and any(i.kind == "that" for i in items[:at])
            return told and (item.concepts == items[at].concepts or (alike and own))
    return False


def _is_behind_auxiliary(at: int, items: Sequence[Item]) -> bool:
    """Whether "is" stands before a name: "is a cough a symptom of asthma"."""
    passed = ("filler", "both", "name", "and", "or")  # "is X or Y a risk factor for Z"
    before = next((item for item in reversed(items[:at]) if item.kind not in passed), None)
    return before is not None and before.kind == "auxiliary"


def _is_complement(at: int, items: Sequence[Item]) -> bool:
    """Whether a noun stands behind "as": "has nausea as a side effect"; not in "among the drugs
    for asthma, which …", where nothing stands before it."""
    before = (item for item in reversed(items[1:at]) if item.kind != "filler")
    return bool(items[at].predicates) and next(before, items[at]).kind == "as"


def _includes(at: int, items: Sequence[Item], families: dict[int, set[str]]) -> bool:
    """Whether a noun is told of what a name behind it is: "whose symptoms include nausea"."""
    for after in range(at + 1, len(items)):
        item = items[after]
        if item.kind == "name":
            return after > at + 1 and bool(families[after] & families[at])
        include = item.kind == "generic" and item.text.startswith(("includ", "compris"))
        if not (include or item.kind in ("as", "filler")) or item.text in ("of", "for", "in"):
            return False
    return False
