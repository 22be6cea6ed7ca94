"""What a model may use of medweave, as tools with typed arguments; none of them writes.

Each gives the JSON form of the command of its name, and the same for reading: danger and stops
first, sources last.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from io import StringIO
from typing import TYPE_CHECKING, Annotated, Any, Protocol

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from medweave.answering.compose import CANDIDATES
from medweave.errors import NotFoundError, QuestionError
from medweave.faces.texts.markdown import answer_markdown
from medweave.knowledge_base import KnowledgeBase
from medweave.model.assessment import STANDS
from medweave.model.triple_query import read_triples

if TYPE_CHECKING:
    from rich.console import Console

    from medweave.model.assessment import Assessment


class Reach(Protocol):
    """What tools may reach: `NotFoundError` for what they may not. Who keeps a record is told."""

    def base(self, name: str) -> KnowledgeBase:
        """A base by its name, '' for the default one."""
        ...

    def guideline(self, name: str) -> str:
        """What the default base knows a guideline by. A name from outside never opens a file."""
        ...

    def tell(self, kind: str, kb: str, asked: dict[str, Any], form: dict[str, Any]) -> None:
        """An answer or an assessment was given."""
        ...


_WIDTH = 100
_LONGEST = 20_000
Text = Annotated[str, Field(min_length=1, max_length=_LONGEST)]
Few = Annotated[int, Field(ge=1, le=100)]
Kb = Annotated[str, Field(description="The base by name; the default one where left out.")]
GuidelineName = Annotated[str, Field(description="sample, or id@version of one in the base.")]


class _Arguments(BaseModel):
    model_config = ConfigDict(extra="forbid")


class AskArguments(_Arguments):
    """A question to answer."""

    question: Annotated[Text, Field(description="In English or Chinese, in the person's words.")]
    kb: Kb = ""
    k: Annotated[Few, Field(description="So many candidates at most.")] = CANDIDATES


class LikeIt(_Arguments):
    """A message whose like is looked for."""

    text: Text
    k: Few = 3


class Named(_Arguments):
    """A thing by name or identifier."""

    name: Text


class Ends(_Arguments):
    """Two things by name or identifier."""

    start: Text
    end: Text


class Child(_Arguments):
    """A child, for a guideline."""

    guideline: GuidelineName = "sample"
    age_days: Annotated[float | None, Field(ge=0)] = None
    weight_kg: Annotated[float | None, Field(gt=0)] = None
    sex: Annotated[str, Field(description="female or male")] = ""
    findings: Annotated[
        dict[str, Any], Field(description="By observation: true, false, a number, an answer's id.")
    ] = {}
    text: Annotated[str, Field(max_length=_LONGEST, description="Findings in free text.")] = ""

    def record(self) -> dict[str, Any]:
        """A line of `classify --findings`."""
        form = self.model_dump(exclude={"guideline"}, exclude_defaults=True)
        if "age_days" in form:
            form["age_days"] = int(form["age_days"])
        return form


class Claimed(_Arguments):
    """A text to hold against the base."""

    text: Text


class Triples(_Arguments):
    """Triples with unknown parts, which must all hold."""

    triples: Annotated[
        list[Annotated[list[str], Field(min_length=3, max_length=3)]],
        Field(min_length=1, max_length=10, description='Such as [["?", "has_symptom", "cough"]].'),
    ]
    limit: Annotated[int, Field(ge=1, le=1000)] = 100


ToolReply = tuple[dict[str, Any], str]
"""The JSON form, and the same for reading."""


@dataclass(frozen=True, slots=True)
class Tool:
    """Something that can be asked for by name."""

    name: str
    about: str
    arguments: type[_Arguments]
    use: Callable[[Reach, Any], ToolReply]

    @property
    def schema(self) -> dict[str, Any]:
        """The JSON schema of its arguments."""
        return self.arguments.model_json_schema()

    def __call__(self, reach: Reach, arguments: dict[str, Any]) -> ToolReply:
        """Use it; `QuestionError` where an argument is not what it should be."""
        try:
            read = self.arguments.model_validate(arguments)
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            where = ".".join(map(str, first["loc"])) or self.name
            raise QuestionError(
                f"this argument is not right: {first['msg']}", where=where,
                remedy=f"see the schema of {self.name}",
            ) from error  # fmt: skip
        return self.use(reach, read)


def _ask(reach: Reach, asked: AskArguments) -> ToolReply:
    answer = reach.base(asked.kb).ask(asked.question, candidates=asked.k)
    form = answer.to_json()
    reach.tell("answer", asked.kb, {"question": asked.question, "k": asked.k}, form)
    return form, answer_markdown(answer, "numbers")


def _similar(reach: Reach, like: LikeIt) -> ToolReply:
    from medweave.faces.terminal.similar import print_similar

    found = reach.base("").similar(like.text, like.k)
    return found.to_json(), _printed(lambda console: print_similar(found, console))


def _entity(reach: Reach, named: Named) -> ToolReply:
    from medweave.faces.terminal.card import print_named

    base = reach.base("")
    form = base.show(named.name).to_json()
    return form, _printed(lambda console: print_named(base, named.name, console))


def _path(reach: Reach, ends: Ends) -> ToolReply:
    form = reach.base("").paths(ends.start, ends.end).to_json()
    lines = ["; ".join(map(_in_words, path)) for path in form["paths"]]
    return form, "\n".join(lines) or "No path joins them in this base."


def _in_words(statement: dict[str, Any]) -> str:
    ends = [statement[side] for side in ("subject", "object")]
    subject, known = (e["name"] if isinstance(e, dict) and "name" in e else str(e) for e in ends)
    return f"{subject} {statement['predicate']} {known}"


def _classified(reach: Reach, child: Child) -> Assessment:
    record = child.record()
    found = reach.base("").classify(record, guideline=reach.guideline(child.guideline))
    reach.tell("assessment", "", {"guideline": child.guideline, **record}, found.to_json())
    return found


def _classify(reach: Reach, child: Child) -> ToolReply:
    from medweave.faces.terminal.assessment import print_assessment

    found = _classified(reach, child)
    return found.to_json(), _printed(lambda console: print_assessment(found, console, "en"))


def _assess(reach: Reach, child: Child) -> ToolReply:
    found = _classified(reach, child)
    stands = [each for each in found.classifications if each.status in STANDS]
    asked = found.next_question
    form = {
        "next_question": asked.to_json() if asked else None,
        "stands": [each.to_json() for each in stands],
        "danger": [each.to_json() for each in found.danger or ()],
    }
    lines = [f"{each.text} {each.advice}".strip() for each in found.danger or ()]
    lines += [f"{each.label} ({each.status}): {each.why}" for each in stands]
    lines += [f"Ask next: {asked.text} ({asked.why})" if asked else "Nothing is left to ask."]
    return form, "\n".join(lines)


def _verify(reach: Reach, claimed: Claimed) -> ToolReply:
    from medweave.faces.terminal.claims import print_claims

    found = reach.base("").verify(claimed.text)
    return found.to_json(), _printed(lambda console: print_claims(found, console))


def _query(reach: Reach, asked: Triples) -> ToolReply:
    from medweave.faces.terminal.triples import print_triples

    triples = read_triples(json.dumps(asked.triples))
    found = reach.base("").query(triples, limit=asked.limit)
    return found.to_json(), _printed(lambda console: print_triples(found, console))


TOOLS = (
    Tool(
        "ask",
        "Answer a question about diseases, drugs or a sick child, each sentence with its evidence; "
        "danger signs and what stops a drug for this person come first and must be told.",
        AskArguments, _ask,
    ),
    Tool("similar", "Find past dialogues between patients and doctors like a message.",
         LikeIt, _similar),
    Tool("entity", "A disease, drug or finding with all that is recorded of it.", Named, _entity),
    Tool("path", "How two things are joined by recorded statements.", Ends, _path),
    Tool("classify", "Classify a sick child by a guideline: what stands, what is possible, "
         "treatments with doses.", Child, _classify),
    Tool("assess", "What to ask next of a sick child, what stands so far, and danger signs.",
         Child, _assess),
    Tool("verify", "Hold what a text claims against the base: what it says so, denies, or is "
         "silent on. Use it on a draft before it is told.", Claimed, _verify),
    Tool("query", "Find what fits triples with unknown parts.", Triples, _query),
)  # fmt: skip


def tool_named(name: str) -> Tool:
    """A tool; `NotFoundError` where there is none of this name."""
    for tool in TOOLS:
        if tool.name == name:
            return tool
    raise NotFoundError(
        f"there is no tool '{name}'", remedy=f"one of {', '.join(t.name for t in TOOLS)}"
    )


def _printed(show: Callable[[Console], object]) -> str:
    """What a terminal would show, without its colours."""
    from medweave.faces.terminal.screen import Screen

    text = StringIO()
    show(Screen(file=text, width=_WIDTH, highlight=False, soft_wrap=True, force_terminal=False))
    return text.getvalue().rstrip()
