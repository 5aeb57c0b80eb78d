"""The verifier on problems in KernelBench's conventions: right solutions, wrong ones
and tricks. Needs torch: scripts/test-torch."""

import json

import pytest
from gpu_estimate.kernelbench import __main__ as command

torch = pytest.importorskip("torch")

L40S = "nvidia-l40s"

REFERENCE = """
import torch
import torch.nn as nn

class Model(nn.Module):
    def __init__(self, by):
        super().__init__()
        self.by = by
    def forward(self, x):
        return torch.relu(x) * self.by

batch_size = 16
dim = 262144

def get_inputs():
    return [torch.randn(batch_size, dim)]

def get_init_inputs():
    return [2.0]
"""

CUDA = """
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = '''
#include <torch/extension.h>
#include <cuda_runtime.h>
__global__ void scaled_relu(const float *x, float *y, float by, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = fmaxf(x[i], 0.0f) * by;
}
torch::Tensor scaled_relu_cuda(torch::Tensor x, float by) {
  auto y = torch::empty_like(x);
  int n = x.numel();
  scaled_relu<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), by, n);
  return y;
}
'''
made = load_inline(name="scaled_relu",
                   cpp_sources="torch::Tensor scaled_relu_cuda(torch::Tensor x, float by);",
                   cuda_sources=source, functions=["scaled_relu_cuda"])

class ModelNew(nn.Module):
    def __init__(self, by):
        super().__init__()
        self.by = by
    def forward(self, x):
        return made.scaled_relu_cuda(x, self.by)
"""

TRITON = """
import torch, triton
import triton.language as tl

@triton.jit
def scaled_relu(x, y, by, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + i, i < n)
    tl.store(y + i, tl.maximum(v, 0.0) * by, i < n)

class ModelNew(torch.nn.Module):
    def __init__(self, by):
        super().__init__()
        self.by = by
    def forward(self, x):
        y = torch.empty_like(x)
        n = x.numel()
        scaled_relu[(triton.cdiv(n, 1024),)](x, y, self.by, n, BLOCK=1024)
        return y
"""


def of(body, before=""):
    return f"""
import torch
{before}
class ModelNew(torch.nn.Module):
    def __init__(self, by):
        super().__init__()
        self.by = by
    def forward(self, x):
{body}
"""


@pytest.fixture
def verdict(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("GPU_ESTIMATE_EXTENSIONS", str(tmp_path / "extensions"))
    (tmp_path / "reference.py").write_text(REFERENCE)

    def run(solution, *options):
        (tmp_path / "solution.py").write_text(solution)
        status = command.main([str(tmp_path / "reference.py"),
                               str(tmp_path / "solution.py"), "--gpu", L40S,
                               "--format", "json", *options])
        found = json.loads(capsys.readouterr().out)
        assert status == {"correct": 0, "unknown": 3}.get(found["verdict"], 1)
        return found
    return run


def test_an_extension_is_correct_and_faster(verdict):
    found = verdict(CUDA)
    assert found["verdict"] == "correct", found
    assert found["trials"] == 3 and found["max_error"] < 1e-6
    row, = found["times"]
    # One pass over the data in place of two.
    assert 1 < row["speedup"] < 4 and row["reference_ms"] > row["solution_ms"] > 0
    assert row["speedup_interval"][0] < row["speedup"] < row["speedup_interval"][1]
    assert 0 < row["roofline_share"] <= 1
    assert any("scaled_relu" in name for name in row["kernels"])


def test_triton_is_correct(verdict):
    pytest.importorskip("triton")
    found = verdict(TRITON)
    assert found["verdict"] == "correct", found
    assert found["times"][0]["speedup"] > 1


def test_a_wrong_result(verdict):
    found = verdict(CUDA.replace("0.0f) * by", "0.001f) * by"))
    assert found["verdict"] == "wrong" and "elements are wrong" in found["messages"][0]


def test_a_wrong_shape_and_a_wrong_type(verdict):
    found = verdict(of("        return (torch.relu(x) * 2.0)[0]"))
    assert found["verdict"] == "wrong" and "shape" in found["messages"][0]
    found = verdict(of("        return (torch.relu(x) * 2.0).half()"))
    assert found["verdict"] == "wrong" and "float16" in found["messages"][0]


def test_an_illegal_access(verdict):
    found = verdict(CUDA.replace("if (i < n) y[i]", "y[i + 1000000]"))
    assert found["verdict"] == "fault"
    assert any("out-of-bounds write" in text or "scaled_relu" in text
               for text in found["messages"]), found


def test_what_does_not_compile(verdict):
    found = verdict(CUDA.replace("fmaxf", "no_such_function"))
    assert found["verdict"] in ("fault", "unknown")
    assert any("no_such_function" in text for text in found["messages"])


@pytest.mark.parametrize("trick, solution", [
    ("no-work", of("        return x")),
    ("reference-called", of("        return Inner(self.by)(x)", """
class Inner(torch.nn.Module):
    def __init__(self, by):
        super().__init__()
        self.by = by
    def forward(self, x):
        return torch.relu(x) * self.by
""")),
    ("cached-result", of("""        key = x.data_ptr()
        if key not in kept:
            kept[key] = x.clamp(min=0) * 2.0
        return kept[key]""", "kept = {}")),
    ("wrong-stream", of("""        with torch.cuda.stream(torch.cuda.Stream()):
            return x.clamp(min=0) * self.by""")),
    ("clock-replaced", of("        return x.clamp(min=0) * self.by",
                          "torch.cuda.synchronize = lambda device=None: None")),
])
def test_tricks(verdict, trick, solution):
    found = verdict(solution)
    assert any(text.startswith(trick) for text in found["tricks"]), found
    assert found["verdict"] == "cheats"


def test_memory_that_nobody_wrote_is_no_result(verdict):
    found = verdict(of("        return torch.empty_like(x).clamp_(min=0)"))
    assert found["verdict"] == "wrong"


def test_a_solution_that_hangs_or_dies(verdict):
    found = verdict(of("        while True: pass"), "--timeout", "20")
    assert found["verdict"] == "unknown" and "not done after 20 s" in \
        found["messages"][0]
    found = verdict(of("        import ctypes; ctypes.string_at(0)"))
    assert found["verdict"] == "fault"


def test_large_sizes_are_reduced_and_said(verdict, tmp_path):
    large = REFERENCE.replace("dim = 262144", "dim = 262144 * 16")
    (tmp_path / "reference.py").write_text(large)
    found = verdict(of("        return x.clamp(min=0) * self.by"))
    assert found["verdict"] == "correct" and found["reduction"] > 1
    assert any("sizes divided by" in text for text in found["warnings"])
    # The whole size is predicted: 16 * 4194304 floats, there and back, twice.
    assert found["times"][0]["reference_ms"] > 1


def test_solutions_are_ranked(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("GPU_ESTIMATE_EXTENSIONS", str(tmp_path / "extensions"))
    (tmp_path / "reference.py").write_text(REFERENCE)
    files = []
    for name, text in (("wrong", of("        return x * 1.0")),
                       ("slow", of("        return x.clamp(min=0) * self.by")),
                       ("fast", CUDA)):
        files.append(str(tmp_path / f"{name}.py"))
        (tmp_path / f"{name}.py").write_text(text)
    status = command.main([str(tmp_path / "reference.py"), *files, "--gpu", L40S])
    assert status == 1
    lines = [line for line in capsys.readouterr().out.splitlines()
             if not line.startswith(" ")]
    assert [("fast" in lines[0]), ("slow" in lines[1]), ("wrong" in lines[2])] == \
        [True] * 3
