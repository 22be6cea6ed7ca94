"""A conversation: of whom was told what, and what was asked last.

Each turn changes one of these. It tells something of a person, it takes something back, or it asks:
a question that says all stands for itself, and one that does not changes the last one: another
thing is named in it, or it is asked again, with what is told now, or for somebody else.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Protocol

from medweave.language.folding import lower
from medweave.language.passage import About
from medweave.language.segmentation import language_of
from medweave.model.question import (
    ALLERGY,
    FINDINGS,
    NOT_NOW,
    SUBSTANCES,
    UNNAMED_DANGER,
    DangerSign,
    Intent,
    Mention,
    Patient,
    Question,
)
from medweave.understanding.asked.reading import Around
from medweave.understanding.conversation.earlier_facts import (
    as_of_now,
    corrects,
    tells,
    with_earlier,
    without_withdrawn,
)
from medweave.understanding.conversation.follow_up import (
    begins_with_more,
    completions,
    goes_on_in_words,
    goes_on_with_a_noun,
    is_bare,
    list_for,
    listed_and_harmed,
    things,
)
from medweave.understanding.conversation.ordinals import with_item
from medweave.understanding.conversation.persons import (
    Persons,
    named_as_own,
    names_nobody,
    names_writer,
    tells_of_friends,
    told_of_another,
)
from medweave.understanding.conversation.wording import (
    asking,
    asks_in_words,
    pattern,
    says,
    words,
    written,
)
from medweave.understanding.danger.table import though_passed
from medweave.understanding.danger.table_reader import read_danger
from medweave.understanding.substances import is_only_there, listed, offered

_FOR_SOMEBODY = frozenset({"drug", "treatment", "contraindication", "interaction", "indication",
                           "avoid", "diet"})  # fmt: skip
"""What is answered otherwise for another person, or where more is known of one."""
_FOR_ANYBODY = frozenset({"symptom", "cause", "complication", "outlook", "test"})
_WHETHER_TO_TAKE = ("contraindication", "interaction")
_EFFECTS = ("side_effect", "symptom", "complication")
_FOR_DRUGS = ("drug", "treatment")
_BY_RULE = 0.9
"""A statement asks something only where a rule finds it, and not by likeness to questions."""
_LIKELY = 0.5
_COURSE = ("duration", "onset")
"""Values that say how long something has lasted, and nothing of the person."""
_STOP = {"en": ". ", "zh": "。"}
_ENDS = " ,.;:!?，。；：！？"


class Understand(Protocol):
    """How a text alone is read; `around` is what it stands in, where it is one of the questions of
    a message, and `about` of whom it tells, where a message tells of several."""

    def __call__(
        self, text: str, *, around: Around | None = None, about: About | None = None
    ) -> Question:
        """The question that a text asks."""
        ...


@dataclass(frozen=True, slots=True)
class Turn:
    """What one text of a conversation tells, and what it asks in full."""

    told: Question
    whole: Question
    person: int
    asks: bool
    again: bool = False
    """It asks the last question again, with what it tells."""
    danger: tuple[DangerSign, ...] = ()
    """The signs that are present, of this turn and of those before it that are not over."""


@dataclass
class Conversation:
    """Turns so far. `understand` reads a text alone; `shown` gives what an answer lists."""

    understand: Understand
    shown: Callable[[Question], Sequence[str]]
    turns: list[Turn] = field(default_factory=list)
    persons: Persons = field(default_factory=Persons)
    given_up: str = ""
    """What is taken no longer as far as the question that is read supposes: "if it was X instead of
    Y"."""

    def within(self, around: Around | None) -> Conversation:
        """The same conversation, which goes on with one of the questions of a message."""
        if around is None:
            return self
        return replace(self, understand=partial(self.understand, around=around))

    def of(self, about: About | None) -> Conversation:
        """The same conversation, which goes on with what a message tells of one of several."""
        if about is None:
            return self
        return replace(self, understand=partial(self.understand, about=about))

    def read(self, text: str, *, of_letter: bool = False) -> Question:
        """The next question: in full, with what was told before of the same person.

        A part `of_letter` is of somebody else than all other parts.
        """
        if of_letter:
            return replace(self._read(text, of_letter=True), as_written="")
        parts = _parts(text) if self.turns else [text]
        for part in parts[:-1]:
            self._read(part)
        question = self._read(parts[-1])
        rest = len(parts) > 1 and not question.as_written
        return replace(question, as_written=text) if rest else question

    def _read(self, text: str, *, of_letter: bool = False) -> Question:
        self.given_up = ""
        alone = self._goes_on_telling(self._alone(text))
        if says("withdraws", alone):
            self._withdraw(alone)
        same = corrects(alone) and not says("of_another", alone)
        given_away = self._given_away(alone)
        alone = _without_mentions(alone, given_away)
        person = self.persons.current
        if not given_away:
            person = self.persons.of_turn(alone, corrects=same, of_letter=of_letter)
        put_right = self._put_right(alone)
        narrowed = None if put_right else self._narrowed(alone)
        again = self._without_what_was(given_away, alone) or self._once_begun(alone)
        if not (again or put_right or narrowed):
            again = self._complaint_continued(alone, person) or self._question_repeated(
                alone, person
            )
        whole = again or put_right or narrowed or self._in_full(alone, person)
        told = alone if again else whole
        told = told if not again and (put_right or _is_of_nobody(told)) else _as_statement(told)
        told = _with_listed(_with_prescribed(told))
        self._move(alone, person)
        self._learn_whose(alone, person)
        given_up = {self.given_up} - {""}
        earlier = [
            _without_mentions(without_in_question(turn.told, turn.whole, whole), given_up)
            for turn in self.turns
            if turn.person == person
        ]
        standing = asks(whole) or put_right is not None or bool(in_question(whole))
        turn = Turn(told, whole, person, standing, again is not None)
        question = _in_danger(_known(turn, earlier, alone), alone)
        before = next((turn.danger for turn in reversed(self.turns) if turn.person == person), ())
        holding = _not_over(before, alone)
        question = _without_what_is_over(question, alone, before, holding)
        question = _still_in_danger(question, alone, holding)
        said = {sign.sign for sign in question.danger_present}
        holding = tuple(sign for sign in holding if sign.sign not in said)
        self.turns.append(replace(turn, danger=(*question.danger_present, *holding)))
        return question

    def _alone(self, text: str) -> Question:
        """A turn as it reads without the others, and without the words by which it corrects them:
        the "no" of "no, I meant a stroke" denies nothing."""
        if not self.turns:
            return self.understand(text)
        begins = pattern("corrects", language_of(text)).match(lower(text))
        rest = text[begins.end() :] if begins else ""
        read = rest if rest.strip(_ENDS) else text
        read = self._in_place_of_age(read, language_of(text)) if begins else read
        alone = self._with_what_ended(self._supposed_of_taken(read) or self.understand(read))
        if own := named_as_own(alone):
            return replace(self.understand(own), as_written=text)
        return alone if read == text else replace(alone, as_written=text)

    def _in_place_of_age(self, text: str, language: str) -> str:
        """An age, or the weeks of a pregnancy, that is put right and no more, as it would be told:
        "sorry, 17", "sorry, 13 weeks"."""
        told = [turn.told.patient for turn in self.turns]
        kinds = (
            ("age_alone", "aged", any(each.age_days is not None for each in told)),
            ("weeks_alone", "pregnant", any(each.pregnant for each in told)),
        )
        for rule, form, known in kinds:
            if known and (found := pattern(rule, language).match(lower(text))):
                return words(language)[form].format(age=found["age"])
        return text

    def _supposed_of_taken(self, text: str) -> Question | None:
        """A turn that supposes something of a medicine that is taken, as telling it: "what if I
        stopped the warfarin?"; None where it supposes something else."""
        supposes = pattern("supposes", language_of(text)).match(lower(text))
        if supposes is None or self._last is None:
            return None
        told = self.understand(text[slice(*supposes.span("what"))])
        named = {m.entity for m in told.of_concept(*SUBSTANCES)}
        taken = {m.entity for turn in self.turns for m in turn.told.mentions if m.role == "taken"}
        if not named or not named <= taken:
            return None
        return replace(told, danger=self.understand(text).danger)

    def _with_what_ended(self, turn: Question) -> Question:
        """A turn by which what was told to be taken is ended, with its name: "I stopped it last
        month"."""
        found = pattern("ended", turn.language).search(lower(turn.text))
        if found is None or turn.of_concept(*SUBSTANCES) or asks_in_words(turn):
            return turn
        told = (
            [m.text for m in before.told.of_concept(*SUBSTANCES) if m.role == "taken"]
            for before in reversed(self.turns)
        )
        names = words(turn.language)["and"].join(next((some for some in told if some), []))
        start, end = found.span("it")
        return self.understand(turn.text[:start] + names + turn.text[end:]) if names else turn

    def _goes_on_telling(self, alone: Question) -> Question:
        """A turn that names one more drug where nothing was asked yet, and drugs that are taken
        were told: "I take metformin", then "and ramipril"."""
        before = self.turns[-1].told if self.turns and self._last is None else None
        named = alone.of_concept(*SUBSTANCES)
        if (
            before is None
            or not named
            or asks_in_words(alone)
            or not is_bare(alone, but_for="adds")
        ):
            return alone
        if not any(m.role == "taken" for m in before.mentions):
            return alone
        asked = [m for m in named if m.role == "asked" and m.status != "absent"]
        mentions = tuple(replace(m, role="taken") if m in asked else m for m in alone.mentions)
        drugs = (*alone.patient.drugs, *(e for m in asked for e in m.entities))
        return replace(alone, mentions=mentions, patient=replace(alone.patient, drugs=drugs))

    def _put_right(self, turn: Question) -> Question | None:
        """The last question with another name in it, in place of the one named last: "no, I meant a
        throat infection"."""
        named, last = things(turn), self._last
        if last is None or last is not self.turns[-1] or len(named) != 1:
            return None
        family = FINDINGS if named[0].concept in FINDINGS else SUBSTANCES
        alike = [m for m in things(last.whole) if m.concept in family]
        denied = {m.entity for m in turn.mentions if m.status == "absent"}
        alike = [m for m in alike if m.entity in denied] or alike
        if not (alike and corrects(turn) and is_bare(turn, but_for="says_so")):
            return None
        text, wrong = last.whole.text, alike[-1]
        whole = self.understand(text[: wrong.start] + named[0].text + text[wrong.end :])
        return replace(whole, as_written=turn.as_written)

    def _withdraw(self, turn: Question) -> None:
        """Take back what was told last, or the whole of it, where a turn says so."""
        names = {mention.entity for mention in turn.mentions}
        for at in reversed(range(len(self.turns))):
            told = self.turns[at].told
            said = [m for m in told.mentions if tells(m) and (not names or m.entity in names)]
            if not said and told.patient == Patient():
                continue
            everything = says("withdraws_all", turn)
            gone = {m.entity for m in said if not (everything and m.role == "allergy")}
            self.turns[at] = replace(self.turns[at], told=_without(told, gone))
            if not everything:
                return

    def _given_away(self, correction: Question) -> frozenset[str]:
        """What was told of whom the talk is of and is another's, as a turn says that puts it right:
        "sorry, it's my uncle who takes azathioprine". It is taken back."""
        if not (self.turns and corrects(correction)) or says("adds", correction):
            return frozenset()  # "sorry, my sister is on it, too"
        current = self.persons.current
        own = [turn.told for turn in self.turns if turn.person == current]
        told = [m for turn in own for m in things(turn) if tells(m)]
        another = told_of_another(correction, self.persons.known[current].names)
        away = {
            m.entity
            for m in told
            if m.entity in another or (m.role == "allergy" and ALLERGY in another)
        }
        for at, turn in enumerate(self.turns):
            if turn.person == current:
                self.turns[at] = replace(turn, told=_without_mentions(turn.told, away))
        return frozenset(away | ({ALLERGY} & another if away else set()))

    def _without_what_was(self, given_away: frozenset[str], alone: Question) -> Question | None:
        """The last question once more, without what a turn said to be another's."""
        last = self._last
        if not given_away or last is None or asks_in_words(alone):
            return None
        told = [turn.told for turn in self.turns if turn.person == last.person]
        return _again(as_of_now(last.whole, alone, told, same_person=True), alone)

    def _move(self, correction: Question, person: int) -> None:
        """What was told last is of somebody else, where a turn says only that: "no, my son is"."""
        if not (corrects(correction) and self.turns) or says("adds", correction):
            return
        told = {ALLERGY, *(m.entity for m in self.turns[-1].told.mentions)}
        if not told.issuperset(m.entity for m in things(correction)):
            return
        was = self.turns[-1].person
        if was != person:
            self.turns[-1] = replace(self.turns[-1], person=person)
            self.persons.told_wrongly_of = was

    def _learn_whose(self, turn: Question, person: int) -> None:
        """What was told of a relative is of the patient, once the two texts together say so: "my
        mum had a stroke and is on clopidogrel", then "she's got heartburn"; in doubt, too: then
        "omeprazole?"."""
        for at, before in enumerate(self.turns):
            told = before.told
            of_others = any(m.experiencer == "other" for m in told.mentions)
            if before.person != person or not of_others or tells_of_friends(told):
                continue
            text = f"{told.text.rstrip(' .。')}{_STOP[told.language]}{turn.text}"
            own = {m.start for m in self.understand(text).mentions if m.experiencer == "patient"}
            doubtful = names_nobody(turn) and not names_writer(told)
            mentions = tuple(
                replace(m, experiencer="patient") if doubtful or m.start in own else m
                for m in told.mentions
            )
            self.turns[at] = replace(before, told=_as_statement(replace(told, mentions=mentions)))

    @property
    def _last(self) -> Turn | None:
        """The last turn that asked something."""
        return next((turn for turn in reversed(self.turns) if turn.asks), None)

    def _question_repeated(self, alone: Question, person: int) -> Question | None:
        """The last question once more, where a turn only changes for whom, or what is known."""
        last = self._last
        if last is None or _named_to_ask(alone) or _hides_the_list(alone, last.whole):
            return None
        if _asks_which_is_grave(alone, last.whole):
            return replace(_again(last.whole, alone), aside="grade")
        if _of_the_list(alone, last.whole):
            return self._list_again(alone, last, person)
        asks_nothing = not things(alone) and not any(intent.sure for intent in alone.intents)
        may_share = says("shares", alone) and not alone.of_concept(*SUBSTANCES)
        same = _asks_the_same(alone) or (person != last.person and (asks_nothing or may_share))
        if _asks_its_own(alone) and not (same or _ends_a_medicine(alone)):
            return None
        if person != last.person and _depends_on_person(last.whole):
            another = _again(_for_another(last.whole, alone), alone)
            return replace(another, danger=alone.danger)
        return self._with_more_known(alone, last) if _depends_on_person(last.whole) else None

    def _once_begun(self, alone: Question) -> Question | None:
        """The last question, once what is planned is taken: "and once I've started?"."""
        last = self._last
        begun = last is not None and says("once_begun", alone)
        return _again(_with_prescribed(last.whole), alone) if last and begun else None

    def _complaint_continued(self, alone: Question, person: int) -> Question | None:
        """The complaint that was told last, with what a turn adds to it that names nothing: "it has
        lasted two weeks", "on the left side"."""
        before = self.turns[-1] if self.turns else None
        silent = not (alone.mentions or alone.not_understood or alone.aside)
        if before is None or before.person != person or not silent or before.told.aside:
            return None
        course = all(value.quantity in _COURSE for value in alone.values)
        if asks(alone) or _says_nothing(alone) or alone.asks or not course or corrects(alone):
            return None
        if not any(m.concept in FINDINGS and m.status == "present" for m in before.whole.mentions):
            return None
        whole = before.whole
        text = f"{whole.text.rstrip(' .。')}{_STOP[whole.language]}{alone.text}"
        return replace(self.understand(text), as_written=alone.as_written or alone.text)

    def _with_more_known(self, alone: Question, last: Turn) -> Question | None:
        """The last question once more, where a turn tells something, or names nothing at all."""
        if goes_on_in_words(alone):
            return None
        goes_on_telling = self.turns[-1].again and bool(alone.of_concept(*FINDINGS))
        if not (_tells_more(alone) or goes_on_telling):
            return _again(last.whole, alone) if _says_nothing(alone) else None
        since = self.turns[self.turns.index(last) + 1 :]
        later = [turn.told for turn in since if turn.person == last.person]
        return _again(without_withdrawn(last.whole, [*later, _as_statement(alone)]), alone)

    def _narrowed(self, alone: Question) -> Question | None:
        """Which of the list that was shown are of a class, bring a finding on, or must not be
        taken: "which of them are diuretics?", "do any of those cause a cough?"."""
        named, last = things(alone), self._last
        if last is None:
            return None
        if text := listed_and_harmed(alone, last.whole):
            return replace(self.understand(text), as_written=alone.text)
        if not says("those", alone) or len(named) != 1:
            return None
        held, text = words(alone.language), ""
        among: tuple[str, ...] = ()
        if named[0].concept == "drug_class":
            text = list_for(last.whole, [], of_class=named[0].text)
        elif named[0].concept in FINDINGS and says("brings_on", alone):
            shown = self.understand(", ".join(self.shown(last.whole)) or alone.text)
            among = tuple(e for m in shown.of_concept(*SUBSTANCES) for e in m.entities)
            text = held["suspects"].format(finding=named[0].name) if among else ""
        if not text:
            return None
        whole = self.understand(text)
        return replace(whole, form=replace(whole.form, among=among), as_written=alone.text)

    def _list_again(self, alone: Question, last: Turn, person: int) -> Question | None:
        """The last list again, or the drugs for what was last spoken of; for somebody to whom the
        talk comes back, for what was spoken of with them."""
        if last.whole.form.compared or _lists_drugs(last.whole):
            return _again(last.whole, alone)
        own = [turn.whole for turn in self.turns if turn.person == person]
        comes_back = bool(own) and person != last.person
        last_of_them = own[-1] if comes_back else last.whole
        text = list_for(last_of_them, own if comes_back else [turn.whole for turn in self.turns])
        return replace(_again(self.understand(text), alone), repeated=False) if text else None

    def _in_full(self, alone: Question, person: int) -> Question:
        """A question with what it takes up from those before it in its text."""
        if not self.turns or corrects(alone) or says("withdraws", alone):
            return alone
        if len(alone.form.compared) > 1:  # "colchicine vs prednisolone" says all
            return alone
        wholes = [turn.whole if turn.asks else turn.told for turn in self.turns]
        item = with_item(alone, wholes, self.shown, self.understand)
        if item.as_written:
            return item
        last = self._last
        own = [
            whole for whole, turn in zip(wholes, self.turns, strict=True) if turn.person == person
        ]
        for completion in completions(alone, last.whole if last else None, wholes, own):
            whole = self.understand(completion.text)
            if _asks_in_words(whole):
                if completion.replaces:
                    self._replace(completion.replaces)
                self.given_up = completion.gives_up
                told = [turn.told for turn in self.turns if turn.person == person]
                same = last is None or last.person == person
                whole = as_of_now(whole, alone, told, same_person=same, spoken_of=completion.names)
                return replace(whole, danger=_of_words(whole, alone), as_written=alone.text)
        return alone

    def _replace(self, entity: str) -> None:
        """What was only supposed in a question, and is now something else, holds no longer; what
        is told to be taken as well does: "I take warfarin. What is warfarin for?"."""
        for at, turn in enumerate(self.turns):
            named = [m for m in turn.told.mentions if m.entity == entity]
            asked = any(m.role == "asked" for m in named)
            told = any(m.role == "taken" and (asked or m.status == "present") for m in named)
            if not told and any(m.status == "unknown" for m in named):
                self.turns[at] = replace(turn, told=_without(turn.told, {entity}))


def _without_mentions(turn: Question, entities: Collection[str]) -> Question:
    """A turn that does not name these things; what else it tells of somebody stays."""
    if not entities:
        return turn
    kept = tuple(m for m in turn.mentions if m.entity not in entities)
    patient = replace(
        turn.patient,
        allergies=tuple(e for e in turn.patient.allergies if e not in entities),
        drugs=tuple(e for e in turn.patient.drugs if e not in entities),
        conditions=tuple(e for e in turn.patient.conditions if e not in entities),
    )
    return replace(turn, mentions=kept, patient=patient)


def _of_words(whole: Question, alone: Question) -> tuple[DangerSign, ...]:
    """The danger of a question made of the words of two turns: what likeness alone shows in them
    nobody wrote."""
    return tuple(
        sign
        for sign in whole.danger or ()
        if sign.how == "rule" or any(sign.sign == own.sign for own in alone.danger or ())
    )


def asks(question: Question) -> bool:
    """Whether a text asks something: in words, or by a name and a mark of question."""
    wanted = asks_in_words(question) and bool(things(question))
    return wanted or _asks_in_words(question) or _named_to_ask(question)


def _is_of_nobody(turn: Question) -> bool:
    """Whether what a turn names is nobody's: who asks how a disease is treated may have it."""
    likely = {intent.label for intent in turn.intents if intent.score >= _LIKELY}
    for_one_disease = likely == {"treatment"} and len(turn.of_concept("disease")) == 1
    return asks(turn) and not for_one_disease


def _asks_in_words(question: Question) -> bool:
    if asks_in_words(question):
        sure = any(intent.sure for intent in question.intents)
        return (sure and bool(question.mentions)) or question.form.kind != "plain"
    if any(map(tells, question.mentions)):
        asked = {intent.label for intent in question.intents if intent.score >= _BY_RULE}
        return not asked.isdisjoint(_FOR_DRUGS)
    substances = {mention.entity for mention in question.of_concept(*SUBSTANCES)}
    if substances and not question.asks and substances == in_question(question):
        return False  # "he was told to take warfarin"
    surely = _BY_RULE if substances else _LIKELY  # "我吃地高辛" tells
    asked = {intent.label for intent in question.intents if intent.score >= surely}
    return not asked.isdisjoint(_FOR_SOMEBODY | _FOR_ANYBODY)


def _named_to_ask(question: Question) -> bool:
    """Whether a drug is named, and nothing said of it but that it is asked about."""
    named = [m for m in question.of_concept("drug") if m.status != "absent"]
    if asks_in_words(question) and says("goes_on", question) and not goes_on_in_words(question):
        return any(m.role == "asked" or m.status == "unknown" for m in named)
    asked = [mention for mention in named if mention.role == "asked"]
    first = any(begins_with_more(question, mention) for mention in asked[:1])
    return bool(asked) and (first or asks_in_words(question) or is_bare(question))


def _asks_its_own(question: Question) -> bool:
    """Whether a turn is a question by itself: asked in words of asking, of what it names."""
    wording = asking(question.language).search(written(question).rstrip(" ?？"))
    return _asks_in_words(question) or (wording is not None and bool(things(question)))


def _asks_the_same(question: Question) -> bool:
    """Whether it is asked what was asked for another: "my mother is on lithium, can she?"."""
    asked = any(mention.role == "asked" for mention in question.of_concept(*SUBSTANCES))
    return not asked and says("asks_the_same", question)


def _asks_which_is_grave(turn: Question, last: Question) -> bool:
    """Whether a turn asks which of the effects are grave that were listed before it."""
    effects = any(intent.label in _EFFECTS for intent in last.intents if intent.sure)
    return effects and says("grades", turn) and not things(turn)


def _lists_drugs(question: Question) -> bool:
    """Whether drugs are asked for, or for the members of a class."""
    asked = [m for m in question.of_concept(*SUBSTANCES) if m.role == "asked"]
    of_class = bool(asked) and all(m.concept == "drug_class" for m in asked)
    return of_class or any(intent.label in _FOR_DRUGS for intent in question.intents)


def _hides_the_list(turn: Question, last: Question) -> bool:
    """Whether help comes first, so that a list that was asked for waits."""
    return turn.helps_first and _lists_drugs(last)


def _of_the_list(turn: Question, last: Question) -> bool:
    """Whether a turn asks about what was listed: which of it, what else, or all of it."""
    if says("of_those", turn) or (says("what_else", turn) and not things(turn)):
        return True
    about_it = says("if_safe", turn) and not turn.of_concept(*SUBSTANCES)
    return about_it and _lists_drugs(last)


def _depends_on_person(question: Question) -> bool:
    drugs = any(mention.role == "asked" for mention in question.of_concept(*SUBSTANCES))
    sure = {intent.label for intent in question.intents if intent.sure}
    return drugs or not sure or not sure <= _FOR_ANYBODY


def _tells_more(question: Question) -> bool:
    """Whether a turn tells of a person: not only by a name that may be asked about as well."""
    if any(map(tells, _as_statement(question).mentions)) and (
        says("adds", question) or not is_bare(question)
    ):
        return True
    if _ends_a_medicine(question) or (question.values and not things(question)):
        return True
    return _with_sex_alone(question.patient) != Patient() and not asks_in_words(question)


def _ends_a_medicine(question: Question) -> bool:
    """Whether a turn tells that a medicine is taken no more, and asks nothing: "I stopped it"."""
    substances = question.of_concept(*SUBSTANCES)
    ended = any(m.role in NOT_NOW or m.status == "absent" for m in substances)
    return ended and asking(question.language).search(lower(question.text)) is None


def _with_sex_alone(patient: Patient) -> Patient:
    return replace(patient, sex=None, conditions=(), absent=(), severe=(), drugs=(), allergies=())


def _says_nothing(question: Question) -> bool:
    """Whether a turn names nothing that could be asked about: "and at night?", "the gel, then?"."""
    if question.mentions or question.not_understood:
        return False
    sure = any(intent.sure for intent in question.intents)
    return says("asks_nothing", question) or (
        goes_on_with_a_noun(question) and not (sure or question.aside)
    )


def _again(question: Question, turn: Question) -> Question:
    """A question as asked again by a turn: its dangers and unread words are of now."""
    return replace(
        question,
        as_written=turn.as_written or turn.text,
        repeated=True,
        danger=(
            *(turn.danger or ()),
            *(s for s in question.danger or () if s not in (turn.danger or ())),
        ),
        not_understood=(*question.not_understood, *turn.not_understood),
        contradictions=turn.contradictions,
    )


def _known(turn: Turn, earlier: Sequence[Question], alone: Question) -> Question:
    """What a turn asks, with what is known from those before it."""
    if not turn.again:
        return with_earlier(turn.whole, earlier)
    told_now = [*earlier, _supposed(turn.told)]
    known = with_earlier(replace(turn.whole, as_written=""), told_now, turn=alone)
    return replace(known, as_written=turn.whole.as_written)


def _not_over(before: Sequence[DangerSign], alone: Question) -> tuple[DangerSign, ...]:
    """The danger told of the same person in turns before that this turn does not say to be over:
    neither taken back nor seen by a doctor, nor denied by its words, nor passed, where that would
    end it."""
    if corrects(alone) or says("withdraws", alone) or says("danger_seen", alone):
        return ()
    denied = [lower(m.text) for m in alone.mentions if m.status == "absent"]
    passed = says("danger_passed", alone)
    return tuple(
        sign
        for sign in before
        if not (passed and sign.sign not in though_passed())
        and not any(word in lower(" ".join(sign.words)) for word in denied)
    )


def _without_what_is_over(
    question: Question,
    alone: Question,
    before: Sequence[DangerSign],
    holding: Sequence[DangerSign],
) -> Question:
    """A question without the danger that is over, where it is read together with what told it."""
    still = {sign.sign for sign in (*holding, *alone.danger_present)}
    over = {sign.sign for sign in before} - still
    if not over:
        return question
    return replace(question, danger=tuple(s for s in question.danger or () if s.sign not in over))


def _still_in_danger(
    question: Question, alone: Question, holding: Sequence[DangerSign]
) -> Question:
    """A question with the danger that holds from turns before: a fever of a newborn, then "she
    feeds less". One that asks what is known of something, and nothing for somebody, is answered."""
    if alone.aside:
        return question
    if asks(alone) and not question.as_written:
        labels = {intent.label for intent in alone.intents}
        if not alone.of_concept(*SUBSTANCES) or labels.isdisjoint(_WHETHER_TO_TAKE):
            return question
        holding = [sign for sign in holding if sign.has_name]
    return _with_danger(question, holding)


def _with_danger(question: Question, signs: Sequence[DangerSign]) -> Question:
    """A question in danger by these signs, too; what was asked about a sign is known by it."""
    held = {sign.sign for sign in question.danger_present}
    new = tuple(sign for sign in signs if sign.sign not in held)
    names = {sign.sign for sign in new}
    others = tuple(sign for sign in question.danger or () if sign.sign not in names)
    return replace(question, danger=(*new, *others)) if new else question


def _in_danger(question: Question, turn: Question) -> Question:
    """A question with the danger that a turn tells of whom more is known: a bad headache, of
    somebody who said before that she is pregnant; a fever, of a newborn."""
    known = question.patient
    if (known.pregnant, known.age_days) == (turn.patient.pregnant, turn.patient.age_days):
        return question
    held = {sign.sign for sign in question.danger or () if sign.status == "present"}
    told = read_danger(turn.as_written or turn.text, turn.language, known)
    new = tuple(sign for sign in told if sign.status == "present" and sign.sign not in held)
    names = {UNNAMED_DANGER, *(sign.sign for sign in new)}
    others = tuple(sign for sign in question.danger or () if sign.sign not in names)
    return replace(question, danger=(*new, *others)) if new else question


def _for_another(question: Question, turn: Question) -> Question:
    """A question without what it tells of the one for whom it was asked; of a medicine that this
    one might share, whether they may, whatever was asked of it before."""
    shares = says("shares", turn)
    substances = [
        replace(m, role="asked", status="unknown")
        for m in question.of_concept(*SUBSTANCES)
        if m.role == "asked" or (shares and m.role == "taken")
    ]
    findings = [m for m in question.of_concept(*FINDINGS) if m.entity != ALLERGY]
    apart = [m for m in findings if m.status != "present"] or [
        m for m in findings if m.concept == "symptom"
    ]
    if not substances:
        apart = apart or findings[:1]
    others = [m for m in question.mentions if m.concept not in (*SUBSTANCES, *FINDINGS, _SOMEBODY)]
    held = tuple(sorted((*substances, *apart, *others), key=lambda m: m.start))
    question = replace(question, mentions=held, patient=Patient(), values=(), described=())
    if not (shares or question.aside == "shared") or not substances:
        return question
    # whose it is was asked of another: may they have it themselves?
    return replace(question, aside="", intents=(Intent("contraindication"),))


_SOMEBODY = "population"


def _as_statement(turn: Question) -> Question:
    """A turn that asks nothing, as telling what it names: "34F, asthma, on warfarin"."""
    return replace(turn, mentions=tuple(_stated(mention, turn) for mention in turn.mentions))


def in_question(turn: Question) -> frozenset[str]:
    """What a turn only tells that somebody is to take, or might: that is asked without a word."""
    return frozenset(
        mention.entity
        for mention in turn.of_concept(*SUBSTANCES)
        if mention.role == "asked" and mention.status == "present" and offered(turn, mention)
    )


def without_in_question(told: Question, turn: Question, now: Question) -> Question:
    """What a turn told, without what it puts in question, where that is what is asked `now`, or a
    list is: what was prescribed is held against all that is listed, what was only suggested is held
    against a drug that is named."""
    asked = {m.entity for m in now.of_concept("drug") if m.role == "asked"}
    gone = {
        mention.entity
        for mention in turn.mentions
        if mention.entity in in_question(turn)
        and (mention.entity in asked or (not asked and offered(turn, mention) == "suggested"))
    }
    kept = tuple(m for m in told.mentions if m.entity not in gone or m.role != "taken")
    return replace(told, mentions=kept)


def _stated(mention: Mention, turn: Question) -> Mention:
    """A mention as a statement tells it; what was only suggested may be taken."""
    if mention.experiencer == "other" or mention.temporality == "historical" or mention.doubted:
        return mention
    if mention.concept in FINDINGS and mention.status == "unknown":
        return replace(mention, status="present")
    if mention.concept in SUBSTANCES and is_only_there(turn, mention):
        return mention
    if mention.concept in SUBSTANCES and (mention.role, mention.status) == ("asked", "present"):
        suggested = offered(turn, mention) == "suggested"
        return replace(
            mention, role="taken", status="hypothetical" if suggested else mention.status
        )
    return mention


def _with_prescribed(turn: Question) -> Question:
    """A turn that asks about one medicine where another was prescribed, which will be taken."""
    asked = [m for m in turn.of_concept(*SUBSTANCES) if m.role == "asked"]
    new = [m for m in asked if m.status == "present" and offered(turn, m) == "prescribed"]
    if not new or not {m.entity for m in turn.of_concept(*SUBSTANCES)} - {m.entity for m in new}:
        return turn
    mentions = tuple(
        replace(m, role="taken", status="hypothetical") if m in new else m for m in turn.mentions
    )
    return replace(turn, mentions=mentions)


def _with_listed(turn: Question) -> Question:
    """A turn that asks of something else than the medicines that it lists as taken."""
    places = listed(turn)
    mentions = (
        replace(m, role="taken", status="present")
        if (m.start, m.end) in places and m.role == "asked"
        else m
        for m in turn.mentions
    )
    return replace(turn, mentions=tuple(mentions)) if places else turn


def _supposed(turn: Question) -> Question:
    """A turn with what it supposes as if it were so, for one answer: "which one if asthma"."""
    mentions = tuple(
        replace(m, status="present") if m.status == "hypothetical" else m for m in turn.mentions
    )
    return replace(turn, mentions=mentions)


def _without(turn: Question, entities: set[str]) -> Question:
    """A turn that does not tell these things; nor anything else of a person, if it told them."""
    kept = tuple(mention for mention in turn.mentions if mention.entity not in entities)
    allergies = tuple(each for each in turn.patient.allergies if each not in entities)
    return replace(turn, mentions=kept, patient=Patient(allergies=allergies))


def _parts(text: str) -> list[str]:
    """What takes something back, and what is asked behind it."""
    found = pattern("takes_back_first", language_of(text)).match(text.lower())
    return [text[: found.end("first")], text[found.start("rest") :]] if found else [text]
