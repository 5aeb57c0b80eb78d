// Sizes of launches in members that a constructor sets: by its initialisers, in its
// body, from its arguments, or by the declaration of the member.
// RUN: %analyze %s --gpu nvidia-h100-sxm 2>&1 | FileCheck %s

// CHECK-DAG: 'scale' takes {{.*}} (grid 4096, block 256 from host-code)
// CHECK-DAG: 'shift' takes {{.*}} (grid 64x32, block 128 from host-code)
// CHECK-DAG: 'fill' takes {{.*}} (grid 12, block 96 from host-code)
__global__ void scale(float *x, int n) { x[blockIdx.x * blockDim.x + threadIdx.x] *= n; }
__global__ void shift(float *x, int n) { x[blockIdx.x * blockDim.x + threadIdx.x] += n; }
__global__ void fill(float *x, int n) { x[blockIdx.x * blockDim.x + threadIdx.x] = n; }

struct Sizes {
  dim3 blocks, threads;
  size_t shared;
  cudaStream_t stream;
  Sizes(const dim3 &blocks_, const dim3 &threads_, size_t shared_, cudaStream_t stream_)
      : blocks(blocks_), threads(threads_), shared(shared_), stream(stream_) {}
};

struct Config {
  cudaLaunchAttribute attribute;
  cudaLaunchConfig_t config;
  Config(const Sizes &sizes) {
    attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    config = {};
    config.gridDim = sizes.blocks;
    config.blockDim = sizes.threads;
    config.dynamicSmemBytes = sizes.shared;
    config.attrs = &attribute;
    config.numAttrs = 1;
  }
};

template <typename Kernel, typename... Args>
static void launch(Kernel kernel, const Sizes &sizes, Args... args) {
  auto config = Config(sizes);
  cudaLaunchKernelEx(&config.config, kernel, args...);
}

struct Defaults {
  int threads = 96;
  int blocks;
  explicit Defaults(int n) : blocks(n / 8) {}
};

int main() {
  float *x;
  cudaMalloc(&x, 1 << 24);
  int n = 1 << 20;
  const Sizes sizes = Sizes(dim3(n / 256, 1, 1), 256, 0, nullptr);
  launch(scale, sizes, x, n);
  launch(shift, {dim3(64, 32), dim3(128), 0, nullptr}, x, n);
  Defaults defaults(96);
  fill<<<defaults.blocks, defaults.threads>>>(x, n);
}
