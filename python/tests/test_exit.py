"""Programs that end while the library's threads wait or work: the exit status must be 0 and nothing
is printed on stderr.

Each program is a combination of a graph, some work, what stays alive, the threads and contexts that
exist, and the way in which the program ends. OMP_WAIT_POLICY=active keeps the threads of OpenMP running until the process
has ended.
"""

import concurrent.futures
import itertools
import os
import subprocess
import sys
import textwrap

import pytest

PROGRAMS = int(os.environ.get("SEMLA_EXIT_PROGRAMS", 80))  # fewer where Python is slow
KARATE = os.path.join(os.environ["SEMLA_TEST_DATA"], "karate.mtx")

GRAPHS = [
    'A = semla.generate("kronecker", scale=10)',
    f"A = semla.read({KARATE!r}, symmetric=True)",
    "A = semla.Matrix.from_coo([0, 1, 2, 3], [1, 2, 3, 0], [1.0, 2.0, 3.0, 4.0])",
    'A = semla.generate("grid", sides=(40, 40)); A.optimize()',
]
WORK = [
    "result = semla.bfs(A, 0)",
    "result = semla.pagerank(A)",
    "result = A.mxm(A).new()",
    "result = semla.components(semla.generate('path', vertices=300))",
    "result = semla.betweenness(A, [0, 1, 2])",
    "result = A.reduce_rowwise().new().to_coo()",
]
ALIVE = [
    "",
    "sys.kept = A, result",
    "cycle = [A, result]; cycle.append(cycle); del A, result",
    "del A, result",
    'kept = semla.Vector.from_dense([1.0, 2.0]); view = kept.lend("host")',
    "array = A.to_arrays('csr').cols",
]
# A daemon thread is still at work when the interpreter ends.
THREADS = [
    "",
    """
    def work():
        while True:
            semla.pagerank(B)
    B = semla.generate("kronecker", scale=8)
    threading.Thread(target=work, daemon=True).start()
    """,
    """
    def work():
        with semla.Context(threads=2):
            B = semla.generate("kronecker", scale=8)
            ready.set()
            while True:
                semla.bfs(B, 0)
    ready = threading.Event()
    threading.Thread(target=work, daemon=True).start()
    ready.wait()
    """,
    """
    def work():
        with semla.Context():
            kept.append(semla.generate("kronecker", scale=8))
            semla.pagerank(kept[-1])
    kept = []
    workers = [threading.Thread(target=work) for _ in range(2)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    """,
]
CONTEXTS = [
    "",
    """
    engines = "auto", "suitesparse"
    contexts = [semla.Context(engine, threads=n) for engine in engines for n in (1, 2)]
    others = [semla.generate("path", vertices=50, context=one) for one in contexts]
    ranks = [semla.pagerank(one) for one in others]
    """,
    """
    opened = semla.Context()
    opened.__enter__()
    C = semla.generate("kronecker", scale=8)
    """,
]
CALLBACKS = [
    "",
    """
    twice = semla.unary.new(lambda x: 2 * x, "FP64")
    v = semla.Vector.from_dense([1.0, 2.0, 3.0])
    doubled = v.apply(twice).new()
    """,
    """
    def work():
        while True:
            v.apply(slow).new()
    slow = semla.unary.new(lambda x: x + 1, "FP64")
    v = semla.Vector.from_dense([1.0] * 1000)
    threading.Thread(target=work, daemon=True).start()
    """,
]
ENDS = [
    "",
    "sys.exit(0)",
    """
    import atexit
    D = semla.generate("path", vertices=9)
    atexit.register(lambda: semla.bfs(D, 0))
    """,
]


def programs():
    """PROGRAMS different combinations, spread over all of them."""
    parts = GRAPHS, WORK, ALIVE, THREADS, CONTEXTS, CALLBACKS, ENDS
    every = list(itertools.product(*parts))
    step = 7919  # a prime that does not divide their number, so that no combination is repeated
    for k in range(PROGRAMS):
        graph, work, alive, threads, contexts, callbacks, end = every[k * step % len(every)]
        lines = [contexts, graph, callbacks, threads, work, alive, end]
        yield "import sys, threading, semla\n" + "\n".join(textwrap.dedent(one) for one in lines)


def run(program, policy):
    """None, or what went wrong."""
    environment = {**os.environ, "OMP_NUM_THREADS": "2", "OMP_WAIT_POLICY": policy}
    try:
        done = subprocess.run(
            [sys.executable, "-c", program],
            env=environment,
            capture_output=True,
            text=True,
            timeout=600,
        )
    except subprocess.TimeoutExpired:
        return f"does not end:\n{program}"
    if done.returncode == 0 and not done.stderr:
        return None
    return f"exit status {done.returncode}, {done.stderr!r}:\n{program}"


@pytest.mark.parametrize("policy", ["active", "passive"])
def test_programs_end(policy):
    every = list(programs())
    assert len(set(every)) == PROGRAMS
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        wrong = [one for one in pool.map(lambda program: run(program, policy), every) if one]
    assert not wrong, f"{len(wrong)} of {PROGRAMS} programs:\n" + "\n\n".join(wrong[:5])
