/// \file
/// Loops whose accesses to each array provably never meet, or surely do:
/// decided from strides and row lengths, which costs a hundredth of a
/// polyhedral model.
#include "DependencesSubscripts.h"

#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Support/MathExtras.h"

namespace gpuestimate {
namespace {

/// The pairs of one array.
class RowTest {
public:
  enum AnswerType : uint8_t {
    Complete, ///< every pair is decided
    Settled,  ///< no pair can be worse than the last one that was found
    Open,
  };

  explicit RowTest(LoopQuestion &Q) : Q(Q), Rows(Q) {}

  AnswerType examine(llvm::ArrayRef<const MemoryUse *> Uses, Limits &Needed) {
    if (!Rows.read(Uses))
      return Open;
    bool Undecided = false;
    // In the order of the polyhedral test, which decides what is named first.
    for (const Subscripted &A : Rows.accesses())
      for (const Subscripted &B : Rows.accesses()) {
        if ((!A.Use->Write && !B.Use->Write) || separate(A, B, Needed))
          continue;
        const bool Flow = A.Use->Write && !B.Use->Write;
        std::optional<int64_t> Distance =
            meetNext(A, B) ? 1 : fixedDistance(A, B);
        // They meet in the other order, as long as rows do not run together.
        if (Distance && *Distance <= 0 && !end(A, B, Needed))
          Distance.reset();
        if (!Distance && Flow)
          return Open;
        Undecided |= !Distance;
        if (!Distance || *Distance <= 0)
          continue;
        Met.push_back({A.Use, B.Use, *Distance});
        if (Flow && *Distance == 1 && !Q.L.isInnermost() && !isUpdate(A, B))
          return Settled;
      }
    return Undecided ? Open : Complete;
  }

  void state() const {
    for (const auto &[A, B, Distance] : Met)
      Q.carried(*A, *B, Distance);
  }

private:
  bool isUpdate(const Subscripted &A, const Subscripted &B) const {
    const llvm::StringRef Operator = Q.updateOperator(A.Use->I);
    return !Operator.empty() && Operator == Q.updateOperator(B.Use->I);
  }

  /// Do all rows of A and B end before the next begins?
  bool end(const Subscripted &A, const Subscripted &B, Limits &Needed) {
    return Rows.inBounds(A, 1, Needed) && Rows.inBounds(B, 1, Needed);
  }

  /// Do A and B never touch the same byte in different iterations?
  bool separate(const Subscripted &A, const Subscripted &B, Limits &Needed) {
    std::optional<Limits> Best;
    auto take = [&](size_t From) {
      Limits Under;
      if (Rows.inBounds(A, From, Under) && Rows.inBounds(B, From, Under) &&
          (!Best || Under.size() < Best->size()))
        Best = std::move(Under);
    };
    bool Same = true; // the subscripts so far
    for (size_t D = 0; D != Rows.strides().size(); ++D) {
      // Rows that are not the same have to end before the next begins.
      if (differ(A.Subscripts[D], B.Subscripts[D]))
        take(Same ? D + 1 : 1);
      Same = Same && isSame(A.Subscripts[D], B.Subscripts[D]);
    }
    if (A.Rest + A.Size <= B.Rest || B.Rest + B.Size <= A.Rest)
      take(Same ? Rows.strides().size() : 1);
    if (!Best)
      return false;
    for (const auto &[Symbol, Most] : *Best)
      addLimit(Needed, Symbol, Most);
    return true;
  }

  /// The same value in all iterations of the loop and of those within.
  bool isSame(const LinearForm &A, const LinearForm &B) const {
    return isEqual(A, B) && llvm::none_of(A.Counters, [&](const auto &Term) {
             return Q.L.contains(Term.first);
           });
  }

  static bool isEqual(const LinearForm &A, const LinearForm &B) {
    LinearForm Apart = A;
    return Apart.add(B, -1) && Apart.isConstant() && Apart.Constant == 0;
  }

  /// Do two subscripts differ in any two iterations of the loop, wherever the
  /// loops within are?
  bool differ(const LinearForm &A, const LinearForm &B) {
    const int64_t Step = A.factorOf(&Q.L);
    const auto Common = apart(A, B);
    if (B.factorOf(&Q.L) != Step || !Common)
      return false;
    auto difference = [&](std::optional<int64_t> Of,
                          std::optional<int64_t> Less) {
      return Of && Less ? std::optional(*Common + *Of - *Less) : std::nullopt;
    };
    const auto Least = difference(inner(A, false), inner(B, true));
    const auto Most = difference(inner(A, true), inner(B, false));
    if (Step == 0)
      return (Least && *Least > 0) || (Most && *Most < 0);
    if (!Least || !Most)
      return false;
    // Iterations from one to the other, at which they could meet.
    const int64_t Unit = std::abs(Step);
    int64_t First = llvm::divideCeilSigned(*Least, Unit);
    int64_t Last = llvm::divideFloorSigned(*Most, Unit);
    const auto *Trips = llvm::dyn_cast<llvm::SCEVConstant>(
        Q.SE.getConstantMaxBackedgeTakenCount(&Q.L));
    if (Trips && Trips->getAPInt().getActiveBits() < 32) {
      const int64_t Furthest = Trips->getAPInt().getZExtValue();
      First = std::max(First, -Furthest);
      Last = std::min(Last, Furthest);
    }
    return First > Last || (First == 0 && Last == 0);
  }

  /// The difference of what the loop and those within do not change, if it is a
  /// number: what both share, outer counters and symbols, cancels out.
  std::optional<int64_t> apart(const LinearForm &A, const LinearForm &B) const {
    auto fixed = [&](LinearForm Form) {
      llvm::erase_if(Form.Counters, [&](const auto &Term) {
        return Q.L.contains(Term.first);
      });
      return Form;
    };
    LinearForm Common = fixed(A);
    if (!Common.add(fixed(B), -1) || !Common.isConstant())
      return std::nullopt;
    return Common.Constant;
  }

  /// What the loops within add.
  LinearForm innerPart(const LinearForm &Form) const {
    LinearForm Part;
    llvm::copy_if(Form.Counters, std::back_inserter(Part.Counters),
                  [&](const auto &Term) {
                    return Term.first != &Q.L && Q.L.contains(Term.first);
                  });
    return Part;
  }

  /// Its extreme if that is a number.
  std::optional<int64_t> inner(const LinearForm &Form, bool Upper) const {
    const auto Extreme = extremeOf(Q.SE, innerPart(Form), Upper, &Q.L, Q.L);
    if (!Extreme || !Extreme->isConstant())
      return std::nullopt;
    return Extreme->Constant;
  }

  /// Does what A touches in one iteration surely get touched by B in the next?
  bool meetNext(const Subscripted &A, const Subscripted &B) {
    for (size_t D = 0; D != Rows.strides().size(); ++D)
      if (!isEqual(A.Subscripts[D], B.Subscripts[D]) ||
          A.Subscripts[D].factorOf(&Q.L) != 0)
        return false;
    const llvm::SCEV *Trips = Q.SE.getBackedgeTakenCount(&Q.L);
    return A.Size == B.Size && A.Rest == B.Rest &&
           !llvm::isa<llvm::SCEVCouldNotCompute>(Trips) && !Trips->isZero() &&
           repeats(A) && repeats(B);
  }

  /// Do the same instances happen in every iteration of the loop?
  bool repeats(const Subscripted &Access) {
    if (!Rows.alwaysRuns(Access))
      return false;
    for (const llvm::Loop *L = Q.LI.getLoopFor(Access.Use->I->getParent());
         L != &Q.L; L = L->getParentLoop())
      if (!Q.SE.isLoopInvariant(Q.SE.getBackedgeTakenCount(L), &Q.L))
        return false;
    return true;
  }

  /// By how many iterations B comes after A wherever both touch the same
  /// element, if they do for some values of the parameters. Not positive: B
  /// comes no later.
  std::optional<int64_t> fixedDistance(const Subscripted &A,
                                       const Subscripted &B) {
    if (A.Size != B.Size || A.Rest != B.Rest || !repeats(A) || !repeats(B))
      return std::nullopt;
    // Values of all parameters for which they meet.
    int64_t Value = 64;
    for (size_t D = 1; D < Rows.strides().size(); ++D)
      Value = std::min(Value, Rows.strides()[D - 1] / Rows.strides()[D]);
    std::optional<int64_t> Distance;
    llvm::SmallPtrSet<const llvm::Loop *, 4> SeenA, SeenB;
    for (size_t D = 0; D != Rows.strides().size(); ++D) {
      const LinearForm &AtA = A.Subscripts[D], &AtB = B.Subscripts[D];
      const int64_t Step = AtA.factorOf(&Q.L);
      const auto Apart = apart(AtA, AtB);
      if (AtB.factorOf(&Q.L) != Step || !Apart)
        return std::nullopt;
      const auto RangeA = rangeOf(innerPart(AtA), SeenA, Value);
      const auto RangeB = rangeOf(innerPart(AtB), SeenB, Value);
      if (!RangeA || !RangeB)
        return std::nullopt;
      if (Step == 0) {
        if (*Apart + RangeA->first > RangeB->second ||
            *Apart + RangeA->second < RangeB->first)
          return std::nullopt;
        continue;
      }
      // Moving ends would meet at more than one distance.
      if (RangeA->first != RangeA->second || RangeB->first != RangeB->second ||
          *Apart % Step != 0 || (Distance && *Distance != *Apart / Step))
        return std::nullopt;
      Distance = *Apart / Step;
    }
    const auto Trips = tripsOf(Q.L, Value);
    if (!Distance)
      Distance = 1;
    if (!Trips || *Trips <= std::abs(*Distance) || !allRun(A, Value) ||
        !allRun(B, Value))
      return std::nullopt;
    return Distance;
  }

  /// The values of a subscript that one loop runs through without gaps; nothing
  /// if it is not that simple. Seen: loops of other subscripts.
  std::optional<std::pair<int64_t, int64_t>>
  rangeOf(const LinearForm &Form,
          llvm::SmallPtrSetImpl<const llvm::Loop *> &Seen, int64_t Value) {
    if (Form.Counters.empty())
      return std::pair<int64_t, int64_t>(0, 0);
    const auto [L, Factor] = Form.Counters.front();
    if (Form.Counters.size() != 1 || std::abs(Factor) != 1 ||
        !Seen.insert(L).second)
      return std::nullopt;
    const auto Trips = tripsOf(*L, Value);
    if (!Trips || *Trips < 1)
      return std::nullopt;
    return Factor > 0 ? std::pair<int64_t, int64_t>(0, *Trips - 1)
                      : std::pair<int64_t, int64_t>(1 - *Trips, 0);
  }

  /// How often a loop runs when all parameters have that value.
  std::optional<int64_t> tripsOf(const llvm::Loop &L, int64_t Value) {
    const auto Last = linearForm(Q.SE, Q.SE.getBackedgeTakenCount(&L),
                                 L.getParentLoop(), Q.L);
    if (!Last || !Last->Counters.empty())
      return std::nullopt;
    int64_t Trips = Last->Constant + 1;
    for (const auto &[Symbol, Factor] : Last->Symbols) {
      const auto [Parameter, More] = parameterOf(Symbol);
      if (nameOf(Parameter).empty() || std::abs(Factor) > INT32_MAX)
        return std::nullopt;
      Trips += Factor * (Value + More);
    }
    return Trips;
  }

  bool allRun(const Subscripted &Access, int64_t Value) {
    for (const llvm::Loop *L = Q.LI.getLoopFor(Access.Use->I->getParent());
         L != &Q.L; L = L->getParentLoop())
      if (const auto Trips = tripsOf(*L, Value); !Trips || *Trips < 1)
        return false;
    return true;
  }

  struct Meeting {
    const MemoryUse *Source, *Sink;
    int64_t Distance;
  };

  LoopQuestion &Q;
  ArrayRows Rows;
  std::vector<Meeting> Met;
};

} // namespace

bool examineRows(LoopQuestion &Q) {
  if (!Q.counts())
    return false;
  llvm::MapVector<const llvm::Value *, std::vector<const MemoryUse *>> Arrays;
  for (const MemoryUse &Use : Q.Uses)
    Arrays[Use.Base].push_back(&Use);
  Limits Needed;
  std::vector<RowTest> Tests;
  for (const auto &[Base, Uses] : Arrays) {
    if (llvm::none_of(Uses, [](const MemoryUse *Use) { return Use->Write; }))
      continue;
    if (!Q.isFixed(Base))
      return false;
    const auto Answer = Tests.emplace_back(Q).examine(Uses, Needed);
    if (Answer == RowTest::Open)
      return false;
    if (Answer == RowTest::Settled)
      break;
  }
  for (const auto &[Parameter, Most] : Needed)
    Q.assume(nameOf(Parameter) + " <= " + std::to_string(Most));
  for (const RowTest &Test : Tests)
    Test.state();
  return true;
}

} // namespace gpuestimate
