/// \file
/// PTX from a test to LLVM IR.
#ifndef GPU_ESTIMATE_TEST_UNIT_HELPERS_PTXTESTING_H
#define GPU_ESTIMATE_TEST_UNIT_HELPERS_PTXTESTING_H

#include "gpu-estimate/Ptx/ReadPtx.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/raw_ostream.h"
#include <gtest/gtest.h>

namespace gpuestimate::testing {

inline const std::string PtxHead =
    ".version 8.5\n.target sm_80\n.address_size 64\n";

inline bool contains(const std::string &Text, const std::string &Part) {
  return Text.find(Part) != std::string::npos;
}

/// The whole module as text.
inline std::string irOf(const PtxUnit &Unit) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  if (Unit.Module)
    Unit.Module->print(OS, nullptr);
  return Text;
}

/// The unit of Text, which must be PTX; its module is verified.
inline PtxUnit readTestPtx(const std::string &Text) {
  llvm::Expected<PtxUnit> Unit = readPtx(Text, "test.ptx", "sm_80");
  if (!Unit) {
    ADD_FAILURE() << llvm::toString(Unit.takeError());
    return {};
  }
  std::string Problems;
  llvm::raw_string_ostream OS(Problems);
  EXPECT_FALSE(llvm::verifyModule(*Unit->Module, &OS)) << Problems;
  return std::move(*Unit);
}

/// The LLVM IR of a kernel `k` with three pointers (arg0 to arg2), an integer
/// (arg3) and a float (arg4), whose body is Body.
inline std::string irOfKernel(const std::string &Body) {
  PtxUnit Unit = readTestPtx(PtxHead + R"(
.visible .entry k(.param .u64 p0, .param .u64 p1, .param .u64 p2,
                  .param .u32 p3, .param .f32 p4) {
  .reg .pred %p<9>;
  .reg .b16 %rs<9>;
  .reg .b32 %r<20>;
  .reg .f32 %f<20>;
  .reg .b64 %rd<20>;
  .reg .f64 %fd<9>;
)" + Body + "\n  ret;\n}\n");
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  if (Unit.Module)
    Unit.Module->getFunction("k")->print(OS);
  return Text;
}

/// The message of the error that Text gives; "" if it gives none.
inline std::string ptxError(const std::string &Text) {
  llvm::Expected<PtxUnit> Unit = readPtx(Text, "test.ptx", "sm_80");
  return Unit ? "" : llvm::toString(Unit.takeError());
}

} // namespace gpuestimate::testing

#endif
