#include "gpu-estimate/Symbolic/CodePrinter.h"
#include "ExprImpl.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <charconv>
#include <cmath>

using namespace llvm;

namespace gpuestimate {
namespace {

// Keywords, and the names that the code itself uses.
constexpr StringLiteral PythonReserved[] = {
    "False",  "None",   "True",    "and",      "as",       "assert", "async",
    "await",  "break",  "class",   "continue", "def",      "del",    "elif",
    "else",   "except", "finally", "for",      "from",     "global", "if",
    "import", "in",     "is",      "lambda",   "nonlocal", "not",    "or",
    "pass",   "raise",  "return",  "try",      "while",    "with",   "yield",
    "math",   "min",    "max",     "int",      "float",    "range",  "abs"};
constexpr StringLiteral CReserved[] = {
    "auto",      "bool",      "break",    "case",    "char",      "class",
    "const",     "continue",  "default",  "delete",  "do",        "double",
    "else",      "enum",      "export",   "extern",  "false",     "float",
    "for",       "goto",      "if",       "inline",  "int",       "long",
    "namespace", "new",       "operator", "private", "public",    "register",
    "restrict",  "return",    "short",    "signed",  "sizeof",    "static",
    "struct",    "switch",    "template", "this",    "true",      "typedef",
    "typename",  "union",     "unsigned", "using",   "virtual",   "void",
    "volatile",  "while",     "and",      "or",      "not",       "xor",
    "asm",       "catch",     "try",      "throw",   "friend",    "mutable",
    "explicit",  "protected", "alignas",  "alignof", "constexpr", "nullptr",
    "floor",     "ceil",      "fabs",     "ldexp",   "frexp",     "isnan",
    "isinf",     "NAN",       "INFINITY", "y0",      "y1",        "yn",
    "j0",        "j1",        "jn",       "gamma",   "exp",       "log"};

ArrayRef<StringLiteral> reserved(CodeLanguage Language) {
  return Language == CodeLanguage::Python ? ArrayRef(PythonReserved)
                                          : ArrayRef(CReserved);
}

/// A function of the code, with what Semantics.h says. Needs: the one that it
/// calls, an index, or -1. One comes after those that it calls.
struct Helper {
  StringLiteral Name;
  StringLiteral Python, C;
  int Needs;
};

enum HelperIndex : uint8_t {
  MulOf,
  DivOf,
  FloorOf,
  CeilOf,
  ModOf,
  MinOf,
  MaxOf,
  CompareOf,
  SelectOf,
  WholeOf,
  AndOf,
  OrOf,
  XorOf,
  ShiftOf,
  Log2Of,
  RootOf,
  CountOf,
  PointOf,
  WeightOf,
  NoHelper
};

constexpr Helper Helpers[] = {
    {"ge_mul",
     "def ge_mul(a, b):\n"
     "    return 0.0 if a == 0 or b == 0 else a * b\n",
     "static inline double ge_mul(double a, double b) {\n"
     "  return a == 0 || b == 0 ? 0.0 : a * b;\n"
     "}\n",
     -1},
    {"ge_div",
     "def ge_div(a, b):\n"
     "    return math.nan if b == 0 else a / b\n",
     "static inline double ge_div(double a, double b) {\n"
     "  return b == 0 ? NAN : a / b;\n"
     "}\n",
     -1},
    {"ge_floor",
     "def ge_floor(a):\n"
     "    return math.floor(a) if math.isfinite(a) else a\n",
     "static inline double ge_floor(double a) { return floor(a); }\n", -1},
    {"ge_ceil",
     "def ge_ceil(a):\n"
     "    return math.ceil(a) if math.isfinite(a) else a\n",
     "static inline double ge_ceil(double a) { return ceil(a); }\n", -1},
    {"ge_mod",
     "def ge_mod(a, b):\n"
     "    return a - b * ge_floor(ge_div(a, b))\n",
     "static inline double ge_mod(double a, double b) {\n"
     "  return a - b * ge_floor(ge_div(a, b));\n"
     "}\n",
     FloorOf},
    {"ge_min",
     "def ge_min(a, b):\n"
     "    return math.nan if a != a or b != b else min(a, b)\n",
     "static inline double ge_min(double a, double b) {\n"
     "  return isnan(a) || isnan(b) ? NAN : b < a ? b : a;\n"
     "}\n",
     -1},
    {"ge_max",
     "def ge_max(a, b):\n"
     "    return math.nan if a != a or b != b else max(a, b)\n",
     "static inline double ge_max(double a, double b) {\n"
     "  return isnan(a) || isnan(b) ? NAN : b > a ? b : a;\n"
     "}\n",
     -1},
    {"ge_known",
     "def ge_known(result, a, b):\n"
     "    return math.nan if a != a or b != b else float(result)\n",
     "static inline double ge_known(int result, double a, double b) {\n"
     "  return isnan(a) || isnan(b) ? NAN : (double)result;\n"
     "}\n",
     -1},
    {"ge_select",
     "def ge_select(c, a, b):\n"
     "    return math.nan if c != c else a if c != 0 else b\n",
     "static inline double ge_select(double c, double a, double b) {\n"
     "  return isnan(c) ? NAN : c != 0 ? a : b;\n"
     "}\n",
     -1},
    {"ge_is_int64",
     "def ge_is_int64(a):\n"
     "    return -2.0**63 <= a < 2.0**63\n",
     "static inline int ge_is_int64(double a) {\n"
     "  return a >= -9223372036854775808.0 && a < 9223372036854775808.0;\n"
     "}\n",
     -1},
    {"ge_and",
     "def ge_and(a, b):\n"
     "    if not (ge_is_int64(a) and ge_is_int64(b)):\n"
     "        return math.nan\n"
     "    return float(math.floor(a) & math.floor(b))\n",
     "static inline double ge_and(double a, double b) {\n"
     "  if (!ge_is_int64(a) || !ge_is_int64(b))\n"
     "    return NAN;\n"
     "  return (double)((long long)floor(a) & (long long)floor(b));\n"
     "}\n",
     WholeOf},
    {"ge_or",
     "def ge_or(a, b):\n"
     "    if not (ge_is_int64(a) and ge_is_int64(b)):\n"
     "        return math.nan\n"
     "    return float(math.floor(a) | math.floor(b))\n",
     "static inline double ge_or(double a, double b) {\n"
     "  if (!ge_is_int64(a) || !ge_is_int64(b))\n"
     "    return NAN;\n"
     "  return (double)((long long)floor(a) | (long long)floor(b));\n"
     "}\n",
     WholeOf},
    {"ge_xor",
     "def ge_xor(a, b):\n"
     "    if not (ge_is_int64(a) and ge_is_int64(b)):\n"
     "        return math.nan\n"
     "    return float(math.floor(a) ^ math.floor(b))\n",
     "static inline double ge_xor(double a, double b) {\n"
     "  if (!ge_is_int64(a) || !ge_is_int64(b))\n"
     "    return NAN;\n"
     "  return (double)((long long)floor(a) ^ (long long)floor(b));\n"
     "}\n",
     WholeOf},
    {"ge_shift",
     "def ge_shift(a, b):\n"
     "    if a != a or b != b:\n"
     "        return math.nan\n"
     "    try:\n"
     "        return math.ldexp(a, int(math.floor(min(max(b, -4000), 4000))))\n"
     "    except OverflowError:\n"
     "        return math.copysign(math.inf, a)\n",
     "static inline double ge_shift(double a, double b) {\n"
     "  if (isnan(a) || isnan(b))\n"
     "    return NAN;\n"
     "  return ldexp(a, (int)floor(b < -4000 ? -4000 : b > 4000 ? 4000 : b));\n"
     "}\n",
     -1},
    {"ge_log2",
     "def ge_log2(a):\n"
     "    if a != a or a == math.inf:\n"
     "        return a\n"
     "    return 0 if a < 1 else math.frexp(a)[1] - 1\n",
     "static inline double ge_log2(double a) {\n"
     "  int exponent;\n"
     "  if (isnan(a) || isinf(a))\n"
     "    return a < 0 ? 0 : a;\n"
     "  frexp(a, &exponent);\n"
     "  return a < 1 ? 0 : exponent - 1;\n"
     "}\n",
     -1},
    {"ge_sqrt",
     "def ge_sqrt(a):\n"
     "    return 0.0 if a < 0 else math.sqrt(a)\n",
     "static inline double ge_sqrt(double a) {\n"
     "  return a < 0 ? 0.0 : sqrt(a);\n"
     "}\n",
     -1},
    {"ge_terms",
     "# A sum of more than 64 terms is evaluated at 64 spread points.\n"
     "def ge_terms(count):\n"
     "    if not count > 0:\n"
     "        return 0\n"
     "    return math.ceil(count) if count <= 64 else 64\n",
     "/* A sum of more than 64 terms is evaluated at 64 spread points. */\n"
     "static inline int ge_terms(double count) {\n"
     "  return !(count > 0) ? 0 : count <= 64 ? (int)ceil(count) : 64;\n"
     "}\n",
     -1},
    {"ge_point",
     "def ge_point(count, k):\n"
     "    if count <= 64:\n"
     "        return k\n"
     "    turn = (k + 1) * 0.6180339887498949\n"
     "    return math.floor((k + (turn - int(turn))) * (count * (1 / 64)))\n",
     "static inline double ge_point(double count, int k) {\n"
     "  double turn = (k + 1) * 0.6180339887498949;\n"
     "  if (count <= 64)\n"
     "    return k;\n"
     "  return floor((k + (turn - (int)turn)) * (count * (1.0 / 64)));\n"
     "}\n",
     CountOf},
    {"ge_weight",
     "def ge_weight(count, k):\n"
     "    if count <= 64:\n"
     "        return min(1.0, max(0.0, count - k))\n"
     "    return count * (1 / 64)\n",
     "static inline double ge_weight(double count, int k) {\n"
     "  if (count <= 64)\n"
     "    return count - k >= 1 ? 1.0 : count - k > 0 ? count - k : 0.0;\n"
     "  return count * (1.0 / 64);\n"
     "}\n",
     PointOf},
};
static_assert(std::size(Helpers) == NoHelper);

constexpr size_t LineWidth = 88;

/// The statement with line breaks at blanks; continued lines are indented by
/// Indent + 4. Python wants its value in parentheses.
std::string wrapped(const std::string &Statement, size_t Indent) {
  std::string Text;
  size_t Column = 0;
  SmallVector<StringRef> Words;
  StringRef(Statement).ltrim(' ').split(Words, ' ');
  Text.append(Indent, ' ');
  Column = Indent;
  for (size_t I = 0; I < Words.size(); ++I) {
    if (I > 0 && Column + 1 + Words[I].size() > LineWidth) {
      Text += '\n';
      Text.append(Indent + 4, ' ');
      Column = Indent + 4;
    } else if (I > 0) {
      Text += ' ';
      ++Column;
    }
    Text += Words[I];
    Column += Words[I].size();
  }
  return Text + '\n';
}

} // namespace

std::string identifierLike(StringRef Text, CodeLanguage Language) {
  std::string Result;
  for (char C : Text)
    if (isAlnum(C) || C == '_')
      Result += C;
    else if (!Result.empty() && Result.back() != '_')
      Result += '_';
  while (Result.size() > 1 && Result.back() == '_' && !Text.ends_with("_"))
    Result.pop_back();
  if (Result.empty() || isDigit(Result[0]))
    Result = "_" + Result;
  if (is_contained(reserved(Language), Result) ||
      StringRef(Result).starts_with("ge_"))
    Result += '_';
  return Result;
}

void IdentifierTable::replace(StringRef Name, std::string Code) {
  Given[Name] = std::move(Code);
}

StringRef IdentifierTable::of(StringRef Name) {
  auto [Entry, New] = Given.try_emplace(Name);
  if (New)
    Entry->second = fresh(identifierLike(Name, Language));
  return Entry->second;
}

std::string IdentifierTable::fresh(StringRef Stem) {
  std::string Result = Stem.str();
  for (unsigned Number = 2; !Taken.insert(Result).second; ++Number)
    Result = (Stem + "_" + Twine(Number)).str();
  return Result;
}

std::string codeLiteral(double Value, CodeLanguage Language) {
  bool IsPython = Language == CodeLanguage::Python;
  if (std::isnan(Value))
    return IsPython ? "math.nan" : "NAN";
  if (std::isinf(Value))
    return std::string(Value < 0 ? "-" : "") +
           (IsPython ? "math.inf" : "INFINITY");
  char Buffer[32];
  auto End = std::to_chars(std::begin(Buffer), std::end(Buffer), Value);
  std::string Text(Buffer, End.ptr);
  // An integer literal would divide as integers do in C.
  if (StringRef(Text).find_first_of(".e") == StringRef::npos)
    Text += ".0";
  return Text;
}

/// Writes the statements of one function.
class CodeWriter {
public:
  CodeWriter(CodePrinter &Printer, IdentifierTable Names)
      : Printer(Printer), IsPython(Printer.Language == CodeLanguage::Python),
        Names(std::move(Names)), Indent(IsPython ? 4 : 2) {}

  std::string run(Expr E) {
    countUses(E);
    std::string Value = value(E);
    statement(IsPython ? "return float(" + Value + ")" : "return " + Value);
    return std::move(Text);
  }

private:
  void countUses(Expr E) {
    if (++Uses[E.node()] > 1)
      return;
    for (Expr Operand : E.operands())
      countUses(Operand);
  }

  void statement(const std::string &S) {
    Text += wrapped(S + (IsPython ? "" : ";"), Indent);
  }

  /// Declares a variable with this value and returns its name.
  std::string variable(StringRef Stem, const std::string &Value) {
    std::string Name = Names.fresh(Stem);
    // Parentheses let a long value of Python go on in the next line.
    statement(IsPython ? Name + " = (" + Value + ")"
                       : "double " + Name + " = " + Value);
    return Name;
  }

  std::string temporary(const std::string &Value) {
    return variable("t" + std::to_string(++Temporaries), Value);
  }

  /// Whether E may be NaN or infinite, so that Python's own operators and
  /// products by 0 would not do.
  bool mayBeUndefined(Expr E) {
    auto [Entry, New] = Undefined.try_emplace(E.node(), false);
    if (!New)
      return Entry->second;
    bool Result =
        any_of(E.operands(), [&](Expr X) { return mayBeUndefined(X); });
    switch (E.kind()) {
    case ExprKind::Constant:
      Result = !std::isfinite(E.constant());
      break;
    case ExprKind::Div:
    case ExprKind::FloorDiv:
    case ExprKind::CeilDiv:
    case ExprKind::Mod: {
      std::optional<double> Divisor = E.operands()[1].asConstant();
      Result |= !Divisor || *Divisor == 0;
      break;
    }
    case ExprKind::BitAnd:
    case ExprKind::BitOr:
    case ExprKind::BitXor:
    case ExprKind::ShiftLeft:
      Result = true;
      break;
    default:
      break;
    }
    return Undefined[E.node()] = Result;
  }

  std::string value(Expr E) {
    if (E.kind() == ExprKind::Constant)
      return codeLiteral(E.constant(), Printer.Language);
    if (E.kind() == ExprKind::Parameter)
      return nameOf(E.name());
    for (const auto &Known : reverse(Scopes))
      if (auto Entry = Known.find(E.node()); Entry != Known.end())
        return Entry->second;
    std::string Code = compute(E);
    bool IsVariable = E.kind() == ExprKind::Sum;
    if (!IsVariable && (Uses[E.node()] > 1 || Code.size() > MaxInline)) {
      Code = temporary(Code);
      IsVariable = true;
    }
    if (IsVariable)
      Scopes.back()[E.node()] = Code;
    return Code;
  }
  /// Longer code gets a variable of its own.
  static constexpr size_t MaxInline = 400;

  std::string nameOf(StringRef Name) {
    for (const auto &[Bound, Identifier] : reverse(BoundNames))
      if (Bound == Name)
        return Identifier;
    return Names.of(Name).str();
  }

  std::string call(HelperIndex Function, ArrayRef<std::string> Arguments) {
    for (int I = Function; I >= 0; I = Helpers[I].Needs)
      Printer.Used.insert(I);
    if (Function == ModOf)
      Printer.Used.insert(DivOf);
    return (Helpers[Function].Name + "(" + join(Arguments, ", ") + ")").str();
  }

  std::string operand(Expr E) {
    std::string Code = value(E);
    bool IsAtom = !StringRef(Code).contains(' ') && Code[0] != '-';
    return IsAtom ? Code : "(" + Code + ")";
  }

  /// A op B op C, from left to right as the evaluator does.
  std::string chain(Expr E, StringRef Operator) {
    std::string Code;
    for (Expr X : E.operands())
      Code += (Code.empty() ? "" : Operator.str()) + operand(X);
    return Code;
  }

  std::string fold(Expr E, HelperIndex Function) {
    std::string Code = value(E.operands()[0]);
    for (Expr X : E.operands().drop_front())
      Code = call(Function, {Code, value(X)});
    return Code;
  }

  std::string quotient(Expr E) {
    if (!mayBeUndefined(E))
      return operand(E.operands()[0]) + " / " + operand(E.operands()[1]);
    return call(DivOf, {value(E.operands()[0]), value(E.operands()[1])});
  }

  std::string comparison(Expr E, StringRef Operator) {
    std::string A = operand(E.operands()[0]), B = operand(E.operands()[1]);
    if (mayBeUndefined(E)) { // used twice
      for (std::string *Code : {&A, &B})
        if (StringRef(*Code).contains('('))
          *Code = temporary(*Code);
      return call(CompareOf, {A + Operator.str() + B, A, B});
    }
    std::string Code = A + Operator.str() + B;
    return IsPython ? "float(" + Code + ")" : "(double)(" + Code + ")";
  }

  std::string sum(Expr E) {
    std::string Count = variable("count", value(E.operands()[0]));
    // NaN if the count is.
    std::string Total = variable("sum", "0.0 * " + Count);
    std::string K = Names.fresh("k");
    std::string Terms = call(CountOf, Count);
    if (IsPython)
      Text += wrapped("for " + K + " in range(" + Terms + "):", Indent);
    else
      Text += wrapped("for (int " + K + " = 0; " + K + " < " + Terms + "; ++" +
                          K + ") {",
                      Indent);
    size_t Outer = Indent;
    Indent += IsPython ? 4 : 2;
    std::string Variable = variable(identifierLike(E.name(), Printer.Language),
                                    call(PointOf, {Count, K}));
    // What was computed outside with a parameter of this name is another value.
    Scopes.emplace_back();
    SmallVector<DenseMap<const ExprNode *, std::string>> Hidden;
    for (auto &Known : Scopes) {
      Hidden.push_back(Known);
      for (auto &[Node, Code] : Hidden.back())
        if (Expr(Node).dependsOn(E.name()))
          Known.erase(Node);
    }
    BoundNames.push_back({E.name().str(), Variable});
    std::string Body = value(E.operands()[1]);
    statement(Total + " = " + (IsPython ? "(" : "") + Total + " + " +
              call(WeightOf, {Count, K}) + " * (" + Body + ")" +
              (IsPython ? ")" : ""));
    BoundNames.pop_back();
    Hidden.pop_back();
    Scopes.assign(Hidden.begin(), Hidden.end());
    Indent = Outer;
    if (!IsPython)
      Text += std::string(Indent, ' ') + "}\n";
    return Total;
  }

  std::string compute(Expr E) {
    ArrayRef<Expr> X = E.operands();
    bool IsRisky = mayBeUndefined(E);
    switch (E.kind()) {
    case ExprKind::Constant:
    case ExprKind::Parameter:
      break;
    case ExprKind::Add:
      return chain(E, " + ");
    case ExprKind::Mul:
      return IsRisky ? fold(E, MulOf) : chain(E, " * ");
    case ExprKind::Div:
      return quotient(E);
    case ExprKind::FloorDiv:
      return call(FloorOf, quotient(E));
    case ExprKind::CeilDiv:
      return call(CeilOf, quotient(E));
    case ExprKind::Mod:
      return call(ModOf, {value(X[0]), value(X[1])});
    case ExprKind::Min:
      return fold(E, MinOf);
    case ExprKind::Max:
      return fold(E, MaxOf);
    case ExprKind::Less:
      return comparison(E, " < ");
    case ExprKind::LessEqual:
      return comparison(E, " <= ");
    case ExprKind::Equal:
      return comparison(E, " == ");
    case ExprKind::NotEqual:
      return comparison(E, " != ");
    case ExprKind::Select:
      return call(SelectOf, {value(X[0]), value(X[1]), value(X[2])});
    case ExprKind::BitAnd:
      return fold(E, AndOf);
    case ExprKind::BitOr:
      return fold(E, OrOf);
    case ExprKind::BitXor:
      return fold(E, XorOf);
    case ExprKind::ShiftLeft:
      return call(ShiftOf, {value(X[0]), value(X[1])});
    case ExprKind::FloorLog2:
      return call(Log2Of, value(X[0]));
    case ExprKind::SquareRoot:
      return call(RootOf, value(X[0]));
    case ExprKind::Sum:
      return sum(E);
    }
    llvm_unreachable("leaves are not computed");
  }

  CodePrinter &Printer;
  bool IsPython;
  IdentifierTable Names;
  size_t Indent;
  unsigned Temporaries = 0;
  std::string Text;
  DenseMap<const ExprNode *, unsigned> Uses;
  DenseMap<const ExprNode *, bool> Undefined;
  /// Variables that hold subterms: of the function, and of each loop around.
  SmallVector<DenseMap<const ExprNode *, std::string>> Scopes{1};
  SmallVector<std::pair<std::string, std::string>> BoundNames;
};

std::string CodePrinter::functionBody(Expr E, IdentifierTable Names) {
  return CodeWriter(*this, std::move(Names)).run(E);
}

std::string CodePrinter::helpers() const {
  std::string Text;
  bool IsPython = Language == CodeLanguage::Python;
  for (unsigned I : Used)
    Text += ("\n" + (IsPython ? "\n" + Helpers[I].Python : Twine(Helpers[I].C)))
                .str();
  return Text;
}

} // namespace gpuestimate
