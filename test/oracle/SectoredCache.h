/// \file
/// A set-associative cache of lines of 128 bytes under one tag, filled by
/// sectors of 32; the least recently used line of a set leaves first.
#ifndef GPU_ESTIMATE_TEST_ORACLE_SECTOREDCACHE_H
#define GPU_ESTIMATE_TEST_ORACLE_SECTOREDCACHE_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <list>
#include <unordered_map>
#include <vector>

namespace gpuestimate::test {

struct CacheShape {
  double Bytes = 0;
  unsigned Ways = 0; ///< 0: fully associative
  bool Hashed =
      false; ///< sets by a hash of the line's number, not its low bits
};

class SectoredCache {
public:
  struct Line {
    uint64_t Number = 0;
    std::array<uint32_t, 4> Valid{}; ///< [sector] a bit for each byte
    std::array<bool, 4> Dirty{};
  };

  explicit SectoredCache(const CacheShape &Shape);
  /// The line, if it is there. Touched: it becomes the youngest of its set.
  Line *find(uint64_t Number, bool Touched = true);
  /// A new, empty line; the one that had to leave goes to Evicted, if any.
  Line &insert(uint64_t Number, Line *Evicted, bool &HasEvicted);

private:
  size_t setOf(uint64_t Number) const;

  size_t Ways, Sets;
  bool Hashed;
  std::vector<std::list<Line>> Lines; ///< [set] youngest first
  std::unordered_map<uint64_t, std::list<Line>::iterator> Where;
};

} // namespace gpuestimate::test

#endif
