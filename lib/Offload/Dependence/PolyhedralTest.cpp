/// \file
/// Dependence test by isl on Polly's polyhedral model.
#include "DependenceQuery.h"

#include "polly/ScopBuilder.h"
#include "polly/ScopDetection.h"
#include "polly/ScopInfo.h"
#include "polly/Support/GICHelper.h"
#include "polly/Support/ISLTools.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/BasicAliasAnalysis.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/RegionInfo.h"
#include "llvm/Analysis/ScopedNoAliasAA.h"
#include "llvm/Analysis/TypeBasedAliasAnalysis.h"
#include "isl/aff.h"
#include "isl/map.h"
#include <map>
#include <mutex>

namespace gpuestimate {
namespace {

/// Limits beyond which the pairwise tests are used: Polly inspects all regions
/// of a function, and isl's time is exponential in the depth of a nest.
constexpr unsigned MaxPolyhedralLoops = 256, MaxNestDepth = 8;
/// Basic operations of isl per loop, some tens of milliseconds.
constexpr unsigned long MaxIslOperations = 2'000'000;

/// Changes Polly's global settings during an analysis and restores them,
/// because a compiler in the same process may run Polly itself. The analysis
/// needs models of loops that are not profitable to optimize, and of bounds and
/// pointers that are loaded in the loop.
class PollySettings {
public:
  PollySettings() {
    std::lock_guard<std::mutex> Guard(mutex());
    if (users()++ != 0)
      return;
    saved() = {polly::PollyProcessUnprofitable,
               polly::PollyInvariantLoadHoisting};
    polly::PollyProcessUnprofitable = true;
    polly::PollyInvariantLoadHoisting = true;
  }
  ~PollySettings() {
    std::lock_guard<std::mutex> Guard(mutex());
    if (--users() != 0)
      return;
    polly::PollyProcessUnprofitable = saved().first;
    polly::PollyInvariantLoadHoisting = saved().second;
  }
  PollySettings(const PollySettings &) = delete;

private:
  static std::mutex &mutex() {
    static std::mutex M;
    return M;
  }
  static unsigned &users() {
    static unsigned Count = 0;
    return Count;
  }
  static std::pair<bool, bool> &saved() {
    static std::pair<bool, bool> Values;
    return Values;
  }
};

/// Alias analysis for Polly: different arrays do not alias. checkAliasing()
/// reports this assumption.
class AssumeNoAlias : public llvm::AAResultBase {
public:
  explicit AssumeNoAlias(llvm::ScalarEvolution &SE) : SE(SE) {}
  llvm::AliasResult alias(const llvm::MemoryLocation &A,
                          const llvm::MemoryLocation &B, llvm::AAQueryInfo &,
                          const llvm::Instruction *) {
    auto base = [&](const llvm::Value *V) {
      return basePointer(SE, const_cast<llvm::Value *>(V));
    };
    return aliasingOfBases(base(A.Ptr), base(B.Ptr)) == Aliasing::Possible
               ? llvm::AliasResult::MayAlias
               : llvm::AliasResult::NoAlias;
  }

private:
  llvm::ScalarEvolution &SE;
};

/// An access of one statement. Relation maps its iterations to elements.
struct ModelledUse {
  const LoopAccess *Use;
  isl::map Relation;
};

std::string describe(const isl::pw_aff &Value);

/// Projects a relation to the loops up to dimension At. Null if the statement
/// is not in that loop.
isl::map ofIterations(isl::map Relation, unsigned Dimension) {
  const unsigned Size = unsignedFromIslSize(Relation.dim(isl::dim::in));
  if (Relation.is_null() || Size <= Dimension)
    return {};
  Relation =
      Relation.project_out(isl::dim::in, Dimension + 1, Size - Dimension - 1);
  return Relation.set_tuple_id(
      isl::dim::in, isl::id::alloc(Relation.ctx(), "iteration", nullptr));
}

/// Tests the pairs of accesses to one array.
class ArrayTest {
public:
  ArrayTest(DependenceQuery &Q, unsigned Dimension,
            llvm::ArrayRef<ModelledUse> Accesses)
      : Q(Q), Dimension(Dimension), Accesses(Accesses) {
    // Equal relations are tested once.
    for (const ModelledUse &A : Accesses) {
      isl::map Relation = ofIterations(A.Relation, Dimension);
      const auto *Equal = llvm::find_if(Relations, [&](const isl::map &Other) {
        return isl_map_plain_is_equal(Other.get(), Relation.get()) ==
               isl_bool_true;
      });
      KindOf.push_back(Equal - Relations.begin());
      if (Equal == Relations.end())
        Relations.push_back(std::move(Relation));
    }
  }

  void examine() {
    for (size_t A = 0; A != Accesses.size(); ++A)
      for (size_t B = 0; B != Accesses.size(); ++B)
        if (Accesses[A].Use->Write || Accesses[B].Use->Write)
          if (const std::optional<Distance> &Next = meet(KindOf[A], KindOf[B]))
            Q.carried(*Accesses[A].Use, *Accesses[B].Use, Next->Text,
                      Next->Iterations);
  }

private:
  struct Distance {
    std::string Text;
    std::optional<int64_t> Iterations;
  };

  /// The distance from A to a later iteration that accesses the same element in
  /// B; nothing if there is none.
  const std::optional<Distance> &meet(size_t A, size_t B) {
    auto [It, New] = Distances.try_emplace({A, B});
    if (New) {
      isl::map Pairs = between(Relations[A], Relations[B]);
      // Null: isl ran out of operations, which the caller reports.
      if (!Pairs.is_null() && Pairs.is_empty().is_false())
        It->second = distance(Pairs);
    }
    return It->second;
  }

  isl::map between(const isl::map &A, const isl::map &B) const {
    if (A.is_null() || B.is_null())
      return {};
    isl::map Pairs = A.apply_range(B.reverse());
    for (unsigned Outer = 0; Outer != Dimension; ++Outer)
      Pairs = Pairs.equate(isl::dim::in, Outer, isl::dim::out, Outer);
    return Pairs.order_lt(isl::dim::in, Dimension, isl::dim::out, Dimension);
  }

  /// The distance to the next iteration that accesses the same element.
  Distance distance(const isl::map &Pairs) const {
    isl::set Deltas = Pairs.lexmin().deltas();
    Deltas = Deltas.project_out(isl::dim::set, 0, Dimension);
    isl::val Fixed =
        Deltas.is_null()
            ? isl::val()
            : Deltas.simple_hull().plain_get_val_if_fixed(isl::dim::set, 0);
    if (!Fixed.is_null() && Fixed.is_int()) {
      const int64_t N = Fixed.get_num_si();
      return {std::to_string(N) + (N == 1 ? " iteration" : " iterations"), N};
    }
    return {Deltas.is_null() || !Deltas.is_singleton()
                ? "varies"
                : describe(Deltas.dim_min(0)),
            std::nullopt};
  }

  DependenceQuery &Q;
  unsigned Dimension;
  llvm::ArrayRef<ModelledUse> Accesses;
  std::vector<size_t> KindOf; ///< per access, an index of Relations
  llvm::SmallVector<isl::map, 8> Relations;
  std::map<std::pair<size_t, size_t>, std::optional<Distance>> Distances;
};

/// The source name of a parameter of the model; "" when it has none.
std::string parameterName(const isl::id &Id) {
  const auto *Symbol = static_cast<const llvm::SCEV *>(Id.get_user());
  return Symbol ? nameOf(Symbol) : "";
}

/// "n iterations" where the distance is one parameter.
std::string describe(const isl::pw_aff &Value) {
  std::string Name;
  if (Value.is_null() || unsignedFromIslSize(Value.n_piece()) != 1)
    return "varies";
  (void)Value.foreach_piece([&](isl::set, isl::aff Aff) {
    if (!Aff.get_constant_val().is_zero())
      return isl::stat::ok();
    unsigned Terms = 0;
    const unsigned Count = unsignedFromIslSize(Aff.dim(isl::dim::param));
    for (unsigned I = 0; I != Count; ++I) {
      isl::val Factor =
          isl::manage(isl_aff_get_coefficient_val(Aff.get(), isl_dim_param, I));
      if (Factor.is_zero())
        continue;
      ++Terms;
      isl::id Id = Aff.dim_id(isl::dim::param, I);
      Name = Factor.is_one() ? parameterName(Id) : "";
    }
    if (Terms != 1)
      Name = "";
    return isl::stat::ok();
  });
  return Name.empty() ? "varies" : Name + " iterations";
}

/// "p >= m and n <= 1024"; "" when a parameter has no name.
std::string describe(isl::set Conditions) {
  const unsigned Count = unsignedFromIslSize(Conditions.dim(isl::dim::param));
  for (unsigned I = 0; I != Count; ++I) {
    std::string Name = parameterName(Conditions.get_dim_id(isl::dim::param, I));
    if (Name.empty())
      return "";
    Conditions = Conditions.set_dim_id(
        isl::dim::param, I, isl::id::alloc(Conditions.ctx(), Name, nullptr));
  }
  const std::string Text = polly::stringFromIslObj(Conditions, "");
  const size_t Begin = Text.find(':'), End = Text.rfind('}');
  if (Begin == std::string::npos || End == std::string::npos)
    return "";
  return llvm::StringRef(Text).slice(Begin + 1, End).trim().str();
}

/// Reports assumptions of Polly that restrict the iterations of the loop.
void stateAssumptions(const polly::Scop &S, const isl::set &Runs,
                      DependenceQuery &Q) {
  const isl::set Assumed = S.getAssumedContext();
  if (Runs.is_subset(Assumed).is_false()) {
    std::string Text = describe(Assumed.gist_params(Runs).coalesce());
    Q.assume(Text.empty() || Text.size() > 80
                 ? "every index stays within its row of the array"
                 : Text);
  }
  if (Runs.is_disjoint(S.getInvalidContext()).is_false())
    Q.assume("no counter or index wraps around");
}

} // namespace

struct PolyhedralModels::Implementation {
  explicit Implementation(PreparedFunction &P)
      : P(P), SE(P.get<llvm::ScalarEvolutionAnalysis>()),
        LI(P.get<llvm::LoopAnalysis>()),
        AA(P.get<llvm::TargetLibraryAnalysis>()), Apart(SE) {
    AA.addAAResult(P.get<llvm::BasicAA>());
    AA.addAAResult(P.get<llvm::ScopedNoAliasAA>());
    AA.addAAResult(P.get<llvm::TypeBasedAA>());
    AA.addAAResult(Apart);
    unsigned Loops = 0, Depth = 0;
    for (const llvm::Loop *L : LI.getLoopsInPreorder()) {
      ++Loops;
      Depth = std::max(Depth, L->getLoopDepth());
    }
    if (Loops > MaxPolyhedralLoops || Depth > MaxNestDepth)
      return;
    PollySettings Settings;
    Detection = std::make_unique<polly::ScopDetection>(
        P.get<llvm::DominatorTreeAnalysis>(), SE, LI,
        P.get<llvm::RegionInfoAnalysis>(), AA,
        P.get<llvm::OptimizationRemarkEmitterAnalysis>());
    Detection->detect(P.function());
  }

  polly::Scop *modelOf(const llvm::Loop &L) {
    if (!Detection)
      return nullptr;
    for (const llvm::Region *R : Detection->ValidRegions) {
      if (!R->contains(&L))
        continue;
      auto [It, New] = Models.try_emplace(R);
      // The check also rebuilds the context of the region, which the search for
      // larger regions may have dropped.
      PollySettings Settings;
      if (New && Detection->isMaxRegionInScop(*R))
        It->second = polly::ScopBuilder(
                         const_cast<llvm::Region *>(R),
                         P.get<llvm::AssumptionAnalysis>(), AA,
                         P.function().getParent()->getDataLayout(),
                         P.get<llvm::DominatorTreeAnalysis>(), LI, *Detection,
                         SE, P.get<llvm::OptimizationRemarkEmitterAnalysis>())
                         .getScop();
      return It->second.get();
    }
    return nullptr;
  }

  PreparedFunction &P;
  llvm::ScalarEvolution &SE;
  llvm::LoopInfo &LI;
  llvm::AAResults AA;
  AssumeNoAlias Apart;
  std::unique_ptr<polly::ScopDetection> Detection;
  std::map<const llvm::Region *, std::unique_ptr<polly::Scop>> Models;
};

PolyhedralModels::PolyhedralModels(PreparedFunction &P)
    : Impl(std::make_unique<Implementation>(P)) {}
PolyhedralModels::~PolyhedralModels() = default;

bool PolyhedralModels::examine(DependenceQuery &Q) {
  polly::Scop *S = Impl->modelOf(Q.L);
  // Polly ignores branches with calls, but here they may be taken.
  if (!S || S->hasErrorBlock())
    return false;
  const int Depth = S->getRelativeLoopDepth(&Q.L);
  if (Depth < 0 || S->getBoxedLoops().count(&Q.L))
    return false;
  polly::IslMaxOperationsGuard Limit(S->getIslCtx().get(), MaxIslOperations);
  const isl::set Context = S->getBestKnownDefinedBehaviorContext();
  llvm::MapVector<const polly::ScopArrayInfo *, std::vector<ModelledUse>>
      Arrays;
  isl::set Runs = isl::set::empty(S->getParamSpace());
  for (polly::ScopStmt &Stmt : *S) {
    if (!Q.L.contains(Stmt.getEntryBlock()))
      continue;
    Runs = Runs.unite(Stmt.getDomain().params());
    for (polly::MemoryAccess *Access : Stmt) {
      if (!Access->isArrayKind())
        continue;
      const auto *Use = llvm::find_if(Q.Uses, [&](const LoopAccess &Use) {
        return Use.I == Access->getAccessInstruction() &&
               Use.Write == Access->isWrite();
      });
      if (Use != Q.Uses.end())
        Arrays[Access->getLatestScopArrayInfo()].push_back(
            {Use, Access->getLatestAccessRelation()
                      .intersect_domain(Stmt.getDomain())
                      .intersect_params(Context)});
    }
  }
  stateAssumptions(*S, Runs.intersect(S->getContext()), Q);
  for (const auto &[Array, Accesses] : Arrays)
    ArrayTest(Q, Depth, Accesses).examine();
  if (Limit.hasQuotaExceeded())
    Q.unknown("the polyhedral analysis takes too long", Q.L.getStartLoc());
  return true;
}

} // namespace gpuestimate
