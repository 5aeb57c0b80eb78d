"""Predictions of GPU kernels from Python, without a GPU.

    >>> import gpu_estimate
    >>> text = '''__global__ void scale(float *x, int n) {
    ...   int i = blockIdx.x * blockDim.x + threadIdx.x;
    ...   if (i < n) x[i] *= 2;
    ... }'''
    >>> found = gpu_estimate.predict(source=text, gpu="nvidia-v100", grid=4096,
    ...                              block=256, param={"n": 1 << 20})
    >>> found[0].name, found[0].gpu
    ('scale', 'nvidia-v100')
    >>> 0.005 < found[0].time_ms < 0.05
    True

Methods, parameters and results are those of `gpu-estimate serve --jsonl`
(docs/serve.md): estimate() and its neighbours return its JSON, predict() the
same as dataclasses. Kernels of Triton: gpu_estimate.triton and gpu_estimate.card
(docs/python.md). The first call starts a process that ends with the program;
calls from several threads are answered side by side. The package needs nothing
but Python 3.9 and the command `gpu-estimate`: that of the environment variable
GPU_ESTIMATE, the installed one, or the one on PATH.
"""

from __future__ import annotations

from .results import (Assumption, Estimate, Interval, Launch, Predictions,
                      WithoutEstimate, predict)
from .run_report import LaunchRecord, RunReport, Totals
from .arrays import Tensor
from .cards import Card, card
from .service import (GpuEstimateError, Service, estimate, explain, gpus,
                      headroom, rank, suggest)

__all__ = ["Assumption", "Card", "Estimate", "GpuEstimateError", "Launch",
           "Interval", "LaunchRecord", "Predictions", "RunReport", "Service",
           "Tensor", "Totals", "WithoutEstimate", "card", "estimate", "explain",
           "gpus", "headroom", "predict", "rank", "suggest"]
