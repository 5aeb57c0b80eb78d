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

/// How the number of a line gives its set.
struct SetHash {
  /// The low bits; anywhere, as if drawn; the remainder of the number divided
  /// by a polynomial, a bit for each coefficient, over the field of two
  /// elements (Rau, Pseudo-randomly interleaved memory, ISCA 1991).
  enum { LowBits, Drawn, Remainder } Kind = LowBits;
  /// Of Drawn: which draw. Of Remainder: the polynomial, whose degree is the
  /// logarithm of the number of sets.
  uint64_t Parameter = 0;
};

struct CacheShape {
  double Bytes = 0;
  unsigned Ways = 0; ///< 0: fully associative
  SetHash Hash = {};
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
  SetHash Hash;
  std::array<uint64_t, 64> Remainders{}; ///< [bit] of the line's number
  std::vector<std::list<Line>> Lines;    ///< [set] youngest first
  std::unordered_map<uint64_t, std::list<Line>::iterator> Where;
};

} // namespace gpuestimate::test

#endif
