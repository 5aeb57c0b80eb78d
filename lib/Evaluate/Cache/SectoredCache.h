/// \file
/// A simulated cache: sets of lines that are filled by sectors of 32 bytes.
#ifndef GPU_ESTIMATE_LIB_EVALUATE_CACHE_SECTOREDCACHE_H
#define GPU_ESTIMATE_LIB_EVALUATE_CACHE_SECTOREDCACHE_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <list>
#include <unordered_map>
#include <vector>

namespace gpuestimate {

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
  unsigned Ways = 0; ///< A; 0: fully associative
  SetHash Hash = {};
  unsigned LineBytes = 128; ///< B, 128 at most
};

/// A set-associative cache whose sets replace the least recently used line
/// (LRU). It has K = Bytes / (LineBytes * Ways) sets; without a hash, line m is
/// in set m mod K.
///
/// It is how equations 9 to 11 of CGPredict (Wang, Zhong, Mitra, ACM TECS
/// 16(5s):146, 2017) are computed. Their temporal conflict set TCS(m[j]) holds
/// the distinct lines of the set that were used between the uses j - 1 and j of
/// line m:
///   (9)  hit(m[j]) = 1 if |TCS(m[j])| < A and j > 1, else 0
///   (10) hits of a set = sum over its lines and their uses
///   (11) hits = sum over the sets
/// An LRU set of A lines holds line m just if |TCS| < A. For example, with 2
/// ways the uses a b a c b of one set hit once: the second a (TCS = {b}); the
/// second b misses (TCS = {a, c}).
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

} // namespace gpuestimate

#endif
