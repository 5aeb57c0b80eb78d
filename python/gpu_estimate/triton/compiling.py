"""Kernels of Triton, compiled for a card that is not there."""

from __future__ import annotations

import inspect
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union

from .. import results, service
from ..arrays import memory_of
from .target import Card, card_of

# Where Triton's compiler assumes that a pointer or an integer is a multiple.
_DIVISIBILITY = 16

_TYPES = {"i1", "i8", "i16", "i32", "i64", "u1", "u8", "u16", "u32", "u64",
          "fp16", "bf16", "fp32", "fp64", "fp8e4nv", "fp8e5", "fp8e4b15",
          "fp8e4b8", "fp8e5b16"}

_NAMES = {"float16": "fp16", "bfloat16": "bf16", "float32": "fp32",
          "float64": "fp64", "bool": "i1", "uint8": "u8", "uint16": "u16",
          "uint32": "u32", "uint64": "u64", "int8": "i8", "int16": "i16",
          "int32": "i32", "int64": "i64", "float8_e4m3fn": "fp8e4nv",
          "float8_e5m2": "fp8e5"}


@dataclass(frozen=True)
class CompiledKernel:
    """What Triton's compiler made of a kernel for one card."""

    name: str
    gpu: str
    code: str  # PTX, or LLVM IR for AMD
    language: str  # "ptx" or "llvm"
    num_warps: int
    num_ctas: int  # thread blocks of a program
    shared_bytes: int  # of a thread block
    warp_size: int  # threads
    registers_per_thread: Optional[int]  # as Triton's ptxas assigned them
    parameters: Tuple[str, ...]  # those that are left, by position
    notes: Tuple[str, ...] = ()
    triton: Any = field(default=None, repr=False, compare=False)

    def request(self, grid: Any, param: Mapping[str, Any] = {},
                **options: Any) -> Dict[str, Any]:
        """The parameters of a request of `gpu-estimate serve`. `param` has
        numbers, and for pointers elements or arrays, by the kernel's names."""
        if isinstance(grid, int):
            grid = (grid,)
        named = {}
        for name, value in param.items():
            if name in self.parameters:
                name = f"arg{self.parameters.index(name)}"
            named[name] = service._value(value)
        found = {"source": self.code, "language": self.language, "gpu": self.gpu,
                 "grid": ",".join(map(str, (grid[0] * self.num_ctas,
                                            *grid[1:]))),
                 "block": self.warp_size * self.num_warps,
                 "dynamic_smem": self.shared_bytes, "param": named}
        if self.registers_per_thread:
            found["registers"] = self.registers_per_thread
        found.update(options)
        return found

    def write(self, folder: Path) -> Path:
        """Writes the code and its metadata, as they lie in Triton's cache, with
        the names of parameters and the registers."""
        folder.mkdir(parents=True, exist_ok=True)
        ending = "ptx" if self.language == "ptx" else "llir"
        code = folder / f"{self.name}.{ending}"
        code.write_text(self.code)
        metadata = {"name": self.name, "num_warps": self.num_warps,
                    "num_ctas": self.num_ctas, "shared": self.shared_bytes,
                    "warp_size": self.warp_size,
                    "parameter_names": list(self.parameters)}
        if self.registers_per_thread:
            metadata["registers"] = self.registers_per_thread
        (folder / f"{self.name}.json").write_text(json.dumps(metadata))
        return code

    def predict(self, grid: Any, param: Mapping[str, Any] = {},
                **options: Any) -> results.Predictions:
        """The time of a launch of `grid` programs. Options are those of
        `gpu-estimate analyze`: caches="cold"."""
        return results.Predictions.from_json(
            service.shared().call("estimate", **self.request(grid, param,
                                                             **options)))


def jit_function(kernel: Any) -> Any:
    """The @triton.jit function below @triton.autotune and @triton.heuristics."""
    found = kernel
    while not hasattr(found, "arg_names") or not hasattr(found, "params"):
        if not hasattr(found, "fn"):
            raise service.GpuEstimateError(
                f"{getattr(kernel, '__name__', kernel)!r} is no kernel: it lacks "
                "the decorator @triton.jit")
        found = found.fn
    return found


def compile(fn: Any, signature: Union[str, Sequence[str], Mapping[str, str],
                                      None] = None,
            constexprs: Optional[Mapping[str, Any]] = None, *, gpu: str,
            arguments: Optional[Mapping[str, Any]] = None,
            **options: Any) -> CompiledKernel:
    """Compiles a kernel by Triton's own compiler, without torch and driver.

    `signature` has the types of the arguments that are no constants: those of
    the kernel's parameters in their order, "*fp32,*fp32,i32", or by name. A
    type may end in `:16`, a multiple of 16. Without it, `arguments` by name
    tell: arrays and numbers as a launch has them. `options` are Triton's:
    num_warps, num_stages, num_ctas, maxnreg, ...
    """
    return compile_for(fn, card_of(gpu), signature, constexprs, arguments,
                       options)


def compile_for(fn: Any, card: Card, signature: Any,
                constexprs: Optional[Mapping[str, Any]] = None,
                arguments: Optional[Mapping[str, Any]] = None,
                options: Mapping[str, Any] = {}) -> CompiledKernel:
    """compile() for a card that is known."""
    function = jit_function(fn)
    constants = dict(constexprs or {})
    notes: List[str] = []
    types, multiples = _signature(function, signature, constants,
                                  dict(arguments or {}), notes)
    return _compile(function, card, types, constants, multiples, options, notes)


def _signature(function: Any, signature: Any, constants: Dict[str, Any],
               arguments: Dict[str, Any],
               notes: List[str]) -> Tuple[Dict[str, str], List[str]]:
    """Types by parameter, and the parameters that are multiples of 16."""
    name = function.__name__
    for given in (*constants, *arguments):
        if given not in function.arg_names:
            raise service.GpuEstimateError(
                f"'{name}' has no parameter '{given}': it has "
                f"{', '.join(function.arg_names)}")
    defaults = {p.name: p.default for p in function.params
                if getattr(p, "has_default", False)}
    for parameter in function.params:
        if parameter.is_constexpr and parameter.name in arguments:
            constants.setdefault(parameter.name, arguments.pop(parameter.name))
        if parameter.is_constexpr and parameter.name in defaults:
            constants.setdefault(parameter.name, defaults[parameter.name])
    missing = [p.name for p in function.params
               if p.is_constexpr and p.name not in constants]
    if missing:
        raise service.GpuEstimateError(
            f"'{name}' needs a value of its tl.constexpr "
            f"{', '.join(missing)}: constexprs={{'{missing[0]}': ...}}, or "
            f"--constexpr {missing[0]}=VALUE")
    free = [p.name for p in function.params if p.name not in constants]
    multiples = []
    if signature is None:
        types = {}
        for parameter in free:
            value = arguments.get(parameter, defaults.get(parameter, _MISSING))
            if value is _MISSING:
                raise service.GpuEstimateError(
                    f"the type of '{parameter}' of '{name}' is not known: give "
                    "signature='...' or arguments={...}, or --signature, such as "
                    f"'{_example(free)}'")
            if value is None or (type(value) is int and value == 1):
                constants[parameter] = value
                continue
            types[parameter], is_multiple = type_of(value, name, parameter)
            if is_multiple:
                multiples.append(parameter)
        return types, multiples
    given = _by_name(signature, free, name)
    types = {}
    assumed = []
    for parameter, text in given.items():
        kind, _, hint = text.strip().partition(":")
        _check_type(kind, name, parameter)
        if hint not in ("", "1", str(_DIVISIBILITY)):
            raise service.GpuEstimateError(
                f"'{text}' of '{parameter}': a type may end in ':16' (a multiple "
                "of 16) or ':1' (the number 1), got ':" + hint + "'")
        if hint == "1":
            constants[parameter] = 1
            continue
        types[parameter] = kind
        if hint or kind.startswith("*"):
            multiples.append(parameter)
        if kind.startswith("*") and not hint:
            assumed.append(parameter)
    if assumed:
        notes.append(f"{', '.join(assumed)}: taken to be a multiple of 16 bytes, "
                     "as memory from an allocator is")
    return types, multiples


_MISSING = object()


def _example(parameters: Sequence[str]) -> str:
    return ",".join(["*fp32"] * max(1, len(parameters) - 1) + ["i32"])


def _by_name(signature: Any, free: List[str], name: str) -> Dict[str, str]:
    if isinstance(signature, Mapping):
        unknown = [p for p in signature if p not in free]
        lacking = [p for p in free if p not in signature]
        if unknown or lacking:
            raise service.GpuEstimateError(
                f"signature of '{name}': " +
                (f"no parameter {', '.join(unknown)}" if unknown else
                 f"no type for {', '.join(lacking)}") +
                f"; it has {', '.join(free)} besides its constants")
        return {p: signature[p] for p in free}
    words = ([w for w in signature.split(",") if w.strip()]
             if isinstance(signature, str) else list(signature))
    if len(words) != len(free):
        raise service.GpuEstimateError(
            f"signature of '{name}': {len(words)} types for {len(free)} "
            f"parameters ({', '.join(free)}); constants (tl.constexpr) have no "
            "type there")
    return dict(zip(free, words))


def _check_type(kind: str, name: str, parameter: str) -> None:
    element = kind
    while element.startswith("*"):
        element = element[2:] if element.startswith("*k") else element[1:]
    if element not in _TYPES and not kind.startswith("tensordesc"):
        raise service.GpuEstimateError(
            f"'{kind}' of '{parameter}' of '{name}' is no type: a pointer is '*' "
            f"and one of {', '.join(sorted(_TYPES))}")


def type_of(value: Any, name: str, parameter: str) -> Tuple[str, bool]:
    """The type that Triton gives to an argument, and whether it takes it for a
    multiple of 16."""
    if isinstance(value, bool):
        return "i1", False
    if isinstance(value, int):
        kind = ("i32" if -2**31 <= value < 2**31 else
                "i64" if -2**63 <= value < 2**63 else "u64")
        return kind, value % _DIVISIBILITY == 0
    if isinstance(value, float):
        return "fp32", False
    try:
        memory = memory_of(value)
    except TypeError as problem:
        raise service.GpuEstimateError(
            f"argument '{parameter}' of '{name}': {problem}") from None
    if memory is None:
        raise service.GpuEstimateError(
            f"argument '{parameter}' of '{name}' is a {type(value).__name__}: "
            "kernels take numbers and arrays")
    if memory.dtype not in _NAMES:
        raise service.GpuEstimateError(
            f"argument '{parameter}' of '{name}' has elements of type "
            f"'{memory.dtype}', which Triton has not")
    return "*" + _NAMES[memory.dtype], memory.address % _DIVISIBILITY == 0


def _compile(function: Any, card: Card, types: Dict[str, str],
             constants: Dict[str, Any], multiples: Sequence[str],
             options: Mapping[str, Any], notes: Sequence[str]) -> CompiledKernel:
    import triton
    from triton.compiler import ASTSource

    whole = {p: types.get(p, "constexpr") for p in function.arg_names}
    attributes = {(function.arg_names.index(p),):
                  [["tt.divisibility", _DIVISIBILITY]] for p in multiples}
    source = ASTSource(fn=function, signature=whole, constexprs=constants,
                       attrs=attributes)
    try:
        made = triton.compile(source, target=card.target(), options=dict(options))
    except Exception as problem:
        raise CompileError(describe(problem, function, card)) from problem
    return from_triton(made, card, tuple(types), tuple(notes))


class CompileError(service.GpuEstimateError):
    """What Triton's compiler rejects, with its line."""


def describe(problem: BaseException, function: Any, card: Card) -> str:
    """Triton's own message behind the file and line that it is about."""
    while problem.__cause__ is not None and hasattr(problem.__cause__, "node"):
        problem = problem.__cause__
    node = getattr(problem, "node", None)
    line = getattr(node, "lineno", None)
    source = getattr(problem, "src", None)
    file, first = _place(function)
    if source is not None and source != function.src:
        file, first = _function_with(source, function)
    text = str(problem) or type(problem).__name__
    place = f"{file}:{first + line - 1}: " if line and first else ""
    return f"{place}'{function.__name__}' for {card.id} ({card.arch}): {text}"


def _function_with(source: str, caller: Any) -> Tuple[str, int]:
    """File and first line of the function of the caller's module with this
    text."""
    for found in caller.fn.__globals__.values():
        if getattr(found, "src", None) == source and hasattr(found, "fn"):
            return _place(found)
    return _place(caller)[0], 0


def _place(function: Any) -> Tuple[str, int]:
    """File, and line of the word `def`."""
    lines, first = inspect.getsourcelines(function.fn)
    before = next((number for number, line in enumerate(lines)
                   if line.lstrip().startswith("def ")), 0)
    return function.fn.__code__.co_filename, first + before


def from_triton(made: Any, card: Card, parameters: Tuple[str, ...],
                notes: Tuple[str, ...] = ()) -> CompiledKernel:
    """Of what triton.compile() returns."""
    metadata = made.metadata
    language = "llvm" if card.is_amd else "ptx"
    return CompiledKernel(
        name=metadata.name, gpu=card.id,
        code=made.asm["llir" if card.is_amd else "ptx"], language=language,
        num_warps=metadata.num_warps, num_ctas=getattr(metadata, "num_ctas", 1),
        shared_bytes=metadata.shared,
        warp_size=getattr(metadata, "warp_size", card.warp_size),
        registers_per_thread=(None if card.is_amd else
                              registers_of(made.asm.get("cubin"))),
        parameters=parameters, notes=notes, triton=made)


def registers_of(cubin: Optional[bytes]) -> Optional[int]:
    """Registers of a thread that ptxas wrote into the machine code of one
    kernel: an attribute of the section .nv.info (ELF, 64 bits). An attribute is
    a byte of its format, one of its kind and 16 bits: the bytes that follow, or
    the value itself."""
    if not cubin or cubin[:4] != b"\x7fELF" or cubin[4] != 2:
        return None
    sized, register_count = 0x04, 0x2f

    def number(at: int, size: int) -> int:
        return int.from_bytes(cubin[at:at + size], "little")

    table, size, count = number(0x28, 8), number(0x3a, 2), number(0x3c, 2)
    names = number(table + number(0x3e, 2) * size + 0x18, 8)
    for index in range(count):
        row = table + index * size
        start = names + number(row, 4)
        if cubin[start:cubin.find(b"\0", start)] != b".nv.info":
            continue
        at = number(row + 0x18, 8)
        end = at + number(row + 0x20, 8)
        while at + 4 <= end:
            if cubin[at] == sized and cubin[at + 1] == register_count:
                return number(at + 8, 4) or None
            at += 4 + (number(at + 2, 2) if cubin[at] == sized else 0)
    return None
