/// \file
/// Kernels of LLVM IR that other compilers have written.
#include "gpu-estimate/ForeignIr/ReadIr.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include <gtest/gtest.h>
#include <random>

using namespace gpuestimate;

namespace {

llvm::Expected<IrUnit> read(llvm::StringRef Text) {
  return readIr(llvm::MemoryBufferRef(Text, "test.ll"), {"sm_80", "gfx906"});
}

/// The only kernel of a text that must be readable.
KernelSource kernelOf(const std::string &Text) {
  llvm::Expected<IrUnit> Unit = read(Text);
  if (!Unit) {
    ADD_FAILURE() << llvm::toString(Unit.takeError());
    return {};
  }
  EXPECT_EQ(Unit->Kernels.size(), 1u);
  return Unit->Kernels.empty() ? KernelSource() : Unit->Kernels.front();
}

std::string errorOf(llvm::StringRef Text) {
  llvm::Expected<IrUnit> Unit = read(Text);
  return Unit ? "" : llvm::toString(Unit.takeError());
}

std::vector<std::string> launchNotes(const KernelSource &K) {
  std::vector<std::string> Texts;
  for (const SourceAnnotation &Note : K.Notes)
    Texts.push_back(Note.Text);
  return Texts;
}

constexpr const char *Nvptx = "target triple = \"nvptx64-nvidia-cuda\"\n";

TEST(ReadIr, NamesAndDescribesParameters) {
  KernelSource K = kernelOf(std::string(Nvptx) + R"(
define ptx_kernel void @_ZN2ns1kEPf(ptr noalias readonly %x, i32 %"a b",
                                    double %0, ptr byval([6 x i32]) %s) {
  %p = getelementptr i8, ptr %x, i64 4
  %v = load <2 x half>, ptr %p
  ret void
}
)");
  EXPECT_EQ(K.Name, "ns::k");
  EXPECT_EQ(K.Location.Line, 3u);
  ASSERT_EQ(K.Arguments.size(), 4u);
  EXPECT_EQ(K.Arguments[0].Name, "x");
  EXPECT_EQ(K.Arguments[0].Kind, KernelArgument::Pointer);
  EXPECT_EQ(K.Arguments[0].ElementBytes, 2u);
  EXPECT_TRUE(K.Arguments[0].Restrict);
  EXPECT_TRUE(K.Arguments[0].Const);
  EXPECT_EQ(K.Arguments[1].Name, "arg1");
  EXPECT_EQ(K.Arguments[1].Kind, KernelArgument::Integer);
  EXPECT_EQ(K.Arguments[2].Name, "arg2");
  EXPECT_EQ(K.Arguments[2].Kind, KernelArgument::Real);
  EXPECT_EQ(K.Arguments[3].Kind, KernelArgument::Aggregate);
  EXPECT_EQ(K.Arguments[3].Bytes, 24u);
}

TEST(ReadIr, TakesTheLaunchFromTheIr) {
  EXPECT_EQ(launchNotes(kernelOf(std::string(Nvptx) + R"(
define void @k(ptr dereferenceable(4096) %x) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x(), !range !1
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !range !2
  %p = getelementptr float, ptr %x, i32 %b
  store float 0.0, ptr %p
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
!nvvm.annotations = !{!0}
!0 = !{ptr @k, !"kernel", i32 1, !"reqntidx", i32 64}
!1 = !{i32 0, i32 128}
!2 = !{i32 0, i32 64}
)")),
            (std::vector<std::string>{"grid=128,1,1 block=64,1,1 ",
                                      "block=64,1,1", "param x=1024"}));
  // The range of __launch_bounds__ and the widest one are no launch.
  KernelSource Bounded = kernelOf(std::string(Nvptx) + R"(
define ptx_kernel void @k(ptr %x) "nvvm.maxntid"="128" "nvvm.minctasm"="2" {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x(), !range !1
  %t = call range(i32 0, 128) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
!1 = !{i32 0, i32 2147483647}
)");
  EXPECT_EQ(launchNotes(Bounded), std::vector<std::string>());
  EXPECT_EQ(Bounded.MaxThreadsPerBlock, 128u);
  EXPECT_EQ(Bounded.MinBlocksPerSm, 2u);
}

TEST(ReadIr, FindsKernelsOfAmdgpu) {
  llvm::Expected<IrUnit> Unit = read(R"(
define amdgpu_kernel void @a(ptr addrspace(4) byref({ i32, i32 }) %0) #0 {
  ret void
}
define amdgpu_kernel void @b(ptr addrspace(1) %x.coerce) #1 {
  ret void
}
define void @f() {
  ret void
}
attributes #0 = { "amdgpu-flat-work-group-size"="1,1024" "target-cpu"="gfx942" }
attributes #1 = { "amdgpu-flat-work-group-size"="64,64" }
)");
  ASSERT_TRUE(bool(Unit)) << llvm::toString(Unit.takeError());
  EXPECT_TRUE(Unit->IsAmd);
  EXPECT_EQ(Unit->Target, "gfx942");
  ASSERT_EQ(Unit->Kernels.size(), 2u);
  EXPECT_EQ(Unit->Kernels[0].MaxThreadsPerBlock, 0u);
  EXPECT_EQ(Unit->Kernels[0].Arguments[0].Kind, KernelArgument::Aggregate);
  EXPECT_EQ(Unit->Kernels[1].MaxThreadsPerBlock, 64u);
  EXPECT_EQ(Unit->Kernels[1].Arguments[0].Name, "x");
}

TEST(ReadIr, RenamesIntrinsicsOfOtherVersions) {
  llvm::Expected<IrUnit> Unit = read(std::string(Nvptx) + R"(
define ptx_kernel void @k(ptr %x) {
  call void @llvm.lifetime.start.p0(ptr %x)
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %p = call ptr addrspace(1) @llvm.nvvm.ptr.gen.to.global.p1.p0(ptr %x)
  store i32 0, ptr addrspace(1) %p
  call void @llvm.nvvm.of.the.future(ptr %x)
  %s = call i32 @llvm.ctpop.i32(i32 1, i32 2)
  ret void
}
declare void @llvm.lifetime.start.p0(ptr)
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare ptr addrspace(1) @llvm.nvvm.ptr.gen.to.global.p1.p0(ptr)
declare void @llvm.nvvm.of.the.future(ptr)
declare i32 @llvm.ctpop.i32(i32, i32)
)");
  ASSERT_TRUE(bool(Unit)) << llvm::toString(Unit.takeError());
  std::string Text;
  llvm::raw_string_ostream(Text) << *Unit->Module->getFunction("k");
  EXPECT_EQ(Text.find("lifetime"), std::string::npos) << Text;
  EXPECT_NE(Text.find("@llvm.nvvm.barrier.n(i32 0)"), std::string::npos)
      << Text;
  EXPECT_NE(Text.find("addrspacecast ptr %x"), std::string::npos) << Text;
  EXPECT_NE(Text.find("asm sideeffect \"of.the.future [$0];\""),
            std::string::npos)
      << Text;
  EXPECT_NE(Text.find("@ctpop.i32(i32 1, i32 2)"), std::string::npos) << Text;
}

TEST(ReadIr, NamesThePlaceOfAnError) {
  EXPECT_EQ(errorOf(std::string(Nvptx) + "define void @k() {\n  bad\n}\n"),
            "test.ll:3:3: LLVM 19 cannot read this: expected instruction "
            "opcode: bad; if a newer LLVM wrote the file, give the PTX of "
            "`llc` of that version");
  EXPECT_EQ(errorOf("").rfind("test.ll: it names no target", 0), 0u);
}

/// Broken text gives a module that the verifier accepts, or an error with the
/// file's name.
TEST(ReadIr, SurvivesMutations) {
  std::vector<std::string> Texts;
  std::error_code Problem;
  std::string Folder =
      std::string(GPU_ESTIMATE_SOURCE_DIR) + "/test/lit/ForeignIr";
  for (llvm::sys::fs::directory_iterator File(Folder, Problem), End;
       File != End && !Problem; File.increment(Problem))
    if (llvm::StringRef(File->path()).ends_with(".ll"))
      if (auto Text = llvm::MemoryBuffer::getFile(File->path()))
        Texts.push_back((*Text)->getBuffer().str());
  ASSERT_GE(Texts.size(), 2u);
  std::mt19937 Random(1);
  unsigned Read = 0;
  for (unsigned N = 0; N < 2000; ++N) {
    std::string Text = Texts[N % Texts.size()];
    for (unsigned Changes = 1 + Random() % 3; Changes > 0; --Changes) {
      size_t At = Random() % Text.size(), From = Random() % Text.size();
      size_t Length = Random() % 12;
      switch (Random() % 3) {
      case 0:
        Text.erase(At, Length);
        break;
      case 1:
        Text.insert(At, Text.substr(From, Length));
        break;
      default:
        Text[At] = static_cast<char>(Random() % 256);
      }
    }
    llvm::Expected<IrUnit> Unit = read(Text);
    if (!Unit) {
      std::string Message = llvm::toString(Unit.takeError());
      EXPECT_EQ(Message.rfind("test.ll:", 0), 0u) << Message << "\n" << Text;
      continue;
    }
    ++Read;
    std::string Problems;
    llvm::raw_string_ostream OS(Problems);
    ASSERT_FALSE(llvm::verifyModule(*Unit->Module, &OS)) << Problems << "\n"
                                                         << Text;
  }
  EXPECT_GT(Read, 100u);
}

} // namespace
