/// \file
/// Decisions of the cache model as text (`--dump cache`), one line each, as
/// LLVM_DEBUG writes them: cache, source line, kind and object of the access,
/// and what was decided on which grounds.
///
///   L1 scale.cu:7 load y: layer conditions, blocks in lockstep; 33.6 MB
///   requested
///   L1 scale.cu:7 load y: next iteration of iter@scale.cu:6: 9.22 KB between
///   uses, 256 KB held: hits 1, 33.6 MB -> 1.05 MB
///
/// Nothing is computed for a log that is null.
#ifndef GPU_ESTIMATE_LIB_EVALUATE_CACHE_DECISIONLOG_H
#define GPU_ESTIMATE_LIB_EVALUATE_CACHE_DECISIONLOG_H

#include "gpu-estimate/Model/Kernel/KernelModel.h"
#include "llvm/Support/raw_ostream.h"

namespace gpuestimate {

struct ReferenceGroup;

class DecisionLog {
public:
  DecisionLog(llvm::raw_ostream &OS, const KernelModel &Kernel)
      : OS(OS), Kernel(Kernel) {}

  /// A decision about a cache ("L1").
  void write(llvm::StringRef Cache, const llvm::Twine &Decision) const;
  /// A decision about a group of accesses, named by its first member.
  void write(llvm::StringRef Cache, const ReferenceGroup &G,
             const llvm::Twine &Decision) const;
  /// "iter@scale.cu:6"; "the kernel" for -1.
  llvm::StringRef loopName(int Loop) const {
    return Loop < 0 ? "the kernel"
                    : llvm::StringRef(Kernel.Loops[Loop].Counter);
  }

private:
  llvm::raw_ostream &OS;
  const KernelModel &Kernel;
};

/// What executes between two uses of the same data, and the bytes that it
/// brings into the cache.
struct ReuseScope {
  std::string Name; ///< "next iteration of iter@scale.cu:6"
  double WorkingSetBytes = 0;
};

/// "0.48", "8": a fraction or a number of blocks in a decision.
std::string shortNumber(double Value);
/// "33.6 MB"
std::string shortBytes(double Value);

} // namespace gpuestimate

#endif
