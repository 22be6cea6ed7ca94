"""Lists that a question wants and names no property for.

"What is recorded for my wife's acne?" wants drugs for acne; "Which diseases cause chest pain?"
wants diseases by a finding.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from medweave.language.data import rule_in_any
from medweave.language.people import GROWN_UP_DAYS
from medweave.model.question import (
    ALLERGY,
    BY_HABIT,
    EFFECT_OF_DRUG,
    EVERYDAY,
    FINDINGS,
    NOT_NOW,
    OF_NO_KIND,
    OF_THE_PERSON,
    SUBSTANCES,
    UNNAMED,
    Form,
    Intent,
    Mention,
    Patient,
    Question,
)
from medweave.retrieval.drugs.blamed import blaming
from medweave.retrieval.drugs.everyday_use import OF_TAKING
from medweave.retrieval.drugs.list_wording import says, stands
from medweave.retrieval.drugs.purposes import (
    bringing_on,
    purposes,
    requested_class,
    suspects,
)
from medweave.retrieval.drugs.restated_questions import (
    OF_A_CLASS,
    as_joint_question,
    asks_of_a_class,
    denying,
    has_somebody,
    in_place_of_a_drug,
    is_described,
    of_a_lack,
    of_one_class,
    of_what_is_in_hand,
    supposing,
    surely_asks,
    with_medicines,
    without_claim_of_person,
)
from medweave.retrieval.drugs.sought_drugs import (
    GUESSED,
    has_context,
    names_drug_beside_complaint,
    seeks_member,
    seeks_treatment,
    tells_regimen,
    weighs_drugs,
)
from medweave.retrieval.lookup import listed_members
from medweave.vocabulary.knowledge import Knowledge

_REVERSED = ("avoid", "side_effect_of", "shown_by", "cause")
_BROUGHT_ON = ("side_effect_of",)
"""What is asked of drugs at large though one is told to be taken."""
_OF_ONE_DRUG = frozenset({"contraindication", "interaction", "indication", "side_effect"})
_OF_EACH_DRUG = frozenset({"indication", "dose", "side_effect"})
"""Asked of a class with "which", these are no choice of a member: "which antibiotics' doses"."""
_CLASSIFIES = ("class", "kind")
_GIVING_WAY = ("diagnosis", "diet", "description", "outlook")
"""What is asked for beside drugs in words that ask for these."""
_LISTING = ("drug", "treatment", "avoid")
"""Intents that ask for a list of drugs in words."""
_OF_ANYTHING = frozenset({"indication", "drug"})
"""Intents that loose words may name: "recorded for it"."""
_OF_GENES = ("binds_gene", "upregulates_gene", "downregulates_gene")
_OF_NO_SOURCE = frozenset({"history", *EVERYDAY})
"""What of a medicine no property tells."""
_OF_ONE_PERSON = ("outlook",)
"""What is no property of an illness: beside it nothing is told that was not asked for in words."""
_OF_A_MEDICINE = ("dose_form", "monitoring")
"""Of these, what is asked in like words of an illness: its tests."""
_BESIDE_EFFECTS = ("onset", "lasting", "monitoring", "mechanism", "dependence")
"""What is asked beside side effects or interactions in words of its own, and never means these."""
_PAIR = 2
_ACTIVITY, _WHICH_DRUG = "activity", "which_drug"
_OF_NO_LIST = (
    "avoid", "contraindications", "interactions", "use", "alcohol", "food", "diet", "technique",
    "vaccination", "operation", "before_examination", "movement", "connection", "illness_course",
    "outlook", "contagious", "complications", "symptoms", "causes",
    "side_effects",
)  # fmt: skip
"""Labels of what is learned to be asked that lists of drugs never answer."""
_OF_WHAT_HARMS = ("avoid", "contraindications", "interactions")
"""Of a class these labels are asked in words of avoiding: "what painkiller goes with warfarin"
asks for the others."""
_SURE_OF_NO_LIST = 0.85
_CERTAIN = 0.8
"""No list that is only supposed replaces an intent so sure as this."""


def with_requested_lists(question: Question, knowledge: Knowledge) -> Question:
    """The question with the list that it wants among its intents.

    Who asks which drugs or diseases do something claims it of none.
    """
    if question.aside in _OF_A_MEDICINE and not question.of_concept(*SUBSTANCES):
        question = replace(question, aside="")  # "which tests are done for gout"
    if question.aside == _ACTIVITY and _wants_something_for_a_complaint(question):
        question = replace(question, aside="")  # "hives, I drive a lorry. What can I take?"
    if question.aside == "molecular" and any(map(knowledge.holds_relation, _OF_GENES)):
        question = replace(question, aside="")
    if question.aside in {*OF_NO_KIND, *_OF_NO_SOURCE} or _asks_to_buy(question):
        beside = () if question.aside in OF_NO_KIND else _beside_aside(question)
        return replace(question, intents=beside, form=Form())
    if question.aside in _OF_ONE_PERSON:
        worded = tuple(i for i in question.intents if i.label in question.worded)
        return replace(question, intents=worded, form=Form())
    if claimed := _of_effects(question, knowledge):
        return claimed
    if says(question, "deficiency") and question.of_concept(*FINDINGS):
        return of_a_lack(question)
    if own := _of_a_drug_in_words(question) or _of_each_candidate(question):
        return replace(question, intents=own, form=Form())
    return _with_list(question, knowledge)


def _with_list(question: Question, knowledge: Knowledge) -> Question:
    question = in_place_of_a_drug(question, knowledge)
    question = of_one_class(with_medicines(as_joint_question(question), knowledge))
    question = of_what_is_in_hand(without_claim_of_person(supposing(question)))
    if blamed := blaming(question, knowledge):
        return blamed
    if wanted := _list_in_words(question):
        question = denying(question, bringing_on(question))
        return replace(question, intents=wanted, form=Form(among=question.form.among))
    if _surely_wants_no_list(question):
        return question
    intents = _wanted_of(question, knowledge)
    return replace(question, intents=() if _asks_leave_for_else(question, intents) else intents)


def _surely_wants_no_list(question: Question) -> bool:
    """Whether it was learned, and is sure, that something is asked that no list of drugs answers,
    whatever is told beside it: "stage 4 kidneys, what should she be cooking"."""
    asked = question.asked
    surely = asked.certainty >= _SURE_OF_NO_LIST and asked.label in _OF_NO_LIST
    of_something = FINDINGS if asked.label == "vaccination" else (*FINDINGS, *SUBSTANCES)
    named = bool(question.of_concept(*of_something))
    of_class = asked.label in _OF_WHAT_HARMS and requested_class(question) is not None
    if of_class and not says(question, "avoiding"):
        return False
    return surely and named and not _asks_of_the_unknown(question)


def _asks_leave_for_else(question: Question, intents: tuple[Intent, ...]) -> bool:
    """Whether a single medicine is only named beside what somebody would like to do: "can I give
    blood on finasteride". What speaks against the medicine is no answer to that."""
    single = len({m.entity for m in question.of_concept(*SUBSTANCES)}) == 1
    supposed = {i.label for i in intents} <= {"contraindication", "interaction"}
    alone = not question.of_concept(*FINDINGS, "population") and question.form == Form()
    person = question.patient
    nobody = not (person.allergies or person.conditions or person.pregnant or person.breastfeeding)
    leave = says(question, "leave") and not says(question, "leave_to_use")
    return supposed and single and alone and nobody and leave


def _wanted_of(question: Question, knowledge: Knowledge) -> tuple[Intent, ...]:
    """What is wanted where no list is named in words that leave no choice."""
    if not _asks_how_long(question) and seeks_treatment(question, knowledge):
        treatment = tuple(i for i in question.intents if i.sure and i.label == "treatment")
        return (*treatment, Intent("drug"))
    if seeks_member(question, knowledge):
        return (Intent("drug"),)
    weighs = weighs_drugs(question) and not _names_a_pair(question)
    if weighs or _may_go_on(question) or _lists_what_is_taken(question):
        return (Intent("contraindication"),)
    if _asks_of_the_unknown(question) or _asks_for_another_thing(question):
        return ()
    intents = question.intents if _asks_how_long(question) else _intents(question)
    if intents == (Intent("drug"),) and _is_no_choice(question, knowledge):
        return (Intent("contraindication"),)
    return intents


def _asks_how_long(question: Question) -> bool:
    """Whether it is asked for how long an illness lasts: "how long until shingles clears up"."""
    lasts = any(i.label == "outlook" and i.score >= _CERTAIN for i in question.intents)
    return lasts and says(question, "how_long")


def _lists_what_is_taken(question: Question) -> bool:
    """Whether a text lists all that somebody takes, and no word says what is asked of it: what
    speaks against any of them, not what each of them is."""
    return tells_regimen(question) and question.worded <= _OF_ANYTHING


def _may_go_on(question: Question) -> bool:
    """Whether nothing is named but what somebody takes, and no word says what is asked of it: "I
    still take my candesartan, yes?" asks for no list of what it interacts with."""
    taken = [(m.concept, m.role) for m in question.of_concept(*SUBSTANCES)]
    supposed = question.labels == {"interaction"}
    unworded = "interaction" not in question.worded and not question.of_concept(*FINDINGS)
    return supposed and unworded and question.asks and taken == [("drug", "taken")]


def _of_a_drug_in_words(question: Question) -> tuple[Intent, ...]:
    """What is asked of one drug in words that are easily taken for something else: "before or
    after meals" is no comparison, and "can I drive" asks how it makes one feel."""
    drugs = question.of_concept("drug")
    alone = len({m.entity for m in drugs}) == 1
    if not drugs or (drugs[0].role == "taken" and not (alone and says(question, "activity"))):
        return ()
    of_more = question.worded & {"interaction", "side_effect", "dose"} or question.form.compared
    activity = says(question, "activity") and not of_more
    return (Intent("side_effect"),) if activity else ()


def _of_effects(question: Question, knowledge: Knowledge) -> Question | None:
    """The question whether medicines bring on what is asked about as an effect; what somebody has
    is held against what they take, too."""
    learned = bool(question.effects) and question.asked.surely(EFFECT_OF_DRUG)
    blamed = blaming(question, knowledge) if learned else None
    return blamed or _effects_of_what_is_named(question)


def _effects_of_what_is_named(question: Question) -> Question | None:
    """The question whether each medicine that is named brings on what is asked about as an effect,
    or of what it is asked whether it passes; None where none is, or where a list is wanted."""
    passes = rule_in_any("passes", "understanding", "rules", "passing.yaml")
    unread = question.labels <= {"outlook"} and question.form == Form()
    all_pass = unread and passes.search(question.text.lower())
    found = question.of_concept(*FINDINGS)
    effects = [m for m in found if all_pass or m.entity in question.effects]
    learned = question.asked.surely(EFFECT_OF_DRUG)  # of a class, too
    named = question.of_concept(*SUBSTANCES) if learned else question.of_concept("drug")
    named = tuple(m for m in named if m.role not in (*NOT_NOW, "allergy"))
    drugs = {m.entity: m for m in named if m.entity not in BY_HABIT}
    drugs = {e: m for e, m in drugs.items() if m not in question.form.left_out}
    if not effects or not drugs or (requested_class(question) and not learned):
        return None
    first = {m.entity: m for m in effects}
    form = Form(
        "yes_no",
        compared=question.form.compared,
        relation="side_effect",
        first=tuple(first.values()),
        second=tuple(drugs.values()),
    )
    return replace(question, intents=(), form=form)


def _of_each_candidate(question: Question) -> tuple[Intent, ...]:
    """What is asked of medicines that are each judged: "which stay, which go?"."""
    judged = question.judges and not suspects(question)
    return (Intent("contraindication"),) if judged else ()


def _asks_for_another_thing(question: Question) -> bool:
    """Whether something that is no medicine is wanted for an illness, and was not understood:
    "what shoes for gout" wants no list of drugs."""
    supposed = question.labels <= {"drug", "treatment"}
    named = question.of_concept(*FINDINGS)
    wanted = supposed and not question.worded & {"drug", "treatment"}
    return wanted and any(stands(question, m, "another") for m in named)


def _wants_something_for_a_complaint(question: Question) -> bool:
    """Whether a medicine is surely asked for, and a complaint told: what somebody does beside it
    bears on what they may take."""
    return question.asked.surely(_WHICH_DRUG) and bool(question.of_concept("symptom"))


def _asks_to_buy(question: Question) -> bool:
    """Whether a medicine is to be had, by nobody of whom anything is told: whether it may be taken
    is not asked."""
    nobody = question.patient == Patient() and not question.of_concept(*FINDINGS)
    return question.aside in ("trade", "errand") and nobody and not _beside_aside(question)


def _beside_aside(question: Question) -> tuple[Intent, ...]:
    """What is asked for in words besides what no source tells."""
    loose = {"dose", "description", "indication"}
    is_weighed = _may_be_had(question) or _is_for_a_child(question)
    if question.aside in ("trade", "errand", *EVERYDAY) and not is_weighed:
        loose.add("contraindication")  # "can I buy", "can I stop"
    if question.aside in EVERYDAY:
        loose |= {"diet", "test", "diagnosis", "treatment", "drug"}
        loose |= set() if question.aside in _BESIDE_EFFECTS else {"interaction", "side_effect"}
    of_illness = {"test"} if question.of_concept("disease") else set()
    return tuple(
        i
        for i in question.intents
        if i.label in question.worded - loose or (i.label in of_illness and i.score >= _CERTAIN)
    )


def _may_be_had(question: Question) -> bool:
    """Whether it is asked of a medicine itself, beside what became of another: "missed my pills,
    can I take ulipristal"."""
    return question.aside == "missed_dose" and any(
        stands(question, m, "may_be_had") for m in question.of_concept(*SUBSTANCES)
    )


def _is_for_a_child(question: Question) -> bool:
    """Whether a medicine is to be taken by a child: whether it may hangs on its age and weight,
    however it is taken."""
    oldest = question.patient.age_max_days
    return question.aside in OF_TAKING and oldest is not None and oldest < GROWN_UP_DAYS


def _is_no_choice(question: Question, knowledge: Knowledge) -> bool:
    """Whether the class that is wanted has no members here, and is spoken of as a whole itself:
    "the combined pill"."""
    wanted = requested_class(question)
    if wanted is None or any(listed_members(wanted, knowledge)) or purposes(question):
        return False
    match = knowledge.store.match
    return any(match(entity, "contraindicated_in", limit=1) for entity in wanted.entities)


def _list_in_words(question: Question) -> tuple[Intent, ...]:
    """The list that is asked for in words that leave no choice; nothing where there are none."""
    which_it_is = _asks_which_it_is(question)
    if which_it_is or (question.form.kind == "yes_no" and question.form.relation in _CLASSIFIES):
        return (Intent("class"),) if which_it_is else ()
    unwanted = bringing_on(question) or suspects(question)
    if unwanted or _asks_which_bring_on(question) or _lists_by_effect(question):
        listed = (Intent("drug"),) if unwanted and unwanted[0].concept in FINDINGS else ()
        return (*listed, Intent("side_effect_of"))
    drugs = [m for m in question.of_concept("drug") if m not in question.form.left_out]
    told = bool(drugs) and all(m.role == "taken" for m in drugs)
    reversed_ = (_BROUGHT_ON if told else ()) if drugs else _REVERSED
    by_habit = any(m.entity in BY_HABIT for m in question.of_concept(*SUBSTANCES))
    if (by_habit or drugs) and _avoided_with_one(question):
        return (Intent("interaction"),)
    who = question.patient
    named = question.of_concept(*FINDINGS, "population")
    for kind in reversed_:
        of_somebody = kind != "avoid" or named or who != Patient()
        if of_somebody and says(question, kind):
            of_person = kind == "avoid" and (who.allergies or (who != Patient() and not named))
            return (Intent("drug" if of_person and requested_class(question) else kind),)
    of_drugs = bool(question.of_concept(*SUBSTANCES))
    for kind, label, fits in (
        ("prevents", "prevention", _wants_a_list(question)),
        ("class", "class", of_drugs),
    ):
        if fits and says(question, kind):
            return (Intent(label),)
    which = _is_chosen_from(question) and question.sure_labels == {"indication"}
    return (Intent("drug"),) if which and purposes(question) else ()


def _lists_by_effect(question: Question) -> bool:
    """Whether drugs are wanted by an effect that no name says: "which tablets put potassium up"."""
    named = [m for m in question.of_concept(*SUBSTANCES) if m not in question.form.left_out]
    told = [m for m in question.of_concept(*FINDINGS) if m.entity not in question.effects]
    return bool(question.effects) and not (named or told or says(question, "cause"))


def _asks_which_it_is(question: Question) -> bool:
    """Whether it is asked what a drug is, in words that name a class of it: "which antibiotic is
    azithromycin", "阿奇霉素是哪种抗生素"."""
    text = question.text
    if sorted(m.concept for m in question.mentions) != sorted(SUBSTANCES):
        return False
    for mention in question.mentions:
        text = text.replace(mention.text, f"@{mention.concept}", 1)
    return says(replace(question, text=text), "which_it_is")


def _asks_which_bring_on(question: Question) -> bool:
    """Whether it is asked which of a class bring a finding on: "which antidepressants cause weight
    gain"."""
    wanted = requested_class(question)
    found = bool(question.of_concept(*FINDINGS))
    return (
        wanted is not None
        and found
        and _is_chosen_from(question)
        and stands(question, wanted, "causing")
    )


def _asks_of_the_unknown(question: Question) -> bool:
    """Whether something is asked that only a medicine can have, and the only name that could be one
    is not known: "is Zinplava safe in heart failure", "any point in Zinplava for colitis"."""
    known = question.of_concept(*SUBSTANCES)
    sure = bool(question.sure_labels)
    findings = question.of_concept(*FINDINGS)
    of_drugs = not question.worded.isdisjoint({"contraindication", "interaction", "side_effect"})
    for_something = question.asks and any(stands(question, m, "for") for m in findings)
    asked = of_drugs or for_something
    return asked and not known and not sure and bool(question.not_understood)


def _wants_a_list(question: Question) -> bool:
    """Whether drugs are surely asked for, and none by its name."""
    sure = question.sure_labels
    asked = any(m.role == "asked" for m in question.of_concept("drug"))
    return bool(sure) and sure <= {"drug", "treatment"} and not asked


def _avoided_with_one(question: Question) -> bool:
    """Whether it is asked what is to be avoided with one drug: "what not to take with warfarin"."""
    alone = len(question.of_concept(*SUBSTANCES)) == 1
    return alone and not question.of_concept(*FINDINGS, "population") and says(question, "avoid")


def _intents(question: Question) -> tuple[Intent, ...]:
    """What is wanted in words that are no pattern of a list."""
    if names_drug_beside_complaint(question):
        return (Intent("contraindication"), *_beside_a_drug(question))
    if apart := _never_of(question):
        return tuple(i for i in question.intents if i.label not in apart)
    if any(wants(question) for wants in (_wants_members, _wants_another, _presents_patient)):
        return (Intent("drug"),)
    if _names_a_pair(question):
        return (Intent("interaction"),)
    if bare := _of_bare_names(question):
        return bare
    return _with_description(question, _with_drugs(question))


def _beside_a_drug(question: Question) -> Iterator[Intent]:
    """What is asked beside a drug that is named: no diagnosis is sought of one complaint alone that
    no word asks to explain, as in a letter."""
    complaints = [m for m in question.of_concept("symptom") if m.status != "absent"]
    explains = len(complaints) > 1 or "diagnosis" in question.worded
    yield from (i for i in question.intents if explains or i.label != "diagnosis")


def _never_of(question: Question) -> frozenset[str]:
    """What a question of its form does not ask: whether a drug is of a class asks nothing else of
    it, and which of two is stronger, nothing of the two together."""
    if question.form.kind == "yes_no" and question.form.relation in _CLASSIFIES:
        return _OF_ONE_DRUG
    together = question.form.compares_drugs and "interaction" not in question.worded
    return frozenset({"interaction"} if together else ())


def _of_bare_names(question: Question) -> tuple[Intent, ...]:
    """What is wanted of what is named alone: what a test means, or whether a drug may be had."""
    if question.intents or not question.mentions:
        return ()
    tests_alone = all(m.concept == "test" for m in question.mentions)
    if tests_alone and says(question, "meaning"):
        return (Intent("description"),)  # "what does a high CRP mean?"
    wanted = any(m.role == "asked" for m in question.of_concept(*SUBSTANCES))
    may_be_had = says(question, "safe") or "contraindication" in question.worded
    return (Intent("contraindication"),) if wanted and may_be_had else ()


def _wants_another(question: Question) -> bool:
    """Whether it is asked what is safe for a condition of somebody of whom it is only said what
    they take or do not bear: "he takes lithium and has bad knees, what is safe?". Who seeks nothing
    else ("carry on?") asks of what is taken."""
    medicines = [m for m in question.of_concept(*SUBSTANCES) if m.entity not in BY_HABIT]
    return (
        question.form.kind == "plain"
        and (says(question, "sought") or all(m.role != "taken" for m in medicines))
        and bool(medicines)
        and all(m.role in OF_THE_PERSON for m in medicines)
        and question.sure_labels == {"contraindication"}
        and any(m.status != "absent" for m in question.of_concept(*FINDINGS))
    )


def _with_description(question: Question, intents: tuple[Intent, ...]) -> tuple[Intent, ...]:
    """The intents, with what a thing is where that is asked first: "what is asthma, and its
    treatment"."""
    described = any(i.label == "description" for i in intents)
    if described or not intents or not says(question, "also_described"):
        return intents
    return (Intent("description"), *intents)


def _asks_of_a_habit(question: Question) -> bool:
    """Whether it is asked of a drink or a food alone with a disease: "may I drink with gout?"."""
    substances = question.of_concept(*SUBSTANCES)
    wanted = bool(substances) and {m.entity for m in substances} <= set(BY_HABIT)
    told = all(i.label not in ("diet", "cause", "side_effect_of") for i in question.intents)
    return wanted and told and question.asks and bool(question.of_concept("disease"))


def _names_a_pair(question: Question) -> bool:
    """Whether two drugs are named, and nothing is surely asked: "simvastatin with lisinopril?"."""
    names = {m.entity for m in question.of_concept(*SUBSTANCES) if m.role in ("asked", "taken")}
    of_drugs = not question.of_concept(*FINDINGS)
    return len(names) == _PAIR and of_drugs and not surely_asks(question)


def _in_words_of_avoiding(question: Question) -> Iterator[Intent]:
    """The intents; where drugs to be avoided are supposed and no word says so, drugs."""
    listed = "drug" in question.labels
    for intent in question.intents:
        if intent.label != "avoid" or says(question, "avoiding"):
            yield intent
        elif not listed:
            yield Intent("drug", intent.score)


def _with_drugs(question: Question) -> tuple[Intent, ...]:
    """The intents, with drugs for a condition where these are asked for in loose words."""
    if _asks_of_a_habit(question):
        return (*question.intents, Intent("diet"))
    intents = tuple(_in_words_of_avoiding(question))
    labels = {intent.label for intent in intents}
    if "prevention" in labels and not question.worded & {"prevention"} and purposes(question):
        intents = tuple(i for i in intents if i.label not in ("prevention", "drug"))
        return (*intents, Intent("drug"))  # "anything against head lice"
    if "prevention" in labels:  # its list has the drugs that prevent
        return tuple(i for i in intents if i.label != "drug")
    if "drug" in labels and not says(question, "avoid"):
        intents = tuple(i for i in intents if i.label != "avoid")
    sure = tuple(intent for intent in intents if intent.score >= GUESSED)
    if not _wants_drugs(question, {intent.label for intent in sure}):
        return intents
    eats = (Intent("diet"),) if says(question, "eats") else ()
    return (*(i for i in sure if i.label not in _GIVING_WAY), Intent("drug"), *eats)


def _presents_patient(question: Question) -> bool:
    """Whether a disease is named with facts of a person, and nothing is surely asked of it.

    "Gout, 74, on ramipril" wants what there is for gout. Findings alone want a diagnosis.
    """
    conditions = [m for m in question.of_concept(*FINDINGS) if m.status != "absent"]
    recent = [m for m in conditions if m.temporality == "recent" and m.link.how not in UNNAMED]
    return (
        (not question.asks or _asks_loosely(question))
        and not tells_regimen(question)
        and question.form.kind == "plain"
        and any(m.concept == "disease" and m.entity != ALLERGY for m in recent)
        and (has_context(question) or not any(m.concept == "symptom" for m in recent))
        and not any(m.role == "asked" for m in question.of_concept(*SUBSTANCES))
        and (len(conditions) > 1 or is_described(question))
        and not _is_a_name(question)
    )


def _is_a_name(question: Question) -> bool:
    """Whether the question is one name of something and no more: "怀孕早期有什么症状"."""
    [first, *others] = question.mentions
    return not others and first.text == question.text.strip(" ?？。.!！")


def _asks_loosely(question: Question) -> bool:
    """Whether nothing is surely asked for, and no word names a property: "what does it say?"."""
    of_medicines = bool(question.patient.drugs or question.patient.allergies)
    unnamed = question.worded <= _OF_ANYTHING and not says(question, "prevents")
    asks = unnamed or of_medicines or says(question, "drug")
    supposed = unnamed and is_described(question)
    return asks and all(
        intent.score < GUESSED
        or (supposed and intent.label == "description" and intent.score < _CERTAIN)
        for intent in question.intents
    )


def _wants_drugs(question: Question, sure: set[str]) -> bool:
    """Whether drugs for a condition are asked for in loose words ("what is there for acne")."""
    about_one = any(m.concept in SUBSTANCES and m.role == "asked" for m in question.mentions)
    findings = question.of_concept(*FINDINGS)
    beside = any(m.concept == "disease" or stands(question, m, "for") for m in findings)
    return (
        not about_one
        and not tells_regimen(question)
        and sure.isdisjoint(_LISTING if beside else (*_LISTING, "diagnosis"))
        and bool(findings)
        and question.form.kind in ("plain", "what_else")
        and says(question, "drug")
    )


def _wants_members(question: Question) -> bool:
    """Whether it is asked which of a class somebody may have: "which antibiotics are safe".

    Which they may not have was looked for before. A class in place of a member ("an antibiotic with
    warfarin") asks the same, and so does one that is named alone.
    """
    wanted = requested_class(question)
    if wanted is None:
        return False
    sure = question.sure_labels
    if _is_chosen_from(question) and (purposes(question) or not sure & _OF_EACH_DRUG):
        return True
    if _names_a_class_alone(question, wanted) or _is_for_something(question, wanted):
        return True
    if sure and not sure & OF_A_CLASS:
        return False
    return _in_place_of_a_member(question, wanted)


def _is_for_something(question: Question, wanted: Mention) -> bool:
    """Whether a class is named with what it is for, or for whom: "a painkiller for his knee"."""
    if not question.asks and has_somebody(question, wanted):
        return True  # "a cholesterol tablet for someone whose muscles hurt"
    return question.sure_labels == {"indication"} and bool(purposes(question))


def _is_chosen_from(question: Question) -> bool:
    """Whether one of a class is to be named: "which antibiotic …"."""
    wanted = requested_class(question)
    return wanted is not None and stands(question, wanted, "which")


def _names_a_class_alone(question: Question, wanted: Mention) -> bool:
    """Whether nothing but a class is named, and nothing is surely asked of it."""
    alone = all(m is wanted or m.concept == "population" for m in question.mentions)
    return alone and not surely_asks(question)


def _in_place_of_a_member(question: Question, wanted: Mention) -> bool:
    """Whether somebody is asked about with a class: nobody eats a class of drugs."""
    plain = question.form.kind == "plain" or question.form.relation == "interaction"
    somebody = plain and has_somebody(question, wanted)
    return somebody and asks_of_a_class(question)
