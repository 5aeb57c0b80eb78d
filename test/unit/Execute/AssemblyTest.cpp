/// \file
/// Inline PTX of kernels that run on the host.
#include "helpers/ExecuteTesting.h"

using namespace gpuestimate;

namespace {

/// Runs one statement with the operands x, y and z in each of 32 threads; the
/// results.
std::vector<int> run(const std::string &Text, std::vector<int> X, int Y,
                     int Z) {
  std::string Source = "__global__ void k(unsigned *x, unsigned y, unsigned z) "
                       "{ unsigned r; asm volatile(\"" +
                       Text +
                       "\" : \"=r\"(r) : \"r\"(x[threadIdx.x]), \"r\"(y), "
                       "\"r\"(z) : \"memory\"); x[threadIdx.x] = r; }";
  ExecutedKernel K(Source);
  X.resize(32, X.front());
  K.pass(X).pass(Y).pass(Z);
  K.runAll({1, 1, 1}, {32, 1, 1});
  return X;
}

int first(const std::string &Text, int X, int Y, int Z) {
  return run(Text, {X}, Y, Z).front();
}

TEST(Assembly, ComputesWithIntegers) {
  EXPECT_EQ(first("mad.lo.s32 %0, %1, %2, %3;", -3, 5, 100), 85);
  EXPECT_EQ(first("mul.hi.u32 %0, %1, %2;", -1, -1, 0), -2);
  EXPECT_EQ(first("min.s32 %0, %1, %2;", -3, 5, 0), -3);
  EXPECT_EQ(first("min.u32 %0, %1, %2;", -3, 5, 0), 5);
  EXPECT_EQ(first("sad.s32 %0, %1, %2, %3;", -3, 5, 7), 15);
}

TEST(Assembly, PacksTwoHalves) {
  auto Pack = [](const std::string &Instruction) {
    return "{ .reg .f32 a, b; mov.b32 a, %1; mov.b32 b, %2; " + Instruction +
           " %0, a, b; }";
  };
  constexpr int One = 0x3f800000, MinusTwo = int(0xc0000000);
  // The first operand is the upper half.
  EXPECT_EQ(first(Pack("cvt.rn.f16x2.f32"), One, MinusTwo, 0), 0x3c00c000);
  EXPECT_EQ(first(Pack("cvt.rn.bf16x2.f32"), One, MinusTwo, 0), 0x3f80c000);
  EXPECT_EQ(first(Pack("cvt.rn.relu.f16x2.f32"), One, MinusTwo, 0), 0x3c000000);
}

TEST(Assembly, ShiftsEverythingOutFromTheWidthOn) {
  EXPECT_EQ(first("shl.b32 %0, %1, %2;", 3, 4, 0), 48);
  EXPECT_EQ(first("shl.b32 %0, %1, %2;", 3, 32, 0), 0);
  EXPECT_EQ(first("shr.s32 %0, %1, %2;", -8, 40, 0), -1);
  EXPECT_EQ(first("shf.l.wrap.b32 %0, %1, %2, %3;", 0x80000000, 1, 1), 3);
}

TEST(Assembly, MovesFieldsOfBits) {
  EXPECT_EQ(first("bfe.u32 %0, %1, %2, %3;", 0xabcdef12, 8, 12), 0xdef);
  EXPECT_EQ(first("bfi.b32 %0, %1, %2, %3, 8;", 0xff, 0, 4), 0xff0);
  EXPECT_EQ(first("lop3.b32 %0, %1, %2, %3, 0x96;", 5, 3, 9), 5 ^ 3 ^ 9);
  const char *Clamp = "bmsk.clamp.b32 %0, %1, %2;";
  EXPECT_EQ(first(Clamp, 4, 8, 0), 0xff0);
  EXPECT_EQ(first(Clamp, 28, 8, 0), int(0xf0000000));
  EXPECT_EQ(first(Clamp, 0, 32, 0), -1);
  EXPECT_EQ(first(Clamp, 32, 4, 0), 0);
  EXPECT_EQ(first(Clamp, 5, 0, 0), 0);
  EXPECT_EQ(first("bmsk.wrap.b32 %0, %1, %2;", 36, 4, 0), 0xf0);
  EXPECT_EQ(first("bfind.u32 %0, %1;", 0x1234, 0, 0), 12);
  EXPECT_EQ(first("bfind.u32 %0, %1;", 0, 0, 0), -1);
  EXPECT_EQ(first("dp4a.s32.s32 %0, %1, %2, %3;", 0x01ff0203, 0x01010101, 10),
            10 + 1 - 1 + 2 + 3);
}

TEST(Assembly, MultipliesHalvesByBytes) {
  // -1 and 2 times the bytes 3 and -4, or 5 and 6.
  constexpr int Halves = 0x0002ffff, Bytes = 0x0605fc03;
  EXPECT_EQ(first("dp2a.s32.s32.lo %0, %1, %2, %3;", Halves, Bytes, 10),
            10 - 3 - 8);
  EXPECT_EQ(first("dp2a.s32.s32.hi %0, %1, %2, %3;", Halves, Bytes, 10),
            10 - 5 + 12);
  EXPECT_EQ(first("dp2a.u32.u32.lo %0, %1, %2, %3;", Halves, Bytes, 0),
            0xffff * 3 + 2 * 0xfc);
}

TEST(Assembly, ExtendsLowBits) {
  EXPECT_EQ(first("szext.wrap.u32 %0, %1, %2;", 0xabcd, 8, 0), 0xcd);
  EXPECT_EQ(first("szext.wrap.s32 %0, %1, %2;", 0xabcd, 8, 0), int(0xffffffcd));
  EXPECT_EQ(first("szext.wrap.s32 %0, %1, %2;", 0xabcd, 32, 0), 0);
  EXPECT_EQ(first("szext.clamp.s32 %0, %1, %2;", 0xabcd, 40, 0), 0xabcd);
}

TEST(Assembly, TellsKindsOfReals) {
  auto Is = [](const char *Kind, uint32_t Bits) {
    return first(("{ .reg .pred p; .reg .f32 x; mov.b32 x, %1; testp." +
                  std::string(Kind) + ".f32 p, x; selp.u32 %0, 1, 0, p; }")
                     .c_str(),
                 int(Bits), 0, 0);
  };
  constexpr uint32_t One = 0x3f800000, Infinity = 0x7f800000, Nan = 0x7fc00000,
                     Tiny = 1;
  EXPECT_EQ(Is("finite", One), 1);
  EXPECT_EQ(Is("finite", Infinity), 0);
  EXPECT_EQ(Is("infinite", Infinity | 0x80000000), 1);
  EXPECT_EQ(Is("number", Infinity), 1);
  EXPECT_EQ(Is("number", Nan), 0);
  EXPECT_EQ(Is("notanumber", Nan), 1);
  EXPECT_EQ(Is("normal", One), 1);
  EXPECT_EQ(Is("normal", Tiny), 0);
  EXPECT_EQ(Is("subnormal", Tiny), 1);
}

TEST(Assembly, CarriesFromOneStatementToTheNext) {
  EXPECT_EQ(first("{ .reg .u32 low; add.cc.u32 low, %1, %2;"
                  " addc.u32 %0, %3, 10; }",
                  -1, 1, 5),
            16);
  EXPECT_EQ(first("{ .reg .u32 low; sub.cc.u32 low, %1, %2;"
                  " subc.u32 %0, %3, 0; }",
                  0, 1, 5),
            4);
}

TEST(Assembly, GuardsAResult) {
  std::string Clamp = "{ .reg .pred p; mov.u32 %0, %1;"
                      " setp.gt.s32 p, %1, %2; @p mov.u32 %0, %2; }";
  EXPECT_EQ(first(Clamp, 7, 5, 0), 5);
  EXPECT_EQ(first(Clamp, 3, 5, 0), 3);
}

TEST(Assembly, SumsOverAWarpByGuardedShuffles) {
  // The step of an inclusive scan, as libraries write it.
  std::vector<int> In(32, 1);
  auto Out = run("{ .reg .u32 r; .reg .pred p; mov.u32 %0, %1;"
                 " shfl.sync.up.b32 r|p, %1, 1, 0, 0xffffffff;"
                 " @p add.u32 %0, %0, r; }",
                 In, 0, 0);
  EXPECT_EQ(Out[0], 1);
  for (unsigned I = 1; I < 32; ++I)
    EXPECT_EQ(Out[I], 2);
  Out = run("{ .reg .pred p; setp.gt.u32 p, %1, %2;"
            " vote.sync.ballot.b32 %0, p, 0xffffffff; }",
            {0, 1, 2, 3}, 1, 0);
  EXPECT_EQ(Out[5], 0xc);
}

TEST(Assembly, ReadsSpecialRegisters) {
  auto Out = run("mov.u32 %0, %%laneid;", {0}, 0, 0);
  EXPECT_EQ(Out[17], 17);
  Out = run("mov.u32 %0, %%lanemask_lt;", {0}, 0, 0);
  EXPECT_EQ(Out[4], 0xf);
}

TEST(Assembly, AccessesMemoryOfEverySpace) {
  ExecutedKernel K(
      "__global__ void k(unsigned *p) {"
      "  __shared__ unsigned s[32]; unsigned t = threadIdx.x, r, old;"
      "  unsigned a = (unsigned)__cvta_generic_to_shared(&s[t]);"
      "  asm volatile(\"st.shared.u32 [%0], %1;\" :: \"r\"(a), \"r\"(t * 3));"
      "  asm volatile(\"bar.sync 0;\");"
      "  a = (unsigned)__cvta_generic_to_shared(&s[31 - t]);"
      "  asm volatile(\"ld.shared.u32 %0, [%1];\" : \"=r\"(r) : \"r\"(a));"
      "  p[t] = r;"
      "  asm volatile(\"atom.global.add.u32 %0, [%1], %2;\""
      "    : \"=r\"(old) : \"l\"(p + 32), \"r\"(2));"
      "  unsigned v[2];"
      "  asm volatile(\"ld.global.v2.u32 {%0, %1}, [%2 + 8];\""
      "    : \"=r\"(v[0]), \"=r\"(v[1]) : \"l\"(p + 32));"
      "  p[36 + t] = v[0] + v[1];"
      "}");
  std::vector<int> P(68, 0);
  P[34] = 40;
  P[35] = 2;
  K.pass(P);
  K.runAll({1, 1, 1}, {32, 1, 1});
  for (int I = 0; I < 32; ++I) {
    EXPECT_EQ(P[I], 3 * (31 - I));
    EXPECT_EQ(P[36 + I], 42);
  }
  EXPECT_EQ(P[32], 64);
}

TEST(Assembly, EndsAThreadFromWithinAFunction) {
  ExecutedKernel K("__device__ __noinline__ void leave(int *p, int t) {"
                   "  if (t & 1) asm volatile(\"exit;\");"
                   "  p[t] += 1;"
                   "}"
                   "__device__ __noinline__ int outer(int *p, int t) {"
                   "  leave(p, t); return 10;"
                   "}"
                   "__global__ void k(int *p) {"
                   "  int t = threadIdx.x; p[t] = 1;"
                   "  p[t] += outer(p, t); __syncthreads(); leave(p, t);"
                   "}");
  std::vector<int> P(32, 0);
  K.pass(P);
  K.runAll({1, 1, 1}, {32, 1, 1});
  for (int I = 0; I < 32; ++I)
    EXPECT_EQ(P[I], I & 1 ? 1 : 13);
}

TEST(Assembly, ComputesLanesOfARegister) {
  ExecutedKernel K(
      "__global__ void k(unsigned *p) {"
      "  unsigned a = 0x7fff8001, b = 0x0001ffff;"
      "  p[0] = __vadd2(a, b); p[1] = __vaddss2(a, b); p[2] = __vaddus2(a, b);"
      "  p[3] = __vabs2(0x8000ffff); p[4] = __vabsdiffs2(a, b);"
      "  p[5] = __vavgs2(0x0003fffd, 0); p[6] = __vavgu4(0x01020304, 0);"
      "  p[7] = __vmins2(a, b); p[8] = __vmaxu2(a, b);"
      "  p[9] = __vsetlts2(a, b); p[10] = __vsads2(a, b);"
      "  p[11] = __vsubus4(0x01020304, 0x02010401);"
      "}");
  std::vector<unsigned> P(12, 0);
  K.pass(P);
  K.runAll({1, 1, 1}, {1, 1, 1});
  EXPECT_EQ(P[0], 0x80008000u);
  EXPECT_EQ(P[1], 0x7fff8000u);
  EXPECT_EQ(P[2], 0x8000ffffu);
  EXPECT_EQ(P[3], 0x80000001u);
  EXPECT_EQ(P[4], 0x7ffe7ffeu);
  EXPECT_EQ(P[5], 0x0002fffeu);
  EXPECT_EQ(P[6], 0x01010202u);
  EXPECT_EQ(P[7], 0x00018001u);
  EXPECT_EQ(P[8], 0x7fffffffu);
  EXPECT_EQ(P[9], 0x00000001u);
  EXPECT_EQ(P[10], 0xfffcu);
  EXPECT_EQ(P[11], 0x00010003u);
}

TEST(Assembly, EndsAThread) {
  ExecutedKernel K("__global__ void k(int *p) {"
                   "  int t = threadIdx.x; p[t] = 1;"
                   "  if (t & 1) asm volatile(\"exit;\");"
                   "  __syncwarp(__activemask()); p[t] = 2;"
                   "}");
  std::vector<int> P(32, 0);
  K.pass(P);
  K.runAll({1, 1, 1}, {32, 1, 1});
  for (int I = 0; I < 32; ++I)
    EXPECT_EQ(P[I], I & 1 ? 1 : 2);
}

} // namespace
