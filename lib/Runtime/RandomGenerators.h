/// \file
/// The generators behind cuRAND's host interface, in the order of the chapter
/// "Order" of the cuRAND Library's guide. Pseudorandom generators deal out
/// sequences in turn: of S sequences, result n of memory is number n / S of
/// sequence n % S. Sequences are 2^67 (XORWOW) or 2^76 (MRG32k3a) numbers
/// apart; S is 4096, or 81920 for MRG32k3a in the default order. Philox takes
/// four results of one of its 65536 sequences, then four of the next.
#ifndef GPU_ESTIMATE_LIB_RUNTIME_RANDOMGENERATORS_H
#define GPU_ESTIMATE_LIB_RUNTIME_RANDOMGENERATORS_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace gpuestimate {

/// G. Marsaglia, "Xorshift RNGs", J. Stat. Software 8(14), 2003, section 3.1:
/// five words that are linear over GF(2), and a counter.
class Xorwow {
public:
  static constexpr unsigned SequenceBits = 67; ///< between two sequences
  static constexpr unsigned Together = 1; ///< results, before the next sequence
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
  static constexpr unsigned Together = 1;
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

/// J. Salmon, M. Moraes, R. Dror, D. Shaw, "Parallel random numbers: as easy as
/// 1, 2, 3", SC 2011: Philox4x32 with 10 rounds. The key is the seed; the upper
/// half of the counter is the number of the sequence.
class Philox {
public:
  static constexpr unsigned Together = 4;
  explicit Philox(uint64_t Seed) : Seed(Seed) {}

  uint32_t next();
  float uniform();
  double uniformDouble();
  void skip(uint64_t Numbers);
  void skipSequence() { ++Sequence; }

private:
  void encrypt();
  uint64_t Seed, Sequence = 0, Position = 0;
  std::array<uint32_t, 4> Block{}; ///< numbers Position / 4 * 4 and behind
  bool HasBlock = false;
};

/// Results in the order of memory.
class RandomGenerator {
public:
  virtual ~RandomGenerator() = default;
  /// Seed: of a quasirandom generator, the number of dimensions.
  virtual void reset(uint64_t Seed, uint64_t Offset) = 0;
  virtual void bits(uint32_t *Out, size_t Count) = 0;
  virtual void uniform(float *Out, size_t Count) = 0;
  virtual void uniform(double *Out, size_t Count) = 0;
  /// Box-Muller, where a pair of one sequence stands side by side and Count is
  /// even; the inverse of the distribution for quasirandom numbers.
  virtual void normal(float *Out, size_t Count, float Mean,
                      float Deviation) = 0;
  virtual void normal(double *Out, size_t Count, double Mean,
                      double Deviation) = 0;
};
std::unique_ptr<RandomGenerator> makeXorwow();
std::unique_ptr<RandomGenerator> makeMrg32k3a(unsigned Sequences);
std::unique_ptr<RandomGenerator> makePhilox();

/// Sobol' sequences in the order of Gray codes (I. Antonov, V. Saleev 1979),
/// with the direction numbers "new-joe-kuo-6" of S. Joe, F. Kuo, "Constructing
/// Sobol sequences with better two-dimensional projections", SIAM J. Sci.
/// Comput. 30(5), 2008. All results of the first dimension come first.
std::unique_ptr<RandomGenerator> makeSobol32();
/// Dimensions that makeSobol32() has direction numbers of; cuRAND has 20,000.
constexpr unsigned MaxSobolDimensions = 32;

/// Poisson's distribution by inversion: the smallest k whose cumulative
/// probability reaches a uniform number.
class PoissonQuantiles {
public:
  explicit PoissonQuantiles(double Mean);
  uint32_t operator()(double Uniform) const;

private:
  uint32_t First = 0; ///< the smallest k with a probability that counts
  std::vector<double> Cumulative;
};

} // namespace gpuestimate

#endif
