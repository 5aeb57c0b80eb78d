#include "Pressure.h"

#include "gpu-estimate/Support/WorkBudget.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <set>

namespace gpuestimate {

namespace {

enum class Rule : uint8_t {
  MostReaders, ///< the node that makes the most of its readers ready
  FirstReader  ///< the one that is read first in the order that is given
};

class ListSchedule {
public:
  ListSchedule(llvm::ArrayRef<PressureNode> Nodes, Rule Next);
  unsigned run();

private:
  /// Live words after N minus those before it.
  int growth(unsigned N) const;
  void schedule(unsigned N);
  void addReady(unsigned N) {
    if (growth(N) <= 0)
      Free.insert(N);
    else
      Costly.insert(rank(N));
  }
  std::pair<unsigned, unsigned> rank(unsigned N) const {
    return {Positions.empty() ? Blocked[N] : Positions[N], N};
  }
  /// One operand or predecessor of N is done.
  void removeDependence(unsigned N);

  llvm::ArrayRef<PressureNode> Nodes;
  std::vector<std::vector<unsigned>> Readers, Followers;
  std::vector<unsigned> Missing,   ///< operands and predecessors not yet done
      Unread,                      ///< readers not yet done
      Blocked;                     ///< readers that could not run after it
  std::vector<unsigned> Positions; ///< first readers of Rule::FirstReader
  /// Ready nodes that do not increase the live words, and the other ready
  /// nodes by the number of readers that they do not make ready, or by
  /// position.
  std::set<unsigned> Free;
  std::set<std::pair<unsigned, unsigned>> Costly;
  unsigned Live = 0, MaxLive = 0;
};

} // namespace

ListSchedule::ListSchedule(llvm::ArrayRef<PressureNode> Nodes, Rule Next)
    : Nodes(Nodes), Readers(Nodes.size()), Followers(Nodes.size()),
      Missing(Nodes.size()), Unread(Nodes.size()), Blocked(Nodes.size()) {
  for (auto [N, Node] : llvm::enumerate(Nodes)) {
    for (unsigned Operand : Node.Operands)
      Readers[Operand].push_back(N);
    for (unsigned Before : Node.After)
      Followers[Before].push_back(N);
    Missing[N] = Node.Operands.size() + Node.After.size();
  }
  for (size_t N = 0; N < Nodes.size(); ++N) {
    Unread[N] = Readers[N].size();
    Blocked[N] = llvm::count_if(
        Readers[N], [&](unsigned Reader) { return Missing[Reader] > 1; });
  }
  if (Next == Rule::FirstReader)
    for (size_t N = 0; N < Nodes.size(); ++N)
      Positions.push_back(Readers[N].empty() ? N : Readers[N].front());
}

int ListSchedule::growth(unsigned N) const {
  int Words = Unread[N] || Nodes[N].LiveOut ? int(Nodes[N].Size) : 0;
  for (unsigned Operand : Nodes[N].Operands)
    if (Unread[Operand] == 1 && !Nodes[Operand].LiveOut)
      Words -= int(Nodes[Operand].Size);
  return Words;
}

void ListSchedule::removeDependence(unsigned N) {
  unsigned Remaining = --Missing[N];
  if (Remaining == 0)
    addReady(N);
  if (Remaining != 1)
    return;
  for (unsigned Operand : Nodes[N].Operands) {
    bool WasCostly = Costly.erase(rank(Operand));
    --Blocked[Operand];
    if (WasCostly)
      Costly.insert(rank(Operand));
  }
}

void ListSchedule::schedule(unsigned N) {
  Free.erase(N);
  Costly.erase(rank(N));
  int Grown = growth(N);
  // A result may reuse the register of an operand that dies.
  Live += Grown;
  MaxLive = std::max(MaxLive, Live);
  for (unsigned Operand : Nodes[N].Operands)
    if (--Unread[Operand] == 1)
      // Its last reader frees it.
      for (unsigned Reader : Readers[Operand])
        if (Costly.contains(rank(Reader)) && growth(Reader) <= 0) {
          Costly.erase(rank(Reader));
          Free.insert(Reader);
        }
  for (const auto *Next : {&Readers[N], &Followers[N]})
    for (unsigned Other : *Next)
      removeDependence(Other);
}

unsigned ListSchedule::run() {
  for (size_t N = 0; N < Nodes.size(); ++N)
    if (Nodes[N].AtEntry)
      schedule(N);
    else if (Nodes[N].Operands.empty() && Nodes[N].After.empty())
      addReady(N);
  while (spendWork() && (!Free.empty() || !Costly.empty()))
    schedule(Free.empty() ? Costly.begin()->second : *Free.begin());
  return MaxLive;
}

unsigned scheduledPressure(llvm::ArrayRef<PressureNode> Nodes) {
  return std::min(ListSchedule(Nodes, Rule::MostReaders).run(),
                  ListSchedule(Nodes, Rule::FirstReader).run());
}

} // namespace gpuestimate
