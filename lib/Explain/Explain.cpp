/// \file
/// Hints by re-evaluating changed copies of a kernel model.
#include "gpu-estimate/Explain/Explain.h"

#include "gpu-estimate/Explain/AccessGroups.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

using namespace llvm;

namespace gpuestimate {

namespace {

/// Changes of one kind that are tried, so that advice costs a bounded number
/// of evaluations; those with most excess first.
constexpr size_t MaxTried = 3;
constexpr double SectorRatio = 2, PassRatio = 1.5;

/// An access of the source: its copies in the kernel model.
struct Candidate {
  AccessReport Report;
  SmallVector<unsigned, 4> Copies; ///< indices into KernelModel::Accesses
  double Excess = 0; ///< sectors or passes of the launch that need not be
};

class Advisor {
public:
  Advisor(const Prediction &Base, const KernelModel &Kernel,
          const GpuModel &Gpu, const Launch &L, const Bindings &Values,
          const EvaluateOptions &Options)
      : Base(Base), Kernel(Kernel), Gpu(Gpu), L(L), Values(Values),
        Options(Options) {
    this->Options.Sensitivities = false;
    this->Options.SampleEffort *= WhatIfEffort;
  }

  void adviseCoalescing();
  void adviseBankConflicts();
  void adviseRegisters();
  std::vector<Advice> take();

private:
  /// Result of a changed kernel; nullopt where it cannot be evaluated.
  std::optional<Prediction> tryOut(const KernelModel &Changed) const;
  void offer(const Prediction &Changed, Advice Hint);
  /// Accesses of Space with an excess, largest first.
  std::vector<Candidate>
  candidates(StringRef Space,
             function_ref<double(const AccessReport &)> Excess) const;
  Expr thread() const;
  SmallVector<const Loop *, 4> loopsAround(unsigned Block) const;
  Expr streamingAddress(const MemoryAccess &Access, size_t Copy,
                        size_t Copies) const;

  const Prediction &Base;
  const KernelModel &Kernel;
  const GpuModel &Gpu;
  const Launch &L;
  const Bindings &Values;
  EvaluateOptions Options;
  std::optional<Prediction> Unchanged; ///< Base with the samples of tryOut
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
  // Both sides of the comparison with the same samples.
  if (!Unchanged)
    Unchanged = tryOut(Kernel);
  if (!Unchanged)
    return;
  Hint.PredictedGain = 1 - Changed.Time / Unchanged->Time;
  if (Hint.PredictedGain >= MinimumGain)
    Hints.push_back(std::move(Hint));
}

std::vector<Candidate>
Advisor::candidates(StringRef Space,
                    function_ref<double(const AccessReport &)> Excess) const {
  std::vector<Candidate> Found;
  // Reports are made one per access, in the order of the model.
  if (Base.Accesses.size() != Kernel.Accesses.size())
    return Found;
  for (auto [I, Report] : enumerate(Base.Accesses)) {
    double Much = Report.Space == Space ? Excess(Report) * Report.Requests : 0;
    if (Much <= 0)
      continue;
    auto Same = find_if(Found, [&, &R = Report](const Candidate &C) {
      return isSameAccess(C.Report, R);
    });
    if (Same == Found.end())
      Same = Found.insert(Found.end(), {Report, {}, 0});
    Same->Copies.push_back(static_cast<unsigned>(I));
    Same->Excess += Much;
  }
  stable_sort(Found, [](const Candidate &A, const Candidate &B) {
    return A.Excess > B.Excess;
  });
  if (Found.size() > MaxTried)
    Found.resize(MaxTried);
  return Found;
}

/// Number of the thread in its block.
Expr Advisor::thread() const {
  ExprContext &C = *Kernel.Context;
  Expr Rows = C.parameter("threadIdx.y") +
              C.parameter("blockDim.y") * C.parameter("threadIdx.z");
  return C.parameter("threadIdx.x") + C.parameter("blockDim.x") * Rows;
}

/// Innermost first.
SmallVector<const Loop *, 4> Advisor::loopsAround(unsigned Block) const {
  SmallVector<const Loop *, 4> Around;
  auto Inner = find_if(Kernel.Loops, [&](const Loop &Candidate) {
    return any_of(Candidate.Body, [&](const Item &I) {
      return I.Kind == Item::IsBlock && I.Index == Block;
    });
  });
  if (Inner == Kernel.Loops.end())
    return Around;
  for (const Loop *Current = &*Inner;;
       Current = &Kernel.Loops[Current->Parent]) {
    Around.push_back(Current);
    if (Current->Parent < 0)
      return Around;
  }
}

/// The address if the access walked its data so that neighbouring threads
/// touch neighbours: width * (thread of the grid + threads * execution). Every
/// thread then has data of its own, so the change never invents reuse. Null
/// when a trip count depends on the thread or on loaded data.
Expr Advisor::streamingAddress(const MemoryAccess &Access, size_t Copy,
                               size_t Copies) const {
  ExprContext &C = *Kernel.Context;
  Expr Execution = C.constant(static_cast<double>(Copy));
  Expr Stride = C.constant(static_cast<double>(Copies));
  for (const Loop *Around : loopsAround(Access.Block)) {
    for (const std::string &Name : Around->TripCount.parameters())
      if (!Values.contains(Name) && !StringRef(Name).starts_with("blockDim") &&
          !StringRef(Name).starts_with("gridDim"))
        return Expr();
    Execution = Execution + Stride * C.parameter(Around->Counter);
    Stride = Stride * Around->TripCount;
  }
  Expr BlockThreads = C.constant(static_cast<double>(L.threadsPerBlock()));
  Expr Block = C.parameter("blockIdx.x") +
               C.parameter("gridDim.x") *
                   (C.parameter("blockIdx.y") +
                    C.parameter("gridDim.y") * C.parameter("blockIdx.z"));
  Expr GridThreads = BlockThreads * static_cast<double>(L.blocks());
  return (thread() + BlockThreads * Block + GridThreads * Execution) *
         static_cast<double>(Access.BytesPerThread);
}

void Advisor::adviseCoalescing() {
  auto Excess = [](const AccessReport &R) {
    bool Poor = R.IdealSectorsPerRequest > 0 && !R.DataDependent &&
                R.SectorsPerRequest >= SectorRatio * R.IdealSectorsPerRequest;
    return Poor ? R.SectorsPerRequest - R.IdealSectorsPerRequest : 0;
  };
  for (const Candidate &Poor : candidates("global", Excess)) {
    KernelModel Changed = Kernel;
    bool Possible = true;
    for (auto [Copy, Index] : enumerate(Poor.Copies)) {
      MemoryAccess &Access = Changed.Accesses[Index];
      Access.Address = streamingAddress(Access, Copy, Poor.Copies.size());
      Possible &= static_cast<bool>(Access.Address);
    }
    if (!Possible)
      continue;
    if (auto Result = tryOut(Changed))
      offer(*Result,
            {"uncoalesced-" + Poor.Report.Kind,
             "make the " + Poor.Report.Kind + " of '" + Poor.Report.Base +
                 "' coalesced (neighbouring threads touch "
                 "neighbouring elements)",
             Poor.Report.Location, 0});
  }
}

void Advisor::adviseBankConflicts() {
  auto Excess = [](const AccessReport &R) {
    double Needed = neededPasses(R.BytesPerThread);
    return R.PassesPerRequest >= PassRatio * Needed
               ? R.PassesPerRequest - Needed
               : 0;
  };
  for (const Candidate &Poor : candidates("shared", Excess)) {
    KernelModel Changed = Kernel;
    for (unsigned Index : Poor.Copies)
      Changed.Accesses[Index].Address =
          thread() * static_cast<double>(Poor.Report.BytesPerThread);
    if (auto Result = tryOut(Changed))
      offer(*Result,
            {"bank-conflict",
             "free the " + Poor.Report.Kind + " of '" + Poor.Report.Base +
                 "' of bank conflicts (for a column of a matrix: pad its rows "
                 "by one element)",
             Poor.Report.Location, 0});
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
