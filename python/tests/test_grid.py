"""Contexts on a grid of MPI ranks under mpi4py."""

import os
import shutil
import subprocess
import sys

import pytest

import semla

PROGRAM = os.path.join(os.path.dirname(__file__), "grid_program.py")
MPIRUN = shutil.which("mpirun")


def mpi():
    pytest.importorskip("mpi4py", reason="no mpi4py")
    if MPIRUN is None:
        pytest.skip("no mpirun")


@pytest.mark.parametrize("ranks, shape", [(1, "0x0"), (2, "0x0"), (2, "1x2"), (4, "2x2")])
def test_results_equal_those_of_one_process(ranks, shape):
    mpi()
    result = subprocess.run(
        [MPIRUN, "-n", str(ranks), sys.executable, PROGRAM, shape],
        env={
            **os.environ,
            "OMPI_ALLOW_RUN_AS_ROOT": "1",
            "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
            "OMPI_MCA_rmaps_base_oversubscribe": "1",
            "OMP_NUM_THREADS": "1",
        },
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert result.stdout.count("equal") == ranks, result.stdout + result.stderr[-3000:]
    assert result.returncode == 0


def test_arguments(monkeypatch):
    assert semla.current_context().grid is None and semla.current_context().processes == 1
    v = semla.Vector.from_dense([1.0, 2.0])
    assert v.gather()[1].tolist() == [1.0, 2.0]
    monkeypatch.setitem(sys.modules, "mpi4py", None)
    with pytest.raises((ImportError, semla.Unsupported), match="mpi4py|MPI"):
        semla.Context(comm=3)


def test_what_is_no_communicator():
    mpi()
    with pytest.raises((TypeError, semla.Unsupported), match="communicator|MPI"):
        semla.Context(comm=3)
