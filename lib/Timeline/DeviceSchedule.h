/// \file
/// Simulates the GPU's queues event by event.
#ifndef GPU_ESTIMATE_LIB_TIMELINE_DEVICESCHEDULE_H
#define GPU_ESTIMATE_LIB_TIMELINE_DEVICESCHEDULE_H

#include "llvm/ADT/ArrayRef.h"
#include <array>
#include <cstdint>
#include <deque>
#include <limits>
#include <queue>
#include <vector>

namespace gpuestimate {

/// What an operation occupies while it runs. Each has the capacity 1.
enum class Engine : uint8_t {
  None, ///< nothing: the operation takes no time
  Multiprocessors,
  CopyIn,
  CopyOut,
  DeviceCopy,
  HostThread,
};

/// Operations with their dependences, in the order of issue. An operation is
/// ready when it has been issued and all that it depends on has ended, its gap
/// ago. Each engine serves the operations in the order in which they became
/// ready, and of those that did so at once in the order of issue; one that does
/// not fit holds up those behind it.
///
/// The schedule is computed up to a point in time. It does not change later as
/// long as no operation is issued before that point.
class DeviceSchedule {
public:
  using Index = uint32_t;
  static constexpr Index NoIndex = std::numeric_limits<Index>::max();
  static constexpr double Never = std::numeric_limits<double>::infinity();

  struct Operation {
    Engine On = Engine::None;
    unsigned Device = 0; ///< whose engine
    double IssueNs = 0, DurationNs = 0;
    double GapNs = 0; ///< from the end of what it depends on
    double Share = 1; ///< of the engine
    double StartNs = 0, EndNs = Never;
    /// The operation that it started right after; NoIndex if it started when
    /// it was issued.
    Index Cause = NoIndex;
  };

  /// Operations of After that are NoIndex are left out.
  Index add(const Operation &O, llvm::ArrayRef<Index> After);

  /// Computes all that happens up to this time.
  void advanceTo(double Ns);
  /// Computes until the operation has ended and returns the time of its end; 0
  /// for NoIndex.
  double endOf(Index I);

  const Operation &operator[](Index I) const { return Nodes[I].Op; }
  size_t size() const { return Nodes.size(); }

private:
  struct Node {
    Operation Op;
    double ReadyNs = 0;
    uint32_t Waiting = 0;      ///< unfinished operations that it depends on
    Index FirstEdge = NoIndex; ///< into Edges: what depends on it
  };
  struct Edge {
    Index To, Next;
  };
  /// An operation becomes ready, or ends.
  struct Event {
    double Ns;
    Index Of;
    bool operator>(const Event &O) const {
      return Ns != O.Ns ? Ns > O.Ns : Of > O.Of;
    }
  };
  using EventQueue =
      std::priority_queue<Event, std::vector<Event>, std::greater<Event>>;
  struct EngineState {
    double Free = 1;
    std::deque<Index> Queue;
  };

  EngineState &engineOf(const Operation &O);
  double nextNs() const;
  void step();
  void end(Index I, double Ns);
  void startWaiting(EngineState &E, double Ns, Index Freed);
  void start(Index I, double Ns);

  std::vector<Node> Nodes;
  std::vector<Edge> Edges;
  EventQueue Ready, Ends;
  /// [device] what each of its engines does.
  static constexpr size_t NumEngines = 6;
  std::vector<std::array<EngineState, NumEngines>> Engines;
};

} // namespace gpuestimate

#endif
