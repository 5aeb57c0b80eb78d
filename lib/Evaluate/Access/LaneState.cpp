#include "LaneState.h"

#include "gpu-estimate/Support/Hash.h"
#include <algorithm>
#include <utility>

namespace gpuestimate {

LaneState::LaneState(const LaunchProgram &Program)
    : Program(Program), Lanes(Program.lanes()), Sums(Program.sums()),
      Inputs(Program.names().size() * Lanes),
      SharedInputs(Program.names().size()), Indices(Program, Inputs),
      Scopes(Program.scopes()), ThreadInputs(Program.warpsPerBlock()) {
  for (unsigned S = 0; S < Scopes.size(); ++S)
    Scopes[S].Rows.resize(size_t(Program.scope(int(S) - 1).Rows) * Lanes);
}

void LaneState::reset() {
  Inputs.assign(Inputs.size(), 0);
  SharedInputs.assign(SharedInputs.size(), 0);
  Indices.reset();
  CurrentBlock.reset();
}

unsigned LaneState::enterWarp(const WarpPosition &P) {
  const Launch &L = Program.launch();
  uint64_t Threads = L.threadsPerBlock(), First = uint64_t(P.Warp) * Lanes;
  unsigned Present = std::min<uint64_t>(Lanes, Threads - First);
  std::vector<double> &Thread = ThreadInputs[P.Warp];
  if (Thread.empty()) {
    Thread.resize(3 * Lanes);
    for (unsigned Lane = 0; Lane < Lanes; ++Lane) {
      // Lanes without a thread repeat the last thread; nothing reads them.
      uint64_t T = First + std::min(Lane, Present - 1);
      Thread[0 * Lanes + Lane] = T % L.Block[0];
      Thread[1 * Lanes + Lane] = T / L.Block[0] % L.Block[1];
      Thread[2 * Lanes + Lane] = T / (L.Block[0] * L.Block[1]);
    }
  }
  CurrentWarp = P.Warp;
  Sums.enterWarp(CurrentWarp, Thread);
  if (Program.needsLanes())
    std::copy(Thread.begin(), Thread.end(), Inputs.begin());
  if (CurrentBlock != P.Block) {
    BlockIsNew = true;
    CurrentBlock = P.Block;
    for (unsigned D = 0; D < 3; ++D)
      setShared(LaunchProgram::blockInput(D), double(P.Block[D]));
  }
  Indices.enterWarp(
      mixBits(mixBits(P.Block[0], P.Block[1]), mixBits(P.Block[2], P.Warp)));
  return Present;
}

void LaneState::setShared(unsigned Input, double Value) {
  SharedInputs[Input] = Value;
  if (Program.needsLanes())
    std::fill_n(Inputs.begin() + size_t(Input) * Lanes, Lanes, Value);
}

void LaneState::setCounter(unsigned Loop, double Iteration) {
  setShared(LaunchProgram::counterInput(Loop), Iteration);
}

void LaneState::enterScope(int Loop, uint64_t Salt) {
  const LaunchProgram::Scope &S = Program.scope(Loop);
  const unsigned Number = Program.scopeOf(Loop);
  for (unsigned Index : S.DefinedIndices)
    Indices.renew(Index, Salt);
  Scopes[Number].IsOutdated = S.Program.has_value();
  // Uniform values of the kernel's body are computed once per thread block.
  if (Loop >= 0 || BlockIsNew)
    Sums.enterScope(Number, SharedInputs);
  BlockIsNew &= Loop >= 0;
}

llvm::ArrayRef<double> LaneState::output(int Loop,
                                         const LaunchProgram::Output &Result) {
  if (Result.Row < 0)
    return {};
  const unsigned Number = Program.scopeOf(Loop);
  ScopeResults &Results = Scopes[Number];
  if (!Result.isSplit() && std::exchange(Results.IsOutdated, false)) {
    const LaunchProgram::Scope &S = Program.scope(Loop);
    for (unsigned Index : S.ReadIndices)
      Indices.generate(Index);
    S.Program->evaluateMany(Inputs, Results.Rows, Lanes);
  }
  auto Row = llvm::MutableArrayRef<double>(Results.Rows)
                 .slice(size_t(Result.Row) * Lanes, Lanes);
  if (Result.Indirect) {
    Indices.generate(Result.Indirect->Index);
    const double *Values = Indices.values(Result.Indirect->Index);
    double Base = Sums.uniformValue(*Result.Sum, Number);
    for (unsigned Lane = 0; Lane < Lanes; ++Lane)
      Row[Lane] = Base + Result.Indirect->BytesPerIndex * Values[Lane];
  } else if (Result.Sum) {
    llvm::ArrayRef<double> Thread = Sums.threadPart(Result.Sum->Thread);
    double Uniform = Sums.uniformValue(*Result.Sum, Number);
    for (unsigned Lane = 0; Lane < Lanes; ++Lane)
      Row[Lane] = Thread[Lane] + Uniform;
  } else if (Result.Test) {
    uint64_t On = Sums.holds(*Result.Test, Number);
    for (unsigned Lane = 0; Lane < Lanes; ++Lane)
      Row[Lane] = On >> Lane & 1;
  }
  return Row;
}

std::optional<uint64_t>
LaneState::bits(int Loop, const LaunchProgram::Output &Result) const {
  if (!Result.Test)
    return std::nullopt;
  return Sums.holds(*Result.Test, Program.scopeOf(Loop));
}

std::optional<double> LaneState::uniformLoopTrips(unsigned Loop) const {
  const LaunchProgram::Output &Result = Program.outputs().Trips[Loop];
  if (!Result.Sum || Result.Sum->Thread != 0)
    return std::nullopt;
  return Sums.uniformValue(*Result.Sum, Program.scopeOf(parent(Loop)));
}

double LaneState::indirectBase(unsigned Access) const {
  return Sums.uniformValue(*Program.outputs().Addresses[Access].Sum,
                           Program.scopeOf(Program.loopOfAccess(Access)));
}

std::optional<LaneState::Place> LaneState::place(unsigned Access) const {
  const LaunchProgram::Output &Result = Program.outputs().Addresses[Access];
  if (!Result.Sum || Result.Indirect)
    return std::nullopt;
  return Place{Result.Sum->Thread,
               Sums.uniformValue(
                   *Result.Sum, Program.scopeOf(Program.loopOfAccess(Access)))};
}

} // namespace gpuestimate
