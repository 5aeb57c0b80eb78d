"""Configurations of a kernel, compiled side by side and ranked without a GPU."""

from __future__ import annotations

import os
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple

from .. import cards, results, service
from .compiling import CompiledKernel, compile_for, jit_function
from .target import Card, card_of

# Words of a launch that are no arguments of the kernel.
_OF_LAUNCH = ("grid", "warmup", "debug")


@dataclass(frozen=True)
class RankedConfig:
    """One configuration with its predicted time."""

    config: Any  # triton.Config
    time_ms: Optional[float]  # None: it does not compile, or cannot be launched
    rank: Optional[int]  # configurations that the model cannot tell apart share one
    tied: bool  # with the fastest
    kernel: Optional[CompiledKernel]
    problem: str = ""


@dataclass(frozen=True)
class Ranking(Sequence[RankedConfig]):
    """The configurations, the fastest first; behind them those without a time."""

    gpu: str
    rows: Sequence[RankedConfig]

    @property
    def best(self) -> Any:
        """The triton.Config of the shortest time."""
        if not self.rows or self.rows[0].time_ms is None:
            raise service.GpuEstimateError(
                "no configuration has a time: " +
                (self.rows[0].problem if self.rows else "there is none"))
        return self.rows[0].config

    def __getitem__(self, index: Any) -> Any:
        return self.rows[index]

    def __len__(self) -> int:
        return len(self.rows)

    def _repr_html_(self) -> str:
        table = [["rank", "configuration", "time", "registers", "shared"]]
        for row in self.rows:
            made = row.kernel
            table.append([str(row.rank or ""), str(row.config),
                          results.milliseconds(row.time_ms)
                          if row.time_ms is not None else row.problem,
                          str(made.registers_per_thread or "") if made else "",
                          f"{made.shared_bytes} bytes" if made else ""])
        return results.html_table(table)


def best_config(kernel: Any, args: Mapping[str, Any], configs: Sequence[Any], *,
                grid: Any, gpu: Optional[str] = None,
                **options: Any) -> Ranking:
    """Ranks configurations of a kernel on a card.

    `args` has the arguments of the launch by name: arrays, numbers, and
    constants that are in no configuration. `grid` is that of the launch, a
    tuple or a function of the arguments. Without `gpu`: the card that is in use.
    `options` are those of `gpu-estimate analyze`, such as caches="cold".
    """
    card = _card(gpu)
    function = jit_function(kernel)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        made = list(pool.map(
            lambda config: _compiled(function, card, args, config), configs))
    candidates, problems = [], {}
    for number, found in enumerate(made):
        if isinstance(found, str):
            problems[number] = found
            continue
        given = {**args, **configs[number].all_kwargs()}
        shape = grid(given) if callable(grid) else grid
        scalars = {name: value for name, value in given.items()
                   if name in found.parameters and value is not None}
        candidates.append({"id": number,
                           **found.request(shape, scalars, **options)})
    rows: List[RankedConfig] = []
    if candidates:
        answer = service.shared().call("rank", candidates=candidates,
                                       gpu=card.id)
        for failed in answer.get("failed", []):
            problems[failed["id"]] = failed.get("error") or str(failed)
        for row in answer["rankings"][0]["ranking"]:
            number = row["id"]
            rows.append(RankedConfig(configs[number], row["time_ms"], row["rank"],
                                     row["tied"], made[number]))
    known = {id(row.config) for row in rows}
    for number, config in enumerate(configs):
        if id(config) not in known:
            found = made[number]
            rows.append(RankedConfig(
                config, None, None, False,
                None if isinstance(found, str) else found,
                problems.get(number, "it has no prediction")))
    return Ranking(card.id, rows)


def _card(gpu: Optional[str]) -> Card:
    if gpu is not None:
        return card_of(gpu)
    current = cards.current()
    if current is None:
        raise service.GpuEstimateError(
            "no GPU is named: give gpu='ID', or use `with gpu_estimate.card(ID)`")
    return card_of(current.id)


def _compiled(function: Any, card: Card, args: Mapping[str, Any],
              config: Any) -> Any:
    """The compiled kernel, or why there is none."""
    own = config.all_kwargs()
    given = {**args, **{name: value for name, value in own.items()
                        if name in function.arg_names}}
    constants = {p.name: given[p.name] for p in function.params
                 if p.is_constexpr and p.name in given}
    rest = {name: value for name, value in given.items()
            if name not in constants and name in function.arg_names}
    options = {name: value for name, value in own.items()
               if name not in function.arg_names and value is not None}
    try:
        return compile_for(function, card, None, constants, rest, options)
    except service.GpuEstimateError as problem:
        return str(problem)


class PerfModel:
    """`perf_model` of @triton.autotune: milliseconds of a configuration.

        @triton.autotune(configs=[...], key=["M", "N", "K"], prune_configs_by={
            "perf_model": gpu_estimate.triton.perf_model, "top_k": 8})

    Of the card in use; PerfModel("nvidia-h100-sxm") is of another one. All
    configurations of a tuning are compiled side by side at its first question.
    """

    def __init__(self, gpu: Optional[str] = None, **options: Any) -> None:
        self._gpu = gpu
        self._options = options
        self._known: Dict[Tuple[Any, ...], Dict[str, float]] = {}

    def __call__(self, **named: Any) -> float:
        tuner = _tuner()
        card = _card(self._gpu)
        own = _of_configuration(tuner, named)
        args = {name: value for name, value in named.items()
                if name not in own and name not in _OF_LAUNCH}
        if "grid" not in named:
            raise service.GpuEstimateError(
                "perf_model needs the grid of the launch: kernel[grid](...)")
        key = (id(tuner), card.id, _shape(args))
        times = self._known.get(key)
        if times is None or str(own) not in times:
            ranked = best_config(tuner.fn, args, tuner.configs,
                                 grid=named["grid"], gpu=card.id,
                                 **self._options)
            times = {str(_own(row.config)):
                     float("inf") if row.time_ms is None else row.time_ms
                     for row in ranked}
            self._known[key] = times
        return times.get(str(own), float("inf"))


perf_model = PerfModel()


def _own(config: Any) -> Dict[str, Any]:
    return dict(sorted(config.all_kwargs().items()))


def _of_configuration(tuner: Any, named: Mapping[str, Any]) -> Dict[str, Any]:
    """The part of the words that is one of the configurations."""
    for config in tuner.configs:
        own = _own(config)
        if all(name in named and named[name] == value
               for name, value in own.items()):
            return own
    raise service.GpuEstimateError("perf_model is asked about a configuration "
                                   "that the tuner does not have")


def _shape(args: Mapping[str, Any]) -> Tuple[Any, ...]:
    return tuple((name, str(getattr(value, "shape", value)),
                  str(getattr(value, "dtype", ""))) for name, value in
                 sorted(args.items()))


def _tuner() -> Any:
    """Triton's autotuner, which does not tell a performance model of which
    kernel it asks: it is found among the callers."""
    frame = sys._getframe(2)
    for _ in range(4):
        if frame is None:
            break
        found = frame.f_locals.get("self")
        if hasattr(found, "configs") and hasattr(found, "base_fn"):
            return found
        frame = frame.f_back  # type: ignore[assignment]
    raise service.GpuEstimateError(
        "perf_model is called by @triton.autotune; elsewhere use best_config()")


@dataclass(frozen=True)
class ProductModel:
    """`perf_model` of @triton.autotune for a matrix product, before anything is
    compiled: from tiles, warps, stages and sizes alone, in microseconds of this
    machine for a configuration.

        ProductModel(m="M", n="N", k="K", tile=("BM", "BN", "BK"), type="fp16")

    The names are those of the kernel's arguments. It is coarser than PerfModel:
    it leaves the order of most configurations right, not their times.
    """

    m: str
    n: str
    k: str
    tile: Tuple[str, str, str]
    type: str  # of the operands: fp16, bf16, tf32, fp32, fp64, int8
    gpu: Optional[str] = None
    split: str = ""  # the argument that has the parts of the sum, if one has

    def __call__(self, **named: Any) -> float:
        return self.times_ms(named, [named])[0]

    def times_ms(self, sizes: Mapping[str, Any],
                 configurations: Sequence[Mapping[str, Any]]) -> List[float]:
        """Of several configurations at once; infinite where one does not fit."""
        names = (self.m, self.n, self.k)
        lacking = [name for name in names if name not in sizes] + [
            name for name in self.tile
            if any(name not in row for row in configurations)]
        if lacking:
            raise service.GpuEstimateError(
                f"ProductModel needs a value of {', '.join(lacking)}")
        tiles = [{**dict(zip("mnk", (row[name] for name in self.tile))),
                  "warps": row.get("num_warps", 4),
                  "stages": row.get("num_stages", 3),
                  "split": row.get(self.split, 1)} for row in configurations]
        answer = service.shared().call(
            "products", gpu=_card(self.gpu).id, type=self.type, tiles=tiles,
            **dict(zip("mnk", (sizes[name] for name in names))))
        return [float("inf") if row["time_ms"] is None else row["time_ms"]
                for row in answer["products"]]
