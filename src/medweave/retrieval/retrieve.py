"""Everything a base holds that bears on a question."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import combinations, islice

from medweave.language.data import shipped_yaml
from medweave.language.segmentation import index_terms, stop_names
from medweave.model.material import Focus, Looked, Material
from medweave.model.question import (
    EVERYDAY,
    FINDINGS,
    NOT_NOW,
    OF_NO_KIND,
    OF_THE_PERSON,
    SUBSTANCES,
    Mention,
    Patient,
    Question,
)
from medweave.model.statement import EvidenceClass, SupportedStatement
from medweave.retrieval.claims import check
from medweave.retrieval.comparing import compare, intents_covered
from medweave.retrieval.drugs.by_age import at_this_age, of_their_age
from medweave.retrieval.drugs.class_lists import LISTS, of_requested_class, without_unwanted
from medweave.retrieval.drugs.everyday_complaints import with_each_complaint
from medweave.retrieval.drugs.everyday_use import everyday_use, in_the_language, of_every_day
from medweave.retrieval.drugs.list_wording import is_a_lack, says
from medweave.retrieval.drugs.purposes import (
    bringing_on,
    is_condition,
    is_held_back,
    purposes,
    requested_class,
    suspects,
    wanted_for,
)
from medweave.retrieval.drugs.without_prescription import only_sold_freely
from medweave.retrieval.literature.claims import literature_claims
from medweave.retrieval.literature.listed import beside_papers, from_literature
from medweave.retrieval.lookup import (
    PROPERTIES,
    Property,
    documented_kinds,
    kinds_above,
    kinds_below,
    look_up,
    members,
    speaking_of_food,
)
from medweave.retrieval.own_relations import own_relations
from medweave.vocabulary.knowledge import Knowledge

_OF_SUBSTANCES = frozenset(
    {"indication", "contraindication", "interaction", "side_effect", "dose", "class"}
)
_BESIDE_CLAIMS = ("contraindication", "interaction", "dose", "avoid")
"""What is told beside a claim that is answered; all else would be lists that nobody asked for."""
_REVERSED = ("avoid", "side_effect_of")
"""Intents that ask for drugs by what speaks against them."""
_BESIDES = {
    ("cause", "symptom"): ("shown_by", "side_effect_of"),
    ("shown_by", "disease"): ("cause",),
    ("urgent_care", "disease"): ("outlook", "complication"),
    ("outlook", "disease"): ("complication",),
}
"""What an intent looks up besides, by what it is about: what causes a symptom are the diseases that
have it, and the drugs that bring it on; what leads to a disease are also its causes; how dangerous
it is shows in what may come of it."""
_OF_A_WHOLE_CLASS = frozenset({"indication", "contraindication", "side_effect"})
"""What sources record of classes as of medicines."""
_FEW = 4
"""So many drugs are a list by themselves."""
_ONE_BY_ONE = 4
"""Members of a class of which what is asked is told of each."""
_SEVERAL = 2
_HAS_KINDS = ("symptom", "cause", "treatment", "test", "complication", "description", "outlook")
"""What differs between the kinds of a disease."""
_TWO = 2
_IN_COMMON = 0.25
"""Kinds that share less than this of what they show are told apart."""
_KINDS = 5
"""So many kinds of a thing are answered for, where nothing is recorded of itself."""
_NEAREST = 3
_SEARCHED = 20
"""So many records are looked through for one whose name has a word of the question."""
_FREQUENT = 10_000
"""Words of more documents than this say nothing of which are meant, where there are others."""
_NEWBORN_DAYS = 29
_NOT_READING: tuple[EvidenceClass, ...] = ("dialogue",)
"""What people said of themselves is no document to point others to."""


def retrieve(question: Question, knowledge: Knowledge) -> Material:
    """Look up what the intents ask for, and the drugs at issue."""
    if question.aside in OF_NO_KIND:
        return Material()
    claimed = check(question.form, knowledge)
    answered = question.form.answered_intents if claimed else intents_covered(question.form)
    labels = [intent.label for intent in question.intents if intent.label not in answered]
    drugs = question_drugs(question, knowledge)
    out = _left_out(question.form.left_out, knowledge)
    looked = [
        _without(item, out)
        for label in labels
        for item in _looked_up(label, question, drugs, knowledge)
    ]
    among = _suspected(question, looked)
    looked = _of_lacks(_shown_together(_once(looked, question)), question, knowledge)
    looked = _of_suspects(looked, among, knowledge)
    looked = _of_what_is_taken(looked, question, knowledge)
    looked = in_the_language(looked, question.language, knowledge)
    if _is_newborn(question.patient):
        looked = [item for item in looked if item.intent != "cause" or not item.from_object]
    held_back = not drugs and is_held_back(question)
    if held_back:
        looked = [item for item in looked if item.intent not in LISTS]
    else:
        looked = of_requested_class(question, labels, looked, knowledge)
        looked = without_unwanted(question, looked, knowledge)
        looked = only_sold_freely(question, looked)
    sure = bool(question.sure_labels)
    found = bool(claimed) or (sure and any(item.statements for item in looked))
    claimed_by_papers = literature_claims(question, claimed, knowledge)
    told = (
        claimed or claimed_by_papers or question.aside in EVERYDAY or says(question, "deficiency")
    )
    papers = () if told else from_literature(question, knowledge, answered=found)
    if claimed_by_papers:
        claimed = claimed_by_papers
        looked = [item for item in looked if item.statements and item.intent in _BESIDE_CLAIMS]
    elif papers:
        looked = [*beside_papers(question, looked, papers), *papers]
    elif own := own_relations(question, knowledge, answered=found or bool(told)):
        looked = [*own, *(looked if found else ())]
    return Material(
        tuple(looked),
        drugs,
        claimed=claimed,
        compared=compare(question, knowledge),
        held_back=held_back,
        nearest_names=() if question.mentions else _nearest(question, knowledge),
        everyday=everyday_use(question, knowledge),
        kinds=_kinds_apart(looked, knowledge),
    )


def _once(looked: list[Looked], question: Question) -> list[Looked]:
    """What was found, once, where two intents look up the same: drugs are listed as drugs, but
    where only treatments are asked for in words, these are."""
    only_treatments = "treatment" in question.worded and "drug" not in question.worded
    kept, left = ("treatment", "drug") if only_treatments else ("drug", "treatment")
    listed = {
        item.focus.entity
        for item in looked
        if item.intent == kept and item.from_object and item.statements
    }
    return [
        item
        for item in looked
        if item.intent != left or not item.from_object or item.focus.entity not in listed
    ]


def _looked_up(
    label: str, question: Question, drugs: tuple[Focus, ...], knowledge: Knowledge
) -> list[Looked]:
    """What is recorded of what an intent is about. A list of drugs is for another condition that is
    named where there is none for the first: "G6PD deficiency with cystitis" wants one for cystitis.
    Where no drug brings a finding on, those are listed that are not given in it, or with care: a
    long QT interval."""

    of_a_class = requested_class(question) is not None

    def of_all(foci: list[Focus]) -> list[Looked]:
        found = [(focus, _of_kinds(label, focus, knowledge)) for focus in foci]
        return [
            item
            for focus, own in found
            for item in (*own, *(() if of_a_class else _of_kin(label, focus, own, knowledge)))
        ]

    foci = _foci(label, question, drugs, knowledge)
    looked = of_all(foci)
    if label == "side_effect_of" and not any(item.statements for item in looked):
        avoided = (item for focus in foci for item in _of_kinds("avoid", focus, knowledge))
        looked += [replace(item, intent="avoid") for item in avoided if item.statements]
    if label == "avoid":
        looked = at_this_age(looked, question.patient)
    if label not in LISTS or purposes(question) or any(item.statements for item in looked):
        return looked
    named = (m for m in question.of_concept(*FINDINGS) if m.status != "absent")
    others = of_all([Focus(m.entities) for m in named if m.experiencer == "patient"])
    return [item for item in others if item.statements] or looked


def _look_up(label: str, focus: Focus, knowledge: Knowledge) -> list[Looked]:
    return [
        Looked(label, focus, what.predicate, what.from_object, tuple(found))
        for what in PROPERTIES.get(label, ())
        for found in [look_up(focus.entities, what, knowledge)]
        for found in [of_every_day(found) if what.predicate == "use_advice" else found]
    ]


def _of_kinds(label: str, focus: Focus, knowledge: Knowledge) -> list[Looked]:
    """What is recorded of a thing; of its kinds, where nothing is recorded of itself."""
    if label in _REVERSED:
        focus = _whole_family(focus, knowledge, above=label == "avoid")
    concept = knowledge.entities.get(focus.entity).concept
    own = _look_up(label, focus, knowledge)
    besides = _BESIDES.get((label, concept), ())
    if label == "cause" and not besides and not any(item.statements for item in own):
        besides = ("side_effect_of",)  # of low sodium drugs are a cause
    if label in LISTS and (by_kind := _lists_by_kind(label, focus, knowledge)):
        in_words = [item for item in own if not item.from_object and item.statements]
        return in_words or by_kind
    if label == "symptom" and (by_kind := _symptoms_by_kind(focus, knowledge)):
        return by_kind
    for other in besides:
        own += [
            replace(item, intent=label)
            for item in _of_kinds(other, focus, knowledge)
            if item.statements
        ]
    if label == "diet" and not any(item.statements for item in own):
        own = _eaten(focus, knowledge) or own
    if any(item.statements for item in own):
        return own
    kinds = kinds_below(focus.entities, knowledge)[:_KINDS]
    if label in LISTS and concept == "symptom":  # what eases joint pain eases pain in the knee
        kinds += [Focus((wider,)) for wider in kinds_above(focus.entities, knowledge)]
    of_kinds = [
        item for kind in kinds for item in _look_up(label, kind, knowledge) if item.statements
    ]
    return of_kinds or own


def _eaten(focus: Focus, knowledge: Knowledge) -> list[Looked]:
    """What texts on how an illness is kept off or treated say of food, where none is on food."""
    found = (
        Looked("diet", focus, name, False, tuple(some))
        for name in ("prevention_advice", "treatment_advice")
        for some in [speaking_of_food(look_up(focus.entities, Property(name), knowledge))]
    )
    return [item for item in found if item.statements]


def _symptoms_by_kind(focus: Focus, knowledge: Knowledge) -> list[Looked]:
    """What each of two kinds shows, where they have little in common or are opposites: one list for
    thyroid disease would have weight gain beside weight loss."""
    kinds = [
        item
        for kind in documented_kinds(focus.entities, knowledge)
        for item in _look_up("symptom", kind, knowledge)
        if item.statements and not item.from_object
    ]
    shown = [{s.statement.object_entity for s in item.statements if s.affirmed} for item in kinds]
    if len(kinds) == _TWO and all(shown):
        first, second = shown
        return kinds if len(first & second) < _IN_COMMON * len(first | second) else []
    for (one, first), (other, second) in combinations(zip(kinds, shown, strict=True), _TWO):
        if _are_opposites(first, second):
            return [one, other]
    return []


def _are_opposites(first: set[str | None], second: set[str | None]) -> bool:
    """Whether one shows the contrary of what the other shows, in two ways at least."""
    met = [
        (one in first and other in second) or (other in first and one in second)
        for one, other in _opposites()
    ]
    return sum(met) >= _TWO


@cache
def _opposites() -> tuple[tuple[str, str], ...]:
    """Findings one of which is the contrary of the other."""
    pairs = shipped_yaml("retrieval", "opposites.yaml")["opposites"]
    return tuple((one, other) for one, other in pairs)


def _of_kin(label: str, focus: Focus, own: list[Looked], knowledge: Knowledge) -> list[Looked]:
    """Drugs for the kinds of a disease, where few are recorded for it by its own name: those for
    acute sinusitis, too, for sinusitis. What is for the whole need not be for each kind of it."""
    drugs = {s.statement.subject for i in own if i.from_object for s in i.statements if s.affirmed}
    if label not in LISTS or not 0 < len(drugs) < _FEW:
        return []
    return [
        item
        for kind in documented_kinds(focus.entities, knowledge)[:_KINDS]
        for item in _look_up(label, kind, knowledge)
        if item.from_object and item.statements
    ]


def _lists_by_kind(label: str, focus: Focus, knowledge: Knowledge) -> list[Looked]:
    """Drugs for the kinds of a thing, where several are described: one list would have what is for
    an overactive thyroid beside what is for an underactive one."""
    lists = [
        [item for item in _look_up(label, kind, knowledge) if item.from_object and item.statements]
        for kind in documented_kinds(focus.entities, knowledge)
    ]
    by_kind = [items for items in lists if items]
    return [item for items in by_kind[:_KINDS] for item in items] if len(by_kind) > 1 else []


def _shown_together(looked: list[Looked]) -> list[Looked]:
    """Of diseases asked for by several findings, those that show all of them, if any does:
    "which diseases cause fever and rash?"."""
    shown = [i for i in looked if i.intent == "shown_by" and i.predicate == "has_symptom"]
    by_finding = [{s.statement.subject for s in i.statements if s.affirmed} for i in shown]
    joint = set[str]().union(*by_finding).intersection(*by_finding)
    if len(shown) < _SEVERAL or not joint:
        return looked
    showing = [s for item in shown for s in item.statements if s.statement.subject in joint]
    first, *others = shown
    whole = replace(first, statements=tuple(showing), together=tuple(item.focus for item in others))
    return [whole, *(item for item in looked if item.intent != "shown_by")]


def _of_lacks(looked: list[Looked], question: Question, knowledge: Knowledge) -> list[Looked]:
    """Where it is asked which lack shows a finding, the diseases that are one by their names."""
    if not says(question, "deficiency"):
        return looked
    name = knowledge.entities.get

    def is_one(item: Looked, supported: SupportedStatement) -> bool:
        end = _other_end(item, supported)
        return end is not None and is_a_lack(name(end).name(question.language))

    return [
        replace(item, statements=tuple(s for s in item.statements if is_one(item, s)))
        for item in looked
    ]


def _suspected(question: Question, looked: list[Looked]) -> set[str]:
    """The drugs of which it is asked which bring a finding on: those named, those that were shown
    before, and those for what one is wanted for that does not."""
    among = {e for drug in suspects(question) for e in drug.entities} | {*question.form.among}
    if bringing_on(question) and requested_class(question) is None:
        listed = (s for item in looked if item.intent in LISTS for s in item.statements)
        among |= {supported.statement.subject for supported in listed}
    return among


def _of_suspects(looked: list[Looked], drugs: set[str], knowledge: Knowledge) -> list[Looked]:
    """Where it is asked which of some drugs brings a finding on, those of them that do."""
    if not drugs:
        return looked
    asked = [item for item in looked if item.intent == "side_effect_of"]
    narrowed = dict(zip(map(id, asked), _only_of(asked, drugs, knowledge), strict=True))
    found = [narrowed.get(id(item), item) for item in looked]
    only_asked = len(found) == len(asked)  # else that none of them does is left unsaid
    return [i for i in found if only_asked or i.statements or i.intent != "side_effect_of"]


def _only_of(looked: list[Looked], drugs: set[str], knowledge: Knowledge) -> list[Looked]:
    """What is said of these drugs alone."""
    named = {same for drug in drugs for same in knowledge.same(drug)}
    return [
        replace(item, statements=tuple(s for s in item.statements if s.statement.subject in named))
        for item in looked
    ]


def _is_newborn(patient: Patient) -> bool:
    """Whether what shows a finding in others is no cause of it here: "5 days old, and yellow"."""
    return patient.age_max_days is not None and patient.age_max_days < _NEWBORN_DAYS


def _of_what_is_taken(
    looked: list[Looked], question: Question, knowledge: Knowledge
) -> list[Looked]:
    """Of what causes a finding first a medicine that is taken, where it is recorded to do so: "why
    do I cough on lisinopril?"."""
    own = (m for m in question.of_concept("drug") if m.role in ("taken", "asked"))
    drugs = {entity for mention in own for entity in mention.entities}
    effects = [i for i in looked if i.intent == "cause" and i.predicate == "has_side_effect"]
    told = [i for i in _only_of(effects, drugs, knowledge) if i.statements]
    return [*told, *(i for i in looked if i not in effects)] if told else looked


def _only_anothers(question: Question) -> set[str]:
    """What is asked about for the patient and only somebody else takes: "my sister takes
    sumatriptan; can I take sumatriptan?"."""
    beside = [m for m in question.mentions if m.role != "asked"]
    theirs = {m.entity for m in beside} - {m.entity for m in beside if m.experiencer != "other"}
    asked = [m for m in question.mentions if m.role == "asked"]
    return {m.entity for m in asked if m.experiencer == "patient" and m.entity in theirs}


def _whole_family(focus: Focus, knowledge: Knowledge, *, above: bool) -> Focus:
    """A condition with its kinds, and with what it is a kind of where what is said of that holds of
    it, too: what is against a kidney disease is against kidney failure."""
    wider = kinds_above(focus.entities, knowledge) if above else ()
    kinds = (kind for below in kinds_below(focus.entities, knowledge) for kind in below.entities)
    return Focus(tuple(dict.fromkeys((*focus.entities, *wider, *kinds))))


def _without(looked: Looked, out: frozenset[str]) -> Looked:
    """What was looked up without what the question names to leave out, which is kept apart."""
    if not out:
        return looked
    apart = tuple(s for s in looked.statements if _other_end(looked, s) in out)
    remaining = tuple(s for s in looked.statements if _other_end(looked, s) not in out)
    return replace(looked, statements=remaining, left_out=apart)


def _left_out(mentions: tuple[Mention, ...], knowledge: Knowledge) -> frozenset[str]:
    """Everything that is named to be left out; of a class of drugs, its members too."""
    things = {entity for mention in mentions for entity in mention.entities}
    things |= {e for mention in mentions for focus in members(mention, knowledge)
               for e in focus.entities}  # fmt: skip
    return frozenset(same for some in knowledge.alike(things).values() for same in some)


def _other_end(looked: Looked, supported: SupportedStatement) -> str | None:
    statement = supported.statement
    return statement.subject if looked.from_object else statement.object_entity


def question_drugs(question: Question, knowledge: Knowledge) -> tuple[Focus, ...]:
    """The drugs a question asks about, without those the person takes or is allergic to.

    A class of which the base says nothing itself is opened into the members the base knows.
    """
    aside = {*question.patient.drugs, *question.patient.allergies}
    aside |= {m.entity for m in question.mentions if m.role in OF_THE_PERSON}
    aside -= _only_anothers(question)
    aside |= {m.entity for m in question.form.left_out}
    mentions = _not_denied(question.of_concept(*SUBSTANCES), question)
    compared = question.form.compared
    lists = not question.labels.isdisjoint((*LISTS, *_REVERSED))
    if lists and all(m.entity in aside and m not in compared for m in mentions):
        return ()
    asked = (
        [m for m in mentions if m.entity not in aside or m in compared or m.link.how == "stem"]
        or [
            m
            for m in mentions
            if m.role not in ("taken", *NOT_NOW) and not _only_not_borne(m, question)
        ]
        or _of_the_patient(m for m in mentions if m.concept == "drug")  # of a class one is taken
        or list(mentions)
    )
    foci: list[Focus] = []
    for mention in _without_classes_of(asked, compared, knowledge):
        if lists and mention.concept == "drug_class" and mention not in compared:
            continue  # "antibiotics for X" asks for a list of drugs, not about each antibiotic
        by_stem = mention.link.how == "stem"  # an unknown drug stands for itself, not for its class
        itself = by_stem or _is_told_of_as_one(mention, question, knowledge)
        for focus in [Focus(mention.entities)] if itself else members(mention, knowledge):
            if not any(set(focus.entities) & set(other.entities) for other in foci):
                foci.append(focus)
    return tuple(foci)


def _of_the_patient(mentions: Iterable[Mention]) -> list[Mention]:
    """The medicines of the patient, where any is theirs; another's is not held against them."""
    found = list(mentions)
    return [m for m in found if m.experiencer == "patient"] or found


def _is_told_of_as_one(mention: Mention, question: Question, knowledge: Knowledge) -> bool:
    """Whether what is asked of a class for nobody is recorded of the class itself, and it has more
    members than are told of one by one: "who can't have beta blockers"."""
    if mention.concept != "drug_class" or mention in question.form.compared:
        return False
    nobody = question.patient == Patient() and not question.of_concept(*FINDINGS)
    alone = {m.entity for m in question.of_concept(*SUBSTANCES)} == {mention.entity}
    if not (nobody and alone) or len(members(mention, knowledge)) <= _ONE_BY_ONE:
        return False
    own = Focus(mention.entities)
    asked = question.labels & _OF_A_WHOLE_CLASS
    recorded = (any(i.statements for i in _look_up(label, own, knowledge)) for label in asked)
    return bool(asked) and all(recorded)


def _not_denied(mentions: tuple[Mention, ...], question: Question) -> tuple[Mention, ...]:
    """The drugs without those that somebody only says they do not take, beside one that is asked
    about: "not on any blood thinner, ibuprofen?"."""
    compared = question.form.compared
    denied = [m.status == "absent" and m not in compared for m in mentions]
    stay = tuple(m for m, left_out in zip(mentions, denied, strict=True) if not left_out)
    away = (m for m, left_out in zip(mentions, denied, strict=True) if left_out)
    only_classes = all(m.concept == "drug_class" for m in away)
    is_about_others = any(m.role == "asked" or only_classes for m in stay)
    return stay if is_about_others else mentions


def _without_classes_of(
    asked: Sequence[Mention], compared: Sequence[Mention], knowledge: Knowledge
) -> Iterator[Mention]:
    """What is asked about, without a class beside a member of it: "steroid induced diabetes,
    prednisolone?" asks of the member."""
    named = {e for m in asked if m.concept == "drug" for e in m.entities}
    for mention in asked:
        is_class = mention.concept == "drug_class" and mention not in compared
        of_it = {e for focus in members(mention, knowledge) for e in focus.entities}
        if not (is_class and named & of_it):
            yield mention


def _only_not_borne(mention: Mention, question: Question) -> bool:
    """Whether a class is what somebody does not bear, of whom more is told: it is not asked for."""
    of_class = mention.role == "allergy" and mention.concept == "drug_class"
    told = question.of_concept(*FINDINGS, *SUBSTANCES)
    return of_class and any(other.entity != mention.entity for other in told)


def _foci(
    label: str, question: Question, drugs: tuple[Focus, ...], knowledge: Knowledge
) -> list[Focus]:
    """What an intent is about: diseases before symptoms; nothing that is denied."""
    if label in _OF_SUBSTANCES:
        return list(drugs)
    if label == "description":
        chosen = question.mentions
    elif label in (*LISTS, "diet") and purposes(question):
        chosen = purposes(question)
        if label in LISTS:
            chosen = with_each_complaint(question, chosen, worded=True)
    elif label in LISTS:
        chosen = _untreated(_wanted_for(question), question, knowledge)
        chosen = with_each_complaint(question, chosen, worded=False)
        chosen = _with_own_drugs(chosen, knowledge)
    elif label == "avoid":
        chosen = question.of_concept("disease", "population") or question.of_concept("symptom")
        if not chosen:
            return of_their_age(question.patient)
        chosen = _without_umbrellas(chosen, knowledge)
    else:
        chosen = question.of_concept("disease") or question.of_concept("symptom")
        if label == "prevention":  # "somebody with asthma needs migraine prevention"
            chosen = tuple(m for m in chosen if not is_condition(question, m)) or chosen
    out = question.form.left_out if question.form.kind == "what_else" else ()
    unwanted = bringing_on(question)
    if unwanted and label == "side_effect_of":
        return [_with_its_kinds(mention, knowledge) for mention in unwanted]
    chosen = tuple(m for m in chosen if m not in unwanted)
    named = [m for m in chosen if m.status != "absent" or label == "avoid"]
    if label == "prevention":  # "how does one not get hepatitis"
        named = named or list(chosen)
    if label != "avoid":
        named = [m for m in named if m.concept != "population"]
    bound = {entity for intent, entity in question.bound if intent == label}
    named = [m for m in named if not bound or m.entity in bound]
    named = [m for m in named if m not in out] or named
    return [Focus(m.entities) for m in {m.entity: m for m in named}.values()]


def _without_umbrellas(chosen: tuple[Mention, ...], knowledge: Knowledge) -> tuple[Mention, ...]:
    """What is named, without what a kind of it is named beside: what is not for glaucoma is told
    with what is not for that of a narrow angle."""
    named = {entity for mention in chosen for entity in mention.entities}
    return tuple(
        m
        for m in chosen
        if named.isdisjoint(knowledge.lexicon.narrower(m.entities) - {*m.entities})
    )


def _with_its_kinds(unwanted: Mention, knowledge: Knowledge) -> Focus:
    """What a drug must not bring on, with its kinds; where no drug is recorded to, what it is one
    of: who wants no stomach ulcer wants no peptic ulcer."""
    terms, own = knowledge.lexicon.terms, unwanted.entities
    kinds = (*own, *sorted(knowledge.lexicon.narrower(own)))
    wider = [above for one in own if one in terms for above in terms[one].classes]
    match = knowledge.store.match
    recorded = [any(match(None, "has_side_effect", e, limit=1) for e in s) for s in (kinds, wider)]
    return Focus(tuple(wider) if recorded == [False, True] else kinds)


def _wanted_for(question: Question) -> tuple[Mention, ...]:
    """What drugs are wanted for, where no word says so: not what somebody is said to have beside
    it; of findings with a disease, the disease."""
    if requested_class(question):
        findings = question.of_concept(*FINDINGS)
        return tuple(m for m in findings if not is_condition(question, m))
    named = tuple(m for m in question.of_concept(*FINDINGS) if m.status != "absent")
    wanted = wanted_for(question, named)
    diseases = tuple(m for m in wanted if m.concept == "disease")
    beside_one = len(wanted) - len(diseases) == 1  # "an ulcer and back pain": for both
    return wanted if beside_one else diseases or wanted


def _with_own_drugs(wanted: tuple[Mention, ...], knowledge: Knowledge) -> tuple[Mention, ...]:
    """Of several conditions, those that have drugs of their own: bad kidneys beside gout bear on
    what may be taken for gout, and nothing is wanted for all that kidneys can have."""
    own = tuple(
        m
        for m in wanted
        if any(knowledge.store.match(None, "used_for", e, limit=1) for e in m.entities)
    )
    of_kinds = [m for m in wanted if m not in own and kinds_below(m.entities, knowledge)]
    return tuple(m for m in wanted if m not in of_kinds) if own else wanted


def _untreated(
    wanted: tuple[Mention, ...], question: Question, knowledge: Knowledge
) -> tuple[Mention, ...]:
    """Of several conditions, those for which nothing that is taken is recorded: "bipolar on
    lithium, high blood pressure" wants something for the pressure."""
    taken = {m.entity for m in question.of_concept("drug") if m.role == "taken"}
    match = knowledge.store.match
    treated = {
        entity
        for entity in {entity for mention in wanted for entity in mention.entities}
        if any(match(drug, "used_for", entity, limit=1) for drug in taken)
    }
    return tuple(m for m in wanted if treated.isdisjoint(m.entities)) or wanted


def _kinds_apart(looked: list[Looked], knowledge: Knowledge) -> dict[str, tuple[str, ...]]:
    """The kinds of what is answered for that the base describes apart, where there are several."""
    about = {item.focus.entity: item.focus for item in looked if item.intent in _HAS_KINDS}
    kinds = {
        entity: tuple(kind.entity for kind in documented_kinds(focus.entities, knowledge))
        for entity, focus in about.items()
    }
    return {entity: some for entity, some in kinds.items() if len(some) > 1}


def _nearest(question: Question, knowledge: Knowledge) -> tuple[str, ...]:
    words = [word for word in index_terms(question.text) if word not in stop_names()]
    hits = knowledge.store.search_text(
        " ".join(words), limit=_SEARCHED, without=_NOT_READING, frequent=_FREQUENT
    )
    titles = {d.id: d.title for d in knowledge.store.documents([hit.document for hit in hits])}
    named = dict.fromkeys(titles[hit.document] for hit in hits)
    near = (title for title in named if set(words) & set(index_terms(title)))
    return tuple(islice(near, _NEAREST))
