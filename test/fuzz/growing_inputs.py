"""CUDA files that grow in one respect, to see how the work of an analysis grows.

    python3 test/fuzz/growing_inputs.py KIND SIZE > kernel.cu
    python3 test/fuzz/growing_inputs.py --list
"""

import sys

HEAD = "__global__ void kernel(float *a, const int *b, int n) {\n" \
       "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
TAIL = "}\nint main() {\n  float *a; int *b; int n = 1 << 20;\n" \
       "  cudaMalloc(&a, n * 4); cudaMalloc(&b, n * 4);\n" \
       "  kernel<<<n / 256, 256>>>(a, b, n);\n}\n"


def straight_line(size):
    """Dependent arithmetic without a branch."""
    lines = [f"  x = x * {k % 7 + 2}.5f + {k}.0f;" for k in range(size)]
    return HEAD + "  float x = a[i];\n" + "\n".join(lines) + "\n  a[i] = x;\n" \
        + TAIL


def loop_nest(size):
    """Loops inside each other, their trip counts unknown."""
    lines = ["  " * k + f"  for (int k{k} = 0; k{k} < n; ++k{k}) {{"
             for k in range(size)]
    inner = "  " * size + f"  x += a[i + k{size - 1}] * k0;"
    return HEAD + "  float x = 0;\n" + "\n".join([*lines, inner]) + "\n" \
        + "}" * size + "\n  a[i] = x;\n" + TAIL


def branches(size):
    """Conditions on data, one after the other."""
    lines = [f"  if (b[i + {k}] > {k}) a[i + {k}] = {k};" for k in range(size)]
    return HEAD + "\n".join(lines) + "\n" + TAIL


def accesses(size):
    """Loads of different strides in one loop."""
    lines = [f"    x += a[i * {k % 13 + 1} + k * {k + 1}];"
             for k in range(size)]
    return HEAD + "  float x = 0;\n  for (int k = 0; k < n; ++k) {\n" \
        + "\n".join(lines) + "\n  }\n  a[i] = x;\n" + TAIL


def kernels(size):
    """Kernels of one file."""
    text = "".join(
        f"__global__ void kernel{k}(float *a) {{\n"
        f"  a[blockIdx.x * blockDim.x + threadIdx.x * {k + 1}] += {k};\n}}\n"
        for k in range(size))
    launches = "".join(f"  kernel{k}<<<4096, 256>>>(a);\n" for k in range(size))
    return text + "int main() {\n  float *a; cudaMalloc(&a, 1 << 26);\n" \
        + launches + "}\n"


def call_depth(size):
    """A chain of functions that each call the one before twice."""
    text = "__device__ __noinline__ float f0(float x, const int *b) " \
           "{ return x * b[(int)x]; }\n"
    for k in range(1, size):
        text += f"__device__ __noinline__ float f{k}(float x, const int *b) " \
                f"{{ return f{k - 1}(x + {k}, b) * f{k - 1}(x, b); }}\n"
    return text + HEAD + f"  a[i] = f{size - 1}(a[i], b);\n" + TAIL


def switch_cases(size):
    """A switch on data."""
    lines = [f"  case {k * 3}: a[i] = a[i + {k}] * {k}.5f; break;"
             for k in range(size)]
    return HEAD + "  switch (b[i]) {\n" + "\n".join(lines) + "\n  }\n" + TAIL


def else_ifs(size):
    """A chain of else-ifs on data."""
    lines = [f"  {'else ' if k else ''}if (b[i + {k}] == {k}) a[i] = {k};"
             for k in range(size)]
    return HEAD + "\n".join(lines) + "\n" + TAIL


def and_chain(size):
    """One condition of many parts."""
    parts = [f"b[i + {k}] > {k}" for k in range(size)]
    return HEAD + "  if (" + "\n      && ".join(parts) + ")\n    a[i] = 1;\n" \
        + TAIL


def template_instantiations(size):
    """Instantiations of one template kernel."""
    launches = "".join(f"  kernel<{k}><<<4096, 256>>>(a);\n"
                       for k in range(1, size + 1))
    return "template <int N> __global__ void kernel(float *a) {\n" \
        "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n" \
        "  for (int k = 0; k < 8; ++k) a[i * N + k] *= 2;\n}\n" \
        "int main() {\n  float *a; cudaMalloc(&a, 1 << 26);\n" \
        + launches + "}\n"


def packed_halves(size):
    """Arithmetic on pairs of halves, each a structure passed by value."""
    lines = ["    x = __hfma2(x, h[i + k], h[i]);"] * size
    return "#include <cuda_fp16.h>\n" \
        "__global__ void kernel(__half2 *h, int n) {\n" \
        "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n" \
        "  for (int k = 0; k < n; ++k) {\n    __half2 x = h[i + k];\n" \
        + "\n".join(lines) + "\n    h[i + k] = x;\n  }\n" \
        "}\nint main() {\n  __half2 *h; int n = 1 << 20;\n" \
        "  cudaMalloc(&h, n * 4);\n  kernel<<<n / 256, 256>>>(h, n);\n}\n"


def array_members(size):
    """A structure by value with arrays that host code does not determine."""
    return f"struct Lists {{ float *address[{size}]; int size[{size}]; }};\n" \
        "__global__ void kernel(Lists l, int n) {\n" \
        "  float *a = l.address[blockIdx.x];\n" \
        "  for (int i = threadIdx.x; i < n; i += blockDim.x)\n" \
        "    a[i] *= l.size[i % 8];\n" \
        "}\nint main() {\n  Lists l; int n = 1 << 20;\n" \
        "  kernel<<<8, 256>>>(l, n);\n}\n"


# The kind, and sizes of which each is twice the one before: the largest ones
# are those of which a compile is still quick.
KINDS = {
    straight_line: (500, 1000, 2000),
    loop_nest: (8, 16, 32),
    branches: (100, 200, 400),
    accesses: (25, 50, 100),
    kernels: (10, 20, 40),
    call_depth: (40, 80, 160),
    switch_cases: (500, 1000, 2000),
    else_ifs: (250, 500, 1000),
    and_chain: (250, 500, 1000),
    template_instantiations: (10, 20, 40),
    packed_halves: (100, 200, 400),
    array_members: (100, 200, 400),
}
# Far larger ones, which once hung or crawled.
LARGEST = {
    loop_nest: 40,
    call_depth: 22,
    switch_cases: 3000,
    else_ifs: 2000,
    and_chain: 2000,
}
BY_NAME = {kind.__name__.replace("_", "-"): kind for kind in KINDS}


def main():
    if sys.argv[1:] == ["--list"]:
        for name, kind in BY_NAME.items():
            print(name, *KINDS[kind])
        return
    sys.stdout.write(BY_NAME[sys.argv[1]](int(sys.argv[2])))


if __name__ == "__main__":
    main()
