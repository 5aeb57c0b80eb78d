"""The kernels of this dataset. Triton 3.6 made the files of ptx/ of them, on an
H200; the names of those have the sizes of the tiles and the warps."""

import triton
import triton.language as tl


@triton.jit
def add_kernel(x, y, z, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    tl.store(z + at, tl.load(x + at, inside) + tl.load(y + at, inside), inside)


@triton.jit
def softmax_rows(x, y, cols, stride, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    col = tl.arange(0, BLOCK)
    v = tl.load(x + row * stride + col, col < cols, other=-float("inf"))
    v = v - tl.max(v, 0)
    e = tl.exp(v)
    tl.store(y + row * stride + col, e / tl.sum(e, 0), col < cols)


@triton.jit
def layer_norm_rows(x, w, b, y, cols, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    col = tl.arange(0, BLOCK)
    inside = col < cols
    v = tl.load(x + row * cols + col, inside, other=0.0).to(tl.float32)
    mean = tl.sum(v, 0) / cols
    d = tl.where(inside, v - mean, 0.0)
    var = tl.sum(d * d, 0) / cols
    scaled = d * tl.rsqrt(var + eps) * tl.load(w + col, inside)
    tl.store(y + row * cols + col, scaled + tl.load(b + col, inside), inside)


@triton.jit
def matmul(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    cols = tl.program_id(1) * BN + tl.arange(0, BN)
    k = tl.arange(0, BK)
    at_a = a + rows[:, None] * K + k[None, :]
    at_b = b + k[:, None] * N + cols[None, :]
    sums = tl.zeros((BM, BN), tl.float32)
    for step in range(0, K, BK):
        sums = tl.dot(tl.load(at_a), tl.load(at_b), sums)
        at_a += BK
        at_b += BK * N
    tl.store(c + rows[:, None] * N + cols[None, :], sums.to(c.dtype.element_ty))


@triton.jit
def attention_rows(q, k, v, o, T, scale, BM: tl.constexpr, BN: tl.constexpr,
                   D: tl.constexpr):
    head = tl.program_id(1) * T * D
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    cols = tl.arange(0, BN)
    d = tl.arange(0, D)
    queries = tl.load(q + head + rows[:, None] * D + d[None, :])
    highest = tl.full((BM,), -float("inf"), tl.float32)
    total = tl.zeros((BM,), tl.float32)
    sums = tl.zeros((BM, D), tl.float32)
    for n in range(0, T, BN):
        keys = tl.load(k + head + (n + cols)[:, None] * D + d[None, :])
        values = tl.load(v + head + (n + cols)[:, None] * D + d[None, :])
        scores = tl.dot(queries, tl.trans(keys)) * scale
        higher = tl.maximum(highest, tl.max(scores, 1))
        p = tl.exp(scores - higher[:, None])
        factor = tl.exp(highest - higher)
        total = total * factor + tl.sum(p, 1)
        sums = tl.dot(p.to(values.dtype), values, sums * factor[:, None])
        highest = higher
    out = (sums / total[:, None]).to(o.dtype.element_ty)
    tl.store(o + head + rows[:, None] * D + d[None, :], out)


@triton.jit
def histogram(x, bins, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.atomic_add(bins + tl.load(x + at, at < n, other=0), 1, at < n)


@triton.jit
def transpose(x, y, M, N, B: tl.constexpr):
    rows = tl.program_id(0) * B + tl.arange(0, B)
    cols = tl.program_id(1) * B + tl.arange(0, B)
    tile = tl.load(x + rows[:, None] * N + cols[None, :])
    tl.store(y + cols[:, None] * M + rows[None, :], tl.trans(tile))
