/// \file
/// Scalar recurrences: phi nodes of the loop header that are not functions of
/// the counter. A recurrence is a reduction if only one associative operator is
/// applied to it; otherwise it is a loop-carried dependence.
#include "DependenceQuery.h"
#include "gpu-estimate/Lowering/Pipeline/Pipeline.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/Instructions.h"

namespace gpuestimate {
namespace {

/// The values of one iteration that accumulate onto a phi node.
struct AccumulationChain {
  llvm::SmallSetVector<const llvm::Value *, 8> Values;
  llvm::StringRef Operator;
  const llvm::Instruction *Update = nullptr; ///< applies Operator
  const llvm::Instruction *OtherUse = nullptr;
  bool Mixed = false; ///< several operators
};

/// Is I the comparison of a minimum or maximum?
bool onlyChooses(const llvm::Instruction &I) {
  return llvm::isa<llvm::CmpInst>(I) && I.hasOneUse() &&
         llvm::isa<llvm::SelectInst>(*I.user_begin());
}

AccumulationChain follow(const llvm::PHINode &Phi, DependenceQuery &Q) {
  AccumulationChain C;
  C.Values.insert(&Phi);
  for (unsigned Index = 0; Index != C.Values.size(); ++Index) {
    const llvm::Value *V = C.Values[Index];
    for (const llvm::User *User : V->users()) {
      const auto *I = llvm::cast<llvm::Instruction>(User);
      if (!Q.L.contains(I) || I == &Phi)
        continue;
      if (llvm::isa<llvm::PHINode>(I)) {
        C.Values.insert(I);
        continue;
      }
      if (onlyChooses(*I)) {
        const auto *Select = llvm::cast<llvm::SelectInst>(*I->user_begin());
        llvm::StringRef Chosen = accumulationStep(*Select, V, Q.TLI);
        if (Chosen == "min" || Chosen == "max")
          continue; // tested at the select
      }
      llvm::StringRef Operator = accumulationStep(*I, V, Q.TLI);
      if (Operator.empty()) {
        if (!C.OtherUse)
          C.OtherUse = I;
        continue;
      }
      if (Operator != "=") {
        C.Mixed |= !C.Operator.empty() && C.Operator != Operator;
        C.Operator = Operator;
        C.Update = I;
      }
      C.Values.insert(I);
    }
  }
  return C;
}

/// Does every path of an iteration keep the value of the phi node?
bool keepsAll(const AccumulationChain &C, const llvm::PHINode &Phi,
              const llvm::Loop &L) {
  for (const llvm::Value *V : C.Values) {
    if (const auto *Merge = llvm::dyn_cast<llvm::PHINode>(V)) {
      for (unsigned I = 0; I != Merge->getNumIncomingValues(); ++I)
        if ((Merge != &Phi || L.contains(Merge->getIncomingBlock(I))) &&
            !C.Values.contains(Merge->getIncomingValue(I)))
          return false;
    } else if (const auto *Select = llvm::dyn_cast<llvm::SelectInst>(V)) {
      const bool Both = C.Values.contains(Select->getTrueValue()) &&
                        C.Values.contains(Select->getFalseValue());
      if (!Both && C.Operator != "min" && C.Operator != "max" &&
          C.Operator != "&" && C.Operator != "|")
        return false;
    }
  }
  return true;
}

/// The first instruction with a source line that computes V in the loop.
const llvm::Instruction *definition(const llvm::Value *V, const llvm::Loop &L) {
  llvm::SmallSetVector<const llvm::Value *, 8> Work;
  Work.insert(V);
  for (unsigned Index = 0; Index != Work.size() && Index != 16; ++Index) {
    const auto *I = llvm::dyn_cast<llvm::Instruction>(Work[Index]);
    if (!I || !L.contains(I))
      continue;
    if (!llvm::isa<llvm::PHINode>(I) && I->getDebugLoc())
      return I;
    if (llvm::isa<llvm::PHINode>(I))
      Work.insert(I->value_op_begin(), I->value_op_end());
  }
  return nullptr;
}

std::string quotedScalar(const llvm::PHINode &Phi, const llvm::Value *Next) {
  std::string Name = nameOf(&Phi);
  if (Name.empty())
    Name = nameOf(Next);
  return Name.empty() ? "a variable" : "'" + Name + "'";
}

/// The source variables of a phi node.
std::vector<ReductionUpdate::Variable> variablesOf(const llvm::PHINode &Phi,
                                                   const llvm::Value *Next) {
  std::vector<ReductionUpdate::Variable> Variables;
  auto add = [&](const llvm::DILocalVariable &V) {
    Variables.push_back({V.getName().str(), V.getLine()});
  };
  llvm::SmallVector<llvm::DbgValueInst *> Intrinsics;
  llvm::SmallVector<llvm::DbgVariableRecord *> Records;
  llvm::findDbgValues(Intrinsics, const_cast<llvm::PHINode *>(&Phi), &Records);
  for (const llvm::DbgValueInst *D : Intrinsics)
    add(*D->getVariable());
  for (const llvm::DbgVariableRecord *D : Records)
    add(*D->getVariable());
  if (!Variables.empty())
    return Variables;
  std::string Name = nameOf(&Phi);
  if (Name.empty())
    Name = nameOf(Next);
  if (!Name.empty())
    Variables.push_back({Name, 0});
  return Variables;
}

/// Is V computed by inner loops? Wide counters may show that they add a known
/// amount.
bool comesFromInnerLoops(const llvm::Value *V, const DependenceQuery &Q) {
  llvm::SmallSetVector<const llvm::Value *, 16> Work;
  Work.insert(V);
  for (unsigned Index = 0; Index != Work.size(); ++Index) {
    const auto *I = llvm::dyn_cast<llvm::Instruction>(Work[Index]);
    if (!I || !Q.L.contains(I))
      continue;
    if (llvm::isa<llvm::PHINode>(I) && Q.LI.isLoopHeader(I->getParent()) &&
        I->getParent() != Q.L.getHeader())
      return true;
    if (!I->mayReadFromMemory())
      Work.insert(I->value_op_begin(), I->value_op_end());
  }
  return false;
}

/// Tests one phi node. False: wide counters may change the finding.
bool checkPhi(const llvm::PHINode &Phi, DependenceQuery &Q) {
  if (Q.SE.isSCEVable(Phi.getType())) {
    const llvm::SCEV *Value = Q.SE.getSCEV(const_cast<llvm::PHINode *>(&Phi));
    const auto *Counted = llvm::dyn_cast<llvm::SCEVAddRecExpr>(Value);
    // Each thread can compute a function of the counter.
    if ((Counted && Counted->getLoop() == &Q.L) ||
        Q.SE.isLoopInvariant(Value, &Q.L))
      return true;
  }
  const llvm::BasicBlock *Latch = Q.L.getLoopLatch();
  if (!Latch)
    return true; // checkControlFlow reports the missing canonical form
  const llvm::Value *Next = Phi.getIncomingValueForBlock(Latch);
  const AccumulationChain C = follow(Phi, Q);
  // Only the value after the loop is used, and it needs no earlier one.
  if (!C.OtherUse && C.Operator.empty() && !C.Values.contains(Next))
    return true;
  DependenceFinding F;
  const llvm::Instruction *Definition = definition(Next, Q.L);
  const llvm::Instruction *Update = C.Update ? C.Update : Definition;
  ReductionUpdate Described{C.Operator.str(),
                            C.Update && comparesUnsigned(*C.Update),
                            variablesOf(Phi, Next),
                            /*SameElement=*/true,
                            Update ? locate(Update->getDebugLoc())
                                   : SourceLocation(),
                            {},
                            "update of " + quotedScalar(Phi, Next)};
  if (!C.OtherUse && !C.Mixed && !C.Operator.empty() && keepsAll(C, Phi, Q.L)) {
    F.D.Kind = LoopDependence::Reduction;
    F.D.ReductionOperator = C.Operator.str();
    F.D.SourceText = Described.Text;
    F.D.Source = Described.Location;
    F.D.Updates.push_back(std::move(Described));
    if (Phi.getType()->isFloatingPointTy() &&
        (C.Operator == "+" || C.Operator == "*"))
      F.D.Assumptions.push_back(ReassociationAssumption);
  } else {
    F.D.Kind = LoopDependence::Carried;
    F.D.SourceText = "assignment to " + quotedScalar(Phi, Next);
    F.D.SinkText = "use of " + quotedScalar(Phi, Next);
    F.D.Distance = "1 iteration";
    F.Iterations = 1;
    if (Definition)
      F.D.Source = locate(Definition->getDebugLoc());
    const llvm::Instruction *Use = C.OtherUse ? C.OtherUse : Update;
    if (Use)
      F.D.Sink = locate(Use->getDebugLoc());
    if (!C.Mixed && C.OtherUse && !C.Operator.empty() &&
        keepsAll(C, Phi, Q.L)) { // a scan
      F.D.ReductionOperator = C.Operator.str();
      F.D.Updates.push_back(std::move(Described));
    }
  }
  Q.add(std::move(F));
  return !comesFromInnerLoops(Next, Q);
}

} // namespace

bool checkScalarRecurrences(DependenceQuery &Q) {
  bool Settled = true;
  for (const llvm::PHINode &Phi : Q.L.getHeader()->phis())
    Settled &= checkPhi(Phi, Q);
  return Settled;
}

} // namespace gpuestimate
