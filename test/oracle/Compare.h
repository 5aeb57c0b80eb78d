/// \file
/// One launch by the closed form and by simulation.
#ifndef GPU_ESTIMATE_TEST_ORACLE_COMPARE_H
#define GPU_ESTIMATE_TEST_ORACLE_COMPARE_H

#include "Cases.h"
#include "Evaluate/Cache/SectoredCache.h"
#include "gpu-estimate/Evaluate/Cache/Traffic.h"
#include "gpu-estimate/Model/Kernel/KernelModel.h"
#include "gpu-estimate/Model/Machine/GpuModel.h"
#include "llvm/ADT/StringMap.h"

namespace gpuestimate::test {

/// Caches that are simulated. The closed form gets their capacity curves
/// (SweptCurve.h) instead of those of real caches.
struct OracleMachine {
  std::string Name;
  GpuModel Gpu;
  unsigned L1Ways = 0, L2Ways = 0; ///< 0: fully associative
  /// Of L1 and L2; each pair is simulated.
  std::vector<std::pair<SetHash, SetHash>> Hashes;
  bool Warm = false; ///< after a launch of the same
  CacheCurves Curves;
};

/// 6 multiprocessors of 512 threads with an L1 of 32 KiB each, an L2 of
/// 256 KiB: bytes of cache for each thread as on V100 to H100.
///   ideal  fully associative, memory that takes masked writes
///   sets   L1 of 4 sets, L2 of 16 ways with hashed sets, as Accel-Sim's tested
///          configurations of Volta to Ampere have them (gpgpusim.config of
///          SM7_QV100 and SM86_RTX3070: dl1 S:4:128:..., dl2 S:64:128:16,
///          ...P, P being a hash by polynomials); means over some hashes, those
///          of L1 being draws; memory that reads before it writes a part of a
///          sector
///   warm   the ideal one, after a launch of the same
std::vector<OracleMachine> oracleMachines();

/// Fractions of sectors, except the counts.
struct TrafficShares {
  double L1Hit = 0;   ///< of the loads that look into L1
  double L2Hit = 0;   ///< loads and atomics: 1 - bytes read from DRAM / asked
  double Written = 0; ///< DRAM writes / sectors stored
  double Sectors = 0, BankPasses = 0;
  /// Standard error of Sectors where addresses are data: the closed form has
  /// the expected value, one launch is simulated.
  double SectorsError = 0;
};

struct Comparison {
  TrafficShares Got, Want;
  double worst() const; ///< largest difference of a fraction
};

/// One for each machine; they share the requests, thus the number of lanes.
std::vector<Comparison> compare(const KernelModel &Kernel, const Shape &S,
                                llvm::ArrayRef<OracleMachine> Machines);

/// What the array of indices of a case holds.
double indexAt(double Element, double Range);

/// The models of every kernel, by name, as extracted from the sources.
llvm::StringMap<KernelModel> oracleKernels();

} // namespace gpuestimate::test

#endif
