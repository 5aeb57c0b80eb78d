/// \file
/// Matrix multiply-accumulate of a warp (mma.sync): latency of a chain through
/// the accumulator, and multiply-adds of a multiprocessor for each cycle. On
/// AMD nothing is measured. Hopper's warp-group instructions are faster than
/// these, which is what kernels without them get.
#include "bench.h"

using namespace bench;

#if !BENCH_HIP

static constexpr int Unroll = 16;

namespace {

struct Registers {
  unsigned A[4], B[4], C[4];
};

#define MMA(NAME, MACS, TEXT, ...)                                             \
  struct NAME {                                                                \
    static constexpr const char *name() { return #NAME; }                      \
    static constexpr double Macs = MACS;                                       \
    __device__ static void step(Registers &R) {                                \
      asm volatile(TEXT __VA_ARGS__);                                          \
    }                                                                          \
  };

#define C4 "+r"(R.C[0]), "+r"(R.C[1]), "+r"(R.C[2]), "+r"(R.C[3])
#define A4 "r"(R.A[0]), "r"(R.A[1]), "r"(R.A[2]), "r"(R.A[3])
#define B2 "r"(R.B[0]), "r"(R.B[1])

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
MMA(tensor_fp16, 16 * 8 * 16,
    "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
    "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};",
    : C4 : A4, B2)
MMA(tensor_tf32, 16 * 8 * 8,
    "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 "
    "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};",
    : C4 : A4, B2)
MMA(tensor_int8, 16 * 8 * 32,
    "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 "
    "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};",
    : C4 : A4, B2)
struct tensor_fp64 {
  static constexpr const char *name() { return "tensor_fp64"; }
  static constexpr double Macs = 8 * 8 * 4;
  __device__ static void step(Registers &R) {
    double *C = reinterpret_cast<double *>(R.C);
    double A = __hiloint2double(R.A[0], R.A[1]);
    double B = __hiloint2double(R.B[0], R.B[1]);
    asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 "
                 "{%0,%1}, {%2}, {%3}, {%0,%1};"
                 : "+d"(C[0]), "+d"(C[1])
                 : "d"(A), "d"(B));
  }
};
#else
// Turing: smaller shapes, and no tf32 or fp64.
MMA(tensor_fp16, 16 * 8 * 8,
    "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 "
    "{%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};",
    : C4 : "r"(R.A[0]), "r"(R.A[1]), "r"(R.B[0]))
MMA(tensor_int8, 8 * 8 * 16,
    "mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 "
    "{%0,%1}, {%2}, {%3}, {%0,%1};",
    : "+r"(R.C[0]), "+r"(R.C[1]) : "r"(R.A[0]), "r"(R.B[0]))
struct tensor_tf32 {
  static constexpr const char *name() { return "tensor_tf32"; }
  static constexpr double Macs = 0;
  __device__ static void step(Registers &) {}
};
struct tensor_fp64 {
  static constexpr const char *name() { return "tensor_fp64"; }
  static constexpr double Macs = 0;
  __device__ static void step(Registers &) {}
};
#endif

} // namespace

template <class Op, int Chains>
__global__ void chains(unsigned Seed, int Rounds, long long *Cycles,
                       unsigned *Sink) {
  Registers R[Chains];
  for (int C = 0; C < Chains; ++C)
    for (int I = 0; I < 4; ++I) { // each in a register of its own
      R[C].A[I] = Seed * (threadIdx.x + 12 * C + I);
      R[C].B[I] = Seed * (threadIdx.x + 12 * C + 4 + I);
      R[C].C[I] = Seed * (threadIdx.x + 12 * C + 8 + I);
    }
  long long Start = 0, Stop = 0;
  for (int Warm = 0; Warm < 2; ++Warm) {
    __syncthreads();
    Start = clock64();
#pragma unroll 1
    for (int Round = 0; Round < Rounds; ++Round)
#pragma unroll
      for (int I = 0; I < Unroll; ++I)
#pragma unroll
        for (int C = 0; C < Chains; ++C)
          Op::step(R[C]);
    __syncthreads();
    Stop = clock64();
  }
  unsigned Sum = 0;
  for (int C = 0; C < Chains; ++C)
    for (int I = 0; I < 4; ++I)
      Sum += R[C].C[I];
  Sink[threadIdx.x] = Sum;
  if (threadIdx.x == 0)
    Cycles[blockIdx.x] = Stop - Start;
}

template <class Op> static void measure(const Session &S) {
  // The host side knows Ampere's shapes; those of Turing do fewer.
  if (S.Major < 7 || (S.Major == 7 && S.Minor < 5))
    return;
  bool Turing = S.Major == 7;
  const char *Name = Op::name();
  double Macs = Op::Macs;
  if (Turing && std::strcmp(Name, "tensor_fp16") == 0)
    Macs = 16 * 8 * 8;
  else if (Turing && std::strcmp(Name, "tensor_int8") == 0)
    Macs = 8 * 8 * 16;
  else if (Turing)
    return;
  Buffer<long long> Cycles(S.SmCount);
  Buffer<unsigned> Sink(512);
  int Rounds = S.Quick ? 16 : 64;
  auto Latency = [&] {
    chains<Op, 1><<<1, 32>>>(1, Rounds, Cycles.get(), Sink.get());
    CHECK_LAUNCH();
    return static_cast<double>(Cycles.take()[0]) / (double(Rounds) * Unroll);
  };
  S.report("latency", {{"operation", Name}}, repeat(S.repetitions(), Latency),
           "cycles");
  auto Throughput = [&] {
    chains<Op, 4><<<S.SmCount, 512>>>(1, Rounds, Cycles.get(), Sink.get());
    CHECK_LAUNCH();
    return Macs * Rounds * Unroll * 4 * (512 / 32) / median(Cycles.take());
  };
  S.report("throughput", {{"operation", Name}},
           repeat(S.repetitions(), Throughput), "/cycle");
}
#endif

int main(int ArgCount, char **Args) {
  Session S("tensor", ArgCount, Args);
#if !BENCH_HIP
  measure<tensor_fp16>(S);
  measure<tensor_tf32>(S);
  measure<tensor_fp64>(S);
  measure<tensor_int8>(S);
#endif
}
