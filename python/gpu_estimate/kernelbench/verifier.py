"""Executes and predicts a solution beside the reference."""

from __future__ import annotations

import json
import sys
import time
import traceback
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

from .. import cards
from ..service import GpuEstimateError
from . import comparing, problem

CORRECT, WRONG, CHEATS, FAULT, UNKNOWN = ("correct", "wrong", "cheats", "fault",
                                          "unknown")

# What execution on the CPU may take, in multiply-adds and bytes of one call of the
# reference: sizes are divided until it is less.
MAX_MULTIPLY_ADDS = 2e9
MAX_BYTES = 256e6


@dataclass
class Times:
    """Predicted milliseconds of one call on one GPU."""

    gpu: str
    reference_ms: float
    solution_ms: float
    speedup: float
    speedup_interval: Tuple[float, float]
    roofline_ms: float  # the least that the problem takes
    roofline_share: float  # roofline_ms / solution_ms
    bound: str  # of the solution's longest kernel
    kernels: List[str]  # of the solution


@dataclass
class Verdict:
    """What is known of a solution."""

    solution: str
    verdict: str = UNKNOWN
    messages: List[str] = field(default_factory=list)
    tricks: List[str] = field(default_factory=list)
    warnings: List[str] = field(default_factory=list)
    max_error: float = 0.0
    tolerance: float = 0.0
    trials: int = 0
    reduction: int = 1  # by which large sizes were divided where it executed
    seconds: float = 0.0
    times: List[Times] = field(default_factory=list)

    def to_json(self) -> Dict[str, Any]:
        return {"schema": "gpu-estimate-kernelbench/1", **asdict(self)}

    @property
    def exit_status(self) -> int:
        return {CORRECT: 0, UNKNOWN: 3}.get(self.verdict, 1)


@dataclass
class Request:
    reference: Path
    solution: Path
    gpus: Sequence[str]
    trials: int = 3
    seed: int = 42
    tolerance: Optional[float] = None  # None: by the type of the result
    reduction: int = 0  # 0: as much as needed


def verify(request: Request) -> Verdict:
    import torch  # noqa: F401  the card takes it over
    begin = time.monotonic()
    verdict = Verdict(str(request.solution))
    try:
        reference = request.reference.read_text()
        solution = request.solution.read_text()
        factor, times = _predict(request, reference, solution, verdict)
        verdict.times = times
        _execute(request, reference, solution, factor, verdict)
    except GpuEstimateError as error:
        verdict.messages.append(str(error))
        if verdict.verdict == CORRECT:
            verdict.verdict = UNKNOWN
    except OSError as error:
        verdict.messages.append(f"{error.filename}: {error.strerror}")
    verdict.seconds = time.monotonic() - begin
    return verdict


# --- Prediction: whole sizes, nothing executes.


def _predict(request: Request, reference: str, solution: str,
             verdict: Verdict) -> Tuple[int, List[Times]]:
    """The factor by which sizes are to be divided, and the times. Without data,
    what depends on them is assumed."""
    factor = request.reduction or _factor(request, reference)
    ranges: Dict[str, Tuple[int, int]] = {}
    measured: Dict[str, float] = {}
    with cards.card(*request.gpus, execute="none") as card:
        import torch
        from ..pytorch import device, host_costs
        owner = device.current()
        assert owner is not None
        made = _made(request, reference, solution)
        with torch.device("cuda"):
            init = made.reference.get("get_init_inputs")()
            models = {"reference": made.reference.get("Model")(*init)}
            try:
                models["solution"] = made.solution.get("ModelNew")(*init)
            except Exception as error:
                _note(verdict, FAULT, "ModelNew()", error)
                return factor, []
            inputs = made.reference.get("get_inputs")()
        for name, model in models.items():
            model = model.cuda() if hasattr(model, "cuda") else model
            given = [_to_card(value) for value in inputs]
            try:
                with torch.no_grad():
                    model(*given)  # what is done once is not measured
                    owner.attribute_launches(name)
                    torch.cuda.synchronize()
                    before = len(owner.launched)
                    begin, end = torch.cuda.Event(), torch.cuda.Event()
                    begin.record()
                    result = model(*given)
                    owner.attribute_launches(name, host_costs.FORWARD_NS)
                    end.record()
                    measured[name] = begin.elapsed_time(end)
            except GpuEstimateError as error:
                if name == "reference":
                    raise
                verdict.warnings.append(f"not predicted at its whole size: {error}")
                return factor, []
            except Exception as error:
                _note(verdict, FAULT, f"{name}, without data", error)
                return factor, []
            ranges[name] = (before, len(owner.launched))
            torch.cuda.synchronize()
        bytes_used = sum(_bytes(value) for value in (
            *inputs, *models["reference"].parameters(), result))
        before = len(owner.launched)
        _roofline_pass(owner, bytes_used)
        ranges["roofline"] = (before, len(owner.launched))
    # Before its first kernel the host takes as long on every GPU.
    leads = {name: max(0.0, measured[name] - _span(card.reports[0], ranges[name]))
             for name in measured}
    return factor, [_times_on(report, ranges, leads) for report in card.reports]


def _span(report: Any, part: Tuple[int, int]) -> float:
    """Milliseconds from the start of the first kernel to the end of the last."""
    launches = report.launches[part[0]:part[1]]
    if not launches:
        return 0.0
    return max(launch.start_ms + launch.time_ms for launch in launches) - \
        launches[0].start_ms


def _roofline_pass(owner: Any, size: float) -> None:
    """One pass over inputs, weights and results."""
    from ..pytorch import prices
    from ..pytorch.device import Operation
    owner.operations.append(Operation("roofline", "", False, ""))
    owner.launch(owner._prepare(prices._pass("at::roofline", size, 0)))


def _times_on(report: Any, ranges: Dict[str, Tuple[int, int]],
              leads: Dict[str, float]) -> Times:
    from ..pytorch.report import spread_of

    def measured(name: str) -> Tuple[float, List[Any], Tuple[float, float]]:
        """Between two events round the call; the kernels; and the ends of the
        interval as factors."""
        part = list(report.launches[slice(*ranges[name])])
        time = _span(report, ranges[name]) + leads.get(name, 0.0)
        busy = sum(launch.time_ms for launch in part)
        if not busy:
            return time, part, (1.0, 1.0)
        rest = max(0.0, time - busy)  # the host's
        return time, part, tuple(  # type: ignore[return-value]
            (sum(spread_of(launch)[end] for launch in part) + rest) / (busy + rest)
            for end in (0, 1))

    reference, parts, of_reference = measured("reference")
    solution, own, of_solution = measured("solution")
    products = sum(l.time_ms for l in parts
                   if l.name.startswith(("cublas", "cudnn", "flash")))
    roofline = max(_span(report, ranges["roofline"]), products)
    speedup = reference / solution if solution else 0.0
    longest = max(own, key=lambda l: l.time_ms) if own else None
    return Times(report.gpu, reference, solution, speedup,
                 (speedup * of_reference[0] / of_solution[1],
                  speedup * of_reference[1] / of_solution[0]),
                 roofline, min(1.0, roofline / solution) if solution else 0.0,
                 longest.bottleneck if longest else "nothing",
                 sorted({l.name for l in own}))


def _factor(request: Request, reference: str) -> int:
    """The least power of two after which the reference is small enough for the
    CPU."""
    for factor in (1, 2, 4, 8, 16, 32, 64):
        with cards.card(request.gpus[0], execute="none"):
            import torch
            from ..pytorch import device
            owner = device.current()
            assert owner is not None
            loaded = problem.load(request.reference,
                                  problem.reduced(reference, factor), "reference")
            try:
                with torch.device("cuda"), torch.no_grad():
                    model = loaded.get("Model")(*loaded.get("get_init_inputs")())
                    inputs = [_to_card(v) for v in loaded.get("get_inputs")()]
                    begin = len(owner.operations)
                    model.cuda()(*inputs)
            except GpuEstimateError:
                raise
            except Exception as error:
                if factor > 1:
                    return factor // 2  # sizes depend on each other
                raise GpuEstimateError(
                    f"{request.reference}: Model does not run: {error}") from error
            macs, moved = _work(owner, begin)
        if macs <= MAX_MULTIPLY_ADDS and moved <= MAX_BYTES:
            return factor
    return 64


def _work(owner: Any, begin: int) -> Tuple[float, float]:
    """Multiply-adds and bytes of the operations from the begin-th on."""
    macs = moved = 0.0
    for operation, kernel in owner.work:
        if operation < begin:
            continue
        sizes = dict(kernel.sizes)
        count = kernel.count
        macs += count * sizes.get("m", 0) * sizes.get("n", 0) * sizes.get(
            "k", 0) * sizes.get("batch", 1)
        macs += count * sizes.get("heads", 0) * sizes.get("queries", 0) * sizes.get(
            "keys", 0) * 2 * sizes.get("width", 0)
        moved += count * (sizes.get("read_bytes", 0) + sizes.get("written_bytes", 0))
    return macs, moved


# --- Execution.


@dataclass
class _Made:
    reference: problem.Loaded
    solution: problem.Loaded


def _made(request: Request, reference: str, solution: str, factor: int = 1) -> _Made:
    return _Made(
        problem.load(request.reference, problem.reduced(reference, factor),
                     "gpu_estimate_reference"),
        problem.load(request.solution, solution, "gpu_estimate_solution"))


def _execute(request: Request, reference: str, solution: str, factor: int,
             verdict: Verdict) -> None:
    verdict.reduction = factor
    with cards.card(request.gpus[0], execute="all") as card:
        try:
            _trials(request, reference, solution, factor, verdict)
        except _Stop:
            pass
        except GpuEstimateError as error:
            _note(verdict, FAULT, "the solution", error)
    for fault in card.report.faults:
        verdict.verdict = FAULT
        if fault not in verdict.messages:
            verdict.messages.append(fault)
    if verdict.tricks and verdict.verdict in (CORRECT, WRONG):
        verdict.verdict = CHEATS
    if verdict.verdict == CORRECT and factor > 1:
        verdict.warnings.append(
            f"executed with sizes divided by {factor}: whole sizes are predicted, "
            "not compared")


class _Stop(Exception):
    """The verdict is known."""


def _trials(request: Request, reference: str, solution: str, factor: int,
            verdict: Verdict) -> None:
    import torch
    from ..pytorch import device
    owner = device.current()
    assert owner is not None
    guard = _clocks()
    made = _made(request, reference, solution, factor)
    init_of, inputs_of = (made.reference.get(name)
                          for name in ("get_init_inputs", "get_inputs"))
    torch.manual_seed(request.seed)
    init = init_of()
    torch.manual_seed(request.seed)
    expected_model = made.reference.get("Model")(*init).cuda().eval()
    torch.manual_seed(request.seed)
    try:
        model = made.solution.get("ModelNew")(*init).cuda().eval()
    except GpuEstimateError:
        raise
    except Exception as error:
        _note(verdict, FAULT, "ModelNew()", error)
        raise _Stop from error
    reference_class = made.reference.get("Model")
    given: List[Any] = []
    for trial in range(request.trials):
        torch.manual_seed(request.seed + trial)
        fresh = [_to_card(value) for value in inputs_of()]
        if trial == request.trials - 1 and given and _same_shapes(given, fresh):
            # The same tensors with other values: a result that was kept is wrong.
            with torch.no_grad():
                for old, new in zip(given, fresh):
                    if isinstance(old, torch.Tensor):
                        old.copy_(new)
            kept = True
        else:
            given, kept = fresh, False
        before = [value.clone() if isinstance(value, torch.Tensor) else value
                  for value in given]
        owner.poisons = True
        owner.module_types.clear()
        owner.unjoined_streams.clear()
        owner.attribute_launches("before")
        launches = len(owner.launched)
        try:
            with torch.no_grad():
                actual = model(*given)
        except GpuEstimateError:
            raise
        except Exception as error:
            _note(verdict, FAULT, "ModelNew.forward()", error)
            raise _Stop from error
        owner.attribute_launches("ModelNew")
        own_launches = len(owner.launched) - launches
        types = set(owner.module_types)
        unjoined = set(owner.unjoined_streams)
        owner.poisons = False
        launches = len(owner.launched)
        with torch.no_grad():
            expected = expected_model(*before)
        reference_launches = len(owner.launched) - launches
        verdict.trials = trial + 1
        _find_tricks(verdict, owner, own_launches, reference_launches, types,
                     reference_class, type(model), unjoined, guard)
        _compare_inputs(verdict, given, before)
        if not _compare_results(request, verdict, expected, actual):
            if kept and trial > 0 and not verdict.messages[:-1]:
                _trick(verdict, "cached-result", "the result does not change when the "
                       "values of its inputs do")
            verdict.verdict = WRONG
            raise _Stop
    verdict.verdict = CORRECT


def _find_tricks(verdict: Verdict, owner: Any, own: int, of_reference: int,
                 types: Any, reference_class: type, own_class: type, unjoined: Any,
                 guard: Callable[[], List[str]]) -> None:
    if own == 0 and of_reference > 0:
        _trick(verdict, "no-work", "ModelNew launches no kernel, and the reference "
               f"{of_reference}")
    code = getattr(getattr(reference_class, "forward", None), "__code__", None)
    for kind in types:
        theirs = getattr(getattr(kind, "forward", None), "__code__", None)
        if kind is reference_class or (code and theirs and
                                       theirs.co_code == code.co_code and
                                       theirs.co_names == code.co_names):
            where = ("is the reference's" if kind is own_class else
                     f"of {kind.__name__}, which it calls, is the reference's")
            _trick(verdict, "reference-called", f"ModelNew's forward() {where}")
    if unjoined:
        _trick(verdict, "wrong-stream", "work is on a stream that the caller's stream "
               "does not wait for: events of the caller do not measure it")
    for name in guard():
        _trick(verdict, "clock-replaced", f"the solution replaces {name}")


def _trick(verdict: Verdict, name: str, message: str) -> None:
    text = f"{name}: {message}"
    if text not in verdict.tricks:
        verdict.tricks.append(text)


def _clocks() -> Callable[[], List[str]]:
    """What a solution could replace to look faster."""
    import torch
    places = [(torch.cuda, name) for name in ("synchronize", "Event", "Stream",
                                              "current_stream")]
    places += [(time, name) for name in ("perf_counter", "time", "monotonic")]
    places += [(torch, "allclose"), (torch.testing, "assert_close")]
    before = [getattr(place, name) for place, name in places]

    def changed() -> List[str]:
        return [f"{place.__name__}.{name}"
                for (place, name), value in zip(places, before)
                if getattr(place, name) is not value]
    return changed


def _compare_inputs(verdict: Verdict, given: List[Any], before: List[Any]) -> None:
    import torch
    for number, (after, old) in enumerate(zip(given, before)):
        if isinstance(after, torch.Tensor) and not _equal(after, old):
            text = f"the solution writes to its input {number}"
            if text not in verdict.warnings:
                verdict.warnings.append(text)


def _equal(a: Any, b: Any) -> bool:
    x, y = _numpy(a), _numpy(b)
    return x.shape == y.shape and bool(((x == y) | ((x != x) & (y != y))).all())


def _compare_results(request: Request, verdict: Verdict, expected: Any,
                     actual: Any) -> bool:
    import torch
    if isinstance(expected, (list, tuple)):
        if not isinstance(actual, (list, tuple)) or len(actual) != len(expected):
            verdict.messages.append(f"{len(expected)} results are expected")
            return False
        return all([_compare_results(request, verdict, e, a)
                    for e, a in zip(expected, actual)])
    if not isinstance(expected, torch.Tensor):
        if expected != actual:
            verdict.messages.append(f"the result is {actual} in place of {expected}")
        return bool(expected == actual)
    if not isinstance(actual, torch.Tensor):
        verdict.messages.append(f"the result is a {type(actual).__name__}, no tensor")
        return False
    if actual.dtype != expected.dtype:
        verdict.messages.append(f"the result has type {actual.dtype} in place of "
                                f"{expected.dtype}")
        return False
    tolerance = (request.tolerance if request.tolerance is not None else
                 comparing.tolerance_of(str(expected.dtype)[6:]))
    found = comparing.compare(_numpy(expected), _numpy(actual), tolerance)
    verdict.tolerance = tolerance
    verdict.max_error = max(verdict.max_error, found.max_error)
    if not found.is_equal:
        verdict.messages.append(found.message)
    return found.is_equal


def _numpy(tensor: Any) -> Any:
    import torch
    plain = getattr(tensor, "_card_inner", tensor).detach()
    if plain.dtype == torch.bfloat16:
        plain = plain.float()
    return plain.numpy()


def _to_card(value: Any) -> Any:
    import torch
    return value.cuda() if isinstance(value, torch.Tensor) else value


def _same_shapes(one: List[Any], other: List[Any]) -> bool:
    return len(one) == len(other) and all(
        getattr(a, "shape", None) == getattr(b, "shape", None)
        for a, b in zip(one, other))


def _bytes(value: Any) -> float:
    import torch
    if isinstance(value, (list, tuple)):
        return sum(_bytes(part) for part in value)
    if isinstance(value, torch.Tensor):
        return value.numel() * value.element_size()
    return 0.0


def _note(verdict: Verdict, state: str, where: str, error: Exception) -> None:
    verdict.verdict = state
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if "gpu_estimate" not in frame.filename and
           "site-packages" not in frame.filename]
    place = f"{own[-1].filename}:{own[-1].lineno}: " if own else ""
    text = f"{place}{where}: {type(error).__name__}: {error}"
    if text not in verdict.messages:
        verdict.messages.append(text)


def main() -> None:
    """The child process: a request as JSON in, a verdict as JSON out."""
    words = json.loads(sys.stdin.read())
    request = Request(Path(words["reference"]), Path(words["solution"]),
                      words["gpus"], words["trials"], words["seed"],
                      words["tolerance"], words["reduction"])
    out = sys.stdout
    sys.stdout = sys.stderr  # what a solution prints is no part of the answer
    verdict = verify(request)
    json.dump(verdict.to_json(), out)


if __name__ == "__main__":
    main()
