/// \file
/// Prints terms as a person would write them, with the necessary parentheses.
#include "ExprImpl.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <charconv>
#include <cmath>

namespace gpuestimate {

namespace {

/// Precedence of a printed form; an operand of lower precedence than its place
/// gets parentheses.
enum Tightness { Loose, Comparison, Sum, Product, Atom };

/// Shared subterms are printed at each use; a huge term is cut off here.
constexpr size_t MaxLength = 1 << 16;

std::string number(double Value) {
  if (Value == Infinity)
    return "inf";
  if (Value == -Infinity)
    return "-inf";
  if (std::isnan(Value))
    return "unknown";
  char Buffer[32];
  // Whole numbers with all digits if they are exact, otherwise the shortest
  // text that reads back as the same double.
  auto Result =
      isWhole(Value)
          ? std::to_chars(std::begin(Buffer), std::end(Buffer),
                          static_cast<int64_t>(Value))
          : std::to_chars(std::begin(Buffer), std::end(Buffer), Value);
  return std::string(Buffer, Result.ptr);
}

/// 2^k, k > 0, when Value is +-2^-k, so that n*0.5 prints as n/2.
std::optional<double> smallReciprocal(double Value) {
  double Inverse = 1 / std::fabs(Value);
  if (Inverse > 1 && Inverse <= 1024 && exactLog2(Inverse))
    return Inverse;
  return std::nullopt;
}

class Printer {
public:
  std::string Text;

  void print(Expr E, Tightness Place = Loose) {
    if (Text.size() > MaxLength)
      return;
    bool Parenthesise = tightnessOf(E) < Place;
    if (Parenthesise)
      Text += '(';
    printBare(E);
    if (Parenthesise)
      Text += ')';
  }

private:
  static Tightness tightnessOf(Expr E) {
    switch (E.kind()) {
    case ExprKind::Constant:
      return E.constant() < 0 ? Sum : Atom;
    case ExprKind::Add:
      return Sum;
    case ExprKind::Mul: {
      auto Coefficient = E.operands().front().asConstant();
      return Coefficient && *Coefficient < 0 ? Sum : Product;
    }
    case ExprKind::Div:
    case ExprKind::Mod:
      return Product;
    case ExprKind::Less:
    case ExprKind::LessEqual:
    case ExprKind::Equal:
    case ExprKind::NotEqual:
      return Comparison;
    case ExprKind::BitAnd:
    case ExprKind::BitOr:
    case ExprKind::BitXor:
    case ExprKind::ShiftLeft:
      return Loose;
    default:
      return Atom; // calls and Select, which brings its own parentheses
    }
  }

  void binary(Expr E, llvm::StringRef Operator, Tightness Side) {
    print(E.operands()[0], Side);
    Text += Operator;
    print(E.operands()[1], Side);
  }

  void call(llvm::StringRef Function, Expr E) {
    Text += Function;
    Text += '(';
    llvm::interleave(
        E.operands(), [&](Expr X) { print(X); }, [&] { Text += ", "; });
    Text += ')';
  }

  void rounded(llvm::StringRef Function, Expr E) {
    Text += Function;
    Text += '(';
    if (E.operands()[1].isConstant(1))
      print(E.operands()[0]);
    else
      quotient(E);
    Text += ')';
  }

  void quotient(Expr E) {
    // n*m/4 needs no parentheses, but another quotient or mod inside does.
    Expr Numerator = E.operands()[0];
    bool Plain = Numerator.kind() == ExprKind::Mul &&
                 !smallReciprocal(linearForm(Numerator).Terms[0].Coefficient);
    print(Numerator, Plain ? Product : Atom);
    Text += '/';
    print(E.operands()[1], Atom);
  }

  /// The magnitude of Coefficient times the factors.
  void product(double Coefficient, llvm::ArrayRef<Expr> Factors) {
    double Size = std::fabs(Coefficient);
    auto Divisor = smallReciprocal(Size);
    bool First = true;
    if (Size != 1 && !Divisor) {
      Text += number(Size);
      First = false;
    }
    for (size_t I = 0; I < Factors.size();) {
      size_t End = I + 1;
      while (End < Factors.size() && Factors[End] == Factors[I])
        ++End;
      if (!First)
        Text += '*';
      First = false;
      print(Factors[I], Atom);
      if (End - I > 1)
        Text += '^' + std::to_string(End - I);
      I = End;
    }
    if (Divisor)
      Text += '/' + number(*Divisor);
  }

  /// Terms in canonical order, except that a negative term does not come first
  /// if there is a positive one: 1 - p, n - 2*m.
  void sum(Expr E) {
    auto IsNegative = [](Expr Term) {
      if (auto Value = Term.asConstant())
        return *Value < 0;
      return linearForm(Term).Terms[0].Coefficient < 0;
    };
    llvm::SmallVector<Expr, 8> Terms(E.operands());
    if (auto *Positive = llvm::find_if_not(Terms, IsNegative);
        Positive != Terms.end())
      std::rotate(Terms.begin(), Positive, Positive + 1);
    for (size_t I = 0; I < Terms.size(); ++I) {
      bool Negative = IsNegative(Terms[I]);
      if (I > 0)
        Text += Negative ? " - " : " + ";
      else if (Negative)
        Text += '-';
      magnitude(Terms[I]);
    }
  }

  /// A term of a sum without its sign.
  void magnitude(Expr Term) {
    if (auto Value = Term.asConstant())
      Text += number(std::fabs(*Value));
    else if (Term.kind() == ExprKind::Mul)
      product(linearForm(Term).Terms[0].Coefficient, factorsOf(Term));
    else
      print(Term, Product);
  }

  // NOLINTNEXTLINE(readability-function-size): a case per kind.
  void printBare(Expr E) {
    switch (E.kind()) {
    case ExprKind::Constant:
      Text += number(E.constant());
      break;
    case ExprKind::Parameter:
      Text += E.name();
      break;
    case ExprKind::Add:
      sum(E);
      break;
    case ExprKind::Mul: {
      double Coefficient = linearForm(E).Terms[0].Coefficient;
      if (Coefficient < 0)
        Text += '-';
      product(Coefficient, factorsOf(E));
      break;
    }
    case ExprKind::Div:
      quotient(E);
      break;
    case ExprKind::FloorDiv:
      rounded("floor", E);
      break;
    case ExprKind::CeilDiv:
      rounded("ceil", E);
      break;
    case ExprKind::Mod:
      binary(E, " mod ", Atom);
      break;
    case ExprKind::Min:
      call("min", E);
      break;
    case ExprKind::Max:
      call("max", E);
      break;
    case ExprKind::Less:
      binary(E, " < ", Sum);
      break;
    case ExprKind::LessEqual:
      binary(E, " <= ", Sum);
      break;
    case ExprKind::Equal:
      binary(E, " == ", Sum);
      break;
    case ExprKind::NotEqual:
      binary(E, " != ", Sum);
      break;
    case ExprKind::BitAnd:
      binary(E, " & ", Atom);
      break;
    case ExprKind::BitOr:
      binary(E, " | ", Atom);
      break;
    case ExprKind::BitXor:
      binary(E, " xor ", Atom);
      break;
    case ExprKind::ShiftLeft:
      binary(E, " << ", Atom);
      break;
    case ExprKind::FloorLog2:
      call("floor(log2", E);
      Text += ')';
      break;
    case ExprKind::SquareRoot:
      call("sqrt", E);
      break;
    case ExprKind::Select:
      Text += '(';
      print(E.operands()[0], Comparison);
      Text += " ? ";
      print(E.operands()[1], Comparison);
      Text += " : ";
      print(E.operands()[2], Comparison);
      Text += ')';
      break;
    case ExprKind::Sum:
      Text += "sum(";
      Text += E.name();
      Text += " < ";
      print(E.operands()[0], Sum);
      Text += ": ";
      print(E.operands()[1]);
      Text += ')';
      break;
    }
  }
};

} // namespace

std::string Expr::str() const {
  Printer P;
  P.print(*this);
  if (P.Text.size() > MaxLength) {
    P.Text.resize(MaxLength);
    P.Text += "... (cut off at " + std::to_string(MaxLength) + " characters)";
  }
  return std::move(P.Text);
}

} // namespace gpuestimate
