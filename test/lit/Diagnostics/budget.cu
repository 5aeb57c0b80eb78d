// A launch that takes longer than its budget: a warning with the largest terms
// and status 1; within it, nothing.

// RUN: %analyze %s --gpu nvidia-h200 --format diagnostics --budget 'slow=1us' > %t.out; test $? -eq 1
// RUN: FileCheck %s --implicit-check-not="-Wgpu-estimate-budget" < %t.out
// CHECK: budget.cu:[[#@LINE+38]]:17: warning: 'slow' takes {{[0-9.]+ .s}} on NVIDIA H200{{.*}}, {{[0-9.]+}}% over its budget of 1 us (from command-line): {{[a-z0-9-]+ [0-9.]+ .s.*}} [-Wgpu-estimate-budget]

// RUN: %analyze %s --gpu nvidia-h200 --format diagnostics --budget 1s | FileCheck %s --check-prefix=WITHIN
// WITHIN: 'slow' takes
// WITHIN-NOT: gpu-estimate-budget

// The nearest budget counts: of a GPU before all, the later before the earlier.
// RUN: %analyze %s --gpu nvidia-h200 --gpu nvidia-a100-40gb-pcie --budget 1us --budget slow=1s@nvidia-h200 --format json > %t.json 2> %t.err; test $? -eq 1
// RUN: FileCheck %s --check-prefix=JSON < %t.json
// RUN: FileCheck %s --check-prefix=STDERR --implicit-check-not="'slow' takes{{.*}}H200" < %t.err
// JSON: "budgets": [
// JSON: "name": "slow"
// JSON: "gpu": "nvidia-h200"
// JSON: "budget_ms": 1000
// JSON: "source": "command-line"
// JSON: "exceeded": false
// JSON: "time_ms":
// JSON: "terms_ms": {
// JSON: "budget_ms": 0.001
// JSON: "exceeded": true
// STDERR: budget.cu:{{.*}}: warning: 'slow' takes {{.*}} on NVIDIA A100

// The text report has it too.
// RUN: not %analyze %s --gpu nvidia-h200 --budget slow=1us | FileCheck %s --check-prefix=TEXT
// TEXT: warning: 'slow' takes {{.*}}over its budget of 1 us (from command-line)

// An error, and silence.
// RUN: not %analyze %s --gpu nvidia-h200 --format diagnostics --budget slow=1us --error budget | FileCheck %s --check-prefix=ERROR
// ERROR: error: 'slow' takes {{.*}}[-Wgpu-estimate-budget]
// RUN: %analyze %s --gpu nvidia-h200 --format diagnostics --budget slow=1us --no-warning budget | FileCheck %s --check-prefix=WITHIN

// Other groups can be errors as well.
// RUN: %analyze %s --gpu nvidia-h200 --format diagnostics --error time > %t.out; test $? -eq 1
// RUN: FileCheck %s --check-prefix=TIME < %t.out
// TIME: error: 'slow' takes {{.*}}[-Wgpu-estimate-time]

#include <cuda_runtime.h>

__global__ void slow(float *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    p[i] += 1;
}

template <typename T> __global__ void never(T *p) { *p = 1; }

void host(float *p) { slow<<<1 << 14, 256>>>(p, 1 << 22); }

// What cannot be checked is told.
// RUN: %analyze %s --gpu nvidia-h200 --budget never=1us --budget nobody=1us --budget slow=1s@nvidia-gtx-1050 --format diagnostics | FileCheck %s --check-prefix=UNCHECKED
// UNCHECKED-DAG: warning: the budget of 1 us (from command-line) of 'never' on NVIDIA H200{{.*}} is not checked: there is no estimate
// UNCHECKED-DAG: --budget: no analysed kernel is called 'nobody'
// UNCHECKED-DAG: --budget: no analysed GPU is called 'nvidia-gtx-1050'

// RUN: not %analyze %s --gpu nvidia-h200 --budget slow=1 2>&1 | FileCheck %s --check-prefix=UNIT
// UNIT: --budget: expected [KERNEL=]TIME[@GPU], the time with its unit s, ms, us or ns, got 'slow=1'
// RUN: not %analyze %s --gpu nvidia-h200 --budget 1ms@nvidia-h2000 2>&1 | FileCheck %s --check-prefix=GPU
// GPU: --budget: unknown GPU 'nvidia-h2000'; did you mean 'nvidia-h200'
