/// \file
/// Latencies and throughputs of the operation classes, and the issue rate.
#include "Fitter.h"

#include "llvm/Support/FormatVariadic.h"
#include <algorithm>

using namespace llvm;

namespace gpuestimate {

static std::string keyOf(StringRef Class, StringRef Value) {
  return ("operations." + Class + "." + Value).str();
}

/// Splits the measurement of a chain of pairs of two classes, of which one is
/// known. Latencies add up, as do the times of two operations of one pipe.
static void splitPair(Fitter &F, StringRef Chain, StringRef KnownName,
                      StringRef Class) {
  auto Find = [&](StringRef Group, StringRef Op) {
    return F.one(Group, Group, "operation", Op);
  };
  const Measurement *Both = Find("op_latency", Chain),
                    *One = Find("op_latency", KnownName);
  std::string Less =
      ("chain of " + Chain + " less " + keyOf(KnownName, "latency")).str();
  if (Both && One)
    F.add(keyOf(Class, "latency"), Both->Value - One->Value, "derived",
          "op_latency", Less + "; " + quality(*Both));
  Both = Find("op_throughput", Chain);
  One = Find("op_throughput", KnownName);
  if (Both && One && Both->Value > 0 && One->Value > Both->Value)
    F.add(keyOf(Class, "throughput"), 1 / (1 / Both->Value - 1 / One->Value),
          "derived", "op_throughput",
          "time of " + Chain + " less that of " + KnownName +
              ", which has the same pipe; " + quality(*Both));
}

static void fitIssue(Fitter &F) {
  const Measurement *Fastest = nullptr;
  for (const Measurement *M : F.named("issue", "instructions"))
    if (!Fastest || M->Value > Fastest->Value)
      Fastest = M;
  if (!Fastest)
    return;
  double Rate = Fastest->Value / F.Base.SchedulersPerSm;
  std::string Mix = Fastest->Words.count("mix") ? Fastest->Words.at("mix") : "";
  // Loops cost one or two of a hundred instructions, so a rate just below one
  // stands for one instruction per cycle.
  F.add("sm.issue_rate", Rate > 0.95 && Rate < 1.05 ? 1 : Rate, "measured",
        "issue",
        formatv("{0:F2} instructions per cycle and scheduler with {1}; {2}",
                Rate, Mix, quality(*Fastest))
            .str());
}

/// The experimental roofline: the highest rates of each type over all
/// intensities, and of bytes over all types.
static void fitRoofline(Fitter &F) {
  const Measurement *MostBytes = nullptr;
  auto intensity = [](const Measurement &M) {
    auto Number = M.Numbers.find("intensity");
    return Number == M.Numbers.end() ? 0 : Number->second;
  };
  auto bytes = [&](const Measurement &M) {
    return intensity(M) > 0 ? M.Value / intensity(M) : 0;
  };
  for (StringRef Type : {"fp32", "fp64", "int"}) {
    const Measurement *Fastest = nullptr;
    for (const Measurement *M : F.named("intensity", "mix")) {
      auto Word = M->Words.find("type");
      if (Word == M->Words.end() || Word->second != Type)
        continue;
      if (!Fastest || M->Value > Fastest->Value)
        Fastest = M;
      if (!MostBytes || bytes(*M) > bytes(*MostBytes))
        MostBytes = M;
    }
    if (Fastest)
      F.add(("roofline." + Type).str(),
            Fastest->Value / F.clock() / F.smCount(), "measured", "intensity",
            formatv("{0:F0} G/s at {1:F2} operations per byte; {2}",
                    Fastest->Value / 1e9, intensity(*Fastest),
                    quality(*Fastest))
                .str());
  }
  if (MostBytes)
    F.add("roofline.memory", bytes(*MostBytes), "measured", "intensity",
          formatv("at {0:F2} operations per byte; {1}", intensity(*MostBytes),
                  quality(*MostBytes))
              .str());
}

void fitOperations(Fitter &F) {
  for (const OpClassInfo &Class : opClassTable()) {
    StringRef Name = Class.Name;
    F.take(keyOf(Name, "latency"),
           F.one("op_latency", "op_latency", "operation", Name));
    F.take(keyOf(Name, "throughput"),
           F.one("op_throughput", "op_throughput", "operation", Name));
    F.take(keyOf(Name, "latency"),
           F.one("tensor", "latency", "operation", Name),
           "one warp-level multiply-accumulate, through its accumulator");
    // Where the base says that a warp does not reach the rate, it is that of
    // warp groups, which no group measures.
    if (!F.Base.WarpMatrixRate)
      F.take(keyOf(Name, "throughput"),
             F.one("tensor", "throughput", "operation", Name), "mma.sync");
  }
  const Measurement *Warp =
      F.one("tensor", "throughput", "operation", "tensor_fp16");
  double OfGroups = F.Base.cost(OpClass::TensorFp16).Throughput;
  if (Warp && F.Base.WarpMatrixRate && OfGroups > 0)
    F.add("sm.warp_matrix_rate", std::min(1.0, Warp->Value / OfGroups),
          "measured", "tensor",
          "mma.sync in fp16, of the throughput that the base has");
  splitPair(F, "compare_select", "select", "compare");
  // A vote needs a comparison for its predicate.
  const Measurement *Vote = F.one("op_latency", "op_latency", "operation",
                                  "compare_vote"),
                    *Pair = F.one("op_latency", "op_latency", "operation",
                                  "compare_select"),
                    *Select = F.one("op_latency", "op_latency", "operation",
                                    "select");
  if (Vote && Pair && Select)
    F.add("operations.vote.latency",
          Vote->Value - (Pair->Value - Select->Value), "derived", "op_latency",
          "chain of compare and vote, less operations.compare.latency; " +
              quality(*Vote));
  F.take("operations.vote.throughput",
         F.one("op_throughput", "op_throughput", "operation", "compare_vote"),
         "a comparison with each: a lower bound");
  fitIssue(F);
  fitRoofline(F);
}

} // namespace gpuestimate
