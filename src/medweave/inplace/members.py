"""Stores that are asked together: each in a thread of its own, no longer than it may take."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from time import monotonic
from typing import Any, Generic, TypeVar, cast
from typing import Literal as OneOf

from medweave.errors import MedweaveError, StoreBusyError, StoreUnreachableError
from medweave.model.answer import BaseVersion, StoreAnswer
from medweave.ports import StoreView

_T = TypeVar("_T")


Lost = OneOf["failed", "late"]
Silent = dict[str, tuple[tuple[Lost, str], float]]
"""Stores that were lost, by name: which way, why, and the seconds that they took."""


@dataclass(frozen=True, slots=True)
class _Done(Generic[_T]):
    """What came of something, and how long it took."""

    value: _T | None
    error: BaseException | None
    seconds: float


@dataclass
class Member:
    """One store of several. It is opened when it is first asked, and again where that failed."""

    name: str
    opener: Callable[[], StoreView]
    timeout: float
    _worker: _Worker | None = None
    _view: StoreView | None = None
    _held: ExitStack = field(default_factory=ExitStack)
    """What the thread of the worker has opened, and itself must close."""

    def begin(self, call: Callable[[StoreView, str], _T]) -> SimpleQueue[_Done[_T]]:
        """Let the store be asked, by its name; what it says, or its error, comes into the queue."""

        def work() -> _T:
            if self._view is None:
                self._view = self.opener()
            return call(self._view, self.name)

        if self._worker is None:
            self._worker = _Worker()
        return self._worker.begin(work)

    def hold(self) -> SimpleQueue[_Done[BaseVersion]]:
        """Let it stand at what it is now, until `release`."""
        held = self._held

        def stand(view: StoreView, _: str) -> BaseVersion:
            held.enter_context(view.snapshot())
            return view.version()

        return self.begin(stand)

    def release(self) -> SimpleQueue[_Done[None]]:
        """Let it go on."""
        return (self._worker or _Worker()).begin(self._held.close)

    def leave_alone(self) -> None:
        """Whatever it is still doing, the next question does not wait behind it."""
        self.release()
        self._worker, self._held = None, ExitStack()

    def close(self) -> None:
        """Let go of it, where it is not doing something for ever."""
        worker, view, self._worker, self._view = self._worker, self._view, None, None
        if view is not None:
            (worker or _Worker()).begin(view.close)


class _Worker:
    """A thread that does one thing after the other, and keeps no program from ending.

    The threads of `concurrent.futures` would: they are waited for, also where a store hangs.
    """

    def __init__(self) -> None:
        self._tasks: SimpleQueue[tuple[Callable[[], Any], SimpleQueue[Any]]] = SimpleQueue()
        threading.Thread(target=self._run, daemon=True).start()

    def begin(self, work: Callable[[], _T]) -> SimpleQueue[_Done[_T]]:
        """Do something; what comes of it comes into the queue."""
        done: SimpleQueue[_Done[_T]] = SimpleQueue()
        self._tasks.put((work, done))
        return done

    def _run(self) -> None:
        while True:
            work, done = self._tasks.get()
            value, error, start = None, None, monotonic()
            try:
                value = work()
            except BaseException as raised:  # it is told where it is waited for
                error = raised
            done.put(_Done(value, error, monotonic() - start))


@dataclass
class Round:
    """One question to several stores: who has answered so far, and how much time is left."""

    members: Sequence[Member]
    started: float = field(default_factory=monotonic)
    spent: dict[str, float] = field(default_factory=dict)
    """Seconds that each took."""
    lost: dict[str, tuple[Lost, str]] = field(default_factory=dict)
    """Those that failed or were late: which, and why."""
    versions: dict[str, BaseVersion] = field(default_factory=dict)

    @classmethod
    def without(cls, silent: Silent, members: Sequence[Member]) -> Round:
        """A question to those that were not lost before."""
        made = cls(members)
        made.lost = {name: lost for name, (lost, _) in silent.items()}
        made.spent = {name: seconds for name, (_, seconds) in silent.items()}
        return made

    def left(self) -> Silent:
        """Those that were lost by now."""
        return {name: (lost, self.spent.get(name, 0.0)) for name, lost in self.lost.items()}

    def ask(self, call: Callable[[StoreView, str], _T]) -> list[tuple[str, _T]]:
        """What each store says that has not been lost, all asked at once; the call is given its
        name, too.

        An error that is no store's own (a question that cannot be asked) is raised.
        """
        return self._each(lambda member: member.begin(call))

    def hold(self) -> None:
        """Let each store stand at what it is now, until `release`."""
        self.versions = dict(self._each(Member.hold))

    def release(self) -> None:
        """Let each go on. Raises `StoreBusyError` where one could not stand for so long."""
        begun = [(one.release(), one) for one in self.members if one.name not in self.lost]
        start = monotonic()
        for done, member in begun:
            left = member.timeout - self.spent.get(member.name, 0.0) - (monotonic() - start)
            with suppress(Empty):
                error = done.get(timeout=max(left, 0.001)).error
                if isinstance(error, StoreBusyError):
                    raise error

    def _each(self, begin: Callable[[Member], SimpleQueue[_Done[_T]]]) -> list[tuple[str, _T]]:
        asked = [one for one in self.members if one.name not in self.lost]
        begun = [(one, begin(one)) for one in asked]
        start, found = monotonic(), []
        for member, done in begun:
            spent = self.spent.get(member.name, 0.0)
            left = member.timeout - spent - (monotonic() - start)
            try:
                said = done.get(timeout=max(left, 0.001))
            except Empty:
                self.lost[member.name] = ("late", f"no answer within {member.timeout:g} s")
                self.spent[member.name] = spent + monotonic() - start
                member.leave_alone()
                continue
            self.spent[member.name] = spent + said.seconds
            if said.error is None:
                found.append((member.name, cast("_T", said.value)))
            elif isinstance(said.error, MedweaveError):
                self.lost[member.name] = ("failed", said.error.what)
                member.release()
            else:
                raise said.error
        return found

    def check(self, where: str) -> None:
        """Raises `StoreUnreachableError` where no store has answered."""
        if len(self.lost) == len(self.members):
            why = "; ".join(f"{name}: {why}" for name, (_, why) in self.lost.items())
            raise StoreUnreachableError(
                f"none of the stores answers ({why})", where=where, remedy="try again"
            )

    def outcomes(self) -> tuple[StoreAnswer, ...]:
        """What became of each store."""
        return tuple(map(self._outcome, self.members))

    def _outcome(self, member: Member) -> StoreAnswer:
        name = member.name
        lost = self.lost.get(name)
        return StoreAnswer(
            name,
            lost[0] if lost else "answered",
            lost[1] if lost else "",
            round(self.spent.get(name, 0.0) * 1000, 1),
            self.versions.get(name),
        )
