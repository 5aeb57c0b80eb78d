// Loops, conditions and accesses by names that lines above do not change: in
// the report, on the command line, in the configuration and in comments.

// RUN: %analyze %s --gpu nvidia-h200 --kernel plain | FileCheck %s
// CHECK-DAG: trip count of the loop at places.cu:[[#]] = 16
// CHECK-DAG: settle with --param 'trip@plain:j=VALUE'
// CHECK-DAG: settle with --param 'trip@plain:j#2=VALUE'
// CHECK-DAG: settle with --param 'trip@plain:loop3=VALUE'
// CHECK-DAG: settle with --param 'branch@plain:flag[i]=VALUE'
// CHECK-DAG: settle with --param 'branch@plain:kind[i]!=3=VALUE'
// CHECK-DAG: or --assume 'access@plain:col[j]=sequential'
// "Not 3" is likely, as equality with a constant is not.
// CHECK-DAG: share of threads for which the condition at places.cu:[[#]] holds = 0.84

// RUN: %analyze %s --gpu nvidia-h200 --kernel plain --format json > %t.base
// RUN: %analyze %s --gpu nvidia-h200 --kernel plain --format json --param 'trip@plain:j=4' --assume 'trip@plain:j#2=5,branch@plain:kind[i] != 3=0.25,access@plain:x[col[j]]=sequential' > %t.line
// RUN: printf 'kernels:\n  - kernel: plain\n    assume: {"trip@plain:j": 4, "trip@plain:j#2": 5, "branch@plain:kind[i] != 3": 1.0 / 4, "access@plain:x[col[j]]": sequential}\n' > %t.yaml
// RUN: %analyze %s --gpu nvidia-h200 --kernel plain --format json --config %t.yaml > %t.config
// RUN: cmp %t.line %t.config
// RUN: not cmp -s %t.line %t.base
// RUN: FileCheck %s --check-prefix=SET < %t.line
// SET-NOT: "settle": "--param 'trip@plain:j{{(#2)?}}=VALUE'"

// Lines above change nothing.
// RUN: sed 's/^__global__ void plain/\n\n&/' %s > %t.cu
// RUN: %analyze %t.cu --gpu nvidia-h200 --kernel plain --config %t.yaml | grep -o "'plain' takes [^,]*" > %t.moved
// RUN: %analyze %s --gpu nvidia-h200 --kernel plain --config %t.yaml | grep -o "'plain' takes [^,]*" > %t.still
// RUN: cmp %t.moved %t.still

// A comment at the place is the same as its name.
// RUN: %analyze %s --gpu nvidia-h200 --kernel noted | FileCheck %s --check-prefix=NOTED
// NOTED: 'noted' takes
// NOTED-NOT: trip@noted:j
// NOTED-NOT: branch@noted
// RUN: %analyze %s --gpu nvidia-h200 --kernel noted --param trip@noted:j=7 --format json > %t.over
// RUN: %analyze %s --gpu nvidia-h200 --kernel noted --format json > %t.under
// RUN: not cmp -s %t.over %t.under

// RUN: %analyze %s --gpu nvidia-h200 --kernel plain --param trip@plain:k=3 2>&1 | FileCheck %s --check-prefix=WRONG
// WRONG: --param trip@plain:k: no analysed kernel has an argument or unknown of this name; did you mean 'trip@plain:j'
// RUN: not %analyze %s --gpu nvidia-h200 --param branch@plain:flag[i]=3 2>&1 | FileCheck %s --check-prefix=SHARE
// SHARE: branch probability must be between 0 and 1

#include <cuda_runtime.h>

__global__ void plain(const int *row, const int *col, const float *x,
                      const bool *flag, const int *kind, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int j = row[i]; j < row[i + 1]; ++j)
    sum += x[col[j]];
  for (int j = row[i]; j < row[i + 2]; ++j)
    sum *= x[j];
  while (sum > 3)
    sum *= 0.5f;
  if (flag[i])
    y[i] = sum;
  if (kind[i] != 3)
    y[i + 1] = 2 * sum;
}

__global__ void noted(const int *row, const float *x, const bool *flag,
                      float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  // gpu-estimate: trip = 3 * 9
  for (int j = row[i]; j < row[i + 1]; ++j)
    sum += x[j];
  // gpu-estimate: probability = 0.1
  if (!flag[i])
    y[i] = sum;
}

void host(int *row, int *col, float *x, bool *flag, int *kind, float *y) {
  plain<<<4096, 256>>>(row, col, x, flag, kind, y);
  noted<<<4096, 256>>>(row, x, flag, y);
}
