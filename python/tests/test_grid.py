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


def mpirun(ranks, *arguments):
    return subprocess.run(
        [MPIRUN, "-n", str(ranks), sys.executable, *arguments],
        env={
            **os.environ,
            "OMPI_ALLOW_RUN_AS_ROOT": "1",
            "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
            "OMPI_MCA_rmaps_base_oversubscribe": "1",
            "OMP_NUM_THREADS": "1",
        },
        capture_output=True,
        text=True,
        timeout=600,
    )


@pytest.mark.parametrize("ranks, shape", [(1, "0x0"), (2, "0x0"), (2, "1x2"), (4, "2x2")])
def test_results_equal_those_of_one_process(ranks, shape, tmp_path):
    mpi()
    enormous = tmp_path / "enormous.txt"
    enormous.write_text("1 100000000000000\n1 5\n")
    both = tmp_path / "both.csv"
    both.write_text("source,target,same,other\na,b,5,5\nb,a,5,7\nc,b,2,2\n")
    result = mpirun(ranks, PROGRAM, shape, str(enormous), str(both))
    assert result.stdout.count("equal") == ranks, result.stdout + result.stderr[-3000:]
    assert result.returncode == 0


def test_an_exception_on_one_rank_ends_all(tmp_path):
    """If the program is started as docs/python.md says."""
    mpi()
    program = tmp_path / "program.py"
    program.write_text(
        """if True:
        import semla
        from mpi4py import MPI

        with semla.Context("suitesparse", comm=MPI.COMM_WORLD):
            if MPI.COMM_WORLD.Get_rank() == 1:
                raise RuntimeError("on rank 1 alone")
            semla.Vector.from_coo([0], [1.0], size=2)
    """
    )
    result = mpirun(2, "-m", "mpi4py", str(program))
    assert result.returncode != 0 and "on rank 1 alone" in result.stderr


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


def test_a_rank_without_the_module_tells_the_others():
    from semla._library import lib
    from semla.grid import _describe_mpi

    if not hasattr(lib, "sl_mpi_describe"):
        pytest.skip("this library was built without MPI")

    class Ranks:
        def allgather(self, mine):
            return [mine, "there is no libsemla_mpi.so"]

    with pytest.raises(semla.Unsupported, match="rank 1: there is no libsemla_mpi.so$"):
        _describe_mpi(Ranks())


def test_the_module_for_mpi_is_missing(tmp_path):
    """Everything but a grid works, and the error says which file is missing."""
    from semla._library import _library_path, lib

    if not hasattr(lib, "sl_mpi_describe"):
        pytest.skip("this library was built without MPI")
    library = tmp_path / os.path.basename(_library_path())
    shutil.copy(_library_path(), library)
    program = """if True:
        import semla
        assert semla.Vector.from_dense([1.0, 2.0]).nvals == 2
        try:
            semla.Context(comm=3)
        except semla.Unsupported as error:
            print(error)
    """
    result = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "SEMLA_LIBRARY": str(library)},
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert f"there is no {tmp_path}/libsemla_mpi.so" in result.stdout, result.stderr[-2000:]
