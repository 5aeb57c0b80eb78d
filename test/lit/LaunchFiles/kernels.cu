// Launches of a file in place of those of host code: names are matched with
// template arguments, arguments that the file lacks follow from its sizes by
// what host code says, and what matches nothing is named.
// RUN: %analyze %s --gpu nvidia-h100-sxm --launches %S/Inputs/user.csv 2>&1 | FileCheck %s --check-prefix=USER
// RUN: %analyze %s --gpu nvidia-h100-sxm --launches %S/Inputs/nsys.csv | FileCheck %s --check-prefix=NSYS
// RUN: %analyze %s --gpu nvidia-h100-sxm --launches %S/Inputs/ncu.csv | FileCheck %s --check-prefix=NCU
// RUN: %analyze %s --gpu nvidia-h100-sxm --launches %S/Inputs/kineto.json | FileCheck %s --check-prefix=KINETO
// RUN: %analyze %s --gpu nvidia-h100-sxm --launches %S/Inputs/rocprof3.csv | FileCheck %s --check-prefix=ROCPROF
// RUN: %analyze %s --gpu nvidia-h100-sxm --launches %S/Inputs/launches.yaml --transfer --format json | FileCheck %s --check-prefix=JSON

// USER: user.csv: 1 kernel is not in this input (0.14% of the measured time): 'other' x 1
// USER: 'ns::add' takes {{.*}} (grid 8192, block 128 from launch-file)
// USER: arguments n = 1048576
// USER: recorded 10 launches of on average 9.5 us on a card that is not named (user.csv:3)
// USER: 'm' of the host code = 1048576: of the values with which host code makes gridDim.x = 8192 the roundest
// USER: 'scale<float, 4>' takes {{.*}} (grid 4096, block 256 from launch-file)
// USER: arguments a = 2, n = 1048576
// USER-NOT: assumptions
// USER: launches of the file on NVIDIA H100
// USER: 100 x scale<float, 4> 4096, 256 6.1 us
// USER-NEXT: 10 x ns::add 8192, 128 9.5 us
// USER-NEXT: 110 x all 705 us
// USER: no estimate for 'never' {{.*}}user.csv has no launch of it
// USER: no estimate for 'scale<double, 2>' {{.*}}user.csv has no launch of it

// A copy in the table is no launch; launches that are alike are one.
// NSYS: 'scale<float, 4>' takes
// NSYS: arguments a = 2, n = 1000192
// NSYS: recorded 2 launches of on average 6.3 us on NVIDIA H100 SXM5 80 GB; predicted {{.*}} times that
// NSYS: 'n' of the host code = 1000192: {{.*}} gridDim.x = 3907
// NSYS: measured on NVIDIA H100 SXM5 80 GB

// The profiler flushes caches before each launch.
// NCU: caches cold
// NCU: recorded 1 launch of 7.5 us on a card that is not named

// KINETO: 'scale<double, 2>' takes
// KINETO: recorded 1 launch of 12.5 us on NVIDIA A100 SXM4 80 GB

// AMD's tools count threads.
// ROCPROF: 'ns::add' takes {{.*}} (grid 8192, block 128 from launch-file)

// JSON: "source": "launch-file"
// JSON: "recorded": {
// JSON-NEXT: "launches": 1,
// JSON-NEXT: "time_ms": 0.01{{[01]}}
// JSON-NEXT: "gpu": "nvidia-a100-80gb-sxm",
// JSON: "line": 2,
// JSON: "transferred": {
// JSON-NEXT: "time_ms": 0.00{{[2-9]}}
// JSON-NEXT: "low_ms"
// JSON-NEXT: "high_ms"
// JSON-NEXT: "bottleneck_measured"
template <typename T, int N> __global__ void scale(T *p, T a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    for (int k = 0; k < N; ++k)
      p[i] = p[i] * a + T(k);
}
namespace ns {
__global__ void add(float *a, const float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    a[i] += b[i];
}
} // namespace ns
__global__ void never(float *a) { a[threadIdx.x] = 1; }

void run(float *p, float *q, double *d, int n, int m) {
  scale<float, 4><<<(n + 255) / 256, 256>>>(p, 2.f, n);
  scale<double, 2><<<(n + 255) / 256, 256>>>(d, 2., n);
  ns::add<<<m / 128, 128>>>(p, q, m);
  never<<<1, 32>>>(p);
}
