/// \file
/// Where the pages of managed memory lie.
#ifndef GPU_ESTIMATE_LIB_FRONTEND_HOST_MANAGEDPAGES_H
#define GPU_ESTIMATE_LIB_FRONTEND_HOST_MANAGEDPAGES_H

#include "HostValue.h"
#include <optional>

namespace gpuestimate {

struct HostAnalysis;

/// Finds out who used a buffer of managed memory last before a launch. Its
/// pages lie there: a kernel, a prefetch, cudaMemset and cudaMemcpy bring them
/// to the GPU, an assignment of host code brings them to the host.
///
/// Uses count in the order of the source: of a launch in a loop, the first
/// iteration is meant. Calls are followed into functions of the translation
/// unit. A function without a body that receives a pointer to data that are not
/// const (memset, std::fill) writes them. What host code only reads is ignored,
/// although reading moves pages, too.
class ManagedPages {
public:
  explicit ManagedPages(HostAnalysis &Host) : Host(Host) {}

  /// Whether host code used the buffer behind Pointer last. False where nobody
  /// has used it: the first kernel then gets pages of the GPU.
  bool areOnHost(const clang::Expr *Pointer, const CallFrame &Frame,
                 ProgramPoint Point);

private:
  enum class User { Host, Gpu };
  /// The last use of the buffer in F before the position Order.
  std::optional<User> lastUser(const HostFunction &F, const AccessPath &Buffer,
                               unsigned Order, unsigned Depth);
  /// What a call does with the buffer that it is given as argument I.
  std::optional<User> userOf(const CallSite &Site, unsigned I, unsigned Depth);

  /// Limit of the calls that are looked at for one launch, against recursion
  /// and generated code. Beyond it, calls count as no use.
  static constexpr unsigned MaxSteps = 5000;

  HostAnalysis &Host;
  unsigned Steps = 0;
};

} // namespace gpuestimate

#endif
