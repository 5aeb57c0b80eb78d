/// \file
/// Walks the bodies of host functions.
#include "HostIndex.h"

#include "DeviceLaunches.h"
#include "Frontend/Source/Functions.h"
#include "RuntimeCalls.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"

namespace gpuestimate {

/// x of `std::move(x)` and `std::forward<T>(x)`; null for other expressions.
static const clang::Expr *passedThrough(const clang::Expr *E) {
  const auto *Call = llvm::dyn_cast<clang::CallExpr>(E);
  const clang::FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
  bool IsCast = Callee && Callee->isInStdNamespace() &&
                Callee->getDeclName().isIdentifier() &&
                Call->getNumArgs() == 1 &&
                (Callee->getName() == "move" || Callee->getName() == "forward");
  return IsCast ? Call->getArg(0) : nullptr;
}

const clang::Expr *stripCasts(const clang::Expr *E) {
  while (E) {
    const clang::Expr *Inner = E->IgnoreParenCasts();
    if (const auto *Temporary =
            llvm::dyn_cast<clang::MaterializeTemporaryExpr>(Inner))
      Inner = Temporary->getSubExpr();
    else if (const auto *Full = llvm::dyn_cast<clang::FullExpr>(Inner))
      Inner = Full->getSubExpr();
    else if (const auto *Bound =
                 llvm::dyn_cast<clang::CXXBindTemporaryExpr>(Inner))
      Inner = Bound->getSubExpr();
    else if (const auto *Default =
                 llvm::dyn_cast<clang::CXXDefaultArgExpr>(Inner))
      Inner = Default->getExpr();
    else if (const auto *Default =
                 llvm::dyn_cast<clang::CXXDefaultInitExpr>(Inner))
      Inner = Default->getExpr();
    else if (const auto *Subst =
                 llvm::dyn_cast<clang::SubstNonTypeTemplateParmExpr>(Inner))
      Inner = Subst->getReplacement();
    else if (const clang::Expr *Passed = passedThrough(Inner))
      Inner = Passed;
    if (Inner == E)
      return E;
    E = Inner;
  }
  return E;
}

const clang::Expr *addressedOperand(const clang::Expr *E) {
  E = stripCasts(E);
  const auto *Address = llvm::dyn_cast_or_null<clang::UnaryOperator>(E);
  return Address && Address->getOpcode() == clang::UO_AddrOf
             ? Address->getSubExpr()
             : E;
}

bool AccessPath::isLocal() const {
  const auto *Variable = llvm::dyn_cast_or_null<clang::VarDecl>(Base);
  return Variable && Variable->isLocalVarDeclOrParm();
}

const clang::Expr *argumentFor(const clang::ParmVarDecl &Parameter,
                               const clang::FunctionDecl &Callee,
                               const clang::CallExpr &Call) {
  unsigned Index = Parameter.getFunctionScopeIndex();
  if (Index >= Callee.getNumParams() ||
      Callee.getParamDecl(Index)->getCanonicalDecl() !=
          Parameter.getCanonicalDecl())
    return nullptr;
  if (llvm::isa<clang::CXXOperatorCallExpr>(Call) &&
      llvm::isa<clang::CXXMethodDecl>(Callee))
    ++Index;
  return Index < Call.getNumArgs() ? Call.getArg(Index) : nullptr;
}

AccessPath accessPathOf(const clang::Expr *E) {
  E = stripCasts(E);
  if (!E)
    return {};
  if (const auto *Reference = llvm::dyn_cast<clang::DeclRefExpr>(E)) {
    const clang::ValueDecl *Decl = Reference->getDecl();
    if (const auto *Variable = llvm::dyn_cast<clang::VarDecl>(Decl))
      return {Variable->getCanonicalDecl(), ""};
    return {};
  }
  if (const auto *Member = llvm::dyn_cast<clang::MemberExpr>(E)) {
    const auto *Field =
        llvm::dyn_cast<clang::FieldDecl>(Member->getMemberDecl());
    if (!Field) { // a static member
      const auto *Variable =
          llvm::dyn_cast<clang::VarDecl>(Member->getMemberDecl());
      return {Variable ? Variable->getCanonicalDecl() : nullptr, ""};
    }
    const clang::Expr *Base = stripCasts(Member->getBase());
    if (llvm::isa<clang::CXXThisExpr>(Base))
      return {Field, ""};
    if (Member->isArrow())
      return {};
    AccessPath Result = accessPathOf(Base);
    if (Result.Base)
      Result.Fields += "." + Field->getNameAsString();
    return Result;
  }
  return {};
}

/// The pointer through which an lvalue is reached, null for a variable.
static const clang::Expr *pointerBehind(const clang::Expr *Target) {
  Target = stripCasts(Target);
  if (const auto *Element =
          llvm::dyn_cast_or_null<clang::ArraySubscriptExpr>(Target))
    return Element->getBase();
  if (const auto *Pointee =
          llvm::dyn_cast_or_null<clang::UnaryOperator>(Target);
      Pointee && Pointee->getOpcode() == clang::UO_Deref)
    return Pointee->getSubExpr();
  if (const auto *Operator =
          llvm::dyn_cast_or_null<clang::CXXOperatorCallExpr>(Target);
      Operator && Operator->getOperator() == clang::OO_Subscript)
    return Operator->getArg(0);
  if (const auto *Member = llvm::dyn_cast_or_null<clang::MemberExpr>(Target))
    return Member->isArrow() &&
                   !llvm::isa<clang::CXXThisExpr>(stripCasts(Member->getBase()))
               ? Member->getBase()
               : pointerBehind(Member->getBase());
  return nullptr;
}

AccessPath bufferPathOf(const clang::Expr *Pointer) {
  Pointer = stripCasts(Pointer);
  if (const auto *Sum = llvm::dyn_cast_or_null<clang::BinaryOperator>(Pointer))
    return bufferPathOf(Sum->getLHS()->getType()->isPointerType()
                            ? Sum->getLHS()
                            : Sum->getRHS());
  if (const clang::Expr *Target = addressedOperand(Pointer); Target != Pointer)
    if (const clang::Expr *Inner = pointerBehind(Target))
      return bufferPathOf(Inner);
  return accessPathOf(Pointer);
}

const HostFunction *HostIndex::find(const clang::FunctionDecl *Function) const {
  if (!Function)
    return nullptr;
  auto It = Functions.find(Function->getCanonicalDecl());
  return It == Functions.end() ? nullptr : &It->second;
}

namespace {

class FunctionIndexer {
public:
  explicit FunctionIndexer(HostFunction &F) : F(F) {}

  void run() {
    Current = open(Scope::Function, nullptr);
    walk(F.Decl->getBody());
    close();
  }

private:
  Scope *open(Scope::KindType Kind, const clang::Stmt *Statement) {
    Scope S;
    S.Kind = Kind;
    S.Statement = Statement;
    S.Parent = Current;
    S.FirstOrder = Order;
    F.Scopes.push_back(S);
    return Current = &F.Scopes.back();
  }
  void close() {
    Current->EndOrder = ++Order;
    Current = const_cast<Scope *>(Current->Parent);
  }
  ProgramPoint here() { return {++Order, Current}; }

  void branch(const clang::Stmt *S, const clang::Expr *Condition = nullptr,
              bool Negated = false) {
    if (!S)
      return;
    open(Scope::Branch, S);
    Current->Condition = Condition;
    Current->Negated = Negated;
    walk(S);
    close();
  }

  void write(const clang::Expr *Target, Write::KindType Kind,
             const clang::Expr *Value) {
    AccessPath P = accessPathOf(Target);
    if (P.Base) {
      F.Writes[P.Base].push_back({Kind, P.Fields, Value, here()});
      return;
    }
    if (Kind == Write::Opaque)
      return;
    if (const clang::Expr *Pointer = pointerBehind(Target))
      if (AccessPath Buffer = bufferPathOf(Pointer); Buffer.Base)
        F.ElementWrites[Buffer.Base].push_back(
            {Buffer.Fields, here(), Target,
             Kind == Write::Assign ? Value : nullptr});
  }
  void assign(const clang::Expr *Target, const clang::Expr *Value) {
    write(Target, Write::Assign, Value);
    const auto *Pointee =
        llvm::dyn_cast<clang::UnaryOperator>(Target->IgnoreParens());
    if (!Pointee || Pointee->getOpcode() != clang::UO_Deref)
      return;
    if (AccessPath P = accessPathOf(Pointee->getSubExpr());
        P.Base && P.Fields.empty())
      F.PointeeWrites[P.Base].push_back({Write::Assign, "", Value, here()});
  }
  void declare(const clang::VarDecl &Variable) {
    Write::KindType Kind = Write::Assign;
    if (!Variable.hasInit())
      Kind = Write::Uninitialised;
    // The variable can change through the reference.
    if (Variable.getType()->isReferenceType() &&
        !Variable.getType().getNonReferenceType().isConstQualified()) {
      write(Variable.getInit(), Write::Opaque, nullptr);
    }
    F.Writes[Variable.getCanonicalDecl()].push_back(
        {Kind, "", Variable.getInit(), here()});
  }

  void leaveLoop() {
    Scope *S = Current;
    while (S && S->Kind != Scope::Loop)
      S = const_cast<Scope *>(S->Parent);
    if (S)
      S->HasBreak = true;
  }

  void loop(const clang::Stmt *S, const clang::Stmt *Condition,
            const clang::Stmt *Body, const clang::Stmt *Increment) {
    open(Scope::Loop, S);
    walk(Condition);
    walk(Body);
    walk(Increment);
    close();
  }

  void walk(const clang::Stmt *S);
  void call(const clang::CallExpr &Call);
  void arguments(const clang::CallExpr &Call);
  void switchBody(const clang::SwitchStmt &Switch);

  HostFunction &F;
  Scope *Current = nullptr;
  unsigned Order = 0;
  bool InSwitch = false;
};

void FunctionIndexer::arguments(const clang::CallExpr &Call) {
  const clang::FunctionDecl *Callee = Call.getDirectCallee();
  // The first argument of a member operator is the object.
  bool MemberOperator = llvm::isa<clang::CXXOperatorCallExpr>(Call) && Callee &&
                        llvm::isa<clang::CXXMethodDecl>(Callee);
  for (unsigned I = 0; I < Call.getNumArgs(); ++I) {
    const clang::Expr *Argument = Call.getArg(I);
    if (!Callee || MemberOperator || I >= Callee->getNumParams())
      continue;
    clang::QualType Type = Callee->getParamDecl(I)->getType();
    if (Type->isLValueReferenceType() &&
        !Type->getPointeeType().isConstQualified())
      write(Argument, Write::Opaque, nullptr);
  }
}

void FunctionIndexer::call(const clang::CallExpr &Call) {
  const clang::FunctionDecl *Callee = Call.getDirectCallee();
  if (const auto *Launch = llvm::dyn_cast<clang::CUDAKernelCallExpr>(&Call)) {
    walk(Launch->getConfig());
    for (const clang::Expr *Argument : Launch->arguments())
      walk(Argument);
    F.Launches.push_back({&Call, Callee, here()});
    return;
  }
  if (deviceLaunch(Call)) {
    for (const clang::Stmt *Child : Call.children())
      walk(Child);
    F.Launches.push_back({&Call, nullptr, here()});
    return;
  }
  if (Callee && (isAllocation(*Callee) || isDevicePointerQuery(*Callee)) &&
      Call.getNumArgs() >= 2) {
    walk(Call.getArg(1));
    const clang::Expr *Target = addressedOperand(Call.getArg(0));
    if (AccessPath P = accessPathOf(Target); P.Base)
      F.Allocations[P.Base].push_back({P.Fields, &Call, here()});
    write(Target, Write::Opaque, nullptr);
    return;
  }
  unsigned Answers = Callee ? queryResultCount(*Callee) : 0;
  if (Answers && Call.getNumArgs() > Answers) {
    for (unsigned I = 0; I < Call.getNumArgs(); ++I) {
      const clang::Expr *AccessPath = addressedOperand(Call.getArg(I));
      if (I < Answers && AccessPath != stripCasts(Call.getArg(I)))
        write(AccessPath, Write::Result, &Call);
      else
        walk(Call.getArg(I));
    }
    return;
  }
  for (const clang::Stmt *Child : Call.children())
    walk(Child);
  bool IsLaunch = Callee && runtimeLaunch(*Callee) != RuntimeLaunch::None;
  if (!IsLaunch) // cudaLaunchKernelEx takes references and only reads
    arguments(Call);
  if (Callee && Callee->getDeclName().isIdentifier() &&
      Callee->getName() == "swap" && Call.getNumArgs() == 2)
    F.Swaps.push_back(
        {accessPathOf(Call.getArg(0)), accessPathOf(Call.getArg(1))});
  if (IsLaunch)
    F.Launches.push_back({&Call, nullptr, here()});
  else if (Callee)
    F.Calls.push_back({&Call, Callee->getCanonicalDecl(), here()});
  if (const auto *Method = llvm::dyn_cast<clang::CXXMemberCallExpr>(&Call))
    if (const clang::CXXMethodDecl *Decl = Method->getMethodDecl();
        Decl && !Decl->isConst() && !Decl->isStatic())
      write(Method->getImplicitObjectArgument(), Write::Opaque, &Call);
}

void FunctionIndexer::switchBody(const clang::SwitchStmt &Switch) {
  const clang::Stmt *Body = Switch.getBody();
  // Each label starts a branch; fall-through is ignored.
  const auto *Compound = llvm::dyn_cast_or_null<clang::CompoundStmt>(Body);
  if (!Compound)
    return branch(Body);
  bool Open = false, Outer = InSwitch;
  InSwitch = true;
  for (const clang::Stmt *S : Compound->body()) {
    if (llvm::isa<clang::SwitchCase>(S)) {
      if (Open)
        close();
      open(Scope::Branch, S);
      Current->Switch = &Switch;
      Open = true;
    }
    walk(S);
  }
  if (Open)
    close();
  InSwitch = Outer;
}

// NOLINTNEXTLINE(readability-function-size): a case per statement.
void FunctionIndexer::walk(const clang::Stmt *S) {
  if (!S)
    return;
  // The body of an OpenMP construct.
  if (const auto *Captured = llvm::dyn_cast<clang::CapturedStmt>(S))
    return walk(Captured->getCapturedStmt());
  if (const auto *If = llvm::dyn_cast<clang::IfStmt>(S)) {
    walk(If->getInit());
    walk(If->getConditionVariableDeclStmt());
    walk(If->getCond());
    if (If->isConstexpr() && !If->getCond()->isValueDependent()) {
      // An instantiation has only the selected branch of an if constexpr.
      if (auto Taken = If->getNondiscardedCase(F.Decl->getASTContext()))
        walk(*Taken);
      return;
    }
    branch(If->getThen(), If->getCond());
    branch(If->getElse(), If->getCond(), /*Negated=*/true);
    return;
  }
  bool OuterSwitch = InSwitch;
  if (llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt,
                clang::CXXForRangeStmt>(S))
    InSwitch = false;
  if (const auto *For = llvm::dyn_cast<clang::ForStmt>(S)) {
    walk(For->getInit());
    loop(S, For->getCond(), For->getBody(), For->getInc());
  } else if (const auto *While = llvm::dyn_cast<clang::WhileStmt>(S)) {
    loop(S, While->getCond(), While->getBody(), nullptr);
  } else if (const auto *Do = llvm::dyn_cast<clang::DoStmt>(S)) {
    loop(S, nullptr, Do->getBody(), Do->getCond());
  } else if (const auto *Range = llvm::dyn_cast<clang::CXXForRangeStmt>(S)) {
    walk(Range->getInit());
    walk(Range->getRangeStmt());
    open(Scope::Loop, S);
    F.Writes[Range->getLoopVariable()->getCanonicalDecl()].push_back(
        {Write::Element, "", Range->getRangeInit(), here()});
    walk(Range->getBody());
    close();
  } else if (const auto *Switch = llvm::dyn_cast<clang::SwitchStmt>(S)) {
    walk(Switch->getInit());
    walk(Switch->getCond());
    switchBody(*Switch);
  } else if (const auto *Catch = llvm::dyn_cast<clang::CXXCatchStmt>(S)) {
    branch(Catch->getHandlerBlock());
  } else if (const auto *Conditional =
                 llvm::dyn_cast<clang::ConditionalOperator>(S)) {
    walk(Conditional->getCond());
    branch(Conditional->getTrueExpr());
    branch(Conditional->getFalseExpr());
  } else if (const auto *Lambda = llvm::dyn_cast<clang::LambdaExpr>(S)) {
    for (const clang::Expr *Init : Lambda->capture_inits())
      walk(Init);
    branch(Lambda->getBody());
  } else if (const auto *Decls = llvm::dyn_cast<clang::DeclStmt>(S)) {
    for (const clang::Decl *Decl : Decls->decls())
      if (const auto *Variable = llvm::dyn_cast<clang::VarDecl>(Decl)) {
        walk(Variable->getInit());
        declare(*Variable);
      }
  } else if (const auto *Binary = llvm::dyn_cast<clang::BinaryOperator>(S)) {
    walk(Binary->getRHS());
    walk(Binary->getLHS());
    if (Binary->isCompoundAssignmentOp())
      write(Binary->getLHS(), Write::Compound, Binary);
    else if (Binary->isAssignmentOp())
      assign(Binary->getLHS(), Binary->getRHS());
  } else if (const auto *Operator =
                 llvm::dyn_cast<clang::CXXOperatorCallExpr>(S);
             Operator && Operator->isAssignmentOp() &&
             Operator->getNumArgs() == 2) {
    walk(Operator->getArg(1));
    write(Operator->getArg(0),
          Operator->getOperator() == clang::OO_Equal ? Write::Assign
                                                     : Write::Opaque,
          Operator->getArg(1));
  } else if (const auto *Unary = llvm::dyn_cast<clang::UnaryOperator>(S)) {
    walk(Unary->getSubExpr());
    if (Unary->isIncrementDecrementOp())
      write(Unary->getSubExpr(), Write::Increment, Unary);
    else if (Unary->getOpcode() == clang::UO_AddrOf)
      write(Unary->getSubExpr(), Write::Opaque, Unary);
  } else if (const auto *Cast = llvm::dyn_cast<clang::CastExpr>(S);
             Cast && llvm::isa<clang::UnaryOperator>(stripCasts(Cast)) &&
             llvm::cast<clang::UnaryOperator>(stripCasts(Cast))->getOpcode() ==
                 clang::UO_AddrOf &&
             Cast->getType()->isPointerType() &&
             Cast->getType()->getPointeeType().isConstQualified()) {
    // Nothing is written through a pointer to const.
    walk(llvm::cast<clang::UnaryOperator>(stripCasts(Cast))->getSubExpr());
  } else if (const auto *List = llvm::dyn_cast<clang::InitListExpr>(S)) {
    // `void *args[] = {&a, &n}`: cudaLaunchKernel only reads these arguments.
    for (const clang::Expr *Init : List->inits()) {
      const auto *Address =
          llvm::dyn_cast_or_null<clang::UnaryOperator>(stripCasts(Init));
      if (Address && Address->getOpcode() == clang::UO_AddrOf)
        walk(Address->getSubExpr());
      else
        walk(Init);
    }
  } else if (const auto *Made = llvm::dyn_cast<clang::CXXConstructExpr>(S)) {
    for (const clang::Stmt *Child : S->children())
      walk(Child);
    F.Constructions.push_back({Made, here()});
  } else if (const auto *Call = llvm::dyn_cast<clang::CallExpr>(S)) {
    call(*Call);
  } else if (const auto *Return = llvm::dyn_cast<clang::ReturnStmt>(S)) {
    walk(Return->getRetValue());
    F.Returns.push_back({Return->getRetValue(), here()});
  } else if (llvm::isa<clang::BreakStmt>(S)) {
    if (!InSwitch)
      leaveLoop();
  } else {
    for (const clang::Stmt *Child : S->children())
      walk(Child);
  }
  InSwitch = OuterSwitch;
}

} // namespace

HostIndex buildHostIndex(clang::ASTContext &Context,
                         llvm::ArrayRef<clang::Decl *> TopLevel) {
  HostIndex Index;
  const bool Nested = hasDeviceLaunches(Context);
  auto OnFunction = [&](const clang::FunctionDecl &Function) {
    bool DeviceOnly = Function.hasAttr<clang::CUDAGlobalAttr>() ||
                      (Function.hasAttr<clang::CUDADeviceAttr>() &&
                       !Function.hasAttr<clang::CUDAHostAttr>());
    if ((DeviceOnly && !Nested) || Function.isDependentContext() ||
        !Function.getBody())
      return;
    HostFunction &F = Index.Functions[Function.getCanonicalDecl()];
    if (F.Decl)
      return;
    F.Decl = &Function;
    FunctionIndexer(F).run();
    Index.InSourceOrder.push_back(&F);
  };
  visitFunctions(TopLevel, Context.getSourceManager(), OnFunction,
                 [](const clang::VarDecl &) {});
  for (const HostFunction *F : Index.InSourceOrder) {
    for (const CallSite &Call : F->Calls)
      Index.Callers[Call.Callee].push_back({F, Call});
    // A kernel that launches others has the arguments of its own launch.
    for (const CallSite &Launch : F->Launches)
      if (Nested && Launch.Callee)
        Index.Callers[Launch.Callee->getCanonicalDecl()].push_back({F, Launch});
  }
  return Index;
}

} // namespace gpuestimate
