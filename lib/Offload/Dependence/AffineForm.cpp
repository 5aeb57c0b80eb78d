#include "AffineForm.h"

#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Support/MathExtras.h"

namespace gpuestimate {
namespace {

/// Larger than any address, and small enough that sums do not overflow.
constexpr int64_t MaxMagnitude = int64_t(1) << 56;
/// Nesting of expressions. Addresses are flat.
constexpr unsigned MaxDepth = 16;

bool accumulate(int64_t &Sum, int64_t Value, int64_t Times) {
  int64_t Product;
  return !llvm::MulOverflow(Value, Times, Product) &&
         !llvm::AddOverflow(Sum, Product, Sum) && std::abs(Sum) < MaxMagnitude;
}

template <typename Terms, typename Key>
bool addTerm(Terms &To, Key What, int64_t Factor, int64_t Times) {
  auto It = llvm::find_if(To, [&](auto &Term) { return Term.first == What; });
  if (It == To.end())
    It = To.insert(To.end(), {What, 0});
  if (!accumulate(It->second, Factor, Times))
    return false;
  if (It->second == 0)
    To.erase(It);
  return true;
}

class AffineReader {
public:
  AffineReader(llvm::ScalarEvolution &SE, const llvm::Loop *Around,
               const llvm::Loop &Queried)
      : SE(SE), Around(Around), Queried(Queried) {}

  bool read(const llvm::SCEV *S, int64_t Times, unsigned Depth = 0) {
    if (Depth > MaxDepth)
      return false;
    if (const auto *Number = llvm::dyn_cast<llvm::SCEVConstant>(S))
      return Number->getAPInt().getSignificantBits() < 56 &&
             accumulate(Form.Constant, Number->getAPInt().getSExtValue(),
                        Times);
    if (const auto *Sum = llvm::dyn_cast<llvm::SCEVAddExpr>(S))
      return llvm::all_of(Sum->operands(), [&](const llvm::SCEV *Operand) {
        return read(Operand, Times, Depth + 1);
      });
    if (const auto *Product = llvm::dyn_cast<llvm::SCEVMulExpr>(S))
      if (auto Factor = numberOf(Product->getOperand(0)))
        if (Product->getNumOperands() == 2) {
          int64_t Combined = 0;
          return accumulate(Combined, *Factor, Times) &&
                 read(Product->getOperand(1), Combined, Depth + 1);
        }
    if (const auto *Counted = llvm::dyn_cast<llvm::SCEVAddRecExpr>(S))
      if (Counted->isAffine() && Around && Counted->getLoop()->contains(Around))
        if (auto Step = numberOf(Counted->getStepRecurrence(SE)))
          return addTerm(Form.Counters, Counted->getLoop(), *Step, Times) &&
                 read(Counted->getStart(), Times, Depth + 1);
    return SE.isLoopInvariant(S, &Queried) &&
           addTerm(Form.Symbols, S, 1, Times);
  }

  AffineForm Form;

private:
  static std::optional<int64_t> numberOf(const llvm::SCEV *S) {
    const auto *Number = llvm::dyn_cast<llvm::SCEVConstant>(S);
    if (!Number || Number->getAPInt().getSignificantBits() >= 56)
      return std::nullopt;
    return Number->getAPInt().getSExtValue();
  }

  llvm::ScalarEvolution &SE;
  const llvm::Loop *Around;
  const llvm::Loop &Queried;
};

/// The quotient rounded to the nearest integer.
int64_t quotient(int64_t Value, int64_t Stride) {
  const int64_t Quotient = Value / Stride, Remainder = Value % Stride;
  if (2 * std::abs(Remainder) > Stride)
    return Quotient + (Remainder > 0 ? 1 : -1);
  return Quotient;
}

} // namespace

int64_t AffineForm::coefficientOf(const llvm::Loop *L) const {
  for (const auto &[Loop, Factor] : Counters)
    if (Loop == L)
      return Factor;
  return 0;
}

bool AffineForm::add(const AffineForm &Other, int64_t Times) {
  bool Fits = accumulate(Constant, Other.Constant, Times);
  for (const auto &[Loop, Factor] : Other.Counters)
    Fits = Fits && addTerm(Counters, Loop, Factor, Times);
  for (const auto &[Symbol, Factor] : Other.Symbols)
    Fits = Fits && addTerm(Symbols, Symbol, Factor, Times);
  return Fits;
}

std::optional<AffineForm> affineForm(llvm::ScalarEvolution &SE,
                                     const llvm::SCEV *Value,
                                     const llvm::Loop *Around,
                                     const llvm::Loop &Queried) {
  AffineReader Reader(SE, Around, Queried);
  if (llvm::isa<llvm::SCEVCouldNotCompute>(Value) || !Reader.read(Value, 1))
    return std::nullopt;
  return std::move(Reader.Form);
}

std::optional<AffineForm> extremeValue(llvm::ScalarEvolution &SE,
                                       AffineForm Form, bool Upper,
                                       const llvm::Loop *Within,
                                       const llvm::Loop &Queried) {
  for (;;) {
    // Innermost first: bounds of inner loops may depend on outer counters.
    const llvm::Loop *Innermost = nullptr;
    for (const auto &[L, Factor] : Form.Counters)
      if ((!Within || (L != Within && Within->contains(L))) &&
          (!Innermost || L->getLoopDepth() > Innermost->getLoopDepth()))
        Innermost = L;
    if (!Innermost)
      return Form;
    const int64_t Factor = Form.coefficientOf(Innermost);
    AffineForm Counter;
    Counter.Counters.push_back({Innermost, 1});
    if (!Form.add(Counter, -Factor))
      return std::nullopt;
    if ((Factor > 0) != Upper)
      continue; // extreme in the first iteration
    const auto Last = affineForm(SE, SE.getBackedgeTakenCount(Innermost),
                                 Innermost->getParentLoop(), Queried);
    if (!Last || !Form.add(*Last, Factor))
      return std::nullopt;
  }
}

std::optional<AffineForm> divideByStride(llvm::ScalarEvolution &SE,
                                         AffineForm Form, int64_t Stride,
                                         const llvm::Loop &Queried,
                                         AffineForm &Multiples) {
  Multiples = {};
  AffineForm Remainder;
  for (const auto &[L, Factor] : Form.Counters) {
    const int64_t Quotient = quotient(Factor, Stride);
    if (Quotient != 0)
      Multiples.Counters.push_back({L, Quotient});
    if (Factor != Quotient * Stride)
      Remainder.Counters.push_back({L, Factor - Quotient * Stride});
  }
  for (const auto &[Symbol, Factor] : Form.Symbols) {
    const int64_t Quotient = quotient(Factor, Stride);
    if (Quotient != 0)
      Multiples.Symbols.push_back({Symbol, Quotient});
    if (Factor != Quotient * Stride)
      Remainder.Symbols.push_back({Symbol, Factor - Quotient * Stride});
  }
  const auto Smallest =
      extremeValue(SE, Remainder, /*Upper=*/false, nullptr, Queried);
  Multiples.Constant =
      Smallest && Smallest->isConstant()
          ? llvm::divideFloorSigned(Form.Constant + Smallest->Constant, Stride)
          : quotient(Form.Constant, Stride);
  Remainder.Constant = Form.Constant - Multiples.Constant * Stride;
  return Remainder;
}

} // namespace gpuestimate
