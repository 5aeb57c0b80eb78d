/// \file
/// C and C++ text to the raw host module that the room Offload reads, and loops
/// named by a mark.
#ifndef GPU_ESTIMATE_TEST_UNIT_OFFLOADTESTING_H
#define GPU_ESTIMATE_TEST_UNIT_OFFLOADTESTING_H

#include "Offload/Dependence/LoopDependences.h"
#include "clang/CodeGen/CodeGenAction.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/Utils.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"
#include <memory>
#include <string>
#include <vector>

namespace gpuestimate::testing {

/// One line: "parallel", "reduction +", "carried 1 iteration: ..", "unknown..".
inline std::string summary(const LoopDependence &D) {
  switch (D.Kind) {
  case LoopDependence::Parallel:
    return "parallel";
  case LoopDependence::Reduction:
    return "reduction " + D.ReductionOperator;
  case LoopDependence::Carried:
    return "carried " + D.Distance + ": " + D.SourceText + " to " + D.SinkText;
  case LoopDependence::Unknown:
    return "unknown: " + D.Reason;
  }
  return "";
}

/// The functions of one text; loops carry a mark, /*i*/ before their keyword.
class HostCode {
public:
  explicit HostCode(const std::string &Text, const char *Name = "test.c")
      : Text(Text) {
    std::vector<const char *> Args = {"clang",
                                      "--target=x86_64-linux-gnu",
                                      "-O3",
                                      "-Xclang",
                                      "-disable-llvm-passes",
                                      "-fno-discard-value-names",
                                      "-gline-tables-only",
                                      "-Wno-everything",
                                      "-c",
                                      Name};
    clang::CreateInvocationOptions Options;
    Options.Diags = clang::CompilerInstance::createDiagnostics(
        new clang::DiagnosticOptions());
    clang::CompilerInstance Compiler;
    Compiler.setInvocation(clang::createInvocation(Args, Options));
    Compiler.createDiagnostics();
    Compiler.getPreprocessorOpts().addRemappedFile(
        Name, llvm::MemoryBuffer::getMemBufferCopy(Text).release());
    clang::EmitLLVMOnlyAction Action(&Context);
    if (Compiler.ExecuteAction(Action))
      Module = Action.takeModule();
    EXPECT_TRUE(Module) << Text;
  }

  /// The function f, or else the last one.
  const llvm::Function &main() const {
    const llvm::Function *Main = Module->getFunction("f");
    for (const llvm::Function &F : *Module)
      if (!F.isDeclaration() && (!Main || Main->getName() != "f"))
        Main = &F;
    return *Main;
  }
  const llvm::Function &function(const char *Name) const {
    return *Module->getFunction(Name);
  }

  /// Where the loop with a mark starts.
  SourceLocation loop(const std::string &Mark) const {
    const size_t At = Text.find("/*" + Mark + "*/");
    EXPECT_NE(At, std::string::npos) << Mark;
    const size_t Line = Text.rfind('\n', At) + 1; // npos + 1 is 0
    const auto Lines = std::count(Text.begin(), Text.begin() + At, '\n');
    return {"", unsigned(Lines) + 1, unsigned(At - Line + Mark.size() + 4) + 1};
  }

  /// To ask about one loop alone saves work and changes nothing.
  LoopDependence dependence(const std::string &Mark) const {
    const SourceLocation Place = loop(Mark);
    LoopDependence Answer = LoopDependences(main()).dependenceOf(Place);
    const LoopDependence Alone =
        LoopDependences(main(), Place).dependenceOf(Place);
    EXPECT_EQ(summary(Alone), summary(Answer)) << Text;
    EXPECT_EQ(Alone.Assumptions, Answer.Assumptions) << Text;
    return Answer;
  }

  llvm::LLVMContext Context;
  std::unique_ptr<llvm::Module> Module;
  std::string Text;
};

inline std::string assumptions(const LoopDependence &D) {
  std::string Text;
  for (const std::string &One : D.Assumptions)
    Text += (Text.empty() ? "" : "; ") + One;
  return Text;
}

/// The summary of the marked loop of the function f of a text.
inline std::string summary(const std::string &Text, const std::string &Mark) {
  return summary(HostCode(Text).dependence(Mark));
}

} // namespace gpuestimate::testing

#endif
