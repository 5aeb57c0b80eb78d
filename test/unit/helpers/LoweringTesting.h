/// \file
/// Kernels as LLVM IR text, extracted for tests.
#ifndef GPU_ESTIMATE_TEST_UNIT_LOWERINGTESTING_H
#define GPU_ESTIMATE_TEST_UNIT_LOWERINGTESTING_H

#include "gpu-estimate/Lowering/LowerKernel.h"
#include "helpers/DumpKernel.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"
#include <map>

namespace gpuestimate::testing {

using test::dump;

/// What every test module starts with.
inline constexpr const char *Prelude = R"(
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.laneid()
declare void @llvm.nvvm.barrier0()
)";

enum class Pipeline { Run, Skip };

/// The model of the kernel @k in Text (Prelude is put in front).
inline KernelModel extract(const std::string &Text, Pipeline P = Pipeline::Run,
                           const KernelSource &Source = {}) {
  llvm::LLVMContext Context;
  llvm::SMDiagnostic Problem;
  std::unique_ptr<llvm::Module> M =
      llvm::parseAssemblyString(Prelude + Text, Problem, Context);
  if (!M) {
    std::string What;
    llvm::raw_string_ostream OS(What);
    Problem.print("test", OS);
    ADD_FAILURE() << What;
    return {};
  }
  if (P == Pipeline::Run)
    prepareForAnalysis(*M);
  llvm::Expected<KernelModel> Model = lowerKernel(*M->getFunction("k"), Source);
  if (!Model) {
    ADD_FAILURE() << toString(Model.takeError());
    return {};
  }
  EXPECT_EQ(checkConsistency(*Model), "");
  return std::move(*Model);
}

/// The value of E; a failure when a parameter is missing.
inline double valueOf(Expr E, const std::map<std::string, double> &Values) {
  Bindings B;
  for (const auto &[Name, Value] : Values)
    B[Name] = Value;
  std::optional<double> Result = evaluate(E, B);
  EXPECT_TRUE(Result) << "cannot evaluate " << E.str();
  return Result.value_or(-1);
}

/// Number of machine instructions of a class.
inline unsigned countOf(const KernelModel &M, OpClass Class) {
  unsigned Count = 0;
  for (const Operation &Op : M.Operations)
    if (Op.Class == Class)
      Count += Op.Count;
  return Count;
}

/// The first operation of a class; a failure when there is none.
inline const Operation &first(const KernelModel &M, OpClass Class) {
  for (const Operation &Op : M.Operations)
    if (Op.Class == Class)
      return Op;
  ADD_FAILURE() << "no operation of class " << info(Class).Name.str() << "\n"
                << dump(M);
  static const Operation None;
  return None;
}

} // namespace gpuestimate::testing

#endif
