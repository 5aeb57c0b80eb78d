/// \file
/// Calls in host expressions: mathematics, sizes of containers, and functions
/// of the file whose returned value can be followed.
#include "HostValues.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/StringSwitch.h"
#include <cmath>

namespace gpuestimate {

HostValue HostValues::mathCall(llvm::StringRef Name,
                               llvm::ArrayRef<HostValue> Args) {
  for (const HostValue &Arg : Args)
    if (!Arg)
      return {};
  auto constants = [&](auto Function) -> HostValue {
    std::vector<double> Numbers;
    for (const HostValue &Arg : Args)
      if (auto Number = Arg.E.asConstant())
        Numbers.push_back(*Number);
      else
        return {};
    HostValue V = constant(Function(Numbers));
    return V;
  };
  Name.consume_front("__");
  if (Args.size() == 2) {
    bool Integral = Args[0].Integral && Args[1].Integral;
    if (Name == "min" || Name == "fmin" || Name == "fminf")
      return {Terms.min({Args[0].E, Args[1].E}), Integral, {}, {}};
    if (Name == "max" || Name == "fmax" || Name == "fmaxf")
      return {Terms.max({Args[0].E, Args[1].E}), Integral, {}, {}};
    if (Name == "ceil_div" && Integral)
      return {Terms.ceilDiv(Args[0].E, Args[1].E), true, {}, {}};
    if (Name == "pow" || Name == "powf") {
      if (Args[0].E.isConstant(2) && Args[1].Integral &&
          !Args[1].E.asConstant())
        return {Terms.shiftLeft(Terms.constant(1), Args[1].E), true, {}, {}};
      return constants([](auto &N) { return std::pow(N[0], N[1]); });
    }
    return {};
  }
  if (Args.size() != 1)
    return {};
  const HostValue &A = Args[0];
  if (Name == "ceil" || Name == "ceilf") {
    if (A.Integral)
      return A;
    if (A.Numerator)
      return {Terms.ceilDiv(A.Numerator, A.Denominator), true, {}, {}};
    return constants([](auto &N) { return std::ceil(N[0]); });
  }
  if (Name == "floor" || Name == "floorf" || Name == "trunc")
    return whole(A);
  if (Name == "abs" || Name == "labs" || Name == "fabs" || Name == "fabsf")
    return {Terms.max({A.E, A.E * Terms.constant(-1)}), A.Integral, {}, {}};
  if (Name == "sqrt" || Name == "sqrtf")
    return constants([](auto &N) { return std::sqrt(N[0]); });
  if (Name == "log2" || Name == "log2f")
    return constants([](auto &N) { return std::log2(N[0]); });
  if (Name == "log" || Name == "logf")
    return constants([](auto &N) { return std::log(N[0]); });
  if (Name == "exp2" || Name == "exp2f")
    return constants([](auto &N) { return std::exp2(N[0]); });
  if (Name == "round" || Name == "roundf" || Name == "rint")
    return constants([](auto &N) { return std::round(N[0]); });
  return {};
}

/// The number of elements of a vector that got its size when it was made.
HostValue HostValues::containerSize(const clang::Expr *Object, const Frame &F,
                                    Position At) {
  auto sizeArgument = [](const clang::Expr *Made) -> const clang::Expr * {
    const auto *Construct =
        llvm::dyn_cast<clang::CXXConstructExpr>(strip(Made));
    return Construct && Construct->getNumArgs() >= 1 &&
                   Construct->getArg(0)->getType()->isIntegerType()
               ? Construct->getArg(0)
               : nullptr;
  };
  if (const clang::Expr *Size = sizeArgument(Object)) // a temporary
    return evaluate(Size, F, At);
  Place P = placeOf(Object);
  if (!P.Root || !F.Function)
    return {};
  P.Path += ".size()";
  if (const auto *Parameter = llvm::dyn_cast<clang::ParmVarDecl>(P.Root);
      Parameter && F.Site && F.Caller) {
    unsigned Index = Parameter->getFunctionScopeIndex();
    if (Index < F.Site->getNumArgs() &&
        !llvm::isa<clang::CXXOperatorCallExpr>(F.Site))
      if (HostValue V =
              containerSize(F.Site->getArg(Index), *F.Caller, F.SiteAt))
        return V;
    return symbol(P, nullptr, F);
  }
  auto It = F.Function->Writes.find(P.Root);
  if (It == F.Function->Writes.end())
    return symbol(P, nullptr, F);
  std::vector<Write> Sizing;
  for (const Write &W : It->second) {
    const auto *Call =
        W.Kind == Write::Opaque
            ? llvm::dyn_cast_or_null<clang::CXXMemberCallExpr>(W.Value)
            : nullptr;
    const clang::CXXMethodDecl *Method = Call ? Call->getMethodDecl() : nullptr;
    bool Harmless = Method && Method->getDeclName().isIdentifier() &&
                    llvm::StringSwitch<bool>(Method->getName())
                        .Cases("data", "begin", "end", "rbegin", "rend", true)
                        .Cases("at", "front", "back", "reserve", true)
                        .Default(false);
    if (!Harmless)
      Sizing.push_back(W);
  }
  Reaching R = reaching(Sizing, "", At);
  if (!R.Last || !R.Others.empty() || !R.Last->Value)
    return symbol(P, nullptr, F);
  const clang::Expr *Size = nullptr;
  if (R.Last->Kind == Write::Assign) {
    Size = sizeArgument(R.Last->Value);
  } else if (const auto *Call =
                 llvm::dyn_cast<clang::CXXMemberCallExpr>(R.Last->Value);
             Call && Call->getMethodDecl() && Call->getNumArgs() >= 1 &&
             Call->getMethodDecl()->getDeclName().isIdentifier() &&
             (Call->getMethodDecl()->getName() == "resize" ||
              Call->getMethodDecl()->getName() == "assign")) {
    Size = Call->getArg(0);
  }
  if (Size && Size->getType()->isIntegerType())
    if (HostValue V = evaluate(Size, F, R.Last->At))
      return V;
  return symbol(P, nullptr, F);
}

/// A variable inside a called function means nothing to who reads the caller.
bool HostValues::namesLocalsOf(const clang::FunctionDecl &Function,
                               Expr E) const {
  for (const std::string &Name : E.parameters())
    if (const clang::ValueDecl *Root = NamesTaken.lookup(Name);
        Root && Root->getDeclContext() == &Function)
      return true;
  return false;
}

/// The value of a function with one return, or of a chain of
/// `if (c) return a; return b;`.
HostValue HostValues::returned(const clang::CallExpr &Call, const Frame &F,
                               Position At) {
  const HostFunction *Callee = Code.find(Call.getDirectCallee());
  if (!Callee || Callee->Returns.empty() || F.Depth >= MaxInlineDepth ||
      Callee->Returns.size() > MaxReturns)
    return {};
  const Frame &Inner = inlineCall(*Callee, Call, F, At);
  HostValue Result;
  for (size_t I = Callee->Returns.size(); I-- > 0;) {
    auto [Value, Where] = Callee->Returns[I];
    HostValue V = evaluate(Value, Inner, Where);
    if (!V || namesLocalsOf(*Callee->Decl, V.E))
      return {};
    const Scope *In = Where.In;
    if (In->Kind == Scope::Function) {
      Result = V;
      continue;
    }
    if (In->Kind != Scope::Branch || !In->Condition ||
        In->Parent->Kind != Scope::Function)
      return {};
    if (!Result) { // the last arm of if/else: the other arm returned before
      Result = V;
      continue;
    }
    Expr Condition = truth(In->Condition, In->Negated, Inner,
                           {In->FirstOrder + 1, In->Parent});
    if (!Condition)
      return {};
    Result = {Terms.select(Condition, V.E, Result.E),
              V.Integral && Result.Integral,
              {},
              {}};
  }
  return Result;
}

HostValue HostValues::call(const clang::CallExpr &Call, const Frame &F,
                           Position At) {
  const clang::FunctionDecl *Callee = Call.getDirectCallee();
  if (!Callee)
    return {};
  if (const auto *Method = llvm::dyn_cast<clang::CXXMemberCallExpr>(&Call)) {
    if (Callee->getDeclName().isIdentifier() &&
        (Callee->getName() == "size" || Callee->getName() == "length") &&
        Method->getNumArgs() == 0)
      if (HostValue V =
              containerSize(Method->getImplicitObjectArgument(), F, At))
        return V;
    return returned(Call, F, At);
  }
  if (HostValue V = returned(Call, F, At))
    return V;
  if (!Callee->getDeclName().isIdentifier() || Call.getNumArgs() > 2)
    return {};
  llvm::SmallVector<HostValue, 2> Args;
  for (const clang::Expr *Arg : Call.arguments()) {
    clang::QualType Type = Arg->getType().getNonReferenceType();
    if (!Type->isIntegralOrEnumerationType() && !Type->isRealFloatingType())
      return {};
    Args.push_back(evaluate(Arg, F, At));
  }
  return mathCall(Callee->getName(), Args);
}

} // namespace gpuestimate
