#include "gpu-estimate/Session/Pipeline/BoundLaunch.h"

#include "gpu-estimate/Evaluate/Access/BindParameters.h"
#include "gpu-estimate/Evaluate/Access/HostContents.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace gpuestimate {

KernelCopies::KernelCopies(const KernelModel &Kernel, LaunchData Data)
    : Original(std::shared_ptr<const void>(), &Kernel), Data(Data) {}

/// Contents of the buffers that an unknown of the kernel depends on.
static ContentsOfBuffers relevantContents(const KernelModel &Kernel,
                                          const ContentsOfBuffers &Contents) {
  ContentsOfBuffers Relevant;
  if (Contents.empty())
    return Relevant;
  for (const Unknown &U : Kernel.Unknowns)
    for (const DataLoad &Load : U.Loads)
      if (auto Known = Contents.find(Load.Buffer); Known != Contents.end())
        Relevant[Known->getKey()] = Known->getValue();
  return Relevant;
}

static bool sameValues(const Bindings &A, const Bindings &B) {
  return A.size() == B.size() && all_of(A, [&](const auto &Entry) {
           auto Other = B.find(Entry.getKey());
           return Other != B.end() && Other->second == Entry.getValue();
         });
}

bool KernelCopies::Key::serves(const Key &Wanted) const {
  if (Parts != Wanted.Parts || Stated != Wanted.Stated ||
      !sameContents(Contents, Wanted.Contents))
    return false;
  if (!Followed)
    return true;
  const LaunchWithArguments &Other = *Wanted.Followed;
  return WarpSize == Wanted.WarpSize &&
         Followed->Used.Grid == Other.Used.Grid &&
         Followed->Used.Block == Other.Used.Block &&
         Followed->Used.DynamicSharedBytes == Other.Used.DynamicSharedBytes &&
         sameValues(Followed->Values, Other.Values);
}

Expected<KernelCopies::Copy> KernelCopies::make(Key Wanted) const {
  const Launch &Used = Wanted.Followed->Used;
  const Bindings &Values = Wanted.Followed->Values;
  Copy Result;
  KernelModel Kernel = *Original;
  bool FollowsLaunch = false;
  if (Data.Resolver) {
    Expected<ResolvedKernel> Resolved =
        Data.Traced
            ? Data.Resolver->resolve(*Data.Traced, Values)
            : Data.Resolver->resolve(Used, Values,
                                     bindParameters(Kernel, Used, Values).All,
                                     Wanted.WarpSize, Data.Limits);
    if (!Resolved)
      return Resolved.takeError();
    Kernel = std::move(Resolved->Model);
    Result.Executed =
        std::make_shared<const ExecutedLaunch>(std::move(Resolved->Executed));
    Result.Notices = std::move(Resolved->Notices);
    FollowsLaunch = true;
  }
  Kernel = withBufferParts(std::move(Kernel), Wanted.Parts);
  if (!Wanted.Contents.empty()) {
    KernelWithContents Settled = withHostContents(
        std::move(Kernel), Used, Values, Wanted.Contents, Wanted.WarpSize);
    Kernel = std::move(Settled.Kernel);
    FollowsLaunch |= Settled.FollowsLaunch;
  }
  Result.Kernel = std::make_shared<const KernelModel>(std::move(Kernel));
  Result.Made = std::move(Wanted);
  if (!FollowsLaunch)
    Result.Made.Followed = std::nullopt;
  return Result;
}

Error KernelCopies::set(BoundLaunch &L, unsigned WarpSize) {
  Key Wanted;
  if (!Data.Resolver)
    Wanted.Contents = relevantContents(*Original, L.Plan.Contents);
  if (!Data.Resolver && L.Plan.Parts.empty() && Wanted.Contents.empty()) {
    L.Kernel = Original;
    return Error::success();
  }
  Wanted.Parts = L.Plan.Parts;
  if (!Wanted.Contents.empty())
    for (const Unknown &U : Original->Unknowns)
      if (L.Plan.Values.contains(U.Name))
        Wanted.Stated.push_back(U.Name);
  Wanted.Followed = L.Plan;
  Wanted.WarpSize = WarpSize;
  auto Known =
      find_if(Recent, [&](const Copy &C) { return C.Made.serves(Wanted); });
  if (Known == Recent.end()) {
    Expected<Copy> Made = make(std::move(Wanted));
    if (!Made)
      return Made.takeError();
    if (Recent.size() == MaxCopies)
      Recent.pop_back();
    Recent.push_front(std::move(*Made));
    Known = Recent.begin();
  }
  L.Kernel = Known->Kernel;
  L.Executed = Known->Executed;
  L.Notices = Known->Notices;
  return Error::success();
}

} // namespace gpuestimate
