"""Which kernel torch picks for scaled-dot-product attention on a card: the
rules of aten/src/ATen/native/transformers/cuda/sdp_utils.cpp. cuDNN's kernel, which
newer versions prefer on Hopper, is taken to be FlashAttention-2.
"""

from __future__ import annotations

import math
from typing import Any, Optional

import torch

_aten = torch.ops.aten


def scaled_dot_product_attention(
        query: Any, key: Any, value: Any, attn_mask: Any = None,
        dropout_p: float = 0.0, is_causal: bool = False,
        scale: Optional[float] = None, enable_gqa: bool = False) -> Any:
    from .device import current
    device = current()
    assert device is not None
    chosen = choose(query, key, value, attn_mask, device.card.facts["major"],
                    torch.backends.cuda.flash_sdp_enabled(),
                    torch.backends.cuda.mem_efficient_sdp_enabled(), enable_gqa,
                    device.card.facts["amd"])
    if chosen == "math":
        return _math(query, key, value, attn_mask, dropout_p, is_causal, scale,
                     enable_gqa)
    width = query.shape[-1]
    scale = scale if scale is not None else 1 / math.sqrt(width)
    if chosen == "flash":
        rest = -width % 8
        if rest:
            query, key, value = (torch.nn.functional.pad(t, (0, rest))
                                 for t in (query, key, value))
        out = _aten._scaled_dot_product_flash_attention(
            query, key, value, dropout_p, is_causal, False, scale=scale)[0]
        return out[..., :width] if rest else out
    needs_gradient = torch.is_grad_enabled() and any(
        t.requires_grad for t in (query, key, value))
    if attn_mask is not None and attn_mask.dtype == torch.bool:
        # As convert_boolean_attn_mask does.
        attn_mask = torch.zeros_like(attn_mask, dtype=query.dtype).masked_fill_(
            attn_mask.logical_not(), -math.inf)
    if attn_mask is not None:
        attn_mask = attn_mask.expand(query.shape[0], query.shape[1],
                                     query.shape[2], key.shape[2])
    return _aten._scaled_dot_product_efficient_attention(
        query, key, value, attn_mask, needs_gradient, dropout_p, is_causal,
        scale=scale)[0]


def choose(query: Any, key: Any, value: Any, mask: Any, major: int,
           flash_enabled: bool, efficient_enabled: bool, grouped: bool,
           is_amd: bool = False) -> str:
    """"flash", "efficient" or "math"."""
    if query.dim() != 4 or query.shape[2] == 0 or key.shape[2] == 0:
        return "math"
    is_half = query.dtype in (torch.float16, torch.bfloat16)
    widths = {t.shape[-1] for t in (query, key, value)}
    if flash_enabled and is_half and mask is None and len(widths) == 1 and \
            max(widths) <= 256 and (major >= 8 or is_amd):
        return "flash"
    multiple = 8 if is_half else 4
    if efficient_enabled and not grouped and query.dtype != torch.float64 and \
            major >= 5 and all(width % multiple == 0 for width in widths) and \
            not (query.dtype == torch.bfloat16 and major < 8):
        return "efficient"
    return "math"


def _math(query: Any, key: Any, value: Any, mask: Any, dropout_p: float,
          is_causal: bool, scale: Optional[float], grouped: bool) -> Any:
    """_scaled_dot_product_attention_math."""
    if grouped:
        key = key.repeat_interleave(query.shape[-3] // key.shape[-3], -3)
        value = value.repeat_interleave(query.shape[-3] // value.shape[-3], -3)
    root = math.sqrt(scale if scale is not None else
                     1 / math.sqrt(query.shape[-1]))
    scores = (query * root) @ (key * root).transpose(-2, -1)
    if is_causal:
        mask = torch.ones(query.shape[-2], key.shape[-2], dtype=torch.bool,
                          device=query.device).tril()
    if mask is not None:
        if mask.dtype == torch.bool:
            scores = scores.masked_fill(mask.logical_not(), -math.inf)
        else:
            scores = scores + mask
    weights = torch.softmax(scores, -1)
    if dropout_p > 0:
        weights = torch.native_dropout(weights, dropout_p, True)[0]
    return weights @ value
