"""What came of tuning, as a folder: `tuning.json`, `tuning.md`, and the curve as a picture."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from medweave.errors import ConfigurationError
from medweave.evaluation.measures.bootstrap import Figure
from medweave.evaluation.report.folder import check_folder
from medweave.evaluation.report.picture_style import (
    BLACK,
    BLUE,
    GREEN,
    GREY,
    ORANGE,
    PURPLE,
    SKY,
    VERMILLION,
    as_bytes,
    new_picture,
    our_style,
)
from medweave.evaluation.tuning.dialogue_links import LAMBDAS, THETAS, Tuning

_COLOURS = (BLUE, SKY, ORANGE, GREEN, VERMILLION, PURPLE)
_MARKERS = "osD^vP"
_FLAT = {"bm25": (BLACK, "--"), "best (bm25 and whole dialogues)": (GREY, "-.")}


def write_tuning(found: Tuning, folder: Path) -> str:
    """Write all files; why there is no picture, or ''.

    Raises `ConfigurationError` where the folder cannot be written.
    """
    check_folder(folder)
    whole = json.dumps(found.to_json(), ensure_ascii=False, indent=2) + "\n"
    (folder / "tuning.json").write_text(whole, "utf-8")
    (folder / "tuning.md").write_text("\n".join(tuning_page(found)) + "\n", "utf-8")
    try:
        picture = draw_curve(found)
    except ConfigurationError as error:
        return str(error)
    for kind, content in picture.items():
        (folder / f"curve.{kind}").write_bytes(content)
    return ""


def draw_curve(found: Tuning) -> dict[str, bytes]:
    """nDCG over lambda, a line for each theta, beside rankings that have neither.

    Raises `ConfigurationError` without matplotlib.
    """
    values = {(p.setting.theta, p.setting.lambda_): p.ndcg for p in found.curve}
    with our_style():
        figure, axes = new_picture(5.0)
        for theta, colour, marker in zip(THETAS, _COLOURS, _MARKERS, strict=True):
            label = "no links" if theta is None else f"cos ≥ {theta:g}"
            line = [values[theta, lambda_] for lambda_ in LAMBDAS]
            axes.plot(LAMBDAS, line, color=colour, marker=marker, markersize=4, label=label)
        for name, (colour, style) in _FLAT.items():
            level = found.others[name].figure.value
            axes.axhline(level, color=colour, linestyle=style, label=name.split(" (")[0])
        at = found.chosen
        axes.plot(at.lambda_, values[at.theta, at.lambda_], "o", color=BLACK, markersize=11,
                  markerfacecolor="none", label="chosen")  # fmt: skip
        axes.set_ylabel(f"nDCG@{found.k}")
        axes.set_xlabel("λ, how much the kind of a link counts")
        title = f"Equation 9 over {found.messages:,} messages, {found.dialogues:,} dialogues"
        axes.set_title(title)
        axes.grid(visible=True)
        figure.legend(loc="outside right upper")
        return as_bytes(figure, title)


def tuning_page(found: Tuning) -> Iterator[str]:
    """The page of the report, line by line."""
    yield f"# Tuning over {found.messages:,} messages and {found.dialogues:,} dialogues"
    yield ""
    yield f"Messages: {found.source}. Vectors: {found.embedder}. Score: {found.score_norm}."
    yield ""
    yield f"| ranking | nDCG@{found.k} | tuned minus this | better for | worse for |"
    yield "|---|--:|--:|--:|--:|"
    yield f"| equation 9, tuned, cross-validated | {shown(found.tuned)} | | | |"
    for name, other in found.others.items():
        yield (
            f"| {name} | {shown(other.figure)} | {shown(other.difference)} |"
            f" {other.better} | {other.worse} |"
        )
    yield ""
    yield f"Chosen over all messages: {setting_words(found)}."
    yield ""
    yield verdict(found)
    yield ""
    yield "| λ | " + " | ".join("no links" if t is None else f"cos ≥ {t:g}" for t in THETAS) + " |"
    yield "|--:|" + "--:|" * len(THETAS)
    values = {(p.setting.theta, p.setting.lambda_): p.ndcg for p in found.curve}
    for lambda_ in LAMBDAS:
        cells = " | ".join(f"{values[theta, lambda_]:.3f}" for theta in THETAS)
        yield f"| {lambda_:.1f} | {cells} |"
    yield ""
    yield "The last table is over the messages that the setting was chosen on, and flatters."


def verdict(found: Tuning) -> str:
    """In words: what is better than the tuned graph, and with certainty or not."""
    if not found.winners:
        return "Nothing that was compared is better than the tuned graph."
    parts = []
    for name in found.winners:
        sure = found.others[name].difference.high < 0
        parts.append(f"{name} ({'surely' if sure else 'perhaps by chance'})")
    return "Better than the tuned graph: " + ", ".join(parts) + "."


def setting_words(found: Tuning) -> str:
    """The setting that was chosen, as options of commands."""
    links = (
        "no links by likeness"
        if found.chosen.theta is None
        else f"`vectors link --threshold {found.chosen.theta:g}`"
    )
    how = f"--ranking equation9 --score-norm {found.score_norm}"
    return f"{links}, `similar {how} --weighting convex --lambda {found.chosen.lambda_:g}`"


def shown(figure: Figure) -> str:
    """A figure with its interval."""
    return f"{figure.value:.3f} [{figure.low:.3f}, {figure.high:.3f}]"
