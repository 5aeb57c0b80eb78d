/// \file
/// Reading what ptxas says; running it where it is installed.
#include "gpu-estimate/Lowering/Registers/Ptxas.h"
#include "helpers/LoweringTesting.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/ObjectYAML/yaml2obj.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/YAMLTraits.h"

using namespace gpuestimate;
using namespace gpuestimate::testing;

namespace {

TEST(LoweringPtxas, OutputOfSeveralKernelsIsRead) {
  auto Kernels = parsePtxasOutput(R"(ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function '_Z1aPf' for 'sm_80'
ptxas info    : Function properties for _Z1aPf
    80 bytes stack frame, 12 bytes spill stores, 16 bytes spill loads
ptxas info    : Used 32 registers, used 1 barriers, 80 bytes cumulative stack size, 1088 bytes smem, 376 bytes cmem[0]
ptxas info    : Compile time = 1.000 ms
ptxas info    : Compiling entry function 'b' for 'sm_80'
ptxas info    : Function properties for b
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 8 registers, used 0 barriers, 352 bytes cmem[0]
ptxas info    : Function properties for helper
    40 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
)");
  ASSERT_EQ(Kernels.size(), 2u);
  EXPECT_EQ(Kernels[0].Mangled, "_Z1aPf");
  EXPECT_EQ(Kernels[0].Registers, 32u);
  EXPECT_EQ(Kernels[0].StackBytes, 80u);
  EXPECT_EQ(Kernels[0].SpillStoreBytes, 12u);
  EXPECT_EQ(Kernels[0].SpillLoadBytes, 16u);
  EXPECT_EQ(Kernels[0].StaticSharedBytes, 1088u);
  EXPECT_EQ(Kernels[0].Code.Barriers, 1u);
  EXPECT_EQ(Kernels[1].Mangled, "b");
  EXPECT_EQ(Kernels[1].Registers, 8u);
  EXPECT_EQ(Kernels[1].StackBytes, 0u);
  EXPECT_EQ(Kernels[1].StaticSharedBytes, 0u);
}

TEST(LoweringPtxas, NonsenseGivesNothing) {
  EXPECT_TRUE(parsePtxasOutput("").empty());
  EXPECT_TRUE(
      parsePtxasOutput("Used 12 registers\n4 bytes stack frame\n").empty());
}

TEST(LoweringPtxas, TheElfFileTellsTheSizeOfTheCode) {
  llvm::SmallString<0> Elf;
  ASSERT_TRUE(llvm::yaml::yaml2ObjectFile(Elf, R"(--- !ELF
FileHeader:
  Class: ELFCLASS64
  Data: ELFDATA2LSB
  Type: ET_EXEC
  Machine: 190
Sections:
  - Name: .text._Z1aPf
    Type: SHT_PROGBITS
    Size: 512
  - Name: .nv.info._Z1aPf
    Type: SHT_PROGBITS
    Size: 64
)",
                                          [](const llvm::Twine &) {}));
  std::vector<CompiledKernel> Kernels(2);
  Kernels[0].Mangled = "_Z1aPf";
  Kernels[1].Mangled = "b";
  readCubin({Elf, "a.cubin"}, Kernels);
  EXPECT_EQ(Kernels[0].Code.CodeBytes, 512u);
  EXPECT_EQ(Kernels[1].Code.CodeBytes, 0u);
  readCubin({llvm::StringRef(Elf).take_front(80), "cut"}, Kernels);
  readCubin({"", "empty"}, Kernels);
  EXPECT_EQ(Kernels[0].Code.CodeBytes, 512u);
}

const char *Kernel = R"(
define ptx_kernel void @k(ptr %a) #0 {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr inbounds float, ptr %a, i32 %tid
  store float 1.0, ptr %p
  ret void
}
attributes #0 = { "target-cpu"="sm_80" "target-features"="+ptx70" }
!nvvm.annotations = !{!0}
!0 = !{ptr @k, !"kernel", i32 1}
)";

TEST(LoweringPtxas, AProgramThatFailsIsAnError) {
  llvm::LLVMContext Context;
  llvm::SMDiagnostic Problem;
  auto M = llvm::parseAssemblyString(std::string(Prelude) + Kernel, Problem,
                                     Context);
  ASSERT_TRUE(M);
  auto Missing = runPtxas(*M, {"/nonexistent/ptxas", "sm_80"});
  ASSERT_FALSE(Missing);
  consumeError(Missing.takeError());
}

const char *OldShuffles = R"(
define ptx_kernel void @k(ptr %a, float %f) #0 {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %down = call i32 @llvm.nvvm.shfl.down.i32(i32 %tid, i32 1, i32 31)
  %swap = call i32 @llvm.nvvm.shfl.bfly.i32(i32 %down, i32 1, i32 31)
  %up = call float @llvm.nvvm.shfl.up.f32(float %f, i32 1, i32 0)
  %first = call float @llvm.nvvm.shfl.idx.f32(float %up, i32 0, i32 31)
  %p = getelementptr inbounds float, ptr %a, i32 %swap
  store float %first, ptr %p
  ret void
}
declare i32 @llvm.nvvm.shfl.down.i32(i32, i32, i32)
declare i32 @llvm.nvvm.shfl.bfly.i32(i32, i32, i32)
declare float @llvm.nvvm.shfl.up.f32(float, i32, i32)
declare float @llvm.nvvm.shfl.idx.f32(float, i32, i32)
attributes #0 = { "target-cpu"="sm_80" "target-features"="+ptx70" }
!nvvm.annotations = !{!0}
!0 = !{ptr @k, !"kernel", i32 1}
)";

// The back end ended the process: shuffles without a mask are gone from sm_70.
TEST(LoweringPtxas, OldShufflesReachTheAssembler) {
  llvm::LLVMContext Context;
  llvm::SMDiagnostic Problem;
  auto M = llvm::parseAssemblyString(std::string(Prelude) + OldShuffles,
                                     Problem, Context);
  ASSERT_TRUE(M) << Problem.getMessage().str();
  auto Missing = runPtxas(*M, {"/nonexistent/ptxas", "sm_80"});
  ASSERT_FALSE(bool(Missing));
  EXPECT_NE(llvm::toString(Missing.takeError()).find("/nonexistent/ptxas"),
            std::string::npos);
}

TEST(LoweringPtxas, RunsWhereItIsInstalled) {
  auto Path = llvm::sys::findProgramByName("ptxas");
  if (!Path)
    GTEST_SKIP() << "ptxas is not on the path";
  llvm::LLVMContext Context;
  llvm::SMDiagnostic Problem;
  auto M = llvm::parseAssemblyString(std::string(Prelude) + Kernel, Problem,
                                     Context);
  ASSERT_TRUE(M);
  auto Kernels = runPtxas(*M, {*Path, "sm_80"});
  ASSERT_TRUE(bool(Kernels)) << toString(Kernels.takeError());
  ASSERT_EQ(Kernels->size(), 1u);
  EXPECT_EQ((*Kernels)[0].Mangled, "k");
  EXPECT_GE((*Kernels)[0].Registers, 4u);
  EXPECT_LE((*Kernels)[0].Registers, 32u);
}

} // namespace
