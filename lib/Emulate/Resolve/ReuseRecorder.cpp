#include "ReuseRecorder.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/bit.h"
#include "llvm/IR/Instructions.h"
#include <algorithm>
#include <cmath>

using namespace llvm;

namespace gpuestimate {

void ReuseRecorder::beginBlock(const std::array<uint64_t, 3> &Index) {
  Block = Index;
  LastTouch.clear();
  Tree.assign(MaxTouches + 1, 0);
  Time = 0;
}

void ReuseRecorder::count(unsigned At, int By) {
  for (; At <= MaxTouches; At += At & -At)
    Tree[At] += By;
}

unsigned ReuseRecorder::touchedUntil(unsigned At) const {
  unsigned Sum = 0;
  for (; At > 0; At -= At & -At)
    Sum += Tree[At];
  return Sum;
}

double ReuseRecorder::distance(uint64_t Sector) const {
  auto Last = LastTouch.find(Sector);
  if (Last == LastTouch.end())
    return INFINITY;
  return double(LastTouch.size() - touchedUntil(Last->second)) * SectorBytes;
}

void ReuseRecorder::touch(uint64_t Sector) {
  auto [Last, New] = LastTouch.try_emplace(Sector, 0);
  if (!New)
    count(Last->second, -1);
  Last->second = ++Time;
  count(Time, 1);
}

void ReuseRecorder::add(const EmulatedRequest &Request) {
  if (Request.Space != MemorySpace::Global || !isa<LoadInst>(Request.At))
    return;
  if (Request.Block != Block)
    beginBlock(Request.Block);
  SmallVector<uint64_t, 32> Sectors;
  // A number of at most 36 bits for the offset, and the buffer above it.
  uint64_t Base = Request.Buffer * (DeviceMemory::Window / SectorBytes);
  for (uint64_t Mask = Request.Mask; Mask != 0; Mask &= Mask - 1) {
    uint64_t First = Request.Addresses[countr_zero(Mask)];
    for (uint64_t S = First / SectorBytes;
         S <= (First + Request.Bytes - 1) / SectorBytes; ++S)
      Sectors.push_back(Base + S);
  }
  sort(Sectors);
  Sectors.erase(std::unique(Sectors.begin(), Sectors.end()), Sectors.end());
  if (Time + Sectors.size() > MaxTouches)
    return;
  double Largest = 0;
  for (uint64_t Sector : Sectors)
    Largest = std::max(Largest, distance(Sector));
  for (uint64_t Sector : Sectors)
    touch(Sector);
  std::vector<double> &OfLoad =
      Reuses[{Request.Block, Request.Warp}][Request.At];
  if (OfLoad.size() < MaxReuses)
    OfLoad.push_back(Largest);
}

const ReuseRecorder::ReusesOfWarp *
ReuseRecorder::find(const EmulatedWarp &Warp) const {
  auto Entry = Reuses.find({Warp.Block, Warp.Warp});
  return Entry == Reuses.end() ? nullptr : &Entry->second;
}

} // namespace gpuestimate
