/// \file
/// What the parts of the dependence analysis share: the prepared clone, the
/// question about one of its loops, and findings that add up to the answer.
#ifndef GPU_ESTIMATE_LIB_OFFLOAD_DEPENDENCE_DEPENDENCESINTERNAL_H
#define GPU_ESTIMATE_LIB_OFFLOAD_DEPENDENCE_DEPENDENCESINTERNAL_H

#include "Dependences.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/CGSCCPassManager.h"
#include "llvm/Analysis/LoopAnalysisManager.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Transforms/Utils/ValueMapper.h"
#include <map>
#include <optional>

namespace gpuestimate {

/// A clone of one function, inlined and in canonical form, with its analyses.
class PreparedFunction {
public:
  /// F must have a body. Asked: where the loops start that will be asked about,
  /// so that others need less work; empty means any loop.
  PreparedFunction(const llvm::Function &F,
                   llvm::ArrayRef<SourceLocation> Asked);
  /// So that indices can be compared: the dearer half of the preparation, which
  /// large functions often do without. Loops and analyses that were handed out
  /// before are gone.
  void widenCounters();
  bool hasWideCounters() const { return Wide; }

  llvm::Function &function() { return *F; }
  llvm::FunctionAnalysisManager &analyses() { return FAM; }
  template <typename Pass> typename Pass::Result &get() {
    return FAM.getResult<Pass>(*F);
  }
  /// Places at which a loop started before the pipeline.
  const std::vector<SourceLocation> &loopPlaces() const { return Places; }

  /// Why the function cannot be analysed; "" = it can.
  const std::string &refusal() const { return Refusal; }
  /// Has unsigned arithmetic been taken not to wrap around?
  bool assumesNoWrapping() const { return NoWrapping; }

private:
  std::unique_ptr<llvm::Module> M;
  llvm::Function *F;
  llvm::LoopAnalysisManager LAM;
  llvm::FunctionAnalysisManager FAM;
  llvm::CGSCCAnalysisManager CGAM;
  llvm::ModuleAnalysisManager MAM;
  std::vector<SourceLocation> Asked, Places;
  std::string Refusal;
  bool NoWrapping = false, Wide = false;
};

/// Does a place that was asked about name the place that was found?
bool isSame(const SourceLocation &Asked, const SourceLocation &Found);
/// Is L, a loop around it or one in it at one of the places? Of no places, yes.
bool concerns(const llvm::Loop &L, llvm::ArrayRef<SourceLocation> Places);

/// Which functions become a part of the one that is analysed.
///
/// A call that stands outside the loops that are asked about stays one where
/// that leaves what is known of these loops as it is: nothing that it returns
/// is used, it is not handed the address of a local variable (which could then
/// not live in a register), and it sets no global variable by its name.
class CallsToInline {
public:
  CallsToInline(const llvm::Function &F, llvm::ArrayRef<SourceLocation> Asked);

  /// Is Value, of the original module, F or a function that is needed for it?
  bool reach(const llvm::GlobalValue *Value) const {
    return Reached.contains(Value);
  }
  /// In the clone of F: everything else that it calls becomes a part of it,
  /// `noinline` or not: this is about what the code does.
  void inlineInto(llvm::Function &Clone,
                  llvm::ValueToValueMapTy &CloneOf) const;

private:
  llvm::SmallPtrSet<const llvm::GlobalValue *, 16> Reached;
  llvm::SmallVector<const llvm::CallBase *> Left;
};

/// Where loops start, by the llvm.loop metadata of their latches.
std::vector<SourceLocation> placesOfLoops(const llvm::Function &F);

/// Could two arrays, known by their base pointers, share an element?
enum class Overlap : uint8_t {
  Never,    ///< alias analysis proves it
  Assumed,  ///< nothing speaks for it; a stated assumption
  Possible, ///< they may be one and the same pointer
};

/// One memory access of the loop.
struct MemoryUse {
  llvm::Instruction *I;
  llvm::Value *Pointer;
  llvm::Value *Base; ///< the pointer that the address is counted from
  bool Write;
};

/// One thing that was found out about the loop. Rank orders findings of one
/// kind: a flow of data (0) says more than an output (1) or anti (2)
/// dependence; Iterations is the distance, if constant.
struct Finding {
  LoopDependence D;
  unsigned Rank = 0;
  std::optional<int64_t> Iterations;
};

/// Of two answers, which one stands in the way more?
unsigned severity(LoopDependence::KindType Kind);

/// The question about one loop. The parts below add their findings.
class LoopQuestion {
public:
  /// Pairs grow with the square; a body of more accesses is no kernel's.
  static constexpr size_t MostUses = 256;

  LoopQuestion(PreparedFunction &P, llvm::Loop &L);

  LoopDependence answer() &&;
  static LoopDependence independent();

  void add(Finding F);
  void assume(std::string What);
  /// Has nothing been found yet?
  bool isClear() const { return Findings.empty(); }
  /// Has something been found that leaves the answer unknown?
  bool isDecided() const;
  /// Do iterations, as far as is known, add to something that they share?
  bool combines() const;
  /// Source happens in an earlier iteration than Sink.
  void carried(const MemoryUse &Source, const MemoryUse &Sink,
               std::string Distance, std::optional<int64_t> Iterations);
  void carried(const MemoryUse &Source, const MemoryUse &Sink,
               int64_t Iterations);
  void unknown(std::string Reason, const llvm::DebugLoc &Place,
               std::optional<LoopUpdate> Update = std::nullopt);
  /// The update that Store writes.
  LoopUpdate updateOf(const llvm::Instruction &Store,
                      llvm::StringRef Operator) const;

  /// The operator with which I, a load or store, updates memory; "" if it is
  /// not part of an update (load, operator, store to the same address, no other
  /// use of the old value).
  llvm::StringRef updateOperator(const llvm::Instruction *I) const {
    return Updates.lookup(I);
  }
  Overlap overlap(const MemoryUse &A, const MemoryUse &B);
  /// Is V's memory new in every iteration?
  bool isPrivate(const llvm::Value *V) const;
  /// Is the number of iterations known, of one exit at least, when it starts?
  bool counts() const;
  /// The same object in every iteration?
  bool isFixed(const llvm::Value *V) const;

  PreparedFunction &P;
  llvm::Loop &L;
  llvm::LoopInfo &LI;
  llvm::ScalarEvolution &SE;
  const llvm::TargetLibraryInfo &TLI;
  llvm::AAResults &AA;
  llvm::SmallVector<MemoryUse, 16> Uses;          ///< without private memory
  llvm::SmallVector<llvm::CallBase *, 2> Readers; ///< calls that only read

private:
  void collectUses();
  void collectUpdates();
  void addReduction(const llvm::Instruction &Update, llvm::StringRef Operator);

  llvm::SmallVector<Finding, 4> Findings;
  std::vector<std::string> Assumptions;
  llvm::DenseMap<const llvm::Instruction *, llvm::StringRef> Updates;
};

/// What a reduction of floating-point numbers assumes.
inline constexpr const char *AnyOrder =
    "the order of floating-point operations does not matter";

/// The base pointer of an address. Choices: how many nested conditional
/// addresses to look through.
llvm::Value *basePointer(llvm::ScalarEvolution &SE, llvm::Value *Pointer,
                         unsigned Choices = 3);
/// Without context: see LoopQuestion::overlap for what alias analysis adds.
Overlap overlapOfBases(llvm::Value *A, llvm::Value *B);

/// The source name of a value, for messages; "" when there is none.
std::string nameOf(const llvm::Value *V);
/// Of a parameter of a model; "" when it has none.
std::string nameOf(const llvm::SCEV *Parameter);
/// "'A'", or "an array" when it has no name.
std::string quotedName(const llvm::Value *V);

/// How an instruction takes part in an accumulation into V: the operator if it
/// applies an associative one to V once, "=" if it passes V on, "" otherwise.
llvm::StringRef accumulation(const llvm::Instruction &I, const llvm::Value *V,
                             const llvm::TargetLibraryInfo &TLI);
/// The one operator through which Result accumulates onto Leaf, "" if none.
/// Strict: what is in between is not used elsewhere.
llvm::StringRef operatorBetween(const llvm::Value *Leaf,
                                const llvm::Value *Result, bool Strict,
                                const llvm::TargetLibraryInfo &TLI);

/// Of a minimum or maximum of integers: are they compared without sign?
bool comparesUnsigned(const llvm::Value &Result);

/// A floating-point function of the C library: its one effect, errno, is left
/// out of account.
bool isMathCall(const llvm::CallBase &Call, const llvm::TargetLibraryInfo &TLI);

/// The parts. Calls and early exits; false: nothing can be said about memory.
bool examineControl(LoopQuestion &Q);
/// Values handed from iteration to iteration in registers. False: one of those
/// found may turn out to be a function of the counter when counters are wide.
bool examineScalars(LoopQuestion &Q);
/// Accesses to different arrays; false: as above.
bool examineOverlaps(LoopQuestion &Q);
/// Accesses to one array, by strides and row lengths; false: undecided.
bool examineRows(LoopQuestion &Q);
/// Accesses to one array, with LLVM's dependence tests.
void examinePairs(LoopQuestion &Q);

/// Polly's models of the regions of one function, made when first needed.
class PolyhedralModels {
public:
  explicit PolyhedralModels(PreparedFunction &P);
  ~PolyhedralModels();
  PolyhedralModels(const PolyhedralModels &) = delete;
  /// Accesses to one array, with isl; false: the loop is in no model.
  bool examine(LoopQuestion &Q);

private:
  struct Implementation;
  std::unique_ptr<Implementation> Impl;
};

} // namespace gpuestimate

#endif
