"""The runtime library of `gpu-estimate run` inside this process.

It executes kernels on the CPU and tells `gpu-estimate run`, at the other end of
a socket, what the program does; the answers are the times of the modelled GPU.
"""

from __future__ import annotations

import ctypes
import os
import threading
from typing import List, Optional, Sequence

from . import _installation
from .service import GpuEstimateError

_Pointer = ctypes.c_void_p
_Out = ctypes.POINTER(ctypes.c_void_p)

_FUNCTIONS = {
    "gpu_estimate_attach": (ctypes.c_int, [ctypes.c_int, ctypes.c_char_p,
                                           ctypes.c_char_p, ctypes.c_double,
                                           ctypes.c_char_p, ctypes.c_uint]),
    "gpu_estimate_detach": (None, [ctypes.c_int]),
    "gpu_estimate_set_registers": (None, [_Pointer, ctypes.c_uint]),
    "gpu_estimate_set_execution": (None, [ctypes.c_char_p]),
    "gpu_estimate_hold": (None, []),
    "gpu_estimate_go_on": (None, []),
    "gpu_estimate_problem": (ctypes.c_char_p, []),
    "gpu_estimate_now_ns": (ctypes.c_double, []),
    "gpu_estimate_allocate": (_Pointer, [ctypes.c_uint64]),
    "gpu_estimate_release": (None, [_Pointer]),
    "gpu_estimate_write": (None, [_Pointer, _Pointer, ctypes.c_uint64]),
    "gpu_estimate_read": (ctypes.c_int, [_Pointer, _Pointer, ctypes.c_uint64]),
    "gpu_estimate_clear_cache": (None, []),
    "gpu_estimate_host_work": (None, [ctypes.c_double]),
    "gpu_estimate_library_call": (ctypes.c_int, [
        ctypes.c_char_p, _Pointer, ctypes.c_char_p, ctypes.c_char_p,
        ctypes.c_char_p, ctypes.c_uint, ctypes.POINTER(ctypes.c_char_p),
        ctypes.POINTER(ctypes.c_double)]),
    "gpu_estimate_graph_launch": (ctypes.c_int, [ctypes.c_uint64, ctypes.c_int,
                                                 _Pointer]),
    "gpu_estimate_copy": (ctypes.c_int, [ctypes.c_uint, ctypes.c_uint64,
                                         ctypes.c_int, ctypes.c_int, _Pointer]),
    "gpu_estimate_device_malloc": (None, [ctypes.c_uint64, ctypes.c_uint64]),
    "gpu_estimate_device_free": (None, [ctypes.c_uint64]),
    "gpu_estimate_launch_count": (ctypes.c_uint64, []),
    "gpu_estimate_notice": (None, [ctypes.c_char_p]),
    "cuInit": (ctypes.c_int, [ctypes.c_uint]),
    "cuModuleLoadData": (ctypes.c_int, [_Out, ctypes.c_char_p]),
    "cuModuleGetFunction": (ctypes.c_int, [_Out, _Pointer, ctypes.c_char_p]),
    "cuFuncSetAttribute": (ctypes.c_int, [_Pointer, ctypes.c_int, ctypes.c_int]),
    "cudaFuncGetParamInfo": (ctypes.c_int, [
        _Pointer, ctypes.c_size_t, ctypes.POINTER(ctypes.c_size_t),
        ctypes.POINTER(ctypes.c_size_t)]),
    "cuLaunchKernel": (ctypes.c_int, [_Pointer] + [ctypes.c_uint] * 7 +
                       [_Pointer, ctypes.POINTER(_Pointer), _Pointer]),
    "cuCtxSynchronize": (ctypes.c_int, []),
    "cuGetErrorString": (ctypes.c_int, [ctypes.c_int,
                                        ctypes.POINTER(ctypes.c_char_p)]),
    "cuStreamCreate": (ctypes.c_int, [_Out, ctypes.c_uint]),
    "cuStreamSynchronize": (ctypes.c_int, [_Pointer]),
    "cudaStreamQuery": (ctypes.c_int, [_Pointer]),
    "cuStreamWaitEvent": (ctypes.c_int, [_Pointer, _Pointer, ctypes.c_uint]),
    "cudaEventQuery": (ctypes.c_int, [_Pointer]),
    "cuEventCreate": (ctypes.c_int, [_Out, ctypes.c_uint]),
    "cuEventDestroy": (ctypes.c_int, [_Pointer]),
    "cuEventRecord": (ctypes.c_int, [_Pointer, _Pointer]),
    "cuEventSynchronize": (ctypes.c_int, [_Pointer]),
    "cuEventElapsedTime": (ctypes.c_int, [ctypes.POINTER(ctypes.c_float),
                                          _Pointer, _Pointer]),
    "cuTensorMapEncodeTiled": (ctypes.c_int, [
        _Pointer, ctypes.c_int, ctypes.c_uint32, _Pointer,
        ctypes.POINTER(ctypes.c_uint64), ctypes.POINTER(ctypes.c_uint64),
        ctypes.POINTER(ctypes.c_uint32), ctypes.POINTER(ctypes.c_uint32),
        ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_int]),
}

# A library's own functions before those that are global in the process.
LOADING = os.RTLD_LOCAL | os.RTLD_NOW | getattr(os, "RTLD_DEEPBIND", 0)

_MAX_DYNAMIC_SHARED = 8  # CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES

_library: Optional[ctypes.CDLL] = None
_lock = threading.Lock()


def library() -> ctypes.CDLL:
    """Loads the library; its symbols stay its own, so that it does not meet the
    LLVM of other modules, nor CUDA's runtime, which torch makes global."""
    global _library
    with _lock:
        if _library is None:
            found = ctypes.CDLL(_installation.runtime_library(),
                                mode=LOADING)
            for name, (result, arguments) in _FUNCTIONS.items():
                function = getattr(found, name)
                function.restype, function.argtypes = result, arguments
            _library = found
        return _library


def check(code: int, what: str) -> None:
    """Raises what a call of the driver's interface answered."""
    if code == 0:
        return
    problem = library().gpu_estimate_problem().decode()
    text = ctypes.c_char_p()
    library().cuGetErrorString(code, ctypes.byref(text))
    raise GpuEstimateError(problem or f"{what}: {(text.value or b'').decode()}")


class Function:
    """A kernel of a module that is loaded."""

    def __init__(self, code: bytes, name: str) -> None:
        lib = library()
        module = _Pointer()
        check(lib.cuModuleLoadData(ctypes.byref(module), code), name)
        self.handle = _Pointer()
        check(lib.cuModuleGetFunction(ctypes.byref(self.handle), module,
                                      name.encode()), name)
        self.name = name
        self.parameter_bytes: List[int] = []
        offset, size = ctypes.c_size_t(), ctypes.c_size_t()
        while lib.cudaFuncGetParamInfo(self.handle, len(self.parameter_bytes),
                                       ctypes.byref(offset),
                                       ctypes.byref(size)) == 0:
            self.parameter_bytes.append(size.value)

    def launch(self, grid: Sequence[int], block: int, shared_bytes: int,
               arguments: Sequence[bytes]) -> None:
        """Executes a launch and records it. GpuEstimateError: the kernel did
        something wrong, or could not be executed."""
        lib = library()
        if shared_bytes:
            check(lib.cuFuncSetAttribute(self.handle, _MAX_DYNAMIC_SHARED,
                                         shared_bytes), self.name)
        buffers = [ctypes.create_string_buffer(a, max(1, len(a)))
                   for a in arguments]
        places = (_Pointer * max(1, len(buffers)))(
            *(ctypes.addressof(b) for b in buffers))
        check(lib.cuLaunchKernel(self.handle, *grid, block, 1, 1, shared_bytes,
                                 None, places, None), self.name)
        problem = lib.gpu_estimate_problem().decode()
        if problem:
            raise GpuEstimateError(problem)


class Event:
    """A mark on the virtual time line."""

    def __init__(self, enable_timing: bool = True, blocking: bool = False,
                 interprocess: bool = False) -> None:
        self._handle = _Pointer()
        check(library().cuEventCreate(ctypes.byref(self._handle), 0), "an event")

    def __del__(self) -> None:
        if self._handle:
            library().cuEventDestroy(self._handle)

    def record(self, stream: object = None) -> None:
        check(library().cuEventRecord(self._handle, None), "an event")

    def synchronize(self) -> None:
        check(library().cuEventSynchronize(self._handle), "an event")

    def wait(self, stream: object = None) -> None:
        """One stream executes in order: there is nothing to wait for."""

    def query(self) -> bool:
        return True

    def elapsed_time(self, end: "Event") -> float:
        """Milliseconds of the modelled GPU until another event."""
        end.synchronize()
        found = ctypes.c_float()
        check(library().cuEventElapsedTime(ctypes.byref(found), self._handle,
                                           end._handle), "events")
        return found.value
