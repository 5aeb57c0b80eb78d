#include "IteratorRanges.h"

#include "HostAnalysis.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/StringSwitch.h"

namespace gpuestimate {

namespace {

/// A place in a sequence: Offset items behind the start of what Sequence names.
struct Position {
  AccessPath Sequence; ///< without a base: the integers
  Expr Offset;         ///< null: unknown
};

class PositionFinder {
public:
  PositionFinder(HostAnalysis &Host) : Host(Host) {}

  std::optional<Position> find(const clang::Expr *E, const CallFrame &Frame,
                               ProgramPoint Point);

private:
  std::optional<Position> ofCall(const clang::CallExpr &Call,
                                 const CallFrame &Frame, ProgramPoint Point);
  std::optional<Position>
  ofVariable(const clang::Expr *E, const CallFrame &Frame, ProgramPoint Point);
  std::optional<Position> moved(const clang::Expr *From, const clang::Expr *By,
                                double Sign, const CallFrame &Frame,
                                ProgramPoint Point);
  std::optional<Position> counting(const clang::Expr *Number,
                                   const CallFrame &Frame, ProgramPoint Point) {
    return Position{{}, Host.Expressions.value(Number, Frame, Point)};
  }

  HostAnalysis &Host;
  unsigned Depth = 0;
  static constexpr unsigned MaxDepth = 16;
};

} // namespace

static llvm::StringRef plainName(const clang::FunctionDecl *F) {
  return F && F->getDeclName().isIdentifier() ? F->getName()
                                              : llvm::StringRef();
}

std::optional<Position>
PositionFinder::moved(const clang::Expr *From, const clang::Expr *By,
                      double Sign, const CallFrame &Frame, ProgramPoint Point) {
  std::optional<Position> Start = find(From, Frame, Point);
  if (!Start)
    return std::nullopt;
  Expr Distance = Host.Expressions.value(By, Frame, Point);
  Start->Offset =
      Start->Offset && Distance ? Start->Offset + Sign * Distance : Expr();
  return Start;
}

std::optional<Position> PositionFinder::find(const clang::Expr *E,
                                             const CallFrame &Frame,
                                             ProgramPoint Point) {
  E = stripCasts(E);
  if (!E || Depth >= MaxDepth)
    return std::nullopt;
  ++Depth;
  auto IsNumber = [](const clang::Expr *Operand) {
    return Operand->getType()
        .getNonReferenceType()
        ->isIntegralOrEnumerationType();
  };
  if (const auto *Sum = llvm::dyn_cast<clang::BinaryOperator>(E);
      Sum && Sum->isAdditiveOp()) {
    if (IsNumber(Sum->getLHS()))
      return moved(Sum->getRHS(), Sum->getLHS(), 1, Frame, Point);
    return moved(Sum->getLHS(), Sum->getRHS(),
                 Sum->getOpcode() == clang::BO_Add ? 1 : -1, Frame, Point);
  }
  if (const auto *Sum = llvm::dyn_cast<clang::CXXOperatorCallExpr>(E);
      Sum && Sum->getNumArgs() == 2 &&
      (Sum->getOperator() == clang::OO_Plus ||
       Sum->getOperator() == clang::OO_Minus))
    return IsNumber(Sum->getArg(0))
               ? moved(Sum->getArg(1), Sum->getArg(0), 1, Frame, Point)
               : moved(Sum->getArg(0), Sum->getArg(1),
                       Sum->getOperator() == clang::OO_Plus ? 1 : -1, Frame,
                       Point);
  if (const auto *Address = llvm::dyn_cast<clang::UnaryOperator>(E);
      Address && Address->getOpcode() == clang::UO_AddrOf)
    if (const auto *Element = llvm::dyn_cast<clang::ArraySubscriptExpr>(
            stripCasts(Address->getSubExpr())))
      return moved(Element->getBase(), Element->getIdx(), 1, Frame, Point);
  if (const auto *Made = llvm::dyn_cast<clang::CXXConstructExpr>(E)) {
    if (Made->getNumArgs() == 0)
      return std::nullopt;
    if (Made->getConstructor()->getParent()->getName() == "counting_iterator" &&
        IsNumber(Made->getArg(0)))
      return counting(Made->getArg(0), Frame, Point);
    return find(Made->getArg(0), Frame, Point);
  }
  if (const auto *Call = llvm::dyn_cast<clang::CallExpr>(E))
    return ofCall(*Call, Frame, Point);
  return ofVariable(E, Frame, Point);
}

std::optional<Position> PositionFinder::ofCall(const clang::CallExpr &Call,
                                               const CallFrame &Frame,
                                               ProgramPoint Point) {
  llvm::StringRef Name = plainName(Call.getDirectCallee());
  const auto *Member = llvm::dyn_cast<clang::CXXMemberCallExpr>(&Call);
  const clang::Expr *Container = Member ? Member->getImplicitObjectArgument()
                                 : Call.getNumArgs() == 1 ? Call.getArg(0)
                                                          : nullptr;
  enum {
    Start,
    End,
    Wrapper,
    Counting,
    Other
  } Kind = llvm::StringSwitch<decltype(Kind)>(Name)
               .Cases("begin", "cbegin", "data", Start)
               .Cases("end", "cend", End)
               .Cases("device_pointer_cast", "raw_pointer_cast", Wrapper)
               .Cases("make_transform_iterator", "make_zip_iterator", Wrapper)
               .Cases("make_tuple", "make_permutation_iterator", "get", Wrapper)
               .Case("make_counting_iterator", Counting)
               .Default(Other);
  if ((Kind == Start || Kind == End) && Container) {
    Position Result{accessPathOf(Container), Host.Terms.constant(0)};
    if (!Result.Sequence.Base)
      return std::nullopt;
    if (Kind == End)
      Result.Offset = Host.Buffers.containerSize(Container, Frame, Point).E;
    return Result;
  }
  if (Kind == Counting && Call.getNumArgs() >= 1)
    return counting(Call.getArg(0), Frame, Point);
  if (Kind == Wrapper && Member)
    return find(Member->getImplicitObjectArgument(), Frame, Point);
  if (Kind == Wrapper && Call.getNumArgs() >= 1)
    return find(Call.getArg(0), Frame, Point);
  return std::nullopt;
}

/// A variable is the iterator that it was made from, and else a sequence of its
/// own.
std::optional<Position> PositionFinder::ofVariable(const clang::Expr *E,
                                                   const CallFrame &Frame,
                                                   ProgramPoint Point) {
  AccessPath Path = accessPathOf(E);
  if (!Path.Base)
    return std::nullopt;
  if (const auto *Parameter = llvm::dyn_cast<clang::ParmVarDecl>(Path.Base);
      Parameter && Path.Fields.empty() && Frame.Caller)
    if (const clang::Expr *Passed = Frame.argument(*Parameter))
      if (auto Outer = find(Passed, *Frame.Caller, Frame.CallPoint))
        return Outer;
  const clang::Expr *Value = Host.Variables.resolve(E, Frame, Point);
  if (Value && Value != E && !accessPathOf(Value).Base)
    if (auto Made = find(Value, Frame, Point))
      return Made;
  return Position{Path, Host.Terms.constant(0)};
}

Expr distanceBetween(HostAnalysis &Host, const clang::Expr *First,
                     const clang::Expr *Last, const CallFrame &Frame,
                     ProgramPoint Point) {
  std::optional<Position> Begin =
      PositionFinder(Host).find(First, Frame, Point);
  std::optional<Position> End = PositionFinder(Host).find(Last, Frame, Point);
  if (!Begin || !End || !Begin->Offset || !End->Offset ||
      !(Begin->Sequence == End->Sequence))
    return {};
  return End->Offset - Begin->Offset;
}

} // namespace gpuestimate
