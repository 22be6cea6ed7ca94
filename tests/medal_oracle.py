"""medAL algorithms by plain recursion over their JSON: what the imported guideline is held against.

It shares nothing with the importer or with the evaluation of guidelines. Truth is True, False or
None (unknown). Paths are walked from the top, edge by edge, as a person with the diagram would.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Mapping
from typing import Any

UNAVAILABLE = "unavailable"
OLDER_FROM = 60


def k_and(parts: Iterable[bool | None]) -> bool | None:
    """AND."""
    listed = list(parts)
    return False if False in listed else None if None in listed else True


def k_or(parts: Iterable[bool | None]) -> bool | None:
    """OR."""
    listed = list(parts)
    return True if True in listed else None if None in listed else False


def k_not(part: bool | None) -> bool | None:
    """NOT."""
    return None if part is None else not part


def _ways_on(part: Any) -> Iterable[tuple[str, str]]:
    """The answers (node, answer) that an edge of some diagram starts from."""
    for name, inner in part.items() if isinstance(part, dict) else enumerate(part):
        if name == "conditions" and isinstance(inner, list):
            yield from ((str(each["node_id"]), str(each["answer_id"])) for each in inner)
        elif isinstance(inner, dict | list):
            yield from _ways_on(inner)


class Oracle:
    """One child before one algorithm: answers by node id (an answer's id, a number, a word)."""

    def __init__(
        self,
        document: Mapping[str, Any],
        *,
        age: int | None,
        weight: float | None = None,
        sex: str | None = None,
        answers: Mapping[str, Any] | None = None,
        tables: Mapping[str, Any] | None = None,
    ) -> None:
        self.d = document
        self.nodes: Mapping[str, Any] = document["nodes"]
        self.basic = document["config"]["basic_questions"]
        self.age, self.weight, self.sex = age, weight, sex
        self.answers = dict(answers or {})
        self.tables = tables or {}
        self._memo: dict[Any, bool | None] = {}
        self._ways_on = set(_ways_on(document))

    # What a node was answered -------------------------------------------------------------

    def is_answer(self, node_id: Any, answer_id: Any) -> bool | None:
        """Whether the node has that answer."""
        key = ("is", str(node_id), str(answer_id))
        if key not in self._memo:
            self._memo[key] = self._is_answer(self.nodes[str(node_id)], str(answer_id))
        return self._memo[key]

    def _is_answer(self, node: Any, answer_id: str) -> bool | None:
        reference = node["answers"][answer_id].get("reference")
        if node["category"] == "complaint_category":
            yes = self.category(node["id"])
            return yes if reference == 1 else k_not(yes)
        if node["type"] == "QuestionsSequence" and str(node["id"]) not in self.answers:
            yes = self.sequence(node)
            return yes if reference == 1 else k_not(yes)
        given = self.answers.get(str(node["id"]))
        if self._is_only_away(node, given) and given != answer_id:
            return None
        return self._was_given(node, answer_id, given)

    def _was_given(self, node: Any, answer_id: str, given: Any) -> bool | None:
        same: bool = given == answer_id
        if node["value_format"] in ("Integer", "Float"):
            if str(given) in node["answers"] and not isinstance(given, int | float):
                return same
            number = self.number(node)
            if number is None:
                return None
            return answer_id == self.first_band(node, number)
        if node["id"] == self.basic["gender_question_id"] and given is None:
            given = next((i for i, a in node["answers"].items() if a["value"] == self.sex), None)
        return None if given is None else given == answer_id

    def _is_only_away(self, node: Any, given: Any) -> bool:
        """Whether it was said that it cannot be had, and no diagram goes on from there."""
        away = node["answers"].get(given) if isinstance(given, str) else None
        return (
            away is not None
            and away["value"] == "not_available"
            and (str(node["id"]), given) not in self._ways_on
        )

    def first_band(self, node: Any, number: float) -> str | None:
        """The first answer, by id, whose limits hold the number."""
        identifier: str
        for identifier in sorted(node["answers"], key=int):
            answer = node["answers"][identifier]
            limits = []
            for part in str(answer["value"]).split(","):
                try:
                    limits.append(float(part))
                except ValueError:
                    limits.append(math.nan)
            operator = answer["operator"]
            if (
                (operator == "less" and number < limits[0])
                or (operator == "more_or_equal" and number >= limits[0])
                or (operator == "between" and limits[0] <= number < limits[1])
            ):
                return identifier
        return None

    def number(self, node: Any) -> float | None:  # noqa: PLR0911 - one for each kind
        """The number a node has: given, standing for an answer, or calculated."""
        given = self.answers.get(str(node["id"]))
        if isinstance(given, int | float):
            return float(given)
        if given is not None:
            value = node["answers"][given]["value"]
            try:
                return float(value)
            except ValueError:
                return None
        if node["id"] == self.basic["weight_question_id"]:
            return self.weight
        formula = node.get("formula")
        if formula in ("ToDay", "ToMonth"):
            if self.age is None:
                return None
            if formula == "ToDay":
                return float(self.age)
            months = 0
            while int((months + 1) * 30.4375) <= self.age:
                months += 1
            return float(months)
        if formula:
            return self.number(self.nodes[formula.strip("[]")])
        if node.get("reference_table_x_id") is not None:
            return self.z_score(node)
        return None

    def z_score(self, node: Any) -> float | None:
        """As medAL-reader reads its tables."""
        x_node = self.nodes[str(node["reference_table_x_id"])]
        y_node = self.nodes[str(node["reference_table_y_id"])]
        x, y = self.number(x_node), self.number(y_node)
        given = self.answers.get(str(x_node["id"]))
        if x is None or y is None or self.sex is None or isinstance(given, str):
            return None
        table = self.tables[node[f"reference_table_{self.sex}"]]
        row = table[min(table, key=lambda each: abs(float(each) - x))]
        keys = sorted(row, key=float)
        if y < row[keys[0]]:
            return float(keys[0])
        if y > row[keys[-1]]:
            return float(keys[-1])
        before = keys[0]
        for key in keys:
            if row[key] == y:
                return float(key)
            if row[key] > y:
                return float(key) if float(key) <= 0 else float(before)
            before = key
        return None

    # Diagrams -----------------------------------------------------------------------------

    def category(self, identifier: Any) -> bool | None:
        """Whether a complaint category is yes."""
        node = self.nodes[str(identifier)]
        older = None if self.age is None else self.age >= OLDER_FROM
        if identifier == self.basic["general_cc_id"]:
            return older
        if identifier == self.basic["yi_general_cc_id"]:
            return k_not(older)
        given = self.answers.get(str(identifier))
        named = given is not None and node["answers"][given]["reference"] == 1
        return k_and((named, k_not(older) if node["is_neonat"] else older))

    def allowed(self, identifier: Any) -> bool | None:
        """Whether no category takes a node out of the diagrams."""
        return k_and(self.category(cc) for cc in self.nodes[str(identifier)]["conditioned_by_cc"])

    def aged(self, part: Any) -> bool | None:
        """Whether the age is within a part's cut-offs."""
        start, end = part.get("cut_off_start"), part.get("cut_off_end")
        if start is None and end is None:
            return True
        if self.age is None:
            return None
        return (start is None or self.age >= start) and (end is None or self.age < end)

    def walk(self, instances: Any, conditions: Any, *, all_: bool) -> bool | None:
        """Whether some path from a top instance leads to what has these conditions."""
        ends: list[bool | None] = []

        def go(instance: Any, so_far: bool | None) -> None:
            here = k_and((so_far, self.allowed(instance["id"])))
            if here is False:
                return
            for condition in conditions:
                if condition["node_id"] == instance["id"]:
                    ends.append(k_and((here, self.edge(condition))))
            for other in instances.values():
                if not all_ and other["final_diagnosis_id"] is not None:
                    continue
                for condition in other["conditions"]:
                    if condition["node_id"] == instance["id"]:
                        go(other, k_and((here, self.edge(condition))))

        for instance in instances.values():
            if not instance["conditions"] and (all_ or instance["final_diagnosis_id"] is None):
                go(instance, True)
        return k_or(ends)

    def edge(self, condition: Any) -> bool | None:
        """Whether an edge is open."""
        return k_and(
            (self.is_answer(condition["node_id"], condition["answer_id"]), self.aged(condition))
        )

    def sequence(self, node: Any) -> bool | None:
        """Whether a question sequence is yes."""
        key = ("qs", node["id"])
        if key in self._memo:
            return self._memo[key]
        if node["category"] == "scored":
            least = most = 0.0
            for condition in node["conditions"]:
                truth = k_and((self.allowed(condition["node_id"]), self.edge(condition)))
                least += condition["score"] if truth is True else 0
                most += condition["score"] if truth is not False else 0
            found = (
                True if least >= node["min_score"] else False if most < node["min_score"] else None
            )
        else:
            found = self.walk(node["instances"], node["conditions"], all_=False)
        self._memo[key] = found
        return found

    # Final diagnoses ----------------------------------------------------------------------

    def own(self, identifier: Any) -> bool | None:
        """Whether a final diagnosis's own tree holds."""
        key = ("own", str(identifier))
        if key not in self._memo:
            diagnosis = self.d["final_diagnoses"][str(identifier)]
            tree = self.d["diagnoses"][str(diagnosis["diagnosis_id"])]
            self._memo[key] = k_and(
                (
                    self.category(tree["complaint_category"]),
                    self.aged(tree),
                    self.walk(tree["instances"], diagnosis["conditions"], all_=False),
                )
            )
        return self._memo[key]

    def status(self, identifier: Any, refused: Iterable[Any] = ()) -> str:
        """The status of a final diagnosis."""
        diagnosis = self.d["final_diagnoses"][str(identifier)]
        tree = self.d["diagnoses"][str(diagnosis["diagnosis_id"])]
        if self.aged(tree) is False:
            return "not_applicable"
        refused = {str(each) for each in refused}
        others = [
            self.own(each)
            for each in diagnosis["excluding_final_diagnoses"]
            if str(each) not in refused
        ]
        own = self.own(identifier)
        if own is False or str(identifier) in refused or True in others:
            return "excluded"
        if own is None:
            return "possible"
        return "provisional" if None in others else "confirmed"

    def treated(self, identifier: Any, care: Any) -> bool | None:
        """Whether a drug or management of a final diagnosis has its own condition met."""
        diagnosis = self.d["final_diagnoses"][str(identifier)]
        tree = self.d["diagnoses"][str(diagnosis["diagnosis_id"])]
        given = {**diagnosis["drugs"], **diagnosis["managements"]}[str(care)]
        if not given["conditions"]:
            return True
        instances = tree["final_diagnoses"][str(identifier)]["instances"]
        return self.walk(instances, given["conditions"], all_=True)


def child(document: Mapping[str, Any], rng: random.Random) -> dict[str, Any]:
    """A child at random: what leads along a path to some diagnosis, and some other answers."""
    age = rng.choice([rng.randrange(60), rng.randrange(60, 1826), rng.randrange(1826)])
    answers: dict[str, Any] = {}
    diagnoses = list(document["final_diagnoses"].values())
    for _ in range(rng.randrange(1, 4)):
        diagnosis = rng.choice(diagnoses)
        tree = document["diagnoses"][str(diagnosis["diagnosis_id"])]
        _lead(document, rng, tree["instances"], diagnosis["conditions"], answers, 0)
        _say(document, rng, tree["complaint_category"], None, answers)
    share = rng.choice([0.0, 0.2, 0.6, 1.0])
    for node in document["nodes"].values():
        if str(node["id"]) not in answers and rng.random() < share:
            _say(document, rng, node["id"], None, answers)
    if rng.random() < 0.3:
        for name in rng.sample(sorted(answers), len(answers) // 3):
            del answers[name]
    return {
        "age": rng.choice([age, age, age, age, None]),
        "weight": rng.choice([None, round(rng.uniform(2, 25), 1)]),
        "sex": rng.choice([None, "male", "female", "male", "female"]),
        "answers": answers,
    }


def _lead(  # noqa: PLR0917 - a walk
    document: Mapping[str, Any],
    rng: random.Random,
    instances: Any,
    conditions: Any,
    answers: dict[str, Any],
    depth: int,
) -> None:
    """Answer what lies on one path to what has these conditions."""
    if not conditions or depth > 12:
        return
    condition = rng.choice(list(conditions))
    node = document["nodes"][str(condition["node_id"])]
    if node["type"] == "QuestionsSequence":
        if node["answers"][str(condition["answer_id"])]["reference"] == 1:
            _lead(document, rng, node["instances"], node["conditions"], answers, depth + 1)
    else:
        _say(document, rng, node["id"], str(condition["answer_id"]), answers)
    instance = instances.get(str(node["id"]))
    if instance:
        _lead(document, rng, instances, instance["conditions"], answers, depth + 1)


def _say(
    document: Mapping[str, Any],
    rng: random.Random,
    identifier: Any,
    answer: str | None,
    answers: dict[str, Any],
) -> None:
    node = document["nodes"][str(identifier)]
    basic = document["config"]["basic_questions"].values()
    general = node["category"] == "complaint_category" and node["id"] in basic
    if node["type"] != "Question" or node.get("formula") or general:
        return
    if node.get("reference_table_x_id") is not None or node["id"] in (
        document["config"]["basic_questions"]["weight_question_id"],
        document["config"]["basic_questions"]["gender_question_id"],
    ):
        return
    if node["category"] == "complaint_category" and answer is None:
        yes = rng.random() < 0.7
        answers[str(identifier)] = next(
            i for i, a in node["answers"].items() if (a["reference"] == 1) == yes
        )
        return
    if node["value_format"] in ("Integer", "Float"):
        chosen = answer or (rng.choice(list(node["answers"])) if node["answers"] else None)
        answers[str(identifier)] = _number(rng, node, chosen)
        return
    if node["answers"]:
        answers[str(identifier)] = answer or rng.choice(list(node["answers"]))


def _number(rng: random.Random, node: Any, chosen: str | None) -> Any:
    low = node.get("min_value_error") or 0.0
    high = node.get("max_value_error") or 200.0
    if chosen is not None:
        answer = node["answers"][chosen]
        if answer["operator"] is None:
            return chosen
        limits = [float(part) for part in answer["value"].split(",")]
        if answer["operator"] == "less":
            high = min(high, limits[0])
        elif answer["operator"] == "more_or_equal":
            low = max(low, limits[0])
        else:
            low, high = max(low, limits[0]), min(high, limits[1])
    if node["category"] == "basic_measurement":
        return round(rng.uniform(low, min(high, low + 60)), 1)
    return float(rng.randrange(math.ceil(low), max(math.ceil(low) + 1, math.ceil(high))))
