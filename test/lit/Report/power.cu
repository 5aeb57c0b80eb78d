// Power and energy of a launch: a line of text, fields of JSON, and the reason
// where a GPU model lacks a value.

// RUN: %analyze %s --gpu nvidia-v100 | FileCheck %s --check-prefix=TEXT
// TEXT: power at {{[0-9.]+}} W of 250 W: {{[0-9.]+}} {{[mu]}}J; {{(constant|idle|active|dram|l2|l1|instruction|fp32) [0-9.]+%, .*}}
// TEXT: lines that cost the most time
// TEXT: power.cu:{{[0-9]+}} {{[0-9.]+}}% {{[0-9.]+}} {{[mu]}}J

// RUN: %analyze %s --gpu nvidia-v100 --format json | FileCheck %s --check-prefix=JSON
// JSON: "power_w":
// JSON-NEXT: "energy_j":
// JSON-NEXT: "power_limit_w": 250
// JSON-NEXT: "energy_breakdown": {
// JSON: "dram":
// JSON: "energy_share":

// RUN: %analyze %s --gpu nvidia-v100 --set power.limit=60W --format json | FileCheck %s --check-prefix=LIMIT
// LIMIT: "power_limit_w": 60
// LIMIT: "throttled": {
// LIMIT-NEXT: "core_clock_mhz":
// LIMIT-NEXT: "time_ms":
// LIMIT-NEXT: "energy_j":

// RUN: %analyze %s --gpu nvidia-gtx-480 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: power not known: nvidia-gtx-480 has no value of power.core_clock
// RUN: %analyze %s --gpu nvidia-gtx-480 --format json | FileCheck %s --check-prefix=NOJSON
// NOJSON-NOT: "power_w"
// NOJSON: "power_unknown": "nvidia-gtx-480 has no value of power.core_clock"

// A wrong unit names the right one.
// RUN: %analyze %s --gpu nvidia-v100 --set power.limit=250 2> %t.err; test $? -eq 2
// RUN: FileCheck %s --check-prefix=UNIT < %t.err
// UNIT: power.limit: expected a power such as '250 W', got '250'

#include <cuda_runtime.h>

__global__ void axpy(float *y, const float *x, float a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = a * x[i] + y[i];
}

void host(float *y, const float *x) {
  axpy<<<32768, 512>>>(y, x, 2.0f, 16777216);
}
