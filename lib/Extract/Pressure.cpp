#include "gpu-estimate/Extract/Pressure.h"

#include "llvm/ADT/STLExtras.h"
#include <set>

namespace gpuestimate {

namespace {

class ListSchedule {
public:
  explicit ListSchedule(llvm::ArrayRef<PressureNode> Nodes);
  unsigned run();

private:
  /// Words alive after N minus before it.
  int growth(unsigned N) const;
  /// Readers of N that could not run after it.
  unsigned blockedReaders(unsigned N) const;
  void take(unsigned N);
  void becomesReady(unsigned N) { (growth(N) <= 0 ? Free : Costly).insert(N); }

  llvm::ArrayRef<PressureNode> Nodes;
  std::vector<std::vector<unsigned>> Readers, Followers;
  std::vector<unsigned> Missing,   ///< operands and predecessors not yet done
      Unread;                      ///< readers not yet done
  std::set<unsigned> Free, Costly; ///< ready nodes; Free ones grow nothing
  unsigned Live = 0, Most = 0;
};

} // namespace

ListSchedule::ListSchedule(llvm::ArrayRef<PressureNode> Nodes)
    : Nodes(Nodes), Readers(Nodes.size()), Followers(Nodes.size()),
      Missing(Nodes.size()), Unread(Nodes.size()) {
  for (auto [N, Node] : llvm::enumerate(Nodes)) {
    for (unsigned Operand : Node.Operands)
      Readers[Operand].push_back(N);
    for (unsigned Before : Node.After)
      Followers[Before].push_back(N);
    Missing[N] = Node.Operands.size() + Node.After.size();
  }
  for (size_t N = 0; N < Nodes.size(); ++N)
    Unread[N] = Readers[N].size();
}

int ListSchedule::growth(unsigned N) const {
  int Words = Unread[N] || Nodes[N].LiveOut ? int(Nodes[N].Words) : 0;
  for (unsigned Operand : Nodes[N].Operands)
    if (Unread[Operand] == 1 && !Nodes[Operand].LiveOut)
      Words -= int(Nodes[Operand].Words);
  return Words;
}

unsigned ListSchedule::blockedReaders(unsigned N) const {
  return llvm::count_if(Readers[N],
                        [&](unsigned Reader) { return Missing[Reader] > 1; });
}

void ListSchedule::take(unsigned N) {
  Free.erase(N);
  Costly.erase(N);
  int Grown = growth(N);
  // A result may take the place of an operand that dies.
  Live += Grown;
  Most = std::max(Most, Live);
  for (unsigned Operand : Nodes[N].Operands)
    if (--Unread[Operand] == 1)
      // Its last reader frees it now.
      for (unsigned Reader : Readers[Operand])
        if (Costly.contains(Reader) && growth(Reader) <= 0) {
          Costly.erase(Reader);
          Free.insert(Reader);
        }
  for (const auto *Next : {&Readers[N], &Followers[N]})
    for (unsigned Other : *Next)
      if (--Missing[Other] == 0)
        becomesReady(Other);
}

unsigned ListSchedule::run() {
  for (size_t N = 0; N < Nodes.size(); ++N)
    if (Nodes[N].AtEntry)
      take(N);
    else if (Nodes[N].Operands.empty() && Nodes[N].After.empty())
      becomesReady(N);
  while (!Free.empty() || !Costly.empty()) {
    if (!Free.empty()) {
      take(*Free.begin());
      continue;
    }
    unsigned Best = *Costly.begin();
    unsigned Blocked = blockedReaders(Best);
    for (unsigned N : Costly) {
      if (Blocked == 0)
        break;
      if (unsigned Now = blockedReaders(N); Now < Blocked) {
        Best = N;
        Blocked = Now;
      }
    }
    take(Best);
  }
  return Most;
}

unsigned leastPressure(llvm::ArrayRef<PressureNode> Nodes) {
  return ListSchedule(Nodes).run();
}

} // namespace gpuestimate
