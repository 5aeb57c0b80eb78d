/// \file
/// What addresses in PTX cost: the instructions that ptxas 13.0 makes of them
/// for sm_80.
#include "gpu-estimate/Ptx/ReadPtx.h"
#include "helpers/LoweringTesting.h"

using namespace gpuestimate;
using namespace gpuestimate::testing;

namespace {

/// Instructions that compute addresses and counters.
struct AddressWork {
  unsigned Adds = 0, Products = 0, Shifts = 0;
  bool operator==(const AddressWork &) const = default;
};

void PrintTo(const AddressWork &W, std::ostream *OS) {
  *OS << W.Adds << " IADD3, " << W.Products << " IMAD, " << W.Shifts
      << " SHF or LEA";
}

KernelModel modelOf(const std::string &Body) {
  llvm::Expected<PtxUnit> Unit = readPtx(R"(
.version 8.5
.target sm_80
.address_size 64
.visible .entry k(.param .u64 a, .param .u64 b, .param .u64 c, .param .u64 n,
                  .param .u32 m) {
  .reg .pred %p<9>;
  .reg .b32 %r<20>;
  .reg .f32 %f<20>;
  .reg .b64 %rd<20>;
  ld.param.u64 %rd1, [a];
  ld.param.u64 %rd2, [b];
  ld.param.u64 %rd3, [c];
  ld.param.u64 %rd4, [n];
  ld.param.u32 %r2, [m];
  cvta.to.global.u64 %rd1, %rd1;
  cvta.to.global.u64 %rd2, %rd2;
  cvta.to.global.u64 %rd3, %rd3;
  mov.u32 %r1, %tid.x;
  cvt.u64.u32 %rd7, %r1;
  mov.f32 %f5, 0f00000000;
)" + Body + "\n  st.global.f32 [%rd3], %f5;\n  ret;\n}\n",
                                         "test.ptx", "sm_80");
  if (!Unit) {
    ADD_FAILURE() << llvm::toString(Unit.takeError());
    return {};
  }
  prepareForAnalysis(*Unit->Module);
  llvm::Expected<KernelModel> Model =
      lowerKernel(*Unit->Module->getFunction("k"), Unit->Kernels.at(0));
  if (!Model) {
    ADD_FAILURE() << llvm::toString(Model.takeError());
    return {};
  }
  return std::move(*Model);
}

AddressWork workOf(const KernelModel &M, unsigned Begin, unsigned End) {
  AddressWork W;
  for (unsigned I = Begin; I < End; ++I) {
    const Operation &Op = M.Operations[I];
    W.Adds += Op.Class == OpClass::IntAdd ? Op.Count : 0;
    W.Products += Op.Class == OpClass::IntMul ? Op.Count : 0;
    W.Shifts += Op.Class == OpClass::Shift ? Op.Count : 0;
  }
  return W;
}

AddressWork ofLoop(const std::string &Body) {
  KernelModel M = modelOf("LOOP:\n" + Body + "@%p1 bra LOOP;\n");
  AddressWork W;
  for (const RegionNode &Node : M.Loops.at(0).Body)
    if (Node.Kind == RegionNode::IsBlock)
      W = workOf(M, M.Blocks[Node.Index].FirstOp, M.Blocks[Node.Index].EndOp);
  return W;
}

const std::string Sum = "ld.global.f32 %f2, [%rd6];\n"
                        "add.f32 %f5, %f5, %f2;\n";

TEST(LoweringPtxAddresses, InLoopsAreThoseThatAreWritten) {
  // IMAD.WIDE of the counter of 32 bits in each iteration.
  EXPECT_EQ(ofLoop("mul.wide.s32 %rd5, %r1, 4;\nadd.s64 %rd6, %rd1, %rd5;\n" +
                   Sum +
                   "add.s32 %r1, %r1, %r2;\n"
                   "setp.lt.s32 %p1, %r1, 4096;\n"),
            (AddressWork{1, 1, 0}));
  // LEA and LEA.HI.X of one of 64 bits.
  EXPECT_EQ(ofLoop("shl.b64 %rd5, %rd7, 2;\nadd.s64 %rd6, %rd1, %rd5;\n" + Sum +
                   "add.s64 %rd7, %rd7, 8;\n"
                   "setp.lt.s64 %p1, %rd7, %rd4;\n"),
            (AddressWork{2, 0, 2}));
  // A pointer that walks, ...
  EXPECT_EQ(ofLoop("ld.global.f32 %f2, [%rd1];\nadd.f32 %f5, %f5, %f2;\n"
                   "add.s64 %rd1, %rd1, 16;\nadd.s32 %r1, %r1, %r2;\n"
                   "setp.lt.s32 %p1, %r1, 4096;\n"),
            (AddressWork{3, 0, 0}));
  // ... and what is added to it.
  EXPECT_EQ(ofLoop("add.s64 %rd6, %rd1, %rd4;\n" + Sum +
                   "add.s64 %rd1, %rd1, 16;\nadd.s32 %r1, %r1, %r2;\n"
                   "setp.lt.s32 %p1, %r1, 4096;\n"),
            (AddressWork{5, 0, 0}));
}

/// With the low bits of products of 64 bits as offset.
AddressWork ofAddresses(const std::string &Offset, unsigned Addresses) {
  std::string Body = Offset;
  for (unsigned N = 1; N <= Addresses; ++N) {
    std::string Of = std::to_string(N), At = std::to_string(10 + N);
    Body += "add.s64 %rd" + At + ", %rd" + Of + ", %rd7;\nld.global.f32 %f" +
            Of + ", [%rd" + At + "];\nadd.f32 %f5, %f5, %f" + Of + ";\n";
  }
  KernelModel M = modelOf(Body);
  return workOf(M, 0, M.Operations.size());
}

TEST(LoweringPtxAddresses, ScaleAnIndexWhereTheInstructionDoes) {
  // IMAD.WIDE for each address.
  std::string Wide = "mul.wide.s32 %rd7, %r1, 4;\n";
  EXPECT_EQ(ofAddresses(Wide, 1), (AddressWork{0, 1, 0}));
  EXPECT_EQ(ofAddresses(Wide, 3), (AddressWork{0, 3, 0}));
  // LEA, LEA.HI.X; one shift where several addresses share it.
  std::string Shift = "shl.b64 %rd7, %rd4, 2;\n";
  EXPECT_EQ(ofAddresses(Shift, 1), (AddressWork{0, 0, 2}));
  EXPECT_EQ(ofAddresses(Shift, 2), (AddressWork{4, 0, 2}));
  EXPECT_EQ(ofAddresses(Shift, 3), (AddressWork{6, 0, 2}));
  // The sign is a register more.
  std::string Sign = "cvt.s64.s32 %rd5, %r2;\nshl.b64 %rd7, %rd5, 2;\n";
  EXPECT_EQ(ofAddresses(Sign, 1), (AddressWork{0, 0, 3}));
  EXPECT_EQ(ofAddresses(Sign, 3), (AddressWork{6, 0, 3}));
}

// Sums of 32 bits may wrap around, so that each is extended by itself.
TEST(LoweringPtxAddresses, KeepTheirSums) {
  KernelModel M = modelOf("add.s32 %r3, %r1, %r2;\n"
                          "mul.wide.s32 %rd5, %r3, 4;\n"
                          "add.s64 %rd6, %rd1, %rd5;\n" +
                          Sum +
                          "add.s32 %r4, %r3, %r1;\n"
                          "mul.wide.s32 %rd7, %r4, 4;\n"
                          "add.s64 %rd8, %rd1, %rd7;\n"
                          "ld.global.f32 %f3, [%rd8];\n"
                          "add.f32 %f5, %f5, %f3;\n");
  EXPECT_EQ(workOf(M, 0, M.Operations.size()), (AddressWork{2, 2, 0}));
}

} // namespace
