"""What an operation of eager PyTorch takes the host beside the launches of its
kernels, each of which takes `launch.interval` of the GPU model.

The values are those of operations on tensors of the CPU with one element,
which go the same way from Python through the dispatcher and autograd:
`python -m gpu_estimate.pytorch.host_costs` measures them on its machine. What
the way of CUDA has beside (device guards, locks of the allocator) is not in them.
"""

from __future__ import annotations

import time
from typing import Any, Callable, Dict

# Nanoseconds on an x86-64 server of 2026, torch 2.10: an operation that Python
# calls, with autograd; one that autograd's engine calls on the way back; one
# that only makes a view; and what the call of a module adds.
FORWARD_NS = 1900.0
BACKWARD_NS = 2900.0
VIEW_NS = 1300.0
MODULE_NS = 1500.0
# A compiled function, torch 2.15: its guards and its wrapper, without and with
# autograd, and what the wrapper does for each kernel beside its launch
# (measure_compiled(): functions of tensors of the CPU).
COMPILED_CALL_NS = 6800.0
COMPILED_TRAINING_CALL_NS = 17000.0
COMPILED_KERNEL_NS = 700.0

ASSUMPTION = (f"an operation of PyTorch takes the host {FORWARD_NS / 1e3:g} us in "
              f"the forward and {BACKWARD_NS / 1e3:g} us in the backward pass, a "
              f"view {VIEW_NS / 1e3:g} us and the call of a module "
              f"{MODULE_NS / 1e3:g} us, beside the launches of its kernels "
              "(measured on another host)")


def of(is_backward: bool, is_view: bool) -> float:
    if is_view:
        return VIEW_NS
    return BACKWARD_NS if is_backward else FORWARD_NS


def measure(repeats: int = 40, calls: int = 1000) -> Dict[str, float]:
    """The four values of this machine: the least of some repeats, in processor
    time of the thread."""
    import torch

    def least(work: Callable[[], Any], count: int) -> float:
        best = float("inf")
        for _ in range(repeats):
            begin = time.thread_time_ns()
            for _ in range(count):
                work()
            best = min(best, (time.thread_time_ns() - begin) / count)
        return best

    x = torch.ones(1, requires_grad=True)
    y = torch.ones(1)
    module = torch.nn.ReLU()

    def backward_of(length: int) -> float:
        best = float("inf")
        for _ in range(repeats):
            z = x
            for _ in range(length):
                z = z * y
            begin = time.thread_time_ns()
            z.backward()
            best = min(best, time.thread_time_ns() - begin)
        return best

    return {
        "FORWARD_NS": least(lambda: x + y, calls),
        "BACKWARD_NS": (backward_of(400) - backward_of(100)) / 300,
        "VIEW_NS": least(lambda: x.view(1, 1), calls),
        "MODULE_NS": least(lambda: module(x), calls) -
        least(lambda: torch.relu(x), calls),
    }


def measure_compiled(repeats: int = 30, calls: int = 500) -> Dict[str, float]:
    """The values of compiled functions; needs a compiler of C++."""
    import torch

    def least(function: Callable[..., Any], *args: Any) -> float:
        for _ in range(3):
            function(*args)
        best = float("inf")
        for _ in range(repeats):
            begin = time.thread_time_ns()
            for _ in range(calls):
                function(*args)
            best = min(best, (time.thread_time_ns() - begin) / calls)
        return best

    one, square = torch.ones(1), torch.eye(4)

    def chain(length: int) -> Any:
        def products(x: Any) -> Any:
            for _ in range(length):
                x = torch.mm(x, square) + 1
            return x
        return torch.compile(products)

    # A product and a sum are two kernels.
    kernel = (least(chain(10), square) - least(chain(2), square)) / 16
    call = torch.compile(lambda x: x + 1)
    return {"COMPILED_CALL_NS": least(call, one) - kernel,
            "COMPILED_TRAINING_CALL_NS": least(torch.compile(
                lambda x: (x * 2).relu()), one.clone().requires_grad_()) - kernel,
            "COMPILED_KERNEL_NS": kernel}


if __name__ == "__main__":
    for name, value in {**measure(), **measure_compiled()}.items():
        print(f"{name} = {value:.0f}")
