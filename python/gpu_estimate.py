"""Predictions of GPU kernels from Python, without a GPU.

    import gpu_estimate
    result = gpu_estimate.estimate(source=text, gpu="nvidia-h100-sxm",
                                   grid=4096, block=256, param={"n": 1 << 20})
    print(result["estimates"][0]["summary"])

    # of a kernel that Triton has compiled, the result of kernel[grid](...)
    result = gpu_estimate.estimate(compiled, grid=(4096,), gpu="nvidia-h100-sxm",
                                   arguments=[x, y, output, x.numel()])

Methods, parameters and results are those of `gpu-estimate serve --jsonl`
(docs/serve.md). The first call starts that process; it ends with the program.
Calls from several threads are answered side by side. This file needs nothing
but Python 3.8 and the command `gpu-estimate`, on PATH or in the environment
variable GPU_ESTIMATE.
"""
import atexit
import itertools
import json
import os
import queue
import subprocess
import threading

__all__ = ["Service", "GpuEstimateError", "estimate", "rank", "suggest",
           "headroom", "explain", "gpus"]

WARP_SIZE = 32


class GpuEstimateError(Exception):
    """What was wrong with a request, or that the process has ended."""


class Service:
    """One process of `gpu-estimate serve`; `options` are those of the command,
    the defaults of all requests: ["--gpu", "nvidia-h200"]."""

    def __init__(self, options=(), command=None):
        command = command or os.environ.get("GPU_ESTIMATE", "gpu-estimate")
        self._process = subprocess.Popen(
            [command, "serve", "--jsonl", *options], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, text=True, encoding="utf-8")
        self._ids = itertools.count(1)
        self._lock = threading.Lock()  # of the input and of _answers
        self._answers = {}
        self._has_ended = False
        threading.Thread(target=self._read, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        """Ends the process after what it has been asked."""
        if self._process.stdin.closed:
            return
        self._process.stdin.close()
        self._process.wait()

    def call(self, method, **parameters):
        """The result of a method; raises GpuEstimateError."""
        answer = queue.Queue()
        number = next(self._ids)
        message = json.dumps({"id": number, "method": method,
                              "params": parameters})
        with self._lock:
            if self._has_ended:
                raise GpuEstimateError("gpu-estimate has ended")
            self._answers[number] = answer
            self._process.stdin.write(message + "\n")
            self._process.stdin.flush()
        found = answer.get()
        if "error" in found:
            raise GpuEstimateError(found["error"]["message"])
        return found["result"]

    def _read(self):
        for line in self._process.stdout:
            found = json.loads(line)
            with self._lock:
                answer = self._answers.pop(found["id"])
            answer.put(found)
        with self._lock:
            self._has_ended = True
            for answer in self._answers.values():
                answer.put({"error": {"message": "gpu-estimate has ended"}})
            self._answers.clear()

    def estimate(self, compiled=None, **parameters):
        """Predicts the kernels of a source, or of a compiled Triton kernel."""
        return self.call("estimate", **_source(compiled, parameters))

    def suggest(self, compiled=None, **parameters):
        """The same, and what slows the kernels down."""
        return self.call("suggest", **_source(compiled, parameters))

    def headroom(self, compiled=None, **parameters):
        """The predicted times against the floor of the roofline."""
        return self.call("headroom", **_source(compiled, parameters))

    def rank(self, candidates, **parameters):
        """Several versions, the fastest first. A candidate is an object of
        parameters, or a pair of an id and a compiled Triton kernel."""
        rows = [row if isinstance(row, dict) else {"id": row[0], **_triton(row[1])}
                for row in candidates]
        return self.call("rank", candidates=rows, **_source(None, parameters))

    def explain(self, name):
        """The page of a diagnostic, a bound or a part of the time."""
        return self.call("explain", name=name)["text"]

    def gpus(self):
        """The GPU models."""
        return self.call("gpus")["gpus"]


def _triton(compiled):
    """The PTX of a compiled Triton kernel, and what it knows of its launch."""
    metadata = compiled.metadata
    return {"source": compiled.asm["ptx"], "language": "ptx",
            "block": WARP_SIZE * metadata.num_warps,
            "dynamic_smem": metadata.shared}


def _blocks_of_program(compiled):
    """The thread blocks of a Triton program: more than 1 in a cluster."""
    return getattr(compiled.metadata, "num_ctas", 1) if compiled else 1


def _source(compiled, parameters):
    """The parameters of a request. `grid` may be a tuple; `arguments` are the
    kernel's by position, of which tensors count as the number of their
    elements."""
    found = {} if compiled is None else _triton(compiled)
    found.update(parameters)
    for name in ("grid", "block"):
        size = found.get(name)
        if isinstance(size, int):
            size = (size,)
        if isinstance(size, (tuple, list)):
            # Triton's grid is of programs, each a cluster along x.
            blocks = size[0] * (_blocks_of_program(compiled)
                                if name == "grid" else 1)
            found[name] = ",".join(map(str, (blocks, *size[1:])))
    named = dict(found.get("param", {}))
    for place, value in enumerate(found.pop("arguments", ())):
        named.setdefault(f"arg{place}",
                         value.numel() if hasattr(value, "numel") else value)
    if named:
        found["param"] = named
    return found


_shared = None
_shared_lock = threading.Lock()


def _service():
    global _shared
    with _shared_lock:
        if _shared is None:
            _shared = Service()
            atexit.register(_shared.close)
        return _shared


def estimate(compiled=None, **parameters):
    """Service.estimate() of a process that all calls share."""
    return _service().estimate(compiled, **parameters)


def suggest(compiled=None, **parameters):
    """Service.suggest() of that process."""
    return _service().suggest(compiled, **parameters)


def headroom(compiled=None, **parameters):
    """Service.headroom() of that process."""
    return _service().headroom(compiled, **parameters)


def rank(candidates, **parameters):
    """Service.rank() of that process."""
    return _service().rank(candidates, **parameters)


def explain(name):
    """Service.explain() of that process."""
    return _service().explain(name)


def gpus():
    """Service.gpus() of that process."""
    return _service().gpus()
