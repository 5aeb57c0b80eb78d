/// \file
/// Names of the bounds, for people.
#include "gpu-estimate/Advice/Bottleneck.h"
#include "gpu-estimate/Advice/Advice.h"
#include "gpu-estimate/Model/Result/ResourceTable.h"

#include "llvm/ADT/STLExtras.h"

namespace gpuestimate {

/// What bounds a launch besides the resources.
static constexpr BottleneckInfo OtherBottlenecks[] = {
    {"latency", "dependency", "latencies that too few warps hide"},
    {"launch", "launch", "the time of the launch itself"},
    {"tail", "tail", "the last, partly filled wave of blocks"},
    {"wait", "wait", "the clock that it waits for"},
    {"migration", "migration", "the migration of managed memory"},
};

llvm::ArrayRef<BottleneckInfo> bottleneckTable() {
  static const std::vector<BottleneckInfo> Table = [] {
    std::vector<BottleneckInfo> All;
    for (const ResourceInfo &R : resourceTable())
      All.push_back({R.Name, R.Component, R.Words});
    llvm::append_range(All, OtherBottlenecks);
    return All;
  }();
  return Table;
}

const BottleneckInfo *findBottleneck(llvm::StringRef Name) {
  llvm::ArrayRef<BottleneckInfo> Table = bottleneckTable();
  const auto *Info = llvm::find_if(
      Table, [&](const BottleneckInfo &B) { return B.Name == Name; });
  return Info == Table.end() ? nullptr : Info;
}

llvm::StringRef describeBottleneck(llvm::StringRef Name) {
  const BottleneckInfo *Info = findBottleneck(Name);
  return Info ? Info->Words : Name;
}

} // namespace gpuestimate
