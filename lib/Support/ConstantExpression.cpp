/// \file
/// A precedence parser that evaluates expressions.
#include "gpu-estimate/Support/ConstantExpression.h"

#include "llvm/ADT/StringExtras.h"
#include <cmath>

using namespace llvm;

namespace gpuestimate {

namespace {

struct Number {
  bool Real = false;
  int64_t I = 0;
  double D = 0;

  double value() const { return Real ? D : static_cast<double>(I); }
};

Number whole(int64_t I) { return {false, I, 0}; }
Number real(double D) { return {true, 0, D}; }

struct Operator {
  StringLiteral Text;
  unsigned Precedence; ///< higher binds tighter
};
/// The operators, longer ones before their prefixes.
constexpr Operator Operators[] = {
    {"||", 1}, {"&&", 2}, {"==", 6}, {"!=", 6}, {"<<", 8}, {">>", 8},
    {"<=", 7}, {">=", 7}, {"|", 3},  {"^", 4},  {"&", 5},  {"<", 7},
    {">", 7},  {"+", 9},  {"-", 9},  {"*", 10}, {"/", 10}, {"%", 10}};

class Evaluator {
public:
  Evaluator(StringRef Text, ConstantLookup Lookup)
      : Text(Text), Remaining(Text.trim()), Lookup(Lookup) {}

  Expected<double> run() {
    Number N = binary(1);
    if (Problem.empty() && !Remaining.empty())
      fail("unexpected '" + Remaining.take_front(10) + "'");
    if (Problem.empty() && !std::isfinite(N.value()))
      fail("not a finite number");
    if (!Problem.empty())
      return createStringError(Problem + " in '" + Text.take_front(80) + "'");
    return N.value();
  }

private:
  Number fail(const Twine &What) {
    if (Problem.empty())
      Problem = What.str();
    return {};
  }
  void skip(size_t Count) { Remaining = Remaining.drop_front(Count).ltrim(); }

  Number binary(unsigned Least);
  Number unary();
  Number literal();
  Number apply(StringRef Op, Number A, Number B);
  Number applyWhole(StringRef Op, int64_t A, int64_t B);

  StringRef Text, Remaining;
  ConstantLookup Lookup;
  std::string Problem;
  unsigned Depth = 0;
};

} // namespace

Number Evaluator::binary(unsigned Least) {
  Number Left = unary();
  while (Problem.empty()) {
    const auto *Op = find_if(Operators, [&](const Operator &O) {
      return Remaining.starts_with(O.Text);
    });
    if (Op == std::end(Operators) || Op->Precedence < Least)
      return Left;
    skip(Op->Text.size());
    Number Right = binary(Op->Precedence + 1);
    if (Problem.empty())
      Left = apply(Op->Text, Left, Right);
  }
  return Left;
}

Number Evaluator::unary() {
  constexpr unsigned DeepestNesting = 100;
  if (Remaining.empty())
    return fail("expected a number at the end");
  if (Depth > DeepestNesting)
    return fail("nested too deeply");
  char C = Remaining.front();
  if (C == '+' || C == '-' || C == '!' || C == '~') {
    skip(1);
    ++Depth;
    Number N = unary();
    --Depth;
    switch (C) {
    case '+':
      return N;
    case '-':
      return N.Real             ? real(-N.D)
             : N.I == INT64_MIN ? fail("64 bits are too few")
                                : whole(-N.I);
    case '!':
      return whole(N.value() == 0);
    default:
      return N.Real ? fail("'~' of a real number") : whole(~N.I);
    }
  }
  if (C == '(') {
    skip(1);
    ++Depth;
    Number N = binary(1);
    --Depth;
    if (!Remaining.starts_with(")"))
      return fail("expected ')'");
    skip(1);
    return N;
  }
  if (isDigit(C) || C == '.')
    return literal();
  if (isAlpha(C) || C == '_') {
    StringRef Name = Remaining.take_while([&](char Letter) {
      return isAlnum(Letter) || Letter == '_' || Letter == ':' || Letter == '.';
    });
    skip(Name.size());
    std::optional<double> Value = Lookup(Name);
    if (!Value)
      return fail("'" + Name + "' is no constant");
    constexpr double LargestWhole = 9007199254740992.0; // 2^53
    return std::floor(*Value) == *Value && std::fabs(*Value) <= LargestWhole
               ? whole(static_cast<int64_t>(*Value))
               : real(*Value);
  }
  return fail("expected a number at '" + Remaining.take_front(10) + "'");
}

Number Evaluator::literal() {
  bool Hex = Remaining.starts_with_insensitive("0x");
  size_t End = 0;
  while (End < Remaining.size() &&
         (isAlnum(Remaining[End]) || Remaining[End] == '.' ||
          Remaining[End] == '\'' ||
          (!Hex && (Remaining[End] == '+' || Remaining[End] == '-') &&
           End > 0 && toLower(Remaining[End - 1]) == 'e')))
    ++End;
  StringRef Spelled = Remaining.take_front(End);
  skip(End);
  std::string Digits = Spelled.str();
  erase(Digits, '\'');
  StringRef Whole(Digits);
  Whole = Whole.rtrim("uUlL");
  int64_t I;
  if (!Whole.empty() && !Whole.getAsInteger(0, I))
    return whole(I);
  StringRef Fraction(Digits);
  if (!Hex)
    Fraction = Fraction.rtrim("fFlL");
  double D;
  if (!Hex && !Fraction.getAsDouble(D) && std::isfinite(D))
    return real(D);
  return fail("'" + Spelled + "' is no number");
}

Number Evaluator::apply(StringRef Op, Number A, Number B) {
  if (!A.Real && !B.Real)
    return applyWhole(Op, A.I, B.I);
  double X = A.value(), Y = B.value();
  if (Op == "+")
    return real(X + Y);
  if (Op == "-")
    return real(X - Y);
  if (Op == "*")
    return real(X * Y);
  if (Op == "/")
    return Y == 0 ? fail("division by zero") : real(X / Y);
  if (Op == "<")
    return whole(X < Y);
  if (Op == ">")
    return whole(X > Y);
  if (Op == "<=")
    return whole(X <= Y);
  if (Op == ">=")
    return whole(X >= Y);
  if (Op == "==")
    return whole(X == Y);
  if (Op == "!=")
    return whole(X != Y);
  if (Op == "&&")
    return whole(X != 0 && Y != 0);
  if (Op == "||")
    return whole(X != 0 || Y != 0);
  return fail("'" + Op + "' of a real number");
}

Number Evaluator::applyWhole(StringRef Op, int64_t A, int64_t B) {
  int64_t Result = 0;
  bool Overflow = false;
  if (Op == "+")
    Overflow = __builtin_add_overflow(A, B, &Result);
  else if (Op == "-")
    Overflow = __builtin_sub_overflow(A, B, &Result);
  else if (Op == "*")
    Overflow = __builtin_mul_overflow(A, B, &Result);
  else if (Op == "/" || Op == "%") {
    if (B == 0)
      return fail("division by zero");
    Overflow = A == INT64_MIN && B == -1;
    if (!Overflow)
      Result = Op == "/" ? A / B : A % B;
  } else if (Op == "<<" || Op == ">>") {
    if (B < 0 || B > 62 || A < 0)
      return fail("a shift by " + Twine(B) + " bits");
    Overflow = Op == "<<" && A > (INT64_MAX >> B);
    if (!Overflow)
      Result = Op == "<<" ? A << B : A >> B;
  } else if (Op == "&")
    Result = A & B;
  else if (Op == "|")
    Result = A | B;
  else if (Op == "^")
    Result = A ^ B;
  else
    return apply(Op, real(static_cast<double>(A)), whole(B));
  return Overflow ? fail("64 bits are too few") : whole(Result);
}

Expected<double> evaluateConstant(StringRef Text, ConstantLookup Lookup) {
  return Evaluator(Text, Lookup).run();
}

Expected<double> evaluateConstant(StringRef Text) {
  return evaluateConstant(Text, [](StringRef) { return std::nullopt; });
}

} // namespace gpuestimate
