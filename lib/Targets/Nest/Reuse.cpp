#include "gpu-estimate/Targets/Nest/Reuse.h"

#include "gpu-estimate/Evaluate/Access/Footprint.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

namespace gpuestimate {

namespace {

/// Accesses to one array with equal strides: the neighbours of a stencil, the
/// load and the store of an update.
struct Group {
  const NestedAccess *First = nullptr;
  std::vector<double> Starts, Written; ///< of all; of those that store
  bool Reads = false;
  double Width = 0;
  double Executions = 0;
};

class Reuse {
public:
  Reuse(const LoopNestNumbers &Nest, double Granule, unsigned Sharers = 1)
      : Nest(Nest), Granule(Granule), Sharers(Sharers) {
    for (const NestedAccess &A : Nest.Accesses)
      add(A);
  }

  llvm::ArrayRef<Group> groups() const { return Groups; }

  /// Distinct bytes of G over the loops of its chain from Depth inwards.
  double bytesInside(const Group &G, size_t Depth) const {
    return bytesInside(G, G.Starts, Depth);
  }

  /// Distinct written bytes of G over the loops of its chain from Depth
  /// inwards.
  double writtenInside(const Group &G, size_t Depth) const {
    return G.Written.empty() ? 0 : bytesInside(G, G.Written, Depth);
  }

  double bytesInside(const Group &G, llvm::ArrayRef<double> Starts,
                     size_t Depth) const {
    double Times = 1;
    StridedAccess Set;
    std::vector<double> Elsewhere;
    for (size_t I = 0; I < G.First->Strides.size(); ++I) {
      auto [Index, Stride] = G.First->Strides[I];
      if (I < Depth) {
        Elsewhere.push_back(Stride);
        continue;
      }
      Set.push_back({Stride, Nest.Loops[Index].Extent});
      Times *= Nest.Loops[Index].Extent;
    }
    double Distinct;
    if (G.First->Irregular)
      Distinct = Times * Granule;
    else
      Distinct =
          Granule * footprintSectors(Set, Starts, G.Width, Granule, Elsewhere);
    Distinct = std::min(Distinct, Times * std::max(Granule, G.Width) *
                                      static_cast<double>(Starts.size()));
    if (G.First->ObjectBytes)
      Distinct = std::min(Distinct, std::max(*G.First->ObjectBytes, Granule));
    return Distinct;
  }

  /// True if all sharers access the same elements.
  bool isCommon(const Group &G) const {
    return Sharers > 1 && !G.First->Irregular &&
           (G.First->Strides.empty() || G.First->Strides.front().second == 0);
  }

  /// Bytes that one iteration of a loop (the whole nest for -1) touches, all
  /// sharers together.
  double iteration(int Loop) const {
    double Sum = 0;
    for (const Group &G : Groups)
      if (std::optional<size_t> Depth = depthIn(G, Loop))
        Sum += bytesInside(G, *Depth + (Loop >= 0 ? 1 : 0)) *
               (isCommon(G) ? 1 : Sharers);
    return Sum;
  }

  /// Position of Loop in G's chain.
  std::optional<size_t> depthIn(const Group &G, int Loop) const {
    if (Loop < 0)
      return 0;
    for (size_t I = 0; I < G.First->Strides.size(); ++I)
      if (static_cast<int>(G.First->Strides[I].first) == Loop)
        return I;
    return std::nullopt;
  }

  /// Number of times that the footprint of the loops from Depth inwards is
  /// traversed.
  double walks(const Group &G, size_t Depth) const {
    double Inside = 1;
    for (size_t I = Depth; I < G.First->Strides.size(); ++I)
      Inside *= Nest.Loops[G.First->Strides[I].first].Extent;
    double PerStart = G.Executions / static_cast<double>(G.Starts.size());
    return Inside > 0 ? PerStart / Inside : 0;
  }

private:
  void add(const NestedAccess &A) {
    Group *To = llvm::find_if(Groups, [&](const Group &G) {
      return !A.Base.empty() && G.First->Base == A.Base &&
             G.First->Strides == A.Strides && G.First->Irregular == A.Irregular;
    });
    if (To == Groups.end())
      To = &Groups.emplace_back(), To->First = &A;
    To->Starts.push_back(A.Start);
    if (A.Writes)
      To->Written.push_back(A.Start);
    To->Reads |= A.Reads;
    To->Width = std::max(To->Width, A.Bytes);
    To->Executions += A.Executions;
  }

  const LoopNestNumbers &Nest;
  double Granule;
  unsigned Sharers;
  llvm::SmallVector<Group, 8> Groups;
};

} // namespace

PassedBytes bytesBeyond(const LoopNestNumbers &Nest, Bytes Capacity,
                        double Granule, bool WriteAllocate, unsigned Sharers) {
  Reuse R(Nest, Granule, Sharers);
  std::vector<bool> Fits(Nest.Loops.size());
  for (size_t I = 0; I < Nest.Loops.size(); ++I)
    Fits[I] = R.iteration(static_cast<int>(I)) <= Capacity.value();
  bool AllFits = R.iteration(-1) <= Capacity.value();

  double Read = 0, Written = 0;
  for (const Group &G : R.groups()) {
    size_t Depth = 0; // of l*
    if (!AllFits)
      while (Depth < G.First->Strides.size() &&
             !Fits[G.First->Strides[Depth].first])
        ++Depth;
    double Times = R.walks(G, Depth);
    if (R.isCommon(G)) // fetched by one of them for all
      Times /= Sharers;
    if (G.Reads || WriteAllocate)
      Read += Times * R.bytesInside(G, Depth);
    Written += Times * R.writtenInside(G, Depth);
  }
  return {Bytes(Read), Bytes(Written)};
}

Bytes touchedBytes(const LoopNestNumbers &Nest, double Granule,
                   unsigned Sharers) {
  return Bytes(Reuse(Nest, Granule, Sharers).iteration(-1));
}

PassedBytes distinctBytes(const LoopNestNumbers &Nest) {
  Reuse R(Nest, 1);
  double Read = 0, Written = 0;
  // An array with several groups of accesses is copied once.
  std::vector<std::pair<std::string, std::array<double, 2>>> Arrays;
  for (const Group &G : R.groups()) {
    auto Array = llvm::find_if(Arrays, [&](const auto &Entry) {
      return !G.First->Base.empty() && Entry.first == G.First->Base;
    });
    if (Array == Arrays.end())
      Array = Arrays.insert(Arrays.end(), {G.First->Base, {0, 0}});
    double Amount = G.First->Irregular && G.First->ObjectBytes
                        ? *G.First->ObjectBytes
                        : R.bytesInside(G, 0);
    if (G.Reads)
      Array->second[0] = std::max(Array->second[0], Amount);
    if (!G.Written.empty())
      Array->second[1] = std::max(Array->second[1], Amount);
  }
  for (const auto &[Name, Amounts] : Arrays) {
    Read += Amounts[0];
    Written += Amounts[1];
  }
  return {Bytes(Read), Bytes(Written)};
}

} // namespace gpuestimate
