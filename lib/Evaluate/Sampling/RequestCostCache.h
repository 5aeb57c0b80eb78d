/// \file
/// Lookup of the requests of a kernel in the tables of request costs.
#ifndef GPU_ESTIMATE_LIB_EVALUATE_SAMPLING_REQUESTCOSTCACHE_H
#define GPU_ESTIMATE_LIB_EVALUATE_SAMPLING_REQUESTCOSTCACHE_H

#include "Evaluate/Access/LaneState.h"
#include "gpu-estimate/Evaluate/Sampling/RequestCostTables.h"

namespace gpuestimate {

/// Looks up costs of requests whose addresses are in split form (thread part +
/// uniform part): the thread part determines the shape of a request, the
/// uniform part only its position.
class RequestCostCache {
public:
  RequestCostCache(LaneState &State, const GpuModel &Gpu,
                   RequestCostTables &Tables);

  /// Cost of the access in the current warp and scope if exactly the lanes of
  /// the mask ActiveLanes (not 0) are active. Null if the address has no split
  /// form.
  const RequestCost *find(unsigned Access, uint64_t ActiveLanes);
  RequestCostModel &model(unsigned Access) { return Models[Access]; }
  /// RequestCostTables::costClass() of the access.
  std::optional<unsigned> costClass(unsigned Access) const {
    return LastRequests[Access].CostClass;
  }

private:
  LaneState &State;
  const LaunchProgram &Program;
  RequestCostTables &Tables;
  std::vector<RequestCostModel> Models; ///< [access]
  /// The last shape that was looked up for a thread part of a warp.
  struct LaneShape {
    uint64_t ActiveLanes = 0;
    std::optional<unsigned> Shape;
    double First = 0; ///< thread part of the first active lane
  };
  std::vector<LaneShape> LaneShapes; ///< [warp * thread parts + part]
  struct LastRequest {
    std::optional<unsigned> CostClass, Shape;
    RequestCostTables::Table *Table = nullptr; ///< of both
  };
  std::vector<LastRequest> LastRequests; ///< [access]
};

} // namespace gpuestimate

#endif
