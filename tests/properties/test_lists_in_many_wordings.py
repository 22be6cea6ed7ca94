"""One person and one complaint in many wordings: always the list of what there is, and the stop."""

from __future__ import annotations

import pytest

from medweave.knowledge_base import KnowledgeBase

STOPPED = ("stopped", "with_care")
ON_WARFARIN = (
    "grandad on warfarin, a headache - what's ok?",
    "wife on warfarin. A headache. Options?",
    "a headache in a patient on warfarin: what can be given?",
    "what can my daughter have for a headache? she's on warfarin",
    "my grandad takes warfarin and now has a headache, what should he take?",
    "My wife has been on warfarin for years. She now has a headache. What would be safe for her?",
    "need something for a headache, I take warfarin",
    "I take warfarin. Got a headache. What do you suggest?",
    "I've got a headache but I'm on warfarin, help!",
    "a headache + warfarin: which treatment",
    "pt on warfarin c/o a headache. Rx?",
    "warfarin user with a headache, which drug would you choose",
    "What are the treatment options for a headache in someone taking warfarin?",
    "Which medicines for a headache can be combined with warfarin?",
    "is there anything for a headache that doesn't interact with warfarin",
    "anything for a headache that goes with warfarin?",
    "what would you give somebody with a headache who's already taking warfarin?",
    "Treatment of a headache while on warfarin",
    "How should a headache be treated in a patient who takes warfarin?",
    "how do I treat my a headache, I'm on warfarin",
    "what helps a headache when you take warfarin",
    "because I'm taking warfarin I don't know what I may use for a headache",
    "doc put me on warfarin last week, today a headache started. what can i take??",
    "A headache. Currently taking warfarin. Please advise on medication.",
    "Could you tell me what I could take for a headache? I should mention that I am on warfarin.",
    "my wife (warfarin) complains of a headache, what to prescribe",
    "Being on warfarin, what are my choices for a headache?",
    "Suggest a drug for a headache; the patient is on warfarin.",
    "can't decide what to take for a headache. on warfarin daily",
    "what's the best thing for a headache if I use warfarin",
    "what about a headache? I am taking warfarin",
    "I was prescribed warfarin and want to treat a headache as well",
    "whats good for a headache, am on warfarin",
    "List drugs for a headache that are safe with warfarin",
    "Hi, I take warfarin every morning and have had a headache since yesterday. What can I buy?",
    "what do i do about a headache when i am on warfarin",
    "what do people on warfarin take for a headache?",
    "which headache drugs can be taken with warfarin?",
    "headache meds ok with warfarin?",
    "warfarin and a headache - what are the alternatives?",
)
WITH_AN_ULCER = (
    "grandad, a peptic ulcer, migraine - what's ok?",
    "wife with a peptic ulcer. Migraine. Options?",
    "migraine in a patient with a peptic ulcer: what can be given?",
    "what can my daughter have for migraine? she has a peptic ulcer",
    "my grandad has a peptic ulcer and now migraine, what should he take?",
    "My wife has had a peptic ulcer for years. She now has migraine. What would be safe for her?",
    "need something for migraine, I have a peptic ulcer",
    "I have a peptic ulcer. Got migraine. What do you suggest?",
    "I've got migraine but I have a peptic ulcer, help!",
    "pt with a peptic ulcer c/o migraine. Rx?",
    "What are the treatment options for migraine in someone with a peptic ulcer?",
    "Which medicines for migraine can be used in a peptic ulcer?",
    "How should migraine be treated in a patient who has a peptic ulcer?",
    "how do I treat my migraine, I have a peptic ulcer",
    "what helps migraine when you have a peptic ulcer",
    "because of my peptic ulcer I don't know what I may use for migraine",
    "Suggest a drug for migraine; the patient has a peptic ulcer.",
    "what's the best thing for migraine if I've got a peptic ulcer",
    "whats good for migraine, have a peptic ulcer",
    "List drugs for migraine that are safe in a peptic ulcer",
    "Hi, I have a peptic ulcer and have had migraine since yesterday. What can I buy?",
    "what do people with a peptic ulcer take for migraine?",
    "which migraine drugs can be taken in a peptic ulcer?",
    "migraine meds ok in a peptic ulcer?",
    "can you recommend a medicine against migraine for somebody suffering from a peptic ulcer",
    "PMH a peptic ulcer. Presents with migraine. Drug choice?",
    "my neighbour is down with migraine. He suffers from a peptic ulcer. which drug is suitable",
    "Is there a migraine medicine that people with a peptic ulcer can take?",
    "Given my peptic ulcer, what could I use against migraine?",
    "As someone living with a peptic ulcer, what are my options for migraine?",
)
A_PAINKILLER_ON_WARFARIN = (
    "which painkiller can my grandad have? he's on warfarin",
    "painkiller for someone on warfarin?",
    "which painkiller is safe with warfarin",
    "on warfarin, need a painkiller",
    "I take warfarin. Which painkiller can I buy?",
    "my wife takes warfarin, what painkiller is ok for her",
    "is there a painkiller that doesn't interact with warfarin?",
    "what painkiller goes with warfarin",
    "pt on warfarin, needs painkiller, which one?",
    "can you recommend a painkiller? I'm on warfarin",
    "I need a painkiller but am taking warfarin",
    "are there any painkillers I can take with warfarin?",
    "looking for a painkiller for my grandad who is on warfarin",
    "any painkiller ok while taking warfarin?",
    "what's the safest painkiller if you're on warfarin?",
    "list the painkillers that are safe with warfarin",
    "My grandad needs a painkiller. He has been taking warfarin for years. Suggestions?",
    "can I take a painkiller with warfarin?",
    "painkiller safe on warfarin?",
)
A_PAINKILLER_WITH_AN_ULCER = (
    "which painkiller can my grandad have? he has a peptic ulcer",
    "painkiller for someone with a peptic ulcer?",
    "which painkiller is safe in a peptic ulcer",
    "a peptic ulcer, need a painkiller",
    "I have a peptic ulcer. Which painkiller can I buy?",
    "my wife has a peptic ulcer, what painkiller is ok for her",
    "pt with a peptic ulcer, needs painkiller, which one?",
    "can you recommend a painkiller? I've got a peptic ulcer",
    "I need a painkiller but have a peptic ulcer",
    "are there any painkillers I can take with a peptic ulcer?",
    "looking for a painkiller for my neighbour who has a peptic ulcer",
    "any painkiller ok in a peptic ulcer?",
    "what's the safest painkiller if you have a peptic ulcer?",
    "list the painkillers that are safe in a peptic ulcer",
    "My neighbour needs a painkiller. He has had a peptic ulcer for years. Suggestions?",
    "can I take a painkiller with a peptic ulcer?",
    "as a person with a peptic ulcer, which painkiller may I take",
    "painkiller safe in a peptic ulcer?",
)


@pytest.mark.parametrize("text", [*ON_WARFARIN, *A_PAINKILLER_ON_WARFARIN])
def test_whoever_takes_warfarin_is_not_offered_aspirin(base: KnowledgeBase, text: str) -> None:
    assert "aspirin" in _held_back(base, text)


@pytest.mark.parametrize("text", [*WITH_AN_ULCER, *A_PAINKILLER_WITH_AN_ULCER])
def test_whoever_has_an_ulcer_is_not_offered_ibuprofen(base: KnowledgeBase, text: str) -> None:
    assert "ibuprofen" in _held_back(base, text)


def _held_back(base: KnowledgeBase, text: str) -> set[str]:
    """The drugs of the lists of an answer that are stopped, or need care."""
    return {
        drug.entity.name("en")
        for listed in base.ask(text).drugs
        for group in listed.groups
        if group.standing in STOPPED
        for drug in group.drugs
    }
