/// \file
/// Hashes of 64-bit integers, for pseudo-random positions that are equal in
/// every run.
#ifndef GPU_ESTIMATE_SUPPORT_HASH_H
#define GPU_ESTIMATE_SUPPORT_HASH_H

#include <cstdint>

namespace gpuestimate {

/// A mixing function of 64-bit counters (the finaliser of SplitMix64).
inline uint64_t mixBits(uint64_t X) {
  X += 0x9e3779b97f4a7c15ULL;
  X = (X ^ (X >> 30)) * 0xbf58476d1ce4e5b9ULL;
  X = (X ^ (X >> 27)) * 0x94d049bb133111ebULL;
  return X ^ (X >> 31);
}
/// Combines a hash A, which is mixed already, with B.
inline uint64_t mixInto(uint64_t A, uint64_t B) {
  return mixBits(A ^ (B + 0x9e3779b97f4a7c15ULL));
}
inline uint64_t mixBits(uint64_t A, uint64_t B) {
  return mixInto(mixBits(A), B);
}
/// Maps a hash to [0, 1).
inline double unitFraction(uint64_t Hash) {
  return double(int64_t(Hash >> 11)) * 0x1p-53; // signed: one instruction
}

} // namespace gpuestimate

#endif
