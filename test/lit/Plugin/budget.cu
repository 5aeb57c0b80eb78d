// Over budget: a warning, also under -Werror; a failed compile where the group
// is made an error.
// REQUIRES: plugin

// DEFINE: %{cuda} = %clang_cuda --cuda-device-only -S %s -Wno-unknown-warning-option -Wno-unknown-cuda-version -fplugin=%plugin -fplugin-arg-gpu_estimate-gpu=nvidia-h200 -fplugin-arg-gpu_estimate-no-warning=time
// DEFINE: %{over} = -fplugin-arg-gpu_estimate-budget=slow=1us
// RUN: rm -f %t.s %t.json
// RUN: %{cuda} %{over} -Werror -fplugin-arg-gpu_estimate-json=%t.json -o %t.s 2>&1 | FileCheck %s
// CHECK: budget.cu:[[#@LINE+18]]:17: warning: 'slow' takes {{.*}}over its budget of 1 us (from command-line){{.*}} [-Wgpu-estimate-budget]
// RUN: test -s %t.s
// RUN: FileCheck %s --check-prefix=JSON < %t.json
// JSON: "exceeded": true

// RUN: rm -f %t.s
// RUN: not %{cuda} %{over} -fplugin-arg-gpu_estimate-error=budget -o %t.s 2>&1 | FileCheck %s --check-prefix=ERROR
// RUN: not %{cuda} %{over} -Werror=gpu-estimate-budget -o %t.s 2>&1 | FileCheck %s --check-prefix=ERROR
// ERROR: error: 'slow' takes {{.*}}over its budget
// RUN: not test -e %t.s

// Within its budget the compile passes.
// RUN: %{cuda} -fplugin-arg-gpu_estimate-budget=slow=1s -fplugin-arg-gpu_estimate-error=budget -o %t.s 2>&1 | FileCheck %s --check-prefix=WITHIN --allow-empty
// WITHIN-NOT: {{warning|error}}
// RUN: test -s %t.s

// RUN: %{cuda} %{over} -w -o %t.s 2>&1 | FileCheck %s --check-prefix=WITHIN --allow-empty

__global__ void slow(float *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    p[i] += 1;
}

void host(float *p) { slow<<<1 << 14, 256>>>(p, 1 << 22); }
