/// \file
/// The unknowns of a kernel: values that the source does not determine.
///
/// During lowering an unknown has a private name, because many are requested
/// that no final expression uses. finish() gives the used ones their public
/// names (`trip@f.cu:12`, a second one of a line gets `#2`) in the order of
/// their creation and drops the others.
#ifndef GPU_ESTIMATE_LIB_LOWERING_VALUES_UNKNOWNS_H
#define GPU_ESTIMATE_LIB_LOWERING_VALUES_UNKNOWNS_H

#include "gpu-estimate/Lowering/Values/IrOrigins.h"
#include "gpu-estimate/Model/Kernel/KernelModel.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

namespace llvm {
class Value;
}

namespace gpuestimate {

class Unknowns {
public:
  explicit Unknowns(KernelModel &Model) : Model(Model), Ctx(*Model.Context) {}

  /// A new unknown as a parameter. finish() fills U.Name and U.Settle; Source
  /// is the IR value that it stands for, or null.
  Expr add(Unknown U, const llvm::Value *Source);
  /// Adds an IR value or branch that the unknown E stands for.
  void addOrigin(Expr E, const UnknownOrigin &Origin);
  /// Lists an unknown that no expression uses, once per (What, line).
  void note(Unknown U);

  /// Does E contain an unknown, or one that may differ between lanes?
  bool contains(Expr E);
  bool laneVarying(Expr E);
  /// Appends the IR values that the unknowns in E stand for.
  void sources(Expr E,
               llvm::SmallVectorImpl<const llvm::Value *> &Values) const;

  /// Calls Visit on each unknown that an expression uses, with the IR value it
  /// stands for (may be null) and its origins. Visit may add others.
  void forEachUsed(llvm::function_ref<void(Unknown &, const llvm::Value *,
                                           llvm::ArrayRef<UnknownOrigin>)>
                       Visit);

  /// Gives the used unknowns their public names everywhere in the model and
  /// drops the others. Call once, at the end. Fills the unknowns of Origins, if
  /// given.
  void finish(IrOrigins *Origins = nullptr);

private:
  /// For each entry whether an expression of the model, or the upper bound of
  /// another used unknown, contains it.
  std::vector<bool> findUsed();

  struct Entry {
    Unknown U;
    const llvm::Value *Source = nullptr;
    llvm::SmallVector<UnknownOrigin, 2> Origins;
  };
  KernelModel &Model;
  ExprContext &Ctx;
  std::vector<Entry> Entries;
  llvm::StringMap<unsigned> Index; ///< private name -> entry
  std::vector<Unknown> Notes;
  llvm::StringSet<> Noted; ///< "file:line:What" of Notes
  llvm::DenseMap<const ExprNode *, bool> ContainsMemo, LaneVaryingMemo;
};

/// The first part of a public name: "trip", "value", "p(branch", ...
llvm::StringRef stemOf(Unknown::KindType Kind);

} // namespace gpuestimate

#endif
