#include "gpu-estimate/Model/Transform/Coarsening.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

using namespace llvm;

namespace gpuestimate {

static void rewrite(KernelModel &Kernel, function_ref<Expr(Expr)> Change) {
  auto Apply = [&](Expr &E) {
    if (E)
      E = Change(E);
  };
  forEachExpr(Kernel, Apply);
  for (Unknown &U : Kernel.Unknowns) {
    if (U.UpperBound)
      Apply(*U.UpperBound);
    Apply(U.Key);
  }
}

bool cooperates(const KernelModel &Kernel) {
  return any_of(Kernel.Operations,
                [](const Operation &O) {
                  return O.Class == OpClass::Barrier ||
                         O.Class == OpClass::Shuffle ||
                         O.Class == OpClass::Vote || O.TensorMultiplyAdds > 0;
                }) ||
         any_of(Kernel.Accesses, [](const MemoryAccess &A) {
           return A.Space == MemorySpace::Shared ||
                  A.Kind == AccessKind::AsyncCopy;
         });
}

KernelModel withExchangedXY(const KernelModel &Kernel) {
  KernelModel Result = Kernel;
  ExprContext &C = *Kernel.Context;
  StringMap<Expr> Exchanged;
  for (const char *Kind : {"threadIdx", "blockIdx", "blockDim", "gridDim"}) {
    std::string X = std::string(Kind) + ".x", Y = std::string(Kind) + ".y";
    Exchanged[X] = C.parameter(Y);
    Exchanged[Y] = C.parameter(X);
  }
  rewrite(Result, [&](Expr E) { return C.substitute(E, Exchanged); });
  return Result;
}

namespace {

class Coarsener {
public:
  Coarsener(const KernelModel &Kernel, unsigned Dimension, unsigned Factor)
      : Kernel(Kernel), C(*Kernel.Context), Factor(Factor) {
    static constexpr const char *Suffix[] = {".x", ".y", ".z"};
    BlockIndex = std::string("blockIdx") + Suffix[Dimension];
    GridSize = std::string("gridDim") + Suffix[Dimension];
  }

  std::optional<KernelModel> run();

private:
  bool varies(Expr E) const {
    return E && (E.dependsOn(BlockIndex) || E.dependsOn(GridSize));
  }
  void findVarying();
  Expr ofCopy(Expr E, unsigned Copy) const;
  Expr ofAll(Expr Active) const;
  void copyOperations();
  void addRegisters();

  const KernelModel &Kernel;
  ExprContext &C;
  unsigned Factor;
  std::string BlockIndex, GridSize;
  std::vector<bool> Varies; ///< operation -> is it another one in each copy
  KernelModel Result;
};

} // namespace

/// Selects the operations to copy: those that depend on the dimension through
/// an address or a value, and those with a side effect. A value that is equal
/// in all copies is computed once, even if a guard (i < n) disables some
/// copies.
void Coarsener::findVarying() {
  Varies.assign(Kernel.Operations.size(), false);
  for (auto [I, O] : enumerate(Kernel.Operations))
    if (O.access()) {
      const MemoryAccess &A = Kernel.Accesses[*O.access()];
      Varies[I] = varies(A.Address) || A.Kind != AccessKind::Load;
    }
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (auto [I, O] : enumerate(Kernel.Operations))
      if (!Varies[I] && !O.LoopOverhead &&
          any_of(O.Operands, [&](Operand P) { return Varies[P.Producer]; }))
        Varies[I] = Changed = true;
  }
}

Expr Coarsener::ofCopy(Expr E, unsigned Copy) const {
  if (!E)
    return E;
  StringMap<Expr> Replaced;
  Replaced[BlockIndex] =
      C.parameter(BlockIndex) * double(Factor) + double(Copy);
  Replaced[GridSize] = C.parameter(GridSize) * double(Factor);
  return C.substitute(E, Replaced);
}

/// In the last blocks some copies may have nothing to do.
Expr Coarsener::ofAll(Expr Active) const {
  if (!varies(Active))
    return Active;
  Expr Sum = C.constant(0);
  for (unsigned Copy = 0; Copy < Factor; ++Copy)
    Sum = Sum + ofCopy(Active, Copy);
  return Sum * (1.0 / Factor);
}

/// Copies stand beside each other, as a compiler interleaves them.
void Coarsener::copyOperations() {
  Result.Operations.clear();
  std::vector<SmallVector<unsigned, 8>> New(Kernel.Operations.size());
  for (BasicBlock &B : Result.Blocks) {
    unsigned First = B.FirstOp, End = B.EndOp;
    B.FirstOp = static_cast<unsigned>(Result.Operations.size());
    for (unsigned I = First; I < End; ++I)
      for (unsigned Copy = 0; Copy < (Varies[I] ? Factor : 1); ++Copy) {
        New[I].push_back(static_cast<unsigned>(Result.Operations.size()));
        Operation O = Kernel.Operations[I];
        if (O.access()) {
          MemoryAccess A = Kernel.Accesses[*O.access()];
          A.Address = ofCopy(A.Address, Copy);
          if (Copy > 0) {
            O.Effect = PerformedAccess{unsigned(Result.Accesses.size())};
            Result.Accesses.push_back(std::move(A));
          } else {
            Result.Accesses[*O.access()] = std::move(A);
          }
        }
        Result.Operations.push_back(std::move(O));
      }
    B.EndOp = static_cast<unsigned>(Result.Operations.size());
    B.Active = ofAll(B.Active);
  }
  for (Loop &L : Result.Loops)
    L.Active = ofAll(L.Active);
  for (auto [I, Copies] : enumerate(New))
    for (auto [Copy, Index] : enumerate(Copies))
      for (Operand &P : Result.Operations[Index].Operands)
        P.Producer = New[P.Producer][Varies[P.Producer] ? Copy : 0];
}

void Coarsener::addRegisters() {
  auto WordsOf = [](const Operation &O, const KernelModel &K) {
    unsigned Width = O.access()   ? K.Accesses[*O.access()].BytesPerThread
                     : O.FlopFp64 ? 8
                                  : 4;
    return (Width + 3) / 4;
  };
  unsigned Kept = 0, Loaded = 0;
  std::vector<bool> Seen(Kernel.Operations.size(), false);
  for (const Operation &O : Kernel.Operations)
    for (const Operand &P : O.Operands)
      if (P.Carried && Varies[P.Producer] && !Seen[P.Producer]) {
        Seen[P.Producer] = true;
        Kept += WordsOf(Kernel.Operations[P.Producer], Kernel);
      }
  for (const BasicBlock &B : Kernel.Blocks) {
    unsigned Own = 0;
    for (unsigned I : B.operations()) {
      const Operation &O = Kernel.Operations[I];
      if (Varies[I] && O.access() &&
          Kernel.Accesses[*O.access()].Kind == AccessKind::Load)
        Own += WordsOf(O, Kernel);
    }
    Loaded = std::max(Loaded, Own);
  }
  Result.Res.RegistersPerThread += (Factor - 1) * (Kept + Loaded);
  Result.Res.RegistersSource = "estimate";
}

std::optional<KernelModel> Coarsener::run() {
  if (cooperates(Kernel) || !Kernel.Waits.empty() ||
      any_of(Kernel.Loops, [&](const Loop &L) { return varies(L.TripCount); }))
    return std::nullopt;
  findVarying();
  Result = Kernel;
  copyOperations();
  addRegisters();
  if (!checkConsistency(Result).empty())
    return std::nullopt;
  return std::move(Result);
}

std::optional<KernelModel> coarsen(const KernelModel &Kernel,
                                   unsigned Dimension, unsigned Factor) {
  return Coarsener(Kernel, Dimension, Factor).run();
}

} // namespace gpuestimate
