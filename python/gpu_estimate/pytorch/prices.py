"""The kernels of ATen's operations on a GPU: which ones an operation launches,
and what each reads, writes and computes. `gpu-estimate run` gives them times, by
the models of library kernels (docs/run.md#libraries). Needs no torch.

    >>> x = TensorInfo((4096, 4096), "bfloat16")
    >>> [kernel.name for kernel in price("mm", (x, x), {}, (x,))]
    ['cublasGemmEx']
    >>> price("an_operation_of_tomorrow", (x,), {}, (x,)) is None
    True

Shapes of kernels are those of the sources of PyTorch 2.4 to 2.10
(aten/src/ATen/native/cuda); where cuDNN or cuBLAS do the work, those of their
documentation. Instructions of functions are the sums of the rows of
docs/operations.md.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, Callable, Dict, Iterable, List, Optional, Sequence, Tuple

_BYTES = {"float64": 8, "int64": 8, "complex64": 8, "complex128": 16,
          "float32": 4, "int32": 4, "uint32": 4, "uint64": 8, "complex32": 4,
          "float16": 2, "bfloat16": 2, "int16": 2, "uint16": 2}
# Types of elements as `gpu-estimate run` names them.
_LIBRARY_TYPES = {"float16": "f16", "bfloat16": "bf16", "float32": "f32",
                  "float64": "f64", "int8": "i8", "uint8": "i8", "int32": "i32",
                  "complex64": "cf32", "complex128": "cf64"}


@dataclass(frozen=True)
class TensorInfo:
    """What a price depends on."""

    shape: Tuple[int, ...]
    dtype: str = "float32"  # as torch spells it
    strides: Optional[Tuple[int, ...]] = None  # None: contiguous
    nonzeros: Optional[int] = None  # of a sparse tensor

    @property
    def numel(self) -> int:
        return math.prod(self.shape)

    @property
    def itemsize(self) -> int:
        return _BYTES.get(self.dtype, 1)

    @property
    def bytes(self) -> int:
        """In memory: an axis along which a tensor is expanded counts once.

        >>> TensorInfo((8, 4), "float32", (0, 1)).bytes
        16
        """
        if self.nonzeros is not None:  # an index for each axis
            return self.nonzeros * (self.itemsize + 8 * len(self.shape))
        if self.strides is None:
            return self.numel * self.itemsize
        return self.itemsize * math.prod(
            n for n, stride in zip(self.shape, self.strides)
            if stride != 0 or n == 0)

    @property
    def is_dense(self) -> bool:
        """Elements without gaps, in any order of the axes."""
        if self.strides is None:
            return True
        expected = 1
        for stride, n in sorted((s, n) for s, n in zip(self.strides, self.shape)
                                if n != 1):
            if stride != expected:
                return False
            expected *= n
        return True


@dataclass(frozen=True)
class Kernel:
    """One kernel launch, or several alike; sizes are those of one, as
    RunLibraryCall has them."""

    name: str
    sizes: Tuple[Tuple[str, float], ...]
    operands: str = "f32"
    results: str = "f32"
    compute: str = "f32"
    count: int = 1  # launches


@dataclass(frozen=True)
class Flags:
    """Settings of torch that change which kernels run."""

    matmul_tf32: bool = False  # torch.backends.cuda.matmul.allow_tf32
    cudnn_tf32: bool = True  # torch.backends.cudnn.allow_tf32


@dataclass(frozen=True)
class Call:
    """One call of an operation."""

    op: str
    args: Sequence[Any]
    kwargs: Dict[str, Any]
    outs: Sequence[TensorInfo]
    flags: Flags

    def arg(self, place: int, name: str, default: Any = None) -> Any:
        if place < len(self.args):
            return self.args[place]
        return self.kwargs.get(name, default)

    @property
    def tensors(self) -> List[TensorInfo]:
        return list(_tensors(self.args)) + list(_tensors(self.kwargs.values()))


def _tensors(values: Iterable[Any]) -> Iterable[TensorInfo]:
    for value in values:
        if isinstance(value, TensorInfo):
            yield value
        elif isinstance(value, (list, tuple)):
            yield from _tensors(value)


Rule = Callable[[Call], Optional[List[Kernel]]]
_RULES: Dict[str, Rule] = {}


def _rule(*names: str) -> Callable[[Rule], Rule]:
    def add(rule: Rule) -> Rule:
        for name in names:
            _RULES[name] = rule
        return rule
    return add


def price(op: str, args: Sequence[Any], kwargs: Dict[str, Any],
          outs: Sequence[TensorInfo], flags: Flags = Flags(),
          is_pointwise: bool = False) -> Optional[List[Kernel]]:
    """Kernels of an operation, named without its overload; tensors of the card
    are TensorInfo. [] for an operation that launches none. None: unknown."""
    call = Call(op, args, kwargs, outs, flags)
    found = _RULES.get(op)
    if found is None and op.endswith("_"):
        found = _RULES.get(op[:-1])
    if found is not None:
        return found(call)
    if op.startswith("_foreach_"):
        return _foreach(call)
    if is_pointwise or _stem(op) in _INSTRUCTIONS:
        return _elementwise(call)
    return None


def one_pass(args: Sequence[Any], kwargs: Dict[str, Any],
             outs: Sequence[TensorInfo], op: str) -> Kernel:
    """What an operation without a rule takes at least."""
    call = Call(op, args, kwargs, outs, Flags())
    return _pass(f"at::{op}", sum(t.bytes for t in call.tensors),
                 sum(t.bytes for t in outs))


def _pass(name: str, read: float, written: float, instructions: float = 0,
          kernels: int = 1) -> Kernel:
    """Some kernels of one name share the work."""
    return Kernel(name, (("read_bytes", read / kernels),
                         ("written_bytes", written / kernels),
                         ("instructions", instructions / kernels)), count=kernels)


# --- Operations that launch nothing.

@_rule("empty", "empty_like", "empty_strided", "new_empty", "new_empty_strided",
       "resize_", "set_", "record_stream", "is_same_size", "lift_fresh",
       "_has_compatible_shallow_copy_type", "is_pinned", "sym_size",
       "stride", "size", "storage_offset", "is_contiguous", "dim", "numel")
def _nothing(call: Call) -> List[Kernel]:
    return []


# --- One thread for each few elements.

# Instructions of a thread for an element, beside its loads and its store.
_INSTRUCTIONS = {
    "add": 1, "sub": 1, "rsub": 1, "mul": 1, "neg": 1, "abs": 1, "maximum": 1,
    "minimum": 1, "relu": 1, "clamp": 2, "clamp_min": 1, "clamp_max": 1,
    "where": 2, "masked_fill": 2, "threshold_backward": 2, "addcmul": 2,
    "lerp": 4, "div": 8, "true_divide": 8, "addcdiv": 10, "reciprocal": 8,
    "exp": 9, "exp2": 3, "expm1": 26, "log": 28, "log2": 29, "log10": 30,
    "log1p": 26, "sqrt": 10, "rsqrt": 4, "sin": 25, "cos": 26, "tan": 22,
    "tanh": 16, "erf": 28, "erfinv": 16, "atan": 18, "asin": 24, "pow": 92,
    "lgamma": 108, "fmod": 18, "remainder": 20, "sigmoid": 18, "silu": 19,
    "gelu": 33, "gelu_backward": 50, "silu_backward": 24, "sigmoid_backward": 3,
    "tanh_backward": 3, "softplus": 36, "mish": 54, "elu": 28, "celu": 28,
    "selu": 28, "hardtanh": 2, "hardswish": 5, "hardsigmoid": 4,
    "leaky_relu": 2, "square": 1, "bernoulli": 15, "hardtanh_backward": 3,
    "hardswish_backward": 8, "hardsigmoid_backward": 4,
    "leaky_relu_backward": 2, "elu_backward": 14, "softplus_backward": 20,
    "mse_loss": 2, "smooth_l1_loss": 5, "huber_loss": 5, "tril": 4, "triu": 4,
    "logit": 40, "nan_to_num": 6, "_to_copy": 1, "copysign": 2,
    "binary_cross_entropy": 60, "bitwise_and": 1, "bitwise_or": 1,
    "bitwise_not": 1, "glu": 20, "glu_backward": 30, "polar": 54,
    "view_as_complex_copy": 1, "complex": 1, "ge": 1, "logaddexp": 40,
    "mse_loss_backward": 3, "smooth_l1_loss_backward": 6, "masked_scatter": 8,
    "log_sigmoid_forward": 38, "log_sigmoid_backward": 30,
    "binary_cross_entropy_backward": 20, "prelu": 3,
    "_prelu_kernel": 3, "_prelu_kernel_backward": 5,
}
# Loads, stores and conversions move four elements at a time.
_VECTOR = 4
# Where tensors are not laid out alike, the offset of an element takes a
# division by multiplication for each axis and tensor (TensorIterator's
# OffsetCalculator): multiply high, add, shift, multiply, subtract.
_OFFSET = 5


def _stem(op: str) -> str:
    return op[:-1] if op.endswith("_") and not op.endswith("__") else op


def _elementwise(call: Call, name: str = "") -> List[Kernel]:
    op = _stem(call.op)
    is_inplace = op != call.op
    inputs = [t for t in call.tensors if t.shape]
    outs = list(call.outs) or inputs[:1]
    count = max([t.numel for t in outs], default=0)
    if count == 0:
        return []
    read = sum(t.bytes for t in inputs)
    written = sum(t.bytes for t in outs)
    if is_inplace and op in ("fill", "zero", "copy"):
        read -= inputs[0].bytes if inputs else 0
    layouts = {t.strides for t in inputs + outs if t.numel == count}
    is_vector = len(layouts) <= 1 and all(t.is_dense for t in inputs + outs) \
        and all(t.numel == count for t in inputs)
    each = _INSTRUCTIONS.get(op, 2)
    tensors = len(inputs) + len(outs)
    if is_vector:
        each += tensors / _VECTOR
        kind = "at::native::vectorized_elementwise_kernel"
    else:
        axes = max(len(t.shape) for t in inputs + outs)
        each += tensors * (1 + _OFFSET * axes)
        kind = "at::native::elementwise_kernel"
    if any(t.dtype in ("float64", "complex128") for t in inputs + outs):
        each *= 2
    return [_pass(f"{kind}<{name or op}>", read, written, each * count)]


@_rule("fill", "zero", "zeros", "ones", "full", "zeros_like", "ones_like",
       "full_like", "new_zeros", "new_ones", "new_full", "arange", "linspace",
       "eye", "scalar_tensor")
def _fill(call: Call) -> List[Kernel]:
    outs = call.outs or call.tensors[:1]
    written = sum(t.bytes for t in outs)
    if written == 0:
        return []
    return [_pass("at::native::vectorized_elementwise_kernel<fill>", 0, written,
                  sum(t.numel for t in outs) / _VECTOR)]


@_rule("copy", "clone", "contiguous", "_to_copy", "expand_copy", "lift",
       "lift_fresh_copy", "repeat", "flip", "roll", "_copy_from")
def _copy(call: Call) -> List[Kernel]:
    """Between tensors of the card; what crosses the link is no kernel. A copy
    of one layout and type is done by the same kernel's width."""
    source = call.tensors[1:2] if call.op == "copy_" else call.tensors[:1]
    target = call.tensors[:1] if call.op == "copy_" else list(call.outs)
    if not source or not target or target[0].numel == 0:
        return []
    if source[0].dtype == target[0].dtype and source[0].is_dense and \
            target[0].is_dense and source[0].strides == target[0].strides:
        return [_pass("at::Memcpy DtoD", source[0].bytes, target[0].bytes)]
    call = Call("direct_copy", source, {}, target, call.flags)
    return _elementwise(call)


@_rule("cat", "stack", "concat")
def _cat(call: Call) -> List[Kernel]:
    per_launch = 128  # CAT_ARRAY_BATCH_SIZE
    parts = call.tensors
    total = sum(t.bytes for t in call.outs)
    return [_pass("at::native::CatArrayBatchedCopy", total, total,
                  sum(t.numel for t in call.outs) * 10,
                  max(1, math.ceil(len(parts) / per_launch)))]


@_rule("slice_backward", "select_backward", "diagonal_backward",
       "as_strided_scatter", "slice_scatter", "select_scatter", "unfold_backward")
def _into_zeros(call: Call) -> List[Kernel]:
    """A tensor of zeros, or a copy, and the part that is written to it."""
    source, out = call.tensors[-1], call.outs[0]
    return [_pass("at::native::vectorized_elementwise_kernel<fill>", 0, out.bytes,
                  out.numel / _VECTOR),
            _pass("at::native::elementwise_kernel<direct_copy>", source.bytes,
                  source.bytes, source.numel * 2 * _OFFSET)]


@_rule("_amp_update_scale")
def _amp_update(call: Call) -> List[Kernel]:
    return [_pass("at::native::amp_update_scale_cuda_kernel", 12, 8, 32)]


# --- Random numbers: Philox, as docs/run.md counts cuRAND's.

_PHILOX, _BOX_MULLER = 15, 6.5


@_rule("normal", "normal_functional", "randn", "randn_like", "uniform", "rand",
       "rand_like", "bernoulli", "random", "randint", "randint_like",
       "exponential", "multinomial", "randn.generator", "log_normal", "cauchy")
def _random(call: Call) -> List[Kernel]:
    outs = call.outs or call.tensors[:1]
    count = sum(t.numel for t in outs)
    if count == 0:
        return []
    each = _PHILOX + 2 + (_BOX_MULLER if "norm" in call.op or "randn" in call.op
                          else 28 if "exp" in call.op else 0)
    return [_pass(f"at::native::distribution_elementwise_grid_stride_kernel<"
                  f"{_stem(call.op)}>", 0, sum(t.bytes for t in outs),
                  each * count)]


@_rule("native_dropout", "_fused_dropout")
def _dropout(call: Call) -> List[Kernel]:
    x = call.tensors[0]
    return [_pass("at::native::fused_dropout_kernel_vec", x.bytes,
                  sum(t.bytes for t in call.outs), x.numel * (_PHILOX + 4))]


# --- Reductions.

@_rule("sum", "mean", "amax", "amin", "max", "min", "prod", "all", "any", "argmax",
       "argmin", "var", "std", "var_mean", "std_mean", "norm",
       "linalg_vector_norm", "count_nonzero", "nansum", "logsumexp", "aminmax",
       "_amp_foreach_non_finite_check_and_unscale", "_is_all_true", "_is_any_true")
def _reduction(call: Call) -> List[Kernel]:
    """One kernel: the last thread block of each group joins the parts."""
    if len(call.tensors) == 2 and call.op in ("max", "min"):
        return _elementwise(call)
    read = sum(t.bytes for t in call.tensors)
    count = sum(t.numel for t in call.tensors)
    each = 6 if call.op.startswith(("var", "std")) else 3
    return [_pass(f"at::native::reduce_kernel<{call.op}>", read,
                  sum(t.bytes for t in call.outs), count * each / _VECTOR)]


@_rule("cumsum", "cumprod", "logcumsumexp", "cummax", "cummin")
def _scan(call: Call) -> List[Kernel]:
    x = call.tensors[0]
    return [_pass("at::native::tensor_kernel_scan", x.bytes,
                  sum(t.bytes for t in call.outs), x.numel * 12)]


@_rule("_softmax", "_log_softmax", "_safe_softmax")
def _softmax(call: Call) -> List[Kernel]:
    """Rows up to 1024 elements stay in registers (softmax_warp_forward), longer
    ones in shared memory where they fit (cunn_SoftMaxForwardSmem)."""
    x, out = call.tensors[0], call.outs[0]
    axis = call.arg(1, "dim", -1)
    row = x.shape[axis] if x.shape else 1
    shared_bytes = 48 * 1024
    if row <= 1024:
        name, passes = "softmax_warp_forward", 1
    elif row * x.itemsize <= shared_bytes:
        name, passes = "cunn_SoftMaxForwardSmem", 1
    else:
        name, passes = "cunn_SoftMaxForward", 3
    each = 9 + 4 + (28 / row if "log" in call.op else 8)
    return [_pass(f"at::native::{name}", passes * x.bytes, out.bytes,
                  x.numel * each)]


@_rule("_softmax_backward_data", "_log_softmax_backward_data")
def _softmax_backward(call: Call) -> List[Kernel]:
    grad, output = call.tensors[:2]
    row = output.shape[call.arg(2, "dim", -1)] if output.shape else 1
    passes = 1 if row <= 1024 else 2
    name = "softmax_warp_backward" if passes == 1 else "cunn_SoftMaxBackward"
    return [_pass(f"at::native::{name}", passes * (grad.bytes + output.bytes),
                  call.outs[0].bytes,
                  output.numel * (14 if "log" in call.op else 5))]


@_rule("nll_loss_forward", "nll_loss2d_forward")
def _nll(call: Call) -> List[Kernel]:
    """Each row gives one element: a sector of 32 bytes."""
    rows = call.tensors[1].numel
    return [_pass("at::native::nll_loss_forward_reduce_cuda_kernel_2d",
                  rows * (32 + 8), 8, rows * 8)]


@_rule("nll_loss_backward", "nll_loss2d_backward")
def _nll_backward(call: Call) -> List[Kernel]:
    grad, rows = call.outs[0], call.tensors[2].numel
    return [_pass("at::native::vectorized_elementwise_kernel<fill>", 0, grad.bytes,
                  grad.numel / _VECTOR),
            _pass("at::native::nll_loss_backward_reduce_cuda_kernel_2d", rows * 8,
                  rows * 32, rows * 8)]


# --- Normalisations.

@_rule("native_layer_norm", "_fused_rms_norm", "rms_norm")
def _layer_norm(call: Call) -> List[Kernel]:
    """The rows are read twice: for their moments, and to normalise."""
    x = call.tensors[0]
    return [_pass("at::native::vectorized_layer_norm_kernel",
                  x.bytes + sum(t.bytes for t in call.tensors),
                  sum(t.bytes for t in call.outs), x.numel * 8)]


@_rule("native_layer_norm_backward", "_fused_rms_norm_backward")
def _layer_norm_backward(call: Call) -> List[Kernel]:
    """The gradient of the input, whose kernel reads the rows twice, and one kernel
    for those of the weights."""
    grad, x = call.tensors[:2]
    found = [_pass("at::native::layer_norm_grad_input_kernel",
                   2 * (grad.bytes + x.bytes), x.bytes, x.numel * 14)]
    mask = call.arg(7, "output_mask", None) or call.arg(5, "output_mask", None)
    if not isinstance(mask, (list, tuple)) or any(mask[1:]):
        found.append(_pass("at::native::GammaBetaBackwardCUDAKernel",
                           grad.bytes + x.bytes, 8 * x.shape[-1], x.numel * 8))
    return found


@_rule("native_group_norm")
def _group_norm(call: Call) -> List[Kernel]:
    x = call.tensors[0]
    small = 16.0 * (x.shape[0] * (x.shape[1] if len(x.shape) > 1 else 1))
    return [_pass("at::native::RowwiseMomentsCUDAKernel", x.bytes, small,
                  x.numel * 6),
            _pass("at::native::ComputeFusedParamsCUDAKernel", small, small),
            _pass("at::native::elementwise_kernel<group_norm>", x.bytes + small,
                  x.bytes, x.numel * 4)]


@_rule("native_group_norm_backward")
def _group_norm_backward(call: Call) -> List[Kernel]:
    grad, x = call.tensors[:2]
    small = 16.0 * x.shape[0] * (x.shape[1] if len(x.shape) > 1 else 1)
    return [_pass("at::native::ComputeInternalGradientsCUDAKernel",
                  grad.bytes + x.bytes, small, x.numel * 6),
            _pass("at::native::ComputeBackwardFusedParamsCUDAKernel", small, small),
            _pass("at::native::elementwise_kernel<group_norm_backward>",
                  grad.bytes + x.bytes, x.bytes, x.numel * 5),
            _pass("at::native::GammaBetaBackwardCUDAKernel2", small, small)]


@_rule("cudnn_batch_norm", "native_batch_norm", "_native_batch_norm_legit",
       "_batch_norm_with_update", "_native_batch_norm_legit_no_training",
       "_native_batch_norm_legit.no_stats", "_batch_norm_no_update",
       "native_batch_norm_legit", "miopen_batch_norm", "batch_norm_elemt")
def _batch_norm(call: Call) -> List[Kernel]:
    """Training reads the input twice: for the statistics, and to normalise."""
    x = call.tensors[0]
    trains = call.arg(5, "training", True) is not False and \
        "no_training" not in call.op and "no_update" not in call.op
    if trains:
        return [_pass("at::cudnn_bn_fw_tr", 2 * x.bytes, x.bytes, x.numel * 8)]
    return [_pass("at::cudnn_bn_fw_inf", x.bytes, x.bytes, x.numel * 4)]


@_rule("cudnn_batch_norm_backward", "native_batch_norm_backward",
       "batch_norm_backward", "miopen_batch_norm_backward")
def _batch_norm_backward(call: Call) -> List[Kernel]:
    grad, x = call.tensors[:2]
    return [_pass("at::cudnn_bn_bw", 2 * (grad.bytes + x.bytes), x.bytes,
                  x.numel * 14)]


# --- Windows.

@_rule("max_pool2d_with_indices", "avg_pool2d", "_adaptive_avg_pool2d",
       "adaptive_max_pool2d", "max_pool3d_with_indices", "avg_pool3d",
       "_adaptive_avg_pool3d", "avg_pool1d", "upsample_nearest2d",
       "upsample_bilinear2d", "upsample_bicubic2d", "upsample_nearest1d",
       "upsample_linear1d", "upsample_nearest3d", "upsample_trilinear3d",
       "grid_sampler_2d", "grid_sampler_3d", "im2col", "col2im",
       "reflection_pad1d", "reflection_pad2d", "replication_pad2d",
       "constant_pad_nd", "pixel_shuffle", "pixel_unshuffle",
       "channel_shuffle", "max_unpool2d",
       "_upsample_bilinear2d_aa", "_upsample_bicubic2d_aa",
       "fractional_max_pool2d", "_upsample_nearest_exact2d")
def _window(call: Call) -> List[Kernel]:
    """The input once from memory: windows overlap in the caches."""
    x = call.tensors[0]
    kernel = call.arg(1, "kernel_size", None)
    taps = math.prod(kernel) if "pool" in call.op and isinstance(
        kernel, (list, tuple)) and kernel and "adaptive" not in call.op else 4
    count = sum(t.numel for t in call.outs[:1])
    if "adaptive" in call.op and count:
        taps = max(1, x.numel // count)
    return [_pass(f"at::native::{call.op}", sum(t.bytes for t in call.tensors),
                  sum(t.bytes for t in call.outs), count * (20 + 3 * taps))]


@_rule("max_pool2d_with_indices_backward", "avg_pool2d_backward",
       "_adaptive_avg_pool2d_backward", "upsample_nearest2d_backward",
       "upsample_bilinear2d_backward", "reflection_pad2d_backward",
       "adaptive_max_pool2d_backward", "max_pool3d_with_indices_backward",
       "avg_pool3d_backward", "grid_sampler_2d_backward",
       "fractional_max_pool2d_backward",
       "_adaptive_avg_pool3d_backward", "reflection_pad1d_backward",
       "upsample_bicubic2d_backward", "upsample_linear1d_backward",
       "upsample_nearest1d_backward")
def _window_backward(call: Call) -> List[Kernel]:
    read = sum(t.bytes for t in call.tensors[:1] + call.tensors[2:])
    written = sum(t.bytes for t in call.outs)
    return [_pass("at::native::vectorized_elementwise_kernel<fill>", 0, written,
                  sum(t.numel for t in call.outs) / _VECTOR),
            _pass(f"at::native::{call.op}", read, written,
                  sum(t.numel for t in call.outs) * 30)]


# --- Rows and elements by index.

def _masks(call: Call) -> List[TensorInfo]:
    if not call.op.startswith(("index", "_index_put", "_unsafe_index")) or \
            len(call.args) < 2 or not isinstance(call.args[1], (list, tuple)):
        return []
    return [t for t in _tensors(call.args[1]) if t.dtype in ("bool", "uint8")]


@_rule("embedding", "index_select", "index", "gather", "take", "_unsafe_index",
       "take_along_dim", "_embedding_bag", "_embedding_bag_forward_only")
def _gather(call: Call) -> List[Kernel]:
    """What is read lies where the indices say: sectors of 32 bytes where single
    elements are taken."""
    out = call.outs[0]
    index = sum(t.bytes for t in call.tensors if t.dtype in ("int64", "int32"))
    masks = _masks(call)
    if masks:  # becomes indices first
        return _select(Call("nonzero", masks, {}, (TensorInfo((out.numel,), "int64"),),
                            call.flags)) + _gather(Call(
                                "take", (call.tensors[0],), {}, call.outs, call.flags))
    is_row = call.op in ("embedding", "index_select", "_embedding_bag")
    read = out.bytes if is_row else max(
        out.bytes, min(call.tensors[0].bytes, out.numel * 32))
    return [_pass(f"at::native::{call.op}_kernel", read + index, out.bytes,
                  out.numel * 15)]


@_rule("nonzero", "masked_select")
def _select(call: Call) -> List[Kernel]:
    """Counts (two kernels of CUB), then writes; the host waits for the count."""
    x = call.tensors[0]
    return [_pass("at::cub::DeviceReduceKernel", x.bytes, 8, x.numel, 2),
            _pass("at::cub::DeviceSelectSweepKernel", x.bytes,
                  sum(t.bytes for t in call.outs), x.numel * 10)]


@_rule("scatter", "scatter_add", "scatter_reduce", "index_add", "index_put",
       "_index_put_impl", "index_copy", "index_fill", "_unsafe_index_put",
       "put", "index_reduce", "masked_scatter")
def _scatter(call: Call) -> List[Kernel]:
    tensors = call.tensors
    target, source = tensors[0], tensors[-1]
    masks = _masks(call)
    if masks:
        value = call.arg(2, "values")
        fills = not isinstance(value, TensorInfo) or value.numel == 1
        if fills and not call.arg(3, "accumulate", False):
            return _elementwise(Call("masked_fill_", (target, *masks), {}, (target,),
                                     call.flags))
        return _select(Call("nonzero", masks, {}, (
            TensorInfo((source.numel,), "int64"),), call.flags)) + _scatter(Call(
                "put_", (target, source), {}, call.outs, call.flags))
    index = sum(t.bytes for t in tensors if t.dtype in ("int64", "int32"))
    found = []
    if _stem(call.op) == call.op:
        found.append(_pass("at::Memcpy DtoD", target.bytes, target.bytes))
    moved = min(target.bytes, source.numel * 32)
    if call.op.startswith(("index_put", "_index_put_impl")) and \
            call.arg(3, "accumulate", False):
        found += _radix_sort(index // 8, 8, 8)
    found.append(_pass(f"at::native::{_stem(call.op)}_kernel",
                       source.bytes + index + moved, moved, source.numel * 20))
    return found


@_rule("_weight_norm_interface", "_weight_norm_interface_backward")
def _weight_norm(call: Call) -> List[Kernel]:
    """The norm of each row, then the row again (weight_norm.cu)."""
    read = sum(t.bytes for t in call.tensors)
    return [_pass(f"at::native::{call.op}_kernel", read + call.tensors[0].bytes,
                  sum(t.bytes for t in call.outs), call.tensors[0].numel * 6)]


@_rule("_ctc_loss", "_ctc_loss_backward")
def _ctc(call: Call) -> List[Kernel]:
    """A thread for each label follows the steps one after the other (LossCTC.cu): their
    chain of dependences is not modelled, so that this is too short."""
    found = [_pass("at::native::ctc_loss_log_alpha_gpu_kernel", call.tensors[0].bytes,
                   sum(t.bytes for t in call.outs), call.tensors[0].numel * 60)]
    return found * 2 if call.op.endswith("backward") else found


@_rule("_fft_r2c", "_fft_c2r", "_fft_c2c")
def _fft(call: Call) -> List[Kernel]:
    """cuFFT: one pass over the data for each axis, and one more for each factor of 8192
    that does not fit a thread block's shared memory (docs/run.md#libraries)."""
    x, out = call.tensors[0], call.outs[0]
    axes = call.arg(1, "dim", [-1])
    found = []
    for axis in axes if isinstance(axes, (list, tuple)) else [axes]:
        length = max(2, max(x.shape[axis], out.shape[axis]))
        passes = math.ceil(math.log2(length) / 13)
        found.append(_pass("at::cufft", x.bytes, out.bytes,
                           max(x.numel, out.numel) * 2.5 * math.log2(length), passes))
        found[-1] = replace(found[-1], sizes=tuple(
            (name, value * passes) for name, value in found[-1].sizes))
    return found


@_rule("_embedding_bag_backward", "_embedding_bag_dense_backward")
def _embedding_bag_backward(call: Call) -> List[Kernel]:
    """Indices are sorted, and the rows of each added."""
    grad, index = call.tensors[:2]
    out = call.outs[0]
    return [_pass("at::native::vectorized_elementwise_kernel<fill>", 0, out.bytes,
                  out.numel / _VECTOR)] + _radix_sort(index.numel, 8, 8) + [
        _pass("at::native::compute_grad_weight_bags", grad.bytes + index.bytes,
              min(out.bytes, grad.bytes), grad.numel * 4)]


@_rule("_linalg_check_errors")
def _host_looks(call: Call) -> List[Kernel]:
    return []


@_rule("embedding_dense_backward", "embedding_backward")
def _embedding_backward(call: Call) -> List[Kernel]:
    """Up to 3072 indices one kernel; more are sorted first
    (embedding_backward_cuda_kernel)."""
    grad, index = call.tensors[0], call.tensors[1]
    out = call.outs[0]
    found = [_pass("at::native::vectorized_elementwise_kernel<fill>", 0, out.bytes,
                   out.numel / _VECTOR)]
    moved = min(out.bytes, grad.bytes)
    if index.numel <= 3072:
        return found + [_pass("at::native::embedding_backward_feature_kernel",
                              grad.bytes + index.bytes + moved, moved,
                              grad.numel * 8)]
    found += _radix_sort(index.numel, 8, 8)
    found += [_pass("at::native::krn_partials_per_segment", index.bytes,
                    index.bytes, index.numel * 6, 3),
              _pass("at::native::compute_grad_weight", grad.bytes + index.bytes,
                    grad.bytes / 8, grad.numel * 4),
              _pass("at::native::sum_and_scatter", grad.bytes / 8, moved,
                    grad.numel)]
    return found


def _radix_sort(count: int, key_bytes: int, value_bytes: int) -> List[Kernel]:
    """CUB's onesweep sort (Adinets and Merrill 2022, arXiv:2206.01784): a
    histogram of all digits of 8 bits, then a pass over keys and values for each
    digit."""
    if count <= 0:
        return []
    one = count * (key_bytes + value_bytes)
    return [_pass("at::cub::DeviceRadixSortHistogramKernel", count * key_bytes,
                  1024 * key_bytes, count * 4 * key_bytes),
            _pass("at::cub::DeviceRadixSortOnesweepKernel", one * key_bytes,
                  one * key_bytes, count * 40 * key_bytes, key_bytes)]


@_rule("sort", "argsort", "randperm", "unique", "_unique2", "unique_consecutive",
       "unique_dim")
def _sort(call: Call) -> List[Kernel]:
    """Rows up to 4096 elements in one thread block each, longer ones by CUB."""
    x = call.tensors[0] if call.tensors else call.outs[0]
    dim = call.arg(1, "dim", -1)
    row = x.shape[dim] if x.shape and isinstance(dim, int) and \
        -len(x.shape) <= dim < len(x.shape) else x.numel
    if row <= 4096 and call.op in ("sort", "argsort"):
        steps = math.ceil(math.log2(max(2, row)))
        each = steps * (steps + 1) / 2 * 8 if row <= 32 else x.itemsize * 2 * 40
        return [_pass("at::native::radixSortKVInPlace", x.bytes,
                      sum(t.bytes for t in call.outs), x.numel * each)]
    found = _radix_sort(x.numel, x.itemsize, 8)
    if row < x.numel:  # rows side by side are told apart by a second sort
        found += _radix_sort(x.numel, 4, 8)
    return found


@_rule("topk", "kthvalue", "median", "mode")
def _topk(call: Call) -> List[Kernel]:
    """Radix selection finds two bits of the key in each pass over a row, which
    the caches hold; then it gathers, and sorts what it found."""
    x = call.tensors[0]
    passes = x.itemsize * 8 // 2
    found = [_pass("at::native::gatherTopK", 2 * x.bytes,
                   sum(t.bytes for t in call.outs), x.numel * passes * 6)]
    if call.op == "topk" and call.arg(4, "sorted", True):
        out = call.outs[0]
        found.append(_pass("at::native::bitonicSortKVInPlace", out.bytes * 3,
                           out.bytes * 3, out.numel * 40))
    return found


# --- Matrix products.

def _gemm(call: Call, name: str, m: int, n: int, k: int, batch: int,
          a: TensorInfo, out: TensorInfo, tf32: bool,
          more: Tuple[Tuple[str, float], ...] = ()) -> List[Kernel]:
    if m * n * batch == 0:
        return []
    kind = _LIBRARY_TYPES.get(a.dtype)
    if kind is None and a.dtype.startswith("float8"):
        kind = "i8"  # of the same rate on the tensor cores
    if kind is None:
        return [_pass(f"at::{call.op}", sum(t.bytes for t in call.tensors),
                      out.bytes)]
    compute = "tf32" if tf32 and kind in ("f32", "cf32") else kind
    return [Kernel(name, (("m", m), ("n", n), ("k", k), ("batch", batch)) + more,
                   kind, _LIBRARY_TYPES.get(out.dtype, "f32"), compute)]


def _sparse_product(call: Call, a: TensorInfo, b: TensorInfo) -> List[Kernel]:
    """cuSPARSE: each element of the sparse matrix takes a row of the other, from the
    caches where that fits (assumed: 32 MiB), and adds it to one of the result."""
    sparse, dense = (a, b) if a.nonzeros is not None else (b, a)
    out = call.outs[0] if call.outs else call.tensors[0]
    columns = out.numel // max(1, sparse.shape[0])
    taken = (sparse.nonzeros or 0) * columns * dense.itemsize
    read = dense.bytes if dense.bytes <= 32 << 20 else taken
    return [_pass("at::cusparseSpMM", sparse.bytes + read, out.bytes,
                  (sparse.nonzeros or 0) * (10 + 2 * columns))]


@_rule("mm", "_int_mm", "_scaled_mm", "_sparse_mm")
def _mm(call: Call) -> List[Kernel]:
    a, b = call.tensors[:2]
    if a.nonzeros is not None or b.nonzeros is not None:
        return _sparse_product(call, a, b)
    return _gemm(call, "cublasGemmEx", a.shape[0], b.shape[1], a.shape[1], 1, a,
                 call.outs[0], call.flags.matmul_tf32)


@_rule("addmm", "_addmm_activation", "_sparse_addmm")
def _addmm(call: Call) -> List[Kernel]:
    """The bias is added in the epilogue (cublasLt) where it is a vector; else C
    is filled with it before."""
    bias, a, b = call.tensors[:3]
    out = call.outs[0] if call.outs else bias
    if a.nonzeros is not None or b.nonzeros is not None:
        return _sparse_product(call, a, b)
    product = _gemm(call, "cublasLtMatmul", a.shape[0], b.shape[1], a.shape[1], 1,
                    a, out, call.flags.matmul_tf32)
    if len(bias.shape) == 2 and not call.op.endswith("_"):
        return _copy(Call("clone", (bias,), {}, (out,), call.flags)) + product
    return product


@_rule("linear")
def _linear(call: Call) -> List[Kernel]:
    """torch.inference_mode() calls it in place of mm and addmm. The weight is
    transposed; the bias is added in the epilogue."""
    a, weight = call.tensors[:2]
    if a.nonzeros is not None or weight.nonzeros is not None:
        return _sparse_product(call, a, weight)
    inner = weight.shape[-1]
    name = "cublasLtMatmul" if len(call.tensors) > 2 else "cublasGemmEx"
    return _gemm(call, name, a.numel // max(1, inner), weight.numel // max(1, inner),
                 inner, 1, a, call.outs[0], call.flags.matmul_tf32)


@_rule("bmm")
def _bmm(call: Call) -> List[Kernel]:
    a, b = call.tensors[:2]
    return _gemm(call, "cublasGemmStridedBatchedEx", a.shape[1], b.shape[2],
                 a.shape[2], a.shape[0], a, call.outs[0], call.flags.matmul_tf32)


@_rule("baddbmm")
def _baddbmm(call: Call) -> List[Kernel]:
    bias, a, b = call.tensors[:3]
    out = call.outs[0] if call.outs else bias
    before = [] if call.op.endswith("_") else _copy(
        Call("clone", (bias,), {}, (out,), call.flags))
    return before + _gemm(call, "cublasGemmStridedBatchedEx", a.shape[1],
                          b.shape[2], a.shape[2], a.shape[0], a, out,
                          call.flags.matmul_tf32)


@_rule("mv", "addmv", "dot", "vdot")
def _mv(call: Call) -> List[Kernel]:
    if call.tensors[0].nonzeros is not None:
        return _sparse_product(call, *call.tensors[:2])
    count = sum(t.numel for t in call.tensors)
    return [_pass("at::cublas_gemv", sum(t.bytes for t in call.tensors),
                  sum(t.bytes for t in call.outs), count / 2,
                  2 if "dot" in call.op else 1)]


def _step(name: str, steps: int, one: TensorInfo) -> Kernel:
    """The elementwise kernel of each step: the gates, and what is left of them."""
    return _pass(f"at::native::{name}", 2.0 * steps * one.bytes, steps * one.bytes,
                 steps * one.numel * 30, steps)


def _layers(call: Call) -> List[Tuple[TensorInfo, TensorInfo]]:
    """weight_ih and weight_hh of each layer and direction."""
    weights = call.tensors[1:]
    found, place = [], 0
    while place + 1 < len(weights):
        found.append((weights[place], weights[place + 1]))
        place += 2
        # weight_hr of a projection has the width of the next weight_hh.
        if place < len(weights) and weights[place].shape[0] < found[-1][0].shape[0] \
                and weights[place].shape[0] == found[-1][1].shape[1]:
            place += 1
    return found


@_rule("_cudnn_rnn")
def _recurrent(call: Call) -> List[Kernel]:
    """For each layer and direction the input's product for all steps, then a product
    and an elementwise kernel for each: cuDNN's kernels over several steps are
    faster."""
    x = call.tensors[0]
    steps, batch = x.shape[:2]
    found: List[Kernel] = []
    for of_input, of_state in _layers(call):
        gates, hidden = of_state.shape
        whole = TensorInfo((steps * batch, gates), x.dtype)
        one = TensorInfo((batch, gates), x.dtype)
        found += _gemm(call, "cublasGemmEx", steps * batch, gates, of_input.shape[1], 1,
                       x, whole, call.flags.cudnn_tf32)
        found += [replace(kernel, count=steps) for kernel in
                  _gemm(call, "cublasGemmEx", batch, gates, hidden, 1, x, one,
                        call.flags.cudnn_tf32)]
        found.append(_step("lstm_cell_forward", steps, one))
    return found


@_rule("_cudnn_rnn_backward")
def _recurrent_backward(call: Call) -> List[Kernel]:
    """A product and an elementwise kernel for each step, then for all of them the
    gradients of the input and of both weights."""
    x = call.tensors[0]
    steps, batch = x.shape[:2]
    rows, tf32 = steps * batch, call.flags.cudnn_tf32
    found: List[Kernel] = []
    for of_input, of_state in _layers(call):
        gates, hidden = of_state.shape
        width = of_input.shape[1]
        one = TensorInfo((batch, gates), x.dtype)
        found.append(_step("lstm_cell_backward", steps, one))
        found += [replace(kernel, count=steps) for kernel in
                  _gemm(call, "cublasGemmEx", batch, hidden, gates, 1, x, one, tf32)]
        for m, n, k in ((rows, width, gates), (gates, width, rows),
                        (gates, hidden, rows)):
            found += _gemm(call, "cublasGemmEx", m, n, k, 1, x,
                           TensorInfo((m, n), x.dtype), tf32)
    return found


@_rule("_thnn_fused_cell", "_thnn_fused_cell_backward")
def _cell(call: Call) -> List[Kernel]:
    """Two products and one kernel for the gates (RNN.cu); backward four products."""
    x = call.tensors[0]
    batch, is_backward = x.shape[1], call.op.endswith("backward")
    found: List[Kernel] = []
    for of_input, of_state in _layers(call):
        gates = of_input.shape[0]
        one = TensorInfo((batch, gates), x.dtype)
        for weight in (of_input, of_state):
            sizes = [(batch, weight.shape[1], gates), (gates, weight.shape[1], batch)] \
                if is_backward else [(batch, gates, weight.shape[1])]
            for m, n, k in sizes:
                found += _gemm(call, "cublasGemmEx", m, n, k, 1, x,
                               TensorInfo((m, n), x.dtype), call.flags.matmul_tf32)
        found.append(_step("lstm_cell_backward" if is_backward else
                           "lstm_cell_forward", 1, one))
    return found


# --- Convolutions: implicit GEMM (Chetlur et al. 2014, arXiv:1410.0759).

def _convolution_gemm(call: Call, name: str, image: TensorInfo,
                      weight: TensorInfo, output: TensorInfo, groups: int,
                      which: str) -> List[Kernel]:
    """image N x C x pixels, weight K x C/groups x taps, output N x K x pixels;
    of the transposed convolution image and output have changed places."""
    taps = math.prod(weight.shape[2:])
    k_out, c_in = weight.shape[0] // groups, weight.shape[1]
    pixels = output.shape[0] * math.prod(output.shape[2:])
    image_elements = image.numel / groups
    weights, outputs = weight.numel / groups, output.numel / groups
    flags = call.flags
    if which == "forward":
        m, n, k = pixels, k_out, c_in * taps
        a, b, result = image_elements, weights, output
    elif which == "data":  # the gradient of the image
        m, n = image.shape[0] * math.prod(image.shape[2:]), c_in
        # Each output pixel gives its taps to the image once.
        k = max(1, round(pixels * k_out * taps / max(1, m)))
        a, b, result = outputs, weights, image
    else:
        m, n, k = k_out, c_in * taps, pixels
        a, b, result = outputs, image_elements, weight
    if groups > 1 and c_in <= 4 and k_out <= 4:
        return [_depthwise(call, which, image, weight, output, taps)]
    return _gemm(call, name, m, n, k, groups, image, result, flags.cudnn_tf32,
                 (("distinct_a", a), ("distinct_b", b)))


def _depthwise(call: Call, which: str, image: TensorInfo, weight: TensorInfo,
               output: TensorInfo, taps: int) -> Kernel:
    """Depthwise: a multiply-add and its loads for each tap of an output."""
    read = {"forward": image.bytes, "data": output.bytes,
            "weight": image.bytes + output.bytes}[which] + weight.bytes
    written = {"forward": output.bytes, "data": image.bytes,
               "weight": weight.bytes}[which]
    return _pass(f"at::native::conv_depthwise2d_{which}_kernel", read, written,
                 output.numel * (15 + 4 * taps))


@_rule("convolution", "_convolution", "cudnn_convolution", "convolution_overrideable",
       "_slow_conv2d_forward", "mkldnn_convolution")
def _convolution(call: Call) -> List[Kernel]:
    image, weight = call.tensors[:2]
    transposed = bool(call.arg(6, "transposed", False))
    groups = int(call.arg(8, "groups", 1))
    output = call.outs[0]
    bias = call.arg(2, "bias")
    found = _convolution_gemm(
        call, "cudnnConvolutionBackwardData" if transposed else
        "cudnnConvolutionForward", output if transposed else image, weight,
        image if transposed else output, groups,
        "data" if transposed else "forward")
    if isinstance(bias, TensorInfo):
        found += _elementwise(Call("add_", (output, bias), {}, (output,),
                                   call.flags))
    return found


@_rule("convolution_backward")
def _convolution_backward(call: Call) -> List[Kernel]:
    grad, image, weight = call.tensors[:3]
    transposed = bool(call.arg(7, "transposed", False))
    groups = int(call.arg(9, "groups", 1))
    mask = call.arg(10, "output_mask", (True, True, True))
    large, small = (grad, image) if transposed else (image, grad)
    found: List[Kernel] = []
    if mask[0]:
        found += _convolution_gemm(
            call, "cudnnConvolutionForward" if transposed else
            "cudnnConvolutionBackwardData", large, weight, small, groups,
            "forward" if transposed else "data")
    if mask[1]:
        found += _convolution_gemm(call, "cudnnConvolutionBackwardFilter", large,
                                   weight, small, groups, "weight")
    if mask[2]:
        found.append(_pass("at::native::reduce_kernel<sum>", grad.bytes,
                           grad.shape[1] * grad.itemsize, grad.numel))
    return found


# --- Attention.

_ATTENTION = ("_scaled_dot_product_flash_attention",
              "_scaled_dot_product_efficient_attention",
              "_scaled_dot_product_cudnn_attention",
              "_scaled_dot_product_fused_attention_overrideable",
              "_flash_attention_forward", "_efficient_attention_forward")


def _attention_kernel(name: str, q: TensorInfo, k: TensorInfo, v: TensorInfo,
                      causal: bool) -> Optional[List[Kernel]]:
    if len(q.shape) != 4:
        return None
    batch, heads, queries, width = q.shape
    sizes = (("heads", batch * heads), ("key_heads", batch * k.shape[1]),
             ("queries", queries), ("keys", k.shape[2]), ("width", width),
             ("value_width", v.shape[3]), ("causal", int(causal)))
    kind = _LIBRARY_TYPES.get(q.dtype, "f32")
    return [Kernel(name, sizes, kind, kind, kind)]


@_rule(*_ATTENTION)
def _attention(call: Call) -> Optional[List[Kernel]]:
    q, k, v = call.tensors[:3]
    efficient = "efficient" in call.op
    causal = call.arg(6 if efficient else 4, "is_causal", False) is True
    return _attention_kernel("flash_attention_forward", q, k, v, causal)


@_rule(*(name + "_backward" for name in _ATTENTION[:4]))
def _attention_backward(call: Call) -> Optional[List[Kernel]]:
    q, k, v = call.tensors[1:4]
    causal = any(value is True for value in list(call.args)[8:] +
                 [call.kwargs.get("is_causal")])
    return _attention_kernel("flash_attention_backward", q, k, v, causal)


# --- Lists of tensors, optimisers.

# multi_tensor_apply: tensors of one launch by the number of lists, and blocks
# of 65536 elements, 320 to a launch.
_LIST_TENSORS = {1: 110, 2: 64, 3: 48, 4: 36, 5: 30}
_LIST_CHUNK, _LIST_BLOCKS = 65536, 320


def launches_of_lists(sizes: Sequence[int], lists: int) -> int:
    """Launches of multi_tensor_apply for tensors of these elements.

    >>> launches_of_lists([1000] * 64, 2), launches_of_lists([1000] * 65, 2)
    (1, 2)
    """
    launches = tensors = blocks = 0
    most = _LIST_TENSORS.get(lists, 30)
    for count in sizes:
        if count == 0:
            continue
        tensors += 1
        chunks = math.ceil(count / _LIST_CHUNK)
        for chunk in range(chunks):
            blocks += 1
            ends = chunk == chunks - 1
            if blocks == _LIST_BLOCKS or (tensors == most and ends):
                launches += 1
                blocks, tensors = 0, 0 if ends else 1
    return launches + (1 if blocks else 0)


def _foreach(call: Call) -> List[Kernel]:
    lists = [[t for t in value if isinstance(t, TensorInfo)]
             for value in list(call.args) + list(call.kwargs.values())
             if isinstance(value, (list, tuple)) and
             any(isinstance(t, TensorInfo) for t in value)]
    if not lists:
        return []
    name = call.op[len("_foreach_"):]
    stem = _stem(name)
    is_inplace = stem != name
    results = lists[0]
    read = sum(t.bytes for one in lists for t in one)
    if stem in ("copy", "zero"):
        read -= sum(t.bytes for t in lists[0])
    written = sum(t.bytes for t in (results if is_inplace else call.outs))
    depth = len(lists) + (0 if is_inplace or stem == "norm" else 1)
    if stem == "zero":
        read = 0
    count = sum(t.numel for t in results)
    each = _INSTRUCTIONS.get(stem, 2) + depth / _VECTOR
    launches = launches_of_lists([t.numel for t in results], depth)
    found = [_pass(f"at::native::multi_tensor_apply_kernel<{stem}>", read, written,
                   each * count, max(1, launches))]
    if stem == "norm":
        found.append(_pass("at::native::lpnorm_cleanup", 4.0 * launches,
                           4.0 * len(results)))
    return found


@_rule("_fused_adam", "_fused_adamw", "_fused_sgd", "_fused_adagrad")
def _fused(call: Call) -> List[Kernel]:
    lists = [[t for t in value if isinstance(t, TensorInfo)]
             for value in call.args if isinstance(value, (list, tuple))]
    lists = [one for one in lists if one and one[0].numel > 1]
    if not lists:
        return []
    read = sum(t.bytes for one in lists for t in one)
    count = sum(t.numel for t in lists[0])
    launches = launches_of_lists([t.numel for t in lists[0]], min(5, len(lists)))
    return [_pass(f"at::native::multi_tensor_apply_kernel<{call.op}>", read,
                  read - sum(t.bytes for t in lists[1]) if len(lists) > 1 else read,
                  count * 45, launches)]
