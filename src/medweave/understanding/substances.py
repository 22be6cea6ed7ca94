"""What a drug in a text is to the person: not borne, taken, taken once, or asked about."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Literal as OneOf

from medweave.language.data import any_of, rule_in_any, rules_in
from medweave.language.folding import blotted
from medweave.language.passage import Passage, Span, passage_of
from medweave.language.people import people_of
from medweave.language.prefilter import Expression
from medweave.model.question import (
    BY_HABIT,
    IMPLIED,
    NOT_NOW,
    SOUGHT,
    SUBSTANCES,
    Mention,
    Question,
    Role,
)
from medweave.understanding.intents.find import asks_anything
from medweave.understanding.medicine_events import Events, events_in
from medweave.understanding.reactions import reaction_to
from medweave.understanding.regimens import with_regimens
from medweave.understanding.rule_files import PATIENT_RULES

Offered = OneOf["", "prescribed", "suggested"]
"""How a substance that nobody is said to take came up."""


def with_roles(passage: Passage, mentions: Sequence[Mention]) -> tuple[Mention, ...]:
    """The mentions, each substance with what it is to the person of whom it is told.

    "With asthma, ibuprofen" is no list of what is taken: names of other things part a list. What a
    sign tells by a medicine is told of that as well: "came off the pill to conceive".
    """
    substances = [(m.start, m.end) for m in mentions if m.concept in SUBSTANCES]
    if not substances:
        return tuple(mentions)
    others = (
        (m.start, m.end)
        for m in mentions
        if m.concept not in (*SUBSTANCES, _SOMEBODY)
        and not (m.link.how == IMPLIED and any(m.start <= s and e <= m.end for s, e in substances))
    )
    text = _as_words(blotted(passage.plain, others, "~"), substances)
    events = events_in(passage, substances)
    roles = _Roles(passage, text, substances, _repeated(mentions), events)
    named = _giving_way(mentions, events)
    told = [roles.told(m) if m.concept in SUBSTANCES else m for m in named]
    listed = with_regimens(passage, roles.in_lists(told), events.roles)
    found = roles.in_question(listed)
    return roles.beside_habits(roles.not_borne(found))


def offered(question: Question, mention: Mention) -> Offered:
    """Whether somebody was prescribed or given a substance, in the words of a question, or only
    told that they might take it; "" where neither is told.

    >>> from medweave.model.question import Mention, Question
    >>> text = "Dad was told to take propranolol"
    >>> told = Mention(21, 32, "propranolol", "mw.substance:propranolol", "propranolol", "drug")
    >>> offered(Question(text, "en", (told,)), told)
    'suggested'
    """
    rules = _rules(question.language)
    found = rules["offered_before"].search(_around(question, mention)[0])
    if found is None:
        return ""
    return "suggested" if rules["suggested"].search(found.group()) else "prescribed"


def is_only_there(question: Question, mention: Mention) -> bool:
    """Whether a medicine is only wanted, or lies there to be taken, in the words of a question.

    >>> from medweave.model.question import Mention, Question
    >>> text = "Found tramadol in the drawer"
    >>> told = Mention(6, 14, "tramadol", "mw.substance:tramadol", "tramadol", "drug", role="asked")
    >>> is_only_there(Question(text, "en", (told,)), told)
    True
    """
    rules, (before, after) = _rules(question.language), _around(question, mention)
    return bool(
        rules["wanted_before"].search(before) or rules["at_hand"].search(f"{before}{_NAME}{after}")
    )


def _around(question: Question, mention: Mention) -> tuple[str, str]:
    """What stands before a medicine in its sentence, and some of what stands behind it, with words
    for all that is taken."""
    passage = passage_of(question.text, question.language)
    substances = [(m.start, m.end) for m in question.of_concept(*SUBSTANCES)]
    text = _as_words(passage.plain, substances)
    first = passage.sentence_at(mention.start)[0]
    return text[first : mention.start], text[mention.end : mention.end + _LONGEST]


def listed(question: Question) -> frozenset[Span]:
    """Where the medicines of a problem list stand, in the words of a question: "64M, AF, Xarelto
    20". One of them stands with its dose, or behind a word for such a list, in a sentence that
    asks nothing; and more is told in the text than that one name.

    >>> from medweave.model.question import Mention, Patient, Question
    >>> text = "Age 64, apixaban 5 bd. What does it do?"
    >>> told = Mention(8, 16, "apixaban", "mw.substance:apixaban", "apixaban", "drug", role="asked")
    >>> listed(Question(text, "en", (told,), Patient(age_days=64 * 365)))
    frozenset({(8, 16)})
    """
    asked = [m for m in question.of_concept(*SUBSTANCES) if m.role == "asked"]
    rules, found = _rules(question.language), set[Span]()
    passage = passage_of(question.text, question.language)
    for first, last in passage.sentences if asked else ():
        here = [m for m in asked if first <= m.start < last and m.experiencer == "patient"]
        told = passage.plain[first:last]
        if not here or rules["no_list"].search(told):
            continue
        if asks_anything(question.text[first:last], question.language, ()):
            here = _told_in_a_clause(here, passage, question.text, rules)
        several = len(here) > 1 or question.patient.age_days is not None
        more = several or _tells_of_an_illness(question)
        if more and any(_is_dosed(m, passage.plain, first, rules) for m in here):
            found.update((m.start, m.end) for m in here)
    return frozenset(found)


def _told_in_a_clause(
    named: Sequence[Mention], passage: Passage, text: str, rules: Mapping[str, Expression]
) -> list[Mention]:
    """The medicines that stand with their dose in a clause that asks nothing, in a sentence whose
    later clauses ask: a comma parts them in Chinese, "地高辛半片一天，脉搏多少算慢？"."""
    if passage.language != "zh":
        return []
    clauses = [(m, passage.clause_at(m.start)) for m in named]
    return [
        m
        for m, (start, end) in clauses
        if _is_dosed(m, passage.plain[:end], start, rules)
        and not asks_anything(text[start:end], passage.language, ())
        and not rules["asked_of_it"].search(passage.plain[end:])
    ]


def _tells_of_an_illness(question: Question) -> bool:
    return any(m.concept == "disease" and m.status != "absent" for m in question.mentions)


def _is_dosed(mention: Mention, text: str, first: int, rules: Mapping[str, Expression]) -> bool:
    """Whether a medicine stands with its dose or its time, or behind a word for a list of them."""
    before, after = text[first : mention.start], text[mention.end : mention.end + _LONGEST]
    return bool(rules["list_before"].search(before) or rules["dose_after"].search(after))


def _giving_way(mentions: Sequence[Mention], events: Events) -> list[Mention]:
    """The mentions, each medicine that is to be replaced with what comes in its place."""
    if not events.gives_way:
        return list(mentions)
    at = {(m.start, m.end): m for m in mentions}
    return [
        m
        if (new := events.gives_way.get((m.start, m.end))) is None
        else replace(m, gives_way_to=tuple(e for n in new for e in at[n].entities) or (SOUGHT,))
        for m in mentions
    ]


def _repeated(mentions: Sequence[Mention]) -> frozenset[Span]:
    times = Counter(mention.entity for mention in mentions)
    return frozenset((m.start, m.end) for m in mentions if times[m.entity] > 1)


def _by_habit(mention: Mention, role: Role) -> Role:
    """Who feels ill behind a drink is not allergic to it."""
    return "taken" if role == "allergy" and mention.entity in BY_HABIT else role


@dataclass(frozen=True)
class _Roles:
    passage: Passage
    text: str
    """The text in lower case: each substance as one word, all other names overwritten."""
    substances: Sequence[Span]
    repeated: frozenset[Span]
    """Those of them that are named more than once."""
    events: Events
    """What is told to happen with them."""

    def told(self, mention: Mention) -> Mention:
        """The mention of a substance with its role; what alone is taken is not denied."""
        span = (mention.start, mention.end)
        if mention.experiencer == "other" and self._is_shared(span):
            mention = replace(mention, experiencer="patient")
        if mention.link.how == IMPLIED:  # by the very sign of it
            over = mention.temporality == "historical" or self.of(span) in NOT_NOW
            return replace(mention, role="past" if over else "taken")
        is_event = span in self.events.roles
        alone: Role = "" if is_event else self._alone(span)
        role: Role = "taken" if self._is_to_go_with(span) else alone
        if role:
            status = "present" if mention.status == "absent" else mention.status
            return replace(mention, role=_by_habit(mention, role), status=status)
        role = _by_habit(mention, self.of(span))
        if role == "taken" and not is_event and self._is_only_offered(span):
            role = "asked"
        told_by_its_use = mention.link.how == "lay"
        may_be = mention.concept == _CLASS or told_by_its_use
        if role == "asked" and may_be and self._is_somebodys(span, within=told_by_its_use):
            role = "taken"
        if role == "taken" and mention.status == "absent" and self._still_acts(span):
            return replace(mention, role=role, status="present")
        if role == "taken" and mention.status == "unknown" and self._is_stated(span):
            return replace(mention, role=role, status="present")  # though nobody is named
        return replace(mention, role=role)

    def in_lists(self, mentions: Sequence[Mention]) -> list[Mention]:
        """The mentions; the last of a list is what those before it are: of "cefalexin, doxycycline
        and amoxicillin, which?" none is taken with the others."""
        joined = _rules(self.passage.language)["list_joins"]
        found = list(mentions)
        listed: list[Mention] = []
        for number, mention in enumerate(found):
            if mention.concept not in SUBSTANCES or mention.entity in BY_HABIT:
                continue
            between = self.passage.plain[listed[-1].end : mention.start] if listed else ""
            goes_on = bool(listed) and joined.search(between)
            several = len(listed) >= _A_LIST or (goes_on and self._is_an_offer(listed[0]))
            if goes_on and several and mention.role == "taken":
                found[number] = replace(mention, role="asked")
            on = found[number].role == "asked"
            listed = [*(listed if goes_on else ()), mention] if on else []
        return found

    def _is_an_offer(self, first: Mention) -> bool:
        """Whether a list that begins with a mention is offered: "they gave me A and B"."""
        begin = self.passage.clause_at(first.start)[0]
        offers = _rules(self.passage.language)["offers"]
        return offers.search(self.text[begin : first.start]) is not None

    def in_question(self, mentions: Sequence[Mention]) -> tuple[Mention, ...]:
        """What another has or praises is in question for the patient, of whom it tells nothing
        else: "my brother gave her his naproxen", "he takes naproxen; may I have it, too?"."""
        own = {m.entity for m in mentions if m.experiencer == "patient"}
        return tuple(
            replace(m, experiencer="patient", role="asked")
            if m.experiencer == "other"
            and m.concept in SUBSTANCES
            and m.entity not in own
            and (m.role == "asked" or (m.role == "taken" and self._is_sought(m, mentions)))
            else m
            for m in mentions
        )

    def _is_sought(self, theirs: Mention, mentions: Sequence[Mention]) -> bool:
        """Whether what another takes is wanted without its name: "some of it", "dad's"."""
        return self._is_sought_of_owner(theirs) or self._is_sought_behind(theirs, mentions)

    def _is_sought_of_owner(self, theirs: Mention) -> bool:
        """Whether it is wanted as that of whoever takes it, by a word for them: "can dad have one
        of hubby's tablets?"."""
        people = people_of(self.passage)
        owner = people.bearer(theirs.start, theirs.end)
        if owner is None:
            return False
        whose = people.individual(owner)
        rule = _rules(self.passage.language)["takes_theirs"]
        return any(
            match.start("owner") <= person.start < match.end("owner")
            and people.individual(person) == whose
            for match in rule.finditer(self.passage.plain)
            for person in people.all
        )

    def _is_sought_behind(self, theirs: Mention, mentions: Sequence[Mention]) -> bool:
        """Whether it is asked, before another medicine is, for what somebody has, without its
        name: "may I have some of it?"."""
        others = (
            self.passage.sentence_at(m.start)[0]
            for m in mentions
            if m.role == "asked" and m.experiencer == "patient" and m.start > theirs.end
        )
        behind = self.text[theirs.end : min(others, default=len(self.text))]
        return _rules(self.passage.language)["takes_it"].search(behind) is not None

    def beside_habits(self, mentions: tuple[Mention, ...]) -> tuple[Mention, ...]:
        """What is drunk or eaten by habit, as what is taken where it is a medicine that is in
        question ("I drink; may I take X?"), and else as what is asked about: it is left out, and
        not what was prescribed ("a beer while on X?")."""
        asked = [m for m in mentions if m.role == "asked" and m.entity not in BY_HABIT]
        habits = [m for m in mentions if m.entity in BY_HABIT and m.role in ("asked", "taken")]
        is_wanted = any(m.concept == _CLASS or self._may_be_had(m, habits) for m in asked)
        if not asked or not habits:
            return mentions
        role: Role = "taken" if is_wanted else "asked"
        return tuple(replace(m, role=role) if m in habits else m for m in mentions)

    def _may_be_had(self, medicine: Mention, habits: Sequence[Mention]) -> bool:
        """Whether it is asked right before its name if it may be taken."""
        first = self.passage.sentence_at(medicine.start)[0]
        between = [h.end for h in habits if first <= h.start < medicine.start]
        before = self.text[max([first, medicine.start - _LONGEST, *between]) : medicine.start]
        return bool(_rules(self.passage.language)["may_be_had"].search(before))

    def not_borne(self, mentions: tuple[Mention, ...]) -> tuple[Mention, ...]:
        """What somebody is allergic to who says no more than that: what was asked about before it,
        and of a class and its members the class: "is there penicillin in Amoxil? I'm allergic"."""
        asked = [m for m in mentions if m.role == "asked" and m.experiencer == "patient"]
        if not asked or any(m.role == "allergy" for m in mentions):
            return mentions
        people = people_of(self.passage)
        for match in _rules(self.passage.language)["allergic_alone"].finditer(self.passage.plain):
            before = [m for m in asked if m.end <= match.start()] or asked
            first, last = self.passage.sentence_at(max(m.start for m in before))
            meant = self._of_what(first, [m for m in before if first <= m.start < last])
            own = self.passage.sentence_at(match.end() - 1)[0]
            stated = not _rule("not_stated").search(
                self.passage.plain[own : max(own, match.start())]
            )
            theirs = people.is_patients(match.start(), match.end()) or people.asked_for is None
            if stated and theirs:
                return tuple(
                    replace(m, role="allergy", status="present") if m in meant else m
                    for m in mentions
                )
        return mentions

    def _of_what(self, first: int, named: list[Mention]) -> list[Mention]:
        """Of what a sentence names, what it says to be in, or all of it: the aspirin of "does this
        have aspirin in it?"."""
        classes = [m for m in named if m.concept == _CLASS]
        if classes or len(named) == 1:
            return classes or named
        rules, asked = _rules(self.passage.language), self.text[first : named[-1].end]
        if rules["in_another"].search(asked):
            return named[:1]
        return named[-1:] if rules["is_another"].search(asked) else named

    def _is_shared(self, span: Span) -> bool:
        """Whether whoever writes has it too: "my wife takes warfarin and so do I"."""
        after = self.text[span[1] : span[1] + _LONGEST]
        return bool(_rules(self.passage.language)["shared_after"].search(after))

    def _is_somebodys(self, span: Span, *, within: bool) -> bool:
        """Whether a class is what somebody has of it ("his blood thinner"), and not any of it.

        `within`: who has it may be said by the first word of the span itself ("my reliever").
        """
        rules = _rules(self.passage.language)
        sentence = self.text[self.passage.sentence_at(span[0])[0] : span[0]]
        if rules["wanted_before"].search(sentence):
            return False  # "one that my mother can take"
        first = self.passage.plain[slice(*span)].partition(" ")[0]
        before = self.text[max(0, span[0] - _LONGEST) : span[0]] + (f"{first} " if within else "")
        return bool(rules["possessed_before"].search(before))

    def _alone(self, span: Span) -> Role:
        """What it is if all else is denied: "no other medicines, only warfarin" is taken, "no
        allergies but penicillin" is one. "" where nothing is denied."""
        rules = _rules(self.passage.language)
        first = max(self.passage.sentence_at(span[0])[0], span[0] - _LONGEST)
        before, after = self.text[first : span[0]], self.text[span[1] : span[1] + _LONGEST]
        asking = any(
            m.group().strip()[:1].isalpha() for m in rules["question_start"].finditer(before)
        )
        denied = rules["only_before"].search(before)
        if asking or not denied:
            return ""
        written = self.passage.plain[first + denied.start() : span[0]]
        if rules["apart_from"].search(before[-_NEAR:]):
            if not rules["only_after"].search(after):
                return ""
            written = self.passage.plain[span[1] : span[1] + _NEAR]
        return "allergy" if _rule("allergy_word").search(written) else "taken"

    def _is_only_offered(self, span: Span) -> bool:
        """Whether somebody was told to take it, and that is what the text is about: it is taken up
        ("is that ok?"), or nothing else is asked."""
        rules = _rules(self.passage.language)
        first, last = self.passage.sentence_at(span[0])
        before = self.text[max(first, span[0] - _LONGEST) : span[0]]
        found = rules["offered_before"].search(before)
        if found is None:
            return False
        if rules["put_forward"].search(found.group()) or self._is_taken_up(span[1]):
            return True
        others = [one for one in self.passage.sentences if one[0] != first]
        own = (span[1], last)
        return not any(self._asks_for_another(one) for one in (*others, own))

    def _is_taken_up(self, place: int) -> bool:
        """Whether it is asked of what was named before a place: "could he take that?"."""
        taken_up = _rules(self.passage.language)["taken_up"]
        first, _ = self.passage.sentence_at(place - 1)
        behind = [s for s in self.passage.sentences if s[0] >= first]
        asking = (self.text[max(start, place) : end] for start, end in behind)
        return any(taken_up.search(asked) for asked in asking)

    def _is_to_go_with(self, span: Span) -> bool:
        """Whether something is wanted that does it no harm: "which one doesn't clash with it?"."""
        before = self.text[max(0, span[0] - _LONGEST) : span[0]]
        return bool(_rules(self.passage.language)["harmless_before"].search(before))

    def _is_stated(self, span: Span) -> bool:
        """Whether it is told, and not asked, that it is taken: "on candesartan, may I …?"."""
        sentence, clause, after, asking = self._around(span)
        now = _rules(self.passage.language)["drug_now_before"].search(clause)
        return not asking and (bool(now) or self._says_that_it_is_taken(sentence, clause, after))

    def _around(self, span: Span) -> tuple[str, str, str, bool]:
        """What stands before a substance in its sentence, and in its clause; what stands behind it;
        and whether the clause begins with a word of asking."""
        start, end = span
        first = max(self.passage.sentence_at(start)[0], start - _LONGEST)
        sentence, after = self.text[first:start], self.text[end : end + _LONGEST]
        begun = list(_rules(self.passage.language)["question_start"].finditer(sentence))
        clause = sentence[begun[-1].end() :] if begun else sentence
        return sentence, clause, after, bool(begun) and begun[-1].group().strip()[:1].isalpha()

    def of(self, span: Span) -> Role:
        """What the substance at a span is."""
        rules = _rules(self.passage.language)
        sentence, clause, after, asking = self._around(span)
        behind = self.passage.plain[span[1] : span[1] + _LONGEST]
        tolerated = rules["tolerated_after"].search(behind)
        # behind what is not borne: "allergic to penicillin, naproxen ok?"
        last = sentence.rstrip().endswith(",") and self._is_sought_last(after)
        if tolerated or last or self._is_of_germs(span) or self._is_cleared(span):
            return "asked"
        if told := self._allergy(span, sentence, clause) or self.events.roles.get(span):
            return told
        if rules["wanted_before"].search(sentence) or self._is_at_hand(sentence, after):
            return "asked"
        if rules["asked_before"].search(sentence) and rules["asked_after"].search(after):
            return "asked"
        if over := self._over(span, clause, after):
            return over
        taken = self._is_taken(sentence, clause, after, asking=asking)
        return "taken" if taken else self._beside_a_question(span, sentence)

    def _over(self, span: Span, clause: str, after: str) -> Role:
        """What it is where it is told that it is not taken; "" where that is not told."""
        rules = _rules(self.passage.language)
        if rules["drug_over_before"].search(clause) or rules["drug_over_after"].search(after):
            if rules["goes_on_after"].search(after):
                return "taken"
            planned = rules["over_planned"].search(clause)
            return "taken" if planned or self._still_acts(span) else "past"
        if rules["drug_denied_before"].search(clause):
            return "past" if rules["any_more_after"].search(after) else "denied"
        return ""

    def _still_acts(self, span: Span) -> bool:
        """Whether it was stopped so lately that it counts as taken: within two days or so, and
        within weeks where it acts for weeks."""
        rules = _rules(self.passage.language)
        first, last = self.passage.sentence_at(span[0])
        before, after = self.text[first : span[0]], self.text[span[1] : last]
        asks = rules["question_start"].search(after)
        clause = before + _NAME + _OWN_CLAUSE.sub("", after[: asks.start() if asks else None])
        if not rules["ended"].search(clause):
            return False
        if rules["just_now"].search(clause):
            return True
        acts_long = rules["acts_for_weeks"].search(self.passage.plain[slice(*span)])
        return bool(acts_long and rules["weeks_ago"].search(clause))

    def _is_sought_last(self, after: str) -> bool:
        """Whether it is what a sentence asks about at its end, and what for at most: "X for a
        headache, ok?"."""
        purpose = _rule("wanted_for").match(after)
        asked_after = _rules(self.passage.language)["asked_after"]
        return asked_after.search(after[purpose.end() :] if purpose else after) is not None

    def _is_cleared(self, span: Span) -> bool:
        """Whether an allergy to it, the only medicine named so far, was tested and taken off the
        record: "they wrote 'allergic to penicillin'; the clinic took the label off"."""
        found = _rules(self.passage.language)["cleared"].search(self.passage.plain[span[1] :])
        if found is None:
            return False
        before = {
            self.text[first:last]
            for first, last in self.substances
            if last <= span[1] + found.start()
        }
        return len(before) == 1

    def _is_of_germs(self, span: Span) -> bool:
        """Whether a germ is sensitive or resistant to it, and nobody allergic."""
        rules, (start, end) = _rules(self.passage.language), span
        before = self.passage.plain[
            max(self.passage.sentence_at(start)[0], start - _LONGEST) : start
        ]
        after = self.passage.plain[end : end + _LONGEST]
        found = rules["of_germs_before"].search(before), rules["of_germs_after"].search(after)
        return all(found) if self.passage.language == "zh" else any(found)

    def _is_at_hand(self, before: str, after: str) -> bool:
        """Whether it only lies there to be taken: "I have ibuprofen in the cupboard"."""
        told = f"{before}{_NAME}{after}"
        return _rules(self.passage.language)["at_hand"].search(told) is not None

    def _beside_a_question(self, span: Span, before: str) -> Role:
        """What is told of it in a sentence that only tells, beside one that asks for another.

        "GP started her on ramipril. Which painkiller?" tells what she takes, whatever the verb; in
        "He suggested naproxen. Which dose?" it is only spoken of.
        """
        rules, language = _rules(self.passage.language), self.passage.language
        own = self.passage.sentence_at(span[0])
        others = [one for one in self.passage.sentences if one != own]
        if not any(self._asks_for_another(one) for one in others):
            offered = rules["offers"].search(before)
            if offered or not any(self._offers_another(one, span) for one in others):
                return "asked"
        told = self.text[slice(*own)]
        if asks_anything(told, language, ()):
            return "asked"
        written = self.passage.plain[span[1] : own[1]]  # a reaction is a name, too
        if rules["reaction_after"].search(written) or rules["reaction_before"].search(before):
            return "allergy"
        in_question = span in self.repeated or self._is_an_option(span)
        return "asked" if in_question or rules["only_spoken_of"].search(told) else "taken"

    def _is_an_option(self, span: Span) -> bool:
        """Whether another stands beside it, of which one may be chosen: "A or B, which?"."""
        either = _rules(self.passage.language)["either"]
        text = self.passage.plain
        return any(
            either.search(text[first:last])
            for start, end in self.substances
            for first, last in ((end, span[0]), (span[1], start))
            if 0 < last - first < _LONGEST
        )

    def _asks_for_another(self, sentence: Span) -> bool:
        """Whether a sentence asks, and says itself which medicine or list of them it is about."""
        start, end = sentence
        asked = self.text[start:end]
        wanted = any(start <= place < end for place, _ in self.substances) or bool(
            _rules(self.passage.language)["wants_a_list"].search(asked)
        )
        return wanted and asks_anything(asked, self.passage.language, ())

    def _offers_another(self, sentence: Span, span: Span) -> bool:
        """Whether a sentence offers a medicine, and not the one at a span."""
        start, end = sentence
        offers, named = _rules(self.passage.language)["offers"], self.text[slice(*span)]
        return any(
            start <= first < end
            and self.text[first:last] != named
            and offers.search(self.text[start:first])
            for first, last in self.substances
        )

    def _is_taken(self, sentence: str, clause: str, after: str, *, asking: bool) -> bool:
        """Whether what stands before and behind a substance says that the person takes it.

        `asking`: the clause begins with a word of asking, so that it only tells what might be.
        """
        rules = _rules(self.passage.language)
        return (
            self._says_that_it_is_taken(sentence, clause, after)
            or bool(rules["takes_after"].search(after))
            or bool(rules["drug_with_before"].search(clause))
            or (not asking and bool(rules["drug_now_before"].search(clause)))
        )

    def _says_that_it_is_taken(self, sentence: str, clause: str, after: str) -> bool:
        """Whether a verb of taking before it says so, or how its clause begins and goes on."""
        rules = _rules(self.passage.language)
        begins = rules["clause_before"].search(clause) and rules["clause_after"].search(after)
        return bool(rules["takes_before"].search(sentence) or begins)

    def _allergy(self, span: Span, sentence: str, clause: str) -> Role:
        """Whether it is not borne; "" where nothing is said of that."""
        rules = _rules(self.passage.language)
        start, end = span
        if span in self.events.roles and reaction_to(self.passage, span):
            return "allergy"  # it is not wanted for what it did, which no "not" denies
        if _rule("says_allergy").search(self.passage.plain[start:end]):  # "pen-allergic"
            return _allergy_unless_denied(sentence)
        after = _without_ordinary(self.passage, end, end + _LONGEST)
        written = _without_ordinary(self.passage, start - len(clause), start)
        allergy = rules["allergy_after"].search(after)
        if allergy and not self._is_of_the_next(end, end + allergy.end()):
            return _allergy_unless_denied(sentence)
        asks = rules["asks_who_before"].search(written) or rules["affected_after"].search(after)
        if rules["allergy_before"].search(written) and not asks:
            return _allergy_unless_denied(written)
        refused = rules["refused_before"].search(sentence)
        borne = not refused or rules["together_after"].search(after)
        return "allergy" if reaction_to(self.passage, span) or not borne else ""

    def _is_of_the_next(self, end: int, last: int) -> bool:
        """Whether in Chinese, where "allergic" comes last, another substance stands before it that
        is not joined to this one: "which antibiotic if 青霉素过敏"."""
        if self.passage.language != "zh":
            return False
        within = [start for start, _ in self.substances if end <= start < last]
        joined = _rules(self.passage.language)["joined_to_the_next"]
        return bool(within) and not joined.search(self.passage.plain[end : within[0]])


def _without_ordinary(passage: Passage, start: int, end: int) -> str:
    """A stretch as written, for an allergy is a name, too; without swellings that are none."""
    told = passage.plain[start:end]
    for found in _rules(passage.language)["ordinary_swelling"].finditer(told):
        blank = " " * len(found.group())
        told = told[: found.start()] + blank + told[found.end() :]
    return told


_SOMEBODY = "population"
_CLASS = "drug_class"
_NAME = "□"
"""Stands for a name where a rule looks at both sides of it."""
_NEAR = 12
"""Characters before a Chinese name in which "apart from" stands, and behind it what is denied."""
_A_LIST = 2
"""So many names that are asked about, one behind the other, are a list, and go on as one."""
_LONGEST = 500
"""Characters before and behind a name that say what it is."""
_RULES = (
    "refused_before",
    "together_after",
    "takes_before",
    "takes_after",
    "clause_before",
    "clause_after",
    "harmless_before",
    "list_joins",
    "either",
    "possessed_before",
    "shared_after",
    "only_spoken_of",
    "offered_before",
    "taken_up",
    "suggested",
    "put_forward",
    "allergic_alone",
    "in_another",
    "is_another",
    "cleared",
    "of_germs_before",
    "of_germs_after",
    "reaction_after",
    "reaction_before",
    "ordinary_swelling",
    "wants_a_list",
    "offers",
    "only_before",
    "only_after",
    "wanted_before",
    "at_hand",
    "takes_it",
    "takes_theirs",
    "may_be_had",
    "asked_before",
    "asked_after",
    "tolerated_after",
    "allergy_before",
    "asks_who_before",
    "affected_after",
    "allergy_after",
    "drug_over_before",
    "drug_over_after",
    "over_planned",
    "goes_on_after",
    "drug_denied_before",
    "any_more_after",
    "ended",
    "just_now",
    "weeks_ago",
    "acts_for_weeks",
    "drug_with_before",
    "drug_now_before",
    "question_start",
    "apart_from",
    "joined_to_the_next",
    "list_before",
    "dose_after",
    "no_list",
    "asked_of_it",
)


_OWN_CLAUSE = re.compile(r"[.?!;,。？！；，].*", re.DOTALL)
"""What no longer belongs to what is told of it."""


def _allergy_unless_denied(before: str) -> Role:
    return "asked" if _rule("denied_before").search(before) else "allergy"


def _as_words(text: str, names: Iterable[Span]) -> str:
    """A text with the names in it as one word each, so that lists of drugs read as lists."""
    characters = list(text)
    for start, end in names:
        characters[start:end] = [c if c.isalnum() else "_" for c in text[start:end]]
    return "".join(characters)


def _rule(rule: str) -> re.Pattern[str]:
    """A rule for texts that may mix languages."""
    return rule_in_any(rule, *PATIENT_RULES)


@cache
def _rules(language: str) -> dict[str, Expression]:
    held = rules_in(language, *PATIENT_RULES)
    return {rule: Expression(any_of(held[rule])) for rule in _RULES}
