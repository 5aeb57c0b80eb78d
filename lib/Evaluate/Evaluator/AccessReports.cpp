#include "AccessReports.h"
#include "Evaluate/Access/StrideClass.h"
#include "gpu-estimate/Evaluate/Access/Request.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace llvm;

namespace gpuestimate {

namespace {

StringRef spaceName(MemorySpace S) {
  static constexpr StringRef Names[] = {"global", "shared", "constant", "local",
                                        "texture"};
  return Names[static_cast<unsigned>(S)];
}

StringRef kindName(AccessKind K) {
  static constexpr StringRef Names[] = {"load", "store", "atomic",
                                        "async-copy"};
  return Names[static_cast<unsigned>(K)];
}

/// Marks the blocks that lanes reach by chance: a condition or a trip count
/// around them depends on something unknown that differs between lanes.
void markChance(const KernelModel &Kernel, const std::vector<RegionNode> &Nodes,
                bool Outside, std::vector<bool> &Chance) {
  auto Unknowns = [&](Expr E) {
    std::vector<std::string> Names =
        E ? E.parameters() : std::vector<std::string>();
    return any_of(Kernel.Unknowns, [&](const Unknown &U) {
      return U.LaneVarying && is_contained(Names, U.Name);
    });
  };
  for (const RegionNode &I : Nodes) {
    if (I.Kind == RegionNode::IsBlock) {
      const BasicBlock &B = Kernel.Blocks[I.Index];
      Chance[I.Index] = Outside || (!B.WarpUniform && Unknowns(B.Active));
      continue;
    }
    const Loop &L = Kernel.Loops[I.Index];
    bool Inside = Outside || (!L.WarpUniform && Unknowns(L.Active)) ||
                  Unknowns(L.TripCount);
    markChance(Kernel, L.Body, Inside, Chance);
  }
}

/// Sectors of a request whose active lanes are neighbours in memory. Lanes that
/// take part by chance leave gaps, which no order of the data could close.
double idealSectors(double ActiveLanes, const MemoryAccess &A, bool ByChance,
                    const GpuModel &Gpu) {
  unsigned BytesPerThread = A.BytesPerThread;
  double Sector = sectorBytes(A, Gpu);
  double Needed = std::max(1.0, ActiveLanes * BytesPerThread / Sector);
  if (!ByChance)
    return Needed;
  std::vector<double> Addresses, Chances;
  for (unsigned Lane = 0; Lane < Gpu.WarpSize; ++Lane) {
    Addresses.push_back(double(Lane) * BytesPerThread);
    Chances.push_back(std::min(1.0, ActiveLanes / Gpu.WarpSize));
  }
  return std::max(Needed,
                  expectedSectorsPerRequest(Addresses, Chances, BytesPerThread,
                                            unsigned(Sector)));
}

} // namespace

std::vector<AccessReport> accessReports(const ModelInputs &In) {
  const KernelModel &Kernel = In.Kernel;
  std::vector<AccessReport> Reports;
  std::vector<bool> Chance(Kernel.Blocks.size());
  markChance(Kernel, Kernel.Body, false, Chance);
  std::vector<StrideClass> Classes;
  if (In.Options.Wanted.Latencies)
    Classes = strideClasses(Kernel, In.Gpu, In.L, In.All);
  for (unsigned I = 0; I < Kernel.Accesses.size(); ++I) {
    const MemoryAccess &A = Kernel.Accesses[I];
    const AccessTotals &T = In.Sample.Accesses[I];
    const AccessTraffic &F = In.Flow.Accesses[I];
    AccessReport R;
    R.Location = A.Location;
    R.Base = A.Base;
    R.Space = spaceName(A.Space);
    R.Kind = kindName(A.Kind);
    R.BytesPerThread = A.BytesPerThread;
    R.Requests = T.Requests;
    R.DataDependent = A.DataDependent;
    if (T.Requests > 0) {
      R.SectorsPerRequest = T.Sectors / T.Requests;
      R.IdealSectorsPerRequest =
          idealSectors(T.Threads / T.Requests, A, Chance[A.Block], In.Gpu);
      R.PassesPerRequest = T.Wavefronts / T.Requests;
      R.LanesOnOneAddress = T.SameAddress / T.Requests;
    }
    if (!Classes.empty() && A.Space == MemorySpace::Global)
      R.StrideClass = name(Classes[I]).str();
    R.L1Hit = F.L1Hit;
    R.L2Hit = F.L2Hit;
    R.L2Bytes = F.L2Bytes;
    R.DramReadBytes = F.DramReadBytes;
    R.DramWriteBytes = F.DramWriteBytes;
    Reports.push_back(std::move(R));
  }
  return Reports;
}

} // namespace gpuestimate
