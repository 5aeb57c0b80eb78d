"""The package without Triton."""

import subprocess
import sys

import gpu_estimate
import pytest
from gpu_estimate import arrays

SCALE = """
__global__ void scale(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 2;
}
"""
LAUNCH = {"source": SCALE, "gpu": ["nvidia-v100", "nvidia-h100-sxm"],
          "no_cuda_sdk": True, "ptxas": "off", "grid": (4096,), "block": 256,
          "param": {"n": 1 << 20}}


def test_typed_results_are_those_of_the_service():
    raw = gpu_estimate.estimate(**LAUNCH)
    typed = gpu_estimate.predict(**LAUNCH)
    assert [e.gpu for e in typed] == ["nvidia-v100", "nvidia-h100-sxm"]
    assert [e.time_ms for e in typed] == \
        [e["time_ms"] for e in raw["estimates"]]
    assert typed[0].launch.grid == (4096, 1, 1)
    assert typed[0].interval.low_ms < typed[0].time_ms < typed[0].interval.high_ms
    assert abs(sum(typed[0].breakdown.values()) - 1) < 1e-6
    assert "<td>scale</td>" in typed._repr_html_()


def test_unknown_size_has_no_time():
    found = gpu_estimate.predict(source="""
        __global__ void sum(float *x, int n) {
          for (int i = 0; i < n; ++i) x[threadIdx.x] += i;
        }""", gpu="nvidia-v100", no_cuda_sdk=True, ptxas="off", grid=1, block=32)
    assert found[0].time_ms is None and found[0].unknown
    assert "not known" in found._repr_html_()


def test_errors_name_what_is_wrong():
    with pytest.raises(gpu_estimate.GpuEstimateError, match="'none'"):
        gpu_estimate.predict(**{**LAUNCH, "gpu": "none"})


def test_the_module_is_the_command():
    said = subprocess.run([sys.executable, "-m", "gpu_estimate", "--version"],
                          capture_output=True, text=True, check=True)
    assert said.stdout.startswith("gpu-estimate ")


def test_a_view_stands_for_its_whole_array():
    numpy = pytest.importorskip("numpy")
    whole = numpy.zeros((8, 16), numpy.float32)
    found = arrays.memory_of(whole[2:4, ::-1])
    assert found.first == whole.ctypes.data and found.bytes == whole.nbytes
    assert found.address == whole.ctypes.data + 4 * (2 * 16 + 15)


def test_arrays_that_kernels_cannot_take():
    numpy = pytest.importorskip("numpy")
    with pytest.raises(TypeError, match="big-endian"):
        arrays.memory_of(numpy.zeros(4, ">f4"))
    with pytest.raises(TypeError, match="complex64"):
        arrays.memory_of(numpy.zeros(4, numpy.complex64))
