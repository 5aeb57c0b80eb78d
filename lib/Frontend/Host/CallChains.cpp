#include "CallChains.h"

#include "clang/AST/Decl.h"

namespace gpuestimate {

std::vector<const CallFrame *> CallChains::to(const HostFunction &F,
                                              bool &TooMany) {
  std::vector<const CallFrame *> Result;
  std::vector<const HostFunction *> Path = {&F};
  extend(Path, {}, Result, TooMany);
  if (TooMany || Result.empty()) {
    Frames.push_back({&F, nullptr, {}, nullptr, 0});
    return {&Frames.back()};
  }
  return Result;
}

/// Extends a chain by the callers of its outermost function Path.back(). Steps
/// are the calls from there inward.
void CallChains::extend(std::vector<const HostFunction *> &Path,
                        std::vector<Step> Steps,
                        std::vector<const CallFrame *> &Result, bool &TooMany) {
  const HostFunction *Outer = Path.back();
  auto It = Index.Callers.find(Outer->Decl->getCanonicalDecl());
  bool Extended = false;
  if (It != Index.Callers.end() && Path.size() <= MaxDepth)
    for (const auto &[Caller, Call] : It->second) {
      if (llvm::is_contained(Path, Caller))
        continue; // recursion
      Extended = true;
      Path.push_back(Caller);
      Steps.push_back({Caller, &Call});
      extend(Path, Steps, Result, TooMany);
      Steps.pop_back();
      Path.pop_back();
      if (TooMany)
        return;
    }
  if (Extended)
    return;
  if (Result.size() == MaxChains) {
    TooMany = true;
    return;
  }
  Frames.push_back({Outer, nullptr, {}, nullptr, 0});
  const CallFrame *Current = &Frames.back();
  for (size_t I = Steps.size(); I-- > 0;) {
    const HostFunction *Callee = I == 0 ? Path[0] : Steps[I - 1].Caller;
    Frames.push_back({Callee, Steps[I].Call->Call, Steps[I].Call->Point,
                      Current, Current->Depth + 1});
    Current = &Frames.back();
  }
  Result.push_back(Current);
}

} // namespace gpuestimate
