/// \file
/// The predicted time by source line.
///
/// Every component of the breakdown is divided among the operations in
/// proportion to their demand on the component's resource, summed over the
/// launch; an operation's share belongs to its source line:
///
///   share(line) = sum over components c of fraction(c) *
///                 sum over the line's operations of weight(c, op) /
///                 sum over all operations of weight(c, op)
///
///   issue               warp instructions
///   pipes               cycles of the pipe that is busiest in the launch
///   load-store          warp instructions that access memory
///   registers           cycles of the register file's read ports
///   dependency          cycles that a warp, alone, waits for the operation's
///                       result (the longest sampled warp; not for memory)
///   shared              passes through shared memory
///   l1                  passes through the data stage of L1
///   uncoalesced         passes beyond the first of each request
///   outstanding         bytes that loads move between L1 and L2
///   l2                  bytes between L1 and L2
///   l3                  bytes that miss L2
///   dram, dram-queue    bytes between L2 and DRAM
///   atomics             lanes on one address (shared), threads (global)
///   barrier             barriers of warps
///
/// The energy of a launch is divided likewise: an event's by the number of
/// these events, the rest by the lines' shares of the time.
///
/// No line gets the components launch, tail and dispatch, a component without
/// any demand, or the demand of operations without a source location.
#ifndef GPU_ESTIMATE_LIB_EVALUATE_EVALUATOR_LINECOSTS_H
#define GPU_ESTIMATE_LIB_EVALUATE_EVALUATOR_LINECOSTS_H

#include "gpu-estimate/Evaluate/Models/ModelInputs.h"
#include "gpu-estimate/Model/Result/Prediction.h"

namespace gpuestimate {

/// Sets P.Lines and P.OffLine from P.Breakdown and P.Power. They sum to 1.
void fillLines(Prediction &P, const ModelInputs &In);

} // namespace gpuestimate

#endif
