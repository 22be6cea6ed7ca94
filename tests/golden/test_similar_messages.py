"""The Chinese messages that `similar` is measured with are well made."""

from __future__ import annotations

import re
from pathlib import Path

from medweave.evaluation.data.message_file import read_messages

GOLD = Path(__file__).parents[2] / "gold"


def test_forty_chinese_messages_name_sample_dialogues() -> None:
    messages = read_messages(GOLD / "similar_zh.jsonl")
    assert len(messages) == len({one.text for one in messages}) == 40
    named = {name for one in messages for name in one.grades}
    assert named == {f"zh-{number:03}" for number in range(1, 31)}
    assert all(re.search("[\u4e00-\u9fff]", one.text) for one in messages)
