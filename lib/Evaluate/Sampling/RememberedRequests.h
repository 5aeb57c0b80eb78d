/// \file
/// Requests of a bound kernel, looked up in the memory of shapes.
#ifndef GPU_ESTIMATE_LIB_EVALUATE_SAMPLING_REMEMBEREDREQUESTS_H
#define GPU_ESTIMATE_LIB_EVALUATE_SAMPLING_REMEMBEREDREQUESTS_H

#include "Evaluate/Access/LaneValues.h"
#include "gpu-estimate/Evaluate/Sampling/SamplingShapes.h"

namespace gpuestimate {

class RememberedRequests {
public:
  RememberedRequests(BoundKernel &Bound, const GpuModel &Gpu,
                     RequestShapes &Shapes);

  /// What the access costs in the warp and scope that were entered last, if
  /// the lanes of On, at least one, take part. Null where the address is not
  /// the sum of a part of the thread's and one that all lanes share.
  const RequestCounts *find(unsigned Access, uint64_t On);
  RequestCounter &counter(unsigned Access) { return Counters[Access]; }
  /// RequestShapes::kindOf() it.
  std::optional<unsigned> kind(unsigned Access) const {
    return Known[Access].Kind;
  }

private:
  BoundKernel &Bound;
  RequestShapes &Shapes;
  std::vector<RequestCounter> Counters; ///< [access]
  /// What was found last of a thread part in a warp.
  struct LaneShape {
    uint64_t On = 0;
    std::optional<unsigned> Shape;
    double First = 0; ///< thread part of the first lane
  };
  std::vector<LaneShape> LaneShapes; ///< [warp * thread parts + part]
  struct KnownRequests {
    std::optional<unsigned> Kind, Shape;
    RequestShapes::Table *Table = nullptr; ///< of both
  };
  std::vector<KnownRequests> Known; ///< [access]
};

} // namespace gpuestimate

#endif
