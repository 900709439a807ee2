"""Tests of Ctrl-C, progress functions and Context.cancel during long calls."""

import io
import os
import re
import signal
import subprocess
import sys
import threading
import time

import pytest

import semla
from semla.owner import Progress
from semla.progress import ProgressLine

# A program that prints "ready", and makes a call that takes far more than a second, or calls without end. When it is
# interrupted it prints the time, and the processor's time used so far. Then the same objects and context are used again.
CHILD = """
import sys, time
import semla

{before}
small = semla.generate("kronecker", scale=6)
print("ready", flush=True)
try:
    {call}
    print("not interrupted")
except KeyboardInterrupt:
    print(time.time(), time.process_time())
assert semla.bfs(small, 0)[0].nvals > 1
{after}
"""

GRAPH = "A = semla.generate('kronecker', scale=15)"
COMPLETE = "A = semla.generate('complete', vertices=3000)"

CALLS = {
    "betweenness": (GRAPH, "semla.betweenness(A)", "A.nvals"),
    "pagerank": (GRAPH, "while True: semla.pagerank(A, tolerance=1e-300)", "A.nvals"),
    "mxm": (
        "A = semla.generate('kronecker', scale=18, context=semla.Context('suitesparse'))",
        "A.mxm(A, 'plus_pair').new()",
        "A.nvals",
    ),
    "triangles": (COMPLETE, "semla.triangles(A)", "A.nvals"),
    "search": (
        "A = semla.generate('path', vertices=3 * 10**6)",
        "while True: semla.bfs(A, 0, deterministic=True, direction='push')",
        "A.nvals",
    ),
    "generate": ("", "semla.generate('kronecker', scale=22)", ""),
    "read": ("", "semla.read(sys.argv[1], format='edge_list')", ""),
    "write": ("A = semla.generate('kronecker', scale=19)", "A.write(sys.argv[1] + '.mtx')", ""),
    "pipe": ("", "semla.read(sys.argv[1], format='edge_list')", ""),
}


def processor_seconds(process):
    """The processor's time that a process has used so far."""
    with open(f"/proc/{process}/stat", encoding="ascii") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def interrupt(tmp_path, before, call, after, while_running=None):
    """The seconds from a SIGINT to KeyboardInterrupt in a child that runs the call: of the clock, or of the
    processors if these are fewer, because other programs took them."""
    file = tmp_path / "graph"
    child = subprocess.Popen(
        [sys.executable, "-c", CHILD.format(before=before, call=call, after=after), file],
        env={**os.environ, "CUDA_VISIBLE_DEVICES": ""},  # a GPU would have ended too early
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert child.stdout.readline() == "ready\n"
        time.sleep(0.3)
        if while_running:
            while_running(file)
        sent, used = time.time(), processor_seconds(child.pid)
        child.send_signal(signal.SIGINT)
        out, err = child.communicate(timeout=600)
    finally:
        child.kill()
    assert child.returncode == 0, err
    assert out != "not interrupted\n"
    assert err == ""
    ended, spent = map(float, out.split())
    return min(ended - sent, spent - used)


@pytest.mark.parametrize("name", [name for name in CALLS if name not in ("read", "pipe")])
def test_interrupt(tmp_path, name):
    assert interrupt(tmp_path, *CALLS[name]) < 1
    assert os.listdir(tmp_path) == []  # of `write`, no temporary file


def test_interrupt_reading(tmp_path):
    with open(tmp_path / "graph", "w", encoding="ascii") as file:
        lines = "".join(f"{k} {k * 7919 % 100000}\n" for k in range(100000))
        for _ in range(200):
            file.write(lines)
    assert interrupt(tmp_path, *CALLS["read"]) < 1


def test_interrupt_waiting_for_a_pipe(tmp_path):
    os.mkfifo(tmp_path / "graph")
    writers = []

    def write(file):
        writers.append(os.open(file, os.O_RDWR))  # does not wait for the reader
        os.write(writers[0], b"0 1\n")
        time.sleep(0.3)

    assert interrupt(tmp_path, *CALLS["pipe"], while_running=write) < 1
    os.close(writers[0])


def test_progress():
    reports = []
    context = semla.Context(progress=reports.append)
    assert context.progress == reports.append
    A = semla.generate("kronecker", scale=14, context=context)
    semla.betweenness(A, sources=range(1024))
    last = reports[-1]
    assert last.operation == "betweenness" and last.total == 1024 and 0 <= last.done <= 1024
    context.progress = None
    count = len(reports)
    semla.betweenness(A, sources=range(64))
    assert len(reports) == count
    with pytest.raises(semla.Invalid, match="progress is 7"):
        context.progress = 7


class Terminal(io.StringIO):
    """A stream that is a terminal, and the lines that a reader sees at its end after each write."""

    def __init__(self, terminal=True):
        super().__init__()
        self._terminal, self.lines = terminal, []

    def isatty(self):
        return self._terminal

    def write(self, text):
        self.lines.append(text.replace("\r\x1b[K", ""))


def test_progress_line():
    seconds = [0.0]
    stream = Terminal()
    line = ProgressLine(stream, lambda: seconds[0])

    def report(at, *progress):
        seconds[0] = at
        line(Progress(*progress))

    report(10, "betweenness", 0, 2000)
    report(10.9, "betweenness", 100, 2000)
    line.ended()
    assert stream.lines == []  # the call took less than a second
    report(20, "read", 3, None)
    report(20.5, "betweenness", 1000, 5000)
    report(22.5, "betweenness", 2000, 5000)
    report(30.5, "betweenness", 5000, 5000)
    report(100, "components", 7, None)
    report(101, "sort", 0, 4)
    report(161, "sort", 1, 4)
    line.ended()
    assert stream.lines == [
        "betweenness [########............] 2,000 of 5,000, 40 %, 6 s left",
        "betweenness [####################] 5,000 of 5,000, 100 %, 0 s left",
        "components 7, 1:20 min",
        "sort [....................] 0 of 4, 0 %",
        "sort [#####...............] 1 of 4, 25 %, 3:00 min left",
        "",
    ]
    report(200, "read", 0, None)  # a new call
    line.ended()
    assert len(stream.lines) == 6


def test_progress_line_of_calls_that_report_nothing(monkeypatch):
    """A thread draws the name of the call and the time, and ends when there are no calls."""
    monkeypatch.setattr("semla.progress.AFTER_SECONDS", 0.2)
    monkeypatch.setattr("semla.progress.REDRAW_SECONDS", 0.02)
    stream = Terminal()
    line = ProgressLine(stream)
    line.begun("matrix transpose")
    line(Progress("set", 0, None))  # a part of the call, without a count
    wait_for(lambda: len(stream.lines) >= 3)
    line.ended()
    drawn = len(stream.lines)
    assert set(stream.lines[:-1]) == {"matrix transpose, 0 s"} and stream.lines[-1] == ""
    wait_for(lambda: line._thread is None)
    assert len(stream.lines) == drawn
    line.begun("read")
    assert line._thread is not None
    line.ended()
    wait_for(lambda: line._thread is None)


def wait_for(condition):
    end = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


def test_progress_of_an_algorithm_by_name(monkeypatch):
    monkeypatch.setattr("semla.progress.AFTER_SECONDS", 0)
    monkeypatch.setattr("semla.progress.REDRAW_SECONDS", 0.001)
    begun = []
    monkeypatch.setattr(ProgressLine, "begun", lambda line, name: begun.append(name))
    A = semla.generate("path", vertices=5, context=semla.Context())
    semla.components(A, progress=True)
    A.context.progress = True
    A.T.new()
    assert begun[0] == "components" and begun[-1] in ("matrix transpose", "computing")


def test_progress_on_a_terminal_only(monkeypatch):
    monkeypatch.setattr("semla.progress.AFTER_SECONDS", 0)
    context = semla.Context(progress=True)
    assert context.progress is True and semla.Context(progress=False).progress is None
    A = semla.generate("kronecker", scale=14, context=context)
    for terminal in (Terminal(), Terminal(terminal=False), None):
        monkeypatch.setattr(sys, "stderr", terminal)
        semla.betweenness(A, sources=range(1024))
        if terminal and terminal.isatty():
            assert re.fullmatch(r"betweenness \[[#.]{20}\] [\d,]+ of 1,024, \d+ %.*", terminal.lines[-2])
            assert terminal.lines[-1] == ""  # the line is removed
        else:
            assert not terminal or terminal.lines == []
    context.progress = None
    assert context.progress is None


def test_progress_line_survives_its_terminal():
    class Gone(Terminal):
        def write(self, text):
            raise BrokenPipeError

    line = ProgressLine(Gone(), iter((0, 5)).__next__)
    line(Progress("read", 1, 2))
    line(Progress("read", 2, 2))
    line.ended()


class Enough(Exception):
    pass


def test_progress_function_raises():
    def stop(progress):
        raise Enough(progress.operation)

    context = semla.Context()
    A = semla.generate("kronecker", scale=12, context=context)
    context.progress = stop
    for _ in range(3):
        with pytest.raises(Enough):
            semla.betweenness(A)
        time.sleep(0.06)
    context.progress = None
    assert A.nvals > 0


def test_progress_function_calls_semla():
    context = semla.Context()
    A = semla.generate("kronecker", scale=12, context=context)
    B = semla.generate("path", vertices=4)
    for other in (A, B):
        context.progress = lambda progress, other=other: other.nvals
        with pytest.raises(semla.Invalid, match="must not call semla"):
            semla.betweenness(A)
        time.sleep(0.06)
    context.progress = None
    assert A.nvals > B.nvals


def test_signal_handler_raises():
    """A handler of any signal cancels by its exception; calls that it makes are refused."""
    A = semla.generate("kronecker", scale=14)
    refused = []

    def handler(number, frame):
        try:
            A.nvals  # noqa: B018
        except semla.Invalid as error:
            refused.append(str(error))
        raise Enough(number)

    before = signal.signal(signal.SIGALRM, handler)
    signal.setitimer(signal.ITIMER_REAL, 0.2)
    try:
        with pytest.raises(Enough, match=str(int(signal.SIGALRM))):
            semla.betweenness(A)
    finally:
        signal.signal(signal.SIGALRM, before)
    assert len(refused) == 1 and "must not call semla" in refused[0]
    assert A.nvals > 0


def test_cancel_from_a_thread():
    context = semla.Context()
    A = semla.generate("kronecker", scale=14, context=context)
    threading.Timer(0.2, context.cancel).start()
    with pytest.raises(semla.Cancelled, match="betweenness: cancelled after"):
        semla.betweenness(A)
    with pytest.raises(semla.Cancelled):
        A.nvals  # noqa: B018
    context.resume()
    assert A.nvals > 0


def test_calls_of_other_threads():
    """Threads with contexts of their own report to their own functions; signals stay with the main
    thread."""
    reports, threads = {}, []

    def work(number):
        reports[number] = []
        context = semla.Context("suitesparse", threads=1, progress=reports[number].append)
        A = semla.generate("kronecker", scale=10, context=context)
        semla.betweenness(A, sources=range(200))

    for number in range(3):
        threads.append(threading.Thread(target=work, args=(number,)))
        threads[-1].start()
    semla.betweenness(semla.generate("kronecker", scale=10), sources=range(200))
    for thread in threads:
        thread.join()
    assert len(reports) == 3 and all(len(r) > 0 for r in reports.values())


def test_threads_share_a_context():
    context = semla.Context()
    A = semla.generate("kronecker", scale=9, context=context)
    ranks = []
    threads = [
        threading.Thread(target=lambda: ranks.append(semla.pagerank(A).nvals)) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert ranks == [512] * 4
