/// \file
/// Instructions of PTX as LLVM IR: each group by one of its forms.
#include "helpers/PtxTesting.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include <set>

using namespace gpuestimate;
using namespace gpuestimate::testing;

namespace {

struct Translation {
  const char *Ptx, *Ir;
};

class PtxInstructions : public ::testing::TestWithParam<Translation> {};

/// Stores the registers that the instructions write.
constexpr const char *UseOfResults = R"(
  ld.param.u64 %rd19, [p2];
  st.global.v2.b32 [%rd19], {%r1, %r2};
  st.global.v2.f32 [%rd19], {%f1, %f2};
  st.global.v2.b64 [%rd19], {%rd1, %rd2};
  st.global.f64 [%rd19], %fd1;
  st.global.b16 [%rd19], %rs1;
  st.global.b32 [%rd19], %r3;)";

TEST_P(PtxInstructions, HaveTheirMeaning) {
  std::string Ir = irOfKernel(GetParam().Ptx + std::string(UseOfResults));
  EXPECT_TRUE(contains(Ir, GetParam().Ir)) << GetParam().Ptx << "\n" << Ir;
}

// One row per line. Operands are special registers and parameters, so that
// nothing is folded.
// clang-format off
INSTANTIATE_TEST_SUITE_P(Arithmetic, PtxInstructions, ::testing::Values(
    Translation{"mov.u32 %r1, %tid.x; add.s32 %r2, %r1, 5;", "add i32"},
    Translation{"mov.u32 %r1, %tid.x; add.s32 %r2, %r1, 3 * 5 + 2 * 2; st.global.u32 [%rd1], %r2;", ", 19"},
    Translation{"mov.u32 %r1, %ctaid.y; sub.s32 %r2, 5, %r1;", "sub i32 5,"},
    Translation{"mov.u32 %r1, %tid.x; mul.lo.s32 %r2, %r1, %r1;", "mul i32"},
    Translation{"mov.u32 %r1, %tid.x; mul.hi.u32 %r2, %r1, %r1;", "@llvm.nvvm.mulhi.ui("},
    Translation{"mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, %r1;", "mul nuw i64"},
    Translation{"mov.u32 %r1, %tid.x; mad.lo.s32 %r2, %r1, 3, %r1;", "mul i32"},
    Translation{"mov.u32 %r1, %tid.x; div.s32 %r2, %r1, 3;", "sdiv i32"},
    Translation{"mov.u32 %r1, %tid.x; rem.u32 %r2, %r1, 3;", "urem i32"},
    Translation{"mov.u32 %r1, %tid.x; abs.s32 %r2, %r1;", "@llvm.abs.i32("},
    Translation{"mov.u32 %r1, %tid.x; min.u32 %r2, %r1, 9;", "@llvm.umin.i32("},
    Translation{"mov.u32 %r1, %tid.x; max.s32 %r2, %r1, 9;", "@llvm.smax.i32("},
    Translation{"mov.u32 %r1, %tid.x; add.cc.u32 %r2, %r1, 9; addc.u32 %r3, %r1, 0;", "@llvm.uadd.with.overflow.i32("},
    Translation{"mov.u32 %r1, %tid.x; popc.b32 %r2, %r1;", "@llvm.ctpop.i32("},
    Translation{"mov.u32 %r1, %tid.x; clz.b32 %r2, %r1;", "@llvm.ctlz.i32("},
    Translation{"mov.u32 %r1, %tid.x; brev.b32 %r2, %r1;", "@llvm.bitreverse.i32("},
    Translation{"mov.u32 %r1, %tid.x; bfe.u32 %r2, %r1, 4, 8;", ", 255"},
    Translation{"mov.u32 %r1, %tid.x; bfe.s32 %r2, %r1, 4, 8;", "ashr i32"},
    Translation{"mov.u32 %r1, %tid.x; bfi.b32 %r2, %r1, %r1, 4, 8;", ", 4080"},
    Translation{"mov.u32 %r1, %tid.x; prmt.b32 %r2, %r1, %r1, 291;", "@llvm.nvvm.prmt("},
    Translation{"mov.u32 %r1, %tid.x; shf.l.wrap.b32 %r2, %r1, %r1, %r1;", "@llvm.fshl.i32("},
    Translation{"mov.u32 %r1, %tid.x; lop3.b32 %r2, %r1, %r1, %r1, 150;", "xor i32"},
    Translation{"mov.u32 %r1, %tid.x; mov.u32 %r2, %tid.y; lop3.b32 %r3, %r1, %r2, 0, 192;", "and i32"},
    Translation{"mov.u32 %r1, %tid.x; mov.u32 %r2, %tid.y; lop3.b32 %r3, 0, %r1, %r2, 238;", "or i32"},
    Translation{"mov.u32 %r1, %tid.x; lop3.b32 %r2, %r1, 0, 0, 15;", ", -1"},
    Translation{"mov.u32 %r1, %tid.x; dp4a.s32.u32 %r2, %r1, %r1, %r1;", "asm sideeffect \"dp4a.s32.u32 $0, $1, $2, $3;\""},
    Translation{"mov.u32 %r1, %tid.x; shl.b32 %r2, %r1, 40;", "ret void"},
    Translation{"mov.u32 %r1, %tid.x; shr.s32 %r2, %r1, 3;", "ashr i32"}));

INSTANTIATE_TEST_SUITE_P(Reals, PtxInstructions, ::testing::Values(
    Translation{"ld.param.f32 %f1, [p4]; add.f32 %f2, %f1, %f1;", "fadd contract float"},
    Translation{"ld.param.f32 %f1, [p4]; add.rn.f32 %f2, %f1, %f1;", "fadd float"},
    Translation{"ld.param.f32 %f1, [p4]; mul.rz.f32 %f2, %f1, %f1;", "@llvm.nvvm.mul.rz.f("},
    Translation{"ld.param.f32 %f1, [p4]; fma.rn.f32 %f2, %f1, %f1, 0f3F800000;", "@llvm.fma.f32("},
    Translation{"ld.param.f32 %f1, [p4]; div.rn.f32 %f2, %f1, %f1;", "fdiv float"},
    Translation{"ld.param.f32 %f1, [p4]; div.full.f32 %f2, %f1, %f1;", "!fpmath"},
    Translation{"ld.param.f32 %f1, [p4]; rcp.rn.f32 %f2, %f1;", "fdiv float 1.000000e+00"},
    Translation{"ld.param.f32 %f1, [p4]; sqrt.rn.f32 %f2, %f1;", "@llvm.sqrt.f32("},
    Translation{"ld.param.f32 %f1, [p4]; rsqrt.approx.ftz.f32 %f2, %f1;", "@llvm.nvvm.rsqrt.approx.ftz.f("},
    Translation{"ld.param.f32 %f1, [p4]; ex2.approx.f32 %f2, %f1;", "@llvm.nvvm.ex2.approx.f("},
    Translation{"ld.param.f32 %f1, [p4]; sin.approx.f32 %f2, %f1;", "@llvm.nvvm.sin.approx.f("},
    Translation{"ld.param.f32 %f1, [p4]; neg.f32 %f2, %f1;", "fneg float"},
    Translation{"ld.param.f32 %f1, [p4]; max.f32 %f2, %f1, 0f00000000;", "@llvm.maxnum.f32("},
    Translation{"ld.param.f32 %f1, [p4]; cvt.rzi.s32.f32 %r1, %f1;", "fptosi float"},
    Translation{"ld.param.f32 %f1, [p4]; cvt.rmi.s32.f32 %r1, %f1;", "@llvm.nvvm.f2i.rm("},
    Translation{"ld.param.f32 %f1, [p4]; cvt.f64.f32 %fd1, %f1;", "fpext float"},
    Translation{"ld.param.f32 %f1, [p4]; cvt.rn.f16.f32 %rs1, %f1;", "fptrunc float"},
    Translation{"ld.param.f32 %f1, [p4]; cvt.rmi.f32.f32 %f2, %f1;", "@llvm.floor.f32("},
    Translation{"ld.param.f32 %f1, [p4]; cvt.rn.f16x2.f32 %r1, %f1, %f1;", "@llvm.nvvm.ff2f16x2.rn("},
    Translation{"mov.u32 %r1, %tid.x; cvt.rn.f32.s32 %f1, %r1;", "sitofp i32"},
    Translation{"mov.u32 %r1, %tid.x; cvt.u64.u32 %rd1, %r1;", "zext i32"},
    Translation{"mov.u32 %r1, %tid.x; cvt.s64.s32 %rd1, %r1;", "sext i32"},
    Translation{"mov.u32 %r1, %tid.x; fma.rn.f16x2 %r2, %r1, %r1, %r1;", "@llvm.fma.v2f16("},
    Translation{"mov.u32 %r1, %tid.x; fma.rn.bf16x2 %r2, %r1, %r1, %r1;", "@llvm.fma.v2bf16("}));

INSTANTIATE_TEST_SUITE_P(Choices, PtxInstructions, ::testing::Values(
    Translation{"mov.u32 %r1, %tid.x; setp.lt.s32 %p1, %r1, 4; selp.b32 %r2, 1, 2, %p1;", "icmp slt i32"},
    Translation{"mov.u32 %r1, %tid.x; setp.hi.u32 %p1, %r1, 4; selp.b32 %r2, 1, 2, %p1;", "icmp ugt i32"},
    Translation{"mov.u32 %r1, %tid.x; setp.lt.s32 %p1, %r1, 4; setp.eq.and.s32 %p2|%p3, %r1, 7, %p1; selp.b32 %r2, 1, 2, %p2;", "and i1"},
    Translation{"ld.param.f32 %f1, [p4]; setp.neu.f32 %p1, %f1, 0f00000000; selp.f32 %f2, %f1, %f1, %p1;", "fcmp une float"},
    Translation{"mov.u32 %r1, %tid.x; slct.s32.s32 %r2, 1, 2, %r1;", "icmp sge i32"},
    Translation{"mov.u32 %r1, %tid.x; set.gt.u32.u32 %r2, %r1, 3;", "sext i1"},
    // A guarded instruction without an effect is a select.
    Translation{"mov.u32 %r1, %tid.x; setp.lt.s32 %p1, %r1, 4; @!%p1 add.s32 %r1, %r1, 1; bar.sync 0;", "select i1"},
    Translation{"mov.u32 %r1, %tid.x; setp.lt.s32 %p1, %r1, 4; @%p1 bar.sync 0;", "br i1"}));

INSTANTIATE_TEST_SUITE_P(Memory, PtxInstructions, ::testing::Values(
    Translation{"ld.param.u64 %rd1, [p0]; ld.global.nc.f32 %f1, [%rd1]; st.global.f32 [%rd1], %f1;", "!invariant.load"},
    Translation{"ld.param.u64 %rd1, [p0]; ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%rd1]; st.global.v2.f32 [%rd1], {%f4, %f3};", "load <4 x float>"},
    Translation{"ld.param.u64 %rd1, [p0]; ld.volatile.global.u32 %r1, [%rd1];", "load volatile i32"},
    Translation{"ld.param.u64 %rd1, [p0]; ld.global.s8 %r1, [%rd1]; st.global.u32 [%rd1], %r1;", "sext i8"},
    Translation{"ld.param.u64 %rd1, [p0]; ld.global.cg.f32 %f1, [%rd1];", "asm sideeffect \"ld.global.cg.f32 $0, [$1];\""},
    Translation{"ld.param.u64 %rd1, [p0]; atom.global.add.u32 %r1, [%rd1], 1;", "atomicrmw add"},
    Translation{"ld.param.u64 %rd1, [p0]; red.relaxed.gpu.global.add.f32 [%rd1], 0f3F800000;", "atomicrmw fadd"},
    Translation{"ld.param.u64 %rd1, [p0]; atom.global.inc.u32 %r1, [%rd1], 9;", "atomicrmw uinc_wrap"},
    Translation{"ld.param.u64 %rd1, [p0]; atom.global.cas.b32 %r1, [%rd1], 0, 1;", "cmpxchg"},
    Translation{".shared .b8 s[64]; ld.param.u64 %rd1, [p0]; mov.u32 %r1, s; cp.async.cg.shared.global [%r1], [%rd1], 16;", "@llvm.nvvm.cp.async.cg.shared.global.16("},
    Translation{"cp.async.commit_group; cp.async.wait_group 1;", "@llvm.nvvm.cp.async.wait.group(i32 1)"}));

INSTANTIATE_TEST_SUITE_P(Warps, PtxInstructions, ::testing::Values(
    Translation{"bar.sync 0;", "@llvm.nvvm.barrier0()"},
    Translation{"barrier.sync 1, 128;", "@llvm.nvvm.barrier(i32 1, i32 128)"},
    Translation{"bar.warp.sync -1;", "@llvm.nvvm.bar.warp.sync(i32 -1)"},
    Translation{"membar.gl;", "@llvm.nvvm.membar.gl()"},
    Translation{"fence.acq_rel.gpu;", "@llvm.nvvm.membar.gl()"},
    Translation{"mov.u32 %r1, %laneid; shfl.sync.down.b32 %r2|%p1, %r1, 16, 31, -1;", "@llvm.nvvm.shfl.sync.down.i32p(i32 -1"},
    Translation{"mov.u32 %r1, %laneid; setp.lt.s32 %p1, %r1, 4; vote.sync.ballot.b32 %r2, %p1, -1;", "@llvm.nvvm.vote.ballot.sync(i32 -1"},
    Translation{"mov.u32 %r1, %laneid; match.any.sync.b32 %r2, %r1, -1;", "@llvm.nvvm.match.any.sync.i32(i32 -1"},
    Translation{"mov.u32 %r1, %laneid; redux.sync.max.u32 %r2, %r1, -1;", "@llvm.nvvm.redux.sync.umax("},
    Translation{"nanosleep.u32 100;", "@llvm.nvvm.nanosleep(i32 100)"},
    Translation{"activemask.b32 %r1;", "asm sideeffect \"activemask.b32 $0;\", \"=r\""}));

INSTANTIATE_TEST_SUITE_P(TensorCores, PtxInstructions, ::testing::Values(
    Translation{".reg .b32 %q<9>; mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f1,%f2,%f3,%f4}, {%q1,%q2,%q3,%q4}, {%q5,%q6}, {%f1,%f2,%f3,%f4};", "@llvm.nvvm.mma.m16n8k16.row.col.f32.f32("},
    Translation{".reg .b32 %q<9>; mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%f1,%f2,%f3,%f4}, {%q1,%q2,%q3,%q4}, {%q5,%q6}, {%f1,%f2,%f3,%f4};", "@llvm.nvvm.mma.m16n8k16.row.col.bf16("},
    Translation{".reg .b32 %q<9>; .shared .b8 s[512]; mov.u32 %r1, s; ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%q1,%q2,%q3,%q4}, [%r1];", "@llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.trans.b16"},
    // Types that LLVM 19 does not have stay an instruction.
    Translation{".reg .b32 %q<9>; mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 {%f1,%f2,%f3,%f4}, {%q1,%q2,%q3,%q4}, {%q5,%q6}, {%f1,%f2,%f3,%f4};", "asm sideeffect \"mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 {$0, $1, $2, $3}"},
    Translation{".reg .b32 %q<9>; wgmma.fence.sync.aligned; wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f1,%f2,%f3,%f4}, %rd1, %rd2, 1, 1, 1, 0, 0;", "asm sideeffect \"wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {$0, $1, $2, $3}"},
    Translation{"mov.u32 %r1, %tid.x; or.f32 %r2, %r1, %r1;", "asm sideeffect \"or.f32 $0, $1, $2;\""},
    Translation{"mov.u32 %r1, %tid.x; rcp.u32 %r2, %r1;", "asm sideeffect \"rcp.u32 $0, $1;\""},
    Translation{"mov.u32 %r1, %tid.x; sqrt.rn.s32 %r2, %r1;", "asm sideeffect \"sqrt.rn.s32 $0, $1;\""},
    Translation{"mov.u64 %rd1, 0; frobnicate.b32 %r1, [%rd1], 7;", "asm sideeffect \"frobnicate.b32 $0, [$1], 7;\""}));
// clang-format on

TEST(PtxKernels, AreDeclaredAsClangDeclaresThem) {
  PtxUnit Unit = readTestPtx(PtxHead + R"(
.visible .entry _Z5saxpyIfEvifPKT_PS0_(.param .u32 a, .param .f32 b)
.maxntid 256, 1, 1
.minnctapersm 4
{
  ret;
}
.entry required() .reqntid 32, 4 { ret; }
.extern .func other(.param .b32 x);
)");
  ASSERT_EQ(Unit.Kernels.size(), 2u);
  const KernelSource &K = Unit.Kernels[0];
  EXPECT_EQ(K.Name, "saxpy<float>");
  EXPECT_EQ(K.Location.File, "test.ptx");
  EXPECT_EQ(K.Location.Line, 5u);
  EXPECT_EQ(K.MaxThreadsPerBlock, 256u);
  EXPECT_EQ(K.MinBlocksPerSm, 4u);
  ASSERT_EQ(K.Arguments.size(), 2u);
  EXPECT_EQ(K.Arguments[1].Name, "arg1");
  EXPECT_EQ(K.Arguments[1].Kind, KernelArgument::Real);
  EXPECT_EQ(Unit.Kernels[1].MaxThreadsPerBlock, 128u);
  EXPECT_EQ(Unit.Target, "sm_80");
  EXPECT_TRUE(contains(irOf(Unit), "!\"maxntidx\", i32 256"));
  EXPECT_TRUE(contains(irOf(Unit), "!\"reqntidy\", i32 4"));
}

TEST(PtxKernels, HaveThePlacesOfLoc) {
  PtxUnit Unit = readTestPtx(PtxHead + R"(
.file 1 "/src/kernel.py"
.entry k(.param .u64 a) {
  .reg .b64 %rd<4>;
  .loc 1 12 5
  ld.param.u64 %rd1, [a];
  .loc 1 30 7, function_name $L__info_string0, inlined_at 1 14 3
  st.global.u64 [%rd1], %rd1;
  ret;
})");
  EXPECT_EQ(Unit.Kernels[0].Location,
            (SourceLocation{"/src/kernel.py", 12, 5}));
  EXPECT_TRUE(contains(irOf(Unit), "!DILocation(line: 30, column: 7"));
  EXPECT_TRUE(contains(irOf(Unit), "distinct !DILocation(line: 14, column: 3"));
}

// Line 0 marks code that a compiler made. It must not become the line of the
// PTX in the file of the kernel.
TEST(PtxKernels, LineZeroKeepsThePlaceBeforeIt) {
  PtxUnit Unit = readTestPtx(PtxHead + R"(
.file 1 "/src/kernel.py"
.entry k(.param .u64 a) {
  .reg .b64 %rd<4>;
  .loc 1 0 5
  ld.param.u64 %rd1, [a];
  .loc 1 120 5
  add.s64 %rd2, %rd1, 4;
  .loc 1 0 5
  st.global.u64 [%rd1], %rd2;
  ret;
})");
  EXPECT_EQ(Unit.Kernels[0].Location.Line, 120u);
  std::set<unsigned> Lines;
  for (const llvm::Instruction &I :
       llvm::instructions(*Unit.Module->getFunction("k")))
    if (const llvm::DILocation *At = I.getDebugLoc())
      Lines.insert(At->getLine());
  EXPECT_EQ(Lines, std::set<unsigned>{120});
}

TEST(PtxControl, BranchesByATable) {
  std::string Ir = irOfKernel(R"(
  mov.u32 %r1, %tid.x;
  table: .branchtargets A, B;
  brx.idx %r1, table;
A: bar.sync 0;
B: membar.cta;)");
  EXPECT_TRUE(contains(Ir, "switch i32")) << Ir;
}

// Compilers repeat the same labels and registers in blocks of assembly.
TEST(PtxControl, LabelsAndRegistersBelongToTheirBlock) {
  std::string Block = R"({ .reg .pred p; .reg .b32 t;
  AGAIN:
    mov.u32 t, %clock;
    setp.lt.u32 p, t, 100;
    @p bra AGAIN;
  })";
  std::string Ir = irOfKernel(Block + Block);
  EXPECT_EQ(Ir.find("undef"), std::string::npos) << Ir;
}

TEST(PtxControl, RegistersMayBeVectors) {
  std::string Ir = irOfKernel(R"(
  .reg .v4 .f32 %v;
  .reg .v2 .b16 %h<3>;
  ld.param.u64 %rd1, [p0];
  ld.global.v4.f32 %v, [%rd1];
  mov.b32 %h1, %r1;
  st.global.b16 [%rd1], %h1.y;
  st.global.f32 [%rd1], %v.w;)");
  EXPECT_TRUE(contains(Ir, "extractelement <4 x float>")) << Ir;
  EXPECT_TRUE(contains(Ir, "bitcast")) << Ir;
}

// As the compilers of CUDA 3 wrote it.
TEST(PtxControl, OldDeclarationsHaveNoSemicolon) {
  PtxUnit Unit = readTestPtx(R"(.version 2.1
.target sm_20
.reg .u32 %shared;
.visible .func () twice (.param .u32 a)
.visible .func (.param .f32 r) other ()
.entry k (.param .u32 n)
{
  .param .u32 x;
  ld.param.u32 %shared, [n];
  st.param.u32 [x], %shared;
  call twice, (x);
  exit;
}
)");
  EXPECT_TRUE(contains(irOf(Unit), "call void @twice(i32")) << irOf(Unit);
}

TEST(PtxControl, NounrollIsKept) {
  std::string Ir = irOfKernel(R"(
LOOP:
  .pragma "nounroll";
  mov.u32 %r1, %clock;
  setp.lt.u32 %p1, %r1, 100;
  @%p1 bra LOOP;)");
  EXPECT_TRUE(contains(Ir, "!llvm.loop")) << Ir;
}

TEST(PtxControl, CallsGoThroughPrototypes) {
  PtxUnit Unit = readTestPtx(PtxHead + R"(
.func (.param .b32 r) one(.param .b32 a) {
  .reg .b32 %r<3>;
  ld.param.b32 %r1, [a];
  st.param.b32 [r], %r1;
  ret;
}
.entry k(.param .u64 out) {
  .reg .b64 %rd<4>;
  .reg .b32 %r<4>;
  mov.u64 %rd1, one;
  { .param .b32 x;
    .param .b32 z;
    st.param.b32 [x], 1;
    proto : .callprototype (.param .b32 _) _ (.param .b32 _);
    call (z), %rd1, (x), proto;
    ld.param.b32 %r1, [z]; }
  ld.param.u64 %rd2, [out];
  st.global.u32 [%rd2], %r1;
  ret;
})");
  EXPECT_TRUE(contains(irOf(Unit), "(i32 1)")) << irOf(Unit);
}

struct Mistake {
  std::string Ptx, Message;
};

TEST(PtxErrors, NameTheLineAndTheFix) {
  const std::string Begin = PtxHead + ".entry k() {\n.reg .b32 %r<3>;\n";
  const Mistake Mistakes[] = {
      {"", "test.ptx:1: no '.version' directive"},
      {".version 8.0\n", "test.ptx:1: no '.target' directive"},
      {PtxHead + ".entry k(\n", "test.ptx:5: expected '.param' or '.reg'"},
      {PtxHead + "\x01", "test.ptx:4: the character '?' is not part of PTX"},
      {PtxHead + "/* open", "test.ptx:4: a comment without an end"},
      {Begin + "add.s32 %r1, %r2, %q;\nret;\n}",
       "test.ptx:6: '%q' is not declared"},
      {Begin + "add.s32 %r9, %r2, %r1;\nret;\n}",
       "test.ptx:6: '%r9' is no register"},
      {Begin + "bra NOWHERE;\n}",
       "test.ptx:6: the label 'NOWHERE' is not in this function"},
      {Begin + "add.s32 %r1 %r2;\n}", "test.ptx:6: expected ';', got '%r2'"},
      {Begin + "L: ret;\nL: ret;\n}", "test.ptx:7: the label 'L' stands here"},
      {Begin + "call nothing;\n}",
       "test.ptx:6: the function 'nothing' is not declared"},
      {Begin + "mov.b32 %r1, {};\n}",
       "test.ptx:6: expected a vector that is not empty"},
      {Begin + "@%r1 ret;\n}", "test.ptx:6: '%r1' is no predicate"},
      {Begin + "ret;", "test.ptx:6: expected '}' at the end of 'k'"},
      {Begin + "mov.u32 %r1, 99999999999999999999;\n}",
       "test.ptx:6: expected a number of at most 64 bits"},
  };
  for (const Mistake &M : Mistakes)
    EXPECT_TRUE(contains(ptxError(M.Ptx), M.Message)) << M.Ptx << "\n"
                                                      << ptxError(M.Ptx);
}

TEST(PtxFunctions, DeclaredOnesTakeTheTypesOfTheirCalls) {
  std::string Text = irOf(readTestPtx(PtxHead + R"(
.extern .func (.param .b32 func_retval0) __nv_sqrtf(.param .b32 p0);
.extern .func (.param .b32 func_retval0) bits(.param .b32 p0, .param .b64 p1);
.visible .entry k(.param .u64 p) {
  .reg .f32 %f<3>;
  .reg .b32 %r<3>;
  .reg .b64 %rd<3>;
  {
  .param .b32 param0;
  st.param.f32 [param0+0], %f1;
  .param .b32 retval0;
  call.uni (retval0), __nv_sqrtf, (param0);
  ld.param.f32 %f2, [retval0+0];
  }
  {
  .param .b32 param0;
  st.param.b32 [param0+0], %r1;
  .param .b64 param1;
  st.param.b64 [param1+0], %rd1;
  .param .b32 retval0;
  call.uni (retval0), bits, (param0, param1);
  ld.param.b32 %r2, [retval0+0];
  }
  ret;
}
)"));
  EXPECT_TRUE(contains(Text, "declare float @__nv_sqrtf(float)")) << Text;
  EXPECT_TRUE(contains(Text, "declare i32 @bits(i32, i64)")) << Text;
}

TEST(PtxFunctions, AVectorIsNoPointer) {
  readTestPtx(PtxHead + ".entry k(.param .u64 .v4 .ptr .global p) {\n"
                        "  .reg .b32 %r<2>;\n  ld.param.u32 %r1, [p];\n"
                        "  ret;\n}\n");
}

TEST(PtxNoWrap, ADifferenceThatIsExtendedByZerosWrapsUnsigned) {
  // %r6 = %ctaid.x - 1 - %tid.x, where that is not negative.
  std::string Text = irOfKernel(R"(
  ld.param.u64 %rd1, [p0];
  mov.u32 %r1, %tid.x;
  mov.u32 %r4, %ctaid.x;
  not.b32 %r5, %r1;
  add.s32 %r6, %r4, %r5;
  setp.lt.s32 %p1, %r6, 0;
  @%p1 bra $END;
  mul.wide.u32 %rd2, %r6, 4;
  add.s64 %rd3, %rd1, %rd2;
  st.global.u32 [%rd3], %r1;
$END:
)");
  EXPECT_TRUE(contains(Text, "add nsw i32")) << Text;
  EXPECT_FALSE(contains(Text, "add nuw")) << Text;
}

} // namespace
