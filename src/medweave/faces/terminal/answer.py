"""An answer in a terminal: the first ten lines are for somebody tired; the rest is folded."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from rich.cells import cell_len
from rich.text import Text

from medweave.faces.terminal.hanging import print_hanging
from medweave.faces.texts import Words, page_texts
from medweave.faces.texts.layout import Layout, Line, Row, StopLine, Table

if TYPE_CHECKING:
    from rich.console import Console

    from medweave.model.answer import Answer
    from medweave.model.guideline_answer import GuidelineAnswer

_GAP = 2
_TOPICS = 5
"""At most so many questions to the person are named."""
_STYLES = {"not_stopped": "green", "with_care": "yellow", "stopped": "red", "no_data": "magenta"}


def print_answer(
    answer: Answer, console: Console, *, more: str = "--more", unfolded: bool = False
) -> None:
    """Print an answer; `more` is what unfolds the rest of it, told where there is more."""
    layout = Layout(answer, unfolded=unfolded)
    printed = _Printed(layout, console)
    if answer.others:
        printed.heading()
    printed.danger()
    if answer.question.in_crisis:
        printed.stops()
        return  # nothing else that is medical stands below it
    _print_body(answer, printed, more="" if unfolded else more, unfolded=unfolded)
    for other in answer.others:
        beside = _Printed(Layout(other, unfolded=unfolded), console)
        beside.heading()
        beside.danger()
        _print_body(other, beside, more="" if unfolded else more, unfolded=unfolded)
    printed.line(Text(layout.limits, style="dim"))


def _print_body(answer: Answer, printed: _Printed, *, more: str, unfolded: bool) -> None:
    """What is answered for one person."""
    layout = printed.layout
    printed.stops()
    if answer.assessment:
        printed.assessment(answer.assessment, whole=unfolded)
    printed.told()
    for part in layout.parts:
        beside = _Printed(part, printed.console)
        beside.heading()
        beside.stops()
        beside.told()
        beside.missing()
    if layout.says_nothing:
        printed.line(Text(layout.nothing, style="yellow"))
    printed.notes(more)
    if unfolded:
        printed.details()


def print_stops(answer: Answer | None, console: Console) -> None:
    """What stops drugs, where nothing else of an answer is told."""
    if answer is not None:
        _Printed(Layout(answer, unfolded=True), console).stops()


class _Printed:
    """Prints the parts of one answer."""

    def __init__(self, layout: Layout, console: Console) -> None:
        self.layout = layout
        self.console = console
        self._texts: dict[str, Any] = layout.texts

    def heading(self) -> None:
        """The question of a letter, or for whom it is."""
        self.line(Text(self.layout.heading, style="bold underline"))

    def danger(self) -> None:
        """Signs that are there and what to do at once, or those to ask for before all else."""
        answer = self.layout.answer
        labels = page_texts(answer.question.language)["urgency"]
        for sign in answer.danger or ():
            if sign.status == "present":
                label = f"{labels[sign.head]}  " if sign.head else ""
                said = Text(sign.text, style="bold")
                said += Text(f" {sign.advice}" if sign.advice else "")
                style = "bold red" if sign.grade == "now" else "bold yellow"
                print_hanging(self.console, label, said, style)
        if answer.emergency:
            self.line(Text(answer.emergency, style="bold red"))
        for told in self.layout.first_make_sure:
            self.line(Text(told, style="bold"))
        for misread in Words(answer.question).read_as():
            self.line(Text(misread, style="yellow"))

    def stops(self) -> None:
        """What is not known, where it stands beside a drug; then what speaks against a drug."""
        if self.layout.begins_unknown:
            self.line(Text(self.layout.not_understood, style="bold yellow"))
        for stop in self.layout.stops:
            self._stop(stop)

    def _stop(self, stop: StopLine) -> None:
        style = "bold red" if stop.hard else "bold yellow"
        text = Text(self._texts["because"].format(names=stop.name, reason=stop.text))
        text.stylize("bold", 0, len(stop.name))
        text += self._marks(stop.statements)
        print_hanging(self.console, f"{self._texts[stop.label]}  ", text, style)

    def assessment(self, found: GuidelineAnswer, *, whole: bool) -> None:
        """What a guideline says of the child."""
        from medweave.faces.terminal.assessment import print_assessment, print_what_stands

        if whole:
            print_assessment(found.assessment, self.console, self.layout.words.language)
        else:
            print_what_stands(found, self.console, self.layout.words.language)

    def told(self) -> None:
        """What answers the question: sentences, then lists."""
        for told in self.layout.direct:
            self.line(Text(told))
        for sentence in self.layout.sentences:
            self.line(Text(sentence.text) + self._marks(sentence.statements))
        for table in self.layout.tables:
            self._table(table)

    def missing(self) -> None:
        """What is not in the base, of one question of a letter."""
        unread = "" if self.layout.begins_unknown else self.layout.not_understood
        for told in filter(None, (unread, *self.layout.missing)):
            self.line(Text(told))

    def _table(self, table: Table) -> None:
        """Rows under a heading, what stands in them one below the other."""
        if table.heading:
            self.line(Text(table.heading))
        width = max((cell_len(row.label) for row in table.rows), default=0)
        for row in table.rows:
            label = f"  {row.label}{' ' * (width - cell_len(row.label) + _GAP)}"
            said = Text(" · ").join(self._items(row))
            print_hanging(self.console, label, said, _STYLES.get(row.kind, "bold"))

    def _items(self, row: Row) -> Iterable[Text]:
        for line in row.lines:
            yield self._styled(line)
        if row.left_out:
            yield Text(self._texts["more"].format(n=row.left_out), style="dim")

    def _styled(self, line: Line) -> Text:
        return Text(line.text) + self._marks(line.statements)

    def notes(self, more: str) -> None:
        """What was taken, what to find out and what is missing; the last says how to see `more`."""
        layout = self.layout
        unread = "" if layout.begins_unknown else layout.not_understood
        plain = (layout.taken, unread, *layout.missing)
        notes = [Text(told) for told in plain if told]
        if layout.cases:
            notes.append(Text(layout.cases) + Text("   (show ID)", style="dim"))
        hint = f"   ({more})" if more and layout.folded else ""
        if find_out := self._find_out(len(hint)):
            notes.append(Text(find_out, style="magenta"))
        if hint:
            shown = Text(hint, style="dim")
            notes[-1:] = [notes[-1] + shown] if notes else [shown]
        for note in notes:
            self.line(note)

    def _find_out(self, hint: int) -> str:
        """As many topics as stand on one line with a hint, and at least one."""
        forms = [self.layout.find_out(most) for most in range(_TOPICS, 0, -1)]
        room = self.console.width - hint
        return next((form for form in forms if cell_len(form) <= room), forms[-1])

    def details(self) -> None:
        """What hangs on each question to the person, and what sources disagree about."""
        for item in self.layout.answer.find_out:
            for detail in item.details:
                print_hanging(self.console, f"  {item.text}  ", detail, "magenta")
        for conflict in self.layout.answer.conflicts:
            self.line(Text(self._texts["disagree"].format(about=conflict.about)))

    def line(self, text: Text) -> None:
        """One line, wrapped where it is longer than the terminal is wide."""
        self.console.print(text)

    def _marks(self, statements: tuple[str, ...]) -> Text:
        marks = "".join(f"[{number}]" for number in self.layout.marks(statements))
        bare = self.layout.bare(statements)
        return Text(f" {marks}{bare}" if marks else "", style="cyan")
