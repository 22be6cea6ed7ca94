"""The page in a real browser: `make test-browser`. It is skipped where there is none."""

from __future__ import annotations

import json
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed")

CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
VIEWS = ("/", "/assess", "/documents", "/graph", "/guideline", "/evaluation", "/about")
PHONE, DESK = {"width": 360, "height": 740}, {"width": 1200, "height": 850}
FLU = {"name": "flu", "concept": "disease", "symptoms": ["fever", "cough"]}
TARGET = 44


class Server:
    """`medweave serve`, as a process."""

    def __init__(self, *arguments: str) -> None:
        self._arguments = arguments
        self.start("0")

    def start(self, port: str) -> None:
        command = [sys.executable, "-m", "medweave", "serve", "--json", "--port", port]
        self.process = subprocess.Popen([*command, *self._arguments], stdout=subprocess.PIPE)
        assert self.process.stdout
        self.url = json.loads(self.process.stdout.readline())["url"].rstrip("/")

    def stop(self) -> int:
        self.process.send_signal(signal.SIGTERM)
        self.process.communicate(timeout=10)
        return self.process.returncode

    def restart(self) -> None:
        self.start(self.url.rpartition(":")[2])


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    held = Server("--bases", str(tmp_path_factory.mktemp("bases")))
    yield held
    assert held.stop() == 0


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with playwright.sync_playwright() as started:
        try:
            opened = started.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        except playwright.Error as error:
            pytest.skip(f"no Chromium can be had: {str(error).splitlines()[0]}")
        yield opened
        opened.close()


@pytest.fixture
def page(browser: Any, server: Server, request: pytest.FixtureRequest) -> Iterator[Any]:
    """A page at which nothing goes wrong unseen, and that asks no other host."""
    how = getattr(request, "param", {"viewport": PHONE})
    context = browser.new_context(**how)
    opened = context.new_page()
    wrong: list[str] = []

    def asked(one: Any) -> None:
        if not one.url.startswith((server.url, "data:", "blob:")):
            wrong.append(one.url)

    def said(one: Any) -> None:
        if one.type == "error" and not re.search("ERR_CONNECTION|status of 422", one.text):
            wrong.append(one.text)

    opened.on("pageerror", lambda error: wrong.append(str(error)))
    opened.on("request", asked)
    opened.on("console", said)
    yield opened
    context.close()
    assert wrong == []


def grave(page: Any) -> list[str]:
    """What axe-core finds that is serious."""
    found = axe.Axe().run(page).response["violations"]
    return [
        f"{v['id']}: {n['html'][:200]}"
        for v in found
        if v["impact"] in ("serious", "critical")
        for n in v["nodes"]
    ]


def answered(page: Any, number: int = 1) -> Any:
    """The answer of this number, once it is whole."""
    whole = page.locator("[data-testid=answer][aria-busy=false]")
    whole.nth(number - 1).wait_for()
    return whole.nth(number - 1)


@pytest.mark.parametrize(
    "page",
    [{"viewport": PHONE, "color_scheme": "light"}, {"viewport": DESK, "color_scheme": "dark"}],
    indirect=True,
    ids=["phone", "desk"],
)
def test_every_view_fits_and_can_be_used_by_all(page: Any, server: Server) -> None:
    for view in VIEWS:
        for language in ("en", "zh"):
            page.goto(f"{server.url}{view}?lang={language}")
            for part in ("nav", "limits"):
                assert page.get_by_test_id(part).is_visible()
            assert grave(page) == []
            assert (
                page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"]
            )


def test_a_citation_opens_its_passage_and_gives_the_focus_back(page: Any, server: Server) -> None:
    page.goto(f"{server.url}/?lang=en")
    page.get_by_test_id("question").fill("Can I give ibuprofen to a patient on warfarin?")
    page.keyboard.press("Enter")
    found = answered(page)
    assert "warfarin" in found.get_by_test_id("stop-applies").first.inner_text()
    assert grave(page) == []
    citation = found.get_by_test_id("citation").first
    citation.focus()
    page.keyboard.press("Enter")
    shown = page.get_by_test_id("evidence")
    assert shown.locator("mark").first.inner_text().lower() == "warfarin"
    assert grave(page) == []
    shown.locator("summary").click()
    shown.locator("pre mark").first.wait_for()
    page.keyboard.press("Escape")
    assert not shown.is_visible()
    assert citation.evaluate("each => each === document.activeElement")
    assert "ibuprofen" not in page.url
    found.locator(".graph").click()
    rows = page.get_by_test_id("graph-table").locator("tbody tr")
    rows.first.wait_for()
    assert "warfarin" in rows.first.inner_text()
    assert "warfarin" not in page.url


def test_danger_comes_first_and_what_is_ticked_is_asked_again(page: Any, server: Server) -> None:
    page.goto(f"{server.url}/?lang=en")
    page.get_by_test_id("question").fill("My chest hurts badly, I sweat and I cannot breathe.")
    page.get_by_test_id("ask").click()
    first = answered(page).locator(".parts > *").first
    assert first.get_attribute("data-testid") == "danger"
    page.get_by_test_id("question").fill("What drugs for migraine?")
    page.keyboard.press("Enter")
    answered(page, 2).locator(".find-out > details > summary").click()
    page.locator(".tick[data-about=pregnancy]").last.check()
    assert "pregnan" in answered(page, 3).inner_text()


def test_a_child_is_assessed_on_a_phone(page: Any, server: Server) -> None:
    page.goto(f"{server.url}/assess?lang=en")
    page.get_by_test_id("age").fill("ten")
    page.get_by_test_id("start").click()
    page.locator(".problem").wait_for()
    page.get_by_test_id("age").fill("10mo")
    page.get_by_test_id("weight").fill("8.2")
    page.get_by_test_id("text").fill("He has had a cough for two days.")
    page.get_by_test_id("start").click()
    asked: list[str] = []
    values = {"respiratory_rate": "55", "temperature": "38.5"}
    while not page.get_by_test_id("note").count():
        question = page.get_by_test_id("assess-question")
        about = question.get_attribute("data-observation")
        assert about not in asked
        asked.append(about)
        reached = page.locator("main button:visible, main summary:visible, .top a:visible").all()
        boxes = [each.bounding_box() for each in reached]
        assert all(min(box["width"], box["height"]) >= TARGET for box in boxes)
        if page.get_by_test_id("value").count() and about in values:
            page.get_by_test_id("value").fill(values[about])
            page.get_by_test_id("next").click()
        else:
            no = question.locator("[data-testid=option][data-value=false]")
            (no if no.count() else question.locator("[data-value=unknown]")).click()
        page.locator(f"[data-observation={about}]").wait_for(state="detached")
    standing = page.locator("[data-id=pneumonia]").get_attribute("data-status")
    assert standing in ("confirmed", "provisional")
    assert "mg" in page.get_by_test_id("treatment").first.inner_text()
    assert grave(page) == []
    card = page.locator("div[data-id=pneumonia]")
    card.locator(".own-word summary").click()
    card.locator("input").fill("he cried while it was counted")
    page.keyboard.press("Enter")
    assert "he cried" in page.get_by_test_id("overruled").inner_text()
    assert grave(page) == []
    page.get_by_test_id("back").click()
    page.get_by_test_id("overruled").wait_for(state="detached")
    before = page.locator("#state").inner_text()
    page.reload()
    page.get_by_test_id("note").wait_for()
    assert page.locator("#state").inner_text() == before
    with page.expect_popup() as opened:
        page.get_by_test_id("note").click()
    note = opened.value
    note.wait_for_load_state()
    assert "55" in note.locator("body").inner_text()
    assert note.url.endswith("/page/assess/note?lang=en")
    page.get_by_test_id("back").click()
    page.get_by_test_id("assess-question").wait_for()


def test_a_document_of_ones_own_from_the_first_screen_on(page: Any, server: Server) -> None:
    page.goto(f"{server.url}/?lang=en")
    page.get_by_test_id("nav").get_by_text("Documents").click()
    page.locator("#make input").fill("mine")
    page.locator("#make button").click()
    page.get_by_test_id("empty").wait_for()
    text = json.dumps(FLU) + "\n<script>alert(1)</script>\n"
    page.get_by_test_id("upload").set_input_files(
        {"name": "flu.jsonl", "mimeType": "application/json", "buffer": text.encode()}
    )
    row = page.locator("[data-testid=document][data-status=partial]")
    row.wait_for()
    assert "2" in row.get_by_test_id("document-error").inner_text()
    page.get_by_test_id("review").locator("summary").click()
    fever = page.get_by_test_id("review-item").filter(has_text="→ fever")
    correct = fever.locator("[data-decision=corrected]")
    for shown in (True, False, True):
        correct.click()
        assert fever.locator("form").is_visible() is shown
    fever.locator("[data-decision=rejected]").click()
    fever.locator(".status", has_text="Rejected").wait_for()
    assert fever.locator("form").is_hidden()
    assert correct.get_attribute("aria-expanded") == "false"
    cough = page.get_by_test_id("review-item").filter(has_text="→ cough")
    cough.locator("[data-decision=corrected]").click()
    cough.locator("[name=object]").fill("sandy eyes")
    cough.locator("form button").click()
    cough.locator(".status", has_text="nothing of this name").wait_for()
    cough.locator("[name=new]").select_option("symptom")
    cough.locator("form button").click()
    cough.locator(".status", has_text="Corrected").wait_for()
    assert grave(page) == []
    page.get_by_test_id("nav").get_by_text("Ask").click()
    page.get_by_test_id("question").fill("What are the symptoms of flu?")
    page.keyboard.press("Enter")
    said = answered(page).get_by_test_id("sentence").first.inner_text()
    assert "sandy eyes" in said and "cough" not in said and "fever" not in said
    page.get_by_test_id("nav").get_by_text("Documents").click()
    page.get_by_test_id("remove").click()
    page.locator("dialog button", has_text="Remove").click()
    page.get_by_test_id("remove").wait_for(state="detached")


def reach(page: Any, part: Any, most: int = 80) -> None:
    """Go to a part with the Tab key alone."""
    for _ in range(most):
        if part.count() and part.evaluate("each => each === document.activeElement"):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"the Tab key does not lead to {part}")


def press(page: Any, part: Any, key: str = "Enter") -> None:
    reach(page, part)
    page.keyboard.press(key)


@pytest.mark.parametrize("page", [{"viewport": DESK}], indirect=True)
def test_all_is_done_with_the_keyboard_alone(page: Any, server: Server) -> None:
    part = page.get_by_test_id
    page.goto(f"{server.url}/?lang=en")
    reach(page, part("question"))
    page.keyboard.type("Can I give ibuprofen to a patient on warfarin?")
    page.keyboard.press("Enter")
    citation = answered(page).get_by_test_id("citation").first
    press(page, citation)
    part("evidence").locator("mark").first.wait_for()
    page.keyboard.press("Escape")
    assert citation.evaluate("each => each === document.activeElement")
    press(page, page.locator("article .graph"))
    rows = part("graph-table").locator("tbody tr")
    rows.first.wait_for()
    press(page, rows.first.locator("td:last-child button"))
    part("edge-evidence").locator("mark").first.wait_for()
    page.keyboard.press("Escape")

    page.goto(f"{server.url}/assess?lang=en")
    reach(page, part("age"))
    page.keyboard.type("10mo")
    press(page, part("start"))
    for _ in range(60):
        part("assess-question").or_(part("note")).first.wait_for()
        if part("note").count():
            break
        asked = part("assess-question").get_attribute("data-observation")
        no = page.locator("[data-testid=option][data-value=false]")
        press(page, no if no.count() else page.locator("[data-value=unknown]"), "Space")
        page.locator(f"[data-observation={asked}]").wait_for(state="detached")
    reach(page, part("note"))
    press(page, part("back"))
    part("assess-question").wait_for()

    page.goto(f"{server.url}/documents?lang=en")
    reach(page, page.locator("#make input"))
    page.keyboard.type("keys")
    page.keyboard.press("Enter")
    part("upload").wait_for()
    page.wait_for_load_state()  # what is still drawn takes the focus away
    reach(page, part("upload"))
    with page.expect_file_chooser() as chooser:
        page.keyboard.press("Space")
    text = json.dumps(FLU).encode()
    chooser.value.set_files({"name": "flu.jsonl", "mimeType": "text/plain", "buffer": text})
    page.locator("[data-testid=document][data-status=ready]").wait_for()
    press(page, part("review").locator("summary"))
    item = part("review-item").first
    item.wait_for()
    press(page, item.locator("[data-decision=rejected]"))
    item.locator(".status", has_text="Rejected").wait_for()


def test_whoever_disagrees_says_why(page: Any, server: Server) -> None:
    page.goto(f"{server.url}/?lang=en")
    page.get_by_test_id("question").fill("What are the symptoms of gout?")
    page.keyboard.press("Enter")
    found = answered(page)
    button, asked = found.get_by_test_id("disagree"), found.locator(".reason")
    for shown in ("true", "false", "true"):
        button.click()
        assert (button.get_attribute("aria-expanded"), asked.is_visible()) == (
            shown,
            shown == "true",
        )
    page.keyboard.type("it was not gout")
    page.keyboard.press("Enter")
    found.locator(".noted", has_text="Noted").wait_for()
    assert asked.is_hidden() and button.get_attribute("aria-expanded") == "false"


def test_a_mapping_is_put_right_where_it_is_looked_at(page: Any, server: Server) -> None:
    page.goto(f"{server.url}/documents?lang=en")
    page.locator("#make input").fill("table")
    page.locator("#make button").click()
    page.locator("#look").check()
    table = b"Disease,Signs,Place\nmumps,swelling,coast\n"
    page.get_by_test_id("upload").set_input_files(
        {"name": "t.csv", "mimeType": "text/csv", "buffer": table}
    )
    shown = page.get_by_test_id("looked-at")
    mapping = shown.locator("textarea")
    mapping.wait_for()
    shown.locator("li", has_text="swelling").first.wait_for()
    right = mapping.input_value().replace("has_symptom", "has_complication")
    mapping.fill(right.replace("concept: symptom", "concept: poem"))
    shown.locator(".problem", has_text="poem").wait_for()
    bad = right[: right.index("concept: symptom")].count("\n") + 1
    assert shown.locator(".bad").inner_text().strip() == str(bad)
    assert shown.locator("button.main").is_disabled()
    mapping.fill(right.replace("concept: symptom", "concept: disease"))
    shown.locator("li", has_text="complication").wait_for()
    assert grave(page) == []
    shown.locator("button.main").click()
    page.locator("[data-testid=document][data-status=ready]").wait_for()


def test_the_graph_is_a_picture_and_a_table(page: Any, server: Server) -> None:
    page.goto(f"{server.url}/graph?lang=en")
    page.get_by_test_id("search").fill("migraine")
    page.keyboard.press("Enter")
    rows = page.locator("[data-testid=graph-table] tbody tr")
    rows.first.wait_for()
    assert grave(page) == []
    rows.first.locator("td:last-child button").click()
    assert page.get_by_test_id("edge-evidence").locator("mark").first.inner_text()
    page.keyboard.press("Escape")
    page.locator("#predicate").select_option("has_symptom")
    assert "nausea" in page.get_by_test_id("graph-table").inner_text()


def test_a_server_that_was_away_loses_no_question(page: Any, server: Server) -> None:
    page.goto(f"{server.url}/?lang=en")
    page.get_by_test_id("example").first.wait_for()
    assert server.stop() == 0
    page.get_by_test_id("question").fill("What are the symptoms of migraine?")
    page.keyboard.press("Enter")
    page.locator(".problem").wait_for()
    server.restart()
    page.locator(".problem button").click()
    assert "nausea" in answered(page).inner_text()
