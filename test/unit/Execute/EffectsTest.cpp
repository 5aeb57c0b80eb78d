/// \file
/// Which memory kernels read and write, by their code.
#include "gpu-estimate/Execute/Executor.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace gpuestimate;
using namespace llvm;

namespace {

/// The effects of the kernel `k` of a module in LLVM's text.
KernelEffects effects(StringRef Body) {
  std::string Text = "target triple = \"nvptx64-nvidia-cuda\"\n"
                     "%pair = type { ptr, ptr }\n"
                     "@v = addrspace(1) global i32 0\n"
                     "@c = addrspace(4) constant i32 5\n"
                     "declare i32 @llvm.nvvm.read.ptx.sreg.clock()\n"
                     "declare float @__nv_sinf(float)\n"
                     "declare i32 @vprintf(ptr, ptr)\n" +
                     Body.str() +
                     "!nvvm.annotations = !{!0}\n"
                     "!0 = !{ptr @k, !\"kernel\", i32 1}\n";
  LLVMContext Context;
  SMDiagnostic Problem;
  auto M = parseAssemblyString(Text, Problem, Context);
  EXPECT_TRUE(M) << Problem.getMessage().str();
  std::string Bytes;
  raw_string_ostream OS(Bytes);
  WriteBitcodeToFile(*M, OS);
  auto E = Executor::create({});
  EXPECT_TRUE(bool(E));
  auto Number = (*E)->load(Bytes);
  EXPECT_TRUE(bool(Number));
  auto Result = (*E)->effects(*Number, "k");
  EXPECT_TRUE(bool(Result)) << toString(Result.takeError());
  return Result ? *Result : KernelEffects();
}

using Numbers = std::vector<unsigned>;
using Names = std::vector<std::string>;

TEST(Effects, FollowsAddressesToParametersAndVariables) {
  KernelEffects E =
      effects("define void @k(ptr %a, ptr %b, i64 %n) {\n"
              "  %pa = getelementptr float, ptr %a, i64 %n\n"
              "  %x = load float, ptr %pa\n"
              "  %y = call float @__nv_sinf(float %x)\n"
              "  %cv = load i32, ptr addrspace(4) @c\n"
              "  store float %y, ptr %b\n"
              "  %old = atomicrmw add ptr addrspace(1) @v, i32 %cv monotonic\n"
              "  ret void\n}\n");
  EXPECT_TRUE(E.AreKnown);
  EXPECT_EQ(E.ReadParameters, Numbers({0}));
  EXPECT_EQ(E.WrittenParameters, Numbers({1}));
  EXPECT_EQ(E.ReadVariables, Names({"v"})); // a constant never changes
  EXPECT_EQ(E.WrittenVariables, Names({"v"}));
}

TEST(Effects, FollowsSelectionsAndStructures) {
  KernelEffects E = effects(
      "define void @k(ptr %a, ptr %b, ptr byval(%pair) %p, i1 %which) {\n"
      "  %from = select i1 %which, ptr %a, ptr %b\n"
      "  %x = load i32, ptr %from\n"
      "  %place = getelementptr %pair, ptr %p, i64 0, i32 1\n"
      "  %to = load ptr, ptr %place\n"
      "  store i32 %x, ptr %to\n"
      "  ret void\n}\n");
  EXPECT_TRUE(E.AreKnown);
  EXPECT_EQ(E.ReadParameters, Numbers({0, 1}));
  EXPECT_EQ(E.WrittenParameters, Numbers({2}));
}

TEST(Effects, FollowsFunctions) {
  KernelEffects E =
      effects("define internal void @f(ptr %x, ptr %y) noinline {\n"
              "  %v = load volatile i32, ptr %y\n"
              "  store i32 %v, ptr %x\n"
              "  ret void\n}\n"
              "define void @k(ptr %a, ptr %b) {\n"
              "  call void @f(ptr %b, ptr %a)\n"
              "  ret void\n}\n");
  EXPECT_TRUE(E.AreKnown);
  EXPECT_EQ(E.ReadParameters, Numbers({0}));
  EXPECT_EQ(E.WrittenParameters, Numbers({1}));
}

TEST(Effects, AreNotKnownWhereResultsDependOnMore) {
  for (const char *Body :
       {// a pointer that lies in memory
        "define void @k(ptr %a) {\n"
        "  %p = load ptr, ptr %a\n  store i32 1, ptr %p\n  ret void\n}\n",
        // an address that was a number
        "define void @k(i64 %a) {\n"
        "  %p = inttoptr i64 %a to ptr\n  store i32 1, ptr %p\n"
        "  ret void\n}\n",
        // a clock
        "define void @k(ptr %a) {\n"
        "  %t = call i32 @llvm.nvvm.read.ptx.sreg.clock()\n"
        "  store i32 %t, ptr %a\n  ret void\n}\n",
        // assembly that LLVM takes for arithmetic
        "define void @k(ptr %a, ptr %b) {\n"
        "  %x = call i32 asm \"ld.global.cg.u32 $0, [$1];\", \"=r,l\"(ptr %a)"
        " memory(none)\n"
        "  store i32 %x, ptr %b\n  ret void\n}\n",
        "define void @k(ptr %a) {\n"
        "  %t = call i32 asm \"mov.u32 $0, %clock;\", \"=r\"() memory(none)\n"
        "  store i32 %t, ptr %a\n  ret void\n}\n",
        // pointers in a vector
        "define void @k(<2 x ptr> %a, ptr %b) {\n"
        "  %x = call <2 x i32> @llvm.masked.gather.v2i32.v2p0(<2 x ptr> %a,"
        " i32 4, <2 x i1> splat (i1 true), <2 x i32> poison)\n"
        "  store <2 x i32> %x, ptr %b\n  ret void\n}\n"
        "declare <2 x i32> @llvm.masked.gather.v2i32.v2p0(<2 x ptr>, i32,"
        " <2 x i1>, <2 x i32>)\n",
        // output
        "define void @k(ptr %a) {\n"
        "  %n = call i32 @vprintf(ptr %a, ptr null)\n  ret void\n}\n"})
    EXPECT_FALSE(effects(Body).AreKnown) << Body;
}

} // namespace
