"""Tests of processes that were made by fork and by spawn.

Each program runs in a process of its own, because a process remembers whether it has used threads.
It uses the engine of the host: after work with a GPU no child may compute.
"""

import os
import subprocess
import sys
import textwrap

START = """
    import multiprocessing, os, threading, time
    import semla

    def large():
        return semla.generate("uniform", vertices=1 << 18, edges=1 << 20)

    def sum_of_ranks(_=None):
        with semla.Context():
            return round(semla.pagerank(large()).reduce().value, 6)

    def sum_in_default_context(_=None):
        return semla.Vector.from_dense([1, 2, 3]).reduce().value

    def result_of_child(function):
        with multiprocessing.get_context("fork").Pool(1) as pool:
            return pool.apply_async(function, (0,)).get(timeout=600)

    def failure_of_child(function):
        try:
            return result_of_child(function)
        except semla.Unsupported as error:
            return str(error)
"""


def run(program, tmp_path, **environment):
    """Runs a program and returns its output."""
    path = tmp_path / "program.py"
    path.write_text(textwrap.dedent(START) + textwrap.dedent(program))
    done = subprocess.run(
        [sys.executable, str(path)],
        env={**os.environ, "SEMLA_ENGINE": "suitesparse", "OMP_NUM_THREADS": "3", **environment},
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_child_of_a_parent_that_used_threads(tmp_path):
    program = """
        if __name__ == "__main__":
            assert sum_of_ranks() == 1
            for function in (sum_of_ranks, sum_in_default_context):
                message = failure_of_child(function)
                assert "forked after its parent had used threads" in message, message
                assert "spawn" in message
            assert sum_of_ranks() == 1  # the parent is not affected
            with multiprocessing.get_context("spawn").Pool(1) as pool:
                print(pool.apply_async(sum_of_ranks, (0,)).get(timeout=600))
    """
    assert run(program, tmp_path) == "1.0\n"
    assert run(program, tmp_path, OMP_WAIT_POLICY="active") == "1.0\n"


def test_child_of_a_parent_without_operations(tmp_path):
    program = """
        context = semla.current_context()
        print(result_of_child(sum_of_ranks), result_of_child(sum_in_default_context))
    """
    assert run(program, tmp_path) == "1.0 6\n"


def test_child_of_a_parent_with_one_thread(tmp_path):
    program = """
        print(sum_of_ranks(), result_of_child(sum_of_ranks))
    """
    assert run(program, tmp_path, OMP_NUM_THREADS="1") == "1.0 1.0\n"


def test_fork_during_an_operation_of_another_thread(tmp_path):
    """The child must not wait for the lock of the context, which nothing will release."""
    program = """
        started, finish = threading.Event(), threading.Event()

        def wait(x):
            started.set()
            finish.wait(60)
            return x

        slow = semla.unary.new(wait, "INT64")
        v = semla.Vector.from_dense([1])
        thread = threading.Thread(target=lambda: v.apply(slow).new().to_dict())
        thread.start()
        started.wait(60)
        message = failure_of_child(sum_in_default_context)
        finish.set()
        thread.join()
        assert "another thread used the context" in message, message
        print(v.reduce().value)
    """
    assert run(program, tmp_path, OMP_NUM_THREADS="1") == "1\n"
