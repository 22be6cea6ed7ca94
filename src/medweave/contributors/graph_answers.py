"""A question that is a graph: read, answered in steps, and put in place of what was looked up."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from medweave.language.folding import blotted
from medweave.model.graph_question import NETWORKS
from medweave.model.material import OVERVIEW, Focus, Looked, Material
from medweave.model.question import SUBSTANCES, Form, Intent, Patient, Question
from medweave.retrieval.drugs.purposes import bringing_on, requested_class
from medweave.retrieval.lookup import PROPERTIES
from medweave.vocabulary.knowledge import Knowledge

if TYPE_CHECKING:  # most questions are no graphs
    from medweave.model.found_graph import FoundGraph
    from medweave.model.graph_question import GraphQuestion, Relation
    from medweave.model.steps import Subgraph

_FOR = ("used_for", "used_to_prevent")
_MEETS = ("interacts_with",)
_HARMS = frozenset(("contraindicated_in", "caution_in", *_MEETS))
_ROUGH_DAYS = 30 * 365
_IN_CLASS = "in_class"
_MOST_LISTS = 5
"""Lists of drugs, one for each disease, beyond which they are told as one."""
_LOOKED_UP = frozenset(each.predicate for some in PROPERTIES.values() for each in some)


def graph_answer(question: Question, material: Material, knowledge: Knowledge) -> FoundGraph | None:
    """What a question led to, if it is a graph; None where it is of a person, or in danger.

    A simple question that was looked up already keeps its words, and gets a value.
    """
    urgent = _is_urgent(question, doubts=False)
    if question.form.words or urgent or _is_a_list_without_an_effect(question):
        return None
    from medweave.understanding.graph_question import read_graph_question

    read = read_graph_question(question, knowledge)
    if read is None or _must_rule_out(read, question) or _may_be_of_a_person(read, question):
        return None
    answered = _is_answered(question, read, material)
    beside = read.simple and _is_looked_up_beside(read, material)
    if read.simple and answered and read.form == "list" and not beside:
        return None  # its value is what was looked up
    from medweave.retrieval.graph.steps import pruned, run_graph_question

    found = run_graph_question(read, knowledge)
    weighed = "diagnosis" in question.labels
    if found is None or ((answered or weighed) and _may_mean_each(read, found)):
        return None
    says = bool(found.statements or found.denied)
    # "is X characterised by Y" names no complaint of anybody, whatever diseases would fit it
    other_words = not weighed or read.form != "yes_no"
    kept_words = answered or (not says and _is_of_properties(read) and other_words)
    turned = bool(found.turned) or (_is_turned(found) and question.form.kind == "plain")
    of_a_kind = bool(read.form == "list" and read.nodes[read.target].within)
    if beside and (says or of_a_kind) and not _asks_what_harms_in_one(read):
        kept_words = False
    if (read.simple or found.lacking) and kept_words and not turned:
        valued = says or (read.form == "yes_no" and not found.lacking)
        return replace(found, takes_over=False) if valued else None
    steps = tuple(pruned(step, question.text, knowledge) for step in found.steps)
    return replace(found, steps=steps)


def _is_a_list_without_an_effect(question: Question) -> bool:
    """Whether a class is wanted without what brings something on, and not what sources deny."""
    return bool(bringing_on(question)) and requested_class(question) is not None


def _is_turned(found: FoundGraph) -> bool:
    """Whether a claim that says which of two comes first is not recorded: then nothing that is
    recorded of the two in another way may stand for it."""
    relations = found.question.relations
    claims = found.question.form == "yes_no" and len(relations) == 1 and relations[0].directed
    unheld = any(not step.holds for step in found.steps[-1:])
    return claims and unheld and not found.denied


def around_question(
    question: Question, material: Material, knowledge: Knowledge
) -> Subgraph | None:
    """What the base has around a question that is no graph as it is written, pruned; None where
    what was looked up answers it."""
    hurries = _is_urgent(question) or _is_told_before(question)
    if question.language != "en" or hurries or not question.mentions:
        return None
    if _tells_of_a_person(question.patient, drugs=False):
        return None
    found = _relations_found(material)
    has_networks = any(map(knowledge.mentioned_as, NETWORKS))
    if found and not has_networks:
        return None
    from medweave.contributors.question_subgraph import loose_reading, subgraph_of_question

    read = loose_reading(question, knowledge)
    if read is None or not read.relations:
        if not has_networks:
            return None
    elif _is_met(read, found):
        return None
    return subgraph_of_question(question, read, knowledge)


def _is_met(read: GraphQuestion, found: set[str]) -> bool:
    """Whether what was looked up is what words of a simple question ask for."""
    [first, *_] = read.relations
    return read.simple and not first.weak and bool(found.intersection(first.predicates))


def _relations_found(material: Material) -> set[str]:
    """The relations of what was looked up, and of what claims were held against."""
    found = {item.predicate for item in material.looked if item.statements}
    claims = (s for each in material.claimed for s in (*each.found, *each.otherwise))
    return found | {supported.statement.predicate for supported in claims}


def _is_looked_up_beside(read: GraphQuestion, material: Material) -> bool:
    """Whether diseases that something is told of, or drugs that something speaks against, are asked
    for, and something else was looked up with them: the causes of what is a complication of them,
    or mere cautions."""
    if read.form != "list" or read.relations[0].weak:
        return False
    if read.nodes[read.target].within:  # "which vaccine prevents measles?": not all vaccines
        return _relations_found(material) == {_IN_CLASS}
    [relation] = read.relations
    of_diseases = read.nodes[read.target].concepts == ("disease",)
    if not (of_diseases or _asks_what_harms_in_one(read)):
        return False
    wanted = (*relation.predicates, *relation.otherwise)
    from_object = read.target in relation.subjects.nodes
    found = [item for item in material.looked if item.statements]
    return any(
        item.predicate not in wanted or (item.from_object != from_object and not relation.otherwise)
        for item in found
    )


def _asks_what_harms_in_one(read: GraphQuestion) -> bool:
    """Whether drugs that something speaks against are asked for: what else speaks against drugs
    there is told, and is none of them."""
    return all(_HARMS.issuperset(each.predicates) for each in read.relations)


def _may_mean_each(read: GraphQuestion, found: FoundGraph) -> bool:
    """Whether nothing has all, and what has some may be meant: drugs "for gout and asthma", a
    disease with "fever, rash and sore ankles". A claim means what it says, and so does what is
    denied."""
    if (
        read.form == "yes_no"
        or read.labelled
        or any(relation.denied for relation in read.relations)
    ):
        return False
    nothing = not (found.statements or found.denied)
    relations = {each.predicates for each in read.relations}
    return nothing and relations in ({("used_for",)}, {("has_symptom",)})


def _is_urgent(question: Question, *, doubts: bool = True) -> bool:
    """Whether help comes first; `doubts`: or may have to be ruled out."""
    doubted = doubts and question.to_rule_out
    return bool(question.in_danger or question.aside or doubted)


def _is_told_before(question: Question) -> bool:
    """Whether something was told of somebody before."""
    return bool(question.earlier or question.earlier_fields)


def _may_be_of_a_person(read: GraphQuestion, question: Question) -> bool:
    """Whether a reading may not stand for the question, as it may be asked for somebody."""
    if _asks_what_harms(read):
        return False
    return _is_told_before(question) or not _is_sure(read, question)


def _asks_what_harms(read: GraphQuestion) -> bool:
    """Whether the drugs for something are asked for that something speaks against: whoever it may
    be asked for, to hold them against that would leave those of which it is not so."""
    told = [each for each in read.relations if not each.denied]
    harms = [each for each in told if _HARMS.issuperset(each.predicates)]
    in_words = not any(each.weak for each in harms)
    return read.form == "list" and len(told) > len(harms) > 0 and in_words


def _is_sure(read: GraphQuestion, question: Question) -> bool:
    """Whether a reading may stand for the question. Of drugs and diseases each further relation has
    a word of its own: "treatment of gout in an asthmatic" asks for no drug for asthma. A condition
    that somebody may have is held against drugs elsewhere."""
    concepts = {concept for node in read.nodes for concept in node.concepts}
    if concepts & NETWORKS:
        return True  # nobody is treated with a gene
    sought = {concept for node in read.nodes if node.sought for concept in node.concepts}
    seeks_drugs = bool(sought & set(SUBSTANCES))
    patient = _told_besides(question, read)
    met = {e for r in read.relations if r.predicates == _MEETS for e in _named_in(r, read)}
    patient = replace(patient, drugs=tuple(drug for drug in patient.drugs if drug not in met))
    patient = _without_rough_age(patient) if read.labelled else patient
    to_take = bool(sought & set(SUBSTANCES) - {"drug_class"}) and read.form != "choice"
    if _tells_of_a_person(patient, drugs=to_take):
        return False
    named = {entity for node in read.nodes for entity in node.entities}
    others = set(question.patient.conditions) - named
    in_words = not any(relation.weak for relation in read.relations)
    first = read.relations[0] if read.relations else None
    if seeks_drugs and question.patient.conditions and (others or not in_words):
        return False
    if seeks_drugs and _has_several(read):
        return False
    further = (r for r in read.relations[1:] if not (r.denied and _goes_on(r, first)))
    return not any(relation.weak for relation in further)


def _without_rough_age(patient: Patient) -> Patient:
    """A person without an age that is only told by "a man": a choice that has labels is none of
    what this one may take."""
    ages = (patient.age_days, patient.age_max_days)
    rough = None not in ages and (ages[1] or 0) - (ages[0] or 0) > _ROUGH_DAYS
    return replace(patient, age_days=None, age_max_days=None) if rough else patient


def _named_in(relation: Relation, read: GraphQuestion) -> tuple[str, ...]:
    """What a relation names: in "drugs that interact with X" nobody takes X."""
    ends = (*relation.subjects.nodes, *relation.objects.nodes)
    return tuple(entity for at in ends for entity in read.nodes[at].entities)


def _goes_on(relation: Relation, first: Relation | None) -> bool:
    """Whether a further relation is the first one, of something else: "have X but not Y"."""
    return first is not None and relation.predicates == first.predicates


def _has_several(read: GraphQuestion) -> bool:
    """Whether medicines are wanted for several conditions without a word that joins these: somebody
    has them all, and each is held against the medicines for the others."""
    first = read.relations[0]
    ends = (*first.subjects.nodes, *first.objects.nodes)
    return first.weak and sum(not read.nodes[at].sought for at in ends) > 1


def _must_rule_out(read: GraphQuestion, question: Question) -> bool:
    """Whether a danger is to be asked for first; what a choice offers is nobody's complaint, and
    neither is what tells of which diseases something else is sought."""
    between = [at for at, node in enumerate(read.nodes) if node.sought and at != read.target]
    of_diseases = read.form == "list" and any(
        "disease" in read.nodes[at].concepts for at in between
    )
    return bool(question.to_rule_out) and read.form != "choice" and not of_diseases


def _told_besides(question: Question, read: GraphQuestion) -> Patient:
    """What is told of the person by other words than the names that are asked about: "drugs for
    gestational diabetes" are asked for by nobody in particular."""
    if not (question.patient.pregnant or question.patient.breastfeeding):
        return question.patient
    from medweave.language.passage import passage_of
    from medweave.understanding.pregnancy import read_pregnancy

    named = {entity for node in read.nodes for entity in node.entities}
    places = [(m.start, m.end) for m in question.mentions if named.intersection(m.entities)]
    besides = read_pregnancy(passage_of(blotted(question.text, places, " ")))
    told = replace(question.patient, pregnant=besides.pregnant)
    return replace(told, breastfeeding=besides.breastfeeding)


def _tells_of_a_person(patient: Patient, *, drugs: bool) -> bool:
    """Whether more is told of somebody than what they have; `drugs`: or take. "Side effects common
    to X and Y": nobody takes them."""
    told = replace(patient, conditions=(), severe=(), absent=(), sex=None)
    return (told if drugs else replace(told, drugs=())) != Patient()


def _is_of_properties(read: GraphQuestion) -> bool:
    """Whether its relations are those that questions of other kinds are answered by."""
    relations = read.relations
    return bool(relations) and all(set(each.predicates) & _LOOKED_UP for each in relations)


def _is_answered(question: Question, read: GraphQuestion, material: Material) -> bool:
    """Whether what was looked up answers: what was only guessed to be asked for does not, nor what
    is known of a drug where its genes are asked for."""
    guessed = {intent.label for intent in question.intents if not intent.sure}
    found = [item for item in material.looked if item.statements]
    of_papers = any(item.predicate not in _LOOKED_UP for item in found)
    if any(set(node.concepts) & NETWORKS for node in read.nodes):
        wanted = {predicate for relation in read.relations for predicate in relation.predicates}
        told = _relations_found(material)
        return bool(told & wanted or told - _LOOKED_UP)
    asked = any(item.intent not in guessed | {OVERVIEW} for item in found)
    claimed = any(each.found or each.otherwise for each in material.claimed)
    return claimed or asked or of_papers or bool(material.compared)


def in_place_of(
    material: Material, graph: FoundGraph, question: Question
) -> tuple[Material, Question]:
    """What is said instead of what was looked up: drugs that were found, to be held against what is
    known of the person; and the question with no other intents than that. Who asks for what treats
    one thing but not another has not said that anybody has the other."""
    looked = _drug_lists(graph)
    intents = (Intent("drug"),) if looked else ()
    asked = material.question_drugs if not looked else ()
    denied = [r for r in graph.question.relations if r.denied and r.predicates == ("used_for",)]
    out = {entity for relation in denied for entity in _named_in(relation, graph.question)}
    mentions = tuple(
        replace(each, status="absent") if out.intersection(each.entities) else each
        for each in question.mentions
    )
    return (
        Material(looked, asked),
        replace(question, intents=intents, form=Form(), mentions=mentions),
    )


def _drug_lists(graph: FoundGraph) -> tuple[Looked, ...]:
    """The drugs that the last step found, by what they are for; none where they are for nothing."""
    read = graph.question
    if read.form != "list" or not graph.steps or "drug" not in read.nodes[read.target].concepts:
        return ()
    if any(not r.denied and _HARMS.issuperset(r.predicates) for r in read.relations):
        return ()  # what speaks against them is what is asked for
    last = graph.steps[-1]
    drugs = {thing.id for thing in last.things}
    by_disease: dict[str, list[str]] = {}
    for key, supported in last.statements.items():
        statement = supported.statement
        if statement.predicate in _FOR and statement.object_entity and supported.affirmed:
            by_disease.setdefault(statement.object_entity, []).append(key)
    if not drugs or not 0 < len(by_disease) <= _MOST_LISTS:
        return ()
    return tuple(
        Looked(
            "drug",
            Focus((disease,)),
            last.statements[keys[0]].statement.predicate,
            from_object=True,
            statements=tuple(last.statements[key] for key in keys),
        )
        for disease, keys in by_disease.items()
    )
