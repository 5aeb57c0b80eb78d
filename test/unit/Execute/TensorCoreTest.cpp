/// \file
/// Matrix instructions, barriers in shared memory and bulk copies in inline
/// PTX, against plain computations.
#include "gpu-estimate/Execute/TensorMap.h"
#include "helpers/ExecuteTesting.h"

using namespace gpuestimate;

namespace {

/// Small integers as bfloat16, which holds them exactly.
uint16_t bf16(int V) {
  float Real = float(V);
  uint32_t Bits;
  std::memcpy(&Bits, &Real, 4);
  return uint16_t(Bits >> 16);
}

int entry(unsigned Row, unsigned Column) {
  return int(Row * 3 + Column * 5) % 7 - 3;
}

/// Rows of packed elements of bfloat16.
std::vector<uint16_t> matrix(unsigned Rows, unsigned Columns) {
  std::vector<uint16_t> Result;
  for (unsigned R = 0; R < Rows; ++R)
    for (unsigned C = 0; C < Columns; ++C)
      Result.push_back(bf16(entry(R, C)));
  return Result;
}

/// Row of A times row of B, both K long.
int product(unsigned RowOfA, unsigned RowOfB, unsigned K) {
  int Sum = 0;
  for (unsigned I = 0; I < K; ++I)
    Sum += entry(RowOfA, I) * entry(RowOfB, I);
  return Sum;
}

constexpr const char *Address =
    "__device__ unsigned shared(const void *p) {"
    "  return (unsigned)__cvta_generic_to_shared(p); }\n";

TEST(TensorCore, MultipliesFragmentsThatLdmatrixLoads) {
  ExecutedKernel K(
      std::string(Address) +
      "__global__ void k(const uint4 *a, const uint4 *b, float *d) {"
      "  __shared__ __align__(16) unsigned short sa[16 * 16], sb[8 * 16];"
      "  int t = threadIdx.x;"
      "  ((uint4 *)sa)[t] = a[t];"
      "  if (t < 16) ((uint4 *)sb)[t] = b[t];"
      "  __syncthreads();"
      "  unsigned a0, a1, a2, a3, b0, b1; float c[4] = {1, 2, 3, 4};"
      "  asm volatile(\"ldmatrix.sync.aligned.m8n8.x4.shared.b16 "
      "{%0, %1, %2, %3}, [%4];\""
      "    : \"=r\"(a0), \"=r\"(a1), \"=r\"(a2), \"=r\"(a3)"
      "    : \"r\"(shared(&sa[t % 16 * 16 + t / 16 * 8])));"
      "  asm volatile(\"ldmatrix.sync.aligned.m8n8.x2.shared.b16 "
      "{%0, %1}, [%2];\" : \"=r\"(b0), \"=r\"(b1)"
      "    : \"r\"(shared(&sb[t % 8 * 16 + t / 8 % 2 * 8])));"
      "  asm volatile(\"mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
      "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};\""
      "    : \"+f\"(c[0]), \"+f\"(c[1]), \"+f\"(c[2]), \"+f\"(c[3])"
      "    : \"r\"(a0), \"r\"(a1), \"r\"(a2), \"r\"(a3), \"r\"(b0), "
      "\"r\"(b1));"
      "  for (int i = 0; i < 4; ++i)"
      "    d[(t / 4 + i / 2 * 8) * 8 + t % 4 * 2 + i % 2] = c[i];"
      "}");
  std::vector<uint16_t> A = matrix(16, 16), B = matrix(8, 16);
  std::vector<float> D(16 * 8);
  K.pass(A).pass(B).pass(D);
  K.runAll({1, 1, 1}, {32, 1, 1});
  for (unsigned Row = 0; Row < 16; ++Row)
    for (unsigned Column = 0; Column < 8; ++Column)
      EXPECT_EQ(D[Row * 8 + Column],
                product(Row, Column, 16) + int(1 + Row / 8 * 2 + Column % 2))
          << Row << " " << Column;
}

TEST(TensorCore, MultipliesBytes) {
  ExecutedKernel K(
      "__global__ void k(const unsigned *a, const unsigned *b, int *d) {"
      "  int t = threadIdx.x, g = t / 4, c = t % 4; int s[4] = {};"
      "  asm volatile(\"mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 "
      "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};\""
      "    : \"+r\"(s[0]), \"+r\"(s[1]), \"+r\"(s[2]), \"+r\"(s[3])"
      "    : \"r\"(a[g * 8 + c]), \"r\"(a[(g + 8) * 8 + c]),"
      "      \"r\"(a[g * 8 + c + 4]), \"r\"(a[(g + 8) * 8 + c + 4]),"
      "      \"r\"(b[g * 8 + c]), \"r\"(b[g * 8 + c + 4]));"
      "  for (int i = 0; i < 4; ++i)"
      "    d[(g + i / 2 * 8) * 8 + c * 2 + i % 2] = s[i];"
      "}");
  std::vector<int8_t> A, B;
  for (unsigned R = 0; R < 16; ++R)
    for (unsigned C = 0; C < 32; ++C) {
      A.push_back(int8_t(entry(R, C)));
      if (R < 8)
        B.push_back(int8_t(entry(R, C)));
    }
  std::vector<int> D(16 * 8);
  K.pass(A).pass(B).pass(D);
  K.runAll({1, 1, 1}, {32, 1, 1});
  for (unsigned Row = 0; Row < 16; ++Row)
    for (unsigned Column = 0; Column < 8; ++Column)
      EXPECT_EQ(D[Row * 8 + Column], product(Row, Column, 32));
}

TEST(TensorCore, TransposesAndStoresMatrices) {
  ExecutedKernel K(
      std::string(Address) +
      "__global__ void k(const unsigned *in, unsigned *out) {"
      "  __shared__ __align__(16) unsigned short s[2][8][8];"
      "  int t = threadIdx.x; unsigned turned;"
      "  asm volatile(\"movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;\""
      "    : \"=r\"(turned) : \"r\"(in[t]));"
      "  asm volatile(\"stmatrix.sync.aligned.m8n8.x2.shared.b16 [%0], "
      "{%1, %2};\" :: \"r\"(shared(&s[t / 8 % 2][t % 8][0])),"
      "    \"r\"(in[t]), \"r\"(turned) : \"memory\");"
      "  __syncwarp();"
      "  for (int i = 0; i < 2; ++i) out[i * 32 + t] = ((unsigned *)s[i])[t];"
      "}");
  std::vector<uint16_t> In, Out(2 * 64);
  for (int I = 0; I < 64; ++I)
    In.push_back(uint16_t(I));
  K.pass(In).pass(Out);
  K.runAll({1, 1, 1}, {32, 1, 1});
  for (int Row = 0; Row < 8; ++Row)
    for (int Column = 0; Column < 8; ++Column) {
      EXPECT_EQ(Out[Row * 8 + Column], Row * 8 + Column);
      EXPECT_EQ(Out[64 + Row * 8 + Column], Column * 8 + Row);
    }
}

/// What kernels with barriers in shared memory have in common.
constexpr const char *Barriers =
    "__device__ void init(unsigned long long *b, int n) {"
    "  asm volatile(\"mbarrier.init.shared::cta.b64 [%0], %1;\""
    "    :: \"r\"(shared(b)), \"r\"(n)); }\n"
    "__device__ void expect(unsigned long long *b, int n) {"
    "  asm volatile(\"mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;\""
    "    :: \"r\"(shared(b)), \"r\"(n) : \"memory\"); }\n"
    "__device__ void wait(unsigned long long *b, int parity) {"
    "  asm volatile(\"{ .reg .pred p; again_%=:"
    " mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;"
    " @p bra done_%=; bra again_%=; done_%=: }\""
    "    :: \"r\"(shared(b)), \"r\"(parity) : \"memory\"); }\n";

TEST(TensorCore, WaitsForBulkCopies) {
  ExecutedKernel K(
      std::string(Address) + Barriers +
      "__global__ void k(int *in, int *out) {"
      "  __shared__ __align__(128) int s[2][64];"
      "  __shared__ unsigned long long full; int t = threadIdx.x;"
      "  if (t == 0) init(&full, 1);"
      "  __syncthreads();"
      "  for (int step = 0; step < 2; ++step) {"
      "    if (t == 32) {"
      "      expect(&full, 256);"
      "      asm volatile(\"cp.async.bulk.shared::cluster.global.mbarrier"
      "::complete_tx::bytes [%0], [%1], %2, [%3];\""
      "        :: \"r\"(shared(s[step])), \"l\"(in + step * 64), \"r\"(256),"
      "           \"r\"(shared(&full)) : \"memory\");"
      "    }"
      "    wait(&full, step & 1);"
      "    s[step][t] += t;"
      "    __syncthreads();"
      "  }"
      "  if (t == 0)"
      "    asm volatile(\"cp.async.bulk.global.shared::cta.bulk_group"
      " [%0], [%1], %2;\" :: \"l\"(out), \"r\"(shared(s)), \"r\"(512)"
      "      : \"memory\");"
      "  asm volatile(\"cp.async.bulk.commit_group;\");"
      "  asm volatile(\"cp.async.bulk.wait_group 0;\" ::: \"memory\");"
      "}");
  std::vector<int> In, Out(128);
  for (int I = 0; I < 128; ++I)
    In.push_back(I * I);
  K.pass(In).pass(Out);
  K.runAll({1, 1, 1}, {64, 1, 1});
  for (int I = 0; I < 128; ++I)
    EXPECT_EQ(Out[I], I * I + I % 64);
}

TEST(TensorCore, MultipliesInAWarpgroupWhatATensorCopyBrings) {
  // 64 x 64 times 64 x 16: rows of 128 bytes, swizzled.
  ExecutedKernel K(
      std::string(Address) + Barriers +
      "struct Map { unsigned long long bytes[16]; };"
      "__global__ void k(Map a, Map b, float *d) {"
      "  __shared__ __align__(1024) unsigned short sa[64 * 64], sb[16 * 64];"
      "  __shared__ unsigned long long full; int t = threadIdx.x;"
      "  if (t == 0) {"
      "    init(&full, 1);"
      "    expect(&full, sizeof(sa) + sizeof(sb));"
      "    for (int i = 0; i < 2; ++i)"
      "      asm volatile(\"cp.async.bulk.tensor.2d.shared::cluster.global.tile"
      ".mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];\""
      "        :: \"r\"(i ? shared(sb) : shared(sa)), \"l\"(i ? &b : &a),"
      "           \"r\"(0), \"r\"(0), \"r\"(shared(&full)) : \"memory\");"
      "  }"
      "  __syncthreads();"
      "  wait(&full, 0);"
      "  auto describe = [](const void *p) {"
      "    unsigned long long at = shared(p);"
      "    return (at & 0x3ffff) >> 4 | 1ull << 16 | 64ull << 32 | 1ull << 62;"
      "  };"
      "  float c[8];"
      "  asm volatile(\"wgmma.fence.sync.aligned;\" ::: \"memory\");"
      "  for (int step = 0; step < 4; ++step)"
      "    asm volatile(\"{ .reg .pred p; setp.ne.b32 p, %10, 0;"
      " wgmma.mma_async.sync.aligned.m64n16k16.f32.bf16.bf16"
      " {%0, %1, %2, %3, %4, %5, %6, %7}, %8, %9, p, 1, 1, 0, 0; }\""
      "      : \"+f\"(c[0]), \"+f\"(c[1]), \"+f\"(c[2]), \"+f\"(c[3]),"
      "        \"+f\"(c[4]), \"+f\"(c[5]), \"+f\"(c[6]), \"+f\"(c[7])"
      "      : \"l\"(describe(sa + step * 16)), \"l\"(describe(sb + step * "
      "16)),"
      "        \"r\"(step));"
      "  asm volatile(\"wgmma.commit_group.sync.aligned;\");"
      "  asm volatile(\"wgmma.wait_group.sync.aligned 0;\" ::: \"memory\");"
      "  for (int i = 0; i < 8; ++i)"
      "    d[(t / 32 * 16 + t % 32 / 4 + i / 2 % 2 * 8) * 16"
      "      + t % 4 * 2 + i % 2 + i / 4 * 8] = c[i];"
      "}");
  std::vector<uint16_t> A = matrix(64, 64), B = matrix(16, 64);
  auto MapOf = [&](std::vector<uint16_t> &M, unsigned Rows) {
    TensorMap Map;
    void *Device = K.Exec->memory().allocate(M.size() * sizeof(M[0]));
    std::memcpy(Device, M.data(), M.size() * sizeof(M[0]));
    Map.Address = reinterpret_cast<uint64_t>(Device);
    Map.Dimensions = 2;
    Map.SwizzledRow = 128;
    Map.Pitch[0] = 2;
    Map.Pitch[1] = 128;
    Map.Size[0] = Map.Box[0] = 64;
    Map.Size[1] = Map.Box[1] = uint16_t(Rows);
    Map.Step[0] = Map.Step[1] = 1;
    std::array<uint64_t, 16> Bytes = {};
    std::memcpy(Bytes.data(), &Map, sizeof(Map));
    return Bytes;
  };
  std::vector<float> D(64 * 16);
  K.pass(MapOf(A, 64)).pass(MapOf(B, 16)).pass(D);
  K.runAll({1, 1, 1}, {128, 1, 1});
  for (unsigned Row = 0; Row < 64; ++Row)
    for (unsigned Column = 0; Column < 16; ++Column)
      EXPECT_EQ(D[Row * 16 + Column], product(Row, Column, 64))
          << Row << " " << Column;
}

TEST(TensorCore, ElectsALaneAndIgnoresHints) {
  ExecutedKernel K(
      "__global__ void k(unsigned *d) {"
      "  unsigned chosen;"
      "  asm volatile(\"griddepcontrol.wait;\" ::: \"memory\");"
      "  asm volatile(\"{ .reg .pred p; elect.sync _|p, 0xffffffff;"
      " selp.b32 %0, 1, 0, p; }\" : \"=r\"(chosen));"
      "  d[threadIdx.x] = chosen;"
      "}");
  std::vector<uint32_t> D(64, 7);
  K.pass(D);
  K.runAll({1, 1, 1}, {64, 1, 1});
  for (unsigned I = 0; I < 64; ++I)
    EXPECT_EQ(D[I], I % 32 == 0);
}

} // namespace
