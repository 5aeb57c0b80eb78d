/// \file
/// Evaluation of clang expressions.
#include "HostAnalysis.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/Support/SaveAndRestore.h"
#include <cmath>

namespace gpuestimate {

ExpressionEvaluator::ExpressionEvaluator(HostAnalysis &Host)
    : Host(Host), AST(Host.AST), Index(Host.Index), Terms(Host.Terms) {}

HostValue ExpressionEvaluator::constant(double Value) {
  if (!std::isfinite(Value))
    return {};
  return {Terms.constant(Value), std::trunc(Value) == Value};
}

HostValue ExpressionEvaluator::foldConstant(const clang::Expr *E) {
  clang::QualType Type = E->getType();
  if (E->isValueDependent() ||
      !(Type->isIntegralOrEnumerationType() || Type->isRealFloatingType()))
    return {};
  clang::Expr::EvalResult Result;
  if (!E->EvaluateAsRValue(Result, AST) || Result.HasSideEffects)
    return {};
  if (Result.Val.isInt()) {
    const llvm::APSInt &Int = Result.Val.getInt();
    if (!Int.isRepresentableByInt64() && Int.getActiveBits() > 64)
      return {};
    return constant(Int.isSigned() ? static_cast<double>(Int.getSExtValue())
                                   : static_cast<double>(Int.getZExtValue()));
  }
  if (Result.Val.isFloat()) {
    llvm::APFloat Float = Result.Val.getFloat();
    bool Lost = false;
    Float.convert(llvm::APFloat::IEEEdouble(),
                  llvm::APFloat::rmNearestTiesToEven, &Lost);
    return constant(Float.convertToDouble());
  }
  return {};
}

HostValue ExpressionEvaluator::evaluate(const clang::Expr *E,
                                        const CallFrame &Frame,
                                        ProgramPoint Point) {
  if (!E || !spendStep() || Depth > MaxDepth)
    return {};
  llvm::SaveAndRestore Deeper(Depth, Depth + 1);
  if (HostValue V = foldConstant(E))
    return V;
  return evaluateNonConstant(E, Frame, Point);
}

HostValue ExpressionEvaluator::evaluateNonConstant(const clang::Expr *E,
                                                   const CallFrame &Frame,
                                                   ProgramPoint Point) {
  E = E->IgnoreParens();
  if (const auto *Cast = llvm::dyn_cast<clang::CastExpr>(E))
    return cast(*Cast, Frame, Point);
  if (const clang::Expr *Inner = stripCasts(E); Inner != E)
    return evaluate(Inner, Frame, Point);
  if (HostValue V = Host.Device.property(E))
    return V;
  if (AccessPath P = accessPathOf(E); P.Base) {
    clang::QualType Type = E->getType().getNonReferenceType();
    if (!Type->isIntegralOrEnumerationType() && !Type->isRealFloatingType())
      return {};
    // A local reference has the value of its initializer.
    if (P.Base->getType()->isReferenceType() && P.Fields.empty() &&
        Frame.Function)
      if (const auto *Variable = llvm::dyn_cast<clang::VarDecl>(P.Base);
          Variable && !llvm::isa<clang::ParmVarDecl>(Variable) &&
          Variable->getInit())
        return evaluate(Variable->getInit(), Frame, Point);
    return Host.Variables.read(P, Frame, Point);
  }
  if (const auto *Binary = llvm::dyn_cast<clang::BinaryOperator>(E)) {
    if (Binary->isAssignmentOp())
      return evaluate(Binary->getRHS(), Frame, Point);
    if (Binary->getOpcode() == clang::BO_Comma)
      return evaluate(Binary->getRHS(), Frame, Point);
    return binary(Binary->getOpcode(), Binary->getType()->isRealFloatingType(),
                  evaluate(Binary->getLHS(), Frame, Point),
                  evaluate(Binary->getRHS(), Frame, Point));
  }
  if (const auto *Unary = llvm::dyn_cast<clang::UnaryOperator>(E)) {
    HostValue V = evaluate(Unary->getSubExpr(), Frame, Point);
    if (!V)
      return {};
    switch (Unary->getOpcode()) {
    case clang::UO_Plus:
      return V;
    case clang::UO_Minus:
      return binary(clang::BO_Mul, !V.Integral, constant(-1), V);
    case clang::UO_LNot:
      return {Terms.equal(V.E, Terms.constant(0)), true};
    default:
      return {};
    }
  }
  if (const auto *Choice = llvm::dyn_cast<clang::ConditionalOperator>(E)) {
    Expr Condition = truth(Choice->getCond(), false, Frame, Point);
    HostValue A = evaluate(Choice->getTrueExpr(), Frame, Point);
    HostValue B = evaluate(Choice->getFalseExpr(), Frame, Point);
    if (!Condition || !A || !B)
      return {};
    return {Terms.select(Condition, A.E, B.E), A.Integral && B.Integral};
  }
  if (const auto *List = llvm::dyn_cast<clang::InitListExpr>(E))
    return List->getNumInits() == 1 ? evaluate(List->getInit(0), Frame, Point)
                                    : HostValue();
  if (HostValue V = Host.Contents.draw(E, Frame, Point))
    return V;
  if (const auto *Subscript = llvm::dyn_cast<clang::ArraySubscriptExpr>(E))
    return element(*Subscript, Frame, Point);
  if (const auto *Call = llvm::dyn_cast<clang::CallExpr>(E))
    return call(*Call, Frame, Point);
  return {};
}

HostValue ExpressionEvaluator::element(const clang::ArraySubscriptExpr &E,
                                       const CallFrame &Frame,
                                       ProgramPoint Point) {
  AccessPath Table = accessPathOf(E.getBase());
  const auto *Array = llvm::dyn_cast_or_null<clang::VarDecl>(Table.Base);
  if (!Array || !Table.Fields.empty() ||
      llvm::isa<clang::ArraySubscriptExpr>(stripCasts(E.getBase())))
    return {};
  const std::vector<double> &Values = Host.Tables.elements(*Array);
  if (Values.empty() || !Array->getType()
                             ->getAsArrayTypeUnsafe()
                             ->getElementType()
                             ->isArithmeticType())
    return {};
  Expr At = evaluate(E.getIdx(), Frame, Point).E;
  if (!At)
    return {};
  bool Integral = E.getType()->isIntegralOrEnumerationType();
  if (std::optional<double> Place = At.asConstant())
    return *Place >= 0 && *Place < static_cast<double>(Values.size())
               ? HostValue{Terms.constant(Values[static_cast<size_t>(*Place)]),
                           Integral}
               : HostValue();
  Expr Chosen = Terms.constant(Values.back());
  for (size_t I = Values.size() - 1; I-- > 0;)
    Chosen = Terms.select(Terms.equal(At, Terms.constant(I)),
                          Terms.constant(Values[I]), Chosen);
  return {Chosen, Integral};
}

/// Truncates a quotient of integers, or a constant; other values are unknown.
HostValue ExpressionEvaluator::truncateToInteger(HostValue V) {
  if (!V || V.Integral)
    return V;
  if (auto Number = V.E.asConstant())
    return constant(std::trunc(*Number));
  if (V.Numerator)
    return {Terms.floorDiv(V.Numerator, V.Denominator), true};
  if (V.E.range().Low >= 0) // such as (int)(n * (rand() / (float)RAND_MAX))
    return {Terms.floorDiv(V.E, Terms.constant(1)), true};
  return {};
}

HostValue ExpressionEvaluator::cast(const clang::CastExpr &Cast,
                                    const CallFrame &Frame,
                                    ProgramPoint Point) {
  clang::QualType To = Cast.getType();
  if (!To->isIntegralOrEnumerationType() && !To->isRealFloatingType())
    return {};
  HostValue V = evaluate(Cast.getSubExpr(), Frame, Point);
  if (!V)
    return {};
  switch (Cast.getCastKind()) {
  case clang::CK_FloatingToIntegral:
    return truncateToInteger(V);
  case clang::CK_IntegralToBoolean:
  case clang::CK_FloatingToBoolean:
    return {Terms.notEqual(V.E, Terms.constant(0)), true};
  default:
    return V;
  }
}

Expr ExpressionEvaluator::truth(const clang::Expr *Condition, bool Negated,
                                const CallFrame &Frame, ProgramPoint Point) {
  Expr C = evaluate(Condition, Frame, Point).E;
  if (!C)
    return {};
  return Negated ? Terms.equal(C, Terms.constant(0))
                 : Terms.notEqual(C, Terms.constant(0));
}

HostValue ExpressionEvaluator::binary(unsigned Opcode, bool Real, HostValue A,
                                      HostValue B) {
  if (!A || !B)
    return {};
  bool Integral = A.Integral && B.Integral;
  auto whole = [](Expr E) { return HostValue{E, true}; };
  auto truthOf = [&](Expr E) { return Terms.notEqual(E, Terms.constant(0)); };
  switch (Opcode) {
  case clang::BO_Add:
    return {A.E + B.E, Integral};
  case clang::BO_Sub:
    return {A.E - B.E, Integral};
  case clang::BO_Mul:
    return {A.E * B.E, Integral};
  case clang::BO_Div: {
    if (B.E.isConstant(0))
      return {};
    if (!Real)
      return whole(Terms.floorDiv(A.E, B.E));
    if (A.E.asConstant() && B.E.asConstant())
      return constant(*A.E.asConstant() / *B.E.asConstant());
    HostValue Quotient{Terms.div(A.E, B.E), false};
    if (Integral) {
      Quotient.Numerator = A.E;
      Quotient.Denominator = B.E;
    }
    return Quotient;
  }
  case clang::BO_Rem:
    return B.E.isConstant(0) ? HostValue() : whole(Terms.mod(A.E, B.E));
  case clang::BO_Shl:
    return whole(Terms.shiftLeft(A.E, B.E));
  case clang::BO_Shr:
    return whole(Terms.floorDiv(A.E, Terms.shiftLeft(Terms.constant(1), B.E)));
  case clang::BO_And:
    return whole(Terms.bitAnd(A.E, B.E));
  case clang::BO_Or:
    return whole(Terms.bitOr(A.E, B.E));
  case clang::BO_Xor:
    return whole(Terms.bitXor(A.E, B.E));
  case clang::BO_LT:
    return whole(Terms.less(A.E, B.E));
  case clang::BO_GT:
    return whole(Terms.less(B.E, A.E));
  case clang::BO_LE:
    return whole(Terms.lessEqual(A.E, B.E));
  case clang::BO_GE:
    return whole(Terms.lessEqual(B.E, A.E));
  case clang::BO_EQ:
    return whole(Terms.equal(A.E, B.E));
  case clang::BO_NE:
    return whole(Terms.notEqual(A.E, B.E));
  case clang::BO_LAnd:
    return whole(truthOf(A.E) * truthOf(B.E));
  case clang::BO_LOr:
    return whole(Terms.max({truthOf(A.E), truthOf(B.E)}));
  default:
    return {};
  }
}

Dim3 ExpressionEvaluator::dim3(const AccessPath &P, const CallFrame &Frame,
                               ProgramPoint Point) {
  Dim3 Result;
  for (unsigned I = 0; I < 3; ++I) {
    AccessPath Component = P;
    Component.Fields += {'.', static_cast<char>('x' + I)};
    Result[I] =
        !spendStep() ? Expr() : Host.Variables.read(Component, Frame, Point).E;
  }
  return Result;
}

Dim3 ExpressionEvaluator::dim3(const clang::Expr *E, const CallFrame &Frame,
                               ProgramPoint Point) {
  Expr One = Terms.constant(1);
  if (!E)
    return {One, One, One};
  E = stripCasts(E);
  Dim3 Unknown = {};
  if (!E->getType().getNonReferenceType()->isRecordType()) {
    if (llvm::isa<clang::InitListExpr>(E)) { // an uninstantiated initializer
      Dim3 Result = {One, One, One};
      const auto *List = llvm::cast<clang::InitListExpr>(E);
      for (unsigned I = 0; I < 3 && I < List->getNumInits(); ++I)
        Result[I] = value(List->getInit(I), Frame, Point);
      return Result;
    }
    return {value(E, Frame, Point), One, One};
  }
  if (const auto *Construct = llvm::dyn_cast<clang::CXXConstructExpr>(E)) {
    if (Construct->getNumArgs() >= 1 &&
        Construct->getArg(0)->getType().getNonReferenceType()->isRecordType())
      return dim3(Construct->getArg(0), Frame, Point);
    Dim3 Result = {One, One, One};
    for (unsigned I = 0; I < 3 && I < Construct->getNumArgs(); ++I)
      Result[I] = value(Construct->getArg(I), Frame, Point);
    return Result;
  }
  if (const auto *List = llvm::dyn_cast<clang::InitListExpr>(E)) {
    Dim3 Result = {One, One, One};
    for (unsigned I = 0; I < 3 && I < List->getNumInits(); ++I)
      Result[I] = value(List->getInit(I), Frame, Point);
    return Result;
  }
  if (AccessPath P = accessPathOf(E); P.Base)
    return dim3(P, Frame, Point);
  if (const auto *Choice = llvm::dyn_cast<clang::ConditionalOperator>(E)) {
    Expr Condition = truth(Choice->getCond(), false, Frame, Point);
    Dim3 A = dim3(Choice->getTrueExpr(), Frame, Point);
    Dim3 B = dim3(Choice->getFalseExpr(), Frame, Point);
    Dim3 Result = {};
    for (unsigned I = 0; Condition && I < 3; ++I)
      if (A[I] && B[I])
        Result[I] = Terms.select(Condition, A[I], B[I]);
    return Result;
  }
  if (const auto *Call = llvm::dyn_cast<clang::CallExpr>(E)) {
    const HostFunction *Callee = Index.find(Call->getDirectCallee());
    if (Callee && Callee->Returns.size() == 1 &&
        Frame.Depth < CallFrames::MaxInlineDepth) {
      const CallFrame &Inner =
          Host.Frames.inlineCall(*Callee, *Call, Frame, Point);
      return dim3(Callee->Returns[0].first, Inner, Callee->Returns[0].second);
    }
    if (const clang::FunctionDecl *Builtin = Call->getDirectCallee();
        Builtin && Builtin->getDeclName().isIdentifier() &&
        (Builtin->getName() == "make_uint3" ||
         Builtin->getName() == "make_dim3") &&
        Call->getNumArgs() == 3)
      for (unsigned I = 0; I < 3; ++I)
        Unknown[I] = value(Call->getArg(I), Frame, Point);
  }
  return Unknown;
}

HostValue ExpressionEvaluator::mathCall(llvm::StringRef Name,
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
      return {Terms.min({Args[0].E, Args[1].E}), Integral};
    if (Name == "max" || Name == "fmax" || Name == "fmaxf")
      return {Terms.max({Args[0].E, Args[1].E}), Integral};
    if (Name == "ceil_div" && Integral)
      return {Terms.ceilDiv(Args[0].E, Args[1].E), true};
    if (Name == "pow" || Name == "powf") {
      if (Args[0].E.isConstant(2) && Args[1].Integral &&
          !Args[1].E.asConstant())
        return {Terms.shiftLeft(Terms.constant(1), Args[1].E), true};
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
      return {Terms.ceilDiv(A.Numerator, A.Denominator), true};
    return constants([](auto &N) { return std::ceil(N[0]); });
  }
  if (Name == "floor" || Name == "floorf" || Name == "trunc")
    return truncateToInteger(A);
  if (Name == "abs" || Name == "labs" || Name == "fabs" || Name == "fabsf")
    return {Terms.max({A.E, A.E * Terms.constant(-1)}), A.Integral};
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

/// The value that a function with one return, or with a chain of
/// `if (c) return a; return b;`, returns.
HostValue ExpressionEvaluator::returned(const clang::CallExpr &Call,
                                        const CallFrame &Frame,
                                        ProgramPoint Point) {
  const HostFunction *Callee = Index.find(Call.getDirectCallee());
  if (!Callee || Callee->Returns.empty() ||
      Frame.Depth >= CallFrames::MaxInlineDepth ||
      Callee->Returns.size() > MaxReturns)
    return {};
  const CallFrame &Inner = Host.Frames.inlineCall(*Callee, Call, Frame, Point);
  HostValue Result;
  for (size_t I = Callee->Returns.size(); I-- > 0;) {
    auto [Value, Where] = Callee->Returns[I];
    HostValue V = evaluate(Value, Inner, Where);
    if (!V || Host.Symbols.namesLocalsOf(*Callee->Decl, V.E))
      return {};
    const Scope *In = Where.Enclosing;
    if (In->Kind == Scope::Function) {
      Result = V;
      continue;
    }
    if (In->Kind != Scope::Branch || !In->Condition ||
        In->Parent->Kind != Scope::Function)
      return {};
    if (!Result) { // the last branch of an if/else chain
      Result = V;
      continue;
    }
    Expr Condition = truth(In->Condition, In->Negated, Inner,
                           {In->FirstOrder + 1, In->Parent});
    if (!Condition)
      return {};
    Result = {Terms.select(Condition, V.E, Result.E),
              V.Integral && Result.Integral};
  }
  return Result;
}

HostValue ExpressionEvaluator::call(const clang::CallExpr &Call,
                                    const CallFrame &Frame,
                                    ProgramPoint Point) {
  const clang::FunctionDecl *Callee = Call.getDirectCallee();
  if (!Callee)
    return {};
  if (const auto *Method = llvm::dyn_cast<clang::CXXMemberCallExpr>(&Call)) {
    if (Callee->getDeclName().isIdentifier() &&
        (Callee->getName() == "size" || Callee->getName() == "length") &&
        Method->getNumArgs() == 0)
      if (HostValue V = Host.Buffers.containerSize(
              Method->getImplicitObjectArgument(), Frame, Point))
        return V;
    return returned(Call, Frame, Point);
  }
  if (HostValue V = returned(Call, Frame, Point))
    return V;
  if (!Callee->getDeclName().isIdentifier() || Call.getNumArgs() > 2)
    return {};
  llvm::SmallVector<HostValue, 2> Args;
  for (const clang::Expr *Arg : Call.arguments()) {
    clang::QualType Type = Arg->getType().getNonReferenceType();
    if (!Type->isIntegralOrEnumerationType() && !Type->isRealFloatingType())
      return {};
    Args.push_back(evaluate(Arg, Frame, Point));
  }
  return mathCall(Callee->getName(), Args);
}

} // namespace gpuestimate
