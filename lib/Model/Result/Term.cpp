/// \file
/// The one list of names of terms and resources.
#include "gpu-estimate/Model/Result/Term.h"
#include "llvm/ADT/STLExtras.h"

namespace gpuestimate {

/// [Term]
static constexpr TermInfo Terms[] = {
    {Term::Issue, "issue", "issue slots"},
    {Term::Pipes, "pipes", "throughput of each execution pipe"},
    {Term::Registers, "registers", "read ports of the register file"},
    {Term::Dependency, "dependency", "latencies of dependent arithmetic"},
    {Term::Shared, "shared",
     "latency, bank passes and bandwidth of shared memory"},
    {Term::L1, "l1", "latency and bandwidth of L1"},
    {Term::Uncoalesced, "uncoalesced",
     "serialised passes of uncoalesced requests"},
    {Term::Outstanding, "outstanding",
     "requests that a multiprocessor can have in flight"},
    {Term::L2, "l2", "latency and bandwidth of L2"},
    {Term::L3, "l3", "latency and bandwidth of a cache in front of DRAM"},
    {Term::Dram, "dram", "latency and bandwidth of DRAM"},
    {Term::Ecc, "ecc", "error-correcting code that lies in DRAM with the data"},
    {Term::Link, "link", "latency and bandwidth of the link to the host"},
    {Term::Atomics, "atomics", "rate of atomics, same-address serialisation"},
    {Term::Barrier, "barrier",
     "barrier latency, waiting for other warps of the block, and "
     "blocks that take turns"},
    {Term::Wait, "wait", "sleeps, and loops that wait for a clock"},
    {Term::Dispatch, "dispatch",
     "start and retirement of blocks, and the rate of starts"},
    {Term::Tail, "tail", "the last, partly filled wave and its slowest warp"},
    {Term::Cold, "cold",
     "first fetch of code, arguments and address translations"},
    {Term::Migration, "migration",
     "page faults of managed memory, and the migration of the pages"},
    {Term::LoadStore, "load-store", "throughput of loads and stores"},
    {Term::DramQueue, "dram-queue", "waiting for DRAM behind other requests"},
    {Term::Launch, "launch", "before and after the execution"},
};
static constexpr size_t NumSwitchable = size_t(Term::Migration) + 1;
static_assert(std::size(Terms) == size_t(Term::Launch) + 1);

llvm::ArrayRef<TermInfo> termTable() {
  return llvm::ArrayRef(Terms).take_front(NumSwitchable);
}

llvm::ArrayRef<TermInfo> timeComponents() { return Terms; }

llvm::StringRef name(Term T) { return Terms[static_cast<size_t>(T)].Name; }

std::optional<Term> termFromName(llvm::StringRef Name) {
  for (const TermInfo &Info : Terms)
    if (Info.Name == Name)
      return Info.Id;
  return std::nullopt;
}

TermSet::TermSet(const llvm::StringSet<> &Names) {
  for (const auto &Entry : Names)
    if (std::optional<Term> T = termFromName(Entry.getKey()))
      insert(*T);
}

TermSet TermSet::all() {
  TermSet Result;
  for (const TermInfo &Info : termTable())
    Result.insert(Info.Id);
  return Result;
}

llvm::StringRef name(Resource R) {
  static constexpr llvm::StringLiteral Names[] = {"issue",
                                                  "register-read",
                                                  "fp32",
                                                  "fp64",
                                                  "fp16",
                                                  "int",
                                                  "sfu",
                                                  "tensor",
                                                  "load-store",
                                                  "texture",
                                                  "branch",
                                                  "shared-bandwidth",
                                                  "l1-bandwidth",
                                                  "outstanding-requests",
                                                  "shared-atomics",
                                                  "l2-bandwidth",
                                                  "l3-bandwidth",
                                                  "dram-bandwidth",
                                                  "host-link",
                                                  "global-atomics",
                                                  "dispatch"};
  static_assert(std::size(Names) == size_t(Resource::Dispatch) + 1);
  return Names[static_cast<size_t>(R)];
}

} // namespace gpuestimate
