/// \file
/// Reads the text file of clusters that tools/train-scaling writes: schema
/// gpu-estimate-scaling/1, one key and its values a line.
///
///   model NAME ... end     a ClusterModel
///   record KEY TEXT        what the training found
///   left_out KERNEL ERROR  mean absolute error of the kernel's ratios, as a
///                          fraction, when it was left out of the training
///   analytic_error ERROR   that of the analytic model over all kernels
///   gpu ID
///   sm_counts, core_mhz, memory_mhz   the grid; base: a point of it
///   features NAME...
///   use nearest|blend      ClusterModel::Blend
///   scales time|error      ClusterModel::Corrects
///   sm_scaling             begins the set of clusters over counts
///   clock_scaling COUNT    begins the set of one count
///     centroid, mean, deviation, hidden, output   rows of numbers
#ifndef GPU_ESTIMATE_LIB_SCALING_CLUSTERFILE_H
#define GPU_ESTIMATE_LIB_SCALING_CLUSTERFILE_H

#include "gpu-estimate/Scaling/Clusters.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace gpuestimate {

/// Parses a file's text; errors name File and line, and what was expected.
llvm::Expected<std::vector<ClusterModel>> parseClusters(llvm::StringRef File,
                                                        llvm::StringRef Text);

/// The models of scaling/clusters.txt that comes with the program.
llvm::Expected<std::vector<ClusterModel>> loadClusters();

} // namespace gpuestimate

#endif
