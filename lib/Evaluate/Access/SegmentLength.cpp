#include "SegmentLength.h"

#include "BufferBytes.h"
#include "gpu-estimate/Model/Kernel/LoopTree.h"
#include "gpu-estimate/Support/WorkBudget.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

namespace gpuestimate {

namespace {

/// The bytes by which an address grows with one of its parameters, the others
/// being 0 unless All has them. 0 where it has no value.
double slope(Expr Address, llvm::StringRef Parameter, const Bindings &All) {
  Bindings Point;
  for (const std::string &Name : Address.parameters()) {
    auto Known = All.find(Name);
    Point[Name] = Known == All.end() ? 0 : Known->second;
  }
  Point[Parameter] = 0;
  std::optional<double> At0 = evaluate(Address, Point);
  Point[Parameter] = 1;
  std::optional<double> At1 = evaluate(Address, Point);
  return At0 && At1 ? *At1 - *At0 : 0;
}

class SegmentFinder {
public:
  SegmentFinder(const KernelModel &Kernel, const Bindings &All)
      : Kernel(Kernel), All(All), LoopOfBlock(loopsOfBlocks(Kernel)) {}

  std::optional<SegmentLength> run(const Unknown &U) {
    std::optional<SegmentLength> Best;
    for (int L = 0; L < int(Kernel.Loops.size()); ++L) {
      Expr Trips = Kernel.Loops[L].TripCount;
      if (Trips.kind() != ExprKind::Parameter || Trips.name() != U.Name)
        continue;
      for (const MemoryAccess &A : Kernel.Accesses)
        if (auto Found = walked(A, L); Found && spendWork())
          if (!Best || Found->Mean < Best->Mean)
            Best = Found;
    }
    return Best;
  }

private:
  /// The segments that loop L walks by the access, one element after another.
  std::optional<SegmentLength> walked(const MemoryAccess &A, int L) {
    if (!A.Address || A.Space != MemorySpace::Global ||
        !isInLoop(Kernel.Loops, LoopOfBlock[A.Block], L) ||
        !A.Address.dependsOn(Kernel.Loops[L].Counter))
      return std::nullopt;
    std::optional<double> Bytes = bufferBytes(Kernel, A, All);
    double Step = std::abs(slope(A.Address, Kernel.Loops[L].Counter, All));
    if (!Bytes || Step <= 0)
      return std::nullopt;
    for (const Unknown &Begin : Kernel.Unknowns) {
      if (Begin.Kind != Unknown::LoadedValue || Begin.Name.empty() ||
          !A.Address.dependsOn(Begin.Name))
        continue;
      std::optional<Begins> Found = beginsOf(Begin, L);
      if (!Found)
        continue;
      // A begin that counts anything but elements, such as rows of a matrix,
      // is not that of a segment.
      double Element = slope(A.Address, Begin.Name, All);
      if (Element != A.BytesPerThread && Element != elementBytes(A))
        continue;
      return SegmentLength{
          std::max(1.0, std::ceil(*Bytes / Step / Found->Number)), A.buffer(),
          Found->Buffer};
    }
    return std::nullopt;
  }

  double elementBytes(const MemoryAccess &A) const {
    return A.BaseArgument ? Kernel.Arguments[*A.BaseArgument].ElementBytes : 0;
  }
  /// The bytes from one begin to the next: of a structure, where it is one.
  double strideOf(const MemoryAccess &A) const {
    return std::max<double>({1.0, double(A.BytesPerThread), elementBytes(A)});
  }

  struct Begins {
    double Number = 0; ///< >= 1
    std::string Buffer;
  };
  /// The array that the value is loaded from, before loop L. Optimized code may
  /// have loads of several arrays at one place; their lengths must agree.
  std::optional<Begins> beginsOf(const Unknown &Value, int L) const {
    std::optional<Begins> Result;
    for (const MemoryAccess &A : Kernel.Accesses) {
      if (A.Kind != AccessKind::Load || !A.Address ||
          A.Location.Line != Value.Location.Line ||
          A.Location.Column != Value.Location.Column ||
          A.Location.File != Value.Location.File)
        continue;
      std::optional<double> Bytes = bufferBytes(Kernel, A, All);
      if (!Bytes || isInLoop(Kernel.Loops, LoopOfBlock[A.Block], L))
        return std::nullopt;
      double Number = std::max(1.0, *Bytes / strideOf(A));
      if (!Result)
        Result = {Number, A.buffer()};
      else if (Result->Number != Number)
        return std::nullopt;
    }
    return Result;
  }

  const KernelModel &Kernel;
  const Bindings &All;
  std::vector<int> LoopOfBlock;
};

} // namespace

std::optional<SegmentLength> segmentLength(const KernelModel &Kernel,
                                           const Unknown &U,
                                           const Bindings &All) {
  if (U.Kind != Unknown::TripCount || U.Relation.empty() || U.UpperBound ||
      U.FromData)
    return std::nullopt;
  return SegmentFinder(Kernel, All).run(U);
}

} // namespace gpuestimate
