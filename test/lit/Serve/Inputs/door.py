"""door.py FOLDER PTX: the Python module of FOLDER, with a stand-in for a kernel
that Triton has compiled to the file PTX."""
import sys
import threading
from pathlib import Path
from types import SimpleNamespace

sys.path.insert(0, sys.argv[1])
import gpu_estimate

SAXPY = """
__global__ void saxpy(float a, const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = a * x[i] + y[i];
}
"""
COMMON = {"gpu": "nvidia-v100", "no_cuda_sdk": True, "ptxas": "off"}
LAUNCH = {"grid": (4096,), "block": (256, 1, 1), "param": {"n": 1 << 20}}

first = gpu_estimate.estimate(source=SAXPY, **LAUNCH, **COMMON)["estimates"][0]
print("estimate", first["summary"])

found = [None] * 4


def ask(place):
    result = gpu_estimate.estimate(source=SAXPY, **LAUNCH, **COMMON)
    found[place] = result["estimates"][0]["time_ms"]


threads = [threading.Thread(target=ask, args=(i,)) for i in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print("threads", found == [first["time_ms"]] * 4)

tensor = SimpleNamespace(numel=lambda: 1 << 20)
compiled = SimpleNamespace(asm={"ptx": Path(sys.argv[2]).read_text()},
                           metadata=SimpleNamespace(num_warps=8, shared=0))
triton = gpu_estimate.estimate(compiled, grid=(4096,), **COMMON,
                               arguments=[1 << 20, tensor, tensor, 2.0])
print("triton", triton["estimates"][0]["launch"]["block"],
      triton["estimates"][0]["launch"]["grid"])

compiled.metadata.num_ctas = 2
clusters = gpu_estimate.estimate(compiled, grid=(4096, 2), **COMMON)
print("clusters", clusters["estimates"][0]["launch"]["grid"])
compiled.metadata.num_ctas = 1

ranked = gpu_estimate.rank([("compiled", compiled)],
                           grid=(4096,), **COMMON)["rankings"][0]["ranking"]
print("rank", ranked[0]["id"])
print("headroom", gpu_estimate.headroom(source=SAXPY, **LAUNCH, **COMMON)
      ["kernels"][0]["headroom"] > 1)
print("explain", "sectors" in gpu_estimate.explain("uncoalesced"))
print("gpus", len(gpu_estimate.gpus()) > 50)
try:
    gpu_estimate.estimate(source=SAXPY, gpu="none")
except gpu_estimate.GpuEstimateError as error:
    print("error", error)
with gpu_estimate.Service(["--gpu", "nvidia-h200"]) as service:
    print("service", service.suggest(source=SAXPY)["estimates"][0]["gpu"])
try:
    service.gpus()
except (gpu_estimate.GpuEstimateError, ValueError):
    print("closed")
