"""The two ways through medweave: from sources to a base, and from a question to an answer.

Read these first. What reads and extracts is imported by `build` alone: a question is answered
sooner without.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

from medweave.answering.compose import CANDIDATES, finished
from medweave.answering.draft import Draft
from medweave.answering.letter import (
    held_for_each,
    in_parts,
    tells_something,
    told_unread,
)
from medweave.answering.listed import listed_names
from medweave.answering.result import with_steps, with_subgraph
from medweave.answering.wording import Wording
from medweave.contributors.contributor import Contributor, QuestionState
from medweave.contributors.graph_answers import around_question
from medweave.contributors.statements import Statements
from medweave.contributors.unsaid import tell_the_rest
from medweave.errors import LanguageModelError, SourceError
from medweave.language.passage import About
from medweave.language.segmentation import language_of
from medweave.language.typed import evened
from medweave.model.answer import Answer
from medweave.model.belief import belief
from medweave.model.configuration import CONFIGURATION, Configuration
from medweave.ports import Progress, SentenceVectors, StoreView, no_progress
from medweave.retrieval.drugs.requested_lists import with_requested_lists
from medweave.understanding.asked.reading import Around
from medweave.understanding.context_disambiguation import Nearness
from medweave.understanding.conversation.compounds import compound_parts
from medweave.understanding.conversation.conversation import Conversation, Understand
from medweave.understanding.conversation.letter_parts import (
    LetterPart,
    each_person,
    held_together,
    questions_of_letter,
    with_verdict_asked,
)
from medweave.understanding.conversation.letter_questions import is_letter, pieces_of
from medweave.understanding.conversation.letters import Part, parts_of, whole_of
from medweave.understanding.conversation.several_questions import joined, several
from medweave.understanding.question import models_of, understand
from medweave.vocabulary.knowledge import Knowledge

if TYPE_CHECKING:
    from medweave.graph.builder import BuildPlan, BuildReport, SourceBuild
    from medweave.graph.preview import Preview
    from medweave.guideline.case_reader import CaseReader
    from medweave.model.assessment import Assessment
    from medweave.model.document import Extraction, Skipped
    from medweave.model.findings import Findings
    from medweave.model.mapping import Mapping
    from medweave.model.question import Question
    from medweave.model.record import Record
    from medweave.model.similar import Message
    from medweave.ports import LanguageModel
    from medweave.sources.model_plan import ModelPlan
    from medweave.sources.model_reading import ModelReader
    from medweave.sources.names import Naming

_FEW = 2
"""Questions of a text that are read together where none of them is answered alone."""


def build(
    sources: Iterable[Path],
    store: StoreView,
    naming: Naming,
    *,
    mapping: Mapping | None = None,
    jobs: int = 0,
    progress: Progress = no_progress,
    now: str = "",
    keep_personal_data: bool = False,
    model: LanguageModel | None = None,
) -> BuildReport:
    """Bring a base up to date with sources: read, extract, store; what is unchanged is left alone.

    `jobs` is the number of cores, 0 for as many as are worth while. `now` (ISO 8601) is written
    into the activity of this run. Personal data in dialogues is masked unless it is to be kept.
    Dialogues and abstracts are read by `model` where there is one, and otherwise by rules.
    """
    from medweave.graph.builder import SourceBuild, report_of
    from medweave.sources.many import extract_many, worthwhile
    from medweave.sources.model_reading import ModelReader
    from medweave.sources.reading import read_records, source_files

    started = perf_counter()
    builds = []
    reader = ModelReader(model, naming, progress) if model else None
    for path in source_files(list(sources), mapping):
        source = SourceBuild(path, store, progress, lines=_lines(path, progress))
        read: Callable[[], Iterable[object]] = partial(
            read_records,
            path,
            mapping,
            keep_personal_data=keep_personal_data,
            progress=progress,
        )
        if reader:
            read = partial(_read_by_model, read, reader, source, naming)
        tasks = source.tasks(read)
        for made in extract_many(tasks, naming, now, jobs=jobs or worthwhile(path)):
            source.take(made)
        source.finish()
        builds.append(source)
    report = report_of(builds, store, perf_counter() - started)
    if reader is None:
        return report
    told = reader.report
    return replace(report, model=told.to_json(), usage=told.model.to_json(), left=tuple(told.left))


def _read_by_model(
    read: Callable[[], Iterable[object]], reader: ModelReader, source: SourceBuild, naming: Naming
) -> Iterable[object]:
    """Records with what a model reads in them; what the base has so is not asked again."""
    from medweave.sources.extraction import build_key

    def known(record: Record) -> bool:
        return source.holds(record.document.id, build_key(record, naming))

    return reader.records(read(), known)


def plan(
    sources: Iterable[Path],
    store: StoreView,
    naming: Naming,
    *,
    mapping: Mapping | None = None,
    keep_personal_data: bool = False,
    model: str = "",
) -> BuildPlan:
    """What `build` would do with these sources, without doing it; `model` is the id of one."""
    from medweave.graph.builder import SourceBuild, plan_of
    from medweave.sources.extraction import build_key
    from medweave.sources.model_reading import read_by
    from medweave.sources.reading import read_records, source_files

    builds = []
    for path in source_files(list(sources), mapping):
        source = SourceBuild(path, store)
        read = partial(read_records, path, mapping, keep_personal_data=keep_personal_data)
        for task in source.tasks(read):
            source.foresee(task, lambda record: build_key(read_by(record, model), naming))
        builds.append(source)
    return plan_of(builds)


def model_plan(
    sources: Iterable[Path],
    store: StoreView,
    naming: Naming,
    kept: LanguageModel,
    *,
    mapping: Mapping | None = None,
) -> ModelPlan:
    """What `build` would ask a model of which `kept` has the replies, without asking it."""
    from medweave.graph.builder import SourceBuild
    from medweave.sources.extraction import build_key
    from medweave.sources.model_plan import planned
    from medweave.sources.model_reading import read_by
    from medweave.sources.reading import read_records, source_files

    def records() -> Iterator[object]:
        for path in source_files(list(sources), mapping):
            held = SourceBuild(path, store)
            for task in held.tasks(partial(read_records, path, mapping)):
                for record in task.records:
                    marked = read_by(record, kept.id)
                    if not held.holds(record.document.id, build_key(marked, naming)):
                        yield record

    return planned(records(), kept, naming)


def preview(
    path: Path, *, mapping: Mapping | None = None, vocabulary: Path | None = None
) -> Preview:
    """How a file would be read, without building anything: `medweave build --preview FILE`.

    `vocabulary` is a YAML file whose concepts and predicates are added.
    Raises `SourceError` where it cannot be read, `MappingError` where nothing can be guessed.
    """
    from medweave.graph.preview import ROWS, Preview
    from medweave.model.document import merged_by_reason
    from medweave.model.record import Record
    from medweave.sources.extraction import extract
    from medweave.sources.files.rows import Cut
    from medweave.sources.kinds import first_rows
    from medweave.sources.mapping.guess import guess_mapping, named_mapping
    from medweave.sources.mapping.sample import LOOK
    from medweave.sources.names import Naming
    from medweave.sources.reading import read_records
    from medweave.vocabulary.lexicon import shipped_lexicon
    from medweave.vocabulary.own_words import vocabulary_with

    words = vocabulary_with(vocabulary)
    guess = named_mapping(path, mapping) if mapping else guess_mapping(path, words)
    naming = Naming(words, shipped_lexicon())
    made: list[Extraction] = []
    skipped: list[Skipped] = []
    for record in read_records(path, guess.mapping, limit=LOOK):
        if isinstance(record, Record):
            made.append(extract(first_rows(record, ROWS), naming))
            skipped += made[-1].skipped
        else:
            skipped.append(record.skipped if isinstance(record, Cut) else record)
        if len(made) == ROWS:
            break
    return Preview(
        path=str(path),
        recognised=guess.recognised,
        mapping=guess.text,
        extractions=tuple(made),
        left_out=guess.left_out,
        skipped=tuple(merged_by_reason(skipped)),
        sure=guess.sure,
    )


def _lines(path: Path, progress: Progress) -> int:
    """How long a source is, where anybody watches; 0 where it cannot be read at all."""
    from medweave.sources.files.rows import line_count

    if progress is no_progress:
        return 0
    try:
        return line_count(path)
    except SourceError:
        return 0


def ask(
    text: str,
    knowledge: Knowledge,
    *,
    candidates: int = CANDIDATES,
    configuration: Configuration = CONFIGURATION,
    nearness: Nearness | None = None,
    vectors: SentenceVectors | None = None,
    history: Sequence[str] = (),
    beside_statements: Sequence[Contributor] = (),
) -> Answer:
    """Answer a question: understand it, let each contributor find and say what it has.

    `history` is what the person said before, oldest first: it counts as long as it is about the
    same person. `beside_statements` are past cases, guidelines, and what else a base has. A letter
    that asks for several persons is answered for each of them; in danger it is one answer, in which
    each question is held against what is told of its person.
    """
    text, *history = (evened(each).text for each in (text, *history))
    models = models_of(configuration)
    alone = cache(
        partial(understand, knowledge=knowledge, models=models, nearness=nearness, vectors=vectors)
    )
    answered = partial(
        _answered,
        alone=alone,
        knowledge=knowledge,
        candidates=candidates,
        configuration=configuration,
        beside_statements=beside_statements,
        vectors=vectors,
    )
    parts = _of_each(text, alone)
    if not parts or (whole := alone(text)).in_danger:
        return answered((of_one(text, alone),), history)
    if all(sign.how == "rule" for sign in whole.danger or ()):
        answered = partial(answered, alone=cache(partial(_by_rules_alone, alone=alone)))
    answers = [
        replace(answered(parts[: at + 1], history), who=part.who) for at, part in enumerate(parts)
    ]
    return replace(answers[0], others=tuple(answers[1:]))


def _of_each(text: str, alone: Understand) -> tuple[Part, ...]:
    """What is told and asked of each person; empty where one of them is only called "she" and has
    nothing: then it is somebody who was named."""
    parts = parts_of(text, language_of(text))
    lost = (p for p in parts if p.unnamed and not _tells(alone(p.text, about=p.about)))
    return () if any(lost) else parts


def of_one(text: str, alone: Understand) -> Part:
    """A text that asks for one alone. What it tells of others is held against nobody only where it
    tells something of that one, too: in doubt all of it counts."""
    part = whole_of(text, language_of(text))
    return part if part.about and _tells(alone(text, about=part.about)) else Part(text)


def _tells(question: Question) -> bool:
    """Whether anything is known of the person of a question."""
    patient = question.patient
    known = (patient.age_days, patient.pregnant, patient.breastfeeding, patient.weight_kg)
    return any(each is not None for each in known) or bool(
        patient.allergies or patient.drugs or patient.conditions
    )


def _by_rules_alone(
    text: str, *, alone: Understand, around: Around | None = None, about: About | None = None
) -> Question:
    """A part of a letter that as a whole is not like messages in danger."""
    question = alone(text, around=around, about=about)
    return replace(question, danger=tuple(s for s in question.danger or () if s.how == "rule"))


def _answered(
    parts: Sequence[Part],
    history: Sequence[str],
    *,
    alone: Understand,
    knowledge: Knowledge,
    candidates: int,
    configuration: Configuration,
    beside_statements: Sequence[Contributor],
    vectors: SentenceVectors | None,
) -> Answer:
    """The answer to the last of the parts of a text, each of another person."""
    clock = [perf_counter()]
    shown = partial(_shown, knowledge=knowledge, configuration=configuration)
    state = partial(QuestionState, knowledge=knowledge, candidates=candidates, vectors=vectors)
    before = partial(_conversation, history, alone, shown, parts[-1].about)
    wanted = partial(with_requested_lists, knowledge=knowledge)
    conversation = before()
    of_letter = len(parts) > 1
    read = [conversation.of(part.about).read(part.text, of_letter=of_letter) for part in parts]
    question = wanted(with_verdict_asked(read[-1]))
    asking: tuple[Question, ...] = ()
    if not (of_letter or question.as_written or question.in_danger):
        asking = several(read[-1], before, wanted)
    each: tuple[Question, ...] = (read[-1],)
    if question.in_danger and not (of_letter or question.as_written):
        persons = parts_of(parts[-1].text, question.language)
        each = each_person(persons, question, before) or each
    asides = {part.aside for part in asking}  # one answer has one
    letter = questions_of_letter(each, before, wanted, joined=bool(asking) and len(asides) == 1)
    linked: tuple[LetterPart, ...] = ()
    if not (of_letter or question.as_written or question.in_danger):
        linked = compound_parts(question, before, wanted, alone, knowledge)
    if len(linked) == 1:
        question, asking, letter = linked[0].question, (), ()
    elif linked:
        letter = linked
    clock.append(perf_counter())
    said = partial(
        _said,
        contributors=(Statements(configuration), *beside_statements),
        configuration=configuration,
    )
    asked = state(joined(question, asking), parts=asking)
    if letter:
        asked = state(held_together(question))
    answer = said(asked, clock=clock)

    def answers_to(questions: Iterable[Question]) -> list[Answer]:
        return [said(state(one), clock=[]) for one in questions]

    text = read[-1].text
    answers = answers_to(part.question for part in letter) if not question.helps_first else []
    short = (
        not linked
        and len(answers) == _FEW
        and not is_letter(text, pieces_of(text, question.language))
    )
    if short and not any(map(tells_something, answers)):  # better read as one
        letter, asked = (), state(joined(question, asking))
        answer = said(asked, clock=[])
    if letter:
        of_each = answers_to(map(held_together, each)) if len(each) > 1 else [answer]
        spans = [(part.start, part.end) for part in letter]
        answer = replace(answer, not_understood=told_unread(answer.not_understood, spans))
        answer = held_for_each(answer, of_each)
        if answers:
            answer = in_parts(answer, [part.heading for part in letter], answers)
        answer = replace(answer, question=joined(question, asking))
    clock.append(perf_counter())
    return replace(answer, timing=_timing(clock, asked.retrieved))


def _said(
    asked: QuestionState,
    *,
    contributors: Sequence[Contributor],
    configuration: Configuration,
    clock: list[float],
) -> Answer:
    """What contributors find on a question, and say."""
    for contributor in contributors:
        contributor.find(asked)
    clock.append(perf_counter())
    draft = Draft(Wording(asked.question.language, asked.knowledge))
    for contributor in contributors:
        contributor.say(draft, asked)
    tell_the_rest(draft, asked)
    answer = finished(
        asked.question,
        draft,
        belief,
        candidates=asked.candidates,
        emergency=configuration.emergency,
        crisis=configuration.crisis,
    )
    answer = with_steps(answer, draft, asked.material, asked.graph, asked.fed)
    if asked.graph is None and len(answer.steps) == 1:
        around = around_question(asked.question, asked.material, asked.knowledge)
        answer = answer if around is None else with_subgraph(answer, around)
    return answer


def _conversation(
    history: Sequence[str],
    alone: Understand,
    shown: Callable[[Question], Sequence[str]],
    about: About | None,
) -> Conversation:
    """What was said before; what follows is `about` one person, where a letter tells of several."""
    conversation = Conversation(alone, shown)
    for turn in history:
        conversation.read(turn)
    return conversation.of(about)


def _shown(
    question: Question, *, knowledge: Knowledge, configuration: Configuration
) -> Sequence[str]:
    """What the statements of a base list in answer to a question, in the order it is shown."""
    asked = QuestionState(with_requested_lists(question, knowledge), knowledge, CANDIDATES)
    statements, draft = Statements(configuration), Draft(Wording(question.language, knowledge))
    statements.find(asked)
    statements.say(draft, asked)
    return listed_names(draft)


def message(
    text: str,
    knowledge: Knowledge,
    *,
    configuration: Configuration = CONFIGURATION,
    model: LanguageModel | None = None,
) -> Message:
    """What a message says, by the sections of the template, and what it asks for (equation 8).

    It is read as a dialogue's patient is: by rules, and by a language model where there is one, to
    which it goes with personal data masked. A transcript ("Patient: … Doctor: …") is read turn by
    turn. Where the model fails, `missing` says so. Raises `QuestionError`.
    """
    by_rules = message_by_rules(understand(text, knowledge, models=models_of(configuration)))
    return _message_by_model(by_rules, model) if model else by_rules


def message_by_rules(question: Question) -> Message:
    """What a message says by the sections of the template, read by rules."""
    from medweave.model.dialogue import Turn
    from medweave.retrieval.dialogues.cases import message_of
    from medweave.sources.dialogues.sections import parse_sections
    from medweave.sources.dialogues.transcripts import is_transcript, turns_in
    from medweave.vocabulary.dialogue_template import shipped_template

    turns: tuple[Turn, ...] = (Turn(1, "patient", question.text),)
    if is_transcript(question.text):
        said = [said for said in turns_in(question.text) if said.text]
        turns = tuple(Turn(n, one.speaker, one.text) for n, one in enumerate(said, 1))
    sections = parse_sections(turns, shipped_template())
    return message_of(question, {section.name: section.text for section in sections})


def _message_by_model(by_rules: Message, model: LanguageModel) -> Message:
    """What a model finds in a message, in place of what rules do where it finds anything."""
    from medweave.model.configuration import OUR_INTENTS
    from medweave.sources.dialogues.masking import Masking
    from medweave.sources.dialogues.prompts import message_prompt, message_sections
    from medweave.vocabulary.dialogue_template import shipped_template

    template = shipped_template()
    masked = Masking([by_rules.text]).masked(by_rules.text)
    try:
        reply = model.fill(message_prompt(masked, template, sorted(OUR_INTENTS))).content
    except LanguageModelError as error:
        return replace(by_rules, missing=(f"the message was read by rules, as {error}",))
    return replace(
        by_rules,
        sections=message_sections(reply, masked, template) or by_rules.sections,
        intents=tuple(dict.fromkeys(reply["intents"])) or by_rules.intents,
    )


def classify(
    record: dict[str, Any],
    reader: CaseReader,
    *,
    order: str = "best",
    language: str = "",
    knowledge: Callable[[], Knowledge] | None = None,
) -> tuple[Assessment, str]:
    """What a guideline says of a record of findings, and in which language it is worded.

    That is the language of the record's text unless another is asked for. `order` is how the next
    question is chosen: `best`, or as the `form` has it. With the `knowledge` of a base, the
    drugs of the treatments are held against what is told of the child. Raises `FindingsError`.
    """
    from medweave.guideline.findings_json import findings_of, whole_record
    from medweave.guideline.wording import Words
    from medweave.language.segmentation import language_of

    found = findings_of(whole_record(record))
    spoken = language or (language_of(found.text) if found.text.strip() else "en")
    told = Words(reader.graph, spoken).told(reader.assess(found, order=order))
    if knowledge and any(row.drug for row in told.treatments):
        told = replace(told, safety=stops_of_child(told, found, knowledge()))
    return told, spoken


def stops_of_child(told: Assessment, found: Findings, knowledge: Knowledge) -> Answer | None:
    """What stops drugs of the treatments for a child, as the same facts would in a question."""
    from medweave.contributors.guidelines import drugs_of, drugs_put_on
    from medweave.contributors.named_drugs import stops_of

    text = " ".join((found.text, *(f"Allergic to {name}." for name in found.allergies))).strip()
    question = understand(text or "child", knowledge)
    patient = replace(
        question.patient,
        sex=found.sex or question.patient.sex,
        weight_kg=found.weight_kg or question.patient.weight_kg,
    )
    if found.age_days is not None:
        patient = replace(patient, age_days=found.age_days, age_max_days=found.age_days)
    rows, question = told.treatments, replace(question, patient=patient)
    return stops_of(drugs_of(rows), question, knowledge, local=drugs_put_on(rows))


def _timing(clock: list[float], retrieved: float) -> dict[str, float]:
    """Milliseconds of each step, and of all; contributors retrieve before they infer."""
    understood, found = clock[1], max(retrieved, clock[1])
    ends = (("understand", clock[0], understood), ("retrieve", understood, found),
            ("infer", found, clock[2]), ("answer", clock[2], clock[3]),
            ("total", clock[0], clock[3]))  # fmt: skip
    return {step: round((end - start) * 1000, 3) for step, start, end in ends}
