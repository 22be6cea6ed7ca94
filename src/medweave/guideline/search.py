"""What a guideline says to a question in free text: found by words and meaning, decided by logic.

Observations that share words with the text (or meaning, where there are vectors) lead through logic
groups to classifications; the logic then says which of these stand, which stay possible and which
are dropped, and why. Nothing is told of a classification that was not found, and everything that is
told names its rule.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence

from medweave.guideline.case_reader import CaseReader
from medweave.guideline.lead import awaiting_signs
from medweave.guideline.wording import Words, answer_in_words
from medweave.language.segmentation import language_of
from medweave.model.assessment import (
    STANDS,
    Assessment,
    ClassificationResult,
    UnderstoodFinding,
)
from medweave.model.findings import Findings
from medweave.model.guideline import SEVERITIES, Observation
from medweave.model.guideline_answer import (
    Claim,
    FoundClassification,
    FoundObservation,
    GuidelineAnswer,
)
from medweave.understanding.case.words import case_words, content

Nearness = Callable[[str, Sequence[str]], Sequence[float]]
SEEDS = 5
"""So many observations are taken by words, and as many by meaning."""
_FUSED = 60
_NEAR = 0.3
"""Texts with a smaller cosine have nothing to do with each other."""
_NAMED = 3
_ORDER = {"confirmed": 0, "provisional": 1, "possible": 2, "excluded": 3, "not_applicable": 4}


def search_observations(
    text: str,
    observations: Iterable[Observation],
    *,
    nearness: Nearness | None = None,
) -> tuple[FoundObservation, ...]:
    """The observations that a text has most to do with: `SEEDS` by words and, fused with them by
    their ranks, as many by meaning. Words count the more, the fewer observations have them.

    >>> found = search_observations("the PCR result", [Observation("pcr", "HIV PCR")])
    >>> [(each.observation, each.how) for each in found]
    [('pcr', 'words')]
    """
    every = [each for each in observations if each.kind not in ("text", "date")]
    by_words = _by_words(text, every)[:SEEDS]
    by_meaning = _by_meaning(text, every, nearness)[:SEEDS]
    fused: dict[str, float] = {}
    for ranked in (by_words, by_meaning):
        for rank, found in enumerate(ranked):
            score = 1 / (_FUSED + rank)
            fused[found.observation] = fused.get(found.observation, 0.0) + score
    held = {each.observation: each for each in (*by_meaning, *by_words)}
    order = sorted(fused, key=lambda name: (-fused[name], name))
    return tuple(held[name] for name in order)


def _by_words(text: str, observations: list[Observation]) -> list[FoundObservation]:
    stems = set(content(case_words(text)))
    named = {
        each.id: [set(content(case_words(name))) for name in (each.label, *each.aliases)]
        for each in observations
    }
    often: dict[str, int] = {}
    for ways in named.values():
        for stem in set().union(*ways):
            often[stem] = often.get(stem, 0) + 1
    weight = {stem: math.log(1 + len(named) / count) for stem, count in often.items()}
    found = []
    for each in observations:
        score = max((_share(way, stems, weight) for way in named[each.id] if way), default=0.0)
        if score > 0:
            found.append(FoundObservation(each.id, each.label, "words", score))
    return sorted(found, key=lambda one: (-one.score, one.observation))


def _share(name: set[str], stems: set[str], weight: Mapping[str, float]) -> float:
    """What a text and a name have in common, and how much of the name that is."""
    common = sum(weight[stem] for stem in name & stems)
    return common * common / sum(weight[stem] for stem in name)


def _by_meaning(
    text: str, observations: list[Observation], nearness: Nearness | None
) -> list[FoundObservation]:
    near = nearness(text, [each.label for each in observations]) if nearness else ()
    found = [
        FoundObservation(each.id, each.label, "meaning", cosine)
        for each, cosine in zip(observations, near, strict=False)
        if cosine >= _NEAR
    ]
    return sorted(found, key=lambda one: (-one.score, one.observation))


def answer_case(
    text: str,
    reader: CaseReader,
    *,
    nearness: Nearness | None = None,
    unasked: Sequence[str] = (),
) -> GuidelineAnswer:
    """What a guideline says to a text: understood, searched, decided by logic, and told.

    `unasked` are danger signs for which everything that is not severe waits.
    Raises `FindingsError` for findings that cannot be.
    """
    guideline = reader.graph.guideline
    words = Words(reader.graph, language_of(text))
    assessment = awaiting_signs(words.told(reader.assess(Findings(text=text))), unasked, words)
    understood = assessment.understood or ()
    seeds = _with_understood(
        understood,
        search_observations(text, guideline.observations, nearness=nearness),
        reader,
    )
    results = _results(assessment, reader, seeds)
    claims = _claims(results, assessment, reader, language_of(text))
    return GuidelineAnswer(_explanation(understood, results, reader), claims, results, assessment)


def _with_understood(
    understood: tuple[UnderstoodFinding, ...],
    searched: tuple[FoundObservation, ...],
    reader: CaseReader,
) -> tuple[FoundObservation, ...]:
    """What the text says comes first; what only looks like it, behind."""
    reported = {
        each.observation: FoundObservation(
            each.observation,
            reader.graph.observations[each.observation].label,
            "understood",
            1.0,
            each.text,
        )
        for each in understood
    }
    return (*reported.values(), *(each for each in searched if each.observation not in reported))


def _results(
    assessment: Assessment,
    reader: CaseReader,
    seeds: tuple[FoundObservation, ...],
) -> tuple[FoundClassification, ...]:
    """The classifications whose rules include what was found: those kept first, then those most
    have led to."""
    found = []
    for each, result in zip(
        reader.graph.guideline.classifications, assessment.classifications, strict=True
    ):
        by = tuple(seed for seed in seeds if seed.observation in reader.included[each.id])
        if by:
            retained, reason = _decided(result, by)
            found.append(FoundClassification(result, each.source, by, retained, reason))
    return tuple(
        sorted(found, key=lambda one: (not one.kept, -_stated(one), -len(one.observations)))
    )


def _stated(found: FoundClassification) -> int:
    return sum(each.how == "understood" for each in found.observations)


def _decided(result: ClassificationResult, by: tuple[FoundObservation, ...]) -> tuple[bool, str]:
    """Whether logic keeps a classification, and why."""
    matched = ", ".join(each.label for each in by[:_NAMED])
    if result.status in STANDS:
        return True, result.why
    if result.status in ("excluded", "not_applicable"):
        return False, f"matched on {matched}; dropped, because it is {_shown(result)}: {result.why}"
    if any(each.how == "understood" for each in by):
        return True, result.why
    return False, f"matched on {matched}; dropped, because the text says nothing that it rests on"


def _shown(result: ClassificationResult) -> str:
    return result.status.replace("_", " ")


def _claims(
    results: tuple[FoundClassification, ...],
    assessment: Assessment,
    reader: CaseReader,
    language: str,
) -> tuple[Claim, ...]:
    """What is told: what stands, with what to do; what else its condition may be; each by its rule.

    Where nothing stands, what the text says most of is told to be possible; of what it says as
    much of, that which needs the fewest answers more.
    """
    retained = sorted(
        (each for each in results if each.kept),
        key=lambda one: (_ORDER[one.result.status], SEVERITIES.index(one.result.severity)),
    )
    standing = [each for each in retained if each.result.status in STANDS]
    touched = {each.result.condition for each in standing}
    open_ = [each for each in retained if each.result.status == "possible"]
    if standing:
        open_ = [each for each in open_ if each.result.condition in touched]
    else:
        # that something is unlikely, or mild, is nothing to find out first
        open_ = [each for each in open_ if each.result.severity in ("severe", "moderate")]
        open_ = sorted(open_, key=lambda one: (-_stated(one), len(one.result.missing)))[:_NAMED]
    words = Words(reader.graph, language)
    claims = [
        Claim(_standing(each.result, assessment, words), each.result.id, each.source)
        for each in standing
    ]
    claims += [
        Claim(
            words.say(
                "possible",
                label=words.classification(each.result.id),
                missing=words.observations(each.result.missing),
            ),
            each.result.id,
            each.source,
        )
        for each in open_
    ]
    return tuple(claims)


def _standing(result: ClassificationResult, assessment: Assessment, words: Words) -> str:
    label = words.classification(result.id)
    text = words.say(result.status, label=label, why=result.why)
    steps = [
        words.say("only_if", step=words(row.label), missing=words.observations(row.missing))
        if row.missing
        else words(row.label)
        for row in assessment.treatments
        if row.classification == result.id
    ]
    return text + (words.say("to_do", steps=words.steps(dict.fromkeys(steps))) if steps else "")


def _explanation(
    understood: tuple[UnderstoodFinding, ...],
    results: tuple[FoundClassification, ...],
    reader: CaseReader,
) -> str:
    """What was understood, and what was found and dropped."""
    observations = reader.graph.observations
    listed = [
        f"{observations[each.observation].label}: "
        f"{answer_in_words(each, reader.graph)} ('{each.text}')"
        for each in understood
    ]
    sentences = (
        [f"Understood: {'; '.join(listed)}."]
        if listed
        else ["The text names nothing that is asked."]
    )
    dropped = [each for each in results if not each.kept]
    sentences += [f"{each.result.label}: {each.reason}." for each in dropped[:_NAMED]]
    if len(dropped) > _NAMED:
        sentences.append(f"{len(dropped) - _NAMED} more were found and dropped.")
    return " ".join(sentences)
