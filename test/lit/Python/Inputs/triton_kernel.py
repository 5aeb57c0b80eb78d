import triton


@triton.jit
def saxpy(n, x, y, a):
    pass
