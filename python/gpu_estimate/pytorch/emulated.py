"""Operations that torch has for CUDA alone, done on the CPU."""

from __future__ import annotations

import math
from typing import Any, Callable, Dict, List, Optional, Tuple

import torch

from ..service import GpuEstimateError

_aten = torch.ops.aten


def perform(func: Any, args: List[Any], kwargs: Dict[str, Any],
            executes: bool) -> Any:
    """The results of an operation on what is inside of its tensors."""
    if executes:
        replaced = _ON_CPU.get(func._schema.name)
        if replaced is not None:
            return replaced(*args, **kwargs)
    try:
        return func(*args, **kwargs)
    except NotImplementedError as problem:
        hint = (": use execute=\"none\"" if executes else "")
        raise GpuEstimateError(
            f"{func._schema.name} cannot be done on the CPU by this torch{hint} "
            f"({str(problem).partition('. ')[0]})") from problem


def _heads_like(query: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    """Keys of grouped-query attention, one head for each of the queries'."""
    groups = query.shape[1] // other.shape[1]
    return other if groups == 1 else other.repeat_interleave(groups, 1)


def _sum_groups(grad: torch.Tensor, like: torch.Tensor) -> torch.Tensor:
    groups = grad.shape[1] // like.shape[1]
    if groups == 1:
        return grad
    return grad.unflatten(1, (like.shape[1], groups)).sum(2)


def _random_state(dropout: float) -> Tuple[torch.Tensor, torch.Tensor]:
    """Seed and offset, from which the backward pass makes the same mask."""
    seed = torch.randint(1 << 31, ()) if dropout > 0 else torch.zeros(
        (), dtype=torch.int64)
    return seed, torch.zeros((), dtype=torch.int64)


def _weights(query: Any, key: Any, bias: Any, dropout: float, is_causal: bool,
             scale: float, seed: Any) -> Any:
    """Gives the scores of attention, their softmax, and the factors of dropout."""
    scores = query.float() @ key.float().transpose(-2, -1) * scale
    if is_causal:
        mask = torch.ones(scores.shape[-2:], dtype=torch.bool).tril()
        scores = scores.masked_fill(mask.logical_not(), -math.inf)
    if bias is not None:
        scores = scores + bias
    generator = torch.Generator().manual_seed(int(seed))
    keeps = torch.rand(scores.shape, generator=generator) >= dropout
    return scores, torch.softmax(scores, -1), keeps / (1 - dropout)


def _like(result: torch.Tensor, argument: torch.Tensor) -> torch.Tensor:
    """Copies a result into FlashAttention's layout, which is that of an argument."""
    made = torch.empty_like(argument.transpose(1, 2)).transpose(1, 2)
    return made.copy_(result)


def _by_rows(result: torch.Tensor) -> torch.Tensor:
    """Copies a result into the layout of the memory-efficient kernel, which has the
    heads of a row side by side."""
    return result.transpose(1, 2).contiguous().transpose(1, 2)


def _scale_of(query: Any, scale: Optional[float]) -> float:
    return scale if scale is not None else 1 / math.sqrt(query.shape[-1])


def _with_dropout(query: Any, key: Any, value: Any, bias: Any, dropout: float,
                  is_causal: bool, scale: Optional[float], seed: Any) -> Any:
    """The result, and log(sum(exp(scores)))."""
    scores, weights, factors = _weights(query, key, bias, dropout, is_causal,
                                        _scale_of(query, scale), seed)
    out = (weights * factors) @ value.float()
    return out.to(query.dtype), torch.logsumexp(scores, -1)


def _gradients_with_dropout(grad: Any, tensors: Tuple[Any, ...], bias: Any,
                            dropout: float, is_causal: bool, scale: Optional[float],
                            seed: Any) -> Tuple[Any, ...]:
    query, key, value = tensors
    scale = _scale_of(query, scale)
    _, weights, factors = _weights(query, key, bias, dropout, is_causal, scale, seed)
    grad = grad.float()
    of_weights = (grad @ value.float().transpose(-2, -1)) * factors
    of_scores = weights * (of_weights - (of_weights * weights).sum(-1, keepdim=True))
    found = (of_scores @ key.float() * scale,
             of_scores.transpose(-2, -1) @ query.float() * scale,
             (weights * factors).transpose(-2, -1) @ grad)
    return tuple(one.to(like.dtype) for one, like in zip(found, tensors))


def _flash(query: Any, key: Any, value: Any, dropout_p: float = 0.0,
           is_causal: bool = False, return_debug_mask: bool = False, *,
           scale: Optional[float] = None) -> Any:
    seed, offset = _random_state(dropout_p)
    key, value = _heads_like(query, key), _heads_like(query, value)
    if dropout_p > 0:
        out, sums = _with_dropout(query, key, value, None, dropout_p, is_causal, scale,
                                  seed)
    else:
        out, sums = _aten._scaled_dot_product_flash_attention_for_cpu(
            query, key, value, 0.0, is_causal, scale=scale)
    return (_like(out, query), sums, None, None, query.shape[2], key.shape[2], seed,
            offset, torch.zeros(0, dtype=query.dtype))


def _flash_backward(grad: Any, query: Any, key: Any, value: Any, out: Any,
                    sums: Any, cum_q: Any, cum_k: Any, max_q: Any, max_k: Any,
                    dropout_p: float, is_causal: bool, seed: Any, offset: Any, *,
                    scale: Optional[float] = None) -> Any:
    keys, values = _heads_like(query, key), _heads_like(query, value)
    if dropout_p > 0:
        dq, dk, dv = _gradients_with_dropout(grad, (query, keys, values), None,
                                             dropout_p, is_causal, scale, seed)
    else:
        dq, dk, dv = _aten._scaled_dot_product_flash_attention_for_cpu_backward(
            grad, query, keys, values, out, sums, 0.0, is_causal, scale=scale)
    return (_like(dq, query), _like(_sum_groups(dk, key), key),
            _like(_sum_groups(dv, value), value))


def _efficient(query: Any, key: Any, value: Any, attn_bias: Any,
               compute_log_sumexp: bool, dropout_p: float = 0.0,
               is_causal: bool = False, *, scale: Optional[float] = None) -> Any:
    seed, offset = _random_state(dropout_p)
    if dropout_p > 0:
        out, sums = _with_dropout(query, key, value, attn_bias, dropout_p, is_causal,
                                  scale, seed)
    else:
        out, sums = _aten._scaled_dot_product_flash_attention_for_cpu(
            query, key, value, 0.0, is_causal, attn_mask=attn_bias, scale=scale)
    return _by_rows(out), sums, seed, offset


def _efficient_backward(grad: Any, query: Any, key: Any, value: Any, bias: Any,
                        out: Any, sums: Any, seed: Any, offset: Any,
                        dropout_p: float, mask: Any, is_causal: bool = False, *,
                        scale: Optional[float] = None) -> Any:
    if dropout_p > 0:
        dq, dk, dv = _gradients_with_dropout(grad, (query, key, value), bias, dropout_p,
                                             is_causal, scale, seed)
    else:
        dq, dk, dv = _aten._scaled_dot_product_flash_attention_for_cpu_backward(
            grad, query, key, value, out, sums, 0.0, is_causal, attn_mask=bias,
            scale=scale)
    if bias is not None and mask[3]:
        raise GpuEstimateError("the gradient of an attention bias does not execute "
                               "on the CPU: use execute=\"none\"")
    return _by_rows(dq), _by_rows(dk), _by_rows(dv), None


def _batch_norm(x: Any, weight: Any, bias: Any, mean: Any, variance: Any,
                training: bool, momentum: float, epsilon: float) -> Any:
    out, saved_mean, saved_inverse = _aten.native_batch_norm(
        x, weight, bias, mean, variance, training, momentum, epsilon)
    return out, saved_mean, saved_inverse, torch.zeros(0, dtype=torch.uint8)


def _batch_norm_backward(x: Any, grad: Any, weight: Any, mean: Any, variance: Any,
                         saved_mean: Any, saved_inverse: Any, epsilon: float,
                         reserve: Any) -> Any:
    return _aten.native_batch_norm_backward(
        grad.contiguous(), x, weight, mean, variance, saved_mean, saved_inverse,
        True, epsilon, [True, True, True])


_ON_CPU: Dict[str, Callable[..., Any]] = {
    "aten::_scaled_dot_product_flash_attention": _flash,
    "aten::_scaled_dot_product_flash_attention_backward": _flash_backward,
    "aten::_scaled_dot_product_efficient_attention": _efficient,
    "aten::_scaled_dot_product_efficient_attention_backward": _efficient_backward,
    "aten::cudnn_batch_norm": _batch_norm,
    "aten::cudnn_batch_norm_backward": _batch_norm_backward,
}
