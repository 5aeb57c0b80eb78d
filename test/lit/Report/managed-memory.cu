// The first launch after host code wrote managed memory waits for its pages.
// Every other launch finds them on the GPU.
//
// RUN: %analyze %s --gpu nvidia-p100 --caches cold 2>&1 \
// RUN:   | FileCheck %s --check-prefix=COLD
// RUN: %analyze %s --gpu nvidia-p100 --kernel written 2>&1 \
// RUN:   | FileCheck %s --check-prefix=WARM
// RUN: %analyze %s --gpu nvidia-p100 --kernel prefetched \
// RUN:   --memory a=first-touch 2>&1 | FileCheck %s --check-prefix=STATED
// RUN: %analyze %s --gpu nvidia-p100 --caches cold --kernel written \
// RUN:   --without migration 2>&1 | FileCheck %s --check-prefix=WITHOUT
// RUN: %analyze %s --gpu nvidia-h200 --caches cold --kernel written \
// RUN:   2>&1 | FileCheck %s --check-prefix=UNKNOWN

// COLD-DAG: the managed memory of 'a' is taken to migrate from the host when it is touched; --memory a=managed if the pages are there
// COLD: 'written' takes {{[0-9.]+ ms .*}} on {{.*}} bound by migration
// COLD: migration {{.*}}%
// COLD: 'prefetched' takes {{[0-9.]+ us .*}} on
// COLD-NOT: migration {{.*}}%
// COLD: 'untouched' takes {{[0-9.]+ us .*}} on
// COLD: 'again' takes {{[0-9.]+ us .*}} on
// COLD: 'filled' takes {{.*}} bound by migration
// COLD: 'initialised' takes {{.*}} bound by migration
// COLD: 'global' takes {{.*}} bound by migration
// WARM: the managed memory of 'a' is taken to be on the GPU already, as in every launch but the first; --memory a=first-touch for the first
// WARM: 'written' takes {{[0-9.]+ us .*}} on
// WARM-NOT: migration {{.*}}%
// STATED: the managed memory of 'a' is taken to migrate from the host
// STATED: bound by migration
// WITHOUT: 'written' takes {{[0-9.]+ us .*}} on
// UNKNOWN: the managed memory of 'a' is taken to be on the GPU already, since nvidia-h200 has no link.migration_bandwidth

#define BODY                                                                   \
  {                                                                            \
    int i = blockIdx.x * blockDim.x + threadIdx.x;                             \
    a[i] = 2 * a[i];                                                           \
  }
__global__ void written(float *a) BODY
__global__ void prefetched(float *a) BODY
__global__ void untouched(float *a) BODY
__global__ void again(float *a) BODY
__global__ void filled(float *a) BODY
__global__ void initialised(float *a) BODY
__global__ void global(float *a) BODY

void *memset(void *, int, decltype(sizeof(0)));
const int n = 1 << 20;
float *everywhere;

static void initialise(float *p) {
  for (int i = 0; i < n; ++i)
    p[i] = 1;
}
static void allocate() {
  cudaMallocManaged(&everywhere, n * sizeof(float));
  initialise(everywhere);
}

void run() {
  float *a, *b, *c, *d, *e;
  cudaMallocManaged(&a, n * sizeof(float));
  cudaMallocManaged(&b, n * sizeof(float));
  cudaMallocManaged(&c, n * sizeof(float));
  cudaMallocManaged(&d, n * sizeof(float));
  cudaMallocManaged(&e, n * sizeof(float));
  for (int i = 0; i < n; ++i) {
    a[i] = 1;
    *(b + i) = 2;
  }
  cudaMemPrefetchAsync(b, n * sizeof(float), 0);
  memset(d, 0, n * sizeof(float));
  initialise(e);
  allocate();
  written<<<n / 256, 256>>>(a);
  prefetched<<<n / 256, 256>>>(b);
  untouched<<<n / 256, 256>>>(c);
  again<<<n / 256, 256>>>(a);
  filled<<<n / 256, 256>>>(d);
  initialised<<<n / 256, 256>>>(e);
  global<<<n / 256, 256>>>(everywhere);
}
