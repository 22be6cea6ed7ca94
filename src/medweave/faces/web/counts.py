"""How much was asked, for Prometheus."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from threading import Lock

_METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")


@dataclass
class Counts:
    """Requests by what was asked for and how it ended, and the seconds that they took."""

    _requests: Counter[tuple[str, str, int]] = field(default_factory=Counter)
    _seconds: dict[tuple[str, str], float] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)

    def add(self, method: str, route: str, status: int, seconds: float) -> None:
        """One request. `route` is the form of its path, so that nothing of a person is counted."""
        method = method if method in _METHODS else "other"
        with self._lock:
            self._requests[method, route, status] += 1
            self._seconds[method, route] = self._seconds.get((method, route), 0.0) + seconds

    def text(self) -> str:
        """All of it as Prometheus reads it.

        >>> counts = Counts()
        >>> counts.add("GET", "/healthz", 200, 0.5)
        >>> counts.text().splitlines()[-1]
        'medweave_seconds_total{method="GET",route="/healthz"} 0.500000'
        """
        with self._lock:
            requests, seconds = sorted(self._requests.items()), sorted(self._seconds.items())
        lines = ["# TYPE medweave_requests_total counter"]
        for (method, route, status), number in requests:
            named = f'method="{method}",route="{route}",status="{status}"'
            lines.append(f"medweave_requests_total{{{named}}} {number}")
        lines.append("# TYPE medweave_seconds_total counter")
        for (method, route), total in seconds:
            lines.append(f'medweave_seconds_total{{method="{method}",route="{route}"}} {total:.6f}')
        return "\n".join(lines) + "\n"
