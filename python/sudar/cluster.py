"""Work in chunks, on this machine or on a cluster: it can be interrupted, resumed and shared.

A job is a folder: a file of each chunk, and a file of its answers when it is done, whose name says which. Answers are a
pure function of the chunk, so that they are the same bits whoever examines it, and however often; results are those of
one call on one machine. `engine="ray"` takes all nodes of a Ray cluster, with a worker on each that uses as many threads
as the node has processors. Workers and nodes may come and go. A chunk that fails three times is set aside and named; the
rest is done.

    table = sudar.cluster.clash("plant.sudar", "job", clearance="5mm", engine="ray", address="auto")
    free = sudar.cluster.check(cell, configurations, "job-2", resume=True)

The folder is read and written by the caller alone. A store has to be there under the same path on all nodes.
"""

from __future__ import annotations

import io
import json
import pickle
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from os import PathLike, fspath
from typing import Any, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from sudar import _core
from sudar._calls import Progress, reporter
from sudar._clash import ClashTable, _search
from sudar._robot import RobotCell
from sudar._robot_answers import Edges, ManyEdges, NoPlan, Plan

Path: TypeAlias = "str | PathLike[str]"

TRIES = 3
"""A chunk fails for good after so many tries."""
ROWS = 100_000
"""So many configurations, or a fiftieth as many edges, are a chunk."""
PROBLEMS = 8
"""So many planning problems are a chunk."""
PATIENCE = 120.0
"""So many seconds a cluster may be without any node that works."""


class ChunksFailed(RuntimeError):
    """Some chunks failed for good. All others are done: the job can be resumed when the cause is mended."""

    def __init__(self, failed: Sequence[str]) -> None:
        super().__init__(f"{len(failed)} chunks failed, the first: {failed[0]}")
        self.failed = list(failed)
        """Each chunk, and why."""


class Worker(Protocol):
    """Examines chunks; made anew on each node."""

    def __call__(self, chunk: bytes, threads: int) -> bytes: ...


@dataclass(frozen=True)
class Clashes:
    """Makes workers for clash checks of a store."""

    store: str
    memory: int

    def __call__(self) -> Worker:
        worker = _core.ClashWorker(self.store, self.memory)
        return lambda chunk, threads: worker.answers(chunk, (None, None, threads, None))


@dataclass(frozen=True)
class Configurations:
    """Makes workers for the configurations or edges of a cell."""

    cell: bytes
    what: str
    options: dict[str, Any] = field(default_factory=dict)

    def __call__(self) -> Worker:
        cell: RobotCell = pickle.loads(self.cell)
        work: Callable[..., bytes] = {"check": _checked, "edges": _edges, "plan": _planned}[self.what]

        def worker(chunk: bytes, threads: int) -> bytes:
            return work(cell, np.load(io.BytesIO(chunk), allow_pickle=False), threads=threads, **self.options)

        return worker


def clash(
    store: Path,
    job: Path,
    *,
    resume: bool = False,
    engine: str = "threads",
    address: str | None = None,
    threads: int = 0,
    memory: int = 4 << 30,
    work: int = 1 << 25,
    progress: Progress = None,
    **options: Any,
) -> ClashTable:
    """The clashes of a store, as `sudar.clash` finds them, examined chunk by chunk.

    job: the folder, which is made. resume: go on with the job in it.
    engine: "threads", those of this machine, or "ray". address: of the head of the cluster, "auto" for the one of this
    machine; without it a cluster is started here, of this machine alone.
    threads: how many a worker uses; 0 for all processors of its node. memory: bytes that meshes may take on each node.
    work: about how many triangles both parts of all pairs of a chunk have, each pair counting for 256 more.
    options: those of `sudar.clash`, but for files and html.

    Raises ChunksFailed if chunks failed three times.
    """
    folder = begin_clash(store, job, resume=resume, work=work, **options)
    run(folder, Clashes(fspath(store), memory), engine=engine, address=address, threads=threads, progress=progress)
    found, failed = _core.found_clash(_search(**options), fspath(store), fspath(job), work, None)
    if failed:
        raise ChunksFailed(failed)
    one, other, kind, *rest = found
    return ClashTable(one, other, np.array(kind, dtype=np.str_), *rest)


def begin_clash(
    store: Path, job: Path, *, resume: bool = False, work: int = 1 << 25, **options: Any
) -> _core.Job:
    """The job of a check, for engines of one's own: `Clashes(store, memory)()` makes a function from the bytes of a
    `chunk(name)` and a number of threads to the bytes that `put(name, answers)` keeps; `pending()` names the chunks that
    are left. When there are none, `clash` with `resume=True` and the same options gives the table.
    """
    return _core.begin_clash(_search(**options), fspath(store), fspath(job), work, resume)


def check(
    cell: RobotCell, configurations: npt.ArrayLike, job: Path, *, resume: bool = False, **options: Any
) -> npt.NDArray[np.bool_]:
    """Which configurations (n, dof) are free, as `cell.check` says. Needs pyarrow.

    They are read chunk by chunk: an array on disk, as `numpy.load(file, mmap_mode="r")` has it, may be larger than the
    memory.

    options: engine, address, threads and progress, as of `clash`.
    """
    make = Configurations(pickle.dumps(cell, protocol=5), "check")
    pieces = _pieces(make, _rows(configurations, cell.robot.dof), ROWS, job, resume, options)
    return np.concatenate([one.column("free").to_numpy() for one in pieces])


def edges(
    cell: RobotCell, starts: npt.ArrayLike, ends: npt.ArrayLike, job: Path, *, resume: bool = False, **options: Any
) -> ManyEdges:
    """What is known of edges (n, dof), as `cell.check_edges` says. Needs pyarrow.

    options: engine, address, threads and progress, as of `clash`.
    """
    make = Configurations(pickle.dumps(cell, protocol=5), "edges")
    pieces = list(_pieces(make, _pairs(cell, starts, ends), max(1, ROWS // 50), job, resume, options))
    return Edges(*(np.concatenate([one.column(name).to_numpy() for one in pieces]) for name in EDGES))


def plan(
    cell: RobotCell,
    starts: npt.ArrayLike,
    goals: npt.ArrayLike,
    job: Path,
    *,
    resume: bool = False,
    engine: str = "threads",
    address: str | None = None,
    threads: int = 0,
    progress: Progress = None,
    **options: Any,
) -> list[Plan | NoPlan]:
    """For each start (n, dof) and goal (n, dof) the path that `cell.plan` finds, or why there is none. Needs pyarrow.

    options: those of `cell.plan` of numbers; without `seconds` a search ends by `rounds` alone, so that the answer is the
    same on every machine.
    """
    make = Configurations(pickle.dumps(cell, protocol=5), "plan", {"seconds": None, **options})
    engines = {"engine": engine, "address": address, "threads": threads, "progress": progress}
    found: list[Plan | NoPlan] = []
    for piece in _pieces(make, _pairs(cell, starts, goals), PROBLEMS, job, resume, engines):
        found += [_plan(cell, row) for row in piece.to_pylist()]
    return found


EDGES = ("status", "t_lower", "t_upper", "part", "other", "other_is_object")
"""The fields of answers about edges."""


def _rows(given: npt.ArrayLike, dof: int) -> npt.NDArray[np.float64]:
    rows = np.ascontiguousarray(given, dtype=np.float64)
    if rows.ndim != 2 or rows.shape[1] != dof or len(rows) == 0:
        raise ValueError(f"configurations: want (n, {dof}) with n of 1 or more, not {rows.shape}")
    return rows


def _pairs(cell: RobotCell, starts: npt.ArrayLike, ends: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """(n, 2, dof)."""
    one, other = _rows(starts, cell.robot.dof), _rows(ends, cell.robot.dof)
    if len(one) != len(other):
        raise ValueError(f"starts and ends: want as many of both, not {len(one)} and {len(other)}")
    return np.stack([one, other], axis=1)


def _pieces(
    make: Configurations,
    rows: npt.NDArray[np.float64],
    count: int,
    job: Path,
    resume: bool,
    options: dict[str, Any],
) -> Iterator[Any]:
    """The tables of answers of all chunks, in order."""
    head = f"{_version()} {make.what} {json.dumps(make.options, sort_keys=True)} {_core.digest(make.cell)}"

    def chunk(number: int) -> bytes:
        out = io.BytesIO()
        np.save(out, rows[number * count : (number + 1) * count], allow_pickle=False)
        return out.getvalue()

    # The place belongs to the name, since the same rows may come twice.
    numbers = range(-(-len(rows) // count))
    names = [_core.digest(f"{head} {number * count} ".encode() + chunk(number)) for number in numbers]
    folder = _core.Job.begin(fspath(job), make.what, make.cell, names, chunk, resume)
    run(folder, make, **options)
    failed = folder.failed()
    if failed:
        raise ChunksFailed([f"chunk {name}: {why}" for name, why in failed])
    for name in names:
        yield _read(folder.answers(name), name)


def _version() -> str:
    import sudar

    return sudar.__version__


def _checked(cell: RobotCell, rows: npt.NDArray[np.float64], threads: int) -> bytes:
    return _table({"free": np.asarray(cell.check(rows, threads=threads), dtype=np.bool_)})


def _edges(cell: RobotCell, rows: npt.NDArray[np.float64], threads: int) -> bytes:
    found = cell.check_edges(rows[:, 0], rows[:, 1], threads=threads)
    return _table({name: np.asarray(getattr(found, name)) for name in EDGES})


def _planned(cell: RobotCell, rows: npt.NDArray[np.float64], threads: int, **options: Any) -> bytes:
    table: dict[str, list[Any]] = {name: [] for name in ("why", "waypoints", "goal", "length", "statistics", *EDGES)}
    for start, goal in rows:
        row: dict[str, Any] = {"goal": -1, "length": 0.0, "statistics": "{}", "waypoints": [], "why": ""}
        row |= {name: [] for name in EDGES}
        try:
            found = cell.plan(start, goal, threads=threads, **options)
        except NoPlan as why:
            row["why"] = str(why)
        else:
            row |= {name: np.asarray(getattr(found.edges, name)).tolist() for name in EDGES}
            row |= {"waypoints": found.waypoints.ravel().tolist(), "goal": found.goal, "length": found.length}
            row["statistics"] = json.dumps(found.statistics)
        for name, value in row.items():
            table[name].append(value)
    return _table(table)


def _plan(cell: RobotCell, row: dict[str, Any]) -> Plan | NoPlan:
    if row["why"]:
        return NoPlan(row["why"])
    waypoints = np.reshape(row["waypoints"], (-1, cell.robot.dof))
    edges: ManyEdges = Edges(*(np.array(row[name]) for name in EDGES))
    counts = json.loads(row["statistics"])
    return Plan(cell.robot, waypoints, edges, row["goal"], row["length"], counts, cell)


def _table(columns: Mapping[str, Any]) -> bytes:
    """Columns as an Arrow file."""
    import pyarrow

    table = pyarrow.table(columns)
    out = io.BytesIO()
    with pyarrow.ipc.new_file(out, table.schema) as writer:
        writer.write_table(table)
    return out.getvalue()


def _read(answers: bytes | None, name: str) -> Any:
    """A pyarrow.Table."""
    import pyarrow

    if answers is None:
        raise ChunksFailed([f"chunk {name}: its answers are gone; resume the job"])
    return pyarrow.ipc.open_file(io.BytesIO(answers)).read_all()


def run(
    job: _core.Job,
    make: Callable[[], Worker],
    *,
    engine: str = "threads",
    address: str | None = None,
    threads: int = 0,
    progress: Progress = None,
) -> None:
    """Examines all chunks of a job that are not done."""
    state = _State(job, reporter(progress))
    if engine == "threads":
        _run_here(state, make, threads)
    elif engine == "ray":
        _run_on_ray(state, make, address, threads)
    else:
        raise ValueError(f"engine: '{engine}' is none of threads, ray")


class _State:
    """Which chunks are to be done, how often each was tried, and who is told."""

    def __init__(self, job: _core.Job, tell: Callable[[int, int | None], Any] | None) -> None:
        self.job = job
        self.left = deque(job.pending())
        self.tries: dict[str, int] = {}
        self.total = len(self.left)
        self.settled = 0
        self.tell = tell

    def done(self, name: str, answers: bytes) -> None:
        self.job.put(name, answers)
        self._settle()

    def failed(self, name: str, why: str) -> None:
        """Tries a chunk again, or sets it aside."""
        self.tries[name] = self.tries.get(name, 0) + 1
        if self.tries[name] < TRIES:
            self.left.append(name)
        else:
            self.job.set_aside(name, why)
            self._settle()

    def _settle(self) -> None:
        self.settled += 1
        if self.tell is not None:
            self.tell(self.settled, self.total)


def _run_here(state: _State, make: Callable[[], Worker], threads: int) -> None:
    worker = make()
    while state.left:
        name = state.left.popleft()
        try:
            answers = worker(state.job.chunk(name), threads)
        except Exception as error:
            state.failed(name, f"{type(error).__name__}: {error}")
        else:
            state.done(name, answers)


@dataclass
class _Node:
    """A node of the cluster with a worker on it, and the chunks that it was given."""

    actor: Any
    threads: int
    start: Any
    """Done when the worker is made; None after that."""
    given: dict[Any, str] = field(default_factory=dict)


def _run_on_ray(state: _State, make: Callable[[], Worker], address: str | None, threads: int) -> None:
    try:
        import ray
    except ImportError as error:
        raise ImportError("engine: ray is not installed; pip install 'sudar[ray]'") from error
    is_ours = not ray.is_initialized()
    if is_ours:
        # Without an address Ray would take any cluster that it finds here.
        ray.init(address=address or "local", log_to_driver=False, include_dashboard=False)
    try:
        _Cluster(ray, state, ray.put(make), threads).run()
    finally:
        if is_ours:
            ray.shutdown()


class _Cluster:
    """One worker on each node that is alive, each with the next chunk waiting while it examines one.

    Retries are counted here and not by Ray, so that a chunk that kills its worker does not do so for ever.
    """

    AHEAD = 2
    """So many chunks a worker has at a time."""

    def __init__(self, ray: Any, state: _State, make: Any, threads: int) -> None:
        self.ray = ray
        self.state = state
        self.make = make
        self.threads = threads
        self.nodes: dict[str, _Node] = {}
        self.unfit: dict[str, str] = {}
        """Nodes on which no worker can be made, and why."""
        self.starts: dict[str, int] = {}
        """How often a worker died there before it was made."""
        self.suspects: set[str] = set()
        """Chunks one of which killed a worker: each is tried alone, so that no other is blamed."""
        self.idle_since = time.monotonic()

    def run(self) -> None:
        while self.state.left or any(node.given for node in self.nodes.values()):
            self._hire()
            self._give()
            tasks = [task for node in self.nodes.values() for task in node.given]
            starts = [node.start for node in self.nodes.values() if node.start is not None]
            if not tasks:
                self._be_patient()
            else:
                self.idle_since = time.monotonic()
            for task in self.ray.wait(tasks + starts, num_returns=1, timeout=5.0)[0] if tasks + starts else ():
                self._started(task) if task in starts else self._take(task)

    def _hire(self) -> None:
        """A worker on each node that has none, but for those on which none can be made."""
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

        alive = {node["NodeID"]: node for node in self.ray.nodes() if node["Alive"]}
        for name in [name for name in self.nodes if name not in alive]:
            self._dismiss(name, "its node is gone")
        for name, node in alive.items():
            processors = int(node["Resources"].get("CPU", 0))
            if name in self.nodes or name in self.unfit or processors == 0:
                continue
            here = NodeAffinitySchedulingStrategy(name, soft=False)
            kind = self.ray.remote(num_cpus=processors, max_restarts=0, scheduling_strategy=here)(_Examiner)
            actor = kind.remote(self.make)
            self.nodes[name] = _Node(actor, self.threads or processors, actor.ready.remote())

    def _started(self, start: Any) -> None:
        """A worker is made, or cannot be: then its node is left alone, and no chunk is to blame."""
        place, node = next((place, node) for place, node in self.nodes.items() if node.start is start)
        try:
            why = self.ray.get(start)
        except self.ray.exceptions.RayError as error:
            self.starts[place] = self.starts.get(place, 0) + 1
            why = f"the worker died: {str(error).strip().splitlines()[-1]}"
            if self.starts[place] < TRIES:
                del self.nodes[place]
                return
        if why is None:
            node.start = None
        else:
            self.unfit[place] = why
            del self.nodes[place]

    def _give(self) -> None:
        for node in self.nodes.values():
            while node.start is None and self.state.left and self._has_room(node, self.state.left[0]):
                name = self.state.left.popleft()
                node.given[node.actor.answers.remote(self.state.job.chunk(name), node.threads)] = name

    def _has_room(self, node: _Node, name: str) -> bool:
        is_alone = name in self.suspects or not self.suspects.isdisjoint(node.given.values())
        return len(node.given) < (1 if is_alone else self.AHEAD)

    def _take(self, task: Any) -> None:
        place = next((place for place, node in self.nodes.items() if task in node.given), None)
        if place is None:
            return
        try:
            answers = self.ray.get(task)
        except self.ray.exceptions.RayTaskError as error:
            self.state.failed(self.nodes[place].given.pop(task), str(error.cause))
        except self.ray.exceptions.RayError as error:
            self._dismiss(place, f"the worker died: {type(error).__name__}")
        else:
            self.state.done(self.nodes[place].given.pop(task), answers)

    def _dismiss(self, place: str, why: str) -> None:
        """What a worker that is gone had done counts. If several chunks are left, answers may have been lost with it:
        which of them it died of is found out."""
        lost = []
        for task, name in self.nodes.pop(place).given.items():
            try:
                answers = self.ray.get(task, timeout=10.0)
            except self.ray.exceptions.RayTaskError as error:
                self.state.failed(name, str(error.cause))
            except self.ray.exceptions.RayError:
                lost.append(name)
            else:
                self.state.done(name, answers)
        if len(lost) == 1:
            self.state.failed(lost[0], why)
        else:
            self.suspects.update(lost)
            self.state.left.extend(lost)

    def _be_patient(self) -> None:
        """While nobody works: not for ever."""
        if not self.nodes and self.unfit:
            raise RuntimeError(f"no node of the cluster can work: {next(iter(self.unfit.values()))}")
        if time.monotonic() - self.idle_since > PATIENCE:
            raise RuntimeError("no node of the cluster has processors free; resume the job when one does")
        if not self.nodes:
            time.sleep(0.5)


class _Examiner:
    """The worker on a node."""

    def __init__(self, make: Callable[[], Worker]) -> None:
        self.why: str | None = None
        try:
            self.worker = make()
        except Exception as error:
            self.why = f"{type(error).__name__}: {error}"

    def ready(self) -> str | None:
        """Why no worker can be made here, if so."""
        return self.why

    def answers(self, chunk: bytes, threads: int) -> bytes:
        return self.worker(chunk, threads)


def main() -> int:
    """Examines the chunks of a clash job, for `sudar clash --cluster ray`."""
    import argparse
    import sys

    parser = argparse.ArgumentParser(prog="python -m sudar.cluster", description=main.__doc__)
    parser.add_argument("--engine", choices=["threads", "ray"], default="ray")
    parser.add_argument("--address", help="the head of the cluster")
    parser.add_argument("--store", required=True, help="the store, under the same path on all nodes")
    parser.add_argument("--job", required=True, help="the folder of the job")
    parser.add_argument("--memory", type=int, default=4 << 30, help="bytes that meshes may take on each node")
    parser.add_argument("--threads", type=int, default=0, help="of each worker; 0 for all processors of its node")
    args = parser.parse_args()
    try:
        make = Clashes(args.store, args.memory)
        shown = sys.stderr.isatty()
        run(_core.Job.open(args.job), make, engine=args.engine, address=args.address, threads=args.threads, progress=shown)
    except (ImportError, RuntimeError, ValueError, OSError) as error:
        print(f"sudar: {' '.join(str(error).split())}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
