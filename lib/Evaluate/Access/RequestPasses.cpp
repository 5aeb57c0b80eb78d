/// \file
/// Passes of one request through shared memory and the L1 data stage.
#include "SectorIndices.h"
#include "gpu-estimate/Evaluate/Access/Request.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include <array>
#include <cmath>
#include <limits>

namespace gpuestimate {

/// Banks of the L1 data stage and their width.
static constexpr unsigned GlobalBanks = 32, WordBytes = 4;

bool mergesLanePairs(const MemoryAccess &A, const GpuModel &Gpu) {
  return A.Space == MemorySpace::Shared && A.Kind == AccessKind::Load &&
         A.BytesPerThread > 4 && std::atoi(Gpu.ComputeCapability.c_str()) >= 5;
}

double wideAccessPassFactor(const MemoryAccess &A, const GpuModel &Gpu) {
  bool Fermi = std::atoi(Gpu.ComputeCapability.c_str()) == 2;
  return Fermi && A.BytesPerThread > 8 ? 1483.35 / 982.38 : 1;
}

/// Whether all active lanes l and l ^ Distance have one address.
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
  // A group has as many lanes as the banks can serve without conflicts.
  unsigned PerLane = std::max(BytesPerThread, BankWidth);
  unsigned GroupLanes = std::max(1u, Banks * BankWidth / PerLane);
  if (PairsMerge &&
      (equalPairs(LaneAddresses, 1) || equalPairs(LaneAddresses, 2)))
    GroupLanes *= 2;
  FloorDivision InSegment(SegmentWords), InRow(Banks);
  unsigned Passes = 0;
  SectorIndices Words;
  // A linked list of the served segments per bank: Latest[bank] is the number
  // (from 1) of its last word, Previous[word] that of the one before.
  llvm::SmallVector<uint16_t, 64> Latest;
  llvm::SmallVector<uint16_t, 128> Previous;
  SectorIndices Segments;
  llvm::SmallVector<uint16_t, 64> Served;
  for (size_t First = 0; First < LaneAddresses.size(); First += GroupLanes) {
    listSectors(
        LaneAddresses.slice(
            First, std::min<size_t>(GroupLanes, LaneAddresses.size() - First)),
        BytesPerThread, BankWidth, Words);
    if (Words.empty())
      continue;
    auto [FirstWord, LastWord] =
        std::minmax_element(Words.begin(), Words.end());
    if (*LastWord - *FirstWord < int64_t(Banks)) {
      ++Passes; // one word per bank
      continue;
    }
    Latest.assign(Banks, 0);
    Served.assign(Banks, 0);
    Previous.resize_for_overwrite(Words.size() + 1);
    Segments.resize_for_overwrite(Words.size() + 1);
    unsigned Worst = 0;
    for (auto [Index, W] : llvm::enumerate(Words)) {
      size_t Bank = W - InRow(W) * Banks;
      int64_t SegmentIndex = InSegment(W);
      uint16_t Word = Latest[Bank];
      while (Word && Segments[Word] != SegmentIndex)
        Word = Previous[Word];
      if (Word)
        continue;
      Previous[Index + 1] = Latest[Bank];
      Segments[Index + 1] = SegmentIndex;
      Latest[Bank] = Index + 1;
      Worst = std::max<unsigned>(Worst, ++Served[Bank]);
    }
    Passes += Worst;
  }
  return Passes;
}

/// Sum of the distinct sectors of each group of Lanes consecutive lanes.
static unsigned sectorsByGroup(llvm::ArrayRef<double> Addresses, unsigned Bytes,
                               unsigned Lanes, unsigned SectorBytes) {
  unsigned Total = 0;
  for (size_t First = 0; First < Addresses.size(); First += Lanes)
    Total += sectorsPerRequest(
        Addresses.slice(First,
                        std::min<size_t>(Lanes, Addresses.size() - First)),
        Bytes, SectorBytes);
  return Total;
}

bool hasBankedDataStage(const GpuModel &Gpu) {
  return Gpu.ComputeCapability.empty()
             ? Gpu.WarpSize == 32
             : std::atoi(Gpu.ComputeCapability.c_str()) >= 7;
}

double serialPasses(unsigned Lanes, unsigned BytesPerThread,
                    const GpuModel &Gpu) {
  double Cycles =
      double(Lanes) * ((BytesPerThread + WordBytes - 1) / WordBytes);
  double BytesPerCycle = std::max(1.0, Gpu.SharedBandwidth.value());
  return Gpu.L1UnifiedWithShared
             ? std::max(1.0, Cycles * BytesPerCycle / (GlobalBanks * WordBytes))
             : std::numeric_limits<double>::infinity();
}

double minWideLoadPasses(const MemoryAccess &A,
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
                      sectorsPerRequest(LaneAddresses, BytesPerThread,
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
    return std::max(1.0, sectorsByGroup(LaneAddresses, BytesPerThread,
                                        std::max(1u, 32 / Width), Sector) /
                             4.0);
  return sectorsByGroup(LaneAddresses, BytesPerThread,
                        std::max(1u, 128 / Width), Line);
}

} // namespace gpuestimate
