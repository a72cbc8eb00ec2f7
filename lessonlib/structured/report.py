"""What checks found of one answer: results with a name each, and the report that holds them."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ..text import known, require_text


@dataclass(frozen=True)
class CheckResult:
    """What one check found of one answer: its name, whether it passed, and the reason if not.

    `partial` is credit in [0, 1] where a check knows more than pass or fail; `loose` is the second verdict
    of a format instruction. `weight` is a positive number.
    """

    name: str
    passed: bool
    detail: str = ""
    partial: float | None = None
    weight: float = 1.0
    loose: bool | None = None

    def __post_init__(self) -> None:
        """Refuse what a report could take for a pass by mistake."""
        require_text("name", self.name)
        for verdict in (self.passed, False if self.loose is None else self.loose):
            if not isinstance(verdict, bool):
                raise TypeError(f"a verdict is True or False, not {verdict!r:.60}")
        if self.partial is not None and not 0 <= self.partial <= 1:
            raise ValueError(f"credit lies between 0 and 1, not {self.partial!r}")
        if self.passed and self.credit < 1:
            raise ValueError(f"check {self.name!r} cannot pass with a credit of {self.partial!r}")
        require_weight(self.weight)

    @property
    def credit(self) -> float:
        """Return the partial credit, or 1 for a pass and 0 for a fail."""
        return float(self.passed) if self.partial is None else self.partial

    def __bool__(self) -> bool:
        """Return whether the check passed."""
        return self.passed


@dataclass(frozen=True)
class Report:
    """The results of several checks of one answer. `report["schema"]` is one.

    Raises ValueError without results (no checks are no pass), and when two have the same name.
    """

    results: Sequence[CheckResult]

    def __post_init__(self) -> None:
        """Refuse an empty report and doubled names."""
        object.__setattr__(self, "results", tuple(self.results))
        names = [result.name for result in self.results]
        if not names:
            raise ValueError("a report needs at least one check: nothing checked is nothing passed")
        if len(set(names)) < len(names):
            raise ValueError(f"two checks have the same name: {', '.join(sorted(names))}")

    @property
    def passed(self) -> bool:
        """Whether every check passed."""
        return all(result.passed for result in self)

    @property
    def passed_loose(self) -> bool:
        """Whether every check passed, format instructions by their loose verdict."""
        return all(result.passed if result.loose is None else result.loose for result in self)

    @property
    def credit(self) -> float:
        """The mean of the credits, weighted, in [0, 1]."""
        heaviest = max(result.weight for result in self)
        weights = [result.weight / heaviest for result in self]
        earned = [weight * result.credit for weight, result in zip(weights, self, strict=True)]
        return min(1.0, math.fsum(earned) / math.fsum(weights))

    def __bool__(self) -> bool:
        """Return whether every check passed."""
        return self.passed

    def __iter__(self) -> Iterator[CheckResult]:
        """Go through the results in their order."""
        return iter(self.results)

    def __getitem__(self, name: str) -> CheckResult:
        """Return the result of this name; an unknown one is a ValueError that lists the known ones."""
        return known("check", name, {result.name: result for result in self})

    def __repr__(self) -> str:
        """Show a table: one line a check, and the verdict below."""
        width = max(len("verdict"), *(len(result.name) for result in self))
        lines = []
        for r in self:
            loose = "" if r.loose is None else f"  loose {'pass' if r.loose else 'FAIL'}"
            verdict = f"{r.name:<{width}}  {'pass' if r.passed else 'FAIL'}{loose}  {r.credit:.2f}"
            lines.append(f"{verdict}  {r.detail}".rstrip())
        return "\n".join([*lines, f"{'verdict':<{width}}  {'pass' if self.passed else 'FAIL'}"])


def require_weight(weight: Any) -> None:
    """Raise a ValueError unless `weight` is a positive, finite number."""
    if isinstance(weight, bool) or not isinstance(weight, int | float) or not 0 < weight < math.inf:
        raise ValueError(f"a weight must be a positive number, not {weight!r}")
