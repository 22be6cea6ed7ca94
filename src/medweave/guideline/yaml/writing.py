"""The YAML form of a guideline, written: what is as usual is left out."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from medweave.guideline.yaml.forms import RULE
from medweave.guideline.yaml.observations import written_observation
from medweave.guideline.yaml.reading import CLASSIFICATION, COLOURS, CONDITION, GUIDELINE
from medweave.guideline.yaml.rules import Rules
from medweave.guideline.yaml.tables import WrittenTable, written_table
from medweave.model.guideline import Classification, Guideline

_WIDTH = 140
_TEXT, _MAP = "tag:yaml.org,2002:str", "tag:yaml.org,2002:map"


def write_guideline(guideline: Guideline) -> str:
    """A guideline in the YAML form; reading it gives the same guideline.

    >>> print(write_guideline(Guideline("g", "1", "Nothing", (), (), ())).strip())
    guideline: g
    version: '1'
    title: Nothing
    """
    import yaml

    class Dumper(getattr(yaml, "CSafeDumper", yaml.SafeDumper)):  # type: ignore[misc]
        def ignore_aliases(self, _: Any) -> bool:
            return True

    def text(dumper: Any, value: str) -> Any:
        return dumper.represent_scalar(_TEXT, value, style="|" if "\n" in value else None)

    def table(dumper: Any, value: WrittenTable) -> Any:
        return dumper.represent_mapping(_MAP, value, flow_style=False)

    Dumper.add_representer(str, text)
    Dumper.add_representer(WrittenTable, table)

    return "".join(
        yaml.dump(
            {name: value},
            Dumper=Dumper,
            sort_keys=False,
            allow_unicode=True,
            width=_WIDTH,
            default_flow_style=None if isinstance(value, dict) else False,
        )
        for name, value in _whole(guideline).items()
    )


def _whole(guideline: Guideline) -> dict[str, Any]:
    rules = Rules({each.id: each for each in guideline.observations}, (), ())
    classes: dict[str, dict[str, Any]] = {each.id: {} for each in guideline.conditions}
    for each in guideline.classifications:
        classes[each.condition][each.id] = _classification(each, rules)
    return GUIDELINE.write(
        guideline,
        rules,
        observations={o.id: written_observation(o, rules) for o in guideline.observations},
        groups={name: RULE.write(rule, rules) for name, rule in guideline.groups.items()},
        conditions={
            each.id: CONDITION.write(each, rules, classifications=classes[each.id])
            for each in guideline.conditions
        },
        tables={name: written_table(table) for name, table in guideline.tables.items()},
    )


def _classification(each: Classification, rules: Rules) -> dict[str, Any]:
    colour: Any = "" if each.colour == COLOURS[each.severity] else each.colour or "none"
    return CLASSIFICATION.write(replace(each, colour=colour), rules)
