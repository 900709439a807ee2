"""Tests of vectors on the host that are lent by DLPack and the array interface.

test_device.py tests vectors on a GPU.
"""

import gc

import numpy as np
import pytest

import semla
from semla import dlpack


def full(dtype="FP64"):
    v = semla.Vector(dtype, 5)
    for i in range(5):
        v[i] = i + 1
    return v


@pytest.mark.parametrize("dtype", [dtype for dtype in semla.TYPES.values() if dtype != bool])
def test_dlpack_of_every_type(dtype):
    v = full(dtype)
    assert v.__dlpack_device__() == (1, 0)
    array = np.from_dlpack(v)
    assert array.dtype == dtype and array.tolist() == [1, 2, 3, 4, 5]
    assert array.ctypes.data == v.lend().values.address  # the memory of the vector itself


def test_what_numpy_sees_is_not_copied():
    v = full()
    view = v.lend("host")
    array = np.asarray(view.values)
    assert array.ctypes.data == view.values.address == np.from_dlpack(v).ctypes.data
    assert not array.flags.writeable and not np.from_dlpack(v).flags.writeable
    assert (view.memory, view.device, view.stream) == ("host", 0, 0)
    assert (view.size, view.nvals, view.present) == (5, 5, None)


def test_reading_leaves_the_memory_where_it_is():
    v = full()
    address = v.lend().values.address
    A = semla.Matrix.from_coo([0, 1], [1, 2], [1.0, 2.0], nrows=5, ncols=5)
    v.vxm(A, "min_plus").new(mask=v.S)
    v.apply("abs").new()
    v.to_coo()
    assert v.lend().values.address == address


def test_a_value_for_all():
    v = semla.Vector("INT32", 4, context=semla.Context("openmp"))
    v << 7
    assert np.from_dlpack(v).tolist() == [7] * 4
    assert v.reduce().value == 28


def test_lent_memory_is_not_written():
    v, w = full(), full()
    array = np.from_dlpack(v)
    part = array[1:3]
    del array
    for write in (
        lambda: v.clear(),
        lambda: v.resize(9),
        lambda: v << w,
        lambda: v(accum="plus")[1] << 2,
        lambda: semla.closure(v, w, semla.Matrix(float, 5, 5), "min_plus"),
    ):
        with pytest.raises(BufferError):
            write()
    w << v.apply("ainv")  # reading is allowed
    assert part.tolist() == [2, 3]
    del part
    gc.collect()
    v[0] = 9
    assert v[0].value == 9


def test_arrays_keep_the_vector():
    array = np.from_dlpack(full())
    gc.collect()
    noise = [full() for _ in range(50)]
    assert array.tolist() == [1, 2, 3, 4, 5] and len(noise) == 50


def test_capsules_that_nobody_takes():
    v = full()
    for wishes in ({}, {"max_version": (1, 0)}, {"max_version": (0, 8), "stream": None}):
        capsule = v.__dlpack__(**wishes)
        assert len(dlpack._alive) == 1
        name = "dltensor_versioned" if wishes.get("max_version") == (1, 0) else "dltensor"
        assert f'"{name}"' in repr(capsule)
        del capsule
        assert not dlpack._alive
    v[0] = 1


def test_not_an_array():
    v = full()
    del v[3]
    for wrong in (np.from_dlpack, lambda v: v.__dlpack_device__()):
        with pytest.raises(BufferError, match="every index must have an entry"):
            wrong(v)
    with pytest.raises(semla.Unsupported):
        v.lend()
    with pytest.raises(semla.Unsupported, match="GPU"):
        full().lend("cuda")
    with pytest.raises(ValueError, match="memory"):
        v.lend("disk")
    with pytest.raises(BufferError):
        full().__dlpack__(copy=True)
    with pytest.raises(BufferError):
        full().__dlpack__(dl_device=(2, 0))
    assert not hasattr(full(), "__cuda_array_interface__")
    assert not hasattr(full().lend().values, "__cuda_array_interface__")


def test_no_memory_to_write_a_value_out():
    context = semla.Context("openmp", memory_limit=1 << 30)
    v = semla.Vector("INT64", 100_000, context=context)
    v << 7
    context.set_memory_limit(context.memory["used"] + 1000)
    with pytest.raises(semla.NoMemory, match="limit"):
        v.lend()
    context.set_memory_limit(0)
    assert v.reduce().value == 700_000 and v.lend().nvals == 100_000
