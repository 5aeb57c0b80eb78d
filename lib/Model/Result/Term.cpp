/// \file
/// The one list of names of terms and resources.
#include "gpu-estimate/Model/Result/Term.h"
#include "gpu-estimate/Model/Result/ResourceTable.h"
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

/// [Resource]
static constexpr ResourceInfo ResourceRows[] = {
    {Resource::Issue, "issue", "issue",
     "the rate at which warps issue instructions"},
    {Resource::RegisterRead, "register-read", "registers",
     "the read ports of the registers"},
    {Resource::Fp32, "fp32", "pipes", "the fp32 pipe"},
    {Resource::Fp64, "fp64", "pipes", "the fp64 pipe"},
    {Resource::Fp16, "fp16", "pipes", "the fp16 pipe"},
    {Resource::Int, "int", "pipes", "the integer pipe"},
    {Resource::Sfu, "sfu", "pipes", "the special-function pipe"},
    {Resource::Tensor, "tensor", "pipes", "the tensor pipe"},
    {Resource::LoadStore, "load-store", "load-store", "the load/store unit"},
    {Resource::Texture, "texture", "pipes", "the texture unit"},
    {Resource::Branch, "branch", "pipes", "the branch unit"},
    {Resource::SharedBandwidth, "shared-bandwidth", "shared",
     "the bandwidth of shared memory"},
    {Resource::L1Bandwidth, "l1-bandwidth", "l1", "the bandwidth of L1"},
    {Resource::OutstandingRequests, "outstanding-requests", "outstanding",
     "the requests that a multiprocessor can have in flight"},
    {Resource::SharedAtomics, "shared-atomics", "atomics",
     "atomics on one address of shared memory"},
    {Resource::L2Bandwidth, "l2-bandwidth", "l2",
     "the bandwidth between L1 and L2"},
    {Resource::L3Bandwidth, "l3-bandwidth", "l3",
     "the bandwidth of the cache in front of DRAM"},
    {Resource::DramBandwidth, "dram-bandwidth", "dram",
     "the bandwidth of DRAM"},
    {Resource::HostLink, "host-link", "link",
     "the link to the memory of the host"},
    {Resource::GlobalAtomics, "global-atomics", "atomics",
     "atomics on global memory"},
    {Resource::Dispatch, "dispatch", "dispatch",
     "the rate at which blocks are started"},
};

// A missing or misplaced row must not compile.
static constexpr bool rowsFollowEnum() {
  for (size_t I = 0; I < std::size(ResourceRows); ++I)
    if (ResourceRows[I].Id != Resource(I))
      return false;
  return true;
}
static_assert(std::size(ResourceRows) == size_t(Resource::Dispatch) + 1 &&
              rowsFollowEnum());

llvm::ArrayRef<ResourceInfo> resourceTable() { return ResourceRows; }

llvm::StringRef name(Resource R) {
  return ResourceRows[static_cast<size_t>(R)].Name;
}

} // namespace gpuestimate
