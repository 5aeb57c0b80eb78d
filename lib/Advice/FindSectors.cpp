/// \file
/// Requests of global memory that touch more sectors, or take more passes, than
/// their data need.
#include "Advisor.h"
#include "TransposedCopy.h"

#include "gpu-estimate/Advice/AccessGroups.h"
#include "gpu-estimate/Evaluate/Access/Request.h"
#include "gpu-estimate/Support/Format.h"
#include "gpu-estimate/Support/Numbers.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>
#include <numeric>

using namespace llvm;

namespace gpuestimate {

/// Sectors from which on a request is poor, in multiples of what it needs. A
/// misaligned request of 32 lanes and 4 bytes has 5/4 of its sectors.
static constexpr double SectorRatio = 2, ShiftRatio = 1.1;

static double sectors(const AccessReport &R) { return R.SectorsPerRequest; }
static double passes(const AccessReport &R) { return R.PassesPerRequest; }

static double perRequest(double Sum, const AccessTotals &T) {
  return T.Requests > 0 ? Sum / T.Requests : 0;
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

/// Bytes of each thread that the access and its neighbours touch together: the
/// fields of a structure, the halves of a vector. What one of them leaves of a
/// sector the others take, as often as they are asked for. Neighbours are those
/// in the same block of code, or in the same loops.
static double bytesTogether(const Advisor &A, unsigned Access, bool SameBlock) {
  const MemoryAccess &Own = A.Kernel.Accesses[Access];
  ExprContext &C = *A.Kernel.Context;
  double Requests = A.Base.Accesses[Access].Requests;
  if (!Own.Address || Requests <= 0)
    return Own.BytesPerThread;
  // For each byte from a sector before to a sector behind the own first one:
  // share of the own requests in which it is touched.
  int Sector = static_cast<int>(A.Gpu.L2.Sector.value());
  std::vector<double> Touched(2 * Sector, 0);
  auto Loops = A.loopsAround(Own.Block);
  for (auto [Index, Other] : enumerate(A.Kernel.Accesses)) {
    if (Other.Base != Own.Base || Other.Space != Own.Space ||
        Other.Kind != Own.Kind || !Other.Address)
      continue;
    if (Other.Block != Own.Block &&
        (SameBlock || A.loopsAround(Other.Block) != Loops))
      continue;
    std::optional<double> At =
        C.expand(Other.Address - Own.Address).asConstant();
    // Further away it is another sector in any case.
    if (!At || std::fabs(*At) >= Sector)
      continue;
    // Parts of one expression are a vector that the source loads whole.
    const AccessReport &Report = A.Base.Accesses[Index];
    bool Part = Report.Location == A.Base.Accesses[Access].Location;
    double Share = Part ? 1 : std::min(1.0, Report.Requests / Requests);
    int From = static_cast<int>(*At) + Sector;
    int To = std::min<int>(From + Other.BytesPerThread, 2 * Sector);
    for (int Byte = From; Byte < To; ++Byte)
      Touched[Byte] = std::max(Touched[Byte], Share);
  }
  double Together = std::accumulate(Touched.begin(), Touched.end(), 0.0);
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

/// Whether neighbours in x are neighbours in memory and rows that began at
/// sectors would not touch twice what they need: what is wrong is where they
/// begin.
static bool isUnalignedRow(const Advisor &A, const AccessSite &Site) {
  const MemoryAccess &Access = A.Kernel.Accesses[Site.Copies[0]];
  if (!Access.Address)
    return false;
  ExprContext &C = *A.Kernel.Context;
  StringMap<Expr> Next;
  Next["threadIdx.x"] = C.parameter("threadIdx.x") + 1.0;
  std::optional<double> Step =
      C.expand(C.substitute(Access.Address, Next) - Access.Address)
          .asConstant();
  if (Step != double(Access.BytesPerThread))
    return false;
  double Lanes = std::min<double>(A.L.Block[0], A.Gpu.WarpSize);
  double RowSectors =
      std::ceil(Lanes * Access.BytesPerThread / A.Gpu.L2.Sector.value());
  return A.Gpu.WarpSize / Lanes * RowSectors <
         SectorRatio * Site.Report.IdealSectorsPerRequest;
}

void findUncoalesced(Advisor &A) {
  auto Waste = [&](const AccessReport &R) {
    return isScattered(A, R) ? R.SectorsPerRequest - R.IdealSectorsPerRequest
                             : 0;
  };
  unsigned Tried = 0;
  for (const AccessSite &Site : A.sites("global", sectors, Waste)) {
    const AccessReport &R = Site.Report;
    if (isUnalignedRow(A, Site))
      continue;
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
    // makes it a finding: one that is known if the code generator may join
    // them, one that is not known to be small if they stand apart.
    auto Used = [&](bool SameBlock) {
      double Bytes = bytesTogether(A, Site.Copies[0], SameBlock);
      return R.SectorsPerRequest <
             SectorRatio * R.IdealSectorsPerRequest * Bytes / R.BytesPerThread;
    };
    if (F.Gain.value_or(0) < MinimumGain && Used(/*SameBlock=*/!F.Gain))
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
    // Only what alignment mends is a matter of alignment.
    auto Mended = [&](const AccessTotals &T) {
      return perRequest(T.Sectors, T) * ShiftRatio <= R.SectorsPerRequest;
    };
    std::optional<Prediction> Result;
    if (Possible)
      Result = A.tryOut(Changed, Site.Copies[0], Mended);
    if (!Result)
      continue;
    double Sectors = Result->Accesses[Site.Copies[0]].SectorsPerRequest;
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
    // Only what another stride mends is a matter of the stride.
    auto Mended = [&](const AccessTotals &T) {
      return perRequest(T.Wavefronts, T) * SectorRatio <= R.PassesPerRequest;
    };
    std::optional<Prediction> Result =
        A.tryOut(Changed, Site.Copies[0], Mended);
    std::optional<double> Gain = A.gain(Result);
    if (!Gain || *Gain < MinimumGain)
      continue;
    double Passes = Result->Accesses[Site.Copies[0]].PassesPerRequest;
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

} // namespace gpuestimate
