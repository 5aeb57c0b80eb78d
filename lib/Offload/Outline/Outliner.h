/// \file
/// The steps of cutting a nest out of its function.
#ifndef GPU_ESTIMATE_LIB_OFFLOAD_OUTLINE_OUTLINER_H
#define GPU_ESTIMATE_LIB_OFFLOAD_OUTLINE_OUTLINER_H

#include "Outline.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

namespace gpuestimate {

inline llvm::Error refusal(const llvm::Twine &Why) {
  return llvm::createStringError(Why.str());
}

/// A place in memory, or a value of the host, that the nest needs.
struct Capture {
  llvm::Value *Place;
  const NestVariable *Variable = nullptr; ///< null: a temporary
  bool IsObject = false; ///< passed as a pointer to it; else its value
  bool Written = false;  ///< in the nest
  /// A sum over the iterations and the like: each thread has a part, the
  /// argument points to where the whole belongs.
  const LoopUpdate *Update = nullptr;
  bool IsScan = false; ///< each thread needs what came before its iteration
  CombineOperator Operator = {};
};

class Outliner {
public:
  Outliner(const NestCode &Code, const NestShape &Shape, KernelSource &Source)
      : Code(Code), Shape(Shape), Source(Source), F(Code.function()),
        Root(*Code.loop(0)) {
    This.Argument.Name = "this";
    This.Argument.Kind = KernelArgument::Pointer;
    This.Argument.Bytes = 8;
  }

  llvm::Expected<OutlinedNest> run();

private:
  llvm::Error findCaptures();
  void capture(llvm::Value *V);
  /// Does the nest's outermost loop step it?
  bool isCounter(const llvm::Value *Place) const;
  // OutlineUpdates.cpp
  llvm::Error findUpdates();
  llvm::Error refuseSums() const;
  KernelArgument describeResult(const Capture &C);
  bool matches(const LoopUpdate &U, llvm::Value *Place, const Capture &C) const;
  llvm::Error findScan();
  void addScanWords();
  const NestVariable *variableOf(llvm::Value *V);
  void declareKernel();
  void bindArguments();
  void cloneBlocks();
  llvm::Error bindValues();
  llvm::Expected<llvm::Value *> recompute(llvm::Value *V, unsigned Depth);
  // OutlineSpread.cpp
  llvm::Error spread(unsigned Dimension);
  struct Step {
    llvm::Value *Value; ///< what is added, before the loop
    llvm::Use *In;      ///< where the loop adds it
    bool Negative;      ///< it is subtracted
  };
  llvm::Expected<Step> stepOf(llvm::StoreInst &Store,
                              llvm::IRBuilder<> &Builder);

  const NestCode &Code;
  const NestShape &Shape;
  KernelSource &Source;
  llvm::Function &F;
  const llvm::Loop &Root;
  NestVariable This; ///< of a member function; declared nowhere

  llvm::MapVector<llvm::Value *, Capture> Captures;
  llvm::SmallVector<llvm::Instruction *> Values; ///< computed before the nest
  OutlinedNest Result;
  std::vector<ThreadResult> Results;
  llvm::Value *ScanOwn = nullptr; ///< the scan's variable, if it is one
  llvm::Function *Kernel = nullptr;
  llvm::BasicBlock *Entry = nullptr, *End = nullptr;
  llvm::ValueToValueMapTy Map;
};

} // namespace gpuestimate

#endif
