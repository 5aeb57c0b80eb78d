/// \file
/// Sizes of the buffers behind pointers. Order is ignored: every allocation
/// that the pointer may hold must have the same size.
#include "HostValues.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include <set>

namespace gpuestimate {

struct HostValues::BufferSearch {
  std::set<std::pair<Place, const HostFunction *>> Seen;
  std::vector<Expr> Sizes;
  bool Unknown = false; ///< a source of the pointer was not understood
};

Expr HostValues::bufferBytes(const clang::Expr *E, const Frame &F,
                             Position At) {
  BufferSearch Search;
  findBuffers(E, F, At, Search);
  return sizeOf(Search);
}

Expr HostValues::sizeOf(const BufferSearch &Search) {
  if (Search.Unknown || Search.Sizes.empty())
    return {};
  for (Expr Size : Search.Sizes)
    if (!Size || Size != Search.Sizes.front())
      return {};
  return Search.Sizes.front();
}

Expr HostValues::bufferBytes(const clang::VarDecl &Pointer, const Frame &F) {
  BufferSearch Search;
  findBuffers({Pointer.getCanonicalDecl(), ""}, F, Search);
  return sizeOf(Search);
}

void HostValues::findBuffers(const clang::Expr *E, const Frame &F, Position At,
                             BufferSearch &Search) {
  E = strip(E);
  if (!E || ++Steps > MaxSteps) {
    Search.Unknown = true;
    return;
  }
  if (E->isNullPointerConstant(AST, clang::Expr::NPC_ValueDependentIsNotNull))
    return; // `float *p = nullptr`, to be allocated later
  if (clang::QualType Type = E->getType(); Type->isConstantArrayType()) {
    Search.Sizes.push_back(
        Terms.constant(AST.getTypeSizeInChars(Type).getQuantity()));
    return;
  }
  if (Place P = placeOf(E); P.Root)
    return findBuffers(P, F, Search);
  if (const auto *Binary = llvm::dyn_cast<clang::BinaryOperator>(E)) {
    // An offset pointer sees the rest of the buffer, which we do not follow.
    const clang::Expr *Pointer = Binary->getLHS()->getType()->isPointerType()
                                     ? Binary->getLHS()
                                     : Binary->getRHS();
    return findBuffers(Pointer, F, At, Search);
  }
  if (const auto *Unary = llvm::dyn_cast<clang::UnaryOperator>(E);
      Unary && Unary->getOpcode() == clang::UO_AddrOf) {
    const clang::Expr *Target = strip(Unary->getSubExpr());
    if (const auto *Element = llvm::dyn_cast<clang::ArraySubscriptExpr>(Target))
      return findBuffers(Element->getBase(), F, At, Search);
  }
  if (const auto *Choice = llvm::dyn_cast<clang::ConditionalOperator>(E)) {
    findBuffers(Choice->getTrueExpr(), F, At, Search);
    return findBuffers(Choice->getFalseExpr(), F, At, Search);
  }
  if (const auto *Method = llvm::dyn_cast<clang::CXXMemberCallExpr>(E)) {
    // v.data(), v.data().get(), v.begin() of a device container.
    const clang::Expr *Object = Method->getImplicitObjectArgument();
    clang::QualType Element = E->getType()->getPointeeType();
    if (!Element.isNull() && !Element->isVoidType() &&
        !Element->isIncompleteType()) {
      if (const auto *Inner =
              llvm::dyn_cast<clang::CXXMemberCallExpr>(strip(Object)))
        Object = Inner->getImplicitObjectArgument();
      if (HostValue Count = containerSize(Object, F, At)) {
        Search.Sizes.push_back(
            Count.E *
            static_cast<double>(AST.getTypeSizeInChars(Element).getQuantity()));
        return;
      }
    }
  }
  // The memory of a host is none that a CUDA kernel reaches.
  bool Plain = !AST.getLangOpts().CUDA;
  if (const auto *New = llvm::dyn_cast<clang::CXXNewExpr>(E);
      Plain && New && New->isArray() && New->getArraySize()) {
    double Bytes =
        AST.getTypeSizeInChars(New->getAllocatedType()).getQuantity();
    Expr Count = value(*New->getArraySize(), F, At);
    Search.Sizes.push_back(Count ? Count * Bytes : Expr());
    return;
  }
  if (const auto *Call = llvm::dyn_cast<clang::CallExpr>(E)) {
    const clang::FunctionDecl *Callee = Call->getDirectCallee();
    if (Plain && Callee && Callee->getDeclName().isIdentifier()) {
      // Of the C library: bytes, or a count and the size of one.
      llvm::StringRef Name = Callee->getName();
      if (Name == "malloc" && Call->getNumArgs() == 1) {
        Search.Sizes.push_back(value(Call->getArg(0), F, At));
        return;
      }
      if ((Name == "calloc" || Name == "aligned_alloc") &&
          Call->getNumArgs() == 2) {
        Expr Count = value(Call->getArg(0), F, At);
        Expr Bytes = value(Call->getArg(1), F, At);
        Search.Sizes.push_back(Name == "aligned_alloc" ? Bytes
                               : Count && Bytes        ? Count * Bytes
                                                       : Expr());
        return;
      }
    }
    if (Callee && Callee->getDeclName().isIdentifier() &&
        Callee->getName() == "raw_pointer_cast" && Call->getNumArgs() == 1)
      return findBuffers(Call->getArg(0), F, At, Search);
    const HostFunction *Known = Code.find(Callee);
    if (Known && F.Depth < MaxInlineDepth && !Known->Returns.empty()) {
      const Frame &Inner = inlineCall(*Known, *Call, F, At);
      for (auto [Value, Where] : Known->Returns)
        if (Value)
          findBuffers(Value, Inner, Where, Search);
      return;
    }
  }
  Search.Unknown = true;
}

void HostValues::findBuffers(const Place &P, const Frame &F,
                             BufferSearch &Search) {
  if (!Search.Seen.insert({P, F.Function}).second)
    return;
  if (clang::QualType Type = P.Root->getType();
      P.Path.empty() && Type->isConstantArrayType()) {
    Search.Sizes.push_back(
        Terms.constant(AST.getTypeSizeInChars(Type).getQuantity()));
    return;
  }
  const auto *Variable = llvm::dyn_cast<clang::VarDecl>(P.Root);
  bool Global = !Variable || !Variable->isLocalVarDeclOrParm();

  auto inFunction = [&](const HostFunction &Function, const Frame &In) {
    if (auto It = Function.Allocations.find(P.Root);
        It != Function.Allocations.end())
      for (const Allocation &A : It->second)
        if (A.Path == P.Path)
          Search.Sizes.push_back(value(A.Call->getArg(1), In, A.At));
    if (auto It = Function.Writes.find(P.Root); It != Function.Writes.end())
      for (const Write &W : It->second)
        if (W.Kind == Write::Assign && W.Value && W.Path == P.Path)
          findBuffers(W.Value, In, W.At, Search);
    for (const auto &[A, B] : Function.Swaps) {
      const Place *Other = A.Root == P.Root && A.Path == P.Path   ? &B
                           : B.Root == P.Root && B.Path == P.Path ? &A
                                                                  : nullptr;
      if (Other && Other->Root)
        findBuffers(*Other, In, Search);
    }
    // Functions that allocate for the caller: alloc(&p, n) or alloc(p, n).
    for (const CallSite &Site : Function.Calls) {
      const HostFunction *Callee = Code.find(Site.Callee);
      if (!Callee || F.Depth >= MaxInlineDepth)
        continue;
      for (unsigned I = 0;
           I < Site.Call->getNumArgs() && I < Callee->Decl->getNumParams();
           ++I) {
        const clang::ParmVarDecl *Parameter = Callee->Decl->getParamDecl(I);
        const clang::Expr *Argument = strip(Site.Call->getArg(I));
        if (const auto *Address =
                llvm::dyn_cast<clang::UnaryOperator>(Argument);
            Address && Address->getOpcode() == clang::UO_AddrOf)
          Argument = Address->getSubExpr();
        else if (!Parameter->getType()->isReferenceType())
          continue;
        Place Passed = placeOf(Argument);
        if (Passed.Root != P.Root || Passed.Path != P.Path)
          continue;
        auto It = Callee->Allocations.find(Parameter->getCanonicalDecl());
        if (It == Callee->Allocations.end())
          continue;
        const Frame &Inner = inlineCall(*Callee, *Site.Call, In, Site.At);
        for (const Allocation &A : It->second)
          Search.Sizes.push_back(value(A.Call->getArg(1), Inner, A.At));
      }
    }
  };

  if (Global) {
    for (const HostFunction *Function : Code.InOrder) {
      if (Function == F.Function) {
        inFunction(*Function, F);
        continue;
      }
      Frame Other;
      Other.Function = Function;
      Other.Depth = F.Depth + 1;
      Frames.push_back(Other);
      inFunction(*Function, Frames.back());
    }
    return;
  }
  if (!F.Function)
    return;
  inFunction(*F.Function, F);
  const auto *Parameter = llvm::dyn_cast<clang::ParmVarDecl>(P.Root);
  if (!Parameter || !F.Caller || !F.Site)
    return;
  unsigned Index = Parameter->getFunctionScopeIndex();
  if (Index >= F.Site->getNumArgs())
    return;
  const clang::Expr *Argument = F.Site->getArg(Index);
  if (P.Path.empty())
    return findBuffers(Argument, *F.Caller, F.SiteAt, Search);
  if (Place Outer = placeOf(Argument); Outer.Root) {
    Outer.Path += P.Path;
    return findBuffers(Outer, *F.Caller, Search);
  }
}

} // namespace gpuestimate
