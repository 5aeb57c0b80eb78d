#include "ObjectNames.h"

#include "PointerValues.h"
#include "gpu-estimate/Support/WorkBudget.h"

#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

namespace gpuestimate {

/// Splits "kernel(float*)::tile" into scope "kernel(float*)" and name "tile".
static std::pair<std::string, std::string>
scopedName(const llvm::GlobalVariable &Variable) {
  std::string Full = llvm::demangle(Variable.getName());
  size_t Scope = Full.rfind("::");
  if (Scope == std::string::npos)
    return {"", Full};
  return {Full.substr(0, Scope), Full.substr(Scope + 2)};
}

/// The name in the source, "tile" of "kernel(float*)::tile"; with its scope if
/// it belongs to another function than the kernel and the name is ambiguous.
std::string ObjectNames::variableName(const llvm::GlobalVariable &Variable) {
  auto [Scope, Name] = scopedName(Variable);
  if (Scope == llvm::demangle(Source.Mangled))
    return Name;
  if (VariablesByName.empty())
    for (const llvm::GlobalVariable &Other : Variable.getParent()->globals())
      if (spendWork())
        ++VariablesByName[scopedName(Other).second];
  return VariablesByName.lookup(Name) > 1 ? Scope + "::" + Name : Name;
}

std::string ObjectNames::nameOf(const llvm::Value *Base,
                                std::optional<unsigned> &Argument,
                                unsigned Level) {
  // An object behind more loads than this has no name.
  constexpr unsigned MaxLevel = 64;
  Argument.reset();
  if (!Base || Level > MaxLevel)
    return "";
  if (const auto *Arg = llvm::dyn_cast<llvm::Argument>(Base)) {
    Argument = Arg->getArgNo();
    return argumentName(*Arg);
  }
  if (const auto *Load = llvm::dyn_cast<llvm::LoadInst>(Base)) {
    PointerValue P = Pointers.of(Load->getPointerOperand());
    const auto *Arg = llvm::dyn_cast_or_null<llvm::Argument>(P.Base);
    std::optional<double> Offset = P.Offset.asConstant();
    if (Arg && Arg->hasByValAttr() && Offset) {
      Argument = Arg->getArgNo();
      for (const AggregateMember &M : Source.Members)
        if (M.Argument == Arg->getArgNo() &&
            static_cast<double>(M.Offset) == *Offset)
          return argumentName(*Arg) + "." + M.Name;
      return argumentName(*Arg) + "+" +
             std::to_string(static_cast<long long>(*Offset));
    }
    // All objects behind an array of pointers have one name.
    std::optional<unsigned> Ignored;
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

std::string ObjectNames::argumentName(const llvm::Argument &Arg) const {
  unsigned Index = Arg.getArgNo();
  if (Index < Source.Arguments.size() && !Source.Arguments[Index].Name.empty())
    return Source.Arguments[Index].Name;
  if (Arg.hasName())
    return Arg.getName().str();
  return "arg" + std::to_string(Index);
}

} // namespace gpuestimate
