/// \file
/// The table that `gpu-estimate validate --format scaling` writes, as grids of
/// kernels.
#ifndef GPU_ESTIMATE_TOOLS_TRAINSCALING_TABLE_H
#define GPU_ESTIMATE_TOOLS_TRAINSCALING_TABLE_H

#include "gpu-estimate/Scaling/Clusters.h"
#include <map>
#include <string>
#include <vector>

namespace gpuestimate {

/// A kernel with a time at every configuration of its table.
struct MeasuredKernel {
  std::string Name;
  Row Measured, Predicted;                ///< ms, as indexOf() orders them
  std::map<std::string, double> Features; ///< "static:dram" -> 0.9
};

/// The kernels of one dataset on one GPU with one base point.
struct MeasuredTable {
  std::string Dataset, Gpu;
  ConfigurationGrid Grid;
  GridPoint Base;
  std::vector<MeasuredKernel> Kernels;
  /// Kernels that lack a configuration or features, which are left out.
  std::vector<std::string> Incomplete;

  std::string name() const; ///< "nvidia-gtx-980@1000x1000"
};

/// Reads a table. Throws std::runtime_error with file, line and what was
/// expected.
std::vector<MeasuredTable> readTables(const std::string &File);

} // namespace gpuestimate

#endif
