// HIP's interface by the headers that are shipped: each line says whether it
// was right.
//
// RUN: rm -rf %t && mkdir %t
// RUN: %gpu-estimate cc --run hipcc -std=c++17 -O2 %s -o %t/program
// RUN: %gpu-estimate run --gpu amd-mi210 %t/program > %t/report
// RUN: FileCheck %s < %t/report
//
// CHECK-NOT: WRONG
// CHECK: from the device: 7 3.5 word 9000000000
// CHECK: properties: right
// CHECK: symbols: right
// CHECK: default arguments: right
// CHECK: launches by name: right
// CHECK: textures: right
// CHECK: cooperative groups: right
// CHECK: barriers that reduce: right
// CHECK: lanes: right
// CHECK: bytes and bits: right
// CHECK: vectors: right
// CHECK: private array: right
// CHECK-NOT: does not execute
// CHECK-DAG: hipMemcpyToSymbol

#include <hip/hip_cooperative_groups.h>
#include <hip/hip_runtime.h>
#include <vector>

#if !defined(__HIP_PLATFORM_AMD__)
#error hipcc defines the platform
#endif

namespace cg = cooperative_groups;

static void say(const char *what, bool right) {
  std::fflush(stdout);
  std::printf("%s: %s\n", what, right ? "right" : "WRONG");
}

/// An array of the device that is read back.
template <class T> struct Array {
  T *device = nullptr;
  std::vector<T> host;
  explicit Array(size_t n, T value = T()) : host(n, value) {
    (void)hipMalloc(&device, n * sizeof(T));
    (void)hipMemcpy(device, host.data(), n * sizeof(T), hipMemcpyHostToDevice);
  }
  const std::vector<T> &read() {
    (void)hipMemcpy(host.data(), device, host.size() * sizeof(T),
                    hipMemcpyDeviceToHost);
    return host;
  }
  ~Array() { (void)hipFree(device); }
};

__global__ void print() {
  if (threadIdx.x == 3)
    printf("from the device: %d %.1f %s %lld\n", 7, 3.5, "word", 9000000000ll);
}

static void properties() {
  hipDeviceProp_t p;
  int units = 0;
  bool right = hipGetDeviceProperties(&p, 0) == hipSuccess &&
               hipDeviceGetAttribute(&units,
                                     hipDeviceAttributeMultiprocessorCount,
                                     0) == hipSuccess;
  say("properties", right && !std::strcmp(p.gcnArchName, "gfx90a") &&
                        p.warpSize == 64 && units == p.multiProcessorCount &&
                        p.arch.hasDoubles &&
                        hipGetDeviceProperties(&p, 9) ==
                            hipError_t::hipErrorInvalidDevice);
}

__constant__ float factors[2];
__device__ int counter;

__global__ void scale(float *x) {
  x[threadIdx.x] *= factors[1];
  if (threadIdx.x == 0)
    counter += 5;
}

static void symbols() {
  float two[2] = {1, 2};
  int count = 1;
  Array<float> x(64, 3);
  (void)hipMemcpyToSymbol(HIP_SYMBOL(factors), two, sizeof(two));
  (void)hipMemcpyToSymbol(counter, &count, sizeof(count));
  hipLaunchKernelGGL(scale, dim3(1), dim3(64), 0, hipStreamDefault, x.device);
  (void)hipMemcpyFromSymbol(&count, HIP_SYMBOL(counter), sizeof(count));
  void *address = nullptr;
  size_t bytes = 0;
  say("symbols", x.read()[63] == 6 && count == 6 &&
                     hipGetSymbolAddress(&address, counter) == hipSuccess &&
                     address && hipGetSymbolSize(&bytes, counter) ==
                                    hipSuccess && bytes == 4);
}

static void defaults() {
  int *pinned = nullptr, *device = nullptr;
  hipEvent_t begin, end;
  float ms = -1;
  bool right = hipHostMalloc(&pinned, 64) == hipSuccess &&
               hipMalloc(&device, 64) == hipSuccess &&
               hipEventCreate(&begin) == hipSuccess &&
               hipEventCreate(&end) == hipSuccess &&
               hipEventRecord(begin) == hipSuccess &&
               hipMemsetAsync(device, 1, 64) == hipSuccess &&
               hipMemcpyAsync(pinned, device, 64, hipMemcpyDeviceToHost) ==
                   hipSuccess &&
               hipEventRecord(end) == hipSuccess &&
               hipEventSynchronize(end) == hipSuccess &&
               hipEventElapsedTime(&ms, begin, end) == hipSuccess;
  say("default arguments", right && pinned[15] == 0x01010101 && ms > 0 &&
                               hipHostFree(pinned) == hipSuccess &&
                               hipFree(device) == hipSuccess);
}

static void byName() {
  Array<float> x(64, 1);
  void *arguments[] = {&x.device};
  bool right = hipLaunchKernel(reinterpret_cast<const void *>(scale), dim3(1),
                               dim3(64), arguments, 0, hipStreamDefault) ==
               hipSuccess;
  int blocks = 0, least = 0, best = 0;
  right &= hipOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, scale, 64,
                                                        0) == hipSuccess;
  right &= hipOccupancyMaxPotentialBlockSize(&least, &best, scale) ==
           hipSuccess;
  say("launches by name",
      right && blocks > 0 && best > 0 && x.read()[5] == 2);
}

__global__ void fetch(hipTextureObject_t texture, float *out) {
  out[threadIdx.x] = tex2D<float>(texture, threadIdx.x + 0.5f, 1.5f);
}

static void textures() {
  float texels[4][8];
  for (int i = 0; i < 32; ++i)
    texels[0][i] = i;
  hipChannelFormatDesc format = hipCreateChannelDesc<float>();
  hipArray_t array;
  hipResourceDesc resource = {};
  hipTextureDesc description = {};
  hipTextureObject_t texture;
  (void)hipMallocArray(&array, &format, 8, 4);
  (void)hipMemcpy2DToArray(array, 0, 0, texels, 32, 32, 4,
                           hipMemcpyHostToDevice);
  resource.resType = hipResourceTypeArray;
  resource.res.array.array = array;
  description.filterMode = hipFilterModePoint;
  description.readMode = hipReadModeElementType;
  (void)hipCreateTextureObject(&texture, &resource, &description, nullptr);
  Array<float> out(8);
  fetch<<<1, 8>>>(texture, out.device);
  say("textures", out.read()[3] == 11);
}

__global__ void groups(int *out) {
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<16> tile = cg::tiled_partition<16>(block);
  int sum = tile.thread_rank();
  for (int d = tile.size() / 2; d > 0; d /= 2)
    sum += tile.shfl_down(sum, d);
  int hasThread20 = tile.any(threadIdx.x == 20);
  __shared__ int sums[8];
  if (tile.thread_rank() == 0)
    sums[block.thread_rank() / 16] = sum + hasThread20;
  block.sync();
  out[block.thread_rank()] = sums[block.thread_rank() / 16];
  cg::this_grid().sync();
  if (cg::this_grid().thread_rank() == 0)
    out[128] = out[127] + out[16];
}

static void cooperativeGroups() {
  Array<int> out(129);
  void *arguments[] = {&out.device};
  bool right = hipLaunchCooperativeKernel(groups, dim3(1), dim3(128),
                                          arguments, 0, hipStreamDefault) ==
               hipSuccess;
  out.read();
  say("cooperative groups", right && out.host[0] == 120 &&
                                out.host[17] == 121 && out.host[128] == 241);
}

__global__ void reduce(int *out) {
  int count = __syncthreads_count(threadIdx.x % 3 == 0);
  int both = __syncthreads_and(threadIdx.x < 100);
  int one = __syncthreads_or(threadIdx.x == 99);
  if (threadIdx.x == 0)
    out[0] = count * 100 + both * 10 + one;
}

static void barriers() {
  Array<int> out(1);
  reduce<<<1, 100>>>(out.device);
  say("barriers that reduce", out.read()[0] == 3411);
}

__global__ void exchange(int *out) {
  int lane = hipThreadIdx_x;
  out[lane] = __builtin_amdgcn_update_dpp(-1, lane, 0x111, 15, 15, false);
  out[64 + lane] = __builtin_amdgcn_mov_dpp(lane, 0x4e, 15, 15, true);
  out[128 + lane] = __builtin_amdgcn_ds_swizzle(lane, 0x041f);
  out[192 + lane] = __shfl_xor_sync(~0ull, lane, 32);
  out[256 + lane] = __popcll(__activemask());
}

static void lanes() {
  Array<int> out(320);
  exchange<<<1, 64>>>(out.device);
  out.read();
  bool right = true;
  for (int lane = 0; lane < 64; ++lane)
    right &= out.host[lane] == (lane % 16 ? lane - 1 : -1) && // row_shr:1
             out.host[64 + lane] == (lane ^ 2) &&             // quad_perm
             out.host[128 + lane] == (lane ^ 1) &&
             out.host[192 + lane] == (lane ^ 32) && out.host[256 + lane] == 64;
  say("lanes", right);
}

__global__ void bits(unsigned *out) {
  unsigned a = 0x12345678, b = 0x9abcdef0;
  out[0] = __builtin_amdgcn_perm(a, b, 0x0c060500);
  out[1] = __builtin_amdgcn_ubfe(a, 8, 12);
  out[2] = __builtin_amdgcn_sbfe(b, 28, 4);
  out[3] = __builtin_amdgcn_sad_u8(0x01ff0203, 0x03010405, 1);
  out[4] = __umul24(0xff000003, 5);
}

static void bytes() {
  Array<unsigned> out(5);
  bits<<<1, 1>>>(out.device);
  out.read();
  say("bytes and bits", out.host[0] == 0x003456f0 && out.host[1] == 0x456 &&
                            out.host[2] == 0xfffffff9 &&
                            out.host[3] == 1 + 2 + 254 + 2 + 2 &&
                            out.host[4] == 15);
}

__global__ void combine(float4 *x) {
  float4 v = x[0];
  v = 2.0f * v + v / 2.0f - make_float4(1, 1, 1, 1);
  v += v;
  x[0] = -v;
}

static void vectors() {
  Array<float4> x(1, make_float4(2, 4, 6, 8));
  combine<<<1, 1>>>(x.device);
  uint4 bits = make_uint4(1, 2, 3, 4);
  bits ^= bits << 4;
  say("vectors", x.read()[0] == make_float4(-8, -18, -28, -38) &&
                     bits == make_uint4(17, 34, 51, 68));
}

/// The marker of the array's lifetime follows its allocation at once.
__global__ void countKeys(int *out, const int *keys, int n) {
  unsigned char table[256];
  for (int i = 0; i < 256; ++i)
    table[i] = 0;
  for (int i = 0; i < n; ++i)
    ++table[keys[i] & 255];
  out[threadIdx.x] = table[keys[threadIdx.x] & 255];
}

static void privateArray() {
  Array<int> out(4), keys(4, 77);
  countKeys<<<1, 4>>>(out.device, keys.device, 4);
  say("private array", out.read()[3] == 4);
}

int main() {
  print<<<1, 32>>>();
  (void)hipDeviceSynchronize();
  properties();
  symbols();
  defaults();
  byName();
  textures();
  cooperativeGroups();
  barriers();
  lanes();
  bytes();
  vectors();
  privateArray();
}
