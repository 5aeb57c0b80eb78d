#include "AddressProbe.h"

#include "gpu-estimate/Symbolic/ParameterSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include <cmath>

namespace gpuestimate {

/// Sums of a few integers are exact below this bound.
static constexpr double ExactLimit = 0x1p50;

AddressProbe::AddressProbe(const LaunchProgram &Bound, unsigned Access)
    : Bound(Bound), Address(Bound.addressExpr(Access)),
      IsInteger(Address.isInteger()), Inputs(Bound.names().size(), 0) {
  // An indirect index has any fixed value: the regular part does not depend on
  // it.
  for (unsigned V = 0; V < Bound.indirectIndices().size(); ++V)
    set(counter(Bound.kernel().Loops.size() + V),
        std::floor(Bound.indirectIndices()[V].Range / 2));
  collect(Address, 1);
  IsInOtherTerms.assign(Inputs.size(), 0);
  std::vector<Expr> Terms;
  for (const Term &T : OtherTerms)
    Terms.push_back(T.E);
  for (const std::string &Name : parametersOf(Terms))
    if (auto It = llvm::find(Bound.names(), Name); It != Bound.names().end())
      IsInOtherTerms[It - Bound.names().begin()] = true;
}

void AddressProbe::collect(Expr E, double Factor) {
  llvm::ArrayRef<Expr> X = E.operands();
  llvm::ArrayRef<std::string> Names = Bound.names();
  switch (E.kind()) {
  case ExprKind::Constant:
    Constant += Factor * E.constant();
    IsInteger &=
        Constant == std::floor(Constant) && std::abs(Constant) < ExactLimit;
    return;
  case ExprKind::Add:
    for (Expr Term : X)
      collect(Term, Factor);
    return;
  case ExprKind::Mul:
    if (X.size() != 2 || X[0].kind() != ExprKind::Constant)
      break;
    return collect(X[1], Factor * X[0].constant());
  case ExprKind::Parameter:
    if (auto It = llvm::find(Names, E.name()); It != Names.end()) {
      Multiples.push_back({unsigned(It - Names.begin()), Factor});
      IsInteger &= Factor == std::floor(Factor);
      return;
    }
    break;
  default:
    break;
  }
  OtherTerms.push_back({E, Factor});
}

double AddressProbe::operator()() {
  if (!IsInteger || !OtherTerms.empty())
    return compute();
  double Sum = Constant, Size = std::abs(Constant);
  for (auto [Input, Step] : Multiples) {
    double Part = Step * Inputs[Input];
    Sum += Part;
    Size += std::abs(Part);
  }
  return Size < ExactLimit ? Sum : compute();
}

double AddressProbe::compute() {
  if (!Program)
    Program.emplace(Address, Bound.names());
  double Out;
  Program->evaluate(Inputs, Out);
  return Out;
}

std::optional<double> AddressProbe::step(unsigned Input, double Count) {
  if (!IsInteger || IsInOtherTerms[Input])
    return std::nullopt;
  double Step = 0;
  for (const Multiple &M : Multiples)
    Step += M.Input == Input ? M.Step : 0;
  bool IsExact =
      std::abs((*this)()) < ExactLimit && std::abs(Step) * Count < ExactLimit;
  return IsExact ? std::optional(Step) : std::nullopt;
}

std::vector<uint64_t> AddressProbe::course(unsigned Input) const {
  std::vector<uint64_t> Out;
  if (!IsInteger)
    return Out;
  for (unsigned I = 0; I < Inputs.size(); ++I)
    Out.push_back(llvm::bit_cast<uint64_t>(I == Input ? 0 : Inputs[I]));
  appendForm(Out);
  return Out;
}

std::vector<uint64_t> AddressProbe::form() const {
  std::vector<uint64_t> Out;
  if (IsInteger)
    appendForm(Out);
  return Out;
}

void AddressProbe::appendForm(std::vector<uint64_t> &Out) const {
  Out.push_back(Multiples.size());
  for (const Multiple &M : Multiples)
    Out.insert(Out.end(), {M.Input, llvm::bit_cast<uint64_t>(M.Step)});
  for (const Term &T : OtherTerms)
    Out.insert(Out.end(), {reinterpret_cast<uintptr_t>(T.E.node()),
                           llvm::bit_cast<uint64_t>(T.Factor)});
}

} // namespace gpuestimate
