// The kernel model as formulas: text, JSON and the legend.

// RUN: %analyze %s --gpu nvidia-v100 --kernel chain --grid 1 --block 32 --formulas | FileCheck %s
// RUN: %analyze %s --gpu nvidia-v100 --kernel chain --grid 1 --block 32 --formulas=text | FileCheck %s
// CHECK: formulas of one thread (the kernel model of Kleimenov & Popova 2021)
// CHECK-NEXT: time = n*({{.*}}
// CHECK: lat.fp32_fma
// CHECK: delay = {{.*}}del.fp32_fma
// CHECK: delay.fp32 = {{.*}}del.fp32_fma
// CHECK: mem = 4
// CHECK: uncoal_mem = 0
// CHECK: l1pct =
// CHECK: l2pct =
// CHECK: syncs = 0
// CHECK: registers = {{[1-9]}}
// CHECK: shared_mem = 0
// CHECK: where
// CHECK: n = 100: argument
// CHECK: del.fp32_fma = 2 cycles: operations.fp32_fma.throughput (vendor)
// CHECK: lat.fp32_fma = 4 cycles: operations.fp32_fma.latency ({{[a-z-]+}})
// CHECK: time holds where no latency is below the issue delay of its class

// RUN: %analyze %s --gpu nvidia-v100 --kernel chain --grid 1 --block 32 --format json | FileCheck %s --check-prefix=JSON
// JSON: "symbolic": {
// JSON: "time": "{{.*}}lat.fp32_fma
// JSON: "uncoal_mem": "0",
// JSON: "delay_by_pipe": {
// JSON: "fp32": "
// JSON: "parameters": [
// JSON: "name": "n",
// JSON-NEXT: "kind": "argument",
// JSON-NEXT: "value": 100,
// JSON: "kind": "cost",

// No line is wider than 100 characters.
// RUN: %analyze %s --gpu nvidia-v100 --kernel chain --grid 1 --block 32 --formulas | sed -n '/formulas of/,$p' | awk 'length > 100' | count 0

// The page has them, too.
// RUN: %analyze %s --gpu nvidia-v100 --kernel chain --grid 1 --block 32 --formulas --format html | FileCheck %s --check-prefix=HTML
// HTML: <h3>Formulas of one thread</h3>
// HTML: <pre tabindex="0"> time = n*(
// HTML: where
// HTML: lat.fp32_fma = 4 cycles: operations.fp32_fma.latency

// What memory decides is a parameter, with what is assumed of it.
// RUN: %analyze %s --gpu nvidia-v100 --kernel walk --grid 1 --block 32 --formulas=python | FileCheck %s --check-prefix=DATA
// DATA: import math
// DATA: def walk_time(
// DATA: trip_{{[a-z_0-9]*}}={{[0-9.]+}},  # trip count of the loop at text.cu:{{.*}}

// RUN: not %analyze %s --gpu nvidia-v100 --formulas=fortran 2>&1 | FileCheck %s --check-prefix=WRONG
// WRONG: --formulas: expected text, python or c, got 'fortran'

// RUN: not %analyze %s --gpu nvidia-v100 --formulas=c --format json 2>&1 | FileCheck %s --check-prefix=FORMAT
// FORMAT: --formulas: functions are printed instead of a report, so name files and no --format

// A kernel without an estimate is a comment.
// RUN: %analyze %s --gpu nvidia-v100 --grid 1 --block 32 --formulas=c | FileCheck %s --check-prefix=NONE
// NONE: // No estimate for never (text.cu:

__global__ void chain(float *x, int n) {
  float y = 1;
  for (int i = 0; i < n; ++i)
    y = y * 1.5f + 0.25f;
  x[threadIdx.x] = y;
}

__global__ void walk(const int *next, float *x) {
  int at = threadIdx.x;
  float y = 0;
  while (at != 0) {
    at = next[at];
    y += 1.5f;
  }
  x[threadIdx.x] = y;
}

void host(float *x) { chain<<<1, 32>>>(x, 100); }

template <typename T> __global__ void never(T *x) { x[0] = 1; }
