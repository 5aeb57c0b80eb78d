"""Kernels of the tests."""

import triton
import triton.language as tl


@triton.jit
def add(x, y, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    tl.store(out + at, tl.load(x + at, inside) + tl.load(y + at, inside), inside)


@triton.jit
def overrun(x, out, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, tl.load(x + at))  # no mask


@triton.jit
def softmax(x, y, stride, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    column = tl.arange(0, BLOCK)
    v = tl.load(x + row * stride + column, column < columns, other=-float("inf"))
    e = tl.exp(v - tl.max(v, 0))
    tl.store(y + row * stride + column, e / tl.sum(e, 0), column < columns)


@triton.jit
def matmul(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr,
           BK: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    k = tl.arange(0, BK)
    at_a = a + rows[:, None] * K + k[None, :]
    at_b = b + k[:, None] * N + columns[None, :]
    sums = tl.zeros((BM, BN), tl.float32)
    for step in range(0, K, BK):
        sums = tl.dot(tl.load(at_a), tl.load(at_b), sums)
        at_a += BK
        at_b += BK * N
    tl.store(c + rows[:, None] * N + columns[None, :],
             sums.to(c.dtype.element_ty))


@triton.jit
def rejected(x, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    tl.store(x + at, tl.load(x + at) + nowhere)


@triton.jit
def endless(x):
    while tl.load(x) == 0:
        tl.store(x + 1, 1)


@triton.jit
def product_of_descriptors(a, b, c, K, BM: tl.constexpr, BN: tl.constexpr,
                           BK: tl.constexpr):
    m, n = tl.program_id(0) * BM, tl.program_id(1) * BN
    sums = tl.zeros((BM, BN), tl.float32)
    for k in range(0, K, BK):
        sums = tl.dot(a.load([m, k]), b.load([n, k]).T, sums)
    c.store([m, n], sums.to(tl.float16))
