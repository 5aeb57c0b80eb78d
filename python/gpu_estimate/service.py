"""A client of `gpu-estimate serve --jsonl` (docs/serve.md)."""

from __future__ import annotations

import atexit
import itertools
import json
import queue
import subprocess
import threading
from typing import Any, Dict, Iterable, List, Optional, Sequence, Tuple, Union

from . import _installation

WARP_SIZE = 32


class GpuEstimateError(Exception):
    """What was wrong with a request, a launch or a kernel, or that the process
    has ended."""


class Service:
    """One process of `gpu-estimate serve`; `options` are those of the command,
    the defaults of all requests: ["--gpu", "nvidia-h200"]."""

    def __init__(self, options: Sequence[str] = (),
                 command: Optional[str] = None) -> None:
        command = command or _installation.command()
        self._process = subprocess.Popen(
            [command, "serve", "--jsonl", *options], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, text=True, encoding="utf-8")
        self._ids = itertools.count(1)
        self._lock = threading.Lock()  # of the input and of _answers
        self._answers: Dict[int, "queue.Queue[Dict[str, Any]]"] = {}
        self._has_ended = False
        threading.Thread(target=self._read, daemon=True).start()

    def __enter__(self) -> "Service":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends the process after what it has been asked."""
        assert self._process.stdin
        if self._process.stdin.closed:
            return
        self._process.stdin.close()
        self._process.wait()

    def call(self, method: str, **parameters: Any) -> Any:
        """The result of a method; raises GpuEstimateError."""
        answer: "queue.Queue[Dict[str, Any]]" = queue.Queue()
        number = next(self._ids)
        message = json.dumps({"id": number, "method": method,
                              "params": parameters})
        assert self._process.stdin
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

    def _read(self) -> None:
        assert self._process.stdout
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

    def estimate(self, compiled: Any = None, **parameters: Any) -> Dict[str, Any]:
        """Predicts the kernels of a source, or of a compiled Triton kernel."""
        return self.call("estimate", **_source(compiled, parameters))

    def suggest(self, compiled: Any = None, **parameters: Any) -> Dict[str, Any]:
        """The same, and what slows the kernels down."""
        return self.call("suggest", **_source(compiled, parameters))

    def headroom(self, compiled: Any = None, **parameters: Any) -> Dict[str, Any]:
        """The predicted times against the floor of the roofline."""
        return self.call("headroom", **_source(compiled, parameters))

    def rank(self, candidates: Iterable[Union[Dict[str, Any], Tuple[Any, Any]]],
             **parameters: Any) -> Dict[str, Any]:
        """Several versions, the fastest first. A candidate is an object of
        parameters, or a pair of an id and a compiled Triton kernel."""
        rows = [row if isinstance(row, dict) else {"id": row[0], **_triton(row[1])}
                for row in candidates]
        return self.call("rank", candidates=rows, **_source(None, parameters))

    def explain(self, name: str) -> str:
        """The page of a diagnostic, a bound or a part of the time."""
        return self.call("explain", name=name)["text"]

    def gpus(self) -> List[Dict[str, Any]]:
        """The GPU models."""
        return self.call("gpus")["gpus"]


def _triton(compiled: Any) -> Dict[str, Any]:
    """The code of a compiled Triton kernel, and what it knows of its launch."""
    metadata = compiled.metadata
    is_ptx = "ptx" in compiled.asm
    warp = WARP_SIZE if is_ptx else getattr(metadata, "warp_size", WARP_SIZE)
    return {"source": compiled.asm["ptx" if is_ptx else "llir"],
            "language": "ptx" if is_ptx else "llvm",
            "block": warp * metadata.num_warps,
            "dynamic_smem": metadata.shared}


def _blocks_of_program(compiled: Any) -> int:
    """The thread blocks of a Triton program: more than 1 in a cluster."""
    return getattr(compiled.metadata, "num_ctas", 1) if compiled else 1


def _source(compiled: Any, parameters: Dict[str, Any]) -> Dict[str, Any]:
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
        named.setdefault(f"arg{place}", _value(value))
    if named:
        found["param"] = named
    return found


def _value(argument: Any) -> Any:
    """An argument as --param takes it."""
    if hasattr(argument, "numel"):
        return argument.numel()
    shape = getattr(argument, "shape", None)
    if shape is None:
        return argument
    elements = 1
    for extent in shape:
        elements *= extent
    return elements


_shared: Optional[Service] = None
_shared_lock = threading.Lock()


def shared() -> Service:
    """The process that the functions of the package use."""
    global _shared
    with _shared_lock:
        if _shared is None:
            _shared = Service()
            atexit.register(_shared.close)
        return _shared


def estimate(compiled: Any = None, **parameters: Any) -> Dict[str, Any]:
    """Service.estimate() of a process that all calls share."""
    return shared().estimate(compiled, **parameters)


def suggest(compiled: Any = None, **parameters: Any) -> Dict[str, Any]:
    """Service.suggest() of that process."""
    return shared().suggest(compiled, **parameters)


def headroom(compiled: Any = None, **parameters: Any) -> Dict[str, Any]:
    """Service.headroom() of that process."""
    return shared().headroom(compiled, **parameters)


def rank(candidates: Iterable[Union[Dict[str, Any], Tuple[Any, Any]]],
         **parameters: Any) -> Dict[str, Any]:
    """Service.rank() of that process."""
    return shared().rank(candidates, **parameters)


def explain(name: str) -> str:
    """Service.explain() of that process."""
    return shared().explain(name)


def gpus() -> List[Dict[str, Any]]:
    """Service.gpus() of that process."""
    return shared().gpus()
