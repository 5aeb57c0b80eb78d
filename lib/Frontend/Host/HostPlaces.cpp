/// \file
/// Reads variables: which write reaches a use, and what it wrote.
#include "HostValues.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"

namespace gpuestimate {

std::optional<unsigned> dim3Component(llvm::StringRef Path) {
  if (Path.size() != 2 || Path[0] != '.' || Path[1] < 'x' || Path[1] > 'z')
    return std::nullopt;
  return Path[1] - 'x';
}

HostValues::Reaching HostValues::reaching(llvm::ArrayRef<Write> Writes,
                                          llvm::StringRef Path,
                                          Position At) const {
  auto touches = [&](const Write &W) {
    return Path.starts_with(W.Path) ||
           llvm::StringRef(W.Path).starts_with(Path);
  };
  Reaching R;
  for (const Write &W : Writes)
    if (touches(W) && W.At.Order < At.Order && W.At.In->contains(At.In))
      R.Last = &W;
  for (const Write &W : Writes) {
    if (!touches(W) || &W == R.Last)
      continue;
    if (W.At.Order < At.Order) {
      if (!R.Last || W.At.Order > R.Last->At.Order)
        R.Others.push_back(&W);
      continue;
    }
    // A later write arrives by the way back of a loop around both, unless the
    // last write comes again in each iteration.
    for (const Scope *S = At.In; S; S = S->Parent)
      if (S->Kind == Scope::Loop && S->contains(W.At.In) &&
          !(R.Last && S->contains(R.Last->At.In))) {
        R.Others.push_back(&W);
        break;
      }
  }
  return R;
}

const Scope *HostValues::carryingLoop(const Reaching &R, Position At) const {
  for (const Scope *S = At.In; S; S = S->Parent) {
    if (S->Kind != Scope::Loop || (R.Last && S->contains(R.Last->At.In)))
      continue;
    for (const Write *W : R.Others)
      if (S->contains(W->At.In))
        return S;
  }
  return nullptr;
}

HostValue HostValues::symbol(const Place &P, const Scope *Loop,
                             const Frame &F) {
  auto [It, New] = Names.try_emplace({P, Loop});
  if (New) {
    std::string Plain = P.Root->getNameAsString() + P.Path, Name = Plain;
    if (Plain.empty())
      Plain = Name = "value";
    // Two variables of one name: the second says where it lives.
    if (NamesTaken.contains(Name) && F.Function)
      Name = Plain += "@" + F.Function->Decl->getNameAsString();
    for (unsigned N = 2; NamesTaken.contains(Name); ++N)
      Name = Plain + "#" + std::to_string(N);
    NamesTaken[Name] = P.Root;
    It->second = Name;
    if (Loop && P.Path.empty())
      Variables.push_back({Name, P.Root, Loop, &F});
  }
  HostValue V{Terms.parameter(It->second), true, {}, {}};
  V.Integral = P.Path.empty() ? !P.Root->getType()->isRealFloatingType() : true;
  return V;
}

/// A field of the object that an expression yields.
HostValue HostValues::member(const clang::Expr *Aggregate, llvm::StringRef Path,
                             const Frame &F, Position At) {
  if (auto Component = dim3Component(Path)) {
    const clang::CXXRecordDecl *Record =
        Aggregate->getType().getNonReferenceType()->getAsCXXRecordDecl();
    if (!Record || Record->getName() == "dim3" || Record->getName() == "uint3")
      return {dim3(Aggregate, F, At)[*Component], true, {}, {}};
  }
  const clang::Expr *E = strip(Aggregate);
  if (const auto *Construct = llvm::dyn_cast<clang::CXXConstructExpr>(E);
      Construct && Construct->getNumArgs() == 1 &&
      Construct->getConstructor()->isCopyOrMoveConstructor())
    return member(Construct->getArg(0), Path, F, At);
  if (const auto *List = llvm::dyn_cast<clang::InitListExpr>(E)) {
    const clang::RecordDecl *Record = List->getType()->getAsRecordDecl();
    if (!Record || Record->isUnion())
      return {};
    auto [Name, Rest] = Path.drop_front().split('.');
    unsigned Index = 0;
    if (const auto *Class = llvm::dyn_cast<clang::CXXRecordDecl>(Record))
      Index = Class->getNumBases();
    for (const clang::FieldDecl *Field : Record->fields()) {
      if (Field->getName() == Name && Index < List->getNumInits()) {
        const clang::Expr *Init = List->getInit(Index);
        return Rest.empty()
                   ? evaluate(Init, F, At)
                   : member(Init, Path.drop_front(1 + Name.size()), F, At);
      }
      ++Index;
    }
    return {};
  }
  if (Place Source = placeOf(E); Source.Root) {
    Source.Path += Path;
    return read(Source, F, At);
  }
  return {};
}

unsigned HostValues::size(Expr E) {
  if (auto It = Sizes.find(E.node()); It != Sizes.end())
    return It->second;
  unsigned Total = 1;
  for (Expr Operand : E.operands())
    Total = std::min(MaxTermSize + 1, Total + size(Operand));
  return Sizes[E.node()] = Total;
}

HostValue HostValues::written(const Write &W, const Place &P, const Frame &F) {
  auto Key = std::make_tuple(&W, P.Path, &F);
  if (auto It = Written.find(Key); It != Written.end())
    return It->second;
  HostValue V = writtenUncached(W, P, F);
  if (V && size(V.E) > MaxTermSize)
    return {};
  if (V) // an unknown may be one of the limits, and known from elsewhere
    Written[Key] = V;
  return V;
}

HostValue HostValues::writtenUncached(const Write &W, const Place &P,
                                      const Frame &F) {
  auto before = [&] { return read({P.Root, W.Path}, F, W.At); };
  switch (W.Kind) {
  case Write::Uninitialised:
  case Write::Opaque:
    return {};
  case Write::Result:
    return W.Path == P.Path
               ? answer(*llvm::cast<clang::CallExpr>(W.Value), P, F, W.At)
               : HostValue();
  case Write::Element:
    return P.Path.empty() ? symbol(P, W.At.In, F) : HostValue();
  case Write::Assign:
    if (W.Path.size() > P.Path.size() || !W.Value)
      return {}; // a part of what is read
    if (W.Path == P.Path)
      return evaluate(W.Value, F, W.At);
    return member(W.Value, llvm::StringRef(P.Path).drop_front(W.Path.size()), F,
                  W.At);
  case Write::Compound: {
    const auto *Operator = llvm::cast<clang::CompoundAssignOperator>(W.Value);
    if (W.Path != P.Path)
      return {};
    return binary(clang::BinaryOperator::getOpForCompoundAssignment(
                      Operator->getOpcode()),
                  Operator->getComputationResultType()->isRealFloatingType(),
                  before(), evaluate(Operator->getRHS(), F, W.At));
  }
  case Write::Increment: {
    const auto *Operator = llvm::cast<clang::UnaryOperator>(W.Value);
    if (W.Path != P.Path)
      return {};
    return binary(clang::BO_Add, false, before(),
                  constant(Operator->isIncrementOp() ? 1 : -1));
  }
  }
  return {};
}

/// Values of branches (`if (n % b) ++grid;`) as a choice, where the conditions
/// are known; a named parameter otherwise.
HostValue HostValues::merged(const Place &P, const Reaching &R, const Frame &F,
                             Position At) {
  HostValue First = R.Last ? written(*R.Last, P, F) : HostValue();
  HostValue V = First;
  for (const Write *W : R.Others) {
    const Scope *Branch = W->At.In;
    bool Simple = V && Branch->Kind == Scope::Branch && Branch->Condition &&
                  Branch->Parent->contains(At.In) && W->At.Order < At.Order;
    HostValue New = Simple ? written(*W, P, F) : HostValue();
    Expr Condition = New ? truth(Branch->Condition, Branch->Negated, F,
                                 {Branch->FirstOrder + 1, Branch->Parent})
                         : Expr();
    if (!Condition) {
      V = {};
      break;
    }
    V = {Terms.select(Condition, New.E, V.E),
         V.Integral && New.Integral,
         {},
         {}};
  }
  if (V)
    return V;
  HostValue Unknown = symbol(P, nullptr, F);
  bool Replaced = llvm::all_of(R.Others, [](const Write *W) {
    return W->Kind == Write::Assign || W->Kind == Write::Opaque;
  });
  if (First && Replaced)
    if (auto Number = First.E.asConstant())
      Defaults[Unknown.E.name()] = *Number;
  return Unknown;
}

HostValue HostValues::readParameter(const Place &P, const Frame &F) {
  const auto *Parameter = llvm::dyn_cast<clang::ParmVarDecl>(P.Root);
  if (!Parameter || !F.Site || !F.Caller)
    return symbol(P, nullptr, F);
  const clang::FunctionDecl *Callee = F.Function->Decl;
  unsigned Index = Parameter->getFunctionScopeIndex();
  // An object's operator is called with the object as first argument.
  if (llvm::isa<clang::CXXOperatorCallExpr>(F.Site) &&
      llvm::isa<clang::CXXMethodDecl>(Callee))
    ++Index;
  bool Own = Parameter->getFunctionScopeIndex() < Callee->getNumParams() &&
             Callee->getParamDecl(Parameter->getFunctionScopeIndex())
                     ->getCanonicalDecl() == Parameter->getCanonicalDecl();
  if (!Own || Index >= F.Site->getNumArgs())
    return symbol(P, nullptr, F);
  const clang::Expr *Argument = F.Site->getArg(Index);
  HostValue V = P.Path.empty() ? evaluate(Argument, *F.Caller, F.SiteAt)
                               : member(Argument, P.Path, *F.Caller, F.SiteAt);
  return V ? V : symbol(P, nullptr, F);
}

const HostValues::TaggedWrites &
HostValues::allWrites(const clang::ValueDecl *Root) {
  auto [It, New] = WritesOfGlobals.try_emplace(Root);
  if (New)
    for (const HostFunction *F : Code.InOrder)
      if (auto Found = F->Writes.find(Root); Found != F->Writes.end())
        for (const Write &W : Found->second)
          It->second.push_back({F, &W});
  return It->second;
}

HostValue HostValues::readGlobal(const Place &P, const Frame &F) {
  const clang::Expr *Init = nullptr;
  if (const auto *Variable = llvm::dyn_cast<clang::VarDecl>(P.Root))
    Init = Variable->getAnyInitializer();
  else if (const auto *Field = llvm::dyn_cast<clang::FieldDecl>(P.Root))
    Init = Field->getInClassInitializer();

  Frames.emplace_back();
  const Frame &Nowhere = Frames.back();
  HostValue Initial;
  if (Init)
    Initial = P.Path.empty() ? evaluate(Init, Nowhere, {})
                             : member(Init, P.Path, Nowhere, {});
  const TaggedWrites &Writes = allWrites(P.Root);
  if (Writes.empty() && Initial)
    return Initial;
  // One assignment in the file, and nothing or 0 before it, is the value.
  bool Unset = !Init || (Initial && Initial.E.isConstant(0));
  if (Writes.size() == 1 && Unset && Writes[0].second->Kind == Write::Assign &&
      Writes[0].first != F.Function) {
    Frame Other;
    Other.Function = Writes[0].first;
    Other.Depth = F.Depth + 1;
    Frames.push_back(Other);
    if (HostValue V = written(*Writes[0].second, P, Frames.back()))
      return V;
  }
  HostValue Unknown = symbol(P, nullptr, F);
  if (Initial)
    if (auto Number = Initial.E.asConstant())
      Defaults[Unknown.E.name()] = *Number;
  return Unknown;
}

HostValue HostValues::read(const Place &P, const Frame &F, Position At) {
  const auto *Variable = llvm::dyn_cast<clang::VarDecl>(P.Root);
  bool Global = !Variable || !Variable->isLocalVarDeclOrParm();
  Reaching R;
  if (F.Function)
    if (auto It = F.Function->Writes.find(P.Root);
        It != F.Function->Writes.end())
      R = reaching(It->second, P.Path, At);
  if (R.Others.empty()) {
    if (R.Last) {
      HostValue V = written(*R.Last, P, F);
      return V ? V : symbol(P, nullptr, F);
    }
    return Global ? readGlobal(P, F) : readParameter(P, F);
  }
  if (const Scope *Loop = carryingLoop(R, At))
    return symbol(P, Loop, F);
  if (!R.Last && !Global) {
    // A parameter that a branch replaces: its argument is the default.
    HostValue Given = readParameter(P, F);
    HostValue Unknown = symbol(P, nullptr, F);
    if (Given && Given.E.asConstant())
      Defaults[Unknown.E.name()] = *Given.E.asConstant();
    return Unknown;
  }
  return merged(P, R, F, At);
}

Expr HostValues::afterIteration(const LoopVariable &Variable) {
  auto It = Variable.In->Function->Writes.find(Variable.Root);
  if (It == Variable.In->Function->Writes.end())
    return {};
  const Write *Last = nullptr;
  for (const Write &W : It->second)
    if (Variable.Loop->contains(W.At.In))
      Last = &W;
  // Only a write that each iteration executes can be followed.
  if (!Last || Last->At.In != Variable.Loop || !Last->Path.empty())
    return {};
  return written(*Last, {Variable.Root, ""}, *Variable.In).E;
}

const clang::Expr *HostValues::resolve(const clang::Expr *E, const Frame &F,
                                       Position At) {
  for (unsigned I = 0; I < 8; ++I) {
    E = strip(E);
    Place P = placeOf(E);
    if (!P.Root || !P.Path.empty() || !F.Function)
      return E;
    auto It = F.Function->Writes.find(P.Root);
    if (It == F.Function->Writes.end())
      return E;
    Reaching R = reaching(It->second, "", At);
    if (!R.Others.empty() || !R.Last || R.Last->Kind != Write::Assign)
      return E;
    E = R.Last->Value;
    At = R.Last->At;
  }
  return E;
}

const Frame &HostValues::inlineCall(const HostFunction &Callee,
                                    const clang::CallExpr &Call, const Frame &F,
                                    Position At) {
  Frames.push_back({&Callee, &Call, At, &F, F.Depth + 1});
  return Frames.back();
}

} // namespace gpuestimate
