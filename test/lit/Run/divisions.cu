// A run shows which divisions take the slow path of special operands: those of
// a field that is still zero, none of those of another one, and in half of the
// warps of a third one a single lane.
// RUN: %gpu-estimate run %s --gpu nvidia-a100-40gb-pcie --format json -o %t.json
// RUN: python3 -c "import json; \
// RUN:     L = json.load(open('%t.json'))['launches']; \
// RUN:     [print(any('dividend of zero' in D for D in R['from_data']), len(R['assumptions'])) for R in L]; \
// RUN:     Zero, Ordinary, Half = [R['time_ms'] for R in L]; \
// RUN:     print(Zero > 1.2 * Ordinary, Ordinary < 0.95 * Half, Half < 0.95 * Zero)" | FileCheck %s
// CHECK: True 0
// CHECK: True 0
// CHECK: True 0
// CHECK: True True True

__global__ void quotients(const double *field, const double *by, double *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double x = field[i], y = by[i], sum = 0;
  for (int k = 1; k <= 64; ++k)
    sum += x / (y + k);
  out[i] = sum;
}

static double field[3][1 << 16], by[1 << 16];

int main() {
  const int n = 1 << 16;
  for (int i = 0; i < n; ++i) {
    by[i] = i + 1;
    field[1][i] = 2;
    field[2][i] = i % 64 != 5;
  }
  double *deviceField, *deviceBy, *out;
  cudaMalloc(&deviceField, sizeof(field));
  cudaMalloc(&deviceBy, sizeof(by));
  cudaMalloc(&out, sizeof(by));
  cudaMemcpy(deviceField, field, sizeof(field), cudaMemcpyHostToDevice);
  cudaMemcpy(deviceBy, by, sizeof(by), cudaMemcpyHostToDevice);
  for (int k = 0; k < 3; ++k)
    quotients<<<n / 256, 256>>>(deviceField + k * n, deviceBy, out);
  return cudaDeviceSynchronize() != cudaSuccess;
}
