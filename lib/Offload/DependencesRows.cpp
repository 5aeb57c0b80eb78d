/// \file
/// Loops whose accesses to each array provably never meet, or meet in the next
/// iteration for certain: decided from strides and row lengths, which costs a
/// hundredth of a polyhedral model.
#include "DependencesInternal.h"
#include "DependencesLinear.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/MathExtras.h"

namespace gpuestimate {
namespace {

/// An address as subscripts: the sum of Subscripts[D] * Strides[D], and Rest
/// bytes within the element. Strides are the array's, largest first.
struct Subscripted {
  const MemoryUse *Use;
  int64_t Size; ///< of the access, bytes
  llvm::SmallVector<LinearForm, 4> Subscripts;
  LinearForm Rest;
};

/// The largest values of parameters under which a proof holds.
using Limits = llvm::MapVector<const llvm::SCEV *, int64_t>;

void addLimit(Limits &To, const llvm::SCEV *Symbol, int64_t Most) {
  auto [It, New] = To.insert({Symbol, Most});
  if (!New)
    It->second = std::min(It->second, Most);
}

/// The parameter behind a symbol, and what the symbol adds to it: the bound
/// `zext (n - 1)` of a loop that runs at all.
std::pair<const llvm::SCEV *, int64_t> parameterOf(const llvm::SCEV *Symbol) {
  while (const auto *Cast = llvm::dyn_cast<llvm::SCEVCastExpr>(Symbol))
    Symbol = Cast->getOperand();
  const auto *Sum = llvm::dyn_cast<llvm::SCEVAddExpr>(Symbol);
  const auto *More =
      Sum && Sum->getNumOperands() == 2
          ? llvm::dyn_cast<llvm::SCEVConstant>(Sum->getOperand(0))
          : nullptr;
  if (!More || More->getAPInt().getSignificantBits() > 32)
    return {Symbol, 0};
  return {Sum->getOperand(1), More->getAPInt().getSExtValue()};
}

/// The accesses to one array.
class RowTest {
public:
  RowTest(LoopQuestion &Q, llvm::ArrayRef<const MemoryUse *> Uses)
      : Q(Q), DT(Q.P.get<llvm::DominatorTreeAnalysis>()), Uses(Uses) {}

  /// False: something cannot be told.
  bool examine(Limits &Needed) {
    if (!findStrides())
      return false;
    for (const MemoryUse *Use : Uses)
      if (!subscript(*Use))
        return false;
    // In the order of the polyhedral test, which decides what is named first.
    for (const Subscripted &A : Accesses)
      for (const Subscripted &B : Accesses) {
        if (!A.Use->Write && !B.Use->Write)
          continue;
        if (separate(A, B, Needed))
          continue;
        if (!meetNext(A, B))
          return false;
        Next.push_back({A.Use, B.Use});
      }
    return true;
  }

  void state() const {
    for (const auto &[A, B] : Next)
      Q.carried(*A, *B, "1 iteration", 1);
  }

private:
  /// Row lengths, by the types of the array; all accesses must agree.
  bool findStrides() {
    for (const MemoryUse *Use : Uses) {
      if (!llvm::isa<llvm::LoadInst, llvm::StoreInst>(Use->I))
        return false;
      Largest = std::max(Largest, sizeOf(*Use));
      for (const llvm::Value *V = Use->Pointer; V != Use->Base;) {
        const auto *Gep = llvm::dyn_cast<llvm::GEPOperator>(V);
        if (!Gep)
          break;
        addStrides(*Gep);
        V = Gep->getPointerOperand();
      }
    }
    llvm::erase_if(Strides, [&](int64_t Stride) { return Stride < Largest; });
    if (Strides.empty())
      Strides.push_back(Largest);
    llvm::sort(Strides, std::greater<>());
    Strides.erase(std::unique(Strides.begin(), Strides.end()), Strides.end());
    for (size_t D = 1; D < Strides.size(); ++D)
      if (Strides[D - 1] % Strides[D] != 0)
        return false;
    return true;
  }

  void addStrides(const llvm::GEPOperator &Gep) {
    const llvm::DataLayout &Layout = Q.L.getHeader()->getDataLayout();
    for (auto It = llvm::gep_type_begin(Gep); It != llvm::gep_type_end(Gep);
         ++It)
      if (It.isSequential() && !It.getIndexedType()->isScalableTy())
        Strides.push_back(Layout.getTypeAllocSize(It.getIndexedType()));
  }

  bool subscript(const MemoryUse &Use) {
    const llvm::SCEV *Offset =
        Q.SE.getMinusSCEV(Q.SE.getSCEV(Use.Pointer), Q.SE.getSCEV(Use.Base));
    auto Form =
        linearForm(Q.SE, Offset, Q.LI.getLoopFor(Use.I->getParent()), Q.L);
    Subscripted Access{&Use, sizeOf(Use), {}, {}};
    for (int64_t Stride : Strides) {
      LinearForm Multiples;
      if (Form)
        Form = splitOff(Q.SE, *Form, Stride, Q.L, Multiples);
      if (!Form)
        return false;
      Access.Subscripts.push_back(std::move(Multiples));
    }
    if (!Form->isConstant() || Form->Constant < 0 ||
        Form->Constant + Access.Size > Strides.back())
      return false; // a struct's members at other places than its own
    Access.Rest = *Form;
    Accesses.push_back(std::move(Access));
    return true;
  }

  /// Do A and B never touch the same byte in different iterations?
  bool separate(const Subscripted &A, const Subscripted &B, Limits &Needed) {
    std::optional<Limits> Best;
    bool Same = true; // the subscripts so far
    for (size_t D = 0; D != Strides.size(); ++D) {
      if (differ(A.Subscripts[D], B.Subscripts[D])) {
        Limits Under;
        // Rows that are not the same have to end before the next begins.
        const size_t From = Same ? D + 1 : 1;
        if (inBounds(A, From, Under) && inBounds(B, From, Under) &&
            (!Best || Under.size() < Best->size()))
          Best = std::move(Under);
        if (Best && Best->empty())
          return true;
      }
      Same = Same && isSame(A.Subscripts[D], B.Subscripts[D]);
    }
    const bool Beside = A.Rest.Constant + A.Size <= B.Rest.Constant ||
                        B.Rest.Constant + B.Size <= A.Rest.Constant;
    if (Limits Under; Beside && inBounds(A, Same ? Strides.size() : 1, Under) &&
                      inBounds(B, Same ? Strides.size() : 1, Under))
      if (!Best || Under.size() < Best->size())
        Best = std::move(Under);
    if (!Best)
      return false;
    for (const auto &[Symbol, Most] : *Best)
      addLimit(Needed, Symbol, Most);
    return true;
  }

  /// The same value in all iterations of the loop and of those within.
  bool isSame(const LinearForm &A, const LinearForm &B) const {
    LinearForm Apart = A;
    return Apart.add(B, -1) && Apart.isConstant() && Apart.Constant == 0 &&
           llvm::none_of(A.Counters, [&](const auto &Term) {
             return Q.L.contains(Term.first);
           });
  }

  /// Do two subscripts differ in any two iterations of the loop, wherever the
  /// loops within are?
  bool differ(const LinearForm &A, const LinearForm &B) {
    const int64_t Step = A.factorOf(&Q.L);
    if (B.factorOf(&Q.L) != Step)
      return false;
    // What both share, outer counters and symbols, cancels out.
    LinearForm Common = withoutInner(A);
    if (!Common.add(withoutInner(B), -1) || !Common.isConstant())
      return false;
    const auto MostA = inner(A, true), LeastA = inner(A, false);
    const auto MostB = inner(B, true), LeastB = inner(B, false);
    if (!MostA || !LeastA || !MostB || !LeastB)
      return false;
    const int64_t Least = Common.Constant + *LeastA - *MostB;
    const int64_t Most = Common.Constant + *MostA - *LeastB;
    if (Step == 0)
      return Least > 0 || Most < 0;
    // Iterations from one to the other, at which they could meet.
    const int64_t Unit = std::abs(Step);
    int64_t First = llvm::divideCeilSigned(Least, Unit);
    int64_t Last = llvm::divideFloorSigned(Most, Unit);
    const auto *Trips = llvm::dyn_cast<llvm::SCEVConstant>(
        Q.SE.getConstantMaxBackedgeTakenCount(&Q.L));
    if (Trips && Trips->getAPInt().getActiveBits() < 32) {
      const int64_t Furthest = Trips->getAPInt().getZExtValue();
      First = std::max(First, -Furthest);
      Last = std::min(Last, Furthest);
    }
    return First > Last || (First == 0 && Last == 0);
  }

  LinearForm withoutInner(LinearForm Form) const {
    llvm::erase_if(Form.Counters, [&](const auto &Term) {
      return Q.L.contains(Term.first); // and the loop itself
    });
    return Form;
  }

  /// The part of the loops within: its extreme if that is a number.
  std::optional<int64_t> inner(const LinearForm &Form, bool Upper) const {
    LinearForm Part;
    llvm::copy_if(Form.Counters, std::back_inserter(Part.Counters),
                  [&](const auto &Term) {
                    return Term.first != &Q.L && Q.L.contains(Term.first);
                  });
    const auto Extreme = extremeOf(Q.SE, std::move(Part), Upper, &Q.L, Q.L);
    if (!Extreme || !Extreme->isConstant())
      return std::nullopt;
    return Extreme->Constant;
  }

  /// Is each subscript from From on within its row? Under: if these limits
  /// hold.
  bool inBounds(const Subscripted &Access, size_t From, Limits &Under) {
    for (size_t D = From; D < Strides.size(); ++D) {
      const int64_t Most = Strides[D - 1] / Strides[D] - 1;
      const LinearForm &At = Access.Subscripts[D];
      const auto First = extremeOf(Q.SE, At, /*Upper=*/false, nullptr, Q.L);
      const auto Last = extremeOf(Q.SE, At, /*Upper=*/true, nullptr, Q.L);
      if (!First || !Last || !isNotNegative(*First) ||
          !isAtMost(*Last, Most, Access, Under))
        return false;
    }
    return true;
  }

  bool isNotNegative(const LinearForm &Form) const {
    int64_t Least = Form.Constant;
    for (const auto &[Symbol, Factor] : Form.Symbols) {
      const llvm::APInt Of = Q.SE.getSignedRangeMin(Symbol);
      if (Factor < 0 || Of.getSignificantBits() > 32)
        return false;
      int64_t Product;
      if (llvm::MulOverflow(Factor, Of.getSExtValue(), Product) ||
          llvm::AddOverflow(Least, Product, Least))
        return false;
    }
    return Least >= 0;
  }

  bool isAtMost(const LinearForm &Form, int64_t Most, const Subscripted &Access,
                Limits &Under) {
    if (Form.isConstant())
      return Form.Constant <= Most;
    if (Form.Symbols.size() != 1 || !Form.Counters.empty())
      return false;
    const auto [Symbol, Factor] = Form.Symbols.front();
    if (Factor < 0)
      return false;
    const int64_t Limit = llvm::divideFloorSigned(Most - Form.Constant, Factor);
    if (Limit < 0 || Limit > INT32_MAX)
      return false;
    if (Q.SE.getUnsignedRangeMax(Symbol).ule(Limit) ||
        isGuarded(Symbol, Limit, Access))
      return true;
    const auto [Parameter, More] = parameterOf(Symbol);
    if (nameOf(Parameter).empty() || !alwaysRuns(Access))
      return false;
    addLimit(Under, Parameter, Limit - More);
    return true;
  }

  /// Does a condition around the nest say so?
  bool isGuarded(const llvm::SCEV *Symbol, int64_t Limit,
                 const Subscripted &Access) {
    const llvm::Loop *Outermost = Q.LI.getLoopFor(Access.Use->I->getParent());
    while (Outermost->getParentLoop())
      Outermost = Outermost->getParentLoop();
    const llvm::SCEV *Bound = Q.SE.getConstant(Symbol->getType(), Limit);
    return Q.SE.isAvailableAtLoopEntry(Symbol, Outermost) &&
           Q.SE.isLoopEntryGuardedByCond(Outermost, llvm::ICmpInst::ICMP_SLE,
                                         Symbol, Bound);
  }

  /// In every iteration of all loops around it, but for those without any?
  /// Else a condition in the nest may say more about the counters.
  bool alwaysRuns(const Subscripted &Access) {
    const llvm::BasicBlock *At = Access.Use->I->getParent();
    for (const llvm::Loop *L = Q.LI.getLoopFor(At); L; L = L->getParentLoop()) {
      if (!DT.dominates(At, L->getLoopLatch()))
        return false;
      const llvm::BranchInst *Guard = L->getLoopGuardBranch();
      if (Guard && !asksForTrips(*Guard, *L))
        return false;
      At = Guard ? Guard->getParent() : L->getLoopPreheader();
      if (!At)
        return false;
    }
    return true;
  }

  /// Does the guard of a loop depend on no other counters than its bounds do?
  bool asksForTrips(const llvm::BranchInst &Guard, const llvm::Loop &Of) {
    const auto *Compare = llvm::dyn_cast<llvm::ICmpInst>(Guard.getCondition());
    const llvm::SCEV *Trips = Q.SE.getBackedgeTakenCount(&Of);
    if (!Compare || llvm::isa<llvm::SCEVCouldNotCompute>(Trips))
      return false;
    for (const llvm::Loop *L = Of.getParentLoop(); L; L = L->getParentLoop())
      if (Q.SE.isLoopInvariant(Trips, L) &&
          !llvm::all_of(Compare->operands(), [&](llvm::Value *Operand) {
            return Q.SE.isLoopInvariant(Q.SE.getSCEV(Operand), L);
          }))
        return false;
    return true;
  }

  /// Does what A touches in one iteration surely get touched by B in the next?
  bool meetNext(const Subscripted &A, const Subscripted &B) {
    if (A.Size != B.Size || A.Rest.Constant != B.Rest.Constant)
      return false;
    for (size_t D = 0; D != Strides.size(); ++D) {
      LinearForm Apart = A.Subscripts[D];
      if (!Apart.add(B.Subscripts[D], -1) || !Apart.isConstant() ||
          Apart.Constant != 0 || A.Subscripts[D].factorOf(&Q.L) != 0)
        return false;
    }
    const llvm::SCEV *Trips = Q.SE.getBackedgeTakenCount(&Q.L);
    if (llvm::isa<llvm::SCEVCouldNotCompute>(Trips) || Trips->isZero())
      return false;
    return repeats(A) && repeats(B);
  }

  /// Do the same instances happen in every iteration of the loop?
  bool repeats(const Subscripted &Access) {
    if (!alwaysRuns(Access))
      return false;
    for (const llvm::Loop *L = Q.LI.getLoopFor(Access.Use->I->getParent());
         L != &Q.L; L = L->getParentLoop())
      if (!Q.SE.isLoopInvariant(Q.SE.getBackedgeTakenCount(L), &Q.L))
        return false;
    return true;
  }

  int64_t sizeOf(const MemoryUse &Use) const {
    return Q.L.getHeader()->getDataLayout().getTypeStoreSize(
        llvm::getLoadStoreType(Use.I));
  }

  LoopQuestion &Q;
  const llvm::DominatorTree &DT;
  llvm::ArrayRef<const MemoryUse *> Uses;
  int64_t Largest = 1; ///< access, bytes
  llvm::SmallVector<int64_t, 4> Strides;
  std::vector<Subscripted> Accesses;
  std::vector<std::pair<const MemoryUse *, const MemoryUse *>> Next;
};

/// "n <= 900 and m <= 1000".
std::string describe(const Limits &Needed) {
  std::string Text;
  for (const auto &[Parameter, Most] : Needed)
    Text += (Text.empty() ? "" : " and ") + nameOf(Parameter) +
            " <= " + std::to_string(Most);
  return Text;
}

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
    if (!Q.isFixed(Base) || !Tests.emplace_back(Q, Uses).examine(Needed))
      return false;
  }
  if (!Needed.empty()) {
    const std::string Text = describe(Needed);
    Q.assume(Text.size() > LongestConditions ? RowsEnd : Text);
  }
  for (const RowTest &Test : Tests)
    Test.state();
  return true;
}

} // namespace gpuestimate
