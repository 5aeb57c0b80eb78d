#include "CriticalPath.h"

#include "llvm/ADT/STLExtras.h"
#include <map>

using namespace llvm;

namespace gpuestimate {

static StringRef describe(const TimelineOperation &O) {
  bool Migrates = O.Migration != RunMigration::None;
  switch (O.Kind) {
  case OperationKind::Kernel:
    return "kernels";
  case OperationKind::CopyIn:
    return Migrates   ? "migration of managed memory to the GPU"
           : O.Pinned ? "copies to the GPU"
                      : "copies to the GPU, pageable";
  case OperationKind::CopyOut:
    return Migrates   ? "migration of managed memory to the host"
           : O.Pinned ? "copies to the host"
                      : "copies to the host, pageable";
  case OperationKind::DeviceCopy:
    return "copies within the GPU";
  case OperationKind::Memset:
    return "memsets";
  case OperationKind::HostFunction:
    return "host functions of streams";
  case OperationKind::Marker:
    break;
  }
  return "events";
}

std::vector<CriticalPiece> criticalPath(const DeviceSchedule &Schedule,
                                        ArrayRef<TimelineOperation> Operations,
                                        ArrayRef<HostStep> Steps,
                                        ArrayRef<size_t> StepOf) {
  constexpr auto None = DeviceSchedule::NoIndex;
  std::map<StringRef, double> Sums;
  // From the end to the start. The host works in a step until UntilNs; the
  // work before it belongs to the steps before.
  size_t Step = Steps.size();
  double UntilNs = Steps.empty() ? 0 : Steps.back().EndNs;
  DeviceSchedule::Index Op = None;
  while (true) {
    if (Op != None) {
      const DeviceSchedule::Operation &O = Schedule[Op];
      Sums[describe(Operations[Op])] += O.EndNs - O.StartNs;
      if (O.Cause != None) {
        Sums["gaps before kernels"] += O.StartNs - Schedule[O.Cause].EndNs;
        Op = O.Cause;
        continue;
      }
      const HostStep &Issuer = Steps[StepOf[Op]];
      Sums["latency between host and GPU"] += O.StartNs - Issuer.IssuedNs;
      Sums["calls of the runtime"] += Issuer.IssuedNs - Issuer.StartNs;
      Step = StepOf[Op];
      UntilNs = Issuer.StartNs;
      Op = None;
      continue;
    }
    if (Step == 0)
      break;
    const HostStep &S = Steps[--Step];
    Sums["the program's own work"] += UntilNs - S.EndNs;
    if (S.Waited != None && S.WaitNs > 0) {
      Op = S.Waited;
      Sums["latency between host and GPU"] += S.EndNs - Schedule[Op].EndNs;
    } else {
      Sums["calls of the runtime"] += S.EndNs - S.StartNs;
      UntilNs = S.StartNs;
    }
  }
  Sums["the program's own work"] += UntilNs;

  std::vector<CriticalPiece> Pieces;
  for (const auto &[What, Ns] : Sums)
    if (Ns > 0)
      Pieces.push_back({What.str(), Ns});
  stable_sort(Pieces, [](const CriticalPiece &A, const CriticalPiece &B) {
    return A.Ns > B.Ns;
  });
  return Pieces;
}

} // namespace gpuestimate
