"""Random CUDA files from a grammar of loops, branches, calls, arrays, atomics.

    python3 test/fuzz/kernel_grammar.py SEED > kernel.cu

One seed gives one file on every machine. The files compile; what they compute
is meaningless, and they are never run.
"""

import random
import sys

SCALARS = ["int", "unsigned", "long long", "float", "double"]
INTEGERS = ["int", "unsigned", "long long"]
REAL_CALLS = ["sqrtf", "expf", "sinf", "fabsf", "__expf", "rsqrtf", "logf"]


class KernelFile:
    """Text of one file: device functions, kernels, and a main that launches."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lines = []
        self.indent = 0
        self.names = 0
        self.functions = []  # (name, number of integer arguments)
        self.statements_left = 0
        self.loop_depth = 0
        self.uniform = True  # a barrier may stand here
        self.statement_counts = [4, 12, 40, 120]  # of a kernel

    # Choices.
    def chance(self, probability):
        return self.random.random() < probability

    def pick(self, choices):
        return self.random.choice(choices)

    def name(self, prefix):
        self.names += 1
        return f"{prefix}{self.names}"

    # Text.
    def line(self, text):
        self.lines.append("  " * self.indent + text)

    def block(self, head, body):
        self.line(head + " {")
        self.indent += 1
        known = len(self.variables)
        body()
        del self.variables[known:]
        self.indent -= 1
        self.line("}")

    # Expressions.
    def variable(self, types):
        known = [name for name, kind in self.variables if kind in types]
        return self.pick(known) if known else None

    def integer(self, depth=0):
        name = self.variable(INTEGERS)
        if depth > 3 or self.chance(0.4):
            if name and self.chance(0.7):
                return name
            return self.pick(["threadIdx.x", "blockIdx.x", "n", "m",
                              "threadIdx.y", "blockDim.x", "warpSize",
                              str(self.random.randint(0, 300))])
        left, right = self.integer(depth + 1), self.integer(depth + 1)
        kind = self.random.randint(0, 9)
        if kind < 5:
            return f"({left} {self.pick(['+', '-', '*', '&', '^', '|'])} {right})"
        if kind == 5:
            return f"({left} {self.pick(['/', '%'])} ({right} | 1))"
        if kind == 6:
            return f"({left} {self.pick(['<<', '>>'])} ({right} & 7))"
        if kind == 7:
            return f"(int)ints[{self.index()}]"
        if kind == 8 and self.functions:
            return self.call()
        return f"({self.condition(depth + 1)} ? {left} : {right})"

    def index(self):
        """An index that is sometimes coalesced, sometimes anything."""
        kind = self.random.randint(0, 6)
        here = "(blockIdx.x * blockDim.x + threadIdx.x)"
        if kind <= 1:
            return here
        if kind == 2:
            return f"{here} * {self.pick(['2', '7', '32', 'm'])}"
        if kind == 3:
            return f"threadIdx.x * n + {self.integer(3)}"
        if kind == 4:
            return f"ints[{here}]"
        return self.integer(2)

    def real(self, depth=0):
        if depth > 3 or self.chance(0.3):
            name = self.variable(["float", "double"])
            return name if name and self.chance(0.7) else \
                f"{self.random.random() * 8:.3f}f"
        kind = self.random.randint(0, 6)
        if kind < 3:
            return (f"({self.real(depth + 1)} {self.pick('+-*/')} "
                    f"{self.real(depth + 1)})")
        if kind == 3:
            return f"{self.pick(REAL_CALLS)}((float){self.real(depth + 1)})"
        if kind == 4:
            return f"{self.pick(['reals', 'out'])}[{self.index()}]"
        if kind == 5:
            return f"tile[({self.integer(3)}) & 255]"
        return f"(float){self.integer(depth + 1)}"

    def condition(self, depth=0):
        kind = self.random.randint(0, 5)
        if kind == 0 and depth < 3:
            return (f"({self.condition(depth + 1)} {self.pick(['&&', '||'])} "
                    f"{self.condition(depth + 1)})")
        if kind == 1:
            return f"({self.real(3)} {self.pick(['<', '>', '=='])} {self.real(3)})"
        return (f"({self.integer(3)} {self.pick(['<', '<=', '==', '!=', '>'])} "
                f"{self.integer(3)})")

    def call(self):
        name, count = self.pick(self.functions)
        return f"{name}({', '.join(self.integer(3) for _ in range(count))})"

    # Statements.
    def declare(self):
        kind = self.pick(SCALARS)
        name = self.name("v")
        value = self.integer() if kind in INTEGERS else self.real()
        self.line(f"{kind} {name} = {value};")
        self.variables.append((name, kind))

    def assign(self):
        if not self.variables:
            return self.declare()
        name, kind = self.pick(self.variables)
        value = self.integer() if kind in INTEGERS else self.real()
        self.line(f"{name} {self.pick(['=', '+=', '-='])} {value};")

    def store(self):
        kind = self.random.randint(0, 3)
        if kind == 0:
            self.line(f"ints[{self.index()}] = {self.integer()};")
        elif kind == 1:
            self.line(f"tile[({self.integer(2)}) & 255] = {self.real()};")
        else:
            self.line(f"out[{self.index()}] = {self.real()};")

    def atomic(self):
        self.line(self.pick([
            f"atomicAdd(&ints[{self.index()}], 1);",
            f"atomicAdd(&out[{self.index()}], (float){self.real(2)});",
            f"atomicAdd(&tile[({self.integer(2)}) & 255], 1.0f);",
            f"atomicMax(&ints[{self.index()}], (int){self.integer(2)});",
            f"atomicCAS(&ints[{self.index()}], 0, (int){self.integer(2)});",
        ]))

    def branch(self):
        before, self.uniform = self.uniform, False
        self.block(f"if ({self.condition()})", self.body)
        if self.chance(0.4):
            self.block("else", self.body)
        self.uniform = before

    def switch(self):
        before, self.uniform = self.uniform, False
        self.line(f"switch ({self.integer(2)} & 7) {{")
        for case in self.random.sample(range(8), self.random.randint(1, 5)):
            self.block(f"case {case}:", self.body)
            if self.chance(0.7):
                self.line("break;")
        self.line("default: break;")
        self.line("}")
        self.uniform = before

    def loop(self):
        name = self.name("i")
        bound = self.pick([str(self.random.randint(1, 40)), "n", "m",
                           self.integer(2), f"ints[{self.index()}]"])
        step = self.pick([f"++{name}", f"{name} += {self.random.randint(1, 9)}",
                          f"{name} *= 2", f"{name} += blockDim.x"])
        kind = self.random.randint(0, 4)
        if self.chance(0.2):
            self.line(self.pick(["#pragma unroll", "#pragma unroll 4",
                                 "#pragma unroll 1"]))
            kind = 2
        before, self.uniform = self.uniform, False
        self.loop_depth += 1

        def body():
            self.variables.append((name, "int"))
            self.body()
            if self.chance(0.2):
                self.line(f"if ({self.condition()}) "
                          f"{self.pick(['break', 'continue'])};")

        if kind == 0:
            self.line(f"int {name} = 1;")
            self.block(f"while ({name} < ({bound}) && {self.condition(2)})",
                       lambda: (body(), self.line(f"{name} += 3;")))
        elif kind == 1:
            self.line(f"int {name} = {self.integer(2)};")
            self.line("do {")
            self.indent += 1
            known = len(self.variables)
            body()
            self.line(f"{name} /= 2;")
            del self.variables[known:]
            self.indent -= 1
            self.line(f"}} while ({name} > 0);")
        else:
            self.block(f"for (int {name} = {self.pick(['0', '1', 'threadIdx.x'])}"
                       f"; {name} < ({bound}); {step})", body)
        self.loop_depth -= 1
        self.uniform = before

    def private_array(self):
        name, size = self.name("p"), self.pick([4, 16, 64])
        self.line(f"float {name}[{size}];")
        self.block(f"for (int k = 0; k < {size}; ++k)",
                   lambda: self.line(f"{name}[k] = {self.real()};"))
        self.line(f"out[{self.index()}] = {name}[({self.integer(2)}) & "
                  f"{size - 1}];")

    def warp(self):
        self.line(f"out[threadIdx.x] += __shfl_down_sync(0xffffffffu, "
                  f"(float){self.real(2)}, {self.random.randint(1, 16)});")

    def barrier(self):
        if self.uniform:
            self.line("__syncthreads();")
        else:
            self.assign()

    def statement(self):
        if self.statements_left <= 0:
            return self.assign()
        self.statements_left -= 1
        choices = [(self.declare, 3), (self.assign, 4), (self.store, 4),
                   (self.atomic, 1), (self.warp, 1), (self.barrier, 1),
                   (self.private_array, 0.5)]
        if self.indent < 9:
            choices += [(self.branch, 2), (self.switch, 0.5)]
            if self.loop_depth < 6:
                choices.append((self.loop, 2.5))
        kinds, weights = zip(*choices)
        self.random.choices(kinds, weights)[0]()

    def body(self):
        for _ in range(self.random.randint(1, 4)):
            self.statement()

    # The file.
    def function(self):
        name, count = self.name("f"), self.random.randint(1, 3)
        arguments = [f"a{i}" for i in range(count)]
        self.variables = [(a, "int") for a in arguments]
        inline = self.pick(["", "__noinline__ ", "__forceinline__ "])
        self.line(f"__device__ {inline}int {name}("
                  f"{', '.join('int ' + a for a in arguments)}) {{")
        self.indent += 1
        self.line("__shared__ float tile[256];")
        self.line("const int n = 100, m = 7;")
        self.line("int *ints = buffer;")
        self.line("float *out = (float *)buffer, *reals = out + 1024;")
        self.statements_left = self.random.randint(1, 8)
        self.uniform = False
        self.body()
        recursive = self.chance(0.1)
        if recursive:
            rest = ", ".join(arguments[1:])
            self.line(f"if (a0 > 0 && a0 < 9) return {name}(a0 - 1"
                      f"{', ' + rest if rest else ''});")
        self.line(f"return {self.integer()};")
        self.indent -= 1
        self.line("}")
        self.functions.append((name, count))

    def kernel(self):
        name = self.name("kernel")
        template = self.chance(0.2)
        if template:
            self.line("template <int m>")
        restrict = self.pick(["", "__restrict__ "])
        self.line(f"__global__ void {name}(int *{restrict}ints, "
                  f"const float *{restrict}reals, float *{restrict}out, int n"
                  f"{'' if template else ', int m'}) {{")
        self.variables = []
        self.indent += 1
        self.line("__shared__ float tile[256];")
        self.statements_left = self.random.choice(self.statement_counts)
        if self.chance(0.5):
            self.line("if (blockIdx.x * blockDim.x + threadIdx.x >= n) return;")
            self.uniform = False
        else:
            self.uniform = True
        for _ in range(self.random.randint(2, 8)):
            self.statement()
        self.indent -= 1
        self.line("}")
        return name, template

    def text(self):
        self.line("__device__ int buffer[65536];")
        for _ in range(self.random.randint(0, 4)):
            self.function()
        kernels = [self.kernel() for _ in range(self.random.randint(1, 3))]
        self.line("int main(int argc, char **argv) {")
        self.indent += 1
        self.line("int *ints; float *reals, *out;")
        self.line("int n = 1 << 20;")
        for pointer in ("ints", "reals", "out"):
            self.line(f"cudaMalloc(&{pointer}, n * sizeof(int));")
        for name, template in kernels:
            if self.chance(0.8) or template:
                block = self.pick([32, 64, 128, 256, 1024])
                grid = self.pick([f"(n + {block - 1}) / {block}", "argc", "80"])
                suffix = f"<{self.pick([3, 16])}>" if template else ""
                more = "" if template else ", 12"
                self.line(f"{name}{suffix}<<<{grid}, {block}>>>(ints, reals, "
                          f"out, n{more});")
        self.line("return 0;")
        self.indent -= 1
        self.line("}")
        return "\n".join(self.lines) + "\n"


def generate(seed):
    return KernelFile(seed).text()


if __name__ == "__main__":
    sys.stdout.write(generate(int(sys.argv[1])))
