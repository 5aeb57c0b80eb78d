#include "ManagedPages.h"

#include "HostAnalysis.h"
#include "RuntimeCalls.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include <climits>

namespace gpuestimate {

bool ManagedPages::areOnHost(const clang::Expr *Pointer, const CallFrame &Frame,
                             ProgramPoint Point) {
  AccessPath Buffer = bufferPathOf(Pointer);
  unsigned Order = Point.Order;
  for (const CallFrame *F = &Frame; F && F->Function && Buffer.Base;
       F = F->Caller) {
    if (std::optional<User> Last = lastUser(*F->Function, Buffer, Order, 0))
      return *Last == User::Host;
    Order = F->CallPoint.Order;
    Buffer = F->inCaller(Buffer, bufferPathOf);
  }
  return false;
}

std::optional<ManagedPages::User>
ManagedPages::lastUser(const HostFunction &F, const AccessPath &Buffer,
                       unsigned Order, unsigned Depth) {
  std::optional<User> Last;
  unsigned LastOrder = 0;
  auto isLater = [&](ProgramPoint Point) {
    return Point.Order < Order && Point.Order >= LastOrder;
  };
  auto take = [&](std::optional<User> Who, ProgramPoint Point) {
    if (!Who)
      return;
    Last = Who;
    LastOrder = Point.Order;
  };
  if (auto It = F.ElementWrites.find(Buffer.Base); It != F.ElementWrites.end())
    for (const ElementWrite &W : It->second)
      if (W.Fields == Buffer.Fields && isLater(W.Point))
        take(User::Host, W.Point);
  for (const CallSite &Launch : F.Launches)
    for (const clang::Expr *Argument : Launch.Call->arguments())
      if (isLater(Launch.Point) && bufferPathOf(Argument) == Buffer)
        take(User::Gpu, Launch.Point);
  for (const CallSite &Call : F.Calls) {
    if (!isLater(Call.Point) || ++Steps > MaxSteps)
      continue;
    bool IsPassed = false;
    for (unsigned I = 0; I < Call.Call->getNumArgs(); ++I) {
      if (bufferPathOf(Call.Call->getArg(I)) != Buffer)
        continue;
      IsPassed = true;
      take(userOf(Call, I, Depth), Call.Point);
    }
    const HostFunction *Callee = Host.Index.find(Call.Callee);
    if (!IsPassed && Callee && !Buffer.isLocal() &&
        Depth < CallFrames::MaxInlineDepth)
      take(lastUser(*Callee, Buffer, UINT_MAX, Depth + 1), Call.Point);
  }
  return Last;
}

std::optional<ManagedPages::User>
ManagedPages::userOf(const CallSite &Site, unsigned I, unsigned Depth) {
  if (isPrefetch(*Site.Callee) && I == 0 && Site.Call->getNumArgs() > 2) {
    // The number of a device; cudaCpuDeviceId is negative. A structure, as in
    // CUDA 13, is taken to name a GPU.
    clang::Expr::EvalResult Device;
    bool IsHost = Site.Call->getArg(2)->EvaluateAsInt(Device, Host.AST) &&
                  Device.Val.getInt().isNegative();
    return IsHost ? User::Host : User::Gpu;
  }
  if (isRuntimeFunction(*Site.Callee))
    return I == 0 && isDeviceWrite(*Site.Callee) ? std::optional(User::Gpu)
                                                 : std::nullopt;
  bool IsMemberOperator = llvm::isa<clang::CXXOperatorCallExpr>(Site.Call) &&
                          llvm::isa<clang::CXXMethodDecl>(Site.Callee);
  unsigned Index = I - IsMemberOperator;
  if ((IsMemberOperator && I == 0) || Index >= Site.Callee->getNumParams())
    return std::nullopt;
  const clang::ParmVarDecl *Parameter = Site.Callee->getParamDecl(Index);
  if (const HostFunction *Callee = Host.Index.find(Site.Callee)) {
    if (Depth >= CallFrames::MaxInlineDepth)
      return std::nullopt;
    const clang::ParmVarDecl *Own = Callee->Decl->getParamDecl(Index);
    return lastUser(*Callee, {Own->getCanonicalDecl(), ""}, UINT_MAX,
                    Depth + 1);
  }
  clang::QualType Type = Parameter->getType().getNonReferenceType();
  return Type->isPointerType() && !Type->getPointeeType().isConstQualified()
             ? std::optional(User::Host)
             : std::nullopt;
}

} // namespace gpuestimate
