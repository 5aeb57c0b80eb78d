/// \file
/// Pointers as an object and a byte offset, and the values behind them.
#include "Values.h"

#include "gpu-estimate/Support/WorkBudget.h"

#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

namespace gpuestimate {

/// The scope and the name in it: "kernel(float*)" and "tile".
static std::pair<std::string, std::string>
scopedName(const llvm::GlobalVariable &Variable) {
  std::string Full = llvm::demangle(Variable.getName());
  size_t Scope = Full.rfind("::");
  if (Scope == std::string::npos)
    return {"", Full};
  return {Full.substr(0, Scope), Full.substr(Scope + 2)};
}

/// "tile" of "kernel(float*)::tile": what a source calls the variable, unless
/// it belongs to another function than the kernel and the name is not unique.
std::string Values::variableName(const llvm::GlobalVariable &Variable) {
  auto [Scope, Name] = scopedName(Variable);
  if (Scope == llvm::demangle(Source.Mangled))
    return Name;
  if (VariablesCalled.empty())
    for (const llvm::GlobalVariable &Each : Variable.getParent()->globals())
      if (spendWork())
        ++VariablesCalled[scopedName(Each).second];
  return VariablesCalled.lookup(Name) > 1 ? Scope + "::" + Name : Name;
}

PointerValue Values::pointer(const llvm::Value *V) {
  if (auto Known = PointerMemo.find(V); Known != PointerMemo.end())
    return Known->second;
  if (Depth > MaxDepth || !spendWork())
    return {nullptr, opaque(V)};
  ++Depth;
  PointerValue P = computePointer(V);
  --Depth;
  if (weight(P.Offset) > 400)
    P.Offset = opaque(V);
  if (Open.empty() || !dependsOnOpenPhi(P.Offset))
    PointerMemo[V] = P;
  return P;
}

PointerValue Values::computePointer(const llvm::Value *V) {
  if (const auto *Gep = llvm::dyn_cast<llvm::GEPOperator>(V)) {
    PointerValue P = pointer(Gep->getPointerOperand());
    unsigned Bits = A.DL.getIndexTypeSizeInBits(Gep->getType());
    llvm::MapVector<llvm::Value *, llvm::APInt> Variable;
    llvm::APInt Constant(Bits, 0);
    if (!Gep->collectOffset(A.DL, Bits, Variable, Constant))
      return {P.Base, opaque(V)};
    llvm::SmallVector<Expr> Terms{
        P.Offset, Ctx.constant(static_cast<double>(Constant.getSExtValue()))};
    for (const auto &[Index, Scale] : Variable)
      Terms.push_back(static_cast<double>(Scale.getSExtValue()) * of(Index));
    P.Offset = Ctx.add(Terms);
    return P;
  }
  switch (llvm::Operator::getOpcode(V)) {
  case llvm::Instruction::BitCast:
  case llvm::Instruction::AddrSpaceCast:
  case llvm::Instruction::Freeze:
    return pointer(llvm::cast<llvm::User>(V)->getOperand(0));
  case llvm::Instruction::IntToPtr:
    // A pointer that went through an integer (alignment tricks).
    if (const auto *Add = llvm::dyn_cast<llvm::PtrToIntOperator>(
            llvm::cast<llvm::User>(V)->getOperand(0)))
      return pointer(Add->getPointerOperand());
    if (const auto *Load = llvm::dyn_cast<llvm::LoadInst>(
            llvm::cast<llvm::User>(V)->getOperand(0)))
      return readPointer(*Load);
    return {V, Ctx.constant(0)};
  default:
    break;
  }
  if (const auto *Select = llvm::dyn_cast<llvm::SelectInst>(V)) {
    PointerValue P = pointer(Select->getTrueValue()),
                 Q = pointer(Select->getFalseValue());
    Expr C = of(Select->getCondition());
    return {P.Base == Q.Base ? P.Base : nullptr,
            Ctx.select(C, P.Offset, Q.Offset)};
  }
  if (const auto *Phi = llvm::dyn_cast<llvm::PHINode>(V)) {
    const llvm::Loop *L = A.LI.getLoopFor(Phi->getParent());
    bool IsHeader = L && L->getHeader() == Phi->getParent();
    if (IsHeader && A.SE.isSCEVable(Phi->getType())) {
      const llvm::SCEV *S = A.SE.getSCEV(const_cast<llvm::PHINode *>(Phi));
      const auto *R = llvm::dyn_cast<llvm::SCEVAddRecExpr>(S);
      const auto *Base =
          llvm::dyn_cast<llvm::SCEVUnknown>(A.SE.getPointerBase(S));
      if (R && R->isAffine() && Base && Base->getValue() != V) {
        PointerValue P = pointer(Base->getValue());
        P.Offset = P.Offset + ofScev(A.SE.removePointerBase(S));
        return P;
      }
    }
    if (const llvm::Value *Same = Phi->hasConstantValue()) {
      PointerValue P = pointer(Same);
      const auto *From = llvm::dyn_cast<llvm::Instruction>(Same);
      for (const llvm::Loop *Left = From ? A.LI.getLoopFor(From->getParent())
                                         : nullptr;
           Left && !Left->contains(Phi->getParent());
           Left = Left->getParentLoop()) {
        Expr E = atExit(P.Offset, Left);
        if (!E)
          return {P.Base, opaque(V)};
        P.Offset = E;
      }
      return P;
    }
    if (!IsHeader)
      if (Join J = joinOf(*Phi); J.Condition) {
        PointerValue P = pointer(J.IfTrue), Q = pointer(J.IfFalse);
        Expr C = conditionOf(J);
        if (!Names.contains(C))
          return {P.Base == Q.Base ? P.Base : nullptr,
                  Ctx.select(C, P.Offset, Q.Offset)};
      }
    return IsHeader ? changingPointer(*Phi) : PointerValue{nullptr, opaque(V)};
  }
  if (const auto *Load = llvm::dyn_cast<llvm::LoadInst>(V))
    return readPointer(*Load);
  // An argument, a variable or a private array.
  return {V, Ctx.constant(0)};
}

std::string Values::nameOf(const llvm::Value *Base, int &Argument,
                           unsigned Level) {
  // What is read through more pointers than this has no name.
  constexpr unsigned MaxLevel = 64;
  Argument = -1;
  if (!Base || Level > MaxLevel)
    return "";
  if (const auto *Arg = llvm::dyn_cast<llvm::Argument>(Base)) {
    Argument = static_cast<int>(Arg->getArgNo());
    return argumentName(*Arg);
  }
  if (const auto *Load = llvm::dyn_cast<llvm::LoadInst>(Base)) {
    PointerValue P = pointer(Load->getPointerOperand());
    const auto *Arg = llvm::dyn_cast_or_null<llvm::Argument>(P.Base);
    std::optional<double> Offset = P.Offset.asConstant();
    if (Arg && Arg->hasByValAttr() && Offset) {
      Argument = static_cast<int>(Arg->getArgNo());
      for (const AggregateMember &M : Source.Members)
        if (M.Argument == Arg->getArgNo() &&
            static_cast<double>(M.Offset) == *Offset)
          return argumentName(*Arg) + "." + M.Name;
      return argumentName(*Arg) + "+" +
             std::to_string(static_cast<long long>(*Offset));
    }
    // What the pointers of an array lead to is one object, with a name.
    int Ignored;
    std::string Table =
        P.Base == Base ? "" : nameOf(P.Base, Ignored, Level + 1);
    if (Table.empty())
      return "";
    if (!Offset || *Offset == 0)
      return "*" + Table;
    return "*(" + Table + "+" +
           std::to_string(static_cast<long long>(*Offset)) + ")";
  }
  if (const auto *Alloca = llvm::dyn_cast<llvm::AllocaInst>(Base))
    return Alloca->hasName() ? Alloca->getName().str() : "private array";
  if (const auto *Variable = llvm::dyn_cast<llvm::GlobalVariable>(Base))
    return variableName(*Variable);
  if (Base->hasName())
    return Base->getName().str();
  return "";
}

Expr Values::computeLoad(const llvm::LoadInst &I) {
  PointerValue P = pointer(I.getPointerOperand());
  std::optional<double> Offset = P.Offset.asConstant();
  const auto *Arg = llvm::dyn_cast_or_null<llvm::Argument>(P.Base);
  if (Arg && Arg->hasByValAttr() && Offset) {
    int Argument;
    return Ctx.parameter(nameOf(&I, Argument));
  }
  // The launch sizes of AMDGPU lie in the dispatch packet (16-bit block sizes
  // at 4, 6, 8; grid sizes in work-items at 12, 16, 20) or behind the implicit
  // arguments (grid sizes in blocks at 0, 4, 8; block sizes at 12, 14, 16).
  if (const auto *From = llvm::dyn_cast_or_null<llvm::IntrinsicInst>(P.Base);
      From && Offset) {
    static constexpr const char *Axes[] = {"x", "y", "z"};
    auto At = [&](int First, int Size, const char *What) -> Expr {
      int N = (static_cast<int>(*Offset) - First) / Size;
      if (*Offset < First || N > 2)
        return {};
      return Ctx.parameter(std::string(What) + Axes[N]);
    };
    if (From->getIntrinsicID() == llvm::Intrinsic::amdgcn_dispatch_ptr) {
      if (*Offset >= 12) {
        Expr Blocks = At(12, 4, "gridDim."), Threads = At(12, 4, "blockDim.");
        if (Blocks)
          return Blocks * Threads;
      } else if (Expr E = At(4, 2, "blockDim.")) {
        return E;
      }
    }
    if (From->getIntrinsicID() == llvm::Intrinsic::amdgcn_implicitarg_ptr) {
      if (Expr E = *Offset < 12 ? At(0, 4, "gridDim.") : At(12, 2, "blockDim."))
        return E;
    }
  }
  return opaque(&I);
}

} // namespace gpuestimate
