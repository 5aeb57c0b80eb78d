#include "ClockLoops.h"

#include "gpu-estimate/Symbolic/ParameterSet.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

namespace gpuestimate {

std::optional<Clock> clockReadBy(const llvm::Value &V) {
  const auto *Call = llvm::dyn_cast<llvm::CallBase>(&V);
  if (!Call)
    return std::nullopt;
  constexpr Clock Core{Wait::CoreCycles, 1}, Timer{Wait::Nanoseconds, 1};
  if (const auto *Asm =
          llvm::dyn_cast<llvm::InlineAsm>(Call->getCalledOperand())) {
    llvm::StringRef Text = Asm->getAsmString();
    if (!Text.contains("mov"))
      return std::nullopt;
    if (Text.contains("%globaltimer"))
      return Timer;
    if (Text.contains("%clock"))
      return Core;
    return std::nullopt;
  }
  const llvm::Function *Callee = Call->getCalledFunction();
  if (!Callee)
    return std::nullopt;
  // AMD's real-time counter has 100 MHz.
  constexpr Clock RealTime{Wait::Nanoseconds, 10};
  return llvm::StringSwitch<std::optional<Clock>>(Callee->getName())
      .Cases("llvm.readcyclecounter", "llvm.nvvm.read.ptx.sreg.clock",
             "llvm.nvvm.read.ptx.sreg.clock64", "llvm.amdgcn.s.memtime", Core)
      .Case("llvm.nvvm.read.ptx.sreg.globaltimer", Timer)
      .Case("llvm.amdgcn.s.memrealtime", RealTime)
      .Case("llvm.readsteadycounter",
            Callee->getParent()->getTargetTriple().substr(0, 3) == "amd"
                ? RealTime
                : Timer)
      .Default(std::nullopt);
}

namespace {

/// The value that a side of the exit's comparison has in this iteration: of a
/// phi of the loop's header, what the iteration before made.
const llvm::Value *current(const llvm::Value *Side, const llvm::Loop &L) {
  constexpr unsigned MaxSteps = 8;
  for (unsigned I = 0; I < MaxSteps; ++I) {
    if (const auto *Cast = llvm::dyn_cast<llvm::CastInst>(Side)) {
      Side = Cast->getOperand(0);
      continue;
    }
    const auto *Phi = llvm::dyn_cast<llvm::PHINode>(Side);
    const llvm::BasicBlock *Latch = L.getLoopLatch();
    if (!Phi || Phi->getParent() != L.getHeader() || !Latch)
      return Side;
    const llvm::Value *Next = Phi->getIncomingValueForBlock(Latch);
    if (Next == Phi || llvm::isa<llvm::PHINode>(Next))
      return Side;
    Side = Next;
  }
  return Side;
}

class ClockExit {
public:
  ClockExit(const llvm::Loop &L, Values &V, const Unknowns &Names)
      : L(L), V(V), Names(Names) {}

  /// The loop lasts while X < Y.
  std::optional<ClockLoop> between(const llvm::Value *X, const llvm::Value *Y) {
    X = current(X, L);
    Y = current(Y, L);
    return of(V.of(X) - V.of(Y));
  }

private:
  /// E on the path where the counter does not wrap around between the reads:
  /// `end - start - (end < start)`, `end + (end > start ? -start : ~start)`.
  static Expr withoutWrap(Expr E, const ParameterSet &Reads, Expr Start) {
    llvm::ArrayRef<Expr> Parts = E.operands();
    auto IsBoolean = [](Expr Part) { return Part.isBoolean(); };
    if (!dependsOn(E, Reads))
      return E;
    if (E.kind() == ExprKind::Add) {
      Expr Sum = E.context().constant(0);
      for (Expr Part : Parts)
        Sum = Sum + withoutWrap(Part, Reads, Start);
      return Sum;
    }
    if (E.kind() == ExprKind::Select && dependsOn(Parts[0], Reads))
      return step(Parts[1], Start) ? Parts[1] : Parts[2];
    bool IsTest = E.isBoolean() ||
                  (E.kind() == ExprKind::Mul && llvm::any_of(Parts, IsBoolean));
    return IsTest ? E.context().constant(0) : E;
  }

  /// D = end - start - length
  std::optional<ClockLoop> of(Expr D) const {
    llvm::SmallVector<const llvm::Value *> Sources;
    Names.sources(D, Sources);
    ClockLoop Result;
    std::optional<Clock> Read;
    for (const llvm::Value *Source : Sources) {
      std::optional<Clock> Here = clockReadBy(*Source);
      if (!Here)
        continue;
      const auto *I = llvm::cast<llvm::Instruction>(Source);
      const llvm::Instruction *&Place =
          L.contains(I) ? Result.End : Result.Start;
      if (Place || (Read && Read->Unit != Here->Unit))
        return std::nullopt;
      Place = I;
      Read = Here;
    }
    if (!Result.Start || !Result.End)
      return std::nullopt;
    Expr Start = V.of(Result.Start), End = V.of(Result.End);
    ParameterSet Reads;
    Reads.insert(Start.name());
    Reads.insert(End.name());
    D = withoutWrap(D, Reads, Start);
    if (step(D, End) != 1 || step(D, Start) != -1)
      return std::nullopt;
    Expr Rest = D - End + Start;
    if (Rest.dependsOn(Start.name()) || Rest.dependsOn(End.name()) ||
        !V.isInvariant(Rest, &L))
      return std::nullopt;
    Result.Length = -Read->UnitsPerStep * Rest;
    Result.Unit = Read->Unit;
    return Result;
  }

  /// What E grows by when the parameter By grows by one, if that is constant.
  static std::optional<double> step(Expr E, Expr By) {
    llvm::StringMap<Expr> Next;
    Next[By.name()] = By + 1;
    return (E.context().substitute(E, Next) - E).asConstant();
  }

  const llvm::Loop &L;
  Values &V;
  const Unknowns &Names;
};

} // namespace

std::optional<ClockLoop> clockLoop(const llvm::Loop &L,
                                   llvm::CmpInst::Predicate Stay,
                                   const llvm::Value *X, const llvm::Value *Y,
                                   Values &V, const Unknowns &Names) {
  switch (Stay) {
  case llvm::CmpInst::ICMP_SLT:
  case llvm::CmpInst::ICMP_SLE:
  case llvm::CmpInst::ICMP_ULT:
  case llvm::CmpInst::ICMP_ULE:
    return ClockExit(L, V, Names).between(X, Y);
  case llvm::CmpInst::ICMP_SGT:
  case llvm::CmpInst::ICMP_SGE:
  case llvm::CmpInst::ICMP_UGT:
  case llvm::CmpInst::ICMP_UGE:
    return ClockExit(L, V, Names).between(Y, X);
  default:
    return std::nullopt;
  }
}

} // namespace gpuestimate
