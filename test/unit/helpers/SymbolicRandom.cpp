/// \file
/// Random expressions and their independent meaning.
#include "SymbolicRandom.h"

#include <cmath>
#include <sstream>

namespace gpuestimate::test {

namespace {

/// Within these magnitudes sums are exact in whichever order they are added.
constexpr double MaxExact = 4294967296.0, MinExact = 1 / 1048576.0;

std::optional<Meaning> limited(double Value, bool Exact) {
  double Size = std::fabs(Value);
  if (!(Size < MaxExact) || (Size != 0 && Size < MinExact))
    return std::nullopt;
  return Meaning{Value, Exact};
}

std::optional<Meaning> sumMeaning(const Tree &T, const Environment &Values) {
  auto Count = interpret(*T.Children[0], Values);
  if (!Count || !Count->Exact || Count->Value > MaxSumTerms)
    return std::nullopt;
  double Total = 0;
  bool Exact = true;
  for (int I = 0; I < Count->Value; ++I) {
    Environment Inner = Values;
    Inner[T.Name] = I;
    auto Term = interpret(*T.Children[1], Inner);
    if (!Term)
      return std::nullopt;
    double Share = std::fmin(1.0, Count->Value - I);
    Total += Share * Term->Value;
    Exact &= Term->Exact;
  }
  return limited(Total, Exact);
}

double bitOperation(ExprKind Kind, double A, double B) {
  auto X = static_cast<long long>(std::floor(A));
  auto Y = static_cast<long long>(std::floor(B));
  if (Kind == ExprKind::BitAnd)
    return X & Y;
  return Kind == ExprKind::BitOr ? X | Y : X ^ Y;
}

/// Operations with jumps; their operands must be exact.
double jump(ExprKind Kind, double A, double B) {
  switch (Kind) {
  case ExprKind::FloorDiv:
    return std::floor(A / B);
  case ExprKind::CeilDiv:
    return std::ceil(A / B);
  case ExprKind::Mod:
    return A - B * std::floor(A / B);
  case ExprKind::Less:
    return A < B;
  case ExprKind::LessEqual:
    return A <= B;
  case ExprKind::Equal:
    return A == B;
  case ExprKind::NotEqual:
    return A != B;
  case ExprKind::ShiftLeft:
    return A * std::pow(2.0, std::floor(B));
  default:
    return bitOperation(Kind, A, B);
  }
}

} // namespace

std::optional<Meaning> interpret(const Tree &T, const Environment &Values) {
  switch (T.Kind) {
  case ExprKind::Constant:
    return Meaning{T.Value, true};
  case ExprKind::Parameter: {
    auto Found = Values.find(T.Name);
    if (Found == Values.end())
      return std::nullopt;
    return Meaning{Found->second, true};
  }
  case ExprKind::Sum:
    return sumMeaning(T, Values);
  case ExprKind::Select: {
    auto Condition = interpret(*T.Children[0], Values);
    if (!Condition || !Condition->Exact)
      return std::nullopt;
    return interpret(*T.Children[Condition->Value != 0 ? 1 : 2], Values);
  }
  default:
    break;
  }
  std::vector<Meaning> X;
  for (const TreeRef &Child : T.Children) {
    auto M = interpret(*Child, Values);
    if (!M)
      return std::nullopt;
    X.push_back(*M);
  }
  Meaning R = X[0];
  switch (T.Kind) {
  case ExprKind::Add:
  case ExprKind::Mul:
  case ExprKind::Min:
  case ExprKind::Max:
    for (size_t I = 1; I < X.size(); ++I) {
      R.Exact &= X[I].Exact;
      double A = R.Value, B = X[I].Value;
      if (T.Kind == ExprKind::Add) {
        R.Value = A + B;
        R.Exact &= R.Value - A == B && R.Value - B == A;
      } else if (T.Kind == ExprKind::Mul) {
        R.Value = A * B;
        R.Exact &= std::fma(A, B, -R.Value) == 0;
      } else {
        R.Value = T.Kind == ExprKind::Min ? std::fmin(A, B) : std::fmax(A, B);
      }
    }
    return limited(R.Value, R.Exact);
  case ExprKind::FloorLog2: {
    if (!R.Exact)
      return std::nullopt;
    double Log = 0;
    for (double Power = 2; Power <= R.Value; Power *= 2)
      ++Log;
    return Meaning{Log, true};
  }
  case ExprKind::SquareRoot: {
    if (!R.Exact)
      return std::nullopt;
    double Root = R.Value > 0 ? std::sqrt(R.Value) : 0;
    return limited(Root, std::fma(Root, Root, -std::fmax(R.Value, 0)) == 0);
  }
  case ExprKind::Div: {
    if (X[1].Value == 0)
      return std::nullopt;
    double Q = X[0].Value / X[1].Value;
    bool Exact =
        X[0].Exact && X[1].Exact && std::fma(Q, X[1].Value, -X[0].Value) == 0;
    return limited(Q, Exact);
  }
  default:
    break;
  }
  if (!X[0].Exact || !X[1].Exact)
    return std::nullopt;
  bool Divides = T.Kind == ExprKind::FloorDiv || T.Kind == ExprKind::CeilDiv ||
                 T.Kind == ExprKind::Mod;
  if (Divides && X[1].Value == 0)
    return std::nullopt;
  return limited(jump(T.Kind, X[0].Value, X[1].Value), true);
}

Expr build(ExprContext &C, const Tree &T) {
  std::vector<Expr> X;
  for (const TreeRef &Child : T.Children)
    X.push_back(build(C, *Child));
  switch (T.Kind) {
  case ExprKind::Constant:
    return C.constant(T.Value);
  case ExprKind::Parameter:
    return C.parameter(T.Name);
  case ExprKind::Add:
    return C.add(X);
  case ExprKind::Mul:
    return C.mul(X);
  case ExprKind::Div:
    return C.div(X[0], X[1]);
  case ExprKind::FloorDiv:
    return C.floorDiv(X[0], X[1]);
  case ExprKind::CeilDiv:
    return C.ceilDiv(X[0], X[1]);
  case ExprKind::Mod:
    return C.mod(X[0], X[1]);
  case ExprKind::Min:
    return C.min(X);
  case ExprKind::Max:
    return C.max(X);
  case ExprKind::Less:
    return C.less(X[0], X[1]);
  case ExprKind::LessEqual:
    return C.lessEqual(X[0], X[1]);
  case ExprKind::Equal:
    return C.equal(X[0], X[1]);
  case ExprKind::NotEqual:
    return C.notEqual(X[0], X[1]);
  case ExprKind::Select:
    return C.select(X[0], X[1], X[2]);
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
  case ExprKind::Sum:
    return C.sum(T.Name, X[0], X[1]);
  }
  return Expr();
}

std::string describe(const Tree &T) {
  static constexpr const char *Names[] = {
      "const", "param", "add",  "mul",    "div",   "floordiv", "ceildiv", "mod",
      "min",   "max",   "less", "lesseq", "equal", "notequal", "select",  "and",
      "or",    "xor",   "shl",  "log2",   "sqrt",  "sum"};
  std::ostringstream Out;
  if (T.Kind == ExprKind::Constant) {
    Out << T.Value;
    return Out.str();
  }
  if (T.Kind == ExprKind::Parameter)
    return T.Name;
  Out << Names[static_cast<unsigned>(T.Kind)] << T.Name << '(';
  for (size_t I = 0; I < T.Children.size(); ++I)
    Out << (I ? ", " : "") << describe(*T.Children[I]);
  Out << ')';
  return Out.str();
}

llvm::ArrayRef<RandomParameter> randomParameters() {
  static constexpr RandomParameter Parameters[] = {
      {"n", -40, 300, 1, false},
      {"m", -9, 9, 1, false},
      {"k", -1000, 1000, 1, false},
      {"i", -3, 20, 1, false},
      {"tid", 0, 31, 1, true},
      {"ntid", 1, 64, 1, true},
      {"s", 0, 6, 1, true},
      {"lat.global", 0, 500, 0.125, false},
      {"p(branch)", 0, 1, 0.125, true}};
  return Parameters;
}

void assumeRanges(ExprContext &C) {
  for (const RandomParameter &P : randomParameters())
    if (P.Assumed)
      C.assumeRange(P.Name, {P.Low, P.High});
}

Environment RandomTrees::environment() {
  Environment Values;
  for (const RandomParameter &P : randomParameters())
    Values[P.Name] =
        P.Low +
        P.Step * static_cast<double>(
                     whole(0, static_cast<int64_t>((P.High - P.Low) / P.Step)));
  return Values;
}

TreeRef RandomTrees::leaf() {
  static constexpr double Constants[] = {0,  1,  2,  3,  4,   5,   7,     8,
                                         15, 16, 31, 32, 255, 256, 0.5,   0.25,
                                         -1, -2, -3, -8, -16, 63,  1.125, 6};
  if (whole(0, 2) == 0)
    return std::make_shared<Tree>(Tree{
        ExprKind::Constant,
        Constants[whole(0, static_cast<int64_t>(std::size(Constants)) - 1)]});
  auto Parameters = randomParameters();
  // Integers more often than reals, the last two.
  size_t Index = whole(0, static_cast<int64_t>(Parameters.size()) +
                              static_cast<int64_t>(Parameters.size()) - 5);
  Index %=
      Index < Parameters.size() ? Parameters.size() : Parameters.size() - 2;
  return std::make_shared<Tree>(
      Tree{ExprKind::Parameter, 0, Parameters[Index].Name});
}

/// c*x + d*y + ... + e, the shape of addresses and of most divisions.
TreeRef RandomTrees::linear(unsigned Depth) {
  static constexpr double Coefficients[] = {1, -1, 2,  3,  4,  6,
                                            8, 16, 32, -4, 12, 256};
  Tree Result{ExprKind::Add};
  for (int64_t I = 0, E = whole(2, 4); I < E; ++I) {
    TreeRef Factor = tree(Depth > 0 && whole(0, 2) == 0 ? Depth - 1 : 0);
    double Coefficient = Coefficients[whole(
        0, static_cast<int64_t>(std::size(Coefficients)) - 1)];
    Result.Children.push_back(std::make_shared<Tree>(
        Tree{ExprKind::Mul,
             0,
             {},
             {std::make_shared<Tree>(Tree{ExprKind::Constant, Coefficient}),
              Factor}}));
  }
  if (whole(0, 1))
    Result.Children.push_back(std::make_shared<Tree>(
        Tree{ExprKind::Constant, static_cast<double>(whole(-40, 300))}));
  return std::make_shared<Tree>(Result);
}

/// Mostly a positive constant, as in code.
TreeRef RandomTrees::divisor(unsigned Depth) {
  static constexpr double Divisors[] = {1, 2,  3,  4,   8,  16,  32,
                                        7, 12, 64, 256, -4, 0.5, 128};
  if (whole(0, 3))
    return std::make_shared<Tree>(
        Tree{ExprKind::Constant, Divisors[whole(0, std::size(Divisors) - 1)]});
  return whole(0, 1) ? leaf() : tree(Depth);
}

TreeRef RandomTrees::polynomial(unsigned Depth) {
  if (Depth == 0)
    return leaf();
  Tree Result{whole(0, 1) ? ExprKind::Add : ExprKind::Mul};
  for (int64_t I = 0, E = whole(2, 3); I < E; ++I)
    Result.Children.push_back(polynomial(Depth - 1));
  return std::make_shared<Tree>(Result);
}

TreeRef RandomTrees::tree(unsigned Depth) {
  if (Depth == 0)
    return leaf();
  if (whole(0, 3) == 0)
    return linear(Depth - 1);
  auto Kind = static_cast<ExprKind>(whole(static_cast<int64_t>(ExprKind::Add),
                                          static_cast<int64_t>(ExprKind::Sum)));
  Tree Result{Kind};
  auto Child = [&] {
    return whole(0, 2) == 0 ? linear(Depth - 1) : tree(Depth - 1);
  };
  size_t Count = 2;
  switch (Kind) {
  case ExprKind::Add:
  case ExprKind::Mul:
  case ExprKind::Min:
  case ExprKind::Max:
    Count = whole(2, 4);
    break;
  case ExprKind::Select:
    Count = 3;
    break;
  case ExprKind::FloorLog2:
  case ExprKind::SquareRoot:
    Count = 1;
    break;
  case ExprKind::Sum:
    Result.Name = whole(0, 2) ? "i" : "j";
    break;
  default:
    break;
  }
  for (size_t I = 0; I < Count; ++I)
    Result.Children.push_back(Child());
  if (Kind == ExprKind::Div || Kind == ExprKind::FloorDiv ||
      Kind == ExprKind::CeilDiv || Kind == ExprKind::Mod)
    Result.Children[1] = divisor(Depth - 1);
  if (Kind == ExprKind::Sum && whole(0, 1))
    Result.Children[0] = leaf();
  if (Kind == ExprKind::ShiftLeft && whole(0, 3))
    Result.Children[1] = leaf();
  return std::make_shared<Tree>(Result);
}

} // namespace gpuestimate::test
