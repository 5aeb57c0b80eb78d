#include "HostValue.h"

#include "clang/AST/Expr.h"

namespace gpuestimate {

AccessPath CallFrame::inCaller(
    const AccessPath &Buffer,
    llvm::function_ref<AccessPath(const clang::Expr *)> PathOf) const {
  if (!Buffer.isLocal())
    return Buffer;
  const auto *Parameter = llvm::dyn_cast<clang::ParmVarDecl>(Buffer.Base);
  const clang::Expr *Argument =
      Parameter && Call ? argumentFor(*Parameter, *Function->Decl, *Call)
                        : nullptr;
  AccessPath Outer = Argument ? PathOf(Argument) : AccessPath();
  Outer.Fields += Buffer.Fields;
  return Outer;
}

} // namespace gpuestimate
