"""How calls run: beside other threads, after forks, with progress, until Ctrl-C, as a command."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import sudar
from conftest import ball_mesh, poses


def ticks_during(work):
    """How long `work` takes, and the longest pause of a thread that wakes every 2 ms meanwhile."""
    stop, pauses = threading.Event(), []

    def tick():
        last = time.perf_counter()
        while not stop.is_set():
            time.sleep(0.002)
            now = time.perf_counter()
            pauses.append(now - last)
            last = now

    ticker = threading.Thread(target=tick)
    ticker.start()
    start = time.perf_counter()
    work()
    taken = time.perf_counter() - start
    stop.set()
    ticker.join()
    return taken, max(pauses), len(pauses)


def test_other_threads_run_during_every_long_call(random):
    mesh, p = ball_mesh(40, solid=False), poses(random, (20_000,), 1.5)
    vertices, faces = ball_mesh(250, solid=False).vertices, ball_mesh(250, solid=False).faces
    manager = sudar.CollisionManager()
    for i in range(300):
        manager.add(str(i), mesh, p[i])
    for name, work in {
        "intersects": lambda: sudar.intersects(mesh, mesh, pose_b=p, threads=1),
        "distance": lambda: sudar.distance(mesh, mesh, pose_b=p[:3000], threads=1),
        "contacts": lambda: sudar.contacts(mesh, mesh, pose_b=p[:3000], threads=1),
        "build": lambda: sudar.Mesh(vertices, faces),
        "manager": lambda: manager.touching_pairs(),
        "world": lambda: sudar.World.load("gas").step(steps=200),
    }.items():
        # A lock held throughout would be one pause of all the time, at each of these attempts; a machine that is busy
        # otherwise is so at some of them.
        seen = []
        for _ in range(5):
            taken, longest, ticks = ticks_during(work)
            seen.append((taken, longest, ticks))
            if taken < 0.03 or (longest < max(0.02, 0.25 * taken) and ticks > 0.3 * taken / 0.002):
                break
        else:
            raise AssertionError((name, seen))


def test_progress_is_told_to_the_end(random, capsys):
    told = []
    mesh = ball_mesh(20)
    sudar.distance(mesh, mesh, pose_b=poses(random, (2000,)), progress=lambda done, total: told.append((done, total)))
    assert told[-1] == (2000, 2000) and all(x <= y for x, y in zip(told, told[1:], strict=False))
    sudar.distance(mesh, mesh, pose_b=poses(random, (20,)), progress=True)
    assert capsys.readouterr().err
    with pytest.raises(ZeroDivisionError):
        sudar.distance(mesh, mesh, pose_b=poses(random, (2000,)), progress=lambda done, total: 1 / 0)


LONG = """
import numpy as np, signal, sudar, sys, time
# A shell starts what runs in the background with interrupts ignored.
signal.signal(signal.SIGINT, signal.default_int_handler)
sys.path.insert(0, {tests!r})
from conftest import ball_mesh
mesh = ball_mesh(60)
p = np.tile(np.eye(4), (2_000_000, 1, 1))
p[:, 0, 3] = 2.001
print("ready", flush=True)
try:
    sudar.distance(mesh, mesh, pose_b=p)
except KeyboardInterrupt:
    print("stopped", flush=True)
"""


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_an_interrupt_stops_a_long_call():
    code = LONG.format(tests=os.path.dirname(__file__))
    child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert child.stdout.readline() == "ready\n"
    time.sleep(1.0)
    start = time.perf_counter()
    child.send_signal(signal.SIGINT)
    out, _ = child.communicate(timeout=30)
    assert out == "stopped\n" and time.perf_counter() - start < 5.0


def _forked(queue, bodies, p):
    queue.put([sudar.intersects(*bodies, pose_b=p).tolist(), sudar.distance(*bodies, pose_b=p[0]).upper])


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_a_forked_process_answers(random):
    bodies, p = [ball_mesh(20), ball_mesh(20)], poses(random, (200,))
    expected = [sudar.intersects(*bodies, pose_b=p).tolist(), sudar.distance(*bodies, pose_b=p[0]).upper]
    for method in ("fork", "spawn"):
        context = multiprocessing.get_context(method)
        queue = context.Queue()
        child = context.Process(target=_forked, args=(queue, bodies, p))
        child.start()
        assert queue.get(timeout=60) == expected
        child.join(60)


def test_many_threads_may_ask_at_once(random):
    mesh, p = ball_mesh(20), poses(random, (500,))
    expected = sudar.intersects(mesh, mesh, pose_b=p)
    wrong = []

    def ask():
        for _ in range(5):
            if not np.array_equal(sudar.intersects(mesh, mesh, pose_b=p), expected):
                wrong.append(1)

    threads = [threading.Thread(target=ask) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def run(*words):
    return subprocess.run([sys.executable, "-m", "sudar", *words], capture_output=True, text=True, timeout=300)


def test_the_command_is_inside():
    version = run("--version")
    assert version.returncode == 0 and version.stdout.startswith("sudar ")
    # The built-in gearbox has planted faults.
    found = run("clash")
    assert found.returncode == 1 and "clash" in found.stdout
    assert run("clash", "nowhere.obj").returncode == 2
    assert run().returncode == 2
