/// \file
/// Requests that cost more than their data need: passes of shared and
/// constant memory, atomic operations of several lanes on one address.
#include "Advisor.h"

#include "gpu-estimate/Advice/AccessGroups.h"
#include "gpu-estimate/Evaluate/Access/Request.h"
#include "gpu-estimate/Support/Format.h"
#include "gpu-estimate/Support/Numbers.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace gpuestimate {

/// Smallest ratio of passes to necessary passes of a poor request.
static constexpr double PassRatio = 1.5;

static double passes(const AccessReport &R) { return R.PassesPerRequest; }

std::string where(const AccessReport &R) {
  return R.Base.empty()
             ? R.Space + " " + R.Kind
             : R.Kind + (R.Kind == "load" ? "s of '" : "s to '") + R.Base + "'";
}

void findBankConflicts(Advisor &A) {
  auto Needs = [&](const AccessReport &R) {
    MemoryAccess Wide;
    Wide.BytesPerThread = R.BytesPerThread;
    return neededPasses(R.BytesPerThread) * wideAccessPassFactor(Wide, A.Gpu);
  };
  auto Waste = [&](const AccessReport &R) {
    double Needed = Needs(R);
    return R.PassesPerRequest >= PassRatio * Needed
               ? R.PassesPerRequest - Needed
               : 0;
  };
  unsigned Tried = 0;
  for (const AccessSite &Site : A.sites("shared", passes, Waste)) {
    const AccessReport &R = Site.Report;
    double Needed = Needs(R);
    Finding F{"bank-conflict",
              "bank-conflict",
              R.Location,
              describeAccess(R) + " takes " + formatRatio(R.PassesPerRequest) +
                  " passes per request where " + formatNumber(Needed) +
                  " would do: a " + formatRatio(R.PassesPerRequest / Needed) +
                  "-way bank conflict",
              "",
              std::nullopt};
    if (Tried++ < Advisor::MaxTried) {
      KernelModel Changed = A.Kernel;
      for (unsigned Index : Site.Copies)
        Changed.Accesses[Index].Address =
            A.thread() * static_cast<double>(R.BytesPerThread);
      F.Remedy = "free the " + where(R) +
                 " of bank conflicts (for a column of a matrix: pad its rows "
                 "by one element)";
      A.setGains(F, A.tryOut(Changed));
    }
    A.add(std::move(F));
  }
}

void findConstantDivergence(Advisor &A) {
  // The constant cache broadcasts one word to the warp per pass.
  auto Words = [](const AccessReport &R) {
    return std::max(1.0, R.BytesPerThread / 4.0);
  };
  auto Waste = [&](const AccessReport &R) {
    return R.PassesPerRequest >= PassRatio * Words(R)
               ? R.PassesPerRequest - Words(R)
               : 0;
  };
  unsigned Tried = 0;
  for (const AccessSite &Site : A.sites("constant", passes, Waste)) {
    const AccessReport &R = Site.Report;
    Finding F{"constant-divergence",
              "constant-divergence",
              R.Location,
              describeAccess(R) + " reads " + formatRatio(R.PassesPerRequest) +
                  " different words per request, one after the other",
              "",
              std::nullopt};
    if (Tried++ < Advisor::MaxTried) {
      KernelModel Changed = A.Kernel;
      for (unsigned Index : Site.Copies) {
        Changed.Accesses[Index].Space = MemorySpace::Global;
        Changed.Accesses[Index].ReadOnly = true;
      }
      for (Operation &Op : Changed.Operations)
        if (Op.access() && is_contained(Site.Copies, unsigned(*Op.access())))
          Op.Class = OpClass::LoadGlobal;
      F.Remedy = "read '" + R.Base +
                 "' from global memory (const __restrict__) or shared memory, "
                 "which serve different words together";
      A.setGains(F, A.tryOut(Changed));
    }
    A.add(std::move(F));
  }
}

void findAtomicContention(Advisor &A) {
  auto OfAtomics = [](const AccessReport &R) {
    return R.Kind == "atomic" ? std::max(1.0, R.LanesOnOneAddress) : 0;
  };
  for (StringRef Space : {"global", "shared"}) {
    bool Shared = Space == "shared";
    unsigned Tried = 0;
    for (const AccessSite &Site : A.sites(Space, OfAtomics, OfAtomics)) {
      const AccessReport &R = Site.Report;
      if (Tried++ == Advisor::MaxTried)
        break;
      // Privatised copies of the object: one for each lane of a warp, or each
      // block.
      KernelModel Changed = A.Kernel;
      for (unsigned Index : Site.Copies) {
        MemoryAccess &Access = Changed.Accesses[Index];
        Expr Line = A.Kernel.Context->constant(A.Gpu.L2.Line.value());
        Access.Address =
            Shared ? A.thread() * double(R.BytesPerThread)
                   : A.block() * Line + A.thread() * double(R.BytesPerThread);
        Access.CombinesLanes = false;
        Access.DataDependent = false;
        Access.BaseBytes = std::nullopt;
      }
      std::optional<double> Gain = A.gain(A.tryOut(Changed));
      // Only a gain makes a finding: contention costs nothing if it is hidden.
      if (!Gain || *Gain < MinimumGain)
        continue;
      A.add({"atomic-contention", "atomic-contention", R.Location,
             describeAccess(R) + ": " + formatRatio(R.LanesOnOneAddress) +
                 " lanes of a request meet on one address, " +
                 formatCount(R.Requests) + " requests",
             (R.Base.empty()
                  ? "combine the operations first ("
                  : "combine the operations on '" + R.Base + "' first (") +
                 (Shared ? A.Gpu.Vendor == "AMD"
                               ? "in the warp: shuffles"
                               : "in the warp: __reduce_add_sync or shuffles"
                         : "in the block: one atomic per block after a "
                           "reduction in shared memory") +
                 "), or give each its own copy",
             Gain});
    }
  }
}

} // namespace gpuestimate
