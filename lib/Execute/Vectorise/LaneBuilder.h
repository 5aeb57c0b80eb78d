/// \file
/// Builds the vector form of one block after the other, and keeps the values of
/// the kernel that were built.
///
/// A value of the kernel is one scalar if it is uniform or affine (that of the
/// first lane), else a vector. Either is made from the other on demand.
/// Example: of i, affine with stride 1 and the scalar %i,
///
///   scalar(i)   %i
///   lanes(i)    splat(%i) + <0, 1, 2, ... 15>
///
/// What other blocks read lies in a slot, an alloca that LLVM's SROA makes a
/// register again.
#ifndef GPU_ESTIMATE_LIB_EXECUTE_VECTORISE_LANEBUILDER_H
#define GPU_ESTIMATE_LIB_EXECUTE_VECTORISE_LANEBUILDER_H

#include "LaneShapes.h"
#include "llvm/IR/IRBuilder.h"

namespace gpuestimate {

class LaneBuilder : public llvm::IRBuilder<> {
public:
  LaneBuilder(const LaneVectorRequest &Request, const LaneShapes &Shapes,
              unsigned Width);

  const LaneVectorRequest &request() const { return Request; }
  const llvm::DataLayout &layout() const { return Layout; }
  unsigned width() const { return Width; }
  Shape shapeOf(const llvm::Value *V) const { return Shapes.shapeOf(V); }
  bool isUniform(const llvm::Value *V) const { return Shapes.isUniform(V); }
  bool isVarying(const llvm::Value *V) const { return Shapes.isVarying(V); }

  // Types and values of lanes
  llvm::Type *laneType(llvm::Type *T) const;
  llvm::Type *maskType() const {
    return laneType(llvm::Type::getInt1Ty(Context));
  }
  /// The value of all lanes, or of the first lane if it is affine.
  llvm::Value *scalar(llvm::Value *V);
  llvm::Value *lanes(llvm::Value *V);
  llvm::Value *splat(llvm::Value *V);
  /// Base + lane * Stride
  llvm::Value *spread(llvm::Value *Base, int64_t Stride);
  llvm::Value *blend(llvm::Value *Where, llvm::Value *True, llvm::Value *False);
  llvm::Value *isAny(llvm::Value *Lanes);
  llvm::Value *bitsOf(llvm::Value *Lanes);

  // Values that are kept
  /// A variable of the new function.
  llvm::AllocaInst *slot(llvm::Type *T, const llvm::Twine &Name);
  /// An alloca of the kernel, once for each lane.
  llvm::AllocaInst *arrayOfLanes(llvm::AllocaInst &A, int64_t Stride);
  void setArgument(const llvm::Value *A, llvm::Value *New) {
    Arguments[A] = New;
  }
  void setArgumentLanes(const llvm::Value *A, llvm::Value *New) {
    ArgumentLanes[A] = New;
  }
  /// Makes the slots of an instruction's result.
  void makeSlots(llvm::Instruction &I);
  llvm::AllocaInst *phiSlot(const llvm::PHINode *Phi) const {
    return PhiSlots.lookup(Phi);
  }
  /// Keeps the new value of an instruction, by lane or not.
  void keep(llvm::Instruction &I, llvm::Value *New, bool IsLanes);
  /// Forgets the values that are valid within one block of the kernel.
  void beginBlock() {
    Scalars.clear();
    Lanes.clear();
  }

  /// Why the kernel has no vector form after all; the first reason counts.
  void refuse(llvm::StringRef Why) {
    if (Problem.empty())
      Problem = Why.str();
  }
  llvm::StringRef problem() const { return Problem; }

  llvm::Function *New = nullptr;         ///< the function that is built
  llvm::Instruction *EntryEnd = nullptr; ///< slots are made before it
  llvm::BasicBlock *Exit = nullptr;      ///< its last block
  llvm::Value *Thread = nullptr;         ///< the ThreadContext
  llvm::Value *First = nullptr;          ///< the number of the first thread
  llvm::Value *Mask = nullptr; ///< active lanes of the block that is built

private:
  const LaneVectorRequest &Request;
  const LaneShapes &Shapes;
  const llvm::DataLayout &Layout;
  const unsigned Width;
  std::string Problem;
  using ValueMap = llvm::DenseMap<const llvm::Value *, llvm::Value *>;
  using SlotMap = llvm::DenseMap<const llvm::Value *, llvm::AllocaInst *>;
  /// Values of other blocks, and of phis until their block begins.
  SlotMap ScalarSlots, LaneSlots, PhiSlots;
  ValueMap Arguments, ArgumentLanes;
  ValueMap Scalars, Lanes; ///< of this block
};

} // namespace gpuestimate

#endif
