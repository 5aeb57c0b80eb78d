// No limit on the analysis reaches the compile: what is not done is a remark,
// and the output is the same byte for byte.
// REQUIRES: plugin
// RUN: rm -rf %t && mkdir -p %t && cd %t
// DEFINE: %{with} = -fplugin=%plugin -fplugin-arg-gpu_estimate-gpu=nvidia-h200
// RUN: %clang_cuda --cuda-device-only -O2 -S %s -o plain.s

// A deadline that nothing can keep: every kernel is named, with the reason.
// RUN: %clang_cuda %{with} -fplugin-arg-gpu_estimate-deadline=20us --cuda-device-only -O2 -S %s -o a.s 2>&1 | FileCheck --check-prefix=TIME %s
// RUN: cmp plain.s a.s
// TIME: remark: {{gpu-estimate gives no estimate for this file: the analysis failed, because it takes more than 0 ms|no estimate for 'scale': the analysis was ended early: it takes more than 0 units of work \(--deadline, --memory-limit\)}}

// The record of an earlier compile is replaced.
// RUN: %clang_cuda %{with} -fplugin-arg-gpu_estimate-json=r.jsonl --cuda-device-only -O2 -S %s -o c.s
// RUN: grep -q '"time_ms"' r.jsonl
// RUN: %clang_cuda %{with} -fplugin-arg-gpu_estimate-json=r.jsonl -fplugin-arg-gpu_estimate-memory-limit=1KiB --cuda-device-only -O2 -S %s -o c.s
// RUN: FileCheck --check-prefix=RECORD --input-file=r.jsonl %s
// RECORD-NOT: "time_ms"
// RECORD: "reason":"the analysis failed, because it takes more than 0 MiB of memory (memory-limit)"

// No memory at all.
// RUN: %clang_cuda %{with} -fplugin-arg-gpu_estimate-memory-limit=1KiB --cuda-device-only -O2 -S %s -o b.s 2>&1 | FileCheck --check-prefix=MEMORY %s
// RUN: cmp plain.s b.s
// MEMORY: limits.cu:1:1: remark: gpu-estimate gives no estimate for this file: the analysis failed, because it takes more than 0 MiB of memory (memory-limit); the compilation is not affected

// The command line: the reason is the same on every machine.
// RUN: not %analyze %s --gpu nvidia-h200 --deadline 20us 2>&1 | FileCheck --check-prefix=ANALYZE %s
// ANALYZE: the analysis was ended early: it takes more than 100 units of work (--deadline, --memory-limit)

// What is given is checked, and 0 is no limit.
// RUN: %analyze %s --gpu nvidia-h200 --deadline 0 --memory-limit 0 | FileCheck --check-prefix=NONE %s
// NONE: 'scale' takes
// RUN: not %analyze %s --gpu nvidia-h200 --deadline soon 2>&1 | FileCheck --check-prefix=SOON %s
// SOON: --deadline: {{.*}}'soon'

__global__ void scale(float *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    p[i] *= 2;
}

int main() {
  float *p;
  cudaMalloc(&p, 1 << 22);
  scale<<<4096, 256>>>(p, 1 << 20);
}
