/// \file
/// Scaling values between neighbouring configurations: Wu, Greathouse,
/// Lyashevsky, Jayasena, Chiou, "GPGPU performance and power estimation using
/// machine learning", HPCA 2015, section III-B. A configuration is a count of
/// multiprocessors (the paper's compute units), a core clock (its engine clock)
/// and a memory clock. With t the execution time, i the index of a core clock
/// and j that of a memory clock, at one count of multiprocessors:
///
///   core    e[i][j] = t[i+1][j] / t[i][j]
///   memory  m[i][j] = t[i][j+1] / t[i][j]
///
/// and over the counts k, at the base clocks:
///
///   multiprocessors  c[k] = t[k+1] / t[k]
///
/// All have no unit; below 1 is faster. The time at a target configuration is
/// the base time times the values on the way there, or their reciprocals on the
/// way down (equation 1): first c from the base count to the target's, then e
/// of the target's count at the base memory clock, then m at the target core
/// clock. For example t[0][0] = 8 ms, e[0][0] = 0.5, m[1][0] = 0.75: t[1][1] =
/// 8 * 0.5 * 0.75 = 3 ms. The indices that the paper prints fit neither its
/// figure nor its definitions; this is the consistent reading. Core clock
/// before memory clock and the reverse are equal on measured tables, and not on
/// means of several kernels.
///
/// This file and Clusters.h are plain C++, which the training program shares.
#ifndef GPU_ESTIMATE_SCALING_SCALINGVALUES_H
#define GPU_ESTIMATE_SCALING_SCALINGVALUES_H

#include <cstddef>
#include <vector>

namespace gpuestimate {

/// The configurations of a table, each list ascending and not empty.
struct ConfigurationGrid {
  std::vector<double> SmCounts;
  std::vector<double> CoreClocks, MemoryClocks; ///< MHz

  size_t clockCount() const { return CoreClocks.size() * MemoryClocks.size(); }
  size_t size() const { return SmCounts.size() * clockCount(); }
};

/// Indices into the lists of a grid.
struct GridPoint {
  size_t Sm = 0, Core = 0, Memory = 0;
};

/// The place of a point in a table of times: memory clocks vary fastest, then
/// core clocks, then counts of multiprocessors.
size_t indexOf(const ConfigurationGrid &Grid, GridPoint Point);

/// The values between the clocks at one count of multiprocessors.
struct ClockScalingValues {
  std::vector<std::vector<double>> Core;   ///< e[i][j]
  std::vector<std::vector<double>> Memory; ///< m[i][j]
};

struct ScalingValues {
  std::vector<double> Sm;                 ///< c[k]
  std::vector<ClockScalingValues> Clocks; ///< for each count of multiprocessors
};

/// Scaling values of Times, which indexOf() orders and which are all above 0.
ScalingValues scalingValues(const ConfigurationGrid &Grid,
                            const std::vector<double> &Times, GridPoint Base);

/// Which clock changes first on the way to a target.
enum class ClockOrder : unsigned char { CoreFirst, MemoryFirst };

/// The factor from the time at Base to that at Target.
double scalingFactor(const ScalingValues &Values, GridPoint Base,
                     GridPoint Target,
                     ClockOrder Order = ClockOrder::CoreFirst);

/// The factors from the base point to any clocks, at the base count of
/// multiprocessors. Between neighbours of the grid the logarithm of the factor
/// is linear in the logarithm of each clock, as of a time that is a power of a
/// clock; beyond the ends it stays that of the end. Example: factors 1 at 1000
/// MHz and 2 at 500 MHz give sqrt(2) at 707 MHz.
class ClockFactors {
public:
  ClockFactors(const ConfigurationGrid &Grid, const ScalingValues &Values,
               GridPoint Base);

  double at(double CoreMhz, double MemoryMhz) const;

private:
  std::vector<double> LogCores, LogMemories;
  std::vector<double> LogFactors; ///< [core][memory]
};

/// How the times of a table move with the two clocks between their ends, at the
/// base value of the other: d ln(time) / d ln(1 / clock), 1 where the time is
/// inverse to the clock and 0 where it does not depend on it.
struct Elasticities {
  double Core = 0, Memory = 0; ///< 0 also for a clock that has one value
};
Elasticities elasticities(const ConfigurationGrid &Grid,
                          const std::vector<double> &Times, GridPoint Base);

/// All values of one count of multiprocessors, e before m, row by row: the
/// vector that is clustered.
std::vector<double> flatten(const ClockScalingValues &Values);
ClockScalingValues unflatten(const ConfigurationGrid &Grid,
                             const std::vector<double> &Values);

} // namespace gpuestimate

#endif
