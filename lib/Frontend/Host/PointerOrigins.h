/// \file
/// Which buffer the pointers of host code point into.
#ifndef GPU_ESTIMATE_LIB_FRONTEND_HOST_POINTERORIGINS_H
#define GPU_ESTIMATE_LIB_FRONTEND_HOST_POINTERORIGINS_H

#include "HostValue.h"
#include "gpu-estimate/Model/Kernel/Launch.h"
#include "clang/AST/Type.h"
#include <map>
#include <optional>

namespace gpuestimate {

struct HostAnalysis;

/// Finds the buffer behind a pointer and the offset in it, by pointer
/// arithmetic, assignments, members of structures, and functions that return or
/// set a pointer. Example: after `x1 = x0 + 1; x2 = x1 + jp` with doubles, x2
/// points 8 + 8 * jp bytes behind the start of the buffer of x0.
///
/// A buffer is named after the variable at which the search ends: it received
/// an allocation, is a parameter without a known caller, or has a value that
/// cannot be followed. Two pointers with one origin are in one buffer for
/// certain; two with different origins need not be in different ones.
class PointerOrigins {
public:
  explicit PointerOrigins(HostAnalysis &Host);

  /// Where a pointer points to; nullopt if that has no such form.
  std::optional<PointerOrigin> of(const clang::Expr *Pointer,
                                  const CallFrame &Frame, ProgramPoint Point);
  /// The origin of a variable's or a member's pointer.
  std::optional<PointerOrigin> of(const AccessPath &Path,
                                  const CallFrame &Frame, ProgramPoint Point);

private:
  using Result = std::optional<PointerOrigin>;

  Result moved(Result From, const clang::Expr *Count, bool Backwards,
               clang::QualType Pointer, const CallFrame &Frame,
               ProgramPoint Point);
  Result returned(const clang::CallExpr &Call, const CallFrame &Frame,
                  ProgramPoint Point);
  Result member(const clang::Expr *Aggregate, llvm::StringRef Fields,
                const CallFrame &Frame, ProgramPoint Point);
  Result argument(const AccessPath &Path, const CallFrame &Frame);
  Result global(const AccessPath &Path, const CallFrame &Frame);
  Result written(const Write &W, const AccessPath &Path,
                 const CallFrame &Frame);
  Result setByCall(const Write &W, const AccessPath &Path,
                   const CallFrame &Frame);
  Result last(const std::vector<Write> &Writes, const CallFrame &Frame);
  PointerOrigin bufferOf(const AccessPath &Path, const CallFrame &Frame,
                         const Write *Last);

  HostAnalysis &Host;
  unsigned Depth = 0;
  std::map<std::tuple<AccessPath, const HostFunction *, const Write *>,
           std::string>
      Names;
};

} // namespace gpuestimate

#endif
