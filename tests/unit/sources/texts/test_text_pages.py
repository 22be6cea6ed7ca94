"""Plain text, Markdown and web pages as whole texts: what is kept, joined, and left out."""

from __future__ import annotations

from time import process_time

import pytest

from medweave.errors import SourceError
from medweave.sources.texts.markdown import markdown_text
from medweave.sources.texts.plain import plain_text
from medweave.sources.texts.web_page import decoded, web_page
from medweave.sources.texts.whole import WholeText

BROKEN = """\
The nurse on duty looks at every child within an hour
of its coming, and writes down what she finds in
the book of the ward. A child that cannot drink is
seen at once.

- weigh it
- measure its temperature
"""


def titles(whole: WholeText) -> list[str]:
    return [heading.title for heading in whole.headings]


def test_lines_that_a_program_broke_are_joined_and_lists_are_not() -> None:
    text = plain_text(BROKEN).text
    assert "within an hour of its coming, and writes down what she finds in the book" in text
    assert "- weigh it\n- measure its temperature" in text
    assert "".join(text.split()) == "".join(BROKEN.split())


def test_chinese_lines_are_joined_without_a_blank() -> None:
    lines = (
        "儿童发热超过三十八点五度时应当给予对乙酰氨基酚口服\n"
        "并且每四小时测量一次体温直到体温恢复正常为止，如果\n"
        "出现惊厥应当立即送医院。\n"
    )
    assert plain_text(lines).text == lines.replace("\n", "") + "\n"


@pytest.mark.parametrize(
    "text",
    ["Sore throat\nFever\nCough\n", "12 High Street\nOldtown\n\nDear patient,\nplease come.\n"],
)
def test_lines_that_people_broke_stay(text: str) -> None:
    assert plain_text(text).text.startswith(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1. Fever\n\nIt is common.\n\n1.1 Care\n\nRest.\n", ["1. Fever", "1.1 Care"]),
        ("CONTRAINDICATIONS\n\nDo not take it with alcohol.\n", ["CONTRAINDICATIONS"]),
        ("Chapter 3 Wounds\n\nClean them.\n", ["Chapter 3 Wounds"]),
        ("Storage\n=======\n\nKeep it dry.\n", ["Storage"]),
        ("Side effects:\nNausea and rash.\n", ["Side effects"]),
        ("【禁忌】对本品过敏者禁用。\n【不良反应】恶心。\n", ["禁忌", "不良反应"]),
        ("第二章 发热\n\n多喝水。\n\n一、护理\n\n休息。\n", ["第二章 发热", "一、护理"]),
        ("It hurts.\n\nTake one tablet daily.\n", []),
        ("1. Take one tablet.\n2. Drink water.\n", []),
        ("- Rest\n\n- Water\n\nCall us.\n", []),
    ],
)
def test_headings_of_plain_text(text: str, expected: list[str]) -> None:
    assert titles(plain_text(text)) == expected


def test_levels_of_headings_make_a_path() -> None:
    whole = plain_text("第一章 药物\n\n说明。\n\n第一节 用法\n\n一、成人\n\n每日一片。\n")
    assert whole.path(whole.headings) == ("第一章 药物", "第一节 用法", "一、成人")


def test_lines_of_the_file_are_known() -> None:
    whole = plain_text(BROKEN)
    assert whole.line_at(whole.text.index("- measure")) == 7


def test_markdown_is_read_without_its_signs() -> None:
    raw = (
        "---\ntitle: Fever\n---\n# Fever\n\nGive **paracetamol** ([dose](a.md)), `500 mg`\nat "
        "once.\n\n"
        "| age | dose |\n|---|---|\n| 2 | 1 |\n\n3. three\n4. four\n   - inner\n\n```\ncode\n```\n"
        "<div>in a <b>box</b></div>\n\n![a graph](x.png)\n"
    )
    whole = markdown_text(raw, "a.md")
    assert whole.title == "Fever"
    assert whole.text == (
        "Fever\n\nGive paracetamol (dose), 500 mg at once.\n\nage | dose\n2 | 1\n\n3. three\n4. "
        "four\n"
        "  - inner\n\ncode\n\nin a box\n\na graph"
    )


PAGE = """<!doctype html><html><head><title>Blixol</title><style>.ghost{display:none}</style>
<link rel="canonical" href="https://example.org/blixol"><script>var a = "<p>no</p>";</script></head>
<body class="menu-open"><header>Site name</header><nav><a href="/">Home</a></nav>
<div id="cookie-banner">We use cookies</div><div class="content">
<h1>Blixol</h1><p>A medicine<br>for <b>pain</b>.</p><h2>Dose</h2>
<table><tr><th>Age</th><th>Dose</th></tr><tr><td>adult<td>1 <i>tablet</i></table>
<p><strong>Side effects:</strong></p><ul><li>nausea<ul><li>rare</ul><li><p>rash</p></ul>
<ol><li>rest<li>drink</ol>{hidden}<p>caf&eacute;&nbsp;au lait</p>
<ul><li><a href=1>Pain</a><li><a href=2>Fever</a><li><a href=3>Cough</a><li><a href=4>Cold</a></ul>
</div><div class="site-footer">Imprint</div><footer>2024</footer></body></html>"""
SAID = (
    "Blixol\n\nA medicine\nfor pain.\n\nDose\n\nAge | Dose\nadult | 1 tablet\n\nSide effects:\n\n"
    "- nausea\n  - rare\n- rash\n1. rest\n2. drink\n\ncafé au lait"
)


def test_a_web_page_is_read_without_the_site_around_it() -> None:
    whole = web_page(PAGE.replace("{hidden}", "").encode(), "a.html")
    assert whole.text == SAID
    assert titles(whole) == ["Blixol", "Dose", "Side effects"]
    assert (whole.title, whole.url, whole.left_out) == ("Blixol", "https://example.org/blixol", ())


@pytest.mark.parametrize(
    "hidden",
    [
        "<p style='color:#ffffff'>Ignore all of this.</p>",
        "<style>body{background:#fff} .pale{color:white}</style><p class=pale>Ignore</p>",
        "<div style='display: none'><p>Ignore</p> all</div>",
        "<p class=ghost>Ignore</p>",
        "<p hidden>Ignore</p>",
        "<span style='font-size:0'>Ignore</span>",
        "<div style='position:absolute;left:-9999px'>Ignore</div>",
    ],
)
def test_what_nobody_sees_is_left_out_and_told(hidden: str) -> None:
    whole = web_page(PAGE.replace("{hidden}", hidden).encode(), "a.html")
    assert whole.text == SAID
    assert whole.left_out == ("1 pieces of text that nobody sees on the page are left out",)


@pytest.mark.parametrize(
    "page",
    [
        "<p style='color:white;background:navy'>Stop.</p>",
        "<table bgcolor=navy><tr><td style='color:#fff'>Stop.</td></tr></table>",
        "<style>.bar{background:navy}.c{color:white}</style><p class=bar><b class=c>Stop.</b>",
    ],
)
def test_white_letters_on_a_ground_are_seen(page: str) -> None:
    assert web_page(page.encode(), "a.html").text == "Stop."


def test_the_main_part_of_a_page_is_enough() -> None:
    page = f"<body><div>Other news of today</div><main><p>{'Rest helps. ' * 9}</p></main></body>"
    assert web_page(page.encode(), "a.html").text.startswith("Rest helps.")
    page = "<body><p>All that is said stands here, outside of it.</p><main>Rest.</main></body>"
    assert "outside" in web_page(page.encode(), "a.html").text


@pytest.mark.parametrize("encoding", ["utf-8", "gbk", "gb18030", "utf-16"])
def test_chinese_pages_in_their_encodings(encoding: str) -> None:
    assert "发热" in decoded(f"<meta charset={encoding}><p>发热</p>".encode(encoding))
    assert "发热" in decoded("<p>发热患者</p>".encode("gb18030"))


def test_a_page_that_is_nested_without_end_is_told_of_at_once() -> None:
    before = process_time()
    whole = web_page(b"<p>Rest.</p>" + b"<div>" * 200_000 + b"x", "a.html")
    assert process_time() - before < 5
    assert whole.text.startswith("Rest.")
    assert "nested" in whole.cut


def test_a_page_that_says_nothing_is_refused() -> None:
    with pytest.raises(SourceError, match="says nothing"):
        web_page(b"<!-- -->", "a.html")


def test_a_power_is_no_more_digits_and_marks_of_notes_go_while_notes_stay() -> None:
    page = """
        <p>Below 50 × 10<sup>9</sup>/L give 5<sup>2</sup> mg of vitamin B<sub>12</sub>.<a
        href="#n1" epub:type="noteref"><sup>1</sup></a> Na<sup>+</sup> falls.<sup><a
        href="#c">[2]</a></sup> See <a href="#t3">3</a>.
        <table><tr><th>cells<td>4<b>0</b>×10<sup>12</sup></tr><tr><td>a<br>b<td>c</table>
        <aside epub:type="footnote" id="n1"><p>Half of it under a year. <a
        role="doc-backlink" href="#r1">↩</a></p></aside>
        <aside>Related pages</aside>""".encode()
    assert web_page(page, "a").text.split("\n\n") == [
        "Below 50 × 10^9/L give 5^2 mg of vitamin B12. Na+ falls. See 3.",
        "cells | 40×10^12\na b | c",
        "Half of it under a year.",
    ]
