"""torch.autocast("cuda") for tensors of the card: torch's own casts ask whether a
tensor's memory is CUDA's. The lists are those of "Autocast Op Reference" in torch's
documentation (aten/src/ATen/autocast_mode.h).
"""

from __future__ import annotations

from typing import Any, Dict, Tuple

import torch

from .functions import is_on_card

_LOWER = frozenset("""
    conv1d conv2d conv3d conv_tbc conv_transpose1d conv_transpose2d
    conv_transpose3d convolution prelu addmm addmv addr matmul __matmul__
    __rmatmul__ einsum mm mv multi_dot chain_matmul linear addbmm baddbmm bmm
    lstm_cell gru_cell rnn_tanh_cell rnn_relu_cell
    lstm gru rnn_tanh rnn_relu scaled_dot_product_attention""".split())
_FP32 = frozenset("""
    acos asin cosh erfinv exp expm1 log log10 log2 log1p reciprocal rsqrt sinh tan
    pow __pow__ softplus layer_norm rms_norm group_norm cosine_similarity
    poisson_nll_loss cosine_embedding_loss nll_loss hinge_embedding_loss kl_div
    l1_loss smooth_l1_loss huber_loss mse_loss margin_ranking_loss
    multilabel_margin_loss soft_margin_loss triplet_margin_loss multi_margin_loss
    binary_cross_entropy_with_logits cross_entropy cross_entropy_loss dist pdist
    cdist renorm logsumexp prod softmax log_softmax cumprod cumsum sum norm
    vector_norm linalg_vector_norm nll_loss_nd upsample_nearest1d upsample_nearest2d
    upsample_nearest3d upsample_linear1d upsample_bilinear2d upsample_bicubic2d
    upsample_trilinear3d""".split())
_WIDEST = frozenset("""
    addcdiv addcmul atan2 bilinear cross dot grid_sample index_put tensordot
    scatter_add""".split())
_HALF = (torch.float16, torch.bfloat16)

# Casts of weights, kept as torch keeps them, until the outermost region ends.
_cache: Dict[Tuple[int, torch.dtype], Any] = {}


def arguments(func: Any, args: Any, kwargs: Any) -> Tuple[Any, Any]:
    """The arguments of a function as autocast hands them on."""
    if not torch.is_autocast_enabled("cuda"):
        _cache.clear()
        return args, kwargs
    name = getattr(func, "__name__", "")
    if name in _LOWER:
        kind = torch.get_autocast_dtype("cuda")
        accepted: Tuple[torch.dtype, ...] = (torch.float32, *_HALF)
    elif name in _FP32:
        kind, accepted = torch.float32, _HALF
    elif name in _WIDEST:
        kind, accepted = torch.float32, _HALF
        if not any(isinstance(t, torch.Tensor) and t.dtype == torch.float32
                   for t in args):
            return args, kwargs
    else:
        return args, kwargs
    return (tuple(_cast(value, kind, accepted) for value in args),
            {word: _cast(value, kind, accepted) for word, value in kwargs.items()})


def _cast(value: Any, kind: torch.dtype, accepted: Tuple[torch.dtype, ...]) -> Any:
    if isinstance(value, (list, tuple)) and value and \
            isinstance(value[0], torch.Tensor):
        return type(value)(_cast(part, kind, accepted) for part in value)
    if not is_on_card(value) or value.dtype not in accepted or value.dtype == kind:
        return value
    is_weight = value.is_leaf and value.requires_grad and \
        value.dtype == torch.float32 and torch.is_autocast_cache_enabled()
    key = (id(value), kind)
    if is_weight and key in _cache:
        return _cache[key][1]
    made = torch.Tensor.to(value, kind)
    if is_weight:
        _cache[key] = (value, made)
    return made
