/// \file
/// The terms of a budget when it was last kept, read from the record that a run
/// is about to replace.
#include "gpu-estimate/Session/Pipeline/OutputFiles.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include <map>

using namespace llvm;

namespace gpuestimate {

static std::vector<std::pair<std::string, Seconds>>
termsOf(const json::Object *Milliseconds) {
  std::vector<std::pair<std::string, Seconds>> Terms;
  if (Milliseconds)
    for (const auto &[Term, Value] : *Milliseconds)
      if (std::optional<double> Time = Value.getAsNumber())
        Terms.push_back({StringRef(Term).str(), Seconds(*Time * 1e-3)});
  return Terms;
}

void recallBudgets(std::vector<BudgetCheck> &Budgets, StringRef RecordFile) {
  auto Text = MemoryBuffer::getFile(RecordFile);
  if (!Text)
    return;
  // A record that cannot be read is about to be replaced by one that can.
  Expected<json::Value> Value = json::parse((*Text)->getBuffer());
  if (!Value)
    return consumeError(Value.takeError());
  const json::Object *Record = Value->getAsObject();
  const json::Array *Entries = Record ? Record->getArray("budgets") : nullptr;
  if (!Entries)
    return;
  using Key = std::pair<std::string, std::string>; // kernel, GPU
  std::map<Key, std::vector<const json::Object *>> Before;
  for (const json::Value &Entry : *Entries)
    if (const json::Object *Check = Entry.getAsObject())
      Before[{Check->getString("kernel").value_or("").str(),
              Check->getString("gpu").value_or("").str()}]
          .push_back(Check);
  // Launches of a kernel stand in the order of the source.
  std::map<Key, size_t> Ordinal;
  for (BudgetCheck &Check : Budgets) {
    const auto &Same = Before[{Check.Kernel, Check.Gpu}];
    size_t Number = Ordinal[{Check.Kernel, Check.Gpu}]++;
    if (Number >= Same.size())
      continue;
    bool Exceeded = Same[Number]->getBoolean("exceeded").value_or(false);
    Check.Kept = termsOf(
        Same[Number]->getObject(Exceeded ? "kept_terms_ms" : "terms_ms"));
  }
}

} // namespace gpuestimate
