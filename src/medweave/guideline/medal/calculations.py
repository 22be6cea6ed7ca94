"""What a medAL algorithm calculates: formulas over answers, ages, z-scores from tables."""

from __future__ import annotations

import re

from medweave.errors import VocabularyError
from medweave.guideline.medal.file import Json, MedalFile
from medweave.language.arithmetic import names_in, read_formula
from medweave.model.guideline import AgeValue, Derivation, FormulaValue, SameValue, TableValue

_ONE_NODE = re.compile(r"\[\s*(\d+)\s*\]")
_AGES = {"ToDay": AgeValue("d"), "ToMonth": AgeValue("mo")}
_AGE_OF = re.compile(r"\[?\s*(ToDay|ToMonth)\s*(?:\(\s*\d+\s*\))?\s*\]?")
_REFERENCE = "reference_table_x_id"


def calculation(medal: MedalFile, node: Json) -> Derivation | None:
    """How the number of a node is calculated; None where it is asked for, or not understood."""
    formula = str(node.get("formula") or "").strip()
    if formula:
        return _formula(medal, node, formula)
    if node.get(_REFERENCE) is not None:
        return _from_table(medal, node)
    return None


def _formula(medal: MedalFile, node: Json, formula: str) -> Derivation | None:
    age = _AGE_OF.fullmatch(formula)
    if age:
        return _AGES[age[1]]
    same = _ONE_NODE.fullmatch(formula)
    if same and same[1] in medal.nodes:
        return SameValue(same[1])
    if _is_arithmetic(medal, formula):
        return FormulaValue(formula)
    medal.notes.add(
        f"the formula {formula} of '{medal.label(node)}'",
        f"node {node['id']}",
        "it is not one that is understood: the number has to be given",
    )
    return None


def _is_arithmetic(medal: MedalFile, formula: str) -> bool:
    """Whether it can be calculated from numbers of the algorithm's own nodes."""
    try:
        read_formula(formula)
    except VocabularyError:
        return False
    return all(name in medal.nodes for name in names_in(formula))


def _from_table(medal: MedalFile, node: Json) -> Derivation | None:
    x, y = str(node[_REFERENCE]), str(node.get("reference_table_y_id"))
    male, female = (str(node.get(f"reference_table_{sex}")) for sex in ("male", "female"))
    missing = [name for name in (male, female) if name not in medal.tables]
    if node.get("reference_table_z_id") is not None:
        why = "tables of three measures are not read: the number has to be given"
    elif missing:
        why = f"there is no reference table {' and '.join(missing)}: the number has to be given"
    elif x not in medal.nodes or y not in medal.nodes:
        why = "the measures it is read by are not in the algorithm: the number has to be given"
    else:
        return TableValue(male, female, x, y, "to_zero")
    medal.notes.add(f"the table of '{medal.label(node)}'", f"node {node['id']}", why)
    return None
