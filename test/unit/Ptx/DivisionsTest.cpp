/// \file
/// Divisions, from what LLVM's NVPTX back end makes of them.
#include "helpers/PtxTesting.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include <random>

using namespace gpuestimate;
using namespace gpuestimate::testing;

namespace {

/// PTX of the module in Text.
std::string ptxOf(const std::string &Text) {
  LLVMInitializeNVPTXTargetInfo();
  LLVMInitializeNVPTXTarget();
  LLVMInitializeNVPTXTargetMC();
  LLVMInitializeNVPTXAsmPrinter();
  llvm::LLVMContext Context;
  llvm::SMDiagnostic Problem;
  auto M = llvm::parseAssemblyString(Text, Problem, Context);
  EXPECT_TRUE(M) << Problem.getMessage().str();
  std::string Error;
  const llvm::Target *T =
      llvm::TargetRegistry::lookupTarget("nvptx64-nvidia-cuda", Error);
  EXPECT_TRUE(T) << Error;
  std::unique_ptr<llvm::TargetMachine> Machine(T->createTargetMachine(
      "nvptx64-nvidia-cuda", "sm_80", "+ptx75", {}, std::nullopt, std::nullopt,
      llvm::CodeGenOptLevel::Aggressive));
  M->setTargetTriple("nvptx64-nvidia-cuda");
  M->setDataLayout(Machine->createDataLayout());
  llvm::SmallString<4096> Ptx;
  llvm::raw_svector_ostream OS(Ptx);
  llvm::legacy::PassManager Passes;
  EXPECT_FALSE(Machine->addPassesToEmitFile(
      Passes, OS, nullptr, llvm::CodeGenFileType::AssemblyFile));
  Passes.run(*M);
  return Ptx.str().str();
}

/// The IR of PTX that computes Operation (udiv, srem ...) by Divisor.
std::string throughPtx(const std::string &Operation, unsigned Bits,
                       uint64_t Divisor) {
  std::string Type = "i" + std::to_string(Bits);
  return irOf(readTestPtx(ptxOf(
      "define void @k(ptr addrspace(1) %o, " + Type +
      " %x) {\n  %q = " + Operation + " " + Type + " %x, " +
      std::to_string(Divisor) + "\n  store " + Type +
      " %q, ptr addrspace(1) %o\n  ret void\n}\n"
      "!nvvm.annotations = !{!0}\n!0 = !{ptr @k, !\"kernel\", i32 1}\n")));
}

bool isRecovered(const std::string &Operation, unsigned Bits,
                 uint64_t Divisor) {
  std::string Ir = throughPtx(Operation, Bits, Divisor);
  bool Found = contains(Ir, " = " + Operation + " i") &&
               contains(Ir, ", " + std::to_string(Divisor) + ", !dbg");
  EXPECT_TRUE(Found) << Operation << " i" << Bits << " by " << Divisor << "\n"
                     << Ir;
  return Found;
}

TEST(PtxDivisions, AreRecoveredFromTheProductsOfTheBackEnd) {
  std::mt19937 Random(1);
  for (unsigned Bits : {16u, 32u, 64u})
    for (const char *Operation : {"udiv", "sdiv", "urem", "srem"})
      for (unsigned Case = 0; Case < 60; ++Case) {
        uint64_t Divisor =
            Case < 40 ? Case + 3
                      : Random() % (Bits == 16 ? 5000 : 2000000000) + 2;
        bool IsShift = (Divisor & (Divisor - 1)) == 0;
        if (IsShift && Operation[0] == 'u')
          continue;
        if (!isRecovered(Operation, Bits, Divisor))
          return;
      }
}

// 2^32 / 10 rounded down, and a factor that hashes have.
TEST(PtxDivisions, OtherProductsStay) {
  for (const char *Factor : {"429496729", "2654435769"}) {
    std::string Ir =
        irOfKernel("mov.u32 %r1, %tid.x;\nmul.hi.u32 %r2, %r1, " +
                   std::string(Factor) + ";\nst.global.u32 [%rd1], %r2;");
    EXPECT_TRUE(contains(Ir, "@llvm.nvvm.mulhi.ui(")) << Ir;
    EXPECT_FALSE(contains(Ir, "udiv")) << Ir;
  }
}

// The product of 64 bits, shifted further than to its high half: the sign of
// the quotient is lost without an arithmetic shift.
TEST(PtxDivisions, OfSignedValuesKeepTheSign) {
  auto Quotient = [](const std::string &Shift) {
    return irOfKernel("mov.u32 %r1, %tid.x;\nmul.wide.s32 %rd2, %r1, "
                      "1717986919;\nshr.u64 %rd3, %rd2, 63;\ncvt.u32.u64 "
                      "%r2, %rd3;\n" +
                      Shift +
                      " %rd4, %rd2, 33;\ncvt.u32.u64 %r3, %rd4;\nadd.s32 "
                      "%r4, %r3, %r2;\nst.global.u32 [%rd1], %r4;");
  };
  EXPECT_TRUE(contains(Quotient("shr.s64"), "sdiv i32")) << Quotient("shr.s64");
  EXPECT_FALSE(contains(Quotient("shr.u64"), "sdiv")) << Quotient("shr.u64");
}

// One path divides the low words where the operands have no high words.
TEST(PtxDivisions, OfTwoPathsAreOne) {
  for (const char *Operation : {"udiv", "sdiv", "urem", "srem"})
    for (const char *X : {"%a", "%w"}) {
      std::string Ir = irOf(readTestPtx(ptxOf(
          "define void @k(ptr addrspace(1) %o, i64 %a, i64 %b, i32 %n) {\n"
          "  %w = zext i32 %n to i64\n  %q = " +
          std::string(Operation) + " i64 " + X +
          ", %b\n  store i64 %q, ptr addrspace(1) %o\n  ret void\n}\n"
          "!nvvm.annotations = !{!0}\n!0 = !{ptr @k, !\"kernel\", i32 1}\n")));
      EXPECT_TRUE(contains(Ir, " = " + std::string(Operation) + " i64 ")) << Ir;
      EXPECT_FALSE(contains(Ir, "div i32") || contains(Ir, "rem i32")) << Ir;
    }
}

// A path that is taken for other operands keeps its own quotient.
TEST(PtxDivisions, OfOtherPathsStay) {
  auto Paths = [](const std::string &Test) {
    return irOfKernel("ld.param.u64 %rd2, [p1];\nld.param.u64 %rd3, [p2];\n" +
                      Test +
                      "@%p1 bra LONG;\ncvt.u32.u64 %r1, %rd2;\n"
                      "cvt.u32.u64 %r2, %rd3;\ndiv.u32 %r3, %r1, %r2;\n"
                      "cvt.u64.u32 %rd6, %r3;\nbra DONE;\nLONG:\n"
                      "div.u64 %rd6, %rd2, %rd3;\nDONE:\n"
                      "st.global.u64 [%rd1], %rd6;");
  };
  std::string Both = "or.b64 %rd4, %rd2, %rd3;\n",
              High = "and.b64 %rd5, %rd4, -4294967296;\n",
              IsSet = "setp.ne.s64 %p1, %rd5, 0;\n";
  EXPECT_FALSE(contains(Paths(Both + High + IsSet), "udiv i32"));
  EXPECT_FALSE(
      contains(Paths(Both + "shr.u64 %rd5, %rd4, 32;\n" + IsSet), "udiv i32"));
  for (const std::string &Other :
       {Both + High + "setp.eq.s64 %p1, %rd5, 0;\n",
        "and.b64 %rd4, %rd2, %rd3;\n" + High + IsSet,
        "mov.u64 %rd4, %rd2;\n" + High + IsSet,
        Both + "and.b64 %rd5, %rd4, -8589934592;\n" + IsSet})
    EXPECT_TRUE(contains(Paths(Other), "udiv i32")) << Paths(Other);
}

TEST(PtxDivisions, WhatAQuotientLeavesIsARemainder) {
  auto Rest = [](const std::string &Product) {
    return irOfKernel("mov.u32 %r1, %tid.x;\nld.param.u32 %r2, [p3];\n"
                      "div.s32 %r3, %r1, %r2;\n" +
                      Product +
                      "sub.s32 %r5, %r1, %r4;\nst.global.u32 [%rd1], %r5;");
  };
  EXPECT_TRUE(contains(Rest("mul.lo.s32 %r4, %r3, %r2;\n"), "srem i32"));
  EXPECT_FALSE(contains(Rest("mul.lo.s32 %r4, %r3, %r1;\n"), "srem i32"));
}

// In code that nothing reaches, a value may be its own operand.
TEST(PtxDivisions, UnreachableCodeEnds) {
  irOfKernel("bra OUT;\nLOOP:\nmad.lo.s32 %r1, %r1, 1, 0;\nmul.lo.s32 %r1, "
             "%r1, 1;\nmul.hi.u32 %r1, %r1, -858993459;\nshr.u32 %r1, %r1, "
             "2;\nbra LOOP;\nOUT:");
}

} // namespace
