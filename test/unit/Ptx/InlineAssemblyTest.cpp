/// \file
/// Inline assembly of NVPTX as LLVM IR, and what stays assembly.
#include "gpu-estimate/Ptx/InlineAssembly.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include <gtest/gtest.h>

using namespace gpuestimate;

namespace {

/// The module of a body of `void @k(i32 %i, i64 %a, ptr %p)`, translated.
std::string translated(const std::string &Body,
                       AssemblyUse Use = AssemblyUse::Estimate) {
  llvm::LLVMContext Context;
  llvm::SMDiagnostic Problem;
  auto M =
      llvm::parseAssemblyString("target triple = \"nvptx64-nvidia-cuda\"\n"
                                "define void @k(i32 %i, i64 %a, ptr %p) {\n" +
                                    Body + "\n  ret void\n}\n",
                                Problem, Context);
  if (!M) {
    ADD_FAILURE() << Problem.getMessage().str() << "\n" << Body;
    return "";
  }
  translateInlineAssembly(*M, Use);
  EXPECT_FALSE(llvm::verifyModule(*M, &llvm::errs()));
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  M->print(OS, nullptr);
  return Text;
}

struct Case {
  const char *Body, *Expected;
};

class InlinePtx : public ::testing::TestWithParam<Case> {};

TEST_P(InlinePtx, BecomesInstructions) {
  std::string Ir = translated(GetParam().Body);
  EXPECT_NE(Ir.find(GetParam().Expected), std::string::npos) << Ir;
}

// One row per line.
// clang-format off
INSTANTIATE_TEST_SUITE_P(Forms, InlinePtx, ::testing::Values(
    Case{R"(%x = call i32 asm "mov.u32 $0, %laneid;", "=r"())", "@llvm.nvvm.read.ptx.sreg.laneid()"},
    Case{R"(%x = call i32 asm "mov.u32 $0, %tid.x", "=r"())", "@llvm.nvvm.read.ptx.sreg.tid.x()"},
    Case{R"(%x = call i32 asm sideeffect "{ .reg .u32 t; add.u32 t, $1, 1; shl.b32 $0, t, 3; }", "=r,r"(i32 %i))", "shl i32"},
    Case{R"(%x = call i32 asm "mad.lo.s32 $0, $1, $2, $3;", "=r,r,n,r"(i32 %i, i32 -7, i32 %i))", ", -7"},
    Case{R"(%x = call { i32, float } asm "mov.b32 $0, $2; mov.f32 $1, 0f3F800000;", "=r,=f,r"(i32 %i))", "{ i32, float } "},
    Case{R"(%x = call i32 asm "{ .reg .pred p; setp.gt.s32 p, $0, 5; @p mov.u32 $0, 5; }", "=r,0"(i32 %i))", "select i1"},
    Case{R"(call void asm sideeffect "st.global.u32 [$0+16], $1;", "l,r,~{memory}"(ptr %p, i32 %i))", "addrspacecast ptr %p to ptr addrspace(1)"},
    Case{R"(%x = call i32 asm sideeffect "ld.shared.u32 $0, [$1];", "=r,r"(i32 %i))", "to ptr addrspace(3)"},
    Case{R"(%x = call i32 asm sideeffect "ld.shared.u32 $0, [$1];", "=r,r"(i32 %i))", R"(asm sideeffect "", "~{memory}"())"},
    Case{R"(call void asm sideeffect "bar.sync 0;", "~{memory}"())", "@llvm.nvvm.barrier0()"},
    Case{R"(call void asm sideeffect "again_${:uid}: nanosleep.u32 $0; bra again_${:uid};", "r"(i32 %i))", "br label"},
    Case{R"(call void asm sideeffect "// a comment\0A cp.async.wait_group $0;", "n"(i32 2))", "@llvm.nvvm.cp.async.wait.group(i32 2)"},
    // What LLVM has no word for is a statement of its own.
    Case{R"(%x = call i32 asm "{ .reg .u32 t; add.u32 t, $1, 1; dp4a.s32.s32 $0, t, t, t; }", "=r,r"(i32 %i))", R"(asm "dp4a.s32.s32 $0, $1, $2, $3;")"},
    Case{R"(%x = call i32 asm sideeffect "ld.global.cg.u32 $0, [$1];", "=r,l"(ptr %p))", R"(asm sideeffect "ld.global.cg.u32 $0, [$1];")"},
    // What leaves the function, and what is no PTX, stays.
    Case{R"(call void asm sideeffect "ret;", ""())", R"(asm sideeffect "ret;")"},
    Case{R"(call void asm sideeffect "s_nop 0 0", ""())", R"(asm sideeffect "s_nop 0 0")"},
    Case{R"(call void asm sideeffect "", "~{memory}"())", R"(asm sideeffect "", "~{memory}"())"}));
// clang-format on

TEST(InlinePtxFences, HideArithmeticFromOptimisations) {
  const char *Sum =
      R"(%x = call i32 asm "add.u32 $0, $1, $1;", "=r,r"(i32 %i))";
  EXPECT_NE(translated(Sum).find(R"(asm "", "=r,0")"), std::string::npos);
  EXPECT_EQ(translated(Sum, AssemblyUse::Execution).find("asm"),
            std::string::npos);
}

TEST(InlinePtxExecution, ComputesWhatAnEstimateCounts) {
  EXPECT_EQ(translated(R"(%x = call i32 asm "bfind.u32 $0, $1;", )"
                       R"("=r,r"(i32 %i))",
                       AssemblyUse::Execution)
                .find("asm"),
            std::string::npos);
}

TEST(InlinePtxPointers, AreRecoveredForAssemblyOnly) {
  llvm::LLVMContext Context;
  llvm::SMDiagnostic Problem;
  auto M = llvm::parseAssemblyString(
      R"(target triple = "nvptx64-nvidia-cuda"
define void @k(ptr %p, i64 %i) {
  %a = ptrtoint ptr %p to i64
  %s = add i64 %a, 8
  %x = call i32 asm sideeffect "ld.u32 $0, [$1];", "=r,l"(i64 %s)
  %o = or i64 %a, %i
  %q = inttoptr i64 %o to ptr
  store i32 %x, ptr %q
  ret void
})",
      Problem, Context);
  ASSERT_TRUE(M);
  translateInlineAssembly(*M, AssemblyUse::Estimate);
  recoverAssemblyPointers(*M);
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  M->print(OS, nullptr);
  // The load goes through a pointer; what the source computes is as it was.
  EXPECT_NE(Text.find("getelementptr inbounds i8, ptr %p, i64 8"),
            std::string::npos)
      << Text;
  EXPECT_NE(Text.find("inttoptr i64 %o to ptr"), std::string::npos) << Text;
}

TEST(InlinePtxStatements, KnowTheirOperands) {
  llvm::LLVMContext Context;
  llvm::SMDiagnostic Problem;
  auto M = llvm::parseAssemblyString(
      "define void @k(i32 %i, ptr %p) {\n"
      "  %x = call i32 asm sideeffect \"mbarrier.x $0, [$1+8], $2;\","
      " \"=r,l,n\"(ptr %p, i32 5)\n  ret void\n}\n",
      Problem, Context);
  ASSERT_TRUE(M);
  llvm::Function &F = *M->getFunction("k");
  InlineAssembly Assembly(*llvm::inst_begin(F));
  ASSERT_EQ(Assembly.instructions().size(), 1U);
  const PtxInstruction &I = Assembly.instructions()[0];
  EXPECT_EQ(I.mnemonic(), "mbarrier.x");
  EXPECT_EQ(Assembly.argument(I.Operands[1]), F.getArg(1));
  EXPECT_EQ(Assembly.argument(I.Operands[0]), nullptr);
  EXPECT_EQ(Assembly.constant(I.Operands[2]), 5);
}

} // namespace
