"""Tests of vectors on a GPU that are lent to other libraries. Skipped without the cuda engine
and a GPU."""

import ctypes
import importlib.util

import numpy as np
import pytest

import semla

CUDA = {engine["name"]: engine for engine in semla.engines()}["cuda"]
pytestmark = pytest.mark.skipif(not CUDA["present"], reason=f"no GPU: {CUDA['unavailable_reason']}")


def searched(vertices=1000, reached=1000):
    """The parents of a search, which the engine stores in device memory."""
    context = semla.Context("cuda")
    dense = np.eye(vertices, k=1, dtype=bool)
    dense[:, reached:] = False
    parents, _ = semla.bfs(semla.Matrix.from_dense(dense, missing_value=False, context=context), 0)
    return parents, context


def download(address, count, dtype):
    """A copy of device memory, made with the CUDA driver API."""
    driver = ctypes.CDLL("libcuda.so.1")
    context, host = ctypes.c_void_p(), np.empty(count, dtype)
    assert driver.cuInit(0) == 0
    assert driver.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0) == 0
    assert driver.cuCtxSetCurrent(context) == 0
    copied = driver.cuMemcpyDtoH_v2(
        host.ctypes.data_as(ctypes.c_void_p), ctypes.c_uint64(address), ctypes.c_size_t(host.nbytes)
    )
    assert copied == 0
    return host


def test_a_full_vector():
    v, context = searched()
    copies = context.counts["copies"]
    assert v.__dlpack_device__() == (2, 0)
    interface = v.__cuda_array_interface__
    assert (
        interface["shape"] == (1000,)
        and interface["typestr"] == "<i8"
        and interface["version"] == 3
    )
    address, read_only = interface["data"]
    assert read_only and address == v.lend("cuda").values.address
    assert context.counts["copies"] == copies  # nothing was copied to the host
    expected = np.maximum(np.arange(1000) - 1, 0)
    np.testing.assert_array_equal(download(address, 1000, np.int64), expected)
    np.testing.assert_array_equal(v.to_dense(), expected)


def test_values_with_bits():
    v, _ = searched(reached=100)
    with pytest.raises(BufferError, match="every index"):
        v.__dlpack__()
    view = v.lend("cuda")
    assert view.memory == "cuda" and view.nvals == 100 and view.size == 1000 and view.stream != 0
    words = download(view.present.address, view.present.count, view.present.dtype)
    bits = np.unpackbits(words.view(np.uint8), bitorder="little")[:1000]
    assert bits.sum() == 100 and bits[:100].all()
    values = download(view.values.address, 1000, np.int64)
    assert values[:100].tolist() == [max(i - 1, 0) for i in range(100)]
    with pytest.raises(BufferError, match="memory is lent"):
        v.clear()
    assert not hasattr(view.values, "__array_interface__")


@pytest.mark.parametrize("library", ["cupy", "torch"])
def test_other_libraries(library):
    if importlib.util.find_spec(library) is None:
        pytest.skip(f"{library} is not installed")
    v, _ = searched()
    module = __import__(library)
    expected = np.maximum(np.arange(1000) - 1, 0).tolist()
    assert module.from_dlpack(v).tolist() == expected
    if library == "cupy":  # torch rejects read-only memory in this interface
        assert module.asarray(v).data.ptr == v.lend("cuda").values.address
        assert module.asarray(v).tolist() == expected
