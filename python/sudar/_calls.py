"""What all calls share: limits, threads and progress."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy.typing as npt

Pose = npt.ArrayLike | tuple[npt.ArrayLike, npt.ArrayLike] | None
"""(..., 4, 4) matrices, or (position (..., 3), quaternion (..., 4), scalar last); None is the identity."""

Progress = bool | Callable[[int, int | None], Any] | None
"""True for a bar (of tqdm where that is installed), or a function that is told how many are done, of how many."""

Control = tuple[int | None, float | None, int, Callable[[int, int | None], Any] | None]


def control(nodes: int | None, seconds: float | None, threads: int, progress: Progress) -> Control | None:
    """The limits of a call; None where there are none."""
    if nodes is None and seconds is None and threads == 0 and not progress:
        return None
    return (nodes, seconds, threads, reporter(progress))


def reporter(progress: Progress) -> Callable[[int, int | None], Any] | None:
    """What is told of progress."""
    if progress is None or progress is False:
        return None
    if progress is True:
        return bar()
    if not callable(progress):
        raise TypeError(f"progress: must be True or a function of (done, total), not {type(progress).__name__}")
    return progress


def bar() -> Callable[[int, int | None], Any]:
    """A bar on standard error, by tqdm where that is installed."""
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return _line
    shown: Any = None

    def tell(done: int, total: int | None) -> None:
        nonlocal shown
        if shown is None:
            shown = tqdm(total=total)
        shown.update(done - shown.n)
        if done == total:
            shown.close()

    return tell


def _line(done: int, total: int | None) -> None:
    end = "\n" if done == total else ""
    sys.stderr.write(f"\r{done}" + (f" of {total}" if total is not None else "") + end)
    sys.stderr.flush()
