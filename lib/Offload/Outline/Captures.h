/// \file
/// Values from outside a loop nest that its code uses.
#ifndef GPU_ESTIMATE_LIB_OFFLOAD_OUTLINE_CAPTURES_H
#define GPU_ESTIMATE_LIB_OFFLOAD_OUTLINE_CAPTURES_H

#include "OutlinedKernel.h"
#include "llvm/ADT/MapVector.h"

namespace gpuestimate {

inline llvm::Error refusal(const llvm::Twine &Reason) {
  return llvm::createStringError(Reason.str());
}

/// A variable of the host, or an argument of its function, that the nest uses.
struct Capture {
  llvm::Value *Address; ///< alloca, global variable or argument
  const NestVariable *Variable = nullptr; ///< null: a temporary
  /// Passed as a pointer to the variable; otherwise its value is passed.
  bool IsObject = false;
  bool Written = false; ///< in the nest
  /// The reduction of this variable: each thread has a private copy, and the
  /// argument points to the result.
  const ReductionUpdate *Update = nullptr;
  bool IsScan = false; ///< each thread needs the value before its iteration
  AssociativeOperator Operator = {}; ///< of the reduction or scan
};

/// Finds the captures of a nest.
class CaptureAnalysis {
public:
  CaptureAnalysis(const IrLoopNest &Code, const IterationMapping &Mapping)
      : Code(Code), Mapping(Mapping), F(Code.function()), Root(*Code.loop(0)) {
    This.Argument.Name = "this";
    This.Argument.Kind = KernelArgument::Pointer;
    This.Argument.Bytes = 8;
  }

  /// An error says why the nest cannot be outlined.
  llvm::Error run();
  /// Is the variable at Address a counter of the nest's outermost loop?
  bool isCounter(const llvm::Value *Address) const;

  llvm::MapVector<llvm::Value *, Capture> Captures;
  /// Instructions before the nest whose results it uses.
  llvm::SmallVector<llvm::Instruction *> Values;
  /// Updates of other memory than the function's scalar variables.
  std::vector<ReductionUpdate> UpdatesInMemory;
  /// Each thread runs several iterations (see OutlinedKernel::Strided).
  bool Strided = false;

private:
  const NestVariable *variableOf(llvm::Value *V);
  void captureVariable(llvm::Value *V);
  llvm::Error findUpdates();
  llvm::Error findScan();
  llvm::Error refuseUnknownSums() const;
  /// Is it the variable that Update changes?
  bool matches(const ReductionUpdate &Update, llvm::Value *Address,
               const Capture &C) const;

  const IrLoopNest &Code;
  const IterationMapping &Mapping;
  llvm::Function &F;
  const llvm::Loop &Root;
  NestVariable This; ///< `this` of a member function, which nothing declares
};

} // namespace gpuestimate

#endif
