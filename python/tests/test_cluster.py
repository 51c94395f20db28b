"""Jobs in chunks: the same results for any engine, after any interruption."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

import sudar
from sudar import _core, cluster

ray = pytest.importorskip("ray")


@dataclass(frozen=True)
class Slow:
    """Turns chunks around, each in a while."""

    seconds: float
    mark: str | None = None
    """Where to note who worked on which chunk."""
    bad: bytes | None = None
    """A chunk that is refused."""
    deadly: bytes | None = None
    """A chunk that kills its worker."""
    workers: int = 0
    """So many processes have to come to work before any goes on."""

    def __call__(self) -> cluster.Worker:
        return self.work

    def work(self, chunk: bytes, threads: int) -> bytes:
        if self.mark is not None:
            with open(self.mark, "a") as file:
                file.write(f"{os.getpid()} {threads} {chunk.decode()}\n")
            wait_until(lambda: len(pids(Path(self.mark))) >= self.workers)
        if chunk == self.bad:
            raise ValueError("a bad chunk")
        if chunk == self.deadly:
            os.kill(os.getpid(), signal.SIGKILL)
        time.sleep(self.seconds)
        return chunk[::-1]


def wait_until(is_so: Callable[[], bool]) -> None:
    until = time.monotonic() + 60
    while not is_so():
        assert time.monotonic() < until
        time.sleep(0.05)


def chunks(count: int) -> list[tuple[str, bytes]]:
    texts = [f"chunk number {i}".encode() for i in range(count)]
    return [(_core.digest(text), text) for text in texts]


def begun(folder: Path, count: int, resume: bool = False, scene: bytes = b"scene") -> _core.Job:
    made = chunks(count)
    return _core.Job.begin(folder, "test", scene, [name for name, _ in made], lambda i: made[i][1], resume)


def assert_whole(job: _core.Job, count: int) -> None:
    assert job.pending() == [] and job.failed() == []
    assert [job.answers(name) for name, _ in chunks(count)] == [text[::-1] for _, text in chunks(count)]


@pytest.fixture(scope="module")
def two_nodes():
    """A cluster of two nodes with a processor each, and how to add one."""
    from ray.cluster_utils import Cluster

    # Workers import this file.
    paths = [str(Path(__file__).parent), os.environ.get("PYTHONPATH", "")]
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, paths))
    nodes = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    nodes.add_node(num_cpus=1)
    ray.init(address=nodes.address, log_to_driver=False)
    yield nodes
    ray.shutdown()
    nodes.shutdown()


def pids(mark: Path) -> set[int]:
    return {int(line.split()[0]) for line in mark.read_text().splitlines()} if mark.exists() else set()


def in_background(work) -> object:
    import threading

    thread = threading.Thread(target=work)
    thread.start()
    return thread


def test_both_nodes_work_with_as_many_threads_as_they_have_processors(two_nodes, tmp_path):
    mark = tmp_path / "mark"
    job = begun(tmp_path / "job", 8)
    told: list[tuple[int, int | None]] = []
    cluster.run(job, Slow(0.1, str(mark), workers=2), engine="ray", progress=lambda *one: told.append(one))
    assert_whole(job, 8)
    assert told[-1] == (8, 8)
    assert len(pids(mark)) == 2
    assert {line.split()[1] for line in mark.read_text().splitlines()} == {"1"}


def test_a_worker_that_is_killed_is_replaced(two_nodes, tmp_path):
    mark = tmp_path / "mark"
    job = begun(tmp_path / "job", 12)
    thread = in_background(lambda: cluster.run(job, Slow(0.2, str(mark)), engine="ray"))
    wait_until(lambda: len(pids(mark)) >= 1)
    os.kill(next(iter(pids(mark))), signal.SIGKILL)
    thread.join()
    assert_whole(job, 12)


def test_a_chunk_that_kills_its_workers_is_set_aside_and_the_rest_is_done(two_nodes, tmp_path):
    names = chunks(6)
    job = begun(tmp_path / "job", 6)
    cluster.run(job, Slow(0.0, None, names[1][1], names[4][1]), engine="ray")
    failed = dict(job.failed())
    assert set(failed) == {names[1][0], names[4][0]}
    assert "a bad chunk" in failed[names[1][0]] and "died" in failed[names[4][0]]
    assert set(job.pending()) == set(failed)
    # Mended and resumed, all is there.
    again = begun(tmp_path / "job", 6, resume=True)
    cluster.run(again, Slow(0.0), engine="ray")
    assert_whole(again, 6)


@dataclass(frozen=True)
class Picky:
    """Works in the processes that find no file in the way, and takes it away."""

    way: str

    def __call__(self) -> cluster.Worker:
        try:
            Path(self.way).unlink()
        except FileNotFoundError:
            return Slow(0.05).work
        raise OSError("there is no store here")


def test_a_node_that_cannot_work_costs_no_chunk(two_nodes, tmp_path):
    way = tmp_path / "way"
    way.touch()
    job = begun(tmp_path / "job", 8)
    cluster.run(job, Picky(str(way)), engine="ray")
    assert_whole(job, 8)


def test_a_cluster_that_cannot_work_says_why_and_sets_nothing_aside(two_nodes, tmp_path):
    store = heap(tmp_path, 4, 50)
    job = cluster.begin_clash(store, tmp_path / "job")
    with pytest.raises(RuntimeError, match="no node of the cluster can work: .*elsewhere.sudar"):
        cluster.run(job, cluster.Clashes(str(tmp_path / "elsewhere.sudar"), 1 << 30), engine="ray")
    assert job.failed() == [] and len(job.pending()) == len(job.chunks())


def test_a_node_that_is_killed_is_done_without(two_nodes, tmp_path):
    mark = tmp_path / "mark"
    third = two_nodes.add_node(num_cpus=1)
    two_nodes.wait_for_nodes()
    job = begun(tmp_path / "job", 16)
    thread = in_background(lambda: cluster.run(job, Slow(0.25, str(mark), workers=3), engine="ray"))
    wait_until(lambda: len(pids(mark)) >= 3)
    two_nodes.remove_node(third, allow_graceful=False)
    thread.join()
    assert_whole(job, 16)


DRIVER = """
import sys
sys.path.insert(0, {tests!r})
from test_cluster import *
cluster.run(begun(Path({folder!r}), 12, resume=True), Slow(0.4), engine="threads")
"""


def driver(folder: Path) -> subprocess.Popen[bytes]:
    program = DRIVER.format(tests=str(Path(__file__).parent), folder=str(folder))
    # What runs beside others may be made to ignore an interrupt, and its children with it.
    heeding = lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)  # noqa: E731
    return subprocess.Popen([sys.executable, "-c", program], preexec_fn=heeding)


def done(folder: Path) -> int:
    answers = folder / "answers"
    return sum(path.suffix == ".arrow" for path in answers.iterdir()) if answers.is_dir() else 0


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_a_driver_that_ends_is_resumed(tmp_path, how):
    folder = tmp_path / "job"
    first = driver(folder)
    wait_until(lambda: done(folder) >= 3)
    first.send_signal(how)
    first.wait()
    before = done(folder)
    assert 3 <= before < 12
    job = begun(folder, 12, resume=True)
    assert len(job.pending()) == 12 - before
    cluster.run(job, Slow(0.0))
    assert_whole(job, 12)


def test_the_same_job_twice_at_once(tmp_path):
    folder = tmp_path / "job"
    both = [driver(folder), driver(folder)]
    assert [one.wait() for one in both] == [0, 0]
    assert_whole(begun(folder, 12, resume=True), 12)


def test_damaged_answers_are_made_again(tmp_path):
    job = begun(tmp_path / "job", 5)
    cluster.run(job, Slow(0.0))
    files = sorted((tmp_path / "job" / "answers").iterdir())
    files[0].write_bytes(files[0].read_bytes()[:-1])
    files[1].write_bytes(b"other")
    files[2].unlink()
    assert len(job.pending()) == 3
    cluster.run(job, Slow(0.0))
    assert_whole(job, 5)


FULL = """
import resource, signal, sys
sys.path.insert(0, {tests!r})
from test_cluster import *
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
job = begun(Path({folder!r}), 5)
resource.setrlimit(resource.RLIMIT_FSIZE, (4, 4))
try:
    cluster.run(job, Slow(0.0))
except (OSError, RuntimeError, ValueError) as error:
    print(error)
"""


def test_a_full_disk_ends_the_job_and_loses_nothing(tmp_path):
    folder = tmp_path / "job"
    program = FULL.format(tests=str(Path(__file__).parent), folder=str(folder))
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert "cannot be written; check the space left" in said
    assert done(folder) == 0
    job = begun(folder, 5, resume=True)
    cluster.run(job, Slow(0.0))
    assert_whole(job, 5)


def test_damaged_chunks_are_written_again(tmp_path):
    begun(tmp_path / "job", 5)
    files = sorted((tmp_path / "job" / "chunks").iterdir())
    files[0].write_bytes(b"")
    files[1].unlink()
    job = begun(tmp_path / "job", 5, resume=True)
    cluster.run(job, Slow(0.0))
    assert_whole(job, 5)


def test_other_jobs_in_the_folder_are_refused(tmp_path):
    begun(tmp_path / "job", 3)
    with pytest.raises(ValueError, match="--resume"):
        begun(tmp_path / "job", 3)
    with pytest.raises(ValueError, match="a scene that was another, or has changed"):
        begun(tmp_path / "job", 3, resume=True, scene=b"other")
    with pytest.raises(ValueError, match="with other options"):
        begun(tmp_path / "job", 4, resume=True)
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "file").write_text("mine")
    with pytest.raises(ValueError, match="holds other files"):
        begun(tmp_path / "full", 3)


def command(*words: object) -> int:
    return subprocess.run([sys.executable, "-m", "sudar", *map(str, words)]).returncode


def heap(folder: Path, seed: int, count: int = 700) -> Path:
    """A store of boxes that lie through each other."""
    rng = np.random.default_rng(seed)
    lines = []
    corners = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], dtype=float)
    faces = [(1, 2, 4, 3), (5, 7, 8, 6), (1, 5, 6, 2), (3, 4, 8, 7), (1, 3, 7, 5), (2, 6, 8, 4)]
    for number in range(count):
        lines.append(f"o box {number}")
        places = corners * rng.uniform(0.5, 1.5, 3) + rng.uniform(0, 6, 3)
        lines += [f"v {x} {y} {z}" for x, y, z in places.tolist()]
        lines += ["f " + " ".join(str(8 * number + corner) for corner in face) for face in faces]
    (folder / "heap.obj").write_text("\n".join(lines) + "\n")
    store = folder / "heap.sudar"
    assert command("pack", folder / "heap.obj", "-o", store, "--quiet") == 0
    return store


def plain(table: sudar.ClashTable) -> dict:
    document = json.loads(json.dumps(table.document))
    document.pop("date", None)
    document.pop("seconds", None)
    return document


def test_a_check_in_chunks_is_the_check_in_one(two_nodes, tmp_path):
    store = heap(tmp_path, 1)
    options = {"clearance": 0.01, "touch": 0.0}
    whole = sudar.clash(store, **options)
    here = cluster.clash(store, tmp_path / "here", work=1 << 18, **options)
    there = cluster.clash(store, tmp_path / "there", engine="ray", work=1 << 18, **options)
    assert len(_core.Job.open(tmp_path / "there").chunks()) > 4
    assert len(whole) > 1000 and plain(whole) == plain(here) == plain(there)
    # Arrow reads the answers, each clash once.
    import pyarrow.dataset

    rows = pyarrow.dataset.dataset(tmp_path / "there" / "answers", format="ipc").to_table()
    assert sorted(zip(rows["a"].to_pylist(), rows["b"].to_pylist(), strict=True)) == [
        (int(a), int(b)) for a, b in zip(whole.a, whole.b, strict=True)
    ]
    # A store that has changed since is refused.
    heap(tmp_path, 2)
    with pytest.raises(ValueError, match="has changed"):
        cluster.clash(store, tmp_path / "here", resume=True, work=1 << 18, **options)


def test_the_command_takes_chunks_and_clusters(two_nodes, tmp_path):
    store = heap(tmp_path, 3, 200)
    words = ["clash", store, "--touch", "0", "--no-times", "--quiet", "--limit", "1"]
    first, second, third = (tmp_path / name for name in ("1.json", "2.json", "3.json"))
    assert command(*words, "-o", first) == 1
    job = ["--job", tmp_path / "job"]
    assert command(*words, "-o", second, *job) == 1
    cluster_job = ["--job", tmp_path / "other", "--cluster", "ray", "--address", two_nodes.address]
    assert command(*words, "-o", third, *cluster_job) == 1
    assert first.read_bytes() == second.read_bytes() == third.read_bytes()
    assert command(*words, *job) == 2
    assert command(*words, *job, "--resume") == 1


ARM = """<robot name="arm"><link name="base"/>
<link name="upper"><collision><origin xyz="0 0 0.5"/><geometry><box size="0.1 0.1 1"/></geometry></collision></link>
<link name="lower"><collision><origin xyz="0 0 0.5"/><geometry><box size="0.1 0.1 1"/></geometry></collision></link>
<joint name="a" type="revolute"><parent link="base"/><child link="upper"/><axis xyz="0 1 0"/>
<limit lower="-3" upper="3" effort="1" velocity="1"/></joint>
<joint name="b" type="revolute"><parent link="upper"/><child link="lower"/><origin xyz="0 0 1.05"/><axis xyz="0 1 0"/>
<limit lower="-3" upper="3" effort="1" velocity="1"/></joint></robot>"""


RESUME = """
import sys
sys.path.insert(0, {tests!r})
from test_cluster import *
cluster.ROWS = 100
free = cluster.check(arm(Path({folder!r})), np.random.default_rng(5).uniform(-3, 3, (400, 2)), {job!r}, resume=True)
print(len(free), free.sum())
"""


def test_a_job_about_a_robot_is_resumed_by_another_process(tmp_path, monkeypatch):
    monkeypatch.setattr(cluster, "ROWS", 100)
    free = cluster.check(arm(tmp_path), np.random.default_rng(5).uniform(-3, 3, (400, 2)), tmp_path / "job")
    gone = sorted((tmp_path / "job" / "answers").iterdir())[1]
    gone.unlink()
    program = RESUME.format(tests=str(Path(__file__).parent), folder=str(tmp_path), job=str(tmp_path / "job"))
    for seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=environment)
        assert said.stdout == f"400 {free.sum()}\n", said.stderr
    assert gone.exists()


def arm(folder: Path) -> sudar.RobotCell:
    (folder / "arm.urdf").write_text(ARM)
    ball = (sudar.Sphere(0.3), ([0.8, 0, 0.8], [0, 0, 0, 1]))
    return sudar.RobotCell(sudar.Robot.load(folder / "arm.urdf"), {"ball": ball})


def test_configurations_and_edges_in_chunks(two_nodes, tmp_path, monkeypatch):
    cell = arm(tmp_path)
    rng = np.random.default_rng(5)
    q = rng.uniform(-3, 3, (2000, 2))
    monkeypatch.setattr(cluster, "ROWS", 300)
    free = cluster.check(cell, q, tmp_path / "check", engine="ray")
    assert 0 < free.sum() < len(q)
    np.testing.assert_array_equal(free, cell.check(q))
    starts, ends = q[:40], q[40:80]
    found, want = cluster.edges(cell, starts, ends, tmp_path / "edges"), cell.check_edges(starts, ends)
    for name in cluster.EDGES:
        np.testing.assert_array_equal(getattr(found, name), getattr(want, name))
    plans = cluster.plan(cell, starts[:12], ends[:12], tmp_path / "plan", engine="ray", rounds=200)
    for start, end, plan in zip(starts, ends, plans, strict=False):
        try:
            want = cell.plan(start, end, seconds=None, rounds=200)
        except sudar.NoPlan as why:
            assert isinstance(plan, sudar.NoPlan) and str(plan) == str(why)
        else:
            np.testing.assert_array_equal(plan.waypoints, want.waypoints)
            assert plan.certified == want.certified and plan.statistics == want.statistics
    assert any(isinstance(plan, sudar.Plan) for plan in plans) and any(isinstance(p, sudar.NoPlan) for p in plans)


def test_no_chunk_is_blamed_for_one_beside_it(tmp_path):
    """A worker dies with two chunks in its hands: which of them it died of is not known, so each is tried alone."""

    class Lost:
        """In the place of Ray: nothing that a dead worker had can be had."""

        exceptions = ray.exceptions

        @staticmethod
        def get(task: object, timeout: float = 0.0) -> bytes:
            raise ray.exceptions.RayError("lost")

    job = begun(tmp_path / "job", 3)
    state = cluster._State(job, None)
    one, other = state.left.popleft(), state.left.popleft()
    engine = cluster._Cluster(Lost, state, None, 1)
    engine.nodes["node"] = cluster._Node(None, 1, None, {"task": one, "next": other})
    engine._dismiss("node", "it died")
    assert not job.failed() and state.tries == {} and engine.suspects == {one, other}
    node = cluster._Node(None, 1, None, {})
    assert engine._has_room(node, one)
    node.given["task"] = one
    assert not engine._has_room(node, other) and not engine._has_room(node, "another")
    # Alone it is to blame.
    state.left.remove(one)
    engine.nodes["node"] = node
    engine._dismiss("node", "it died")
    assert state.tries == {one: 1} and set(state.left) == set(job.pending())


GUEST = """
import ray, sys
try:
    ray.init(address=sys.argv[1], log_to_driver=False, logging_level="CRITICAL")
except Exception as error:
    print(type(error).__name__)
else:
    print("let in")
"""

HOST = f"""
import os, subprocess, sys
os.environ.pop("RAY_AUTH_MODE", None)
from pathlib import Path
from sudar import _core, cluster

def come(done, total):
    if done == 1:
        import ray
        address = ray.get_runtime_context().gcs_address
        for guest in ({{}}, {{"RAY_AUTH_MODE": "disabled"}}):
            try:
                told = subprocess.run([sys.executable, "-c", {GUEST!r}, address], env={{**os.environ, **guest}},
                                      capture_output=True, text=True, timeout=8)
                print(told.stdout.strip() or "died", flush=True)
            except subprocess.TimeoutExpired:
                print("waits", flush=True)

def make():
    return lambda chunk, threads: chunk

texts = [b"one", b"two"]
names = [_core.digest(text) for text in texts]
job = _core.Job.begin(sys.argv[1], "test", b"scene", names, lambda i: texts[i], False)
cluster.run(job, make, engine="ray", progress=come)
print("done")
"""


def test_nobody_without_the_token_comes_into_a_cluster_of_our_own(tmp_path):
    # Tokens are made in the home of the one who starts it.
    home = {**os.environ, "HOME": str(tmp_path)}
    home.pop("RAY_ADDRESS", None)
    host = subprocess.run(
        [sys.executable, "-c", HOST, str(tmp_path / "job")], env=home, capture_output=True, text=True, timeout=120
    )
    lines = host.stdout.split("\n")
    # Who has none is told so, or waits for long.
    assert lines[0] == "let in" != lines[1] and lines[2] == "done", host.stdout + host.stderr
