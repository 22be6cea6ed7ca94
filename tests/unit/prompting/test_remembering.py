"""What a model replied once is not asked again."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path
from typing import Any

from medweave.model.json_schema import TEXT, object_schema
from medweave.model.prompt import ChatMessage, Prompt, Usage
from medweave.prompting.reply_cache import RememberingModel
from medweave.testing.model_conformance import all_of
from medweave.testing.scripted_model import ScriptedModel

PROMPT = Prompt("Repeat.", "cough", object_schema({"text": TEXT}))


def scripted(name: str = "scripted:a") -> ScriptedModel:
    return ScriptedModel(lambda prompt: {"text": prompt.material}, name)


def test_a_second_time_it_costs_nothing(tmp_path: Path) -> None:
    first, second = scripted(), scripted()
    made = RememberingModel(first, tmp_path).fill(PROMPT)
    again = RememberingModel(second, tmp_path).fill(PROMPT)
    assert (made.content, made.usage.requests) == (again.content, 1)
    assert (again.usage, second.seen) == (Usage(cached=1), [])


def test_another_model_or_prompt_is_asked(tmp_path: Path) -> None:
    RememberingModel(scripted(), tmp_path).fill(PROMPT)
    other, changed = scripted("scripted:b"), scripted()
    RememberingModel(other, tmp_path).fill(PROMPT)
    RememberingModel(changed, tmp_path).fill(Prompt("Say.", "cough", PROMPT.schema))
    assert len(other.seen) == len(changed.seen) == 1


def test_words_are_remembered_too_and_what_was_said_before_counts(tmp_path: Path) -> None:
    prompt = Prompt("Say.", "rest in bed")
    later = Prompt("Say.", "rest in bed", history=(ChatMessage("user", "I cough."),))
    first, second = talking(), talking()
    pieces, usage = all_of(RememberingModel(first, tmp_path).say(prompt))
    assert (pieces, usage.requests) == (["rest ", "in ", "bed"], 1)
    assert all_of(RememberingModel(second, tmp_path).say(prompt)) == (
        ["rest in bed"],
        Usage(cached=1),
    )
    assert second.seen == []
    all_of(RememberingModel(second, tmp_path).say(later))
    assert second.seen == [later]


def test_words_that_broke_off_are_not_remembered(tmp_path: Path) -> None:
    prompt = Prompt("Say.", "rest in bed")
    with closing(RememberingModel(talking(), tmp_path).say(prompt)) as said:
        assert next(said) == "rest "
    again = talking()
    assert "".join(all_of(RememberingModel(again, tmp_path).say(prompt))[0]) == "rest in bed"
    assert len(again.seen) == 1


def talking() -> ScriptedModel:
    return ScriptedModel(lambda prompt: prompt.material)


def test_what_is_broken_is_asked_again(tmp_path: Path) -> None:
    RememberingModel(scripted(), tmp_path).fill(PROMPT)
    kept: Any = next(tmp_path.glob("*.json"))
    for broken in ("{", json.dumps({"other": 1}), ""):
        kept.write_text(broken, "utf-8")
        model = scripted()
        assert RememberingModel(model, tmp_path).fill(PROMPT).content == {"text": "cough"}
        assert len(model.seen) == 1


def test_only_their_owner_reads_replies(tmp_path: Path) -> None:
    folder = tmp_path / "replies"
    RememberingModel(scripted(), folder).fill(PROMPT)
    assert folder.stat().st_mode & 0o077 == 0
    assert next(folder.glob("*.json")).stat().st_mode & 0o077 == 0


def test_where_nothing_can_be_kept_it_still_replies(tmp_path: Path) -> None:
    taken = tmp_path / "file"
    taken.write_text("", "utf-8")
    assert RememberingModel(scripted(), taken).fill(PROMPT).content == {"text": "cough"}
