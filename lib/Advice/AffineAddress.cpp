#include "AffineAddress.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace gpuestimate {

double AffineAddress::step(StringRef Parameter) const {
  for (const Term &T : Terms)
    if (T.Parameter == Parameter)
      return T.Step;
  return 0;
}

Expr AffineAddress::expression(ExprContext &C) const {
  Expr Sum = C.constant(Offset);
  for (const Term &T : Terms)
    Sum = Sum + C.parameter(T.Parameter) * T.Step;
  return Sum;
}

/// Number of values of the parameter in the launch.
static std::optional<double> countOf(const Advisor &A, StringRef Parameter,
                                     const Bindings &All) {
  static constexpr StringRef Threads[] = {"threadIdx.x", "threadIdx.y",
                                          "threadIdx.z"};
  static constexpr StringRef Blocks[] = {"blockIdx.x", "blockIdx.y",
                                         "blockIdx.z"};
  for (unsigned D = 0; D < 3; ++D) {
    if (Parameter == Threads[D])
      return double(A.L.Block[D]);
    if (Parameter == Blocks[D])
      return double(A.L.Grid[D]);
  }
  for (const Loop &L : A.Kernel.Loops)
    if (L.Counter == Parameter)
      return evaluate(L.TripCount, All);
  return std::nullopt;
}

std::optional<AffineAddress> affineAddress(const Advisor &A, unsigned Access) {
  const Expr &Address = A.Kernel.Accesses[Access].Address;
  if (!Address)
    return std::nullopt;
  // A context of its own keeps the kernel's context from growing.
  ExprContext Own;
  const Bindings &All = A.bound();
  Expr Remainder = Own.expand(Own.bind(Own.import(Address), All));
  AffineAddress Result;
  for (const std::string &Name : Remainder.parameters()) {
    std::optional<std::vector<Expr>> Powers =
        Own.polynomial(Remainder, Name, 1);
    if (!Powers || Powers->size() < 2)
      return std::nullopt;
    std::optional<double> Step = (*Powers)[1].asConstant();
    std::optional<double> Count = countOf(A, Name, All);
    if (!Step || !Count || *Count < 1)
      return std::nullopt;
    Result.Terms.push_back({Name, *Step, *Count});
    Remainder = (*Powers)[0];
  }
  std::optional<double> Offset = Remainder.asConstant();
  if (!Offset)
    return std::nullopt;
  Result.Offset = *Offset;
  return Result;
}

} // namespace gpuestimate
