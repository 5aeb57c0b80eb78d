#include "AddressProbe.h"

#include "gpu-estimate/Symbolic/ParameterSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include <cmath>

namespace gpuestimate {

/// Below this sums of some integers are exact.
static constexpr double Exact = 0x1p50;

AddressProbe::AddressProbe(const BoundKernel &Bound, unsigned Access)
    : Bound(Bound), Address(Bound.boundAddress(Access)),
      Whole(Address.isInteger()), Inputs(Bound.names().size(), 0) {
  // Any fixed value does: a regular part is the same beside every one.
  for (unsigned V = 0; V < Bound.drawn().size(); ++V)
    set(counter(Bound.kernel().Loops.size() + V),
        std::floor(Bound.drawn()[V].Range / 2));
  collect(Address, 1);
  InRest.assign(Inputs.size(), 0);
  std::vector<Expr> Terms;
  for (const Term &T : Rest)
    Terms.push_back(T.Of);
  for (const std::string &Name : parametersOf(Terms))
    if (auto At = llvm::find(Bound.names(), Name); At != Bound.names().end())
      InRest[At - Bound.names().begin()] = true;
}

void AddressProbe::collect(Expr E, double Factor) {
  llvm::ArrayRef<Expr> X = E.operands();
  llvm::ArrayRef<std::string> Names = Bound.names();
  switch (E.kind()) {
  case ExprKind::Constant:
    Constant += Factor * E.constant();
    Whole &= Constant == std::floor(Constant) && std::abs(Constant) < Exact;
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
    if (auto At = llvm::find(Names, E.name()); At != Names.end()) {
      Multiples.push_back({unsigned(At - Names.begin()), Factor});
      Whole &= Factor == std::floor(Factor);
      return;
    }
    break;
  default:
    break;
  }
  Rest.push_back({E, Factor});
}

double AddressProbe::operator()() {
  if (!Whole || !Rest.empty())
    return compute();
  double Sum = Constant, Size = std::abs(Constant);
  for (auto [Input, Step] : Multiples) {
    double Part = Step * Inputs[Input];
    Sum += Part;
    Size += std::abs(Part);
  }
  return Size < Exact ? Sum : compute();
}

double AddressProbe::compute() {
  if (!Program)
    Program.emplace(Address, Bound.names());
  double Out;
  Program->evaluate(Inputs, Out);
  return Out;
}

std::optional<double> AddressProbe::step(unsigned Input, double Count) {
  if (!Whole || InRest[Input])
    return std::nullopt;
  double Step = 0;
  for (const Multiple &M : Multiples)
    Step += M.Input == Input ? M.Step : 0;
  bool Known = std::abs((*this)()) < Exact && std::abs(Step) * Count < Exact;
  return Known ? std::optional(Step) : std::nullopt;
}

std::vector<uint64_t> AddressProbe::course(unsigned Input) const {
  std::vector<uint64_t> Out;
  if (!Whole)
    return Out;
  for (unsigned I = 0; I < Inputs.size(); ++I)
    Out.push_back(llvm::bit_cast<uint64_t>(I == Input ? 0 : Inputs[I]));
  appendForm(Out);
  return Out;
}

std::vector<uint64_t> AddressProbe::form() const {
  std::vector<uint64_t> Out;
  if (Whole)
    appendForm(Out);
  return Out;
}

void AddressProbe::appendForm(std::vector<uint64_t> &Out) const {
  Out.push_back(Multiples.size());
  for (const Multiple &M : Multiples)
    Out.insert(Out.end(), {M.Input, llvm::bit_cast<uint64_t>(M.Step)});
  for (const Term &T : Rest)
    Out.insert(Out.end(), {reinterpret_cast<uintptr_t>(T.Of.node()),
                           llvm::bit_cast<uint64_t>(T.Factor)});
}

} // namespace gpuestimate
