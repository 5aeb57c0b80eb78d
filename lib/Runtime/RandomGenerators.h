/// \file
/// The generators behind cuRAND's host interface. A generator deals out 4096
/// sequences in turn: result n of memory is number n / 4096 of sequence n %
/// 4096 (cuRAND Library, "Order", CURAND_ORDERING_PSEUDO_LEGACY). Sequences are
/// 2^67 (XORWOW) or 2^76 (MRG32k3a) numbers apart.
#ifndef GPU_ESTIMATE_LIB_RUNTIME_RANDOMGENERATORS_H
#define GPU_ESTIMATE_LIB_RUNTIME_RANDOMGENERATORS_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace gpuestimate {

/// G. Marsaglia, "Xorshift RNGs", J. Stat. Software 8(14), 2003, section 3.1:
/// five words that are linear over GF(2), and a counter.
class Xorwow {
public:
  static constexpr unsigned SequenceBits = 67; ///< between two sequences
  explicit Xorwow(uint64_t Seed);

  uint32_t next();
  float uniform();        ///< in (0, 1], of one number
  double uniformDouble(); ///< in (0, 1], of two numbers
  void skip(uint64_t Numbers);
  void skipSequence();

private:
  std::array<uint32_t, 5> Words;
  uint32_t Counter;
};

/// P. L'Ecuyer, "Good parameters and implementations for combined multiple
/// recursive random number generators", Operations Research 47(1), 1999.
class Mrg32k3a {
public:
  static constexpr unsigned SequenceBits = 76;
  explicit Mrg32k3a(uint64_t Seed);

  uint32_t next();
  float uniform();
  double uniformDouble();
  void skip(uint64_t Numbers);
  void skipSequence();

private:
  uint64_t combined(); ///< in 1 to 2^32 - 209
  std::array<uint64_t, 3> First, Second;
};

/// Results in the order of memory.
class RandomGenerator {
public:
  virtual ~RandomGenerator() = default;
  virtual void reset(uint64_t Seed, uint64_t Offset) = 0;
  virtual void bits(uint32_t *Out, size_t Count) = 0;
  virtual void uniform(float *Out, size_t Count) = 0;
  virtual void uniform(double *Out, size_t Count) = 0;
  /// Box-Muller; a pair of one sequence stands side by side. Count is even.
  virtual void normal(float *Out, size_t Count, float Mean,
                      float Deviation) = 0;
  virtual void normal(double *Out, size_t Count, double Mean,
                      double Deviation) = 0;
};
std::unique_ptr<RandomGenerator> makeXorwow();
std::unique_ptr<RandomGenerator> makeMrg32k3a();

} // namespace gpuestimate

#endif
