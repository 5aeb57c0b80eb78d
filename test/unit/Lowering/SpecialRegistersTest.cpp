/// \file
/// The ranges of special registers, and that nothing of a module reaches a
/// later one: the NVPTX target remembers annotations by a module's address.
#include "Lowering/Registers/BackEnd.h"
#include "helpers/LoweringTesting.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace gpuestimate;
using namespace gpuestimate::testing;

namespace {

/// A kernel that stores two registers, with one annotation.
std::string kernelWith(const std::string &Annotation) {
  return std::string(Prelude) + R"(
define void @k(ptr %p, ptr %q) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %n = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  store i32 %t, ptr %p
  store i32 %n, ptr %q
  ret void
}
!nvvm.annotations = !{!0, !1}
!0 = !{ptr @k, !"kernel", i32 1}
!1 = !{ptr @k, )" +
         Annotation + "}\n";
}

/// The ranges of the reads of special registers in @k after the passes.
std::vector<std::string> rangesIn(const std::string &Text) {
  llvm::LLVMContext Context;
  llvm::SMDiagnostic Problem;
  std::unique_ptr<llvm::Module> M =
      llvm::parseAssemblyString(Text, Problem, Context);
  std::vector<std::string> Ranges;
  if (!M) {
    ADD_FAILURE() << Problem.getMessage().str();
    return Ranges;
  }
  prepareForAnalysis(*M);
  for (const llvm::Instruction &I : llvm::instructions(*M->getFunction("k")))
    if (const auto *Read = llvm::dyn_cast<llvm::IntrinsicInst>(&I)) {
      std::string &Into = Ranges.emplace_back();
      llvm::raw_string_ostream OS(Into);
      if (std::optional<llvm::ConstantRange> Range = Read->getRange())
        OS << *Range;
    }
  return Ranges;
}

using Ranges = std::vector<std::string>;

TEST(SpecialRegisters, LaunchBoundsLimitThem) {
  EXPECT_EQ(rangesIn(kernelWith("!\"minctasm\", i32 2")),
            (Ranges{"[0,1024)", "[1,1025)"}));
  EXPECT_EQ(rangesIn(kernelWith("!\"maxntidx\", i32 96")),
            (Ranges{"[0,96)", "[1,97)"}));
  EXPECT_EQ(rangesIn(kernelWith("!\"reqntidy\", i32 4, !\"reqntidx\", i32 8")),
            (Ranges{"[0,32)", "[1,33)"}));
  // Numbers that no GPU has.
  EXPECT_EQ(rangesIn(kernelWith("!\"maxntidx\", i64 -1, !\"maxntidy\", i64 "
                                "-1, !\"maxntidz\", i64 -1")),
            (Ranges{"[0,1024)", "[1,1025)"}));
  EXPECT_EQ(rangesIn(kernelWith("!\"maxntidx\", i32 0")),
            (Ranges{"[0,1024)", "[1,1025)"}));
  EXPECT_EQ(rangesIn(kernelWith("!\"maxntid\", !2, null") + "!2 = !{}\n"),
            (Ranges{"[0,1024)", "[1,1025)"}));
}

TEST(SpecialRegisters, LaunchBoundsAreTheModulesOwn) {
  for (unsigned Repetition = 0; Repetition < 20; ++Repetition)
    for (unsigned Threads : {64, 128, 512}) {
      std::string Number = std::to_string(Threads);
      EXPECT_EQ(rangesIn(kernelWith("!\"maxntidx\", i32 " + Number))[0],
                "[0," + Number + ")")
          << "repetition " << Repetition;
    }
}

/// LLVM's PTX for a module, or why there is none.
std::string ptxOf(llvm::Module &M) {
  llvm::SmallString<0> Ptx;
  llvm::raw_svector_ostream OS(Ptx);
  if (llvm::Error Failure =
          emitAssembly(M, [](llvm::StringRef) { return false; }, OS))
    return llvm::toString(std::move(Failure));
  return Ptx.str().str();
}

TEST(BackEnd, AnnotationsOfAModuleThatCrashedItAreForgotten) {
  // Since sm_70 the back end has no code for a shuffle without a mask.
  llvm::LLVMContext Context;
  llvm::SMDiagnostic Problem;
  auto M = llvm::parseAssemblyString(std::string(Prelude) + R"(
declare i32 @llvm.nvvm.shfl.bfly.i32(i32, i32, i32)
define void @k(ptr %p) #0 {
  %s = call i32 @llvm.nvvm.shfl.bfly.i32(i32 1, i32 2, i32 31)
  store i32 %s, ptr %p
  ret void
}
attributes #0 = { "target-cpu"="sm_80" }
!nvvm.annotations = !{!0, !1}
!0 = !{ptr @k, !"kernel", i32 1}
!1 = !{ptr @k, !"maxntidx", i32 64}
)",
                                     Problem, Context);
  ASSERT_TRUE(M);
  EXPECT_EQ(ptxOf(*M), "the back end crashed");

  // Another kernel at the same address.
  llvm::Function *Kernel = M->getFunction("k");
  Kernel->deleteBody();
  llvm::ReturnInst::Create(Context,
                           llvm::BasicBlock::Create(Context, "", Kernel));
  llvm::NamedMDNode *Annotations = M->getNamedMetadata("nvvm.annotations");
  Annotations->getOperand(1)->replaceOperandWith(
      2, llvm::ConstantAsMetadata::get(
             llvm::ConstantInt::get(llvm::Type::getInt32Ty(Context), 128)));
  std::string Ptx = ptxOf(*M);
  EXPECT_NE(Ptx.find(".maxntid 128, 1, 1"), std::string::npos) << Ptx;
}

} // namespace
