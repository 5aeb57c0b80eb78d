/// \file
/// Substitution, binding and import: rebuild a term from its leaves, so that
/// all subterms simplify again with the new values.
#include "gpu-estimate/Symbolic/Binder.h"
#include "gpu-estimate/Symbolic/RealParameters.h"

#include "ExprImpl.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

namespace gpuestimate {

namespace {

using ReplacementMap = llvm::StringMap<Expr>;

class Rewriter {
public:
  Rewriter(ExprContext &C, const ReplacementMap &Replacements)
      : C(C), Replacements(Replacements) {
    for (const auto &Entry : Replacements)
      Mask |= nameMask(Entry.getKey());
  }

  Expr rewrite(Expr E) {
    if (!(E.node()->NameMask & Mask) && &E.context() == &C)
      return E;
    if (Expr Rewritten = Done.lookup(E.node()))
      return Rewritten;
    Expr Result = rebuild(E);
    Done[E.node()] = Result;
    return Result;
  }

private:
  Expr rebuild(Expr E) {
    switch (E.kind()) {
    case ExprKind::Constant:
      return C.constant(E.constant());
    case ExprKind::Parameter: {
      auto Entry = Replacements.find(E.name());
      if (Entry != Replacements.end())
        return Entry->second;
      if (!E.isInteger())
        assumeReal(C, E.name());
      return C.parameter(E.name());
    }
    case ExprKind::Sum:
      return rebuildSum(E);
    default:
      break;
    }
    llvm::SmallVector<Expr, 8> X;
    for (Expr Operand : E.operands())
      X.push_back(rewrite(Operand));
    switch (E.kind()) {
    case ExprKind::Add:
      return C.add(X);
    case ExprKind::Mul:
      return C.mul(X);
    case ExprKind::Min:
      return C.min(X);
    case ExprKind::Max:
      return C.max(X);
    case ExprKind::Div:
      return C.div(X[0], X[1]);
    case ExprKind::FloorDiv:
      return C.floorDiv(X[0], X[1]);
    case ExprKind::CeilDiv:
      return C.ceilDiv(X[0], X[1]);
    case ExprKind::Mod:
      return C.mod(X[0], X[1]);
    case ExprKind::Less:
      return C.less(X[0], X[1]);
    case ExprKind::LessEqual:
      return C.lessEqual(X[0], X[1]);
    case ExprKind::Equal:
      return C.equal(X[0], X[1]);
    case ExprKind::NotEqual:
      return C.notEqual(X[0], X[1]);
    case ExprKind::BitAnd:
      return C.bitAnd(X[0], X[1]);
    case ExprKind::BitOr:
      return C.bitOr(X[0], X[1]);
    case ExprKind::BitXor:
      return C.bitXor(X[0], X[1]);
    case ExprKind::ShiftLeft:
      return C.shiftLeft(X[0], X[1]);
    case ExprKind::FloorLog2:
      return C.floorLog2(X[0]);
    case ExprKind::SquareRoot:
      return C.squareRoot(X[0]);
    default:
      return C.select(X[0], X[1], X[2]);
    }
  }

  /// The bound variable hides a replacement of its name. It is renamed if a
  /// replacement in the body contains a free parameter of its name.
  Expr rebuildSum(Expr E) {
    Expr Count = rewrite(E.operands()[0]), Body = E.operands()[1];
    ReplacementMap Inner = Replacements;
    Inner.erase(E.name());
    auto WouldCapture = [&](llvm::StringRef Variable) {
      return llvm::any_of(Inner, [&](const auto &Entry) {
        return Entry.second.dependsOn(Variable) &&
               Body.dependsOn(Entry.getKey());
      });
    };
    std::string Variable = E.name().str();
    if (WouldCapture(Variable)) {
      unsigned Suffix = 1;
      do
        Variable = (E.name() + "_" + llvm::Twine(Suffix++)).str();
      while (WouldCapture(Variable) || Body.dependsOn(Variable));
      Inner[E.name()] = C.parameter(Variable);
    }
    return C.sum(Variable, Count, Rewriter(C, Inner).rewrite(Body));
  }

  ExprContext &C;
  const ReplacementMap &Replacements;
  uint64_t Mask = 0;
  llvm::DenseMap<const ExprNode *, Expr> Done;
};

} // namespace

Expr rewrite(ExprContext &C, Expr E, const ReplacementMap &Replacements) {
  return Rewriter(C, Replacements).rewrite(E);
}

Expr ExprContext::substitute(Expr E, const ReplacementMap &Replacements) {
  return rewrite(*this, E, Replacements);
}

Expr ExprContext::bind(Expr E, const Bindings &Values) {
  ReplacementMap Replacements;
  for (const auto &Entry : Values)
    Replacements[Entry.getKey()] = constant(Entry.second);
  return rewrite(*this, E, Replacements);
}

struct Binder::Impl {
  Impl(ExprContext &Into, const Bindings &Values) : Into(Into) {
    for (const auto &Entry : Values)
      Replacements[Entry.getKey()] = Into.constant(Entry.second);
    Terms.emplace(Into, Replacements);
  }
  Impl(ExprContext &Into, ReplacementMap Terms)
      : Into(Into), Replacements(std::move(Terms)) {
    this->Terms.emplace(Into, Replacements);
  }

  ExprContext &Into;
  ReplacementMap Replacements;
  std::optional<Rewriter> Terms;
};

Binder::Binder(ExprContext &Into, const Bindings &Values)
    : I(std::make_unique<Impl>(Into, Values)) {}
Binder::Binder(ExprContext &Into, ReplacementMap Replacements)
    : I(std::make_unique<Impl>(Into, std::move(Replacements))) {}
Binder::~Binder() = default;
Expr Binder::operator()(Expr E) { return I->Terms->rewrite(E); }

Expr ExprContext::import(Expr E) { return rewrite(*this, E, ReplacementMap()); }

} // namespace gpuestimate
