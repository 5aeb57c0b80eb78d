#include "Transfer.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace gpuestimate {

void addTransfers(Analysis &A) {
  for (ExplainedPrediction &E : A.Estimates) {
    const Prediction &There = E.Estimate;
    if (!E.Recorded || !E.Recorded->Time || E.Curve ||
        E.Recorded->Gpu == There.Gpu)
      continue;
    auto Measured = find_if(A.Estimates, [&](const ExplainedPrediction &Other) {
      return Other.Recorded && Other.Estimate.Gpu == E.Recorded->Gpu &&
             Other.Estimate.Kernel == There.Kernel && !Other.Curve &&
             Other.Recorded->Number == E.Recorded->Number;
    });
    if (Measured == A.Estimates.end() || Measured->Estimate.Time <= Seconds())
      continue;
    const Prediction &Here = Measured->Estimate;
    TransferredTime &T = E.Transferred.emplace();
    T.Time = *E.Recorded->Time * (There.Time / Here.Time);
    T.Bottleneck = Here.Bottleneck;
    if (Here.Error && There.Error) {
      double Factor = ratioError(Here.Error->Transfer, There.Error->Transfer);
      T.Error = TimeFactors{1 / Factor, Factor};
    }
  }
}

} // namespace gpuestimate
