"""Random CUDA files of one kernel, about what host code tells of its launches.

    python3 test/fuzz/launch_grammar.py SEED > kernel.cu

The kernel is one of kernel_grammar.py, or a short one that reads through an
index array. Host code allocates its buffers apart, or gives it pointers into
one buffer, at distances that are known, computed, or given by somebody else;
fills the index array with a rule, with random numbers, or not at all; and
launches the kernel never, once or several times, with sizes that are constants,
computed, or not known. One seed gives one file on every machine.
"""

import sys

import kernel_grammar


class LaunchFile(kernel_grammar.KernelFile):
    def gather(self):
        """Reads reals through ints; the loop and the branch depend on data."""
        name = self.name("kernel")
        self.line(f"__global__ void {name}(int *ints, const float *reals, "
                  "float *out, int n, int m) {")
        self.indent += 1
        self.line("int i = blockIdx.x * blockDim.x + threadIdx.x;")
        self.line("if (i >= n) return;")
        index = self.pick(["ints[i]", f"ints[i] * {self.pick([1, 2, 8])}",
                           "ints[i] + m", "i", "ints[n - 1 - i]"])
        self.line(f"float v = reals[{index}];")
        if self.chance(0.4):
            self.line(f"if (ints[i] % {self.pick([2, 3, 7])} == 0) "
                      f"v = {self.pick(['sqrtf(v)', 'v * m', 'out[i] + v'])};")
        if self.chance(0.3):
            self.line("for (int k = 0; k < ints[i] % 16; ++k) v += reals[k * n];")
        self.line(f"{self.pick(['out[i]', 'out[i]', 'out[ints[i]]'])} = v;")
        self.indent -= 1
        self.line("}")
        return name

    def fill(self):
        """Host code that fills the index array."""
        rule = self.pick(["i", "i", "n - 1 - i", "2 * i % n", "rand() % n",
                          "rand() % 8", "i / 32", ""])
        if not rule:
            return
        self.line("std::vector<int> filled(n);")
        self.line("for (int i = 0; i < n; ++i)")
        self.line(f"  filled[i] = {rule};")
        self.line("cudaMemcpy(ints, filled.data(), n * sizeof(int), "
                  "cudaMemcpyHostToDevice);")

    def buffers(self):
        if self.chance(0.5):
            for pointer in ("ints", "reals", "out"):
                self.line(f"cudaMalloc(&{pointer}, n * sizeof(int));")
            return
        self.line("float *whole;")
        self.line("cudaMalloc(&whole, 4 * n * sizeof(float));")
        places = ["whole", "whole + n", "whole + 2 * n", "whole + 64",
                  "whole + distance"]
        if self.chance(0.5):
            self.line("cudaMalloc(&ints, n * sizeof(int));")
        else:
            self.line(f"ints = (int *)({self.pick(places)});")
        self.line(f"reals = {self.pick(places)};")
        self.line(f"out = {self.pick(places)};")

    def launches(self, name):
        for _ in range(self.pick([0, 1, 1, 1, 2, 3])):
            block = self.pick([64, 128, 256, 512])
            size = self.pick(["n", "n", "n / 2", "1 << 18", "distance"])
            grid = self.pick([f"({size} + {block - 1}) / {block}", "80"])
            self.line(f"{name}<<<{grid}, {block}>>>(ints, reals, out, {size}, "
                      f"{self.pick([1, 12, 'distance'])});")

    def launch_file(self):
        self.line("#include <cstdlib>")
        self.line("#include <vector>")
        self.line("__device__ int buffer[65536];")
        if self.chance(0.6):
            name = self.gather()
        else:
            name = self.short_kernel()
        self.line("void launch(int distance) {")
        self.indent += 1
        self.line("int *ints; float *reals, *out;")
        self.line(f"const int n = 1 << {self.random.randint(14, 22)};")
        self.buffers()
        self.fill()
        self.launches(name)
        self.indent -= 1
        self.line("}")
        return "\n".join(self.lines) + "\n", name

    def short_kernel(self):
        """A kernel of few statements without a template."""
        while True:
            known = len(self.lines)
            choices, self.statement_counts = self.statement_counts, [2, 6]
            name, template = self.kernel()
            self.statement_counts = choices
            if not template:
                return name
            del self.lines[known:]


def generate(seed):
    """The text of the file, and the name of its kernel."""
    return LaunchFile(seed).launch_file()


if __name__ == "__main__":
    sys.stdout.write(generate(int(sys.argv[1]))[0])
