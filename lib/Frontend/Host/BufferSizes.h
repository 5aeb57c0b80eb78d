/// \file
/// Sizes of buffers and containers in host code.
#ifndef GPU_ESTIMATE_LIB_FRONTEND_HOST_BUFFERSIZES_H
#define GPU_ESTIMATE_LIB_FRONTEND_HOST_BUFFERSIZES_H

#include "HostValue.h"
#include "gpu-estimate/Model/Kernel/HostMemory.h"

namespace gpuestimate {

struct HostAnalysis;

/// Finds the size of the buffer that a pointer points to, from the allocations
/// that the pointer may hold: cudaMalloc and its relatives, in plain C also
/// malloc and `new`, through assignments, swap(), helper functions and
/// containers. The order of assignments is ignored: all allocations must have
/// the same size. Example: after cudaMalloc(&p, n * 4), `p` has n * 4 bytes.
class BufferSizes {
public:
  explicit BufferSizes(HostAnalysis &Host);

  /// Bytes of the buffer behind a pointer; null if no allocation was found or
  /// several of different sizes.
  Expr bytes(const clang::Expr *Pointer, const CallFrame &Frame,
             ProgramPoint Point);
  Expr bytes(const clang::VarDecl &Pointer, const CallFrame &Frame);
  /// Where the buffer behind a pointer lies; nullopt if no allocation was found
  /// or they differ.
  std::optional<BufferPlace> place(const clang::Expr *Pointer,
                                   const CallFrame &Frame, ProgramPoint Point);
  /// Elements of a container whose size was set by its constructor, resize() or
  /// assign().
  HostValue containerSize(const clang::Expr *Object, const CallFrame &Frame,
                          ProgramPoint Point);

private:
  HostValue copiedSize(const clang::Expr *Made, const CallFrame &Frame,
                       ProgramPoint Point);
  struct Search;
  static Expr commonSize(const Search &Found);
  void take(const Allocation &A, const CallFrame &Frame, Search &Found);
  bool findInCall(const clang::CallExpr &Call, const CallFrame &Frame,
                  ProgramPoint Point, Search &Found);
  void find(const clang::Expr *Pointer, const CallFrame &Frame,
            ProgramPoint Point, Search &Found);
  void find(const AccessPath &Path, const CallFrame &Frame, Search &Found);
  void findIn(const HostFunction &Function, const AccessPath &Path,
              const CallFrame &Frame, unsigned Depth, Search &Found);
  void findInCallees(const HostFunction &Function, const AccessPath &Path,
                     const CallFrame &Frame, Search &Found);

  HostAnalysis &Host;
  clang::ASTContext &AST;
  const HostIndex &Index;
  ExprContext &Terms;
};

} // namespace gpuestimate

#endif
