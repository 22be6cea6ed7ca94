"""From what was retrieved to what follows: ranked diseases, and stops for every drug at issue."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace

from medweave.inference.befalls import prior, wants_same_day
from medweave.inference.differential import differential
from medweave.inference.drugs_from_symptoms import drugs_from_symptoms
from medweave.inference.ranked_properties import ranked
from medweave.inference.safety.facts import facts_of, together_with
from medweave.inference.safety.guesses import Guesses, guesses_of, reviewed_with
from medweave.inference.safety.lineage import Lineages, lineages_in
from medweave.inference.safety.replacements import Replacements, without_what_must_go
from medweave.inference.safety.review import Circumstance, concerned
from medweave.inference.telling import most_telling
from medweave.model.configuration import CONFIGURATION, Configuration
from medweave.model.facts import Fact, Facts
from medweave.model.inferred import Differential, DrugReview, Inferred, StopFinding
from medweave.model.material import DRUG_LISTS, LISTS_OF_PAPERS, Focus, Looked, Material
from medweave.model.question import FINDINGS, SUBSTANCES, Form, Mention, Question
from medweave.model.value import Value
from medweave.vocabulary.knowledge import Knowledge

_TIMES = ("duration", "onset")
_LOOSE = ("lay", "composed", "misspelt")
"""How a finding is linked that is told in other words than its name."""


def infer(
    question: Question,
    material: Material,
    knowledge: Knowledge,
    configuration: Configuration = CONFIGURATION,
) -> Inferred:
    """Rank what is to be ranked; hold every drug in sight against the person."""
    labels = question.labels
    found = _diseases(question, knowledge, configuration) if "diagnosis" in labels else None
    looked = _in_order(question, material.looked, knowledge, configuration)
    drugs = _drugs_in_sight(material.question_drugs, looked, knowledge)
    facts = facts_of(question)
    asked = {focus.entity for focus in material.question_drugs}
    instead = any(item.predicate == "in_class" and item.from_object for item in looked)
    if "interaction" in labels or instead:  # members in place of a class are asked about with it
        asked |= {drug.entity for drug in drugs}
    listed = {drug for item in _lists(looked) for drug in _listed(item, knowledge)}
    wanted = frozenset(item.focus.entity for item in _lists(looked))
    reviews = _reviews(drugs, asked, facts, question, knowledge, listed=listed, wanted=wanted)
    guesses = guesses_of(question, facts, lineages_in(knowledge))
    reviews += _reviews_of_classes(looked, facts, question, guesses, knowledge)
    return Inferred(found, reviews, looked, facts, tuple(guesses.words.items()))


def _diseases(
    question: Question, knowledge: Knowledge, configuration: Configuration
) -> Differential:
    """The diseases that fit what was told, and what to ask next."""
    present, absent = (findings(question, status) for status in ("present", "absent"))
    supposed = supposed_findings(question)
    found = differential(
        present,
        absent,
        knowledge,
        configuration.ranking if configuration.method("diagnosis") == "ranking" else None,
        words=() if question.in_danger else question.words,
        loose=loosely_linked(question),
        supposed=supposed,
        likened=question.likened,
        prior=prior(
            question.patient, (f for some in present for f in some), knowledge, lasted(question)
        ),
    )
    found = _by_when(_without(found, question), knowledge)
    known = {finding for some in (*present, *absent, *supposed) for finding in some}
    return replace(found, settling=most_telling(found, known, knowledge))


def _reviews(
    drugs: list[Focus],
    asked: set[str],
    facts: Facts,
    question: Question,
    knowledge: Knowledge,
    *,
    listed: set[str],
    wanted: frozenset[str],
) -> tuple[DrugReview, ...]:
    """Every drug in sight held against the person; those asked about, against one another too.

    Who asks for a list and names a drug beside ("migraine drugs; AF, warfarin 3 mg") may take it.
    Of what is taken, and neither asked about nor listed, only what excludes it is told, and what
    calls for care in a condition that something is wanted for, or on a day of illness.
    """
    taken = _taken_besides(drugs, facts)
    spoken_of = concerned((*drugs, *taken), facts, knowledge)
    lineages, purposes = lineages_in(knowledge), _purposes(question)
    guesses = guesses_of(question, facts, lineages)
    mentions = (*question.earlier, *question.mentions)
    named = {entity for mention in mentions for entity in mention.entities}
    weighed = [drug.entities for drug in (*drugs, *taken) if drug.entity in spoken_of]
    lineages.expect(weighed, taken=bool(facts.of("drug")) or len(asked) > 1)
    wanted_at = {mention.start for mention in question.mentions if mention.role == "asked"}
    in_question = {e for m in mentions if m.role == "asked" for e in m.entities}
    wanted_classes = [m for m in question.of_concept("drug_class") if m.role == "asked"]
    classes = [mention.entities for mention in wanted_classes]
    beside_another = {m.entity for m in mentions if m.role == "taken" and m.start in wanted_at}
    of_wanted = {above for some in classes for above in lineages.of_drug(*some)}
    replacements = Replacements(question, lineages, frozenset(of_wanted))
    compared = (entity for m in question.form.compared for entity in m.entities)
    chosen = question.candidates.union(compared)

    def beside_the_list(fact: Fact) -> bool:
        """Whether it is none of those that may be chosen, and no class of them; a drug that is
        listed too is none where another class is wanted: "on isotretinoin, which antibiotic for
        acne"."""
        chosen_from = (above for drug in listed for above in lineages.of_drug(drug))
        if listed.isdisjoint(fact.entities):
            return not set(fact.entities) & {*chosen_from}
        own = set(lineages.of_drug(*fact.entities))
        return is_drug(fact) and any(own.isdisjoint(some) for some in classes)

    def together(drug: Focus) -> tuple[Fact, ...]:
        found = together_with(set(lineages.of_drug(*drug.entities)), question)
        if in_question.isdisjoint(drug.entities):  # nobody takes one of a list with one of those
            found = tuple(f for f in found if chosen.isdisjoint(f.entities))
        if not chosen.isdisjoint(drug.entities):  # "apixaban or warfarin? He wants the DOAC"
            kinds = {above for one in chosen for above in lineages.of_drug(one)}
            found = tuple(f for f in found if kinds.isdisjoint(f.entities))
        drugs_count = drug.entity in asked
        return tuple(f for f in found if beside_the_list(f) or (drugs_count and is_drug(f)))

    def is_drug(fact: Fact) -> bool:
        return knowledge.entities.get(fact.entities[0]).concept == "drug"

    def held_against(drug: Focus, counting: Facts, guessed: Guesses) -> DrugReview:
        if drug.entity not in spoken_of:
            return DrugReview(drug, (), has_data=False)
        above = set(lineages.of_drug(*drug.entities))
        if named.isdisjoint(drug.entities) and beside_another.isdisjoint(above):
            counting = counting.beside(above)  # of a class that is taken it may be the very one
        counting = replacements.without(drug, above, counting)
        return reviewed_with(drug, Circumstance(counting, lineages, purposes, wanted), guessed)

    in_sight = without_what_must_go(
        held_against(drug, facts.with_drugs(together(drug)), guesses) for drug in drugs
    )
    told: set[frozenset[str]] = set()
    of_taken = [
        _new_exclusion(held_against(drug, facts, Guesses()), facts, told, wanted) for drug in taken
    ]
    if not drugs:
        of_taken += _reviews_by_description(taken, facts, guesses, lineages)
    return (*in_sight, *(each for each in of_taken if each.findings))


def _reviews_by_description(
    taken: Iterable[Focus], facts: Facts, guesses: Guesses, lineages: Lineages
) -> list[DrugReview]:
    """Where no drug is asked about by name: those that are taken or described, held against what is
    described besides. "A heart spray, and a pill for my erection. Ok?"
    """
    of_drugs = [fact for fact in guesses.held if fact.kind == "drug"]
    found = []
    for drug in (*taken, *(Focus(fact.entities) for fact in of_drugs)):
        others = guesses.but_for(drug.entities)
        held = reviewed_with(drug, Circumstance(facts, lineages), others)
        meant = tuple(
            f for f in held.findings if f.hard and not set(f.facts).isdisjoint(others.held)
        )
        found.append(replace(held, findings=meant))
    return found


def _reviews_of_classes(
    looked: tuple[Looked, ...],
    facts: Facts,
    question: Question,
    guesses: Guesses,
    knowledge: Knowledge,
) -> tuple[DrugReview, ...]:
    """What is said of a class that is asked for, and no member in the list says.

    What forbids it is told of the class as a whole; what calls for care, of a class without
    members here ("calcium tablets" beside levothyroxine): else each member tells it. So does a
    narrower class without members here: some cephalosporins react with alcohol.
    """
    lineages = lineages_in(knowledge)
    circumstance = Circumstance(facts, lineages, _purposes(question))
    asked = {item.of_class for item in looked}
    asked |= {item.focus.entity for item in looked if item.predicate == "in_class"}
    lists = [(item, _listed(item, knowledge)) for item in _lists(looked)]
    for_use = {drug for item, drugs in lists if item.predicate != "in_class" for drug in drugs}
    with_members = {above for drug in for_use for above in lineages.of_drug(drug)}
    of_class = {drug for _, drugs in lists for drug in drugs} - for_use
    members = Counter(above for drug in of_class for above in lineages.of_drug(drug))
    # one that is only listed beside others for a use does not stand for all of its class
    with_members |= {above for above, n in members.items() if n > 1 or not for_use}
    terms, asked = knowledge.lexicon.terms, asked - {""}
    within = {name for name in knowledge.lexicon.narrower(asked) if name not in with_members
              and name in terms and terms[name].concept == "drug_class"}  # fmt: skip
    found = []
    for entity in sorted(asked | knowledge.holds(within)):
        held = reviewed_with(Focus((entity,)), circumstance, guesses)
        own = tuple(
            f
            for f in held.findings
            if (f.holds or (f.hard and f.touched and f.holds is None))
            and f.about == entity
            and (f.hard or (entity in asked and entity not in with_members))
        )
        found += [replace(held, findings=own)] if own else []
    return tuple(found)


def _taken_besides(drugs: Iterable[Focus], facts: Facts) -> list[Focus]:
    """What the person is said to take beside the drugs in sight."""
    seen = {entity for drug in drugs for entity in drug.entities}
    said = [fact for fact in facts.of("drug") if fact.how != "supposed"]
    return [Focus(fact.entities) for fact in said if seen.isdisjoint(fact.entities)]


def _new_exclusion(
    taken: DrugReview, facts: Facts, told: set[frozenset[str]], wanted: frozenset[str]
) -> DrugReview:
    """A drug that is taken, with what excludes it and was not told before in the conversation.

    `told` are the pairs of drugs of which it was told already; it grows.
    """
    own = {f.how for f in facts.of("drug") if f.entities == taken.drug.entities}

    def is_new(finding: StopFinding) -> bool:
        said = own | {fact.how for fact in finding.facts}
        return "said" in said or (not finding.facts and not facts.earlier_fields)

    def pairs(finding: StopFinding) -> set[frozenset[str]]:
        return {frozenset((taken.drug.entity, f.entities[0])) for f in finding.facts}

    def is_grave(finding: StopFinding) -> bool:
        for_it = any(not wanted.isdisjoint(fact.entities) for fact in finding.facts)
        of_state = finding.topic == "condition"
        return finding.hard or (of_state and (for_it or taken.rests_in_illness))

    new = [f for f in taken.findings if f.holds and is_grave(f) and is_new(f)]
    found = [f for f in new if f.topic != "drugs" or told.isdisjoint(pairs(f))]
    told |= {pair for f in found if f.topic == "drugs" for pair in pairs(f)}
    return replace(taken, findings=tuple(found))


def _in_order(
    question: Question,
    looked: tuple[Looked, ...],
    knowledge: Knowledge,
    configuration: Configuration,
) -> tuple[Looked, ...]:
    """What was looked up, ranked where that is the method; then drugs by way of diseases."""
    ranking = configuration.ranking
    told = (m for m in question.of_concept("disease") if m.link.how != "value")  # an eGFR is none
    from_symptoms = all(m.status == "absent" for m in told)

    def is_ranked(intent: str) -> bool:
        return configuration.method(intent, from_symptoms=from_symptoms) == "ranking"

    found = [
        ranked(item, knowledge, ranking) if is_ranked(item.intent) else item for item in looked
    ]
    asked = "drug" in question.labels
    if asked and from_symptoms and is_ranked("drug") and ranking.follows_question:
        absent = findings(question, "absent")
        loose = loosely_linked(question)
        led_to = differential(_symptoms(question), absent, knowledge, ranking, loose=loose)
        found += drugs_from_symptoms(led_to, knowledge)
    return tuple(found)


def _symptoms(question: Question) -> tuple[tuple[str, ...], ...]:
    """The symptoms that something is wanted for, reported or only named ("drugs for a cough")."""
    return tuple(
        dict.fromkeys(
            mention.entities
            for mention in question.of_concept("symptom")
            if mention.status in ("present", "unknown")
            and mention.experiencer == "patient"
            and mention.temporality == "recent"
            and not mention.doubted
        )
    )


def _without(ranking: Differential, question: Question) -> Differential:
    """The ranking without diseases that are named to be left out ("besides a cold")."""
    out = {entity for mention in question.form.left_out for entity in mention.entities}
    remaining = tuple(ranked for ranked in ranking.ranked if ranked.entity not in out)
    leads = bool(remaining) and remaining[0] == ranking.ranked[0]
    return replace(ranking, ranked=remaining, clear=ranking.clear and leads)


def _by_when(ranking: Differential, knowledge: Knowledge) -> Differential:
    """The ranking with whether the disease that stands first wants a doctor the same day."""
    first = next((r for r in ranking.ranked if not (r.ruled_out or r.wider)), None)
    soon = first is not None and wants_same_day(first.entity, knowledge)
    return replace(ranking, same_day=soon)


def findings(question: Question, status: str) -> tuple[tuple[str, ...], ...]:
    """Each finding of this status by all entities it may be."""
    return tuple(
        dict.fromkeys(
            mention.entities
            for mention in (*question.of_concept(*FINDINGS), *question.earlier)
            if mention.status == status
            and mention.concept in FINDINGS
            and mention.experiencer == "patient"
            and mention not in _not_found(question.form)
        )
    )


def lasted(question: Question) -> float:
    """The days for which what was told has lasted, by the longest time that stands nearer to a
    finding than to anything else; 0 where none is told."""
    named = question.mentions
    times = [value for value in question.values if value.quantity in _TIMES and value.bound != "<"]

    def is_of_a_finding(value: Value) -> bool:
        nearest = min(named, key=lambda m: max(value.start - m.end, m.start - value.end))
        return nearest.concept == "symptom" and nearest.status == "present"

    return max((value.value for value in times if named and is_of_a_finding(value)), default=0.0)


def supposed_findings(question: Question) -> tuple[tuple[str, ...], ...]:
    """The findings that diseases are ranked by though they are only supposed."""
    return tuple(one.entities for one in question.supposed if one.counts)


def loosely_linked(question: Question) -> frozenset[str]:
    """Findings that the question tells in other words only: these rank, and name nothing."""
    named = [m for m in question.of_concept(*FINDINGS) if m.status != "absent"]
    loose = {e for m in named if m.link.how in _LOOSE for e in m.entities}
    return frozenset(loose - {e for m in named if m.link.how not in _LOOSE for e in m.entities})


def _not_found(form: Form) -> tuple[Mention, ...]:
    """Diseases named, but not as findings: compared ("is it a cold or the flu?"), or left out."""
    compared = () if form.compares_drugs else form.compared
    return tuple(m for m in (*compared, *form.left_out) if m.concept == "disease")


def _drugs_in_sight(
    asked: tuple[Focus, ...], looked: tuple[Looked, ...], knowledge: Knowledge
) -> list[Focus]:
    """Drugs asked about, and drugs that an answer would list; each once, by whatever identifier."""
    foci = list(asked)
    known = {entity for focus in foci for entity in focus.entities}
    listed = [drug for item in _lists(looked) for drug in _listed(item, knowledge)]
    for drug, same in knowledge.alike(listed).items():
        if drug not in known:
            foci.append(Focus(same))
            known |= set(same)
    return foci


def _lists(looked: Iterable[Looked]) -> Iterator[Looked]:
    """Those of what was looked up that are lists of drugs."""
    for item in looked:
        if item.from_object and item.predicate in (*DRUG_LISTS, *LISTS_OF_PAPERS):
            yield item


def _listed(looked: Looked, knowledge: Knowledge) -> list[str]:
    """The drugs of a list; what papers say something helps is no drug always."""
    subjects = [each.statement.subject for each in looked.statements if each.affirmed]
    if looked.predicate not in LISTS_OF_PAPERS:
        return subjects
    named = knowledge.entities.all(subjects)
    return [subject for subject in subjects if named[subject].concept in SUBSTANCES]


def _purposes(question: Question) -> frozenset[str]:
    """What drugs are wanted for: every condition that the question names."""
    return frozenset(
        entity
        for mention in question.of_concept(*FINDINGS)
        if mention.status != "absent"
        for entity in mention.entities
    )
