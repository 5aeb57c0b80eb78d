"""Kernels of Triton: compiled offline, executed on the CPU, ranked."""

import os
import subprocess
import sys
from pathlib import Path

import gpu_estimate
import pytest

numpy = pytest.importorskip("numpy")
triton = pytest.importorskip("triton")

import kernels  # noqa: E402
from gpu_estimate import _installation  # noqa: E402
from gpu_estimate import triton as offline  # noqa: E402

H100 = "nvidia-h100-sxm"
N = 1 << 16


def test_compile_by_signature():
    made = offline.compile(kernels.add, "*fp32,*fp32,*fp32,i32",
                           {"BLOCK": 1024}, gpu=H100, num_warps=8)
    assert made.num_warps == 8 and made.shared_bytes == 0
    assert made.parameters == ("x", "y", "out", "n")
    assert ".target sm_90a" in made.code
    assert 8 <= made.registers_per_thread <= 64
    assert "16 bytes" in made.notes[0]
    found = made.predict(4096, {"n": 4096 * 1024, "x": 4096 * 1024,
                                "y": 4096 * 1024, "out": 4096 * 1024})
    # 48 MiB at the 3.35 TB/s of the data sheet take 15 us at least.
    assert 0.015 < found[0].time_ms < 0.06
    assert found[0].registers_per_thread == made.registers_per_thread


def test_compile_by_arguments():
    x = numpy.zeros(1024, numpy.float16)
    made = offline.compile(kernels.add, gpu=H100, constexprs={"BLOCK": 256},
                           arguments={"x": x, "y": x, "out": x, "n": 1000})
    assert "ld.global.b16" in made.code or "b32" in made.code
    # One is a constant to Triton.
    made = offline.compile(kernels.add, gpu=H100, constexprs={"BLOCK": 256},
                           arguments={"x": x, "y": x, "out": x, "n": 1})
    assert made.parameters == ("x", "y", "out")


def test_amd():
    made = offline.compile(kernels.add, "*fp32,*fp32,*fp32,i32", {"BLOCK": 1024},
                           gpu="amd-mi300x")
    assert made.language == "llvm" and made.warp_size == 64
    found = made.predict(4096, {"n": 4096 * 1024})
    assert found[0].launch.block == (256, 1, 1)


@pytest.mark.parametrize("signature, constants, message", [
    ("*fp32,*fp32,*fp32,i32", {}, "tl.constexpr BLOCK: .*--constexpr BLOCK="),
    ("*fp32,*fp32,*fp32", {"BLOCK": 64}, "3 types for 4 parameters"),
    ("*fp32,*fp32,*fp31,i32", {"BLOCK": 64}, "'\\*fp31' of 'out'"),
    ("*fp32,*fp32,*fp32,i32:8", {"BLOCK": 64}, "may end in ':16'"),
    ("*fp32,*fp32,*fp32,i32", {"BLOK": 64}, "no parameter 'BLOK'"),
    (None, {"BLOCK": 64}, "type of 'x' of 'add' is not known"),
])
def test_wrong_requests(signature, constants, message):
    with pytest.raises(gpu_estimate.GpuEstimateError, match=message):
        offline.compile(kernels.add, signature, constants, gpu=H100)


def test_a_rejected_kernel_has_its_line():
    file = Path(kernels.__file__)
    line = 1 + file.read_text().splitlines().index(
        "    tl.store(x + at, tl.load(x + at) + nowhere)")
    with pytest.raises(offline.CompileError,
                       match=f"kernels.py:{line}: (.|\n)*nowhere"):
        offline.compile(kernels.rejected, "*fp32", {"BLOCK": 32}, gpu=H100)


def test_launches_execute_with_right_results():
    x, y = (numpy.random.default_rng(i).random(N, numpy.float32) for i in (1, 2))
    out = numpy.zeros(N, numpy.float32)
    with gpu_estimate.card(H100) as card:
        kernels.add[(N // 1024,)](x, y, out, N, BLOCK=1024)
        assert numpy.array_equal(out, x + y)
        x[:] = 1  # seen by the next launch
        kernels.add[(N // 1024,)](x, y, out, N - 5, BLOCK=1024)
        assert numpy.array_equal(out[:-5], 1 + y[:-5])
        assert not numpy.array_equal(out[-5:], 1 + y[-5:])
    assert [row.name for row in card.report.launches] == ["add", "add"]
    assert all(row.executed and row.time_ms > 0 for row in card.report.launches)
    assert not card.report.faults


@pytest.mark.parametrize("gpu", ["nvidia-v100", "nvidia-a100-40gb-pcie",
                                 "nvidia-h100-sxm"])
def test_products_and_rows(gpu):
    rng = numpy.random.default_rng(3)
    a = rng.standard_normal((128, 64)).astype(numpy.float16)
    b = rng.standard_normal((64, 128)).astype(numpy.float16)
    c = numpy.zeros((128, 128), numpy.float16)
    x = rng.standard_normal((32, 100)).astype(numpy.float32)
    y = numpy.zeros_like(x)
    with gpu_estimate.card(gpu):
        kernels.matmul[(2, 2)](a, b, c, 128, 128, 64, BM=64, BN=64, BK=32)
        kernels.softmax[(32,)](x, y, 100, 100, BLOCK=128)
    expected = a.astype(numpy.float32) @ b.astype(numpy.float32)
    assert numpy.abs(c - expected).max() < 0.05
    e = numpy.exp(x - x.max(1, keepdims=True))
    assert numpy.allclose(y, e / e.sum(1, keepdims=True), rtol=1e-5)


def test_an_access_outside_of_an_array_has_its_line():
    x, out = numpy.zeros(1 << 14, numpy.float32), numpy.zeros(100, numpy.float32)
    with pytest.raises(gpu_estimate.GpuEstimateError,
                       match="kernels.py:17: .*behind the end"):
        with gpu_estimate.card(H100):
            kernels.overrun[(16,)](x, out, BLOCK=1024)


def test_an_endless_kernel_has_its_line():
    x = numpy.zeros(8, numpy.int32)
    with pytest.raises(gpu_estimate.GpuEstimateError, match="kernels.py:5"):
        with gpu_estimate.card(H100, execute_seconds=1):
            kernels.endless[(1,)](x)


def test_the_virtual_clock():
    x = numpy.zeros(1 << 22, numpy.float32)
    with gpu_estimate.card(H100) as card:
        def launch():
            kernels.add[(4096,)](x, x, x, x.size, BLOCK=1024)

        cold = triton.testing.do_bench(launch)
        launch()
        begin, end = card.event(), card.event()
        with card.holding():
            begin.record()
            for _ in range(10):
                launch()
            end.record()
        warm = begin.elapsed_time(end) / 10
        before = card.now_ns()
        for _ in range(3):
            launch()
        card.synchronize()
        assert card.now_ns() - before > 3 * warm * 1e6
    # 16 MiB fit the 50 MB of L2.
    assert 0.003 < warm < cold < 0.1
    alone = [row.time_ms for row in card.report.launches]
    assert alone[1] > alone[2] and cold < 1.5 * alone[1]


def test_nothing_executes_if_not_asked():
    x, out = numpy.ones(N, numpy.float32), numpy.zeros(N, numpy.float32)
    with gpu_estimate.card(H100, execute="none") as card:
        kernels.add[(N // 1024,)](x, x, out, N, BLOCK=1024)
    assert not out.any() and card.report.launches[0].time_ms > 0


def test_several_cards():
    x = numpy.ones(N, numpy.float32)
    for gpu in (H100, "nvidia-a40"):
        with gpu_estimate.card(gpu, "nvidia-l40s") as card:
            kernels.add[(N // 1024,)](x, x, x, N, BLOCK=1024)
        assert [r.gpu for r in card.reports] == [gpu, "nvidia-l40s"]
    assert x[0] == 4


def test_wrong_cards():
    with pytest.raises(gpu_estimate.GpuEstimateError, match="nvidia-h10"):
        with gpu_estimate.card("nvidia-h10"):
            pass


CONFIGS = [triton.Config({"BM": m, "BN": n, "BK": 32}, num_warps=w)
           for m, n in ((16, 16), (64, 64), (128, 128), (128, 64))
           for w in (4, 8)]


def test_best_config():
    a = numpy.zeros((2048, 2048), numpy.float16)
    ranked = offline.best_config(
        kernels.matmul, {"a": a, "b": a, "c": a, "M": 2048, "N": 2048, "K": 2048},
        CONFIGS, gpu=H100,
        grid=lambda meta: (2048 // meta["BM"], 2048 // meta["BN"]))
    assert len(ranked) == len(CONFIGS)
    times = [row.time_ms for row in ranked]
    assert times == sorted(times)
    assert ranked.best.kwargs["BM"] >= 64
    assert ranked[-1].config.kwargs["BM"] == 16


def test_perf_model_prunes():
    tuned = triton.autotune(
        configs=CONFIGS, key=["M"],
        prune_configs_by={"perf_model": offline.perf_model, "top_k": 2},
    )(kernels.matmul)
    a = numpy.ones((256, 256), numpy.float16)
    c = numpy.zeros_like(a)
    with gpu_estimate.card(H100) as card:
        tuned[lambda meta: (256 // meta["BM"], 256 // meta["BN"])](
            a, a, c, 256, 256, 256)
    assert (c == 256).all()
    assert len(tuned.configs_timings) == 2
    assert card.report.launches[-1].executed


def test_the_shell():
    said = subprocess.run(
        [_installation.command(), "analyze", kernels.__file__, "--kernel", "add",
         "--signature", "*fp32,*fp32,*fp32,i32", "--constexpr", "BLOCK=1024",
         "--grid", "4096", "--param", "n=4194304", "--gpu", H100, "--gpu",
         "nvidia-a40"], capture_output=True, text=True,
        env={**os.environ, "GPU_ESTIMATE_PYTHON": sys.executable})
    assert said.returncode == 0, said.stderr
    assert "'add' takes" in said.stdout and "kernels.py:8" in said.stdout
    assert "n = 4194304" in said.stdout


def test_a_script(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        "import sys, time, numpy\nsys.path.insert(0, sys.argv[1])\n"
        "import kernels\nx = numpy.ones(1 << 20, numpy.float32)\n"
        "kernels.add[(1024,)](x, x, x, x.size, BLOCK=1024)\n"
        "print('sum', int(x.sum()), time.time() > 1e9)\n")
    said = subprocess.run(
        [_installation.command(), "run", "--gpu", H100, "--gpu", "nvidia-a40",
         str(script), str(Path(kernels.__file__).parent)], capture_output=True,
        text=True,
        env={**os.environ, "GPU_ESTIMATE_PYTHON": sys.executable})
    assert said.returncode == 0, said.stderr
    assert "sum 2097152 True" in said.stdout
    assert "NVIDIA A40" in said.stdout


def test_products_before_the_compile():
    model = offline.ProductModel("M", "N", "K", ("BM", "BN", "BK"), "fp16",
                                 gpu=H100)
    rows = [{"BM": m, "BN": n, "BK": 64, "num_warps": w, "num_stages": s}
            for m in (16, 64, 128) for n in (32, 128, 256) for w in (4, 8)
            for s in (2, 3, 4, 5)]
    times = model.times_ms({"M": 4096, "N": 4096, "K": 4096}, rows)
    best = rows[times.index(min(times))]
    assert best["BM"] >= 64 and best["BN"] >= 128
    # 137 GFLOP at 989 TFLOP/s take 0.139 ms.
    assert 0.139 < min(times) < 0.3
    with pytest.raises(gpu_estimate.GpuEstimateError, match="a value of BM"):
        model(M=1, N=1, K=1, BN=1, BK=1)


def test_tensor_descriptors():
    descriptor = pytest.importorskip("triton.tools.tensor_descriptor")
    rng = numpy.random.default_rng(5)
    a, b = (rng.standard_normal((256, 256)).astype(numpy.float16) for _ in "ab")
    c = numpy.zeros((256, 256), numpy.float16)

    def of(array, block):
        return descriptor.TensorDescriptor.from_tensor(gpu_estimate.Tensor(array),
                                                       block)

    with gpu_estimate.card(H100) as card:  # by the copy engine, swizzled
        kernels.product_of_descriptors[(2, 4)](
            of(a, [128, 64]), of(b, [64, 64]), of(c, [128, 64]), 256, BM=128,
            BN=64, BK=64)
    assert card.report.launches[0].executed
    expected = a.astype(numpy.float32) @ b.astype(numpy.float32).T
    assert numpy.abs(c - expected).max() < 0.1
