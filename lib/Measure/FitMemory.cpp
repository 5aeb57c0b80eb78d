/// \file
/// The memory hierarchy: latencies and sizes from pointer chases, bandwidths
/// from plateaus, the knee from bandwidth against bytes in flight.
#include "Fitter.h"

#include "llvm/Support/FormatVariadic.h"
#include <algorithm>
#include <cmath>

using namespace llvm;

namespace gpuestimate {

static std::string size(double Bytes) {
  return Bytes >= 1 << 20 ? formatv("{0:F1} MiB", Bytes / (1 << 20)).str()
                          : formatv("{0:F0} KiB", Bytes / 1024).str();
}

static void fitL1(Fitter &F) {
  std::vector<CurveSample> Curve =
      F.curve("memory_latency", "through_l1", "bytes");
  if (!F.has("memory_latency"))
    return;
  std::vector<Plateau> Plateaus = findPlateaus(Curve);
  if (Plateaus.empty())
    return F.doubt("l1.latency: the chase through L1 has no plateau");
  const Plateau &L1 = Plateaus.front();
  std::string Where =
      "first plateau of the chase, " + size(L1.From) + " to " + size(L1.To);
  bool Hits = Plateaus.size() > 1 && Plateaus.back().Level > 1.2 * L1.Level;
  if (!Hits)
    return F.doubt("l1.latency: the chase through L1 shows no step");
  F.add("l1.latency", L1.Level, "measured", "memory_latency", Where);
  std::optional<double> Capacity =
      lastBelow(Curve, (L1.Level + Plateaus.back().Level) / 2);
  // The base has the vendor's size of the array of this multiprocessor. The
  // pointer chase measures the part that the driver leaves to L1, at the
  // resolution of its points.
  if (Capacity && *Capacity > F.Base.L1.Size.value() * 1.1)
    F.add("l1.size", std::floor(*Capacity / 1024) * 1024, "measured",
          "memory_latency", "working sets up to here hit");
  else if (Capacity)
    F.doubt("l1.size: working sets up to " + size(*Capacity) +
            " hit; the base's " + size(F.Base.L1.Size.value()) +
            " is the whole array");
}

/// DRAM's level in the pointer chase through L2: a plateau beyond the size of
/// L2, else the largest working set if nearly all of its accesses miss.
static std::optional<Plateau> dramLevel(const Fitter &F) {
  std::vector<CurveSample> Curve =
      F.curve("memory_latency", "through_l2", "bytes");
  std::vector<Plateau> Plateaus = findPlateaus(Curve);
  if (!Plateaus.empty() && Plateaus.back().From > F.l2Size())
    return Plateaus.back();
  if (!Curve.empty() && Curve.back().X >= 2 * F.l2Size())
    return Plateau{Curve.back().X, Curve.back().X, Curve.back().Y, 1};
  return std::nullopt;
}

static void fitL2(Fitter &F) {
  if (!F.has("memory_latency"))
    return;
  std::vector<Plateau> Plateaus =
      findPlateaus(F.curve("memory_latency", "through_l2", "bytes"));
  std::optional<Plateau> Dram = dramLevel(F);
  if (Plateaus.empty() || !Dram || Plateaus.front().From > F.l2Size() ||
      Dram->Level < 1.2 * Plateaus.front().Level)
    return F.doubt("l2.latency: the chase through L2 shows no step");
  const Plateau &Near = Plateaus.front();
  auto Where = [](const Plateau &P) {
    return "plateau of the chase, " + size(P.From) + " to " + size(P.To);
  };
  F.add("l2.latency", Near.Level, "measured", "memory_latency", Where(Near));
  // A second plateau below the size of L2 is the far partition of L2.
  for (const Plateau &P : ArrayRef(Plateaus).drop_front())
    if (P.Level > 1.2 * Near.Level && P.Level < 0.85 * Dram->Level &&
        P.To <= 1.1 * F.l2Size()) {
      F.add("l2.far_latency", P.Level, "measured", "memory_latency", Where(P));
      F.add("l2.partitions", 2, "measured", "memory_latency",
            "two plateaus of latency within the cache");
      break;
    }
}

/// Fetch size: the smallest offset from a first load at which a second load is
/// slow.
static void fitReach(Fitter &F, StringRef Name, StringRef Key) {
  std::vector<CurveSample> Curve = F.curve("fetch", Name, "offset");
  if (Curve.size() < 3)
    return;
  auto [Low, High] = std::minmax_element(
      Curve.begin(), Curve.end(),
      [](const CurveSample &A, const CurveSample &B) { return A.Y < B.Y; });
  if (High->Y < 1.3 * Low->Y)
    return F.doubt(Key + ": all second loads take as long");
  for (const CurveSample &P : Curve)
    if (P.Y > (Low->Y + High->Y) / 2)
      return F.add(Key, P.X, "measured", "fetch",
                   formatv("a load so far behind a miss misses too ({0:F0} "
                           "cycles against {1:F0})",
                           P.Y, Low->Y)
                       .str());
}

/// Rates over working sets of From to To times the size of L2.
static std::vector<double> rates(Fitter &F, StringRef Name, double L2,
                                 double From, double To) {
  std::vector<double> Values;
  for (const CurveSample &P : F.curve("bandwidth", Name, "bytes"))
    if (P.X >= From * L2 && P.X <= To * L2)
      Values.push_back(P.Y);
  return Values;
}

static std::optional<double> dramRate(Fitter &F, StringRef Name) {
  std::vector<double> Values = rates(F, Name, F.l2Size(), 8, 1e9);
  return Values.empty() ? std::nullopt : std::optional(medianOf(Values));
}

/// The instructions of the loop itself hide the bandwidth where the working set
/// is small, and misses where it is large. Between them is the highest rate.
static void fitL1Bandwidth(Fitter &F) {
  std::vector<CurveSample> Curve = F.curve("bandwidth", "l1_set", "bytes");
  if (Curve.empty())
    return F.doubt("l1.bandwidth: no working set was read");
  auto Best = std::max_element(
      Curve.begin(), Curve.end(),
      [](const CurveSample &A, const CurveSample &B) { return A.Y < B.Y; });
  F.add("l1.bandwidth", Best->Y, "measured", "bandwidth",
        "highest over working sets, at " + size(Best->X));
}

static void fitBandwidth(Fitter &F) {
  if (!F.has("bandwidth"))
    return;
  // Slices of L2 get unequal parts of some working sets, which slows those.
  for (auto [Name, Key] : {std::pair("read", "l2.read_bandwidth"),
                           std::pair("write", "l2.write_bandwidth")}) {
    std::vector<double> Values = rates(F, Name, F.l2Size(), 0.1, 0.8);
    if (Values.empty())
      F.doubt(StringRef(Key) + ": no working set of the right size");
    else
      F.add(Key, *std::max_element(Values.begin(), Values.end()), "measured",
            "bandwidth", "highest of working sets of 1/10 to 4/5 of L2");
  }
  for (auto [Name, Key] : {std::pair("read", "dram.read_bandwidth"),
                           std::pair("write", "dram.write_bandwidth"),
                           std::pair("copy", "dram.copy_bandwidth")})
    if (std::optional<double> Value = dramRate(F, Name))
      F.add(Key, *Value, "measured", "bandwidth",
            "median of working sets of 8 L2 and more");
    else
      F.doubt(StringRef(Key) + ": no working set of the right size");
  fitL1Bandwidth(F);
}

/// A partial store that takes longer than a store of a whole sector reads the
/// sector first.
static void fitPartialStores(Fitter &F) {
  std::optional<double> Whole, Part;
  for (const CurveSample &P : F.curve("fetch", "sector_stores", "bytes")) {
    if (P.X == 32)
      Whole = 1 / P.Y;
    if (P.X == 4)
      Part = 1 / P.Y;
  }
  std::optional<double> Copy = dramRate(F, "copy");
  if (!Whole || !Part || !Copy)
    return;
  double Read = (*Part - *Whole) * *Copy;
  F.add("dram.partial_write_read", std::max(0.0, std::round(Read / 32) * 32),
        "measured", "fetch",
        formatv("storing 4 of 32 bytes takes {0:F2} times as long as all 32: "
                "{1:F0} bytes at dram.copy_bandwidth, to whole sectors",
                *Part / *Whole, Read)
            .str());
}

/// Bandwidth of all multiprocessors against the bytes that they have in flight,
/// where a warp waits for one load at a time: loads that it issues together
/// wait for each other.
static std::vector<CurveSample> oneLoadAtATime(const Fitter &F) {
  auto BytesOfWarp = [](const Measurement &M) {
    auto Bytes = M.Numbers.find("bytes_in_flight"),
         Warps = M.Numbers.find("warps");
    return Bytes != M.Numbers.end() && Warps != M.Numbers.end()
               ? Bytes->second / Warps->second
               : 0;
  };
  std::vector<const Measurement *> All = F.named("occupancy", "all");
  double Least = 0;
  for (const Measurement *M : All)
    if (double Bytes = BytesOfWarp(*M); Bytes > 0)
      Least = Least > 0 ? std::min(Least, Bytes) : Bytes;
  std::vector<CurveSample> Curve;
  for (const Measurement *M : All)
    if (BytesOfWarp(*M) == Least && M->Value > 0)
      Curve.push_back(
          {M->Numbers.find("bytes_in_flight")->second * F.smCount(), M->Value});
  return Curve;
}

/// The latency of DRAM is that of a stream: loads of a whole warp, of all
/// multiprocessors, from a buffer beyond the reach of the TLBs. A chase by one
/// thread through a few L2 sizes finds less.
static double fitStreaming(Fitter &F) {
  std::optional<Plateau> Chase = dramLevel(F);
  double Latency =
      Chase ? Chase->Level / F.clock() : F.Base.DramLatency.value() / F.clock();
  std::vector<CurveSample> Curve = oneLoadAtATime(F);
  double Peak = 0;
  for (const Measurement *M : F.named("occupancy", "all"))
    Peak = std::max(Peak, M->Value);
  std::optional<Saturation> Found;
  if (!Curve.empty())
    Found = fitSaturation(Curve, Peak);
  if (Found) {
    Latency = Found->Latency;
    F.add("dram.latency", Latency * F.clock(), "measured", "occupancy",
          formatv("loads of one warp at a time on every multiprocessor, with "
                  "memory.knee; a chase by one thread takes {0}",
                  Chase ? formatv("{0:F0} cycles", Chase->Level).str()
                        : "an unknown time")
              .str());
    F.add("memory.knee", Found->Exponent, "measured", "occupancy",
          "fit of it and dram.latency to bandwidth against bytes in flight");
  } else if (!Curve.empty()) {
    F.doubt("memory.knee: too few points near the knee");
  }
  if (!Found && Chase)
    F.add("dram.latency", Chase->Level, "measured", "memory_latency",
          "plateau of the chase, " + size(Chase->From) + " to " +
              size(Chase->To));
  return Latency;
}

static void fitInFlight(Fitter &F) {
  double Latency = fitStreaming(F);
  // Bytes in flight of one multiprocessor: its highest bandwidth times the
  // latency, if twice as much was requested.
  double Peak = 0, Asked = 0;
  for (const CurveSample &P : F.curve("occupancy", "one", "bytes_in_flight")) {
    Peak = std::max(Peak, P.Y);
    Asked = std::max(Asked, P.X);
  }
  double Bytes = Peak * Latency;
  if (Bytes > 0 && Asked >= 2 * Bytes)
    F.add("memory.bytes_in_flight", Bytes, "derived", "occupancy",
          formatv("one multiprocessor alone reads {0:F1} GB/s, times "
                  "dram.latency; a lower bound where its port is the limit",
                  Peak / 1e9)
              .str());
}

static void fitConstant(Fitter &F) {
  std::vector<CurveSample> Curve =
      F.curve("memory_latency", "constant", "bytes");
  if (!Curve.empty())
    F.add("constant.latency", Curve.front().Y, "measured", "memory_latency",
          "smallest working set of the chase");
  // The lanes of a warp read words of their own, which the cache serves one
  // after the other: 4 bytes in as many cycles as a warp takes for one word.
  std::vector<CurveSample> Words = F.curve("constant", "strided", "bytes");
  if (!Words.empty() && Words.front().Y > 0) {
    double CyclesPerWord = 4 / Words.front().Y;
    F.add(
        "operations.load_constant.throughput", F.Base.WarpSize / CyclesPerWord,
        "measured", "constant",
        formatv("{0:F2} cycles for each word that lanes read, in the smallest "
                "table",
                CyclesPerWord)
            .str());
  }
}

void fitMemory(Fitter &F) {
  fitL1(F);
  fitL2(F);
  F.take("shared.latency", "memory_latency", "shared");
  F.take("texture.latency", "memory_latency", "texture");
  fitConstant(F);
  fitReach(F, "l1_reach", "l1.sector");
  fitReach(F, "l2_reach", "l2.fetch_size");
  fitBandwidth(F);
  fitPartialStores(F);
  fitInFlight(F);
}

} // namespace gpuestimate
