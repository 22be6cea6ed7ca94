"""The page of one answer: everything is on it, nothing on it is trusted, nothing is loaded."""

from __future__ import annotations

import re
from base64 import b64encode
from hashlib import sha256
from html.parser import HTMLParser
from typing import Any

import pytest

from medweave import KnowledgeBase
from medweave.faces.page.answer import AROUND, MAX_EVIDENCE, answer_page, passage_of, web_link
from medweave.faces.pictures.fitting import shortened, text_width, wrapped
from medweave.faces.pictures.paths import NARROW, WIDE, answer_edges, draw
from medweave.faces.texts import page_texts
from medweave.faces.texts.treatment import treatment_in_words
from medweave.model.answer import (
    BaseVersion,
    Conflict,
    Path,
    Sentence,
    Stop,
    Taken,
    ToFindOut,
)
from medweave.model.document import Document
from medweave.model.question import Intent, Mention, Patient, Question
from medweave.model.statement import Statement, SupportedStatement
from tests.unit.faces.small_answers import (
    AFFIRMED,
    COUGH,
    DISPUTED,
    FLU,
    answer_of,
    document,
    entity,
    evidence,
)

HOSTILE = """<script>alert("x")</script>'"><img src=https://evil.test/x onerror=alert(1)>"""
CHILD = (
    "My 10 month old weighs 8.2 kg, has a cough and 55 breaths a minute, what should I do? "
    "No convulsions, awake and alert, not lethargic, able to drink, does not vomit everything, "
    "no blue lips, no grunting."
)
VOID = {"meta", "img", "br", "link", "input", "hr"}
LOADING = {"script", "link", "img", "iframe", "object", "embed", "audio", "video", "source", "base"}


class Page(HTMLParser):
    """What a browser would find on a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.marked: list[str] = []
        self.words: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)
        if tag == "mark":
            self.marked.append("")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] == "mark":
            self.marked[-1] += data
        if "style" not in self.open:
            self.words.append(data)

    @property
    def said(self) -> str:
        return re.sub(r"\s+", " ", "".join(self.words))

    def values(self, attribute: str) -> list[str]:
        return [v for _, attributes in self.tags if (v := attributes.get(attribute))]


def test_hostile_texts_stay_texts() -> None:
    field = f"{HOSTILE} cough"
    found = document(title=HOSTILE, fields=((HOSTILE, field),), url="javascript:alert(1)")
    statement = Statement("x:flu", HOSTILE, f"x:{HOSTILE}", (("severity", HOSTILE),))
    supported = SupportedStatement(
        statement,
        (evidence(statement, found, HOSTILE, cites=(HOSTILE,)), evidence(statement, found)),
    )
    mention = Mention(0, 1, HOSTILE, f"x:{HOSTILE}", HOSTILE, HOSTILE)
    asked = Question(
        HOSTILE, "en", (mention,), Patient(sex=HOSTILE, drugs=(HOSTILE,)), (Intent(HOSTILE),)
    )
    made = answer_of(
        supported,
        documents=(found,),
        question=asked,
        sentences=(Sentence(HOSTILE, (statement.id,)),),
        taken=(Taken(HOSTILE),),
        find_out=(ToFindOut(HOSTILE, HOSTILE, details=(HOSTILE,)),),
        limits=(HOSTILE,),
        stops=(Stop(entity(HOSTILE), "applies", HOSTILE, (statement.id,)),),
        conflicts=(Conflict(HOSTILE, ((statement.id,), (statement.id,))),),
        missing=(HOSTILE,),
        timing={HOSTILE: 1.0},
        base=BaseVersion(HOSTILE, 1, HOSTILE),
    )
    page = Page(answer_page(made))
    assert not {tag for tag, _ in page.tags} & LOADING
    assert not [name for _, given in page.tags for name in given if name.startswith("on")]
    assert page.open == []
    assert HOSTILE in page.marked
    assert HOSTILE in page.said
    assert not [href for href in page.values("href") if not href.startswith("#")]


def test_control_characters_of_a_document_are_shown_and_do_nothing() -> None:
    found = document(fields=(("signs", "cough \x00 \x1b[31m \u202e fever"),))
    supported = SupportedStatement(COUGH, (evidence(COUGH, found),))
    page = answer_page(answer_of(supported, documents=(found,)))
    assert "cough" in page
    assert not set("\x00\x1b\u202e") & set(page)


def test_every_statement_of_a_sentence_leads_to_its_passages() -> None:
    page = Page(answer_page(answer_of(DISPUTED, documents=(FLU,))))
    targets = {href[1:] for href in page.values("href") if href.startswith("#")}
    identifiers = page.values("id")
    assert targets <= set(identifiers)
    assert {"s1", "s1-1"} <= set(identifiers)
    assert len(identifiers) == len(set(identifiers))


def test_the_quote_is_marked_in_its_passage() -> None:
    page = Page(answer_page(answer_of(AFFIRMED, documents=(FLU,))))
    assert page.marked == ["cough"]
    passage = passage_of(AFFIRMED.evidence[0], FLU)
    assert passage.before.endswith("Common signs are ")
    assert passage.before.startswith("…")
    assert passage.after.startswith(" and fever.")
    assert len(passage.after) == AROUND + 1


def test_a_quote_that_is_not_in_its_document_stands_alone() -> None:
    other = document(fields=(("signs", "another text"),))
    passage = passage_of(AFFIRMED.evidence[0], other)
    assert (passage.before, passage.quote, passage.after) == ("", "cough", "")


def test_nothing_is_loaded_and_the_policy_allows_only_the_style() -> None:
    text = answer_page(answer_of(AFFIRMED, documents=(FLU,)))
    page = Page(text)
    assert text.startswith("<!doctype html>")
    assert not {tag for tag, _ in page.tags} & LOADING
    assert not page.values("src")
    assert not page.values("style")
    assert not re.search(r"https?://|@import|url\(", text)
    policy = page.values("content")[0]
    style = re.search(r"<style>(.*?)</style>", text, re.DOTALL)
    assert style
    expected = b64encode(sha256(style[1].encode()).digest()).decode()
    assert policy.startswith(f"default-src 'none'; style-src 'sha256-{expected}';")


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://example.org/a?b=c", "https://example.org/a?b=c"),
        ("http://example.org", "http://example.org"),
        ("javascript:alert(1)", ""),
        ("data:text/html,x", ""),
        ("//example.org", ""),
        ("https:", ""),
        ("http://[broken", ""),
        ("", ""),
    ],
)
def test_only_addresses_of_the_web_become_links(url: str, expected: str) -> None:
    assert web_link(url) == expected


@pytest.mark.parametrize(
    ("question", "told", "untold"),
    [
        ("Can I take ibuprofen with warfarin?", "do not stop warfarin", "不要自行停用"),
        ("华法林和布洛芬能一起吃吗", "不要自行停用", "do not stop"),
    ],
)
def test_an_action_is_told_in_the_language_of_the_question(
    question: str, told: str, untold: str
) -> None:
    with KnowledgeBase.sample() as base:
        notes = re.findall(r'class="note">(.+?)<', answer_page(base.ask(question)))
    actions = [note for note in notes if told in note]
    assert actions and not any(untold in note for note in actions)


def test_paper_shows_each_passage_once() -> None:
    page = answer_page(answer_of(DISPUTED, documents=(FLU,)))
    shown = re.findall(r'<li[^>]*?( class="again")? data-document="([^"]+)"', page)
    assert len(shown) > len({document for _, document in shown})
    assert len([again for again, _ in shown if not again]) == len({name for _, name in shown})


def test_a_document_with_an_address_is_linked_without_an_opener() -> None:
    found = document(url="https://example.org/flu")
    supported = SupportedStatement(COUGH, (evidence(COUGH, found),))
    page = Page(answer_page(answer_of(supported, documents=(found,))))
    (link,) = [given for _, given in page.tags if given.get("href") == found.url]
    assert "noopener" in str(link["rel"])


def test_denial_strength_and_cites_are_said() -> None:
    page = Page(answer_page(answer_of(DISPUTED, documents=(FLU,))))
    assert "affirms" in page.said
    assert "denies" in page.said
    assert "strength 1" in page.said
    assert page.said.count("unsourced") == page.said.count("denies") == 1
    assert "cites no record" in page.said
    assert "sources disagree" in page.said
    assert "belief 0.80" in page.said


def test_both_sides_of_a_conflict_stand_side_by_side() -> None:
    conflict = Conflict("flu – cough", ((COUGH.id,), (COUGH.id,)))
    page = Page(answer_page(answer_of(DISPUTED, documents=(FLU,), conflicts=(conflict,))))
    part = page.said[page.said.index("Where sources disagree") :]
    assert part.index("Affirmed by") < part.index("affirms") < part.index("Denied by")
    assert part.index("Denied by") < part.index("denies")


def test_what_is_first_on_the_page_is_what_stops_then_the_answer_then_what_to_find_out() -> None:
    drug = entity("aspirin", "drug")
    stops = (
        Stop(drug, "applies", "it is forbidden", (COUGH.id,)),
        Stop(entity("codeine", "drug"), "applies", "it needs care", (), level="care"),
    )
    sentence = Sentence("Fever is recorded.", ())
    made = answer_of(
        AFFIRMED,
        documents=(FLU,),
        stops=stops,
        sentences=(sentence,),
        find_out=(ToFindOut("allergy", "allergy", details=("aspirin: allergy to it",)),),
        taken=(Taken("takes warfarin"),),
    )
    said = Page(answer_page(made)).said
    parts = ["aspirin: it is forbidden", "codeine: it needs care", "Fever is recorded."]
    parts += ["Taken as said: takes warfarin.", "Also find out: allergy", "aspirin: allergy to it"]
    places = [said.index(part) for part in parts]
    assert places == sorted(places)
    assert re.search(r"✕ STOP aspirin", said)
    assert re.search(r"! WITH CARE codeine", said)


def test_an_abstention_says_so_and_what_is_missing() -> None:
    flu = Mention(8, 11, "flu", "mw.condition:influenza", "influenza", "disease")
    question = Question("What is flu?", "en", (flu,))
    missing = answer_of(question=question, missing=("It has no description.",))
    said = Page(answer_page(missing)).said
    assert "do not answer this" in said
    assert "It has no description." in said
    assert "Not a medical device" in said


def test_a_child_has_treatments_and_doses_on_the_page() -> None:
    with KnowledgeBase.sample() as base:
        made = base.ask(CHILD)
    assert made.assessment
    said = Page(answer_page(made)).said
    assert "YELLOW Pneumonia" in said
    drugs = [row for row in made.assessment.assessment.treatments if row.drug and row.amount]
    assert drugs
    assert all(treatment_in_words(row) in said for row in drugs)
    assert "Ask next:" in said
    assert said.count("or: Give amoxicillin") == len(drugs) - 1


def test_samples_are_marked() -> None:
    assert "Sample data" in Page(answer_page(answer_of(AFFIRMED, documents=(FLU,)))).said
    real = document(sample=False)
    supported = SupportedStatement(COUGH, (evidence(COUGH, real),))
    assert "Sample data" not in Page(answer_page(answer_of(supported, documents=(real,)))).said


def test_a_chinese_question_gets_a_chinese_page() -> None:
    question = Question("流感有什么症状", "zh")
    page = Page(answer_page(answer_of(AFFIRMED, documents=(FLU,), question=question)))
    assert page.tags[0] == ("html", {"lang": "zh"})
    assert "样例数据" in page.said
    assert "不是医疗器械" in page.said
    assert ("blockquote", {"lang": "en"}) in page.tags


def test_the_person_and_what_is_unknown_are_told() -> None:
    patient = Patient(age_days=1096, age_max_days=1096, sex="female", allergies=("x:flu",))
    mention = Mention(0, 3, "flu", "x:flu", "influenza", "disease", status="absent")
    question = Question("flu?", "en", (mention, mention), patient, (Intent("side_effect"),))
    said = Page(answer_page(answer_of(question=question))).said
    assert "age 3 years, female, allergic to influenza" in said
    assert "Not said: pregnancy, breastfeeding, weight, current drugs." in said
    assert "side effects" in said
    assert said.count("influenza disease") == 1


def test_long_evidence_is_cut_and_the_denial_is_kept() -> None:
    many = [document(title=f"t{n}") for n in range(MAX_EVIDENCE + 5)]
    many = [Document("a", f"n{n}", d.title, d.fields) for n, d in enumerate(many)]
    items = (
        *(evidence(COUGH, d) for d in many[:-1]),
        evidence(COUGH, many[-1], polarity=-1),
    )
    page = Page(answer_page(answer_of(SupportedStatement(COUGH, items), documents=tuple(many))))
    assert "4 further passages" in page.said
    assert "denies" in page.said


def test_the_texts_of_both_languages_have_the_same_keys() -> None:
    def keys(texts: dict[str, Any]) -> dict[str, Any]:
        return {k: keys(v) if isinstance(v, dict) else None for k, v in texts.items()}

    assert keys(page_texts("en")) == keys(page_texts("zh"))
    assert page_texts("fr") == page_texts("en")


class TestPaths:
    def test_findings_stand_left_of_what_they_lead_to(self) -> None:
        path = Path("x:cough", "x:flu", (COUGH.id,))
        made = answer_of(AFFIRMED, documents=(FLU,), paths=(path,))
        (edge,) = answer_edges(made)
        assert (edge.source, edge.target) == ((0, "x:cough"), (1, "x:flu"))
        left, right = draw(made, (edge,), WIDE).boxes
        assert left.full == "cough"
        assert left.x < right.x
        (line,) = draw(made, (edge,), WIDE).lines
        assert (line.label, line.forward) == ("symptom", False)

    def test_without_paths_the_statements_of_the_sentences_are_drawn(self) -> None:
        (edge,) = answer_edges(answer_of(AFFIRMED, documents=(FLU,)))
        assert (edge.source, edge.target) == ((0, "x:flu"), (1, "x:cough"))

    def test_chains_have_a_column_for_every_step(self) -> None:
        cause = Statement("x:cough", "caused_by", "x:virus")
        second = SupportedStatement(cause, (evidence(cause, FLU),))
        path = Path("x:flu", "x:virus", (COUGH.id, cause.id))
        made = answer_of(AFFIRMED, second, documents=(FLU,), paths=(path,))
        boxes = draw(made, answer_edges(made), NARROW).boxes
        assert [box.full for box in boxes] == ["flu", "cough", "virus"]
        assert boxes[0].x < boxes[1].x < boxes[2].x
        assert boxes[2].x + boxes[2].width <= NARROW

    def test_denied_lines_are_dashed_and_say_so(self) -> None:
        denied = SupportedStatement(COUGH, (evidence(COUGH, FLU, polarity=-1, strength=0.2),))
        made = answer_of(denied, documents=(FLU,))
        (line,) = draw(made, answer_edges(made), WIDE).lines
        assert line.denied
        assert line.label == "symptom (denied)"
        assert line.width == pytest.approx(1.5)
        assert "stroke-dasharray" in answer_page(made)

    def test_the_picture_has_a_title_a_description_and_a_text(self) -> None:
        page = Page(answer_page(answer_of(AFFIRMED, documents=(FLU,))))
        labelled = next(v for v in page.values("aria-labelledby") if "paths-wide" in v)
        assert set(labelled.split()) <= set(page.values("id"))
        assert "flu — symptom → cough" in page.said

    def test_no_edges_make_an_empty_picture(self) -> None:
        assert draw(answer_of(), (), WIDE).boxes == ()

    def test_texts_fit_into_their_boxes(self) -> None:
        for text in ("phenoxymethylpenicillin sodium salt of a long name", "重度肾功能不全" * 4):
            lines = wrapped(text, 90)
            assert 1 < len(lines) <= 3
            assert all(text_width(line) <= 90 for line in lines)
        assert shortened("cough", 90) == "cough"
        assert shortened("contraindicated in", 60).endswith("…")
