#include "FormulaTerms.h"
#include "gpu-estimate/Symbolic/RealParameters.h"
#include "llvm/ADT/Twine.h"

using namespace llvm;

namespace gpuestimate {

FormulaTerms::FormulaTerms(const KernelModel &Kernel,
                           const OperationCosts &Costs,
                           const WarpConditions &Conditions)
    : Kernel(Kernel), Costs(Costs), Conditions(Conditions),
      Ctx(std::make_shared<ExprContext>()), Import(*Ctx, Bindings()) {}

Expr FormulaTerms::term(StringRef Name, double Value, std::string Key) {
  Expr &Known = ByValue[{Name.str(), Value}];
  if (Known)
    return Known;
  std::string Unique = Name.str();
  if (unsigned Number = ++Values[Name.str()]; Number > 1)
    Unique += "." + std::to_string(Number);
  assumeReal(*Ctx, Unique);
  Ctx->assumeRange(Unique, {0, HUGE_VAL});
  Used.push_back({Unique, Value, std::move(Key)});
  return Known = Ctx->parameter(Unique);
}

Expr FormulaTerms::real(StringRef Name, double Value) {
  return term(Name, Value, "");
}

Expr FormulaTerms::latency(const Operation &Op) {
  const GpuModel &Gpu = Costs.gpu();
  if (Op.wait()) {
    const Wait &W = Kernel.Waits[*Op.wait()];
    Expr Length = import(W.Length);
    return W.Unit == Wait::CoreCycles
               ? Length
               : Length * term("lat.nanosecond", Gpu.CoreClock.value() * 1e-9,
                               "core_clock");
  }
  if (Op.arrival())
    return term("lat.global", Conditions.AccessLatency[Op.arrival()->Access],
                "") *
           (1.0 / Op.arrival()->CopiesAhead);
  if (Op.access()) {
    double Value = Conditions.AccessLatency[*Op.access()];
    switch (Kernel.Accesses[*Op.access()].Space) {
    case MemorySpace::Shared:
      return term("lat.shared", Value, "shared.latency");
    case MemorySpace::Constant:
      return term("lat.constant", Value, "constant.latency");
    case MemorySpace::Global:
    case MemorySpace::Local:
    case MemorySpace::Texture:
      return term("lat.global", Value, "");
    }
  }
  LastTerm &Last = Latencies[unsigned(Op.Class)];
  if (!Last.Term) {
    StringRef Class = info(Op.Class).Name;
    Last.Value = Gpu.cost(Op.Class).Latency.value();
    Last.Term = term(("lat." + Class).str(), Last.Value,
                     ("operations." + Class + ".latency").str());
  }
  return double(Op.Chain) * Last.Term;
}

Expr FormulaTerms::delay(const Operation &Op) {
  LastTerm &Last = Delays[unsigned(Op.Class)];
  double Value = Costs.issue(Op);
  if (!Last.Term || Last.Value != Value) {
    StringRef Class = info(Op.Class).Name;
    Last = {Value, term(("del." + Class).str(), Value,
                        ("operations." + Class + ".throughput").str())};
  }
  return Last.Term;
}

} // namespace gpuestimate
