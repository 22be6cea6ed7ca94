"""Saying what steps over a graph found: what was sought, in words, and what there is of it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from medweave.answering.draft import Draft
from medweave.answering.wording import MAX_LISTED
from medweave.language.data import shipped_yaml
from medweave.model.found_graph import FoundGraph, FoundStep
from medweave.model.graph_question import GraphQuestion, Option, Relation, Side

_HARMS = {"has_side_effect", "contraindicated_in", "caution_in", "interacts_with"}
_LONG_CHAIN = 3
"""Relations between what is sought, beyond which a description would never end."""


def say_graph(draft: Draft, found: FoundGraph, *, listed: bool = False) -> None:
    """What each step found, the last one as the answer; that nothing is recorded, where it is so.

    `listed`: the last step's drugs are listed elsewhere, held against the person.
    """
    words = GraphWords(found.question)
    for name, kinds in found.kinds.items():
        _say_missing(draft, words, "kinds", subject=name, list=draft.wording.join(kinds))
    if found.lacking:
        _say_missing(draft, words, "lacking", list=", ".join(found.lacking), direct=True)
        draft.unmet += 1
        return
    with draft.topic(found.question.form):
        for step in found.steps:
            is_last = step is found.steps[-1]
            if is_last and listed:
                draft.rest_on(step.statements.values())
            elif not is_last or found.question.form == "list":
                _say_list(draft, words, step, "found")
            elif found.question.form == "choice":
                _say_choice(draft, words, found, step)
            else:
                _say_claim(draft, words, found, step)
    denies = found.question.denied and found.question.form == "choice"
    if any((denies or r.denied) and _harms(r) for r in found.question.relations):
        _say_missing(draft, words, "silent")


def _say_list(draft: Draft, words: GraphWords, step: FoundStep, key: str) -> None:
    what = words.of_step(step)
    denied = bool(step.relations) and all(relation.denied for relation in step.relations)
    if not step.things:
        _say_missing(draft, words, "none_denied" if denied else "none", what=what, direct=True)
        draft.unmet += 1
        return
    names = [draft.wording.name(thing.id) for thing in step.things]
    same = draft.wording.knowledge.same
    shown = {one for thing in step.things[:MAX_LISTED] for one in same(thing.id)}
    supported = [s for s in step.statements.values() if shown & set(s.statement.entities)]
    draft.rest_on(step.statements.values())
    key = "denied_of" if denied else key
    said = words.say(key, what=what, n=len(names), list=draft.wording.join(names))
    draft.add_sentence(said, supported)


def _say_claim(draft: Draft, words: GraphWords, found: FoundGraph, step: FoundStep) -> None:
    if step.node >= 0:
        _say_list(draft, words, step, "there_are")
    elif step.holds:
        said = words.say("holds", what=words.claim(_as_recorded(step, found, draft)))
        draft.add_sentence(said, step.statements.values())
    elif found.denied:
        said = words.say("denied", what=words.claim(step.relations))
        draft.add_sentence(said, found.denied)
    else:
        _say_missing(draft, words, "not_held", what=words.claim(step.relations), direct=True)
        draft.unmet += 1
        if found.turned:
            other = words.claim(tuple(each.reversed for each in step.relations))
            draft.add_sentence(words.say("turned", what=other), found.turned.values())


def _as_recorded(step: FoundStep, found: FoundGraph, draft: Draft) -> tuple[Relation, ...]:
    """What a claim that holds of any of several names says, of those of which it is recorded."""
    same, nodes = draft.wording.knowledge.same, found.question.nodes
    ends = {one for s in step.statements.values() for e in s.statement.entities for one in same(e)}

    def recorded(side: Side) -> Side:
        held = tuple(node for node in side.nodes if ends.intersection(nodes[node].entities))
        return replace(side, nodes=held) if side.any and held else side

    return tuple(
        replace(each, subjects=recorded(each.subjects), objects=recorded(each.objects))
        for each in step.relations
    )


def _say_choice(draft: Draft, words: GraphWords, found: FoundGraph, step: FoundStep) -> None:
    what = words.of_step(step)
    if not found.question.labelled:
        _say_holding(draft, words, found, step)
        return
    chosen = next((o for o in found.question.options if o.label == found.result.value), None)
    supported = [
        s for s in step.statements.values() if chosen is None or _is_about(s.statement, chosen)
    ]
    if chosen is None or not (supported or step.statements):
        _say_missing(draft, words, "none_chosen", what=what, direct=True)
        draft.unmet += 1
        return
    key = "not_among" if found.question.denied else "chosen"
    said = words.say(key, label=chosen.label, name=chosen.text, what=what)
    draft.add_sentence(said, supported or step.statements.values())


def _say_holding(draft: Draft, words: GraphWords, found: FoundGraph, step: FoundStep) -> None:
    """Which of those that are offered without labels are recorded, and which are not."""
    what, options = words.of_step(step), found.question.options
    join, same = draft.wording.join, draft.wording.knowledge.same
    recorded = {e for thing in step.things for e in same(thing.id)}
    held = [o for o in options if recorded.intersection(o.entities)]
    others = [o.text for o in options if o.entities and o not in held]
    unknown = [o.text for o in options if not o.entities]
    if held:
        ends = {one for o in held for e in o.entities for one in same(e)}
        supported = [s for s in step.statements.values() if ends & set(s.statement.entities)]
        said = words.say("holding", list=join([o.text for o in held]), what=what)
        draft.add_sentence(said, supported or step.statements.values())
    if others:
        direct = found.question.denied or not held
        _say_missing(draft, words, "not_holding", list=join(others), what=what, direct=direct)
    if unknown:
        _say_missing(draft, words, "unknown_offered", list=join(unknown), direct=not held)
    draft.unmet += not held and not found.question.denied


def _is_about(statement: Any, option: Option) -> bool:
    return bool(set(statement.entities) & set(option.entities)) or not option.entities


def _harms(relation: Relation) -> bool:
    return bool(set(relation.predicates) & _HARMS)


def _say_missing(
    draft: Draft, words: GraphWords, key: str, *, direct: bool = False, **slots: object
) -> None:
    text = words.say(f"missing.{key}", **slots)
    if text not in draft.missing:
        draft.missing.append(text)
    if direct:
        draft.direct.append(text)


class GraphWords:
    """What is sought in a question, in words."""

    def __init__(self, question: GraphQuestion) -> None:
        self._question = question
        self._words: dict[str, Any] = shipped_yaml(
            "answering", "phrases", f"graph_steps.{question.language}.yaml"
        )

    def say(self, key: str, **slots: object) -> str:
        """A phrase by its key, with its slots filled."""
        phrase: Any = self._words
        for part in key.split("."):
            phrase = phrase[part]
        return str(phrase).format(**slots)

    def question(self, step: FoundStep) -> str:
        """A step as a question by itself."""
        if step.node < 0:
            return self.say("questions.yes_no", what=self.claim(step.relations))
        exists = self._question.form == "yes_no"
        key = "exists" if exists else "list"
        return self.say(f"questions.{key}", what=self.of_step(step))

    def of_step(self, step: FoundStep) -> str:
        """What a step seeks; not what it is sought for."""
        others = (r for r in self._question.relations if r not in step.relations)
        own = [r for r in others if step.node in (*r.subjects.nodes, *r.objects.nodes)]
        return self.sought(step.node, tuple(own))

    def sought(self, node: int, seen: tuple[Relation, ...] = ()) -> str:
        """What is sought as a node: "genes associated with asthma and bound by salbutamol"."""
        concepts = self._question.nodes[node].concepts
        noun = self._words["nouns"].get(concepts[0] if concepts else "", "things")
        own = [
            relation
            for relation in self._question.relations
            if relation not in seen and node in (*relation.subjects.nodes, *relation.objects.nodes)
        ]
        told = [self._modifier(relation, node, seen) for relation in own if not relation.denied]
        denied = [
            self._modifier(relation, node, seen)
            for relation in own
            if relation.denied and not relation.jointly
        ]
        joins = self._words["joins"]
        but_not = "".join(str(joins["but_not"]).format(what=each) for each in denied)
        but_not += str(joins["not_all"]) if any(relation.jointly for relation in own) else ""
        if not (told or denied):
            return str(noun)
        if not told:  # of what is only denied it is told what is denied
            told, but_not = denied, ""
        told = [self._without_noun(each, str(noun)) for each in told]
        described = str(joins["described"])
        return described.format(noun=noun, told=joins["and"].join(told), but_not=but_not)

    def _without_noun(self, told: str, noun: str) -> str:
        """What is told of a noun that it repeats: "risk factors that are risk factors of X"."""
        again = str(self._words["joins"]["again"]).format(noun=noun)
        return told.removeprefix(again) if again else told

    def claim(self, relations: tuple[Relation, ...]) -> str:
        """What a yes/no question claims of what it names."""
        clauses = [
            self._form(relation, "clause").format(
                subject=self._side(relation.subjects, (relation,)),
                object=self._side(relation.objects, (relation,)),
                property=_called(relation),
            )
            for relation in relations
        ]
        return str(self._words["joins"]["and"].join(clauses))

    def _modifier(self, relation: Relation, node: int, seen: tuple[Relation, ...]) -> str:
        is_subject = node in relation.subjects.nodes
        other = relation.objects if is_subject else relation.subjects
        form = self._form(relation, "subject" if is_subject else "object")
        return form.format(other=self._side(other, (*seen, relation)), property=_called(relation))

    def _form(self, relation: Relation, which: str) -> str:
        forms = self._words["relations"]
        return str(forms.get(relation.predicates[0], forms["other"])[which])

    def _side(self, side: Side, seen: tuple[Relation, ...]) -> str:
        nodes = self._question.nodes
        deep = len(seen) > _LONG_CHAIN
        names = [
            self.sought(node, seen) if nodes[node].sought and not deep else nodes[node].name
            for node in side.nodes
        ]
        return str(self._words["joins"]["or" if side.any else "names"].join(names))


def _called(relation: Relation) -> str:
    return relation.predicates[0].replace("_", " ")
