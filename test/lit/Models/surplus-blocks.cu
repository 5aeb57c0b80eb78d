// A grid that is far too large takes the time of the exact one, and of starting
// the surplus blocks: they leave at the guard.
//
// RUN: %gpu-estimate analyze %s --gpu nvidia-rtx-3080 --grid 6250x37 \
// RUN:   --block 256 --param n=192000 --param x=192000 --format json \
// RUN:   -o %t.surplus.json
// RUN: %gpu-estimate analyze %s --gpu nvidia-rtx-3080 --grid 750x37 \
// RUN:   --block 256 --param n=192000 --param x=192000 --format json \
// RUN:   -o %t.exact.json
// RUN: python3 %S/Inputs/surplus-blocks.py %t.surplus.json %t.exact.json

__global__ void iterate(float *__restrict__ x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float v = x[i];
  for (int step = 0; step < 20000; ++step)
    v = v * 1.01f + 0.5f;
  x[i] = v;
}
