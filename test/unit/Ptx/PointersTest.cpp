/// \file
/// Addresses of PTX, which are integers, as pointers of LLVM IR.
#include "helpers/PtxTesting.h"

using namespace gpuestimate;
using namespace gpuestimate::testing;

namespace {

TEST(PtxPointers, AParameterThatAnAddressIsDerivedFromIsAPointer) {
  std::string Ir = irOfKernel(R"(
  ld.param.u64 %rd1, [p0];
  cvta.to.global.u64 %rd2, %rd1;
  mov.u32 %r1, %tid.x;
  mul.wide.s32 %rd3, %r1, 4;
  add.s64 %rd4, %rd2, %rd3;
  ld.global.f32 %f1, [%rd4+8];
  st.global.f32 [%rd4], %f1;)");
  EXPECT_TRUE(contains(Ir, "define void @k(ptr %0, i64 %1, i64 %2")) << Ir;
  EXPECT_TRUE(contains(Ir, "getelementptr inbounds [4 x i8], ptr")) << Ir;
  EXPECT_FALSE(contains(Ir, "inttoptr")) << Ir;
}

// Triton writes no cvta: the use as an address tells.
TEST(PtxPointers, NoCvtaIsNeeded) {
  std::string Ir = irOfKernel(R"(
  ld.param.u64 %rd1, [p1];
  mov.u32 %r1, %tid.x;
  mad.wide.u32 %rd2, %r1, 8, %rd1;
  ld.global.b64 %rd3, [%rd2];
  st.global.b64 [%rd2], %rd3;)");
  EXPECT_TRUE(contains(Ir, "define void @k(i64 %0, ptr %1, i64 %2")) << Ir;
  EXPECT_FALSE(contains(Ir, "inttoptr")) << Ir;
}

TEST(PtxPointers, APointerWalksThroughALoop) {
  std::string Ir = irOfKernel(R"(
  ld.param.u64 %rd1, [p0];
  ld.param.u32 %r1, [p3];
  mov.u32 %r2, 0;
LOOP:
  ld.global.f32 %f1, [%rd1];
  add.f32 %f2, %f2, %f1;
  add.s64 %rd1, %rd1, 4;
  add.s32 %r2, %r2, 1;
  setp.lt.s32 %p1, %r2, %r1;
  @%p1 bra LOOP;
  ld.param.u64 %rd2, [p1];
  st.global.f32 [%rd2], %f2;)");
  EXPECT_TRUE(contains(Ir, "phi ptr")) << Ir;
  EXPECT_FALSE(contains(Ir, "inttoptr")) << Ir;
  // The counter is bounded by a signed comparison.
  EXPECT_TRUE(contains(Ir, "add nsw i32")) << Ir;
}

TEST(PtxPointers, ACounterOf64BitsIsComparedAsAWhole) {
  std::string Ir = irOfKernel(R"(
  mov.u64 %rd2, 0;
  ld.param.u64 %rd1, [p0];
LOOP:
  add.s64 %rd3, %rd1, %rd2;
  ld.global.f32 %f1, [%rd3];
  add.f32 %f2, %f2, %f1;
  add.s64 %rd2, %rd2, 32;
  cvt.u32.u64 %r1, %rd2;
  setp.ne.s32 %p1, %r1, 16384;
  @%p1 bra LOOP;
  st.global.f32 [%rd1], %f2;)");
  EXPECT_TRUE(contains(Ir, "icmp ne i64")) << Ir;
}

TEST(PtxPointers, SharedMemoryHasAddressesOf32Bits) {
  std::string Ir = irOfKernel(R"(
  .shared .align 4 .b8 tile[512];
  mov.u32 %r1, %tid.x;
  shl.b32 %r2, %r1, 2;
  mov.u32 %r3, tile;
  add.s32 %r4, %r3, %r2;
  st.shared.u32 [%r4], %r1;)");
  EXPECT_TRUE(contains(Ir, "getelementptr inbounds [4 x i8], ptr addrspace(3) "
                           "@tile"))
      << Ir;
  EXPECT_FALSE(contains(Ir, "inttoptr")) << Ir;
}

TEST(PtxPointers, APointerThatWasLoadedIsLoadedAsOne) {
  std::string Ir = irOfKernel(R"(
  ld.param.u64 %rd1, [p0];
  ld.global.u64 %rd2, [%rd1];
  ld.global.f32 %f1, [%rd2+4];
  st.global.f32 [%rd1+8], %f1;)");
  EXPECT_TRUE(contains(Ir, "load ptr, ptr addrspace(1)")) << Ir;
  EXPECT_FALSE(contains(Ir, "inttoptr")) << Ir;
}

// The pointer is the first operand of the sum, and the load of it a new one.
TEST(PtxPointers, ALoadedPointerKeepsItsOffset) {
  std::string Ir = irOfKernel(R"(
  ld.param.u64 %rd1, [p0];
  ld.global.u64 %rd2, [%rd1];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd4, %r1, 4;
  add.s64 %rd5, %rd2, %rd4;
  st.global.f32 [%rd5], %f1;)");
  EXPECT_TRUE(contains(Ir, "getelementptr inbounds [4 x i8], ptr")) << Ir;
}

// An offset that is a parameter of 64 bits is no pointer.
TEST(PtxPointers, TheOperandThatIsAPointerElsewhereIsTheBase) {
  std::string Ir = irOfKernel(R"(
  ld.param.u64 %rd1, [p0];
  ld.param.u64 %rd2, [p1];
  add.s64 %rd3, %rd1, %rd2;
  ld.global.u8 %rs1, [%rd3];
  st.global.u8 [%rd2], %rs1;)");
  EXPECT_TRUE(contains(Ir, "define void @k(i64 %0, ptr %1, i64 %2")) << Ir;
}

TEST(PtxPointers, MembersOfAStructArePointers) {
  PtxUnit Unit = readTestPtx(PtxHead + R"(
.entry k(.param .align 8 .b8 s[16]) {
  .reg .b64 %rd<4>;
  .reg .f32 %f<4>;
  ld.param.u64 %rd1, [s+8];
  ld.global.f32 %f1, [%rd1];
  st.global.f32 [%rd1+4], %f1;
  ret;
})");
  ASSERT_EQ(Unit.Kernels.size(), 1u);
  ASSERT_EQ(Unit.Kernels[0].Arguments.size(), 1u);
  EXPECT_EQ(Unit.Kernels[0].Arguments[0].Kind, KernelArgument::Aggregate);
  EXPECT_EQ(Unit.Kernels[0].Arguments[0].Bytes, 16u);
  EXPECT_TRUE(contains(irOf(Unit), "load ptr, ptr")) << irOf(Unit);
}

TEST(PtxPointers, DeviceFunctionsTakePointers) {
  PtxUnit Unit = readTestPtx(PtxHead + R"(
.func (.param .f32 r) get(.param .b64 a, .param .b32 i) {
  .reg .b64 %rd<4>;
  .reg .f32 %f<4>;
  .reg .b32 %r<4>;
  ld.param.u64 %rd1, [a];
  ld.param.u32 %r1, [i];
  mul.wide.s32 %rd2, %r1, 4;
  add.s64 %rd3, %rd1, %rd2;
  ld.global.f32 %f1, [%rd3];
  st.param.f32 [r], %f1;
  ret;
}
.entry k(.param .u64 a) {
  .reg .b64 %rd<4>;
  .reg .f32 %f<4>;
  ld.param.u64 %rd1, [a];
  { .param .b64 x;
    .param .b32 y;
    .param .f32 z;
    st.param.b64 [x], %rd1;
    st.param.b32 [y], 7;
    call.uni (z), get, (x, y);
    ld.param.f32 %f1, [z];
  }
  st.global.f32 [%rd1], %f1;
  ret;
})");
  ASSERT_EQ(Unit.Kernels.size(), 1u);
  EXPECT_EQ(Unit.Kernels[0].Arguments[0].Kind, KernelArgument::Pointer);
  EXPECT_EQ(Unit.Kernels[0].Arguments[0].ElementBytes, 4u);
  EXPECT_TRUE(contains(irOf(Unit), "call float @get(ptr %0, i32 7)"))
      << irOf(Unit);
}

} // namespace
