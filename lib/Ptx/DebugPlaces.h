/// \file
/// Debug locations of PTX: those of `.loc`, or the lines of the PTX file.
#ifndef GPU_ESTIMATE_LIB_PTX_DEBUGPLACES_H
#define GPU_ESTIMATE_LIB_PTX_DEBUGPLACES_H

#include "gpu-estimate/Ptx/Syntax.h"
#include "gpu-estimate/Support/SourceLocation.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/DIBuilder.h"
#include "llvm/IR/DebugLoc.h"
#include <map>

namespace gpuestimate {

class PtxDebugPlaces {
public:
  /// Name is that of the PTX file.
  PtxDebugPlaces(llvm::Module &M, const PtxFile &File, const std::string &Name);

  /// Begins a function and gives it its place: the first `.loc` in it, or the
  /// line of its name.
  SourceLocation begin(llvm::Function &F, const PtxFunction &Source);
  /// Places in a file that no `.file` names are not used. A `.loc` of line 0
  /// stands before code that a compiler made: it keeps the place before it.
  void set(const PtxPlace &At) {
    if (!Files.contains(At.File))
      Current.reset();
    else if (At.Line)
      Current = At;
  }
  /// The place of an instruction of F in Line of the PTX file.
  llvm::DebugLoc at(llvm::Function &F, unsigned Line);
  void finish() { Builder.finalize(); }

private:
  llvm::DIFile *file(unsigned Number);

  llvm::DIBuilder Builder;
  llvm::DIFile *Ptx;
  std::map<unsigned, llvm::DIFile *> Files; ///< any number may be written
  llvm::DenseMap<llvm::DIFile *, llvm::DISubprogram *> Inlined;
  std::optional<PtxPlace> Current;
};

} // namespace gpuestimate

#endif
