"""Numbers of a text: what they measure, in which unit, and which are none."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from medweave.language.passage import passage_of
from medweave.language.quantities import quantities, unit_codes
from medweave.language.segmentation import language_of
from medweave.language.value_cues import read_value
from medweave.language.values import read_values
from medweave.model.value import Value


def read(text: str) -> list[tuple[str, float, str]]:
    """(what the text has, value, unit) of each value, in its order."""
    return [(text[v.start : v.end], v.value, v.unit) for v in values(text)]


def values(text: str) -> tuple[Value, ...]:
    return read_values(text, language_of(text))


def one(text: str) -> Value:
    [value] = values(text)
    return value


@pytest.mark.parametrize(
    ("text", "written", "value"),
    [
        ("I have a temperature of 39 °C", "39 °C", 39.0),
        ("my temp is 38,5", "38,5", 38.5),
        ("He has 101.3F", "101.3F", 38.5),
        ("fever of 102", "102", 38.8889),
        ("a fever of a hundred and two point five", "a hundred and two point five", 39.1667),
        ("it went up to 39.4 degrees", "39.4 degrees", 39.4),
        ("a 39 degree fever", "39 degree", 39.0),
        ("is 38.5 a fever?", "38.5", 38.5),
        ("T38.5°C", "38.5°C", 38.5),
        ("体温38.5度", "38.5度", 38.5),
        ("孩子39℃", "39℃", 39.0),
        ("发烧三十八度五", "三十八度五", 38.5),
        ("烧到39", "39", 39.0),
        ("体温３９．２℃", "３９．２℃", 39.2),
        ("38度5怎么办", "38度5", 38.5),
    ],
)
def test_temperatures(text: str, written: str, value: float) -> None:
    found = one(text)
    assert found.quantity == "body temperature"
    assert (text[found.start : found.end], found.value, found.unit) == (written, value, "Cel")


@pytest.mark.parametrize(
    ("text", "both"),
    [
        ("BP 140/90", ("140", "90")),
        ("my blood pressure this morning was 150 over 95 mmHg", ("150", "95 mmHg")),
        ("blood pressure: 120 / 80", ("120", "80")),
        ("systolic 150 and diastolic 95", ("150", "95")),
        ("血压140/90", ("140", "90")),
        ("高压150，低压95", ("150", "95")),
    ],
)
def test_a_blood_pressure_is_two_values(text: str, both: tuple[str, str]) -> None:
    found = values(text)
    assert tuple(text[v.start : v.end] for v in found) == both
    assert [v.quantity for v in found] == ["systolic blood pressure", "diastolic blood pressure"]
    assert {v.unit for v in found} == {"mm[Hg]"}


@pytest.mark.parametrize("text", ["Advair 100/50", "my vision is 20/20", "160/100", "3/4 of it"])
def test_two_numbers_with_a_stroke_are_no_pressure_where_none_is_named(text: str) -> None:
    assert values(text) == ()


@pytest.mark.parametrize(
    ("text", "quantity", "value", "unit"),
    [
        ("pulse 88", "pulse", 88, "/min"),
        ("her heart is beating at 120 beats per minute", "pulse", 120, "/min"),
        ("心率110次/分", "pulse", 110, "/min"),
        ("breathing 60 times a minute", "respiration", 60, "/min"),
        ("呼吸40次/分", "respiration", 40, "/min"),
        ("SpO2 97%", "oxygen saturation", 97, "%"),
        ("98 % oxygen saturation", "oxygen saturation", 98, "%"),
        ("血氧88", "oxygen saturation", 88, "%"),
        ("She weighs 60kg", "body weight", 60, "kg"),
        ("I weigh 154 lbs", "body weight", 69.8532, "kg"),
        ("I weigh 11 stone", "body weight", 69.8532, "kg"),
        ("体重130斤", "body weight", 65, "kg"),
        ("birth weight 3200 g", "birth weight", 3.2, "kg"),
        ("I lost 5 kg", "weight change", 5, "kg"),
        ("我瘦了10斤", "weight change", 5, "kg"),
        ("glucose 180 mg/dL", "blood glucose", 9.9911, "mmol/L"),
        ("my blood sugar is 7.8", "blood glucose", 7.8, "mmol/L"),
        ("my sugar was 250", "blood glucose", 13.8766, "mmol/L"),
        ("血糖7.8", "blood glucose", 7.8, "mmol/L"),
        ("空腹血糖 8.2mmol/L", "fasting blood glucose", 8.2, "mmol/L"),
        ("LDL 100 mg/dL", "LDL cholesterol", 2.5863, "mmol/L"),
        ("triglycerides of 150 mg/dl", "triglycerides", 1.6941, "mmol/L"),
        ("creatinine 1.0 mg/dL", "creatinine", 88.4, "umol/L"),
        ("hemoglobin 9.8 g/dL", "haemoglobin", 98, "g/L"),
        ("HbA1c 48 mmol/mol", "HbA1c", 6.543, "%"),
        ("potassium 6.1", "potassium", 6.1, "mmol/L"),
    ],
)
def test_vital_signs_weights_and_results(text: str, quantity: str, value: float, unit: str) -> None:
    found = one(text)
    assert (found.quantity, found.unit) == (quantity, unit)
    assert found.value == pytest.approx(value, abs=1e-3)


def test_a_sugar_that_would_be_high_in_one_unit_and_low_in_the_other_is_not_read() -> None:
    assert values("my blood sugar is 35") == ()


@pytest.mark.parametrize(
    ("text", "quantity", "days"),
    [
        ("a cough for 3 days", "duration", 3),
        ("a cough for a week", "duration", 7),
        ("ill for two and a half weeks", "duration", 17.5),
        ("half a year of pain", "duration", 182.625),
        ("pain for 12 hours", "duration", 0.5),
        ("it began two weeks ago", "onset", 14),
        ("咳嗽三天", "duration", 3),
        ("已经两周了", "duration", 14),
        ("疼了半年", "duration", 182.625),
        ("一个半月了", "duration", 45.6562),
        ("咳嗽三天半", "duration", 3.5),
        ("3天前开始", "onset", 3),
    ],
)
def test_durations_and_onsets_are_days(text: str, quantity: str, days: float) -> None:
    found = one(text)
    assert (found.quantity, found.value, found.unit) == (quantity, days, "d")


@pytest.mark.parametrize(
    ("text", "doses"),
    [
        ("500 mg paracetamol", [("500 mg", 500, "mg")]),
        ("2 tablets of 400mg", [("2 tablets", 2, "{tablet}"), ("400mg", 400, "mg")]),
        ("half a tablet", [("half a tablet", 0.5, "{tablet}")]),
        ("1 1/2 tablets", [("1 1/2 tablets", 1.5, "{tablet}")]),
        ("5 ml syrup, 50 mcg, 1,000 IU",
         [("5 ml", 5, "mL"), ("50 mcg", 50, "ug"), ("1,000 IU", 1000, "[iU]")]),
        ("10 mg/kg", [("10 mg/kg", 10, "mg/kg")]),
        ("布洛芬200毫克", [("200毫克", 200, "mg")]),
        ("每次2片", [("2片", 2, "{tablet}")]),
    ],
)  # fmt: skip
def test_doses_keep_their_unit(text: str, doses: list[tuple[str, float, str]]) -> None:
    assert read(text) == doses
    assert {v.quantity for v in values(text)} == {"dose"}


@pytest.mark.parametrize(
    "text",
    [
        "My 5-year-old is ill",
        "my 10 month old coughs",
        "I'm 45 years old with type 2 diabetes",
        "she is 3 months and coughs",
        "a boy aged 4 years",
        "I am 30 weeks pregnant",
        "on 3/4/2020 at 3 pm, in 2021, 12:30",
        "vitamin B12, CD4, COVID-19, H1N1, T4",
        "3 times a day, once a week, every 6 hours",
        "Wash at 40 °C",
        "it is 40°C outside",
        "I drank 200 ml of milk",
        "I lift 20 kg",
        "no numbers here",
        "孩子5岁，10个月大的宝宝",
        "一天三次，每8小时一次",
        "孕20周",
        "2020年5月3日",
        "二度烧伤，2型糖尿病，第三天，三月份，一直，一般",
    ],
)
def test_what_only_looks_like_a_value_is_left_alone(text: str) -> None:
    assert read(text) == []


def test_numbers_in_names_are_left_alone() -> None:
    text = "factor 8 units"
    assert read_values(text, "en", [(0, len(text))]) == ()
    assert read_values("take 8 units", "en") != ()


@pytest.mark.parametrize(
    ("text", "ends"),
    [
        ("temp 38-39", [38, 39]),
        ("between 38 and 39.5 °C", [38, 39.5]),
        ("for 2 to 3 days", [2, 3]),
        ("体温38到39度", [38, 39]),
    ],
)
def test_a_range_is_its_two_ends(text: str, ends: list[float]) -> None:
    found = values(text)
    assert [v.value for v in found] == ends
    assert len({(v.quantity, v.unit, v.written_unit) for v in found}) == 1


@pytest.mark.parametrize(
    ("text", "bound"),
    [
        ("temperature below 38", "<"),
        ("temperature is not above 38", "<"),
        ("temperature over 39", ">"),
        ("temperature up to 39", ""),
        ("体温不到38度", "<"),
        ("体温39度以上", ">"),
    ],
)
def test_a_bound_is_told(text: str, bound: str) -> None:
    assert one(text).bound == bound


def test_each_number_goes_with_the_name_beside_it() -> None:
    text = "LDL 80 mg/dl, HDL 24.8 mg/dl, iron 120 ug/dl, CA 9.1 mg/dl"
    assert [v.quantity for v in values(text)] == ["LDL cholesterol", "HDL cholesterol"]
    text = "RBC 6.61, HGB 12.4"
    assert [v.quantity for v in values(text)] == ["haemoglobin"]
    text = "T 38.5℃ P 102次/分 R 22次/分 BP 120/80mmHg"
    assert [v.value for v in values(text)] == [38.5, 102, 22, 120, 80]


def test_what_is_written_is_kept() -> None:
    assert one("He has 101.3 °F").to_json() == {
        "start": 7,
        "end": 15,
        "quantity": "body temperature",
        "value": 38.5,
        "unit": "Cel",
        "finding": None,
        "as_written": {"value": 101.3, "unit": "°F"},
    }
    assert one("temperature 39").to_json()["as_written"] == {"value": 39.0, "unit": None}


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("I have 39 °C", "present"),
        ("temperature 39 °C", "present"),
        ("no fever, 39 °C", "present"),
        ("Could it be flu with 39 °C?", "present"),
        ("should I see a doctor with a temperature above 39 °C?", "present"),
        ("I don't have 39 °C", "absent"),
        ("What if he has 39 °C?", "hypothetical"),
        ("What to do if the temperature goes above 39 °C?", "hypothetical"),
        ("normal is 38 °C", "hypothetical"),
        ("我没有发烧，体温39度", "present"),
        ("体温没有39度", "absent"),
        ("如果体温超过39度", "hypothetical"),
    ],
)
def test_how_a_value_is_meant(text: str, status: str) -> None:
    assert read_value(passage_of(text), one(text)).status == status


_ODD = [
    "1,000",
    "39",
    "140/90",
    "fever",
    "体温",
    "血压",
    "三十",
    "半",
    "个半",
    "day",
    "天",
    "½",
    "１",
]
_ODD += ["²", "٣", "ı", "İ", "\n", "a hundred and", "over", "9" * 400, *"0123456789 ./-,"]
_PIECES = st.lists(st.sampled_from([*unit_codes(), *_ODD]), max_size=12)
_TEXTS = st.one_of(st.text(), _PIECES.map("".join), _PIECES.map(" ".join))


@given(_TEXTS, st.sampled_from(["en", "zh"]))
def test_any_text_is_read(text: str, language: str) -> None:
    found = read_values(text, language)
    assert all(0 <= v.start < v.end <= len(text) for v in found)
    assert all(first.end <= second.start for first, second in pairwise(found))
    assert all(math.isfinite(v.value) for v in found)
    assert all(any(c.isnumeric() or c.isalpha() for c in text[v.start : v.end]) for v in found)


_UNITS = [(name, code) for name, quantity in quantities().items() for code in quantity.units]


@given(st.sampled_from(_UNITS), st.floats(0, 1e5))
def test_conversions_go_there_and_back(which: tuple[str, str], written: float) -> None:
    unit = quantities()[which[0]].units[which[1]]
    assert unit.written(unit.reasoned(written)) == pytest.approx(written, abs=1e-6)


@given(st.integers(930, 1100))
def test_fahrenheit_is_read_as_the_same_heat(tenths: int) -> None:
    text = f"a temperature of {tenths / 10} °F today"
    found = one(text)
    assert found.value == pytest.approx((tenths / 10 - 32) / 1.8, abs=1e-3)
    assert text[found.start : found.end] == f"{tenths / 10} °F"


@given(st.integers(1, 99), st.sampled_from([("days", 1.0), ("weeks", 7.0), ("天", 1), ("周", 7)]))
def test_times_are_days(number: int, unit: tuple[str, float]) -> None:
    text = f"a cough for {number} {unit[0]}" if unit[0].isascii() else f"咳嗽{number}{unit[0]}了"
    assert one(text).value == number * unit[1]


def test_every_unit_that_is_accepted_can_be_written() -> None:
    accepted = {code for _, code in _UNITS}
    assert accepted == set(unit_codes().values())


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("hoarse voice for the past few weeks", 14.0),
        ("for months I have had tummy pain", 60.875),
        ("the cough has lasted weeks now", 14.0),
        ("several days of fever", 2.0),
        ("on warfarin for years", 730.5),
        ("声音嘶哑好几个星期了", 14.0),
        ("咳嗽几个月了，没好", 60.875),
    ],
)
def test_a_time_without_a_number_is_two_of_its_unit_at_the_least(text: str, days: float) -> None:
    value = one(text)
    assert (value.quantity, value.value, value.bound) == ("duration", days, ">")


@pytest.mark.parametrize(
    "text", ["a few weeks ago I had a cough", "咳嗽几天能好？", "in weeks to come", "for two weeks"]
)
def test_what_is_over_asked_or_counted_is_no_untold_time(text: str) -> None:
    assert not [value for value in values(text) if value.bound]
