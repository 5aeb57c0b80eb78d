/// \file
/// Speed of symbolic expressions: building, binding and evaluating the address
/// of one access of a tiled kernel (about 15 operations).
#include "gpu-estimate/Symbolic/CompiledExprs.h"

#include <benchmark/benchmark.h>

using namespace gpuestimate;

namespace {

const std::vector<std::string> Inputs = {"ctaid.x", "ctaid.y", "tid.x", "tid.y",
                                         "k",       "n",       "base"};

/// base + 4*((16*ctaid.y + tid.y)*n + ((16*k + tid.x + ctaid.x) mod n)
///           + 3*floor(tid.x/2)), where inside the matrix.
Expr address(ExprContext &C) {
  auto P = [&](llvm::StringRef Name) { return C.parameter(Name); };
  Expr Row = 16 * P("ctaid.y") + P("tid.y"), N = P("n");
  Expr Column = C.mod(16 * P("k") + P("tid.x") + P("ctaid.x"), N);
  Expr Index = Row * N + Column + 3 * C.floorDiv(P("tid.x"), C.constant(2));
  return C.select(C.less(Row, N), P("base") + 4 * Index, C.constant(-1));
}

void buildAddress(benchmark::State &State) {
  for (auto _ : State) {
    ExprContext C;
    benchmark::DoNotOptimize(address(C));
  }
}
BENCHMARK(buildAddress);

void bindAddress(benchmark::State &State) {
  ExprContext C;
  Expr E = address(C);
  Bindings Values;
  double Block = 0;
  for (auto _ : State) {
    Values["ctaid.x"] = Block++;
    benchmark::DoNotOptimize(C.bind(E, Values));
  }
}
BENCHMARK(bindAddress)->Iterations(100000);

void evaluateReference(benchmark::State &State) {
  ExprContext C;
  Expr E = address(C);
  Bindings Values;
  for (const std::string &Name : Inputs)
    Values[Name] = Name == "n" ? 1024 : 7;
  for (auto _ : State)
    benchmark::DoNotOptimize(evaluate(E, Values));
  State.SetItemsProcessed(State.iterations());
}
BENCHMARK(evaluateReference);

void evaluateCompiled(benchmark::State &State) {
  ExprContext C;
  CompiledExprs Program({address(C)}, Inputs);
  std::vector<double> In = {1, 2, 3, 4, 5, 1024, 4096};
  double Out[1];
  for (auto _ : State) {
    Program.evaluate(In, Out);
    In[2] = Out[0] > 0 ? 3 : 4;
    benchmark::DoNotOptimize(Out[0]);
  }
  State.SetItemsProcessed(State.iterations()); // evaluations
}
BENCHMARK(evaluateCompiled);

/// The lanes of a number of warps at once.
void evaluateManyCompiled(benchmark::State &State) {
  ExprContext C;
  CompiledExprs Program({address(C)}, Inputs);
  unsigned Width = State.range(0);
  std::vector<double> In(Inputs.size() * Width, 5), Out(Width);
  for (unsigned L = 0; L < Width; ++L) {
    In[2 * Width + L] = L % 32;
    In[5 * Width + L] = 1024;
  }
  for (auto _ : State) {
    Program.evaluateMany(In, Out, Width);
    benchmark::DoNotOptimize(Out.data());
    benchmark::ClobberMemory();
  }
  State.SetItemsProcessed(State.iterations() * Width);
}
BENCHMARK(evaluateManyCompiled)->Arg(32)->Arg(1024);

} // namespace

BENCHMARK_MAIN();
