"""The report of an evaluation: what stands in it, whatever the data say, and its pictures."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from html import unescape
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from markdown_it import MarkdownIt

from medweave.errors import ConfigurationError, MedweaveError
from medweave.evaluation.items import Data, Item, Ranked, Trainer
from medweave.evaluation.outcomes import Checkpoint
from medweave.evaluation.report.folder import check_folder, report_page, write_report
from medweave.evaluation.result import Evaluation
from medweave.evaluation.runner import MeasuresOf, Plan, evaluate
from medweave.evaluation.systems.baselines import Majority, NaiveBayes, NearestCase
from medweave.evaluation.tasks import diagnosis, intents

HOSTILE = [
    "a | b || c \\| d \\",
    "<script>alert(1)</script><img src=x onerror=alert(1)>",
    "line\nbreak\r\n\r\n# heading\n\n- list\u2028x",
    "`code` ``` ~~~ **bold** _it_ ~~gone~~ $x^2$",
    "[click](javascript:alert(1)) ![i](https://x.example/i.png) https://x.example www.x.example",
    "&lt;b&gt; &#124; &amp;",
    "\x1b[31mred\x07 \u202eright to left\u202c",
    "---|---\n| new | row |",
    "<!-- comment",
    "\ud800 half a pair",
    "",
    "长" * 500,
]


def own_words(item: Item) -> list[str]:
    return item.text.split()


TRAINERS: dict[str, Trainer] = {
    "medweave": lambda cases: NaiveBayes(cases, own_words),
    "medweave nearest": lambda cases: NearestCase(cases, own_words),
    "majority": Majority,
    "nearest case": lambda cases: NearestCase(cases, own_words),
}


def result_of(
    items: Sequence[Item],
    tmp_path: Path,
    *,
    task: str = "intents",
    measures: MeasuresOf = intents.measures_of,
    name: str = "own.jsonl",
    systems: Mapping[str, Trainer] = TRAINERS,
) -> Evaluation:
    data = Data(name, "0" * 64, len(items) + 2, tuple(items), {"no text": 2})
    settings = {"folds": 2, "train": None, "sample": 0, "kb": "my base.db"}
    plan = Plan(task, data, systems, measures, folds=2, seed=7, settings=settings)
    return evaluate(plan, Checkpoint(tmp_path / "kept.jsonl", {}))


def questions(label: str = "symptom", other: str = "treatment", text: str = "") -> list[Item]:
    texts = {label: "what signs has {}", other: "what helps with {}"}
    names = ("gout", "flu", "asthma", "a cold", "mumps", "what helps")
    return [
        Item(
            f"{at} {text}",
            (kind,),
            f"{text} {words.format(name)}",
            slice="gout" if name == "gout" else "",
        )
        for at, name in enumerate(names)
        for kind, words in texts.items()
    ]


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Evaluation:
    return result_of(questions(), tmp_path_factory.mktemp("asked"))


@pytest.fixture(scope="module")
def diagnosed(tmp_path_factory: pytest.TempPathFactory) -> Evaluation:
    folder = tmp_path_factory.mktemp("diagnosed")
    return result_of(patients(), folder, task="diagnosis", measures=diagnosis.measures_of)


def patients() -> list[Item]:
    shown = {"flu": "fever cough ache", "cold": "sneeze cough", "measles": "fever rash"}
    return [
        Item(f"{name} {at}", (name,), " ".join(findings.split()[: at + 1]))
        for name, findings in shown.items()
        for at in range(3)
    ]


def tables_of(markdown: str) -> list[list[list[str]]]:
    """The cells of all tables as a browser shows them; every row as wide as its head."""
    page = MarkdownIt("commonmark").enable("table").render(markdown)
    assert not re.search(r"<(script|img src=x|b>|i>|em>|strong>|s>|!--)", page), page
    links = re.findall(r'(?:href|src)="([^"]*)"', page)
    names = ("systems", "classes", "risk-coverage", "hits")
    assert set(links) <= {f"{name}.{kind}" for name in names for kind in ("svg", "png")}
    found = []
    for table in re.findall(r"<table>.*?</table>", page, re.DOTALL):
        rows = re.findall(r"<tr>.*?</tr>", table, re.DOTALL)
        cells = [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.DOTALL) for row in rows]
        assert len({len(row) for row in cells}) == 1
        found.append([[unescape(cell) for cell in row] for row in cells])
    return found


def table_under(markdown: str, heading: str) -> list[list[str]]:
    part = re.split(rf"^#+ {re.escape(heading)}.*$", markdown, flags=re.MULTILINE)
    assert len(part) == 2, heading
    return tables_of(part[1])[0]


def untimed(text: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(text)
    for system in found["systems"]:
        for name in ("training_seconds", "seconds", "milliseconds_per_item"):
            del system[name]
    return found


def test_the_json_is_the_result(tmp_path: Path, asked: Evaluation) -> None:
    write_report(asked, tmp_path / "out")
    written = (tmp_path / "out" / "evaluation.json").read_text("utf-8")
    assert json.loads(written) == asked.to_json()
    assert written.count("\n") > 100, "it is indented"


def test_the_page_tells_what_was_measured(asked: Evaluation) -> None:
    page = report_page(asked)
    about = dict(table_under(page, "Data")[1:])
    assert about["sha256"] == "0" * 64
    assert (about["records"], about["evaluated"], about["left out: no text"]) == ("14", "10", "2")
    assert about["told apart: gout"] == "2"
    classes = table_under(page, "Items of each class")[1:]
    assert classes == [["symptom", "5"], ["treatment", "5"], ["total", "10"]]
    systems = table_under(page, "Systems")
    assert [row[0] for row in systems[1:]] == list(TRAINERS)
    accuracy = asked.systems[0].measures["accuracy"]
    low, high = 100 * accuracy.low, 100 * accuracy.high
    assert systems[1][1] == f"{100 * accuracy.value:.1f} ({low:.1f} to {high:.1f})"
    shares = {name: row for name, *row in systems[1:]}
    learned = {system.name: system.training.accuracy for system in asked.systems}
    assert {row[-3] for row in shares.values()} == {f"{100 * s:.1f}" for s in learned.values() if s}
    assert learned["nearest case"] == 1.0, "it finds every case that it has learned"
    against = table_under(page, "Ours against each other system")[1:]
    assert [row[0] for row in against] == list(TRAINERS)[1:]
    assert len(table_under(page, "Where gout: 2 items")) == 1 + len(TRAINERS)


def test_ours_stands_beside_the_best_baseline_and_not_beside_a_variant(asked: Evaluation) -> None:
    accuracy = {system.name: system.measures["accuracy"].value for system in asked.systems}
    best = max(("majority", "nearest case"), key=lambda name: accuracy[name])
    head, *rows = table_under(report_page(asked), "Classes")
    assert head[-3:] == [f"precision, {best}", f"recall, {best}", f"F1, {best}"]
    f1 = {row["class"]: f"{100 * row['f1']:.1f}" for row in asked.systems[0].classes}
    assert {row[1]: row[5] for row in rows} == f1


@pytest.mark.parametrize(
    ("low", "high", "told"),
    [(0.1, 0.3, "yes, ours is better"), (-0.2, -0.1, "yes, ours is worse"), (-0.1, 0.1, "no")],
)
def test_an_interval_without_0_tells_two_systems_apart(
    asked: Evaluation, low: float, high: float, told: str
) -> None:
    difference = {"value": (low + high) / 2, "low": low, "high": high}
    result = replace(asked, differences={"accuracy": {"majority": difference}})
    page = report_page(result)
    assert table_under(page, "Ours against each other system")[1][-1] == told


def test_only_the_first_20_errors_are_shown(asked: Evaluation) -> None:
    error = {"id": "1", "expected": "a", "got": "", "text": "", "place": 0, "answered": False}
    for many in (0, 3, 20, 45):
        some = replace(asked, errors=[{**error, "id": str(at)} for at in range(many)])
        page = report_page(some)
        assert f"{many} of 10 items." in page
        if many:
            rows = table_under(page, "Errors of ours")[1:]
            assert [row[0] for row in rows] == [str(at) for at in range(min(many, 20))]


def test_systems_that_were_not_run_are_named_with_the_reason(tmp_path: Path) -> None:
    def missing(_: Sequence[Item]) -> Any:
        raise ConfigurationError("no | such <b>thing</b>", remedy="install\nit")

    result = result_of(questions(), tmp_path, systems={**TRAINERS, "dense": missing})
    page = report_page(result)
    rows = table_under(page, "Systems that were not run")
    assert rows[1:] == [["dense", "no | such <b>thing</b>, install it"]]


def shown(text: str) -> str:
    """A text on one line, with signs that nobody sees made visible."""
    return "".join(sign if sign.isprintable() else "�" for sign in " ".join(text.split()))


def test_texts_of_data_break_no_table_and_are_shown_as_they_are(tmp_path: Path) -> None:
    items = [Item(text, (f"{text} at {at}",), text) for at, text in enumerate(HOSTILE)] * 2
    result = result_of(items, tmp_path, name=f"{''.join(HOSTILE)}.jsonl")
    errors = [
        {"id": text, "expected": text, "got": text, "text": text, "place": 1, "answered": True}
        for text in HOSTILE
    ]
    slices = {text: {"n": 1, "systems": []} for text in HOSTILE}
    write_report(replace(result, errors=errors, slices=slices), tmp_path / "out")
    page = (tmp_path / "out" / "report.md").read_text("utf-8")
    assert all(sign.isprintable() or sign == "\n" for sign in page)
    assert len(tables_of(page)) == 8 + len(HOSTILE)
    for row, text in zip(table_under(page, "Errors of ours")[1:], HOSTILE, strict=True):
        if len(shown(text)) <= 40:
            assert row[0] == shown(text)
        if text and len(shown(text)) <= 100:
            assert (row[1], row[2], row[5]) == (shown(text),) * 3
        assert all(len(cell) <= 100 for cell in row)
    classes = {row[1] for row in table_under(page, "Classes")[1:]}
    assert {shown(f"{text} at {at}") for at, text in enumerate(HOSTILE[:-1])} <= classes
    whole = json.loads((tmp_path / "out" / "evaluation.json").read_text("utf-8"))
    assert [error["text"] for error in whole["errors"]] == HOSTILE
    for picture in (tmp_path / "out").glob("*.svg"):
        root = ElementTree.fromstring(picture.read_text("utf-8"))
        assert root.tag == "{http://www.w3.org/2000/svg}svg"
        assert not [node for node in root.iter() if str(node.tag).endswith(("script", "image"))]


def test_the_command_is_one_line_of_shell_with_every_option(tmp_path: Path) -> None:
    train = {"path": "train it.jsonl", "sha256": "1", "n": 5, "evaluated": 4, "left_out": {}}
    result = result_of(questions(), tmp_path, name="it's; rm -rf *.jsonl")
    overlap = {"longest": 3, "longest_text": "<b> | x"}
    settings = {**result.settings, "train": train, "folds": 0, "sample": 9, "overlap": overlap}
    page = report_page(replace(result, settings=settings))
    assert (
        "```sh\nmedweave evaluate intents 'it'\"'\"'s; rm -rf *.jsonl' --kb 'my base.db' "
        "--train 'train it.jsonl' --sample 9 --seed 7 --report report\n```"
    ) in page
    about = dict(table_under(page, "Data")[1:])
    assert (about["trained on"], about["its records"]) == ("train it.jsonl", "5")
    assert (about["overlap: longest"], about["overlap: longest text"]) == ("3", "<b> | x")


def pictures_of(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.glob("*.*g"))}


@pytest.fixture
def with_matplotlib() -> None:
    pytest.importorskip("matplotlib")


@pytest.mark.usefixtures("with_matplotlib")
def test_intents_have_three_pictures_and_diagnosis_a_fourth(
    tmp_path: Path, asked: Evaluation, diagnosed: Evaluation
) -> None:
    write_report(asked, tmp_path / "one")
    names = {path.stem for path in (tmp_path / "one").glob("*.svg")}
    assert names == {"systems", "classes", "risk-coverage"}
    write_report(diagnosed, tmp_path / "two")
    assert {path.stem for path in (tmp_path / "two").glob("*.svg")} == {*names, "hits"}
    for folder in ("one", "two"):
        page = (tmp_path / folder / "report.md").read_text("utf-8")
        for name, content in pictures_of(tmp_path / folder).items():
            assert f"({name})" in page
            assert content.startswith(b"\x89PNG" if name.endswith("png") else b"<?xml")


@pytest.mark.thorough
@pytest.mark.usefixtures("with_matplotlib")
@pytest.mark.parametrize("task", ["intents", "diagnosis"])
def test_the_same_run_gives_the_same_bytes(tmp_path: Path, task: str) -> None:
    items, measures = {
        "intents": (questions(), intents.measures_of),
        "diagnosis": (patients(), diagnosis.measures_of),
    }[task]
    for folder in ("one", "two"):
        found = result_of(items, tmp_path, task=task, measures=measures)
        write_report(found, tmp_path / folder)
    assert pictures_of(tmp_path / "one") == pictures_of(tmp_path / "two")
    first, second = (
        untimed((tmp_path / folder / "evaluation.json").read_text("utf-8"))
        for folder in ("one", "two")
    )
    assert first == second


@pytest.mark.usefixtures("with_matplotlib")
def test_settings_of_the_user_change_no_picture(tmp_path: Path, asked: Evaluation) -> None:
    import matplotlib as mpl

    write_report(asked, tmp_path / "one")
    with mpl.rc_context({"font.size": 30, "axes.grid": True, "text.usetex": True}):
        write_report(asked, tmp_path / "two")
        assert mpl.rcParams["font.size"] == 30, "theirs are as they were"
    assert pictures_of(tmp_path / "one") == pictures_of(tmp_path / "two")


@pytest.mark.usefixtures("with_matplotlib")
def test_classes_of_any_name_are_drawn_without_a_warning(tmp_path: Path) -> None:
    names = ["病情诊断", "😀 \U0001fadf", "$x_1^{", "a\nb", "\x00", "ﷺ", "-->", "עברית", "हिन्दी"]
    items = [Item(f"{name} {at}", (name,), name) for name in names for at in range(2)]
    write_report(result_of(items, tmp_path), tmp_path / "out")
    assert (tmp_path / "out" / "classes.svg").is_file()


@pytest.mark.usefixtures("with_matplotlib")
def test_a_name_that_no_font_has_is_a_number_of_the_table(tmp_path: Path) -> None:
    from medweave.evaluation.report.picture_style import can_write, our_style

    unwritten = "\U00013000"
    with our_style():
        assert can_write("Fièvre, β-blocker")
        assert not can_write(f"a {unwritten}")
    write_report(result_of(questions(unwritten), tmp_path), tmp_path / "out")
    picture = (tmp_path / "out" / "classes.svg").read_text("utf-8")
    labels = re.findall(r"<!-- (.*?) -->", picture)
    page = (tmp_path / "out" / "report.md").read_text("utf-8")
    rows = {row[0]: row[1] for row in table_under(page, "Classes")[1:]}
    [number] = [number for number, name in rows.items() if name != "treatment"]
    assert f"#{number} (5)" in labels
    assert "treatment (5)" in labels


@pytest.mark.usefixtures("with_matplotlib")
def test_pictures_of_an_earlier_result_do_not_stay(
    tmp_path: Path, asked: Evaluation, diagnosed: Evaluation
) -> None:
    write_report(diagnosed, tmp_path / "out")
    (tmp_path / "out" / "notes.txt").write_text("mine", "utf-8")
    write_report(asked, tmp_path / "out")
    assert not list((tmp_path / "out").glob("hits.*"))
    assert (tmp_path / "out" / "notes.txt").read_text("utf-8") == "mine"


def test_without_matplotlib_there_is_all_but_the_pictures(
    tmp_path: Path,
    asked: Evaluation,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    told: list[MedweaveError] = []
    write_report(asked, tmp_path / "out", notice=told.append)
    assert isinstance(told[0], ConfigurationError)
    assert not pictures_of(tmp_path / "out")
    page = (tmp_path / "out" / "report.md").read_text("utf-8")
    assert "![" not in page
    assert len(table_under(page, "Systems")) == 1 + len(TRAINERS)
    assert json.loads((tmp_path / "out" / "evaluation.json").read_text("utf-8"))
    write_report(asked, tmp_path / "out")
    out, err = capsys.readouterr()
    assert out == ""
    assert "pip install 'medweave[evaluate]'" in err
    assert len(err.splitlines()) == 1


def test_a_folder_that_is_a_file_is_told(tmp_path: Path, asked: Evaluation) -> None:
    (tmp_path / "file").write_text("mine", "utf-8")
    for folder in (tmp_path / "file", tmp_path / "file" / "below"):
        with pytest.raises(ConfigurationError, match="cannot be written"):
            check_folder(folder)
        with pytest.raises(ConfigurationError, match="cannot be written"):
            write_report(asked, folder)
    assert (tmp_path / "file").read_text("utf-8") == "mine"


def test_a_file_that_cannot_be_replaced_is_told(tmp_path: Path, asked: Evaluation) -> None:
    (tmp_path / "out" / "report.md").mkdir(parents=True)
    with pytest.raises(ConfigurationError, match=r"report\.md"):
        write_report(asked, tmp_path / "out")


def test_checking_a_folder_makes_it_and_leaves_it_empty(tmp_path: Path) -> None:
    check_folder(tmp_path / "a" / "b")
    assert list((tmp_path / "a" / "b").iterdir()) == []


def test_ours_alone_is_a_report_too(tmp_path: Path) -> None:
    class Silent:
        def rank(self, item: Item) -> Ranked:
            return Ranked(answered=False)

    result = result_of(questions(), tmp_path, systems={"medweave": lambda _: Silent()})
    page = report_page(result)
    assert "No other system took part." in page
    assert "10 of 10 items" in page
