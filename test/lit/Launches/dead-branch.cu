// A launch on a branch that cannot run is not estimated, unless the kernel has no
// other: its sizes would be impossible.
// RUN: %analyze %s --gpu nvidia-h100-sxm | FileCheck %s

// CHECK: 'byCondition' takes {{.*}} (grid 4096, block 256 from host-code)
// CHECK-NOT: 'byCondition'
__global__ void byCondition(float *p) { p[threadIdx.x] *= 2; }

// CHECK: 'bySwitch' takes {{.*}} (grid 32, block 512 from host-code)
// CHECK: 'bySwitch' takes {{.*}} (grid 48, block 512 from host-code)
// CHECK-NOT: 'bySwitch'
__global__ void bySwitch(float *p) { p[threadIdx.x] *= 3; }

// CHECK: 'byDefault' takes {{.*}} (grid 3, block 128 from host-code)
// CHECK-NOT: 'byDefault'
__global__ void byDefault(float *p) { p[threadIdx.x] *= 4; }

// CHECK: 'never' takes {{.*}} (grid 64, block 32 from host-code)
__global__ void never(float *p) { p[threadIdx.x] *= 5; }

// CHECK: 'perhaps' takes {{.*}} (grid 1, block 64 from host-code)
// CHECK: 'perhaps' takes {{.*}} (grid 2, block 64 from host-code)
__global__ void perhaps(float *p) { p[threadIdx.x] *= 6; }

void choose(float *p, int size) {
  switch (size) {
  case 64:
    byDefault<<<1, 64>>>(p);
    break;
  case 65: {
    byDefault<<<2, 64>>>(p);
    break;
  }
  default:
    byDefault<<<3, 128>>>(p);
  }
}

int main(int argc, char **argv) {
  float *p;
  const int n = 1 << 20, k = 2048;
  cudaMalloc(&p, n * sizeof(float));
  if (k <= 1024)
    byCondition<<<n / k, k>>>(p);
  else
    byCondition<<<n / 256, 256>>>(p);
  switch (k) {
  case 64:
    bySwitch<<<16, 64>>>(p);
    break;
  case 1024:
  case 2048:
    bySwitch<<<32, 512>>>(p);
  case 4096: // reached from above
    bySwitch<<<48, 512>>>(p);
    break;
  default:
    bySwitch<<<64, 128>>>(p);
  }
  choose(p, k);
  if (k < 10)
    never<<<64, 32>>>(p);
  if (argc > 1)
    perhaps<<<1, 64>>>(p);
  else
    perhaps<<<2, 64>>>(p);
}
