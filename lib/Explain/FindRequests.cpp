/// \file
/// Requests that cost more than their data need: sectors of global memory,
/// passes of shared and constant memory, lanes that meet on one address.
#include "Advisor.h"
#include "TransposedCopy.h"

#include "gpu-estimate/Evaluate/Request.h"
#include "gpu-estimate/Explain/AccessGroups.h"
#include "gpu-estimate/Support/Format.h"
#include "gpu-estimate/Support/Numbers.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace llvm;

namespace gpuestimate {

/// Sectors and passes from which on a request is poor, in multiples of what it
/// needs. A misaligned request of 32 lanes and 4 bytes has 5/4 of its sectors.
static constexpr double SectorRatio = 2, PassRatio = 1.5, ShiftRatio = 1.1;

static double sectors(const AccessReport &R) { return R.SectorsPerRequest; }
static double passes(const AccessReport &R) { return R.PassesPerRequest; }

static std::string where(const AccessReport &R) {
  return R.Base.empty()
             ? R.Space + " " + R.Kind
             : R.Kind + (R.Kind == "load" ? "s of '" : "s to '") + R.Base + "'";
}

/// The address if the access walked its data so that neighbouring threads
/// touch neighbours: width * (thread of the grid + threads * execution). Every
/// thread then has data of its own, so the change never invents reuse. Null
/// when a trip count depends on the thread or on loaded data.
static Expr streamingAddress(const Advisor &A, const MemoryAccess &Access,
                             size_t Copy, size_t Copies) {
  ExprContext &C = *A.Kernel.Context;
  Expr Execution = C.constant(static_cast<double>(Copy));
  Expr Stride = C.constant(static_cast<double>(Copies));
  for (unsigned Around : A.loopsAround(Access.Block)) {
    const Loop &Each = A.Kernel.Loops[Around];
    for (const std::string &Name : Each.TripCount.parameters())
      if (!A.Values.contains(Name) &&
          !StringRef(Name).starts_with("blockDim") &&
          !StringRef(Name).starts_with("gridDim"))
        return Expr();
    Execution = Execution + Stride * C.parameter(Each.Counter);
    Stride = Stride * Each.TripCount;
  }
  Expr BlockThreads = C.constant(static_cast<double>(A.L.threadsPerBlock()));
  Expr GridThreads = BlockThreads * static_cast<double>(A.L.blocks());
  return (A.thread() + BlockThreads * A.block() + GridThreads * Execution) *
         static_cast<double>(Access.BytesPerThread);
}

static std::optional<Prediction> tryCoalesced(const Advisor &A,
                                              const AccessSite &Site) {
  KernelModel Changed = A.Kernel;
  for (auto [Copy, Index] : enumerate(Site.Copies)) {
    MemoryAccess &Access = Changed.Accesses[Index];
    Access.Address = streamingAddress(A, Access, Copy, Site.Copies.size());
    if (!Access.Address)
      return std::nullopt;
  }
  return A.tryOut(Changed);
}

/// Bytes of each thread that the access and its neighbours in the same block
/// of code touch together: the fields of a structure, the halves of a vector.
/// What one of them leaves of a sector the others take.
static double bytesTogether(const Advisor &A, unsigned Access) {
  const MemoryAccess &Own = A.Kernel.Accesses[Access];
  ExprContext &C = *A.Kernel.Context;
  if (!Own.Address)
    return Own.BytesPerThread;
  std::vector<std::pair<double, double>> Pieces;
  for (const MemoryAccess &Other : A.Kernel.Accesses) {
    if (Other.Block != Own.Block || Other.Base != Own.Base ||
        Other.Space != Own.Space || Other.Kind != Own.Kind || !Other.Address)
      continue;
    std::optional<double> At =
        C.expand(Other.Address - Own.Address).asConstant();
    // Further away it is another sector in any case.
    if (At && std::fabs(*At) < A.Gpu.L2.Sector.value())
      Pieces.push_back({*At, *At + Other.BytesPerThread});
  }
  sort(Pieces);
  double Together = 0, End = -INFINITY;
  for (auto [From, To] : Pieces) {
    Together += std::max(0.0, To - std::max(From, End));
    End = std::max(End, To);
  }
  return std::max(Together, double(Own.BytesPerThread));
}

/// Whether a request touches many sectors because its lanes are far apart.
/// Where one sector would do (bytes), a second one is a matter of alignment,
/// and so are two for each row of the block in a warp if a row fills half a
/// sector.
static bool isScattered(const Advisor &A, const AccessReport &R) {
  double Ideal = R.IdealSectorsPerRequest;
  if (Ideal <= 0 || R.SectorsPerRequest < SectorRatio * Ideal)
    return false;
  double Width = static_cast<double>(A.L.Block[0]);
  bool LongRows = 2 * Width * R.BytesPerThread >= A.Gpu.L2.Sector.value();
  double Rows = LongRows ? std::ceil(A.Gpu.WarpSize / Width) : 1;
  return Ideal > 1 || R.SectorsPerRequest > 2 * Rows;
}

void findUncoalesced(Advisor &A) {
  auto Waste = [&](const AccessReport &R) {
    return isScattered(A, R) ? R.SectorsPerRequest - R.IdealSectorsPerRequest
                             : 0;
  };
  unsigned Tried = 0;
  for (const AccessSite &Site : A.sites("global", sectors, Waste)) {
    const AccessReport &R = Site.Report;
    double Together = R.IdealSectorsPerRequest *
                      bytesTogether(A, Site.Copies[0]) / R.BytesPerThread;
    bool Used = R.SectorsPerRequest < SectorRatio * Together;
    Finding F{"uncoalesced",
              "uncoalesced-" + R.Kind,
              R.Location,
              describeAccess(R) + " touches " +
                  formatRatio(R.SectorsPerRequest) +
                  " sectors per request where " +
                  formatRatio(R.IdealSectorsPerRequest) + " would do",
              "",
              std::nullopt};
    if (R.DataDependent) {
      // A claim of another kind: it stands and falls with the data.
      F.Group = "indirect";
      F.Id = "indirect-" + R.Kind;
      F.Problem = describeAccess(R) + " goes where loaded data say: " +
                  formatRatio(R.SectorsPerRequest) +
                  " sectors per request if they are random, " +
                  formatRatio(R.IdealSectorsPerRequest) +
                  " if they are in order; settle with --assume access@" +
                  R.Location.brief() + "=sequential";
    } else if (Tried < Advisor::MaxTried) {
      ++Tried;
      F.Remedy = "make the " + where(R) +
                 " coalesced (neighbouring threads touch neighbouring "
                 "elements)";
      F.Gain = A.gain(tryCoalesced(A, Site));
      Seconds Copy;
      std::optional<double> Gain = A.gain(tryTransposed(A, Site, Copy));
      if (Gain && (!F.Gain || *Gain > *F.Gain)) {
        F.Id = "transpose";
        F.Remedy = "read the " + where(R) +
                   " from a transposed copy (making it, " + formatTime(Copy) +
                   ", is counted)";
        F.Gain = Gain;
      }
    }
    // Where all that is touched is used, by several requests, only its effect
    // makes it a finding.
    if (Used && (!F.Gain || *F.Gain < MinimumGain))
      continue;
    A.add(std::move(F));
  }
}

/// The address with every warp's first lane moved down to a sector's start;
/// null where a warp has no first lane that an expression can name (rows of a
/// block that are no multiple of a warp).
static Expr alignedAddress(const Advisor &A, const MemoryAccess &Access) {
  Expr Address = Access.Address;
  ExprContext &C = *A.Kernel.Context;
  bool OneRow = A.L.Block[1] * A.L.Block[2] == 1;
  if (!Address || (!OneRow && A.L.Block[0] % A.Gpu.WarpSize != 0))
    return Expr();
  Expr X = C.parameter("threadIdx.x");
  Expr Warp = C.constant(A.Gpu.WarpSize);
  StringMap<Expr> FirstLane;
  FirstLane["threadIdx.x"] = C.floorDiv(X, Warp) * A.Gpu.WarpSize;
  Expr Sector = C.constant(sectorBytes(Access, A.Gpu));
  return Address - C.mod(C.substitute(Address, FirstLane), Sector);
}

void findMisaligned(Advisor &A) {
  auto Waste = [&](const AccessReport &R) {
    double Ratio = R.IdealSectorsPerRequest > 0
                       ? R.SectorsPerRequest / R.IdealSectorsPerRequest
                       : 1;
    bool Odd = !R.DataDependent && R.Kind != "atomic" && Ratio >= ShiftRatio &&
               !isScattered(A, R);
    return Odd ? R.SectorsPerRequest - R.IdealSectorsPerRequest : 0;
  };
  unsigned Tried = 0;
  for (const AccessSite &Site : A.sites("global", sectors, Waste)) {
    const AccessReport &R = Site.Report;
    if (++Tried > Advisor::MaxTried)
      break;
    KernelModel Changed = A.Kernel;
    double Sector = sectorBytes(A.Kernel.Accesses[Site.Copies[0]], A.Gpu);
    bool Possible = true;
    for (unsigned Index : Site.Copies) {
      MemoryAccess &Access = Changed.Accesses[Index];
      Access.Address = alignedAddress(A, Access);
      Possible &= static_cast<bool>(Access.Address);
    }
    std::optional<Prediction> Result;
    if (Possible)
      Result = A.tryOut(Changed);
    // Only what alignment mends is a matter of alignment.
    double Sectors = Result ? Result->Accesses[Site.Copies[0]].SectorsPerRequest
                            : R.SectorsPerRequest;
    if (Sectors * ShiftRatio > R.SectorsPerRequest)
      continue;
    A.add({"misaligned", "misaligned-" + R.Kind, R.Location,
           describeAccess(R) + " touches " + formatRatio(R.SectorsPerRequest) +
               " sectors per request where " + formatRatio(Sectors) +
               " would do if its warps began at a multiple of " +
               formatNumber(Sector) + " bytes",
           "let the " + where(R) + " begin at a multiple of " +
               formatNumber(Sector) +
               " bytes (pad rows, shift the first element)",
           A.gain(Result)});
  }
}

/// The address with neighbouring lanes one element further apart, as if rows
/// were padded by one.
static Expr paddedAddress(const Advisor &A, const MemoryAccess &Access) {
  Expr Lane = A.Kernel.Context->mod(A.thread(),
                                    A.Kernel.Context->constant(A.Gpu.WarpSize));
  return Access.Address + Lane * std::max(4.0, double(Access.BytesPerThread));
}

void findStrides(Advisor &A) {
  auto Waste = [&](const AccessReport &R) {
    return !R.DataDependent && R.Kind != "atomic" && isScattered(A, R)
               ? R.PassesPerRequest - 1
               : 0;
  };
  unsigned Tried = 0;
  for (const AccessSite &Site : A.sites("global", passes, Waste)) {
    const AccessReport &R = Site.Report;
    if (++Tried > Advisor::MaxTried)
      break;
    KernelModel Changed = A.Kernel;
    for (unsigned Index : Site.Copies)
      Changed.Accesses[Index].Address =
          paddedAddress(A, A.Kernel.Accesses[Index]);
    std::optional<Prediction> Result = A.tryOut(Changed);
    // Only what another stride mends is a matter of the stride.
    double Passes = Result ? Result->Accesses[Site.Copies[0]].PassesPerRequest
                           : R.PassesPerRequest;
    std::optional<double> Gain = A.gain(Result);
    if (R.PassesPerRequest < SectorRatio * Passes || !Gain ||
        *Gain < MinimumGain)
      continue;
    A.add(
        {"stride", "stride-" + R.Kind, R.Location,
         describeAccess(R) + " takes " + formatRatio(R.PassesPerRequest) +
             " passes through L1 per request, because the stride of its lanes "
             "puts them into few banks; with one element more it takes " +
             formatRatio(Passes),
         "pad the rows of '" + R.Base +
             "' by one element, or make the access coalesced",
         Gain});
  }
}

void findBankConflicts(Advisor &A) {
  auto Waste = [](const AccessReport &R) {
    double Needed = neededPasses(R.BytesPerThread);
    return R.PassesPerRequest >= PassRatio * Needed
               ? R.PassesPerRequest - Needed
               : 0;
  };
  unsigned Tried = 0;
  for (const AccessSite &Site : A.sites("shared", passes, Waste)) {
    const AccessReport &R = Site.Report;
    double Needed = neededPasses(R.BytesPerThread);
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
      F.Gain = A.gain(A.tryOut(Changed));
    }
    A.add(std::move(F));
  }
}

void findConstantDivergence(Advisor &A) {
  // The constant cache gives one word to the warp at a time.
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
        if (Op.Access >= 0 && is_contained(Site.Copies, unsigned(Op.Access)))
          Op.Class = OpClass::LoadGlobal;
      F.Remedy = "read '" + R.Base +
                 "' from global memory (const __restrict__) or shared memory, "
                 "which serve different words together";
      F.Gain = A.gain(A.tryOut(Changed));
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
      // Copies of the object: one for each lane of a warp, or each block.
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
      // Found by its effect: atomics that meet cost nothing if nobody waits.
      if (!Gain || *Gain < MinimumGain)
        continue;
      A.add({"atomic-contention", "atomic-contention", R.Location,
             describeAccess(R) + ": " + formatRatio(R.LanesOnOneAddress) +
                 " lanes of a request meet on one address, " +
                 formatCount(R.Requests) + " requests",
             "combine the operations on '" + R.Base + "' first (" +
                 (Shared ? "in the warp: __reduce_add_sync or shuffles"
                         : "in the block: one atomic per block after a "
                           "reduction in shared memory") +
                 "), or give each its own copy",
             Gain});
    }
  }
}

} // namespace gpuestimate
