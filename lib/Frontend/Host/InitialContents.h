/// \file
/// What host code has put into the buffers of a launch.
#ifndef GPU_ESTIMATE_LIB_FRONTEND_HOST_INITIALCONTENTS_H
#define GPU_ESTIMATE_LIB_FRONTEND_HOST_INITIALCONTENTS_H

#include "HostValue.h"
#include "gpu-estimate/Model/Kernel/BufferContents.h"
#include "clang/AST/Type.h"
#include <optional>

namespace gpuestimate {

struct HostAnalysis;

/// Finds the contents of the buffer behind a pointer at a launch: the last of
///
///   cudaMemset, cudaMemcpy (the contents of the host's buffer then), memset,
///   std::fill, calloc, the initialiser of an array, the size constructor of a
///   container, `v[i] = value` in a loop, and what a called function does so
///
/// in the order of the source. A single element that is written outside of
/// loops does not change the contents of a buffer. Anything else that may write
/// it ends the search: a kernel launched before with a pointer to data that are
/// not const, a function without a body, a write in a branch, `v[i] += x`.
///
/// Random draws are calls of rand() and its relatives, of std::mt19937 and of
/// the uniform distributions, and elements of constant arrays by a random
/// index.
class InitialContents {
public:
  explicit InitialContents(HostAnalysis &Host) : Host(Host) {}

  std::optional<BufferContents> of(const clang::Expr *Pointer,
                                   const CallFrame &Frame, ProgramPoint Point);

  /// The value of an expression that is a random draw, while contents are
  /// looked for; null for every other one.
  HostValue draw(const clang::Expr *E, const CallFrame &Frame,
                 ProgramPoint Point);

private:
  /// The last writer of a buffer so far.
  struct Last {
    std::optional<BufferContents> Contents; ///< nullopt: they have no form
    bool Found = false;
  };
  Last lastWrite(const HostFunction &F, const AccessPath &Buffer,
                 unsigned Order, const CallFrame &Frame);
  std::optional<BufferContents> at(const AccessPath &Buffer,
                                   const CallFrame &Frame, unsigned Order);
  std::optional<BufferContents>
  copied(const clang::Expr *From, const CallFrame &Frame, ProgramPoint Point);
  /// What Call does with the buffer that it is given as argument I; nullopt
  /// where it only reads it.
  std::optional<Last> written(const CallSite &Call, unsigned I,
                              const CallFrame &Frame);
  /// What a declaration puts into its variable.
  std::optional<Last> initial(const Write &W, const CallFrame &Frame);
  std::optional<BufferContents> element(const ElementWrite &W,
                                        const CallFrame &Frame);
  std::optional<BufferContents> value(const clang::Expr *Value,
                                      clang::SourceLocation At,
                                      const clang::Type *ElementType,
                                      const CallFrame &Frame,
                                      ProgramPoint Point);
  std::optional<BufferContents> bytes(const clang::Expr *Byte,
                                      const clang::Expr *At,
                                      const CallFrame &Frame,
                                      ProgramPoint Point);
  HostValue newDraw(RandomDraw Draw, bool Integral);

  /// Limit of the calls and writes that are looked at for one launch.
  static constexpr unsigned MaxSteps = 5000;

  HostAnalysis &Host;
  std::vector<RandomDraw> Draws;
  bool Active = false; ///< draws have values
  unsigned Steps = 0, Depth = 0;
};

} // namespace gpuestimate

#endif
