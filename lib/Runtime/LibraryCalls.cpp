#include "LibraryCalls.h"

namespace gpuestimate {

LibraryCallState recordLibraryCall(ApiCall &Call, cudaStream_t On,
                                   RunLibraryCall &What) {
  Stream *S = Call->find(On);
  if (!S)
    return LibraryCallState::NoStream;
  if (S->Capture) {
    Call.notice(What.Name + " is not captured into a graph");
    return LibraryCallState::Captured;
  }
  What.Stream = S->Number;
  Call.record(RunLibraryCall(What));
  return LibraryCallState::Recorded;
}

} // namespace gpuestimate
