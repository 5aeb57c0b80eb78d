/// \file
/// Calls of the recorder and the RaceDetector are one call for all lanes:
/// ge.trace.NAME.lanes(context, first thread, active lanes, rest), and
/// ge.race.access.lanes, where what differs by lane of the rest is an array, or
/// bits where it is true or false.
///
/// Example: ge.trace.access(context, thread, number, address) of 16 lanes is
/// ge.trace.access.lanes(context, first, 0xffff, number, addresses).
#ifndef GPU_ESTIMATE_LIB_EXECUTE_VECTORISE_RECORDLANES_H
#define GPU_ESTIMATE_LIB_EXECUTE_VECTORISE_RECORDLANES_H

#include "LaneBuilder.h"

namespace gpuestimate {

/// A call whose name begins with "ge.trace." or "ge.race.".
void emitRecord(LaneBuilder &B, llvm::CallInst &Call);

} // namespace gpuestimate

#endif
