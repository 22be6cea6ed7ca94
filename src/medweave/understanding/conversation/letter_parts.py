"""The questions of a letter, each read in full and with what the whole letter tells of the person.

"I take sertraline. They gave me tramadol. Is that safe? Can I just stop the tablets?": each is a
question that stands for itself, in the order in which it is asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from medweave.language.folding import lower
from medweave.language.segmentation import is_chinese
from medweave.model.question import (
    EFFECT_OF_DRUG,
    FINDINGS,
    GUESS,
    SUBSTANCES,
    Form,
    Intent,
    Mention,
    Patient,
    Question,
)
from medweave.understanding.asked.deciding import DECIDES_ALONE, ask_different_things
from medweave.understanding.asked.reading import names_in, standing_in
from medweave.understanding.conversation.conversation import Conversation
from medweave.understanding.conversation.earlier_facts import tells, with_earlier
from medweave.understanding.conversation.follow_up import things
from medweave.understanding.conversation.letter_questions import (
    Piece,
    heading_of,
    is_letter,
    letter_rule,
    pieces_of,
)
from medweave.understanding.conversation.letters import Part
from medweave.understanding.conversation.references import (
    asks_which,
    beside_the_medicine,
    blamed,
    in_the_balance,
    instead_for,
    is_of_several,
    of_a_medicine,
    one_is_chosen,
    taken_together,
    verdict_asked,
    with_medicines_named,
)
from medweave.understanding.conversation.several_questions import OF_NO_RECORD, Wanted, is_sure
from medweave.understanding.conversation.wording import pattern
from medweave.understanding.graph_question_items import offers_options
from medweave.understanding.intents.features import QuestionText
from medweave.understanding.substances import offered

_IN_WORDS = 0.9
"""What is asked for by words, and not by likeness."""
_WEIGHING = frozenset({"contraindication", "interaction", "dose"})
"""What is asked of a medicine that is named, or that a word stands for."""
_MOST_ADDED = {"en": 30, "zh": 14}
"""More signs than these are no name that was left out."""
_OF_A_MEDICINE = frozenset({"side_effect", "dose"})
"""What is asked of a medicine, and of nothing else."""
_ASKED_OF_A_MEDICINE = frozenset({"side_effect", "indication", "interaction"})
"""What is asked of a medicine that another part of a letter names."""
_OF_AN_ILLNESS = frozenset({"symptom", "cause", "complication", "description", "prevention"})


@dataclass(frozen=True, slots=True)
class LetterPart:
    """One of the questions of a letter: in the words of the letter, where it stands, and read in
    full."""

    heading: str
    question: Question
    start: int
    end: int


def held_together(whole: Question) -> Question:
    """A letter as asking of all the medicines in it whether they may be had: what its questions ask
    is answered under them, and no medicine is held against less than the whole letter tells.

    What is not at hand ("if we can't get it, then cefalexin") is held against it, too.
    """
    mentions = tuple(
        replace(m, status="present")
        if (m.concept, m.role, m.status) == ("drug", "asked", "absent")
        else m
        for m in whole.mentions
    )
    asks = (Intent("contraindication"),)
    return replace(whole, mentions=mentions, intents=asks, form=Form(), aside="", bound=())


def each_person(
    parts: Sequence[Part], whole: Question, conversation: Callable[[], Conversation]
) -> tuple[Question, ...]:
    """What a letter in danger tells of each person: the danger stands above all."""
    talk = conversation()
    return tuple(
        replace(talk.of(part.about).understand(part.text), danger=whole.danger) for part in parts
    )


def questions_of_letter(
    each: Sequence[Question],
    conversation: Callable[[], Conversation],
    wanted: Wanted,
    *,
    joined: bool = False,
) -> tuple[LetterPart, ...]:
    """The questions of a letter of one person, or of several, each with what is told of who it is
    about; empty where a text is no letter. Few short ones are no letter where they are `joined`,
    each read in full already."""
    of_one = len(each) == 1
    found = (
        letter_parts(own, conversation, wanted, of_several=not of_one, joined=joined)
        for own in each
    )
    parts = tuple(part for some in found for part in some)
    return parts if of_one or len(parts) > 1 else ()


def letter_parts(
    whole: Question,
    conversation: Callable[[], Conversation],
    wanted: Wanted,
    *,
    of_several: bool = False,
    joined: bool = False,
) -> tuple[LetterPart, ...]:
    """The questions of a letter in the order in which it asks them, each with what all of it tells
    of the person; empty where a text is no letter, or asks less, unless it is what a letter tells
    of one of several.

    Each is read behind what stands before it, so that "is that safe with it?" speaks of what was
    named last; what is told before the first question and behind the last one is read first.
    """
    pieces = pieces_of(whole.text, whole.language)
    asking = [at for at, piece in enumerate(pieces) if piece.asks]
    in_form = of_several or is_letter(whole.text, pieces)
    tells = len(pieces) > len(asking)  # bare questions are answered in one
    in_short = len(asking) > 1 and tells and not joined and not offers_options(whole.text)
    if not asking or whole.as_written or not (in_form or in_short):
        return ()
    talk = conversation()
    outside = [p for at, p in enumerate(pieces) if not asking[0] < at < asking[-1] and not p.asks]
    _tell(talk, outside)
    message = QuestionText(whole.text, names_in(whole.mentions))
    found: list[tuple[Piece, Question]] = []
    lead = [pieces[asking[0] - 1]] if asking[0] else []
    for piece in pieces[asking[0] : asking[-1] + 1]:
        if not piece.asks:
            lead.append(piece)
            continue
        _tell(talk, [each for each in lead if each not in outside])
        stands_in = standing_in(message, whole.language, piece.start, piece.end)
        readings = _readings(talk, talk.within(stands_in), lead, piece, whole)
        found.append((piece, wanted(next(readings))))
        lead = []
    if not (in_form or ask_different_things([question for _, question in found])):
        return ()
    return tuple(
        LetterPart(
            heading_of(piece.text, whole.language),
            _knowing(question, talk.understand(question.text).patient, whole, found),
            piece.start,
            piece.end,
        )
        for piece, question in found
    )


def with_verdict_asked(whole: Question) -> Question:
    """A text that asks but one question, of small words alone ("yes or no?", "which then?"), as
    asking whether the medicines in question may be had."""
    medicines = whole.of_concept(*SUBSTANCES)
    asks = medicines and not whole.aside  # "my neighbour stopped it overnight. Can I?" asks more
    pieces = pieces_of(whole.text, whole.language) if asks else ()
    asking = [at for at, piece in enumerate(pieces) if piece.asks]
    if len(asking) != 1 or any(m.start >= pieces[asking[0]].start for m in medicines):
        return whole
    [at] = asking
    options = in_the_balance(pieces[at], pieces[:at], whole)
    options = [m for m in options if m.role == "asked"] or options  # what is taken stays so
    meant = any(mention.role == "asked" for mention in options) or is_of_several(
        pieces[at], whole.language
    )
    if not options or (whole.of_concept(*FINDINGS) and not meant):
        return whole  # "gout, on warfarin. Thoughts?" asks of the gout
    chosen = one_is_chosen(pieces[at], options, whole.language)
    entities = frozenset(entity for mention in options for entity in mention.entities)
    mentions = tuple(
        replace(m, role="asked") if m.entity in entities and m.role != "allergy" else m
        for m in whole.mentions
    )
    return replace(
        held_together(replace(whole, mentions=mentions)),
        candidates=entities if chosen else whole.candidates,
        judges=len({mention.entity for mention in options}) > 1,
    )


def _is_of_procedure(mention: Mention, asked: Question) -> bool:
    """Whether it is what is given for an examination that a question is about, and taken by nobody
    else: the contrast medium of a scan."""
    return asked.asked.label == "procedure" and mention.concept == "drug_class"


def _asks_what_it_is(question: Question) -> bool:
    """Whether a question is about an illness, and not about a medicine for who has it."""
    labels = {intent.label for intent in question.intents if intent.sure}
    return bool(labels) and labels <= _OF_AN_ILLNESS


def _asking(question: Question) -> Question:
    """A question that tells nobody to have what it asks about, and asks for nothing beside what is
    asked in words, or beside a claim that is put to it."""
    claims = question.form.kind == "yes_no" and not question.form.unnamed
    sure = _IN_WORDS if claims else GUESS
    intents = tuple(intent for intent in question.intents if intent.score > sure)
    if not claims:
        intents = intents or question.intents or _by_its_name(question)
    effects = question.effects
    if _asks_what_it_is(question):
        effects |= {e for m in question.of_concept(*FINDINGS) for e in m.entities}
    return replace(question, intents=intents, effects=effects)


def _by_its_name(question: Question) -> tuple[Intent, ...]:
    """What is asked where a question is hardly more than the name of a medicine: whether it may be
    had ("erythromycin instead?")."""
    named = question.of_concept("drug") and not question.aside and question.form == Form()
    return (Intent("contraindication"),) if named else ()


def _tell(talk: Conversation, told: Sequence[Piece]) -> None:
    if told:
        talk.read(" ".join(piece.text for piece in told))


def _readings(
    talk: Conversation, inside: Conversation, lead: Sequence[Piece], piece: Piece, whole: Question
) -> Iterator[Question]:
    """A question as it reads behind what was told, the best reading first.

    Where it names nothing by itself it is read with the sentence before it ("They gave me tramadol.
    Thoughts?"), or as asked of a medicine of the letter ("what if I forget one?"); it never asks
    the last question again. What is put in other words is read by these alone; its own words are
    read `inside` the letter.
    """
    if _blames_as_the_whole_does(inside.understand(piece.text), whole):
        yield whole
    if verdict := verdict_asked(piece, lead, whole, talk.understand):
        yield verdict
    text = with_medicines_named(piece, lead, whole, talk.understand)
    question, alone = inside.read(text), inside.understand(text)
    if of_effect := blamed(text, whole.language, talk.understand):
        yield of_effect
    if both := taken_together(text, alone.of_concept(*SUBSTANCES), piece, whole):
        yield talk.understand(both)
    if beside := beside_the_medicine(text, alone, piece, whole):
        yield talk.understand(beside)
    if another := instead_for(text, piece, alone, whole):
        yield talk.understand(another)
    of_one = list(map(inside.understand, of_a_medicine(text, piece, lead, whole)))
    yield from _of_its_use(alone, of_one)
    yield from (each for each in of_one if _asks_another_thing(each, question, alone))
    behind = [inside.understand(each) for each in _behind(lead, text)]
    strange = bool(behind) and _is_of_what_was_told(talk.understand(lead[-1].text), alone)
    if strange:
        yield from behind
    if _is_completed(question, alone, whole.language):
        yield question
    if things(alone):
        yield alone
    yield from (each for each in behind if things(each) and _is_asked(each))
    yield from filter(_is_of_a_medicine, of_one)
    yield alone


def _of_its_use(alone: Question, of_one: Iterable[Question]) -> Iterator[Question]:
    """A question of the everyday use of a medicine that it does not name: "if I forget one?"."""
    stands = pattern("stands_for", alone.language).search(lower(alone.text))
    if not (things(alone) or stands):
        yield from filter(_has_aside, of_one)


def _asks_another_thing(of_one: Question, completed: Question, alone: Question) -> bool:
    """Whether a question that names no medicine surely asks something of one, and as it was thought
    to be completed names none either, or became another one: "what other bother can we expect from
    the stuff?"."""
    surely = of_one.asked.certainty >= DECIDES_ALONE and not of_one.sure_labels.isdisjoint(
        _ASKED_OF_A_MEDICINE
    )
    became_another = completed.text != alone.text and of_one.asked.label != completed.asked.label
    lost = not completed.of_concept(*SUBSTANCES) or (became_another and not things(alone))
    return surely and lost and not alone.of_concept(*SUBSTANCES)


def _blames_as_the_whole_does(alone: Question, whole: Question) -> bool:
    """Whether a question surely asks if a medicine brought something on, and so does the letter,
    which tells what: "her lip blew up. She had shrimps, too. Is it the lisinopril?"."""
    both = (alone.asked.surely(EFFECT_OF_DRUG), whole.asked.surely(EFFECT_OF_DRUG))
    told = things(alone) and not alone.of_concept(*FINDINGS)
    return all(both) and bool(told and whole.effects)


def _behind(lead: Sequence[Piece], text: str) -> list[str]:
    """A question with the sentence before it."""
    if not lead:
        return []
    told = lead[-1].text
    stop = "" if told.endswith((".", "!", "。", "！")) else "。" if is_chinese(told) else "."
    return [f"{told}{stop} {text}"]


def _is_of_what_was_told(told: Question, alone: Question) -> bool:
    """Whether a question is of what the sentence before it names, and the base does not know: "I
    take biotin. Does it matter?"."""
    return bool(told.not_understood) and not things(told) and not things(alone)


def _has_aside(question: Question) -> bool:
    return question.aside not in ("", *OF_NO_RECORD)


def _is_completed(question: Question, alone: Question, language: str) -> bool:
    """Whether what a question takes up was rightly put into it: it stands for nothing that it names
    itself ("they offer me naproxen, is that ok?"), and asks no list that it does not ask for."""
    if question.repeated or not things(question) or question.text == alone.text:
        return False
    if named := things(alone):
        stands = pattern("stands_for", language).search(lower(alone.text))
        return stands is not None and stands.start() < min(m.start for m in named)
    sure = {intent.label for intent in question.intents if intent.sure}
    if alone.not_understood or (sure == {"drug"} and not asks_which(alone.text, language)):
        return False
    stands = pattern("stands_for", language).search(lower(alone.text))
    if stands and not (stands.group() or letter_rule("of_nothing", language).search(alone.text)):
        return False  # what stands before the verb is what is eaten, and not known here
    if stands:
        of_several = letter_rule("several", language).search(stands.group()) is not None
        return not (of_several and all(m.concept in FINDINGS for m in things(question)))
    added = len(question.text) - len(alone.text)
    return added <= _MOST_ADDED[language] and (_has_aside(question) or bool(sure - _WEIGHING))


def _is_asked(question: Question) -> bool:
    return _has_aside(question) or question.form != Form() or is_sure(question)


def _is_of_a_medicine(question: Question) -> bool:
    """Whether a question asks of the medicine in it what is asked of no other thing."""
    labels = {intent.label for intent in question.intents if intent.sure}
    return _has_aside(question) or (bool(labels) and labels <= _OF_A_MEDICINE)


def _knowing(
    question: Question,
    patient: Patient,
    whole: Question,
    found: Sequence[tuple[Piece, Question]],
) -> Question:
    """A question of a letter with what the letter tells of the person.

    What only a question names is told of nobody ("and what does lactic acidosis feel like?"),
    unless that question tells it: "can she have it with her asthma?".
    """
    asking = {
        (p, own.entity): tells(own) and not (_asks_what_it_is(asked) or _is_of_procedure(own, asked))
        for p, asked in found
        for own in asked.mentions
    }
    own = [p for p, _ in found]

    def is_told(mention: Mention) -> bool:
        inside = next((p for p in own if p.start <= mention.start < p.end), None)
        return inside is None or asking.get((inside, mention.entity), False)

    options = frozenset(e for _, other in found for e in other.candidates)
    asked_here = frozenset(e for mention in question.mentions for e in mention.entities)
    told = tuple(
        _prescribed(mention, whole, asked_here, options)
        for mention in whole.mentions
        if is_told(mention)
    )
    alone = replace(_asking(question), earlier=(), earlier_fields=frozenset(), patient=patient)
    known = with_earlier(alone, (replace(whole, mentions=told, described=()),))
    known = replace(known, earlier_fields=frozenset(), of_letter=True, danger=whole.danger)
    return known if _asks_for_diagnosis(known) else _without_diagnosis(known)


def _asks_for_diagnosis(question: Question) -> bool:
    """Whether it is asked in words what it is, and not when, and more is told than illnesses."""
    if letter_rule("asks_when", question.language).search(lower(question.text)):
        return False
    told = (*question.mentions, *question.earlier)
    signs = any(m.concept == "symptom" and m.status == "present" for m in told)
    in_words = any(intent.sure for intent in question.intents if intent.label == "diagnosis")
    return in_words and (signs or bool(question.supposed))


def _without_diagnosis(question: Question) -> Question:
    return replace(question, intents=tuple(i for i in question.intents if i.label != "diagnosis"))


def _prescribed(
    mention: Mention, whole: Question, asked: frozenset[str], options: frozenset[str]
) -> Mention:
    """A medicine that the letter tells to have been prescribed is taken, where another is asked
    about; nobody takes one option with another."""
    new = mention.concept in SUBSTANCES and mention.role == "asked" and mention.status == "present"
    aside = asked | options | whole.candidates
    if not new or not aside.isdisjoint(mention.entities):
        return mention
    if mention.experiencer == "other" or offered(whole, mention) != "prescribed":
        return mention
    return replace(mention, role="taken", status="hypothetical")
