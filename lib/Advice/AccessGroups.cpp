/// \file
/// Merges the copies of an access.
#include "gpu-estimate/Advice/AccessGroups.h"

#include "llvm/ADT/STLExtras.h"

namespace gpuestimate {

bool isSameAccess(const AccessReport &A, const AccessReport &B) {
  // The most selective comparison first.
  return A.Location.Line == B.Location.Line &&
         A.Location.Column == B.Location.Column &&
         A.BytesPerThread == B.BytesPerThread && A.Kind == B.Kind &&
         A.Space == B.Space && A.Base == B.Base && A.Location == B.Location;
}

/// Mean of A and B with the given weights; A where both are 0.
static double mean(double A, double WeightA, double B, double WeightB) {
  double Sum = WeightA + WeightB;
  return Sum > 0 ? (A * WeightA + B * WeightB) / Sum : A;
}

static void join(AccessReport &Into, const AccessReport &A) {
  double OldRequests = Into.Requests,
         OldSectors = OldRequests * Into.SectorsPerRequest;
  double Requests = A.Requests, Sectors = Requests * A.SectorsPerRequest;
  auto PerRequest = [&](double AccessReport::*Member) {
    Into.*Member = mean(Into.*Member, OldRequests, A.*Member, Requests);
  };
  PerRequest(&AccessReport::SectorsPerRequest);
  PerRequest(&AccessReport::IdealSectorsPerRequest);
  PerRequest(&AccessReport::PassesPerRequest);
  PerRequest(&AccessReport::LanesOnOneAddress);
  // L1's misses reach L2.
  Into.L2Hit = mean(Into.L2Hit, OldSectors * (1 - Into.L1Hit), A.L2Hit,
                    Sectors * (1 - A.L1Hit));
  Into.L1Hit = mean(Into.L1Hit, OldSectors, A.L1Hit, Sectors);
  Into.Requests += Requests;
  Into.L2Bytes += A.L2Bytes;
  Into.DramReadBytes += A.DramReadBytes;
  Into.DramWriteBytes += A.DramWriteBytes;
  Into.DataDependent |= A.DataDependent;
}

std::vector<AccessReport> mergeAccesses(llvm::ArrayRef<AccessReport> Accesses) {
  std::vector<AccessReport> Merged;
  for (const AccessReport &A : Accesses) {
    auto Copy = llvm::find_if(
        Merged, [&](const AccessReport &M) { return isSameAccess(M, A); });
    if (Copy == Merged.end())
      Merged.push_back(A);
    else
      join(*Copy, A);
  }
  return Merged;
}

std::string describeAccess(const AccessReport &A) {
  if (A.Base.empty())
    return A.Space + " " + A.Kind;
  const char *Preposition = A.Kind == "load"     ? " from '"
                            : A.Kind == "atomic" ? " on '"
                                                 : " to '";
  return A.Kind + Preposition + A.Base + "'";
}

double neededPasses(const AccessReport &R) {
  return std::min(neededPasses(R.BytesPerThread), R.PassesPerRequest);
}

double neededPasses(unsigned BytesPerThread) {
  return std::max(1u, BytesPerThread / 4);
}

} // namespace gpuestimate
