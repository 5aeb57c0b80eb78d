#include "LoadEvents.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>
#include <map>

using namespace llvm;

namespace gpuestimate {

/// Turns Count of the executions whose event is From into To, those with the
/// longest distances.
static void turn(std::vector<LoadEvent> &Events, ArrayRef<double> ReuseBytes,
                 LoadEvent From, LoadEvent To, size_t Count) {
  std::map<double, std::vector<size_t>, std::greater<>> ByDistance;
  for (size_t I = 0; I < Events.size(); ++I)
    if (Events[I] == From)
      ByDistance[ReuseBytes[I]].push_back(I);
  for (const auto &[Distance, Executions] : ByDistance) {
    size_t Turned = std::min(Count, Executions.size());
    for (size_t I = 0; I < Turned; ++I) // evenly spread
      Events[Executions[I * Executions.size() / Turned]] = To;
    Count -= Turned;
    if (Count == 0)
      return;
  }
}

std::vector<LoadEvent> eventsOf(ArrayRef<double> ReuseBytes,
                                const LevelShares &Shares) {
  std::vector<LoadEvent> Events(ReuseBytes.size(), LoadEvent::L1);
  double N = double(Events.size());
  size_t Dram = std::lround(N * std::clamp(Shares.Dram, 0.0, 1.0));
  size_t Misses =
      std::lround(N * std::clamp(Shares.L2 + Shares.Dram, 0.0, 1.0));
  turn(Events, ReuseBytes, LoadEvent::L1, LoadEvent::L2, Misses);
  turn(Events, ReuseBytes, LoadEvent::L2, LoadEvent::Dram,
       std::min(Dram, Misses));
  return Events;
}

namespace {

/// Events of the loads of one basic block in one execution.
using EventsOfBlock = std::vector<LoadEvent>;

/// The different ones with their shares, by rising waits. Rare ones become
/// means.
std::vector<std::pair<EventsOfBlock, double>>
distinctEvents(ArrayRef<std::vector<LoadEvent>> Sequences) {
  constexpr size_t MaxDistinct = 8;
  std::map<EventsOfBlock, double> Counts;
  size_t Executions = Sequences.front().size();
  for (size_t I = 0; I < Executions; ++I) {
    EventsOfBlock Together;
    for (const std::vector<LoadEvent> &OfLoad : Sequences)
      Together.push_back(OfLoad[I]);
    Counts[Together] += 1.0 / double(Executions);
  }
  std::vector<std::pair<EventsOfBlock, double>> Result(Counts.begin(),
                                                       Counts.end());
  stable_sort(Result,
              [](const auto &A, const auto &B) { return A.second > B.second; });
  if (Result.size() > MaxDistinct) {
    double Rare = 0;
    for (size_t I = MaxDistinct - 1; I < Result.size(); ++I)
      Rare += Result[I].second;
    Result.resize(MaxDistinct - 1);
    Result.push_back({EventsOfBlock(Sequences.size(), LoadEvent::Mean), Rare});
  }
  auto waits = [](const EventsOfBlock &Events) {
    unsigned Sum = 0;
    for (LoadEvent E : Events)
      Sum += unsigned(E);
    return Sum;
  };
  stable_sort(Result, [&](const auto &A, const auto &B) {
    return waits(A.first) < waits(B.first);
  });
  return Result;
}

} // namespace

std::vector<EventCombination> combineEvents(const KernelModel &Kernel,
                                            const ExecutedWarp *Warp,
                                            ArrayRef<LevelShares> Shares) {
  std::vector<EventCombination> Result = {
      {1, std::vector<LoadEvent>(Kernel.Accesses.size(), LoadEvent::Mean)}};
  if (!Warp || Warp->ReuseBytes.empty())
    return Result;
  // [block] its loads with as many recorded executions as the first of them.
  std::map<unsigned, std::vector<unsigned>> LoadsOfBlock;
  for (unsigned A = 0; A < Warp->ReuseBytes.size(); ++A) {
    size_t Recorded = Warp->ReuseBytes[A].size();
    if (Recorded == 0)
      continue;
    std::vector<unsigned> &Loads = LoadsOfBlock[Kernel.Accesses[A].Block];
    if (Loads.empty() || Warp->ReuseBytes[Loads.front()].size() == Recorded)
      Loads.push_back(A);
  }
  for (const auto &[Block, Loads] : LoadsOfBlock) {
    std::vector<std::vector<LoadEvent>> Sequences;
    for (unsigned A : Loads)
      Sequences.push_back(eventsOf(Warp->ReuseBytes[A], Shares[A]));
    std::vector<std::pair<EventsOfBlock, double>> Distinct =
        distinctEvents(Sequences);
    if (Result.size() + Distinct.size() > MaxCombinations)
      break;
    // Both lists divide the executions; each part of both is a combination.
    std::vector<EventCombination> Finer;
    size_t At = 0;
    double Left = Distinct[0].second;
    for (const EventCombination &C : Result) {
      double ToDivide = C.Weight;
      while (ToDivide > 1e-12) {
        bool IsLast = At + 1 == Distinct.size();
        double Part = IsLast ? ToDivide : std::min(ToDivide, Left);
        if (Part > 1e-12) {
          Finer.push_back({Part, C.Events});
          for (auto [A, Event] : zip_equal(Loads, Distinct[At].first))
            Finer.back().Events[A] = Event;
        }
        ToDivide -= Part;
        Left -= Part;
        if (Left <= 1e-12 && !IsLast)
          Left = Distinct[++At].second;
      }
    }
    Result = std::move(Finer);
  }
  return Result;
}

} // namespace gpuestimate
