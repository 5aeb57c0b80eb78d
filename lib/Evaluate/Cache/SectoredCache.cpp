#include "SectoredCache.h"

#include "gpu-estimate/Support/Hash.h"
#include <algorithm>
#include <bit>

namespace gpuestimate {

SectoredCache::SectoredCache(const CacheShape &Shape) : Hash(Shape.Hash) {
  size_t Room = std::max<size_t>(1, size_t(Shape.Bytes) / Shape.LineBytes);
  Ways = Shape.Ways ? std::min<size_t>(Shape.Ways, Room) : Room;
  Sets = Room / Ways;
  Lines.resize(Sets);
  Where.reserve(std::min<size_t>(Room, 1 << 20) + 1);
  if (Hash.Kind != SetHash::Remainder)
    return;
  uint64_t Power = 1, Highest = std::bit_floor(Hash.Parameter);
  for (uint64_t &Remainder : Remainders) {
    Remainder = Power;
    Power *= 2;
    if (Power & Highest)
      Power ^= Hash.Parameter;
  }
}

size_t SectoredCache::setOf(uint64_t Number) const {
  switch (Hash.Kind) {
  case SetHash::LowBits:
    break;
  case SetHash::Drawn:
    return mixBits(Hash.Parameter, Number) % Sets;
  case SetHash::Remainder:
    uint64_t Sum = 0;
    for (; Number; Number &= Number - 1)
      Sum ^= Remainders[std::countr_zero(Number)];
    return Sum % Sets;
  }
  return Number % Sets;
}

SectoredCache::Line *SectoredCache::find(uint64_t Number, bool Touched) {
  auto Found = Where.find(Number);
  if (Found == Where.end())
    return nullptr;
  if (Touched) {
    std::list<Line> &Set = Lines[setOf(Number)];
    Set.splice(Set.begin(), Set, Found->second);
  }
  return &*Found->second;
}

SectoredCache::Line &SectoredCache::insert(uint64_t Number, Line *Evicted,
                                           bool &HasEvicted) {
  std::list<Line> &Set = Lines[setOf(Number)];
  HasEvicted = Set.size() == Ways;
  if (HasEvicted) {
    *Evicted = Set.back();
    Where.erase(Set.back().Number);
    Set.splice(Set.begin(), Set, std::prev(Set.end()));
    Set.front() = Line();
  } else {
    Set.emplace_front();
  }
  Set.front().Number = Number;
  Where[Number] = Set.begin();
  return Set.front();
}

} // namespace gpuestimate
