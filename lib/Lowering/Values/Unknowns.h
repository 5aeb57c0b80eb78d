/// \file
/// What the source does not determine, collected while a kernel is extracted.
///
/// While the work goes on an unknown has a private name, because many are
/// asked for that no final expression uses. finish() gives the used ones
/// their public names (`trip@f.cu:12`, a second one of a line gets `#2`), in
/// the order in which they were met, and drops the rest.
#ifndef GPU_ESTIMATE_LIB_LOWERING_VALUES_UNKNOWNS_H
#define GPU_ESTIMATE_LIB_LOWERING_VALUES_UNKNOWNS_H

#include "gpu-estimate/Lowering/Values/IrPlaces.h"
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

  /// A new unknown in expressions. U.Name and U.Settle are filled in later;
  /// Source is the IR value that it stands for, or null.
  Expr add(Unknown U, const llvm::Value *Source);
  /// The unknown E stands for this place too.
  void addPlace(Expr E, const UnknownPlace &Place);
  /// One that no expression uses; Name, if not empty, is a stem ("call", ...)
  /// that becomes part of no expression. Listed once per (What, line).
  void note(Unknown U);

  /// Does E contain an unknown? And one that may differ between lanes?
  bool contains(Expr E);
  bool laneVarying(Expr E);
  /// The IR values behind the unknowns in E (null ones left out).
  void sources(Expr E, llvm::SmallVectorImpl<const llvm::Value *> &Out) const;

  /// Renames and drops, everywhere in the model. Call once, at the end. Fills
  /// the unknowns of Places, if given.
  void finish(IrPlaces *Places = nullptr);

private:
  struct Entry {
    Unknown U;
    const llvm::Value *Source = nullptr;
    llvm::SmallVector<UnknownPlace, 2> Places;
  };
  KernelModel &Model;
  ExprContext &Ctx;
  std::vector<Entry> Entries;
  llvm::StringMap<unsigned> Index; ///< private name -> entry
  std::vector<Unknown> Notes;
  llvm::StringSet<> Noted; ///< place and What of Notes
  llvm::DenseMap<const ExprNode *, bool> ContainsMemo, LaneVaryingMemo;
};

/// The first part of a public name: "trip", "value", "p(branch", ...
llvm::StringRef stemOf(Unknown::KindType Kind);

/// "file.cu:12", or "?" when the place is unknown.
std::string placeOf(const SourceLocation &Location);

} // namespace gpuestimate

#endif
