/// \file
/// Finds the captures of a nest and the reductions among them.
#include "Captures.h"

#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ReplaceConstant.h"

namespace gpuestimate {

/// The DWARF encoding of the variable at Address; 0 if it is unknown.
static unsigned encodingOf(llvm::Value *Address) {
  const llvm::DILocalVariable *Variable = nullptr;
  for (llvm::DbgDeclareInst *D : llvm::findDbgDeclares(Address))
    Variable = D->getVariable();
  for (llvm::DbgVariableRecord *D : llvm::findDVRDeclares(Address))
    Variable = D->getVariable();
  const llvm::DIType *Type = Variable ? Variable->getType() : nullptr;
  while (const auto *Derived =
             llvm::dyn_cast_or_null<llvm::DIDerivedType>(Type))
    Type = Derived->getBaseType(); // typedef, const
  const auto *Basic = llvm::dyn_cast_or_null<llvm::DIBasicType>(Type);
  return Basic ? Basic->getEncoding() : 0;
}

static AssociativeOperator operatorOf(const ReductionUpdate &U,
                                      llvm::AllocaInst &Variable) {
  unsigned Encoding = encodingOf(&Variable);
  return {U.Operator, Variable.getAllocatedType(),
          Encoding == llvm::dwarf::DW_ATE_unsigned ||
              Encoding == llvm::dwarf::DW_ATE_unsigned_char,
          Encoding == llvm::dwarf::DW_ATE_boolean};
}

bool CaptureAnalysis::matches(const ReductionUpdate &U, llvm::Value *Address,
                              const Capture &C) const {
  return llvm::isa<llvm::AllocaInst>(Address) && !C.IsObject && C.Written &&
         C.Variable &&
         llvm::any_of(U.Variables, [&](const ReductionUpdate::Variable &V) {
           return V.Name == C.Variable->Argument.Name &&
                  (V.Line == 0 || V.Line == C.Variable->Location.Line);
         });
}

const NestVariable *CaptureAnalysis::variableOf(llvm::Value *V) {
  llvm::StringRef Name;
  unsigned Line = 0;
  bool IsThis = false;
  if (auto *Global = llvm::dyn_cast<llvm::GlobalVariable>(V)) {
    llvm::SmallVector<llvm::DIGlobalVariableExpression *, 1> Descriptions;
    Global->getDebugInfo(Descriptions);
    if (Descriptions.empty())
      return nullptr;
    Name = Descriptions.front()->getVariable()->getName();
    Line = Descriptions.front()->getVariable()->getLine();
  } else {
    const llvm::DILocalVariable *Local = declaredVariable(V);
    if (!Local)
      return nullptr;
    Name = Local->getName();
    Line = Local->getLine();
    IsThis = Local->isObjectPointer();
  }
  for (const NestVariable &Variable : Code.nest().Variables)
    if (Variable.Argument.Name == Name && Variable.Location.Line == Line)
      return &Variable;
  return IsThis ? &This : nullptr;
}

void CaptureAnalysis::captureVariable(llvm::Value *V) {
  if (Captures.contains(V))
    return;
  Capture C{V, variableOf(V)};
  llvm::Type *Type = nullptr;
  if (auto *Local = llvm::dyn_cast<llvm::AllocaInst>(V))
    Type = Local->isArrayAllocation() ? nullptr : Local->getAllocatedType();
  else if (auto *Global = llvm::dyn_cast<llvm::GlobalVariable>(V))
    Type = Global->getValueType();
  C.IsObject = !Type || !Type->isSingleValueType();
  bool Escapes = false;
  for (llvm::User *U : V->users()) {
    auto *I = llvm::dyn_cast<llvm::Instruction>(U);
    if (!I || !Root.contains(I))
      continue;
    if (auto *Store = llvm::dyn_cast<llvm::StoreInst>(I)) {
      C.Written |= Store->getPointerOperand() == V;
      Escapes |= Store->getValueOperand() == V;
    } else if (!llvm::isa<llvm::LoadInst>(I) && !I->isLifetimeStartOrEnd()) {
      Escapes = true;
    }
  }
  // All threads share a global variable that is written. Local scalars are
  // private.
  if (llvm::isa<llvm::GlobalVariable>(V) && (C.Written || Escapes))
    C.IsObject = true;
  Captures.insert({V, C});
}

bool CaptureAnalysis::isCounter(const llvm::Value *Address) const {
  return llvm::any_of(*Root.getLoopLatch(), [&](const llvm::Instruction &I) {
    auto *Step = llvm::dyn_cast<llvm::StoreInst>(&I);
    return Step && Step->getPointerOperand() == Address;
  });
}

llvm::Error CaptureAnalysis::run() {
  // Constant addresses in global objects become instructions, so that an
  // argument can replace the object.
  llvm::SmallVector<llvm::Constant *> Globals;
  for (llvm::GlobalVariable &G : F.getParent()->globals())
    if (!G.getName().starts_with("llvm."))
      Globals.push_back(&G);
  llvm::convertUsersOfConstantsToInstructions(Globals, &F);

  for (llvm::BasicBlock *BB : Root.blocks())
    for (llvm::Instruction &I : *BB) {
      if (I.isEHPad() || llvm::isa<llvm::InvokeInst, llvm::CallBrInst>(I))
        return refusal(
            "it contains exception handling" +
            (I.getDebugLoc()
                 ? " at line " + std::to_string(I.getDebugLoc().getLine())
                 : std::string()));
      for (llvm::Value *Operand : I.operands()) {
        if (auto *G = llvm::dyn_cast<llvm::GlobalVariable>(Operand)) {
          captureVariable(G);
        } else if (auto *A = llvm::dyn_cast<llvm::AllocaInst>(Operand)) {
          if (!Root.contains(A))
            captureVariable(A);
        } else if (auto *Argument = llvm::dyn_cast<llvm::Argument>(Operand)) {
          Capture C{Argument, variableOf(Argument)};
          C.IsObject = Argument->hasByValAttr();
          Captures.insert({Argument, C});
        } else if (auto *Value = llvm::dyn_cast<llvm::Instruction>(Operand)) {
          if (!Root.contains(Value) && !llvm::is_contained(Values, Value))
            Values.push_back(Value);
        }
      }
    }
  // Captures of the counter's initial value and of the values above.
  llvm::SmallVector<llvm::Value *> Work(Values.begin(), Values.end());
  llvm::SmallPtrSet<llvm::Value *, 16> Seen;
  for (llvm::Instruction &I : *Root.getLoopPredecessor())
    if (auto *Store = llvm::dyn_cast<llvm::StoreInst>(&I))
      if (Captures.contains(Store->getPointerOperand()))
        Work.push_back(Store->getValueOperand());
  while (!Work.empty()) {
    llvm::Value *V = Work.pop_back_val();
    if (!Seen.insert(V).second || Seen.size() > 256)
      continue;
    if (llvm::isa<llvm::AllocaInst, llvm::GlobalVariable>(V)) {
      captureVariable(V);
    } else if (auto *I = llvm::dyn_cast<llvm::Instruction>(V)) {
      Work.append(I->value_op_begin(), I->value_op_end());
    }
  }
  return findUpdates();
}

llvm::Error CaptureAnalysis::findScan() {
  const ReductionUpdate &U = *Mapping.Scan;
  for (auto &[Address, C] : Captures)
    if (matches(U, Address, C) && !isCounter(Address)) {
      C.IsScan = true;
      C.Operator = operatorOf(U, *llvm::cast<llvm::AllocaInst>(Address));
      if (std::string Reason = C.Operator.problem(); !Reason.empty())
        return refusal("it is a scan (" + U.Text + "), but " + Reason);
      return llvm::Error::success();
    }
  return U.Variables.empty()
             ? llvm::Error::success() // in memory: transformToScan finds it
             : refusal(
                   "it is a scan (" + U.Text +
                   "), but not of a scalar variable of the enclosing function");
}

llvm::Error CaptureAnalysis::findUpdates() {
  if (Mapping.Scan)
    if (llvm::Error E = findScan())
      return E;
  for (const ReductionUpdate &U : Mapping.Updates) {
    bool Local = false;
    for (auto &[Address, C] : Captures) {
      if (!matches(U, Address, C))
        continue;
      Local = true;
      C.Update = &U;
      C.Operator = operatorOf(U, *llvm::cast<llvm::AllocaInst>(Address));
      if (std::string Reason = C.Operator.problem(); !Reason.empty())
        return refusal("the reduction in the " + U.Text +
                       " cannot be mapped to threads: " + Reason);
    }
    bool HasLocation =
        U.Location.isValid(); // otherwise only a clause mentions it
    if (!Local && HasLocation && U.Variables.empty())
      UpdatesInMemory.push_back(U);
    else if (!Local && HasLocation)
      return refusal(
          "the reduction in the " + U.Text + " at line " +
          std::to_string(U.Location.Line) +
          " cannot be mapped to threads: it is not on a scalar variable of the "
          "enclosing function; accumulate in a local variable instead");
  }
  Strided =
      Mapping.Mapped.size() == 1 &&
      (llvm::any_of(Captures, [](const auto &C) { return C.second.Update; }) ||
       llvm::any_of(UpdatesInMemory,
                    [](const ReductionUpdate &U) { return U.SameElement; }));
  return refuseUnknownSums();
}

/// Is V computed from the value at Address?
static bool dependsOn(const llvm::Value *V, const llvm::Value *Address,
                      unsigned Depth = 8) {
  const auto *I = llvm::dyn_cast<llvm::Instruction>(V);
  if (!I || Depth == 0)
    return false;
  if (const auto *Load = llvm::dyn_cast<llvm::LoadInst>(I))
    return Load->getPointerOperand() == Address;
  return llvm::any_of(I->operand_values(), [&](const llvm::Value *Operand) {
    return dependsOn(Operand, Address, Depth - 1);
  });
}

/// Refuses variables that carry values between iterations without being known
/// reductions: the thread's private copy, and the work that computes it, would
/// be dead.
llvm::Error CaptureAnalysis::refuseUnknownSums() const {
  for (const auto &[Address, C] : Captures) {
    if (!llvm::isa<llvm::AllocaInst>(Address) || C.IsObject || !C.Written ||
        !C.Variable || C.Update || C.IsScan || isCounter(Address))
      continue;
    bool Begun = false;
    for (const llvm::User *U : Address->users()) {
      const auto *Store = llvm::dyn_cast<llvm::StoreInst>(U);
      if (!Store || Store->getPointerOperand() != Address ||
          !Root.contains(Store))
        continue;
      Begun |= !dependsOn(Store->getValueOperand(), Address);
    }
    if (!Begun)
      return refusal("it carries '" + C.Variable->Argument.Name +
                     "' from one iteration to the next, and its update is not "
                     "a reduction");
  }
  return llvm::Error::success();
}

} // namespace gpuestimate
