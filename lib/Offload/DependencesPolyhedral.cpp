/// \file
/// Loops that Polly can model: isl decides.
#include "DependencesInternal.h"

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
#include <mutex>

namespace gpuestimate {
namespace {

/// Polly looks at all regions of a function, and isl's time is exponential in
/// the depth of a nest: beyond these the pairwise tests have to do.
constexpr unsigned MostLoops = 256, DeepestNest = 8;
/// Basic operations of isl for one loop, some tens of milliseconds.
constexpr unsigned long MostOperations = 2'000'000;

/// Polly's settings are global variables of LLVM. While an analysis runs it
/// must model loops that are not worth Polly's own optimisation, and bounds and
/// pointers that are loaded in the loop; afterwards they are as before, for a
/// compiler in the same process that runs Polly itself.
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

/// What Polly is told: different arrays do not overlap. Where that is an
/// assumption, examineOverlaps() states it.
class NoOverlap : public llvm::AAResultBase {
public:
  explicit NoOverlap(llvm::ScalarEvolution &SE) : SE(SE) {}
  llvm::AliasResult alias(const llvm::MemoryLocation &A,
                          const llvm::MemoryLocation &B, llvm::AAQueryInfo &,
                          const llvm::Instruction *) {
    auto base = [&](const llvm::Value *V) {
      return basePointer(SE, const_cast<llvm::Value *>(V));
    };
    return overlapOfBases(base(A.Ptr), base(B.Ptr)) == Overlap::Possible
               ? llvm::AliasResult::MayAlias
               : llvm::AliasResult::NoAlias;
  }

private:
  llvm::ScalarEvolution &SE;
};

/// One statement's access, with its relation restricted to where it happens.
struct ModelledUse {
  const MemoryUse *Use;
  isl::map Relation;
};

std::string describe(const isl::pw_aff &Value);

/// The pairs of one array.
class ArrayTest {
public:
  ArrayTest(LoopQuestion &Q, unsigned Dimension) : Q(Q), At(Dimension) {}

  /// A happens in an earlier iteration of the loop than B.
  void examine(const ModelledUse &A, const ModelledUse &B) {
    isl::map Pairs = between(A, B);
    if (Pairs.is_null() || !Pairs.is_empty().is_false())
      return; // empty, or out of operations, which the caller sees
    auto [Text, Iterations] = distance(Pairs);
    Q.carried(*A.Use, *B.Use, Text, Iterations);
  }

private:
  /// Instances of A and B, of the loops down to this one only.
  isl::map between(const ModelledUse &A, const ModelledUse &B) const {
    isl::map Pairs = A.Relation.apply_range(B.Relation.reverse());
    for (isl::dim Side : {isl::dim::in, isl::dim::out}) {
      const unsigned Size = unsignedFromIslSize(Pairs.dim(Side));
      if (Pairs.is_null() || Size <= At)
        return {};
      Pairs = Pairs.project_out(Side, At + 1, Size - At - 1);
      Pairs = Pairs.set_tuple_id(
          Side, isl::id::alloc(Pairs.ctx(), "iteration", nullptr));
    }
    for (unsigned Outer = 0; Outer != At; ++Outer)
      Pairs = Pairs.equate(isl::dim::in, Outer, isl::dim::out, Outer);
    return Pairs.order_lt(isl::dim::in, At, isl::dim::out, At);
  }

  /// To the next iteration that meets.
  std::pair<std::string, std::optional<int64_t>>
  distance(const isl::map &Pairs) const {
    isl::set Deltas = Pairs.lexmin().deltas();
    Deltas = Deltas.project_out(isl::dim::set, 0, At);
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

  LoopQuestion &Q;
  unsigned At;
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

/// What Polly takes for granted, as far as it matters where the loop runs.
void stateAssumptions(const polly::Scop &S, const isl::set &Runs,
                      LoopQuestion &Q) {
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
    if (Loops > MostLoops || Depth > DeepestNest)
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
      // The check also makes the region's context anew, which the search for
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
  NoOverlap Apart;
  std::unique_ptr<polly::ScopDetection> Detection;
  std::map<const llvm::Region *, std::unique_ptr<polly::Scop>> Models;
};

PolyhedralModels::PolyhedralModels(PreparedFunction &P)
    : Impl(std::make_unique<Implementation>(P)) {}
PolyhedralModels::~PolyhedralModels() = default;

bool PolyhedralModels::examine(LoopQuestion &Q) {
  polly::Scop *S = Impl->modelOf(Q.L);
  // Polly leaves out branches that call something; here they may be taken.
  if (!S || S->hasErrorBlock())
    return false;
  const int Depth = S->getRelativeLoopDepth(&Q.L);
  if (Depth < 0 || S->getBoxedLoops().count(&Q.L))
    return false;
  polly::IslMaxOperationsGuard Limit(S->getIslCtx().get(), MostOperations);
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
      const auto *Use = llvm::find_if(Q.Uses, [&](const MemoryUse &Use) {
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
  ArrayTest Test(Q, Depth);
  for (const auto &[Array, Accesses] : Arrays)
    for (const ModelledUse &A : Accesses)
      for (const ModelledUse &B : Accesses)
        if (A.Use->Write || B.Use->Write)
          Test.examine(A, B);
  if (Limit.hasQuotaExceeded())
    Q.unknown("the polyhedral analysis takes too long", Q.L.getStartLoc());
  return true;
}

} // namespace gpuestimate
