#include "gpu-estimate/Model/Transform/Fusion.h"

#include "gpu-estimate/Model/Transform/Coarsening.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace llvm;

namespace gpuestimate {

namespace {

class Fuser {
public:
  Fuser(const KernelModel &First, const KernelModel &Second)
      : First(First), Second(Second), C(*First.Context) {}

  Expected<KernelModel> run();

private:
  Expr import(Expr E) const {
    return E ? C.substitute(C.import(E), Counters) : E;
  }
  void importAccesses();
  Error checkOrder() const;
  bool isOwn(const MemoryAccess &A) const;
  void addArguments();
  void addWork();
  void addNodes(const std::vector<RegionNode> &Source,
                std::vector<RegionNode> &Target) const;
  int inRegister(const MemoryAccess &A) const;

  const KernelModel &First, &Second;
  ExprContext &C;
  StringMap<Expr> Counters;        ///< of Second, renamed
  std::vector<MemoryAccess> Later; ///< Second's, in First's context
  unsigned Blocks = 0, Loops = 0;  ///< of First
  KernelModel Result;
};

} // namespace

void Fuser::importAccesses() {
  for (const Loop &L : Second.Loops)
    Counters[L.Counter] = C.parameter("second " + L.Counter);
  for (const MemoryAccess &A : Second.Accesses) {
    Later.push_back(A);
    Later.back().Address = import(A.Address);
    if (Later.back().Address)
      Later.back().Address = C.expand(Later.back().Address);
  }
}

/// True for an address that depends on no loop.
bool Fuser::isOwn(const MemoryAccess &A) const {
  if (!A.Address || A.DataDependent)
    return false;
  auto Moves = [&](const Loop &L) { return A.Address.dependsOn(L.Counter); };
  return none_of(First.Loops, Moves) && none_of(Second.Loops, [&](auto &L) {
           return A.Address.dependsOn("second " + L.Counter);
         });
}

/// Checks that an object which one kernel writes and the other uses is private
/// to each thread: both use it at one address.
Error Fuser::checkOrder() const {
  for (const MemoryAccess &A : First.Accesses)
    for (const MemoryAccess &B : Later) {
      bool Writes = A.Kind != AccessKind::Load || B.Kind != AccessKind::Load;
      if (!Writes || A.Space != B.Space || A.Space == MemorySpace::Local)
        continue;
      if (A.Base.empty() || B.Base.empty())
        return createStringError("an access goes to an unknown object");
      if (A.Base != B.Base)
        continue;
      if (!isOwn(A) || !isOwn(B) || C.expand(A.Address) != B.Address)
        return createStringError("a thread would need elements of '" + A.Base +
                                 "' that are another thread's");
    }
  return Error::success();
}

void Fuser::addArguments() {
  for (const KernelArgument &Argument : Second.Arguments)
    if (none_of(Result.Arguments, [&](const KernelArgument &Other) {
          return Other.Name == Argument.Name;
        }))
      Result.Arguments.push_back(Argument);
  for (MemoryAccess &A : Later) {
    if (!A.BaseArgument)
      continue;
    auto Existing = find_if(Result.Arguments, [&](const KernelArgument &Other) {
      return Other.Name == Second.Arguments[*A.BaseArgument].Name;
    });
    A.BaseArgument = unsigned(Existing - Result.Arguments.begin());
  }
  for (const Unknown &U : Second.Unknowns) {
    if (any_of(First.Unknowns,
               [&](const Unknown &Other) { return Other.Name == U.Name; }))
      continue;
    Result.Unknowns.push_back(U);
    if (U.UpperBound)
      Result.Unknowns.back().UpperBound = import(*U.UpperBound);
    if (U.Key)
      Result.Unknowns.back().Key = import(U.Key);
  }
}

/// The operation of First whose result is the value at the address, or -1.
int Fuser::inRegister(const MemoryAccess &A) const {
  if (A.Kind != AccessKind::Load || !isOwn(A))
    return -1;
  int Producer = -1;
  for (auto [I, O] : enumerate(First.Operations)) {
    if (!O.access())
      continue;
    const MemoryAccess &Before = First.Accesses[*O.access()];
    if (Before.Base != A.Base || Before.Space != A.Space ||
        Before.BytesPerThread != A.BytesPerThread || !Before.Address ||
        C.expand(Before.Address) != A.Address)
      continue;
    // The first operand of a store is its value; a constant has no producer.
    if (Before.Kind == AccessKind::Load)
      Producer = static_cast<int>(I);
    else if (Before.Kind == AccessKind::Store && !O.Operands.empty())
      Producer = static_cast<int>(O.Operands.front().Producer);
  }
  return Producer;
}

void Fuser::addWork() {
  auto Operations = static_cast<unsigned>(First.Operations.size());
  std::vector<unsigned> New(Second.Operations.size());
  unsigned Saved = 0;
  for (const BasicBlock &Source : Second.Blocks) {
    BasicBlock B = Source;
    B.Active = import(B.Active);
    B.FirstOp = static_cast<unsigned>(Result.Operations.size());
    for (unsigned I : Source.operations()) {
      Operation O = Second.Operations[I];
      New[I] = static_cast<unsigned>(Result.Operations.size());
      if (O.access()) {
        MemoryAccess A = Later[*O.access()];
        A.Block = Blocks + A.Block;
        if (int Register = inRegister(A); Register >= 0) {
          O.Class = OpClass::Move;
          O.Count = O.Chain = 1;
          O.Effect = {};
          O.Operands = {};
          ++Saved;
        } else {
          O.Effect = PerformedAccess{unsigned(Result.Accesses.size())};
          Result.Accesses.push_back(std::move(A));
        }
      }
      Result.Operations.push_back(std::move(O));
    }
    B.EndOp = static_cast<unsigned>(Result.Operations.size());
    Result.Blocks.push_back(std::move(B));
  }
  for (unsigned I = Operations; I < Result.Operations.size(); ++I)
    for (Operand &P : Result.Operations[I].Operands)
      P.Producer = New[P.Producer];
  for (const Loop &Source : Second.Loops) {
    Loop L = Source;
    L.Counter = "second " + L.Counter;
    L.TripCount = import(L.TripCount);
    L.Active = import(L.Active);
    if (L.Parent >= 0)
      L.Parent += static_cast<int>(Loops);
    L.Body.clear();
    addNodes(Source.Body, L.Body);
    Result.Loops.push_back(std::move(L));
  }
  addNodes(Second.Body, Result.Body);
  Result.Res.RegistersPerThread =
      std::max(First.Res.RegistersPerThread, Second.Res.RegistersPerThread) +
      Saved;
  Result.Res.RegistersSource = "estimate";
  Result.Res.LocalBytes += Second.Res.LocalBytes;
}

void Fuser::addNodes(const std::vector<RegionNode> &Source,
                     std::vector<RegionNode> &Target) const {
  for (const RegionNode &I : Source)
    Target.push_back(
        {I.Kind, I.Index + (I.Kind == RegionNode::IsLoop ? Loops : Blocks)});
}

Expected<KernelModel> Fuser::run() {
  if (cooperates(First) || cooperates(Second))
    return createStringError("their threads work together");
  if (!First.Waits.empty() || !Second.Waits.empty())
    return createStringError("their threads wait for a clock");
  importAccesses();
  if (Error E = checkOrder())
    return E;
  Result = First;
  Blocks = static_cast<unsigned>(First.Blocks.size());
  Loops = static_cast<unsigned>(First.Loops.size());
  addArguments();
  addWork();
  if (std::string Problem = checkConsistency(Result); !Problem.empty())
    return createStringError(Problem);
  return std::move(Result);
}

Expected<KernelModel> fuse(const KernelModel &First,
                           const KernelModel &Second) {
  return Fuser(First, Second).run();
}

} // namespace gpuestimate
