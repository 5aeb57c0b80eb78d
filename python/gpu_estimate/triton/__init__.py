"""Kernels of Triton without a GPU: compiled, predicted, ranked.

The package needs the module `triton` alone, neither torch nor a driver.
Launches of unchanged programs: gpu_estimate.card().
"""

from .compiling import CompiledKernel, CompileError, compile
from .tuning import (PerfModel, ProductModel, RankedConfig, Ranking, best_config,
                     perf_model)

__all__ = ["CompileError", "CompiledKernel", "PerfModel", "ProductModel", "RankedConfig",
           "Ranking", "best_config", "compile", "perf_model"]
