"""Comparisons: for each drug what stops it, what is unknown, what it is used for; for diseases,
what is recorded for both and what for one only.

Nothing is ever said to be better or safer than another.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from operator import attrgetter

from medweave.answering.draft import Draft
from medweave.answering.drugs import say_held, say_open, say_purposes
from medweave.answering.pairs import interactions
from medweave.answering.properties import named_in, other_name, property_name
from medweave.answering.safety import grounds, reason_of
from medweave.language.data import rule_in_any
from medweave.model.answer import Cell, CellKind, Row, RowStatus
from medweave.model.entity import Entity
from medweave.model.facts import NO_FACTS
from medweave.model.inferred import DrugReview, Inferred, StopFinding
from medweave.model.material import Looked, Material
from medweave.model.question import Question
from medweave.model.statement import Literal, SupportedStatement

_AT_LEAST = 2
_IN_PRACTICE = {"described_as": 3, "use_advice": 4}
"""What tells how a medicine is lived with, and how many sentences of it are told."""


def say_comparison(
    draft: Draft, question: Question, material: Material, inferred: Inferred
) -> None:
    """Rows and sentences for everything compared."""
    groups: dict[str, list[Looked]] = {}
    for item in material.compared:
        groups.setdefault(item.focus.entity, []).append(item)
    if not groups:
        return
    with draft.topic("comparison"):
        if question.form.compares_drugs:
            _say_drugs(draft, question, groups, inferred)
        else:
            _say_diseases(draft, question, groups)


# Drugs


def _say_drugs(
    draft: Draft, question: Question, groups: dict[str, list[Looked]], inferred: Inferred
) -> None:
    reviews = {e: review for review in inferred.reviews for e in review.drug.entities}
    about_somebody = inferred.facts != NO_FACTS
    practical = _asks_of_practice(question)
    for entity, looked in groups.items():
        review = reviews[entity]
        with draft.topic("comparison", entity):
            in_practice = practical and not review.excluded and _say_in_practice(draft, review)
            if not say_held(draft, review) and not in_practice:
                say_open(draft, review, about_somebody=about_somebody, brief=True)
            say_purposes(draft, question, review)
            wanted = any(m.status != "absent" for m in question.of_concept("disease", "symptom"))
            with_uses = not (review.excluded or wanted or in_practice)
            cells = [*_stop_cells(draft, review), *_uses(draft, looked, said=with_uses)]
        draft.rows.append(Row(_entity(draft, entity), _drug_status(review), tuple(cells)))
    _say_what_is_stopped(draft)
    _say_what_interacts(draft, list(groups))
    draft.add_missing("none_is_better")


def _asks_of_practice(question: Question) -> bool:
    """Whether it is asked how medicines differ from day to day, and not for whom they are."""
    words = rule_in_any("practical", "answering", "practical.yaml")
    return bool(words.search(question.text.lower()))


def _say_in_practice(draft: Draft, review: DrugReview) -> bool:
    """What sources say of a medicine and of taking it, under its name; whether they say any."""
    wording, match = draft.wording, draft.wording.knowledge.store.match
    name, told = wording.name(review.drug.entity), dict[str, list[SupportedStatement]]()
    for predicate, most in _IN_PRACTICE.items():
        said = [
            supported
            for entity in review.drug.entities
            for supported in match(entity, predicate)
            if supported.statement.language == wording.language
        ]
        for supported in sorted(said, key=attrgetter("place"))[:most]:
            told.setdefault(wording.object_name(supported.statement), []).append(supported)
    for text, statements in told.items():
        draft.add_sentence(wording.say("in_practice", drug=name, text=text), statements)
    return bool(told)


def _entity(draft: Draft, entity: str) -> Entity:
    return draft.wording.knowledge.entities.get(entity)


def _drug_status(review: DrugReview) -> RowStatus:
    """The gravest of what applies."""
    if any(f.holds and f.hard for f in review.findings):
        return "stopped"
    if any(f.touched and f.hard for f in review.findings):
        return "depends"
    if any(f.holds or f.touched for f in review.findings):
        return "caution"
    return "open" if review.has_data else "no_data"


def _stop_cells(draft: Draft, review: DrugReview) -> list[Cell]:
    """What stops a drug, what may, and what nobody has spoken of."""
    groups: dict[CellKind, list[StopFinding]] = {}
    for finding in review.findings:
        groups.setdefault(_kind(finding), []).append(finding)
    order: tuple[CellKind, ...] = ("stops", "depends", "caution", "unknown")
    return [_stop_cell(draft, review, kind, groups[kind]) for kind in order if kind in groups]


def _kind(finding: StopFinding) -> CellKind:
    if not (finding.holds or finding.touched):
        return "unknown"
    if not finding.hard:
        return "caution"
    return "stops" if finding.holds else "depends"


def _stop_cell(
    draft: Draft, review: DrugReview, kind: CellKind, findings: list[StopFinding]
) -> Cell:
    return Cell(kind, reason_of(draft.wording, review, findings), grounds(draft, findings))


def _uses(draft: Draft, looked: list[Looked], *, said: bool) -> list[Cell]:
    """Recorded uses, honest about their number; a sentence of them where nothing stops the drug."""
    found = [(item, s) for item in looked for s in item.statements if s.affirmed]
    if not found:
        return []
    wording = draft.wording
    names = [other_name(draft, item, s) for item, s in found]
    statements = named_in(names, [s for _, s in found])
    listed = wording.join(names)
    drug = wording.name(looked[0].focus.entity)
    if said:
        draft.add_sentence(wording.say("asks.used_for", subject=drug, list=listed), statements)
    return [Cell("uses", listed, draft.rest_on(statements))]


def _say_what_is_stopped(draft: Draft) -> None:
    """Where one is stopped and another is not, just that; not stopped is not safe."""
    wording = draft.wording
    stopped = [row for row in draft.rows if row.status == "stopped"]
    others = [row for row in draft.rows if row.status == "open"]
    if stopped:
        names = wording.join([row.entity.name(wording.language) for row in stopped])
        why = [i for row in stopped for cell in row.cells[:1] for i in cell.statements]
        text = wording.say("comparison.stopped", drugs=names)
        draft.add_sentence(text, [draft.statements[identifier] for identifier in why])
    if len(others) < len(draft.rows) and others:
        names = wording.join([row.entity.name(wording.language) for row in others])
        draft.add_missing("not_stopped", drugs=names)


def _say_what_interacts(draft: Draft, drugs: list[str]) -> None:
    """Drugs that are compared may end up together: what is recorded of that is said."""
    wording = draft.wording
    for first, second in combinations(drugs, 2):
        if found := interactions(first, second, wording.knowledge):
            names = wording.join([wording.name(first), wording.name(second)])
            draft.add_sentence(wording.say("comparison.interact", drugs=names), found)


# Diseases


def _say_diseases(draft: Draft, question: Question, groups: dict[str, list[Looked]]) -> None:
    cells: dict[str, list[Cell]] = {entity: [] for entity in groups}
    for side_by_side in zip(*groups.values(), strict=True):
        if _takes_text(draft, side_by_side[0]):
            for item in side_by_side:
                _say_what_it_is(draft, item)
        else:
            _say_shared_and_only(draft, side_by_side, cells)
    for items in groups.values():
        _say_findings(draft, question, items, cells)
    for entity, found in cells.items():
        status: RowStatus = "recorded" if found else "no_data"
        draft.rows.append(Row(_entity(draft, entity), status, tuple(found)))
    if any(cell.kind == "only" for found in cells.values() for cell in found):
        draft.add_missing("only_is_not_never")


def _takes_text(draft: Draft, item: Looked) -> bool:
    return draft.wording.knowledge.vocabulary.predicate(item.predicate).takes_text


def _say_what_it_is(draft: Draft, item: Looked) -> None:
    """The first sentence of its description, in the question's language if there is one."""
    texts = [s for s in item.statements if s.affirmed]
    own = [
        s
        for s in texts
        if isinstance(s.statement.object, Literal)
        and s.statement.object.language == draft.wording.language
    ]
    for supported in (own or texts)[:1]:
        with draft.topic("comparison", item.focus.entity):
            draft.add_sentence(draft.wording.object_name(supported.statement), [supported])


def _say_shared_and_only(
    draft: Draft, items: tuple[Looked, ...], cells: dict[str, list[Cell]]
) -> None:
    """What is recorded for several of them together, then what for one only."""
    recorded = [item for item in items if any(s.affirmed for s in item.statements)]
    for item in items:
        if item not in recorded:
            _say_nothing(draft, item)
    for bearers, found in _by_bearers(draft, recorded).items():
        _say_group(draft, items[0], bearers, found, cells, alone=len(recorded) < _AT_LEAST)


def _say_nothing(draft: Draft, item: Looked) -> None:
    subject = draft.wording.name(item.focus.entity)
    draft.add_missing("no_property", property=property_name(draft, item), subject=subject)
    draft.unmet += 1


_Found = list[tuple[Looked, SupportedStatement]]


def _by_bearers(draft: Draft, items: Iterable[Looked]) -> dict[tuple[str, ...], _Found]:
    """Statements by who shares their object: most sharers first, then as recorded."""
    pairs = [(item, s) for item in items for s in item.statements if s.affirmed]
    objects = [str(s.statement.object) for _, s in pairs]
    alike = draft.wording.knowledge.alike(objects)
    things: dict[str, _Found] = {}
    for (item, supported), target in zip(pairs, objects, strict=True):
        known = next((key for key in things if key in alike[target]), target)
        things.setdefault(known, []).append((item, supported))
    groups: dict[tuple[str, ...], _Found] = {}
    for found in things.values():
        bearers = tuple(dict.fromkeys(item.focus.entity for item, _ in found))
        groups.setdefault(bearers, []).extend(found)
    return dict(sorted(groups.items(), key=lambda pair: -len(pair[0])))


def _say_group(
    draft: Draft,
    item: Looked,
    bearers: tuple[str, ...],
    found: _Found,
    cells: dict[str, list[Cell]],
    *,
    alone: bool,
) -> None:
    wording = draft.wording
    names = [other_name(draft, looked, supported) for looked, supported in found]
    statements = named_in(names, [supported for _, supported in found])
    subjects = wording.join([wording.name(entity) for entity in bearers])
    listed, label = wording.join(names), property_name(draft, item)
    shared = len(bearers) >= _AT_LEAST
    key = "comparison.shared" if shared else "comparison.only"
    if alone:
        text = wording.recorded_list(item.predicate, names, subject=subjects)
    else:
        text = wording.say(key, property=label, subjects=subjects, list=listed)
    with draft.topic("comparison", "" if shared else bearers[0]):
        draft.add_sentence(text, statements)
    kind: CellKind = "shared" if shared else ("alone" if alone else "only")
    for entity in bearers:
        own = [s for looked, s in found if looked.focus.entity == entity and s in statements]
        cells[entity].append(Cell(kind, f"{label}: {listed}", draft.rest_on(own)))


def _say_findings(
    draft: Draft, question: Question, items: list[Looked], cells: dict[str, list[Cell]]
) -> None:
    """Which findings of the person are recorded for a disease."""
    wording = draft.wording
    present = {
        entity
        for mention in question.of_concept("symptom", "disease")
        if mention.status == "present" and mention not in question.form.compared
        for entity in mention.entities
    }
    for item in items:
        entries = [
            s
            for s in item.statements
            if item.predicate == "has_symptom" and s.affirmed and s.statement.object in present
        ]
        if entries:
            names = [other_name(draft, item, s) for s in entries]
            entity = item.focus.entity
            listed = wording.join(names)
            text = wording.say("comparison.said", subject=wording.name(entity), list=listed)
            with draft.topic("comparison", entity):
                draft.add_sentence(text, named_in(names, entries))
            cells[entity].append(Cell("said", listed, draft.rest_on(entries)))
