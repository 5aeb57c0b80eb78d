/// \file
/// Passes that one request takes through banked data stages.
#include "GranuleList.h"
#include "gpu-estimate/Evaluate/Access/Request.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include <array>
#include <cmath>

namespace gpuestimate {

/// Of the data stage that has them.
static constexpr unsigned GlobalBanks = 32, WordBytes = 4;

bool mergesPairs(const MemoryAccess &A, const GpuModel &Gpu) {
  return A.Space == MemorySpace::Shared && A.Kind == AccessKind::Load &&
         A.BytesPerThread > 4 && std::atoi(Gpu.ComputeCapability.c_str()) >= 5;
}

double wideAccessPasses(const MemoryAccess &A, const GpuModel &Gpu) {
  bool Fermi = std::atoi(Gpu.ComputeCapability.c_str()) == 2;
  return Fermi && A.BytesPerThread > 8 ? 1483.35 / 982.38 : 1;
}

/// Has every active lane the address of lane ^ Distance, if that is active?
static bool equalPairs(llvm::ArrayRef<double> LaneAddresses, size_t Distance) {
  for (size_t Lane = 0; Lane < LaneAddresses.size(); ++Lane) {
    size_t Other = Lane ^ Distance;
    if (Other > Lane && Other < LaneAddresses.size() &&
        std::isfinite(LaneAddresses[Lane]) &&
        std::isfinite(LaneAddresses[Other]) &&
        LaneAddresses[Lane] != LaneAddresses[Other])
      return false;
  }
  return true;
}

unsigned bankPasses(llvm::ArrayRef<double> LaneAddresses,
                    unsigned BytesPerThread, unsigned Banks, unsigned BankWidth,
                    unsigned Segment, bool PairsMerge) {
  if (!Banks || !BankWidth)
    return LaneAddresses.empty() ? 0 : 1;
  uint64_t SegmentWords = std::max(Banks, Segment / BankWidth);
  // As many lanes at a time as the banks can serve without any conflict.
  unsigned PerLane = std::max(BytesPerThread, BankWidth);
  unsigned GroupLanes = std::max(1u, Banks * BankWidth / PerLane);
  if (PairsMerge &&
      (equalPairs(LaneAddresses, 1) || equalPairs(LaneAddresses, 2)))
    GroupLanes *= 2;
  FloorDivision InSegment(SegmentWords), InRow(Banks);
  unsigned Passes = 0;
  Granules Words;
  // Of each bank the segments that it serves, as a list: its latest word, and
  // of each word the one before; counted from 1.
  llvm::SmallVector<uint16_t, 64> Latest;
  llvm::SmallVector<uint16_t, 128> Before;
  Granules Segments;
  llvm::SmallVector<uint16_t, 64> Served;
  for (size_t First = 0; First < LaneAddresses.size(); First += GroupLanes) {
    listGranules(
        LaneAddresses.slice(
            First, std::min<size_t>(GroupLanes, LaneAddresses.size() - First)),
        BytesPerThread, BankWidth, Words);
    if (Words.empty())
      continue;
    auto [Least, Most] = std::minmax_element(Words.begin(), Words.end());
    if (*Most - *Least < int64_t(Banks)) {
      ++Passes; // one row of the banks
      continue;
    }
    Latest.assign(Banks, 0);
    Served.assign(Banks, 0);
    Before.resize_for_overwrite(Words.size() + 1);
    Segments.resize_for_overwrite(Words.size() + 1);
    unsigned Worst = 0;
    for (auto [Index, W] : llvm::enumerate(Words)) {
      size_t Bank = W - InRow(W) * Banks;
      int64_t In = InSegment(W);
      uint16_t Other = Latest[Bank];
      while (Other && Segments[Other] != In)
        Other = Before[Other];
      if (Other)
        continue;
      Before[Index + 1] = Latest[Bank];
      Segments[Index + 1] = In;
      Latest[Bank] = Index + 1;
      Worst = std::max<unsigned>(Worst, ++Served[Bank]);
    }
    Passes += Worst;
  }
  return Passes;
}

/// Sum over groups of Lanes consecutive lanes of their distinct granules.
static unsigned granulesByGroup(llvm::ArrayRef<double> Addresses,
                                unsigned Bytes, unsigned Lanes,
                                unsigned Granule) {
  unsigned Total = 0;
  for (size_t First = 0; First < Addresses.size(); First += Lanes)
    Total += distinctGranules(
        Addresses.slice(First,
                        std::min<size_t>(Lanes, Addresses.size() - First)),
        Bytes, Granule);
  return Total;
}

bool hasBankedDataStage(const GpuModel &Gpu) {
  return Gpu.ComputeCapability.empty()
             ? Gpu.WarpSize == 32
             : std::atoi(Gpu.ComputeCapability.c_str()) >= 7;
}

double wideLoadPasses(const MemoryAccess &A,
                      llvm::ArrayRef<double> LaneAddresses,
                      const GpuModel &Gpu) {
  if (!Gpu.ComputeCapability.empty() || A.Kind != AccessKind::Load ||
      A.BytesPerThread < 8)
    return 0;
  constexpr unsigned GroupLanes = 4, GroupBytes = 64;
  unsigned Groups = 0;
  for (size_t First = 0; First < LaneAddresses.size(); First += GroupLanes)
    Groups +=
        llvm::any_of(LaneAddresses.drop_front(First).take_front(GroupLanes),
                     [](double Address) { return std::isfinite(Address); });
  return Groups * GroupBytes / std::max(1.0, Gpu.L1.Line.value());
}

double globalPasses(llvm::ArrayRef<double> LaneAddresses,
                    unsigned BytesPerThread, const GpuModel &Gpu) {
  return globalPasses(LaneAddresses, BytesPerThread, Gpu,
                      distinctGranules(LaneAddresses, BytesPerThread,
                                       std::max(1.0, Gpu.L1.Line.value())));
}

double globalPasses(llvm::ArrayRef<double> LaneAddresses,
                    unsigned BytesPerThread, const GpuModel &Gpu,
                    unsigned Lines) {
  unsigned Line = std::max(1.0, Gpu.L1.Line.value());
  unsigned Sector = std::max(1.0, Gpu.L1.Sector.value());
  if (Lines == 0)
    return 0;
  if (hasBankedDataStage(Gpu))
    return std::max((Lines + 3) / 4, bankPasses(LaneAddresses, BytesPerThread,
                                                GlobalBanks, WordBytes));
  unsigned Width = std::max(4u, BytesPerThread);
  if (Gpu.ComputeCapability.empty())
    return std::max(Lines, (Gpu.WarpSize + 15) / 16);
  int Major = std::atoi(Gpu.ComputeCapability.c_str());
  if (Major >= 5)
    return std::max(1.0, granulesByGroup(LaneAddresses, BytesPerThread,
                                         std::max(1u, 32 / Width), Sector) /
                             4.0);
  return granulesByGroup(LaneAddresses, BytesPerThread,
                         std::max(1u, 128 / Width), Line);
}

} // namespace gpuestimate
