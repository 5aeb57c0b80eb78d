/// \file
/// Dependence test on delinearized subscripts. It costs a hundredth of a
/// polyhedral model.
#include "Delinearization.h"

#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Support/MathExtras.h"

namespace gpuestimate {
namespace {

/// Tests the pairs of accesses to one array.
class SubscriptTest {
public:
  enum AnswerType : uint8_t {
    Complete, ///< all pairs are decided
    Settled,  ///< no other pair can be worse than the last finding
    Open,
  };

  explicit SubscriptTest(DependenceQuery &Q) : Q(Q), Rows(Q) {}

  AnswerType examine(llvm::ArrayRef<const LoopAccess *> Uses,
                     ParameterLimits &Needed) {
    if (!Rows.read(Uses))
      return Open;
    bool Undecided = false;
    // The order of the polyhedral test decides which finding is reported.
    for (const DelinearizedAccess &A : Rows.accesses())
      for (const DelinearizedAccess &B : Rows.accesses()) {
        if ((!A.Use->Write && !B.Use->Write) || separate(A, B, Needed))
          continue;
        const bool Flow = A.Use->Write && !B.Use->Write;
        std::optional<int64_t> Distance =
            meetNext(A, B) ? 1 : fixedDistance(A, B);
        // A distance <= 0 requires that rows do not overlap.
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
  bool isUpdate(const DelinearizedAccess &A,
                const DelinearizedAccess &B) const {
    const llvm::StringRef Operator = Q.updateOperator(A.Use->I);
    return !Operator.empty() && Operator == Q.updateOperator(B.Use->I);
  }

  /// Are all subscripts of A and B within their rows?
  bool end(const DelinearizedAccess &A, const DelinearizedAccess &B,
           ParameterLimits &Needed) {
    return Rows.inBounds(A, 1, Needed) && Rows.inBounds(B, 1, Needed);
  }

  /// Do A and B access different bytes in any two different iterations?
  bool separate(const DelinearizedAccess &A, const DelinearizedAccess &B,
                ParameterLimits &Needed) {
    std::optional<ParameterLimits> Best;
    auto take = [&](size_t Begin) {
      ParameterLimits Required;
      if (Rows.inBounds(A, Begin, Required) &&
          Rows.inBounds(B, Begin, Required) &&
          (!Best || Required.size() < Best->size()))
        Best = std::move(Required);
    };
    bool Same = true; // the subscripts so far
    for (size_t D = 0; D != Rows.strides().size(); ++D) {
      // Different rows must not overlap.
      if (differ(A.Subscripts[D], B.Subscripts[D]))
        take(Same ? D + 1 : 1);
      Same = Same && isSameEverywhere(A.Subscripts[D], B.Subscripts[D]);
    }
    if (A.ElementOffset + A.Size <= B.ElementOffset ||
        B.ElementOffset + B.Size <= A.ElementOffset)
      take(Same ? Rows.strides().size() : 1);
    if (!Best)
      return false;
    for (const auto &[Symbol, Max] : *Best)
      addParameterLimit(Needed, Symbol, Max);
    return true;
  }

  /// Are two subscripts equal and invariant in the loop and its inner loops?
  bool isSameEverywhere(const AffineForm &A, const AffineForm &B) const {
    return isEqual(A, B) && llvm::none_of(A.Counters, [&](const auto &Term) {
             return Q.L.contains(Term.first);
           });
  }

  static bool isEqual(const AffineForm &A, const AffineForm &B) {
    AffineForm Apart = A;
    return Apart.add(B, -1) && Apart.isConstant() && Apart.Constant == 0;
  }

  /// Do two subscripts differ in any two iterations of the loop, for all
  /// iterations of its inner loops?
  bool differ(const AffineForm &A, const AffineForm &B) {
    const int64_t Step = A.coefficientOf(&Q.L);
    const auto Common = apart(A, B);
    if (B.coefficientOf(&Q.L) != Step || !Common)
      return false;
    auto difference = [&](std::optional<int64_t> Minuend,
                          std::optional<int64_t> Subtrahend) {
      return Minuend && Subtrahend
                 ? std::optional(*Common + *Minuend - *Subtrahend)
                 : std::nullopt;
    };
    const auto Min = difference(inner(A, false), inner(B, true));
    const auto Max = difference(inner(A, true), inner(B, false));
    if (Step == 0)
      return (Min && *Min > 0) || (Max && *Max < 0);
    if (!Min || !Max)
      return false;
    // The distances (iterations) at which they could be equal.
    const int64_t Stride = std::abs(Step);
    int64_t First = llvm::divideCeilSigned(*Min, Stride);
    int64_t Last = llvm::divideFloorSigned(*Max, Stride);
    const auto *Trips = llvm::dyn_cast<llvm::SCEVConstant>(
        Q.SE.getConstantMaxBackedgeTakenCount(&Q.L));
    if (Trips && Trips->getAPInt().getActiveBits() < 32) {
      const int64_t Furthest = Trips->getAPInt().getZExtValue();
      First = std::max(First, -Furthest);
      Last = std::min(Last, Furthest);
    }
    return First > Last || (First == 0 && Last == 0);
  }

  /// The difference of the parts that are invariant in the loop, if it is a
  /// constant: common outer counters and symbols cancel.
  std::optional<int64_t> apart(const AffineForm &A, const AffineForm &B) const {
    auto fixed = [&](AffineForm Form) {
      llvm::erase_if(Form.Counters, [&](const auto &Term) {
        return Q.L.contains(Term.first);
      });
      return Form;
    };
    AffineForm Common = fixed(A);
    if (!Common.add(fixed(B), -1) || !Common.isConstant())
      return std::nullopt;
    return Common.Constant;
  }

  /// The terms of inner loops.
  AffineForm innerPart(const AffineForm &Form) const {
    AffineForm Part;
    llvm::copy_if(Form.Counters, std::back_inserter(Part.Counters),
                  [&](const auto &Term) {
                    return Term.first != &Q.L && Q.L.contains(Term.first);
                  });
    return Part;
  }

  /// The extreme value of the terms of inner loops, if it is a constant.
  std::optional<int64_t> inner(const AffineForm &Form, bool Upper) const {
    const auto Extreme = extremeValue(Q.SE, innerPart(Form), Upper, &Q.L, Q.L);
    if (!Extreme || !Extreme->isConstant())
      return std::nullopt;
    return Extreme->Constant;
  }

  /// Does B access in each iteration the elements of A in the previous one?
  bool meetNext(const DelinearizedAccess &A, const DelinearizedAccess &B) {
    for (size_t D = 0; D != Rows.strides().size(); ++D)
      if (!isEqual(A.Subscripts[D], B.Subscripts[D]) ||
          A.Subscripts[D].coefficientOf(&Q.L) != 0)
        return false;
    const llvm::SCEV *Trips = Q.SE.getBackedgeTakenCount(&Q.L);
    return A.Size == B.Size && A.ElementOffset == B.ElementOffset &&
           !llvm::isa<llvm::SCEVCouldNotCompute>(Trips) && !Trips->isZero() &&
           repeats(A) && repeats(B);
  }

  /// Are the accesses the same in every iteration of the loop?
  bool repeats(const DelinearizedAccess &Access) {
    if (!Rows.alwaysRuns(Access))
      return false;
    for (const llvm::Loop *L = Q.LI.getLoopFor(Access.Use->I->getParent());
         L != &Q.L; L = L->getParentLoop())
      if (!Q.SE.isLoopInvariant(Q.SE.getBackedgeTakenCount(L), &Q.L))
        return false;
    return true;
  }

  /// The constant distance (iterations) from A to B where both access the same
  /// element, if they do for some parameter values. Not positive: B comes
  /// first.
  std::optional<int64_t> fixedDistance(const DelinearizedAccess &A,
                                       const DelinearizedAccess &B) {
    if (A.Size != B.Size || A.ElementOffset != B.ElementOffset || !repeats(A) ||
        !repeats(B))
      return std::nullopt;
    // A value of all parameters for which both access the same element.
    int64_t Value = 64;
    for (size_t D = 1; D < Rows.strides().size(); ++D)
      Value = std::min(Value, Rows.strides()[D - 1] / Rows.strides()[D]);
    std::optional<int64_t> Distance;
    llvm::SmallPtrSet<const llvm::Loop *, 4> SeenA, SeenB;
    for (size_t D = 0; D != Rows.strides().size(); ++D) {
      const AffineForm &AtA = A.Subscripts[D], &AtB = B.Subscripts[D];
      const int64_t Step = AtA.coefficientOf(&Q.L);
      const auto Apart = apart(AtA, AtB);
      if (AtB.coefficientOf(&Q.L) != Step || !Apart)
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
      // Ranges of inner loops would make the distance variable.
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

  /// The range of a subscript that one loop steps through without gaps; nothing
  /// for other subscripts. Seen: loops of other subscripts.
  std::optional<std::pair<int64_t, int64_t>>
  rangeOf(const AffineForm &Form,
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

  /// The trip count of a loop if all parameters have the given value.
  std::optional<int64_t> tripsOf(const llvm::Loop &L, int64_t Value) {
    const auto Last = affineForm(Q.SE, Q.SE.getBackedgeTakenCount(&L),
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

  bool allRun(const DelinearizedAccess &Access, int64_t Value) {
    for (const llvm::Loop *L = Q.LI.getLoopFor(Access.Use->I->getParent());
         L != &Q.L; L = L->getParentLoop())
      if (const auto Trips = tripsOf(*L, Value); !Trips || *Trips < 1)
        return false;
    return true;
  }

  struct Meeting {
    const LoopAccess *Source, *Sink;
    int64_t Distance;
  };

  DependenceQuery &Q;
  DelinearizedArray Rows;
  std::vector<Meeting> Met;
};

} // namespace

bool testSubscripts(DependenceQuery &Q) {
  if (!Q.hasComputableTripCount())
    return false;
  llvm::MapVector<const llvm::Value *, std::vector<const LoopAccess *>> Arrays;
  for (const LoopAccess &Use : Q.Uses)
    Arrays[Use.Base].push_back(&Use);
  ParameterLimits Needed;
  std::vector<SubscriptTest> Tests;
  for (const auto &[Base, Uses] : Arrays) {
    if (llvm::none_of(Uses, [](const LoopAccess *Use) { return Use->Write; }))
      continue;
    if (!Q.isInvariant(Base))
      return false;
    const auto Answer = Tests.emplace_back(Q).examine(Uses, Needed);
    if (Answer == SubscriptTest::Open)
      return false;
    if (Answer == SubscriptTest::Settled)
      break;
  }
  for (const auto &[Parameter, Max] : Needed)
    Q.assume(nameOf(Parameter) + " <= " + std::to_string(Max));
  for (const SubscriptTest &Test : Tests)
    Test.state();
  return true;
}

} // namespace gpuestimate
