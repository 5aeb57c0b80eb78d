#include "DeviceSchedule.h"

#include <algorithm>

using namespace llvm;

namespace gpuestimate {

DeviceSchedule::Index DeviceSchedule::add(const Operation &O,
                                          ArrayRef<Index> After) {
  auto Own = static_cast<Index>(Nodes.size());
  Node &N = Nodes.emplace_back();
  N.Op = O;
  N.Op.Share = std::clamp(O.Share, 0.0, 1.0);
  N.ReadyNs = O.IssueNs;
  for (Index I : After) {
    if (I == NoIndex)
      continue;
    Node &Earlier = Nodes[I];
    if (Earlier.Op.EndNs == Never) {
      ++N.Waiting;
      Edges.push_back({Own, Earlier.FirstEdge});
      Earlier.FirstEdge = static_cast<Index>(Edges.size() - 1);
    } else if (double Ns = Earlier.Op.EndNs + O.GapNs; Ns > N.ReadyNs) {
      N.ReadyNs = Ns;
      N.Op.Cause = I;
    }
  }
  if (!N.Waiting)
    Ready.push({N.ReadyNs, Own});
  return Own;
}

DeviceSchedule::EngineState &DeviceSchedule::engineOf(const Operation &O) {
  if (O.Device >= Engines.size())
    Engines.resize(O.Device + 1);
  return Engines[O.Device][static_cast<size_t>(O.On)];
}

double DeviceSchedule::nextNs() const {
  return std::min(Ready.empty() ? Never : Ready.top().Ns,
                  Ends.empty() ? Never : Ends.top().Ns);
}

void DeviceSchedule::advanceTo(double Ns) {
  while (nextNs() <= Ns && nextNs() < Never)
    step();
}

double DeviceSchedule::endOf(Index I) {
  if (I == NoIndex)
    return 0;
  while (Nodes[I].Op.EndNs == Never && nextNs() < Never)
    step();
  return Nodes[I].Op.EndNs;
}

void DeviceSchedule::step() {
  // What ends makes room for what becomes ready at the same time.
  if (!Ends.empty() && (Ready.empty() || Ends.top().Ns <= Ready.top().Ns)) {
    Event E = Ends.top();
    Ends.pop();
    end(E.Of, E.Ns);
    return;
  }
  Event E = Ready.top();
  Ready.pop();
  Node &N = Nodes[E.Of];
  EngineState &State = engineOf(N.Op);
  if (N.Op.On == Engine::None) {
    start(E.Of, E.Ns);
  } else {
    State.Queue.push_back(E.Of);
    startWaiting(State, E.Ns, NoIndex);
  }
}

void DeviceSchedule::start(Index I, double Ns) {
  Operation &Op = Nodes[I].Op;
  Op.StartNs = Ns;
  Ends.push({Ns + Op.DurationNs, I});
}

void DeviceSchedule::startWaiting(EngineState &E, double Ns, Index Freed) {
  constexpr double Rounding = 1e-9; // of sums of shares
  while (!E.Queue.empty() &&
         Nodes[E.Queue.front()].Op.Share <= E.Free + Rounding) {
    Index I = E.Queue.front();
    E.Queue.pop_front();
    E.Free -= Nodes[I].Op.Share;
    if (Freed != NoIndex && Nodes[I].ReadyNs < Ns)
      Nodes[I].Op.Cause = Freed;
    start(I, Ns);
  }
}

void DeviceSchedule::end(Index I, double Ns) {
  Nodes[I].Op.EndNs = Ns;
  for (Index E = Nodes[I].FirstEdge; E != NoIndex; E = Edges[E].Next) {
    Node &Later = Nodes[Edges[E].To];
    if (Ns + Later.Op.GapNs > Later.ReadyNs) {
      Later.ReadyNs = Ns + Later.Op.GapNs;
      Later.Op.Cause = I;
    }
    if (--Later.Waiting == 0)
      Ready.push({Later.ReadyNs, Edges[E].To});
  }
  if (Nodes[I].Op.On == Engine::None)
    return;
  EngineState &State = engineOf(Nodes[I].Op);
  State.Free += Nodes[I].Op.Share;
  startWaiting(State, Ns, I);
}

} // namespace gpuestimate
