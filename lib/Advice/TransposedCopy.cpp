#include "TransposedCopy.h"
#include "gpu-estimate/Model/Machine/InlineEcc.h"

#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace llvm;

namespace gpuestimate {

/// A step in rows and elements of a row: 3 rows and -2 elements for -2 + 3 *
/// Pitch.
static double rowsOf(double Step, double Pitch) {
  return std::round(Step / Pitch);
}

double TransposedArray::step(double Old) const {
  double Down = rowsOf(Old, Pitch);
  if (std::fabs(Down) >= Rows)
    return Old;
  double Along = (Old - Down * Pitch) / ElementBytes;
  return Down * ElementBytes + Along * Rows * ElementBytes;
}

Seconds TransposedArray::copyTime(const GpuModel &Gpu) const {
  Bytes Size(Rows * Columns * ElementBytes);
  return Size * dramBytesPerByte(Gpu, 0) / Gpu.DramReadBandwidth +
         Size * dramBytesPerByte(Gpu, 1) / Gpu.DramWriteBandwidth;
}

std::optional<TransposedArray> transposable(const AffineAddress &Address,
                                            unsigned BytesPerThread) {
  TransposedArray T;
  T.ElementBytes = BytesPerThread;
  T.Pitch = std::fabs(Address.step("threadIdx.x"));
  // Rows of two elements are structures, not a matrix.
  if (T.Pitch <= 2 * T.ElementBytes)
    return std::nullopt;
  // Steps beyond all rows lead to another plane.
  for (const AffineAddress::Term &Term : Address.Terms)
    if (StringRef(Term.Parameter).ends_with("Idx.x"))
      T.Rows += std::fabs(rowsOf(Term.Step, T.Pitch)) * (Term.Count - 1);
  for (const AffineAddress::Term &Term : Address.Terms) {
    double Down = rowsOf(Term.Step, T.Pitch);
    if (std::fabs(Down) >= T.Rows)
      continue;
    double Along = std::fabs(Term.Step - Down * T.Pitch) / T.ElementBytes;
    if (Along != std::floor(Along))
      return std::nullopt;
    T.Columns += Along * (Term.Count - 1);
    if (!StringRef(Term.Parameter).ends_with("Idx.x"))
      T.Rows += std::fabs(Down) * (Term.Count - 1);
  }
  if (T.Columns <= 2)
    return std::nullopt;
  return T;
}

std::optional<Prediction>
tryTransposed(const Advisor &A, const AccessSite &Site, Seconds &CopyTime) {
  const MemoryAccess &First = A.Kernel.Accesses[Site.Copies.front()];
  if (First.Kind != AccessKind::Load || First.Base.empty())
    return std::nullopt;
  std::optional<TransposedArray> Array;
  KernelModel Changed = A.Kernel;
  for (auto [I, Element] : enumerate(A.Kernel.Accesses)) {
    const MemoryAccess &Access = Element;
    if (Access.Base != First.Base || Access.Space != First.Space)
      continue;
    if (Access.Kind != AccessKind::Load)
      return std::nullopt;
    bool OfSite = is_contained(Site.Copies, unsigned(I));
    std::optional<AffineAddress> Address =
        affineAddress(A, static_cast<unsigned>(I));
    if (!Address && OfSite)
      return std::nullopt;
    if (!Address || Access.BytesPerThread != First.BytesPerThread)
      continue;
    std::optional<TransposedArray> Own =
        transposable(*Address, Access.BytesPerThread);
    if (!Array && OfSite)
      Array = Own;
    if (!Own && OfSite)
      return std::nullopt;
    if (!Own)
      continue;
    for (AffineAddress::Term &Term : Address->Terms)
      Term.Step = Own->step(Term.Step);
    Address->Offset = Own->step(Address->Offset);
    Changed.Accesses[I].Address = Address->expression(*A.Kernel.Context);
  }
  if (!Array)
    return std::nullopt;
  std::optional<Prediction> Result = A.tryOut(Changed);
  if (Result) {
    CopyTime = Array->copyTime(A.Gpu) + A.Base.LaunchOverhead;
    Result->Time = Result->Time + CopyTime;
  }
  return Result;
}

} // namespace gpuestimate
