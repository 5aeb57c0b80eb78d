/// \file
/// Arrays of numbers that host code never changes.
#ifndef GPU_ESTIMATE_LIB_FRONTEND_HOST_CONSTANTTABLES_H
#define GPU_ESTIMATE_LIB_FRONTEND_HOST_CONSTANTTABLES_H

#include "llvm/ADT/DenseMap.h"
#include <vector>

namespace clang {
class ASTContext;
class Expr;
class VarDecl;
} // namespace clang

namespace gpuestimate {

struct HostIndex;

/// The numbers of an initialiser of an array, inner lists included; empty for
/// everything else.
std::vector<double> constantsOf(const clang::Expr *Init,
                                const clang::ASTContext &AST);

/// `int sizes[] = {32, 64, 128};` as a table: no function of the file assigns
/// to an element or hands the array out to be written.
class ConstantTables {
public:
  ConstantTables(const clang::ASTContext &AST, const HostIndex &Index)
      : AST(AST), Index(Index) {}

  /// The elements of Array; empty if it is no table, or longer than 64.
  const std::vector<double> &elements(const clang::VarDecl &Array);

private:
  bool isWritten(const clang::VarDecl &Array) const;

  const clang::ASTContext &AST;
  const HostIndex &Index;
  llvm::DenseMap<const clang::VarDecl *, std::vector<double>> Known;
};

} // namespace gpuestimate

#endif
