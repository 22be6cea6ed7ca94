"""What a question asks for: by a trained model, and by rules that are data files.

Trained on one writer's questions and tried on another's, model and rules together find the intent
of 79 % (English) and 89 % (Chinese), the rules alone of 56 % and 62 %, the model alone of 73 % and
85 % (decision 0016).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cache

from medweave.language.data import rules_in
from medweave.language.folding import blotted, lower
from medweave.language.prefilter import Expression
from medweave.model.configuration import OUR_INTENTS
from medweave.model.question import FINDINGS, SUBSTANCES, Intent, Mention
from medweave.understanding.disambiguation import possible_concepts
from medweave.understanding.intents.features import Name, QuestionText, only_names
from medweave.understanding.intents.model import NONE, SURE, IntentModel, shipped_model
from medweave.understanding.placeholders import with_placeholders
from medweave.understanding.rule_files import INTENT_RULES

POSSIBLE = 0.15
"""What a rule finds is taken beside what the model is sure of from this chance on."""
BEST_GUESS = 0.35
"""Where neither is sure, the model's first choice is taken from this chance on."""
_REPLACED = ("symptom", "disease", "drug")
ASKED_OF = frozenset((*FINDINGS, *SUBSTANCES, "test", "treatment"))
"""The concepts of what has properties that are asked for."""
_WITHOUT_NAMES = "diagnosis"
"""What can be asked about a report in which no name is recognised: its words may do."""
_REPORTED = frozenset({"symptom", "population"})
_OVERVIEWS = (["indication", "contraindication"], ["description", "symptom"])
"""What is told of a medicine, and of an illness, that is only named."""
_NOT_WITH_AVOID = ("drug", "treatment", "diet", "prevention")


@dataclass(frozen=True, slots=True)
class IntentRule:
    """One intent: the concepts it must be about, and how it is asked for."""

    label: str
    about: frozenset[str]
    pattern: Expression


@cache
def intent_rules(language: str) -> tuple[IntentRule, ...]:
    """The rules that ship for a language; English where there are none for it."""
    return _rules_in("intents", language)


@cache
def _turned_round(language: str) -> tuple[IntentRule, ...]:
    """Rules of relations that are asked the other way round, which decide before the model does:
    few of those who wrote its questions said "complicated by", or "what rules it out"."""
    return _rules_in("turned_round", language)


def _rules_in(group: str, language: str) -> tuple[IntentRule, ...]:
    entries = rules_in(language, *INTENT_RULES)[group]
    return tuple(
        IntentRule(e["label"], frozenset(e["about"]), Expression("|".join(e["patterns"])))
        for e in entries
    )


def find_intents(
    text: str,
    language: str,
    mentions: tuple[Mention, ...],
    model: IntentModel | None = None,
    *,
    elsewhere: Iterable[Mention] = (),
) -> tuple[Intent, ...]:
    """All that is asked for, in the order of the rules, each with how likely it is asked for.

    The trained model decides; a rule adds what the model holds possible, and stands in where the
    model is not sure of anything. Of a label that the model has never seen a rule decides alone.
    Intents that the mentions cannot serve are left out: there are no symptoms of a drug. Nothing is
    found in what is out of scope. `model` is the one that ships unless another is given; labels of
    its own that nothing here answers come last, and nothing is guessed beside them.

    `elsewhere` is what is named beside the text: "what is it used for?" asks of that, where the
    text itself names nothing that anything can be asked of.
    """
    plain = _without_circumstances(text, language)
    own = {mention.concept for mention in mentions}
    if own.isdisjoint(ASKED_OF):
        own |= {mention.concept for mention in elsewhere}
    found = _found(plain, language, mentions, model or shipped_model(), own)
    found += _of_a_list(plain, language, mentions, own, found)
    order = {rule.label: place for place, rule in enumerate(intent_rules(language))}
    return tuple(sorted(found, key=lambda i: (order.get(i.label, len(order)), i.label)))


def _of_a_list(
    text: str,
    language: str,
    mentions: tuple[Mention, ...],
    own: set[str],
    found: Sequence[Intent],
) -> list[Intent]:
    """What else is asked for by one of several nouns that stand together: "the causes, symptoms
    and drugs of X", of which a model may see but two."""
    together, nouns = _listed_nouns(language)
    lists = [
        each.group()
        for each in together.compiled.finditer(lower(_with_placeholders(text, mentions)))
    ]
    known = {intent.label for intent in found}
    return [
        Intent(label, SURE)
        for label, noun in nouns
        if label not in known
        and own & about(label, language)
        and any(noun.search(each) for each in lists)
    ]


@cache
def _listed_nouns(language: str) -> tuple[Expression, tuple[tuple[str, Expression], ...]]:
    """Nouns that stand together, and each by the label that it asks for."""
    rules = rules_in(language, *INTENT_RULES)["listed_nouns"]
    any_noun = "|".join(rules["nouns"].values())
    one = f"{rules['before']}(?:{any_noun})"
    together = f"{one}(?:{rules['between']}{one})+{rules['behind']}"
    return Expression(together), tuple(
        (label, Expression(noun)) for label, noun in rules["nouns"].items()
    )


def _without_circumstances(text: str, language: str) -> str:
    spans = (found.span() for found in _circumstances(language).compiled.finditer(lower(text)))
    return blotted(text, spans, " ")


@cache
def _circumstances(language: str) -> Expression:
    """What tells when a complaint comes or came, and asks for nothing: "worse after eating", "newly
    diagnosed"."""
    content = rules_in(language, *INTENT_RULES)
    return Expression(content["circumstances"])


def _found(
    text: str, language: str, mentions: tuple[Mention, ...], model: IntentModel, own: set[str]
) -> list[Intent]:
    asked = _question_text(text, mentions)
    if own <= _REPORTED and "symptom" in own and not asks_anything(text, language, mentions):
        return [Intent(_WITHOUT_NAMES, SURE)]  # who only reports wants to know what it is
    if only_names(asked):
        return [Intent(label, POSSIBLE) for label in _guess(mentions, own)]
    ranked = model.ranked(asked)
    plain = _with_placeholders(text, mentions)
    turned = _labels_by(_turned_round(language), lower(plain), own)
    if turned and not _of_the_user(ranked[0].label):
        return [Intent(label, SURE) for label in dict.fromkeys(turned)]
    unlearned = {rule.label for rule in intent_rules(language)}.difference(model.labels)
    ruled = dict.fromkeys(_labels_by_rule(lower(plain), language, own, unlearned))
    by_rule = [Intent(label, SURE) for label in ruled]
    if ranked[0].label == NONE and ranked[0].score >= SURE:
        return by_rule or _both_hold_possible(plain, language, ranked, own)
    concepts = _concepts_of_names(ranked, language, own, possible_concepts(mentions))
    found = _served(plain, language, ranked, concepts)
    if by_rule:  # what is only guessed is not said beside it
        return by_rule + [intent for intent in found if intent.score >= SURE]
    return found or _guessed(text, language, mentions, own)


def _both_hold_possible(
    text: str, language: str, ranked: Sequence[Intent], own: set[str]
) -> list[Intent]:
    """What a rule finds and the model would guess, were it not surer that nothing is asked."""
    guessed = {intent.label: intent for intent in ranked if intent.score >= BEST_GUESS}
    return [guessed[label] for label in _labels_by_rule(lower(text), language, own, guessed)]


def _concepts_of_names(
    ranked: Sequence[Intent], language: str, own: set[str], possible: set[str]
) -> set[str]:
    """The concepts that names mean first; where they cannot have what is surely asked, all."""
    sure = [about(intent.label, language) for intent in ranked if intent.score >= SURE]
    if any(own & concepts for concepts in sure):
        return own
    return possible if any(possible & concepts for concepts in sure) else own


def _served(text: str, language: str, ranked: Sequence[Intent], concepts: set[str]) -> list[Intent]:
    """What is asked for, by model and rules, of what things of these concepts can have."""
    chances = {intent.label: intent.score for intent in ranked}
    servable = [
        intent for intent in ranked
        if concepts & about(intent.label, language) or intent.label == _WITHOUT_NAMES
        or _of_the_user(intent.label)
    ]  # fmt: skip
    sure = [intent for intent in servable if intent.score >= SURE]
    known = {intent.label for intent in sure}
    possible = {x for x, chance in chances.items() if chance >= POSSIBLE and x not in known}
    lowered = lower(text)
    if sure and not _labels_by_rule(lowered, language, concepts, possible):  # nothing else is taken
        return sure
    ruled = _settled(_labels_by_rule(lowered, language, concepts, chances), concepts)
    if sure:
        added = [x for x in ruled if x in possible]
        return [*sure, *(Intent(label, max(chances[label], BEST_GUESS)) for label in added)]
    if _of_the_user(ranked[0].label) and ranked[0].score >= BEST_GUESS:
        return [ranked[0]]
    if ruled:
        return [Intent(label, max(chances.get(label, 0.0), BEST_GUESS)) for label in ruled]
    if ranked[0].label != NONE and servable and servable[0].score >= BEST_GUESS:
        return servable[:1]
    return []


def _question_text(text: str, mentions: tuple[Mention, ...]) -> QuestionText:
    return QuestionText(text, tuple(Name(m.start, m.end, m.concept) for m in mentions))


@cache
def about(label: str, language: str) -> frozenset[str]:
    """The concepts of what an intent can be asked of: side effects of drugs, not of diseases."""
    rules = (rule.about for rule in intent_rules(language) if rule.label == label)
    return frozenset().union(*rules)


def asks_in_words(text: str, language: str, label: str) -> bool:
    """Whether a text asks for something in so many words, by the rules alone.

    >>> asks_in_words("He coughs. What is it?", "en", "diagnosis")
    True
    >>> asks_in_words("He has had a cough for two days.", "en", "diagnosis")
    False
    """
    lowered = lower(text)
    rules = (rule for rule in intent_rules(language) if rule.label == label)
    return any(rule.pattern.search(lowered) for rule in rules)


def asks_anything(text: str, language: str, mentions: tuple[Mention, ...]) -> bool:
    """Whether a text asks in words, by a question or by the name of what is wanted of a disease.

    >>> asks_anything("Gout in a man of 74", "en", ())
    False
    >>> asks_anything("How is gout treated?", "en", ())
    True
    """
    if is_question(text, language, mentions):
        return True
    plain = lower(_with_placeholders(text, mentions))
    eaten = any(mention.concept in SUBSTANCES for mention in mentions)  # medicines, and no food
    return any(
        rule.pattern.search(plain)
        for rule in intent_rules(language)
        if "disease" in rule.about and not (eaten and rule.label == "diet")
    )


def is_question(text: str, language: str, mentions: tuple[Mention, ...]) -> bool:
    """Whether a text has the form of a question or a request, whatever it names.

    >>> is_question("She was treated for gout.", "en", ()), is_question("Comments?", "en", ())
    (False, True)
    """
    return _asking(language).search(lower(_with_placeholders(text, mentions))) is not None


def labels_in_words(text: str, language: str, mentions: tuple[Mention, ...]) -> frozenset[str]:
    """All that the rules see asked for in a text's own words, whatever its names can serve."""
    plain = lower(_with_placeholders(_without_circumstances(text, language), mentions))
    return frozenset(rule.label for rule in intent_rules(language) if rule.pattern.search(plain))


@cache
def _asking(language: str) -> Expression:
    """How questions begin and end."""
    content = rules_in(language, *INTENT_RULES)
    return Expression(content["asking"])


def _of_the_user(label: str) -> bool:
    """Whether a model of the user's asks for something that nothing here answers."""
    return label not in OUR_INTENTS and label != NONE


def _labels_by_rule(
    lowered: str, language: str, concepts: set[str], labels: Collection[str]
) -> list[str]:
    """What the rules find in a text in lower case, of these labels."""
    rules = (rule for rule in intent_rules(language) if rule.label in labels)
    return _labels_by(rules, lowered, concepts)


def _labels_by(rules: Iterable[IntentRule], lowered: str, concepts: set[str]) -> list[str]:
    return [r.label for r in rules if concepts & r.about and r.pattern.search(lowered)]


def _with_placeholders(text: str, mentions: tuple[Mention, ...]) -> str:
    """The text with names as placeholders, as document K has it: an eating disorder is no diet."""
    return with_placeholders(text, [m for m in mentions if m.concept in _REPLACED])


def _settled(found: list[str], concepts: set[str]) -> list[str]:
    """Without what another intent says better."""
    labels = list(dict.fromkeys(found))
    if "description" in labels and len(labels) > 1:
        labels.remove("description")
    if "diet" in labels and concepts & set(SUBSTANCES) and "contraindication" in labels:
        labels.remove("diet")  # "can I eat cephalosporins" asks about a drug
    if "diet" in labels and "diagnosis" in labels:
        labels.remove("diet")  # "after meals" describes a complaint
    if "avoid" in labels:  # asked the other way round, the answer must be the other way round
        labels = [label for label in labels if label not in _NOT_WITH_AVOID]
    if "diagnosis" in labels and concepts.isdisjoint({"symptom"}) and len(labels) > 1:
        labels.remove("diagnosis")
    return labels


def _guessed(
    text: str, language: str, mentions: tuple[Mention, ...], concepts: set[str]
) -> list[Intent]:
    """What may be asked for where nothing is surely: of who asks in words that were not understood
    no more than what is safe, for all that is recorded is no answer to them."""
    labels = _guess(mentions, concepts)
    if labels in _OVERVIEWS and is_question(text, language, mentions):
        return []
    return [Intent(label, POSSIBLE) for label in labels]


def _guess(mentions: tuple[Mention, ...], concepts: set[str]) -> list[str]:
    reported = [m for m in mentions if m.concept in FINDINGS and m.status == "present"]
    if concepts & set(SUBSTANCES):
        return ["contraindication"] if reported or "population" in concepts else list(_OVERVIEWS[0])
    if any(mention.concept == "symptom" for mention in mentions):
        return ["diagnosis"]
    if "disease" in concepts:
        return list(_OVERVIEWS[1])
    return []
