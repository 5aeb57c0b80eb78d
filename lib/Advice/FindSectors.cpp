/// \file
/// Requests of global memory that touch more sectors, or take more passes,
/// than their data need.
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

/// Smallest ratio of sectors to necessary sectors of a poor request. A
/// misaligned request of 32 lanes and 4 bytes has 5/4 of its sectors.
static constexpr double SectorRatio = 2, ShiftRatio = 1.1;

static double sectors(const AccessReport &R) { return R.SectorsPerRequest; }
static double l1Passes(const AccessReport &R) { return R.PassesPerRequest; }

static double perRequest(double Sum, const AccessTotals &T) {
  return T.Requests > 0 ? Sum / T.Requests : 0;
}

/// The address of a coalesced access, where neighbouring threads touch
/// neighbouring elements: width * (thread of the grid + threads * execution).
/// Every thread has elements of its own, so the change adds no reuse. Null if a
/// trip count depends on the thread or on loaded data.
static Expr streamingAddress(const Advisor &A, const MemoryAccess &Access,
                             size_t Copy, size_t Copies) {
  ExprContext &C = *A.Kernel.Context;
  Expr Execution = C.constant(static_cast<double>(Copy));
  Expr Stride = C.constant(static_cast<double>(Copies));
  for (unsigned Around : A.loopsAround(Access.Block)) {
    const Loop &Enclosing = A.Kernel.Loops[Around];
    for (const std::string &Name : Enclosing.TripCount.parameters())
      if (!A.Values.contains(Name) &&
          !StringRef(Name).starts_with("blockDim") &&
          !StringRef(Name).starts_with("gridDim"))
        return Expr();
    Execution = Execution + Stride * C.parameter(Enclosing.Counter);
    Stride = Stride * Enclosing.TripCount;
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
/// fields of a structure, the halves of a vector. They use the parts of a
/// sector that the access leaves, weighted by their executions. Neighbours are
/// accesses in one basic block, or in the same loops.
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
    std::optional<double> Distance =
        C.expand(Other.Address - Own.Address).asConstant();
    // Elements further away are in another sector.
    if (!Distance || std::fabs(*Distance) >= Sector)
      continue;
    // Parts of one expression form a vector that the source loads as a whole.
    const AccessReport &Report = A.Base.Accesses[Index];
    bool Part = Report.Location == A.Base.Accesses[Access].Location;
    double Share = Part ? 1 : std::min(1.0, Report.Requests / Requests);
    int FirstByte = static_cast<int>(*Distance) + Sector;
    int EndByte = std::min<int>(FirstByte + Other.BytesPerThread, 2 * Sector);
    for (int Byte = FirstByte; Byte < EndByte; ++Byte)
      Touched[Byte] = std::max(Touched[Byte], Share);
  }
  double Together = std::accumulate(Touched.begin(), Touched.end(), 0.0);
  return std::max(Together, double(Own.BytesPerThread));
}

/// Whether a request touches many sectors because its lanes are far apart. If
/// one sector would suffice (bytes), a second one is due to misalignment, as
/// are two sectors for each row of the block in a warp if a row fills half a
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

/// True if neighbours in x are neighbours in memory and aligned rows would
/// touch less than twice the necessary sectors, so that only the alignment of
/// the rows is poor.
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
      // Indirect accesses have a group of their own: the sectors depend on the
      // data.
      F.Group = "indirect";
      F.Id = "indirect-" + R.Kind;
      F.Problem = describeAccess(R) + " has data-dependent addresses: " +
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
      A.setGains(F, tryCoalesced(A, Site));
      Seconds Copy;
      std::optional<double> Gain = A.gain(tryTransposed(A, Site, Copy));
      if (Gain && (!F.Gain || *Gain > *F.Gain)) {
        F.Id = "transpose";
        F.Remedy = "read the " + where(R) +
                   " from a transposed copy (making it, " + formatTime(Copy) +
                   ", is counted)";
        F.Gain = Gain;
        F.EnergyGain = std::nullopt; // not known with the copy
      }
    }
    // If several requests together use all bytes of their sectors, only a gain
    // makes a finding: a known gain if the code generator may merge the
    // requests, else a gain that is not known to be small.
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

/// The address with the first lane of every warp aligned to a sector; null if
/// no expression gives the first lane (rows of a block that are no multiple of
/// a warp).
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
    // Report the access only if alignment removes sectors.
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
           A.gain(Result), A.energyGain(Result)});
  }
}

/// The address with neighbouring lanes one element further apart, as with rows
/// padded by one element.
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
  for (const AccessSite &Site : A.sites("global", l1Passes, Waste)) {
    const AccessReport &R = Site.Report;
    if (++Tried > Advisor::MaxTried)
      break;
    KernelModel Changed = A.Kernel;
    for (unsigned Index : Site.Copies)
      Changed.Accesses[Index].Address =
          paddedAddress(A, A.Kernel.Accesses[Index]);
    // Report the access only if another stride removes passes.
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
         Gain, A.energyGain(Result)});
  }
}

} // namespace gpuestimate
