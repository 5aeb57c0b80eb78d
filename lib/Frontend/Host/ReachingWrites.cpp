/// \file
/// Reaching definitions, and the values that they write.
#include "HostAnalysis.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"

namespace gpuestimate {

ReachingWrites::ReachingWrites(HostAnalysis &Host)
    : Host(Host), Index(Host.Index), Terms(Host.Terms) {}

std::optional<unsigned> dim3Component(llvm::StringRef Fields) {
  if (Fields.size() != 2 || Fields[0] != '.' || Fields[1] < 'x' ||
      Fields[1] > 'z')
    return std::nullopt;
  return Fields[1] - 'x';
}

ReachingSet ReachingWrites::reaching(llvm::ArrayRef<Write> Writes,
                                     llvm::StringRef Fields,
                                     ProgramPoint Point) {
  auto touches = [&](const Write &W) {
    return Fields.starts_with(W.Fields) ||
           llvm::StringRef(W.Fields).starts_with(Fields);
  };
  ReachingSet R;
  for (const Write &W : Writes)
    if (touches(W) && W.Point.Order < Point.Order &&
        W.Point.Enclosing->contains(Point.Enclosing))
      R.Last = &W;
  for (const Write &W : Writes) {
    if (!touches(W) || &W == R.Last)
      continue;
    if (W.Point.Order < Point.Order) {
      if (!R.Last || W.Point.Order > R.Last->Point.Order)
        R.Others.push_back(&W);
      continue;
    }
    // A later write reaches the use through the back edge of a loop around
    // both, unless the last write happens in each iteration.
    for (const Scope *S = Point.Enclosing; S; S = S->Parent)
      if (S->Kind == Scope::Loop && S->contains(W.Point.Enclosing) &&
          !(R.Last && S->contains(R.Last->Point.Enclosing))) {
        R.Others.push_back(&W);
        break;
      }
  }
  return R;
}

const Scope *ReachingWrites::carryingLoop(const ReachingSet &R,
                                          ProgramPoint Point) {
  for (const Scope *S = Point.Enclosing; S; S = S->Parent) {
    if (S->Kind != Scope::Loop ||
        (R.Last && S->contains(R.Last->Point.Enclosing)))
      continue;
    for (const Write *W : R.Others)
      if (S->contains(W->Point.Enclosing))
        return S;
  }
  return nullptr;
}

/// The initialiser of the first member that Fields names, or of the capture of
/// that name, and what Fields names of it; null where there is none.
static std::pair<const clang::Expr *, llvm::StringRef>
initialised(const clang::Expr *Aggregate, llvm::StringRef Fields) {
  llvm::StringRef Name = Fields.drop_front().split('.').first;
  if (const auto *Lambda = llvm::dyn_cast<clang::LambdaExpr>(Aggregate)) {
    for (auto [Capture, Init] :
         llvm::zip(Lambda->captures(), Lambda->capture_inits()))
      if (Capture.capturesVariable() &&
          Capture.getCapturedVar()->getName() == Name)
        return {Init, Fields.drop_front(1 + Name.size())};
    return {};
  }
  const auto *List = llvm::dyn_cast<clang::InitListExpr>(Aggregate);
  const clang::RecordDecl *Record =
      List ? List->getType()->getAsRecordDecl() : nullptr;
  if (!Record || Record->isUnion())
    return {};
  unsigned Index = 0;
  if (const auto *Class = llvm::dyn_cast<clang::CXXRecordDecl>(Record))
    Index = Class->getNumBases();
  for (const clang::FieldDecl *Field : Record->fields()) {
    if (Field->getName() == Name && Index < List->getNumInits())
      return {List->getInit(Index), Fields.drop_front(1 + Name.size())};
    ++Index;
  }
  return {};
}

const clang::Expr *memberInitialiser(const clang::Expr *Aggregate,
                                     llvm::StringRef Fields) {
  while (Aggregate && !Fields.empty())
    std::tie(Aggregate, Fields) = initialised(stripCasts(Aggregate), Fields);
  return Aggregate;
}

HostValue ReachingWrites::ofBase(const clang::CXXConstructorDecl &Constructor,
                                 llvm::StringRef Fields,
                                 const CallFrame &Inside, ProgramPoint Begin) {
  if (Constructor.getParent()->getNumBases() == 1)
    for (const clang::CXXCtorInitializer *Init : Constructor.inits())
      if (Init->isBaseInitializer())
        return member(Init->getInit(), Fields, Inside, Begin);
  return {};
}

HostValue ReachingWrites::constructed(const clang::CXXConstructExpr &Construct,
                                      llvm::StringRef Fields,
                                      const CallFrame &Frame,
                                      ProgramPoint Point) {
  const clang::CXXConstructorDecl *Constructor = Construct.getConstructor();
  const HostFunction *Body = Index.find(Constructor);
  if (!Body || Frame.Depth >= CallFrames::MaxInlineDepth)
    return {};
  llvm::StringRef Name = Fields.drop_front().split('.').first,
                  Inner = Fields.drop_front(1 + Name.size());
  const clang::FieldDecl *Field = nullptr;
  for (const clang::FieldDecl *F : Constructor->getParent()->fields())
    if (F->getName() == Name)
      Field = F;
  const CallFrame &Inside = Host.Frames.add(
      {Body, nullptr, Point, &Frame, Frame.Depth + 1, &Construct});
  const Scope &Whole = Body->Scopes.front();
  if (!Field)
    return ofBase(*llvm::cast<clang::CXXConstructorDecl>(Body->Decl), Fields,
                  Inside, {Whole.FirstOrder, &Whole});
  if (Body->Writes.contains(Field))
    return read({Field, Inner.str()}, Inside, {Whole.EndOrder, &Whole});
  const clang::Expr *Initial = Field->getInClassInitializer();
  for (const clang::CXXCtorInitializer *Init :
       llvm::cast<clang::CXXConstructorDecl>(Body->Decl)->inits())
    if (Init->getMember() == Field)
      Initial = Init->getInit();
  if (!Initial)
    return {};
  ProgramPoint Begin{Whole.FirstOrder, &Whole};
  return Inner.empty() ? Host.Expressions.evaluate(Initial, Inside, Begin)
                       : member(Initial, Inner, Inside, Begin);
}

HostValue ReachingWrites::member(const clang::Expr *Aggregate,
                                 llvm::StringRef Fields, const CallFrame &Frame,
                                 ProgramPoint Point) {
  if (auto Component = dim3Component(Fields)) {
    const clang::CXXRecordDecl *Record =
        Aggregate->getType().getNonReferenceType()->getAsCXXRecordDecl();
    if (!Record || Record->getName() == "dim3" ||
        Record->getName() == "uint3") {
      Expr Value = Host.Expressions.dim3(Aggregate, Frame, Point)[*Component];
      const auto *Call = llvm::dyn_cast<clang::CallExpr>(stripCasts(Aggregate));
      const clang::FunctionDecl *Callee =
          Call ? Call->getDirectCallee() : nullptr;
      if (Value && Callee && Host.Symbols.namesLocalsOf(*Callee, Value))
        return {};
      return {Value, true};
    }
  }
  const clang::Expr *E = stripCasts(Aggregate);
  if (const auto *Construct = llvm::dyn_cast<clang::CXXConstructExpr>(E))
    return Construct->getNumArgs() == 1 &&
                   Construct->getConstructor()->isCopyOrMoveConstructor()
               ? member(Construct->getArg(0), Fields, Frame, Point)
               : constructed(*Construct, Fields, Frame, Point);
  if (llvm::isa<clang::InitListExpr, clang::LambdaExpr>(E)) {
    auto [Init, Inner] = initialised(E, Fields);
    if (!Init)
      return {};
    return Inner.empty() ? Host.Expressions.evaluate(Init, Frame, Point)
                         : member(Init, Inner, Frame, Point);
  }
  if (AccessPath Source = accessPathOf(E); Source.Base) {
    Source.Fields += Fields;
    return read(Source, Frame, Point);
  }
  if (const auto *Call = llvm::dyn_cast<clang::CallExpr>(E)) {
    const HostFunction *Callee = Index.find(Call->getDirectCallee());
    if (!Callee || Callee->Returns.size() != 1 ||
        Frame.Depth >= CallFrames::MaxInlineDepth)
      return {};
    auto [Value, Where] = Callee->Returns.front();
    return Value ? member(Value, Fields,
                          Host.Frames.inlineCall(*Callee, *Call, Frame, Point),
                          Where)
                 : HostValue();
  }
  return {};
}

unsigned ReachingWrites::size(Expr E) {
  if (auto It = Sizes.find(E.node()); It != Sizes.end())
    return It->second;
  unsigned Total = 1;
  for (Expr Operand : E.operands())
    Total = std::min(MaxTermSize + 1, Total + size(Operand));
  return Sizes[E.node()] = Total;
}

HostValue ReachingWrites::written(const Write &W, const AccessPath &P,
                                  const CallFrame &Frame) {
  auto Key = std::make_tuple(&W, P.Fields, &Frame);
  if (auto It = Written.find(Key); It != Written.end())
    return It->second;
  HostValue V = writtenUncached(W, P, Frame);
  if (V && size(V.E) > MaxTermSize)
    return {};
  if (V) // do not cache unknown values: a limit may have caused them
    Written[Key] = V;
  return V;
}

HostValue ReachingWrites::writtenUncached(const Write &W, const AccessPath &P,
                                          const CallFrame &Frame) {
  auto before = [&] { return read({P.Base, W.Fields}, Frame, W.Point); };
  switch (W.Kind) {
  case Write::Uninitialised:
  case Write::Opaque:
    return {};
  case Write::Result:
    return W.Fields == P.Fields
               ? Host.Device.stored(*llvm::cast<clang::CallExpr>(W.Value), P,
                                    Frame, W.Point)
               : HostValue();
  case Write::Element:
    return P.Fields.empty() ? Host.Symbols.symbol(P, W.Point.Enclosing, Frame)
                            : HostValue();
  case Write::Assign:
    if (W.Fields.size() > P.Fields.size() || !W.Value)
      return {}; // writes only a part of the variable
    if (W.Fields == P.Fields)
      return Host.Expressions.evaluate(W.Value, Frame, W.Point);
    return member(W.Value,
                  llvm::StringRef(P.Fields).drop_front(W.Fields.size()), Frame,
                  W.Point);
  case Write::Compound: {
    const auto *Operator = llvm::cast<clang::CompoundAssignOperator>(W.Value);
    if (W.Fields != P.Fields)
      return {};
    return Host.Expressions.binary(
        clang::BinaryOperator::getOpForCompoundAssignment(
            Operator->getOpcode()),
        Operator->getComputationResultType()->isRealFloatingType(), before(),
        Host.Expressions.evaluate(Operator->getRHS(), Frame, W.Point));
  }
  case Write::Increment: {
    const auto *Operator = llvm::cast<clang::UnaryOperator>(W.Value);
    if (W.Fields != P.Fields)
      return {};
    return Host.Expressions.binary(
        clang::BO_Add, false, before(),
        Host.Expressions.constant(Operator->isIncrementOp() ? 1 : -1));
  }
  }
  return {};
}

/// Whether the write is the declaration of an object without a value, which the
/// constructor gives one: `dim3 grid;`.
static bool isDefaultConstruction(const Write &W) {
  const auto *Construct =
      W.Kind == Write::Assign && W.Value
          ? llvm::dyn_cast<clang::CXXConstructExpr>(W.Value->IgnoreImplicit())
          : nullptr;
  return Construct && llvm::all_of(Construct->arguments(), [](const auto *E) {
           return llvm::isa<clang::CXXDefaultArgExpr>(E);
         });
}

/// Merges writes in branches (`if (n % b) ++grid;`) to a choice between values.
/// A parameter if a condition is unknown.
HostValue ReachingWrites::merged(const AccessPath &P, const ReachingSet &R,
                                 const CallFrame &Frame, ProgramPoint Point) {
  HostValue First = R.Last ? written(*R.Last, P, Frame) : HostValue();
  HostValue V = First;
  for (const Write *W : R.Others) {
    const Scope *Branch = W->Point.Enclosing;
    bool Simple = V && Branch->Kind == Scope::Branch && Branch->Condition &&
                  Branch->Parent->contains(Point.Enclosing) &&
                  W->Point.Order < Point.Order;
    HostValue New = Simple ? written(*W, P, Frame) : HostValue();
    Expr Condition =
        New ? Host.Expressions.truth(Branch->Condition, Branch->Negated, Frame,
                                     {Branch->FirstOrder + 1, Branch->Parent})
            : Expr();
    if (!Condition) {
      V = {};
      break;
    }
    V = {Terms.select(Condition, New.E, V.E), V.Integral && New.Integral};
  }
  if (V)
    return V;
  HostValue Unknown = Host.Symbols.symbol(P, nullptr, Frame);
  bool Replaced = llvm::all_of(R.Others, [](const Write *W) {
    return W->Kind == Write::Assign || W->Kind == Write::Opaque;
  });
  if (First && Replaced && !isDefaultConstruction(*R.Last))
    if (auto Number = First.E.asConstant())
      Host.Symbols.setDefault(Unknown, *Number);
  return Unknown;
}

HostValue ReachingWrites::readParameter(const AccessPath &P,
                                        const CallFrame &Frame) {
  const auto *Parameter = llvm::dyn_cast<clang::ParmVarDecl>(P.Base);
  const clang::Expr *Argument =
      Parameter ? Frame.argument(*Parameter) : nullptr;
  if (!Argument)
    return Host.Symbols.symbol(P, nullptr, Frame);
  HostValue V =
      P.Fields.empty()
          ? Host.Expressions.evaluate(Argument, *Frame.Caller, Frame.CallPoint)
          : member(Argument, P.Fields, *Frame.Caller, Frame.CallPoint);
  return V ? V : Host.Symbols.symbol(P, nullptr, Frame);
}

const ReachingWrites::TaggedWrites &
ReachingWrites::allWrites(const clang::ValueDecl *Variable) {
  auto [It, New] = WritesOfGlobals.try_emplace(Variable);
  if (New)
    for (const HostFunction *Function : Index.InSourceOrder)
      if (auto Writes = Function->Writes.find(Variable);
          Writes != Function->Writes.end())
        for (const Write &W : Writes->second)
          It->second.push_back({Function, &W});
  return It->second;
}

HostValue ReachingWrites::readGlobal(const AccessPath &P,
                                     const CallFrame &Frame) {
  const clang::Expr *Init = nullptr;
  if (const auto *Variable = llvm::dyn_cast<clang::VarDecl>(P.Base))
    Init = Variable->getAnyInitializer();
  else if (const auto *Field = llvm::dyn_cast<clang::FieldDecl>(P.Base))
    Init = Field->getInClassInitializer();

  const CallFrame &Nowhere = Host.Frames.add({});
  HostValue Initial;
  if (Init)
    Initial = P.Fields.empty() ? Host.Expressions.evaluate(Init, Nowhere, {})
                               : member(Init, P.Fields, Nowhere, {});
  const TaggedWrites &Writes = allWrites(P.Base);
  if (Writes.empty() && Initial)
    return Initial;
  // If the file has one assignment, and the initial value is 0 or none, the
  // assigned value counts.
  bool Unset = !Init || (Initial && Initial.E.isConstant(0));
  if (Writes.size() == 1 && Unset && Writes[0].second->Kind == Write::Assign &&
      Writes[0].first != Frame.Function) {
    const CallFrame &Writer =
        Host.Frames.withoutCaller(*Writes[0].first, Frame);
    if (HostValue V = written(*Writes[0].second, P, Writer))
      return V;
  }
  HostValue Unknown = Host.Symbols.symbol(P, nullptr, Frame);
  if (Initial)
    if (auto Number = Initial.E.asConstant())
      Host.Symbols.setDefault(Unknown, *Number);
  return Unknown;
}

HostValue ReachingWrites::read(const AccessPath &P, const CallFrame &Frame,
                               ProgramPoint Point) {
  const auto *Variable = llvm::dyn_cast<clang::VarDecl>(P.Base);
  bool Global = !Variable || !Variable->isLocalVarDeclOrParm();
  ReachingSet R;
  if (Frame.Function)
    if (auto It = Frame.Function->Writes.find(P.Base);
        It != Frame.Function->Writes.end())
      R = reaching(It->second, P.Fields, Point);
  if (R.Others.empty()) {
    if (R.Last) {
      HostValue V = written(*R.Last, P, Frame);
      return V ? V : Host.Symbols.symbol(P, nullptr, Frame);
    }
    return Global ? readGlobal(P, Frame) : readParameter(P, Frame);
  }
  if (const Scope *Loop = carryingLoop(R, Point))
    return Host.Symbols.symbol(P, Loop, Frame);
  if (!R.Last && !Global) {
    // The argument is the default of a parameter that a branch assigns.
    HostValue Given = readParameter(P, Frame);
    HostValue Unknown = Host.Symbols.symbol(P, nullptr, Frame);
    if (Given && Given.E.asConstant())
      Host.Symbols.setDefault(Unknown, *Given.E.asConstant());
    return Unknown;
  }
  return merged(P, R, Frame, Point);
}

Expr ReachingWrites::afterIteration(const InductionVariable &Variable) {
  auto It = Variable.Frame->Function->Writes.find(Variable.Variable);
  if (It == Variable.Frame->Function->Writes.end())
    return {};
  const Write *Last = nullptr;
  for (const Write &W : It->second)
    if (Variable.Loop->contains(W.Point.Enclosing))
      Last = &W;
  // Only a write that each iteration executes is evaluated.
  if (!Last || Last->Point.Enclosing != Variable.Loop || !Last->Fields.empty())
    return {};
  return written(*Last, {Variable.Variable, ""}, *Variable.Frame).E;
}

const clang::Expr *ReachingWrites::resolve(const clang::Expr *E,
                                           const CallFrame &Frame,
                                           ProgramPoint Point) {
  for (unsigned I = 0; I < 8; ++I) {
    E = stripCasts(E);
    AccessPath P = accessPathOf(E);
    if (!P.Base || !P.Fields.empty() || !Frame.Function)
      return E;
    auto It = Frame.Function->Writes.find(P.Base);
    if (It == Frame.Function->Writes.end())
      return E;
    ReachingSet R = reaching(It->second, "", Point);
    if (!R.Others.empty() || !R.Last || R.Last->Kind != Write::Assign)
      return E;
    E = R.Last->Value;
    Point = R.Last->Point;
  }
  return E;
}

} // namespace gpuestimate
