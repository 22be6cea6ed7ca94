"""Rows brought into shape: kept, joined, answered, collected, gathered."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from medweave.errors import SourceError
from medweave.model.document import Skipped
from medweave.sources.files.row import Cut, Row
from medweave.sources.files.rows import read_rows
from medweave.sources.files.tables import Form
from medweave.sources.mapping.layouts import parse_mapping
from medweave.sources.mapping.shaping import shaped
from medweave.sources.mapping.side_tables import Tables

PATH = Path("folder/file.csv")
TABLE = {"tables": {"things": {"file": "things", "key": "id"}}}


def shape(
    rows: list[dict[str, Any] | Skipped | Cut], folder: Path = PATH.parent, **entries: Any
) -> list[dict[str, Any] | str]:
    """The values of rows after shaping, and what was skipped as text."""
    mapping = parse_mapping({"kind": "monographs", **entries}, "test.yaml")
    numbered = (Row(n, row) if isinstance(row, dict) else row for n, row in enumerate(rows, 2))
    made = shaped(numbered, PATH, mapping, Tables(folder, mapping))
    return [row.values if isinstance(row, Row) else _told(row) for row in made]


def _told(row: Skipped | Cut) -> str:
    skipped = row.skipped if isinstance(row, Cut) else row
    return f"{type(row).__name__} {skipped.line}: {skipped.reason}"


def with_table(tmp_path: Path, text: str = "id,label\n1,one\n2,two\n") -> Path:
    (tmp_path / "things.csv").write_text(text, "utf-8")
    return tmp_path


BROKEN = Skipped("file.csv", 9, "broken")
CUT = Cut(Skipped("file.csv", 9, "cut"))
STEPS: dict[str, dict[str, Any]] = {
    "keep": {"keep": {"a": ["1"]}},
    "join": {**TABLE, "join": {"a": "things"}},
    "questions": {"fields": {"f": {"predicate": "p"}}, "questions": {"What is {name}?": "f"}},
    "collect": {"collect": {"all": {}}},
    "gather": {"gather": True},
}


@pytest.mark.parametrize("step", STEPS)
def test_what_is_no_row_goes_through_every_step(tmp_path: Path, step: str) -> None:
    made = shape([BROKEN, CUT], with_table(tmp_path), **STEPS[step])
    assert made == ["Skipped 9: broken", "Cut 9: cut"]


def test_without_a_step_rows_are_as_they_were() -> None:
    assert shape([{"a": 1}, {}]) == [{"a": 1}, {}]


class TestKept:
    def test_only_rows_with_one_of_the_values_in_every_column(self) -> None:
        rows = [{"a": a, "b": b} for a in ("1", " 1 ", "2", "3") for b in ("x", "y")]
        made = shape([*rows, {"a": 1, "b": "x"}, {}], keep={"a": ["1", 2], "b": ["x"]})
        assert made == [
            {"a": "1", "b": "x"}, {"a": " 1 ", "b": "x"}, {"a": "2", "b": "x"}, {"a": 1, "b": "x"},
            "Skipped 11: 3 rows with another 'b' than the mapping keeps",
            "Skipped 11: 3 rows with another 'a' than the mapping keeps",
        ]  # fmt: skip

    def test_rows_with_a_text_that_is_not_wanted_are_counted(self) -> None:
        rows: list[dict[str, Any] | Skipped | Cut] = [
            {"a": "fast?: 0"},
            {"a": "cough"},
            {"a": "sore?: TRUE"},
        ]
        assert shape(rows, without={"a": ["?: "]}) == [
            {"a": "cough"}, "Skipped 4: 2 rows with '?:' in 'a'",
        ]  # fmt: skip


class TestJoined:
    def test_the_columns_of_the_table_stand_behind_the_name_of_the_column(
        self, tmp_path: Path
    ) -> None:
        folder = with_table(tmp_path)
        made = shape([{"a": " 2 ", "label": "own"}], folder, **TABLE, join={"a": "things"})
        assert made == [{"a": " 2 ", "label": "own", "a.id": "2", "a.label": "two"}]

    def test_a_key_that_stands_for_several_things_gives_a_row_for_each(
        self, tmp_path: Path
    ) -> None:
        (tmp_path / "things.csv").write_text("id,label\n1,one\n1,uno\n1,one\n", "utf-8")
        made = shape([{"a": "1"}], tmp_path, **TABLE, join={"a": "things"}, name_field="a.label")
        assert [row["a.label"] for row in made if isinstance(row, dict)] == ["one", "uno"]

    def test_rows_without_an_entry_are_counted_by_column(self, tmp_path: Path) -> None:
        rows = [{"a": "1", "b": "9"}, {"a": "9", "b": "1"}, {"a": "9", "b": "2"}, {"b": "1"}]
        join = {"a": "things", "b": "things"}
        assert shape([*rows], with_table(tmp_path), **TABLE, join=join) == [
            "Skipped 5: 1 rows with a 'b' that is not in the table 'things'",
            "Skipped 5: 3 rows with a 'a' that is not in the table 'things'",
        ]

    def test_an_optional_join_keeps_them(self, tmp_path: Path) -> None:
        join = {"a": {"table": "things", "optional": True}}
        assert shape([{"a": "9"}], with_table(tmp_path), **TABLE, join=join) == [{"a": "9"}]

    @pytest.mark.parametrize("value", ["1", "{}", "{0.__class__}", "%s", "{"])
    def test_a_value_is_put_into_the_key_and_never_read_as_a_pattern(
        self, tmp_path: Path, value: str
    ) -> None:
        folder = with_table(tmp_path, f"id,label\nKind::{value},one\n")
        join = {"a": {"table": "things", "key": "Kind::{}"}}
        (made,) = shape([{"a": value}], folder, **TABLE, join=join)
        assert isinstance(made, dict)
        assert made["a.label"] == "one"


class TestTables:
    def rows(self, folder: Path) -> list[dict[str, Any] | str]:
        return shape([{"a": "1"}], folder, **TABLE, join={"a": "things"})

    def test_a_table_that_is_missing_is_named(self, tmp_path: Path) -> None:
        with pytest.raises(SourceError, match="the file 'things' is missing") as caught:
            self.rows(tmp_path)
        assert caught.value.where == str(tmp_path)

    def test_a_table_of_three_columns_has_the_header_that_is_asked_for(
        self, tmp_path: Path
    ) -> None:
        with_table(tmp_path, "id,mark,colour\n1,one,red\n")
        entries = {
            **TABLE,
            "kind": "triples",
            "join": {"a": "things"},
            "subject": {"name": "a.mark"},
        }
        assert shape([{"a": "1"}], tmp_path, **entries) == [
            {"a": "1", "a.id": "1", "a.mark": "one", "a.colour": "red"}
        ]

    def test_a_table_that_no_row_asks_for_may_be_missing(self, tmp_path: Path) -> None:
        assert shape([], tmp_path, **TABLE, join={"a": "things"}) == []

    def test_a_table_that_breaks_off_says_too_little_to_go_on(self, tmp_path: Path) -> None:
        with pytest.raises(SourceError, match=r"breaks off.*things\.csv line 3"):
            self.rows(with_table(tmp_path, "id,label\n1,one\n2"))

    def test_an_empty_file_is_no_table(self, tmp_path: Path) -> None:
        with pytest.raises(SourceError, match="empty"):
            self.rows(with_table(tmp_path, ""))

    def test_the_first_of_two_rows_of_a_key_holds(self, tmp_path: Path) -> None:
        (made,) = self.rows(with_table(tmp_path, "id,label\n1,one\n1,other\n"))
        assert made == {"a": "1", "a.id": "1", "a.label": "one"}

    @pytest.mark.parametrize("name", ["things.jsonl", "things.json"])
    def test_a_table_may_be_in_any_format(self, tmp_path: Path, name: str) -> None:
        (tmp_path / "things.md").write_text("About things.", "utf-8")
        (tmp_path / "things.bak").write_text("no", "utf-8")
        (tmp_path / name).write_text(json.dumps({"id": 1, "label": "one"}), "utf-8")
        if name.endswith(".json"):
            (tmp_path / "things.md").unlink()
        assert self.rows(tmp_path) == [{"a": "1", "a.id": 1, "a.label": "one"}]


class TestAnswered:
    QUESTIONS = STEPS["questions"]

    @pytest.mark.parametrize(
        ("question", "name"),
        [
            ("What is flu?", "flu"),
            ("what  IS the\nflu ?", "the flu"),
            ("What is flu? Or what is a cold?", "flu? Or what is a cold"),
        ],
    )
    def test_a_question_becomes_a_field_of_what_it_asks_about(
        self, question: str, name: str
    ) -> None:
        made = shape([{"question": question, "answer": "An answer."}], **self.QUESTIONS)
        assert made == [{"name": name, "key": f"{name}/f", "f": "An answer."}]

    @pytest.mark.parametrize("question", ["Where is flu?", "", "So what is flu?", "What isflu"])
    def test_questions_that_no_pattern_fits_are_counted(self, question: str) -> None:
        rows: list[Any] = [{"question": question, "answer": "x"}, {"answer": "x"}]
        assert shape(rows, **self.QUESTIONS) == [
            "Skipped 3: 2 questions that no pattern of the mapping fits"
        ]

    @given(st.text("abc ?.{}()[]*", min_size=1))
    def test_signs_of_patterns_mean_themselves(self, around: str) -> None:
        text = " ".join(around.replace("{", "").replace("}", "").split())
        entries = {**self.QUESTIONS, "questions": {f"{text} {{name}}": "f"}}
        (made,) = shape([{"question": f"{text} flu", "answer": "x"}], **entries)
        assert isinstance(made, dict)
        assert made["name"] == "flu"


class TestCollected:
    ROW: ClassVar = {"name": "flu", "a": "1", "b": " 0 ", "c": "", "d": "1"}

    def test_the_columns_with_a_value(self) -> None:
        assert shape([self.ROW], collect={"all": {"equal": "1"}}) == [
            {"name": "flu", "all": ["a", "d"]}
        ]

    def test_the_values_of_columns(self) -> None:
        assert shape([self.ROW], collect={"all": {}}) == [{"name": "flu", "all": ["1", "0", "1"]}]

    def test_columns_that_a_rule_names_stay_out_of_it(self) -> None:
        fields = {"all": {"predicate": "has_symptom"}, "a": {"predicate": "has_symptom"}}
        assert shape([self.ROW], collect={"all": {}}, fields=fields) == [
            {"name": "flu", "a": "1", "all": ["0", "1"]}
        ]


class TestGathered:
    def test_lists_come_together_and_of_other_values_the_first_there_is_is_kept(self) -> None:
        rows: list[Any] = [
            {"name": "flu", "all": ["a"], "text": "", "more": None},
            {"name": "cold", "all": ["c"]},
            {"name": " flu ", "all": ["b", "a"], "text": "first", "more": "x"},
            {"name": "flu", "all": [], "text": "second"},
        ]
        assert shape(rows, gather=True) == [
            {"name": "flu", "all": ["a", "b"], "text": "first", "more": "x"},
            {"name": "cold", "all": ["c"]},
        ]

    @given(st.lists(st.tuples(st.sampled_from("xyz"), st.lists(st.sampled_from("abc")))))
    def test_every_entry_of_every_row_is_there_once(
        self, rows: list[tuple[str, list[str]]]
    ) -> None:
        made = shape([{"name": name, "all": entries} for name, entries in rows], gather=True)
        wanted: dict[str, dict[str, None]] = {}
        for name, entries in rows:
            wanted.setdefault(name, {}).update(dict.fromkeys(entries))
        values = [row for row in made if isinstance(row, dict)]
        assert {row["name"] for row in values} == set(wanted)
        assert all(set(row["all"]) == set(wanted[row["name"]]) for row in values)
        assert len(values) == len(made) == len(wanted)


class TestForms:
    def values(self, tmp_path: Path, name: str, text: str, form: Form) -> list[dict[str, Any]]:
        path = tmp_path / name
        path.write_text(text, "utf-8")
        return [row.values for row in read_rows(path, form) if isinstance(row, Row)]

    @pytest.mark.parametrize("name", ["a.csv", "a.tsv", "a.sif"])
    def test_without_a_header_columns_are_numbers(self, tmp_path: Path, name: str) -> None:
        text = "name,concept\nflu,disease\n".replace(",", "," if name == "a.csv" else "\t")
        assert self.values(tmp_path, name, text, Form(header=False)) == [
            {"0": "name", "1": "concept"}, {"0": "flu", "1": "disease"},
        ]  # fmt: skip

    def test_columns_that_are_known_make_a_header_of_three(self, tmp_path: Path) -> None:
        text = "code,effect,seen\nD1,rash,often\n"
        form = Form(columns=frozenset({"code", "seen"}))
        header = {"code": "D1", "effect": "rash", "seen": "often"}
        assert self.values(tmp_path, "a.csv", text, form) == [header]
        assert len(self.values(tmp_path, "a.csv", text, Form())) == 2

    def test_cells_between_tabs_may_stand_in_quotes(self, tmp_path: Path) -> None:
        text = 'name\ttext\nflu\t"one\n""two""\tthree"\ncold\tfour\n'
        assert self.values(tmp_path, "a.tsv", text, Form(quoted=True)) == [
            {"name": "flu", "text": 'one\n"two"\tthree'}, {"name": "cold", "text": "four"},
        ]  # fmt: skip

    def test_and_are_signs_like_any_other_where_they_may_not(self, tmp_path: Path) -> None:
        text = 'name\ttext\nflu\t"one\ncold\tfour"\n'
        assert self.values(tmp_path, "a.tsv", text, Form()) == [
            {"name": "flu", "text": '"one'}, {"name": "cold", "text": 'four"'},
        ]  # fmt: skip

    @given(st.lists(st.tuples(st.text("ab\t\"'"), st.text("ab\n")), min_size=1, max_size=5))
    def test_whatever_is_quoted_is_read_as_it_was(
        self, tmp_path_factory: pytest.TempPathFactory, cells: list[tuple[str, str]]
    ) -> None:
        rows = [(f"x{first}", f"y{second}y") for first, second in cells]
        lines = ["\t".join('"' + cell.replace('"', '""') + '"' for cell in row) for row in rows]
        text = "\n".join(["p\tq", *lines]) + "\n"
        made = self.values(tmp_path_factory.mktemp("q"), "a.tsv", text, Form(quoted=True))
        assert made == [{"p": first, "q": second} for first, second in rows]


class TestKeyedObjects:
    def values(self, tmp_path: Path, value: Any) -> list[dict[str, Any] | str]:
        path = tmp_path / "a.json"
        path.write_text(json.dumps(value), "utf-8")
        return [row.values if isinstance(row, Row) else _told(row) for row in read_rows(path)]

    def test_an_object_of_records_gives_each_its_key(self, tmp_path: Path) -> None:
        value = {"E_1": {"name": "one"}, "E_2": {"name": "two", "@key": "own"}, "E_3": {}}
        assert self.values(tmp_path, value) == [
            {"@key": "E_1", "name": "one"}, {"@key": "own", "name": "two"}, {"@key": "E_3"},
        ]  # fmt: skip

    @pytest.mark.parametrize("value", [{"a": {"b": 1}}, {"a": {}, "b": 1}])
    def test_any_other_object_is_one_record(self, tmp_path: Path, value: dict[str, Any]) -> None:
        assert self.values(tmp_path, value) == [value]

    def test_half_a_character_spoils_one_record_alone(self, tmp_path: Path) -> None:
        value = {"a": {"name": "\ud800"}, "b": {"name": "two"}}
        bad, good = self.values(tmp_path, value)
        assert "half a character" in str(bad)
        assert good == {"@key": "b", "name": "two"}

    def test_half_a_character_in_a_key_too(self, tmp_path: Path) -> None:
        bad, good = self.values(tmp_path, {"\udfff": {"name": "one"}, "b": {"name": "two"}})
        assert "half a character" in str(bad)
        assert good == {"@key": "b", "name": "two"}
