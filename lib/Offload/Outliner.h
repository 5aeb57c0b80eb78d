/// \file
/// The steps of cutting a nest out of its function.
#ifndef GPU_ESTIMATE_LIB_OFFLOAD_OUTLINER_H
#define GPU_ESTIMATE_LIB_OFFLOAD_OUTLINER_H

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
};

class Outliner {
public:
  Outliner(const NestCode &Code, llvm::ArrayRef<unsigned> Mapped,
           KernelSource &Source)
      : Code(Code), Mapped(Mapped), Source(Source), F(Code.function()),
        Root(*Code.loop(0)) {}

  llvm::Expected<llvm::Function *> run();

private:
  llvm::Error findCaptures();
  void capture(llvm::Value *V);
  /// Does the nest's outermost loop step it?
  bool isCounter(const llvm::Value *Place) const;
  llvm::Error refuseSums() const;
  const NestVariable *variableOf(llvm::Value *V);
  void declareKernel();
  void bindArguments();
  void cloneBlocks();
  llvm::Error bindValues();
  llvm::Expected<llvm::Value *> recompute(llvm::Value *V, unsigned Depth);
  // OutlineSpread.cpp
  llvm::Error spread(unsigned Dimension);
  llvm::Expected<llvm::Value *>
  stepOf(llvm::StoreInst &Store, llvm::IRBuilder<> &Builder, bool &Negative);

  const NestCode &Code;
  llvm::ArrayRef<unsigned> Mapped;
  KernelSource &Source;
  llvm::Function &F;
  const llvm::Loop &Root;

  llvm::MapVector<llvm::Value *, Capture> Captures;
  llvm::SmallVector<llvm::Instruction *> Values; ///< computed before the nest
  llvm::Function *Kernel = nullptr;
  llvm::BasicBlock *Entry = nullptr, *End = nullptr;
  llvm::ValueToValueMapTy Map;
};

} // namespace gpuestimate

#endif
