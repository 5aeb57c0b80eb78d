#include "DependencesLinear.h"

#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Support/MathExtras.h"

namespace gpuestimate {
namespace {

/// Far beyond any address, and far below where sums overflow.
constexpr int64_t Largest = int64_t(1) << 56;
/// Of nested expressions; addresses are flat.
constexpr unsigned Deepest = 16;

bool accumulate(int64_t &Sum, int64_t Value, int64_t Times) {
  int64_t Product;
  return !llvm::MulOverflow(Value, Times, Product) &&
         !llvm::AddOverflow(Sum, Product, Sum) && std::abs(Sum) < Largest;
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

class Reader {
public:
  Reader(llvm::ScalarEvolution &SE, const llvm::Loop *Around,
         const llvm::Loop &Asked)
      : SE(SE), Around(Around), Asked(Asked) {}

  bool read(const llvm::SCEV *S, int64_t Times, unsigned Depth = 0) {
    if (Depth > Deepest)
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
          int64_t All = 0;
          return accumulate(All, *Factor, Times) &&
                 read(Product->getOperand(1), All, Depth + 1);
        }
    if (const auto *Counted = llvm::dyn_cast<llvm::SCEVAddRecExpr>(S))
      if (Counted->isAffine() && Around && Counted->getLoop()->contains(Around))
        if (auto Step = numberOf(Counted->getStepRecurrence(SE)))
          return addTerm(Form.Counters, Counted->getLoop(), *Step, Times) &&
                 read(Counted->getStart(), Times, Depth + 1);
    return SE.isLoopInvariant(S, &Asked) && addTerm(Form.Symbols, S, 1, Times);
  }

  LinearForm Form;

private:
  static std::optional<int64_t> numberOf(const llvm::SCEV *S) {
    const auto *Number = llvm::dyn_cast<llvm::SCEVConstant>(S);
    if (!Number || Number->getAPInt().getSignificantBits() >= 56)
      return std::nullopt;
    return Number->getAPInt().getSExtValue();
  }

  llvm::ScalarEvolution &SE;
  const llvm::Loop *Around;
  const llvm::Loop &Asked;
};

/// To the nearest.
int64_t quotient(int64_t Value, int64_t Unit) {
  const int64_t Whole = Value / Unit, Rest = Value % Unit;
  if (2 * std::abs(Rest) > Unit)
    return Whole + (Rest > 0 ? 1 : -1);
  return Whole;
}

} // namespace

int64_t LinearForm::factorOf(const llvm::Loop *L) const {
  for (const auto &[Loop, Factor] : Counters)
    if (Loop == L)
      return Factor;
  return 0;
}

bool LinearForm::add(const LinearForm &Other, int64_t Times) {
  bool Fits = accumulate(Constant, Other.Constant, Times);
  for (const auto &[Loop, Factor] : Other.Counters)
    Fits = Fits && addTerm(Counters, Loop, Factor, Times);
  for (const auto &[Symbol, Factor] : Other.Symbols)
    Fits = Fits && addTerm(Symbols, Symbol, Factor, Times);
  return Fits;
}

std::optional<LinearForm> linearForm(llvm::ScalarEvolution &SE,
                                     const llvm::SCEV *Value,
                                     const llvm::Loop *Around,
                                     const llvm::Loop &Asked) {
  Reader Read(SE, Around, Asked);
  if (llvm::isa<llvm::SCEVCouldNotCompute>(Value) || !Read.read(Value, 1))
    return std::nullopt;
  return std::move(Read.Form);
}

std::optional<LinearForm> extremeOf(llvm::ScalarEvolution &SE, LinearForm Form,
                                    bool Upper, const llvm::Loop *Within,
                                    const llvm::Loop &Asked) {
  for (;;) {
    // From the inside: the bounds of inner loops may name outer counters.
    const llvm::Loop *Innermost = nullptr;
    for (const auto &[L, Factor] : Form.Counters)
      if ((!Within || (L != Within && Within->contains(L))) &&
          (!Innermost || L->getLoopDepth() > Innermost->getLoopDepth()))
        Innermost = L;
    if (!Innermost)
      return Form;
    const int64_t Factor = Form.factorOf(Innermost);
    LinearForm Counter;
    Counter.Counters.push_back({Innermost, 1});
    if (!Form.add(Counter, -Factor))
      return std::nullopt;
    if ((Factor > 0) != Upper)
      continue; // extreme in the first iteration
    const auto Last = linearForm(SE, SE.getBackedgeTakenCount(Innermost),
                                 Innermost->getParentLoop(), Asked);
    if (!Last || !Form.add(*Last, Factor))
      return std::nullopt;
  }
}

std::optional<LinearForm> splitOff(llvm::ScalarEvolution &SE, LinearForm Form,
                                   int64_t Unit, const llvm::Loop &Asked,
                                   LinearForm &Multiples) {
  Multiples = {};
  LinearForm Rest;
  for (const auto &[L, Factor] : Form.Counters) {
    const int64_t Whole = quotient(Factor, Unit);
    if (Whole != 0)
      Multiples.Counters.push_back({L, Whole});
    if (Factor != Whole * Unit)
      Rest.Counters.push_back({L, Factor - Whole * Unit});
  }
  for (const auto &[Symbol, Factor] : Form.Symbols) {
    const int64_t Whole = quotient(Factor, Unit);
    if (Whole != 0)
      Multiples.Symbols.push_back({Symbol, Whole});
    if (Factor != Whole * Unit)
      Rest.Symbols.push_back({Symbol, Factor - Whole * Unit});
  }
  const auto Least = extremeOf(SE, Rest, /*Upper=*/false, nullptr, Asked);
  Multiples.Constant =
      Least && Least->isConstant()
          ? llvm::divideFloorSigned(Form.Constant + Least->Constant, Unit)
          : quotient(Form.Constant, Unit);
  Rest.Constant = Form.Constant - Multiples.Constant * Unit;
  return Rest;
}

} // namespace gpuestimate
