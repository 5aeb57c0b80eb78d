#include "HostValue.h"

#include "clang/AST/ExprCXX.h"

namespace gpuestimate {

const clang::Expr *
CallFrame::argument(const clang::ParmVarDecl &Parameter) const {
  if (!Caller)
    return nullptr;
  if (!Construction)
    return Call ? argumentFor(Parameter, *Function->Decl, *Call) : nullptr;
  unsigned Index = Parameter.getFunctionScopeIndex();
  bool IsOwn = Index < Function->Decl->getNumParams() &&
               Function->Decl->getParamDecl(Index)->getCanonicalDecl() ==
                   Parameter.getCanonicalDecl();
  return IsOwn && Index < Construction->getNumArgs()
             ? Construction->getArg(Index)
             : nullptr;
}

AccessPath CallFrame::inCaller(
    const AccessPath &Buffer,
    llvm::function_ref<AccessPath(const clang::Expr *)> PathOf) const {
  if (!Buffer.isLocal())
    return Buffer;
  const auto *Parameter = llvm::dyn_cast<clang::ParmVarDecl>(Buffer.Base);
  const clang::Expr *Argument = Parameter ? argument(*Parameter) : nullptr;
  AccessPath Outer = Argument ? PathOf(Argument) : AccessPath();
  Outer.Fields += Buffer.Fields;
  return Outer;
}

} // namespace gpuestimate
