/// \file
/// Shared memory, atomics, barriers and launches.
#include "Fitter.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>
#include <cmath>
#include <set>

using namespace llvm;

namespace gpuestimate {

static void fitShared(Fitter &F) {
  double Bandwidth = 0, Banks = 0, Worst = 0;
  std::vector<CurveSample> Words; // 4 bytes: cycles by stride
  for (const Measurement *M : F.named("shared", "load")) {
    auto Width = M->Numbers.find("width"), Stride = M->Numbers.find("stride");
    if (Width == M->Numbers.end() || Stride == M->Numbers.end() ||
        M->Value <= 0)
      continue;
    if (Stride->second == 1)
      Bandwidth =
          std::max(Bandwidth, Width->second * F.Base.WarpSize / M->Value);
    if (Width->second != 4)
      continue;
    Words.push_back({Stride->second, M->Value});
    if (Stride->second == 1)
      F.add("operations.load_shared.throughput", F.Base.WarpSize / M->Value,
            "measured", "shared", "4 bytes, stride 1; " + quality(*M));
  }
  for (const CurveSample &P : Words)
    Worst = std::max(Worst, P.Y);
  // The first stride at which all lanes of a warp use one bank.
  for (const CurveSample &P : Words)
    if (P.Y > 0.9 * Worst && Worst > 4 * Words.front().Y) {
      Banks = P.X;
      break;
    }
  if (Bandwidth > 0 && Banks > 0) {
    double Width = std::exp2(std::round(std::log2(Bandwidth / Banks)));
    F.add("shared.banks", Banks, "measured", "shared",
          "stride of words from which on conflicts grow no more");
    F.add("shared.bank_width", Width, "derived", "shared",
          "shared.bandwidth by shared.banks, to a power of two");
    Bandwidth = std::min(Bandwidth, Banks * Width); // clocks are read in time
  }
  if (Bandwidth > 0)
    F.add("shared.bandwidth", Bandwidth, "measured", "shared",
          "best of loads of 4, 8 and 16 bytes at stride 1");
  if (const Measurement *M = F.one("shared", "store"); M && M->Value > 0)
    F.add("operations.store_shared.throughput", F.Base.WarpSize / M->Value,
          "measured", "shared", "4 bytes, stride 1; " + quality(*M));
}

static void fitAtomics(Fitter &F) {
  F.take("shared.atomic_latency", "atomics", "shared_latency");
  F.take("shared.atomic_same_address_rate", "atomics", "shared_same_address");
  F.take("operations.atomic_shared.throughput", "atomics", "shared_spread",
         "each lane on a bank of its own");
  F.take("atomics.latency", "atomics", "global_latency");
  for (auto [Name, Key] :
       {std::pair("global_same_address", "atomics.same_address_rate"),
        std::pair("global_aggregated", "atomics.aggregated_rate")})
    if (const Measurement *M = F.one("atomics", Name))
      F.add(Key, M->Value / F.clock(), "measured", "atomics",
            formatv("{0:F1} per ns, by core_clock; {1}", M->Value / 1e9,
                    quality(*M))
                .str());
  // Neighbouring words that begin at any of the eight of a sector.
  double SectorsOfWarp = (F.Base.WarpSize + 7.0) / 8;
  if (const Measurement *M = F.one("atomics", "global_spread"))
    F.add(
        "atomics.rate", M->Value / F.clock() * SectorsOfWarp / F.Base.WarpSize,
        "measured", "atomics",
        formatv("{0:F1} words per ns, {1:F1} sectors for those of a warp; {2}",
                M->Value / 1e9, SectorsOfWarp, quality(*M))
            .str());
}

static void fitBarrier(Fitter &F) {
  std::vector<CurveSample> Curve = F.curve("barrier", "block", "warps");
  std::optional<StraightLine> Line = fitLine(Curve);
  if (!Line)
    return;
  F.add("barrier.latency", Curve.front().Y, "measured", "barrier",
        "block of one warp");
  F.add("barrier.per_warp", std::max(0.0, Line->Slope), "measured", "barrier",
        formatv("slope over {0:F0} to {1:F0} warps", Curve.front().X,
                Curve.back().X)
            .str());
}

/// Time of empty kernels back to back against their grids, of one block size.
static std::vector<CurveSample> launchesOf(const Fitter &F, double Threads) {
  std::vector<CurveSample> Curve;
  for (const Measurement *M : F.named("launch", "back_to_back")) {
    auto Blocks = M->Numbers.find("blocks"), Own = M->Numbers.find("threads");
    if (Blocks != M->Numbers.end() && Own != M->Numbers.end() &&
        Own->second == Threads)
      Curve.push_back({Blocks->second, M->Value});
  }
  llvm::sort(Curve, [](const CurveSample &A, const CurveSample &B) {
    return A.X < B.X;
  });
  return Curve;
}

/// Small grids show how fast the host launches. Grids that take twice as long
/// keep the GPU busy: there the slope is what a block takes, and the intercept
/// what lies between two kernels on the GPU.
static void fitLaunchInterval(Fitter &F) {
  std::set<double> Sizes;
  for (const Measurement *M : F.named("launch", "back_to_back"))
    if (auto It = M->Numbers.find("threads"); It != M->Numbers.end())
      Sizes.insert(It->second);
  std::vector<double> Host, Between;
  double Fastest = 0, FastestSize = 0;
  for (double Threads : Sizes) {
    std::vector<CurveSample> Curve = launchesOf(F, Threads), Large;
    Host.push_back(Curve.front().Y);
    for (const CurveSample &P : Curve)
      if (P.Y >= 2 * Curve.front().Y)
        Large.push_back(P);
    std::optional<StraightLine> Line = fitLine(Large);
    if (!Line || Line->Slope <= 0)
      continue;
    if (Line->Intercept > 0)
      Between.push_back(Line->Intercept);
    if (1 / Line->Slope > Fastest) {
      Fastest = 1 / Line->Slope;
      FastestSize = Threads;
    }
  }
  if (Host.empty())
    return;
  double Interval = medianOf(Host);
  if (!Between.empty() && medianOf(Between) < Interval)
    F.add("launch.interval", medianOf(Between), "measured", "launch",
          formatv("intercept of time against the blocks of empty kernels, "
                  "where blocks take the most of it; this host launches one "
                  "every {0:F1} us",
                  Interval * 1e6)
              .str());
  else
    F.add("launch.interval", Interval, "measured", "launch",
          "empty kernels of one block, back to back in a stream");
  if (Fastest > 0)
    F.add("launch.block_rate", Fastest / F.clock(), "measured", "launch",
          formatv("{0:F0} blocks of {1:F0} threads per us: regression of time "
                  "on the grid of empty kernels, by core_clock",
                  Fastest / 1e6, FastestSize)
              .str());
}

static void fitLaunch(Fitter &F) {
  F.take("launch.latency", "launch", "graph_node",
         "one node of a graph of empty kernels of one block");
  fitLaunchInterval(F);
  std::vector<CurveSample> Turn = F.curve("launch", "turnaround", "warps");
  for (CurveSample &P : Turn)
    P.Y *= F.clock();
  if (std::optional<StraightLine> Line = fitLine(Turn)) {
    static constexpr char How[] =
        "one resident block for each multiprocessor: regression of the time of "
        "a wave of empty blocks on their warps";
    F.add("launch.block_start", std::max(0.0, Line->Intercept), "measured",
          "launch", How);
    F.add("launch.block_start_per_warp", std::max(0.0, Line->Slope), "measured",
          "launch", How);
  }
}

/// What the first warps of a launch wait for when all caches are cold.
static void fitCold(Fitter &F) {
  static constexpr double LineInstructions = 8; // of 16 bytes in 128
  if (std::optional<StraightLine> Line =
          fitLine(F.curve("cold", "code", "instructions"));
      Line && F.Base.Vendor == "NVIDIA") {
    if (Line->Slope * LineInstructions < 1) {
      F.doubt("code.line_fetch: straight code is as fast in its first round as "
              "in its second");
    } else {
      F.add("code.line_fetch", Line->Slope * LineInstructions, "measured",
            "cold",
            "slope of the first round of straight code beyond its second");
      F.add("code.line_instructions", LineInstructions, "derived", "cold",
            "instructions of 16 bytes, lines of 128 bytes");
    }
  }
  const Measurement *Walk = F.one("cold", "translation");
  if (Walk && Walk->Spread > 1)
    F.doubt("tlb.walk: the samples differ by more than their median");
  else if (const Measurement *M = Walk) {
    F.add("tlb.walk", std::max(0.0, M->Value), "measured", "cold",
          "first load of a page beyond a load of another line of it, neither "
          "in L2; " +
              quality(*M));
    if (auto Page = M->Numbers.find("bytes"); Page != M->Numbers.end())
      F.add("tlb.page", Page->second, "derived", "cold",
            "distance of the pages that were touched");
  }
  const Measurement *Cold = F.one("cold", "empty_cold"),
                    *Warm = F.one("cold", "empty_warm"),
                    *Launch = F.one("launch", "graph_node");
  if (Cold && Warm && Launch && Cold->Value > Warm->Value)
    F.add("launch.cold", Launch->Value + Cold->Value - Warm->Value, "measured",
          "cold",
          "launch.latency and what an empty kernel between events takes longer "
          "after all caches were pushed out");
}

/// What page faults of managed memory add to a launch that finds its pages on
/// the host.
static void fitManaged(Fitter &F) {
  std::vector<CurveSample> Added = F.curve("managed", "first_touch", "bytes");
  std::vector<CurveSample> Resident = F.curve("managed", "resident", "bytes");
  if (Added.empty() || Added.size() != Resident.size())
    return;
  for (auto [Faulting, Later] : llvm::zip_equal(Added, Resident))
    Faulting.Y -= Later.Y;
  std::optional<StraightLine> Line = fitLine(Added);
  if (!Line || Line->Slope <= 0)
    return F.doubt(
        "link.migration_bandwidth: larger buffers do not take longer "
        "to migrate");
  F.add("link.migration_bandwidth", 1 / Line->Slope, "measured", "managed",
        "slope of the time that page faults add against the bytes touched");
  F.add("link.fault_latency",
        std::max(0.0, Added.front().Y - Added.front().X * Line->Slope),
        "measured", "managed",
        "time that the smallest buffer adds beyond that of its bytes");
}

void fitExecution(Fitter &F) {
  fitShared(F);
  fitAtomics(F);
  fitBarrier(F);
  fitLaunch(F);
  fitCold(F);
  fitManaged(F);
}

} // namespace gpuestimate
