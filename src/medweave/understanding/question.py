"""From a text to a question: names, their status, the person, what is asked."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from medweave.errors import QuestionError
from medweave.language.cues import read_mention
from medweave.language.folding import (
    in_standard_chinese,
    with_commas_for_blanks,
    without_halves,
)
from medweave.language.passage import About, Passage, Span, passage_of
from medweave.language.people import people_of
from medweave.language.segmentation import language_of
from medweave.language.typed import evened
from medweave.model.configuration import Configuration
from medweave.model.question import (
    ALLERGY,
    FINDINGS,
    SUBSTANCES,
    UNNAMED,
    Aside,
    Asked,
    DangerSign,
    Described,
    Form,
    Intent,
    Mention,
    Question,
    Unread,
    Word,
)
from medweave.model.value import Value
from medweave.ports import SentenceVectors
from medweave.understanding.asides import BEFORE_USE, find_aside
from medweave.understanding.asked.asking import likely_asks
from medweave.understanding.asked.deciding import (
    DECIDES,
    DECIDES_ALONE,
    as_worded,
    aspect_of,
    by_rules_and_learned,
    decides,
    is_of_a_list,
    what_decides,
)
from medweave.understanding.asked.drinking import with_alcohol
from medweave.understanding.asked.forms import form_as_asked
from medweave.understanding.asked.reading import Around, answered, what_is_asked
from medweave.understanding.asked_effects import with_effects
from medweave.understanding.candidates import candidates
from medweave.understanding.comparisons import shared_heads, word_beside
from medweave.understanding.complaints.reading import with_likened
from medweave.understanding.context_disambiguation import ContextDisambiguation, Nearness
from medweave.understanding.courses import with_courses
from medweave.understanding.danger.find import find_danger
from medweave.understanding.danger.model import DangerModel, danger_model_for
from medweave.understanding.descriptions.find import find_descriptions
from medweave.understanding.descriptions.supposed import with_supposed
from medweave.understanding.disambiguation import disambiguated, wanted_concepts
from medweave.understanding.drugs_by_stem import drugs_by_stem, parts_of_unknown
from medweave.understanding.ending import with_what_is_ended
from medweave.understanding.everyday import everyday_use
from medweave.understanding.implied_facts import (
    find_implied,
    with_implied,
    with_implied_descriptions,
)
from medweave.understanding.intents.asking_part import asking_part, is_vaccine, names_medicine
from medweave.understanding.intents.features import Name, QuestionText
from medweave.understanding.intents.find import (
    BEST_GUESS,
    about,
    asks_anything,
    find_intents,
    labels_in_words,
)
from medweave.understanding.intents.model import SURE, IntentModel, model_for, shipped_model
from medweave.understanding.intents.parts import bound_intents
from medweave.understanding.linked import linked
from medweave.understanding.measured import measure
from medweave.understanding.named_members import without_classes_of_members
from medweave.understanding.offered import without_danger_offered
from medweave.understanding.only_named import with_only_named
from medweave.understanding.patient import read_patient
from medweave.understanding.question_form import find_form, with_form
from medweave.understanding.roles.model import with_conditions_beside
from medweave.understanding.spared import with_spared_as_supposed
from medweave.understanding.substances import with_roles
from medweave.understanding.unread import unread
from medweave.understanding.words import corrected_stems, reported_words, value_stems
from medweave.vocabulary.dictionary import Match
from medweave.vocabulary.knowledge import Knowledge

MAX_CHARACTERS = 20_000
"""Longer texts are no questions; documents are added, not asked."""
_SOMEBODY = "population"
_ASKS_ONE_THING = {"en": 120, "zh": 40}
"""Characters of a text that asks for one thing."""
_STAYS = ("outlook", "decide")
"""Asides that are no property of a thing, however surely one is asked for."""
_NOT_ENDED = ("switching", "procedure", "restart", "run_out", "missed_dose", "onset", "lasting",
              "conception", "mechanism", "dependence", "weakened")  # fmt: skip
"""What is asked in words of ending that ends nothing: "I stopped it for a week, do I go on?"."""
_Named = TypeVar("_Named", Mention, Unread)
_QUESTION = re.compile(r"[?？]+|吗")


@dataclass(frozen=True, slots=True)
class Models:
    """What was learned, where it is not what ships."""

    intents: IntentModel | None = None
    danger: DangerModel | None = None


AS_SHIPPED = Models()


def models_of(configuration: Configuration) -> Models:
    """The models that a configuration names. Raises `SourceError` where a file holds none."""
    return Models(model_for(configuration.intents), danger_model_for(configuration.danger))


def understand(
    text: str,
    knowledge: Knowledge,
    *,
    asking: str = "",
    models: Models = AS_SHIPPED,
    nearness: Nearness | None = None,
    vectors: SentenceVectors | None = None,
    around: Around | None = None,
    about: About | None = None,
) -> Question:
    """A question as understood, from its text alone; `asking` says the intent where it is known,
    `around` what it stands in, where it is one of the questions of a message, and `about` of whom
    it tells and asks, where several are told of.

    `models` tell intents apart and what is danger; without them, those that ship. `nearness` says
    what the text is near to, where a name in it means several things; with `vectors` its clauses
    are read by what they mean.

    Half a character (a lone surrogate) is read as U+FFFD. Runs of blanks are one: every place is
    one of the question's own `text`.

    Raises `QuestionError` for a text that is empty or longer than `MAX_CHARACTERS`.
    """
    model, text = models.intents, _checked(text)
    language, written = language_of(text), text
    if language == "zh":
        text = with_commas_for_blanks(in_standard_chinese(text))  # every place stays
    spared = with_spared_as_supposed(text, language)
    reworded, text = spared != text, spared
    found = knowledge.dictionary.find(_with_lists_apart(text))
    knowledge.entities.all(named.entity for match in found for named in match.named)  # read at once
    passage = passage_of(text, language, _names_in_the_way(found), about=about)
    mentions = _in_words_of(written, (_mention(passage, match, knowledge) for match in found))
    mentions, unnamed = _with_word_beside(passage, mentions, knowledge)
    longer: tuple[Unread, ...] = ()
    if language == "zh":
        mentions, longer = parts_of_unknown(text, mentions, knowledge.lexicon)
    measured = with_courses(passage, measure(passage, mentions, knowledge), knowledge)
    implied = find_implied(passage, measured.mentions, knowledge)
    mentions = with_only_named(passage, with_implied(measured.mentions, implied))
    own_model = model is not None and model is not shipped_model()
    asked = Asked() if asking or own_model else _learned(passage, mentions, vectors, around)
    mentions, effects = with_effects(
        passage, with_alcohol(passage, mentions, asked, knowledge), knowledge, asked
    )
    if asking:
        intents: tuple[Intent, ...] = (Intent(asking),)
    else:
        intents, asked = by_rules_and_learned(_intents(passage, mentions, model), asked, mentions)
        mentions = _with_one_meaning(passage, mentions, intents, knowledge, nearness)
    mentions, ends = with_what_is_ended(passage, with_roles(passage, mentions))
    mentions = without_classes_of_members(
        passage, _without_word_of_allergen(mentions), knowledge.lexicon
    )
    mentions = with_conditions_beside(text, mentions)
    named = _named(mentions)
    form = _form(passage, named, asked)
    if not asking:
        intents = with_form(intents, form, mentions)
    if asks_diagnosis := any(intent.label == "diagnosis" for intent in intents):
        mentions = tuple(_reported(mention) for mention in mentions)
    mentions, contradictions = _settled(_answered(text, mentions))
    if _named(mentions) != named:  # some have changed their status
        form = _form(passage, _named(mentions), asked)
    if form.kind == "plain":
        form = replace(form, unnamed=unnamed)
    patient = read_patient(passage, mentions, form.compared, weight_kg=measured.weight_kg)
    described = with_implied_descriptions(
        find_descriptions(passage, mentions, measured.values, vectors), implied
    )
    # a clause that describes something as a whole explains no strange name in it
    known = _known(passage, (*mentions, *with_implied_descriptions((), implied)), measured.values)
    unknown = _in_words_of(written, (*longer, *unread(passage, known)))
    unknown = tuple(replace(u, nearest=knowledge.dictionary.drugs_near(u.text)) for u in unknown)
    suspected = drugs_by_stem(unknown[len(longer) :], knowledge.lexicon)
    aside, chosen_from = (
        _aside(passage, mentions, intents, asked, ends=ends),
        candidates(passage, mentions),
    )
    signs = find_danger(
        written,
        language,
        patient,
        models.danger,
        measured.values,
        medicines=_medicines(found),
        vectors=vectors,
    )
    question = Question(
        text=text if reworded else written,
        as_written=written if reworded else "",
        language=language,
        mentions=tuple(sorted((*mentions, *suspected), key=lambda m: m.start)),
        patient=patient,
        intents=intents,
        values=measured.values,
        contradictions=(*contradictions, *measured.contradictions),
        form=form,
        bound=bound_intents(text, language, mentions, intents, model),
        words=_words(passage, mentions, knowledge) if asks_diagnosis else (),
        danger=_crises_as_asked(signs, aside, intents),
        not_understood=unknown,
        described=tuple(d for d in described if not any(_within(m, d) for m in effects)),
        aside=aside,
        asked=asked,
        effects=frozenset(mention.entity for mention in effects),
        candidates=chosen_from.entities,
        judges=chosen_from.judged,
        asks=bool(asking) or asks_anything(text, language, mentions),
        worded=labels_in_words(*_asked(passage, mentions)),
    )
    likened = with_likened(without_danger_offered(question, knowledge), knowledge, vectors)
    return with_supposed(likened, passage, knowledge, vectors)


def _with_one_meaning(
    passage: Passage,
    mentions: tuple[Mention, ...],
    intents: tuple[Intent, ...],
    knowledge: Knowledge,
    nearness: Nearness | None,
) -> tuple[Mention, ...]:
    """The mentions, each meaning what is asked for, or what the text is near to."""
    language = passage.language
    wanted = wanted_concepts(intents, lambda label: about(label, language))
    mentions = disambiguated(
        mentions, wanted, lambda entity: knowledge.entities.get(entity).name(language)
    )
    if nearness is None:
        return mentions
    disambiguation = ContextDisambiguation(passage.text, language, wanted, knowledge, nearness)
    return tuple(map(disambiguation.of, mentions))


def _learned(
    passage: Passage,
    mentions: tuple[Mention, ...],
    vectors: SentenceVectors | None,
    around: Around | None,
) -> Asked:
    """What is asked by what was learned; nothing of a greeting, an errand and their like."""
    text, language = passage.text, passage.language
    if find_aside(text, language, names_medicine=_names_medicine(mentions)) in BEFORE_USE:
        return Asked()
    asked = what_is_asked(text, language, mentions, vectors, passage.sentences, around=around)
    if asked.certainty < DECIDES and not likely_asks(text, language, passage.sentences):
        return Asked()  # "epilepsy, 22, on the combined pill, no kids yet" hardly asks
    asked = as_worded(asked, mentions, lambda: labels_in_words(*_asked(passage, mentions)))
    return what_decides(asked, mentions, asks=asks_anything(text, language, mentions))


def _form(passage: Passage, named: tuple[Mention, ...], asked: Asked) -> Form:
    """How it is asked, by the words of a text and by what was learned."""
    form = find_form(passage.text, passage.language, named)
    return form_as_asked(form, asked, named, passage.language)


def _aside(
    passage: Passage,
    mentions: tuple[Mention, ...],
    intents: tuple[Intent, ...],
    asked: Asked,
    *,
    ends: bool,
) -> Aside:
    """What a text asks that is no property of a thing: by what was learned, or else by its words; a
    medicine that is ended before it is changed for another, or for an operation, is asked about by
    that."""
    aside = find_aside(passage.text, passage.language, names_medicine=_names_medicine(mentions))
    if aside in BEFORE_USE:
        return aside
    if _is_no_aside(passage, asked, mentions):
        return aside if aside in _STAYS else ""
    use = everyday_use(passage, mentions)
    in_words = "ending" if ends and use not in _NOT_ENDED else use
    if use and asked.certainty < (DECIDES_ALONE if use in _NAMES_ITS_FORM else DECIDES):
        found = in_words
    else:
        learned = aspect_of(asked, mentions) if decides(asked, intents) else ""
        found = learned or in_words or aside
    return "" if is_of_a_list(found, mentions) else found


def _is_no_aside(passage: Passage, asked: Asked, mentions: tuple[Mention, ...]) -> bool:
    """Whether it is surely asked for what is no part of the use of a medicine, and for nothing
    besides: longer texts ask for more than one thing."""
    short = len(passage.text) <= _ASKS_ONE_THING.get(passage.language, 0)
    short = short and len(passage.sentences) == 1
    surely = asked.label in answered().of_no_use and asked.certainty >= DECIDES_ALONE
    return short and surely and bool(_named(mentions))


def _with_lists_apart(text: str) -> str:
    """A text with commas for slashes between three things: "codeine / ibuprofen / paracetamol" is
    a list, and holds no product of two of them."""
    return text.replace(_SLASH, _COMMA) if text.count(_SLASH) > 1 else text


_SLASH, _COMMA = " / ", " , "
_NAMES_ITS_FORM = ("dose_form",)
"""Aspects whose words are rarely of another thing: who splits a slow-release tablet ends none."""


def _names_medicine(mentions: tuple[Mention, ...]) -> bool:
    return any(m.concept in SUBSTANCES and not is_vaccine(m) for m in mentions)


def _within(effect: Mention, described: Described) -> bool:
    """Whether a description rests on words that ask about an effect, and tell of no state."""
    return effect.start < described.end and described.start < effect.end


def _crises_as_asked(
    signs: tuple[DangerSign, ...], aside: Aside, intents: tuple[Intent, ...]
) -> tuple[DangerSign, ...]:
    """The signs; where a child does not want a medicine, without a crisis that is only asked about
    and of which no word tells; where it is asked how much of a medicine, that is met as a crisis:
    nothing is told of the medicine then; beside another danger, nothing is told of it anyhow."""
    if aside == "refused":
        return tuple(sign for sign in signs if not _may_be_a_crisis(sign))
    danger = any(sign.status == "present" and sign.grade == "now" for sign in signs)
    if not danger and any(intent.label == "dose" and intent.sure for intent in intents):
        return tuple(replace(s, status="present") if _may_be_a_crisis(s) else s for s in signs)
    return signs


def _may_be_a_crisis(sign: DangerSign) -> bool:
    """Whether a crisis is only asked about, and no word of the table tells of it."""
    return (sign.kind, sign.status, sign.how) == ("crisis", "ask", "learned")


def _medicines(found: Iterable[Match]) -> list[Span]:
    """Where what is taken stands, as a name or as what it is one of."""
    return [(match.start, match.end) for match in found if match.named[0].concept in SUBSTANCES]


def _asked(passage: Passage, mentions: Sequence[Mention]) -> tuple[str, str, tuple[Mention, ...]]:
    """What a text asks, its language, and the mentions in it."""
    text, within = asking_part(passage, mentions)
    return text, passage.language, within


def _intents(
    passage: Passage, mentions: tuple[Mention, ...], model: IntentModel | None
) -> tuple[Intent, ...]:
    """What a text asks for. Where the sentences of a letter that ask do not tell ("Comments?"), it
    is whether medicines that it names may be taken, or what all of it says."""
    text, language, within = _asked(passage, mentions)
    found = find_intents(text, language, within, model, elsewhere=mentions)
    if text == passage.text:
        return found
    worded = labels_in_words(text, language, within)
    if any(i.score >= SURE or (i.sure and i.label in worded) for i in found):
        return found
    if any(names_medicine(mention) for mention in mentions):
        return (Intent("contraindication", BEST_GUESS),)
    return find_intents(passage.text, language, mentions, model)


def _in_words_of(written: str, found: Iterable[_Named]) -> tuple[_Named, ...]:
    """What was found in a text, each with the words that stand at its place as it was written."""
    return tuple(
        each
        if each.text == (words := written[each.start : each.end])
        else replace(each, text=words)
        for each in found
    )


def _words(
    passage: Passage, mentions: tuple[Mention, ...], knowledge: Knowledge
) -> tuple[Word, ...]:
    """The words of a report that names of findings hold as well."""
    text = passage.text
    as_written = [(m.start, m.end) for m in mentions if not m.link.slips]
    written = corrected_stems(text, knowledge.dictionary.misread(text, as_written))
    reported = sorted(written + value_stems(mentions), key=lambda stem: (stem.start, stem.end))
    known = knowledge.dictionary.count_findings(stem.text for stem in reported)
    return reported_words(passage, mentions, reported, known)


def question_text(text: str, knowledge: Knowledge) -> QuestionText:
    """A text with the names in it that the base knows."""
    names = (
        Name(match.start, match.end, match.named[0].concept)
        for match in knowledge.dictionary.find(text)
    )
    return QuestionText(text, tuple(names))


def _with_word_beside(
    passage: Passage, mentions: tuple[Mention, ...], knowledge: Knowledge
) -> tuple[tuple[Mention, ...], tuple[str, ...]]:
    """With a word that is a name only behind an article, where it is compared ("cold vs flu").

    Also the word itself where it is no name at all.
    """
    text = passage.text
    for start, end, name in shared_heads(text, passage.language, mentions):
        named = knowledge.dictionary.names(name)
        if named and named[0].concept in FINDINGS:
            apart = tuple(m for m in mentions if m.end <= start or end <= m.start)
            found = _mention(passage, Match(start, end, named), knowledge)
            return tuple(sorted((*apart, found), key=lambda m: m.start)), ()
    span = word_beside(text, passage.language, mentions)
    if span is None:
        return mentions, ()
    word = text[span[0] : span[1]]
    named = knowledge.dictionary.names(f"a {word}")
    if not named or named[0].concept not in FINDINGS:
        return mentions, (word,)
    found = _mention(passage, Match(*span, named), knowledge)
    return tuple(sorted((*mentions, found), key=lambda m: m.start)), ()


def _without_word_of_allergen(mentions: tuple[Mention, ...]) -> tuple[Mention, ...]:
    """Mentions without the "allergy" that stands behind what is not borne: it is no illness that
    something is wanted for."""
    behind = {m.end + gap for m in mentions if m.role == "allergy" for gap in (0, 1)}
    return tuple(m for m in mentions if m.entity != ALLERGY or m.start not in behind)


def _checked(text: str) -> str:
    """A text that can be read: without half characters, and with one blank between words."""
    if not text.strip():
        raise QuestionError("the question is empty", remedy="write what you want to know")
    if len(text) > MAX_CHARACTERS:
        raise QuestionError(
            f"the question has {len(text)} characters",
            remedy=f"ask in at most {MAX_CHARACTERS}; add documents with `medweave add`",
        )
    return evened(without_halves(text)).text


def _names_in_the_way(found: tuple[Match, ...]) -> Iterator[tuple[int, int]]:
    """Names whose own words would be read as cues. A child is none: it says whose a finding is."""
    for match in found:
        if match.named[0].concept != _SOMEBODY:
            yield match.start, match.end


def _mention(passage: Passage, match: Match, knowledge: Knowledge) -> Mention:
    reading = read_mention(passage, match.start, match.end)
    status = reading.status
    if status == "present" and reading.temporality == "historical":
        status = "unknown"
    return linked(
        passage.text,
        match,
        match.link,
        passage.language,
        knowledge,
        status=status,
        experiencer=reading.experiencer,
        temporality=reading.temporality,
        doubted=reading.doubted,
        suspected=reading.suspected,
        asked=reading.asked,
    )


def _known(
    passage: Passage, mentions: Iterable[Mention | Described], values: tuple[Value, ...]
) -> Iterator[Span]:
    """Where something of a text was recognised: names, values, people and their ages."""
    people = people_of(passage)
    yield from ((found.start, found.end) for found in mentions)
    yield from ((found.start, found.end) for found in values)
    yield from ((person.start, person.end) for person in people.all)
    yield from ((age.start, age.end) for age in people.ages)


def _named(mentions: tuple[Mention, ...]) -> tuple[Mention, ...]:
    """The mentions of what is named, and not only measured or told by what goes with it: the form
    of a question is its words."""
    return tuple(mention for mention in mentions if mention.link.how not in UNNAMED)


def _reported(mention: Mention) -> Mention:
    """In a question for a diagnosis, findings that are only named are reported as present."""
    if mention.status != "unknown" or mention.concept not in FINDINGS:
        return mention
    if mention.doubted or mention.temporality == "historical" or mention.experiencer == "other":
        return mention
    return replace(mention, status="present")


def _answered(text: str, mentions: tuple[Mention, ...]) -> tuple[Mention, ...]:
    """What a question asks for as the answer tells of it by name: "Fever or cough? Only a cough."

    An answer ends where another question does.
    """
    return tuple(_by_name(text, mention, mentions[at + 1 :]) for at, mention in enumerate(mentions))


def _by_name(text: str, mention: Mention, behind: tuple[Mention, ...]) -> Mention:
    context = next((m for m in behind if m.entity == mention.entity), mention)
    if not mention.asked or context.asked or context.status not in ("present", "absent"):
        return mention
    questions = _QUESTION.findall(text, mention.end, context.start)
    return (
        replace(mention, status=context.status, doubted=False) if len(questions) == 1 else mention
    )


def _settled(mentions: tuple[Mention, ...]) -> tuple[tuple[Mention, ...], tuple[str, ...]]:
    """What is said last of a finding holds; that it was said otherwise before is reported."""
    last = {_of_whom(m): m.status for m in mentions if m.status in ("present", "absent")}
    changed = [
        m for m in mentions if m.status in ("present", "absent") and m.status != last[_of_whom(m)]
    ]
    notes = tuple(dict.fromkeys(f"{m.name}: {m.status}, then {last[_of_whom(m)]}" for m in changed))
    return tuple(
        replace(m, status=last[_of_whom(m)]) if m in changed else m for m in mentions
    ), notes


def _of_whom(mention: Mention) -> tuple[str, bool]:
    """What is said to be there or not, of whom it is: "I have no asthma, my father does"."""
    return mention.entity, mention.experiencer == "other"
