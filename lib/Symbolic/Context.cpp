/// \file
/// Hash-consing of terms and the accessors of Expr.
#include "gpu-estimate/Symbolic/ParameterSet.h"
#include "gpu-estimate/Symbolic/RealParameters.h"

#include "ExprImpl.h"
#include "Semantics.h"
#include "gpu-estimate/Support/WorkBudget.h"
#include "gpu-estimate/Symbolic/TermDepth.h"

#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/xxhash.h"
#include <bit>
#include <cassert>
#include <cmath>
#include <numeric>

namespace gpuestimate {

bool ExprNodeInfo::isEqual(const ExprNode *A, const ExprNode *B) {
  if (A == B)
    return true;
  if (A == getEmptyKey() || A == getTombstoneKey() || B == getEmptyKey() ||
      B == getTombstoneKey())
    return false;
  return A->Hash == B->Hash && A->Kind == B->Kind &&
         std::bit_cast<uint64_t>(A->Value) ==
             std::bit_cast<uint64_t>(B->Value) &&
         A->Name.data() == B->Name.data() && A->Operands == B->Operands;
}

uint64_t nameMask(llvm::StringRef Name) {
  return uint64_t(1) << (llvm::xxh3_64bits(Name) & 63);
}

llvm::StringRef ExprContext::Impl::internName(llvm::StringRef Name) {
  return Names.try_emplace(Name, Interval{-Infinity, Infinity}).first->getKey();
}

Expr ExprContext::Impl::intern(ExprContext &C, ExprKind Kind,
                               llvm::ArrayRef<Expr> Operands, double Value,
                               llvm::StringRef Name) {
  ExprNode Key;
  Key.Context = &C;
  Key.Kind = Kind;
  Key.Value = Value;
  // An empty StringRef has no storage, so nameless nodes compare equal.
  Key.Name = Name.empty() ? llvm::StringRef() : internName(Name);
  Key.Operands = Operands;
  llvm::hash_code Hash =
      llvm::hash_combine(static_cast<unsigned>(Kind),
                         std::bit_cast<uint64_t>(Value), Key.Name.data());
  for (Expr Operand : Operands) {
    assert(&Operand.context() == &C && "terms of different contexts");
    Hash = llvm::hash_combine(Hash, Operand.node());
  }
  Key.Hash = static_cast<unsigned>(static_cast<size_t>(Hash));
  if (auto Entry = Nodes.find(&Key); Entry != Nodes.end())
    return Expr(*Entry);

  for (Expr Operand : Operands)
    Key.Depth = std::max<uint16_t>(Key.Depth, Operand.node()->Depth + 1);
  if (Key.Depth > MaxTermDepth) {
    TooDeep = true;
    return C.constant(NotANumber);
  }
  // Facts about a node are worked out from all its operands.
  spendWork(1 + Operands.size() / 8);
  auto *Node = new (Arena.Allocate<ExprNode>()) ExprNode(Key);
  Expr *Storage = Arena.Allocate<Expr>(Operands.size());
  std::uninitialized_copy(Operands.begin(), Operands.end(), Storage);
  Node->Operands = {Storage, Operands.size()};
  Node->NameMask = Node->Name.empty() ? 0 : nameMask(Node->Name);
  for (Expr Operand : Operands)
    Node->NameMask |= Operand.node()->NameMask;
  Node->IsInteger = computeIsInteger(*Node);
  Node->Range = Kind == ExprKind::Parameter
                    ? Names.lookup(Node->Name)
                    : intervalOf(*Node, [](Expr E) { return E.range(); });
  Nodes.insert(Node);
  return Expr(Node);
}

bool refusedDeepTerms(ExprContext &Context) { return Context.impl().TooDeep; }

ExprContext::ExprContext() : I(std::make_unique<Impl>()) {}
ExprContext::~ExprContext() = default;

Expr ExprContext::constant(double Value) {
  if (std::isnan(Value))
    Value = NotANumber; // one representation of "unknown"
  return I->intern(*this, ExprKind::Constant, {}, Value == 0 ? 0.0 : Value);
}

Expr ExprContext::parameter(llvm::StringRef Name) {
  assert(!Name.empty() && "a parameter needs a name");
  return I->intern(*this, ExprKind::Parameter, {}, 0, Name);
}

void ExprContext::assumeRange(llvm::StringRef Name, Interval Range) {
  Interval &Bounds =
      I->Names.try_emplace(Name, Interval{-Infinity, Infinity}).first->second;
  Bounds.Low = std::max(Bounds.Low, Range.Low);
  Bounds.High = std::min(Bounds.High, Range.High);
  // The one mutation of a node; terms already built keep their weaker facts.
  const_cast<ExprNode *>(parameter(Name).node())->Range = Bounds;
}

void assumeReal(ExprContext &C, llvm::StringRef Name) {
  const_cast<ExprNode *>(C.parameter(Name).node())->IsInteger = false;
}

ExprKind Expr::kind() const { return Node->Kind; }
ExprContext &Expr::context() const { return *Node->Context; }
llvm::ArrayRef<Expr> Expr::operands() const { return Node->Operands; }
double Expr::constant() const {
  assert(Node->Kind == ExprKind::Constant && "not a constant");
  return Node->Value;
}
std::optional<double> Expr::asConstant() const {
  if (Node->Kind != ExprKind::Constant)
    return std::nullopt;
  return Node->Value;
}
bool Expr::isConstant(double Value) const {
  return Node->Kind == ExprKind::Constant && Node->Value == Value;
}
llvm::StringRef Expr::name() const { return Node->Name; }
bool Expr::isInteger() const { return Node->IsInteger; }
bool Expr::isBoolean() const {
  return Node->IsInteger && Node->Range.Low >= 0 && Node->Range.High <= 1;
}
Interval Expr::range() const { return Node->Range; }

namespace {

/// Visits each distinct subterm once. Callers handle sums, because the free
/// parameters of a body depend on the path to it.
void collectParameters(Expr E, llvm::SmallPtrSetImpl<const ExprNode *> &Seen,
                       llvm::StringMap<char> &Names) {
  if (!Seen.insert(E.node()).second)
    return;
  if (E.kind() == ExprKind::Parameter) {
    Names.try_emplace(E.name());
    return;
  }
  if (E.kind() != ExprKind::Sum) {
    for (Expr Operand : E.operands())
      collectParameters(Operand, Seen, Names);
    return;
  }
  collectParameters(E.operands()[0], Seen, Names);
  llvm::SmallPtrSet<const ExprNode *, 16> BodySeen;
  llvm::StringMap<char> BodyNames;
  collectParameters(E.operands()[1], BodySeen, BodyNames);
  BodyNames.erase(E.name());
  for (const auto &Entry : BodyNames)
    Names.try_emplace(Entry.getKey());
}

bool dependsOnName(const ExprNode *N, llvm::StringRef Name, uint64_t Mask,
                   llvm::SmallPtrSetImpl<const ExprNode *> &Seen) {
  if (!(N->NameMask & Mask) || !Seen.insert(N).second)
    return false;
  if (N->Kind == ExprKind::Parameter)
    return N->Name == Name;
  llvm::ArrayRef<Expr> Operands = N->Operands;
  if (N->Kind == ExprKind::Sum && N->Name == Name)
    Operands = Operands.take_front(); // the body's occurrences are bound
  return llvm::any_of(Operands, [&](Expr Operand) {
    return dependsOnName(Operand.node(), Name, Mask, Seen);
  });
}

bool dependsOnAny(const ExprNode *N, const ParameterSet &Names, uint64_t Mask,
                  llvm::SmallPtrSetImpl<const ExprNode *> &Seen) {
  if (!(N->NameMask & Mask))
    return false;
  if (N->Kind == ExprKind::Parameter)
    return Names.contains(N->Name);
  if (!Seen.insert(N).second)
    return false;
  if (N->Kind == ExprKind::Sum && Names.contains(N->Name)) {
    // Occurrences of the sum's variable in the body are bound.
    for (const std::string &Free : Expr(N).parameters())
      if (Names.contains(Free))
        return true;
    return false;
  }
  return llvm::any_of(N->Operands, [&](Expr Operand) {
    return dependsOnAny(Operand.node(), Names, Mask, Seen);
  });
}

} // namespace

std::vector<std::string> parametersOf(llvm::ArrayRef<Expr> Terms) {
  llvm::SmallPtrSet<const ExprNode *, 16> Seen;
  llvm::StringMap<char> Names;
  for (Expr Term : Terms)
    collectParameters(Term, Seen, Names);
  std::vector<std::string> Result;
  for (const auto &Entry : Names)
    Result.push_back(Entry.getKey().str());
  llvm::sort(Result);
  return Result;
}

/// The parameters that E is a linear form of.
static void collectLinear(Expr E, std::vector<std::string> &Names) {
  for (const LinearTerm &T : linearForm(E).Terms)
    if (T.Base.kind() == ExprKind::Parameter)
      Names.push_back(T.Base.name().str());
}

std::vector<std::string> shiftAmountsOf(llvm::ArrayRef<Expr> Terms) {
  llvm::SmallPtrSet<const ExprNode *, 16> Seen;
  llvm::SmallVector<Expr> Work(Terms);
  std::vector<std::string> Names;
  while (!Work.empty()) {
    Expr E = Work.pop_back_val();
    if (!Seen.insert(E.node()).second)
      continue;
    if (E.kind() == ExprKind::ShiftLeft)
      collectLinear(E.operands()[1], Names);
    llvm::append_range(Work, E.operands());
  }
  llvm::sort(Names);
  Names.erase(llvm::unique(Names), Names.end());
  return Names;
}

std::vector<std::string> Expr::parameters() const {
  return parametersOf(*this);
}

bool Expr::dependsOn(llvm::StringRef Parameter) const {
  llvm::SmallPtrSet<const ExprNode *, 16> Seen;
  return dependsOnName(Node, Parameter, nameMask(Parameter), Seen);
}

bool dependsOn(Expr E, const ParameterSet &Names) {
  llvm::SmallPtrSet<const ExprNode *, 16> Seen;
  return dependsOnAny(E.node(), Names, Names.mask(), Seen);
}

void ParameterSet::insert(llvm::StringRef Name) {
  Names.try_emplace(Name);
  Mask |= nameMask(Name);
}

bool isRealParameterName(llvm::StringRef Name) {
  return Name.starts_with("lat.") || Name.starts_with("p(");
}

bool isWhole(double Value) {
  return std::fabs(Value) <= 9007199254740992.0 && std::floor(Value) == Value;
}

double gcdOf(double A, double B) {
  return static_cast<double>(std::gcd(static_cast<int64_t>(std::fabs(A)),
                                      static_cast<int64_t>(std::fabs(B))));
}

std::optional<unsigned> exactLog2(double Value) {
  if (!(Value >= 1 && Value <= 4611686018427387904.0) || !isWhole(Value))
    return std::nullopt;
  int Exponent;
  if (std::frexp(Value, &Exponent) != 0.5)
    return std::nullopt;
  return Exponent - 1;
}

std::optional<double> foldBinary(ExprKind Kind, double A, double B) {
  double Value = NotANumber;
  switch (Kind) {
  case ExprKind::Add:
    Value = A + B;
    break;
  case ExprKind::Mul:
    Value = semantics::mul(A, B);
    break;
  case ExprKind::Div:
    Value = semantics::div(A, B);
    break;
  case ExprKind::FloorDiv:
    Value = semantics::floorDiv(A, B);
    break;
  case ExprKind::CeilDiv:
    Value = semantics::ceilDiv(A, B);
    break;
  case ExprKind::Mod:
    Value = semantics::mod(A, B);
    break;
  case ExprKind::Min:
    Value = semantics::min(A, B);
    break;
  case ExprKind::Max:
    Value = semantics::max(A, B);
    break;
  case ExprKind::Less:
    Value = semantics::less(A, B);
    break;
  case ExprKind::LessEqual:
    Value = semantics::lessEqual(A, B);
    break;
  case ExprKind::Equal:
    Value = semantics::equal(A, B);
    break;
  case ExprKind::NotEqual:
    Value = semantics::notEqual(A, B);
    break;
  case ExprKind::BitAnd:
    Value = semantics::bitAnd(A, B);
    break;
  case ExprKind::BitOr:
    Value = semantics::bitOr(A, B);
    break;
  case ExprKind::BitXor:
    Value = semantics::bitXor(A, B);
    break;
  case ExprKind::ShiftLeft:
    Value = semantics::shiftLeft(A, B);
    break;
  default:
    break;
  }
  if (std::isnan(Value))
    return std::nullopt;
  return Value;
}

} // namespace gpuestimate
