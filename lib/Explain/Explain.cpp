/// \file
/// Hints by re-evaluating changed copies of a kernel model.
#include "gpu-estimate/Explain/Explain.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

using namespace llvm;

namespace gpuestimate {

namespace {

/// More than this many changes are not tried, so that advice costs a bounded
/// number of evaluations.
constexpr unsigned MaxAccessesTried = 4;
constexpr double SectorRatio = 2, PassRatio = 1.5;

class Advisor {
public:
  Advisor(const Prediction &Base, const KernelModel &Kernel,
          const GpuModel &Gpu, const Launch &L, const Bindings &Values,
          const EvaluateOptions &Options)
      : Base(Base), Kernel(Kernel), Gpu(Gpu), L(L), Values(Values),
        Options(Options) {
    this->Options.Sensitivities = false;
  }

  void adviseCoalescing();
  void adviseBankConflicts();
  void adviseRegisters();
  std::vector<Advice> take();

private:
  /// Time of a changed kernel; nullopt where it cannot be evaluated.
  std::optional<Prediction> tryOut(const KernelModel &Changed) const;
  void offer(const Prediction &Changed, Advice Hint);
  const AccessReport *reportOf(const MemoryAccess &Access) const;
  Expr thread() const;
  Expr streamingAddress(const MemoryAccess &Access) const;

  const Prediction &Base;
  const KernelModel &Kernel;
  const GpuModel &Gpu;
  const Launch &L;
  const Bindings &Values;
  EvaluateOptions Options;
  std::vector<Advice> Hints;
};

} // namespace

std::optional<Prediction> Advisor::tryOut(const KernelModel &Changed) const {
  Expected<Prediction> Result = evaluate(Changed, Gpu, L, Values, Options);
  if (Result)
    return std::move(*Result);
  consumeError(Result.takeError());
  return std::nullopt;
}

void Advisor::offer(const Prediction &Changed, Advice Hint) {
  Hint.PredictedGain = 1 - Changed.Time / Base.Time;
  if (Hint.PredictedGain >= MinimumGain)
    Hints.push_back(std::move(Hint));
}

static StringRef kindName(AccessKind Kind) {
  switch (Kind) {
  case AccessKind::Load:
    return "load";
  case AccessKind::Store:
    return "store";
  case AccessKind::Atomic:
    return "atomic";
  case AccessKind::AsyncCopy:
    return "async-copy";
  }
  llvm_unreachable("all kinds are named");
}

const AccessReport *Advisor::reportOf(const MemoryAccess &Access) const {
  for (const AccessReport &R : Base.Accesses)
    if (R.Location == Access.Location && R.Base == Access.Base &&
        StringRef(R.Kind).starts_with(kindName(Access.Kind)))
      return &R;
  return nullptr;
}

/// Number of the thread in its block.
Expr Advisor::thread() const {
  ExprContext &C = *Kernel.Context;
  Expr Rows = C.parameter("threadIdx.y") +
              C.parameter("blockDim.y") * C.parameter("threadIdx.z");
  return C.parameter("threadIdx.x") + C.parameter("blockDim.x") * Rows;
}

/// The address if the access walked its data so that neighbouring threads
/// touch neighbours: width * (thread of the grid + threads * iteration). Every
/// thread then has data of its own, so the change never invents reuse. Null
/// when a trip count depends on the thread or on loaded data.
Expr Advisor::streamingAddress(const MemoryAccess &Access) const {
  ExprContext &C = *Kernel.Context;
  auto Loops = [&](unsigned Block) {
    SmallVector<const Loop *, 4> Around;
    for (const Loop &Candidate : Kernel.Loops)
      if (any_of(Candidate.Body, [&](const Item &I) {
            return I.Kind == Item::IsBlock && I.Index == Block;
          })) {
        const Loop *Current = &Candidate;
        for (;; Current = &Kernel.Loops[Current->Parent]) {
          Around.push_back(Current);
          if (Current->Parent < 0)
            break;
        }
      }
    return Around; // innermost first
  };

  Expr Iteration = C.constant(0), Stride = C.constant(1);
  for (const Loop *Around : Loops(Access.Block)) {
    for (const std::string &Name : Around->TripCount.parameters())
      if (!Values.contains(Name) && !StringRef(Name).starts_with("blockDim") &&
          !StringRef(Name).starts_with("gridDim"))
        return Expr();
    Iteration = Iteration + Stride * C.parameter(Around->Counter);
    Stride = Stride * Around->TripCount;
  }
  Expr BlockThreads = C.constant(static_cast<double>(L.threadsPerBlock()));
  Expr Block = C.parameter("blockIdx.x") +
               C.parameter("gridDim.x") *
                   (C.parameter("blockIdx.y") +
                    C.parameter("gridDim.y") * C.parameter("blockIdx.z"));
  Expr GridThreads = BlockThreads * static_cast<double>(L.blocks());
  return (thread() + BlockThreads * Block + GridThreads * Iteration) *
         static_cast<double>(Access.BytesPerThread);
}

void Advisor::adviseCoalescing() {
  unsigned Tried = 0;
  for (auto [I, Access] : enumerate(Kernel.Accesses)) {
    const AccessReport *R = reportOf(Access);
    if (Access.Space != MemorySpace::Global || !R || Access.DataDependent ||
        R->IdealSectorsPerRequest <= 0 ||
        R->SectorsPerRequest < SectorRatio * R->IdealSectorsPerRequest)
      continue;
    Expr Better = streamingAddress(Access);
    if (!Better || ++Tried > MaxAccessesTried)
      continue;
    KernelModel Changed = Kernel;
    Changed.Accesses[I].Address = Better;
    if (auto Result = tryOut(Changed))
      offer(*Result,
            {"uncoalesced-" + kindName(Access.Kind).str(),
             "make the " + kindName(Access.Kind).str() + " of '" + Access.Base +
                 "' coalesced (neighbouring threads touch neighbouring "
                 "elements)",
             Access.Location, 0});
  }
}

void Advisor::adviseBankConflicts() {
  unsigned Tried = 0;
  for (auto [I, Access] : enumerate(Kernel.Accesses)) {
    const AccessReport *R = reportOf(Access);
    double Needed = std::max(1u, Access.BytesPerThread / 4);
    if (Access.Space != MemorySpace::Shared || !R ||
        R->PassesPerRequest < PassRatio * Needed || ++Tried > MaxAccessesTried)
      continue;
    KernelModel Changed = Kernel;
    Changed.Accesses[I].Address =
        thread() * static_cast<double>(Access.BytesPerThread);
    if (auto Result = tryOut(Changed))
      offer(*Result, {"bank-conflict",
                      "free the " + kindName(Access.Kind).str() + " of '" +
                          Access.Base +
                          "' of bank conflicts (pad its rows by one element)",
                      Access.Location, 0});
  }
}

void Advisor::adviseRegisters() {
  if (Base.Occ.LimitedBy != "registers")
    return;
  for (unsigned Registers = (Base.RegistersPerThread - 1) / 8 * 8;
       Registers >= 16; Registers -= 8) {
    KernelModel Changed = Kernel;
    Changed.Res.RegistersPerThread = Registers;
    std::optional<Prediction> Result = tryOut(Changed);
    if (!Result || Result->Occ.BlocksPerSm <= Base.Occ.BlocksPerSm)
      continue;
    offer(*Result, {"registers",
                    "at most " + std::to_string(Registers) +
                        " registers per thread let " +
                        std::to_string(Result->Occ.BlocksPerSm) +
                        " blocks share a multiprocessor, if they suffice "
                        "without spills (__launch_bounds__)",
                    Kernel.Location, 0});
    return;
  }
}

std::vector<Advice> Advisor::take() {
  stable_sort(Hints, [](const Advice &A, const Advice &B) {
    return A.PredictedGain > B.PredictedGain;
  });
  return std::move(Hints);
}

std::vector<Advice> advise(const Prediction &Base, const KernelModel &Kernel,
                           const GpuModel &Gpu, const Launch &L,
                           const Bindings &Values,
                           const EvaluateOptions &Options) {
  Advisor A(Base, Kernel, Gpu, L, Values, Options);
  A.adviseCoalescing();
  A.adviseBankConflicts();
  A.adviseRegisters();
  return A.take();
}

} // namespace gpuestimate
