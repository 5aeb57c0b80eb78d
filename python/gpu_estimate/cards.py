"""A GPU that exists only as a file: kernels execute on the CPU, and take the
time that the modelled GPU would take."""

from __future__ import annotations

import contextlib
import importlib.abc
import importlib.util
import json
import os
import socket
import subprocess
import sys
import tempfile
import weakref
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List, Optional, Sequence, Union

from . import _installation, runtime
from .arrays import Memory, memory_of
from .run_report import RunReport
from .service import GpuEstimateError

EXECUTION = ("all", "sampled", "none")

_current: Optional["Card"] = None


class Card:
    """The card of a `with` statement, or of `gpu-estimate run script.py`."""

    def __init__(self, gpu: str, facts: Dict[str, Any], execute: str) -> None:
        self.id = gpu  # of the GPU model
        self.facts = facts  # what cudaGetDeviceProperties tells
        self.execute = execute
        self.reports: List[RunReport] = []  # of each GPU, after the end
        self.pytorch: Any = None  # what PyTorch did: pytorch.report.TorchRun
        self.saved = b""  # the records of a program with PyTorch (docs/run.md)
        # Takes launches that a CUDA graph captures.
        self.record: Optional[Callable[[Callable[[], None]], None]] = None
        self._mirrors: Dict[int, "_Mirror"] = {}
        self._is_open = True

    @property
    def name(self) -> str:
        return self.facts["name"]

    @property
    def report(self) -> RunReport:
        """What the program did on the first GPU; known after the end."""
        if not self.reports:
            raise GpuEstimateError("the report is made at the end of the `with` "
                                   "statement")
        return self.reports[0]

    def __str__(self) -> str:
        return f"{self.name} (not here: kernels execute on the CPU)"

    def _repr_html_(self) -> str:
        return self.reports[0]._repr_html_() if self.reports else str(self)

    def synchronize(self) -> None:
        """Waits for the modelled GPU, on the virtual clock."""
        runtime.check(runtime.library().cuCtxSynchronize(), "synchronize")

    def event(self) -> runtime.Event:
        return runtime.Event()

    def now_ns(self) -> float:
        """The virtual clock: the program's own time, and that of the waits for
        the modelled GPU."""
        return runtime.library().gpu_estimate_now_ns()

    @contextlib.contextmanager
    def holding(self) -> Iterator[None]:
        """The virtual clock does not count the work of this process."""
        runtime.library().gpu_estimate_hold()
        try:
            yield
        finally:
            runtime.library().gpu_estimate_go_on()

    @contextlib.contextmanager
    def executing(self, how: str) -> Iterator[None]:
        """Executes launches as `how` says ("all", "sampled", "none")."""
        before, self.execute = self.execute, how
        runtime.library().gpu_estimate_set_execution(how.encode())
        try:
            yield
        finally:
            self.execute = before
            runtime.library().gpu_estimate_set_execution(before.encode())

    def do_bench(self, fn: Any, warmup: float = 25, rep: float = 100,
                 grad_to_none: Any = None,
                 quantiles: Optional[Sequence[float]] = None,
                 return_mode: str = "mean") -> Union[float, List[float]]:
        """triton.testing.do_bench() on the virtual clock: milliseconds of one
        call whose data are not in the L2 cache. One call is enough, since every
        call is predicted alike; the work of the host between its launches is
        not counted."""
        fn()
        begin, end = runtime.Event(), runtime.Event()
        # A host that enqueues ahead of the GPU is not seen by the events.
        with self.holding():
            runtime.library().gpu_estimate_clear_cache()
            begin.record()
            fn()
            end.record()
        time_ms = begin.elapsed_time(end)
        if quantiles is not None:
            return ([time_ms] * len(quantiles) if len(quantiles) != 1
                    else time_ms)
        return [time_ms] if return_mode == "all" else time_ms

    def launch(self, function: runtime.Function, grid: Sequence[int],
               block: int, shared_bytes: int, arguments: Sequence[Any],
               touched: Sequence[Memory] = ()) -> None:
        """Executes a kernel on arrays of this process. An argument is the bytes
        of a number, or a Memory; `touched` is what the bytes point to."""
        if self.record is not None:
            self.record(lambda: self._launch(function, grid, block, shared_bytes,
                                             arguments, touched))
        else:
            self._launch(function, grid, block, shared_bytes, arguments, touched)

    def _launch(self, function: runtime.Function, grid: Sequence[int],
                block: int, shared_bytes: int, arguments: Sequence[Any],
                touched: Sequence[Memory]) -> None:
        used: Dict[int, _Mirror] = {}
        for memory in touched:
            mirror = self._mirror(memory)
            used[mirror.first] = mirror
        words = []
        for argument in arguments:
            if isinstance(argument, Memory):
                mirror = self._mirror(argument)
                used[mirror.first] = mirror
                address = mirror.device + argument.address - mirror.first
                words.append(address.to_bytes(8, "little"))
            else:
                words.append(argument)
        if self.execute != "none":
            for mirror in used.values():
                mirror.write()
        try:
            function.launch(grid, block, shared_bytes, words)
        finally:
            if self.execute == "all":
                for mirror in used.values():
                    mirror.read()

    def address_of(self, memory: Memory) -> int:
        """Where a kernel finds an array."""
        mirror = self._mirror(memory)
        return mirror.device + memory.address - mirror.first

    def _mirror(self, memory: Memory) -> "_Mirror":
        found = self._mirrors.get(memory.first)
        if found is not None and found.bytes == memory.bytes:
            return found
        # Memory that was freed since may have been given to other arrays.
        for first, old in list(self._mirrors.items()):
            if first < memory.first + memory.bytes and \
                    memory.first < first + old.bytes:
                old.release()
                del self._mirrors[first]
        made = _Mirror(memory)
        self._mirrors[memory.first] = made
        root = memory.owner
        while getattr(root, "base", None) is not None and \
                hasattr(root.base, "__array_interface__"):
            root = root.base
        try:
            weakref.finalize(root, self._forget, memory.first, made)
        except TypeError:
            pass  # kept until the end, or until its place is used again
        return made

    def _forget(self, first: int, mirror: "_Mirror") -> None:
        if self._is_open and self._mirrors.get(first) is mirror:
            mirror.release()
            del self._mirrors[first]

    def _close(self) -> None:
        self._is_open = False
        self._mirrors.clear()


class _Mirror:
    """Memory of the modelled GPU for an array: guarded at its ends, so that an
    access outside of the array is found. Nothing of it is on the time line: on
    a GPU the array would lie there."""

    def __init__(self, memory: Memory) -> None:
        self.first, self.bytes = memory.first, memory.bytes
        self.is_read_only = memory.is_read_only
        # Kernels are compiled for what 16 divides the host's address.
        lead = self.first % 16
        self._allocated = runtime.library().gpu_estimate_allocate(
            self.bytes + lead)
        if not self._allocated:
            raise GpuEstimateError(f"no memory for an array of {self.bytes} bytes")
        self.device = self._allocated + lead

    def write(self) -> None:
        runtime.library().gpu_estimate_write(self.device, self.first, self.bytes)

    def read(self) -> None:
        if not self.is_read_only:
            runtime.library().gpu_estimate_read(self.first, self.device,
                                                self.bytes)

    def release(self) -> None:
        runtime.library().gpu_estimate_release(self._allocated)


def current() -> Optional[Card]:
    """The innermost card."""
    return _current


@contextlib.contextmanager
def card(*gpu: str, execute: str = "all", execute_seconds: float = 300,
         checks: bool = True, threads: int = 0,
         options: Sequence[str] = ()) -> Iterator[Card]:
    """Kernels of Triton that are launched inside compile for the GPU, are
    recorded and predicted, and execute on the CPU.

        with gpu_estimate.card("nvidia-h100-sxm") as card:
            kernel[grid](x, y, n, BLOCK=1024)  # NumPy arrays
        card.report.launches[0].time_ms

    With several GPUs the kernels compile for the first, and `card.reports` has
    one report for each. `options` are those of `gpu-estimate run`.
    """
    if not gpu:
        raise TypeError("card() takes the id of a GPU model, such as "
                        "'nvidia-h100-sxm'")
    if execute not in EXECUTION:
        raise ValueError(f"execute: one of {', '.join(EXECUTION)}, got "
                         f"'{execute}'")
    global _current
    if _current is not None:
        raise GpuEstimateError(f"{_current.name} is in use: one card at a time")
    lib = runtime.library()
    with tempfile.TemporaryDirectory(prefix="gpu-estimate-card") as folder:
        output = Path(folder) / "report.json"
        # With PyTorch, the records too: TorchRun evaluates them again.
        saved = Path(folder) / "saved.gpurun" if "torch" in sys.modules else None
        ours, theirs = socket.socketpair()
        words = [_installation.command(), "run", "--program-socket",
                 str(theirs.fileno()), *(w for g in gpu for w in ("--gpu", g)),
                 *options, *(["--save", str(saved)] if saved else []),
                 "--format", "json", "-o", str(output)]
        process = subprocess.Popen(words, pass_fds=[theirs.fileno()],
                                   stderr=subprocess.PIPE, text=True)
        theirs.close()
        errors: List[str] = []
        try:
            facts = _first_line(ours)
            if facts is None:
                raise GpuEstimateError(_message(process))
            ready = lib.gpu_estimate_attach(
                ours.fileno(), facts, execute.encode(), execute_seconds,
                b"" if checks else b"off", threads)
            if ready != 0:
                raise GpuEstimateError("the runtime library does not understand "
                                       "this gpu-estimate")
            opened = Card(gpu[0], json.loads(facts), execute)
            _current = opened
            try:
                with _drivers(opened):
                    yield opened
            finally:
                _current = None
                opened._close()
                lib.gpu_estimate_detach(0)
                ours.close()
                errors = _wait(process)
                if output.exists():
                    opened.reports = RunReport.all_of(
                        json.loads(output.read_text()))
                if saved and saved.exists():
                    opened.saved = saved.read_bytes()
        finally:
            ours.close()
            if process.poll() is None:
                process.wait()
        if not opened.reports:
            raise GpuEstimateError("\n".join(errors) or
                                   "gpu-estimate made no report")


def _first_line(end: socket.socket) -> Optional[bytes]:
    """What the other end says first; None if it has ended."""
    text = b""
    while not text.endswith(b"\n"):
        got = end.recv(1)  # what follows is the library's
        if not got:
            return None
        text += got
    return text.rstrip(b"\n")


def _message(process: "subprocess.Popen[str]") -> str:
    return "\n".join(_wait(process)) or "gpu-estimate has ended"


def _wait(process: "subprocess.Popen[str]") -> List[str]:
    _, errors = process.communicate()
    return [line.replace("gpu-estimate: error: ", "")
            for line in errors.splitlines()]


@contextlib.contextmanager
def _drivers(opened: Card, awaits_torch: bool = False) -> Iterator[None]:
    """The frameworks that are installed launch on the card: Triton, and PyTorch
    where the program has imported it. awaits_torch: also where it will."""
    with contextlib.ExitStack() as stack:
        if "torch" in sys.modules:
            stack.enter_context(opened.holding())
            from .pytorch import session
            stack.enter_context(session.installed(opened))
        elif awaits_torch:
            finder = _TorchFinder(opened, stack)
            sys.meta_path.insert(0, finder)
            stack.callback(finder.remove)
        if importlib.util.find_spec("triton") is not None:
            from .triton.driver import installed
            stack.enter_context(installed(opened))
        yield


class _TorchFinder(importlib.abc.MetaPathFinder):
    """Puts PyTorch on the card as soon as a program, or a module that it imports,
    has imported it. The import itself takes the modelled host no time: it is that
    of a process that starts, not of the program's steps."""

    def __init__(self, card: Card, stack: contextlib.ExitStack) -> None:
        self._card, self._stack = card, stack

    def remove(self) -> None:
        if self in sys.meta_path:
            sys.meta_path.remove(self)

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        if name != "torch":
            return None
        self.remove()
        spec = importlib.util.find_spec(name)
        if spec is None or spec.loader is None:
            return spec
        execute = spec.loader.exec_module

        def exec_module(module: Any) -> None:
            self._stack.enter_context(self._card.holding())
            execute(module)
            from .pytorch import session
            self._stack.enter_context(session.installed(self._card))

        spec.loader.exec_module = exec_module  # type: ignore[method-assign]
        return spec


def attach_to_run() -> Card:
    """The card of `gpu-estimate run script.py`, whose variables this process
    has."""
    global _current
    facts = os.environ.get("GPU_ESTIMATE_RUN_DEVICE")
    if not facts:
        raise GpuEstimateError("start the script by `gpu-estimate run`")
    runtime.check(runtime.library().cuInit(0), "gpu-estimate")
    found = json.loads(facts)
    _current = Card(found["name"], found,
                    os.environ.get("GPU_ESTIMATE_RUN_EXECUTE", "all"))
    return _current
