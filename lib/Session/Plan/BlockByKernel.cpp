#include "BlockByKernel.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>
#include <set>

using namespace llvm;

namespace gpuestimate {

namespace {

constexpr uint64_t UsualBlockThreads = 256, UsualBlockSide = 16,
                   MaxThreads = 1024;

/// What a term adds for one more thread, block or iteration, whatever the
/// values of all other parameters are.
class Slopes {
public:
  explicit Slopes(Expr Term) : Term(Term) {
    // Two sets of values without common factors; multiples of 32 would hide
    // divisions.
    double Prime = 7;
    for (const std::string &Name : Term.parameters()) {
      Sets[0][Name] = Prime;
      Sets[1][Name] = 2 * Prime + 3;
      Prime += 4;
    }
  }

  /// Nothing if it is no constant.
  std::optional<double> along(const std::string &Name) {
    std::optional<double> Slope;
    for (const Bindings &Set : Sets)
      for (double From : {0.0, 5.0, 31.0}) {
        Bindings Here = Set, There = Set;
        Here[Name] = From;
        There[Name] = From + 1;
        std::optional<double> A = evaluate(Term, Here),
                              B = evaluate(Term, There);
        if (!A || !B || (Slope && *B - *A != *Slope))
          return std::nullopt;
        Slope = *B - *A;
      }
    return Slope;
  }

  /// The value where all parameters are 0.
  std::optional<double> atZero() const {
    Bindings Zero;
    for (const auto &Value : Sets[0])
      Zero[Value.getKey()] = 0;
    return evaluate(Term, Zero);
  }

private:
  Expr Term;
  std::array<Bindings, 2> Sets;
};

class BlockFinder {
public:
  explicit BlockFinder(const KernelModel &Kernel) : Kernel(Kernel) {}
  BlockByKernel find();

private:
  bool reads(StringRef Name) const;
  void atMost(unsigned Axis, double Threads, StringRef Reason) {
    // A warp is the least that a whole row of threads is made of.
    constexpr double Least[] = {16, 2, 2};
    if (!(Threads >= Least[Axis]) || Threads > MaxThreads ||
        (Bound[Axis] && *Bound[Axis] <= Threads))
      return;
    Bound[Axis] = static_cast<uint64_t>(Threads);
    Why = Reason.str();
  }
  void bySharedArray(const MemoryAccess &A);
  void byDistance(const MemoryAccess &A);
  /// Elements of a thread that lie Turn bytes apart and fill the distance Next
  /// of neighbouring blocks.
  void byItems(const MemoryAccess &A, unsigned Axis, double Step, double Next);
  void byLoop(Expr TripCount);

  const KernelModel &Kernel;
  std::array<std::optional<uint64_t>, 3> Bound;
  std::string Why;
};

} // namespace

static std::string thread(unsigned Axis) {
  return std::string("threadIdx.") + "xyz"[Axis];
}

static std::string block(unsigned Axis) {
  return std::string("blockIdx.") + "xyz"[Axis];
}

void BlockFinder::bySharedArray(const MemoryAccess &A) {
  Expr Active = Kernel.Blocks[A.Block].Active;
  if (A.BaseBytes.value_or(0) <= 1 ||
      (Active && (Active.dependsOn(thread(0)) || Active.dependsOn(thread(1)))))
    return;
  Slopes Address(A.Address);
  std::optional<double> X = Address.along(thread(0)),
                        Y = Address.along(thread(1));
  // Where the first thread's access ends in the last iteration.
  Bindings First;
  for (const std::string &Name : A.Address.parameters())
    First[Name] = 0;
  for (const Loop &L : Kernel.Loops)
    if (A.Address.dependsOn(L.Counter)) {
      std::optional<double> Count =
          L.TripCount ? L.TripCount.asConstant() : std::nullopt;
      if (!Count)
        return;
      First[L.Counter] = *Count - 1;
    }
  std::optional<double> Start = evaluate(A.Address, First);
  if (!X || !Y || !Start || *X < 0 || *Y < 0 || (*X == 0 && *Y == 0))
    return;
  constexpr StringLiteral Reason = "the extent of its array in shared memory";
  // The larger step leads to the next row.
  auto Along = [&](unsigned Axis, double Step, double Other) {
    if (Step <= 0)
      return;
    bool IsInRow = Other > Step;
    double Extent = IsInRow ? Other : static_cast<double>(*A.BaseBytes);
    double From = IsInRow ? std::fmod(*Start, Other) : *Start;
    atMost(Axis, std::floor(Extent / Step) - std::floor(From / Step), Reason);
  };
  Along(0, *X, *Y);
  Along(1, *Y, *X);
}

void BlockFinder::byDistance(const MemoryAccess &A) {
  Slopes Address(A.Address);
  for (unsigned Axis = 0; Axis < 2; ++Axis) {
    std::optional<double> Step = Address.along(thread(Axis)),
                          Next = Address.along(block(Axis));
    if (!Step || *Step <= 0 || !Next || *Next <= *Step)
      continue;
    atMost(Axis, std::floor(*Next / *Step),
           "the distance of neighbouring blocks in its indices");
    byItems(A, Axis, *Step, *Next);
  }
}

void BlockFinder::byItems(const MemoryAccess &A, unsigned Axis, double Step,
                          double Next) {
  constexpr StringLiteral Reason =
      "the distance of a thread's next element in its indices";
  Slopes Address(A.Address);
  for (const Loop &L : Kernel.Loops) {
    std::optional<double> Count =
        L.TripCount ? L.TripCount.asConstant() : std::nullopt;
    if (!Count || !A.Address.dependsOn(L.Counter))
      continue;
    std::optional<double> Turn = Address.along(L.Counter);
    if (Turn && *Turn > Step && *Count * *Turn == Next)
      atMost(Axis, std::floor(*Turn / Step), Reason);
  }
  // Copies of a loop that was unrolled.
  std::set<double> Offsets;
  for (const MemoryAccess &Other : Kernel.Accesses)
    if (Other.Base == A.Base && Other.Kind == A.Kind && Other.Address)
      if (std::optional<double> Offset = Slopes(Other.Address).atZero())
        Offsets.insert(*Offset);
  double Turn = Next / static_cast<double>(Offsets.size());
  double At = Offsets.empty() ? 0 : *Offsets.begin();
  for (double Offset : Offsets) {
    if (Offset != At)
      return;
    At += Turn;
  }
  if (Offsets.size() > 1 && Turn > Step)
    atMost(Axis, std::floor(Turn / Step), Reason);
}

/// Looks for ceil((n - threadIdx.x) / 128).
void BlockFinder::byLoop(Expr TripCount) {
  DenseSet<const ExprNode *> Seen;
  std::vector<Expr> Open = {TripCount};
  while (!Open.empty()) {
    Expr E = Open.back();
    Open.pop_back();
    if (!Seen.insert(E.node()).second)
      continue;
    append_range(Open, E.operands());
    if (E.kind() != ExprKind::CeilDiv && E.kind() != ExprKind::FloorDiv)
      continue;
    std::optional<double> Stride = E.operands()[1].asConstant();
    for (unsigned Axis = 0; Axis < 2 && Stride; ++Axis)
      if (std::optional<double> Slope =
              Slopes(E.operands()[0]).along(thread(Axis));
          Slope && *Slope == -1)
        atMost(Axis, *Stride,
               "the stride of its loop that starts at threadIdx");
  }
}

bool BlockFinder::reads(StringRef Name) const {
  auto Reads = [&](Expr E) { return E && E.dependsOn(Name); };
  return any_of(Kernel.Accesses,
                [&](const MemoryAccess &A) { return Reads(A.Address); }) ||
         any_of(Kernel.Blocks,
                [&](const BasicBlock &B) { return Reads(B.Active); }) ||
         any_of(Kernel.Waits, [&](const Wait &W) { return Reads(W.Length); }) ||
         any_of(Kernel.Loops, [&](const Loop &L) {
           return Reads(L.TripCount) || Reads(L.Active);
         });
}

std::array<uint64_t, 3> usualBlock(uint64_t Threads, bool IsPlane) {
  if (IsPlane && Threads % UsualBlockSide == 0)
    return {UsualBlockSide, Threads / UsualBlockSide, 1};
  return {Threads, 1, 1};
}

BlockByKernel BlockFinder::find() {
  for (const Loop &L : Kernel.Loops)
    if (L.TripCount)
      byLoop(L.TripCount);
  constexpr size_t MaxAccesses = 64; // more tell nothing new
  for (const MemoryAccess &A :
       ArrayRef(Kernel.Accesses).take_front(MaxAccesses))
    if (!A.Address)
      continue;
    else if (A.Space == MemorySpace::Shared)
      bySharedArray(A);
    else if (A.Space == MemorySpace::Global)
      byDistance(A);

  BlockByKernel Found;
  bool IsPlane = reads(thread(1));
  uint64_t Limit = Kernel.Res.MaxThreadsPerBlock ? Kernel.Res.MaxThreadsPerBlock
                                                 : MaxThreads;
  for (unsigned Axis = 0; Axis < 2; ++Axis)
    if (Bound[Axis])
      Found.Shape[Axis] = std::min(Limit, *Bound[Axis] > 32 || Axis == 0
                                              ? bit_floor(*Bound[Axis])
                                              : *Bound[Axis]);
  Found.Why = Why;
  if (Bound[0] && Bound[1] && Found.Shape[0] * Found.Shape[1] <= Limit)
    return Found;
  if (Bound[0] && !IsPlane)
    return Found;
  if (Bound[0] || Bound[1]) { // the other axis fills the usual block
    unsigned Known = Bound[0] ? 0 : 1;
    Found.Shape[1 - Known] = std::max<uint64_t>(
        1, std::min(Limit, UsualBlockThreads) / Found.Shape[Known]);
    Found.IsWhole = false;
    return Found;
  }
  Found.IsWhole = Kernel.Res.MaxThreadsPerBlock != 0;
  Found.Shape = usualBlock(Found.IsWhole ? Limit : UsualBlockThreads, IsPlane);
  Found.Why = Found.IsWhole ? "its __launch_bounds__" : "";
  return Found;
}

BlockByKernel blockByKernel(const KernelModel &Kernel) {
  return BlockFinder(Kernel).find();
}

} // namespace gpuestimate
